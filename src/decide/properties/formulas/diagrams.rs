//! Formulas and automata by fixpoints in the reachable set.
//!
//! One checker for each path semantics keeps the sat-sets of common parts. Questions take turns with slices of time
//! that grow from round to round, up to a fair share of what is left: the easy ones do not wait for the others, and
//! what one leaves goes to them. Witnesses come when all verdicts have been tried.

use crate::budget::{Budget, Exhausted};
use crate::decide::board::{Board, NO_WAY};
use crate::decide::properties::distances::{Shown, shown};
use crate::decide::{Explained, Question, Settings, StateSpace, Technique, Techniques};
use crate::formula::{FormulaId, Journey, Logic, PathSemantics, Pool};
use crate::mdd::Mdd;
use crate::stop_reason::StopReason;
use crate::symbolic::{Checker, Verdicts, Work};
use crate::witness::{Unexplained, Witness, explain_by_sets, explain_way_by_sets};
use std::time::Duration;

/// Time limit of each question in the first round, where others wait; later rounds have more by this factor.
const FIRST_SLICE: Duration = Duration::from_millis(250);
const GROWTH: u32 = 4;

/// A question of this sort.
struct Task<'a> {
    number: usize,
    question: &'a Question,
    /// Diagrams do not answer it, whatever the time.
    failed: bool,
}

/// The diagrams at work.
struct Evaluation<'a> {
    board: &'a Board<'a>,
    settings: &'a Settings<'a>,
    space: &'a StateSpace,
    checkers: Vec<Checker<'a>>,
}

/// Answer what is open. An error is why something stayed open.
pub(in crate::decide) fn by_diagram<'a>(
    board: &'a Board<'a>,
    settings: &'a Settings<'a>,
    space: &'a StateSpace,
    budget: &Budget,
) -> Result<(), StopReason> {
    let about_paths = |question: &Question| {
        matches!(question, Question::Formula { .. } | Question::Automaton { .. } | Question::Distance { .. })
    };
    let asked = board.questions().filter(|(_, asked)| about_paths(&asked.question));
    let mut tasks: Vec<Task<'_>> =
        asked.map(|(number, asked)| Task { number, question: &asked.question, failed: false }).collect();
    if tasks.is_empty() {
        return Ok(());
    }
    let mut evaluation = Evaluation { board, settings, space, checkers: Vec::new() };
    evaluation.side_by_side(&tasks, budget);
    evaluation.verdicts(&mut tasks, budget)?;
    evaluation.witnesses(&tasks, budget)
}

/// The states of a state space that satisfy the formula of a question, or from which its automaton accepts a path.
///
/// # Errors
/// [`StopReason`] when the budget is used up, on division by zero and on overflow of an expression, and for a question of
/// another sort.
pub fn sat_in(
    space: &StateSpace,
    pool: &Pool,
    question: &Question,
    settings: &Settings<'_>,
    budget: &Budget,
) -> Result<Mdd, StopReason> {
    match question {
        &Question::Formula { formula, paths, .. } => checker(space, paths, settings)?.sat(pool, formula, budget),
        Question::Automaton { automaton, propositions, paths, accepted, .. } => {
            let set = checker(space, *paths, settings)?.sat_automaton(pool, automaton, propositions, budget)?;
            if *accepted { Ok(set) } else { Ok(space.set.difference(&set, budget)?) }
        }
        _ => Err(StopReason::Unsupported("only formulas and automata have sets of states")),
    }
}

/// A checker for a path semantics, that goes about it as the settings say.
fn checker<'a>(space: &StateSpace, paths: PathSemantics, settings: &Settings<'a>) -> Result<Checker<'a>, StopReason> {
    let checker = space.checker(paths)?;
    let checker = checker.with_product(settings.product).with_route(settings.route);
    let Techniques { knowledge, fairness, .. } = settings.techniques;
    Ok(checker.with_translator(settings.translator).with_knowledge(knowledge).with_fairness(fairness))
}

impl<'a> Evaluation<'a> {
    /// Is a verdict or a set wanted?
    fn is_wanted(&self, task: &Task<'_>) -> bool {
        !task.failed && (self.board.is_open(task.number) || self.board.wants_set(task.number))
    }

    /// The checker for a path semantics.
    fn checker(&mut self, paths: PathSemantics) -> Result<&mut Checker<'a>, StopReason> {
        let known = self.checkers.iter().position(|checker| checker.paths() == paths);
        let at = match known {
            Some(at) => at,
            None => {
                self.checkers.push(checker(self.space, paths, self.settings)?);
                self.checkers.len() - 1
            }
        };
        Ok(&mut self.checkers[at])
    }

    /// On more than two cores, let several threads begin, each with a copy of the reachable set.
    fn side_by_side(&mut self, tasks: &[Task<'_>], budget: &Budget) {
        let formula = |task: &Task<'_>| match *task.question {
            Question::Formula { formula, paths, .. } => Some((task.number, (formula, paths))),
            _ => None,
        };
        let open = tasks.iter().filter(|task| self.board.is_open(task.number) && !self.board.wants_set(task.number));
        let (numbers, open): (Vec<usize>, Vec<(FormulaId, PathSemantics)>) = open.filter_map(formula).unzip();
        let threads = self.settings.threads.saturating_sub(1);
        if threads < 2 || open.len() < 2 {
            return;
        }
        let stop: Vec<_> = numbers.iter().map(|&number| self.board.answered_flag(number)).collect();
        let work = Work {
            relation: &self.space.relation,
            states: &self.space.set,
            pool: self.board.subject.pool,
            tasks: &open,
            stop: &stop,
            product: self.settings.product,
            route: self.settings.route,
            translator: self.settings.translator,
            knowledge: self.settings.techniques.knowledge,
            fairness: self.settings.techniques.fairness,
        };
        std::thread::scope(|scope| {
            let mut verdicts = Verdicts::start(scope, threads, work, &budget.part(1, 2));
            for (task, &number) in numbers.iter().enumerate() {
                if let Ok(verdict) = verdicts.wait(task) {
                    self.board.verdict(number, verdict, Technique::DecisionDiagrams);
                }
            }
        });
    }

    /// Verdicts and sets, in rounds.
    fn verdicts(&mut self, tasks: &mut [Task<'_>], budget: &Budget) -> Result<(), StopReason> {
        let mut slice = FIRST_SLICE;
        loop {
            let mut left = tasks.iter().filter(|task| self.is_wanted(task)).count();
            if left == 0 {
                return Ok(());
            }
            for task in tasks.iter_mut() {
                if !self.is_wanted(task) {
                    continue;
                }
                budget.check()?;
                let mut limited = budget.share(left);
                if left > 1 {
                    limited = limited.with_time(slice);
                }
                left = left.saturating_sub(1).max(1);
                if !self.board.wants_set(task.number) {
                    limited = self.board.until_answered(task.number, &limited);
                }
                match self.evaluate(task, &limited) {
                    Ok(()) => {}
                    // Out of its share, or another way was faster.
                    Err(StopReason::Exhausted(Exhausted::Time | Exhausted::Work | Exhausted::Cancelled)) => {}
                    Err(stop) => {
                        self.board.fail(task.number, stop);
                        task.failed = true;
                    }
                }
            }
            budget.check()?;
            slice = slice.saturating_mul(GROWTH);
        }
    }

    /// The verdict of one question, and its set if that is wanted.
    fn evaluate(&mut self, task: &Task<'_>, budget: &Budget) -> Result<(), StopReason> {
        let (board, space) = (self.board, self.space);
        let pool = board.subject.pool;
        let wants_set = board.wants_set(task.number);
        let set: Mdd = match task.question {
            Question::Automaton { automaton, propositions, paths, accepted, .. } => {
                let set = self.checker(*paths)?.sat_automaton(pool, automaton, propositions, budget)?;
                if *accepted { set } else { space.set.difference(&set, budget)? }
            }
            Question::Distance { journey, paths } => {
                let distance = self.checker(*paths)?.distance(pool, journey, budget)?;
                board.give(task.number, distance.into(), Technique::DecisionDiagrams, None);
                return Ok(());
            }
            &Question::Formula { formula, paths, .. } if wants_set => {
                self.checker(paths)?.sat(pool, formula, budget)?
            }
            &Question::Formula { formula, paths, .. } => {
                let verdict = self.checker(paths)?.holds_initially(pool, formula, budget)?;
                board.verdict(task.number, verdict, Technique::DecisionDiagrams);
                return Ok(());
            }
            _ => return Ok(()),
        };
        let verdict = space.starts_in(&set, task.question.is_about_some_initial_state(), budget)?;
        board.verdict(task.number, verdict, Technique::DecisionDiagrams);
        if wants_set {
            board.listener().set(task.number, space, &set);
            board.note_set(task.number);
        }
        Ok(())
    }

    /// Witnesses of the verdicts that are known.
    fn witnesses(&mut self, tasks: &[Task<'_>], budget: &Budget) -> Result<(), StopReason> {
        let wanted: Vec<&Task<'_>> = tasks.iter().filter(|task| self.board.wants_witness(task.number)).collect();
        for (done, task) in wanted.iter().enumerate() {
            if let Question::Distance { journey, paths } = task.question {
                let budget = self.board.until_settled(task.number, &budget.share(wanted.len() - done));
                self.show_distance(task.number, journey, *paths, &budget);
                continue;
            }
            let &Question::Formula { formula, linear, paths } = task.question else { continue };
            let Some(verdict) = self.board.verdict_of(task.number) else { continue };
            self.board.show(task.number, verdict, None);
            if !self.board.wants_witness(task.number) {
                continue;
            }
            let budget = self.board.until_settled(task.number, &budget.share(wanted.len() - done));
            // One run for a formula of LTL, not runs for each of the quantifiers that it was computed with.
            let whole = self.board.subject.pool.logic(linear) == Logic::Ltl && linear != formula;
            let found = match whole {
                true => match self.explain(linear, paths, &budget.part(1, 2)) {
                    Err(Unexplained::Stopped(_)) => self.explain(formula, paths, &budget),
                    found => found,
                },
                false => self.explain(formula, paths, &budget),
            };
            match found {
                Err(Unexplained::Stopped(StopReason::Exhausted(Exhausted::Cancelled))) => {}
                found => self.board.witness(task.number, found),
            }
        }
        Ok(())
    }

    /// A way of the distance that is known.
    fn show_distance(&mut self, number: usize, journey: &Journey, paths: PathSemantics, budget: &Budget) {
        let (board, subject) = (self.board, self.board.subject);
        let Some(value) = board.value_of(number) else { return };
        let found = match shown(journey, value) {
            Some(Shown::Forever) => self.explain(journey.shown[1], paths, budget),
            Some(Shown::Over) => self
                .checker(paths)
                .map_err(Unexplained::Stopped)
                .and_then(|checker| explain_way_by_sets(subject.model, subject.pool, checker, journey, budget)),
            None => return board.explain(number, Explained::Missing(NO_WAY.to_owned())),
        };
        match found {
            Err(Unexplained::Stopped(StopReason::Exhausted(Exhausted::Cancelled))) => {}
            found => board.witness(number, found),
        }
    }

    fn explain(
        &mut self,
        formula: FormulaId,
        paths: PathSemantics,
        budget: &Budget,
    ) -> Result<Witness, Unexplained<StopReason>> {
        let subject = self.board.subject;
        let checker = self.checker(paths).map_err(Unexplained::Stopped)?;
        explain_by_sets(subject.model, subject.pool, checker, formula, budget)
    }
}
