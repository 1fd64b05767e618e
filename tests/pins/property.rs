//! Property processes: random ones against the definition of the product, and those of BEEM whose answers are known.

use super::load;
use crate::cli::{run, starset};
use crate::shared::shared;
use starset::budget::Budget;
use starset::decide::{self, Settings, Subject, Value, Ways};
use starset::explicit::{Encoding, Options, check_ltl};
use starset::formula::PathSemantics;
use starset::kinds::Loaded;
use starset::kinds::pins::dve::Dve;
use starset::kinds::pins::{Batch, COPY, NextState, Successors};
use starset::model::Groups;
use starset::symbolic::Route;
use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::path::Path;

/// What explicit search and diagrams say of the question that comes with the model.
fn by_all(loaded: &Loaded) -> [Option<bool>; 2] {
    let (mut pool, budget) = (loaded.questions.pool.clone(), Budget::unlimited());
    let formula = loaded.questions.list[0].formula;
    let asked = [decide::Question::formula(&mut pool, formula, PathSemantics::Stutter, Route::Fixpoints).into()];
    let (groups, kept) = (Groups::single(&*loaded.model), decide::Recorder::new(1));
    let settings = Settings { ways: Ways::SYMBOLIC, ..Settings::default() };
    decide::decide(Subject { model: &*loaded.model, groups: &groups, pool: &pool }, &asked, &settings, &budget, &kept);
    let symbolic = match kept.into_recorded().pop().and_then(|recorded| recorded.answer).map(|answer| answer.value) {
        Some(Value::Verdict(verdict)) => Some(verdict),
        _ => None,
    };
    [Some(self::answer(loaded)), symbolic]
}

/// What explicit search says of the question that comes with the model.
fn answer(loaded: &Loaded) -> bool {
    let (mut pool, budget) = (loaded.questions.pool.clone(), Budget::unlimited());
    let question = loaded.questions.list.iter().find(|question| !question.invariant).unwrap();
    assert_eq!(question.paths, Some(PathSemantics::Stutter));
    let engine = loaded.model.compile(&Encoding::default(), &budget).unwrap();
    let paths = PathSemantics::Stutter;
    check_ltl(&*engine, &mut pool, question.formula, paths, &Options::default(), &budget).unwrap().holds
}

type Product = (Vec<u32>, usize);

/// The successors of a state of the product, by the definition of `dve::Property`: where the system has no step, the
/// process goes on alone.
fn successors(model: &Dve, (state, place): &Product) -> Vec<Product> {
    let signature = model.signature();
    let short = |row: &[usize]| row.iter().map(|&variable| state[variable]).collect::<Vec<_>>();
    let mut next = Vec::new();
    for (number, group) in signature.groups.iter().enumerate() {
        let (values, mut found) = (short(&group.reads), Successors::default());
        model.next(number, &Batch::new(&values, values.len(), 1), &mut found).unwrap();
        for (_, values) in found.iter().flatten() {
            let mut new = state.clone();
            for (variable, &value) in group.writes().zip(values).filter(|(_, value)| **value != COPY) {
                new[variable] = value;
            }
            next.push(new);
        }
    }
    if next.is_empty() {
        next.push(state.clone());
    }
    let edges = model.property().unwrap().edges.iter().filter(|edge| edge.from == *place);
    let holds = |label: usize| model.label(label, &short(&signature.labels[label].reads)).unwrap();
    let targets: Vec<usize> = edges.filter(|edge| edge.guard.is_none_or(holds)).map(|edge| edge.to).collect();
    next.iter().flat_map(|new| targets.iter().map(|&target| (new.clone(), target))).collect()
}

/// Does no run pass accepting states infinitely often? By a search from each reachable accepting state for itself.
fn by_definition(model: &Dve) -> bool {
    let property = model.property().unwrap();
    let reach = |start: Vec<Product>, edges: &mut HashMap<Product, Vec<Product>>| {
        let (mut seen, mut stack) = (HashSet::new(), start);
        while let Some(state) = stack.pop() {
            if seen.insert(state.clone()) {
                let next = edges.entry(state.clone()).or_insert_with(|| successors(model, &state));
                stack.extend(next.iter().cloned());
            }
        }
        seen
    };
    let mut edges = HashMap::new();
    let initial = (model.signature().initial[0].clone(), property.initial);
    let all = reach(vec![initial], &mut edges);
    !all.iter().any(|state| {
        let next = edges[state].clone();
        property.accepting.contains(&state.1) && reach(next, &mut edges).contains(state)
    })
}

/// Numbers that look random, and are the same everywhere.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

/// The last three are no formulas.
const CONDITIONS: [&str; 13] = [
    "x == 1",
    "P.a",
    "not (Q.b)",
    "P.a + Q.a == 1",
    "x < n + 2 && not (P.b)",
    "x * 2 - n == 3 or Q.b",
    "n == -1 imply P.b",
    "P.a + P.b",
    "-(x - 2) > n",
    "1",
    "t[x] == 1",
    "x % 2",
    "t[t[x]] + 1 == n",
];

/// Two processes that may stop, watched by a process with up to four states.
fn random(numbers: &mut Numbers) -> String {
    let mut text = String::from("byte x, t[5]; int n = -1;\n");
    let condition = |numbers: &mut Numbers| CONDITIONS[numbers.below(CONDITIONS.len() as u64) as usize];
    let effects = ["x = x + 1", "x = 0", "n = 1 - n", "n = -1", "t[x] = 1 - t[x]"];
    for process in ["P", "Q"] {
        write!(text, "process {process} {{ state a, b; init a; trans ").unwrap();
        let transitions: Vec<String> = (0..1 + numbers.below(3))
            .map(|_| {
                let [from, to] = [numbers.below(2), numbers.below(2)].map(|state| ["a", "b"][state as usize]);
                let (guard, effect) = (condition(numbers), effects[numbers.below(effects.len() as u64) as usize]);
                format!("{from} -> {to} {{ guard x < 4 && ({guard}); effect {effect}; }}")
            })
            .collect();
        writeln!(text, "{}; }}", transitions.join(", ")).unwrap();
    }
    let count = 1 + numbers.below(4);
    let states: Vec<String> = (0..count).map(|state| format!("q{state}")).collect();
    let accepting = numbers.below(count);
    write!(text, "process L {{ state {}; init q0; accept q{accepting}; trans ", states.join(", ")).unwrap();
    let edges: Vec<String> = (0..1 + numbers.below(6))
        .map(|_| {
            let (from, to) = (numbers.below(count), numbers.below(count));
            let guard = if numbers.below(4) == 0 { String::new() } else { format!("guard {};", condition(numbers)) };
            format!("q{from} -> q{to} {{ {guard} }}")
        })
        .collect();
    writeln!(text, "{}; }}\nsystem async property L;", edges.join(", ")).unwrap();
    text
}

#[test]
fn answers_are_those_of_the_definition() {
    let folder = tempfile::tempdir().unwrap();
    let (mut numbers, mut verdicts) = (Numbers(1), [0, 0]);
    for seed in 0..400 {
        let text = random(&mut numbers);
        let path = super::written(folder.path(), "random.dve", &text);
        let expected = by_definition(&Dve::read("random.dve", &text).unwrap());
        assert_eq!(by_all(&load(&path)), [Some(expected); 2], "{seed}: {text}");
        verdicts[usize::from(expected)] += 1;
    }
    assert!(verdicts.iter().all(|&count| count > 80), "{verdicts:?}");
}

/// A guard that fails ends the run by name.
#[test]
fn guards_that_fail_end_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let text = "byte x, a[3]; process P { state p; init p; trans p -> p { effect x = x + 1; }; }
        process L { state q; init q; accept q; trans q -> q { guard a[x] == 0; }; } system async property L;";
    let loaded = load(&super::written(folder.path(), "index.dve", text));
    let (mut pool, budget) = (loaded.questions.pool.clone(), Budget::unlimited());
    let engine = loaded.model.compile(&Encoding::default(), &budget).unwrap();
    let question = loaded.questions.list[0].formula;
    let stop =
        check_ltl(&*engine, &mut pool, question, PathSemantics::Stutter, &Options::default(), &budget).unwrap_err();
    assert_eq!(stop.reason(), "model", "{stop}");
}

/// Answers of BEEM that take no time.
#[test]
fn small_properties_of_beem_have_their_answers() {
    let Some(folder) = shared("pins/beem") else { return };
    let table = std::fs::read_to_string(folder.join("properties.csv")).unwrap();
    let small = [
        "bakery/bakery.1.",
        "bakery/bakery.2.",
        "brp/brp.1.",
        "iprotocol/iprotocol.1.",
        "peterson/peterson.1.",
        "lamport/lamport.1.",
        "leader_filters/leader_filters.1.",
        "mcs/mcs.1.",
        "msmie/msmie.1.",
        "synapse/synapse.1.",
        "train-gate/train-gate.1.",
        "pgm_protocol/pgm_protocol.1.",
        "production_cell/production_cell.1.",
    ];
    let mut compared = [0, 0];
    for line in table.lines().skip(1).filter(|line| small.iter().any(|name| line.starts_with(name))) {
        let fields: Vec<&str> = line.split(',').collect();
        let expected = fields[4] == "yes";
        assert_eq!(answer(&load(&folder.join(Path::new(fields[0])))), expected, "{}", fields[0]);
        compared[usize::from(expected)] += 1;
    }
    assert!(compared.iter().all(|&count| count >= 4), "{compared:?}");
}

/// The largest of ../shared/faults, whose product has 998 570 states: a search once passed an edge for a cycle there.
#[test]
#[ignore = "takes minutes"]
fn lifts_keep_their_property() {
    let Some(path) = shared("faults/lifts.6.prop2.dve") else { return };
    let negated = "!(G F (LTL_property = q2 & !deadlock))";
    for (arguments, expected) in [
        (&[][..], "LTL_property: true\n"),
        (&["--without", "diagrams", "--threads", "1"], "LTL_property: true\n"),
        (&["--paths", "stutter", "-f", negated], "1: true\n"),
    ] {
        let (out, err, status) = run(starset().arg("check").arg(&path).args(arguments));
        assert_eq!((out.as_str(), status), (expected, 0), "{arguments:?}: {err}");
    }
}
