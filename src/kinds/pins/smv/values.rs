//! Values of SMV as codes.
//!
//! Integers are counted from the least of their domain, so that they stay numbers; names are numbered as they are
//! declared, truth values are 0 and 1, and words are their bits.

use super::super::next_state::{COPY, Value as Code, Values};
use starset_smv::{Domain, Type, Value, Variable};

/// Words of more bits do not fit the value of a variable.
pub(super) const WIDEST: u32 = 31;

/// The values of a variable, or of several with the same.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Coding {
    /// Their type.
    pub(super) kind: Type,
    domain: Domain,
    /// The least, if they are integers.
    least: Option<i64>,
}

impl Coding {
    /// The codes of a variable.
    pub(super) fn of(variable: &Variable) -> Self {
        let integers = |values: &[Value]| {
            let number = |value: &Value| if let Value::Int(number) = value { Some(*number) } else { None };
            values.iter().map(number).collect::<Option<Vec<i64>>>()?.into_iter().min()
        };
        let least = match &variable.domain {
            &Domain::Range(low, _) => Some(low),
            Domain::Values(values) => integers(values),
            Domain::Booleans | Domain::Words(_) => None,
        };
        Coding { kind: variable.kind, domain: variable.domain.clone(), least }
    }

    /// The codes of truth values.
    pub(super) fn of_truth() -> Self {
        Coding { kind: Type::Bool, domain: Domain::Booleans, least: None }
    }

    /// Does each value have a code, and none the one that stands for no change?
    pub(super) fn fits(&self) -> bool {
        let most = match (&self.domain, self.least) {
            (&Domain::Words(width), _) => return width <= WIDEST,
            (&Domain::Range(_, high), _) => Some(high),
            (Domain::Values(values), Some(_)) => {
                let number = |value: &Value| if let Value::Int(number) = value { Some(*number) } else { None };
                values.iter().filter_map(number).max()
            }
            (Domain::Values(_) | Domain::Booleans, _) => None,
        };
        let distance = most.zip(self.least).map_or(0, |(most, least)| i128::from(most) - i128::from(least));
        distance < i128::from(COPY)
    }

    /// The least value, if they are integers.
    pub(super) fn least(&self) -> Option<i64> {
        self.least
    }

    /// The code of a value.
    pub(super) fn code(&self, value: Value) -> Option<Code> {
        let number = self.domain.number(value)?;
        match (self.least, value) {
            (Some(least), Value::Int(value)) => u32::try_from(value - least).ok(),
            _ => u32::try_from(number).ok(),
        }
    }

    /// The value with a code.
    pub(super) fn value(&self, code: Code) -> Option<Value> {
        match self.least {
            Some(least) => {
                let value = Value::Int(least + i64::from(code));
                self.domain.number(value).map(|_| value)
            }
            None if u128::from(code) < self.domain.size() => Some(self.domain.value(code.into())),
            None => None,
        }
    }

    /// The number of the value with a code, in the order of the domain.
    pub(super) fn number(&self, code: Code) -> Option<u32> {
        match self.least {
            Some(least) => u32::try_from(self.domain.number(Value::Int(least + i64::from(code)))?).ok(),
            None => (u128::from(code) < self.domain.size()).then_some(code),
        }
    }

    /// The code of the value with a number.
    pub(super) fn code_of(&self, number: u32) -> Option<Code> {
        match (self.least, self.domain.value(number.into())) {
            (Some(least), Value::Int(value)) => u32::try_from(value - least).ok(),
            _ => Some(number),
        }
    }

    /// One more than the greatest code.
    pub(super) fn codes(&self) -> u32 {
        let size = u32::try_from(self.domain.size()).unwrap_or(u32::MAX);
        match &self.domain {
            Domain::Values(_) => (0..size).filter_map(|number| self.code_of(number)).max().map_or(1, |most| most + 1),
            _ => size,
        }
    }

    /// All values with their codes, in the order of the domain.
    pub(super) fn all(&self) -> impl Iterator<Item = (Code, Value)> {
        let numbers = 0..u32::try_from(self.domain.size()).unwrap_or(u32::MAX);
        numbers.filter_map(|number| Some((self.code_of(number)?, self.domain.value(number.into()))))
    }

    /// Is each code the number of its value?
    pub(super) fn is_plain(&self) -> bool {
        let mut numbers = 0..u32::try_from(self.domain.size()).unwrap_or(u32::MAX);
        !matches!(self.domain, Domain::Values(_)) || numbers.all(|number| self.code_of(number) == Some(number))
    }

    /// Are there codes below others that no value has?
    pub(super) fn has_gaps(&self) -> bool {
        u128::from(self.codes()) > self.domain.size()
    }

    /// What an engine may know of them.
    pub(super) fn values(&self) -> Values {
        match self.least {
            Some(least) => Values::Numbers { least },
            None => Values::Named(u32::try_from(self.domain.size()).unwrap_or(u32::MAX)),
        }
    }
}
