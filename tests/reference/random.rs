//! Random small nets that shrink to smaller ones.

use super::{Graph, explore};
use proptest::prelude::*;
use starset::net::{NetBuilder, PetriNet};

/// How large the nets are.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// At most so many places (at least one).
    pub places: usize,
    /// At most so many transitions.
    pub transitions: usize,
    /// Initial token counts below this plus one.
    pub tokens: u64,
    /// Arc weights from 1 to this.
    pub weight: u64,
    /// Include inhibitor arcs.
    pub inhibitors: bool,
}

impl Default for Size {
    fn default() -> Self {
        Size { places: 5, transitions: 5, tokens: 2, weight: 2, inhibitors: true }
    }
}

/// A net of places `p0, p1, …` and transitions `t0, t1, …`. About half of the draws are unbounded.
pub fn net(size: Size) -> impl Strategy<Value = PetriNet> {
    let arcs = || prop::collection::vec((0..size.places, 1..=size.weight), 0..3);
    let inhibitors = prop::collection::vec((0..size.places, 1..=size.weight), 0..=usize::from(size.inhibitors));
    let transition = (arcs(), arcs(), inhibitors);
    (prop::collection::vec(0..=size.tokens, 1..=size.places), prop::collection::vec(transition, 0..=size.transitions))
        .prop_map(|(tokens, transitions)| {
            let mut b = NetBuilder::new("random");
            let places: Vec<_> =
                tokens.iter().enumerate().map(|(i, &n)| b.place(format!("p{i}"), n).unwrap()).collect();
            let at = |i: usize| places[i % places.len()];
            for (i, (pre, post, inhibitors)) in transitions.into_iter().enumerate() {
                let t = b.transition(format!("t{i}")).unwrap();
                for (p, w) in pre {
                    b.input(at(p), t, w).unwrap();
                }
                for (p, w) in post {
                    b.output(t, at(p), w).unwrap();
                }
                for (p, w) in inhibitors {
                    b.inhibitor(at(p), t, w).unwrap();
                }
            }
            b.build().unwrap()
        })
}

/// A net once more, under the same numbers, to be given more.
pub fn copied(net: &PetriNet) -> NetBuilder {
    let mut b = NetBuilder::new(net.name());
    for p in net.places() {
        b.place(&p.id, p.initial).unwrap();
    }
    for t in net.transitions() {
        let id = b.transition(&t.id).unwrap();
        t.pre.iter().for_each(|a| b.input(a.place, id, a.weight).unwrap());
        t.post.iter().for_each(|a| b.output(id, a.place, a.weight).unwrap());
        t.inhibitors.iter().for_each(|a| b.inhibitor(a.place, id, a.weight).unwrap());
    }
    b
}

/// Those of the nets that have at most `limit` reachable markings, each with its graph. Others are drawn again: every case
/// of a test is one that it can compare.
pub fn with_graph(nets: impl Strategy<Value = PetriNet>, limit: usize) -> impl Strategy<Value = (PetriNet, Graph)> {
    nets.prop_filter_map("too many markings", move |net| explore(&net, limit).map(|graph| (net, graph)))
}

/// As [`net`], but every place has a complement that keeps their sum at `bound`: the nets are bounded, at
/// the price of twice the places. Transitions that could never fire stay in.
pub fn bounded_net(size: Size, bound: u64) -> impl Strategy<Value = PetriNet> {
    net(size).prop_map(move |net| {
        let mut b = NetBuilder::new("bounded");
        let places: Vec<_> = net
            .places()
            .iter()
            .map(|p| {
                (
                    b.place(&p.id, p.initial).unwrap(),
                    b.place(format!("{}c", p.id), bound.saturating_sub(p.initial)).unwrap(),
                )
            })
            .collect();
        for t in net.transitions() {
            let id = b.transition(&t.id).unwrap();
            for a in &t.pre {
                b.input(places[a.place.index()].0, id, a.weight).unwrap();
                b.output(id, places[a.place.index()].1, a.weight).unwrap();
            }
            for a in &t.post {
                b.output(id, places[a.place.index()].0, a.weight).unwrap();
                b.input(places[a.place.index()].1, id, a.weight).unwrap();
            }
            for a in &t.inhibitors {
                b.inhibitor(places[a.place.index()].0, id, a.weight).unwrap();
            }
        }
        b.build().unwrap()
    })
}
