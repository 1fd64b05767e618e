//! Models: the class `Net`, without what it does, which needs all other classes.

use crate::limits::Limits;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use starset::{Model, NamedState};

/// A model: a Petri net, or a model of another kind that starset reads. It never changes, and what has been computed of it is
/// kept: a second set of its states is cheap.
///
/// Nets come from files (`read`), from Python objects (`from_pm4py`, `from_snakes`, `from_edges`), from a `Builder`, or
/// from families that grow (`family`).
///
/// >>> net = Net.family("philo", 5)
/// >>> net
/// Net('Philosophers-PT-000005', 25 places, 25 transitions, 80 arcs)
/// >>> net.states()
/// 243
/// >>> bool(net.check("AG EF #Eat_0 = 1"))
/// False
/// >>> len(net.satset("EF #Eat_0 = 1") - net.satset("#Eat_0 = 1"))
/// 214
///
/// All that takes time takes `timeout` (seconds), `memory` (bytes, or a text like "2G"; 80 % of what is there unless something is
/// said), `threads` (all cores unless something is said) and `progress` (`True` for a bar of tqdm, or a function that is called with
/// a `Progress`). Meanwhile other threads of Python go on, and Ctrl-C ends it.
#[pyclass(frozen, module = "starset")]
pub(crate) struct Net {
    pub(crate) model: Model,
    pub(crate) limits: Limits,
    /// The final marking, where there is one.
    pub(crate) last: Option<NamedState>,
}

impl Net {
    pub(crate) fn new(model: Model) -> Self {
        Net { model, limits: Limits::default().with_default_memory(), last: None }
    }

    /// The same with a final marking.
    pub(crate) fn ending_in(mut self, last: NamedState) -> Self {
        self.last = Some(last);
        self
    }
}

/// The names and numbers of a marking.
pub(crate) fn values(marking: &Bound<'_, PyDict>) -> PyResult<Vec<(String, String)>> {
    marking.iter().map(|(name, value)| Ok((name.extract()?, value.str()?.extract()?))).collect()
}
