//! What a model is to the checker: places with numbers in them, and steps that test and change some of them.
//!
//! A step of a Petri net is one of its transitions. In a network of transition systems a place is a component, its number
//! that of its local state, and a step is one way in which the components that share a label can take it together. In tables
//! a place is a variable, and a step is a row.

use crate::smv::Program;
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// Numbers of tokens above this are refused, so that none can overflow.
pub(crate) const MOST: u64 = 1 << 62;

/// A place, or a component of a network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// Its identifier in the file.
    pub name: String,
    /// What is in it at first.
    pub initial: u64,
    /// The names of the numbers 0, 1, …, if they have names.
    pub values: Vec<String>,
}

/// What a transition does to a place: it is possible from `least` tokens on, but not from `below` on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tokens {
    /// Fewest tokens with which it is possible; at least `take`.
    pub least: u64,
    /// Fewest tokens with which it is not possible any more.
    pub below: u64,
    /// How many it takes.
    pub take: u64,
    /// How many it puts.
    pub put: u64,
}

/// What a step does to one place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Effect {
    /// It takes and puts tokens.
    Tokens(Tokens),
    /// From a number to a number; from no other. Ascending.
    Table(Vec<(u64, u64)>),
}

impl Effect {
    /// How many tests and changes it is.
    pub(crate) fn size(&self) -> usize {
        match self {
            Effect::Tokens(_) => 1,
            Effect::Table(pairs) => pairs.len() + 1,
        }
    }

    /// What becomes of `value`, if the step is possible.
    pub(crate) fn after(&self, value: u64) -> Option<u64> {
        match self {
            Effect::Tokens(of) => (of.least <= value && value < of.below).then(|| value - of.take + of.put),
            Effect::Table(pairs) => pairs.binary_search_by_key(&value, |pair| pair.0).ok().map(|at| pairs[at].1),
        }
    }
}

/// A step: what it does to the places that it touches, ascending.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// The transition, or the label, that it belongs to.
    pub label: usize,
    /// Places with what happens to them.
    pub effects: Vec<(usize, Effect)>,
    /// Of a program: the one state where it is possible. It tests all places; effects are those that change.
    pub at: Option<Arc<[u64]>>,
}

impl Step {
    /// Of a step of a program: what a place has in the one state where it is possible, and after it.
    fn change(&self, place: usize) -> Option<(u64, u64)> {
        let from = self.at.as_ref()?[place];
        match self.effects.binary_search_by_key(&place, |(place, _)| *place) {
            Ok(found) => Some((from, self.effects[found].1.after(from)?)),
            Err(_) => Some((from, from)),
        }
    }
}

/// A model.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Net {
    /// Its name.
    pub name: String,
    /// Its places, in the order of the file.
    pub places: Vec<Place>,
    /// The names of its transitions, or the labels of a network.
    pub labels: Vec<String>,
    /// Its steps.
    pub steps: Vec<Step>,
    /// Of a program: all first states. Elsewhere there is one, and this is empty.
    pub initials: Vec<Vec<u64>>,
    /// Of a program: the steps of each state. Elsewhere empty.
    pub by_state: HashMap<Vec<u64>, Range<usize>>,
    /// A program whose states are not listed.
    pub(crate) program: Option<Unlisted>,
    /// The number that tells it apart, once it has been asked for.
    pub(crate) sum: OnceLock<u64>,
}

/// A program whose states are not listed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Unlisted {
    pub(crate) program: Arc<Program>,
    /// Its variables that are places; these come first.
    pub(crate) variables: Vec<usize>,
    /// The checksum of its text.
    pub(crate) sum: u64,
}

impl Net {
    /// How many tests and changes the steps are.
    pub(crate) fn size(&self) -> usize {
        self.steps.iter().map(|step| 1 + step.effects.iter().map(|(_, effect)| effect.size()).sum::<usize>()).sum()
    }

    /// The first state.
    pub fn initial(&self) -> Vec<u64> {
        self.places.iter().map(|place| place.initial).collect()
    }

    /// All first states.
    pub fn initials(&self) -> Vec<Vec<u64>> {
        if self.initials.is_empty() { vec![self.initial()] } else { self.initials.clone() }
    }

    /// Is it a program?
    pub fn is_program(&self) -> bool {
        !self.initials.is_empty() || self.is_unlisted()
    }

    /// Is it a program whose states are not listed?
    pub fn is_unlisted(&self) -> bool {
        self.program.is_some()
    }

    /// What a step of a program does to some places, in their order, in the one state where it is possible.
    pub(crate) fn on_places(step: &Step, places: &[usize]) -> Option<Vec<Effect>> {
        // From one number to one, which tokens say without a table.
        let effect = |(from, to)| Effect::Tokens(Tokens { least: from, below: from + 1, take: from, put: to });
        places.iter().map(|&place| step.change(place).map(effect)).collect()
    }

    /// Units of what is kept while [`Net::hash`] is found for a program whose states are listed: the texts of its steps,
    /// which name each place.
    pub(crate) fn hash_units(&self) -> usize {
        let longest = |place: &Place| place.values.iter().map(String::len).max().unwrap_or(20);
        let text: usize = self.places.iter().map(|place| place.name.len() + 2 * longest(place) + 3).sum();
        let of_program = self.steps.iter().filter(|step| step.at.is_some()).count();
        (text / 32 + 1).saturating_mul(of_program)
    }

    /// The steps that may be possible in a state.
    pub fn steps_at(&self, state: &[u64]) -> &[Step] {
        match self.by_state.get(state) {
            Some(range) => &self.steps[range.clone()],
            None if self.is_program() => &[],
            None => &self.steps,
        }
    }

    /// The state after a step, if it is possible.
    pub fn fire(&self, step: &Step, state: &[u64]) -> Option<Vec<u64>> {
        let mut after = state.to_vec();
        for (place, effect) in &step.effects {
            after[*place] = effect.after(state[*place]).filter(|value| *value <= MOST)?;
        }
        step.at.as_ref().is_none_or(|at| **at == *state).then_some(after)
    }

    /// Is a step possible?
    pub fn enabled(&self, step: &Step, state: &[u64]) -> bool {
        step.at.as_ref().is_none_or(|at| **at == *state)
            && step.effects.iter().all(|(place, effect)| effect.after(state[*place]).is_some())
    }

    /// The steps with some of these labels, which ascend; all, if none are given.
    pub(crate) fn steps_of(&self, labels: Option<&[usize]>) -> impl Iterator<Item = &Step> {
        self.steps.iter().filter(move |step| labels.is_none_or(|labels| labels.binary_search(&step.label).is_ok()))
    }

    /// Is a step with one of these labels, which ascend, possible?
    pub(crate) fn can_step(&self, labels: Option<&[usize]>, state: &[u64]) -> bool {
        let of_label = |step: &&Step| labels.is_none_or(|labels| labels.binary_search(&step.label).is_ok());
        self.steps_at(state).iter().filter(of_label).any(|step| self.enabled(step, state))
    }

    /// A number that tells models apart: of what the model is, not of how its file says so. FNV-1a of its places and
    /// steps, a line each, sorted (docs/certificates.md).
    pub fn hash(&self) -> u64 {
        match &self.program {
            Some(Unlisted { sum, .. }) => *sum,
            None => *self.sum.get_or_init(|| self.hashed()),
        }
    }

    fn hashed(&self) -> u64 {
        let mut lines: Vec<String> = self.places.iter().map(|p| format!("place {} {}\n", p.name, p.initial)).collect();
        for state in &self.initials {
            let values: Vec<String> = state.iter().map(u64::to_string).collect();
            lines.push(format!("start {}\n", values.join(" ")));
        }
        let change = |place: usize, pairs: &[(u64, u64)]| {
            let place = &self.places[place];
            let name = |value: u64| place.values.get(value as usize).map_or_else(|| value.to_string(), String::clone);
            let pairs = pairs.iter().map(|pair| format!(":{}:{}", name(pair.0), name(pair.1)));
            format!(" {}{}", place.name, pairs.collect::<String>())
        };
        // Steps of programs have few changes among them, many times each: they are in the order of their texts.
        let of_program = |step: &Step| -> Option<Vec<(usize, u64, u64)>> {
            let change = |place: usize| step.change(place).map(|(from, to)| (place, from, to));
            (0..step.at.as_ref()?.len()).map(change).collect()
        };
        let all: HashSet<_> = self.steps.iter().filter_map(of_program).flatten().collect();
        let mut texts: Vec<(String, (usize, u64, u64))> =
            all.into_iter().map(|of| (change(of.0, &[(of.1, of.2)]), of)).collect();
        texts.sort();
        let rank: HashMap<_, usize> = texts.iter().map(|(_, of)| *of).zip(0..).collect();
        for step in &self.steps {
            let effects: String = match of_program(step) {
                Some(changes) => {
                    let mut ranks: Vec<usize> = changes.iter().map(|of| rank[of]).collect();
                    ranks.sort_unstable();
                    ranks.into_iter().map(|rank| texts[rank].0.as_str()).collect()
                }
                None => {
                    let effect = |(place, effect): &(usize, Effect)| match effect {
                        Effect::Tokens(Tokens { least, below, take, put }) => {
                            format!(" {}:{least}:{below}:{take}:{put}", self.places[*place].name)
                        }
                        Effect::Table(pairs) => change(*place, pairs),
                    };
                    let mut effects: Vec<String> = step.effects.iter().map(effect).collect();
                    effects.sort();
                    effects.concat()
                }
            };
            lines.push(format!("step {}{effects}\n", self.labels[step.label]));
        }
        lines.sort();
        let mut hash = crate::Checksum::default();
        lines.iter().for_each(|line| hash.add(line.as_bytes()));
        hash.0
    }
}

/// What a sum of places with factors is in a state.
pub fn value(sum: &[(usize, i64)], state: &[u64]) -> i128 {
    sum.iter().map(|&(place, factor)| i128::from(factor) * i128::from(state[place])).sum()
}
