//! Sets in files, held against a model: matched by the names of variables and values, whatever the order of variables.
//!
//! The format, and what two sets have to do with each other, is [`crate::mdd::SavedSet`]'s. Here are the two ends at
//! which a model is: what a file says about a set of its states ([`to_saved`]), and a file whose set is one of its
//! reachable states ([`Saved`]).

use super::Kind;
use crate::budget::Budget;
use crate::mdd::{Layers, LoadError, MatchError, Mdd, MddManager, SavedSet, TransferError, with_deep_stack};
use crate::model::{StateSet, TransitionSystem, VariableId};
use crate::order::Order;
use crate::relation::Relation;
use crate::stop_reason::StopReason;
use num_bigint::BigUint;
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

/// Why a saved set is not one of a model.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SavedError {
    /// The file cannot be opened.
    #[error("cannot read {file}: {error}")]
    Open {
        /// The file.
        file: String,
        /// Why not.
        error: std::io::Error,
    },
    /// The file is no saved set.
    #[error("{file}: {error}")]
    Load {
        /// The file.
        file: String,
        /// Its fault.
        error: LoadError,
    },
    /// It is one of another model: it has other variables.
    #[error("{file}: a set of another {model}: it was saved from {from}, and {problem}")]
    Foreign {
        /// The file.
        file: String,
        /// The term for a model.
        model: &'static str,
        /// The model of the saved set.
        from: String,
        /// The difference.
        problem: String,
    },
    /// Values have other names.
    #[error("{file}: {error}")]
    Match {
        /// The file.
        file: String,
        /// The difference.
        error: MatchError,
    },
    /// Some of its states are not reachable.
    #[error("{file}: some of its {states}s are not reachable in {model}; it was saved from {from}")]
    Unreachable {
        /// The file.
        file: String,
        /// The term for a state.
        states: &'static str,
        /// Name of the model.
        model: String,
        /// The model of the saved set.
        from: String,
    },
    /// The budget was used up.
    #[error(transparent)]
    Stopped(#[from] StopReason),
}

/// A saved set whose components are the variables of a model.
#[derive(Debug)]
pub struct Saved {
    file: String,
    set: SavedSet,
    /// The variable order of the set, which suits the model too: variables that only remember something of the last step
    /// come last.
    pub order: Order,
}

/// What the values of clocks mean, as it stands behind the name of a model: their unit where it is not whole, and of each
/// clock the number above which all are one value. Nothing where time does not pass.
fn time(model: &dyn TransitionSystem) -> String {
    let clocks = model.variable_ids().filter_map(|variable| Some((model.variable(variable), model.unit(variable)?)));
    let clocks: Vec<_> = clocks.collect();
    let Some((_, first)) = clocks.first() else { return String::new() };
    let unit = if first.parts == 1 { String::new() } else { format!("{UNIT}{}", first.parts) };
    let tops: Vec<String> = clocks.iter().map(|(clock, unit)| format!("{clock} up to {}", unit.most)).collect();
    format!("{unit}{CLOCKS}{}", tops.join(", "))
}

/// The same of a set, from the name of its model.
fn time_of(set: &SavedSet) -> &str {
    let at = [UNIT, CLOCKS].iter().filter_map(|text| set.model.find(text)).min();
    at.map_or("", |at| &set.model[at..])
}

/// Do the values of clocks mean the same in two sets? Then what has the same name is the same.
pub fn same_time(one: &SavedSet, other: &SavedSet) -> bool {
    time_of(one) == time_of(other)
}

/// Have the values of a variable names? Numbers that may be negative are told by name, but each number is one.
fn has_names(model: &dyn TransitionSystem, variable: VariableId) -> bool {
    model.least(variable) == 0 && model.value(variable, 0).is_some()
}

/// The value of a variable that has this name.
fn number_of(model: &dyn Kind, variable: VariableId, name: &str) -> Option<u64> {
    match model.vocabulary(variable) {
        Some(vocabulary) => vocabulary.find(name),
        None => {
            (0..).map_while(|value| model.value(variable, value)).zip(0..).find(|(own, _)| own == name).map(|(_, n)| n)
        }
    }
}

/// The text before the parts of a unit.
const UNIT: &str = " in units of 1/";
/// The text before the clocks.
const CLOCKS: &str = " with clocks ";

/// A set over the levels of a relation, as one with a level for each variable that is `kept`, and these in their order.
/// What is kept is there if it goes with some values of the others.
fn with_variables(
    relation: &Relation,
    set: &Mdd,
    kept: impl Fn(VariableId) -> bool,
    budget: &Budget,
) -> Result<(Vec<VariableId>, Mdd), StopReason> {
    let (order, groups) = relation.by_first_level();
    let parts = order.into_iter().map(|variable| VariableId(variable as u32)).zip(groups);
    let (order, groups): (Vec<_>, Vec<_>) = parts.filter(|&(variable, _)| kept(variable)).unzip();
    let levels = groups.concat();
    if levels.len() == order.len() && order.len() == relation.variables() {
        return Ok((order, set.clone()));
    }
    let space = MddManager::new(order.len() as u32, budget)?;
    let set = match relation.is_in_bits() {
        true => set.with_values(&space, &groups, budget),
        false => set.rearranged(&space, &levels, budget),
    };
    match set {
        Ok(set) => Ok((order, set)),
        Err(TransferError::Exhausted(exhausted)) => Err(exhausted.into()),
        Err(_) => Err(StopReason::Unsupported("a set of other states cannot be written")),
    }
}

/// A set of states of a model, over the levels of its relation, with what a file says about it. Variables that only
/// remember something of the last step are left out.
///
/// # Errors
/// When the budget is used up.
pub fn to_saved(
    model: &dyn TransitionSystem,
    relation: &Relation,
    set: &Mdd,
    budget: &Budget,
) -> Result<SavedSet, StopReason> {
    let values = |&variable: &VariableId| {
        if !has_names(model, variable) {
            return Vec::new();
        }
        (0..).map_while(|value| model.value(variable, value)).map(Cow::into_owned).collect()
    };
    // Values without names are numbers, and a 0 of a variable stands for the least of its range.
    let offset =
        |&variable: &VariableId| i128::from(relation.offset_of(variable.index())) + i128::from(model.least(variable));
    let kept = |variable| model.remembered(variable).is_none();
    let (order, set) = with_variables(relation, set, kept, budget)?;
    Ok(SavedSet {
        model: model.name().to_owned() + &time(model),
        formula: String::new(),
        names: order.iter().map(|&variable| model.variable(variable).to_owned()).collect(),
        offsets: order.iter().map(offset).collect(),
        values: order.iter().map(values).collect(),
        set,
    })
}

/// A set of states over the levels of a relation as an atom of formulas, under a name.
///
/// # Errors
/// When the budget is used up.
pub fn named_set(name: &str, relation: &Relation, set: &Mdd, budget: &Budget) -> Result<Option<StateSet>, StopReason> {
    let (order, set) = with_variables(relation, set, |_| true, budget)?;
    let offsets: Vec<u64> = order.iter().map(|&variable| relation.offset_of(variable.index())).collect();
    Ok(layered(name, order, &set, |level, value| Some(u64::from(value) + offsets[level])))
}

/// A set as layers over these variables, from the top, without the values that are none of the model; `None` where two
/// values on a level are the same.
fn layered(
    name: &str,
    order: Vec<VariableId>,
    set: &Mdd,
    value: impl Fn(usize, u32) -> Option<u64>,
) -> Option<StateSet> {
    let layers = set.read(Layers::of);
    let layers = layers.rows.iter().enumerate().map(|(level, layer)| {
        let node = |pairs: &[(u32, u32)]| {
            let mut node: Vec<(u64, u32)> =
                pairs.iter().filter_map(|&(number, child)| Some((value(level, number)?, child))).collect();
            node.sort_unstable();
            node
        };
        layer.nodes().map(node).collect()
    });
    StateSet::new(name, order, layers.collect())
}

/// Read a set from a file.
///
/// # Errors
/// [`SavedError::Open`] and [`SavedError::Load`].
pub fn load_set(path: &Path, budget: &Budget) -> Result<SavedSet, SavedError> {
    let file = path.display().to_string();
    let input = match File::open(path) {
        Ok(input) => BufReader::new(input),
        Err(error) => return Err(SavedError::Open { file, error }),
    };
    // The diagram is as deep as the file says, which is known only when it is read: a level takes a line of at least
    // six bytes.
    let levels = path.metadata().map_or(0, |file| file.len() as usize / 6).min(1 << 20);
    with_deep_stack(levels, || SavedSet::load(input, budget)).map_err(|error| SavedError::Load { file, error })
}

impl Saved {
    /// Read a set of states of a model.
    ///
    /// # Errors
    /// [`SavedError`].
    pub fn load(path: &Path, model: &dyn Kind, budget: &Budget) -> Result<Self, SavedError> {
        let (set, file) = (load_set(path, budget)?, path.display().to_string());
        let terms = model.terms();
        let foreign = |problem: String| SavedError::Foreign {
            file: file.clone(),
            model: terms.model,
            from: set.model.clone(),
            problem: format!("{problem} {}{}", model.name(), time(model)),
        };
        if model.tick().is_some() && time_of(&set) != time(model) {
            return Err(foreign("its clocks, beside other formulas, do not count as those of".to_owned()));
        }
        let variables: FxHashMap<&str, VariableId> =
            model.variable_ids().map(|variable| (model.variable(variable), variable)).collect();
        let mut order = Vec::with_capacity(set.names.len());
        for name in &set.names {
            let variable = variables.get(name.as_str());
            order.push(*variable.ok_or_else(|| foreign(format!("its {} `{name}` is not in", terms.variable)))?);
        }
        order.extend(model.variable_ids().filter(|&variable| model.remembered(variable).is_some()));
        let order = Order::new(&model.interactions(), order)
            .ok_or_else(|| foreign(format!("has not once each {} of", terms.variable)))?;
        Ok(Saved { file, set, order })
    }

    /// The set as an atom of formulas about the model, under a name. It may have states that are not reachable.
    ///
    /// # Errors
    /// [`SavedError::Match`] where values have other names.
    pub fn named(&self, name: &str, model: &dyn Kind) -> Result<StateSet, SavedError> {
        let wrong = |error| SavedError::Match { file: self.file.clone(), error };
        let set = &self.set;
        let order = &self.order.as_slice()[..set.names.len()];
        let mut numbers = Vec::with_capacity(order.len());
        for ((&variable, component), values) in order.iter().zip(&set.names).zip(&set.values) {
            if has_names(model, variable) == values.is_empty() {
                return Err(wrong(MatchError::Unnamed(component.clone())));
            }
            let number = |value: &String| {
                number_of(model, variable, value).ok_or_else(|| {
                    wrong(MatchError::Value {
                        component: component.clone(),
                        value: value.clone(),
                        model: model.name().to_owned(),
                    })
                })
            };
            numbers.push(values.iter().map(number).collect::<Result<Vec<u64>, _>>()?);
        }
        let value = |level: usize, value: u32| {
            let shifted = || i128::from(value) + set.offsets[level] - i128::from(model.least(order[level]));
            let named = numbers[level].get(value as usize).copied();
            named.or_else(|| u64::try_from(shifted()).ok())
        };
        // Two names of one value.
        let repeated = || wrong(MatchError::Repeated(name.to_owned(), model.name().to_owned()));
        layered(name, order.to_vec(), &set.set, value).ok_or_else(repeated)
    }

    /// The formula of the set, from the file.
    pub fn formula(&self) -> &str {
        &self.set.formula
    }

    /// Check that all states of the set are reachable, of which so many are.
    ///
    /// # Errors
    /// [`SavedError::Unreachable`], and [`SavedError::Stopped`] when the budget is used up.
    pub fn expect(&self, model: &dyn Kind, reachable: &BigUint, budget: &Budget) -> Result<(), SavedError> {
        match self.set.set.count(budget).map_err(StopReason::from)? == *reachable {
            true => Ok(()),
            false => Err(SavedError::Unreachable {
                file: self.file.clone(),
                states: model.terms().state,
                model: model.name().to_owned(),
                from: self.set.model.clone(),
            }),
        }
    }
}
