//! Federations: finite unions of zones, with subtraction.
//!
//! The difference of two zones is not convex: for each bound of the second, the part of the first beyond that bound,
//! inside the bounds already looked at. The parts are disjoint (David, Håkansson, Larsen, Pettersson, "Model checking
//! timed automata with priorities using DBM subtraction", FORMATS 2006, section 4). Bounds that the first zone
//! satisfies anyway give no part, which is most of them.
//!
//! Zones inside another zone of the union are dropped, and only [`Federation::unite`] merges more, so a federation has many
//! forms, and equality of sets is inclusion both ways ([`Federation::includes`]).

use super::{Bound, ClockBox, Zone};
use crate::kinds::clocks::predicate::ClockId;

/// A union of zones; the empty union is the empty set.
#[derive(Clone, Debug, Default)]
pub struct Federation {
    zones: Vec<Zone>,
}

impl From<Zone> for Federation {
    fn from(zone: Zone) -> Self {
        Federation { zones: vec![zone] }
    }
}

impl Federation {
    /// The empty set.
    pub fn new() -> Federation {
        Federation::default()
    }

    /// The valuations of boxes.
    pub fn of_boxes(boxes: &[ClockBox]) -> Federation {
        let mut all = Federation::new();
        boxes.iter().filter_map(Zone::of_box).for_each(|z| {
            all.add(z);
        });
        all
    }

    /// The zones of the union.
    pub fn zones(&self) -> &[Zone] {
        &self.zones
    }

    /// No valuation?
    pub fn is_empty(&self) -> bool {
        self.zones.is_empty()
    }

    /// Adds a zone, unless it is inside one that is there; was it added?
    pub fn add(&mut self, zone: Zone) -> bool {
        if self.zones.iter().any(|z| z.includes(&zone)) {
            return false;
        }
        self.zones.retain(|z| !zone.includes(z));
        self.zones.push(zone);
        true
    }

    /// Adds a zone, and makes one of zones whose convex hull has nothing else in it.
    pub fn unite(&mut self, zone: Zone) {
        let mut newest = zone;
        loop {
            if !self.add(newest.clone()) {
                return;
            }
            let mut others = self.zones.iter().filter(|&other| *other != newest);
            let hull = others.find_map(|other| {
                let hull = newest.convex_hull(other);
                self.includes_zone(&hull).then_some(hull)
            });
            match hull {
                Some(hull) => newest = hull,
                None => return,
            }
        }
    }

    /// Adds every zone of another union.
    pub fn join(&mut self, other: Federation) {
        other.zones.into_iter().for_each(|z| {
            self.add(z);
        });
    }

    /// The valuations in both.
    pub fn and(&self, other: &Federation) -> Federation {
        let mut all = Federation::new();
        for a in &self.zones {
            for b in &other.zones {
                if let Some(z) = a.and(b) {
                    all.add(z);
                }
            }
        }
        all
    }

    /// The valuations in one of the boxes too.
    pub fn and_boxes(&self, boxes: &[ClockBox]) -> Federation {
        let mut all = Federation::new();
        for z in &self.zones {
            for b in boxes {
                if let Some(z) = z.and_box(b) {
                    all.add(z);
                }
            }
        }
        all
    }

    /// The valuations that are not in a zone.
    pub fn without_zone(&self, other: &Zone) -> Federation {
        let mut left = Federation::new();
        for z in &self.zones {
            subtract(z, other, &mut left);
        }
        left
    }

    /// The valuations that are not in another union.
    pub fn without(&self, other: &Federation) -> Federation {
        let mut left = self.clone();
        for z in &other.zones {
            if left.is_empty() {
                break;
            }
            left = left.without_zone(z);
        }
        left
    }

    /// Are all valuations of `other` in this union?
    pub fn includes(&self, other: &Federation) -> bool {
        other.without(self).is_empty()
    }

    /// Are all valuations of a zone in this union?
    pub fn includes_zone(&self, zone: &Zone) -> bool {
        self.zones.iter().any(|z| z.includes(zone)) || Federation::from(zone.clone()).without(self).is_empty()
    }

    /// The valuations that are in the union once `clocks` are set to zero.
    pub fn before_reset(&self, clocks: &[ClockId]) -> Federation {
        let mut all = Federation::new();
        self.zones.iter().filter_map(|z| z.before_reset(clocks)).for_each(|z| {
            all.add(z);
        });
        all
    }

    /// The smallest box around the union; nothing for the empty one.
    pub fn hull(&self) -> Option<ClockBox> {
        let mut zones = self.zones.iter().map(Zone::hull);
        let mut hull = zones.next()?;
        for other in zones {
            for (a, b) in hull.intervals.iter_mut().zip(&other.intervals) {
                *a = a.hull(*b);
            }
        }
        Some(hull)
    }
}

impl Federation {
    /// The same set with pairs of zones made one where their common hull adds nothing: shorter to show.
    pub fn merged(&self) -> Federation {
        let mut zones = self.zones.clone();
        let mut i = 0;
        while i < zones.len() {
            let other = (i + 1..zones.len()).find_map(|j| {
                let hull = zones[i].convex_hull(&zones[j]);
                self.includes_zone(&hull).then_some((j, hull))
            });
            match other {
                None => i += 1,
                Some((j, hull)) => {
                    zones.swap_remove(j);
                    zones[i] = hull;
                    i = 0;
                }
            }
        }
        let mut merged = Federation::new();
        zones.into_iter().for_each(|z| {
            merged.add(z);
        });
        merged
    }
}

/// Adds to `left` what remains of `zone` without `other`.
fn subtract(zone: &Zone, other: &Zone, left: &mut Federation) {
    let n = zone.dimension();
    if zone.and(other).is_none() {
        left.add(zone.clone());
        return;
    }
    let mut inside = zone.clone();
    for i in 0..n {
        for j in 0..n {
            let bound = other.bound(i, j);
            // A bound that all of the zone satisfies cuts nothing off.
            if i == j || bound >= inside.bound(i, j) {
                continue;
            }
            let mut beyond = inside.clone();
            if beyond.constrain(j, i, bound.negated()) {
                left.add(beyond);
            }
            if !inside.constrain(i, j, bound) {
                return;
            }
        }
    }
    debug_assert!(inside.bound(0, 0) == Bound::ZERO);
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::kinds::clocks::zone::Interval;

    fn rectangle(x: (i32, i32), y: (i32, i32)) -> Zone {
        let side = |(a, b): (i32, i32)| Interval { lower: Bound::at_most(-a), upper: Bound::at_most(b) };
        Zone::of_box(&ClockBox { intervals: [side(x), side(y)].into_iter().collect() }).unwrap()
    }

    /// Is the point of quarters in the union? By the bounds, entry by entry.
    fn holds(f: &Federation, point: [i64; 2]) -> bool {
        let value = [0, point[0], point[1]];
        f.zones().iter().any(|z| {
            (0..3).all(|i| {
                (0..3).all(|j| {
                    let b = z.bound(i, j);
                    let d = value[i] - value[j];
                    b.is_none() || d < 4 * i64::from(b.constant()) || !b.is_strict() && d == 4 * i64::from(b.constant())
                })
            })
        })
    }

    #[test]
    fn subtraction_by_points() {
        let mut diagonal = rectangle((1, 4), (0, 5));
        assert!(diagonal.constrain(1, 2, Bound::below(1)) && diagonal.constrain(2, 1, Bound::at_most(2)));
        let zones = [rectangle((0, 3), (0, 3)), rectangle((1, 2), (1, 2)), rectangle((2, 5), (1, 4)), diagonal];
        for a in &zones {
            for b in &zones {
                for c in &zones {
                    let fa = Federation::from(a.clone());
                    let mut fb = Federation::from(b.clone());
                    fb.add(c.clone());
                    let d = fa.without(&fb);
                    for x in 0..24 {
                        for y in 0..24 {
                            let expected = holds(&fa, [x, y]) && !holds(&fb, [x, y]);
                            assert_eq!(holds(&d, [x, y]), expected, "{x}/4 {y}/4");
                        }
                    }
                    assert!(fb.includes(&fb) && fa.includes(&d) && d.and(&fb).is_empty());
                }
            }
        }
    }
}
