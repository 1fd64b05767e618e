//! The relation of a counter machine: an event per transition, a table on the level of the control, an affine step on
//! that of each counter.

use super::{CounterMachine, OnCounter};
use crate::model::{TransitionSystem as _, VariableId};
use crate::relation::{Effect, Level, Relation, RelationError, Step, Table};
use std::sync::Arc;

/// The relation of `machine` with its variables on levels in the given order, from the top.
pub(super) fn relation(machine: &CounterMachine, order: &[VariableId]) -> Result<Relation, RelationError> {
    let initial = machine.initial();
    let mut relation = Relation::new(machine.variables(), order, |variable| {
        // A machine has no numbers above 2^31.
        let initial = initial.value(variable) as u32;
        Level { name: machine.variable(variable).to_owned(), offset: 0, initial }
    })?;
    for (number, transition) in (0..).zip(machine.transitions()) {
        let control = transition.control.map(|(from, to)| Step {
            level: relation.level_of(0),
            effect: Effect::Table(Arc::new(Table::new([(from, to)]))),
        });
        let counter = |on: &OnCounter| Step {
            level: relation.level_of(machine.variable_of(on.counter).index()),
            effect: Effect::Affine {
                // A value that would become negative is not accepted.
                least: on.least.max(on.change.min(0).unsigned_abs()) as u32,
                below: on.below.map(|below| below as u32),
                change: on.change,
            },
        };
        let mut steps: Vec<Step> = control.into_iter().chain(transition.counters.iter().map(counter)).collect();
        steps.sort_by_key(|step| step.level);
        relation.add_event(number, steps);
    }
    Ok(relation)
}
