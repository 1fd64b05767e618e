//! The verdict of an LTL formula: translate the negation, search the product.
//!
//! `A φ` holds iff no run is accepted by the automaton of ¬φ; `E φ` holds iff some run is accepted by that of φ. The
//! maximal state subformulas of φ become propositions; they must be conditions on single states (no path quantifiers).
//! Action atoms become propositions, too, which the product reads on firings. Boolean combinations of quantified
//! formulas are decided part by part.

use super::bitstate::{BitstateResult, Pass};
use super::bounds::substitute;
use super::emptiness::{Emptiness, Product};
use super::path_automaton::PathAutomaton;
use super::{Explicit, Facts, Options, Stats};
use crate::automaton::Strength;
use crate::budget::Budget;
use crate::formula::{Formula, FormulaId, PathSemantics, Pool};
use crate::model::Path;
use crate::stop_reason::StopReason;
use rustc_hash::FxHashMap;

/// The answer to an LTL formula.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LtlResult {
    /// Whether the formula holds in the initial state.
    pub holds: bool,
    /// A run that decides it (against `A φ`, or for `E φ`), if one does and [`Options::run`] or [`Options::witness`] asks for it.
    pub path: Option<Path>,
    /// Effort, summed over the parts of the formula.
    pub stats: Stats,
}

/// Decide a formula without nested path quantifiers in the initial state: a path formula φ (which stands
/// for `A φ`), `A φ`, `E φ`, or a Boolean combination of such and of conditions.
///
/// ```
/// use starset::budget::Budget;
/// use starset::explicit::{Encoding, Options, check_ltl};
/// use starset::formula::{PathSemantics, Pool, Symbols, parse};
/// use starset::kinds::Kind;
/// use starset::net::NetBuilder;
/// let mut b = NetBuilder::new("buffer");
/// let (free, full) = (b.place("free", 3)?, b.place("full", 0)?);
/// let put = b.transition("put")?;
/// b.input(free, put, 1)?;
/// b.output(put, full, 1)?;
/// let net = b.build()?;
/// let mut pool = Pool::new();
/// let f = parse("F G #full = 3", &Symbols::new(&net), &mut pool).unwrap();
/// let (options, budget) = (Options::default(), Budget::unlimited());
/// let engine = net.compile(&Encoding::default(), &budget).unwrap();
/// assert!(check_ltl(&*engine, &mut pool, f, PathSemantics::Stutter, &options, &budget).unwrap().holds);
/// # Ok::<(), starset::net::BuildError>(())
/// ```
///
/// # Errors
/// [`StopReason`] when the budget is used up, when a condition has no value, and when the formula is beyond this engine.
pub fn check_ltl(
    engine: &dyn Explicit<'_>,
    pool: &mut Pool,
    formula: FormulaId,
    paths: PathSemantics,
    options: &Options,
    budget: &Budget,
) -> Result<LtlResult, StopReason> {
    let mut search = |product: Product<'_>| {
        let Emptiness { empty, path, stats } = engine.find_accepting_run(product, options, budget)?;
        Ok(Sought { empty: Some(empty), path, stats })
    };
    let (holds, path, stats) = decide(engine, pool, formula, paths, options, budget, &mut search)?;
    let holds = holds.ok_or(StopReason::Unsupported("a search for runs has come to no end"))?;
    Ok(LtlResult { holds, path, stats })
}

/// Look for what decides such a formula by passes that keep a few bits of each state ([`Explicit::pursue_accepting_run`]), a pass
/// for each part of the formula. What is found is the verdict; where nothing is, nothing is known.
pub fn pursue_ltl(
    engine: &dyn Explicit<'_>,
    pool: &mut Pool,
    formula: FormulaId,
    paths: PathSemantics,
    pass: Pass,
    options: &Options,
    budget: &Budget,
) -> BitstateResult<LtlResult> {
    let (mut all, mut stopped) = (Stats::default(), None);
    let mut search = |product: Product<'_>| {
        let result = engine.pursue_accepting_run(product, pass, options, budget);
        all.add(&result.stats);
        let empty = result.found.as_ref().map(|_| false);
        stopped = stopped.take().or(result.stopped);
        Ok(Sought { empty, path: result.found.flatten(), stats: result.stats })
    };
    let decided = decide(engine, pool, formula, paths, options, budget, &mut search);
    let found = match decided {
        Ok((holds, path, stats)) => holds.map(|holds| LtlResult { holds, path, stats }),
        Err(stop) => {
            stopped = Some(stop);
            None
        }
    };
    BitstateResult { found, stats: all, stopped }
}

/// The result of a search for a run.
struct Sought {
    /// Is there none? If that is known.
    empty: Option<bool>,
    path: Option<Path>,
    stats: Stats,
}

/// The verdict from the automata of a formula about runs alone, once the facts are folded into them: an automaton that
/// accepts nothing. Its paths begin in the initial state; there is only one.
///
/// # Errors
/// [`StopReason`] when the budget is used up, or an automaton too large.
pub(crate) fn by_facts(
    pool: &mut Pool,
    formula: FormulaId,
    paths: PathSemantics,
    facts: &Facts,
    budget: &Budget,
) -> Result<Option<bool>, StopReason> {
    let closed = pool.close(formula);
    let mut for_path = |pool: &mut Pool, path, negate, paths| {
        let mut is_empty = |negate| {
            let PathAutomaton { automaton, .. } = PathAutomaton::new(pool, path, negate, paths, facts, budget)?;
            Ok::<bool, StopReason>(automaton.strength() == Strength::Rejecting)
        };
        let empty = match is_empty(negate)? {
            true => Some(true),
            // Some path begins in the initial state, and each satisfies the formula or its negation. (Under `maximal` one that ends
            // may satisfy neither `X f` nor `X !f`, and under `infinite` there need not be one.)
            false if paths == PathSemantics::Stutter && is_empty(!negate)? => Some(false),
            false => None,
        };
        Ok(Sought { empty, path: None, stats: Stats::default() })
    };
    Ok(by_parts(pool, closed, paths, &mut for_path)?.0)
}

/// Decide a formula by the search for runs of its parts, as far as they are decided.
fn decide(
    engine: &dyn Explicit<'_>,
    pool: &mut Pool,
    formula: FormulaId,
    paths: PathSemantics,
    options: &Options,
    budget: &Budget,
    search: &mut dyn FnMut(Product<'_>) -> Result<Sought, StopReason>,
) -> Result<(Option<bool>, Option<Path>, Stats), StopReason> {
    pool.check(formula, engine.system().variables(), engine.system().actions())?;
    if engine.system().initial_states().len() > 1 {
        return Err(StopReason::Unsupported("searches for runs decide formulas in one initial state at a time"));
    }
    let closed = pool.close(formula);
    let (root, mut stats) = substitute(engine, pool, closed, options, budget)?;
    let mut for_path = |pool: &mut Pool, path, negate, paths| {
        let made = PathAutomaton::new(pool, path, negate, paths, &options.facts, budget)?;
        search(Product { automaton: &made.automaton, atoms: &made.atoms, pool, paths })
    };
    let (holds, path, searches) = by_parts(pool, root, paths, &mut for_path)?;
    stats.add(&searches);
    Ok((holds, path, stats))
}

/// Searches for a run that satisfies a path formula or, if true, one that does not.
type ForPath<'f> = &'f mut dyn FnMut(&mut Pool, FormulaId, bool, PathSemantics) -> Result<Sought, StopReason>;

/// Decide a closed formula by searches for its parts, as far as they are decided.
fn by_parts(
    pool: &mut Pool,
    root: FormulaId,
    paths: PathSemantics,
    for_path: ForPath<'_>,
) -> Result<(Option<bool>, Option<Path>, Stats), StopReason> {
    let (mut shown, mut stats) = (None, Stats::default());
    let mut values: FxHashMap<FormulaId, Option<bool>> = FxHashMap::default();
    // Subformulas come after their operands; what is inside a quantifier is left to it.
    for id in pool.reach(&[root], |f| !matches!(pool[f], Formula::Exists(_) | Formula::Forall(_))) {
        let value = match pool[id].clone() {
            Formula::Not(a) => values[&a].map(|a| !a),
            Formula::And(operands) => decisive(false, operands.iter().map(|a| values[a])),
            Formula::Or(operands) => decisive(true, operands.iter().map(|a| values[a])),
            Formula::Implies(a, b) => decisive(true, [values[&a].map(|a| !a), values[&b]]),
            Formula::Iff(a, b) => values[&a].zip(values[&b]).map(|(a, b)| a == b),
            node => {
                let (path, negate, paths) = match node {
                    Formula::Exists(path) => (path, false, paths),
                    Formula::Forall(path) => (path, true, paths),
                    // A condition on the initial state, whatever paths there are.
                    _ => (id, true, PathSemantics::Stutter),
                };
                let found = for_path(pool, path, negate, paths)?;
                stats.add(&found.stats);
                shown = found.path;
                found.empty.map(|empty| empty == negate)
            }
        };
        values.insert(id, value);
    }
    // A run explains the whole formula only if it is that of a single quantifier.
    let single = matches!(pool[root], Formula::Exists(_) | Formula::Forall(_));
    Ok((values[&root], shown.filter(|_| single), stats))
}

/// The value of a junction: `value` if some operand has it, the other one if all have that.
fn decisive(value: bool, operands: impl IntoIterator<Item = Option<bool>>) -> Option<bool> {
    let mut all = Some(!value);
    for operand in operands {
        if operand == Some(value) {
            return operand;
        }
        all = all.and(operand);
    }
    all
}
