//! Unbounded places, by a coverability graph after Karp and Miller.
//!
//! **Problem.** The reachable set of an unbounded net has no diagram, and a search for it never ends. The
//! question "can this place hold more than any number of tokens?" is decidable all the same, and its answer
//! is what the state space, the bounds and several other examinations need for such a net.
//!
//! **Idea.** Labels are markings that may have ω ("as many as you like") in some places. From the initial
//! marking, every enabled transition is fired; where the label reached is at least that of an ancestor on the
//! path, the firings in between can be repeated, so every place that grew gets ω. A label below one that is
//! already there is dropped: all that it can lead to is covered from there.
//!
//! **Invariant.** *Soundness*: for every label and every n some reachable marking has at least n tokens in the
//! ω places and exactly the label's count elsewhere. So ω proves unboundedness, at any point of the search.
//! *Completeness*: when the search ends, the markings below some label include the initial one and are closed
//! under firing, so every reachable marking is below some label. No label is ever removed, which avoids the
//! known defect of the minimal coverability tree (Finkel's; see Geeraerts, Raskin and Van Begin 2010).
//!
//! Complexity: the graph can be larger than any primitive recursive function of the net; the search is cut
//! off by the [`Effort`] and then proves only what it has found.
//!
//! **Inhibitor arcs.** Firings cannot be repeated where a place grew that one of them is inhibited by, and no marking says
//! anything of one with more tokens in such a place. So ω is given if none of the firings is inhibited by a place that
//! grew; transitions do not fire where a place that inhibits them has ω; and a label is dropped only if the one above it has
//! the same count in each place with inhibitor arcs. A search that gives ω to one of these is not complete.
//!
//! Karp and Miller, "Parallel program schemata", JCSS 3(2), 1969.

mod walk;

use super::Effort;
use crate::budget::{Budget, Exhausted};
use crate::net::{Marking, PetriNet, PlaceId, Transition, TransitionId};

/// The count of a place that can hold any number of tokens.
const OMEGA: u64 = u64::MAX;

/// The least upper bound of a sum of tokens over the reachable markings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Supremum {
    /// The sum reaches this value and never exceeds it.
    Finite(u128),
    /// The sum exceeds any number.
    Infinite,
}

/// Labels that cover the reachable markings (all of them, if complete).
#[derive(Clone, Debug)]
pub(crate) struct Coverability {
    labels: Vec<Box<[u64]>>,
    complete: bool,
}

/// The places by which a transition is inhibited.
#[derive(Clone, Debug)]
struct Inhibiting(Vec<PlaceId>);

impl Inhibiting {
    /// Of all transitions of a net.
    fn of(net: &PetriNet) -> Self {
        let mut places: Vec<PlaceId> = net.transitions().iter().flat_map(inhibiting).collect();
        places.sort_unstable();
        places.dedup();
        Inhibiting(places)
    }

    /// Of no transition.
    fn none() -> Self {
        Inhibiting(Vec::new())
    }

    /// Add those of a transition.
    fn add(&mut self, transition: &Transition) {
        self.0.extend(inhibiting(transition));
    }

    /// Does each of them have as many tokens in both labels?
    fn are_the_same(&self, one: &[u64], other: &[u64]) -> bool {
        self.0.iter().all(|place| one[place.index()] == other[place.index()])
    }

    /// Can one of them hold any number of tokens?
    fn any_is_unbounded(&self, label: &[u64]) -> bool {
        self.0.iter().any(|place| label[place.index()] == OMEGA)
    }
}

fn inhibiting(transition: &Transition) -> impl Iterator<Item = PlaceId> {
    transition.inhibitors.iter().map(|arc| arc.place)
}

impl Coverability {
    /// Search `net`; `None` if a count is too large. `effort.rows` limits the number of labels.
    pub(crate) fn new(net: &PetriNet, effort: Effort, budget: &Budget) -> Result<Option<Self>, Exhausted> {
        let initial: Box<[u64]> = net.places().iter().map(|p| p.initial).collect();
        if initial.contains(&OMEGA) {
            return Ok(None);
        }
        let inhibiting = Inhibiting::of(net);
        let mut search = Search { net, inhibiting, labels: vec![initial], parents: vec![None], work: effort.work };
        let ended = search.run(effort.rows, budget)?;
        let complete = ended && !search.labels.iter().any(|label| search.inhibiting.any_is_unbounded(label));
        Ok(Some(Coverability { labels: search.labels, complete }))
    }

    /// Is every reachable marking covered? Otherwise the search was cut off.
    pub(crate) fn complete(&self) -> bool {
        self.complete
    }

    /// For each label the greatest counts of the markings below it, by place; `None` for any number.
    pub(crate) fn labels(&self) -> impl Iterator<Item = impl Fn(PlaceId) -> Option<u64>> {
        self.labels.iter().map(|label| |place: PlaceId| Some(label[place.index()]).filter(|&tokens| tokens != OMEGA))
    }

    /// Is some place proven unbounded?
    pub(crate) fn unbounded(&self) -> bool {
        self.labels.iter().any(|label| label.contains(&OMEGA))
    }

    /// The first place that is proven unbounded.
    pub(crate) fn unbounded_place(&self) -> Option<PlaceId> {
        let places = self.labels.iter().filter_map(|label| label.iter().position(|&tokens| tokens == OMEGA));
        places.min().map(|place| PlaceId(place as u32))
    }

    /// The least upper bound of the tokens in these places (counted as often as listed), if it is known.
    pub(crate) fn supremum(&self, places: &[PlaceId]) -> Option<Supremum> {
        let mut greatest = 0u128;
        for label in &self.labels {
            let mut sum = 0u128;
            for place in places {
                match label[place.index()] {
                    OMEGA => return Some(Supremum::Infinite),
                    tokens => sum += u128::from(tokens),
                }
            }
            greatest = greatest.max(sum);
        }
        self.complete.then_some(Supremum::Finite(greatest))
    }

    /// Is a marking that has at least these tokens reachable, if it is known?
    pub(crate) fn is_covered(&self, marking: &Marking) -> Option<bool> {
        let above = |label: &[u64]| label.iter().zip(marking.as_slice()).all(|(has, wants)| has >= wants);
        let covered = self.labels.iter().any(|label| above(label));
        (covered || self.complete).then_some(covered)
    }

    /// Does this transition of `net` fire in some reachable marking, if it is known?
    pub(crate) fn fireable(&self, net: &PetriNet, transition: TransitionId) -> Option<bool> {
        let transition = net.transition(transition);
        let covered = self.labels.iter().any(|label| enabled(label, transition));
        (covered || self.complete).then_some(covered)
    }
}

fn enabled(label: &[u64], transition: &Transition) -> bool {
    transition.pre.iter().all(|arc| label[arc.place.index()] >= arc.weight)
        && transition.inhibitors.iter().all(|arc| label[arc.place.index()] < arc.weight)
}

struct Search<'a> {
    net: &'a PetriNet,
    /// Of all transitions.
    inhibiting: Inhibiting,
    labels: Vec<Box<[u64]>>,
    /// The label from which each one comes, and by what.
    parents: Vec<Option<(usize, &'a Transition)>>,
    /// Counts that may still be read.
    work: u64,
}

impl<'a> Search<'a> {
    /// True when everything is covered, false when cut off.
    fn run(&mut self, most: usize, budget: &Budget) -> Result<bool, Exhausted> {
        let mut open = vec![0];
        while let Some(node) = open.pop() {
            budget.check()?;
            for t in self.net.transitions() {
                if !enabled(&self.labels[node], t) {
                    continue;
                }
                let Some(mut label) = fire(&self.labels[node], t) else { return Ok(false) };
                self.accelerate((node, t), &mut label);
                if self.covered(&label) {
                    continue;
                }
                if self.labels.len() >= most || self.work == 0 {
                    return Ok(false);
                }
                open.push(self.labels.len());
                self.labels.push(label);
                self.parents.push(Some((node, t)));
            }
        }
        Ok(true)
    }

    /// ω for every place that grows when the firings since some ancestor are repeated.
    fn accelerate(&mut self, parent: (usize, &'a Transition), label: &mut [u64]) {
        let (mut ancestor, mut inhibiting) = (Some(parent), Inhibiting::none());
        while let Some((node, fired)) = ancestor {
            self.work = self.work.saturating_sub(label.len() as u64);
            inhibiting.add(fired);
            accelerate(&self.labels[node], label, &inhibiting);
            ancestor = self.parents[node];
        }
    }

    fn covered(&mut self, label: &[u64]) -> bool {
        // New labels are most often below recent ones.
        let is_above =
            |known: &[u64]| label.iter().zip(known).all(|(l, k)| l <= k) && self.inhibiting.are_the_same(label, known);
        let position = self.labels.iter().rev().position(|known| is_above(known));
        // Most comparisons end at the first few counts.
        let looked_at = position.unwrap_or(self.labels.len()) as u64;
        self.work = self.work.saturating_sub(4 * looked_at + label.len() as u64);
        position.is_some()
    }
}

/// ω for every place that grows when the firings from an earlier label to this one, which are inhibited by these places,
/// are repeated. How many counts were compared?
fn accelerate(earlier: &[u64], label: &mut [u64], inhibiting: &Inhibiting) -> usize {
    if let Some(fewer) = earlier.iter().zip(label.iter()).position(|(e, l)| e > l) {
        return fewer + 1;
    }
    if !inhibiting.are_the_same(earlier, label) {
        return label.len() + inhibiting.0.len();
    }
    for (count, &earlier) in label.iter_mut().zip(earlier) {
        if earlier < *count {
            *count = OMEGA;
        }
    }
    label.len()
}

/// The label after firing; `None` where a count leaves 64 bits.
fn fire(label: &[u64], transition: &Transition) -> Option<Box<[u64]>> {
    let mut next: Box<[u64]> = label.into();
    for arc in &transition.pre {
        let count = &mut next[arc.place.index()];
        if *count != OMEGA {
            *count -= arc.weight;
        }
    }
    for arc in &transition.post {
        let count = &mut next[arc.place.index()];
        if *count != OMEGA {
            *count = count.checked_add(arc.weight).filter(|&count| count != OMEGA)?;
        }
    }
    Some(next)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::net::NetBuilder;
    use crate::reference::random::with_graph;
    use crate::structure::random_nets::nets;
    use proptest::prelude::*;
    use proptest::test_runner::TestRunner;
    use std::cell::Cell;

    const EFFORT: Effort = Effort { rows: 3000, work: 5_000_000 };
    const FEW: Effort = Effort { rows: 2, work: 5_000_000 };

    /// The graph, and walks from the first labels.
    fn searched(net: &PetriNet) -> [Coverability; 2] {
        let budget = Budget::unlimited();
        let [graph, mut walks] = [EFFORT, FEW].map(|effort| Coverability::new(net, effort, &budget).unwrap().unwrap());
        walks.walk(net, 7, Effort { rows: 30, work: 200_000 }, &budget);
        [graph, walks]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(600))]

        /// On nets that the reference explorer can enumerate, no place is called unbounded and the suprema of
        /// single places and of all together are those of the graph; and a net that the search proves
        /// unbounded cannot be enumerated.
        #[test]
        fn suprema_are_those_of_the_reachability_graph((net, graph) in with_graph(nets(5, 5), 2000)) {
            for cover in searched(&net) {
                prop_assert!(!cover.unbounded());
                let all: Vec<PlaceId> = net.place_ids().collect();
                for places in all.iter().map(std::slice::from_ref).chain([&all[..]]) {
                    let sum = |m: &crate::net::Marking| places.iter().map(|&p| u128::from(m.tokens(p))).sum::<u128>();
                    let expected = Supremum::Finite(graph.markings.iter().map(sum).max().unwrap());
                    if let Some(found) = cover.supremum(places) {
                        prop_assert_eq!(found, expected);
                    } else {
                        prop_assert!(!cover.complete());
                    }
                }
                for t in net.transition_ids() {
                    let expected = graph.edges.iter().flatten().any(|&(fired, _)| fired == t);
                    prop_assert!(cover.fireable(&net, t).is_none_or(|found| found == expected));
                }
            }
        }
    }

    /// A place called unbounded grows to many tokens on some firing sequence of the reference semantics, found by a
    /// search that prefers large counts.
    #[test]
    fn unbounded_places_grow() {
        let (confirmed, exempt, by_walks) = (Cell::new(0), Cell::new(0), Cell::new(0));
        let mut runner = TestRunner::new(ProptestConfig::with_cases(600));
        let ran = runner.run(&nets(4, 4), |net| {
            let [cover, walks] = searched(&net);
            let unbounded = |by: &Coverability, place| by.supremum(&[place]) == Some(Supremum::Infinite);
            for place in net.place_ids().filter(|&p| unbounded(&cover, p) || unbounded(&walks, p)) {
                by_walks.set(by_walks.get() + usize::from(unbounded(&walks, place)));
                let grows = grows(&net, place, 30);
                prop_assert_ne!(grows, Some(false), "{:?}", place);
                let count = if grows.is_some() { &confirmed } else { &exempt };
                count.set(count.get() + 1);
            }
            Ok(())
        });
        ran.unwrap();
        let (confirmed, exempt) = (confirmed.get(), exempt.get());
        assert!(by_walks.get() * 10 > confirmed * 9, "{} of {confirmed}", by_walks.get());
        assert!(confirmed > 100 && exempt * 20 < confirmed, "{confirmed} confirmed, {exempt} not for lack of effort");
    }

    /// Best-first search for a marking with `wanted` tokens in `place`, preferring many tokens there and then
    /// many tokens in all; `None` where it takes too long.
    fn grows(net: &PetriNet, place: PlaceId, wanted: u64) -> Option<bool> {
        let rank =
            |m: &crate::net::Marking| (m.tokens(place), m.as_slice().iter().map(|&n| n.min(1 << 20)).sum::<u64>());
        let mut seen = std::collections::HashSet::new();
        let mut open = std::collections::BinaryHeap::new();
        let initial = net.initial_marking();
        open.push((rank(&initial), 0, initial));
        while let Some((_, depth, marking)) = open.pop() {
            if marking.tokens(place) >= wanted {
                return Some(true);
            }
            if seen.len() > 50_000 {
                return None;
            }
            let next: Vec<_> = marking.enabled(net).filter_map(|t| marking.fire(net, t)).collect();
            for marking in next {
                if seen.insert(marking.clone()) {
                    open.push((rank(&marking), depth + 1, marking));
                }
            }
        }
        Some(false)
    }

    /// Tokens of `a` are turned into tokens of `b` after `a` has been filled: only acceleration twice finds it.
    #[test]
    fn nested_growth() {
        let mut b = NetBuilder::new("nested");
        let (run, a, out, stop) = (
            b.place("run", 1).unwrap(),
            b.place("a", 0).unwrap(),
            b.place("out", 0).unwrap(),
            b.place("stop", 0).unwrap(),
        );
        let fill = b.transition("fill").unwrap();
        b.read_arc(run, fill, 1).unwrap();
        b.output(fill, a, 1).unwrap();
        let end = b.transition("end").unwrap();
        b.input(run, end, 1).unwrap();
        b.output(end, stop, 1).unwrap();
        let pour = b.transition("pour").unwrap();
        b.read_arc(stop, pour, 1).unwrap();
        b.input(a, pour, 1).unwrap();
        b.output(pour, out, 2).unwrap();
        let never = b.transition("never").unwrap();
        b.input(run, never, 1).unwrap();
        b.input(stop, never, 1).unwrap();
        let net = b.build().unwrap();
        let [cover, walks] = searched(&net);
        assert!(cover.complete() && !walks.complete());
        assert_eq!([&cover, &walks].map(|by| by.supremum(&[out])), [Some(Supremum::Infinite); 2]);
        assert_eq!(cover.supremum(&[run, stop]), Some(Supremum::Finite(1)));
        assert_eq!(cover.fireable(&net, never), Some(false));
        assert_eq!(cover.fireable(&net, pour), Some(true));
    }

    #[test]
    fn cut_off_searches_claim_nothing_they_have_not_found() {
        let mut b = NetBuilder::new("counter");
        let left = b.place("left", 50).unwrap();
        let right = b.place("right", 0).unwrap();
        let go = b.transition("go").unwrap();
        b.input(left, go, 1).unwrap();
        b.output(go, right, 1).unwrap();
        let net = b.build().unwrap();
        let few = Effort { rows: 5, work: u64::MAX };
        let cover = Coverability::new(&net, few, &Budget::unlimited()).unwrap().unwrap();
        assert!(!cover.complete() && !cover.unbounded());
        assert_eq!(cover.supremum(&[right]), None);
    }

    /// A place fills up as far as what fills it is not inhibited by it, and any number of tokens come where that does not
    /// matter.
    #[test]
    fn growth_beside_inhibitor_arcs() {
        let inhibited = |by_itself: bool| {
            let mut b = NetBuilder::new("inhibited");
            let (p, q) = (b.place("p", 0).unwrap(), b.place("q", 0).unwrap());
            let (fill, other) = (b.transition("fill").unwrap(), b.transition("other").unwrap());
            b.output(fill, p, 1).unwrap();
            b.inhibitor(p, if by_itself { fill } else { other }, 2).unwrap();
            b.output(other, q, 1).unwrap();
            b.input(p, other, 1).unwrap();
            (searched(&b.build().unwrap()), [p, q])
        };
        let ([cover, walks], [p, q]) = inhibited(true);
        assert_eq!([&cover, &walks].map(|by| by.supremum(&[q])), [Some(Supremum::Infinite); 2]);
        assert!(cover.complete());
        assert_eq!(cover.supremum(&[p]), Some(Supremum::Finite(2)));
        // What is reached when there are few tokens in `p` is not covered.
        let ([cover, walks], [p, _]) = inhibited(false);
        assert_eq!([&cover, &walks].map(|by| by.supremum(&[p])), [Some(Supremum::Infinite); 2]);
        assert!(!cover.complete());
    }
}
