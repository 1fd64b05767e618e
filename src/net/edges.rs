//! A net from a list of its arcs, as drawings and tables have it: which names are places is found out.
//!
//! An arc joins a place and a transition. So one known node tells what all nodes are that are connected with it: each
//! neighbour of a place is a transition, and each neighbour of a transition a place. What is marked is a place; where
//! nothing is marked, one node must be said to be a transition or a place.

use super::{BuildError, NetBuilder, PetriNet};
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

/// The reason why arcs are no net.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EdgesError {
    /// Two places, or two transitions, are joined.
    #[error("the arc from `{from}` to `{to}` joins two {kind}s; an arc joins a place and a transition")]
    Alike {
        /// Its source.
        from: String,
        /// Its target.
        to: String,
        /// The sort of both.
        kind: &'static str,
    },
    /// Nothing tells what a node is.
    #[error(
        "nothing tells whether `{0}` is a place or a transition: mark it, or say which of its nodes are transitions"
    )]
    Unknown(String),
    /// A node is said to be both.
    #[error("`{0}` has tokens and is said to be a transition; only places have tokens")]
    Both(String),
    /// The net cannot be built.
    #[error(transparent)]
    Build(#[from] BuildError),
}

impl PetriNet {
    /// The net with these arcs, each with its weight; with tokens in these places (which may be none, to say that it is a
    /// place), and with these transitions, as far as they have to be said. Places and transitions are in the order in which
    /// they are first mentioned: in the marking, among the transitions, in the arcs.
    ///
    /// ```
    /// use starset::Model;
    /// use starset::net::PetriNet;
    /// let arcs = [("free", "put", 1), ("put", "full", 1), ("full", "take", 1), ("take", "free", 1)];
    /// let net = PetriNet::from_edges("buffer", &arcs, &[("free", 3)], &[])?;
    /// assert_eq!((net.place_count(), net.transition_count()), (2, 2));
    /// assert_eq!(Model::new(net).states()?.to_string(), "4");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`EdgesError`].
    pub fn from_edges(
        name: &str,
        arcs: &[(&str, &str, u64)],
        marking: &[(&str, u64)],
        transitions: &[&str],
    ) -> Result<PetriNet, EdgesError> {
        // For each node whether it is a place, once that is known.
        let mut nodes: IndexMap<&str, Option<bool>, FxBuildHasher> = IndexMap::default();
        nodes.extend(marking.iter().map(|&(place, _)| (place, Some(true))));
        for &transition in transitions {
            if nodes.insert(transition, Some(false)) == Some(Some(true)) {
                return Err(EdgesError::Both(transition.to_owned()));
            }
        }
        for &(from, to, _) in arcs {
            nodes.entry(from).or_default();
            nodes.entry(to).or_default();
        }
        let mut near = vec![Vec::new(); nodes.len()];
        for (number, (from, to, _)) in arcs.iter().enumerate() {
            let ends = [from, to].map(|node| nodes.get_index_of(node).unwrap_or_default());
            near[ends[0]].push((ends[1], number));
            near[ends[1]].push((ends[0], number));
        }
        let mut known: Vec<usize> = (0..nodes.len()).filter(|&node| nodes[node].is_some()).collect();
        while let Some(node) = known.pop() {
            for &(next, arc) in &near[node] {
                match (nodes[node], nodes[next]) {
                    (Some(place), None) => {
                        nodes[next] = Some(!place);
                        known.push(next);
                    }
                    (Some(one), Some(other)) if one == other => {
                        let (from, to) = (arcs[arc].0.to_owned(), arcs[arc].1.to_owned());
                        return Err(EdgesError::Alike { from, to, kind: if one { "place" } else { "transition" } });
                    }
                    _ => {}
                }
            }
        }
        let mut builder = NetBuilder::new(name);
        for (&node, &is_place) in &nodes {
            match is_place {
                Some(true) => builder.place(node, 0).map(|_| ())?,
                Some(false) => builder.transition(node).map(|_| ())?,
                None => return Err(EdgesError::Unknown(node.to_owned())),
            }
        }
        for &(place, tokens) in marking {
            if let Some(place) = builder.find_place(place) {
                builder.set_initial(place, tokens);
            }
        }
        for &(from, to, weight) in arcs {
            match (builder.find_place(from), builder.find_transition(from)) {
                (Some(place), _) => {
                    if let Some(transition) = builder.find_transition(to) {
                        builder.input(place, transition, weight)?;
                    }
                }
                (None, Some(transition)) => {
                    if let Some(place) = builder.find_place(to) {
                        builder.output(transition, place, weight)?;
                    }
                }
                (None, None) => {}
            }
        }
        Ok(builder.build()?)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn what_is_no_net_is_refused() {
        let build = |arcs: &[(&str, &str, u64)], marking: &[(&str, u64)], transitions: &[&str]| {
            PetriNet::from_edges("net", arcs, marking, transitions)
        };
        let alike = |from: &str, to: &str, kind| EdgesError::Alike { from: from.into(), to: to.into(), kind };
        assert_eq!(build(&[("p", "q", 1)], &[("p", 1), ("q", 0)], &[]).unwrap_err(), alike("p", "q", "place"));
        assert_eq!(build(&[("t", "t", 1)], &[], &["t"]).unwrap_err(), alike("t", "t", "transition"));
        // A triangle.
        let triangle = [("p", "t", 1), ("t", "q", 1), ("q", "p", 1)];
        assert!(matches!(build(&triangle, &[("p", 1)], &[]).unwrap_err(), EdgesError::Alike { .. }));
        assert_eq!(build(&[("p", "t", 1)], &[], &[]).unwrap_err(), EdgesError::Unknown("p".into()));
        assert_eq!(build(&[], &[("t", 1)], &["t"]).unwrap_err(), EdgesError::Both("t".into()));
        assert!(matches!(build(&[("p", "t", 0)], &[("p", 1)], &[]), Err(EdgesError::Build(_))));
    }

    #[test]
    fn arcs_that_are_there_twice_add_up() {
        let net = PetriNet::from_edges("net", &[("p", "t", 1), ("p", "t", 2)], &[("p", 3)], &[]).unwrap();
        assert_eq!(net.transitions()[0].pre[0].weight, 3);
        assert_eq!(PetriNet::from_edges("net", &[("p", "t", 1)], &[], &["t", "alone"]).unwrap().transition_count(), 2);
    }
}
