//! Attractors: the bottom strongly connected components of a closed set, all of whose states are of interest.
//!
//! **Parameters.** Levels that no step changes are parameters: they divide the states into sections that have nothing to
//! do with each other, and everything is done in all sections at once ([`Sections`]). A *family* is a set with one
//! attractor at most in each section. So attractors are counted, with their sizes, and never listed: there may be as
//! many as values of the parameters.
//!
//! **Networks.** Where it is known what influences what, a state of each attractor is found without the states that lead
//! there ([`representatives`]), and all that it reaches is the attractor.
//!
//! Before that such states are sought in the network without its [`mediators`], and kept where they lie in attractors.
//!
//! **Passages.** Where states that are not initial are only passed through, attractors are [`minimal_trap_spaces`].
//!
//! **Others.** States where nothing is enabled are attractors. A reduction ([`reduction`]) takes away most states that are
//! in none. Of the rest a pivot is chosen in each section: if all that it reaches reaches it, that is an attractor;
//! and what reaches it is done with (Xie, Beerel 2000). Where the pivot was in none, the next one is chosen among what
//! it reaches and does not reach it. Where this takes long, the reduction is tried again, with more work, and so on. The
//! ways take turns.
//!
//! Steps of all variables at once have no events. There, states without a predecessor are left out again and again
//! before: in a deterministic system nothing but cycles is left.
//!
//! Source: Xie, Beerel, *Implicit enumeration of strongly connected components and an application to formal
//! verification*, TCAD 2000; the reduction has its own.

mod mediators;
mod minimal_trap_spaces;
mod negative_cycles;
mod reduction;
mod representatives;
mod steps;
mod trap_space;

pub use trap_space::values_of;

use crate::budget::Budget;
use crate::mdd::{Mdd, Sections};
use crate::relation::Relation;
use crate::stop_reason::StopReason;
use crate::symbolic::search::meant;
use crate::symbolic::statistics::{count_transitions, deadlocks};
use mediators::Smaller;
use num_bigint::BigUint;
use representatives::Network;
use std::collections::BTreeMap;
use steps::{Events, Steps, fixed, unless_exhausted};

/// The first share of work of the search from pivots, the factor between shares, and the last one with a limit.
const SHARE: u64 = 1 << 18;
const FACTOR: u64 = 8;
const MOST: u64 = 1 << 28;
/// The part of a share for a round of the search for representatives.
const ROUND: u64 = 1 << 12;

/// The shape of an attractor.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Shape {
    /// One state, which no step leaves.
    Fixed,
    /// Several states, each with one step.
    Cycle,
    /// Several states, some of which have several successors.
    Complex,
}

/// Attractors of one shape, one at most in each section.
#[derive(Clone, Debug)]
pub struct Family {
    /// Their shape.
    pub shape: Shape,
    /// Their states.
    pub states: Mdd,
}

/// All attractors of a system.
#[derive(Debug)]
pub struct Attractors {
    /// The states of those that have one: as many attractors as states.
    pub fixed: Mdd,
    /// All others.
    pub families: Vec<Family>,
    /// By number of states, how many attractors have it.
    pub sizes: BTreeMap<BigUint, BigUint>,
    /// By shape, how many attractors have it.
    pub shapes: BTreeMap<Shape, BigUint>,
    /// How many settings of the parameters there are.
    pub settings: BigUint,
    sections: Sections,
    /// All states.
    states: Mdd,
    /// Those that people mean: others are only passed through, and belong to no answer.
    meant: Mdd,
    steps: Steps,
}

impl std::fmt::Debug for Steps {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Steps").finish_non_exhaustive()
    }
}

/// The numbers of states from which an attractor is reached.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Basins {
    /// Those from which it can be reached: `EF A`.
    pub weak: BigUint,
    /// Those from which nothing else can: `AG EF A`.
    pub strong: BigUint,
}

/// The attractors among the states of a closed set.
///
/// # Errors
/// [`StopReason`] when the budget is used up, or the set is one of other tuples than the relation's.
pub fn attractors(relation: &Relation, states: &Mdd, budget: &Budget) -> Result<Attractors, StopReason> {
    states.space().expect(relation.levels() as usize)?;
    let sections = Sections::new(relation.constant_levels(), states.values().into(), states, budget)?;
    let values = sections.values();
    let steps = Steps::new(relation, states, budget)?;
    let events = Events::new(relation, states, budget)?;
    let network = Network::new(&events, values, states);
    let first = relation.mediated().first();
    let smaller = first.map(|mediated| Smaller::new(mediated, values, states, budget)).transpose()?;
    let smaller = smaller.as_ref().and_then(|smaller| Some((smaller, smaller.network(values)?)));
    let (mut search, mut share): (Option<Search<'_>>, _) = (None, Some(SHARE));
    let meant = meant(relation, states, budget)?;
    // Ways take turns, with shares of work that grow.
    let (found, mut fixed) = loop {
        if relation.has_passages() {
            break minimal_trap_spaces::attractors(&events, &sections, states, &meant, budget)?;
        }
        let parts = |share: Option<u64>| {
            let limited = share.map_or(budget.clone(), |share| budget.clone().with_work(share));
            (limited, share.map_or(u64::MAX, |share| share / ROUND))
        };
        if let (Some(network), Some((smaller, without))) = (&network, &smaller) {
            let (limited, rounds) = parts(share.map(|share| share.saturating_mul(FACTOR)));
            let above = without.representatives(rounds, &limited).and_then(|chosen| {
                let lifted = smaller.lifted(&chosen, &events, states, &limited)?;
                network.among(&lifted, rounds, &limited)
            });
            if let Some(chosen) = unless_exhausted(above, &limited)? {
                break reached_from(&chosen, Some(smaller), &events, &steps, &sections, states, budget)?;
            }
        }
        let (limited, rounds) = parts(share);
        if let Some(network) = &network
            && let Some(chosen) = unless_exhausted(network.representatives(rounds, &limited), &limited)?
        {
            break reached_from(&chosen, None, &events, &steps, &sections, states, budget)?;
        }
        let mut own = match search {
            Some(search) => search,
            None => Search::new(relation, &events, &steps, &sections, states, budget)?,
        };
        if unless_exhausted(own.run(&limited), &limited)?.is_some() {
            break (own.found, own.fixed);
        }
        if !relation.is_conjunctive()
            && let Some(share) = share
        {
            own.left = reduction::again(&events, &sections, &steps, &own.left, share, budget)?;
        }
        search = Some(own);
        share = share.and_then(|share| share.checked_mul(FACTOR)).filter(|&share| share <= MOST);
    };
    let mut several = Vec::new();
    for set in found {
        let others = set.difference(&sections.one_each(&set, budget)?, budget)?;
        let larger = set.intersection(&sections.shadow(&others, budget)?, budget)?;
        fixed = fixed.union(&set.difference(&larger, budget)?, budget)?;
        if !larger.is_empty() {
            several.push(larger);
        }
    }
    let (mut all_sizes, mut shapes) = (BTreeMap::new(), BTreeMap::new());
    let count = fixed.count(budget)?;
    if count > BigUint::ZERO {
        all_sizes.insert(BigUint::from(1u32), count.clone());
        shapes.insert(Shape::Fixed, count);
    }
    let mut families = Vec::new();
    for set in several {
        let shaped = match relation.has_passages() {
            true => vec![Family { shape: Shape::Complex, states: set }],
            false => shaped(relation, &events, &sections, set, budget)?,
        };
        for family in shaped {
            for (size, number) in sections.numbers(&family.states, budget)? {
                *shapes.entry(family.shape).or_default() += &number;
                *all_sizes.entry(size).or_default() += number;
            }
            families.push(family);
        }
    }
    let settings = sections.numbers(states, budget)?.values().sum();
    let states = states.clone();
    Ok(Attractors { settings, fixed, families, sizes: all_sizes, shapes, sections, states, meant, steps })
}

/// The attractors of which these are states, one of each: one at most in each section, and fixed points.
fn reached_from(
    chosen: &Mdd,
    smaller: Option<&Smaller<'_>>,
    events: &Events<'_>,
    steps: &Steps,
    sections: &Sections,
    states: &Mdd,
    budget: &Budget,
) -> Result<(Vec<Mdd>, Mdd), StopReason> {
    let fixed = deadlocks(events.relation, chosen, budget)?;
    let (mut open, mut found) = (chosen.difference(&fixed, budget)?, Vec::new());
    let larger = events.relation.mediated().iter().skip(1).filter(|_| smaller.is_some() && !open.is_empty());
    let larger = larger.map(|one| Smaller::new(one, sections.values(), states, budget));
    let larger = larger.collect::<Result<Vec<_>, _>>()?;
    let networks: Vec<&Smaller<'_>> = smaller.into_iter().chain(&larger).collect();
    while !open.is_empty() {
        let pivots = sections.one_each(&open, budget)?;
        found.push(Smaller::reached(&networks, &pivots, (steps, events), states, budget)?);
        open = open.difference(&pivots, budget)?;
    }
    Ok((found, fixed))
}

/// The search for attractors from pivots.
struct Search<'s> {
    steps: &'s Steps,
    sections: &'s Sections,
    fixed: Mdd,
    /// A closed set with all attractors that have not been found.
    left: Mdd,
    /// Where pivots are nearer to an attractor; nothing is known before what leads to fixed points has been left out.
    better: Option<Mdd>,
    /// Attractors, one at most in each section.
    found: Vec<Mdd>,
}

impl<'s> Search<'s> {
    /// In what a reduction leaves of a closed set.
    fn new(
        relation: &Relation,
        events: &Events<'_>,
        steps: &'s Steps,
        sections: &'s Sections,
        states: &Mdd,
        budget: &Budget,
    ) -> Result<Self, StopReason> {
        let (left, fixed) = if relation.is_conjunctive() {
            let still = deadlocks(relation, states, budget)?;
            let fixed = if still.is_empty() { alone(relation, states, budget)? } else { still };
            (trimmed(steps, states, &fixed, budget)?, fixed)
        } else {
            let left = reduction::reduce(events, sections, states, budget)?;
            let fixed = deadlocks(relation, &left, budget)?;
            (left, fixed)
        };
        Ok(Search { steps, sections, fixed, left, better: None, found: Vec::new() })
    }

    /// Go on until all are found, or the budget is used up.
    fn run(&mut self, budget: &Budget) -> Result<(), StopReason> {
        let (steps, sections, fixed) = (self.steps, self.sections, &self.fixed);
        let mut better = match &self.better {
            Some(better) => better.clone(),
            None => {
                let whole = self.left.union(fixed, budget)?;
                self.left = self.left.difference(&steps.backward(fixed, &whole, budget)?, budget)?;
                self.left.space().empty()
            }
        };
        self.better = Some(better.clone());
        while !self.left.is_empty() {
            // Where something is known to be nearer to an attractor, the pivot is there.
            better = better.intersection(&self.left, budget)?;
            let others = self.left.difference(&sections.shadow(&better, budget)?, budget)?;
            let pivots = sections.one_each(&better, budget)?.union(&sections.one_each(&others, budget)?, budget)?;
            let basin = steps.backward(&pivots, &self.left, budget)?;
            let reached = steps.forward(&pivots, &self.left, budget)?;
            better = reached.difference(&basin, budget)?;
            let closed = reached.difference(&sections.shadow(&better, budget)?, budget)?;
            let left = self.left.difference(&basin, budget)?;
            if !closed.is_empty() {
                self.found.push(closed);
            }
            (self.left, self.better) = (left, Some(better.clone()));
        }
        Ok(())
    }
}

/// The states that lead to themselves and nowhere else, if that is so of all that lead to themselves; else none, and searches
/// find them.
fn alone(relation: &Relation, states: &Mdd, budget: &Budget) -> Result<Mdd, StopReason> {
    let standing = fixed(relation, states, budget)?;
    match count_transitions(relation, &standing, budget)? == standing.count(budget)? {
        true => Ok(standing),
        false => Ok(states.space().empty()),
    }
}

/// What is left of a closed set when states without a predecessor in it are left out, fixed points apart.
fn trimmed(steps: &Steps, states: &Mdd, fixed: &Mdd, budget: &Budget) -> Result<Mdd, StopReason> {
    let mut left = states.clone();
    loop {
        let next = steps.post(&left, budget)?.union(fixed, budget)?;
        if next == left {
            return Ok(left);
        }
        left = next;
    }
}

/// A set of attractors, one in a section, by their shapes.
fn shaped(
    relation: &Relation,
    events: &Events<'_>,
    sections: &Sections,
    set: Mdd,
    budget: &Budget,
) -> Result<Vec<Family>, StopReason> {
    let mut complex = set.space().empty();
    if !relation.is_conjunctive() {
        let all: Vec<u32> = (0..relation.events().len() as u32).collect();
        let branching = events.two_enabled(&all, &set, budget)?;
        complex = set.intersection(&sections.shadow(&branching, budget)?, budget)?;
    }
    // What is left has one step in each state, or is looked at section by section.
    let mut open = set.difference(&complex, budget)?;
    let has_one_each = |set: &Mdd| Ok::<_, StopReason>(count_transitions(relation, set, budget)? == set.count(budget)?);
    while !has_one_each(&open)?
        && let Some(member) = open.pick()
    {
        let section = sections.shadow(&set.space().tuple(&member, budget)?, budget)?;
        let one = open.intersection(&section, budget)?;
        if !has_one_each(&one)? {
            complex = complex.union(&one, budget)?;
        }
        open = open.difference(&section, budget)?;
    }
    let cycles = set.difference(&complex, budget)?;
    let families = [(Shape::Cycle, cycles), (Shape::Complex, complex)];
    let families = families.into_iter().filter(|(_, states)| !states.is_empty());
    Ok(families.map(|(shape, states)| Family { shape, states }).collect())
}

impl Attractors {
    /// How many there are.
    pub fn count(&self) -> BigUint {
        self.sizes.values().sum()
    }

    /// How many states they have.
    pub fn states(&self) -> BigUint {
        self.sizes.iter().map(|(size, number)| size * number).sum()
    }

    /// Their states.
    ///
    /// # Errors
    /// [`StopReason`] when the budget is used up.
    pub fn union(&self, budget: &Budget) -> Result<Mdd, StopReason> {
        let mut all = self.fixed.clone();
        for family in &self.families {
            all = all.union(&family.states, budget)?;
        }
        Ok(all)
    }

    /// The attractors one by one, the first so many.
    ///
    /// # Errors
    /// [`StopReason`] when the budget is used up.
    pub fn list(&self, most: usize, budget: &Budget) -> Result<Vec<Family>, StopReason> {
        let mut all = Vec::new();
        for state in self.fixed.members().take(most) {
            let states = self.states.space().tuple(&state, budget)?;
            all.push(Family { shape: Shape::Fixed, states });
        }
        for family in &self.families {
            let mut open = family.states.clone();
            while let Some(state) = open.pick().filter(|_| all.len() < most) {
                let section = self.sections.shadow(&self.states.space().tuple(&state, budget)?, budget)?;
                all.push(Family { shape: family.shape, states: open.intersection(&section, budget)? });
                open = open.difference(&section, budget)?;
            }
        }
        Ok(all)
    }

    /// From where an attractor can be reached.
    ///
    /// # Errors
    /// [`StopReason`] when the budget is used up.
    pub fn weak_basin(&self, attractor: &Mdd, budget: &Budget) -> Result<Mdd, StopReason> {
        Ok(self.steps.backward(attractor, &self.states, budget)?.intersection(&self.meant, budget)?)
    }

    /// The basins of an attractor, as sets: from where it can be reached, and from where nothing else can.
    ///
    /// # Errors
    /// [`StopReason`] when the budget is used up.
    pub fn basins_of(&self, attractor: &Mdd, budget: &Budget) -> Result<[Mdd; 2], StopReason> {
        let weak = self.steps.backward(attractor, &self.states, budget)?;
        let elsewhere = self.states.difference(&weak, budget)?;
        let leaving = self.steps.backward(&elsewhere, &self.states, budget)?;
        let weak = weak.intersection(&self.meant, budget)?;
        let strong = weak.difference(&leaving, budget)?;
        Ok([weak, strong])
    }

    /// Their numbers of states.
    ///
    /// # Errors
    /// [`StopReason`] when the budget is used up.
    pub fn basins(&self, attractor: &Mdd, budget: &Budget) -> Result<Basins, StopReason> {
        let [weak, strong] = self.basins_of(attractor, budget)?;
        Ok(Basins { weak: weak.count(budget)?, strong: strong.count(budget)? })
    }
}
