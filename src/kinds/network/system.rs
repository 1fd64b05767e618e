//! A network under its firing rule: variables are components, actions labels, and a value is the number of a local
//! state.

use super::Network;
use crate::model::{ActionId, Row, State, Step, Terms, TransitionSystem, VariableId};
use std::borrow::Cow;

impl TransitionSystem for Network {
    fn name(&self) -> &str {
        self.name()
    }

    fn terms(&self) -> Terms {
        Terms {
            model: "network",
            variable: "component",
            action: "label",
            state: "state",
            counts: false,
            assigned: false,
        }
    }

    fn variables(&self) -> usize {
        self.components().len()
    }

    fn variable(&self, component: VariableId) -> &str {
        self.components().get(component.index()).map_or("?", |component| &component.name)
    }

    fn value(&self, component: VariableId, value: u64) -> Option<Cow<'_, str>> {
        let states = &self.components().get(component.index())?.states;
        Some(states.get(usize::try_from(value).ok()?)?.into())
    }

    fn actions(&self) -> usize {
        self.label_count()
    }

    fn action(&self, label: ActionId) -> &str {
        self.label(label)
    }

    fn row(&self, label: ActionId) -> Row {
        let participants = self.participants(label);
        let variable = |component: usize| VariableId(component as u32);
        let moves = |edges: &[(u32, u32)]| edges.iter().any(|edge| edge.0 != edge.1);
        let changing = participants.iter().filter(|participant| moves(&participant.edges));
        Row {
            reads: participants.iter().map(|participant| variable(participant.component)).collect(),
            writes: changing.map(|participant| variable(participant.component)).collect(),
            must_write: Vec::new(),
        }
    }

    fn initial(&self) -> State {
        State::new(self.components().iter().map(|component| u64::from(component.initial)).collect())
    }

    fn fire(&self, state: &State, step: Step) -> Option<State> {
        self.take(state.as_slice(), step).map(State::new)
    }

    fn enables(&self, state: &State, label: ActionId) -> bool {
        self.allows(state.as_slice(), label)
    }

    fn step(&self, from: &State, label: ActionId, to: &State) -> Option<Step> {
        self.step_between(from.as_slice(), label, to.as_slice())
    }
}
