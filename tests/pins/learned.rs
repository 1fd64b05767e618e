//! Relations that diagrams learn: the figures of the explicit engine and of others, whatever the search; and what
//! formulas say on random models.

use super::{load, model};
use crate::shared::shared;
use starset::budget::Budget;
use starset::cross::{Plan, Quantity, Question, compare};
use starset::decide::{self, Explained, Request, Settings, Subject, Value, Ways, decide, explore};
use starset::explicit::{Encoding, Options};
use starset::formula::{FormulaId, Logic, PathSemantics, Pool, parse};
use starset::kinds::pins::{COPY, NextState};
use starset::kinds::{Kind, Reading, read};
use starset::mdd::Mdd;
use starset::model::{Groups, State, Step, TransitionSystem as _};
use starset::random::{FormulaShape, Partitioned, PartitionedShape, Rng, formula, formula_over_labels, partitioned};
use starset::symbolic::{Route, Search};
use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};
use std::path::Path;

const SEARCHES: [Search; 3] = [Search::Saturation, Search::BreadthFirst, Search::Chaining];

/// States, transitions, deadlocks and calls by diagrams.
fn by_diagrams(model: &dyn Kind, search: Search) -> [u64; 4] {
    let (settings, budget) = (Settings { search, ..Settings::default() }, Budget::unlimited());
    let space = explore(model, &settings, false, &budget, &|_| ()).unwrap();
    let number = |number: num_bigint::BigUint| u64::try_from(&number).unwrap();
    let dead = space.deadlocks(&budget).unwrap().count(&budget).unwrap();
    let calls = model.next_state_calls().unwrap();
    [number(space.states(&budget).unwrap()), number(space.transitions(&budget).unwrap()), number(dead), calls]
}

/// The same by explicit search.
fn by_search(model: &dyn Kind) -> [u64; 4] {
    let budget = Budget::unlimited();
    let engine = model.compile(&Encoding::default(), &budget).unwrap();
    let all = engine.explore(&Options::default(), &budget).unwrap();
    let number = |number: u128| u64::try_from(number).unwrap();
    [number(all.states), number(all.transitions), number(all.deadlocks), model.next_state_calls().unwrap()]
}

/// Do all searches find the same? A process model is asked directly by explicit search, which asks more often.
fn agree(path: &Path) -> [u64; 4] {
    let explicit = by_search(&*load(path).model);
    let expected = by_diagrams(&*load(path).model, Search::Saturation);
    assert_eq!(explicit[..3], expected[..3], "{}", path.display());
    assert!(explicit[3] >= expected[3], "{}", path.display());
    if path.extension().is_some_and(|extension| extension != "dve") {
        assert_eq!(explicit[3], expected[3], "{}", path.display());
    }
    for search in [Search::BreadthFirst, Search::Chaining] {
        assert_eq!(by_diagrams(&*load(path).model, search), expected, "{} {search:?}", path.display());
    }
    expected
}

#[test]
fn shipped_models_have_the_same_figures_by_diagrams() {
    for name in ["thermostat.dve", "locker.mch", "toggle.etf"] {
        agree(&model(name));
    }
}

/// States, transitions, deadlocks and distinct short states of a random model, by the definition.
fn by_definition(model: &Partitioned) -> [u64; 4] {
    let signature = model.signature();
    let mut seen: HashSet<Vec<u32>> = signature.initial.iter().cloned().collect();
    let mut queue: VecDeque<Vec<u32>> = seen.iter().cloned().collect();
    let mut asked = HashSet::new();
    let (mut transitions, mut deadlocks) = (0, 0);
    while let Some(state) = queue.pop_front() {
        let before = transitions;
        for (number, group) in signature.groups.iter().enumerate() {
            let short: Vec<u32> = group.reads.iter().map(|&variable| state[variable]).collect();
            for answer in model.answers(number, &short) {
                let mut next = state.clone();
                for (variable, value) in group.writes().zip(answer) {
                    next[variable] = if value == COPY { state[variable] } else { value };
                }
                transitions += 1;
                if seen.insert(next.clone()) {
                    queue.push_back(next);
                }
            }
            asked.insert((number, short));
        }
        deadlocks += u64::from(transitions == before);
    }
    [seen.len() as u64, transitions, deadlocks, asked.len() as u64]
}

#[test]
fn random_models_have_the_figures_of_their_definition() {
    let (mut largest, mut stuck, mut copies) = (0, 0, 0);
    for seed in 0..400 {
        let drawn = partitioned(&mut Rng::new(seed), &PartitionedShape::default());
        let expected = by_definition(&drawn);
        let fresh = || drawn.clone().model().unwrap();
        assert_eq!(by_search(&fresh()), expected, "seed {seed}, explicit");
        for search in SEARCHES {
            assert_eq!(by_diagrams(&fresh(), search), expected, "seed {seed}, {search:?}");
        }
        // Both in one model: nobody asks twice.
        let both = fresh();
        by_search(&both);
        assert_eq!(by_diagrams(&both, Search::Saturation)[3], expected[3], "seed {seed}");
        largest = largest.max(expected[0]);
        stuck += u64::from(expected[2] > 0);
        copies += u64::from(
            drawn
                .signature()
                .groups
                .iter()
                .any(|group| group.may_write.iter().any(|variable| !group.reads.contains(variable))),
        );
    }
    assert!(largest > 200 && stuck > 20 && copies > 100, "{largest} {stuck} {copies}");
}

/// The verdict of the decider by some of the ways.
fn verdict(model: &dyn Kind, pool: &mut Pool, formula: FormulaId, paths: PathSemantics, ways: Ways) -> Option<bool> {
    let asked = [decide::Question::formula(pool, formula, paths, Route::Fixpoints).into()];
    let (groups, kept) = (Groups::single(model), decide::Recorder::new(1));
    let settings = Settings { ways, ..Settings::default() };
    let subject = Subject { model, groups: &groups, pool };
    decide(subject, &asked, &settings, &Budget::unlimited(), &kept);
    match kept.into_recorded().pop().and_then(|recorded| recorded.answer).map(|answer| answer.value) {
        Some(Value::Verdict(verdict)) => Some(verdict),
        _ => None,
    }
}

/// Formulas of all logics have the same verdicts and as many states by all engines, searches and orders.
#[test]
fn random_formulas_hold_alike_by_all_engines() {
    let budget = Budget::unlimited().with_memory(64 << 20);
    let (mut opinions, mut verdicts, mut several) = (0, [0, 0], 0);
    for seed in 0..150 {
        let mut rng = Rng::new(seed);
        let model = partitioned(&mut rng, &PartitionedShape { variables: 4, ..PartitionedShape::default() });
        let expected = by_definition(&model);
        let (labels, model) = (model.signature().labels.len(), model.model().unwrap());
        let mut pool = Pool::new();
        let mut questions = Vec::new();
        for logic in [Logic::Ctl, Logic::Ltl, Logic::CtlStar] {
            let shape = FormulaShape { logic, size: 1 + rng.below(6) };
            let formula = formula_over_labels(&mut rng, &model.interactions(), labels, &shape, &mut pool);
            questions.push(Question::Formula(formula, PathSemantics::ALL[rng.below(PathSemantics::ALL.len())]));
        }
        for question in &questions {
            let &Question::Formula(formula, paths) = question else { continue };
            let symbolic = verdict(&model, &mut pool, formula, paths, Ways::SYMBOLIC);
            if let Some(explicit) = verdict(&model, &mut pool, formula, paths, Ways::EXPLICIT) {
                assert_eq!(symbolic, Some(explicit), "seed {seed}");
                several += usize::from(model.initial_states().len() > 1);
            }
        }
        let plan = Plan::sample(&model, &mut rng);
        let all = compare(&model, &mut pool, &questions, &plan, &budget);
        assert_eq!(all.disagreement(), None, "seed {seed}");
        let states = (Quantity::States, expected[0].to_string());
        assert!(all.space.iter().all(|opinion| opinion.quantities.contains(&states)), "seed {seed}: {:?}", all.space);
        for (quantity, value) in all.questions.iter().flatten().flat_map(|opinion| &opinion.quantities) {
            opinions += 1;
            if *quantity == Quantity::Verdict {
                verdicts[usize::from(value == "true")] += 1;
            }
        }
    }
    assert!(opinions > 150 * 3 * 5 && verdicts.iter().all(|&count| count > 300), "{opinions} {verdicts:?}");
    assert!(several > 100, "{several}");
}

/// Everything that suits a model, on one that is larger.
#[test]
fn everything_agrees_on_a_random_model() {
    let mut rng = Rng::new(7);
    let shape = PartitionedShape { variables: 6, ..PartitionedShape::default() };
    let model = loop {
        let drawn = partitioned(&mut rng, &shape);
        if by_definition(&drawn)[0] > 100 {
            break drawn.model().unwrap();
        }
    };
    let (mut pool, budget) = (Pool::new(), Budget::unlimited());
    let formula = formula(&mut rng, &model.interactions(), &FormulaShape { logic: Logic::Ctl, size: 4 }, &mut pool);
    let questions = [Question::Formula(formula, PathSemantics::Maximal)];
    let plan = Plan::everything(&model, 0, &[], &budget);
    let all = compare(&model, &mut pool, &questions, &plan, &budget);
    assert_eq!(all.disagreement(), None);
    assert!(all.space.len() > 8 && all.space.iter().all(|opinion| opinion.stopped.is_none()), "{:?}", all.space);
}

/// A machine of the folder with B machines, some of its text replaced.
fn machine(folder: &Path, file: &str, edit: Option<(&str, &str)>) -> Box<dyn Kind> {
    let path = folder.join(file);
    let Some((from, to)) = edit else { return load(&path).model };
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.contains(from), "{file}: {from}");
    let beside = tempfile::tempdir().unwrap();
    load(&super::written(beside.path(), file, &text.replace(from, to))).model
}

/// A machine by its file, and what is to be replaced in it; states, transitions (initialisations left out), deadlocks, and
/// the most calls.
type Row = (&'static str, Option<(&'static str, &'static str)>, [u64; 4]);

/// The papers' figures (SPEC.md).
const MACHINES: [Row; 12] = [
    // It has four initial states.
    ("Cruise_finite1.mch", None, [1_360, 25_692, 0, 1_667]),
    ("MutexSimple.mch", None, [9, 22, 0, 26]),
    ("MutexSimple.mch", Some(("wait := 2", "wait := 1")), [4, 8, 0, 12]),
    ("MutexSimple.mch", Some(("wait := 2", "wait := 500")), [251_001, 876_751, 0, 127_763]),
    ("ConcurrentCounters.mch", None, [110_812, 325_002, 0, 113_032]),
    ("SiemensMiniPilot_Abrial_mch_0.mch", None, [180, 990, 0, 182]),
    ("file_system.mch", None, [697, 5_234, 0, 1_198]),
    ("Simpson_Four_Slot.mch", None, [46_656, 112_752, 0, 2_089]),
    ("CAN_BUS_tlc.mch", None, [132_598, 340_264, 0, 3_534]),
    ("pkeyprot2.mch", None, [4_411, 62_899, 0, 2_004]),
    ("Train1_Lukas_POR.mch", None, [24_635, 55_352, 0, 101_441]),
    ("Philosophers.mch", None, [243, 945, 2, 1_221]),
];

#[test]
fn machines_of_the_papers_have_their_figures_by_diagrams() {
    let Some(folder) = shared("pins/machines") else { return };
    for (file, edit, [states, transitions, deadlocks, most]) in MACHINES {
        let mut asked = None;
        for search in SEARCHES {
            let found = by_diagrams(&*machine(&folder, file, edit), search);
            assert_eq!(found[..3], [states, transitions, deadlocks], "{file} {edit:?} {search:?}");
            assert!(found[3] <= most, "{file} {edit:?} {search:?}: {} calls", found[3]);
            assert_eq!(*asked.get_or_insert(found[3]), found[3], "{file} {edit:?} {search:?}");
        }
        assert_eq!(by_search(&*machine(&folder, file, edit))[3], asked.unwrap(), "{file} {edit:?}");
    }
}

#[test]
fn gear_has_its_figures_by_diagrams() {
    let Some(folder) = shared("pins/etf") else { return };
    for search in SEARCHES {
        let found = by_diagrams(&*load(&folder.join("gear.1.etf")).model, search);
        assert_eq!(found[..3], [2689, 3567, 16], "{search:?}");
        assert!(found[3] <= 10_801, "{search:?}: {} calls", found[3]);
    }
}

/// The smallest instance of each family of BEEM whose states are known.
#[test]
fn beem_has_its_known_states_by_diagrams() {
    let Some(folder) = shared("pins/beem") else { return };
    let table = std::fs::read_to_string(folder.join("instances.csv")).unwrap();
    let mut smallest: BTreeMap<&str, (u64, &str, &str)> = BTreeMap::new();
    for line in table.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let Ok(states) = fields[3].parse::<u64>() else { continue };
        let instance = (states, fields[0], fields[4]);
        let known = smallest.entry(fields[1]).or_insert(instance);
        *known = (*known).min(instance);
    }
    let mut compared = 0;
    for (states, file, transitions) in smallest.into_values().filter(|instance| instance.0 < 6000) {
        let found = agree(&folder.join(file));
        assert_eq!(found[0], states, "{file}");
        assert_eq!(found[1], transitions.parse().unwrap_or(found[1]), "{file}");
        compared += 1;
    }
    assert!(compared >= 12, "{compared}");
}

const COUNTER: &str = "MACHINE m VARIABLES x INVARIANT x : 0..2 INITIALISATION x :: 0..2
    OPERATIONS up = PRE x < 2 THEN x := x + 1 END END";

/// What is true initially is true in all initial states, by all ways.
#[test]
fn formulas_hold_in_all_initial_states() {
    let folder = tempfile::tempdir().unwrap();
    let loaded = load(&super::written(folder.path(), "m.mch", COUNTER));
    let model = &*loaded.model;
    assert_eq!(model.initial_states().len(), 3);
    for search in SEARCHES {
        assert_eq!(by_diagrams(model, search), [3, 2, 1, 3], "{search:?}");
    }
    assert_eq!(by_search(model), [3, 2, 1, 3]);
    let mut pool = Pool::new();
    for (text, expected) in [
        ("EF #x = 2", true),
        ("AF #x = 2", true),
        ("EF #x = 0", false),
        ("#x = 0", false),
        ("!(#x = 0)", false),
        ("EF #x = 1", false),
        ("AG #x > 0", false),
        ("AG #x >= 0", true),
        ("A (F G #x = 2)", true),
        ("E (G #x = 1)", false),
        ("F #x = 1", false),
        ("#x = 2 | X (#x = 1 | #x = 2)", true),
        ("E F (#x = 1 & X #x = 2) | #x = 2", true),
    ] {
        let formula = parse(text, &loaded.symbols, &mut pool).unwrap();
        for ways in [Ways::SYMBOLIC, Ways::EXPLICIT, Ways::default()] {
            let found = verdict(model, &mut pool, formula, PathSemantics::Stutter, ways);
            assert_eq!(found, Some(expected), "{text} {ways:?}");
        }
    }
}

/// Codes of integers are as many as there are integers; attractors have few of them.
#[test]
fn attractors_of_machines_with_integers() {
    let folder = tempfile::tempdir().unwrap();
    let text = "MACHINE m VARIABLES x, y, k INVARIANT x : INTEGER & y : INTEGER & k : INTEGER
        INITIALISATION x := 0 || y := 5 || k :: {-7, 2000000000} OPERATIONS
        up = SELECT x < 2 & y = 5 THEN x := x + 1 END; down = SELECT x = 2 & y = 5 THEN x := 0 END;
        out = SELECT x = 1 & k < 0 THEN y := -1000000000 END; end = SELECT y < 0 & x > -3 THEN x := x - 1 END END";
    let own = super::written(folder.path(), "m.mch", text);
    let mut sizes = Vec::new();
    for path in [own, model("locker.mch"), model("bridge"), model("transfer")] {
        let loaded = load(&path);
        let (model, settings, budget) = (&*loaded.model, Settings::default(), Budget::unlimited());
        let expected = bottom_components(model);
        let space = explore(model, &settings, true, &budget, &|_| {}).unwrap();
        let found = space.attractors(model, &settings, &budget).unwrap();
        let states = |set: &Mdd| set.members().map(|tuple| State::new(space.relation.values_of(&tuple))).collect();
        let listed: BTreeSet<BTreeSet<State>> =
            found.list(99, &budget).unwrap().iter().map(|one| states(&one.states)).collect();
        assert_eq!(listed, expected, "{path:?}");
        sizes.push(found.sizes.iter().map(|(size, number)| format!("{size}*{number}")).collect::<Vec<_>>().join(" "));
    }
    assert_eq!(sizes[..2], ["1*1 3*1", "1*1"]);
}

/// The components of the graph of states that no step leaves, by what each state reaches.
fn bottom_components(model: &dyn Kind) -> BTreeSet<BTreeSet<State>> {
    let reached = |from: Vec<State>| {
        let (mut seen, mut open) = (BTreeSet::from_iter(from.clone()), from);
        while let Some(state) = open.pop() {
            for action in model.action_ids() {
                let next = (0..).map_while(|choice| model.fire(&state, Step { action, choice }));
                open.extend(next.filter(|next| seen.insert(next.clone())));
            }
        }
        seen
    };
    let all: BTreeMap<State, BTreeSet<State>> =
        reached(model.initial_states()).into_iter().map(|state| (state.clone(), reached(vec![state]))).collect();
    all.values().filter(|own| own.iter().all(|other| all[other] == **own)).cloned().collect()
}

/// A run that violates a formula begins in an initial state in which it fails.
#[test]
fn witnesses_begin_where_the_formula_fails() {
    let folder = tempfile::tempdir().unwrap();
    let loaded = load(&super::written(folder.path(), "m.mch", COUNTER));
    let (mut pool, groups) = (Pool::new(), Groups::single(&*loaded.model));
    let formula = parse("AF #x != 2 & AG !(#x = 1)", &loaded.symbols, &mut pool).unwrap();
    let question = decide::Question::formula(&mut pool, formula, PathSemantics::Maximal, Route::Fixpoints);
    let asked = [Request { witness: true, ..question.into() }];
    for ways in [Ways::SYMBOLIC, Ways::EXPLICIT, Ways::default()] {
        let (kept, settings) = (decide::Recorder::new(1), Settings { ways, ..Settings::default() });
        let subject = Subject { model: &*loaded.model, groups: &groups, pool: &pool };
        decide(subject, &asked, &settings, &Budget::unlimited(), &kept);
        let decide::Recorded { answer, explained, .. } = kept.into_recorded().pop().unwrap();
        assert_eq!(answer.unwrap().value, Value::Verdict(false), "{ways:?}");
        let Some(Explained::Witness(witness)) = explained else { panic!("{ways:?}: {explained:?}") };
        let first = &witness.runs[0].positions[0].marking;
        assert!(loaded.model.initial_states().contains(first), "{ways:?}");
    }
}

/// Rows that are right pass the check, and it asks the model no more often.
#[test]
fn right_rows_pass_their_check() {
    let reading = Reading { check_rows: true, ..Reading::default() };
    let checked = |path: &Path| read(&[path.to_owned()], &reading, &Budget::unlimited()).unwrap().model;
    for name in ["thermostat.dve", "locker.mch", "toggle.etf"] {
        let path = model(name);
        let expected = by_diagrams(&*load(&path).model, Search::Saturation);
        assert_eq!(by_search(&*checked(&path))[..3], expected[..3], "{name}");
        assert_eq!(by_diagrams(&*checked(&path), Search::Saturation), expected, "{name}");
    }
    let Some(folder) = shared("pins") else { return };
    for name in [
        "machines/SiemensMiniPilot_Abrial_mch_0.mch",
        "machines/file_system.mch",
        "machines/Philosophers.mch",
        "machines/pkeyprot2.mch",
        "beem/needham/needham.1.dve",
        "beem/bakery/bakery.2.dve",
        "beem/msmie/msmie.1.dve",
    ] {
        let path = folder.join(name);
        let expected = by_diagrams(&*load(&path).model, Search::Saturation);
        assert_eq!(by_diagrams(&*checked(&path), Search::Saturation), expected, "{name}");
    }
}
