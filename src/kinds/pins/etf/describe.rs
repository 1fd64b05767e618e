//! Any explored model as an ETF description.
//!
//! A row of ETF gives old and new values of the same columns. A group that writes a variable without reading it needs
//! a row for each old value; so what is needed of an exploration is, for each group, the reachable values of its
//! *footprint*, the variables that it reads or writes, taken together ([`Explored`]). The successors are asked of the
//! model. Where values of a type are shown as something else than their codes, the type gets a table of the values
//! that occur, in the order of their codes, and codes become indices into it.
//!
//! The result has the states and transitions of the model. Invariants and assertions become plain maps: ETF has no
//! roles.

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexSet;

use super::super::next_state::{Batch, COPY, Group, ModelError, NextState, Successors, Value};
use super::{Declaration, Description, Map, Relation, Row};

/// What an exploration has found out.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Explored {
    /// For each group, what reachable states have in its `footprint`.
    pub footprints: Vec<BTreeSet<Vec<Value>>>,
    /// For each state label, what reachable states have in its row.
    pub labels: Vec<BTreeSet<Vec<Value>>>,
}

/// The variables that a group reads or writes, sorted.
pub(super) fn footprint(group: &Group) -> Vec<usize> {
    let all: BTreeSet<usize> = group.reads.iter().copied().chain(group.writes()).collect();
    all.into_iter().collect()
}

impl Explored {
    /// Collect what is needed: `project` gives what reachable states have in a row of variables.
    pub fn new(model: &dyn NextState, mut project: impl FnMut(&[usize]) -> BTreeSet<Vec<Value>>) -> Self {
        let signature = model.signature();
        Explored {
            footprints: signature.groups.iter().map(|group| project(&footprint(group))).collect(),
            labels: signature.labels.iter().map(|label| project(&label.reads)).collect(),
        }
    }

    /// What these states, all that are reachable, amount to.
    pub fn of_states(model: &dyn NextState, states: &[Vec<Value>]) -> Self {
        Explored::new(model, |row| {
            states.iter().map(|state| row.iter().map(|&variable| state[variable]).collect()).collect()
        })
    }
}

/// Describe a model.
///
/// # Errors
/// When the model fails, or has not exactly one initial state, or shows two values of a type alike.
pub fn describe(model: &dyn NextState, explored: &Explored) -> Result<Description, ModelError> {
    let signature = model.signature();
    let [initial] = signature.initial.as_slice() else {
        let count = signature.initial.len();
        return Err(ModelError(format!("ETF has one initial state, and {} has {count}", signature.name)));
    };
    let mut description = Description {
        edge_labels: vec![Declaration { name: "action".into(), sort: "action".into() }],
        initial: initial.clone(),
        ..Description::default()
    };
    for variable in &signature.variables {
        let sort = signature.types[variable.kind].clone();
        description.sorts.entry(sort.clone()).or_default();
        description.variables.push(Declaration { name: variable.name.clone(), sort });
    }
    // `action` could be the name of a type, too.
    let mut sort = "action".to_owned();
    while signature.types.contains(&sort) {
        sort.push('_');
    }
    description.edge_labels[0].sort.clone_from(&sort);
    let mut actions = IndexSet::new();
    for (group, footprints) in signature.groups.iter().enumerate().zip(&explored.footprints) {
        let relation = relation(model, group, footprints, &mut actions)?;
        if !relation.rows.is_empty() {
            description.relations.push(relation);
        }
    }
    description.sorts.insert(sort, actions);
    let values: IndexSet<Vec<u8>> = ["false", "true"].map(|text| text.as_bytes().to_vec()).into_iter().collect();
    let mut truth = "bool".to_owned();
    while description.sorts.contains_key(&truth) {
        truth.push('_');
    }
    for (number, (label, rows)) in signature.labels.iter().zip(&explored.labels).enumerate() {
        let mut map = Map { name: label.name.clone(), sort: truth.clone(), rows: Vec::with_capacity(rows.len()) };
        for short in rows {
            let mut row = vec![None; signature.variables.len()];
            for (&variable, &value) in label.reads.iter().zip(short) {
                row[variable] = Some(value);
            }
            map.rows.push((row, u32::from(model.label(number, short)?)));
        }
        description.maps.push(map);
    }
    if !description.maps.is_empty() {
        description.sorts.insert(truth, values);
    }
    recode(model, &mut description)?;
    Ok(description)
}

/// The rows of a group.
fn relation(
    model: &dyn NextState,
    (number, group): (usize, &Group),
    footprints: &BTreeSet<Vec<Value>>,
    actions: &mut IndexSet<Vec<u8>>,
) -> Result<Relation, ModelError> {
    let columns = footprint(group);
    let places = |row: &mut dyn Iterator<Item = usize>| -> Vec<usize> {
        row.map(|variable| columns.partition_point(|&column| column < variable)).collect()
    };
    let (reads, writes) = (places(&mut group.reads.iter().copied()), places(&mut group.writes()));
    let mut rows = Vec::new();
    let mut successors = Successors::default();
    for old in footprints {
        let short: Vec<Value> = reads.iter().map(|&place| old[place]).collect();
        successors.clear();
        model.next(number, &Batch::new(&short, short.len(), 1), &mut successors)?;
        for (action, values) in successors.iter().flatten() {
            let mut new = old.clone();
            for (&place, &value) in writes.iter().zip(values) {
                if value != COPY {
                    new[place] = value;
                }
            }
            let (action, _) = actions.insert_full(model.action(action).as_bytes().to_vec());
            rows.push(Row { old: old.clone(), new, labels: vec![u32::try_from(action).unwrap_or(u32::MAX - 1)] });
        }
    }
    Ok(Relation { columns, rows })
}

/// Exchange codes for indices into tables, for the types that need it.
fn recode(model: &dyn NextState, description: &mut Description) -> Result<(), ModelError> {
    let signature = model.signature();
    let mut used: Vec<BTreeSet<Value>> = vec![BTreeSet::new(); signature.types.len()];
    let kind = |variable: usize| signature.variables[variable].kind;
    visit_values(description, &mut |variable, value| {
        used[kind(variable)].insert(*value);
    });
    let mut codes: Vec<Option<BTreeMap<Value, u32>>> = Vec::with_capacity(used.len());
    for (number, values) in used.iter().enumerate() {
        if values.iter().all(|&value| *model.show(number, value) == value.to_string()) {
            codes.push(None);
            continue;
        }
        let mut table = IndexSet::new();
        for &value in values {
            let text = model.show(number, value);
            if !table.insert(text.as_bytes().to_vec()) {
                let message = format!("two values of type {} are both shown as {text}", signature.types[number]);
                return Err(ModelError(message));
            }
        }
        description.sorts.insert(signature.types[number].clone(), table);
        codes.push(Some(values.iter().copied().zip(0..).collect()));
    }
    visit_values(description, &mut |variable, value| {
        if let Some(code) = codes[kind(variable)].as_ref().and_then(|codes| codes.get(value)) {
            *value = *code;
        }
    });
    Ok(())
}

/// Call back with every value of a variable.
fn visit_values(description: &mut Description, visit: &mut dyn FnMut(usize, &mut Value)) {
    for (variable, value) in description.initial.iter_mut().enumerate() {
        visit(variable, value);
    }
    for relation in &mut description.relations {
        for row in &mut relation.rows {
            for (at, &variable) in relation.columns.iter().enumerate() {
                visit(variable, &mut row.old[at]);
                visit(variable, &mut row.new[at]);
            }
        }
    }
    for map in &mut description.maps {
        for (row, _) in &mut map.rows {
            for (variable, value) in row.iter_mut().enumerate() {
                if let Some(value) = value {
                    visit(variable, value);
                }
            }
        }
    }
}
