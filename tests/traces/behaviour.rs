//! Rules on the complete runs of models: the table of `../shared/bpmn`, nets of which all runs are enumerated, and the
//! program.

use crate::cli::{run, starset};
use crate::shared::{shared, table};
use starset::budget::Budget;
use starset::formula::Naming;
use starset::kinds::bpmn::{Environment, read_bpmn, read_bpmn_in};
use starset::net::{Marking, NetBuilder, PetriNet, PlaceId};
use starset::rng::Rng;
use starset::traces::{Behaviour, Checked, Labelled, Rule};
use std::collections::BTreeSet;

fn checked(behaviour: &Behaviour<'_>, text: &str) -> Checked {
    let (rule, _) = Rule::parse("r", text).unwrap();
    behaviour.check(&rule, &Budget::unlimited()).unwrap()
}

#[test]
fn constraints_on_diagrams_are_those_of_the_table() {
    let Some(folder) = shared("bpmn/models") else { return };
    let mut rows = 0;
    for row in table(&folder.join("declare-on-models.csv")) {
        let process = read_bpmn(&folder.join(&row["file"]), Environment::default()).unwrap();
        let model = Labelled::process(&process, Naming::Id);
        let behaviour = Behaviour::explore(&model, &Budget::unlimited()).unwrap();
        let second = if row["B"].is_empty() { String::new() } else { format!(", \"{}\"", row["B"]) };
        let text = format!("{}(\"{}\"{second})", row["template"], row["A"]);
        assert!(model.has_activity(&row["A"]) && (second.is_empty() || model.has_activity(&row["B"])), "{row:?}");
        let (rule, _) = Rule::parse("r", &text).unwrap();
        let by_sets = Behaviour::check_by_sets(&model, &rule, &Budget::unlimited()).unwrap().unwrap();
        let found = checked(&behaviour, &text);
        assert_eq!((by_sets.all, by_sets.some, by_sets.run.is_some()), (found.all, found.some, found.run.is_some()));
        let found = (found.all.map(|all| all.to_string()), found.some.map(|some| some.to_string()));
        let expected = (Some(row["all_complete_runs"].clone()), Some(row["some_complete_run"].clone()));
        assert_eq!(found, expected, "{}: {text}", row["file"]);
        rows += 1;
    }
    assert!(rows >= 200, "{rows}");
}

/// A word may be the name of two tasks and the identifier of one of them.
#[test]
fn words_that_mean_several_things_are_refused() {
    let Some(folder) = shared("bpmn/models") else { return };
    let rules = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(rules.path(), "alternate_succession(SendTask, ReceiveTask)\n").unwrap();
    let asked = |options: &[&str]| {
        let model = folder.join("rba/int-pools-message-flows.bpmn");
        run(starset().arg("rules").arg(rules.path()).arg(model).args(options))
    };
    let (_, err, status) = asked(&[]);
    assert!(status == 2 && err.contains("`ReceiveTask` is the name of one activity and the identifier"), "{err}");
    assert!(asked(&["--labels", "id"]).0.contains("  true: alternate"));
    assert!(asked(&["--labels", "name"]).0.contains("  false: alternate"));
}

/// A net that ends: transitions lead to later places alone.
fn ending_net(rng: &mut Rng) -> PetriNet {
    let mut builder = NetBuilder::new("n");
    let places: Vec<PlaceId> = (0..5).map(|n| builder.place(format!("p{n}"), u64::from(n < 2)).unwrap()).collect();
    for number in 0..4 + rng.below(5) {
        let transition = builder.transition(format!("t{number}")).unwrap();
        let name = ["a", "b", "c", "tau"][rng.below(4)];
        builder.name_transition(transition, name);
        let from = rng.below(4);
        builder.input(places[from], transition, 1).unwrap();
        let to = from + 1 + rng.below(4 - from);
        builder.output(transition, places[to], 1).unwrap();
        if to < 4 && rng.below(3) == 0 {
            builder.output(transition, places[to + 1], 1).unwrap();
        }
        if rng.below(5) == 0 && from > 0 {
            builder.inhibitor(places[from - 1], transition, 1).unwrap();
        }
    }
    builder.build().unwrap()
}

/// The traces of all complete runs, each run by itself.
fn enumerated(
    net: &PetriNet,
    marking: &Marking,
    trace: &mut Vec<String>,
    found: &mut BTreeSet<Vec<String>>,
    left: &mut u32,
) {
    *left = left.saturating_sub(1);
    // The last place is the only one without output, or the net is over in a deadlock.
    if super::is_over(net, marking) {
        found.insert(trace.clone());
    }
    for transition in net.transition_ids() {
        let Some(next) = marking.fire(net, transition).filter(|_| *left > 0) else { continue };
        let name = net.transition(transition).name.clone().unwrap();
        let is_seen = name != "tau";
        trace.extend(is_seen.then_some(name));
        enumerated(net, &next, trace, found, left);
        trace.truncate(trace.len() - usize::from(is_seen));
    }
}

#[test]
fn rules_hold_where_they_hold_of_each_trace() {
    const RULES: [&str; 10] = [
        "response(a, b)",
        "precedence(a, b)",
        "G !c",
        "F a",
        "chain_response(a, c)",
        "at_most_one(b)",
        "alternate_precedence(b, c)",
        "F (a & N false)",
        "!b & X b",
        "G (a -> X (b | c))",
    ];
    let mut rng = Rng::new(11);
    let mut counts = [0; 3];
    for _ in 0..400 {
        let net = ending_net(&mut rng);
        let (mut found, mut left) = (BTreeSet::new(), 20_000);
        enumerated(&net, &net.initial_marking(), &mut Vec::new(), &mut found, &mut left);
        if left == 0 {
            continue;
        }
        let model = Labelled::net(&net, Naming::Either).unwrap();
        let behaviour = Behaviour::explore(&model, &Budget::unlimited()).unwrap();
        assert_eq!(behaviour.completes(), Some(!found.is_empty()), "{net:?}");
        for text in RULES {
            let (rule, _) = Rule::parse("r", text).unwrap();
            let keeps = |trace: &Vec<String>| rule.holds(trace, |event, name| event == name);
            let expected = (Some(found.iter().all(keeps)), Some(found.iter().any(keeps)));
            let answer = checked(&behaviour, text);
            assert_eq!((answer.all, answer.some), expected, "{text}: {net:?}\n{found:?}");
            let by_sets = Behaviour::check_by_sets(&model, &rule, &Budget::unlimited()).unwrap().unwrap();
            assert_eq!((by_sets.all, by_sets.some), expected, "{text}: {net:?}\n{found:?}");
            // A shortest run in both ways.
            assert_eq!(by_sets.run.map(|run| run.len()), answer.run.as_ref().map(Vec::len), "{text}: {net:?}");
            assert_eq!(answer.run.is_some(), answer.all == Some(false));
            if let Some(run) = answer.run {
                let trace: Vec<String> = model.activities(run.iter().copied()).into_iter().map(str::to_owned).collect();
                assert!(found.contains(&trace) && !keeps(&trace), "{text}: {trace:?}: {net:?}");
                let fired = run.iter().try_fold(net.initial_marking(), |marking, &step| {
                    marking.fire(&net, net.transition_ids().nth(step).unwrap())
                });
                assert!(super::is_over(&net, &fired.unwrap()));
            }
            counts[if answer.all == Some(true) {
                0
            } else if answer.some == Some(true) {
                1
            } else {
                2
            }] += 1;
        }
    }
    assert!(counts.iter().all(|&count| count > 200), "{counts:?}");
}

/// Of a part of the markings, what is found is certain and the rest unknown.
#[test]
fn parts_say_what_they_show() {
    let mut builder = NetBuilder::new("n");
    let (p, q) = (builder.place("p", 1).unwrap(), builder.place("q", 0).unwrap());
    let grow = builder.transition("a").unwrap();
    builder.read_arc(p, grow, 1).unwrap();
    builder.output(grow, q, 1).unwrap();
    let end = builder.transition("b").unwrap();
    builder.input(p, end, 1).unwrap();
    let net = builder.build().unwrap();
    let model = Labelled::net(&net, Naming::Either).unwrap();
    let behaviour = Behaviour::explore_up_to(&model, 50, &Budget::unlimited()).unwrap();
    assert!(!behaviour.is_complete());
    let known = |text: &str| {
        let found = checked(&behaviour, text);
        (found.all, found.some)
    };
    // A run is over with one token in q.
    assert_eq!(known("F b"), (None, Some(true)));
    assert_eq!(known("G a"), (Some(false), None));
}

/// Branches of two tasks side by side, as a process: more markings than are listed.
fn branches(count: usize) -> String {
    let mut text = "<startEvent id='s'/><parallelGateway id='fork'/><parallelGateway id='join'/><task id='z'/>\
        <endEvent id='e'/><sequenceFlow id='1' sourceRef='s' targetRef='fork'/>\
        <sequenceFlow id='2' sourceRef='join' targetRef='z'/><sequenceFlow id='3' sourceRef='z' targetRef='e'/>"
        .to_owned();
    for n in 0..count {
        text.push_str(&format!(
            "<task id='a{n}'/><task id='b{n}'/><sequenceFlow id='f{n}' sourceRef='fork' targetRef='a{n}'/>\
             <sequenceFlow id='g{n}' sourceRef='a{n}' targetRef='b{n}'/>\
             <sequenceFlow id='h{n}' sourceRef='b{n}' targetRef='join'/>"
        ));
    }
    format!(
        "<definitions xmlns='http://www.omg.org/spec/BPMN/20100524/MODEL'><process id='P'>{text}</process></definitions>"
    )
}

#[test]
fn rules_of_more_markings_than_are_listed() {
    // 3^25 markings.
    let text = branches(25);
    let process = read_bpmn_in(text.as_bytes(), "d", "d.bpmn", Environment::default()).unwrap();
    let model = Labelled::process(&process, Naming::Id);
    let behaviour = Behaviour::explore(&model, &Budget::unlimited()).unwrap();
    assert!(!behaviour.is_complete());
    for (text, all, some) in [
        ("response(a1, b1)", true, true),
        ("response(a1, b2)", false, true),
        ("alternate_succession(a7, b7)", true, true),
        ("chain_response(a3, b3)", false, true),
        ("precedence(b24, z)", true, true),
        ("end(z)", true, true),
        ("at_most_one(a0) & F (b3 & F a9)", false, true),
        ("not_co_existence(a0, b9)", false, false),
        ("X X !X true", false, false),
    ] {
        let (rule, _) = Rule::parse("r", text).unwrap();
        let found = behaviour.check(&rule, &Budget::unlimited()).unwrap();
        assert_eq!((found.all, found.some), (Some(all), Some(some)), "{text}");
        let Some(run) = found.run else { continue };
        let trace = model.activities(run);
        assert!(trace.len() == 51 && trace[50] == "z" && !rule.holds(&trace, |event, name| event == &name), "{text}");
    }
}

#[test]
fn the_program_checks_rules() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("own.rules");
    std::fs::write(&path, "late: !F Complain\nprecedence(\"Place order\", Pay)\nF Pya\n").unwrap();
    let command = |rules: &std::path::Path, options: &[&str]| {
        run(starset().arg("rules").arg(rules).args(["models/order.bpmn"]).args(options))
    };
    let (out, err, status) = command(&path, &[]);
    assert_eq!(status, 0, "{err}");
    assert!(err.contains("rule 3: there is no activity `Pya`"), "{err}");
    for line in [
        "order: 3 rules",
        "  2                      true: precedence(\"Place order\", Pay)",
        "  3                      false in all complete runs: F Pya; broken by ",
    ] {
        assert!(out.lines().any(|found| found.starts_with(line)), "{line}\n{out}");
    }
    assert!(out.contains("  late                   false: !F Complain; broken by A wish · Place order"), "{out}");
    assert_eq!(command(&path, &["--fail-if-false"]).2, 1);
    let (out, _, _) = command(&path, &["--json"]);
    let object: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((&object["rules"][1]["all"], &object["rules"][2]["some"]), (&true.into(), &false.into()));
    let (out, _, status) = run(starset().arg("rules").arg(&path).args(["models/order.bpmn", "models/order.bpmn"]));
    assert!(status == 0 && out.matches("order: 3 rules").count() == 2, "{out}");
    let (_, err, status) = run(starset().arg("rules").arg(&path).args(["models/order.bpmn", "models/none.bpmn"]));
    assert!(status == 2 && err.contains("some files are no process"), "{err}");
    let (_, err, status) = run(starset().arg("rules").arg(&path).args(["models/order.bpmn", "--time", "0.000001"]));
    assert!(status == 3 && err.contains("out of time while models/order.bpmn"), "{err}");
    let (out, _, status) = run(starset().arg("rules").arg(&path).arg("models/kanban-3.pnml"));
    assert!(status == 0 && out.contains("  no run is complete"), "{out}");
}
