//! A model behind a next-state function under its firing rule: actions are its groups, and the choices of a group are
//! its successors in the order in which it gives them.
//!
//! Callers here cannot hear that the model fails; it looks like a group that is not enabled, and the failure
//! is noted ([`crate::kinds::Kind::failed`]). Searches ask through the packed space, which tells.

use super::PinsModel;
use super::model::Successor;
use super::next_state::{COPY, Values};
use crate::budget::Budget;
use crate::model::{ActionId, Aside, LabelId, Row, State, Step, Terms, TransitionSystem, VariableId, Vocabulary};
use std::borrow::Cow;
use std::sync::Arc;

impl PinsModel {
    fn successors_of(&self, state: &State, action: ActionId) -> Option<Arc<[Successor]>> {
        let reads = &self.footprints.get(action.index())?.reads;
        let value = |variable: &VariableId| u32::try_from(*state.as_slice().get(variable.index())?).ok();
        let short: Vec<u32> = reads.iter().map(value).collect::<Option<_>>()?;
        match self.successors(action.index(), &short, Budget::none()) {
            Ok(successors) => Some(successors),
            Err(error) => {
                self.failed.get_or_init(|| error);
                None
            }
        }
    }

    fn after(&self, state: &State, action: ActionId, successor: &Successor) -> State {
        let mut values = state.as_slice().to_vec();
        for (variable, &value) in self.footprints[action.index()].writes.iter().zip(&successor.values) {
            if value != COPY {
                values[variable.index()] = value.into();
            }
        }
        State::new(values)
    }
}

impl TransitionSystem for PinsModel {
    fn name(&self) -> &str {
        self.name()
    }

    fn terms(&self) -> Terms {
        Terms {
            model: "system",
            variable: "variable",
            action: "transition",
            state: "state",
            counts: false,
            assigned: true,
        }
    }

    fn variables(&self) -> usize {
        self.signature().variables.len()
    }

    fn variable(&self, variable: VariableId) -> &str {
        self.signature().variables.get(variable.index()).map_or("?", |variable| &variable.name)
    }

    fn value(&self, variable: VariableId, value: u64) -> Option<Cow<'_, str>> {
        let (kind, value) = (self.kind_of(variable)?, u32::try_from(value).ok()?);
        match self.next_state().values(kind) {
            Values::Numbers { least: 0 } => None,
            Values::Numbers { least } => Some((least + i64::from(value)).to_string().into()),
            Values::Named(count) => (value < count).then(|| self.next_state().show(kind, value)),
        }
    }

    fn least(&self, variable: VariableId) -> i64 {
        self.least_of(variable).unwrap_or(0)
    }

    fn is_control(&self, variable: VariableId) -> bool {
        self.kind_of(variable).is_some_and(|kind| self.next_state().is_control(kind))
    }

    fn remembered(&self, variable: VariableId) -> Option<&str> {
        self.next_state().remembered(variable.index())
    }

    fn is_frozen(&self, variable: VariableId) -> bool {
        self.next_state().is_frozen(variable.index())
    }

    fn assignment(&self, variable: VariableId) -> Option<Cow<'_, str>> {
        self.next_state().assignment(variable.index())
    }

    fn aside(&self, state: &State, step: Option<Step>) -> Aside {
        let codes = |state: &State| -> Option<Vec<u32>> {
            let values = self.variable_ids().zip(state.as_slice());
            values.map(|(variable, &value)| self.code_of(variable, u32::try_from(value).ok()?)).collect()
        };
        let to = step.and_then(|step| Some((step.action.index(), codes(&self.fire(state, step)?)?)));
        let to = to.as_ref().map(|(group, codes)| (*group, &codes[..]));
        codes(state).map(|codes| self.next_state().aside(&codes, to)).unwrap_or_default()
    }

    fn actions(&self) -> usize {
        self.footprints.len()
    }

    fn source(&self, action: ActionId) -> Option<Cow<'_, str>> {
        self.next_state().source(action.index())
    }

    fn action(&self, action: ActionId) -> &str {
        self.signature().groups.get(action.index()).map_or("?", |group| &group.name)
    }

    fn describe(&self, from: &State, step: Step) -> Cow<'_, str> {
        let successors = self.successors_of(from, step.action);
        let successor = successors.as_ref().and_then(|successors| successors.get(step.choice as usize));
        successor.map_or_else(|| self.action(step.action).into(), |it| self.next_state().action(it.action))
    }

    fn labels(&self) -> usize {
        self.signature().labels.len()
    }

    fn label(&self, label: LabelId) -> &str {
        self.signature().labels.get(label.index()).map_or("?", |label| &label.name)
    }

    fn labelled(&self, state: &State, label: LabelId) -> Option<bool> {
        self.holds_in(state, label)
    }

    fn label_reads(&self, label: LabelId) -> Vec<VariableId> {
        let reads = self.signature().labels.get(label.index()).map_or(&[][..], |label| &label.reads);
        reads.iter().map(|&variable| VariableId(variable as u32)).collect()
    }

    fn vocabulary(&self, variable: VariableId) -> Option<Arc<dyn Vocabulary>> {
        self.vocabulary_of(variable)
    }

    fn row(&self, action: ActionId) -> Row {
        let Some(group) = self.signature().groups.get(action.index()) else { return Row::default() };
        let variables = |row: &[usize]| row.iter().map(|&variable| VariableId(variable as u32)).collect();
        let mut writes: Vec<usize> = group.writes().collect();
        writes.sort_unstable();
        Row { reads: variables(&group.reads), writes: variables(&writes), must_write: variables(&group.must_write) }
    }

    fn initial(&self) -> State {
        self.start().clone()
    }

    fn initial_states(&self) -> Vec<State> {
        self.initial.to_vec()
    }

    fn fire(&self, state: &State, step: Step) -> Option<State> {
        let successors = self.successors_of(state, step.action)?;
        let successor = successors.get(usize::try_from(step.choice).ok()?)?;
        Some(self.after(state, step.action, successor))
    }

    fn enables(&self, state: &State, action: ActionId) -> bool {
        self.successors_of(state, action).is_some_and(|successors| !successors.is_empty())
    }

    fn step(&self, from: &State, action: ActionId, to: &State) -> Option<Step> {
        let successors = self.successors_of(from, action)?;
        let choice = successors.iter().position(|successor| self.after(from, action, successor) == *to)?;
        Some(Step { action, choice: u32::try_from(choice).ok()? })
    }
}
