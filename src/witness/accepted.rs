//! A run that an automaton accepts, as a witness.
//!
//! There is no path formula to prove on such a run. What shows it are the propositions of the automaton: at each position those
//! that it reads are listed with their values, and the word of these letters is one that the automaton accepts. That is checked
//! here: steps by the firing rule of the model, letters by evaluating the propositions in the markings, acceptance by the
//! definition ([`Tgba::accepts`]); of a run whose future is open, that the automaton can be where it accepts all that follows.
//! A proposition with path quantifiers has no value by its marking alone; such runs are not shown.

use super::replay::Broken;
use super::valuation::Valuation;
use super::{Because, End, Part, Position, Reason, Run, Witness};
use crate::automaton::ltl::Lasso;
use crate::automaton::{Cube, Literal, Prop, Strength, Tgba};
use crate::formula::{Formula, FormulaId, PathSemantics, Pool};
use crate::model::{Path, Then, TransitionSystem};
use std::collections::BTreeSet;

/// A run from the initial marking as a witness that an automaton accepts one; its propositions are these formulas of `pool`.
/// `shown` is what the run is said to show: `E true`. `None` where some proposition has no value in a marking alone.
///
/// # Errors
/// [`Broken`] if the run does not replay, or is not accepted: an error of the program.
pub fn explain_accepted(
    model: &dyn TransitionSystem,
    pool: &Pool,
    paths: PathSemantics,
    (automaton, propositions): (&Tgba, &[FormulaId]),
    shown: FormulaId,
    path: &Path,
) -> Result<Option<Witness>, Broken> {
    let broken = |why: &str| Broken(why.to_owned());
    let mut fired = path.prefix.clone();
    let end = match &path.then {
        Then::Open => End::Open,
        Then::Deadlock => End::Deadlock,
        Then::Cycle(cycle) if cycle.is_empty() => return Err(broken("a loop without steps")),
        Then::Cycle(cycle) => {
            fired.extend(cycle);
            End::Loop(path.prefix.len())
        }
    };
    let mut markings = vec![model.initial()];
    for &step in &fired {
        let next = markings.last().and_then(|marking| model.fire(marking, step));
        markings.push(next.ok_or_else(|| broken("a run takes a step that is not possible"))?);
    }
    if let End::Loop(start) = end
        && markings.pop() != markings.get(start).cloned()
    {
        return Err(broken("the loop does not close"));
    }
    let stays = matches!(end, End::Deadlock);
    if stays && !markings.last().is_some_and(|marking| model.is_deadlock(marking)) {
        return Err(broken("its end is not a deadlock"));
    }
    if paths == PathSemantics::Infinite && stays {
        return Err(broken("only infinite paths count, and it is finite"));
    }
    let valuation = Valuation { model, pool, bound: &|_| None };
    let mut positions = Vec::with_capacity(markings.len());
    let mut letters = Vec::with_capacity(markings.len());
    for (at, marking) in markings.into_iter().enumerate() {
        let mut parts = Vec::new();
        // The last letter of a run that is open is not read.
        let read = if end == End::Open && at == fired.len() { Vec::new() } else { automaton.read() };
        for prop in read {
            let Some(&formula) = propositions.get(prop.index()) else { return Ok(None) };
            let holds = match &pool[formula] {
                Formula::Action(labels) => fired.get(at).is_some_and(|step| labels.contains(&step.action)),
                _ => match valuation.state(formula, &marking, &mut |_| None) {
                    Some(holds) => holds,
                    None => return Ok(None),
                },
            };
            parts.push((prop, Part { formula, holds }));
        }
        let literals = parts.iter().map(|&(prop, part)| Literal { prop, positive: part.holds });
        letters.push(Cube::new(literals).ok_or_else(|| broken("a proposition has two values"))?);
        let parts = parts.into_iter().map(|(_, part)| part).collect();
        positions.push(Position { marking, parts, reasons: Vec::new() });
    }
    let accepted = match end {
        End::Open => accepts_what_follows(automaton, &letters[..fired.len()]),
        End::Deadlock => {
            let cycle = letters.split_off(letters.len() - 1);
            automaton.accepts(&Lasso { prefix: letters, cycle })
        }
        End::Loop(start) => {
            let cycle = letters.split_off(start);
            automaton.accepts(&Lasso { prefix: letters, cycle })
        }
    };
    if !accepted {
        return Err(broken("the automaton does not accept it"));
    }
    let reason = Reason { formula: shown, holds: true, because: Because::Run(0) };
    Ok(Some(Witness { paths, reason, runs: vec![Run { formula: shown, positions, fired, end, least: 0 }] }))
}

/// Can the automaton be, after these letters, where it accepts whatever follows?
fn accepts_what_follows(automaton: &Tgba, letters: &[Cube]) -> bool {
    let mut here = BTreeSet::from([automaton.initial()]);
    for letter in letters {
        let holds = |prop: Prop| letter.literals().iter().any(|literal| literal.prop == prop && literal.positive);
        let edges = here.iter().flat_map(|&location| automaton.edges_from(location));
        here = edges.filter(|edge| edge.guard.holds(holds)).map(|edge| edge.target).collect();
    }
    let is_terminal =
        |&location| automaton.components()[automaton.component_of(location)].strength == Strength::Terminal;
    here.iter().any(is_terminal)
}
