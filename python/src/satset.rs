//! Sets of states.

use crate::errors::exception;
use crate::limits::Limits;
use crate::model::{Net, values};
use crate::number;
use crate::state::State;
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use starset::{Error, Model};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// A set of reachable states, exact however large. It never changes.
///
/// Sets of one model are combined by `&`, `|`, `-`, `^` and `~` (the reachable states that are not in it), and compared by
/// `==`, `<=` and `<`.
///
/// >>> net = Net.family("philo", 5)
/// >>> eats, dead = net.satset("#Eat_0 = 1"), net.deadlocks()
/// >>> eats
/// SatSet('#Eat_0 = 1', 27 states)
/// >>> len(eats | dead), eats & dead, len(~eats)
/// (29, SatSet(0 states), 216)
/// >>> net.initial in eats, {"Eat_0": 1} in eats
/// (False, False)
/// >>> sorted(str(state) for state in dead)
/// ['Catch1_0 Catch1_1 Catch1_2 Catch1_3 Catch1_4', 'Catch2_0 Catch2_1 Catch2_2 Catch2_3 Catch2_4']
#[pyclass(frozen, module = "starset")]
pub(crate) struct SatSet {
    pub(crate) set: starset::SatSet,
    net: Py<Net>,
}

impl SatSet {
    /// The set that is found of a model within limits.
    pub(crate) fn of(
        net: &Bound<'_, Net>,
        limits: &Limits,
        work: impl FnOnce(&Model) -> Result<starset::SatSet, Error> + Send,
    ) -> PyResult<SatSet> {
        let model = &net.get().model;
        // What is kept has none of the limits of this call.
        let set = limits.work(net.py(), model, |within| work(within)?.within(model))?;
        Ok(SatSet::new(set, net))
    }

    pub(crate) fn new(set: starset::SatSet, net: &Bound<'_, Net>) -> SatSet {
        SatSet { set, net: net.clone().unbind() }
    }

    /// Work on the set within the limits of its model.
    fn work<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&starset::SatSet) -> Result<T, Error> + Send,
    ) -> PyResult<T> {
        let net = self.net.get();
        net.limits.work(py, &net.model, |model| work(&self.set.within(model)?))
    }

    fn combined(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&starset::SatSet) -> Result<starset::SatSet, Error> + Send,
    ) -> PyResult<SatSet> {
        let model = &self.net.get().model;
        let set = self.work(py, |set| work(set)?.within(model))?;
        Ok(SatSet { set, net: self.net.clone_ref(py) })
    }
}

#[pymethods]
impl SatSet {
    /// The model.
    #[getter]
    fn net(&self, py: Python<'_>) -> Py<Net> {
        self.net.clone_ref(py)
    }

    /// The formula that it is the set of; `None` if it was made from other sets.
    #[getter]
    fn formula(&self) -> Option<&str> {
        Some(self.set.formula()).filter(|formula| !formula.is_empty())
    }

    /// How many states are in the set. `len` is for sets of less than 2**63 states; this is for all.
    ///
    /// >>> Net.family("philo", 50).satset("#Eat_0 = 1").count()
    /// 79766443076872509863361
    pub(crate) fn count<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        number(py, &self.work(py, starset::SatSet::len)?)
    }

    /// So many different states drawn at random, each choice of them as likely as any other; all if there are no more. The same
    /// seed gives the same states.
    ///
    /// >>> states = Net.family("philo", 50).reachable().sample(3, seed=1)
    /// >>> len(states)
    /// 3
    #[pyo3(signature = (states, seed=0))]
    fn sample(&self, py: Python<'_>, states: usize, seed: u64) -> PyResult<Vec<State>> {
        let states = self.work(py, |set| set.sample(states, seed))?;
        Ok(states.into_iter().map(|state| State::new(py, state, &self.net)).collect())
    }

    /// So many of the states, those with the fewest tokens.
    fn smallest(&self, py: Python<'_>, states: usize) -> PyResult<Vec<State>> {
        let states = self.work(py, |set| set.smallest(states))?;
        Ok(states.into_iter().map(|state| State::new(py, state, &self.net)).collect())
    }

    /// Has this set no state in common with another one?
    fn isdisjoint(&self, py: Python<'_>, other: &SatSet) -> PyResult<bool> {
        self.work(py, |set| set.is_disjoint(&other.set))
    }

    /// Is every state of this set in another one?
    fn issubset(&self, py: Python<'_>, other: &SatSet) -> PyResult<bool> {
        self.work(py, |set| set.is_subset(&other.set))
    }

    /// Save the set to a file, for `Net.load_set` and for the program.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        self.work(py, |set| set.save(path))
    }

    /// The states as a table of pandas, with a column for each variable. More than `limit` states are an error.
    #[pyo3(signature = (limit=100_000))]
    fn to_pandas<'py>(slf: &Bound<'py, Self>, limit: usize) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("starset._frames")?.call_method1("satset", (slf, limit))
    }

    fn __and__(&self, py: Python<'_>, other: &SatSet) -> PyResult<SatSet> {
        self.combined(py, |set| set.and(&other.set))
    }

    fn __or__(&self, py: Python<'_>, other: &SatSet) -> PyResult<SatSet> {
        self.combined(py, |set| set.or(&other.set))
    }

    fn __sub__(&self, py: Python<'_>, other: &SatSet) -> PyResult<SatSet> {
        self.combined(py, |set| set.minus(&other.set))
    }

    fn __xor__(&self, py: Python<'_>, other: &SatSet) -> PyResult<SatSet> {
        self.combined(py, |set| set.xor(&other.set))
    }

    fn __invert__(&self, py: Python<'_>) -> PyResult<SatSet> {
        self.combined(py, starset::SatSet::complement)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<SatSet>().is_ok_and(|other| other.get().set == self.set)
    }

    fn __le__(&self, py: Python<'_>, other: &SatSet) -> PyResult<bool> {
        self.issubset(py, other)
    }

    fn __lt__(&self, py: Python<'_>, other: &SatSet) -> PyResult<bool> {
        Ok(self.set != other.set && self.issubset(py, other)?)
    }

    fn __ge__(&self, py: Python<'_>, other: &SatSet) -> PyResult<bool> {
        other.issubset(py, self)
    }

    fn __gt__(&self, py: Python<'_>, other: &SatSet) -> PyResult<bool> {
        Ok(self.set != other.set && other.issubset(py, self)?)
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        let count = self.work(py, starset::SatSet::len)?;
        let few = usize::try_from(&count).ok().filter(|&count| isize::try_from(count).is_ok());
        few.ok_or_else(|| PyOverflowError::new_err("2**63 or more states; ask count() for their number"))
    }

    fn __bool__(&self) -> bool {
        !self.set.is_empty()
    }

    fn __contains__(&self, py: Python<'_>, state: &Bound<'_, PyAny>) -> PyResult<bool> {
        let state = if let Ok(state) = state.cast::<State>() {
            state.get().state.clone()
        } else if let Ok(dict) = state.cast::<PyDict>() {
            let values = values(dict)?;
            let found = self.net.get().model.state(values.iter().map(|(name, value)| (&**name, value)));
            found.map_err(|error| exception(py, &error))?
        } else {
            return Err(PyTypeError::new_err("a state is a State or a dictionary from names to numbers"));
        };
        py.detach(|| self.set.contains(&state)).map_err(|error| exception(py, &error))
    }

    fn __iter__(&self, py: Python<'_>) -> States {
        States { states: Mutex::new(py.detach(|| self.set.iter())), net: self.net.clone_ref(py) }
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let count = self.work(py, starset::SatSet::len)?;
        let count = if count == 1u32.into() { "1 state".to_owned() } else { format!("{count} states") };
        match self.formula() {
            Some(formula) => Ok(format!("SatSet({}, {count})", crate::quoted(formula))),
            None => Ok(format!("SatSet({count})")),
        }
    }

    fn _repr_html_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("starset._html")?.call_method1("satset", (slf,))
    }
}

/// The states of a set, one by one.
#[pyclass(frozen, module = "starset")]
pub(crate) struct States {
    states: Mutex<starset::States>,
    net: Py<Net>,
}

#[pymethods]
impl States {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> Option<State> {
        let state = py.detach(|| self.states.lock().unwrap_or_else(PoisonError::into_inner).next())?;
        Some(State::new(py, state, &self.net))
    }
}
