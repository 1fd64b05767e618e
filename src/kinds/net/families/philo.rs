//! Dining philosophers (`philo`): the net of the Model Checking Contest, `Philosophers-PT`.
//!
//! A hungry philosopher takes one fork, either one, then the other, eats, and puts both back. Philosopher `i`
//! thinks, holds the left or the right fork only, or eats; the forks say nothing that the philosophers do not.
//!
//! *Count.* Let each philosopher hold the forks to the left and right or not: a fork lies on the table or is
//! held by the one or by the other neighbour, three choices for each of the N forks, all of them reachable and
//! all different, hence 3^N. Two of them are deadlocks: all hold their left forks, or all their right ones.

use super::draft::Draft;
use crate::net::{BuildError, PetriNet};
use num_bigint::BigUint;

/// `n` dining philosophers (at least 2) who take either fork first.
pub(crate) fn philosophers(n: u32) -> Result<PetriNet, BuildError> {
    let mut net = Draft::new(format!("Philosophers-PT-{n:06}"));
    let mut seats = Vec::new();
    for i in 0..n {
        let fork = net.place(format!("Fork_{i}"), 1)?;
        let think = net.place(format!("Think_{i}"), 1)?;
        let catch = [net.place(format!("Catch1_{i}"), 0)?, net.place(format!("Catch2_{i}"), 0)?];
        let eat = net.place(format!("Eat_{i}"), 0)?;
        seats.push((fork, think, catch, eat));
    }
    for (i, &(left, think, [has_left, has_right], eat)) in seats.iter().enumerate() {
        let right = seats[(i + 1) % seats.len()].0;
        net.transition(format!("FF1a_{i}"), &[think, left], &[has_left])?;
        net.transition(format!("FF1b_{i}"), &[think, right], &[has_right])?;
        net.transition(format!("FF2a_{i}"), &[has_left, right], &[eat])?;
        net.transition(format!("FF2b_{i}"), &[has_right, left], &[eat])?;
        net.transition(format!("End_{i}"), &[eat], &[think, left, right])?;
    }
    net.finish()
}

pub(super) fn states(n: u32) -> Option<BigUint> {
    Some(BigUint::from(3_u32).pow(n))
}
