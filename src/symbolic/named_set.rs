//! Sets of states that formulas name: the diagram in which they come, over the levels of the relation.

use crate::budget::Budget;
use crate::formula::Foreign;
use crate::mdd::{Mdd, MddManager, TransferError};
use crate::model::{StateSet, VariableId};
use crate::relation::Relation;
use crate::stop_reason::StopReason;

/// The states of `states` that are in a set. Variables that the set does not have may have any value; values that no
/// diagram over this relation has are those of no such state.
///
/// # Errors
/// [`StopReason`] when the budget is used up, or the set is one of another model.
pub fn named_set(relation: &Relation, set: &StateSet, states: &Mdd, budget: &Budget) -> Result<Mdd, StopReason> {
    let count = relation.variables() as u32;
    if set.order().iter().any(|variable| variable.0 >= count) {
        return Err(Foreign::Model.into());
    }
    let free = (0..count).map(VariableId).filter(|variable| !set.order().contains(variable));
    let order: Vec<VariableId> = set.order().iter().copied().chain(free).collect();
    if order.len() != count as usize {
        return Err(Foreign::Model.into());
    }
    let levels = |variable: &VariableId| relation.places_of(variable.index()).map(|(level, _)| level);
    let values = states.values();
    let any_of = |variable: &VariableId| -> u32 {
        let greatest = |level: u32| values[level as usize].last().copied().unwrap_or(0);
        match relation.is_in_bits() {
            true => ((1u64 << levels(variable).count()) - 1) as u32,
            false => levels(variable).map(greatest).next().unwrap_or(0),
        }
    };
    let space = MddManager::new(count, budget)?;
    let own = space.run(budget, |session| {
        let mut below = vec![session.unit()];
        for (layer, variable) in order.iter().enumerate().skip(set.order().len()).rev() {
            let mut list = session.list();
            (0..=any_of(variable)).for_each(|value| list.push(value, below[0].clone()));
            below = vec![session.node(layer as u32, list)?];
        }
        for (layer, nodes) in set.layers().iter().enumerate().rev() {
            let offset = relation.offset_of(order[layer].index());
            let mut made = Vec::with_capacity(nodes.len());
            for node in nodes {
                session.tick()?;
                let mut list = session.list();
                for &(value, child) in node {
                    let value = value.checked_sub(offset).and_then(|value| u32::try_from(value).ok());
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
    let there = if relation.is_in_bits() {
        let groups: Vec<Vec<u32>> = order.iter().map(|variable| levels(variable).collect()).collect();
        own.with_bits(&states.space(), &groups, budget)
    } else {
        let mut layers = vec![count; count as usize];
        for (layer, level) in (0..).zip(order.iter().flat_map(levels)) {
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
