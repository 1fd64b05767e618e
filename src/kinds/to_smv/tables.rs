//! A program of any model: tables of the steps between its reachable states ([`crate::kinds::pins::etf`]).
//!
//! A group whose steps are not determined by what it reads becomes several actions, each with one of them.

use super::error::NoProgram;
use super::program::{Domain, Program, disjunction};
use crate::budget::Budget;
use crate::kinds::pins::etf::{Declaration, Described, described};
use crate::model::{TransitionSystem, VariableId};
use indexmap::IndexMap;
use std::collections::{BTreeMap, BTreeSet};

/// A row as conditions: `a = 0 & b = 1`.
fn condition<'a>(cells: impl Iterator<Item = (&'a str, String)>) -> String {
    let parts: Vec<String> = cells.map(|(name, value)| format!("{name} = {value}")).collect();
    if parts.is_empty() { "TRUE".to_owned() } else { parts.join(" & ") }
}

/// One of these conditions.
fn any(rows: &[String]) -> String {
    format!("({})", disjunction(rows.iter().map(|row| format!("({row})")).collect()))
}

/// The program of a model with at most so many reachable states.
pub(super) fn of_model(model: &dyn TransitionSystem, most: usize, budget: &Budget) -> Result<Program, NoProgram> {
    let Described { description, initial, actions, used } = described(model, most, budget)?;
    let mut program = Program::new();
    // By variable and number in rows: the constant.
    let mut texts: Vec<BTreeMap<u32, String>> = Vec::new();
    for (variable, (Declaration { name, sort }, used)) in
        (0..).map(VariableId).zip(description.variables.iter().zip(&used))
    {
        let table = description.sorts.get(sort).filter(|table| !table.is_empty());
        let text =
            |program: &mut Program, number: usize, value: u64| match table.and_then(|table| table.get_index(number)) {
                Some(word) => program.names.constant(&String::from_utf8_lossy(word)),
                None => value.to_string(),
            };
        let mut values = IndexMap::new();
        for (number, &value) in used.iter().enumerate() {
            values.insert(value, text(&mut program, number, value));
        }
        let numbers = (0..).zip(used);
        let codes = numbers.map(|(number, &value)| {
            let code = if table.is_some() { number } else { u32::try_from(value).unwrap_or(u32::MAX) };
            (code, values[&value].clone())
        });
        texts.push(codes.collect());
        let domain = match table {
            None => Domain::Range(used.first().copied().unwrap_or(0), used.last().copied().unwrap_or(0)),
            Some(_) => Domain::Values(values),
        };
        if let Domain::Range(_, most) = domain
            && i32::try_from(most).is_err()
        {
            return Err(NoProgram::Number { variable: model.variable(variable).to_owned(), value: most });
        }
        program.variable(name, domain);
    }
    let text = |variable: usize, code: u32| texts[variable].get(&code).cloned().unwrap_or_else(|| code.to_string());
    let state = |codes: &Vec<u32>| codes.iter().enumerate().map(|(variable, &code)| text(variable, code)).collect();
    program.initial = initial.iter().map(state).collect();
    program.of_action = vec![Vec::new(); model.actions()];
    let action_names = description.edge_labels.first().and_then(|label| description.sorts.get(&label.sort));
    for (relation, action) in description.relations.iter().zip(actions) {
        // By name and by which of several steps: rows.
        let mut parts: BTreeMap<(u32, usize), Vec<usize>> = BTreeMap::new();
        let mut seen: BTreeMap<(u32, &Vec<u32>), BTreeSet<&Vec<u32>>> = BTreeMap::new();
        for (number, row) in relation.rows.iter().enumerate() {
            let name = row.labels.first().copied().unwrap_or(0);
            let steps = seen.entry((name, &row.old)).or_default();
            if steps.insert(&row.new) {
                parts.entry((name, steps.len())).or_default().push(number);
            }
        }
        for ((name, _), rows) in parts {
            let word = action_names.and_then(|names| names.get_index(name as usize));
            let origin = word.map_or_else(|| "step".to_owned(), |word| String::from_utf8_lossy(word).into_owned());
            let (mut guards, mut updates) = (Vec::new(), Vec::new());
            for row in rows.into_iter().map(|row| &relation.rows[row]) {
                let cells = relation.columns.iter().zip(&row.old);
                let cells =
                    cells.map(|(&variable, &code)| (&program.variables[variable].name[..], text(variable, code)));
                let when = condition(cells);
                for ((&variable, &old), &new) in relation.columns.iter().zip(&row.old).zip(&row.new) {
                    if old != new {
                        updates.push((variable, when.clone(), text(variable, new)));
                    }
                }
                guards.push(when);
            }
            let number = program.add(&origin, vec![any(&guards)], updates);
            program.of_action[action.index()].push(number);
        }
    }
    for map in &description.maps {
        let rows = map.rows.iter().filter(|(_, holds)| *holds == 1).map(|(cells, _)| {
            let cells = cells.iter().enumerate().filter_map(|(variable, code)| Some((variable, (*code)?)));
            condition(cells.map(|(variable, code)| (&program.variables[variable].name[..], text(variable, code))))
        });
        let holds = any(&rows.collect::<Vec<_>>());
        let name = program.names.fresh(&map.name);
        program.labels.push((name, holds));
    }
    Ok(program)
}
