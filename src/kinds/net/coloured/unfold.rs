//! Unfolding: a place for each colour, a transition for each binding, as far as they can matter.
//!
//! **Problem.** The bindings of a transition are as many as the product of the domains of its variables, and
//! nearly all of them violate the guard or need tokens that never exist.
//!
//! **Idea.** Look for what is possible instead of going through what is conceivable: a colour is *possible*
//! for a place if it is there initially or some possible binding puts it there; a binding is possible if its
//! guard holds and all the tokens it takes have possible colours (how many there are is ignored). This least
//! fixpoint is computed colour by colour: each newly possible colour is matched with the input arcs of its
//! place, and each match is extended to whole bindings by a join over the remaining arcs and the guard
//! ([`join`](super::join)). A binding is found when the last of its tokens becomes possible.
//!
//! **Invariant.** A colour that is not possible is never in its place, and a binding that is not possible
//! never fires: leaving them out changes no reachable marking, no enabled binding and no token count, since
//! the places left out hold nothing. Places that keep a constant number of tokens are *not* left out here.
//!
//! Arcs whose tokens are known only once all variables are bound (`all`, differences, tuples with `all`) do not
//! take part in the join; a final pass over the finished bindings removes what these arcs exclude.
//!
//! **Complexity.** Proportional to the partial bindings visited; each possible binding is found once for each
//! of its arcs that the last possible colour matches.
//!
//! The fixpoint is that of relaxed reachability in planning (Helmert, "Concise finite-domain representations
//! for PDDL planning tasks", AIJ 173, 2009); early use of guards: Mäkelä, "Optimising enabling tests and
//! unfoldings of algebraic system nets", ICATPN 2001.

use super::clock::Clock;
use super::error::UnfoldError;
use super::join::{Colours, Domain, Joiner};
use super::multiset::{Multiset, MultisetError};
use super::net::{ColouredNet, ColouredTransition};
use super::pattern::Pattern;
use super::plan::{Rule, Step, plan};
use super::projection::{Projection, Radix};
use super::sort::SortId;
use super::term::UNBOUND;
use super::unfolding::{Instances, Unfolding};
use crate::budget::{Budget, Exhausted};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// Domains up to this size are filtered by the guard before the join.
const FILTERED: u64 = 1 << 16;
/// Rough bytes that one place, one transition, one arc and one entry of an index take in the end.
const BYTES: [usize; 4] = [250, 300, 60, 50];

/// Limits of the size of an unfolding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Places.
    pub places: usize,
    /// Transitions.
    pub transitions: usize,
    /// Arcs.
    pub arcs: usize,
}

impl Default for Limits {
    /// 4 million places, 4 million transitions, 40 million arcs.
    fn default() -> Self {
        Limits { places: 4_000_000, transitions: 4_000_000, arcs: 40_000_000 }
    }
}

/// Unfold a coloured net.
///
/// # Errors
/// When the budget is used up, the limits are exceeded, or an arc expression has no value.
pub fn unfold(net: &ColouredNet, limits: &Limits, budget: &Budget) -> Result<Unfolding, UnfoldError> {
    let mut colours: Vec<Colours> = net
        .places
        .iter()
        .map(|place| Colours {
            radix: Radix::new(net.sorts.leaves(place.sort).iter().map(|&leaf| net.sorts.size(leaf)).collect()),
            projections: Vec::new(),
        })
        .collect();
    let mut clock = Clock::new(budget);
    let rules = net
        .transitions
        .iter()
        .map(|transition| Prepared::new(net, transition, &mut colours, &mut clock))
        .collect::<Result<Vec<_>, _>>()?;
    let mut triggers: Vec<Vec<(usize, usize)>> = vec![Vec::new(); net.places.len()];
    for (t, rule) in rules.iter().enumerate() {
        for (p, pattern) in rule.joiner.patterns.iter().enumerate() {
            triggers[pattern.place].push((t, p));
        }
    }
    let mut found = Found::new(net, limits, budget);
    found.initial()?;
    for (t, rule) in rules.iter().enumerate() {
        if let [(steps, None)] = &rule.plans[..] {
            rule.extend(steps, &mut rule.nothing(), &colours, &mut clock, &mut |binding| {
                found.binding(t, rule, binding)
            })?;
        }
    }
    while let Some(instance) = found.next_possible() {
        let (place, colour) = (found.instances.places[instance], found.instances.colours[instance]);
        let parts = colours[place].radix.parts(colour);
        let Colours { radix, projections } = &mut colours[place];
        found.index_entries += projections.iter_mut().map(|projection| projection.insert(radix, &parts)).sum::<usize>();
        for &(t, p) in &triggers[place] {
            let rule = &rules[t];
            let mut binding = rule.nothing();
            clock.tick()?;
            if rule.joiner.patterns[p].bind(&parts, &mut binding) && rule.joiner.admits(&binding) {
                let (steps, _) = &rule.plans[p];
                rule.extend(steps, &mut binding, &colours, &mut clock, &mut |binding| found.binding(t, rule, binding))?;
            }
        }
    }
    drop(colours);
    if rules.iter().any(|rule| !rule.complete) {
        found.prune()?;
    }
    found.instances.build(net, budget)
}

/// A transition with its plans.
struct Prepared<'a> {
    transition: &'a ColouredTransition,
    joiner: Joiner<'a>,
    /// One plan for each pattern that may trigger it; without patterns one for the whole binding.
    plans: Vec<(Vec<Step>, Option<usize>)>,
    /// Do the patterns say all about the input arcs?
    complete: bool,
    /// Can the same binding be found twice?
    repeats: bool,
}

impl<'a> Prepared<'a> {
    fn new(
        net: &ColouredNet,
        transition: &'a ColouredTransition,
        colours: &mut [Colours],
        clock: &mut Clock<'_>,
    ) -> Result<Self, UnfoldError> {
        let sorts: Vec<SortId> = transition.variables.iter().map(|variable| variable.sort).collect();
        let (mut patterns, mut complete) = (Vec::new(), true);
        for (place, tokens) in &transition.inputs {
            let (terms, all) = tokens.required();
            complete &= all;
            let sort = net.places[*place].sort;
            patterns.extend(terms.into_iter().map(|term| Pattern::new(*place, sort, term, &net.sorts, &sorts)));
        }
        let mut places: Vec<usize> = patterns.iter().map(|pattern| pattern.place).collect();
        places.sort_unstable();
        let repeats =
            places.windows(2).any(|pair| pair[0] == pair[1]) || patterns.iter().any(|pattern| pattern.is_vague());
        let conjuncts = transition.guard.conjuncts();
        let domains = (0..transition.variables.len())
            .map(|variable| domain(net, transition, variable, &conjuncts, clock))
            .collect::<Result<Vec<_>, _>>()?;
        let sizes: Vec<(u64, u64)> =
            domains.iter().zip(&sorts).map(|(domain, &sort)| (domain.len(), net.sorts.size(sort))).collect();
        let rule = Rule { domains: &sizes, patterns: &patterns, conjuncts: &conjuncts };
        let mut projection = |place: usize, known: u64, target: usize| {
            let projections = &mut colours[place].projections;
            let same = |projection: &Projection| projection.known == known && projection.target == target;
            projections.iter().position(same).unwrap_or_else(|| {
                projections.push(Projection::new(known, target));
                projections.len() - 1
            })
        };
        let plans = if patterns.is_empty() {
            vec![(plan(&rule, None, &mut projection, clock)?, None)]
        } else {
            let mut plans = Vec::with_capacity(patterns.len());
            for p in 0..patterns.len() {
                plans.push((plan(&rule, Some(p), &mut projection, clock)?, Some(p)));
            }
            plans
        };
        Ok(Prepared { transition, joiner: Joiner { domains, patterns, conjuncts }, plans, complete, repeats })
    }

    /// No variable is bound.
    fn nothing(&self) -> Vec<u64> {
        vec![UNBOUND; self.transition.variables.len()]
    }

    fn extend(
        &self,
        steps: &[Step],
        binding: &mut [u64],
        colours: &[Colours],
        clock: &mut Clock<'_>,
        found: &mut dyn FnMut(&[u64]) -> Result<(), UnfoldError>,
    ) -> Result<(), UnfoldError> {
        self.joiner.extend(steps, binding, colours, clock, found)
    }
}

/// The values that a variable may have by the conjuncts that mention no other.
fn domain(
    net: &ColouredNet,
    transition: &ColouredTransition,
    variable: usize,
    conjuncts: &[&super::Guard],
    clock: &mut Clock<'_>,
) -> Result<Domain, UnfoldError> {
    let size = net.sorts.size(transition.variables[variable].sort);
    let alone = |guard: &&&super::Guard| {
        let (mut others, mut mentioned) = (false, false);
        guard.variables(&mut |v| {
            others |= v != variable;
            mentioned |= v == variable;
        });
        mentioned && !others
    };
    let filters: Vec<&&super::Guard> = conjuncts.iter().filter(alone).collect();
    let declared = transition.variables[variable].domain.as_ref();
    if filters.is_empty() || size > FILTERED {
        return Ok(declared.map_or(Domain::Below(size), |declared| Domain::List(Arc::clone(declared))));
    }
    let mut binding = vec![UNBOUND; transition.variables.len()];
    let mut values = Vec::new();
    for index in 0..declared.map_or(size, |declared| declared.len() as u64) {
        clock.ticks(filters.len())?;
        let value = declared.map_or(index, |declared| declared[index as usize]);
        binding[variable] = value;
        if filters.iter().all(|guard| guard.holds(&binding) != Some(false)) {
            values.push(value);
        }
    }
    Ok(Domain::List(values.into()))
}

/// A set of bindings of one transition.
enum Bindings {
    /// Bindings as numbers; the sizes of the sorts of the variables, whose product fits.
    Numbers(Vec<u64>, FxHashSet<u64>),
    Lists(FxHashSet<Box<[u64]>>),
}

impl Bindings {
    fn new(net: &ColouredNet, transition: &ColouredTransition) -> Self {
        let sizes: Vec<u64> = transition.variables.iter().map(|variable| net.sorts.size(variable.sort)).collect();
        match sizes.iter().try_fold(1u64, |product, size| product.checked_mul(*size)) {
            Some(_) => Bindings::Numbers(sizes, FxHashSet::default()),
            None => Bindings::Lists(FxHashSet::default()),
        }
    }

    /// Add a binding; false if it was there.
    fn insert(&mut self, binding: &[u64]) -> bool {
        match self {
            Bindings::Numbers(sizes, known) => {
                known.insert(binding.iter().zip(sizes).fold(0, |number, (value, size)| number * *size + value))
            }
            Bindings::Lists(known) => known.insert(binding.into()),
        }
    }
}

/// The part of the unfolding found so far.
struct Found<'a> {
    net: &'a ColouredNet,
    limits: &'a Limits,
    budget: &'a Budget,
    instances: Instances,
    /// Instances by place and colour.
    by_colour: Vec<FxHashMap<u64, u32>>,
    /// Possible instances in the order in which they were found, and how many of them the join knows.
    queue: Vec<u32>,
    joined: usize,
    known: Vec<bool>,
    bindings: Vec<Bindings>,
    index_entries: usize,
}

impl<'a> Found<'a> {
    fn new(net: &'a ColouredNet, limits: &'a Limits, budget: &'a Budget) -> Self {
        Found {
            net,
            limits,
            budget,
            instances: Instances::default(),
            by_colour: vec![FxHashMap::default(); net.places.len()],
            queue: Vec::new(),
            joined: 0,
            known: Vec::new(),
            bindings: net.transitions.iter().map(|transition| Bindings::new(net, transition)).collect(),
            index_entries: 0,
        }
    }

    /// The tokens of the initial marking are possible.
    fn initial(&mut self) -> Result<(), UnfoldError> {
        for (place, coloured) in self.net.places.iter().enumerate() {
            let describe = || format!("initial marking of place `{}`", coloured.id);
            for (colour, count) in self.value(&coloured.initial, &[], &describe, &coloured.id, "places")? {
                let instance = self.instance(place, colour)?;
                self.instances.initial[instance as usize] = count;
                self.possible(instance);
            }
        }
        Ok(())
    }

    fn value(
        &self,
        tokens: &Multiset,
        binding: &[u64],
        describe: &dyn Fn() -> String,
        id: &str,
        what: &'static str,
    ) -> Result<Vec<(u64, u64)>, UnfoldError> {
        let limit = if what == "places" { self.limits.places } else { self.limits.arcs };
        tokens.value(binding, limit).map_err(|error| match error {
            MultisetError::TooLarge => UnfoldError::TooLarge { what, limit, culprit: id.to_owned() },
            error => UnfoldError::Expression { node: describe(), error },
        })
    }

    /// The instance of a place for a colour.
    fn instance(&mut self, place: usize, colour: u64) -> Result<u32, UnfoldError> {
        if let Some(&known) = self.by_colour[place].get(&colour) {
            return Ok(known);
        }
        if self.instances.places.len() >= self.limits.places {
            let culprit = self.net.places[place].id.clone();
            return Err(UnfoldError::TooLarge { what: "places", limit: self.limits.places, culprit });
        }
        let new = self.instances.add_place(place, colour);
        self.known.push(false);
        self.by_colour[place].insert(colour, new);
        Ok(new)
    }

    fn possible(&mut self, instance: u32) {
        if !std::mem::replace(&mut self.instances.possible[instance as usize], true) {
            self.queue.push(instance);
        }
    }

    /// A possible instance that the join does not know yet; it will be told.
    fn next_possible(&mut self) -> Option<usize> {
        let instance = *self.queue.get(self.joined)? as usize;
        self.joined += 1;
        self.known[instance] = true;
        Some(instance)
    }

    /// The join has come up with a binding: check what it left open, and keep it.
    fn binding(&mut self, t: usize, rule: &Prepared<'_>, binding: &[u64]) -> Result<(), UnfoldError> {
        let available = |pattern: &Pattern| {
            let colour = pattern.term.value(binding)?;
            self.known.get(*self.by_colour[pattern.place].get(&colour)? as usize).copied()
        };
        let guard_holds = rule.joiner.conjuncts.iter().all(|guard| guard.holds(binding) == Some(true));
        if !guard_holds || !rule.joiner.patterns.iter().all(|pattern| available(pattern) == Some(true)) {
            return Ok(());
        }
        if rule.repeats && !self.bindings[t].insert(binding) {
            return Ok(());
        }
        let culprit = &rule.transition.id;
        if self.instances.transitions.len() >= self.limits.transitions {
            let (limit, culprit) = (self.limits.transitions, culprit.clone());
            return Err(UnfoldError::TooLarge { what: "transitions", limit, culprit });
        }
        let mut arcs = [Vec::new(), Vec::new()];
        for (direction, side) in [&rule.transition.inputs, &rule.transition.outputs].into_iter().enumerate() {
            for (place, tokens) in side {
                let describe =
                    || format!("arc between transition `{culprit}` and place `{}`", self.net.places[*place].id);
                for (colour, count) in self.value(tokens, binding, &describe, culprit, "arcs")? {
                    let instance = self.instance(*place, colour)?;
                    arcs[direction].push((instance, count));
                }
            }
        }
        for &(instance, _) in &arcs[1] {
            self.possible(instance);
        }
        if self.instances.arcs.len() + arcs[0].len() + arcs[1].len() > self.limits.arcs {
            let (limit, culprit) = (self.limits.arcs, culprit.clone());
            return Err(UnfoldError::TooLarge { what: "arcs", limit, culprit });
        }
        self.instances.add_transition(t, binding, &arcs);
        if self.instances.transitions.len().is_multiple_of(1024) {
            self.check()?;
        }
        Ok(())
    }

    fn check(&self) -> Result<(), Exhausted> {
        self.budget.check()?;
        let all = &self.instances;
        let counts = [all.places.len(), all.transitions.len(), all.arcs.len(), self.index_entries];
        let bytes: usize = counts.iter().zip(BYTES).map(|(count, bytes)| count.saturating_mul(bytes)).sum();
        match self.budget.memory() {
            Some(memory) if bytes as u64 > memory => Err(Exhausted::Memory),
            _ => Ok(()),
        }
    }

    /// The fixpoint once more, over the finished bindings and with all of their input arcs.
    fn prune(&mut self) -> Result<(), UnfoldError> {
        self.check()?;
        self.instances.keep_possible();
        Ok(())
    }
}
