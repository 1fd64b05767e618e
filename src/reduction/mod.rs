//! Structural reductions: a smaller net with the same answer.
//!
//! **Problem.** Most of a net says nothing about the question that is asked of it: buffers between steps,
//! places that never hold anything up, parts that the formula does not see.
//!
//! **Idea.** Rules, one in each file, look at a few nodes and their neighbours and replace them by fewer; they
//! are applied in turn until none applies. Each rule states which kinds of questions it [preserves](Preserved),
//! and takes part only in reductions for those. Places that the question speaks of are *observed*: no rule
//! removes them or changes what can be seen of them. Where a formula asks whether transitions are enabled, it is
//! rewritten to speak of their places first.
//!
//! Sat-sets are those of the net itself: nothing that is reduced is used for them. Reachable markings are counted on a smaller
//! net where equations tell how many markings each of its markings stands for ([`counting`]).
//!
//! # What each rule preserves
//!
//! Bounds of observed places, and of sums of them, are preserved with reachability.
//!
//! | rule | reachability | deadlocks | LTL without next | CTL\* without next | CTL\* |
//! |---|---|---|---|---|---|
//! | constant places, identical transitions, redundant places, implicit places, arc bounds | yes | yes | yes | yes | yes |
//! | slicing, sinks, sources | yes | | | | |
//! | idle loops | (sinks) | yes | | | |
//! | suffixes | (slicing) | yes | yes | yes | |
//! | free cycles | yes | yes | yes | yes | |
//! | post-agglomeration | yes | yes | yes | one consumer | |
//! | pre-agglomeration, partial pre-agglomeration | yes | no rivals but producers of the place | likewise | no rivals | |
//! | compositions | yes | yes | by longer runs | | |
//!
//! # What others switched off
//!
//! Read in TAPAAL (`PetriEngine/Reducer.cpp`, f5845044) and ITS-tools (`StructuralReduction.java`, 91044f03), since a rule that looks right is the
//! easiest way to a wrong verdict:
//!
//! * TAPAAL's rule K, off, as it was never proved and experiments speak against it for CTL: outside of what a formula depends on, a transition
//!   that takes one token and puts it back keeps runs going, so other consumers of that place are removed. Here such loops only make each other
//!   superfluous (`idle_loops`), and `suffixes` cuts off only what comes to an end by itself.
//! * TAPAAL's rule R, which agglomerates a producer with all consumers, takes part where all is LTL without next. Its rule S, for producers that give
//!   to the place alone, takes multiples of weights and some of the consumers where reachability matters and deadlocks do not; otherwise each
//!   producer gives just what each consumer takes. [`Preserved`] draws such lines here.
//! * ITS-tools' symmetric choice is off; fusing places with the same future took its place. `fusion` is the latter, by refinement of classes
//!   instead of comparing pairs.
//! * ITS-tools' partial post-agglomeration is in use for LTL without next, for which a comment beside it calls it not quite right. It was
//!   tried and left out (below), and so were rules that agglomerate until a limit of explosion (`agglomeration` says what they would bring).
//! * ITS-tools' removal of transitions that undo others is off for deadlocks. It is not built here.
//! * ITS-tools fires beforehand what empties an initial place, not where next counts or liveness is asked. Here that is
//!   post-agglomeration of a place without producers, and has the same limits.
//! * ITS-tools' redundant compositions take part in CTL without next as well. They do not preserve it (`compositions`).
//!
//! # What was tried and left out
//!
//! **Partial post-agglomeration.** Of the consumers of a place *p* with one producer h, those that need nothing but the w tokens that h gives, and are
//! not seen, are done with h; *p* and the others stay. No other consumer gives tokens back to *p*, which holds fewer than w at first. It
//! preserves reachability: let each such f follow the last h that has none yet, and every run stays possible. For deadlocks and LTL
//! without next, one of the other consumers has to be possible with w tokens of *p*, or the net could end where an f is left; then it
//! preserves them, too, and random nets agree. But *the same markings are reachable as before*: h alone leads to those in between. It
//! pays only where other rules apply after it. It was used for 51 of 782 questions about 89 nets of the Model Checking Contest: no place
//! went, 51 transitions of 99,656 did, and wherever the markings could be counted there were as many as before.
//!
//! Berthelot, "Transformations and decompositions of nets", Advances in Petri Nets 1986, LNCS 254;
//! Thierry-Mieg, "Structural reductions revisited", Petri Nets 2020; Bønneland et al., "Stubborn versus
//! structural reductions for Petri nets", JLAMP 102, 2019.
//!
//! ```
//! use starset::budget::Budget;
//! use starset::net::NetBuilder;
//! use starset::reduction::{Preserved, reduce};
//! let mut b = NetBuilder::new("chain");
//! let places = [b.place("start", 1)?, b.place("middle", 0)?, b.place("end", 0)?];
//! for (i, name) in ["go", "stop"].iter().enumerate() {
//!     let t = b.transition(*name)?;
//!     b.input(places[i], t, 1)?;
//!     b.output(t, places[i + 1], 1)?;
//! }
//! let net = b.build()?;
//! let reduced = reduce(&net, &[places[2]], Preserved::StutterLtl, &Budget::unlimited()).ok_or("not smaller")?;
//! assert_eq!((reduced.net.place_count(), reduced.net.transition_count()), (2, 1));
//! // The first step changes nothing that is seen: it may have happened already.
//! assert!(reduced.place(places[2]).is_some() && reduced.place(places[0]).is_none());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod agglomeration;
mod arc_bounds;
mod compositions;
mod constant_places;
pub mod counting;
mod draft;
mod free_cycles;
pub mod fusion;
mod identical_transitions;
mod idle_loops;
mod implicit_places;
mod partial_pre_agglomeration;
mod post_agglomeration;
mod pre_agglomeration;
pub mod quotient;
mod redundant_places;
mod rule;
mod sinks;
pub mod skeleton;
mod slicing;
mod sources;
mod suffixes;
pub mod symmetries;
#[cfg(test)]
mod tests;

use crate::budget::Budget;
use crate::net::{PetriNet, PlaceId};
use draft::Draft;
pub use rule::Preserved;
use rule::Rule;

/// All rules, the cheap ones first.
const RULES: [Rule; 16] = [
    constant_places::RULE,
    slicing::RULE,
    suffixes::RULE,
    sinks::RULE,
    idle_loops::RULE,
    sources::RULE,
    identical_transitions::RULE,
    redundant_places::SINGLE,
    redundant_places::PARALLEL,
    free_cycles::RULE,
    post_agglomeration::RULE,
    pre_agglomeration::RULE,
    compositions::RULE,
    implicit_places::RULE,
    arc_bounds::RULE,
    partial_pre_agglomeration::RULE,
];

/// Rounds over all rules. Nearly each round but the last removes a node, and few nets need more than a dozen.
const ROUNDS: usize = 1_000;

/// A reduced net.
#[derive(Clone, Debug)]
pub struct Reduced {
    /// The net.
    pub net: PetriNet,
    /// The rules that were applied.
    pub rules: Vec<&'static str>,
    /// The place of the reduced net for each place of the original, if it is still there.
    places: Vec<Option<PlaceId>>,
}

impl Reduced {
    /// The place of the reduced net that stands for a place of the original: there is one for each observed
    /// place.
    pub fn place(&self, original: PlaceId) -> Option<PlaceId> {
        self.places.get(original.index()).copied().flatten()
    }
}

/// Reduce a net for questions of one kind about these places. `None` if no rule applies. When the budget is used
/// up, the net is what it has become by then.
pub fn reduce(net: &PetriNet, observed: &[PlaceId], kind: Preserved, budget: &Budget) -> Option<Reduced> {
    reduce_by(&RULES.iter().collect::<Vec<_>>(), net, observed, kind, budget)
}

fn reduce_by(
    rules: &[&Rule],
    net: &PetriNet,
    observed: &[PlaceId],
    kind: Preserved,
    budget: &Budget,
) -> Option<Reduced> {
    let mut draft = Draft::new(net, observed);
    let mut applied: Vec<&'static str> = Vec::new();
    for _ in 0..ROUNDS {
        let mut changed = false;
        for rule in rules.iter().filter(|rule| (rule.preserves)(kind)) {
            // The late ones come last.
            if budget.check().is_err() || rule.late && changed {
                break;
            }
            if (rule.apply)(&mut draft, kind, budget) {
                changed = true;
                applied.push(rule.name);
            }
        }
        if !changed {
            break;
        }
    }
    applied.sort_unstable();
    applied.dedup();
    let (net, places) = draft.finish().filter(|_| !applied.is_empty())?;
    Some(Reduced { net, rules: applied, places })
}
