//! Witnesses made short on their way to the listener.
//!
//! Verdicts are not to wait for that: what explains one goes to a thread of its own, which makes it short
//! ([`crate::witness::shorten`]) while others are decided, and hands it on. Where nobody wants to know why, there is no
//! such thread.

use crate::decide::answer::{Answer, Explained, Listener, Remapped, Remapping};
use crate::decide::solver::{Pass, Solver};
use crate::decide::task::{Question, Request, Task};
use crate::mdd::with_deep_stack;
use crate::witness::{Effort, FiniteRuns, Witness, shorten, shorten_finite};
use std::sync::mpsc::{self, Sender};

/// Of the memory, this part is for making witnesses short, and no more than this; where it is to be proved that none is
/// shorter, half.
const MEMORY: (u64, u64) = (4, 256 << 20);

/// Short witnesses for the listener, where it wants any.
pub(super) struct Shortened;

impl Pass for Shortened {
    fn apply(&self, task: &Task<'_>, next: &dyn Solver) {
        let &Task { subject, requests, settings, budget, listener, .. } = task;
        let mut left = requests.iter().filter(|asked| asked.witness).count();
        if left == 0 {
            return next.solve(task);
        }
        let apart = budget.memory().map(|memory| match settings.effort {
            Effort::Some => (memory / MEMORY.0).min(MEMORY.1),
            Effort::Proof => memory / 2,
        });
        let with = |bytes: Option<u64>| bytes.map_or_else(|| budget.clone(), |bytes| budget.clone().with_memory(bytes));
        let rest = with(budget.memory().zip(apart).map(|(memory, apart)| memory - apart));
        let (sender, receiver) = mpsc::channel::<(usize, Witness)>();
        std::thread::scope(|scope| {
            let own = with(apart);
            let work = move || {
                with_deep_stack(subject.model.most_levels(), || {
                    for (question, witness) in receiver {
                        let share = own.share(left);
                        left = left.saturating_sub(1).max(1);
                        let shorter = match &requests[question].question {
                            Question::Automaton { automaton, propositions, shown, last: Some(last), .. } => {
                                let automaton = (automaton, &propositions[..]);
                                let (model, pool) = (subject.model, subject.pool);
                                let about = FiniteRuns { model, pool, formula: *shown, last: *last, automaton };
                                shorten_finite(about, witness, settings.effort, &share)
                            }
                            _ => shorten(subject.model, subject.pool, witness, settings.effort, &share),
                        };
                        listener.explained(question, Explained::Witness(shorter));
                    }
                });
            };
            let worker = std::thread::Builder::new().name("shorten".into()).spawn_scoped(scope, work);
            // Without a thread witnesses stay as they are.
            let shortening = Remapped(Shortening { requests, listener, sender: worker.ok().map(|_| sender) });
            next.solve(&Task { budget: &rest, listener: &shortening, ..*task });
        });
    }
}

/// Hands witnesses of formulas to whoever makes them short. What a given automaton accepts is no matter of a formula, and a
/// way that is over has its number of steps.
struct Shortening<'a> {
    requests: &'a [Request],
    listener: &'a dyn Listener,
    sender: Option<Sender<(usize, Witness)>>,
}

impl Remapping for Shortening<'_> {
    fn listener(&self) -> &dyn Listener {
        self.listener
    }

    fn answered(&self, answer: Answer) {
        self.listener.answered(answer);
    }

    fn explained(&self, question: usize, explained: Explained) {
        let can_be_shorter = |witness: &Witness| match self.requests[question].question {
            Question::Formula { .. } | Question::Automaton { last: Some(_), .. } => true,
            Question::Distance { journey, .. } => witness.reason.formula == journey.shown[1],
            _ => false,
        };
        match (explained, &self.sender) {
            (Explained::Witness(witness), Some(sender)) if can_be_shorter(&witness) => {
                // If its thread is gone, its panic ends the program.
                let _lost = sender.send((question, witness));
            }
            (explained, _) => self.listener.explained(question, explained),
        }
    }
}
