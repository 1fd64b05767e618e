//! Runs without end, by the engine of bits: random circuits beside the graphs of their states, random programs beside the
//! other engines.

use super::bits::{answers, bits, cases, circuit, drawn};
use super::cone::{condition, program_that_asks};
use starset::budget::Budget;
use starset::circuit::{Circuit, Signal};
use starset::decide::{Question, Recorder, Settings, Subject, Value, Ways, decide};
use starset::formula::{Assumption, AssumptionKind, PathSemantics, Pool, Symbols, parse, read_assumption};
use starset::kinds::Purpose;
use starset::kinds::pins::PinsModel;
use starset::kinds::pins::smv::Smv;
use starset::model::Groups;
use starset::random::Rng;
use starset::sat::{Again, Endless, always_again, always_steps, fair_run};
use starset::symbolic::Route;
use std::collections::{HashMap, HashSet};
use std::time::Duration;

/// By reachable state: the values of signals in each step, and where it leads.
type Graph = HashMap<usize, Vec<(Vec<bool>, usize)>>;

fn graph(circuit: &Circuit, signals: &[Signal]) -> Graph {
    let (latches, inputs) = (circuit.latches.len(), circuit.inputs.len());
    let next = circuit.latches.iter().map(|latch| latch.next);
    let asked: Vec<Signal> = [circuit.step].into_iter().chain(signals.iter().copied()).chain(next).collect();
    let is_first = |state: &usize| circuit.evaluate(&bits(*state, latches), &[], &[circuit.initial])[0];
    let mut open: Vec<usize> = (0..1 << latches).filter(is_first).collect();
    let mut graph = Graph::new();
    while let Some(state) = open.pop() {
        if graph.contains_key(&state) {
            continue;
        }
        let steps = (0..1 << inputs).filter_map(|input| {
            let values = circuit.evaluate(&bits(state, latches), &bits(input, inputs), &asked);
            let (marks, next) = values[1..].split_at(signals.len());
            let to = next.iter().rev().fold(0, |to, &bit| to << 1 | usize::from(bit));
            values[0].then(|| (marks.to_vec(), to))
        });
        let steps: Vec<(Vec<bool>, usize)> = steps.collect();
        open.extend(steps.iter().map(|(_, to)| *to));
        graph.insert(state, steps);
    }
    graph
}

fn reach(graph: &Graph, state: usize) -> HashSet<usize> {
    let (mut seen, mut open) = (HashSet::new(), vec![state]);
    while let Some(state) = open.pop() {
        if seen.insert(state) {
            open.extend(graph[&state].iter().map(|(_, to)| *to));
        }
    }
    seen
}

/// Does some component with a step have all of the signals?
fn is_just(graph: &Graph, count: usize) -> bool {
    graph.keys().any(|&state| {
        let back = |other: &usize| reach(graph, *other).contains(&state);
        let around: HashSet<usize> = reach(graph, state).into_iter().filter(back).collect();
        let steps = || around.iter().flat_map(|from| &graph[from]).filter(|(_, to)| around.contains(to));
        steps().next().is_some() && (0..count).all(|signal| steps().any(|(marks, _)| marks[signal]))
    })
}

#[test]
fn random_circuits_have_the_runs_of_their_graphs() {
    let count = 120;
    let mut rng = Rng::new(4_902);
    let (mut found, mut longest) = ([0, 0], 0);
    for _ in 0..count {
        let (mut circuit, good) = circuit(&mut rng);
        let mut known: Vec<Signal> = circuit.latches.iter().map(|latch| latch.now).collect();
        known.extend(&circuit.inputs);
        let mut justice: Vec<Signal> =
            (0..rng.below(4)).map(|_| drawn(&mut rng, &mut circuit.gates, &mut known)).collect();
        if rng.one_in(2) {
            justice.push(!good);
        }
        let expected = is_just(&graph(&circuit, &justice), justice.len());
        found[usize::from(expected)] += 1;
        match fair_run(&circuit, &justice, &Budget::unlimited()).unwrap() {
            Endless::None => assert!(!expected, "{circuit:?} {justice:?}"),
            Endless::Unsuitable => panic!("{circuit:?} {justice:?}"),
            Endless::Loop(run, start) => {
                let last = run.states.len() - 1;
                longest = longest.max(last - start);
                assert!(circuit.evaluate(&run.states[0], &[], &[circuit.initial])[0]);
                assert_eq!(run.states[start], run.states[last]);
                let next: Vec<Signal> = circuit.latches.iter().map(|latch| latch.next).collect();
                let mut seen = vec![false; justice.len()];
                for at in 0..last {
                    let (state, inputs) = (&run.states[at], &run.inputs[at]);
                    assert!(circuit.evaluate(state, inputs, &[circuit.step])[0]);
                    assert_eq!(circuit.evaluate(state, inputs, &next), run.states[at + 1]);
                    if at >= start {
                        let here = circuit.evaluate(state, inputs, &justice);
                        seen.iter_mut().zip(here).for_each(|(seen, here)| *seen |= here);
                    }
                }
                assert!(start < last && seen.iter().all(|&seen| seen), "{circuit:?} {justice:?}");
            }
        }
    }
    assert!(found.iter().all(|&some| some > count / 10) && longest > 2, "{found:?} {longest}");
}

#[test]
fn random_circuits_have_the_ways_of_their_graphs() {
    let count = 200;
    let mut rng = Rng::new(4_904);
    let (mut found, mut steps, mut longest) = ([0, 0], [0, 0], 0);
    for _ in 0..count {
        let (mut circuit, good) = circuit(&mut rng);
        let mut known: Vec<Signal> = circuit.latches.iter().map(|latch| latch.now).collect();
        let goal = drawn(&mut rng, &mut circuit.gates, &mut known);
        let goal = circuit.gates.and(goal, if rng.one_in(2) { good } else { !good });
        let from = if rng.one_in(2) { Signal::TRUE } else { drawn(&mut rng, &mut circuit.gates, &mut known) };
        let (latches, inputs) = (circuit.latches.len(), circuit.inputs.len());
        let holds = |state: usize, signal: Signal| circuit.evaluate(&bits(state, latches), &[], &[signal])[0];
        let graph = graph(&circuit, &[]);
        let back = |state: &usize| reach(&graph, *state).into_iter().any(|state| holds(state, goal));
        let expected = graph.keys().filter(|&&state| holds(state, from)).all(back);
        found[usize::from(expected)] += 1;
        match always_again(&circuit, from, goal, &Budget::unlimited()).unwrap() {
            Again::Always => assert!(expected, "{circuit:?} {from:?} {goal:?}"),
            Again::Unsuitable => panic!("{circuit:?} {from:?} {goal:?}"),
            Again::Never(run) => {
                let number = |state: &Vec<bool>| state.iter().rev().fold(0, |all, &bit| all << 1 | usize::from(bit));
                let states: Vec<usize> = run.states.iter().map(number).collect();
                assert!(holds(states[0], circuit.initial));
                assert!(states.windows(2).all(|pair| graph[&pair[0]].iter().any(|(_, to)| *to == pair[1])));
                let last = states[states.len() - 1];
                assert!(!expected && holds(last, from) && !back(&last), "{circuit:?} {from:?} {goal:?}");
                longest = longest.max(states.len() - 1);
            }
        }
        let has_step = |state: usize| {
            (0..1 << inputs)
                .any(|input| circuit.evaluate(&bits(state, latches), &bits(input, inputs), &[circuit.step])[0])
        };
        let all_step = (0..1 << latches).all(has_step);
        steps[usize::from(all_step && circuit.step != Signal::TRUE)] += 1;
        assert_eq!(always_steps(&circuit, &Budget::unlimited()), Ok(Some(all_step)), "{circuit:?}");
    }
    assert!(found.iter().all(|&some| some > count / 10) && longest > 1, "{found:?} {longest}");
    assert!(steps[1] > 5, "{steps:?}");
}

/// What single runs tell, and some that they do not.
pub(super) fn property(rng: &mut Rng, of: &[usize]) -> String {
    let [p, q, r] = [0; 3].map(|_| condition(rng, of, false));
    let input = ["i", "!i"][rng.below(2)];
    match rng.below(34) {
        0 => format!("LTLSPEC G ({p} -> F {q})"),
        1 => format!("LTLSPEC F {p}"),
        2 => format!("LTLSPEC G F {p}"),
        3 => format!("LTLSPEC F G {p}"),
        4 => format!("LTLSPEC G F {p} -> G F {q}"),
        5 => format!("LTLSPEC G ({p} -> X {q})"),
        6 => format!("LTLSPEC {p} U ({q} | G {r})"),
        7 => format!("LTLSPEC ({p} V X {q}) | F {r}"),
        8 => format!("LTLSPEC G ({input} -> X X {p})"),
        9 => format!("LTLSPEC G ({p} -> O {q})"),
        10 => format!("LTLSPEC F ({p} & Y ({q} S {r}))"),
        11 => format!("LTLSPEC G F ({input} & X {p}) | H {q}"),
        12 => format!("LTLSPEC !({p} U {q}) | F G {r}"),
        13 => format!("LTLSPEC G (H {p} -> F {q})"),
        14 => format!("LTLSPEC X X ({p} | {q})"),
        15 => format!("CTLSPEC AG ({p} -> AF {q})"),
        16 => format!("CTLSPEC AF {p}"),
        17 => format!("CTLSPEC AG ({p} -> AX ({q} | AX {r}))"),
        18 => format!("CTLSPEC AG AF {p}"),
        19 => format!("CTLSPEC AF AG {p}"),
        20 => format!("CTLSPEC EG {p}"),
        21 => format!("CTLSPEC EX EX {p}"),
        22 => format!("CTLSPEC E [{p} U {q}]"),
        23 => format!("CTLSPEC A [{p} U {q}]"),
        24 => format!("CTLSPEC AG ({p} -> A [{q} U {r}])"),
        25 => format!("CTLSPEC !E [{p} U ({q} & EG {r})]"),
        26 => format!("CTLSPEC {p} -> AG ({q} -> AF {r}) & AX {p}"),
        27 => format!("CTLSPEC AG EF {p}"),
        28 => format!("CTLSPEC EF AG {p}"),
        29 => format!("CTLSPEC AF EG {p}"),
        30 => format!("CTLSPEC AG ({p} | AG {q})"),
        31 => format!("CTLSPEC AG ({p} -> EF ({q} & {r}))"),
        32 => format!("CTLSPEC EF ({p} & AG {q})"),
        _ => format!("CTLSPEC AG {p}"),
    }
}

#[test]
fn random_programs_are_answered_as_by_the_other_engines() {
    let count = cases(150);
    let mut rng = Rng::new(4_903);
    let (mut answered, mut open) = ([0, 0], 0);
    for _ in 0..count {
        let text = program_that_asks(&mut rng, property);
        let Some(found) = answers(&text, Ways::SAT) else { continue };
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
    eprintln!("{answered:?} answered, {open} open");
    assert!(answered.iter().all(|&some| some > count / 6) && open < count / 2, "{answered:?} {open}");
}

/// A formula of CTL* over the variables `a` and `s`.
fn starred(rng: &mut Rng, depth: usize, of_path: bool) -> String {
    if depth == 0 || rng.one_in(6) {
        return ["a = TRUE", "a = FALSE", "s = x", "s = y", "s != z"][rng.below(5)].to_owned();
    }
    let mut of = |of_path: bool| format!("({})", starred(rng, depth - 1, of_path));
    if of_path {
        let [a, b] = [of(true), of(true)];
        let same = of(false);
        return match rng.below(12) {
            0 => format!("X {a}"),
            1 | 2 => format!("F {a}"),
            3 | 4 => format!("G {a}"),
            5 => format!("{a} U {b}"),
            6 => format!("{a} R {b}"),
            7 => format!("!{a}"),
            8 => format!("{a} & {b}"),
            9 => format!("{a} | {b}"),
            10 => format!("G F {a} -> {b}"),
            _ => same,
        };
    }
    let ([a, b], path) = ([of(false), of(false)], of(true));
    match rng.below(9) {
        0 => format!("!{a}"),
        1 => format!("{a} & {b}"),
        2 => format!("{a} | {b}"),
        3 => format!("{a} -> {b}"),
        4 => format!("E G F {a} -> {b}"),
        5 => format!("E {path}"),
        6 => format!("A G {a}"),
        _ => format!("A {path}"),
    }
}

/// A small program, with states that have no successor perhaps, and no initial state that has any.
fn small_program(rng: &mut Rng) -> String {
    let atom = |rng: &mut Rng| ["a", "!a", "s = x", "s = y", "s != z", "TRUE"][rng.below(6)].to_owned();
    let mut text = "MODULE main\nVAR a : boolean; s : {x, y, z};\nASSIGN\n".to_owned();
    if rng.one_in(2) {
        text.push_str(&format!(" init(a) := {};\n", ["TRUE", "FALSE"][rng.below(2)]));
    }
    text.push_str(&format!(" init(s) := {};\n", ["x", "y", "{x, z}"][rng.below(3)]));
    for (name, values) in [("a", ["a", "!a", "{TRUE, FALSE}"]), ("s", ["s", "y", "{x, z}"])] {
        if !rng.one_in(4) {
            let [one, two] = [0, 1].map(|_| values[rng.below(3)]);
            text.push_str(&format!(" next({name}) := case {} : {one}; TRUE : {two}; esac;\n", atom(rng)));
        }
    }
    if rng.one_in(2) {
        text.push_str(&format!("TRANS {} | next(s) = {}\n", atom(rng), ["x", "y", "s"][rng.below(3)]));
    }
    text
}

/// Formulas of CTL* under each sort of paths, and with assumptions that belong to no program: conditions in front of
/// quantifiers, premises that look like fairness, and states where no path begins are nothing that is about single runs.
#[test]
fn formulas_of_all_logics_are_answered_as_by_the_other_engines() {
    let mut rng = Rng::new(4_904);
    let dead = "MODULE main\nVAR a : boolean; s : {x};\nASSIGN init(a) := FALSE; next(a) := TRUE;\nTRANS !a & FALSE\n";
    let split = "MODULE main\nVAR a : boolean; s : {x, y, z};\nASSIGN init(s) := x; init(a) := FALSE; next(a) := a;\n \
                 next(s) := case s = x : {y, z}; TRUE : s; esac;\n";
    let named: [(&str, PathSemantics, Option<&str>, &str); 9] = [
        (split, PathSemantics::Maximal, None, "E G F s = y -> A G s != z"),
        (split, PathSemantics::Maximal, None, "A G (E G F s = y -> A G s != z)"),
        (split, PathSemantics::Maximal, None, "(A ((s != x) R (E G F s = y -> A F s = y)))"),
        (split, PathSemantics::Maximal, None, "(E G F s = y -> A F s = y) & A G s != z"),
        (split, PathSemantics::Infinite, Some("s = x & s = z"), "s = z & A G A X s = z"),
        (dead, PathSemantics::Infinite, None, "a = TRUE"),
        (dead, PathSemantics::Infinite, None, "a = TRUE & A G a = TRUE"),
        (dead, PathSemantics::Infinite, None, "!(a = TRUE)"),
        (dead, PathSemantics::Infinite, None, "!(a = TRUE & A X a = FALSE)"),
    ];
    let mut cases: Vec<(String, PathSemantics, Option<String>, String)> =
        named.map(|(text, paths, fair, f)| (text.to_owned(), paths, fair.map(str::to_owned), f.to_owned())).into();
    for _ in 0..super::bits::cases(400) {
        let paths = [PathSemantics::Maximal, PathSemantics::Stutter, PathSemantics::Infinite][rng.below(3)];
        let fair = rng.one_in(3).then(|| ["s = x", "s = y", "a = TRUE", "s = x & s = y"][rng.below(4)].to_owned());
        cases.push((small_program(&mut rng), paths, fair, starred(&mut rng, 3, false)));
    }
    let (mut answered, mut open) = ([0, 0], 0);
    for (text, paths, fair, formula) in cases {
        let verdict = |ways: Ways| {
            let (program, _) = Smv::asked("small.smv", &text, &[], Purpose::States).unwrap();
            let model = PinsModel::new("small", program).unwrap();
            let (symbols, mut pool) = (Symbols::of(&model), Pool::new());
            let asked = parse(&formula, &symbols, &mut pool).unwrap();
            let fair = fair.iter().map(|it| read_assumption(AssumptionKind::Justice, it, &symbols, &mut pool).unwrap());
            let fair: Vec<Assumption> = fair.collect();
            let under = pool.under(asked, &fair);
            let question = Question::formula(&mut pool, under, paths, Route::Fixpoints);
            let (groups, kept) = (Groups::single(&model), Recorder::new(1));
            let subject = Subject { model: &model, groups: &groups, pool: &pool };
            let settings = Settings { ways, ..Settings::default() };
            let budget = Budget::unlimited().with_time(Duration::from_secs(4));
            decide(subject, &[question.into()], &settings, &budget, &kept);
            let recorded = kept.into_recorded().remove(0);
            assert!(recorded.faults.is_empty(), "{:?}\n{text}{formula}", recorded.faults);
            recorded.answer.unwrap().value
        };
        match (verdict(Ways::SAT), verdict(Ways { diagrams: true, ..Ways::EXPLICIT })) {
            (Value::Verdict(found), Value::Verdict(expected)) => {
                assert_eq!(found, expected, "{text}{formula}\n{paths} {fair:?}");
                answered[usize::from(found)] += 1;
            }
            _ => open += 1,
        }
    }
    eprintln!("{answered:?} answered, {open} open");
    assert!(answered.iter().all(|&some| some > 20), "{answered:?} {open}");
}
