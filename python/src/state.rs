//! States and markings.

use crate::errors::{exception, plain};
use crate::model::Net;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use starset::NamedState;
use std::hash::{Hash as _, Hasher as _};

/// A state of a model: of a net a marking, a number of tokens for each place. It reads like a dictionary, from names to numbers,
/// or to names of values where a variable has some. It never changes.
///
/// >>> net = Net.family("philo", 2)
/// >>> state = net.initial
/// >>> state
/// State(Fork_0 Think_0 Fork_1 Think_1)
/// >>> state["Fork_0"], len(state)
/// (1, 10)
/// >>> state.enabled()
/// ['FF1a_0', 'FF1b_0', 'FF1a_1', 'FF1b_1']
/// >>> state.fire("FF1a_0").marked
/// {'Catch1_0': 1, 'Fork_1': 1, 'Think_1': 1}
#[pyclass(frozen, module = "starset")]
pub(crate) struct State {
    pub(crate) state: NamedState,
    pub(crate) net: Py<Net>,
}

impl State {
    pub(crate) fn new(py: Python<'_>, state: NamedState, net: &Py<Net>) -> Self {
        State { state, net: net.clone_ref(py) }
    }

    /// The value of a variable: a number, or the name of a value.
    fn value_of<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.state.value(name).map(|text| value(py, &text)).transpose()
    }
}

/// A value in text as an object: a number where it is written as one; `01` is a name.
fn value<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    match text.parse::<i128>() {
        Ok(number) if number.to_string() == text => Ok(number.into_pyobject(py)?.into_any()),
        _ => Ok(text.into_pyobject(py)?.into_any()),
    }
}

#[pymethods]
impl State {
    /// The model.
    #[getter]
    fn net(&self, py: Python<'_>) -> Py<Net> {
        self.net.clone_ref(py)
    }

    /// The values that are not 0: of a marking, the places with tokens.
    #[getter]
    fn marked<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for (name, text) in self.state.iter() {
            if text != "0" {
                dict.set_item(name, value(py, &text)?)?;
            }
        }
        Ok(dict)
    }

    /// A formula that holds in this state and in no other.
    ///
    /// >>> net = Net.from_edges([("p", "t"), ("t", "q")], {"p": 1})
    /// >>> net.initial.formula
    /// '#p = 1 & #q = 0'
    #[getter]
    fn formula(&self) -> String {
        self.state.formula()
    }

    /// The names of the variables.
    fn keys(&self) -> Vec<String> {
        self.state.iter().map(|(name, _)| name.to_owned()).collect()
    }

    /// The values of the variables.
    fn values<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        self.state.iter().map(|(_, text)| value(py, &text)).collect()
    }

    /// The variables with their values.
    fn items<'py>(&self, py: Python<'py>) -> PyResult<Vec<(String, Bound<'py, PyAny>)>> {
        self.state.iter().map(|(name, text)| Ok((name.to_owned(), value(py, &text)?))).collect()
    }

    /// The value of a variable, or what is given if there is no such variable.
    #[pyo3(signature = (name, default=None))]
    fn get<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        default: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        Ok(self.value_of(py, name)?.or(default))
    }

    /// The transitions that are enabled: of other models, the actions that are possible.
    fn enabled(&self) -> Vec<&str> {
        self.state.enabled()
    }

    /// The state that a transition leads to, or an action; of several states the first.
    ///
    /// >>> Net.family("philo", 2).initial.fire("FF1c_0")
    /// Traceback (most recent call last):
    /// starset.errors.NoSuchName: unknown transition `FF1c_0`; did you mean `FF1a_0`?
    fn fire(&self, py: Python<'_>, action: &str) -> PyResult<State> {
        let next = self.state.fire(action).map_err(|error| exception(py, &error))?;
        Ok(State::new(py, next, &self.net))
    }

    /// The steps that are possible, in words, with the states that they lead to.
    ///
    /// >>> net = Net.from_edges([("p", "t"), ("t", "q")], {"p": 1})
    /// >>> net.initial.steps()
    /// [('t', State(q))]
    fn steps(&self, py: Python<'_>) -> Vec<(String, State)> {
        self.state.steps().into_iter().map(|(words, next)| (words, State::new(py, next, &self.net))).collect()
    }

    /// A picture of the net in this marking, as SVG; `None` for a state of another kind of model.
    fn svg(&self) -> Option<String> {
        self.state.svg()
    }

    fn _repr_svg_(&self) -> Option<String> {
        self.svg()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let unknown = || plain(py, "NoSuchName", &format!("`{name}` is no variable of the model"));
        self.value_of(py, name)?.ok_or_else(unknown)
    }

    fn __contains__(&self, name: &str) -> bool {
        self.state.value(name).is_some()
    }

    fn __len__(&self) -> usize {
        self.state.state().as_slice().len()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.keys().into_pyobject(py)?.call_method0("__iter__")
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<State>().is_ok_and(|other| other.get().state == self.state)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = std::hash::DefaultHasher::new();
        self.state.hash(&mut hasher);
        hasher.finish()
    }

    fn __str__(&self) -> String {
        self.state.to_string()
    }

    fn __repr__(&self) -> String {
        format!("State({})", self.state)
    }
}
