//! The verdict of an LTL formula: translate the negation, search the product.
//!
//! `A φ` holds iff no run is accepted by the automaton of ¬φ; `E φ` holds iff some run is accepted by that of φ.
//! The maximal state subformulas of φ become propositions; they must be conditions on single markings (no
//! path quantifiers). Boolean combinations of quantified formulas are decided part by part.
//!
//! Of the three path semantics, *stutter* and *infinite* are a matter of the product. *Maximal* paths that
//! end differ from stuttering ones only in `X`, which is false at the end; as a path ends in a deadlock and
//! has none before, `X f` there is `¬deadlock ∧ X f` on stuttering paths.

use super::emptiness::{Emptiness, Lasso, Product, find_accepting_run};
use super::{Options, Stats, Stopped};
use crate::automaton::ltl::{Formula as Ltl, Formulas};
use crate::automaton::{Passes, Prop, TranslationError, translate};
use crate::budget::Budget;
use crate::formula::{Formula, FormulaId, PathNode, PathSemantics, Pool};
use crate::net::PetriNet;
use rustc_hash::FxHashMap;

/// The answer to an LTL formula.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verdict {
    /// Whether the formula holds in the initial marking.
    pub holds: bool,
    /// A run that decides it (against `A φ`, or for `E φ`), if one does and [`Options::witness`] asks for it.
    pub lasso: Option<Lasso>,
    /// Effort, summed over the parts of the formula.
    pub stats: Stats,
}

/// Decide a formula without nested path quantifiers in the initial marking: a path formula φ (which stands
/// for `A φ`), `A φ`, `E φ`, or a Boolean combination of such and of conditions.
///
/// ```
/// use starset::budget::Budget;
/// use starset::explicit::{Options, check_ltl};
/// use starset::formula::{PathSemantics, Pool, Symbols, parse};
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
/// assert!(check_ltl(&net, &mut pool, f, PathSemantics::Stutter, &options, &budget).unwrap().holds);
/// # Ok::<(), starset::net::BuildError>(())
/// ```
pub fn check_ltl(
    net: &PetriNet,
    pool: &mut Pool,
    formula: FormulaId,
    paths: PathSemantics,
    options: &Options,
    budget: &Budget,
) -> Result<Verdict, Stopped> {
    let root = pool.close(formula);
    let mut stats = Stats::default();
    let mut lasso = None;
    let mut values: FxHashMap<FormulaId, bool> = FxHashMap::default();
    // Subformulas come after their operands; what is inside a quantifier is left to it.
    for id in pool.reach(&[root], |f| !matches!(pool[f], Formula::Exists(_) | Formula::Forall(_))) {
        let value = match pool[id].clone() {
            Formula::Not(a) => !values[&a],
            Formula::And(operands) => operands.iter().all(|a| values[a]),
            Formula::Or(operands) => operands.iter().any(|a| values[a]),
            Formula::Implies(a, b) => !values[&a] || values[&b],
            Formula::Iff(a, b) => values[&a] == values[&b],
            node => {
                let (path, negate) = match node {
                    Formula::Exists(path) => (path, false),
                    Formula::Forall(path) => (path, true),
                    _ => (id, true),
                };
                let found = search(net, pool, path, negate, paths, options, budget)?;
                stats.add(&found.stats);
                lasso = found.lasso;
                found.empty == negate
            }
        };
        values.insert(id, value);
    }
    // A lasso explains the whole formula only if it is that of a single quantifier.
    let single = matches!(pool[root], Formula::Exists(_) | Formula::Forall(_));
    Ok(Verdict { holds: values[&root], lasso: lasso.filter(|_| single), stats })
}

/// Search for a run that satisfies a path formula, or one that does not.
fn search(
    net: &PetriNet,
    pool: &mut Pool,
    path: FormulaId,
    negate: bool,
    paths: PathSemantics,
    options: &Options,
    budget: &Budget,
) -> Result<Emptiness, Stopped> {
    let parts = pool.decompose(path);
    let mut atoms = parts.propositions;
    let deadlock = Prop(atoms.len() as u32);
    atoms.push(pool.add(Formula::Deadlock));
    let mut store = Formulas::with_propositions((0..atoms.len()).map(|k| format!("p{k}")));
    let mut built: Vec<Ltl> = Vec::with_capacity(parts.nodes.len());
    for node in &parts.nodes {
        let all = |operands: &[usize]| operands.iter().map(|&k| built[k]).collect::<Vec<_>>();
        built.push(match node {
            PathNode::True => Ltl::TRUE,
            PathNode::False => Ltl::FALSE,
            PathNode::Prop(k) => store.literal(Prop(*k), true),
            PathNode::Not(a) => built[*a].negated(),
            PathNode::And(operands) => store.and(all(operands)),
            PathNode::Or(operands) => store.or(all(operands)),
            PathNode::Implies(a, b) => store.implies(built[*a], built[*b]),
            PathNode::Iff(a, b) => store.iff(built[*a], built[*b]),
            PathNode::Next(a) => {
                let next = store.next(built[*a]);
                match paths {
                    PathSemantics::Maximal => {
                        let alive = store.literal(deadlock, false);
                        store.and([alive, next])
                    }
                    _ => next,
                }
            }
            PathNode::Finally(a) => store.finally(built[*a]),
            PathNode::Globally(a) => store.globally(built[*a]),
            PathNode::Until(a, b) => store.until(built[*a], built[*b]),
            PathNode::Release(a, b) => store.release(built[*a], built[*b]),
            PathNode::WeakUntil(a, b) => store.weak_until(built[*a], built[*b]),
            PathNode::StrongRelease(a, b) => store.strong_release(built[*a], built[*b]),
        });
    }
    let formula = built.last().copied().unwrap_or(Ltl::TRUE);
    let wanted = if negate { formula.negated() } else { formula };
    let simple = store.simplify(wanted);
    let automaton = translate(&mut store, simple, &Passes::default(), budget).map_err(|e| match e {
        TranslationError::Exhausted(e) => Stopped::Budget(e),
        TranslationError::TooManySets(_) => Stopped::Unsupported("more than 64 acceptance sets"),
        TranslationError::TooDeep => Stopped::Unsupported("formulas nested this deeply"),
        TranslationError::Automaton(_) => Stopped::Unsupported("an automaton that the translator got wrong"),
    })?;
    let invariant = store.is_next_free(simple) || automaton.stutter_invariant() == Some(true);
    let automaton = if invariant { automaton.with_stutter_invariance(Some(true)) } else { automaton };
    let product = Product { net, automaton: &automaton, atoms: &atoms, pool, paths };
    find_accepting_run(product, options, budget)
}
