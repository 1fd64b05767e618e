//! The operation cache: results of earlier recursive calls, keyed by operator and operands.
//!
//! A direct-mapped table of fixed capacity whose *used* part grows: the memory comes zeroed from the
//! operating system and is committed page by page when first touched, and the index mask doubles whenever
//! about as many results were stored since the last doubling as there are slots. Doubling needs no
//! rehashing: half of the entries are still at their index under the longer mask, the rest are forgotten.
//! So a small problem stays within a few pages, and a large one gets a large cache.
//!
//! Entries hold edges *without* counting references, so a garbage collection must not find them. OxiDD
//! announces a collection, upon which the cache is paused: lookups miss and stores are dropped until it is
//! over. Entries all of whose nodes will survive the collection ([`super::garbage`]) are kept, their edges
//! counted for the time being; all others are dropped. (Dropping everything instead made the slotted ring of
//! 100 nodes eight times slower: results near the bottom of the diagram are reused most.)
//!
//! OxiDD's own `DMApplyCache` has the same scheme with a fixed table that is written in full at creation
//! (100 MB and 30 ms for 2^22 entries, more than many models need in total).

use super::diagram::{Edge, EdgeRef, Manager};
use super::garbage::Garbage;
use super::node::mix;
use oxidd_core::Manager as _;
use oxidd_core::util::{Own, Ref};
use std::alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error};
use std::cell::UnsafeCell;
use std::marker::PhantomData;
use std::ptr::NonNull;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release, SeqCst};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize};

/// Size of the used part at the start, in entries.
const INITIAL_ENTRIES: usize = 1 << 13;

const EMPTY: u32 = 0;
const LOCK: u32 = 1;
const FULL: u32 = 2;

/// Up to three operands; unused places are filled with the terminal ∅ by convention of the operator.
pub(crate) type Operands<'a, 'id> = [EdgeRef<'a, 'id>; 3];

#[derive(Clone, Copy)]
struct Payload<'id> {
    operator: u32,
    operands: [Edge<'id>; 3],
    result: Edge<'id>,
}

#[repr(C)]
struct Entry<'id> {
    /// [`EMPTY`] (fresh memory) or [`FULL`], plus [`LOCK`] while a thread works on the entry.
    state: AtomicU32,
    payload: UnsafeCell<Payload<'id>>,
}

/// See the module documentation.
pub(crate) struct OperationCache<'id> {
    entries: NonNull<Entry<'id>>,
    capacity: usize,
    mask: AtomicUsize,
    /// Stores since the used part last grew. Approximate: updates may be lost between threads.
    stores: AtomicUsize,
    paused: AtomicBool,
    /// Entries that the present collection looks at.
    swept: AtomicUsize,
    owns: PhantomData<Entry<'id>>,
}

// SAFETY: the payload of an entry is accessed only while its lock bit is held.
unsafe impl Send for OperationCache<'_> {}
// SAFETY: as above.
unsafe impl Sync for OperationCache<'_> {}

impl<'id> OperationCache<'id> {
    /// A cache that may grow to `capacity` entries (rounded to a power of two), or fewer if the system does
    /// not grant the memory.
    pub(crate) fn new(capacity: usize) -> Self {
        let mut capacity = capacity.clamp(INITIAL_ENTRIES, 1 << 28).next_power_of_two();
        let entries = loop {
            let layout = Self::layout(capacity);
            // SAFETY: the layout is not empty. All-zero is a valid `Entry`: unlocked and empty; its payload
            // (plain integers) is not read.
            let memory = unsafe { alloc_zeroed(layout) }.cast::<Entry<'id>>();
            match NonNull::new(memory) {
                Some(entries) => break entries,
                None if capacity > INITIAL_ENTRIES => capacity /= 2,
                None => handle_alloc_error(layout),
            }
        };
        OperationCache {
            entries,
            capacity,
            mask: AtomicUsize::new(INITIAL_ENTRIES - 1),
            stores: AtomicUsize::new(0),
            paused: AtomicBool::new(false),
            swept: AtomicUsize::new(0),
            owns: PhantomData,
        }
    }

    fn layout(capacity: usize) -> Layout {
        // `capacity` is at most 2^28, so the size fits.
        Layout::array::<Entry<'id>>(capacity).unwrap_or(Layout::new::<Entry<'id>>())
    }

    /// Bytes of one entry.
    pub(crate) const ENTRY_BYTES: usize = std::mem::size_of::<Entry<'static>>();

    #[inline(always)]
    fn entry(&self, operator: u32, operands: &Operands<'_, 'id>) -> &Entry<'id> {
        let [a, b, c] = operands.map(|e| u64::from(e.raw().raw()));
        let hash = mix(mix(0, u64::from(operator) << 32 | a), b << 32 | c);
        // Acquire: a thread that sees a mask longer than the one `pause` saw also sees the pause.
        let index = (hash ^ (hash >> 32)) as usize & self.mask.load(Acquire);
        // SAFETY: the mask is below the capacity.
        unsafe { self.entries.add(index).as_ref() }
    }

    /// The stored result of `operator` on `operands`.
    #[inline(always)]
    pub(crate) fn get(
        &self,
        manager: &Manager<'id>,
        operator: u32,
        operands: Operands<'_, 'id>,
    ) -> Option<Own<Edge<'id>>> {
        let entry = self.entry(operator, &operands);
        // Most misses are seen here, without writing to the entry.
        if entry.state.load(Relaxed) != FULL
            || entry.state.compare_exchange(FULL, FULL | LOCK, SeqCst, Relaxed).is_err()
        {
            return None;
        }
        // SAFETY: we hold the lock of the entry, and it is full, so the payload was written.
        let payload = unsafe { &*entry.payload.get() };
        let mut result = None;
        if payload.operator == operator && payload.operands == operands.map(|e| e.raw()) && !self.paused.load(SeqCst) {
            // SAFETY: the result was alive when stored. A collection since then either dropped the entry
            // or kept the result alive; none is going on, since that would have paused the cache and
            // acquired the lock of every entry before freeing anything.
            result = Some(manager.clone_edge(unsafe { Ref::from_raw(payload.result) }));
        }
        entry.state.store(FULL, Release);
        result
    }

    /// Remember that `operator` on `operands` gives `result`.
    #[inline(always)]
    pub(crate) fn put(&self, operator: u32, operands: Operands<'_, 'id>, result: EdgeRef<'_, 'id>) {
        let entry = self.entry(operator, &operands);
        let state = entry.state.load(Relaxed);
        if state & LOCK != 0 || entry.state.compare_exchange(state, state | LOCK, SeqCst, Relaxed).is_err() {
            return; // another thread is using this entry; a cache may forget
        }
        if self.paused.load(SeqCst) {
            entry.state.store(state, Release);
            return;
        }
        // SAFETY: we hold the lock of the entry.
        unsafe {
            *entry.payload.get() = Payload { operator, operands: operands.map(|e| e.raw()), result: result.raw() }
        };
        entry.state.store(FULL, Release);
        let stores = self.stores.load(Relaxed) + 1;
        self.stores.store(stores, Relaxed);
        if stores > self.mask.load(Relaxed) {
            self.grow();
        }
    }

    #[cold]
    fn grow(&self) {
        let mask = self.mask.load(SeqCst);
        let longer = mask * 2 + 1;
        // Growing while paused would let entries escape the sweep of `pause`.
        if longer < self.capacity && !self.paused.load(SeqCst) {
            let _ = self.mask.compare_exchange(mask, longer, SeqCst, Relaxed);
        }
        self.stores.store(0, Relaxed);
    }

    /// Prepare a garbage collection: stop serving, drop entries with nodes that are garbage, and count the
    /// edges of the others so that they stay in any case.
    pub(crate) fn pause(&self, manager: &Manager<'id>) {
        self.paused.store(true, SeqCst);
        let garbage = Garbage::find(manager);
        // A thread that saw no pause may just be doubling the used part, and another one store there: look
        // at twice its size. It cannot be doubled again, since all of this is sequentially consistent.
        let swept = self.capacity.min((self.mask.load(SeqCst) + 1) * 2);
        self.swept.store(swept, SeqCst);
        for index in 0..swept {
            self.locked(index, |payload| {
                let edges = payload.edges();
                let alive = !edges.iter().any(|&edge| garbage.contains(edge));
                if alive {
                    edges.into_iter().for_each(|edge| std::mem::forget(manager.clone_edge(edge)));
                }
                alive
            });
        }
    }

    /// After a garbage collection: release what [`OperationCache::pause`] counted, and serve again.
    pub(crate) fn resume(&self, manager: &Manager<'id>) {
        for index in 0..self.swept.load(SeqCst) {
            self.locked(index, |payload| {
                // SAFETY: `pause` forgot one owned edge for each of these, and while paused no entry is
                // stored or dropped, so these are the same entries.
                let release = |edge: EdgeRef<'_, 'id>| manager.drop_edge(unsafe { Own::from_raw(edge.raw()) });
                payload.edges().into_iter().for_each(release);
                true
            });
        }
        self.paused.store(false, SeqCst);
    }

    /// Lock the entry at `index` and, if it is full, call `keep` with its payload; drop it if that says no.
    ///
    /// A thread that locks the entry afterwards sees `paused` if that was set before (both sides use
    /// sequentially consistent operations).
    #[inline(always)]
    fn locked(&self, index: usize, keep: impl FnOnce(&Payload<'id>) -> bool) {
        // SAFETY: callers stay below the capacity.
        let entry = unsafe { self.entries.add(index).as_ref() };
        let mut state = entry.state.load(SeqCst);
        if state == EMPTY {
            return; // whoever fills it from now on sees `paused` first
        }
        while state & LOCK != 0 || entry.state.compare_exchange(state, state | LOCK, SeqCst, Relaxed).is_err() {
            std::hint::spin_loop();
            state = entry.state.load(SeqCst);
        }
        // SAFETY: we hold the lock.
        let kept = state == FULL && keep(unsafe { &*entry.payload.get() });
        entry.state.store(if kept { FULL } else { EMPTY }, Release);
    }
}

impl<'id> Payload<'id> {
    /// Operands and result. Valid to look at while the cache is paused and before nodes are freed, or when
    /// counted.
    #[inline(always)]
    fn edges(&self) -> [EdgeRef<'_, 'id>; 4] {
        let [a, b, c] = self.operands;
        // SAFETY: all four were alive when stored; a collection drops entries before it frees nodes.
        [a, b, c, self.result].map(|edge| unsafe { Ref::from_raw(edge) })
    }
}

impl Drop for OperationCache<'_> {
    fn drop(&mut self) {
        // SAFETY: allocated in `new` with this layout; entries need no drop.
        unsafe { dealloc(self.entries.as_ptr().cast(), Self::layout(self.capacity)) };
    }
}
