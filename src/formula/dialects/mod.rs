//! Formulas in the notations of other tools: of LoLA (`.formula`, `.task`, `.lola`) and of TAPAAL (`.q`, and the
//! queries in its nets).
//!
//! **Problem.** Their notations look like ours and are not: a name alone is a number of tokens, `a -> b -> c` may group
//! to the left, and in TAPAAL `or` binds no weaker than `and`. One spelling has one meaning in this program, so they
//! are never read as ours: the extension of the file says which notation it is, and the option `-f` takes ours alone.
//!
//! **Idea.** Both are operator precedence over the same few operators, so they share a parser (as in
//! [`parse`](super::parse())) and differ in words, names, and in what is refused. Where versions of a tool, or tools
//! and people, disagree about what a text means, it is refused with the brackets that make it plain.
//!
//! | | LoLA | TAPAAL |
//! |---|---|---|
//! | paths | `EF`, `AGEF`, `ALLPATH`, `EXPATH`, `ALWAYS`, `EVENTUALLY`, `NEXTSTATE`, `(a UNTIL b)`, `(a RELEASE b)` | `EF`, `A F`, `E<>`, `A[]`, `(a) U (b)` |
//! | whole formulas | `REACHABLE`, `INVARIANT`, `IMPOSSIBLE`, `MAX(p + q)` | |
//! | Boolean | `NOT`, `AND`, `OR`, `XOR`, `->`, `<->` | `!` `not`, `and` `&&` `&`, `or` `\|\|` `\|` |
//! | atoms | `TRUE`, `FALSE`, `DEADLOCK`, `FIREABLE(t)`, comparisons | `true`, `false`, `deadlock`, `t?`, `is-fireable(t)`, comparisons |
//! | numbers | `p`, `3`, `+`, `-`, `2 * p` | `p`, `C.p`, `tokens-count(p, q)`, `3`, `+`, `-`, `*` |
//!
//! *Sources*: the grammars of LoLA 2 and of verifypn, and their manuals.

mod lola;
mod tapaal;
#[cfg(test)]
mod tests;

use super::ast::{Comparison, Expr, Formula, MAX_DEPTH};
use super::mcc::{Property, PropertyError, PropertyProblem, PropertyQuestion};
use super::pool::{ExprId, FormulaId, Pool};
use super::symbols::Symbols;
use crate::net::{PlaceId, TransitionId};
use crate::xml::Location;
use std::path::Path;

/// A notation of another tool.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    /// That of LoLA 2.
    Lola,
    /// That of TAPAAL and its engine verifypn.
    Tapaal,
}

impl Dialect {
    /// The notation that the extension of a file stands for, if it is none of ours.
    pub(super) fn of_file(name: &str) -> Option<Dialect> {
        match Path::new(name).extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "formula" | "task" | "lola" => Some(Dialect::Lola),
            "q" => Some(Dialect::Tapaal),
            _ => None,
        }
    }
}

/// The questions in a text of a dialect; `file` is its name in messages. Formulas of LoLA may be several, with `:`
/// between them; their identifiers are numbers from 1.
///
/// ```
/// use starset::formula::{Dialect, Pool, PropertyQuestion, Symbols, read_dialect};
/// let mut net = starset::net::NetBuilder::new("n");
/// net.place("p", 1)?;
/// let (symbols, mut pool) = (Symbols::new(&net.build()?), Pool::new());
/// let found = read_dialect("AG (p + 1 <= 2 OR DEADLOCK)", "n.task", Dialect::Lola, &symbols, &mut pool).unwrap();
/// let PropertyQuestion::Formula(formula) = found[0].query else { panic!("a formula") };
/// assert_eq!(pool.display(formula, &symbols).to_string(), "A G (#p + 1 <= 2 | deadlock)");
/// # Ok::<(), starset::net::BuildError>(())
/// ```
///
/// # Errors
/// [`PropertyError`] where the text is not of this notation, or names what the net does not have.
pub fn read_dialect(
    text: &str,
    file: &str,
    dialect: Dialect,
    symbols: &Symbols,
    pool: &mut Pool,
) -> Result<Vec<Property>, PropertyError> {
    let mut reader = Reader { text, at: 0, depth: 0, dialect, symbols, pool };
    let queries = if symbols.is_of_net() {
        reader.queries()
    } else {
        Err("files of LoLA and TAPAAL ask about nets without time; write the formula with -f".to_owned())
    };
    let location = |at: usize| {
        let before = text.get(..at).unwrap_or(text);
        let column = before.rsplit('\n').next().map_or(0, |line| line.chars().count()) + 1;
        Location { line: before.matches('\n').count() as u64 + 1, column: column as u64 }
    };
    let queries = queries.map_err(|message| PropertyError {
        source_name: file.to_owned(),
        location: location(reader.at),
        problem: PropertyProblem::Line(message),
    })?;
    let alone = queries.len() == 1;
    let property = |(number, (at, query)): (usize, (usize, PropertyQuestion))| Property {
        id: number.to_string(),
        description: String::new(),
        query,
        location: location(at),
        remarks: Vec::new(),
        // Of several it is not kept where each ends.
        written: alone.then(|| text.trim().to_owned()),
        assumptions: Vec::new(),
    };
    Ok((1..).zip(queries).map(property).collect())
}

/// The next token of the text.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Token {
    End,
    /// A word or a name.
    Word(String),
    /// A name in quotation marks.
    Quoted(String),
    Number(i128),
    Sign(&'static str),
}

/// Signs, longer ones before those that they begin with.
const SIGNS: [&str; 25] = [
    "<->", "->", "&&", "||", "==", "!=", "<>", "<=", ">=", "[]", "<", ">", "=", "+", "-", "*", "(", ")", ",", ";", ":",
    "!", "&", "|", "?",
];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Infix {
    Iff,
    Implies,
    Or,
    Xor,
    And,
    Compare(Comparison),
    Plus,
    Minus,
    Times,
}

/// How tightly operands of prefix operators are bound.
const PREFIX: u8 = 5;

impl Infix {
    fn level(self) -> u8 {
        match self {
            Infix::Iff => 1,
            Infix::Implies => 2,
            Infix::Or | Infix::Xor => 3,
            Infix::And => 4,
            Infix::Compare(_) => 6,
            Infix::Plus | Infix::Minus => 7,
            Infix::Times => 8,
        }
    }
}

/// The comparison that a sign stands for in both notations.
fn comparison(sign: &str) -> Option<Infix> {
    let comparison = match sign {
        "=" | "==" => Comparison::Eq,
        "!=" | "<>" => Comparison::Ne,
        "<" => Comparison::Lt,
        "<=" => Comparison::Le,
        ">" => Comparison::Gt,
        ">=" => Comparison::Ge,
        _ => return None,
    };
    Some(Infix::Compare(comparison))
}

#[derive(Clone, Copy)]
enum Item {
    Formula(FormulaId),
    Expr(ExprId),
}

/// Something parsed.
#[derive(Clone, Copy)]
struct Operand {
    item: Item,
    /// It stands in brackets.
    enclosed: bool,
    /// It ends with a temporal operator whose operand has no brackets.
    loose: bool,
    /// Its outermost operator, if that is `and` or `or` outside of brackets.
    connective: Option<Infix>,
    /// It is `(a) U (b)` of TAPAAL outside of brackets, of which a itself may be one.
    until: Option<Nested>,
}

/// Is the first operand of an `U` one, too?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Nested(bool);

impl Operand {
    fn plain(item: Item) -> Self {
        Operand { item, enclosed: false, loose: false, connective: None, until: None }
    }
}

type Parsed<T> = Result<T, String>;

struct Reader<'a> {
    text: &'a str,
    /// Byte offset of what is next; where the error is, if there is one.
    at: usize,
    depth: u32,
    dialect: Dialect,
    symbols: &'a Symbols,
    pool: &'a mut Pool,
}

impl Reader<'_> {
    fn queries(&mut self) -> Parsed<Vec<(usize, PropertyQuestion)>> {
        match self.dialect {
            Dialect::Lola => self.lola(),
            Dialect::Tapaal => self.tapaal(),
        }
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    /// Step over blanks, and over comments where there are any.
    fn skip(&mut self) -> Parsed<()> {
        loop {
            let rest = self.rest();
            let blank = rest.len() - rest.trim_start().len();
            let comment = if self.dialect == Dialect::Lola { lola::comment(&rest[blank..])? } else { 0 };
            self.at += blank + comment;
            if comment == 0 {
                return Ok(());
            }
        }
    }

    /// The next token, and its length in bytes. The blanks before it have been passed.
    fn peek(&mut self) -> Parsed<(Token, usize)> {
        self.skip()?;
        let rest = self.rest();
        if rest.is_empty() {
            return Ok((Token::End, 0));
        }
        let word = match self.dialect {
            Dialect::Lola => self.lola_word()?,
            Dialect::Tapaal => self.tapaal_word()?,
        };
        if let Some((word, length)) = word {
            return match word {
                Token::Word(digits) if digits.bytes().all(|c| c.is_ascii_digit()) => match digits.parse() {
                    Ok(number) => Ok((Token::Number(number), length)),
                    Err(_) => Err("number too large (at most 2^127-1)".to_owned()),
                },
                word => Ok((word, length)),
            };
        }
        match SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            Some(sign) => Ok((Token::Sign(sign), sign.len())),
            None => Err(format!("`{}` is not known here", rest.chars().next().unwrap_or(' ').escape_debug())),
        }
    }

    fn next(&mut self) -> Parsed<Token> {
        let (token, length) = self.peek()?;
        self.at += length;
        Ok(token)
    }

    fn take(&mut self, sign: &str) -> Parsed<bool> {
        let (token, length) = self.peek()?;
        let found = matches!(token, Token::Sign(found) if found == sign);
        self.at += if found { length } else { 0 };
        Ok(found)
    }

    fn expect(&mut self, sign: &str) -> Parsed<()> {
        if self.take(sign)? { Ok(()) } else { self.unexpected(&format!("`{sign}`")) }
    }

    fn unexpected<T>(&mut self, expected: &str) -> Parsed<T> {
        let found = match self.peek()?.0 {
            Token::End => "the end".to_owned(),
            Token::Word(word) | Token::Quoted(word) => format!("`{}`", word.chars().take(60).collect::<String>()),
            Token::Number(number) => format!("`{number}`"),
            Token::Sign(sign) => format!("`{sign}`"),
        };
        Err(format!("expected {expected}, found {found}"))
    }

    /// The infix operator that is next, and its length.
    fn infix(&mut self) -> Parsed<Option<(Infix, usize)>> {
        let (token, length) = self.peek()?;
        let infix = match self.dialect {
            Dialect::Lola => lola::infix(&token),
            Dialect::Tapaal => tapaal::infix(&token),
        };
        Ok(infix.map(|infix| (infix, length)))
    }

    /// A formula, to its end.
    fn whole(&mut self) -> Parsed<FormulaId> {
        let operand = self.parse(1)?;
        let formula = self.formula(operand)?;
        if self.pool.depth(formula) > MAX_DEPTH { Err(too_deep()) } else { Ok(formula) }
    }

    /// An operand, and every infix operator after it that binds at least so tightly.
    fn parse(&mut self, weakest: u8) -> Parsed<Operand> {
        if self.depth >= MAX_DEPTH {
            return Err(too_deep());
        }
        self.depth += 1;
        let mut left = match self.dialect {
            Dialect::Lola => self.lola_operand()?,
            Dialect::Tapaal => self.tapaal_operand()?,
        };
        while let Some((infix, length)) = self.infix()? {
            if infix.level() < weakest {
                break;
            }
            left = self.apply(left, infix, length)?;
        }
        self.depth -= 1;
        Ok(left)
    }

    /// The infix operator that is next, with its operands.
    fn apply(&mut self, left: Operand, infix: Infix, length: usize) -> Parsed<Operand> {
        let right = |reader: &mut Self, before: Operand, length: usize| {
            if reader.dialect == Dialect::Tapaal {
                tapaal::check(infix, before)?;
            }
            reader.at += length;
            reader.parse(infix.level() + 1)
        };
        let (item, last) = match infix {
            Infix::And | Infix::Or => {
                let (mut operands, mut last) = (vec![self.formula(left)?], left);
                while let Some((_, length)) = self.infix()?.filter(|(next, _)| *next == infix) {
                    let operand = right(self, last, length)?;
                    operands.push(self.formula(operand)?);
                    last = operand;
                }
                if self.dialect == Dialect::Tapaal {
                    tapaal::check_last(infix, last)?;
                }
                let node = if infix == Infix::And { Formula::And(operands) } else { Formula::Or(operands) };
                (Item::Formula(self.pool.add(node)), last)
            }
            Infix::Plus | Infix::Minus => {
                let mut operands = vec![self.expr(left)?];
                while let Some((sign @ (Infix::Plus | Infix::Minus), length)) = self.infix()? {
                    let operand = right(self, left, length)?;
                    let operand = self.expr(operand)?;
                    operands.push(if sign == Infix::Minus { self.pool.add_expr(Expr::Neg(operand)) } else { operand });
                }
                (Item::Expr(self.pool.add_expr(Expr::Add(operands))), Operand::plain(left.item))
            }
            Infix::Times => {
                let (a, operand) = (self.expr(left)?, right(self, left, length)?);
                let b = self.expr(operand)?;
                (Item::Expr(self.pool.add_expr(Expr::Mul(a, b))), Operand::plain(left.item))
            }
            Infix::Compare(comparison) => {
                let (a, operand) = (self.expr(left)?, right(self, left, length)?);
                let b = self.expr(operand)?;
                (Item::Formula(self.pool.add(Formula::Compare(a, comparison, b))), Operand::plain(left.item))
            }
            Infix::Iff | Infix::Implies | Infix::Xor => {
                let (a, operand) = (self.formula(left)?, right(self, left, length)?);
                let b = self.formula(operand)?;
                if infix != Infix::Xor && self.infix()?.is_some_and(|(next, _)| next == infix) {
                    return Err("does this group to the left or to the right? Write brackets".to_owned());
                }
                let node = match infix {
                    Infix::Implies => Formula::Implies(a, b),
                    Infix::Iff => Formula::Iff(a, b),
                    _ => {
                        let same = self.pool.add(Formula::Iff(a, b));
                        Formula::Not(same)
                    }
                };
                (Item::Formula(self.pool.add(node)), operand)
            }
        };
        let connective = Some(infix).filter(|infix| matches!(infix, Infix::And | Infix::Or));
        Ok(Operand { loose: last.loose, connective, ..Operand::plain(item) })
    }

    /// The operand of a prefix operator that is no path quantifier and no temporal one.
    fn negated(&mut self) -> Parsed<Operand> {
        let operand = self.parse(PREFIX)?;
        tapaal::check_until(operand, false)?;
        let formula = self.formula(operand)?;
        let item = Item::Formula(self.pool.add(Formula::Not(formula)));
        Ok(Operand { loose: operand.loose, ..Operand::plain(item) })
    }

    /// The operand of these letters, as in `AGEF`.
    fn temporal(&mut self, letters: &str) -> Parsed<Operand> {
        let operand = self.parse(PREFIX)?;
        tapaal::check_until(operand, matches!(letters, "A" | "E"))?;
        let mut formula = self.formula(operand)?;
        for letter in letters.chars().rev() {
            formula = self.pool.add(match letter {
                'A' => Formula::Forall(formula),
                'E' => Formula::Exists(formula),
                'F' => Formula::Finally(formula),
                'G' => Formula::Globally(formula),
                _ => Formula::Next(formula),
            });
        }
        let of_prefix = operand.connective.is_none() && self.is_temporal(operand);
        let loose = !operand.enclosed && (!of_prefix || operand.loose);
        Ok(Operand { loose, ..Operand::plain(Item::Formula(formula)) })
    }

    fn is_temporal(&self, operand: Operand) -> bool {
        let Item::Formula(formula) = operand.item else { return false };
        matches!(self.pool[formula], Formula::Exists(_) | Formula::Forall(_)) || self.pool[formula].is_temporal()
    }

    /// The part in brackets, the first of which has been passed; perhaps with a binary temporal operator.
    fn enclosed(&mut self) -> Parsed<Operand> {
        let inner = self.parse(1)?;
        let item = match self.binary_temporal()? {
            Some((release, length)) => {
                self.at += length;
                let a = self.formula(inner)?;
                let right = self.parse(1)?;
                let b = self.formula(right)?;
                Item::Formula(self.pool.add(if release { Formula::Release(a, b) } else { Formula::Until(a, b) }))
            }
            None => inner.item,
        };
        if !self.take(")")? {
            return self.unexpected("an operator or `)`");
        }
        Ok(Operand { enclosed: true, ..Operand::plain(item) })
    }

    /// Is `UNTIL` or `RELEASE` next, and which?
    fn binary_temporal(&mut self) -> Parsed<Option<(bool, usize)>> {
        let (token, length) = self.peek()?;
        let Token::Word(word) = token else { return Ok(None) };
        Ok(match (self.dialect, word.as_str()) {
            (Dialect::Lola, "UNTIL" | "U") | (Dialect::Tapaal, "U") => Some((false, length)),
            (Dialect::Lola, "RELEASE" | "R") => Some((true, length)),
            _ => None,
        })
    }

    fn formula(&self, operand: Operand) -> Parsed<FormulaId> {
        match operand.item {
            Item::Formula(formula) => Ok(formula),
            Item::Expr(_) => Err("expected a formula, found a number; compare it, as in `p > 0`".to_owned()),
        }
    }

    fn expr(&self, operand: Operand) -> Parsed<ExprId> {
        match operand.item {
            Item::Expr(expr) => Ok(expr),
            Item::Formula(_) => Err("expected a number, found a formula".to_owned()),
        }
    }

    fn constant(&mut self, number: i128) -> Operand {
        Operand::plain(Item::Expr(self.pool.add_expr(Expr::Const(number))))
    }

    fn tokens(&mut self, mut places: Vec<PlaceId>) -> Operand {
        places.sort_unstable();
        Operand::plain(Item::Expr(self.pool.add_expr(Expr::Tokens(places))))
    }

    fn atom(&mut self, atom: Formula) -> Operand {
        Operand::plain(Item::Formula(self.pool.add(atom)))
    }

    fn enabled(&mut self, mut transitions: Vec<TransitionId>) -> Operand {
        transitions.sort_unstable();
        transitions.dedup();
        self.atom(Formula::Enabled(transitions))
    }
}

fn too_deep() -> String {
    format!("nested deeper than {MAX_DEPTH} levels")
}
