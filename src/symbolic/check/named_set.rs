//! Sets of states that formulas name: the diagram in which they come, over the levels of the relation.

use crate::budget::Budget;
use crate::formula::Foreign;
use crate::mdd::{Mdd, MddManager, TransferError};
use crate::model::{StateSet, VariableId};
use crate::relation::Relation;
use crate::stop_reason::StopReason;

/// The states of `states` that are in a set. Values that no diagram over this relation has are those of no such state.
pub(super) fn states(relation: &Relation, set: &StateSet, states: &Mdd, budget: &Budget) -> Result<Mdd, StopReason> {
    let count = relation.variables() as u32;
    if set.order().iter().any(|variable| variable.0 >= count) {
        return Err(Foreign::Model.into());
    }
    let offset = |layer: usize| relation.offset_of(set.order()[layer].index());
    let space = MddManager::new(count, budget)?;
    let own = space.run(budget, |session| {
        let mut below = vec![session.unit()];
        for (layer, nodes) in set.layers().iter().enumerate().rev() {
            let mut made = Vec::with_capacity(nodes.len());
            for node in nodes {
                session.tick()?;
                let mut list = session.list();
                for &(value, child) in node {
                    let value = value.checked_sub(offset(layer)).and_then(|value| u32::try_from(value).ok());
                    if let (Some(value), Some(child)) = (value, below.get(child as usize)) {
                        list.push(value, child.clone());
                    }
                }
                made.push(session.node(layer as u32, list)?);
            }
            below = made;
        }
        Ok::<_, StopReason>(below.into_iter().next().unwrap_or_else(|| session.empty()))
    })?;
    let levels = |variable: &VariableId| relation.places_of(variable.index()).map(|(level, _)| level);
    let there = if relation.is_in_bits() {
        let groups: Vec<Vec<u32>> = set.order().iter().map(|variable| levels(variable).collect()).collect();
        own.with_bits(&states.space(), &groups, budget)
    } else {
        let mut layers = vec![count; count as usize];
        for (layer, level) in (0..).zip(set.order().iter().flat_map(levels)) {
            layers[level as usize] = layer;
        }
        own.rearranged(&states.space(), &layers, budget)
    };
    match there {
        Ok(all) => Ok(all.intersection(states, budget)?),
        Err(TransferError::Exhausted(exhausted)) => Err(exhausted.into()),
        Err(TransferError::Levels | TransferError::OutOfRange(_)) => Err(Foreign::Model.into()),
    }
}
