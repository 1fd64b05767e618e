//! Formulas about nets in which every firing can be undone ([`is_reversible`], [`is_home`]).
//!
//! **Idea.** Each reachable marking leads to each other, so `EF a` and `AG a` have the same value everywhere, whatever a is: as a part of a
//! larger formula they are constants. `E G (p ∨ A G E F q)` asks for `E F q`, then for `E G (p ∨ A G true)`: formulas that are nested
//! deeply come apart into some that are not, most of which a walk or a linear program decides.
//!
//! A transition that can fire once can fire again: such a net is live if it is quasi-live.
//!
//! The innermost parts are asked first, for a part of the time, and whatever has none is asked beside them. What no part is left
//! of, or none that was decided, is asked in the end.

use super::constants::replace;
use crate::decide::answer::{Answer, Listener, Remapped, Remapping, Value};
use crate::decide::conditions::is_total;
use crate::decide::settings::Settings;
use crate::decide::solver::{Pass, Solver};
use crate::decide::task::{Global, Question, Request, Subject, Task};
use crate::formula::{Formula, FormulaId, MAX_DEPTH, PathSemantics, Pool};
use crate::structure::{is_home, is_reversible};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::{Mutex, PoisonError};

/// The part of what is left that innermost parts may take when they are asked for the first time, and what is still open of them for
/// the second and last time.
const PARTS: [(u32, u32); 2] = [(1, 8), (1, 2)];
/// The part of the time that the proof may take.
const PROOF: u32 = 20;

/// A part of formulas, with how its paths are read.
type Part = (FormulaId, PathSemantics);

/// The parts of formulas that are constants, replaced by their values.
pub(in crate::decide) struct Reversible;

impl Pass for Reversible {
    fn apply(&self, task: &Task<'_>, next: &dyn Solver) {
        let &Task { subject, requests, settings, budget, listener, .. } = task;
        let net = subject.model.as_net().filter(|_| settings.techniques.reversible && settings.ways.structure);
        let is_liveness =
            |asked: &Request| matches!(asked.question, Question::Global(Global::Liveness)) && !asked.witness;
        let is_of_use = |asked: &Request| is_liveness(asked) || !innermost_of(subject.pool, asked).is_empty();
        let is_proved = |net| {
            let budget = budget.part(1, PROOF);
            is_reversible(net, &budget) || is_home(net, &budget)
        };
        if !net.is_some_and(|net| requests.iter().any(is_of_use) && is_proved(net)) {
            return next.solve(task);
        }
        let mut pool = subject.pool.clone();
        let mut open: Vec<(usize, Request)> = requests.iter().cloned().enumerate().collect();
        let mut tries: FxHashMap<Part, usize> = FxHashMap::default();
        let mut parts = innermost(&pool, &open, &tries);
        for (_, asked) in open.iter_mut().filter(|(_, asked)| is_liveness(asked)) {
            // What can happen once can happen again.
            asked.question = Question::Global(Global::QuasiLiveness);
        }
        while !parts.is_empty() && budget.check().is_ok() {
            let (with_parts, alone): (Vec<_>, Vec<_>) =
                open.into_iter().partition(|(_, asked)| !innermost_of(&pool, asked).is_empty());
            let questions =
                parts.iter().map(|&(part, paths)| Question::formula(&mut pool, part, paths, settings.route).into());
            let mut together: Vec<Request> = questions.collect();
            together.extend(alone.iter().map(|(_, asked)| asked.clone()));
            let numbers = alone.iter().map(|&(number, _)| number).collect();
            let values = Remapped(Values::new(listener, parts.len(), numbers));
            let whole = Subject { pool: &pool, ..subject };
            let least = parts.iter().map(|part| tries.get(part).copied().unwrap_or(0)).min().unwrap_or(0);
            let (part, of) = PARTS[least];
            let budget = &budget.part(part, of);
            next.solve(&Task { subject: whole, requests: &together, budget, listener: &values, ..*task });
            let values = values.0.values.into_inner().unwrap_or_else(PoisonError::into_inner);
            let known: FxHashMap<Part, bool> =
                parts.iter().zip(&values).filter_map(|(&part, &value)| Some((part, value?))).collect();
            parts.iter().for_each(|&part| *tries.entry(part).or_default() += 1);
            let unanswered = alone.into_iter().zip(&values[parts.len()..]).filter(|(_, value)| value.is_none());
            open = unanswered.map(|(alone, _)| alone).collect();
            for (number, asked) in with_parts {
                open.push((number, without(&mut pool, &asked, &known, settings).unwrap_or(asked)));
            }
            parts = innermost(&pool, &open, &tries);
        }
        let (numbers, questions): (Vec<usize>, Vec<Request>) = open.into_iter().unzip();
        if !questions.is_empty() {
            let values = Remapped(Values { last: true, ..Values::new(listener, 0, numbers) });
            let subject = Subject { pool: &pool, ..subject };
            next.solve(&Task { subject, requests: &questions, listener: &values, ..*task });
        }
    }
}

/// The formula that comes apart, if it is one.
fn formula(pool: &Pool, asked: &Request) -> Option<Part> {
    match asked.question {
        Question::Formula { linear, paths, .. } if !asked.set && !asked.witness => {
            let suits = is_total(pool, linear) && pool.depth(linear) <= MAX_DEPTH;
            suits.then_some((linear, paths))
        }
        _ => None,
    }
}

/// Its subformulas `EF a` and `AG a` below other temporal operators, without another such part inside.
fn innermost_of(pool: &Pool, asked: &Request) -> Vec<FormulaId> {
    let Some((whole, _)) = formula(pool, asked) else { return Vec::new() };
    // The parts below a temporal operator.
    let mut below = FxHashSet::default();
    let subformulas = pool.subformulas(&[whole]);
    for &id in subformulas.iter().rev() {
        if pool[id].is_temporal() || below.contains(&id) {
            below.extend(pool[id].children());
        }
    }
    let mut innermost = Vec::new();
    // Parts, and what has one inside. Operands come first.
    let mut with_parts = FxHashSet::default();
    for id in subformulas {
        let is_outer = pool[id].children().iter().any(|child| with_parts.contains(child));
        let is_part = below.contains(&id) && is_constant(pool, id);
        if is_part && !is_outer {
            innermost.push(id);
        }
        if is_part || is_outer {
            with_parts.insert(id);
        }
    }
    innermost
}

/// Is it one of `EF a` and `AG a` with a state formula a?
fn is_constant(pool: &Pool, id: FormulaId) -> bool {
    match pool[id] {
        Formula::Exists(path) => matches!(pool[path], Formula::Finally(a) if pool.is_state(a)),
        Formula::Forall(path) => matches!(pool[path], Formula::Globally(a) if pool.is_state(a)),
        _ => false,
    }
}

/// The parts of open formulas that are to be asked next.
fn innermost(pool: &Pool, open: &[(usize, Request)], tries: &FxHashMap<Part, usize>) -> Vec<Part> {
    let mut found = Vec::new();
    let mut seen = FxHashSet::default();
    for (_, asked) in open {
        let Some((_, paths)) = formula(pool, asked) else { continue };
        for part in innermost_of(pool, asked) {
            let again = tries.get(&(part, paths)).is_none_or(|&tries| tries < PARTS.len());
            if again && seen.insert((part, paths)) {
                found.push((part, paths));
            }
        }
    }
    found
}

/// The question with what is known of its parts.
fn without(
    pool: &mut Pool,
    asked: &Request,
    known: &FxHashMap<Part, bool>,
    settings: &Settings<'_>,
) -> Option<Request> {
    let (whole, paths) = formula(pool, asked)?;
    let replaced = replace(pool, whole, |_, id| known.get(&(id, paths)).copied());
    let simple = pool.simplify(replaced, paths);
    Some(Question::formula(pool, simple, paths, settings.route).into())
}

/// Keeps the values of parts, which come first, and passes on answers to the others, if there are any.
struct Values<'a> {
    listener: &'a dyn Listener,
    parts: usize,
    /// The numbers of the questions behind the parts.
    numbers: Vec<usize>,
    /// The values of parts; of the other questions any value, once they have an answer.
    values: Mutex<Vec<Option<bool>>>,
    /// Is what is unknown not asked again?
    last: bool,
}

impl<'a> Values<'a> {
    fn new(listener: &'a dyn Listener, parts: usize, numbers: Vec<usize>) -> Self {
        let values = Mutex::new(vec![None; parts + numbers.len()]);
        Values { listener, parts, numbers, values, last: false }
    }
}

impl Remapping for Values<'_> {
    fn listener(&self) -> &dyn Listener {
        self.listener
    }

    fn number(&self, question: usize) -> Option<usize> {
        self.numbers.get(question.checked_sub(self.parts)?).copied()
    }

    fn answered(&self, answer: Answer) {
        let value = match answer.value {
            Value::Verdict(verdict) => verdict,
            Value::Unknown(_) if !self.last => return,
            _ => true,
        };
        self.values.lock().unwrap_or_else(PoisonError::into_inner)[answer.question] = Some(value);
        if let Some(question) = self.number(answer.question) {
            self.listener.answered(Answer { question, ..answer });
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::budget::Budget;
    use crate::decide::solver::ByHand;
    use crate::decide::{Recorder, Technique, decide};
    use crate::formula::Logic;
    use crate::model::Groups;
    use crate::net::PetriNet;
    use crate::oracle::{Setting, check};
    use crate::random::{FormulaShape, NetShape, Rng, formula, net};
    use crate::reference::{Graph, explore};
    use crate::stop_reason::StopReason;
    use crate::structure::with_inverses;

    /// Can each transition fire, now or later, from this marking?
    fn fires_from(net: &PetriNet, graph: &Graph, from: usize) -> bool {
        let (mut seen, mut queue) = (FxHashSet::from_iter([from]), vec![from]);
        let mut fired = FxHashSet::default();
        while let Some(state) = queue.pop() {
            for &(transition, next) in &graph.edges[state] {
                fired.insert(transition);
                if seen.insert(next) {
                    queue.push(next);
                }
            }
        }
        fired.len() == net.transition_count()
    }

    /// Some parts stay unknown, and some formulas for the first time; what comes of it is what brute force says.
    #[test]
    fn verdicts_are_those_of_brute_force() {
        let (mut parts, mut reversible, mut open) = (0, 0, 0);
        for seed in 0..1500 {
            let mut rng = Rng::new(seed);
            let net = net(&mut rng, &NetShape { max_states: 20, inhibitors: false, ..NetShape::default() });
            let net = if rng.one_in(5) { net } else { with_inverses(&mut rng, &net) };
            let Some(graph) = explore(&net, 200) else { continue };
            let mut pool = Pool::new();
            let paths = PathSemantics::ALL[rng.below(3)];
            let (mut expected, mut asked): (Vec<bool>, Vec<Request>) = (Vec::new(), Vec::new());
            for _ in 0..3 {
                let logic = if rng.one_in(4) { Logic::CtlStar } else { Logic::Ctl };
                let shape = FormulaShape { logic, size: 3 + rng.below(8) };
                let drawn = formula(&mut rng, &net, &shape, &mut pool);
                let drawn = pool.close(drawn);
                let Ok(sets) = check(Setting::new(&graph, &pool, paths), drawn) else { continue };
                expected.push(sets[&drawn][0]);
                asked.push(Question::formula(&mut pool, drawn, paths, Default::default()).into());
            }
            let live = (0..graph.markings.len()).all(|from| fires_from(&net, &graph, from));
            expected.push(live);
            asked.push(Question::Global(Global::Liveness).into());
            let groups = Groups::single(&net);
            let subject = Subject { model: &net, groups: &groups, pool: &pool };
            let settings = Settings::default();
            let budget = Budget::unlimited();
            let kept = Recorder::new(asked.len());
            let mut rounds = 0;
            let by_hand = |&Task { subject, requests: questions, listener, .. }: &Task<'_>| {
                rounds += 1;
                for (question, asked) in questions.iter().enumerate() {
                    let verdict = match asked.question {
                        Question::Formula { formula, linear, paths } => {
                            let value = |f| check(Setting::new(&graph, subject.pool, paths), f).unwrap()[&f][0];
                            assert_eq!(value(formula), value(linear), "seed {seed}");
                            value(formula)
                        }
                        Question::Global(Global::Liveness) => live,
                        Question::Global(_) => fires_from(&net, &graph, 0),
                        _ => unreachable!(),
                    };
                    let value = match rng.one_in(6) {
                        true => Value::Unknown(StopReason::Unsupported("not today")),
                        false => Value::Verdict(verdict),
                    };
                    listener.answered(Answer { question, value, technique: Technique::Explicit, explored: None });
                }
            };
            let task = Task::new(subject, &asked, &settings, &budget, &kept);
            Reversible.apply(&task, &ByHand(Mutex::new(by_hand)));
            parts += usize::from(rounds > 1);
            reversible += usize::from(is_reversible(&net, &budget));
            for (heard, &expected) in kept.into_recorded().into_iter().zip(&expected) {
                match heard.answer.unwrap().value {
                    Value::Verdict(verdict) => assert_eq!(verdict, expected, "seed {seed}"),
                    value => open += usize::from(matches!(value, Value::Unknown(_))),
                }
            }
            // All ways together.
            if seed % 5 == 0 && rounds > 1 {
                let kept = Recorder::new(asked.len());
                decide(subject, &asked, &settings, &Budget::unlimited(), &kept);
                for (heard, &expected) in kept.into_recorded().into_iter().zip(&expected) {
                    assert_eq!(heard.answer.unwrap().value, Value::Verdict(expected), "seed {seed}");
                }
            }
        }
        assert!(parts > 150 && reversible > 300 && open > 100, "{parts} {reversible} {open}");
    }
}
