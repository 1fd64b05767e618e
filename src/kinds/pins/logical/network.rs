//! A logical network behind the next-state function.

use super::super::next_state::{
    Batch, Direct, Group, ModelError, Moves, NextState, Signature, Successors, Value, Values, Variable,
};
use super::condition::{Condition, Conditions, Program};
use super::function::{Component, Function, Update};
use super::{most_permissive, relation};
use crate::budget::Budget;
use crate::formula::PathSemantics;
use crate::kinds::Fact;
use crate::model::VariableId;
use crate::relation::{Mediated, Relation};
use std::borrow::Cow;
use std::sync::Arc;

/// Why there is no network.
const NONE: &str = "no functions agree with all regulations, or it is too hard to find some";
/// As many states are listed, each being initial, so that ways that begin in single states take part.
const LISTED: u64 = 1 << 12;
/// The most variables that a listed step of a mixed update moves: there are 2^n - 1 such steps.
const MOVED: usize = 12;

/// A logical network.
///
/// ```
/// use starset::kinds::pins::{PinsModel, logical::{Form, Logical, Update}};
/// use starset::Model;
/// let text = "targets, factors\na, !b\nb, !a\n";
/// let model = PinsModel::new("switch", Logical::read("switch.bnet", text, Form::Bnet, Update::Asynchronous)?.network)?;
/// let model = Model::new(model);
/// assert_eq!(model.states()?.to_string(), "4");
/// assert_eq!(model.check("EF (#a = 1 & #b = 0)")?.verdict(), Some(false));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Logical {
    file: String,
    update: Update,
    /// By variable, its greatest level.
    most: Vec<u32>,
    /// Of the variables that may move, in their order.
    functions: Vec<Function>,
    /// What is true of all states: conditions on inputs.
    admissible: Program,
    signature: Signature,
    /// By type, its greatest level.
    kinds: Vec<u32>,
    /// Are all states listed as initial?
    listed: bool,
}

impl Logical {
    /// A network of these components, at least one, whose states are those that satisfy conditions on inputs.
    ///
    /// # Errors
    /// Why there is none.
    pub(super) fn new(
        file: &str,
        mut conditions: Conditions,
        mut components: Vec<Component>,
        admissible: &[Condition],
        update: Update,
    ) -> Result<Logical, String> {
        if update == Update::MostPermissive {
            most_permissive::extend(&mut conditions, &mut components)?;
        }
        let most: Vec<u32> = components.iter().map(|component| component.most).collect();
        let mut kinds: Vec<u32> = most.clone();
        kinds.sort_unstable();
        kinds.dedup();
        let types = kinds.iter().map(|most| format!("levels 0 to {most}")).collect();
        let (mut functions, mut variables) = (Vec::new(), Vec::new());
        for (variable, component) in components.into_iter().enumerate() {
            let kind = kinds.binary_search(&component.most).unwrap_or(0);
            variables.push(Variable { name: component.name, kind });
            let Some(target) = component.target else { continue };
            let function = Function { variable, target: conditions.program(&target), source: component.source };
            if update == Update::MostPermissive || !function.keeps_all(&most) {
                functions.push(function);
            }
        }
        let signature = Signature { name: file.to_owned(), types, variables, ..Signature::default() };
        let admissible = conditions.program(admissible);
        let file = file.to_owned();
        let mut network = Logical { file, update, most, functions, admissible, signature, kinds, listed: true };
        network.signature.groups = network.groups();
        network.signature.initial = network.initial().ok_or(NONE)?;
        Ok(network)
    }

    fn groups(&self) -> Vec<Group> {
        let name = |variable: usize| self.signature.variables[variable].name.as_str();
        let one = |function: &Function| Group::new(name(function.variable), &function.reads(), &[function.variable]);
        match self.update {
            Update::Asynchronous | Update::MostPermissive => self.functions.iter().map(one).collect(),
            Update::Synchronous | Update::Mixed => {
                let mut reads: Vec<usize> = self.functions.iter().flat_map(Function::reads).collect();
                reads.sort_unstable();
                reads.dedup();
                let writes: Vec<usize> = self.functions.iter().map(|function| function.variable).collect();
                vec![Group::new("step", &reads, &writes)]
            }
        }
    }

    /// All states, if they are few; else two of them, one of which is the least in whatever has no condition, and the other
    /// the greatest. `None` if there are none, or it is too hard to find one.
    fn initial(&mut self) -> Option<Vec<Vec<Value>>> {
        let most: Vec<u32> = self.most.iter().map(|&most| self.update.settled(most)).collect();
        let mut sizes = most.iter().map(|&most| u64::from(most) + 1);
        let count = sizes.try_fold(1u64, |count, size| count.checked_mul(size).filter(|&count| count <= LISTED));
        self.listed = count.is_some();
        if !self.listed {
            let one = relation::satisfying(&self.admissible, &most)?;
            let state = |free: &dyn Fn(usize) -> Value| {
                let value = |variable| one.get(&variable).copied().unwrap_or_else(|| free(variable));
                (0..most.len()).map(value).collect()
            };
            return Some(vec![state(&|_| 0), state(&|variable| most[variable])]);
        }
        let mut all = vec![Vec::new()];
        for &most in &most {
            all = all.iter().flat_map(|state| (0..=most).map(move |level| [&state[..], &[level]].concat())).collect();
        }
        let mut room = Vec::new();
        all.retain(|state| {
            self.admissible.count(|variable| state[variable], &mut room) as usize == self.admissible.len()
        });
        (!all.is_empty()).then_some(all)
    }

    /// What its relations are made of.
    fn described(&self) -> relation::Described<'_> {
        let (functions, most, admissible) = (&self.functions, &self.most, &self.admissible);
        relation::Described { functions, most, admissible, update: self.update }
    }

    /// The variables by name, with their greatest levels.
    pub fn variables(&self) -> impl Iterator<Item = (&str, u32)> {
        self.signature.variables.iter().zip(&self.most).map(|(variable, &most)| (variable.name.as_str(), most))
    }

    /// The levels to which variables would move, for each that would.
    fn wanted(&self, level: &dyn Fn(usize) -> u32, room: &mut Vec<bool>) -> Vec<(usize, u32)> {
        let wanted = self.functions.iter().filter_map(|function| {
            let after = function.after(level, room);
            (after != level(function.variable)).then_some((function.variable, after))
        });
        wanted.collect()
    }

    /// The steps of one group: for each the levels of what the group writes.
    fn steps(&self, group: usize, level: &dyn Fn(usize) -> u32) -> Result<Vec<Vec<Value>>, ModelError> {
        let mut room = Vec::new();
        match self.update {
            Update::Asynchronous => {
                let function = &self.functions[group];
                let after = function.after(level, &mut room);
                Ok(if after == level(function.variable) { Vec::new() } else { vec![vec![after]] })
            }
            Update::MostPermissive => {
                let function = &self.functions[group];
                let [may_be_1, may_be_0] = function.both(level, &mut room);
                let after = most_permissive::after(level(function.variable), may_be_1, may_be_0);
                Ok(after.into_iter().map(|level| vec![level]).collect())
            }
            Update::Synchronous => {
                Ok(vec![self.functions.iter().map(|function| function.after(level, &mut room)).collect()])
            }
            Update::Mixed => {
                let wanted = self.wanted(level, &mut room);
                if wanted.len() > MOVED {
                    let what =
                        "variables move in one step: such steps are not listed one by one; ask with --engine symbolic";
                    return Err(ModelError(format!("{}: up to {} {what}", self.file, wanted.len())));
                }
                let step = |chosen: u32| {
                    let moved = |variable| {
                        let at = wanted.iter().position(|&(moved, _)| moved == variable)?;
                        (chosen >> at & 1 == 1).then(|| wanted[at].1)
                    };
                    let after =
                        |function: &Function| moved(function.variable).unwrap_or_else(|| level(function.variable));
                    self.functions.iter().map(after).collect()
                };
                Ok((1..1u32 << wanted.len()).map(step).collect())
            }
        }
    }
}

impl Direct for Logical {
    fn moves(&self, state: &[Value], moves: &mut Moves) -> Result<(), ModelError> {
        let level = |variable: usize| state[variable];
        if self.update == Update::Asynchronous {
            moves.ask(self.functions.len());
            let mut room = Vec::new();
            for (group, function) in self.functions.iter().enumerate() {
                let after = function.after(&level, &mut room);
                if after != level(function.variable) {
                    moves.write(function.variable, after);
                    moves.end(group);
                }
            }
            return Ok(());
        }
        if self.update == Update::MostPermissive {
            moves.ask(self.functions.len());
            for (group, function) in self.functions.iter().enumerate() {
                for step in self.steps(group, &level)? {
                    moves.write(function.variable, step[0]);
                    moves.end(group);
                }
            }
            return Ok(());
        }
        moves.ask(1);
        for step in self.steps(0, &level)? {
            self.functions.iter().zip(step).for_each(|(function, after)| moves.write(function.variable, after));
            moves.end(0);
        }
        Ok(())
    }
}

impl NextState for Logical {
    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn next(&self, group: usize, batch: &Batch<'_>, successors: &mut Successors) -> Result<(), ModelError> {
        let reads = &self.signature.groups[group].reads;
        for short in batch.iter() {
            let level = |variable: usize| reads.binary_search(&variable).map_or(0, |at| short[at]);
            self.steps(group, &level)?.into_iter().for_each(|step| successors.push(group as u32, step));
            successors.end();
        }
        Ok(())
    }

    fn lists_initial(&self) -> bool {
        self.listed
    }

    fn knows_steps(&self) -> bool {
        true
    }

    fn favours_declared_order(&self) -> bool {
        false
    }

    fn relation(&self, order: &[VariableId], levels: &Relation, budget: &Budget) -> Option<Relation> {
        relation::relation(&self.described(), order, levels.clone(), budget)
    }

    fn mediated(&self, relation: &Relation, budget: &Budget) -> Vec<Mediated> {
        let is_meant = self.update == Update::Asynchronous && relation.is_closed();
        is_meant.then(|| relation::mediated(&self.described(), relation, budget)).flatten().unwrap_or_default()
    }

    fn rows(&self) -> Vec<Vec<usize>> {
        self.functions.iter().map(Function::reads).collect()
    }

    fn is_tried(&self) -> bool {
        false
    }

    fn paths(&self) -> Option<PathSemantics> {
        Some(PathSemantics::Stutter)
    }

    fn direct(&self) -> Option<&dyn Direct> {
        Some(self)
    }

    fn passes_through(&self) -> bool {
        self.update == Update::MostPermissive
    }

    fn with_copies(&self, names: &[&str]) -> Option<Arc<dyn NextState>> {
        if self.update == Update::MostPermissive {
            return None;
        }
        let own = self.most.len();
        let mut network = self.clone();
        for name in names {
            network.most.extend(&self.most);
            let copy =
                |variable: &Variable| Variable { name: format!("{{{name}}}.{}", variable.name), kind: variable.kind };
            network.signature.variables.extend(self.signature.variables.iter().map(copy));
        }
        network.admissible = self.admissible.with_copies(names.len(), own);
        network.signature.initial = network.initial()?;
        Some(Arc::new(network))
    }

    fn as_bnet(&self) -> Option<Result<String, String>> {
        if self.admissible.len() > 0 {
            let why = "unknown functions and fixed variables have no place in a .bnet file: keep the file, and --fix";
            return Some(Err(why.to_owned()));
        }
        if self.update == Update::MostPermissive {
            return Some(Err("a .bnet file says nothing of updates: leave out --update most-permissive".to_owned()));
        }
        let functions = self.functions.iter().map(|function| (function.variable, &function.target)).collect();
        Some(super::bnet::written(&self.variables().collect::<Vec<_>>(), &functions))
    }

    fn facts(&self) -> Vec<Fact> {
        let total = self.update == Update::Synchronous;
        total.then(|| Fact::new("total", true, "relation", "total: each state has a successor")).into_iter().collect()
    }

    fn values(&self, _: usize) -> Values {
        Values::Numbers { least: 0 }
    }

    fn read(&self, kind: usize, text: &str) -> Option<Value> {
        text.trim().parse().ok().filter(|level| *level <= self.kinds[kind])
    }

    fn source(&self, group: usize) -> Option<Cow<'_, str>> {
        match self.update {
            Update::Asynchronous | Update::MostPermissive => {
                self.functions.get(group)?.source.as_deref().map(Cow::Borrowed)
            }
            Update::Synchronous | Update::Mixed => None,
        }
    }
}
