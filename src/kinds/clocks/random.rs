//! Random nets with clocks from a seed, and making small the ones that bring something to light.
//!
//! Transitions give as many tokens as they take, so every net is bounded. Constraints are random trees of `&` and `|`
//! over comparisons with small constants, non-convex invariants included; *closed* shapes use `<=`, `=` and `>=` only.

use super::model::{Arc, ClockNet, NetBuilder, PlaceId};
use super::predicate::{Atom, ClockId, Predicate, Relation};
use super::rational::integer;
use crate::rng::Rng;

/// A number below `n`, which is at least 1.
fn below(rng: &mut Rng, n: u32) -> u32 {
    rng.below(n as usize) as u32
}

/// True `n` times out of a hundred.
fn percent(rng: &mut Rng, n: u32) -> bool {
    below(rng, 100) < n
}

/// How large, and of what kind.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Clocks, 1 to this.
    pub clocks: u32,
    /// Places, 2 to this.
    pub places: u32,
    /// Transitions, 2 to this.
    pub transitions: u32,
    /// Largest constant.
    pub constant: u32,
    /// Only `<=`, `=` and `>=`, and no negation.
    pub closed: bool,
}

/// A random net.
pub fn net(rng: &mut Rng, shape: &Shape) -> ClockNet {
    let mut builder = NetBuilder::new("random");
    let clocks = 1 + below(rng, shape.clocks);
    for x in 0..clocks {
        // The identifiers here are distinct, so nothing is refused.
        let _ = builder.clock(&format!("x{x}"));
    }
    let places = 2 + below(rng, shape.places.max(2) - 1);
    let tokens = 1 + below(rng, 2);
    for p in 0..places {
        let invariant = match below(rng, 10) {
            0..=1 => border(rng, clocks, shape),
            2..=4 => predicate(rng, clocks, shape, 2, true),
            _ => Predicate::True,
        };
        let _ = builder.place(&format!("p{p}"), u32::from(p < tokens), invariant);
    }
    // Inputs are places that are marked initially or by a transition before, so that most transitions have a chance.
    let mut fed: Vec<PlaceId> = (0..tokens.min(places)).map(PlaceId).collect();
    for t in 0..2 + below(rng, shape.transitions.max(2) - 1) {
        let depth = u32::from(percent(rng, 40));
        let condition = if percent(rng, 70) { predicate(rng, clocks, shape, depth, false) } else { Predicate::True };
        let resets: Vec<ClockId> = (0..clocks).filter(|_| percent(rng, 40)).map(ClockId).collect();
        let arcs = if tokens > 1 && percent(rng, 25) { 2 } else { 1 };
        if let Ok(t) = builder.transition(&format!("t{t}"), condition, &resets) {
            for _ in 0..arcs {
                let from = fed[below(rng, fed.len() as u32) as usize];
                let to = PlaceId(below(rng, places));
                let _ = builder.input(t, from, 1);
                let _ = builder.output(t, to, 1);
                if !fed.contains(&to) {
                    fed.push(to);
                }
            }
        }
    }
    builder.build()
}

/// Before a moment or after it: with a hole there, with a common border, or through a corner of two clocks.
fn border(rng: &mut Rng, clocks: u32, shape: &Shape) -> Predicate {
    let mut sides = [Vec::new(), Vec::new()];
    for _ in 0..1 + below(rng, 2) {
        let (clock, constant) = (ClockId(below(rng, clocks)), 1 + below(rng, shape.constant));
        for (side, (loose, strict)) in
            sides.iter_mut().zip([(Relation::AtMost, Relation::Less), (Relation::AtLeast, Relation::Greater)])
        {
            let relation = if shape.closed || percent(rng, 50) { loose } else { strict };
            side.push(Predicate::atom(clock, relation, integer(i64::from(constant))));
        }
    }
    Predicate::Or(sides.into_iter().map(Predicate::And).collect())
}

fn predicate(rng: &mut Rng, clocks: u32, shape: &Shape, depth: u32, invariant: bool) -> Predicate {
    if depth > 0 && percent(rng, 55) {
        let parts = (0..2).map(|_| predicate(rng, clocks, shape, depth - 1, invariant)).collect();
        return if percent(rng, 50) { Predicate::And(parts) } else { Predicate::Or(parts) };
    }
    let relation = match (below(rng, if shape.closed { 6 } else { 10 }), invariant) {
        (0..=1, false) | (0..=2 | 4, true) => Relation::AtMost,
        (2..=4, false) | (3, true) => Relation::AtLeast,
        (5, _) => Relation::Equal,
        (6..=7, _) => Relation::Less,
        _ => Relation::Greater,
    };
    let atom =
        Predicate::atom(ClockId(below(rng, clocks)), relation, integer(i64::from(below(rng, shape.constant + 1))));
    if !shape.closed && percent(rng, 10) { Predicate::Not(Box::new(atom)) } else { atom }
}

/// The smallest net found, by leaving out and simplifying, for which `fails` still holds.
pub fn shrink(net: &ClockNet, fails: &dyn Fn(&ClockNet) -> bool) -> ClockNet {
    let mut net = net.clone();
    'again: loop {
        for smaller in smaller(&net) {
            if fails(&smaller) {
                net = smaller;
                continue 'again;
            }
        }
        return net;
    }
}

fn smaller(net: &ClockNet) -> Vec<ClockNet> {
    let mut all = Vec::new();
    for t in 0..net.transitions.len() {
        let mut n = net.clone();
        n.transitions.remove(t);
        all.push(n);
    }
    for p in 0..net.places.len() {
        let place = PlaceId(p as u32);
        let touches = |arcs: &[Arc]| arcs.iter().any(|a| a.place == place);
        if net.places[p].initial == 0 && !net.transitions.iter().any(|t| touches(&t.inputs) || touches(&t.outputs)) {
            let mut n = net.clone();
            n.places.remove(p);
            for t in &mut n.transitions {
                for a in t.inputs.iter_mut().chain(&mut t.outputs).filter(|a| a.place > place) {
                    a.place.0 -= 1;
                }
            }
            all.push(n);
        }
        for simpler in simpler(&net.places[p].invariant) {
            let mut n = net.clone();
            n.places[p].invariant = simpler;
            all.push(n);
        }
        if net.places[p].initial > 0 {
            let mut n = net.clone();
            n.places[p].initial -= 1;
            all.push(n);
        }
    }
    for (t, transition) in net.transitions.iter().enumerate() {
        for simpler in simpler(&transition.condition) {
            let mut n = net.clone();
            n.transitions[t].condition = simpler;
            all.push(n);
        }
        for i in 0..transition.resets.len() {
            let mut n = net.clone();
            n.transitions[t].resets.remove(i);
            all.push(n);
        }
        for i in 0..transition.inputs.len().min(transition.outputs.len()) {
            if transition.inputs.len() > 1 || transition.outputs.len() > 1 {
                let mut n = net.clone();
                n.transitions[t].inputs.remove(i.min(transition.inputs.len() - 1));
                n.transitions[t].outputs.remove(i.min(transition.outputs.len() - 1));
                // Fewer tokens made than taken is still bounded.
                all.push(n);
            }
        }
    }
    all
}

fn simpler(p: &Predicate) -> Vec<Predicate> {
    let mut all = Vec::new();
    match p {
        Predicate::True => return all,
        Predicate::False => {}
        Predicate::Atom(a) if a.constant > integer(0) => {
            all.push(Predicate::Atom(Atom { constant: &a.constant - integer(1), ..a.clone() }));
        }
        Predicate::Atom(_) => {}
        Predicate::Not(q) => all.extend(simpler(q).into_iter().map(|q| Predicate::Not(Box::new(q)))),
        Predicate::And(qs) | Predicate::Or(qs) => {
            all.extend(qs.iter().cloned());
            for (i, q) in qs.iter().enumerate() {
                for s in simpler(q) {
                    let mut parts = qs.clone();
                    parts[i] = s;
                    all.push(if matches!(p, Predicate::And(_)) { Predicate::And(parts) } else { Predicate::Or(parts) });
                }
            }
        }
    }
    all.insert(0, Predicate::True);
    all
}
