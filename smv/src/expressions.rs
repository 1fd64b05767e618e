//! Expressions and formulas, by precedence.
//!
//! One grammar serves simple expressions, CTL and LTL, with the levels of SPEC.md, section 3; from the loosest: `->`
//! (right), `<->`, `?:` (right), `|` `xor` `xnor`, `&`, `U` `S` `V` `T`, temporal prefixes, comparisons, `in`, `union`,
//! ranges, shifts, sums, products, `::`, and prefixes on a primary. So `!x = y` is `(!x) = y`, `AG p -> q` is
//! `(AG p) -> q`, and `a & b U c` is `a & (b U c)`. Whether an operator belongs there (`U` in a definition, `EX` in
//! LTL) is a question for the types.

use crate::ast::{Expr, ExprKind};
use crate::error::{Fault, Place};
use crate::lexer::Kind;
use crate::parser::Parser;

/// Greatest depth of an expression.
const MAX_DEPTH: usize = 2000;
/// Operands of a chain, as of `a & b & c`.
const LONGEST: usize = 20_000;

/// Temporal operators before their operand.
const PREFIXES: [&str; 13] = ["EX", "AX", "EF", "AF", "EG", "AG", "X", "F", "G", "Y", "Z", "H", "O"];
/// Those with bounds of steps before their operand.
const BOUNDED: [&str; 4] = ["EBF", "ABF", "EBG", "ABG"];
/// Functions that look like calls.
const FUNCTIONS: [&str; 17] = [
    "bool", "word1", "signed", "unsigned", "extend", "resize", "sizeof", "toint", "count", "uwconst", "swconst",
    "typeof", "abs", "min", "max", "READ", "WRITE",
];

impl Parser {
    /// A formula or an expression.
    pub(crate) fn expression(&mut self) -> Result<Expr, Fault> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.fault("this expression is nested too deeply"));
        }
        let outside = std::mem::replace(&mut self.bracketed, false);
        let result = self.implication();
        self.bracketed = outside;
        self.depth -= 1;
        result
    }

    fn implication(&mut self) -> Result<Expr, Fault> {
        let left = self.equivalence()?;
        let place = left.place;
        if self.accept("->") {
            self.depth += 1;
            if self.depth > MAX_DEPTH {
                return Err(self.fault("this expression is nested too deeply"));
            }
            let right = self.implication()?;
            self.depth -= 1;
            return Ok(apply("->", place, vec![left, right]));
        }
        Ok(left)
    }

    fn equivalence(&mut self) -> Result<Expr, Fault> {
        self.left_associative(&["<->"], Self::choice)
    }

    fn choice(&mut self) -> Result<Expr, Fault> {
        let condition = self.disjunction()?;
        if !self.accept("?") {
            return Ok(condition);
        }
        let place = condition.place;
        let yes = self.expression()?;
        self.expect(":")?;
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.fault("this expression is nested too deeply"));
        }
        let no = self.choice()?;
        self.depth -= 1;
        Ok(apply("?", place, vec![condition, yes, no]))
    }

    fn disjunction(&mut self) -> Result<Expr, Fault> {
        self.left_associative(&["|", "xor", "xnor"], Self::conjunction)
    }

    fn conjunction(&mut self) -> Result<Expr, Fault> {
        self.left_associative(&["&"], Self::until)
    }

    fn until(&mut self) -> Result<Expr, Fault> {
        let mut left = self.prefixed()?;
        let mut length = 0;
        loop {
            self.lengthen(&mut length)?;
            if self.psl && matches!(self.peek(0), Kind::Name(name) if &**name == "until") {
                self.step();
                let strong = self.accept("!");
                let right = self.prefixed()?;
                left = psl_until(left, right, strong);
                continue;
            }
            let Some(mark) = ["U", "S", "V", "T"].into_iter().find(|mark| self.at(mark)) else { return Ok(left) };
            // Inside of `E [p U q]` the operator belongs to the brackets.
            if self.bracketed && mark == "U" {
                return Ok(left);
            }
            self.step();
            let place = left.place;
            let right = self.prefixed()?;
            left = Expr::new(ExprKind::Temporal(mark, vec![left, right], None), place);
        }
    }

    fn prefixed(&mut self) -> Result<Expr, Fault> {
        let place = self.place();
        if let Some(mark) = PREFIXES.into_iter().find(|mark| self.at(mark)) {
            self.step();
            let bounds = match mark.len() == 1 && self.at("[") {
                true => Some(self.bounds()?),
                false => None,
            };
            let operand = self.nested(Self::prefixed)?;
            return Ok(Expr::new(ExprKind::Temporal(mark, vec![operand], bounds), place));
        }
        if self.psl
            && let Some(expr) = self.psl_prefix()?
        {
            return Ok(expr);
        }
        if let Some(mark) = BOUNDED.into_iter().find(|mark| self.at(mark)) {
            self.step();
            let bounds = self.range_of_steps()?;
            let operand = self.nested(Self::prefixed)?;
            return Ok(Expr::new(ExprKind::Temporal(mark, vec![operand], Some(bounds)), place));
        }
        if self.at("E") || self.at("A") {
            return self.quantified();
        }
        if self.at("!") && self.negates_formula() {
            self.step();
            let operand = self.nested(Self::prefixed)?;
            return Ok(apply("!", place, vec![operand]));
        }
        self.comparison()
    }

    /// `always`, `never`, `eventually!` and `next` of PSL.
    fn psl_prefix(&mut self) -> Result<Option<Expr>, Fault> {
        let place = self.place();
        let name = match self.peek(0) {
            Kind::Name(name) => name.clone(),
            Kind::Mark("next") => "next".into(),
            _ => return Ok(None),
        };
        let (mark, negated) = match &*name {
            "always" => ("G", false),
            "never" => ("G", true),
            "eventually" => ("F", false),
            "next" => ("X", false),
            _ => return Ok(None),
        };
        self.step();
        self.accept("!");
        let mut times = 1;
        if mark == "X" && self.accept("[") {
            times = self.integer()?;
            self.expect("]")?;
        }
        let mut operand = self.nested(Self::prefixed)?;
        if negated {
            operand = apply("!", place, vec![operand]);
        }
        if !(1..=1000).contains(&times) {
            return Err(Fault::new(crate::Stage::Syntax, place, "`next[n]` is read for n from 1 to 1000"));
        }
        for _ in 0..times {
            operand = Expr::new(ExprKind::Temporal(mark, vec![operand], None), place);
        }
        Ok(Some(operand))
    }

    /// Is what follows `!`, perhaps after more of them, a temporal operator?
    fn negates_formula(&self) -> bool {
        let after = (0..).map(|ahead| self.peek(ahead)).find(|kind| **kind != Kind::Mark("!"));
        matches!(after, Some(Kind::Mark(mark)) if PREFIXES.contains(mark) || BOUNDED.contains(mark) || ["E", "A"].contains(mark))
    }

    /// `E [p U q]`, `A [p BU 0..3 q]`.
    fn quantified(&mut self) -> Result<Expr, Fault> {
        let place = self.place();
        let exists = self.at("E");
        self.step();
        self.expect("[")?;
        let outside = std::mem::replace(&mut self.bracketed, true);
        let left = self.nested(Self::implication)?;
        let bounds = match self.accept("BU") {
            true => Some(self.range_of_steps()?),
            false => {
                self.expect("U")?;
                None
            }
        };
        let right = self.nested(Self::implication)?;
        self.bracketed = outside;
        self.expect("]")?;
        let mark = match (exists, bounds.is_some()) {
            (true, false) => "EU",
            (false, false) => "AU",
            (true, true) => "EBU",
            (false, true) => "ABU",
        };
        Ok(Expr::new(ExprKind::Temporal(mark, vec![left, right], bounds), place))
    }

    /// `[a, b]` after an operator of LTL.
    fn bounds(&mut self) -> Result<(i64, Option<i64>), Fault> {
        self.expect("[")?;
        let from = self.integer()?;
        self.expect(",")?;
        let to = self.integer()?;
        self.expect("]")?;
        Ok((from, Some(to)))
    }

    /// `a..b` after an operator of CTL.
    fn range_of_steps(&mut self) -> Result<(i64, Option<i64>), Fault> {
        let from = self.integer()?;
        self.expect("..")?;
        Ok((from, Some(self.integer()?)))
    }

    fn comparison(&mut self) -> Result<Expr, Fault> {
        self.left_associative(&["=", "!=", "<", ">", "<=", ">="], Self::membership)
    }

    fn membership(&mut self) -> Result<Expr, Fault> {
        self.left_associative(&["in"], Self::union)
    }

    fn union(&mut self) -> Result<Expr, Fault> {
        self.left_associative(&["union"], Self::range)
    }

    /// `n..m`, of literals.
    fn range(&mut self) -> Result<Expr, Fault> {
        let left = self.shift()?;
        if !self.at("..") {
            return Ok(left);
        }
        let place = left.place;
        self.step();
        let right = self.shift()?;
        Ok(apply("..", place, vec![left, right]))
    }

    pub(crate) fn shift(&mut self) -> Result<Expr, Fault> {
        if self.at("<<<") || self.at(">>>") {
            return Err(self.fault("rotations are not read"));
        }
        self.left_associative(&["<<", ">>"], Self::sum)
    }

    fn sum(&mut self) -> Result<Expr, Fault> {
        self.left_associative(&["+", "-"], Self::product)
    }

    fn product(&mut self) -> Result<Expr, Fault> {
        self.left_associative(&["*", "/", "mod"], Self::concatenation)
    }

    fn concatenation(&mut self) -> Result<Expr, Fault> {
        self.left_associative(&["::"], Self::unary)
    }

    fn unary(&mut self) -> Result<Expr, Fault> {
        let place = self.place();
        for mark in ["!", "-"] {
            if self.accept(mark) {
                let operand = self.nested(Self::unary)?;
                return Ok(match (mark, &operand.kind) {
                    ("-", ExprKind::Number(number)) => Expr::new(ExprKind::Number(-number), place),
                    _ => apply(mark, place, vec![operand]),
                });
            }
        }
        self.postfix()
    }

    fn postfix(&mut self) -> Result<Expr, Fault> {
        let mut expr = self.primary()?;
        let mut length = 0;
        loop {
            self.lengthen(&mut length)?;
            let place = expr.place;
            if self.accept(".") {
                let name = match self.peek(0).clone() {
                    Kind::Name(name) => name.into_string(),
                    Kind::Number(number) => number.to_string(),
                    Kind::Mark("self") => {
                        self.step();
                        continue;
                    }
                    _ => return Err(self.unexpected("a name after the dot")),
                };
                self.step();
                expr = Expr::new(ExprKind::Dot(Box::new(expr), name), place);
            } else if self.at("[") && self.takes_index(&expr) {
                self.step();
                let index = self.expression()?;
                expr = if self.accept(":") {
                    let low = self.expression()?;
                    Expr::new(ExprKind::Bits(Box::new(expr), Box::new(index), Box::new(low)), place)
                } else {
                    Expr::new(ExprKind::Index(Box::new(expr), Box::new(index)), place)
                };
                self.expect("]")?;
            } else {
                return Ok(expr);
            }
        }
    }

    fn takes_index(&self, expr: &Expr) -> bool {
        !matches!(expr.kind, ExprKind::Number(_) | ExprKind::Bool(_) | ExprKind::Set(_))
    }

    fn primary(&mut self) -> Result<Expr, Fault> {
        let place = self.place();
        let kind = match self.peek(0).clone() {
            Kind::Name(name) => ExprKind::Name(name.into_string()),
            Kind::Number(number) => ExprKind::Number(number),
            Kind::Word(word) => ExprKind::Word(word),
            Kind::Mark("TRUE") => ExprKind::Bool(true),
            Kind::Mark("FALSE") => ExprKind::Bool(false),
            Kind::Mark("self") => ExprKind::Myself,
            Kind::Mark("(") => {
                self.step();
                let inner = self.expression()?;
                self.expect(")")?;
                return Ok(inner);
            }
            Kind::Mark("next") => {
                self.step();
                self.expect("(")?;
                let inner = self.expression()?;
                self.expect(")")?;
                return Ok(Expr::new(ExprKind::Next(Box::new(inner)), place));
            }
            Kind::Mark("{") => {
                self.step();
                let members = self.list("}")?;
                return Ok(Expr::new(ExprKind::Set(members), place));
            }
            Kind::Mark("[") => {
                self.step();
                let members = self.list("]")?;
                return Ok(Expr::new(ExprKind::List(members), place));
            }
            Kind::Mark("case") => {
                self.step();
                return self.cases(place);
            }
            Kind::Mark(mark) if FUNCTIONS.contains(&mark) => {
                self.step();
                if mark == "READ" || mark == "WRITE" {
                    return Err(Fault::new(
                        crate::Stage::Syntax,
                        place,
                        format!("`{mark}` is not read: arrays without bounds are not finite"),
                    ));
                }
                self.expect("(")?;
                let operands = self.list(")")?;
                return Ok(apply(mark, place, operands));
            }
            _ => return Err(self.unexpected("an expression")),
        };
        self.step();
        Ok(Expr::new(kind, place))
    }

    /// Expressions with commas between them, up to and including the closing mark.
    fn list(&mut self, close: &'static str) -> Result<Vec<Expr>, Fault> {
        let mut members = vec![self.expression()?];
        while self.accept(",") {
            members.push(self.expression()?);
        }
        self.expect(close)?;
        Ok(members)
    }

    fn cases(&mut self, place: Place) -> Result<Expr, Fault> {
        let mut cases = Vec::new();
        while !self.accept("esac") {
            let guard = self.expression()?;
            self.expect(":")?;
            let value = self.expression()?;
            self.expect(";")?;
            cases.push((guard, value));
        }
        if cases.is_empty() {
            return Err(Fault::new(crate::Stage::Syntax, place, "a `case` needs a line `guard : value;`"));
        }
        Ok(Expr::new(ExprKind::Case(cases), place))
    }

    fn left_associative(
        &mut self,
        marks: &[&'static str],
        operand: fn(&mut Self) -> Result<Expr, Fault>,
    ) -> Result<Expr, Fault> {
        let mut left = operand(self)?;
        let mut length = 0;
        while let Some(mark) = marks.iter().find(|mark| self.at(mark)) {
            self.lengthen(&mut length)?;
            self.step();
            let right = operand(self)?;
            let place = left.place;
            left = apply(mark, place, vec![left, right]);
        }
        Ok(left)
    }

    /// One more operand of a chain: what reads it later recurses along it.
    fn lengthen(&self, length: &mut usize) -> Result<(), Fault> {
        *length += 1;
        if *length > LONGEST {
            return Err(self.fault(format!(
                "this expression has more than {LONGEST} operands: give parts of it names by `DEFINE`"
            )));
        }
        Ok(())
    }

    fn nested(&mut self, operand: fn(&mut Self) -> Result<Expr, Fault>) -> Result<Expr, Fault> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.fault("this expression is nested too deeply"));
        }
        let result = operand(self);
        self.depth -= 1;
        result
    }
}

fn apply(mark: &'static str, place: Place, operands: Vec<Expr>) -> Expr {
    Expr::new(ExprKind::Apply(mark, operands), place)
}

/// `p until! q`, and the weak `p until q`.
fn psl_until(left: Expr, right: Expr, strong: bool) -> Expr {
    let place = left.place;
    Expr::new(ExprKind::Temporal(if strong { "U" } else { "W" }, vec![left, right], None), place)
}
