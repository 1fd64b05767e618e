//! How far a state is from a formula of CTL, guessed from the conditions in it: see [`super::Atoms::distances`].

use super::program::{Node, PathKind, Program, State};
use crate::explicit::atoms::Atoms;
use crate::explicit::packed_model::PackedModel;

/// Levels of a formula that the distance to it is guessed from.
const DEPTH: u32 = 8;

/// The distance of a state from a formula, or from its negation.
pub(in crate::explicit) fn distance<S: PackedModel>(
    atoms: &Atoms,
    state: (&S, &[u64]),
    program: &Program,
    wanted: (Node, bool),
) -> u64 {
    Guess { atoms, state, program }.of(wanted, DEPTH)
}

struct Guess<'a, S> {
    atoms: &'a Atoms,
    state: (&'a S, &'a [u64]),
    program: &'a Program,
}

impl<S: PackedModel> Guess<'_, S> {
    fn of(&self, (node, holds): (Node, bool), depth: u32) -> u64 {
        let Some(depth) = depth.checked_sub(1) else { return 0 };
        let of = |&node: &Node| self.of((node, holds), depth);
        let all = |operands: &[Node]| operands.iter().map(of).fold(0, u64::saturating_add);
        let least = |operands: &[Node]| operands.iter().map(of).min().unwrap_or(u64::MAX);
        match &self.program.states[node] {
            State::Condition(proposition) => {
                let (to, away) = self.atoms.distances(self.state.0, self.state.1, *proposition);
                if holds { to } else { away }
            }
            State::Not(a) => self.of((*a, !holds), depth),
            State::And(operands) if holds => all(operands),
            State::Or(operands) if !holds => all(operands),
            State::And(operands) | State::Or(operands) => least(operands),
            State::Iff(..) => 0,
            &State::Some(search) => match self.program.paths[search] {
                PathKind::Next(a) | PathKind::Always(a) | PathKind::Until(_, a) => of(&a),
                PathKind::WeakUntil(a, b) if holds => least(&[a, b]),
                PathKind::WeakUntil(a, b) => all(&[a, b]),
            },
        }
    }
}
