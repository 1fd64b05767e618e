//! A verdict that rests on a run: is the run one, and does it show the verdict?
//!
//! **Problem.** A search that claims to have found a run may be wrong about it: a table of its own, an order of its own, an encoding of its
//! own. A wrong claim is a wrong verdict. So no verdict of this sort is given before its run has been replayed, whether somebody wants to
//! see it or not ([`crate::decide`]); and the runs of searches are long.
//!
//! **Idea.** As [`super::replay`], without what a reader needs: the steps are fired by the firing rule of the model
//! ([`TransitionSystem::advance`]), the conditions of the formula are evaluated on each state by [`Valuation`], and of the state nothing is
//! kept but their values. Then the path formula is evaluated over the shape of the run ([`super::table`]). Where the formula says that a state
//! is reached, the last state is all that is looked at.
//!
//! **Runs that are open.** A search may end where its automaton accepts whatever follows. Where the prefix alone does not prove the formula, any
//! continuation will do: one is fired until it comes to a deadlock or to a state that it has passed, and the run is decided like any other.
//!
//! Some parts cannot be decided from one run ([`Unconfirmed::Undecided`]): values of path quantifiers inside,
//! `bounds(…)`, an open run whose continuation does not close soon.
//!
//! Complexity: a step costs what it changes, on nets; a position a few bits for each node of the formula.

use super::replay::Broken;
use super::table::{Shape, Table};
use super::valuation::{Condition, Valuation, has_quantifier};
use super::{End, Part};
use crate::budget::{Budget, Exhausted};
use crate::formula::{Formula, FormulaId, PathSemantics, Pool};
use crate::model::{Path, State, Step, Then, TransitionSystem};
use rustc_hash::{FxHashMap, FxHashSet};

/// Steps between two looks at the budget.
const CHECK_EVERY: usize = 1 << 10;
/// The most steps by which an open run is continued, and the most values of states that are kept for that.
const MOST_STEPS: usize = 1 << 14;
const MOST_VALUES: usize = 1 << 22;

/// The claim of a run about the initial state.
#[derive(Clone, Copy, Debug)]
pub struct Claim<'a> {
    /// The model.
    pub model: &'a dyn TransitionSystem,
    /// Holds the formula.
    pub pool: &'a Pool,
    /// The formula.
    pub formula: FormulaId,
    /// Its value.
    pub holds: bool,
    /// The semantics of paths.
    pub paths: PathSemantics,
}

/// Why a claim is not confirmed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unconfirmed {
    /// The run is none, or shows no such thing: an error of the program.
    Broken(Broken),
    /// This run alone cannot show it.
    Undecided,
    /// Time ran out.
    Stopped(Exhausted),
}

impl From<Exhausted> for Unconfirmed {
    fn from(exhausted: Exhausted) -> Self {
        Unconfirmed::Stopped(exhausted)
    }
}

pub(super) fn broken<T>(problem: impl Into<String>) -> Result<T, Unconfirmed> {
    Err(Unconfirmed::Broken(Broken(problem.into())))
}

/// Confirm that `path`, from the initial state on, shows the claim: a run that satisfies φ for `E φ` that holds, or violates it for
/// `A φ` that does not.
///
/// # Errors
/// [`Unconfirmed`] if it does not, if that cannot be told, and when the budget is used up.
pub fn confirm(claim: Claim<'_>, path: &Path, budget: &Budget) -> Result<(), Unconfirmed> {
    let Claim { model, pool, formula, holds, paths } = claim;
    if !pool.has(formula) {
        return Err(Unconfirmed::Undecided);
    }
    let inner = match (&pool[formula], holds) {
        (&Formula::Exists(path), true) | (&Formula::Forall(path), false) => path,
        (&Formula::Not(operand), _) => {
            return confirm(Claim { formula: operand, holds: !holds, ..claim }, path, budget);
        }
        // What no run shows, or a Boolean combination, which may need several.
        _ if has_quantifier(pool, formula) => return Err(Unconfirmed::Undecided),
        _ => {
            let (valuation, initial) = (Valuation { model, pool, bound: &|_| None }, model.initial());
            return match valuation.state(formula, &initial, &mut |_| None) {
                Some(value) if value == holds => Ok(()),
                Some(_) => broken("the initial state says otherwise"),
                None => Err(Unconfirmed::Undecided),
            };
        }
    };
    let valuation = Valuation { model, pool, bound: &|_| None };
    let part = Part { formula: inner, holds };
    if let Some(reached) = reached(pool, part)
        && paths != PathSemantics::Infinite
        && path.then != Then::Deadlock
        && !matches!(path.then, Then::Cycle(_))
    {
        let last = last(model, &model.initial(), path, budget)?;
        if valuation.state(reached.formula, &last, &mut |_| None) == Some(reached.holds) {
            return Ok(());
        }
    }
    let conditions: Vec<FormulaId> = pool.reach(&[inner], |id| !pool.is_state(id));
    let conditions: Vec<FormulaId> = conditions.into_iter().filter(|&id| pool.is_state(id)).collect();
    let column: FxHashMap<FormulaId, usize> = conditions.iter().copied().zip(0..).collect();
    let mut values: Vec<Vec<Option<bool>>> = vec![Vec::new(); conditions.len()];
    let taken_apart: Vec<Condition> = conditions.iter().map(|&condition| Condition::new(pool, condition)).collect();
    let note = |values: &mut [Vec<Option<bool>>], state: &State| {
        for (values, condition) in values.iter_mut().zip(&taken_apart) {
            values.push(valuation.condition(condition, state, &mut |_| None));
        }
    };
    let mut run = Fired::new(model, &model.initial(), path, paths, budget, &mut |state| note(&mut values, state))?;
    let mut extended = false;
    loop {
        // The last step of a loop leads to a position that is there already.
        let positions = run.fired.len() + usize::from(!matches!(run.end, End::Loop(_)));
        let shape = Shape { positions, fired: &run.fired, end: run.end };
        let mut value = |id: FormulaId, at: usize| values[column[&id]].get(at).copied().flatten();
        if Table::new(pool, inner, shape, paths, &mut value).proves(part, 0) {
            return Ok(());
        }
        // Neither is proved where something is not known: then this run tells nothing.
        let opposite = Part { formula: inner, holds: !holds };
        if Table::new(pool, inner, shape, paths, &mut value).proves(opposite, 0) {
            let verb = if holds { "satisfy" } else { "violate" };
            return broken(format!("it does not {verb} the path formula"));
        }
        if run.end != End::Open && values.iter().flatten().all(Option::is_some) {
            return broken("it shows neither the path formula nor its negation");
        }
        if run.end != End::Open || extended {
            return Err(Unconfirmed::Undecided);
        }
        extended = true;
        run.close(model, budget, &mut |state| note(&mut values, state))?;
    }
}

/// Confirm that a path formula without actions holds (or does not, as the part says) on the run through these states, which
/// goes on from the last one as it did from that with number `start`. That they are a run of the model is not looked at.
///
/// # Errors
/// [`Unconfirmed`] if it does not, and where that cannot be told.
pub fn confirm_loop(
    model: &dyn TransitionSystem,
    pool: &Pool,
    part: Part,
    states: &[State],
    start: usize,
) -> Result<(), Unconfirmed> {
    let Some((_, states)) = states.split_last().filter(|(last, states)| states.get(start) == Some(last)) else {
        return broken("it does not come back to that state");
    };
    let valuation = Valuation { model, pool, bound: &|_| None };
    let shape = Shape { positions: states.len(), fired: &[], end: End::Loop(start) };
    let mut value = |id: FormulaId, at: usize| valuation.state(id, &states[at], &mut |_| None);
    match Table::new(pool, part.formula, shape, PathSemantics::Infinite, &mut value).proves(part, 0) {
        true => Ok(()),
        false => broken("the path formula has another value on it"),
    }
}

/// Confirm that `path` leads from an initial state to one that `is_it` is true of.
///
/// # Errors
/// [`Unconfirmed::Broken`] if it does not; [`Unconfirmed::Stopped`] when the budget is used up.
pub fn confirm_reached(
    model: &dyn TransitionSystem,
    path: &Path,
    budget: &Budget,
    is_it: &dyn Fn(&State) -> bool,
) -> Result<(), Unconfirmed> {
    from_some_initial_state(model, |initial| {
        let state = last(model, initial, path, budget)?;
        if is_it(&state) { Ok(()) } else { broken("the state at its end is not what was looked for") }
    })
}

/// What is found of a run from one of the initial states, as a path does not say where it begins: from the first that gives
/// something.
pub(super) fn from_some_initial_state<T>(
    model: &dyn TransitionSystem,
    mut find: impl FnMut(&State) -> Result<T, Unconfirmed>,
) -> Result<T, Unconfirmed> {
    let mut found = broken("there is no initial state");
    for initial in model.initial_states() {
        match (find(&initial), &found) {
            (Ok(this), _) => return Ok(this),
            (Err(Unconfirmed::Broken(_)), Err(Unconfirmed::Undecided | Unconfirmed::Stopped(_))) => {}
            (this, _) => found = this,
        }
    }
    found
}

/// The condition that some state has to satisfy, for a path formula that says no more than that there is one.
fn reached(pool: &Pool, part: Part) -> Option<Part> {
    let inner = match (&pool[part.formula], part.holds) {
        (&Formula::Finally(inner), true) | (&Formula::Globally(inner), false) => inner,
        _ => return None,
    };
    (pool.is_state(inner) && !has_quantifier(pool, inner)).then_some(Part { formula: inner, holds: part.holds })
}

/// The state at the end of the steps of a path, from this state on.
fn last(model: &dyn TransitionSystem, from: &State, path: &Path, budget: &Budget) -> Result<State, Unconfirmed> {
    let mut state = from.clone();
    fire(model, &mut state, &path.prefix, budget, &mut |_| ())?;
    Ok(state)
}

/// Fire steps one after the other; `note` sees each state that they lead to.
fn fire(
    model: &dyn TransitionSystem,
    state: &mut State,
    steps: &[Step],
    budget: &Budget,
    note: &mut dyn FnMut(&State),
) -> Result<(), Unconfirmed> {
    for (number, &step) in steps.iter().enumerate() {
        if number.is_multiple_of(CHECK_EVERY) {
            budget.check()?;
        }
        if !model.advance(state, step) {
            return broken(format!("a run takes a step that is not possible, at {number}"));
        }
        note(state);
    }
    Ok(())
}

/// A run that has been fired.
pub(super) struct Fired {
    pub(super) fired: Vec<Step>,
    pub(super) end: End,
    last: State,
}

impl Fired {
    /// Fire a path from this state on; `note` sees the state of each position.
    pub(super) fn new(
        model: &dyn TransitionSystem,
        from: &State,
        path: &Path,
        paths: PathSemantics,
        budget: &Budget,
        note: &mut dyn FnMut(&State),
    ) -> Result<Fired, Unconfirmed> {
        let mut state = from.clone();
        note(&state);
        fire(model, &mut state, &path.prefix, budget, note)?;
        let mut fired = path.prefix.clone();
        let end = match &path.then {
            Then::Open => End::Open,
            Then::Deadlock => End::Deadlock,
            Then::Cycle(cycle) => {
                let Some((&closing, inside)) = cycle.split_last() else { return broken("a loop without steps") };
                let (start, first) = (fired.len(), state.clone());
                fire(model, &mut state, inside, budget, note)?;
                if !model.advance(&mut state, closing) || state != first {
                    return broken("its loop does not close");
                }
                fired.extend(cycle);
                End::Loop(start)
            }
        };
        match end {
            End::Deadlock if !model.is_deadlock(&state) => broken("its end is not a deadlock"),
            End::Deadlock | End::Open if paths == PathSemantics::Infinite => {
                broken("only infinite paths count, and it is finite")
            }
            _ => Ok(Fired { fired, end, last: state }),
        }
    }

    /// Go on from an open end, with whatever step is possible, until the run is closed.
    pub(super) fn close(
        &mut self,
        model: &dyn TransitionSystem,
        budget: &Budget,
        note: &mut dyn FnMut(&State),
    ) -> Result<(), Unconfirmed> {
        let begin = self.fired.len();
        let most = MOST_STEPS.min(MOST_VALUES / model.variables().max(1)).max(1);
        let mut passed: FxHashMap<State, usize> = FxHashMap::default();
        let mut taken: FxHashSet<Step> = FxHashSet::default();
        for number in 0..most {
            if number.is_multiple_of(CHECK_EVERY) {
                budget.check()?;
            }
            passed.insert(self.last.clone(), begin + number);
            // A step that has been taken may lead back sooner than another.
            let possible = |step: &Step| model.fire(&self.last, *step).map(|next| (*step, next));
            let any = || model.action_ids().map(Step::from).find_map(|step| possible(&step));
            let Some((step, next)) = taken.iter().find_map(possible).or_else(any) else {
                // A step with another choice would be none of a net.
                if !model.is_deadlock(&self.last) {
                    return Err(Unconfirmed::Undecided);
                }
                self.end = End::Deadlock;
                return Ok(());
            };
            taken.insert(step);
            self.fired.push(step);
            if let Some(&start) = passed.get(&next) {
                self.end = End::Loop(start);
                return Ok(());
            }
            note(&next);
            self.last = next;
        }
        Err(Unconfirmed::Undecided)
    }
}
