//! A state together with the names of what it is made of.

use super::{Error, Model};
use crate::formula::{Comparison, Expr, Formula, Pool};
use crate::model::{ActionId, State, Step, VariableId};
use crate::report::state;
use std::borrow::Cow;
use std::fmt;

/// A state of a [`Model`]: a value for each variable, by name.
///
/// ```
/// let model = starset::Model::read("models/buffer.counters")?;
/// let state = model.initial();
/// assert_eq!((state.number("free"), state.value("consumer").as_deref()), (Some(3), Some("resting")));
/// assert_eq!(state.iter().collect::<Vec<_>>(), [("consumer", "resting".into()), ("free", "3".into()), ("full", "0".into())]);
/// # Ok::<(), starset::Error>(())
/// ```
#[derive(Clone)]
pub struct NamedState {
    model: Model,
    state: State,
}

impl NamedState {
    pub(super) fn new(model: &Model, state: State) -> Self {
        NamedState { model: model.clone(), state }
    }

    pub(super) fn of_names<'n, V: ToString>(
        model: &Model,
        values: impl IntoIterator<Item = (&'n str, V)>,
    ) -> Result<Self, Error> {
        let (kind, symbols) = (model.kind(), &model.shared.loaded.symbols);
        // The number 0, which is not everywhere the first value.
        let zero = |variable| u64::try_from(-i128::from(kind.least(variable))).unwrap_or(0);
        let mut state: Vec<u64> = kind.variable_ids().map(zero).collect();
        for (name, value) in values {
            let text = value.to_string();
            let wrong = || Error::Value { variable: name.to_owned(), value: text.clone() };
            let &[variable] = symbols.place(name)? else { return Err(wrong()) };
            let number = match symbols.has_named_values(variable) {
                true => symbols.value(variable, &text)?,
                false => {
                    let number = text.parse().ok().and_then(|n: i128| n.checked_sub(kind.least(variable).into()));
                    number.and_then(|number| u64::try_from(number).ok()).ok_or_else(wrong)?
                }
            };
            *state.get_mut(variable.index()).ok_or_else(wrong)? = number;
        }
        Ok(NamedState::new(model, State::new(state)))
    }

    pub(super) fn model(&self) -> &Model {
        &self.model
    }

    /// The values in the order of the variables, for the rest of the library.
    pub fn state(&self) -> &State {
        &self.state
    }

    fn variable(&self, name: &str) -> Option<VariableId> {
        let kind = self.model.kind();
        kind.variable_ids().find(|&variable| kind.variable(variable) == name)
    }

    /// The number that a variable is: the tokens in a place, a counter, or of a value with a name its number. `None`
    /// if there is no variable of this name.
    pub fn number(&self, variable: &str) -> Option<i128> {
        let variable = self.variable(variable)?;
        Some(i128::from(self.state.value(variable)) + i128::from(self.model.kind().least(variable)))
    }

    /// The value of a variable in text: its name if it has one, else the number. `None` if there is no variable of
    /// this name.
    pub fn value(&self, variable: &str) -> Option<Cow<'_, str>> {
        self.variable(variable).map(|variable| self.text_of(variable))
    }

    fn text_of(&self, variable: VariableId) -> Cow<'_, str> {
        let (kind, value) = (self.model.kind(), self.state.value(variable));
        let number = || (i128::from(value) + i128::from(kind.least(variable))).to_string().into();
        kind.value(variable, value).unwrap_or_else(number)
    }

    /// All variables with their values in text.
    pub fn iter(&self) -> impl Iterator<Item = (&str, Cow<'_, str>)> {
        let kind = self.model.kind();
        kind.variable_ids().map(|variable| (kind.variable(variable), self.text_of(variable)))
    }
}

/// Steps from a state.
impl NamedState {
    /// The actions that are possible: of a marking, the transitions that it enables. Of a coloured net that is not unfolded
    /// those of the first marking, as far as a search tells, and no others.
    ///
    /// ```
    /// let model = starset::Model::read("models/buffer.counters")?;
    /// assert_eq!(model.initial().enabled(), ["produce", "leave"]);
    /// # Ok::<(), starset::Error>(())
    /// ```
    pub fn enabled(&self) -> Vec<&str> {
        let kind = self.model.kind();
        let possible = kind.action_ids().filter(|&action| kind.enables(&self.state, action));
        possible.map(|action| kind.action(action)).collect()
    }

    /// The steps that are possible, in words, with the states that they lead to. An action may have several. None of a
    /// coloured net that is not unfolded, whose steps are not known.
    ///
    /// ```
    /// let model = starset::Model::read("models/buffer.counters")?;
    /// let (step, state) = &model.initial().steps()[0];
    /// assert_eq!((step.as_str(), state.to_string().as_str()), ("produce", "consumer=resting free=2 full"));
    /// # Ok::<(), starset::Error>(())
    /// ```
    pub fn steps(&self) -> Vec<(String, NamedState)> {
        let kind = self.model.kind();
        let all = kind.action_ids().flat_map(|action| {
            let steps = (0..u32::MAX).map(move |choice| Step { action, choice });
            steps.map_while(|step| Some((step, kind.fire(&self.state, step)?)))
        });
        let named = |(step, next)| {
            let words = kind.describe(&self.state, step).into_owned();
            (words, NamedState::new(&self.model, next))
        };
        all.map(named).collect()
    }

    /// The state that an action leads to, or a step in words as [`NamedState::steps`] has them; of several the first.
    ///
    /// ```
    /// let model = starset::Model::read("models/buffer.counters")?;
    /// assert_eq!(model.initial().fire("produce")?.number("full"), Some(1));
    /// assert!(model.initial().fire("take").is_err());
    /// # Ok::<(), starset::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Name`] when there is no such action, [`Error::NoStep`] when it is not possible here, [`Error::Unknown`] of a
    /// coloured net that is not unfolded.
    pub fn fire(&self, action: &str) -> Result<NamedState, Error> {
        let kind = self.model.kind();
        if let Some(folded) = kind.as_folded() {
            return Err(folded.stop().into());
        }
        let actions: Vec<ActionId> = match self.model.shared.loaded.symbols.transition(action) {
            Ok(actions) => actions.to_vec(),
            Err(unknown) => {
                let mut steps = self.steps();
                let Some(at) = steps.iter().position(|(words, _)| words == action) else { return Err(unknown.into()) };
                return Ok(steps.swap_remove(at).1);
            }
        };
        let next = actions.into_iter().find_map(|action| kind.fire(&self.state, action.into()));
        let next = next.ok_or_else(|| Error::NoStep { action: action.to_owned() })?;
        Ok(NamedState::new(&self.model, next))
    }

    /// A formula that holds in this state and in no other.
    ///
    /// ```
    /// let model = starset::Model::read("models/buffer.counters")?;
    /// let state = model.state([("consumer", "gone"), ("full", "3")])?;
    /// assert_eq!(state.formula(), "#consumer = gone & #free = 0 & #full = 3");
    /// assert_eq!(model.satset(&state.formula())?.iter().collect::<Vec<_>>(), [state]);
    /// # Ok::<(), starset::Error>(())
    /// ```
    pub fn formula(&self) -> String {
        let (kind, mut pool) = (self.model.kind(), Pool::new());
        let mut parts = Vec::new();
        for variable in kind.variable_ids() {
            let least = i128::from(kind.least(variable));
            let number = pool.add_expr(Expr::Const(i128::from(self.state.value(variable)) + least));
            let mut value = pool.add_expr(Expr::Tokens(vec![variable]));
            if least != 0 {
                let least = pool.add_expr(Expr::Const(least));
                value = pool.add_expr(Expr::Add(vec![value, least]));
            }
            parts.push(pool.add(Formula::Compare(value, Comparison::Eq, number)));
        }
        let all = pool.and(parts);
        pool.display(all, &self.model.shared.loaded.symbols).to_string()
    }
}

impl PartialEq for NamedState {
    /// Are they the same state of the same model?
    fn eq(&self, other: &Self) -> bool {
        self.model.is_same(&other.model) && self.state == other.state
    }
}

impl Eq for NamedState {}

impl std::hash::Hash for NamedState {
    fn hash<H: std::hash::Hasher>(&self, hasher: &mut H) {
        self.state.hash(hasher);
    }
}

impl fmt::Display for NamedState {
    /// As the program prints states: without the counts that are 0.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&state::text(self.model.kind(), &self.model.shared.loaded.symbols, &self.state, usize::MAX))
    }
}

impl fmt::Debug for NamedState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "NamedState({self})")
    }
}
