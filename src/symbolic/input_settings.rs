//! For which settings of the inputs a set has states: what no step changes is an input, where all states are closed.

use crate::budget::Budget;
use crate::mdd::{Mdd, Sections};
use crate::relation::Relation;
use crate::stop_reason::StopReason;
use num_bigint::BigUint;

/// Numbers of settings of the inputs: of combinations of values that stay as they are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InputSettings {
    /// How many there are.
    pub of: BigUint,
    /// Those for which all states are in a set.
    pub all: BigUint,
    /// Those for which some state is.
    pub some: BigUint,
}

/// For how many settings of the inputs all states are in a set, or some; `None` where there are no inputs, or where
/// states are explored and not known.
///
/// # Errors
/// [`StopReason`] when the budget is used up, or the sets are of other tuples than the relation's.
pub fn input_settings(
    relation: &Relation,
    states: &Mdd,
    set: &Mdd,
    budget: &Budget,
) -> Result<Option<InputSettings>, StopReason> {
    states.space().expect(relation.levels() as usize)?;
    let constant = relation.constant_levels();
    if !relation.is_closed() || !constant.contains(&true) {
        return Ok(None);
    }
    let sizes = states.maxima().map_or_else(Vec::new, |maxima| maxima.per_level.iter().map(|most| most + 1).collect());
    let sections = Sections::new(constant, sizes, states, budget)?;
    let count = |set: &Mdd| Ok::<BigUint, StopReason>(sections.numbers(set, budget)?.values().sum());
    let (of, some) = (count(states)?, count(&set.intersection(states, budget)?)?);
    let not_all = count(&states.difference(set, budget)?)?;
    Ok(Some(InputSettings { all: &of - not_all, of, some }))
}
