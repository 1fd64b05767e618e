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
    let Some(sections) = sections(relation, states, budget)? else { return Ok(None) };
    let count = |set: &Mdd| Ok::<BigUint, StopReason>(sections.numbers(set, budget)?.values().sum());
    let (of, some) = (count(states)?, count(&set.intersection(states, budget)?)?);
    let not_all = count(&states.difference(set, budget)?)?;
    Ok(Some(InputSettings { all: &of - not_all, of, some }))
}

/// The states with settings of the inputs for which all states are in a set; `None` as above.
///
/// # Errors
/// As [`input_settings`].
pub fn settings_within(
    relation: &Relation,
    states: &Mdd,
    set: &Mdd,
    budget: &Budget,
) -> Result<Option<Mdd>, StopReason> {
    states.space().expect(relation.levels() as usize)?;
    let Some(sections) = sections(relation, states, budget)? else { return Ok(None) };
    let outside = sections.shadow(&states.difference(set, budget)?, budget)?;
    Ok(Some(states.difference(&outside, budget)?))
}

/// States by settings of the inputs; `None` where there are no inputs, or where states are explored and not known.
fn sections(relation: &Relation, states: &Mdd, budget: &Budget) -> Result<Option<Sections>, StopReason> {
    let constant = relation.constant_levels();
    if !(relation.is_closed() || relation.has_passages()) || !constant.contains(&true) {
        return Ok(None);
    }
    Ok(Some(Sections::new(constant, states.values().into(), states, budget)?))
}

/// Those of these states that agree with a state of a set on the levels that are kept.
///
/// # Errors
/// As [`input_settings`].
pub fn any_values(states: &Mdd, set: &Mdd, kept: Vec<bool>, budget: &Budget) -> Result<Mdd, StopReason> {
    states.space().expect(kept.len())?;
    let sections = Sections::new(kept, states.values().into(), states, budget)?;
    Ok(sections.shadow(set, budget)?.intersection(states, budget)?)
}
