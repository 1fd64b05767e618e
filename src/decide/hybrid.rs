//! Formulas that give states a name, as those of HCTL do: `!{x}: AG EF {x}` is true where one always comes back to.
//!
//! **Meaning.** `!{x}: f` gives the state that it is asked of the name x in f, where `{x}` is true in that state alone.
//! `@{x}: f` asks f of the state x. `3{x}: f` and `V{x}: f` ask whether f holds for some state, or each, as x. What is
//! quantified reaches as far to the right as it can: to the end, or to the bracket that closes what is around it.
//!
//! **Algorithm.** For each name the model has a *copy* of its variables that never move, so that sets of states are sets
//! of tuples, of a state and of what is named. What a quantifier is before is a formula about that larger model, and
//! its set is an atom of whatever is around it, from within. Binding intersects with the diagonal and forgets the copy;
//! a jump forgets the state instead; the others forget the copy. Each copy is next to its variable in the order, so that
//! the diagonal is small. The rest of the formula is about the model itself, and is for all engines.
//!
//! A model says itself whether it can have copies ([`Kind::with_copies`]).
//!
//! Source: Beneš, Brim, Huvar, Pastva, Šafránek, *BNClassifier: Classifying Boolean Models by Dynamic Properties*, 2021;
//! Areces, ten Cate, *Hybrid logics*, Handbook of Modal Logic 2007.

use super::properties::formulas::sat_in;
use super::settings::Settings;
use super::space::explore;
use super::state_space::StateSpace;
use super::task::Question;
use crate::budget::Budget;
use crate::formula::{ParseError, PathSemantics, Pool, Symbols, parse};
use crate::kinds::{Kind, named_set};
use crate::mdd::{Mdd, with_deep_stack};
use crate::model::{StateSet, VariableId};
use crate::order::{Context, Order, Scored, measure};
use crate::stop_reason::StopReason;
use crate::symbolic::Route;
use std::collections::BTreeSet;

/// The most names, and the most that are given within each other.
const MOST_NAMES: usize = 16;
const DEEPEST: usize = 64;

/// A formula without names of states, and the sets that it names instead.
#[derive(Clone, Debug)]
pub struct Hybrid {
    /// The formula.
    pub text: String,
    /// The sets.
    pub sets: Vec<StateSet>,
}

/// Why a formula that names states has no such form.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HybridError {
    /// It is not written as one.
    #[error("{0}")]
    Syntax(String),
    /// A part of it is no formula.
    #[error("in `{part}`: {error}")]
    Part {
        /// The part.
        part: String,
        /// Why.
        error: ParseError,
    },
    /// The model has no copies of its variables.
    #[error(
        "states have names (`!{{x}}`) in formulas about logical networks alone, and not with most permissive updates"
    )]
    NoCopies,
    /// The limits were not enough.
    #[error(transparent)]
    Stopped(#[from] StopReason),
}

/// What a name of a state stands before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Quantifier {
    Bind,
    Jump,
    Exists,
    Forall,
}

/// The signs of quantifiers, each before `{name}:`.
const SIGNS: [(&str, Quantifier); 8] = [
    ("!", Quantifier::Bind),
    ("@", Quantifier::Jump),
    ("3", Quantifier::Exists),
    ("V", Quantifier::Forall),
    ("\\bind", Quantifier::Bind),
    ("\\jump", Quantifier::Jump),
    ("\\exists", Quantifier::Exists),
    ("\\forall", Quantifier::Forall),
];

/// A quantifier, the name in its brackets, and the length of both with the colon, at the begin of a text.
fn quantifier(text: &str) -> Option<(Quantifier, &str, usize)> {
    let (sign, found) = SIGNS.into_iter().find(|(sign, _)| text.starts_with(sign))?;
    let rest = text[sign.len()..].trim_start();
    let (name, after) = name(rest)?;
    let after = after.trim_start().strip_prefix(':')?;
    Some((found, name, text.len() - after.len()))
}

/// `{name}` at the begin of a text, and the rest.
fn name(text: &str) -> Option<(&str, &str)> {
    let (name, rest) = text.strip_prefix('{')?.split_once('}')?;
    let name = name.trim();
    let fits = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    fits.then_some((name, rest))
}

/// The places in a text that are not within quotes.
fn outside_quotes(text: &str) -> impl Iterator<Item = (usize, char)> {
    let mut quoted = false;
    text.char_indices().filter(move |&(_, sign)| {
        quoted ^= sign == '"';
        !quoted && sign != '"'
    })
}

/// Does a formula give names to states?
pub fn is_hybrid(text: &str) -> bool {
    // A letter or number before 3 or V makes another word of it.
    let word = |at: usize| text[..at].chars().next_back().is_some_and(|c| c.is_alphanumeric() || c == '_');
    outside_quotes(text).any(|(at, _)| !word(at) && quantifier(&text[at..]).is_some())
}

/// A formula about a model without names of states; its paths are these, or what the model's are. The names of sets begin
/// with `prefix`.
///
/// # Errors
/// [`HybridError`].
pub fn hybrid(
    model: &dyn Kind,
    (text, prefix): (&str, &str),
    paths: Option<PathSemantics>,
    budget: &Budget,
) -> Result<Hybrid, HybridError> {
    let names = names_of(text);
    if names.len() > MOST_NAMES {
        let why = format!("states have more than {MOST_NAMES} names: the same name may be given again");
        return Err(HybridError::Syntax(why));
    }
    let copies = model.with_copies(&names.iter().copied().collect::<Vec<_>>()).ok_or(HybridError::NoCopies)?;
    let copies = &*copies;
    with_deep_stack(copies.most_levels(), || {
        let space = space_of(model, copies, &names, budget)?;
        let symbols = Symbols::of(copies);
        let own = model.variables();
        let mut larger = Larger { model: copies, own, names: &names, space, symbols, paths, prefix, made: 0, budget };
        let diagonals: Vec<Mdd> = names.iter().map(|name| larger.diagonal(name)).collect::<Result<_, _>>()?;
        let mut sets = Vec::new();
        let text = larger.without_names(text, &mut Vec::new(), &diagonals, &mut Some(&mut sets))?;
        Ok(Hybrid { text, sets })
    })
}

/// The names that quantifiers give.
fn names_of(text: &str) -> BTreeSet<&str> {
    outside_quotes(text).filter_map(|(at, _)| Some(quantifier(&text[at..])?.1)).collect()
}

/// The states of the model with copies, with each copy of a variable behind the variable.
fn space_of(
    model: &dyn Kind,
    copies: &dyn Kind,
    names: &BTreeSet<&str>,
    budget: &Budget,
) -> Result<StateSpace, StopReason> {
    let own = model.variables() as u32;
    let order = explore(model, &Settings::default(), true, budget, &|_| {})?.order.order;
    let beside = |variable: &VariableId| {
        let at = variable.0;
        (0..=names.len() as u32).map(move |copy| VariableId(copy * own + at))
    };
    let net = copies.interactions();
    let order = Order::new(&net, order.as_slice().iter().flat_map(beside).collect())
        .ok_or(StopReason::Unsupported("copies of variables do not fit into the order"))?;
    let metrics = measure(&Context::new(&net, budget, 0), &order);
    let orders = vec![Scored { name: "copies".to_owned(), order, metrics }];
    explore(copies, &Settings { orders, ..Settings::default() }, true, budget, &|_| {})
}

/// A model with copies of its variables.
struct Larger<'m> {
    model: &'m dyn Kind,
    /// The variables of the model itself.
    own: usize,
    names: &'m BTreeSet<&'m str>,
    space: StateSpace,
    symbols: Symbols,
    paths: Option<PathSemantics>,
    prefix: &'m str,
    /// Sets that have a name.
    made: usize,
    budget: &'m Budget,
}

impl Larger<'_> {
    /// The states that are the one of this name.
    fn diagonal(&mut self, name: &str) -> Result<Mdd, HybridError> {
        let copy = self.names.iter().position(|known| *known == name).unwrap_or(0) + 1;
        let equal = |variable: usize| {
            let [one, other] = [variable, copy * self.own + variable]
                .map(|variable| crate::formula::quoted(self.model.variable(VariableId(variable as u32))));
            format!("#{one} = #{other}")
        };
        let all: Vec<String> = (0..self.own).map(equal).collect();
        let set = self.sat(&all.join(" & "))?;
        self.give_name(atom(name), &set)?;
        Ok(set)
    }

    /// The states that satisfy a formula without names of states.
    fn sat(&self, text: &str) -> Result<Mdd, HybridError> {
        let mut pool = Pool::new();
        let part = |error| HybridError::Part { part: text.trim().to_owned(), error };
        let formula = parse(text, &self.symbols, &mut pool).map_err(part)?;
        let paths = self.paths.unwrap_or_else(|| self.model.default_paths(pool.logic(formula)));
        let question = Question::formula(&mut pool, formula, paths, Route::Fixpoints);
        Ok(sat_in(&self.space, &pool, &question, &Settings::default(), self.budget)?)
    }

    fn give_name(&mut self, name: String, set: &Mdd) -> Result<(), HybridError> {
        let set = named_set(&name, &self.space.relation, set, self.budget)?.ok_or(HybridError::NoCopies)?;
        self.symbols.name_set(set).map_err(|name| HybridError::Syntax(format!("two sets are called %{name}")))
    }

    /// A set without regard to a copy, or to the state itself (copy 0).
    fn forget(&self, set: &Mdd, copy: usize) -> Result<Mdd, StopReason> {
        let left_out = |variable: usize| variable / self.own == copy;
        self.space.any_values(set, &left_out, self.budget)
    }

    /// A text whose parts behind quantifiers are sets. `bound` are the names that are given around it; outermost sets
    /// are those of the model itself, and go into `out`.
    fn without_names(
        &mut self,
        text: &str,
        bound: &mut Vec<String>,
        diagonals: &[Mdd],
        out: &mut Option<&mut Vec<StateSet>>,
    ) -> Result<String, HybridError> {
        let (mut result, mut done) = (String::new(), 0);
        let places: Vec<(usize, char)> = outside_quotes(text).collect();
        for (at, sign) in places {
            if at < done {
                continue;
            }
            let is_word = text[..at].chars().next_back().is_some_and(|c| c.is_alphanumeric() || c == '_');
            if let Some((found, name, length)) = quantifier(&text[at..]).filter(|_| !is_word) {
                let scope = scope(&text[at + length..]);
                let set = self.quantified(found, name, scope, bound, diagonals)?;
                self.made += 1;
                let made = format!("{}_{}", self.prefix, self.made);
                match out {
                    Some(out) => out.push(self.projected(&made, &set)?),
                    None => self.give_name(made.clone(), &set)?,
                }
                result.push_str(&text[done..at]);
                result.push_str(&format!("%{made}"));
                done = at + length + scope.len();
            } else if sign == '{' {
                let Some((name, rest)) = name(&text[at..]) else { continue };
                if !bound.iter().any(|known| known == name) {
                    let why = format!("no state is called {{{name}}} here: write `!{{{name}}}: …` before");
                    return Err(HybridError::Syntax(why));
                }
                result.push_str(&text[done..at]);
                result.push_str(&format!("%{}", atom(name)));
                done = text.len() - rest.len();
            }
        }
        result.push_str(&text[done..]);
        Ok(result)
    }

    /// The states that satisfy a quantified formula.
    fn quantified(
        &mut self,
        found: Quantifier,
        name: &str,
        scope: &str,
        bound: &mut Vec<String>,
        diagonals: &[Mdd],
    ) -> Result<Mdd, HybridError> {
        if found == Quantifier::Jump && !bound.iter().any(|known| known == name) {
            return Err(HybridError::Syntax(format!("no state is called {{{name}}} here, to which `@` could jump")));
        }
        if bound.len() == DEEPEST {
            return Err(HybridError::Syntax(format!("more than {DEEPEST} names are given within each other")));
        }
        bound.push(name.to_owned());
        let inner = self.without_names(scope, bound, diagonals, &mut None)?;
        bound.pop();
        let set = self.sat(&inner)?;
        let number = self.names.iter().position(|known| *known == name).unwrap_or(0);
        let (states, budget) = (&self.space.set, self.budget);
        let same = |set: &Mdd| set.intersection(&diagonals[number], budget).map_err(StopReason::from);
        Ok(match found {
            Quantifier::Bind => self.forget(&same(&set)?, number + 1)?,
            Quantifier::Jump => self.forget(&same(&set)?, 0)?,
            Quantifier::Exists => self.forget(&set, number + 1)?,
            Quantifier::Forall => {
                let not = states.difference(&set, budget).map_err(StopReason::from)?;
                states.difference(&self.forget(&not, number + 1)?, budget).map_err(StopReason::from)?
            }
        })
    }

    /// A set that does not depend on copies, as one of states of the model itself.
    fn projected(&self, name: &str, set: &Mdd) -> Result<StateSet, HybridError> {
        let set = named_set(name, &self.space.relation, set, self.budget)?.ok_or(HybridError::NoCopies)?;
        set.without(name, |variable| variable.index() >= self.own).ok_or(HybridError::NoCopies)
    }
}

/// The name of the set of the states that are the one of this name.
fn atom(name: &str) -> String {
    format!("state_{name}")
}

/// The text up to its end, or to the bracket that closes what is around it.
fn scope(text: &str) -> &str {
    let mut depth = 0;
    for (at, sign) in outside_quotes(text) {
        match sign {
            '(' | '[' => depth += 1,
            ')' | ']' if depth == 0 => return &text[..at],
            ')' | ']' => depth -= 1,
            _ => {}
        }
    }
    text
}
