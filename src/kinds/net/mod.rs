//! Petri nets as a kind of model. The plain data of nets are in [`crate::net`], which everything may know.

pub mod coloured;
mod describe;
pub mod families;
pub mod formats;
pub(crate) mod packed;
pub mod pnml;
pub(in crate::kinds) mod read;
mod relation;
mod system;
mod write;

use super::{Fact, Kind, Size, WriteError, Writing};
use crate::budget::Budget;
use crate::explicit::{Compiled, Encoding, Explicit};
use crate::model::VariableId;
use crate::net::PetriNet;
use crate::relation::{Relation, RelationError};
use crate::stop_reason::StopReason;
use packed::PackedNet;
use std::borrow::Cow;
use std::io::Write;

impl Kind for PetriNet {
    fn relation_within(&self, order: &[VariableId], budget: &Budget) -> Result<Relation, RelationError> {
        relation::relation(self, order, budget)
    }

    fn compile<'m>(&'m self, encoding: &Encoding, budget: &Budget) -> Result<Box<dyn Explicit<'m> + 'm>, StopReason> {
        let space = PackedNet::new(self, encoding, budget);
        Ok(Box::new(Compiled::new(space)))
    }

    fn interactions(&self) -> Cow<'_, PetriNet> {
        Cow::Borrowed(self)
    }

    fn as_net(&self) -> Option<&PetriNet> {
        Some(self)
    }

    fn sizes(&self) -> Vec<Size> {
        describe::sizes(self)
    }

    fn facts(&self, budget: &Budget) -> Vec<Fact> {
        describe::facts(self, budget)
    }

    fn form(&self) -> &'static str {
        "pnml"
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
