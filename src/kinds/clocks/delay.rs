//! Delay under an invariant that is a union of convex pieces, forwards and backwards.
//!
//! Time may not leave the invariant even for a moment. Inside one convex piece that is a matter of its two ends:
//! `(Z ∧ I)↑ ∧ I`. From a piece `I` to another piece `J` time crosses in two ways, and the two together with
//! chains of pieces are all that there is, since each piece meets a line of time in one interval:
//!
//! * *reach*: the limit of `I`, with excluded upper bounds included, at a point that lies in `J`;
//! * *begin*: a point of `I` at which `J` begins, with excluded lower bounds of `J` included.
//!
//! So `x<5 | x>=5` is crossed by *reach*, `x<=5 | x>5` by *begin*, `x<5 | x>5` not at all, and boxes that touch
//! in a corner are crossed exactly along the diagonal through it. Both directions are least fixpoints over the
//! pieces; they end, because coming back to a piece yields a part of what left it.

use super::zone::{ClockBox, Federation, Zone};

/// How time got into a piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Entry {
    /// At once, without delay.
    Initially,
    /// By reaching the limit of the piece before.
    Reach,
    /// By standing where this piece begins.
    Begin,
}

/// A zone that time reaches inside one piece.
#[derive(Clone, Debug)]
pub(super) struct Delayed {
    /// The piece.
    pub(super) piece: u32,
    /// The zone, closed under delay in the piece.
    pub(super) zone: Zone,
    /// Which element of the list time came from; itself, initially.
    pub(super) parent: usize,
    /// How.
    pub(super) entry: Entry,
    /// Is it part of another element of the list?
    pub(super) covered: bool,
}

/// Lets time pass from a zone, under an invariant. Elements come after the ones they come from.
pub(super) fn elapse(zone: &Zone, invariant: &[ClockBox]) -> Vec<Delayed> {
    let mut list = Vec::with_capacity(invariant.len());
    for (k, piece) in (0u32..).zip(invariant) {
        if let Some(z) = zone.and_box(piece) {
            let parent = list.len();
            add(&mut list, z, (k, piece), parent, Entry::Initially);
        }
    }
    if invariant.len() == 1 {
        return list;
    }
    let mut next = 0;
    while next < list.len() {
        let Delayed { piece, ref zone, .. } = list[next];
        let inside = zone.clone();
        let mut later = inside.clone();
        later.elapse();
        let limit = later.and_box(&invariant[piece as usize].upper_relaxed());
        for (k, other) in (0u32..).zip(invariant).filter(|&(k, _)| k != piece) {
            if let Some(z) = limit.as_ref().and_then(|z| z.and_box(other)) {
                add(&mut list, z, (k, other), next, Entry::Reach);
            }
            if let Some(z) = inside.and_box(&other.lower_relaxed()) {
                add(&mut list, z, (k, other), next, Entry::Begin);
            }
        }
        next += 1;
    }
    list
}

fn add(list: &mut Vec<Delayed>, mut zone: Zone, (piece, b): (u32, &ClockBox), parent: usize, entry: Entry) {
    zone.elapse();
    if !zone.meet_box(b) || list.iter().any(|d| d.zone.includes(&zone)) {
        return;
    }
    for d in list.iter_mut() {
        d.covered |= zone.includes(&d.zone);
    }
    list.push(Delayed { piece, zone, parent, entry, covered: false });
}

/// The valuations of the invariant from which delay inside it leads to the target.
pub(super) fn precede(target: &Federation, invariant: &[ClockBox]) -> Federation {
    let mut found: Vec<(usize, Zone)> = Vec::new();
    let mut open: Vec<(usize, Zone)> = Vec::new();
    for z in target.zones() {
        for (k, piece) in invariant.iter().enumerate() {
            open.extend(z.and_box(piece).map(|z| (k, z)));
        }
    }
    while let Some((k, mut zone)) = open.pop() {
        zone.precede();
        if !zone.meet_box(&invariant[k]) || found.iter().any(|(j, z)| *j == k && z.includes(&zone)) {
            continue;
        }
        for (j, other) in invariant.iter().enumerate().filter(|&(j, _)| j != k) {
            // Reached at the limit of the other piece.
            if let Some(mut limit) = zone.and_box(&other.upper_relaxed()) {
                limit.precede();
                if limit.meet_box(other) {
                    open.push((j, limit));
                }
            }
            // Begun from a point of the other piece.
            let mut earlier = zone.clone();
            earlier.precede();
            if earlier.meet_box(&invariant[k].lower_relaxed()) && earlier.meet_box(other) {
                open.push((j, earlier));
            }
        }
        found.push((k, zone));
    }
    let mut all = Federation::new();
    found.into_iter().for_each(|(_, z)| {
        all.add(z);
    });
    all
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::kinds::clocks::line_format;
    use crate::kinds::clocks::scaled::Scaled;
    use crate::kinds::clocks::zone::Bound;

    #[test]
    fn crossing_is_what_semantics_says() {
        for (invariant, crossed) in [
            ("x<5 | x>5", false),
            ("x<5 | x>=5", true),
            ("x<=5 | x>5", true),
            ("x<5 | x=5 | x>5", true),
            ("x<5 | 5<x<5.5 | x>5", false),
            ("x<=5 & y<=5 | x>=5 & y>=5", true),
            ("x<5 & y<=5 | x>=5 & y>=5", true),
            ("x<=5 & y<=5 | x>5 & y>=5", true),
            ("x<5 & y<=5 | x>5 & y>=5", false),
            ("x<=5 & y<=5 | x>=5 & y>=5.5", false),
            ("x<=2 | 1<=x<=4 | 3<=x", true),
        ] {
            let text = format!("clocks x y\nplace p inv {invariant}\nplace q inv x=6 & y=6");
            let net = line_format::read(&text, "test").unwrap();
            let s = Scaled::new(&net).unwrap();
            let six = Federation::of_boxes(&s.invariants[1]);
            let mut later = Federation::new();
            elapse(&Zone::zero(2), &s.invariants[0]).into_iter().for_each(|d| {
                later.add(d.zone);
            });
            assert_eq!(!later.and(&six).is_empty(), crossed, "after, {invariant}");
            let earlier = precede(&six, &s.invariants[0]);
            assert_eq!(earlier.includes_zone(&Zone::zero(2)), crossed, "before, {invariant}");
            assert!(earlier.zones().iter().all(|z| z.bound(1, 2) == Bound::ZERO));
        }
    }
}
