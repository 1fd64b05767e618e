//! Soundness of workflow nets.

use crate::model::Net;
use crate::process::{object, shown, truth};
use crate::verdict::Run;
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict as _, PyDict};

/// Is a workflow net sound, in each of the notions? In a condition it is classical soundness. As text it says why not.
///
/// >>> arcs = [("start", "split"), ("split", "a"), ("split", "b"), ("a", "x"), ("x", "end"), ("b", "y"), ("y", "end")]
/// >>> soundness = Net.from_edges(arcs, {"start": 1}).soundness()
/// >>> soundness
/// Soundness(classical=False, weak=False, relaxed=False, lazy=False, fair=False)
/// >>> bool(soundness), soundness.dead
/// (False, [])
/// >>> soundness.runs["proper_completion"].steps
/// ['split', 'x']
#[pyclass(frozen, module = "starset")]
pub(crate) struct Soundness {
    pub(crate) soundness: starset::Soundness,
    pub(crate) net: Py<Net>,
}

impl Soundness {
    fn of(&self, wanted: &str) -> Option<bool> {
        self.soundness.notions().into_iter().find_map(|(notion, sound)| (notion == wanted).then_some(sound)).flatten()
    }
}

#[pymethods]
impl Soundness {
    /// From each state the end can be reached, nothing is left over then, and each transition can fire.
    #[getter]
    fn classical(&self) -> Option<bool> {
        self.of("classical")
    }

    /// From each state the end can be reached, and nothing is left over then.
    #[getter]
    fn weak(&self) -> Option<bool> {
        self.of("weak")
    }

    /// Each transition is part of a run to the end.
    #[getter]
    fn relaxed(&self) -> Option<bool> {
        self.of("relaxed")
    }

    /// From each state the last place can be marked, and it never has two tokens.
    #[getter]
    fn lazy(&self) -> Option<bool> {
        self.of("lazy")
    }

    /// Each fair run comes to the end.
    #[getter]
    fn fair(&self) -> Option<bool> {
        self.of("fair")
    }

    /// All notions with their answers.
    #[getter]
    fn notions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.soundness.notions().into_py_dict(py)
    }

    /// The transitions that never fire.
    #[getter]
    fn dead(&self) -> Vec<&str> {
        self.soundness.dead()
    }

    /// The runs that refute something, by the names of the demands in `to_dict`: from the start to where the end cannot
    /// be reached any more, to where something is left over, and so on; a fair run that never ends is a loop. Of a net
    /// with clocks time passes step by step, in parts of a unit that the clocks in states count.
    #[getter]
    fn runs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for (demand, run) in self.soundness.runs() {
            dict.set_item(demand, Run { run, net: self.net.clone_ref(py) })?;
        }
        Ok(dict)
    }

    /// Why something is not known.
    #[getter]
    fn reason(&self) -> Option<String> {
        self.soundness.reason()
    }

    /// All answers, with runs that refute what is refuted, as `starset soundness --json` prints them.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        object(py, &self.soundness.fields())
    }

    /// A page for a browser, with the net, runs that refute, and the states that cannot complete, as
    /// `starset soundness --report` writes it.
    ///
    /// >>> Net.from_edges([("start", "a"), ("a", "end")], {"start": 1}).soundness().to_html().startswith("<!")
    /// True
    fn to_html(&self) -> String {
        self.soundness.page()
    }

    fn __bool__(&self, py: Python<'_>) -> PyResult<bool> {
        truth(py, self.classical(), &self.reason().unwrap_or_default())
    }

    fn __str__(&self) -> String {
        self.soundness.text().join("\n")
    }

    fn __repr__(&self) -> String {
        shown("Soundness", &self.soundness.notions())
    }

    fn _repr_html_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("starset._html")?.call_method1("soundness", (slf,))
    }
}
