//! Automata of formulas of linear time.

use crate::errors::{plain, raised};
use crate::limits::Limits;
use pyo3::prelude::*;
use pyo3::types::PyType;
use starset::StopReason;
use starset::automaton::ltl::Formulas;
use starset::automaton::{Builtin, Statistics, Tgba, TranslationError, Translator as _, dot, hoa};
use starset::picture;
use std::collections::BTreeMap;

/// Locations of which a picture shows no more.
const DRAWN: usize = 80;

/// From where, the guard, the acceptance sets, and where to.
type Edge = (usize, Vec<BTreeMap<String, bool>>, Vec<u32>, usize);

/// A Büchi automaton with acceptance on edges: what a formula of LTL is translated to.
///
/// >>> automaton = Automaton.from_ltl("G(request -> F grant)")
/// >>> automaton
/// Automaton(2 states, 4 edges, 1 acceptance set)
/// >>> automaton.propositions, automaton.deterministic
/// (['request', 'grant'], True)
/// >>> Automaton.from_hoa(automaton.to_hoa()).edges == automaton.edges
/// True
#[pyclass(frozen, module = "starset")]
pub(crate) struct Automaton {
    automaton: Tgba,
}

#[pymethods]
impl Automaton {
    /// The automaton of a formula. Words that it accepts satisfy the formula, and no others do.
    #[classmethod]
    #[pyo3(signature = (formula, *, timeout=None))]
    fn from_ltl(_cls: &Bound<'_, PyType>, py: Python<'_>, formula: &str, timeout: Option<f64>) -> PyResult<Automaton> {
        let mut store = Formulas::new();
        let parsed = store.parse(formula).map_err(|error| plain(py, "FormulaError", &error.to_string()))?;
        let limits = Limits::default().of(py, timeout, None, None, None)?;
        let automaton = limits.budgeted(py, move |budget| Ok(Builtin.automaton(&mut store, parsed, budget)))?;
        match automaton {
            Ok(automaton) => Ok(Automaton { automaton }),
            Err(error @ TranslationError::TooDeep) => Err(plain(py, "FormulaError", &error.to_string())),
            Err(error) => Err(crate::errors::exception(py, &StopReason::from(error).into())),
        }
    }

    /// An automaton in the Hanoi Omega-Automata format.
    #[classmethod]
    fn from_hoa(_cls: &Bound<'_, PyType>, py: Python<'_>, text: &str) -> PyResult<Automaton> {
        match hoa::read(text) {
            Ok(automaton) => Ok(Automaton { automaton }),
            Err(error) => {
                let place = (None, Some(error.line), Some(error.column));
                Err(raised(py, "ReadError", &error.to_string(), place, None)?)
            }
        }
    }

    /// How many states it has.
    #[getter]
    fn states(&self) -> usize {
        self.automaton.location_count()
    }

    /// Its initial state.
    #[getter]
    fn initial(&self) -> usize {
        self.automaton.initial().index()
    }

    /// The names of its propositions.
    #[getter]
    fn propositions(&self) -> Vec<String> {
        self.automaton.propositions().to_vec()
    }

    /// Its edges: from where, the guard, the acceptance sets, and where to. A guard is a list of alternatives, each a
    /// dictionary from propositions to what they must be.
    #[getter]
    fn edges(&self) -> Vec<Edge> {
        let names = self.automaton.propositions();
        let edge = |edge: &starset::automaton::Edge| {
            let cubes = edge.guard.cubes().iter().map(|cube| {
                let literals = cube.literals().iter();
                literals.map(|literal| (names[literal.prop.index()].clone(), literal.positive)).collect()
            });
            (edge.source.index(), cubes.collect(), edge.marks.iter().collect(), edge.target.index())
        };
        self.automaton.edges().iter().map(edge).collect()
    }

    /// How many acceptance sets there are: a word is accepted if a run sees each of them again and again.
    #[getter]
    fn acceptance_sets(&self) -> u32 {
        self.automaton.acceptance_sets()
    }

    /// Is there at most one run for each word?
    #[getter]
    fn deterministic(&self) -> bool {
        self.automaton.is_deterministic()
    }

    /// Is there a run for each word?
    #[getter]
    fn complete(&self) -> bool {
        self.automaton.is_complete()
    }

    /// The strength of its strongest component: `transient`, `rejecting`, `weak`, `terminal` or `strong`.
    #[getter]
    fn strength(&self) -> &'static str {
        self.automaton.strength().as_str()
    }

    /// Does it accept words no matter how often their letters are repeated, if that is known?
    #[getter]
    fn stutter_invariant(&self) -> Option<bool> {
        self.automaton.stutter_invariant()
    }

    /// Its measures in words.
    fn statistics(&self) -> String {
        Statistics::of(&self.automaton).to_string()
    }

    /// The automaton in the Hanoi Omega-Automata format.
    fn to_hoa(&self) -> String {
        hoa::write(&self.automaton)
    }

    /// The automaton for Graphviz.
    fn to_dot(&self) -> String {
        dot::write(&self.automaton)
    }

    /// A picture as SVG. Green is terminal, blue weak, orange strong, grey rejecting; acceptance sets are in braces.
    fn svg(&self) -> String {
        picture::automaton(&self.automaton).svg(DRAWN)
    }

    fn _repr_svg_(&self) -> String {
        self.svg()
    }

    fn __len__(&self) -> usize {
        self.states()
    }

    fn __repr__(&self) -> String {
        let (states, edges, sets) = (self.states(), self.automaton.edges().len(), self.acceptance_sets());
        let plural = |n: usize, word: &str| format!("{n} {word}{}", if n == 1 { "" } else { "s" });
        let parts = [plural(states, "state"), plural(edges, "edge"), plural(sets as usize, "acceptance set")];
        format!("Automaton({})", parts.join(", "))
    }
}
