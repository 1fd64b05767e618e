//! Nets with clocks as a kind of model: what the engines get of them, and their files.
//!
//! Both engines work on integer time ([`IntegerNet`]): packed states in `packed.rs`, the relation in `relation.rs`.

use super::error::ReadError as Refusal;
use super::markings::Limits;
use super::model::ClockNet;
use super::packed::PackedClockNet;
use super::predicate::ClockId;
use super::scaled::Scaled;
use super::system::IntegerNet;
use super::{consistency, line_format, pnml, queries, rational, relation, tapn, tchecker, units};
use crate::budget::Budget;
use crate::explicit::{Compiled, Encoding, Explicit};
use crate::formula::{Pool, compared_constants};
use crate::kinds::net::pnml::Time;
use crate::kinds::network::write_graph;
use crate::kinds::reading::{ClockReading, text};
use crate::kinds::{Fact, Kind, Loaded, ReadError, Reading, Size, TimedQuestion, Tuning, WriteError, Writing};
use crate::model::{TransitionSystem, VariableId};
use crate::net::PetriNet;
use crate::relation::{Relation, RelationError};
use crate::stop_reason::StopReason;
use std::borrow::Cow;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A net with clocks in a file, in integer time.
pub(in crate::kinds) fn pnwc(paths: &[PathBuf], reading: &Reading, _: &Budget) -> Result<Loaded, ReadError> {
    let path = paths.first().ok_or(ReadError::Nothing)?;
    loaded(net_in_lines(path, reading)?, &path.display().to_string(), reading.clocks)
}

/// A net with clocks, or with tokens that have ages, in a PNML file, in integer time.
pub(in crate::kinds) fn in_pnml(
    text: &str,
    file: &str,
    time: Time,
    reading: &Reading,
    budget: &Budget,
) -> Result<Loaded, ReadError> {
    let net = net_in_pnml(text, file, time, reading, budget)?;
    let (questions, remarks) = match time {
        Time::Ages => queries::timed_queries(text, file, &net),
        Time::Clocks => Default::default(),
    };
    Ok(Loaded { questions, remarks, ..loaded(net, file, reading.clocks)? })
}

/// The net of TAPAAL in a text, if it has no time.
pub(in crate::kinds) fn untimed(text: &str, file: &str) -> Result<Option<PetriNet>, ReadError> {
    Ok(tapn::read_untimed(text, file)?)
}

/// A net without time gets the queries of its file as questions.
pub(in crate::kinds) fn with_queries(loaded: Loaded, text: &str, file: &str) -> Loaded {
    let (questions, more) = queries::queries(text, file, &loaded.symbols);
    let remarks = [loaded.remarks, more].concat();
    Loaded { questions, remarks, ..loaded }
}

/// The net in a file of lines.
pub(in crate::kinds) fn net_in_lines(path: &Path, reading: &Reading) -> Result<ClockNet, ReadError> {
    let (text, file) = text(path)?;
    let net = line_format::read(&text, &file)?;
    if net.places.is_empty() && net.transitions.is_empty() {
        return Err(Refusal::at(&file, 1, 1, crate::kinds::NOTHING).into());
    }
    checked(net, &file, reading.clocks)
}

/// The net in a PNML file with clocks or ages.
pub(in crate::kinds) fn net_in_pnml(
    text: &str,
    file: &str,
    time: Time,
    reading: &Reading,
    budget: &Budget,
) -> Result<ClockNet, ReadError> {
    let net = match time {
        Time::Clocks => pnml::read(text, file)?,
        Time::Ages => tapn::read(text, file, &Limits::of(budget))?,
    };
    checked(net, file, reading.clocks)
}

/// The net, if its constraints can be represented, and are by the letter of the paper where that is asked for.
fn checked(net: ClockNet, file: &str, asked: ClockReading) -> Result<ClockNet, ReadError> {
    let refused = |problem: String| Refusal::about(file, problem);
    let scaled = Scaled::new(&net).map_err(|problem| refused(problem.to_string()))?;
    match asked.strict_paper.then(|| consistency::not_by_the_paper(&scaled)).flatten() {
        Some(problem) => Err(refused(problem).into()),
        None => Ok(net),
    }
}

/// The net in integer time, if it is as it is asked to be.
fn loaded(net: ClockNet, file: &str, asked: ClockReading) -> Result<Loaded, ReadError> {
    let refused = |problem: String| Refusal::about(file, problem);
    let scaled = Scaled::new(&net).map_err(|problem| refused(problem.to_string()))?;
    let mut notes = Vec::new();
    let mut factor = 1;
    if let Some(constraint) = scaled.first_strict() {
        let of = constraint.text(&net);
        if asked.exact {
            let problem = format!(
                "{of} is strict, and integer time may miss what dense time reaches; write it with <=, = and >=, or leave \
                 --exact out"
            );
            return Err(refused(problem).into());
        }
        let finer = net.clocks.len() + 1;
        let strict = format!("{of} is strict: integer time may miss states that dense time reaches");
        notes.push(if asked.whole_units {
            strict
        } else {
            factor = finer as u32;
            format!("{strict}; a unit is divided by {finer}, by which nothing has been missed so far")
        });
    }
    let model = IntegerNet::with_factor(net, factor).map_err(|problem| refused(problem.to_string()))?;
    Ok(Loaded { origin: "A net with clocks, in integer time.", notes, ..Loaded::new(model) })
}

impl Kind for IntegerNet {
    fn relation_within(&self, order: &[VariableId], budget: &Budget) -> Result<Relation, RelationError> {
        relation::relation(self, order, budget)
    }

    fn compile<'m>(&'m self, _: &Encoding, _: &Budget) -> Result<Box<dyn Explicit<'m> + 'm>, StopReason> {
        Ok(Box::new(Compiled::new(PackedClockNet::new(self))))
    }

    fn interactions(&self) -> Cow<'_, PetriNet> {
        Cow::Owned(self.to_net().unwrap_or_else(|| unreachable!("a model is made only if it has this net")))
    }

    fn picture(&self) -> Cow<'_, PetriNet> {
        self.net().to_net().map_or_else(|| self.interactions(), Cow::Owned)
    }

    fn rescaled(&self, formulas: &[&str]) -> Option<Box<dyn Kind>> {
        let compared = formulas.iter().flat_map(|text| compared_constants(text));
        let moment = |(name, number): (String, String)| {
            let clock = (0..self.net().clocks.len()).find(|&x| self.variable(self.clock_variable(x)) == name)?;
            Some((ClockId(clock as u32), rational::parse(&number)?))
        };
        let rescaled = self.compared_with(compared.filter_map(moment).collect())?;
        Some(Box::new(rescaled))
    }

    fn tuned(&self, pool: &Pool, questions: &[TimedQuestion]) -> Option<Tuning> {
        (!self.net().clocks.is_empty()).then(|| units::tuned(self, pool, questions))
    }

    fn sizes(&self) -> Vec<Size> {
        self.net().sizes().into()
    }

    fn facts(&self, _: &Budget) -> Vec<Fact> {
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
            "pnml" => {
                out.write_all(pnml::write(self.net()).as_bytes())?;
                out.flush()?;
                Ok(self.sizes())
            }
            "tck" => {
                let refused = |problem: String| WriteError::from(io::Error::new(io::ErrorKind::InvalidInput, problem));
                let scaled = Scaled::new(self.net()).map_err(|problem| refused(problem.to_string()))?;
                let text = tchecker::export(&scaled, &Limits::of(budget), &|_| false);
                out.write_all(text.map_err(|problem| refused(problem.to_string()))?.as_bytes())?;
                out.flush()?;
                Ok(self.sizes())
            }
            "aut" => write_graph(self, writing, budget, out),
            _ => {
                let forms = &["pnwc", "pnml", "tck", "aut"];
                Err(WriteError::Form { model: self.terms().model, form: form.to_owned(), forms })
            }
        }
    }
}
