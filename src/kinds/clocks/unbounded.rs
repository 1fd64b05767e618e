//! Relaxed and lazy soundness where tokens grow without end, of nets without time.
//!
//! A net with infinitely many markings is neither classically nor weakly sound ([`super::soundness::unbounded`]). The
//! other notions may hold all the same, and both have proofs that are small:
//!
//! * **Relaxed**: runs to the end that use all transitions are found among the first markings. That a transition never
//!   fires, a coverability graph tells.
//! * **Lazy, that the end can always be marked.** The markings from which it can are closed upwards, so that finitely
//!   many least ones say which they are: they are computed backwards from the marked end (Abdulla, Čerāns, Jonsson and
//!   Tsay, "General decidability theorems for infinite-state systems", LICS 1996). That each reachable marking is above
//!   one of them is proved by the state equation: a marking that is not has too few tokens in some place of each. It is
//!   refuted by reachable markings that are closed under firing and do not mark it.
//! * **Lazy, that it is never marked twice**: the coverability graph tells.
//!
//! The ends may be any markings: one is marked where all its tokens are, and the least markings to begin with are the
//! ends.
//!
//! Questions that neither decides stay unknown.

use super::soundness::Workflow;
use crate::budget::Budget;
use crate::net::{Marking, PetriNet, TransitionId};
use crate::structure::{Coverability, Effort, Inequality, Solvability, StateEquation};
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

/// Markings that are visited, least markings that are kept, and linear programs that are solved.
const MARKINGS: usize = 20_000;
const LEAST: usize = 200;
const PROGRAMS: usize = 2_000;

/// The known answers to the two notions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Known {
    /// Relaxed soundness.
    pub relaxed: Option<bool>,
    /// Lazy soundness.
    pub lazy: Option<bool>,
}

/// Asks for both notions of an unbounded workflow net without time.
pub(super) fn ask(net: &PetriNet, workflow: &Workflow, budget: &Budget) -> Known {
    let visited = Visited::of(net, budget);
    let effort = Effort { rows: MARKINGS, ..Effort::default() };
    let cover = Coverability::new(net, effort, budget).ok().flatten();
    let never_fires = |t: TransitionId| cover.as_ref().and_then(|cover| cover.fireable(net, t)) == Some(false);
    let relaxed = match visited.useful(net, workflow).iter().all(|&useful| useful) {
        true => Some(true),
        false => net.transition_ids().any(never_fires).then_some(false),
    };
    let is_covered = |marking: &Marking| cover.as_ref().and_then(|cover| cover.is_covered(marking));
    let twice: Option<Vec<bool>> = twice(workflow).iter().map(is_covered).collect();
    let lazy = match twice.map(|covered| covered.contains(&true)) {
        Some(true) => Some(false),
        _ if visited.marks_twice(workflow) || visited.is_stuck(workflow) => Some(false),
        Some(false) => always(net, workflow, budget).then_some(true),
        None => None,
    };
    Known { relaxed, lazy }
}

/// The least markings in which all tokens of two ends are.
fn twice(workflow: &Workflow) -> Vec<Marking> {
    let ends = &workflow.ends;
    let sum =
        |a: &[u32], b: &[u32]| Marking::new(a.iter().zip(b).map(|(&a, &b)| u64::from(a) + u64::from(b)).collect());
    ends.iter().enumerate().flat_map(|(n, a)| ends[n..].iter().map(move |b| sum(a, b))).collect()
}

/// Are all tokens of an end in a marking?
fn is_marked(marking: &Marking, workflow: &Workflow) -> bool {
    let tokens = |end: &[u32]| end.iter().zip(marking.as_slice()).all(|(&end, &tokens)| tokens >= u64::from(end));
    workflow.ends.iter().any(|end| tokens(end))
}

/// The first markings, breadth-first.
struct Visited {
    markings: IndexSet<Marking, FxBuildHasher>,
    /// From a marking by a transition to a marking.
    edges: Vec<(usize, TransitionId, usize)>,
    /// The successors of so many of them are all there.
    opened: usize,
}

impl Visited {
    fn of(net: &PetriNet, budget: &Budget) -> Self {
        let mut visited = Visited { markings: IndexSet::default(), edges: Vec::new(), opened: 0 };
        visited.markings.insert(net.initial_marking());
        while let Some(marking) = visited.markings.get_index(visited.opened).cloned() {
            if visited.markings.len() >= MARKINGS || budget.check().is_err() {
                break;
            }
            let mut next = Vec::new();
            for transition in marking.enabled(net) {
                // A count beyond 64 bits is not visited.
                let Some(after) = marking.fire(net, transition) else { return visited };
                next.push((transition, after));
            }
            for (transition, after) in next {
                let target = visited.markings.insert_full(after).0;
                visited.edges.push((visited.opened, transition, target));
            }
            visited.opened += 1;
        }
        visited
    }

    /// From which of the markings one of these can be reached.
    fn leading_to(&self, goals: impl Fn(usize) -> bool) -> Vec<bool> {
        let mut before = vec![Vec::new(); self.markings.len()];
        self.edges.iter().for_each(|&(from, _, to)| before[to].push(from));
        let mut leads: Vec<bool> = (0..self.markings.len()).map(goals).collect();
        let mut stack: Vec<usize> = (0..leads.len()).filter(|&at| leads[at]).collect();
        while let Some(at) = stack.pop() {
            for &from in &before[at] {
                if !std::mem::replace(&mut leads[from], true) {
                    stack.push(from);
                }
            }
        }
        leads
    }

    /// Which transitions are part of a run to the end.
    fn useful(&self, net: &PetriNet, workflow: &Workflow) -> Vec<bool> {
        let is_end = |marking: &Marking| {
            let tokens: Option<Vec<u32>> = marking.as_slice().iter().map(|&n| u32::try_from(n).ok()).collect();
            tokens.is_some_and(|tokens| workflow.is_final(&tokens))
        };
        let ends = self.leading_to(|at| is_end(&self.markings[at]));
        let mut useful = vec![false; net.transition_count()];
        for &(_, transition, to) in &self.edges {
            useful[transition.index()] |= ends[to];
        }
        useful
    }

    /// Is there a marking all of whose runs are known, and none marks an end?
    fn is_stuck(&self, workflow: &Workflow) -> bool {
        let open = |at: usize| at >= self.opened || is_marked(&self.markings[at], workflow);
        self.leading_to(open).contains(&false)
    }

    /// Is there a marking with all tokens of two ends?
    fn marks_twice(&self, workflow: &Workflow) -> bool {
        let twice = twice(workflow);
        self.markings.iter().any(|marking| twice.iter().any(|two| is_below(two, marking)))
    }
}

fn is_below(a: &Marking, b: &Marking) -> bool {
    a.as_slice().iter().zip(b.as_slice()).all(|(a, b)| a <= b)
}

/// Is it proved that an end can be marked from each reachable marking?
fn always(net: &PetriNet, workflow: &Workflow, budget: &Budget) -> bool {
    let Some(least) = least_before(net, workflow, budget) else { return false };
    let Some(mut equation) = StateEquation::new(net) else { return false };
    // A marking that is above none of them: for each, a place in which it has fewer tokens.
    let mut left = PROGRAMS;
    let mut choices: Vec<Vec<Inequality>> = vec![Vec::new()];
    while let Some(few) = choices.pop() {
        if left == 0 || budget.check().is_err() {
            return false;
        }
        left -= 1;
        if matches!(equation.solve(&few, budget), Solvability::Impossible(_)) {
            continue;
        }
        let Some(next) = least.get(few.len()) else { return false };
        for (place, tokens) in net.place_ids().zip(next.as_slice()).filter(|(_, tokens)| **tokens > 0) {
            let inequality = Inequality { terms: vec![(place, -1)], least: 1 - i128::from(*tokens) };
            choices.push([&few[..], &[inequality]].concat());
        }
    }
    true
}

/// The least markings from which an end can be marked; `None` if there are too many.
fn least_before(net: &PetriNet, workflow: &Workflow, budget: &Budget) -> Option<Vec<Marking>> {
    let end = |end: &[u32]| Marking::new(end.iter().map(|&tokens| tokens.into()).collect());
    let mut least: Vec<Marking> = workflow.ends.iter().map(|tokens| end(tokens)).collect();
    let mut pending = least.clone();
    while let Some(goal) = pending.pop() {
        if least.len() > LEAST || budget.check().is_err() {
            return None;
        }
        for transition in net.transitions() {
            if !transition.inhibitors.is_empty() {
                return None;
            }
            let mut before = goal.as_slice().to_vec();
            for arc in &transition.post {
                let tokens = &mut before[arc.place.index()];
                *tokens = tokens.saturating_sub(arc.weight);
            }
            for arc in &transition.pre {
                let tokens = &mut before[arc.place.index()];
                *tokens = tokens.checked_add(arc.weight)?;
            }
            let before = Marking::new(before);
            if !least.iter().any(|known| is_below(known, &before)) {
                least.retain(|known| !is_below(&before, known));
                least.push(before.clone());
                pending.push(before);
            }
        }
    }
    Some(least)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::model::{self, ClockNet};
    use super::super::scaled::Scaled;
    use super::super::{markings::Limits, soundness::soundness};
    use super::*;
    use crate::net::{Annotations, NetBuilder, PlaceId};
    use crate::random::{NetShape, Rng, net as draw};
    use crate::reference::explore;

    /// A source, a place `a` that makes and takes tokens in `b`, and the end: with the places that the last transition
    /// takes from, and a way from the start into a place that nothing leaves but with a token that is not there.
    /// The ends are others than the sink where they are named.
    fn known(end: &[&str], trap: bool, ends: &[&[(&str, u64)]]) -> Known {
        let mut n = NetBuilder::new("n");
        let [i, a, b, o] = [("i", 1), ("a", 0), ("b", 0), ("o", 0)].map(|(id, tokens)| n.place(id, tokens).unwrap());
        let place = |id: &str| [("i", i), ("a", a), ("b", b), ("o", o)].iter().find(|p| p.0 == id).unwrap().1;
        let mut add = |id: &str, from: &[PlaceId], to: &[PlaceId]| {
            let t = n.transition(id).unwrap();
            from.iter().for_each(|&p| n.input(p, t, 1).unwrap());
            to.iter().for_each(|&p| n.output(t, p, 1).unwrap());
        };
        add("s", &[i], &[a]);
        add("more", &[a], &[a, b]);
        add("less", &[a, b], &[a]);
        add("e", &end.iter().map(|id| place(id)).collect::<Vec<_>>(), &[o]);
        if trap {
            add("lost", &[i], &[b]);
        }
        let tokens = |end: &&[(&str, u64)]| end.iter().map(|&(id, tokens)| (place(id), tokens)).collect();
        let finals = ends.iter().map(tokens).collect();
        let net = n.build().unwrap().with_annotations(Annotations { finals, ..Annotations::default() });
        let clock_net = ClockNet::of_named_net(&net).unwrap();
        ask(&net, &Workflow::of(&clock_net).unwrap(), &Budget::unlimited())
    }

    #[test]
    fn small_runs_and_the_state_equation_decide() {
        assert_eq!(known(&["a"], false, &[]), Known { relaxed: Some(true), lazy: Some(true) });
        // With a `b` taken at the end there is one more to make, and it can be made.
        assert_eq!(known(&["a", "b"], false, &[]), Known { relaxed: Some(true), lazy: Some(true) });
        // The token in `b` stays there, and `a` is never marked again.
        assert_eq!(known(&["a"], true, &[]), Known { relaxed: None, lazy: Some(false) });
    }

    #[test]
    fn ends_may_be_any_markings() {
        // A token that `a` has made, or the sink; and the sink with or without one.
        let both = Known { relaxed: Some(true), lazy: Some(true) };
        assert_eq!(known(&["a", "b"], false, &[&[("o", 1)], &[("a", 1), ("b", 1)]]), both);
        assert_eq!(known(&["a"], false, &[&[("o", 1)], &[("o", 1), ("b", 1)]]), both);
        // Two tokens in `b` are the end twice.
        assert_eq!(known(&["a"], false, &[&[("b", 1)]]).lazy, Some(false));
        assert_eq!(known(&["a"], true, &[&[("o", 1), ("b", 1)]]).lazy, Some(false));
    }

    /// Of nets with few markings both notions are known by definition.
    #[test]
    fn answers_are_those_of_all_markings() {
        let mut told = [[0; 2]; 2];
        for seed in 0..400 {
            let mut rng = Rng::new(seed);
            let shape = NetShape { max_states: 40, inhibitors: false, ..NetShape::default() };
            let net = draw(&mut rng, &shape);
            let graph = explore(&net, 40).unwrap();
            let clock_net = ClockNet::of_net(&net).unwrap();
            let ends = (0..1 + rng.below(2)).map(|_| {
                let marking = &graph.markings[rng.below(graph.states())];
                marking.as_slice().iter().map(|&tokens| u32::try_from(tokens).unwrap()).collect::<Box<[u32]>>()
            });
            let ends: Vec<_> = ends.filter(|end| end.iter().any(|&tokens| tokens > 0)).collect();
            if ends.is_empty() {
                continue;
            }
            let workflow = Workflow { source: model::PlaceId(0), ends };
            let scaled = Scaled::new(&clock_net).unwrap();
            let known = ask(&net, &workflow, &Budget::unlimited());
            let found = soundness(&scaled, &workflow, &Limits::default()).unwrap();
            let both = [(known.relaxed, found.relaxed()), (known.lazy, found.lazy())];
            for ((answer, expected), told) in both.into_iter().zip(&mut told) {
                assert!(
                    answer.is_none_or(|answer| answer == expected),
                    "seed {seed}: {known:?}, {workflow:?} of {net:?}"
                );
                told[usize::from(expected)] += usize::from(answer.is_some());
            }
        }
        assert!(told.iter().flatten().all(|&count| count > 10), "{told:?}");
    }
}
