//! Steps with some labels alone: modalities, and guards of automata that read actions.
//!
//! An action atom holds of a path where the label of its next step is one of a list. An edge of an automaton
//! whose guard mentions actions is therefore taken together with some of the steps only. The labels of the
//! model fall into classes that no action atom of the automaton tells apart, one for each combination of atoms
//! that occurs; the class in which all of them are false is also that of the step that repeats a deadlock.
//! For each class the guard, with its action atoms evaluated, is a set of states. Classes with the same set are
//! put together again, so an edge becomes a few [`Way`]s, mostly one: a set of states and the steps that go
//! with it. The relation stays partitioned: the steps of a way are the events with these labels.
//!
//! `⟨a⟩ φ` is the pre-image of Sat(φ) under the steps labelled a. It speaks of steps, not of paths, so it is the
//! same under every path semantics, but for `⟨⟩ φ` under `stutter`, where a deadlock is its own successor.

use super::Checker;
use super::steps::Steps;
use super::way::Way;
use crate::automaton::{Cube, Guard, Tgba};
use crate::budget::Budget;
use crate::formula::PathSemantics;
use crate::mdd::Mdd;
use crate::net::TransitionId;

use crate::stop_reason::StopReason;

use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The meaning of a proposition of an automaton.
#[derive(Debug)]
pub(super) enum Meaning {
    /// It holds in these states.
    States(Mdd),
    /// It holds of a step with one of these labels; sorted.
    Labels(Vec<u32>),
}

/// The action atoms that hold of a label.
pub(super) type Class = Vec<bool>;

/// The classes of labels that no action atom tells apart.
pub(super) struct Classes<'m> {
    /// All of them.
    pub(super) all: BTreeSet<Class>,
    /// That of the step that repeats a deadlock, and of labels that no atom lists.
    idle: Class,
    /// The labels of each atom.
    atoms: Vec<&'m [u32]>,
}

impl Classes<'_> {
    /// The class of a label.
    fn of(&self, label: u32) -> Class {
        self.atoms.iter().map(|atom| atom.binary_search(&label).is_ok()).collect()
    }
}

impl Checker<'_> {
    /// The steps with these labels (sorted) alone.
    pub(super) fn steps(&self, labels: Vec<u32>, budget: &Budget) -> Result<Arc<Steps>, StopReason> {
        if let Some(known) = self.steps.borrow().get(&labels) {
            return Ok(Arc::clone(known));
        }
        let relation = self.relation.restricted(|label| labels.binary_search(&label).is_ok());
        let steps = Arc::new(Steps::new(labels.clone(), &relation, &self.states, budget)?);
        self.steps.borrow_mut().insert(labels, Arc::clone(&steps));
        Ok(steps)
    }

    /// The states of `within` with a step by one of these labels (sorted) into `set`.
    pub(crate) fn pre_of(&self, labels: &[u32], set: &Mdd, within: &Mdd, budget: &Budget) -> Result<Mdd, StopReason> {
        let steps = self.steps(labels.to_vec(), budget)?;
        self.pre_by(Some(&steps), set, within, budget)
    }

    /// Sat(⟨labels⟩ f), of any label if there is no list.
    pub(super) fn after_some(
        &self,
        labels: Option<&[TransitionId]>,
        f: &Mdd,
        budget: &Budget,
    ) -> Result<Mdd, StopReason> {
        let Some(labels) = labels else {
            let before = self.pre(f, &self.states, budget)?;
            return Ok(match self.paths {
                PathSemantics::Maximal | PathSemantics::Infinite => before,
                PathSemantics::Stutter => before.union(&self.deadlocks(budget)?.intersection(f, budget)?, budget)?,
            });
        };
        let steps = self.steps(labels.iter().map(|label| label.0).collect(), budget)?;
        self.pre_by(Some(&steps), f, &self.states, budget)
    }

    /// The ways to take each edge of an automaton, by edge index.
    pub(super) fn ways(
        &self,
        automaton: &Tgba,
        meanings: &[Meaning],
        budget: &Budget,
    ) -> Result<Vec<Vec<Way>>, StopReason> {
        let classes = self.classes(meanings);
        let mut known: FxHashMap<&Guard, Vec<Way>> = FxHashMap::default();
        let mut ways = Vec::with_capacity(automaton.edges().len());
        for edge in automaton.edges() {
            if let Some(same) = known.get(&edge.guard) {
                ways.push(same.clone());
                continue;
            }
            // Classes by the states in which the guard holds of them.
            let mut parts: Vec<(Mdd, Vec<&Class>)> = Vec::new();
            for class in &classes.all {
                let states = self.guard_states(&edge.guard, meanings, class, budget)?;
                match parts.iter_mut().find(|(known, _)| *known == states) {
                    Some((_, classes)) => classes.push(class),
                    None => parts.push((states, vec![class])),
                }
            }
            let of_edge = self.ways_by_class(&classes, parts, budget)?;
            known.insert(&edge.guard, of_edge.clone());
            ways.push(of_edge);
        }
        Ok(ways)
    }

    /// The classes of labels that these meanings of propositions tell apart.
    pub(super) fn classes<'m>(&self, meanings: &'m [Meaning]) -> Classes<'m> {
        let atoms: Vec<&[u32]> = meanings
            .iter()
            .map(|meaning| match meaning {
                Meaning::States(_) => &[][..],
                Meaning::Labels(labels) => labels,
            })
            .collect();
        let idle: Class = vec![false; atoms.len()];
        let mut classes = Classes { all: BTreeSet::from([idle.clone()]), idle, atoms };
        let read: Vec<Class> = classes.atoms.iter().flat_map(|atom| atom.iter()).map(|&l| classes.of(l)).collect();
        classes.all.extend(read);
        classes
    }

    /// The ways with these sets of states, each with the steps of its classes.
    pub(super) fn ways_by_class(
        &self,
        classes: &Classes<'_>,
        parts: Vec<(Mdd, Vec<&Class>)>,
        budget: &Budget,
    ) -> Result<Vec<Way>, StopReason> {
        let mut ways = Vec::new();
        for (states, members) in parts {
            if states.is_empty() {
                continue;
            }
            if members.len() == classes.all.len() {
                ways.push(Way::by_all(states));
                continue;
            }
            let labels = self.relation.labels();
            let mut chosen: Vec<u32> = labels.filter(|&label| members.contains(&&classes.of(label))).collect();
            chosen.sort_unstable();
            chosen.dedup();
            let steps = Some(self.steps(chosen, budget)?);
            ways.push(Way { states, steps, idle: members.contains(&&classes.idle) });
        }
        Ok(ways)
    }

    /// The states in which a guard holds of steps of a class.
    fn guard_states(
        &self,
        guard: &Guard,
        meanings: &[Meaning],
        class: &Class,
        budget: &Budget,
    ) -> Result<Mdd, StopReason> {
        let mut union = self.states.space().empty();
        for cube in guard.cubes() {
            if let Some(states) = self.cube_states(cube, meanings, class, budget)? {
                union = union.union(&states, budget)?;
            }
        }
        Ok(union)
    }

    /// The same of a cube; `None` if it does not hold of such steps at all.
    fn cube_states(
        &self,
        cube: &Cube,
        meanings: &[Meaning],
        class: &Class,
        budget: &Budget,
    ) -> Result<Option<Mdd>, StopReason> {
        // Sets of propositions are sets of reachable states.
        let mut set: Option<Mdd> = None;
        for literal in cube.literals() {
            let (Some(meaning), Some(&holds)) = (meanings.get(literal.prop.index()), class.get(literal.prop.index()))
            else {
                return Err(StopReason::Unsupported("a guard with a proposition that the automaton does not declare"));
            };
            let states = match meaning {
                Meaning::Labels(_) if holds != literal.positive => return Ok(None),
                Meaning::Labels(_) => continue,
                Meaning::States(states) => states,
            };
            set = Some(match (set, literal.positive) {
                (None, true) => states.clone(),
                (None, false) => self.states.difference(states, budget)?,
                (Some(set), true) => set.intersection(states, budget)?,
                (Some(set), false) => set.difference(states, budget)?,
            });
        }
        Ok(Some(set.unwrap_or_else(|| self.states.clone())))
    }
}

/// The states of each edge's only way with any step; an error if there are others, which `Plain` products do not
/// take.
pub(super) fn plain(ways: &[Vec<Way>], empty: &Mdd) -> Result<Vec<Mdd>, StopReason> {
    let only = |ways: &Vec<Way>| match &ways[..] {
        [] => Ok(empty.clone()),
        [way] if way.steps.is_none() => Ok(way.states.clone()),
        _ => Err(StopReason::Unsupported("guards on actions are not read here")),
    };
    ways.iter().map(only).collect()
}
