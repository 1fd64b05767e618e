//! The native part of the Python package `starset`: the library's simple case (`starset::Model`) as Python objects.
//!
//! It translates and decides nothing: arguments to values of the library, errors to exceptions (`errors`), values to
//! objects, one file per class. What takes time goes through `limits`. What is about Python alone (other packages' nets, tables,
//! HTML, widgets) is Python, in the folder `starset/` beside this one. The doc comments of classes and methods are the docstrings
//! that Python shows; their examples are run by `tests/test_docstrings.py`, in a namespace that has all of `starset`.

mod arguments;
mod attractors;
mod automaton;
mod builder;
mod errors;
mod graph;
mod limits;
mod model;
mod net;
mod process;
mod satset;
mod soundness;
mod state;
mod verdict;

use num_bigint::BigUint;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// A number of any size.
fn number<'py>(py: Python<'py>, number: &BigUint) -> PyResult<Bound<'py, PyAny>> {
    match u64::try_from(number) {
        Ok(number) => Ok(number.into_pyobject(py)?.into_any()),
        Err(_) => {
            let bytes = PyBytes::new(py, &number.to_bytes_le());
            py.get_type::<pyo3::types::PyInt>().call_method1("from_bytes", (bytes, "little"))
        }
    }
}

/// A text as Python writes it.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'").replace('\n', "\\n"))
}

/// The native part of starset.
#[pymodule]
mod _native {
    #[pymodule_export]
    use crate::attractors::{Attractor, Attractors};
    #[pymodule_export]
    use crate::automaton::Automaton;
    #[pymodule_export]
    use crate::builder::Builder;
    #[pymodule_export]
    use crate::graph::StateGraph;
    #[pymodule_export]
    use crate::limits::Progress;
    #[pymodule_export]
    use crate::model::Net;
    #[pymodule_export]
    use crate::process::ProcessSoundness;
    #[pymodule_export]
    use crate::satset::{SatSet, States};
    #[pymodule_export]
    use crate::soundness::Soundness;
    #[pymodule_export]
    use crate::state::State;
    #[pymodule_export]
    use crate::verdict::{Certificate, Run, Verdict, Witness};
    #[pymodule_export]
    #[expect(non_upper_case_globals, reason = "what Python calls it")]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
