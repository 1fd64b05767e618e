//! Models behind a next-state function: the partitioned next-state interface (PINS).
//!
//! **Problem.** Languages of models are many, and each of them wants all engines. Most of their models have no formula
//! or table for a transition: what a state leads to is known only once an interpreter has been asked for it.
//!
//! **Idea.** A front end gives its variables, its initial states and *transition groups*, each with the variables that
//! it reads and writes, and answers which successors the values of what is read have ([`NextState`]). That a group
//! depends on few variables is all that engines need: a transition that reads three of a hundred variables is asked for
//! once for each combination of those three, however many states share it. The interface is that of LTSmin, in which
//! the number of such calls is the cost of an exploration.
//!
//! | file | concern |
//! |---|---|
//! | `next_state` | the interface: variables, groups, labels, batches of short states |
//! | `model` | a front end as a model of this library: what was asked is kept, for all who ask again |
//! | `system` | its firing rule ([`crate::model::TransitionSystem`]), which witnesses are replayed with |
//! | `labels` | its state labels, and the names of its values: what formulas ask it |
//! | `relation` | what diagrams learn of it |
//! | `packed` | what explicit search sees of it |
//! | `check_rows` | are the rows right? Held against behaviour while a model is explored |
//! | `dve/` | DVE, the language of BEEM: processes, channels, property processes |
//! | `etf/` | ETF, tables of transitions as LTSmin writes them; and any explored model as such tables |
//! | `logical/` | Boolean and multi-valued networks, of which every state is initial |
//! | `smv/` | SMV, the language of NuSMV: modules whose parts move together, inputs, fairness |
//! | `b/` | classical B machines, counted as ProB counts them |
//! | `prob/` | machines that ProB or another server explores (feature `prob`) |
//! | `read`, `error` | files |
//! | `source` | places in texts, and errors that name them |
//!
//! A front end knows its language and no engine. Its values are *codes*; what engines and formulas work on are the
//! values of [`PinsModel`]: numbers, counted from the least on, or the codes of what has names.
//!
//! References: Blom, van de Pol, Weber, *LTSmin: Distributed and Symbolic Reachability*, CAV 2010; Meijer, Kant, Blom,
//! van de Pol, *Read, Write and Copy Dependencies for Symbolic Model Checking*, HVC 2014; Kant, Laarman, Meijer, van de
//! Pol, Blom, van Dijk, *LTSmin: High-Performance Language-Independent Model Checking*, TACAS 2015; Bendisposto,
//! Körner, Leuschel, Meijer, van de Pol, Treharne, Whitefield, *Symbolic Reachability Analysis of B Through ProB and
//! LTSmin*, iFM 2016.

pub mod b;
mod check_rows;
pub mod dve;
mod error;
pub mod etf;
#[cfg(test)]
mod explore;
mod labels;
pub mod logical;
mod model;
mod next_state;
mod packed;
#[cfg(feature = "prob")]
pub mod prob;
pub(in crate::kinds) mod read;
mod relation;
pub mod smv;
mod source;
mod system;

pub use error::PinsError;
pub use model::{NoStart, PinsModel};
pub use next_state::{
    Batch, COPY, Direct, Group, LabelRole, ModelError, Moves, NextState, Process, Signature, StateLabel, Successors,
    Value, Values, Variable, Whole,
};
pub use source::{Place, SourceError};

use super::{Fact, Flat, Kind, Size, WriteError, Writing};
use crate::budget::Budget;
use crate::circuit::Circuit;
use crate::explicit::{Compiled, Encoding, Explicit};
use crate::formula::{Logic, PathSemantics};
use crate::kinds::network::{NoGraph, write_graph};
use crate::model::{State, TransitionSystem as _, VariableId};
use crate::net::{NetBuilder, PetriNet};
use crate::relation::{Mediated, Relation, RelationError};
use crate::stop_reason::StopReason;
use model::MANY_FIRST;
use packed::PackedPins;
use std::borrow::Cow;
use std::io::{Error, Write};

impl Kind for PinsModel {
    fn relation_within(&self, order: &[VariableId], budget: &Budget) -> Result<Relation, RelationError> {
        relation::relation(self, order, budget)
    }

    fn mediated(&self, relation: &Relation, budget: &Budget) -> Vec<Mediated> {
        self.next_state().mediated(relation, budget)
    }

    fn compile<'m>(&'m self, _: &Encoding, budget: &Budget) -> Result<Box<dyn Explicit<'m> + 'm>, StopReason> {
        match self.lists_initial() {
            true => Ok(Box::new(Compiled::new(PackedPins::new(self, budget)?))),
            false => Err(StopReason::Unsupported(MANY_FIRST)),
        }
    }

    fn most_levels(&self) -> usize {
        self.next_state().bits().unwrap_or_else(|| self.variables())
    }

    fn favours_declared_order(&self) -> bool {
        self.next_state().favours_declared_order()
    }

    fn default_paths(&self, logic: Logic) -> PathSemantics {
        self.next_state().paths().unwrap_or_else(|| logic.default_paths())
    }

    fn interactions(&self) -> Cow<'_, PetriNet> {
        Cow::Owned(self.to_net())
    }

    fn picture(&self) -> Cow<'_, PetriNet> {
        // Programs are no nets, and a drawing of what reads what says little of them.
        Cow::Owned(NetBuilder::new(self.name()).build().unwrap_or_else(|_| unreachable!("a net may be empty")))
    }

    fn processes(&self) -> Vec<Process> {
        self.next_state().processes()
    }

    fn flat(&self) -> Option<Flat> {
        self.next_state().flat()
    }

    fn as_program(&self) -> Option<&starset_smv::Model> {
        self.next_state().program()
    }

    fn has_circuit(&self) -> bool {
        // One that is started in a single state is not the whole.
        !self.is_started && self.next_state().has_circuit()
    }

    fn circuit(&self, budget: &Budget) -> Option<Circuit> {
        if self.has_circuit() { self.next_state().circuit(budget) } else { None }
    }

    fn is_run(&self, states: &[State], asides: &[Vec<u64>]) -> Option<bool> {
        let codes = |state: &State| -> Option<Vec<u32>> {
            let values = self.variable_ids().zip(state.as_slice());
            values.map(|(variable, &value)| self.code_of(variable, u32::try_from(value).ok()?)).collect()
        };
        let states: Vec<Vec<u32>> = states.iter().map(codes).collect::<Option<_>>()?;
        self.next_state().is_run(&states, asides)
    }

    fn facts(&self, _: &Budget) -> Vec<Fact> {
        self.next_state().facts()
    }

    fn sizes(&self) -> Vec<Size> {
        let signature = self.signature();
        let mut sizes = vec![
            Size::new("variables", "variable", signature.variables.len()),
            Size::new("groups", "transition group", signature.groups.len()),
            Size::new("labels", "state label", signature.labels.len()),
        ];
        let (initial, setups) = (signature.initial.len(), self.next_state().setups());
        if !self.lists_initial() {
            return sizes;
        }
        if initial != 1 || setups > 0 {
            sizes.push(Size::new("initial", "initial state", initial));
        }
        if setups > 0 {
            sizes.push(Size::new("setups", "set-up", setups));
        }
        sizes
    }

    fn started_in(&self, initial: &State) -> Option<Box<dyn Kind>> {
        Some(Box::new(PinsModel::started_in(self, initial)?))
    }

    fn passes_through(&self) -> bool {
        self.next_state().passes_through()
    }

    fn with_copies(&self, names: &[&str]) -> Option<Box<dyn Kind>> {
        Some(Box::new(PinsModel::with_copies(self, names)?))
    }

    fn lists_initial_states(&self) -> bool {
        self.lists_initial()
    }

    fn initialisations(&self) -> u64 {
        self.next_state().initialisations() as u64
    }

    fn next_state_calls(&self) -> Option<u64> {
        Some(self.calls())
    }

    fn failed(&self) -> Option<String> {
        self.failed.get().map(ToString::to_string)
    }

    fn form(&self) -> &'static str {
        "aut"
    }

    fn write(
        &self,
        form: &str,
        writing: &Writing,
        budget: &Budget,
        out: &mut dyn Write,
    ) -> Result<Vec<Size>, WriteError> {
        if form == "bnet"
            && let Some(text) = self.next_state().as_bnet()
        {
            out.write_all(text.map_err(Error::other)?.as_bytes())?;
            return Ok(self.sizes());
        }
        if form != "aut" {
            return Err(WriteError::Form { model: self.terms().model, form: form.to_owned(), forms: &["aut"] });
        }
        if !self.lists_initial() {
            return Err(NoGraph::ManyInitial(self.signature().initial.len()).into());
        }
        write_graph(self, writing, budget, out)
    }
}
