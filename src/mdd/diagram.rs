//! Instantiation of OxiDD's index-based manager with our node type: type names, manager data.

use super::cache::OperationCache;
use super::manager_lock;
use super::node::{Edge, MddNode};
use super::terminal::{TERMINALS, Terminal};
use oxidd_core::util::{AllocResult, DropWith, Own};
use oxidd_core::{DiagramRules, InnerNode, LevelNo, ManagerEventSubscriber, ReducedOrNew};
use oxidd_manager_index::manager as index;
use oxidd_manager_index::terminal_manager::{StaticTerminalManager, StaticTerminalManagerCons};
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize};

type Terminals<'id> = StaticTerminalManager<'id, Terminal, MddNode<'id>, (), TERMINALS>;
pub(crate) type Manager<'id> =
    index::Manager<'id, MddNode<'id>, (), Terminals<'id>, MddRules, ManagerData<'id>, TERMINALS>;
pub(crate) type ManagerRef =
    index::ManagerRef<MddNodeCons, (), StaticTerminalManagerCons<Terminal>, MddRulesCons, ManagerDataCons, TERMINALS>;
/// An owned root, counted, usable outside the manager's lock.
pub(crate) type Root =
    index::Function<MddNodeCons, (), StaticTerminalManagerCons<Terminal>, MddRulesCons, ManagerDataCons, TERMINALS>;

/// The turns of a space: roots that are dropped in the turn of another thread are put aside.
pub(super) type ManagerLock = manager_lock::ManagerLock<Root>;
pub(super) type ManagerGuard = manager_lock::ManagerGuard<Root>;

pub(crate) struct MddNodeCons;
impl index::InnerNodeCons<()> for MddNodeCons {
    type T<'id> = MddNode<'id>;
}

pub(crate) struct MddRulesCons;
impl index::DiagramRulesCons<MddNodeCons, (), StaticTerminalManagerCons<Terminal>, ManagerDataCons, TERMINALS>
    for MddRulesCons
{
    type T<'id> = MddRules;
}

pub(crate) struct ManagerDataCons;
impl index::ManagerDataCons<MddNodeCons, (), StaticTerminalManagerCons<Terminal>, MddRulesCons, TERMINALS>
    for ManagerDataCons
{
    type T<'id> = ManagerData<'id>;
}

/// Quasi-reduction: no rule but uniqueness (and that a node without entries is ∅, which the constructor of
/// nodes sees to).
pub(crate) struct MddRules;

impl<E: oxidd_core::Edge, N: InnerNode<E>, T> DiagramRules<E, N, T> for MddRules {
    type Cofactors<'a>
        = N::ChildrenIter<'a>
    where
        E: 'a,
        N: 'a;

    fn reduce<M: oxidd_core::Manager<Edge = E, InnerNode = N, Terminal = T>>(
        _manager: &M,
        level: LevelNo,
        children: impl IntoIterator<Item = Own<E>>,
    ) -> ReducedOrNew<E, N> {
        ReducedOrNew::New(N::new(level, children), Default::default())
    }

    fn cofactors(_tag: E::Tag, node: &N) -> Self::Cofactors<'_> {
        node.children()
    }
}

/// Data of a manager beside its nodes.
pub(crate) struct ManagerData<'id> {
    pub(super) cache: OperationCache<'id>,
    /// The lock of the thread that works here.
    pub(super) lock: Arc<ManagerLock>,
    /// The next unused operator number (see [`super::session::Session::reserve_operators`]).
    pub(crate) next_operator: AtomicU32,
    /// Most nodes that the store can hold.
    pub(crate) capacity: usize,
    /// Where sessions left off counting their recursive calls, so that many short ones look at the clock
    /// and the memory as often as a long one.
    pub(crate) ticks: AtomicU32,
    /// Live nodes at which the next garbage collection is due.
    pub(crate) collect_at: AtomicUsize,
    /// Resident bytes put up with although the memory limit of the budget is lower: what was resident when
    /// a collection made room in the store, and some more.
    pub(crate) tolerated_bytes: AtomicU64,
    /// Highest number of nodes seen so far (sampled).
    pub(crate) peak_nodes: AtomicUsize,
}

impl<'id> AsRef<ManagerData<'id>> for ManagerData<'id> {
    fn as_ref(&self) -> &ManagerData<'id> {
        self
    }
}

impl<'id> DropWith<Edge<'id>> for ManagerData<'id> {
    fn drop_with(self, _drop_edge: impl Fn(Own<Edge<'id>>)) {
        // The cache holds uncounted edges only.
    }
}

impl<'id> ManagerEventSubscriber<Manager<'id>> for ManagerData<'id> {
    fn pre_gc(&self, manager: &Manager<'id>) {
        COLLECTS.set(true);
        self.lock.begin();
        self.cache.forget_garbage(&ManagerGuard::wait(&self.lock), manager);
    }
    unsafe fn post_gc(&self, _: &Manager<'id>) {
        self.lock.end();
    }
}

thread_local! {
    /// Set when this thread starts a garbage collection.
    static COLLECTS: Cell<bool> = const { Cell::new(false) };
}

/// Free the nodes that no counted edge leads to and return how many; `None` if another thread is about to
/// collect, in which case nothing was done. (OxiDD has a thread that collects when the store is nearly full.)
pub(crate) fn collect(manager: &Manager<'_>) -> Option<usize> {
    COLLECTS.set(false);
    let freed = oxidd_core::Manager::gc(manager);
    COLLECTS.get().then_some(freed)
}

/// An edge of the terminal `terminal`.
#[inline(always)]
pub(crate) fn terminal<'id>(manager: &Manager<'id>, terminal: Terminal) -> AllocResult<Own<Edge<'id>>> {
    oxidd_core::Manager::get_terminal(manager, terminal)
}

/// A manager for at most `node_capacity` nodes and about `cache_capacity` cached results, which gives operator numbers
/// from `next_operator` on.
pub(crate) fn new_manager(node_capacity: u32, cache_capacity: usize, next_operator: u32) -> ManagerRef {
    let data = ManagerData {
        cache: OperationCache::new(cache_capacity),
        lock: Arc::default(),
        next_operator: AtomicU32::new(next_operator),
        capacity: node_capacity as usize,
        ticks: AtomicU32::new(0),
        collect_at: AtomicUsize::new(0),
        tolerated_bytes: AtomicU64::new(0),
        peak_nodes: AtomicUsize::new(0),
    };
    index::new_manager(node_capacity, TERMINALS as u32, 1, data)
}
