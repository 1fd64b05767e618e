//! The relation of a model behind a next-state function: a level per variable, and groups that are learned while states
//! are explored.

use super::PinsModel;
use super::model::MANY_FIRST;
use super::next_state::COPY;
use crate::budget::{Budget, Exhausted};
use crate::model::{LabelId, TransitionSystem, VariableId};
use crate::relation::{KEEP, Learner, Level, Relation, RelationError};
use crate::stop_reason::StopReason;
use std::sync::Arc;

// What stays has the same mark on both sides.
const _: () = assert!(COPY == KEEP);

/// The relation of `model` with its variables on levels in the given order, from the top.
pub(super) fn relation(model: &PinsModel, order: &[VariableId], budget: &Budget) -> Result<Relation, RelationError> {
    let relation = Relation::new(model.signature().variables.len(), order, |variable| Level {
        name: model.signature().variables[variable.index()].name.clone(),
        offset: 0,
        // Values fit: see `PinsModel`.
        initial: model.start().value(variable) as u32,
    })?;
    let listed = model.lists_initial();
    let others = |relation: &Relation| -> Vec<Vec<u32>> {
        // Values fit: see `PinsModel`.
        model.initial_states()[1..].iter().filter_map(|state| relation.tuple_of(state.as_slice())).collect()
    };
    let remembered = model.variable_ids().map(|variable| model.remembered(variable).is_some()).collect();
    let relation = relation.with_remembered(remembered);
    let known = model.next_state().relation(order, &relation, budget);
    budget.check()?;
    match known {
        Some(relation) if relation.is_closed() && !model.is_started => Ok(relation),
        Some(relation) if listed => {
            let others = others(&relation);
            Ok(relation.with_initial(others))
        }
        Some(relation) => Ok(relation),
        // Another order may do.
        None if budget.work().is_some() && model.next_state().knows_steps() => Err(Exhausted::Work.into()),
        None if listed => {
            let others = others(&relation);
            Ok(relation.learned_from(Arc::new(model.clone()), others))
        }
        None => Err(RelationError::Unsupported(MANY_FIRST)),
    }
}

impl Learner for PinsModel {
    fn groups(&self) -> usize {
        self.footprints.len()
    }

    fn reads(&self, group: usize) -> &[VariableId] {
        &self.footprints[group].reads
    }

    fn needs(&self, group: usize) -> Vec<(VariableId, u32)> {
        let need = |&(variable, code): &(usize, u32)| {
            let variable = VariableId(variable as u32);
            Some((variable, self.value_of(variable, code).ok()?))
        };
        self.signature().groups[group].needs.iter().filter_map(need).collect()
    }

    fn writes(&self, group: usize) -> &[VariableId] {
        &self.footprints[group].writes
    }

    fn ask(
        &self,
        group: usize,
        projections: &[u32],
        count: usize,
        budget: &Budget,
        tell: &mut dyn FnMut(usize, &[u32]),
    ) -> Result<(), StopReason> {
        let known = self.successors_of_all(group, projections, count, budget).map_err(|error| error.stopped(budget))?;
        for (number, successors) in known.iter().enumerate() {
            successors.iter().for_each(|successor| tell(number, &successor.values));
        }
        Ok(())
    }

    fn label_reads(&self, label: LabelId) -> Option<Vec<VariableId>> {
        (label.index() < self.labels()).then(|| TransitionSystem::label_reads(self, label))
    }

    fn holds(&self, label: LabelId, values: &[u32], budget: &Budget) -> Result<bool, StopReason> {
        PinsModel::holds(self, label, |place, _| values[place].into(), budget).map_err(|error| error.stopped(budget))
    }
}
