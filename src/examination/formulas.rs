//! The examinations of formulas: reachability, CTL and LTL, over token counts and over fireability.
//!
//! Each formula is decided in the initial marking under the path semantics of the contest
//! ([`Examination::paths`](super::Examination::paths)). The formulas of a file share the
//! reachable set and the sat-sets of their common parts. Formulas `EF c` and `AG c` are also decided by a
//! single marking that a walk or a search comes across.

use super::Questions;
use super::answer::{Examination, Technique, Value};
use super::constants::Constants;
use super::portfolio::{Case, Questionnaire};
use super::reached::Reached;
use super::reduced::Smaller;
use super::valuation::{Reachability, Tokens};
use super::walk::Walk;
use super::{initially, reduced};
use crate::budget::{Budget, Exhausted};
use crate::explicit::{self, Attempt, Labelling, Stopped};
use crate::formula::{FormulaId, PathSemantics, Pool, Query};
use crate::net::PetriNet;
use crate::symbolic::{Checker, Halt};
use std::time::Duration;

/// What the search for a run gets at least.
const LEAST_SEARCH: Duration = Duration::from_millis(10);
/// The part of what is left of the budget that the diagrams may take for all open questions in one round:
/// a fixpoint that is interrupted begins anew, so many small slices would be lost.
const DIAGRAMS: u32 = 3;
/// So many markings can be visited one by one in a few seconds, and kept with their edges.
const FEW: u64 = 4_000_000;
/// The part of a slice that goes to searches on the fly for questions of CTL.
const LOCALLY: u32 = 2;
/// After so many of them that ran out of memory there are no more.
const FLOODS: u32 = 6;
/// The part of what is left of the budget that visiting them may take.
const LABELLING: u32 = 3;

/// One formula.
struct Question<'q> {
    id: &'q str,
    formula: FormulaId,
    /// The formula with its quantifiers where they were: of a simpler logic, perhaps.
    plain: FormulaId,
    paths: PathSemantics,
    /// The formula as a question of reachability, if it is one.
    reachability: Option<Reachability<'q>>,
    /// Has the explicit engine not refused it?
    searches: bool,
    /// How often a search on the fly ran out of memory.
    floods: u32,
    /// Why the diagrams cannot decide it, if so.
    failure: Option<Halt>,
    /// The question on a reduced net, once that has been tried.
    smaller: Option<Smaller>,
    answered: bool,
}

/// The examination.
pub(super) struct Formulas<'q> {
    pool: Pool,
    questions: Vec<Question<'q>>,
    /// Are the paths of the formulas those of LTL?
    linear: bool,
    /// Identifiers of properties that are no formulas.
    others: Vec<&'q str>,
    /// One for each path semantics in use; they keep the sat-sets of common parts.
    checkers: Vec<Checker<'q>>,
    /// Are there at most [`FEW`] markings? Known once the diagrams have counted them.
    few: Option<bool>,
    /// The reachability graph, once it has been built.
    labelling: Option<Labelling<'q>>,
    /// Why it cannot be built, if so.
    no_labelling: Option<Stopped>,
    /// The next attempt to decide questions of CTL on the fly.
    attempt: Attempt,
}

impl<'q> Formulas<'q> {
    pub(super) fn new(net: &'q PetriNet, asked: &'q Questions, paths: PathSemantics) -> Self {
        let mut pool = asked.pool.clone();
        let (mut questions, mut others) = (Vec::new(), Vec::new());
        for property in &asked.properties {
            let Query::Formula(formula) = property.query else {
                others.push(property.id.as_str());
                continue;
            };
            let closed = pool.close(formula);
            questions.push(Question {
                id: &property.id,
                formula: pool.push_quantifiers(closed, paths),
                plain: closed,
                paths,
                reachability: Reachability::new(net, &asked.pool, formula),
                searches: true,
                floods: 0,
                failure: None,
                smaller: None,
                answered: false,
            });
        }
        let linear = paths == PathSemantics::Stutter;
        Formulas {
            pool,
            questions,
            linear,
            others,
            checkers: Vec::new(),
            few: None,
            labelling: None,
            no_labelling: None,
            attempt: Attempt(0),
        }
    }

    /// Replace what is constant in the open formulas, and answer those that become constant.
    fn by_state_equation(&mut self, case: &mut Case<'q>) {
        let Some(mut constants) = Constants::new(case.net()) else { return };
        let mut open: Vec<&mut Question<'_>> =
            self.questions.iter_mut().filter(|question| !question.answered).collect();
        let formulas = open.iter().flat_map(|q| [(q.formula, q.paths), (q.plain, q.paths)]);
        let mut formulas: Vec<_> = formulas.collect();
        constants.simplify(&mut self.pool, &mut formulas, &case.programs_budget());
        for (question, simple) in open.iter_mut().zip(formulas.chunks_exact(2)) {
            (question.formula, question.plain) = (simple[0].0, simple[1].0);
            let decided = simple.iter().find_map(|&(f, paths)| initially::verdict(case.net(), &self.pool, f, paths));
            if let Some(verdict) = decided {
                question.answer(case, verdict, Technique::StateEquation);
            }
        }
    }

    /// Decide what this marking decides; true if it leaves no question of reachability open.
    fn look_at(&mut self, case: &mut Case<'_>, marking: &impl Tokens, technique: Technique) -> bool {
        let mut open = false;
        for question in self.questions.iter_mut().filter(|question| !question.answered) {
            let Some(reachability) = question.reachability else { continue };
            match reachability.decided_by(marking) {
                Some(true) => question.answer(case, reachability.verdict_if_found, technique),
                Some(false) => open = true,
                // An expression without a value: the diagrams will report what is wrong.
                None => question.reachability = None,
            }
        }
        !open
    }

    /// Decide questions of reachability by visiting every marking.
    fn search_markings(&mut self, case: &mut Case<'_>, budget: &Budget) -> Result<(), Stopped> {
        let (net, options) = (case.net(), &case.settings.explicit);
        let found = explicit::find(net, options, budget, |view| self.look_at(case, &view, Technique::Explicit))?;
        if found.trace.is_none() {
            // Every reachable marking has been seen, and none of them decided.
            for question in self.questions.iter_mut().filter(|question| question.is_reachability()) {
                if let Some(reachability) = question.reachability {
                    question.answer(case, !reachability.verdict_if_found, Technique::Explicit);
                }
            }
        }
        Ok(())
    }

    /// Decide questions of CTL on the fly, each within its part of the time.
    fn search_locally(&mut self, case: &mut Case<'_>, budget: &Budget) -> Result<(), Stopped> {
        let mut left = self.questions.iter().filter(|question| question.is_local()).count() as u32;
        for question in self.questions.iter_mut().filter(|question| question.is_local()) {
            case.budget.check()?;
            let share = budget.remaining().map_or(LEAST_SEARCH, |time| (time / left).max(LEAST_SEARCH));
            left -= 1;
            let limited = with_other_time(budget, case, share);
            let (net, options) = (case.net(), &case.settings.explicit);
            let (formula, paths) = (question.formula, question.paths);
            match explicit::check_ctl(net, &self.pool, formula, paths, self.attempt, options, &limited) {
                Ok(found) => question.answer(case, found.holds, Technique::Explicit),
                Err(stopped @ Stopped::Budget(Exhausted::Cancelled)) => return Err(stopped),
                // Another attempt goes another way.
                Err(Stopped::Budget(Exhausted::Memory)) => question.floods += 1,
                Err(Stopped::Budget(_)) => {}
                Err(_) => question.searches = false,
            }
        }
        self.attempt.0 += 1;
        Ok(())
    }

    /// Decide questions of CTL by labelling all markings.
    fn label_markings(&mut self, case: &mut Case<'q>, budget: &Budget) -> Result<(), Stopped> {
        let long = match (self.few, case.budget.remaining()) {
            (Some(true), Some(left)) => Some(with_other_time(budget, case, left / LABELLING)),
            _ => None,
        };
        let budget = long.as_ref().unwrap_or(budget);
        if self.labelling.is_none() {
            self.labelling = Some(Labelling::new(case.net(), &case.settings.explicit, budget)?);
        }
        let Some(labelling) = &mut self.labelling else { return Ok(()) };
        for question in self.questions.iter_mut().filter(|question| question.is_branching()) {
            match labelling.satisfying(&self.pool, question.formula, question.paths, budget) {
                Ok(labels) => question.answer(case, labels.holds_initially(), Technique::Explicit),
                Err(stopped @ Stopped::Budget(_)) => return Err(stopped),
                Err(_) => question.searches = false,
            }
        }
        Ok(())
    }

    /// Decide questions of LTL, each within its part of the slice.
    fn search_runs(&mut self, case: &mut Case<'_>, budget: &Budget) -> Result<(), Stopped> {
        let mut left = self.questions.iter().filter(|question| question.is_linear()).count() as u32;
        let mut out_of_time = Ok(());
        for question in self.questions.iter_mut().filter(|question| question.is_linear()) {
            case.budget.check()?;
            // What a slice leaves after others is not less than a small net takes.
            let share = budget.remaining().map_or(LEAST_SEARCH, |time| (time / left).max(LEAST_SEARCH));
            left -= 1;
            let limited = with_other_time(budget, case, share);
            let (net, options) = (case.net(), &case.settings.explicit);
            match explicit::check_ltl(net, &mut self.pool, question.plain, question.paths, options, &limited) {
                Ok(verdict) => question.answer(case, verdict.holds, Technique::Explicit),
                Err(stopped @ Stopped::Budget(Exhausted::Time)) => out_of_time = Err(stopped),
                Err(stopped @ Stopped::Budget(Exhausted::Cancelled)) => return Err(stopped),
                Err(_) => question.searches = false,
            }
        }
        out_of_time
    }
}

/// The time of the whole run, but at most `time`, with the memory of `budget`.
fn with_other_time(budget: &Budget, case: &Case<'_>, time: Duration) -> Budget {
    let other = case.budget.clone().with_time(time);
    match budget.memory() {
        Some(bytes) => other.with_memory(bytes),
        None => other,
    }
}

impl Question<'_> {
    /// Is it open, and decided by single markings?
    fn is_reachability(&self) -> bool {
        self.reachability.is_some() && !self.answered
    }

    /// Is it open, and decided by labelling all markings?
    fn is_branching(&self) -> bool {
        self.searches && self.paths != PathSemantics::Stutter && !self.answered
    }

    /// Is it open, and perhaps decided by a search on the fly?
    fn is_local(&self) -> bool {
        self.is_branching() && self.floods < FLOODS
    }

    /// Is it open, and decided by the search for a run?
    fn is_linear(&self) -> bool {
        self.searches && self.paths == PathSemantics::Stutter && !self.answered
    }

    fn answer(&mut self, case: &mut Case<'_>, verdict: bool, technique: Technique) {
        if !std::mem::replace(&mut self.answered, true) {
            case.answers.verdict(self.id, verdict, technique);
        }
    }
}

impl<'q> Questionnaire<'q> for Formulas<'q> {
    fn is_open(&self) -> bool {
        !self.others.is_empty() || self.questions.iter().any(|question| !question.answered)
    }

    fn needs_fixpoints(&self) -> bool {
        self.questions.iter().any(|question| !question.answered && question.reachability.is_none())
    }

    fn by_structure(&mut self, case: &mut Case<'q>, _structure: &super::portfolio::Structure) {
        let initial = case.net().initial_marking();
        self.look_at(case, &initial, Technique::Structure);
        for question in self.questions.iter_mut().filter(|question| !question.answered) {
            if let Some(verdict) = initially::verdict(case.net(), &self.pool, question.formula, question.paths) {
                question.answer(case, verdict, Technique::Structure);
            }
        }
        self.by_state_equation(case);
    }

    fn by_diagram(&mut self, case: &mut Case<'q>, reached: &'q Reached, slice: Duration) -> Result<(), Halt> {
        let open = self.questions.iter().filter(|question| question.wants_diagram()).count() as u32;
        let fair = case.budget.remaining().map_or(Duration::ZERO, |time| time / DIAGRAMS / open.max(1));
        // Few markings will be labelled if they do not lend themselves to diagrams.
        let labels = case.settings.engines.search && self.questions.iter().any(Question::is_branching);
        if labels && self.few.is_none() {
            self.few = Some(reached.states.count(case.budget).map_err(Halt::from)? <= FEW.into());
        }
        let slice = if labels && self.few == Some(true) { slice } else { slice.max(fair) };
        for paths in PathSemantics::ALL {
            let mut questions: Vec<&mut Question<'_>> = self
                .questions
                .iter_mut()
                .filter(|question| question.paths == paths && question.wants_diagram())
                .collect();
            if questions.is_empty() {
                continue;
            }
            let known = self.checkers.iter().position(|checker| checker.paths() == paths);
            let mut checker = match known {
                Some(known) => self.checkers.swap_remove(known),
                None => Checker::new(&reached.relation, reached.states.clone(), paths)?,
            };
            for question in &mut questions {
                case.budget.check()?;
                let budget = case.budget.clone().with_time(slice);
                match checker.holds_initially(&self.pool, question.formula, &budget) {
                    Ok(verdict) => question.answer(case, verdict, Technique::DecisionDiagrams),
                    Err(Halt::Exhausted(Exhausted::Time)) => {}
                    Err(halt) => question.failure = Some(halt),
                }
            }
            self.checkers.push(checker);
        }
        if self.questions.iter().any(Question::wants_diagram) {
            return Ok(());
        }
        match self.questions.iter().find_map(|question| question.failure.clone().filter(|_| !question.answered)) {
            Some(halt) => Err(halt),
            None if self.is_open() => Err(Halt::Unsupported("a bound where a formula is expected")),
            None => Ok(()),
        }
    }

    fn on_walk(&mut self, case: &mut Case<'q>, walk: &Walk<'_>) -> bool {
        self.look_at(case, walk, Technique::RandomWalk)
    }

    fn by_reduction(&mut self, case: &mut Case<'q>, slice: Duration) {
        let examination = if self.linear { Examination::LTLCardinality } else { Examination::CTLCardinality };
        let (net, pool) = (case.net(), &self.pool);
        let asked: Vec<_> = self.questions.iter().map(|question| (question.plain, question.paths)).collect();
        let open = self.questions.iter_mut().enumerate().filter(|(_, question)| !question.answered);
        let mut open: Vec<_> = open.map(|(number, question)| (number, &mut question.smaller)).collect();
        let found = reduced::ask_all(case, examination, &mut open, slice, |number, budget| {
            let (formula, paths) = asked[number];
            reduced::formula(net, pool, formula, paths, budget)
        });
        for (number, value) in found {
            if let Value::Verdict(verdict) = value {
                self.questions[number].answer(case, verdict, Technique::Reduction);
            }
        }
    }

    fn by_search(&mut self, case: &mut Case<'q>, budget: &Budget) -> Result<(), Stopped> {
        let searched = |question: &Question<'_>| {
            let labelled = question.is_branching() && self.no_labelling.is_none();
            labelled || question.is_reachability() || question.is_local() || question.is_linear()
        };
        if !self.questions.iter().any(searched) {
            return Err(self.no_labelling.unwrap_or(Stopped::Unsupported("formulas beyond CTL and LTL")));
        }
        if self.questions.iter().any(Question::is_local) {
            let share = budget.remaining().map_or(LEAST_SEARCH, |time| time / LOCALLY);
            self.search_locally(case, &with_other_time(budget, case, share))?;
        }
        let mut out_of_time = Ok(());
        if self.questions.iter().any(Question::is_reachability) {
            match self.search_markings(case, budget) {
                Err(stopped @ Stopped::Budget(Exhausted::Time)) => out_of_time = Err(stopped),
                // The search for a run may still find room.
                Err(Stopped::Budget(Exhausted::Memory)) if self.questions.iter().any(Question::is_linear) => {}
                other => other?,
            }
        }
        if out_of_time.is_ok() && self.no_labelling.is_none() && self.questions.iter().any(Question::is_branching) {
            match self.label_markings(case, budget) {
                Ok(()) => {}
                Err(stopped @ Stopped::Budget(Exhausted::Cancelled)) => return Err(stopped),
                Err(stopped @ Stopped::Budget(Exhausted::Time)) => out_of_time = Err(stopped),
                Err(stopped) => self.no_labelling = Some(stopped),
            }
        }
        self.search_runs(case, budget)?;
        out_of_time
    }

    fn give_up(&mut self, case: &mut Case<'q>, reason: &str) {
        for question in self.questions.iter_mut().filter(|question| !question.answered) {
            let reason = question.failure.as_ref().map_or(reason.to_owned(), Halt::to_string);
            case.answers.give(question.id, Value::Unknown(reason), Technique::None);
        }
        for id in self.others.drain(..) {
            case.answers.give(id, Value::Unknown("the property is not a formula".to_owned()), Technique::None);
        }
    }
}

impl Question<'_> {
    fn wants_diagram(&self) -> bool {
        !self.answered && self.failure.is_none()
    }
}
