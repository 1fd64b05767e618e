//! The relation of a network of transition systems: one level per component, one event per label.

use super::{Network, Participant};
use crate::budget::Budget;
use crate::model::VariableId;
use crate::relation::{Effect, Level, Relation, RelationError, Step, Table};
use std::sync::Arc;

/// The relation of `network` with its components on levels in the given order, from the top.
///
/// The value of a level is the index of a state. The event of a label has one step for each component
/// that takes part: the table of its edges with that label.
pub(super) fn relation(network: &Network, order: &[VariableId], budget: &Budget) -> Result<Relation, RelationError> {
    let components = network.components();
    let mut relation = Relation::new(components.len(), order, |component| {
        let component = &components[component.index()];
        Level { name: component.name.clone(), offset: 0, initial: component.initial }
    })?;
    for label in network.label_ids() {
        budget.check()?;
        let step = |participant: &Participant| Step {
            level: relation.level_of(participant.component),
            effect: Effect::Table(Arc::new(Table::new(participant.edges.iter().copied()))),
        };
        let mut steps: Vec<Step> = network.participants(label).iter().map(step).collect();
        steps.sort_by_key(|step| step.level);
        relation.add_event(label.0, steps);
    }
    Ok(relation)
}
