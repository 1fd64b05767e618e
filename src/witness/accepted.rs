//! A run that an automaton accepts, as a witness.
//!
//! There is no path formula to prove on such a run. What shows it are the propositions of the automaton: at each position those
//! that it reads are listed with their values, and the word of these letters is one that the automaton accepts. That is checked
//! here: steps by the firing rule of the model, letters by evaluating the propositions in the markings, acceptance by the
//! definition ([`Tgba::accepts`]); of a run whose future is open, that the automaton can be where it accepts all that follows.
//! A proposition with path quantifiers has no value by its marking alone; such runs are not shown.

use super::confirm::{Fired, Unconfirmed, broken, from_some_initial_state};
use super::replay::Broken;
use super::valuation::{Condition, Valuation};
use super::{Because, End, Part, Position, Reason, Run, Witness};
use crate::automaton::ltl::Lasso;
use crate::automaton::{Cube, Literal, Location, Prop, Strength, Tgba};
use crate::budget::Budget;
use crate::formula::{Formula, FormulaId, PathSemantics, Pool};
use crate::model::{Path, State, Step, TransitionSystem};
use std::collections::BTreeSet;

const NOT_ACCEPTED: &str = "the automaton does not accept it";

/// A run from an initial marking as a witness that an automaton accepts one; its propositions are these formulas of `pool`.
/// `shown` is what the run is said to show: `E true`. `None` where some proposition has no value in a marking alone.
///
/// # Errors
/// [`Broken`] if the run does not replay, or is not accepted: an error of the program.
pub fn explain_accepted(
    model: &dyn TransitionSystem,
    pool: &Pool,
    paths: PathSemantics,
    automaton: (&Tgba, &[FormulaId]),
    shown: FormulaId,
    path: &Path,
) -> Result<Option<Witness>, Broken> {
    let Some(letters) = Letters::new(model, pool, automaton) else { return Ok(None) };
    let witness = |from: &State| accepted_from(from, model, paths, (automaton.0, &letters), shown, path);
    match from_some_initial_state(model, witness) {
        Ok(witness) => Ok(Some(witness)),
        Err(Unconfirmed::Broken(error)) => Err(error),
        Err(Unconfirmed::Undecided | Unconfirmed::Stopped(_)) => Ok(None),
    }
}

/// The witness that begins in this marking.
fn accepted_from(
    from: &State,
    model: &dyn TransitionSystem,
    paths: PathSemantics,
    (automaton, letters): (&Tgba, &Letters<'_>),
    shown: FormulaId,
    path: &Path,
) -> Result<Witness, Unconfirmed> {
    let (mut markings, budget) = (Vec::new(), Budget::unlimited());
    let run = Fired::new(model, from, path, paths, &budget, &mut |marking| markings.push(marking.clone()))?;
    let Fired { fired, mut end, .. } = run;
    // Nothing follows a deadlock: what is shown does not depend on who has found the run.
    let ends = |last: &State| model.is_deadlock(last) && letters.read(&letters.values(last), None).is_some();
    if end == End::Open && paths != PathSemantics::Infinite && markings.last().is_some_and(ends) {
        end = End::Deadlock;
    }
    let (mut positions, mut word) = (Vec::with_capacity(markings.len()), Vec::with_capacity(markings.len()));
    for (at, marking) in markings.into_iter().enumerate() {
        let mut parts = Vec::new();
        // The last letter of a run that is open is not read.
        if end != End::Open || at < fired.len() {
            let literals = letters.read(&letters.values(&marking), fired.get(at)).ok_or(Unconfirmed::Undecided)?;
            let part = |(literal, read): (&Literal, &Read)| Part { formula: read.formula, holds: literal.positive };
            parts.extend(literals.iter().zip(&letters.read).map(part));
            word.extend(Cube::new(literals));
        }
        positions.push(Position { marking, parts, reasons: Vec::new() });
    }
    if !accepts(automaton, word, end) {
        return broken(NOT_ACCEPTED);
    }
    let reason = Reason { formula: shown, holds: true, because: Because::Run(0) };
    Ok(Witness { paths, reason, runs: vec![Run { formula: shown, positions, fired, end, least: 0 }] })
}

/// Confirm that an automaton accepts `path`, of whose propositions each is a condition of `pool` on single states, or an action.
///
/// # Errors
/// As for [`confirm`](super::confirm()).
pub fn confirm_accepted(
    model: &dyn TransitionSystem,
    automaton: (&Tgba, &[FormulaId]),
    pool: &Pool,
    paths: PathSemantics,
    path: &Path,
    budget: &Budget,
) -> Result<(), Unconfirmed> {
    let letters = Letters::new(model, pool, automaton).ok_or(Unconfirmed::Undecided)?;
    from_some_initial_state(model, |from| {
        let mut values = Vec::new();
        let mut note = |state: &State| values.push(letters.values(state));
        let mut run = Fired::new(model, from, path, paths, budget, &mut note)?;
        if run.end == End::Open {
            run.close(model, budget, &mut note)?;
        }
        let letter = |(at, values): (usize, &Vec<Option<bool>>)| Cube::new(letters.read(values, run.fired.get(at))?);
        let word: Option<Vec<Cube>> = values.iter().enumerate().map(letter).collect();
        if accepts(automaton.0, word.ok_or(Unconfirmed::Undecided)?, run.end) { Ok(()) } else { broken(NOT_ACCEPTED) }
    })
}

/// A proposition that an automaton reads.
struct Read {
    prop: Prop,
    formula: FormulaId,
    /// The formula, if it is about a state.
    condition: Option<Condition>,
}

/// The letters of a run.
pub(super) struct Letters<'a> {
    valuation: Valuation<'a>,
    read: Vec<Read>,
}

impl<'a> Letters<'a> {
    /// `None` if the automaton has a proposition that stands for nothing.
    pub(super) fn new(
        model: &'a dyn TransitionSystem,
        pool: &'a Pool,
        (automaton, propositions): (&Tgba, &[FormulaId]),
    ) -> Option<Self> {
        let read = |prop: Prop| {
            let formula = *propositions.get(prop.index())?;
            let is_action = matches!(pool[formula], Formula::Action(_));
            Some(Read { prop, formula, condition: (!is_action).then(|| Condition::new(pool, formula)) })
        };
        let read = automaton.read().into_iter().map(read).collect::<Option<_>>()?;
        Some(Letters { valuation: Valuation { model, pool, bound: &|_| None }, read })
    }

    /// The values of conditions in a state.
    pub(super) fn values(&self, state: &State) -> Vec<Option<bool>> {
        let value = |read: &Read| self.valuation.condition(read.condition.as_ref()?, state, &mut |_| None);
        self.read.iter().map(value).collect()
    }

    /// The letter of a state, whose conditions have these values, and of the step that is taken there; `None` where one has none.
    pub(super) fn read(&self, values: &[Option<bool>], step: Option<&Step>) -> Option<Vec<Literal>> {
        let literal = |(read, value): (&Read, &Option<bool>)| {
            let positive = match &self.valuation.pool[read.formula] {
                Formula::Action(labels) => step.is_some_and(|step| labels.contains(&step.action)),
                _ => (*value)?,
            };
            Some(Literal { prop: read.prop, positive })
        };
        self.read.iter().zip(values).map(literal).collect()
    }
}

/// Does an automaton accept a word that ends so?
fn accepts(automaton: &Tgba, mut word: Vec<Cube>, end: End) -> bool {
    let start = match end {
        End::Open => return accepts_what_follows(automaton, &word),
        // The last state repeats.
        End::Deadlock | End::Final => word.len() - 1,
        End::Loop(start) => start,
    };
    let cycle = word.split_off(start);
    automaton.accepts(&Lasso { prefix: word, cycle })
}

/// Can the automaton be, after these letters, where it accepts whatever follows?
fn accepts_what_follows(automaton: &Tgba, letters: &[Cube]) -> bool {
    let mut here = BTreeSet::from([automaton.initial()]);
    for letter in letters {
        here = after(automaton, &here, letter.literals());
    }
    here.iter().any(|&location| accepts_all(automaton, location))
}

/// Where an automaton can be after a letter, from one of these locations.
pub(super) fn after(automaton: &Tgba, here: &BTreeSet<Location>, letter: &[Literal]) -> BTreeSet<Location> {
    let holds = |prop: Prop| letter.iter().any(|literal| literal.prop == prop && literal.positive);
    let edges = here.iter().flat_map(|&location| automaton.edges_from(location));
    edges.filter(|edge| edge.guard.holds(holds)).map(|edge| edge.target).collect()
}

/// Does a step from one of these locations lead to where everything is accepted?
pub(super) fn is_over(automaton: &Tgba, here: &BTreeSet<Location>) -> bool {
    let mut next = here.iter().flat_map(|&location| automaton.edges_from(location));
    next.any(|edge| accepts_all(automaton, edge.target))
}

fn accepts_all(automaton: &Tgba, location: Location) -> bool {
    automaton.components()[automaton.component_of(location)].strength == Strength::Terminal
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::automaton::hoa;
    use crate::formula::{Symbols, parse};
    use crate::model::Then;
    use crate::net::{NetBuilder, TransitionId};

    /// A run that cannot go on says so, whoever has found it; one that can says that it does not matter how.
    #[test]
    fn open_runs_end_in_deadlocks() {
        let once = "HOA: v1\nStates: 2\nStart: 0\nAP: 1 \"p\"\nacc-name: Buchi\nAcceptance: 1 Inf(0)\n--BODY--\n\
                    State: 0\n[0] 1\nState: 1 {0}\n[t] 1\n--END--\n";
        let automaton = hoa::read_all(once).unwrap().pop().unwrap();
        for (returns, expected) in [(false, End::Deadlock), (true, End::Open)] {
            let mut b = NetBuilder::new("two");
            let [p, q] = [("p", 1), ("q", 0)].map(|(id, tokens)| b.place(id, tokens).unwrap());
            for (id, from, to) in [("t", p, q), ("u", q, p)].into_iter().take(if returns { 2 } else { 1 }) {
                let transition = b.transition(id).unwrap();
                b.input(from, transition, 1).unwrap();
                b.output(transition, to, 1).unwrap();
            }
            let (net, mut pool) = (b.build().unwrap(), Pool::new());
            let marked = parse("#p = 1", &Symbols::new(&net), &mut pool).unwrap();
            let shown = pool.add(Formula::True);
            let path = Path { prefix: vec![Step::from(TransitionId(0))], then: Then::Open };
            let about = (&automaton, &[marked][..]);
            for paths in [PathSemantics::Maximal, PathSemantics::Stutter] {
                let witness = explain_accepted(&net, &pool, paths, about, shown, &path).unwrap().unwrap();
                assert_eq!(witness.runs[0].end, expected, "{paths}");
            }
        }
    }
}
