//! The goal of a run, position by position: the parts of its path formula that must still hold.
//!
//! The rest of a run has a set of *duties*, parts that must hold from here on; at first the path formula, or its
//! negation. In a marking each duty is either met by it or handed on to the next position, by the rules of
//! [`super::super::rule`]: `c U d` needs `d` here, or `c` here and itself at the next position. There may be several ways to do
//! that. Where nothing is handed on, every run that goes on from here will do; where no step is possible, the end itself may
//! meet all duties. This is how [`super::super::table`] proves a formula, read from the front: a run that comes to
//! one of these two is one that the table accepts, and the other way round.
//!
//! Formulas with path quantifiers inside have a value where the witness says so, and none elsewhere.

use super::super::Part;
use super::super::rule::{Rule, rule};
use super::super::valuation::{Condition, Valuation, is_quantified};
use crate::formula::{Expr, ExprId, Formula, FormulaId, PathSemantics, Pool};
use crate::model::TransitionSystem;
use crate::net::Marking;
use rustc_hash::FxHashMap;

/// More ways than these to meet all duties in one marking are not looked at.
const MOST_WAYS: usize = 64;

/// Parts that must hold from a position on: sorted, each once.
pub(super) type Duties = Vec<Part>;

/// A way to meet duties in a marking.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Way {
    /// The duties of the next position.
    pub(super) next: Duties,
    /// Conditions on the next step.
    pub(super) actions: Vec<Part>,
}

impl Way {
    /// Is nothing handed on?
    pub(super) fn is_free(&self) -> bool {
        self.next.is_empty() && self.actions.is_empty()
    }
}

/// The path formula of runs from a marking, and what is known of its parts.
pub(super) struct Goal<'a> {
    pub(super) model: &'a dyn TransitionSystem,
    pub(super) pool: &'a Pool,
    pub(super) paths: PathSemantics,
    /// The path formula, or that its negation must hold.
    pub(super) root: Part,
    /// The values of formulas with quantifiers, where the witness says so.
    known: FxHashMap<(FormulaId, Marking), bool>,
    conditions: FxHashMap<FormulaId, Condition>,
    rules: FxHashMap<Part, Rule>,
    /// Were there more ways than are looked at?
    cut: bool,
}

impl<'a> Goal<'a> {
    pub(super) fn new(
        (model, pool, paths): (&'a dyn TransitionSystem, &'a Pool, PathSemantics),
        root: Part,
        known: FxHashMap<(FormulaId, Marking), bool>,
    ) -> Self {
        let mut goal = Goal {
            model,
            pool,
            paths,
            root,
            known,
            conditions: FxHashMap::default(),
            rules: FxHashMap::default(),
            cut: false,
        };
        for id in pool.reach(&[root.formula], |id| !pool.is_state(id)) {
            if pool.is_state(id) {
                goal.conditions.insert(id, Condition::new(pool, id));
            }
            for holds in [false, true] {
                goal.rules.insert(Part { formula: id, holds }, rule(pool, id, holds));
            }
        }
        goal
    }

    /// Have all its state formulas a value in each marking, and were all ways to meet duties looked at?
    pub(super) fn is_complete(&self) -> bool {
        !self.cut && self.conditions.keys().all(|&id| self.is_of_markings(id))
    }

    /// Is a state formula a matter of the marking alone?
    fn is_of_markings(&self, id: FormulaId) -> bool {
        let bounds = |expression: ExprId| matches!(self.pool[expression], Expr::Bounds(_));
        !self.pool.subformulas(&[id]).into_iter().any(|id| match self.pool[id] {
            Formula::Compare(left, _, right) => self.pool.subexpressions(vec![left, right]).into_iter().any(bounds),
            ref node => is_quantified(node),
        })
    }

    /// Does each run that meets it do so after finitely many steps, whatever follows?
    pub(super) fn is_met_in_the_end(&self) -> bool {
        let (mut seen, mut stack) = (vec![self.root], vec![self.root]);
        while let Some(part) = stack.pop() {
            let parts: Vec<Part> = match self.rules.get(&part) {
                None | Some(Rule::Leaf) => Vec::new(),
                Some(Rule::Choice(choices)) => choices.concat(),
                Some(Rule::Next(next)) => vec![*next],
                Some(Rule::Until(before, last)) => [&before[..], last].concat(),
                Some(Rule::Weak(..) | Rule::Before(..) | Rule::SoFar(..)) => return false,
            };
            for part in parts.into_iter().filter(|part| !self.pool.is_state(part.formula)) {
                if !seen.contains(&part) {
                    seen.push(part);
                    stack.push(part);
                }
            }
        }
        true
    }

    /// Does it wait for conditions side by side, so that a lasso shows it within its steps? One that waits for a condition after
    /// another may go round more than once.
    pub(super) fn is_met_in_one_round(&self) -> bool {
        let is_state = |part: &Part| self.pool.is_state(part.formula);
        let mut stack = vec![self.root];
        while let Some(part) = stack.pop().filter(|part| !is_state(part)) {
            match self.rules.get(&part) {
                None | Some(Rule::Leaf) => {}
                Some(Rule::Choice(choices)) => {
                    stack.extend(choices.concat().into_iter().filter(|part| !is_state(part)))
                }
                Some(Rule::Until(before, last)) if before.iter().chain(last).all(is_state) => {}
                Some(_) => return false,
            }
        }
        true
    }

    /// Is it that a condition holds in all markings, so that each way back to a marking shows it?
    pub(super) fn is_for_ever(&self) -> bool {
        let is_state = |part: &Part| self.pool.is_state(part.formula);
        matches!(self.rules.get(&self.root), Some(Rule::Weak(before, None)) if before.iter().all(is_state))
    }

    /// The value of a state formula in a marking, if it is known.
    pub(super) fn value(&self, formula: FormulaId, marking: &Marking) -> Option<bool> {
        let condition = self.conditions.get(&formula)?;
        let valuation = Valuation { model: self.model, pool: self.pool, bound: &|_| None };
        let known = &mut |id| self.known.get(&(id, marking.clone())).copied();
        valuation.condition(condition, marking, known)
    }

    /// Is it known of a step whether it is one of those that an action atom names?
    pub(super) fn permits(&self, way: &Way, step: crate::model::Step) -> bool {
        way.actions.iter().all(|part| match &self.pool[part.formula] {
            Formula::Action(labels) => labels.contains(&step.action) == part.holds,
            _ => false,
        })
    }

    /// All ways to meet duties in a marking. If one hands on nothing, that one alone.
    pub(super) fn ways(&mut self, duties: &[Part], marking: &Marking) -> Vec<Way> {
        let mut found: Vec<Way> = Vec::new();
        let mut values: FxHashMap<FormulaId, Option<bool>> = FxHashMap::default();
        let mut branches = vec![(duties.to_vec(), Vec::new(), Way::default())];
        let mut left = 8 * MOST_WAYS;
        'branch: while let Some((mut todo, mut met, mut way)) = branches.pop() {
            left = left.saturating_sub(1);
            if left == 0 || found.len() > MOST_WAYS {
                self.cut = true;
                break;
            }
            while let Some(part) = todo.pop() {
                if met.contains(&part) {
                    continue;
                }
                met.push(part);
                if self.pool.is_state(part.formula) {
                    let value = values.entry(part.formula).or_insert_with(|| self.value(part.formula, marking));
                    if *value != Some(part.holds) {
                        continue 'branch;
                    }
                    continue;
                }
                let itself = |way: &Way| Way { next: with(&way.next, part), actions: way.actions.clone() };
                let Some(rule) = self.rules.get(&part) else { continue 'branch };
                match rule {
                    Rule::Leaf => way.actions.push(part),
                    // Such runs are left as they are.
                    Rule::Before(..) | Rule::SoFar(..) => continue 'branch,
                    Rule::Choice(choices) => {
                        let Some((last, others)) = choices.split_last() else { continue 'branch };
                        for choice in others {
                            let more = todo.iter().chain(choice).copied().collect();
                            branches.push((more, met.clone(), way.clone()));
                        }
                        todo.extend(last);
                    }
                    Rule::Next(next) => way.next = with(&way.next, *next),
                    Rule::Until(before, last) => {
                        let more = todo.iter().chain(before).copied().collect();
                        branches.push((more, met.clone(), itself(&way)));
                        todo.extend(last);
                    }
                    Rule::Weak(before, last) => {
                        if let Some(last) = last {
                            let more = todo.iter().chain(last).copied().collect();
                            branches.push((more, met.clone(), way.clone()));
                        }
                        way = itself(&way);
                        todo.extend(before);
                    }
                }
            }
            if way.is_free() {
                return vec![way];
            }
            way.actions.sort_unstable_by_key(|part| (part.formula, part.holds));
            // What hands on more than another way is no better than it.
            let within = |a: &Way, b: &Way| {
                a.next.iter().all(|part| b.next.contains(part)) && a.actions.iter().all(|part| b.actions.contains(part))
            };
            if !found.iter().any(|other| within(other, &way)) {
                found.retain(|other| !within(&way, other));
                found.push(way);
            }
        }
        found
    }

    /// Are duties met if the run ends in this marking, as no step is possible? (Whether one is, is not asked.)
    pub(super) fn ends(&self, duties: &[Part], marking: &Marking) -> bool {
        self.paths != PathSemantics::Infinite && duties.iter().all(|&part| self.at_end(part, marking))
    }

    fn at_end(&self, part: Part, marking: &Marking) -> bool {
        if self.pool.is_state(part.formula) {
            return self.value(part.formula, marking) == Some(part.holds);
        }
        let all = |parts: &Vec<Part>| parts.iter().all(|&part| self.at_end(part, marking));
        let Some(rule) = self.rules.get(&part) else { return false };
        match rule {
            Rule::Leaf => !part.holds,
            Rule::Before(..) | Rule::SoFar(..) => false,
            Rule::Choice(choices) => choices.iter().any(all),
            Rule::Next(next) => self.paths == PathSemantics::Stutter && self.at_end(*next, marking),
            Rule::Until(_, last) => all(last),
            Rule::Weak(before, last) => all(before) || last.as_ref().is_some_and(all),
        }
    }

    /// Must one of these duties be met some day, and not only for ever?
    pub(super) fn is_pending(&self, duties: &[Part]) -> bool {
        duties.iter().any(|part| !matches!(self.rules.get(part), Some(Rule::Weak(..))))
    }
}

/// The duties and one more.
fn with(duties: &[Part], part: Part) -> Duties {
    let key = |part: &Part| (part.formula, part.holds);
    let mut all = duties.to_vec();
    if let Err(at) = all.binary_search_by_key(&key(&part), key) {
        all.insert(at, part);
    }
    all
}
