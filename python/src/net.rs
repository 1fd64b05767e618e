//! What the class `Net` does.

use crate::arguments::{Paths, about, asked_so, finite_or, technique};
use crate::attractors::Attractors;
use crate::errors::{exception, plain};
use crate::graph::StateGraph;
use crate::limits::{Limits, warn, warn_later};
use crate::model::{Net, values};
use crate::number;
use crate::process::{ProcessSoundness, object};
use crate::satset::SatSet;
use crate::soundness::Soundness;
use crate::state::State;
use crate::verdict::{Certificate, Verdict};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyType};
use starset::certify::Uncertified;
use starset::decide::Settings;
use starset::kinds::net::families::family;
use starset::kinds::pins::logical::Update;
use starset::kinds::{Reading, Writing, in_words, write};
use starset::net::PetriNet;
use starset::{Error, Model};
use std::collections::HashMap;
use std::path::PathBuf;

/// An argument that may be left out.
type Given<'py> = Option<Bound<'py, PyAny>>;

#[pymethods]
impl Net {
    /// Read a model from a file, in any of the forms that starset reads: PNML and the nets of other tools, coloured
    /// nets, networks of automata, SMV, logical networks, BPMN, DVE, ETF, B machines, nets with clocks; from a folder or
    /// an archive of the Model Checking Contest; from several files that make one network. `update` is of logical networks
    /// (docs/networks.md): `asynchronous`, `synchronous`, `mixed` or `most-permissive`; their variables in `fixed` keep a
    /// level. What is left out of a file, or taken otherwise than it may be meant, is a `UserWarning`, here or when states
    /// are explored.
    ///
    /// >>> Net.read("nowhere.pnml")
    /// Traceback (most recent call last):
    /// starset.errors.NoSuchFile: nowhere.pnml: cannot open: No such file or directory (os error 2); give a .pnml file or a folder with a model.pnml in it
    #[classmethod]
    #[pyo3(signature = (path, *more, update="asynchronous", fixed=HashMap::new(), timeout=None, memory=None))]
    #[expect(clippy::too_many_arguments, reason = "arguments by name")]
    fn read(
        _cls: &Bound<'_, PyType>,
        py: Python<'_>,
        path: PathBuf,
        more: Vec<PathBuf>,
        update: &str,
        fixed: HashMap<String, u32>,
        timeout: Option<f64>,
        memory: Given<'_>,
    ) -> PyResult<Net> {
        let Some(update) = Update::named(update) else {
            let known = Update::ALL.map(|(name, ..)| name).join(", ");
            return Err(plain(py, "MisuseError", &format!("no update is called `{update}`; there are {known}")));
        };
        let limits = Limits::default().with_default_memory().of(py, timeout, memory.as_ref(), None, None)?;
        let paths: Vec<PathBuf> = std::iter::once(path).chain(more).collect();
        let fixed = fixed.into_iter().collect();
        let reading = Reading { update, fixed, warn: Some(warn_later), ..Reading::default() };
        let model = limits.budgeted(py, |budget| Model::read_with(&paths, &reading, budget))?;
        model.remarks().iter().try_for_each(|remark| warn(py, remark))?;
        Ok(Net::new(model))
    }

    /// Read a net from a file of PNML; the same as `read`.
    #[classmethod]
    #[pyo3(signature = (path, *, timeout=None, memory=None))]
    fn from_pnml(
        cls: &Bound<'_, PyType>,
        py: Python<'_>,
        path: PathBuf,
        timeout: Option<f64>,
        memory: Given<'_>,
    ) -> PyResult<Net> {
        Net::read(cls, py, path, Vec::new(), "asynchronous", HashMap::new(), timeout, memory)
    }

    /// Read a diagram of BPMN from a file (`.bpmn`), as `read` does, or take one of pm4py.
    #[classmethod]
    fn from_bpmn<'py>(cls: &Bound<'py, PyType>, diagram: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        cls.py().import("starset._process")?.call_method1("from_bpmn", (diagram,))
    }

    /// A process tree of pm4py, as a net with silent transitions and a final marking.
    #[classmethod]
    fn from_process_tree<'py>(cls: &Bound<'py, PyType>, tree: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        cls.py().import("starset._process")?.call_method1("from_process_tree", (tree,))
    }

    /// A net as one of pm4py: the net, its initial and its final marking. Silent transitions have no label there.
    fn to_pm4py<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("starset._process")?.call_method1("to_pm4py", (slf,))
    }

    /// A net of a family that grows with a number: `batches`, `fms`, `kanban`, `philo`, `phils`, `pipeline`,
    /// `readers-writers`, `slot`, `token-ring`.
    ///
    /// >>> Net.family("kanban", 5).states()
    /// 2546432
    #[classmethod]
    fn family(_cls: &Bound<'_, PyType>, py: Python<'_>, name: &str, size: u32) -> PyResult<Net> {
        let misuse = |message: String| plain(py, "MisuseError", &message);
        let family =
            family(name).ok_or_else(|| misuse(format!("no family is called `{name}`; help(Net.family) lists them")))?;
        let net = family.generate(size).map_err(|error| misuse(error.to_string()))?;
        Ok(Net::new(Model::new(net)))
    }

    /// A net from its arcs, each a pair or a triple with its weight. Which names are places follows from the marking and the arcs;
    /// where nothing is marked, name a transition.
    ///
    /// >>> arcs = [("free", "put"), ("put", "full"), ("full", "take", 2), ("take", "free", 2)]
    /// >>> net = Net.from_edges(arcs, {"free": 3}, name="buffer")
    /// >>> net
    /// Net('buffer', 2 places, 2 transitions, 4 arcs)
    /// >>> net.states()
    /// 4
    #[classmethod]
    #[pyo3(signature = (arcs, marking, transitions=Vec::new(), *, name="net"))]
    fn from_edges(
        _cls: &Bound<'_, PyType>,
        py: Python<'_>,
        arcs: &Bound<'_, PyAny>,
        marking: &Bound<'_, PyDict>,
        transitions: Vec<String>,
        name: &str,
    ) -> PyResult<Net> {
        let mut list: Vec<(String, String, u64)> = Vec::new();
        for arc in arcs.try_iter()? {
            let arc = arc?;
            let weight = if arc.len()? > 2 { arc.get_item(2)?.extract()? } else { 1 };
            list.push((arc.get_item(0)?.extract()?, arc.get_item(1)?.extract()?, weight));
        }
        let arcs: Vec<(&str, &str, u64)> = list.iter().map(|(from, to, weight)| (&**from, &**to, *weight)).collect();
        let marking: Vec<(String, u64)> =
            marking.iter().map(|(place, tokens)| Ok((place.extract()?, tokens.extract()?))).collect::<PyResult<_>>()?;
        let marking: Vec<(&str, u64)> = marking.iter().map(|(place, tokens)| (&**place, *tokens)).collect();
        let transitions: Vec<&str> = transitions.iter().map(String::as_str).collect();
        let net = PetriNet::from_edges(name, &arcs, &marking, &transitions);
        let net = net.map_err(|error| plain(py, "MisuseError", &error.to_string()))?;
        Ok(Net::new(Model::new(net)))
    }

    /// A net of pm4py with its initial marking, and its final one if it has any. Inhibitor arcs are taken over; reset
    /// arcs are refused. Transitions are called by their labels where no two have the same, else by their names with the labels as display names.
    #[classmethod]
    #[pyo3(signature = (net, initial_marking, final_marking=None))]
    fn from_pm4py<'py>(
        cls: &Bound<'py, PyType>,
        net: Bound<'py, PyAny>,
        initial_marking: Bound<'py, PyAny>,
        final_marking: Given<'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let convert = cls.py().import("starset._convert")?;
        convert.call_method1("from_pm4py", (net, initial_marking, final_marking))
    }

    /// A Boolean network of `biodivine_aeon`. Unknown functions are inputs, as docs/networks.md says.
    #[classmethod]
    fn from_aeon<'py>(cls: &Bound<'py, PyType>, network: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        cls.py().import("starset._convert")?.call_method1("from_aeon", (network,))
    }

    /// A Boolean network of `pyboolnet`: its prime implicants, by variable.
    ///
    /// >>> Net.from_pyboolnet({"a": [[{"b": 1}], [{"b": 0}]], "b": [[{"b": 0}], [{"b": 1}]]}).attractors()
    /// Attractors(2 attractors, 2 listed)
    #[classmethod]
    fn from_pyboolnet<'py>(cls: &Bound<'py, PyType>, primes: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        cls.py().import("starset._convert")?.call_method1("from_pyboolnet", (primes,))
    }

    /// A Boolean network as a graph of networkx: an edge with `sign=1` where a variable raises another, with `sign=-1` where it
    /// lowers it, without where it may do either or nothing; nodes with their `function` in the words of `.bnet`. What
    /// has edges to it and no function has an unknown one, and what has neither is an input.
    #[classmethod]
    fn from_networkx<'py>(cls: &Bound<'py, PyType>, graph: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        cls.py().import("starset._convert")?.call_method1("from_networkx", (graph,))
    }

    /// Of a logical network with asynchronous updates: what its functions depend on, each with the sign of the effect: 1 where the
    /// function rises, -1 where it falls, 0 where it does either.
    fn influences(&self, py: Python<'_>) -> PyResult<Vec<(String, String, i8)>> {
        self.model.influences().map_err(|error| exception(py, &error))
    }

    /// The influences as a `DiGraph` of networkx: edges with a `sign`, nodes with their `function` where it is known.
    fn to_networkx<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("starset._convert")?.call_method1("to_networkx", (slf,))
    }

    /// A net of SNAKES whose tokens are all black; nets with other tokens are refused.
    #[classmethod]
    fn from_snakes<'py>(cls: &Bound<'py, PyType>, net: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        cls.py().import("starset._convert")?.call_method1("from_snakes", (net,))
    }

    /// Its name.
    #[getter]
    fn name(&self) -> &str {
        self.model.name()
    }

    /// What kind of model it is: `net`, `network`, `machine` (with counters), `clocknet` (a net with clocks), `system` (behind a
    /// next-state function: DVE, ETF, B).
    #[getter]
    fn kind(&self) -> &'static str {
        self.model.kind().terms().model
    }

    /// The names of its variables: of the places of a net.
    #[getter]
    fn places(&self) -> Vec<&str> {
        self.model.variables().collect()
    }

    /// The names of its actions: of the transitions of a net.
    #[getter]
    fn transitions(&self) -> Vec<&str> {
        self.model.kind().action_ids().map(|action| self.model.kind().action(action)).collect()
    }

    /// The initial state.
    #[getter]
    fn initial(slf: &Bound<'_, Self>) -> State {
        State::new(slf.py(), slf.get().model.initial(), slf.as_unbound())
    }

    /// The final marking, if the net came with one.
    #[getter]
    fn final_marking(slf: &Bound<'_, Self>) -> Option<State> {
        slf.get().last.as_ref().map(|last| State::new(slf.py(), last.clone(), slf.as_unbound()))
    }

    /// The state in which variables have these values, and all others 0. It need not be reachable.
    ///
    /// >>> net = Net.family("philo", 5)
    /// >>> net.state({"Eat_0": 1})
    /// State(Eat_0)
    /// >>> net.state({"Eat_9": 1})
    /// Traceback (most recent call last):
    /// starset.errors.NoSuchName: unknown place `Eat_9`; did you mean `Eat_0`?
    fn state(slf: &Bound<'_, Self>, values: &Bound<'_, PyDict>) -> PyResult<State> {
        let values = self::values(values)?;
        let state = slf.get().model.state(values.iter().map(|(name, value)| (&**name, value)));
        let state = state.map_err(|error| exception(slf.py(), &error))?;
        Ok(State::new(slf.py(), state, slf.as_unbound()))
    }

    /// The same model with these limits for whatever is asked of it, unless a call says otherwise.
    ///
    /// >>> net = Net.family("philo", 5).with_limits(timeout=20, memory="500M", threads=1)
    /// >>> net.states()
    /// 243
    #[pyo3(signature = (*, timeout=None, memory=None, threads=None, progress=None))]
    fn with_limits(
        &self,
        py: Python<'_>,
        timeout: Option<f64>,
        memory: Given<'_>,
        threads: Option<usize>,
        progress: Given<'_>,
    ) -> PyResult<Net> {
        let limits = self.limits.of(py, timeout, memory.as_ref(), threads, progress.as_ref())?;
        Ok(Net { model: self.model.clone(), limits, last: self.last.clone() })
    }

    /// The same model, in whose formulas `%name` stands for a set of its states.
    ///
    /// >>> net = Net.family("philo", 5)
    /// >>> net = net.with_sets(stuck=net.deadlocks())
    /// >>> net.check("EF %stuck").value
    /// True
    #[pyo3(signature = (**sets))]
    fn with_sets(&self, py: Python<'_>, sets: Option<&Bound<'_, PyDict>>) -> PyResult<Net> {
        let mut model = self.model.clone();
        for (name, set) in sets.into_iter().flatten() {
            let (name, set): (String, Bound<'_, SatSet>) = (name.extract()?, set.cast_into()?);
            model = model.with_set(&name, &set.get().set).map_err(|error| exception(py, &error))?;
        }
        Ok(Net { model, limits: self.limits.clone(), last: self.last.clone() })
    }

    /// The same model, asked without some techniques (`starset help techniques` has the table): to measure what they bring, or
    /// to look for a fault. Verdicts stay the same, more of them unknown.
    ///
    /// >>> net = Net.family("philo", 5).without("structure", "walks")
    /// >>> net.check("EF deadlock").value
    /// True
    #[pyo3(signature = (*techniques))]
    fn without(&self, py: Python<'_>, techniques: Vec<String>) -> PyResult<Net> {
        let mut model = self.model.clone();
        for name in techniques {
            model = model.without(technique(py, &name)?);
        }
        Ok(Net { model, limits: self.limits.clone(), last: self.last.clone() })
    }

    /// Does a formula of CTL*, CTL or LTL hold in the initial state? With `certificate=True` the answer comes with a proof, if there
    /// is one in time; `witness=False` spares the search for a run that shows why.
    ///
    /// >>> net = Net.family("philo", 5)
    /// >>> net.check("AG EF #Eat_0 = 1")
    /// Verdict(false, 'AG EF #Eat_0 = 1')
    /// >>> net.check("AG #Fork_0 <= 1", certificate=True).certificate
    /// Certificate(true)
    /// >>> net.check("AG EF #Eat = 1")
    /// Traceback (most recent call last):
    /// starset.errors.FormulaError: column 8: unknown place `Eat`
    ///   AG EF #Eat = 1
    ///          ^
    ///
    /// `paths` is "maximal", "stutter", "infinite", or "finite": about runs that end in a deadlock or, with `final`, where that
    /// condition holds, with `N` for the weak next and the templates of Declare (`response(a, b)`). `engine` "auto", "symbolic" or "explicit"; `without` leaves out techniques
    /// by their names (`starset help techniques`); `seed` is for what is drawn by lot. With
    /// `shortest=True` the search for a short run goes on until it is proved that none is shorter.
    ///
    /// >>> net.check("AG EX true", paths="stutter", engine="explicit", without=["stubborn"]).value
    /// True
    ///
    /// >>> net.check("F (#Eat_1 = 1 & N false)", paths="finite", final="#Eat_0 = 1 | #Eat_1 = 1").value
    /// False
    ///
    /// Quantifiers range over the paths that satisfy all assumptions in `fair`: `justice F`, `compassion P, Q`, `weak-fair t`,
    /// `strong-fair all`.
    ///
    /// >>> net.check("AG EF #Eat_0 = 1", fair=["justice !deadlock"]).value
    /// True
    ///
    /// >>> net.check("EF deadlock", engine="symbolic", without=["fusion"], seed=3, shortest=True).witness[0].shortest
    /// True
    #[pyo3(signature = (formula, *, witness=true, certificate=false, paths=None, r#final=None, fair=Vec::new(), engine="auto", without=Vec::new(), seed=0, shortest=false, timeout=None, memory=None, threads=None, progress=None))]
    #[expect(clippy::too_many_arguments, reason = "arguments by name")]
    fn check(
        slf: &Bound<'_, Self>,
        formula: &str,
        witness: bool,
        certificate: bool,
        paths: Option<&str>,
        r#final: Option<&str>,
        fair: Vec<String>,
        engine: &str,
        without: Vec<String>,
        seed: u64,
        shortest: bool,
        timeout: Option<f64>,
        memory: Given<'_>,
        threads: Option<usize>,
        progress: Given<'_>,
    ) -> PyResult<Verdict> {
        let (py, net) = (slf.py(), slf.get());
        let limits = net.limits.of(py, timeout, memory.as_ref(), threads, progress.as_ref())?;
        let model = asked_so(py, &net.model, (paths, r#final), (engine, &without), (seed, shortest))?;
        let found = limits.work(py, &model, |model| {
            let model = model.clone().with_fairness(&fair)?;
            let verdict = model.clone().with_witnesses(witness).check(formula)?;
            let proof = match verdict.verdict() {
                Some(holds) if certificate => Some(model.certify(formula, holds)),
                _ => None,
            };
            match proof {
                // These say that the verdict is wrong, or the proof.
                Some(Err(error @ Error::Uncertified(Uncertified::NotProved | Uncertified::Refused(_)))) => {
                    Err(Error::SelfCheck(error.to_string()))
                }
                proof => Ok((verdict, proof.and_then(Result::ok))),
            }
        });
        let (verdict, proof) = found?;
        let certificate = proof.map(|certificate| Py::new(py, Certificate { certificate })).transpose()?;
        Ok(Verdict { verdict, certificate, net: slf.clone().unbind() })
    }

    /// Do formulas hold in the initial state? They are decided together, which is faster than one by one.
    ///
    /// >>> Net.family("philo", 5).check_all(["EF deadlock", "AG EF #Eat_0 = 1"])
    /// [Verdict(true, 'EF deadlock'), Verdict(false, 'AG EF #Eat_0 = 1')]
    ///
    /// `paths`, `final` and `fair` are those of `check`.
    ///
    /// >>> Net.family("philo", 5).check_all(["AG EF #Eat_0 = 1"], fair=["justice !deadlock"])
    /// [Verdict(true, 'AG EF #Eat_0 = 1')]
    #[pyo3(signature = (formulas, *, witness=false, paths=None, r#final=None, fair=Vec::new(), timeout=None, memory=None, threads=None, progress=None))]
    #[expect(clippy::too_many_arguments, reason = "arguments by name")]
    fn check_all(
        slf: &Bound<'_, Self>,
        formulas: Vec<String>,
        witness: bool,
        paths: Option<&str>,
        r#final: Option<&str>,
        fair: Vec<String>,
        timeout: Option<f64>,
        memory: Given<'_>,
        threads: Option<usize>,
        progress: Given<'_>,
    ) -> PyResult<Vec<Verdict>> {
        let (py, net) = (slf.py(), slf.get());
        let limits = net.limits.of(py, timeout, memory.as_ref(), threads, progress.as_ref())?;
        let formulas: Vec<&str> = formulas.iter().map(String::as_str).collect();
        let model = about(py, net.model.clone(), (paths, r#final))?;
        let found = limits.work(py, &model, |model| {
            model.clone().with_fairness(&fair)?.with_witnesses(witness).check_all(&formulas)
        })?;
        Ok(found.into_iter().map(|verdict| Verdict { verdict, certificate: None, net: slf.clone().unbind() }).collect())
    }

    /// A proof that a formula holds or not, which an independent checker has accepted; `NoCertificate` is raised if there is
    /// none.
    #[pyo3(signature = (formula, *, timeout=None, memory=None, threads=None, progress=None))]
    fn certify(
        &self,
        py: Python<'_>,
        formula: &str,
        timeout: Option<f64>,
        memory: Given<'_>,
        threads: Option<usize>,
        progress: Given<'_>,
    ) -> PyResult<Certificate> {
        let limits = self.limits.of(py, timeout, memory.as_ref(), threads, progress.as_ref())?;
        let certificate = limits.work(py, &self.model, |model| {
            let verdict = model.clone().with_witnesses(false).check(formula)?;
            match (verdict.verdict(), verdict.reason()) {
                (Some(verdict), _) => model.certify(formula, verdict),
                (None, Some(stop)) => Err(stop.clone().into()),
                (None, None) => Err(Error::SelfCheck("there was no answer".to_owned())),
            }
        })?;
        Ok(Certificate { certificate })
    }

    /// The formulas in a file, by their identifiers: properties of the Model Checking Contest, or a formula on each line.
    fn formulas<'py>(&self, py: Python<'py>, path: PathBuf) -> PyResult<Bound<'py, PyDict>> {
        let formulas = py.detach(|| self.model.formulas(path)).map_err(|error| exception(py, &error))?;
        let dict = PyDict::new(py);
        formulas.into_iter().try_for_each(|(id, formula)| dict.set_item(id, formula))?;
        Ok(dict)
    }

    /// How many states are reachable, exactly.
    ///
    /// >>> Net.family("philo", 50).states()
    /// 717897987691852588770249
    #[pyo3(signature = (*, timeout=None, memory=None, threads=None, progress=None))]
    fn states<'py>(
        &self,
        py: Python<'py>,
        timeout: Option<f64>,
        memory: Given<'_>,
        threads: Option<usize>,
        progress: Given<'_>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let limits = self.limits.of(py, timeout, memory.as_ref(), threads, progress.as_ref())?;
        number(py, &limits.work(py, &self.model, Model::states)?)
    }

    /// The greatest number of tokens in these places together, in any reachable state; `None` if there is no greatest.
    ///
    /// >>> Net.family("kanban", 5).bound(["Pm1", "Pback1"])
    /// 5
    /// >>> print(Net.from_edges([("p", "t"), ("t", "p"), ("t", "q")], {"p": 1}).bound(["q"]))
    /// None
    #[pyo3(signature = (places, *, timeout=None, memory=None, threads=None, progress=None))]
    fn bound<'py>(
        &self,
        py: Python<'py>,
        places: Vec<String>,
        timeout: Option<f64>,
        memory: Given<'_>,
        threads: Option<usize>,
        progress: Given<'_>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let limits = self.limits.of(py, timeout, memory.as_ref(), threads, progress.as_ref())?;
        let places: Vec<&str> = places.iter().map(String::as_str).collect();
        let bound = limits.work(py, &self.model, |model| model.bound(&places))?;
        bound.map(|bound| number(py, &bound)).transpose()
    }

    /// The least number of steps from a reachable state of one formula to one of another; `None` if there is no way. Only states
    /// count where a path begins that does (`paths`, `fair` as in `check`).
    ///
    /// >>> net = Net.from_edges([("a", "t"), ("t", "b"), ("b", "u"), ("u", "c")], {"a": 1})
    /// >>> net.shortest("a = 1", "c = 1"), net.shortest("c = 1", "a = 1")
    /// (2, None)
    #[pyo3(signature = (source, target, *, paths=None, fair=Vec::new(), timeout=None, memory=None, threads=None, progress=None))]
    #[expect(clippy::too_many_arguments, reason = "arguments by name")]
    fn shortest<'py>(
        &self,
        py: Python<'py>,
        source: &str,
        target: &str,
        paths: Option<&str>,
        fair: Vec<String>,
        timeout: Option<f64>,
        memory: Given<'_>,
        threads: Option<usize>,
        progress: Given<'_>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let limits = self.limits.of(py, timeout, memory.as_ref(), threads, progress.as_ref())?;
        let model = about(py, self.model.clone(), (paths, None))?;
        let steps = limits.work(py, &model, |model| model.clone().with_fairness(&fair)?.shortest(source, target))?;
        steps.map(|steps| number(py, &steps)).transpose()
    }

    /// The greatest number of steps from a reachable state of one formula before one of another is met; `None` if it may never
    /// be. Where no state satisfies one of the two there is none, and `Unknown` is raised.
    ///
    /// >>> net = Net.from_edges([("a", "t"), ("t", "b"), ("b", "u"), ("u", "c")], {"a": 1})
    /// >>> net.longest("a = 1", "c = 1"), net.longest("c = 1", "a = 1")
    /// (2, None)
    #[pyo3(signature = (source, target, *, paths=None, fair=Vec::new(), timeout=None, memory=None, threads=None, progress=None))]
    #[expect(clippy::too_many_arguments, reason = "arguments by name")]
    fn longest<'py>(
        &self,
        py: Python<'py>,
        source: &str,
        target: &str,
        paths: Option<&str>,
        fair: Vec<String>,
        timeout: Option<f64>,
        memory: Given<'_>,
        threads: Option<usize>,
        progress: Given<'_>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let limits = self.limits.of(py, timeout, memory.as_ref(), threads, progress.as_ref())?;
        let model = about(py, self.model.clone(), (paths, None))?;
        let steps = limits.work(py, &model, |model| model.clone().with_fairness(&fair)?.longest(source, target))?;
        steps.map(|steps| number(py, &steps)).transpose()
    }

    /// The set of all reachable states.
    #[pyo3(signature = (*, timeout=None, memory=None, threads=None, progress=None))]
    fn reachable(
        slf: &Bound<'_, Self>,
        timeout: Option<f64>,
        memory: Given<'_>,
        threads: Option<usize>,
        progress: Given<'_>,
    ) -> PyResult<SatSet> {
        let limits = slf.get().limits.of(slf.py(), timeout, memory.as_ref(), threads, progress.as_ref())?;
        SatSet::of(slf, &limits, Model::reachable)
    }

    /// The reachable states that satisfy a formula; a formula of LTL is to hold of all paths from there.
    ///
    /// >>> net = Net.family("philo", 5)
    /// >>> never = ~net.satset("EF #Eat_0 = 1")
    /// >>> len(never), never == net.deadlocks()
    /// (2, True)
    #[pyo3(signature = (formula, *, paths=None, r#final=None, fair=Vec::new(), seed=0, timeout=None, memory=None, threads=None, progress=None))]
    #[expect(clippy::too_many_arguments, reason = "arguments by name")]
    fn satset(
        slf: &Bound<'_, Self>,
        formula: &str,
        paths: Option<&str>,
        r#final: Option<&str>,
        fair: Vec<String>,
        seed: u64,
        timeout: Option<f64>,
        memory: Given<'_>,
        threads: Option<usize>,
        progress: Given<'_>,
    ) -> PyResult<SatSet> {
        let limits = slf.get().limits.of(slf.py(), timeout, memory.as_ref(), threads, progress.as_ref())?;
        let paths = finite_or(slf.py(), paths, r#final)?;
        let of = |model: &Model| {
            let settings = Settings { seed, ..Settings::default() };
            let model = model.clone().with_settings(settings);
            let model = match paths {
                Paths::Whole(paths) => paths.map_or(model.clone(), |paths| model.with_paths(paths)),
                Paths::Finite => model.with_finite_runs(r#final)?,
            };
            model.with_fairness(&fair)?.satset(formula)
        };
        SatSet::of(slf, &limits, of)
    }

    /// The reachable states in which nothing is possible.
    #[pyo3(signature = (*, timeout=None, memory=None, threads=None, progress=None))]
    fn deadlocks(
        slf: &Bound<'_, Self>,
        timeout: Option<f64>,
        memory: Given<'_>,
        threads: Option<usize>,
        progress: Given<'_>,
    ) -> PyResult<SatSet> {
        let limits = slf.get().limits.of(slf.py(), timeout, memory.as_ref(), threads, progress.as_ref())?;
        SatSet::of(slf, &limits, Model::deadlocks)
    }

    /// A set that `SatSet.save` or the program has saved.
    #[pyo3(signature = (path, *, timeout=None, memory=None, threads=None, progress=None))]
    fn load_set(
        slf: &Bound<'_, Self>,
        path: PathBuf,
        timeout: Option<f64>,
        memory: Given<'_>,
        threads: Option<usize>,
        progress: Given<'_>,
    ) -> PyResult<SatSet> {
        let limits = slf.get().limits.of(slf.py(), timeout, memory.as_ref(), threads, progress.as_ref())?;
        SatSet::of(slf, &limits, |model| model.load_set(path))
    }

    /// The graph of the reachable states, of which there are at most `limit`.
    ///
    /// >>> graph = Net.family("philo", 2).reachability_graph()
    /// >>> len(graph), len(graph.edges)
    /// (9, 14)
    #[pyo3(signature = (limit=10_000, *, timeout=None, memory=None, threads=None, progress=None))]
    fn reachability_graph(
        slf: &Bound<'_, Self>,
        limit: usize,
        timeout: Option<f64>,
        memory: Given<'_>,
        threads: Option<usize>,
        progress: Given<'_>,
    ) -> PyResult<StateGraph> {
        let (py, net) = (slf.py(), slf.get());
        let limits = net.limits.of(py, timeout, memory.as_ref(), threads, progress.as_ref())?;
        let graph = limits.work(py, &net.model, |model| model.graph(limit))?;
        Ok(StateGraph { graph, net: slf.clone().unbind() })
    }

    /// Is a workflow net sound? It has one place without input, in which its only token is at first, and one without output.
    /// Of a diagram of BPMN the notions are those of docs/processes.md, as a `ProcessSoundness`.
    ///
    /// >>> net = Net.from_edges([("start", "a"), ("a", "end")], {"start": 1})
    /// >>> net.soundness()
    /// Soundness(classical=True, weak=True, relaxed=True, lazy=True, fair=True)
    #[pyo3(signature = (*, timeout=None, memory=None, threads=None, progress=None))]
    fn soundness(
        slf: &Bound<'_, Self>,
        timeout: Option<f64>,
        memory: Given<'_>,
        threads: Option<usize>,
        progress: Given<'_>,
    ) -> PyResult<Py<PyAny>> {
        let (py, net) = (slf.py(), slf.get());
        let limits = net.limits.of(py, timeout, memory.as_ref(), threads, progress.as_ref())?;
        if net.model.is_process() {
            let soundness = limits.work(py, &net.model, Model::process_soundness)?;
            return Ok(Py::new(py, ProcessSoundness { soundness })?.into_any());
        }
        let soundness =
            Soundness { soundness: limits.work(py, &net.model, Model::soundness)?, net: slf.clone().unbind() };
        Ok(Py::new(py, soundness)?.into_any())
    }

    /// Soundness of a diagram of BPMN with the durations of its timers, and when each step can happen, as
    /// `starset soundness --timers --json` prints it.
    #[pyo3(signature = (*, timeout=None, memory=None))]
    fn times<'py>(&self, py: Python<'py>, timeout: Option<f64>, memory: Given<'_>) -> PyResult<Bound<'py, PyAny>> {
        let limits = self.limits.of(py, timeout, memory.as_ref(), None, None)?;
        object(py, &limits.work(py, &self.model, Model::process_times)?)
    }

    /// Do the complete runs of a diagram of BPMN, or a net, keep the rules in a file? As `starset rules --json` prints it.
    #[pyo3(signature = (path, *, timeout=None, memory=None))]
    fn rules<'py>(
        &self,
        py: Python<'py>,
        path: PathBuf,
        timeout: Option<f64>,
        memory: Given<'_>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let limits = self.limits.of(py, timeout, memory.as_ref(), None, None)?;
        object(py, &limits.work(py, &self.model, |model| model.rules(&path))?)
    }

    /// Which traces of an event log (a file, XES or CSV) does a diagram of BPMN, or a net, have; where do others first
    /// leave it; which rules of a file do they break? As `starset replay --json` prints it.
    #[pyo3(signature = (log, rules=None, *, timeout=None, memory=None))]
    fn replay<'py>(
        &self,
        py: Python<'py>,
        log: PathBuf,
        rules: Option<PathBuf>,
        timeout: Option<f64>,
        memory: Given<'_>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let limits = self.limits.of(py, timeout, memory.as_ref(), None, None)?;
        object(py, &limits.work(py, &self.model, |model| model.replay(&log, rules.as_deref()))?)
    }

    /// The attractors: sets of states that no step leaves and within which each state leads to every other. All are counted,
    /// and the first `limit` listed; `basins` asks for the sets from which each of these can be reached, `trap_spaces` for the
    /// values that stay around it.
    ///
    /// >>> Net.from_edges([("p", "t"), ("t", "q")], {"p": 1}).attractors()
    /// Attractors(1 attractor, 1 listed)
    #[pyo3(signature = (limit=100, *, basins=false, trap_spaces=false, timeout=None, memory=None, threads=None, progress=None))]
    #[expect(clippy::too_many_arguments, reason = "arguments by name")]
    fn attractors(
        slf: &Bound<'_, Self>,
        limit: usize,
        basins: bool,
        trap_spaces: bool,
        timeout: Option<f64>,
        memory: Given<'_>,
        threads: Option<usize>,
        progress: Given<'_>,
    ) -> PyResult<Attractors> {
        let (py, net) = (slf.py(), slf.get());
        let limits = net.limits.of(py, timeout, memory.as_ref(), threads, progress.as_ref())?;
        let (found, parts) = limits.work(py, &net.model, |within| {
            let found = within.attractors()?;
            let part = |one: starset::Attractor| {
                // What is kept has none of the limits of this call.
                let kept = |set: starset::SatSet| set.within(&net.model);
                let both = || Ok::<_, Error>([kept(one.weak_basin()?)?, kept(one.strong_basin()?)?]);
                let sets = if basins { Some(both()?) } else { None };
                let fixed = if trap_spaces { Some(one.trap_space()?) } else { None };
                Ok((one.shape, kept(one.states.clone())?, sets, fixed))
            };
            let parts = found.list(limit)?.into_iter().map(part).collect::<Result<Vec<_>, Error>>()?;
            Ok((found, parts))
        })?;
        Attractors::new(slf, found, parts)
    }

    /// The model in a form of file: `pnml`, `net` (TINA), `lola`, `dot`, `aut`, `etf`, `counters`, `pnwc`, `tck`, `bnet`
    /// (for other packages about Boolean networks), as far as it suits the model.
    ///
    /// >>> Net.from_edges([("p", "t")], {"p": 1}).to_text("lola").split()[:2]
    /// ['PLACE', 'p;']
    #[pyo3(signature = (form="pnml", *, timeout=None, memory=None))]
    fn to_text(&self, py: Python<'_>, form: &str, timeout: Option<f64>, memory: Given<'_>) -> PyResult<String> {
        let limits = self.limits.of(py, timeout, memory.as_ref(), None, None)?;
        let text = limits.budgeted(py, |budget| {
            let mut text = Vec::new();
            write(self.model.kind(), form, &Writing::default(), budget, &mut text)?;
            Ok(text)
        })?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    }

    /// A picture of the net as SVG; of a large one the part nearest to the tokens.
    fn svg(&self) -> String {
        self.model.svg()
    }

    fn _repr_svg_(&self) -> String {
        self.svg()
    }

    /// The net as a game: a widget for notebooks, in which transitions are fired by a click.
    fn play<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("starset.widget")?.call_method1("TokenGame", (slf,))
    }

    fn __repr__(&self) -> String {
        let sizes = in_words(&self.model.kind().sizes());
        match self.kind() {
            "net" => format!("Net({}, {sizes})", crate::quoted(self.name())),
            kind => format!("Net({}, {kind}: {sizes})", crate::quoted(self.name())),
        }
    }
}
