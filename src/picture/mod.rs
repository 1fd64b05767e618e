//! Pictures of nets, graphs and automata: SVG of our own drawing, and the language of Graphviz.
//!
//! A large net makes no readable picture. What is drawn is a [`View`]: the whole net if it has at most so many
//! nodes, else those nearest to the tokens of the initial marking, and the picture says so.
//!
//! ```
//! use starset::picture::View;
//! let net = starset::kinds::net::pnml::read_path("models/pipeline-2.pnml".as_ref())?;
//! let svg = View::new(&net, 300).svg();
//! assert!(svg.starts_with("<svg"));
//! # Ok::<(), starset::kinds::net::pnml::PnmlError>(())
//! ```

mod automaton;
mod dot;
mod graph;
mod layers;
mod svg;

pub use automaton::automaton;
pub use graph::Graph;

use crate::formula::Symbols;
use crate::net::{Marking, PetriNet, PlaceId, TransitionId};
use std::collections::VecDeque;

/// A place or a transition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Node {
    Place(PlaceId),
    Transition(TransitionId),
}

/// The sort of an arc.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Moves,
    /// Takes tokens and puts as many back.
    Reads,
    Inhibits,
}

/// An arc between nodes of a view.
#[derive(Clone, Copy, Debug)]
struct Link {
    from: usize,
    to: usize,
    weight: u64,
    kind: Kind,
}

/// The part of a net that is drawn.
#[derive(Clone, Debug)]
pub struct View<'a> {
    net: &'a PetriNet,
    nodes: Vec<Node>,
    links: Vec<Link>,
    /// The node around which a part of a net is drawn, if it is not all of it.
    near: &'static str,
    /// The names that people gave, if they are shown.
    symbols: Option<&'a Symbols>,
    /// The tokens, if they are not those at first.
    marking: Option<&'a Marking>,
}

impl<'a> View<'a> {
    /// At most so many places and transitions of a net, those nearest to the tokens.
    pub fn new(net: &'a PetriNet, most: usize) -> Self {
        Self::around(net, most, &[])
    }

    /// At most so many places and transitions of a net: these transitions and their places first, then what is
    /// nearest to them and to the tokens.
    pub(crate) fn around(net: &'a PetriNet, most: usize, first: &[TransitionId]) -> Self {
        let places = net.place_count();
        let mut near = vec![Vec::new(); places + net.transition_count()];
        let mut links = Vec::new();
        for (number, transition) in net.transitions().iter().enumerate() {
            let this = places + number;
            let arc = |from, to, weight, kind| Link { from, to, weight, kind };
            for pre in &transition.pre {
                let place = pre.place.index();
                let read = transition.post.iter().any(|post| (post.place, post.weight) == (pre.place, pre.weight));
                links.push(arc(place, this, pre.weight, if read { Kind::Reads } else { Kind::Moves }));
            }
            for post in &transition.post {
                if !transition.pre.iter().any(|pre| (post.place, post.weight) == (pre.place, pre.weight)) {
                    links.push(arc(this, post.place.index(), post.weight, Kind::Moves));
                }
            }
            for test in &transition.inhibitors {
                links.push(arc(test.place.index(), this, test.weight, Kind::Inhibits));
            }
        }
        for link in &links {
            near[link.from].push(link.to);
            near[link.to].push(link.from);
        }
        // Breadth-first from the transitions, then from the marked places.
        let mut seen = vec![false; near.len()];
        let mut shown = Vec::new();
        let marked = net.place_ids().filter(|&p| net.place(p).initial > 0).map(PlaceId::index);
        let firsts: Vec<usize> = first.iter().map(|t| places + t.index()).filter(|&node| node < near.len()).collect();
        for roots in std::iter::once(firsts).chain(marked.chain(0..near.len()).map(|root| vec![root])) {
            let mut queue = VecDeque::new();
            for root in roots {
                if !std::mem::replace(&mut seen[root], true) {
                    queue.push_back(root);
                }
            }
            while let Some(node) = queue.pop_front() {
                if shown.len() >= most {
                    break;
                }
                shown.push(node);
                for &next in &near[node] {
                    if !std::mem::replace(&mut seen[next], true) {
                        queue.push_back(next);
                    }
                }
            }
            if shown.len() >= most {
                break;
            }
        }
        shown.sort_unstable();
        let mut number = vec![None; near.len()];
        for (new, &old) in shown.iter().enumerate() {
            number[old] = Some(new);
        }
        let kept = links.iter().filter_map(|link| {
            let (from, to) = (number[link.from]?, number[link.to]?);
            Some(Link { from, to, ..*link })
        });
        let node = |&old: &usize| match old.checked_sub(places) {
            None => Node::Place(PlaceId(old as u32)),
            Some(t) => Node::Transition(TransitionId(t as u32)),
        };
        View {
            net,
            links: kept.collect(),
            symbols: None,
            marking: None,
            near: if first.is_empty() { "the tokens" } else { "what is fired" },
            nodes: shown.iter().map(node).collect(),
        }
    }

    /// A note about missing parts of the picture, if any.
    pub fn note(&self) -> Option<String> {
        let all = self.net.place_count() + self.net.transition_count();
        let shown = self.nodes.len();
        (shown < all).then(|| format!("{shown} of {all} places and transitions, those nearest to {}", self.near))
    }

    /// The same with what people call places and transitions, as far as that is not ambiguous, instead of identifiers.
    #[must_use]
    pub fn named(self, symbols: &'a Symbols) -> Self {
        View { symbols: Some(symbols), ..self }
    }

    /// The same with the tokens of another marking.
    ///
    /// ```
    /// use starset::net::TransitionId;
    /// use starset::picture::View;
    /// let net = starset::kinds::net::pnml::read_path("models/pipeline-2.pnml".as_ref())?;
    /// let later = net.initial_marking().fire(&net, TransitionId(0)).ok_or("not enabled")?;
    /// let view = View::new(&net, 300);
    /// assert_ne!(view.clone().marked(&later).svg(), view.svg());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn marked(self, marking: &'a Marking) -> Self {
        View { marking: Some(marking), ..self }
    }

    /// The tokens in a place.
    fn tokens(&self, place: PlaceId) -> u64 {
        let tokens = self.marking.and_then(|marking| marking.as_slice().get(place.index()));
        tokens.copied().unwrap_or_else(|| self.net.place(place).initial)
    }

    fn is_silent(&self, transition: TransitionId) -> bool {
        self.net.is_silent(transition)
    }

    /// The label of a node.
    fn label(&self, node: Node) -> &str {
        let (named, id) = match node {
            Node::Place(p) => (self.symbols.and_then(|symbols| symbols.place_name(p)), &self.net.place(p).id),
            Node::Transition(t) => {
                (self.symbols.and_then(|symbols| symbols.transition_name(t)), &self.net.transition(t).id)
            }
        };
        named.unwrap_or(id)
    }
}
