//! Answers, witnesses, runs and certificates.

use crate::errors::{exception, plain};
use crate::model::Net;
use crate::quoted;
use crate::state::State;
use pyo3::prelude::*;
use starset::witness::End;
use starset::{Error, NamedRun};

/// The answer to a formula: true, false, or unknown with its reason. In a condition it is what it says; an unknown one
/// raises `Unknown` there, so that it is never taken for a no.
///
/// >>> net = Net.family("philo", 5)
/// >>> answer = net.check("EF deadlock")
/// >>> answer.value, bool(answer)
/// (True, True)
/// >>> unknown = net.check("EF deadlock", timeout=0)
/// >>> unknown
/// Verdict(unknown, 'EF deadlock', reason='time')
/// >>> bool(unknown)
/// Traceback (most recent call last):
/// starset.errors.OutOfTime: `EF deadlock` is unknown: out of time
#[pyclass(frozen, module = "starset")]
pub(crate) struct Verdict {
    pub(crate) verdict: starset::Verdict,
    pub(crate) certificate: Option<Py<Certificate>>,
    pub(crate) net: Py<Net>,
}

#[pymethods]
impl Verdict {
    /// Does the formula hold in the initial state? `None` if that is not known.
    #[getter]
    fn value(&self) -> Option<bool> {
        self.verdict.verdict()
    }

    /// Is it known?
    #[getter]
    fn known(&self) -> bool {
        self.verdict.verdict().is_some()
    }

    /// Why it is not known, in a word: `time`, `memory`, `unbounded`, ...; `None` if it is.
    #[getter]
    fn reason(&self) -> Option<&'static str> {
        self.verdict.reason().map(starset::StopReason::reason)
    }

    /// Why it is not known, in a sentence.
    #[getter]
    fn message(&self) -> Option<String> {
        self.verdict.reason().map(ToString::to_string)
    }

    /// The formula.
    #[getter]
    fn formula(&self) -> &str {
        self.verdict.formula()
    }

    /// What paths are: `maximal`, `stutter` or `infinite`; `finite` where the formula is about finite runs.
    #[getter]
    fn paths(&self) -> String {
        if self.verdict.is_about_finite_runs() { "finite".to_owned() } else { self.verdict.paths().to_string() }
    }

    /// Where the formula is about fair paths or finite runs alone: does none begin in the initial state, so that `E` is false
    /// and `A` is true whatever follows? `None` where all paths count, or this is not known.
    ///
    /// >>> net = Net.family("philo", 3)
    /// >>> net.check("G false", fair=["justice false"]).vacuous
    /// True
    /// >>> net.check("G false", paths="finite").vacuous, net.check("G false").vacuous
    /// (False, None)
    #[getter]
    fn vacuous(&self) -> Option<bool> {
        self.verdict.is_vacuous()
    }

    /// How the answer was found.
    #[getter]
    fn technique(&self) -> &'static str {
        self.verdict.technique().name()
    }

    /// Why it is so, as runs, if such a reason was found.
    #[getter]
    fn witness(&self, py: Python<'_>) -> Option<Witness> {
        let text = self.verdict.witness()?.to_owned();
        let runs = self.verdict.runs().to_vec();
        Some(Witness { text, runs, net: self.net.clone_ref(py) })
    }

    /// The proof, if one was asked for (`check(..., certificate=True)`) and found.
    #[getter]
    fn certificate(&self, py: Python<'_>) -> Option<Py<Certificate>> {
        self.certificate.as_ref().map(|certificate| certificate.clone_ref(py))
    }

    fn __bool__(&self, py: Python<'_>) -> PyResult<bool> {
        match (self.verdict.verdict(), self.verdict.reason()) {
            (Some(verdict), _) => Ok(verdict),
            (None, Some(stop)) => {
                let error = exception(py, &Error::Unknown(stop.clone()));
                let class = error.get_type(py).name()?.to_string();
                let message = format!("`{}` is unknown: {stop}", self.verdict.formula());
                Err(crate::errors::raised(py, &class, &message, (None, None, None), Some(stop.reason()))?)
            }
            (None, None) => Err(plain(py, "Unknown", "the answer is unknown")),
        }
    }

    fn __str__(&self) -> &'static str {
        match self.verdict.verdict() {
            Some(true) => "true",
            Some(false) => "false",
            None => "unknown",
        }
    }

    fn __repr__(&self) -> String {
        let formula = quoted(self.verdict.formula());
        match self.verdict.reason() {
            Some(stop) => format!("Verdict({}, {formula}, reason='{}')", self.__str__(), stop.reason()),
            None => format!("Verdict({}, {formula})", self.__str__()),
        }
    }

    fn _repr_html_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("starset._html")?.call_method1("verdict", (slf,))
    }
}

/// Why a verdict is as it is: runs of the model, which have been replayed. As text it is what the program prints.
///
/// >>> net = Net.from_edges([("p", "t"), ("t", "q")], {"p": 1})
/// >>> witness = net.check("EF #q = 1").witness
/// >>> print(witness)
///   shows E F (#q = 1) (1 step, shortest, maximal paths)
///     0  p
///     1  t: p 1→0, q 0→1
///          : #q = 1
///        -- deadlock: the path ends
/// >>> len(witness), witness[0].steps
/// (1, ['t'])
#[pyclass(frozen, module = "starset")]
pub(crate) struct Witness {
    text: String,
    runs: Vec<NamedRun>,
    net: Py<Net>,
}

#[pymethods]
impl Witness {
    /// The runs. The first begins in an initial state, others in states of earlier ones.
    #[getter]
    fn runs(&self, py: Python<'_>) -> Vec<Run> {
        self.runs.iter().map(|run| Run { run: run.clone(), net: self.net.clone_ref(py) }).collect()
    }

    fn __len__(&self) -> usize {
        self.runs.len()
    }

    fn __getitem__(&self, py: Python<'_>, index: isize) -> PyResult<Run> {
        let at = if index < 0 { index + self.runs.len() as isize } else { index };
        let run = usize::try_from(at).ok().and_then(|at| self.runs.get(at));
        let out = || pyo3::exceptions::PyIndexError::new_err("there is no such run");
        Ok(Run { run: run.ok_or_else(out)?.clone(), net: self.net.clone_ref(py) })
    }

    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!("Witness({} runs)", self.runs.len())
    }

    fn _repr_html_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("starset._html")?.call_method1("witness", (slf,))
    }
}

/// A run of a witness, or one that shows why a net is not sound: states, the steps between them, and how it goes on.
///
/// >>> net = Net.from_edges([("p", "t"), ("t", "q"), ("q", "u"), ("u", "p")], {"p": 1})
/// >>> run = net.check("E G F #q = 1").witness[0]
/// >>> run
/// Run(2 steps, then again from 0)
/// >>> run.states, run.steps, run.end, run.loop
/// ([State(p), State(q)], ['t', 'u'], 'loop', 0)
#[pyclass(frozen, module = "starset")]
pub(crate) struct Run {
    pub(crate) run: NamedRun,
    pub(crate) net: Py<Net>,
}

#[pymethods]
impl Run {
    /// The formula that it shows or violates; of soundness the demand that it refutes.
    #[getter]
    fn formula(&self) -> &str {
        self.run.formula()
    }

    /// The states that it passes.
    #[getter]
    fn states(&self, py: Python<'_>) -> Vec<State> {
        self.run.states().iter().map(|state| State::new(py, state.clone(), &self.net)).collect()
    }

    /// What is done from each state to the next; of a loop the last leads to where the loop begins.
    #[getter]
    fn steps(&self) -> Vec<String> {
        self.run.steps().to_vec()
    }

    /// How it goes on: `open` (in any way), `deadlock` (not at all), `loop`, or `final` (it is a finite run, and over).
    #[getter]
    fn end(&self) -> &'static str {
        match self.run.end() {
            End::Open => "open",
            End::Deadlock => "deadlock",
            End::Final => "final",
            End::Loop(_) => "loop",
        }
    }

    /// The number of the state where the loop begins, if there is one.
    #[getter]
    fn r#loop(&self) -> Option<usize> {
        match self.run.end() {
            End::Loop(at) => Some(at),
            End::Open | End::Deadlock | End::Final => None,
        }
    }

    /// Is it proved that no run that shows the same has fewer steps?
    #[getter]
    fn shortest(&self) -> bool {
        self.run.is_shortest()
    }

    fn __len__(&self) -> usize {
        self.run.steps().len()
    }

    fn __repr__(&self) -> String {
        let steps = self.run.steps().len();
        let end = match self.run.end() {
            End::Open => String::new(),
            End::Deadlock => ", then nothing".to_owned(),
            End::Final => ", then over".to_owned(),
            End::Loop(at) => format!(", then again from {at}"),
        };
        format!("Run({steps} step{}{end})", if steps == 1 { "" } else { "s" })
    }

    fn _repr_html_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("starset._html")?.call_method1("run", (slf,))
    }
}

/// A proof that a formula holds or not, which an independent checker has accepted: `starset-checker` reads the two files
/// that `save` writes.
///
/// >>> certificate = Net.family("philo", 3).certify("AG #Fork_0 <= 1")
/// >>> certificate
/// Certificate(true)
/// >>> certificate.text.splitlines()[0]
/// 'starset-certificate 2'
#[pyclass(frozen, module = "starset")]
pub(crate) struct Certificate {
    pub(crate) certificate: starset::Certificate,
}

#[pymethods]
impl Certificate {
    /// What it proves: that the formula holds, or does not.
    #[getter]
    fn verdict(&self) -> bool {
        self.certificate.verdict()
    }

    /// The certificate.
    #[getter]
    fn text(&self) -> &str {
        self.certificate.text()
    }

    /// The model that it is about, as the checker reads it.
    #[getter]
    fn model(&self) -> &str {
        self.certificate.model()
    }

    /// Write the certificate to a file, and the model to another one if that is wanted.
    #[pyo3(signature = (path, model=None))]
    fn save(&self, py: Python<'_>, path: std::path::PathBuf, model: Option<std::path::PathBuf>) -> PyResult<()> {
        py.detach(|| {
            std::fs::write(path, self.certificate.text())?;
            model.map_or(Ok(()), |model| std::fs::write(model, self.certificate.model()))
        })
        .map_err(PyErr::from)
    }

    fn __repr__(&self) -> String {
        format!("Certificate({})", self.certificate.verdict())
    }
}
