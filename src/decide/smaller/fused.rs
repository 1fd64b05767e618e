//! Questions asked of a net in which places that nothing tells apart are one ([`crate::reduction::fusion`]).
//!
//! Verdicts, bounds and the properties of the whole model are the same there, whatever way finds them: so the net itself
//! is left behind before anything else is done. Counts of states, sat-sets and runs are those of the net itself, and so are
//! questions that want them. What all questions together see of the net may be much, and each of them alone little: when its
//! turn comes to be asked of a reduced net, it is fused again for that question alone (`reduced`).

use super::translated::{Seen, is_smaller, onto_fused};
use crate::budget::Budget;
use crate::decide::{Answer, Asked, Global, Listener, Progress, Question, Settings, Subject, Technique, Value, rounds};
use crate::formula::Pool;
use crate::model::Groups;
use crate::net::PetriNet;
use crate::reduction::fusion::Tokens;
use crate::witness::Broken;
use std::time::Duration;

/// The part of the time that looking for equivalent places may take, up to so much.
const PART: u32 = 2;
const MOST: Duration = Duration::from_secs(60);

/// The questions on a net that is smaller by a good part, with their pool and what belongs together there.
pub(in crate::decide) struct Smaller {
    pub(in crate::decide) net: PetriNet,
    pub(in crate::decide) groups: Groups,
    pub(in crate::decide) pool: Pool,
    pub(in crate::decide) asked: Vec<Asked>,
}

/// The net for these questions; `None` if they want more than answers, or no smaller net has the answers.
pub(in crate::decide) fn smaller(
    subject: Subject<'_>,
    asked: &[Asked],
    settings: &Settings<'_>,
    budget: &Budget,
) -> Option<Smaller> {
    let net = subject.model.as_net()?;
    let plain = |asked: &Asked| {
        !asked.set && !asked.witness && !matches!(asked.question, Question::Figure(_) | Question::Automaton { .. })
    };
    if !settings.ways.reductions || !settings.ideas.fusion || !settings.orders.is_empty() || !asked.iter().all(plain) {
        return None;
    }
    let mut seen = Seen::default();
    let mut groups = Groups { variables: Vec::new(), actions: Vec::new() };
    for asked in asked {
        match &asked.question {
            Question::Formula { formula, linear, .. } => seen.formulas(subject.pool, &[*formula, *linear])?,
            Question::Bound(places) => seen.sums.push(places),
            Question::Global(Global::Deadlock) => {}
            Question::Global(Global::OneSafe | Global::StableMarking) => {
                groups.variables = subject.groups.variables.clone()
            }
            Question::Global(Global::Liveness | Global::QuasiLiveness) => {
                groups.actions = subject.groups.actions.clone()
            }
            Question::Figure(_) | Question::Automaton { .. } | Question::Unreadable(_) => {}
        }
    }
    seen.sums.extend(groups.variables.iter().map(|group| &**group));
    seen.lists.extend(groups.actions.iter().map(|group| &**group));
    let budget = budget.part_up_to(1, PART, MOST);
    let fused = seen.fuse(&Tokens::new(net, &budget)?, &budget).filter(|fused| is_smaller(&fused.net, net))?;
    let mut pool = subject.pool.clone();
    let mut translated = Vec::with_capacity(asked.len());
    for asked in asked {
        let question = match &asked.question {
            &Question::Formula { formula: f, linear, paths } => {
                let [f, linear] = [f, linear].map(|f| onto_fused(&fused, &mut pool, f));
                Question::Formula { formula: f?, linear: linear?, paths }
            }
            Question::Bound(places) => Question::Bound(fused.sum(places)),
            other => other.clone(),
        };
        translated.push(question.into());
    }
    let groups = Groups {
        variables: groups.variables.iter().map(|group| fused.sum(group)).collect(),
        actions: groups.actions.iter().map(|group| fused.list(group)).collect(),
    };
    Some(Smaller { net: fused.net, groups, pool, asked: translated })
}

/// Answer the questions on the smaller net.
pub(in crate::decide) fn run(smaller: &Smaller, settings: &Settings<'_>, budget: &Budget, listener: &dyn Listener) {
    let Smaller { net, groups, pool, asked } = smaller;
    rounds::run(Subject { model: net, groups, pool }, asked, settings, budget, &Answers(listener), None);
}

/// Passes on answers. Sets and spaces are of another net.
struct Answers<'a>(&'a dyn Listener);

impl Listener for Answers<'_> {
    fn is_wanted(&self, question: usize) -> bool {
        self.0.is_wanted(question)
    }

    fn answered(&self, answer: Answer) {
        let technique = if answer.technique == Technique::None { Technique::None } else { Technique::Reduction };
        self.0.answered(Answer { technique, ..answer });
    }

    fn contradicted(&self, question: usize, one: (Value, Technique), other: (Value, Technique)) {
        self.0.contradicted(question, one, other);
    }

    fn unconfirmed(&self, question: usize, verdict: bool, technique: Technique, problem: &Broken) {
        self.0.unconfirmed(question, verdict, technique, problem);
    }

    fn progress(&self, progress: Progress<'_>) {
        self.0.progress(progress);
    }
}
