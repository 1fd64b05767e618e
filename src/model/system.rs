//! The interface of models to whatever explores states one by one, replays paths, or names what they are made of.

use super::{ActionId, LabelId, Standstill, State, Step, Unit, VariableId};
use std::borrow::Cow;
use std::fmt::Debug;
use std::sync::Arc;

/// The terms for the parts of a kind of model, in the singular.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Terms {
    /// The model: `net`.
    pub model: &'static str,
    /// A variable: `place`.
    pub variable: &'static str,
    /// An action: `transition`.
    pub action: &'static str,
    /// A state: `marking`.
    pub state: &'static str,
    /// Are values counts, whose sums and maxima mean something? Otherwise they are names.
    pub counts: bool,
    /// Is each variable told with its value, `x = 0`, as programs are? Otherwise what is 0 is not told.
    pub assigned: bool,
}

/// A term for a model with its indefinite article: `a net`, `an ETF model`.
pub(crate) fn indefinite(term: &str) -> String {
    let vowel = term.starts_with(['A', 'E', 'I', 'O', 'a', 'e', 'i', 'o']) || term.starts_with("SMV");
    format!("{} {term}", if vowel { "an" } else { "a" })
}

/// The variables that an action reads or writes: sorted, without repetition.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Row {
    /// Those that decide whether it can be taken, and what it does.
    pub reads: Vec<VariableId>,
    /// Those that it may change. (What it must write is among them.)
    pub writes: Vec<VariableId>,
    /// Those that get a new value whatever they had: they need not be read.
    pub must_write: Vec<VariableId>,
}

/// An input of a step: chosen anew in each step, and no part of a state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Input {
    /// Its name.
    pub name: String,
    /// The value that it has.
    pub value: String,
    /// Does the step rest on it? Otherwise it may have any value.
    pub matters: bool,
}

/// What a model says of a state, and of a step from there, beside the values of variables. Definitions are names with
/// their values, in the order of the model.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Aside {
    /// The inputs of the step.
    pub inputs: Vec<Input>,
    /// Definitions that rest on the state alone.
    pub of_state: Vec<(String, String)>,
    /// Definitions that rest on the inputs alone.
    pub of_inputs: Vec<(String, String)>,
    /// Definitions that rest on the state and on the step.
    pub of_step: Vec<(String, String)>,
}

/// Names of values, of which there may be more than are known.
pub trait Vocabulary: Debug + Send + Sync {
    /// The value that is called so, or that this text means.
    fn find(&self, text: &str) -> Option<u64>;

    /// The name of a value, if it has one.
    fn name(&self, value: u64) -> Option<String>;
}

/// A model under its firing rule.
///
/// Out of range, identifiers and states of another model give `None` or `false`, or panic as a slice does.
pub trait TransitionSystem: Debug + Send + Sync {
    /// Its name.
    fn name(&self) -> &str;

    /// The terms for its parts.
    fn terms(&self) -> Terms;

    /// Number of variables.
    fn variables(&self) -> usize;

    /// The name of a variable.
    fn variable(&self, variable: VariableId) -> &str;

    /// The name of a value of a variable; `None` where values are numbers, and for what is no value. If any value of a
    /// variable has a name, then 0 has one.
    fn value(&self, variable: VariableId, value: u64) -> Option<Cow<'_, str>>;

    /// The number to be added to the values of a variable to get the numbers that they stand for: of numbers that may
    /// be negative, the least. Formulas are about the numbers.
    fn least(&self, _variable: VariableId) -> i64 {
        0
    }

    /// The unit of a variable that tells time: it is no part of what time passes over, and is compared with numbers
    /// only.
    fn unit(&self, _variable: VariableId) -> Option<Unit> {
        None
    }

    /// Is a variable where a part of the model is in its program: is it told as `P at q`?
    fn is_control(&self, _variable: VariableId) -> bool {
        false
    }

    /// The condition that a variable remembers of the last step, where it is there for the sake of a question: people
    /// are not shown such variables.
    fn remembered(&self, _variable: VariableId) -> Option<&str> {
        None
    }

    /// Does a variable keep its first value for ever, as its declaration says?
    fn is_frozen(&self, _variable: VariableId) -> bool {
        false
    }

    /// Where in the text of the model a variable gets its next value, if that is one place: file, line, and what stands
    /// there.
    fn assignment(&self, _variable: VariableId) -> Option<Cow<'_, str>> {
        None
    }

    /// What is to be said of a state, and of a step that is possible there, beside the values of variables.
    fn aside(&self, _state: &State, _step: Option<Step>) -> Aside {
        Aside::default()
    }

    /// Number of actions.
    fn actions(&self) -> usize;

    /// The name of an action.
    fn action(&self, action: ActionId) -> &str;

    /// A step from a state, in words: the name of its action, and the choice where the action has several steps there.
    fn describe(&self, _from: &State, step: Step) -> Cow<'_, str> {
        self.action(step.action).into()
    }

    /// Where in the text of the model an action is written: file, line, and what stands there.
    fn source(&self, _action: ActionId) -> Option<Cow<'_, str>> {
        None
    }

    /// Number of state labels: conditions on states that the model itself can tell.
    fn labels(&self) -> usize {
        0
    }

    /// The name of a state label.
    fn label(&self, _label: LabelId) -> &str {
        "?"
    }

    /// Does a state label hold? `None` if the model cannot tell.
    fn labelled(&self, _state: &State, _label: LabelId) -> Option<bool> {
        None
    }

    /// The variables that a state label reads, sorted.
    fn label_reads(&self, _label: LabelId) -> Vec<VariableId> {
        Vec::new()
    }

    /// The values of a variable by name, where there may be more of them than are known: for formulas about such
    /// values. `None` where [`TransitionSystem::value`] tells all.
    fn vocabulary(&self, _variable: VariableId) -> Option<Arc<dyn Vocabulary>> {
        None
    }

    /// The variables that an action reads and writes.
    fn row(&self, action: ActionId) -> Row;

    /// The initial state; if there are several, the first.
    fn initial(&self) -> State;

    /// All initial states. A formula holds initially if it holds in each of them.
    fn initial_states(&self) -> Vec<State> {
        vec![self.initial()]
    }

    /// The state that a step leads to; `None` if there is no such step or it is not possible there.
    fn fire(&self, state: &State, step: Step) -> Option<State>;

    /// Take a step in place; `false`, and the state is as it was, if it is not possible there.
    fn advance(&self, state: &mut State, step: Step) -> bool {
        let next = self.fire(state, step);
        next.map(|next| *state = next).is_some()
    }

    /// Is a step with this action possible?
    fn enables(&self, state: &State, action: ActionId) -> bool;

    /// Whether [`enables`](Self::enables) and [`fire`](Self::fire) tell of each state: of a model that keeps less than its
    /// states they do not.
    fn tells_steps(&self) -> bool {
        true
    }

    /// Is a step with one of these actions possible? `None` if the model does not tell.
    fn enables_any(&self, state: &State, actions: &[ActionId]) -> Option<bool> {
        Some(actions.iter().any(|&action| self.enables(state, action)))
    }

    /// Is a step possible? `None` if the model does not tell.
    fn is_alive(&self, state: &State) -> Option<bool> {
        Some(!self.is_deadlock(state))
    }

    /// The step with an action that leads from one state to another.
    fn step(&self, from: &State, action: ActionId, to: &State) -> Option<Step>;

    /// Is no step possible?
    fn is_deadlock(&self, state: &State) -> bool {
        !self.action_ids().any(|action| self.enables(state, action))
    }

    /// The action by which time passes, where that is no deed of the model. It is possible in one way at most, and
    /// repeated it comes to an end or to a state that it leaves as it is.
    fn tick(&self) -> Option<ActionId> {
        None
    }

    /// Does a state stand still?
    fn stands_still(&self, state: &State, how: Standstill) -> bool {
        let Some(tick) = self.tick() else { return self.is_deadlock(state) };
        let mut state = state.clone();
        loop {
            if self.action_ids().any(|action| action != tick && self.enables(&state, action)) {
                return false;
            }
            match self.fire(&state, tick.into()) {
                None => return true,
                Some(next) if next == state => return how == Standstill::Deadlock,
                Some(next) => state = next,
            }
        }
    }

    /// Any step that leads from one state to another.
    fn step_between(&self, from: &State, to: &State) -> Option<Step> {
        self.action_ids().find_map(|action| self.step(from, action, to))
    }

    /// All actions.
    fn action_ids(&self) -> Box<dyn Iterator<Item = ActionId>> {
        Box::new((0..self.actions() as u32).map(ActionId))
    }

    /// All variables.
    fn variable_ids(&self) -> Box<dyn Iterator<Item = VariableId>> {
        Box::new((0..self.variables() as u32).map(VariableId))
    }
}
