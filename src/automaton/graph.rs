//! The automaton while it is being worked on: adjacency lists with BDD labels.

use super::bdd::{Bdd, Bdds};
use super::{AutomatonError, Location, Marks, Prop, Tgba, TgbaBuilder};
use crate::budget::Exhausted;
use crate::scc::{self, Components, UNREACHED};
use std::collections::BTreeMap;

/// An edge out of a state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Arc {
    /// Where it leads.
    pub(super) target: usize,
    /// Its acceptance sets.
    pub(super) marks: Marks,
    /// When it may be taken, over the propositions.
    pub(super) label: Bdd,
}

/// A transition-based generalized Büchi automaton under construction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Graph {
    /// The number of acceptance sets.
    pub(super) sets: u32,
    /// The initial state.
    pub(super) initial: usize,
    /// The edges of each state.
    pub(super) arcs: Vec<Vec<Arc>>,
}

impl Graph {
    /// The automaton of the empty language.
    pub(super) fn empty() -> Graph {
        Graph { sets: 0, initial: 0, arcs: vec![Vec::new()] }
    }

    /// The number of states.
    pub(super) fn len(&self) -> usize {
        self.arcs.len()
    }

    /// The number of edges.
    pub(super) fn edge_count(&self) -> usize {
        self.arcs.iter().map(Vec::len).sum()
    }

    /// All acceptance sets.
    pub(super) fn all(&self) -> Marks {
        Marks::all(self.sets)
    }

    /// The strongly connected components reachable from the initial state.
    pub(super) fn components(&self) -> Components {
        scc::components(self.len(), [self.initial], |v| self.arcs[v].iter().map(|a| a.target))
    }

    /// Merges parallel edges with equal marks, and drops one whose label another with more marks covers.
    pub(super) fn merge_parallel(&mut self, bdds: &mut Bdds) -> Result<(), Exhausted> {
        for arcs in &mut self.arcs {
            let mut merged: BTreeMap<(usize, Marks), Bdd> = BTreeMap::new();
            for arc in arcs.iter() {
                let label = merged.entry((arc.target, arc.marks)).or_insert(Bdd::FALSE);
                *label = bdds.or(*label, arc.label)?;
            }
            let keys: Vec<(usize, Marks)> = merged.keys().copied().collect();
            for same in keys.chunk_by(|a, b| a.0 == b.0) {
                for &(target, marks) in same {
                    for &(_, more) in same.iter().filter(|(_, more)| *more != marks && more.is_superset(marks)) {
                        let covered = merged[&(target, more)];
                        let label = bdds.minus(merged[&(target, marks)], covered)?;
                        merged.insert((target, marks), label);
                    }
                }
            }
            *arcs = merged
                .into_iter()
                .filter(|&(_, label)| label != Bdd::FALSE)
                .map(|((target, marks), label)| Arc { target, marks, label })
                .collect();
        }
        Ok(())
    }

    /// Keeps the states for which `keep` holds and that are then reachable, renumbered breadth-first; the
    /// initial state is always kept and becomes 0.
    pub(super) fn restrict(&mut self, keep: impl Fn(usize) -> bool) {
        let mut number = vec![UNREACHED; self.len()];
        let mut order = vec![self.initial];
        number[self.initial] = 0;
        let mut arcs: Vec<Vec<Arc>> = Vec::new();
        while let Some(&old) = order.get(arcs.len()) {
            let mut list = std::mem::take(&mut self.arcs[old]);
            list.retain(|a| keep(a.target) || a.target == self.initial);
            for arc in &mut list {
                if number[arc.target] == UNREACHED {
                    number[arc.target] = order.len() as u32;
                    order.push(arc.target);
                }
                arc.target = number[arc.target] as usize;
            }
            arcs.push(list);
        }
        self.arcs = arcs;
        self.initial = 0;
    }

    /// How many states have two edges that can be taken together.
    pub(super) fn nondeterminism(&self, bdds: &mut Bdds) -> Result<usize, Exhausted> {
        let mut count = 0;
        for arcs in &self.arcs {
            let mut seen = Bdd::FALSE;
            for arc in arcs {
                if bdds.and(seen, arc.label)? != Bdd::FALSE {
                    count += 1;
                    break;
                }
                seen = bdds.or(seen, arc.label)?;
            }
        }
        Ok(count)
    }

    /// The finished automaton; variable `i` of the labels is proposition `props[i]` of `names`.
    pub(super) fn to_tgba(
        &self,
        bdds: &mut Bdds,
        props: &[Prop],
        names: &[String],
    ) -> Result<Result<Tgba, AutomatonError>, Exhausted> {
        let mut builder = TgbaBuilder::new(names.iter().cloned(), self.sets);
        for _ in &self.arcs {
            builder.location("");
        }
        for (source, arcs) in self.arcs.iter().enumerate() {
            for arc in arcs {
                let guard = bdds.guard_of(arc.label, props)?;
                builder.edge(Location(source as u32), guard, arc.marks, Location(arc.target as u32));
            }
        }
        Ok(builder.build(Location(self.initial as u32)))
    }
}
