//! The states of a program, one by one: its values by definition, its first states, its steps.
//!
//! A program is to the checker the graph of its reachable states: each pair of a state and a successor is a step. Inputs
//! are chosen and forgotten. Where a program has no value (no guard of a `case` holds, a division by zero, a value outside
//! of a domain) it is refused.
//!
//! Boolean definitions that nothing else in the program uses, and that speak of states alone, are places too: what
//! formulas ask of several variables at once.

use crate::effort::{keep, release, work};
use crate::net::{Effect, Net, Place, Step, Unlisted};
use crate::smv::{Expr, Program, Role, Value, Variable, read};
use crate::{Checked, refuse};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Most states, and most steps for each of them.
pub(crate) const STATES: usize = 50_000;
const STEPS: usize = 10;

/// Does an expression speak of next values, or of inputs? And what else it uses. `eval_reads` of
/// `proofs/Expressions.v`.
#[derive(Default)]
pub(crate) struct Uses {
    /// Variables, with true for next values.
    pub(crate) variables: HashSet<(usize, bool)>,
    defines: HashSet<usize>,
}

impl Uses {
    pub(crate) fn of(program: &Program, expr: &Expr) -> Checked<Uses> {
        let mut uses = Uses::default();
        let (mut open, mut seen) = (vec![(expr, false)], HashSet::new());
        while let Some((expr, next)) = open.pop() {
            work(1)?;
            match expr {
                Expr::Variable(variable) => {
                    uses.variables.insert((*variable, next));
                }
                Expr::Define(define) => {
                    uses.defines.insert(*define);
                    if seen.insert((*define, next)) {
                        open.push((&program.defines[*define].1, next));
                    }
                }
                Expr::Next(_) if next => return refuse("program: `next` inside of `next`"),
                Expr::Next(inner) => open.push((inner, true)),
                Expr::Bits(inner, ..) => open.push((inner, next)),
                Expr::Apply(_, operands) | Expr::Set(operands) => {
                    open.extend(operands.iter().map(|operand| (operand, next)))
                }
                Expr::Case(cases) => open.extend(cases.iter().flat_map(|(a, b)| [(a, next), (b, next)])),
                Expr::Const(_) | Expr::Range(..) | Expr::Name(_) => {}
            }
        }
        Ok(uses)
    }
}

/// Reads a program, and refuses next values and inputs where it may not speak of them: what is said of single states
/// speaks of neither, and an input has no next value. With this alone the conditions of steps are those of
/// `proofs/Programs.v`: `primed` of `proofs/Expressions.v`.
fn read_right(text: &str) -> Checked<Program> {
    let program = read(text)?;
    let is_input = |variable: usize| program.variables[variable].role == Role::Input;
    let [init, invar, trans] = &program.conditions;
    let assigned = |when: usize| program.variables.iter().filter_map(move |variable| variable.assigned[when].as_ref());
    for expr in init.iter().chain(invar).chain(assigned(0)).chain(assigned(2)) {
        if Uses::of(&program, expr)?.variables.into_iter().any(|(variable, next)| next || is_input(variable)) {
            return refuse("program: what is said of states speaks of inputs or of next values");
        }
    }
    for expr in trans.iter().chain(assigned(1)) {
        if Uses::of(&program, expr)?.variables.into_iter().any(|(variable, next)| next && is_input(variable)) {
            return refuse("program: the next value of an input");
        }
    }
    Ok(program)
}

/// Values of expressions, where current and next values of variables are set.
struct Evaluator<'a> {
    program: &'a Program,
    /// By variable: the current value, the next one.
    values: [Vec<Option<Value>>; 2],
    /// By definition, as it stands and inside of `next`: what is known, and since which value was set. It counts until the next
    /// one is.
    known: [Vec<(u64, Value)>; 2],
    set: u64,
    depth: usize,
}

impl<'a> Evaluator<'a> {
    fn new(program: &'a Program) -> Self {
        let (values, known) =
            (vec![None; program.variables.len()], vec![(0, Value::Bool(false)); program.defines.len()]);
        Evaluator { program, values: [values.clone(), values], known: [known.clone(), known], set: 1, depth: 0 }
    }

    fn set(&mut self, variable: usize, next: bool, value: Option<Value>) {
        self.values[usize::from(next)][variable] = value;
        self.set += 1;
    }

    fn is_true(&mut self, expr: &Expr, next: bool) -> Checked<bool> {
        match self.value(expr, next)? {
            Value::Bool(value) => Ok(value),
            _ => refuse("program: a condition is no truth value"),
        }
    }

    fn value(&mut self, expr: &Expr, next: bool) -> Checked<Value> {
        work(1)?;
        self.depth += 1;
        if self.depth > 20_000 {
            return refuse("program: definitions are nested too deeply, or in a circle");
        }
        let value = self.found(expr, next);
        self.depth -= 1;
        value
    }

    fn found(&mut self, expr: &Expr, next: bool) -> Checked<Value> {
        match expr {
            Expr::Const(value) => Ok(*value),
            Expr::Variable(variable) => match self.values[usize::from(next)][*variable] {
                Some(value) => Ok(value),
                None => refuse(format!("program: `{}` has no value there", self.program.variables[*variable].name)),
            },
            Expr::Define(define) => {
                let (set, known) = self.known[usize::from(next)][*define];
                if set == self.set {
                    return Ok(known);
                }
                let program = self.program;
                let value = self.value(&program.defines[*define].1, next)?;
                self.known[usize::from(next)][*define] = (self.set, value);
                Ok(value)
            }
            Expr::Next(inner) => self.value(inner, true),
            Expr::Bits(inner, high, low) => bits_of(self.value(inner, next)?, *high, *low),
            Expr::Case(cases) => {
                for (guard, value) in cases {
                    if self.is_true(guard, next)? {
                        return self.value(value, next);
                    }
                }
                refuse("program: no guard of a `case` holds")
            }
            Expr::Apply("&", operands) | Expr::Apply("|", operands) => {
                let is_or = matches!(expr, Expr::Apply("|", _));
                let [left, right] = &operands[..] else { return refuse("program: an operator without operands") };
                match self.value(left, next)? {
                    Value::Bool(value) if value == is_or => Ok(Value::Bool(is_or)),
                    left => {
                        let right = self.value(right, next)?;
                        apply(if is_or { "|" } else { "&" }, &[left, right])
                    }
                }
            }
            Expr::Apply("in", operands) => {
                let [left, right] = &operands[..] else { return refuse("program: an operator without operands") };
                let value = self.value(left, next)?;
                Ok(Value::Bool(self.choices(right, next)?.contains(&value)))
            }
            Expr::Apply(operator, operands) => {
                let values: Vec<Value> =
                    operands.iter().map(|operand| self.value(operand, next)).collect::<Checked<_>>()?;
                apply(operator, &values)
            }
            Expr::Set(_) | Expr::Range(..) | Expr::Name(_) => refuse("program: a set stands where a value should"),
        }
    }

    /// The values that an expression may be.
    fn choices(&mut self, expr: &Expr, next: bool) -> Checked<Vec<Value>> {
        match expr {
            Expr::Set(members) | Expr::Apply("union", members) => {
                let mut all = Vec::new();
                for member in members {
                    all.extend(self.choices(member, next)?);
                }
                work(all.len())?;
                all.sort_unstable();
                all.dedup();
                Ok(all)
            }
            Expr::Range(low, high) if high - low < 1 << 16 => {
                work(usize::try_from(high - low).unwrap_or(0))?;
                Ok((*low..=*high).map(Value::Int).collect())
            }
            Expr::Range(..) => refuse("program: a range is too large"),
            Expr::Case(cases) => {
                for (guard, value) in cases {
                    if self.is_true(guard, next)? {
                        return self.choices(value, next);
                    }
                }
                refuse("program: no guard of a `case` holds")
            }
            Expr::Define(define) => {
                let program = self.program;
                self.choices(&program.defines[*define].1, next)
            }
            Expr::Next(inner) => self.choices(inner, true),
            _ => Ok(vec![self.value(expr, next)?]),
        }
    }
}

/// Bits of a word.
pub(crate) fn bits_of(word: Value, high: u32, low: u32) -> Checked<Value> {
    match word {
        Value::Word(bits, width, _) if high < width => {
            let size = high - low + 1;
            Ok(Value::Word(bits >> low & mask(size), size, false))
        }
        _ => refuse("program: bits that a word does not have"),
    }
}

fn mask(width: u32) -> u64 {
    (1 << width) - 1
}

fn number(bits: u64, width: u32, signed: bool) -> i64 {
    let negative = signed && bits >> (width - 1) & 1 == 1;
    if negative { bits as i64 - (1 << width) } else { bits as i64 }
}

/// An operator on values.
pub(crate) fn apply(operator: &str, values: &[Value]) -> Checked<Value> {
    use Value::{Bool, Int, Word};
    let integer = |value: i64| Ok(Int(i64::from(value as i32)));
    let wrong = || refuse(format!("program: `{operator}` has no value for {values:?}"));
    Ok(match (operator, values) {
        ("!", [Bool(a)]) => Bool(!a),
        ("&", [Bool(a), Bool(b)]) => Bool(*a && *b),
        ("|", [Bool(a), Bool(b)]) => Bool(*a || *b),
        ("xor", [Bool(a), Bool(b)]) => Bool(a != b),
        ("xnor" | "<->", [Bool(a), Bool(b)]) => Bool(a == b),
        ("=" | "!=", [Word(_, v, s), Word(_, w, t)]) if (v, s) != (w, t) => return wrong(),
        ("=" | "!=", [a, b])
            if matches!(a, Bool(_)) != matches!(b, Bool(_)) || matches!(a, Word(..)) != matches!(b, Word(..)) =>
        {
            return wrong();
        }
        ("=", [a, b]) => Bool(a == b),
        ("!=", [a, b]) => Bool(a != b),
        ("<", [Int(a), Int(b)]) => Bool(a < b),
        ("<=", [Int(a), Int(b)]) => Bool(a <= b),
        (">", [Int(a), Int(b)]) => Bool(a > b),
        (">=", [Int(a), Int(b)]) => Bool(a >= b),
        ("neg", [Int(a)]) => return integer(-a),
        ("abs", [Int(a)]) => return integer(a.abs()),
        ("+", [Int(a), Int(b)]) => return integer(a + b),
        ("-", [Int(a), Int(b)]) => return integer(a - b),
        ("*", [Int(a), Int(b)]) => return integer(a.wrapping_mul(*b)),
        ("/", [Int(a), Int(b)]) if *b != 0 => return integer(a / b),
        ("mod", [Int(a), Int(b)]) if *b != 0 => return integer(a % b),
        ("min", [Int(a), Int(b)]) => Int(*a.min(b)),
        ("max", [Int(a), Int(b)]) => Int(*a.max(b)),
        ("toint", [Bool(a)]) => Int(i64::from(*a)),
        ("toint", [Int(a)]) => Int(*a),
        ("toint", [Word(bits, width, signed)]) if *width < 32 => Int(number(*bits, *width, *signed)),
        ("bool", [Bool(a)]) => Bool(*a),
        ("bool", [Int(a)]) => Bool(*a != 0),
        ("bool", [Word(bits, 1, _)]) => Bool(*bits != 0),
        ("word1", [Bool(a)]) => Word(u64::from(*a), 1, false),
        ("uwconst" | "swconst", [Int(a), Int(width @ 1..=62)]) => {
            Word(*a as u64 & mask(*width as u32), *width as u32, operator == "swconst")
        }
        ("count", _) if values.iter().all(|value| matches!(value, Bool(_))) => {
            Int(values.iter().filter(|value| **value == Bool(true)).count() as i64)
        }
        _ => return words(operator, values).map_or_else(wrong, Ok),
    })
}

/// An operator on words; none where it has no value.
fn words(operator: &str, values: &[Value]) -> Option<Value> {
    use Value::{Bool, Int, Word};
    let &Word(a, width, signed) = values.first()? else { return None };
    let value = |bits| number(bits, width, signed);
    let word = |number: i64| Some(Word(number as u64 & mask(width), width, signed));
    match (operator, &values[1..]) {
        ("!", []) => word(!(a as i64)),
        ("neg", []) => word(-value(a)),
        ("signed" | "unsigned", []) => Some(Word(a, width, operator == "signed")),
        ("sizeof", []) => Some(Int(width.into())),
        ("extend", [Int(by)]) => {
            let width = u32::try_from(*by).ok()?.checked_add(width).filter(|width| *width <= 62)?;
            Some(Word(value(a) as u64 & mask(width), width, signed))
        }
        ("resize", [Int(to @ 1..=62)]) => {
            let to = *to as u32;
            // Of a signed word the sign stays, and the low bits beside it.
            let sign = if signed && to < width { a >> (width - 1) << (to - 1) } else { 0 };
            let kept = if signed && to < width { a & (mask(to) >> 1) } else { value(a) as u64 & mask(to) };
            Some(Word(kept | sign, to, signed))
        }
        ("<<" | ">>", [by]) => {
            let by = match *by {
                Int(by) => by,
                Word(bits, width, false) => number(bits, width, false),
                _ => return None,
            };
            let by = u32::try_from(by).ok().filter(|by| *by <= width)?;
            if operator == "<<" {
                Some(Word((u128::from(a) << by) as u64 & mask(width), width, signed))
            } else {
                word(value(a) >> by)
            }
        }
        ("::", &[Word(b, low, _)]) if width + low <= 62 => Some(Word(a << low | b, width + low, false)),
        (_, &[Word(b, other, of)]) if (other, of) == (width, signed) => {
            let (x, y) = (value(a), value(b));
            match operator {
                "&" => Some(Word(a & b, width, signed)),
                "|" => Some(Word(a | b, width, signed)),
                "xor" => Some(Word(a ^ b, width, signed)),
                "xnor" | "<->" => word(!(a ^ b) as i64),
                "<" => Some(Bool(x < y)),
                "<=" => Some(Bool(x <= y)),
                ">" => Some(Bool(x > y)),
                ">=" => Some(Bool(x >= y)),
                "+" => word(x.wrapping_add(y)),
                "-" => word(x.wrapping_sub(y)),
                "*" => word(x.wrapping_mul(y)),
                "/" if y != 0 => word(x / y),
                "mod" if y != 0 => word(x % y),
                "min" => word(x.min(y)),
                "max" => word(x.max(y)),
                _ => None,
            }
        }
        _ => None,
    }
}

/// A value that is chosen: which, and from what.
struct Slot<'a> {
    variable: usize,
    next: bool,
    /// What it is assigned, which is of next values if this is so; its domain if there is nothing.
    assigned: Option<(&'a Expr, bool)>,
    /// Does it keep its value?
    kept: bool,
    /// Conditions that can be looked at once it is chosen, of next values or not.
    conditions: Vec<(&'a Expr, bool)>,
}

/// Values to be chosen one after the other.
pub(crate) struct Choices<'a> {
    program: &'a Program,
    slots: Vec<Slot<'a>>,
    /// Conditions that are looked at before.
    before: Vec<(&'a Expr, bool)>,
    /// The input that says which label a step has.
    turns: Option<usize>,
}

impl<'a> Choices<'a> {
    /// First states, or steps.
    pub(crate) fn new(program: &'a Program, steps: bool) -> Checked<Self> {
        let mut open: Vec<(Slot<'a>, HashSet<(usize, bool)>)> = Vec::new();
        for (number, variable) in program.variables.iter().enumerate() {
            let [first, next, always] = &variable.assigned;
            let allowed = match variable.role {
                Role::State => always.is_none() || first.is_none() && next.is_none(),
                Role::Frozen => next.is_none() && always.is_none(),
                Role::Input => first.is_none() && next.is_none() && always.is_none(),
            };
            if !allowed {
                return refuse(format!(
                    "program: `{}` is assigned twice, or what it may not be assigned",
                    variable.name
                ));
            }
            let is_input = variable.role == Role::Input;
            if is_input && !steps {
                continue;
            }
            let assigned = match (steps, is_input) {
                (_, true) => None,
                (false, _) => first.as_ref().or(always.as_ref()).map(|expr| (expr, false)),
                (true, _) => next.as_ref().map(|expr| (expr, false)).or(always.as_ref().map(|expr| (expr, true))),
            };
            let needs = match assigned {
                None => HashSet::new(),
                Some((expr, primed)) => {
                    let uses = Uses::of(program, expr)?.variables;
                    uses.into_iter().map(|(variable, next)| (variable, next || primed)).collect()
                }
            };
            let kept = steps && variable.role == Role::Frozen;
            let slot = Slot { variable: number, next: steps && !is_input, assigned, kept, conditions: Vec::new() };
            open.push((slot, needs));
        }
        // Inputs first; then what needs no value that is not chosen yet.
        let mut slots: Vec<Slot<'a>> = Vec::new();
        open.sort_by_key(|(slot, _)| (slot.next || !steps, slot.assigned.is_none() && !slot.kept));
        while !open.is_empty() {
            let waits = |needs: &HashSet<(usize, bool)>| {
                open.iter().any(|(slot, _)| needs.contains(&(slot.variable, slot.next)))
            };
            match open.iter().position(|(_, needs)| !waits(needs)) {
                Some(at) => {
                    work(open.len() * (at + 1))?;
                    slots.push(open.remove(at).0);
                }
                None => return refuse("program: values depend on each other in a circle"),
            }
        }
        let [init, invar, trans] = &program.conditions;
        let (own, primed) = if steps { (trans, true) } else { (init, false) };
        let own = own.iter().map(|expr| (expr, false));
        let demands = own.chain(invar.iter().map(|expr| (expr, primed)));
        let mut choices = Choices { program, slots, before: Vec::new(), turns: turns(program) };
        for (expr, primed) in demands.flat_map(conjuncts) {
            let uses = Uses::of(program, expr)?.variables;
            let needs: HashSet<(usize, bool)> =
                uses.into_iter().map(|(variable, next)| (variable, next || primed)).collect();
            let last = choices.slots.iter_mut().rev().find(|slot| needs.contains(&(slot.variable, slot.next)));
            last.map_or(&mut choices.before, |slot| &mut slot.conditions).push((expr, primed));
        }
        Ok(choices)
    }

    /// All ways to choose, each with the number of the label of the step: `first_states_listed` and `steps_listed` of
    /// `proofs/Expressions.v`.
    fn all(&self, values: &mut Evaluator<'a>) -> Checked<Vec<(usize, Vec<Value>)>> {
        let mut found = Vec::new();
        if holds(values, &self.before)? {
            self.from(0, values, &mut found)?;
        }
        let count = found.len();
        found.sort_unstable();
        found.dedup();
        release((count - found.len()) * (1 + self.program.variables.len()));
        Ok(found)
    }

    fn from(&self, at: usize, values: &mut Evaluator<'a>, found: &mut Vec<(usize, Vec<Value>)>) -> Checked<()> {
        let Some(slot) = self.slots.get(at) else {
            keep(1 + self.program.variables.len())?;
            let which = usize::from(self.slots.last().is_some_and(|slot| slot.next));
            let of_state = self.program.variables.iter().zip(&values.values[which]);
            let state = of_state.filter(|(variable, _)| variable.role != Role::Input).filter_map(|(_, value)| *value);
            let turn = self.turns.and_then(|input| {
                let chosen = values.values[0][input]?;
                self.program.variables[input].domain.iter().position(|&value| value == chosen)
            });
            found.push((turn.unwrap_or(0), state.collect()));
            return Ok(());
        };
        let variable = &self.program.variables[slot.variable];
        let candidates = match slot.assigned {
            _ if slot.kept => values.values[0][slot.variable].into_iter().collect(),
            None => variable.domain.clone(),
            Some((expr, primed)) => values.choices(expr, primed)?,
        };
        for candidate in candidates {
            // Values that stay, and those of the domain, are of the domain.
            work(if slot.assigned.is_some() { variable.domain.len() } else { 1 })?;
            if slot.assigned.is_some() && !variable.domain.contains(&candidate) {
                return refuse(format!("program: `{}` is assigned a value outside of its domain", variable.name));
            }
            work(1)?;
            values.set(slot.variable, slot.next, Some(candidate));
            if holds(values, &slot.conditions)? {
                self.from(at + 1, values, found)?;
            }
        }
        values.set(slot.variable, slot.next, None);
        Ok(())
    }
}

fn holds(values: &mut Evaluator<'_>, conditions: &[(&Expr, bool)]) -> Checked<bool> {
    for (expr, primed) in conditions {
        if !values.is_true(expr, *primed)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The operands of a conjunction.
pub(crate) fn conjuncts((expr, primed): (&Expr, bool)) -> Vec<(&Expr, bool)> {
    let (mut open, mut all) = (vec![expr], Vec::new());
    while let Some(expr) = open.pop() {
        match expr {
            Expr::Apply("&", operands) => open.extend(operands.iter().rev()),
            _ => all.push((expr, primed)),
        }
    }
    all
}

/// A value as programs write it.
fn shown(program: &Program, value: Value) -> String {
    match value {
        Value::Bool(value) => if value { "TRUE" } else { "FALSE" }.to_owned(),
        Value::Int(value) => value.to_string(),
        Value::Symbol(symbol) => program.symbols[symbol].clone(),
        Value::Word(bits, width, false) => format!("0ud{width}_{bits}"),
        Value::Word(bits, width, true) => {
            let value = number(bits, width, true);
            format!("{}0sd{width}_{}", if value < 0 { "-" } else { "" }, value.unsigned_abs())
        }
    }
}

/// The definitions that are places: boolean, of states alone, and used by nothing else. (Whether they are boolean is seen
/// when they are evaluated.)
fn observed(program: &Program) -> Checked<Vec<usize>> {
    let mut used = HashSet::new();
    let assigned = program.variables.iter().flat_map(|variable| variable.assigned.iter().flatten());
    let conditions = program.conditions.iter().flatten();
    for expr in assigned.chain(conditions).chain(program.defines.iter().map(|(_, value)| value)) {
        used.extend(Uses::of(program, expr)?.defines);
    }
    let mut observed = Vec::new();
    for define in (0..program.defines.len()).filter(|define| !used.contains(define)) {
        let uses = Uses::of(program, &program.defines[define].1)?.variables;
        if uses.iter().all(|&(variable, next)| !next && program.variables[variable].role != Role::Input) {
            observed.push(define);
        }
    }
    Ok(observed)
}

/// The numbers of a variable: those of its values, where they are integers from 0 on.
fn numbers(domain: &[Value]) -> Option<Vec<u64>> {
    let number = |value: &Value| if let Value::Int(number) = value { u64::try_from(*number).ok() } else { None };
    domain.iter().map(number).collect()
}

/// The numbers of a variable; where its values are no integers from 0 on, their places in the domain.
pub(crate) fn coding(domain: &[Value]) -> Vec<u64> {
    numbers(domain).unwrap_or_else(|| (0..domain.len() as u64).collect())
}

/// The place of a variable.
fn place(program: &Program, variable: usize, initial: u64) -> Place {
    let Variable { name, domain, .. } = &program.variables[variable];
    let names = || domain.iter().map(|&value| shown(program, value)).collect();
    Place { name: name.clone(), initial, values: if numbers(domain).is_some() { Vec::new() } else { names() } }
}

/// The place of a definition.
fn place_of_define(program: &Program, define: usize, initial: u64) -> Place {
    Place { name: program.defines[define].0.clone(), initial, values: ["FALSE", "TRUE"].map(str::to_owned).to_vec() }
}

/// The variables that states have.
fn of_states(program: &Program) -> Vec<usize> {
    (0..program.variables.len()).filter(|&variable| program.variables[variable].role != Role::Input).collect()
}

/// The name of the input that says whose turn it is, in a program that had processes.
const TURNS: &str = "_process_selector_";

/// The input whose value is the label of a step, if there is one.
pub(crate) fn turns(program: &Program) -> Option<usize> {
    let names = |domain: &[Value]| domain.iter().all(|value| matches!(value, Value::Symbol(_)));
    let is_turn = |of: &Variable| of.name == TURNS && of.role == Role::Input && names(&of.domain);
    program.variables.iter().position(is_turn)
}

/// The labels of steps.
fn labels(program: &Program) -> Vec<String> {
    match turns(program) {
        Some(input) => program.variables[input].domain.iter().map(|&value| shown(program, value)).collect(),
        None => vec!["main".to_owned()],
    }
}

/// A program whose states are not listed: its places alone.
pub(crate) fn unlisted(text: &str) -> Checked<Net> {
    let program = read_right(text)?;
    let variables = of_states(&program);
    let mut places: Vec<Place> = variables.iter().map(|&variable| place(&program, variable, 0)).collect();
    places.extend(observed(&program)?.into_iter().map(|define| place_of_define(&program, define, 0)));
    let mut sum = crate::Checksum::default();
    sum.add(text.as_bytes());
    let labels = labels(&program);
    let program = Some(Unlisted { program: Arc::new(program), variables, sum: sum.0 });
    Ok(Net { name: "program".to_owned(), places, labels, program, ..Net::default() })
}

/// The graph of the reachable states of a program, if they are no more than so many. Others have no steps in it:
/// `reachable_part` of `proofs/Bisimulation.v`.
pub(crate) fn graph(text: &str, most: usize) -> Checked<Net> {
    let program = read_right(text)?;
    let of_state = of_states(&program);
    let (first, steps) = (Choices::new(&program, false)?, Choices::new(&program, true)?);
    let mut values = Evaluator::new(&program);
    let initial: Vec<Vec<Value>> = first.all(&mut values)?.into_iter().map(|(_, state)| state).collect();
    let mut observed = observed(&program)?;
    let codings: Vec<Vec<u64>> = of_state.iter().map(|&variable| coding(&program.variables[variable].domain)).collect();
    let sizes: usize = of_state.iter().map(|&variable| program.variables[variable].domain.len()).sum();
    // All states with their successors.
    let mut found: HashMap<Vec<Value>, usize> = HashMap::new();
    let (mut order, mut edges, mut seen) = (initial.clone(), Vec::new(), Vec::new());
    found.extend(order.iter().cloned().zip(0..));
    let mut at = 0;
    while let Some(state) = order.get(at).cloned() {
        of_state.iter().zip(&state).for_each(|(&variable, &value)| values.set(variable, false, Some(value)));
        keep(1 + of_state.len() + observed.len())?;
        work(sizes)?;
        let mut told: Vec<(usize, Value)> = Vec::new();
        for &define in &observed {
            told.push((define, values.value(&Expr::Define(define), false)?));
        }
        // What is no truth value is no place.
        let booleans = told.iter().filter(|(_, value)| matches!(value, Value::Bool(_)));
        observed = booleans.map(|&(define, _)| define).collect();
        seen.push(told);
        let after = steps.all(&mut values)?;
        release(after.len() * (1 + program.variables.len()));
        for (label, next) in after {
            let count = found.len();
            let number = *found.entry(next.clone()).or_insert(count);
            if number == count {
                order.push(next);
            }
            edges.push((at, label, number));
        }
        if order.len() > most || edges.len() > STEPS * most {
            return refuse(format!("program: it has more than {most} states or {} steps", STEPS * most));
        }
        at += 1;
    }
    let truths: HashSet<usize> = observed.iter().copied().collect();
    let coded = |number: usize| -> Vec<u64> {
        let of_variable = |((&variable, value), numbers): ((&usize, &Value), &Vec<u64>)| {
            numbers[program.variables[variable].domain.iter().position(|other| other == value).unwrap_or(0)]
        };
        let variables = of_state.iter().zip(&order[number]).zip(&codings).map(of_variable);
        let kept = seen[number].iter().filter(|(define, _)| truths.contains(define));
        variables.chain(kept.map(|(_, value)| u64::from(*value == Value::Bool(true)))).collect()
    };
    let states: Vec<Vec<u64>> = (0..order.len()).map(coded).collect();
    let Some(start) = states.first().filter(|_| !initial.is_empty()) else {
        return refuse("program: it has no first state");
    };
    let (of_variables, of_defines) = start.split_at(of_state.len());
    let places = of_state.iter().zip(of_variables).map(|(&variable, &initial)| place(&program, variable, initial));
    let defines = observed.iter().zip(of_defines).map(|(&define, &initial)| place_of_define(&program, define, initial));
    let places: Vec<Place> = places.chain(defines).collect();
    let mut net = Net { name: "program".to_owned(), places, labels: labels(&program), ..Net::default() };
    let mut edges = edges.into_iter().peekable();
    for (number, from) in states.iter().enumerate() {
        let begin = net.steps.len();
        let at: Arc<[u64]> = from.as_slice().into();
        while let Some((_, label, to)) = edges.next_if(|&(source, ..)| source == number) {
            let changes = from.iter().zip(&states[to]).enumerate().filter(|(_, (from, to))| from != to);
            let effects: Vec<(usize, Effect)> =
                changes.map(|(place, (&from, &to))| (place, Effect::Table(vec![(from, to)]))).collect();
            keep(1 + 2 * effects.len())?;
            work(net.places.len())?;
            net.steps.push(Step { label, effects, at: Some(Arc::clone(&at)) });
        }
        net.by_state.insert(from.clone(), begin..net.steps.len());
    }
    net.initials = states[..initial.len()].to_vec();
    Ok(net)
}
