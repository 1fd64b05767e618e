//! Certificates of verdicts: proofs that a program which knows nothing of this one can check.
//!
//! **Problem.** A run shows why a universal formula is false; nothing shows why one is true. An engine that is wrong is
//! wrong unnoticed.
//!
//! **Idea.** Whatever way found a verdict, the *maker* proves it anew on the model as it is in its file, with the
//! symbolic engine, and writes down what a checker needs so as not to search: for each quantified formula that the
//! verdict rests on, sets of states at the locations of the automaton that the checker makes of its path formula, each
//! state with a *rank*. For `A φ` these are the states from which the automaton of `¬φ` accepts nothing, the ranks the
//! order in which the algorithm of Emerson and Lei removes them; for `E φ` those from which the automaton of `φ`
//! accepts something, the ranks the distances to the mark that is waited for. The operators of CTL are automata of one
//! or two locations. Or, for `E φ` in the first state, a run.
//!
//! Where diagrams of the reachable set are too large, other ways may do, and they come first, as they are cheap: runs
//! (`walks` finds some) and linear inequalities that no step breaks (`linear`), together in `easy`, and sets of states
//! one by one (`local`): a few at first, then 200 000, before the reachable set is asked for, whose diagrams make a
//! `proof` of what is left. Of a program of SMV with few states the checker lists these, and they make all of its sets;
//! of others it has conditions alone, and sets come from what the engine of bits found (`bits`), from the reachable set,
//! or from paths in it (`needed`). Of models whose files the checker does not read it has tables of the steps between
//! reachable states.
//!
//! **Trust.** None in the maker: the package `starset-checker` reads model and certificate itself, and what it accepts
//! is proved (docs/certificates.md). The maker uses its reader, its formulas and its automata, so that both speak of
//! the same; the checker uses nothing of ours.
//!
//! Progress measures for fair termination: Klarlund, FOCS 1990; Emerson and Lei, LICS 1986; certificates of model
//! checkers: Namjoshi, CAV 2001.

mod atoms;
mod bits;
mod easy;
mod error;
mod file;
mod linear;
mod listed;
mod local;
mod needed;
mod notation;
mod product;
mod proof;
mod questions;
mod ranked;
#[cfg(test)]
mod tests;
mod translate;
mod walks;

pub use error::Uncertified;
pub use proof::Sets;
pub use questions::{AnsweredQuestion, Certified, ModelText, certify, is_shown_by_a_run, model_text};

use crate::budget::{Budget, Exhausted};
use crate::decide::{Bits, Question, StateSpace};
use crate::formula::{FormulaId, PathSemantics, Pool};
use crate::kinds::Kind;
use crate::mdd::Mdd;
use crate::model::VariableId;
use crate::net::{PetriNet, PlaceId};
use crate::order::{candidates, sampled};
use crate::symbolic::initial_set;
use crate::witness::Witness;
use atoms::Atoms;
use easy::{Easy, Near};
use local::Graph;
use proof::Proof;
use rustc_hash::FxHashSet;
use starset_checker as checker;
use starset_checker::{End, Net, Node, Paths, Store};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;
use translate::Names;

/// How certificates are made.
pub enum Means<'m, 's, 'b> {
    /// By runs, by linear inequalities, by few states.
    Few,
    /// By many states, one by one: of a model whose diagrams are large, and where a corner of the reachable set is
    /// enough.
    Many,
    /// By what the engine of bits finds of this question, of a program whose states are not listed; so long at most for
    /// ranks.
    Bits(&'m mut Bits<'b>, &'m Question, Duration),
    /// By the reachable set, which is asked for only if runs do not prove the verdict; if there is none, by many
    /// states.
    Sets(&'m mut dyn FnMut() -> Result<&'s Sets, Uncertified>),
}

impl std::fmt::Debug for Means<'_, '_, '_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Means::Few => "Few",
            Means::Many => "Many",
            Means::Bits(..) => "Bits",
            Means::Sets(_) => "Sets",
        })
    }
}

/// States that are few, and many, and the most numbers of tokens that these may have together; and the steps of a walk
/// that tells what is not always true.
const FEW: usize = 2_000;
const MANY: usize = 200_000;
const NUMBERS: usize = 40_000_000;
const STEPS: usize = 400;
/// Orders that are tried for the diagrams of states that are listed.
const ORDERS: usize = 2;
/// First states up to which claims are made for each.
const STARTS: usize = 16;

/// Makes certificates of verdicts about one model.
#[derive(Debug)]
pub struct Maker<'a> {
    /// The model as the checker reads it, and as it checks certificates against it.
    net: Arc<Net>,
    subject: checker::Subject<'a>,
    names: Names,
    own: Option<&'a PetriNet>,
    /// Variables in the order that the checker has conditions of a program in: others take it long to make.
    order: Vec<usize>,
    /// Some states of it.
    samples: Vec<Vec<u64>>,
    /// States that are few.
    few: usize,
    /// Those, and more of them if they are asked for.
    graph: Mutex<Graph>,
    /// Orders of places for the diagrams of such states, once they have been asked for.
    orders: OnceLock<Vec<Vec<usize>>>,
}

/// Does the checker read tables of the steps of a model, as it reads no file of its kind?
fn is_by_tables(model: &dyn Kind) -> bool {
    model.as_net().is_none() && model.as_network().is_none() && model.as_program().is_none()
}

/// A message without the ends of lines that it quotes.
fn in_one_line(message: &str) -> String {
    message.split_whitespace().collect::<Vec<_>>().join(" ")
}

impl<'a> Maker<'a> {
    /// A maker for a model, which was read from a file with this text; perhaps its reachable set is known, or how many
    /// states were visited.
    ///
    /// # Errors
    /// When the checker does not read it.
    pub fn new(
        model: &'a dyn Kind,
        text: &'a str,
        (known, visited): (Option<&StateSpace>, Option<u64>),
    ) -> Result<Self, Uncertified> {
        let is_many = |space: &StateSpace| space.states(&Budget::unlimited()).is_ok_and(|states| states > FEW.into());
        // Sets that are there suit conditions, however few states they have.
        let states = match known {
            Some(space) => is_many(space).then_some(usize::MAX),
            None => visited.and_then(|states| usize::try_from(states).ok()).filter(|&states| states > FEW),
        };
        let by_level = known.map(|space| space.relation.by_first_level().0);
        let order = by_level.unwrap_or_else(|| (0..model.variables()).collect());
        let variable = |&variable: &usize| model.variable(VariableId(variable as u32));
        let variables: Vec<&str> = order.iter().map(variable).collect();
        let subject = checker::Subject::new(text);
        let net = checker::with_stack(|| subject.read_either(&variables, states)).and_then(|net| net);
        let net = net.map_err(|error| Uncertified::Model(in_one_line(&error.to_string())))?;
        let names = Names::new(model, &net)?;
        let names = if is_by_tables(model) { names.with_maps(text) } else { names };
        let samples = if net.is_program() { Vec::new() } else { walks::states(&net, STEPS) };
        let graph = Mutex::new(Graph::new(&net));
        Ok(Maker { net, subject, names, own: model.as_net(), order, samples, few: FEW, graph, orders: OnceLock::new() })
    }

    /// A certificate that a formula is true, or false, in the initial state. A witness of that may make it short.
    ///
    /// # Errors
    /// When there is none, or none in time.
    pub fn certify(
        &self,
        means: Means<'_, '_, '_>,
        pool: &Pool,
        (formula, paths): (FormulaId, PathSemantics),
        (verdict, witness): (bool, Option<&Witness>),
        budget: &Budget,
    ) -> Result<String, Uncertified> {
        let mut formulas = checker::Pool::default();
        let formula = self.names.text(pool, (formula, paths), &self.net)?;
        let root = checker::with_stack(|| formulas.parse(&formula, &checker::Names::new(&self.net)))??;
        let paths = match paths {
            PathSemantics::Maximal => Paths::Maximal,
            PathSemantics::Stutter => Paths::Stutter,
            PathSemantics::Infinite => Paths::Infinite,
        };
        let canonical = formulas.canonical(root, !verdict, paths);
        let mut head = file::Head { net: &self.net, paths, formula, verdict, order: Vec::new() };
        let atoms = Atoms::new(&self.net, &canonical);
        let by_states = |found: Option<local::Found>| match found {
            Some((claims, order, store)) => {
                let head = file::Head { order, ..head.clone() };
                file::write(&head, &store, &claims)
            }
            None => Err(Uncertified::from(Exhausted::Work)),
        };
        if self.net.is_unlisted() {
            return match means {
                Means::Bits(bits, question, for_ranks) => {
                    let names = (&self.names, &self.order[..]);
                    let found = bits::prove(&atoms, (bits, question, verdict), names, (budget, for_ranks))?;
                    match found {
                        Some((claims, levels, store)) => {
                            let order = levels.into_iter().map(|variable| self.names.place(variable)).collect();
                            file::write(&file::Head { order, ..head }, &store, &claims)
                        }
                        None => Err(Exhausted::Work.into()),
                    }
                }
                Means::Sets(sets) => self.certify_by_conditions(&atoms, sets()?, head, budget),
                Means::Few | Means::Many => Err(Exhausted::Work.into()),
            };
        }
        if self.net.is_program() {
            // The checker lists its states, so they are few.
            let mut graph = self.all_states(budget)?;
            let found = local::prove_of_program(&atoms, &mut graph, self.net.initials.len(), verdict, budget)?;
            let (claims, order, store) = found.ok_or(Uncertified::NotProved)?;
            return file::write(&file::Head { order, ..head }, &store, &claims);
        }
        if matches!(means, Means::Many) {
            return by_states(self.prove_by_states(&atoms, self.many(), budget)?);
        }
        // To stay where one is may be enough.
        let mut runs = vec![(Vec::new(), End::Open)];
        runs.extend(witness.iter().flat_map(|witness| &witness.runs).filter_map(|run| self.names.run(&self.net, run)));
        let linear = linear::Prover::new(self.own, &self.net, &self.names);
        let near = Near { graph: &self.graph, most: self.few, samples: &self.samples };
        near.explore(&self.net, budget)?;
        let (programs, claims, hopeless) = (linear::FEW, Vec::new(), FxHashSet::default());
        let mut easy = Easy { atoms: &atoms, near, runs, linear, programs, claims, hopeless, budget };
        let root = canonical.len() - 1;
        let Means::Sets(sets) = means else {
            easy.walk(root);
            if easy.prove(root) {
                return file::write(&head, &Store::new(0), &easy.claims);
            }
            return by_states(self.prove_by_states(&atoms, self.few, budget)?);
        };
        easy.hopeless = (0..canonical.len()).collect();
        if easy.prove(root) {
            return file::write(&head, &Store::new(0), &easy.claims);
        }
        easy.claims.clear();
        let sets = match sets() {
            Ok(sets) => sets,
            Err(why) => {
                // There is more time now.
                easy.hopeless.clear();
                easy.programs = linear::MANY;
                easy.walk(root);
                if easy.prove(root) {
                    return file::write(&head, &Store::new(0), &easy.claims);
                }
                return by_states(self.prove_by_states(&atoms, self.many(), budget)?).map_err(|_| why);
            }
        };
        if self.is_sparse(&sets.space.set, budget)?
            && let Ok(text) = by_states(self.prove_by_states(&atoms, self.many(), budget)?)
        {
            return Ok(text);
        }
        if matches!(canonical[root], Node::And(_)) {
            // What a run is found for needs no set.
            easy.walk(root);
            if easy.prove(root) {
                return file::write(&head, &Store::new(0), &easy.claims);
            }
        }
        head.order = self.order(&sets.space);
        let mut proof = Proof::new(&self.names, sets, easy)?;
        if !proof.holds(root)? {
            return Err(Uncertified::NotProved);
        }
        proof.claims.append(&mut proof.easy.claims);
        file::write(&head, &proof.ranked.store, &proof.claims)
    }

    /// The places of the levels of sets.
    fn order(&self, space: &StateSpace) -> Vec<usize> {
        space.relation.by_first_level().0.into_iter().map(|variable| self.names.place(variable)).collect()
    }

    /// A certificate about a program whose states are not listed: by sets alone.
    fn certify_by_conditions(
        &self,
        atoms: &Atoms<'_>,
        sets: &Sets,
        mut head: file::Head<'_>,
        budget: &Budget,
    ) -> Result<String, Uncertified> {
        let space = &sets.space;
        head.order = self.order(space);
        let linear = linear::Prover::new(None, &self.net, &self.names);
        let (runs, programs, claims, hopeless) = (Vec::new(), 0, Vec::new(), FxHashSet::default());
        let near = Near { graph: &self.graph, most: 0, samples: &self.samples };
        let easy = Easy { atoms, near, runs, linear, programs, claims, hopeless, budget };
        let mut proof = Proof::new(&self.names, sets, easy)?;
        proof.open = Some(BTreeMap::new());
        let root = atoms.pool.len() - 1;
        let initial = initial_set(&space.relation, &space.set, budget)?;
        let sat = proof.sat(root)?;
        // Of several first states all satisfy the formula, or some its negation.
        let starts = match head.verdict {
            true if !initial.is_subset(&sat, budget)? => return Err(Uncertified::NotProved),
            true => initial.members().take(STARTS + 1).collect(),
            false => Vec::from_iter(initial.intersection(&sat, budget)?.pick()),
        };
        match starts.len() {
            0 => return Err(Uncertified::NotProved),
            1..=STARTS => starts.iter().for_each(|start| proof.need(root, Some(start))),
            _ => proof.need(root, None),
        }
        proof.claim_what_is_needed()?;
        file::write(&head, &proof.ranked.store, &proof.claims)
    }

    /// Is it a program whose states are listed? There is one way for it then, which needs all of them.
    ///
    /// # Errors
    /// When there is no time to look at them.
    pub fn is_listed(&self, budget: &Budget) -> Result<bool, Uncertified> {
        let is_listed = self.net.is_program() && !self.net.is_unlisted();
        if is_listed {
            drop(self.all_states(budget)?);
        }
        Ok(is_listed)
    }

    /// All states of a program that are listed.
    fn all_states(&self, budget: &Budget) -> Result<MutexGuard<'_, Graph>, Uncertified> {
        let mut graph = self.graph.lock().unwrap_or_else(PoisonError::into_inner);
        graph.explore(&self.net, usize::MAX, budget)?;
        Ok(graph)
    }

    /// Is it a program whose states are not listed?
    pub fn is_unlisted(&self) -> bool {
        self.net.is_unlisted()
    }

    fn many(&self) -> usize {
        MANY.min(NUMBERS / self.net.places.len().max(1))
    }

    /// Are there fewer states than nodes of their diagram, not too many, and more than what is tried anyhow?
    fn is_sparse(&self, set: &Mdd, budget: &Budget) -> Result<bool, Uncertified> {
        let states = set.count(budget)?;
        Ok(states > FEW.into() && states < self.many().into() && states < set.size().nodes.into())
    }

    /// Claims that so many states prove, one by one.
    fn prove_by_states(
        &self,
        atoms: &Atoms<'_>,
        most: usize,
        budget: &Budget,
    ) -> Result<Option<local::Found>, Uncertified> {
        let mut graph = self.graph.lock().unwrap_or_else(PoisonError::into_inner);
        graph.explore(&self.net, most, budget)?;
        local::prove(atoms, (&graph, &|| self.orders(budget).to_vec()), budget)
    }

    /// Orders of the places of a net by which its steps touch levels that are near.
    fn orders(&self, budget: &Budget) -> &[Vec<usize>] {
        self.orders.get_or_init(|| {
            let Some(net) = self.own else { return Vec::new() };
            let net = sampled(Cow::Borrowed(net));
            let place = |place: &PlaceId| self.names.place(place.index());
            let candidates = candidates(&net, budget, 0).into_iter().take(ORDERS);
            candidates.map(|scored| scored.order.as_slice().iter().map(place).collect()).collect()
        })
    }

    /// The proved statement of a certificate, if the checker accepts it within the budget.
    ///
    /// # Errors
    /// Why it does not.
    pub fn check(&self, certificate: &str, budget: &Budget) -> Result<checker::Proved, Uncertified> {
        let limits = budget.clone();
        let wanted = move || limits.check().is_ok();
        let check = || checker::while_wanted(wanted, || self.subject.check(certificate));
        let checked = checker::with_stack(check)?;
        // What the time ends is no fault of the certificate.
        if checked.is_err() {
            budget.check()?;
        }
        Ok(checked?)
    }
}
