//! The templates of Declare, by which processes are described, as named formulas about finite runs: `response(a, b)`.
//!
//! A template is the formula in [`DECLARE`] with what stands in brackets in the place of `a` and `b`. There a name alone is that of
//! a transition, action or label, as in `action(t)`; any formula may stand there. Capitals and `_` in the name of a template say
//! nothing: `ChainResponse`.
//!
//! In runs of a model the step `t` is taken *from* a position, and none is taken from the last one. So the last activity of a run
//! is that of the last position but one, which [`LAST_STEP`] says.
//!
//! Pesic, Schonenberg and van der Aalst, "DECLARE: full support for loosely-structured processes", EDOC 2007; the formulas on finite
//! words are those of De Giacomo, De Masellis and Montali, "Reasoning on LTL on finite traces: insensitivity to infiniteness", AAAI 2014.

use super::{Atoms, Item, Parsed, Parser, misuse};
use crate::formula::ast::Formula;
use crate::formula::pool::FormulaId;
use rustc_hash::FxHashMap;

/// Names of templates and the formulas on finite words that they stand for, about `a`, or `a` and `b`.
pub const DECLARE: [(&str, &str); 30] = [
    ("existence", "F a"),
    ("existence2", "F (a & X F a)"),
    ("existence3", "F (a & X F (a & X F a))"),
    ("absence", "!F a"),
    ("at_most_one", "!F (a & X F a)"),
    ("at_most_two", "!F (a & X F (a & X F a))"),
    ("exactly_one", "F a & !F (a & X F a)"),
    ("init", "a"),
    ("end", "F (a & N false)"),
    ("choice", "F a | F b"),
    ("exclusive_choice", "(F a | F b) & !(F a & F b)"),
    ("responded_existence", "F a -> F b"),
    ("co_existence", "F a <-> F b"),
    ("response", "G (a -> F b)"),
    ("precedence", "!b W a"),
    ("succession", "G (a -> F b) & (!b W a)"),
    ("alternate_response", "G (a -> X (!a U b))"),
    ("alternate_precedence", "(!b W a) & G (b -> N (!b W a))"),
    ("alternate_succession", "G (a -> X (!a U b)) & (!b W a) & G (b -> N (!b W a))"),
    ("chain_response", "G (a -> X b)"),
    ("chain_precedence", "!b & G (X b -> a)"),
    ("chain_succession", "!b & G (a -> X b) & G (X b -> a)"),
    ("not_co_existence", "!(F a & F b)"),
    ("not_responded_existence", "F a -> !F b"),
    ("not_response", "G (a -> !F b)"),
    ("not_precedence", "G (F b -> !a)"),
    ("not_succession", "G (a -> !F b)"),
    ("not_chain_response", "G (a -> !X b)"),
    ("not_chain_precedence", "G (X b -> !a)"),
    ("not_chain_succession", "G (a -> !X b)"),
];

/// `end(a)`, where `a` is about a step.
const LAST_STEP: &str = "F (a & X N false)";

/// The template with this name.
fn template(word: &str) -> Option<(&'static str, &'static str)> {
    let bare = |name: &str| name.replace('_', "").to_lowercase();
    let wanted = bare(word);
    DECLARE.into_iter().find(|(name, _)| bare(name) == wanted)
}

impl Parser<'_> {
    /// Is a template next? It is a word with a bracket behind it, where formulas are about finite runs.
    pub(super) fn is_template(&self, word: &str) -> bool {
        let called = || self.text[self.at + word.len()..].trim_start().starts_with('(');
        self.finite && !word.is_empty() && called() && template(word).is_some()
    }

    /// The formula of a template.
    #[inline(never)]
    pub(super) fn template(&mut self, word: &str) -> Parsed<Item> {
        let at = self.at;
        let Some((name, mut text)) = template(word) else { return self.expected("a template") };
        self.at += word.len();
        self.expect_char('(')?;
        let mut operands = vec![self.condition()?];
        self.skip_space();
        while self.peek() == Some(',') {
            self.at += 1;
            operands.push(self.condition()?);
            self.skip_space();
        }
        self.expect_char(')')?;
        let expected = if text.contains('b') { 2 } else { 1 };
        if operands.len() != expected {
            let (found, example) = (operands.len(), if expected == 2 { "a, b" } else { "a" });
            return misuse(at, format!("`{name}({example})` has {expected} in brackets, not {found}"));
        }
        if name == "end" && self.pool.has_actions(operands[0]) {
            text = LAST_STEP;
        }
        let defined: FxHashMap<String, FormulaId> = ["a", "b"].map(str::to_owned).into_iter().zip(operands).collect();
        let mut inner = Parser::new(text, self.symbols, self.pool, Atoms::OfModel);
        (inner.finite, inner.defined) = (true, Some(&defined));
        let formula = inner.formula_to_the_end()?;
        self.refuse_large(at, formula)?;
        Ok(Item::Formula(formula))
    }

    /// What a template is about: a formula, or the name of a step.
    fn condition(&mut self) -> Parsed<FormulaId> {
        self.skip_space();
        let at = self.at;
        if self.atoms != Atoms::Propositions
            && let Ok((_, name)) = self.name("a formula")
        {
            self.skip_space();
            let alone = matches!(self.peek(), Some(',' | ')'));
            let is_defined = self.defined.is_some_and(|defined| defined.contains_key(&name));
            if alone
                && !is_defined
                && let Ok(labels) = self.symbols.labelled(&name)
            {
                return Ok(self.pool.add(Formula::Action(labels)));
            }
            self.at = at;
        }
        let operand = self.parse(super::Level::Implies)?;
        self.formula(operand)
    }
}
