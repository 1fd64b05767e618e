//! Runs of steps that are known: fired again without some of them.
//!
//! *Loops*: what lies between two positions with the same marking. *Steps that are not needed*: the run is fired again
//! without a block of them, and steps that are not possible then are left out, too; blocks of half of the run first,
//! then smaller ones, and single steps in the end, until none can be left out (delta debugging: Zeller and Hildebrandt,
//! TSE 2002; of plans: Nakhost and Müller, "Action elimination and plan neighborhood graph search", ICAPS 2010).

use super::goal::{Duties, Goal};
use super::graph::Work;
use crate::model::Step;
use crate::net::Marking;
use rustc_hash::FxHashMap;

/// Where a run has come: the marking, and the sets of duties that may be left.
#[derive(Clone)]
pub(super) struct Place {
    marking: Marking,
    left: Vec<Duties>,
}

impl Place {
    /// At the start.
    pub(super) fn new(goal: &Goal<'_>, marking: &Marking) -> Self {
        Place { marking: marking.clone(), left: vec![vec![goal.root]] }
    }

    /// After a step: `None` if it is not possible here, or leads away from the goal. And is the goal met before it?
    fn after(&self, goal: &mut Goal<'_>, step: Step) -> Result<Option<Place>, Met> {
        let ways: Vec<_> = self.left.iter().flat_map(|duties| goal.ways(duties, &self.marking)).collect();
        if ways.iter().any(super::goal::Way::is_free) {
            return Err(Met);
        }
        let Some(marking) = goal.model.fire(&self.marking, step) else { return Ok(None) };
        let mut left: Vec<Duties> = Vec::new();
        for way in ways.into_iter().filter(|way| goal.permits(way, step)) {
            if !left.contains(&way.next) {
                left.push(way.next);
            }
        }
        Ok((!left.is_empty()).then_some(Place { marking, left }))
    }

    /// Does a run that ends here do?
    fn is_goal(&self, goal: &mut Goal<'_>) -> bool {
        let free =
            self.left.iter().any(|duties| goal.ways(duties, &self.marking).iter().any(super::goal::Way::is_free));
        free || (goal.model.is_deadlock(&self.marking)
            && self.left.iter().any(|duties| goal.ends(duties, &self.marking)))
    }
}

/// The goal is met.
struct Met;

/// Fire steps from somewhere, passing over those that are not possible, until the goal is met: the steps that were
/// taken, if they are fewer than `most`.
fn follow(
    goal: &mut Goal<'_>,
    mut place: Place,
    steps: &[Step],
    most: usize,
    work: &mut Work<'_>,
) -> Option<Vec<Step>> {
    let mut taken = Vec::new();
    let cost = cost(goal);
    for &step in steps {
        if taken.len() >= most || !work.spend(cost) {
            return None;
        }
        match place.after(goal, step) {
            Err(Met) => return Some(taken),
            Ok(None) => {}
            Ok(Some(next)) => {
                place = next;
                taken.push(step);
            }
        }
    }
    (taken.len() < most && place.is_goal(goal)).then_some(taken)
}

/// The work of a step.
fn cost(goal: &Goal<'_>) -> u64 {
    4 + goal.model.variables() as u64 / 16
}

/// A finite run without what lies between positions with the same marking, if it does without.
pub(super) fn without_loops(goal: &mut Goal<'_>, start: &Marking, steps: &[Step], work: &mut Work<'_>) -> Vec<Step> {
    let mut markings = vec![start.clone()];
    for &step in steps {
        let Some(next) = markings.last().and_then(|marking| goal.model.fire(marking, step)) else {
            return steps.to_vec();
        };
        markings.push(next);
    }
    let last: FxHashMap<&Marking, usize> = markings.iter().enumerate().map(|(at, marking)| (marking, at)).collect();
    let (mut kept, mut at) = (Vec::new(), 0);
    while let Some(&later) = markings.get(at).and_then(|marking| last.get(marking)) {
        kept.extend(steps.get(later));
        at = later + 1;
    }
    follow(goal, Place::new(goal, start), &kept, steps.len(), work).unwrap_or_else(|| steps.to_vec())
}

/// A finite run without the steps that it does without.
pub(super) fn without_steps(
    goal: &mut Goal<'_>,
    start: &Marking,
    mut steps: Vec<Step>,
    work: &mut Work<'_>,
) -> Vec<Step> {
    let mut block = (steps.len() / 2).max(1);
    loop {
        let before = steps.len();
        let (mut at, mut place) = (0, Place::new(goal, start));
        while at < steps.len() {
            let end = (at + block).min(steps.len());
            if let Some(rest) = follow(goal, place.clone(), &steps[end..], steps.len() - at, work) {
                steps.truncate(at);
                steps.extend(rest);
                continue;
            }
            if work.left == 0 {
                return steps;
            }
            for &step in &steps[at..end] {
                match place.after(goal, step) {
                    Ok(Some(next)) => place = next,
                    // The run does as it is.
                    Ok(None) | Err(Met) => return steps,
                }
            }
            at = end;
        }
        match block {
            1 if steps.len() == before => return steps,
            _ => block = (block / 2).max(1),
        }
    }
}
