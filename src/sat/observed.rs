//! Circuits with latches that watch what happens in a run.

use crate::circuit::{Circuit, Latch, Signal};

/// A circuit with further latches, behind those that it had, and a condition that is to hold in all its states.
pub(super) struct Observed {
    pub(super) circuit: Circuit,
    pub(super) good: Signal,
}

impl Observed {
    /// A latch that is false at first.
    fn latch(circuit: &mut Circuit) -> usize {
        let latch = circuit.latch();
        circuit.initial = circuit.gates.and(circuit.initial, !circuit.latches[latch].now);
        latch
    }

    /// A state is *saved* at some time; the condition fails where the run is in it again, and each of some signals has been
    /// true in a step since. The run is a loop from there on, but for latches that the signals do not rest on.
    ///
    /// The saved state is guessed at first and never changes, so that all points in time share it. The latch that says whether
    /// it is saved is the first of the further ones.
    pub(super) fn with_saved_state(circuit: &Circuit, justice: &[Signal]) -> Self {
        let mut circuit = circuit.clone();
        let roots: Vec<Signal> = justice.iter().copied().chain([circuit.step]).collect();
        let observed = circuit.cone(&roots);
        let saved = Observed::latch(&mut circuit);
        let save = circuit.input();
        let is_saved = circuit.latches[saved].now;
        let mut same = Signal::TRUE;
        for latch in observed {
            let Latch { now, next } = circuit.latches[latch];
            if now != next {
                let copy = circuit.latch();
                let here = circuit.gates.same(now, circuit.latches[copy].now);
                same = circuit.gates.and(same, here);
            }
        }
        let begins = circuit.gates.and(save, !is_saved);
        let begins_here = circuit.gates.or(!begins, same);
        circuit.step = circuit.gates.and(circuit.step, begins_here);
        let inside = circuit.gates.or(is_saved, save);
        circuit.latches[saved].next = inside;
        let mut all = circuit.gates.and(is_saved, same);
        for &signal in justice.iter().filter(|&&signal| signal != Signal::TRUE) {
            let seen = Observed::latch(&mut circuit);
            let was_seen = circuit.latches[seen].now;
            let here = circuit.gates.and(inside, signal);
            circuit.latches[seen].next = circuit.gates.or(was_seen, here);
            all = circuit.gates.and(all, was_seen);
        }
        Observed { circuit, good: !all }
    }

    /// A *round* ends with a step after which each of some signals has been true in a step of it. The condition fails after
    /// so many rounds.
    pub(super) fn with_rounds(circuit: &Circuit, justice: &[Signal], most: usize) -> Self {
        let mut circuit = circuit.clone();
        let justice: Vec<Signal> = justice.iter().copied().filter(|&signal| signal != Signal::TRUE).collect();
        let mut seen = Vec::new();
        if let [_, _, ..] = justice[..] {
            seen = justice.iter().map(|_| Observed::latch(&mut circuit)).collect();
        }
        let mut so_far = Vec::new();
        for (at, &signal) in justice.iter().enumerate() {
            let was = seen.get(at).map_or(Signal::FALSE, |&seen: &usize| circuit.latches[seen].now);
            so_far.push(circuit.gates.or(was, signal));
        }
        let round = circuit.gates.all(so_far.iter().copied());
        for (&seen, &so_far) in seen.iter().zip(&so_far) {
            circuit.latches[seen].next = circuit.gates.and(so_far, !round);
        }
        Observed::awaiting(circuit, std::iter::repeat_n(round, most))
    }

    /// Some signals are waited for in turn, so many times: each until it is true in a step, the first one at last. The condition fails
    /// after that. There is a further latch for each time, true once it has come.
    pub(super) fn with_turns(circuit: &Circuit, justice: &[Signal], most: usize) -> Self {
        Observed::awaiting(circuit.clone(), (0..most).rev().map(|left| justice[left % justice.len()]))
    }

    /// Signals are waited for, one after the other, each until it is true in a step; the condition fails after the last.
    fn awaiting(mut circuit: Circuit, signals: impl IntoIterator<Item = Signal>) -> Self {
        let mut before = Signal::TRUE;
        for signal in signals {
            let latch = Observed::latch(&mut circuit);
            let now = circuit.latches[latch].now;
            let comes = circuit.gates.and(before, signal);
            circuit.latches[latch].next = circuit.gates.or(now, comes);
            before = now;
        }
        Observed { circuit, good: !before }
    }
}
