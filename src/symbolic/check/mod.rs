//! Sat-sets: which reachable states satisfy a formula.
//!
//! [`Checker`] computes the sat-set of a state formula from those of its subformulas, operands first, and
//! keeps every set it has computed, so that formulas of one [`Pool`] share their common parts.

mod actions;
mod atoms;
mod concurrent;
mod ctl;
mod distance;
mod fairness;
mod forward;
mod knowledge;
mod labels;
mod path;
mod plain;
mod product;
mod run;
mod steps;
mod verdict;
mod way;

pub use concurrent::{Verdicts, Work};

use super::{enabled::Enabled, meant, named_set, standstills};
use crate::automaton::{Builtin, Tgba, Translator};
use crate::budget::Budget;
use crate::formula::{Foreign, Formula, FormulaId, PathNode, PathSemantics, Pool};
use crate::mdd::Mdd;
use crate::net::PlaceId;
use crate::relation::Relation;
use crate::stop_reason::StopReason;
use atoms::Compiler;
use rustc_hash::FxHashMap;
use std::cell::{OnceCell, RefCell};
use std::sync::Arc;
use steps::Steps;
use way::Constraints;

pub(crate) use run::Taken;
pub(crate) use steps::SharedSteps;

/// The method for products with automata.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ProductKind {
    /// Component by component of the automaton, each by the cheapest fixpoint that is right for it.
    #[default]
    Components,
    /// As one product with one fixpoint: the reference.
    Plain,
}

/// The method for path quantifiers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Route {
    /// The operators of CTL by fixpoints of their own, other path formulas by automata.
    #[default]
    Fixpoints,
    /// Every path formula by its automaton: for comparison.
    Automata,
}

/// Work of the search for runs state by state: events tried and values tested.
const RUN_WORK: usize = 40_000_000;

/// Automata of path formulas over propositions, or (true) of their negations.
type Automata = FxHashMap<(Vec<PathNode>, bool), Arc<Tgba>>;

/// Computes sat-sets over one reachable set, under one path semantics.
#[derive(Debug)]
pub struct Checker<'a> {
    relation: Relation,
    states: Mdd,
    paths: PathSemantics,
    product: ProductKind,
    route: Route,
    translator: &'a dyn Translator,
    /// Is what sets say of propositions folded into automata?
    knowledge: bool,
    /// Are fairness conditions kept apart from automata?
    fairness: bool,
    /// All steps.
    all: Arc<Steps>,
    /// Sat-sets computed so far.
    known: FxHashMap<FormulaId, Mdd>,
    deadlocks: OnceCell<Mdd>,
    /// States from which an infinite path starts.
    infinite: OnceCell<Mdd>,
    /// The states from which some path satisfies conditions.
    fair: RefCell<Vec<(Constraints, Mdd)>>,
    automata: RefCell<Automata>,
    /// Work of the search for runs state by state, before it goes ring by ring.
    run_work: usize,
    /// The steps with some labels alone, by these labels.
    steps: RefCell<FxHashMap<Vec<u32>, Arc<Steps>>>,
}

impl<'a> Checker<'a> {
    /// A checker over `states`, the reachable set of `relation`.
    ///
    /// # Errors
    /// [`StopReason`] when the set is one of other tuples than the relation's.
    pub fn new(relation: &Relation, states: Mdd, paths: PathSemantics) -> Result<Self, StopReason> {
        Self::sharing(&SharedSteps::default(), relation, states, paths)
    }

    /// The same where other checkers of this relation and these states may find what this one has computed.
    pub(crate) fn sharing(
        steps: &SharedSteps,
        relation: &Relation,
        states: Mdd,
        paths: PathSemantics,
    ) -> Result<Self, StopReason> {
        states.space().expect(relation.levels() as usize)?;
        let all = steps.of(relation, &states)?;
        Ok(Checker {
            relation: relation.clone(),
            states,
            paths,
            product: ProductKind::default(),
            translator: &Builtin,
            knowledge: false,
            fairness: true,
            route: Route::default(),
            all,
            known: FxHashMap::default(),
            deadlocks: OnceCell::new(),
            infinite: OnceCell::new(),
            fair: RefCell::default(),
            automata: RefCell::default(),
            run_work: RUN_WORK,
            steps: RefCell::default(),
        })
    }

    /// The same checker, computing products with automata in the given way.
    #[must_use]
    pub fn with_product(mut self, product: ProductKind) -> Self {
        self.product = product;
        self
    }

    /// The same checker, computing path quantifiers in the given way.
    #[must_use]
    pub fn with_route(mut self, route: Route) -> Self {
        self.route = route;
        self
    }

    /// The same checker, taking automata of path formulas from another translator.
    #[must_use]
    pub fn with_translator(mut self, translator: &'a dyn Translator) -> Self {
        self.translator = translator;
        self
    }

    /// The same checker, folding what the sets of propositions say of each other into automata, or not.
    #[must_use]
    pub fn with_knowledge(mut self, knowledge: bool) -> Self {
        self.knowledge = knowledge;
        self
    }

    /// The same checker, keeping fairness conditions apart from automata, or making them part of these.
    #[must_use]
    pub fn with_fairness(mut self, fairness: bool) -> Self {
        self.fairness = fairness;
        self
    }

    /// The same checker, going over to rings of sets after this work on a run.
    #[cfg(test)]
    pub(crate) fn with_run_work(mut self, work: usize) -> Self {
        self.run_work = work;
        self
    }

    /// The reachable set.
    pub fn states(&self) -> &Mdd {
        &self.states
    }

    /// The path semantics.
    pub fn paths(&self) -> PathSemantics {
        self.paths
    }

    /// The reachable states that satisfy a state formula of `pool`.
    ///
    /// # Errors
    /// [`StopReason`] when the budget is used up, on division by zero, on overflow of an expression, and for a formula of
    /// another pool or about another model.
    pub fn sat(&mut self, pool: &Pool, formula: FormulaId, budget: &Budget) -> Result<Mdd, StopReason> {
        self.check(pool, formula)?;
        for id in pool.subformulas(&[formula]) {
            if pool.is_state(id) && !self.known.contains_key(&id) {
                let set = self.compute(pool, id, budget)?;
                self.known.insert(id, set);
            }
        }
        self.known
            .get(&formula)
            .cloned()
            .ok_or(StopReason::Unsupported("a path formula has no sat-set; quantify it with E or A"))
    }

    /// Can this formula be decided here? Relations know nothing of actions that are never possible.
    pub(super) fn check(&self, pool: &Pool, formula: FormulaId) -> Result<(), StopReason> {
        Ok(pool.check(formula, self.relation.variables(), usize::MAX)?)
    }

    /// The greatest sum over the reachable states that people mean of the tokens in `places`, counted as often as listed.
    ///
    /// # Errors
    /// [`StopReason`] for a place of another net, and when the budget is used up.
    pub fn bound(&self, places: &[PlaceId], budget: &Budget) -> Result<i128, StopReason> {
        if places.iter().any(|place| place.index() >= self.relation.variables()) {
            return Err(Foreign::Model.into());
        }
        let mut weights = vec![0i64; self.relation.levels() as usize];
        let mut offset = 0i128;
        for place in places {
            self.relation.places_of(place.index()).for_each(|(level, weight)| weights[level as usize] += weight as i64);
            offset += i128::from(self.relation.offset_of(place.index()));
        }
        Ok(meant(&self.relation, &self.states, budget)?.maximum_of_sum(&weights).unwrap_or(0) + offset)
    }

    /// The reachable states in which nothing is enabled.
    pub fn deadlocks(&self, budget: &Budget) -> Result<Mdd, StopReason> {
        if let Some(known) = self.deadlocks.get() {
            return Ok(known.clone());
        }
        let found = super::statistics::deadlocks(&self.relation, &self.states, budget)?;
        Ok(self.deadlocks.get_or_init(|| found).clone())
    }

    fn all_but(&self, set: &Mdd, budget: &Budget) -> Result<Mdd, StopReason> {
        Ok(self.states.difference(set, budget)?)
    }

    fn known(&self, id: FormulaId) -> Result<&Mdd, StopReason> {
        self.known.get(&id).ok_or(StopReason::Unsupported("a path formula stands where a state formula is needed"))
    }

    /// The sat-set of a state formula whose state subformulas are known.
    fn compute(&self, pool: &Pool, formula: FormulaId, budget: &Budget) -> Result<Mdd, StopReason> {
        match &pool[formula] {
            Formula::True => Ok(self.states.clone()),
            Formula::False => Ok(self.states.space().empty()),
            Formula::Deadlock => self.deadlocks(budget),
            Formula::Still(how) => standstills(&self.relation, &self.states, *how, budget),
            Formula::Enabled(transitions) => {
                let labels: Vec<u32> = transitions.iter().map(|t| t.0).collect();
                self.enabled(&labels, budget)
            }
            Formula::Compare(left, comparison, right) => {
                let bound = |places: &[PlaceId]| self.bound(places, budget);
                let compiler = Compiler { pool, relation: &self.relation, bound: &bound };
                let atom = (*left, *comparison, *right);
                self.states.run(budget, |session, states| compiler.states(atom, session, states))
            }
            Formula::Label(label) => {
                self.states.run(budget, |session, states| labels::states(&self.relation, *label, session, states))
            }
            Formula::Set(set) => named_set(&self.relation, set, &self.states, budget),
            Formula::Not(a) => self.all_but(self.known(*a)?, budget),
            Formula::And(operands) => {
                let mut set = self.states.clone();
                for &operand in operands {
                    set = set.intersection(self.known(operand)?, budget)?;
                }
                Ok(set)
            }
            Formula::Or(operands) => {
                let mut set = self.states.space().empty();
                for &operand in operands {
                    set = set.union(self.known(operand)?, budget)?;
                }
                Ok(set)
            }
            Formula::Implies(a, b) => Ok(self.all_but(self.known(*a)?, budget)?.union(self.known(*b)?, budget)?),
            Formula::Iff(a, b) => {
                let (a, b) = (self.known(*a)?, self.known(*b)?);
                let both = a.intersection(b, budget)?;
                let either = a.union(b, budget)?;
                Ok(self.all_but(&either, budget)?.union(&both, budget)?)
            }
            Formula::Diamond(labels, a) => self.after_some(labels.as_deref(), self.known(*a)?, budget),
            Formula::Box(labels, a) => {
                let fails = self.after_some(labels.as_deref(), &self.all_but(self.known(*a)?, budget)?, budget)?;
                self.all_but(&fails, budget)
            }
            Formula::Exists(path) => self.exists(pool, *path, budget),
            Formula::Forall(path) => self.forall(pool, *path, budget),
            _ => Err(StopReason::Unsupported("a path formula stands where a state formula is needed")),
        }
    }

    fn enabled(&self, labels: &[u32], budget: &Budget) -> Result<Mdd, StopReason> {
        self.states.run(budget, |session, states| {
            let enabled = Enabled::new(&self.relation, session)?;
            let mut union = session.empty();
            for (number, event) in self.relation.events().iter().enumerate() {
                if event.labels.iter().any(|label| labels.binary_search(label).is_ok()) {
                    let accepted = enabled.event(number as u32, states)?;
                    union = session.union(0, union.edge(), accepted.edge())?;
                }
            }
            if self.relation.is_conjunctive() {
                let together = enabled.together(&|label| labels.binary_search(&label).is_ok(), states)?;
                union = session.union(0, union.edge(), together.edge())?;
            }
            Ok(union)
        })
    }
}
