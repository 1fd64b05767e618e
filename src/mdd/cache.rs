//! The operation cache: results of earlier recursive calls, keyed by operator and operands.
//!
//! A direct-mapped table of fixed capacity whose *used* part grows: the memory comes zeroed from the
//! operating system and is committed page by page when first touched, and the index mask doubles whenever
//! about as many results were stored since the last doubling as there are slots. Doubling needs no
//! rehashing: half of the entries are still at their index under the longer mask, the rest are forgotten.
//! So a small problem stays within a few pages, and a large one gets a large cache.
//!
//! Entries hold edges *without* counting references. They are therefore valid only between two garbage
//! collections: OxiDD announces a collection, upon which the cache is paused (lookups miss, stores are
//! dropped, and every entry has been waited for), and a collection ends with a new generation number, which
//! makes all entries invalid at once.
//!
//! OxiDD's own `DMApplyCache` has the same scheme with a fixed table that is written in full at creation
//! (100 MB and 30 ms for 2^22 entries, more than many models need in total).

use super::diagram::{Edge, EdgeRef, Manager};
use super::node::mix;
use oxidd_core::Manager as _;
use oxidd_core::util::{Own, Ref};
use std::alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error};
use std::cell::UnsafeCell;
use std::marker::PhantomData;
use std::ptr::NonNull;
use std::sync::atomic::Ordering::{Relaxed, Release, SeqCst};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize};

/// Size of the used part at the start, in entries.
const INITIAL_ENTRIES: usize = 1 << 13;

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
    /// Generation in the upper 31 bits, lock in the lowest. Generation 0 (fresh memory) is never current.
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
    /// Current generation, shifted left by one.
    generation: AtomicU32,
    paused: AtomicBool,
    owns: PhantomData<Entry<'id>>,
}

// SAFETY: the payload of an entry is accessed only while its lock bit is held.
unsafe impl Send for OperationCache<'_> {}
// SAFETY: as above.
unsafe impl Sync for OperationCache<'_> {}

impl<'id> OperationCache<'id> {
    /// A cache that may grow to `capacity` entries (rounded to a power of two).
    pub(crate) fn new(capacity: usize) -> Self {
        let capacity = capacity.clamp(INITIAL_ENTRIES, 1 << 28).next_power_of_two();
        let layout = Self::layout(capacity);
        // SAFETY: the layout is not empty. All-zero is a valid `Entry`: unlocked, of generation 0, whose
        // payload (plain integers) is never read.
        let memory = unsafe { alloc_zeroed(layout) }.cast::<Entry<'id>>();
        let Some(entries) = NonNull::new(memory) else { handle_alloc_error(layout) };
        OperationCache {
            entries,
            capacity,
            mask: AtomicUsize::new(INITIAL_ENTRIES - 1),
            stores: AtomicUsize::new(0),
            generation: AtomicU32::new(2),
            paused: AtomicBool::new(false),
            owns: PhantomData,
        }
    }

    fn layout(capacity: usize) -> Layout {
        // `capacity` is at most 2^28, so the size fits.
        Layout::array::<Entry<'id>>(capacity).unwrap_or(Layout::new::<Entry<'id>>())
    }

    /// Entries in the used part.
    pub(crate) fn len(&self) -> usize {
        self.mask.load(Relaxed) + 1
    }

    /// Bytes of one entry.
    pub(crate) const ENTRY_BYTES: usize = std::mem::size_of::<Entry<'static>>();

    #[inline(always)]
    fn entry(&self, operator: u32, operands: &Operands<'_, 'id>) -> &Entry<'id> {
        let [a, b, c] = operands.map(|e| u64::from(e.raw().raw()));
        let hash = mix(mix(0, u64::from(operator) << 32 | a), b << 32 | c);
        let index = (hash ^ (hash >> 32)) as usize & self.mask.load(Relaxed);
        // SAFETY: the mask is below the capacity.
        unsafe { self.entries.add(index).as_ref() }
    }

    /// The stored result of `operator` on `operands`.
    #[inline(always)]
    pub(crate) fn get(&self, manager: &Manager<'id>, operator: u32, operands: Operands<'_, 'id>) -> Option<Own<Edge<'id>>> {
        let entry = self.entry(operator, &operands);
        let current = self.generation.load(Relaxed);
        // Most misses are seen here, without writing to the entry.
        if entry.state.load(Relaxed) != current
            || entry.state.compare_exchange(current, current | 1, SeqCst, Relaxed).is_err()
        {
            return None;
        }
        // SAFETY: we hold the lock of the entry; its generation is current, so the payload was written.
        let payload = unsafe { &*entry.payload.get() };
        let mut result = None;
        if payload.operator == operator
            && payload.operands == operands.map(|e| e.raw())
            && !self.paused.load(SeqCst)
        {
            // SAFETY: the result was alive when stored, and no collection has freed nodes since: a
            // collection pauses the cache and then acquires the lock of every entry before it frees.
            result = Some(manager.clone_edge(unsafe { Ref::from_raw(payload.result) }));
        }
        entry.state.store(current, Release);
        result
    }

    /// Remember that `operator` on `operands` gives `result`.
    #[inline(always)]
    pub(crate) fn put(&self, operator: u32, operands: Operands<'_, 'id>, result: EdgeRef<'_, 'id>) {
        let entry = self.entry(operator, &operands);
        let state = entry.state.load(Relaxed);
        let current = self.generation.load(Relaxed);
        if state & 1 != 0 || entry.state.compare_exchange(state, current | 1, SeqCst, Relaxed).is_err() {
            return; // another thread is using this entry; a cache may forget
        }
        if self.paused.load(SeqCst) {
            entry.state.store(0, Release);
            return;
        }
        // SAFETY: we hold the lock of the entry.
        unsafe { *entry.payload.get() = Payload { operator, operands: operands.map(|e| e.raw()), result: result.raw() } };
        entry.state.store(current, Release);
        let stores = self.stores.load(Relaxed) + 1;
        self.stores.store(stores, Relaxed);
        if stores > self.mask.load(Relaxed) {
            self.grow();
        }
    }

    #[cold]
    fn grow(&self) {
        let mask = self.mask.load(Relaxed);
        let longer = mask * 2 + 1;
        // Growing while paused would let entries escape the sweep of `pause`.
        if longer < self.capacity && !self.paused.load(SeqCst) {
            let _ = self.mask.compare_exchange(mask, longer, SeqCst, Relaxed);
        }
        self.stores.store(0, Relaxed);
    }

    /// Stop serving: when this returns, no thread holds an edge read from the cache that it has not
    /// counted yet.
    pub(crate) fn pause(&self) {
        self.paused.store(true, SeqCst);
        for index in 0..self.capacity.min(self.len() * 2) {
            // SAFETY: in bounds.
            let entry = unsafe { self.entries.add(index).as_ref() };
            // A thread that locks the entry after this look also sees `paused` (both are sequentially
            // consistent: store of `paused`, this load, its exchange, its load of `paused`).
            while entry.state.load(SeqCst) & 1 != 0 {
                std::hint::spin_loop();
            }
        }
    }

    /// Forget everything and serve again.
    pub(crate) fn clear_and_resume(&self) {
        let next = self.generation.load(Relaxed).wrapping_add(2);
        // Generation 0 means "never written": skip it when the counter wraps.
        self.generation.store(if next == 0 { 2 } else { next }, SeqCst);
        self.paused.store(false, SeqCst);
    }
}

impl Drop for OperationCache<'_> {
    fn drop(&mut self) {
        // SAFETY: allocated in `new` with this layout; entries need no drop.
        unsafe { dealloc(self.entries.as_ptr().cast(), Self::layout(self.capacity)) };
    }
}
