//! The steps of a program as conditions for diagrams.
//!
//! **Levels.** A variable of the state has the level that the order gives it, or one for each bit of its code (`bits`). An
//! input has none; it stands beside the variables that it decides while rows are made, and is quantified in the conjunction
//! of the rows that read it (`parts`). What is small together is an event (`event`).

mod bits;
mod event;
mod given;
mod parts;
#[cfg(test)]
mod tests;

use super::values::Coding;
use crate::budget::Budget;
use crate::model::VariableId;
use crate::relation::Relation;
use given::stop;
pub(super) use given::{Sizes, Subject, USUAL};
use parts::Rows;
use starset_smv::{Compiler, Diagram, Model, Role};
use std::collections::HashMap;

/// Values of a variable up to which it is one level in any case.
const MANY: u128 = 32;

/// What there is a level for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    /// Each variable.
    #[cfg(test)]
    Values,
    /// Each bit of a variable.
    #[cfg(test)]
    Bits,
    /// Each variable, or each bit where that is not possible: certificates are about sets of values.
    ValuesIfPossible,
    /// Each bit where a variable has many values and all move together, otherwise each variable; or what is possible.
    Suited,
}

/// The relation with the steps of a program and its first states; `relation` has the levels of its variables in this
/// order. `None` where the diagrams of its rows are too large.
pub(super) fn relation(
    program: Subject<'_>,
    order: &[VariableId],
    relation: Relation,
    (form, sizes): (Form, Sizes),
    budget: &Budget,
) -> Option<Relation> {
    let of_values = || by_values(program, order, sizes, budget).and_then(|rows| rows.relation(relation.clone(), sizes));
    let of_bits = || bits::relation(program, order, &relation, sizes, budget);
    match form {
        #[cfg(test)]
        Form::Values => of_values(),
        #[cfg(test)]
        Form::Bits => of_bits(),
        Form::Suited if suits_bits(program) => of_bits().or_else(of_values),
        Form::ValuesIfPossible | Form::Suited => of_values().or_else(of_bits),
    }
}

/// Has a variable many values, in a program whose variables move together?
///
/// **Measured** on programs of words and ranges, reachable states by diagrams, seconds of user time with a level for each
/// variable and for each bit: Euclid's algorithm on 0..600 more than 12 and 0.1, a queue of four words of 8 bits more than
/// 9 and 0.2, a sorter of four numbers to 99 1.8 and 0.1, a counter to 300 000 4.2 and 0.6; the programs of `../shared` with
/// ranges of 33 to 2001 values are as fast either way. Where domains are small, bits are slower: `idle.smv` and
/// `msi_wtrans.smv`, 7 s by values, are not done in 10.
fn suits_bits(Subject { model, state, .. }: Subject<'_>) -> bool {
    let is_wide = |&variable: &usize| model.variables[variable].domain.size() > MANY;
    state.iter().any(is_wide) && !model.is_interleaved()
}

/// The rows over a slot for each variable.
fn by_values(program: Subject<'_>, order: &[VariableId], sizes: Sizes, budget: &Budget) -> Option<Rows> {
    let Subject { model, state, labels } = program;
    let ordered: Vec<usize> = order.iter().map(|variable| state[variable.index()]).collect();
    let slots = with_inputs(model, &ordered);
    let mut rows = Compiler::new(model, &slots, sizes.rows)?;
    rows.diagrams.stop_when(stop(budget));
    let first = rows.first().ok()?;
    let steps = rows.steps().ok()?;
    let labels: Vec<Diagram> = labels.iter().map(|&label| rows.term(label)).collect::<Result<_, _>>().ok()?;
    if labels.iter().any(|&label| rows.diagrams.has_fault(label)) {
        return None;
    }
    let mut levels = vec![u32::MAX; slots.len()];
    for (level, &variable) in (0..).zip(&ordered) {
        levels[rows.slot(variable)? as usize] = level;
    }
    let codings = ordered.iter().map(|&variable| Coding::of(&model.variables[variable])).collect();
    Some(Rows { diagrams: rows.into_diagrams(), levels, codings, first, steps, labels })
}

/// The variables of the state in their order, and each input before the first of those that something depends on along
/// with it.
fn with_inputs(model: &Model, ordered: &[usize]) -> Vec<usize> {
    let place: HashMap<usize, usize> = ordered.iter().enumerate().map(|(place, &variable)| (variable, place)).collect();
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); ordered.len() + 1];
    let terms = model.trans.iter().copied().map(|term| (None, term));
    let assigned = model.assignments.iter().map(|assignment| (Some(assignment.variable), assignment.value));
    let rows: Vec<(Option<usize>, Vec<usize>)> = terms
        .chain(assigned)
        .map(|(target, term)| (target, model.terms.variables(term).into_iter().map(|(variable, _)| variable).collect()))
        .collect();
    for input in (0..model.variables.len()).filter(|&variable| model.variables[variable].role == Role::Input) {
        let beside = rows.iter().filter(|(_, read)| read.contains(&input));
        let places =
            beside.flat_map(|(target, read)| target.iter().chain(read)).filter_map(|variable| place.get(variable));
        before[places.min().copied().unwrap_or(0)].push(input);
    }
    let mut all = Vec::new();
    for (at, inputs) in before.into_iter().enumerate() {
        all.extend(inputs);
        all.extend(ordered.get(at));
    }
    all
}
