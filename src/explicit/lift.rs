//! From a path of states that stand for others to one of the model itself.
//!
//! **Problem.** Of states that differ by an exchange of variables a space may keep one ([`PackedModel::kept`]). A path
//! from one kept state to the next is none of the model, and nobody could replay it.
//!
//! **Idea.** Beside the kept state s goes a state x of the model that s stands for, and with them an arrangement π of
//! the variables: s has in p the value that x has in π(p). A step from s leads to some y, for which t is kept, with the
//! value of y in q(p) where t has p. What y is to t, the state x' with the values of y in the places π is to x: the
//! step from x to it is looked for by the firing rule of the model, and the arrangement goes on as π∘q. The kept states
//! are fired by that rule, too, so that nothing of the packed space is trusted but which state is kept for which.
//!
//! Several actions may lead from x to x'. What is asked may tell them apart, and has read the action of the kept states:
//! the step has one of the same class ([`PackedModel::are_alike`]). There is one, as π takes actions to such of their class.
//!
//! A cycle of kept states leads from x to a state that is x in another arrangement. It is gone round until a state
//! recurs in which it has begun before; what lies between is the cycle.
//!
//! Complexity: a step of the model is looked for among all of its actions.

use super::packed_model::PackedModel;
use crate::model::{Path, State, Step, Then, VariableId};
use crate::stop_reason::StopReason;

/// A path of kept states that is none of the model, or that does not become one soon.
const NO_PATH: StopReason = StopReason::Unsupported("a path of states that stand for others is none of the model");
/// The most times that a cycle of kept states is gone round.
const ROUNDS: usize = 256;

/// A state of the model, and the one that is kept for it.
struct Lift<'s, S> {
    space: &'s S,
    at: State,
    kept: State,
    /// For each variable of the kept state, that of the model's whose value it has.
    arrangement: Vec<VariableId>,
}

impl<'s, S: PackedModel> Lift<'s, S> {
    /// At a state of the model; `None` where each state stands for itself alone.
    fn new(space: &'s S, at: State) -> Option<Self> {
        let (kept, arrangement) = space.kept(&at)?;
        Some(Lift { space, at, kept, arrangement })
    }

    /// The step of the model for one of the kept state.
    fn step(&mut self, step: Step) -> Result<Step, StopReason> {
        let system = self.space.system();
        let reached = system.fire(&self.kept, step).ok_or(NO_PATH)?;
        let mut values = vec![0; reached.as_slice().len()];
        self.arrangement.iter().zip(reached.as_slice()).for_each(|(place, &value)| values[place.index()] = value);
        let next = State::new(values);
        let mut alike = system.action_ids().filter(|&action| self.space.are_alike(action, step.action));
        let lifted = alike.find_map(|action| system.step(&self.at, action, &next)).ok_or(NO_PATH)?;
        let (kept, order) = self.space.kept(&reached).ok_or(NO_PATH)?;
        self.arrangement = order.into_iter().map(|place| self.arrangement[place.index()]).collect();
        (self.at, self.kept) = (next, kept);
        Ok(lifted)
    }

    fn steps(&mut self, steps: &[Step]) -> Result<Vec<Step>, StopReason> {
        steps.iter().map(|&step| self.step(step)).collect()
    }
}

/// The steps of the model for these of kept states, from the one that is kept for an initial state to `last`, and the
/// state at their end. Where each state stands for itself alone, they stay what they are.
///
/// # Errors
/// [`StopReason::Unsupported`] if there are no such steps: an error of the program.
pub(super) fn lifted<S: PackedModel>(
    space: &S,
    kept: &State,
    steps: Vec<Step>,
    last: State,
) -> Result<(Vec<Step>, State), StopReason> {
    if space.kept(kept).is_none() {
        return Ok((steps, last));
    }
    let lifts = space.system().initial_states().into_iter().filter_map(|initial| Lift::new(space, initial));
    let mut lift = lifts.into_iter().find(|lift| lift.kept == *kept).ok_or(NO_PATH)?;
    Ok((lift.steps(&steps)?, lift.at))
}

/// The run of the model, from a state on, for one of kept states.
///
/// # Errors
/// As for [`lifted`]; and if a cycle does not close soon.
pub(super) fn lifted_run<S: PackedModel>(space: &S, from: State, path: Path) -> Result<Path, StopReason> {
    let Some(mut lift) = Lift::new(space, from) else { return Ok(path) };
    let mut prefix = lift.steps(&path.prefix)?;
    let Then::Cycle(cycle) = path.then else { return Ok(Path { prefix, then: path.then }) };
    // Where the cycle has begun, and how long the run was then.
    let mut begun = Vec::new();
    for _ in 0..ROUNDS {
        begun.push((lift.at.clone(), prefix.len()));
        prefix.extend(lift.steps(&cycle)?);
        if let Some(&(_, start)) = begun.iter().find(|(state, _)| *state == lift.at) {
            let cycle = prefix.split_off(start);
            return Ok(Path { prefix, then: Then::Cycle(cycle) });
        }
    }
    Err(NO_PATH)
}
