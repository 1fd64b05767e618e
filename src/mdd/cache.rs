//! The operation cache: results of earlier recursive calls, keyed by operator and operands.
//!
//! A direct-mapped table of fixed capacity whose *used* part grows: the memory comes zeroed from the
//! operating system and is committed page by page when first touched, and the index mask doubles whenever
//! about as many results were stored since the last doubling as there are slots. Doubling needs no
//! rehashing: half of the entries are still at their index under the longer mask, the rest are forgotten.
//! So a small problem stays within a few pages, and a large one gets a large cache.
//!
//! Entries hold edges *without* counting references. Before a collection frees nodes, the entries with nodes
//! that are garbage ([`super::garbage`]) are dropped and all others kept. (Dropping everything instead made
//! the slotted ring of 100 nodes eight times slower: results near the bottom of the diagram are reused most.)
//!
//! A turn ([`super::manager_lock`]) is asked for as a proof that no other thread looks at the cache.
//!
//! OxiDD's own `DMApplyCache` has the same scheme with a fixed table that is written in full at creation
//! (100 MB and 30 ms for 2^22 entries, more than many models need in total).

use super::garbage::Garbage;
use super::manager_lock::ManagerGuard;
use super::node::{Edge, EdgeRef, MddNode, mix};
use oxidd_core::Manager;
use oxidd_core::util::{Own, Ref};
use std::alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error};
use std::cell::{Cell, UnsafeCell};
use std::marker::PhantomData;
use std::ptr::NonNull;

/// Size of the used part at the start, in entries.
const INITIAL_ENTRIES: usize = 1 << 13;

/// Bytes of the used part from which on large pages are asked for, and of a large page.
const LARGE_PAGES: usize = 4 << 20;
#[cfg(all(target_os = "linux", not(miri)))]
const LARGE_PAGE: usize = 2 << 20;

/// Operator of an unused entry: what fresh memory holds.
const UNUSED: u32 = 0;

/// Up to three operands; unused places repeat one of them.
type Operands<'a, 'id> = [EdgeRef<'a, 'id>; 3];

#[derive(Clone, Copy)]
#[repr(C)]
struct Entry<'id> {
    /// The operator, or [`UNUSED`].
    operator: u32,
    operands: [Edge<'id>; 3],
    result: Edge<'id>,
}

/// See the module documentation.
pub(super) struct OperationCache<'id> {
    entries: NonNull<UnsafeCell<Entry<'id>>>,
    capacity: usize,
    mask: Cell<usize>,
    /// Stores since the used part last grew.
    stores: Cell<usize>,
    owns: PhantomData<Entry<'id>>,
}

// SAFETY: the entries are plain integers, and owned.
unsafe impl Send for OperationCache<'_> {}
// SAFETY: whatever looks at the cells or entries asks for the turn of the thread in the space of this cache.
unsafe impl Sync for OperationCache<'_> {}

impl<'id> OperationCache<'id> {
    /// A cache that may grow to `capacity` entries (rounded to a power of two), or fewer if the system does
    /// not grant the memory.
    pub(super) fn new(capacity: usize) -> Self {
        let mut capacity = capacity.clamp(INITIAL_ENTRIES, 1 << 28).next_power_of_two();
        let entries = loop {
            let layout = Self::layout(capacity);
            // SAFETY: the layout is not empty. All-zero is a valid `Entry`: unused, and otherwise plain
            // integers that are not read.
            let memory = unsafe { alloc_zeroed(layout) }.cast::<UnsafeCell<Entry<'id>>>();
            match NonNull::new(memory) {
                Some(entries) => break entries,
                None if capacity > INITIAL_ENTRIES => capacity /= 2,
                None => handle_alloc_error(layout),
            }
        };
        OperationCache {
            entries,
            capacity,
            mask: Cell::new(INITIAL_ENTRIES - 1),
            stores: Cell::new(0),
            owns: PhantomData,
        }
    }

    fn layout(capacity: usize) -> Layout {
        // `capacity` is at most 2^28, so the size fits.
        Layout::array::<UnsafeCell<Entry<'id>>>(capacity).unwrap_or(Layout::new::<Entry<'id>>())
    }

    /// Bytes of one entry.
    pub(super) const ENTRY_BYTES: usize = std::mem::size_of::<Entry<'static>>();

    /// The place of the entry of an operation. Nodes with close numbers, which are often asked for one after the other,
    /// have close places: a place elsewhere is a miss of the processor's caches.
    #[inline(always)]
    fn entry(&self, operator: u32, operands: &Operands<'_, 'id>) -> *mut Entry<'id> {
        let [a, b, c] = operands.map(|e| e.raw().raw());
        let apart = u64::from(b.wrapping_sub(a)) << 32 | u64::from(c.wrapping_sub(a));
        let hash = mix(mix(0, operator.into()), apart);
        let index = ((hash ^ (hash >> 32)) as usize).wrapping_add(a as usize) & self.mask.get();
        // SAFETY: the mask is below the capacity.
        unsafe { self.entries.add(index).as_ref() }.get()
    }

    /// The stored result of `operator` on `operands`.
    #[inline(always)]
    pub(super) fn get<R>(
        &self,
        _guard: &ManagerGuard<R>,
        manager: &impl Manager<Edge = Edge<'id>>,
        operator: u32,
        operands: Operands<'_, 'id>,
    ) -> Option<Own<Edge<'id>>> {
        // SAFETY: it is our turn, and no reference into the table outlives a call.
        let entry = unsafe { &*self.entry(operator, &operands) };
        if entry.operator != operator || entry.operands != operands.map(|e| e.raw()) {
            return None;
        }
        // SAFETY: the result was alive when stored, and a collection since then has either dropped the entry or
        // kept the result.
        Some(manager.clone_edge(unsafe { Ref::from_raw(entry.result) }))
    }

    /// Remember that `operator` (not 0) on `operands` gives `result`.
    #[inline(always)]
    pub(super) fn put<R>(
        &self,
        _guard: &ManagerGuard<R>,
        operator: u32,
        operands: Operands<'_, 'id>,
        result: EdgeRef<'_, 'id>,
    ) {
        let entry = Entry { operator, operands: operands.map(|e| e.raw()), result: result.raw() };
        // SAFETY: it is our turn, and no reference into the table outlives a call.
        unsafe { *self.entry(operator, &operands) = entry };
        self.stores.set(self.stores.get() + 1);
        if self.stores.get() > self.mask.get() {
            self.grow();
        }
    }

    #[cold]
    fn grow(&self) {
        let (used, longer) = (self.mask.get() + 1, self.mask.get() * 2 + 1);
        if longer < self.capacity {
            self.mask.set(longer);
            if used * Self::ENTRY_BYTES >= LARGE_PAGES {
                self.prefer_large_pages(used);
            }
        }
        self.stores.set(0);
    }

    /// Ask for large pages for the second half of the used part, none of which was touched before and which has as many
    /// entries as the first: lookups are scattered, and each would miss the table of small ones.
    fn prefer_large_pages(&self, half: usize) {
        #[cfg(all(target_os = "linux", not(miri)))]
        {
            let bytes = half * Self::ENTRY_BYTES;
            let start = self.entries.as_ptr() as usize + bytes;
            let from = start.next_multiple_of(LARGE_PAGE);
            let length = (start + bytes).saturating_sub(from);
            // SAFETY: the range is within the table, and advice changes nothing that it holds. A refusal does no harm.
            unsafe { libc::madvise(from as *mut libc::c_void, length, libc::MADV_HUGEPAGE) };
        }
        #[cfg(not(all(target_os = "linux", not(miri))))]
        let _ = half;
    }

    /// Drop the entries with nodes that a collection now would free.
    pub(super) fn forget_garbage<R>(
        &self,
        _guard: &ManagerGuard<R>,
        manager: &impl Manager<Edge = Edge<'id>, InnerNode = MddNode<'id>>,
    ) {
        let garbage = Garbage::find(manager);
        for index in 0..=self.mask.get() {
            // SAFETY: the mask is below the capacity; it is our turn, and no other reference is alive.
            let entry = unsafe { &mut *self.entries.add(index).as_ref().get() };
            if entry.operator == UNUSED {
                continue;
            }
            let [a, b, c] = entry.operands;
            // SAFETY: all four were alive when stored, and no node of the entry has been freed since.
            let edges = [a, b, c, entry.result].map(|edge| unsafe { Ref::from_raw(edge) });
            if edges.into_iter().any(|edge| garbage.contains(edge)) {
                entry.operator = UNUSED;
            }
        }
    }
}

impl Drop for OperationCache<'_> {
    fn drop(&mut self) {
        // SAFETY: allocated in `new` with this layout; entries need no drop.
        unsafe { dealloc(self.entries.as_ptr().cast(), Self::layout(self.capacity)) };
    }
}
