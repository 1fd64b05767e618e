//! `--like`: what another tool recorded about diagrams, verdict by verdict and state by state.

use super::{asked, elements};
use crate::cli::{run, starset};
use crate::shared::{shared, table};
use starset::budget::Budget;
use starset::kinds::bpmn::diagram::{Container, Sort};
use starset::kinds::bpmn::{Environment, Like, Order, ReadProcess, read_bpmn};
use starset::mdd::with_deep_stack;
use starset::processes::{Answers, Stopped, by_sets, soundness};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::time::Duration;

const RBA: Environment = Environment { closed: false, channel: None, order: Order::Bag, like: Like::Rba };

/// Rows that are not answered, and why: a reading that no net has is said to be none.
const OPEN: [(&str, &str); 7] = [
    // The peer stops at 50 tokens on a flow, or at its time; here they are said to pile up.
    ("fbpmn/e005TravelAgency.bpmn", "unbounded"),
    ("fbpmn/e019TemperatureIoT.bpmn", "unbounded"),
    ("fbpmn/e039TravelAgency.bpmn", "unbounded"),
    ("rba/int-livelock.bpmn", "unbounded"),
    // A second message starts a pool that runs: the steps of either instance delete the other.
    ("tiny/t25_loop_sends.bpmn", "instances"),
    ("tiny/t04_message_start_twice.bpmn", "instances"),
    ("research/Regressnahme_a2137d32b8ac4210ba8521a50f4f867f.bpmn", "instances"),
];

/// States and steps as the peer counts: states with the same tokens differ by the order in which pools moved last.
fn with_orders(process: &ReadProcess) -> (usize, usize) {
    let (net, diagram) = (&process.net, &process.diagram);
    let runs = |pool: usize| {
        let is_plain =
            |node: usize| diagram.nodes[node].triggers.is_empty() && !diagram.nodes[node].outgoing.is_empty();
        diagram.starts(Container::Pool(pool)).into_iter().any(is_plain)
    };
    let first = (net.initial(), (0..diagram.pools.len()).filter(|&pool| runs(pool)).collect::<Vec<_>>());
    let (mut known, mut next, mut steps) = (HashSet::from([first.clone()]), vec![first], 0);
    while let Some((tokens, order)) = next.pop() {
        for transition in net.transitions.iter().filter(|transition| transition.is_enabled(&net.places, &tokens)) {
            let (mut tokens, mut order) = (tokens.clone(), order.clone());
            transition.fire(&net.places, &mut tokens).unwrap();
            let pool = diagram.pool_of(diagram.nodes[transition.node.unwrap()].container);
            order.retain(|&other| other != pool);
            order.push(pool);
            steps += 1;
            if known.insert((tokens.clone(), order.clone())) {
                next.push((tokens, order));
            }
        }
    }
    (known.len(), steps)
}

fn verdict(answers: &Answers, property: &str) -> Option<bool> {
    let known = match property {
        "safeness" => &answers.safe,
        "option to complete" => &answers.option_to_complete,
        "proper completion" => &answers.proper_completion,
        "no dead activities" => &answers.no_dead_activity,
        _ => panic!("unknown property {property}"),
    };
    known.verdict()
}

/// All rows of rust_bpmn_analyzer: what it does not read is refused, every verdict is the same, and so is every
/// number of states and steps; but for the files above, where only what is certain is said.
#[test]
fn rust_bpmn_analyzer_is_followed() {
    let Some(folder) = shared("bpmn/models") else { return };
    let open = BTreeMap::from(OPEN);
    let (mut wrong, mut read) = (Vec::new(), HashMap::new());
    let (mut verdicts, mut numbers, mut refused, mut left) = (0, 0, 0, 0);
    for row in table(&folder.join("expected.csv")) {
        if row["tool"] != "rust_bpmn_analyzer" {
            continue;
        }
        let file = row["file"].as_str();
        let (process, answers, orders) = match read_bpmn(&folder.join(file), RBA) {
            Err(_) if row["verdict"] == "false" && row["property"] == "readable" => {
                refused += 1;
                continue;
            }
            Err(error) => {
                wrong.push(format!("{file}: {error}"));
                continue;
            }
            Ok(_) => read.entry(file.to_owned()).or_insert_with(|| {
                let process = read_bpmn(&folder.join(file), RBA).unwrap();
                let answers = asked(&process);
                let orders = answers.counts.as_ref().map(|_| with_orders(&process));
                (process, answers, orders)
            }),
        };
        let is_open = open.get(file);
        if let Some(why) = is_open {
            let said = match answers.stopped {
                Some(Stopped::Unbounded(_)) => "unbounded",
                Some(Stopped::Instances(_)) => "instances",
                _ => "nothing",
            };
            assert_eq!(said, *why, "{file}");
        }
        match (row["property"].as_str(), is_open) {
            ("readable", Some(_)) if row["verdict"].is_empty() => left += 1,
            ("readable", _) => wrong.push(format!("{file}: is read, and should not be")),
            ("states told apart", Some(_)) => left += 1,
            ("states told apart", None) => {
                let counts = answers.counts.as_ref().unwrap();
                let found = [counts.states.to_string(), counts.steps.as_ref().unwrap().to_string()];
                if found != [row["states"].clone(), row["transitions"].clone()] {
                    wrong.push(format!("{file}: {found:?} states and steps"));
                }
                numbers += 1;
            }
            (property, is_open) => {
                let found = verdict(answers, property);
                match found {
                    Some(found) if found.to_string() == row["verdict"] => verdicts += 1,
                    None if is_open.is_some() => left += 1,
                    _ => wrong.push(format!("{file}: {property}: {found:?}")),
                }
                if is_open.is_none() {
                    let expected = (row["states"].parse().unwrap(), row["transitions"].parse().unwrap());
                    if *orders != Some(expected) {
                        wrong.push(format!("{file}: {orders:?} states and steps, expected {expected:?}"));
                    }
                    numbers += 1;
                }
            }
        }
        assert!(!process.diagram.nodes.iter().any(|node| node.sort == Sort::Sub), "{file}");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!((verdicts, numbers, refused, left), (324, 340, 50, 19));
}

/// Sets answer as states do.
#[test]
fn sets_follow_it_as_states_do() {
    let Some(folder) = shared("bpmn/models") else { return };
    let (mut compared, mut instances) = (0, 0);
    let files: BTreeSet<String> =
        table(&folder.join("expected.csv")).into_iter().map(|row| row["file"].clone()).collect();
    for file in files {
        let Ok(process) = read_bpmn(&folder.join(&file), RBA) else { continue };
        let answers = asked(&process);
        let is_restarted = matches!(answers.stopped, Some(Stopped::Instances(_)));
        let few = answers.counts.as_ref().is_some_and(|counts| counts.states <= 40_000u32.into());
        if process.net.places.is_empty() || !(few || is_restarted && file.contains("t04")) {
            continue;
        }
        let by_sets =
            with_deep_stack(process.net.places.len(), || by_sets(&process.net, &Budget::unlimited()).unwrap());
        if is_restarted {
            assert!(matches!(by_sets.stopped, Some(Stopped::Instances(_))), "{file}");
            instances += 1;
            continue;
        }
        assert_eq!(by_sets.counts, answers.counts, "{file}");
        for ((name, _, found), (_, _, expected)) in by_sets.verdicts().into_iter().zip(answers.verdicts()) {
            assert!(name == "fair" || found == expected, "{file}: {name}: {found:?}, expected {expected:?}");
        }
        compared += 1;
    }
    assert!(compared >= 60 && instances == 1, "{compared} {instances}");
}

/// All rows of fbpmn: what it refuses is refused, and every verdict and every number of states is the same, for each order
/// of messages. Its bounds are none here: those models are said to be unbounded.
#[test]
fn fbpmn_is_followed() {
    let Some(folder) = shared("bpmn/models") else { return };
    let orders = [
        ("", Order::Bag),
        ("Bag", Order::Bag),
        ("FifoPair", Order::FifoPair),
        ("Causal", Order::Causal),
        ("Inbox", Order::Inbox),
        ("Outbox", Order::Outbox),
        ("Fifo", Order::Fifo),
        ("RSC", Order::Rsc),
    ];
    let orders = BTreeMap::from(orders);
    let (mut wrong, mut read) = (Vec::new(), HashMap::new());
    let (mut verdicts, mut numbers, mut refused, mut bounded, mut large) = (0, 0, 0, 0, 0);
    for row in table(&folder.join("expected.csv")) {
        if row["tool"] != "fbpmn" {
            continue;
        }
        let (file, messages, property) = (row["file"].as_str(), row["messages"].as_str(), row["property"].as_str());
        let environment = Environment { order: orders[messages], like: Like::Fbpmn, ..Environment::default() };
        let process = match read_bpmn(&folder.join(file), environment) {
            Err(_) if row["verdict"] == "false" && ["readable", "well-formed"].contains(&property) => {
                refused += 1;
                continue;
            }
            Err(error) => {
                wrong.push(format!("{file}: {error}"));
                continue;
            }
            Ok(process) => process,
        };
        if row["note"].starts_with("bounded") {
            bounded += 1;
            if environment.order == Order::Bag && property == "safety" {
                let answers = asked(&process);
                assert!(matches!(answers.stopped, Some(Stopped::Unbounded(_))), "{file}");
            }
            continue;
        }
        if row["note"] == "limit" {
            large += 1;
            continue;
        }
        let answers = read.entry((file.to_owned(), messages.to_owned())).or_insert_with(|| asked(&process));
        let found = match property {
            "safety" => answers.safe.verdict(),
            "soundness" => answers.sound(),
            "message-relaxed soundness" => answers.weak(),
            "deadlock-free" => answers.no_deadlock.verdict(),
            "no dead activities" => answers.no_dead_activity.verdict(),
            _ => None,
        };
        match found.is_some_and(|found| found.to_string() == row["verdict"]) {
            true => verdicts += 1,
            false => wrong.push(format!("{file}, {messages}: {property}: {found:?}")),
        }
        if !row["states"].is_empty() {
            let states = answers.counts.as_ref().map(|counts| counts.states.to_string());
            match states.as_ref() == Some(&row["states"]) {
                true => numbers += 1,
                false => wrong.push(format!("{file}, {messages}: {states:?} states")),
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!((verdicts, numbers, refused, bounded, large), (672, 637, 29, 69, 12));
}

/// Orders of messages that decide by themselves: a receiver that wants them in another order than they are sent.
#[test]
fn orders_of_messages_decide() {
    let sender = "<process id='p'><startEvent id='s'/><sendTask id='a'/><sendTask id='b'/><endEvent id='e'/>\
        <sequenceFlow id='1' sourceRef='s' targetRef='a'/><sequenceFlow id='2' sourceRef='a' targetRef='b'/>\
        <sequenceFlow id='3' sourceRef='b' targetRef='e'/></process>";
    let receiver = "<process id='q'><startEvent id='t'/><receiveTask id='c'/><receiveTask id='d'/><endEvent id='f'/>\
        <sequenceFlow id='4' sourceRef='t' targetRef='c'/><sequenceFlow id='5' sourceRef='c' targetRef='d'/>\
        <sequenceFlow id='6' sourceRef='d' targetRef='f'/></process>";
    let text = |first: &str, second: &str| {
        format!(
            "<definitions xmlns='http://www.omg.org/spec/BPMN/20100524/MODEL'><collaboration id='k'>\
             <participant id='P' processRef='p'/><participant id='Q' processRef='q'/>\
             <messageFlow id='m' name='m' sourceRef='a' targetRef='{first}'/>\
             <messageFlow id='n' name='n' sourceRef='b' targetRef='{second}'/></collaboration>{sender}{receiver}\
             </definitions>"
        )
    };
    let all = [Order::Bag, Order::FifoPair, Order::Causal, Order::Inbox, Order::Outbox, Order::Fifo, Order::Rsc];
    for like in [Like::Default, Like::Fbpmn] {
        let sound = |text: &str, order: Order| {
            let environment = Environment { order, like, ..Environment::default() };
            let process = starset::kinds::bpmn::read_bpmn_in(text.as_bytes(), "d", "d.bpmn", environment).unwrap();
            asked(&process).sound()
        };
        for order in all {
            assert_eq!(sound(&text("c", "d"), order), Some(true), "{order:?}");
            assert_eq!(sound(&text("d", "c"), order), Some(order == Order::Bag), "{order:?}");
        }
    }
}

/// What is asked and answered again and again has finitely many markings, whatever the order of messages.
#[test]
fn loops_of_messages_have_an_end() {
    let part = |id: &str, nodes: &str, flows: [(&str, &str); 4]| {
        let flow = |(n, (from, to)): (usize, &(&str, &str))| {
            format!("<sequenceFlow id='{id}{n}' sourceRef='{from}' targetRef='{to}'/>")
        };
        let flows: String = flows.iter().enumerate().map(flow).collect();
        format!("<process id='{id}'>{nodes}{flows}</process>")
    };
    let asks = "<startEvent id='s'/><exclusiveGateway id='x'/><sendTask id='a'/><receiveTask id='b'/>";
    let answers = "<startEvent id='t'/><exclusiveGateway id='y'/><receiveTask id='c'/><sendTask id='d'/>";
    let text = format!(
        "<definitions xmlns='http://www.omg.org/spec/BPMN/20100524/MODEL'><collaboration id='k'>\
         <participant id='P' processRef='p'/><participant id='Q' processRef='q'/>\
         <messageFlow id='m' name='m' sourceRef='a' targetRef='c'/>\
         <messageFlow id='n' name='n' sourceRef='d' targetRef='b'/></collaboration>{}{}</definitions>",
        part("p", asks, [("s", "x"), ("x", "a"), ("a", "b"), ("b", "x")]),
        part("q", answers, [("t", "y"), ("y", "c"), ("c", "d"), ("d", "y")]),
    );
    for order in [Order::Bag, Order::FifoPair, Order::Causal, Order::Inbox, Order::Outbox, Order::Fifo, Order::Rsc] {
        let environment = Environment { order, ..Environment::default() };
        let process = starset::kinds::bpmn::read_bpmn_in(text.as_bytes(), "d", "d.bpmn", environment).unwrap();
        let net = &process.net;
        let budget = Budget::unlimited().with_time(Duration::from_secs(60));
        let answers = with_deep_stack(net.places.len(), || soundness(net, &budget).unwrap());
        let counts = answers.counts.as_ref().map(|counts| counts.states.to_string());
        assert_eq!(counts.as_deref(), Some("19"), "{order:?}");
        assert_eq!(answers.option_to_complete.verdict(), Some(false), "{order:?}");
    }
}

/// Each switch decides on a diagram of its own.
#[test]
fn switches_decide() {
    let like = |like: Like, text: &str| {
        let environment = Environment { like, ..Environment::default() };
        let text = elements::diagram(text);
        starset::kinds::bpmn::read_bpmn_in(text.as_bytes(), "d", "d.bpmn", environment).map(|process| asked(&process))
    };
    let start = |id: &str| format!("<startEvent id='{id}'><outgoing/></startEvent>");
    let flow = |from: &str, to: &str| format!("<sequenceFlow id='{from}{to}' sourceRef='{from}' targetRef='{to}'/>");
    let (s, e) = (start("s"), "<endEvent id='e'><incoming/></endEvent>");
    let t = format!("<task id='t'/>{}{}", flow("s", "t"), flow("t", "e"));
    let both = |text: &str, ask: fn(&Answers) -> Option<bool>| {
        [Like::Default, Like::Rba].map(|tool| like(tool, text).ok().and_then(|answers| ask(&answers)))
    };
    // Both start events at once put two tokens behind them.
    let two = format!("{s}{}{e}{t}{}", start("z"), flow("z", "t"));
    assert_eq!(both(&two, |answers| answers.safe.verdict()), [Some(true), Some(false)]);
    // Nothing leads to the task.
    let task = "<task id='t'/>".to_owned();
    assert_eq!(both(&task, |answers| answers.no_dead_activity.verdict()), [Some(true), Some(false)]);
    // A gateway keeps the token, or the token ends there.
    let gateway = format!("{s}<exclusiveGateway id='x'><incoming/></exclusiveGateway>{}", flow("s", "x"));
    assert_eq!(both(&gateway, |answers| answers.no_deadlock.verdict()), [Some(true), Some(false)]);
    // A circle without a way out is no stuck marking.
    let circle = format!("{s}<task id='a'/><task id='b'/>{}{}{}", flow("s", "a"), flow("a", "b"), flow("b", "a"));
    assert_eq!(both(&circle, |answers| answers.option_to_complete.verdict()), [Some(false), Some(true)]);
    // What comes from outside never comes.
    let receive = format!("{s}<receiveTask id='t'/>{e}{}{}", flow("s", "t"), flow("t", "e"));
    assert_eq!(both(&receive, |answers| answers.no_deadlock.verdict()), [Some(true), Some(false)]);
    // A task in a sub-process runs whether that begins or not.
    let inner = format!("<subProcess id='p'>{s}{e}{t}</subProcess>");
    let states = |tool| like(tool, &inner).unwrap().counts.unwrap().states.to_string();
    assert_eq!((states(Like::Default), states(Like::Rba)), ("6".to_owned(), "3".to_owned()));
    // Refused by name.
    for (text, what) in [
        ("<callActivity id='c'/>".to_owned(), "`c` is a call activity"),
        ("<inclusiveGateway id='c'/>".to_owned(), "`c` is an inclusive gateway"),
        ("<transaction id='c'/>".to_owned(), "`c` is an element that it does not know"),
        ("<subProcess id='c'/>".to_owned(), "`c` is an empty tag"),
        (format!("<startEvent id='s'/>{e}{}", flow("s", "e")), "`s` is an empty tag"),
        ("<intermediateCatchEvent id='c'><timerEventDefinition/></intermediateCatchEvent>".to_owned(), "of a sort"),
        (format!("{s}{}", flow("s", "nowhere")), "a sequence flow without an end"),
    ] {
        let error = like(Like::Rba, &text).unwrap_err().to_string();
        assert!(error.contains("like rba: ") && error.contains(what), "{error}");
    }
    // Two tags with nothing between them are not seen as a definition.
    let written = |definition: &str| {
        let catch = format!("<intermediateCatchEvent id='t'>{definition}</intermediateCatchEvent>");
        let text = format!("{s}{catch}{e}{}{}", flow("s", "t"), flow("t", "e"));
        like(Like::Rba, &text).unwrap().no_deadlock.verdict()
    };
    assert_eq!(written("<messageEventDefinition/>"), Some(false));
    assert_eq!(written("<messageEventDefinition></messageEventDefinition>"), Some(true));
}

#[test]
fn the_program_follows_another_tool() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("circle.bpmn");
    let text = "<startEvent id='s'><outgoing/></startEvent><task id='a'/>\
                <sequenceFlow id='1' sourceRef='s' targetRef='a'/><sequenceFlow id='2' sourceRef='a' targetRef='a'/>";
    std::fs::write(&path, elements::diagram(text)).unwrap();
    let said = |options: &[&str]| run(starset().arg("soundness").arg(&path).args(options));
    assert!(said(&[]).0.contains("  option to complete     false\n"));
    let (_, errors, status) = said(&["--like", "fbpmn"]);
    assert!(status == 2 && errors.contains("like fbpmn: there is no collaboration"), "{errors}");
    assert!(said(&["--messages", "fifo"]).0.contains("  option to complete     false\n"));
    let (_, errors, status) = said(&["--messages", "fifo", "--timers"]);
    assert!(status == 2 && errors.contains("leave these out"), "{errors}");
    assert!(said(&["--like", "rba"]).0.contains("  option to complete     true\n"));
    let (_, errors, status) = said(&["--like", "rba", "--env", "closed"]);
    assert!(status == 2 && errors.contains("leave --env and --channel out"), "{errors}");
    let (_, errors, status) = run(starset().args(["soundness", "models/claim.pnwc", "--like", "rba"]));
    assert!(status == 2 && errors.contains("--like and --messages are about processes"), "{errors}");
}
