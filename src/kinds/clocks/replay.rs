//! Is a timed run one of the net? Decided by the semantics alone.
//!
//! Nothing here is shared with the engines that find runs: no zones, boxes or scaled constants, only the predicates as
//! written, evaluated at rational values. A delay must keep the invariant of the marking at *every* moment. The truth
//! of a comparison changes only where its clock meets its constant; so it is enough to look at those moments within
//! the delay, at both ends, and at one moment between each two neighbours.

use super::model::{ClockNet, TransitionId};
use super::rational::{Rational, integer};
use num_traits::Zero;

/// A timed run from the initial state: delays, each followed by a transition, and a last delay.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    /// Wait, then fire.
    pub steps: Vec<(Rational, TransitionId)>,
    /// Wait at the end.
    pub rest: Rational,
}

impl Run {
    /// How long the run takes.
    pub fn duration(&self) -> Rational {
        self.steps.iter().fold(self.rest.clone(), |sum, (d, _)| sum + d)
    }

    /// As people read it: `1 register, 3/2 pick, wait 4`; of a net without time `register, pick`.
    pub fn to_text(&self, net: &ClockNet) -> String {
        if net.clocks.is_empty() {
            let names: Vec<&str> = self.steps.iter().map(|(_, t)| net.transitions[t.index()].id.as_str()).collect();
            return if names.is_empty() { "the start".to_owned() } else { names.join(", ") };
        }
        let mut parts: Vec<String> =
            self.steps.iter().map(|(d, t)| format!("{d} {}", net.transitions[t.index()].id)).collect();
        if !self.rest.is_zero() || parts.is_empty() {
            parts.push(format!("wait {}", self.rest));
        }
        parts.join(", ")
    }
}

/// A state: tokens and values of clocks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State {
    /// The tokens.
    pub marking: Box<[u32]>,
    /// The values.
    pub clocks: Vec<Rational>,
}

/// Why a sequence is no run of the net.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoRun {
    /// A state that is reached, and no run there.
    #[error("no run was made to a marking that is reached")]
    Missing,
    /// There is no start.
    #[error("the invariant of the initial marking excludes zero")]
    Start,
    /// A negative delay.
    #[error("step {0}: the delay is negative")]
    Negative(usize),
    /// Time is stopped on the way.
    #[error("step {step}: the invariant is violated {after} after the step before")]
    Invariant {
        /// Which step, from 1.
        step: usize,
        /// A moment of the delay.
        after: Rational,
    },
    /// A transition that is not there, or has not its tokens.
    #[error("step {0}: the transition has not its tokens")]
    Tokens(usize),
    /// A condition that does not hold.
    #[error("step {0}: the condition of the transition does not hold")]
    Condition(usize),
    /// An invariant that excludes the state after a firing.
    #[error("step {0}: the invariant of the marking after the transition is violated")]
    Target(usize),
}

/// The state that a run ends in.
pub fn replay(net: &ClockNet, run: &Run) -> Result<State, NoRun> {
    let mut state = State { marking: net.initial_marking(), clocks: vec![Rational::zero(); net.clocks.len()] };
    if !invariant_holds(net, &state.marking, &state.clocks) {
        return Err(NoRun::Start);
    }
    for (step, (delay, t)) in (1..).zip(&run.steps) {
        wait(net, &mut state, delay, step)?;
        if t.index() >= net.transitions.len() || !net.enabled(*t, &state.marking) {
            return Err(NoRun::Tokens(step));
        }
        let transition = &net.transitions[t.index()];
        if !transition.condition.holds(&state.clocks) {
            return Err(NoRun::Condition(step));
        }
        state.marking = net.fire(*t, &state.marking).ok_or(NoRun::Tokens(step))?;
        for c in &transition.resets {
            state.clocks[c.index()] = Rational::zero();
        }
        if !invariant_holds(net, &state.marking, &state.clocks) {
            return Err(NoRun::Target(step));
        }
    }
    wait(net, &mut state, &run.rest, run.steps.len() + 1)?;
    Ok(state)
}

fn invariant_holds(net: &ClockNet, marking: &[u32], clocks: &[Rational]) -> bool {
    net.places.iter().zip(marking).all(|(p, &n)| n == 0 || p.invariant.holds(clocks))
}

fn wait(net: &ClockNet, state: &mut State, delay: &Rational, step: usize) -> Result<(), NoRun> {
    if *delay < Rational::zero() {
        return Err(NoRun::Negative(step));
    }
    let mut moments = vec![Rational::zero(), delay.clone()];
    for (p, _) in net.places.iter().zip(&state.marking).filter(|&(_, &n)| n > 0) {
        for (atom, _) in p.invariant.atoms() {
            let meets = &atom.constant - &state.clocks[atom.clock.index()];
            if meets > Rational::zero() && meets < *delay {
                moments.push(meets);
            }
        }
    }
    moments.sort();
    let between: Vec<Rational> = moments.windows(2).map(|w| (&w[0] + &w[1]) / integer(2)).collect();
    moments.extend(between);
    moments.sort();
    for after in moments {
        let later: Vec<Rational> = state.clocks.iter().map(|v| v + &after).collect();
        if !invariant_holds(net, &state.marking, &later) {
            return Err(NoRun::Invariant { step, after });
        }
    }
    state.clocks.iter_mut().for_each(|v| *v += delay);
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::kinds::clocks::line_format;
    use crate::kinds::clocks::rational::{fraction, integer};

    #[test]
    fn a_wall_cannot_be_jumped() {
        let net = line_format::read("clocks x\nplace p init 1 inv x<5 | x>5\ntrans t : p -> p when x=6 reset x", "t")
            .unwrap();
        let run = |d| Run { steps: vec![(d, TransitionId(0))], rest: integer(0) };
        assert_eq!(replay(&net, &run(integer(6))), Err(NoRun::Invariant { step: 1, after: integer(5) }));
        assert_eq!(replay(&net, &run(fraction(9, 2))), Err(NoRun::Condition(1)));
        assert_eq!(replay(&net, &run(integer(-1))), Err(NoRun::Negative(1)));
        let net = line_format::read("clocks x\nplace p init 1 inv x<5 | x>=5\ntrans t : p -> p when x=6 reset x", "t")
            .unwrap();
        assert_eq!(replay(&net, &run(integer(6))).unwrap().clocks, [integer(0)]);
    }
}
