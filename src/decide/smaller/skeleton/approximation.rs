//! Formulas about a skeleton that bound a formula about the net.
//!
//! **Problem.** The skeleton simulates the net: what holds on all its runs holds on all runs of the net. But formulas have
//! existential quantifiers, too, and ask whether transitions can fire, which the skeleton overstates.
//!
//! **Idea.** Two formulas for each: a *lower* one such that the net satisfies φ in m if the skeleton satisfies it in h(m), and an
//! *upper* one that the skeleton satisfies in h(m) if the net satisfies φ in m. Comparisons of sums are both. For "one of these
//! can fire" the upper one says it of their images, the lower one only of images that can fire just where the original can.
//! Negation exchanges the two. The lower one of `A π` is `A` of the lower one of π, since each run of the net is one of the
//! skeleton; for `E π`, which a run of the skeleton does not show, it is what shows it here and now (φ for `E F φ`, ψ for
//! `E φ U ψ`), else false. The upper ones are dual.
//!
//! **Ends of runs.** A run of the net that ends is one of the skeleton that does nothing for ever after. If the end repeats
//! (`stutter`), that is the same by definition. If runs may be finite (`maximal`), a formula without X does not tell a run that
//! ends from one that repeats its last marking, and nothing is said of others. For `A G φ` and `E F φ` with a condition φ on markings
//! runs that do nothing make no difference ([`Approximation::needs_idling`]), and where only infinite runs count there are no ends.

use crate::decide::rewriting::translated::translate;
use crate::formula::{Expr, ExprId, Formula, FormulaId, PathSemantics, Pool};
use crate::net::TransitionId;
use crate::reduction::skeleton::Skeleton;
use rustc_hash::FxHashMap;

/// On which side of a formula another one is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(in crate::decide) enum Side {
    /// It implies the formula.
    Lower,
    /// It follows from the formula.
    Upper,
}

impl Side {
    fn other(self) -> Side {
        match self {
            Side::Lower => Side::Upper,
            Side::Upper => Side::Lower,
        }
    }

    /// The formula that is on this side of every other.
    fn trivial(self) -> Formula {
        match self {
            Side::Lower => Formula::False,
            Side::Upper => Formula::True,
        }
    }
}

/// Makes formulas about a skeleton.
pub(in crate::decide) struct Approximation<'a> {
    skeleton: &'a Skeleton,
    pool: &'a mut Pool,
    paths: PathSemantics,
    /// All transitions of the net.
    transitions: Vec<TransitionId>,
    known: FxHashMap<(FormulaId, Side), FormulaId>,
    idling: bool,
}

impl<'a> Approximation<'a> {
    /// For formulas of `pool` about a net with so many transitions.
    pub(in crate::decide) fn new(
        skeleton: &'a Skeleton,
        pool: &'a mut Pool,
        paths: PathSemantics,
        transitions: usize,
    ) -> Self {
        let transitions = (0..transitions as u32).map(TransitionId).collect();
        Approximation { skeleton, pool, paths, transitions, known: FxHashMap::default(), idling: false }
    }

    /// Do the formulas that have been made speak of runs to the end, so that the skeleton must be able to do nothing?
    pub(in crate::decide) fn needs_idling(&self) -> bool {
        self.idling
    }

    /// A formula about the skeleton on one side of a formula; `None` for one that tells more than numbers of tokens and
    /// whether transitions can fire.
    pub(in crate::decide) fn of(&mut self, formula: FormulaId, side: Side) -> Option<FormulaId> {
        if let Some(&known) = self.known.get(&(formula, side)) {
            return Some(known);
        }
        let node = match self.pool[formula].clone() {
            node @ (Formula::True | Formula::False) => node,
            // The bounds of the skeleton are greater, perhaps.
            Formula::Compare(a, _, b) if self.asks_for_bounds(a, b) => return None,
            Formula::Compare(..) => {
                let moved = translate(self.pool, formula, |places| self.skeleton.sum(places), |_| None)?;
                self.pool[moved].clone()
            }
            Formula::Enabled(list) => self.can_fire(&list, side),
            Formula::Deadlock => {
                let some = self.can_fire(&self.transitions, side.other());
                Formula::Not(self.pool.add(some))
            }
            Formula::Still(_)
            | Formula::Label(_)
            | Formula::Set(_)
            | Formula::Action(_)
            | Formula::Diamond(..)
            | Formula::Box(..) => {
                return None;
            }
            Formula::Not(a) => Formula::Not(self.of(a, side.other())?),
            Formula::Implies(a, b) => Formula::Implies(self.of(a, side.other())?, self.of(b, side)?),
            Formula::Iff(a, b) => {
                let [there, back] = [(a, b), (b, a)].map(|(a, b)| {
                    let (a, b) = (self.of(a, side.other())?, self.of(b, side)?);
                    Some(self.pool.add(Formula::Implies(a, b)))
                });
                Formula::And(vec![there?, back?])
            }
            Formula::Forall(path) if side == Side::Lower && self.ends_do_not_matter(path) => {
                self.idling |=
                    self.may_end() && !self.is_of_markings(path, |node| matches!(node, Formula::Globally(_)));
                Formula::Forall(self.of(path, side)?)
            }
            Formula::Exists(path) if side == Side::Upper && self.ends_do_not_matter(path) => {
                self.idling |= self.may_end() && !self.is_of_markings(path, |node| matches!(node, Formula::Finally(_)));
                Formula::Exists(self.of(path, side)?)
            }
            Formula::Forall(path) | Formula::Exists(path) => self.here(path, side)?,
            node => {
                let mut parts = node.children().into_iter().map(|a| self.of(a, side)).collect::<Option<Vec<_>>>()?;
                parts.reverse();
                node.map(|a| parts.pop().unwrap_or(a))
            }
        };
        let result = self.pool.add(node);
        self.known.insert((formula, side), result);
        Some(result)
    }

    fn asks_for_bounds(&self, a: ExprId, b: ExprId) -> bool {
        self.pool.subexpressions(vec![a, b]).into_iter().any(|expr| matches!(self.pool[expr], Expr::Bounds(_)))
    }

    /// One of these can fire.
    fn can_fire(&self, list: &[TransitionId], side: Side) -> Formula {
        let images = match side {
            Side::Upper => self.skeleton.images(list),
            Side::Lower => self.skeleton.exact(list),
        };
        if images.is_empty() { Formula::False } else { Formula::Enabled(images) }
    }

    /// May runs end, so that their images have to go on without doing anything?
    fn may_end(&self) -> bool {
        self.paths != PathSemantics::Infinite
    }

    /// Is a run that ends like one that repeats its last marking for ever?
    fn ends_do_not_matter(&self, path: FormulaId) -> bool {
        let is_quantifier = |id: FormulaId| matches!(self.pool[id], Formula::Exists(_) | Formula::Forall(_));
        let of_this_path = |id: FormulaId| !is_quantifier(id);
        let counts_positions = |id: FormulaId| matches!(self.pool[id], Formula::Next(_)) || self.pool[id].is_past();
        self.paths != PathSemantics::Maximal
            || !self.pool.reach(&[path], of_this_path).into_iter().any(counts_positions)
    }

    /// Is it this operator of a condition without quantifiers and temporal operators?
    fn is_of_markings(&self, path: FormulaId, operator: impl Fn(&Formula) -> bool) -> bool {
        let node = &self.pool[path];
        let inside = self.pool.subformulas(&node.children());
        let plain = |id: &FormulaId| {
            let node = &self.pool[*id];
            !node.is_temporal() && !node.is_past() && !matches!(node, Formula::Exists(_) | Formula::Forall(_))
        };
        operator(node) && inside.iter().all(plain)
    }

    /// The part that the marking alone decides of a quantified path formula that runs of the skeleton do not show.
    fn here(&mut self, path: FormulaId, side: Side) -> Option<Formula> {
        // Where there is no path at all, nothing follows.
        if self.paths == PathSemantics::Infinite {
            return Some(side.trivial());
        }
        let now = match (side, self.pool[path].clone()) {
            (Side::Lower, Formula::Finally(a) | Formula::Until(_, a)) => vec![a],
            (Side::Upper, Formula::Globally(a) | Formula::Release(_, a) | Formula::StrongRelease(_, a)) => vec![a],
            (Side::Upper, Formula::Until(a, b) | Formula::WeakUntil(a, b)) => vec![a, b],
            _ => return Some(side.trivial()),
        };
        // What holds at the first position of a run holds in the marking, if it is about markings.
        if !now.iter().all(|&a| self.pool.is_state(a)) {
            return Some(side.trivial());
        }
        let now = now.into_iter().map(|a| self.of(a, side)).collect::<Option<Vec<_>>>()?;
        Some(match now[..] {
            [a] => self.pool[a].clone(),
            _ => Formula::Or(now),
        })
    }
}
