//! Formulas of linear time over propositions that need no model: those of `starset automaton`.
//!
//! The operators and their order are those of all formulas. What differs are atoms, which are those of Spot, LTL2BA and
//! their kin: a name is a proposition, whatever it is, as is any text in double quotes, and `p=0` is `!p`; `1` and `0`
//! are constants. Since nothing is a number, `*` and `+` are conjunction and disjunction. `F`, `G` and `X` need no
//! space after them (`GFp`), but before a digit they begin a name: `G0` is a proposition.

use super::{Atoms, Decision, Item, ParseError, Parsed, Parser, misuse};
use crate::formula::ast::Formula;
use crate::formula::pool::{FormulaId, Pool};
use crate::formula::symbols::Symbols;
use crate::model::LabelId;

/// Words that are no propositions unless they are quoted.
pub(crate) const RESERVED: [&str; 11] = ["U", "R", "V", "W", "M", "xor", "and", "or", "not", "implies", "iff"];

/// A formula over propositions.
#[derive(Debug)]
pub(crate) struct Propositional {
    /// Holds the formula.
    pub(crate) pool: Pool,
    /// Its atoms are constants and labels.
    pub(crate) formula: FormulaId,
    /// The names of the labels, in the order in which they occur.
    pub(crate) propositions: Vec<String>,
    /// Remarks about other meanings: columns, and sentences.
    pub(crate) remarks: Vec<(usize, String)>,
}

/// What a formula over propositions is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Words {
    /// Infinite words.
    Infinite,
    /// Finite words: there is a weak next, `N a`, which becomes `!X !a`.
    Finite,
    /// Finite words of the steps of a process, decisions among them.
    Steps,
}

/// Read one formula over propositions.
pub(crate) fn parse_propositional(text: &str, words: Words) -> Result<Propositional, ParseError> {
    let (symbols, mut pool) = (Symbols::of_labels([]), Pool::new());
    let mut parser = Parser::new(text, &symbols, &mut pool, Atoms::Propositions);
    (parser.finite, parser.decisions) = (words != Words::Infinite, words == Words::Steps);
    let (formula, remarks) = parser.read()?;
    let propositions = parser.propositions.into_iter().collect();
    Ok(Propositional { pool, formula, propositions, remarks })
}

impl Parser<'_> {
    /// A constant or a proposition.
    #[inline(never)]
    pub(super) fn proposition(&mut self) -> Parsed<Item> {
        let (at, word) = (self.at, self.peek_word());
        let constant = match self.peek() {
            Some('⊤' | '1') => Some(true),
            Some('⊥' | '0') => Some(false),
            Some('#') => {
                let why = "a proposition is a name here, or any text in double quotes, as in `\"#p = 1\"`";
                return misuse(at, why);
            }
            _ if word.eq_ignore_ascii_case("true") => Some(true),
            _ if word.eq_ignore_ascii_case("false") => Some(false),
            _ => None,
        };
        if let Some(constant) = constant {
            self.at += word.len().max(self.peek().map_or(0, char::len_utf8));
            if word.is_empty() && self.peek().is_some_and(super::is_name_part) {
                self.at = at;
                return self.expected("a constant or a name");
            }
            return Ok(Item::Formula(self.pool.add(if constant { Formula::True } else { Formula::False })));
        }
        if RESERVED.contains(&word) {
            return self.expected("a formula");
        }
        let name = match self.decision(word)? {
            Some(decision) => decision.proposition(),
            None => self.name("a formula")?.1,
        };
        let label = LabelId(self.propositions.insert_full(name).0 as u32);
        let atom = self.pool.add(Formula::Label(label));
        let node = if self.is_zero()? { self.pool.add(Formula::Not(atom)) } else { atom };
        Ok(Item::Formula(node))
    }

    /// A decision of a process, if one is next: `flow(accepted)`, `flow(gateway, accepted)`, `gateway(gateway)`.
    fn decision(&mut self, word: &str) -> Parsed<Option<Decision>> {
        let called = || self.text[self.at + word.len()..].trim_start().starts_with('(');
        if !self.decisions || !matches!(word, "flow" | "gateway") || !called() {
            return Ok(None);
        }
        let at = self.at;
        self.at += word.len();
        self.expect_char('(')?;
        let first = self.decided()?;
        self.skip_space();
        let mut second = None;
        if self.peek() == Some(',') {
            self.at += 1;
            second = Some(self.decided()?);
        }
        self.expect_char(')')?;
        match (word, second) {
            ("flow", None) => Ok(Some(Decision::Flow { gateway: None, flow: first })),
            ("flow", Some(flow)) => Ok(Some(Decision::Flow { gateway: Some(first), flow })),
            (_, None) => Ok(Some(Decision::Gateway(first))),
            _ => misuse(at, "`gateway(name)` has one name in brackets; `flow(gateway, flow)` says which way is taken"),
        }
    }

    /// The name of a gateway or a flow: what has none has an identifier.
    fn decided(&mut self) -> Parsed<String> {
        let (at, name) = self.name("a name")?;
        if name.is_empty() || name.contains(char::is_control) {
            return misuse(at, "name the gateway or the flow; one without a name has its identifier");
        }
        Ok(name)
    }

    /// Skip `=0` or `=1` after a proposition: is it the former?
    fn is_zero(&mut self) -> Parsed<bool> {
        self.skip_space();
        let rest = &self.text[self.at..];
        let Some(value) = rest.strip_prefix('=').filter(|rest| !rest.starts_with(['=', '>'])) else { return Ok(false) };
        let value = value.trim_start();
        let digit = value.starts_with(['0', '1']) && !value[1..].starts_with(super::is_name_part);
        if !digit {
            return misuse(self.at, "a proposition is compared with 0 or 1 and nothing else, as in `p=1`");
        }
        self.at = self.text.len() - value.len() + 1;
        Ok(value.starts_with('0'))
    }
}
