//! Every examination, by every engine alone and by all of them, against the reachability graph.
#![allow(clippy::unwrap_used)]

use super::*;
use crate::decide::Ways;
use crate::formula::{FormulaId, Logic, PathSemantics};
use crate::kinds::Loaded;
use crate::model::{ActionId, VariableId};
use crate::net::PetriNet;
use crate::oracle::{Setting, check, check_ctl};
use crate::random::{FormulaShape, NetShape, Rng, formula, net};
use crate::reference::{Graph, explore as enumerate};
use crate::xml::Location;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Each engine alone (with what it cannot do without), and all together.
fn choices() -> Vec<Ways> {
    vec![
        Ways { structure: true, ..Ways::NONE },
        Ways { coverability: true, ..Ways::NONE },
        Ways { diagrams: true, ..Ways::NONE },
        Ways { structure: true, walks: true, ..Ways::NONE },
        Ways { search: true, ..Ways::NONE },
        Ways { reductions: true, search: true, ..Ways::NONE },
        Ways::default(),
    ]
}

/// A net and what is asked of it.
struct Fixture<'a> {
    net: &'a PetriNet,
    groups: Groups,
    pool: Pool,
    properties: Vec<Property>,
}

/// The answer; nothing is faulty here.
fn answer(event: Event) -> Answer {
    match event {
        Event::Answer(answer) => answer,
        Event::Fault(id, fault) => panic!("{id}: {fault}"),
    }
}

impl<'a> Fixture<'a> {
    fn new(net: &'a PetriNet) -> Self {
        Fixture { net, groups: Groups::single(net), pool: Pool::new(), properties: Vec::new() }
    }

    fn answers(&self, examination: Examination, ways: Ways) -> BTreeMap<String, Value> {
        let settings = Settings { ways, threads: 2, ..Settings::default() };
        // Walks alone have no end but the budget's; the others are done long before.
        let budget = Budget::unlimited().with_time(Duration::from_secs(60)).with_memory(1 << 32);
        let found = Mutex::new(BTreeMap::new());
        let mut pool = self.pool.clone();
        let keep = |event: Event| {
            let answer = answer(event);
            let mut found = found.lock().unwrap();
            assert_eq!(found.insert(answer.id.clone(), answer.value), None, "a second answer to {}", answer.id);
        };
        run((self.net, &self.groups), examination, &self.properties, &mut pool, &settings, &budget, &keep);
        found.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Every answer is the expected one or unknown; with diagrams, none is unknown.
    fn compare(&self, examination: Examination, expected: &[(String, Value)]) {
        for ways in choices() {
            let found = self.answers(examination, ways);
            assert_eq!(found.len(), expected.len(), "{examination}");
            for (id, value) in expected {
                match &found[id] {
                    Value::Unknown(reason) => assert!(!ways.diagrams, "{examination} {id}: {reason}"),
                    answer => assert_eq!(answer, value, "{examination} {id} by {ways:?} of\n{:?}", self.net),
                }
            }
        }
    }
}

/// Nodes put together at random, as those of a coloured net.
fn grouped(net: &PetriNet, rng: &mut Rng) -> Groups {
    let mut groups = Groups { variables: vec![Vec::new(); 2], actions: vec![Vec::new(); 2] };
    net.place_ids().for_each(|place| groups.variables[rng.below(2)].push(place));
    net.transition_ids().for_each(|transition| groups.actions[rng.below(2)].push(transition));
    groups.variables.retain(|set| !set.is_empty());
    groups.actions.retain(|set| !set.is_empty());
    groups
}

/// From which markings each of them is reachable: by repeated steps back.
fn can_reach(graph: &Graph, target: &dyn Fn(usize) -> bool) -> Vec<bool> {
    let mut can: Vec<bool> = (0..graph.states()).map(target).collect();
    loop {
        let before = can.clone();
        for (can, edges) in can.iter_mut().zip(&graph.edges) {
            *can |= edges.iter().any(|&(_, next)| before[next]);
        }
        if can == before {
            return can;
        }
    }
}

fn global(groups: &Groups, graph: &Graph, examination: Examination) -> bool {
    let sums = |places: &[VariableId]| -> Vec<u64> {
        graph.markings.iter().map(|m| places.iter().map(|&p| m.tokens(p)).sum()).collect()
    };
    let fires = |m: usize, transitions: &[ActionId]| graph.edges[m].iter().any(|(t, _)| transitions.contains(t));
    match examination {
        Examination::OneSafe => groups.variables.iter().all(|places| sums(places).iter().all(|&sum| sum <= 1)),
        Examination::StableMarking => groups.variables.iter().any(|places| {
            let sums = sums(places);
            sums.iter().all(|&sum| sum == sums[0])
        }),
        Examination::QuasiLiveness => groups.actions.iter().all(|set| (0..graph.states()).any(|m| fires(m, set))),
        Examination::Liveness => {
            groups.actions.iter().all(|set| !can_reach(graph, &|m| fires(m, set)).contains(&false))
        }
        Examination::ReachabilityDeadlock => !graph.deadlocks().is_empty(),
        _ => unreachable!("not a global property"),
    }
}

const GLOBAL: [Examination; 5] = [
    Examination::OneSafe,
    Examination::StableMarking,
    Examination::QuasiLiveness,
    Examination::Liveness,
    Examination::ReachabilityDeadlock,
];

#[test]
fn global_properties_and_figures_are_those_of_the_graph() {
    let shape = NetShape { max_states: 300, ..NetShape::default() };
    let mut outcomes = BTreeMap::new();
    for seed in 0..25 {
        let mut rng = Rng::new(seed);
        let net = net(&mut rng, &shape);
        let graph = enumerate(&net, shape.max_states).unwrap();
        for groups in [Groups::single(&net), grouped(&net, &mut rng)] {
            let case = Fixture { groups, ..Fixture::new(&net) };
            for examination in GLOBAL {
                let holds = global(&case.groups, &graph, examination);
                *outcomes.entry((examination, holds)).or_insert(0) += 1;
                case.compare(examination, &[(examination.name().to_owned(), Value::Verdict(holds))]);
            }
        }
        let statistics = [
            ("STATES", graph.states()),
            ("TRANSITIONS", graph.transitions()),
            ("MAX_TOKEN_IN_PLACE", graph.max_tokens_in_place() as usize),
            ("MAX_TOKEN_PER_MARKING", graph.max_tokens_per_marking() as usize),
        ];
        let expected = statistics.map(|(id, statistic)| (id.to_owned(), Value::Number(statistic.into())));
        Fixture::new(&net).compare(Examination::StateSpace, &expected);
    }
    // The test is worth something only if both verdicts occur.
    assert!(GLOBAL.iter().all(|&e| outcomes.contains_key(&(e, true)) && outcomes.contains_key(&(e, false))));
}

/// Asked conjunct by conjunct of nets that are reduced for each, and by walks and programs. `NETS=n` draws so many
/// nets.
#[test]
fn conjunctions_are_decided_by_their_conjuncts() {
    let shape = NetShape { max_states: 300, ..NetShape::default() };
    let decided = Mutex::new(BTreeMap::new());
    let nets = std::env::var("NETS").ok().and_then(|nets| nets.parse().ok()).unwrap_or(60);
    for seed in 300..300 + nets {
        let mut rng = Rng::new(seed);
        let net = net(&mut rng, &shape);
        let graph = enumerate(&net, shape.max_states).unwrap();
        for groups in [Groups::single(&net), grouped(&net, &mut rng)] {
            let reduced = Ways { reductions: true, search: true, ..Ways::NONE };
            let walked = Ways { structure: true, walks: true, ..Ways::NONE };
            for (ways, examination) in [
                (reduced, Examination::StableMarking),
                (reduced, Examination::QuasiLiveness),
                (reduced, Examination::Liveness),
                (walked, Examination::StableMarking),
                (walked, Examination::QuasiLiveness),
                (Ways::default(), Examination::Liveness),
            ] {
                let settings = Settings { ways, threads: 1, ..Settings::default() };
                let budget = Budget::unlimited().with_time(Duration::from_secs(60));
                let holds = global(&groups, &graph, examination);
                let keep = |event: Event| match answer(event) {
                    Answer { value: Value::Unknown(_), .. } => {}
                    Answer { value, technique, .. } => {
                        assert_eq!(value, Value::Verdict(holds), "seed {seed}, {examination} by {ways:?} of\n{net:?}");
                        let key = (examination, technique.name());
                        *decided.lock().unwrap_or_else(PoisonError::into_inner).entry(key).or_insert(0) += 1;
                    }
                };
                run((&net, &groups), examination, &[], &mut Pool::new(), &settings, &budget, &keep);
            }
        }
    }
    let decided = decided.into_inner().unwrap();
    for examination in [Examination::StableMarking, Examination::QuasiLiveness, Examination::Liveness] {
        let number = decided.get(&(examination, Technique::Reduction.name())).copied().unwrap_or(0);
        assert!(number >= 10, "{decided:?}");
    }
    assert!(decided.contains_key(&(Examination::StableMarking, Technique::StateEquation.name())), "{decided:?}");
}

/// The properties of each transition and place, of the graph: by every engine alone and by all of them.
#[test]
fn properties_of_each_are_those_of_the_graph() {
    let shape = NetShape { max_states: 200, ..NetShape::default() };
    let mut outcomes = BTreeMap::new();
    for seed in 700..715 {
        let mut rng = Rng::new(seed);
        let net = net(&mut rng, &shape);
        let graph = enumerate(&net, shape.max_states).unwrap();
        for groups in [Groups::single(&net), grouped(&net, &mut rng)] {
            let names = |length: usize| (0..length).map(|number| number.to_string()).collect();
            let names = Some([names(groups.variables.len()), names(groups.actions.len())]);
            let loaded = Loaded { groups, names, ..Loaded::new(net.clone()) };
            let mut pool = Pool::new();
            let asked = each_of(&loaded, &Each::ALL, &mut pool, |of| of.each == Each::Live && of.name == "1");
            assert!(asked.iter().all(|(of, _)| of.each != Each::Live || of.name != "1"));
            let (of, questions): (Vec<OfOne>, Vec<Question>) = asked.into_iter().unzip();
            let requests: Vec<Request> = questions.into_iter().map(Request::from).collect();
            for ways in choices() {
                let settings = Settings { ways, threads: 2, ..Settings::default() };
                let budget = Budget::unlimited().with_time(Duration::from_secs(60)).with_memory(1 << 32);
                let subject = Subject { model: &net, groups: &loaded.groups, pool: &pool };
                let kept = Mutex::new(Vec::new());
                let ids: Vec<String> = (0..of.len()).map(|number| number.to_string()).collect();
                let hear = |event: Event| kept.lock().unwrap().push(answer(event));
                ask(subject, (&ids, &requests), &settings, &budget, &hear);
                let kept = kept.into_inner().unwrap();
                assert_eq!(kept.len(), of.len());
                for answer in kept {
                    let of = &of[answer.id.parse::<usize>().unwrap()];
                    let expected = of_one(&loaded.groups, &graph, of);
                    match of.each.value(answer.value) {
                        Value::Unknown(reason) => assert!(!ways.diagrams, "{of:?}: {reason}"),
                        found => assert_eq!(found, expected, "seed {seed}: {of:?} by {ways:?} of\n{net:?}"),
                    }
                    if let Value::Verdict(holds) = expected {
                        *outcomes.entry((of.each.name(), holds)).or_insert(0) += 1;
                    }
                }
            }
        }
    }
    assert_eq!(outcomes.len(), 6, "{outcomes:?}");
}

/// A property of one group, from the graph.
fn of_one(groups: &Groups, graph: &Graph, of: &OfOne) -> Value {
    let group: usize = of.name.parse().unwrap();
    let sums = || graph.markings.iter().map(|m| groups.variables[group].iter().map(|&p| m.tokens(p)).sum::<u64>());
    let fires = |m: usize| graph.edges[m].iter().any(|(t, _)| groups.actions[group].contains(t));
    match of.each {
        Each::Fireable => Value::Verdict((0..graph.states()).any(fires)),
        Each::Live => Value::Verdict(!can_reach(graph, &fires).contains(&false)),
        Each::Stable => Value::Verdict(sums().all(|sum| Some(sum) == sums().next())),
        Each::Bound => Value::Number(sums().max().unwrap().into()),
    }
}

fn property(id: usize, query: PropertyQuestion) -> Property {
    Property {
        id: format!("{id:02}"),
        description: String::new(),
        query,
        location: Location { line: 1, column: 1 },
        remarks: Vec::new(),
        written: None,
        assumptions: Vec::new(),
    }
}

#[test]
fn bounds_are_those_of_the_graph() {
    let shape = NetShape { max_states: 300, ..NetShape::default() };
    for seed in 100..120 {
        let mut rng = Rng::new(seed);
        let net = net(&mut rng, &shape);
        let graph = enumerate(&net, shape.max_states).unwrap();
        let mut case = Fixture::new(&net);
        let mut expected = Vec::new();
        for id in 0..6 {
            let places: Vec<VariableId> = net.place_ids().filter(|_| rng.below(3) == 0).collect();
            let sum = |m: &crate::net::Marking| places.iter().map(|&p| m.tokens(p)).sum::<u64>();
            let bound = graph.markings.iter().map(sum).max().unwrap();
            expected.push((format!("{id:02}"), Value::Number(bound.into())));
            case.properties.push(property(id, PropertyQuestion::Bound(places)));
        }
        case.compare(Examination::UpperBounds, &expected);
    }
}

/// The verdict of the brute-force checker; `None` if an atom has no value somewhere.
fn verdict(graph: &Graph, pool: &Pool, formula: FormulaId, examination: Examination) -> Option<bool> {
    // The reading of the contest, whatever the form of the formula.
    let linear = examination == Examination::LTLCardinality;
    let setting = Setting::new(graph, pool, if linear { PathSemantics::Stutter } else { PathSemantics::Maximal });
    let sets = if linear { check(setting, formula) } else { check_ctl(setting, formula) };
    Some(sets.ok()?[&formula][0])
}

#[test]
fn formulas_have_the_verdict_of_the_oracle() {
    let shape = NetShape { max_states: 120, ..NetShape::default() };
    let kinds = [
        (Logic::Reachability, Examination::ReachabilityCardinality),
        (Logic::Ctl, Examination::CTLFireability),
        (Logic::Ltl, Examination::LTLCardinality),
    ];
    for seed in 200..215 {
        for (logic, examination) in kinds {
            let mut rng = Rng::new(seed);
            let net = net(&mut rng, &shape);
            let graph = enumerate(&net, shape.max_states).unwrap();
            let mut case = Fixture::new(&net);
            let mut expected = Vec::new();
            for id in 0..5 {
                let drawn = formula(&mut rng, &net, &FormulaShape { logic, size: 6 }, &mut case.pool);
                // As in the contest, a path formula is quantified.
                let closed = case.pool.close(drawn);
                // None where it divides by zero in some marking.
                if let Some(holds) = verdict(&graph, &case.pool, closed, examination) {
                    expected.push((format!("{id:02}"), Value::Verdict(holds)));
                    case.properties.push(property(id, PropertyQuestion::Formula(closed)));
                }
            }
            case.compare(examination, &expected);
        }
    }
}

#[test]
fn an_unbounded_net_gets_answers_that_can_be_proved() {
    let mut b = crate::net::NetBuilder::new("source");
    let (on, out) = (b.place("on", 1).unwrap(), b.place("out", 0).unwrap());
    let emit = b.transition("emit").unwrap();
    b.read_arc(on, emit, 1).unwrap();
    b.output(emit, out, 1).unwrap();
    let net = b.build().unwrap();
    let mut case = Fixture::new(&net);
    let statistics = case.answers(Examination::StateSpace, Ways::default());
    assert_eq!(statistics.len(), 4);
    assert!(statistics.values().all(|value| *value == Value::Infinite));
    for (examination, verdict) in
        [(Examination::OneSafe, false), (Examination::StableMarking, true), (Examination::QuasiLiveness, true)]
    {
        let found = case.answers(examination, Ways::default());
        assert_eq!(found[examination.name()], Value::Verdict(verdict));
    }
    case.properties =
        vec![property(0, PropertyQuestion::Bound(vec![on])), property(1, PropertyQuestion::Bound(vec![on, out]))];
    let found = case.answers(Examination::UpperBounds, Ways::default());
    assert_eq!(found["00"], Value::Number(1u32.into()));
    assert_eq!(found["01"], Value::Infinite);
}

#[test]
fn a_cancelled_run_answers_every_question_with_unknown() {
    let net = net(&mut Rng::new(1), &NetShape::default());
    let cancelled = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(true));
    let budget = Budget::unlimited().with_flag(cancelled);
    for (examination, count) in [(Examination::StateSpace, 4), (Examination::Liveness, 1)] {
        let found = Mutex::new(Vec::new());
        let keep = |event: Event| found.lock().unwrap().push(answer(event).value);
        let groups = Groups::single(&net);
        run((&net, &groups), examination, &[], &mut Pool::new(), &Settings::default(), &budget, &keep);
        let found = found.into_inner().unwrap();
        assert_eq!(found.len(), count);
        let interrupted = |value: &Value| matches!(value, Value::Unknown(stop) if stop.reason() == "interrupted");
        assert!(found.iter().all(interrupted), "{found:?}");
    }
}

/// The explicit engine alone decides LTL, with a deadlock that repeats.
#[test]
fn search_decides_ltl() {
    let mut b = crate::net::NetBuilder::new("one shot");
    let (before, after) = (b.place("before", 1).unwrap(), b.place("after", 0).unwrap());
    let shoot = b.transition("shoot").unwrap();
    b.input(before, shoot, 1).unwrap();
    b.output(shoot, after, 1).unwrap();
    let net = b.build().unwrap();
    let mut case = Fixture::new(&net);
    let formulas = [("F G #after = 1", true), ("X X X #after = 1", true), ("G F #before = 1", false)];
    for (number, (text, _)) in formulas.iter().enumerate() {
        let formula = crate::formula::parse(text, &Symbols::new(&net), &mut case.pool).unwrap();
        case.properties.push(property(number, PropertyQuestion::Formula(formula)));
    }
    let found = case.answers(Examination::LTLCardinality, Ways::EXPLICIT);
    for (number, (text, holds)) in formulas.iter().enumerate() {
        assert_eq!(found[&format!("{number:02}")], Value::Verdict(*holds), "{text}");
    }
}
