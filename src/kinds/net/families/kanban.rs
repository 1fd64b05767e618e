//! Kanban (`kanban`): a production line of four stations (Ciardo and Tilgner 1996); `Kanban-PT` of the Model
//! Checking Contest.
//!
//! Station i has N cards. A part needs a card to be at a station; it is worked on (`Pm`), perhaps sent back
//! (`Pback`), and waits for its way out (`Pout`); `P` counts the free cards. Parts enter at station 1, are
//! split over stations 2 and 3, joined again at station 4, and leave.
//!
//! *Count.* The four places of a station hold N tokens together: C(N+3,3) ways for stations 1 and 4 each.
//! Stations 2 and 3 take up and release parts together, so they have the same number k of parts, each in
//! one of three places: the sum of C(k+2,2)^2 over k = 0..N.

use super::draft::{Draft, binomial};
use crate::net::{BuildError, PetriNet};
use num_bigint::BigUint;

/// The Kanban system with `n` cards per station.
pub(crate) fn kanban(n: u32) -> Result<PetriNet, BuildError> {
    let mut net = Draft::new(format!("Kanban-PT-{n:05}"));
    let mut stations = Vec::new();
    for i in [4, 3, 2, 1] {
        let work = net.place(format!("Pm{i}"), 0)?;
        let back = net.place(format!("Pback{i}"), 0)?;
        let out = net.place(format!("Pout{i}"), 0)?;
        let cards = net.place(format!("P{i}"), n)?;
        stations.push((i, work, back, out, cards));
    }
    stations.reverse();
    for &(i, work, back, out, _) in &stations {
        net.transition(format!("tredo{i}"), &[work], &[back])?;
        net.transition(format!("tback{i}"), &[back], &[work])?;
        net.transition(format!("tok{i}"), &[work], &[out])?;
    }
    if let [
        (_, work1, _, out1, cards1),
        (_, work2, _, out2, cards2),
        (_, work3, _, out3, cards3),
        (_, work4, _, out4, cards4),
    ] = stations[..]
    {
        net.transition("tin1", &[cards1], &[work1])?;
        net.transition("tsynch1", &[out1, cards2, cards3], &[cards1, work2, work3])?;
        net.transition("tsynch2", &[out2, out3, cards4], &[cards2, cards3, work4])?;
        net.transition("tout4", &[out4], &[cards4])?;
    }
    net.finish()
}

pub(super) fn states(n: u32) -> Option<BigUint> {
    let n = u64::from(n);
    let middle: BigUint = (0..=n).map(|k| binomial(k + 2, 2).pow(2)).sum();
    Some(binomial(n + 3, 3).pow(2) * middle)
}
