//! Data of an answer on a page beside its JSON: the formula as a table, members of its set, and the course of the
//! exploration.
//!
//! **Problem.** The reader of a page puts other markings on the net, and wants to know what holds there.
//!
//! **Idea.** The formula is a list of nodes, each after its operands, as in a [`Pool`]; the script fills in values from
//! the first to the last. What speaks of paths or of other markings has no value, and `and`, `or` and `implies` have
//! one as soon as their operands tell. Nothing is searched.
//!
//! **Invariant.** No value rather than a wrong one: a formula that divides has no value anywhere, since it has none if
//! it divides by zero in some other marking.

use super::super::fields::Pairs;
use super::super::state::values;
use super::super::witness::{inputs_in_words, moves};
use crate::formula::{Expr, Formula, FormulaId, Pool, Symbols};
use crate::kinds::Kind;
use crate::model::{State, Step};
use crate::witness::Witness;
use rustc_hash::FxHashMap;
use serde::Serialize;
use serde_json::{Value, json};
use std::borrow::Cow;

/// Parts of a formula, and names in its atoms, that a page has at most.
const MOST_PARTS: usize = 20_000;
const MOST_NAMES: usize = 50_000;
/// Atoms that are shown with their values, and letters of one.
const MOST_ATOMS: usize = 200;
const LONGEST_ATOM: usize = 300;
/// Lines of a program that a step is said to be written in.
const MOST_LINES: usize = 8;

/// Data of an answer that is not in its JSON.
#[derive(Debug, Default, Serialize)]
pub struct Beside {
    /// The formula, to be evaluated in a marking.
    #[serde(skip_serializing_if = "Option::is_none")]
    formula: Option<Table>,
    /// Members of the set.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    members: Vec<Pairs<String>>,
    /// The most tokens of each place in any reachable marking.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    bounds: Vec<(String, String)>,
    /// Seconds, and how many nodes there were then, in ascending order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    growth: Vec<(f64, usize)>,
    /// Of each run of the witness and each of its steps: where the program says it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sources: Vec<Vec<String>>,
}

impl Beside {
    /// With a formula; of models that are no nets, and of large formulas, without.
    #[must_use]
    pub fn with_formula(self, model: &dyn Kind, pool: &Pool, symbols: &Symbols, formula: FormulaId) -> Self {
        Beside { formula: model.as_net().and_then(|_| Table::of(pool, symbols, formula)), ..self }
    }

    /// With where the steps of its witness are written, if the model knows that: the inputs on a line, then the
    /// assignments of what changes, or the action.
    #[must_use]
    pub fn with_sources(self, model: &dyn Kind, witness: &Witness) -> Self {
        let sources: Vec<Vec<String>> =
            witness.runs.iter().map(|run| moves(run).map(|step| source(model, step)).collect()).collect();
        let any = sources.iter().flatten().any(|source| !source.is_empty());
        Beside { sources: if any { sources } else { Vec::new() }, ..self }
    }

    /// With these members of its set.
    #[must_use]
    pub fn with_members(self, model: &dyn Kind, members: &[State]) -> Self {
        let texts = |state| values(model, state).into_iter().map(|(name, value)| (name.to_owned(), value.into_owned()));
        Beside { members: members.iter().map(|state| Pairs(texts(state).collect())).collect(), ..self }
    }

    /// With the bounds of places.
    #[must_use]
    pub fn with_bounds(self, bounds: Vec<(String, String)>) -> Self {
        Beside { bounds, ..self }
    }

    /// With the number of nodes over time.
    #[must_use]
    pub fn with_growth(self, growth: Vec<(f64, usize)>) -> Self {
        Beside { growth, ..self }
    }
}

/// Where a step is written, line by line.
fn source(model: &dyn Kind, (from, step, to): (&State, Step, &State)) -> String {
    let inputs = inputs_in_words(model, from, step);
    let mut lines: Vec<Cow<'_, str>> = Vec::new();
    if !inputs.is_empty() {
        lines.push(inputs.into());
    }
    let before = lines.len();
    for variable in model.variable_ids().filter(|&variable| from.value(variable) != to.value(variable)) {
        if let Some(line) = model.assignment(variable)
            && !lines.contains(&line)
            && lines.len() < MOST_LINES
        {
            lines.push(line);
        }
    }
    if lines.len() == before {
        lines.extend(model.source(step.action));
    }
    lines.join("\n")
}

/// A formula as a list of its parts, the formula itself last. A part is the name of an operator and its operands:
/// numbers of parts, of expressions, of transitions or of places. `?` is a part that one marking does not tell.
#[derive(Debug, Serialize)]
struct Table {
    expressions: Vec<Value>,
    parts: Vec<Value>,
    /// Texts of atoms, and which parts they are.
    atoms: Vec<(String, usize)>,
}

impl Table {
    fn of(pool: &Pool, symbols: &Symbols, formula: FormulaId) -> Option<Self> {
        let formulas = pool.subformulas(&[formula]);
        if formulas.is_empty() || formulas.len() > MOST_PARTS || pool.names(formula) > MOST_NAMES {
            return None;
        }
        let number: FxHashMap<FormulaId, usize> = formulas.iter().copied().zip(0..).collect();
        let compared = formulas.iter().filter_map(|&part| match &pool[part] {
            Formula::Compare(a, _, b) => Some([*a, *b]),
            _ => None,
        });
        let exprs = pool.subexpressions(compared.flatten().collect());
        let position: FxHashMap<_, usize> = exprs.iter().copied().zip(0..).collect();
        let expressions: Option<Vec<Value>> = exprs
            .iter()
            .map(|&expr| {
                Some(match &pool[expr] {
                    Expr::Const(value) => json!(["number", value.to_string()]),
                    Expr::Tokens(places) => json!(["tokens", places.iter().map(|p| p.index()).collect::<Vec<_>>()]),
                    Expr::Bounds(_) => json!(["?"]),
                    Expr::Neg(a) => json!(["neg", position[a]]),
                    Expr::Add(all) => json!(["add", all.iter().map(|e| position[e]).collect::<Vec<_>>()]),
                    Expr::Mul(a, b) => json!(["mul", position[a], position[b]]),
                    Expr::Div(..) => return None,
                })
            })
            .collect();
        let of = |operands: &[FormulaId]| operands.iter().map(|part| number[part]).collect::<Vec<_>>();
        let part = |&part: &FormulaId| match &pool[part] {
            Formula::True => json!(["true"]),
            Formula::False => json!(["false"]),
            Formula::Deadlock => json!(["deadlock"]),
            Formula::Enabled(all) => json!(["enabled", all.iter().map(|t| t.index()).collect::<Vec<_>>()]),
            Formula::Compare(a, how, b) => json!([how.sign(), position[a], position[b]]),
            Formula::Not(a) => json!(["not", number[a]]),
            Formula::And(all) => json!(["and", of(all)]),
            Formula::Or(all) => json!(["or", of(all)]),
            Formula::Implies(a, b) => json!(["implies", number[a], number[b]]),
            Formula::Iff(a, b) => json!(["iff", number[a], number[b]]),
            _ => json!(["?"]),
        };
        let shown = |(place, &part): (usize, &FormulaId)| {
            let is_shown = matches!(pool[part], Formula::Deadlock | Formula::Enabled(_) | Formula::Compare(..));
            let text = is_shown.then(|| pool.display(part, symbols).to_string())?;
            (text.len() <= LONGEST_ATOM).then_some((text, place))
        };
        Some(Table {
            expressions: expressions?,
            parts: formulas.iter().map(part).collect(),
            atoms: formulas.iter().enumerate().filter_map(shown).take(MOST_ATOMS).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::formula::Comparison;
    use crate::net::NetBuilder;

    /// Each part comes after its operands, what one marking does not tell is open, and whatever divides is left out.
    #[test]
    fn formulas_become_tables() {
        let mut builder = NetBuilder::new("net");
        let place = builder.place("p", 1).unwrap();
        let net = builder.build().unwrap();
        let symbols = Symbols::new(&net);
        let mut pool = Pool::new();
        let (tokens, two) = (pool.add_expr(Expr::Tokens(vec![place])), pool.add_expr(Expr::Const(1 << 70)));
        let atom = pool.add(Formula::Compare(tokens, Comparison::Lt, two));
        let next = pool.add(Formula::Next(atom));
        let quantified = pool.add(Formula::Exists(next));
        let both = pool.and(vec![atom, quantified]);
        let table = json!(Table::of(&pool, &symbols, both).unwrap());
        assert_eq!(table["expressions"], json!([["tokens", [0]], ["number", (1u128 << 70).to_string()]]));
        assert_eq!(table["parts"], json!([["<", 0, 1], ["?"], ["?"], ["and", [0, 2]]]));
        assert_eq!(table["atoms"][0][1], 0);
        let half = pool.add_expr(Expr::Div(tokens, two));
        let divides = pool.add(Formula::Compare(half, Comparison::Eq, two));
        let either = pool.or(vec![atom, divides]);
        assert!(Table::of(&pool, &symbols, either).is_none());
    }
}
