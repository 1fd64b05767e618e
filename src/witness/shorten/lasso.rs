//! Lassos: a way to a marking, and a way from there back to it.
//!
//! A lasso is *folded* where a marking comes again, so that what lies between is left out, or is all of the loop; fired
//! again without some of its steps; and its way to the loop is replaced by a shorter one. Then lassos are looked for in
//! the graph of markings with duties: where all that is handed on may be handed on for ever, a way back to the same
//! marking and duties is a loop. For *one* condition that always holds (`E G p`, a counterexample of `A F p`) these are
//! all lassos that there are, so that the shortest of them is the shortest of all: the one with the fewest steps to
//! some marking and back to it.

use super::graph::{Graph, Work};
use super::{About, End, Run, SOME};
use crate::formula::PathSemantics;
use crate::model::Step;
use crate::net::Marking;
use rustc_hash::FxHashMap;

/// At most so many ways to fold a lasso are tried.
const MOST_FOLDS: usize = 256;
/// Earlier positions with the marking of a position that are looked at.
const MOST_LOOPS: usize = 4;
/// The steps of a lasso, and how many of them lead to its loop.
type Lasso = (Vec<Step>, usize);

/// A shorter lasso, or a shorter run that ends; or the same with what is known of it.
pub(super) fn shortened<'a>(
    about: &About<'a>,
    graph: &mut Graph<'a>,
    start: usize,
    work: &mut Work<'_>,
) -> Option<Run> {
    let some = work.left.min(SOME);
    let mut best: Lasso = (about.run.fired.clone(), start);
    work.within(some / 4, |work| {
        fold(about, &mut best, work);
        without_steps(about, &mut best, work);
        fold(about, &mut best, work);
    });
    // A run that ends may be shorter.
    let mut least = 0;
    if about.paths != PathSemantics::Infinite {
        let sight = work.within(some / 4, |work| graph.look(best.0.len(), Some(work)));
        if let Some(steps) = sight.found {
            return about.finite(graph, &steps, work).map(|(run, _)| run);
        }
        least = sight.least;
    } else {
        // There is none, and what is looked for is the way.
        work.within(some / 4, |work| graph.look(best.0.len(), Some(work)));
    }
    let mut is_last = false;
    loop {
        let known = best.0.len();
        let amount = if is_last { work.left } else { some / 4 };
        let complete = work.within(amount, |work| shorter(about, graph, &mut best, work));
        if best.0.len() < known {
            continue;
        }
        if !complete && !is_last && work.left > 0 {
            // With what is left, all that is near.
            is_last = true;
            least = graph.look(known, Some(work)).least;
            continue;
        }
        let all = complete && (about.paths == PathSemantics::Infinite || least >= known);
        let claimed = all && graph.goal.is_for_ever() && graph.goal.is_complete();
        let run = about.made(&best.0, End::Loop(best.1))?;
        return Some(Run { least: if claimed { known } else { 0 }, ..run });
    }
}

/// A lasso with fewer steps than `most` from the graph, if there is one; have all been looked at that are found so?
pub(super) fn below(about: &About<'_>, graph: &mut Graph<'_>, most: usize, work: &mut Work<'_>) -> (Option<Run>, bool) {
    let near = graph.near(most);
    let (mut found, mut fewest) = (None, most);
    for &(node, steps) in &near.nodes {
        if !graph.is_quiet(node) || steps >= fewest {
            continue;
        }
        let back = graph.cycle(node, fewest - steps, work);
        if work.left == 0 {
            return (found, false);
        }
        if let Some(back) = back {
            let to = graph.steps_to(&near, node);
            let run = about.made(&[&to[..], &back].concat(), End::Loop(steps));
            fewest = if run.is_some() { steps + back.len() } else { fewest };
            found = run.or(found);
        }
    }
    (found, graph.is_open(&near, fewest))
}

/// Take this lasso if it is shorter and does; was it taken?
fn take(about: &About<'_>, best: &mut Lasso, lasso: Lasso) -> bool {
    let is_better = lasso.0.len() < best.0.len() && about.made(&lasso.0, End::Loop(lasso.1)).is_some();
    if is_better {
        *best = lasso;
    }
    is_better
}

/// Fold a lasso where markings come again, the shortest that does.
fn fold(about: &About<'_>, best: &mut Lasso, work: &mut Work<'_>) {
    let (steps, start) = best.clone();
    // Twice round the loop: it may be left and entered anywhere.
    let twice: Vec<Step> = steps.iter().chain(&steps[start..]).copied().collect();
    let Some(mut at) = about.start().cloned() else { return };
    let mut places: FxHashMap<Marking, Vec<usize>> = FxHashMap::default();
    let mut folds = Vec::new();
    for (number, &step) in twice.iter().enumerate() {
        let before = places.entry(at.clone()).or_default();
        folds.extend(before.iter().rev().take(MOST_LOOPS).map(|&earlier| (earlier, number)));
        before.push(number);
        let Some(next) = about.model.fire(&at, step) else { return };
        at = next;
    }
    // Between the two is a loop; or a detour, of the way to the loop that there is or of the loop.
    let mut tried: Vec<(usize, bool, usize, usize)> = Vec::new();
    for (earlier, later) in folds {
        tried.push((later, true, earlier, later));
        if later <= start || (earlier > start && later <= steps.len()) {
            tried.push((steps.len() - (later - earlier), false, earlier, later));
        }
    }
    tried.retain(|&(length, ..)| length < steps.len());
    tried.sort_unstable();
    for (length, is_loop, earlier, later) in tried.into_iter().take(MOST_FOLDS) {
        let lasso = match is_loop {
            true => (twice[..later].to_vec(), earlier),
            false => {
                let entry = if later <= start { start - (later - earlier) } else { start };
                ([&steps[..earlier], &steps[later..]].concat(), entry)
            }
        };
        if !work.spend(16 * length as u64) || take(about, best, lasso) {
            return;
        }
    }
}

/// Leave out steps, and those that are not possible without them.
fn without_steps(about: &About<'_>, best: &mut Lasso, work: &mut Work<'_>) {
    let mut block = (best.0.len() / 2).max(1);
    loop {
        let before = best.0.len();
        let mut at = 0;
        while at < best.0.len() {
            if !work.spend(16 * best.0.len() as u64) {
                return;
            }
            let lasso = fired_without(about, best, at..(at + block).min(best.0.len()));
            if !lasso.is_some_and(|lasso| take(about, best, lasso)) {
                at += block;
            }
        }
        match block {
            1 if best.0.len() == before => return,
            _ => block = (block / 2).max(1),
        }
    }
}

/// A lasso fired again without these steps.
fn fired_without(about: &About<'_>, (steps, start): &Lasso, without: std::ops::Range<usize>) -> Option<Lasso> {
    let mut at = about.start()?.clone();
    let (mut taken, mut entry) = (Vec::new(), 0);
    for (number, &step) in steps.iter().enumerate() {
        if number == *start {
            entry = taken.len();
        }
        if !without.contains(&number)
            && let Some(next) = about.model.fire(&at, step)
        {
            at = next;
            taken.push(step);
        }
    }
    (entry < taken.len()).then_some((taken, entry))
}

/// Look for a shorter lasso in the graph; have all been looked at that are found so?
fn shorter<'a>(about: &About<'a>, graph: &mut Graph<'a>, best: &mut Lasso, work: &mut Work<'_>) -> bool {
    let near = graph.near(best.0.len());
    let Some(mut at) = about.start().cloned() else { return false };
    let mut loops: FxHashMap<Marking, usize> = FxHashMap::default();
    for (number, &step) in best.0.iter().enumerate() {
        if number >= best.1 {
            loops.insert(at.clone(), number);
        }
        let Some(next) = about.model.fire(&at, step) else { return false };
        at = next;
    }
    let mut tries = MOST_FOLDS;
    for &(node, steps) in &near.nodes {
        if steps < best.1
            && tries > 0
            && let Some(&entry) = loops.get(&graph.marking_of(node))
        {
            tries -= 1;
            let lasso = [&graph.steps_to(&near, node)[..], &best.0[entry..], &best.0[best.1..entry]].concat();
            if take(about, best, (lasso, steps)) {
                return false;
            }
        }
        if graph.is_quiet(node) && steps < best.0.len() {
            let back = graph.cycle(node, best.0.len() - steps, work);
            if work.left == 0 {
                return false;
            }
            if let Some(back) = back {
                let to = graph.steps_to(&near, node);
                take(about, best, ([&to[..], &back].concat(), steps));
            }
        }
    }
    graph.is_open(&near, best.0.len())
}
