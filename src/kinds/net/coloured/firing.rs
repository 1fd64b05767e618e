//! Firing a coloured net binding by binding.
//!
//! **Problem.** In a marking few bindings of a transition can fire, of many that there are.
//!
//! **Idea.** A binding is looked for among the tokens that are there: the tokens that a transition needs are matched
//! with colours of their places one after the other ([`super::pattern`]), those first that are determined already, then
//! those with the fewest candidates; each match binds variables, and the guard is asked at once. What is not bound in
//! the end takes any value of its domain. Where the search begins is random, so that each binding has its chance. It
//! ends after so many candidates: then nothing is said ([`Search::Unsure`]).

use super::net::{ColouredNet, ColouredTransition};
use super::pattern::Pattern;
use super::projection::Radix;
use super::sort::SortId;
use super::term::UNBOUND;
use crate::rng::Rng;
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

/// Candidates that a search looks at.
const CANDIDATES: usize = 20_000;
/// Tokens and variables that a search goes through one inside the other.
const DEPTH: usize = 200;
/// Different colours that an arc may move.
const COLOURS: usize = 1 << 20;

/// The tokens of a place by colour; none of them is 0.
type Tokens = IndexMap<u64, u64, FxBuildHasher>;

/// The result of the search for a binding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Search {
    /// It can fire under this binding.
    Found(Vec<u64>),
    /// There is none.
    None,
    /// There were too many candidates.
    Unsure,
}

/// The enabling condition of a transition.
struct Rule<'a> {
    transition: &'a ColouredTransition,
    patterns: Vec<Pattern>,
}

/// A marking of a coloured net under way.
pub(crate) struct Firing<'a> {
    net: &'a ColouredNet,
    rules: Vec<Rule<'a>>,
    radixes: Vec<Radix>,
    tokens: Vec<Tokens>,
    totals: Vec<u64>,
}

impl<'a> Firing<'a> {
    /// The initial marking of a net; `None` if it is too large to be written down.
    pub(super) fn new(net: &'a ColouredNet) -> Option<Self> {
        let rules = net.transitions.iter().map(|transition| {
            let variables: Vec<SortId> = transition.variables.iter().map(|variable| variable.sort).collect();
            let mut patterns = Vec::new();
            for (place, tokens) in &transition.inputs {
                let sort = net.places[*place].sort;
                let terms = tokens.required().0;
                patterns.extend(terms.into_iter().map(|term| Pattern::new(*place, sort, term, &net.sorts, &variables)));
            }
            Rule { transition, patterns }
        });
        let sizes = |sort: SortId| net.sorts.leaves(sort).iter().map(|&leaf| net.sorts.size(leaf)).collect();
        let mut firing = Firing {
            net,
            rules: rules.collect(),
            radixes: net.places.iter().map(|place| Radix::new(sizes(place.sort))).collect(),
            tokens: Vec::new(),
            totals: Vec::new(),
        };
        firing.restart().then_some(firing)
    }

    /// Back to the initial marking; false if it is too large to be written down.
    pub(crate) fn restart(&mut self) -> bool {
        let initial = |place: &super::ColouredPlace| place.initial.value(&[], COLOURS);
        let tokens: Result<Vec<_>, _> = self.net.places.iter().map(initial).collect();
        let known = tokens.is_ok();
        self.tokens = tokens.unwrap_or_default().into_iter().map(|tokens| tokens.into_iter().collect()).collect();
        self.tokens.resize_with(self.net.places.len(), Tokens::default);
        // The sums fit: the skeleton has them.
        self.totals = self.tokens.iter().map(|tokens| tokens.values().sum()).collect();
        known
    }

    /// The number of tokens in each place.
    pub(crate) fn totals(&self) -> &[u64] {
        &self.totals
    }

    /// Can a transition fire? `None` if a search does not tell.
    pub(super) fn can_fire(&self, transition: usize) -> Option<bool> {
        match self.search(transition, &mut Rng::new(0)) {
            Search::Found(_) => Some(true),
            Search::None => Some(false),
            Search::Unsure => None,
        }
    }

    /// Look for a binding under which a transition can fire.
    pub(crate) fn search(&self, transition: usize, rng: &mut Rng) -> Search {
        let Some(rule) = self.rules.get(transition) else { return Search::None };
        if rule.patterns.len() + rule.transition.variables.len() > DEPTH {
            return Search::Unsure;
        }
        let mut binding = vec![UNBOUND; rule.transition.variables.len()];
        let mut open: Vec<usize> = (0..rule.patterns.len()).collect();
        let mut left = CANDIDATES;
        match self.extend(rule, &mut open, &mut binding, &mut left, rng) {
            Some(true) => Search::Found(binding),
            Some(false) => Search::None,
            None => Search::Unsure,
        }
    }

    /// Match the open patterns with tokens, then bind what is left; `None` after too many candidates.
    fn extend(
        &self,
        rule: &Rule<'_>,
        open: &mut Vec<usize>,
        binding: &mut Vec<u64>,
        left: &mut usize,
        rng: &mut Rng,
    ) -> Option<bool> {
        *left = left.checked_sub(1)?;
        // A token that is determined costs one look; of the others the one with the fewest candidates is next.
        let candidates = |&at: &usize| {
            let pattern = &rule.patterns[open[at]];
            if pattern.term.value(binding).is_some() { 0 } else { self.tokens[pattern.place].len() }
        };
        let Some(next) = (0..open.len()).min_by_key(candidates) else {
            return self.bind_rest(rule, binding, left, rng);
        };
        let number = open.swap_remove(next);
        let pattern = &rule.patterns[number];
        let tokens = &self.tokens[pattern.place];
        let found = match pattern.term.value(binding) {
            Some(colour) if !tokens.contains_key(&colour) => Some(false),
            Some(_) => self.extend(rule, open, binding, left, rng),
            None => {
                let (before, start) = (binding.clone(), rng.below(tokens.len().max(1)));
                let mut found = Some(false);
                for at in 0..tokens.len() {
                    let Some((&colour, _)) = tokens.get_index((start + at) % tokens.len()) else { break };
                    *left = left.checked_sub(1)?;
                    let parts = self.radixes[pattern.place].parts(colour);
                    if pattern.bind(&parts, binding) && self.admits(rule, binding) {
                        found = self.extend(rule, open, binding, left, rng);
                        if found != Some(false) {
                            break;
                        }
                    }
                    binding.clone_from(&before);
                }
                found
            }
        };
        open.push(number);
        found
    }

    /// Bind the variables that no token binds, and look whether all that is needed is there.
    fn bind_rest(&self, rule: &Rule<'_>, binding: &mut Vec<u64>, left: &mut usize, rng: &mut Rng) -> Option<bool> {
        let Some(variable) = binding.iter().position(|&value| value == UNBOUND) else {
            *left = left.checked_sub(1)?;
            return self.enables(rule, binding);
        };
        let declared = &rule.transition.variables[variable];
        let domain = declared.domain.as_deref();
        let size = domain.map_or(self.net.sorts.size(declared.sort), |domain| domain.len() as u64);
        let start = rng.below(usize::try_from(size).unwrap_or(usize::MAX).max(1)) as u64;
        for at in 0..size {
            *left = left.checked_sub(1)?;
            let index = (start + at) % size;
            binding[variable] = domain.map_or(index, |domain| domain[index as usize]);
            if self.admits(rule, binding) {
                match self.bind_rest(rule, binding, left, rng) {
                    Some(false) => {}
                    found => return found,
                }
            }
        }
        binding[variable] = UNBOUND;
        Some(false)
    }

    /// May a binding that is not complete become one under which the transition fires?
    fn admits(&self, rule: &Rule<'_>, binding: &[u64]) -> bool {
        let in_domain = binding.iter().zip(&rule.transition.variables).all(|(value, variable)| {
            let domain = variable.domain.as_ref();
            *value == UNBOUND || domain.is_none_or(|domain| domain.binary_search(value).is_ok())
        });
        in_domain && rule.transition.guard.holds(binding) != Some(false)
    }

    /// Are the tokens there that a transition takes under a binding? `None` if an expression has no value.
    fn enables(&self, rule: &Rule<'_>, binding: &[u64]) -> Option<bool> {
        if rule.transition.guard.holds(binding) != Some(true) {
            return Some(false);
        }
        let there = |(place, colour): &(usize, u64)| self.tokens[*place].get(colour).copied().unwrap_or(0);
        Some(moved(&rule.transition.inputs, binding)?.iter().all(|(at, count)| there(at) >= *count))
    }

    /// Fire a transition under a binding that was found; false if that leads to no marking: then the walk is at none.
    pub(crate) fn fire(&mut self, transition: usize, binding: &[u64]) -> bool {
        self.try_to_fire(transition, binding).is_some()
    }

    fn try_to_fire(&mut self, transition: usize, binding: &[u64]) -> Option<()> {
        let transition = self.rules.get(transition)?.transition;
        for ((place, colour), count) in moved(&transition.inputs, binding)? {
            let there = self.tokens[place].get_mut(&colour)?;
            *there = there.checked_sub(count)?;
            if *there == 0 {
                self.tokens[place].swap_remove(&colour);
            }
            self.totals[place] -= count;
        }
        for ((place, colour), count) in moved(&transition.outputs, binding)? {
            self.totals[place] = self.totals[place].checked_add(count)?;
            *self.tokens[place].entry(colour).or_insert(0) += count;
        }
        Some(())
    }
}

/// The tokens that arcs move under a binding, by place and colour; `None` if an expression has no value.
fn moved(side: &[(usize, super::Multiset)], binding: &[u64]) -> Option<IndexMap<(usize, u64), u64, FxBuildHasher>> {
    let mut moved: IndexMap<(usize, u64), u64, FxBuildHasher> = IndexMap::default();
    for (place, tokens) in side {
        for (colour, count) in tokens.value(binding, COLOURS).ok()? {
            let sum = moved.entry((*place, colour)).or_insert(0);
            *sum = sum.checked_add(count)?;
        }
    }
    Some(moved)
}
