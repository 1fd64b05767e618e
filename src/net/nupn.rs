//! Nested-unit Petri nets (NUPN; Garavel 2019, "Nested-unit Petri nets", JLAMP 104): a tree of units, each
//! owning places. In a *unit-safe* net at most one place among a unit and its descendants' chain is marked.

use super::PlaceId;

/// One unit: the places it owns directly and its sub-units (indices into [`Nupn::units`]).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unit {
    /// Identifier in the file.
    pub id: String,
    /// Places owned directly by this unit.
    pub places: Vec<PlaceId>,
    /// Sub-units, as indices into [`Nupn::units`].
    pub subunits: Vec<usize>,
}

/// The tree of units of a net.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Nupn {
    /// All units, in file order.
    pub units: Vec<Unit>,
    /// Index of the root unit.
    pub root: usize,
    /// The file's claim that the net is unit-safe (hence one-safe). A claim of the file, not checked here.
    pub safe: bool,
}
