//! Arguments that several methods have in common, as values of the library.

use crate::errors::{exception, plain};
use pyo3::prelude::*;
use starset::Model;
use starset::decide::{SWITCHES, Settings, Switch, Ways};
use starset::formula::PathSemantics;
use starset::witness::Effort;

/// What paths are, by name.
fn semantics(py: Python<'_>, name: &str) -> PyResult<PathSemantics> {
    let found = PathSemantics::ALL.into_iter().find(|paths| paths.to_string() == name);
    found.ok_or_else(|| {
        plain(
            py,
            "MisuseError",
            &format!("paths are \"maximal\", \"stutter\", \"infinite\" or \"finite\", not `{name}`"),
        )
    })
}

/// The technique of a name.
pub(crate) fn technique(py: Python<'_>, name: &str) -> PyResult<&'static Switch> {
    Switch::named(name).ok_or_else(|| {
        let all: Vec<&str> = SWITCHES.iter().map(|switch| switch.name).collect();
        plain(py, "MisuseError", &format!("no technique `{name}`; there are {}", all.join(", ")))
    })
}

/// A model whose formulas are decided as the arguments of a call say.
pub(crate) fn asked_so(
    py: Python<'_>,
    model: &Model,
    paths: (Option<&str>, Option<&str>),
    (engine, without): (&str, &[String]),
    (seed, shortest): (u64, bool),
) -> PyResult<Model> {
    let misuse = |message: String| plain(py, "MisuseError", &message);
    let ways = Ways::of_engine(engine)
        .ok_or_else(|| misuse(format!("an engine is \"auto\", \"symbolic\" or \"explicit\", not `{engine}`")))?;
    let effort = if shortest { Effort::Proof } else { Effort::Some };
    let mut settings = Settings { ways, seed, effort, ..Settings::default() };
    for name in without {
        technique(py, name)?.leave_out(&mut settings);
    }
    about(py, model.clone().with_settings(settings), paths)
}

/// What paths are.
#[derive(Clone, Copy)]
pub(crate) enum Paths {
    /// As far as they can go; the default of the logic if nothing is said.
    Whole(Option<PathSemantics>),
    /// Finite runs.
    Finite,
}

/// What paths are, by name; the end of finite runs is of use for those alone.
pub(crate) fn finite_or(py: Python<'_>, paths: Option<&str>, last: Option<&str>) -> PyResult<Paths> {
    match (paths, last) {
        (Some("finite"), _) => Ok(Paths::Finite),
        (_, Some(_)) => Err(plain(py, "MisuseError", "`final` says where finite runs end: give paths=\"finite\", too")),
        (paths, None) => Ok(Paths::Whole(paths.map(|paths| semantics(py, paths)).transpose()?)),
    }
}

/// The same model, whose formulas are about such paths.
pub(crate) fn about(py: Python<'_>, model: Model, (paths, last): (Option<&str>, Option<&str>)) -> PyResult<Model> {
    match finite_or(py, paths, last)? {
        Paths::Whole(None) => Ok(model),
        Paths::Whole(Some(paths)) => Ok(model.with_paths(paths)),
        Paths::Finite => model.with_finite_runs(last).map_err(|error| exception(py, &error)),
    }
}
