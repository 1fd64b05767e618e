//! Suffixes: what the rest of the net does not notice, and what comes to an end by itself.
//!
//! **Rule.** Let K be some transitions and R some places such that R has all observed places; each transition that changes
//! a place of R is in K; and all input and inhibitor places of K are in R. Let firings of the others, D, alone always end,
//! from any marking. Then D is removed, with all places that are not in R.
//!
//! **Why.** What K can do depends on R alone, which D does not change: so the marking of R makes the same steps with K
//! in the smaller net as in the larger one, and D is not seen. As there is no infinite run of D alone, a marking and its part
//! in R are divergence-sensitive branching bisimilar. A dead marking is dead for K, too; and where K is dead, the net gets to a dead
//! marking by what is left of D.
//!
//! **Preserves** CTL\* without next, and what it includes; and deadlocks. It takes no part where only reachability matters, for which D may
//! have cycles (`slicing`).
//!
//! **How it is found.** A place is *before* another if a transition that takes from the one and gives to the other (in effect)
//! leads from it there, or a chain of them does, but not back. A transition *descends* if each place that it increases has a place
//! before it which the transition decreases, and there is such a place even if it increases none. Each firing of one that
//! descends replaces some tokens by any number of tokens further on: this ends (Dershowitz and Manna, "Proving termination with multiset
//! orderings", CACM 22, 1979). So R and K begin with the observed places, grow by what they demand, and by the
//! transitions of the rest that do not descend, until there are none of these. What is in K has to be possible when it was
//! possible, and no more: places that it changes are not in R unless something in K tests them.
//!
//! Rakow 2012 (slicing). Thierry-Mieg 2020 (prefixes of interest), where whatever is in a cycle is kept, together with all that
//! competes with it.

use super::draft::{Draft, Neighbours, Step};
use super::rule::{Preserved, Rule};
use crate::scc;

pub(super) const RULE: Rule = Rule {
    name: "suffixes",
    late: false,
    preserves: |kind| !matches!(kind, Preserved::Reachability | Preserved::Ctl),
    apply: |draft, _, _| apply(draft),
};

/// The part of the net that is kept.
struct Closure {
    places: Vec<bool>,
    steps: Vec<bool>,
    /// Places whose changes have not been looked at.
    open: Vec<usize>,
}

impl Closure {
    fn place(&mut self, place: usize) {
        if !std::mem::replace(&mut self.places[place], true) {
            self.open.push(place);
        }
    }

    fn step(&mut self, t: usize, step: &Step) {
        if !std::mem::replace(&mut self.steps[t], true) {
            step.pre.iter().chain(&step.inhibitors).for_each(|&(p, _)| self.place(p));
        }
    }

    /// Add all transitions that change a kept place.
    fn close(&mut self, draft: &Draft, neighbours: &[Neighbours]) {
        while let Some(place) = self.open.pop() {
            for &t in neighbours[place].consumers.iter().chain(&neighbours[place].producers) {
                if draft.steps[t].change(place) != 0 {
                    self.step(t, &draft.steps[t]);
                }
            }
        }
    }
}

fn apply(draft: &mut Draft) -> bool {
    let places = draft.initial.len();
    let neighbours = draft.neighbours();
    let effects: Vec<_> = draft.steps.iter().map(Step::effect).collect();
    let mut kept = Closure { places: vec![false; places], steps: vec![false; draft.steps.len()], open: Vec::new() };
    (0..places).filter(|&p| draft.observed[p]).for_each(|p| kept.place(p));
    loop {
        kept.close(draft, &neighbours);
        let rest: Vec<usize> = (0..draft.steps.len()).filter(|&t| !kept.steps[t]).collect();
        if rest.is_empty() {
            break;
        }
        let circular = circular(places, rest.iter().map(|&t| (t, &effects[t][..])));
        if circular.is_empty() {
            break;
        }
        circular.into_iter().for_each(|t| kept.step(t, &draft.steps[t]));
    }
    let remove: Vec<bool> = (0..places).map(|p| !kept.places[p] && !draft.removed[p]).collect();
    let changed = draft.retain_steps(|t, _| kept.steps[t]) | remove.contains(&true);
    draft.remove_places(&remove);
    changed
}

/// Those of some transitions, given with their effects, that do not descend.
fn circular<'a>(places: usize, steps: impl Iterator<Item = (usize, &'a [(usize, i128)])> + Clone) -> Vec<usize> {
    let of_sign = |effect: &'a [(usize, i128)], positive: bool| {
        effect.iter().filter(move |&&(_, change)| (change > 0) == positive).map(|&(p, _)| p)
    };
    let mut targets = vec![Vec::new(); places];
    for (_, effect) in steps.clone() {
        for from in of_sign(effect, false) {
            targets[from].extend(of_sign(effect, true));
        }
    }
    let components = scc::components(places, 0..places, |p| targets[p].iter().copied());
    let descends = |effect: &'a [(usize, i128)]| {
        let before = |to: usize| of_sign(effect, false).any(|from| components.of[from] != components.of[to]);
        of_sign(effect, false).next().is_some() && of_sign(effect, true).all(before)
    };
    steps.filter(|&(_, effect)| !descends(effect)).map(|(t, _)| t).collect()
}
