//! Errors of the library as exceptions of `starset.errors`: the place in the file and the reason become attributes.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use starset::kinds::ReadError;
use starset::{Error, StopReason};
use std::path::Path;

/// The exception for an error.
pub(crate) fn exception(py: Python<'_>, error: &Error) -> PyErr {
    let stop = match error {
        Error::Unknown(stop) => Some(stop.clone()),
        Error::Read(ReadError::Exhausted { exhausted, .. }) => Some(StopReason::from(*exhausted)),
        _ => None,
    };
    let reason = stop.as_ref().map(StopReason::reason);
    let class = match error {
        _ if reason == Some("time") => "OutOfTime",
        _ if reason == Some("memory") => "OutOfMemory",
        _ if reason.is_some() => "Unknown",
        Error::Read(_) | Error::Open { .. } | Error::Saved(_) | Error::Properties(_)
            if error.place().0.is_some_and(|file| !Path::new(&file).exists()) =>
        {
            "NoSuchFile"
        }
        Error::Read(read) if read.is_unknown() => "Unknown",
        Error::Read(_) | Error::Open { .. } | Error::Saved(_) => "ReadError",
        Error::Formula(_)
        | Error::Hybrid(_)
        | Error::Properties(_)
        | Error::Property(_)
        | Error::NoFormula { .. }
        | Error::Assumption { .. }
        | Error::Finite(_)
        | Error::Assumes { .. } => "FormulaError",
        Error::Name(_) => "NoSuchName",
        Error::Uncertified(_) => "NoCertificate",
        Error::NoWorkflow { .. } => "NoWorkflow",
        Error::SelfCheck(_) => "SelfCheckError",
        Error::Value { .. } | Error::OtherModel | Error::ManyStates(_) | Error::NoStep { .. } | Error::Write(_) => {
            "MisuseError"
        }
        _ => "StarsetError",
    };
    raised(py, class, &error.to_string(), error.place(), reason).unwrap_or_else(|error| error)
}

/// The exception of this class of `starset.errors`.
pub(crate) fn raised(
    py: Python<'_>,
    class: &str,
    message: &str,
    (file, line, column): (Option<String>, Option<usize>, Option<usize>),
    reason: Option<&str>,
) -> PyResult<PyErr> {
    let named = PyDict::new(py);
    named.set_item("file", file)?;
    named.set_item("line", line)?;
    named.set_item("column", column)?;
    named.set_item("reason", reason)?;
    let exception = py.import("starset.errors")?.getattr(class)?.call((message,), Some(&named))?;
    Ok(PyErr::from_value(exception))
}

/// An exception without a place.
pub(crate) fn plain(py: Python<'_>, class: &str, message: &str) -> PyErr {
    raised(py, class, message, (None, None, None), None).unwrap_or_else(|error| error)
}
