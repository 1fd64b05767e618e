//! Assignments: who may be assigned what, and the turns of processes.
//!
//! *Source*: SPEC.md, sections 4 and 6. Inputs and constants are never assigned, frozen variables at first alone. A
//! next value is assigned in the turns of a process, and is the old one in those of others; several processes may
//! assign the same variable.

use crate::ast::{Expr, Role, When};
use crate::elaborate::{Elaboration, Thing};
use crate::error::{Fault, Place, Stage};
use crate::model::Assignment;
use crate::term::{Node, Term, Type};

impl Elaboration<'_> {
    /// One assignment of an instance.
    pub(crate) fn assign(&mut self, instance: usize, when: When, target: &Expr, value: &Expr) -> Result<(), Fault> {
        let left = self.thing(instance, target, false)?;
        let right = self.thing(instance, value, false)?;
        self.assign_things(instance, when, &left, &right, (target.place, value.place))
    }

    /// Assign a variable, or each element of an array.
    fn assign_things(
        &mut self,
        instance: usize,
        when: When,
        left: &Thing,
        right: &Thing,
        places: (Place, Place),
    ) -> Result<(), Fault> {
        match (left, right) {
            (&Thing::Term(left), &Thing::Term(right)) => self.assign_term(instance, when, left, right, places),
            (Thing::Array(_, left), Thing::Array(_, right)) if left.len() == right.len() => left
                .iter()
                .zip(right)
                .try_for_each(|(left, right)| self.assign_things(instance, when, left, right, places)),
            _ => Err(Fault::new(
                Stage::Types,
                places.0,
                "a variable is assigned a value, an array one of the same length",
            )),
        }
    }

    fn assign_term(
        &mut self,
        instance: usize,
        when: When,
        left: Term,
        right: Term,
        (place, value_place): (Place, Place),
    ) -> Result<(), Fault> {
        let Node::Variable { variable, next: false } = *self.model.terms.node(left) else {
            let message = "only variables are assigned, and what has one value alone is a constant";
            return Err(Fault::new(Stage::Assignments, place, message));
        };
        let terms = &self.model.terms;
        let found = &self.model.variables[variable];
        let fault = |message: String| Err(Fault::new(Stage::Assignments, place, message));
        if found.role == Role::Input {
            return fault(format!("`{}` is an input: nothing assigns it", found.name));
        }
        if found.role == Role::Frozen && when != When::Init {
            return fault(format!("`{}` is frozen: only its first value is assigned", found.name));
        }
        if (found.kind, terms.kind(right)) == (Type::Bool, Type::Int) {
            let message = format!(
                "`{}` is a boolean, and this is an integer: write FALSE or TRUE (NuSMV 2.6 reads 0 and 1 here with -old, \
                 as values that no state has)",
                found.name
            );
            return Err(Fault::new(Stage::Types, value_place, message));
        }
        if !fits(found.kind, terms.kind(right)) {
            let (wanted, given) = (found.kind.name(), terms.kind(right).name());
            return Err(Fault::new(
                Stage::Types,
                value_place,
                format!("`{}` is {wanted}, and this is {given}", found.name),
            ));
        }
        for (other, next) in terms.variables(right) {
            if next && when != When::Next {
                return fault("`next` belongs to `next(x) :=` and `TRANS`".to_owned());
            }
            if self.model.variables[other].role == Role::Input && when != When::Next {
                return fault(format!(
                    "`{}` is an input: it takes part in steps alone",
                    self.model.variables[other].name
                ));
            }
        }
        let value = match (when, self.running(instance)) {
            (When::Next, Some(running)) => {
                let kind = self.model.terms.kind(right);
                let set = self.model.terms.is_set(right);
                let node = Node::If(running, right, left);
                if set { self.model.terms.add_set(node, kind) } else { self.model.terms.add(node, kind) }
            }
            _ => right,
        };
        // Each process may assign the next value in its turns.
        let process = self.instances[instance].process;
        if when == When::Next && self.selector.is_some() {
            if let Some(&(other, at)) = self.gated.get(&variable)
                && other != process
            {
                let earlier = self.model.assignments[at].value;
                let value = self.replaced(value, left, earlier);
                self.model.assignments[at].value = value;
                self.gated.insert(variable, (process, at));
                return Ok(());
            }
            self.gated.insert(variable, (process, self.model.assignments.len()));
        }
        self.model.assignments.push(Assignment { variable, when, value, place });
        Ok(())
    }

    /// The choice of a process with another value where it is not its turn.
    fn replaced(&mut self, choice: Term, otherwise: Term, other: Term) -> Term {
        let Node::If(running, value, rest) = *self.model.terms.node(choice) else { return choice };
        if rest != otherwise {
            return choice;
        }
        let set = self.model.terms.is_set(value) || self.model.terms.is_set(other);
        let kind = self.model.terms.kind(value);
        let node = Node::If(running, value, other);
        if set { self.model.terms.add_set(node, kind) } else { self.model.terms.add(node, kind) }
    }
}

/// May a variable of the first type have values of the second?
fn fits(variable: Type, value: Type) -> bool {
    match (variable, value) {
        (Type::Int | Type::Symbol | Type::Mixed, Type::Int | Type::Symbol | Type::Mixed) => {
            variable == value || variable == Type::Mixed || value == Type::Mixed
        }
        _ => variable == value,
    }
}
