//! Random coloured nets: what is read and unfolded behaves as the net interpreted colour by colour.

use super::model::{Edges, Marking, Model};
use crate::reference;
use starset::budget::Budget;
use starset::decide::{Settings, Value};
use starset::examination::{Answer, Event, Examination, run};
use starset::formula::{Pool, Property, PropertyQuestion};
use starset::kinds::Kind;
use starset::kinds::net::coloured::{Limits, Unfolding, unfold};
use starset::kinds::net::pnml::{Net, read_net};
use starset::random::Rng;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

const STATES: usize = 400;

fn unfolded(text: &str) -> Unfolding {
    match read_net(text.as_bytes(), "random").unwrap_or_else(|e| panic!("{e}\n{text}")) {
        Net::Coloured(net) => unfold(&net, &Limits::default(), &Budget::unlimited()).unwrap(),
        Net::Flat(_) => panic!("not read as a coloured net"),
    }
}

fn named(model: &Model, marking: &Marking) -> BTreeMap<String, u64> {
    let places = marking.iter().enumerate();
    places.flat_map(|(p, tokens)| tokens.iter().map(move |(c, n)| (model.instance(p, c), *n))).collect()
}

/// The models of these seeds that have few markings, with these and the edges between them.
fn small(seeds: std::ops::Range<u64>) -> impl Iterator<Item = (u64, Model, Vec<Marking>, Edges)> {
    seeds.filter_map(|seed| {
        let model = Model::random(&mut Rng::new(seed));
        let (markings, edges) = model.explore(STATES)?;
        Some((seed, model, markings, edges))
    })
}

/// The same markings, by name, and as many enabled bindings of each transition.
#[test]
fn the_same_markings_and_firings() {
    let (mut compared, mut firing) = (0, 0);
    for (seed, model, markings, edges) in small(0..3000) {
        let unfolding = unfolded(&model.pnml());
        let graph = reference::explore(&unfolding.net, STATES).unwrap_or_else(|| panic!("seed {seed}: more markings"));
        let origin: BTreeMap<_, _> = (unfolding.transitions.iter().enumerate())
            .flat_map(|(number, family)| family.members.iter().map(move |&t| (t, number)))
            .collect();
        let mut expected = BTreeSet::new();
        for (marking, edges) in markings.iter().zip(&edges) {
            let mut fired: Vec<_> = edges.iter().map(|&(t, to)| (t, named(&model, &markings[to]))).collect();
            fired.sort();
            firing += fired.len();
            expected.insert((named(&model, marking), fired));
        }
        let name = |marking: &starset::net::Marking| -> BTreeMap<String, u64> {
            let places = unfolding.net.place_ids().zip(unfolding.net.places());
            places.map(|(p, place)| (place.id.clone(), marking.tokens(p))).filter(|&(_, n)| n > 0).collect()
        };
        let mut found = BTreeSet::new();
        for (marking, edges) in graph.markings.iter().zip(&graph.edges) {
            let mut fired: Vec<_> = edges.iter().map(|&(t, to)| (origin[&t], name(&graph.markings[to]))).collect();
            fired.sort();
            found.insert((name(marking), fired));
        }
        assert_eq!(found, expected, "seed {seed}\n{}", model.pnml());
        compared += 1;
    }
    assert!(compared > 1000 && firing > 4_000, "{compared} nets, {firing} firings");
}

/// The examinations speak of coloured places and transitions.
#[test]
fn examinations_have_their_coloured_meaning() {
    let (mut compared, mut apart) = (0, 0);
    for (seed, model, markings, edges) in small(10_000..10_400).filter(|(_, _, markings, _)| markings.len() <= 60) {
        let unfolding = unfolded(&model.pnml());
        let sum = |marking: &Marking, place: usize| marking[place].values().sum::<u64>();
        let places = 0..model.places.len();
        let most: Vec<u64> = places.clone().map(|p| markings.iter().map(|m| sum(m, p)).max().unwrap()).collect();
        let least: Vec<u64> = places.clone().map(|p| markings.iter().map(|m| sum(m, p)).min().unwrap()).collect();
        let reach = |from: usize| -> BTreeSet<usize> {
            let (mut seen, mut open) = (BTreeSet::from([from]), vec![from]);
            while let Some(m) = open.pop() {
                open.extend(edges[m].iter().map(|&(_, to)| to).filter(|&to| seen.insert(to)));
            }
            seen
        };
        let reached: Vec<BTreeSet<usize>> = (0..markings.len()).map(reach).collect();
        let fires = |from: usize, t: usize| reached[from].iter().any(|&m| edges[m].iter().any(|&(u, _)| u == t));
        let transitions = || 0..model.transitions.len();
        let expected = [
            (Examination::OneSafe, most.iter().all(|&n| n <= 1)),
            (Examination::StableMarking, most.iter().zip(&least).any(|(most, least)| most == least)),
            (Examination::QuasiLiveness, transitions().all(|t| fires(0, t))),
            (Examination::Liveness, transitions().all(|t| (0..markings.len()).all(|m| fires(m, t)))),
            (Examination::ReachabilityDeadlock, edges.iter().any(Vec::is_empty)),
        ];
        apart += usize::from(expected[0].1 != markings.iter().flatten().flat_map(|p| p.values()).all(|&n| n <= 1));
        for (examination, truth) in expected {
            let answers = examine(&unfolding, examination, &[]);
            assert_eq!(answers[0].value, Value::Verdict(truth), "seed {seed}: {examination:?}\n{}", model.pnml());
        }
        let symbols = unfolding.symbols();
        let mut bounds = Vec::new();
        for place in places {
            let members = symbols.place(&format!("p{place}")).unwrap().to_vec();
            let location = starset::xml::Location::START;
            let (id, description) = (format!("p{place}"), String::new());
            bounds.push(Property {
                id,
                description,
                query: PropertyQuestion::Bound(members),
                location,
                remarks: Vec::new(),
                written: None,
                assumptions: Vec::new(),
            });
        }
        for answer in examine(&unfolding, Examination::UpperBounds, &bounds) {
            let place: usize = answer.id[1..].parse().unwrap();
            assert_eq!(answer.value, Value::Number(most[place].into()), "seed {seed}: {}", answer.id);
        }
        let states = examine(&unfolding, Examination::StateSpace, &[]);
        let firings: usize = edges.iter().map(Vec::len).sum();
        let in_place = markings.iter().flatten().flat_map(|p| p.values()).max().copied().unwrap_or(0);
        let in_all = markings.iter().map(|m| m.iter().flat_map(|p| p.values()).sum::<u64>()).max().unwrap();
        for answer in states {
            let number: u64 = match answer.id.as_str() {
                "STATES" => markings.len() as u64,
                "TRANSITIONS" => firings as u64,
                "MAX_TOKEN_IN_PLACE" => in_place,
                _ => in_all,
            };
            assert_eq!(answer.value, Value::Number(number.into()), "seed {seed}: {}\n{}", answer.id, model.pnml());
        }
        compared += 1;
    }
    assert!(compared > 100 && apart > 10, "{compared} nets, {apart} whose unfolding is safe and they are not");
}

fn examine(unfolding: &Unfolding, examination: Examination, properties: &[Property]) -> Vec<Answer> {
    let answers = Mutex::default();
    let keep = |event| match event {
        Event::Answer(answer) => Vec::push(&mut answers.lock().unwrap(), answer),
        Event::Fault(id, fault) => panic!("{id}: {fault}"),
    };
    let model = (&unfolding.net as &dyn Kind, &unfolding.groups());
    let settings = Settings::default();
    run(model, examination, properties, &mut Pool::new(), &settings, &Budget::unlimited(), &keep);
    answers.into_inner().unwrap()
}
