//! A model with all names resolved: processes with numbered states, transitions over slots.
//!
//! The property process has no part in the state of the system. It may watch the system and nothing else: variables,
//! synchronisation, effects, committed states and assertions are refused in it.

use super::super::source::{Fault, Place};
use super::ast::{self, Model, Name, ProcessDeclaration, TransitionDeclaration, Type};
use super::expression::{Assignment, Domain, Expression, Target};
use super::parser::plain;
use super::scope::{Scope, Slot, Symbol};

/// A resolved model.
#[derive(Clone, Debug)]
pub(super) struct System {
    /// The layout of the state, and its initial value.
    pub scope: Scope,
    /// Processes, in their order, the property process too.
    pub processes: Vec<Process>,
    /// Channels.
    pub channels: Vec<Channel>,
    /// The number of the property process.
    pub property: Option<usize>,
}

/// A process.
#[derive(Clone, Debug)]
pub(super) struct Process {
    /// Its name.
    pub name: String,
    /// Where the state of the system has its state. Of no use for the property process.
    pub slot: u32,
    /// The names of its states.
    pub states: Vec<String>,
    /// The initial one.
    pub initial: i32,
    /// Accepting states, sorted.
    pub accepting: Vec<i32>,
    /// Committed states, sorted.
    pub committed: Vec<i32>,
    /// Assertions: a state, what must hold there, and its text.
    pub assertions: Vec<(i32, Expression, String)>,
    /// Transitions.
    pub transitions: Vec<Transition>,
}

/// A channel.
#[derive(Clone, Debug)]
pub(super) struct Channel {
    /// Its name.
    pub name: String,
    /// The domain of each value of a message, if it is declared.
    pub domains: Option<Vec<Domain>>,
    /// How many messages it holds; none for rendezvous.
    pub capacity: u32,
    /// Where the number of messages is.
    pub count: u32,
    /// For each value of a message, where those of the messages start.
    pub cells: Vec<u32>,
}

/// A transition of one process.
#[derive(Clone, Debug)]
pub(super) struct Transition {
    /// `P.q->r c!x`
    pub name: String,
    /// Where it is written.
    pub place: Place,
    /// From this state …
    pub from: i32,
    /// … to this one.
    pub to: i32,
    /// When.
    pub guard: Option<Expression>,
    /// The text of the guard.
    pub guard_text: String,
    /// With whom.
    pub exchange: Exchange,
    /// Its assignments.
    pub effects: Vec<Assignment>,
}

/// The part of a channel in a transition.
#[derive(Clone, Debug)]
pub(super) enum Exchange {
    /// None.
    Alone,
    /// It sends these values.
    Send(usize, Vec<Expression>),
    /// It receives into these variables.
    Receive(usize, Vec<(Target, Domain)>),
}

/// Resolve a model.
///
/// # Errors
/// When a name means nothing, or something else than what is needed.
pub(super) fn resolve(text: &str, model: &Model) -> Result<System, Fault> {
    let mut scope = Scope::default();
    let property = match &model.property {
        None => None,
        Some(name) => Some(
            model
                .processes
                .iter()
                .position(|process| process.name.text == name.text)
                .ok_or_else(|| Fault::new(name.place, format!("there is no process `{}`", name.text)))?,
        ),
    };
    for variable in &model.variables {
        scope.declare_variable(variable, None)?;
    }
    let mut channels = Vec::new();
    for (number, channel) in model.channels.iter().enumerate() {
        scope.declare_global(&channel.name, Symbol::Channel(number))?;
        channels.push(lay_out_channel(&mut scope, channel)?);
    }
    for (number, process) in model.processes.iter().enumerate() {
        scope.declare_global(&process.name, Symbol::Process(number))?;
        declare_process(&mut scope, number, process, property == Some(number))?;
    }
    let resolver = Resolver { text, scope: &scope, channels: &channels };
    let mut processes = Vec::new();
    for (number, process) in model.processes.iter().enumerate() {
        if property == Some(number) {
            refuse_in_property(process)?;
        }
        processes.push(resolver.process(number, process)?);
    }
    Ok(System { scope, processes, channels, property })
}

/// The slots of a channel.
fn lay_out_channel(scope: &mut Scope, channel: &ast::ChannelDeclaration) -> Result<Channel, Fault> {
    let (name, place, capacity) = (&channel.name.text, channel.name.place, channel.capacity);
    let domains: Option<Vec<Domain>> = channel
        .types
        .as_ref()
        .map(|types| types.iter().map(|kind| if *kind == Type::Byte { Domain::Byte } else { Domain::Int }).collect());
    let (mut count, mut cells) = (0, Vec::new());
    if capacity > 0 {
        count = scope.add_slot(place, Slot { name: name.clone(), domain: Domain::Small, process: None }, 0)?;
        let domains = domains.as_deref().unwrap_or_default();
        for (part, &domain) in domains.iter().enumerate() {
            for message in 0..capacity {
                let name =
                    if domains.len() == 1 { format!("{name}[{message}]") } else { format!("{name}[{message}].{part}") };
                let slot = scope.add_slot(place, Slot { name, domain, process: None }, 0)?;
                if message == 0 {
                    cells.push(slot);
                }
            }
        }
    }
    Ok(Channel { name: name.clone(), domains, capacity, count, cells })
}

/// The states and variables of a process.
fn declare_process(
    scope: &mut Scope,
    number: usize,
    process: &ProcessDeclaration,
    property: bool,
) -> Result<(), Fault> {
    let (name, place) = (&process.name.text, process.name.place);
    if process.states.is_empty() {
        return Err(Fault::new(place, format!("process `{name}` has no states: add `state …;`")));
    }
    scope.processes.push(Default::default());
    for state in &process.states {
        scope.processes[number].declare_state(state)?;
    }
    let initial = process
        .initial
        .as_ref()
        .ok_or_else(|| Fault::new(place, format!("process `{name}` has no initial state: add `init …;`")))?;
    let initial = scope.processes[number].state(initial)?;
    if !property {
        let slot = Slot { name: name.clone(), domain: Domain::Small, process: Some(number) };
        scope.processes[number].slot = Some(scope.add_slot(place, slot, initial)?);
    }
    for variable in &process.variables {
        if property && !variable.constant {
            let message = "a property process may watch the system and have constants, not variables";
            return Err(Fault::new(variable.name.place, message));
        }
        scope.declare_variable(variable, Some((number, name)))?;
    }
    Ok(())
}

/// A property process only watches.
fn refuse_in_property(process: &ProcessDeclaration) -> Result<(), Fault> {
    let refuse = |place, what| Err(Fault::new(place, format!("{what} in a property process: it may only watch")));
    if let Some(state) = process.committed.first() {
        return refuse(state.place, "a committed state");
    }
    if let Some((state, _)) = process.assertions.first() {
        return refuse(state.place, "an assertion");
    }
    for transition in &process.transitions {
        if let Some(synchronisation) = &transition.synchronisation {
            return refuse(synchronisation.channel.place, "synchronisation");
        }
        if let Some(effect) = transition.effects.first() {
            return refuse(effect.target.place, "an effect");
        }
    }
    Ok(())
}

struct Resolver<'a> {
    text: &'a str,
    scope: &'a Scope,
    channels: &'a [Channel],
}

impl Resolver<'_> {
    fn process(&self, number: usize, process: &ProcessDeclaration) -> Result<Process, Fault> {
        let scope = &self.scope.processes[number];
        let numbers = |names: &[Name]| -> Result<Vec<i32>, Fault> {
            let mut states = names.iter().map(|name| scope.state(name)).collect::<Result<Vec<_>, _>>()?;
            states.sort_unstable();
            states.dedup();
            Ok(states)
        };
        let mut assertions = Vec::new();
        for (state, expression) in &process.assertions {
            let resolved = self.scope.resolve(expression, Some(number))?;
            assertions.push((scope.state(state)?, resolved, self.excerpt(expression)));
        }
        let mut transitions = Vec::with_capacity(process.transitions.len());
        for transition in &process.transitions {
            transitions.push(self.transition(number, &process.name.text, transition)?);
        }
        Ok(Process {
            name: process.name.text.clone(),
            slot: scope.slot.unwrap_or_default(),
            states: process.states.iter().map(|state| state.text.clone()).collect(),
            initial: process.initial.as_ref().map_or(Ok(0), |state| scope.state(state))?,
            accepting: numbers(&process.accepting)?,
            committed: numbers(&process.committed)?,
            assertions,
            transitions,
        })
    }

    fn transition(
        &self,
        number: usize,
        process: &str,
        transition: &TransitionDeclaration,
    ) -> Result<Transition, Fault> {
        let scope = &self.scope.processes[number];
        let (from, to) = (scope.state(&transition.from)?, scope.state(&transition.to)?);
        let mut name = format!("{process}.{}->{}", transition.from.text, transition.to.text);
        let mut exchange = Exchange::Alone;
        if let Some(synchronisation) = &transition.synchronisation {
            name = format!("{name} {}", synchronisation.text);
            let channel = self.scope.channel(&synchronisation.channel)?;
            if let Some(domains) = &self.channels[channel].domains
                && domains.len() != synchronisation.values.len()
            {
                let message = format!(
                    "channel `{}` carries {} values, and here are {}",
                    synchronisation.channel.text,
                    domains.len(),
                    synchronisation.values.len()
                );
                return Err(Fault::new(synchronisation.channel.place, message));
            }
            let values = synchronisation.values.iter();
            exchange = if synchronisation.sends {
                let values = values.map(|value| self.scope.resolve(value, Some(number)));
                Exchange::Send(channel, values.collect::<Result<_, _>>()?)
            } else {
                let targets = values.map(|value| self.scope.target(value, Some(number)));
                Exchange::Receive(channel, targets.collect::<Result<_, _>>()?)
            };
        }
        let mut effects = Vec::with_capacity(transition.effects.len());
        for effect in &transition.effects {
            let (target, domain) = self.scope.target(&effect.target, Some(number))?;
            effects.push(Assignment { target, domain, value: self.scope.resolve(&effect.value, Some(number))? });
        }
        let guard = transition.guard.as_ref();
        Ok(Transition {
            name,
            place: transition.from.place,
            from,
            to,
            guard: guard.map(|guard| self.scope.resolve(guard, Some(number))).transpose()?,
            guard_text: guard.map_or_else(String::new, |guard| self.excerpt(guard)),
            exchange,
            effects,
        })
    }

    /// The text of an expression.
    fn excerpt(&self, expression: &ast::Expression) -> String {
        plain(self.text.get(expression.span.0..expression.span.1).unwrap_or_default())
    }
}
