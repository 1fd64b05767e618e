//! Any model as an ETF description.
//!
//! A row of ETF gives old and new values of the same columns. So the columns of an action are what it reads or writes,
//! and a row is needed for each of the values that reachable states have there, taken together. The reachable states
//! are visited one by one by the firing rule, and for each action the values of its columns that were not seen before
//! are asked for their steps: what an action does is a matter of them alone.
//!
//! Values that are numbers from 0 on stay numbers. Where values have names, or may be negative, the variable has a sort
//! of its own with a table of the values that occur, in their order, and the numbers in rows are indices into it.
//!
//! The result has the states, transitions and deadlocks of the model. State labels become maps; what they are for is
//! lost, for ETF has no roles.
//!
//! Whoever speaks of the model and of its description at once wants it *by number*: each value is the number that it has
//! in the model, with names for all of them up to the greatest that occurs, and transitions are called as their actions.

use crate::budget::{Budget, Exhausted};
use crate::model::{ActionId, LabelId, State, Step, TransitionSystem, VariableId};
use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxBuildHasher;
use std::collections::{BTreeMap, BTreeSet};

use super::{Declaration, Description, Map, Relation, Row};

/// States between two looks at the budget.
const CHECK_EVERY: usize = 256;

/// Why a model has no ETF description.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NoTables {
    /// Too many states.
    #[error("the model has more than {0} reachable states; raise --most")]
    TooLarge(usize),
    /// Several initial states.
    #[error("the model has {0} initial states, and ETF has one")]
    Initial(usize),
    /// And more that are not listed.
    #[error("the model has more than {0} initial states, and ETF has one")]
    ManyInitial(usize),
    /// Steps are not known.
    #[error("the steps of the model are not known one by one: the coloured net is too large to be unfolded")]
    Steps,
    /// A number does not fit.
    #[error("`{variable}` reaches the value {value}, and ETF has numbers of 32 bits")]
    Number {
        /// The variable.
        variable: String,
        /// Its value.
        value: u64,
    },
    /// A label has no value in a reachable state.
    #[error("state label `{0}` has no value in some reachable state")]
    Label(String),
    /// The budget was used up.
    #[error(transparent)]
    Budget(#[from] Exhausted),
}

/// The projection for an action or a state label: the values that reachable states have in its columns.
struct Projection {
    columns: Vec<VariableId>,
    seen: IndexSet<Vec<u64>, FxBuildHasher>,
}

impl Projection {
    fn new(columns: impl IntoIterator<Item = VariableId>) -> Self {
        let columns: BTreeSet<VariableId> = columns.into_iter().collect();
        Projection { columns: columns.into_iter().collect(), seen: IndexSet::default() }
    }

    fn of(&self, state: &State) -> Vec<u64> {
        self.columns.iter().map(|&variable| state.value(variable)).collect()
    }
}

/// A step of an action on its columns: old and new values, and the number of its name.
type Found = (Vec<u64>, Vec<u64>, usize);

/// A description, and what is said beside it.
#[derive(Debug)]
pub(in crate::kinds) struct Described {
    pub(in crate::kinds) description: Description,
    /// All initial states.
    pub(in crate::kinds) initial: Vec<Vec<u32>>,
    /// Of each group, the action.
    pub(in crate::kinds) actions: Vec<ActionId>,
    /// The values that each variable has in reachable states.
    pub(in crate::kinds) used: Vec<BTreeSet<u64>>,
}

/// Describe a model with at most so many reachable states.
///
/// # Errors
/// [`NoTables`].
pub fn describe(model: &dyn TransitionSystem, most: usize, budget: &Budget) -> Result<Description, NoTables> {
    match model.initial_states().len() {
        0 | 1 => described(model, most, budget).map(|described| described.description),
        several => Err(NoTables::Initial(several)),
    }
}

/// The same by number.
///
/// # Errors
/// [`NoTables`].
pub(in crate::kinds) fn numbered(
    model: &dyn TransitionSystem,
    most: usize,
    budget: &Budget,
) -> Result<Description, NoTables> {
    match model.initial_states().len() {
        1 => described_as(true, model, most, budget).map(|described| described.description),
        other => Err(NoTables::Initial(other)),
    }
}

/// The same of a model that may have several initial states, of which the description has the first.
///
/// # Errors
/// [`NoTables`].
pub(in crate::kinds) fn described(
    model: &dyn TransitionSystem,
    most: usize,
    budget: &Budget,
) -> Result<Described, NoTables> {
    described_as(false, model, most, budget)
}

fn described_as(
    by_number: bool,
    model: &dyn TransitionSystem,
    most: usize,
    budget: &Budget,
) -> Result<Described, NoTables> {
    if !model.tells_steps() {
        return Err(NoTables::Steps);
    }
    let mut actions: Vec<(Projection, Vec<Found>)> = model
        .action_ids()
        .map(|action| {
            let row = model.row(action);
            (Projection::new(row.reads.into_iter().chain(row.writes)), Vec::new())
        })
        .collect();
    let labels = (0..model.labels() as u32).map(LabelId);
    let mut labels: Vec<(Projection, Vec<bool>)> =
        labels.map(|label| (Projection::new(model.label_reads(label)), Vec::new())).collect();
    let mut names: IndexSet<Vec<u8>> = IndexSet::new();
    if by_number {
        model.action_ids().for_each(|action| add_apart(&mut names, model.action(action).to_owned()));
    }
    let mut states: IndexSet<State, FxBuildHasher> = model.initial_states().into_iter().collect();
    let mut at = 0;
    while let Some(state) = states.get_index(at).cloned() {
        if at.is_multiple_of(CHECK_EVERY) {
            budget.check()?;
        }
        at += 1;
        for (label, (projection, values)) in (0..).map(LabelId).zip(&mut labels) {
            let short = projection.of(&state);
            if projection.seen.insert(short) {
                let holds = model.labelled(&state, label);
                values.push(holds.ok_or_else(|| NoTables::Label(model.label(label).to_owned()))?);
            }
        }
        for (action, (projection, found)) in (0..).map(ActionId).zip(&mut actions) {
            let old = projection.of(&state);
            let is_new = projection.seen.insert(old.clone());
            let steps = (0..u32::MAX).map(|choice| Step { action, choice });
            for (step, next) in steps.map_while(|step| Some((step, model.fire(&state, step)?))) {
                if is_new {
                    let name = match by_number {
                        true => action.index(),
                        false => names.insert_full(model.describe(&state, step).as_bytes().to_vec()).0,
                    };
                    found.push((old.clone(), projection.of(&next), name));
                }
                states.insert(next);
            }
        }
        if states.len() > most {
            return Err(NoTables::TooLarge(most));
        }
    }
    let mut sorts = Sorts::new(by_number, model, &states);
    let mut description = Description { variables: sorts.declarations.clone(), ..Description::default() };
    description.initial = sorts.codes(model.variable_ids(), model.initial().as_slice())?;
    let initial = model.initial_states();
    let initial = initial.iter().map(|state| sorts.codes(model.variable_ids(), state.as_slice()));
    let initial = initial.collect::<Result<_, _>>()?;
    let mut described = Vec::new();
    for (action, (projection, found)) in (0..).map(ActionId).zip(&actions) {
        let codes = |values: &[u64]| sorts.codes(projection.columns.iter().copied(), values);
        let row = |(old, new, name): &Found| {
            Ok(Row { old: codes(old)?, new: codes(new)?, labels: vec![u32::try_from(*name).unwrap_or(u32::MAX - 1)] })
        };
        let rows = found.iter().map(row).collect::<Result<Vec<_>, NoTables>>()?;
        if !rows.is_empty() {
            let columns = projection.columns.iter().map(|variable| variable.index()).collect();
            description.relations.push(Relation { columns, rows });
            described.push(action);
        }
    }
    let sort = sorts.table("action", names);
    description.edge_labels.push(Declaration { name: "action".to_owned(), sort });
    if !labels.is_empty() {
        let truth = ["false", "true"].map(|text| text.as_bytes().to_vec());
        let sort = sorts.table("bool", truth.into_iter().collect());
        for (label, (projection, values)) in (0..).map(LabelId).zip(&labels) {
            let mut rows = Vec::with_capacity(values.len());
            for (short, &holds) in projection.seen.iter().zip(values) {
                let mut row = vec![None; model.variables()];
                let codes = sorts.codes(projection.columns.iter().copied(), short)?;
                for (variable, code) in projection.columns.iter().zip(codes) {
                    row[variable.index()] = Some(code);
                }
                rows.push((row, u32::from(holds)));
            }
            description.maps.push(Map { name: model.label(label).to_owned(), sort: sort.clone(), rows });
        }
    }
    description.sorts = sorts.sorts;
    Ok(Described { description, initial, actions: described, used: sorts.used })
}

/// The sorts of variables, and how values become numbers.
struct Sorts {
    declarations: Vec<Declaration>,
    sorts: IndexMap<String, IndexSet<Vec<u8>>>,
    /// By variable: indices by value, where there is a table.
    tables: Vec<Option<BTreeMap<u64, u32>>>,
    /// By variable: the values that occur.
    used: Vec<BTreeSet<u64>>,
}

/// The sort of plain numbers.
const NUMBER: &str = "int";

/// Values from this number on have no names where all up to the greatest would have one.
const MOST_NAMED: u64 = 1 << 16;

/// Add a text to a table. Two that are alike stay two.
fn add_apart(table: &mut IndexSet<Vec<u8>>, mut text: String) {
    while !table.insert(text.clone().into_bytes()) {
        text.push('\'');
    }
}

impl Sorts {
    /// Of the values that occur in these states.
    fn new(by_number: bool, model: &dyn TransitionSystem, states: &IndexSet<State, FxBuildHasher>) -> Self {
        let mut sorts =
            Sorts { declarations: Vec::new(), sorts: IndexMap::new(), tables: Vec::new(), used: Vec::new() };
        sorts.sorts.insert(NUMBER.to_owned(), IndexSet::new());
        for variable in model.variable_ids() {
            let name = model.variable(variable);
            let used: BTreeSet<u64> = states.iter().map(|state| state.value(variable)).collect();
            let named = match used.last() {
                Some(&greatest) if by_number && greatest < MOST_NAMED => (0..=greatest).collect(),
                Some(_) if by_number => BTreeSet::new(),
                _ => used.clone(),
            };
            let words: Option<Vec<_>> = named.iter().map(|&value| model.value(variable, value)).collect();
            let sort = match words {
                Some(words) if !words.is_empty() => {
                    let mut table = IndexSet::new();
                    let mut indices = BTreeMap::new();
                    for (&value, word) in named.iter().zip(words) {
                        add_apart(&mut table, word.into_owned());
                        indices.insert(value, u32::try_from(indices.len()).unwrap_or(u32::MAX));
                    }
                    sorts.tables.push(Some(indices));
                    sorts.table(name, table)
                }
                _ => {
                    sorts.tables.push(None);
                    NUMBER.to_owned()
                }
            };
            sorts.declarations.push(Declaration { name: name.to_owned(), sort });
            sorts.used.push(used);
        }
        sorts
    }

    /// A sort with this table; its name is this one, or one like it that is free.
    fn table(&mut self, name: &str, values: IndexSet<Vec<u8>>) -> String {
        let mut name = name.to_owned();
        while self.sorts.contains_key(&name) {
            name.push('_');
        }
        self.sorts.insert(name.clone(), values);
        name
    }

    /// The numbers in rows of values of these variables.
    fn codes(&self, variables: impl IntoIterator<Item = VariableId>, values: &[u64]) -> Result<Vec<u32>, NoTables> {
        let code = |(variable, &value): (VariableId, &u64)| {
            let code = match &self.tables[variable.index()] {
                Some(table) => table.get(&value).copied(),
                None => u32::try_from(value).ok().filter(|&value| value != u32::MAX),
            };
            let name = || self.declarations[variable.index()].name.clone();
            code.ok_or_else(|| NoTables::Number { variable: name(), value })
        };
        variables.into_iter().zip(values).map(code).collect()
    }
}
