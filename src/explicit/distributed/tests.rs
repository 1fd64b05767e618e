//! Explorations by several processes, each a thread of the test with connections of its own, against those in memory
//! and the firing rule alone; and faults.
#![allow(clippy::unwrap_used)]

use super::search::Sizes;
use super::{Cluster, ClusterError, Distributed, Found, Goal, Host};
use crate::budget::Budget;
use crate::explicit::disk::Asked;
use crate::explicit::disk::labels_tests::{draw, is_refused};
use crate::explicit::disk::tests::{draw_encoding, figures, random_net, ring};
use crate::explicit::{Encoding, Options, View};
use crate::formula::{PathSemantics, Pool, Symbols, parse};
use crate::kinds::net::families;
use crate::kinds::{Kind, Reading, read};
use crate::model::{State, TransitionSystem, VariableId};
use crate::net::PetriNet;
use crate::rng::Rng;
use crate::stop_reason::StopReason;
use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::thread;
use std::time::Duration;

thread_local! {
    static LISTENER: RefCell<Option<TcpListener>> = const { RefCell::new(None) };
    static SIZES: Cell<Option<Sizes>> = const { Cell::new(None) };
}

/// Where this thread listens, as a process.
pub(super) fn listener() -> Option<TcpListener> {
    LISTENER.take()
}

/// The sizes that it wants.
pub(super) fn sizes() -> Option<Sizes> {
    SIZES.get()
}

type Ended = Result<Distributed, ClusterError>;
type Searched = Result<(Found, Distributed<()>), ClusterError>;

/// So many processes on free ports of this machine.
pub(crate) fn listeners(processes: usize) -> (Vec<TcpListener>, Vec<Host>) {
    let listeners: Vec<_> = (0..processes).map(|_| TcpListener::bind("127.0.0.1:0").unwrap()).collect();
    let hosts = listeners.iter().map(|at| Host::of(&at.local_addr().unwrap().to_string()).unwrap()).collect();
    (listeners, hosts)
}

/// What becomes of processes that each do this with the index they have.
pub(crate) fn together<T: Send>(
    (listeners, hosts): (Vec<TcpListener>, Vec<Host>),
    process: impl Fn(&Cluster, usize) -> T + Sync,
) -> Vec<T> {
    thread::scope(|scope| {
        let start = |(index, listener)| {
            let cluster = Cluster { hosts: hosts.clone(), process: index, fingerprint: 1 };
            let process = &process;
            scope.spawn(move || {
                LISTENER.set(Some(listener));
                process(&cluster, index)
            })
        };
        let threads: Vec<_> = listeners.into_iter().enumerate().map(start).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

/// What a search that came to its end has found.
fn whole(searched: Searched) -> Found {
    let (found, ended) = searched.unwrap();
    ended.ended.unwrap();
    assert!(found.has_seen_all);
    found
}

/// Packets and rounds of a few states.
fn draw_sizes(rng: &mut Rng) -> Sizes {
    let (packet, round, group) = ([3, 20][rng.below(2)], [1, 30][rng.below(2)], [1, 5][rng.below(2)]);
    Sizes { packet, round, group, recent: 8 }
}

/// Explore a model as one of the processes.
fn explore(model: &dyn Kind, encoding: &Encoding, cluster: &Cluster, threads: usize, budget: &Budget) -> Ended {
    let engine = model.compile(encoding, &Budget::unlimited()).unwrap();
    let options = Options { threads, ..Options::default() };
    engine.explore_distributed(cluster, &options, budget, &mut |_| ())
}

/// States, steps, levels and deadlocks by the firing rule alone, breadth first.
fn by_hand(model: &dyn Kind) -> (u128, u128, u64, HashSet<State>) {
    let mut level = model.initial_states();
    let mut all: HashSet<State> = level.iter().cloned().collect();
    let (mut steps, mut levels, mut dead) = (0, 0, HashSet::new());
    while !level.is_empty() {
        levels += 1;
        let mut next = Vec::new();
        for state in level {
            let successors: Vec<_> =
                model.action_ids().filter_map(|action| model.fire(&state, action.into())).collect();
            steps += successors.len() as u128;
            next.extend(successors.iter().filter(|&next| all.insert(next.clone())).cloned());
            if successors.is_empty() {
                dead.insert(state);
            }
        }
        level = next;
    }
    (all.len() as u128, steps, levels, dead)
}

#[test]
fn random_nets_have_the_same_figures() {
    let (mut grown, mut levels, mut most, mut dead) = (0, 0, 0, 0);
    for seed in 0..120 {
        let rng = &mut Rng::new(seed);
        let net = random_net(rng);
        let encoding = draw_encoding(rng);
        let (processes, threads) = ([2, 4, 3, 1][rng.below(4)], 1 + usize::from(rng.one_in(4)));
        let sizes = draw_sizes(rng);
        let ended = together(listeners(processes), |cluster, _| {
            SIZES.set(Some(sizes));
            explore(&net, &encoding, cluster, threads, &Budget::unlimited())
        });
        let engine = net.compile(&encoding, &Budget::unlimited()).unwrap();
        let expected = engine.explore(&Options::default(), &Budget::unlimited()).unwrap();
        let (states, steps, depth, deadlocks) = by_hand(&net);
        for found in ended {
            let found = found.unwrap();
            let all = found.ended.unwrap();
            assert_eq!(figures(&all), figures(&expected), "seed {seed}");
            assert_eq!((all.states, all.transitions, found.levels), (states, steps, depth), "seed {seed}");
            assert_eq!((all.deadlocks, u128::from(found.states)), (deadlocks.len() as u128, states), "seed {seed}");
            assert_eq!(found.deadlock.is_some(), !deadlocks.is_empty(), "seed {seed}");
            assert!(found.deadlock.is_none_or(|state| deadlocks.contains(&state)), "seed {seed}");
            assert_eq!((found.processes, found.threads), (processes, threads));
            (grown, levels) = (grown + all.stats.growths, levels + found.levels);
            (most, dead) = (most.max(states), dead + usize::from(all.deadlocks > 0));
        }
    }
    assert!(grown > 8 && levels > 1200 && most > 100 && dead > 30, "{grown} {levels} {most} {dead}");
}

#[test]
fn searches_find_the_nearest_states() {
    let (mut found_some, mut far, mut grown) = (0, 0, 0);
    for seed in 0..150 {
        let rng = &mut Rng::new(40_000 + seed);
        let net = random_net(rng);
        let encoding = draw_encoding(rng);
        let (processes, threads) = ([2, 4, 3, 1][rng.below(4)], 1 + usize::from(rng.one_in(4)));
        let sizes = draw_sizes(rng);
        let drawn: Vec<(VariableId, u64, VariableId)> = (0..3)
            .map(|_| {
                let place = |rng: &mut Rng| VariableId(rng.below(net.variables()) as u32);
                (place(rng), rng.below(5) as u64, place(rng))
            })
            .collect();
        let holds = |goal: (VariableId, u64, VariableId), view: &View<'_>| {
            view.value(goal.0) >= goal.1 && view.value(goal.2) == 0
        };
        let ended: Vec<Searched> = together(listeners(processes), |cluster, _| {
            SIZES.set(Some(sizes));
            let engine = net.compile(&encoding, &Budget::unlimited()).unwrap();
            let goals: Vec<_> = drawn.iter().map(|&goal| move |view: View<'_>| Some(holds(goal, &view))).collect();
            let goals: Vec<Goal<'_>> = goals.iter().map(|goal| goal as Goal<'_>).collect();
            let options = Options { threads, ..Options::default() };
            engine.find_distributed(cluster, (&goals, (&Pool::new(), &[])), &options, &Budget::unlimited(), &mut |_| ())
        });
        let engine = net.compile(&encoding, &Budget::unlimited()).unwrap();
        let nearest: Vec<_> = drawn
            .iter()
            .map(|&goal| {
                let mut goal = |view: View<'_>| holds(goal, &view);
                let found = engine.find(&Options::default(), &Budget::unlimited(), &mut goal).unwrap();
                found.trace.map(|trace| trace.path.prefix.len())
            })
            .collect();
        let all = ended.into_iter().map(whole).collect::<Vec<_>>();
        for found in &all {
            assert_eq!(found, &all[0], "seed {seed}");
        }
        assert_eq!(all[0].undefined, [false; 3]);
        grown += all[0].stats.growths;
        for ((trace, expected), &(place, least, other)) in all[0].traces.iter().zip(nearest).zip(&drawn) {
            assert_eq!(trace.as_ref().map(|trace| trace.path.prefix.len()), expected, "seed {seed}");
            let Some(trace) = trace else { continue };
            let end = trace.path.prefix.iter().try_fold(net.initial(), |state, step| net.fire(&state, *step));
            assert_eq!(end.as_ref(), Some(&trace.last), "seed {seed}");
            assert!(trace.last.value(place) >= least && trace.last.value(other) == 0, "seed {seed}");
            (found_some, far) = (found_some + 1, far.max(trace.path.prefix.len()));
        }
    }
    assert!(found_some > 150 && far > 6 && grown > 8, "{found_some} {far} {grown}");
}

/// A goal without a value in some state says nothing by not being found.
#[test]
fn goals_without_a_value_are_told() {
    let net = families::family("philo").unwrap().generate(4).unwrap();
    let ended: Vec<Searched> = together(listeners(2), |cluster, process| {
        let engine = net.compile(&Encoding::default(), &Budget::unlimited()).unwrap();
        let never = |_: View<'_>| Some(false);
        let odd = |view: View<'_>| (process == 0 || view.value(VariableId(0)) == 1).then_some(false);
        let goals: [Goal<'_>; 2] = [&never, &odd];
        engine.find_distributed(
            cluster,
            (&goals, (&Pool::new(), &[])),
            &Options::default(),
            &Budget::unlimited(),
            &mut |_| (),
        )
    });
    for found in ended {
        let found = whole(found);
        assert_eq!((found.undefined, found.traces), (vec![false, true], vec![None, None]));
        assert_eq!(found.stats.states, 81);
    }
}

/// The verdicts of formulas, in each of some processes.
fn verdicts(
    net: &PetriNet,
    encoding: &Encoding,
    (processes, threads, sizes): (usize, usize, Option<Sizes>),
    formulas: (&Pool, &[Asked]),
) -> Vec<Found> {
    let ended: Vec<Searched> = together(listeners(processes), |cluster, _| {
        SIZES.set(sizes);
        let engine = net.compile(encoding, &Budget::unlimited()).unwrap();
        let options = Options { threads, ..Options::default() };
        engine.find_distributed(cluster, (&[], formulas), &options, &Budget::unlimited(), &mut |_| ())
    });
    ended.into_iter().map(whole).collect()
}

#[test]
fn formulas_have_their_verdicts() {
    let (mut tally, mut grown) = ([0; 2], 0);
    for seed in 0..200 {
        let rng = &mut Rng::new(60_000 + seed);
        let (net, pool, asked, expected) = draw(rng);
        let (processes, threads) = ([2, 4, 3, 1][rng.below(4)], 1 + usize::from(rng.one_in(4)));
        let found = verdicts(&net, &draw_encoding(rng), (processes, threads, Some(draw_sizes(rng))), (&pool, &asked));
        for one in &found {
            assert_eq!(one, &found[0], "seed {seed}");
        }
        grown += found[0].stats.growths;
        assert_eq!(found[0].verdicts.len(), asked.len());
        for ((verdict, expected), &(formula, _)) in found[0].verdicts.iter().zip(expected).zip(&asked) {
            match verdict {
                Ok(holds) => {
                    assert_eq!(*holds, expected, "seed {seed}");
                    tally[usize::from(expected)] += 1;
                }
                Err(stop) => assert!(is_refused(&pool, formula, stop), "{stop}"),
            }
        }
    }
    assert!(tally.iter().all(|&count| count > 400) && grown > 8, "{tally:?} {grown}");
}

/// A condition without a value in a state of one process leaves its formula alone without a verdict.
#[test]
fn conditions_without_a_value_are_told() {
    let net = families::family("philo").unwrap().generate(4).unwrap();
    let (symbols, mut pool) = (Symbols::new(&net), Pool::new());
    let no_value = "AG EF 1 / (2 - #Eat_0 - #Eat_1 - #Eat_2) <= 1";
    let beyond = "AG EF 4000000000 * (4000000000 * (4000000000 * (4000000000 * #Eat_0))) >= 1";
    let texts = [no_value, beyond, "AG EF #Eat_0 = 1", "AF EX #Think_0 = 1"];
    let asked = texts.map(|text| (parse(text, &symbols, &mut pool).unwrap(), PathSemantics::Maximal));
    for found in verdicts(&net, &Encoding::default(), (3, 1, None), (&pool, &asked)) {
        let none = [StopReason::DivisionByZero, StopReason::Arithmetic].map(Err);
        assert_eq!(found.verdicts, [&none[..], &[Ok(false), Ok(true)]].concat());
    }
}

#[test]
fn states_of_many_words() {
    for (places, tokens) in [(30, 3), (90, 2)] {
        let net = ring(places, tokens);
        let encoding = Encoding { invariants: false, nupn: false, ..Encoding::default() };
        let engine = net.compile(&encoding, &Budget::unlimited()).unwrap();
        let expected = engine.explore(&Options::default(), &Budget::unlimited()).unwrap();
        let ended = together(listeners(3), |cluster, _| explore(&net, &encoding, cluster, 2, &Budget::unlimited()));
        let sent = ended.into_iter().map(|found| {
            let found = found.unwrap();
            assert_eq!(figures(&found.ended.unwrap()), figures(&expected), "{places}");
            (found.sent_states, found.sent_bytes)
        });
        let sent: HashSet<_> = sent.collect();
        let words = expected.stats.bits_per_state.div_ceil(64);
        assert!(sent.len() == 1 && sent.iter().all(|sent| sent.0 > 10 && sent.1 > sent.0 * 8 * u64::from(words)));
    }
}

/// Each process reads the model by itself. Where values get numbers on the way, it is refused in words.
#[test]
fn models_of_other_kinds() {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("models");
    let (mut kinds, mut refused) = (HashSet::new(), 0);
    for file in std::fs::read_dir(models).unwrap() {
        let path = file.unwrap().path();
        let load = || read(std::slice::from_ref(&path), &Reading::default(), &Budget::unlimited());
        let Ok(loaded) = load() else { continue };
        let model = &*loaded.model;
        if !model.lists_initial_states() || model.passes_through() {
            continue;
        }
        let Ok(engine) = model.compile(&Encoding::default(), &Budget::unlimited()) else { continue };
        let limits = Budget::unlimited().with_memory(1 << 20).with_time(Duration::from_secs(1));
        let Ok(expected) = engine.explore(&Options::default(), &limits) else { continue };
        if expected.states > 5000 {
            continue;
        }
        let ended = together(listeners(2), |cluster, _| {
            explore(&*load().unwrap().model, &Encoding::default(), cluster, 1, &Budget::unlimited())
        });
        for found in ended {
            match found.unwrap().ended {
                Ok(all) => assert_eq!(figures(&all), figures(&expected), "{}", path.display()),
                Err(stop) => {
                    assert!(stop.to_string().contains("numbered while it is explored"), "{}: {stop}", path.display());
                    refused += 1;
                    continue;
                }
            }
            kinds.extend(path.extension().map(ToOwned::to_owned));
        }
    }
    for kind in ["pnml", "dve", "counters", "dot", "bnet", "bpmn", "pnwc"] {
        assert!(kinds.contains(Path::new(kind).as_os_str()), "{kind} of {kinds:?}");
    }
    assert!(refused > 0);
}

/// Who stops tells the others why, and what is known is a bound from below.
#[test]
fn one_that_stops_stops_all() {
    let net = families::family("philo").unwrap().generate(16).unwrap();
    let flag = Arc::new(AtomicBool::new(false));
    let stops = [
        (Budget::unlimited().with_memory(1 << 16), "memory", "ran out of memory"),
        (Budget::unlimited().with_time(Duration::from_secs(1)), "time", "ran out of time"),
        (Budget::unlimited().with_flag(Arc::clone(&flag)), "interrupted", "was interrupted"),
    ];
    for (budget, reason, elsewhere) in stops {
        let ended = together(listeners(3), |cluster, process| {
            SIZES.set(Some(Sizes { packet: 200, round: 2000, group: 16, recent: 16 }));
            let engine = net.compile(&Encoding::default(), &Budget::unlimited()).unwrap();
            let whole = Budget::unlimited();
            let budget = if process == 1 { &budget } else { &whole };
            let mut stop = |_| {
                if process == 1 && reason == "interrupted" {
                    flag.store(true, Ordering::Relaxed);
                }
            };
            engine.explore_distributed(cluster, &Options::default(), budget, &mut stop)
        });
        for (process, found) in ended.into_iter().enumerate() {
            let found = found.unwrap();
            assert!(found.states < 3u64.pow(16) && found.deadlock.is_none());
            match found.ended.unwrap_err() {
                StopReason::Lost { what } => {
                    assert!(process != 1 && what.starts_with("process 1 (") && what.ends_with(elsewhere), "{what}");
                }
                stop => assert_eq!((stop.reason(), process), (reason, 1)),
            }
        }
    }
}

/// What is found before one of them stops is known to all, and nothing follows from what is not found.
#[test]
fn what_is_found_stays_known() {
    let net = families::family("philo").unwrap().generate(16).unwrap();
    let first = net.action_ids().find_map(|action| net.fire(&net.initial(), action.into())).unwrap();
    let flag = Arc::new(AtomicBool::new(false));
    let (mut pool, symbols) = (Pool::new(), Symbols::new(&net));
    let formula = (parse("AG EF #Eat_0 = 1", &symbols, &mut pool).unwrap(), PathSemantics::Maximal);
    let ended: Vec<Searched> = together(listeners(3), |cluster, process| {
        SIZES.set(Some(Sizes { packet: 200, round: 2000, group: 16, recent: 16 }));
        let engine = net.compile(&Encoding::default(), &Budget::unlimited()).unwrap();
        let is_first = |view: View<'_>| Some(net.variable_ids().all(|id| view.value(id) == first.value(id)));
        let never = |_: View<'_>| Some(false);
        let goals: [Goal<'_>; 2] = [&never, &is_first];
        let budget = Budget::unlimited().with_flag(if process == 1 { Arc::clone(&flag) } else { Arc::default() });
        // After the second level.
        let mut stop = |states| {
            if process == 1 && states > 20 {
                flag.store(true, Ordering::Relaxed);
            }
        };
        let options = Options { threads: 2, ..Options::default() };
        engine.find_distributed(cluster, (&goals, (&pool, &[formula])), &options, &budget, &mut stop)
    });
    for (process, searched) in ended.into_iter().enumerate() {
        let (found, ended) = searched.unwrap();
        let reason = ended.ended.unwrap_err().reason();
        assert_eq!(reason, if process == 1 { "interrupted" } else { "lost" });
        assert!(!found.has_seen_all && found.verdicts.is_empty() && found.traces[0].is_none());
        let trace = found.traces[1].as_ref().unwrap();
        assert_eq!((trace.path.prefix.len(), &trace.last), (1, &first));
        assert!(found.stats.states > 1 && found.stats.states < 3u64.pow(16), "{:?}", found.stats);
    }
}

#[test]
fn processes_that_do_not_go_together_are_refused() {
    let net = families::family("philo").unwrap().generate(3).unwrap();
    let other = families::family("philo").unwrap().generate(4).unwrap();
    let explore =
        |cluster: &Cluster, threads| explore(&net, &Encoding::default(), cluster, threads, &Budget::unlimited());
    type Odd<'a> = &'a (dyn Fn(&Cluster) -> Ended + Sync);
    let odd: [(Odd<'_>, &str); 4] = [
        (
            &|cluster| explore(&Cluster { fingerprint: 2, ..cluster.clone() }, 1),
            "their models differ, or their options",
        ),
        (
            &|cluster| super::tests::explore(&other, &Encoding::default(), cluster, 1, &Budget::unlimited()),
            "their models differ, or their options",
        ),
        (&|cluster| explore(cluster, 2), "give both the same --threads"),
        (
            &|cluster| {
                let more = Host::of("127.0.0.1:9").unwrap();
                explore(&Cluster { hosts: [&cluster.hosts[..], &[more]].concat(), ..cluster.clone() }, 1)
            },
            "they have different lists of hosts",
        ),
    ];
    for (odd, why) in odd {
        let ended =
            together(listeners(2), |cluster, process| if process == 1 { odd(cluster) } else { explore(cluster, 1) });
        for found in ended {
            let error = found.unwrap_err().to_string();
            assert!(error.contains(why) && error.contains("processes"), "{error}");
        }
    }
    let (listeners, hosts) = listeners(1);
    drop(listeners);
    let beyond = explore(&Cluster { hosts, process: 1, fingerprint: 1 }, 1).unwrap_err().to_string();
    assert!(beyond.contains("there is no process 1: the list has 1"), "{beyond}");
}

/// Whoever connects and says something else is not listened to.
#[test]
fn strangers_are_not_listened_to() {
    let net = families::family("philo").unwrap().generate(4).unwrap();
    let (listeners, hosts) = listeners(2);
    let address = listeners[0].local_addr().unwrap();
    let mut strangers: Vec<_> = (0..3).map(|_| TcpStream::connect(address).unwrap()).collect();
    strangers[0].write_all(b"GET / HTTP/1.1\r\n\r\n").unwrap();
    strangers[1].write_all(&[0xff; 100]).unwrap();
    strangers[1].write_all(b"\n").unwrap();
    drop(strangers);
    for found in
        together((listeners, hosts), |cluster, _| explore(&net, &Encoding::default(), cluster, 1, &Budget::unlimited()))
    {
        assert_eq!(found.unwrap().ended.unwrap().states, 81);
    }
}

/// Carry bytes from one end to the other, but no more than there are left for both ways together.
fn carry(mut from: TcpStream, mut to: TcpStream, left: &AtomicI64) {
    let mut bytes = [0; 997];
    while let Ok(read @ 1..) = from.read(&mut bytes) {
        let before = left.fetch_sub(read as i64, Ordering::Relaxed).max(0) as usize;
        if to.write_all(&bytes[..read.min(before)]).is_err() || before < read {
            break;
        }
    }
    let _closed = (from.shutdown(Shutdown::Both), to.shutdown(Shutdown::Both));
}

/// A connection is cut after any number of bytes: each process has all figures, or the loss of the other one by name.
#[test]
fn sockets_that_are_cut() {
    let net = families::family("philo").unwrap().generate(4).unwrap();
    let (mut lost, mut whole) = (0, 0);
    for round in 0..200 {
        let rng = &mut Rng::new(round);
        let (mut all, mut hosts) = listeners(2);
        // The second process finds the first one behind a place where the cable is cut.
        let door = TcpListener::bind("127.0.0.1:0").unwrap();
        let behind = all[0].local_addr().unwrap();
        hosts[0] = Host::of(&door.local_addr().unwrap().to_string()).unwrap();
        let left = Arc::new(AtomicI64::new(500 + rng.below(20_000) as i64));
        let cable = thread::spawn(move || {
            let one = door.accept().unwrap().0;
            let two = TcpStream::connect(behind).unwrap();
            let (back, other) = ((two.try_clone().unwrap(), one.try_clone().unwrap()), Arc::clone(&left));
            let thread = thread::spawn(move || carry(back.0, back.1, &other));
            carry(one, two, &left);
            thread.join().unwrap();
        });
        let second = all.pop();
        all.extend(second);
        let ended = together((all, hosts), |cluster, _| {
            SIZES.set(Some(Sizes { packet: 8, round: 30, group: 3, recent: 4 }));
            // What is cut while they say hello leaves them waiting.
            let budget = Budget::unlimited().with_time(Duration::from_secs(20));
            explore(&net, &Encoding::default(), cluster, 1, &budget)
        });
        cable.join().unwrap();
        for (process, found) in ended.into_iter().enumerate() {
            match found.unwrap().ended {
                Ok(all) => {
                    assert_eq!((all.states, all.transitions, all.deadlocks), (81, 252, 2), "{round}");
                    whole += 1;
                }
                Err(StopReason::Lost { what }) => {
                    assert!(what.starts_with(&format!("process {} (", 1 - process)), "{round}: {what}");
                    lost += 1;
                }
                Err(stop) => panic!("{round}: {stop}"),
            }
        }
    }
    assert!(lost > 10 && whole > 10, "{lost} {whole}");
}
