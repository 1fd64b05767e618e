//! A model compiled for this engine, behind one interface for all kinds of models.

use super::bitstate::{self, BitstateResult, Pass};
use super::disk::{self, Disk, OnDisk};
#[cfg(feature = "distributed")]
use super::distributed::{self, Cluster, ClusterError, Distributed, Found, Goal};
use super::emptiness::{self, Emptiness, Product};
use super::explore::{self, View};
use super::graph::Unfinished;
use super::labelling::{Growing, Labelling};
use super::lift::lifted_run;
use super::local::{self, Attempt, Decided};
use super::packed_model::PackedModel;
use super::partial::{self, Oracle};
use super::results::{Exploration, Searched, Trace};
use super::states::States;
use super::{Options, Stats};
use crate::budget::Budget;
use crate::formula::{FormulaId, PathSemantics, Pool};
use crate::model::{Path, State, TransitionSystem};
use crate::stop_reason::StopReason;
use std::fmt::Debug;
use std::sync::{Arc, Mutex, PoisonError};

/// A model, compiled: made once ([`crate::kinds::Kind::compile`]) for any number of searches, one after the other or
/// side by side.
///
/// Each call is a whole search; what is found is given up at its end, but for a [`Labelling`].
///
/// ```
/// use starset::budget::Budget;
/// use starset::explicit::{Encoding, Options};
/// use starset::kinds::Kind;
/// use starset::model::VariableId;
/// use starset::net::NetBuilder;
/// let mut b = NetBuilder::new("buffer");
/// let (free, full) = (b.place("free", 3)?, b.place("full", 0)?);
/// let put = b.transition("put")?;
/// b.input(free, put, 1)?;
/// b.output(put, full, 1)?;
/// let (net, budget) = (b.build()?, Budget::unlimited());
/// let engine = net.compile(&Encoding::default(), &budget)?;
/// let all = engine.explore(&Options::default(), &budget)?;
/// assert_eq!((all.states, all.transitions, all.deadlocks), (4, 3, 1));
/// let two = engine.find(&Options::default(), &budget, &mut |state| state.value(full) == 2)?;
/// assert_eq!(two.trace.unwrap().path.prefix.len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// All searches end with [`StopReason`] when the budget is used up, and when a value is too large; those for a formula also when
/// it is of another pool or about another model.
pub trait Explicit<'m>: Debug + Send + Sync {
    /// The model.
    fn system(&self) -> &dyn TransitionSystem;

    /// Visit all reachable states and count.
    fn explore(&self, options: &Options, budget: &Budget) -> Result<Exploration, StopReason> {
        self.explore_with(options, budget, &mut |_| ())
    }

    /// The same; `progress` is told after some hundred expansions how many states there are so far.
    fn explore_with(
        &self,
        options: &Options,
        budget: &Budget,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Exploration, StopReason>;

    /// Visit all reachable states and count, with the states in a folder: of any number, within the memory that the
    /// budget has. `progress` is told now and then how many there are so far. An exploration that was stopped, or the
    /// program of which was, goes on from the last level that was complete.
    ///
    /// ```
    /// use starset::budget::Budget;
    /// use starset::explicit::{Disk, Encoding, Options};
    /// use starset::kinds::{Kind, net::families};
    /// let (net, budget) = (families::family("philo").unwrap().generate(5).unwrap(), Budget::unlimited());
    /// let engine = net.compile(&Encoding::default(), &budget)?;
    /// let folder = std::env::temp_dir().join(format!("starset-{}", std::process::id()));
    /// let disk = Disk { folder: folder.clone(), quota: Some(1 << 20), fingerprint: 5 };
    /// let found = engine.explore_on_disk(&disk, &Options::default(), &budget, &mut |_| ());
    /// std::fs::remove_dir_all(folder)?;
    /// assert_eq!(found.ended?.states, 243);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn explore_on_disk(&self, disk: &Disk, options: &Options, budget: &Budget, progress: &mut dyn FnMut(u64))
    -> OnDisk;

    /// Search for the reachable states that satisfy `goal` as [`Explicit::find_each`] does, with the states in a folder. The
    /// path to each is a shortest one. What was explored in the folder for other goals is looked through first.
    ///
    /// ```
    /// use starset::budget::Budget;
    /// use starset::explicit::{Disk, Encoding, Options};
    /// use starset::kinds::{Kind, net::families};
    /// use starset::model::VariableId;
    /// let (net, budget) = (families::family("philo").unwrap().generate(5).unwrap(), Budget::unlimited());
    /// let engine = net.compile(&Encoding::default(), &budget)?;
    /// let folder = std::env::temp_dir().join(format!("starset-find-{}", std::process::id()));
    /// let disk = Disk { folder: folder.clone(), quota: Some(1 << 20), fingerprint: 5 };
    /// let mut goal = |state: starset::explicit::View<'_>| state.value(VariableId(0)) == 0;
    /// let options = Options::default();
    /// let found = engine.find_on_disk(&disk, &options, &budget, &mut goal, &mut |_, _| false, &mut |_| ());
    /// std::fs::remove_dir_all(folder)?;
    /// assert_eq!(found.ended?.trace.map(|trace| trace.path.prefix.len()), Some(1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn find_on_disk(
        &self,
        disk: &Disk,
        options: &Options,
        budget: &Budget,
        goal: &mut dyn FnMut(View<'_>) -> bool,
        report: &mut dyn FnMut(&Trace, &Stats) -> bool,
        progress: &mut dyn FnMut(u64),
    ) -> OnDisk<Searched>;

    /// The verdicts of some state formulas of CTL\* in the only initial state, with the states in a folder: each is told
    /// with its number once it is known, or why it has none. All states are explored, as [`Explicit::find_on_disk`] does,
    /// and then their successors are written for as long as this takes.
    fn check_on_disk(
        &self,
        disk: &Disk,
        options: &Options,
        budget: &Budget,
        asked: (&Pool, &[(FormulaId, PathSemantics)]),
        told: &mut dyn FnMut(usize, Result<(bool, Stats), StopReason>),
        progress: &mut dyn FnMut(u64),
    ) -> OnDisk<()>;

    /// Visit all reachable states together with other processes, on as many threads as the options say, and count. Each
    /// process calls this with the same list of processes and the same model. `progress` is told now and then how many
    /// states there are so far.
    ///
    /// # Errors
    /// When the processes do not find each other, or do not go together.
    #[cfg(feature = "distributed")]
    fn explore_distributed(
        &self,
        cluster: &Cluster,
        options: &Options,
        budget: &Budget,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Distributed, ClusterError>;

    /// Search for a reachable state of each of these goals together with other processes: the paths are shortest ones; and
    /// for the verdicts of these state formulas of CTL\* in the only initial state. Each process calls this with the same list
    /// of processes, the same model, and the same goals and formulas in the same order. What is found is there however it
    /// ends.
    ///
    /// # Errors
    /// When the processes do not find each other, or do not go together.
    #[cfg(feature = "distributed")]
    fn find_distributed(
        &self,
        cluster: &Cluster,
        asked: (&[Goal<'_>], distributed::Formulas<'_>),
        options: &Options,
        budget: &Budget,
        progress: &mut dyn FnMut(u64),
    ) -> Result<(Found, Distributed<()>), ClusterError>;

    /// Search for a reachable state that satisfies `goal`. It is asked about each state once; with one thread breadth
    /// first, in the order in which they are found, so that the path is a shortest one.
    fn find(
        &self,
        options: &Options,
        budget: &Budget,
        goal: &mut (dyn FnMut(View<'_>) -> bool + Send),
    ) -> Result<Searched, StopReason> {
        self.find_each(options, budget, goal, &mut |_, _| false)
    }

    /// Search for the reachable states that satisfy `goal`, which is asked about each state once. `report` is told of
    /// each with a path to it and the effort so far, and says whether the search goes on.
    fn find_each(
        &self,
        options: &Options,
        budget: &Budget,
        goal: &mut (dyn FnMut(View<'_>) -> bool + Send),
        report: &mut dyn FnMut(&Trace, &Stats) -> bool,
    ) -> Result<Searched, StopReason>;

    /// Search for a reachable state that enables nothing. With [`Options::stubborn`], only a stubborn set is fired in
    /// each state of a net, which keeps all deadlocks (Valmari 1990), and the path found is seldom a shortest one.
    fn find_deadlock(&self, options: &Options, budget: &Budget) -> Result<Searched, StopReason>;

    /// Search the product with an automaton for an accepting run from any initial state.
    fn find_accepting_run(
        &self,
        product: Product<'_>,
        options: &Options,
        budget: &Budget,
    ) -> Result<Emptiness, StopReason>;

    /// Search for a reachable state that satisfies `goal` by a pass that keeps a few bits of each state, and fits any
    /// memory. Where it finds nothing there may be such a state all the same. The paths found are long.
    ///
    /// ```
    /// use starset::budget::Budget;
    /// use starset::explicit::{Encoding, Pass};
    /// use starset::kinds::{Kind, net::families};
    /// use starset::model::VariableId;
    /// let (net, budget) = (families::family("philo").unwrap().generate(30).unwrap(), Budget::unlimited());
    /// let engine = net.compile(&Encoding::default(), &budget)?;
    /// // Of some 10^14 states, with 64 KiB.
    /// let budget = budget.with_memory(1 << 16);
    /// let found = engine.pursue(Pass::default(), &budget, &mut |state| state.value(VariableId(0)) == 0);
    /// assert!(found.found.is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn pursue(
        &self,
        pass: Pass,
        budget: &Budget,
        goal: &mut (dyn FnMut(View<'_>) -> bool + Send),
    ) -> BitstateResult<Trace>;

    /// The same for a state that enables nothing.
    fn pursue_deadlock(&self, pass: Pass, options: &Options, budget: &Budget) -> BitstateResult<Trace>;

    /// The same for an accepting run of the product with an automaton. There may be one without a path that shows it.
    fn pursue_accepting_run(
        &self,
        product: Product<'_>,
        pass: Pass,
        options: &Options,
        budget: &Budget,
    ) -> BitstateResult<Option<Path>>;

    /// Decide a state formula of CTL in the initial state; if there are several, in all of them.
    ///
    /// ```
    /// use starset::budget::Budget;
    /// use starset::explicit::{Attempt, Encoding, Options};
    /// use starset::formula::{PathSemantics, Pool, Symbols, parse};
    /// use starset::kinds::{Kind, net::families};
    /// let (net, budget) = (families::family("philo").unwrap().generate(30).unwrap(), Budget::unlimited());
    /// let engine = net.compile(&Encoding::default(), &budget)?;
    /// let mut pool = Pool::new();
    /// let formula = parse("EF (deadlock & EG deadlock)", &Symbols::new(&net), &mut pool)?;
    /// let (options, paths) = (Options::default(), PathSemantics::Maximal);
    /// let found = engine.check_ctl(&pool, formula, paths, Attempt(0), &options, &budget)?;
    /// assert!(found.holds && found.stats.states < 10_000);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Besides, when an atom has no value, and when the formula is not CTL.
    fn check_ctl(
        &self,
        pool: &Pool,
        formula: FormulaId,
        paths: PathSemantics,
        attempt: Attempt,
        options: &Options,
        budget: &Budget,
    ) -> Result<Decided, StopReason>;

    /// Decide a state formula of CTL in the initial state by a part of the states, in which formulas may stay open. It
    /// grows until it is enough, in an order that depends on the seed. The oracle may know that conditions are never met
    /// again.
    ///
    /// ```
    /// use starset::budget::Budget;
    /// use starset::explicit::Encoding;
    /// use starset::formula::{PathSemantics, Pool, Symbols, parse};
    /// use starset::kinds::{Kind, net::families};
    /// let (net, budget) = (families::family("philo").unwrap().generate(30).unwrap(), Budget::unlimited());
    /// let engine = net.compile(&Encoding::default(), &budget)?;
    /// let mut pool = Pool::new();
    /// let formula = parse("EF AG deadlock", &Symbols::new(&net), &mut pool)?;
    /// let asked = (formula, PathSemantics::Maximal);
    /// let found = engine.check_ctl_partially(&pool, asked, 0, &mut |_, _| false, &budget)?;
    /// assert!(found.holds && found.stats.states < 100_000);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Explicit::check_ctl`], and when there are several initial states.
    fn check_ctl_partially(
        &self,
        pool: &Pool,
        asked: (FormulaId, PathSemantics),
        seed: u64,
        oracle: Oracle<'_>,
        budget: &Budget,
    ) -> Result<Decided, StopReason>;

    /// [`Explicit::check_ctl`] in another reachable state.
    ///
    /// # Errors
    /// As for [`Explicit::check_ctl`], and when the engine cannot represent the state.
    fn check_ctl_in(
        &self,
        state: &State,
        pool: &Pool,
        formula: FormulaId,
        paths: PathSemantics,
        options: &Options,
        budget: &Budget,
    ) -> Result<Decided, StopReason>;

    /// Visit all reachable states on one thread, and keep the graph, which may outlive this.
    fn labelling(&self, budget: &Budget) -> Result<Labelling<'m>, StopReason> {
        self.graph(&Options::default(), budget)?.finish(budget)
    }

    /// The same in parts: the graph, of which nothing has been explored.
    fn graph(&self, options: &Options, budget: &Budget) -> Result<Box<dyn Growing<'m> + 'm>, StopReason>;
}

/// A space, shared by searches.
#[derive(Debug)]
pub(crate) struct Compiled<S> {
    space: Arc<S>,
    /// The same in the encoding that the last search came to that had to grow it.
    grown: Mutex<Option<Arc<S>>>,
}

impl<S: PackedModel> Compiled<S> {
    /// A compiled model from a packed one.
    pub(crate) fn new(space: S) -> Self {
        Compiled { space: Arc::new(space), grown: Mutex::new(None) }
    }

    /// The space in its latest encoding.
    fn latest(&self) -> Arc<S> {
        let grown = self.grown.lock().unwrap_or_else(PoisonError::into_inner);
        grown.as_ref().unwrap_or(&self.space).clone()
    }

    /// For a search without an extra field.
    fn states(&self, budget: &Budget) -> States<S> {
        States::new(self.latest(), 0, budget)
    }

    /// A run from the initial state, of the model itself where states stand for others.
    fn lifted(&self, path: Option<Path>) -> Result<Option<Path>, StopReason> {
        path.map(|path| lifted_run(&*self.space, self.space.system().initial(), path)).transpose()
    }

    /// Begin later searches with the encoding that one came to which was not halted.
    fn keep<T>(&self, (states, found): (States<S>, T)) -> T {
        if states.growths() > 0 {
            *self.grown.lock().unwrap_or_else(PoisonError::into_inner) = Some(states.shared().clone());
        }
        found
    }
}

impl<'m, S: PackedModel + 'm> Explicit<'m> for Compiled<S> {
    fn system(&self) -> &dyn TransitionSystem {
        self.space.system()
    }

    fn explore_with(
        &self,
        options: &Options,
        budget: &Budget,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Exploration, StopReason> {
        explore::explore(self.states(budget), options, budget, progress).map(|ended| self.keep(ended))
    }

    fn explore_on_disk(
        &self,
        disk: &Disk,
        options: &Options,
        budget: &Budget,
        progress: &mut dyn FnMut(u64),
    ) -> OnDisk {
        // The encoding that the model begins with: a later program has that, too.
        disk::explore(Arc::clone(&self.space), disk, options.threads, budget, progress)
    }

    fn find_on_disk(
        &self,
        disk: &Disk,
        options: &Options,
        budget: &Budget,
        goal: &mut dyn FnMut(View<'_>) -> bool,
        report: &mut dyn FnMut(&Trace, &Stats) -> bool,
        progress: &mut dyn FnMut(u64),
    ) -> OnDisk<Searched> {
        disk::find(Arc::clone(&self.space), disk, options.threads, budget, (goal, report), progress)
    }

    fn check_on_disk(
        &self,
        disk: &Disk,
        options: &Options,
        budget: &Budget,
        asked: (&Pool, &[disk::Asked]),
        told: disk::Told<'_>,
        progress: &mut dyn FnMut(u64),
    ) -> OnDisk<()> {
        disk::verdicts(Arc::clone(&self.space), disk, options.threads, budget, asked, told, progress)
    }

    #[cfg(feature = "distributed")]
    fn explore_distributed(
        &self,
        cluster: &Cluster,
        options: &Options,
        budget: &Budget,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Distributed, ClusterError> {
        // The encoding that the model begins with: the other processes have that, too.
        distributed::explore(&self.space, cluster, options.threads, budget, progress)
    }

    #[cfg(feature = "distributed")]
    fn find_distributed(
        &self,
        cluster: &Cluster,
        asked: (&[Goal<'_>], distributed::Formulas<'_>),
        options: &Options,
        budget: &Budget,
        progress: &mut dyn FnMut(u64),
    ) -> Result<(Found, Distributed<()>), ClusterError> {
        distributed::find(&self.space, asked, cluster, options.threads, budget, progress)
    }

    fn find_each(
        &self,
        options: &Options,
        budget: &Budget,
        goal: &mut (dyn FnMut(View<'_>) -> bool + Send),
        report: &mut dyn FnMut(&Trace, &Stats) -> bool,
    ) -> Result<Searched, StopReason> {
        explore::find(self.states(budget), options, budget, goal, report).map(|ended| self.keep(ended))
    }

    fn find_deadlock(&self, options: &Options, budget: &Budget) -> Result<Searched, StopReason> {
        explore::find_deadlock(self.states(budget), options, budget).map(|ended| self.keep(ended))
    }

    fn find_accepting_run(
        &self,
        product: Product<'_>,
        options: &Options,
        budget: &Budget,
    ) -> Result<Emptiness, StopReason> {
        let ended = emptiness::find_accepting_run(self.latest(), product, options, budget)?;
        let mut found = self.keep(ended);
        found.path = self.lifted(found.path)?;
        Ok(found)
    }

    fn pursue(
        &self,
        pass: Pass,
        budget: &Budget,
        goal: &mut (dyn FnMut(View<'_>) -> bool + Send),
    ) -> BitstateResult<Trace> {
        bitstate::find(self.latest(), pass, budget, goal)
    }

    fn pursue_deadlock(&self, pass: Pass, options: &Options, budget: &Budget) -> BitstateResult<Trace> {
        bitstate::find_deadlock(self.latest(), pass, options, budget)
    }

    fn pursue_accepting_run(
        &self,
        product: Product<'_>,
        pass: Pass,
        options: &Options,
        budget: &Budget,
    ) -> BitstateResult<Option<Path>> {
        let mut result = bitstate::find_accepting_run(self.latest(), product, pass, options, budget);
        if let Some(path) = &mut result.found {
            match self.lifted(path.take()) {
                Ok(lifted) => *path = lifted,
                Err(stop) => (result.found, result.stopped) = (None, Some(stop)),
            }
        }
        result
    }

    fn check_ctl(
        &self,
        pool: &Pool,
        formula: FormulaId,
        paths: PathSemantics,
        attempt: Attempt,
        options: &Options,
        budget: &Budget,
    ) -> Result<Decided, StopReason> {
        pool.check(formula, self.system().variables(), self.system().actions())?;
        let initial = self.space.system().initial_states();
        let mut found = None;
        for state in &initial {
            let from = Some(state).filter(|_| initial.len() > 1);
            let ended = local::check_ctl(self.states(budget), from, pool, (formula, paths), attempt, options, budget)?;
            let holds = ended.1.holds;
            found = Some(self.keep(ended));
            if !holds {
                break;
            }
        }
        let mut found = found.ok_or(StopReason::Unsupported("the model has no initial state"))?;
        found.path = self.lifted(found.path)?;
        Ok(found)
    }

    fn check_ctl_partially(
        &self,
        pool: &Pool,
        asked: (FormulaId, PathSemantics),
        seed: u64,
        oracle: Oracle<'_>,
        budget: &Budget,
    ) -> Result<Decided, StopReason> {
        pool.check(asked.0, self.system().variables(), self.system().actions())?;
        if self.space.system().initial_states().len() > 1 {
            return Err(StopReason::Unsupported("a part of the states is not asked about several initial states"));
        }
        let ended = partial::check_ctl(self.states(budget), pool, asked, seed, oracle, budget)?;
        Ok(self.keep(ended))
    }

    fn check_ctl_in(
        &self,
        state: &State,
        pool: &Pool,
        formula: FormulaId,
        paths: PathSemantics,
        options: &Options,
        budget: &Budget,
    ) -> Result<Decided, StopReason> {
        pool.check(formula, self.system().variables(), self.system().actions())?;
        let states = self.states(budget);
        // There are many of them, mostly easy.
        let options = &Options { threads: 1, ..options.clone() };
        let ended = local::check_ctl(states, Some(state), pool, (formula, paths), Attempt(0), options, budget)?;
        Ok(self.keep(ended))
    }

    fn graph(&self, options: &Options, budget: &Budget) -> Result<Box<dyn Growing<'m> + 'm>, StopReason> {
        Ok(Box::new(Unfinished::new(self.states(budget), options)?))
    }
}
