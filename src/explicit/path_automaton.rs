//! The automaton of a path formula, for its product with a model.
//!
//! The maximal state subformulas of the formula are propositions, and so are its actions and, last of all, `deadlock`.
//!
//! Of the three path semantics, *stutter* and *infinite* are a matter of the product. *Maximal* paths that end differ
//! from stuttering ones only in `X`, and of the past in `Y` ([`Formulas::yesterday_before`]). Once the formula to be
//! searched for is in negation normal form, each `X` promises a next step. As a path ends in a deadlock and has none
//! before, `X f` on a maximal path is `¬deadlock ∧ X f` on a stuttering one.
//!
//! **Justice.** An automaton of k conjuncts `G F q` has up to 2^k times the edges. From [`FEWEST_APART`] on they are no
//! part of the formula that is translated: its automaton is taken under them ([`fair`]), which adds k edges to each edge.
//! (Compassion would double its locations, which are more than the translator makes of `G F p -> G F q`.)

use super::Facts;
use crate::automaton::fair::{self, FairWord};
use crate::automaton::ltl::{Formula as Ltl, Formulas};
use crate::automaton::{AutomatonError, Guard, Passes, Prop, Stuttering, Tgba, TranslationError, translate};
use crate::budget::Budget;
use crate::formula::{Decomposition, FairConjuncts, Formula, FormulaId, Nodes, PathNode, PathSemantics, Pool};
use crate::stop_reason::StopReason;

/// The fewest conditions of justice that are kept apart from the formula that is translated.
const FEWEST_APART: usize = 4;
/// The most cubes of such a condition.
const MOST_CUBES: usize = 64;

/// An automaton whose letters say which atoms hold.
#[derive(Debug)]
pub(super) struct PathAutomaton {
    pub(super) automaton: Tgba,
    /// The formula behind each proposition.
    pub(super) atoms: Vec<FormulaId>,
    /// Does a letter say, too, which actions are taken?
    pub(super) has_actions: bool,
}

impl PathAutomaton {
    /// The automaton of a path formula, or of its negation; of runs of which these facts are true.
    ///
    /// # Errors
    /// [`StopReason`] when the budget is used up, or the automaton too large.
    pub(super) fn new(
        pool: &mut Pool,
        path: FormulaId,
        negate: bool,
        paths: PathSemantics,
        facts: &Facts,
        budget: &Budget,
    ) -> Result<Self, StopReason> {
        let parts = pool.decompose(path);
        match apart(&parts, negate) {
            Some((rest, conditions)) => {
                let parts = Decomposition { nodes: rest, ..parts };
                PathAutomaton::of(pool, parts, false, &conditions, paths, facts, budget)
            }
            None => PathAutomaton::of_parts(pool, parts, negate, paths, facts, budget),
        }
    }

    /// The same of a path formula that has been taken apart.
    ///
    /// # Errors
    /// [`StopReason`] when the budget is used up, or the automaton too large.
    pub(super) fn of_parts(
        pool: &mut Pool,
        parts: Decomposition,
        negate: bool,
        paths: PathSemantics,
        facts: &Facts,
        budget: &Budget,
    ) -> Result<Self, StopReason> {
        PathAutomaton::of(pool, parts, negate, &[], paths, facts, budget)
    }

    /// The same under fairness conditions about the atoms.
    fn of(
        pool: &mut Pool,
        parts: Decomposition,
        negate: bool,
        conditions: &[FairWord],
        paths: PathSemantics,
        facts: &Facts,
        budget: &Budget,
    ) -> Result<Self, StopReason> {
        let mut atoms = parts.propositions;
        let first_action = atoms.len() as u32;
        atoms.extend(&parts.actions);
        let deadlock = Prop(atoms.len() as u32);
        atoms.push(pool.add(Formula::Deadlock));
        let mut store = Formulas::with_propositions((0..atoms.len()).map(|k| format!("p{k}")));
        // Each node and its negation. The two are built side by side, as under the maximal semantics `X` and its
        // dual both promise a next step.
        let mut built: Vec<(Ltl, Ltl)> = Vec::with_capacity(parts.nodes.len());
        for node in &parts.nodes {
            let s = &mut store;
            let both = |operands: &[usize]| operands.iter().map(|&k| built[k]).unzip::<_, _, Vec<_>, Vec<_>>();
            let at = |k: usize| built[k];
            built.push(match *node {
                PathNode::True => (Ltl::TRUE, Ltl::FALSE),
                PathNode::False => (Ltl::FALSE, Ltl::TRUE),
                PathNode::Prop(k) => (s.literal(Prop(k), true), s.literal(Prop(k), false)),
                PathNode::Action(k) => {
                    let prop = Prop(first_action + k);
                    (s.literal(prop, true), s.literal(prop, false))
                }
                PathNode::Not(a) => (at(a).1, at(a).0),
                PathNode::And(ref operands) => {
                    let (yes, no) = both(operands);
                    (s.and(yes), s.or(no))
                }
                PathNode::Or(ref operands) => {
                    let (yes, no) = both(operands);
                    (s.or(yes), s.and(no))
                }
                PathNode::Implies(a, b) => (s.or([at(a).1, at(b).0]), s.and([at(a).0, at(b).1])),
                PathNode::Iff(a, b) => {
                    let ((a, not_a), (b, not_b)) = (at(a), at(b));
                    let same = [s.and([a, b]), s.and([not_a, not_b])];
                    let different = [s.and([a, not_b]), s.and([not_a, b])];
                    (s.or(same), s.or(different))
                }
                PathNode::Next(a) => {
                    let (yes, no) = at(a);
                    let next = [s.next(yes), s.next(no)];
                    let alive = match paths {
                        PathSemantics::Maximal => s.literal(deadlock, false),
                        _ => Ltl::TRUE,
                    };
                    let [yes, no] = next.map(|n| s.and([alive, n]));
                    (yes, no)
                }
                PathNode::Yesterday(a) | PathNode::WeakYesterday(a) => {
                    let weak = matches!(node, PathNode::WeakYesterday(_));
                    let (yes, no) = if weak { (at(a).1, at(a).0) } else { at(a) };
                    let dead = s.literal(deadlock, true);
                    let mut before = |a| match paths {
                        PathSemantics::Maximal => s.yesterday_before(a, dead),
                        _ => s.yesterday(a),
                    };
                    // Not one the negation of the other, where their operands are not.
                    let (strong, fails) = (before(yes), before(no.negated()).negated());
                    if weak { (fails, strong) } else { (strong, fails) }
                }
                PathNode::Since(a, b) => (s.since(at(a).0, at(b).0), s.trigger(at(a).1, at(b).1)),
                PathNode::Trigger(a, b) => (s.trigger(at(a).0, at(b).0), s.since(at(a).1, at(b).1)),
                PathNode::Finally(a) => (s.finally(at(a).0), s.globally(at(a).1)),
                PathNode::Globally(a) => (s.globally(at(a).0), s.finally(at(a).1)),
                PathNode::Until(a, b) => (s.until(at(a).0, at(b).0), s.release(at(a).1, at(b).1)),
                PathNode::Release(a, b) => (s.release(at(a).0, at(b).0), s.until(at(a).1, at(b).1)),
                PathNode::WeakUntil(a, b) => (s.weak_until(at(a).0, at(b).0), s.strong_release(at(a).1, at(b).1)),
                PathNode::StrongRelease(a, b) => (s.strong_release(at(a).0, at(b).0), s.weak_until(at(a).1, at(b).1)),
            });
        }
        let (formula, negation) = built.last().copied().unwrap_or((Ltl::TRUE, Ltl::FALSE));
        let wanted = if negate { negation } else { formula };
        let simple = store.simplify_at_first(wanted);
        let automaton = translate(&mut store, simple, &Passes::default(), budget).map_err(|error| match error {
            TranslationError::Exhausted(exhausted) => StopReason::Exhausted(exhausted),
            error => StopReason::Translation(error),
        })?;
        let next_free = store.is_next_free(wanted) || store.is_next_free(simple);
        let invariant = next_free || automaton.stutter_invariant() == Some(true);
        let automaton = match conditions {
            [] => automaton,
            // Justice counts no repetitions, so that the language takes them as that of the rest does. (Where conditions
            // read steps, nothing is read collapsed.)
            _ => fair::under(&automaton, &[], conditions)
                .map_err(|error| match error {
                    AutomatonError::TooManySets(sets) => TranslationError::TooManySets(sets),
                    error => TranslationError::Automaton(error),
                })?
                .with_stuttering(automaton.stuttering()),
        };
        let automaton = if invariant { automaton.with_stutter_invariance(Some(true)) } else { automaton };
        let automaton = automaton.knowing(&facts.about(&atoms), budget)?;
        Ok(PathAutomaton { automaton, atoms, has_actions: !parts.actions.is_empty() })
    }
}

/// What is left of a path formula, or of its negation, and many conditions of justice that are conjuncts of it.
fn apart(parts: &Decomposition, negate: bool) -> Option<(Nodes, Vec<FairWord>)> {
    let split = FairConjuncts::justice_of(&parts.nodes, negate)?;
    if split.justice.len() < FEWEST_APART {
        return None;
    }
    let first_action = parts.propositions.len() as u32;
    let often = |nodes: &Nodes| guard(nodes, first_action).map(FairWord::Justice);
    let conditions = split.justice.iter().map(often).collect::<Option<_>>()?;
    Some((split.rest, conditions))
}

/// The letters of which a combination of atoms holds; `None` where that is a long list.
fn guard(nodes: &Nodes, first_action: u32) -> Option<Guard> {
    let literal = |number: u32| [true, false].map(|positive| Guard::literal(Prop(number), positive));
    // Each node and its negation.
    let mut known: Vec<(Guard, Guard)> = Vec::with_capacity(nodes.len());
    let small = |guard: Guard| (guard.cubes().len() <= MOST_CUBES).then_some(guard);
    let and = |a: &Guard, b: &Guard| small(a.and(b));
    for node in nodes {
        let at = |a: usize| &known[a];
        // A conjunction; a disjunction is one with its parts exchanged.
        let all = |operands: &[usize], negated: bool| {
            operands.iter().try_fold((Guard::always(), Guard::never()), |(yes, no), &a| {
                let (this, other) = if negated { (&at(a).1, &at(a).0) } else { (&at(a).0, &at(a).1) };
                Some((and(&yes, this)?, small(no.or(other))?))
            })
        };
        known.push(match node {
            PathNode::True => (Guard::always(), Guard::never()),
            PathNode::False => (Guard::never(), Guard::always()),
            PathNode::Prop(number) => literal(*number).into(),
            PathNode::Action(number) => literal(first_action + number).into(),
            PathNode::Not(a) => (at(*a).1.clone(), at(*a).0.clone()),
            PathNode::And(operands) => all(operands, false)?,
            PathNode::Or(operands) => {
                let (no, yes) = all(operands, true)?;
                (yes, no)
            }
            PathNode::Implies(a, b) => {
                let ((a, not_a), (b, not_b)) = (at(*a), at(*b));
                (small(not_a.or(b))?, and(a, not_b)?)
            }
            PathNode::Iff(a, b) => {
                let ((a, not_a), (b, not_b)) = (at(*a), at(*b));
                (small(and(a, b)?.or(&and(not_a, not_b)?))?, small(and(a, not_b)?.or(&and(not_a, b)?))?)
            }
            _ => return None,
        });
    }
    known.pop().map(|(guard, _)| guard)
}

/// How the language of a path formula without actions, or of its negation, takes repetitions of letters that say which state formulas in it
/// hold; on paths that repeat their last state for ever where they end.
///
/// # Errors
/// Those of [`PathAutomaton::new`].
pub(crate) fn stuttering(
    pool: &mut Pool,
    path: FormulaId,
    negate: bool,
    budget: &Budget,
) -> Result<Stuttering, StopReason> {
    Ok(PathAutomaton::new(pool, path, negate, PathSemantics::Stutter, &Facts::default(), budget)?
        .automaton
        .stuttering())
}

/// The automaton of a path formula without actions, or of its negation, on infinite paths: proposition `i` of it is the state
/// formula with that number.
///
/// # Errors
/// Those of [`PathAutomaton::new`].
pub(crate) fn automaton_of(
    pool: &mut Pool,
    parts: Decomposition,
    negate: bool,
    budget: &Budget,
) -> Result<Tgba, StopReason> {
    let facts = Facts::default();
    Ok(PathAutomaton::of_parts(pool, parts, negate, PathSemantics::Infinite, &facts, budget)?.automaton)
}
