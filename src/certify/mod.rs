//! Certificates of verdicts: proofs that a program which knows nothing of this one can check.
//!
//! **Problem.** A run shows why a universal formula is false; nothing shows why one is true. An engine that is wrong is wrong
//! unnoticed.
//!
//! **Idea.** Whatever way found a verdict, the *maker* proves it anew on the model as it is in its file, with the symbolic
//! engine, and writes down what a checker needs so as not to search: for each quantified formula that the verdict rests on,
//! sets of states at the locations of the automaton that the checker makes of its path formula, each state with a *rank*.
//! For `A φ` these are the states from which the automaton of `¬φ` accepts nothing, the ranks the order in which the
//! algorithm of Emerson and Lei removes them; for `E φ` those from which the automaton of `φ` accepts something, the
//! ranks the distances to the mark that is waited for. The operators of CTL are automata of one or two locations. Or, for `E φ` in the
//! first state, a run.
//!
//! **Trust.** None in the maker: the package `starset-checker` reads model and certificate itself, and what it accepts is proved
//! (docs/certificates.md). The maker uses its reader, its formulas and its automata, so that both speak of the same; the checker uses nothing
//! of ours.
//!
//! Progress measures for fair termination: Klarlund, FOCS 1990; Emerson and Lei, LICS 1986; certificates of model checkers: Namjoshi,
//! CAV 2001.

mod file;
mod notation;
mod product;
mod questions;
mod ranked;
#[cfg(test)]
mod tests;
mod translate;

pub use questions::{Answered, Certified, certify, is_shown_by_a_run, model_text};

use crate::budget::Budget;
use crate::decide::StateSpace;
use crate::formula::{FormulaId, PathSemantics, Pool};
use crate::halt::Halt;
use crate::kinds::Kind;
use crate::mdd::Mdd;
use crate::symbolic::Checker;
use crate::witness::Witness;
use product::Product;
use ranked::Ranked;
use rustc_hash::FxHashMap;
use starset_checker as checker;
use starset_checker::{Claim, End, Evidence, Id, Net, Node, Paths, Refused, Store};
use translate::{Names, Taken};

/// Why there is no certificate.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Uncertified {
    /// The checker does not read the model, or not in the same way.
    #[error("the checker does not read this model: {0}")]
    Model(String),
    /// The formula says something that certificates cannot.
    #[error("{0} cannot be certified")]
    Formula(&'static str),
    /// The computation ended without a proof.
    #[error(transparent)]
    Halt(#[from] Halt),
    /// The proof of the verdict fails: the verdict is wrong, or the maker is.
    #[error("the verdict could not be proved: one of it and the proof is an error of the program")]
    NotProved,
    /// The checker refuses the certificate: an error of the program.
    #[error("the checker refuses the certificate: {0}")]
    Refused(#[from] Refused),
}

impl From<crate::mdd::SetError> for Uncertified {
    fn from(error: crate::mdd::SetError) -> Self {
        Halt::from(error).into()
    }
}

impl From<crate::budget::Exhausted> for Uncertified {
    fn from(error: crate::budget::Exhausted) -> Self {
        Halt::from(error).into()
    }
}

/// Makes certificates of verdicts about one model.
#[derive(Debug)]
pub struct Maker<'a> {
    /// The model as the checker reads it, and its text.
    net: Net,
    text: &'a str,
    names: Names,
}

impl<'a> Maker<'a> {
    /// A maker for a model, which was read from a file with this text.
    ///
    /// # Errors
    /// When the checker does not read it.
    pub fn new(model: &dyn Kind, text: &'a str) -> Result<Self, Uncertified> {
        let net = checker::with_stack(|| Net::read(text)).and_then(|net| net);
        let net = net.map_err(|error| Uncertified::Model(error.to_string()))?;
        let names = Names::new(model, &net)?;
        Ok(Maker { net, text, names })
    }

    /// A certificate that a formula is true, or false, in the initial state. A witness of that may make it short. The reachable
    /// set is asked for only if runs do not prove the verdict.
    ///
    /// # Errors
    /// When there is none, or none in time.
    pub fn certify<'s>(
        &self,
        space: &mut dyn FnMut() -> Result<&'s StateSpace, Uncertified>,
        pool: &Pool,
        (formula, paths): (FormulaId, PathSemantics),
        (verdict, witness): (bool, Option<&Witness>),
        budget: &Budget,
    ) -> Result<String, Uncertified> {
        let mut formulas = checker::Pool::default();
        let root = self.names.formula(pool, formula, &mut formulas)?;
        let paths = match paths {
            PathSemantics::Maximal => Paths::Maximal,
            PathSemantics::Stutter => Paths::Stutter,
            PathSemantics::Infinite => Paths::Infinite,
        };
        let canonical = formulas.canonical(root, !verdict, paths);
        let mut head = file::Head {
            net: &self.net,
            paths,
            formula: notation::text(&formulas, root, &self.net),
            verdict,
            order: Vec::new(),
        };
        // To stay where one is may be enough.
        let mut runs = vec![(Vec::new(), End::Open)];
        runs.extend(witness.iter().flat_map(|witness| &witness.runs).filter_map(|run| self.names.run(&self.net, run)));
        let mut runs = Runs { net: &self.net, pool: &canonical, runs, claims: Vec::new() };
        if runs.prove(canonical.len() - 1) {
            return Ok(file::write(&head, &Store::new(0), &runs.claims));
        }
        runs.claims.clear();
        let space = space()?;
        let order = space.relation.variables_by_level();
        head.order = order.iter().map(|&variable| self.names.place(variable)).collect();
        let mut proof = Proof {
            names: &self.names,
            pool: &canonical,
            runs,
            checker: Checker::new(&space.relation, space.set.clone(), PathSemantics::Stutter)?,
            atoms: Pool::new(),
            known: FxHashMap::default(),
            claims: Vec::new(),
            ranked: Ranked::new(&space.relation),
            initial: space.relation.initial().to_vec(),
            budget,
        };
        if !proof.holds(canonical.len() - 1)? {
            return Err(Uncertified::NotProved);
        }
        proof.claims.append(&mut proof.runs.claims);
        Ok(file::write(&head, &proof.ranked.store, &proof.claims))
    }

    /// What a certificate proves, if the checker accepts it.
    ///
    /// # Errors
    /// Why it does not.
    pub fn check(&self, certificate: &str) -> Result<checker::Proved, Uncertified> {
        Ok(checker::with_stack(|| checker::check(self.text, certificate))??)
    }
}

/// Runs from the initial state, and what they prove.
struct Runs<'a> {
    net: &'a Net,
    pool: &'a checker::Pool,
    runs: Vec<Taken>,
    claims: Vec<Claim>,
}

impl Runs<'_> {
    /// Do runs alone prove a state formula in the initial state? If so, their claims are there.
    fn prove(&mut self, id: Id) -> bool {
        match &self.pool[id] {
            Node::And(list) => list.iter().all(|&operand| self.prove(operand)),
            Node::Or(list) => list.iter().any(|&operand| self.prove(operand)),
            Node::Exists(path) => self.find(id, *path),
            Node::Forall(_) => false,
            _ => checker::holds(self.net, self.pool, id),
        }
    }

    /// Does one of the runs satisfy a path formula?
    fn find(&mut self, id: Id, path: Id) -> bool {
        if self.claims.iter().any(|claim| claim.formula == id) {
            return true;
        }
        let satisfies = |(steps, end): &&Taken| checker::satisfies(self.net, self.pool, path, steps, *end) == Ok(true);
        let found = self.runs.iter().find(satisfies).cloned();
        self.claims.extend(
            found.iter().cloned().map(|(steps, end)| Claim { formula: id, evidence: Evidence::Run(steps, end) }),
        );
        found.is_some()
    }
}

/// A proof in the making.
struct Proof<'a> {
    names: &'a Names,
    /// The form that is checked.
    pool: &'a checker::Pool,
    /// Of top-level formulas `E φ`.
    runs: Runs<'a>,
    /// Sets of states, where deadlocks repeat.
    checker: Checker<'a>,
    /// Atoms as the engine takes them.
    atoms: Pool,
    /// Sat-sets of state formulas.
    known: FxHashMap<Id, Mdd>,
    claims: Vec<Claim>,
    ranked: Ranked,
    initial: Vec<u32>,
    budget: &'a Budget,
}

impl Proof<'_> {
    /// Is a state formula true in the initial state? If so, the claims that it rests on are there.
    fn holds(&mut self, id: Id) -> Result<bool, Uncertified> {
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
            Node::Exists(path) if !self.known.contains_key(&id) && self.runs.find(id, *path) => Ok(true),
            _ => Ok(self.sat(id)?.contains(&self.initial)),
        }
    }

    fn is_quantified(&self, id: Id) -> bool {
        matches!(self.pool[id], Node::Exists(_) | Node::Forall(_))
            || self.pool[id].operands().into_iter().any(|operand| self.is_quantified(operand))
    }

    fn rests_on(&self, id: Id, others: &[Id]) -> bool {
        others.contains(&id) || self.pool[id].operands().into_iter().any(|operand| self.rests_on(operand, others))
    }

    /// The reachable states that satisfy a state formula, with a claim for each quantified formula in it.
    fn sat(&mut self, id: Id) -> Result<Mdd, Uncertified> {
        if let Some(known) = self.known.get(&id) {
            return Ok(known.clone());
        }
        let budget = self.budget;
        let set = match &self.pool[id] {
            Node::And(list) => {
                let mut set = self.checker.states().clone();
                for &operand in list {
                    set = set.intersection(&self.sat(operand)?, budget)?;
                }
                set
            }
            Node::Or(list) => {
                let mut set = self.checker.states().space().empty();
                for &operand in list {
                    set = set.union(&self.sat(operand)?, budget)?;
                }
                set
            }
            Node::Not(atom) => {
                let not = self.sat(*atom)?;
                self.checker.states().difference(&not, budget)?
            }
            Node::Exists(path) => self.quantified(id, *path, false)?,
            Node::Forall(path) => self.quantified(id, *path, true)?,
            atom => {
                let atom = self.names.atom(atom, &mut self.atoms)?;
                self.checker.sat(&self.atoms, atom, budget)?
            }
        };
        self.known.insert(id, set.clone());
        Ok(set)
    }

    /// The sat-set of `E φ` or `A φ`, and a claim of it.
    fn quantified(&mut self, id: Id, path: Id, all: bool) -> Result<Mdd, Uncertified> {
        let automaton = checker::Tableau::new(self.pool, path, all)?;
        let mut guards = Vec::new();
        for edges in &automaton.edges {
            let mut of_location = Vec::new();
            for edge in edges {
                let mut guard = self.checker.states().clone();
                for &letter in &edge.guard {
                    let holds = self.sat(letter)?;
                    guard = if all {
                        guard.difference(&holds, self.budget)?
                    } else {
                        guard.intersection(&holds, self.budget)?
                    };
                }
                of_location.push(guard);
            }
            guards.push(of_location);
        }
        let product = Product::new(&self.checker, &automaton, guards, self.budget)?;
        let (set, evidence) = if all { product.all(&mut self.ranked)? } else { product.some(&mut self.ranked)? };
        if !set.is_empty() {
            self.runs.claims.retain(|claim| claim.formula != id);
            self.claims.push(Claim { formula: id, evidence });
        }
        Ok(set)
    }
}
