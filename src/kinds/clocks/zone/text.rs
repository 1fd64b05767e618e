//! Zones and boxes as people read them: `12<a<=16 & 20<b<=24 & b-a<=8`.
//!
//! Intervals of clocks first, then those bounds on differences that the intervals do not imply. Constants are
//! divided by the scale of the net, so that they are the ones its author wrote.

use super::{Bound, ClockBox, Federation, Interval, Zone};
use crate::kinds::clocks::rational::{Rational, fraction};

/// Names and the unit in which zones are shown.
#[derive(Clone, Copy, Debug)]
pub struct Units<'n> {
    /// Names of the clocks.
    pub clocks: &'n [String],
    /// Integer units per unit of the net.
    pub scale: i32,
}

impl Units<'_> {
    /// A constant of an engine in the unit of the net.
    pub fn constant(&self, c: i32) -> Rational {
        fraction(i64::from(c), i64::from(self.scale))
    }

    fn name(&self, clock: usize) -> &str {
        self.clocks.get(clock).map_or("?", String::as_str)
    }

    /// The interval of a clock; nothing if it is all values.
    pub fn interval(&self, clock: usize, i: Interval) -> Option<String> {
        let name = self.name(clock);
        let sign = |b: Bound| if b.is_strict() { "<" } else { "<=" };
        let lower = self.constant(-i.lower.constant());
        let bounded_below = i.lower < Bound::ZERO;
        if i.upper.is_none() {
            let sign = if i.lower.is_strict() { ">" } else { ">=" };
            return bounded_below.then(|| format!("{name}{sign}{lower}"));
        }
        let upper = self.constant(i.upper.constant());
        if i.lower.plus(i.upper) == Bound::ZERO {
            return Some(format!("{name}={upper}"));
        }
        let below = if bounded_below { format!("{lower}{}", sign(i.lower)) } else { String::new() };
        Some(format!("{below}{name}{}{upper}", sign(i.upper)))
    }

    /// The intervals of a box.
    pub fn clock_box(&self, b: &ClockBox) -> String {
        let parts: Vec<String> = b.intervals.iter().enumerate().filter_map(|(c, &i)| self.interval(c, i)).collect();
        if parts.is_empty() { "true".to_owned() } else { parts.join(" & ") }
    }

    /// A zone: its intervals, and the differences that they do not imply.
    pub fn zone(&self, zone: &Zone) -> String {
        let hull = zone.hull();
        let mut parts: Vec<String> =
            hull.intervals.iter().enumerate().filter_map(|(c, &i)| self.interval(c, i)).collect();
        let Some(mut implied) = Zone::of_box(&hull) else { return "false".to_owned() };
        let n = zone.dimension();
        for i in 1..n {
            for j in 1..n {
                let bound = zone.bound(i, j);
                if i != j && bound < implied.bound(i, j) && implied.constrain(i, j, bound) {
                    let (x, y) = (self.name(i - 1), self.name(j - 1));
                    let sign = if bound.is_strict() { "<" } else { "<=" };
                    parts.push(format!("{x}-{y}{sign}{}", self.constant(bound.constant())));
                }
            }
        }
        if parts.is_empty() { "true".to_owned() } else { parts.join(" & ") }
    }
}

/// A union of zones, `|` between them; `false` for the empty one.
pub fn region_text(region: &Federation, units: Units<'_>) -> String {
    let parts: Vec<String> = region.zones().iter().map(|z| units.zone(z)).collect();
    if parts.is_empty() { "false".to_owned() } else { parts.join(" | ") }
}
