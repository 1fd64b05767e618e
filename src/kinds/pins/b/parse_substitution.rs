//! Substitutions.
//!
//! `;` and `||` have the same strength and go to the left. A substitution that begins with no keyword is an assignment
//! (`:=`, `::`, `: (P)`), a call, or a macro; which one shows behind its first formula.

use super::ast::{Expr, Kind, Op, Sub, SubKind};
use super::definitions::Body;
use super::error::{Error, Pos, Res};
use super::lexer::Token;
use super::parser::Parser;

impl Parser<'_> {
    /// A substitution. Behind an operation `;` separates it from the next one: then `sequence` is false.
    pub(super) fn substitution(&mut self, sequence: bool) -> Res<Sub> {
        self.deeper(|parser| {
            let mut left = parser.single()?;
            loop {
                let pos = parser.pos();
                let parallel = parser.is("||");
                let goes_on = parallel || (sequence && parser.is(";"));
                if !goes_on {
                    return Ok(left);
                }
                parser.advance();
                if !parallel && (parser.is_word("END") || *parser.token() == Token::End) {
                    // Some machines have a `;` too many.
                    return Ok(left);
                }
                let right = parser.single()?;
                left = match (left.kind, parallel) {
                    (SubKind::Parallel(mut parts), true) => {
                        parts.push(right);
                        Sub::new(left.pos, SubKind::Parallel(parts))
                    }
                    (SubKind::Sequence(mut parts), false) => {
                        parts.push(right);
                        Sub::new(left.pos, SubKind::Sequence(parts))
                    }
                    (kind, true) => Sub::new(pos, SubKind::Parallel(vec![Sub::new(left.pos, kind), right])),
                    (kind, false) => Sub::new(pos, SubKind::Sequence(vec![Sub::new(left.pos, kind), right])),
                };
            }
        })
    }

    /// Behind THEN: a substitution up to END.
    fn until_end(&mut self) -> Res<Sub> {
        let body = self.substitution(true)?;
        self.need_word("END")?;
        Ok(body)
    }

    /// A substitution without `;` or `||`.
    fn single(&mut self) -> Res<Sub> {
        let pos = self.pos();
        let Token::Word(word) = self.token().clone() else {
            if self.eat("(") {
                let body = self.substitution(true)?;
                self.need(")")?;
                return Ok(body);
            }
            return self.expected("a substitution");
        };
        let kind = match &*word {
            "skip" => {
                self.advance();
                SubKind::Skip
            }
            "BEGIN" => {
                self.advance();
                return self.until_end();
            }
            "PRE" | "ASSERT" => {
                self.advance();
                let guard = self.predicate()?;
                self.need_word("THEN")?;
                let body = Box::new(self.until_end()?);
                if &*word == "PRE" { SubKind::Pre(guard, body) } else { SubKind::Assert(guard, body) }
            }
            "SELECT" | "IF" => {
                self.advance();
                self.cases(&word)?
            }
            "CHOICE" => {
                self.advance();
                let mut parts = vec![self.substitution(true)?];
                while self.eat_word("OR") {
                    parts.push(self.substitution(true)?);
                }
                self.need_word("END")?;
                SubKind::Choice(parts)
            }
            "CASE" => {
                self.advance();
                self.case()?
            }
            "ANY" => {
                self.advance();
                let bound = self.bound()?;
                self.need_word("WHERE")?;
                let guard = self.predicate()?;
                self.need_word("THEN")?;
                SubKind::Any(bound, guard, Box::new(self.until_end()?))
            }
            "LET" => {
                self.advance();
                let bound = self.bound()?;
                self.need_word("BE")?;
                let guard = self.predicate()?;
                self.need_word("IN")?;
                SubKind::Any(bound, guard, Box::new(self.until_end()?))
            }
            "VAR" => {
                self.advance();
                let bound = self.bound()?;
                self.need_word("IN")?;
                SubKind::Var(bound, Box::new(self.until_end()?))
            }
            "WHILE" => {
                self.advance();
                let condition = self.predicate()?;
                self.need_word("DO")?;
                let body = self.substitution(true)?;
                // INVARIANT and VARIANT in either order.
                while !self.is_word("END") {
                    if self.eat_word("INVARIANT") {
                        self.predicate()?;
                    } else {
                        self.need_word("VARIANT")?;
                        self.whole(30)?;
                    }
                }
                self.advance();
                SubKind::While(condition, Box::new(body))
            }
            _ => return self.assignment(pos),
        };
        Ok(Sub::new(pos, kind))
    }

    /// Behind SELECT or IF.
    fn cases(&mut self, word: &str) -> Res<SubKind> {
        let (select, next) = if word == "SELECT" { (true, "WHEN") } else { (false, "ELSIF") };
        let mut cases = Vec::new();
        loop {
            let guard = self.predicate()?;
            self.need_word("THEN")?;
            cases.push((guard, self.substitution(true)?));
            if !self.eat_word(next) {
                break;
            }
        }
        let other = if self.eat_word("ELSE") { Some(Box::new(self.substitution(true)?)) } else { None };
        self.need_word("END")?;
        Ok(if select { SubKind::Select(cases, other) } else { SubKind::If(cases, other) })
    }

    /// Behind CASE.
    fn case(&mut self) -> Res<SubKind> {
        let subject = self.whole(30)?;
        self.need_word("OF")?;
        self.need_word("EITHER")?;
        let mut cases = Vec::new();
        loop {
            let mut values = vec![self.item(116)?];
            while self.eat(",") {
                values.push(self.item(116)?);
            }
            self.need_word("THEN")?;
            cases.push((values, self.substitution(true)?));
            if !self.eat_word("OR") {
                break;
            }
        }
        let other = if self.eat_word("ELSE") { Some(Box::new(self.substitution(true)?)) } else { None };
        self.need_word("END")?;
        self.need_word("END")?;
        Ok(SubKind::Case(subject, cases, other))
    }

    /// An assignment, a call or a macro.
    fn assignment(&mut self, pos: Pos) -> Res<Sub> {
        if let Some(sub) = self.macro_substitution(pos)? {
            return Ok(sub);
        }
        let mut left = vec![self.item(116)?];
        while self.eat(",") {
            left.push(self.item(116)?);
        }
        let kind = if self.eat(":=") {
            let mut right = vec![self.item(30)?];
            while self.eat(",") {
                right.push(self.item(30)?);
            }
            if right.len() != left.len() {
                let (left, right) = (left.len(), right.len());
                return Err(Error::syntax(pos, format!("{right} values for {left} variables")));
            }
            SubKind::Assign(left, right)
        } else if self.eat("::") {
            SubKind::BecomesIn(left, self.whole(30)?)
        } else if self.is(":") && *self.ahead(1) == Token::Symbol("(") {
            self.advance();
            self.advance();
            let such = self.predicate()?;
            self.need(")")?;
            SubKind::BecomesSuch(left, Vec::new(), such)
        } else if self.eat("<--") {
            let call = self.item(116)?;
            let (name, inputs) = call_parts(call)?;
            SubKind::Call(name, inputs, left)
        } else if left.len() == 1 {
            let (name, inputs) = call_parts(left.swap_remove(0))?;
            SubKind::Call(name, inputs, Vec::new())
        } else {
            return self.expected(":=, ::, :( or <--");
        };
        Ok(Sub::new(pos, kind))
    }

    /// A macro that is a substitution, if it is next.
    fn macro_substitution(&mut self, pos: Pos) -> Res<Option<Sub>> {
        let Token::Word(word) = self.token().clone() else { return Ok(None) };
        let Some(definition) = self.definitions.table.get(&word) else { return Ok(None) };
        let start = self.at;
        self.advance();
        let arguments = match definition.parameters.len() {
            0 => Vec::new(),
            _ => {
                self.need("(")?;
                self.list_until(")")?
            }
        };
        match self.expand(&word, arguments, pos)? {
            Body::Substitution(sub) => Ok(Some(sub)),
            Body::Formula(expr) => {
                // A name alone or applied may be a call of an operation, if nothing like := follows.
                let follows = matches!(self.token(), Token::Symbol(":=" | "::" | ":" | "<--" | "," | "(" | "'"));
                if !follows && call_parts(expr.clone()).is_ok() {
                    let (name, inputs) = call_parts(expr)?;
                    return Ok(Some(Sub::new(pos, SubKind::Call(name, inputs, Vec::new()))));
                }
                self.at = start;
                Ok(None)
            }
        }
    }
}

/// The operation and the inputs of a call.
fn call_parts(expr: Expr) -> Res<(super::ast::Name, Vec<Expr>)> {
    let pos = expr.pos;
    match expr.kind {
        Kind::Name(name) => Ok((name, Vec::new())),
        Kind::Op(Op::Apply, mut parts) if matches!(parts[0].kind, Kind::Name(_)) => {
            let argument = parts.pop();
            let Some(Expr { kind: Kind::Name(name), .. }) = parts.pop() else {
                return Err(Error::syntax(pos, "this is no substitution".into()));
            };
            let mut inputs = Vec::new();
            let mut rest = argument;
            while let Some(expr) = rest {
                match expr.kind {
                    // The arguments of a call were parsed as a nest of pairs.
                    Kind::Op(Op::Couple, mut pair) if pair.len() == 2 => {
                        inputs.extend(pair.pop());
                        rest = pair.pop();
                    }
                    _ => {
                        inputs.push(expr);
                        rest = None;
                    }
                }
            }
            inputs.reverse();
            Ok((name, inputs))
        }
        _ => Err(Error::syntax(pos, "this is no substitution".into())),
    }
}
