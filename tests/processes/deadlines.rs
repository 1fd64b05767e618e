//! Rules with times: random processes against a search in steps of half an hour, known diagrams, and the program.

use super::elements::diagram;
use super::timers::{Blocks, Halves};
use crate::cli::{run, starset};
use starset::budget::Budget;
use starset::formula::Naming;
use starset::kinds::bpmn::{Environment, ReadProcess, read_bpmn_in, timed};
use starset::kinds::clocks::rational::{Rational, fraction, integer};
use starset::mdd::with_deep_stack;
use starset::processes::TimedRun;
use starset::rng::Rng;
use starset::traces::{Labelled, Rule, TimedBehaviour, TimedChecked};
use std::collections::{BTreeSet, HashSet};

const TEMPLATES: [&str; 6] = ["existence", "absence", "response", "precedence", "succession", "not_response"];

fn checked(process: &ReadProcess, rule: &str) -> TimedChecked {
    let model = Labelled::process(process, Naming::Id);
    let budget = Budget::unlimited();
    let behaviour = TimedBehaviour::process(&model, timed(process, &budget).unwrap());
    let (rule, _) = Rule::parse("r", rule).unwrap();
    with_deep_stack(64, || behaviour.check(&rule, &budget)).unwrap()
}

/// Does a sequence of activities with their times keep a template? By its definition; without a length of time, at any
/// time.
fn keeps(template: &str, (a, b): (&str, &str), length: Option<&Rational>, trace: &[(Rational, &str)]) -> bool {
    let within = |from: &Rational, to: &Rational| length.is_none_or(|length| to - from <= *length);
    let at = |name: &str| (0..trace.len()).filter(|&at| trace[at].1 == name).collect::<Vec<usize>>();
    let pair = |first: usize, second: usize| first <= second && within(&trace[first].0, &trace[second].0);
    let response = || at(a).iter().all(|&first| at(b).iter().any(|&second| pair(first, second)));
    let precedence = || at(b).iter().all(|&second| at(a).iter().any(|&first| pair(first, second)));
    let early = || at(a).iter().any(|&first| within(&integer(0), &trace[first].0));
    match template {
        "existence" => early(),
        "absence" => !early(),
        "response" => response(),
        "precedence" => precedence(),
        "succession" => response() && precedence(),
        "not_response" => !at(a).iter().any(|&first| at(b).iter().any(|&second| pair(first, second))),
        other => panic!("{other}"),
    }
}

/// What is remembered of a run: the half hours since each `a` began, and since each that waits for a `b`, up to one more
/// than matter; those since the start; and whether the rule was broken, or kept, for good.
#[derive(Clone, PartialEq, Eq, Hash, Default)]
struct Memory {
    all: BTreeSet<u32>,
    waiting: BTreeSet<u32>,
    clock: u32,
    broken: bool,
    kept: bool,
}

/// What all complete runs in steps of half an hour say: does one break the rule, does one keep it? `None` if there are too
/// many states.
fn searched(process: &ReadProcess, template: &str, (a, b): (&str, &str), length: u32) -> Option<(bool, bool)> {
    let halves = Halves::new(process);
    let activity = |step: usize| {
        let begins = process.net.transitions[step].begins.first();
        begins.map(|&node| process.diagram.nodes[node].id.as_str())
    };
    let first = (halves.initial(), Memory::default());
    let mut open = vec![first.clone()];
    let mut seen = HashSet::from([first]);
    let (mut broken, mut kept) = (false, false);
    let responds = matches!(template, "response" | "succession");
    let precedes = matches!(template, "precedence" | "succession");
    while let Some((moment, memory)) = open.pop() {
        if halves.is_final(&moment.0) {
            let holds = match template {
                "existence" => memory.kept,
                _ => !memory.broken && memory.waiting.is_empty(),
            };
            (broken, kept) = (broken || !holds, kept || holds);
        }
        for (fired, next) in halves.next(&moment) {
            let mut memory = memory.clone();
            match fired.map(activity) {
                None => {
                    let older = |age: &u32| (age + 1).min(length + 1);
                    memory.all = memory.all.iter().map(older).collect();
                    memory.waiting = memory.waiting.iter().map(older).collect();
                    memory.clock = older(&memory.clock);
                }
                Some(Some(name)) if name == a => {
                    memory.kept |= memory.clock <= length;
                    memory.broken |= template == "absence" && memory.clock <= length;
                    if precedes || template == "not_response" {
                        memory.all.insert(0);
                    }
                    if responds {
                        memory.waiting.insert(0);
                    }
                }
                Some(Some(name)) if name == b => {
                    let in_time = memory.all.iter().any(|&age| age <= length);
                    memory.broken |= precedes && !in_time || template == "not_response" && in_time;
                    memory.broken |= memory.waiting.iter().any(|&age| age > length);
                    memory.waiting.clear();
                }
                Some(_) => {}
            }
            let state = (next, memory);
            if seen.insert(state.clone()) {
                open.push(state);
            }
        }
        if seen.len() > 40_000 {
            return None;
        }
    }
    Some((broken, kept))
}

/// The activities of a run, with the seconds at which they begin.
fn trace_of<'p>(process: &'p ReadProcess, run: &TimedRun) -> Vec<(Rational, &'p str)> {
    let mut now = integer(0);
    let mut trace = Vec::new();
    for (delay, step) in &run.steps {
        now += delay;
        let begins = process.net.transitions[*step].begins.first();
        trace.extend(begins.map(|&node| (now.clone(), process.diagram.nodes[node].id.as_str())));
    }
    trace
}

#[test]
fn times_in_rules_are_those_of_half_hours() {
    let seed = std::env::var("SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(11);
    let cases = std::env::var("STARSET_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(100);
    let mut rng = Rng::new(seed);
    // By template, how often no run, some runs, and all runs break the rule.
    let mut counts = [[0; 3]; TEMPLATES.len()];
    for round in 0..cases {
        let text = Blocks::diagram(&mut rng, 3, ["PT1H", "PT2H", "PT1H", "PT3H"]);
        let process = read_bpmn_in(text.as_bytes(), "d", "d.bpmn", Environment::default()).unwrap();
        let tasks: Vec<&str> = process.net.activities.iter().map(|activity| activity.id.as_str()).collect();
        let without = timed(&process, &Budget::unlimited());
        if tasks.len() < 2 || process.net.transitions.len() > 24 || without.is_err() {
            continue;
        }
        for (number, template) in TEMPLATES.into_iter().enumerate() {
            let (a, b) = (*rng.pick(&tasks).unwrap(), *rng.pick(&tasks).unwrap());
            if a == b {
                continue;
            }
            let hours = rng.below(5) as u32;
            let Some((broken, kept)) = searched(&process, template, (a, b), 2 * hours) else { continue };
            let both = if number < 2 { a.to_owned() } else { format!("{a}, {b}") };
            let rule = format!("{template}({both}) within PT{hours}H");
            let by = format!("SEED={seed} round {round}: {rule} of {text}");
            let found = checked(&process, &rule);
            assert_eq!((found.all, found.some), (!broken, kept), "{by}");
            assert_eq!(found.run.is_some(), broken, "{by}");
            if let Some(run) = found.run {
                let (trace, length) = (trace_of(&process, &run), fraction(3_600 * i64::from(hours), 1));
                assert!(!keeps(template, (a, b), Some(&length), &trace), "{by}: {trace:?}");
            }
            // Without a length of time, rules with time are about fewer runs than those without.
            let plain = checked(&process, rule.split_once(" within").unwrap().0);
            if let Some(run) = plain.run {
                assert!(!keeps(template, (a, b), None, &trace_of(&process, &run)), "{by}");
            }
            counts[number][if !broken { 0 } else { 1 + usize::from(!kept) }] += 1;
        }
    }
    eprintln!("{counts:?}");
    let least = cases / 50;
    assert!(counts.iter().all(|[never, some, _]| *never > least && *some > least), "{counts:?}");
}

fn process(body: &str) -> ReadProcess {
    read_bpmn_in(diagram(body).as_bytes(), "d", "d.bpmn", Environment::default()).unwrap()
}

/// An order, a timer of two hours, and then payment, which may take any time.
const ORDER: &str = "<startEvent id='s'/><task id='order'/><task id='pay'/><endEvent id='e'/>\
    <intermediateCatchEvent id='w'><timerEventDefinition><timeDuration>PT2H</timeDuration></timerEventDefinition></intermediateCatchEvent>\
    <sequenceFlow id='1' sourceRef='s' targetRef='order'/><sequenceFlow id='2' sourceRef='order' targetRef='w'/>\
    <sequenceFlow id='3' sourceRef='w' targetRef='pay'/><sequenceFlow id='4' sourceRef='pay' targetRef='e'/>";

#[test]
fn known_times() {
    let order = process(ORDER);
    for (rule, all, some) in [
        ("response(order, pay) within PT2H", false, true),
        ("response(order, pay) within PT119M", false, false),
        ("precedence(order, pay) within P5D", false, true),
        ("not_response(order, pay) within PT119M", true, true),
        ("not_response(order, pay) within PT2H", false, true),
        ("existence(order) within PT1S", false, true),
        ("existence(pay) within PT1S", false, false),
        ("absence(pay) within PT119M", true, true),
        ("absence(pay | order) within PT119M", false, true),
        ("succession(order, pay) within PT1H", false, false),
        // One activity in both places.
        ("response(order, order | pay) within PT1H", true, true),
        ("precedence(order | pay, pay) within PT1H", true, true),
        ("not_response(order, order) within PT1H", false, false),
        ("response(order, pay)", true, true),
        ("F pay & G (pay -> N false)", true, true),
        ("response(pay, order)", false, false),
    ] {
        let found = checked(&order, rule);
        assert_eq!((found.all, found.some), (all, some), "{rule}");
    }
    let late = checked(&order, "response(order, pay) within PT2H").run.unwrap();
    let trace = trace_of(&order, &late);
    assert!(&trace[1].0 - &trace[0].0 > integer(7_200), "{trace:?}");
}

#[test]
fn what_is_no_time_is_refused() {
    for (rule, what) in [
        ("response(a, b) within P1M", "years or months"),
        ("response(a, b) within soon", "`soon` is no length of time"),
        ("chain_response(a, b) within P1D", "`within` stands behind existence(a)"),
        ("G (a -> F b) within P1D", "`within` stands behind existence(a)"),
        ("response(a, F b) within P1D", "`F b` is about several activities"),
        ("response(a) within P1D", "has 2 in brackets"),
    ] {
        let error = Rule::parse("r", rule).unwrap_err();
        assert!(error.contains(what), "{rule}: {error}");
    }
    // What stands in quotes is a name.
    let (rule, _) = Rule::parse("r", "response(\"a, (b) within P1D\", c) within P2D").unwrap();
    assert_eq!(rule.activities().collect::<Vec<_>>(), ["a, (b) within P1D", "c"]);
    assert!(rule.deadline.is_some() && Rule::parse("r", "F \"a) within P1D\"").unwrap().0.deadline.is_none());
}

#[test]
fn the_program_asks_for_times() {
    let folder = tempfile::tempdir().unwrap();
    let rules = folder.path().join("own.rules");
    let path = folder.path().join("order.bpmn");
    std::fs::write(&path, diagram(ORDER)).unwrap();
    let ask = |text: &str, model: &std::path::Path, options: &[&str]| {
        std::fs::write(&rules, text).unwrap();
        run(starset().arg("rules").arg(&rules).arg(model).args(options))
    };
    let (out, err, status) = ask("late: response(order, pay) within PT2H\nF pay", &path, &[]);
    assert_eq!((err.as_str(), status), ("", 0));
    let run_of = "broken by s · order · wait 2 h · w · wait ";
    assert!(out.contains("with time: 2 rules\n") && out.contains(run_of), "{out}");
    let (out, _, status) = ask("late: response(order, pay) within PT2H", &path, &["--json", "--fail-if-false"]);
    let object: serde_json::Value = serde_json::from_str(&out).unwrap();
    let rule = &object["rules"][0];
    assert_eq!(
        (&object["time"], &rule["all"], &rule["some"], status),
        (&"seconds".into(), &false.into(), &true.into(), 1)
    );
    assert_eq!((&rule["broken_by"][2]["id"], &rule["broken_by"][2]["delay"]), (&"w".into(), &"7200".into()), "{out}");
    let (out, _, status) = ask("F pay", &path, &["--timers"]);
    assert!(status == 0 && out.contains("with time: 1 rule\n"), "{out}");
    let (_, err, status) = ask("response(order, pay) within 5", &path, &[]);
    assert!(status == 2 && err.contains("times of processes are durations"), "{err}");
    // A net with clocks has units.
    let claim = std::path::Path::new("models/claim.pnwc");
    let (out, err, status) = ask("existence(accept) within 4\nresponse(open, accept) within 100", claim, &[]);
    assert!(status == 0 && out.contains("with time: 2 rules\n") && out.contains("; broken by "), "{out}{err}");
    let (_, err, status) = ask("existence(accept) within P1D", claim, &[]);
    assert!(status == 2 && err.contains("numbers of units"), "{err}");
    std::fs::write(folder.path().join("log.csv"), "case,activity\n1,order\n").unwrap();
    let replay = |text: &str| {
        std::fs::write(&rules, text).unwrap();
        run(starset().arg("replay").arg(folder.path().join("log.csv")).arg(&path).arg("--rules").arg(&rules))
    };
    let (_, err, status) = replay("response(order, pay) within P1D");
    assert!(status == 2 && err.contains("`within` is about runs of models"), "{err}");
}
