//! The bindings of a transition that extend a partial one.
//!
//! Backtracking over the steps of a [`plan`](super::plan): at each step the values of one variable are those
//! of the smallest restriction that also satisfy all the others, and each value is tried against the guard at
//! once. The stack is explicit, since the number of variables is the input's choice.

use super::clock::Clock;
use super::guard::Guard;
use super::pattern::Pattern;
use super::plan::Step;
use super::projection::{Projection, Radix};
use super::term::UNBOUND;
use crate::budget::Exhausted;
use std::sync::Arc;

/// The values that a variable may have.
#[derive(Clone, Debug)]
pub(super) enum Domain {
    /// All below this number.
    Below(u64),
    /// These, increasing.
    List(Arc<[u64]>),
}

impl Domain {
    pub(super) fn len(&self) -> u64 {
        match self {
            Domain::Below(size) => *size,
            Domain::List(values) => values.len() as u64,
        }
    }

    pub(super) fn contains(&self, value: u64) -> bool {
        match self {
            Domain::Below(size) => value < *size,
            Domain::List(values) => values.binary_search(&value).is_ok(),
        }
    }

    fn get(&self, index: u64) -> u64 {
        match self {
            Domain::Below(_) => index,
            Domain::List(values) => values[index as usize],
        }
    }
}

/// The known colours of a place.
#[derive(Debug)]
pub(super) struct Colours {
    pub(super) radix: Radix,
    pub(super) projections: Vec<Projection>,
}

/// A transition, ready to be joined.
#[derive(Debug)]
pub(super) struct Joiner<'a> {
    pub(super) domains: Vec<Domain>,
    pub(super) patterns: Vec<Pattern>,
    pub(super) conjuncts: Vec<&'a Guard>,
}

/// Where the values of a variable come from.
enum Source<'a> {
    One(u64),
    /// Values of a leaf, to be shifted back.
    Leaf {
        values: &'a [u64],
        by: u64,
        size: u64,
    },
    Domain(&'a Domain),
}

impl Source<'_> {
    fn len(&self) -> u64 {
        match self {
            Source::One(_) => 1,
            Source::Leaf { values, .. } => values.len() as u64,
            Source::Domain(domain) => domain.len(),
        }
    }

    fn get(&self, index: u64) -> u64 {
        match self {
            Source::One(value) => *value,
            Source::Leaf { values, by, size } => (values[index as usize] + size - by) % size,
            Source::Domain(domain) => domain.get(index),
        }
    }
}

impl Joiner<'_> {
    /// Is a value that was bound without a step, by a trigger, allowed by the domains and the guard?
    pub(super) fn admits(&self, binding: &[u64]) -> bool {
        let in_domain = |(value, domain): (&u64, &Domain)| *value == UNBOUND || domain.contains(*value);
        binding.iter().zip(&self.domains).all(in_domain)
            && self.conjuncts.iter().all(|guard| guard.holds(binding) != Some(false))
    }

    /// Call `found` with each extension of `binding` by the steps. `places` are all places of the net.
    pub(super) fn extend<E: From<Exhausted>>(
        &self,
        steps: &[Step],
        binding: &mut [u64],
        places: &[Colours],
        clock: &mut Clock<'_>,
        found: &mut dyn FnMut(&[u64]) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut frames: Vec<(Source<'_>, u64)> = Vec::with_capacity(steps.len());
        match steps.first() {
            Some(first) => frames.push((self.source(first, binding, places), 0)),
            None => return found(binding),
        }
        while let Some(depth) = frames.len().checked_sub(1) {
            let (step, (source, next)) = (&steps[depth], &mut frames[depth]);
            if *next == source.len() {
                binding[step.variable] = UNBOUND;
                frames.pop();
                continue;
            }
            let value = source.get(*next);
            *next += 1;
            clock.tick()?;
            binding[step.variable] = UNBOUND;
            if !self.allows(step, value, binding, places) {
                continue;
            }
            match steps.get(depth + 1) {
                Some(next) => frames.push((self.source(next, binding, places), 0)),
                None => found(binding)?,
            }
        }
        Ok(())
    }

    /// The smallest known set of values for the variable of a step.
    fn source<'p>(&'p self, step: &Step, binding: &[u64], places: &'p [Colours]) -> Source<'p> {
        if let Some((term, by, size)) = &step.equals
            && let Some(value) = term.value(binding)
        {
            return Source::One((value + size - by) % size);
        }
        let mut best = Source::Domain(&self.domains[step.variable]);
        for lookup in &step.lookups {
            let pattern = &self.patterns[lookup.pattern];
            let colours = &places[pattern.place];
            let projection = &colours.projections[lookup.projection];
            let values = projection.values(key(pattern, projection, colours, binding));
            if (values.len() as u64) < best.len() {
                best = Source::Leaf { values, by: lookup.by, size: lookup.size };
            }
        }
        best
    }

    /// Bind the variable of a step to a value, if its domain, all patterns and the guard allow that.
    fn allows(&self, step: &Step, value: u64, binding: &mut [u64], places: &[Colours]) -> bool {
        let fits = |lookup: &super::plan::Lookup| {
            let pattern = &self.patterns[lookup.pattern];
            let colours = &places[pattern.place];
            let projection = &colours.projections[lookup.projection];
            let part = (value + lookup.by) % lookup.size;
            projection.contains(key(pattern, projection, colours, binding), &colours.radix, part)
        };
        if !self.domains[step.variable].contains(value) || !step.lookups.iter().all(fits) {
            return false;
        }
        binding[step.variable] = value;
        step.conjuncts.iter().all(|&conjunct| self.conjuncts[conjunct].holds(binding) != Some(false))
    }
}

/// The known leaves of a projection under a binding.
fn key(pattern: &Pattern, projection: &Projection, colours: &Colours, binding: &[u64]) -> u64 {
    let known = (0..pattern.leaves.len()).filter(|leaf| projection.known >> leaf & 1 == 1);
    known.filter_map(|leaf| Some(colours.radix.weighted(leaf, pattern.leaves[leaf].value(binding)?))).sum()
}
