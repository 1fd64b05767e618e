//! Place/transition nets: the model every Petri-net input is read into.
//!
//! A [`PetriNet`] holds places with an initial marking and transitions with weighted input, output and
//! inhibitor arcs. It is immutable once built: [`NetBuilder`] collects places, transitions and arcs in any
//! order, merges parallel arcs, and checks the result, so that every net that exists is well formed.
//!
//! *Read arcs* do not appear as a kind of their own. A transition that tests `p ≥ w` without consuming is
//! the same as one that takes `w` tokens from `p` and puts them back, in an interleaving semantics; the
//! builder stores them so ([`NetBuilder::read_arc`]).
//!
//! To what works on any kind of model a place is a variable, a transition an action, and a marking a state: they are
//! the same types under the names of this field.
//!
//! This module knows nothing of decision diagrams (see ARCHITECTURE.md).

mod annotations;
mod builder;
mod edges;
mod marking;
mod nupn;

pub use crate::model::{ActionId as TransitionId, State as Marking, VariableId as PlaceId};
pub use annotations::Annotations;
pub use builder::{BuildError, NetBuilder};
pub use edges::EdgesError;
pub use nupn::{Nupn, Unit};

/// A place: its identifier in the file, an optional display name, and its initial token count.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// Identifier, unique in the net (places and transitions share one name space).
    pub id: String,
    /// Display name where the file gives one that differs from the identifier.
    pub name: Option<String>,
    /// Tokens in the initial marking.
    pub initial: u64,
}

/// A weighted arc between a place and the transition that holds it. The weight is at least 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arc {
    /// The place at the other end.
    pub place: PlaceId,
    /// Tokens moved (or, for an inhibitor arc, the count that disables: enabled iff `m(place) < weight`).
    pub weight: u64,
}

/// A transition with its arcs. Each list is sorted by place and names a place at most once.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Transition {
    /// Identifier, unique in the net.
    pub id: String,
    /// Display name where the file gives one that differs from the identifier.
    pub name: Option<String>,
    /// Input arcs: enabled only if `m(p) ≥ weight`; firing removes `weight` tokens.
    pub pre: Vec<Arc>,
    /// Output arcs: firing adds `weight` tokens.
    pub post: Vec<Arc>,
    /// Inhibitor arcs: enabled only if `m(p) < weight`.
    pub inhibitors: Vec<Arc>,
}

/// The input, output and inhibitor arcs of a transition with their weights, each sorted by place.
pub(crate) type Arcs = [Vec<(PlaceId, u64)>; 3];

impl Transition {
    /// Its arcs, where each place has become another one.
    pub(crate) fn arcs_of_images(&self, image: impl Fn(PlaceId) -> PlaceId) -> Arcs {
        [&self.pre, &self.post, &self.inhibitors].map(|arcs| {
            let mut arcs: Vec<_> = arcs.iter().map(|arc| (image(arc.place), arc.weight)).collect();
            arcs.sort_unstable();
            arcs
        })
    }
}

/// A well-formed place/transition net with inhibitor arcs, and its initial marking.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PetriNet {
    name: String,
    places: Vec<Place>,
    transitions: Vec<Transition>,
    nupn: Option<Nupn>,
    annotations: Annotations,
}

impl PetriNet {
    /// Name (the `id` of the `<net>` element for PNML).
    pub fn name(&self) -> &str {
        &self.name
    }
    /// All places, indexed by [`PlaceId`].
    pub fn places(&self) -> &[Place] {
        &self.places
    }
    /// All transitions, indexed by [`TransitionId`].
    pub fn transitions(&self) -> &[Transition] {
        &self.transitions
    }
    /// Number of places.
    pub fn place_count(&self) -> usize {
        self.places.len()
    }
    /// Number of transitions.
    pub fn transition_count(&self) -> usize {
        self.transitions.len()
    }
    /// Number of arcs (input, output and inhibitor).
    pub fn arc_count(&self) -> usize {
        self.transitions.iter().map(|t| t.pre.len() + t.post.len() + t.inhibitors.len()).sum()
    }
    /// The place with this index.
    pub fn place(&self, p: PlaceId) -> &Place {
        &self.places[p.index()]
    }
    /// The transition with this index.
    pub fn transition(&self, t: TransitionId) -> &Transition {
        &self.transitions[t.index()]
    }
    /// All place indices, in order.
    pub fn place_ids(&self) -> impl ExactSizeIterator<Item = PlaceId> + use<> {
        (0..self.places.len() as u32).map(PlaceId)
    }
    /// All transition indices, in order.
    pub fn transition_ids(&self) -> impl ExactSizeIterator<Item = TransitionId> + use<> {
        (0..self.transitions.len() as u32).map(TransitionId)
    }
    /// The unit structure (NUPN) that came with the net, if any.
    pub fn nupn(&self) -> Option<&Nupn> {
        self.nupn.as_ref()
    }
    /// The same net with this unit structure.
    #[must_use]
    pub(crate) fn with_nupn(self, nupn: Nupn) -> Self {
        PetriNet { nupn: Some(nupn), ..self }
    }
    /// Further data of the file.
    pub fn annotations(&self) -> &Annotations {
        &self.annotations
    }
    /// The same net, with this said beside.
    #[must_use]
    pub fn with_annotations(self, annotations: Annotations) -> Self {
        PetriNet { annotations, ..self }
    }
    /// The same net, begun in another marking.
    #[must_use]
    pub(crate) fn begun_in(&self, marking: &Marking) -> Self {
        let mut net = self.clone();
        net.places.iter_mut().zip(marking.as_slice()).for_each(|(place, &tokens)| place.initial = tokens);
        net
    }
    /// The initial marking.
    pub fn initial_marking(&self) -> Marking {
        Marking::new(self.places.iter().map(|p| p.initial).collect())
    }
}
