//! Flexible manufacturing system (`fms`): Ciardo and Trivedi 1993; `FMS-PT` of the Model Checking Contest.
//!
//! Three kinds of parts on N pallets each. Parts 1 need one of three machines M1, parts 2 the machine M2, parts 3
//! M2 for a moment; finished parts 1 and 2 may be joined to a part 12, which needs one of two machines M3.
//!
//! *Count.* Of the N pallets of kind 1 and of kind 2, k each are joined: J(k) ways to lay k parts in the four
//! places of joint parts, at most two of them on M3. The other N−k of kind 1 lie in six places, at most three of
//! them on M1: A(N−k) ways; those of kind 2 likewise, at most one on M2: B(N−k) ways. The N pallets of kind 3
//! lie in three places. All of these markings are reachable:
//! C(N+2,2) · Σ J(k) A(N−k) B(N−k) over k = 0..N, where with limits 2, 3 and 1 on x
//! J(k) = Σ C(k−x+2,2), A(m) = Σ C(m−x+4,4), B(m) = Σ C(m−x+4,4).

use super::draft::{Draft, binomial};
use crate::net::{BuildError, PetriNet};
use num_bigint::BigUint;

/// The flexible manufacturing system with `n` pallets of each kind.
pub(crate) fn flexible_manufacturing(n: u32) -> Result<PetriNet, BuildError> {
    let mut net = Draft::new(format!("FMS-PT-{n:05}"));
    let p1wm1 = net.place("P1wM1", 0)?;
    let p1m1 = net.place("P1M1", 0)?;
    let m1 = net.place("M1", 3)?;
    let p1d = net.place("P1d", 0)?;
    let p1s = net.place("P1s", 0)?;
    let p1wp2 = net.place("P1wP2", 0)?;
    let p1 = net.place("P1", n)?;
    let p12 = net.place("P12", 0)?;
    let p12s = net.place("P12s", 0)?;
    let p12m3 = net.place("P12M3", 0)?;
    let m3 = net.place("M3", 2)?;
    let p12wm3 = net.place("P12wM3", 0)?;
    let p2wp1 = net.place("P2wP1", 0)?;
    let p2 = net.place("P2", n)?;
    let p2s = net.place("P2s", 0)?;
    let p2d = net.place("P2d", 0)?;
    let p2m2 = net.place("P2M2", 0)?;
    let p2wm2 = net.place("P2wM2", 0)?;
    let m2 = net.place("M2", 1)?;
    let p3m2 = net.place("P3M2", 0)?;
    let p3 = net.place("P3", n)?;
    let p3s = net.place("P3s", 0)?;

    net.transition("tP1", &[p1], &[p1wm1])?;
    net.transition("tP1M1", &[p1m1], &[p1d, m1])?;
    net.transition("tM1", &[p1wm1, m1], &[p1m1])?;
    net.transition("tP1e", &[p1d], &[p1s])?;
    net.transition("tP1j", &[p1d], &[p1wp2])?;
    net.transition("tP1s", &[p1s], &[p1])?;
    net.transition("tP2", &[p2], &[p2wm2])?;
    net.transition("tM2", &[p2wm2, m2], &[p2m2])?;
    net.transition("tP2M2", &[p2m2], &[p2d, m2])?;
    net.transition("tP2e", &[p2d], &[p2s])?;
    net.transition("tP2j", &[p2d], &[p2wp1])?;
    net.transition("tP2s", &[p2s], &[p2])?;
    net.transition("tx", &[p1wp2, p2wp1], &[p12])?;
    net.transition("tP12", &[p12], &[p12wm3])?;
    net.transition("tM3", &[p12wm3, m3], &[p12m3])?;
    net.transition("tP12M3", &[p12m3], &[p12s, m3])?;
    net.transition("tP12s", &[p12s], &[p1, p2])?;
    net.transition("tP3", &[p3], &[p3m2])?;
    net.transition("tP3M2", &[p3m2, m2], &[p3s, m2])?;
    net.transition("tP3s", &[p3s], &[p3])?;
    net.finish()
}

pub(super) fn states(n: u32) -> Option<BigUint> {
    let n = u64::from(n);
    // Ways to lay m parts in a place that takes at most `limit` and `free + 1` that take any number.
    let ways = |m: u64, limit: u64, free: u32| -> BigUint {
        (0..=limit.min(m)).map(|x| binomial(m - x + u64::from(free), free)).sum()
    };
    let joint: BigUint = (0..=n).map(|k| ways(k, 2, 2) * ways(n - k, 3, 4) * ways(n - k, 1, 4)).sum();
    Some(binomial(n + 2, 2) * joint)
}
