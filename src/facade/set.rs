//! Sets of reachable states, as values.

use super::{Error, Model, NamedState};
use crate::budget::Budget;
use crate::decide::StateSpace;
use crate::kinds::{named_set, to_saved};
use crate::mdd::{Mdd, Members, SavedSet, SetError};
use crate::model::{State, StateSet};
use crate::rng::Rng;
use crate::stop_reason::StopReason;
use num_bigint::BigUint;
use std::fs::File;
use std::io::BufWriter;
use std::ops::{BitAnd, BitOr, BitXor, Not, Sub};
use std::path::Path;
use std::sync::Arc;

/// A set of reachable states of a [`Model`], exact however large. It keeps the model alive, and shares its limits.
///
/// Sets of one model (and its clones) are combined by `&`, `|`, `-`, `^` and `!`, or by the methods of the same
/// meaning; each gives a new set, or an error when the budget is used up or the sets are of different models.
///
/// ```
/// use starset::Model;
/// let model = Model::read("models/philo-5.pnml")?;
/// let (eats, dead) = (model.satset("#Eat_0 = 1")?, model.deadlocks()?);
/// let neither = (!&(&eats | &dead)?)?;
/// assert_eq!(neither.len()? + eats.len()? + dead.len()?, model.states()?);
/// for state in neither.iter().take(2) {
///     assert_eq!(state.number("Eat_0"), Some(0));
/// }
/// assert!(neither.contains(&model.initial())?);
/// assert_eq!(neither, (&(&model.reachable()? - &eats)? - &dead)?);
/// # Ok::<(), starset::Error>(())
/// ```
#[derive(Clone)]
pub struct SatSet {
    model: Model,
    space: Arc<StateSpace>,
    set: Mdd,
    /// The formula of the set, where it is one.
    formula: String,
}

/// An operation on two sets.
type Operation = fn(&Mdd, &Mdd, &Budget) -> Result<Mdd, SetError>;

impl SatSet {
    pub(super) fn new(model: &Model, space: &Arc<StateSpace>, set: Mdd, formula: &str) -> Self {
        SatSet { model: model.clone(), space: Arc::clone(space), set, formula: formula.to_owned() }
    }

    /// The same set, with the limits that this handle of its model has.
    ///
    /// ```
    /// use starset::{Error, Model};
    /// use std::time::Duration;
    /// let model = Model::read("models/philo-5.pnml")?;
    /// let set = model.deadlocks()?.within(&model.clone().with_time(Duration::from_secs(20)))?;
    /// assert_eq!(set.len()?.to_string(), "2");
    /// let other = Model::read("models/philo-5.pnml")?;
    /// assert!(matches!(set.within(&other), Err(Error::OtherModel)));
    /// # Ok::<(), starset::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::OtherModel`] for another model.
    pub fn within(&self, model: &Model) -> Result<SatSet, Error> {
        match self.model.is_same(model) {
            true => Ok(SatSet { model: model.clone(), ..self.clone() }),
            false => Err(Error::OtherModel),
        }
    }

    /// The set as an atom of formulas.
    pub(super) fn named(&self, name: &str) -> Result<Option<StateSet>, Error> {
        Ok(self.model.run(|budget| named_set(name, &self.space.relation, &self.set, budget))?)
    }

    /// The formula that it is the set of; empty if it was made from other sets.
    pub fn formula(&self) -> &str {
        &self.formula
    }

    /// The model whose states they are.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// How many states are in the set.
    ///
    /// # Errors
    /// [`Error::Unknown`] when the budget is used up.
    pub fn len(&self) -> Result<BigUint, Error> {
        Ok(self.model.run(|budget| self.set.count(budget))?)
    }

    /// Is no state in the set?
    pub fn is_empty(&self) -> bool {
        self.set.is_empty()
    }

    /// Is the state in the set?
    ///
    /// # Errors
    /// [`Error::OtherModel`] for a state of another model.
    pub fn contains(&self, state: &NamedState) -> Result<bool, Error> {
        if !self.model.is_same(state.model()) {
            return Err(Error::OtherModel);
        }
        let tuple = self.space.relation.tuple_of(state.state().as_slice());
        Ok(tuple.is_some_and(|tuple| self.set.contains(&tuple)))
    }

    /// The states in both sets: `&a & &b`.
    ///
    /// # Errors
    /// [`Error::OtherModel`] for a set of another model, [`Error::Unknown`] when the budget is used up.
    pub fn and(&self, other: &SatSet) -> Result<SatSet, Error> {
        self.combine(other, Mdd::intersection)
    }

    /// The states in either set or both: `&a | &b`.
    ///
    /// # Errors
    /// As [`SatSet::and`].
    pub fn or(&self, other: &SatSet) -> Result<SatSet, Error> {
        self.combine(other, Mdd::union)
    }

    /// The states in this set but not in the other: `&a - &b`.
    ///
    /// # Errors
    /// As [`SatSet::and`].
    pub fn minus(&self, other: &SatSet) -> Result<SatSet, Error> {
        self.combine(other, Mdd::difference)
    }

    /// The states in one of the sets but not in both: `&a ^ &b`.
    ///
    /// # Errors
    /// As [`SatSet::and`].
    pub fn xor(&self, other: &SatSet) -> Result<SatSet, Error> {
        self.combine(other, |a, b, budget| a.difference(b, budget)?.union(&b.difference(a, budget)?, budget))
    }

    /// The reachable states that are not in the set: `!&a`.
    ///
    /// # Errors
    /// [`Error::Unknown`] when the budget is used up.
    pub fn complement(&self) -> Result<SatSet, Error> {
        let set = self.model.run(|budget| {
            let all = self.space.meant(&self.space.set, budget)?;
            Ok::<_, StopReason>(all.difference(&self.set, budget)?)
        })?;
        Ok(SatSet::new(&self.model, &self.space, set, ""))
    }

    /// Is every state of this set in the other one?
    ///
    /// # Errors
    /// As [`SatSet::and`].
    pub fn is_subset(&self, other: &SatSet) -> Result<bool, Error> {
        self.of_same_model(other)?;
        Ok(self.model.run(|budget| self.set.is_subset(&other.set, budget))?)
    }

    /// Has this set no state in common with the other one?
    ///
    /// # Errors
    /// As [`SatSet::and`].
    pub fn is_disjoint(&self, other: &SatSet) -> Result<bool, Error> {
        Ok(self.and(other)?.is_empty())
    }

    /// The states, found one by one as they are asked for. Their order depends on the variable order.
    ///
    /// ```
    /// let model = starset::Model::read("models/philo-5.pnml")?;
    /// let dead: Vec<String> = model.deadlocks()?.iter().map(|state| state.to_string()).collect();
    /// assert!(dead.contains(&"Catch1_0 Catch1_1 Catch1_2 Catch1_3 Catch1_4".to_owned()));
    /// # Ok::<(), starset::Error>(())
    /// ```
    pub fn iter(&self) -> States {
        States { model: self.model.clone(), space: Arc::clone(&self.space), members: self.set.members() }
    }

    /// So many of the states, those with the least sums of values: of a net, the markings with the fewest tokens. They
    /// do not depend on the variable order.
    ///
    /// ```
    /// let model = starset::Model::read("models/philo-5.pnml")?;
    /// assert_eq!(model.reachable()?.smallest(3)?.len(), 3);
    /// # Ok::<(), starset::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Unknown`] when the budget is used up.
    pub fn smallest(&self, states: usize) -> Result<Vec<NamedState>, Error> {
        let found = self.model.run(|budget| {
            let within = |state| Ok(budget.check().map(|()| state)?);
            self.space.lightest(&self.set, budget)?.take(states).map(within).collect::<Result<Vec<State>, SetError>>()
        });
        Ok(found?.into_iter().map(|state| NamedState::new(&self.model, state)).collect())
    }

    /// So many different states drawn at random, each choice of them as likely as any other; all if there are no
    /// more. The same seed gives the same states.
    ///
    /// ```
    /// let model = starset::Model::read("models/philo-5.pnml")?;
    /// let drawn = model.reachable()?.sample(10, 42)?;
    /// assert_eq!(drawn.len(), 10);
    /// assert_eq!(drawn, model.reachable()?.sample(10, 42)?);
    /// # Ok::<(), starset::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Unknown`] when the budget is used up.
    pub fn sample(&self, states: usize, seed: u64) -> Result<Vec<NamedState>, Error> {
        let relation = &self.space.relation;
        let drawn = self.model.run(|budget| self.set.sample(states, &mut Rng::new(seed), budget))?;
        let state = |tuple: Vec<u32>| NamedState::new(&self.model, State::new(relation.values_of(&tuple)));
        Ok(drawn.into_iter().map(state).collect())
    }

    /// Save the set to a file, for [`Model::load_set`], `starset satset --load`, `starset combine` and other programs:
    /// docs/set-format.md.
    ///
    /// ```
    /// let model = starset::Model::read("models/philo-5.pnml")?;
    /// let file = std::env::temp_dir().join(format!("starset-{}.set", std::process::id()));
    /// model.deadlocks()?.save(&file)?;
    /// assert_eq!(model.load_set(&file)?, model.deadlocks()?);
    /// # std::fs::remove_file(&file).unwrap();
    /// # Ok::<(), starset::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Save`] when the file cannot be written.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), Error> {
        let (path, model) = (path.as_ref(), self.model.kind());
        let saved = self.model.run(|budget| to_saved(model, &self.space.relation, &self.set, budget))?;
        let saved = SavedSet { formula: self.formula.clone(), ..saved };
        let written = self.model.run(|_| File::create(path).and_then(|file| saved.save(BufWriter::new(file))));
        written.map_err(|error| Error::Save { file: path.display().to_string(), error })
    }

    /// The set for the rest of the library: tuples over the levels of the relation of [`SatSet::state_space`].
    pub fn diagram(&self) -> &Mdd {
        &self.set
    }

    /// The state space that the set lives in, for the rest of the library.
    pub fn state_space(&self) -> &StateSpace {
        &self.space
    }

    fn of_same_model(&self, other: &SatSet) -> Result<(), Error> {
        if self.model.is_same(&other.model) { Ok(()) } else { Err(Error::OtherModel) }
    }

    fn combine(&self, other: &SatSet, operation: Operation) -> Result<SatSet, Error> {
        self.of_same_model(other)?;
        let set = self.model.run(|budget| operation(&self.set, &other.set, budget))?;
        Ok(SatSet::new(&self.model, &self.space, set, ""))
    }
}

impl PartialEq for SatSet {
    /// Do they have the same states, of the same model? Takes no time.
    fn eq(&self, other: &Self) -> bool {
        self.model.is_same(&other.model) && self.set == other.set
    }
}

impl Eq for SatSet {}

impl BitAnd for &SatSet {
    type Output = Result<SatSet, Error>;
    fn bitand(self, other: &SatSet) -> Self::Output {
        self.and(other)
    }
}

impl BitOr for &SatSet {
    type Output = Result<SatSet, Error>;
    fn bitor(self, other: &SatSet) -> Self::Output {
        self.or(other)
    }
}

impl BitXor for &SatSet {
    type Output = Result<SatSet, Error>;
    fn bitxor(self, other: &SatSet) -> Self::Output {
        self.xor(other)
    }
}

impl Sub for &SatSet {
    type Output = Result<SatSet, Error>;
    fn sub(self, other: &SatSet) -> Self::Output {
        self.minus(other)
    }
}

impl Not for &SatSet {
    type Output = Result<SatSet, Error>;
    fn not(self) -> Self::Output {
        self.complement()
    }
}

impl std::fmt::Debug for SatSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut debug = f.debug_struct("SatSet");
        debug.field("model", &self.model.name()).field("formula", &self.formula).field("set", &self.set).finish()
    }
}

/// The states of a [`SatSet`], one by one: [`SatSet::iter`].
///
/// ```
/// let model = starset::Model::read("models/philo-5.pnml")?;
/// let mut states = model.reachable()?.iter();
/// assert!(states.next().is_some());
/// assert_eq!(states.count(), 242);
/// # Ok::<(), starset::Error>(())
/// ```
#[derive(Debug)]
pub struct States {
    model: Model,
    space: Arc<StateSpace>,
    members: Members,
}

impl Iterator for States {
    type Item = NamedState;

    fn next(&mut self) -> Option<NamedState> {
        let tuple = self.members.next()?;
        Some(NamedState::new(&self.model, State::new(self.space.relation.values_of(&tuple))))
    }
}

impl IntoIterator for &SatSet {
    type Item = NamedState;
    type IntoIter = States;

    fn into_iter(self) -> States {
        self.iter()
    }
}
