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
//! The order of the operators is Spot's, for the whole program ([`parse()`], [`parse_propositional`]). From weakest to tightest:
//!
//! | operators | spellings | grouping |
//! |---|---|---|
//! | implication and equivalence | `->` `=>` `-->` `→` `⇒` `implies`, `<->` `<=>` `<-->` `↔` `⇔` `iff` | right |
//! | disjunction | `\|` `\|\|` `\/` `∨` `or` | any number |
//! | exclusive disjunction | `xor` `^` `⊕` | left |
//! | conjunction | `&` `&&` `/\` `∧` `and` | any number |
//! | binary temporal | `U` `R` `V` `W` `M`, of the past `S` `T` | right |
//! | prefix | `!` `~` `¬` `not`, `X` `◯`, `F` `◇` `<>`, `G` `□` `[]`, `E` `∃`, `A` `∀`; `X[n]`, `F[a:b]`, `G[a:b]`, `Y` `Z` `O` `P` `H` | |
//! | comparison | `=` `==`, `!=` `<>` `≠`, `<`, `<=` `≤`, `>`, `>=` `≥` | not chained |
//! | sum | `+` `-` `−` | left |
//! | product | `*` `·` `×` `/` `÷` | left |
//! | sign | `-` `−` | |
//!
//! The letters of the past are names, too; the text behind them decides (module `past`).
//!
//! Texts that other tools group otherwise are read with a remark ([`parse_with_remarks`], module `grouping`). `a xor b`
//! is `!(a <-> b)`, and operators with bounds stand for nested `X` (module `bounded`).
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
//! `#p`, `tokens(p, …)` and `bounds(p, …)`. The name of a variable is its number, too (`p <= 1`), where it is no word of the
//! notation. A variable whose values have names is compared with one of them: `#x = idle`, `x != idle`, or `x.idle`. A path formula has `action(a, …)` for a next step with one of these
//! labels. A model may have state labels, conditions of its own: `label(a)`. Names start with a letter or `_` and go on with letters, digits, `_` and `.`; any other name is put in double quotes, `\` before `"` and `\` inside them.

mod atoms;
mod bounded;
mod comparison;
mod decision;
mod declare;
mod error;
mod grouping;
mod lexer;
mod operators;
mod past;
mod propositional;

use super::ast::{Comparison, Expr, Formula, MAX_DEPTH};
use super::pool::{ExprId, FormulaId, Pool};
use super::symbols::Symbols;
use indexmap::IndexSet;
use operators::{Infix, Level, Prefix};
use rustc_hash::{FxBuildHasher, FxHashMap};

pub use decision::Decision;
pub use declare::DECLARE;
pub use error::ParseError;
pub(crate) use error::ParseErrorKind;
pub(super) use lexer::{is_name_part, is_name_start};
pub(crate) use past::PAST_LETTERS;
pub(crate) use propositional::{Propositional, RESERVED, Words, parse_propositional};

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
    parse_with_remarks(text, symbols, pool).map(|(formula, _)| formula)
}

/// As [`parse()`], with remarks on what may be meant otherwise: each a column of the text, in characters from 1, and a
/// sentence.
///
/// ```
/// use starset::formula::{Pool, Symbols, parse_with_remarks};
/// use starset::net::NetBuilder;
/// let mut b = NetBuilder::new("n");
/// b.place("p", 1)?;
/// b.place("q", 0)?;
/// let symbols = Symbols::new(&b.build()?);
/// let (_, remarks) = parse_with_remarks("EF #p = 0 & #q = 1", &symbols, &mut Pool::new()).unwrap();
/// assert_eq!(remarks[0].0, 11);
/// assert!(remarks[0].1.starts_with("`E` on the left covers `EF #p = 0` only"));
/// let (_, remarks) = parse_with_remarks("EF (#p = 0 & #q = 1)", &symbols, &mut Pool::new()).unwrap();
/// assert!(remarks.is_empty());
/// # Ok::<(), starset::net::BuildError>(())
/// ```
///
/// # Errors
/// [`ParseError`].
pub fn parse_with_remarks(
    text: &str,
    symbols: &Symbols,
    pool: &mut Pool,
) -> Result<(FormulaId, Vec<(usize, String)>), ParseError> {
    Parser::new(text, symbols, pool, Atoms::OfModel).read()
}

/// As [`parse_with_remarks`], of a formula about finite runs, where `N` is the weak next and the templates of [`DECLARE`] are known.
///
/// # Errors
/// [`ParseError`].
pub fn parse_finite(
    text: &str,
    symbols: &Symbols,
    pool: &mut Pool,
) -> Result<(FormulaId, Vec<(usize, String)>), ParseError> {
    let mut parser = Parser::new(text, symbols, pool, Atoms::OfModel);
    parser.finite = true;
    parser.read()
}

/// Names that stand for formulas, and whether formulas are about finite runs.
#[derive(Default)]
pub(super) struct Defined {
    pub(super) names: FxHashMap<String, FormulaId>,
    pub(super) finite: bool,
}

/// As [`parse_with_remarks`], or [`parse_finite`], where names stand for formulas.
pub(super) fn parse_defined(
    text: &str,
    symbols: &Symbols,
    pool: &mut Pool,
    defined: &Defined,
) -> Result<(FormulaId, Vec<(usize, String)>), ParseError> {
    let mut parser = Parser::new(text, symbols, pool, Atoms::OfModel);
    (parser.defined, parser.finite) = (Some(&defined.names), defined.finite);
    parser.read()
}

/// May a formula be called so, or does the name mean something else in formulas about a model?
pub(super) fn is_free(name: &str, symbols: &Symbols) -> bool {
    let operator = |c: char| "EAXFG".contains(c);
    let taken = RESERVED.contains(&name) || atoms::KEYWORDS.contains(&name) || name == "timelock" || name == "label";
    !taken && !name.chars().all(operator) && symbols.place(name).is_err()
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
    Parser::new(text, symbols, pool, Atoms::Actions).read().map(|(formula, _)| formula)
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

/// Characters of a formula that a remark repeats.
const SHOWN: usize = 60;

const MIXED: &str = "in `A[p U q]` the sides of the temporal operator need parentheses when they have infix \
                     operators: write `A[p U (q | r)]` or `A[(p U q) | r]`";

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
    /// Is a temporal operator or a path quantifier, and its operand has no brackets.
    unbracketed: bool,
    mixture: Mixture,
    /// Its outermost operator, if that is infix and outside of brackets.
    outer: Option<Infix>,
}

impl Operand {
    /// An operand without operators outside of brackets.
    fn closed(item: Item, at: usize) -> Self {
        let mixture = Mixture::Plain;
        Operand { item, at, loose_quantifier: false, unbracketed: false, mixture, outer: None }
    }
}

/// The meaning of a name alone.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Atoms {
    /// A variable of the model.
    OfModel,
    /// An action; an unknown one is never taken.
    Actions,
    /// A proposition, whatever its name.
    Propositions,
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

struct Parser<'a> {
    text: &'a str,
    /// Byte offset of the next character.
    at: usize,
    depth: u32,
    symbols: &'a Symbols,
    pool: &'a mut Pool,
    atoms: Atoms,
    /// Are words finite, so that there is a weak next?
    finite: bool,
    /// Are decisions of processes propositions as well?
    decisions: bool,
    /// Names that stand for formulas.
    defined: Option<&'a FxHashMap<String, FormulaId>>,
    /// The propositions so far, where atoms are such.
    propositions: IndexSet<String, FxBuildHasher>,
    /// Remarks about other meanings, with offsets.
    remarks: Vec<(usize, String)>,
    /// Has it been said that others group the operators in another way?
    grouping_remarked: bool,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str, symbols: &'a Symbols, pool: &'a mut Pool, atoms: Atoms) -> Self {
        let (propositions, remarks) = (IndexSet::default(), Vec::new());
        let (grouping_remarked, defined) = (false, None);
        Parser {
            text,
            at: 0,
            depth: 0,
            symbols,
            pool,
            atoms,
            finite: false,
            decisions: false,
            defined,
            propositions,
            remarks,
            grouping_remarked,
        }
    }

    /// The formula that the text is, with remarks.
    fn read(&mut self) -> Result<(FormulaId, Vec<(usize, String)>), ParseError> {
        let text = self.text;
        let formula = self.formula_to_the_end().map_err(|failure| locate(text, failure.at, failure.kind))?;
        let column = |at: usize| text.get(..at).unwrap_or(text).chars().count() + 1;
        let remarks = std::mem::take(&mut self.remarks);
        Ok((formula, remarks.into_iter().map(|(at, remark)| (column(at), remark)).collect()))
    }

    fn formula_to_the_end(&mut self) -> Parsed<FormulaId> {
        let whole = self.parse(Level::Implies)?;
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
        while let Some((infix, length)) = self.peek_infix() {
            if infix.level() < weakest {
                break;
            }
            left = self.infix(left, infix, length)?;
        }
        self.depth -= 1;
        Ok(left)
    }

    fn infix(&mut self, left: Operand, infix: Infix, length: usize) -> Parsed<Operand> {
        let operator_at = self.at;
        let spelling = &self.text[operator_at..operator_at + length];
        // In the files of the RERS challenge prefix operators bind tightest.
        if infix.level() == Level::Temporal && left.loose_quantifier && self.atoms != Atoms::Actions {
            let message = "does the path quantifier on the left cover this operator? Write `E (p U q)` if so, \
                           `(E p) U q` if not";
            return misuse(operator_at, message);
        }
        let temporal = infix.level() == Level::Temporal;
        let mut mixture = if temporal { Mixture::Temporal } else { mix(left, operator_at) };
        let item = match infix {
            Infix::Or | Infix::And => {
                let mut operands = vec![self.formula(left)?];
                let mut before = left;
                while self.peek_infix().is_some_and(|(i, _)| i == infix) {
                    let here = self.at;
                    let operand = self.right(infix)?;
                    self.remark_grouping(before, (here, spelling), infix, operand);
                    if mixture == Mixture::Plain {
                        mixture = mix(operand, operator_at);
                    }
                    let formula = self.formula(operand)?;
                    self.remark_loose(before, here, formula);
                    before = operand;
                    operands.push(formula);
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
                let bounds = self.until_bounds(infix, length)?;
                let right = if bounds.is_some() { self.parse(infix.right())? } else { self.right(infix)? };
                self.remark_grouping(left, (operator_at, spelling), infix, right);
                if mixture == Mixture::Plain {
                    mixture = mix(right, operator_at);
                }
                let b = self.formula(right)?;
                if let Some(bounds) = bounds {
                    let formula = self.bounded_until(operator_at, (a, b), bounds)?;
                    let (item, outer) = (Item::Formula(formula), Some(infix));
                    return Ok(Operand {
                        item,
                        at: left.at,
                        loose_quantifier: false,
                        unbracketed: false,
                        mixture,
                        outer,
                    });
                }
                let node = match infix {
                    Infix::Xor => Formula::Not(self.pool.add(Formula::Iff(a, b))),
                    Infix::Iff => Formula::Iff(a, b),
                    Infix::Implies => Formula::Implies(a, b),
                    Infix::Until => Formula::Until(a, b),
                    Infix::Release => Formula::Release(a, b),
                    Infix::WeakUntil => Formula::WeakUntil(a, b),
                    Infix::Since => Formula::Since(a, b),
                    Infix::Trigger => Formula::Trigger(a, b),
                    _ => Formula::StrongRelease(a, b),
                };
                Item::Formula(self.pool.add(node))
            }
        };
        let outer = Some(infix);
        Ok(Operand { item, at: left.at, loose_quantifier: false, unbracketed: false, mixture, outer })
    }

    /// In `EF a & b` the first operator covers `a` only. Where `b` has no temporal operator of its own it speaks of the
    /// initial state, which is seldom meant.
    fn remark_loose(&mut self, left: Operand, operator_at: usize, right: FormulaId) {
        let speaks_of_now = |pool: &Pool| {
            let temporal = |id: FormulaId| pool[id].is_temporal() || pool[id].is_past() || pool[id].is_about_steps();
            !matches!(pool[right], Formula::True | Formula::False)
                && !pool.subformulas(&[right]).into_iter().any(temporal)
        };
        if left.unbracketed && self.remarks.is_empty() && self.atoms == Atoms::OfModel && speaks_of_now(self.pool) {
            let covered: String = self.text[left.at..operator_at].trim().chars().take(SHOWN).collect();
            let operator: String = covered.chars().take(1).collect();
            let remark = format!(
                "`{operator}` on the left covers `{covered}` only, and what follows speaks of the initial state; \
                 write brackets around all that it should cover, or around `{covered}`"
            );
            self.remarks.push((operator_at, remark));
        }
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
        let done = |item| Ok(Operand::closed(item, at));
        if let Some(prefix) = self.prefix_of(c, word) {
            self.at += c.len_utf8();
            return self.prefix(at, prefix);
        }
        if let Some(prefix) = self.past_prefix(word) {
            self.at += word.len();
            return self.prefix(at, prefix);
        }
        match c {
            '(' => {
                let inner = self.enclosed('(', ')')?;
                done(inner)
            }
            '<' | '[' => self.modality(at),
            _ if word == "not" => {
                self.at += word.len();
                self.prefix(at, Prefix::Not)
            }
            _ if self.is_bounded_pair(word) => self.bounded_pair(at, word),
            _ if self.is_template(word) => {
                let item = self.template(word)?;
                done(item)
            }
            _ if self.atoms == Atoms::Propositions => {
                let item = self.proposition()?;
                done(item)
            }
            '"' if self.atoms == Atoms::Actions => {
                let labels = self.label()?;
                done(Item::Formula(self.pool.add(Formula::Action(labels))))
            }
            '"' => {
                let places = self.place()?;
                done(Item::Expr(self.numbers(places)))
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
            '%' => {
                let item = self.set(at)?;
                done(item)
            }
            '⊤' | '⊥' => {
                self.at += c.len_utf8();
                done(Item::Formula(self.pool.add(if c == '⊤' { Formula::True } else { Formula::False })))
            }
            _ if c.is_ascii_digit() => {
                let number = self.number(false)?;
                done(Item::Expr(self.pool.add_expr(number)))
            }
            _ => {
                let item = self.word_atom(at, word)?;
                done(item)
            }
        }
    }

    fn prefix(&mut self, at: usize, prefix: Prefix) -> Parsed<Operand> {
        if let Some(bounds) = self.bounds(prefix)? {
            return self.bounded(at, prefix, bounds);
        }
        self.skip_space();
        let operand_at = self.at;
        let quantifier = matches!(prefix, Prefix::Exists | Prefix::Forall);
        let bracketed = matches!(self.peek(), Some('(' | '['));
        // `A[] φ` is `A G φ`, `A [φ]` is `A φ`, and in `A [a] φ` the brackets are a modality.
        let opens = quantifier && self.peek() == Some('[') && !self.text[self.at..].starts_with("[]");
        let operand = if opens && !self.is_modality() {
            Operand::closed(self.enclosed('[', ']')?, operand_at)
        } else {
            self.parse(Level::Prefix)?
        };
        let formula = self.formula(operand)?;
        let loose_quantifier = if quantifier { !bracketed } else { operand.loose_quantifier };
        // `EF a` is `E` over an operand that is unbracketed itself.
        let over_prefix = Prefix::of(self.text[operand_at..].chars().next().unwrap_or(' ')).is_some();
        let unbracketed = match prefix {
            Prefix::Not => false,
            _ if over_prefix => operand.unbracketed,
            _ => !bracketed,
        };
        Ok(Operand {
            item: Item::Formula(prefix.apply(formula, self.pool)),
            at,
            loose_quantifier,
            unbracketed,
            mixture: Mixture::Plain,
            outer: None,
        })
    }

    fn enclosed(&mut self, open: char, close: char) -> Parsed<Item> {
        self.expect_char(open)?;
        let inner = self.parse(Level::Implies)?;
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

    fn formula(&mut self, operand: Operand) -> Parsed<FormulaId> {
        match operand.item {
            Item::Formula(f) => Ok(f),
            Item::Expr(e) => match self.truth(e) {
                Some(truth) => {
                    let truth = self.pool.add_expr(Expr::Const(truth.into()));
                    Ok(self.pool.add(Formula::Compare(e, Comparison::Eq, truth)))
                }
                None => misuse(operand.at, self.no_formula(operand.at)),
            },
        }
    }

    /// The value TRUE of a single variable that has this and FALSE: its name alone is a formula.
    fn truth(&self, expression: ExprId) -> Option<u64> {
        match self.pool[expression] {
            Expr::Tokens(ref variables) if variables.len() == 1 => self.symbols.truth(variables[0]),
            _ => None,
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
}

#[cfg(test)]
mod tests;
