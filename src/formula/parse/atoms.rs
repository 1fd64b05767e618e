//! Atoms, modalities, and the names in them.

use super::lexer::is_name_part;
use super::operators::{Level, Prefix};
use super::{Atoms, Item, Operand, ParseErrorKind, Parsed, Parser, fail, misuse};
use crate::formula::ast::{Comparison, Expr, Formula};
use crate::formula::symbols::{NameError, nearest};
use crate::model::Standstill;
use crate::net::{PlaceId, TransitionId};

/// The words that begin an atom.
pub(super) const KEYWORDS: [&str; 7] = ["true", "false", "deadlock", "enabled", "action", "tokens", "bounds"];

impl<'a> Parser<'a> {
    /// A modality and its operand; or `<>` and `[]`, which are `F` and `G` but in property files of the RERS challenge.
    #[inline(never)]
    pub(super) fn modality(&mut self, at: usize) -> Parsed<Operand> {
        for (brackets, prefix) in [("<>", Prefix::Finally), ("[]", Prefix::Globally)] {
            if self.atoms != Atoms::Actions && self.text[self.at..].starts_with(brackets) {
                self.at += brackets.len();
                return self.prefix(at, prefix);
            }
        }
        if self.atoms == Atoms::Propositions {
            return self.expected("a formula");
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
        Ok(Operand { loose_quantifier, ..Operand::closed(Item::Formula(self.pool.add(node)), at) })
    }

    /// Is what is next, in square brackets after a quantifier, a list of labels with an operand behind it? A formula in
    /// brackets is followed by a connective or by the end.
    pub(super) fn is_modality(&mut self) -> bool {
        let at = self.at;
        self.at += 1;
        let found = self.skip_labels()
            && self.peek_infix().is_none_or(|(infix, _)| infix.level() >= Level::Comparison)
            && !matches!(self.peek(), None | Some(')' | ']' | ','));
        self.at = at;
        found
    }

    /// Skip names, or `*`, with commas between them and a bracket behind them; false where there is something else.
    fn skip_labels(&mut self) -> bool {
        loop {
            self.skip_space();
            if self.peek() == Some('*') {
                self.at += 1;
            } else if self.name("a label").is_err() {
                return false;
            }
            self.skip_space();
            match self.peek() {
                Some(',') => self.at += 1,
                Some(']') => {
                    self.at += 1;
                    return true;
                }
                _ => return false,
            }
        }
    }

    /// The transitions with a label.
    #[inline(never)]
    pub(super) fn label(&mut self) -> Parsed<Vec<TransitionId>> {
        let (at, name) = self.name("a label")?;
        match self.symbols.labelled(&name) {
            Ok(labels) => Ok(labels),
            Err(NameError::Unknown { .. } | NameError::WrongKind { .. }) if self.atoms == Atoms::Actions => {
                Ok(Vec::new())
            }
            Err(error) => self.bad_name(at, error),
        }
    }

    /// An atom that starts with a word.
    #[inline(never)]
    pub(super) fn word_atom(&mut self, at: usize, word: &'a str) -> Parsed<Item> {
        let atom = match word {
            "true" => Formula::True,
            "false" => Formula::False,
            "deadlock" if self.symbols.ticks() => Formula::Still(Standstill::Deadlock),
            "timelock" if self.symbols.ticks() => Formula::Still(Standstill::Timelock),
            "deadlock" => Formula::Deadlock,
            "" => return self.expected("a formula"),
            _ if self.atoms == Atoms::Actions => Formula::Action(self.label()?),
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
                if let Some(item) = self.named_atom(at, word)? {
                    return Ok(item);
                }
                let [_, action] = self.symbols.kinds();
                let hint = if self.symbols.transition(word).is_ok() {
                    format!("`{word}` is a {action}, not a formula; write `enabled({word})` or `action({word})`")
                } else if let Some(hint) = self.other_spelling(word) {
                    format!("`{word}` is not known here; {hint}")
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

    /// The meaning of a name alone, if it is a proposition of the file, a variable, a variable with a value
    /// (`P1.crit`), or one that is compared with something and is none of these.
    #[inline(never)]
    fn named_atom(&mut self, at: usize, word: &'a str) -> Parsed<Option<Item>> {
        if let Some(&formula) = self.defined.and_then(|defined| defined.get(word)) {
            self.at += word.len();
            return Ok(Some(Item::Formula(formula)));
        }
        let symbols = self.symbols;
        match symbols.place(word) {
            Ok(places) => {
                self.at += word.len();
                return Ok(Some(Item::Expr(self.numbers(places.to_vec()))));
            }
            Err(error @ NameError::Ambiguous { .. }) => return self.bad_name(at, error),
            Err(error) => {
                if let Some(item) = self.variable_with_value(at, word)? {
                    return Ok(Some(item));
                }
                // What is compared should be a variable.
                self.at += word.len();
                let compared = matches!(self.peek_infix(), Some((infix, _)) if infix.level() >= Level::Comparison);
                self.at = at;
                if compared && self.other_spelling(word).is_none() {
                    return self.bad_name(at, error);
                }
            }
        }
        Ok(None)
    }

    /// `P1.crit`: the variable `P1` has the value that is called `crit`.
    fn variable_with_value(&mut self, at: usize, word: &'a str) -> Parsed<Option<Item>> {
        for (dot, _) in word.rmatch_indices('.') {
            let (variable, value) = (&word[..dot], &word[dot + 1..]);
            let Ok(&[variable]) = self.symbols.place(variable) else { continue };
            if self.symbols.has_named_values(variable) {
                let found = self.symbols.value(variable, value);
                let value = found.or_else(|error| self.bad_name(at + dot + 1, error))?;
                self.at += word.len();
                let variable = self.pool.add_expr(Expr::Tokens(vec![variable]));
                let value = self.pool.add_expr(Expr::Const(value.into()));
                let atom = Formula::Compare(variable, Comparison::Eq, value);
                return Ok(Some(Item::Formula(self.pool.add(atom))));
            }
        }
        Ok(None)
    }

    /// The message about a number in place of a formula: of a variable, how it is asked about.
    #[cold]
    pub(super) fn no_formula(&self, at: usize) -> String {
        let rest = &self.text[at..];
        let end = rest.find(|c| !is_name_part(c)).unwrap_or(rest.len());
        let word = if rest.starts_with('"') { rest.split_inclusive('"').take(2).map(str::len).sum() } else { end };
        let word = &rest[..word];
        match self.symbols.place(word.trim_matches('"')) {
            Ok(places) if !word.is_empty() => {
                let [kind, _] = self.symbols.kinds();
                let value = places.first().and_then(|&place| self.symbols.value_name(place, 0));
                let example = value.map_or_else(|| format!("#{word} > 0"), |value| format!("{word} = {value}"));
                format!("`{word}` is a {kind}, not a formula; write `{example}`")
            }
            _ => "expected a formula, found an integer; compare it, as in `#p > 0`".to_owned(),
        }
    }

    /// How a word of other tools, or one that is misspelled, is written here.
    #[cold]
    fn other_spelling(&self, word: &str) -> Option<String> {
        let [variable, action] = self.symbols.kinds();
        let call = self.text[self.at + word.len()..].trim_start().starts_with('(');
        let lower = word.to_lowercase();
        let spelling = match lower.as_str() {
            "fireable" | "isfireable" | "is_fireable" | "firable" if call => {
                format!("that {action} `t` can happen is written `enabled(t)`")
            }
            "m" | "marking" | "mark" | "token" if call => {
                format!("the value of {variable} `p` is written `#p`, the sum of several `tokens(p, q)`")
            }
            "dead" | "stuck" => "a state without successors is called `deadlock`".to_owned(),
            "always" | "globally" => "always is written `G`".to_owned(),
            "eventually" | "finally" | "sometime" => "eventually is written `F`".to_owned(),
            "next" => "in the next state is written `X`".to_owned(),
            "n" if word == "N" => "the weak next `N` is about runs that end: give --paths finite".to_owned(),
            "until" => "until is written `U`".to_owned(),
            "exists" => "on some path is written `E`".to_owned(),
            "forall" => "on all paths is written `A`".to_owned(),
            _ => match self.joined(word) {
                Some(rest) => format!("write a blank between the operators and `{rest}`"),
                None => format!("did you mean `{}`?", nearest(word, KEYWORDS.iter().copied())?),
            },
        };
        Some(spelling)
    }

    /// The known word that follows operators without a blank, if there is one.
    fn joined<'w>(&self, word: &'w str) -> Option<&'w str> {
        let is_known = |rest: &&str| {
            ["true", "false", "deadlock", "timelock"].contains(rest)
                || self.symbols.place(rest).is_ok()
                || self.symbols.transition(rest).is_ok()
        };
        let letters = word.char_indices().take_while(|(_, letter)| matches!(letter, 'A' | 'E' | 'F' | 'G' | 'X'));
        letters.map(|(at, _)| &word[at + 1..]).find(is_known)
    }

    /// `%name`: a set of states that was given under this name.
    #[inline(never)]
    pub(super) fn set(&mut self, at: usize) -> Parsed<Item> {
        self.at += 1;
        let (_, name) = self.name("the name of a set of states")?;
        match self.symbols.set(&name) {
            Ok(set) => Ok(Item::Formula(self.pool.add(Formula::Set(set.clone())))),
            Err(NameError::Unknown { nearest: None, .. }) if !self.symbols.has_sets() => {
                misuse(at, format!("no set of states is called `{name}`: give one with --set {name}=FILE"))
            }
            Err(error) => self.bad_name(at, error),
        }
    }

    /// The list after `enabled`, `action`, `tokens` or `bounds`.
    #[inline(never)]
    pub(super) fn list_atom(&mut self, word: &str) -> Parsed<Item> {
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
            _ => Item::Expr(self.greatest(places)),
        })
    }

    #[inline(never)]
    pub(super) fn number(&mut self, negative: bool) -> Parsed<Expr> {
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

    pub(super) fn place(&mut self) -> Parsed<Vec<PlaceId>> {
        let (at, name) = self.name(&format!("a {} name", self.symbols.kinds()[0]))?;
        let symbols = self.symbols;
        symbols.place(&name).map(<[_]>::to_vec).or_else(|e| self.bad_name(at, e))
    }

    pub(super) fn transition(&mut self) -> Parsed<Vec<TransitionId>> {
        let (at, name) = self.name(&format!("a {} name", self.symbols.kinds()[1]))?;
        let symbols = self.symbols;
        symbols.activity(&name).or_else(|e| self.bad_name(at, e))
    }

    pub(super) fn bad_name<T>(&self, at: usize, error: NameError) -> Parsed<T> {
        // `#a-b` where the place is called "a-b": the name was cut short at the odd character.
        let cut = self.peek().is_some_and(|c| !c.is_whitespace() && !"),+*/<>=!".contains(c));
        let quoted = self.text[at..].starts_with('"');
        let unknown = matches!(error, NameError::Unknown { .. } | NameError::UnknownValue { .. });
        let hint =
            if cut && !quoted && unknown { " (a name with other characters is put in double quotes)" } else { "" };
        fail(at, ParseErrorKind::Name(Box::new(error), hint))
    }

    /// A name, quoted or not, and where it starts.
    pub(super) fn name(&mut self, expected: &str) -> Parsed<(usize, String)> {
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
}
