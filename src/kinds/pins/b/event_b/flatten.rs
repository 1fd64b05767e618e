//! A project as one machine of classical B: sets, constants and properties of its contexts, the variables of all
//! levels, and the events of the most concrete machine with what they refine ([`super::refine`]).
//!
//! A carrier set whose elements the axioms name (`partition(S, {a}, {b})`, or `S = {a, b}` with `a ≠ b`) is an
//! enumerated set, and these constants are its elements, as for ProB. Other carrier sets are deferred sets: their sizes
//! and those of equivalent set-ups that count are those of classical B. That a carrier set is finite says nothing.
//!
//! Axioms that are theorems and invariants that are theorems are asked as assertions; theorems among guards follow from
//! the others.

use super::super::ast::{self, Expr, Kind, Name, Op};
use super::super::error::{Error, Pos, Res};
use super::super::includes::Flat;
use super::project::{Context, INITIALISATION, Machine, Named, Project};
use super::refine::Chain;
use super::terms;

/// Most levels of a refinement.
const LEVELS: usize = 200;

/// The machine, and what it refines, the most abstract one first.
fn chain<'p>(project: &'p Project, name: &str) -> Res<Vec<&'p Machine>> {
    let find = |name: &str, pos: Pos| {
        let found = project.machines.iter().find(|machine| machine.name == name);
        found.ok_or_else(|| Error::refused(pos, format!("the machine {name} is not in the project")))
    };
    let mut chain = vec![find(name, Pos::default())?];
    while let Some((name, pos)) = chain.last().and_then(|machine| machine.refines.as_ref()) {
        if chain.len() > LEVELS {
            return Err(Error::refused(*pos, format!("more than {LEVELS} levels of refinement, or a circle")));
        }
        chain.push(find(name, *pos)?);
    }
    chain.reverse();
    Ok(chain)
}

/// The contexts that machines see, each behind those that it extends.
fn contexts<'p>(project: &'p Project, chain: &[&Machine]) -> Res<Vec<&'p Context>> {
    fn add<'p>(project: &'p Project, named: &Named, depth: usize, into: &mut Vec<&'p Context>) -> Res<()> {
        let (name, pos) = named;
        if into.iter().any(|context| *context.name == **name) {
            return Ok(());
        }
        let Some(context) = project.contexts.iter().find(|context| *context.name == **name) else {
            return Err(Error::refused(*pos, format!("the context {name} is not in the project")));
        };
        if depth > LEVELS {
            return Err(Error::refused(*pos, format!("more than {LEVELS} contexts extend one another, or a circle")));
        }
        for extended in &context.extends {
            add(project, extended, depth + 1, into)?;
        }
        if into.iter().all(|other| other.name != context.name) {
            into.push(context);
        }
        Ok(())
    }
    let mut found = Vec::new();
    for seen in chain.iter().flat_map(|machine| &machine.sees) {
        add(project, seen, 0, &mut found)?;
    }
    Ok(found)
}

/// The names of a set that is written by them, in order: `{a, b} ∪ {c}`.
fn listed(expr: &Expr) -> Option<Vec<Name>> {
    match &expr.kind {
        Kind::Op(Op::SetOf, items) => items
            .iter()
            .map(|item| match &item.kind {
                Kind::Name(name) => Some(name.clone()),
                _ => None,
            })
            .collect(),
        Kind::Op(Op::Union, parts) => {
            let mut found = listed(&parts[0])?;
            found.extend(listed(&parts[1])?);
            Some(found)
        }
        _ => None,
    }
}

/// The two names that a predicate says are different.
fn different(expr: &Expr) -> Option<(&Name, &Name)> {
    let sides = match &expr.kind {
        Kind::Op(Op::Unequal, sides) => sides,
        Kind::Op(Op::Not, inner) => match &inner[0].kind {
            Kind::Op(Op::Equal, sides) => sides,
            _ => return None,
        },
        _ => return None,
    };
    match (&sides[0].kind, &sides[1].kind) {
        (Kind::Name(a), Kind::Name(b)) => Some((a, b)),
        _ => None,
    }
}

/// The elements of carrier sets that axioms name; what says so is taken out of the axioms.
fn enumerated(sets: &[Named], constants: &[Named], axioms: &mut Vec<Expr>) -> Vec<(Name, Vec<Name>)> {
    let mut found: Vec<(Name, Vec<Name>)> = Vec::new();
    for (set, _) in sets {
        let elements = axioms.iter().find_map(|axiom| {
            let Kind::Op(Op::Equal, sides) = &axiom.kind else { return None };
            [(0, 1), (1, 0)].into_iter().find_map(|(left, right)| match &sides[left].kind {
                Kind::Name(name) if name == set => listed(&sides[right]),
                _ => None,
            })
        });
        let Some(elements) = elements.filter(|elements| !elements.is_empty()) else { continue };
        let is_constant = |name: &Name| {
            constants.iter().any(|(other, _)| other == name) && !found.iter().any(|(_, known)| known.contains(name))
        };
        let differ = |a: &Name, b: &Name| {
            axioms.iter().filter_map(different).any(|(x, y)| (x == a && y == b) || (x == b && y == a))
        };
        let all_differ =
            elements.iter().enumerate().all(|(at, a)| elements[..at].iter().all(|b| a != b && differ(a, b)));
        if elements.iter().all(is_constant) && all_differ {
            let is = |name: &Name| elements.contains(name);
            axioms.retain(|axiom| {
                let says = match &axiom.kind {
                    Kind::Op(Op::Equal, sides) => {
                        let whole = |at: usize| matches!(&sides[at].kind, Kind::Name(name) if name == set);
                        let all = |at: usize| listed(&sides[at]).is_some_and(|names| names == elements);
                        (whole(0) && all(1)) || (whole(1) && all(0))
                    }
                    _ => different(axiom).is_some_and(|(a, b)| is(a) && is(b)),
                };
                !says
            });
            found.push((set.clone(), elements));
        }
    }
    found
}

/// The whole project as a machine of classical B, by the name of its most concrete machine.
///
/// # Errors
/// When components are not there, refer to what is not there, or are not supported.
pub(super) fn flatten(project: &Project, name: &str) -> Res<Flat> {
    let levels = chain(project, name)?;
    let contexts = contexts(project, &levels)?;
    let mut flat = Flat::default();
    let sets: Vec<Named> = contexts.iter().flat_map(|context| context.sets.iter().cloned()).collect();
    let constants: Vec<Named> = contexts.iter().flat_map(|context| context.constants.iter().cloned()).collect();
    let mut axioms = Vec::new();
    let (mut invariants, mut assertions) = (Vec::new(), Vec::new());
    for context in &contexts {
        for axiom in &context.axioms {
            match axiom.theorem {
                true => assertions.push((format!("{}.{}", context.name, axiom.label), axiom.formula.clone())),
                false => axioms.extend(axiom.formula.conjuncts().into_iter().cloned()),
            }
        }
    }
    // All carrier sets are finite here.
    axioms.retain(|axiom| !terms::finite_name(axiom).is_some_and(|name| sets.iter().any(|(set, _)| set == name)));
    let known = enumerated(&sets, &constants, &mut axioms);
    let elements = |set: &Name| known.iter().find(|(name, _)| name == set).map(|(_, elements)| elements.clone());
    let is_element = |name: &Name| known.iter().any(|(_, elements)| elements.contains(name));
    let mut machine = ast::Machine {
        name: name.to_owned(),
        sets: sets.into_iter().map(|(set, pos)| (set.clone(), elements(&set), pos)).collect(),
        constants: constants.into_iter().filter(|(name, _)| !is_element(name)).collect(),
        properties: axioms,
        ..ast::Machine::default()
    };
    // Variables of the machine come first, then those that are gone from level to level.
    for level in levels.iter().rev() {
        for (variable, pos) in &level.variables {
            if machine.variables.iter().all(|(other, _)| other != variable) {
                machine.variables.push((variable.clone(), *pos));
            }
        }
    }
    for level in &levels {
        for part in &level.invariants {
            let into = if part.theorem { &mut assertions } else { &mut invariants };
            into.push((format!("{}.{}", level.name, part.label), part.formula.clone()));
        }
    }
    let (concrete, chain) = (levels[levels.len() - 1], Chain::new(levels.clone()));
    let mut initialisation = None;
    for event in &concrete.events {
        let operation = chain.operation(event)?;
        match &*event.name {
            INITIALISATION if initialisation.is_some() => {
                return Err(Error::syntax(event.pos, format!("{name} has two events {INITIALISATION}")));
            }
            INITIALISATION => initialisation = Some(operation.body),
            _ if machine.operations.iter().any(|other| other.name == operation.name) => {
                return Err(Error::syntax(event.pos, format!("{name} has two events {}", event.name)));
            }
            _ => machine.operations.push(operation),
        }
    }
    let Some(initialisation) = initialisation else {
        let pos = concrete.events.first().map_or(Pos { line: 1, column: 1, ..first_pos(concrete) }, |event| event.pos);
        return Err(Error::refused(pos, format!("{name} has no event {INITIALISATION}: give it one (Rodin adds it)")));
    };
    let names = |list: &[(String, Expr)]| -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for (name, _) in list {
            let twice = names.iter().filter(|other| *other == name || other.starts_with(&format!("{name}#"))).count();
            names.push(if twice == 0 { name.clone() } else { format!("{name}#{}", twice + 1) });
        }
        names
    };
    flat.labels = Some([names(&invariants), names(&assertions)]);
    machine.invariant = invariants.into_iter().map(|(_, formula)| formula).collect();
    machine.assertions = assertions.into_iter().map(|(_, formula)| formula).collect();
    flat.machine = machine;
    flat.initialisations.push(initialisation);
    flat.files = project.files.clone();
    flat.texts = project.texts.clone();
    Ok(flat)
}

/// A place in the file of a machine.
fn first_pos(machine: &Machine) -> Pos {
    let declared = machine.variables.iter().chain(&machine.sees).map(|(_, pos)| *pos);
    declared.chain(machine.refines.iter().map(|(_, pos)| *pos)).next().unwrap_or_default()
}
