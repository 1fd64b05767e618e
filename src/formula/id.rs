//! The identifiers of formulas and expressions: indices of a pool that know which pool they are of.

use smallvec::SmallVec;
use std::hash::{Hash, Hasher};

/// An index and the number of the pool that handed it out.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Id {
    index: u32,
    pool: u32,
}

impl Hash for Id {
    /// The numbers of pools depend on what was done before; the order of a table must not.
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.index.hash(hasher);
    }
}

/// An identifier of no pool: no pool has the number 0.
pub(super) const NOWHERE: Id = Id { index: 0, pool: 0 };

/// A formula of a [`Pool`](super::Pool): its index there. Equal formulas of one pool have equal indices, and formulas of different
/// pools are different.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FormulaId(pub(super) Id);

/// An integer expression of a [`Pool`](super::Pool): its index there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ExprId(pub(super) Id);

impl FormulaId {
    /// The index, for tables over all formulas of a pool.
    #[inline]
    pub fn index(self) -> usize {
        self.0.index as usize
    }
}

impl ExprId {
    /// The index, for tables over all expressions of a pool.
    #[inline]
    pub fn index(self) -> usize {
        self.0.index as usize
    }
}

/// Which pool handed out which indices: from each of these on, the one with this number.
#[derive(Clone, Debug, Default)]
pub(super) struct Origins(pub(super) SmallVec<[(u32, u32); 1]>);

impl Origins {
    /// From this index on they are handed out by the pool with this number.
    pub(super) fn begin(&mut self, from: usize, pool: u32) {
        self.0.retain(|&mut (begin, _)| (begin as usize) < from);
        self.0.push((from as u32, pool));
    }

    /// The identifier with this index.
    #[inline]
    pub(super) fn id(&self, index: usize) -> Id {
        let after = self.0.partition_point(|&(begin, _)| begin as usize <= index);
        let pool = after.checked_sub(1).and_then(|at| self.0.get(at)).map_or(0, |&(_, pool)| pool);
        Id { index: index as u32, pool }
    }
}
