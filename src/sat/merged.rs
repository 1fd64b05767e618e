//! A circuit in which latches that are the same are one.
//!
//! Latches that are known to be equal, opposite or constant are replaced by the first of them. Gates of the same operands
//! are one then: what is computed twice, or from constants, is gone before clauses are made of it. Two multipliers of equal
//! words are the same by this at once, and no solver shows it in any time.

use super::run::{Clause, Pair, Run};
use crate::circuit::{Circuit, Gates, Latch, Signal};

/// What a latch is: another one, or, without one, the constant false; with true the opposite.
type Place = (Option<usize>, bool);

/// A circuit with fewer latches, and how it belongs to the one that it is made of.
pub(super) struct Merged {
    pub(super) circuit: Circuit,
    /// By gate: its signal now, if it is in the cone of what is asked.
    signals: Vec<Option<Signal>>,
    /// By latch: where it is now. By latch that is left: which it was.
    places: Vec<Place>,
    left: Vec<usize>,
}

impl Merged {
    /// A circuit with its conditions on first states and steps, in which latches are one that are pairs; and further signals of
    /// it.
    pub(super) fn new(circuit: &Circuit, pairs: &[Pair], further: &[Signal]) -> Self {
        let constant = circuit.latches.len();
        let mut replaced: Vec<Option<Place>> = vec![None; constant];
        for &(a, b, turned) in pairs {
            replaced[b] = Some(((a != constant).then_some(a), turned));
        }
        let left: Vec<usize> = (0..constant).filter(|&latch| replaced[latch].is_none()).collect();
        let mut number = vec![0; constant];
        left.iter().zip(0..).for_each(|(&latch, at)| number[latch] = at);
        let place = |latch: usize| match replaced[latch] {
            None => (Some(number[latch]), false),
            Some((to, turned)) => (to.map(|to| number[to]), turned),
        };
        let places: Vec<Place> = (0..constant).map(place).collect();

        let mut gates = Gates::default();
        let mut signals = vec![None; circuit.gates.len()];
        signals[0] = Some(Signal::FALSE);
        let now: Vec<Signal> = left.iter().map(|_| gates.leaf()).collect();
        for (latch, &(to, turned)) in circuit.latches.iter().zip(&places) {
            let signal = to.map_or(Signal::FALSE, |to| now[to]);
            signals[latch.now.gate()] = Some(if turned != latch.now.is_negated() { !signal } else { signal });
        }
        let mut inputs = Vec::with_capacity(circuit.inputs.len());
        for input in &circuit.inputs {
            let signal = gates.leaf();
            signals[input.gate()] = Some(signal);
            inputs.push(if input.is_negated() { !signal } else { signal });
        }
        let mut roots = vec![circuit.initial, circuit.step];
        roots.extend(circuit.latches.iter().map(|latch| latch.next).chain(further.iter().copied()));
        for gate in circuit.gates.cone(&roots) {
            if signals[gate].is_none() {
                signals[gate] = Some(match circuit.gates.operands(gate) {
                    None => gates.leaf(),
                    Some((a, b)) => {
                        let [a, b] = [a, b].map(|operand| turned_as(operand, signals[operand.gate()]));
                        gates.and(a, b)
                    }
                });
            }
        }
        let of = |signal: Signal| turned_as(signal, signals[signal.gate()]);
        let latches =
            left.iter().zip(&now).map(|(&latch, &now)| Latch { now, next: of(circuit.latches[latch].next) }).collect();
        let (initial, step) = (of(circuit.initial), of(circuit.step));
        let circuit = Circuit { gates, latches, inputs, initial, step, ..Circuit::default() };
        Merged { circuit, signals, places, left }
    }

    /// A signal of what it was made of.
    pub(super) fn signal(&self, signal: Signal) -> Signal {
        turned_as(signal, self.signals[signal.gate()])
    }

    /// A run as one of what it was made of.
    pub(super) fn run(&self, before: &Circuit, run: &Run) -> Run {
        let of = |&(latch, turned): &Place| latch.is_some_and(|latch| run.states[0][latch]) != turned;
        Run::new(before, self.places.iter().map(of).collect(), run.inputs.clone())
    }

    /// A clause as one about what it was made of.
    pub(super) fn clause(&self, clause: &Clause) -> Clause {
        clause.iter().map(|&(latch, value)| (self.left[latch], value)).collect()
    }
}

/// The signal of a gate, negated where it is asked for its opposite.
fn turned_as(signal: Signal, of_gate: Option<Signal>) -> Signal {
    let found = of_gate.unwrap_or_else(|| unreachable!("what is asked is in the cone"));
    if signal.is_negated() { !found } else { found }
}
