//! The simple case: a model from a file, a formula as text, an answer or a set of states.
//!
//! Everything here is owned and may go from thread to thread: no callback, pool or lifetime, and no thought about
//! stacks. A [`Model`] is a handle, cheap to clone; its reachable set is computed when it is first needed and kept, so that
//! all [`SatSet`]s of it can be combined and a second one is cheap. Sets and states of different models do not go
//! together, which is [`Error::OtherModel`]. Limits are set on the model ([`Model::with_time`], [`Model::with_budget`],
//! [`Model::with_poll`]) and hold for each operation on it and on its sets; the rest is as the program does it by
//! default. Who wants more uses [`crate::decide`].

mod error;
mod set;
mod state;

pub use error::Error;
pub use set::{SatSet, States};
pub use state::NamedState;

use crate::budget::Budget;
use crate::decide::{
    Asked, Explained, Figure, Heard, Kept, Question, Settings, StateSpace, Subject, Technique, Value, decide, explore,
    sat_in,
};
use crate::formula::{Pool, parse};
use crate::halt::Halt;
use crate::kinds::{self, Kind, Loaded, Reading, Saved};
use crate::mdd::with_deep_stack;
use crate::model::VariableId;
use crate::report::witness::{Names, text};
use crate::symbolic::Route;
use num_bigint::BigUint;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

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

/// What the clones of a model have in common.
#[derive(Debug)]
struct Shared {
    loaded: Loaded,
    /// The reachable states, once somebody has computed them.
    space: OnceLock<Arc<StateSpace>>,
}

/// Asked again and again whether to go on.
type Poll = Arc<dyn Fn() -> bool + Send + Sync>;

/// Limits of each operation.
#[derive(Clone)]
struct Limits {
    budget: Budget,
    time: Option<Duration>,
    threads: usize,
    poll: Option<Poll>,
}

impl std::fmt::Debug for Limits {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut debug = f.debug_struct("Limits");
        debug.field("budget", &self.budget).field("time", &self.time).field("threads", &self.threads);
        debug.field("poll", &self.poll.is_some()).finish()
    }
}

/// The answer to a formula.
///
/// ```
/// use starset::Model;
/// use std::time::Duration;
/// let model = Model::read("models/philo-5.pnml")?;
/// let answer = model.check("EF deadlock")?;
/// assert_eq!((answer.verdict(), answer.reason()), (Some(true), None));
/// assert_ne!(answer.technique().name(), "none");
/// assert!(answer.witness().is_some());
/// let answer = model.with_time(Duration::ZERO).check("EF deadlock")?;
/// assert_eq!(answer.verdict(), None);
/// assert_eq!(answer.reason().map(|halt| halt.to_string()).as_deref(), Some("out of time"));
/// # Ok::<(), starset::Error>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Verdict {
    value: Value,
    technique: Technique,
    witness: Option<String>,
}

impl Verdict {
    /// Does the formula hold in the initial state? `None` if that is not known.
    pub fn verdict(&self) -> Option<bool> {
        match self.value {
            Value::Verdict(verdict) => Some(verdict),
            _ => None,
        }
    }

    /// Why it is not known.
    pub fn reason(&self) -> Option<&Halt> {
        match &self.value {
            Value::Unknown(halt) => Some(halt),
            _ => None,
        }
    }

    /// How it was found.
    pub fn technique(&self) -> Technique {
        self.technique
    }

    /// A run that shows why, in text, if one was found.
    pub fn witness(&self) -> Option<&str> {
        self.witness.as_deref()
    }
}

impl Model {
    /// Read a model: whatever [`kinds::read`] reads, by the name of the file.
    ///
    /// # Errors
    /// What is wrong with the file, where, and what to do.
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
    /// What is wrong with the files, where, and what to do; when the budget is used up.
    pub fn read_with(paths: &[impl AsRef<Path>], reading: &Reading, budget: &Budget) -> Result<Model, Error> {
        let paths: Vec<PathBuf> = paths.iter().map(|path| path.as_ref().to_owned()).collect();
        Ok(Model::from_loaded(kinds::read(&paths, reading, budget)?))
    }

    /// A model that was built rather than read.
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
        Model::from_loaded(Loaded::new(model))
    }

    fn from_loaded(loaded: Loaded) -> Model {
        let limits = Limits { budget: Budget::unlimited(), time: None, threads: 1, poll: None };
        Model { shared: Arc::new(Shared { loaded, space: OnceLock::new() }), limits }
    }

    /// The same model, with limits: on memory, or by a flag that cancels from another thread. A time in them is that
    /// of all operations together; [`Model::with_time`] is for each.
    ///
    /// ```
    /// use starset::Model;
    /// use starset::budget::Budget;
    /// use std::sync::{Arc, atomic::AtomicBool};
    /// let stop = Arc::new(AtomicBool::new(true)); // Raised already.
    /// let model = Model::read("models/philo-5.pnml")?;
    /// let model = model.with_budget(Budget::unlimited().with_memory(1 << 30).with_flag(stop));
    /// assert_eq!(model.reachable().unwrap_err().to_string(), "interrupted");
    /// # Ok::<(), starset::Error>(())
    /// ```
    #[must_use]
    pub fn with_budget(mut self, budget: Budget) -> Self {
        self.limits.budget = budget;
        self
    }

    /// The same model, with so much time for each operation.
    ///
    /// ```
    /// use starset::Model;
    /// use std::time::Duration;
    /// let model = Model::read("models/philo-5.pnml")?.with_time(Duration::from_secs(20));
    /// assert_eq!(model.states()?.to_string(), "243");
    /// # Ok::<(), starset::Error>(())
    /// ```
    #[must_use]
    pub fn with_time(mut self, time: Duration) -> Self {
        self.limits.time = Some(time);
        self
    }

    /// The same model, with so many cores for each question. Verdicts and sets do not depend on it.
    ///
    /// ```
    /// use starset::Model;
    /// let model = Model::read("models/philo-5.pnml")?.with_threads(4);
    /// assert_eq!(model.check("EF deadlock")?.verdict(), Some(true));
    /// # Ok::<(), starset::Error>(())
    /// ```
    #[must_use]
    pub fn with_threads(mut self, threads: usize) -> Self {
        self.limits.threads = threads;
        self
    }

    /// The same model, whose operations ask some fifty times a second whether to go on, and are interrupted when the
    /// answer is no. It is asked on the thread that called the operation, while others do the work.
    ///
    /// ```
    /// use starset::Model;
    /// use std::time::{Duration, Instant};
    /// let end = Instant::now() + Duration::from_secs(60);
    /// let model = Model::read("models/philo-5.pnml")?.with_poll(move || Instant::now() < end);
    /// assert_eq!(model.states()?.to_string(), "243");
    /// # Ok::<(), starset::Error>(())
    /// ```
    #[must_use]
    pub fn with_poll(mut self, go_on: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        self.limits.poll = Some(Arc::new(go_on));
        self
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
    /// When the text is no formula about this model.
    pub fn check(&self, formula: &str) -> Result<Verdict, Error> {
        if let Some(loaded) = self.shared.loaded.attuned(&[formula]) {
            return Model { limits: self.limits.clone(), ..Model::from_loaded(loaded) }.check(formula);
        }
        let mut pool = Pool::new();
        let symbols = &self.shared.loaded.symbols;
        let formula = parse(formula, symbols, &mut pool)?;
        let paths = self.kind().default_paths(pool.logic(formula));
        let question = Question::formula(&mut pool, formula, paths, Route::Fixpoints);
        let Heard { answer, explained } = self.ask(&pool, Asked { question, set: false, witness: true });
        let names = Names { model: self.kind(), pool: &pool, symbols };
        let witness = match explained {
            Some(Explained::Witness(witness)) => Some(text(&witness, names)),
            _ => None,
        };
        let unknown = Value::Unknown(Halt::Unsupported("nothing was answered"));
        let (value, technique) = answer.map_or((unknown, Technique::None), |a| (a.value, a.technique));
        Ok(Verdict { value, technique, witness })
    }

    /// How many states are reachable, by whatever way is the first to count them.
    ///
    /// # Errors
    /// [`Error::Unknown`] when the budget is used up, or there are infinitely many.
    pub fn states(&self) -> Result<BigUint, Error> {
        if let Some(space) = self.shared.space.get() {
            return Ok(self.run(|budget| space.states(budget))?);
        }
        let infinite = || Halt::Unsupported("there are infinitely many reachable states").into();
        self.number(Question::Figure(Figure::States))?.ok_or_else(infinite)
    }

    /// The greatest sum of these variables in a reachable state; `None` if there is no greatest. A name may be that of a
    /// place of a coloured net, which stands for all its tokens.
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
        self.number(Question::Bound(sum))
    }

    /// The answer to a question whose answer is a number; `None` for an infinite one.
    fn number(&self, question: Question) -> Result<Option<BigUint>, Error> {
        let answer = self.ask(&Pool::new(), question.into()).answer;
        match answer.map(|answer| answer.value) {
            Some(Value::Number(number)) => Ok(Some(number)),
            Some(Value::Infinite) => Ok(None),
            Some(Value::Unknown(halt)) => Err(halt.into()),
            _ => Err(Halt::Unsupported("nothing was answered").into()),
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
        Ok(SatSet::new(self, space, space.set.clone(), "true"))
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
        let parsed = parse(formula, &self.shared.loaded.symbols, &mut pool)?;
        let paths = self.kind().default_paths(pool.logic(parsed));
        let question = Question::formula(&mut pool, parsed, paths, Route::Fixpoints);
        let space = self.space()?;
        let set = self.run(|budget| sat_in(space, &pool, &question, &self.settings(), budget))?;
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

    /// A set that [`SatSet::save`] or the program has saved, of this model or of one with the same variables.
    ///
    /// # Errors
    /// [`Error::Saved`] when the file is no set of states of this model; else as [`Model::reachable`].
    pub fn load_set(&self, path: impl AsRef<Path>) -> Result<SatSet, Error> {
        let path = path.as_ref();
        let saved = self.run(|budget| Saved::load(path, self.kind(), budget))?;
        let space = self.space()?;
        let set = self.run(|budget| saved.within(self.kind(), &space.relation, &space.set, budget))?;
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
            explore(self.kind(), &self.settings(), true, budget, &|_| ())
        })?;
        Ok(self.shared.space.get_or_init(|| Arc::new(found)))
    }

    /// Is it the same model, read once?
    fn is_same(&self, other: &Model) -> bool {
        Arc::ptr_eq(&self.shared, &other.shared)
    }

    fn settings(&self) -> Settings<'static> {
        Settings { threads: self.limits.threads, ..Settings::default() }
    }

    fn ask(&self, pool: &Pool, asked: Asked) -> Heard {
        let kept = Kept::new(1);
        let subject = Subject { model: self.kind(), groups: &self.shared.loaded.groups, pool };
        self.run(|budget| decide(subject, &[asked], &self.settings(), budget, &kept));
        kept.into_heard().pop().unwrap_or_default()
    }

    /// Do work within the limits, on a stack that is deep enough for diagrams of this model.
    fn run<T: Send>(&self, work: impl FnOnce(&Budget) -> T + Send) -> T {
        let budget = self.limits.budget.clone();
        let budget = self.limits.time.map_or(budget.clone(), |time| budget.with_time(time));
        let levels = self.kind().variables();
        match &self.limits.poll {
            None => with_deep_stack(levels, || work(&budget)),
            Some(poll) => budget.while_polled(|| poll(), |budget| with_deep_stack(levels, || work(budget))),
        }
    }
}
