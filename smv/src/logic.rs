//! Which logic a formula is of, and whether it may stand where it does.

use crate::ast::{Role, Sort};
use crate::error::{Fault, Place, Stage};
use crate::model::Model;
use crate::term::{Node, Temporal, Term, Terms};

/// Has the operator a quantifier?
pub(crate) fn quantified(operator: Temporal) -> bool {
    use Temporal::{Af, Ag, Au, Ax, Ef, Eg, Eu, Ex};
    matches!(operator, Ex | Ax | Ef | Af | Eg | Ag | Eu | Au)
}

/// All temporal operators of a formula.
fn operators(terms: &Terms, formula: Term) -> Vec<Temporal> {
    let mut found = Vec::new();
    let mut seen = std::collections::HashSet::new();
    let mut open = vec![formula];
    while let Some(term) = open.pop() {
        if seen.insert(term) {
            if let Node::Temporal(operator, ..) = terms.node(term) {
                found.push(*operator);
            }
            open.extend(terms.operands(term));
        }
    }
    found
}

/// Is it of CTL? (Without temporal operators it is of both.)
pub(crate) fn is_ctl(terms: &Terms, formula: Term) -> bool {
    let operators = operators(terms, formula);
    !operators.is_empty() && operators.into_iter().all(quantified)
}

/// Does the formula suit its sort?
pub(crate) fn suits(model: &Model, sort: Sort, formula: Term, place: Place) -> Result<(), Fault> {
    let fault = |message: String| Err(Fault::new(Stage::Types, place, message));
    let operators = operators(&model.terms, formula);
    let quantifiers = operators.iter().filter(|&&operator| quantified(operator)).count();
    match sort {
        Sort::Ctl if quantifiers < operators.len() => {
            return fault("this is a formula of CTL, and has operators of LTL: write `LTLSPEC`".to_owned());
        }
        Sort::Ltl if quantifiers > 0 => {
            return fault("this is a formula of LTL, and has operators of CTL: write `CTLSPEC`".to_owned());
        }
        Sort::Invariant if !operators.is_empty() => {
            return fault("a condition on states is wanted here, without temporal operators".to_owned());
        }
        Sort::Shortest | Sort::Longest if quantifiers < operators.len() => {
            return fault("`COMPUTE` is about states, and this has operators of LTL: use those of CTL".to_owned());
        }
        _ => {}
    }
    for (variable, next) in model.terms.variables(formula) {
        let found = &model.variables[variable];
        if next && !matches!(sort, Sort::Ltl | Sort::Invariant) {
            return fault(format!("`next({})` belongs to LTL and invariants", found.name));
        }
        if found.role == Role::Input && !matches!(sort, Sort::Ltl | Sort::Invariant) {
            return fault(format!(
                "`{}` is an input: it belongs to LTL and invariants, not to conditions on states",
                found.name
            ));
        }
    }
    Ok(())
}
