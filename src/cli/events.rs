//! Answers as they come from another thread, until the limits are over.

use super::interrupt::GRACE;
use rustc_hash::FxHashSet;
use starset::budget::{Budget, Exhausted};
use starset::decide::{Technique, Value};
use starset::examination::{Answer, Event};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// The answers as they come, one for each question, and the faults. When the limits have been over for a while, or it was interrupted,
/// what is open is unknown: whoever works on it has not looked at the clock.
pub(super) struct Events<'a> {
    receiver: Receiver<Event>,
    /// The questions without an answer.
    open: FxHashSet<String>,
    budget: &'a Budget,
    /// Since when the limits have been over, and which.
    over: Option<(Instant, Exhausted)>,
}

/// How often limits are looked at.
const LOOK: Duration = Duration::from_millis(100);

impl<'a> Events<'a> {
    /// The answers to the questions with these identifiers.
    pub(super) fn new(receiver: Receiver<Event>, open: FxHashSet<String>, budget: &'a Budget) -> Self {
        Events { receiver, open, budget, over: None }
    }
}

impl Iterator for Events<'_> {
    type Item = Event;

    fn next(&mut self) -> Option<Event> {
        while !self.open.is_empty() {
            // Of many that are open, each would wait for as long.
            let is_late = self.over.is_some_and(|(since, _)| since.elapsed() >= GRACE);
            match self.receiver.recv_timeout(if is_late { Duration::ZERO } else { LOOK }) {
                Ok(event) => {
                    // What has been given as unknown meanwhile is not answered again.
                    match &event {
                        Event::Answer(answer) if !self.open.remove(&answer.id) => continue,
                        _ => return Some(event),
                    }
                }
                Err(RecvTimeoutError::Disconnected) => return None,
                Err(RecvTimeoutError::Timeout) => {}
            }
            let Err(exhausted) = self.budget.check() else { continue };
            let (since, why) = *self.over.get_or_insert((Instant::now(), exhausted));
            if since.elapsed() >= GRACE {
                let id = self.open.iter().min()?.clone();
                self.open.remove(&id);
                let value = Value::Unknown(why.into());
                return Some(Event::Answer(Answer { id, value, technique: Technique::None }));
            }
        }
        None
    }
}
