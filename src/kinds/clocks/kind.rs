//! Nets with clocks as a kind of model: what the engines get of them, and their files.
//!
//! Explicit search works on integer time ([`IntegerNet`]). For diagrams the passing of a unit would be an event that
//! touches all clocks and all places with invariants at once; that is left out for now, and said so.

use super::error::ReadError as Refusal;
use super::line_format;
use super::packed::TickSpace;
use super::system::IntegerNet;
use crate::budget::Budget;
use crate::explicit::{Compiled, Encoding, Explicit};
use crate::halt::Halt;
use crate::kinds::network::write_aut;
use crate::kinds::text::text;
use crate::kinds::{Fact, Kind, Loaded, ReadError, Reading, Size, WriteError, Writing, graph};
use crate::model::{TransitionSystem, VariableId};
use crate::net::PetriNet;
use crate::relation::{Relation, RelationError};
use std::borrow::Cow;
use std::io::{self, Write};
use std::path::PathBuf;

/// A net with clocks in a file, in integer time.
pub(in crate::kinds) fn pnwc(paths: &[PathBuf], _: &Reading, _: &Budget) -> Result<Loaded, ReadError> {
    let (text, file) = text(paths.first().ok_or(ReadError::Nothing)?)?;
    let net = line_format::read(&text, &file)?;
    let model = IntegerNet::new(net).map_err(|problem| Refusal::about(&file, problem.to_string()))?;
    let origin = "A net with clocks, in integer time.";
    let mut notes = Vec::new();
    if !model.is_closed() {
        let factor = model.net().clocks.len() + 1;
        notes.push(format!(
            "some comparisons are strict: integer time may miss states that dense time reaches; constants times {factor} \
             would miss less"
        ));
    }
    Ok(Loaded { origin, notes, ..Loaded::new(model) })
}

impl Kind for IntegerNet {
    fn relation(&self, _: &[VariableId]) -> Result<Relation, RelationError> {
        Err(RelationError::Unsupported("diagrams do not let the time of clocks pass yet; search explicitly"))
    }

    fn compile<'m>(&'m self, _: &Encoding, _: &Budget) -> Result<Box<dyn Explicit<'m> + 'm>, Halt> {
        Ok(Box::new(Compiled::new(TickSpace::new(self))))
    }

    fn interactions(&self) -> Cow<'_, PetriNet> {
        Cow::Owned(self.to_net().unwrap_or_else(|| unreachable!("a model is made only if it has this net")))
    }

    fn sizes(&self) -> Vec<Size> {
        let net = self.net();
        vec![
            Size::new("places", "place", net.places.len()),
            Size::new("transitions", "transition", net.transitions.len()),
            Size::new("clocks", "clock", net.clocks.len()),
        ]
    }

    fn facts(&self) -> Vec<Fact> {
        let unit = if self.scale() == 1 { "1".to_owned() } else { format!("1/{}", self.scale()) };
        vec![Fact::new("scale", self.scale(), "unit of time", unit)]
    }

    fn form(&self) -> &'static str {
        "pnwc"
    }

    fn write(
        &self,
        form: &str,
        writing: &Writing,
        budget: &Budget,
        out: &mut dyn Write,
    ) -> Result<Vec<Size>, WriteError> {
        match form {
            "pnwc" => {
                let refused = |problem: line_format::WriteError| io::Error::new(io::ErrorKind::InvalidInput, problem);
                out.write_all(line_format::write(self.net()).map_err(refused)?.as_bytes())?;
                out.flush()?;
                Ok(self.sizes())
            }
            "aut" => {
                let graph = graph::graph(self, &|action| self.action(action), writing.most, budget)?;
                write_aut(&graph, out)?;
                Ok(graph::sizes(&graph))
            }
            _ => {
                let forms = &["pnwc", "aut"];
                Err(WriteError::Form { model: self.terms().model, form: form.to_owned(), forms })
            }
        }
    }
}
