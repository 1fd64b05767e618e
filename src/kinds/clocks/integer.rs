//! Integer time: explicit states of a marking and whole clock values, and a `tick` that lets one unit pass.
//!
//! A clock stops one above the largest constant it is compared with; beyond, its value makes no difference. A
//! tick is possible if the invariant of the marking holds now, half a unit later and a unit later: between
//! two whole values every comparison with a whole constant is constant, so the mid-point stands for all that
//! lies between, and a non-convex invariant is not jumped over.
//!
//! For constraints with `<=`, `=` and `>=` only, integer time reaches the same markings as dense time
//! (Henzinger, Manna, Pnueli, "What good are digital clocks?", ICALP 1992). With strict comparisons it may miss
//! some; over the net with its constants times `k + 1` ([`Scaled::with_factor`]) it has not missed any in all
//! our tests, which is not a proof.
//!
//! This is the plain reference for the symbolic engine: no reduction of any kind.

use super::markings::{ExploreError, Limits, MarkingId, MarkingTable};
use super::scaled::Scaled;
use super::zone::ClockBox;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// The space that integer time reaches.
pub struct IntegerSpace<'s, 'n> {
    /// The markings seen.
    pub markings: MarkingTable<'s, 'n>,
    /// Which of them are reachable.
    pub reached: Vec<bool>,
    /// States: markings with clock values.
    pub states: usize,
    /// Steps between states: firings, and ticks, also those after which every clock has stopped.
    pub steps: usize,
    /// The transitions that fire.
    pub fired: Vec<bool>,
}

impl IntegerSpace<'_, '_> {
    /// Number of markings reachable.
    pub fn marking_count(&self) -> usize {
        self.reached.iter().filter(|&&r| r).count()
    }
}

/// Values of all clocks in one word, each in as many bits as it needs.
pub(crate) struct Packing {
    /// Shift and mask per clock.
    fields: Vec<(u32, u128)>,
    /// Where each clock stops: one above its constant.
    top: Vec<u128>,
}

impl Packing {
    pub(crate) fn new(scaled: &Scaled<'_>) -> Result<Packing, ExploreError> {
        let mut shift = 0;
        let (mut fields, mut top) = (Vec::new(), Vec::new());
        for m in scaled.maximal_constants() {
            let last = m as u128 + 1;
            let bits = 128 - last.leading_zeros();
            fields.push((shift, (1 << bits) - 1));
            top.push(last);
            shift += bits;
            if shift > 128 {
                return Err(ExploreError::ClockBits(shift));
            }
        }
        Ok(Packing { fields, top })
    }

    #[inline]
    pub(crate) fn get(&self, word: u128, clock: usize) -> u128 {
        let (shift, mask) = self.fields[clock];
        (word >> shift) & mask
    }

    pub(crate) fn zeroed(&self, word: u128, clock: usize) -> u128 {
        let (shift, mask) = self.fields[clock];
        word & !(mask << shift)
    }

    /// Is the value, plus a number of halves, in one of the boxes?
    pub(crate) fn holds(&self, word: u128, halves: i64, boxes: &[ClockBox]) -> bool {
        boxes.iter().any(|b| b.holds_half(|x| 2 * self.get(word, x) as i64 + halves))
    }

    /// The values a unit later, if the invariant lets a unit pass.
    pub(crate) fn tick(&self, word: u128, invariant: &[ClockBox]) -> Option<u128> {
        if !(self.holds(word, 1, invariant) && self.holds(word, 2, invariant)) {
            return None;
        }
        let mut next = word;
        for (x, &(shift, _)) in self.fields.iter().enumerate() {
            if self.get(word, x) < self.top[x] {
                next += 1 << shift;
            }
        }
        Some(next)
    }
}

/// States between two looks at the budget.
const CHECK: usize = 1024;

/// Bytes of a state in the set of those seen or in the list of those to look at.
const ENTRY: usize = size_of::<(MarkingId, u128)>() + 1;

/// Explores all states of integer time.
pub fn explore<'s, 'n>(scaled: &'s Scaled<'n>, limits: &Limits) -> Result<IntegerSpace<'s, 'n>, ExploreError> {
    let markings = MarkingTable::new(scaled, limits)?;
    let packing = Packing::new(scaled)?;
    let mut space = IntegerSpace {
        markings,
        reached: Vec::new(),
        states: 0,
        steps: 0,
        fired: vec![false; scaled.net.transitions.len()],
    };
    let mut seen: FxHashSet<(MarkingId, u128)> = FxHashSet::default();
    let mut open: Vec<(MarkingId, u128)> = Vec::new();
    if packing.holds(0, 0, space.markings.invariant(0)) {
        seen.insert((0, 0));
        open.push((0, 0));
    }
    let mut looked = 0usize;
    while let Some((m, word)) = open.pop() {
        let successors = space.markings.successors(m)?;
        let mut add = |state: (MarkingId, u128)| {
            if seen.insert(state) {
                open.push(state);
            }
        };
        let invariant = Arc::clone(space.markings.invariant(m));
        if let Some(later) = packing.tick(word, &invariant) {
            space.steps += 1;
            add((m, later));
        }
        for &(t, target) in successors.iter() {
            if !packing.holds(word, 0, scaled.condition(t)) {
                continue;
            }
            let next = scaled.resets(t).iter().fold(word, |w, c| packing.zeroed(w, c.index()));
            if packing.holds(next, 0, space.markings.invariant(target)) {
                space.steps += 1;
                space.fired[t.index()] = true;
                add((target, next));
            }
        }
        if seen.len() > limits.states {
            return Err(ExploreError::States(limits.states));
        }
        looked += 1;
        if looked.is_multiple_of(CHECK) {
            limits.check(space.markings.bytes() + (seen.capacity() + open.capacity()) * ENTRY)?;
        }
    }
    space.states = seen.len();
    space.reached = vec![false; space.markings.len()];
    for (m, _) in seen {
        space.reached[m as usize] = true;
    }
    Ok(space)
}
