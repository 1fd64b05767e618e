//! Places that nothing tells apart become one.
//!
//! **Problem.** The unfolding of a coloured net has a place for each colour and a transition for each binding, and many
//! colours make no difference: whatever can be done with a token of one can be done with a token of the other, to the same
//! effect, and the question does not ask which it is. Nets without colours have such places, too.
//!
//! **Idea.** A *place bisimulation*: an equivalence ∼ of places such that a token may be exchanged for one on an equivalent
//! place. If p ∼ q and a transition t takes a token from p, then some transition takes it from q instead, all its other
//! tokens from the very same places as t, and has the same label and, up to ∼, the same outputs. Exchanging one token
//! after the other, for each way to take the tokens of t from equivalent places there is then a transition that takes
//! them, and leads to the same up to ∼. So the net in which each class is one place, with the sum of the tokens, is
//! strongly bisimilar to the net: CTL\* with next, deadlocks, and the values of sums of tokens are the same, if the sums are
//! of whole classes and the transitions that are asked for differ in their labels.
//!
//! The coarsest such equivalence is found by refinement: places start apart if a sum counts them differently or an arc tests
//! them for absence; then they are parted by what the transitions that take from them are like, until nothing
//! changes.
//!
//! **Complexity.** Each round looks at the transitions next to the places that were moved to a new class. Bags of tokens
//! are compared by fingerprints: sums, modulo 2¹²⁸, of a pseudo-random number for each token. So the rest of a bag is one
//! subtraction, an output that moves to another class is one addition, and two bags that differ are taken for equal
//! with probability 2⁻¹²⁸.
//!
//! Autant and Schnoebelen, "Place bisimulations in Petri nets", ICATPN 1992. On coloured nets, before unfolding: Bilgram,
//! Jensen, Pedersen, Srba and Taankvist, "Methods for efficient unfolding of colored Petri nets", Fundamenta
//! Informaticae 189, 2022 (arXiv 2204.07039).
//!
//! ```
//! use starset::budget::Budget;
//! use starset::net::NetBuilder;
//! use starset::reduction::fusion::Tokens;
//! let mut b = NetBuilder::new("two colours");
//! let [red, blue, done] = [("red", 1), ("blue", 2), ("done", 0)].map(|(id, tokens)| b.place(id, tokens).unwrap());
//! for (id, from) in [("take red", red), ("take blue", blue)] {
//!     let t = b.transition(id)?;
//!     b.input(from, t, 1)?;
//!     b.output(t, done, 1)?;
//! }
//! let net = b.build()?;
//! let budget = Budget::unlimited();
//! let tokens = Tokens::new(&net, &budget).ok_or("out of time")?;
//! let fused = tokens.fuse(&[&[done]], &[], &budget).ok_or("nothing to fuse")?;
//! assert_eq!((fused.net.place_count(), fused.net.transition_count()), (2, 1));
//! assert_eq!(fused.net.place(fused.place(red)).initial, 3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::quotient::{Arcs, Classes, Inhibitors, Numbers, Quotient, seen_in};
use crate::budget::Budget;
use crate::net::{PetriNet, PlaceId, Transition, TransitionId};
use crate::rng::Rng;

/// A sum of pseudo-random numbers that stands for a bag of tokens.
type Fingerprint = u128;

/// The number of a token of this kind, out of a family of such numbers.
fn number(family: u64, kind: u32) -> Fingerprint {
    let mut rng = Rng::new((family << 32) | u64::from(kind));
    (u128::from(rng.bits()) << 64) | u128::from(rng.bits())
}

/// Fingerprint of a transition for a token that it takes: its label, its other inputs and its outputs.
fn mixed(label: u32, rest: Fingerprint, output: Fingerprint) -> Fingerprint {
    const ODD: [u128; 3] = [
        0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835,
        0xC2B2_AE3D_27D4_EB4F_1656_67B1_9E37_79F9,
        0xD6E8_FEB8_6659_FD93_2545_F491_4F6C_DD1D,
    ];
    // Of nothing, too, there is a number other than 0.
    let mut mix = rest.wrapping_add(ODD[2]).wrapping_mul(ODD[0]) ^ output.wrapping_mul(ODD[1]).rotate_left(64);
    mix = (mix ^ u128::from(label)).wrapping_mul(ODD[2]);
    mix = (mix ^ (mix >> 67)).wrapping_mul(ODD[0]);
    mix ^ (mix >> 71)
}

/// The family for places, and that for classes of them.
const PLACES: u64 = 1;
const CLASSES: u64 = 2;

/// The net of which places are to be made one.
pub struct Tokens<'a> {
    net: &'a PetriNet,
    /// For each place the transitions that take from it, with what else they take.
    takers: Vec<Vec<(u32, Fingerprint)>>,
    /// For each place the transitions that put something there, with how much.
    givers: Vec<Vec<(u32, u64)>>,
}

impl<'a> Tokens<'a> {
    /// Look at the arcs of a net. `None` when the budget is used up.
    pub fn new(net: &'a PetriNet, budget: &Budget) -> Option<Self> {
        let mut takers = vec![Vec::new(); net.place_count()];
        let mut givers = vec![Vec::new(); net.place_count()];
        let tokens: Vec<Fingerprint> = net.place_ids().map(|place| number(PLACES, place.0)).collect();
        for (t, transition) in net.transitions().iter().enumerate() {
            budget.check().ok()?;
            let bag = transition.pre.iter().fold(0, |bag: Fingerprint, arc| {
                bag.wrapping_add(tokens[arc.place.index()].wrapping_mul(arc.weight.into()))
            });
            for arc in &transition.pre {
                takers[arc.place.index()].push((t as u32, bag.wrapping_sub(tokens[arc.place.index()])));
            }
            for arc in &transition.post {
                givers[arc.place.index()].push((t as u32, arc.weight));
            }
        }
        Some(Tokens { net, takers, givers })
    }

    /// Make equivalent places one, where the numbers of tokens on these lists of places are asked for (a place counts as
    /// often as it is listed), and which of these lists has a transition that is enabled or fired. `None` if no two places are
    /// equivalent, or when the budget is used up.
    pub fn fuse(&self, sums: &[&[PlaceId]], lists: &[&[TransitionId]], budget: &Budget) -> Option<Quotient> {
        let labels = self.labels(lists);
        let classes = self.classes(self.apart(sums), &labels, budget)?;
        if classes.sizes.len() == self.net.place_count() {
            return None;
        }
        classes.quotient(self.net, &labels, Inhibitors::Preserved, budget)
    }

    /// Labels that keep transitions apart: the lists that they are on, and the places that they test for absence.
    fn labels(&self, lists: &[&[TransitionId]]) -> Vec<u32> {
        let mut on: Vec<Vec<u32>> = vec![Vec::new(); self.net.transition_count()];
        for (number, list) in lists.iter().enumerate() {
            list.iter().for_each(|t| on[t.index()].push(number as u32));
        }
        let mut labels: Numbers<(Vec<u32>, Arcs)> = Numbers::new();
        let inhibitors = |t: &Transition| t.inhibitors.iter().map(|arc| (arc.place.0, arc.weight)).collect();
        on.into_iter().zip(self.net.transitions()).map(|(on, t)| labels.of((on, inhibitors(t)))).collect()
    }

    /// The places that may be equivalent as far as they themselves tell.
    fn apart(&self, sums: &[&[PlaceId]]) -> Classes {
        let mut seen = seen_in(self.net, sums);
        // No list has the number MAX.
        for t in self.net.transitions() {
            t.inhibitors.iter().for_each(|arc| seen[arc.place.index()].push((u32::MAX, arc.place.0)));
        }
        Classes::new(seen)
    }

    /// Part the classes until tokens may be exchanged within each of them.
    fn classes(&self, mut classes: Classes, labels: &[u32], budget: &Budget) -> Option<Classes> {
        let transitions = self.net.transitions();
        // What each transition puts where.
        let mut outputs: Vec<Fingerprint> = vec![0; transitions.len()];
        for (place, givers) in self.givers.iter().enumerate() {
            let token = number(CLASSES, classes.class[place]);
            for &(t, weight) in givers {
                let output = &mut outputs[t as usize];
                *output = output.wrapping_add(token.wrapping_mul(weight.into()));
            }
        }
        let mut looks: Numbers<Fingerprint> = Numbers::new();
        let mut is_open = vec![true; classes.class.len()];
        // What the members of a class look like that were not looked at again.
        let mut look_of: Vec<Option<u32>> = vec![None; classes.sizes.len()];
        let mut open: Vec<usize> = (0..classes.class.len()).collect();
        while !open.is_empty() {
            // By class and look, the places that are to be looked at.
            let mut parts: Vec<(u32, u32, usize)> = Vec::with_capacity(open.len());
            for place in open.drain(..) {
                budget.check().ok()?;
                is_open[place] = false;
                let class = classes.class[place];
                if classes.sizes[class as usize] == 1 {
                    continue;
                }
                let taken = self.takers[place].iter();
                let look = taken.map(|&(t, rest)| mixed(labels[t as usize], rest, outputs[t as usize]));
                let mut look: Vec<_> = look.collect();
                look.sort_unstable();
                look.dedup();
                let look = look.into_iter().fold(0, Fingerprint::wrapping_add);
                parts.push((class, looks.of(look), place));
            }
            parts.sort_unstable();
            let mut moved = Vec::new();
            for of_class in parts.chunk_by(|a, b| a.0 == b.0) {
                let class = of_class[0].0;
                let whole = of_class.len() == classes.sizes[class as usize];
                let of_look: Vec<_> = of_class.chunk_by(|a, b| a.1 == b.1).collect();
                // Those that stay: the largest part, or those that are not looked at and who looks like them.
                let stays = if whole {
                    of_look.iter().max_by_key(|part| part.len()).map(|part| part[0].1)
                } else {
                    look_of[class as usize]
                };
                look_of[class as usize] = stays;
                for part in of_look.into_iter().filter(|part| Some(part[0].1) != stays) {
                    let new = classes.sizes.len() as u32;
                    classes.sizes.push(part.len());
                    classes.sizes[class as usize] -= part.len();
                    look_of.push(Some(part[0].1));
                    for &(.., place) in part {
                        classes.class[place] = new;
                        moved.push((place, class));
                    }
                }
            }
            for (place, from) in moved {
                let change = number(CLASSES, classes.class[place]).wrapping_sub(number(CLASSES, from));
                for &(t, weight) in &self.givers[place] {
                    let output = &mut outputs[t as usize];
                    *output = output.wrapping_add(change.wrapping_mul(weight.into()));
                    for arc in &transitions[t as usize].pre {
                        if !std::mem::replace(&mut is_open[arc.place.index()], true) {
                            open.push(arc.place.index());
                        }
                    }
                }
            }
        }
        Some(classes)
    }
}
