//! Runs that are strongly fair to every transition, and do not complete.
//!
//! A run without end that is fair has a set of markings that it meets again and again. They are strongly connected, and
//! each transition that is enabled in one of them is fired among them. The other way round, a run goes through such a
//! set again and again, by all its edges. So there is one exactly if there is such a set: in each strongly connected
//! component, markings that enable a transition that no edge inside fires are taken away, until nothing changes (Streett
//! conditions; Emerson and Lei 1987). A run that ends where nothing fires is fair; it completes if that is final.

use super::graph::Graph;
use crate::kinds::bpmn::process_net::ProcessNet;
use crate::scc::components;
use fixedbitset::FixedBitSet;

/// Is there a fair run that does not complete? The graph is complete.
pub(super) fn incomplete(net: &ProcessNet, graph: &Graph, finals: &FixedBitSet) -> bool {
    if (0..graph.len()).any(|state| graph.edges(state).is_empty() && !finals.contains(state)) {
        return true;
    }
    let mut left: FixedBitSet = (0..graph.len()).collect();
    loop {
        let inner = |state: usize| {
            graph.edges(state).iter().map(|&(_, target)| target as usize).filter(|&target| left.contains(target))
        };
        let found = components(graph.len(), left.ones(), inner);
        let mut members = vec![Vec::new(); found.count];
        left.ones().for_each(|state| members[found.of[state] as usize].push(state));
        let mut gone = Vec::new();
        for members in members {
            let mut fired = FixedBitSet::with_capacity(net.transitions.len());
            for &state in &members {
                for &(transition, target) in graph.edges(state) {
                    if left.contains(target as usize) && found.of[target as usize] == found.of[state] {
                        fired.insert(transition as usize);
                    }
                }
            }
            let leaves =
                |state: &usize| graph.edges(*state).iter().any(|&(transition, _)| !fired.contains(transition as usize));
            match fired.is_clear() {
                // No cycle.
                true => gone.extend(members),
                false => {
                    let before = gone.len();
                    gone.extend(members.iter().copied().filter(leaves));
                    if gone.len() == before {
                        return true;
                    }
                }
            }
        }
        if gone.is_empty() {
            return !left.is_clear();
        }
        gone.into_iter().for_each(|state| left.set(state, false));
    }
}

/// A state that a fair run meets again and again, or ends in, and where it does not hold: of runs that are fair to each
/// node that can always do something, and to each way out of a gateway that is possible again and again. Of a graph that
/// is not complete, only ends are looked at.
///
/// A component in which a node can do something everywhere, and nothing inside is of it, has no fair run (weak
/// fairness); nor have its parts. What a way out of a gateway asks for is dealt with as above.
pub(super) fn refuted(net: &ProcessNet, graph: &Graph, holds: impl Fn(usize) -> bool) -> Option<usize> {
    // A step that changes nothing is none.
    let moves = |state: usize| graph.edges(state).iter().copied().filter(move |&(_, target)| target as usize != state);
    let stuck = (0..graph.expanded()).find(|&state| moves(state).next().is_none() && !holds(state));
    if stuck.is_some() || !graph.is_complete {
        return stuck;
    }
    let nodes = 1 + net.transitions.iter().filter_map(|transition| transition.node).max().unwrap_or(0);
    let of_node = |transition: u32| net.transitions[transition as usize].node;
    let mut next: Vec<Vec<usize>> = vec![(0..graph.len()).collect()];
    while let Some(states) = next.pop() {
        let set: FixedBitSet = states.iter().copied().collect();
        let inner = |state: usize| {
            moves(state).map(|(_, target)| target as usize).filter(|&target| set.contains(target)).collect::<Vec<_>>()
        };
        let found = components(graph.len(), states.iter().copied(), |state| inner(state).into_iter());
        let mut members = vec![Vec::new(); found.count];
        states.iter().for_each(|&state| members[found.of[state] as usize].push(state));
        for members in members {
            let Some(&unmet) = members.iter().find(|&&state| !holds(state)) else { continue };
            let mut fired = FixedBitSet::with_capacity(net.transitions.len());
            let mut acting = FixedBitSet::with_capacity(nodes);
            let mut able = vec![0usize; nodes];
            for &state in &members {
                let mut can = FixedBitSet::with_capacity(nodes);
                for (transition, target) in moves(state) {
                    can.extend(of_node(transition));
                    let target = target as usize;
                    if set.contains(target) && found.of[target] == found.of[state] {
                        fired.insert(transition as usize);
                        acting.extend(of_node(transition));
                    }
                }
                can.ones().for_each(|node| able[node] += 1);
            }
            let is_unfair = (0..nodes).any(|node| able[node] == members.len() && !acting.contains(node));
            if fired.is_clear() || is_unfair {
                continue;
            }
            let missed = net.branches.iter().filter(|branch| !branch.iter().any(|&step| fired.contains(step)));
            let missed: FixedBitSet = missed.flatten().copied().collect();
            let (gone, left): (Vec<usize>, Vec<usize>) = members
                .into_iter()
                .partition(|&state| moves(state).any(|(transition, _)| missed.contains(transition as usize)));
            match gone.is_empty() {
                true => return Some(unmet),
                false => next.push(left),
            }
        }
    }
    None
}
