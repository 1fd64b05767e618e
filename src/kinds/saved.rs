//! Sets in files, held against a model: matched by the names of variables and values, whatever the order of variables.
//!
//! The format, and what two sets have to do with each other, is [`crate::mdd::SavedSet`]'s. Here are the two ends at which a
//! model is: what a file says about a set of its states ([`to_saved`]), and a file whose set is one of its reachable
//! states ([`Saved`]).

use super::Kind;
use crate::budget::{Budget, Exhausted};
use crate::mdd::{LoadError, MatchError, Mdd, SavedSet, SetError, TransferError, with_deep_stack};
use crate::model::{TransitionSystem, VariableId};
use crate::order::Order;
use crate::relation::Relation;
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
    /// The reachable states are not those of the relation.
    #[error(transparent)]
    Mixed(SetError),
    /// The budget was used up.
    #[error(transparent)]
    Exhausted(#[from] Exhausted),
}

/// A saved set whose components are the variables of a model.
#[derive(Debug)]
pub struct Saved {
    file: String,
    set: SavedSet,
    /// The variable order of the set, which suits the model too.
    pub order: Order,
}

/// The unit in which a model tells time, as it stands behind its name; nothing where it is whole, or time does not pass.
fn unit(model: &dyn TransitionSystem) -> String {
    let parts = model.variable_ids().find_map(|variable| model.unit(variable)).map_or(1, |unit| unit.parts);
    if parts == 1 { String::new() } else { format!("{UNIT}{parts}") }
}

/// The text between the name of a model and the parts of a unit.
const UNIT: &str = " in units of 1/";

/// A set of states of a model, over the levels of its relation, with what a file says about it.
pub fn to_saved(model: &dyn TransitionSystem, relation: &Relation, set: &Mdd) -> SavedSet {
    let values = |variable: usize| {
        let named = (0..).map_while(|value| model.value(VariableId(variable as u32), value));
        named.map(Cow::into_owned).collect()
    };
    SavedSet {
        model: model.name().to_owned() + &unit(model),
        formula: String::new(),
        names: relation.names().to_vec(),
        offsets: relation.offsets().to_vec(),
        values: relation.variables_by_level().into_iter().map(values).collect(),
        set: set.clone(),
    }
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
    // The diagram is as deep as the file says, which is known only when it is read: a level takes a line of at least six
    // bytes.
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
            problem: format!("{problem} {}{}", model.name(), unit(model)),
        };
        // The values of a clock are numbers of parts.
        if model.tick().is_some() && set.model.find(UNIT).map_or("", |at| &set.model[at..]) != unit(model) {
            return Err(foreign("its clocks do not count as those of".to_owned()));
        }
        let variables: FxHashMap<&str, VariableId> =
            model.variable_ids().map(|variable| (model.variable(variable), variable)).collect();
        let mut order = Vec::with_capacity(set.names.len());
        for name in &set.names {
            let variable = variables.get(name.as_str());
            order.push(*variable.ok_or_else(|| foreign(format!("its {} `{name}` is not in", terms.variable)))?);
        }
        let order = Order::new(&model.interactions(), order)
            .ok_or_else(|| foreign(format!("has not once each {} of", terms.variable)))?;
        Ok(Saved { file, set, order })
    }

    /// The formula of the set, from the file.
    pub fn formula(&self) -> &str {
        &self.set.formula
    }

    /// The set within the reachable states of the model, which are over the levels of its relation.
    ///
    /// # Errors
    /// [`SavedError`], also when not all of its states are reachable.
    pub fn within(
        &self,
        model: &dyn Kind,
        relation: &Relation,
        reachable: &Mdd,
        budget: &Budget,
    ) -> Result<Mdd, SavedError> {
        let unreachable = || SavedError::Unreachable {
            file: self.file.clone(),
            states: model.terms().state,
            model: model.name().to_owned(),
            from: self.set.model.clone(),
        };
        let set = match to_saved(model, relation, reachable).matching(&self.set, budget) {
            Ok(set) => set,
            Err(MatchError::Transfer(TransferError::Exhausted(exhausted))) => return Err(exhausted.into()),
            Err(MatchError::Transfer(TransferError::OutOfRange(_))) => return Err(unreachable()),
            Err(error) => return Err(SavedError::Match { file: self.file.clone(), error }),
        };
        match set.is_subset(reachable, budget) {
            Ok(true) => Ok(set),
            Ok(false) => Err(unreachable()),
            Err(SetError::Exhausted(exhausted)) => Err(exhausted.into()),
            Err(mixed) => Err(SavedError::Mixed(mixed)),
        }
    }
}
