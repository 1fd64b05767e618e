//! Expressions of a program as functions of bits.
//!
//! Each variable is some bits, for its current value and, next to each, for its next one; the values of a domain are
//! numbered as they are declared, and codes that are left over stand for the last ones again, so that every code is a
//! value. An assignment, a conjunct of `INIT`, `INVAR` or `TRANS` is a condition on bits, a diagram each.

use crate::functions::{FALSE, Function, Functions, Leaf, TRUE};
use crate::ranges::Ranges;
use crate::smv::{Expr, Program, Role, Value};
use crate::states::{Uses, apply, bits_of, conjuncts};
use crate::{Checked, refuse};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Where the bits of a variable are: the level of the first, and how many there are. Those of the next value are one
/// below each.
#[derive(Clone, Copy, Default)]
pub(crate) struct Bits {
    pub(crate) first: u32,
    pub(crate) count: u32,
}

/// Expressions of a program as functions of bits.
pub(crate) struct Compiler {
    pub(crate) program: Arc<Program>,
    pub(crate) functions: Functions,
    pub(crate) bits: Vec<Bits>,
    /// By variable and definition: its function, of current and of next values.
    variables: HashMap<(usize, bool), Function>,
    defines: HashMap<(usize, bool), Function>,
    /// By operator of variables and constants: its function.
    simple: HashMap<(Expr, bool), Function>,
    depth: usize,
}

impl Compiler {
    /// The state variables in this order, each input above the first of those that it decides on. Gives the first level
    /// below them as well.
    pub(crate) fn new(program: &Arc<Program>, order: &[usize]) -> Checked<(Self, u32)> {
        let position: HashMap<usize, usize> = order.iter().copied().zip(0..).collect();
        let mut inputs: Vec<(usize, usize)> = Vec::new();
        let assigned = program.variables.iter().enumerate();
        let assigned = assigned.filter_map(|(variable, of)| Some((Some(variable), of.assigned[1].as_ref()?)));
        let constrained = program.conditions[2].iter().flat_map(|expr| conjuncts((expr, false)));
        let mut above: HashMap<usize, usize> = HashMap::new();
        for (variable, expr) in assigned.chain(constrained.map(|(expr, _)| (None, expr))) {
            let uses = Uses::of(program, expr)?.variables;
            let places = uses.iter().filter_map(|(used, _)| position.get(used));
            let first = variable.and_then(|variable| position.get(&variable)).or(places.min());
            for (used, _) in &uses {
                if let (Role::Input, Some(&first)) = (program.variables[*used].role, first) {
                    let place = above.entry(*used).or_insert(first);
                    *place = first.min(*place);
                }
            }
        }
        for (variable, of) in program.variables.iter().enumerate() {
            if of.role == Role::Input {
                inputs.push((above.get(&variable).copied().unwrap_or(0), variable));
            }
        }
        inputs.sort_unstable();
        let mut bits = vec![Bits::default(); program.variables.len()];
        let (mut level, mut inputs) = (0, inputs.into_iter().peekable());
        let mut add = |variable: usize| {
            let count = usize::BITS - (program.variables[variable].domain.len() - 1).leading_zeros();
            bits[variable] = Bits { first: level, count };
            level += 2 * count;
        };
        for (place, &variable) in order.iter().enumerate() {
            while let Some((_, input)) = inputs.next_if(|input| input.0 <= place) {
                add(input);
            }
            add(variable);
        }
        inputs.for_each(|(_, input)| add(input));
        let (variables, defines, simple) = (HashMap::new(), HashMap::new(), HashMap::new());
        let program = Arc::clone(program);
        Ok((Compiler { program, functions: Functions::new(), bits, variables, defines, simple, depth: 0 }, level))
    }

    /// A function of the code of a variable: what it is for each value of the domain. (Definitions among the levels of a set
    /// speak of levels above.) `codes_right` and `same_code` of `proofs/Bits.v`.
    pub(crate) fn by_value(&mut self, variable: usize, next: bool, of: &[Function]) -> Checked<Function> {
        let Bits { first, count } = self.bits[variable];
        let mut row = of.to_vec();
        for bit in (0..count).rev() {
            let (level, last) = (first + 2 * bit + u32::from(next), row[row.len() - 1]);
            let node = |pair: &[Function]| self.functions.either(level, pair[0], *pair.get(1).unwrap_or(&last));
            row = row.chunks(2).map(node).collect::<Checked<_>>()?;
        }
        Ok(row[0])
    }

    fn variable(&mut self, variable: usize, next: bool) -> Checked<Function> {
        if let Some(&known) = self.variables.get(&(variable, next)) {
            return Ok(known);
        }
        let program = Arc::clone(&self.program);
        let domain = &program.variables[variable].domain;
        let of: Vec<Function> = domain.iter().map(|&value| self.functions.leaf(Leaf::Value(value))).collect();
        let function = self.by_value(variable, next, &of)?;
        self.variables.insert((variable, next), function);
        Ok(function)
    }

    /// The value of an expression.
    pub(crate) fn value(&mut self, expr: &Expr, next: bool) -> Checked<Function> {
        self.depth += 1;
        if self.depth > 20_000 {
            return refuse("program: definitions are nested too deeply, or in a circle");
        }
        let key = is_simple(expr).then(|| (expr.clone(), next));
        let known = key.as_ref().and_then(|key| self.simple.get(key)).copied();
        let function = known.map_or_else(|| self.compiled(expr, next), Ok);
        if let (None, Some(key), Ok(function)) = (known, key, &function) {
            self.simple.insert(key, *function);
        }
        self.depth -= 1;
        function
    }

    fn compiled(&mut self, expr: &Expr, next: bool) -> Checked<Function> {
        match expr {
            Expr::Const(value) => Ok(self.functions.leaf(Leaf::Value(*value))),
            Expr::Variable(variable) => self.variable(*variable, next),
            Expr::Define(define) => {
                if let Some(&known) = self.defines.get(&(*define, next)) {
                    return Ok(known);
                }
                let program = Arc::clone(&self.program);
                let function = self.value(&program.defines[*define].1, next)?;
                self.defines.insert((*define, next), function);
                Ok(function)
            }
            Expr::Next(inner) => self.value(inner, true),
            Expr::Bits(inner, high, low) => {
                let inner = self.value(inner, next)?;
                self.functions.map(inner, &|leaf| leaf_of(leaf, |value| bits_of(value, *high, *low)))
            }
            Expr::Case(cases) => {
                let lack = self.functions.leaf(Leaf::Lack("no guard of a `case` holds"));
                self.chosen(cases, next, lack, &mut |all, value| all.value(value, next))
            }
            Expr::Apply("in", operands) => {
                let [left, right] = &operands[..] else { return refuse("program: an operator without operands") };
                let left = self.value(left, next)?;
                self.member(left, right, next, None)
            }
            Expr::Apply("count", operands) => {
                let mut sum = self.functions.leaf(Leaf::Value(Value::Int(0)));
                for operand in operands {
                    let operand = self.value(operand, next)?;
                    sum = self.functions.combine(sum, operand, &|sum, one| match (sum, one) {
                        (Leaf::Value(Value::Int(sum)), Leaf::Value(Value::Bool(one))) => {
                            Leaf::Value(Value::Int(sum + i64::from(*one)))
                        }
                        _ => Leaf::Lack("`count` is of conditions"),
                    })?;
                }
                Ok(sum)
            }
            Expr::Apply(operator @ ("&" | "|"), _) => self.connected(expr, operator, next),
            Expr::Apply(operator, operands) => {
                let values: Vec<Function> =
                    operands.iter().map(|operand| self.value(operand, next)).collect::<Checked<_>>()?;
                match (*operator, &values[..]) {
                    ("!", &[a]) if !self.is_word(a) => self.functions.not(a),
                    (_, &[a]) => self.functions.map(a, &|leaf| leaf_of(leaf, |a| apply(operator, &[a]))),
                    (_, &[a, b]) => self.applied(operator, a, b),
                    _ => refuse(format!("program: `{operator}` with other operands")),
                }
            }
            Expr::Set(_) | Expr::Range(..) | Expr::Name(_) => refuse("program: a set stands where a value should"),
        }
    }

    fn applied(&mut self, operator: &str, a: Function, b: Function) -> Checked<Function> {
        self.functions.combine(a, b, &|a, b| match (a, b) {
            (Leaf::Value(a), Leaf::Value(b)) => of_result(apply(operator, &[*a, *b])),
            _ => Leaf::Lack(NO_VALUE),
        })
    }

    /// A conjunction or a disjunction; of conditions pair by pair, so that most of them are put together while they are small:
    /// in any order they have the same value, or none.
    fn connected(&mut self, expr: &Expr, operator: &str, next: bool) -> Checked<Function> {
        let mut values = Vec::new();
        for operand in operands_of(expr, operator) {
            values.push(self.value(operand, next)?);
        }
        let Some((&first, rest)) = values.split_first() else { return refuse("program: an operator without operands") };
        if self.is_word(first) {
            return rest.iter().try_fold(first, |all, &value| self.applied(operator, all, value));
        }
        while values.len() > 1 {
            let mut pairs = Vec::new();
            for pair in values.chunks(2) {
                pairs.push(match (pair, operator) {
                    (&[a, b], "&") => self.functions.and(a, b)?,
                    (&[a, b], _) => self.functions.or(a, b)?,
                    _ => pair[0],
                });
            }
            values = pairs;
        }
        Ok(values[0])
    }

    /// Is one of the values of a function a word?
    fn is_word(&self, mut function: Function) -> bool {
        while let Some(low) = self.functions.low(function) {
            function = low;
        }
        matches!(self.functions.as_leaf(function), Some(Leaf::Value(Value::Word(..))))
    }

    /// What the first case whose guard holds has.
    fn chosen(
        &mut self,
        cases: &[(Expr, Expr)],
        next: bool,
        otherwise: Function,
        of: &mut dyn FnMut(&mut Self, &Expr) -> Checked<Function>,
    ) -> Checked<Function> {
        let mut guards = Vec::new();
        for (guard, value) in cases {
            guards.push((self.value(guard, next)?, of(self, value)?));
        }
        guards.iter().rev().try_fold(otherwise, |rest, &(guard, value)| self.functions.choice(guard, value, rest))
    }

    /// Is a value one of those that an expression may be? These have to be of a domain, if one is given.
    fn member(
        &mut self,
        value: Function,
        expr: &Expr,
        next: bool,
        domain: Option<&HashSet<Value>>,
    ) -> Checked<Function> {
        match expr {
            Expr::Set(members) | Expr::Apply("union", members) => {
                let mut any = FALSE;
                for member in members {
                    let one = self.member(value, member, next, domain)?;
                    // What has no value beside what is chosen has none.
                    any = self.functions.combine(any, one, &|a, b| match (a, b) {
                        (Leaf::Value(Value::Bool(a)), Leaf::Value(Value::Bool(b))) => {
                            Leaf::Value(Value::Bool(*a || *b))
                        }
                        _ => Leaf::Lack(NO_VALUE),
                    })?;
                }
                Ok(any)
            }
            Expr::Range(low, high) => {
                let outside = |domain: &HashSet<Value>| {
                    high - low >= domain.len() as i64 || (*low..=*high).any(|one| !domain.contains(&Value::Int(one)))
                };
                if domain.is_some_and(outside) {
                    return Ok(self.functions.leaf(Leaf::Lack(OUTSIDE)));
                }
                self.functions.map(value, &|leaf| {
                    leaf_of(leaf, |value| {
                        Ok(Value::Bool(matches!(value, Value::Int(number) if (*low..=*high).contains(&number))))
                    })
                })
            }
            Expr::Case(cases) => {
                let lack = self.functions.leaf(Leaf::Lack("no guard of a `case` holds"));
                self.chosen(cases, next, lack, &mut |all, chosen| all.member(value, chosen, next, domain))
            }
            Expr::Define(define) => {
                let program = Arc::clone(&self.program);
                self.member(value, &program.defines[*define].1, next, domain)
            }
            Expr::Next(inner) => self.member(value, inner, true, domain),
            _ => {
                let own = self.value(expr, next)?;
                self.functions.combine(own, value, &|own, value| match (own, value) {
                    (Leaf::Value(own), _) if domain.is_some_and(|domain| !domain.contains(own)) => Leaf::Lack(OUTSIDE),
                    (Leaf::Value(own), Leaf::Value(value)) => Leaf::Value(Value::Bool(own == value)),
                    _ => Leaf::Lack(NO_VALUE),
                })
            }
        }
    }

    /// That a variable has a value that it is assigned.
    fn assigned(&mut self, variable: usize, next: bool, expr: &Expr, primed: bool) -> Checked<Function> {
        let program = Arc::clone(&self.program);
        let domain: HashSet<Value> = program.variables[variable].domain.iter().copied().collect();
        let value = self.variable(variable, next)?;
        self.member(value, expr, primed, Some(&domain))
    }

    /// What a variable is assigned in first states, or in steps: the condition that it has such a value.
    fn assignment(&mut self, number: usize, steps: bool) -> Checked<Option<Function>> {
        let program = Arc::clone(&self.program);
        let [first, next, always] = &program.variables[number].assigned;
        let expr = if steps { next } else { first }.as_ref().map(|expr| (expr, false));
        let expr = expr.or(always.as_ref().map(|expr| (expr, steps)));
        expr.map(|(expr, primed)| self.assigned(number, steps, expr, primed)).transpose()
    }

    /// First states, or steps: conditions whose conjunction they are, but for what is assigned to variables that are not
    /// inside. The `cone` of `proofs/Programs.v`.
    pub(crate) fn demands(&mut self, inside: &[bool], steps: bool) -> Checked<Vec<Function>> {
        let program = Arc::clone(&self.program);
        let mut demands = Vec::new();
        for (number, variable) in program.variables.iter().enumerate().filter(|&(number, _)| inside[number]) {
            if steps && variable.role == Role::Frozen {
                let [before, after] = [self.variable(number, false)?, self.variable(number, true)?];
                demands.push(self.functions.combine(before, after, &|a, b| Leaf::Value(Value::Bool(a == b)))?);
            }
            demands.extend(self.assignment(number, steps)?);
        }
        let [init, invar, trans] = &program.conditions;
        let own = if steps { trans } else { init }.iter().map(|expr| (expr, false));
        for (expr, primed) in own.chain(invar.iter().map(|expr| (expr, steps))).flat_map(conjuncts) {
            demands.push(self.value(expr, primed)?);
        }
        demands.iter().try_for_each(|&demand| self.is_condition(demand))?;
        Ok(demands)
    }

    /// Does a variable have a value that it is assigned, at first and next, whatever all others are?
    fn is_possible(&mut self, variable: usize) -> Checked<bool> {
        let Bits { first, count } = self.bits[variable];
        for next in [false, true] {
            let Some(demand) = self.assignment(variable, next)? else { continue };
            self.is_condition(demand)?;
            let own = (0..count).map(|bit| first + 2 * bit + u32::from(next)).collect();
            let bits = self.functions.bits(&own)?;
            if self.functions.meet(demand, TRUE, bits)? != TRUE {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// By variable: does anything rest on it that is said of some variables? All that may block a step does. Leaving
    /// out the others changes nothing: `cone_right` of `proofs/Programs.v`, `theorem_4_text` of `proofs/Expressions.v`.
    pub(crate) fn cone(&mut self, mut said: Vec<usize>) -> Checked<Vec<bool>> {
        let program = Arc::clone(&self.program);
        let (mut ranges, mut proved) = (Ranges::new(&program), vec![false; program.variables.len()]);
        loop {
            let inside = influence(&program, said.clone(), &[])?;
            let before = said.len();
            for variable in (0..inside.len()).filter(|&variable| !inside[variable]) {
                if !proved[variable] {
                    proved[variable] = ranges.are_assigned(variable)? || self.is_possible(variable)?;
                    if !proved[variable] {
                        said.push(variable);
                    }
                }
            }
            if said.len() == before {
                return Ok(inside);
            }
        }
    }

    /// Forget the nodes that were made since there were so many, but for those of some functions, which get new numbers.
    pub(crate) fn forget(&mut self, nodes: usize, kept: &mut [&mut Function]) -> Checked<()> {
        let stays = |function: &mut Function| self.functions.is_older(*function, nodes);
        self.variables.retain(|_, function| stays(function));
        self.defines.retain(|_, function| stays(function));
        self.simple.retain(|_, function| stays(function));
        self.functions.forget(nodes, kept)
    }

    /// The conjuncts of `INVAR`.
    pub(crate) fn invariants(&mut self) -> Checked<Vec<Function>> {
        let program = Arc::clone(&self.program);
        let of = program.conditions[1].iter().flat_map(|expr| conjuncts((expr, false)));
        of.map(|(expr, _)| self.value(expr, false)).collect()
    }

    /// Refuses what is not true or false everywhere.
    pub(crate) fn is_condition(&self, function: Function) -> Checked<()> {
        for leaf in self.functions.parts(function)?.1 {
            match self.functions.as_leaf(leaf) {
                Some(Leaf::Value(Value::Bool(_))) => {}
                Some(Leaf::Lack(why)) => return refuse(format!("program: {why}")),
                _ => return refuse("program: a condition is no truth value"),
            }
        }
        Ok(())
    }
}

/// By variable: is it said of, or by a definition that is, or by a condition of the program, or by an assignment of such a
/// variable?
pub(crate) fn influence(program: &Program, mut said: Vec<usize>, defines: &[usize]) -> Checked<Vec<bool>> {
    let uses = |expr: &Expr, said: &mut Vec<usize>| {
        said.extend(Uses::of(program, expr)?.variables.into_iter().map(|(variable, _)| variable));
        Checked::Ok(())
    };
    let defined = defines.iter().map(|&define| &program.defines[define].1);
    program.conditions.iter().flatten().chain(defined).try_for_each(|expr| uses(expr, &mut said))?;
    let mut inside = vec![false; program.variables.len()];
    while let Some(variable) = said.pop() {
        if !std::mem::replace(&mut inside[variable], true) {
            program.variables[variable].assigned.iter().flatten().try_for_each(|expr| uses(expr, &mut said))?;
        }
    }
    Ok(inside)
}

/// Is it an operator of variables and constants alone?
fn is_simple(expr: &Expr) -> bool {
    let is_atom = |expr: &Expr| matches!(expr, Expr::Const(_) | Expr::Variable(_));
    let operand = |expr: &Expr| is_atom(expr) || matches!(expr, Expr::Next(inner) if is_atom(inner));
    matches!(expr, Expr::Apply(_, operands) if operands.iter().all(operand))
}

/// What a nested conjunction, or disjunction, connects, from left to right.
fn operands_of<'e>(expr: &'e Expr, operator: &str) -> Vec<&'e Expr> {
    let (mut open, mut all) = (vec![expr], Vec::new());
    while let Some(expr) = open.pop() {
        match expr {
            Expr::Apply(own, operands) if *own == operator => open.extend(operands.iter().rev()),
            _ => all.push(expr),
        }
    }
    all
}

const NO_VALUE: &str = "an operator has no value";
const OUTSIDE: &str = "a variable is assigned a value outside of its domain";

fn of_result(result: Checked<Value>) -> Leaf {
    result.map_or(Leaf::Lack(NO_VALUE), Leaf::Value)
}

pub(crate) fn leaf_of(leaf: &Leaf, with: impl Fn(Value) -> Checked<Value>) -> Leaf {
    match leaf {
        Leaf::Value(value) => of_result(with(*value)),
        _ => Leaf::Lack(NO_VALUE),
    }
}
