//! Formulas of Event-B: predicates, expressions, assignments.
//!
//! A parser by precedence (Pratt 1973). Predicates and expressions are read by one table, as a parenthesis may begin
//! either; the type checker tells them apart. From the weakest: quantifiers; ⇒ ⇔; ∧ ∨; ¬; relations; ⦂; ↦; sets of
//! relations (↔ ⇸ → …); operators on sets and relations; ‥; + −; ∗ ÷ mod; ^; application, image and converse.
//!
//! Operators of a level need parentheses beside each other, but for those that Event-B lets stand together
//! ([`TOGETHER`]): `A ∪ B ∪ C` and `A ∩ B ∖ C`, but not `A ∪ B ∖ C`. Where classical B would take one reading, Event-B
//! has none, and neither has this parser. Quantifiers may stand behind an operator without parentheses and go on to the
//! end, as newer versions of Rodin have it.
//!
//! Source: Métayer and Voisin, *The Event-B Mathematical Language*, 2009, section 3.
//!
//! Left out: operators of the theory plug-in, predicate variables.

use super::super::ast::{Binder, Carrier, Expr, Kind, Name, Op};
use super::super::error::{Error, Pos, Res};
use super::super::values::Value;
use super::lexer::{Token, tokens};
use super::project::Action;
use super::terms;

/// How deep formulas may be nested.
const DEPTH: usize = 100;

/// Levels of precedence.
const PREDICATE: u8 = 1;
const IMPLIES: u8 = 2;
const JUNCTION: u8 = 3;
const NOT: u8 = 4;
const RELATION: u8 = 5;
const EXPRESSION: u8 = 6;
const PAIR: u8 = 7;
const ARROW: u8 = 8;
const SET: u8 = 9;
const INTERVAL: u8 = 10;
const SUM: u8 = 11;
const TERM: u8 = 12;
const POWER: u8 = 13;
const POSTFIX: u8 = 14;

/// Operators between two operands: level and meaning.
#[rustfmt::skip]
const BINARY: &[(&str, u8, Infix)] = &[
    ("=>", IMPLIES, Infix::Op(Op::Implies)), ("<=>", IMPLIES, Infix::Op(Op::Iff)),
    ("&", JUNCTION, Infix::Op(Op::And)), ("or", JUNCTION, Infix::Op(Op::Or)),
    ("=", RELATION, Infix::Op(Op::Equal)), ("/=", RELATION, Infix::Op(Op::Unequal)), (":", RELATION, Infix::Member),
    ("/:", RELATION, Infix::NoMember), ("<:", RELATION, Infix::Op(Op::Subset)),
    ("/<:", RELATION, Infix::Op(Op::NotSubset)), ("<<:", RELATION, Infix::Op(Op::StrictSubset)),
    ("/<<:", RELATION, Infix::Op(Op::NotStrictSubset)), ("<", RELATION, Infix::Op(Op::Less)),
    ("<=", RELATION, Infix::Op(Op::LessEqual)), (">", RELATION, Infix::Op(Op::Greater)),
    (">=", RELATION, Infix::Op(Op::GreaterEqual)),
    ("oftype", EXPRESSION, Infix::Typed),
    ("|->", PAIR, Infix::Op(Op::Couple)),
    ("<->", ARROW, Infix::Op(Op::Relations)), ("<<->", ARROW, Infix::Total), ("<->>", ARROW, Infix::Surjective),
    ("<<->>", ARROW, Infix::Both), ("+->", ARROW, Infix::Op(Op::PartialFunctions)),
    ("-->", ARROW, Infix::Op(Op::TotalFunctions)), (">+>", ARROW, Infix::Op(Op::PartialInjections)),
    (">->", ARROW, Infix::Op(Op::TotalInjections)), ("+->>", ARROW, Infix::Op(Op::PartialSurjections)),
    ("-->>", ARROW, Infix::Op(Op::TotalSurjections)), (">->>", ARROW, Infix::Op(Op::TotalBijections)),
    ("\\/", SET, Infix::Op(Op::Union)), ("/\\", SET, Infix::Op(Op::Intersection)), ("\\", SET, Infix::Op(Op::Difference)),
    ("**", SET, Infix::Op(Op::Product)), ("<+", SET, Infix::Op(Op::Override)), (";", SET, Infix::Op(Op::Compose)),
    ("circ", SET, Infix::Backward), ("||", SET, Infix::Op(Op::ParallelProduct)),
    ("><", SET, Infix::Op(Op::DirectProduct)), ("<|", SET, Infix::Op(Op::DomainRestrict)),
    ("<<|", SET, Infix::Op(Op::DomainSubtract)), ("|>", SET, Infix::Op(Op::RangeRestrict)),
    ("|>>", SET, Infix::Op(Op::RangeSubtract)),
    ("..", INTERVAL, Infix::Op(Op::Interval)),
    ("+", SUM, Infix::Op(Op::Add)), ("-", SUM, Infix::Op(Op::Subtract)),
    ("*", TERM, Infix::Op(Op::Multiply)), ("/", TERM, Infix::Op(Op::Divide)), ("mod", TERM, Infix::Op(Op::Modulo)),
    ("^", POWER, Infix::Op(Op::Power)),
];

/// Operators on sets and relations that may follow one another without parentheses.
#[rustfmt::skip]
const TOGETHER: &[(&str, &[&str])] = &[
    ("\\/", &["\\/"]), ("**", &["**"]), ("<+", &["<+"]), ("circ", &["circ"]), (";", &[";", "|>", "|>>"]),
    ("/\\", &["/\\", "\\", "|>", "|>>"]), ("<|", &["/\\", "\\", ";", "><", "|>", "|>>"]),
    ("<<|", &["/\\", "\\", ";", "><", "|>", "|>>"]),
];

/// Functions of the language with one argument.
#[rustfmt::skip]
const FUNCTIONS: &[(&str, Op)] = &[
    ("card", Op::Card), ("min", Op::Min), ("max", Op::Max), ("dom", Op::Domain), ("ran", Op::Range),
    ("union", Op::UnionAll), ("inter", Op::InterAll), ("POW", Op::PowerSet), ("POW1", Op::PowerSet1),
    ("bool", Op::ToBool),
];

/// The meaning of an operator between two operands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Infix {
    Op(Op),
    Member,
    NoMember,
    Typed,
    Backward,
    Total,
    Surjective,
    Both,
}

/// Bound variables, and the types of those that have one.
type Variables = (Vec<Name>, Vec<(Name, Expr)>);

/// A parser of one formula.
struct Parser {
    tokens: Vec<Token>,
    at: usize,
    pos: Pos,
    depth: usize,
}

/// A predicate or an expression that stands at a place.
///
/// # Errors
/// When it is none.
pub(super) fn formula(text: &str, pos: Pos, declared: &dyn Fn(&str) -> bool) -> Res<Expr> {
    let mut parser = Parser { tokens: tokens(text, pos, declared)?, at: 0, pos, depth: 0 };
    let found = parser.formula(PREDICATE)?;
    parser.end()?;
    Ok(found)
}

/// An assignment.
///
/// # Errors
/// When it is none.
pub(super) fn assignment(text: &str, pos: Pos, declared: &dyn Fn(&str) -> bool) -> Res<Action> {
    let mut parser = Parser { tokens: tokens(text, pos, declared)?, at: 0, pos, depth: 0 };
    let targets = parser.list()?;
    let found = match parser.advance() {
        Token::Symbol(":=") => Action::assign(pos, targets, parser.list()?)?,
        Token::Symbol("::") => Action::becomes_in(pos, targets, parser.formula(EXPRESSION)?)?,
        Token::Symbol(":|") => Action::becomes_such(pos, targets, parser.formula(PREDICATE)?)?,
        other => return Err(Error::syntax(pos, format!("expected ≔, :∈ or :∣, found {}", other.show()))),
    };
    parser.end()?;
    Ok(found)
}

impl Parser {
    fn token(&self) -> &Token {
        self.tokens.get(self.at).unwrap_or(&Token::End)
    }

    fn advance(&mut self) -> Token {
        let token = self.token().clone();
        self.at += 1;
        token
    }

    fn is(&self, symbol: &str) -> bool {
        matches!(self.token(), Token::Symbol(found) if *found == symbol)
    }

    fn eat(&mut self, symbol: &str) -> bool {
        let found = self.is(symbol);
        self.at += usize::from(found);
        found
    }

    fn need(&mut self, symbol: &str) -> Res<()> {
        if self.eat(symbol) { Ok(()) } else { self.expected(symbol) }
    }

    fn end(&mut self) -> Res<()> {
        if *self.token() == Token::End { Ok(()) } else { self.expected("the end") }
    }

    fn expected<T>(&self, what: &str) -> Res<T> {
        Err(Error::syntax(self.pos, format!("expected {what}, found {}", self.token().show())))
    }

    fn op(&self, op: Op, parts: Vec<Expr>) -> Expr {
        Expr::op(self.pos, op, parts)
    }

    /// Expressions between commas.
    fn list(&mut self) -> Res<Vec<Expr>> {
        let mut found = vec![self.formula(EXPRESSION)?];
        while self.eat(",") {
            found.push(self.formula(EXPRESSION)?);
        }
        Ok(found)
    }

    /// A formula of operators of this level and above.
    fn formula(&mut self, least: u8) -> Res<Expr> {
        if self.depth >= DEPTH {
            return Err(Error::refused(self.pos, format!("formulas are nested more than {DEPTH} deep")));
        }
        self.depth += 1;
        let found = self.operands(least);
        self.depth -= 1;
        found
    }

    fn operands(&mut self, least: u8) -> Res<Expr> {
        let mut left = self.operand()?;
        // The last operator of each level: what may follow it is limited.
        let mut last: [Option<&'static str>; POSTFIX as usize] = [None; POSTFIX as usize];
        let mut parts = 0;
        loop {
            let word = match self.token() {
                Token::Symbol(symbol) => *symbol,
                Token::Word(word) if &**word == "mod" => "mod",
                _ => return Ok(left),
            };
            let Some(&(symbol, level, infix)) = BINARY.iter().find(|(symbol, ..)| *symbol == word) else {
                return Ok(left);
            };
            if level < least {
                return Ok(left);
            }
            let before = last[level as usize].replace(symbol);
            if let Some(before) = before
                && !together(before, symbol, level)
            {
                return Err(Error::syntax(
                    self.pos,
                    format!("{before} and {symbol} need parentheses beside each other"),
                ));
            }
            // What binds more tightly is behind.
            last[level as usize + 1..].fill(None);
            self.at += 1;
            let right = self.formula(level + 1)?;
            // Long conjunctions and the like are one operator with many operands.
            parts = match &mut left.kind {
                Kind::Op(op, list) if level == JUNCTION && parts > 0 && Infix::Op(*op) == infix => {
                    list.push(right);
                    continue;
                }
                _ => parts + 1,
            };
            if parts > DEPTH {
                return Err(Error::refused(self.pos, format!("more than {DEPTH} operators beside each other")));
            }
            left = self.binary(infix, left, right);
        }
    }

    fn binary(&self, infix: Infix, left: Expr, right: Expr) -> Expr {
        let pos = self.pos;
        match infix {
            Infix::Op(op) => self.op(op, vec![left, right]),
            Infix::Member => terms::member(pos, left, right),
            Infix::NoMember => match terms::member(pos, left, right) {
                Expr { kind: Kind::Op(Op::In, parts), .. } => self.op(Op::NotIn, parts),
                other => self.op(Op::Not, vec![other]),
            },
            // Types are inferred; a type that is written says no more than that.
            Infix::Typed => left,
            Infix::Backward => self.op(Op::Compose, vec![right, left]),
            Infix::Total => terms::relations(pos, [left, right], true, false),
            Infix::Surjective => terms::relations(pos, [left, right], false, true),
            Infix::Both => terms::relations(pos, [left, right], true, true),
        }
    }

    /// An operand: what stands before it, and what stands behind it.
    fn operand(&mut self) -> Res<Expr> {
        let pos = self.pos;
        match self.token() {
            Token::Symbol("not") => {
                self.at += 1;
                let inner = self.formula(NOT)?;
                return Ok(self.op(Op::Not, vec![inner]));
            }
            Token::Symbol("-") => {
                self.at += 1;
                let inner = self.formula(TERM)?;
                return Ok(match inner.kind {
                    Kind::Literal(Value::Int(n)) => Expr::literal(pos, Value::Int(-n)),
                    _ => self.op(Op::Negate, vec![inner]),
                });
            }
            Token::Symbol("!") => return self.quantifier(Binder::Forall),
            Token::Symbol("#") => return self.quantifier(Binder::Exists),
            Token::Symbol("%") => return self.lambda(),
            Token::Symbol("UNION") => return self.quantified(Binder::Union),
            Token::Symbol("INTER") => return self.quantified(Binder::Inter),
            _ => {}
        }
        let mut found = self.primary()?;
        let mut parts = 0;
        loop {
            if self.eat("(") {
                let argument = self.formula(EXPRESSION)?;
                self.need(")")?;
                found = self.op(Op::Apply, vec![found, argument]);
            } else if self.eat("[") {
                let set = self.formula(EXPRESSION)?;
                self.need("]")?;
                found = self.op(Op::Image, vec![found, set]);
            } else if self.eat("~") {
                found = self.op(Op::Inverse, vec![found]);
            } else {
                return Ok(found);
            }
            parts += 1;
            if parts > DEPTH {
                return Err(Error::refused(pos, format!("more than {DEPTH} applications in a row")));
            }
        }
    }

    fn primary(&mut self) -> Res<Expr> {
        let pos = self.pos;
        let carrier = |carrier| Ok(Expr::new(pos, Kind::Carrier(carrier)));
        match self.advance() {
            Token::Number(number) => Ok(Expr::literal(pos, Value::Int(number))),
            Token::Symbol("(") => {
                let inner = self.formula(PREDICATE)?;
                self.need(")")?;
                Ok(inner)
            }
            Token::Symbol("btrue") => Ok(terms::truth(pos)),
            Token::Symbol("bfalse") => Ok(terms::falsity(pos)),
            Token::Symbol("{}") => Ok(terms::extension(pos, Vec::new())),
            Token::Symbol("{") => self.braces(),
            Token::Symbol("NAT") => carrier(Carrier::Natural),
            Token::Symbol("NAT1") => carrier(Carrier::Natural1),
            Token::Symbol("INT") => carrier(Carrier::Integer),
            Token::Symbol(word @ ("POW" | "POW1")) => self.function(word),
            Token::Word(word) => match &*word {
                "BOOL" => carrier(Carrier::Bool),
                "TRUE" => Ok(Expr::literal(pos, Value::Bool(true))),
                "FALSE" => Ok(Expr::literal(pos, Value::Bool(false))),
                "finite" => {
                    self.need("(")?;
                    let set = self.formula(EXPRESSION)?;
                    self.need(")")?;
                    Ok(terms::finite(pos, set))
                }
                "partition" => {
                    self.need("(")?;
                    let mut parts = self.list()?;
                    self.need(")")?;
                    let whole = parts.remove(0);
                    Ok(terms::partition(pos, whole, parts))
                }
                word if FUNCTIONS.iter().any(|(other, _)| *other == word) => self.function(word),
                _ => Ok(terms::function(pos, &word).unwrap_or_else(|| terms::name(pos, &word))),
            },
            _ => {
                self.at -= 1;
                self.expected("an expression or a predicate")
            }
        }
    }

    /// A function of the language, behind its name.
    fn function(&mut self, word: &str) -> Res<Expr> {
        let Some((_, op)) = FUNCTIONS.iter().find(|(other, _)| *other == word) else { return self.expected("a name") };
        self.need("(")?;
        let argument = self.formula(PREDICATE)?;
        self.need(")")?;
        Ok(self.op(*op, vec![argument]))
    }

    /// Behind `{`: a set by its elements, or by a condition.
    fn braces(&mut self) -> Res<Expr> {
        let pos = self.pos;
        if self.eat("}") {
            return Ok(terms::extension(pos, Vec::new()));
        }
        let begin = self.at;
        let items = self.list()?;
        if self.is(".") {
            self.at = begin;
            let (names, types) = self.bound()?;
            self.need(".")?;
            let such = self.formula(PREDICATE)?;
            self.need("|")?;
            let value = self.formula(EXPRESSION)?;
            self.need("}")?;
            return Ok(terms::comprehension(pos, &names, terms::typed(pos, &types, such, Op::And), value));
        }
        if self.eat("|") {
            let such = self.formula(PREDICATE)?;
            self.need("}")?;
            // {x, y ∣ P} is none of Event-B's forms, but Rodin has taken it for {x ↦ y ∣ P}.
            let pair = |left, right| self.op(Op::Couple, vec![left, right]);
            let Some(value) = items.into_iter().reduce(pair) else { return self.expected("an expression") };
            let mut names = Vec::new();
            terms::free(&value, &mut names);
            return Ok(terms::comprehension(pos, &names, such, value));
        }
        self.need("}")?;
        Ok(terms::extension(pos, items))
    }

    /// Names, perhaps with their types, between commas.
    fn bound(&mut self) -> Res<Variables> {
        let (mut names, mut types) = (Vec::new(), Vec::new());
        loop {
            let Token::Word(name) = self.token().clone() else { return self.expected("the name of a variable") };
            self.at += 1;
            if names.contains(&name) {
                return Err(Error::syntax(self.pos, format!("{name} is bound twice")));
            }
            if self.eat("oftype") {
                types.push((name.clone(), self.formula(ARROW)?));
            }
            names.push(name);
            if !self.eat(",") {
                return Ok((names, types));
            }
        }
    }

    /// `∀ x, y · P`
    fn quantifier(&mut self, binder: Binder) -> Res<Expr> {
        self.at += 1;
        // Classical B has parentheses around the names.
        let around = self.eat("(");
        let (names, types) = self.bound()?;
        if around {
            self.need(")")?;
        }
        self.need(".")?;
        let body = self.formula(PREDICATE)?;
        let under = if binder == Binder::Forall { Op::Implies } else { Op::And };
        let body = terms::typed(self.pos, &types, body, under);
        Ok(Expr::new(self.pos, Kind::Binder(binder, terms::bound(&names), vec![body])))
    }

    /// `λ x ↦ y · P ∣ E`
    fn lambda(&mut self) -> Res<Expr> {
        self.at += 1;
        let mut types = Vec::new();
        let pattern = self.pattern(&mut types)?;
        self.need(".")?;
        let such = self.formula(PREDICATE)?;
        self.need("|")?;
        let value = self.formula(EXPRESSION)?;
        let mut names = Vec::new();
        terms::free(&pattern, &mut names);
        if names.len() != leaves(&pattern) {
            return Err(Error::syntax(self.pos, "a variable is bound twice".into()));
        }
        Ok(terms::lambda(self.pos, pattern, terms::typed(self.pos, &types, such, Op::And), value))
    }

    /// Names in pairs.
    fn pattern(&mut self, types: &mut Vec<(Name, Expr)>) -> Res<Expr> {
        let mut found: Option<Expr> = None;
        loop {
            let part = if self.eat("(") {
                if self.depth >= DEPTH {
                    return Err(Error::refused(self.pos, format!("patterns are nested more than {DEPTH} deep")));
                }
                self.depth += 1;
                let inner = self.pattern(types);
                self.depth -= 1;
                self.need(")")?;
                inner?
            } else {
                let Token::Word(name) = self.token().clone() else { return self.expected("the name of a variable") };
                self.at += 1;
                if self.eat("oftype") {
                    types.push((name.clone(), self.formula(ARROW)?));
                }
                terms::name(self.pos, &name)
            };
            found = Some(match found {
                Some(left) => self.op(Op::Couple, vec![left, part]),
                None => part,
            });
            if !self.eat("|->") {
                break;
            }
        }
        found.map_or_else(|| self.expected("the name of a variable"), Ok)
    }

    /// `⋃ x · P ∣ E`, `⋃ E ∣ P`
    fn quantified(&mut self, binder: Binder) -> Res<Expr> {
        self.at += 1;
        let begin = self.at;
        let mut items = self.list()?;
        let (names, such, value) = if self.is(".") {
            self.at = begin;
            let (names, types) = self.bound()?;
            self.need(".")?;
            let such = self.formula(PREDICATE)?;
            self.need("|")?;
            (names, terms::typed(self.pos, &types, such, Op::And), self.formula(EXPRESSION)?)
        } else {
            if items.len() > 1 {
                return self.expected("one expression before ∣, or names and ·");
            }
            self.need("|")?;
            let value = items.swap_remove(0);
            let mut names = Vec::new();
            terms::free(&value, &mut names);
            (names, self.formula(PREDICATE)?, value)
        };
        Ok(Expr::new(self.pos, Kind::Binder(binder, terms::bound(&names), vec![such, value])))
    }
}

/// May two operators of a level follow one another?
fn together(before: &str, next: &str, level: u8) -> bool {
    match level {
        JUNCTION => before == next,
        SET => TOGETHER.iter().any(|(first, others)| *first == before && others.contains(&next)),
        PAIR | SUM | TERM => true,
        // Of arrows in a row readers differ: each takes its parentheses.
        _ => false,
    }
}

/// How many names a pattern has.
fn leaves(pattern: &Expr) -> usize {
    match &pattern.kind {
        Kind::Op(_, parts) => parts.iter().map(leaves).sum(),
        _ => 1,
    }
}
