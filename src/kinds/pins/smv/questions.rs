//! Files of programs, and what they ask.
//!
//! | property | question |
//! |---|---|
//! | `CTLSPEC f` | each first state where a fair path begins satisfies f; quantifiers range over fair paths |
//! | `LTLSPEC f` | each fair path from a first state satisfies f |
//! | `INVARSPEC f` | f holds in each reachable state, or step: fairness and paths do not count |
//! | `COMPUTE MIN [f, g]` | the least number of steps from f to g, through states where fair paths begin |
//! | `COMPUTE MAX [f, g]` | the greatest number of steps from f before g is met, through such states |
//!
//! Fair paths are infinite, and each `JUSTICE` holds on them again and again. `COMPASSION` counts in LTL alone, as in
//! NuSMV. Where a program has a successor for each state by its form, all meanings of finite paths are one, and the
//! question is asked with the usual one.

use super::super::source::SourceError;
use super::super::{PinsError, Place};
use super::conditions::Conditions;
use crate::formula::{Assumption, Condition, Extreme, Formula, FormulaId, PathSemantics, Pool};
use crate::kinds::{ModelQuestion, ModelQuestions};
use starset_smv::{Fault, Latches, Model, Property, Sort, Stage, Term};

/// What a file asks, about a program that has latches if they are needed and wanted.
pub(super) struct Made {
    /// The conditions that are labels.
    pub(super) labels: Vec<Term>,
    /// The questions.
    pub(super) questions: ModelQuestions,
    /// What is to be said of them.
    pub(super) remarks: Vec<String>,
}

/// The error about a fault.
pub(in crate::kinds::pins) fn in_file(fault: Fault, file: &str) -> SourceError {
    let place = Place { line: fault.place.line, column: fault.place.column };
    // A further property is in no file.
    let file = if fault.is_further { "formula" } else { file };
    SourceError { file: file.to_owned(), place, message: fault.message }
}

/// A program, and what is to be said of it: if it is wrong as it stands, and right with 0 and 1 as truth values, as
/// before NuSMV 2.5, that.
pub(super) fn program(file: &str, text: &str, further: &[String]) -> Result<(Model, Option<String>), PinsError> {
    let fault = match starset_smv::read_with(text, false, further) {
        Ok(model) => return Ok((model, None)),
        Err(fault) => fault,
    };
    if matches!(fault.stage, Stage::Types | Stage::Property)
        && let Ok(model) = starset_smv::read_with(text, true, further)
    {
        let at = format!("{file}:{}:{}", fault.place.line, fault.place.column);
        let how = "0 and 1 stand for FALSE and TRUE here, as before NuSMV 2.5";
        return Ok((model, Some(format!("{at}: {how} ({})", fault.message))));
    }
    Err(in_file(fault, file).into())
}

/// What a program asks. Latches are added where `latching`.
pub(super) fn asked(model: &mut Model, latching: bool) -> Made {
    let mut questions = ModelQuestions::default();
    let properties = model.properties.clone();
    let mut conditions = Conditions::new(model, &mut questions.pool, latching);
    let mut fairness = Fairness::new(&mut conditions);
    let (mut list, mut further) = (Vec::with_capacity(properties.len()), Vec::new());
    for property in &properties {
        conditions.place = property.place;
        let id = property.name.clone().unwrap_or_else(|| (list.len() + 1).to_string());
        let written = Some(property.text.clone());
        let made = match question(&mut conditions, &mut fairness, property, id.clone()) {
            Ok(made) => ModelQuestion { written, ..made },
            Err(why) => {
                let nothing = conditions.pool.add(Formula::False);
                ModelQuestion { written, refused: Some(why), ..ModelQuestion::new(id, nothing, None) }
            }
        };
        match property.further {
            None => list.push(made),
            Some(number) => further.push((number, made)),
        }
    }
    further.sort_by_key(|(number, _)| *number);
    let mut remarks = Vec::new();
    if !conditions.model.compassion.is_empty()
        && properties.iter().any(|property| !matches!(property.sort, Sort::Ltl | Sort::Invariant))
    {
        remarks.push(
            "COMPASSION counts in LTL alone: CTL properties and COMPUTE are asked without, as NuSMV does".to_owned(),
        );
    }
    let labels = std::mem::take(&mut conditions.labels);
    questions.list = list;
    questions.asked = further.into_iter().map(|(_, question)| question).collect();
    Made { labels, questions, remarks }
}

/// The question that a property is: its formula, its paths, and the assumptions about them.
fn question(
    conditions: &mut Conditions<'_>,
    fairness: &mut Fairness,
    property: &Property,
    id: String,
) -> Result<ModelQuestion, String> {
    let is_total = conditions.model.is_total();
    let of_states = if is_total { PathSemantics::Maximal } else { PathSemantics::Infinite };
    match property.sort {
        Sort::Ctl | Sort::Psl => {
            let formula = conditions.whole(property.formula)?;
            let fair = fairness.justice()?;
            let pool = &mut *conditions.pool;
            // A first state that begins no fair path does not count.
            let formula = match (is_total && fair.is_empty()) || holds_without_paths(pool, formula) {
                true => formula,
                false => {
                    let truth = pool.add(Formula::True);
                    let begins = pool.add(Formula::Exists(truth));
                    pool.add(Formula::Implies(begins, formula))
                }
            };
            Ok(ModelQuestion { fairness: fair, ..ModelQuestion::new(id, formula, Some(of_states)) })
        }
        Sort::Ltl => {
            let path = conditions.whole(property.formula)?;
            let formula = conditions.pool.add(Formula::Forall(path));
            let fairness = [fairness.justice()?, fairness.compassion()?].concat();
            let paths = if is_total { PathSemantics::Stutter } else { PathSemantics::Infinite };
            Ok(ModelQuestion { fairness, ..ModelQuestion::new(id, formula, Some(paths)) })
        }
        Sort::Invariant => {
            let holds = match property.mentions_steps {
                true => conditions.latched(property.formula)?,
                false => conditions.whole(property.formula)?,
            };
            let formula = conditions.pool.always(holds);
            let paths = Some(PathSemantics::Maximal);
            Ok(ModelQuestion { invariant: true, ..ModelQuestion::new(id, formula, paths) })
        }
        Sort::Shortest | Sort::Longest => {
            let from = conditions.whole(property.formula)?;
            let to = conditions.whole(property.until.unwrap_or(property.formula))?;
            let fairness = fairness.justice()?;
            let steps = Some(Extreme { from, to, longest: property.sort == Sort::Longest });
            Ok(ModelQuestion { fairness, steps, ..ModelQuestion::new(id, from, Some(of_states)) })
        }
    }
}

/// Does a formula of CTL hold wherever no path begins?
fn holds_without_paths(pool: &Pool, formula: FormulaId) -> bool {
    match &pool[formula] {
        Formula::True | Formula::Forall(_) => true,
        Formula::And(parts) => parts.iter().all(|&part| holds_without_paths(pool, part)),
        Formula::Or(parts) => parts.iter().any(|&part| holds_without_paths(pool, part)),
        Formula::Not(inner) => matches!(pool[*inner], Formula::False | Formula::Exists(_)),
        Formula::Implies(left, right) => {
            matches!(pool[*left], Formula::False | Formula::Exists(_)) || holds_without_paths(pool, *right)
        }
        _ => false,
    }
}

/// The fairness of a program.
struct Fairness {
    justice: Result<Vec<Assumption>, String>,
    compassion: Result<Vec<Assumption>, String>,
}

impl Fairness {
    fn new(conditions: &mut Conditions<'_>) -> Self {
        let (justice, compassion) = (conditions.model.justice.clone(), conditions.model.compassion.clone());
        let mut made: Result<Vec<Assumption>, String> = justice
            .into_iter()
            .map(|term| {
                let text = format!("JUSTICE {}", conditions.model.show_term(term));
                Ok(Assumption::new(text, vec![Condition::Justice(again(conditions, term)?)]))
            })
            .collect();
        if let Ok(made) = &mut made
            && made.is_empty()
            && !conditions.model.is_total()
        {
            // That paths are infinite is an assumption, too, though their semantics says it: where there is none, it is
            // told.
            made.push(Assumption::new("infinite paths", Vec::new()));
        }
        let pairs = compassion.into_iter().map(|(p, q)| {
            let text = format!("COMPASSION ({}, {})", conditions.model.show_term(p), conditions.model.show_term(q));
            let (p, q) = (again(conditions, p)?, again(conditions, q)?);
            Ok(Assumption::new(text, vec![Condition::Compassion(p, q)]))
        });
        Fairness { compassion: pairs.collect(), justice: made }
    }

    fn justice(&self) -> Result<Vec<Assumption>, String> {
        self.justice.clone()
    }

    fn compassion(&self) -> Result<Vec<Assumption>, String> {
        self.compassion.clone()
    }
}

/// What holds again and again on a path where a condition does.
fn again(conditions: &mut Conditions<'_>, term: Term) -> Result<FormulaId, String> {
    match Latches::is_about_steps(conditions.model, term) && !conditions.is_about_turns(term) {
        true => conditions.latched(term).map_err(|why| format!("under the fairness of the program: {why}")),
        false => conditions.whole(term),
    }
}
