//! Sets of states that formulas name: the diagram in which they come, over the levels of the relation.

use crate::budget::Budget;
use crate::formula::Foreign;
use crate::mdd::{Change, Mdd, MddManager, TransferError};
use crate::model::StateSet;
use crate::relation::Relation;
use crate::stop_reason::StopReason;

/// The states of `states` that are in a set. Values that no diagram over this relation has are those of no such state.
pub(super) fn states(relation: &Relation, set: &StateSet, states: &Mdd, budget: &Budget) -> Result<Mdd, StopReason> {
    let count = relation.levels();
    let mut levels = vec![count; count as usize];
    for (layer, variable) in (0..).zip(set.order()) {
        if variable.0 >= count {
            return Err(Foreign::Model.into());
        }
        levels[relation.level_of(variable.index()) as usize] = layer;
    }
    let offset = |layer: usize| relation.offsets()[relation.level_of(set.order()[layer].index()) as usize];
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
    let changes = vec![Change::Shift(0); count as usize];
    match own.transfer(&states.space(), &levels, &changes, budget) {
        Ok(all) => Ok(all.intersection(states, budget)?),
        Err(TransferError::Exhausted(exhausted)) => Err(exhausted.into()),
        Err(TransferError::Levels | TransferError::OutOfRange(_)) => Err(Foreign::Model.into()),
    }
}
