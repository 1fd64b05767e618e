//! Soundness of diagrams of BPMN.

use crate::errors::{exception, plain};
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict as _, PyDict};
use starset::report::fields::Fields;

/// Is a diagram of BPMN sound, in each of the notions? In a condition it is classical soundness. As text it says why not.
#[pyclass(frozen, module = "starset")]
pub(crate) struct ProcessSoundness {
    pub(crate) soundness: starset::ProcessSoundness,
}

/// An object of JSON as one of Python.
pub(crate) fn object<'py>(py: Python<'py>, fields: &Fields) -> PyResult<Bound<'py, PyAny>> {
    let text = serde_json::to_string(fields).map_err(|error| plain(py, "StarsetError", &error.to_string()))?;
    py.import("json")?.call_method1("loads", (text,))
}

/// What a condition makes of an answer.
pub(crate) fn truth(py: Python<'_>, sound: Option<bool>, reason: &str) -> PyResult<bool> {
    sound.ok_or_else(|| plain(py, "Unknown", &format!("soundness is unknown: {reason}")))
}

/// An object of this class, by its notions.
pub(crate) fn shown(class: &str, notions: &[(&str, Option<bool>)]) -> String {
    let word = |sound: Option<bool>| match sound {
        Some(true) => "True",
        Some(false) => "False",
        None => "None",
    };
    let parts: Vec<String> = notions.iter().map(|&(notion, sound)| format!("{notion}={}", word(sound))).collect();
    format!("{class}({})", parts.join(", "))
}

#[pymethods]
impl ProcessSoundness {
    /// All notions with their answers: `sound`, `weak`, `option_to_complete`, `proper_completion`, `no_dead_activity`,
    /// `no_deadlock`, `safe`, `relaxed`, `easy`, `fair` and `clean`.
    #[getter]
    fn notions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.soundness.notions().into_py_dict(py)
    }

    /// The activities that never begin.
    #[getter]
    fn dead(&self) -> Vec<&str> {
        self.soundness.dead()
    }

    /// The runs that refute something, by the names of the notions: the names of their steps.
    #[getter]
    fn runs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.soundness.runs().into_py_dict(py)
    }

    /// Why something is not known: `unbounded`, `limits` or `instances`.
    #[getter]
    fn reason(&self) -> Option<&'static str> {
        self.soundness.reason()
    }

    /// All answers, with runs that refute what is refuted, as `starset soundness --json` prints them.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        object(py, &self.soundness.fields())
    }

    /// A page for a browser: the diagram as it is drawn, with the runs that refute something on it.
    fn to_html(&self, py: Python<'_>) -> PyResult<String> {
        self.soundness.page().map_err(|error| exception(py, &error))
    }

    fn __bool__(&self, py: Python<'_>) -> PyResult<bool> {
        let sound =
            self.soundness.notions().into_iter().find_map(|(notion, sound)| (notion == "sound").then_some(sound));
        truth(py, sound.flatten(), self.reason().unwrap_or_default())
    }

    fn __str__(&self) -> String {
        self.soundness.text().join("\n")
    }

    fn __repr__(&self) -> String {
        shown("ProcessSoundness", &self.soundness.notions())
    }

    fn _repr_html_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("starset._html")?.call_method1("process_soundness", (slf,))
    }
}
