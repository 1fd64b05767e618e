//! A question as a command has it: a name, a text, what is asked.

use super::super::Failure;
use starset::decide;
use starset::formula::{FormulaId, Logic, PathSemantics, Pool, parse};
use starset::kinds::{Loaded, TimedQuestion};
use starset::symbolic::Route;

/// One thing that is asked, and what is said of it.
#[derive(Debug)]
pub(crate) struct NamedQuestion {
    /// Identifier of the property, or the number of the formula on the command line.
    pub(crate) id: String,
    /// The formula as the printer writes it.
    pub(crate) text: String,
    /// The same as it was written on the command line or in a file.
    pub(crate) written: Option<String>,
    /// Is it an invariant of the model?
    pub(crate) invariant: bool,
    /// The logic of a formula as it was given.
    pub(crate) logic: Option<Logic>,
    /// The question; under assumptions, that about all paths which says the same.
    pub(crate) asked: decide::Question,
    /// The assumptions about its paths, if there are some.
    pub(crate) fair: Option<Fair>,
}

/// Assumptions about paths, or that they are finite: there need be no such path.
#[derive(Clone, Debug)]
pub(crate) struct Fair {
    /// Assumptions as they are written in files.
    pub(crate) texts: Vec<String>,
    /// That there is a path: one that satisfies all assumptions, or a finite one.
    pub(crate) exists: FormulaId,
}

impl NamedQuestion {
    /// A question whose paths are of no concern.
    pub(super) fn plain(id: String, text: String, asked: decide::Question) -> Self {
        NamedQuestion { id, text, written: None, invariant: false, logic: None, asked, fair: None }
    }

    /// The semantics of its paths, if it is about paths.
    pub(crate) fn paths(&self) -> Option<PathSemantics> {
        match self.asked {
            decide::Question::Formula { paths, .. } | decide::Question::Automaton { paths, .. } => Some(paths),
            _ => None,
        }
    }

    /// The formula as it was closed, and its paths, if it is one; under assumptions, that about all paths.
    pub(crate) fn formula(&self) -> Option<(FormulaId, PathSemantics)> {
        match self.asked {
            decide::Question::Formula { linear, paths, .. } => Some((linear, paths)),
            _ => None,
        }
    }

    /// The question as far as it says something about time.
    pub(super) fn timed(&self) -> TimedQuestion {
        match &self.asked {
            decide::Question::Formula { linear, .. } => TimedQuestion { formulas: vec![*linear], is_automaton: false },
            decide::Question::Automaton { propositions, .. } => {
                TimedQuestion { formulas: propositions.clone(), is_automaton: true }
            }
            _ => TimedQuestion::default(),
        }
    }

    /// The same question about another form of the model, in which moments are other numbers.
    pub(super) fn again(
        self,
        (model, pool): (&Loaded, &Pool),
        (other, theirs): (&Loaded, &mut Pool),
        route: Route,
    ) -> Result<NamedQuestion, Failure> {
        let id = self.id.clone();
        let mut moved = |formula: FormulaId| {
            let text = pool.display(formula, &model.symbols).to_string();
            parse(&text, &other.symbols, theirs).map_err(|error| Failure::Input(format!("{id}: {error}")))
        };
        let fair = match self.fair {
            Some(Fair { texts, exists }) => Some(Fair { texts, exists: moved(exists)? }),
            None => None,
        };
        let asked = match self.asked {
            decide::Question::Formula { linear, paths, .. } => {
                let formula = moved(linear)?;
                decide::Question::formula(theirs, formula, paths, route)
            }
            decide::Question::Automaton { automaton, propositions, shown, accepted, paths, last } => {
                let propositions = propositions.into_iter().map(&mut moved).collect::<Result<_, _>>()?;
                let (shown, last) = (moved(shown)?, last.map(moved).transpose()?);
                decide::Question::Automaton { automaton, propositions, shown, accepted, paths, last }
            }
            other => other,
        };
        Ok(NamedQuestion { asked, fair, ..self })
    }
}

/// A model, and the questions about it. Where time passes in it questions may need models with other units.
#[derive(Debug)]
pub(crate) struct Part {
    /// The model.
    pub(crate) loaded: Loaded,
    /// The formulas.
    pub(crate) pool: Pool,
    /// The questions.
    pub(crate) questions: Vec<NamedQuestion>,
    /// Which of all these are.
    pub(crate) numbers: Vec<usize>,
}
