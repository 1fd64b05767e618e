//! What is known of the reachable states beforehand, for automata of path formulas.

use crate::automaton::{Cube, Knowledge, Literal, Prop};
use crate::formula::FormulaId;

/// Conditions on single states, of one pool, and values that they have.
pub type Values = Vec<(FormulaId, bool)>;

/// What is known of the reachable states of one model. Whoever hands it out has proved it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Facts {
    /// Values that these conditions never have together.
    pub never: Vec<Values>,
    /// Values that they have in the initial state.
    pub initially: Values,
}

impl Facts {
    /// What it says of an automaton whose propositions are these conditions.
    pub(super) fn about(&self, atoms: &[FormulaId]) -> Knowledge {
        let literal = |&(condition, positive): &(FormulaId, bool)| {
            let at = atoms.iter().position(|&atom| atom == condition)?;
            Some(Literal { prop: Prop(at as u32), positive })
        };
        let cube = |values: &Values| Cube::new(values.iter().map(literal).collect::<Option<Vec<Literal>>>()?);
        Knowledge {
            never: self.never.iter().filter_map(cube).collect(),
            first: Cube::new(self.initially.iter().filter_map(literal)).unwrap_or_default(),
        }
    }
}
