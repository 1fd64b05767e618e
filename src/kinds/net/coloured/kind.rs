//! A coloured net that is not unfolded, as a kind of model.

use super::folded::{Folded, TOO_LARGE};
use crate::budget::Budget;
use crate::explicit::{Encoding, Explicit};
use crate::kinds::{Fact, Kind, Size, WriteError, Writing};
use crate::model::VariableId;
use crate::net::PetriNet;
use crate::relation::{Relation, RelationError};
use crate::stop_reason::StopReason;
use std::borrow::Cow;
use std::io::Write;

impl Kind for Folded {
    fn relation_within(&self, _: &[VariableId], _: &Budget) -> Result<Relation, RelationError> {
        Err(RelationError::Unsupported(TOO_LARGE))
    }

    fn compile<'m>(&'m self, _: &Encoding, _: &Budget) -> Result<Box<dyn Explicit<'m> + 'm>, StopReason> {
        Err(self.stop())
    }

    fn interactions(&self) -> Cow<'_, PetriNet> {
        Cow::Borrowed(&self.skeleton)
    }

    fn as_folded(&self) -> Option<&Folded> {
        Some(self)
    }

    fn sizes(&self) -> Vec<Size> {
        vec![
            Size::new("places", "coloured place", self.net.place_count()),
            Size::new("transitions", "coloured transition", self.net.transition_count()),
            Size::new("arcs", "arc", self.net.arc_count()),
        ]
    }

    fn facts(&self, _: &Budget) -> Vec<Fact> {
        Vec::new()
    }

    fn form(&self) -> &'static str {
        "pnml"
    }

    fn write(&self, _: &str, _: &Writing, _: &Budget, _: &mut dyn Write) -> Result<Vec<Size>, WriteError> {
        Err(WriteError::Folded(self.why().clone()))
    }
}
