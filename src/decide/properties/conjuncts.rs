//! Global properties that are conjunctions, conjunct by conjunct: a formula for each transition, or each place.
//!
//! **Problem.** A net is quasi-live if each transition is enabled somewhere, live if each can be enabled again from everywhere, and
//! without a stable marking if each place changes somewhere. Ways that look at the net as a whole see nearly all of it before the
//! last conjunct is settled.
//!
//! **Idea.** Walks settle most of the conjuncts. What they leave open is asked as a formula (`EF enabled(t)`, `AG EF enabled(t)`,
//! `EF #p ≠ n`), a few conjuncts at a time, in turn: each on a net that is reduced for it alone (`reduced`), by all ways that there are. One
//! conjunct that does not hold settles the whole. Walks are guided to conjuncts likewise, and linear programs try to refute them.

use crate::budget::Budget;
use crate::decide::Value;
use crate::decide::conditions::{Refuter, Walk};
use crate::decide::context::Context;
use crate::decide::smaller::reduced::{self, Due, Smaller, ask_all};
use crate::formula::{FormulaId, PathSemantics, Pool};
use crate::net::PetriNet;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// Conjuncts that share a slice.
const AT_A_TIME: usize = 8;

/// The conjuncts of one property, by number: what is known of them, and whose turn it is.
#[derive(Debug, Default)]
pub(in crate::decide) struct Conjuncts<'a> {
    /// Linear programs, once they have been tried; and the conjuncts of which they tell nothing.
    refuter: Option<Refuter<'a>>,
    unrefuted: BTreeSet<usize>,
    /// Those that hold.
    hold: BTreeSet<usize>,
    /// Those for which no net gets smaller.
    whole: BTreeSet<usize>,
    /// The next conjunct to be refuted, to be asked, and to be a goal of walks.
    tried: usize,
    next: usize,
    guided: usize,
}

impl<'a> Conjuncts<'a> {
    /// Is there an open conjunct whose condition is proved to hold nowhere, by linear programs within a budget? Another time more of
    /// them are solved for each.
    pub(in crate::decide) fn is_refuted(
        &mut self,
        net: &'a PetriNet,
        open: &[usize],
        budget: &Budget,
        condition: impl Fn(usize, &mut Pool) -> FormulaId,
    ) -> bool {
        let mut due = self.in_turn(open, self.tried);
        due.retain(|conjunct| !self.unrefuted.contains(conjunct));
        match &mut self.refuter {
            Some(refuter) => refuter.try_harder(),
            None => self.refuter = Refuter::new(net),
        }
        let Some(refuter) = &mut self.refuter else { return false };
        for conjunct in due {
            self.tried = conjunct;
            let mut pool = Pool::new();
            let condition = condition(conjunct, &mut pool);
            if refuter.never(&pool, condition, true, budget) {
                return true;
            }
            if budget.check().is_err() {
                return false;
            }
            if !refuter.gave_up() {
                self.unrefuted.insert(conjunct);
            }
        }
        false
    }

    /// Ask the conjuncts that are open, as formulas, for about a slice. Is it known now whether all of them hold?
    pub(in crate::decide) fn by_reduction(
        &mut self,
        context: &Context<'a>,
        question: usize,
        open: &[usize],
        slice: Duration,
        formula: impl Fn(usize, &mut Pool) -> FormulaId + Sync,
    ) -> Option<bool> {
        let (net, started) = (context.net()?, Instant::now());
        let tokens = context.tokens(net);
        let mut due = self.in_turn(open, self.next);
        due.retain(|conjunct| !self.whole.contains(conjunct));
        for conjuncts in due.chunks(AT_A_TIME) {
            let left = slice.checked_sub(started.elapsed())?;
            context.budget.check().ok()?;
            self.next = conjuncts.last().map_or(0, |conjunct| conjunct + 1);
            let mut smaller: Vec<Option<Smaller>> = conjuncts.iter().map(|_| None).collect();
            let asked = conjuncts.iter().zip(&mut smaller);
            let mut asked: Vec<_> = asked.map(|(&place, smaller)| Due { place, question, smaller }).collect();
            let found = ask_all(context, net, &mut asked, left, |conjunct, budget| {
                let mut pool = Pool::new();
                let formula = formula(conjunct, &mut pool);
                reduced::formulas(net, tokens, &pool, &[(formula, PathSemantics::Maximal)], budget)
            });
            self.whole
                .extend(conjuncts.iter().zip(&smaller).filter(|(_, net)| matches!(net, Some(None))).map(|(&p, _)| p));
            for (conjunct, value) in found {
                match value {
                    Value::Verdict(true) => drop(self.hold.insert(conjunct)),
                    Value::Verdict(false) => return Some(false),
                    _ => {}
                }
            }
        }
        open.iter().all(|conjunct| self.hold.contains(conjunct)).then_some(true)
    }

    /// Lead walks to some of the conjuncts that are open, within a budget.
    /// `distance_to` a conjunct tells how far a walk is from it.
    pub(in crate::decide) fn guide<D: Fn(&Walk<'a>) -> u64>(
        &mut self,
        open: &[usize],
        walk: &mut Walk<'a>,
        budget: &Budget,
        distance_to: impl Fn(usize) -> D,
        mut look: impl FnMut(&Walk<'a>) -> bool,
    ) {
        let open = self.in_turn(open, self.guided);
        for (done, &conjunct) in open.iter().take(AT_A_TIME).enumerate() {
            self.guided = conjunct + 1;
            let share = budget.share(open.len().min(AT_A_TIME) - done);
            let mut over = false;
            walk.guide(&share, distance_to(conjunct), |walk| {
                over |= look(walk);
                over
            });
            if over || budget.check().is_err() {
                return;
            }
        }
    }

    /// Those of the conjuncts that are not known to hold, from this one on, and then those before it.
    fn in_turn(&self, open: &[usize], first: usize) -> Vec<usize> {
        let mut open: Vec<usize> = open.iter().copied().filter(|conjunct| !self.hold.contains(conjunct)).collect();
        open.sort_unstable();
        let before = open.partition_point(|&conjunct| conjunct < first);
        open.rotate_left(before);
        open
    }
}
