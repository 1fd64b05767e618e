//! Attractors of a model.

use crate::model::Net;
use crate::number;
use crate::satset::SatSet;
use num_bigint::BigUint;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use starset::symbolic::Shape;

/// The attractors of a model: how many there are, and the first of them, fixed points first. `len` and iteration are about
/// those that are listed.
///
/// >>> attractors = Net.from_edges([("p", "t"), ("t", "q")], {"p": 1}).attractors()
/// >>> attractors
/// Attractors(1 attractor, 1 listed)
/// >>> attractors.kinds, attractors.sizes
/// ({'fixed point': 1}, {1: 1})
/// >>> attractors[0].kind, attractors[0].states
/// ('fixed point', SatSet(1 state))
#[pyclass(frozen, module = "starset")]
pub(crate) struct Attractors {
    pub(crate) found: starset::Attractors,
    pub(crate) listed: Vec<Py<Attractor>>,
}

/// One attractor.
#[pyclass(frozen, module = "starset")]
pub(crate) struct Attractor {
    pub(crate) shape: Shape,
    pub(crate) states: Py<SatSet>,
    /// The weak and the strong basin, where they were asked for.
    pub(crate) basins: Option<[Py<SatSet>; 2]>,
    /// The values that stay around it, where they were asked for.
    pub(crate) trap_space: Option<Vec<(String, String)>>,
}

fn kind(shape: Shape) -> &'static str {
    match shape {
        Shape::Fixed => "fixed point",
        Shape::Cycle => "cycle",
        Shape::Complex => "complex",
    }
}

#[pymethods]
impl Attractors {
    /// How many there are, listed or not.
    fn count<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        number(py, &self.found.len())
    }

    /// By kind, how many attractors have it.
    #[getter]
    fn kinds<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        self.found.shapes().iter().try_for_each(|(shape, many)| dict.set_item(kind(*shape), number(py, many)?))?;
        Ok(dict)
    }

    /// By number of states, how many attractors have it.
    #[getter]
    fn sizes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        self.found.sizes().iter().try_for_each(|(size, many)| dict.set_item(number(py, size)?, number(py, many)?))?;
        Ok(dict)
    }

    /// Those that are listed as a table of pandas, a row each: kind, size, the sizes of the weak and the strong basin where
    /// they were asked for, and the values of a state.
    fn to_pandas<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("starset._frames")?.call_method1("attractors", (slf,))
    }

    fn __len__(&self) -> usize {
        self.listed.len()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let listed: Vec<_> = self.listed.iter().map(|one| one.clone_ref(py)).collect();
        listed.into_pyobject(py)?.call_method0("__iter__")
    }

    fn __getitem__(&self, py: Python<'_>, index: isize) -> PyResult<Py<Attractor>> {
        let place = if index < 0 { index.checked_add_unsigned(self.listed.len()) } else { Some(index) };
        let one = place.and_then(|place| self.listed.get(usize::try_from(place).ok()?));
        let one = one.ok_or_else(|| pyo3::exceptions::PyIndexError::new_err("no such attractor is listed"))?;
        Ok(one.clone_ref(py))
    }

    fn __repr__(&self) -> String {
        let count = self.found.len();
        let word = if count == BigUint::from(1_u32) { "attractor" } else { "attractors" };
        format!("Attractors({count} {word}, {} listed)", self.listed.len())
    }
}

#[pymethods]
impl Attractor {
    /// `fixed point`, `cycle` (each of several states has one step) or `complex`.
    #[getter]
    fn kind(&self) -> &'static str {
        kind(self.shape)
    }

    /// Its states.
    #[getter]
    fn states(&self, py: Python<'_>) -> Py<SatSet> {
        self.states.clone_ref(py)
    }

    /// The states from which it can be reached; `None` unless basins were asked for.
    #[getter]
    fn weak_basin(&self, py: Python<'_>) -> Option<Py<SatSet>> {
        self.basins.as_ref().map(|[weak, _]| weak.clone_ref(py))
    }

    /// The states from which it can be reached, and no other attractor; `None` unless basins were asked for.
    #[getter]
    fn strong_basin(&self, py: Python<'_>) -> Option<Py<SatSet>> {
        self.basins.as_ref().map(|[_, strong]| strong.clone_ref(py))
    }

    /// The trap space around it: the variables that keep a value, whatever the others do, with this value. `None` unless
    /// trap spaces were asked for.
    #[getter]
    fn trap_space<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some(fixed) = &self.trap_space else { return Ok(None) };
        let dict = PyDict::new(py);
        for (name, value) in fixed {
            match value.parse::<i64>() {
                Ok(number) => dict.set_item(name, number)?,
                Err(_) => dict.set_item(name, value)?,
            }
        }
        Ok(Some(dict))
    }

    /// How many states it has.
    fn count<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.states.get().count(py)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("Attractor('{}', {} states)", self.kind(), self.count(py)?))
    }
}

/// What is known of an attractor that is listed: its shape, its states, its basins, and what stays around it.
type Part = (Shape, starset::SatSet, Option<[starset::SatSet; 2]>, Option<Vec<(String, String)>>);

impl Attractors {
    /// What was found of a model, with the sets of each that is listed.
    pub(crate) fn new(net: &Bound<'_, Net>, found: starset::Attractors, parts: Vec<Part>) -> PyResult<Attractors> {
        let set = |set| Py::new(net.py(), SatSet::new(set, net));
        let one = |(shape, states, basins, trap_space): Part| {
            let basins = match basins {
                Some([weak, strong]) => Some([set(weak)?, set(strong)?]),
                None => None,
            };
            Py::new(net.py(), Attractor { shape, states: set(states)?, basins, trap_space })
        };
        Ok(Attractors { found, listed: parts.into_iter().map(one).collect::<PyResult<_>>()? })
    }
}
