//! The entry: passes before everything else, and the lanes behind them.

use super::folded::Coloured;
use super::greatest::Greatest;
use super::initial_states::InitialStates;
use super::lanes::{Lanes, refuse};
use super::past::Past;
use super::sat::Sat;
use super::shortened::Shortened;
use crate::budget::Budget;
use crate::decide::answer::Listener;
use crate::decide::profile::Counted;
use crate::decide::rewriting::operands::Operands;
use crate::decide::rewriting::reversible::Reversible;
use crate::decide::rewriting::terminating::Terminating;
use crate::decide::settings::Settings;
use crate::decide::smaller::fused::Fused;
use crate::decide::solver::{Pass, Pipeline, Solver};
use crate::decide::task::{Request, Subject, Task, suits};
use crate::mdd::with_deep_stack;

/// The passes before the lanes, in this order: the past, short witnesses, simpler formulas, then smaller models.
const PASSES: [&dyn Pass; 10] =
    [&Past, &Shortened, &Greatest, &Terminating, &Reversible, &Operands, &Sat, &Coloured, &InitialStates, &Fused];

/// Answer the questions. The listener hears each answer as soon as it is known. If a formula is of another pool, or a
/// question about another model, all are unknown for that reason ([`Foreign`](crate::StopReason::Foreign)).
///
/// ```
/// use starset::budget::Budget;
/// use starset::decide::{Question, Recorder, Settings, Statistic, Subject, Value, decide};
/// use starset::formula::Pool;
/// use starset::model::Groups;
/// use starset::net::NetBuilder;
/// let mut b = NetBuilder::new("buffer");
/// let (free, full) = (b.place("free", 3)?, b.place("full", 0)?);
/// let put = b.transition("put")?;
/// b.input(free, put, 1)?;
/// b.output(put, full, 1)?;
/// let net = b.build()?;
/// let (groups, pool) = (Groups::single(&net), Pool::new());
/// let subject = Subject { model: &net, groups: &groups, pool: &pool };
/// let questions = [Question::Statistic(Statistic::States).into(), Question::Bound(vec![full]).into()];
/// let kept = Recorder::new(questions.len());
/// decide(subject, &questions, &Settings::default(), &Budget::unlimited(), &kept);
/// let [states, full] = &kept.into_recorded()[..] else { panic!("two answers") };
/// assert_eq!(states.answer.as_ref().map(|answer| &answer.value), Some(&Value::Number(4u32.into())));
/// assert_eq!(full.answer.as_ref().map(|answer| &answer.value), Some(&Value::Number(3u32.into())));
/// # Ok::<(), starset::net::BuildError>(())
/// ```
pub fn decide(
    subject: Subject<'_>,
    requests: &[Request],
    settings: &Settings<'_>,
    budget: &Budget,
    listener: &dyn Listener,
) {
    if let Err(foreign) = suits(subject, requests) {
        return refuse(requests, &foreign.into(), listener);
    }
    let counted = settings.profile.map(|profile| Counted { profile, listener });
    let listener = counted.as_ref().map_or(listener, |counted| counted);
    let task = Task::new(subject, requests, settings, budget, listener);
    // The engines recurse over the levels of diagrams, and over formulas of bounded depth.
    with_deep_stack(subject.model.most_levels(), || Pipeline { passes: &PASSES, solver: &Lanes }.solve(&task));
}
