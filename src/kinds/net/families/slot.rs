//! Slotted ring protocol (`slot`): Pastor, Cortadella and Roig 1994; eight places and eight transitions per node.
//!
//! *Count.* In node i exactly one of p1, p2, p3, p4, p8 is marked and exactly one of p5, p6, p7. Whenever a node
//! leaves p3 some node enters p6, and back; so the nodes outside p3 are as many as the nodes in p6. With k of
//! each: C(N,k) 4^k ways for the first and C(N,k) 2^(N−k) for the second. All of them are reachable:
//! Σ C(N,k)² 4^k 2^(N−k) = 2^N Σ C(N,k)² 2^k = 2^N D(N), with D(N) the central Delannoy number
//! (53 856 for N = 5, 8 291 791 872 for N = 10).

use super::draft::{Draft, binomial};
use crate::net::{BuildError, PetriNet};
use num_bigint::BigUint;

/// The slotted ring of `n` nodes (at least 2).
pub(crate) fn slotted_ring(n: u32) -> Result<PetriNet, BuildError> {
    let mut net = Draft::new(format!("SlottedRing-{n}"));
    let mut nodes = Vec::new();
    for i in 0..n {
        let mut place = |q: u32| net.place(format!("p{q}_{i}"), u32::from(q == 3 || q == 5));
        nodes.push([place(1)?, place(2)?, place(3)?, place(4)?, place(5)?, place(6)?, place(7)?, place(8)?]);
    }
    for (i, &[p1, p2, p3, p4, p5, p6, p7, p8]) in nodes.iter().enumerate() {
        let [r1, r2, r3, ..] = nodes[(i + nodes.len() - 1) % nodes.len()];
        net.transition(format!("Other_{i}"), &[p1], &[p4])?;
        net.transition(format!("Owner_{i}"), &[p1], &[p2])?;
        net.transition(format!("Write_{i}"), &[p2], &[p4])?;
        net.transition(format!("Go_{i}"), &[p2], &[p8])?;
        net.transition(format!("Get_{i}"), &[p6, p8], &[p3, p5])?;
        net.transition(format!("Put_{i}"), &[p4, p6], &[p3, p7])?;
        net.transition(format!("Used_{i}"), &[p7, r3], &[p6, r1])?;
        net.transition(format!("Free_{i}"), &[p5, r3], &[p6, r2])?;
    }
    net.finish()
}

pub(super) fn states(n: u32) -> Option<BigUint> {
    let delannoy: BigUint = (0..=n).map(|k| binomial(n.into(), k).pow(2) << k).sum();
    Some(delannoy << n)
}
