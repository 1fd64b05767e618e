//! The simple case of the library, held against the brute-force checker and against itself.

use crate::oracle::{Setting, check};
use crate::reference::{Graph, explore};
use num_bigint::BigUint;
use starset::budget::{Budget, Exhausted};
use starset::decide::{Settings, Ways};
use starset::formula::{Logic, PathSemantics, Pool, Symbols};
use starset::kinds::{Kind, Reading, Saved, net::families};
use starset::net::{NetBuilder, PetriNet};
use starset::random::{FormulaShape, NetShape, Rng, formula, net};
use starset::{Doing, Error, Model, NamedState, SatSet, States, StopReason, Verdict, Watch};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

fn philosophers() -> Model {
    Model::read(concat!(env!("CARGO_MANIFEST_DIR"), "/models/philo-5.pnml")).unwrap()
}

/// A counter machine that never comes to an end in diagrams.
fn endless() -> (tempfile::TempDir, Model) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("endless.counters");
    std::fs::write(
        &file,
        "machine endless\ncounter x = 0\ncounter y = 0\ngo: do x += 1\nstep: when x >= 1 do y += 3\n",
    )
    .unwrap();
    let model = Model::read(&file).unwrap();
    (folder, model)
}

#[test]
fn all_values_go_from_thread_to_thread() {
    fn check<T: Send + Sync + 'static>() {}
    check::<Model>();
    check::<SatSet>();
    check::<States>();
    check::<NamedState>();
    check::<Verdict>();
    check::<Error>();
}

/// A net, its graph, and formulas of it with the sets that the brute-force checker finds.
struct Case {
    model: Model,
    graph: Graph,
    sets: Vec<(String, Vec<bool>)>,
}

fn case(seed: u64) -> Case {
    let mut rng = Rng::new(seed);
    let shape = NetShape { max_states: 60, ..NetShape::default() };
    let net: PetriNet = net(&mut rng, &shape);
    let graph = explore(&net, shape.max_states).unwrap();
    let symbols = Symbols::new(&net);
    let mut sets = Vec::new();
    for logic in [Logic::Ctl, Logic::Ltl, Logic::CtlStar] {
        let mut pool = Pool::new();
        let f = formula(&mut rng, &net, &FormulaShape { logic, size: 1 + seed as usize % 6 }, &mut pool);
        let paths = net.default_paths(pool.logic(f));
        let text = pool.display(f, &symbols).to_string();
        let closed = pool.close(f);
        if let Ok(known) = check(Setting::new(&graph, &pool, paths), closed) {
            sets.push((text, known[&closed].clone()));
        }
    }
    Case { model: Model::new(net), graph, sets }
}

impl Case {
    /// Which markings of the graph are in the set, whichever way it is asked.
    fn members(&self, set: &SatSet) -> Vec<bool> {
        let variables: Vec<&str> = self.model.variables().collect();
        let named = |numbers: &[u64]| self.model.state(variables.iter().copied().zip(numbers.iter().copied())).unwrap();
        let states: Vec<NamedState> = self.graph.markings.iter().map(|m| named(m.as_slice())).collect();
        let members: Vec<bool> = states.iter().map(|state| set.contains(state).unwrap()).collect();
        let count = members.iter().filter(|&&member| member).count();
        assert_eq!(set.len().unwrap(), BigUint::from(count));
        assert_eq!(set.is_empty(), count == 0);
        let listed: Vec<NamedState> = set.iter().collect();
        assert_eq!(listed.len(), count);
        for chosen in [set.sample(count, 1).unwrap(), set.smallest(count + 1).unwrap()] {
            assert_eq!(chosen.len(), count);
            assert!(chosen.iter().all(|state| listed.contains(state)));
        }
        let expected: BTreeSet<&[u64]> =
            self.graph.markings.iter().zip(&members).filter(|&(_, &m)| m).map(|(m, _)| m.as_slice()).collect();
        assert_eq!(listed.iter().map(|state| state.state().as_slice()).collect::<BTreeSet<_>>(), expected);
        members
    }
}

#[test]
fn sets_and_their_algebra() {
    let mut pairs = 0;
    for seed in 0..150 {
        let case = case(seed);
        let sets: Vec<SatSet> = case.sets.iter().map(|(text, _)| case.model.satset(text).unwrap()).collect();
        for ((text, expected), set) in case.sets.iter().zip(&sets) {
            assert_eq!(case.members(set), *expected, "seed {seed}: {text}");
            let initially = case.model.check(text).unwrap().verdict();
            assert_eq!(initially, Some(expected[0]), "seed {seed}: {text}");
            assert_eq!(set.contains(&case.model.initial()).unwrap(), expected[0]);
        }
        let [(_, a), (_, b), ..] = &case.sets[..] else { continue };
        let (x, y) = (&sets[0], &sets[1]);
        let zip = |f: fn(bool, bool) -> bool| a.iter().zip(b).map(|(&a, &b)| f(a, b)).collect::<Vec<bool>>();
        assert_eq!(case.members(&(x & y).unwrap()), zip(|a, b| a && b), "seed {seed}");
        assert_eq!(case.members(&(x | y).unwrap()), zip(|a, b| a || b), "seed {seed}");
        assert_eq!(case.members(&(x - y).unwrap()), zip(|a, b| a && !b), "seed {seed}");
        assert_eq!(case.members(&(x ^ y).unwrap()), zip(|a, b| a != b), "seed {seed}");
        assert_eq!(case.members(&(!x).unwrap()), zip(|a, _| !a), "seed {seed}");
        assert_eq!(x.is_subset(y).unwrap(), zip(|a, b| !a || b).into_iter().all(|holds| holds), "seed {seed}");
        assert_eq!(x.is_disjoint(y).unwrap(), zip(|a, b| !(a && b)).into_iter().all(|holds| holds), "seed {seed}");
        assert_eq!(x == y, a == b, "seed {seed}");
        pairs += 1;
        assert_eq!(case.members(&case.model.reachable().unwrap()), vec![true; a.len()]);
        let dead: BTreeSet<usize> = case.graph.deadlocks().into_iter().collect();
        let dead: Vec<bool> = (0..a.len()).map(|state| dead.contains(&state)).collect();
        assert_eq!(case.members(&case.model.deadlocks().unwrap()), dead);
    }
    assert!(pairs > 100, "{pairs}");
}

/// Formulas that name a set against the same formulas with the set's own formula, in both engines, and with the set from a
/// file.
#[test]
fn formulas_name_sets() {
    const FORMS: [&str; 9] = [
        "EF @",
        "AG (@ -> EX !@)",
        "A F @",
        "E (!@ U @)",
        "G F @",
        "F G (@ | EX @)",
        "E (X @ & F G @)",
        "O @",
        "E F (@ & Y !@)",
    ];
    let by = |model: &Model, ways| model.clone().with_settings(Settings { ways, ..Settings::default() });
    let (mut seen, mut decided) = ([0, 0], 0);
    for seed in 0..40 {
        let mut case = case(seed);
        // A set stays what it is, whatever paths are.
        case.model = case.model.with_paths(PathSemantics::Maximal);
        let Some((text, _)) = case.sets.first() else { continue };
        let set = case.model.satset(text).unwrap();
        let members = case.members(&set);
        let named = case.model.clone().with_set("it", &set).unwrap();
        assert_eq!(named.satset("%it").unwrap(), set, "seed {seed}");
        for form in FORMS {
            let (by_name, in_full) = (form.replace('@', "%it"), form.replace('@', &format!("({text})")));
            let known = case.model.check(&in_full).unwrap().verdict();
            for ways in [Ways::SYMBOLIC, Ways::EXPLICIT, Ways::default()] {
                let answer = by(&named, ways).check(&by_name).unwrap();
                assert!(answer.verdict().is_none() || answer.verdict() == known, "seed {seed}: {in_full}");
                decided += usize::from(answer.verdict().is_some());
            }
            seen[usize::from(known.unwrap())] += 1;
            if !form.contains(['O', 'Y']) {
                assert_eq!(
                    named.satset(&by_name).unwrap(),
                    case.model.satset(&in_full).unwrap(),
                    "seed {seed}: {in_full}"
                );
            }
        }
        // A set from a file, under another order of places.
        let file = tempfile::NamedTempFile::new().unwrap();
        set.save(file.path()).unwrap();
        let kind = case.model.kind();
        let saved = Saved::load(file.path(), kind, &Budget::unlimited()).unwrap().named("it", kind).unwrap();
        let values = |state: usize| saved.contains(|variable| case.graph.markings[state].value(variable));
        assert!((0..members.len()).all(|state| values(state) == members[state]), "seed {seed}");
    }
    assert!(seen.iter().all(|&seen| seen > 50) && decided > 800, "{seen:?}, {decided}");
}

#[test]
fn sets_that_are_not_known_are_refused() {
    let (one, other) = (philosophers(), philosophers());
    let set = one.deadlocks().unwrap();
    assert!(matches!(other.with_set("dead", &set), Err(Error::OtherModel)));
    let named = one.clone().with_set("dead", &set).unwrap();
    let unknown = |model: &Model, formula| model.check(formula).unwrap_err().to_string();
    assert!(unknown(&named, "EF %deed").contains("unknown set `deed`; did you mean `dead`?"));
    assert!(unknown(&one, "EF %dead").contains("no set of states is called `dead`"));
    // The last set of a name counts.
    let named = named.with_set("dead", &one.reachable().unwrap()).unwrap();
    assert_eq!(named.check("AG %dead").unwrap().verdict(), Some(true));
    assert!(named.certify("AG %dead", true).unwrap_err().to_string().contains("a set of states from a file"));
}

/// Several formulas at once, the graph of states, steps and formulas of states, and certificates, against brute force.
#[test]
fn answers_graphs_and_certificates() {
    let mut certified = 0;
    for seed in 0..40 {
        let case = case(seed);
        let texts: Vec<&str> = case.sets.iter().map(|(text, _)| text.as_str()).collect();
        let answers = case.model.check_all(&texts).unwrap();
        assert_eq!(answers.len(), texts.len());
        for (answer, (text, known)) in answers.iter().zip(&case.sets) {
            assert_eq!((answer.formula(), answer.verdict()), (text.as_str(), Some(known[0])), "seed {seed}");
            for run in answer.runs() {
                let pairs = run.states().iter().zip(&run.states()[1..]).zip(run.steps());
                pairs.for_each(|((from, to), step)| assert_eq!(from.fire(step).unwrap(), *to, "seed {seed}"));
            }
            // Some formulas cannot be certified; none is certified wrongly.
            assert!(case.model.certify(text, !known[0]).is_err(), "seed {seed}: {text}");
            if let Ok(certificate) = case.model.certify(text, known[0]) {
                assert_eq!(certificate.verdict(), known[0]);
                let checked = || starset_checker::check(certificate.model(), certificate.text());
                assert_eq!(starset_checker::with_stack(checked).unwrap().unwrap().verdict, known[0]);
                certified += 1;
            }
        }
        let graph = case.model.graph(case.graph.states()).unwrap();
        let states: Vec<&[u64]> = graph.states().iter().map(|state| state.state().as_slice()).collect();
        assert_eq!(states, case.graph.markings.iter().map(|m| m.as_slice()).collect::<Vec<_>>(), "seed {seed}");
        let net = case.model.kind().as_net().unwrap();
        let expected = case
            .graph
            .edges
            .iter()
            .enumerate()
            .flat_map(|(from, edges)| edges.iter().map(move |&(t, to)| (from, net.transition(t).id.clone(), to)));
        assert_eq!(graph.edges(), expected.collect::<Vec<_>>(), "seed {seed}");
        let short = case.model.graph(case.graph.states() - 1);
        assert!(matches!(short, Err(Error::ManyStates(_))) || case.graph.states() == 1);
        for (state, edges) in graph.states().iter().zip(&case.graph.edges).take(5) {
            let enabled: Vec<&str> = edges.iter().map(|&(t, _)| net.transition(t).id.as_str()).collect();
            assert_eq!(state.enabled(), enabled);
            let steps = edges.iter().map(|&(t, to)| (net.transition(t).id.clone(), graph.states()[to].clone()));
            assert_eq!(state.steps(), steps.collect::<Vec<_>>());
            let same: Vec<NamedState> = case.model.satset(&state.formula()).unwrap().iter().collect();
            assert_eq!(same, std::slice::from_ref(state), "seed {seed}: {}", state.formula());
        }
    }
    assert!(certified > 30, "{certified}");
}

#[test]
fn a_watch_sees_what_a_search_does() {
    let watch = Watch::default();
    assert_eq!(watch.now(), Doing::default());
    let (_folder, model) = endless();
    let asked = AtomicUsize::new(0);
    let seen = watch.clone();
    // It ends once the watch has seen something.
    let model =
        model.with_watch(&watch).with_poll(move || seen.now().searches == 0 && asked.fetch_add(1, Relaxed) < 5000);
    assert!(matches!(model.reachable(), Err(Error::Unknown(StopReason::Exhausted(Exhausted::Cancelled)))));
    let doing = watch.now();
    assert!(doing.searches > 0 && !doing.order.is_empty());
}

#[test]
fn bounds_and_counts() {
    for seed in 0..50 {
        let case = case(seed);
        assert_eq!(case.model.states().unwrap(), BigUint::from(case.graph.states()));
        let net = case.model.kind().as_net().unwrap();
        for place in net.place_ids() {
            let bound = case.model.bound(&[&net.place(place).id]).unwrap();
            assert_eq!(bound, Some(case.graph.bound(place).into()), "seed {seed}");
        }
    }
    let mut b = NetBuilder::new("source");
    let p = b.place("p", 0).unwrap();
    let t = b.transition("t").unwrap();
    b.output(t, p, 1).unwrap();
    let model = Model::new(b.build().unwrap());
    assert_eq!(model.bound(&["p"]).unwrap(), None);
    assert!(matches!(model.reachable(), Err(Error::Unknown(StopReason::Unbounded { .. }))));
    assert!(matches!(model.states(), Err(Error::Unknown(_))));
    assert!(matches!(model.bound(&["q"]), Err(Error::Name(_))));
}

/// Files about finite runs are read with the weak next and the templates of Declare, and their formulas can be asked; where no run
/// ends, that is told.
#[test]
fn files_about_finite_runs() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("runs.ltlf");
    std::fs::write(&file, "F (deadlock & N false)\nresponse(FF2a_0, End_0)\nN false\n").unwrap();
    let model = philosophers().with_finite_runs(None).unwrap();
    let formulas = model.formulas(&file).unwrap();
    let texts: Vec<&str> = formulas.iter().map(|(_, formula)| formula.as_str()).collect();
    let answers = model.check_all(&texts).unwrap();
    assert_eq!(
        answers.iter().map(|answer| answer.verdict()).collect::<Vec<_>>(),
        [Some(true), Some(true), Some(false)]
    );
    assert!(answers.iter().all(|answer| answer.is_vacuous() == Some(false)));
    let model = model.with_finite_runs(Some("#Eat_0 = 2")).unwrap();
    let answers = model.check_all(&["A false", "E true"]).unwrap();
    let told: Vec<_> = answers.iter().map(|answer| (answer.verdict(), answer.is_vacuous())).collect();
    assert_eq!(told, [(Some(true), Some(true)), (Some(false), Some(true))]);
    assert!(philosophers().formulas(&file).is_err());
}

/// The reachable set is computed once, whichever clone asks for it first.
#[test]
fn clones_share_the_state_space() {
    let model = philosophers();
    let (clone, timed) = (model.clone(), model.clone().with_time(Duration::from_secs(100)));
    let a = clone.satset("#Eat_0 = 1").unwrap();
    let b = std::thread::spawn(move || timed.satset("#Eat_1 = 1")).join().unwrap().unwrap();
    assert!(std::ptr::eq(a.state_space(), b.state_space()));
    assert_eq!((&a & &b).unwrap().len().unwrap(), 0u32.into());
    drop((model, clone));
    // Sets keep what they need alive.
    assert_eq!((&a | &b).unwrap().model().states().unwrap(), 243u32.into());
}

/// From threads that begin at the same time, too.
#[test]
fn sets_of_many_threads_go_together() {
    let model = philosophers();
    let sets: Vec<SatSet> = std::thread::scope(|scope| {
        let of = |i: usize| {
            let model = model.clone();
            move || model.satset(&format!("#Eat_{i} = 1")).unwrap()
        };
        let threads: Vec<_> = (0..5).map(|i| scope.spawn(of(i))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let any = sets.iter().skip(1).fold(sets[0].clone(), |any, set| (&any | set).unwrap());
    let some = model.satset("#Eat_0 + #Eat_1 + #Eat_2 + #Eat_3 + #Eat_4 >= 1").unwrap();
    assert_eq!(any, some);
}

#[test]
fn other_models_are_refused() {
    let (one, other) = (philosophers(), philosophers());
    let (a, b) = (one.deadlocks().unwrap(), other.deadlocks().unwrap());
    assert_ne!(a, b);
    assert_ne!(one.initial(), other.initial());
    for mixed in [&a & &b, &a | &b, &a - &b, &a ^ &b] {
        assert!(matches!(mixed, Err(Error::OtherModel)));
    }
    assert!(matches!(a.is_subset(&b), Err(Error::OtherModel)));
    assert!(matches!(a.is_disjoint(&b), Err(Error::OtherModel)));
    assert!(matches!(a.contains(&other.initial()), Err(Error::OtherModel)));
}

#[test]
fn saved_sets_come_back() {
    let (one, other) = (philosophers(), philosophers());
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("eats.set");
    let eats = one.satset("#Eat_0 = 1").unwrap();
    eats.save(&file).unwrap();
    assert_eq!(one.load_set(&file).unwrap(), eats);
    assert_eq!(other.load_set(&file).unwrap(), other.satset("#Eat_0 = 1").unwrap());
    assert!(std::fs::read_to_string(&file).unwrap().contains("formula #Eat_0 = 1\n"));
    let network = Model::read("models/buffer.counters").unwrap();
    assert!(matches!(network.load_set(&file), Err(Error::Saved(_))));
    let error = eats.save(folder.path().join("no/where.set")).unwrap_err();
    assert!(matches!(&error, Error::Save { file, .. } if file.ends_with("where.set")), "{error}");
    assert!(matches!(one.load_set(folder.path().join("none.set")), Err(Error::Saved(_))));
}

#[test]
fn names_and_values() {
    let model = Model::read("models/buffer.counters").unwrap();
    let all = model.reachable().unwrap();
    assert_eq!(all.len().unwrap(), 12u32.into());
    for state in &all {
        let again = model.state(state.iter().map(|(name, value)| (name, value.into_owned()))).unwrap();
        assert_eq!(again, state);
    }
    let gone = model.satset("consumer = gone").unwrap();
    assert!(gone.iter().all(|state| state.value("consumer").unwrap() == "gone"));
    assert_eq!(gone.iter().next().unwrap().number("nothing"), None);
    assert!(matches!(model.state([("consumer", "sleeping")]), Err(Error::Name(_))));
    assert!(matches!(model.state([("free", -1)]), Err(Error::Value { .. })));
    assert!(matches!(model.state([("free", "many")]), Err(Error::Value { .. })));
    assert!(matches!(model.bound(&["consumer"]), Err(Error::Value { .. })));
    // A state beyond what diagrams represent is in no set.
    assert!(!all.contains(&model.state([("free", u64::MAX)]).unwrap()).unwrap());

    // Where numbers count from 2 on, as elsewhere, the formula of a state is about this state.
    let lift = Model::read("models/lift.smv").unwrap();
    for state in &lift.reachable().unwrap() {
        let same: Vec<NamedState> = lift.satset(&state.formula()).unwrap().iter().collect();
        assert_eq!(same, std::slice::from_ref(&state), "{}", state.formula());
    }

    let files = ["models/sender.aut", "models/receiver.aut"];
    let network = Model::read_with(&files, &Reading::default(), &Budget::unlimited()).unwrap();
    assert_eq!(network.reachable().unwrap().len().unwrap(), network.states().unwrap());
}

/// What reads the file of a model anew tells nothing of another one in its place.
#[test]
fn files_that_have_changed_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    type Ask = fn(&Model) -> Result<(), Error>;
    let ask: [(&str, &str, &str, Ask); 5] = [
        ("order.bpmn", "parallelGateway", "exclusiveGateway", |model| model.process_soundness().map(|_| ())),
        ("order.bpmn", "parallelGateway", "exclusiveGateway", |model| model.process_times().map(|_| ())),
        ("order.bpmn", "parallelGateway", "exclusiveGateway", |model| model.rules("models/order.rules").map(|_| ())),
        ("claim.pnwc", "e<=18", "e<=19 & d<=99", |model| model.soundness().map(|_| ())),
        ("philo-5.pnml", "<place ", "<place  ", |model| model.certify("EF deadlock", true).map(|_| ())),
    ];
    for (name, old, new, ask) in ask {
        let file = folder.path().join(name);
        let text = std::fs::read_to_string(format!("models/{name}")).unwrap();
        std::fs::write(&file, &text).unwrap();
        let model = Model::read(&file).unwrap();
        ask(&model).unwrap();
        let changed = text.replace(old, new);
        assert_ne!(changed.len(), text.len(), "{name}");
        std::fs::write(&file, changed).unwrap();
        let refused = ask(&model).unwrap_err();
        assert!(
            matches!(refused, Error::Open { .. }) && refused.to_string().contains("has changed"),
            "{name}: {refused}"
        );
        std::fs::remove_file(&file).unwrap();
        assert!(matches!(ask(&model), Err(Error::Open { .. })), "{name}");
    }
}

/// Diagrams of three thousand levels, on the small stack of a test.
#[test]
fn deep_models_need_no_care() {
    let model = Model::new(families::family("philo").unwrap().generate(600).unwrap());
    let dead = model.deadlocks().unwrap();
    assert_eq!(dead.len().unwrap(), 2u32.into());
    let rest = (!&dead).unwrap();
    assert_eq!((&rest | &dead).unwrap(), model.reachable().unwrap());
    assert_eq!(rest.len().unwrap() + 2u32, BigUint::from(3u32).pow(600));
    let drawn = rest.sample(5, 7).unwrap();
    assert!(drawn.iter().all(|state| rest.contains(state).unwrap()));
}

#[test]
fn limits_are_kept() {
    let (_folder, model) = endless();
    let begin = Instant::now();
    let stopped = model.clone().with_time(Duration::from_millis(300)).reachable();
    assert!(matches!(stopped, Err(Error::Unknown(StopReason::Exhausted(Exhausted::Time)))), "{stopped:?}");
    // What was given up is tried again with other limits.
    let calls = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&calls);
    let me = std::thread::current().id();
    let polled = model.with_poll(move || {
        assert_eq!(std::thread::current().id(), me);
        count.fetch_add(1, Relaxed) < 3
    });
    let stopped = polled.reachable();
    assert!(matches!(stopped, Err(Error::Unknown(StopReason::Exhausted(Exhausted::Cancelled)))), "{stopped:?}");
    assert_eq!(calls.load(Relaxed), 4);
    let unknown = polled.check("AG #y < 1000000000").unwrap();
    assert_eq!(unknown.reason(), Some(&StopReason::Exhausted(Exhausted::Cancelled)));
    assert!(begin.elapsed() < Duration::from_secs(60));
    // Of a process without time left nothing is wrong.
    let stopped = Model::read("models/order.bpmn").unwrap().with_time(Duration::ZERO).process_times();
    assert!(matches!(stopped, Err(Error::Unknown(StopReason::Exhausted(Exhausted::Time)))), "{stopped:?}");
}

/// A run that waits half a unit is one of the model in half units.
#[test]
fn runs_of_soundness_have_a_unit_that_divides_their_delays() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("half.pnwc");
    let text = "net half\nclocks x\nplace i init 1 inv x<1\nplace p\nplace o\n\
                trans t : i -> p when 0<x<1\ntrans e : p -> o when x<1\n";
    std::fs::write(&file, text).unwrap();
    let soundness = Model::read(&file).unwrap().soundness().unwrap();
    let runs = soundness.runs();
    let (demand, run) = &runs[0];
    assert_eq!((*demand, run.formula()), ("option_to_complete", "option to complete"));
    assert!(soundness.text().iter().any(|line| line.contains("1/2 t")), "{:?}", soundness.text());
    assert_eq!(run.steps()[..2], ["tick", "t"]);
    for ((from, to), step) in run.states().iter().zip(&run.states()[1..]).zip(run.steps()) {
        assert_eq!(from.fire(step).unwrap(), *to);
    }
    assert!(run.states().last().is_some_and(|last| !last.enabled().contains(&"e")));
}
