//! The MDD node: 16 bytes, children kept sparsely, the two-valued case inline.
//!
//! A node maps token counts to children one level below. Only values with a non-empty child are stored,
//! sorted by value. Three layouts share the sixteen bytes (4 reference count, 4 length, 8 body):
//!
//! | length | body | used for |
//! |---|---|---|
//! | 0 | `[child of 0, child of 1]`, one of them possibly ∅ | all values ≤ 1: places of one-safe nets |
//! | 1 | `(value, child)` | one value, ≥ 2 |
//! | n ≥ 2 | pointer to a boxed slice of n `(value, child)` | everything else |
//!
//! The layout is determined by the content, so equal content means equal representation: the unique table
//! compares bodies. The level is not stored; the diagrams are quasi-reduced, and whoever walks them knows
//! it. `HasLevel` stays unimplemented on purpose: reordering and dddmp export of OxiDD, which assume other
//! reduction rules, cannot even be called on this type.
//!
//! This file and [`super::cache`] are the only ones with `unsafe` code.

use oxidd_core::util::{DropWith, Own, Ref};
use oxidd_core::{InnerNode, LevelNo};
use oxidd_manager_index::manager as index;
use oxidd_manager_index::node::NodeBase;
use std::hash::{Hash, Hasher};
use std::mem::ManuallyDrop;
use std::ptr::NonNull;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU32, Ordering};

/// An edge to a node or a terminal.
pub(crate) type Edge<'id> = index::Edge<'id, MddNode<'id>, ()>;
/// An edge that is borrowed from whatever keeps its node alive.
pub(crate) type EdgeRef<'a, 'id> = Ref<'a, Edge<'id>>;

/// A value (token count) and the child it leads to.
#[repr(C)]
#[derive(PartialEq, Eq)]
pub(crate) struct Entry<'id> {
    pub(crate) value: u32,
    pub(crate) child: Own<Edge<'id>>,
}

union Body<'id> {
    /// Length 0: the children of values 0 and 1.
    binary: ManuallyDrop<[Own<Edge<'id>>; 2]>,
    /// Length 1.
    single: ManuallyDrop<Entry<'id>>,
    /// Length ≥ 2: start of a boxed slice of that length.
    sparse: NonNull<Entry<'id>>,
}

/// Inner node of a quasi-reduced MDD; see the module documentation.
pub(crate) struct MddNode<'id> {
    references: AtomicU32,
    length: u32,
    body: Body<'id>,
}

const _: () = assert!(std::mem::size_of::<MddNode<'static>>() == 16);

/// The content of a node, for matching.
pub(crate) enum Children<'a, 'id> {
    /// The children of values 0 and 1; at most one is the empty set.
    Binary(&'a [Own<Edge<'id>>; 2]),
    /// Values with their non-empty children, sorted by value, the last value at least 2.
    Sparse(&'a [Entry<'id>]),
}

impl<'id> MddNode<'id> {
    /// A node with the children of values 0 and 1. Not both may be the empty set.
    #[inline]
    pub(crate) fn binary(children: [Own<Edge<'id>>; 2]) -> Self {
        Self::with_body(0, Body { binary: ManuallyDrop::new(children) })
    }

    /// A node with one entry of value 2 or more.
    #[inline]
    pub(crate) fn single(entry: Entry<'id>) -> Self {
        Self::with_body(1, Body { single: ManuallyDrop::new(entry) })
    }

    /// A node with two or more entries, sorted by value, the last value at least 2.
    #[inline]
    pub(crate) fn sparse(entries: Box<[Entry<'id>]>) -> Self {
        debug_assert!(entries.len() >= 2);
        let length = entries.len() as u32;
        let start = NonNull::from(Box::leak(entries)).cast::<Entry<'id>>();
        Self::with_body(length, Body { sparse: start })
    }

    #[inline]
    fn with_body(length: u32, body: Body<'id>) -> Self {
        // OxiDD requires the count to start at 2: one reference of the unique table, one of the caller.
        MddNode { references: AtomicU32::new(2), length, body }
    }

    /// The children for matching on the layout.
    #[inline(always)]
    pub(crate) fn content(&self) -> Children<'_, 'id> {
        // SAFETY: `length` tells which field of the union was written, and nodes are never modified after
        // construction; for `sparse`, the slice of that length was leaked from a box and is freed only by
        // `drop_with`, which takes the node by value.
        unsafe {
            match self.length {
                0 => Children::Binary(&self.body.binary),
                1 => Children::Sparse(std::slice::from_ref(&*self.body.single)),
                n => Children::Sparse(std::slice::from_raw_parts(self.body.sparse.as_ptr(), n as usize)),
            }
        }
    }
}

// SAFETY: the body holds edges (plain indices) and memory owned by the node; all mutation goes through the
// atomic reference count. `NonNull` alone suppresses the automatic implementations.
unsafe impl Send for MddNode<'_> {}
// SAFETY: as above.
unsafe impl Sync for MddNode<'_> {}

impl PartialEq for MddNode<'_> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        match (self.content(), other.content()) {
            (Children::Binary(a), Children::Binary(b)) => a == b,
            (Children::Sparse(a), Children::Sparse(b)) => a == b,
            _ => false,
        }
    }
}

impl Eq for MddNode<'_> {}

/// Multiplicative mixing (Fibonacci hashing), high bits folded down: the unique table indexes by low bits.
#[inline(always)]
pub(super) fn mix(hash: u64, word: u64) -> u64 {
    (hash.rotate_left(23) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

impl Hash for MddNode<'_> {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        let hash = match self.content() {
            Children::Binary([zero, one]) => {
                mix(0, u64::from(zero.borrowed().raw().raw()) << 32 | u64::from(one.borrowed().raw().raw()))
            }
            Children::Sparse(entries) => entries.iter().fold(entries.len() as u64, |hash, e| {
                mix(hash, u64::from(e.value) << 32 | u64::from(e.child.borrowed().raw().raw()))
            }),
        };
        state.write_u64(hash ^ (hash >> 29));
    }
}

// SAFETY: the count starts at 2 and is changed by `retain` and `release` only. Nobody else changes it between
// the load and the store of either, since both are called by the thread whose turn it is only (see
// [`super::turn`]): sessions take a turn, collections do (also those of OxiDD's own thread), and so does the
// destructor of a root; a root is cloned by counting its owners.
unsafe impl NodeBase for MddNode<'_> {
    #[inline(always)]
    fn retain(&self) {
        let count = self.references.load(Relaxed);
        if count > u32::MAX / 2 {
            // 2^31 live references to one node need 8 GiB of edges to it; wrapping would free it under them.
            std::process::abort();
        }
        self.references.store(count + 1, Relaxed);
    }
    #[inline(always)]
    unsafe fn release(&self) -> usize {
        let count = self.references.load(Relaxed);
        self.references.store(count.wrapping_sub(1), Relaxed);
        count as usize
    }
    #[inline(always)]
    fn load_rc(&self, order: Ordering) -> usize {
        self.references.load(order) as usize
    }
}

impl<'id> DropWith<Edge<'id>> for MddNode<'id> {
    #[inline]
    fn drop_with(self, drop_edge: impl Fn(Own<Edge<'id>>)) {
        // SAFETY: as in `content`; the node is consumed, so each child is taken exactly once. `MddNode`
        // has no `Drop`, so the fields of the union are not dropped again.
        unsafe {
            match self.length {
                0 => ManuallyDrop::into_inner(self.body.binary).into_iter().for_each(drop_edge),
                1 => drop_edge(ManuallyDrop::into_inner(self.body.single).child),
                n => {
                    let slice = NonNull::slice_from_raw_parts(self.body.sparse, n as usize);
                    let entries = Box::from_raw(slice.as_ptr());
                    entries.into_vec().into_iter().for_each(|entry| drop_edge(entry.child));
                }
            }
        }
    }
}

/// Iterator over the children of a node, in value order (for OxiDD; includes empty children).
pub(crate) struct ChildrenIter<'a, 'id> {
    content: Children<'a, 'id>,
    next: usize,
}

impl<'a, 'id> Iterator for ChildrenIter<'a, 'id> {
    type Item = Ref<'a, Edge<'id>>;
    fn next(&mut self) -> Option<Self::Item> {
        let child = match self.content {
            Children::Binary(children) => children.get(self.next)?.borrowed(),
            Children::Sparse(entries) => entries.get(self.next)?.child.borrowed(),
        };
        self.next += 1;
        Some(child)
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        let length = match self.content {
            Children::Binary(children) => children.len(),
            Children::Sparse(entries) => entries.len(),
        };
        (length - self.next, Some(length - self.next))
    }
}

impl ExactSizeIterator for ChildrenIter<'_, '_> {}

impl<'id> InnerNode<Edge<'id>> for MddNode<'id> {
    const ARITY: usize = u32::MAX as usize;

    type ChildrenIter<'a>
        = ChildrenIter<'a, 'id>
    where
        Self: 'a;

    /// The node that maps 0, 1, … to `children`, which are all non-empty (unless there are exactly two).
    /// OxiDD's generic algorithms call this; the operations of this module build nodes with
    /// [`super::session::Session::node`].
    fn new(_level: LevelNo, children: impl IntoIterator<Item = Own<Edge<'id>>>) -> Self {
        let entries = children.into_iter().enumerate().map(|(value, child)| Entry { value: value as u32, child });
        let mut entries: Vec<Entry<'id>> = entries.collect();
        if entries.len() == 2
            && let (Some(one), Some(zero)) = (entries.pop(), entries.pop())
        {
            return Self::binary([zero.child, one.child]);
        }
        Self::sparse(entries.into_boxed_slice())
    }

    fn check_level(&self, _check: impl FnOnce(LevelNo) -> bool) -> bool {
        true
    }

    fn assert_level_matches(&self, _level: LevelNo) {}

    fn children(&self) -> Self::ChildrenIter<'_> {
        ChildrenIter { content: self.content(), next: 0 }
    }

    fn child(&self, n: usize) -> Ref<'_, Edge<'id>> {
        match self.content() {
            Children::Binary(children) => children[n].borrowed(),
            Children::Sparse(entries) => entries[n].child.borrowed(),
        }
    }

    unsafe fn set_child(&self, _n: usize, _child: Own<Edge<'id>>) -> Own<Edge<'id>> {
        unreachable!("only reordering replaces children, and nodes without a level cannot be reordered")
    }

    fn ref_count(&self) -> usize {
        self.references.load(Relaxed) as usize - 1
    }
}
