//! The interface of engines to models of all kinds.

use super::counters::CounterMachine;
use super::net::coloured::Folded;
use super::network::Network;
use super::pins::Process;
use super::{Fact, Flat, Size, WriteError, Writing};
use crate::budget::Budget;
use crate::circuit::Circuit;
use crate::explicit::{Encoding, Explicit};
use crate::formula::{FormulaId, Logic, PathSemantics, Pool};
use crate::model::{State, TransitionSystem, VariableId};
use crate::net::PetriNet;
use crate::relation::{Mediated, Relation, RelationError};
use crate::stop_reason::StopReason;
use std::borrow::Cow;
use std::io::Write;

/// A model of some kind, with what the engines need of it.
pub trait Kind: TransitionSystem {
    /// The relation that the symbolic engine works on, with variables on levels in this order, from the top.
    ///
    /// # Errors
    /// When the order does not have each variable once, or the model has no relation.
    fn relation(&self, order: &[VariableId]) -> Result<Relation, RelationError> {
        self.relation_within(order, &Budget::unlimited())
    }

    /// The same while the budget lasts, for models with very many actions.
    ///
    /// # Errors
    /// When the budget is used up, too.
    fn relation_within(&self, order: &[VariableId], budget: &Budget) -> Result<Relation, RelationError>;

    /// The model without its mediators, over the levels of its relation, then with more and more of them; none, if it is no
    /// network that has some.
    fn mediated(&self, _relation: &Relation, _budget: &Budget) -> Vec<Mediated> {
        Vec::new()
    }

    /// The model compiled for the explicit engine: immutable, for any number of searches.
    ///
    /// # Errors
    /// [`StopReason`] when the model cannot be compiled, or the budget is used up.
    fn compile<'m>(&'m self, encoding: &Encoding, budget: &Budget) -> Result<Box<dyn Explicit<'m> + 'm>, StopReason>;

    /// The most levels that a relation of it has: more than variables, where these may be in bits.
    fn most_levels(&self) -> usize {
        self.variables()
    }

    /// Who touches whom, as a net with a place per variable and a transition per action: what variable orders are
    /// made from. Of a net, itself.
    fn interactions(&self) -> Cow<'_, PetriNet>;

    /// Is the order in which its variables are declared likely to be a good one? People who write for tools with decision
    /// diagrams declare what belongs together side by side.
    fn favours_declared_order(&self) -> bool {
        false
    }

    /// The net that the model is, if it is one: for what is known of nets only.
    fn as_net(&self) -> Option<&PetriNet> {
        None
    }

    /// The network that the model is, if it is one: for what is decided on some of its components.
    fn as_network(&self) -> Option<&Network> {
        None
    }

    /// The counter machine that the model is, if it is one: for forms that have conditions and changes.
    fn as_counters(&self) -> Option<&CounterMachine> {
        None
    }

    /// The program of SMV that the model is, if it is one.
    fn as_program(&self) -> Option<&starset_smv::Model> {
        None
    }

    /// Has it a circuit, for all that is known before it is made?
    fn has_circuit(&self) -> bool {
        false
    }

    /// The model as a circuit, if it is made of bits and the budget lasts. If it has faults ([`Circuit::fault`]), it is not
    /// what the model is.
    fn circuit(&self, _budget: &Budget) -> Option<Circuit> {
        None
    }

    /// Is this a run from an initial state, as the model itself tells, with these values of what is aside in each step
    /// ([`Circuit::asides`])? `None` if it does not tell.
    fn is_run(&self, _states: &[State], _asides: &[Vec<u64>]) -> Option<bool> {
        None
    }

    /// The model as a program of one module, if it is a program of SMV: for certificates, which are about that. Where the
    /// model is the cone of one, this is the whole.
    fn flat(&self) -> Option<Flat> {
        None
    }

    /// The coloured net that the model is, if it is one that was not unfolded: for what is known of it without that.
    fn as_folded(&self) -> Option<&Folded> {
        None
    }

    /// The same model, made so that these texts may compare its variables with the numbers in them. `None` if it is so
    /// already.
    fn rescaled(&self, _formulas: &[&str]) -> Option<Box<dyn Kind>> {
        None
    }

    /// The model as each of these questions needs it, where time passes.
    fn tuned(&self, _pool: &Pool, _questions: &[TimedQuestion]) -> Option<Tuning> {
        None
    }

    /// The model that starts in this one of its initial states alone, if it has several.
    fn started_in(&self, _initial: &State) -> Option<Box<dyn Kind>> {
        None
    }

    /// Are its states that are not initial only passed through, between those that people mean?
    fn passes_through(&self) -> bool {
        false
    }

    /// The same model with a copy of all its variables for each of these names, behind its own and in their order. Copies are
    /// those of some state and never move. `None` where that is not done.
    fn with_copies(&self, _names: &[&str]) -> Option<Box<dyn Kind>> {
        None
    }

    /// Are the initial states that it lists all that it has? One with very many lists some, at least two, and nothing
    /// begins in single states of it, but what is started in one.
    fn lists_initial_states(&self) -> bool {
        true
    }

    /// Has it one initial state and no other?
    fn has_one_initial_state(&self) -> bool {
        self.lists_initial_states() && self.initial_states().len() == 1
    }

    /// How many transitions there are besides those from state to state, by convention: those that lead into the
    /// initial states.
    fn initialisations(&self) -> u64 {
        0
    }

    /// How many there are of what it is made of.
    fn sizes(&self) -> Vec<Size>;

    /// How often a model has been asked for successors: for how many short states of its groups. None where nobody is
    /// asked.
    fn next_state_calls(&self) -> Option<u64> {
        None
    }

    /// How the model failed where its firing rule was asked, which looks like an action that is not enabled; `None` if
    /// it has not.
    fn failed(&self) -> Option<String> {
        None
    }

    /// Further facts before any state is explored; fewer when the budget is used up.
    fn facts(&self, _budget: &Budget) -> Vec<Fact> {
        Vec::new()
    }

    /// The net that is drawn of it: its places are called as variables, or `variable=value` where values have names,
    /// and its transitions have the names of actions as identifiers or display names.
    fn picture(&self) -> Cow<'_, PetriNet> {
        self.interactions()
    }

    /// The processes of a program, each an automaton to be drawn: their edges have actions.
    fn processes(&self) -> Vec<Process> {
        Vec::new()
    }

    /// The semantics of paths where none is asked for.
    fn default_paths(&self, logic: Logic) -> PathSemantics {
        logic.default_paths()
    }

    /// The form of file ([`FORMS`](super::FORMS)) that says all that there is to say of it.
    fn form(&self) -> &'static str;

    /// Write it in a form ([`FORMS`](super::FORMS)). What was written is described by its sizes.
    ///
    /// # Errors
    /// [`WriteError`], also when the form does not suit it.
    fn write(
        &self,
        form: &str,
        writing: &Writing,
        budget: &Budget,
        out: &mut dyn Write,
    ) -> Result<Vec<Size>, WriteError>;
}

/// A question as far as it says something about time.
#[derive(Clone, Debug, Default)]
pub struct TimedQuestion {
    /// The formulas that it is made of: one, or the propositions of an automaton; none for a bound.
    pub formulas: Vec<FormulaId>,
    /// Is it an automaton?
    pub is_automaton: bool,
}

/// The model as some of the questions need it.
#[derive(Debug)]
pub struct Tuned {
    /// The model; none if it is so already.
    pub model: Option<Box<dyn Kind>>,
    /// The numbers of the questions.
    pub questions: Vec<usize>,
}

/// The model as each of the questions needs it. What is said of one question does not depend on the others.
#[derive(Debug)]
pub struct Tuning {
    /// The model for some of the questions each, in the order of the first question of each.
    pub parts: Vec<Tuned>,
    /// Of which question, by its number, time may show less than there is, and why.
    pub notes: Vec<(usize, String)>,
}
