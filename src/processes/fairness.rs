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
