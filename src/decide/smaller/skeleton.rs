//! Questions that the skeleton of a coloured net answers ([`crate::reduction::skeleton`]).
//!
//! The skeleton can do whatever the net can, and perhaps more. So what is never reached there is never reached, what
//! holds on all its runs holds on all runs, and its bounds are upper bounds; nothing follows from a run that it has. It
//! is about as large as the coloured net, whatever the unfolding: it is asked before structure and linear programs,
//! whose cost grows with the unfolding, for a time that grows with it, too.

mod approximation;
mod constants;
#[cfg(test)]
mod tests;

pub(in crate::decide) use approximation::{Approximation, Side};

use crate::budget::Budget;
use crate::decide::answer::{OnBehalf, Remapped};
use crate::decide::context::Context;
use crate::decide::rewriting::translated::Seen;
use crate::decide::task::Task;
use crate::decide::{Answer, Global, Question, Settings, Subject, Value, Ways};
use crate::formula::Pool;
use crate::kinds::net::coloured::Folded;
use crate::model::Groups;
use crate::net::PetriNet;
use crate::reduction::skeleton::Skeleton;
use crate::stop_reason::StopReason;
use std::cell::OnceCell;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The time for each arc of the unfolding, the least and the most in all, and the part of the budget.
const PER_ARC: Duration = Duration::from_micros(20);
const LEAST: Duration = Duration::from_millis(30);
const MOST: Duration = Duration::from_secs(2);
const PART: u32 = 20;

/// The skeleton of the net of a case.
pub(in crate::decide) struct Skeletal {
    skeleton: Skeleton,
    groups: Groups,
    idle: OnceCell<Option<PetriNet>>,
    budget: Budget,
}

impl Skeletal {
    /// The skeleton, if the net has families and it is smaller than the net.
    pub(in crate::decide) fn new(context: &Context<'_>, net: &PetriNet) -> Option<Self> {
        if !context.settings.techniques.skeleton || !context.settings.ways.structure {
            return None;
        }
        let arcs = u32::try_from(net.arc_count()).unwrap_or(u32::MAX);
        let most = PER_ARC.saturating_mul(arcs).clamp(LEAST, MOST);
        let budget = context.budget.part_up_to(1, PART, most);
        let mut seen = Seen::default();
        for (_, asked) in context.board.questions() {
            match &asked.question {
                // What cannot be seen there is not asked there.
                Question::Formula { formula, linear, .. } => {
                    let _unseen = seen.formulas(context.subject.pool, &[*formula, *linear]);
                }
                Question::Bound(places) => seen.sums.push(places),
                _ => {}
            }
        }
        let groups = context.subject.groups;
        let skeleton = Skeleton::new(net, &groups.variables, &seen.sums, &budget)?;
        let groups = Groups {
            variables: groups.variables.iter().map(|group| skeleton.sum(group)).collect::<Option<_>>()?,
            actions: groups.actions.iter().map(|group| skeleton.images(group)).collect(),
        };
        Some(Skeletal { skeleton, groups, idle: OnceCell::new(), budget })
    }

    /// The skeleton of a coloured net that was not unfolded.
    pub(in crate::decide) fn of_folded(context: &Context<'_>, folded: &Folded) -> Self {
        let (groups, budget) = (context.subject.groups.clone(), context.budget.part(1, 2));
        Skeletal { skeleton: folded.skeleton(), groups, idle: OnceCell::new(), budget }
    }

    /// The skeleton, which translates formulas.
    pub(in crate::decide) fn skeleton(&self) -> &Skeleton {
        &self.skeleton
    }

    /// The answers of the skeleton to these questions about it, in their order.
    pub(in crate::decide) fn ask(&self, context: &Context<'_>, pool: &Pool, questions: Vec<Question>) -> Vec<Value> {
        self.ask_of(self.skeleton.net(), context, pool, questions)
    }

    /// The same where the skeleton may also do nothing, for questions about whole runs.
    pub(in crate::decide) fn ask_idle(
        &self,
        context: &Context<'_>,
        pool: &Pool,
        questions: Vec<Question>,
    ) -> Vec<Value> {
        match self.idle.get_or_init(|| self.skeleton.idle()) {
            Some(net) => self.ask_of(net, context, pool, questions),
            None => Vec::new(),
        }
    }

    /// Is this what it answers of the whole net?
    pub(in crate::decide) fn says(&self, context: &Context<'_>, global: Global, verdict: bool) -> bool {
        self.ask(context, &Pool::new(), vec![Question::Global(global)]) == [Value::Verdict(verdict)]
    }

    fn ask_of(&self, net: &PetriNet, context: &Context<'_>, pool: &Pool, questions: Vec<Question>) -> Vec<Value> {
        let unknown = Value::Unknown(StopReason::Unsupported("nothing was asked of the skeleton"));
        let answers = Mutex::new(vec![unknown; questions.len()]);
        let answered = |answer: Answer| {
            let mut answers = answers.lock().unwrap_or_else(PoisonError::into_inner);
            answers[answer.question] = answer.value;
        };
        let listener = Remapped(OnBehalf { listener: context.board.listener(), question: 0, answered });
        // A run there shows nothing.
        let ways = Ways { walks: false, bit_state: false, ..context.settings.ways };
        let settings = Settings { ways, orders: Vec::new(), ..context.settings.clone() };
        let requests: Vec<_> = questions.into_iter().map(Into::into).collect();
        let time = self.budget.remaining();
        let subject = Subject { model: net, groups: &self.groups, pool };
        let (settings, budget, listener) = (&settings, &self.budget, &listener);
        context.solver.solve(&Task { subject, requests: &requests, settings, budget, listener, time });
        answers.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}
