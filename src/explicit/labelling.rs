//! CTL\* by labelling the reachability graph: which states satisfy a formula.
//!
//! **Problem.** Where states have little in common, a diagram has about as many nodes as there are states,
//! and each fixpoint makes as many again. A few million states are then better visited one by one.
//!
//! **Idea.** One bit per state and subformula, computed operands first (Clarke, Emerson, Sistla, TOPLAS 8, 1986).
//! `E[a U b]` walks backwards from b inside a. `EG a` counts, for each state of a, the successors inside a, and
//! takes states out whose count has reached 0 (Arnold and Crubillé, IPL 29, 1988). Each operator takes time
//! linear in the graph. Everything else is Boolean, or follows from these:
//!
//! | | |
//! |---|---|
//! | `E[a R b]` | `EG b ∨ E[b U (a ∧ b)]` |
//! | `E[a W b]` | `EG a ∨ E[a U b]` |
//! | `E[a M b]` | `E[b U (a ∧ b)]` |
//! | `A φ` | `¬E ¬φ`, the negation moved through the operator |
//!
//! Other path formulas become automata ([`super::fair_states`]); several fairness conditions, and those that speak of
//! actions, are kept beside them ([`super::fair_components`]).
//!
//! `⟨a⟩ f` and `[a] f` need the steps that the edges are. Edges are kept in the order in which the steps of a state are
//! enumerated, so the steps are enumerated again, but not taken.
//!
//! **Path semantics** decide about states without successors. Under `maximal` and `stutter` a path may end
//! there, so `EG a` keeps them; under `stutter` they are their own successors for `EX`; under `infinite` no
//! path leads there, and what `EX` and `E U` aim at must begin an infinite path.

use super::atoms::{Atoms, MAX_PROPOSITIONS};
use super::ctl::{
    BEYOND, atom_sets, complement, conditions, insert, intersection, label, labelled, path, quantified, union,
};
use super::fair_components::{Demand, Demands, FairComponents};
use super::fair_states::FairStates;
use super::fixpoints::{Fixpoints, Route};
use super::graph::{Graph, Unfinished};
use super::packed_model::PackedModel;
use super::path_automaton::PathAutomaton;
use super::pieces::{PIECE, pieces, share};
use super::results::Growth;
use super::states::States;
use super::store::StateId;
use super::{Facts, Stats};
use crate::automaton::Prop;
use crate::budget::Budget;
use crate::formula::{
    Decomposition, FairConjuncts, Formula, FormulaId, Nodes, PathNode, PathSemantics, Pool, alone, reads_actions,
};
use crate::model::{ActionId, Path, State, Step, Then, TransitionSystem};
use crate::stop_reason::StopReason;
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;
use std::fmt::Debug;
use std::ops::Range;

/// States between two looks at the budget.
const CHECK_EVERY: usize = 1 << 11;
/// Bits of a word of a set.
const BITS: usize = usize::BITS as usize;

/// Not one of those of CTL\*, either, that can be labelled.
const ACTIONS: StopReason = StopReason::Unsupported(
    "paths are not labelled by actions but in fairness conditions, nor by more than 63 conditions",
);
/// The most action atoms of a fairness condition.
const MOST_ACTIONS: usize = 6;

/// The reachability graph of a model, ready to be labelled.
///
/// ```
/// use starset::budget::Budget;
/// use starset::explicit::Encoding;
/// use starset::formula::{PathSemantics, Pool, Symbols, parse};
/// use starset::kinds::Kind;
/// use starset::net::NetBuilder;
/// let mut b = NetBuilder::new("coin");
/// let (up, heads, tails) = (b.place("up", 1)?, b.place("heads", 0)?, b.place("tails", 0)?);
/// for (name, place) in [("h", heads), ("t", tails)] {
///     let t = b.transition(name)?;
///     b.input(up, t, 1)?;
///     b.output(t, place, 1)?;
/// }
/// let (net, budget) = (b.build()?, Budget::unlimited());
/// let mut pool = Pool::new();
/// let formula = parse("EF #heads = 1", &Symbols::new(&net), &mut pool)?;
/// let engine = net.compile(&Encoding::default(), &budget)?;
/// let mut labelling = engine.labelling(&budget)?;
/// let labels = labelling.satisfying(&pool, formula, PathSemantics::Maximal, &budget)?;
/// assert_eq!((labelling.states(), labels.count(), labels.holds_initially()), (3, 2, true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Labelling<'m> {
    pub(super) states: Box<dyn Labelled + 'm>,
    pub(super) graph: Graph,
    stats: Stats,
    initial: u32,
    /// Are several fairness conditions kept apart from automata?
    fairness: bool,
}

/// How many initial states there are: those with the first numbers.
fn initial_states<S: PackedModel>(states: &States<S>) -> u32 {
    let all = states.space().system().initial_states();
    all.iter().filter_map(|state| states.find(state)).max().map_or(0, |last| last + 1)
}

/// The states of a graph, whatever space they are from.
pub(super) trait Labelled: Debug + Send + Sync {
    /// The model.
    fn system(&self) -> &dyn TransitionSystem;

    /// The number of a reachable state; `None` for others.
    fn state_of(&self, state: &State) -> Option<u32>;

    /// The labels of conditions on single states.
    fn conditions(
        &mut self,
        graph: &Graph,
        pool: &Pool,
        wanted: &[FormulaId],
        budget: &Budget,
    ) -> Result<Known, StopReason>;

    /// The states from which a step with one of these actions leads to the target.
    fn before(
        &mut self,
        graph: &Graph,
        actions: &[ActionId],
        target: &FixedBitSet,
        budget: &Budget,
    ) -> Result<FixedBitSet, StopReason>;

    /// The edges with these actions.
    fn taken(&mut self, graph: &Graph, actions: &[ActionId], budget: &Budget) -> Result<FixedBitSet, StopReason>;

    /// The numbers that the packed model has for these actions.
    fn numbers_of(&self, actions: &[ActionId]) -> FixedBitSet;

    /// Add the numbers of the actions that are enabled in a state.
    fn enabled(&mut self, state: StateId, words: &mut Vec<u64>, found: &mut FixedBitSet) -> Result<(), StopReason>;

    /// A step that leads from one state to another.
    fn step(&self, from: StateId, to: StateId) -> Result<Option<Step>, StopReason>;
}

/// The states that satisfy a formula.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Labels {
    pub(super) states: FixedBitSet,
    /// The initial states have the numbers below.
    initial: u32,
}

impl Labels {
    /// How many states satisfy it.
    pub fn count(&self) -> u64 {
        self.states.count_ones(..) as u64
    }

    /// Does the initial state? If there are several: do all of them?
    pub fn holds_initially(&self) -> bool {
        (0..self.initial as usize).all(|state| self.states.contains(state))
    }

    /// Does the state with this number ([`Labelling::state_of`])?
    pub fn contains(&self, state: u32) -> bool {
        self.states.contains(state as usize)
    }
}

/// The labels of the state subformulas of a formula: of quantified ones and what contains those, and of the largest
/// conditions on single states.
#[derive(Clone, Debug)]
pub struct AllLabels {
    paths: PathSemantics,
    known: FxHashMap<FormulaId, Labels>,
    /// Where paths begin, unless they do everywhere.
    begins: Option<FixedBitSet>,
}

impl AllLabels {
    /// The semantics of paths.
    pub fn paths(&self) -> PathSemantics {
        self.paths
    }

    /// The states that satisfy a subformula, if it is labelled.
    pub fn of(&self, formula: FormulaId) -> Option<&Labels> {
        self.known.get(&formula)
    }
}

/// A reachability graph that is being explored ([`super::Explicit::graph`]).
pub trait Growing<'m>: Debug + Send {
    /// Explore what is left.
    ///
    /// # Errors
    /// [`StopReason`] when the budget is used up; then it can go on with another.
    fn go_on(&mut self, budget: &Budget) -> Result<(), StopReason>;

    /// How far it is.
    fn growth(&self) -> Growth;

    /// The rest of it, to be labelled.
    ///
    /// # Errors
    /// [`StopReason`] when the budget is used up; then it is lost.
    fn finish(self: Box<Self>, budget: &Budget) -> Result<Labelling<'m>, StopReason>;
}

impl<'m, S: PackedModel + 'm> Growing<'m> for Unfinished<'m, S> {
    fn go_on(&mut self, budget: &Budget) -> Result<(), StopReason> {
        self.go_on(budget)
    }

    fn growth(&self) -> Growth {
        self.growth()
    }

    fn finish(mut self: Box<Self>, budget: &Budget) -> Result<Labelling<'m>, StopReason> {
        Unfinished::go_on(&mut self, budget)?;
        let (states, graph, stats) = Unfinished::finish(*self, budget)?;
        let initial = initial_states(&states);
        Ok(Labelling { states: Box::new(states), graph, stats, initial, fairness: true })
    }
}

impl Labelling<'_> {
    /// Number of reachable states.
    pub fn states(&self) -> u64 {
        self.graph.states() as u64
    }

    /// The same, keeping several fairness conditions apart from automata, or making them part of these as far as they speak of states
    /// alone.
    #[must_use]
    pub fn with_fairness(mut self, fairness: bool) -> Self {
        self.fairness = fairness;
        self
    }

    /// The effort of the exploration.
    pub fn stats(&self) -> Stats {
        self.stats
    }

    /// The number of a reachable state; `None` for others.
    pub fn state_of(&self, state: &State) -> Option<u32> {
        self.states.state_of(state)
    }

    /// The states that satisfy a state formula of CTL\*.
    ///
    /// # Errors
    /// [`StopReason`] when the budget is used up, when an atom has no value, and when a path formula beyond CTL speaks of actions or of
    /// more than 63 conditions.
    pub fn satisfying(
        &mut self,
        pool: &Pool,
        formula: FormulaId,
        paths: PathSemantics,
        budget: &Budget,
    ) -> Result<Labels, StopReason> {
        let mut all = self.label(pool, formula, paths, budget)?;
        all.known.remove(&formula).ok_or(BEYOND)
    }

    /// The labels of a state formula of CTL\* and of its state subformulas.
    ///
    /// # Errors
    /// As for [`Labelling::satisfying`].
    pub fn label(
        &mut self,
        pool: &Pool,
        formula: FormulaId,
        paths: PathSemantics,
        budget: &Budget,
    ) -> Result<AllLabels, StopReason> {
        let system = self.states.system();
        pool.check(formula, system.variables(), system.actions())?;
        let all = pool.subformulas(&[formula]);
        let (conditions, largest) = conditions(pool, formula, &all);
        let mut known = self.states.conditions(&self.graph, pool, &largest, budget)?;
        let fixpoints = Fixpoints::new(&self.graph, paths, budget)?;
        for id in all {
            if !pool.is_state(id) || conditions.contains(&id) {
                continue;
            }
            let states = match &pool[id] {
                Formula::Diamond(actions, a) => {
                    let target = states_of(&known, *a)?;
                    before(&mut *self.states, &self.graph, actions.as_deref(), target, paths, budget)?
                }
                Formula::Box(actions, a) => {
                    let outside = complement(states_of(&known, *a)?);
                    complement(&before(&mut *self.states, &self.graph, actions.as_deref(), &outside, paths, budget)?)
                }
                _ => match label(&fixpoints, pool, id, &|id| known.get(&id).map(|labels| &labels.states)) {
                    Err(stop) if stop == BEYOND => {
                        let taken = taken(&mut *self.states, &self.graph, pool, id, budget)?;
                        let fair = self.fair_states(pool, id, (&known, &taken), paths, budget)?.all()?;
                        if quantified(pool, id)?.1 { complement(&fair) } else { fair }
                    }
                    found => found?,
                },
            };
            known.insert(id, Labels { states, initial: self.initial });
        }
        Ok(AllLabels { paths, known, begins: fixpoints.into_begins() })
    }

    /// A shortest possible start of a run from a state that shows why a quantified formula holds there (`E φ`) or
    /// not (`A φ`), and how it goes on. With `closed`, it does not end open.
    ///
    /// # Errors
    /// [`StopReason`] when the budget is used up, and when no run can show it.
    pub fn run(
        &self,
        pool: &Pool,
        labels: &AllLabels,
        (formula, state): (FormulaId, u32),
        closed: bool,
        budget: &Budget,
    ) -> Result<Path, StopReason> {
        let fixpoints = Fixpoints::with_begins(&self.graph, labels.paths, budget, labels.begins.clone());
        let known = |id| labels.known.get(&id).map(|labels| &labels.states);
        let route = match path(self.graph.states(), pool, formula, &known) {
            Err(stop) if stop == BEYOND => {
                let taken = FxHashMap::default();
                self.fair_states(pool, formula, (&labels.known, &taken), labels.paths, budget)?.route(state)?
            }
            path => fixpoints.route(&path?, state, closed)?,
        };
        self.along(route.ok_or(BEYOND)?)
    }

    /// The steps along a route.
    pub(super) fn along(&self, route: Route) -> Result<Path, StopReason> {
        let mut prefix = Vec::with_capacity(route.states.len());
        let target = route.cycle.and_then(|start| route.states.get(start));
        for (at, &from) in route.states.iter().enumerate() {
            let Some(&to) = route.states.get(at + 1).or(target) else { break };
            prefix.push(self.states.step(from, to)?.ok_or(BEYOND)?);
        }
        let then = match route.cycle {
            Some(start) => Then::Cycle(prefix.split_off(start)),
            None if route.ends => Then::Deadlock,
            None => Then::Open,
        };
        Ok(Path { prefix, then })
    }
}

impl<'g> Labelling<'_> {
    /// The graph with the automaton of the paths that show `E φ`, or refute `A φ`. What is in φ is labelled, and so are
    /// the edges with the actions of its fairness conditions.
    fn fair_states(
        &'g self,
        pool: &Pool,
        formula: FormulaId,
        (known, taken): (&Known, &Taken),
        paths: PathSemantics,
        budget: &'g Budget,
    ) -> Result<Fair<'g>, StopReason> {
        let (path, negated) = quantified(pool, formula)?;
        let parts = pool.decompose(path);
        let (parts, negated, demands) = match split(&parts, negated, self.fairness) {
            Some(conjuncts) => {
                let labelled = Conditions { pool, known, taken, parts: &parts, graph: &self.graph };
                let demands = labelled.demands(&conjuncts)?;
                (alone(&conjuncts.rest, &parts.propositions, &parts.actions), false, Some(demands))
            }
            None => (parts, negated, None),
        };
        let (pool, facts) = (&mut pool.clone(), Facts::default());
        let automaton = PathAutomaton::of_parts(pool, parts, negated, paths, &facts, budget)?;
        if automaton.has_actions || automaton.atoms.len() > MAX_PROPOSITIONS {
            return Err(ACTIONS);
        }
        let deadlocks = || {
            let mut deadlocks = FixedBitSet::with_capacity(self.graph.states());
            (0..self.graph.states()).for_each(|state| deadlocks.set(state, self.graph.successors(state).is_empty()));
            Ok::<_, StopReason>(deadlocks)
        };
        let known = |id| known.get(&id).map(|labels| &labels.states);
        let atoms = atom_sets(pool, &automaton.atoms, &known, deadlocks)?;
        let product = FairStates::new(&self.graph, &automaton, &atoms, paths, (budget, self.stats.bytes))?;
        Ok(match demands {
            Some(demands) => Fair::Under(FairComponents { product, demands }),
            None => Fair::Plain(product),
        })
    }
}

/// The edges with the actions of an action atom.
type Taken = FxHashMap<FormulaId, FixedBitSet>;

/// The edges with the actions of each action atom in the fairness conditions of a quantified formula.
fn taken(
    states: &mut dyn Labelled,
    graph: &Graph,
    pool: &Pool,
    formula: FormulaId,
    budget: &Budget,
) -> Result<Taken, StopReason> {
    let (path, negated) = quantified(pool, formula)?;
    let parts = pool.decompose(path);
    let mut taken = Taken::default();
    if let Some(conjuncts) = split(&parts, negated, true)
        && !reads_actions(&conjuncts.rest)
    {
        for &action in &parts.actions {
            if let Formula::Action(list) = &pool[action] {
                taken.insert(action, states.taken(graph, list, budget)?);
            }
        }
    }
    Ok(taken)
}

/// The fairness conditions of a path formula, where it is better to keep them apart from the automaton.
fn split(parts: &Decomposition, negated: bool, several_apart: bool) -> Option<FairConjuncts> {
    let conjuncts = FairConjuncts::of(&parts.nodes, negated)?;
    let several = conjuncts.justice.len() + conjuncts.compassion.len() > 1;
    (several && several_apart || reads_actions(&parts.nodes)).then_some(conjuncts)
}

/// The labels of a condition, of which a negation may be labelled.
fn labelled_or_not(pool: &Pool, known: &Known, id: FormulaId) -> Result<FixedBitSet, StopReason> {
    labelled(pool, id, &|id| known.get(&id).map(|labels| &labels.states)).ok_or(BEYOND)
}

/// A product that is searched.
enum Fair<'g> {
    Plain(FairStates<'g>),
    Under(FairComponents<'g>),
}

impl Fair<'_> {
    fn all(&self) -> Result<FixedBitSet, StopReason> {
        match self {
            Fair::Plain(product) => product.all(),
            Fair::Under(product) => product.all(),
        }
    }

    fn route(&self, from: StateId) -> Result<Option<Route>, StopReason> {
        match self {
            Fair::Plain(product) => product.route(from),
            Fair::Under(product) => product.route(from),
        }
    }
}

/// Labels of states and edges for fairness conditions of a path formula.
struct Conditions<'a> {
    pool: &'a Pool,
    known: &'a Known,
    taken: &'a Taken,
    parts: &'a Decomposition,
    graph: &'a Graph,
}

impl Conditions<'_> {
    fn demands(&self, conjuncts: &FairConjuncts) -> Result<Demands, StopReason> {
        let mut all = Vec::new();
        for nodes in &conjuncts.justice {
            all.push((None, self.demand(nodes)?));
        }
        for (p, q) in &conjuncts.compassion {
            all.push((Some(self.satisfying(p, &[])?), self.demand(q)?));
        }
        Ok(Demands { all })
    }

    /// What a combination of conditions and action atoms demands.
    fn demand(&self, nodes: &Nodes) -> Result<Demand, StopReason> {
        let mut actions: Vec<u32> =
            nodes.iter().filter_map(|node| if let PathNode::Action(a) = node { Some(*a) } else { None }).collect();
        actions.sort_unstable();
        actions.dedup();
        if actions.len() > MOST_ACTIONS {
            return Err(ACTIONS);
        }
        let idle = self.satisfying(nodes, &[])?;
        if actions.is_empty() {
            return Ok(Demand { always: idle.clone(), idle, taken: None });
        }
        let mut always = idle.clone();
        let mut of_class = vec![idle.clone()];
        for class in 1..1usize << actions.len() {
            let taken: Vec<u32> = (0..).zip(&actions).filter(|(k, _)| class >> k & 1 == 1).map(|(_, &a)| a).collect();
            let states = self.satisfying(nodes, &taken)?;
            always.intersect_with(&states);
            of_class.push(states);
        }
        let edges: Vec<&FixedBitSet> = actions
            .iter()
            .map(|&action| self.taken.get(&self.parts.actions[action as usize]).ok_or(ACTIONS))
            .collect::<Result<_, _>>()?;
        let mut taken = FixedBitSet::with_capacity(self.graph.edges());
        for state in 0..self.graph.states() {
            for edge in (self.graph.first_edge(state)..).take(self.graph.successors(state).len()) {
                let class = (0..).zip(&edges).filter(|(_, edges)| edges.contains(edge)).map(|(k, _)| 1usize << k);
                taken.set(edge, of_class[class.sum::<usize>()].contains(state));
            }
        }
        Ok(Demand { always, idle, taken: Some(taken) })
    }

    /// The states where a combination of atoms holds of steps of which these action atoms hold.
    fn satisfying(&self, nodes: &Nodes, taken: &[u32]) -> Result<FixedBitSet, StopReason> {
        let none = FixedBitSet::with_capacity(self.graph.states());
        let mut sets: Vec<FixedBitSet> = Vec::with_capacity(nodes.len());
        for node in nodes {
            let at = |a: &usize| &sets[*a];
            let set = match node {
                PathNode::True => complement(&none),
                PathNode::False => none.clone(),
                PathNode::Prop(number) => {
                    labelled_or_not(self.pool, self.known, self.parts.propositions[*number as usize])?
                }
                PathNode::Action(number) if taken.contains(number) => complement(&none),
                PathNode::Action(_) => none.clone(),
                PathNode::Not(a) => complement(at(a)),
                PathNode::And(operands) => {
                    operands.iter().fold(complement(&none), |set, operand| intersection(set, at(operand)))
                }
                PathNode::Or(operands) => operands.iter().fold(none.clone(), |set, operand| union(set, at(operand))),
                PathNode::Implies(a, b) => union(complement(at(a)), at(b)),
                PathNode::Iff(a, b) => {
                    let mut different = at(a).clone();
                    different.symmetric_difference_with(at(b));
                    complement(&different)
                }
                _ => return Err(BEYOND),
            };
            sets.push(set);
        }
        sets.pop().ok_or(BEYOND)
    }
}

/// Some states, and which of them satisfy each of some conditions, counted from the first.
type Piece = (Range<StateId>, Vec<FixedBitSet>);

impl<S: PackedModel> States<S> {
    /// The states in some pieces that satisfy conditions on single states.
    fn letters(
        &self,
        pieces: &mut dyn Iterator<Item = Range<StateId>>,
        pool: &Pool,
        wanted: &[FormulaId],
        budget: &Budget,
    ) -> Result<Vec<Piece>, StopReason> {
        let used: Vec<Prop> = (0..wanted.len() as u32).map(Prop).collect();
        let mut atoms = Atoms::new(self.space(), pool, wanted, &used)?;
        let mut words = Vec::new();
        let mut all = Vec::new();
        for piece in pieces {
            let mut sets = vec![FixedBitSet::with_capacity(piece.len()); wanted.len()];
            for (at, state) in piece.clone().enumerate() {
                if at.is_multiple_of(CHECK_EVERY) {
                    budget.check()?;
                }
                self.read(state, &mut words);
                insert(at, atoms.letter(self.space(), &words)?, &mut sets);
            }
            all.push((piece, sets));
        }
        Ok(all)
    }
}

impl<S: PackedModel> Labelled for States<S> {
    fn system(&self) -> &dyn TransitionSystem {
        self.space().system()
    }

    fn state_of(&self, state: &State) -> Option<u32> {
        self.find(state)
    }

    fn conditions(
        &mut self,
        graph: &Graph,
        pool: &Pool,
        wanted: &[FormulaId],
        budget: &Budget,
    ) -> Result<Known, StopReason> {
        let mut known = Known::default();
        let initial = initial_states(self);
        let pieces: Vec<Range<StateId>> = pieces(0..graph.states() as StateId, PIECE).collect();
        for some in wanted.chunks(MAX_PROPOSITIONS) {
            let mut sets = vec![FixedBitSet::with_capacity(graph.states()); some.len()];
            let look = |pieces: &mut dyn Iterator<Item = Range<StateId>>| self.letters(pieces, pool, some, budget);
            for (piece, found) in share(graph.threads(), &pieces, look)?.into_iter().flatten() {
                let place = piece.start as usize / BITS..;
                for (set, found) in sets.iter_mut().zip(found) {
                    let place = &mut set.as_mut_slice()[place.clone()];
                    place[..found.as_slice().len()].copy_from_slice(found.as_slice());
                }
            }
            known.extend(some.iter().copied().zip(sets.into_iter().map(|states| Labels { states, initial })));
        }
        Ok(known)
    }

    fn before(
        &mut self,
        graph: &Graph,
        actions: &[ActionId],
        target: &FixedBitSet,
        budget: &Budget,
    ) -> Result<FixedBitSet, StopReason> {
        let wanted = numbers_of(self.space(), actions);
        let mut found = FixedBitSet::with_capacity(graph.states());
        let mut words = Vec::new();
        for state in 0..graph.states() {
            if state.is_multiple_of(CHECK_EVERY) {
                budget.check()?;
            }
            let successors = graph.successors(state);
            if !successors.iter().any(|&next| target.contains(next as usize)) {
                continue;
            }
            self.load(state as u32, &mut words)?;
            let mut cursor = self.cursor(&words, 0);
            for &next in successors {
                let Some(rule) = self.next(&words, &mut cursor) else { break };
                if target.contains(next as usize) && wanted.contains(self.action(rule) as usize) {
                    found.insert(state);
                    break;
                }
            }
        }
        Ok(found)
    }

    fn taken(&mut self, graph: &Graph, actions: &[ActionId], budget: &Budget) -> Result<FixedBitSet, StopReason> {
        let wanted = numbers_of(self.space(), actions);
        let mut found = FixedBitSet::with_capacity(graph.edges());
        let mut words = Vec::new();
        for state in 0..graph.states() {
            if state.is_multiple_of(CHECK_EVERY) {
                budget.check()?;
            }
            self.load(state as u32, &mut words)?;
            let mut cursor = self.cursor(&words, 0);
            for edge in (graph.first_edge(state)..).take(graph.successors(state).len()) {
                let Some(rule) = self.next(&words, &mut cursor) else { break };
                found.set(edge, wanted.contains(self.action(rule) as usize));
            }
        }
        Ok(found)
    }

    fn numbers_of(&self, actions: &[ActionId]) -> FixedBitSet {
        numbers_of(self.space(), actions)
    }

    fn enabled(&mut self, state: StateId, words: &mut Vec<u64>, found: &mut FixedBitSet) -> Result<(), StopReason> {
        self.load(state, words)?;
        let mut cursor = self.cursor(words, 0);
        while let Some(rule) = self.next(words, &mut cursor) {
            found.insert(self.action(rule) as usize);
        }
        Ok(())
    }

    fn step(&self, from: StateId, to: StateId) -> Result<Option<Step>, StopReason> {
        States::step(self, from, to)
    }
}

/// The numbers that a packed model has for these actions.
fn numbers_of<S: PackedModel>(space: &S, actions: &[ActionId]) -> FixedBitSet {
    let mut numbers = FixedBitSet::with_capacity(space.system().actions());
    actions.iter().filter_map(|&id| space.action_of(id)).for_each(|action| numbers.insert(action as usize));
    numbers
}

/// The states from which a step with one of these actions, or with any, leads to the target.
fn before(
    states: &mut dyn Labelled,
    graph: &Graph,
    actions: Option<&[ActionId]>,
    target: &FixedBitSet,
    paths: PathSemantics,
    budget: &Budget,
) -> Result<FixedBitSet, StopReason> {
    let Some(actions) = actions else {
        let repeats = paths == PathSemantics::Stutter;
        let leads = |state: usize| match graph.successors(state) {
            [] => repeats && target.contains(state),
            successors => successors.iter().any(|&next| target.contains(next as usize)),
        };
        let mut found = FixedBitSet::with_capacity(graph.states());
        (0..graph.states()).filter(|&state| leads(state)).for_each(|state| found.insert(state));
        return Ok(found);
    };
    states.before(graph, actions, target, budget)
}

type Known = FxHashMap<FormulaId, Labels>;

fn states_of(known: &Known, id: FormulaId) -> Result<&FixedBitSet, StopReason> {
    known.get(&id).map(|labels| &labels.states).ok_or(BEYOND)
}
