//! Places among which tokens move freely become one.
//!
//! A *move* is a transition that does nothing but take one token from a place and put it on another. If moves lead from each
//! of some places to each other of them, and none of these is observed or inhibits anything, one place stands for all
//! of them, with the sum of their tokens.
//!
//! **Proof.** A firing of another transition leads from markings with the same sum to markings with the same sum. Where it is
//! enabled for the sum, moves bring the tokens of the net to where it needs them, and nobody sees that: so each marking and
//! its sum are branching bisimilar. What is left of the moves is a transition that takes a token from the one place and
//! gives it back: it is enabled where the net could move for ever, and where it could is no deadlock. So CTL\* without
//! next is preserved, and deadlocks are. For reachability it is left out.
//!
//! Thierry-Mieg 2020 (free agglomeration of strongly connected components); Berthomieu, Le Botlan and Dal Zilio 2020
//! (LOOP).

use super::draft::{Arcs, Draft, Step};
use super::rule::{Preserved, Rule};
use crate::scc;
use std::collections::BTreeMap;

pub(super) const RULE: Rule = Rule {
    name: "free cycles",
    late: false,
    preserves: |kind| kind != Preserved::Ctl,
    apply: |draft, kind, _| apply(draft, kind),
};

fn apply(draft: &mut Draft, kind: Preserved) -> bool {
    let Some(into) = cycles(draft, &moves(draft)) else { return false };
    let mut merged = draft.clone();
    if merge(&mut merged, &into).is_none() {
        return false;
    }
    if kind == Preserved::Reachability {
        merged.retain_steps(|_, step| step.pre != step.post);
    }
    *draft = merged;
    true
}

/// Where transitions that do nothing but move one token take it from and put it, for places that are not observed and
/// inhibit nothing.
pub(super) fn moves(draft: &Draft) -> Vec<(usize, usize)> {
    let mut fixed = draft.observed.clone();
    draft.steps.iter().flat_map(|step| &step.inhibitors).for_each(|&(place, _)| fixed[place] = true);
    let as_move = |step: &Step| match (&step.pre[..], &step.post[..], &step.inhibitors[..]) {
        (&[(from, 1)], &[(to, 1)], []) if from != to && !fixed[from] && !fixed[to] => Some((from, to)),
        _ => None,
    };
    draft.steps.iter().filter_map(as_move).collect()
}

/// For each place the first of those among which its tokens move freely; `None` if that is itself for all.
pub(super) fn cycles(draft: &Draft, moves: &[(usize, usize)]) -> Option<Vec<usize>> {
    let places = draft.initial.len();
    let mut targets = vec![Vec::new(); places];
    moves.iter().for_each(|&(from, to)| targets[from].push(to));
    let sources = moves.iter().map(|&(from, _)| from);
    let components = scc::components(places, sources, |place| targets[place].iter().copied());
    let mut first = vec![None; components.count];
    let into = |place: usize| match components.of[place] {
        scc::UNREACHED => place,
        component => *first[component as usize].get_or_insert(place),
    };
    let into: Vec<usize> = (0..places).map(into).collect();
    into.iter().enumerate().any(|(place, &at)| place != at).then_some(into)
}

/// Merge places; `None` if an arc becomes too heavy, which leaves the draft unfinished.
pub(super) fn merge(draft: &mut Draft, into: &[usize]) -> Option<()> {
    let merged = |arcs: &Arcs| -> Option<Arcs> {
        let mut sums: BTreeMap<usize, u64> = BTreeMap::new();
        for &(place, weight) in arcs {
            let sum = sums.entry(into[place]).or_default();
            *sum = sum.checked_add(weight)?;
        }
        Some(sums.into_iter().collect())
    };
    for step in &mut draft.steps {
        (step.pre, step.post) = (merged(&step.pre)?, merged(&step.post)?);
    }
    for (place, &at) in into.iter().enumerate().filter(|&(place, &at)| place != at) {
        draft.initial[at] = draft.initial[at].checked_add(draft.initial[place])?;
        draft.removed[place] = true;
    }
    Some(())
}
