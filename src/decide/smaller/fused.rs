//! Questions asked of a net in which places that nothing tells apart are one ([`crate::reduction::fusion`]).
//!
//! Verdicts, bounds and the properties of the whole model are the same there, whatever way finds them: so the net
//! itself is left behind before anything else is done. Counts of states, sat-sets and runs are those of the net itself,
//! and so are questions that want them. What all questions together see of the net may be much, and each of them alone
//! little: when its turn comes to be asked of a reduced net, it is fused again for that question alone (`reduced`).

use crate::decide::answer::{Answer, Listener, Remapped, Remapping, Technique};
use crate::decide::rewriting::translated::{Seen, is_smaller, onto_fused};
use crate::decide::solver::{Pass, Solver};
use crate::decide::task::{Global, Question, Request, Subject, Task};
use crate::formula::Pool;
use crate::model::Groups;
use crate::net::PetriNet;
use crate::reduction::fusion::Tokens;
use std::time::Duration;

/// The part of the time that looking for equivalent places may take, up to so much.
const PART: u32 = 2;
const MOST: Duration = Duration::from_secs(60);

/// The questions on a net that is smaller by a good part, with their pool and what belongs together there.
struct Smaller {
    net: PetriNet,
    groups: Groups,
    pool: Pool,
    requests: Vec<Request>,
}

/// The net for these questions; `None` if they want more than answers, or no smaller net has the answers.
fn smaller(&Task { subject, requests, settings, budget, .. }: &Task<'_>) -> Option<Smaller> {
    let net = subject.model.as_net()?;
    let plain = |asked: &Request| {
        !asked.set
            && !asked.witness
            && !matches!(
                asked.question,
                Question::Statistic(_) | Question::Automaton { .. } | Question::Distance { .. }
            )
    };
    if !settings.ways.reductions
        || !settings.techniques.fusion
        || !settings.orders.is_empty()
        || !requests.iter().all(plain)
    {
        return None;
    }
    let mut seen = Seen::default();
    let mut groups = Groups { variables: Vec::new(), actions: Vec::new() };
    for asked in requests {
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
            Question::Statistic(_)
            | Question::Automaton { .. }
            | Question::Distance { .. }
            | Question::Stopped(_)
            | Question::Unreadable(_) => {}
        }
    }
    seen.sums.extend(groups.variables.iter().map(|group| &**group));
    seen.lists.extend(groups.actions.iter().map(|group| &**group));
    let budget = budget.part_up_to(1, PART, MOST);
    let fused = seen.fuse(&Tokens::new(net, &budget)?, &budget).filter(|fused| is_smaller(&fused.net, net))?;
    let mut pool = subject.pool.clone();
    let mut translated = Vec::with_capacity(requests.len());
    for asked in requests {
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
    Some(Smaller { net: fused.net, groups, pool, requests: translated })
}

/// The net with equivalent places fused, in place of the net.
pub(in crate::decide) struct Fused;

impl Pass for Fused {
    fn apply(&self, task: &Task<'_>, next: &dyn Solver) {
        let Some(Smaller { net, groups, pool, requests }) = smaller(task) else { return next.solve(task) };
        let subject = Subject { model: &net, groups: &groups, pool: &pool };
        next.solve(&Task { subject, requests: &requests, listener: &Remapped(OfFused(task.listener)), ..*task });
    }
}

/// Passes on answers. Sets and spaces are of another net.
struct OfFused<'a>(&'a dyn Listener);

impl Remapping for OfFused<'_> {
    fn listener(&self) -> &dyn Listener {
        self.0
    }

    fn answered(&self, answer: Answer) {
        let technique = if answer.technique == Technique::None { Technique::None } else { Technique::Reduction };
        self.0.answered(Answer { technique, ..answer });
    }

    fn is_same_model(&self) -> bool {
        false
    }
}
