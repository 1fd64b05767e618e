//! Constants per place: what a clock can still be compared with before it is next set to zero.
//!
//! Problem: with one constant per clock for the whole net, zones stay apart by values of clocks that nobody reads
//! before their next reset. Static guard analysis (Behrmann, Bouyer, Fleury, Larsen, "Static guard analysis in
//! timed automata verification", TACAS 2003) gives each location its own constants. Here the constants belong to
//! places, and a marking has the largest of its marked places.
//!
//! Invariant that makes this sound: if firing `t` leads from `mu` to `mu'`, every clock that `t` does not reset has
//! constants at `mu` at least as large as at `mu'`, and those of the condition of `t`. The tokens that stay carry
//! their constants along; what the condition and the new tokens need must be met by *one* of the places that `t` takes
//! tokens from. Which one is free to choose, and a good choice is the place of the component that owns the clock, not
//! a variable that it shares with others. So the choice is a hitting set, made greedily for each clock: of the
//! transitions with the largest unmet need, the place that serves most is charged; among equals the one with the fewest
//! transitions that have nothing to do with the clock. A transition without input charges all markings.
//!
//! Where the markings that are reachable without time are few, each has the least constants with this property, by a
//! fixpoint over their graph.

use super::markings::{Limits, MarkingId, MarkingTable};
use super::model::TransitionId;
use super::scaled::Scaled;
use super::zone::{ClockBounds, ClockBox, Interval};
use rustc_hash::FxHashMap;
use std::ops::IndexMut;

/// The constants of markings, by their marked places with the tokens there.
type ByMarking = FxHashMap<Box<[(u32, u32)]>, ClockBounds>;

/// Nets with at most so many markings without time have constants for each marking.
const MOST_MARKINGS: usize = 1 << 16;

/// Constants of places, and of markings where these are few.
pub(super) struct LocalBounds {
    everywhere: ClockBounds,
    places: Vec<ClockBounds>,
    markings: ByMarking,
}

impl LocalBounds {
    /// The constants of each marking; where there are too many, those of places.
    pub(super) fn of_markings(scaled: &Scaled<'_>) -> LocalBounds {
        let (invariants, conditions) = compared(scaled);
        match of_markings(scaled, &invariants, &conditions) {
            Some(markings) => LocalBounds { everywhere: ClockBounds::none(0), places: Vec::new(), markings },
            None => LocalBounds::of_places(scaled),
        }
    }

    /// The constants of all places.
    pub(super) fn of_places(scaled: &Scaled<'_>) -> LocalBounds {
        let clocks = scaled.clocks();
        let (invariants, conditions) = compared(scaled);
        let mut local =
            LocalBounds { everywhere: ClockBounds::none(clocks), places: invariants, markings: FxHashMap::default() };
        for clock in 0..clocks {
            let cost = strangers(scaled, clock);
            let guards: Vec<[i32; 2]> = conditions.iter().map(|b| [b.lower[clock], b.upper[clock]]).collect();
            for side in 0..2 {
                let own = |b: &ClockBounds| if side == 0 { b.lower[clock] } else { b.upper[clock] };
                let mut problem = Charges {
                    scaled,
                    clock,
                    guards: guards.iter().map(|g| g[side]).collect(),
                    places: local.places.iter().map(own).collect(),
                    everywhere: -1,
                    cost: &cost,
                };
                problem.solve();
                for (bounds, &charge) in local.places.iter_mut().zip(&problem.places) {
                    *(if side == 0 { &mut bounds.lower } else { &mut bounds.upper }).index_mut(clock) = charge;
                }
                let all = &mut local.everywhere;
                *(if side == 0 { &mut all.lower } else { &mut all.upper }).index_mut(clock) = problem.everywhere;
            }
        }
        local
    }

    /// The constants of a marking, by its marked places; `None` for one that is not reachable.
    pub(super) fn of_marking(&self, marked: &[(u32, u32)]) -> Option<ClockBounds> {
        if !self.markings.is_empty() {
            return self.markings.get(marked).cloned();
        }
        let mut bounds = self.everywhere.clone();
        for &(place, _) in marked {
            bounds.raise(&self.places[place as usize]);
        }
        Some(bounds)
    }
}

/// The constants that invariants and conditions compare clocks with.
fn compared(scaled: &Scaled<'_>) -> (Vec<ClockBounds>, Vec<ClockBounds>) {
    let of_boxes = |boxes: &[ClockBox]| {
        let mut bounds = ClockBounds::none(scaled.clocks());
        boxes.iter().for_each(|b| bounds.raise_by_box(b));
        bounds
    };
    let invariants = scaled.invariants.iter().map(|boxes| of_boxes(boxes)).collect();
    (invariants, scaled.conditions.iter().map(|boxes| of_boxes(boxes)).collect())
}

/// The least constants of all markings that are reachable without time; `None` if these are too many. They are those of
/// the invariants and of the conditions of transitions that have their tokens, and, of the clocks that a transition
/// does not reset, those of the marking that it leads to.
fn of_markings(scaled: &Scaled<'_>, invariants: &[ClockBounds], conditions: &[ClockBounds]) -> Option<ByMarking> {
    let limits = Limits { markings: MOST_MARKINGS, ..Limits::default() };
    let mut table = MarkingTable::new(scaled, &limits).ok()?;
    table.explore().ok()?;
    let all = 0..table.len() as MarkingId;
    let mut bounds: Vec<ClockBounds> = Vec::with_capacity(table.len());
    let mut before: Vec<Vec<(TransitionId, MarkingId)>> = vec![Vec::new(); table.len()];
    for m in all.clone() {
        let mut of_marking = ClockBounds::none(scaled.clocks());
        for &(place, _) in table.marked(m) {
            of_marking.raise(&invariants[place as usize]);
        }
        for &(t, next) in table.known_successors(m) {
            of_marking.raise(&conditions[t.index()]);
            before[next as usize].push((t, m));
        }
        bounds.push(of_marking);
    }
    let mut open: Vec<MarkingId> = all.clone().collect();
    while let Some(m) = open.pop() {
        for &(t, from) in &before[m as usize] {
            let mut kept = bounds[m as usize].clone();
            for clock in &scaled.net.transitions[t.index()].resets {
                (kept.lower[clock.index()], kept.upper[clock.index()]) = (-1, -1);
            }
            if bounds[from as usize].raise(&kept) {
                open.push(from);
            }
        }
    }
    Some(
        all.map(|m| (Box::from(table.marked(m)), std::mem::replace(&mut bounds[m as usize], ClockBounds::none(0))))
            .collect(),
    )
}

/// For each place, how many of its transitions neither test nor reset a clock, and how many it has.
fn strangers(scaled: &Scaled<'_>, clock: usize) -> Vec<(u32, u32)> {
    let mut cost = vec![(0, 0); scaled.net.places.len()];
    for (t, condition) in scaled.net.transitions.iter().zip(&scaled.conditions) {
        let tests = condition.iter().any(|b| b.intervals[clock] != Interval::ALL);
        let stranger = !tests && !t.resets.iter().any(|c| c.index() == clock);
        for a in t.inputs.iter().chain(&t.outputs) {
            let slot: &mut (u32, u32) = &mut cost[a.place.index()];
            slot.0 += u32::from(stranger);
            slot.1 += 1;
        }
    }
    cost
}

/// The choice for one clock and one kind of bound.
struct Charges<'p, 'n> {
    scaled: &'p Scaled<'n>,
    clock: usize,
    guards: Vec<i32>,
    places: Vec<i32>,
    everywhere: i32,
    cost: &'p [(u32, u32)],
}

impl Charges<'_, '_> {
    /// The charge that a transition needs of its inputs.
    fn need(&self, t: usize) -> i32 {
        let transition = &self.scaled.net.transitions[t];
        if transition.resets.iter().any(|c| c.index() == self.clock) {
            return self.guards[t];
        }
        let fresh = transition.outputs.iter().filter(|a| transition.inputs.iter().all(|b| b.place != a.place));
        fresh.map(|a| self.places[a.place.index()]).fold(self.guards[t], i32::max)
    }

    fn met(&self, t: usize) -> i32 {
        let inputs = &self.scaled.net.transitions[t].inputs;
        inputs.iter().map(|a| self.places[a.place.index()]).fold(self.everywhere, i32::max)
    }

    /// Charges one place after the other, until every need is met.
    fn solve(&mut self) {
        let transitions = &self.scaled.net.transitions;
        loop {
            let mut largest = -1;
            let mut serves = vec![0u32; self.places.len()];
            for (t, transition) in transitions.iter().enumerate() {
                let need = self.need(t);
                if need <= self.met(t) || need < largest {
                    continue;
                }
                if transition.inputs.is_empty() {
                    self.everywhere = need;
                    continue;
                }
                if need > largest {
                    largest = need;
                    serves.fill(0);
                }
                transition.inputs.iter().for_each(|a| serves[a.place.index()] += 1);
            }
            let best = (0..serves.len()).filter(|&p| serves[p] > 0);
            match best.min_by_key(|&p| (u32::MAX - serves[p], self.cost[p])) {
                Some(p) => self.places[p] = largest,
                None if largest < 0 => return,
                None => {}
            }
        }
    }
}
