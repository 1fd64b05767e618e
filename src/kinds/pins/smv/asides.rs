//! What a program says of a state, and of a step from there, beside the values of variables: inputs and definitions.
//!
//! Inputs are no part of a state, so that a run of states leaves them open. Those that a step rests on are found by
//! solving its event once more, between the two states; others get their first value. Of programs with processes the
//! hidden input says whose turn it is, and `running` of each process whether it is its.

use crate::model::{Aside, Input};
use starset_smv::{Limits, Memory, Model, Role, System, Type, Value};

/// A program and its steps, with room to evaluate in.
pub(super) struct Asides<'a> {
    pub(super) model: &'a Model,
    pub(super) system: &'a System,
    pub(super) room: &'a mut Memory,
    pub(super) limits: Limits,
}

/// Variables with their values, with `true` next ones.
type Known = Vec<(usize, bool, Value)>;

impl Asides<'_> {
    /// The inputs of a step to another state by an event, and the values of definitions; states are values by slot.
    /// `None` where there is no such step.
    pub(super) fn of(mut self, state: &[Value], step: Option<(usize, &[Value])>) -> Option<Aside> {
        let (mut known, mut aside) = (self.known(state, false), Aside::default());
        if let Some((event, to)) = step {
            let inputs = self.inputs(event, state, to)?;
            aside.inputs = self.shown(event, &inputs);
            known.extend(inputs.iter().map(|&(variable, value, _)| (variable, false, value)));
            known.extend(self.known(to, true));
        }
        let model = self.model;
        let is_input = |variable: usize| model.variables[variable].role == Role::Input;
        for (name, term) in &model.defines {
            // What has no value here is not told.
            let found = self.system.values(model, self.room, *term, &known).unwrap_or_default();
            if found.is_empty() {
                continue;
            }
            let kind = model.terms.kind(*term);
            let texts: Vec<String> = found.into_iter().map(|value| model.show(value, kind)).collect();
            let read = model.terms.variables(*term);
            let told = match read.iter().any(|&(variable, next)| next || is_input(variable)) {
                false => &mut aside.of_state,
                true if read.iter().all(|&(variable, next)| !next && is_input(variable)) => &mut aside.of_inputs,
                true => &mut aside.of_step,
            };
            told.push((name.clone(), texts.join(", ")));
        }
        Some(aside)
    }

    fn known(&self, state: &[Value], next: bool) -> Known {
        self.system.state().iter().zip(state).map(|(&variable, &value)| (variable, next, value)).collect()
    }

    /// The values of all inputs in a step, and whether it rests on them.
    fn inputs(&mut self, event: usize, from: &[Value], to: &[Value]) -> Option<Vec<(usize, Value, bool)>> {
        let (model, of) = (self.model, &self.system.events()[event]);
        let row = |row: &[usize], state: &[Value]| -> Option<Vec<Value>> {
            let slot = |variable: &usize| self.system.state().binary_search(variable).ok();
            row.iter().map(|variable| state.get(slot(variable)?).copied()).collect()
        };
        let (from, to) = (row(&of.reads, from)?, row(&of.writes, to)?);
        let found = self.system.inputs(model, self.room, event, (&from, &to), self.limits).ok()??;
        let all = (0..model.variables.len()).filter(|&variable| model.variables[variable].role == Role::Input);
        let value = |variable: usize| match found.iter().find(|known| known.0 == variable) {
            Some(&(_, value)) => (variable, value, true),
            None => {
                let turn = of.turn.filter(|_| Some(variable) == model.selector());
                (variable, turn.unwrap_or_else(|| model.variables[variable].domain.value(0)), false)
            }
        };
        Some(all.map(value).collect())
    }

    /// Inputs as NuSMV tells them: of processes also who is running, the main module first.
    fn shown(&self, event: usize, inputs: &[(usize, Value, bool)]) -> Vec<Input> {
        let (model, mut all) = (self.model, Vec::new());
        for &(variable, value, matters) in inputs {
            let declared = &model.variables[variable];
            all.push(Input { name: declared.name.clone(), value: model.show(value, declared.kind), matters });
            if Some(variable) != model.selector() {
                continue;
            }
            let (turn, domain) = (&self.system.events()[event].name, &declared.domain);
            for name in (0..domain.size() as u64).map(|number| model.show(domain.value(number), Type::Symbol)) {
                let value = if name == *turn { "TRUE" } else { "FALSE" }.to_owned();
                let name = if name == "main" { "running".to_owned() } else { format!("{name}.running") };
                all.push(Input { name, value, matters: false });
            }
        }
        all
    }
}
