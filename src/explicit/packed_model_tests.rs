//! All searches on a space that asks its model for successors, does not know how many there are, numbers values while
//! it is explored, and has the least that a space must have.
#![allow(clippy::unwrap_used)]

use super::*;
use crate::budget::Budget;
use crate::formula::{Comparison, Expr, Formula, FormulaId, PathSemantics, Pool};
use crate::model::{ActionId, Path, Row, State, Step, Terms, Then, TransitionSystem, VariableId};
use crate::stop_reason::StopReason;
use std::borrow::Cow;
use std::collections::HashSet;

/// Counts `x` up to `limit` in steps of 1 or 2, then starts again with the next round `y` of three; after the last it
/// ends.
#[derive(Clone, Copy, Debug)]
struct Counter {
    limit: u64,
    /// The round in which it gives no answers.
    silent: Option<u64>,
    /// It panics then.
    panics: bool,
}

const ADD: ActionId = ActionId(0);
const AGAIN: ActionId = ActionId(1);
const SILENCE: StopReason = StopReason::Unsupported("the model does not answer");

impl Counter {
    fn successors(&self, state: &[u64]) -> Vec<(Step, Vec<u64>)> {
        let (x, y) = (state[0], state[1]);
        let mut found = Vec::new();
        for choice in (0..2).filter(|choice| x + u64::from(*choice) < self.limit) {
            found.push((Step { action: ADD, choice }, vec![x + 1 + u64::from(choice), y]));
        }
        if x == self.limit && y < 2 {
            found.push((AGAIN.into(), vec![0, y + 1]));
        }
        found
    }

    /// All states, by breadth-first search.
    fn reachable(&self) -> HashSet<Vec<u64>> {
        let mut found = HashSet::from([vec![0, 0]]);
        let mut front = vec![vec![0, 0]];
        while let Some(state) = front.pop() {
            for (_, next) in self.successors(&state) {
                if found.insert(next.clone()) {
                    front.push(next);
                }
            }
        }
        found
    }
}

impl TransitionSystem for Counter {
    fn name(&self) -> &str {
        "counter"
    }
    fn terms(&self) -> Terms {
        Terms { model: "counter", variable: "counter", action: "action", state: "state", counts: true, assigned: false }
    }
    fn variables(&self) -> usize {
        2
    }
    fn variable(&self, variable: VariableId) -> &str {
        ["x", "y"][variable.index()]
    }
    fn value(&self, _: VariableId, _: u64) -> Option<Cow<'_, str>> {
        None
    }
    fn actions(&self) -> usize {
        2
    }
    fn action(&self, action: ActionId) -> &str {
        ["add", "again"][action.index()]
    }
    fn row(&self, action: ActionId) -> Row {
        let (x, y) = (VariableId(0), VariableId(1));
        match action {
            ADD => Row { reads: vec![x], writes: vec![x], must_write: Vec::new() },
            _ => Row { reads: vec![x, y], writes: vec![x, y], must_write: Vec::new() },
        }
    }
    fn initial(&self) -> State {
        State::new(vec![0, 0])
    }
    fn fire(&self, state: &State, step: Step) -> Option<State> {
        let found = self.successors(state.as_slice()).into_iter().find(|(taken, _)| *taken == step);
        found.map(|(_, next)| State::new(next))
    }
    fn enables(&self, state: &State, action: ActionId) -> bool {
        self.successors(state.as_slice()).iter().any(|(step, _)| step.action == action)
    }
    fn step(&self, from: &State, action: ActionId, to: &State) -> Option<Step> {
        let found = self.successors(from.as_slice());
        found.into_iter().find(|(step, next)| step.action == action && next == to.as_slice()).map(|(step, _)| step)
    }
}

/// Its space: at first of one bit for each variable.
#[derive(Debug)]
struct Asking<'m> {
    model: &'m Counter,
    widths: [u32; 2],
    layout: Layout,
}

/// The high bits are the action.
const CHOICES: u32 = 16;

impl<'m> Asking<'m> {
    fn new(model: &'m Counter, widths: [u32; 2]) -> Self {
        let mut builder = Builder::new(2);
        for (variable, width) in (0..).map(VariableId).zip(widths) {
            builder.counter(variable, width);
        }
        Asking { model, widths, layout: builder.build() }
    }

    fn ask(&self, words: &[u64]) -> Result<Vec<(Rule, Vec<u64>)>, StopReason> {
        let mut state = Vec::new();
        self.layout.decode(words, &mut state);
        if Some(state[1]) == self.model.silent {
            assert!(!self.model.panics, "the model fails");
            return Err(SILENCE);
        }
        let rule = |step: Step| step.action.0 << CHOICES | step.choice;
        Ok(self.model.successors(&state).into_iter().map(|(step, next)| (rule(step), next)).collect())
    }
}

impl PackedModel for Asking<'_> {
    type Cursor = usize;
    type Scratch = Vec<(Rule, Vec<u64>)>;
    type Reducer = NoReduction;

    fn system(&self) -> &dyn TransitionSystem {
        self.model
    }
    fn layout(&self) -> &Layout {
        &self.layout
    }
    fn grown(&self, scratch: &Self::Scratch, _: &[u64], rule: Rule, _: &[u64]) -> Result<Self, StopReason> {
        let (_, next) = scratch.iter().find(|successor| successor.0 == rule).unwrap();
        Ok(Asking::new(self.model, [0, 1].map(|k| self.widths[k].max(bits(next[k])))))
    }
    fn step(&self, rule: Rule) -> Step {
        Step { action: ActionId(rule >> CHOICES), choice: rule & ((1 << CHOICES) - 1) }
    }
    fn action(&self, rule: Rule) -> Action {
        rule >> CHOICES
    }
    fn id(&self, action: Action) -> ActionId {
        ActionId(action)
    }
    fn action_of(&self, id: ActionId) -> Option<Action> {
        (id.0 < 2).then_some(id.0)
    }
    fn enter(&self, scratch: &mut Self::Scratch, words: &[u64]) -> Result<(), StopReason> {
        *scratch = self.ask(words)?;
        Ok(())
    }
    fn cursor(&self, scratch: &Self::Scratch, _: &[u64], from: Rule) -> usize {
        scratch.partition_point(|successor| successor.0 < from)
    }
    fn next(&self, scratch: &Self::Scratch, _: &[u64], cursor: &mut usize) -> Option<Rule> {
        *cursor += 1;
        scratch.get(*cursor - 1).map(|successor| successor.0)
    }
    fn fire(&self, scratch: &Self::Scratch, words: &[u64], rule: Rule, next: &mut Vec<u64>) -> Fired {
        next.clear();
        next.extend_from_slice(words);
        let (_, values) = scratch.iter().find(|successor| successor.0 == rule).unwrap();
        if self.layout.encode(values, next) { Fired::Done } else { Fired::Misfit }
    }
    fn is_enabled(&self, words: &[u64], action: Action) -> Result<bool, StopReason> {
        Ok(self.ask(words)?.iter().any(|&(rule, _)| self.action(rule) == action))
    }
    fn is_deadlock(&self, words: &[u64]) -> Result<bool, StopReason> {
        Ok(self.ask(words)?.is_empty())
    }
    fn reducer(&self, _: &dyn Fn(Action) -> bool) -> Option<NoReduction> {
        None
    }
}

fn at_least(pool: &mut Pool, variable: u32, least: i128) -> FormulaId {
    let value = pool.add_expr(Expr::Tokens(vec![VariableId(variable)]));
    let least = pool.add_expr(Expr::Const(least));
    pool.add(Formula::Compare(value, Comparison::Ge, least))
}

fn replay(model: &Counter, path: &Path) -> State {
    path.prefix.iter().fold(model.initial(), |state, &step| TransitionSystem::fire(model, &state, step).unwrap())
}

#[test]
fn every_search_grows_with_what_the_model_answers() {
    let model = Counter { limit: 1000, silent: None, panics: false };
    let budget = Budget::unlimited();
    let engine = || Compiled::new(Asking::new(&model, [1, 1]));
    let all = engine().explore(&Options::default(), &budget).unwrap();
    let reachable = model.reachable();
    assert_eq!((all.states, all.deadlocks, all.bounds), (reachable.len() as u128, 1, vec![1000, 2]));
    let transitions: usize = reachable.iter().map(|state| model.successors(state).len()).sum();
    assert_eq!((all.transitions, all.fireable), (transitions as u128, vec![true, true]));
    assert!(all.stats.growths > 8);

    let found = engine().find_deadlock(&Options::default(), &budget).unwrap().trace.unwrap();
    assert_eq!((found.path.prefix.len(), found.path.then.clone()), (3 * 500 + 2, Then::Deadlock));
    assert_eq!(replay(&model, &found.path), found.last);

    // x cannot be passed by, but need not be met.
    let mut pool = Pool::new();
    let (late, third) = (at_least(&mut pool, 0, 999), at_least(&mut pool, 1, 2));
    let eventually = pool.add(Formula::Finally(third));
    let (always, never) = (pool.add(Formula::Forall(eventually)), pool.not(late));
    let forever = pool.add(Formula::Globally(never));
    let (low, options) = (pool.add(Formula::Exists(forever)), Options { witness: true, ..Options::default() });
    let mut labelling_engine = None;
    for (formula, expected) in [(always, true), (low, false)] {
        for paths in [PathSemantics::Maximal, PathSemantics::Stutter] {
            for threads in 1..=4 {
                let options = Options { threads, ..options.clone() };
                let by_runs = check_ltl(&engine(), &mut pool, formula, paths, &options, &budget).unwrap();
                assert_eq!(by_runs.holds, expected);
                if let Some(path) = by_runs.path {
                    assert_eq!((path.then.clone(), replay(&model, &path)), (Then::Deadlock, State::new(vec![1000, 2])));
                }
            }
            let on_the_fly = engine().check_ctl(&pool, formula, paths, Attempt(0), &options, &budget).unwrap();
            assert_eq!(on_the_fly.holds, expected);
            let engine = labelling_engine.get_or_insert_with(engine);
            let mut labelling = engine.labelling(&budget).unwrap();
            assert_eq!(u128::from(labelling.states()), all.states);
            assert_eq!(labelling.satisfying(&pool, formula, paths, &budget).unwrap().holds_initially(), expected);
        }
    }
}

#[test]
fn what_the_model_does_not_answer_ends_every_search() {
    let model = Counter { limit: 10, silent: Some(1), panics: false };
    let (engine, budget) = (Compiled::new(Asking::new(&model, [1, 1])), Budget::unlimited());
    let options = Options::default();
    assert_eq!(engine.explore(&options, &budget), Err(SILENCE));
    assert_eq!(engine.find_deadlock(&options, &budget), Err(SILENCE));
    assert_eq!(engine.labelling(&budget).unwrap_err(), SILENCE);
    let mut pool = Pool::new();
    let third = at_least(&mut pool, 1, 2);
    let eventually = pool.add(Formula::Finally(third));
    let always = pool.add(Formula::Forall(eventually));
    let paths = PathSemantics::Maximal;
    assert_eq!(check_ltl(&engine, &mut pool, always, paths, &options, &budget), Err(SILENCE));
    assert_eq!(engine.check_ctl(&pool, always, paths, Attempt(0), &options, &budget).unwrap_err(), SILENCE);
    for threads in 2..=4 {
        let options = Options { threads, ..options.clone() };
        assert_eq!(check_ltl(&engine, &mut pool, always, paths, &options, &budget), Err(SILENCE));
        let model = Counter { panics: true, ..model };
        let engine = Compiled::new(Asking::new(&model, [1, 1]));
        let ended = check_ltl(&engine, &mut pool, always, paths, &options, &budget);
        assert_eq!(ended, Err(StopReason::Unsupported("a thread of the search has failed")));
    }
    // What is found before counts.
    let found = engine.find(&Options::default(), &budget, &mut |state| state.value(VariableId(1)) == 1).unwrap().trace;
    assert_eq!(found.map(|trace| trace.path.prefix.len()), Some(6));
}
