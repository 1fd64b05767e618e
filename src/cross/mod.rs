//! Every way of computing an answer against every other.
//!
//! A verdict can be computed by decision diagrams or marking by marking, under any variable order, with any search
//! strategy, by fixpoints or by automata, with any product and any translator. All of them should agree, and they have
//! little in common that could be wrong in the same way. A network of transition systems can be computed on as it is,
//! or on its net. [`compare`] asks them all; [`disagreement`] finds the first figure on which two of them differ. On
//! random nets ([`trial()`]), networks ([`trial_of_network()`]) and models behind a next-state function
//! ([`trial_of_partitioned()`]) a disagreement is made small by [`shrunk`], which removes what is not needed for it
//! (see [`crate::random::shrink()`]).
//!
//! A way that cannot answer (a formula outside of its logic, a budget that is used up, a division by zero that it
//! comes upon) has no opinion, which is no disagreement.

#[cfg(test)]
mod limits_tests;
mod plan;
mod reproduce;
#[cfg(test)]
mod tests;
mod trial;
mod ways;

pub use plan::{Other, Plan, Strategy};
pub use reproduce::{quoted, reproduce, reproduce_disagreement};
pub use trial::{Drawn, Trial, shrunk, trial, trial_of_network, trial_of_partitioned};
pub use ways::compare;

use crate::formula::{FormulaId, Journey, PathSemantics};
use crate::net::PlaceId;
use std::collections::BTreeMap;
use std::fmt;

/// A question beside the statistics of the reachable set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Question {
    /// Does this formula hold in the initial marking, and in how many?
    Formula(FormulaId, PathSemantics),
    /// The largest sum of tokens in these places.
    Bound(Vec<PlaceId>),
    /// How many steps lead from states of one sort to those of another?
    Distance(Journey, PathSemantics),
}

/// Something that is computed in several ways.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Quantity {
    /// Of a formula in the initial marking.
    Verdict,
    /// The number of reachable markings that satisfy a formula.
    Satisfying,
    /// The number of reachable markings.
    States,
    /// The number of pairs of a reachable marking and a transition enabled in it.
    Transitions,
    /// The number of reachable markings that enable nothing.
    Deadlocks,
    /// The most tokens in each place.
    Maxima,
    /// The most tokens in some places together.
    Bound,
    /// A number of steps.
    Distance,
}

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Quantity::Verdict => "verdict",
            Quantity::Satisfying => "satisfying markings",
            Quantity::States => "states",
            Quantity::Transitions => "transitions",
            Quantity::Deadlocks => "deadlocks",
            Quantity::Maxima => "most tokens in each place",
            Quantity::Bound => "bound",
            Quantity::Distance => "steps",
        })
    }
}

/// The values of one way.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opinion {
    /// The way that computed it.
    pub way: String,
    /// The values, in text.
    pub quantities: Vec<(Quantity, String)>,
    /// The reason why values are missing.
    pub stopped: Option<String>,
}

/// The opinions about the reachable set and about each question.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Opinions {
    /// Of the reachable set.
    pub space: Vec<Opinion>,
    /// Of the questions, in their order.
    pub questions: Vec<Vec<Opinion>>,
}

impl Opinions {
    /// The first disagreement, if there is any.
    pub fn disagreement(&self) -> Option<Disagreement> {
        std::iter::once(&self.space).chain(&self.questions).find_map(|opinions| disagreement(opinions))
    }
}

/// The opinions of all ways about one thing, combined.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Judgement<'a> {
    /// The common values; none where ways differ.
    pub quantities: Vec<(Quantity, &'a str)>,
    /// How many have an opinion.
    pub ways: usize,
    /// The reasons why the others have none.
    pub stopped: BTreeMap<&'a str, &'a str>,
    /// In what two of them differ.
    pub disagreement: Option<Disagreement>,
}

impl<'a> Judgement<'a> {
    /// Of these opinions.
    pub fn of(opinions: &'a [Opinion]) -> Self {
        let disagreement = disagreement(opinions);
        let mut quantities: Vec<(Quantity, &str)> = Vec::new();
        for (quantity, value) in opinions.iter().flat_map(|opinion| &opinion.quantities) {
            if disagreement.is_none() && !quantities.iter().any(|(known, _)| known == quantity) {
                quantities.push((*quantity, value));
            }
        }
        let stopped = |opinion: &'a Opinion| Some((opinion.way.as_str(), opinion.stopped.as_deref()?));
        let stopped: BTreeMap<_, _> = opinions.iter().filter_map(stopped).collect();
        Judgement { quantities, ways: opinions.len() - stopped.len(), stopped, disagreement }
    }
}

/// Two ways that differ.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Disagreement {
    /// In what.
    pub quantity: Quantity,
    /// One way and its value.
    pub one: (String, String),
    /// Another way and its value.
    pub other: (String, String),
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Disagreement { quantity, one, other } = self;
        write!(f, "{quantity}: {} says {}, {} says {}", one.0, one.1, other.0, other.1)
    }
}

/// The first figure of which two opinions differ.
pub fn disagreement(opinions: &[Opinion]) -> Option<Disagreement> {
    let mut values: Vec<(Quantity, &str, &str)> = Vec::new();
    for opinion in opinions {
        for (quantity, value) in &opinion.quantities {
            match values.iter().find(|(known, ..)| known == quantity) {
                None => values.push((*quantity, &opinion.way, value)),
                Some((_, way, known)) if known != value => {
                    return Some(Disagreement {
                        quantity: *quantity,
                        one: ((*way).to_owned(), (*known).to_owned()),
                        other: (opinion.way.clone(), value.clone()),
                    });
                }
                Some(_) => {}
            }
        }
    }
    None
}
