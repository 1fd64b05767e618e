//! The tools of a recursive diagram operation: owned edges that release themselves, child lists, node construction, the
//! operation cache, and the regular check for deadline, memory and garbage.
//!
//! Everything outside this folder that walks or builds diagrams does so through a [`Session`]; no other
//! code touches reference counts. The rule for callers: an edge that is used after a call that may create
//! nodes must be *held* ([`Held`], [`ChildList`]) or be a child of a node that is held. The borrow checker
//! enforces it, since [`EdgeRef`]s borrow from what keeps them alive. Under this rule a garbage collection
//! is legal in the middle of any recursion.

use super::diagram::{self, Manager, ManagerData, ManagerGuard};
use super::node::{Children, Edge, EdgeRef, Entry, MddNode};
use super::terminal::{Terminal, is_empty};
use crate::budget::{Budget, Exhausted};
use oxidd_core::util::Own;
use oxidd_core::{LevelView, Manager as _, Node};
use smallvec::SmallVec;
use std::cell::Cell;
use std::mem::ManuallyDrop;
use std::sync::atomic::Ordering::Relaxed;

/// Recursive calls between two looks at the clock and the node count.
const TICKS_PER_CHECK: u32 = 1 << 10;
/// Below this many nodes no garbage is collected, unless memory is limited: results that lead to garbage
/// are forgotten with it and computed again, which costs more than 300 MB of memory are worth.
const MIN_COLLECT_AT: usize = 1 << 23;
/// With a memory limit, the share of it (as bytes per node) that may fill before the first collection.
const LIMITED_BYTES_PER_NODE: u64 = 128;
/// Checks between two looks at the memory of the process, which need a system call.
const CHECKS_PER_MEMORY_CHECK: u32 = 8;

/// An owned edge; releases its reference when dropped.
pub(crate) struct Held<'m, 'id> {
    manager: &'m Manager<'id>,
    edge: ManuallyDrop<Own<Edge<'id>>>,
}

impl<'m, 'id> Held<'m, 'id> {
    #[inline(always)]
    fn new(manager: &'m Manager<'id>, edge: Own<Edge<'id>>) -> Self {
        Held { manager, edge: ManuallyDrop::new(edge) }
    }

    /// Borrow the edge.
    #[inline(always)]
    pub(crate) fn edge(&self) -> EdgeRef<'_, 'id> {
        self.edge.borrowed()
    }

    /// Is this the empty set?
    #[inline(always)]
    pub(crate) fn is_empty(&self) -> bool {
        is_empty(self.edge())
    }

    /// The manager that owns the edge.
    pub(super) fn manager(&self) -> &'m Manager<'id> {
        self.manager
    }

    #[inline(always)]
    pub(super) fn into_own(self) -> Own<Edge<'id>> {
        let mut this = ManuallyDrop::new(self);
        let manager = this.manager;
        let edge = std::mem::replace(&mut this.edge, ManuallyDrop::new(empty_edge(manager)));
        ManuallyDrop::into_inner(edge)
    }
}

impl Clone for Held<'_, '_> {
    #[inline(always)]
    fn clone(&self) -> Self {
        Held::new(self.manager, self.manager.clone_edge(self.edge()))
    }
}

impl Drop for Held<'_, '_> {
    #[inline(always)]
    fn drop(&mut self) {
        let edge = std::mem::replace(&mut self.edge, ManuallyDrop::new(empty_edge(self.manager)));
        self.manager.drop_edge(ManuallyDrop::into_inner(edge));
    }
}

/// The terminal ∅: not counted, and its static manager cannot fail to hand it out.
#[inline(always)]
fn empty_edge<'id>(manager: &Manager<'id>) -> Own<Edge<'id>> {
    match diagram::terminal(manager, Terminal::Empty) {
        Ok(edge) => edge,
        Err(_) => unreachable!("static terminals are never allocated"),
    }
}

/// The children of a node under construction: values with owned, non-empty edges, sorted by value.
pub(crate) struct ChildList<'m, 'id> {
    manager: &'m Manager<'id>,
    entries: SmallVec<[Entry<'id>; 4]>,
}

impl<'m, 'id> ChildList<'m, 'id> {
    /// Number of entries.
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Is there no entry, that is, does this list denote ∅?
    #[inline(always)]
    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The value at a position.
    #[inline(always)]
    pub(crate) fn value(&self, position: usize) -> u32 {
        self.entries[position].value
    }

    /// The child at a position.
    #[inline(always)]
    pub(crate) fn child(&self, position: usize) -> EdgeRef<'_, 'id> {
        self.entries[position].child.borrowed()
    }

    /// An owned copy of the child at a position.
    #[inline(always)]
    pub(crate) fn child_held(&self, position: usize) -> Held<'m, 'id> {
        Held::new(self.manager, self.manager.clone_edge(self.child(position)))
    }

    /// The index of `value`, or the index at which it is to be inserted.
    #[inline(always)]
    pub(crate) fn position(&self, value: u32) -> Result<usize, usize> {
        self.entries.binary_search_by_key(&value, |entry| entry.value)
    }

    /// Append an entry; `value` is above all values in the list. An empty child is left out.
    #[inline(always)]
    pub(crate) fn push(&mut self, value: u32, child: Held<'m, 'id>) {
        if !child.is_empty() {
            debug_assert!(self.entries.last().is_none_or(|last| last.value < value));
            self.entries.push(Entry { value, child: child.into_own() });
        }
    }

    /// Insert an entry at the position that [`ChildList::position`] gave. The child is not empty.
    #[inline(always)]
    pub(crate) fn insert(&mut self, position: usize, value: u32, child: Held<'m, 'id>) {
        debug_assert!(!child.is_empty());
        self.entries.insert(position, Entry { value, child: child.into_own() });
    }

    /// Replace the child at a position by another, non-empty one.
    #[inline(always)]
    pub(crate) fn replace(&mut self, position: usize, child: Held<'m, 'id>) {
        debug_assert!(!child.is_empty());
        let old = std::mem::replace(&mut self.entries[position].child, child.into_own());
        self.manager.drop_edge(old);
    }
}

impl Drop for ChildList<'_, '_> {
    #[inline]
    fn drop(&mut self) {
        for entry in self.entries.drain(..) {
            self.manager.drop_edge(entry.child);
        }
    }
}

/// Iterator over the (value, non-empty child) pairs of a node, by increasing value.
#[derive(Clone)]
pub(crate) enum Pairs<'a, 'id> {
    /// The two children of values 0 and 1, and the next value.
    Binary(&'a [Own<Edge<'id>>; 2], u32),
    /// The remaining entries.
    Sparse(std::slice::Iter<'a, Entry<'id>>),
}

impl<'a, 'id> Iterator for Pairs<'a, 'id> {
    type Item = (u32, EdgeRef<'a, 'id>);
    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Pairs::Binary(children, next) => {
                while *next < 2 {
                    let value = *next;
                    *next += 1;
                    let child = children[value as usize].borrowed();
                    if !is_empty(child) {
                        return Some((value, child));
                    }
                }
                None
            }
            Pairs::Sparse(entries) => entries.next().map(|entry| (entry.value, entry.child.borrowed())),
        }
    }
}

/// See the module documentation.
pub(crate) struct Session<'m, 'id> {
    pub(super) manager: &'m Manager<'id>,
    data: &'m ManagerData<'id>,
    guard: ManagerGuard,
    budget: &'m Budget,
    ticks: Cell<u32>,
    /// Uncached calls of this session, up to the last check.
    work: Cell<u64>,
}

impl<'m, 'id> Session<'m, 'id> {
    /// A session on `manager` under `budget`, in a turn of its own, which is waited for while the budget lasts.
    pub(crate) fn new(manager: &'m Manager<'id>, budget: &'m Budget) -> Result<Self, Exhausted> {
        let data: &ManagerData<'id> = manager.as_ref();
        Ok(Session::locked(manager, ManagerGuard::take(&data.lock, budget)?, budget))
    }

    /// A session whose turn is waited for however long that takes.
    pub(crate) fn patient(manager: &'m Manager<'id>, budget: &'m Budget) -> Self {
        let data: &ManagerData<'id> = manager.as_ref();
        Session::locked(manager, ManagerGuard::wait(&data.lock), budget)
    }

    fn locked(manager: &'m Manager<'id>, guard: ManagerGuard, budget: &'m Budget) -> Self {
        let data: &ManagerData<'id> = manager.as_ref();
        Session { manager, data, guard, budget, ticks: Cell::new(data.ticks.load(Relaxed)), work: Cell::new(0) }
    }

    /// Number of levels (variables).
    #[inline(always)]
    pub(crate) fn levels(&self) -> u32 {
        self.manager.num_levels()
    }

    /// The empty set.
    #[inline(always)]
    pub(crate) fn empty(&self) -> Held<'m, 'id> {
        Held::new(self.manager, empty_edge(self.manager))
    }

    /// The set that contains the empty tuple: what lies below the last level.
    #[inline(always)]
    pub(crate) fn unit(&self) -> Held<'m, 'id> {
        match diagram::terminal(self.manager, Terminal::Unit) {
            Ok(edge) => Held::new(self.manager, edge),
            Err(_) => unreachable!("static terminals are never allocated"),
        }
    }

    /// An owned copy of an edge.
    #[inline(always)]
    pub(crate) fn hold(&self, edge: EdgeRef<'_, 'id>) -> Held<'m, 'id> {
        Held::new(self.manager, self.manager.clone_edge(edge))
    }

    /// An empty child list.
    #[inline(always)]
    pub(crate) fn list(&self) -> ChildList<'m, 'id> {
        ChildList { manager: self.manager, entries: SmallVec::new() }
    }

    /// The content of the node an edge leads to; no entries for a terminal.
    #[inline(always)]
    pub(crate) fn children<'a>(&self, edge: EdgeRef<'a, 'id>) -> Children<'a, 'id>
    where
        'm: 'a,
    {
        match self.manager.get_node(edge) {
            Node::Inner(node) => node.content(),
            Node::Terminal(_) => Children::Sparse(&[]),
        }
    }

    /// The (value, non-empty child) pairs of a node, by increasing value; none for a terminal.
    #[inline(always)]
    pub(crate) fn pairs<'a>(&self, edge: EdgeRef<'a, 'id>) -> Pairs<'a, 'id>
    where
        'm: 'a,
    {
        match self.children(edge) {
            Children::Binary(children) => Pairs::Binary(children, 0),
            Children::Sparse(entries) => Pairs::Sparse(entries.iter()),
        }
    }

    /// The child for one value, if not empty.
    #[inline]
    pub(crate) fn child<'a>(&self, edge: EdgeRef<'a, 'id>, value: u32) -> Option<EdgeRef<'a, 'id>>
    where
        'm: 'a,
    {
        match self.children(edge) {
            Children::Binary(children) => {
                children.get(value as usize).map(|child| child.borrowed()).filter(|&child| !is_empty(child))
            }
            Children::Sparse(entries) => {
                let position = entries.binary_search_by_key(&value, |entry| entry.value).ok()?;
                Some(entries[position].child.borrowed())
            }
        }
    }

    /// The node with the given children on `level`.
    #[inline]
    pub(crate) fn node(&self, level: u32, mut list: ChildList<'m, 'id>) -> Result<Held<'m, 'id>, Exhausted> {
        let Some(last) = list.entries.last() else { return Ok(self.empty()) };
        let node = if last.value <= 1 {
            let one = last.value == 1;
            match (list.entries.pop(), list.entries.pop()) {
                (Some(one), Some(zero)) => MddNode::binary([zero.child, one.child]),
                (Some(only), None) if one => MddNode::binary([empty_edge(self.manager), only.child]),
                (Some(only), None) => MddNode::binary([only.child, empty_edge(self.manager)]),
                (None, _) => unreachable!("the list has a last entry"),
            }
        } else if list.entries.len() == 1
            && let Some(entry) = list.entries.pop()
        {
            MddNode::single(entry)
        } else {
            MddNode::sparse(list.entries.drain(..).collect())
        };
        self.insert(level, node)
    }

    /// The node with these children of values 0 and 1 (∅ if both are).
    #[inline]
    pub(crate) fn binary_node(
        &self,
        level: u32,
        zero: Held<'m, 'id>,
        one: Held<'m, 'id>,
    ) -> Result<Held<'m, 'id>, Exhausted> {
        if zero.is_empty() && one.is_empty() {
            return Ok(zero);
        }
        self.insert(level, MddNode::binary([zero.into_own(), one.into_own()]))
    }

    #[inline(always)]
    fn insert(&self, level: u32, node: MddNode<'id>) -> Result<Held<'m, 'id>, Exhausted> {
        match self.manager.level(level).get_or_insert(node) {
            Ok(edge) => Ok(Held::new(self.manager, edge)),
            Err(_) => Err(Exhausted::Memory),
        }
    }

    /// Look up an operation. Operators with fewer operands repeat one of them.
    #[inline(always)]
    pub(crate) fn cached(&self, operator: u32, operands: [EdgeRef<'_, 'id>; 3]) -> Option<Held<'m, 'id>> {
        self.data.cache.get(&self.guard, self.manager, operator, operands).map(|edge| Held::new(self.manager, edge))
    }

    /// Remember the result of an operation.
    #[inline(always)]
    pub(crate) fn remember(&self, operator: u32, operands: [EdgeRef<'_, 'id>; 3], result: &Held<'m, 'id>) {
        self.data.cache.put(&self.guard, operator, operands, result.edge());
    }

    /// Reserve `count` consecutive operator numbers for cached operations; the first is returned. `None`
    /// when 2^32 numbers have been handed out.
    pub(crate) fn reserve_operators(&self, count: u32) -> Result<u32, Exhausted> {
        let reserved = self.data.next_operator.fetch_update(Relaxed, Relaxed, |next| next.checked_add(count));
        reserved.map_err(|_| Exhausted::Memory)
    }

    /// The budget of all that is done here.
    pub(crate) fn budget(&self) -> &'m Budget {
        self.budget
    }

    /// Is there time left? For callers that do something long between two ticks.
    pub(crate) fn check_time(&self) -> Result<(), Exhausted> {
        self.budget.check()
    }

    /// To be called once per uncached recursive call: every so often looks at the clock, the cancellation
    /// flags and the memory, and collects garbage when the number of nodes has doubled.
    #[inline(always)]
    pub(crate) fn tick(&self) -> Result<(), Exhausted> {
        let ticks = self.ticks.get().wrapping_add(1);
        self.ticks.set(ticks);
        if ticks.is_multiple_of(TICKS_PER_CHECK) { self.check() } else { Ok(()) }
    }

    /// [`tick`](Self::tick) for operations that make no nodes: a full store does not end them.
    #[inline(always)]
    pub(crate) fn tick_reading(&self) -> Result<(), Exhausted> {
        let ticks = self.ticks.get().wrapping_add(1);
        self.ticks.set(ticks);
        if ticks.is_multiple_of(TICKS_PER_CHECK) { self.check_budget() } else { Ok(()) }
    }

    #[cold]
    fn check_budget(&self) -> Result<(), Exhausted> {
        self.budget.check()?;
        self.work.set(self.work.get() + u64::from(TICKS_PER_CHECK));
        if self.budget.work().is_some_and(|limit| self.work.get() > limit) {
            return Err(Exhausted::Work);
        }
        Ok(())
    }

    #[cold]
    fn check(&self) -> Result<(), Exhausted> {
        self.check_budget()?;
        let nodes = self.manager.approx_num_inner_nodes();
        self.data.peak_nodes.fetch_max(nodes, Relaxed);
        let resident = match self.budget.memory() {
            Some(_) if self.ticks.get().is_multiple_of(CHECKS_PER_MEMORY_CHECK * TICKS_PER_CHECK) => {
                crate::memory::resident_bytes().unwrap_or(0)
            }
            _ => 0,
        };
        let limit = self.budget.memory().unwrap_or(u64::MAX);
        let over_memory = resident > limit.max(self.data.tolerated_bytes.load(Relaxed));
        let least = MIN_COLLECT_AT.min((limit / LIMITED_BYTES_PER_NODE) as usize).min(self.data.capacity / 2);
        if nodes < self.data.collect_at.load(Relaxed).max(least) && !over_memory {
            return Ok(());
        }
        if diagram::collect(self.manager).is_none() {
            return Ok(()); // another thread is at it
        }
        let live = self.manager.approx_num_inner_nodes();
        let room = self.data.capacity.saturating_sub(live);
        if room < self.data.capacity / 16 {
            return Err(Exhausted::Memory);
        }
        let mut next = (2 * live).min(live + room / 2);
        if over_memory {
            // Freed slots are used again, but hardly any memory goes back to the system. So go on if enough
            // slots were freed, collect again before new ones would be needed, and let the process grow by
            // a little only.
            if live > nodes - nodes / 4 || resident > limit.saturating_add(limit / 4) {
                return Err(Exhausted::Memory);
            }
            self.data.tolerated_bytes.store(resident.saturating_add(limit / 16), Relaxed);
            next = (live + live / 2).min(self.data.peak_nodes.load(Relaxed));
        }
        self.data.collect_at.store(next.max(1), Relaxed);
        Ok(())
    }
}

impl Drop for Session<'_, '_> {
    fn drop(&mut self) {
        self.data.ticks.store(self.ticks.get(), Relaxed);
    }
}
