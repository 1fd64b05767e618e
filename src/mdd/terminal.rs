//! The terminals of diagrams.

use super::node::EdgeRef;
use oxidd_core::Edge as _;

/// The two terminals: the empty set (on every level) and the set of the empty tuple (below the last level).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, oxidd_derive::Countable)]
#[repr(u8)]
pub(crate) enum Terminal {
    /// ∅
    Empty,
    /// {()}
    Unit,
}

/// How many there are.
pub(super) const TERMINALS: usize = 2;

/// Is this edge the terminal ∅?
#[inline(always)]
pub(crate) fn is_empty(edge: EdgeRef<'_, '_>) -> bool {
    edge.raw().node_id() == Terminal::Empty as usize
}

/// Is this edge a terminal?
#[inline(always)]
pub(crate) fn is_terminal(edge: EdgeRef<'_, '_>) -> bool {
    edge.raw().node_id() < TERMINALS
}
