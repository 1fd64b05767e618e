//! Questions of reachability beyond memory: search breadth first, with the states in a folder or on several machines.
//!
//! The model is searched as it is, without reductions, so that states in a folder serve all questions: those that are
//! there from earlier ones are looked through first. `EF c`, `AG c`, their negations and Boolean combinations are
//! answered with shortest runs; other formulas of CTL\* about states, too, without.

use super::lanes::{refuse, refuse_unreadable};
use crate::budget::Budget;
use crate::decide::answer::Listener;
use crate::decide::board::Board;
use crate::decide::context::Context;
use crate::decide::profile::{Counted, Step, begin};
use crate::decide::properties::PropertySolver;
use crate::decide::properties::formulas::Formulas;
use crate::decide::rewriting::operands::Operands;
use crate::decide::settings::{Settings, Ways};
use crate::decide::solver::{Pipeline, Solver};
use crate::decide::state_space::Progress;
use crate::decide::task::{Request, Subject, Task, suits};
#[cfg(feature = "distributed")]
use crate::explicit::{Cluster, ClusterError, Distributed};
use crate::explicit::{Disk, DiskError, Encoding, OnDisk};
use crate::stop_reason::StopReason;
use std::sync::{Mutex, PoisonError};

/// Why a question stays unknown.
const OTHERS: StopReason =
    StopReason::Unsupported("with the states elsewhere, formulas about states alone are answered");
const UNCONFIRMED: StopReason =
    StopReason::Unsupported("the condition has no value in some state, or the run that was found was not confirmed");
/// Why a verdict by labels has no run.
const LABELS: StopReason =
    StopReason::Unsupported("with the states elsewhere, no runs are kept of formulas that states are labelled for");
const SEVERAL: StopReason = StopReason::Unsupported("with the states elsewhere, models have one initial state");

/// Answer formulas about states with the states in a folder. The listener hears each answer as soon as it is known;
/// other questions are unknown. Returned is what went on in the folder, if states were looked at.
///
/// # Errors
/// When the folder is of something else, damaged, or cannot be written.
pub fn decide_on_disk(
    subject: Subject<'_>,
    requests: &[Request],
    settings: &Settings<'_>,
    disk: &Disk,
    budget: &Budget,
    listener: &dyn Listener,
) -> Result<Option<OnDisk<()>>, DiskError> {
    let known = Mutex::new(Ok(None));
    let note = |found: Result<OnDisk<()>, StopReason>| {
        let (ended, rest) = found.map_err(Some)?.apart();
        let (found, noted) = match ended {
            Ok(()) => (Ok(Some(rest)), Ok(())),
            Err(DiskError::Stopped(stop)) => (Ok(Some(rest)), Err(Some(stop))),
            Err(fault) => (Err(fault), Err(None)),
        };
        *known.lock().unwrap_or_else(PoisonError::into_inner) = found;
        noted
    };
    let visit: Visit<'_> = &|formulas, context, (visited, labelled), progress| {
        if !visited.is_empty() {
            note(formulas.visit_on_disk(context, disk, progress))?;
        }
        if labelled.is_empty() { Ok(()) } else { note(formulas.label_on_disk(context, labelled, disk, progress)) }
    };
    decide_by(visit, &Task::new(subject, requests, settings, budget, listener));
    known.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// Answer formulas about states with the states on several machines: each process calls this with the same list of processes,
/// the same model, and the same questions. The listener hears all answers at the end, or what is known where that comes
/// before its time; other questions are unknown. Returned is what went on between the processes, if states were looked at.
///
/// # Errors
/// When the processes do not find each other, or do not go together.
#[cfg(feature = "distributed")]
pub fn decide_on_hosts(
    subject: Subject<'_>,
    requests: &[Request],
    settings: &Settings<'_>,
    cluster: &Cluster,
    budget: &Budget,
    listener: &dyn Listener,
) -> Result<Option<Distributed<()>>, ClusterError> {
    let known = Mutex::new(Ok(None));
    let visit: Visit<'_> = &|formulas, context, (_, labelled), progress| {
        let (ended, noted) = match formulas.decide_on_hosts(context, labelled, cluster, progress) {
            Ok(found) => {
                let noted = found.ended.clone().map_err(Some);
                (Ok(Some(found)), noted)
            }
            Err(ClusterError::Stopped(stop)) => (Ok(None), Err(Some(stop))),
            Err(refused) => (Err(refused), Err(None)),
        };
        *known.lock().unwrap_or_else(PoisonError::into_inner) = ended;
        noted
    };
    decide_by(visit, &Task::new(subject, requests, settings, budget, listener));
    known.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// The questions that looking at states decides, and those that labels of them do.
type Numbers<'n> = (&'n [usize], &'n [usize]);

/// Looks at states for formulas. An error is why it ended before its time; without a reason, nothing is answered.
type Visit<'v> = &'v (dyn for<'a> Fn(&mut Formulas<'a>, &Context<'a>, Numbers<'_>, Tell<'_>) -> Looked + Sync);
type Tell<'t> = &'t mut dyn FnMut(u64);
type Looked = Result<(), Option<StopReason>>;

/// Answer what looking at states answers, and labels of them.
fn decide_by(visit: Visit<'_>, task: &Task<'_>) {
    let &Task { subject, requests, settings, listener, .. } = task;
    let refusal = match suits(subject, requests) {
        Err(foreign) => Some(foreign.into()),
        Ok(()) if !is_plain(subject) => Some(SEVERAL),
        Ok(()) => None,
    };
    if let Some(stop) = refusal {
        return refuse(requests, &stop, listener);
    }
    let counted = settings.profile.map(|profile| Counted { profile, listener });
    let listener = counted.as_ref().map_or(listener, |counted| counted);
    // All ways, for the pass that takes combinations apart; and states that stand for no others.
    let encoding = Encoding { swaps: [].into(), families: [].into(), ..settings.encoding.clone() };
    let settings = &Settings { ways: Ways::default(), encoding, ..settings.clone() };
    Pipeline { passes: &[&Operands], solver: &Visiting { visit } }.solve(&Task { settings, listener, ..*task });
}

/// Has a model one initial state, and are all of its states meant?
fn is_plain(subject: Subject<'_>) -> bool {
    let model = subject.model;
    model.has_one_initial_state() && !model.passes_through()
}

/// Looking at states.
struct Visiting<'v> {
    visit: Visit<'v>,
}

impl Solver for Visiting<'_> {
    fn solve(&self, task: &Task<'_>) {
        let &Task { settings, budget, listener, .. } = task;
        let board = Board::new(task);
        refuse_unreadable(&board);
        let whole = board.until_over(budget);
        let context = Context::new(&board, settings, &whole, self);
        let mut formulas = Formulas::new(&board, settings.route);
        // Constants, too.
        formulas.by_initial_state(&context);
        let of_reachability = formulas.of_reachability(&context);
        let of_labels = formulas.of_labels(&context);
        let mut reason = OTHERS;
        let looked_for = |number: &usize| of_reachability.contains(number) || of_labels.contains(number);
        let others = board.questions().filter(|(number, _)| board.is_open(*number) && !looked_for(number));
        others.for_each(|(number, _)| board.fail(number, reason.clone()));
        if !of_reachability.is_empty() || !of_labels.is_empty() {
            let _step = begin(settings.profile, Step::Search);
            let mut tell = |states: u64| listener.progress(Progress::AtLeast(&states.into()));
            let looked = (self.visit)(&mut formulas, &context, (&of_reachability, &of_labels), &mut tell);
            let labelled = of_labels.iter().filter(|&&number| !board.is_open(number));
            labelled.for_each(|&number| board.fail(number, LABELS.clone()));
            match looked {
                Ok(()) => reason = budget.check().map_or_else(StopReason::from, |()| UNCONFIRMED),
                Err(Some(stop)) => reason = stop,
                Err(None) => return,
            }
        }
        board.close(&reason);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::decide::answer::{Answer, Explained, Value};
    use crate::decide::recorder::Recorder;
    use crate::decide::task::Question;
    use crate::formula::{Formula, Logic, PathSemantics, Pool, Symbols, parse};
    use crate::kinds::net::families;
    use crate::model::Groups;
    use crate::net::PetriNet;
    use crate::oracle::{Setting, check};
    use crate::random::{FormulaShape, NetShape, formula, net};
    use crate::reference::explore;
    use crate::rng::Rng;
    use crate::symbolic::Route;
    use std::path::Path;

    fn disk(folder: &Path) -> Disk {
        Disk { folder: folder.to_owned(), quota: None, fingerprint: 3 }
    }

    /// Random formulas about a random net, with their verdicts by brute force.
    struct Drawn {
        net: PetriNet,
        pool: Pool,
        requests: Vec<Request>,
        expected: Vec<bool>,
    }

    fn draw(rng: &mut Rng, seed: u64, logic: Logic) -> Drawn {
        let net = net(rng, &NetShape { max_states: 80, ..NetShape::default() });
        let (graph, mut pool) = (explore(&net, 80).unwrap(), Pool::new());
        let (mut requests, mut expected) = (Vec::new(), Vec::new());
        for _ in 0..6 {
            let mut draw = |pool: &mut Pool| {
                let shape = FormulaShape { logic, size: 1 + rng.below(5) };
                formula(rng, &net, &shape, pool)
            };
            let mut drawn = draw(&mut pool);
            let (witness, alone) = (seed.is_multiple_of(2), seed.is_multiple_of(3));
            if !witness && !alone {
                let other = draw(&mut pool);
                drawn = pool.add(Formula::Or(vec![drawn, other]));
            }
            let paths = [PathSemantics::Maximal, PathSemantics::Stutter][seed as usize % 2];
            let Ok(truth) = check(Setting::new(&graph, &pool, paths), drawn) else { continue };
            expected.push(truth[&drawn][0]);
            let question = Question::formula(&mut pool, drawn, paths, Route::Fixpoints);
            requests.push(Request { question, set: false, witness });
        }
        Drawn { net, pool, requests, expected }
    }

    /// Refusals of some of the formulas drawn: those with greatest numbers, and those about steps.
    const REFUSED: [&str; 4] = [
        "with the states elsewhere, formulas about states alone are answered",
        "the explicit engine does not decide formulas with `bounds` here",
        "the formula is not CTL",
        "with the states elsewhere, path formulas speak of states, by 63 conditions at most",
    ];

    /// Verdicts by value, and runs that replayed.
    #[derive(Default, Debug)]
    struct Tally {
        verdicts: [u32; 2],
        runs: u32,
    }

    impl Tally {
        fn add(&mut self, kept: Recorder<'_>, drawn: &Drawn, seed: u64) {
            for ((record, &expected), request) in
                kept.into_recorded().into_iter().zip(&drawn.expected).zip(&drawn.requests)
            {
                let value = record.answer.unwrap().value;
                if let Value::Unknown(StopReason::Unsupported(why)) = value
                    && REFUSED.contains(&why)
                {
                    continue;
                }
                assert_eq!(value, Value::Verdict(expected), "seed {seed}");
                self.verdicts[usize::from(expected)] += 1;
                match record.explained {
                    Some(Explained::Witness(_)) => self.runs += 1,
                    Some(Explained::Broken(broken)) => panic!("seed {seed}: {broken}"),
                    Some(_) => {}
                    None => assert!(!request.witness),
                }
            }
        }
    }

    #[test]
    fn formulas_of_random_nets_have_their_verdicts() {
        let mut tally = Tally::default();
        for seed in 0..200 {
            let rng = &mut Rng::new(seed);
            let drawn = draw(rng, seed, Logic::Reachability);
            let (groups, folder) = (Groups::single(&drawn.net), tempfile::tempdir().unwrap());
            let subject = Subject { model: &drawn.net, groups: &groups, pool: &drawn.pool };
            // The second half is looked for in what the first has left.
            let (one, two) = drawn.requests.split_at(drawn.requests.len() / 2);
            let (budget, settings) = (Budget::unlimited(), Settings::default());
            let kept = Recorder::new(drawn.requests.len());
            let first = Recorder::new(one.len());
            decide_on_disk(subject, one, &settings, &disk(folder.path()), &budget, &first).unwrap();
            let second = Recorder::new(two.len());
            decide_on_disk(subject, two, &settings, &disk(folder.path()), &budget, &second).unwrap();
            for (number, record) in first.into_recorded().into_iter().chain(second.into_recorded()).enumerate() {
                kept.answered(Answer { question: number, ..record.answer.unwrap() });
                record.explained.into_iter().for_each(|explained| kept.explained(number, explained));
            }
            tally.add(kept, &drawn, seed);
        }
        assert!(tally.verdicts.iter().all(|&count| count > 200) && tally.runs > 100, "{tally:?}");
    }

    #[test]
    fn formulas_of_ctl_have_their_verdicts() {
        let mut tally = Tally::default();
        for seed in 0..200 {
            let logic = if seed % 4 < 3 { Logic::Ctl } else { Logic::CtlStar };
            let drawn = draw(&mut Rng::new(7000 + seed), seed, logic);
            let (groups, folder) = (Groups::single(&drawn.net), tempfile::tempdir().unwrap());
            let subject = Subject { model: &drawn.net, groups: &groups, pool: &drawn.pool };
            let kept = Recorder::new(drawn.requests.len());
            let (budget, settings) = (Budget::unlimited(), Settings::default());
            decide_on_disk(subject, &drawn.requests, &settings, &disk(folder.path()), &budget, &kept).unwrap();
            tally.add(kept, &drawn, seed);
        }
        assert!(tally.verdicts.iter().all(|&count| count > 300), "{tally:?}");
    }

    #[cfg(feature = "distributed")]
    #[test]
    fn formulas_have_the_same_verdicts_on_several_machines() {
        ask_several_machines(100, Logic::Reachability);
    }

    #[cfg(feature = "distributed")]
    #[test]
    fn formulas_of_ctl_have_the_same_verdicts_on_several_machines() {
        ask_several_machines(100, Logic::Ctl);
    }

    #[cfg(feature = "distributed")]
    #[test]
    fn formulas_of_all_logics_have_the_same_verdicts_on_several_machines() {
        ask_several_machines(60, Logic::CtlStar);
    }

    #[cfg(feature = "distributed")]
    #[test]
    #[ignore = "takes minutes"]
    fn formulas_of_a_thousand_nets_on_several_machines() {
        ask_several_machines(1000, Logic::Reachability);
        ask_several_machines(1000, Logic::Ctl);
        ask_several_machines(1000, Logic::CtlStar);
    }

    #[cfg(feature = "distributed")]
    fn ask_several_machines(nets: u64, logic: Logic) {
        use crate::explicit::{listeners, together};
        let mut tally = Tally::default();
        for seed in 0..nets {
            let rng = &mut Rng::new(100_000 + seed);
            let drawn = draw(rng, seed, logic);
            let groups = Groups::single(&drawn.net);
            let subject = Subject { model: &drawn.net, groups: &groups, pool: &drawn.pool };
            let kept = together(listeners([2, 4][rng.below(2)]), |cluster, _| {
                let (budget, settings) = (Budget::unlimited(), Settings::default());
                let kept = Recorder::new(drawn.requests.len());
                let found = decide_on_hosts(subject, &drawn.requests, &settings, cluster, &budget, &kept);
                assert!(found.unwrap().is_none_or(|found| found.ended.is_ok()), "seed {seed}");
                kept
            });
            kept.into_iter().for_each(|kept| tally.add(kept, &drawn, seed));
        }
        let least = if logic == Logic::Reachability { nets * 2 } else { nets * 3 };
        assert!(tally.verdicts.iter().all(|&count| u64::from(count) > least), "{tally:?}");
        // Runs show reachability alone.
        assert!(logic != Logic::Reachability || u64::from(tally.runs) > nets, "{tally:?}");
    }

    #[test]
    fn other_questions_stay_unknown() {
        let net = families::family("philo").unwrap().generate(3).unwrap();
        let (groups, mut pool, folder) = (Groups::single(&net), Pool::new(), tempfile::tempdir().unwrap());
        // The second is refuted by a deadlock.
        let texts = [
            "EF deadlock",
            "AG EF #Eat_0 = 1",
            "EF #Eat_0 = 2",
            "E (#Eat_0 = 0 U #Eat_1 = 1)",
            "E (G F #Eat_0 = 1)",
            "A (G F #Eat_0 = 1)",
            "E (G F action(\"FF1a_0\"))",
        ];
        let asked = texts.map(|text| {
            let formula = parse(text, &Symbols::new(&net), &mut pool).unwrap();
            Question::formula(&mut pool, formula, PathSemantics::Maximal, Route::Fixpoints).into()
        });
        let subject = Subject { model: &net, groups: &groups, pool: &pool };
        let kept = Recorder::new(asked.len());
        let (settings, budget) = (Settings::default(), Budget::unlimited());
        let found = decide_on_disk(subject, &asked, &settings, &disk(folder.path()), &budget, &kept).unwrap().unwrap();
        assert_eq!(found.states, 27);
        let values: Vec<_> = kept.into_recorded().into_iter().map(|record| record.answer.unwrap().value).collect();
        let [no, yes] = [false, true].map(Value::Verdict);
        assert_eq!(values[..6], [yes.clone(), no.clone(), no.clone(), yes.clone(), yes, no]);
        let reason = "with the states elsewhere, path formulas speak of states, by 63 conditions at most";
        assert_eq!(values[6], Value::Unknown(StopReason::Unsupported(reason)));
        // Constants need no states.
        let mut pool = pool.clone();
        let formula = parse("EF #Eat_0 >= 0 | AG #Eat_1 <= 1", &Symbols::new(&net), &mut pool).unwrap();
        let asked = [Question::formula(&mut pool, formula, PathSemantics::Maximal, Route::Fixpoints).into()];
        let (subject, kept) = (Subject { pool: &pool, ..subject }, Recorder::new(1));
        decide_on_disk(subject, &asked, &settings, &disk(folder.path()), &budget, &kept).unwrap();
        assert_eq!(kept.into_recorded().remove(0).answer.unwrap().value, Value::Verdict(true));
    }
}
