//! Where each place of a net lives in a packed marking: the DRW idea (direct read and write) of EnPAC.
//!
//! **Problem.** An explicit search keeps hundreds of millions of markings. Stored as bit fields they are ten
//! to a hundred times smaller than as vectors of integers, but the usual price is that every marking is
//! decoded before it is used and encoded afterwards, which costs more than the search itself.
//!
//! **Idea.** Fix for each place a word, a shift and a mask once, and let guards and firings work on the words
//! (module `program`). A [`Plan`] says how many bits each place gets; a [`Layout`] is the resulting table.
//! These encodings are combined freely in one layout:
//!
//! * *constant*: a place that no transition changes takes no bits;
//! * *one bit*: a place that held at most one token so far;
//! * *unit code*: places of which at most one is marked share a field that holds the number of the marked
//!   one: ⌈log₂(k+1)⌉ bits for k places. Candidates are the units of a NUPN (Garavel 2019) and the P-semiflows
//!   with one token;
//! * *counter*: a field of just enough bits for the largest count seen so far;
//! * *implied*: a place that a P-semiflow determines is not stored at all. It has a field in the *shadow
//!   words* of the working copy, behind the stored ones, which is recomputed when a marking is taken from
//!   the store; hence guards need no case for it.
//!
//! **Invariant.** None of this is believed: every firing checks that its result can be represented. If it
//! cannot, the plan grows and the store is encoded anew, so that an encoding chosen from a wrong hint (a net
//! that is not one-safe, units that are not unit-safe) costs time and never an answer.
//!
//! Fields lie in a *sequence* of places that never changes while a search runs, and no field crosses a word:
//! a word is then a vector of counters on which a guard acts in parallel, and the order of the fields (by
//! which transitions are enumerated) is the same in every layout of the search.
//!
//! Reference: C. He, S. Wang, Z. Ding, "EnPAC: Petri net model checking for linear temporal logic" (2023);
//! H. Garavel, "Nested-unit Petri nets", JLAMP 104 (2019).

use super::Options;
use super::survey::Survey;
use crate::net::{PetriNet, PlaceId};
use crate::structure::PSemiflow;
use rustc_hash::FxHashMap;

/// A place determined by others through a P-semiflow Σ wᵢ·m(pᵢ) = k: `m(place) = (k − Σ others) / weight`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Implied {
    pub(super) place: PlaceId,
    pub(super) total: i128,
    pub(super) weight: i128,
    pub(super) others: Vec<(PlaceId, i128)>,
}

/// How many bits each place gets, and which places share a unit code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Plan {
    /// All places that are stored, in the order of their fields; members of a unit are adjacent.
    sequence: Vec<PlaceId>,
    /// Bits per place; 0 for constant places. Meaningless for members of a unit code.
    width: Vec<u32>,
    /// Unit per place (`u32::MAX` for none), while the unit code is in use.
    unit: Vec<u32>,
    /// Places that are not stored.
    implied: Vec<Implied>,
    /// Bits of the extra field (the automaton's state in a product).
    extra: u32,
    /// Upper bounds of places, where known.
    bounds: Vec<Option<u64>>,
}

/// What is known of a net before it is searched.
#[derive(Clone, Debug)]
pub(super) struct Facts {
    pub(super) survey: Survey,
    /// P-semiflows: not necessarily all.
    pub(super) semiflows: Vec<PSemiflow>,
    /// Bounds of places that follow from them.
    pub(super) bounds: Vec<Option<u64>>,
}

/// Bits needed for the values `0..=max`.
pub(super) fn bits(max: u64) -> u32 {
    u64::BITS - max.leading_zeros()
}

/// Sets of places that may exclude each other, from the best saving of bits to the least.
fn exclusive_sets(net: &PetriNet, facts: &Facts, use_units: bool) -> Vec<Vec<PlaceId>> {
    let mut sets: Vec<Vec<PlaceId>> = Vec::new();
    if use_units {
        sets.extend(net.nupn().iter().flat_map(|n| &n.units).map(|u| u.places.clone()));
    }
    // Of places that share one token at most one is marked.
    let single = facts.semiflows.iter().filter(|f| f.tokens == 1);
    sets.extend(single.map(|f| f.weights.iter().map(|&(p, _)| p).collect()));
    sets.sort_by_key(|s| std::cmp::Reverse(s.len()));
    sets
}

impl Plan {
    /// A plan that fits the initial marking and everything the survey saw.
    pub(super) fn new(net: &PetriNet, facts: &Facts, options: &Options, extra: u32) -> Plan {
        let survey = &facts.survey;
        let constant = constant_places(net);
        let width = |p: usize| if constant[p] { 0 } else { bits(survey.max_tokens[p]).max(1) };
        let width: Vec<u32> = (0..net.place_count()).map(width).collect();
        let mut sequence = Vec::with_capacity(net.place_count());
        let mut unit = vec![u32::MAX; net.place_count()];
        let mut inhibits = vec![false; net.place_count()];
        for a in net.transitions().iter().flat_map(|t| &t.inhibitors) {
            inhibits[a.place.index()] = true;
        }
        for (u, mut members) in (0..).zip(exclusive_sets(net, facts, options.nupn)) {
            members.retain(|p| {
                let p = p.index();
                p < width.len() && unit[p] == u32::MAX && width[p] == 1 && !inhibits[p]
            });
            members.sort();
            members.dedup();
            // Two places take two bits either way.
            if members.len() > 2 && survey.exclusive(&members) {
                members.iter().for_each(|p| unit[p.index()] = u);
            }
        }
        // Units lie where their first place does.
        let mut members: FxHashMap<u32, Vec<PlaceId>> = FxHashMap::default();
        for p in net.place_ids().filter(|p| unit[p.index()] != u32::MAX) {
            members.entry(unit[p.index()]).or_default().push(p);
        }
        for p in net.place_ids() {
            match unit[p.index()] {
                u32::MAX => sequence.push(p),
                u => sequence.extend(members.remove(&u).unwrap_or_default()),
            }
        }
        let bounds = facts.bounds.clone();
        let plain = Plan { sequence, width, unit, implied: Vec::new(), extra, bounds };
        let reduced = plain.without_implied(&facts.semiflows);
        // Dropping places only pays if the states become shorter, now or when counters have grown to their bounds.
        let shorter = |a: &Plan, b: &Plan| Layout::new(net, a).key_halves() < Layout::new(net, b).key_halves();
        if shorter(&reduced, &plain) || shorter(&reduced.filled(), &plain.filled()) { reduced } else { plain }
    }

    /// The plan in which all counters have reached their bounds, as far as these are near.
    fn filled(&self) -> Plan {
        let mut plan = self.clone();
        for (width, bound) in plan.width.iter_mut().zip(&self.bounds) {
            if let Some(bound) = bound
                && *width > 1
            {
                *width = bits(*bound).clamp(*width, *width + 1);
            }
        }
        plan
    }

    /// The same plan without the places that a semiflow determines: of each semiflow the widest, unless another
    /// dropped place occurs in it.
    fn without_implied(&self, semiflows: &[PSemiflow]) -> Plan {
        let mut plan = self.clone();
        // Places on which dropped ones depend, and dropped ones.
        let mut kept = vec![false; self.width.len()];
        let mut dropped = vec![false; self.width.len()];
        for flow in semiflows {
            if flow.weights.iter().any(|&(p, _)| dropped[p.index()]) {
                continue;
            }
            let free = |p: PlaceId| {
                let p = p.index();
                !kept[p] && self.unit[p] == u32::MAX && self.width[p] > 0
            };
            let candidates = flow.weights.iter().filter(|&&(p, _)| free(p));
            let Some(&(place, weight)) = candidates.max_by_key(|&&(p, _)| self.width[p.index()]) else { continue };
            let Ok(total) = i128::try_from(flow.tokens) else { continue };
            let others = flow.weights.iter().filter(|&&(p, _)| p != place);
            let others: Vec<_> = others.map(|&(p, w)| (p, i128::from(w))).collect();
            others.iter().for_each(|(p, _)| kept[p.index()] = true);
            dropped[place.index()] = true;
            plan.implied.push(Implied { place, total, weight: i128::from(weight), others });
        }
        plan.sequence.retain(|p| !dropped[p.index()]);
        plan
    }

    /// The stored places in the order of their fields.
    pub(super) fn sequence(&self) -> &[PlaceId] {
        &self.sequence
    }

    /// Bits of a place (of a bit of its own, for a member of a unit code); 0 for constant places.
    pub(super) fn width(&self, place: PlaceId) -> u32 {
        self.width[place.index()]
    }

    /// A plan that can also represent `tokens`; `most` is the largest count of each place so far. Counters that
    /// are as full as they can be grow along, as they are likely to be next. The order of the fields stays.
    pub(super) fn grown(&self, tokens: &[u64], most: &[u64]) -> Plan {
        let mut plan = self.clone();
        let mut marked = FxHashMap::default();
        for (p, &u) in self.unit.iter().enumerate() {
            if u != u32::MAX && tokens[p] > 0 {
                *marked.entry(u).or_insert(0u64) += tokens[p];
            }
        }
        for (p, &u) in self.unit.iter().enumerate() {
            if marked.get(&u).is_some_and(|&n| n > 1) {
                plan.unit[p] = u32::MAX;
            }
        }
        for (p, width) in plan.width.iter_mut().enumerate() {
            let (needed, full) = (bits(tokens[p]), bits(most[p]) == *width && *width > 1);
            let limit = self.bounds[p].map_or(u64::BITS, bits);
            if needed > *width {
                // A known bound that is near will do for ever.
                *width = if limit <= needed + 1 { limit.max(needed) } else { needed };
            } else if full {
                *width = (*width + 1).min(limit.max(*width));
            }
        }
        plan
    }
}

/// Places whose count no transition changes.
fn constant_places(net: &PetriNet) -> Vec<bool> {
    let mut constant = vec![true; net.place_count()];
    for t in net.transitions() {
        for (arcs, others) in [(&t.pre, &t.post), (&t.post, &t.pre)] {
            for a in arcs {
                if !others.contains(a) {
                    constant[a.place.index()] = false;
                }
            }
        }
    }
    constant
}

/// The field of a place: `(words[word] >> shift) & mask` is its count or, if `code` is not 0, a unit code
/// that equals `code` iff the place holds its one token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Slot {
    pub(super) word: u32,
    pub(super) shift: u32,
    pub(super) mask: u64,
    pub(super) code: u64,
    /// The count of a constant place, which has no field (`mask` is 0).
    pub(super) constant: u64,
}

impl Slot {
    /// The field's bits in its word.
    #[inline]
    pub(super) fn field(&self) -> u64 {
        self.mask << self.shift
    }
    /// The top bit of the field in its word.
    #[inline]
    pub(super) fn high(&self) -> u64 {
        self.field() & !(self.field() >> 1)
    }
    /// Does the field take part in masked comparisons (one bit, or a unit code) rather than in arithmetic?
    #[inline]
    pub(super) fn is_coded(&self) -> bool {
        self.mask == 1 || self.code != 0
    }
    /// Tokens of the place.
    #[inline]
    pub(super) fn tokens(&self, words: &[u64]) -> u64 {
        let value = (words[self.word as usize] >> self.shift) & self.mask;
        match (self.code, self.mask) {
            (0, 0) => self.constant,
            (0, _) => value,
            (code, _) => u64::from(value == code),
        }
    }
}

/// The table of fields that a [`Plan`] amounts to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Layout {
    slots: Vec<Slot>,
    extra: Slot,
    /// Words of a working copy.
    words: usize,
    /// The first words of a working copy, which are stored; the others hold implied places.
    key_words: usize,
    /// 32-bit halves of the key that hold anything.
    key_halves: usize,
    /// Bits of the stored part.
    bits: u32,
    implied: Vec<Implied>,
}

/// Allocates fields one after the other.
struct Allocator {
    word: u32,
    used: u32,
}

impl Allocator {
    fn field(&mut self, width: u32) -> Slot {
        if self.used + width > u64::BITS {
            self.word += 1;
            self.used = 0;
        }
        let mask = if width == 0 { 0 } else { u64::MAX >> (u64::BITS - width) };
        let shift = if width == 0 { 0 } else { self.used };
        self.used += width;
        Slot { word: self.word, shift, mask, code: 0, constant: 0 }
    }
}

impl Layout {
    /// The layout of a plan.
    pub(super) fn new(net: &PetriNet, plan: &Plan) -> Layout {
        let mut allocator = Allocator { word: 0, used: 0 };
        let blank = Slot { word: 0, shift: 0, mask: 0, code: 0, constant: 0 };
        let mut slots = vec![blank; net.place_count()];
        let mut at = 0;
        while let Some(&p) = plan.sequence.get(at) {
            let unit = plan.unit[p.index()];
            let members = match unit {
                u32::MAX => 1,
                _ => plan.sequence[at..].iter().take_while(|q| plan.unit[q.index()] == unit).count(),
            };
            if unit == u32::MAX {
                slots[p.index()] = allocator.field(plan.width[p.index()]);
                if plan.width[p.index()] == 0 {
                    slots[p.index()] = Slot { constant: net.place(p).initial, ..blank };
                }
            } else {
                let field = allocator.field(bits(members as u64));
                for (k, q) in plan.sequence[at..at + members].iter().enumerate() {
                    slots[q.index()] = Slot { code: k as u64 + 1, ..field };
                }
            }
            at += members;
        }
        let mut layout = Layout::of_slots(slots, plan.extra, allocator);
        if !plan.implied.is_empty() {
            let mut shadow = Allocator { word: layout.key_words as u32, used: 0 };
            for i in &plan.implied {
                layout.slots[i.place.index()] = shadow.field(plan.width[i.place.index()].max(1));
            }
            layout.words = shadow.word as usize + 1;
            layout.implied = plan.implied.clone();
        }
        layout
    }

    /// A layout of variables with these widths in bits, one after the other.
    pub(super) fn of_widths(widths: &[u32], extra: u32) -> Layout {
        let mut allocator = Allocator { word: 0, used: 0 };
        let slots = widths.iter().map(|&width| allocator.field(width)).collect();
        Layout::of_slots(slots, extra, allocator)
    }

    /// A layout of these slots with the extra field behind them, and nothing implied.
    fn of_slots(slots: Vec<Slot>, extra: u32, mut allocator: Allocator) -> Layout {
        let extra = allocator.field(extra);
        let key_words = allocator.word as usize + 1;
        let key_halves = 2 * key_words - usize::from(allocator.used <= 32);
        let bits = allocator.word * u64::BITS + allocator.used;
        Layout { slots, extra, words: key_words, key_words, key_halves, bits, implied: Vec::new() }
    }

    /// Words of a working copy.
    pub(super) fn words(&self) -> usize {
        self.words
    }
    /// Words of the stored part.
    pub(super) fn key_words(&self) -> usize {
        self.key_words
    }
    /// Bits of the stored part, without the rest of its last word.
    pub(super) fn bits(&self) -> u32 {
        self.bits
    }
    /// 32-bit halves of the stored part.
    pub(super) fn key_halves(&self) -> usize {
        self.key_halves
    }
    /// The field of a place.
    #[inline]
    pub(super) fn slot(&self, p: PlaceId) -> Slot {
        self.slots[p.index()]
    }
    /// The fields of all places.
    pub(super) fn slots(&self) -> &[Slot] {
        &self.slots
    }
    /// The extra field.
    #[inline]
    pub(super) fn extra(&self, words: &[u64]) -> u64 {
        (words[self.extra.word as usize] >> self.extra.shift) & self.extra.mask
    }
    /// Overwrite the extra field.
    #[inline]
    pub(super) fn set_extra(&self, words: &mut [u64], value: u64) {
        let word = &mut words[self.extra.word as usize];
        *word = (*word & !self.extra.field()) | ((value & self.extra.mask) << self.extra.shift);
    }

    /// All token counts.
    pub(super) fn decode(&self, words: &[u64], tokens: &mut Vec<u64>) {
        tokens.clear();
        tokens.extend(self.slots.iter().map(|s| s.tokens(words)));
    }

    /// Pack token counts; `false` if they cannot be represented.
    #[must_use]
    pub(super) fn encode(&self, tokens: &[u64], words: &mut [u64]) -> bool {
        words.fill(0);
        for (slot, &n) in self.slots.iter().zip(tokens) {
            let word = &mut words[slot.word as usize];
            if slot.mask == 0 {
                if n != slot.constant {
                    return false;
                }
            } else if slot.code == 0 {
                if n > slot.mask {
                    return false;
                }
                *word |= n << slot.shift;
            } else if n > 0 {
                if n > 1 || *word & slot.field() != 0 {
                    return false;
                }
                *word |= slot.code << slot.shift;
            }
        }
        true
    }

    /// Compute the implied places of a working copy whose key has just been read from the store.
    #[inline]
    pub(super) fn complete(&self, words: &mut [u64]) {
        if self.words > self.key_words {
            self.fill_shadow(words);
        }
    }

    fn fill_shadow(&self, words: &mut [u64]) {
        words[self.key_words..].fill(0);
        for i in &self.implied {
            let others: i128 = i.others.iter().map(|&(q, w)| w * i128::from(self.slot(q).tokens(words))).sum();
            let slot = self.slot(i.place);
            words[slot.word as usize] |= (((i.total - others) / i.weight) as u64 & slot.mask) << slot.shift;
        }
    }
}
