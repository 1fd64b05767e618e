//! The engine of bits: arithmetic of gates, random circuits and random programs beside lists of all their states, and the
//! verdicts of NuSMV.

use super::written;
use crate::cli::{run, starset};
use crate::shared::{shared, table};
use starset::budget::Budget;
use starset::circuit::{Circuit, Gates, Latch, Number, Signal};
use starset::decide::{self, Recorder, Request, Settings, Subject, Value, Ways};
use starset::kinds::Purpose;
use starset::kinds::pins::PinsModel;
use starset::kinds::pins::smv::{Asked, Smv};
use starset::model::Groups;
use starset::random::Rng;
use starset::sat::{Outcome, decide as prove};
use starset::symbolic::Route;
use std::collections::{BTreeMap, HashSet};
use std::time::Duration;

/// What never changes is not known by a condition on first states that has no value in some of them.
#[test]
fn first_states_without_a_value_prove_nothing() {
    let program = "MODULE main FROZENVAR x : 0..9; VAR y : word[16]; INIT 10 / (x - 9) = -10; INVARSPEC x = 8";
    let (_folder, path) = written(program);
    let (out, err, _) = run(starset().arg("check").arg(&path).args(["--engine", "sat", "--time", "5"]));
    assert!(!out.contains("true") && !out.contains("false"), "{out}{err}");
}

/// Results are compared with those of the machine.
#[test]
fn numbers_are_those_of_the_machine() {
    let mut gates = Gates::default();
    let [a, b]: [Number; 2] = [0, 0].map(|_| (0..4).map(|_| gates.leaf()).collect());
    let product = gates.multiply(&a, &b);
    let (sum, opposite, absolute) = (gates.add(&a, &b), gates.negate(&a), gates.absolute(&a));
    let ((quotient, rest), less) = (gates.divide(&a, &b), gates.less(&a, &b));
    let equals = gates.equals(&a, &b);
    let chosen = gates.choose_number(less, &product, &a);
    for values in (0..256).map(|both| [both & 15, both >> 4]) {
        let leaves = [&a, &b]
            .into_iter()
            .zip(values)
            .flat_map(|(word, value)| word.iter().enumerate().map(move |(bit, &leaf)| (leaf, value >> bit & 1 == 1)));
        let leaves: Vec<(Signal, bool)> = leaves.collect();
        let of = |number: &Number| {
            let constant: Number = gates.evaluate(&leaves, number).into_iter().map(Signal::constant).collect();
            Gates::as_number(&constant).unwrap()
        };
        let [x, y] = values.map(|value| if value < 8 { i128::from(value) } else { i128::from(value) - 16 });
        assert_eq!((of(&a), of(&sum), of(&product)), (x, x + y, x * y));
        assert_eq!((of(&opposite), of(&absolute)), (-x, x.abs()));
        assert_eq!(gates.evaluate(&leaves, &[less, equals]), [x < y, x == y]);
        assert_eq!(of(&chosen), if x < y { x * y } else { x });
        if y != 0 {
            assert_eq!((of(&quotient), of(&rest)), (x / y, x % y), "{x} by {y}");
        }
    }
    for value in [0, 1, -1, 5, -8, i128::from(i32::MIN), 1 << 40] {
        assert_eq!(Gates::as_number(&Gates::number(value)), Some(value));
    }
}

/// A random signal of some that there are.
pub(super) fn drawn(rng: &mut Rng, gates: &mut Gates, known: &mut Vec<Signal>) -> Signal {
    for _ in 0..=rng.below(4) {
        let [a, b] = [0, 1].map(|_| {
            let signal = known[rng.below(known.len())];
            if rng.one_in(2) { signal } else { !signal }
        });
        let made = [gates.and(a, b), gates.xor(a, b), gates.or(a, b)][rng.below(3)];
        known.push(made);
    }
    known[known.len() - 1]
}

/// A circuit with few latches and inputs, some of which go together, and a condition on states.
pub(super) fn circuit(rng: &mut Rng) -> (Circuit, Signal) {
    let mut circuit = Circuit { legal: Signal::TRUE, ..Circuit::default() };
    for _ in 0..2 + rng.below(5) {
        let _number = circuit.latch();
    }
    for _ in 0..rng.below(3) {
        let _input = circuit.input();
    }
    // Those that go with an earlier one, or with its opposite.
    let own = circuit.latches.len();
    let together: Vec<(usize, usize, bool)> =
        (0..rng.below(3)).map(|_| (circuit.latch(), rng.below(own), rng.one_in(2))).collect();
    let latches: Vec<Signal> = circuit.latches.iter().map(|latch| latch.now).collect();
    let mut all: Vec<Signal> = latches.iter().chain(&circuit.inputs).copied().collect();
    for (number, &now) in latches.iter().enumerate() {
        circuit.latches[number] = Latch { now, next: drawn(rng, &mut circuit.gates, &mut all) };
    }
    for &(latch, with, turned) in &together {
        let next = circuit.latches[with].next;
        circuit.latches[latch].next = if turned { !next } else { next };
    }
    circuit.step = if rng.one_in(2) { Signal::TRUE } else { drawn(rng, &mut circuit.gates, &mut all) };
    let mut now = latches.clone();
    circuit.initial = Signal::TRUE;
    for &latch in &latches {
        if !rng.one_in(4) {
            circuit.initial = circuit.gates.and(circuit.initial, if rng.one_in(3) { latch } else { !latch });
        }
    }
    if rng.one_in(3) {
        circuit.initial = drawn(rng, &mut circuit.gates, &mut now);
    }
    for &(latch, with, turned) in together.iter().filter(|_| !rng.one_in(5)) {
        let same = circuit.gates.same(latches[latch], latches[with]);
        circuit.initial = circuit.gates.and(circuit.initial, if turned { !same } else { same });
    }
    let [a, b, c] = [0, 1, 2].map(|_| drawn(rng, &mut circuit.gates, &mut now));
    let good = circuit.gates.or(a, b);
    let good = circuit.gates.or(good, c);
    (circuit, good)
}

pub(super) fn bits(number: usize, width: usize) -> Vec<bool> {
    (0..width).map(|bit| number >> bit & 1 == 1).collect()
}

#[test]
fn random_circuits_are_as_their_states_are() {
    let count = 500;
    let mut rng = Rng::new(49);
    let (mut holds, mut longest) = ([0, 0], 0);
    for _ in 0..count {
        let (circuit, good) = circuit(&mut rng);
        let (latches, inputs) = (circuit.latches.len(), circuit.inputs.len());
        let next: Vec<Signal> = circuit.latches.iter().map(|latch| latch.next).collect();
        let of = |state: usize, input: usize, signals: &[Signal]| {
            circuit.evaluate(&bits(state, latches), &bits(input, inputs), signals)
        };
        let mut seen: HashSet<usize> = (0..1 << latches).filter(|&state| of(state, 0, &[circuit.initial])[0]).collect();
        let mut open: Vec<usize> = seen.iter().copied().collect();
        while let Some(state) = open.pop() {
            for input in (0..1 << inputs).filter(|&input| of(state, input, &[circuit.step])[0]) {
                let to = of(state, input, &next).iter().rev().fold(0, |to, &bit| to << 1 | usize::from(bit));
                if seen.insert(to) {
                    open.push(to);
                }
            }
        }
        let expected = seen.iter().all(|&state| of(state, 0, &[good])[0]);
        holds[usize::from(expected)] += 1;
        match prove(&circuit, good, &Budget::unlimited()).unwrap() {
            Outcome::Holds(_) => assert!(expected, "{circuit:?} {good:?}"),
            Outcome::Unsuitable => panic!("{circuit:?} {good:?}"),
            Outcome::Fails(run) => {
                assert!(!expected, "{circuit:?} {good:?}");
                let last = run.states.len() - 1;
                longest = longest.max(last);
                assert!(circuit.evaluate(&run.states[0], &[], &[circuit.initial])[0]);
                assert!(!circuit.evaluate(&run.states[last], &[], &[good])[0]);
                for at in 0..last {
                    assert!(circuit.evaluate(&run.states[at], &run.inputs[at], &[circuit.step])[0]);
                    assert_eq!(circuit.evaluate(&run.states[at], &run.inputs[at], &next), run.states[at + 1]);
                }
            }
        }
    }
    assert!(holds.iter().all(|&held| held > count / 10) && longest > 1, "{holds:?} {longest}");
}

pub(super) fn cases(usual: usize) -> usize {
    std::env::var("STARSET_SMV_CASES").ok().and_then(|count| count.parse().ok()).unwrap_or(usual)
}

/// A term of a sort: 0 truth, 1 integers, 2 words of three bits, 3 the same with a sign, 4 names and numbers.
fn term(rng: &mut Rng, sort: usize, depth: usize, next: bool) -> String {
    let name = |rng: &mut Rng, names: &[&str]| {
        let name = names[rng.below(names.len())];
        if next && name.len() == 1 && name != "i" && rng.one_in(2) { format!("next({name})") } else { name.to_owned() }
    };
    if depth == 0 || rng.one_in(5) {
        return match sort {
            0 => name(rng, &["b", "c", "TRUE", "FALSE"]),
            1 => match rng.below(4) {
                0 => (rng.below(9) as i64 - 4).to_string(),
                _ => name(rng, &["n", "m", "g"]),
            },
            2 => match rng.below(3) {
                0 => format!("0ud3_{}", rng.below(8)),
                _ => name(rng, &["u", "v"]),
            },
            3 => match rng.below(3) {
                0 => format!("0sd3_{}", rng.below(4)),
                _ => name(rng, &["s"]),
            },
            _ => match rng.below(3) {
                0 => ["one", "two", "3"][rng.below(3)].to_owned(),
                _ => name(rng, &["e"]),
            },
        };
    }
    let mut of = |sort: usize| term(rng, sort, depth - 1, next);
    let [truth, other] = [0, 0].map(&mut of);
    let [x, y] = [1, 1].map(&mut of);
    let [u, v] = [2, 2].map(&mut of);
    let [s, t] = [3, 3].map(&mut of);
    let [e, f] = [4, 4].map(&mut of);
    let guarded = |by: &str, zero: &str, value: String, otherwise: &str| {
        format!("(case {by} != {zero} : {value}; TRUE : {otherwise}; esac)")
    };
    let pick = rng.below(12);
    match sort {
        0 => match pick {
            0 => format!("({truth} & {other})"),
            1 => format!("({truth} | {other})"),
            2 => format!("({truth} xor {other})"),
            3 => format!("!({truth})"),
            4 => format!("({x} < {y})"),
            5 => format!("({x} = {y})"),
            6 => format!("({u} <= {v})"),
            7 => format!("({s} < {t})"),
            8 => format!("({e} = {f})"),
            9 => format!("({x} in {{1, 3, -2}})"),
            10 => format!("({e} in {{one, 3}})"),
            _ => format!("({truth} <-> ({s} = {t}))"),
        },
        1 => match pick {
            0 => format!("({x} + {y})"),
            1 => format!("({x} - {y})"),
            2 => format!("({x} * {y})"),
            3 => guarded(&y, "0", format!("{x} / ({y})"), "1"),
            4 => guarded(&y, "0", format!("{x} mod ({y})"), &x),
            5 => format!("(-({x}))"),
            6 => format!("abs({x})"),
            7 => format!("max({x}, {y})"),
            8 => format!("count({truth}, {other}, b)"),
            9 => format!("toint({s})"),
            10 => format!("({truth} ? {x} : {y})"),
            _ => format!("toint({u})"),
        },
        2 => match pick {
            0 => format!("({u} + {v})"),
            1 => format!("({u} - {v})"),
            2 => format!("({u} * {v})"),
            3 => guarded(&v, "0ud3_0", format!("{u} / ({v})"), "0ud3_1"),
            4 => guarded(&v, "0ud3_0", format!("{u} mod ({v})"), &u),
            5 => format!("({u} & {v})"),
            6 => format!("(!({u}))"),
            7 => format!("(({u}) >> {})", rng.below(4)),
            8 => format!("(({u}) << {})", rng.below(4)),
            9 => format!("unsigned({s})"),
            10 => format!("(({u} :: {v})[4:2])"),
            _ => format!("({truth} ? {u} : {v})"),
        },
        3 => match pick {
            0 => format!("({s} + {t})"),
            1 => format!("({s} - {t})"),
            2 => format!("({s} * {t})"),
            3 => guarded(&t, "0sd3_0", format!("{s} / ({t})"), "0sd3_1"),
            4 => guarded(&t, "0sd3_0", format!("{s} mod ({t})"), &s),
            5 => format!("({s} xor {t})"),
            6 => format!("(-({s}))"),
            7 => format!("(({s}) >> {})", rng.below(4)),
            8 => format!("signed({u})"),
            9 => format!("resize(extend({s}, 2), 3)"),
            10 => format!("resize(extend({s}, 2) + extend({t}, 2), 3)"),
            _ => format!("({truth} ? {s} : {t})"),
        },
        _ => format!("({truth} ? {e} : {f})"),
    }
}

/// A program that asks for invariants.
fn program(rng: &mut Rng) -> String {
    let mut text = "MODULE main\nIVAR i : boolean;\nFROZENVAR c : boolean;\nVAR b : boolean; n : 0..3; m : -2..2; \
                    g : {5, 0, 2}; e : {one, two, 3}; u : word[3]; v : word[3]; s : signed word[3];\nASSIGN\n"
        .to_owned();
    let range = |rng: &mut Rng, low: i64, high: i64| {
        let x = term(rng, 1, 2, false);
        format!("case {x} in {low}..{high} : {x}; TRUE : {{{low}, {high}}}; esac")
    };
    for (name, sort) in [("b", 0), ("u", 2), ("v", 2), ("s", 3), ("e", 4)] {
        if !rng.one_in(6) {
            let value = term(rng, sort, 3, false);
            let value = if rng.one_in(4) { format!("i ? {value} : {name}") } else { value };
            text.push_str(&format!("next({name}) := {value};\n"));
        }
        if !rng.one_in(4) {
            text.push_str(&format!("init({name}) := {};\n", ["FALSE", "", "0ud3_1", "0sd3_0", "two"][sort]));
        }
    }
    let (n, m) = (range(rng, 0, 3), range(rng, -2, 2));
    text.push_str("init(n) := 0; init(m) := {0, 1};\n");
    let told = [("n", n), ("m", m)].map(|(name, value)| {
        let is_told = rng.one_in(3);
        if !is_told {
            text.push_str(&format!("next({name}) := {value};\n"));
        }
        is_told
    });
    text.push_str(["next(g) := {0, 2};\n", "g := b ? 5 : 0;\n", "init(g) := 2;\n"][rng.below(3)]);
    // Conditions say what next values are, which may be none of the variable.
    for (name, _) in ["n", "m"].into_iter().zip(told).filter(|(_, told)| *told) {
        let (guard, x, y) = (term(rng, 0, 1, false), term(rng, 1, 2, false), term(rng, 1, 1, false));
        text.push_str(&match rng.below(4) {
            0 => format!("TRANS next({name}) = {x}\n"),
            1 => format!("TRANS ({guard}) -> next({name}) = {x}\n"),
            2 => format!("TRANS ({guard} & next({name}) = {x}) | ({x} = next({name}) & b) | next({name}) = {y}\n"),
            _ => format!("TRANS {guard} ? next({name}) = {x} : (next({name}) = {y} & next(e) = 3)\n"),
        });
    }
    if rng.one_in(3) {
        text.push_str(&format!("TRANS {}\n", term(rng, 0, 3, true)));
    }
    if rng.one_in(4) {
        text.push_str(&format!("INVAR {}\n", term(rng, 0, 2, false)));
    }
    for _ in 0..2 {
        let (p, q) = (term(rng, 0, 3, false), term(rng, 0, 3, false));
        text.push_str(&match rng.below(5) {
            0 => format!("CTLSPEC AG ({p} | {q})\n"),
            1 => format!("LTLSPEC G ({p} | {q})\n"),
            2 => format!("CTLSPEC EF ({p} & {q})\n"),
            3 => format!("INVARSPEC {p} | (i & {q}) | next(b)\n"),
            _ => format!("INVARSPEC {p} | {q} | {}\n", term(rng, 0, 3, false)),
        });
    }
    text
}

/// The answers to what a program asks, by some ways.
pub(super) fn answers(text: &str, ways: Ways) -> Option<Vec<Value>> {
    let (program, Asked { questions, .. }) = Smv::asked("bits.smv", text, &[], Purpose::Verdicts).ok()?;
    let mut pool = questions.pool.clone();
    let mut requests: Vec<Request> = Vec::new();
    for question in &questions.list {
        let formula = pool.under(question.formula, &question.fairness);
        let asked = decide::Question::formula(&mut pool, formula, question.paths?, Route::Fixpoints);
        requests.push(Request { witness: true, ..asked.into() });
    }
    let model = PinsModel::new("bits", program).ok()?;
    let (groups, kept) = (Groups::single(&model), Recorder::new(requests.len()));
    let subject = Subject { model: &model, groups: &groups, pool: &pool };
    let settings = Settings { ways, ..Settings::default() };
    // Some are hard for one engine or the other.
    let budget = Budget::unlimited().with_time(Duration::from_secs(4));
    decide::decide(subject, &requests, &settings, &budget, &kept);
    let recorded = kept.into_recorded();
    recorded.iter().for_each(|recorded| assert!(recorded.faults.is_empty(), "{:?}\n{text}", recorded.faults));
    recorded.into_iter().map(|recorded| recorded.answer.map(|answer| answer.value)).collect()
}

/// A value that a variable has not has a code all the same, which is that of another one.
#[test]
fn conditions_that_ask_for_no_value_of_a_variable_make_no_step() {
    let programs = [
        "MODULE main VAR x : 0..3; y : 0..3; INIT x = 1 & y = 3; TRANS next(x) = y + 1; INVARSPEC x = 1; INVARSPEC y = 3",
        "MODULE main VAR x : {5, 2}; y : 0..3; INIT x = 5 & y = 3; TRANS next(x) = y; INVARSPEC x = 5; INVARSPEC y = 3",
        "MODULE main VAR x : {a, b, 2}; y : {a, c}; INIT x = b & y = c; TRANS next(x) = y; INVARSPEC x = b; INVARSPEC y = c",
    ];
    for text in programs {
        let [by_bits, by_search] = [Ways::SAT, Ways::EXPLICIT].map(|ways| answers(text, ways).unwrap());
        let expected = vec![Value::Verdict(true); 2];
        assert_eq!((&by_bits, &by_search), (&expected, &expected), "{text}");
    }
}

/// The code of one value would stand for no change.
#[test]
fn values_that_are_too_far_apart_are_refused() {
    let wide = |least: &str| {
        format!(
            "MODULE main VAR x : {least}..2147483647; y : boolean; ASSIGN init(x) := 0; next(x) := 2147483647;
             init(y) := FALSE; next(y) := x = 2147483647;
             INVARSPEC !y; INVARSPEC x != 2147483647; CTLSPEC AG x >= 0; CTLSPEC AF x = 2147483647"
        )
    };
    let apart =
        "MODULE main VAR x : {-2147483647 - 1, 2147483647}; ASSIGN init(x) := -2147483647 - 1; next(x) := 2147483647;
        INVARSPEC x != 2147483647";
    for text in [&wide("-2147483647 - 1"), apart] {
        let refusal = Smv::asked("wide.smv", text, &[], Purpose::Verdicts).err().unwrap().to_string();
        assert!(refusal.contains("`x` has values that are 4294967295 apart, or more"), "{refusal}");
    }
    let [no, yes] = [false, true].map(Value::Verdict);
    let found = answers(&wide("-2147483647"), Ways::SYMBOLIC).unwrap();
    assert_eq!(found, [no.clone(), no.clone(), yes.clone(), yes.clone()]);
    let found = answers(&wide("-2147483647"), Ways::SAT).unwrap();
    assert_eq!(found[..3], [no.clone(), no, yes]);
}

/// What divides by a variable has a value where that never changes; products that are the same need no solver.
#[test]
fn what_never_changes_may_divide() {
    let part = |name: &str, more: &str| {
        format!("init({name}) := 0ud9_7; next({name}) := ({name} * i) / c + {name} * {name}{more};\n")
    };
    let text = |more: &str, first: &str| {
        format!(
            "MODULE main IVAR i : word[9]; VAR c : word[9]; a : word[9]; b : word[9];
             ASSIGN init(c) := {first}; next(c) := c;\n{}{}INVARSPEC a = b; CTLSPEC AG c = 0ud9_10; LTLSPEC G (a = b)",
            part("a", ""),
            part("b", more)
        )
    };
    let [no, yes] = [false, true].map(Value::Verdict);
    assert_eq!(answers(&text("", "0ud9_10"), Ways::SAT), Some(vec![yes.clone(), yes.clone(), yes.clone()]));
    assert_eq!(answers(&text(" + c", "0ud9_10"), Ways::SAT), Some(vec![no.clone(), yes, no]));
    // It may be nothing at first.
    let open = answers(&text("", "{0ud9_0, 0ud9_10}"), Ways::SAT);
    assert!(open.is_none_or(|open| open.iter().all(|value| matches!(value, Value::Unknown(_)))));
}

/// Invariants of random programs are answered as search state by state answers them.
#[test]
fn random_programs_are_answered_as_by_search() {
    let count = cases(40);
    let mut rng = Rng::new(4_949);
    let (mut answered, mut open, mut programs) = ([0, 0], 0, 0);
    for _ in 0..count {
        let text = program(&mut rng);
        let Some(found) = answers(&text, Ways::SAT) else { continue };
        programs += 1;
        let expected = answers(&text, Ways { diagrams: true, ..Ways::EXPLICIT }).unwrap();
        for (found, expected) in found.iter().zip(&expected) {
            match (found, expected) {
                (Value::Verdict(found), Value::Verdict(expected)) => {
                    assert_eq!(found, expected, "{text}");
                    answered[usize::from(*found)] += 1;
                }
                _ => open += 1,
            }
        }
    }
    eprintln!("{programs} programs: {answered:?} answered, {open} open");
    assert!(programs > count / 3 && answered.iter().all(|&some| some > count / 8) && open < 2 * count / 3);
}

/// Of the programs of `../shared/smv`, what holds in all reachable states is as NuSMV says, by the engine of bits alone.
/// A fifth of them; with STARSET_SMV_ALL all.
#[test]
fn verdicts_are_those_of_nusmv() {
    let Some(folder) = shared("smv") else { return };
    let mut files: BTreeMap<String, Vec<BTreeMap<String, String>>> = BTreeMap::new();
    for row in table(&folder.join("expected.csv")) {
        files.entry(row["file"].clone()).or_default().push(row);
    }
    let bare = |text: &str| text.chars().filter(|c| !c.is_whitespace() && !"()[]".contains(*c)).collect::<String>();
    let all = std::env::var_os("STARSET_SMV_ALL").is_some();
    let mut right = [0, 0];
    for (_, (file, rows)) in files.into_iter().enumerate().filter(|(number, _)| all || number % 5 == 0) {
        let is_told = |row: &&BTreeMap<String, String>| {
            row["origin"] == "file"
                && ["True", "False"].contains(&row["verdict"].as_str())
                && (row["kind"] == "Invar" || row["text"].starts_with("AG ") || row["text"].starts_with("G "))
        };
        let told: Vec<_> = rows.iter().filter(is_told).collect();
        if told.is_empty() {
            continue;
        }
        let path = folder.join(&file);
        let (out, err, status) =
            run(starset().arg("check").arg(&path).args(["--engine", "sat", "--time", "3", "--json"]));
        assert!(status != 4, "{file}: {err}");
        let answers: Vec<serde_json::Value> = out.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        for row in told {
            let is_invariant = |answer: &serde_json::Value| {
                let starts =
                    |field: &str, with: &str| answer[field].as_str().is_some_and(|text| text.starts_with(with));
                starts("formula", "A G") && !starts("written", "AG") && !starts("written", "G")
            };
            let verdicts: HashSet<bool> = answers
                .iter()
                .filter(|answer| answer["written"].as_str().is_some_and(|text| bare(text) == bare(&row["text"])))
                .filter(|answer| is_invariant(answer) == (row["kind"] == "Invar"))
                .filter_map(|answer| answer["verdict"].as_bool())
                .collect();
            let expected = row["verdict"] == "True";
            // Instances may have properties of one text.
            if verdicts.len() == 1 {
                assert!(verdicts.contains(&expected), "{file}: {}", row["text"]);
                right[usize::from(expected)] += 1;
            }
        }
    }
    eprintln!("{right:?} verdicts");
    assert!(right.iter().all(|&some| some > 5), "{right:?}");
}
