//! The greatest values of variables: by the structure of a net, or by a visit of all reachable states.

use super::error::NoProgram;
use crate::budget::Budget;
use crate::model::{State, Step, TransitionSystem};
use crate::net::{PetriNet, PlaceId};
use crate::structure::{Effort, PlaceBounds, StateEquation, p_semiflows};
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

/// States between two looks at the budget.
const CHECK_EVERY: usize = 256;

/// A bound of each place: of semiflows, else of the state equation; if some place has none, the greatest numbers of
/// tokens in at most `most` reachable markings.
pub(super) fn of_places(net: &PetriNet, most: usize, budget: &Budget) -> Result<Vec<u64>, NoProgram> {
    let flows = p_semiflows(net, Effort::default(), budget)?.flows;
    let by_flows = PlaceBounds::new(net, &flows);
    let mut equation = None;
    let mut bound = |place: PlaceId| {
        by_flows.of(place).or_else(|| {
            let equation = equation.get_or_insert_with(|| StateEquation::new(net)).as_mut()?;
            u64::try_from(equation.upper_bound(&[(place, 1)], budget)?).ok()
        })
    };
    match net.place_ids().map(&mut bound).collect() {
        Some(bounds) => Ok(bounds),
        None => of_variables(net, most, budget),
    }
}

/// The greatest value of each variable in at most `most` reachable states.
pub(super) fn of_variables(model: &dyn TransitionSystem, most: usize, budget: &Budget) -> Result<Vec<u64>, NoProgram> {
    let mut states: IndexSet<State, FxBuildHasher> = model.initial_states().into_iter().collect();
    let mut greatest = vec![0; model.variables()];
    let mut at = 0;
    while let Some(state) = states.get_index(at).cloned() {
        if at.is_multiple_of(CHECK_EVERY) {
            budget.check()?;
        }
        at += 1;
        greatest.iter_mut().zip(state.as_slice()).for_each(|(most, &value)| *most = value.max(*most));
        for action in model.action_ids() {
            let next = |choice| model.fire(&state, Step { action, choice });
            states.extend((0..u32::MAX).map_while(next));
        }
        if states.len() > most {
            return Err(NoProgram::Bounds { terms: model.terms(), most });
        }
    }
    Ok(greatest)
}
