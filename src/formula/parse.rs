//! Reading formulas as people write them.
//!
//! **Problem.** One notation for all of CTL*, in which the habits of several communities are at home (`&`,
//! `&&`, `/\`, `∧`, `and`; `A[p U q]`, `A (p U q)`; `AG EF p`), and in which a mistake is answered with its
//! place and a remedy, never with another meaning.
//!
//! **Method.** Operator-precedence parsing straight on the characters (Pratt 1973, "Top down operator
//! precedence"). Formulas and integer expressions are parsed by the same loop and told apart by what they
//! turn out to be, so that an opening parenthesis needs no lookahead: `(#a + #b) * 2 < 3` and `(#a < 3) | p`.
//! The recursion is as deep as the formula is nested, and refused beyond [`MAX_DEPTH`].
//!
//! From weakest to tightest:
//!
//! | operators | spellings | grouping |
//! |---|---|---|
//! | equivalence | `<->` `<=>` `↔` `⇔` `iff` | left |
//! | implication | `->` `=>` `→` `⇒` `implies` | right |
//! | disjunction | `\|` `\|\|` `\/` `∨` `or` | any number |
//! | conjunction | `&` `&&` `/\` `∧` `and` | any number |
//! | binary temporal | `U` `R` `W` `M` | right |
//! | prefix | `!` `~` `¬` `not`, `X` `◯`, `F` `◇` `<>`, `G` `□` `[]`, `E` `∃`, `A` `∀` | |
//! | comparison | `=` `==`, `!=` `<>` `≠`, `<`, `<=` `≤`, `>`, `>=` `≥` | not chained |
//! | sum | `+` `-` `−` | left |
//! | product | `*` `·` `×` `/` `÷` | left |
//! | sign | `-` `−` | |
//!
//! The modalities `<a, …> f` and `[a, …] f` stand where prefix operators do, with the labels of transitions or of a
//! network; `<*>` and `[*]` speak of all steps. In the property files of the RERS challenge these are written `<>` and `[]`.
//!
//! Letters of prefix operators may be joined (`AG`, `GF`, `EX`); brackets after a quantifier enclose its whole
//! operand. Two ways of writing are refused because they are read differently elsewhere: a quantifier without
//! brackets followed by a binary temporal operator (`A p U q`, `EF p U q`), and in square brackets after a
//! quantifier, where CTL notation takes all of either side, a mixture like `A[p U q | r]`.
//!
//! Atoms: `true` `⊤`, `false` `⊥`, `deadlock`, `enabled(t, …)`, comparisons of expressions made of integers,
//! `#p`, `tokens(p, …)` and `bounds(p, …)`. A variable whose values have names is compared with one of them: `#x = idle`, or
//! `x != idle` alone. A path formula has `action(a, …)` for a next step with one of these
//! labels. A model may have state labels, conditions of its own: `label(a)`. Names start with a letter or `_` and go on with letters, digits, `_` and `.`; any other name is put in double quotes, `\` before `"` and `\` inside them.

mod error;

use super::ast::{Comparison, Expr, ExprId, Formula, FormulaId, MAX_DEPTH, Pool};
use super::symbols::{NameError, Symbols};
use crate::model::{Standstill, Unit};
use crate::net::{PlaceId, TransitionId};

pub use error::ParseError;
pub(crate) use error::ParseErrorKind;

/// Read one formula. A path formula is returned as it is; [`Pool::close`] makes it the state formula that it
/// stands for.
///
/// ```
/// use starset::formula::{parse, Pool, Symbols};
/// use starset::net::NetBuilder;
/// let mut b = NetBuilder::new("n");
/// b.place("ready", 1)?;
/// let symbols = Symbols::new(&b.build()?);
/// let error = parse("EF #redy > 0", &symbols, &mut Pool::new()).unwrap_err();
/// assert_eq!(error.to_string(), "\
/// column 5: unknown place `redy`; did you mean `ready`?
///   EF #redy > 0
///       ^");
/// # Ok::<(), starset::net::BuildError>(())
/// ```
pub fn parse(text: &str, symbols: &Symbols, pool: &mut Pool) -> Result<FormulaId, ParseError> {
    let mut parser = Parser { text, at: 0, depth: 0, symbols, pool, bare: false };
    parser.formula_to_the_end().map_err(|failure| locate(text, failure.at, failure.kind))
}

/// Read one formula over actions in the notation of the RERS challenge, where a bare or quoted name is the atom
/// of the label with that name. A label that the model does not have is never taken.
///
/// ```
/// use starset::formula::{Pool, Symbols, parse_actions};
/// let symbols = Symbols::of_labels(["send", "receive"]);
/// let mut pool = Pool::new();
/// let f = parse_actions("(!receive W send)", &symbols, &mut pool).unwrap();
/// assert_eq!(pool.display(f, &symbols).to_string(), "!action(receive) W action(send)");
/// assert!(parse_actions("AG [send] <> true", &symbols, &mut pool).is_ok());
/// ```
pub fn parse_actions(text: &str, symbols: &Symbols, pool: &mut Pool) -> Result<FormulaId, ParseError> {
    let mut parser = Parser { text, at: 0, depth: 0, symbols, pool, bare: true };
    parser.formula_to_the_end().map_err(|failure| locate(text, failure.at, failure.kind))
}

fn locate(text: &str, at: usize, kind: ParseErrorKind) -> ParseError {
    let before = text.get(..at).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |i| i + 1);
    let source_line = text[line_start..].lines().next().unwrap_or("").to_owned();
    let line = before.matches('\n').count() + 1;
    let column = before[line_start..].chars().count() + 1;
    ParseError { kind, line, column, source_line }
}

/// An error at a byte offset.
struct Failure {
    at: usize,
    kind: ParseErrorKind,
}

/// Boxed, to keep the stack frames of the recursion small.
type Parsed<T> = Result<T, Box<Failure>>;

#[cold]
fn fail<T>(at: usize, kind: ParseErrorKind) -> Parsed<T> {
    Err(Box::new(Failure { at, kind }))
}

#[cold]
fn misuse<T>(at: usize, message: impl Into<String>) -> Parsed<T> {
    fail(at, ParseErrorKind::Misuse(message.into()))
}

const MIXED: &str = "in `A[p U q]` the sides of the temporal operator need parentheses when they have infix \
                     operators: write `A[p U (q | r)]` or `A[(p U q) | r]`";

/// How tightly an operator binds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Iff,
    Implies,
    Or,
    And,
    Temporal,
    Prefix,
    Comparison,
    Sum,
    Product,
    Sign,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Infix {
    Iff,
    Implies,
    Or,
    And,
    Until,
    Release,
    WeakUntil,
    StrongRelease,
    Compare(Comparison),
    Plus,
    Minus,
    Times,
    Over,
}

/// Spellings of infix operators; of those that fit, the longest is meant.
const INFIX: &[(&str, Infix)] = &[
    ("<->", Infix::Iff),
    ("<=>", Infix::Iff),
    ("↔", Infix::Iff),
    ("⇔", Infix::Iff),
    ("iff", Infix::Iff),
    ("->", Infix::Implies),
    ("=>", Infix::Implies),
    ("→", Infix::Implies),
    ("⇒", Infix::Implies),
    ("implies", Infix::Implies),
    ("|", Infix::Or),
    ("||", Infix::Or),
    ("\\/", Infix::Or),
    ("∨", Infix::Or),
    ("or", Infix::Or),
    ("&", Infix::And),
    ("&&", Infix::And),
    ("/\\", Infix::And),
    ("∧", Infix::And),
    ("and", Infix::And),
    ("U", Infix::Until),
    ("R", Infix::Release),
    ("W", Infix::WeakUntil),
    ("M", Infix::StrongRelease),
    ("=", Infix::Compare(Comparison::Eq)),
    ("==", Infix::Compare(Comparison::Eq)),
    ("!=", Infix::Compare(Comparison::Ne)),
    ("<>", Infix::Compare(Comparison::Ne)),
    ("≠", Infix::Compare(Comparison::Ne)),
    ("<", Infix::Compare(Comparison::Lt)),
    ("<=", Infix::Compare(Comparison::Le)),
    ("≤", Infix::Compare(Comparison::Le)),
    (">", Infix::Compare(Comparison::Gt)),
    (">=", Infix::Compare(Comparison::Ge)),
    ("≥", Infix::Compare(Comparison::Ge)),
    ("+", Infix::Plus),
    ("-", Infix::Minus),
    ("−", Infix::Minus),
    ("*", Infix::Times),
    ("·", Infix::Times),
    ("×", Infix::Times),
    ("/", Infix::Over),
    ("÷", Infix::Over),
];

impl Infix {
    fn level(self) -> Level {
        match self {
            Infix::Iff => Level::Iff,
            Infix::Implies => Level::Implies,
            Infix::Or => Level::Or,
            Infix::And => Level::And,
            Infix::Until | Infix::Release | Infix::WeakUntil | Infix::StrongRelease => Level::Temporal,
            Infix::Compare(_) => Level::Comparison,
            Infix::Plus | Infix::Minus => Level::Sum,
            Infix::Times | Infix::Over => Level::Product,
        }
    }

    /// The weakest level that the right operand may have.
    fn right(self) -> Level {
        match self {
            Infix::Iff | Infix::Implies => Level::Implies,
            Infix::Or => Level::And,
            Infix::And | Infix::Until | Infix::Release | Infix::WeakUntil | Infix::StrongRelease => Level::Temporal,
            Infix::Compare(_) => Level::Sum,
            Infix::Plus | Infix::Minus => Level::Product,
            Infix::Times | Infix::Over => Level::Sign,
        }
    }
}

#[derive(Clone, Copy)]
enum Prefix {
    Not,
    Next,
    Finally,
    Globally,
    Exists,
    Forall,
}

impl Prefix {
    /// The operator that a character alone or as part of a joined word like `AG` stands for.
    fn of(c: char) -> Option<Prefix> {
        Some(match c {
            '!' | '~' | '¬' => Prefix::Not,
            'X' | '◯' | '○' => Prefix::Next,
            'F' | '◇' | '♢' => Prefix::Finally,
            'G' | '□' => Prefix::Globally,
            'E' | '∃' => Prefix::Exists,
            'A' | '∀' => Prefix::Forall,
            _ => return None,
        })
    }

    fn apply(self, operand: FormulaId) -> Formula {
        match self {
            Prefix::Not => Formula::Not(operand),
            Prefix::Next => Formula::Next(operand),
            Prefix::Finally => Formula::Finally(operand),
            Prefix::Globally => Formula::Globally(operand),
            Prefix::Exists => Formula::Exists(operand),
            Prefix::Forall => Formula::Forall(operand),
        }
    }
}

#[derive(Clone, Copy)]
enum Item {
    Formula(FormulaId),
    Expr(ExprId),
}

/// Something parsed, and where it starts.
#[derive(Clone, Copy)]
struct Operand {
    item: Item,
    at: usize,
    /// Begins with a path quantifier whose operand has no brackets of its own.
    loose_quantifier: bool,
    mixture: Mixture,
}

/// Infix operators that an operand has outside of all brackets.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mixture {
    /// No temporal ones.
    Plain,
    /// A temporal one.
    Temporal,
    /// A temporal one as operand of a Boolean one, which is at this offset.
    Mixed(usize),
}

/// The mixture of a Boolean operator at `at` with this operand.
fn mix(operand: Operand, at: usize) -> Mixture {
    match operand.mixture {
        Mixture::Temporal => Mixture::Mixed(at),
        other => other,
    }
}

pub(super) fn is_name_start(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

pub(super) fn is_name_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '.'
}

struct Parser<'a> {
    text: &'a str,
    /// Byte offset of the next character.
    at: usize,
    depth: u32,
    symbols: &'a Symbols,
    pool: &'a mut Pool,
    /// Is a bare name an action, and an unknown one an action that is never taken?
    bare: bool,
}

impl<'a> Parser<'a> {
    fn formula_to_the_end(&mut self) -> Parsed<FormulaId> {
        let whole = self.parse(Level::Iff)?;
        self.skip_space();
        if self.at < self.text.len() {
            return self.expected("an operator or the end of the formula");
        }
        let formula = self.formula(whole)?;
        if self.pool.depth(formula) > MAX_DEPTH {
            return fail(whole.at, ParseErrorKind::TooDeep);
        }
        Ok(formula)
    }

    /// Parse an operand and every infix operator after it that binds at least as tightly as `weakest`.
    fn parse(&mut self, weakest: Level) -> Parsed<Operand> {
        self.skip_space();
        if self.depth >= MAX_DEPTH {
            return fail(self.at, ParseErrorKind::TooDeep);
        }
        self.depth += 1;
        let mut left = self.operand()?;
        while let Some((infix, _)) = self.peek_infix() {
            if infix.level() < weakest {
                break;
            }
            left = self.infix(left, infix)?;
        }
        self.depth -= 1;
        Ok(left)
    }

    fn infix(&mut self, left: Operand, infix: Infix) -> Parsed<Operand> {
        let operator_at = self.at;
        // In the files of the RERS challenge prefix operators bind tightest.
        if infix.level() == Level::Temporal && left.loose_quantifier && !self.bare {
            let message = "does the path quantifier on the left cover this operator? Write `E (p U q)` if so, \
                           `(E p) U q` if not";
            return misuse(operator_at, message);
        }
        let temporal = infix.level() == Level::Temporal;
        let mut mixture = if temporal { Mixture::Temporal } else { mix(left, operator_at) };
        let item = match infix {
            Infix::Or | Infix::And => {
                let mut operands = vec![self.formula(left)?];
                while self.peek_infix().is_some_and(|(i, _)| i == infix) {
                    let operand = self.right(infix)?;
                    if mixture == Mixture::Plain {
                        mixture = mix(operand, operator_at);
                    }
                    operands.push(self.formula(operand)?);
                }
                let node = if infix == Infix::Or { Formula::Or(operands) } else { Formula::And(operands) };
                Item::Formula(self.pool.add(node))
            }
            Infix::Plus | Infix::Minus => {
                let mut operands = vec![self.expr(left)?];
                while let Some((sign @ (Infix::Plus | Infix::Minus), _)) = self.peek_infix() {
                    let operand = self.right_expr(sign)?;
                    let negated = sign == Infix::Minus;
                    operands.push(if negated { self.pool.add_expr(Expr::Neg(operand)) } else { operand });
                }
                Item::Expr(self.pool.add_expr(Expr::Add(operands)))
            }
            Infix::Times | Infix::Over => {
                let a = self.expr(left)?;
                let b = self.right_expr(infix)?;
                if infix == Infix::Over && self.pool[b] == Expr::Const(0) {
                    return fail(operator_at, ParseErrorKind::DivisionByZero);
                }
                let node = if infix == Infix::Times { Expr::Mul(a, b) } else { Expr::Div(a, b) };
                Item::Expr(self.pool.add_expr(node))
            }
            Infix::Compare(comparison) => Item::Formula(self.comparison(left, infix, comparison)?),
            _ => {
                let a = self.formula(left)?;
                let right = self.right(infix)?;
                if mixture == Mixture::Plain {
                    mixture = mix(right, operator_at);
                }
                let b = self.formula(right)?;
                let node = match infix {
                    Infix::Iff => Formula::Iff(a, b),
                    Infix::Implies => Formula::Implies(a, b),
                    Infix::Until => Formula::Until(a, b),
                    Infix::Release => Formula::Release(a, b),
                    Infix::WeakUntil => Formula::WeakUntil(a, b),
                    _ => Formula::StrongRelease(a, b),
                };
                Item::Formula(self.pool.add(node))
            }
        };
        Ok(Operand { item, at: left.at, loose_quantifier: false, mixture })
    }

    /// The comparison whose left side is given. Comparisons do not nest: what they need is not on the stack of what does.
    #[inline(never)]
    fn comparison(&mut self, left: Operand, infix: Infix, mut comparison: Comparison) -> Parsed<FormulaId> {
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
    fn numbers(&mut self, variables: Vec<PlaceId>) -> ExprId {
        let least = self.symbols.least(&variables);
        let values = self.pool.add_expr(Expr::Tokens(variables));
        if least == 0 {
            return values;
        }
        let least = self.pool.add_expr(Expr::Const(least));
        self.pool.add_expr(Expr::Add(vec![values, least]))
    }

    /// The clock that an operand is, with its unit.
    fn clock(&self, operand: Operand) -> Option<(ExprId, Unit)> {
        let Item::Expr(expression) = operand.item else { return None };
        let Expr::Tokens(variables) = &self.pool[expression] else { return None };
        let &[variable] = &variables[..] else { return None };
        Some((expression, self.symbols.unit(variable)?))
    }

    /// Skip a comparison and parse the moment after it, `5`, `5.5` or `11/2`, that a clock is compared with.
    #[inline(never)]
    fn moment(&mut self, infix: Infix, unit: Unit) -> Parsed<ExprId> {
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
    fn in_parts(&mut self, at: usize, number: ExprId, unit: Unit) -> Parsed<ExprId> {
        let Expr::Const(number) = self.pool[number] else {
            return misuse(at, "a clock is compared with a number, as in `5 <= x`");
        };
        match number.checked_mul(i128::from(unit.parts)) {
            Some(value) => self.told_apart(at, value, unit),
            None => fail(at, ParseErrorKind::Number),
        }
    }

    /// A value that a clock is compared with. Beyond the last one that is told apart an answer would be wrong.
    fn told_apart(&mut self, at: usize, value: i128, unit: Unit) -> Parsed<ExprId> {
        if value > i128::from(unit.most) {
            let most = unit.most / unit.parts.max(1);
            return misuse(at, format!("this clock is not told apart beyond {most}; compare it with less"));
        }
        Ok(self.pool.add_expr(Expr::Const(value)))
    }

    /// The variable that an operand is, if its values have names.
    fn named(&self, operand: Operand) -> Option<PlaceId> {
        let Item::Expr(expression) = operand.item else { return None };
        match self.pool[expression] {
            Expr::Tokens(ref variables) if variables.len() == 1 => {
                Some(variables[0]).filter(|&variable| self.symbols.has_named_values(variable))
            }
            _ => None,
        }
    }

    /// Parse a comparison and the name of a value after it: both sides.
    fn named_comparison(
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
            Some(c) if c.is_ascii_digit() => {
                let rest = &self.text[at..];
                let end = rest.find(|c| !is_name_part(c)).unwrap_or(rest.len());
                self.at += end;
                rest[..end].to_owned()
            }
            _ => self.name("the name of a value")?.1,
        };
        let value = self.symbols.value(variable, &name).or_else(|error| self.bad_name(at, error))?;
        Ok((a, self.pool.add_expr(Expr::Const(value.into()))))
    }

    /// Skip the infix operator that is next and parse its right operand.
    fn right(&mut self, infix: Infix) -> Parsed<Operand> {
        if let Some((_, length)) = self.peek_infix() {
            self.at += length;
        }
        self.parse(infix.right())
    }

    fn right_expr(&mut self, infix: Infix) -> Parsed<ExprId> {
        let operand = self.right(infix)?;
        self.expr(operand)
    }

    /// Parse an atom, a parenthesised item, or a prefix operator with its operand.
    fn operand(&mut self) -> Parsed<Operand> {
        self.skip_space();
        let at = self.at;
        let Some(c) = self.peek() else {
            return self.expected("a formula");
        };
        let word = self.peek_word();
        let done = |item| Ok(Operand { item, at, loose_quantifier: false, mixture: Mixture::Plain });
        if let Some(prefix) = Prefix::of(c).filter(|_| word.chars().all(|c| "EAXFG".contains(c))) {
            self.at += c.len_utf8();
            return self.prefix(at, prefix);
        }
        match c {
            '(' => {
                let inner = self.enclosed('(', ')')?;
                done(inner)
            }
            '<' | '[' => self.modality(at),
            '"' if self.bare => {
                let labels = self.label()?;
                done(Item::Formula(self.pool.add(Formula::Action(labels))))
            }
            '-' | '−' => {
                self.at += c.len_utf8();
                self.skip_space();
                let negated = match self.peek() {
                    Some(d) if d.is_ascii_digit() => self.number(true)?,
                    _ => {
                        let operand = self.parse(Level::Sign)?;
                        Expr::Neg(self.expr(operand)?)
                    }
                };
                done(Item::Expr(self.pool.add_expr(negated)))
            }
            '#' => {
                self.at += 1;
                let places = self.place()?;
                done(Item::Expr(self.numbers(places)))
            }
            '⊤' | '⊥' => {
                self.at += c.len_utf8();
                done(Item::Formula(self.pool.add(if c == '⊤' { Formula::True } else { Formula::False })))
            }
            _ if c.is_ascii_digit() => {
                let number = self.number(false)?;
                done(Item::Expr(self.pool.add_expr(number)))
            }
            _ if word == "not" => {
                self.at += word.len();
                self.prefix(at, Prefix::Not)
            }
            _ => {
                let item = self.word_atom(at, word)?;
                done(item)
            }
        }
    }

    fn prefix(&mut self, at: usize, prefix: Prefix) -> Parsed<Operand> {
        self.skip_space();
        let operand_at = self.at;
        let quantifier = matches!(prefix, Prefix::Exists | Prefix::Forall);
        let bracketed = matches!(self.peek(), Some('(' | '['));
        // `A[] φ` is `A G φ`, and `A [φ]` is `A φ`.
        let operand = if quantifier && self.peek() == Some('[') && !self.text[self.at..].starts_with("[]") {
            let item = self.enclosed('[', ']')?;
            Operand { item, at: operand_at, loose_quantifier: false, mixture: Mixture::Plain }
        } else {
            self.parse(Level::Prefix)?
        };
        let formula = self.formula(operand)?;
        let loose_quantifier = if quantifier { !bracketed } else { operand.loose_quantifier };
        Ok(Operand {
            item: Item::Formula(self.pool.add(prefix.apply(formula))),
            at,
            loose_quantifier,
            mixture: Mixture::Plain,
        })
    }

    /// A modality and its operand; or `<>` and `[]`, which are `F` and `G` but in property files of the RERS challenge.
    #[inline(never)]
    fn modality(&mut self, at: usize) -> Parsed<Operand> {
        for (brackets, prefix) in [("<>", Prefix::Finally), ("[]", Prefix::Globally)] {
            if !self.bare && self.text[self.at..].starts_with(brackets) {
                self.at += brackets.len();
                return self.prefix(at, prefix);
            }
        }
        let diamond = self.peek() == Some('<');
        let close = if diamond { '>' } else { ']' };
        self.at += 1;
        self.skip_space();
        let labels = match self.peek() {
            Some(c) if c == close => None,
            Some('*') => {
                self.at += 1;
                None
            }
            _ => {
                let mut labels = self.label()?;
                self.skip_space();
                while self.peek() == Some(',') {
                    self.at += 1;
                    labels.extend(self.label()?);
                    self.skip_space();
                }
                Some(labels)
            }
        };
        self.expect_char(close)?;
        let operand = self.parse(Level::Prefix)?;
        let formula = self.formula(operand)?;
        if !self.pool.is_state(formula) {
            return misuse(operand.at, "after a modality stands a state formula; quantify this one with E or A");
        }
        let node = match (diamond, labels) {
            // No step has a label that there is not.
            (true, Some(labels)) if labels.is_empty() => Formula::False,
            (false, Some(labels)) if labels.is_empty() => Formula::True,
            (true, labels) => Formula::Diamond(labels, formula),
            (false, labels) => Formula::Box(labels, formula),
        };
        let loose_quantifier = operand.loose_quantifier;
        Ok(Operand { item: Item::Formula(self.pool.add(node)), at, loose_quantifier, mixture: Mixture::Plain })
    }

    /// The transitions with a label.
    #[inline(never)]
    fn label(&mut self) -> Parsed<Vec<TransitionId>> {
        let (at, name) = self.name("a label")?;
        match self.symbols.labelled(&name) {
            Ok(labels) => Ok(labels),
            Err(NameError::Unknown { .. } | NameError::WrongKind { .. }) if self.bare => Ok(Vec::new()),
            Err(error) => self.bad_name(at, error),
        }
    }

    /// An atom that starts with a word.
    #[inline(never)]
    fn word_atom(&mut self, at: usize, word: &'a str) -> Parsed<Item> {
        let atom = match word {
            "true" => Formula::True,
            "false" => Formula::False,
            "deadlock" if self.symbols.ticks() => Formula::Still(Standstill::Deadlock),
            "timelock" if self.symbols.ticks() => Formula::Still(Standstill::Timelock),
            "deadlock" => Formula::Deadlock,
            "" => return self.expected("a formula"),
            _ if self.bare => Formula::Action(self.label()?),
            "label" if self.symbols.has_labels() => {
                self.at += word.len();
                self.expect_char('(')?;
                let (at, name) = self.name("the name of a state label")?;
                let label = self.symbols.label(&name).or_else(|error| self.bad_name(at, error))?;
                self.expect_char(')')?;
                return Ok(Item::Formula(self.pool.add(Formula::Label(label))));
            }
            "enabled" | "action" | "tokens" | "bounds" => {
                self.at += word.len();
                return self.list_atom(word);
            }
            _ => {
                if let Ok(&[variable]) = self.symbols.place(word)
                    && (self.symbols.has_named_values(variable) || self.symbols.unit(variable).is_some())
                {
                    self.at += word.len();
                    return Ok(Item::Expr(self.pool.add_expr(Expr::Tokens(vec![variable]))));
                }
                let [variable, action] = self.symbols.kinds();
                let hint = if self.symbols.place(word).is_ok() {
                    format!("`{word}` is a {variable}, not a formula; write `#{word} > 0`")
                } else if self.symbols.transition(word).is_ok() {
                    format!("`{word}` is a {action}, not a formula; write `enabled({word})` or `action({word})`")
                } else {
                    return self.expected("a formula");
                };
                return misuse(at, hint);
            }
        };
        if !matches!(atom, Formula::Action(_)) {
            self.at += word.len();
        }
        Ok(Item::Formula(self.pool.add(atom)))
    }

    /// The list after `enabled`, `action`, `tokens` or `bounds`.
    #[inline(never)]
    fn list_atom(&mut self, word: &str) -> Parsed<Item> {
        self.expect_char('(')?;
        let mut places: Vec<PlaceId> = Vec::new();
        let mut transitions: Vec<TransitionId> = Vec::new();
        self.skip_space();
        if self.peek() != Some(')') {
            loop {
                self.skip_space();
                let at = self.at;
                if word == "enabled" {
                    transitions.extend(self.transition()?);
                } else if word == "action" {
                    transitions.extend(self.label()?);
                } else {
                    let listed = self.place()?;
                    if listed.iter().any(|p| places.contains(p)) {
                        return misuse(at, "this place is already in the list");
                    }
                    places.extend(listed);
                }
                self.skip_space();
                if self.peek() != Some(',') {
                    break;
                }
                self.at += 1;
            }
        }
        if self.peek() != Some(')') {
            return self.expected("`,` or `)`");
        }
        self.at += 1;
        Ok(match word {
            "enabled" => Item::Formula(self.pool.add(Formula::Enabled(transitions))),
            "action" => Item::Formula(self.pool.add(Formula::Action(transitions))),
            "tokens" => Item::Expr(self.numbers(places)),
            _ => Item::Expr(self.pool.add_expr(Expr::Bounds(places))),
        })
    }

    fn enclosed(&mut self, open: char, close: char) -> Parsed<Item> {
        self.expect_char(open)?;
        let inner = self.parse(Level::Iff)?;
        self.skip_space();
        if self.peek() != Some(close) {
            return self.expected(&format!("an operator or `{close}`"));
        }
        self.at += close.len_utf8();
        if let (']', Mixture::Mixed(at)) = (close, inner.mixture) {
            return misuse(at, MIXED);
        }
        Ok(inner.item)
    }

    #[inline(never)]
    fn number(&mut self, negative: bool) -> Parsed<Expr> {
        let at = self.at;
        let mut value: i128 = 0;
        while let Some(digit) = self.peek().and_then(|c| c.to_digit(10)) {
            let digit = i128::from(digit);
            let extended = value.checked_mul(10);
            let extended = extended.and_then(|v| v.checked_add(if negative { -digit } else { digit }));
            value = match extended {
                Some(v) => v,
                None => return fail(at, ParseErrorKind::Number),
            };
            self.at += 1;
        }
        if self.peek().is_some_and(is_name_part) {
            return self.expected("an operator");
        }
        Ok(Expr::Const(value))
    }

    fn place(&mut self) -> Parsed<Vec<PlaceId>> {
        let (at, name) = self.name(&format!("a {} name", self.symbols.kinds()[0]))?;
        let symbols = self.symbols;
        symbols.place(&name).map(<[_]>::to_vec).or_else(|e| self.bad_name(at, e))
    }

    fn transition(&mut self) -> Parsed<Vec<TransitionId>> {
        let (at, name) = self.name(&format!("a {} name", self.symbols.kinds()[1]))?;
        let symbols = self.symbols;
        symbols.transition(&name).map(<[_]>::to_vec).or_else(|e| self.bad_name(at, e))
    }

    fn bad_name<T>(&self, at: usize, error: NameError) -> Parsed<T> {
        // `#a-b` where the place is called "a-b": the name was cut short at the odd character.
        let cut = self.peek().is_some_and(|c| !c.is_whitespace() && !"),+*/<>=!".contains(c));
        let quoted = self.text[at..].starts_with('"');
        let unknown = matches!(error, NameError::Unknown { .. } | NameError::UnknownValue { .. });
        let hint =
            if cut && !quoted && unknown { " (a name with other characters is put in double quotes)" } else { "" };
        fail(at, ParseErrorKind::Name(Box::new(error), hint))
    }

    /// A name, quoted or not, and where it starts.
    fn name(&mut self, expected: &str) -> Parsed<(usize, String)> {
        self.skip_space();
        let at = self.at;
        if self.peek() != Some('"') {
            let word = self.peek_word();
            if word.is_empty() {
                return self.expected(expected);
            }
            self.at += word.len();
            return Ok((at, word.to_owned()));
        }
        let mut name = String::new();
        let mut chars = self.text[at..].char_indices().skip(1);
        while let Some((i, c)) = chars.next() {
            match c {
                '"' => {
                    self.at = at + i + 1;
                    return Ok((at, name));
                }
                '\\' => match chars.next() {
                    Some((_, escaped @ ('"' | '\\'))) => name.push(escaped),
                    _ => return misuse(at + i, "in a quoted name `\\` stands before `\"` or `\\` only"),
                },
                _ => name.push(c),
            }
        }
        misuse(at, "this quoted name is not closed")
    }

    fn formula(&self, operand: Operand) -> Parsed<FormulaId> {
        match operand.item {
            Item::Formula(f) => Ok(f),
            Item::Expr(_) => misuse(operand.at, "expected a formula, found an integer; compare it, as in `#p > 0`"),
        }
    }

    fn expr(&self, operand: Operand) -> Parsed<ExprId> {
        match operand.item {
            Item::Expr(e) => match &self.pool[e] {
                Expr::Tokens(variables) | Expr::Bounds(variables)
                    if variables.iter().any(|&variable| self.symbols.has_named_values(variable)) =>
                {
                    misuse(operand.at, "the values of this have names; compare it with one of them, as in `#x = name`")
                }
                Expr::Tokens(variables) | Expr::Bounds(variables)
                    if variables.iter().any(|&variable| self.symbols.unit(variable).is_some()) =>
                {
                    misuse(operand.at, "a clock is compared with a number and nothing else, as in `x <= 5`")
                }
                _ => Ok(e),
            },
            Item::Formula(_) => misuse(operand.at, "expected an integer, as in `#p` or `3`, found a formula"),
        }
    }

    fn expected<T>(&self, expected: &str) -> Parsed<T> {
        let word = self.peek_word();
        let found = match self.peek() {
            None => "the end".to_owned(),
            Some(_) if !word.is_empty() => format!("`{word}`"),
            Some(c) => format!("`{}`", c.escape_debug()),
        };
        fail(self.at, ParseErrorKind::Expected { expected: expected.to_owned(), found })
    }

    fn expect_char(&mut self, c: char) -> Parsed<()> {
        self.skip_space();
        if self.peek() != Some(c) {
            return self.expected(&format!("`{c}`"));
        }
        self.at += c.len_utf8();
        Ok(())
    }

    /// The infix operator that is next, and the length of its spelling.
    fn peek_infix(&mut self) -> Option<(Infix, usize)> {
        self.skip_space();
        let rest = &self.text[self.at..];
        let word = self.peek_word();
        let fits = |spelling: &str| {
            if spelling.starts_with(is_name_start) { word == spelling } else { rest.starts_with(spelling) }
        };
        let best = INFIX.iter().filter(|(spelling, _)| fits(spelling)).max_by_key(|(spelling, _)| spelling.len())?;
        Some((best.1, best.0.len()))
    }

    /// The word that is next; empty if there is none.
    fn peek_word(&self) -> &'a str {
        let rest = &self.text[self.at..];
        if !rest.starts_with(is_name_start) {
            return "";
        }
        let end = rest.find(|c| !is_name_part(c)).unwrap_or(rest.len());
        &rest[..end]
    }

    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn skip_space(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
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

#[cfg(test)]
mod tests;
