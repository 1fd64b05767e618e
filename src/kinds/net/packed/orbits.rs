//! One marking for many that are alike ([`crate::reduction::symmetries`]).
//!
//! Of the markings that *swaps* of places lead to, one is kept that no swap makes smaller. Of those in which the blocks
//! of a *family* are arranged differently, the one is kept in which they are sorted: that is one of each, and how many
//! there are is known, n! divided by the factorial of how often each block occurs.
//!
//! **Firings.** A swap that leaves a marking as it is takes what one transition leads to there to what its image leads
//! to: of the two, one is fired. Each transition that is left out has an image of a smaller number, and by induction
//! one that is fired.
//!
//! **With stubborn sets** (Emerson, Jha, Peled, "Combining partial order and symmetry reductions", TACAS 1997). Let s
//! be a kept marking, T the set fired in it, and x = π(s) a marking that it stands for, where π is made of swaps. The
//! conditions on a stubborn set speak of the net, and of what the question sees; neither notices π, so that π(T)
//! satisfies them in x. The pairs (x, s), with the firings π(T), are a reduced graph of the net itself, in which a
//! marking may occur several times, and what is kept is its image. Conditions on single markings hold as said; a cycle
//! of the graph is one of the image, where something is fired in full. So what a reduced graph preserves, the image
//! does.

use super::program::RuleOrder;
use crate::explicit::{Encoding, Family, Layout, Rule};
use crate::net::{Arcs, PetriNet, PlaceId, TransitionId};
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Which markings are kept.
#[derive(Clone, Debug)]
pub(super) struct Orbits {
    swaps: Arc<[Vec<(PlaceId, PlaceId)>]>,
    /// For each swap, the rules whose image is a rule of a smaller number.
    later: Arc<[Vec<Rule>]>,
    /// The class of each transition; none if all are of one.
    classes: Arc<[u128]>,
    families: Arc<[Family]>,
}

/// Does a swap make a marking smaller, in the order of the dictionary?
fn is_smaller(swap: &[(PlaceId, PlaceId)], tokens: impl Fn(PlaceId) -> u64) -> bool {
    let differing = swap.iter().map(|&(p, q)| (tokens(p), tokens(q))).find(|(p, q)| p != q);
    differing.is_some_and(|(p, q)| q < p)
}

impl Orbits {
    pub(super) fn new(encoding: &Encoding, net: &PetriNet, order: &RuleOrder) -> Self {
        let later = later(net, order, &encoding.swaps).into();
        let Encoding { swaps, classes, families, .. } = encoding.clone();
        Orbits { swaps, later, classes, families }
    }

    /// The rules that need not be fired in this marking, beside others that are.
    pub(super) fn superfluous(&self, layout: &Layout, words: &[u64], rules: &mut FixedBitSet) {
        rules.clear();
        let tokens = |place: PlaceId| layout.slot(place).value(words);
        for (swap, later) in self.swaps.iter().zip(self.later.iter()) {
            if swap.iter().all(|&(p, q)| tokens(p) == tokens(q)) {
                later.iter().for_each(|&rule| rules.grow_and_insert(rule as usize));
            }
        }
    }

    /// Are two transitions of one class?
    pub(super) fn are_alike(&self, one: TransitionId, other: TransitionId) -> bool {
        self.classes.get(one.index()) == self.classes.get(other.index())
    }

    /// Are there rules that may be left out somewhere?
    #[inline]
    pub(super) fn are_of_swaps(&self) -> bool {
        !self.swaps.is_empty()
    }

    /// Does each marking stand for itself alone?
    #[inline]
    pub(super) fn are_single(&self) -> bool {
        self.swaps.is_empty() && self.families.is_empty()
    }

    /// Make the marking that is kept of this one; false if it cannot be represented.
    pub(super) fn keep(&self, layout: &Layout, words: &mut [u64]) -> bool {
        let tokens = |place: PlaceId| layout.slot(place).value(words);
        let sorted = |family: &Family| {
            family.windows(2).all(|both| {
                let [one, other] = [&both[0], &both[1]].map(|block| block.iter().map(|&place| tokens(place)));
                one.le(other)
            })
        };
        if self.families.iter().all(sorted) && !self.swaps.iter().any(|swap| is_smaller(swap, tokens)) {
            return true;
        }
        let mut tokens = Vec::new();
        layout.decode(words, &mut tokens);
        self.arrange(&mut tokens);
        layout.encode(&tokens, words)
    }

    /// The same, of unpacked tokens.
    pub(super) fn arrange(&self, tokens: &mut [u64]) {
        self.arrange_by(tokens, |&tokens| tokens);
    }

    /// The same, and for each place that whose tokens it has got.
    pub(super) fn arranged(&self, tokens: &[u64]) -> (Vec<u64>, Vec<PlaceId>) {
        let mut values: Vec<(u64, PlaceId)> = tokens.iter().copied().zip((0..).map(PlaceId)).collect();
        self.arrange_by(&mut values, |&(tokens, _)| tokens);
        values.into_iter().unzip()
    }

    fn arrange_by<T: Copy>(&self, values: &mut [T], tokens: impl Fn(&T) -> u64 + Copy) {
        for family in self.families.iter() {
            let mut blocks = blocks(family, |place| values[place.index()]);
            blocks.sort_unstable_by(|one, other| one.iter().map(tokens).cmp(other.iter().map(tokens)));
            for (places, block) in family.iter().zip(blocks) {
                places.iter().zip(block).for_each(|(place, value)| values[place.index()] = value);
            }
        }
        let mut again = true;
        while std::mem::take(&mut again) {
            for swap in self.swaps.iter() {
                if is_smaller(swap, |place| tokens(&values[place.index()])) {
                    swap.iter().for_each(|&(p, q)| values.swap(p.index(), q.index()));
                    again = true;
                }
            }
        }
    }

    /// How many markings one that is kept stands for, where there are no swaps but those of families; `None` if that is
    /// beyond 128 bits.
    pub(super) fn size(&self, layout: &Layout, words: &[u64]) -> Option<u128> {
        self.families.iter().try_fold(1u128, |size, family| {
            let blocks = blocks(family, |place| layout.slot(place).value(words));
            let mut arrangements = 1u128;
            let (mut placed, mut times) = (0u128, 0u128);
            for (number, block) in blocks.iter().enumerate() {
                // n! / (k₁! k₂! …), a factor at a time: C(n, k) for each group of blocks that are equal.
                let is_new = number == 0 || *block != blocks[number - 1];
                (placed, times) = (placed + 1, if is_new { 1 } else { times + 1 });
                arrangements = arrangements.checked_mul(placed)? / times;
            }
            size.checked_mul(arrangements)
        })
    }
}

/// For each swap, the rules whose image is a rule of a smaller number: where transitions are the same in all their
/// arcs, none, as there is no telling which of them is the image.
fn later(net: &PetriNet, order: &RuleOrder, swaps: &[Vec<(PlaceId, PlaceId)>]) -> Vec<Vec<Rule>> {
    if swaps.is_empty() {
        return Vec::new();
    }
    let mut rule_with: FxHashMap<Arcs, Option<Rule>> = FxHashMap::default();
    let mut touching: FxHashMap<PlaceId, Vec<Rule>> = FxHashMap::default();
    for (rule, &t) in (0..).zip(&order.transition) {
        let t = net.transition(t);
        rule_with.entry(t.arcs_of_images(|place| place)).and_modify(|known| *known = None).or_insert(Some(rule));
        let places = t.pre.iter().chain(&t.post).chain(&t.inhibitors).map(|arc| arc.place);
        places.for_each(|place| touching.entry(place).or_default().push(rule));
    }
    let of_swap = |swap: &Vec<(PlaceId, PlaceId)>| {
        let images: FxHashMap<PlaceId, PlaceId> = swap.iter().flat_map(|&(p, q)| [(p, q), (q, p)]).collect();
        let mut moved: Vec<Rule> = images.keys().filter_map(|place| touching.get(place)).flatten().copied().collect();
        moved.sort_unstable();
        moved.dedup();
        moved.retain(|&rule| {
            let t = net.transition(order.transition[rule as usize]);
            let image = t.arcs_of_images(|place| images.get(&place).copied().unwrap_or(place));
            let unique = rule_with.get(&t.arcs_of_images(|place| place)).is_some_and(Option::is_some);
            unique && rule_with.get(&image).is_some_and(|known| known.is_some_and(|image| image < rule))
        });
        moved
    };
    swaps.iter().map(of_swap).collect()
}

/// The tokens on the places of each block.
fn blocks<T>(family: &Family, tokens: impl Fn(PlaceId) -> T) -> Vec<Vec<T>> {
    family.iter().map(|block| block.iter().map(|&place| tokens(place)).collect()).collect()
}
