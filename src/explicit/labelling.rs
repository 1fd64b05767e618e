//! CTL by labelling the reachability graph: which markings satisfy a formula.
//!
//! **Problem.** Where markings have little in common, a diagram has about as many nodes as there are markings,
//! and each fixpoint makes as many again. A few million markings are then better visited one by one.
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
//! `⟨a⟩ f` and `[a] f` need the steps that the edges are. Edges are kept in the order in which the steps of a state are
//! enumerated, so the steps are enumerated again, but not taken.
//!
//! **Path semantics** decide about states without successors. Under `maximal` and `stutter` a path may end
//! there, so `EG a` keeps them; under `stutter` they are their own successors for `EX`; under `infinite` no
//! path leads there, and what `EX` and `E U` aim at must begin an infinite path.

use super::atoms::{Atoms, MAX_PROPOSITIONS};
use super::fixpoints::{Fixpoints, Path, complement, intersection, union};
use super::graph::Graph;
use super::space::Space;
use super::store::StateId;
use super::synchronised::Synchronised;
use super::system::System;
use super::{Options, Stats, Stopped};
use crate::automaton::Prop;
use crate::budget::Budget;
use crate::formula::{Formula, FormulaId, PathSemantics, Pool};
use crate::lts::Model;
use crate::net::{Marking, TransitionId};
use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};

/// States between two looks at the budget.
const CHECK_EVERY: usize = 1 << 14;

/// Not a formula of CTL.
pub(super) const BEYOND: Stopped = Stopped::Unsupported("a path formula beyond CTL");

/// The reachability graph of a net, ready to be labelled.
///
/// ```
/// use starset::budget::Budget;
/// use starset::explicit::{Labelling, Options};
/// use starset::formula::{PathSemantics, Pool, Symbols, parse};
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
/// let mut labelling = Labelling::new(&net, &Options::default(), &budget)?;
/// let labels = labelling.satisfying(&pool, formula, PathSemantics::Maximal, &budget)?;
/// assert_eq!((labelling.states(), labels.count(), labels.holds_initially()), (3, 2, true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Labelling<'n> {
    states: States<'n>,
    graph: Graph,
    stats: Stats,
}

/// The states of the graph, by model.
#[derive(Debug)]
enum States<'n> {
    Net(Box<System<'n>>),
    Network(Box<Synchronised<'n>>),
}

/// The states that satisfy a formula.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Labels {
    states: FixedBitSet,
}

impl Labels {
    /// How many states satisfy it.
    pub fn count(&self) -> u64 {
        self.states.count_ones(..) as u64
    }

    /// Does the initial marking?
    pub fn holds_initially(&self) -> bool {
        self.states.contains(0)
    }

    /// Does the state with this number ([`Labelling::state_of`])?
    pub fn contains(&self, state: u32) -> bool {
        self.states.contains(state as usize)
    }
}

/// The labels of the state subformulas of a formula: of quantified ones and what contains those, and of the largest
/// conditions on single markings.
#[derive(Clone, Debug)]
pub struct AllLabels {
    paths: PathSemantics,
    known: FxHashMap<FormulaId, Labels>,
    /// Where paths begin, unless they do everywhere.
    begins: Option<FixedBitSet>,
}

impl AllLabels {
    /// What paths are.
    pub fn paths(&self) -> PathSemantics {
        self.paths
    }

    /// The states that satisfy a subformula, if it is labelled.
    pub fn of(&self, formula: FormulaId) -> Option<&Labels> {
        self.known.get(&formula)
    }
}

/// How a run through the graph goes on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Onward {
    /// In any way.
    Open,
    /// Not at all: no transition is enabled.
    Deadlock,
    /// By these transitions, for ever.
    Cycle(Vec<TransitionId>),
}

impl<'n> Labelling<'n> {
    /// Explore a net or a network.
    ///
    /// # Errors
    /// [`Stopped`] when the budget is used up or a place holds too many tokens.
    pub fn new(model: impl Into<Model<'n>>, options: &Options, budget: &Budget) -> Result<Self, Stopped> {
        match model.into() {
            Model::Net(net) => {
                let (system, graph, stats) = Graph::new(System::new(net, options, 0, budget), budget)?;
                Ok(Labelling { states: States::Net(Box::new(system)), graph, stats })
            }
            Model::Network(network) => {
                let (system, graph, stats) = Graph::new(Synchronised::new(network, 0, budget)?, budget)?;
                Ok(Labelling { states: States::Network(Box::new(system)), graph, stats })
            }
        }
    }

    /// Number of reachable markings.
    pub fn states(&self) -> u64 {
        self.graph.states() as u64
    }

    /// What the exploration took.
    pub fn stats(&self) -> Stats {
        self.stats
    }

    /// The number of a reachable marking; `None` for others.
    pub fn state_of(&self, marking: &Marking) -> Option<u32> {
        match &self.states {
            States::Net(system) => state_of(&**system, marking),
            States::Network(system) => state_of(&**system, marking),
        }
    }

    /// The marking of a state.
    fn marking(&self, state: StateId) -> Marking {
        match &self.states {
            States::Net(system) => marking(&**system, state),
            States::Network(system) => marking(&**system, state),
        }
    }

    /// The states that satisfy a state formula of CTL.
    ///
    /// # Errors
    /// [`Stopped`] when the budget is used up, when an atom has no value, and when the formula is not CTL.
    pub fn satisfying(
        &mut self,
        pool: &Pool,
        formula: FormulaId,
        paths: PathSemantics,
        budget: &Budget,
    ) -> Result<Labels, Stopped> {
        let mut all = self.label(pool, formula, paths, budget)?;
        all.known.remove(&formula).ok_or(BEYOND)
    }

    /// The labels of a state formula of CTL and of its state subformulas.
    ///
    /// # Errors
    /// As for [`Labelling::satisfying`].
    pub fn label(
        &mut self,
        pool: &Pool,
        formula: FormulaId,
        paths: PathSemantics,
        budget: &Budget,
    ) -> Result<AllLabels, Stopped> {
        let all = pool.subformulas(&[formula]);
        let (conditions, largest) = conditions(pool, formula, &all);
        let mut known = match &mut self.states {
            States::Net(system) => conditions_of(&mut **system, &self.graph, pool, &largest, budget)?,
            States::Network(system) => conditions_of(&mut **system, &self.graph, pool, &largest, budget)?,
        };
        let fixpoints = Fixpoints::new(&self.graph, paths, budget)?;
        for id in all {
            if !pool.is_state(id) || conditions.contains(&id) {
                continue;
            }
            let states = match &pool[id] {
                Formula::Diamond(labels, a) => {
                    let target = states_of(&known, *a)?;
                    before(&mut self.states, &self.graph, labels.as_deref(), target, paths, budget)?
                }
                Formula::Box(labels, a) => {
                    let outside = complement(states_of(&known, *a)?);
                    complement(&before(&mut self.states, &self.graph, labels.as_deref(), &outside, paths, budget)?)
                }
                _ => label(&fixpoints, pool, id, &known)?,
            };
            known.insert(id, Labels { states });
        }
        Ok(AllLabels { paths, known, begins: fixpoints.into_begins() })
    }

    /// A shortest possible start of a run from a state that shows why a quantified formula holds there (`E φ`) or
    /// not (`A φ`), and how it goes on. With `closed`, it does not end open.
    ///
    /// # Errors
    /// [`Stopped`] when the budget is used up, and when no run can show it.
    pub fn run(
        &self,
        pool: &Pool,
        labels: &AllLabels,
        (formula, state): (FormulaId, u32),
        closed: bool,
        budget: &Budget,
    ) -> Result<(Vec<TransitionId>, Onward), Stopped> {
        let fixpoints = Fixpoints::with_begins(&self.graph, labels.paths, budget, labels.begins.clone());
        let path = path(&fixpoints, pool, formula, &labels.known)?;
        let route = fixpoints.route(&path, state, closed)?.ok_or(BEYOND)?;
        let mut fired = Vec::with_capacity(route.states.len());
        let target = route.cycle.and_then(|start| route.states.get(start));
        for (at, &from) in route.states.iter().enumerate() {
            let Some(&to) = route.states.get(at + 1).or(target) else { break };
            fired.push(self.step(from, to).ok_or(BEYOND)?);
        }
        Ok(match route.cycle {
            Some(start) => {
                let cycle = fired.split_off(start);
                (fired, Onward::Cycle(cycle))
            }
            None if route.ends => (fired, Onward::Deadlock),
            None => (fired, Onward::Open),
        })
    }

    /// A step that leads from one state to another.
    fn step(&self, from: StateId, to: StateId) -> Option<TransitionId> {
        let model = match &self.states {
            States::Net(system) => system.model(),
            States::Network(system) => system.model(),
        };
        model.step_between(&self.marking(from), &self.marking(to))
    }
}

fn state_of<S: Space>(space: &S, marking: &Marking) -> Option<u32> {
    let mut words = vec![0; space.layout().words()];
    let fits = space.layout().encode(marking.as_slice(), &mut words);
    // What the store does not hold, the others imply.
    let state = space.store().find(&words).filter(|_| fits)?;
    (self::marking(space, state) == *marking).then_some(state)
}

fn marking<S: Space>(space: &S, state: StateId) -> Marking {
    let layout = space.layout();
    let mut words = vec![0; layout.words()];
    space.store().get(state, &mut words[..layout.key_words()]);
    layout.complete(&mut words);
    space.marking(&words)
}

/// The labels of conditions on single markings.
fn conditions_of<S: Space>(
    space: &mut S,
    graph: &Graph,
    pool: &Pool,
    wanted: &[FormulaId],
    budget: &Budget,
) -> Result<Known, Stopped> {
    let mut known = Known::default();
    let mut words = Vec::new();
    for some in wanted.chunks(MAX_PROPOSITIONS) {
        let used: Vec<Prop> = (0..some.len() as u32).map(Prop).collect();
        let mut atoms = Atoms::new(space, pool, some, &used)?;
        let mut sets = vec![FixedBitSet::with_capacity(graph.states()); some.len()];
        for state in 0..graph.states() {
            if state.is_multiple_of(CHECK_EVERY) {
                budget.check()?;
            }
            space.load(state as u32, &mut words);
            let mut letter = atoms.letter(space, &words)?;
            while letter != 0 {
                if let Some(set) = sets.get_mut(letter.trailing_zeros() as usize) {
                    set.insert(state);
                }
                letter &= letter - 1;
            }
        }
        known.extend(some.iter().copied().zip(sets.into_iter().map(|states| Labels { states })));
    }
    Ok(known)
}

/// The states from which a step with one of these labels, or with any, leads to the target.
fn before(
    states: &mut States<'_>,
    graph: &Graph,
    labels: Option<&[TransitionId]>,
    target: &FixedBitSet,
    paths: PathSemantics,
    budget: &Budget,
) -> Result<FixedBitSet, Stopped> {
    match (labels, states) {
        (Some(labels), States::Net(system)) => before_by(&mut **system, graph, labels, target, budget),
        (Some(labels), States::Network(system)) => before_by(&mut **system, graph, labels, target, budget),
        (None, _) => {
            let repeats = paths == PathSemantics::Stutter;
            let leads = |state: usize| match graph.successors(state) {
                [] => repeats && target.contains(state),
                successors => successors.iter().any(|&next| target.contains(next as usize)),
            };
            let mut found = FixedBitSet::with_capacity(graph.states());
            (0..graph.states()).filter(|&state| leads(state)).for_each(|state| found.insert(state));
            Ok(found)
        }
    }
}

/// The states from which a step with one of these labels leads to the target.
fn before_by<S: Space>(
    space: &mut S,
    graph: &Graph,
    labels: &[TransitionId],
    target: &FixedBitSet,
    budget: &Budget,
) -> Result<FixedBitSet, Stopped> {
    let mut wanted = FixedBitSet::with_capacity(space.actions() as usize);
    labels.iter().filter_map(|&label| space.action_of(label)).for_each(|action| wanted.insert(action as usize));
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
        space.load(state as u32, &mut words);
        let mut cursor = space.cursor(&words, 0);
        for &next in successors {
            let Some(rule) = space.next(&words, &mut cursor) else { break };
            if target.contains(next as usize) && wanted.contains(space.action(rule) as usize) {
                found.insert(state);
                break;
            }
        }
    }
    Ok(found)
}

/// Are the states of a formula computed from the graph, and not from single markings?
fn is_quantified(formula: &Formula) -> bool {
    matches!(formula, Formula::Exists(_) | Formula::Forall(_) | Formula::Diamond(..) | Formula::Box(..))
}

/// Of these subformulas of a formula: the conditions on single markings, and those of them that are the whole
/// formula or operands of others.
pub(super) fn conditions(pool: &Pool, formula: FormulaId, all: &[FormulaId]) -> (FxHashSet<FormulaId>, Vec<FormulaId>) {
    let mut conditions = FxHashSet::default();
    for &id in all {
        let children = pool[id].children();
        if pool.is_state(id) && !is_quantified(&pool[id]) && children.iter().all(|a| conditions.contains(a)) {
            conditions.insert(id);
        }
    }
    let others = all.iter().filter(|id| !conditions.contains(id));
    let mut largest: Vec<FormulaId> = others.flat_map(|&id| pool[id].children()).chain([formula]).collect();
    largest.retain(|id| conditions.contains(id));
    largest.sort_unstable();
    largest.dedup();
    (conditions, largest)
}

type Known = FxHashMap<FormulaId, Labels>;

fn states_of(known: &Known, id: FormulaId) -> Result<&FixedBitSet, Stopped> {
    known.get(&id).map(|labels| &labels.states).ok_or(BEYOND)
}

/// The states of a formula whose state subformulas are known.
fn label(fixpoints: &Fixpoints<'_>, pool: &Pool, formula: FormulaId, known: &Known) -> Result<FixedBitSet, Stopped> {
    let of = |id: &FormulaId| states_of(known, *id);
    Ok(match &pool[formula] {
        Formula::Not(a) => complement(of(a)?),
        Formula::And(operands) => {
            let mut set = fixpoints.everything();
            for operand in operands {
                set.intersect_with(of(operand)?);
            }
            set
        }
        Formula::Or(operands) => {
            let mut set = complement(&fixpoints.everything());
            for operand in operands {
                set.union_with(of(operand)?);
            }
            set
        }
        Formula::Implies(a, b) => union(complement(of(a)?), of(b)?),
        Formula::Iff(a, b) => {
            let mut different = of(a)?.clone();
            different.symmetric_difference_with(of(b)?);
            complement(&different)
        }
        Formula::Exists(_) => fixpoints.some(&path(fixpoints, pool, formula, known)?)?,
        Formula::Forall(_) => complement(&fixpoints.some(&path(fixpoints, pool, formula, known)?)?),
        _ => return Err(BEYOND),
    })
}

/// The kind of paths that show `E φ`, or refute `A φ`.
fn path(fixpoints: &Fixpoints<'_>, pool: &Pool, formula: FormulaId, known: &Known) -> Result<Path, Stopped> {
    let (path, refuted) = match pool[formula] {
        Formula::Exists(path) => (path, false),
        Formula::Forall(path) => (path, true),
        _ => return Err(BEYOND),
    };
    // The operand, or its negation.
    let of = |id: FormulaId| states_of(known, id).map(|set| if refuted { complement(set) } else { set.clone() });
    let all = fixpoints.everything();
    Ok(match (&pool[path], refuted) {
        _ if pool.is_state(path) => Path::Any(of(path)?),
        (&Formula::Next(a), _) => Path::Next(of(a)?),
        (&Formula::Finally(a), false) | (&Formula::Globally(a), true) => Path::Until(all, of(a)?),
        (&Formula::Globally(a), false) | (&Formula::Finally(a), true) => Path::Always(of(a)?),
        (&Formula::Until(a, b), false) | (&Formula::Release(a, b), true) => Path::Until(of(a)?, of(b)?),
        (&Formula::Release(a, b), false) | (&Formula::Until(a, b), true) => {
            let b = of(b)?;
            Path::WeakUntil(b.clone(), intersection(of(a)?, &b))
        }
        (&Formula::WeakUntil(a, b), false) | (&Formula::StrongRelease(a, b), true) => Path::WeakUntil(of(a)?, of(b)?),
        (&Formula::StrongRelease(a, b), false) | (&Formula::WeakUntil(a, b), true) => {
            let b = of(b)?;
            Path::Until(b.clone(), intersection(of(a)?, &b))
        }
        _ => return Err(BEYOND),
    })
}
