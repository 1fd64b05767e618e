//! `COMPUTE MIN` and `MAX` against breadth-first search and longest paths on explicit graphs, with and without assumptions.
//!
//! The number of trials is `STARSET_CASES`, 300 if that is not set.

use crate::oracle::{Setting, check};
use crate::oracle_fairness::{assumptions, graph_of};
use crate::reference::Graph;
use starset::budget::Budget;
use starset::decide::{Explained, Question, Recorder, Request, Settings, Subject, Value, Ways, decide};
use starset::formula::{Extreme, Formula, FormulaId, Logic, PathSemantics, Pool, Symbols};
use starset::model::Groups;
use starset::random::{FormulaShape, NetShape, Rng, formula, net};
use starset::witness::{End, Position, Witness};

/// The least number of steps from a state of `from` to one of `to`; `None` if there is no way.
fn shortest(graph: &Graph, from: &[bool], to: &[bool]) -> Option<u64> {
    let mut here: Vec<usize> = (0..from.len()).filter(|&state| from[state]).collect();
    let mut seen = from.to_vec();
    for steps in 0.. {
        if here.is_empty() {
            return None;
        }
        if here.iter().any(|&state| to[state]) {
            return Some(steps);
        }
        let next = here.iter().flat_map(|&state| graph.edges[state].iter().map(|edge| edge.1));
        here = next.filter(|&state| !std::mem::replace(&mut seen[state], true)).collect();
    }
    None
}

/// The greatest number of steps through these states from one of them; `None` if there is no greatest. `ends`: a state without
/// steps is one from which they never leave.
fn longest_from(graph: &Graph, state: usize, within: &[bool], ends: bool, path: &mut Vec<usize>) -> Option<u64> {
    if !within[state] {
        return Some(0);
    }
    if path.contains(&state) || ends && graph.edges[state].is_empty() {
        return None;
    }
    path.push(state);
    let mut most = 0;
    // The way out of these states is a step, too: it leads to a state of the other sort, or to one that does not count.
    let mut further = false;
    for &(_, next) in &graph.edges[state] {
        if within[next] {
            further = true;
            most = most.max(longest_from(graph, next, within, ends, path)?);
        }
    }
    path.pop();
    Some(if further { most + 1 } else { 1 })
}

fn expected(
    (graph, setting): (&Graph, Setting<'_>),
    (from, to, any): (FormulaId, FormulaId, FormulaId),
    (longest, paths): (bool, PathSemantics),
) -> Option<Value> {
    let set = |formula: FormulaId| Some(check(setting, formula).ok()?[&formula].clone());
    let (from, to, counted) = (set(from)?, set(to)?, set(any)?);
    let both = |set: &[bool]| set.iter().zip(&counted).map(|(&one, &other)| one && other).collect::<Vec<bool>>();
    let (begin, end) = (both(&from), both(&to));
    if !longest {
        // A way to a state that counts passes others that do, as each of them leads to it.
        return Some(shortest(graph, &begin, &end).map_or(Value::Infinite, |steps| Value::Number(steps.into())));
    }
    let none_counts = !counted.contains(&true);
    let is_empty = |all: &[bool], some: &[bool]| !if none_counts { all } else { some }.contains(&true);
    if is_empty(&from, &begin) || is_empty(&to, &end) {
        return Some(Value::Undefined);
    }
    let within: Vec<bool> = counted.iter().zip(&to).map(|(&counted, &to)| counted && !to).collect();
    let ends = paths != PathSemantics::Infinite;
    let mut most = 0;
    for state in (0..begin.len()).filter(|&state| begin[state]) {
        match longest_from(graph, state, &within, ends, &mut Vec::new()) {
            Some(steps) => most = most.max(steps),
            None => return Some(Value::Infinite),
        }
    }
    Some(Value::Number(most.into()))
}

/// The states of the formulas of a question, by definition.
struct Sets<'a> {
    from: (Setting<'a>, FormulaId),
    to: (Setting<'a>, FormulaId),
    counted: (Setting<'a>, FormulaId),
}

impl Sets<'_> {
    /// The last steps of the first run of a witness are a way of this length.
    fn confirm(&self, graph: &Graph, witness: &Witness, (longest, value): (bool, &Value), what: &str) {
        let set = |(setting, formula): (Setting<'_>, FormulaId)| check(setting, formula).unwrap()[&formula].clone();
        let (from, to, counted) = (set(self.from), set(self.to), set(self.counted));
        let run = &witness.runs[0];
        let number = |position: &Position| {
            let tokens: Vec<u64> = position.marking.as_slice().to_vec();
            graph.markings.iter().position(|marking| marking.as_slice() == tokens).unwrap()
        };
        let states: Vec<usize> = run.positions.iter().map(number).collect();
        let on_the_way = |&state: &usize| counted[state] && !to[state];
        match value {
            Value::Number(steps) => {
                let steps = usize::try_from(steps).unwrap();
                let way = &states[states.len() - 1 - steps..];
                assert!(from[way[0]] && counted[way[0]], "{what}");
                match longest {
                    true => assert!(way[..steps].iter().all(on_the_way), "{what}"),
                    false => assert!(to[way[steps]], "{what}"),
                }
            }
            _ => {
                // The end of the run is on the way, all of its loop, and the beginning of the way.
                let begins = states.len() - states.iter().rev().take_while(|&state| on_the_way(state)).count();
                assert!(states[begins..].iter().any(|&state| from[state]), "{what}");
                match run.end {
                    End::Loop(start) => assert!(start >= begins, "{what}"),
                    end => assert_eq!(end, End::Deadlock, "{what}"),
                }
            }
        }
    }
}

#[test]
fn shortest_and_longest_ways() {
    let cases = std::env::var("STARSET_CASES").ok().map_or(300, |cases| cases.parse().unwrap());
    let shape =
        NetShape { places: 5, transitions: 6, tokens: 3, weight: 1, inhibitors: false, reads: true, max_states: 30 };
    let (mut seen, mut shown) = (std::collections::BTreeMap::new(), [[0; 2]; 2]);
    for seed in 0..cases {
        let mut rng = Rng::new(seed);
        let net = net(&mut rng, &shape);
        let Some(graph) = graph_of(&net).filter(|graph| graph.markings.len() <= 30) else { continue };
        let (symbols, mut pool) = (Symbols::new(&net), Pool::new());
        let shape = FormulaShape { logic: Logic::Boolean, size: rng.below(2) };
        let (from, to) = (formula(&mut rng, &net, &shape, &mut pool), formula(&mut rng, &net, &shape, &mut pool));
        let paths = PathSemantics::ALL[rng.below(3)];
        let (fair, by_definition) = match rng.one_in(2) {
            true => assumptions(&mut rng, (&net, &net), &symbols, &mut pool),
            false => (Vec::new(), Vec::new()),
        };
        let any = pool.add(Formula::True);
        let any = pool.add(Formula::Exists(any));
        for longest in [false, true] {
            let journey = pool.journey(Extreme { from, to, longest }, &fair);
            let setting = Setting::new(&graph, &pool, paths).under(&by_definition);
            let Some(expected) = expected((&graph, setting), (from, to, any), (longest, paths)) else { continue };
            let asked = [Request { witness: true, ..Question::Distance { journey, paths }.into() }];
            let groups = Groups::single(&net);
            let subject = Subject { model: &net, groups: &groups, pool: &pool };
            let what = format!("seed {seed}, {paths}, longest {longest}: {}", pool.display(from, &symbols));
            let kind = match &expected {
                Value::Infinite => "infinite",
                Value::Undefined => "undefined",
                Value::Number(steps) if *steps == 0u32.into() => "none",
                _ => "steps",
            };
            *seen.entry((longest, kind)).or_insert(0) += 1;
            for ways in [Ways::SYMBOLIC, Ways::EXPLICIT] {
                let (settings, kept) = (Settings { ways, ..Settings::default() }, Recorder::new(1));
                decide(subject, &asked, &settings, &Budget::unlimited().with_memory(16 << 20), &kept);
                let heard = kept.into_recorded().pop().unwrap();
                let what = format!("{what} to {}, {ways:?}", pool.display(to, &symbols));
                assert_eq!(heard.answer.map(|answer| answer.value).as_ref(), Some(&expected), "{what}");
                let sets = Sets { from: (setting, from), to: (setting, to), counted: (setting, any) };
                match heard.explained {
                    Some(Explained::Witness(witness)) => {
                        sets.confirm(&graph, &witness, (longest, &expected), &what);
                        shown[usize::from(longest)][usize::from(ways == Ways::EXPLICIT)] += 1;
                    }
                    Some(Explained::Missing(_)) => {
                        let nothing = match expected {
                            Value::Infinite => !longest,
                            Value::Number(ref steps) => longest && *steps == 0u32.into(),
                            Value::Undefined => true,
                            _ => false,
                        };
                        // The graph of states has no runs for all formulas.
                        let search = ways == Ways::EXPLICIT;
                        let expected = nothing || search || paths == PathSemantics::Infinite;
                        assert!(expected, "{what}: {:?}", heard.explained);
                    }
                    other => panic!("{what}: {other:?}"),
                }
            }
        }
    }
    assert!(seen.len() == 7 && seen.values().all(|&count| count > 2), "{seen:?}");
    assert!(shown.iter().flatten().all(|&count| count > 10), "{shown:?}");
}
