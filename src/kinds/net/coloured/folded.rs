//! Coloured nets that are not unfolded: a kind of model of which less is known.
//!
//! **Problem.** The unfolding of a net with three variables over a thousand colours has a billion transitions.
//!
//! **Idea.** Of such a net there is the *skeleton*, in which tokens have no colours ([`crate::reduction::skeleton`]):
//! an arc moves so many tokens whatever the binding, so that it is read off the expressions. And there is the net
//! itself, whose transitions are fired binding by binding ([`super::firing`]). Its variables are the coloured places,
//! with the sums of their tokens, its actions the coloured transitions. Sums do not tell what comes next: no step,
//! relation or packed space is made from them, and what decides such a model asks for a [`Folded`] as such.

use super::error::UnfoldError;
use super::firing::Firing;
use super::guard::Guard;
use super::net::{ColouredNet, ColouredTransition};
use super::sort::Sort;
use crate::budget::Exhausted;
use crate::formula::Symbols;
use crate::model::{ActionId, Groups, Row, State, Step, Terms, TransitionSystem, VariableId};
use crate::net::{NetBuilder, PetriNet};
use crate::reduction::skeleton::Skeleton;
use crate::stop_reason::StopReason;
use std::borrow::Cow;
use std::sync::OnceLock;

/// Why nothing else is asked of it.
pub(super) const TOO_LARGE: &str = "the coloured net is too large to be unfolded";
const TOO_SLOW: &str = "the coloured net could not be unfolded in two thirds of the time; try a longer --time";

/// A coloured net as it is.
#[derive(Clone, Debug)]
pub struct Folded {
    pub(super) net: ColouredNet,
    pub(super) skeleton: PetriNet,
    why: UnfoldError,
    /// Of each transition whether it can fire in the initial marking, if a search tells.
    initially: OnceLock<Vec<Option<bool>>>,
}

impl Folded {
    /// The net, which was not unfolded for this reason. `None` if its numbers of tokens are too large.
    pub fn new(net: ColouredNet, why: UnfoldError) -> Option<Self> {
        let skeleton = skeleton(&net)?;
        Some(Folded { net, skeleton, why, initially: OnceLock::new() })
    }

    /// Its names in formulas.
    pub fn symbols(&self) -> Symbols {
        Symbols::new(&self.skeleton)
    }

    /// Each place and transition is one of its own.
    pub fn groups(&self) -> Groups {
        Groups::single(&self.skeleton)
    }

    /// Why it was not unfolded.
    pub fn why(&self) -> &UnfoldError {
        &self.why
    }

    /// The net without colours, which can do whatever this one can.
    pub fn skeleton(&self) -> Skeleton {
        let exact = self.net.transitions.iter().map(|t| is_without_colours(&self.net, t)).collect();
        Skeleton::of_itself(self.skeleton.clone(), exact)
    }

    /// Why questions stay open.
    pub fn stop(&self) -> StopReason {
        match &self.why {
            UnfoldError::Exhausted(Exhausted::Time) => StopReason::Unsupported(TOO_SLOW),
            UnfoldError::Exhausted(exhausted) => (*exhausted).into(),
            _ => StopReason::Unsupported(TOO_LARGE),
        }
    }

    /// The initial marking, from which it is fired; `None` if that is too large to be written down.
    pub(crate) fn firing(&self) -> Option<Firing<'_>> {
        Firing::new(&self.net)
    }

    fn initially(&self, action: ActionId) -> Option<bool> {
        let found = || {
            let firing = self.firing();
            let can_fire = |transition: usize| firing.as_ref()?.can_fire(transition);
            (0..self.net.transitions.len()).map(can_fire).collect()
        };
        self.initially.get_or_init(found).get(action.index()).copied().flatten()
    }
}

/// The net of the numbers of tokens.
fn skeleton(net: &ColouredNet) -> Option<PetriNet> {
    let mut builder = NetBuilder::new(net.name.clone());
    let mut places = Vec::with_capacity(net.places.len());
    for place in &net.places {
        let id = builder.place(place.id.clone(), place.initial.count()?).ok()?;
        if let Some(name) = &place.name {
            builder.name_place(id, name.clone());
        }
        places.push(id);
    }
    for transition in &net.transitions {
        let id = builder.transition(transition.id.clone()).ok()?;
        if let Some(name) = &transition.name {
            builder.name_transition(id, name.clone());
        }
        for (place, tokens) in &transition.inputs {
            if let weight @ 1.. = tokens.count()? {
                builder.input(places[*place], id, weight).ok()?;
            }
        }
        for (place, tokens) in &transition.outputs {
            if let weight @ 1.. = tokens.count()? {
                builder.output(id, places[*place], weight).ok()?;
            }
        }
    }
    builder.build().ok()
}

/// Can a transition fire wherever there are enough tokens?
fn is_without_colours(net: &ColouredNet, transition: &ColouredTransition) -> bool {
    let dots = |place: usize| matches!(net.sorts.get(net.places[place].sort), Sort::Dot);
    transition.variables.is_empty()
        && transition.guard == Guard::Constant(true)
        && transition.inputs.iter().all(|&(place, _)| dots(place))
}

impl TransitionSystem for Folded {
    fn name(&self) -> &str {
        &self.net.name
    }

    fn terms(&self) -> Terms {
        self.skeleton.terms()
    }

    fn variables(&self) -> usize {
        self.skeleton.variables()
    }

    fn variable(&self, variable: VariableId) -> &str {
        self.skeleton.variable(variable)
    }

    fn value(&self, _: VariableId, _: u64) -> Option<Cow<'_, str>> {
        None
    }

    fn actions(&self) -> usize {
        self.skeleton.actions()
    }

    fn action(&self, action: ActionId) -> &str {
        self.skeleton.action(action)
    }

    fn row(&self, action: ActionId) -> Row {
        self.skeleton.row(action)
    }

    fn initial(&self) -> State {
        self.skeleton.initial()
    }

    /// Sums of tokens do not tell.
    fn fire(&self, _: &State, _: Step) -> Option<State> {
        None
    }

    /// In the initial marking, as far as a search tells; elsewhere sums of tokens do not tell.
    fn enables(&self, state: &State, action: ActionId) -> bool {
        *state == self.initial() && self.initially(action) == Some(true)
    }

    fn enables_any(&self, state: &State, actions: &[ActionId]) -> Option<bool> {
        let mut all = Some(false);
        for &action in actions {
            match self.initially(action).filter(|_| *state == self.initial()) {
                Some(true) => return Some(true),
                Some(false) => {}
                None => all = None,
            }
        }
        all
    }

    fn is_alive(&self, state: &State) -> Option<bool> {
        self.enables_any(state, &self.action_ids().collect::<Vec<_>>())
    }

    fn tells_steps(&self) -> bool {
        false
    }

    fn step(&self, _: &State, _: ActionId, _: &State) -> Option<Step> {
        None
    }
}
