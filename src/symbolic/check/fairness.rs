//! Fairness conditions beside an automaton.
//!
//! Conjuncts of a path formula that say that something happens infinitely often, or does unless something else does not
//! ([`FairConjuncts`]), are no part of its automaton. The product takes them beside the marks of the automaton
//! ([`super::product`]): as sets of states, and of states with some of the steps ([`Way`]).

use super::Checker;
use super::actions::{Class, Meaning};
use super::path::labels_of;
use super::way::{Constraints, Way};
use crate::budget::Budget;
use crate::formula::{FairConjuncts, FormulaId, Nodes, PathNode, Pool};
use crate::mdd::Mdd;
use crate::stop_reason::StopReason;

impl Checker<'_> {
    /// The meaning of what has been split off a path formula, whose propositions and action atoms these are.
    pub(super) fn constraints(
        &self,
        pool: &Pool,
        split: &FairConjuncts,
        (propositions, actions): (&[FormulaId], &[FormulaId]),
        budget: &Budget,
    ) -> Result<Constraints, StopReason> {
        let meanings: Vec<Meaning> =
            actions.iter().map(|&action| labels_of(pool, action)).collect::<Result<_, StopReason>>()?;
        let ways = |nodes: &Nodes| self.ways_of(nodes, (propositions, &meanings), budget);
        let states = |nodes: &Nodes| self.states_of(nodes, (propositions, &[]), budget);
        Ok(Constraints {
            justice: split.justice.iter().map(ways).collect::<Result<_, _>>()?,
            compassion: split
                .compassion
                .iter()
                .map(|(p, q)| Ok((states(p)?, ways(q)?)))
                .collect::<Result<_, StopReason>>()?,
        })
    }

    /// The states where a combination of atoms holds whatever the next step is, and those where it holds of some steps.
    fn ways_of(
        &self,
        nodes: &Nodes,
        (propositions, meanings): (&[FormulaId], &[Meaning]),
        budget: &Budget,
    ) -> Result<Vec<Way>, StopReason> {
        // Only the atoms that it has tell labels apart.
        let read = |number: usize| nodes.contains(&PathNode::Action(number as u32));
        let meanings: Vec<Meaning> = meanings
            .iter()
            .enumerate()
            .map(|(number, meaning)| match meaning {
                Meaning::Labels(labels) if read(number) => Meaning::Labels(labels.clone()),
                _ => Meaning::Labels(Vec::new()),
            })
            .collect();
        let classes = self.classes(&meanings);
        let mut sets: Vec<(Mdd, &Class)> = Vec::new();
        let mut always = self.states.clone();
        for class in &classes.all {
            let states = self.states_of(nodes, (propositions, class), budget)?;
            always = always.intersection(&states, budget)?;
            sets.push((states, class));
        }
        let mut parts: Vec<(Mdd, Vec<&Class>)> = Vec::new();
        for (states, class) in sets {
            let states = states.difference(&always, budget)?;
            match parts.iter_mut().find(|(known, _)| *known == states) {
                Some((_, classes)) => classes.push(class),
                None => parts.push((states, vec![class])),
            }
        }
        let mut ways = self.ways_by_class(&classes, parts, budget)?;
        if !always.is_empty() {
            ways.insert(0, Way::by_all(always));
        }
        Ok(ways)
    }

    /// The states where a combination of atoms holds of steps of a class.
    fn states_of(
        &self,
        nodes: &Nodes,
        (propositions, class): (&[FormulaId], &[bool]),
        budget: &Budget,
    ) -> Result<Mdd, StopReason> {
        const STRANGE: StopReason = StopReason::Unsupported("a fairness condition that is no condition on states");
        let empty = self.states.space().empty();
        let mut sets: Vec<Mdd> = Vec::with_capacity(nodes.len());
        for node in nodes {
            let at = |a: &usize| sets.get(*a).ok_or(STRANGE);
            let set = match node {
                PathNode::True => self.states.clone(),
                PathNode::False => empty.clone(),
                PathNode::Prop(number) => self.known(*propositions.get(*number as usize).ok_or(STRANGE)?)?.clone(),
                PathNode::Action(number) => match class.get(*number as usize).ok_or(STRANGE)? {
                    true => self.states.clone(),
                    false => empty.clone(),
                },
                PathNode::Not(a) => self.all_but(at(a)?, budget)?,
                PathNode::And(operands) => {
                    let mut set = self.states.clone();
                    for operand in operands {
                        set = set.intersection(at(operand)?, budget)?;
                    }
                    set
                }
                PathNode::Or(operands) => {
                    let mut set = empty.clone();
                    for operand in operands {
                        set = set.union(at(operand)?, budget)?;
                    }
                    set
                }
                PathNode::Implies(a, b) => self.all_but(at(a)?, budget)?.union(at(b)?, budget)?,
                PathNode::Iff(a, b) => {
                    let (a, b) = (at(a)?, at(b)?);
                    let neither = self.all_but(&a.union(b, budget)?, budget)?;
                    a.intersection(b, budget)?.union(&neither, budget)?
                }
                _ => return Err(STRANGE),
            };
            sets.push(set);
        }
        sets.pop().ok_or(STRANGE)
    }
}
