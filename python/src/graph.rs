//! Graphs of states.

use crate::model::Net;
use crate::state::State;
use pyo3::prelude::*;

/// The reachable states with the steps between them, one by one: for small models.
///
/// >>> graph = Net.from_edges([("p", "t"), ("t", "q")], {"p": 2}).reachability_graph()
/// >>> graph.states
/// [State(p=2), State(p q), State(q=2)]
/// >>> graph.edges
/// [(0, 't', 1), (1, 't', 2)]
#[pyclass(frozen, module = "starset")]
pub(crate) struct StateGraph {
    pub(crate) graph: starset::StateGraph,
    pub(crate) net: Py<Net>,
}

#[pymethods]
impl StateGraph {
    /// The states, nearest to the initial one first.
    #[getter]
    fn states(&self, py: Python<'_>) -> Vec<State> {
        self.graph.states().iter().map(|state| State::new(py, state.clone(), &self.net)).collect()
    }

    /// The steps: the number of a state, what is done, and the number of the state that it leads to.
    #[getter]
    fn edges(&self) -> Vec<(usize, String, usize)> {
        self.graph.edges().to_vec()
    }

    /// How many initial states there are: the first ones.
    #[getter]
    fn initial(&self) -> usize {
        self.graph.initial()
    }

    /// The graph as a `MultiDiGraph` of networkx: a node for each state, with its number, and with the `state` as an attribute; an
    /// edge for each step, with its `label`.
    fn to_networkx<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("starset._frames")?.call_method1("networkx_graph", (slf,))
    }

    /// The states as a table of pandas, with a column for each variable.
    fn to_pandas<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("starset._frames")?.call_method1("graph", (slf,))
    }

    /// A picture as SVG; of a large graph the first states. States in which nothing is possible are red.
    fn svg(&self) -> String {
        self.graph.svg()
    }

    fn _repr_svg_(&self) -> String {
        self.svg()
    }

    fn __len__(&self) -> usize {
        self.graph.states().len()
    }

    fn __repr__(&self) -> String {
        format!("StateGraph({} states, {} edges)", self.graph.states().len(), self.graph.edges().len())
    }
}
