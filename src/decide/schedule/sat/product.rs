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
        let circuit = &mut self.circuit;
        let count = automaton.location_count();
        let mut at = vec![Signal::TRUE; count];
        let mut latches = Vec::new();
        if count > 1 {
            for location in automaton.locations() {
                let latch = circuit.latch();
                let now = circuit.latches[latch].now;
                let is_first = if location == automaton.initial() { now } else { !now };
                circuit.initial = circuit.gates.and(circuit.initial, is_first);
                at[location.index()] = now;
                latches.push(latch);
            }
        }
        let sets = automaton.acceptance_sets();
        let (mut next, mut marked) = (vec![Signal::FALSE; count], vec![Signal::FALSE; sets as usize]);
        let mut choices: Vec<Signal> = Vec::new();
        for location in automaton.locations() {
            let edges = automaton.edges_from(location);
            let is_choice = are_several(edges);
            let mut rest = at[location.index()];
            for (number, edge) in edges.iter().enumerate() {
                let mut taken = guard(circuit, &edge.guard, propositions)?;
                taken = circuit.gates.and(taken, rest);
                if is_choice && number + 1 < edges.len() {
                    if number == choices.len() {
                        choices.push(circuit.input());
                    }
                    taken = circuit.gates.and(taken, choices[number]);
                }
                if is_choice {
                    rest = circuit.gates.and(rest, !taken);
                }
                let to = &mut next[edge.target.index()];
                *to = circuit.gates.or(*to, taken);
                if automaton.is_internal(edge) {
                    for set in edge.marks.iter() {
                        let mark = &mut marked[set as usize];
                        *mark = circuit.gates.or(*mark, taken);
                    }
                }
            }
        }
        let any = circuit.gates.any(next.iter().copied());
        circuit.step = circuit.gates.and(circuit.step, any);
        for (latch, next) in latches.into_iter().zip(next) {
            circuit.latches[latch].next = next;
        }
        self.justice.extend(marked);
        Some(())
    }
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
