//! A front end as a model: its values as engines see them, and all that it was asked.
//!
//! **Values.** Engines work on unsigned numbers, and formulas compare them. So numbers are counted from the least of
//! their type on, whatever codes the front end gives them; of everything else the values are the codes. A number that
//! is 2^32 - 1 or more above the least ends the computation.
//!
//! **Calls.** What a group does depends on what it reads. So its successors are kept by the values that it reads, and
//! each of these short states is asked for once, however many states share it and however many searches meet it. The
//! table is part of the model, is shared by all threads, and only grows. It is not counted as memory of a search: there
//! are seldom as many short states as states.

use super::check_rows::RowCheck;
use super::next_state::{Batch, COPY, Direct, ModelError, NextState, Signature, Successors, Value, Values};
use crate::budget::Budget;
use crate::model::{State, VariableId};
use crate::net::{NetBuilder, PetriNet, PlaceId};
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

/// Why nothing begins in the first states of a model that lists some of them only.
pub(super) const MANY_FIRST: &str = "the model has too many initial states to begin in one after the other";

/// A successor of a short state: the values of what its group writes, in the order of [`super::Group::writes`], with
/// [`COPY`] for what stays; and its action.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Successor {
    pub(super) values: Box<[u32]>,
    pub(super) action: u32,
}

/// The known successors of a group, by short state.
type Known = FxHashMap<Box<[u32]>, Arc<[Successor]>>;

/// A transition group, by variables.
#[derive(Debug)]
pub(super) struct Footprint {
    pub(super) reads: Vec<VariableId>,
    /// In the order of successors' values.
    pub(super) writes: Vec<VariableId>,
}

/// A model behind a next-state function.
///
/// ```
/// use starset::budget::Budget;
/// use starset::explicit::{Encoding, Options};
/// use starset::kinds::{Kind, pins::{PinsModel, dve::Dve}};
/// let text = "byte x; process P { state q; init q; trans q -> q { guard x < 3; effect x = x + 1; }; } system async;";
/// let model = PinsModel::new("count", Dve::read("count.dve", text)?)?;
/// let budget = Budget::unlimited();
/// let all = model.compile(&Encoding::default(), &budget)?.explore(&Options::default(), &budget)?;
/// assert_eq!((all.states, all.transitions, all.deadlocks), (4, 3, 1));
/// // At least once in each state: DVE is faster asked again than looked up.
/// assert!(model.next_state_calls() >= Some(4));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Clones are cheap, and share what they know.
#[derive(Clone)]
pub struct PinsModel {
    name: String,
    model: Arc<dyn NextState>,
    /// At least one.
    pub(super) initial: Arc<[State]>,
    /// Does it start in one of several initial states?
    pub(super) is_started: bool,
    pub(super) footprints: Arc<[Footprint]>,
    /// For each type: the least number, if values are numbers.
    least: Arc<[Option<i64>]>,
    known: Arc<[RwLock<Known>]>,
    /// For each type of numbers: codes by value, where they differ.
    codes: Arc<[RwLock<FxHashMap<u32, Value>>]>,
    calls: Arc<AtomicU64>,
    /// How it failed where nobody could be told: see `system`.
    pub(super) failed: Arc<OnceLock<ModelError>>,
    /// Are the rows held against what the model does?
    check: Option<Arc<RowCheck>>,
}

/// A model does not start.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NoStart {
    /// It has no initial state.
    #[error("the model has no initial state")]
    Nowhere,
    /// It fails in its first initial state.
    #[error(transparent)]
    Model(#[from] ModelError),
}

impl fmt::Debug for PinsModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PinsModel").field("name", &self.name).field("calls", &self.calls()).finish_non_exhaustive()
    }
}

impl PinsModel {
    /// A model of this name. It is asked what its first initial state leads to.
    ///
    /// # Errors
    /// If it has no initial state, or fails there.
    pub fn new(name: &str, model: impl NextState + 'static) -> Result<Self, NoStart> {
        Self::of(name, Arc::new(model), None, Budget::none())
    }

    /// The same under limits. If they are not enough for what it is asked, it starts all the same.
    ///
    /// # Errors
    /// As [`PinsModel::new`].
    pub fn within(name: &str, model: impl NextState + 'static, budget: &Budget) -> Result<Self, NoStart> {
        Self::of(name, Arc::new(model), None, budget)
    }

    /// The same, and whatever explores it checks its rows: what is not read must not matter, and what is not written
    /// must stay. If they are wrong that ends as a failure of the model ([`crate::StopReason::Model`]).
    ///
    /// # Errors
    /// As [`PinsModel::new`].
    pub fn with_checked_rows(name: &str, model: impl NextState + 'static) -> Result<Self, NoStart> {
        let check = Arc::new(RowCheck::new(&model));
        Self::of(name, Arc::new(model), Some(check), Budget::none())
    }

    fn of(
        name: &str,
        model: Arc<dyn NextState>,
        check: Option<Arc<RowCheck>>,
        budget: &Budget,
    ) -> Result<Self, NoStart> {
        let signature = model.signature();
        let initial: IndexSet<Vec<Value>, FxBuildHasher> = signature.initial.iter().cloned().collect();
        let variables =
            |row: &mut dyn Iterator<Item = usize>| row.map(|variable| VariableId(variable as u32)).collect();
        let footprints = signature.groups.iter().map(|group| Footprint {
            reads: variables(&mut group.reads.iter().copied()),
            writes: variables(&mut group.writes()),
        });
        let least = (0..signature.types.len()).map(|kind| match model.values(kind) {
            Values::Numbers { least } => Some(least),
            Values::Named(_) => None,
        });
        let (footprints, least) = (footprints.collect(), least.collect());
        let known = signature.groups.iter().map(|_| RwLock::default()).collect();
        let codes = signature.types.iter().map(|_| RwLock::default()).collect();
        let (name, calls, failed) = (name.to_owned(), Arc::default(), Arc::default());
        let mut model = PinsModel {
            name,
            model,
            initial: Arc::default(),
            is_started: false,
            footprints,
            least,
            known,
            codes,
            calls,
            failed,
            check,
        };
        let mut states = Vec::new();
        for state in initial {
            let values = (0..).map(VariableId).zip(state).map(|(variable, code)| model.value_of(variable, code));
            states.push(State::new(values.map(|value| value.map(u64::from)).collect::<Result<_, _>>()?));
        }
        model.initial = states.into();
        let first = model.initial.first().ok_or(NoStart::Nowhere)?;
        if model.model.is_tried()
            && let Err(error) = model.enter(first, budget)
            && budget.check().is_ok()
        {
            return Err(error.into());
        }
        Ok(model)
    }

    /// Ask what a state leads to.
    fn enter(&self, state: &State, budget: &Budget) -> Result<(), ModelError> {
        for (group, footprint) in self.footprints.iter().enumerate() {
            // They fit: see `value_of`.
            let short: Vec<u32> = footprint.reads.iter().map(|&variable| state.value(variable) as u32).collect();
            self.successors(group, &short, budget)?;
        }
        Ok(())
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The next-state function behind it.
    pub fn next_state(&self) -> &Arc<dyn NextState> {
        &self.model
    }

    /// Its variables, groups and labels.
    pub fn signature(&self) -> &Signature {
        self.model.signature()
    }

    /// The source of steps from whole states, if it is faster than memory.
    pub(super) fn direct(&self) -> Option<&dyn Direct> {
        self.model.direct().filter(|_| self.check.is_none())
    }

    /// It has been asked directly, for so many groups.
    pub(super) fn note_calls(&self, calls: u64) {
        self.calls.fetch_add(calls, Relaxed);
    }

    /// Does the group need other values than these of what it reads?
    fn is_excluded(&self, group: usize, short: &[Value]) -> bool {
        let group = &self.signature().groups[group];
        let value = |variable: usize| group.reads.binary_search(&variable).ok().map(|at| short[at]);
        group.needs.iter().any(|&(variable, needed)| value(variable).is_some_and(|value| value != needed))
    }

    /// For how many short states it has been asked so far.
    pub fn calls(&self) -> u64 {
        self.calls.load(Relaxed)
    }

    /// The first initial state.
    pub(super) fn start(&self) -> &State {
        &self.initial[0]
    }

    /// The same model with this one of its initial states alone, unless it fails there.
    pub fn started_in(&self, initial: &State) -> Option<PinsModel> {
        if self.model.is_tried() {
            self.enter(initial, Budget::none()).ok()?;
        }
        Some(PinsModel { initial: [initial.clone()].into(), is_started: true, ..self.clone() })
    }

    /// The same model with a copy of all variables for each of these names, if its maker can do that.
    pub(super) fn with_copies(&self, names: &[&str]) -> Option<PinsModel> {
        PinsModel::of(self.name(), self.model.with_copies(names).filter(|_| !self.is_started)?, None, Budget::none())
            .ok()
    }

    /// Are its initial states all that there are?
    pub(super) fn lists_initial(&self) -> bool {
        self.is_started || self.model.lists_initial()
    }

    pub(super) fn kind_of(&self, variable: VariableId) -> Option<usize> {
        self.signature().variables.get(variable.index()).map(|variable| variable.kind)
    }

    /// The least number of a variable, if its values are numbers.
    pub(super) fn least_of(&self, variable: VariableId) -> Option<i64> {
        self.least.get(self.kind_of(variable)?).copied().flatten()
    }

    /// The value of a variable that has a code.
    pub(super) fn value_of(&self, variable: VariableId, code: Value) -> Result<u32, ModelError> {
        let (Some(kind), Some(least)) = (self.kind_of(variable), self.least_of(variable)) else { return Ok(code) };
        let name = || &self.signature().variables[variable.index()].name;
        let Some(number) = self.model.number(kind, code) else {
            return Err(ModelError(format!("a value of `{}` is no number", name())));
        };
        let value = number.checked_sub(least).and_then(|value| u32::try_from(value).ok());
        let Some(value) = value.filter(|&value| value != COPY) else {
            let most = least.saturating_add(i64::from(COPY) - 1);
            return Err(ModelError(format!("`{}` gets the value {number}: it may have {least} to {most}", name())));
        };
        if value != code {
            let known = self.codes[kind].read().unwrap_or_else(PoisonError::into_inner).contains_key(&value);
            if !known {
                self.codes[kind].write().unwrap_or_else(PoisonError::into_inner).insert(value, code);
            }
        }
        Ok(value)
    }

    /// The code of a value of a variable.
    pub(super) fn code_of(&self, variable: VariableId, value: u32) -> Option<Value> {
        let (kind, Some(least)) = (self.kind_of(variable)?, self.least_of(variable)) else { return Some(value) };
        let known = self.codes[kind].read().unwrap_or_else(PoisonError::into_inner).get(&value).copied();
        known.or_else(|| {
            let number = least.checked_add(value.into())?;
            let same = self.model.number(kind, value) == Some(number);
            if same { Some(value) } else { self.model.read(kind, &number.to_string()) }
        })
    }

    /// The successors of a short state. When the budget is used up an error is no failure of the model.
    pub(super) fn successors(
        &self,
        group: usize,
        short: &[u32],
        budget: &Budget,
    ) -> Result<Arc<[Successor]>, ModelError> {
        let Some(known) = self.known.get(group) else { return Ok(Arc::default()) };
        if let Some(successors) = known.read().unwrap_or_else(PoisonError::into_inner).get(short) {
            return Ok(Arc::clone(successors));
        }
        Ok(self.ask(group, &[short], budget)?.pop().unwrap_or_default())
    }

    /// The successors of so many short states, which lie one after the other. What is not known yet is asked for
    /// together.
    pub(super) fn successors_of_all(
        &self,
        group: usize,
        shorts: &[u32],
        count: usize,
        budget: &Budget,
    ) -> Result<Vec<Arc<[Successor]>>, ModelError> {
        let Some(known) = self.known.get(group) else { return Ok(vec![Arc::default(); count]) };
        let width = shorts.len() / count.max(1);
        let short = |number: usize| &shorts[number * width..(number + 1) * width];
        let mut all: Vec<Option<Arc<[Successor]>>> = {
            let known = known.read().unwrap_or_else(PoisonError::into_inner);
            (0..count).map(|number| known.get(short(number)).cloned()).collect()
        };
        let open: Vec<&[u32]> = (0..count).filter(|&number| all[number].is_none()).map(short).collect();
        let mut answers = self.ask(group, &open, budget)?.into_iter();
        all.iter_mut().filter(|slot| slot.is_none()).for_each(|slot| *slot = answers.next());
        Ok(all.into_iter().map(Option::unwrap_or_default).collect())
    }

    /// Ask for the successors of short states of a group, and keep them.
    fn ask(&self, group: usize, shorts: &[&[u32]], budget: &Budget) -> Result<Vec<Arc<[Successor]>>, ModelError> {
        let (Some(known), Some(footprint)) = (self.known.get(group), self.footprints.get(group)) else {
            return Ok(vec![Arc::default(); shorts.len()]);
        };
        // Nothing is known of values that the model does not have.
        let mut codes = Vec::new();
        let mut asked = Vec::new();
        for short in shorts {
            let start = codes.len();
            codes.extend(footprint.reads.iter().zip(*short).filter_map(|(&read, &value)| self.code_of(read, value)));
            asked.push(codes.len() == start + footprint.reads.len());
            if asked.last() == Some(&false) {
                codes.truncate(start);
            }
        }
        let count = asked.iter().filter(|&&asked| asked).count();
        let mut answer = Successors::default();
        if count > 0 {
            let batch = Batch::new(&codes, footprint.reads.len(), count).within(budget);
            self.model.next(group, &batch, &mut answer)?;
            // What limits that are used up have cut short may lack something, and must not be kept.
            budget.check().map_err(|over| ModelError(over.to_string()))?;
        }
        if let Some(check) = &self.check {
            let shorts = (0..count).map(|at| &codes[at * footprint.reads.len()..(at + 1) * footprint.reads.len()]);
            for (short, successors) in shorts.zip(answer.iter()) {
                let successors: Vec<_> = successors.collect();
                if self.is_excluded(group, short) && !successors.is_empty() {
                    let name = &self.signature().groups[group].name;
                    return Err(ModelError(format!("the rows of `{name}` are wrong: it does not need what it says")));
                }
                check.check(&*self.model, group, short, &successors)?;
            }
        }
        let (mut answers, mut all) = (answer.iter(), Vec::with_capacity(shorts.len()));
        for &asked in &asked {
            let mut successors = Vec::new();
            for (action, codes) in answers.by_ref().take(usize::from(asked)).flatten() {
                let values = footprint.writes.iter().zip(codes).map(|(&variable, &code)| match code {
                    COPY => Ok(COPY),
                    _ => self.value_of(variable, code),
                });
                successors.push(Successor { values: values.collect::<Result<_, _>>()?, action });
            }
            all.push(Arc::from(successors));
        }
        let mut known = known.write().unwrap_or_else(PoisonError::into_inner);
        for ((short, successors), _) in shorts.iter().zip(&all).zip(&asked).filter(|(_, asked)| **asked) {
            // Another thread may have asked meanwhile.
            if known.insert((*short).into(), Arc::clone(successors)).is_none() {
                self.calls.fetch_add(1, Relaxed);
            }
        }
        Ok(all)
    }

    /// A place per variable, a transition per group or, where steps are known, per row, an arc for what is read or
    /// written.
    pub(super) fn to_net(&self) -> PetriNet {
        let mut builder = NetBuilder::new(self.name.clone());
        let signature = self.signature();
        for (number, variable) in signature.variables.iter().enumerate() {
            if let Ok(place) = builder.place(format!("variable {number}"), 0) {
                builder.name_place(place, variable.name.clone());
            }
        }
        for (number, row) in self.model.rows().into_iter().enumerate() {
            let Ok(transition) = builder.transition(format!("row {number}")) else { continue };
            for variable in row {
                let _one = builder.input(PlaceId(variable as u32), transition, 1);
            }
        }
        let groups = if self.model.knows_steps() { &[][..] } else { &signature.groups };
        for (number, group) in groups.iter().enumerate() {
            let Ok(transition) = builder.transition(format!("group {number}")) else { continue };
            builder.name_transition(transition, group.name.clone());
            for &variable in &group.reads {
                let _one = builder.input(PlaceId(variable as u32), transition, 1);
            }
            for variable in group.writes() {
                let _one = builder.output(transition, PlaceId(variable as u32), 1);
            }
        }
        builder.build().unwrap_or_else(|_| unreachable!("numbers are unique, and weights are 1"))
    }
}
