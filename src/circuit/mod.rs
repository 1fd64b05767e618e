//! Models as circuits: bits with a next value each, made of gates.
//!
//! A [`Circuit`] is what the engine of bits ([`crate::sat`]) sees of a model. Its *latches* are the bits of a state; each
//! has a next value, which gates compute from latches and *inputs*. A choice of the model is an input, so that a state and
//! the inputs have one successor at most: none where the condition on steps does not hold. First states are a condition on
//! latches.
//!
//! Gates are conjunctions of two signals, each of them perhaps negated, and each kept once (`gates`). Numbers are lists of
//! signals (`numbers`, `words`).
//!
//! Source: Kuehlmann, Paruthi, Krohm, Ganai, *Robust Boolean reasoning for equivalence checking and functional property
//! verification*, IEEE TCAD 21, 2002.

mod gates;
mod numbers;
mod words;

pub use gates::{Gates, Signal};
pub use numbers::Number;

/// A bit of a state.
#[derive(Clone, Copy, Debug)]
pub struct Latch {
    /// Its value.
    pub now: Signal,
    /// Its next value.
    pub next: Signal,
}

/// A model as a circuit.
#[derive(Clone, Debug, Default)]
pub struct Circuit {
    /// The gates of all signals.
    pub gates: Gates,
    /// The bits of a state.
    pub latches: Vec<Latch>,
    /// The inputs.
    pub inputs: Vec<Signal>,
    /// The value of each variable of the model: its latches by number, the lowest bit first.
    pub variables: Vec<Vec<usize>>,
    /// What the model chooses in a step and keeps in no state, in its order, each as the bits of a value: over latches and
    /// inputs.
    pub asides: Vec<Vec<Signal>>,
    /// The state labels of the model.
    pub labels: Vec<Signal>,
    /// Is a state a first one? Over latches.
    pub initial: Signal,
    /// Is there a step? Over latches and inputs.
    pub step: Signal,
    /// Is each value one that its variable may have? Over latches.
    pub legal: Signal,
    /// Has an expression of the model no value? The model is what the circuit says only if that is never so where all
    /// values are legal.
    pub fault: Signal,
    /// Has an expression about first states none, where those that have a value everywhere allow it?
    pub first_fault: Signal,
}

impl Circuit {
    /// A further latch, whose next value is set later: its number.
    pub fn latch(&mut self) -> usize {
        let now = self.gates.leaf();
        self.latches.push(Latch { now, next: now });
        self.latches.len() - 1
    }

    /// A further input.
    pub fn input(&mut self) -> Signal {
        let input = self.gates.leaf();
        self.inputs.push(input);
        input
    }

    /// The signals of a variable, the lowest bit first.
    pub fn bits(&self, variable: usize) -> Vec<Signal> {
        self.variables[variable].iter().map(|&latch| self.latches[latch].now).collect()
    }

    /// The latches that signals rest on, now or after steps.
    pub fn cone(&self, signals: &[Signal]) -> Vec<usize> {
        let (mut needed, mut inside) = (vec![false; self.gates.len()], vec![false; self.latches.len()]);
        let mut new = signals.to_vec();
        while !new.is_empty() {
            self.gates.cone(&new).into_iter().for_each(|gate| needed[gate] = true);
            new.clear();
            for (inside, latch) in inside.iter_mut().zip(&self.latches) {
                if !*inside && needed[latch.now.gate()] {
                    *inside = true;
                    new.push(latch.next);
                }
            }
        }
        (0..inside.len()).filter(|&latch| inside[latch]).collect()
    }

    /// The values of some signals where latches and inputs have these.
    pub fn evaluate(&self, latches: &[bool], inputs: &[bool], signals: &[Signal]) -> Vec<bool> {
        let now = self.latches.iter().map(|latch| latch.now).zip(latches.iter().copied());
        let leaves: Vec<(Signal, bool)> = now.chain(self.inputs.iter().copied().zip(inputs.iter().copied())).collect();
        self.gates.evaluate(&leaves, signals)
    }

    /// The values of what is aside in a step.
    pub fn values_aside(&self, latches: &[bool], inputs: &[bool]) -> Vec<u64> {
        let signals: Vec<Signal> = self.asides.iter().flatten().copied().collect();
        let mut bits = self.evaluate(latches, inputs, &signals).into_iter();
        let value = |bits: &mut dyn Iterator<Item = bool>, width: usize| {
            (0..width).fold(0, |value, bit| value | u64::from(bits.next().unwrap_or_default()) << bit)
        };
        self.asides.iter().map(|aside| value(&mut bits, aside.len())).collect()
    }

    /// The values of the variables in a state.
    pub fn values(&self, latches: &[bool]) -> Vec<u64> {
        let value = |bits: &Vec<usize>| bits.iter().rev().fold(0, |value, &bit| value << 1 | u64::from(latches[bit]));
        self.variables.iter().map(value).collect()
    }
}
