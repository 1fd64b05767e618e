//! The public face of the diagrams: spaces, sets, and the set algebra.

use super::diagram::{self, ManagerRef, Root};
use super::operations::FIRST_FREE_OPERATOR;
use super::session::{Held, Session};
use super::terminal::is_empty;
use crate::budget::{Budget, Exhausted};
use oxidd_core::function::Function as _;
use oxidd_core::{Manager as _, ManagerRef as _};
use std::mem::ManuallyDrop;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

/// Bytes that a node takes on average: 16 in the store, 12 in the unique table at average load, and the
/// sparse entries of some.
const BYTES_PER_NODE: u64 = 32;
/// Node capacity without a memory limit: 2^30 nodes, 16 GiB of reserved address space.
const DEFAULT_NODE_CAPACITY: u32 = 1 << 30;
/// Node capacity under the smallest memory limits.
const MIN_NODE_CAPACITY: u32 = 1 << 16;
/// Cache capacity without a memory limit: 2^24 results, 400 MB when fully used.
const DEFAULT_CACHE_CAPACITY: u64 = 1 << 24;

/// Address space of the threads that OxiDD starts for each store: one with a stack of 1 GiB, and one to collect garbage.
const THREADS_BYTES: usize = (1 << 30) + (1 << 26);

/// The reason why an operation on sets has no result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SetError {
    /// The budget was used up.
    #[error(transparent)]
    Exhausted(#[from] Exhausted),
    /// The operands are sets of different spaces.
    #[error("the sets are of different diagram spaces")]
    OtherSpace,
    /// A tuple, or a relation, does not have as many components as the space.
    #[error("{components} components in a diagram space of {levels} levels")]
    Components {
        /// Components of the tuple or relation.
        components: usize,
        /// Levels of the space.
        levels: u32,
    },
}

/// A space of tuples: the manager that owns the nodes of all sets in it.
#[derive(Clone)]
pub struct MddManager {
    manager: ManagerRef,
}

/// The capacity for nodes, halved until the system grants as much address space as that many nodes take beside
/// a cache of that size and the threads; `None` if it does not for the least. OxiDD reserves its store and starts its
/// threads at once, and panics where that is refused: under a limit on the address space, or when the system does not
/// promise more memory than the machine has.
fn reservable(mut nodes: u32, cache_bytes: u64) -> Option<u32> {
    let granted = |nodes: u32| {
        let mut probe: Vec<u8> = Vec::new();
        let bytes = (u64::from(nodes) * BYTES_PER_NODE + cache_bytes) as usize;
        let thread = std::thread::Builder::new().stack_size(THREADS_BYTES);
        let granted = probe.try_reserve_exact(bytes).is_ok() && thread.spawn(|| ()).is_ok_and(|t| t.join().is_ok());
        // Or the compiler would see that the memory is not used and assume success.
        std::hint::black_box(&mut probe);
        granted
    };
    while !granted(nodes) {
        if nodes <= MIN_NODE_CAPACITY {
            return None;
        }
        nodes = (nodes / 2).max(MIN_NODE_CAPACITY);
    }
    Some(nodes)
}

impl MddManager {
    /// A space of tuples of `levels` components. The memory limit of `budget` sets its capacity.
    ///
    /// # Errors
    /// [`Exhausted::Memory`] where the system does not grant some 1.2 GiB of address space (of which next to nothing is
    /// used at first).
    pub fn new(levels: u32, budget: &Budget) -> Result<Self, Exhausted> {
        let (nodes, results) = match budget.memory() {
            Some(bytes) => (
                (bytes / BYTES_PER_NODE).clamp(u64::from(MIN_NODE_CAPACITY), u64::from(DEFAULT_NODE_CAPACITY)) as u32,
                bytes / 6 / super::cache::OperationCache::ENTRY_BYTES as u64,
            ),
            None => (DEFAULT_NODE_CAPACITY, DEFAULT_CACHE_CAPACITY),
        };
        // The largest power of two that stays within the share of the cache.
        let results = (results.min(DEFAULT_CACHE_CAPACITY) + 1).next_power_of_two() / 2;
        let cache_bytes = results * super::cache::OperationCache::ENTRY_BYTES as u64;
        let nodes = reservable(nodes, cache_bytes).ok_or(Exhausted::Memory)?;
        let manager = diagram::new_manager(nodes, results as usize, FIRST_FREE_OPERATOR);
        manager.with_manager_exclusive(|manager| manager.add_vars(levels));
        Ok(MddManager { manager })
    }

    /// Number of components of the tuples.
    pub fn levels(&self) -> u32 {
        self.manager.with_manager_shared(|manager| manager.num_levels())
    }

    /// The empty set.
    pub fn empty(&self) -> Mdd {
        let budget = Budget::unlimited();
        self.manager.with_manager_shared(|manager| Mdd::from_held(Session::patient(manager, &budget).empty()))
    }

    /// The set of one tuple, one value per level from the top.
    ///
    /// # Errors
    /// [`SetError::Components`] if there are not as many values as levels; when the budget is used up.
    pub fn tuple(&self, values: &[u32], budget: &Budget) -> Result<Mdd, SetError> {
        self.expect(values.len())?;
        self.run(budget, |session| {
            let mut below = session.unit();
            for level in (0..session.levels()).rev() {
                let mut list = session.list();
                list.push(values[level as usize], below);
                below = session.node(level, list)?;
            }
            Ok(below)
        })
    }

    /// Are there so many levels?
    pub(crate) fn expect(&self, components: usize) -> Result<(), SetError> {
        match self.levels() {
            levels if levels as usize == components => Ok(()),
            levels => Err(SetError::Components { components, levels }),
        }
    }

    /// Run an operation that builds a set from scratch.
    pub(crate) fn run<E: From<Exhausted>>(
        &self,
        budget: &Budget,
        operation: impl for<'m, 'id> FnOnce(&Session<'m, 'id>) -> Result<Held<'m, 'id>, E>,
    ) -> Result<Mdd, E> {
        self.manager.with_manager_shared(|manager| operation(&Session::new(manager, budget)?).map(Mdd::from_held))
    }

    /// Nodes in the store now, garbage included.
    pub fn node_count(&self) -> usize {
        self.manager.with_manager_shared(|manager| manager.num_inner_nodes())
    }

    /// Highest number of nodes in the store so far, garbage included.
    pub fn peak_nodes(&self) -> usize {
        self.manager.with_manager_shared(|manager| {
            let data: &diagram::ManagerData<'_> = manager.as_ref();
            // Sampled at intervals, so the present count may be higher.
            data.peak_nodes.load(Relaxed).max(manager.num_inner_nodes())
        })
    }

    /// Free the nodes of sets that no longer exist; returns how many. Waits for its turn, and for a collection
    /// that another thread has begun, since that one may have missed what became garbage meanwhile.
    pub fn collect_garbage(&self) -> usize {
        self.manager.with_manager_shared(|manager| {
            loop {
                match diagram::collect(manager) {
                    Some(freed) => return freed,
                    None => std::thread::yield_now(),
                }
            }
        })
    }
}

impl std::fmt::Debug for MddManager {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MddManager").field("levels", &self.levels()).finish_non_exhaustive()
    }
}

/// A set of tuples in an [`MddManager`]. Cloning is cheap; equality is equality of sets within one space.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Mdd {
    root: Arc<LockedRoot>,
}

/// A root that is dropped in a turn of its own (see [`super::turn`]).
#[derive(PartialEq, Eq, Hash)]
struct LockedRoot {
    root: ManuallyDrop<Root>,
}

impl Drop for LockedRoot {
    fn drop(&mut self) {
        // SAFETY: taken here only, and not used afterwards.
        let root = unsafe { ManuallyDrop::take(&mut self.root) };
        let lock = root.with_manager_shared(|manager, _| {
            let data: &diagram::ManagerData<'_> = manager.as_ref();
            Arc::clone(&data.lock)
        });
        lock.drop_root(root);
    }
}

impl Mdd {
    pub(crate) fn from_held(held: Held<'_, '_>) -> Self {
        let manager = held.manager();
        let root = ManuallyDrop::new(Root::from_edge(manager, held.into_own()));
        Mdd { root: Arc::new(LockedRoot { root }) }
    }

    fn root(&self) -> &Root {
        &self.root.root
    }

    /// The space this set lives in.
    pub fn space(&self) -> MddManager {
        MddManager { manager: self.root().manager_ref() }
    }

    /// Run an operation on this set that builds a set.
    pub(crate) fn run<E: From<Exhausted>>(
        &self,
        budget: &Budget,
        operation: impl for<'m, 'id> FnOnce(&Session<'m, 'id>, super::EdgeRef<'_, 'id>) -> Result<Held<'m, 'id>, E>,
    ) -> Result<Mdd, E> {
        self.root()
            .with_manager_shared(|manager, edge| operation(&Session::new(manager, budget)?, edge).map(Mdd::from_held))
    }

    /// Run an operation on this set that gives something else than a set.
    pub(crate) fn with_session<T, E: From<Exhausted>>(
        &self,
        budget: &Budget,
        operation: impl for<'m, 'id> FnOnce(&Session<'m, 'id>, super::EdgeRef<'_, 'id>) -> Result<T, E>,
    ) -> Result<T, E> {
        self.root().with_manager_shared(|manager, edge| operation(&Session::new(manager, budget)?, edge))
    }

    /// Look at this set without any limit.
    pub(crate) fn read<T>(&self, look: impl for<'m, 'id> FnOnce(&Session<'m, 'id>, super::EdgeRef<'_, 'id>) -> T) -> T {
        let budget = Budget::unlimited();
        self.root().with_manager_shared(|manager, edge| look(&Session::patient(manager, &budget), edge))
    }

    /// The root, for an operation of the same space that is running.
    ///
    /// # Errors
    /// [`SetError::OtherSpace`] if this set belongs to another space than the session.
    pub(crate) fn edge<'a, 'id>(&'a self, session: &Session<'_, 'id>) -> Result<super::EdgeRef<'a, 'id>, SetError> {
        match ManagerRef::from(session.manager) == self.root().manager_ref() {
            true => Ok(self.root().as_edge(session.manager)),
            false => Err(SetError::OtherSpace),
        }
    }

    /// Is this the empty set?
    pub fn is_empty(&self) -> bool {
        self.root().with_manager_shared(|_, edge| is_empty(edge))
    }

    /// The union with another set of the same space.
    ///
    /// # Errors
    /// [`SetError::OtherSpace`] for a set of another space; when the budget is used up.
    pub fn union(&self, other: &Mdd, budget: &Budget) -> Result<Mdd, SetError> {
        self.run(budget, |session, edge| Ok(session.union(0, edge, other.edge(session)?)?))
    }

    /// The intersection with another set of the same space.
    ///
    /// # Errors
    /// As [`Mdd::union`].
    pub fn intersection(&self, other: &Mdd, budget: &Budget) -> Result<Mdd, SetError> {
        self.run(budget, |session, edge| Ok(session.intersection(0, edge, other.edge(session)?)?))
    }

    /// This set without the tuples of another set of the same space.
    ///
    /// # Errors
    /// As [`Mdd::union`].
    pub fn difference(&self, other: &Mdd, budget: &Budget) -> Result<Mdd, SetError> {
        self.run(budget, |session, edge| Ok(session.difference(0, edge, other.edge(session)?)?))
    }

    /// Is every tuple of this set in `other`, a set of the same space?
    ///
    /// # Errors
    /// As [`Mdd::union`].
    pub fn is_subset(&self, other: &Mdd, budget: &Budget) -> Result<bool, SetError> {
        self.with_session(budget, |session, edge| Ok(session.is_subset(edge, other.edge(session)?)?))
    }

    /// Is the tuple in the set?
    pub fn contains(&self, tuple: &[u32]) -> bool {
        self.read(|session, root| {
            tuple.len() == session.levels() as usize
                && !is_empty(root)
                && tuple.iter().try_fold(root, |edge, &value| session.child(edge, value)).is_some()
        })
    }
}

impl std::fmt::Debug for Mdd {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Mdd").field("nodes", &self.size().nodes).finish_non_exhaustive()
    }
}
