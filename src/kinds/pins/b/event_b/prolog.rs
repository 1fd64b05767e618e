//! Terms of Prolog, as ProB writes packages of Event-B: clauses of atoms, numbers, lists and compound terms.
//!
//! Left out: operators (but a minus before a number), strings of codes, and all that is no data.

use super::super::error::{Error, Pos, Res};

/// How deep terms may be nested.
const DEPTH: usize = 400;

/// A term, with its place.
#[derive(Clone, Debug)]
pub(super) struct Term {
    /// Where it is.
    pub pos: Pos,
    /// What it is.
    pub kind: Form,
}

/// Forms of terms.
#[derive(Clone, Debug)]
pub(super) enum Form {
    /// A name.
    Atom(String),
    /// A number; `None` beyond 64 bits.
    Number(Option<i64>),
    /// A variable.
    Variable,
    /// `[a, b]`
    List(Vec<Term>),
    /// `f(a, b)`
    Compound(String, Vec<Term>),
}

impl Term {
    /// The functor and its arguments; an atom has none.
    pub(super) fn parts(&self) -> Option<(&str, &[Term])> {
        match &self.kind {
            Form::Atom(name) => Some((name, &[])),
            Form::Compound(name, arguments) => Some((name, arguments)),
            _ => None,
        }
    }
}

struct Reader<'t> {
    rest: &'t str,
    pos: Pos,
    depth: usize,
}

/// The clauses of a text; those that are no data are left out.
///
/// # Errors
/// When the text is no Prolog.
pub(super) fn clauses(text: &str, file: u16) -> Res<Vec<Term>> {
    let mut reader =
        Reader { rest: text.trim_start_matches('\u{feff}'), pos: Pos { file, line: 1, column: 1 }, depth: 0 };
    let mut found = Vec::new();
    loop {
        reader.blanks();
        if reader.rest.is_empty() {
            return Ok(found);
        }
        if reader.rest.starts_with(":-") {
            // A directive: up to its end.
            let end = reader.rest.find(".\n").map_or(reader.rest.len(), |at| at + 1);
            reader.eat(end);
            continue;
        }
        found.push(reader.term()?);
        reader.blanks();
        reader.need('.')?;
    }
}

impl Reader<'_> {
    fn eat(&mut self, bytes: usize) {
        let (eaten, rest) = self.rest.split_at(bytes);
        for c in eaten.chars() {
            if c == '\n' {
                self.pos.line += 1;
                self.pos.column = 1;
            } else {
                self.pos.column += 1;
            }
        }
        self.rest = rest;
    }

    fn blanks(&mut self) {
        loop {
            let blank = self.rest.len() - self.rest.trim_start().len();
            self.eat(blank);
            let comment = if self.rest.starts_with('%') {
                self.rest.find('\n').unwrap_or(self.rest.len())
            } else if self.rest.starts_with("/*") {
                self.rest.find("*/").map_or(self.rest.len(), |at| at + 2)
            } else {
                return;
            };
            self.eat(comment);
        }
    }

    fn need(&mut self, c: char) -> Res<()> {
        match self.rest.starts_with(c) {
            true => {
                self.eat(c.len_utf8());
                Ok(())
            }
            false => self.expected(&format!("'{c}'")),
        }
    }

    fn expected<T>(&self, what: &str) -> Res<T> {
        let found = self.rest.chars().next().map_or_else(|| "the end".to_owned(), |c| format!("'{c}'"));
        Err(Error::syntax(self.pos, format!("expected {what}, found {found}")))
    }

    fn term(&mut self) -> Res<Term> {
        if self.depth >= DEPTH {
            return Err(Error::refused(self.pos, format!("terms are nested more than {DEPTH} deep")));
        }
        self.depth += 1;
        let found = self.inner();
        self.depth -= 1;
        found
    }

    fn inner(&mut self) -> Res<Term> {
        self.blanks();
        let pos = self.pos;
        let made = |kind| Ok(Term { pos, kind });
        let Some(first) = self.rest.chars().next() else { return self.expected("a term") };
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let end = |text: &str| text.find(|c| !is_word(c)).unwrap_or(text.len());
        if first == '[' {
            self.eat(1);
            let items = self.list(']')?;
            return match self.rest.starts_with('(') {
                true => self.expected("no argument of a list"),
                false => made(Form::List(items)),
            };
        }
        if first == '_' || first.is_uppercase() {
            self.eat(end(self.rest));
            return made(Form::Variable);
        }
        let negative = first == '-' && self.rest[1..].starts_with(|c: char| c.is_ascii_digit());
        if first.is_ascii_digit() || negative {
            let begin = usize::from(negative);
            let length =
                begin + self.rest[begin..].find(|c: char| !c.is_ascii_digit()).unwrap_or(self.rest.len() - begin);
            let number = self.rest[..length].parse().ok();
            self.eat(length);
            return made(Form::Number(number));
        }
        let name = if first == '\'' {
            self.quoted()?
        } else if first.is_alphabetic() {
            let length = end(self.rest);
            let name = self.rest[..length].to_owned();
            self.eat(length);
            name
        } else {
            return self.expected("a term");
        };
        if !self.rest.starts_with('(') {
            return made(Form::Atom(name));
        }
        self.eat(1);
        let arguments = self.list(')')?;
        made(Form::Compound(name, arguments))
    }

    /// Terms between commas up to a bracket.
    fn list(&mut self, close: char) -> Res<Vec<Term>> {
        let mut items = Vec::new();
        self.blanks();
        if self.rest.starts_with(close) {
            self.eat(1);
            return Ok(items);
        }
        loop {
            items.push(self.term()?);
            self.blanks();
            if self.rest.starts_with(',') {
                self.eat(1);
            } else {
                self.need(close)?;
                return Ok(items);
            }
        }
    }

    /// An atom in quotes.
    fn quoted(&mut self) -> Res<String> {
        let (mut name, begin) = (String::new(), self.pos);
        self.eat(1);
        loop {
            let Some(c) = self.rest.chars().next() else {
                return Err(Error::syntax(begin, "this atom has no end: add '".into()));
            };
            self.eat(c.len_utf8());
            match c {
                '\'' if self.rest.starts_with('\'') => {
                    self.eat(1);
                    name.push('\'');
                }
                '\'' => return Ok(name),
                '\\' => self.escaped(&mut name)?,
                c => name.push(c),
            }
        }
    }

    /// Behind a backslash in quotes.
    fn escaped(&mut self, name: &mut String) -> Res<()> {
        let Some(c) = self.rest.chars().next() else { return self.expected("a character") };
        self.eat(c.len_utf8());
        match c {
            'n' => name.push('\n'),
            't' => name.push('\t'),
            '\n' => {}
            // A character by its number: `\x3b1\`, `\123\`.
            c if c == 'x' || c.is_digit(8) => {
                let digits = if c == 'x' { String::new() } else { c.to_string() };
                let length = self.rest.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(self.rest.len());
                let digits = digits + &self.rest[..length];
                self.eat(length);
                self.need('\\')?;
                let number = u32::from_str_radix(&digits, if c == 'x' { 16 } else { 8 });
                match number.ok().and_then(char::from_u32) {
                    Some(c) => name.push(c),
                    None => return self.expected("the number of a character"),
                }
            }
            c => name.push(c),
        }
        Ok(())
    }
}
