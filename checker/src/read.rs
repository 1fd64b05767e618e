//! Models from the texts of their files: Petri nets, networks of transition systems, programs of SMV, tables.

use crate::conditions::Kept;
use crate::effort::{Taken, left, measured, within};
use crate::net::{Effect, MOST, Net};
use crate::states::{self, STATES};
use crate::{Checked, conjunctions, dot, etf, pnml, refuse};

/// States that are few, and the work to list them where it is not known how many there are.
const FEW: (usize, u64) = (2_000, 2_000_000);

impl Net {
    /// Read a model from the text of its file: PNML, a network in DOT, a flat program of SMV, or a system in flat
    /// ETF.
    ///
    /// # Errors
    /// Where it is none of these, or says something that is not understood.
    pub fn read(text: &str) -> Checked<Net> {
        let net = if text.trim_start_matches('\u{feff}').trim_start().starts_with('<') {
            pnml::read(text)?
        } else if is_program(text) {
            states::graph(text, STATES)?
        } else if etf::is_etf(text) {
            etf::read(text)?
        } else {
            dot::read(text)?
        };
        let small = |effect: &Effect| match effect {
            Effect::Tokens(of) => of.least <= MOST && of.take <= of.least && of.put <= MOST,
            Effect::Table(pairs) => pairs.is_sorted_by(|a, b| a.0 < b.0),
        };
        let effects = net.steps.iter().flat_map(|step| &step.effects);
        if net.places.iter().any(|place| place.initial > MOST) || !effects.clone().all(|(_, effect)| small(effect)) {
            return refuse("the model has too many tokens, or too heavy arcs");
        }
        Ok(net)
    }

    /// Read a flat program of SMV without a list of its states: there are places, and no steps.
    ///
    /// # Errors
    /// Where it is none, or says something that is not understood.
    pub fn read_unlisted(text: &str) -> Checked<Net> {
        if is_program(text) { states::unlisted(text) } else { refuse("the model is no program of SMV") }
    }

    /// Read a model for those who make certificates ([`crate::Subject::read_either`]), and what it takes to read it so.
    ///
    /// # Errors
    /// As [`Net::read`].
    pub(crate) fn read_either(text: &str, names: &[&str], states: Option<usize>, kept: &Kept) -> Checked<(Net, Taken)> {
        let read = |how: &dyn Fn(&str) -> Checked<Net>| {
            let (net, taken) = measured(|| how(text));
            net.map(|net| (net, taken))
        };
        if !is_program(text) {
            return read(&Net::read);
        }
        let (most, work) = match states {
            None => FEW,
            Some(states) if states <= STATES => (STATES, u64::MAX),
            Some(_) => (0, 0),
        };
        // What follows has the other half.
        within(work.min(left() / 2), || read(&|text| states::graph(text, most)))
            .or_else(|_| {
                let found = read(&Net::read_unlisted)?;
                within(u64::MAX, || conjunctions::compiles(&found.0, names, kept)).map(|()| found)
            })
            .or_else(|_| read(&Net::read))
    }
}

/// Does a text begin, after comments, as programs of SMV do?
fn is_program(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim_start);
    lines.find(|line| !line.is_empty() && !line.starts_with("--")).is_some_and(|line| line.starts_with("MODULE"))
}
