//! Repairs: one constant moved, one deadline added, each proposal tried out.
//!
//! A block ([`super::diagnostics`]) is a set of clock values at a marking from which nothing fires any more. It
//! goes away if the values can no longer arise or if something can fire from them. So the candidates are, by the
//! intervals of the blocked values:
//!
//! * a comparison in the condition of a transition that has its tokens, moved outwards to the end of the blocked
//!   interval: the window opens as long as needed;
//! * a comparison in the invariant of a marked place, moved inwards to where the blocked interval begins, or such
//!   a deadline added: something else must happen before;
//! * a comparison in the condition of a transition that leads to the marking, moved to where the blocked interval
//!   begins or ends, for clocks that it does not reset: nobody enters in such a state.
//!
//! A candidate may leave the block, make it smaller, or make another. Each is therefore put into the net and
//! diagnosed anew; what became of the block is part of the answer, and so are markings that are lost by it. This is
//! our reading of "correcting invariants and conditions" (Riesco et al., section 7, whose algorithm paper of 1998 is
//! not available). Left out: changes of two constraints at once.

use super::constraint::Constraint;
use super::diagnostics::{Block, Diagnosis, diagnose};
use super::markings::{ExploreError, Limits, MarkingTable};
use super::model::{ClockNet, PlaceId, TransitionId};
use super::predicate::{Atom, ClockId, Predicate, Relation};
use super::scaled::{ScaleError, Scaled};
use super::zone::{Bound, Federation, Interval, region_text};

/// A repair that cannot be computed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RepairError {
    /// An exploration did not end.
    #[error(transparent)]
    Explore(#[from] ExploreError),
    /// A constraint cannot be represented.
    #[error(transparent)]
    Scale(#[from] ScaleError),
}

/// A change of one constraint.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Change {
    /// The constraint.
    pub constraint: Constraint,
    /// Which of its comparisons, in the order of [`Predicate::atoms`], is replaced; none if one is added.
    pub replaces: Option<usize>,
    /// The new comparison.
    pub atom: Atom,
}

impl Change {
    /// The net with the change.
    pub fn apply(&self, net: &ClockNet) -> ClockNet {
        let old = self.constraint.predicate(net);
        let new = match self.replaces {
            Some(index) => old.with_atom(index, &self.atom),
            None => old.clone().and(Predicate::Atom(self.atom.clone())),
        };
        self.constraint.replaced(net, new)
    }

    /// As people read it: ``in the condition of `ship`, `b<=24` instead of `b<=20` ``.
    pub fn text(&self, net: &ClockNet) -> String {
        let of = self.constraint.text(net);
        let show = |a: &Atom| Predicate::Atom(a.clone()).to_text(&net.clocks);
        let old = self.replaces.and_then(|i| self.constraint.predicate(net).atoms().get(i).map(|(a, _)| show(a)));
        match old {
            Some(old) => format!("in {of}, `{}` instead of `{old}`", show(&self.atom)),
            None => format!("in {of}, `{}` in addition", show(&self.atom)),
        }
    }
}

/// The outcome for a block.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// It is gone, and there is no new one, nor a new deadlock.
    Removes,
    /// Fewer values are blocked, and none are that were not before.
    Shrinks(Federation),
    /// The same values are blocked.
    Leaves,
    /// Other values are blocked, or a marking has become a deadlock: the marking.
    Creates(Box<[u32]>),
    /// There is no state any more.
    Empties,
}

/// A change and what came of it.
#[derive(Clone, Debug)]
pub struct Proposal {
    /// The change.
    pub change: Change,
    /// The outcome for the block.
    pub outcome: Outcome,
    /// Markings that were reachable and no longer are.
    pub lost: Vec<Box<[u32]>>,
}

impl Proposal {
    /// Is the block gone and nothing else worse?
    pub fn is_repair(&self) -> bool {
        matches!(self.outcome, Outcome::Removes)
    }

    /// As people read it.
    pub fn text(&self, scaled: &Scaled<'_>) -> String {
        let net = scaled.net;
        let change = self.change.text(net);
        match &self.outcome {
            Outcome::Removes if self.lost.is_empty() => format!("{change}: removes the block"),
            Outcome::Removes => {
                let lost: Vec<String> = self.lost.iter().map(|m| net.marking_text(m)).collect();
                format!("{change}: removes the block; no longer reachable: {}", lost.join(", "))
            }
            Outcome::Shrinks(region) => {
                format!("{change}: the block shrinks to {}", region_text(region, scaled.units()))
            }
            Outcome::Leaves => format!("{change}: the block stays"),
            Outcome::Creates(m) => format!("{change}: something is blocked at {}", net.marking_text(m)),
            Outcome::Empties => format!("{change}: the net has no state any more"),
        }
    }
}

/// Diagnoses a net again and again, with changes.
pub struct Workshop<'n> {
    net: &'n ClockNet,
    scaled: Scaled<'n>,
    before: Diagnosis,
    limits: Limits,
    is_final: &'n dyn Fn(&[u32]) -> bool,
}

impl<'n> Workshop<'n> {
    /// Diagnoses the net as it is.
    pub fn new(net: &'n ClockNet, limits: &Limits, is_final: &'n dyn Fn(&[u32]) -> bool) -> Result<Self, RepairError> {
        let scaled = Scaled::new(net)?;
        let before = diagnose(&scaled, limits, is_final)?;
        Ok(Workshop { net, scaled, before, limits: limits.clone(), is_final })
    }

    /// The diagnosis of the net as it is.
    pub fn diagnosis(&self) -> &Diagnosis {
        &self.before
    }

    /// The net in integer units.
    pub fn scaled(&self) -> &Scaled<'n> {
        &self.scaled
    }

    /// The outcome of a change for a block.
    pub fn try_out(&self, block: &Block, change: Change) -> Result<Proposal, RepairError> {
        let net = change.apply(self.net);
        let scaled = Scaled::in_unit(&net, self.scaled.scale)?;
        let after = diagnose(&scaled, &self.limits, self.is_final)?;
        let before_at = |marking: &[u32]| {
            let mut all = Federation::new();
            self.before.blocks.iter().filter(|b| *b.marking == *marking).for_each(|b| all.join(b.region.clone()));
            all
        };
        // Blocks of the new net may be compared only in the same unit.
        let same_unit = scaled.scale == self.scaled.scale;
        let fresh = after.blocks.iter().find(|b| !same_unit || !before_at(&b.marking).includes(&b.region));
        let stuck = after.deadlocks.iter().find(|m| !self.before.deadlocks.contains(m));
        let mut rest = Federation::new();
        after.blocks.iter().filter(|b| b.marking == block.marking).for_each(|b| rest.join(b.region.clone()));
        let outcome = if after.inconsistent_start {
            Outcome::Empties
        } else if let Some(m) = fresh.map(|b| &b.marking).or(stuck) {
            Outcome::Creates(m.clone())
        } else if rest.and(&block.region).is_empty() {
            Outcome::Removes
        } else if rest.includes(&block.region) {
            Outcome::Leaves
        } else {
            Outcome::Shrinks(rest.and(&block.region).merged())
        };
        let lost = after.unreachable.iter().filter(|m| !self.before.unreachable.contains(m)).cloned().collect();
        Ok(Proposal { change, outcome, lost })
    }

    /// Every candidate for a block, tried out; those that remove it first, and of them those that lose no marking.
    pub fn proposals(&self, block: &Block) -> Result<Vec<Proposal>, RepairError> {
        let mut all = Vec::new();
        for change in self.candidates(block)? {
            all.push(self.try_out(block, change)?);
        }
        all.sort_by_key(|p| match p.outcome {
            Outcome::Removes => (0, p.lost.len()),
            Outcome::Shrinks(_) => (1, 0),
            Outcome::Leaves => (2, 0),
            Outcome::Creates(_) => (3, 0),
            Outcome::Empties => (4, 0),
        });
        Ok(all)
    }

    fn candidates(&self, block: &Block) -> Result<Vec<Change>, RepairError> {
        let mut found: Vec<Change> = Vec::new();
        let Some(hull) = block.region.hull() else { return Ok(found) };
        let mut propose = |constraint: Constraint, replaces: Option<usize>, atom: Option<Atom>| {
            let same = |a: &Atom| replaces.is_some_and(|i| constraint.predicate(self.net).atoms()[i].0 == a);
            if let Some(atom) = atom.filter(|a| !same(a)) {
                let change = Change { constraint, replaces, atom };
                if !found.contains(&change) {
                    found.push(change);
                }
            }
        };
        let net = self.net;
        for t in (0..net.transitions.len() as u32).map(TransitionId).filter(|&t| net.enabled(t, &block.marking)) {
            for (i, (atom, positive)) in net.transitions[t.index()].condition.atoms().into_iter().enumerate() {
                let interval = hull.intervals[atom.clock.index()];
                propose(Constraint::Condition(t), Some(i), self.outwards(atom, positive, interval));
            }
        }
        for (p, place) in (0u32..).map(PlaceId).zip(&net.places).filter(|(p, _)| block.marking[p.index()] > 0) {
            for (x, &interval) in hull.intervals.iter().enumerate() {
                let clock = ClockId(x as u32);
                let Some(deadline) = self.before_interval(clock, interval) else { continue };
                let upper: Vec<usize> = (0..)
                    .zip(place.invariant.atoms())
                    .filter(|(_, (a, positive))| a.clock == clock && is_upper(a.relation, *positive))
                    .map(|(i, _)| i)
                    .collect();
                let unbounded = self.scaled.invariant(p).iter().any(|b| b.intervals[x].upper.is_none());
                match upper.as_slice() {
                    _ if unbounded => propose(Constraint::Invariant(p), None, Some(deadline)),
                    &[i] if place.invariant.atoms()[i].1 => {
                        propose(Constraint::Invariant(p), Some(i), Some(deadline));
                    }
                    _ => {}
                }
            }
        }
        for t in self.entering(&block.marking)? {
            let transition = &net.transitions[t.index()];
            for (i, (atom, positive)) in transition.condition.atoms().into_iter().enumerate() {
                if transition.resets.contains(&atom.clock) || !positive {
                    continue;
                }
                let interval = hull.intervals[atom.clock.index()];
                let new = match atom.relation {
                    Relation::Less | Relation::AtMost => self.before_interval(atom.clock, interval),
                    Relation::Greater | Relation::AtLeast => self.after_interval(atom.clock, interval),
                    Relation::Equal => None,
                };
                propose(Constraint::Condition(t), Some(i), new);
            }
        }
        Ok(found)
    }

    /// The transitions that lead to a marking.
    fn entering(&self, marking: &[u32]) -> Result<Vec<TransitionId>, RepairError> {
        let mut markings = MarkingTable::new(&self.scaled, &self.limits)?;
        markings.explore()?;
        let mut found = Vec::new();
        for m in 0..markings.len() as u32 {
            for &(t, target) in markings.successors(m)?.iter() {
                if *markings.tokens(target) == *marking && !found.contains(&t) {
                    found.push(t);
                }
            }
        }
        found.sort_unstable();
        Ok(found)
    }

    /// A comparison moved so that it allows the interval; nothing if it does already, or cannot.
    fn outwards(&self, atom: &Atom, positive: bool, interval: Interval) -> Option<Atom> {
        if !positive {
            return None;
        }
        let (bound, relation, negative) = match atom.relation {
            Relation::Less | Relation::AtMost if !interval.upper.is_none() => {
                let strict = interval.upper.is_strict();
                (interval.upper, if strict { Relation::Less } else { Relation::AtMost }, false)
            }
            Relation::Greater | Relation::AtLeast => {
                let strict = interval.lower.is_strict();
                (interval.lower, if strict { Relation::Greater } else { Relation::AtLeast }, true)
            }
            _ => return None,
        };
        let constant = self.scaled.units().constant(if negative { -bound.constant() } else { bound.constant() });
        let moves = if negative { constant < atom.constant } else { constant > atom.constant };
        let includes = constant == atom.constant
            && matches!(relation, Relation::AtMost | Relation::AtLeast)
            && atom.relation != relation;
        (moves || includes).then_some(Atom { clock: atom.clock, relation, constant })
    }

    /// The condition before the interval begins; none if it begins at zero.
    fn before_interval(&self, clock: ClockId, interval: Interval) -> Option<Atom> {
        let relation = if interval.lower.is_strict() { Relation::AtMost } else { Relation::Less };
        let constant = self.scaled.units().constant(-interval.lower.constant());
        (interval.lower < Bound::ZERO).then_some(Atom { clock, relation, constant })
    }

    /// The condition after the interval has ended.
    fn after_interval(&self, clock: ClockId, interval: Interval) -> Option<Atom> {
        let relation = if interval.upper.is_strict() { Relation::AtLeast } else { Relation::Greater };
        let constant = self.scaled.units().constant(interval.upper.constant());
        (!interval.upper.is_none()).then_some(Atom { clock, relation, constant })
    }
}

fn is_upper(relation: Relation, positive: bool) -> bool {
    match relation {
        Relation::Less | Relation::AtMost => positive,
        Relation::Greater | Relation::AtLeast => !positive,
        Relation::Equal => true,
    }
}
