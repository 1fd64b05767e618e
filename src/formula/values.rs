//! Names of values: the local states of a component, the control states of a machine.
//!
//! Where values have names, formulas compare by them: `#sender = idle`. The name may look like a number (`#sender = 1`
//! is the state that is called 1, whichever number it has in the file). Where no name begins with a digit, a number
//! means the value with this number, from 0 on; where one does, it has to be a name, so that nobody gets another
//! state than the one that is meant. Where values come up while a model is explored, the model is asked
//! ([`Vocabulary`]).

use crate::model::{TransitionSystem, VariableId, Vocabulary};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::sync::Arc;

/// Names that are made to find one that is similar.
const MOST_NAMES: u64 = 1000;

/// The names of the values of one variable.
#[derive(Clone, Debug)]
pub(super) enum Values {
    /// Values are numbers.
    Numbers,
    /// Values are called 0, 1 and so on, below this number.
    Indices(u64),
    /// Values have these names.
    Names {
        /// By value.
        names: Vec<String>,
        /// By name; `None` if two values have it.
        numbers: FxHashMap<String, Option<u64>>,
        /// Does a name begin with a digit?
        digits: bool,
    },
    /// The model knows the names.
    Told(Arc<dyn Vocabulary>),
}

/// Why a text names no value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NoValue {
    /// No value is called so.
    Unknown,
    /// Two are.
    Ambiguous,
}

impl Values {
    /// The names of the values of a variable.
    pub(super) fn of(model: &dyn TransitionSystem, variable: VariableId) -> Self {
        if model.least(variable) != 0 {
            // They have no names: they are shown as the numbers that they are.
            return Values::Numbers;
        }
        if let Some(vocabulary) = model.vocabulary(variable) {
            return Values::Told(vocabulary);
        }
        let named = || (0..).map_while(|value| model.value(variable, value));
        if named().next().is_none() {
            return Values::Numbers;
        }
        if named().zip(0u64..).all(|(name, value)| name == value.to_string()) {
            return Values::Indices(named().count() as u64);
        }
        let names: Vec<String> = named().map(Cow::into_owned).collect();
        let mut numbers: FxHashMap<String, Option<u64>> = FxHashMap::default();
        for (name, value) in names.iter().zip(0..) {
            numbers.entry(name.clone()).and_modify(|known| *known = None).or_insert(Some(value));
        }
        let digits = names.iter().any(|name| name.starts_with(|c: char| c.is_ascii_digit()));
        Values::Names { names, numbers, digits }
    }

    /// Do values have names?
    pub(super) fn are_named(&self) -> bool {
        !matches!(self, Values::Numbers)
    }

    /// The value that is called so.
    pub(super) fn find(&self, text: &str) -> Result<u64, NoValue> {
        let number = || text.parse::<u64>().map_err(|_| NoValue::Unknown);
        let below = |count: u64| number().and_then(|n| if n < count { Ok(n) } else { Err(NoValue::Unknown) });
        match self {
            Values::Numbers => number(),
            Values::Indices(count) => below(*count),
            Values::Told(vocabulary) => vocabulary.find(text).ok_or(NoValue::Unknown),
            Values::Names { names, numbers, digits } => match numbers.get(text) {
                Some(Some(value)) => Ok(*value),
                Some(None) => Err(NoValue::Ambiguous),
                None if *digits => Err(NoValue::Unknown),
                None => below(names.len() as u64),
            },
        }
    }

    /// The name by which [`Values::find`] finds the value again.
    pub(super) fn name(&self, value: u64) -> Option<String> {
        match self {
            Values::Indices(count) if value < *count => Some(value.to_string()),
            Values::Names { names, numbers, digits } => {
                let name = names.get(usize::try_from(value).ok()?)?;
                let ambiguous = numbers.get(name) == Some(&None);
                Some(if ambiguous && !digits { value.to_string() } else { name.clone() })
            }
            Values::Told(vocabulary) => vocabulary.name(value),
            Values::Numbers | Values::Indices(_) => None,
        }
    }

    /// The names of the first values, to find one that is similar, and to show some.
    pub(super) fn names(&self) -> Vec<Cow<'_, str>> {
        let counted = |count: u64| (0..count.min(MOST_NAMES)).map(|value| Cow::Owned(value.to_string())).collect();
        match self {
            Values::Numbers => Vec::new(),
            Values::Indices(count) => counted(*count),
            Values::Names { names, .. } => names.iter().map(|name| Cow::Borrowed(name.as_str())).collect(),
            Values::Told(vocabulary) => {
                (0..MOST_NAMES).map_while(|value| vocabulary.name(value)).map(Cow::Owned).collect()
            }
        }
    }
}
