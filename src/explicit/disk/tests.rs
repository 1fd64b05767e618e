//! Explorations on disk with tiny buffers, faults, and ends at any byte, against those in memory.
#![allow(clippy::unwrap_used)]

use super::folder::Folder;
use super::levels::Sizes;
use super::merge::{Known, Merge};
use super::run::{Reader, Run, Shape, Writer};
use super::sorter::Sorter;
use super::{Disk, DiskError, OnDisk};
use crate::budget::{Budget, Exhausted};
use crate::decide::{Answer, Fault as Wrong, Listener, Question, Settings, Statistic, Subject, Value, Ways, decide};
use crate::explicit::{Encoding, Explicit, Exploration, Options, Searched, Stats, Trace, View};
use crate::formula::Pool;
use crate::kinds::net::families;
use crate::kinds::{Kind, Reading, read};
use crate::model::{Groups, State, TransitionSystem, VariableId};
use crate::net::{NetBuilder, PetriNet};
use crate::random::{NetShape, net};
use crate::rng::Rng;
use crate::stop_reason::StopReason;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeSet, HashSet};
use std::fs::{self, OpenOptions};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64};

/// A fault of the disk: after so many bytes, and how it shows. `ConnectionAborted` is the end of the program.
pub(super) type Fault = Option<(AtomicU64, ErrorKind)>;

thread_local! {
    static SIZES: Cell<Option<Sizes>> = const { Cell::new(None) };
    static FAULT: RefCell<Fault> = const { RefCell::new(None) };
}

/// The sizes that this test wants.
pub(super) fn sizes() -> Option<Sizes> {
    SIZES.get()
}

/// The fault that it wants next.
pub(super) fn fault() -> Fault {
    FAULT.take()
}

pub(super) fn fail_after(bytes: u64, kind: ErrorKind) {
    FAULT.set(Some((AtomicU64::new(bytes), kind)));
}

pub(super) fn disk(folder: &Path) -> Disk {
    Disk { folder: folder.to_owned(), quota: None, fingerprint: 1 }
}

pub(super) fn options(threads: usize) -> Options {
    Options { threads, ..Options::default() }
}

fn on_disk(engine: &dyn Explicit<'_>, disk: &Disk, threads: usize) -> OnDisk {
    engine.explore_on_disk(disk, &options(threads), &Budget::unlimited(), &mut |_| ())
}

/// A random size of buffers, from one state on.
pub(super) fn draw_sizes(rng: &mut Rng) {
    SIZES.set(Some(Sizes::tiny([1, 7, 20, 100][rng.below(4)], [1, 4, 16][rng.below(3)])));
}

/// What both sorts of exploration know.
pub(in crate::explicit) fn figures(found: &Exploration) -> (u128, u128, u128, &[u64], u128, &[bool]) {
    let Exploration { states, transitions, deadlocks, bounds, max_tokens_per_marking, fireable, .. } = found;
    (*states, *transitions, *deadlocks, bounds, *max_tokens_per_marking, fireable)
}

/// All markings of a net, by its firing rule alone, and how many steps there are.
fn brute_force(model: &dyn Kind) -> (u128, u128) {
    let mut open = model.initial_states();
    let mut all: HashSet<State> = open.iter().cloned().collect();
    let mut steps = 0;
    while let Some(state) = open.pop() {
        for next in model.action_ids().filter_map(|action| model.fire(&state, action.into())) {
            steps += 1;
            if all.insert(next.clone()) {
                open.push(next);
            }
        }
    }
    (all.len() as u128, steps)
}

/// The number of states by diagrams.
fn symbolic(model: &dyn Kind) -> u128 {
    struct Heard(Mutex<Option<Value>>);
    impl Listener for Heard {
        fn answered(&self, answer: Answer) {
            *self.0.lock().unwrap() = Some(answer.value);
        }
        fn faulty(&self, _: usize, fault: Wrong) {
            panic!("{fault}");
        }
    }
    let (heard, groups, pool) = (Heard(Mutex::new(None)), Groups::single(model), Pool::new());
    let subject = Subject { model, groups: &groups, pool: &pool };
    let settings = Settings { ways: Ways::SYMBOLIC, ..Settings::default() };
    decide(subject, &[Question::Statistic(Statistic::States).into()], &settings, &Budget::unlimited(), &heard);
    match heard.0.into_inner().unwrap() {
        Some(Value::Number(number)) => number.to_string().parse().unwrap(),
        other => panic!("{other:?}"),
    }
}

pub(in crate::explicit) fn random_net(rng: &mut Rng) -> PetriNet {
    let wide = rng.one_in(4);
    net(rng, &NetShape { places: if wide { 12 } else { 6 }, ..NetShape::default() })
}

/// An encoding in which some fields have to grow.
pub(in crate::explicit) fn draw_encoding(rng: &mut Rng) -> Encoding {
    Encoding { invariants: rng.one_in(2), drw: !rng.one_in(4), ..Encoding::default() }
}

#[test]
fn random_nets_have_the_same_figures_on_disk() {
    let (mut grown, mut levels, mut most) = (0, 0, 0);
    for seed in 0..520 {
        let rng = &mut Rng::new(seed);
        let net = random_net(rng);
        let engine = net.compile(&draw_encoding(rng), &Budget::unlimited()).unwrap();
        draw_sizes(rng);
        let folder = tempfile::tempdir().unwrap();
        let found = on_disk(&*engine, &disk(folder.path()), 1 + usize::from(rng.one_in(4)));
        let all = found.ended.unwrap();
        let expected = engine.explore(&Options::default(), &Budget::unlimited()).unwrap();
        assert_eq!(figures(&all), figures(&expected), "seed {seed}");
        if seed < 200 {
            assert_eq!((all.states, all.transitions), brute_force(&net), "seed {seed}");
            assert_eq!(all.states, symbolic(&net), "seed {seed}");
        }
        let dead = found.deadlock.inspect(|state| assert!(net.is_deadlock(state)));
        assert_eq!(dead.is_some(), all.deadlocks > 0, "seed {seed}");
        assert_eq!(u128::from(found.states), all.states, "seed {seed}");
        (grown, levels) = (grown + all.stats.growths, levels + found.levels);
        most = most.max(all.states);
        // Nothing is left but what says so.
        let names: BTreeSet<_> = fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().file_name()).collect();
        assert_eq!(names, ["lock".into(), "manifest".into()].into());
        let again = on_disk(&*engine, &disk(folder.path()), 1);
        assert_eq!((again.ended.unwrap().states, again.resumed), (all.states, found.levels), "seed {seed}");
    }
    assert!(grown > 30 && levels > 3000 && most > 200, "{grown} {levels} {most}");
}

/// Tokens on a ring of places, which take many words without unit codes.
pub(in crate::explicit) fn ring(places: usize, tokens: u64) -> PetriNet {
    let mut b = NetBuilder::new("ring");
    let all: Vec<_> =
        (0..places).map(|at| b.place(format!("p{at}"), if at == 0 { tokens } else { 0 }).unwrap()).collect();
    for at in 0..places {
        let step = b.transition(format!("t{at}")).unwrap();
        b.input(all[at], step, 1).unwrap();
        b.output(step, all[(at + 1) % places], 1).unwrap();
    }
    b.build().unwrap()
}

#[test]
fn states_of_many_words() {
    for (places, tokens) in [(30, 3), (100, 2), (300, 1), (700, 1)] {
        let net = ring(places, tokens);
        let encoding = Encoding { invariants: false, nupn: false, ..Encoding::default() };
        let engine = net.compile(&encoding, &Budget::unlimited()).unwrap();
        let expected = engine.explore(&Options::default(), &Budget::unlimited()).unwrap();
        for (buffer, block) in [(50, 10), (2000, 100)] {
            SIZES.set(Some(Sizes::tiny(buffer, block)));
            let folder = tempfile::tempdir().unwrap();
            let found = on_disk(&*engine, &disk(folder.path()), 2);
            assert_eq!(figures(&found.ended.unwrap()), figures(&expected), "{places}");
        }
        let bits = expected.stats.bits_per_state as usize;
        assert!(bits >= places, "{bits}");
    }
}

#[test]
fn models_of_other_kinds() {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("models");
    let mut kinds = BTreeSet::new();
    for file in fs::read_dir(models).unwrap() {
        let path = file.unwrap().path();
        let Ok(loaded) = read(std::slice::from_ref(&path), &Reading::default(), &Budget::unlimited()) else { continue };
        let model = &*loaded.model;
        let Ok(engine) = model.compile(&Encoding::default(), &Budget::unlimited()) else { continue };
        let limits = Budget::unlimited().with_memory(1 << 22).with_time(std::time::Duration::from_secs(2));
        let Ok(expected) = engine.explore(&Options::default(), &limits) else { continue };
        if expected.states > 20_000 {
            continue;
        }
        SIZES.set(Some(Sizes::tiny(500, 60)));
        let folder = tempfile::tempdir().unwrap();
        let found = on_disk(&*engine, &disk(folder.path()), 2);
        assert_eq!(figures(&found.ended.unwrap()), figures(&expected), "{}", path.display());
        // A folder is one model, too.
        kinds.extend(path.extension().map(ToOwned::to_owned));
    }
    for kind in ["pnml", "dve", "smv", "mch", "counters", "dot", "bnet", "bpmn", "pnwc"] {
        assert!(kinds.contains(Path::new(kind).as_os_str()), "{kind} of {kinds:?}");
    }
}

/// The files of a folder that belong to runs or are a manifest.
fn files(folder: &Path) -> Vec<PathBuf> {
    let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let mut files: Vec<PathBuf> = files.filter(|path| !path.ends_with("lock")).collect();
    files.sort();
    files
}

#[test]
fn killed_at_any_byte_it_goes_on_to_the_same_figures() {
    let (mut killed, mut resumed) = (0, 0);
    for seed in 0..150 {
        let rng = &mut Rng::new(1000 + seed);
        let net = random_net(rng);
        let engine = net.compile(&draw_encoding(rng), &Budget::unlimited()).unwrap();
        let expected = engine.explore(&Options::default(), &Budget::unlimited()).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let mut within = 200;
        let all = loop {
            // Another program may have other memory.
            draw_sizes(rng);
            within += 100;
            fail_after(rng.below(within) as u64, ErrorKind::ConnectionAborted);
            let found = on_disk(&*engine, &disk(folder.path()), 1 + usize::from(rng.one_in(8)));
            assert!(u128::from(found.states) <= expected.states, "seed {seed}");
            resumed += u32::from(found.resumed > 0);
            match found.ended {
                Ok(all) => break all,
                Err(DiskError::Io { .. }) => killed += 1,
                Err(other) => panic!("seed {seed}: {other}"),
            }
        };
        assert_eq!(figures(&all), figures(&expected), "seed {seed}");
    }
    assert!(killed > 500 && resumed > 250, "{killed} {resumed}");
}

#[test]
fn damaged_files_are_refused_or_of_no_effect() {
    let (mut refused, mut same) = (0, 0);
    for seed in 0..250 {
        let rng = &mut Rng::new(5000 + seed);
        let net = random_net(rng);
        let engine = net.compile(&Encoding::default(), &Budget::unlimited()).unwrap();
        let expected = engine.explore(&Options::default(), &Budget::unlimited()).unwrap();
        let folder = tempfile::tempdir().unwrap();
        draw_sizes(rng);
        fail_after(500 + rng.below(5000) as u64, ErrorKind::ConnectionAborted);
        let _killed = on_disk(&*engine, &disk(folder.path()), 1);
        let files = files(folder.path());
        let file = &files[rng.below(files.len())];
        let mut bytes = fs::read(file).unwrap();
        match rng.below(3) {
            0 => fs::remove_file(file).unwrap(),
            1 => {
                let length = rng.below(bytes.len().max(1)) as u64;
                OpenOptions::new().write(true).open(file).unwrap().set_len(length).unwrap();
            }
            _ if bytes.is_empty() => continue,
            _ => {
                let at = rng.below(bytes.len());
                bytes[at] ^= 1 << rng.below(8);
                fs::write(file, bytes).unwrap();
            }
        }
        match on_disk(&*engine, &disk(folder.path()), 1).ended {
            Ok(all) => {
                assert_eq!(figures(&all), figures(&expected), "seed {seed}");
                same += 1;
            }
            Err(DiskError::Damaged { .. } | DiskError::Refused { .. }) => refused += 1,
            Err(other) => panic!("seed {seed}: {other}"),
        }
    }
    assert!(refused > 50 && same > 30, "{refused} {same}");
}

#[test]
fn full_disks_and_quotas_are_the_end_for_now() {
    let mut full = 0;
    for seed in 0..200 {
        let rng = &mut Rng::new(9000 + seed);
        let net = random_net(rng);
        let engine = net.compile(&draw_encoding(rng), &Budget::unlimited()).unwrap();
        let expected = engine.explore(&Options::default(), &Budget::unlimited()).unwrap();
        let folder = tempfile::tempdir().unwrap();
        for _ in 0..4 {
            draw_sizes(rng);
            let bytes = rng.below(3000) as u64;
            let quota = Some(bytes).filter(|_| rng.one_in(2));
            if quota.is_none() {
                fail_after(bytes, ErrorKind::StorageFull);
            }
            let found = on_disk(&*engine, &Disk { quota, ..disk(folder.path()) }, 1);
            assert!(u128::from(found.states) <= expected.states, "seed {seed}");
            match found.ended {
                Ok(all) => assert_eq!(figures(&all), figures(&expected), "seed {seed}"),
                Err(DiskError::Stopped(StopReason::DiskFull { quota: which })) => {
                    assert_eq!(which, quota);
                    full += 1;
                }
                Err(other) => panic!("seed {seed}: {other}"),
            }
        }
        FAULT.take();
        let all = on_disk(&*engine, &disk(folder.path()), 1).ended.unwrap();
        assert_eq!(figures(&all), figures(&expected), "seed {seed}");
    }
    assert!(full > 100, "{full}");
}

#[test]
fn budgets_end_it_and_it_goes_on() {
    let net = families::family("philo").unwrap().generate(8).unwrap();
    let engine = net.compile(&Encoding::default(), &Budget::unlimited()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    SIZES.set(Some(Sizes::tiny(1000, 100)));
    let mut ends = 0;
    let all = loop {
        // Ends when it is told of so many states for the first time.
        let flag = std::sync::Arc::new(AtomicBool::new(false));
        let budget = Budget::unlimited().with_flag(flag.clone());
        let mut told = 0;
        let mut progress = |_| {
            told += 1;
            flag.store(told > 100 + 50 * ends, std::sync::atomic::Ordering::Relaxed);
        };
        let found = engine.explore_on_disk(&disk(folder.path()), &options(2), &budget, &mut progress);
        assert!(found.states > 0 && found.states <= 6561);
        match found.ended {
            Ok(all) => break all,
            Err(DiskError::Stopped(stop)) => assert_eq!(stop, Exhausted::Cancelled.into()),
            Err(other) => panic!("{other}"),
        }
        ends += 1;
    };
    assert_eq!((all.states, all.deadlocks), (6561, 2));
    assert!(ends > 3, "{ends}");
}

#[test]
fn folders_of_something_else_are_refused() {
    let compile = |net: &PetriNet| {
        let engine = net.compile(&Encoding::default(), &Budget::unlimited()).unwrap();
        engine.explore(&Options::default(), &Budget::unlimited()).unwrap().states
    };
    let (one, two) = (ring(5, 2), ring(5, 3));
    assert_ne!(compile(&one), compile(&two));
    let engine = |net| <PetriNet as Kind>::compile(net, &Encoding::default(), &Budget::unlimited()).unwrap();
    let (one, two) = (engine(&one), engine(&two));
    let folder = tempfile::tempdir().unwrap();
    let refused = |found: OnDisk, why: &str| match found.ended {
        Err(DiskError::Refused { why: said, .. }) => assert!(said.contains(why), "{said}"),
        other => panic!("{other:?}"),
    };
    assert_eq!(on_disk(&*one, &disk(folder.path()), 1).ended.unwrap().states, 15);
    refused(on_disk(&*two, &disk(folder.path()), 1), "another model");
    refused(on_disk(&*one, &Disk { fingerprint: 2, ..disk(folder.path()) }, 1), "another model");
    let held = Folder::open(folder.path(), None, false).unwrap();
    refused(on_disk(&*one, &disk(folder.path()), 1), "another program");
    drop(held);
    assert!(on_disk(&*one, &disk(folder.path()), 1).ended.is_ok());
    fs::write(folder.path().join("run-x"), "").unwrap();
    refused(on_disk(&*one, &disk(folder.path()), 1), "`run-x` of something else");
    // Nothing was removed, and a file is no folder.
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
    let file = folder.path().join("run-x");
    refused(on_disk(&*one, &disk(&file), 1), "it is a file");
    let manifest = folder.path().join("manifest");
    let text = fs::read_to_string(&manifest).unwrap();
    fs::remove_file(&file).unwrap();
    fs::write(&manifest, text.replacen("states-on-disk/2", "states-on-disk/1", 1)).unwrap();
    refused(on_disk(&*one, &disk(folder.path()), 1), "another version");
}

/// Random states of so many words, few enough for duplicates.
fn draw_states(rng: &mut Rng, words: usize, count: usize) -> Vec<Vec<u64>> {
    let top = [3, 1000, u64::MAX][rng.below(3)];
    let word = |rng: &mut Rng| if rng.one_in(3) { rng.bits() % 3 } else { rng.bits() % top };
    (0..count).map(|_| (0..words).map(|_| word(rng)).collect()).collect()
}

#[test]
fn sorted_merged_and_known_states() {
    for seed in 0..400 {
        let rng = &mut Rng::new(20_000 + seed);
        let words = [1, 1, 2, 3, 8, 9, 11][rng.below(7)];
        let shape = Shape { words, last_bytes: 8, block: [1, 5, 30][rng.below(3)] };
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::open(place.path(), None, false).unwrap();
        let run_of = |states: &BTreeSet<Vec<u64>>| {
            let mut writer = Writer::new(&folder, shape).unwrap();
            states.iter().for_each(|state| writer.add(state).unwrap());
            writer.finish(true).unwrap()
        };
        // What is sorted comes back.
        let count = rng.below(300);
        let states = draw_states(rng, words, count);
        let expected: BTreeSet<Vec<u64>> = states.iter().cloned().collect();
        let mut sorter = Sorter::new(&folder, shape, rng.below(60));
        let budget = Budget::unlimited();
        states.iter().for_each(|state| sorter.add(state, None, &budget).unwrap());
        let (mut merge, mut batch, mut all) = (sorter.sorted(None).unwrap(), Vec::new(), Vec::new());
        loop {
            merge.next(&mut batch).unwrap();
            if batch.is_empty() {
                break;
            }
            all.extend_from_slice(&batch);
        }
        assert_eq!(all, expected.iter().flatten().copied().collect::<Vec<_>>(), "seed {seed}");
        drop(merge);
        let run = sorter.run(None, &budget).unwrap();
        let entry = (run.number, run.states, run.bytes);
        assert_eq!(run.states, expected.len() as u64);
        assert_eq!(format!("{:?}", Run::load(&folder, entry, shape).unwrap()), format!("{run:?}"));
        // What is known is left out.
        let known: Vec<BTreeSet<Vec<u64>>> = (0..3)
            .map(|_| {
                let count = rng.below(100);
                let mut some: BTreeSet<Vec<u64>> = draw_states(rng, words, count).into_iter().collect();
                some.extend(states.iter().filter(|_| rng.one_in(4)).cloned());
                some
            })
            .collect();
        let runs: Vec<_> = known.iter().filter(|some| !some.is_empty()).map(run_of).collect();
        let mut left_out = Known::new(&folder, runs.iter(), shape).unwrap();
        let mut left = Vec::new();
        let part = 1 + rng.below(20);
        for some in all.chunks(part * words) {
            let mut batch = some.to_vec();
            left_out.leave_out(&mut batch).unwrap();
            left.extend(batch);
        }
        let new = expected.iter().filter(|state| !known.iter().any(|some| some.contains(*state)));
        assert_eq!(left, new.flatten().copied().collect::<Vec<_>>(), "seed {seed}");
        // A merge of runs, and the first state that is not less.
        let mut merge = Merge::new(&folder, &runs, &[], shape).unwrap();
        merge.next(&mut batch).unwrap();
        let union: BTreeSet<_> = known.iter().flatten().collect();
        assert_eq!(batch, union.into_iter().flatten().copied().collect::<Vec<_>>(), "seed {seed}");
        if let (Some(run), Some(some)) = (runs.first(), known.iter().find(|some| !some.is_empty())) {
            let mut reader = Reader::new(&folder, run, shape).unwrap();
            let mut goals = draw_states(rng, words, 10);
            goals.sort();
            for goal in goals {
                reader.seek(&goal).unwrap();
                assert_eq!(reader.current(), some.range(goal..).next().map(|state| &state[..]), "seed {seed}");
            }
        }
    }
}

#[test]
fn values_that_have_other_numbers_are_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sets.mch");
    let text = "MACHINE sets VARIABLES s INVARIANT s <: 1..6 INITIALISATION s := {}
        OPERATIONS add(x) = PRE x : 1..6 & x /: s THEN s := s \\/ {x} END END";
    fs::write(&path, text).unwrap();
    let (mut refused, mut right) = (0, 0);
    for bytes in (0..4_000).step_by(250) {
        let folder = tempfile::tempdir().unwrap();
        SIZES.set(Some(Sizes::tiny(7, 4)));
        // A model that is read again numbers its values anew, as it comes to them.
        let explore = || {
            let read = read(std::slice::from_ref(&path), &Reading::default(), &Budget::unlimited()).unwrap();
            let engine = read.model.compile(&Encoding::default(), &Budget::unlimited()).unwrap();
            on_disk(&*engine, &disk(folder.path()), 1).ended
        };
        fail_after(bytes, ErrorKind::ConnectionAborted);
        let has_ended = explore().is_ok();
        match explore() {
            Ok(all) => {
                assert_eq!(all.states, 64, "{bytes}");
                right += 1;
            }
            Err(DiskError::Refused { why, .. }) => {
                assert!(!has_ended && why.contains("are numbered while the model is explored"), "{why}");
                refused += 1;
            }
            Err(other) => panic!("{other}"),
        }
    }
    assert!(refused > 0 && right > 0, "{refused} {right}");
}

/// The state at the end of a run of a net, by its firing rule alone.
fn end_of(net: &PetriNet, trace: &Trace) -> Option<State> {
    trace.path.prefix.iter().try_fold(net.initial(), |state, step| net.fire(&state, *step))
}

#[test]
fn searches_in_one_folder_find_the_nearest_states() {
    let (mut found, mut far, mut killed, mut grown) = (0, 0, 0, 0);
    for seed in 0..300 {
        let rng = &mut Rng::new(30_000 + seed);
        let net = random_net(rng);
        let engine = net.compile(&draw_encoding(rng), &Budget::unlimited()).unwrap();
        let folder = tempfile::tempdir().unwrap();
        for _ in 0..4 {
            let (place, least) = (VariableId(rng.below(net.variables()) as u32), rng.below(5) as u64);
            let other = VariableId(rng.below(net.variables()) as u32);
            let mut goal = |view: View<'_>| view.value(place) >= least && view.value(other) == 0;
            let expected = engine.find(&options(1), &Budget::unlimited(), &mut goal).unwrap();
            let searched = loop {
                draw_sizes(rng);
                if rng.one_in(3) {
                    fail_after(rng.below(3000) as u64, ErrorKind::ConnectionAborted);
                }
                let options = options(1 + usize::from(rng.one_in(4)));
                let budget = Budget::unlimited();
                let searched = engine.find_on_disk(
                    &disk(folder.path()),
                    &options,
                    &budget,
                    &mut goal,
                    &mut |_, _| false,
                    &mut |_| (),
                );
                FAULT.take();
                match searched.ended {
                    Ok(searched) => break searched,
                    Err(DiskError::Io { .. }) => killed += 1,
                    Err(other) => panic!("seed {seed}: {other}"),
                }
            };
            let steps = |searched: &Searched| searched.trace.as_ref().map(|trace| trace.path.prefix.len());
            assert_eq!(steps(&searched), steps(&expected), "seed {seed}");
            if let Some(trace) = &searched.trace {
                let end = end_of(&net, trace).unwrap();
                assert!(end.value(place) >= least && end.value(other) == 0, "seed {seed}");
                assert_eq!(end, trace.last, "seed {seed}");
                (found, far) = (found + 1, far.max(trace.path.prefix.len()));
            }
            grown += searched.stats.growths;
        }
        // All states that are a goal, each once.
        let mut all = Vec::new();
        draw_sizes(rng);
        let budget = Budget::unlimited();
        let searched = engine.find_on_disk(
            &disk(folder.path()),
            &options(1),
            &budget,
            &mut |view| view.value(VariableId(0)) == 1,
            &mut |trace, _| {
                all.push(trace.last.clone());
                true
            },
            &mut |_| (),
        );
        assert!(searched.ended.unwrap().trace.is_none());
        let mut expected = Vec::new();
        let mut goal = |view: View<'_>| view.value(VariableId(0)) == 1;
        let mut keep = |trace: &Trace, _: &Stats| {
            expected.push(trace.last.clone());
            true
        };
        engine.find_each(&options(1), &Budget::unlimited(), &mut goal, &mut keep).unwrap();
        [&mut all, &mut expected].into_iter().for_each(|states| states.sort_by(|a, b| a.as_slice().cmp(b.as_slice())));
        assert_eq!(all, expected, "seed {seed}");
        // The levels are all that is left, and figures are told of them.
        let states = engine.explore(&Options::default(), &Budget::unlimited()).unwrap();
        let again = on_disk(&*engine, &disk(folder.path()), 1);
        assert_eq!(files(folder.path()).len() as u64, again.levels + 1, "seed {seed}");
        assert_eq!(figures(&again.ended.unwrap()), figures(&states), "seed {seed}");
        assert_eq!(files(folder.path()).len() as u64, again.levels + 1, "seed {seed}");
    }
    assert!(found > 300 && far > 10 && killed > 100 && grown > 30, "{found} {far} {killed} {grown}");
}

#[test]
fn searches_refuse_folders_without_levels() {
    let net = ring(4, 2);
    let engine = <PetriNet as Kind>::compile(&net, &Encoding::default(), &Budget::unlimited()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    assert!(on_disk(&*engine, &disk(folder.path()), 1).ended.is_ok());
    let (budget, options) = (Budget::unlimited(), options(1));
    let at = disk(folder.path());
    let searched = engine.find_on_disk(&at, &options, &budget, &mut |_| true, &mut |_, _| false, &mut |_| ());
    match searched.ended {
        Err(DiskError::Refused { why, .. }) => assert!(why.contains("for their numbers alone"), "{why}"),
        other => panic!("{other:?}"),
    }
}
