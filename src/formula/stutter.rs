//! Maximal and infinite paths in terms of stuttering ones.
//!
//! Automata read infinite words, so the automaton route wants every path infinite. A finite path that ends in
//! a deadlock becomes one that repeats the deadlock for ever; what the formula could see of the difference is
//! written into it (see `docs/semantics.md`):
//!
//! | | under `E` | under `A` |
//! |---|---|---|
//! | maximal | `¬dead ∧ X a` for `X a` | `dead ∨ X a` for `X a` |
//! | infinite | `φ ∧ G ¬dead` for the whole path formula φ | `φ ∨ F dead` |
//!
//! Of single steps, `<*> a` is `¬dead ∧ <*> a`, as the repetition of a deadlock is a step of `<*>`, and `[*] a` its dual.
//! Of the past, `Y a` is `Y (dead S (¬dead ∧ a))` on maximal paths, and `Z` its dual: what is before the end at each
//! repetition of the end.
//!
//! Correct for maximal paths because in the repetition of a deadlock all suffixes are equal, so that `F`, `G`,
//! `U` and the others hold of the first of them iff they hold at the last position of the finite path; by
//! induction from the atoms, on the negation normal form. Related: De Giacomo and Vardi, "Linear temporal
//! logic and linear dynamic logic on finite traces", IJCAI 2013, who mark the end of the trace in a similar way.

use super::ast::Formula;
use super::pool::{FormulaId, Pool};
use super::semantics::PathSemantics;
use rustc_hash::FxHashMap;

impl Pool {
    /// A formula that holds over stuttering paths exactly where `formula`, a state formula, holds over `paths`.
    /// The result is in negation normal form, unless nothing had to be done.
    pub fn to_stutter(&mut self, formula: FormulaId, paths: PathSemantics) -> FormulaId {
        if paths == PathSemantics::Stutter || !self.has(formula) {
            return formula;
        }
        let normal = self.nnf(formula);
        let deadlock = self.add(Formula::Deadlock);
        let alive = self.not(deadlock);
        let forever = self.add(Formula::Globally(alive));
        let ended = self.add(Formula::Finally(deadlock));
        // Each formula as it is to stand under E and under A; the two differ for path formulas only.
        let mut under: FxHashMap<(FormulaId, bool), FormulaId> = FxHashMap::default();
        for id in self.subformulas(&[normal]) {
            for exists in [true, false] {
                let node = match self[id].clone() {
                    Formula::Exists(path) => {
                        let path = under[&(path, true)];
                        let infinite = paths == PathSemantics::Infinite;
                        Formula::Exists(if infinite { self.and(vec![path, forever]) } else { path })
                    }
                    Formula::Forall(path) => {
                        let path = under[&(path, false)];
                        let infinite = paths == PathSemantics::Infinite;
                        Formula::Forall(if infinite { self.or(vec![path, ended]) } else { path })
                    }
                    Formula::Next(a) => {
                        let next = self.add(Formula::Next(under[&(a, exists)]));
                        match (paths, exists) {
                            (PathSemantics::Maximal, true) => Formula::And(vec![alive, next]),
                            (PathSemantics::Maximal, false) => Formula::Or(vec![deadlock, next]),
                            _ => Formula::Next(under[&(a, exists)]),
                        }
                    }
                    Formula::Yesterday(a) if paths == PathSemantics::Maximal => {
                        let last = self.and(vec![alive, under[&(a, exists)]]);
                        Formula::Yesterday(self.add(Formula::Since(deadlock, last)))
                    }
                    Formula::WeakYesterday(a) if paths == PathSemantics::Maximal => {
                        let last = self.or(vec![deadlock, under[&(a, exists)]]);
                        Formula::WeakYesterday(self.add(Formula::Trigger(alive, last)))
                    }
                    // The repetition of a deadlock is a step where any label will do, and nowhere else.
                    Formula::Diamond(None, a) => {
                        let next = self.add(Formula::Diamond(None, under[&(a, exists)]));
                        Formula::And(vec![alive, next])
                    }
                    Formula::Box(None, a) => {
                        let next = self.add(Formula::Box(None, under[&(a, exists)]));
                        Formula::Or(vec![deadlock, next])
                    }
                    node => node.map(|a| under[&(a, exists)]),
                };
                let result = self.add(node);
                under.insert((id, exists), result);
            }
        }
        under[&(normal, true)]
    }
}
