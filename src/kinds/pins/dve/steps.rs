//! Transitions of processes put together into steps of the system, one for each transition group.
//!
//! A transition without synchronisation, and one that puts a message into a buffer or takes one out, is a step by
//! itself. A rendezvous is one step for each pair of a sender and a receiver of two different processes.
//!
//! **Order.** In a rendezvous the values go first, computed in the state before the step; then the receiver moves and
//! its effects happen, then the sender moves and its effects happen, one assignment after the other, each seeing what
//! the ones before have done. With buffers, too, the values go first. (DiVinE 2 as an interpreter evaluates what goes
//! into a buffer after the effects; the compilers from DVE to C and DiVinE 3 do it before, as here.)
//!
//! **Committed states.** If a process is in a committed state, then only transitions from committed states may
//! happen, in a rendezvous on both sides. So a step from committed states asks for nothing more; a rendezvous of a
//! committed with another state never happens and is left out; and every other step asks each *other* process that
//! has committed states not to be in one, and reads its state for that. A committed state that is stuck stops the
//! system. (DiVinE 3 disregards committed states without any transition; DiVinE 2 and the compilers do not.)
//!
//! Reference: Šimeček, *DiVinE – Distributed Verification Environment*, 2006; Barnat et al., DiVinE 2, 2010.

use rustc_hash::FxHashMap;

use super::super::source::{Fault, Place};
use super::ast::{Binary, Unary};
use super::expression::{Assignment, Domain, Expression, Target, Trap};
use super::system::{Channel, Exchange, Process, System, Transition};

/// A step of the system.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// Its name: those of its transitions.
    pub name: String,
    /// Where it is written.
    pub place: Place,
    /// Where the other transition is, of a rendezvous.
    pub other: Option<Place>,
    /// For the slot of each process that moves, when it does so and on what channel, as the program says it.
    pub words: Vec<(u32, String)>,
    /// The states of processes that it needs: slots and numbers.
    pub sources: Vec<(u32, i32)>,
    /// Further conditions, in this order.
    pub conditions: Vec<Expression>,
    /// Its assignments, in this order.
    pub effects: Vec<Assignment>,
}

impl Step {
    /// Perform the step in a frame that has all slots it names, and mark what has been written. Is it enabled?
    ///
    /// # Errors
    /// When an expression has no value.
    pub fn perform(&self, frame: &mut [i32], written: &mut [bool]) -> Result<bool, Trap> {
        if !self.is_enabled(frame)? {
            return Ok(false);
        }
        for effect in &self.effects {
            let slot = effect.perform(frame)?;
            if let Some(mark) = written.get_mut(slot) {
                *mark = true;
            }
        }
        Ok(true)
    }

    /// Can the step happen in a frame that has all slots it names?
    ///
    /// # Errors
    /// When a condition has no value.
    pub fn is_enabled(&self, frame: &[i32]) -> Result<bool, Trap> {
        if self.sources.iter().any(|&(slot, number)| frame.get(slot as usize) != Some(&number)) {
            return Ok(false);
        }
        for condition in &self.conditions {
            if condition.value(frame)? == 0 {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Where it is written in this text, and the lines that begin there.
    pub(super) fn source(&self, file: &str, text: &str) -> String {
        let line = |place: &Place| {
            let line = text.lines().nth(place.line.saturating_sub(1) as usize).unwrap_or_default();
            format!("{file}:{}: {}", place.line, line.trim().trim_end_matches([',', ';']))
        };
        let places: Vec<String> = [Some(self.place), self.other].iter().flatten().map(line).collect();
        places.join("\n")
    }

    /// From which place to which it moves the process of this slot, if it has one that it asks to be somewhere.
    pub(super) fn moves(&self, slot: u32) -> Option<(i32, i32)> {
        let &(_, from) = self.sources.iter().find(|&&(of, _)| of == slot)?;
        let to = self.effects.iter().find_map(|effect| effect.sets(slot));
        Some((from, to.unwrap_or(from)))
    }

    /// The same over other slots.
    pub fn relocate(&self, image: &impl Fn(u32) -> u32) -> Self {
        Step {
            name: self.name.clone(),
            place: self.place,
            other: self.other,
            words: self.words.clone(),
            sources: self.sources.iter().map(|&(slot, number)| (image(slot), number)).collect(),
            conditions: self.conditions.iter().map(|condition| condition.relocate(image)).collect(),
            effects: self.effects.iter().map(|effect| effect.relocate(image)).collect(),
        }
    }
}

/// All steps of a system.
///
/// # Errors
/// When a sender and a receiver do not fit.
pub(super) fn steps(system: &System) -> Result<Vec<Step>, Fault> {
    let mut steps = Vec::new();
    let members = || {
        let property = system.property;
        system.processes.iter().enumerate().filter(move |(number, _)| property != Some(*number))
    };
    for (number, process) in members() {
        for transition in &process.transitions {
            let mover = Mover { number, process, transition };
            let channel = match &transition.exchange {
                Exchange::Alone => {
                    steps.push(mover.alone(system));
                    continue;
                }
                Exchange::Send(channel, _) | Exchange::Receive(channel, _) => *channel,
            };
            if system.channels[channel].capacity > 0 {
                steps.push(mover.buffered(system, &system.channels[channel]));
                continue;
            }
            let Exchange::Send(..) = transition.exchange else { continue };
            for (number, process) in members().filter(|(other, _)| *other != number) {
                for transition in &process.transitions {
                    let receiver = Mover { number, process, transition };
                    steps.extend(mover.rendezvous(&receiver, system)?);
                }
            }
        }
    }
    distinguish(&mut steps);
    Ok(steps)
}

/// A process that moves.
struct Mover<'a> {
    number: usize,
    process: &'a Process,
    transition: &'a Transition,
}

impl Mover<'_> {
    fn committed(&self) -> bool {
        self.process.committed.contains(&self.transition.from)
    }

    /// Its guard, and what it does on a channel.
    fn words(&self) -> (u32, String) {
        let Transition { name, guard_text, .. } = self.transition;
        let exchange = name.split_once(' ').map(|(_, exchange)| exchange);
        let guard = Some(guard_text.as_str()).filter(|guard| !guard.is_empty());
        let all: Vec<&str> = guard.into_iter().chain(exchange).collect();
        (self.process.slot, all.join(": "))
    }

    fn alone(&self, system: &System) -> Step {
        let mut step = Step {
            name: self.transition.name.clone(),
            place: self.transition.place,
            other: None,
            words: vec![self.words()],
            sources: Vec::new(),
            conditions: Vec::new(),
            effects: Vec::new(),
        };
        self.start(&mut step);
        if !self.committed() {
            ask_uncommitted(&mut step, system, &[self.number]);
        }
        self.guard(&mut step);
        self.finish(&mut step);
        step
    }

    /// The process is where the transition starts.
    fn start(&self, step: &mut Step) {
        step.sources.push((self.process.slot, self.transition.from));
    }

    fn guard(&self, step: &mut Step) {
        step.conditions.extend(self.transition.guard.clone());
    }

    /// The process moves, and its effects happen.
    fn finish(&self, step: &mut Step) {
        if self.transition.from != self.transition.to {
            step.effects.push(Assignment::set(self.process.slot, self.transition.to));
        }
        step.effects.extend(self.transition.effects.iter().cloned());
    }

    /// A message goes into a buffer or comes out of it.
    fn buffered(&self, system: &System, channel: &Channel) -> Step {
        let mut step = self.alone(system);
        let (count, capacity) = (Expression::Slot(channel.count), channel.capacity);
        let limit = i32::try_from(capacity).unwrap_or(i32::MAX);
        let domains = channel.domains.as_deref().unwrap_or_default();
        let mut exchange = Vec::new();
        let set_count = |operator| Assignment {
            target: Target::Slot(channel.count),
            domain: Domain::Small,
            value: Expression::binary(operator, count.clone(), Expression::Constant(1)),
        };
        match &self.transition.exchange {
            Exchange::Alone => {}
            Exchange::Send(_, values) => {
                step.conditions.push(Expression::binary(Binary::Less, count.clone(), Expression::Constant(limit)));
                for ((&first, &domain), value) in channel.cells.iter().zip(domains).zip(values) {
                    let target = Target::Cell { first, size: capacity, index: count.clone() };
                    exchange.push(Assignment { target, domain, value: value.clone() });
                }
                exchange.push(set_count(Binary::Add));
            }
            Exchange::Receive(_, targets) => {
                step.conditions.push(Expression::binary(Binary::Less, Expression::Constant(0), count.clone()));
                for (&first, (target, domain)) in channel.cells.iter().zip(targets) {
                    let value = Expression::Slot(first);
                    exchange.push(Assignment { target: target.clone(), domain: *domain, value });
                }
                for (&first, &domain) in channel.cells.iter().zip(domains) {
                    for cell in first..first + capacity {
                        let last = cell + 1 == first + capacity;
                        let value = if last { Expression::Constant(0) } else { Expression::Slot(cell + 1) };
                        exchange.push(Assignment { target: Target::Slot(cell), domain, value });
                    }
                }
                exchange.push(set_count(Binary::Subtract));
            }
        }
        step.effects.splice(0..0, exchange);
        step
    }

    /// This process sends, the other one receives. None if it is another channel, or can never happen.
    fn rendezvous(&self, receiver: &Mover<'_>, system: &System) -> Result<Option<Step>, Fault> {
        let (Exchange::Send(channel, values), Exchange::Receive(other, targets)) =
            (&self.transition.exchange, &receiver.transition.exchange)
        else {
            return Ok(None);
        };
        if channel != other {
            return Ok(None);
        }
        let channel = &system.channels[*channel];
        if values.len() != targets.len() {
            let message = format!(
                "`{}` sends {} values on `{}`, and `{}` receives {}: make them equal",
                self.transition.name,
                values.len(),
                channel.name,
                receiver.transition.name,
                targets.len()
            );
            return Err(Fault::new(self.transition.place, message));
        }
        if self.committed() != receiver.committed() {
            return Ok(None);
        }
        let mut step = Step {
            name: format!("{}, {}", self.transition.name, receiver.transition.name),
            place: self.transition.place,
            other: Some(receiver.transition.place),
            words: vec![self.words(), receiver.words()],
            sources: Vec::new(),
            conditions: Vec::new(),
            effects: Vec::new(),
        };
        self.start(&mut step);
        receiver.start(&mut step);
        if !self.committed() {
            ask_uncommitted(&mut step, system, &[self.number, receiver.number]);
        }
        self.guard(&mut step);
        receiver.guard(&mut step);
        for (part, (value, (target, domain))) in values.iter().zip(targets).enumerate() {
            let mut value = value.clone();
            if let Some(carried) = channel.domains.as_ref().and_then(|domains| domains.get(part)) {
                value = truncated(value, *carried, *domain);
            }
            step.effects.push(Assignment { target: target.clone(), domain: *domain, value });
        }
        receiver.finish(&mut step);
        self.finish(&mut step);
        Ok(Some(step))
    }
}

/// A value that goes through a channel of a narrower type than its target.
fn truncated(value: Expression, carried: Domain, target: Domain) -> Expression {
    match (carried, target) {
        (Domain::Byte, Domain::Int) => Expression::binary(Binary::BitAnd, value, Expression::Constant(0xff)),
        _ => value,
    }
}

/// No process but these is in a committed state.
fn ask_uncommitted(step: &mut Step, system: &System, movers: &[usize]) {
    for (number, process) in system.processes.iter().enumerate() {
        if movers.contains(&number) || system.property == Some(number) || process.committed.is_empty() {
            continue;
        }
        let committed = Expression::Among { slot: process.slot, numbers: process.committed.as_slice().into() };
        step.conditions.push(Expression::unary(Unary::Not, committed));
    }
}

/// Steps of the same name get their lines added.
fn distinguish(steps: &mut [Step]) {
    let mut seen: FxHashMap<String, usize> = FxHashMap::default();
    for step in steps.iter() {
        *seen.entry(step.name.clone()).or_default() += 1;
    }
    let mut numbers: FxHashMap<String, usize> = FxHashMap::default();
    for step in steps {
        if seen.get(&step.name).is_some_and(|&times| times > 1) {
            let number = numbers.entry(step.name.clone()).or_default();
            *number += 1;
            step.name = format!("{} #{number}", step.name);
        }
    }
}
