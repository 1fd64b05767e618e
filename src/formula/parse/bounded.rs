//! Temporal operators with bounds: `X[n] f`, `F[a:b] f`, `G[a:b] f`, as Spot reads them, `f U[a:b] g`, and NuSMV's `EBF a..b f`,
//! `ABF`, `EBG`, `ABG` and `f BU a..b g`.
//!
//! They are written out on the way: `F[1:3] f` is `X (f | X (f | X f))`, and `f U[1:2] g` is `f & X (g | f & X g)`, so that no
//! engine has to know of them; the printer knows the longer ones again. A bound may be left
//! out or `$` on the right (`F[2:] f` is `X X F f`); `..` and `,` stand for `:`, and `!` before `]`, by which logics of finite words
//! say that there is a next position, says nothing here. What is written out is bounded as a tree, since the same
//! subformula may be printed as often as it occurs. An empty interval is refused: Spot exchanges its ends, and logics of
//! intervals take it for one without a moment.

use super::operators::{Infix, Level, Prefix};
use super::{Item, Operand, ParseErrorKind, Parsed, Parser, fail, misuse};
use crate::formula::ast::{Formula, MAX_DEPTH, MAX_SIZE};
use crate::formula::pool::FormulaId;

/// The least and the greatest number of steps; nothing where there is no greatest.
pub(super) type Bounds = (u32, Option<u32>);

impl Parser<'_> {
    /// The bounds that are next, after the letter of an operator. A label does not begin with a digit.
    #[inline(never)]
    pub(super) fn bounds(&mut self, prefix: Prefix) -> Parsed<Option<Bounds>> {
        let next = matches!(prefix, Prefix::Next);
        let rest = &self.text[self.at..];
        let inside = rest.trim_start().strip_prefix('[').map(str::trim_start);
        let begins = |inside: &str| inside.starts_with(|c: char| c.is_ascii_digit()) || next && inside.starts_with('!');
        if !(next || matches!(prefix, Prefix::Finally | Prefix::Globally)) || !inside.is_some_and(begins) {
            return Ok(None);
        }
        self.expect_char('[')?;
        self.skip_space();
        if self.peek() == Some('!') {
            self.at += 1;
            self.expect_char(']')?;
            return Ok(Some((1, Some(1))));
        }
        let at = self.at;
        let least = self.steps()?;
        let mut most = Some(least);
        if !next {
            self.skip_space();
            let Some(sign) = [":", "..", ","].into_iter().find(|sign| self.text[self.at..].starts_with(sign)) else {
                return misuse(self.at, "write both bounds, as in `F[0:3]` or `F[2:]`");
            };
            self.at += sign.len();
            self.skip_space();
            most = match self.peek() {
                Some(c) if c.is_ascii_digit() => Some(self.steps()?),
                Some('$') => {
                    self.at += 1;
                    None
                }
                _ => None,
            };
        }
        if most.is_some_and(|most| most < least) {
            return misuse(at, "this interval is empty; write the smaller bound first");
        }
        self.skip_space();
        if self.peek() == Some('!') {
            self.at += 1;
        }
        self.expect_char(']')?;
        Ok(Some((least, most)))
    }

    /// The bounds behind an until, which is skipped with them; `None`, and nothing is skipped, if there are none.
    pub(super) fn until_bounds(&mut self, infix: Infix, length: usize) -> Parsed<Option<Bounds>> {
        let behind = self.text[self.at + length..].trim_start();
        let digit = |text: &str| text.trim_start().starts_with(|c: char| c.is_ascii_digit());
        match infix {
            Infix::Until if behind.strip_prefix('[').is_some_and(digit) => {
                self.at += length;
                self.bounds(Prefix::Finally)
            }
            Infix::BoundedUntil => {
                self.at += length;
                Ok(Some(self.range()?))
            }
            _ => Ok(None),
        }
    }

    /// Bounds as NuSMV writes them: `1..3`.
    fn range(&mut self) -> Parsed<Bounds> {
        self.skip_space();
        let at = self.at;
        if !self.peek().is_some_and(|c| c.is_ascii_digit()) {
            return self.expected("bounds, as in `0..3`");
        }
        let least = self.steps()?;
        self.skip_space();
        if !self.text[self.at..].starts_with("..") {
            return self.expected("`..`");
        }
        self.at += 2;
        self.skip_space();
        let most = self.steps()?;
        if most < least {
            return misuse(at, "this interval is empty; write the smaller bound first");
        }
        Ok((least, Some(most)))
    }

    /// `f U[a:b] g`.
    #[inline(never)]
    pub(super) fn bounded_until(
        &mut self,
        at: usize,
        (a, b): (FormulaId, FormulaId),
        (least, most): Bounds,
    ) -> Parsed<FormulaId> {
        let next = |parser: &mut Self, later: FormulaId| {
            let later = parser.pool.add(Formula::Next(later));
            parser.pool.add(Formula::And(vec![a, later]))
        };
        let mut formula = match most {
            None => self.pool.add(Formula::Until(a, b)),
            Some(most) => (least..most).fold(b, |later, _| {
                let later = next(self, later);
                self.pool.add(Formula::Or(vec![b, later]))
            }),
        };
        for _ in 0..least {
            formula = next(self, formula);
        }
        self.refuse_large(at, formula)?;
        Ok(formula)
    }

    /// Is a quantifier with a bounded operator next, as NuSMV writes them? Bounds follow.
    pub(super) fn is_bounded_pair(&self, word: &str) -> bool {
        let bounds = || self.text[self.at + word.len()..].trim_start().starts_with(|c: char| c.is_ascii_digit());
        matches!(word, "EBF" | "ABF" | "EBG" | "ABG") && bounds()
    }

    /// `EBF a..b f` and its like.
    #[inline(never)]
    pub(super) fn bounded_pair(&mut self, at: usize, word: &str) -> Parsed<Operand> {
        self.at += word.len();
        let bounds = self.range()?;
        let prefix = if word.ends_with('F') { Prefix::Finally } else { Prefix::Globally };
        let operand = self.bounded(at, prefix, bounds)?;
        let path = self.formula(operand)?;
        let quantified = if word.starts_with('E') { Formula::Exists(path) } else { Formula::Forall(path) };
        let item = Item::Formula(self.pool.add(quantified));
        Ok(Operand { item, loose_quantifier: true, ..operand })
    }

    /// A number of steps.
    fn steps(&mut self) -> Parsed<u32> {
        let (at, rest) = (self.at, &self.text[self.at..]);
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        self.at += end;
        match rest[..end].parse() {
            Ok(steps) if steps <= MAX_DEPTH => Ok(steps),
            _ => fail(at, ParseErrorKind::TooDeep),
        }
    }

    /// The operand of an operator with bounds, and the formula that they are together.
    #[inline(never)]
    pub(super) fn bounded(&mut self, at: usize, prefix: Prefix, (least, most): Bounds) -> Parsed<Operand> {
        let operand = self.parse(Level::Prefix)?;
        let body = self.formula(operand)?;
        let mut formula = match most {
            None => prefix.apply(body, self.pool),
            Some(most) => (least..most).fold(body, |later, _| {
                let later = self.pool.add(Formula::Next(later));
                let both = vec![body, later];
                self.pool.add(if matches!(prefix, Prefix::Globally) { Formula::And(both) } else { Formula::Or(both) })
            }),
        };
        for _ in 0..least {
            formula = self.pool.add(Formula::Next(formula));
        }
        self.refuse_large(at, formula)?;
        let loose_quantifier = operand.loose_quantifier;
        Ok(Operand { loose_quantifier, unbracketed: true, ..Operand::closed(Item::Formula(formula), at) })
    }

    pub(super) fn refuse_large(&self, at: usize, formula: FormulaId) -> Parsed<()> {
        if self.pool.depth(formula) > MAX_DEPTH {
            return fail(at, ParseErrorKind::TooDeep);
        }
        if self.pool.size(formula) > MAX_SIZE {
            return misuse(at, format!("this has more than {MAX_SIZE} operators once its bounds are written out"));
        }
        Ok(())
    }
}
