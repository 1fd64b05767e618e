//! State labels of a model behind a next-state function, and the names of its values: what formulas ask it.

use super::PinsModel;
use super::next_state::{ModelError, NextState, Value};
use crate::budget::Budget;
use crate::model::{LabelId, State, VariableId, Vocabulary};
use std::fmt;
use std::sync::Arc;

impl PinsModel {
    /// Does a state label hold in a state where these are the values of what it reads (by place in its row, and
    /// variable)?
    ///
    /// # Errors
    /// When the model fails.
    pub(super) fn holds(
        &self,
        label: LabelId,
        value: impl Fn(usize, VariableId) -> u64,
        budget: &Budget,
    ) -> Result<bool, ModelError> {
        let Some(row) = self.signature().labels.get(label.index()) else {
            return Err(ModelError("the model has no such state label".to_owned()));
        };
        let code = |(place, &variable): (usize, &usize)| {
            let variable = VariableId(variable as u32);
            u32::try_from(value(place, variable)).ok().and_then(|value| self.code_of(variable, value))
        };
        let short: Option<Vec<Value>> = row.reads.iter().enumerate().map(code).collect();
        match short {
            Some(short) => {
                let holds = self.next_state().label_within(label.index(), &short, budget)?;
                // As of successors: it counts if there were limits left.
                budget.check().map_err(|over| ModelError(over.to_string()))?;
                Ok(holds)
            }
            None => Err(ModelError(format!("`{}`: a variable has a value that the model does not know", row.name))),
        }
    }

    /// Does a state label hold in a state? `None` if the model fails.
    pub(super) fn holds_in(&self, state: &State, label: LabelId) -> Option<bool> {
        self.holds(label, |_, variable| state.value(variable), Budget::none()).ok()
    }

    /// The names of the values of a variable, unless these are numbers.
    pub(super) fn vocabulary_of(&self, variable: VariableId) -> Option<Arc<dyn Vocabulary>> {
        let kind = self.kind_of(variable)?;
        if self.least_of(variable).is_some() {
            return None;
        }
        Some(Arc::new(Words { model: Arc::clone(self.next_state()), kind }))
    }
}

/// The names of the values of a type.
struct Words {
    model: Arc<dyn NextState>,
    kind: usize,
}

impl fmt::Debug for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Words").field("kind", &self.kind).finish_non_exhaustive()
    }
}

impl Vocabulary for Words {
    fn find(&self, text: &str) -> Option<u64> {
        self.model.read(self.kind, text).map(u64::from)
    }

    fn name(&self, value: u64) -> Option<String> {
        let value = u32::try_from(value).ok()?;
        let super::Values::Named(count) = self.model.values(self.kind) else { return None };
        (value < count).then(|| self.model.show(self.kind, value).into_owned())
    }
}
