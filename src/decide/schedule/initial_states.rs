//! Models with several initial states, in all of which a formula has to hold.
//!
//! Diagrams know in which states a formula holds, however many are initial. All other ways begin in one state, and many
//! of them rest on it: that every state is reachable from there, that the first answer is the last word. So formulas
//! are decided by diagrams first, if those take part. Where initial states are many, the graph of all states is
//! labelled next, which says of each whether a formula holds there; and what is open then is asked of the model started
//! in one initial state after the other ([`crate::kinds::Kind::started_in`]), by the other ways, until it fails in one.
//! (`bounds(…)` is about all states, wherever they are reached from: a search through all of them puts its value into
//! the formula first.)
//!
//! The witness of a formula that does not hold begins in an initial state where it fails. Sets and labels know one,
//! however many there are: the one with the least values is taken, and nothing is searched from the others.
//!
//! A question about finite runs is one about a formula, whose automaton stands for it. Questions about the state space,
//! and about automata that are given, need nothing of this: searches begin in all initial states.

use crate::budget::Budget;
use crate::decide::answer::{Answer, Explained, Fault, Listener, Remapped, Remapping, Technique, Value};
use crate::decide::recorder::{Recorded, Recorder};
use crate::decide::settings::{Settings, Ways};
use crate::decide::solver::{Pass, Solver};
use crate::decide::state_space::StateSpace;
use crate::decide::task::{Question, Request, Subject, Task};
use crate::explicit::substitute_bounds;
use crate::formula::{Expr, Formula, Pool};
use crate::mdd::Mdd;
use crate::model::State;
use crate::stop_reason::StopReason;
use crate::symbolic::initial_set;
use std::sync::{Mutex, PoisonError};

/// So many initial states are begun in one after the other without labels before.
const FEW: usize = 3;

/// Each initial state in turn, where there are several.
pub(super) struct InitialStates;

impl Pass for InitialStates {
    fn apply(&self, task: &Task<'_>, next: &dyn Solver) {
        match task.subject.model.initial_states().len() {
            0 | 1 => next.solve(task),
            several => solve(task, several, next),
        }
    }
}

/// Answer the questions about a model with so many initial states.
fn solve(task: &Task<'_>, count: usize, next: &dyn Solver) {
    let &Task { subject, requests: asked, settings, budget, listener, .. } = task;
    let is_formula = |asked: &Request| {
        matches!(asked.question, Question::Formula { .. } | Question::Automaton { last: Some(_), .. })
    };
    let of = |formulas: bool| -> Vec<usize> {
        (0..asked.len()).filter(|&number| is_formula(&asked[number]) == formulas).collect()
    };
    let (others, formulas) = (of(false), of(true));
    if !others.is_empty() {
        let asked: Vec<Request> = others.iter().map(|&number| asked[number].clone()).collect();
        let budget = budget.part(1, if formulas.is_empty() { 1 } else { 2 });
        let some = Remapped(SomeOf { task, budget: &budget, numbers: others, kept: None });
        next.solve(&Task { requests: &asked, budget: &budget, listener: &some, ..*task });
    }
    let mut fails: Vec<Option<State>> = vec![None; formulas.len()];
    let none = match settings.ways.search {
        true => "its initial states are too many for a search from each; let diagrams take part",
        false => "none of the ways that take part answers this question",
    };
    let mut known = vec![Value::Unknown(StopReason::Unsupported(none)); formulas.len()];
    let rest = Settings { ways: Ways { diagrams: false, ..settings.ways }, ..settings.clone() };
    if settings.ways.diagrams && !formulas.is_empty() {
        // A set tells where a witness begins, and is made for the verdict in any case.
        let plain = |&number: &usize| {
            let asked: &Request = &asked[number];
            Request { witness: false, set: asked.set || asked.witness, ..asked.clone() }
        };
        let plain: Vec<Request> = formulas.iter().map(plain).collect();
        // Where initial states are not listed, other ways show what is known, and answer nothing.
        let is_shown = formulas.iter().any(|&number| asked[number].witness);
        let have_others = rest.ways != Ways::NONE && (is_shown || subject.model.lists_initial_states());
        let budget = budget.part(1, if have_others { 2 } else { 1 });
        let kept = Mutex::new(Kept { answers: Vec::new(), fails: vec![None; formulas.len()] });
        let some = Remapped(SomeOf { task, budget: &budget, numbers: formulas.clone(), kept: Some(&kept) });
        let settings = &Settings { ways: Ways::SYMBOLIC, ..settings.clone() };
        next.solve(&Task { requests: &plain, settings, budget: &budget, listener: &some, ..*task });
        let kept = kept.into_inner().unwrap_or_else(PoisonError::into_inner);
        fails = kept.fails;
        for answer in kept.answers {
            known[answer.question] = answer.value.clone();
            if !matches!(answer.value, Value::Unknown(_)) {
                listener.answered(Answer { question: formulas[answer.question], ..answer });
            }
        }
    }
    if rest.ways.search && count > FEW {
        let budget = budget.part(1, 2);
        let labelled = labelled(task, &formulas, &known, &budget);
        if let Err(exhausted) = budget.check() {
            let open = known.iter_mut().filter(|value| matches!(value, Value::Unknown(StopReason::Unsupported(_))));
            open.for_each(|value| *value = Value::Unknown(exhausted.into()));
        }
        for (place, answer, state) in labelled {
            known[place] = answer.value.clone();
            fails[place] = state;
            listener.answered(answer);
        }
    }
    let listed = if subject.model.lists_initial_states() { subject.model.initial_states() } else { Vec::new() };
    for (done, ((&number, known), fails)) in formulas.iter().zip(known).zip(&fails).enumerate() {
        let by = |settings| EachInitialState {
            subject,
            next,
            settings,
            fails: fails.as_ref(),
            listed: &listed,
            budget: budget.share(formulas.len() - done),
        };
        let faulty = |fault| listener.faulty(number, fault);
        let missing = |why: &str| listener.explained(number, Explained::Missing(why.to_owned()));
        let answer = match known {
            // Where they are not listed, nothing is added to what the other ways say.
            Value::Unknown(_) if rest.ways != Ways::NONE && (fails.is_some() || !listed.is_empty()) => {
                let (answer, explained) = by(&rest).ask(&asked[number], &faulty);
                listener.answered(Answer { question: number, ..answer.clone() });
                if let Some(explained) = explained {
                    listener.explained(number, explained);
                    continue;
                }
                answer.value
            }
            Value::Unknown(_) => {
                let (technique, explored) = (Technique::None, None);
                listener.answered(Answer { question: number, value: known.clone(), technique, explored });
                known
            }
            known => known,
        };
        match answer {
            _ if !asked[number].witness => {}
            Value::Verdict(true) => missing("it holds in each of the initial states"),
            Value::Verdict(false) => match by(settings).ask(&asked[number], &faulty).1 {
                Some(explained) => listener.explained(number, explained),
                None => missing("no initial state in which it fails was found in time"),
            },
            _ => {}
        }
    }
}

/// The verdicts of labels on the graph of all states, as far as they are found, for formulas that are open: by their
/// places. With each an initial state where it fails, if it does in one.
fn labelled(
    task: &Task<'_>,
    formulas: &[usize],
    known: &[Value],
    budget: &Budget,
) -> Vec<(usize, Answer, Option<State>)> {
    let &Task { subject, requests, settings, .. } = task;
    let open = |place: &usize| {
        let asked = &requests[formulas[*place]];
        matches!(known[*place], Value::Unknown(_)) && !is_about_all(subject.pool, asked)
    };
    let open: Vec<usize> = (0..formulas.len()).filter(open).collect();
    if open.is_empty() {
        return Vec::new();
    }
    let Ok(engine) = subject.model.compile(&settings.encoding, budget) else { return Vec::new() };
    let Ok(mut labelling) = engine.labelling(budget) else { return Vec::new() };
    let mut answers = Vec::new();
    let states = subject.model.initial_states();
    for place in open {
        let Question::Formula { formula, paths, .. } = requests[formulas[place]].question else { continue };
        // What has no labels, or not in time, is asked again in each initial state.
        let Ok(labels) = labelling.satisfying(subject.pool, formula, paths, budget) else { continue };
        let (value, explored) = (Value::Verdict(labels.holds_initially()), Some(labelling.stats()));
        let fails = |state: &&State| labelling.state_of(state).is_some_and(|number| !labels.contains(number));
        let state = states.iter().find(fails).cloned();
        let answer = Answer { question: formulas[place], value, technique: Technique::Explicit, explored };
        answers.push((place, answer, state));
    }
    answers
}

/// A model, started in each of its initial states in turn.
struct EachInitialState<'s, 'a> {
    subject: Subject<'a>,
    next: &'s dyn Solver,
    settings: &'s Settings<'a>,
    /// One where the formula fails, if it is known to in one.
    fails: Option<&'s State>,
    /// All, if the model lists all.
    listed: &'s [State],
    budget: Budget,
}

impl EachInitialState<'_, '_> {
    /// The answer to a question about a formula, with the witness if it does not hold; `faulty` hears of faults.
    fn ask(&self, asked: &Request, faulty: &dyn Fn(Fault)) -> (Answer, Option<Explained>) {
        let mut pool = self.subject.pool.clone();
        let question = match is_about_all(&pool, asked) {
            false => asked.question.clone(),
            true => match self.with_bounds(&mut pool, asked) {
                Ok(question) => question,
                Err(stop) => return (unknown(stop), None),
            },
        };
        let asked = [Request { set: false, question, ..asked.clone() }];
        let failed = || unknown(StopReason::Unsupported("the model is not started in one of its initial states"));
        // Where not all are listed, nothing is known of the others.
        let (mut last, mut open) = (failed(), self.listed.is_empty().then(failed));
        let states: Vec<&State> = self.fails.map_or_else(|| self.listed.iter().collect(), |state| vec![state]);
        for (number, &state) in states.iter().enumerate() {
            let Some(model) = self.subject.model.started_in(state) else { return (failed(), None) };
            let one = Recorder::new(1);
            let subject = Subject { model: &*model, pool: &pool, ..self.subject };
            let (settings, budget) = (self.settings, &self.budget.share(states.len() - number));
            self.next.solve(&Task { subject, requests: &asked, settings, budget, listener: &one, time: None });
            let Recorded { answer, explained, faults } = one.into_recorded().pop().unwrap_or_default();
            faults.into_iter().for_each(faulty);
            match answer {
                Some(answer) if answer.value == Value::Verdict(false) => return (answer, explained),
                Some(answer) if answer.value == Value::Verdict(true) => last = answer,
                answer => open = Some(answer.unwrap_or_else(failed)),
            }
        }
        (open.unwrap_or(last), None)
    }

    /// The question with the value of each `bounds(…)` in its place.
    fn with_bounds(&self, pool: &mut Pool, asked: &Request) -> Result<Question, StopReason> {
        if !self.settings.ways.search {
            return Err(StopReason::Unsupported(
                "of models with several initial states only diagrams and search know bounds(…)",
            ));
        }
        let engine = self.subject.model.compile(&self.settings.encoding, &self.budget)?;
        let mut value = |formula| {
            Ok::<_, StopReason>(substitute_bounds(&*engine, pool, formula, &self.settings.explicit, &self.budget)?.0)
        };
        match asked.question {
            Question::Formula { formula, linear, paths } => {
                Ok(Question::Formula { formula: value(formula)?, linear: value(linear)?, paths })
            }
            Question::Automaton { ref automaton, ref propositions, shown, accepted, paths, last } => {
                let propositions = propositions.iter().map(|&part| value(part)).collect::<Result<_, _>>()?;
                let (shown, last) = (value(shown)?, last.map(&mut value).transpose()?);
                Ok(Question::Automaton { automaton: automaton.clone(), propositions, shown, accepted, paths, last })
            }
            ref other => Ok(other.clone()),
        }
    }
}

fn unknown(stop: StopReason) -> Answer {
    Answer { question: 0, value: Value::Unknown(stop), technique: Technique::None, explored: None }
}

/// Does a formula compare with something that all reachable states decide?
fn is_about_all(pool: &Pool, asked: &Request) -> bool {
    let parts = match &asked.question {
        &Question::Formula { formula, linear, .. } => vec![formula, linear],
        Question::Automaton { propositions, shown, last, .. } => {
            propositions.iter().chain([shown]).chain(last).copied().collect()
        }
        _ => return false,
    };
    pool.subformulas(&parts).into_iter().any(|id| match pool[id] {
        Formula::Compare(left, _, right) => {
            let parts = pool.subexpressions(vec![left, right]);
            parts.into_iter().any(|part| matches!(pool[part], Expr::Bounds(_)))
        }
        _ => false,
    })
}

/// An initial state that is not in a set.
fn failing(space: &StateSpace, set: &Mdd, budget: &Budget) -> Result<Option<State>, StopReason> {
    let fails = initial_set(&space.relation, set, budget)?.difference(set, budget)?;
    Ok(space.lightest(&fails, budget)?.next())
}

/// Answers that are not the last word, and by place the initial states where formulas fail.
struct Kept {
    answers: Vec<Answer>,
    fails: Vec<Option<State>>,
}

/// Hears of some of the questions.
struct SomeOf<'a, 't> {
    /// The task that all are of.
    task: &'a Task<'t>,
    budget: &'a Budget,
    /// Their numbers there.
    numbers: Vec<usize>,
    /// The store of what is not the last word.
    kept: Option<&'a Mutex<Kept>>,
}

impl Remapping for SomeOf<'_, '_> {
    fn listener(&self) -> &dyn Listener {
        self.task.listener
    }

    fn number(&self, question: usize) -> Option<usize> {
        self.numbers.get(question).copied()
    }

    fn answered(&self, answer: Answer) {
        match self.kept {
            Some(kept) => kept.lock().unwrap_or_else(PoisonError::into_inner).answers.push(answer),
            None => self.task.listener.answered(Answer { question: self.numbers[answer.question], ..answer }),
        }
    }

    fn set(&self, here: usize, question: usize, space: &StateSpace, set: &Mdd) {
        if self.task.requests[question].set {
            self.task.listener.set(question, space, set);
        }
        let (Some(kept), true) = (self.kept, self.task.requests[question].witness) else { return };
        let fails = failing(space, set, self.budget).ok().flatten();
        kept.lock().unwrap_or_else(PoisonError::into_inner).fails[here] = fails;
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::formula::PathSemantics;
    use crate::kinds::pins::{PinsModel, smv::Smv};
    use crate::model::Groups;
    use crate::symbolic::Route;
    use std::time::Duration;

    /// The longest time that anyone was given.
    #[derive(Default)]
    struct Longest(Mutex<Duration>);

    impl Solver for Longest {
        fn solve(&self, task: &Task<'_>) {
            let mut longest = self.0.lock().unwrap();
            *longest = longest.max(task.budget.remaining().unwrap());
        }
    }

    /// The longest time of a thousand seconds for a formula about a program with two counters, whose values at first are
    /// these.
    fn longest(range: &str, witness: bool) -> u64 {
        let text = format!("MODULE main VAR a : {range}; b : {range}; ASSIGN next(a) := a; next(b) := b;");
        let model = PinsModel::new("counters", Smv::read("counters.smv", &text).unwrap()).unwrap();
        let (groups, mut pool) = (Groups::single(&model), Pool::new());
        let formula = pool.add(Formula::True);
        let question = Question::formula(&mut pool, formula, PathSemantics::Infinite, Route::Fixpoints);
        let requests = [Request { question, set: false, witness }];
        let (settings, budget) = (Settings::default(), Budget::unlimited().with_time(Duration::from_secs(1000)));
        let (recorder, longest) = (Recorder::new(1), Longest::default());
        let subject = Subject { model: &model, groups: &groups, pool: &pool };
        InitialStates.apply(&Task::new(subject, &requests, &settings, &budget, &recorder), &longest);
        longest.0.into_inner().unwrap().as_secs()
    }

    #[test]
    fn diagrams_have_all_the_time_where_initial_states_are_not_listed() {
        assert!((990..=1000).contains(&longest("0..1999", false)));
        assert!((490..=500).contains(&longest("0..1999", true)));
        assert!((490..=500).contains(&longest("0..1", false)));
    }
}
