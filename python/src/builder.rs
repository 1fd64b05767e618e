//! Nets built part by part.

use crate::errors::{exception, plain};
use crate::model::{Net, values};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use starset::Model;
use starset::net::{Annotations, BuildError, NetBuilder, PlaceId, TransitionId};
use std::sync::{Mutex, PoisonError};

/// A net part by part. `build` ends it.
///
/// >>> b = Builder("buffer")
/// >>> b.place("free", 3)
/// >>> b.place("full")
/// >>> b.transition("put")
/// >>> b.arc("free", "put")
/// >>> b.arc("put", "full")
/// >>> b.inhibitor("full", "put", 2)
/// >>> net = b.build()
/// >>> net.states()
/// 3
#[pyclass(frozen, module = "starset")]
pub(crate) struct Builder {
    parts: Mutex<Parts>,
}

struct Parts {
    /// `None` once it has been built.
    net: Option<NetBuilder>,
    last: Option<Vec<(String, String)>>,
    silent: Vec<TransitionId>,
}

impl Builder {
    /// Do something with the parts.
    fn with<T>(&self, py: Python<'_>, change: impl FnOnce(&mut NetBuilder) -> Result<T, BuildError>) -> PyResult<T> {
        let mut parts = self.parts.lock().unwrap_or_else(PoisonError::into_inner);
        let built = || plain(py, "MisuseError", "the net has been built already; begin with another Builder");
        let net = parts.net.as_mut().ok_or_else(built)?;
        change(net).map_err(|error| plain(py, "MisuseError", &error.to_string()))
    }

    /// A place and a transition by their names.
    fn pair(&self, py: Python<'_>, place: &str, transition: &str) -> PyResult<(PlaceId, TransitionId)> {
        let found = self.with(py, |net| Ok((net.find_place(place), net.find_transition(transition))))?;
        let missing =
            |kind: &str, name: &str| plain(py, "NoSuchName", &format!("there is no {kind} `{name}`; add it first"));
        match found {
            (Some(place), Some(transition)) => Ok((place, transition)),
            (None, _) => Err(missing("place", place)),
            (_, None) => Err(missing("transition", transition)),
        }
    }
}

#[pymethods]
impl Builder {
    #[new]
    #[pyo3(signature = (name="net"))]
    fn new(name: &str) -> Self {
        Builder { parts: Mutex::new(Parts { net: Some(NetBuilder::new(name)), last: None, silent: Vec::new() }) }
    }

    /// Add a place with its tokens, and with a display name if it has one.
    #[pyo3(signature = (name, tokens=0, label=None))]
    fn place(&self, py: Python<'_>, name: &str, tokens: u64, label: Option<&str>) -> PyResult<()> {
        self.with(py, |net| {
            let place = net.place(name, tokens)?;
            label.into_iter().for_each(|label| net.name_place(place, label));
            Ok(())
        })
    }

    /// Add a transition, with a display name if it has one; a silent one stands for no activity of a process.
    #[pyo3(signature = (name, label=None, *, silent=false))]
    fn transition(&self, py: Python<'_>, name: &str, label: Option<&str>, silent: bool) -> PyResult<()> {
        let transition = self.with(py, |net| {
            let transition = net.transition(name)?;
            label.into_iter().for_each(|label| net.name_transition(transition, label));
            Ok(transition)
        })?;
        let mut parts = self.parts.lock().unwrap_or_else(PoisonError::into_inner);
        parts.silent.extend(silent.then_some(transition));
        Ok(())
    }

    /// Add an arc from a place to a transition, or from a transition to a place. Arcs that are there twice add up.
    #[pyo3(signature = (source, target, weight=1))]
    fn arc(&self, py: Python<'_>, source: &str, target: &str, weight: u64) -> PyResult<()> {
        if self.with(py, |net| Ok(net.find_place(source).is_some()))? {
            let (place, transition) = self.pair(py, source, target)?;
            self.with(py, |net| net.input(place, transition, weight))
        } else {
            let (place, transition) = self.pair(py, target, source)?;
            self.with(py, |net| net.output(transition, place, weight))
        }
    }

    /// The transition is not enabled while the place holds so many tokens or more.
    #[pyo3(signature = (place, transition, weight=1))]
    fn inhibitor(&self, py: Python<'_>, place: &str, transition: &str, weight: u64) -> PyResult<()> {
        let (place, transition) = self.pair(py, place, transition)?;
        self.with(py, |net| net.inhibitor(place, transition, weight))
    }

    /// The transition needs so many tokens in the place, and leaves them there.
    #[pyo3(signature = (place, transition, weight=1))]
    fn read_arc(&self, py: Python<'_>, place: &str, transition: &str, weight: u64) -> PyResult<()> {
        let (place, transition) = self.pair(py, place, transition)?;
        self.with(py, |net| net.read_arc(place, transition, weight))
    }

    /// Say which marking is final: `Net.final_marking`.
    fn final_marking(&self, marking: &Bound<'_, PyDict>) -> PyResult<()> {
        self.parts.lock().unwrap_or_else(PoisonError::into_inner).last = Some(values(marking)?);
        Ok(())
    }

    /// The net.
    fn build(&self, py: Python<'_>) -> PyResult<Net> {
        let mut parts = self.parts.lock().unwrap_or_else(PoisonError::into_inner);
        let built = || plain(py, "MisuseError", "the net has been built already; begin with another Builder");
        let net = parts.net.take().ok_or_else(built)?.build();
        let net = net.map_err(|error| plain(py, "MisuseError", &error.to_string()))?;
        let model = Model::new(net.clone());
        let last = parts.last.take();
        let state = last.map(|last| model.state(last.iter().map(|(name, value)| (&**name, value)))).transpose();
        let state = state.map_err(|error| exception(py, &error))?;
        let silent = std::mem::take(&mut parts.silent);
        let finals = state.iter().map(|state| {
            let tokens = |place: PlaceId| (place, state.state().value(place));
            net.place_ids().map(tokens).filter(|&(_, tokens)| tokens > 0).collect()
        });
        let annotations = Annotations { silent, finals: finals.collect(), ..Annotations::default() };
        let model = Model::new(net.with_annotations(annotations));
        Ok(match state {
            Some(state) => {
                let last = model.state(state.iter()).map_err(|error| exception(py, &error))?;
                Net::new(model).ending_in(last)
            }
            None => Net::new(model),
        })
    }
}
