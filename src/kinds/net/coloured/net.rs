//! Coloured (symmetric) nets.

use super::guard::Guard;
use super::multiset::Multiset;
use super::sort::{SortId, Sorts};
use std::sync::Arc;

/// A place whose tokens have colours.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ColouredPlace {
    /// Identifier, unique in the net.
    pub id: String,
    /// Display name where it differs from the identifier.
    pub name: Option<String>,
    /// The sort of its tokens.
    pub sort: SortId,
    /// The tokens of the initial marking: an expression without variables.
    pub initial: Multiset,
}

/// A variable of a transition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Variable {
    /// Name.
    pub name: String,
    /// Sort of its values.
    pub sort: SortId,
    /// The colours that it may have, increasing, if these are not all of the sort.
    pub domain: Option<Arc<[u64]>>,
}

/// A transition that fires under bindings of its variables.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ColouredTransition {
    /// Identifier, unique in the net.
    pub id: String,
    /// Display name where it differs from the identifier.
    pub name: Option<String>,
    /// The variables that occur in the guard and on the arcs.
    pub variables: Vec<Variable>,
    /// Which bindings may fire.
    pub guard: Guard,
    /// Index of a place, and what is taken from it.
    pub inputs: Vec<(usize, Multiset)>,
    /// Index of a place, and what is put there.
    pub outputs: Vec<(usize, Multiset)>,
}

/// A coloured net. Expressions refer to sorts, variables and places by index and are well sorted; the reader
/// of PNML sees to that.
#[derive(Clone, Debug, Default)]
pub struct ColouredNet {
    /// Name.
    pub name: String,
    /// The sorts.
    pub(crate) sorts: Sorts,
    /// The places.
    pub(crate) places: Vec<ColouredPlace>,
    /// The transitions.
    pub(crate) transitions: Vec<ColouredTransition>,
    /// Remarks about parts of the file that were left out.
    pub remarks: Vec<String>,
}

impl ColouredNet {
    /// Number of coloured places.
    pub fn place_count(&self) -> usize {
        self.places.len()
    }

    /// Number of coloured transitions.
    pub fn transition_count(&self) -> usize {
        self.transitions.len()
    }

    /// Number of arcs.
    pub fn arc_count(&self) -> usize {
        self.transitions.iter().map(|t| t.inputs.len() + t.outputs.len()).sum()
    }
}
