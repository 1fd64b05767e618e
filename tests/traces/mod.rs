//! Event logs on models and by rules: random nets and traces against a search of all runs, the counts of Declare, the
//! readers of logs, and the program.

mod behaviour;
mod logs;
mod program;
mod rules;

use starset::budget::Budget;
use starset::formula::Naming;
use starset::kinds::bpmn::{Environment, ReadProcess, read_bpmn};
use starset::net::{Annotations, Marking, NetBuilder, PetriNet, PlaceId, TransitionId};
use starset::rng::Rng;
use starset::traces::{Labelled, Outcome, Replay};
use std::collections::HashSet;

/// The names of activities.
const NAMES: [&str; 3] = ["a", "b", "c"];

/// A net of few places, with silent transitions, several of one name, and perhaps final markings.
fn random_net(rng: &mut Rng) -> PetriNet {
    let mut builder = NetBuilder::new("n");
    let places: Vec<PlaceId> =
        (0..2 + rng.below(4)).map(|n| builder.place(format!("p{n}"), u64::from(n == 0)).unwrap()).collect();
    let mut silent = Vec::new();
    for number in 0..3 + rng.below(5) {
        let transition = builder.transition(format!("t{number}")).unwrap();
        match rng.below(4) {
            0 => silent.push(transition),
            1 if rng.below(2) == 0 => builder.name_transition(transition, "tau"),
            _ => builder.name_transition(transition, NAMES[rng.below(3)]),
        }
        let (input, output) = (*rng.pick(&places).unwrap(), *rng.pick(&places).unwrap());
        builder.input(input, transition, 1 + u64::from(rng.below(6) == 0)).unwrap();
        builder.output(transition, output, 1).unwrap();
        if rng.below(4) == 0 {
            let other = *rng.pick(&places).unwrap();
            if other != output {
                builder.output(transition, other, 1).unwrap();
            }
        }
        if rng.below(6) == 0 {
            let other = *rng.pick(&places).unwrap();
            if other != input {
                builder.inhibitor(other, transition, 1 + u64::from(rng.below(2) == 0)).unwrap();
            }
        }
    }
    let mut finals = Vec::new();
    for _ in 0..rng.below(3) {
        finals.push(vec![(*rng.pick(&places).unwrap(), 1 + rng.below(2) as u64)]);
    }
    builder.build().unwrap().with_annotations(Annotations { title: None, silent, finals })
}

/// What a search of all runs says: of each prefix of the trace, whether a run shows it, and whether one is over there.
/// `None` if there are too many markings.
fn searched<M: Clone + Eq + std::hash::Hash>(
    trace: &[&str],
    initial: M,
    next: impl Fn(&M, Option<&str>) -> Vec<M>,
    is_final: impl Fn(&M) -> bool,
) -> Option<Vec<(bool, bool)>> {
    let mut seen: HashSet<(M, usize)> = HashSet::from([(initial.clone(), 0)]);
    let mut open = vec![(initial, 0)];
    let mut found = vec![(false, false); trace.len() + 1];
    while let Some((marking, at)) = open.pop() {
        found[at].0 = true;
        found[at].1 |= is_final(&marking);
        let silent = next(&marking, None).into_iter().map(|next| (next, at));
        let seen_ones = trace.get(at).into_iter().flat_map(|word| next(&marking, Some(word)));
        let all: Vec<_> = silent.chain(seen_ones.map(|next| (next, at + 1))).collect();
        open.extend(all.into_iter().filter(|next| seen.insert(next.clone())));
        if seen.len() > 1_000 {
            return None;
        }
    }
    Some(found)
}

/// Whether what is said of a trace is what the search found.
fn agrees(outcome: &Outcome, found: &[(bool, bool)]) -> bool {
    let last = found.len() - 1;
    match outcome {
        Outcome::Complete => found[last] == (true, true),
        Outcome::Open(_) => found[last] == (true, false),
        Outcome::Leaves { at, may_end, .. } => found[*at] == (true, *may_end) && !found[*at + 1].0,
        Outcome::Unknown => false,
    }
}

fn is_over(net: &PetriNet, marking: &Marking) -> bool {
    let finals = &net.annotations().finals;
    let is = |end: &Vec<(PlaceId, u64)>| {
        net.place_ids().all(|p| marking.tokens(p) == end.iter().find(|(q, _)| *q == p).map_or(0, |&(_, held)| held))
    };
    if !finals.is_empty() {
        return finals.iter().any(is);
    }
    let has_output = |p: PlaceId| net.transitions().iter().any(|t| t.pre.iter().any(|arc| arc.place == p));
    let sinks: Vec<PlaceId> = net.place_ids().filter(|&p| !has_output(p)).collect();
    match sinks[..] {
        [sink] => is(&vec![(sink, 1)]),
        _ => marking.enabled(net).next().is_none(),
    }
}

#[test]
fn nets_have_the_traces_that_their_runs_show() {
    let seed = std::env::var("SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    let mut rng = Rng::new(seed);
    let budget = Budget::unlimited();
    let mut counts = [0; 4];
    for round in 0..800 {
        let net = random_net(&mut rng);
        let model = Labelled::net(&net, Naming::Either).unwrap();
        let mut replay = Replay::new(&model, &budget).with_markings(3_000);
        let label = |t: TransitionId| match net.transition(t).name.as_deref() {
            _ if net.annotations().silent.contains(&t) => None,
            Some("tau") => None,
            Some(name) => Some(name.to_owned()),
            None => Some(net.transition(t).id.clone()),
        };
        for _ in 0..8 {
            let trace: Vec<&str> = (0..rng.below(6)).map(|_| NAMES[rng.below(3)]).collect();
            let next = |marking: &Marking, word: Option<&str>| {
                let fits = |t: &TransitionId| label(*t).as_deref() == word;
                net.transition_ids().filter(fits).filter_map(|t| marking.fire(&net, t)).collect()
            };
            let found = searched(&trace, net.initial_marking(), next, |marking| is_over(&net, marking));
            let Some(found) = found else {
                counts[3] += 1;
                continue;
            };
            let outcome = replay.trace(&trace).unwrap();
            assert!(agrees(&outcome, &found), "SEED={seed} round {round}: {net:?}\n{trace:?}: {outcome:?}, {found:?}");
            let sort = match outcome {
                Outcome::Complete => 0,
                Outcome::Open(_) => 1,
                _ => 2,
            };
            counts[sort] += 1;
            // What may come next is what can be added.
            if let Outcome::Open(names) | Outcome::Leaves { next: names, .. } = &outcome {
                let kept = match outcome {
                    Outcome::Leaves { at, .. } => at,
                    _ => trace.len(),
                };
                for name in NAMES {
                    let longer = [&trace[..kept], &[name]].concat();
                    let fits = match replay.trace(&longer).unwrap() {
                        Outcome::Unknown => continue,
                        outcome => !matches!(outcome, Outcome::Leaves { .. }),
                    };
                    assert_eq!(names.iter().any(|known| known == name), fits, "SEED={seed} {net:?} {longer:?}");
                }
            }
        }
    }
    assert!(counts[..3].iter().all(|&count| count > 300) && counts[3] < 2_000, "{counts:?}");
}

/// A process is replayed by a search of its own over the net of the diagram.
fn searched_process(process: &ReadProcess, trace: &[&str]) -> Option<Vec<(bool, bool)>> {
    use starset::kinds::bpmn::process_net::Deed;
    let (net, nodes) = (&process.net, &process.diagram.nodes);
    let has_children =
        |node: usize| nodes.iter().any(|other| other.container == starset::kinds::bpmn::diagram::Container::Sub(node));
    let fire = |tokens: &Vec<u32>, t: usize| {
        let mut next = tokens.clone();
        let step = &net.transitions[t];
        (step.is_enabled(&net.places, tokens) && step.fire(&net.places, &mut next).is_some()).then_some(next)
    };
    let next = |tokens: &Vec<u32>, word: Option<&str>| {
        let fits = |&t: &usize| {
            let step = &net.transitions[t];
            let node = step.begins.first().copied().or(step.node);
            let is_task = !step.begins.is_empty() && node.is_some_and(|node| !has_children(node));
            match word {
                None => !is_task,
                Some(word) => step.deed != Deed::End && node.is_some_and(|node| nodes[node].id == word),
            }
        };
        (0..net.transitions.len()).filter(fits).filter_map(|t| fire(tokens, t)).collect()
    };
    let is_final = |tokens: &Vec<u32>| {
        let inside = (0..tokens.len()).any(|p| tokens[p] > 0 && net.places[p].meaning.is_inside());
        !inside && (0..net.transitions.len()).all(|t| fire(tokens, t).is_none())
    };
    searched(trace, net.initial(), next, is_final)
}

/// On diagrams of `../shared/bpmn`: what random runs show, shorter, and changed in one place.
#[test]
fn processes_have_the_traces_of_their_runs() {
    let Some(folder) = crate::shared::shared("bpmn/models") else { return };
    let mut rng = Rng::new(7);
    let (budget, mut counts) = (Budget::unlimited(), [0; 3]);
    for row in crate::shared::table(&folder.join("reference.csv")) {
        if row["explored"] != "full" || row["states"].parse::<u32>().is_ok_and(|states| states > 1_500) {
            continue;
        }
        let process = read_bpmn(&folder.join(&row["file"]), Environment::default()).unwrap();
        let net = &process.net;
        let model = Labelled::process(&process, Naming::Id);
        let mut replay = Replay::new(&model, &budget);
        for _ in 0..6 {
            let (mut tokens, mut trace) = (net.initial(), Vec::new());
            for _ in 0..40 {
                let enabled: Vec<_> = net.transitions.iter().filter(|t| t.is_enabled(&net.places, &tokens)).collect();
                let Some(step) = rng.pick(&enabled) else { break };
                step.fire(&net.places, &mut tokens).unwrap();
                trace.extend(step.begins.iter().map(|&node| process.diagram.nodes[node].id.as_str()));
            }
            if rng.below(3) == 0 && !trace.is_empty() {
                let at = rng.below(trace.len());
                match rng.below(3) {
                    0 => trace.truncate(at),
                    1 => trace.insert(at, process.net.activities[rng.below(net.activities.len())].id.as_str()),
                    _ => drop(trace.remove(at)),
                }
            }
            let Some(found) = searched_process(&process, &trace) else { continue };
            let outcome = replay.trace(&trace).unwrap();
            assert!(agrees(&outcome, &found), "{}: {trace:?}: {outcome:?}, {found:?}", row["file"]);
            match outcome {
                Outcome::Complete => counts[0] += 1,
                Outcome::Open(_) => counts[1] += 1,
                _ => counts[2] += 1,
            }
        }
    }
    assert!(counts[0] > 150 && counts[1] > 30 && counts[2] > 30, "{counts:?}");
}

/// Steps that nobody sees, without end: nothing is said of what comes after them.
#[test]
fn silent_steps_without_end_are_unknown() {
    let mut builder = NetBuilder::new("n");
    let (p, q) = (builder.place("p", 1).unwrap(), builder.place("q", 0).unwrap());
    let grow = builder.transition("grow").unwrap();
    builder.name_transition(grow, "tau");
    builder.read_arc(p, grow, 1).unwrap();
    builder.output(grow, q, 1).unwrap();
    let a = builder.transition("a").unwrap();
    builder.input(p, a, 1).unwrap();
    let net = builder.build().unwrap();
    let (model, budget) = (Labelled::net(&net, Naming::Either).unwrap(), Budget::unlimited());
    let mut replay = Replay::new(&model, &budget).with_markings(1_000);
    assert_eq!(replay.trace(&["a"]), Ok(Outcome::Unknown));
}
