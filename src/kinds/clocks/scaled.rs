//! The form of a net that the engines read: integer constants, and constraints as unions of boxes.
//!
//! Rational constants are multiplied by the least common multiple of their denominators, which only changes the
//! unit of time. Conditions and invariants are put into disjunctive normal form; each conjunction is a
//! [`ClockBox`]. A disjunction may grow exponentially, so it is limited. The constants that a clock is compared
//! with are collected from the boxes, for the extrapolation of zones and the saturation of integer clocks.
//!
//! [`Scaled::with_factor`] multiplies the constants further: integer time over the constants times `k + 1`, for
//! `k` clocks, reaches what dense time does with strict constraints too (not proved here; see
//! [`super::integer`]).

use super::constraint::Constraint;
use super::model::{ClockNet, PlaceId, TransitionId};
use super::predicate::{Predicate, Relation};
use super::zone::{Bound, ClockBounds, ClockBox, Interval, Units};
use super::{predicate::ClockId, rational::Rational, zone};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, ToPrimitive};

/// A net whose constraints the engines cannot represent.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ScaleError {
    /// A constant too large after scaling.
    #[error("the constant {constant} is beyond {limit} in units of 1/{scale}; use smaller constants or a coarser unit")]
    Constant {
        /// As written.
        constant: String,
        /// Integer units per unit.
        scale: String,
        /// The greatest number that fits.
        limit: i32,
    },
    /// A disjunction with too many parts.
    #[error("the constraint of `{of}` has more than {limit} alternatives; write it with fewer disjunctions")]
    Alternatives {
        /// The place or transition.
        of: String,
        /// The allowed number.
        limit: usize,
    },
}

/// Alternatives of one constraint beyond which a net is refused.
const ALTERNATIVES: usize = 2048;

/// A net with integer constants and constraints as boxes.
#[derive(Clone, Debug)]
pub struct Scaled<'n> {
    /// The net as written.
    pub net: &'n ClockNet,
    /// Integer units per unit of the net.
    pub scale: i32,
    /// The conditions of transitions.
    pub conditions: Vec<Vec<ClockBox>>,
    /// The invariants of places.
    pub invariants: Vec<Vec<ClockBox>>,
    /// The constants that each clock is compared with, anywhere.
    pub bounds: ClockBounds,
}

impl<'n> Scaled<'n> {
    /// The net in the coarsest unit that makes its constants integers.
    pub fn new(net: &'n ClockNet) -> Result<Self, ScaleError> {
        Scaled::with_factor(net, 1)
    }

    /// The net in a unit finer by a factor.
    pub fn with_factor(net: &'n ClockNet, factor: u32) -> Result<Self, ScaleError> {
        Scaled::build(net, &BigInt::one(), factor)
    }

    /// The same, in a unit that is a part of `1/least`, with clocks that are compared with more than the net does.
    pub(super) fn with_constants(
        net: &'n ClockNet,
        factor: u32,
        least: i32,
        constants: &[(ClockId, Rational)],
    ) -> Result<Self, ScaleError> {
        let parts = constants.iter().fold(BigInt::from(least), |parts, (_, moment)| parts.lcm(moment.denom()));
        let mut scaled = Scaled::build(net, &parts, factor)?;
        let mut converter = Converter { clocks: net.clocks.len(), scale: BigInt::from(scaled.scale) };
        for (clock, moment) in constants {
            let value = converter.constant(moment)?;
            let upper = &mut scaled.bounds.upper[clock.index()];
            *upper = (*upper).max(value);
        }
        Ok(scaled)
    }

    /// The net in the coarsest unit that `1/scale` is a multiple of, to compare it with another net.
    pub fn in_unit(net: &'n ClockNet, scale: i32) -> Result<Self, ScaleError> {
        Scaled::build(net, &BigInt::from(scale), 1)
    }

    fn build(net: &'n ClockNet, scale: &BigInt, factor: u32) -> Result<Self, ScaleError> {
        let constraints =
            || net.places.iter().map(|p| &p.invariant).chain(net.transitions.iter().map(|t| &t.condition));
        let mut scale = scale.clone();
        for p in constraints() {
            for (atom, _) in p.atoms() {
                scale = scale.lcm(atom.constant.denom());
            }
        }
        scale *= factor;
        let mut converter = Converter { clocks: net.clocks.len(), scale };
        // Refuse what does not fit once, for every constant; the conversion below then cannot fail for it.
        for p in constraints() {
            for (atom, _) in p.atoms() {
                converter.constant(&atom.constant)?;
            }
        }
        let invariants: Vec<_> =
            net.places.iter().map(|p| converter.boxes(&p.invariant, &p.id)).collect::<Result<_, _>>()?;
        let conditions: Vec<_> =
            net.transitions.iter().map(|t| converter.boxes(&t.condition, &t.id)).collect::<Result<_, _>>()?;
        let mut bounds = ClockBounds::none(net.clocks.len());
        invariants.iter().chain(&conditions).flatten().for_each(|b| bounds.raise_by_box(b));
        let Some(scale) = converter.scale.to_i32().filter(|&s| s < Bound::LIMIT) else {
            return Err(converter.refused(&Rational::one()));
        };
        Ok(Scaled { net, scale, conditions, invariants, bounds })
    }

    /// Number of clocks.
    pub fn clocks(&self) -> usize {
        self.net.clocks.len()
    }

    /// The alternatives of a condition.
    pub fn condition(&self, t: TransitionId) -> &[ClockBox] {
        &self.conditions[t.index()]
    }

    /// The alternatives of an invariant.
    pub fn invariant(&self, p: PlaceId) -> &[ClockBox] {
        &self.invariants[p.index()]
    }

    /// The clocks that a transition sets to zero.
    pub fn resets(&self, t: TransitionId) -> &[ClockId] {
        &self.net.transitions[t.index()].resets
    }

    /// The invariant of a marking: the conjunction over its marked places. Nothing if it has too many alternatives.
    pub fn marking_invariant(&self, marking: &[u32]) -> Option<Vec<ClockBox>> {
        self.invariant_of((0..marking.len()).filter(|&place| marking[place] > 0))
    }

    /// The same of the places that are marked.
    pub(super) fn invariant_of(&self, marked: impl Iterator<Item = usize>) -> Option<Vec<ClockBox>> {
        let mut all = vec![ClockBox::all(self.clocks())];
        for boxes in marked.map(|place| &self.invariants[place]) {
            if !matches!(boxes.as_slice(), [b] if b.is_all()) {
                all = bounded_conjunction(&all, boxes)?;
            }
        }
        Some(all)
    }

    /// The largest constant of each clock; a clock that is never compared has 0.
    pub fn maximal_constants(&self) -> Vec<i32> {
        self.bounds.maximal().iter().map(|&m| m.max(0)).collect()
    }

    /// Has every constraint only the comparisons `<=`, `=` and `>=`? Then integer time is exact.
    pub fn is_closed(&self) -> bool {
        self.first_strict().is_none()
    }

    /// The first constraint with a strict comparison, if there is one: then integer time may miss something.
    pub fn first_strict(&self) -> Option<Constraint> {
        let strict = |boxes: &[ClockBox]| !boxes.iter().all(|b| b.intervals.iter().all(is_closed));
        let places = (0u32..).zip(&self.invariants).filter(|(_, boxes)| strict(boxes));
        let transitions = (0u32..).zip(&self.conditions).filter(|(_, boxes)| strict(boxes));
        let mut all = places.map(|(p, _)| Constraint::Invariant(PlaceId(p)));
        all.next().or_else(|| transitions.map(|(t, _)| Constraint::Condition(TransitionId(t))).next())
    }

    /// Names and unit for texts.
    pub fn units(&self) -> Units<'_> {
        Units { clocks: &self.net.clocks, scale: self.scale }
    }
}

/// Does an interval contain the ends that it has?
fn is_closed(i: &Interval) -> bool {
    (i.upper.is_none() || !i.upper.is_strict()) && !i.lower.is_strict()
}

impl ClockBounds {
    /// Raises the constants to those of a box.
    pub(crate) fn raise_by_box(&mut self, b: &ClockBox) {
        for (x, i) in b.intervals.iter().enumerate() {
            if i.lower < Bound::ZERO {
                self.lower[x] = self.lower[x].max(-i.lower.constant());
            }
            if !i.upper.is_none() {
                self.upper[x] = self.upper[x].max(i.upper.constant());
            }
        }
    }
}

struct Converter {
    clocks: usize,
    scale: BigInt,
}

impl Converter {
    fn constant(&mut self, c: &Rational) -> Result<i32, ScaleError> {
        let scaled = (c * &self.scale).to_integer();
        scaled.to_i32().filter(|&s| s < Bound::LIMIT).ok_or_else(|| self.refused(c))
    }

    fn refused(&self, constant: &Rational) -> ScaleError {
        let (constant, scale) = (constant.to_string(), self.scale.to_string());
        ScaleError::Constant { constant, scale, limit: Bound::LIMIT - 1 }
    }

    fn boxes(&mut self, p: &Predicate, of: &str) -> Result<Vec<ClockBox>, ScaleError> {
        self.normal_form(p, true, of)
    }

    /// Disjunctive normal form of a predicate, or of its negation.
    fn normal_form(&mut self, p: &Predicate, positive: bool, of: &str) -> Result<Vec<ClockBox>, ScaleError> {
        let everything = vec![ClockBox::all(self.clocks)];
        match (p, positive) {
            (Predicate::True, true) | (Predicate::False, false) => Ok(everything),
            (Predicate::True, false) | (Predicate::False, true) => Ok(Vec::new()),
            (Predicate::Not(q), _) => self.normal_form(q, !positive, of),
            (Predicate::Atom(a), _) => {
                let c = self.constant(&a.constant)?;
                let upper = |bound| Interval { lower: Bound::ZERO, upper: bound };
                let lower = |bound| Interval { lower: Bound::min(bound, Bound::ZERO), upper: Bound::NONE };
                let intervals = match (a.relation, positive) {
                    (Relation::Less, true) | (Relation::AtLeast, false) => vec![upper(Bound::below(c))],
                    (Relation::AtMost, true) | (Relation::Greater, false) => vec![upper(Bound::at_most(c))],
                    (Relation::AtLeast, true) | (Relation::Less, false) => vec![lower(Bound::at_most(-c))],
                    (Relation::Greater, true) | (Relation::AtMost, false) => vec![lower(Bound::below(-c))],
                    (Relation::Equal, true) => vec![upper(Bound::at_most(c)).and(lower(Bound::at_most(-c)))],
                    (Relation::Equal, false) => vec![upper(Bound::below(c)), lower(Bound::below(-c))],
                };
                let put = |i: Interval| {
                    let mut b = ClockBox::all(self.clocks);
                    b.intervals[a.clock.index()] = i;
                    b
                };
                Ok(intervals.into_iter().filter(|i| !i.is_empty()).map(put).collect())
            }
            (Predicate::And(ps), true) | (Predicate::Or(ps), false) => {
                let mut all = everything;
                for p in ps {
                    let part = self.normal_form(p, positive, of)?;
                    all = bounded_conjunction(&all, &part).ok_or_else(|| too_many(of))?;
                }
                Ok(all)
            }
            (Predicate::Or(ps), true) | (Predicate::And(ps), false) => {
                let mut all = Vec::new();
                for p in ps {
                    all.extend(self.normal_form(p, positive, of)?);
                    if all.len() > ALTERNATIVES {
                        return Err(too_many(of));
                    }
                }
                Ok(zone::without_included(all))
            }
        }
    }
}

fn too_many(of: &str) -> ScaleError {
    ScaleError::Alternatives { of: of.to_owned(), limit: ALTERNATIVES }
}

/// A conjunction, unless it is too large to be computed or kept.
fn bounded_conjunction(a: &[ClockBox], b: &[ClockBox]) -> Option<Vec<ClockBox>> {
    let small = a.len().checked_mul(b.len()).is_some_and(|n| n <= 8 * ALTERNATIVES);
    small.then(|| zone::conjunction(a, b)).filter(|boxes| boxes.len() <= ALTERNATIVES)
}
