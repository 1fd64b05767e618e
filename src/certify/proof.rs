//! Proofs by sets: diagrams of the states that satisfy each formula which the verdict rests on, in the reachable set.
//!
//! Sat-sets are computed from the inside out, and each quantified formula gives a claim as soon as its set is known. What
//! runs prove needs no set. Of a program whose states are not listed, claims `E φ` wait until it is known in which states
//! they are needed: then paths may do, and claims that nothing needs are dropped.

use super::Uncertified;
use super::easy::Easy;
use super::needed::{self, Need, State};
use super::product::{Accepting, Guard, Product};
use super::ranked::Ranked;
use super::translate::Names;
use crate::budget::Budget;
use crate::decide::StateSpace;
use crate::formula::{PathSemantics, Pool};
use crate::mdd::Mdd;
use crate::symbolic::Checker;
use rustc_hash::FxHashMap;
use starset_checker::{self as checker, Claim, End, Evidence, Id, Node, Tableau};
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The reachable set of a model, and the engine of the sets of its certificates: what one has computed others find in
/// its tables.
#[derive(Debug)]
pub struct Sets {
    pub(super) space: StateSpace,
    engine: Mutex<Engine>,
}

#[derive(Debug)]
struct Engine {
    /// Sets of states, where deadlocks repeat.
    checker: Checker<'static>,
    /// Atoms as the checker takes them.
    atoms: Pool,
}

impl Sets {
    /// The reachable set of a model.
    ///
    /// # Errors
    /// When it is of other tuples than those of its relation.
    pub fn new(space: StateSpace) -> Result<Self, Uncertified> {
        let checker = space.checker(PathSemantics::Stutter)?;
        Ok(Sets { space, engine: Mutex::new(Engine { checker, atoms: Pool::new() }) })
    }
}

/// A proof in the making.
pub(super) struct Proof<'a> {
    names: &'a Names,
    /// The form that is checked.
    pool: &'a checker::Pool,
    /// Of top-level formulas `E φ`.
    pub(super) easy: Easy<'a>,
    engine: MutexGuard<'a, Engine>,
    /// Sat-sets of state formulas.
    known: FxHashMap<Id, Mdd>,
    pub(super) claims: Vec<Claim>,
    /// Of a program, what claims `E φ` are made of once it is known what is needed of them.
    pub(super) open: Option<BTreeMap<Id, Accepting>>,
    /// What is needed of claims; of others nothing is.
    needs: BTreeMap<Id, Need>,
    pub(super) ranked: Ranked,
    initial: Vec<u32>,
    budget: &'a Budget,
}

impl<'a> Proof<'a> {
    pub(super) fn new(names: &'a Names, Sets { space, engine }: &'a Sets, easy: Easy<'a>) -> Result<Self, Uncertified> {
        if space.relation.is_in_bits() {
            return Err(Uncertified::Formula("sets of states with a level for each bit of a value"));
        }
        let offsets: Option<Vec<u64>> = space
            .relation
            .variables_by_level()
            .iter()
            .zip(space.relation.offsets())
            .map(|(&variable, offset)| names.number(variable, *offset))
            .collect();
        let offsets = offsets.ok_or(Uncertified::Formula("a program with integers that have gaps"))?;
        Ok(Proof {
            names,
            pool: easy.atoms.pool,
            engine: engine.lock().unwrap_or_else(PoisonError::into_inner),
            known: FxHashMap::default(),
            claims: Vec::new(),
            open: None,
            needs: BTreeMap::new(),
            ranked: Ranked::new(offsets),
            initial: space.relation.initial().to_vec(),
            budget: easy.budget,
            easy,
        })
    }

    /// Is a state formula true in the initial state? If so, the claims that it rests on are there.
    pub(super) fn holds(&mut self, id: Id) -> Result<bool, Uncertified> {
        match &self.pool[id] {
            Node::And(list) => {
                for &operand in list {
                    if !self.holds(operand)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Node::Or(list) => {
                // What needs no claim first.
                let mut list = list.clone();
                list.sort_by_key(|&operand| self.is_quantified(operand));
                for operand in list {
                    let before = self.claims.len();
                    if self.holds(operand)? {
                        return Ok(true);
                    }
                    // Claims for something that does not hold are of no use, unless something else needs them.
                    let unused: Vec<Id> = self.claims.drain(before..).map(|claim| claim.formula).collect();
                    let stale: Vec<Id> = self.known.keys().copied().filter(|&id| self.rests_on(id, &unused)).collect();
                    stale.iter().for_each(|id| drop(self.known.remove(id)));
                }
                Ok(false)
            }
            // What other claims rest on needs a set.
            &Node::Exists(path) if !self.known.contains_key(&id) => {
                if self.easy.find(id, path) {
                    return Ok(true);
                }
                match self.pool[path] {
                    Node::Until(a, goal) if self.pool[a] == Node::True && self.easy.atoms.speaks_of(goal) => {
                        let Some(steps) = self.shortest_run(goal)? else { return Ok(false) };
                        self.easy.claims.push(Claim { formula: id, evidence: Evidence::Run(steps, End::Open) });
                        Ok(true)
                    }
                    _ => Ok(self.sat(id)?.contains(&self.initial)),
                }
            }
            _ => Ok(self.sat(id)?.contains(&self.initial)),
        }
    }

    /// The steps of a shortest run from the initial state to one where a goal is true: backwards in layers, then
    /// through these.
    fn shortest_run(&mut self, goal: Id) -> Result<Option<Vec<usize>>, Uncertified> {
        let mut layers = vec![self.sat(goal)?];
        let mut open = self.engine.checker.states().clone();
        while !layers[layers.len() - 1].contains(&self.initial) {
            let layer = &layers[layers.len() - 1];
            open = open.difference(layer, self.budget)?;
            let before = self.engine.checker.pre(layer, &open, self.budget)?;
            if before.is_empty() {
                return Ok(None);
            }
            layers.push(before);
        }
        let net = self.easy.atoms.net;
        let (mut state, mut steps) = (net.initial(), Vec::new());
        for layer in layers.iter().rev().skip(1) {
            let nearer = |step: usize| {
                let after = net.enabled(&net.steps[step], &state).then(|| net.fire(&net.steps[step], &state))??;
                let values: Vec<u64> = (0..after.len()).map(|variable| after[self.names.place(variable)]).collect();
                layer.contains(&self.engine.checker.state_of(&values)?).then_some((step, after))
            };
            let Some((step, after)) = (0..net.steps.len()).find_map(nearer) else {
                return Err(Uncertified::NotProved);
            };
            steps.push(step);
            state = after;
        }
        Ok(Some(steps))
    }

    fn is_quantified(&self, id: Id) -> bool {
        matches!(self.pool[id], Node::Exists(_) | Node::Forall(_))
            || self.pool[id].operands().into_iter().any(|operand| self.is_quantified(operand))
    }

    fn rests_on(&self, id: Id, others: &[Id]) -> bool {
        others.contains(&id) || self.pool[id].operands().into_iter().any(|operand| self.rests_on(operand, others))
    }

    /// The reachable states that satisfy a state formula, with a claim for each quantified formula in it.
    pub(super) fn sat(&mut self, id: Id) -> Result<Mdd, Uncertified> {
        if let Some(known) = self.known.get(&id) {
            return Ok(known.clone());
        }
        let budget = self.budget;
        let set = match &self.pool[id] {
            Node::And(list) => {
                let mut set = self.engine.checker.states().clone();
                for &operand in list {
                    set = set.intersection(&self.sat(operand)?, budget)?;
                }
                set
            }
            Node::Or(list) => {
                let mut set = self.engine.checker.states().space().empty();
                for &operand in list {
                    set = set.union(&self.sat(operand)?, budget)?;
                }
                set
            }
            Node::Not(atom) => {
                let not = self.sat(*atom)?;
                self.engine.checker.states().difference(&not, budget)?
            }
            Node::Exists(path) => self.quantified(id, *path, false)?,
            Node::Forall(path) => self.quantified(id, *path, true)?,
            atom => {
                let Engine { checker, atoms } = &mut *self.engine;
                let atom = self.names.atom(atom, atoms)?;
                checker.sat(atoms, atom, budget)?
            }
        };
        self.known.insert(id, set.clone());
        Ok(set)
    }

    /// A state formula is needed in a state, or wherever it holds.
    pub(super) fn need(&mut self, id: Id, state: Option<&State>) {
        match (&self.pool[id], state) {
            (Node::And(list), _) | (Node::Or(list), None) => list.iter().for_each(|&part| self.need(part, state)),
            (Node::Or(list), Some(of)) => {
                let holds = list.iter().filter(|part| self.known.get(part).is_some_and(|set| set.contains(of)));
                if let Some(&part) = holds.min_by_key(|&&part| self.is_quantified(part)) {
                    self.need(part, state);
                }
            }
            (Node::Exists(_), Some(state)) => match self.needs.entry(id).or_insert_with(|| Need::States(Vec::new())) {
                Need::States(states) if !states.contains(state) => states.push(state.clone()),
                Need::States(_) | Need::All => {}
            },
            (Node::Exists(_) | Node::Forall(_), _) => drop(self.needs.insert(id, Need::All)),
            _ => {}
        }
    }

    /// Make the claims that are needed, and drop the others. Formulas are numbered after those inside of them.
    pub(super) fn claim_what_is_needed(&mut self) -> Result<(), Uncertified> {
        let (pool, mut open) = (self.pool, self.open.take().unwrap_or_default());
        let mut needed = Vec::new();
        while let Some((id, need)) = self.needs.pop_last() {
            needed.push(id);
            let Some(accepting) = open.remove(&id) else {
                let &Node::Forall(path) = &pool[id] else { continue };
                let automaton = checker::bounded(0, || Tableau::new(pool, path, true))?;
                let letters = automaton.edges.iter().flatten().flat_map(|edge| edge.letters(pool));
                letters.for_each(|letter| self.need(letter, None));
                continue;
            };
            let evidence = match need {
                Need::All => None,
                Need::States(states) => self.along_paths(&accepting, states)?,
            };
            let evidence = match evidence {
                Some(evidence) => evidence,
                None => {
                    let letters = accepting.automaton.edges.iter().flatten().flat_map(|edge| edge.letters(pool));
                    letters.for_each(|letter| self.need(letter, None));
                    accepting.evidence(&mut self.ranked, self.budget)?
                }
            };
            self.claims.push(Claim { formula: id, evidence });
        }
        self.claims.retain(|claim| needed.contains(&claim.formula));
        Ok(())
    }

    /// The claim of some states alone, unless it is long.
    fn along_paths(&mut self, accepting: &Accepting, states: Vec<State>) -> Result<Option<Evidence>, Uncertified> {
        let (taken, evidence) = {
            let mut paths = needed::Paths::new(&self.engine.checker, accepting, self.budget);
            for state in states {
                if !paths.follow(state)? {
                    return Ok(None);
                }
            }
            let evidence = paths.evidence(&mut self.ranked)?;
            (paths.taken, evidence)
        };
        for (state, location, edge) in taken {
            for letter in accepting.automaton.edges[location][edge].letters(self.pool) {
                self.need(letter, Some(&state));
            }
        }
        Ok(Some(evidence))
    }

    /// The sat-set of `E φ` or `A φ`, and a claim of it.
    fn quantified(&mut self, id: Id, path: Id, all: bool) -> Result<Mdd, Uncertified> {
        let automaton = checker::bounded(0, || Tableau::new(self.pool, path, all))?;
        let mut guards = Vec::new();
        for edges in &automaton.edges {
            let mut of_location = Vec::new();
            for edge in edges {
                let mut states = self.engine.checker.states().clone();
                for letter in edge.letters(self.pool) {
                    let holds = self.sat(letter)?;
                    states = if all {
                        states.difference(&holds, self.budget)?
                    } else {
                        states.intersection(&holds, self.budget)?
                    };
                }
                let labels = edge.labels(self.pool, self.easy.atoms.net.labels.len(), all);
                let steps =
                    labels.map(|labels| (self.names.actions_of(labels.into_iter()), edge.takes(self.pool, None, all)));
                of_location.push(Guard { states, steps });
            }
            guards.push(of_location);
        }
        let product = Product::new(&self.engine.checker, &automaton, guards, self.budget)?;
        let (set, evidence) = match (all, &mut self.open) {
            (true, _) => product.all(&mut self.ranked)?,
            (false, None) => {
                let accepting = product.some()?;
                (accepting.zone[0].clone(), accepting.evidence(&mut self.ranked, self.budget)?)
            }
            (false, Some(open)) => {
                let accepting = product.some()?;
                let set = accepting.zone[0].clone();
                open.insert(id, accepting);
                return Ok(set);
            }
        };
        if !set.is_empty() {
            self.easy.claims.retain(|claim| claim.formula != id);
            self.claims.push(Claim { formula: id, evidence });
        }
        Ok(set)
    }
}
