//! Comparisons: of numbers, of variables whose values have names, of clocks with moments.

use super::lexer::is_name_part;
use super::operators::Infix;
use super::{Item, Operand, ParseErrorKind, Parsed, Parser, fail, misuse};
use crate::formula::ast::{Comparison, Expr, Formula};
use crate::formula::pool::{ExprId, FormulaId};
use crate::model::Unit;
use crate::net::PlaceId;

impl Parser<'_> {
    /// The comparison whose left side is given. Comparisons do not nest: what they need is not on the stack of what
    /// does.
    #[inline(never)]
    pub(super) fn comparison(&mut self, left: Operand, infix: Infix, mut comparison: Comparison) -> Parsed<FormulaId> {
        // Not a modality after `=`: those are no numbers.
        for (wrong, right) in [("=<", "<="), ("><", "!=")] {
            if self.text[self.at..].starts_with(wrong) {
                return misuse(self.at, format!("`{wrong}` is written `{right}`"));
            }
        }
        let (a, b) = match (self.clock(left), self.named(left)) {
            (Some((clock, unit)), _) => (clock, self.moment(infix, unit)?),
            (_, Some(variable)) => self.named_comparison(left, variable, comparison)?,
            _ => {
                let a = self.expr(left)?;
                let right = self.right(infix)?;
                match self.clock(right) {
                    Some((clock, unit)) => {
                        comparison = comparison.swapped();
                        (clock, self.in_parts(left.at, a, unit)?)
                    }
                    None => (a, self.expr(right)?),
                }
            }
        };
        if matches!(self.peek_infix(), Some((Infix::Compare(_), _))) {
            return misuse(self.at, "comparisons are not chained; write `1 <= #p & #p <= 3`");
        }
        Ok(self.pool.add(Formula::Compare(a, comparison, b)))
    }

    /// The sum of the numbers that variables are: values count from the least number on.
    pub(super) fn numbers(&mut self, variables: Vec<PlaceId>) -> ExprId {
        let least = self.symbols.least(&variables);
        self.counted_from(least, Expr::Tokens(variables))
    }

    /// The greatest of these sums.
    pub(super) fn greatest(&mut self, variables: Vec<PlaceId>) -> ExprId {
        let least = self.symbols.least(&variables);
        self.counted_from(least, Expr::Bounds(variables))
    }

    fn counted_from(&mut self, least: i128, values: Expr) -> ExprId {
        let values = self.pool.add_expr(values);
        if least == 0 {
            return values;
        }
        let least = self.pool.add_expr(Expr::Const(least));
        self.pool.add_expr(Expr::Add(vec![values, least]))
    }

    /// The clock that an operand is, with its unit.
    pub(super) fn clock(&self, operand: Operand) -> Option<(ExprId, Unit)> {
        let Item::Expr(expression) = operand.item else { return None };
        let Expr::Tokens(variables) = &self.pool[expression] else { return None };
        let &[variable] = &variables[..] else { return None };
        Some((expression, self.symbols.unit(variable)?))
    }

    /// Skip a comparison and parse the moment after it, `5`, `5.5` or `11/2`, that a clock is compared with.
    #[inline(never)]
    pub(super) fn moment(&mut self, infix: Infix, unit: Unit) -> Parsed<ExprId> {
        self.at += self.peek_infix().map_or(0, |(_, length)| length);
        self.skip_space();
        let (at, rest) = (self.at, &self.text[self.at..]);
        let mut end = rest.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(rest.len());
        if let Some(below) = rest[end..].strip_prefix('/') {
            end += 1 + below.find(|c: char| !c.is_ascii_digit()).unwrap_or(below.len());
        }
        let number = &rest[..end];
        let Some((numerator, denominator)) = fraction(number) else {
            debug_assert!(matches!(infix, Infix::Compare(_)));
            return misuse(at, "a clock is compared with a number, as in `x <= 5`, `x <= 5.5` or `x <= 11/2`");
        };
        self.at += end;
        let parts = numerator.checked_mul(i128::from(unit.parts));
        let Some(value) = parts.filter(|parts| parts % denominator == 0).map(|parts| parts / denominator) else {
            let why =
                format!("`{number}` is no whole number of parts of a unit of time, of which there are {}", unit.parts);
            return misuse(at, why);
        };
        self.told_apart(at, value, unit)
    }

    /// A number of units as the number of their parts.
    pub(super) fn in_parts(&mut self, at: usize, number: ExprId, unit: Unit) -> Parsed<ExprId> {
        let Expr::Const(number) = self.pool[number] else {
            return misuse(at, "a clock is compared with a number, as in `5 <= x`");
        };
        match number.checked_mul(i128::from(unit.parts)) {
            Some(value) => self.told_apart(at, value, unit),
            None => fail(at, ParseErrorKind::Number),
        }
    }

    /// A value that a clock is compared with. Beyond the last one that is told apart an answer would be wrong.
    pub(super) fn told_apart(&mut self, at: usize, value: i128, unit: Unit) -> Parsed<ExprId> {
        if value > i128::from(unit.most) {
            let most = unit.most / unit.parts.max(1);
            return misuse(at, format!("this clock is not told apart beyond {most}; compare it with less"));
        }
        Ok(self.pool.add_expr(Expr::Const(value)))
    }

    /// The variable that an operand is, if its values have names.
    pub(super) fn named(&self, operand: Operand) -> Option<PlaceId> {
        let Item::Expr(expression) = operand.item else { return None };
        match self.pool[expression] {
            Expr::Tokens(ref variables) if variables.len() == 1 => {
                Some(variables[0]).filter(|&variable| self.symbols.has_named_values(variable))
            }
            _ => None,
        }
    }

    /// Parse a comparison and the name of a value after it: both sides.
    pub(super) fn named_comparison(
        &mut self,
        left: Operand,
        variable: PlaceId,
        comparison: Comparison,
    ) -> Parsed<(ExprId, ExprId)> {
        let Item::Expr(a) = left.item else { return self.expected("a formula") };
        if !matches!(comparison, Comparison::Eq | Comparison::Ne) {
            return misuse(self.at, "values that have names are compared by `=` and `!=` only");
        }
        self.at += self.peek_infix().map_or(0, |(_, length)| length);
        self.skip_space();
        let at = self.at;
        let name = match self.peek() {
            Some(c) if c.is_ascii_digit() || c == '-' => {
                let rest = &self.text[at..];
                let sign = usize::from(c == '-');
                let end = rest[sign..].find(|c| !is_name_part(c)).map_or(rest.len(), |end| sign + end);
                self.at += end;
                rest[..end].to_owned()
            }
            _ => self.name("the name of a value")?.1,
        };
        let value = self.symbols.value(variable, &name).or_else(|error| self.bad_name(at, error))?;
        Ok((a, self.pool.add_expr(Expr::Const(value.into()))))
    }
}

/// A number as a numerator and a denominator that is not 0: `5`, `5.5`, `11/2`.
fn fraction(text: &str) -> Option<(i128, i128)> {
    let (numerator, denominator) = match (text.split_once('/'), text.split_once('.')) {
        (Some((above, below)), None) => (above.parse().ok()?, below.parse().ok()?),
        (None, Some((whole, part))) if !whole.is_empty() && !part.is_empty() => {
            let tenths = 10i128.checked_pow(part.len() as u32)?;
            (whole.parse::<i128>().ok()?.checked_mul(tenths)?.checked_add(part.parse().ok()?)?, tenths)
        }
        (None, None) => (text.parse().ok()?, 1),
        _ => return None,
    };
    (denominator != 0).then_some((numerator, denominator))
}
