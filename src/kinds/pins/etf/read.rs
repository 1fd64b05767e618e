//! Reading ETF.
//!
//! The sections `state` and `edge` come first, in this order; then one `init` and any number of `trans`, `map` and
//! `sort`. All rows of a `trans` section have values in the same columns; sections without rows are dropped, as in
//! LTSmin. Values that are written as such where a number could be are added to the table of their sort.

use rustc_hash::FxHashMap;

use super::super::source::{Fault, Place, SourceError};
use super::lexer::{Kind, Token, tokens};
use super::{Declaration, Description, Map, Relation, Row};

/// Read a description; `file` is what messages call the text.
///
/// # Errors
/// At the first thing that does not fit.
pub fn read(file: &str, text: &str) -> Result<Description, SourceError> {
    let mut reader = match tokens(text) {
        Ok(tokens) => Reader { tokens, at: 0, description: Description::default(), initialised: false },
        Err(fault) => return Err(fault.in_file(file)),
    };
    reader.sections().map_err(|fault| fault.in_file(file))?;
    Ok(reader.description)
}

/// An entry of a row of `trans`.
enum Entry {
    Star,
    Step(u32, u32),
    Number(u32),
    Value(Vec<u8>),
}

struct Reader {
    tokens: Vec<Token>,
    /// The token that comes next. The last one is never passed.
    at: usize,
    description: Description,
    initialised: bool,
}

impl Reader {
    fn peek(&self) -> &Kind {
        &self.tokens[self.at].kind
    }

    fn place(&self) -> Place {
        self.tokens[self.at].place
    }

    fn step(&mut self) {
        if *self.peek() != Kind::End {
            self.at += 1;
        }
    }

    fn skip_lines(&mut self) {
        while *self.peek() == Kind::Line {
            self.step();
        }
    }

    fn sees(&self, word: &str) -> bool {
        matches!(self.peek(), Kind::Name(name, true) if name == word)
    }

    fn unexpected(&self, wanted: &str) -> Fault {
        Fault::new(self.place(), format!("expected {wanted}, found {}", self.peek().quoted()))
    }

    fn word(&mut self, word: &str) -> Result<(), Fault> {
        if !self.sees(word) {
            return Err(self.unexpected(&format!("`{word}`")));
        }
        self.step();
        Ok(())
    }

    fn begin(&mut self, section: &str) -> Result<(), Fault> {
        self.skip_lines();
        self.word("begin")?;
        self.word(section)
    }

    fn end(&mut self, section: &str) -> Result<(), Fault> {
        self.word("end")?;
        self.word(section)
    }

    fn sections(&mut self) -> Result<(), Fault> {
        self.begin("state")?;
        self.description.variables = self.declarations()?;
        if self.description.variables.is_empty() {
            return Err(Fault::new(self.place(), "the state has no variables: declare at least one as `name:sort`"));
        }
        self.end("state")?;
        self.begin("edge")?;
        self.description.edge_labels = self.declarations()?;
        self.end("edge")?;
        loop {
            self.skip_lines();
            if *self.peek() == Kind::End {
                break;
            }
            self.word("begin")?;
            match self.peek() {
                Kind::Name(name, true) if name == "init" => self.initial()?,
                Kind::Name(name, true) if name == "trans" => self.relation()?,
                Kind::Name(name, true) if name == "map" => self.map()?,
                Kind::Name(name, true) if name == "sort" => self.sort()?,
                _ => return Err(self.unexpected("`init`, `trans`, `map` or `sort`")),
            }
        }
        if self.initialised { Ok(()) } else { Err(self.unexpected("a section `init`")) }
    }

    /// A name, or `_`.
    fn name(&mut self, what: &str) -> Result<String, Fault> {
        match self.peek() {
            Kind::Name(_, true) => Err(self.unexpected(&format!("{what} (a word of ETF needs a `\\` before it)"))),
            Kind::Name(name, false) => {
                let name = name.clone();
                self.step();
                Ok(name)
            }
            _ => Err(self.unexpected(what)),
        }
    }

    /// `name:sort`, which makes the sort known.
    fn declaration(&mut self) -> Result<Declaration, Fault> {
        let name = self.name("a name")?;
        if *self.peek() != Kind::Mark(':') {
            return Err(self.unexpected("`:` and a sort"));
        }
        self.step();
        let sort = self.name("the name of a sort")?;
        self.description.sorts.entry(sort.clone()).or_default();
        Ok(Declaration { name, sort })
    }

    fn declarations(&mut self) -> Result<Vec<Declaration>, Fault> {
        let mut all = Vec::new();
        loop {
            self.skip_lines();
            if self.sees("end") {
                return Ok(all);
            }
            all.push(self.declaration()?);
        }
    }

    /// The number of a value of a sort, which is added if it is new.
    fn intern(&mut self, sort: &str, value: Vec<u8>) -> u32 {
        let (number, _) = self.description.sorts.entry(sort.to_owned()).or_default().insert_full(value);
        u32::try_from(number).unwrap_or(u32::MAX - 1)
    }

    /// The number of an initial value of a variable.
    fn intern_initial(&mut self, variable: usize, value: Vec<u8>) -> u32 {
        match self.description.variables.get(variable).map(|declared| declared.sort.clone()) {
            Some(sort) => self.intern(&sort, value),
            None => 0,
        }
    }

    fn initial(&mut self) -> Result<(), Fault> {
        let place = self.place();
        if std::mem::replace(&mut self.initialised, true) {
            return Err(Fault::new(place, "a second section `init`: ETF has one initial state"));
        }
        self.step();
        let mut state = Vec::new();
        loop {
            self.skip_lines();
            let number = match self.peek().clone() {
                Kind::Name(_, true) => break,
                Kind::Number(number) => number,
                Kind::Value(value) => self.intern_initial(state.len(), value),
                Kind::Name(name, false) => self.intern_initial(state.len(), name.into_bytes()),
                _ => return Err(self.unexpected("a value")),
            };
            state.push(number);
            self.step();
        }
        if state.len() != self.description.variables.len() {
            let (found, wanted) = (state.len(), self.description.variables.len());
            return Err(Fault::new(place, format!("the initial state has {found} values for {wanted} variables")));
        }
        self.description.initial = state;
        self.end("init")
    }

    fn relation(&mut self) -> Result<(), Fault> {
        self.step();
        let mut relation = Relation::default();
        loop {
            self.skip_lines();
            if self.sees("end") {
                break;
            }
            let place = self.place();
            let (columns, row) = self.row(place)?;
            if relation.rows.is_empty() {
                relation.columns = columns;
            } else if relation.columns != columns {
                let message = "the rows of a section must have `*` in the same columns: make another section";
                return Err(Fault::new(place, message));
            }
            relation.rows.push(row);
        }
        self.end("trans")?;
        if !relation.rows.is_empty() {
            self.description.relations.push(relation);
        }
        Ok(())
    }

    /// A row of `trans`: its columns and what they say.
    fn row(&mut self, place: Place) -> Result<(Vec<usize>, Row), Fault> {
        let (variables, labels) = (self.description.variables.len(), self.description.edge_labels.len());
        let mut entries = Vec::with_capacity(variables + labels);
        while !matches!(self.peek(), Kind::Line | Kind::End) {
            entries.push(self.entry()?);
        }
        if entries.len() != variables + labels {
            let found = entries.len();
            let message = format!("this row has {found} entries for {variables} variables and {labels} edge labels");
            return Err(Fault::new(place, message));
        }
        let mut columns = Vec::new();
        let mut row = Row { old: Vec::new(), new: Vec::new(), labels: Vec::new() };
        for (number, entry) in entries.into_iter().enumerate() {
            match entry {
                Entry::Star if number < variables => {}
                Entry::Step(old, new) if number < variables => {
                    columns.push(number);
                    row.old.push(old);
                    row.new.push(new);
                }
                Entry::Number(value) if number >= variables => row.labels.push(value),
                Entry::Value(value) if number >= variables => {
                    let sort = self.description.edge_labels[number - variables].sort.clone();
                    let value = self.intern(&sort, value);
                    row.labels.push(value);
                }
                _ => {
                    let message = format!(
                        "entry {} of this row does not fit: first `*` or `old/new` for each variable, then a value \
                         for each edge label",
                        number + 1
                    );
                    return Err(Fault::new(place, message));
                }
            }
        }
        Ok((columns, row))
    }

    fn entry(&mut self) -> Result<Entry, Fault> {
        let entry = match self.peek().clone() {
            Kind::Mark('*') => Entry::Star,
            Kind::Value(value) => Entry::Value(value),
            Kind::Name(name, false) => Entry::Value(name.into_bytes()),
            Kind::Number(old) => {
                self.step();
                if *self.peek() != Kind::Mark('/') {
                    return Ok(Entry::Number(old));
                }
                self.step();
                match *self.peek() {
                    Kind::Number(new) => Entry::Step(old, new),
                    _ => return Err(self.unexpected("a number")),
                }
            }
            _ => return Err(self.unexpected("`*`, `old/new` or a value")),
        };
        self.step();
        Ok(entry)
    }

    fn map(&mut self) -> Result<(), Fault> {
        self.step();
        let Declaration { name, sort } = self.declaration()?;
        let variables = self.description.variables.len();
        let mut rows = Vec::new();
        loop {
            self.skip_lines();
            if self.sees("end") {
                break;
            }
            let place = self.place();
            let mut row = Vec::with_capacity(variables);
            while row.len() < variables {
                row.push(match *self.peek() {
                    Kind::Mark('*') => None,
                    Kind::Number(number) => Some(number),
                    _ => return Err(self.unexpected("a value of a variable or `*`")),
                });
                self.step();
            }
            let value = match self.peek().clone() {
                Kind::Number(number) => number,
                Kind::Value(value) => self.intern(&sort, value),
                Kind::Name(name, false) => self.intern(&sort, name.into_bytes()),
                _ => return Err(self.unexpected("the value of the label")),
            };
            self.step();
            if !matches!(self.peek(), Kind::Line | Kind::End) {
                return Err(Fault::new(place, format!("this row is too long: {variables} entries and a value")));
            }
            rows.push((row, value));
        }
        self.description.maps.push(Map { name, sort, rows });
        self.end("map")
    }

    fn sort(&mut self) -> Result<(), Fault> {
        self.step();
        let place = self.place();
        let sort = self.name("the name of a sort")?;
        if self.description.sorts.get(&sort).is_some_and(|values| !values.is_empty()) {
            let message = format!("sort `{sort}` has values already: put this section before their first use");
            return Err(Fault::new(place, message));
        }
        self.description.sorts.entry(sort.clone()).or_default();
        let mut seen: FxHashMap<Vec<u8>, Place> = FxHashMap::default();
        loop {
            self.skip_lines();
            let value = match self.peek().clone() {
                Kind::Name(_, true) => break,
                Kind::Value(value) => value,
                Kind::Name(name, false) => name.into_bytes(),
                _ => return Err(self.unexpected("a value (quote it if it is a number)")),
            };
            let place = self.place();
            if let Some(first) = seen.insert(value.clone(), place) {
                let message = format!("this value of sort `{sort}` is the same as that of line {}", first.line);
                return Err(Fault::new(place, message));
            }
            self.intern(&sort, value);
            self.step();
        }
        self.end("sort")
    }
}
