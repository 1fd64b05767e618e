//! Programs of nets, counter machines and networks: a condition and a change per transition.

use super::bounds;
use super::error::NoProgram;
use super::program::{Domain, Program};
use crate::budget::Budget;
use crate::kinds::counters::CounterMachine;
use crate::kinds::network::Network;
use crate::net::PetriNet;
use indexmap::IndexMap;
use std::collections::BTreeMap;

/// The greatest number of SMV.
const MOST: u64 = i32::MAX as u64;

/// A variable of numbers up to a bound.
fn counter(program: &mut Program, name: &str, bound: u64) -> Result<(), NoProgram> {
    if bound > MOST {
        return Err(NoProgram::Number { variable: name.to_owned(), value: bound });
    }
    program.variable(name, Domain::Range(0, bound));
    Ok(())
}

/// The condition that a counter is at least, and below, these numbers.
fn window(name: &str, least: u64, below: Option<u64>, guard: &mut Vec<String>) {
    guard.extend((least > 0).then(|| format!("{name} >= {least}")));
    guard.extend(below.map(|below| format!("{name} < {below}")));
}

/// The next value of a counter with a bound, and where it is in range; none if it never changes so.
fn shifted(name: &str, change: i128, bound: u64) -> Option<(String, String)> {
    let size = u64::try_from(change.unsigned_abs()).ok().filter(|&size| size <= bound)?;
    match change {
        0 => None,
        1.. => Some((format!("{name} <= {}", bound - size), format!("{name} + {size}"))),
        _ => Some((format!("{name} >= {size}"), format!("{name} - {size}"))),
    }
}

/// A net.
pub(super) fn of_net(net: &PetriNet, most: usize, budget: &Budget) -> Result<Program, NoProgram> {
    let bounds = bounds::of_places(net, most, budget)?;
    let mut program = Program::new();
    for (place, &bound) in net.places().iter().zip(&bounds) {
        counter(&mut program, &place.id, bound)?;
    }
    program.initial = vec![net.places().iter().map(|place| place.initial.to_string()).collect()];
    for transition in net.transitions() {
        // For each place: taken, put, and the first number that is too much.
        let mut touched: BTreeMap<usize, (u64, u64, Option<u64>)> = BTreeMap::new();
        transition.pre.iter().for_each(|arc| touched.entry(arc.place.index()).or_default().0 = arc.weight);
        transition.post.iter().for_each(|arc| touched.entry(arc.place.index()).or_default().1 = arc.weight);
        transition.inhibitors.iter().for_each(|arc| touched.entry(arc.place.index()).or_default().2 = Some(arc.weight));
        let (mut guard, mut updates) = (Vec::new(), Vec::new());
        for (place, (taken, put, below)) in touched {
            let name = &program.variables[place].name;
            window(name, taken, below, &mut guard);
            let change = shifted(name, i128::from(put) - i128::from(taken), bounds[place]);
            updates.extend(change.map(|(condition, value)| (place, condition, value)));
        }
        let action = program.add(&transition.id, guard, updates);
        program.of_action.push(vec![action]);
    }
    Ok(program)
}

/// A counter machine.
pub(super) fn of_counters(machine: &CounterMachine, most: usize, budget: &Budget) -> Result<Program, NoProgram> {
    let bounds = bounds::of_variables(machine, most, budget)?;
    let mut program = Program::new();
    let mut initial = Vec::new();
    if let Some(control) = machine.control() {
        let values: IndexMap<u64, String> =
            (0..).zip(&control.states).map(|(number, state)| (number, program.names.constant(state))).collect();
        initial.extend(values.get(&0).cloned());
        program.variable(&control.name, Domain::Values(values));
    }
    let first = program.variables.len();
    for (counted, &bound) in machine.counters().iter().zip(&bounds[first..]) {
        counter(&mut program, &counted.name, bound)?;
        initial.push(counted.initial.to_string());
    }
    program.initial = vec![initial];
    for transition in machine.transitions() {
        let (mut guard, mut updates) = (Vec::new(), Vec::new());
        if let (Some((from, to)), [control, ..]) = (transition.control, &program.variables[..])
            && let Domain::Values(states) = &control.domain
        {
            guard.push(format!("{} = {}", control.name, states[&u64::from(from)]));
            if from != to {
                updates.push((0, String::new(), states[&u64::from(to)].clone()));
            }
        }
        for on in &transition.counters {
            let at = first + on.counter;
            let name = &program.variables[at].name;
            window(name, on.least.max(on.change.min(0).unsigned_abs()), on.below, &mut guard);
            let change = shifted(name, on.change.into(), bounds[at]);
            updates.extend(change.map(|(condition, value)| (at, condition, value)));
        }
        let action = program.add(&transition.name, guard, updates);
        program.of_action.push(vec![action]);
    }
    Ok(program)
}

/// A network: local states are constants, and a component may have several edges with a label from one of them.
pub(super) fn of_network(network: &Network) -> Program {
    let mut program = Program::new();
    let mut initial = Vec::new();
    for component in network.components() {
        let mut used = IndexMap::new();
        let mut values: IndexMap<u64, String> = IndexMap::new();
        for (number, state) in (0..).zip(&component.states) {
            // Two states may be called alike, and stay two.
            let mut constant = program.names.constant(state);
            if used.insert(constant.clone(), ()).is_some() {
                constant = program.names.fresh(&constant);
            }
            values.insert(number, constant);
        }
        initial.push(values[&u64::from(component.initial)].clone());
        program.variable(&component.name, Domain::Values(values));
    }
    program.initial = vec![initial];
    for label in network.label_ids() {
        let (mut guard, mut updates) = (Vec::new(), Vec::new());
        for participant in network.participants(label) {
            let variable = &program.variables[participant.component];
            let Domain::Values(values) = &variable.domain else { continue };
            let mut targets: IndexMap<u32, Vec<&str>> = IndexMap::new();
            for &(from, to) in &participant.edges {
                targets.entry(from).or_default().push(&values[&u64::from(to)]);
            }
            let from: Vec<&str> = targets.keys().map(|from| values[&u64::from(*from)].as_str()).collect();
            guard.push(is_one_of(&variable.name, &from));
            for (from, to) in targets {
                let from = &values[&u64::from(from)];
                let value = match to[..] {
                    [only] if only == from => continue,
                    [only] => only.to_owned(),
                    _ => super::program::braces(&to),
                };
                updates.push((participant.component, format!("{} = {from}", variable.name), value));
            }
        }
        let action = program.add(network.label(label), guard, updates);
        program.of_action.push(vec![action]);
    }
    program
}

/// The condition that a variable has one of these values.
fn is_one_of(name: &str, values: &[&str]) -> String {
    match values {
        [only] => format!("{name} = {only}"),
        _ => format!("{name} in {}", super::program::braces(values)),
    }
}
