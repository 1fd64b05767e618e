//! A model with limits, settings and listeners of its operations.

use super::{Error, Model, SatSet, Watch};
use crate::budget::Budget;
use crate::decide::{Settings, Switch};
use crate::formula::{Assumption, FormulaId, PathSemantics, Pool, Symbols, parse, read_assumption_line};
use crate::mdd::with_deep_stack;
use crate::stop_reason::StopReason;
use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

impl Model {
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

    /// The same model, asked without a technique of the table. Verdicts stay the same, more of them unknown.
    ///
    /// ```
    /// use starset::Model;
    /// use starset::decide::SWITCHES;
    /// let model = Model::read("models/philo-5.pnml")?;
    /// for technique in SWITCHES.iter().filter(|technique| technique.name != "diagrams") {
    ///     assert_eq!(model.clone().without(technique).check("EF deadlock")?.verdict(), Some(true));
    /// }
    /// # Ok::<(), starset::Error>(())
    /// ```
    #[must_use]
    pub fn without(mut self, technique: &'static Switch) -> Self {
        self.limits.without.push(technique);
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

    /// The same model; a watch is told what its operations are doing.
    ///
    /// ```
    /// use starset::{Model, Watch};
    /// let watch = Watch::default();
    /// let model = Model::read("models/philo-5.pnml")?.with_watch(&watch);
    /// model.reachable()?;
    /// assert!(watch.now().nodes > 0);
    /// # Ok::<(), starset::Error>(())
    /// ```
    #[must_use]
    pub fn with_watch(mut self, watch: &Watch) -> Self {
        self.limits.watch = Some(watch.clone());
        self
    }

    /// The same model, with or without witnesses beside verdicts. They are looked for unless this says otherwise.
    ///
    /// ```
    /// let model = starset::Model::read("models/philo-5.pnml")?.with_witnesses(false);
    /// assert_eq!(model.check("EF deadlock")?.witness(), None);
    /// # Ok::<(), starset::Error>(())
    /// ```
    #[must_use]
    pub fn with_witnesses(mut self, witnesses: bool) -> Self {
        self.limits.witnesses = witnesses;
        self
    }

    /// The same model, in whose formulas paths are what this says.
    ///
    /// ```
    /// use starset::Model;
    /// use starset::formula::PathSemantics;
    /// let model = Model::read("models/philo-5.pnml")?;
    /// assert_eq!(model.check("AG EX true")?.verdict(), Some(false));
    /// let model = model.with_paths(PathSemantics::Stutter);
    /// assert_eq!(model.check("AG EX true")?.verdict(), Some(true));
    /// # Ok::<(), starset::Error>(())
    /// ```
    #[must_use]
    pub fn with_paths(mut self, paths: PathSemantics) -> Self {
        self.limits.paths = Some(paths);
        self
    }

    /// The same model, whose formulas are about finite runs: those that end where a condition on single states holds, in a deadlock
    /// if there is none. `N` is the weak next, and the templates of [`DECLARE`](crate::formula::DECLARE) are known.
    ///
    /// ```
    /// use starset::Model;
    /// let model = Model::read("models/philo-5.pnml")?.with_finite_runs(None)?;
    /// assert_eq!(model.check("F (deadlock & N false)")?.verdict(), Some(true));
    /// let model = model.with_finite_runs(Some("#Eat_0 = 1"))?;
    /// let answer = model.check("G !deadlock & F #Eat_1 = 1")?;
    /// assert_eq!((answer.verdict(), answer.is_about_finite_runs()), (Some(false), true));
    /// # Ok::<(), starset::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Formula`] where the condition is none about this model.
    pub fn with_finite_runs(mut self, last: Option<&str>) -> Result<Self, Error> {
        self.limits.finite = Some(last.map(str::to_owned));
        self.last(&mut Pool::new())?;
        Ok(self)
    }

    /// Where finite runs end, if that is said.
    pub(super) fn last(&self, pool: &mut Pool) -> Result<Option<FormulaId>, Error> {
        let Some(Some(text)) = &self.limits.finite else { return Ok(None) };
        Ok(Some(parse(text, &self.symbols(), pool)?))
    }

    /// The same model, whose formulas are about fair paths alone: those that satisfy assumptions, each as a line of a file
    /// of formulas has it (docs/semantics.md). They are added to those of the model itself.
    ///
    /// ```
    /// use starset::Model;
    /// let model = Model::read("models/philo-5.pnml")?;
    /// assert_eq!(model.check("AG EF #Eat_0 = 1")?.verdict(), Some(false));
    /// let model = model.with_fairness(&["justice !deadlock"])?;
    /// assert_eq!(model.check("AG EF #Eat_0 = 1")?.verdict(), Some(true));
    /// assert_eq!(model.satset("A false")?.len()?.to_string(), "2");
    /// # Ok::<(), starset::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Assumption`] where one is none about this model.
    pub fn with_fairness(mut self, assumptions: &[impl AsRef<str>]) -> Result<Self, Error> {
        self.limits.fairness = assumptions.iter().map(|text| text.as_ref().to_owned()).collect();
        self.fairness(&mut Pool::new())?;
        Ok(self)
    }

    /// The same model, in whose formulas `%name` stands for a set of its states.
    ///
    /// ```
    /// let model = starset::Model::read("models/philo-5.pnml")?;
    /// let stuck = model.deadlocks()?;
    /// let model = model.with_set("stuck", &stuck)?;
    /// assert_eq!(model.check("EF %stuck")?.verdict(), Some(true));
    /// assert_eq!(model.satset("EX %stuck & !%stuck")?, model.satset("EX deadlock")?);
    /// # Ok::<(), starset::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::OtherModel`] for a set of another model; [`Error::Unknown`] where time passes in it.
    pub fn with_set(mut self, name: &str, set: &SatSet) -> Result<Self, Error> {
        if self.kind().tick().is_some() {
            return Err(StopReason::Unsupported("sets of states are not named where time passes").into());
        }
        let named = set.within(&self)?.named(name)?.ok_or(Error::OtherModel)?;
        self.limits.sets.retain(|known| known.name() != name);
        self.limits.sets.push(named);
        Ok(self)
    }

    /// The names that formulas may use.
    pub(super) fn symbols(&self) -> Cow<'_, Symbols> {
        let mut symbols = Cow::Borrowed(&self.shared.loaded.symbols);
        for set in &self.limits.sets {
            // No two have the same name.
            let _known = symbols.to_mut().name_set(set.clone());
        }
        symbols
    }

    /// The assumptions about paths.
    pub(super) fn fairness(&self, pool: &mut Pool) -> Result<Vec<Assumption>, Error> {
        let symbols = self.symbols();
        let read = |text: &String| {
            let read = read_assumption_line(text, &symbols, pool);
            read.map_err(|wrong| Error::Assumption { assumption: text.clone(), wrong })
        };
        self.shared.loaded.questions.assumptions.iter().chain(&self.limits.fairness).map(read).collect()
    }

    /// The same model, whose formulas are decided so: by these ways and ideas, from this seed, with runs as short as
    /// this. Threads are those of [`Model::with_threads`].
    ///
    /// ```
    /// use starset::Model;
    /// use starset::decide::{Settings, Technique, Ways};
    /// use starset::witness::Effort;
    /// let settings = Settings { ways: Ways::EXPLICIT, seed: 7, effort: Effort::Proof, ..Settings::default() };
    /// let model = Model::read("models/philo-5.pnml")?.with_settings(settings);
    /// let answer = model.check("EF deadlock")?;
    /// assert_eq!(answer.technique(), Technique::Explicit);
    /// assert!(answer.runs()[0].is_shortest());
    /// # Ok::<(), starset::Error>(())
    /// ```
    #[must_use]
    pub fn with_settings(mut self, settings: Settings<'static>) -> Self {
        self.limits.settings = settings;
        self
    }

    /// Do work within the limits, on a stack that is deep enough for diagrams of this model.
    pub(super) fn run<T: Send>(&self, work: impl FnOnce(&Budget) -> T + Send) -> T {
        let budget = self.limits.budget.clone();
        let budget = self.limits.time.map_or(budget.clone(), |time| budget.with_time(time));
        let levels = self.kind().most_levels();
        match &self.limits.poll {
            None => with_deep_stack(levels, || work(&budget)),
            Some(poll) => budget.while_polled(|| poll(), |budget| with_deep_stack(levels, || work(budget))),
        }
    }
}
