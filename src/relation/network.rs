//! The relation of a network of transition systems: one level per component, one event per label.

use super::{Effect, Relation, RelationError, Step, Table};
use crate::lts::Network;
use crate::net::PlaceId;
use std::sync::Arc;

impl Relation {
    /// The relation of `network` with its components on levels in the given order, from the top. A component
    /// is named by its index, as the place that stands for it in [`Network::skeleton`].
    ///
    /// The value of a level is the index of a state. The event of a label has one step for each component
    /// that takes part: the table of its edges with that label.
    pub fn of_network(network: &Network, order: &[PlaceId]) -> Result<Relation, RelationError> {
        let components = network.components();
        let mut relation = Relation::without_events(components.len(), order)?;
        relation.names = order.iter().map(|&c| components[c.index()].name.clone()).collect();
        relation.initial = order.iter().map(|&c| components[c.index()].initial).collect();
        for label in network.label_ids() {
            let step = |participant: &crate::lts::Participant| Step {
                level: relation.level_of[participant.component],
                effect: Effect::Table(Arc::new(Table::new(participant.edges.iter().copied()))),
            };
            let mut steps: Vec<Step> = network.participants(label).iter().map(step).collect();
            steps.sort_by_key(|step| step.level);
            relation.add_event(label.0, steps);
        }
        Ok(relation)
    }
}
