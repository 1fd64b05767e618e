//! Timers: the table of `../shared/bpmn`, random processes against a search in steps of half an hour, and the program.

use super::elements::diagram;
use crate::cli::{run, starset};
use crate::shared::{shared, table};
use starset::budget::Budget;
use starset::kinds::bpmn::diagram::Sort;
use starset::kinds::bpmn::process_net::{Deed, Meaning, Transition};
use starset::kinds::bpmn::{Environment, ReadProcess, read_bpmn, read_bpmn_in, shown_seconds};
use starset::kinds::clocks::rational::{Rational, fraction};
use starset::mdd::with_deep_stack;
use starset::processes::{NoAnswers, TimedAnswers, When, in_time};
use starset::rng::Rng;
use std::collections::{BTreeMap, BTreeSet};

fn asked(process: &ReadProcess) -> Result<TimedAnswers, NoAnswers> {
    with_deep_stack(process.net.places.len(), || in_time(process, &Budget::unlimited()))
}

/// A state: tokens, for each timer the half hours since its place was marked, and how often an activity has begun.
type State = (Vec<u32>, Vec<u32>, u32);

/// What a search in steps of half an hour finds.
#[derive(Default)]
struct Found {
    fired: BTreeSet<usize>,
    markings: BTreeSet<Vec<u32>>,
    /// At final markings: tokens, and how often the activity has begun.
    ends: BTreeSet<(Vec<u32>, u32)>,
    is_stuck: bool,
    /// By transition, the first and the last half hour at which it fires; without a last one if there is none.
    when: BTreeMap<usize, (u32, Option<u32>)>,
}

/// Half hours after which nothing happens for the first time in a random process, which has no loops.
const LATE: u32 = 500;

/// Half hours of `PT2H`, `PT30M`.
fn halves(text: &str) -> u32 {
    let text = text.strip_prefix("PT").unwrap();
    match text.strip_suffix('H') {
        Some(hours) => 2 * hours.parse::<u32>().unwrap(),
        None => text.strip_suffix('M').unwrap().parse::<u32>().unwrap() / 30,
    }
}

/// A process whose time passes in steps of half an hour.
pub(super) struct Halves<'p> {
    process: &'p ReadProcess,
    /// By transition: the place at which its timer waits, and how long.
    timers: Vec<Option<(usize, u32)>>,
    automatic: Vec<bool>,
}

/// Tokens, and for each timer the half hours since its place was marked.
pub(super) type Moment = (Vec<u32>, Vec<u32>);

impl<'p> Halves<'p> {
    pub(super) fn new(process: &'p ReadProcess) -> Self {
        let (net, nodes) = (&process.net, &process.diagram.nodes);
        let has = |step: &Transition, meaning: &dyn Fn(Meaning) -> bool| {
            let places = step.inputs.iter().map(|input| input.0).chain(step.reads.iter().copied());
            places.filter(|&place| meaning(net.places[place].meaning)).collect::<Vec<usize>>()
        };
        let timer = |step: &Transition| {
            let node = step.node?;
            let length = nodes[node].duration.as_deref().map(halves)?;
            let once = has(step, &|meaning| meaning == Meaning::Once(node));
            let host = has(step, &|meaning| nodes[node].host.is_some_and(|host| meaning == Meaning::Busy(host)));
            let flow = has(step, &|meaning| meaning == Meaning::Flow);
            Some((*once.first().or(host.first()).or(flow.first())?, length))
        };
        let timers: Vec<Option<(usize, u32)>> = net.transitions.iter().map(timer).collect();
        let is_automatic = |step: &Transition| {
            let Some(node) = step.node else { return true };
            let takes_message = !has(step, &|meaning| meaning == Meaning::Message).is_empty();
            match nodes[node].sort {
                Sort::Task | Sort::ReceiveTask => {
                    let starts = step.outputs.iter().any(|put| net.places[put.0].meaning == Meaning::Busy(node));
                    takes_message || step.deed == Deed::Begin && starts
                }
                Sort::Catch | Sort::Boundary => takes_message,
                _ => true,
            }
        };
        let automatic = net.transitions.iter().map(is_automatic).collect();
        Halves { process, timers, automatic }
    }

    pub(super) fn initial(&self) -> Moment {
        (self.process.net.initial(), vec![0; self.timers.len()])
    }

    fn enabled(&self, tokens: &[u32]) -> Vec<usize> {
        let net = &self.process.net;
        (0..self.timers.len()).filter(|&number| net.transitions[number].is_enabled(&net.places, tokens)).collect()
    }

    pub(super) fn is_final(&self, tokens: &[u32]) -> bool {
        let places = &self.process.net.places;
        let inside = (0..tokens.len()).any(|place| tokens[place] > 0 && places[place].meaning.is_inside());
        self.enabled(tokens).is_empty() && !inside
    }

    /// What may come next: a transition, or nothing but half an hour.
    pub(super) fn next(&self, (tokens, elapsed): &Moment) -> Vec<(Option<usize>, Moment)> {
        let (net, timers) = (&self.process.net, &self.timers);
        let enabled = self.enabled(tokens);
        let mut next = Vec::new();
        for &number in &enabled {
            if timers[number].is_some_and(|(_, length)| elapsed[number] != length) {
                continue;
            }
            let step = &net.transitions[number];
            let (mut after, mut reset) = (tokens.clone(), elapsed.clone());
            step.fire(&net.places, &mut after).unwrap();
            for (other, timer) in timers.iter().enumerate() {
                let Some((place, _)) = *timer else { continue };
                let taken = step.inputs.iter().any(|input| input.0 == place) || step.resets.contains(&place);
                let goes_off = timers[number].is_some() && step.node == net.transitions[other].node;
                if tokens[place] == 0 || taken || goes_off && timers[number].map(|timer| timer.0) == Some(place) {
                    reset[other] = 0;
                }
                if after[place] == 0 {
                    reset[other] = 0;
                }
            }
            next.push((Some(number), (after, reset)));
        }
        let waits = |number: &usize| timers[*number].is_some_and(|(place, _)| tokens[place] > 0);
        let waiting: Vec<usize> = (0..timers.len()).filter(waits).collect();
        let may_wait = !enabled.iter().any(|&number| self.automatic[number])
            && waiting.iter().all(|&number| elapsed[number] < timers[number].unwrap().1);
        if may_wait {
            let mut later = elapsed.clone();
            waiting.iter().for_each(|&number| later[number] += 1);
            next.push((None, (tokens.clone(), later)));
        }
        next
    }
}

/// All states, one after the other. `None` if there are too many.
fn searched(process: &ReadProcess, counted: &str) -> Option<Found> {
    let halves = Halves::new(process);
    let (tokens, elapsed) = halves.initial();
    let mut states: Vec<State> = vec![(tokens, elapsed, 0)];
    let mut numbers: BTreeMap<State, usize> = BTreeMap::from([(states[0].clone(), 0)]);
    let (mut found, mut edges, mut finals) = (Found::default(), Vec::new(), Vec::new());
    let mut at = 0;
    while at < states.len() {
        let (tokens, elapsed, count) = states[at].clone();
        found.markings.insert(tokens.clone());
        if halves.is_final(&tokens) {
            found.ends.insert((tokens.clone(), count));
            finals.push(at);
        }
        let mut next = Vec::new();
        for (fired, (tokens, elapsed)) in halves.next(&(tokens, elapsed)) {
            found.fired.extend(fired);
            let begins = |step: usize| process.net.transitions[step].begins.iter();
            let begun = fired.is_some_and(|step| begins(step).any(|&node| process.diagram.nodes[node].id == counted));
            let state = (tokens, elapsed, count + u32::from(begun));
            let fresh = numbers.len();
            let number = *numbers.entry(state.clone()).or_insert_with(|| {
                states.push(state);
                fresh
            });
            next.push((fired, number));
        }
        edges.push(next);
        at += 1;
        if states.len() > 20_000 {
            return None;
        }
    }
    let mut reaching = vec![false; states.len()];
    finals.iter().for_each(|&state| reaching[state] = true);
    let mut changed = true;
    while changed {
        changed = false;
        for state in (0..states.len()).rev() {
            if !reaching[state] && edges[state].iter().any(|&(_, next)| reaching[next]) {
                (reaching[state], changed) = (true, true);
            }
        }
    }
    found.is_stuck = reaching.contains(&false);
    found.when = moments(&edges);
    Some(found)
}

/// When transitions fire: the shortest and the longest ways to the states from which they do.
fn moments(edges: &[Vec<(Option<usize>, usize)>]) -> BTreeMap<usize, (u32, Option<u32>)> {
    let (mut first, mut last) = (vec![u32::MAX; edges.len()], vec![0; edges.len()]);
    let mut changed = true;
    first[0] = 0;
    while changed {
        changed = false;
        for state in 0..edges.len() {
            if first[state] == u32::MAX {
                continue;
            }
            // Where half an hour changes nothing, there is no end to it.
            if edges[state].contains(&(None, state)) && last[state] < LATE {
                (last[state], changed) = (LATE, true);
            }
            for &(fired, next) in &edges[state] {
                let passed = u32::from(fired.is_none());
                let (early, late) = (first[state] + passed, LATE.min(last[state] + passed));
                if early < first[next] || late > last[next] {
                    (first[next], last[next], changed) = (early.min(first[next]), late.max(last[next]), true);
                }
            }
        }
    }
    let mut when: BTreeMap<usize, (u32, Option<u32>)> = BTreeMap::new();
    for (state, edges) in edges.iter().enumerate() {
        for fired in edges.iter().filter_map(|&(fired, _)| fired) {
            let (early, late) = (first[state], Some(last[state]).filter(|&late| late < LATE));
            let known = when.entry(fired).or_insert((early, late));
            *known = (known.0.min(early), known.1.zip(late).map(|(a, b)| a.max(b)));
        }
    }
    when
}

/// Holds the answers against the search.
fn compare(process: &ReadProcess, counted: &str, by: &str) -> Option<(TimedAnswers, Found)> {
    let found = searched(process, counted)?;
    let answers = asked(process).unwrap_or_else(|error| panic!("{by}: {error}"));
    let net = &process.net;
    assert_eq!(answers.option_to_complete, !found.is_stuck, "{by}");
    assert_eq!(answers.markings.0, found.markings.len(), "{by}");
    assert!(answers.never.iter().all(|step| !found.fired.contains(step)), "{by}: {:?}", answers.never);
    let begins = |node| found.fired.iter().any(|&step| net.transitions[step].begins.contains(&node));
    let dead: Vec<usize> = net.activities.iter().map(|a| a.node).filter(|&node| !begins(node)).collect();
    assert_eq!(answers.dead, dead, "{by}");
    let any = |of: &dyn Fn(Meaning) -> bool, above: u32, tokens: &Vec<u32>| {
        (0..tokens.len()).any(|place| tokens[place] > above && of(net.places[place].meaning))
    };
    let flow = |meaning| meaning == Meaning::Flow;
    assert_eq!(answers.safe, !found.markings.iter().any(|tokens| any(&flow, 1, tokens)), "{by}");
    let end = |meaning| matches!(meaning, Meaning::End(_));
    assert_eq!(answers.proper_completion, !found.markings.iter().any(|tokens| any(&end, 1, tokens)), "{by}");
    let message = |meaning| meaning == Meaning::Message;
    assert_eq!(answers.clean, !found.ends.iter().any(|(tokens, _)| any(&message, 0, tokens)), "{by}");
    assert!(answers.untold.is_none(), "{by}");
    let halves = |seconds: &Rational| (seconds / fraction(1_800, 1)).to_integer().try_into().unwrap();
    for (step, when) in answers.when.iter().enumerate() {
        let when = when.as_ref().map(|when| (halves(&when.earliest), when.latest.as_ref().map(halves)));
        assert_eq!(when, found.when.get(&step).copied(), "{by}: {}", net.transitions[step].id);
    }
    Some((answers, found))
}

#[test]
fn the_table_of_timers() {
    let Some(folder) = shared("bpmn/models") else { return };
    let mut checked = 0;
    for row in table(&folder.join("timed.csv")) {
        let file = &row["file"];
        let process = read_bpmn(&folder.join("timed").join(file), Environment::default()).unwrap();
        let (answers, found) = compare(&process, "Remind", file).unwrap();
        let names = |nodes: &[usize]| -> Vec<String> {
            nodes.iter().map(|&node| process.diagram.nodes[node].id.clone()).collect()
        };
        let when = |id: &str| {
            let step = process.net.transitions.iter().position(|step| step.id == id).unwrap();
            let When { earliest, latest } = answers.when[step].clone().unwrap();
            (shown_seconds(&earliest), latest.map(|latest| shown_seconds(&latest)))
        };
        let exactly = |time: &str| (time.to_owned(), Some(time.to_owned()));
        let without = super::asked(&process);
        let reminded: BTreeSet<u32> = found.ends.iter().map(|(_, count)| *count).collect();
        match (row["question"].as_str(), row["answer"].as_str()) {
            ("never begins in time", answer) => assert_eq!(names(&answers.dead), [answer]),
            ("never fires in time", answer) => {
                assert!(answers.never.iter().any(|&step| process.net.transitions[step].id == answer));
            }
            ("T1 since the start", "1 h exactly") => assert_eq!(when("T1"), exactly("1 h")),
            ("A may end", "0 h to 2 h") => assert_eq!(when("A.end"), ("0".to_owned(), Some("2 h".to_owned()))),
            ("b fires", _) => assert_eq!(when("b"), exactly("2 h")),
            ("C can begin", "true") => assert!(answers.dead.is_empty()),
            ("SP ends", "150 min exactly") => assert_eq!(when("SP.end"), exactly("2 h 30 min")),
            ("times Remind is done in a complete run", "2, always") => assert_eq!(reminded, BTreeSet::from([2])),
            ("without time", _) | ("times Remind is done without time", _) => assert!(without.dead.is_empty()),
            ("message m left over", "always") => {
                let place = process.net.places.iter().position(|place| place.id == "m").unwrap();
                assert!(found.ends.iter().all(|(tokens, _)| tokens[place] == 1));
            }
            ("clean", "false with and without time") => {
                assert!(!answers.clean && without.clean.verdict() == Some(false));
            }
            other => panic!("{other:?}"),
        }
        checked += 1;
    }
    assert_eq!(checked, 14);
}

/// Random blocks: sequences, choices, parallel branches, timers, races of timers, and tasks with deadlines.
pub(super) struct Blocks<'r> {
    rng: &'r mut Rng,
    lengths: [&'static str; 4],
    nodes: String,
    flows: String,
    number: u32,
}

impl<'r> Blocks<'r> {
    /// A diagram of a random block, whose timers have these lengths.
    pub(super) fn diagram(rng: &'r mut Rng, depth: u32, lengths: [&'static str; 4]) -> String {
        let mut blocks = Blocks { rng, lengths, nodes: String::new(), flows: String::new(), number: 0 };
        let (first, last) = blocks.block(depth);
        let (start, end) = (blocks.node("startEvent", "", ""), blocks.node("endEvent", "", ""));
        blocks.flow(&start, &first);
        blocks.flow(&last, &end);
        diagram(&format!("{}{}", blocks.nodes, blocks.flows))
    }

    fn id(&mut self, what: &str) -> String {
        self.number += 1;
        format!("{what}{}", self.number)
    }

    fn node(&mut self, element: &str, more: &str, inner: &str) -> String {
        let id = self.id(&element[..1]);
        self.nodes.push_str(&format!("<{element} id='{id}'{more}>{inner}</{element}>"));
        id
    }

    fn timer(&mut self, element: &str, more: &str) -> String {
        let length = self.lengths[self.rng.below(4)];
        let inner = format!("<timerEventDefinition><timeDuration>{length}</timeDuration></timerEventDefinition>");
        self.node(element, more, &inner)
    }

    fn flow(&mut self, from: &str, to: &str) {
        let id = self.id("f");
        self.flows.push_str(&format!("<sequenceFlow id='{id}' sourceRef='{from}' targetRef='{to}'/>"));
    }

    /// A block that begins at the first and ends at the second node.
    fn block(&mut self, depth: u32) -> (String, String) {
        let kind = if depth == 0 { self.rng.below(2) } else { self.rng.below(7) };
        match kind {
            0 => {
                let task = self.node("task", "", "");
                (task.clone(), task)
            }
            1 => {
                let timer = self.timer("intermediateCatchEvent", "");
                (timer.clone(), timer)
            }
            2 => {
                let ((first, left), (right, last)) = (self.block(depth - 1), self.block(depth - 1));
                self.flow(&left, &right);
                (first, last)
            }
            3 | 4 => {
                let split = self.node(if kind == 3 { "parallelGateway" } else { "exclusiveGateway" }, "", "");
                // Now and then a join that is none.
                let join = if self.rng.below(6) == 0 { 7 - kind } else { kind };
                let join = self.node(if join == 3 { "parallelGateway" } else { "exclusiveGateway" }, "", "");
                for _ in 0..2 {
                    let (first, last) = self.block(depth - 1);
                    self.flow(&split, &first);
                    self.flow(&last, &join);
                }
                (split, join)
            }
            5 => {
                let split = self.node("eventBasedGateway", "", "");
                let join = self.node("exclusiveGateway", "", "");
                for _ in 0..2 {
                    let timer = self.timer("intermediateCatchEvent", "");
                    self.flow(&split, &timer);
                    let (first, last) = self.block(depth - 1);
                    self.flow(&timer, &first);
                    self.flow(&last, &join);
                }
                (split, join)
            }
            _ => {
                let task = self.node("task", "", "");
                let interrupts = self.rng.below(2) == 0;
                let more = format!(" attachedToRef='{task}' cancelActivity='{interrupts}'");
                let event = self.timer("boundaryEvent", &more);
                let (first, last) = self.block(depth - 1);
                self.flow(&event, &first);
                match interrupts {
                    true => {
                        let join = self.node("exclusiveGateway", "", "");
                        self.flow(&task, &join);
                        self.flow(&last, &join);
                        (task, join)
                    }
                    false => {
                        let end = self.node("endEvent", "", "");
                        self.flow(&last, &end);
                        (task.clone(), task)
                    }
                }
            }
        }
    }
}

#[test]
fn zones_say_what_half_hours_say() {
    let seed = std::env::var("SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(5);
    let mut rng = Rng::new(seed);
    let cases = std::env::var("STARSET_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(100);
    let (mut checked, mut never, mut unsound) = (0, 0, 0);
    for round in 0..cases {
        let text = Blocks::diagram(&mut rng, 3, ["PT1H", "PT30M", "PT2H", "PT90M"]);
        let process = read_bpmn_in(text.as_bytes(), "d", "d.bpmn", Environment::default()).unwrap();
        if process.net.transitions.len() > 24 || super::asked(&process).counts.is_none() {
            continue;
        }
        let Err(NoAnswers::NoTime(_)) = asked(&process) else {
            let Some((answers, _)) = compare(&process, "", &format!("SEED={seed} round {round}: {text}")) else {
                continue;
            };
            checked += 1;
            never += usize::from(!answers.never.is_empty());
            unsound += usize::from(!answers.option_to_complete);
            continue;
        };
    }
    eprintln!("{checked} processes, {never} with steps that time forbids, {unsound} that get stuck");
    let enough = checked > cases * 2 / 5 && never > cases / 12 && unsound > cases / 50;
    assert!(enough, "{checked} {never} {unsound}");
}

/// Branches side by side, of which each is one of these: a task that a timer interrupts after so many hours; a timer and
/// then a task; a task, and then a race of two timers. The last one is late by an hour for each branch before it.
fn branches(count: u32, sort: u32) -> String {
    let mut text = "<startEvent id='s'/><parallelGateway id='fork'/><parallelGateway id='join'/><endEvent id='e'/>\
        <sequenceFlow id='1' sourceRef='s' targetRef='fork'/><sequenceFlow id='2' sourceRef='join' targetRef='e'/>"
        .to_owned();
    for n in 1..=count {
        let timer = |hours: u32| {
            format!("<timerEventDefinition><timeDuration>PT{hours}H</timeDuration></timerEventDefinition>")
        };
        let flow = |from: &str, to: &str| {
            let end =
                |name: &str| if ["fork", "join"].contains(&name) { name.to_owned() } else { format!("{name}{n}") };
            format!("<sequenceFlow id='{from}-{to}-{n}' sourceRef='{}' targetRef='{}'/>", end(from), end(to))
        };
        text.push_str(&match sort {
            0 => {
                let event = format!("<boundaryEvent id='late{n}' attachedToRef='t{n}'>{}</boundaryEvent>", timer(n));
                let task = format!("<task id='t{n}'/>{event}<exclusiveGateway id='m{n}'/>");
                task + &flow("fork", "t") + &flow("t", "m") + &flow("late", "m") + &flow("m", "join")
            }
            1 => {
                let event = format!("<intermediateCatchEvent id='w{n}'>{}</intermediateCatchEvent>", timer(n));
                format!("<task id='t{n}'/>{event}") + &flow("fork", "w") + &flow("w", "t") + &flow("t", "join")
            }
            _ => {
                let event = |name: &str, hours| {
                    format!("<intermediateCatchEvent id='{name}{n}'>{}</intermediateCatchEvent>", timer(hours))
                };
                let nodes = event("w", n) + &event("v", n) + &format!("<task id='t{n}'/><exclusiveGateway id='m{n}'/>");
                let race = format!("<eventBasedGateway id='g{n}'/>{nodes}");
                let flows = flow("fork", "t") + &flow("t", "g") + &flow("g", "w") + &flow("g", "v");
                race + &flows + &flow("w", "m") + &flow("v", "m") + &flow("m", "join")
            }
        });
    }
    diagram(&text)
}

#[test]
fn branches_with_timers_side_by_side() {
    let read = |text: &str| read_bpmn_in(text.as_bytes(), "d", "d.bpmn", Environment::default()).unwrap();
    for sort in 0..3 {
        let text = branches(2, sort);
        assert!(compare(&read(&text), "", &text).is_some(), "{text}");
    }
    // More than any search in steps of time has an end for.
    for sort in 0..3 {
        let process = read(&branches(5, sort));
        let answers = asked(&process).unwrap();
        assert!(answers.sound() && answers.safe && answers.never.is_empty() && answers.untold.is_none());
        let hours = |hours: u32| fraction(i64::from(hours) * 3600, 1);
        for (step, when) in process.net.transitions.iter().zip(&answers.when) {
            let (when, id) = (when.as_ref().unwrap(), step.id.as_str());
            let n = id.chars().find(char::is_ascii_digit).map(|digit| digit.to_digit(10).unwrap());
            let expected = match (sort, id.chars().next().unwrap(), n) {
                // At once: the start, and the fork. The join comes once all are there.
                (_, 's' | 'f', _) | (0, 't', Some(_)) if !id.ends_with(".end") => (0, Some(0)),
                (0, 'l', Some(n)) => (n, Some(n)),
                (0, 'm', Some(n)) if id.ends_with(".2") => (n, Some(n)),
                (0, 't' | 'm', Some(n)) => (0, Some(n)),
                (0, ..) => (0, Some(5)),
                (1, 'w', Some(n)) => (n, Some(n)),
                (1, 't', Some(n)) => (n, None),
                (2, 't', Some(_)) => (0, None),
                (2, 'w' | 'v' | 'm', Some(n)) => (n, None),
                _ => (5, None),
            };
            let expected = (hours(expected.0), expected.1.map(hours));
            assert_eq!((when.earliest.clone(), when.latest.clone()), expected, "{sort} {id}");
        }
    }
}

#[test]
fn the_program_tells_the_time() {
    let (out, err, status) = run(starset().args(["soundness", "models/order.bpmn", "--timers"]));
    assert_eq!((err.as_str(), status), ("", 0));
    for line in ["order with time: 38 of 44 markings", "  Complain               from 14 d on"] {
        assert!(out.contains(&format!("{line}\n")), "{out}");
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.bpmn");
    let ask = |nodes: &str, options: &[&str]| {
        std::fs::write(&path, diagram(nodes)).unwrap();
        run(starset().arg("soundness").arg(&path).arg("--timers").args(options))
    };
    let catch = |length: &str| {
        format!(
            "<startEvent id='s'/><endEvent id='e'/><sequenceFlow id='1' sourceRef='s' targetRef='w'/>\
             <intermediateCatchEvent id='w'><timerEventDefinition>{length}</timerEventDefinition></intermediateCatchEvent>\
             <sequenceFlow id='2' sourceRef='w' targetRef='e'/>"
        )
    };
    let (_, err, status) = ask(&catch("<timeDuration>P1M</timeDuration>"), &[]);
    assert!(status == 2 && err.contains("timer `w` has years or months"), "{err}");
    let (_, err, status) = ask(&catch("<timeDuration>${wait}</timeDuration>"), &[]);
    assert!(status == 0 && err.contains("timer `w` may go off at any time"), "{err}");
    let (out, err, status) = ask(&catch("<timeDuration>PT1H</timeDuration>"), &["--json"]);
    let object: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((err.as_str(), status, &object["times"][1]["earliest"]), ("", 0, &"3600".into()), "{out}");
    let (out, _, status) = ask(&catch("<timeDuration>P3000D</timeDuration>"), &[]);
    assert!(status == 0 && out.contains("  w                      at 3000 d\n"), "{out}");
    // Two timers race, and a join waits for both ways.
    let stuck = "<startEvent id='s'/><eventBasedGateway id='g'/><parallelGateway id='j'/><endEvent id='e'/>\
        <intermediateCatchEvent id='v'><timerEventDefinition><timeDuration>PT1H</timeDuration></timerEventDefinition></intermediateCatchEvent>\
        <intermediateCatchEvent id='w'><timerEventDefinition><timeDuration>PT2H</timeDuration></timerEventDefinition></intermediateCatchEvent>\
        <sequenceFlow id='1' sourceRef='s' targetRef='g'/><sequenceFlow id='2' sourceRef='g' targetRef='v'/>\
        <sequenceFlow id='3' sourceRef='g' targetRef='w'/><sequenceFlow id='4' sourceRef='v' targetRef='j'/>\
        <sequenceFlow id='5' sourceRef='w' targetRef='j'/><sequenceFlow id='6' sourceRef='j' targetRef='e'/>";
    let (out, _, status) = ask(stuck, &["--fail-if-false"]);
    assert!(status == 1 && out.contains("  option to complete     refuted: s · wait 1 h · v\n"), "{out}");
    let (out, _, status) = ask(&stuck.replace("PT1H", "P1000D").replace("PT2H", "PT1S"), &[]);
    assert!(status == 3 && out.contains("  times                  unknown: the horizon"), "{out}");
    // A task that runs twice at a time, with a timer that does not end it.
    let twice = "<startEvent id='s'/><parallelGateway id='g'/><task id='t'/><endEvent id='e'/><endEvent id='x'/>\
        <intermediateCatchEvent id='w'><timerEventDefinition><timeDuration>PT1H</timeDuration></timerEventDefinition></intermediateCatchEvent>\
        <boundaryEvent id='b' attachedToRef='t' cancelActivity='false'><timerEventDefinition><timeDuration>PT3H</timeDuration></timerEventDefinition></boundaryEvent>\
        <sequenceFlow id='1' sourceRef='s' targetRef='g'/><sequenceFlow id='2' sourceRef='g' targetRef='t'/>\
        <sequenceFlow id='3' sourceRef='g' targetRef='w'/><sequenceFlow id='4' sourceRef='w' targetRef='t'/>\
        <sequenceFlow id='5' sourceRef='t' targetRef='e'/><sequenceFlow id='6' sourceRef='b' targetRef='x'/>";
    let (out, err, status) = ask(twice, &[]);
    assert!(status == 2 && out.is_empty() && err.contains("timer `b` may wait twice at a time"), "{out}{err}");
    let once = twice.replace("sourceRef='g' targetRef='t'", "sourceRef='g' targetRef='e'");
    let (out, err, status) = ask(&once, &[]);
    assert!(status == 0 && out.contains("  b                      at 4 h\n"), "{out}{err}");
    let (_, err, status) = run(starset().args(["soundness", "models/claim.pnwc", "--timers"]));
    assert!(status == 2 && err.contains("--timers is about processes"), "{err}");
}
