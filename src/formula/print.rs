//! Writing formulas so that reading them gives the same formula back.
//!
//! Parentheses are written where the precedence of `parse` asks for them, and around every operand whose
//! meaning a reader could doubt: an infix operator always stands in parentheses unless it is outermost, and
//! so does a quantified formula beside an infix operator. Names are what people
//! call things ([`Symbols::place_name`]), quoted where the notation needs it. The output is ASCII but for names.
//!
//! Works on a stack of its own, not by recursion: a formula made by a program may be deeper than those the
//! readers accept.

use super::ast::{Comparison, Expr, Formula};
use super::parse::{is_name_part, is_name_start};
use super::pool::{ExprId, FormulaId, Pool};
use super::symbols::Symbols;
use crate::model::Standstill;
use crate::net::PlaceId;
use std::borrow::Cow;
use std::fmt;

/// A formula with the names to write it, as made by [`Pool::display`].
#[derive(Clone, Copy, Debug)]
pub struct DisplayFormula<'a> {
    pool: &'a Pool,
    formula: FormulaId,
    symbols: &'a Symbols,
}

impl Pool {
    /// The formula in the notation that [`parse`](super::parse()) reads; `symbols` are those of its net.
    pub fn display<'a>(&'a self, formula: FormulaId, symbols: &'a Symbols) -> DisplayFormula<'a> {
        DisplayFormula { pool: self, formula, symbols }
    }
}

impl fmt::Display for DisplayFormula<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.pool.has(self.formula) {
            return f.write_str("(a formula of another pool)");
        }
        write_pieces(self.pool, self.symbols, Piece::Formula(self.formula, Context::Outermost), f)
    }
}

/// Where a formula stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Context {
    Outermost,
    /// After a prefix operator.
    Prefixed,
    /// Beside an infix operator.
    Infixed,
}

/// How tightly the operator of an expression binds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Strength {
    Sum,
    Product,
    Sign,
    Atom,
}

/// Something still to be written.
enum Piece<'a> {
    Text(Cow<'a, str>),
    Formula(FormulaId, Context),
    /// An expression, in parentheses if it binds more weakly than this.
    Expr(ExprId, Strength),
}

impl Piece<'_> {
    fn text(text: &'static str) -> Self {
        Piece::Text(Cow::Borrowed(text))
    }
}

fn write_pieces(pool: &Pool, symbols: &Symbols, first: Piece, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut stack = vec![first];
    while let Some(piece) = stack.pop() {
        let mut parts = match piece {
            Piece::Text(text) => {
                f.write_str(&text)?;
                continue;
            }
            Piece::Formula(id, context) => formula_pieces(pool, symbols, id, context),
            Piece::Expr(id, weakest) => expr_pieces(pool, symbols, id, weakest),
        };
        parts.reverse();
        stack.append(&mut parts);
    }
    Ok(())
}

fn formula_pieces<'a>(pool: &'a Pool, symbols: &'a Symbols, id: FormulaId, context: Context) -> Vec<Piece<'a>> {
    use Formula::*;
    let prefix = |operator, a: &FormulaId| {
        let mut pieces = vec![Piece::text(operator), Piece::Formula(*a, Context::Prefixed)];
        if context == Context::Infixed && begins_with_quantifier(pool, id) {
            pieces.insert(0, Piece::text("("));
            pieces.push(Piece::text(")"));
        }
        pieces
    };
    let infix = |operator: &'static str, operands: &[FormulaId]| {
        let mut pieces = Vec::with_capacity(2 * operands.len() + 1);
        for (i, &operand) in operands.iter().enumerate() {
            if i > 0 {
                pieces.push(Piece::text(operator));
            }
            pieces.push(Piece::Formula(operand, Context::Infixed));
        }
        if context != Context::Outermost {
            pieces.insert(0, Piece::text("("));
            pieces.push(Piece::text(")"));
        }
        pieces
    };
    if let Some((operator, least, most, operands)) = bounded(pool, id) {
        let text = Piece::Text(format!("{operator}[{least}:{most}] ").into());
        let mut pieces = match operands {
            (None, b) => vec![text, Piece::Formula(b, Context::Prefixed)],
            (Some(a), b) => {
                let (a, b) = (Piece::Formula(a, Context::Infixed), Piece::Formula(b, Context::Infixed));
                vec![a, Piece::text(" "), text, b]
            }
        };
        let brackets = match operands.0 {
            Some(_) => context != Context::Outermost,
            None => context == Context::Infixed && begins_with_quantifier(pool, operands.1),
        };
        if brackets {
            pieces.insert(0, Piece::text("("));
            pieces.push(Piece::text(")"));
        }
        return pieces;
    }
    // What a step was like is true in the state that it leads to, and in a first state; after `X`, it is what the step
    // is like.
    if let Some((condition, holds)) = remembered(pool, symbols, id) {
        return vec![
            Piece::text(if holds { "Z " } else { "!(Z " }),
            condition,
            Piece::text(if holds { "" } else { ")" }),
        ];
    }
    if let Next(a) = pool[id]
        && let Some((condition, holds)) = remembered(pool, symbols, a)
    {
        return vec![Piece::text(if holds { "" } else { "!" }), condition];
    }
    match &pool[id] {
        True => vec![Piece::text("true")],
        False => vec![Piece::text("false")],
        Deadlock | Still(Standstill::Deadlock) => vec![Piece::text("deadlock")],
        Still(Standstill::Timelock) => vec![Piece::text("timelock")],
        Enabled(ts) => list("enabled", ts.iter().map(|&t| symbols.name_of_transition(t))),
        Label(label) => list("label", std::iter::once(symbols.label_name(*label))),
        Set(set) => vec![Piece::text("%"), Piece::Text(quoted(set.name()))],
        Action(ts) => list("action", ts.iter().map(|&t| symbols.name_of_transition(t))),
        Diamond(ts, a) | Formula::Box(ts, a) => {
            let (open, close) = if matches!(pool[id], Diamond(..)) { ("<", "> ") } else { ("[", "] ") };
            let mut pieces = vec![Piece::text(open)];
            match ts {
                None => pieces.push(Piece::text("*")),
                Some(ts) => {
                    for name in distinct(ts.iter().map(|&t| symbols.name_of_transition(t))) {
                        pieces.extend((pieces.len() > 1).then_some(Piece::text(", ")));
                        pieces.push(Piece::Text(quoted(name)));
                    }
                }
            }
            pieces.extend([Piece::text(close), Piece::Formula(*a, Context::Prefixed)]);
            if context == Context::Infixed && begins_with_quantifier(pool, id) {
                pieces.insert(0, Piece::text("("));
                pieces.push(Piece::text(")"));
            }
            pieces
        }
        Compare(a, comparison, b) => {
            let named = named_value(pool, symbols, *a, *b).map(|name| (*a, name, *comparison));
            // The variable comes first.
            let swapped = || named_value(pool, symbols, *b, *a).map(|name| (*b, name, comparison.swapped()));
            let named = named.or_else(swapped);
            let operator = match named.as_ref().map_or(*comparison, |named| named.2) {
                Comparison::Eq => " = ",
                Comparison::Ne => " != ",
                Comparison::Lt => " < ",
                Comparison::Le => " <= ",
                Comparison::Gt => " > ",
                Comparison::Ge => " >= ",
            };
            let mut pieces = match named {
                Some((variable, name, _)) => {
                    vec![Piece::Expr(variable, Strength::Sum), Piece::text(operator), Piece::Text(name.into())]
                }
                None => vec![Piece::Expr(*a, Strength::Sum), Piece::text(operator), Piece::Expr(*b, Strength::Sum)],
            };
            if context == Context::Prefixed {
                pieces.insert(0, Piece::text("("));
                pieces.push(Piece::text(")"));
            }
            pieces
        }
        Not(a) => prefix("!", a),
        Next(a) => prefix("X ", a),
        Finally(a) => prefix("F ", a),
        Globally(a) => prefix("G ", a),
        Yesterday(a) => prefix("Y ", a),
        WeakYesterday(a) => prefix("Z ", a),
        Since(a, b) if pool[*a] == True => prefix("O ", b),
        Trigger(a, b) if pool[*a] == False => prefix("H ", b),
        // `E [a] f` would be `E` with its operand in brackets.
        Exists(a) | Forall(a) if matches!(pool[*a], Formula::Box(..)) => {
            let quantifier = if matches!(pool[id], Exists(_)) { "E (" } else { "A (" };
            let mut pieces = vec![Piece::text(quantifier), Piece::Formula(*a, Context::Outermost), Piece::text(")")];
            if context == Context::Infixed {
                pieces.insert(0, Piece::text("("));
                pieces.push(Piece::text(")"));
            }
            pieces
        }
        Exists(a) => prefix("E ", a),
        Forall(a) => prefix("A ", a),
        And(operands) => infix(" & ", operands),
        Or(operands) => infix(" | ", operands),
        Implies(a, b) => infix(" -> ", &[*a, *b]),
        Iff(a, b) => infix(" <-> ", &[*a, *b]),
        Until(a, b) => infix(" U ", &[*a, *b]),
        Release(a, b) => infix(" R ", &[*a, *b]),
        WeakUntil(a, b) => infix(" W ", &[*a, *b]),
        StrongRelease(a, b) => infix(" M ", &[*a, *b]),
        Since(a, b) => infix(" S ", &[*a, *b]),
        Trigger(a, b) => infix(" T ", &[*a, *b]),
    }
}

/// The condition on the last step that an atom compares, in brackets where it is no name, and whether it is to hold.
fn remembered<'a>(pool: &Pool, symbols: &'a Symbols, id: FormulaId) -> Option<(Piece<'a>, bool)> {
    let Formula::Compare(left, comparison, right) = pool[id] else { return None };
    let (Expr::Tokens(variables), &Expr::Const(value)) = (&pool[left], &pool[right]) else { return None };
    let &[variable] = &variables[..] else { return None };
    let condition = symbols.remembered(variable)?;
    let holds = match comparison {
        Comparison::Eq => value == 1,
        Comparison::Ne => value == 0,
        _ => return None,
    };
    let is_name = condition.chars().all(|c| c.is_alphanumeric() || "_.[]$#-".contains(c));
    let text = if is_name { Cow::from(condition) } else { format!("({condition})").into() };
    Some((Piece::Text(text), holds))
}

/// The least number of steps between bounds that are written as such.
const LEAST_WRITTEN: u32 = 2;

/// An operator with bounds that has been written out by the parser: `F`, `G` or `U`, the bounds, and its operands.
type Bounded = (&'static str, u32, u32, (Option<FormulaId>, FormulaId));

fn bounded(pool: &Pool, mut id: FormulaId) -> Option<Bounded> {
    use Formula::{And, Next, Or};
    let pair = |id: FormulaId| match &pool[id] {
        And(operands) | Or(operands) => <[FormulaId; 2]>::try_from(&operands[..]).ok(),
        _ => None,
    };
    let next = |id: FormulaId| if let Next(a) = pool[id] { Some(a) } else { None };
    // How often a step of the same form follows, and what is behind the last.
    let steps = |mut id: FormulaId, step: &dyn Fn(FormulaId) -> Option<FormulaId>| {
        let mut count = 0;
        while let Some(later) = step(id) {
            (id, count) = (later, count + 1);
        }
        (count, id)
    };
    let start = id;
    let (mut least, last) = steps(id, &next);
    id = last;
    if let Some([body, _]) = pair(id) {
        let is_or = matches!(pool[id], Or(_));
        let same = |id: FormulaId| match pair(id) {
            Some([now, later]) if now == body && matches!(pool[id], Or(_)) == is_or => next(later),
            _ => None,
        };
        let (count, last) = steps(id, &same);
        if count >= LEAST_WRITTEN && last == body {
            return Some((if is_or { "F" } else { "G" }, least, least + count, (None, body)));
        }
    }
    id = start;
    let held = |id: FormulaId| match (&pool[id], pair(id)) {
        (And(_), Some([a, later])) => Some((a, next(later)?)),
        _ => None,
    };
    let until = |id: FormulaId| match (&pool[id], pair(id)) {
        (Or(_), Some([b, more])) => held(more).map(|(a, later)| (b, a, later)),
        _ => None,
    };
    least = 0;
    let mut before = None;
    while let Some((a, later)) = held(id).filter(|(a, _)| before.is_none_or(|before| before == *a)) {
        (before, id, least) = (Some(a), later, least + 1);
    }
    let (b, a, _) = until(id).filter(|(_, a, _)| before.is_none_or(|before| before == *a))?;
    let same = |id: FormulaId| until(id).filter(|(now, held, _)| (*now, *held) == (b, a)).map(|(_, _, later)| later);
    let (count, last) = steps(id, &same);
    (count >= LEAST_WRITTEN && last == b).then_some(("U", least, least + count, (Some(a), b)))
}

/// The name of the value that a variable is compared with, if it has one; of a clock, the moment.
fn named_value(pool: &Pool, symbols: &Symbols, variable: ExprId, value: ExprId) -> Option<String> {
    let (Expr::Tokens(variables), &Expr::Const(value)) = (&pool[variable], &pool[value]) else { return None };
    let &[variable] = &variables[..] else { return None };
    if let Some(unit) = symbols.unit(variable) {
        return Some(moment_text(value, unit.parts));
    }
    let name = symbols.value_name(variable, u64::try_from(value).ok()?)?;
    let numeral = name.starts_with(|c: char| c.is_ascii_digit()) && name.chars().all(is_name_part);
    Some(if numeral { name } else { quoted(&name).into_owned() })
}

/// A moment in the unit that people write it in: `5`, `11/2`.
fn moment_text(value: i128, parts: u64) -> String {
    let parts = i128::from(parts.max(1));
    let common = num_integer::gcd(value, parts).max(1);
    if parts == common { (value / common).to_string() } else { format!("{}/{}", value / common, parts / common) }
}

/// Is there a path quantifier among the prefix operators that the formula begins with? Before a binary
/// temporal operator the parser refuses such a formula without parentheses.
fn begins_with_quantifier(pool: &Pool, mut id: FormulaId) -> bool {
    use Formula::*;
    loop {
        if let Some((_, _, _, (None, body))) = bounded(pool, id) {
            id = body;
            continue;
        }
        id = match pool[id] {
            Not(a) | Next(a) | Finally(a) | Globally(a) | Diamond(_, a) | Formula::Box(_, a) => a,
            Yesterday(a) | WeakYesterday(a) => a,
            Since(a, b) if pool[a] == True => b,
            Trigger(a, b) if pool[a] == False => b,
            ref node => return matches!(node, Exists(_) | Forall(_)),
        }
    }
}

/// The values that numbers stand for, which begin at the least number.
fn counted_from<'a>(least: i128, mut numbers: Vec<Piece<'a>>) -> (Strength, Vec<Piece<'a>>) {
    if least == 0 {
        return (Strength::Atom, numbers);
    }
    numbers.push(Piece::Text(format!(" + {}", -least).into()));
    (Strength::Sum, numbers)
}

fn expr_pieces<'a>(pool: &'a Pool, symbols: &'a Symbols, id: ExprId, weakest: Strength) -> Vec<Piece<'a>> {
    if let Some(variables) = numbers(pool, symbols, id) {
        return sum(symbols, variables);
    }
    let (strength, mut pieces) = match &pool[id] {
        Expr::Const(n) => (Strength::Atom, vec![Piece::Text(Cow::Owned(n.to_string()))]),
        Expr::Tokens(places) => counted_from(symbols.least(places), sum(symbols, places)),
        Expr::Bounds(places) => {
            let bounds = list("bounds", places.iter().map(|&p| symbols.name_of_place(p)));
            counted_from(symbols.least(places), bounds)
        }
        Expr::Neg(a) => {
            // `-(3)`, for `-3` is the constant.
            let operand = if matches!(pool[*a], Expr::Const(_)) {
                vec![Piece::text("-("), Piece::Expr(*a, Strength::Sum), Piece::text(")")]
            } else {
                vec![Piece::text("-"), Piece::Expr(*a, Strength::Sign)]
            };
            (Strength::Sign, operand)
        }
        Expr::Add(operands) => {
            let mut pieces = Vec::with_capacity(2 * operands.len());
            for (i, &operand) in operands.iter().enumerate() {
                match &pool[operand] {
                    Expr::Neg(a) if i > 0 => {
                        pieces.push(Piece::text(" - "));
                        pieces.push(Piece::Expr(*a, Strength::Product));
                    }
                    _ => {
                        if i > 0 {
                            pieces.push(Piece::text(" + "));
                        }
                        pieces.push(Piece::Expr(operand, Strength::Product));
                    }
                }
            }
            (Strength::Sum, pieces)
        }
        Expr::Mul(a, b) => (
            Strength::Product,
            vec![Piece::Expr(*a, Strength::Product), Piece::text(" * "), Piece::Expr(*b, Strength::Sign)],
        ),
        Expr::Div(a, b) => (
            Strength::Product,
            vec![Piece::Expr(*a, Strength::Product), Piece::text(" / "), Piece::Expr(*b, Strength::Sign)],
        ),
    };
    if strength < weakest {
        pieces.insert(0, Piece::text("("));
        pieces.push(Piece::text(")"));
    }
    pieces
}

/// The variables whose numbers an expression adds up, if their values count from another number than 0.
fn numbers<'a>(pool: &'a Pool, symbols: &Symbols, id: ExprId) -> Option<&'a [PlaceId]> {
    let Expr::Add(operands) = &pool[id] else { return None };
    let &[a, b] = &operands[..] else { return None };
    let (Expr::Tokens(variables), &Expr::Const(number)) = (&pool[a], &pool[b]) else { return None };
    (number != 0 && number == symbols.least(variables)).then_some(variables)
}

/// `#x`, or `tokens(x, y)`.
fn sum<'a>(symbols: &'a Symbols, variables: &[PlaceId]) -> Vec<Piece<'a>> {
    match *variables {
        [variable] => vec![Piece::text("#"), Piece::Text(quoted(symbols.name_of_place(variable)))],
        _ => list("tokens", variables.iter().map(|&variable| symbols.name_of_place(variable))),
    }
}

fn list<'a>(function: &'static str, names: impl Iterator<Item = &'a str>) -> Vec<Piece<'a>> {
    let mut pieces = vec![Piece::text(function), Piece::text("(")];
    for name in distinct(names) {
        if pieces.len() > 2 {
            pieces.push(Piece::text(", "));
        }
        pieces.push(Piece::Text(quoted(name)));
    }
    pieces.push(Piece::text(")"));
    pieces
}

/// The names without those that repeat the one before: several transitions of a network have one label.
fn distinct<'a>(names: impl Iterator<Item = &'a str>) -> impl Iterator<Item = &'a str> {
    let mut last = None;
    names.filter(move |&name| last.replace(name) != Some(name))
}

/// The name, in double quotes unless it can stand without.
pub(crate) fn quoted(name: &str) -> Cow<'_, str> {
    if name.starts_with(is_name_start) && name.chars().all(is_name_part) {
        Cow::Borrowed(name)
    } else {
        Cow::Owned(format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\"")))
    }
}
