//! Faults of values: out of range, missing cases, divisions by zero, found before a program is run.
//!
//! As in NuSMV they are leaves of the decision diagrams of expressions, over all values of the variables that an
//! expression reads, reachable or not, as far as its guards let them through. Where diagrams get too large, nothing is
//! said: then the run meets the faults of states that it reaches.

use crate::compile::Compiler;
use crate::diagram::TooLarge;
use crate::error::{Fault, Place, Stage};
use crate::model::Model;
use crate::term::{Node, Term, Type};
use std::collections::{BTreeSet, HashSet};

/// Runs of nodes for one expression. After one that had too many it is half as many.
const MOST: usize = 200_000;

/// Check all assignments, constraints and properties. The variables with an assignment that is too large to be sure.
///
/// # Errors
/// The first fault that is found.
pub(crate) fn check(model: &Model) -> Result<BTreeSet<usize>, Fault> {
    let order: Vec<usize> = (0..model.variables.len()).collect();
    let Some(mut values) = Compiler::new(model, &order, MOST) else {
        return Ok(model.assignments.iter().map(|assignment| assignment.variable).collect());
    };
    let mut unproved = BTreeSet::new();
    let (fallible, mut most) = (model.terms.fallible(), MOST);
    let mut look = |term: Term, target: Option<usize>, place: Place| {
        if target.is_none() && !fallible.contains(&term) {
            return Ok(true);
        }
        values.diagrams.allow(most);
        match values.fault_of(term, target) {
            Ok(Some(message)) => Err(Fault::new(Stage::Values, place, message)),
            Ok(None) => Ok(true),
            Err(TooLarge) => {
                most /= 2;
                Ok(false)
            }
        }
    };
    for assignment in &model.assignments {
        if !look(assignment.value, Some(assignment.variable), assignment.place)? {
            unproved.insert(assignment.variable);
        }
    }
    let conditions = model.init.iter().chain(&model.invar).chain(&model.trans).chain(&model.justice);
    for &condition in conditions {
        let place = model.places.get(&condition).copied().unwrap_or_default();
        let _found_none = look(condition, None, place)?;
    }
    for property in &model.properties {
        for term in [Some(property.formula), property.until].into_iter().flatten() {
            for atom in atoms(model, term) {
                let _found_none = look(atom, None, property.place)
                    .map_err(|fault| fault.in_property(property.further, &property.text))?;
            }
        }
    }
    Ok(unproved)
}

/// The greatest parts of a formula that have a value in a state.
pub(crate) fn atoms(model: &Model, formula: Term) -> Vec<Term> {
    let (mut found, mut open, mut seen) = (Vec::new(), vec![formula], HashSet::new());
    while let Some(term) = open.pop() {
        if !seen.insert(term) {
            continue;
        }
        if model.terms.kind(term) != Type::Formula {
            found.push(term);
        } else if let Node::Temporal(..) | Node::Apply(..) = model.terms.node(term) {
            open.extend(model.terms.operands(term));
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}
