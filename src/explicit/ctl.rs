//! CTL on a graph whose states have numbers: which operator a formula is, on sets of states; path formulas beyond it are
//! the graph's own matter.
//!
//! How the operators are computed is left to the graph: in memory ([`super::fixpoints`]), on disk, on several machines.

use super::atoms::MAX_PROPOSITIONS;
use crate::budget::Exhausted;
use crate::formula::{Formula, FormulaId, Pool};
use crate::stop_reason::StopReason;
use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};

/// Not a formula of CTL.
pub(super) const BEYOND: StopReason = StopReason::Unsupported("the formula is not CTL");

/// The states of the subformulas that are labelled.
pub(super) type Known<'k, 's> = &'k dyn Fn(FormulaId) -> Option<&'s FixedBitSet>;

/// A kind of paths.
#[derive(Clone, Debug)]
pub(super) enum PathKind {
    /// Any from a state of the set.
    Any(FixedBitSet),
    /// Whose second state is in the set.
    Next(FixedBitSet),
    /// Through the first set to the second.
    Until(FixedBitSet, FixedBitSet),
    /// That stay in the set.
    Always(FixedBitSet),
    /// Either of the last two.
    WeakUntil(FixedBitSet, FixedBitSet),
}

/// The operators on the sets of states of a graph, under one semantics of paths.
pub(super) trait Operators {
    /// What may go wrong.
    type Error: From<StopReason>;

    /// How many states there are.
    fn states(&self) -> usize;

    /// Where paths begin, unless they do everywhere.
    fn begins(&self) -> Option<&FixedBitSet>;

    /// `EX target`.
    fn next(&self, target: &FixedBitSet) -> Result<FixedBitSet, Self::Error>;

    /// `E[within U target]`.
    fn until(&self, within: &FixedBitSet, target: &FixedBitSet) -> Result<FixedBitSet, Self::Error>;

    /// `EG within`.
    fn staying(&self, within: &FixedBitSet) -> Result<FixedBitSet, Self::Error>;

    /// The states where some path begins that shows `E φ`, or refutes `A φ`, for path formulas beyond CTL.
    ///
    /// # Errors
    /// [`BEYOND`] CTL, unless this is overridden.
    fn accepting(&self, _pool: &Pool, _formula: FormulaId, _known: Known<'_, '_>) -> Result<FixedBitSet, Self::Error> {
        Err(BEYOND.into())
    }

    /// The states of a set where some path begins.
    fn beginning(&self, set: &FixedBitSet) -> FixedBitSet {
        match self.begins() {
            Some(begins) => intersection(set.clone(), begins),
            None => set.clone(),
        }
    }

    /// The states where some path of this kind begins.
    fn some(&self, path: &PathKind) -> Result<FixedBitSet, Self::Error> {
        match path {
            PathKind::Any(set) => Ok(self.beginning(set)),
            PathKind::Next(target) => self.next(target),
            PathKind::Until(within, target) => self.until(within, target),
            PathKind::Always(within) => self.staying(within),
            PathKind::WeakUntil(within, target) => Ok(union(self.until(within, target)?, &self.staying(within)?)),
        }
    }
}

/// Are the states of a formula computed from the graph, and not from single states?
fn is_quantified(formula: &Formula) -> bool {
    matches!(formula, Formula::Exists(_) | Formula::Forall(_) | Formula::Diamond(..) | Formula::Box(..))
}

/// Of these subformulas of a formula: the conditions on single states, and those of them that are the whole
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

/// The states of a formula whose state subformulas are known.
///
/// # Errors
/// [`BEYOND`] CTL, and those of the operators.
pub(super) fn label<O: Operators>(
    operators: &O,
    pool: &Pool,
    formula: FormulaId,
    known: Known<'_, '_>,
) -> Result<FixedBitSet, O::Error> {
    let of = |id: &FormulaId| known(*id).ok_or(BEYOND);
    Ok(match &pool[formula] {
        Formula::Not(a) => complement(of(a)?),
        Formula::And(operands) => {
            let mut set = everything(operators.states());
            for operand in operands {
                set.intersect_with(of(operand)?);
            }
            set
        }
        Formula::Or(operands) => {
            let mut set = complement(&everything(operators.states()));
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
        Formula::Exists(_) => some(operators, pool, formula, known)?,
        Formula::Forall(_) => complement(&some(operators, pool, formula, known)?),
        _ => return Err(BEYOND.into()),
    })
}

/// The states where some path begins that shows `E φ`, or refutes `A φ`.
fn some<O: Operators>(
    operators: &O,
    pool: &Pool,
    formula: FormulaId,
    known: Known<'_, '_>,
) -> Result<FixedBitSet, O::Error> {
    match path(operators.states(), pool, formula, known) {
        Err(stop) if stop == BEYOND => operators.accepting(pool, formula, known),
        kind => operators.some(&kind?),
    }
}

/// The states of a subformula that is labelled, or of which a negation is, as path formulas are taken apart below these.
pub(super) fn labelled(pool: &Pool, formula: FormulaId, known: Known<'_, '_>) -> Option<FixedBitSet> {
    let (mut at, mut holds) = (Some(formula), true);
    while let Some(id) = at {
        if let Some(set) = known(id) {
            return Some(if holds { set.clone() } else { complement(set) });
        }
        (at, holds) = (pool.find(&Formula::Not(id)), !holds);
    }
    None
}

/// The states that satisfy each atom of an automaton, the last of which is `deadlock`.
///
/// # Errors
/// [`BEYOND`] CTL where one is not labelled, and those of finding deadlocks.
pub(super) fn atom_sets<E: From<StopReason>>(
    pool: &Pool,
    atoms: &[FormulaId],
    known: Known<'_, '_>,
    deadlocks: impl FnOnce() -> Result<FixedBitSet, E>,
) -> Result<Vec<FixedBitSet>, E> {
    let Some((_deadlock, conditions)) = atoms.split_last() else { return Ok(Vec::new()) };
    let sets = conditions.iter().map(|&condition| labelled(pool, condition, known).ok_or(BEYOND));
    let mut sets = sets.collect::<Result<Vec<_>, _>>()?;
    sets.push(deadlocks()?);
    Ok(sets)
}

/// Finds the states that satisfy each of some conditions on single states.
pub(super) type Conditions<'c, E> = &'c mut dyn FnMut(&[FormulaId]) -> Result<Vec<FixedBitSet>, E>;

/// The states that satisfy a formula, from those of conditions on single states, of which at most [`MAX_PROPOSITIONS`]
/// are asked for at a time.
///
/// # Errors
/// [`Exhausted::Memory`] if the sets would take a quarter of this memory; [`BEYOND`] CTL; those of the operators and of
/// the conditions.
pub(super) fn satisfying<O: Operators>(
    operators: &O,
    (pool, formula): (&Pool, FormulaId),
    memory: Option<u64>,
    conditions_of: Conditions<'_, O::Error>,
) -> Result<FixedBitSet, O::Error> {
    let all = pool.subformulas(&[formula]);
    let (conditions, largest) = conditions(pool, formula, &all);
    let quantified: Vec<FormulaId> =
        all.iter().copied().filter(|id| pool.is_state(*id) && !conditions.contains(id)).collect();
    // Some more on the way to one.
    let sets = largest.len() + quantified.len() + 6;
    if memory.is_some_and(|memory| (sets * operators.states() / 8) as u64 > memory / 4) {
        return Err(StopReason::from(Exhausted::Memory).into());
    }
    let mut known: FxHashMap<FormulaId, FixedBitSet> = FxHashMap::default();
    for some in largest.chunks(MAX_PROPOSITIONS) {
        known.extend(some.iter().copied().zip(conditions_of(some)?));
    }
    for id in quantified {
        let set = label(operators, pool, id, &|id| known.get(&id))?;
        known.insert(id, set);
    }
    known.remove(&formula).ok_or_else(|| BEYOND.into())
}

/// Add a state to the sets whose conditions it satisfies: those at the bits of its letter.
#[inline]
pub(super) fn insert(state: usize, mut letter: u64, sets: &mut [FixedBitSet]) {
    while letter != 0 {
        sets[letter.trailing_zeros() as usize].insert(state);
        letter &= letter - 1;
    }
}

/// The path formula of `E φ`, or of `A φ`, which paths refute.
pub(super) fn quantified(pool: &Pool, formula: FormulaId) -> Result<(FormulaId, bool), StopReason> {
    match pool[formula] {
        Formula::Exists(path) => Ok((path, false)),
        Formula::Forall(path) => Ok((path, true)),
        _ => Err(BEYOND),
    }
}

/// The kind of paths that show `E φ`, or refute `A φ`.
pub(super) fn path(
    states: usize,
    pool: &Pool,
    formula: FormulaId,
    known: Known<'_, '_>,
) -> Result<PathKind, StopReason> {
    let (path, refuted) = quantified(pool, formula)?;
    // The operand, or its negation.
    let of = |id: FormulaId| {
        let set = known(id).ok_or(BEYOND)?;
        Ok::<_, StopReason>(if refuted { complement(set) } else { set.clone() })
    };
    let all = everything(states);
    Ok(match (&pool[path], refuted) {
        _ if pool.is_state(path) => PathKind::Any(of(path)?),
        (&Formula::Next(a), _) => PathKind::Next(of(a)?),
        (&Formula::Finally(a), false) | (&Formula::Globally(a), true) => PathKind::Until(all, of(a)?),
        (&Formula::Globally(a), false) | (&Formula::Finally(a), true) => PathKind::Always(of(a)?),
        (&Formula::Until(a, b), false) | (&Formula::Release(a, b), true) => PathKind::Until(of(a)?, of(b)?),
        (&Formula::Release(a, b), false) | (&Formula::Until(a, b), true) => {
            let b = of(b)?;
            PathKind::WeakUntil(b.clone(), intersection(of(a)?, &b))
        }
        (&Formula::WeakUntil(a, b), false) | (&Formula::StrongRelease(a, b), true) => {
            PathKind::WeakUntil(of(a)?, of(b)?)
        }
        (&Formula::StrongRelease(a, b), false) | (&Formula::WeakUntil(a, b), true) => {
            let b = of(b)?;
            PathKind::Until(b.clone(), intersection(of(a)?, &b))
        }
        _ => return Err(BEYOND),
    })
}

pub(super) fn complement(set: &FixedBitSet) -> FixedBitSet {
    let mut other = set.clone();
    other.toggle_range(..);
    other
}

pub(super) fn union(mut set: FixedBitSet, other: &FixedBitSet) -> FixedBitSet {
    set.union_with(other);
    set
}

pub(super) fn intersection(mut set: FixedBitSet, other: &FixedBitSet) -> FixedBitSet {
    set.intersect_with(other);
    set
}

/// All of so many states.
pub(super) fn everything(states: usize) -> FixedBitSet {
    let mut set = FixedBitSet::with_capacity(states);
    set.insert_range(..);
    set
}
