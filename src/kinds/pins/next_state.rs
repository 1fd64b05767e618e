//! Models behind a next-state function with dependency rows: the partitioned next-state interface (PINS).
//!
//! A model is a vector of typed variables, initial states and *transition groups*. Group g has three rows: the
//! variables it **reads**, those it **must write**, and those it **may write** (copied where it does not). Whoever
//! explores the model asks [`NextState::next`] for the successors of *short states*, the values of the variables that
//! the group reads, and gets for each successor the values of the variables that it writes, and an action. As the
//! answer depends on the short state alone, each one has to be asked for once only, however many states share it:
//! the symbolic engine learns the relation of a group while it explores (Blom, van de Pol, Weber, CAV 2010; Meijer,
//! Kant, Blom, van de Pol, HVC 2014).
//!
//! *State labels* are predicates (guards, invariants, propositions), each with the row of variables that it reads.

use crate::budget::Budget;
use crate::circuit::Circuit;
use crate::formula::PathSemantics;
use crate::kinds::{Fact, Flat};
use crate::model::{Aside, VariableId};
use crate::relation::{Mediated, Relation};
use std::borrow::Cow;
use std::sync::Arc;

/// A value of a variable. What it stands for is known to the type of the variable ([`NextState::show`],
/// [`NextState::number`]): a number as it is, or an index into a table that grows while the model is explored. Equal
/// values have equal codes.
pub type Value = u32;

/// The values of a type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Values {
    /// Numbers, none of them less than this one.
    Numbers {
        /// The least.
        least: i64,
    },
    /// Something that has a name. So far there are so many, with the codes below this number.
    Named(u32),
}

/// Stands, in a successor, for the old value of a variable that the group *may* write. No value has this code.
pub const COPY: Value = u32::MAX;

/// A variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its type: an index into [`Signature::types`].
    pub kind: usize,
}

/// A transition group and its rows: sorted numbers of variables. `must_write` and `may_write` share nothing.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Group {
    /// Its name.
    pub name: String,
    /// Variables that its guard and its actions read.
    pub reads: Vec<usize>,
    /// Variables with a new value in every successor.
    pub must_write: Vec<usize>,
    /// Variables that a successor may leave as they are ([`COPY`]).
    pub may_write: Vec<usize>,
    /// Variables that it reads, and values without which it has no successor: its guard says so. Where a variable has
    /// another value nobody asks. May be left out.
    pub needs: Vec<(usize, Value)>,
}

impl Group {
    /// A group that writes the same variables in each successor. Rows are sorted.
    pub fn new(name: &str, reads: &[usize], must_write: &[usize]) -> Self {
        Group { name: name.to_owned(), reads: reads.to_vec(), must_write: must_write.to_vec(), ..Group::default() }
    }

    /// The variables that a successor has values for, in the order of these values: those that must be written, then
    /// those that may.
    pub fn writes(&self) -> impl Iterator<Item = usize> {
        self.must_write.iter().chain(&self.may_write).copied()
    }
}

/// A process of a program as an automaton.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Process {
    /// Its name, which is that of the variable that tells where it is.
    pub name: String,
    /// The names of its places.
    pub states: Vec<String>,
    /// Where it begins.
    pub initial: usize,
    /// From a place by a group to a place, and when, in the words of the program.
    pub edges: Vec<(usize, usize, usize, String)>,
}

/// A state label: a predicate over some of the variables.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StateLabel {
    /// Its name.
    pub name: String,
    /// Its role: a proposition alone, or a condition that must hold in every state.
    pub role: LabelRole,
    /// The variables that it reads, sorted.
    pub reads: Vec<usize>,
}

/// The role of a state label.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum LabelRole {
    /// To be used in formulas.
    Proposition,
    /// Part of the invariant: it should hold in every reachable state.
    Invariant,
    /// An assertion, which should hold in every reachable state; false means an error in the model.
    Assertion,
}

/// The description of a model before it is explored.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Signature {
    /// The name of the model.
    pub name: String,
    /// Names of types.
    pub types: Vec<String>,
    /// The variables.
    pub variables: Vec<Variable>,
    /// The initial states: one value per variable. Several, one, or none.
    pub initial: Vec<Vec<Value>>,
    /// The transition groups.
    pub groups: Vec<Group>,
    /// The state labels.
    pub labels: Vec<StateLabel>,
}

/// Short states of one group that are asked for together.
#[derive(Clone, Copy, Debug)]
pub struct Batch<'a> {
    width: usize,
    values: &'a [Value],
    count: usize,
    budget: &'a Budget,
}

impl<'a> Batch<'a> {
    /// `count` short states, one after the other, of `width` values each.
    ///
    /// # Panics
    /// If `values` are not as many.
    pub fn new(values: &'a [Value], width: usize, count: usize) -> Self {
        assert_eq!(values.len(), width * count, "a batch of short states");
        Batch { width, values, count, budget: Budget::none() }
    }

    /// The same short states, asked for under limits.
    #[must_use]
    pub fn within(self, budget: &'a Budget) -> Self {
        Batch { budget, ..self }
    }

    /// How long the answer may take. Whoever computes for long looks at it now and then, and fails when it is used up:
    /// that the time is over is then the reason, not the error.
    pub fn budget(&self) -> &'a Budget {
        self.budget
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Each of them: the values of the variables that the group reads, in the order of its row.
    pub fn iter(&self) -> impl Iterator<Item = &'a [Value]> + use<'a> {
        let (width, values) = (self.width, self.values);
        (0..self.count).map(move |number| &values[number * width..(number + 1) * width])
    }
}

/// Successors of a batch of short states.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Successors {
    /// For each short state in turn: where its successors end.
    ends: Vec<usize>,
    /// For each successor: its action.
    actions: Vec<u32>,
    /// For each successor: its values.
    values: Vec<Value>,
}

impl Successors {
    /// Forget all of them, and keep the room.
    pub fn clear(&mut self) {
        self.ends.clear();
        self.actions.clear();
        self.values.clear();
    }

    /// One more successor of the current short state, by this action: values as [`Group::writes`] orders them.
    pub fn push(&mut self, action: u32, values: impl IntoIterator<Item = Value>) {
        self.actions.push(action);
        self.values.extend(values);
    }

    /// There are no more successors of the current short state.
    pub fn end(&mut self) {
        self.ends.push(self.actions.len());
    }

    /// The successors of each short state, in turn: (action, values).
    pub fn iter(&self) -> impl Iterator<Item = impl Iterator<Item = (u32, &[Value])>> {
        let width = self.values.len().checked_div(self.actions.len()).unwrap_or(0);
        self.ends.iter().enumerate().map(move |(number, &end)| {
            let start = if number == 0 { 0 } else { self.ends[number - 1] };
            (start..end).map(move |i| (self.actions[i], &self.values[i * width..(i + 1) * width]))
        })
    }
}

/// All steps from a state: for each its group and what it writes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Moves {
    /// Groups, and where their writes end.
    steps: Vec<(u32, usize)>,
    writes: Vec<(usize, Value)>,
    /// The steps before [`Moves::and_each`].
    old_steps: Vec<(u32, usize)>,
    old_writes: Vec<(usize, Value)>,
    asked: u64,
}

impl Moves {
    /// Forget all of them, and keep the room.
    pub fn clear(&mut self) {
        self.steps.clear();
        self.writes.clear();
        self.asked = 0;
    }

    /// The current step gives a variable this value.
    pub fn write(&mut self, variable: usize, value: Value) {
        self.writes.push((variable, value));
    }

    /// That is all that the current step does; it is one of this group. Groups come in their order.
    pub fn end(&mut self, group: usize) {
        self.steps.push((group as u32, self.writes.len()));
    }

    /// Count further groups that have been asked.
    pub fn ask(&mut self, groups: usize) {
        self.asked += groups as u64;
    }

    /// How many groups have been asked.
    pub fn asked(&self) -> u64 {
        self.asked
    }

    /// How many steps there are.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// The groups of all steps.
    pub fn groups(&self) -> impl Iterator<Item = usize> {
        self.steps.iter().map(|&(group, _)| group as usize)
    }

    /// The effect of a step: variables and their values.
    pub fn writes(&self, step: usize) -> &[(usize, Value)] {
        let start = if step == 0 { 0 } else { self.steps[step - 1].1 };
        &self.writes[start..self.steps[step].1]
    }

    /// Instead of each step: that step with each of these values for a variable that it does not write.
    pub fn and_each(&mut self, variable: usize, values: &[Value]) {
        std::mem::swap(&mut self.steps, &mut self.old_steps);
        std::mem::swap(&mut self.writes, &mut self.old_writes);
        self.steps.clear();
        self.writes.clear();
        let mut start = 0;
        for &(group, end) in &self.old_steps {
            for &value in values {
                self.writes.extend_from_slice(&self.old_writes[start..end]);
                self.writes.push((variable, value));
                self.steps.push((group, self.writes.len()));
            }
            start = end;
        }
    }
}

/// A model that computes its steps from whole states in less time than it takes to look them up. The codes of its
/// numbers are counted from the least.
pub trait Direct {
    /// All steps from a state, which has a value for each variable: exactly what [`NextState::next`] says of each
    /// group, in the order of groups. `moves` is empty before.
    ///
    /// # Errors
    /// When the model fails.
    fn moves(&self, state: &[Value], moves: &mut Moves) -> Result<(), ModelError>;
}

/// The model, not the exploration, has failed: a division by zero, an index out of range, a server that died. It ends
/// the run and is reported by this text.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct ModelError(pub String);

/// The successors of a whole state: for each its action and the values of all variables.
pub type Whole = Result<Vec<(u32, Vec<Value>)>, ModelError>;

/// A model behind a next-state function.
///
/// Implementations are shared between threads; tables that grow lie behind a lock. A model has to have a signature and
/// to give successors; what else there is says that values are the numbers that they are, that an action is called
/// after its group, and that there are no state labels.
///
/// ```
/// use starset::Model;
/// use starset::kinds::pins::{Batch, Group, ModelError, NextState, PinsModel, Signature, Successors, Variable};
///
/// /// Two jugs, of 3 and of 5 litres.
/// struct Jugs(Signature);
///
/// impl NextState for Jugs {
///     fn signature(&self) -> &Signature {
///         &self.0
///     }
///     fn next(&self, group: usize, batch: &Batch<'_>, successors: &mut Successors) -> Result<(), ModelError> {
///         for short in batch.iter() {
///             let [small, big] = *short else { return Err(ModelError("two values are read".to_owned())) };
///             let poured = if group == 0 { small.min(5 - big) } else { big.min(3 - small) };
///             match group {
///                 0 => successors.push(0, [small - poured, big + poured]),
///                 1 => successors.push(1, [small + poured, big - poured]),
///                 2 => successors.push(2, [3, big]),
///                 3 => successors.push(3, [small, 5]),
///                 4 => successors.push(4, [0, big]),
///                 _ => successors.push(5, [small, 0]),
///             }
///             successors.end();
///         }
///         Ok(())
///     }
/// }
///
/// let names = ["pour into big", "pour into small", "fill small", "fill big", "empty small", "empty big"];
/// let model = PinsModel::new("jugs", Jugs(Signature {
///     types: vec!["litres".to_owned()],
///     variables: ["small", "big"].map(|name| Variable { name: name.to_owned(), kind: 0 }).into(),
///     initial: vec![vec![0, 0]],
///     groups: names.map(|name| Group::new(name, &[0, 1], &[0, 1])).into(),
///     ..Signature::default()
/// }))?;
/// let model = Model::new(model);
/// assert_eq!(model.states()?.to_string(), "16");
/// assert_eq!(model.check("EF #big = 4")?.verdict(), Some(true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Rows that say less than everything make fewer questions: `examples/next_state.rs` has them.
pub trait NextState: Send + Sync {
    /// Variables, initial states, groups and labels.
    fn signature(&self) -> &Signature;

    /// The successors of each short state of a batch, by one group: for each short state in turn, push its
    /// successors, then [`Successors::end`]. The same short state always has the same successors, in the same order.
    ///
    /// # Errors
    /// When the model fails.
    fn next(&self, group: usize, batch: &Batch<'_>, successors: &mut Successors) -> Result<(), ModelError>;

    /// The successors of a whole state, the values of all variables, by one group: for each its action and all values,
    /// in the order of [`NextState::next`]. They are found from the text of the model and not by its rows, which are
    /// checked by this ([`super::PinsModel::with_checked_rows`]). `None` if there is nothing but rows.
    fn whole(&self, _group: usize, _state: &[Value]) -> Option<Whole> {
        None
    }

    /// Are the initial states of the signature all that there are? If not there are at least two of them, and whatever
    /// begins in single states leaves the model alone.
    fn lists_initial(&self) -> bool {
        true
    }

    /// Are its steps known without asking for successors? Then it has a relation and rows.
    fn knows_steps(&self) -> bool {
        false
    }

    /// Is the order in which its variables are declared likely to be a good one? So it is in languages of tools with
    /// decision diagrams.
    fn favours_declared_order(&self) -> bool {
        self.knows_steps()
    }

    /// The semantics of paths where none is asked for, if the language has one of its own.
    fn paths(&self) -> Option<PathSemantics> {
        None
    }

    /// The relation over these levels, whose variables are in this order, if its steps are known, with its initial states
    /// as conditions. The work of the budget is about how many nodes may be made for it; `None` where they do not suffice.
    fn relation(&self, _order: &[VariableId], _levels: &Relation, _budget: &Budget) -> Option<Relation> {
        None
    }

    /// The network without its mediators, over the levels of its relation, if it has some, then with more and more of them.
    fn mediated(&self, _relation: &Relation, _budget: &Budget) -> Vec<Mediated> {
        Vec::new()
    }

    /// Sets of variables that something depends on together, for variable orders, if its steps are known: groups say too
    /// little of these.
    fn rows(&self) -> Vec<Vec<usize>> {
        Vec::new()
    }

    /// How many bits the values of its variables have together, if a relation may have a level for each.
    fn bits(&self) -> Option<usize> {
        None
    }

    /// Is the model asked what its first initial state leads to when it is read, so that faults show at once?
    fn is_tried(&self) -> bool {
        true
    }

    /// The program of SMV that the model is, if it is one.
    fn program(&self) -> Option<&starset_smv::Model> {
        None
    }

    /// Are its states that are not initial only passed through, between those that people mean?
    fn passes_through(&self) -> bool {
        false
    }

    /// The same model with a copy of all variables for each of these names, behind its own and in their order: copies are
    /// those of some state, and never move. `None` where that is not done.
    fn with_copies(&self, _names: &[&str]) -> Option<Arc<dyn NextState>> {
        None
    }

    /// The model as a text in the form `.bnet`, if it is a logical network, or why it has none.
    fn as_bnet(&self) -> Option<Result<String, String>> {
        None
    }

    /// The model as a program of one module, if it is a program of SMV.
    fn flat(&self) -> Option<Flat> {
        None
    }

    /// Has it a circuit, for all that is known before it is made?
    fn has_circuit(&self) -> bool {
        false
    }

    /// The model as a circuit, if it is made of bits and the budget lasts: codes of variables in their order.
    fn circuit(&self, _budget: &Budget) -> Option<Circuit> {
        None
    }

    /// Is this a run from an initial state, with these values of what is aside in each step ([`Circuit::asides`])? `None` if
    /// that is not told.
    fn is_run(&self, _states: &[Vec<Value>], _asides: &[Vec<u64>]) -> Option<bool> {
        None
    }

    /// What is known of the model before any state is explored.
    fn facts(&self) -> Vec<Fact> {
        Vec::new()
    }

    /// How many transitions lead into the initial states, where those are counted.
    fn initialisations(&self) -> usize {
        0
    }

    /// Does a state label hold, given the values of the variables that it reads?
    ///
    /// # Errors
    /// When the model fails.
    fn label(&self, label: usize, _short: &[Value]) -> Result<bool, ModelError> {
        Err(ModelError(format!("{}: there is no state label {label}", self.signature().name)))
    }

    /// [`NextState::label`] under limits, as in [`Batch::budget`]: of models whose labels may take long.
    ///
    /// # Errors
    /// When the model fails, or the limits are used up.
    fn label_within(&self, label: usize, short: &[Value], _budget: &Budget) -> Result<bool, ModelError> {
        self.label(label, short)
    }

    /// How many states were passed before the initial ones, which are not among the states of the model: set-ups of
    /// constants. Others may count them.
    fn setups(&self) -> usize {
        0
    }

    /// The same model for searches through single states, if it is faster asked than what it said is looked up.
    fn direct(&self) -> Option<&dyn Direct> {
        None
    }

    /// The values of a type. Numbers stay numbers, and the least of them is always the same; where values
    /// have names, there may be more of them later.
    fn values(&self, _kind: usize) -> Values {
        Values::Numbers { least: 0 }
    }

    /// Are the values of a type the places of a process in its program?
    fn is_control(&self, _kind: usize) -> bool {
        false
    }

    /// The condition that a variable remembers of the last step, if it is there for the sake of a question.
    fn remembered(&self, _variable: usize) -> Option<&str> {
        None
    }

    /// Does a variable keep its first value for ever, as its declaration says?
    fn is_frozen(&self, _variable: usize) -> bool {
        false
    }

    /// Where a variable gets its next value: file, line, and what stands there.
    fn assignment(&self, _variable: usize) -> Option<Cow<'_, str>> {
        None
    }

    /// What is to be said of a state, and of a step from there by a group to another state.
    fn aside(&self, _state: &[Value], _step: Option<(usize, &[Value])>) -> Aside {
        Aside::default()
    }

    /// Where a group is written: file, line, and what stands there.
    fn source(&self, _group: usize) -> Option<Cow<'_, str>> {
        None
    }

    /// The processes of a program, to be drawn as automata whose edges are groups.
    fn processes(&self) -> Vec<Process> {
        Vec::new()
    }

    /// A value of a type as a person writes it.
    fn show(&self, _kind: usize, value: Value) -> Cow<'_, str> {
        value.to_string().into()
    }

    /// The value of a type that a person means, if the type has it: what [`NextState::show`] prints, at least.
    fn read(&self, _kind: usize, text: &str) -> Option<Value> {
        text.parse().ok().filter(|&value| value != COPY)
    }

    /// The number that a value of a type is, if it is one.
    fn number(&self, _kind: usize, value: Value) -> Option<i64> {
        Some(value.into())
    }

    /// The name of an action, with its parameters.
    fn action(&self, action: u32) -> Cow<'_, str> {
        match self.signature().groups.get(action as usize) {
            Some(group) => group.name.as_str().into(),
            None => action.to_string().into(),
        }
    }
}
