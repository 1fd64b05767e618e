//! What values expressions of a program have at most, by their form alone: for assignments that always have a value of the
//! domain, without diagrams.

use crate::Checked;
use crate::effort::work;
use crate::smv::{Expr, Program, Value};
use std::collections::{BTreeSet, HashMap};

/// Values, if the expression has one whatever the variables are.
type Range = Option<BTreeSet<Value>>;

/// Ranges of expressions, of definitions once each.
pub(crate) struct Ranges<'a> {
    program: &'a Program,
    /// By definition, as a value and as a choice of values; none while it is looked at.
    known: HashMap<(usize, bool), Range>,
    /// How deep the expression is that is looked at, through definitions.
    depth: usize,
}

/// The deepest expressions that are looked at.
const DEEPEST: usize = 5000;

/// Values that operators tell apart.
#[derive(PartialEq, Eq)]
enum Kind {
    Bool,
    Word(u32, bool),
    Other,
}

fn kind(value: Value) -> Kind {
    match value {
        Value::Bool(_) => Kind::Bool,
        Value::Word(_, width, signed) => Kind::Word(width, signed),
        Value::Int(_) | Value::Symbol(_) => Kind::Other,
    }
}

fn booleans() -> BTreeSet<Value> {
    [false, true].map(Value::Bool).into()
}

impl<'a> Ranges<'a> {
    pub(crate) fn new(program: &'a Program) -> Self {
        Ranges { program, known: HashMap::new(), depth: 0 }
    }

    /// Is all that a variable is assigned of its domain, and never nothing, for all that is known? `ranges_right` of
    /// `proofs/Expressions.v`.
    pub(crate) fn are_assigned(&mut self, variable: usize) -> Checked<bool> {
        let of = &self.program.variables[variable];
        let domain: BTreeSet<Value> = of.domain.iter().copied().collect();
        for expr in of.assigned.iter().flatten() {
            if !self.of(expr, true)?.is_some_and(|range| range.is_subset(&domain)) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The range of an expression, which may be a choice of values if `choice`.
    fn of(&mut self, expr: &Expr, choice: bool) -> Checked<Range> {
        self.depth += 1;
        // What is nested deeper is looked at by a diagram, or refused.
        let range = if self.depth > DEEPEST { None } else { self.looked_at(expr, choice)? };
        self.depth -= 1;
        work(1 + range.as_ref().map_or(0, BTreeSet::len))?;
        Ok(range)
    }

    fn looked_at(&mut self, expr: &Expr, choice: bool) -> Checked<Range> {
        Ok(match expr {
            Expr::Const(value) => Some([*value].into()),
            Expr::Variable(variable) => Some(self.program.variables[*variable].domain.iter().copied().collect()),
            Expr::Next(inner) => self.of(inner, choice)?,
            Expr::Define(define) => {
                let key = (*define, choice);
                if !self.known.contains_key(&key) {
                    self.known.insert(key, None);
                    let program = self.program;
                    let range = self.of(&program.defines[*define].1, choice)?;
                    self.known.insert(key, range);
                }
                self.known[&key].clone()
            }
            Expr::Set(members) | Expr::Apply("union", members) if choice => self.union(members, true)?,
            Expr::Range(low, high) if choice && low <= high && high - low < 1 << 16 => {
                Some((*low..=*high).map(Value::Int).collect())
            }
            Expr::Case(cases) => {
                let Some((Expr::Const(Value::Bool(true)), _)) = cases.last() else { return Ok(None) };
                let mut range = BTreeSet::new();
                for (guard, value) in cases {
                    let (true, Some(values)) = (self.is_condition(guard)?, self.of(value, choice)?) else {
                        return Ok(None);
                    };
                    range.extend(values);
                }
                Some(range)
            }
            Expr::Apply("in", operands) => {
                let [left, right] = &operands[..] else { return Ok(None) };
                (self.of(left, false)?.is_some() && self.of(right, true)?.is_some()).then(booleans)
            }
            Expr::Apply("=" | "!=", operands) => {
                let Some(sides) = self.union(operands, false)? else { return Ok(None) };
                let mut kinds = sides.into_iter().map(kind);
                let first = kinds.next();
                kinds.all(|other| Some(other) == first).then(booleans)
            }
            Expr::Apply("!" | "&" | "|" | "xor" | "xnor" | "<->", operands) => {
                for operand in operands {
                    if !self.is_condition(operand)? {
                        return Ok(None);
                    }
                }
                Some(booleans())
            }
            _ => None,
        })
    }

    fn union(&mut self, operands: &[Expr], choice: bool) -> Checked<Range> {
        let mut range = BTreeSet::new();
        for operand in operands {
            let Some(values) = self.of(operand, choice)? else { return Ok(None) };
            range.extend(values);
        }
        Ok(Some(range))
    }

    fn is_condition(&mut self, expr: &Expr) -> Checked<bool> {
        let range = self.of(expr, false)?;
        Ok(range.is_some_and(|range| range.into_iter().all(|value| kind(value) == Kind::Bool)))
    }
}
