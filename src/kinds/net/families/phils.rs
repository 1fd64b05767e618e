//! Dining philosophers (`phils`): the net of the decision-diagram literature (Pastor, Cortadella and Roig
//! 1994, and the examples of SMART and Meddly).
//!
//! A philosopher decides to eat, and then waits for each fork separately; the forks arrive in either order,
//! are held until both are there, and are put back together.
//!
//! *Count.* A fork lies on the table or is held by one neighbour; a philosopher who holds none may be idle or
//! waiting. So a philosopher with no fork counts for two, any other for one: the trace of the N-th power of a
//! 3×3 transfer matrix along the table, which comes to the Lucas number L(3N) = φ^(3N) + (−φ)^(−3N)
//! (18, 76, 322, 1 364, … for N = 2, 3, 4, 5, …). Two markings are deadlocks.

use super::draft::Draft;
use crate::net::{BuildError, PetriNet};
use num_bigint::BigUint;

/// `n` dining philosophers (at least 2) who get their forks one by one.
pub(crate) fn philosophers_in_steps(n: u32) -> Result<PetriNet, BuildError> {
    let mut net = Draft::new(format!("DPhil-{n}"));
    let mut seats = Vec::new();
    for i in 0..n {
        let fork = net.place(format!("Fork_{i}"), 1)?;
        let idle = net.place(format!("Idle_{i}"), 1)?;
        let waits = [net.place(format!("WaitL_{i}"), 0)?, net.place(format!("WaitR_{i}"), 0)?];
        let has = [net.place(format!("HasL_{i}"), 0)?, net.place(format!("HasR_{i}"), 0)?];
        seats.push((fork, idle, waits, has));
    }
    for (i, &(left, idle, [wait_left, wait_right], [has_left, has_right])) in seats.iter().enumerate() {
        let right = seats[(i + 1) % seats.len()].0;
        net.transition(format!("GoEat_{i}"), &[idle], &[wait_left, wait_right])?;
        net.transition(format!("GetL_{i}"), &[wait_left, left], &[has_left])?;
        net.transition(format!("GetR_{i}"), &[wait_right, right], &[has_right])?;
        net.transition(format!("Rel_{i}"), &[has_left, has_right], &[idle, left, right])?;
    }
    net.finish()
}

pub(super) fn states(n: u32) -> Option<BigUint> {
    // L(0) = 2, L(1) = 1, L(k+2) = L(k+1) + L(k).
    let (mut this, mut next) = (BigUint::from(2_u32), BigUint::from(1_u32));
    for _ in 0..3 * u64::from(n) {
        this += &next;
        std::mem::swap(&mut this, &mut next);
    }
    Some(this)
}
