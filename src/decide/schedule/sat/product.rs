//! The circuit of a model and of the automaton of a path formula side by side.
//!
//! A latch says for each location whether the automaton is in it. Where several edges may be taken, inputs choose.

use super::linear::Linear;
use crate::automaton::{Edge, Guard, Tgba};
use crate::budget::Budget;
use crate::circuit::{Circuit, Signal};
use crate::decide::conditions::Condition;
use crate::explicit::automaton_of;
use crate::formula::{Decomposition, FairConjuncts, FormulaId, Nodes, PathNode, Pool};
use crate::kinds::Kind;

/// Locations of an automaton.
const MOST: usize = 200;

/// A circuit whose runs without end on which each of some signals is true in infinitely many steps are those that are looked
/// for.
pub(super) struct Product {
    pub(super) circuit: Circuit,
    pub(super) justice: Vec<Signal>,
}

impl Product {
    /// That of the runs on which the path formula fails. `None` if it has no form in bits, or a large automaton.
    pub(super) fn new(
        model: &dyn Kind,
        circuit: &Circuit,
        (pool, asked): (&mut Pool, &Linear),
        budget: &Budget,
    ) -> Option<Self> {
        let parts = pool.decompose(asked.path);
        if !parts.actions.is_empty() {
            return None;
        }
        let mut circuit = circuit.clone();
        let mut signal = |formula: &FormulaId| Condition::new(model, pool, *formula)?.signal(&mut circuit);
        let propositions: Vec<Signal> = parts.propositions.iter().map(&mut signal).collect::<Option<_>>()?;
        let mut justice = Vec::new();
        let automaton = match FairConjuncts::justice_of(&parts.nodes, true) {
            Some(split) => {
                for often in &split.justice {
                    justice.push(combination(&mut circuit, often, &propositions)?);
                }
                automaton_of(pool, Decomposition { nodes: split.rest, ..parts }, false, budget)
            }
            None => automaton_of(pool, parts, true, budget),
        };
        let automaton = automaton.ok().filter(|automaton| automaton.location_count() <= MOST)?;
        let mut product = Product { circuit, justice };
        product.add(&automaton, &propositions)?;
        Some(product)
    }

    /// The automaton, whose propositions are these signals.
    fn add(&mut self, automaton: &Tgba, propositions: &[Signal]) -> Option<()> {
        let mut locations = Vec::new();
        for location in automaton.locations() {
            let edges = automaton.edges_from(location);
            let mut ways = Vec::new();
            for edge in edges {
                let guard = guard(&mut self.circuit, &edge.guard, propositions)?;
                let is_internal = automaton.is_internal(edge);
                let marks = edge.marks.iter().filter(|_| is_internal).map(|set| set as usize).collect();
                ways.push(Way { guard, target: edge.target.index(), marks });
            }
            locations.push(Location { ways, is_choice: are_several(edges) });
        }
        let sets = automaton.acceptance_sets() as usize;
        let (_, marked) = beside(&mut self.circuit, automaton.initial().index(), &locations, sets);
        self.justice.extend(marked);
        Some(())
    }
}

/// An edge of an automaton: where it may be taken, the location it leads to, and its marks.
pub(super) struct Way {
    pub(super) guard: Signal,
    pub(super) target: usize,
    pub(super) marks: Vec<usize>,
}

/// A location of an automaton.
pub(super) struct Location {
    pub(super) ways: Vec<Way>,
    /// May several edges be taken at a time?
    pub(super) is_choice: bool,
}

/// An automaton beside a circuit. Gives where it is, by location, and in which steps each of so many marks is seen. There is a latch
/// for each location, behind those that the circuit had; none if there is one location.
pub(super) fn beside(
    circuit: &mut Circuit,
    initial: usize,
    locations: &[Location],
    marks: usize,
) -> (Vec<Signal>, Vec<Signal>) {
    let count = locations.len();
    let mut at = vec![Signal::TRUE; count];
    let mut latches = Vec::new();
    if count > 1 {
        for (location, at) in at.iter_mut().enumerate() {
            let latch = circuit.latch();
            let now = circuit.latches[latch].now;
            let is_first = if location == initial { now } else { !now };
            circuit.initial = circuit.gates.and(circuit.initial, is_first);
            *at = now;
            latches.push(latch);
        }
    }
    let (mut next, mut marked) = (vec![Signal::FALSE; count], vec![Signal::FALSE; marks]);
    let mut choices: Vec<Signal> = Vec::new();
    for (location, &here) in locations.iter().zip(&at) {
        let mut rest = here;
        for (number, way) in location.ways.iter().enumerate() {
            let mut taken = circuit.gates.and(way.guard, rest);
            if location.is_choice && number + 1 < location.ways.len() {
                if number == choices.len() {
                    choices.push(circuit.input());
                }
                taken = circuit.gates.and(taken, choices[number]);
            }
            if location.is_choice {
                rest = circuit.gates.and(rest, !taken);
            }
            let to = &mut next[way.target];
            *to = circuit.gates.or(*to, taken);
            for &mark in &way.marks {
                marked[mark] = circuit.gates.or(marked[mark], taken);
            }
        }
    }
    let any = circuit.gates.any(next.iter().copied());
    circuit.step = circuit.gates.and(circuit.step, any);
    for (latch, next) in latches.into_iter().zip(next) {
        circuit.latches[latch].next = next;
    }
    (at, marked)
}

/// May two of these edges be taken?
fn are_several(edges: &[Edge]) -> bool {
    edges.iter().enumerate().any(|(at, edge)| edges[..at].iter().any(|other| other.guard.intersects(&edge.guard)))
}

/// The letters of a guard.
fn guard(circuit: &mut Circuit, guard: &Guard, propositions: &[Signal]) -> Option<Signal> {
    let mut any = Signal::FALSE;
    for cube in guard.cubes() {
        let mut all = Signal::TRUE;
        for literal in cube.literals() {
            let &signal = propositions.get(literal.prop.index())?;
            all = circuit.gates.and(all, if literal.positive { signal } else { !signal });
        }
        any = circuit.gates.or(any, all);
    }
    Some(any)
}

/// A combination of propositions.
fn combination(circuit: &mut Circuit, nodes: &Nodes, propositions: &[Signal]) -> Option<Signal> {
    let mut known: Vec<Signal> = Vec::with_capacity(nodes.len());
    for node in nodes {
        let gates = &mut circuit.gates;
        let of = |operands: &[usize]| operands.iter().map(|&operand| known[operand]).collect::<Vec<_>>();
        known.push(match node {
            PathNode::True => Signal::TRUE,
            PathNode::False => Signal::FALSE,
            PathNode::Prop(number) => *propositions.get(*number as usize)?,
            PathNode::Not(a) => !known[*a],
            PathNode::And(operands) => gates.all(of(operands)),
            PathNode::Or(operands) => gates.any(of(operands)),
            &PathNode::Implies(a, b) => gates.or(!known[a], known[b]),
            &PathNode::Iff(a, b) => gates.same(known[a], known[b]),
            _ => return None,
        });
    }
    known.pop()
}
