//! The unfolded net, and which of its nodes came from which coloured one.

use super::error::UnfoldError;
use super::net::ColouredNet;
use super::sort::{Sort, SortId, Sorts};
use crate::budget::Budget;
use crate::formula::{InstanceNames, PartNames, Symbols};
use crate::model::Groups;
use crate::net::{NetBuilder, PetriNet, PlaceId, TransitionId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

/// A coloured place or transition and what it was unfolded to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Family<T> {
    /// Identifier of the coloured node.
    pub id: String,
    /// Its display name where it differs from the identifier.
    pub name: Option<String>,
    /// The names of the colours that an instance has.
    pub(crate) parts: Vec<PartNames>,
    /// Its instances. A colour that can never be in its place, a binding that can never fire have none.
    pub members: Vec<T>,
}

impl<T> Family<T> {
    fn new(id: &str, name: &Option<String>, parts: Vec<PartNames>) -> Self {
        Family { id: id.to_owned(), name: name.clone(), parts, members: Vec::new() }
    }

    fn names(&self) -> InstanceNames {
        InstanceNames { stem: self.id.clone(), parts: self.parts.clone() }
    }
}

/// The unfolding of a coloured net.
///
/// Instances are called after the coloured node and the colours: `place_a_b` is place `place` with colour
/// `(a, b)`, `go_1_2` is transition `go` with 1 and 2 for its variables in the order of their declaration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unfolding {
    /// The place/transition net.
    pub net: PetriNet,
    /// The coloured places.
    pub places: Vec<Family<PlaceId>>,
    /// The coloured transitions.
    pub transitions: Vec<Family<TransitionId>>,
}

impl Unfolding {
    /// Which places and transitions are instances of the same coloured one.
    pub fn groups(&self) -> Groups {
        Groups {
            variables: self.places.iter().map(|family| family.members.clone()).collect(),
            actions: self.transitions.iter().map(|family| family.members.clone()).collect(),
        }
    }

    /// The names that formulas may use: those of the coloured nodes, for all their instances together, and
    /// those of the instances.
    pub fn symbols(&self) -> Symbols {
        let mut symbols = Symbols::new(&self.net);
        let ids: FxHashSet<&str> =
            self.places.iter().map(|f| &*f.id).chain(self.transitions.iter().map(|f| &*f.id)).collect();
        // A display name that is the identifier of another node would make that one ambiguous.
        let names = |id: &String, name: &Option<String>| {
            let name = name.clone().filter(|name| !ids.contains(name.as_str()));
            std::iter::once(id.clone()).chain(name).collect::<Vec<_>>()
        };
        let stems = |id: &String, name: &Option<String>| std::iter::once(id.clone()).chain(name.clone());
        symbols.beginning_with(
            self.places.iter().flat_map(|family| stems(&family.id, &family.name)).collect(),
            self.transitions.iter().flat_map(|family| stems(&family.id, &family.name)).collect(),
        );
        for family in &self.places {
            symbols.instances_of_place(family.names());
            for name in names(&family.id, &family.name) {
                symbols.group_places(&name, family.members.clone());
            }
        }
        for family in &self.transitions {
            symbols.instances_of_transition(family.names());
            for name in names(&family.id, &family.name) {
                symbols.group_transitions(&name, family.members.clone());
            }
        }
        symbols
    }
}

/// A transition with the parts of the lists that are its own.
#[derive(Clone, Debug)]
pub(super) struct Instance {
    transition: usize,
    binding: Range<usize>,
    pre: Range<usize>,
    post: Range<usize>,
}

/// The nodes of the unfolding as they are found, in flat lists.
#[derive(Debug, Default)]
pub(super) struct Instances {
    /// For each instance of a place: the place, the colour, the initial tokens, and whether it may ever be marked.
    pub(super) places: Vec<usize>,
    pub(super) colours: Vec<u64>,
    pub(super) initial: Vec<u64>,
    pub(super) possible: Vec<bool>,
    pub(super) transitions: Vec<Instance>,
    /// Input and output arcs: an instance of a place and a number of tokens.
    pub(super) arcs: Vec<(u32, u64)>,
    bindings: Vec<u64>,
}

impl Instances {
    pub(super) fn add_place(&mut self, place: usize, colour: u64) -> u32 {
        self.places.push(place);
        self.colours.push(colour);
        self.initial.push(0);
        self.possible.push(false);
        (self.places.len() - 1) as u32
    }

    pub(super) fn add_transition(&mut self, transition: usize, binding: &[u64], arcs: &[Vec<(u32, u64)>; 2]) {
        let start = self.bindings.len();
        self.bindings.extend_from_slice(binding);
        let [pre, post] = [0, 1].map(|direction| {
            let start = self.arcs.len();
            self.arcs.extend_from_slice(&arcs[direction]);
            start..self.arcs.len()
        });
        self.transitions.push(Instance { transition, binding: start..self.bindings.len(), pre, post });
    }

    /// Keep the transitions whose input places can all be marked, and find these places anew.
    pub(super) fn keep_possible(&mut self) {
        let mut takers: Vec<Vec<u32>> = vec![Vec::new(); self.places.len()];
        let mut missing = vec![0usize; self.transitions.len()];
        for (t, transition) in self.transitions.iter().enumerate() {
            missing[t] = transition.pre.len();
            for &(place, _) in &self.arcs[transition.pre.clone()] {
                takers[place as usize].push(t as u32);
            }
        }
        let mut marked = vec![false; self.places.len()];
        let mut open: Vec<u32> = (0..self.places.len() as u32).filter(|&p| self.initial[p as usize] > 0).collect();
        open.iter().for_each(|&p| marked[p as usize] = true);
        let mut live: Vec<usize> = (0..missing.len()).filter(|&t| missing[t] == 0).collect();
        loop {
            while let Some(t) = live.pop() {
                for &(place, _) in &self.arcs[self.transitions[t].post.clone()] {
                    if !std::mem::replace(&mut marked[place as usize], true) {
                        open.push(place);
                    }
                }
            }
            let Some(place) = open.pop() else { break };
            for &t in &takers[place as usize] {
                missing[t as usize] -= 1;
                if missing[t as usize] == 0 {
                    live.push(t as usize);
                }
            }
        }
        let mut lives = missing.into_iter().map(|missing| missing == 0);
        self.transitions.retain(|_| lives.next() == Some(true));
        self.possible = marked;
    }

    /// The net, its places and transitions in the order of the coloured ones and of their colours.
    pub(super) fn build(mut self, net: &ColouredNet, budget: &Budget) -> Result<Unfolding, UnfoldError> {
        let (names, mut parts) = (Names::new(net), Parts { sorts: &net.sorts, known: FxHashMap::default() });
        let mut builder = NetBuilder::new(net.name.clone());
        let mut places: Vec<Family<PlaceId>> =
            net.places.iter().map(|p| Family::new(&p.id, &p.name, parts.of([p.sort]))).collect();
        if !net.places.is_empty() && !self.possible.contains(&true) {
            // A net needs a place; this one stays empty.
            let place = self.add_place(0, 0);
            self.possible[place as usize] = true;
        }
        let mut order: Vec<usize> = (0..self.places.len()).filter(|&p| self.possible[p]).collect();
        order.sort_unstable_by_key(|&p| (self.places[p], self.colours[p]));
        let mut ids = vec![PlaceId(u32::MAX); self.places.len()];
        for (count, instance) in order.into_iter().enumerate() {
            if count.is_multiple_of(4096) {
                budget.check()?;
            }
            let place = self.places[instance];
            let coloured = &net.places[place];
            let called = |stem: &str| names.joined(stem, [(coloured.sort, self.colours[instance])]);
            let id = names.give(&builder, called(&coloured.id), coloured.id.len());
            ids[instance] = builder.place(id, self.initial[instance])?;
            if let Some(name) = &coloured.name {
                builder.name_place(ids[instance], called(name));
            }
            places[place].members.push(ids[instance]);
        }
        let mut transitions: Vec<Family<TransitionId>> = net
            .transitions
            .iter()
            .map(|t| Family::new(&t.id, &t.name, parts.of(t.variables.iter().map(|variable| variable.sort))))
            .collect();
        let bindings = &self.bindings;
        self.transitions.sort_by(|a, b| {
            (a.transition, &bindings[a.binding.clone()]).cmp(&(b.transition, &bindings[b.binding.clone()]))
        });
        for (count, instance) in self.transitions.iter().enumerate() {
            if count.is_multiple_of(4096) {
                budget.check()?;
            }
            let coloured = &net.transitions[instance.transition];
            let called = |stem: &str| {
                let values = self.bindings[instance.binding.clone()].iter().zip(&coloured.variables);
                names.joined(stem, values.map(|(&value, variable)| (variable.sort, value)))
            };
            let t = builder.transition(names.give(&builder, called(&coloured.id), coloured.id.len()))?;
            if let Some(name) = &coloured.name {
                builder.name_transition(t, called(name));
            }
            transitions[instance.transition].members.push(t);
            for &(place, count) in &self.arcs[instance.pre.clone()] {
                builder.input(ids[place as usize], t, count)?;
            }
            for &(place, count) in &self.arcs[instance.post.clone()] {
                builder.output(t, ids[place as usize], count)?;
            }
        }
        Ok(Unfolding { net: builder.build()?, places, transitions })
    }
}

/// The names of colours, shared by all that have them.
struct Parts<'a> {
    sorts: &'a Sorts,
    known: FxHashMap<SortId, Option<PartNames>>,
}

impl Parts<'_> {
    /// The parts of the colours of these sorts together.
    fn of(&mut self, sorts: impl IntoIterator<Item = SortId>) -> Vec<PartNames> {
        let table = self.sorts;
        let leaves = sorts.into_iter().flat_map(|sort| table.leaves(sort)).copied();
        let part = |leaf: SortId| {
            let part = || match table.get(leaf) {
                Sort::Enumeration { colours, .. } => Some(PartNames::Listed(colours.as_slice().into())),
                Sort::Range { start, end } => Some(PartNames::Integers(*start, *end)),
                Sort::Dot | Sort::Product(_) => None,
            };
            self.known.entry(leaf).or_insert_with(part).clone()
        };
        leaves.filter_map(part).collect()
    }
}

/// Names of instances, each given once.
struct Names<'a> {
    sorts: &'a Sorts,
    /// Identifiers of the coloured net, which mean whole families.
    reserved: FxHashSet<&'a str>,
}

impl<'a> Names<'a> {
    fn new(net: &'a ColouredNet) -> Self {
        let places = net.places.iter().map(|place| place.id.as_str());
        let reserved = places.chain(net.transitions.iter().map(|transition| transition.id.as_str())).collect();
        Names { sorts: &net.sorts, reserved }
    }

    /// A name that nothing else has. Its first bytes, so many, are the identifier of the coloured node.
    fn give(&self, builder: &NetBuilder, mut name: String, stem: usize) -> String {
        let has_colours = name.len() > stem;
        while (has_colours && self.reserved.contains(name.as_str())) || builder.has(&name) {
            name.push('_');
        }
        name
    }

    /// The name of an instance: the coloured node, and the colours.
    fn joined(&self, stem: &str, colours: impl IntoIterator<Item = (SortId, u64)>) -> String {
        let mut name = String::with_capacity(stem.len() + 16);
        name.push_str(stem);
        colours.into_iter().for_each(|(sort, colour)| self.sorts.append(sort, colour, &mut name));
        name
    }
}
