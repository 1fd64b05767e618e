//! State conditions compiled to checks on packed words.
//!
//! Each proposition of an automaton stands for a Boolean condition on one state: comparisons of linear
//! expressions, fireability, deadlock. A condition is compiled for a layout into a list of nodes, operands
//! first, whose leaves read fields in place. The values of all propositions in a state form a *letter*, one
//! bit each. A firing changes a proposition only if it changes a variable the condition reads; the other bits of
//! the letter are carried over, so that most firings evaluate nothing ([`Atoms::update`]).
//!
//! A proposition may also be about the firing that comes next: an action atom. Its bit is false in the letter of the
//! state and is added for the firing ([`Atoms::of_firing`]).

mod attractor;
mod distance;

use super::layout::{Layout, Slot};
use super::packed_model::{Action, PackedModel};
use crate::automaton::Prop;
use crate::formula::{Comparison, Expr, ExprId, Formula, FormulaId, Pool};
use crate::model::{LabelId, Standstill, StateSet, VariableId};
use crate::stop_reason::StopReason;
use rustc_hash::{FxHashMap, FxHashSet};

/// The values of all propositions in one state.
pub(super) type Letter = u64;

/// Greatest number of propositions.
pub(super) const MAX_PROPOSITIONS: usize = 64;

/// A condition's node; operands are indices of earlier nodes of the same condition.
#[derive(Clone, Debug)]
enum Node<P> {
    Constant(bool),
    /// `variable ⋈ constant`.
    Count(P, Comparison, u64),
    /// `Σ weight·variable ⋈ constant`.
    Linear(Vec<(P, i128)>, Comparison, i128),
    /// Any other comparison, of two values of `exprs`.
    General(Vec<Value<P>>, usize, Comparison, usize),
    Enabled(Vec<Action>),
    Label(LabelId),
    /// The state is in the set; its variables from the top.
    Set(StateSet, Vec<P>),
    Deadlock,
    Still(Standstill),
    Not(usize),
    And(Vec<usize>),
    Or(Vec<usize>),
    Implies(usize, usize),
    Iff(usize, usize),
}

/// A node of an expression that is not linear; operands are indices of earlier nodes.
#[derive(Clone, Debug)]
enum Value<P> {
    Constant(i128),
    Tokens(Vec<P>),
    Neg(usize),
    Add(Vec<usize>),
    Mul(usize, usize),
    Div(usize, usize),
}

/// The nodes of a condition, before and after variables are replaced by their fields.
type Condition<P> = Vec<Node<P>>;

/// The conditions of all propositions.
#[derive(Clone, Debug)]
pub(super) struct Atoms {
    conditions: Vec<Condition<VariableId>>,
    compiled: Vec<Condition<Slot>>,
    /// Per action: the propositions whose value it may change.
    touches: Vec<Letter>,
    /// Per action: the propositions that hold of its firing. Empty if none is about firings.
    actions: Vec<Letter>,
    /// The value of each node of a condition.
    scratch: Vec<bool>,
}

impl Atoms {
    /// Compile the state formulas `atoms` of `pool`, proposition by proposition; those that are not `used` stay
    /// false.
    pub(super) fn new<S: PackedModel>(
        space: &S,
        pool: &Pool,
        atoms: &[FormulaId],
        used: &[Prop],
    ) -> Result<Atoms, StopReason> {
        if atoms.len() > MAX_PROPOSITIONS {
            return Err(StopReason::Unsupported(
                "the explicit engine does not read more than 64 atomic propositions in one formula",
            ));
        }
        let mut conditions = Vec::with_capacity(atoms.len());
        let mut actions = Vec::new();
        let mut touches = vec![0; space.system().actions()];
        for (k, &atom) in atoms.iter().enumerate() {
            let is_used = used.iter().any(|p| p.index() == k);
            if let (Formula::Action(labels), true) = (&pool[atom], is_used) {
                actions.resize(touches.len(), 0);
                for &label in labels {
                    actions[space.action_of(label).ok_or(FOREIGN)? as usize] |= 1 << k;
                }
                // Of a state alone it does not hold.
                conditions.push(vec![Node::Constant(false)]);
                continue;
            }
            let condition = if is_used { condition(space, pool, atom)? } else { vec![Node::Constant(false)] };
            let mut support = FxHashSet::default();
            let mut everything = false;
            for node in &condition {
                match node {
                    Node::Count(p, ..) => support.extend([*p]),
                    Node::Linear(terms, ..) => support.extend(terms.iter().map(|t| t.0)),
                    Node::General(values, ..) => support.extend(values.iter().flat_map(|v| match v {
                        Value::Tokens(places) => &places[..],
                        _ => &[],
                    })),
                    Node::Enabled(actions) => support.extend(actions.iter().flat_map(|&a| space.reads(a))),
                    Node::Label(label) => support.extend(space.system().label_reads(*label)),
                    Node::Set(_, variables) => support.extend(variables),
                    Node::Deadlock | Node::Still(_) => everything = true,
                    _ => {}
                }
            }
            if support.iter().any(|p| p.index() >= space.system().variables()) {
                return Err(FOREIGN);
            }
            for (action, touched) in (0..).zip(&mut touches) {
                if everything || space.changes(action, &|p| support.contains(&p)) {
                    *touched |= 1 << k;
                }
            }
            conditions.push(condition);
        }
        let mut atoms = Atoms { conditions, compiled: Vec::new(), touches, actions, scratch: Vec::new() };
        atoms.compile(space.layout());
        Ok(atoms)
    }

    /// Adapt to another layout.
    pub(super) fn compile(&mut self, layout: &Layout) {
        let slot = |p: &VariableId| layout.slot(*p);
        let node = |node: &Node<VariableId>| match node {
            Node::Constant(b) => Node::Constant(*b),
            Node::Count(p, c, k) => Node::Count(slot(p), *c, *k),
            Node::Linear(terms, c, k) => Node::Linear(terms.iter().map(|(p, w)| (slot(p), *w)).collect(), *c, *k),
            Node::General(values, a, c, b) => {
                let value = |value: &Value<VariableId>| match value {
                    Value::Constant(k) => Value::Constant(*k),
                    Value::Tokens(places) => Value::Tokens(places.iter().map(slot).collect()),
                    Value::Neg(a) => Value::Neg(*a),
                    Value::Add(operands) => Value::Add(operands.clone()),
                    Value::Mul(a, b) => Value::Mul(*a, *b),
                    Value::Div(a, b) => Value::Div(*a, *b),
                };
                Node::General(values.iter().map(value).collect(), *a, *c, *b)
            }
            Node::Enabled(actions) => Node::Enabled(actions.clone()),
            Node::Label(label) => Node::Label(*label),
            Node::Set(set, variables) => Node::Set(set.clone(), variables.iter().map(slot).collect()),
            Node::Deadlock => Node::Deadlock,
            Node::Still(how) => Node::Still(*how),
            Node::Not(a) => Node::Not(*a),
            Node::And(operands) => Node::And(operands.clone()),
            Node::Or(operands) => Node::Or(operands.clone()),
            Node::Implies(a, b) => Node::Implies(*a, *b),
            Node::Iff(a, b) => Node::Iff(*a, *b),
        };
        self.compiled = self.conditions.iter().map(|c| c.iter().map(node).collect()).collect();
    }

    /// The propositions that an action may change.
    #[inline]
    pub(super) fn touched(&self, action: Action) -> Letter {
        self.touches[action as usize]
    }

    /// Is some proposition about firings?
    pub(super) fn has_actions(&self) -> bool {
        !self.actions.is_empty()
    }

    /// The propositions that hold of the firing of an action.
    #[inline]
    pub(super) fn of_firing(&self, action: Action) -> Letter {
        self.actions.get(action as usize).copied().unwrap_or(0)
    }

    /// The letter of a state.
    pub(super) fn letter<S: PackedModel>(&mut self, space: &S, words: &[u64]) -> Result<Letter, StopReason> {
        self.evaluate(space, words, 0, u64::MAX)
    }

    /// The letter of a state reached by `action` from one with letter `before`.
    #[inline]
    pub(super) fn update<S: PackedModel>(
        &mut self,
        space: &S,
        words: &[u64],
        before: Letter,
        action: Action,
    ) -> Result<Letter, StopReason> {
        match self.touches[action as usize] {
            0 => Ok(before),
            touched => self.evaluate(space, words, before, touched),
        }
    }

    fn evaluate<S: PackedModel>(
        &mut self,
        space: &S,
        words: &[u64],
        before: Letter,
        which: Letter,
    ) -> Result<Letter, StopReason> {
        let mut letter = before & !which;
        let mut rest = which;
        while rest != 0 {
            let k = rest.trailing_zeros();
            let Some(condition) = self.compiled.get(k as usize) else { break };
            rest &= rest - 1;
            self.scratch.clear();
            for node in condition {
                let value = holds(node, space, words, &self.scratch)?;
                self.scratch.push(value);
            }
            letter |= u64::from(self.scratch.last() == Some(&true)) << k;
        }
        Ok(letter)
    }
}

fn holds<S: PackedModel>(node: &Node<Slot>, space: &S, words: &[u64], before: &[bool]) -> Result<bool, StopReason> {
    Ok(match node {
        Node::Constant(b) => *b,
        Node::Count(slot, comparison, k) => comparison.holds(&slot.value(words), k),
        Node::Linear(terms, comparison, k) => {
            let mut sum = 0i128;
            for (slot, weight) in terms {
                // Cannot overflow: see `linear`.
                sum += weight * i128::from(slot.value(words));
            }
            comparison.holds(&sum, k)
        }
        Node::General(values, a, comparison, b) => {
            let values = evaluate_values(values, words)?;
            comparison.holds(&values[*a], &values[*b])
        }
        Node::Enabled(actions) => {
            for &action in actions {
                if space.is_enabled(words, action)? {
                    return Ok(true);
                }
            }
            false
        }
        Node::Label(label) => space.label(words, *label)?,
        Node::Set(set, slots) => set.holds(|layer| slots[layer].value(words)),
        Node::Deadlock => space.is_deadlock(words)?,
        Node::Still(how) => space.stands_still(words, *how)?,
        Node::Not(a) => !before[*a],
        Node::And(operands) => operands.iter().all(|&a| before[a]),
        Node::Or(operands) => operands.iter().any(|&a| before[a]),
        Node::Implies(a, b) => !before[*a] || before[*b],
        Node::Iff(a, b) => before[*a] == before[*b],
    })
}

fn evaluate_values(values: &[Value<Slot>], words: &[u64]) -> Result<Vec<i128>, StopReason> {
    let mut results: Vec<i128> = Vec::with_capacity(values.len());
    for value in values {
        let result = match value {
            Value::Constant(k) => Some(*k),
            Value::Tokens(slots) => slots.iter().try_fold(0i128, |sum, s| sum.checked_add(i128::from(s.value(words)))),
            Value::Neg(a) => results[*a].checked_neg(),
            Value::Add(operands) => operands.iter().try_fold(0i128, |sum, &a| sum.checked_add(results[a])),
            Value::Mul(a, b) => results[*a].checked_mul(results[*b]),
            Value::Div(_, b) if results[*b] == 0 => return Err(StopReason::DivisionByZero),
            Value::Div(a, b) => results[*a].checked_div(results[*b]),
        };
        results.push(result.ok_or(StopReason::Arithmetic)?);
    }
    Ok(results)
}

/// The condition of a state formula without path quantifiers.
fn condition<S: PackedModel>(space: &S, pool: &Pool, root: FormulaId) -> Result<Condition<VariableId>, StopReason> {
    let mut nodes = Vec::new();
    let mut index: FxHashMap<FormulaId, usize> = FxHashMap::default();
    for id in pool.subformulas(&[root]) {
        let at = |f: &FormulaId| index[f];
        let all = |operands: &[FormulaId]| operands.iter().map(at).collect();
        let node = match &pool[id] {
            Formula::True => Node::Constant(true),
            Formula::False => Node::Constant(false),
            Formula::Deadlock => Node::Deadlock,
            Formula::Still(how) => Node::Still(*how),
            Formula::Enabled(transitions) => {
                let actions = transitions.iter().map(|&t| space.action_of(t));
                Node::Enabled(actions.collect::<Option<_>>().ok_or(FOREIGN)?)
            }
            Formula::Label(label) if label.index() < space.system().labels() => Node::Label(*label),
            Formula::Label(_) => return Err(FOREIGN),
            Formula::Set(set) => Node::Set(set.clone(), set.order().to_vec()),
            Formula::Compare(a, comparison, b) => comparison_node(pool, *a, *comparison, *b)?,
            Formula::Not(a) => Node::Not(at(a)),
            Formula::And(operands) => Node::And(all(operands)),
            Formula::Or(operands) => Node::Or(all(operands)),
            Formula::Implies(a, b) => Node::Implies(at(a), at(b)),
            Formula::Iff(a, b) => Node::Iff(at(a), at(b)),
            _ => {
                return Err(StopReason::Unsupported(
                    "the explicit engine does not decide path quantifiers and temporal operators inside conditions on states",
                ));
            }
        };
        index.insert(id, nodes.len());
        nodes.push(node);
    }
    Ok(nodes)
}

const FOREIGN: StopReason = StopReason::Unsupported("the formula is about another model");

const BOUNDS: StopReason = StopReason::Unsupported("the explicit engine does not decide formulas with `bounds` here");

fn comparison_node(pool: &Pool, a: ExprId, comparison: Comparison, b: ExprId) -> Result<Node<VariableId>, StopReason> {
    let order = pool.subexpressions(vec![a, b]);
    if order.iter().any(|&e| matches!(pool[e], Expr::Bounds(_))) {
        return Err(BOUNDS);
    }
    if let Some((terms, constant)) = linear(pool, &order, a, b) {
        return Ok(match (&terms[..], u64::try_from(constant)) {
            ([], _) => Node::Constant(comparison.holds(&0, &constant)),
            ([(p, 1)], Ok(k)) => Node::Count(*p, comparison, k),
            ([(p, -1)], _) if constant <= 0 && constant >= -i128::from(u64::MAX) => {
                Node::Count(*p, comparison.swapped(), (-constant) as u64)
            }
            _ => Node::Linear(terms, comparison, constant),
        });
    }
    let mut index = FxHashMap::default();
    let mut values = Vec::new();
    for &e in &order {
        let at = |e: &ExprId| index[e];
        values.push(match &pool[e] {
            Expr::Const(k) => Value::Constant(*k),
            Expr::Tokens(places) => Value::Tokens(places.clone()),
            Expr::Neg(a) => Value::Neg(at(a)),
            Expr::Add(operands) => Value::Add(operands.iter().map(at).collect()),
            Expr::Mul(a, b) => Value::Mul(at(a), at(b)),
            Expr::Div(a, b) => Value::Div(at(a), at(b)),
            Expr::Bounds(_) => return Err(BOUNDS),
        });
        index.insert(e, values.len() - 1);
    }
    Ok(Node::General(values, index[&a], comparison, index[&b]))
}

/// Weights and constants of the linear form stay below this: with fewer than 2³² terms of at most 2⁶⁴ tokens
/// no sum then leaves `i128`.
const LARGEST: i128 = 1 << 30;

/// `a ⋈ b` as `Σ terms ⋈ constant`, if it is linear with moderate weights.
fn linear(pool: &Pool, order: &[ExprId], a: ExprId, b: ExprId) -> Option<(Vec<(VariableId, i128)>, i128)> {
    type Form = (FxHashMap<VariableId, i128>, i128);
    let mut forms: FxHashMap<ExprId, Form> = FxHashMap::default();
    let add = |sum: &mut Form, form: &Form, factor: i128| {
        for (&p, &w) in &form.0 {
            let weight = sum.0.entry(p).or_insert(0);
            *weight = w.checked_mul(factor).and_then(|w| weight.checked_add(w)).filter(|w| w.abs() <= LARGEST)?;
        }
        sum.1 = form.1.checked_mul(factor).and_then(|k| sum.1.checked_add(k))?;
        Some(())
    };
    for &e in order {
        let mut form: Form = (FxHashMap::default(), 0);
        match &pool[e] {
            Expr::Const(k) => form.1 = *k,
            Expr::Tokens(places) => places.iter().for_each(|&p| *form.0.entry(p).or_insert(0) += 1),
            Expr::Neg(a) => add(&mut form, &forms[a], -1)?,
            Expr::Add(operands) => {
                for a in operands {
                    add(&mut form, &forms[a], 1)?;
                }
            }
            Expr::Mul(a, b) => {
                let (a, b) = (&forms[a], &forms[b]);
                let (form_of, factor) = if a.0.is_empty() { (b, a.1) } else { (a, b.1) };
                if !a.0.is_empty() && !b.0.is_empty() {
                    return None;
                }
                add(&mut form, form_of, factor)?;
            }
            Expr::Div(..) | Expr::Bounds(_) => return None,
        }
        forms.insert(e, form);
    }
    let mut difference = forms.get(&a)?.clone();
    add(&mut difference, forms.get(&b)?, -1)?;
    let mut terms: Vec<(VariableId, i128)> = difference.0.into_iter().filter(|&(_, w)| w != 0).collect();
    terms.sort_unstable();
    Some((terms, difference.1.checked_neg()?))
}
