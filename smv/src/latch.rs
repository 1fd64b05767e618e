//! Conditions on steps as variables: what a step was like is known in the state that it leads to.
//!
//! A property may speak of inputs and of next values, which states do not have. A *latch* is a further boolean variable
//! with
//! `init(latch) := TRUE` and `next(latch) := condition`: after a step its value is that of the condition in this step.
//! So
//!
//! * in LTL the condition at a position is `X latch`;
//! * it holds again and again on a path where the latch does;
//! * it holds in every step from reachable states where the latch is true in every reachable state.
//!
//! With latches a model has more states: it is made for the sake of questions, and states are counted without.

use crate::ast::{Role, When};
use crate::error::Place;
use crate::model::{Assignment, Domain, Model, Variable};
use crate::term::{Node, Term, Type};
use std::collections::HashMap;

/// Words before the condition in the name of a latch.
const PREFIX: &str = "step: ";

/// Makes latches, each once: [`Model::latched`] has them.
#[derive(Clone, Default, Debug)]
pub struct Latches {
    known: HashMap<Term, usize>,
}

impl Latches {
    /// Does a condition speak of a step: of inputs, or of next values?
    pub fn is_about_steps(model: &Model, condition: Term) -> bool {
        let about = |&(variable, next): &(usize, bool)| next || model.variables[variable].role == Role::Input;
        model.terms.variables(condition).iter().any(about)
    }

    /// The term that is the condition in the last step.
    pub fn latch(&mut self, model: &mut Model, condition: Term, place: Place) -> Term {
        let variable = *self.known.entry(condition).or_insert_with(|| {
            let variable = model.variables.len();
            let mut name = format!("{PREFIX}{}", model.show_term(condition));
            if model.variables.iter().any(|other| other.name == name) {
                name = format!("{name} ({variable})");
            }
            model.variables.push(Variable {
                name,
                role: Role::State,
                kind: Type::Bool,
                domain: Domain::Booleans,
                place,
            });
            model.latched.push((variable, condition));
            let first = model.terms.bool(true);
            for (when, value) in [(When::Init, first), (When::Next, condition)] {
                model.assignments.push(Assignment { variable, when, value, place });
            }
            variable
        });
        model.terms.add(Node::Variable { variable, next: false }, Type::Bool)
    }

    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }
}
