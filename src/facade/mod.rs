//! The simple case: a model from a file, a formula as text, an answer or a set of states.
//!
//! Everything here is owned and may go from thread to thread: no callback, pool or lifetime, and no thought about
//! stacks. A [`Model`] is a handle, cheap to clone; its reachable set is computed when it is first needed and kept, so
//! that all [`SatSet`]s of it can be combined and a second one is cheap. Sets and states of different models do not go
//! together, which is [`Error::OtherModel`]. Limits are set on the model ([`Model::with_time`], [`Model::with_budget`],
//! [`Model::with_poll`]) and hold for each operation on it and on its sets; the rest is as the program does it by
//! default. Who wants more uses [`crate::decide`].

mod attractors;
mod certificate;
mod error;
mod faults;
mod graph;
mod limits;
mod picture;
mod processes;
mod run;
mod set;
mod soundness;
mod source;
mod state;
mod verdict;
mod watch;
mod within;

pub use attractors::{Attractor, Attractors};
pub use certificate::Certificate;
pub use error::Error;
pub use graph::StateGraph;
pub use processes::ProcessSoundness;
pub use run::NamedRun;
pub use set::{SatSet, States};
pub use soundness::Soundness;
pub use state::NamedState;
pub use verdict::Verdict;
pub use watch::{Doing, Watch};

use crate::automaton::TranslationError;
use crate::budget::Budget;
use crate::decide::{
    HybridError, NotFinite, Progress, Question, Recorded, Recorder, Request, Settings, StateSpace, Statistic, Subject,
    Value, decide, explore, hybrid, is_hybrid, sat_in,
};
use crate::formula::{
    Extreme, FormulaId, PathSemantics, Pool, PropertyQuestion, Symbols, parse, parse_finite, read_finite_property_file,
    read_property_file,
};
use crate::kinds::{self, Kind, Loaded, Reading, Saved, TimedQuestion};
use crate::model::VariableId;
use crate::report::witness::Names;
use crate::stop_reason::StopReason;
use crate::symbolic::Route;
use faults::faultless;
use limits::Limits;
use num_bigint::BigUint;
use source::Source;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use watch::Told;

/// Why there is no longest way.
const NO_LONGEST: &str =
    "no reachable state satisfies one of the two formulas, so that there is no longest way between them";

/// A model of any kind, with limits for what is asked of it. Cloning it is cheap; clones share what has been computed.
///
/// ```
/// use starset::Model;
/// let model = Model::read("models/philo-5.pnml")?;
/// assert_eq!(model.states()?.to_string(), "243");
/// assert_eq!(model.check("AG #Fork_0 <= 1")?.verdict(), Some(true));
/// let answer = model.check("AG !deadlock")?;
/// assert_eq!(answer.verdict(), Some(false));
/// assert!(answer.witness().is_some_and(|run| run.contains("deadlock")));
/// // From these markings somebody can eat, but the first philosopher never will.
/// let never = (!&model.satset("EF #Eat_0 = 1")?)?;
/// assert_eq!(never.len()?.to_string(), "2");
/// assert_eq!(never, model.deadlocks()?);
/// # Ok::<(), starset::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Model {
    shared: Arc<Shared>,
    limits: Limits,
}

/// The common data of the clones of a model.
#[derive(Debug)]
struct Shared {
    loaded: Loaded,
    /// The file that it was read from, if it was one.
    source: Option<Source>,
    /// The reachable states, once somebody has computed them.
    space: OnceLock<Arc<StateSpace>>,
}

impl Model {
    /// Read a model: whatever [`kinds::read`] reads, by the name of the file.
    ///
    /// # Errors
    /// The fault of the file, its place, and the remedy.
    pub fn read(path: impl AsRef<Path>) -> Result<Model, Error> {
        Model::read_with(&[path.as_ref()], &Reading::default(), &Budget::unlimited())
    }

    /// Read a model from several files (the components of a network) or otherwise than by default, within a budget. The
    /// budget is that of reading alone.
    ///
    /// ```
    /// use starset::Model;
    /// use starset::budget::Budget;
    /// use starset::kinds::Reading;
    /// let files = ["models/sender.aut", "models/receiver.aut"];
    /// let network = Model::read_with(&files, &Reading::default(), &Budget::unlimited())?;
    /// assert_eq!(network.variables().collect::<Vec<_>>(), ["sender", "receiver"]);
    /// # Ok::<(), starset::Error>(())
    /// ```
    ///
    /// # Errors
    /// The fault of the files, its place, and the remedy; when the budget is used up.
    pub fn read_with(paths: &[impl AsRef<Path>], reading: &Reading, budget: &Budget) -> Result<Model, Error> {
        let paths: Vec<PathBuf> = paths.iter().map(|path| path.as_ref().to_owned()).collect();
        let source = if let [path] = &paths[..] { Some(Source::of(path)) } else { None };
        let loaded = kinds::read(&paths, reading, budget)?;
        Ok(Model::from_loaded(loaded, source))
    }

    /// A model that was built rather than read. Formulas may use the display names of a net.
    ///
    /// ```
    /// use starset::Model;
    /// use starset::net::NetBuilder;
    /// let mut b = NetBuilder::new("buffer");
    /// let (free, full) = (b.place("free", 3)?, b.place("full", 0)?);
    /// let put = b.transition("put")?;
    /// b.input(free, put, 1)?;
    /// b.output(put, full, 1)?;
    /// assert_eq!(Model::new(b.build()?).states()?.to_string(), "4");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(model: impl Kind + 'static) -> Model {
        let mut loaded = Loaded::new(model);
        if let Some(net) = loaded.model.as_net() {
            loaded.symbols = Symbols::new(net);
        }
        Model::from_loaded(loaded, None)
    }

    fn from_loaded(loaded: Loaded, source: Option<Source>) -> Model {
        Model { shared: Arc::new(Shared { loaded, source, space: OnceLock::new() }), limits: Limits::default() }
    }

    /// The model itself, for the rest of the library.
    ///
    /// ```
    /// use starset::kinds::in_words;
    /// let model = starset::Model::read("models/philo-5.pnml")?;
    /// assert_eq!(in_words(&model.kind().sizes()), "25 places, 25 transitions, 80 arcs");
    /// # Ok::<(), starset::Error>(())
    /// ```
    pub fn kind(&self) -> &dyn Kind {
        &*self.shared.loaded.model
    }

    /// Its name.
    ///
    /// ```
    /// let model = starset::Model::read("models/philo-5.pnml")?;
    /// assert_eq!(model.name(), "Philosophers-PT-000005");
    /// # Ok::<(), starset::Error>(())
    /// ```
    pub fn name(&self) -> &str {
        self.kind().name()
    }

    /// What was left out of its files, or is taken otherwise than it may be meant: `file:line: …`. What comes up later, while
    /// states are explored, [`Reading::warn`] hears.
    ///
    /// ```
    /// let model = starset::Model::read("models/order.bpmn")?;
    /// assert_eq!(model.remarks(), ["models/order.bpmn:17: timer `late` may go off at any time"]);
    /// # Ok::<(), starset::Error>(())
    /// ```
    pub fn remarks(&self) -> &[String] {
        &self.shared.loaded.remarks
    }

    /// The names of its variables: of the places of a net, of the components of a network.
    ///
    /// ```
    /// let model = starset::Model::read("models/buffer.counters")?;
    /// assert_eq!(model.variables().collect::<Vec<_>>(), ["consumer", "free", "full"]);
    /// # Ok::<(), starset::Error>(())
    /// ```
    pub fn variables(&self) -> impl Iterator<Item = &str> {
        self.kind().variable_ids().map(|variable| self.kind().variable(variable))
    }

    /// The initial state.
    ///
    /// ```
    /// let model = starset::Model::read("models/buffer.counters")?;
    /// assert_eq!(model.initial().to_string(), "consumer=resting free=3");
    /// # Ok::<(), starset::Error>(())
    /// ```
    pub fn initial(&self) -> NamedState {
        NamedState::new(self, self.kind().initial())
    }

    /// The state in which variables have these values, by name: numbers, or names of values; those that are not
    /// mentioned are 0. It need not be reachable.
    ///
    /// ```
    /// let model = starset::Model::read("models/buffer.counters")?;
    /// let state = model.state([("consumer", "gone"), ("full", "3")])?;
    /// assert_eq!(state.to_string(), "consumer=gone full=3");
    /// assert!(model.deadlocks()?.contains(&state)?);
    /// assert!(model.state([("ful", 3)]).unwrap_err().to_string().contains("did you mean `full`?"));
    /// # Ok::<(), starset::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Name`] for a name that is not one of the model, [`Error::Value`] for a value that a variable cannot have.
    pub fn state<'n, V: ToString>(&self, values: impl IntoIterator<Item = (&'n str, V)>) -> Result<NamedState, Error> {
        NamedState::of_names(self, values)
    }

    /// Does a formula hold in the initial state? Its paths are those of its logic: docs/semantics.md.
    ///
    /// # Errors
    /// When the text is no formula about this model; [`Error::SelfCheck`] when an error of the program has been found
    /// out, though some way may know the answer.
    pub fn check(&self, formula: &str) -> Result<Verdict, Error> {
        let nothing = || StopReason::Unsupported("nothing was answered").into();
        self.check_all(&[formula])?.pop().ok_or_else(nothing)
    }

    /// Do formulas hold in the initial state? They are decided together, which is faster than one by one.
    ///
    /// ```
    /// let model = starset::Model::read("models/philo-5.pnml")?;
    /// let answers = model.check_all(&["EF deadlock", "AG EF #Eat_0 = 1"])?;
    /// assert_eq!([answers[0].verdict(), answers[1].verdict()], [Some(true), Some(false)]);
    /// # Ok::<(), starset::Error>(())
    /// ```
    ///
    /// # Errors
    /// When one of the texts is no formula about this model; [`Error::SelfCheck`] as for [`Model::check`].
    pub fn check_all(&self, formulas: &[&str]) -> Result<Vec<Verdict>, Error> {
        if self.kind().tick().is_some() && self.limits.finite.is_none() {
            return self.check_each_in_its_unit(formulas);
        }
        self.check_together(formulas)
    }

    /// Formulas about a model in which time passes: what is said of one does not depend on the others.
    fn check_each_in_its_unit(&self, formulas: &[&str]) -> Result<Vec<Verdict>, Error> {
        let mut units: Vec<(Model, Vec<usize>)> = Vec::new();
        for (number, &formula) in formulas.iter().enumerate() {
            let model = self.in_unit_of(formula)?;
            let parts = |model: &Model| {
                let clocks = model.kind().variable_ids().filter_map(|variable| model.kind().unit(variable));
                clocks.map(|unit| (unit.parts, unit.most)).collect::<Vec<_>>()
            };
            match units.iter_mut().find(|(other, _)| parts(other) == parts(&model)) {
                Some((_, members)) => members.push(number),
                None => units.push((model, vec![number])),
            }
        }
        let mut verdicts: Vec<Option<Verdict>> = formulas.iter().map(|_| None).collect();
        for (model, numbers) in units {
            let mine: Vec<&str> = numbers.iter().map(|&number| formulas[number]).collect();
            for (number, verdict) in numbers.into_iter().zip(model.check_together(&mine)?) {
                verdicts[number] = Some(verdict);
            }
        }
        Ok(verdicts.into_iter().flatten().collect())
    }

    fn check_together(&self, formulas: &[&str]) -> Result<Vec<Verdict>, Error> {
        let (mut pool, symbols) = (Pool::new(), &self.shared.loaded.symbols);
        let (mut asked, mut about) = (Vec::new(), Vec::new());
        for &text in formulas {
            let question = self.question(text, &mut pool)?;
            let paths = match question {
                Question::Formula { paths, .. } => paths,
                _ => PathSemantics::Stutter,
            };
            about.push((text, paths, self.limits.finite.is_some()));
            asked.push(Request { question, set: false, witness: self.limits.witnesses });
        }
        // Is there a path that counts? That is asked once for each semantics of paths.
        let mut whether: Vec<PathSemantics> = Vec::new();
        if let Some(some) = self.some_path(&mut pool)? {
            whether.extend(about.iter().map(|&(_, paths, _)| paths));
            whether.sort_unstable();
            whether.dedup();
            asked.extend(
                whether.iter().map(|&paths| Question::formula(&mut pool, some, paths, Route::Fixpoints).into()),
            );
        }
        let mut heard = self.ask(&pool, &asked);
        faultless(&heard, |question| match formulas.get(question) {
            Some(formula) => format!("`{formula}`"),
            None => "whether there is a path that counts".to_owned(),
        })?;
        let some: Vec<Option<Value>> =
            heard.split_off(formulas.len()).into_iter().map(|heard| heard.answer.map(|answer| answer.value)).collect();
        let names = Names { model: self.kind(), pool: &pool, symbols };
        let verdict = |(heard, about): (Recorded, (&str, PathSemantics, bool))| {
            let place = whether.binary_search(&about.1).ok();
            let vacuous = place.and_then(|place| match some[place] {
                Some(Value::Verdict(some)) => Some(!some),
                _ => None,
            });
            Verdict::new(heard, names, self, about, vacuous)
        };
        Ok(heard.into_iter().zip(about).map(verdict).collect())
    }

    /// That a path begins which counts, where not all do: a fair one, or a finite run.
    fn some_path(&self, pool: &mut Pool) -> Result<Option<FormulaId>, Error> {
        if self.limits.finite.is_some() {
            let last = self.last(pool)?;
            return Ok(Some(pool.some_finite_run(last)));
        }
        let fairness = self.fairness(pool)?;
        Ok((!fairness.is_empty()).then(|| pool.some_fair_path(&fairness)))
    }

    /// The formulas in a file, each with its identifier: properties of the Model Checking Contest, or a formula on each
    /// line.
    ///
    /// ```
    /// let model = starset::Model::read("models/philo-5.pnml")?;
    /// let file = std::env::temp_dir().join(format!("starset-{}.ctl", std::process::id()));
    /// std::fs::write(&file, "safe: AG #Fork_0 <= 1").unwrap();
    /// assert_eq!(model.formulas(&file)?, [("safe".to_owned(), "A G (#Fork_0 <= 1)".to_owned())]);
    /// # std::fs::remove_file(&file).unwrap();
    /// # Ok::<(), starset::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Properties`], [`Error::Property`] or [`Error::NoFormula`] when the file is none of formulas about this model,
    /// [`Error::Assumes`] when the formulas are about some paths only.
    pub fn formulas(&self, path: impl AsRef<Path>) -> Result<Vec<(String, String)>, Error> {
        let (mut pool, symbols) = (Pool::new(), &self.shared.loaded.symbols);
        let mut formulas = Vec::new();
        let read = if self.limits.finite.is_some() { read_finite_property_file } else { read_property_file };
        for property in read(path.as_ref(), symbols, &mut pool)? {
            if !property.assumptions.is_empty() {
                return Err(Error::Assumes { file: path.as_ref().display().to_string() });
            }
            let formula = match property.query {
                PropertyQuestion::Formula(formula) => formula,
                PropertyQuestion::Bound(_) | PropertyQuestion::Steps(_) => {
                    return Err(Error::NoFormula { file: path.as_ref().display().to_string(), id: property.id });
                }
                PropertyQuestion::Refused(error) => return Err((*error).into()),
            };
            formulas.push((property.id, pool.display(formula, symbols).to_string()));
        }
        Ok(formulas)
    }

    /// How many states are reachable, by whatever way is the first to count them.
    ///
    /// # Errors
    /// [`Error::Unknown`] when the budget is used up, or there are infinitely many.
    pub fn states(&self) -> Result<BigUint, Error> {
        if let Some(space) = self.shared.space.get() {
            return Ok(self.run(|budget| space.meant_states(budget))?);
        }
        let infinite = || StopReason::Unsupported("there are infinitely many reachable states").into();
        self.number(&Pool::new(), Question::Statistic(Statistic::States))?.ok_or_else(infinite)
    }

    /// The greatest sum of these variables in a reachable state; `None` if there is no greatest. A name may be that of
    /// a place of a coloured net, which stands for all its tokens.
    ///
    /// ```
    /// let model = starset::Model::read("models/buffer.counters")?;
    /// assert_eq!(model.bound(&["full"])?, Some(3u32.into()));
    /// assert_eq!(model.bound(&["free", "full"])?, Some(3u32.into()));
    /// # Ok::<(), starset::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Name`] for a name that is not one of the model, [`Error::Value`] for a variable whose values are no
    /// counts, [`Error::Unknown`] when the budget is used up.
    pub fn bound(&self, variables: &[&str]) -> Result<Option<BigUint>, Error> {
        let symbols = &self.shared.loaded.symbols;
        let mut sum: Vec<VariableId> = Vec::new();
        for name in variables {
            let found = symbols.place(name)?;
            if found.iter().any(|&variable| symbols.has_named_values(variable) || self.kind().least(variable) != 0) {
                return Err(Error::Value { variable: (*name).to_owned(), value: "a count".to_owned() });
            }
            sum.extend(found);
        }
        self.number(&Pool::new(), Question::Bound(sum))
    }

    /// The least number of steps from a reachable state of one formula to one of another; `None` if there is no way. Only states
    /// count where a path begins that does ([`Model::with_fairness`], [`Model::with_paths`]).
    ///
    /// ```
    /// let model = starset::Model::read("models/philo-5.pnml")?;
    /// assert_eq!(model.shortest("#Eat_0 = 1", "deadlock")?, Some(3u32.into()));
    /// assert_eq!(model.shortest("deadlock", "#Eat_0 = 1")?, None);
    /// assert_eq!(model.longest("#Eat_0 = 1", "#Eat_1 = 1")?, None);
    /// # Ok::<(), starset::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Formula`] when a text is no formula about this model, [`Error::Unknown`] when the budget is used up.
    pub fn shortest(&self, from: &str, to: &str) -> Result<Option<BigUint>, Error> {
        self.distance(from, to, false)
    }

    /// The greatest number of steps from a reachable state of one formula before one of another is met; `None` if it may never be.
    ///
    /// # Errors
    /// As [`Model::shortest`]; [`Error::Unknown`] also where no reachable state satisfies one of the two.
    pub fn longest(&self, from: &str, to: &str) -> Result<Option<BigUint>, Error> {
        self.distance(from, to, true)
    }

    fn distance(&self, from: &str, to: &str, longest: bool) -> Result<Option<BigUint>, Error> {
        let (mut pool, symbols) = (Pool::new(), self.symbols());
        let fairness = self.fairness(&mut pool)?;
        let mut state = |text: &str| {
            let parsed = parse(text, &symbols, &mut pool)?;
            Ok::<_, Error>(pool.close(parsed))
        };
        let (from, to) = (state(from)?, state(to)?);
        let journey = pool.journey(Extreme { from, to, longest }, &fairness);
        let paths = self.limits.paths.unwrap_or(PathSemantics::Maximal);
        self.number(&pool, Question::Distance { journey, paths })
    }

    /// The answer to a question whose answer is a number; `None` for an infinite one.
    fn number(&self, pool: &Pool, question: Question) -> Result<Option<BigUint>, Error> {
        let mut heard = self.ask(pool, &[question.into()]);
        faultless(&heard, |_| "a number".to_owned())?;
        match heard.pop().and_then(|heard| heard.answer).map(|answer| answer.value) {
            Some(Value::Number(number)) => Ok(Some(number)),
            Some(Value::Infinite) => Ok(None),
            Some(Value::Undefined) => Err(StopReason::Unsupported(NO_LONGEST).into()),
            Some(Value::Unknown(stop)) => Err(stop.into()),
            _ => Err(StopReason::Unsupported("nothing was answered").into()),
        }
    }

    /// The set of all reachable states. It is computed once for this model and all its clones.
    ///
    /// ```
    /// let model = starset::Model::read("models/philo-5.pnml")?;
    /// assert_eq!(model.reachable()?.len()?.to_string(), "243");
    /// # Ok::<(), starset::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Unknown`] when the budget is used up, when the net is unbounded, or when the model is of a kind that
    /// diagrams do not do.
    pub fn reachable(&self) -> Result<SatSet, Error> {
        let space = self.space()?;
        let set = self.run(|budget| space.meant(&space.set, budget))?;
        Ok(SatSet::new(self, space, set, "true"))
    }

    /// The reachable states that satisfy a formula; a formula of LTL is to hold of all paths from there.
    ///
    /// ```
    /// let model = starset::Model::read("models/philo-5.pnml")?;
    /// let [one, other] = [model.satset("#Eat_0 = 1")?, model.satset("EX #Eat_0 = 1")?];
    /// let soon = (&other - &one)?;
    /// assert!(!soon.is_empty() && soon.is_subset(&other)?);
    /// # Ok::<(), starset::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Formula`] when the text is no formula about this model; else as [`Model::reachable`].
    pub fn satset(&self, formula: &str) -> Result<SatSet, Error> {
        let mut pool = Pool::new();
        let question = self.question(formula, &mut pool)?;
        let space = self.space()?;
        let set = self.run(|budget| {
            let set = sat_in(space, &pool, &question, &self.settings(), budget)?;
            space.meant(&set, budget)
        })?;
        Ok(SatSet::new(self, space, set, formula))
    }

    /// The reachable states that allow no step.
    ///
    /// ```
    /// let model = starset::Model::read("models/philo-5.pnml")?;
    /// assert_eq!(model.deadlocks()?.len()?.to_string(), "2");
    /// # Ok::<(), starset::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Model::reachable`].
    pub fn deadlocks(&self) -> Result<SatSet, Error> {
        self.satset("deadlock")
    }

    /// The attractors: the bottom strongly connected components of the reachable states.
    ///
    /// # Errors
    /// As [`Model::reachable`].
    pub fn attractors(&self) -> Result<Attractors, Error> {
        let space = self.space()?;
        let found = self.run(|budget| space.attractors(self.kind(), &self.settings(), budget))?;
        Ok(Attractors::new(self, space, found))
    }

    /// What the functions of a logical network with asynchronous updates depend on: a variable, the variable that has the
    /// function, and the sign of the effect, 1 where the function rises, -1 where it falls, 0 where it does either.
    ///
    /// ```
    /// let model = starset::Model::read("models/switch.bnet")?;
    /// let all = model.influences()?;
    /// assert!(all.contains(&("right".to_owned(), "left".to_owned(), -1)));
    /// assert!(all.contains(&("signal".to_owned(), "left".to_owned(), 1)));
    /// # Ok::<(), starset::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Unknown`] for other models and updates; else as [`Model::reachable`].
    pub fn influences(&self) -> Result<Vec<(String, String, i8)>, Error> {
        let relation = &self.space()?.relation;
        let unknown = "influences are known of logical networks with asynchronous updates";
        let all = relation.influences().ok_or(StopReason::Unsupported(unknown))?;
        let name = |level: u32| relation.names()[level as usize].clone();
        let sign = |rises: bool, falls: bool| i8::from(rises) - i8::from(falls);
        let all = all.iter().filter(|one| one.rises || one.falls);
        Ok(all.map(|one| (name(one.from), name(one.to), sign(one.rises, one.falls))).collect())
    }

    /// A set that [`SatSet::save`] or the program has saved, of this model or of one with the same variables.
    ///
    /// # Errors
    /// [`Error::Saved`] when the file is no set of states of this model; else as [`Model::reachable`].
    pub fn load_set(&self, path: impl AsRef<Path>) -> Result<SatSet, Error> {
        let path = path.as_ref();
        let saved = self.run(|budget| Saved::load(path, self.kind(), budget))?;
        let space = self.space()?;
        let set = self.run(|budget| space.load(&saved, self.kind(), budget))?;
        Ok(SatSet::new(self, space, set, saved.formula()))
    }

    /// The reachable states, computed at most once (twice where two threads begin at the same time; then all use
    /// the same).
    fn space(&self) -> Result<&Arc<StateSpace>, Error> {
        if let Some(space) = self.shared.space.get() {
            return Ok(space);
        }
        let found = self.run(|budget| {
            budget.check()?;
            let watch = |progress: Progress<'_>| self.limits.watch.iter().for_each(|watch| watch.hear(&progress));
            explore(self.kind(), &self.settings(), true, budget, &watch)
        })?;
        Ok(self.shared.space.get_or_init(|| Arc::new(found)))
    }

    /// Is it the same model, read once?
    fn is_same(&self, other: &Model) -> bool {
        Arc::ptr_eq(&self.shared, &other.shared)
    }

    fn settings(&self) -> Settings<'static> {
        let mut settings = Settings { threads: self.limits.threads, ..self.limits.settings.clone() };
        self.limits.without.iter().for_each(|technique| technique.leave_out(&mut settings));
        settings
    }

    /// A formula that gives names to states, without: what they quantify are sets.
    fn without_names(&self, formula: &str, pool: &mut Pool) -> Result<FormulaId, Error> {
        let found = self.run(|budget| hybrid(self.kind(), (formula, "hybrid"), self.limits.paths, budget))?;
        let mut symbols = self.symbols().into_owned();
        for set in found.sets {
            symbols.name_set(set).map_err(|name| HybridError::Syntax(format!("two sets are called {name}")))?;
        }
        Ok(parse(&found.text, &symbols, pool)?)
    }

    /// The question whether a formula holds.
    fn question(&self, formula: &str, pool: &mut Pool) -> Result<Question, Error> {
        if self.limits.finite.is_some() {
            return self.about_finite_runs(formula, pool);
        }
        let parsed = match is_hybrid(formula) {
            true => self.without_names(formula, pool)?,
            false => parse(formula, &self.symbols(), pool)?,
        };
        let paths = self.limits.paths.unwrap_or_else(|| self.kind().default_paths(pool.logic(parsed)));
        let fairness = self.fairness(pool)?;
        let parsed = pool.under(parsed, &fairness);
        Ok(Question::formula(pool, parsed, paths, Route::Fixpoints))
    }

    /// The question whether a formula holds of finite runs.
    fn about_finite_runs(&self, formula: &str, pool: &mut Pool) -> Result<Question, Error> {
        if !self.limits.fairness.is_empty() {
            return Err(NotFinite::Fairness.into());
        }
        let (parsed, _) = parse_finite(formula, &self.symbols(), pool)?;
        let last = self.last(pool)?;
        match self.run(|budget| Question::finite(pool, self.kind(), parsed, last, budget)) {
            Err(NotFinite::Translation(TranslationError::Exhausted(stop))) => Ok(Question::Stopped(stop.into())),
            asked => Ok(asked?),
        }
    }

    /// The model in the unit of time that a formula needs: itself where no time passes.
    fn in_unit_of(&self, formula: &str) -> Result<Model, Error> {
        if self.limits.finite.is_some() {
            return Ok(self.clone());
        }
        let texts: Vec<&str> =
            std::iter::once(formula).chain(self.limits.fairness.iter().map(String::as_str)).collect();
        let wide = self.rescaled(&texts);
        let mut pool = Pool::new();
        let parsed = parse(formula, &wide.symbols(), &mut pool)?;
        let fairness = wide.fairness(&mut pool)?;
        let parsed = pool.under(parsed, &fairness);
        let question = TimedQuestion { formulas: vec![parsed], is_automaton: false };
        let tuning = wide.shared.loaded.tuned(&pool, &[question]);
        let model = tuning.and_then(|tuning| tuning.parts.into_iter().find_map(|part| part.model));
        Ok(model.map_or(wide.clone(), |model| self.in_place(wide.shared.loaded.as_model(model))))
    }

    /// The model in a unit of time in which there are all numbers that these texts compare clocks with.
    fn rescaled(&self, texts: &[&str]) -> Model {
        self.shared.loaded.rescaled(texts).map_or_else(|| self.clone(), |loaded| self.in_place(loaded))
    }

    /// Another form of the model, with the same limits.
    fn in_place(&self, loaded: Loaded) -> Model {
        let source = self.shared.source.clone();
        Model { shared: Arc::new(Shared { loaded, source, space: OnceLock::new() }), limits: self.limits.clone() }
    }

    fn ask(&self, pool: &Pool, asked: &[Request]) -> Vec<Recorded> {
        let told = self.limits.watch.as_ref().map(Told);
        let kept = match &told {
            Some(told) => Recorder::beside(asked.len(), told),
            None => Recorder::new(asked.len()),
        };
        let subject = Subject { model: self.kind(), groups: &self.shared.loaded.groups, pool };
        self.run(|budget| decide(subject, asked, &self.settings(), budget, &kept));
        kept.into_recorded()
    }
}
