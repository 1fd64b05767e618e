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
//! (`walks` finds some), linear inequalities that no step breaks (`linear`), and sets of states one by one
//! (`local`): a few at first, then 200 000, before the reachable set is asked for. Of a program of SMV with few states the
//! checker lists these, and they make all of its sets; of others it has conditions alone, and sets come from what the engine
//! of bits found (`bits`), from the reachable set, or from paths in it (`needed`). Of models whose files the checker does not read it has tables of the steps between
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
mod error;
mod file;
mod linear;
mod local;
mod needed;
mod notation;
mod product;
mod questions;
mod ranked;
#[cfg(test)]
mod tests;
mod translate;
mod walks;

pub use error::Uncertified;
pub use questions::{AnsweredQuestion, Certified, ModelText, certify, is_shown_by_a_run, model_text};

use crate::budget::{Budget, Exhausted};
use crate::decide::{Bits, Question, StateSpace};
use crate::formula::{FormulaId, PathSemantics, Pool};
use crate::kinds::Kind;
use crate::mdd::Mdd;
use crate::model::VariableId;
use crate::net::PetriNet;
use crate::symbolic::{Checker, initial_set};
use crate::witness::Witness;
use atoms::Atoms;
use local::Graph;
use needed::{Need, State};
use product::{Accepting, Guard, Product};
use ranked::Ranked;
use rustc_hash::{FxHashMap, FxHashSet};
use starset_checker as checker;
use starset_checker::{Claim, End, Evidence, Id, Net, Node, Paths, Store};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use translate::{Names, Taken};

/// How certificates are made.
pub enum Means<'m, 's, 'b> {
    /// By runs, by linear inequalities, by few states.
    Few,
    /// By many states, one by one: of a model whose diagrams are large, and where a corner of the reachable set is
    /// enough.
    Many,
    /// By what the engine of bits finds of this question, of a program whose states are not listed; so long at most for ranks.
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

/// The reachable set of a model, and the engine of the sets of its certificates: what one has computed others find in
/// its tables.
#[derive(Debug)]
pub struct Sets {
    space: StateSpace,
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

/// States that are few, and many, and the most numbers of tokens that these may have together; and the steps of a walk
/// that tells what is not always true.
const FEW: usize = 2_000;
const MANY: usize = 200_000;
const NUMBERS: usize = 40_000_000;
const STEPS: usize = 400;
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
        let by_level = known.map(|space| space.relation.variables_by_level());
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
        Ok(Maker { net, subject, names, own: model.as_net(), order, samples, few: FEW, graph })
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
                Ok(file::write(&head, &store, &claims))
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
                            Ok(file::write(&file::Head { order, ..head }, &store, &claims))
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
            return Ok(file::write(&file::Head { order, ..head }, &store, &claims));
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
                return Ok(file::write(&head, &Store::new(0), &easy.claims));
            }
            return by_states(self.prove_by_states(&atoms, self.few, budget)?);
        };
        easy.hopeless = (0..canonical.len()).collect();
        if easy.prove(root) {
            return Ok(file::write(&head, &Store::new(0), &easy.claims));
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
                    return Ok(file::write(&head, &Store::new(0), &easy.claims));
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
                return Ok(file::write(&head, &Store::new(0), &easy.claims));
            }
        }
        head.order = self.order(&sets.space);
        let mut proof = Proof::new(&self.names, sets, easy)?;
        if !proof.holds(root)? {
            return Err(Uncertified::NotProved);
        }
        proof.claims.append(&mut proof.easy.claims);
        Ok(file::write(&head, &proof.ranked.store, &proof.claims))
    }

    /// The places of the levels of sets.
    fn order(&self, space: &StateSpace) -> Vec<usize> {
        space.relation.variables_by_level().iter().map(|&variable| self.names.place(variable)).collect()
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
        Ok(file::write(&head, &proof.ranked.store, &proof.claims))
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
        local::prove(atoms, &graph, budget)
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

/// Some reachable states: so many from the initial one on, and those of a walk.
struct Near<'a> {
    graph: &'a Mutex<Graph>,
    most: usize,
    samples: &'a [Vec<u64>],
}

impl Near<'_> {
    fn graph(&self) -> MutexGuard<'_, Graph> {
        self.graph.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Find the states. What is too large for a search may be proved otherwise.
    fn explore(&self, net: &Net, budget: &Budget) -> Result<(), Uncertified> {
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
struct Easy<'a> {
    atoms: &'a Atoms<'a>,
    near: Near<'a>,
    runs: Vec<Taken>,
    linear: linear::Prover<'a>,
    /// Linear programs for a formula.
    programs: u32,
    claims: Vec<Claim>,
    /// Parts that inequalities do not prove.
    hopeless: FxHashSet<Id>,
    budget: &'a Budget,
}

impl Easy<'_> {
    /// Look for runs to the states that the verdict asks for.
    fn walk(&mut self, root: Id) {
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
    fn prove(&mut self, id: Id) -> bool {
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
    fn find(&mut self, id: Id, path: Id) -> bool {
        if self.claims.iter().any(|claim| claim.formula == id) {
            return true;
        }
        let (net, pool) = (self.atoms.net, self.atoms.pool);
        let satisfies = |(steps, end): &&Taken| checker::satisfies(net, pool, path, steps, *end) == Ok(true);
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
    easy: Easy<'a>,
    engine: MutexGuard<'a, Engine>,
    /// Sat-sets of state formulas.
    known: FxHashMap<Id, Mdd>,
    claims: Vec<Claim>,
    /// Of a program, what claims `E φ` are made of once it is known what is needed of them.
    open: Option<BTreeMap<Id, Accepting>>,
    /// What is needed of claims; of others nothing is.
    needs: BTreeMap<Id, Need>,
    ranked: Ranked,
    initial: Vec<u32>,
    budget: &'a Budget,
}

impl<'a> Proof<'a> {
    fn new(names: &'a Names, Sets { space, engine }: &'a Sets, easy: Easy<'a>) -> Result<Self, Uncertified> {
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
    fn sat(&mut self, id: Id) -> Result<Mdd, Uncertified> {
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
    fn need(&mut self, id: Id, state: Option<&State>) {
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
    fn claim_what_is_needed(&mut self) -> Result<(), Uncertified> {
        let (pool, mut open) = (self.pool, self.open.take().unwrap_or_default());
        let mut needed = Vec::new();
        while let Some((id, need)) = self.needs.pop_last() {
            needed.push(id);
            let Some(accepting) = open.remove(&id) else {
                let &Node::Forall(path) = &pool[id] else { continue };
                let automaton = checker::bounded(0, || checker::Tableau::new(pool, path, true))?;
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
        let automaton = checker::bounded(0, || checker::Tableau::new(self.pool, path, all))?;
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
