//! Plans: in which order the variables of a transition are bound, and where their values come from.
//!
//! A plan is made once for each transition and each pattern that may trigger it (the pattern binds its own
//! variables). The others follow one by one, greedily: first those that an equation of the guard determines,
//! then those that a pattern ties to variables already bound, then those of small domains. Each step lists
//! every pattern that restricts its variable, so that the values tried are those in the intersection of all
//! restrictions (the generic join of Ngo, Porat, Ré and Rudra, "Worst-case optimal join algorithms", PODS
//! 2012), and the conjuncts of the guard that can be looked at again once the variable is bound.

use super::clock::Clock;
use super::guard::Guard;
use super::pattern::{Leaf, Pattern};
use super::term::Term;
use crate::budget::Exhausted;
use crate::formula::Comparison;
use std::cmp::Reverse;

/// A pattern as a restriction of one variable.
#[derive(Debug)]
pub(super) struct Lookup {
    /// Index of the pattern in its transition.
    pub(super) pattern: usize,
    /// Index of the projection in the place of the pattern.
    pub(super) projection: usize,
    /// The leaf holds the value of the variable, so many places further.
    pub(super) by: u64,
    /// Number of colours of the leaf.
    pub(super) size: u64,
}

/// The binding of one variable.
#[derive(Debug)]
pub(super) struct Step {
    pub(super) variable: usize,
    /// A term that the variable equals, and the shift (by, size) to take from its value.
    pub(super) equals: Option<(Term, u64, u64)>,
    pub(super) lookups: Vec<Lookup>,
    /// Indices of the conjuncts of the guard to look at afterwards.
    pub(super) conjuncts: Vec<usize>,
}

/// The data of a transition for a plan.
pub(super) struct Rule<'a> {
    /// For each variable, the number of values it may have and the size of its sort.
    pub(super) domains: &'a [(u64, u64)],
    pub(super) patterns: &'a [Pattern],
    pub(super) conjuncts: &'a [&'a Guard],
}

/// The steps that follow when the variables of the pattern `trigger` are bound; `projection` finds the index
/// of a projection of a place, given the place, the known leaves and the leaf asked for.
pub(super) fn plan(
    rule: &Rule<'_>,
    trigger: Option<usize>,
    mut projection: impl FnMut(usize, u64, usize) -> usize,
    clock: &mut Clock<'_>,
) -> Result<Vec<Step>, Exhausted> {
    let mut bound = vec![false; rule.domains.len()];
    let trigger = trigger.and_then(|pattern| rule.patterns.get(pattern));
    trigger.iter().flat_map(|pattern| pattern.bound()).for_each(|variable| bound[variable] = true);
    let mut steps = Vec::new();
    loop {
        let mut best = None;
        for variable in (0..bound.len()).filter(|&variable| !bound[variable]) {
            clock.ticks(1 + rule.patterns.len() + rule.conjuncts.len())?;
            let determined = equation(rule, variable, &bound).is_some();
            let tied = rule.patterns.iter().filter_map(|pattern| target(pattern, variable, &bound));
            let ties = tied.map(|(_, known)| (u8::from(known > 0), known.count_ones())).max();
            let urgency = (determined, ties, Reverse(rule.domains[variable].0), Reverse(variable));
            best = best.max(Some(urgency));
        }
        let Some((.., Reverse(variable))) = best else { return Ok(steps) };
        let equals = equation(rule, variable, &bound);
        let mut lookups = Vec::new();
        for (index, pattern) in rule.patterns.iter().enumerate() {
            if let Some((leaf, known)) = target(pattern, variable, &bound)
                && let Leaf::Var { by, size, .. } = pattern.leaves[leaf]
            {
                lookups.push(Lookup { pattern: index, projection: projection(pattern.place, known, leaf), by, size });
            }
        }
        let mentions = |guard: &Guard| {
            let mut found = false;
            guard.variables(&mut |v| found |= v == variable);
            found
        };
        let conjuncts = (0..rule.conjuncts.len()).filter(|&c| mentions(rule.conjuncts[c])).collect();
        bound[variable] = true;
        steps.push(Step { variable, equals, lookups, conjuncts });
    }
}

/// The first leaf of the pattern that holds the variable, and the leaves that are known.
fn target(pattern: &Pattern, variable: usize, bound: &[bool]) -> Option<(usize, u64)> {
    let leaf =
        pattern.leaves.iter().position(|leaf| matches!(leaf, Leaf::Var { variable: v, .. } if *v == variable))?;
    let mut known = 0;
    for (index, leaf) in pattern.leaves.iter().enumerate() {
        let fixed = match leaf {
            Leaf::Is(_) => true,
            Leaf::Var { variable, .. } => bound[*variable],
            Leaf::Any => false,
        };
        known |= u64::from(fixed) << index;
    }
    Some((leaf, known))
}

/// A conjunct that says what the variable equals, given the bound ones.
fn equation(rule: &Rule<'_>, variable: usize, bound: &[bool]) -> Option<(Term, u64, u64)> {
    let size = rule.domains[variable].1;
    let shift = |term: &Term| match term {
        Term::Variable(v) if *v == variable => Some((0, size)),
        Term::Shift { of, by, size } if **of == Term::Variable(variable) => Some((*by, *size)),
        _ => None,
    };
    let known = |term: &Term| {
        let mut known = true;
        term.variables(&mut |v| known &= bound[v]);
        known
    };
    rule.conjuncts.iter().find_map(|guard| {
        let Guard::Compare(left, Comparison::Eq, right) = guard else { return None };
        let solved =
            |side: &Term, other: &Term| shift(side).filter(|_| known(other)).map(|(by, n)| (other.clone(), by, n));
        solved(left, right).or_else(|| solved(right, left))
    })
}
