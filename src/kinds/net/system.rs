//! A net under its firing rule: variables are places, actions transitions, states markings.

use crate::model::{ActionId, Row, State, Step, Terms, TransitionSystem, VariableId};
use crate::net::{Arc, PetriNet};
use std::borrow::Cow;

impl TransitionSystem for PetriNet {
    fn name(&self) -> &str {
        self.name()
    }

    fn terms(&self) -> Terms {
        Terms { model: "net", variable: "place", action: "transition", state: "marking", counts: true, assigned: false }
    }

    fn variables(&self) -> usize {
        self.place_count()
    }

    fn variable(&self, place: VariableId) -> &str {
        self.places().get(place.index()).map_or("?", |place| &place.id)
    }

    fn value(&self, _: VariableId, _: u64) -> Option<Cow<'_, str>> {
        None
    }

    fn actions(&self) -> usize {
        self.transition_count()
    }

    fn action(&self, transition: ActionId) -> &str {
        self.transitions().get(transition.index()).map_or("?", |transition| &transition.id)
    }

    fn row(&self, transition: ActionId) -> Row {
        let t = self.transition(transition);
        let places = |lists: &[&[Arc]]| {
            let mut places: Vec<VariableId> = lists.iter().copied().flatten().map(|arc| arc.place).collect();
            places.sort_unstable();
            places.dedup();
            places
        };
        let mut writes = places(&[&t.pre, &t.post]);
        let weight = |arcs: &[Arc], place| arcs.iter().find(|arc| arc.place == place).map_or(0, |arc| arc.weight);
        writes.retain(|&place| weight(&t.pre, place) != weight(&t.post, place));
        // A change depends on the count before it.
        Row { reads: places(&[&t.pre, &t.post, &t.inhibitors]), writes, must_write: Vec::new() }
    }

    fn initial(&self) -> State {
        self.initial_marking()
    }

    fn fire(&self, state: &State, step: Step) -> Option<State> {
        let known = step.action.index() < self.transition_count() && step.choice == 0;
        known.then(|| state.fire(self, step.action)).flatten()
    }

    fn advance(&self, state: &mut State, step: Step) -> bool {
        step.action.index() < self.transition_count() && step.choice == 0 && state.advance(self, step.action)
    }

    fn enables(&self, state: &State, transition: ActionId) -> bool {
        transition.index() < self.transition_count() && state.enables(self, transition)
    }

    fn step(&self, from: &State, transition: ActionId, to: &State) -> Option<Step> {
        let step = Step::from(transition);
        (TransitionSystem::fire(self, from, step).as_ref() == Some(to)).then_some(step)
    }
}
