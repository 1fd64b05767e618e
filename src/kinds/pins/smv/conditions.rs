//! Conditions of SMV as atoms of formulas.
//!
//! A variable that is compared with a constant, or with another one of the same values, is compared by the formula
//! itself, which all engines know best. Every other condition is a state label: the program tells whether it holds. A
//! condition on steps is a latch ([`starset_smv::Latches`]), or, if it says whose turn it is, an action.

use super::values::Coding;
use crate::formula::{Comparison, Expr, ExprId, Formula, FormulaId, Pool};
use crate::model::{ActionId, LabelId, VariableId};
use starset_smv::{Latches, Model, Node, Op, Place, Role, Term, Type, Value};
use std::collections::{HashMap, HashSet};

/// Values of a set that are compared one by one.
const MOST_VALUES: usize = 64;

/// Makes formulas of the conditions of a program.
pub(super) struct Conditions<'m> {
    pub(super) model: &'m mut Model,
    pub(super) pool: &'m mut Pool,
    /// The conditions that are labels, by number.
    pub(super) labels: Vec<Term>,
    /// Variables for conditions on steps; none if the model should have no further ones.
    pub(super) latches: Option<Latches>,
    /// Formulas that are made already.
    pub(super) known: HashMap<Term, FormulaId>,
    /// Terms that may be a fault for some values.
    pub(super) fallible: HashSet<Term>,
    /// The hidden input of processes, and its values in the order of the groups.
    turns: Option<(usize, Vec<Value>)>,
    /// Where the current property stands.
    pub(super) place: Place,
}

impl<'m> Conditions<'m> {
    pub(super) fn new(model: &'m mut Model, pool: &'m mut Pool, latching: bool) -> Self {
        let turns = model.selector().map(|selector| {
            let domain = &model.variables[selector].domain;
            (selector, (0..domain.size() as u64).map(|number| domain.value(number)).collect())
        });
        let (labels, known, fallible) = (Vec::new(), HashMap::new(), model.terms.fallible());
        let latches = latching.then(Latches::default);
        Conditions { model, pool, labels, latches, known, fallible, turns, place: Place::default() }
    }

    /// The variable of a state that a variable of the program is.
    fn slot(&self, variable: usize) -> VariableId {
        let of_state = |variable: &&starset_smv::Variable| variable.role != Role::Input;
        VariableId(self.model.variables[..variable].iter().filter(of_state).count() as u32)
    }

    /// The condition that a truth value is true.
    pub(super) fn is_true(&mut self, variable: usize) -> FormulaId {
        let slot = self.slot(variable);
        self.pool.compare(vec![slot], Comparison::Eq, 1)
    }

    /// The path formula, or condition, of a term that is taken as a whole.
    pub(super) fn atom(&mut self, term: Term) -> Result<FormulaId, String> {
        if Latches::is_about_steps(self.model, term) {
            if let Some(action) = self.turn(term) {
                return Ok(self.pool.add(Formula::Action(vec![action])));
            }
            let latched = self.latched(term)?;
            return Ok(self.pool.add(Formula::Next(latched)));
        }
        if let Some(formula) = self.compared(term) {
            return Ok(formula);
        }
        let number = self.labels.iter().position(|&label| label == term).unwrap_or_else(|| {
            self.labels.push(term);
            self.labels.len() - 1
        });
        Ok(self.pool.add(Formula::Label(LabelId(number as u32))))
    }

    /// The condition that a condition on steps held in the last step.
    pub(super) fn latched(&mut self, term: Term) -> Result<FormulaId, String> {
        let Some(latches) = &mut self.latches else {
            return Err("it speaks of inputs or next values, for which variables are added where all that the file asks is asked".to_owned());
        };
        let latch = latches.latch(self.model, term, self.place);
        match *self.model.terms.node(latch) {
            Node::Variable { variable, .. } => Ok(self.is_true(variable)),
            _ => Err("it speaks of steps".to_owned()),
        }
    }

    /// The group whose turn a condition says it is, if it says just that.
    fn turn(&self, term: Term) -> Option<ActionId> {
        let (selector, values) = self.turns.as_ref()?;
        let Node::Apply(Op::Eq, sides) = self.model.terms.node(term) else { return None };
        let is_selector =
            |term: Term| *self.model.terms.node(term) == Node::Variable { variable: *selector, next: false };
        let value = sides.iter().find_map(|&side| match self.model.terms.node(side) {
            Node::Const(value) => Some(*value),
            _ => None,
        })?;
        let number = values.iter().position(|&other| other == value)?;
        sides.iter().any(|&side| is_selector(side)).then_some(ActionId(number as u32))
    }

    /// Does a condition on steps say whose turn it is, and nothing else of steps?
    pub(super) fn is_about_turns(&self, term: Term) -> bool {
        let Some((selector, _)) = self.turns else { return false };
        let of_turn = |&(variable, next): &(usize, bool)| {
            !next && (variable == selector || self.model.variables[variable].role != Role::Input)
        };
        self.model.terms.variables(term).iter().all(of_turn)
    }

    /// The current value of a variable of the state, if the term is that.
    fn variable(&self, term: Term) -> Option<usize> {
        match *self.model.terms.node(term) {
            Node::Variable { variable, next: false } if self.model.variables[variable].role != Role::Input => {
                Some(variable)
            }
            _ => None,
        }
    }

    fn constant(&self, term: Term) -> Option<Value> {
        match *self.model.terms.node(term) {
            Node::Const(value) => Some(value),
            _ => None,
        }
    }

    fn coding(&self, variable: usize) -> Coding {
        Coding::of(&self.model.variables[variable])
    }

    /// A condition that compares values as a comparison of the formula.
    fn compared(&mut self, term: Term) -> Option<FormulaId> {
        match self.model.terms.node(term).clone() {
            Node::Apply(Op::Eq, sides) => self.sides(Comparison::Eq, sides[0], sides[1]),
            Node::Apply(Op::Lt, sides) => self.sides(Comparison::Lt, sides[0], sides[1]),
            Node::Apply(Op::Le, sides) => self.sides(Comparison::Le, sides[0], sides[1]),
            Node::Member(left, right) => self.member(left, right),
            _ => None,
        }
    }

    fn sides(&mut self, comparison: Comparison, left: Term, right: Term) -> Option<FormulaId> {
        let kinds = [left, right].map(|side| self.model.terms.kind(side));
        // The codes of signed words are not in the order of their numbers.
        if comparison != Comparison::Eq && kinds.iter().any(|kind| matches!(kind, Type::Word { signed: true, .. })) {
            return None;
        }
        if let (Some(a), Some(b)) = (self.variable(left), self.variable(right)) {
            let (first, second) = (self.coding(a), self.coding(b));
            let [x, y] = [a, b].map(|variable| self.slot(variable));
            let (x, y) = (self.pool.add_expr(Expr::Tokens(vec![x])), self.pool.add_expr(Expr::Tokens(vec![y])));
            return match (first.least(), second.least()) {
                (Some(low), Some(high)) => {
                    let (x, y) = (self.shifted(x, low), self.shifted(y, high));
                    Some(self.pool.add(Formula::Compare(x, comparison, y)))
                }
                _ if first == second || matches!(kinds[0], Type::Word { .. }) => {
                    Some(self.pool.add(Formula::Compare(x, comparison, y)))
                }
                _ => None,
            };
        }
        let (variable, value, turned) = match (self.variable(left), self.variable(right)) {
            (Some(variable), None) => (variable, self.constant(right)?, false),
            (None, Some(variable)) => (variable, self.constant(left)?, true),
            _ => return None,
        };
        let coding = self.coding(variable);
        let slot = self.slot(variable);
        let number = match (coding.least(), value) {
            (Some(least), Value::Int(value)) => i128::from(value) - i128::from(least),
            _ if comparison == Comparison::Eq => match coding.code(value) {
                Some(code) => code.into(),
                None => return Some(self.pool.add(Formula::False)),
            },
            (None, Value::Word(bits)) => bits.into(),
            _ => return None,
        };
        let comparison = if turned { comparison.swapped() } else { comparison };
        Some(self.pool.compare(vec![slot], comparison, number))
    }

    /// An expression and a number.
    fn shifted(&mut self, expression: ExprId, by: i64) -> ExprId {
        if by == 0 {
            return expression;
        }
        let by = self.pool.add_expr(Expr::Const(by.into()));
        self.pool.add_expr(Expr::Add(vec![expression, by]))
    }

    /// `x in {…}`, `x in low..high`.
    fn member(&mut self, left: Term, right: Term) -> Option<FormulaId> {
        let variable = self.variable(left)?;
        let (coding, slot) = (self.coding(variable), self.slot(variable));
        if let (&Node::Range(low, high), Some(least)) = (self.model.terms.node(right), coding.least()) {
            let bound = |number: i64| i128::from(number) - i128::from(least);
            let parts = [(Comparison::Ge, low), (Comparison::Le, high)]
                .map(|(comparison, number)| self.pool.compare(vec![slot], comparison, bound(number)));
            return Some(self.pool.and(parts.to_vec()));
        }
        let members = match self.model.terms.node(right) {
            Node::Set(members) if members.len() <= MOST_VALUES => members.clone(),
            Node::Const(_) => vec![right],
            _ => return None,
        };
        let values: Vec<Value> = members.iter().map(|&member| self.constant(member)).collect::<Option<_>>()?;
        let codes: Vec<u32> = values.into_iter().filter_map(|value| coding.code(value)).collect();
        let parts = codes.into_iter().map(|code| self.pool.compare(vec![slot], Comparison::Eq, code.into())).collect();
        Some(self.pool.or(parts))
    }
}
