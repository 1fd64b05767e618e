//! From tokens to the syntax tree: recursive descent, and precedence climbing for expressions.
//!
//! The grammar is that of DiVinE 2, a little more generous: declarations may come in any order, a size may be a
//! constant expression, `!` may stand for `not`. What DiVinE 2 has beyond plain models (probabilistic transitions,
//! synchronous systems, acceptance other than Büchi's) is refused by name.
//!
//! Operators bind as in C. DiVinE's own grammar has `and` and `or` on one level, and `&`, `|`, `^` on one; the
//! compiler from DVE to C prints trees without the parentheses that this would need, so that models which depend on
//! the difference have no one meaning. None of the benchmark does.
//!
//! The depth of expressions is bounded ([`DEEPEST`]), parentheses and long chains alike, as everything that follows
//! recurses over them.

use super::super::source::{Fault, Place};
use super::ast::{
    Assignment, Binary, ChannelDeclaration, Expression, Model, Name, Node, ProcessDeclaration, Synchronisation,
    TransitionDeclaration, Type, Unary, VariableDeclaration,
};
use super::lexer::{Kind, Token, tokens};

/// The deepest expression that is accepted.
pub(super) const DEEPEST: u32 = 500;

/// Words that cannot be names.
const WORDS: [&str; 19] = [
    "const", "byte", "int", "channel", "process", "state", "init", "accept", "commit", "assert", "trans", "guard",
    "sync", "effect", "system", "async", "property", "true", "false",
];

/// Read a model.
///
/// # Errors
/// At the first token that does not fit.
pub(super) fn parse(text: &str) -> Result<Model, Fault> {
    let tokens = tokens(text)?;
    let mut parser = Parser { text, tokens: &tokens, at: 0, nesting: 0 };
    parser.model()
}

struct Parser<'a> {
    text: &'a str,
    tokens: &'a [Token<'a>],
    /// The token that comes next. The last one is never passed.
    at: usize,
    /// How many expressions are open.
    nesting: u32,
}

impl<'a> Parser<'a> {
    fn peek(&self) -> Token<'a> {
        self.tokens[self.at]
    }

    fn step(&mut self) -> Token<'a> {
        let token = self.peek();
        if token.kind != Kind::End {
            self.at += 1;
        }
        token
    }

    /// Is this what comes next?
    fn sees(&self, text: &str) -> bool {
        matches!(self.peek().kind, Kind::Name(found) | Kind::Mark(found) if found == text)
    }

    /// Pass this token if it comes next.
    fn takes(&mut self, text: &str) -> bool {
        let found = self.sees(text);
        if found {
            self.step();
        }
        found
    }

    fn expect(&mut self, text: &str) -> Result<(), Fault> {
        if self.takes(text) { Ok(()) } else { Err(self.unexpected(&format!("`{text}`"))) }
    }

    fn unexpected(&self, wanted: &str) -> Fault {
        let token = self.peek();
        Fault::new(token.place, format!("expected {wanted}, found {}", token.kind.quoted()))
    }

    /// A name.
    fn name(&mut self, what: &str) -> Result<Name, Fault> {
        let token = self.peek();
        match token.kind {
            Kind::Name(text) if WORDS.contains(&text) => Err(Fault::new(
                token.place,
                format!("expected {what}, found `{text}`, a word of the language: use another name"),
            )),
            Kind::Name(text) => {
                self.step();
                Ok(Name { text: text.to_owned(), place: token.place })
            }
            _ => Err(self.unexpected(what)),
        }
    }

    /// One or more of them, with commas, up to a semicolon.
    fn list<T>(&mut self, mut one: impl FnMut(&mut Self) -> Result<T, Fault>) -> Result<Vec<T>, Fault> {
        let mut all = vec![one(self)?];
        while self.takes(",") {
            all.push(one(self)?);
        }
        if self.takes(";") { Ok(all) } else { Err(self.unexpected("`,` or `;`")) }
    }

    fn model(&mut self) -> Result<Model, Fault> {
        let mut model = Model::default();
        loop {
            if self.takes("channel") {
                self.channels(&mut model.channels)?;
            } else if self.takes("process") {
                model.processes.push(self.process()?);
            } else if self.takes("system") {
                model.property = self.system()?;
                if self.peek().kind != Kind::End {
                    return Err(self.unexpected("the end of the file after `system`"));
                }
                return Ok(model);
            } else if !self.variables(&mut model.variables)? {
                return Err(self.unexpected("a declaration, `process` or `system`"));
            }
        }
    }

    /// The part after `system`.
    fn system(&mut self) -> Result<Option<Name>, Fault> {
        if self.sees("sync") {
            return Err(Fault::new(self.peek().place, "synchronous systems are not supported: use `system async`"));
        }
        self.expect("async")?;
        let property = if self.takes("property") { Some(self.name("the name of a process")?) } else { None };
        self.expect(";")?;
        Ok(property)
    }

    fn type_name(&mut self) -> Result<Type, Fault> {
        if self.takes("byte") {
            Ok(Type::Byte)
        } else if self.takes("int") {
            Ok(Type::Int)
        } else {
            Err(self.unexpected("`byte` or `int`"))
        }
    }

    /// Declarations of variables, if some come next.
    fn variables(&mut self, variables: &mut Vec<VariableDeclaration>) -> Result<bool, Fault> {
        let constant = self.takes("const");
        if !constant && !self.sees("byte") && !self.sees("int") {
            return Ok(false);
        }
        let kind = self.type_name()?;
        variables.extend(self.list(|parser| {
            let name = parser.name("the name of a variable")?;
            let size = if parser.takes("[") {
                let size = parser.expression()?;
                parser.expect("]")?;
                Some(size)
            } else {
                None
            };
            let (mut initial, mut braces) = (Vec::new(), false);
            if parser.takes("=") {
                braces = parser.takes("{");
                initial.push(parser.expression()?);
                while braces && parser.takes(",") {
                    initial.push(parser.expression()?);
                }
                if braces {
                    parser.expect("}")?;
                }
            }
            Ok(VariableDeclaration { name, kind, constant, size, initial, braces })
        })?);
        Ok(true)
    }

    /// The part after `channel`.
    fn channels(&mut self, channels: &mut Vec<ChannelDeclaration>) -> Result<(), Fault> {
        let mut types = None;
        if self.takes("{") {
            let mut all = vec![self.type_name()?];
            while self.takes(",") {
                all.push(self.type_name()?);
            }
            self.expect("}")?;
            types = Some(all);
        }
        channels.extend(self.list(|parser| {
            let name = parser.name("the name of a channel")?;
            let mut capacity = 0;
            if types.is_some() {
                parser.expect("[")?;
                let token = parser.step();
                capacity = match token.kind {
                    Kind::Number(number) => number.unsigned_abs(),
                    kind => {
                        let message = format!("expected the capacity of the channel, found {}", kind.quoted());
                        return Err(Fault::new(token.place, message));
                    }
                };
                if capacity > 4096 {
                    return Err(Fault::new(token.place, "the channel is too large: use a capacity up to 4096"));
                }
                parser.expect("]")?;
            }
            Ok(ChannelDeclaration { name, types: types.clone(), capacity })
        })?);
        Ok(())
    }

    /// The part after `process`.
    fn process(&mut self) -> Result<ProcessDeclaration, Fault> {
        let mut process = ProcessDeclaration {
            name: self.name("the name of a process")?,
            variables: Vec::new(),
            states: Vec::new(),
            initial: None,
            accepting: Vec::new(),
            committed: Vec::new(),
            assertions: Vec::new(),
            transitions: Vec::new(),
        };
        self.expect("{")?;
        while !self.takes("}") {
            let place = self.peek().place;
            if self.takes("state") {
                process.states.extend(self.list(|parser| parser.name("the name of a state"))?);
            } else if self.takes("init") {
                if process.initial.is_some() {
                    return Err(Fault::new(place, "a second `init`: a process has one initial state"));
                }
                process.initial = Some(self.name("the name of a state")?);
                self.expect(";")?;
            } else if self.takes("accept") {
                for other in ["genbuchi", "muller", "rabin", "streett"] {
                    if self.sees(other) {
                        let message = format!("`accept {other}` is not supported: use a Büchi automaton");
                        return Err(Fault::new(self.peek().place, message));
                    }
                }
                self.takes("buchi");
                process.accepting.extend(self.list(|parser| parser.name("the name of a state"))?);
            } else if self.takes("commit") {
                process.committed.extend(self.list(|parser| parser.name("the name of a state"))?);
            } else if self.takes("assert") {
                process.assertions.extend(self.list(|parser| {
                    let state = parser.name("the name of a state")?;
                    parser.expect(":")?;
                    Ok((state, parser.expression()?))
                })?);
            } else if self.takes("trans") {
                self.transitions(&mut process.transitions)?;
            } else if !self.variables(&mut process.variables)? {
                return Err(self.unexpected("a part of a process (a variable, `state`, `init`, `trans`, …) or `}`"));
            }
        }
        Ok(process)
    }

    /// The part after `trans`. A transition without a source has that of the one before.
    fn transitions(&mut self, transitions: &mut Vec<TransitionDeclaration>) -> Result<(), Fault> {
        let mut source: Option<Name> = None;
        transitions.extend(self.list(|parser| {
            let from = match &source {
                Some(source) if parser.sees("->") => source.clone(),
                _ => parser.name("the name of a state")?,
            };
            source = Some(from.clone());
            if parser.sees("=>") {
                return Err(Fault::new(parser.peek().place, "probabilistic transitions are not supported: use `->`"));
            }
            parser.expect("->")?;
            let to = parser.name("the name of a state")?;
            parser.expect("{")?;
            let (mut guard, mut synchronisation, mut effects) = (None, None, Vec::new());
            if parser.takes("guard") {
                guard = Some(parser.expression()?);
                parser.expect(";")?;
            }
            if parser.takes("sync") {
                synchronisation = Some(parser.synchronisation()?);
                parser.expect(";")?;
            }
            if parser.takes("effect") {
                effects = parser.list(|parser| {
                    let target = parser.expression()?;
                    parser.expect("=")?;
                    Ok(Assignment { target, value: parser.expression()? })
                })?;
            }
            if !parser.takes("}") {
                return Err(parser.unexpected("`guard`, `sync`, `effect` (in this order) or `}`"));
            }
            Ok(TransitionDeclaration { from, to, guard, synchronisation, effects })
        })?);
        Ok(())
    }

    /// The part after `sync`.
    fn synchronisation(&mut self) -> Result<Synchronisation, Fault> {
        let start = self.peek().span.0;
        let channel = self.name("the name of a channel")?;
        let sends = self.takes("!");
        if !sends && !self.takes("?") {
            return Err(self.unexpected("`!` or `?`"));
        }
        let mut values = Vec::new();
        if self.takes("{") {
            values.push(self.expression()?);
            while self.takes(",") {
                values.push(self.expression()?);
            }
            self.expect("}")?;
        } else if !self.sees(";") {
            values.push(self.expression()?);
        }
        Ok(Synchronisation { channel, sends, values, text: plain(self.since(start)) })
    }

    /// The text from here to the token that was passed last.
    fn since(&self, start: usize) -> &'a str {
        let end = if self.at == 0 { start } else { self.tokens[self.at - 1].span.1 };
        self.text.get(start..end).unwrap_or_default()
    }

    fn expression(&mut self) -> Result<Expression, Fault> {
        self.binary(1)
    }

    /// An expression whose operators bind at least so strongly.
    fn binary(&mut self, weakest: u32) -> Result<Expression, Fault> {
        let place = self.peek().place;
        if self.nesting >= DEEPEST {
            return Err(too_deep(place));
        }
        self.nesting += 1;
        let mut left = self.unary()?;
        while let Kind::Mark(mark) = self.peek().kind {
            let Some((operator, strength)) = Binary::of_mark(mark).filter(|(_, strength)| *strength >= weakest) else {
                break;
            };
            self.step();
            let right = self.binary(strength + 1)?;
            let depth = 1 + left.depth.max(right.depth);
            let span = (left.span.0, right.span.1);
            left = node(Node::Binary(operator, Box::new((left, right))), place, depth, span)?;
        }
        self.nesting -= 1;
        Ok(left)
    }

    fn unary(&mut self) -> Result<Expression, Fault> {
        let token = self.peek();
        let operator = match token.kind {
            Kind::Mark("-") => Unary::Negate,
            Kind::Mark("~") => Unary::Complement,
            Kind::Mark("not" | "!") => Unary::Not,
            _ => return self.primary(),
        };
        self.step();
        if self.nesting >= DEEPEST {
            return Err(too_deep(token.place));
        }
        self.nesting += 1;
        let operand = self.unary()?;
        self.nesting -= 1;
        let (depth, span) = (operand.depth + 1, (token.span.0, operand.span.1));
        node(Node::Unary(operator, Box::new(operand)), token.place, depth, span)
    }

    fn primary(&mut self) -> Result<Expression, Fault> {
        let token = self.peek();
        let (place, start) = (token.place, token.span.0);
        match token.kind {
            Kind::Number(number) => {
                self.step();
                node(Node::Number(number), place, 1, token.span)
            }
            Kind::Name(word @ ("true" | "false")) => {
                self.step();
                node(Node::Number(i32::from(word == "true")), place, 1, token.span)
            }
            Kind::Mark("(") => {
                self.step();
                let mut inner = self.expression()?;
                inner.span = (start, self.peek().span.1);
                self.expect(")")?;
                Ok(inner)
            }
            _ => {
                let first = self.name("an expression")?;
                if self.takes(".") {
                    let state = self.name("the name of a state")?;
                    let span = (start, start + self.since(start).len());
                    return node(Node::InState { process: first, state }, place, 1, span);
                }
                let (process, name) =
                    if self.takes("->") { (Some(first), self.name("the name of a variable")?) } else { (None, first) };
                let (mut index, mut depth) = (None, 1);
                if self.takes("[") {
                    let inner = self.expression()?;
                    depth += inner.depth;
                    index = Some(Box::new(inner));
                    self.expect("]")?;
                }
                let span = (start, start + self.since(start).len());
                node(Node::Variable { process, name, index }, place, depth, span)
            }
        }
    }
}

fn node(node: Node, place: Place, depth: u32, span: (usize, usize)) -> Result<Expression, Fault> {
    if depth > DEEPEST { Err(too_deep(place)) } else { Ok(Expression { node, place, depth, span }) }
}

fn too_deep(place: Place) -> Fault {
    Fault::new(place, format!("this expression is nested deeper than {DEEPEST}: split it"))
}

/// A piece of the text on one line, without needless blanks.
pub(super) fn plain(text: &str) -> String {
    text.lines()
        .map(|line| line.split("//").next().unwrap_or_default())
        .flat_map(str::split_whitespace)
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expression(text: &str) -> Result<Expression, Fault> {
        let tokens = tokens(text)?;
        Parser { text, tokens: &tokens, at: 0, nesting: 0 }.expression()
    }

    /// With all parentheses.
    fn shape(expression: &Expression) -> String {
        match &expression.node {
            Node::Number(number) => number.to_string(),
            Node::Variable { name, .. } => name.text.clone(),
            Node::InState { process, state } => format!("{}.{}", process.text, state.text),
            Node::Unary(operator, operand) => format!("{operator:?}({})", shape(operand)),
            Node::Binary(operator, sides) => format!("({} {operator:?} {})", shape(&sides.0), shape(&sides.1)),
        }
    }

    fn check(text: &str, expected: &str) {
        assert_eq!(expression(text).map(|found| shape(&found)), Ok(expected.to_owned()), "{text}");
    }

    #[test]
    fn precedence_is_that_of_c() {
        check("a || b && c", "(a Or (b And c))");
        check("a imply b or c", "(a Imply (b Or c))");
        check("not a == b", "(Not(a) Equal b)");
        check("1 - 2 - 3", "((1 Subtract 2) Subtract 3)");
        check("a + 1 << 2 < b & c", "((((a Add 1) ShiftLeft 2) Less b) BitAnd c)");
        check("- a % 3", "(Negate(a) Remainder 3)");
        check("not P.q and x", "(Not(P.q) And x)");
    }

    #[test]
    fn depth_is_bounded() {
        for text in ["(".repeat(100_000), "-".repeat(100_000), "a[".repeat(100_000), "1+".repeat(100_000) + "1"] {
            let message = expression(&text).err().map(|fault| fault.message).unwrap_or_default();
            assert!(message.contains("nested deeper"), "{message}");
        }
    }

    #[test]
    fn messages_say_what_was_expected() {
        for (text, expected) in [
            ("process P { state q; init q; trans q -> q { effect x = 1; guard y; }; }", "in this order"),
            ("system sync;", "synchronous"),
            ("byte process;", "a word of the language"),
            ("process P { state q", "`,` or `;`"),
            ("channel {byte} c;", "expected `[`"),
            ("byte a; system async; byte b;", "the end of the file"),
            ("", "a declaration"),
        ] {
            let message = parse(text).err().map(|fault| fault.message).unwrap_or_default();
            assert!(message.contains(expected), "{text}: {message}");
        }
    }

    #[test]
    fn a_source_may_be_left_out() {
        let text = "process P { state a, b; init a; trans a -> b {}, -> a {}, b -> a {}; } system async;";
        let sources: Vec<_> = parse(text)
            .map(|model| model.processes[0].transitions.iter().map(|step| step.from.text.clone()).collect())
            .unwrap_or_default();
        assert_eq!(sources, ["a", "a", "b"]);
    }
}
