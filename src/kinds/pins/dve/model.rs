//! A DVE model behind the next-state interface.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexMap;
use smallvec::SmallVec;

use super::super::next_state::{
    Batch, Direct, Group, LabelRole, ModelError, Moves, NextState, Process, Signature, StateLabel, Successors, Value,
    Values, Variable, Whole,
};
use super::super::source::{Fault, SourceError};
use super::ast::Binary;
use super::expression::{Domain, Expression, Trap};
use super::parser::parse;
use super::program::{Predicate, Program, Room};
use super::property::{Property, PropertyEdge};
use super::rows::Rows;
use super::steps::{Step, steps};
use super::system::{System, resolve};

/// A type of variables.
#[derive(Clone, Debug)]
enum Kind {
    Number(Domain),
    States(IndexMap<String, ()>),
}

/// Types that every model has, in this order; those of processes follow.
const NUMBERS: [(&str, Domain); 3] = [("byte", Domain::Byte), ("int", Domain::Int), ("channel", Domain::Small)];

/// A DVE model.
#[derive(Clone, Debug)]
pub struct Dve {
    pub(super) signature: Signature,
    kinds: Vec<Kind>,
    /// The steps over the whole state, one for each group, and where they are written.
    steps: Vec<Step>,
    sources: Vec<String>,
    departures: Departures,
    programs: Vec<Program>,
    predicates: Vec<Predicate>,
    /// The condition of each state label, over the whole state.
    conditions: Vec<Expression>,
    property: Option<Property>,
    /// Remarks about parts that were left out, as lines with their places.
    remarks: Vec<String>,
}

impl Dve {
    /// Read a model from text; `file` is what messages call it.
    ///
    /// # Errors
    /// At the first thing that is wrong in the text.
    pub fn read(file: &str, text: &str) -> Result<Self, SourceError> {
        Self::build(file, text).map_err(|fault| fault.in_file(file))
    }

    fn build(file: &str, text: &str) -> Result<Self, Fault> {
        let model = parse(text)?;
        let system = resolve(text, &model)?;
        let steps = steps(&system)?;
        let slots = &system.scope.slots;
        let mut kinds: Vec<Kind> = NUMBERS.iter().map(|&(_, domain)| Kind::Number(domain)).collect();
        let mut signature = Signature {
            name: file.to_owned(),
            types: NUMBERS.iter().map(|(name, _)| (*name).to_owned()).collect(),
            ..Signature::default()
        };
        for slot in slots {
            let kind = match slot.process {
                Some(number) => {
                    let process = &system.processes[number];
                    signature.types.push(process.name.clone());
                    kinds.push(Kind::States(process.states.iter().map(|state| (state.clone(), ())).collect()));
                    kinds.len() - 1
                }
                None => NUMBERS.iter().position(|&(_, domain)| domain == slot.domain).unwrap_or_default(),
            };
            signature.variables.push(Variable { name: slot.name.clone(), kind });
        }
        let codes = slots.iter().zip(&system.scope.initial);
        signature.initial = vec![codes.map(|(slot, number)| (number + slot.domain.offset()).cast_unsigned()).collect()];
        let mut programs = Vec::with_capacity(steps.len());
        for step in &steps {
            let rows = Rows::of_step(step);
            programs.push(Program::new(step, &rows, slots));
            let row = |slots: &BTreeSet<u32>| slots.iter().map(|&slot| slot as usize).collect();
            signature.groups.push(Group {
                name: step.name.clone(),
                reads: row(&rows.reads),
                must_write: row(&rows.must_write),
                may_write: row(&rows.may_write),
                needs: step.sources.iter().map(|&(slot, state)| (slot as usize, state.cast_unsigned())).collect(),
            });
        }
        let departures = Departures::new(&steps);
        let sources = steps.iter().map(|step| step.source(file, text)).collect();
        let (labels, property) = labels(&system);
        let mut predicates = Vec::with_capacity(labels.len());
        let mut conditions = Vec::with_capacity(labels.len());
        for (expression, (name, role)) in labels {
            let reads: Vec<u32> = Rows::of_predicate(&expression).into_iter().collect();
            predicates.push(Predicate::new(&expression, &reads, slots));
            conditions.push(expression);
            let reads = reads.into_iter().map(|slot| slot as usize).collect();
            signature.labels.push(StateLabel { name, role, reads });
        }
        let remark = |(place, message): &(super::super::source::Place, String)| {
            format!("{file}:{}:{}: {message}", place.line, place.column)
        };
        let remarks = system.scope.remarks.iter().map(remark).collect();
        Ok(Dve { signature, kinds, steps, sources, departures, programs, predicates, conditions, property, remarks })
    }

    /// Remarks about parts of the text that were left out.
    pub fn remarks(&self) -> &[String] {
        &self.remarks
    }

    /// The property process, if the model has one.
    pub fn property(&self) -> Option<&Property> {
        self.property.as_ref()
    }

    /// The step of a group, over the whole state.
    pub fn step(&self, group: usize) -> &Step {
        &self.steps[group]
    }

    /// A state as numbers.
    pub(super) fn frame(&self, state: &[Value]) -> Frame {
        let number = |(at, value): (usize, &Value)| value.cast_signed().wrapping_sub(self.domain(at).offset());
        state.iter().enumerate().map(number).collect()
    }

    /// The failure of a group.
    fn failure(&self, group: usize, trap: Trap) -> ModelError {
        let step = &self.steps[group];
        ModelError(format!("{}:{}: {}: {trap}", self.signature.name, step.place.line, step.name))
    }

    /// Does a state label hold in a state?
    ///
    /// # Errors
    /// When the label has no value there.
    pub(super) fn holds(&self, label: usize, frame: &[i32]) -> Result<bool, ModelError> {
        let value = self.conditions[label].value(frame).map_err(|trap| self.failure_of_label(label, trap))?;
        Ok(value != 0)
    }

    fn failure_of_label(&self, label: usize, trap: Trap) -> ModelError {
        ModelError(format!("{}: `{}`: {trap}", self.signature.name, self.signature.labels[label].name))
    }

    /// The condition of a state label, over the whole state.
    pub(super) fn condition(&self, label: usize) -> &Expression {
        &self.conditions[label]
    }

    /// The domain of a variable.
    pub(super) fn domain(&self, variable: usize) -> Domain {
        match &self.kinds[self.signature.variables[variable].kind] {
            Kind::Number(domain) => *domain,
            Kind::States(_) => Domain::Small,
        }
    }
}

/// The numbers of a whole state.
pub(super) type Frame = SmallVec<[i32; 64]>;

/// Steps by the state that a process leaves: the first of those that a step needs.
#[derive(Clone, Debug, Default)]
struct Departures(Vec<(usize, Vec<Vec<u32>>)>);

impl Departures {
    fn new(steps: &[Step]) -> Self {
        let mut by_slot: BTreeMap<usize, Vec<Vec<u32>>> = BTreeMap::new();
        for (group, step) in (0..).zip(steps) {
            let Some(&(slot, state)) = step.sources.first() else { unreachable!("some process moves") };
            let states = by_slot.entry(slot as usize).or_default();
            let state = state.unsigned_abs() as usize;
            states.resize(states.len().max(state + 1), Vec::new());
            states[state].push(group);
        }
        let mut tables: Vec<_> = by_slot.into_iter().collect();
        // In the order of groups, as these are in the order of processes.
        tables.sort_by_key(|(_, states)| states.iter().flatten().min().copied());
        Departures(tables)
    }

    /// The steps that may happen in a state, by the states of its processes, whose codes are their numbers.
    fn from<'d>(&'d self, state: &'d [Value]) -> impl Iterator<Item = &'d [u32]> {
        self.0.iter().map(|(slot, states)| states.get(state[*slot] as usize).map_or(&[][..], Vec::as_slice))
    }
}

impl Direct for Dve {
    fn moves(&self, state: &[Value], moves: &mut Moves) -> Result<(), ModelError> {
        let mut frame = self.frame(state);
        let mut before: SmallVec<[(usize, i32); 16]> = SmallVec::new();
        for &group in self.departures.from(state).flatten() {
            let group = group as usize;
            moves.ask(1);
            let step = &self.steps[group];
            if !step.is_enabled(&frame).map_err(|trap| self.failure(group, trap))? {
                continue;
            }
            before.clear();
            for effect in &step.effects {
                let (slot, number) = effect.value(&frame).map_err(|trap| self.failure(group, trap))?;
                before.push((slot, std::mem::replace(&mut frame[slot], number)));
            }
            for (at, &(slot, _)) in before.iter().enumerate() {
                if before[..at].iter().all(|&(other, _)| other != slot) {
                    moves.write(slot, frame[slot].wrapping_add(self.domain(slot).offset()).cast_unsigned());
                }
            }
            moves.end(group);
            before.iter().rev().for_each(|&(slot, number)| frame[slot] = number);
        }
        Ok(())
    }
}

/// State labels by what they say, and the property, which refers to them.
type Labels = IndexMap<Expression, (String, LabelRole)>;

fn labels(system: &System) -> (Labels, Option<Property>) {
    let mut labels = Labels::default();
    for process in &system.processes {
        for (state, expression, text) in &process.assertions {
            let here = Expression::is(process.slot, *state);
            let says = Expression::binary(Binary::Imply, here, expression.clone());
            let state = usize::try_from(*state).ok().and_then(|state| process.states.get(state));
            let name = format!("assert {}.{}: {text}", process.name, state.map_or("", String::as_str));
            labels.entry(says).or_insert((name, LabelRole::Assertion));
        }
    }
    let property = system.property.map(|number| {
        let process = &system.processes[number];
        let state = |number: i32| usize::try_from(number).unwrap_or_default();
        let mut edges = Vec::with_capacity(process.transitions.len());
        for transition in &process.transitions {
            let guard = transition.guard.clone().map(|guard| {
                let entry = labels.entry(guard);
                let number = entry.index();
                entry.or_insert_with(|| (transition.guard_text.clone(), LabelRole::Proposition));
                number
            });
            edges.push(PropertyEdge { from: state(transition.from), to: state(transition.to), guard });
        }
        Property {
            name: process.name.clone(),
            states: process.states.clone(),
            initial: state(process.initial),
            accepting: process.accepting.iter().map(|&number| state(number)).collect(),
            edges,
        }
    });
    (labels, property)
}

impl NextState for Dve {
    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn next(&self, group: usize, batch: &Batch<'_>, successors: &mut Successors) -> Result<(), ModelError> {
        let mut room = Room::default();
        let action = u32::try_from(group).unwrap_or(u32::MAX);
        for short in batch.iter() {
            self.programs[group].run(action, short, &mut room, successors).map_err(|trap| self.failure(group, trap))?;
            successors.end();
        }
        Ok(())
    }

    fn whole(&self, group: usize, state: &[Value]) -> Option<Whole> {
        let mut frame = self.frame(state);
        let mut written = vec![false; frame.len()];
        let step = &self.steps[group];
        Some(match step.perform(&mut frame, &mut written) {
            Err(trap) => Err(ModelError(format!("{}: {trap}", step.name))),
            Ok(false) => Ok(Vec::new()),
            Ok(true) => {
                let code = |(at, number): (usize, &i32)| number.wrapping_add(self.domain(at).offset()).cast_unsigned();
                let action = u32::try_from(group).unwrap_or(u32::MAX);
                Ok(vec![(action, frame.iter().enumerate().map(code).collect())])
            }
        })
    }

    fn label(&self, label: usize, short: &[Value]) -> Result<bool, ModelError> {
        self.predicates[label].holds(short).map_err(|trap| self.failure_of_label(label, trap))
    }

    fn direct(&self) -> Option<&dyn Direct> {
        Some(self)
    }

    fn values(&self, kind: usize) -> Values {
        match &self.kinds[kind] {
            Kind::Number(domain) => Values::Numbers { least: -i64::from(domain.offset()) },
            Kind::States(states) => Values::Named(u32::try_from(states.len()).unwrap_or(u32::MAX)),
        }
    }

    fn is_control(&self, kind: usize) -> bool {
        matches!(self.kinds.get(kind), Some(Kind::States(_)))
    }

    fn source(&self, group: usize) -> Option<Cow<'_, str>> {
        self.sources.get(group).map(|source| source.as_str().into())
    }

    fn processes(&self) -> Vec<Process> {
        let variables = self.signature.variables.iter().zip(&self.signature.initial[0]).enumerate();
        let process = |(slot, (variable, &initial)): (usize, (&Variable, &Value))| {
            let Kind::States(states) = &self.kinds[variable.kind] else { return None };
            let edge = |(group, step): (usize, &Step)| {
                let (_, words) = step.words.iter().find(|(of, _)| *of == slot as u32)?;
                let (from, to) = step.moves(slot as u32)?;
                Some((from as usize, group, to as usize, words.clone()))
            };
            Some(Process {
                name: variable.name.clone(),
                states: states.keys().cloned().collect(),
                initial: initial as usize,
                edges: self.steps.iter().enumerate().filter_map(edge).collect(),
            })
        };
        variables.filter_map(process).collect()
    }

    fn show(&self, kind: usize, value: Value) -> Cow<'_, str> {
        match &self.kinds[kind] {
            Kind::Number(domain) => (i64::from(value) - i64::from(domain.offset())).to_string().into(),
            Kind::States(states) => match states.get_index(value as usize) {
                Some((name, ())) => name.as_str().into(),
                None => value.to_string().into(),
            },
        }
    }

    fn read(&self, kind: usize, text: &str) -> Option<Value> {
        match &self.kinds[kind] {
            Kind::Number(domain) => {
                let number: i32 = text.trim().parse().ok()?;
                let fits = domain.truncate(number) == number && number + domain.offset() >= 0;
                fits.then_some((number + domain.offset()).cast_unsigned())
            }
            Kind::States(states) => states.get_index_of(text).and_then(|index| u32::try_from(index).ok()),
        }
    }

    fn number(&self, kind: usize, value: Value) -> Option<i64> {
        match &self.kinds[kind] {
            Kind::Number(domain) => Some(i64::from(value) - i64::from(domain.offset())),
            Kind::States(_) => None,
        }
    }

    fn action(&self, action: u32) -> Cow<'_, str> {
        match self.steps.get(action as usize) {
            Some(step) => step.name.as_str().into(),
            None => action.to_string().into(),
        }
    }
}
