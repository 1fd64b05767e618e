//! Compilation of searches ([`super::compile`]): values of variables under conditions.
//!
//! The order in which variables get their values is found once, from the texts of the conditions: from an equation where
//! there is one, else from a set, else from a type with few values. Each condition is tested as soon as all that it reads
//! has a value. Where only a disjunction or an implication says something of the variables that are left, each of its
//! cases is a search of its own; a solution may be found twice then. What is left at last is for the solver.

use super::ast::{Bound, Carrier, Expr, Kind, Op};
use super::compile::{Compiler, is_listed};
use super::compiled::{Find, Node};
use super::types::Type;
use super::words::{Pattern, Sort};

/// The most conditions of a search that are taken by cases.
const SPLITS: usize = 64;

impl Compiler<'_> {
    /// The code that finds values of variables under conditions.
    pub(super) fn finds(&mut self, vars: &[Bound], guards: &[&Expr]) -> Option<Vec<Find>> {
        self.declare(vars);
        self.splits = 0;
        // Another way may have had them before.
        vars.iter().for_each(|var| {
            self.known.remove(&var.slot);
        });
        self.search(vars.iter().collect(), guards.iter().flat_map(|guard| guard.conjuncts()).collect())
    }

    /// The code that finds values of open variables under the conditions that are left.
    fn search(&mut self, mut open: Vec<&Bound>, mut left: Vec<&Expr>) -> Option<Vec<Find>> {
        let mut finds = Vec::new();
        loop {
            let (ready, others): (Vec<&Expr>, Vec<&Expr>) = left.into_iter().partition(|guard| self.reads_known(guard));
            for guard in ready {
                finds.push(Find::Test(self.predicate(guard)?));
            }
            left = others;
            if open.is_empty() {
                // A condition that reads something else has no value here.
                return left.is_empty().then_some(finds);
            }
            let find = self.equation(&mut left, &open).or_else(|| self.one_of(&mut left, &open));
            let find = find.or_else(|| self.source(&mut left, &open, false));
            // Cases of a disjunction are better than all elements of a given set.
            let cases = find.is_none() && left.iter().any(|guard| self.helps(guard, &open));
            let find = find.or_else(|| if cases { None } else { self.source(&mut left, &open, true) });
            let find = find.or_else(|| if cases { None } else { self.of_type(&open) });
            let Some(find) = find else {
                finds.push(self.split(&open, &left)?);
                // Each case has found all of them.
                self.known.extend(open.iter().map(|var| var.slot));
                return Some(finds);
            };
            match &find {
                Find::Is(slot, _) | Find::OneOf(slot, _) | Find::Range(slot, ..) => {
                    self.known.insert(*slot);
                }
                Find::In { pattern, .. } => self.known.extend(leaves(pattern)),
                _ => {}
            }
            finds.push(find);
            open.retain(|var| !self.known.contains(&var.slot));
        }
    }

    /// The code for each case of a condition that leaves open variables without candidates.
    fn split(&mut self, open: &[&Bound], left: &[&Expr]) -> Option<Find> {
        self.splits += 1;
        if self.splits > SPLITS {
            return None;
        }
        let by_cases = |guard: &&Expr| matches!(guard.kind, Kind::Op(Op::Or, _));
        let order = left.iter().enumerate().filter(|(_, guard)| by_cases(guard));
        for (at, guard) in order.chain(left.iter().enumerate().filter(|(_, guard)| !by_cases(guard))) {
            let Kind::Op(op, parts) = &guard.kind else { continue };
            let with = |compiler: &mut Self, part: Option<&Expr>| {
                let known = compiler.known.clone();
                let rest = left[..at].iter().chain(&left[at + 1..]).copied();
                let more = part.into_iter().flat_map(Expr::conjuncts);
                let finds = compiler.search(open.to_vec(), more.chain(rest).collect());
                compiler.known = known;
                finds
            };
            match op {
                Op::Or => {
                    let cases = parts.iter().map(|part| with(self, Some(part)));
                    return Some(Find::Either(cases.collect::<Option<_>>()?));
                }
                Op::Implies if self.reads_known(&parts[0]) => {
                    let premise = self.predicate(&parts[0])?;
                    return Some(Find::If(premise, with(self, Some(&parts[1]))?, with(self, None)?));
                }
                _ => {}
            }
        }
        // For the solver, if it comes to that.
        (self.splits > 1).then_some(Find::Unknown)
    }

    /// A variable that an equation gives its value.
    fn equation(&mut self, left: &mut Vec<&Expr>, open: &[&Bound]) -> Option<Find> {
        for at in 0..left.len() {
            let Kind::Op(Op::Equal, sides) = &left[at].kind else { continue };
            for (variable, value) in [(0, 1), (1, 0)] {
                if let Kind::Slot(slot) = sides[variable].kind
                    && open.iter().any(|var| var.slot == slot)
                    && self.reads_known(&sides[value])
                    && let Some(node) = self.value_for(slot, &sides[value])
                {
                    left.remove(at);
                    return Some(Find::Is(slot, node));
                }
            }
        }
        None
    }

    /// A variable that is one of some values: `x = a or x = b`.
    fn one_of(&mut self, left: &mut Vec<&Expr>, open: &[&Bound]) -> Option<Find> {
        for at in 0..left.len() {
            let Kind::Op(Op::Or, parts) = &left[at].kind else { continue };
            let mut known: Option<u32> = None;
            let mut equal = |part: &Expr| -> Option<Node> {
                let Kind::Op(Op::Equal, sides) = &part.kind else { return None };
                [(0, 1), (1, 0)].into_iter().find_map(|(variable, value)| {
                    let Kind::Slot(slot) = sides[variable].kind else { return None };
                    let fits = open.iter().any(|var| var.slot == slot) && known.is_none_or(|other| other == slot);
                    if !fits || !self.reads_known(&sides[value]) {
                        return None;
                    }
                    known = Some(slot);
                    self.value_for(slot, &sides[value])
                })
            };
            let nodes: Option<Vec<Node>> = parts.iter().map(&mut equal).collect();
            if let (Some(nodes), Some(slot)) = (nodes, known) {
                left.remove(at);
                return Some(Find::OneOf(slot, nodes));
            }
        }
        None
    }

    /// Does a disjunction give some open variable few values, whichever case it is?
    fn helps(&self, guard: &Expr, open: &[&Bound]) -> bool {
        let Kind::Op(Op::Or, parts) = &guard.kind else { return false };
        let few = |part: &Expr, slot: u32| {
            part.conjuncts().into_iter().any(|conjunct| {
                let Kind::Op(op, sides) = &conjunct.kind else { return false };
                let is = |at: usize| matches!(sides[at].kind, Kind::Slot(other) if other == slot);
                match op {
                    Op::Equal => (0..2).any(|at| is(at) && self.reads_known(&sides[1 - at])),
                    Op::In => is(0) && self.reads_known(&sides[1]) && !matches!(sides[1].kind, Kind::Carrier(_)),
                    _ => false,
                }
            })
        };
        open.iter().any(|var| parts.iter().all(|part| few(part, var.slot)))
    }

    /// Variables that are in a set: one that has a name, or that depends on a state and is smaller than those.
    fn source(&mut self, left: &mut Vec<&Expr>, open: &[&Bound], named: bool) -> Option<Find> {
        let is_open = |slot: u32| open.iter().any(|var| var.slot == slot);
        for at in 0..left.len() {
            let Kind::Op(op @ (Op::In | Op::Subset), sides) = &left[at].kind else { continue };
            if named != matches!(sides[1].kind, Kind::Carrier(_)) || !self.reads_known(&sides[1]) {
                continue;
            }
            let Some(pattern) = self.pattern(&sides[0]) else { continue };
            let slots = leaves(&pattern);
            let repeats = slots.iter().enumerate().any(|(at, slot)| slots[..at].contains(slot));
            // A variable of the operation that has no value yet is none that is looked for.
            let is_read = |slot: &u32| is_open(*slot) || self.known.contains(slot);
            if repeats || !slots.iter().any(|slot| is_open(*slot)) || !slots.iter().all(is_read) {
                continue;
            }
            if let Some(find) = self.elements(*op, pattern, slots, &sides[1]) {
                left.remove(at);
                return Some(find);
            }
        }
        None
    }

    /// The elements of a set, or its subsets, for a pattern.
    pub(super) fn elements(&mut self, op: Op, pattern: Pattern, slots: Vec<u32>, set: &Expr) -> Option<Find> {
        let range = match (&pattern, &set.kind) {
            (Pattern::Leaf(..), Kind::Op(Op::Interval, ends)) => Some((self.value(&ends[0])?, self.value(&ends[1])?)),
            (Pattern::Leaf(..), Kind::Carrier(Carrier::Bool)) => Some((Node::Const(0), Node::Const(1))),
            (Pattern::Leaf(..), Kind::Carrier(Carrier::Given(set))) => {
                Some((Node::Const(0), Node::Const(i64::from(self.context.sizes[*set as usize]) - 1)))
            }
            (Pattern::Leaf(..), Kind::Carrier(carrier)) => {
                let (low, high) = self.ends(*carrier).filter(|(_, high)| *high < i64::MAX)?;
                Some((Node::Const(low), Node::Const(high)))
            }
            _ => None,
        };
        let subsets = op == Op::Subset;
        if let Some((low, high)) = range.filter(|_| !subsets) {
            return Some(Find::Range(slots[0], low, high));
        }
        let power = matches!(set.kind, Kind::Op(Op::PowerSet | Op::PowerSet1 | Op::FiniteSets | Op::FiniteSets1, _));
        let all = Expr {
            ty: set.ty.clone().set(),
            free: set.free.clone(),
            ..Expr::op(set.pos, Op::PowerSet, vec![set.clone()])
        };
        let set = if subsets { &all } else { set };
        if !subsets && !power && !is_listed(set) && !matches!(set.kind, Kind::Slot(_)) {
            return None;
        }
        let node = self.value(set)?;
        let Sort::Pool(pool) = self.sort(&set.ty) else { return None };
        self.program.sources += 1;
        let bound = slots.iter().copied().filter(|slot| self.known.contains(slot)).collect();
        Some(Find::In { set: node, pool, pattern, bound, source: self.program.sources - 1 })
    }

    /// A formula that is a variable, or pairs of such.
    fn pattern(&mut self, expr: &Expr) -> Option<Pattern> {
        match &expr.kind {
            Kind::Slot(slot) => {
                let sort = self.sort(&expr.ty);
                (sort == self.program.sorts[*slot as usize]).then_some(Pattern::Leaf(*slot, sort))
            }
            Kind::Op(Op::Couple, parts) => {
                Some(Pattern::Pair(Box::new([self.pattern(&parts[0])?, self.pattern(&parts[1])?])))
            }
            _ => None,
        }
    }

    /// All values of a type with few.
    fn of_type(&self, open: &[&Bound]) -> Option<Find> {
        open.iter().find_map(|var| {
            let count = match &var.ty {
                Type::Bool => 2,
                Type::Given(set) => i64::from(self.context.sizes[*set as usize]),
                _ => return None,
            };
            Some(Find::Range(var.slot, Node::Const(0), Node::Const(count - 1)))
        })
    }
}

/// The variables of a pattern.
fn leaves(pattern: &Pattern) -> Vec<u32> {
    match pattern {
        Pattern::Leaf(slot, _) => vec![*slot],
        Pattern::Pair(parts) => parts.iter().flat_map(leaves).collect(),
    }
}
