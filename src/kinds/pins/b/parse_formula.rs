//! Formulas: operator precedence.
//!
//! B gives each operator a number (Abrial 1996, appendix; ProB's grammar agrees but for what it lets pass): `=>` 30,
//! `&` and `or` 40 (the same, to the left), `<=>` 60, comparisons above it, the comma of pairs 115, arrows 125, most
//! operators on relations and sequences 160, `..` 170, sums 180, products 190, powers 200 (to the right). `;` and `||`
//! are operators on relations inside parentheses only. Long conjunctions and disjunctions become one node, so that a
//! tree is never deeper than its text is nested.

use super::ast::{Binder, Carrier, Expr, Kind, Op};
use super::definitions::Body;
use super::error::{Error, Pos, Res};
use super::lexer::Token;
use super::parser::{Parser, is_keyword};
use super::values::Value;

/// Longest chain of one operator that builds a deep tree.
const CHAIN: usize = 250;

/// The precedence and the operator of an infix symbol or word.
fn infix(token: &Token) -> Option<(u32, Op)> {
    let text = match token {
        Token::Symbol(symbol) => *symbol,
        Token::Word(word) => match &**word {
            "or" => "or",
            "mod" => "mod",
            _ => return None,
        },
        _ => return None,
    };
    Some(match text {
        ";" => (20, Op::Compose),
        "||" => (20, Op::ParallelProduct),
        "=>" => (30, Op::Implies),
        "&" => (40, Op::And),
        "or" => (40, Op::Or),
        "<=>" => (60, Op::Iff),
        "=" => (70, Op::Equal),
        "/=" => (70, Op::Unequal),
        ":" => (70, Op::In),
        "/:" => (70, Op::NotIn),
        "<:" => (70, Op::Subset),
        "/<:" => (70, Op::NotSubset),
        "<<:" => (70, Op::StrictSubset),
        "/<<:" => (70, Op::NotStrictSubset),
        "<" => (70, Op::Less),
        "<=" => (70, Op::LessEqual),
        ">" => (70, Op::Greater),
        ">=" => (70, Op::GreaterEqual),
        "," => (115, Op::Couple),
        "<->" => (125, Op::Relations),
        "+->" => (125, Op::PartialFunctions),
        "-->" => (125, Op::TotalFunctions),
        ">+>" => (125, Op::PartialInjections),
        ">->" => (125, Op::TotalInjections),
        "+->>" => (125, Op::PartialSurjections),
        "-->>" => (125, Op::TotalSurjections),
        ">+>>" => (125, Op::PartialBijections),
        ">->>" => (125, Op::TotalBijections),
        "|->" => (160, Op::Couple),
        "\\/" => (160, Op::Union),
        "/\\" => (160, Op::Intersection),
        "<|" => (160, Op::DomainRestrict),
        "<<|" => (160, Op::DomainSubtract),
        "|>" => (160, Op::RangeRestrict),
        "|>>" => (160, Op::RangeSubtract),
        "<+" | "+>" => (160, Op::Override),
        "><" => (160, Op::DirectProduct),
        "^" => (160, Op::Concat),
        "->" => (160, Op::Prepend),
        "<-" => (160, Op::Append),
        "/|\\" => (160, Op::Take),
        "\\|/" => (160, Op::Drop),
        ".." => (170, Op::Interval),
        "+" => (180, Op::Add),
        "-" => (180, Op::Minus),
        "\\" => (180, Op::Difference),
        "*" => (190, Op::Times),
        "/" => (190, Op::Divide),
        "mod" => (190, Op::Modulo),
        "**" => (200, Op::Power),
        _ => return None,
    })
}

/// Functions of the language that are written `f(x)`: the operator and its number of operands.
fn builtin(word: &str) -> Option<(Op, usize)> {
    Some(match word {
        "card" => (Op::Card, 1),
        "dom" => (Op::Domain, 1),
        "ran" => (Op::Range, 1),
        "min" => (Op::Min, 1),
        "max" => (Op::Max, 1),
        "POW" => (Op::PowerSet, 1),
        "POW1" => (Op::PowerSet1, 1),
        "FIN" => (Op::FiniteSets, 1),
        "FIN1" => (Op::FiniteSets1, 1),
        "union" => (Op::UnionAll, 1),
        "inter" => (Op::InterAll, 1),
        "id" => (Op::Identity, 1),
        "closure" => (Op::Closure, 1),
        "closure1" => (Op::Closure1, 1),
        "iterate" => (Op::Iterate, 2),
        "prj1" => (Op::First1, 2),
        "prj2" => (Op::Second2, 2),
        "fnc" => (Op::ToFunction, 1),
        "rel" => (Op::ToRelation, 1),
        "seq" => (Op::Sequences, 1),
        "seq1" => (Op::Sequences1, 1),
        "iseq" => (Op::InjectiveSequences, 1),
        "iseq1" => (Op::InjectiveSequences1, 1),
        "perm" => (Op::Permutations, 1),
        "size" => (Op::Size, 1),
        "first" => (Op::First, 1),
        "last" => (Op::Last, 1),
        "front" => (Op::Front, 1),
        "tail" => (Op::Tail, 1),
        "rev" => (Op::Reverse, 1),
        "conc" => (Op::Flatten, 1),
        "bool" => (Op::ToBool, 1),
        "not" => (Op::Not, 1),
        _ => return None,
    })
}

impl Parser<'_> {
    /// A formula whose operators bind at least as strongly as `least`.
    pub(super) fn formula(&mut self, least: u32) -> Res<Expr> {
        self.deeper(|parser| parser.infixes(least))
    }

    /// A formula in which a comma separates.
    pub(super) fn item(&mut self, least: u32) -> Res<Expr> {
        let comma = std::mem::replace(&mut self.comma, false);
        let result = self.formula(least);
        self.comma = comma;
        result
    }

    /// A formula in which a comma makes a pair.
    pub(super) fn whole(&mut self, least: u32) -> Res<Expr> {
        let comma = std::mem::replace(&mut self.comma, true);
        let result = self.formula(least);
        self.comma = comma;
        result
    }

    /// A predicate, as in a guard.
    pub(super) fn predicate(&mut self) -> Res<Expr> {
        self.whole(30)
    }

    /// An operand and all that follows.
    fn infixes(&mut self, least: u32) -> Res<Expr> {
        let mut left = self.prefix()?;
        let mut chain = 0;
        while let Some((strength, op)) = infix(self.token()) {
            if strength < least || (self.is(",") && !self.comma) {
                break;
            }
            let pos = self.pos();
            self.advance();
            let right = self.formula(if op == Op::Power { strength } else { strength + 1 })?;
            left = match (op, left) {
                (Op::And | Op::Or, Expr { kind: Kind::Op(same, mut parts), pos, ty, free }) if same == op => {
                    parts.push(right);
                    Expr { pos, kind: Kind::Op(op, parts), ty, free }
                }
                (_, left) => {
                    chain += 1;
                    if chain > CHAIN {
                        return Err(Error::refused(
                            pos,
                            format!("more than {CHAIN} operators in a row: add parentheses"),
                        ));
                    }
                    let at = if matches!(op, Op::And | Op::Or) { left.pos } else { pos };
                    Expr::op(at, op, vec![left, right])
                }
            };
        }
        if chain > 2 || self.depth < 2 {
            self.check_height(left.height(), left.pos)?;
        }
        Ok(left)
    }

    /// An operand: a prefix operator, or a primary with what is applied to it.
    fn prefix(&mut self) -> Res<Expr> {
        let pos = self.pos();
        if self.eat("-") {
            let operand = self.formula(195)?;
            return Ok(match operand.kind {
                Kind::Literal(Value::Int(n)) => Expr::literal(pos, Value::Int(-n)),
                _ => Expr::op(pos, Op::Negate, vec![operand]),
            });
        }
        let mut expr = self.primary()?;
        let mut chain = 0;
        loop {
            chain += 1;
            if chain > CHAIN {
                return Err(Error::refused(pos, format!("more than {CHAIN} applications in a row")));
            }
            let pos = self.pos();
            if self.eat("(") {
                let argument = self.pair_until(")")?;
                expr = Expr::op(pos, Op::Apply, vec![expr, argument]);
            } else if self.eat("[") {
                let set = self.pair_until("]")?;
                expr = Expr::op(pos, Op::Image, vec![expr, set]);
            } else if self.eat("~") {
                expr = Expr::op(pos, Op::Inverse, vec![expr]);
            } else if self.eat("'") {
                let field = self.name()?;
                expr = Expr::new(pos, Kind::Field(Box::new(expr), field));
            } else {
                return Ok(expr);
            }
        }
    }

    /// Formulas with commas between them, as one nest of pairs.
    fn pair_until(&mut self, close: &str) -> Res<Expr> {
        let expr = self.whole(20)?;
        self.need(close)?;
        Ok(expr)
    }

    /// Formulas with commas between them.
    pub(super) fn list_until(&mut self, close: &str) -> Res<Vec<Expr>> {
        let mut items = Vec::new();
        if self.eat(close) {
            return Ok(items);
        }
        loop {
            items.push(self.item(30)?);
            if !self.eat(",") {
                self.need(close)?;
                return Ok(items);
            }
        }
    }

    /// A primary.
    fn primary(&mut self) -> Res<Expr> {
        let pos = self.pos();
        match self.token().clone() {
            Token::Number(number) => {
                self.advance();
                Ok(Expr::literal(pos, Value::Int(number)))
            }
            Token::Text(text) => {
                self.advance();
                Ok(Expr::literal(pos, Value::Text(text)))
            }
            Token::Symbol("(") => {
                self.advance();
                let inner = self.whole(0)?;
                self.need(")")?;
                Ok(inner)
            }
            Token::Symbol("{") => {
                self.advance();
                self.set(pos)
            }
            Token::Symbol("[") => {
                self.advance();
                let items = self.list_until("]")?;
                Ok(Expr::op(pos, Op::Sequence, items))
            }
            Token::Symbol("<>") => {
                self.advance();
                Ok(Expr::op(pos, Op::Sequence, Vec::new()))
            }
            Token::Symbol("!") => self.quantified(Binder::Forall),
            Token::Symbol("#") => self.quantified(Binder::Exists),
            Token::Symbol("%") => self.quantified(Binder::Lambda),
            Token::Word(word) => self.word(&word, pos),
            _ => self.expected("an expression or a predicate"),
        }
    }

    /// Behind `{`.
    fn set(&mut self, pos: Pos) -> Res<Expr> {
        // A comprehension begins with names and a bar.
        let mut by = 0;
        while matches!(self.ahead(by), Token::Word(word) if !is_keyword(word))
            && *self.ahead(by + 1) == Token::Symbol(",")
        {
            by += 2;
        }
        let named = matches!(self.ahead(by), Token::Word(word) if !is_keyword(word));
        if named && *self.ahead(by + 1) == Token::Symbol("|") {
            let bound = self.bound()?;
            self.need("|")?;
            let such = self.predicate()?;
            if self.eat("|") {
                // ProB: {x | P | E}
                let value = self.whole(30)?;
                self.need("}")?;
                return Ok(image_set(pos, bound, such, value));
            }
            self.need("}")?;
            return Ok(Expr::new(pos, Kind::Binder(Binder::Set, bound, vec![such])));
        }
        if named && *self.ahead(by + 1) == Token::Symbol(".") && *self.ahead(by + 2) == Token::Symbol("(") {
            // ProB: {x.(P | E)}
            let bound = self.bound()?;
            self.need(".")?;
            self.need("(")?;
            let such = self.predicate()?;
            self.need("|")?;
            let value = self.whole(30)?;
            self.need(")")?;
            self.need("}")?;
            return Ok(image_set(pos, bound, such, value));
        }
        let items = self.list_until("}")?;
        Ok(Expr::op(pos, Op::SetOf, items))
    }

    /// A quantifier, from its symbol on.
    fn quantified(&mut self, binder: Binder) -> Res<Expr> {
        let pos = self.pos();
        self.advance();
        let bound = if self.eat("(") {
            let bound = self.bound()?;
            self.need(")")?;
            bound
        } else if matches!(self.token(), Token::Word(_)) {
            self.bound()?
        } else {
            return self.expected("a variable or ( and variables");
        };
        self.need(".")?;
        self.need("(")?;
        let such = self.predicate()?;
        let mut parts = vec![such];
        if !matches!(binder, Binder::Forall | Binder::Exists) {
            self.need("|")?;
            parts.push(self.whole(30)?);
        }
        self.need(")")?;
        Ok(Expr::new(pos, Kind::Binder(binder, bound, parts)))
    }

    /// A primary that begins with a word.
    fn word(&mut self, word: &std::sync::Arc<str>, pos: Pos) -> Res<Expr> {
        let carrier = |carrier| Expr::new(pos, Kind::Carrier(carrier));
        if self.definitions.table.contains_key(word) {
            return self.macro_use(word, pos);
        }
        let simple = match &**word {
            "TRUE" => Some(Expr::literal(pos, Value::Bool(true))),
            "FALSE" => Some(Expr::literal(pos, Value::Bool(false))),
            "btrue" | "TRUTH" => Some(Expr::op(pos, Op::And, Vec::new())),
            "bfalse" => Some(Expr::op(pos, Op::Or, Vec::new())),
            "BOOL" => Some(carrier(Carrier::Bool)),
            "STRING" => Some(carrier(Carrier::String)),
            "INTEGER" => Some(carrier(Carrier::Integer)),
            "NATURAL" => Some(carrier(Carrier::Natural)),
            "NATURAL1" => Some(carrier(Carrier::Natural1)),
            "INT" => Some(carrier(Carrier::Int)),
            "NAT" => Some(carrier(Carrier::Nat)),
            "NAT1" => Some(carrier(Carrier::Nat1)),
            "INT1" => None,
            "MAXINT" => Some(Expr::op(pos, Op::MaxInt, Vec::new())),
            "MININT" => Some(Expr::op(pos, Op::MinInt, Vec::new())),
            _ => None,
        };
        if let Some(expr) = simple {
            self.advance();
            return Ok(expr);
        }
        let binder = match &**word {
            "SIGMA" => Some(Binder::Sigma),
            "PI" => Some(Binder::Pi),
            "UNION" => Some(Binder::Union),
            "INTER" => Some(Binder::Inter),
            _ => None,
        };
        if let Some(binder) = binder {
            return self.quantified(binder);
        }
        if *self.ahead(1) == Token::Symbol("(") {
            if let Some((op, count)) = builtin(word) {
                self.advance();
                self.advance();
                let operands = if count == 1 { vec![self.pair_until(")")?] } else { self.list_until(")")? };
                if operands.len() != count {
                    return Err(Error::syntax(pos, format!("{word} takes {count} operands")));
                }
                return Ok(Expr::op(pos, op, operands));
            }
            match &**word {
                "succ" | "pred" => {
                    self.advance();
                    self.advance();
                    let operand = self.pair_until(")")?;
                    let step = Expr::literal(pos, Value::Int(if &**word == "succ" { 1 } else { -1 }));
                    return Ok(Expr::op(pos, Op::Add, vec![operand, step]));
                }
                "rec" | "struct" => {
                    let record = &**word == "rec";
                    self.advance();
                    self.advance();
                    let mut fields = Vec::new();
                    loop {
                        let name = self.name()?;
                        self.need(":")?;
                        fields.push((name, self.item(116)?));
                        if !self.eat(",") {
                            break;
                        }
                    }
                    self.need(")")?;
                    fields.sort_by(|(a, _), (b, _)| a.cmp(b));
                    if fields.windows(2).any(|pair| pair[0].0 == pair[1].0) {
                        return Err(Error::syntax(pos, "a record has one field of a name".into()));
                    }
                    return Ok(Expr::new(pos, if record { Kind::Record(fields) } else { Kind::Struct(fields) }));
                }
                _ => {}
            }
        }
        match &**word {
            "IF" => {
                self.advance();
                let condition = self.predicate()?;
                self.need_word("THEN")?;
                let then = self.whole(30)?;
                if self.is_word("ELSIF") {
                    // As another IF, which the same END closes.
                    let pos = self.pos();
                    let other = self.deeper(|parser| parser.word(&"IF".into(), pos))?;
                    return Ok(Expr::op(pos, Op::If, vec![condition, then, other]));
                }
                self.need_word("ELSE")?;
                let other = self.whole(30)?;
                self.need_word("END")?;
                Ok(Expr::op(pos, Op::If, vec![condition, then, other]))
            }
            "LET" => {
                self.advance();
                let bound = self.bound()?;
                self.need_word("BE")?;
                let such = self.predicate()?;
                self.need_word("IN")?;
                let body = self.whole(30)?;
                self.need_word("END")?;
                Ok(Expr::new(pos, Kind::Binder(Binder::Let, bound, vec![such, body])))
            }
            // The functions themselves: %x.(x : INTEGER | x + 1).
            "succ" | "pred" => {
                self.advance();
                let name: super::ast::Name = "x".into();
                let x = || Expr::new(pos, Kind::Name(name.clone()));
                let step = Expr::literal(pos, Value::Int(if &**word == "succ" { 1 } else { -1 }));
                let such = Expr::op(pos, Op::In, vec![x(), carrier(Carrier::Integer)]);
                let value = Expr::op(pos, Op::Add, vec![x(), step]);
                Ok(Expr::new(
                    pos,
                    Kind::Binder(Binder::Lambda, vec![super::parser::variable(name.clone())], vec![such, value]),
                ))
            }
            "CHOOSE" | "MU" | "STRING_LENGTH" | "STRING_APPEND" | "SORT" | "tree" | "btree" | "FLOAT" | "REAL"
                if *self.ahead(1) == Token::Symbol("(") =>
            {
                Err(Error::refused(pos, format!("{word} is not supported")))
            }
            _ => {
                let name = self.name()?;
                Ok(Expr::new(pos, Kind::Name(name)))
            }
        }
    }

    /// A use of a macro as a formula.
    fn macro_use(&mut self, word: &std::sync::Arc<str>, pos: Pos) -> Res<Expr> {
        self.advance();
        let takes = self.definitions.table.get(word).map_or(0, |definition| definition.parameters.len());
        let arguments = if takes > 0 {
            self.need("(")?;
            self.list_until(")")?
        } else {
            Vec::new()
        };
        match self.expand(word, arguments, pos)? {
            Body::Formula(expr) => Ok(expr),
            Body::Substitution(_) => Err(Error::syntax(
                pos,
                format!("the definition {word} is a substitution, but a formula is needed here"),
            )),
        }
    }
}

/// `{x.(P | E)}` as the union of `{E}`.
fn image_set(pos: Pos, bound: Vec<super::ast::Bound>, such: Expr, value: Expr) -> Expr {
    let single = Expr::op(pos, Op::SetOf, vec![value]);
    Expr::new(pos, Kind::Binder(Binder::Union, bound, vec![such, single]))
}
