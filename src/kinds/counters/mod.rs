//! Counter machines: named counters, a control state, and transitions that test and change them.
//!
//! A small kind of model, and the template for new ones (docs/kinds.md): this folder and one line in
//! [`super::FORMATS`] are all that there is of it.
//!
//! | file | concern |
//! |---|---|
//! | `machine` | the model |
//! | `system` | its firing rule ([`crate::model::TransitionSystem`]), which witnesses are replayed with |
//! | `relation` | what diagrams see of it |
//! | `packed` | what explicit search sees of it |
//! | `read`, `write` | files |

mod machine;
mod packed;
pub(in crate::kinds) mod read;
mod relation;
mod system;
mod write;

pub use machine::{Control, Counter, CounterMachine, MachineError, OnCounter, Transition};
pub use read::read_counters;

use super::{Kind, Size, WriteError, Writing};
use crate::budget::Budget;
use crate::explicit::{Compiled, Encoding, Explicit};
use crate::model::VariableId;
use crate::net::PetriNet;
use crate::relation::{Relation, RelationError};
use crate::stop_reason::StopReason;
use packed::PackedMachine;
use std::borrow::Cow;
use std::io::Write;

impl Kind for CounterMachine {
    fn relation_within(&self, order: &[VariableId], _budget: &Budget) -> Result<Relation, RelationError> {
        relation::relation(self, order)
    }

    fn compile<'m>(&'m self, _: &Encoding, _: &Budget) -> Result<Box<dyn Explicit<'m> + 'm>, StopReason> {
        Ok(Box::new(Compiled::new(PackedMachine::new(self))))
    }

    fn interactions(&self) -> Cow<'_, PetriNet> {
        Cow::Owned(self.to_net(false))
    }

    fn sizes(&self) -> Vec<Size> {
        let states = self.control().map_or(0, |control| control.states.len());
        vec![
            Size::new("states", "control state", states),
            Size::new("counters", "counter", self.counters().len()),
            Size::new("transitions", "transition", self.transitions().len()),
        ]
    }

    fn as_counters(&self) -> Option<&CounterMachine> {
        Some(self)
    }

    fn picture(&self) -> Cow<'_, PetriNet> {
        Cow::Owned(self.to_net(true))
    }

    fn form(&self) -> &'static str {
        "counters"
    }

    fn write(
        &self,
        form: &str,
        writing: &Writing,
        budget: &Budget,
        out: &mut dyn Write,
    ) -> Result<Vec<Size>, WriteError> {
        write::write(self, form, writing, budget, out)
    }
}
