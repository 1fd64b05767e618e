//! Known facts about the reachable states, for automata of path formulas.

use crate::automaton::{Cube, Knowledge, Literal, Prop};
use crate::formula::FormulaId;

/// Conditions on single states, of one pool, and values that they have.
pub type Values = Vec<(FormulaId, bool)>;

/// Facts about the reachable states of one model. The caller has proved them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Facts {
    /// Values that these conditions never have together.
    pub never: Vec<Values>,
    /// Values that they have in the initial state.
    pub initially: Values,
}

impl Facts {
    /// The knowledge for an automaton whose propositions are these conditions.
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
