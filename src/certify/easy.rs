//! What runs and linear inequalities prove by themselves.
//!
//! A verdict needs no more than one run, or conditions that are true in all reachable states. This is cheap: runs are
//! those that are given, those to states nearby and those that walks find, and a condition is given to linear programs
//! only if no state that is known refutes it. What is not proved so is left to proofs by sets.

use super::Uncertified;
use super::atoms::Atoms;
use super::linear::Prover;
use super::local::Graph;
use super::translate::Taken;
use super::walks;
use crate::budget::Budget;
use rustc_hash::FxHashSet;
use starset_checker::{Claim, End, Evidence, Id, Net, Node, satisfies};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Some reachable states: so many from the initial one on, and those of a walk.
pub(super) struct Near<'a> {
    pub(super) graph: &'a Mutex<Graph>,
    pub(super) most: usize,
    pub(super) samples: &'a [Vec<u64>],
}

impl Near<'_> {
    fn graph(&self) -> MutexGuard<'_, Graph> {
        self.graph.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Find the states. What is too large for a search may be proved otherwise.
    pub(super) fn explore(&self, net: &Net, budget: &Budget) -> Result<(), Uncertified> {
        match self.graph().explore(net, self.most, budget) {
            Err(Uncertified::NotProved) => Ok(()),
            result => result,
        }
    }

    /// Is a formula true in all of them?
    fn satisfy(&self, atoms: &Atoms<'_>, id: Id) -> bool {
        self.samples.iter().all(|state| atoms.holds(id, state))
            && self.graph().first(self.most).iter().all(|state| atoms.holds(id, state))
    }
}

/// Runs from the initial state and inequalities, and what they prove.
pub(super) struct Easy<'a> {
    pub(super) atoms: &'a Atoms<'a>,
    pub(super) near: Near<'a>,
    pub(super) runs: Vec<Taken>,
    pub(super) linear: Prover<'a>,
    /// Linear programs for a formula.
    pub(super) programs: u32,
    pub(super) claims: Vec<Claim>,
    /// Parts that inequalities do not prove.
    pub(super) hopeless: FxHashSet<Id>,
    pub(super) budget: &'a Budget,
}

impl Easy<'_> {
    /// Look for runs to the states that the verdict asks for.
    pub(super) fn walk(&mut self, root: Id) {
        let pool = self.atoms.pool;
        let (mut stack, mut wanted) = (vec![root], Vec::new());
        while let Some(id) = stack.pop() {
            match &pool[id] {
                Node::And(list) | Node::Or(list) => stack.extend(list),
                Node::Exists(path) => wanted.push((id, *path)),
                _ => {}
            }
        }
        wanted.sort_unstable();
        wanted.dedup();
        wanted.retain_mut(|(id, path)| match pool[*path] {
            Node::Until(a, b) if pool[a] == Node::True && self.atoms.speaks_of(b) => {
                let open = !self.find(*id, *path);
                *path = b;
                open
            }
            _ => false,
        });
        let conditions = |wanted: &[(Id, Id)]| wanted.iter().map(|&(_, condition)| condition).collect::<Vec<Id>>();
        let (near, all) = {
            let graph = self.near.graph();
            (graph.runs_to(self.atoms, &conditions(&wanted), self.near.most), graph.is_complete())
        };
        let mut far = Vec::new();
        for (steps, wanted) in near.into_iter().zip(wanted) {
            match steps {
                Some(steps) => self.claims.push(Claim { formula: wanted.0, evidence: Evidence::Run(steps, End::Open) }),
                None => far.push(wanted),
            }
        }
        if all {
            return;
        }
        let found = walks::to_conditions(self.atoms, &conditions(&far), &self.budget.part(1, 4));
        for (steps, (formula, _)) in found.into_iter().zip(far) {
            let claim = |steps| Claim { formula, evidence: Evidence::Run(steps, End::Open) };
            self.claims.extend(steps.map(claim));
        }
    }

    /// Do runs and inequalities alone prove a state formula in the initial state? If so, their claims are there.
    pub(super) fn prove(&mut self, id: Id) -> bool {
        let pool = self.atoms.pool;
        match &pool[id] {
            _ if self.atoms.speaks_of(id) => self.atoms.holds(id, &self.atoms.net.initial()),
            Node::And(list) => list.iter().all(|&operand| self.prove(operand)),
            Node::Or(list) => list.iter().any(|&operand| {
                let before = self.claims.len();
                let proved = self.prove(operand);
                self.claims.truncate(if proved { self.claims.len() } else { before });
                proved
            }),
            Node::Exists(path) => self.find(id, *path) || self.always(*path),
            Node::Forall(path) => self.always(*path),
            _ => false,
        }
    }

    /// Does a path formula hold of all paths, as what it asks of states is always true?
    fn always(&mut self, id: Id) -> bool {
        let pool = self.atoms.pool;
        match &pool[id] {
            _ if self.atoms.speaks_of(id) => self.invariant(id),
            Node::And(list) => list.iter().all(|&operand| self.always(operand)),
            Node::Or(list) => list.iter().any(|&operand| self.always(operand)),
            Node::Next(a) | Node::Until(_, a) | Node::Release(_, a) | Node::Exists(a) | Node::Forall(a) => {
                self.always(*a)
            }
            _ => false,
        }
    }

    fn invariant(&mut self, id: Id) -> bool {
        if self.atoms.pool[id] == Node::True || self.claims.iter().any(|claim| claim.formula == id) {
            return true;
        }
        if !self.hopeless.insert(id) || !self.near.satisfy(self.atoms, id) {
            return false;
        }
        let claim = self.linear.claim(self.atoms.pool, id, self.programs, self.budget);
        let proved = claim.is_some();
        if proved {
            self.hopeless.remove(&id);
        }
        self.claims.extend(claim);
        proved
    }

    /// Does one of the runs satisfy a path formula?
    pub(super) fn find(&mut self, id: Id, path: Id) -> bool {
        if self.claims.iter().any(|claim| claim.formula == id) {
            return true;
        }
        let (net, pool) = (self.atoms.net, self.atoms.pool);
        let is_one = |(steps, end): &&Taken| satisfies(net, pool, path, steps, *end) == Ok(true);
        let found = self.runs.iter().find(is_one).cloned();
        self.claims.extend(
            found.iter().cloned().map(|(steps, end)| Claim { formula: id, evidence: Evidence::Run(steps, end) }),
        );
        found.is_some()
    }
}
