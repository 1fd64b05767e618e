//! The notions of soundness, asked of a workflow net together.
//!
//! The demands of [`super::soundness`] and the completion of fair runs ([`super::fairness`]) are explorations of their
//! own, of which one may end where the other does not: what is known is said, and what stopped the other. Every run that
//! refutes something is replayed by the semantics ([`super::replay`]).

use super::fairness::{Incomplete, incomplete};
use super::markings::{ExploreError, Limits};
use super::model::ClockNet;
use super::replay::{NoRun, Run, replay};
use super::scaled::{ScaleError, Scaled};
use super::soundness::{Demand, Soundness, Workflow, soundness};
use super::unbounded::{self, Known};
use crate::budget::Budget;

/// The answers; `None` for what stayed unknown.
#[derive(Clone, Debug)]
pub struct Answers {
    /// The ends of the net.
    pub workflow: Workflow,
    /// The demands on all states.
    pub demands: Option<Soundness>,
    /// A fair run that does not complete, if there is one.
    pub fair: Option<Option<Incomplete>>,
    /// Without time, the net is known to have infinitely many markings.
    pub unbounded: bool,
    /// The facts known then.
    pub known: Known,
    /// Why something stayed unknown.
    pub stopped: Option<ExploreError>,
    /// Why a run that was found is none by the semantics: an error of the program.
    pub broken: Option<NoRun>,
}

/// Asks for all notions.
///
/// # Errors
/// A constraint that cannot be represented.
pub fn ask(net: &ClockNet, workflow: Workflow, budget: &Budget) -> Result<Answers, ScaleError> {
    let scaled = Scaled::new(net)?;
    let limits = Limits::of(budget);
    let unbounded = net.clocks.is_empty() && super::soundness::unbounded(net, budget);
    let known = Known::default();
    let mut answers = Answers { workflow, demands: None, fair: None, unbounded, known, stopped: None, broken: None };
    if unbounded {
        answers.known = net.to_net().map_or(known, |net| unbounded::ask(&net, &answers.workflow, budget));
        return Ok(answers);
    }
    let workflow = &answers.workflow;
    let goal = |tokens: &[u32]| workflow.is_final(tokens);
    let mut kept = |error: ExploreError| answers.stopped = answers.stopped.take().or(Some(error));
    answers.demands = soundness(&scaled, workflow, &limits).map_err(&mut kept).ok();
    answers.fair = incomplete(&scaled, &limits, &goal).map_err(&mut kept).ok();
    answers.broken = answers.runs().into_iter().find_map(|run| replay(net, run).err());
    Ok(answers)
}

impl Answers {
    /// The runs from the start that refute something.
    fn runs(&self) -> Vec<&Run> {
        let mut runs = Vec::new();
        if let Some(s) = &self.demands {
            for demand in [&s.option_to_complete, &s.proper_completion, &s.option_to_mark, &s.single] {
                if let Demand::Refuted(Some(run)) = demand {
                    runs.push(run);
                }
            }
        }
        if let Some(Some(Incomplete::Stops(run) | Incomplete::Repeats(run, _))) = &self.fair {
            runs.push(run);
        }
        runs
    }

    /// Is the net sound in each of the notions?
    pub fn verdicts(&self) -> [(&'static str, Option<bool>); 5] {
        let of = |sound: fn(&Soundness) -> bool| self.demands.as_ref().map(sound);
        let fair = self.fair.as_ref().map(Option::is_none);
        // Growing tokens are left over, or not taken away any more.
        let grown = |verdict: Option<bool>| if self.unbounded { Some(false) } else { verdict };
        [
            ("classical", grown(of(Soundness::classical))),
            ("weak", grown(of(Soundness::weak))),
            ("relaxed", of(Soundness::relaxed).or(self.known.relaxed)),
            ("lazy", of(Soundness::lazy).or(self.known.lazy)),
            ("fair", fair),
        ]
    }
}
