//! Random diagrams against an interpreter of their elements that knows no net: it looks at the drawing in each state.
//!
//! A state is what lies where: tokens on flows, running activities, started pools, reached end events. Steps are found
//! anew in each state by walking along the flows.

use super::asked;
use super::elements::diagram;
use starset::budget::Budget;
use starset::kinds::bpmn::{Environment, ReadProcess, read_bpmn_in};
use starset::processes::{Answers, by_sets};
use starset::rng::Rng;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, Copy, PartialEq, Debug)]
enum What {
    Start,
    End,
    Terminate,
    Task,
    /// A task with an event on its border that interrupts it, and leads to the node with the next number.
    Guarded,
    /// A sub-process with one task and an end event that terminates, or not.
    Sub(bool),
    Exclusive,
    Parallel,
    Inclusive,
}

/// A drawing: nodes, and flows from node to node. A flow out of the event on the border of a node is marked.
struct Drawing {
    nodes: Vec<What>,
    flows: Vec<(usize, usize, bool)>,
}

/// What lies where: `Not started`, tokens on a flow, a running node, a stage inside a sub-process, a reached end.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Spot {
    Ready,
    On(usize),
    Running(usize),
    Inside(usize, u8),
    Reached(usize),
}

type State = BTreeMap<Spot, u32>;

impl Drawing {
    fn random(rng: &mut Rng) -> Self {
        let kinds = [
            What::Task,
            What::Task,
            What::Guarded,
            What::Sub(false),
            What::Sub(true),
            What::Exclusive,
            What::Exclusive,
            What::Parallel,
            What::Parallel,
            What::Inclusive,
            What::Inclusive,
            What::End,
            What::Terminate,
        ];
        let mut nodes = vec![What::Start];
        nodes.extend((0..3 + rng.below(4)).map(|_| *rng.pick(&kinds).unwrap()));
        nodes.push(What::End);
        let leaves = |what: What| !matches!(what, What::End | What::Terminate);
        let mut flows = Vec::new();
        for node in 0..nodes.len() {
            let gateway = matches!(nodes[node], What::Exclusive | What::Parallel | What::Inclusive);
            let many = if !leaves(nodes[node]) {
                0
            } else if gateway {
                1 + rng.below(2)
            } else {
                1
            };
            // Mostly onwards.
            let target = |rng: &mut Rng| match rng.one_in(6) {
                true => 1 + rng.below(nodes.len() - 1),
                false => (node + 1 + rng.below(2)).min(nodes.len() - 1),
            };
            for _ in 0..many {
                flows.push((node, target(rng), false));
            }
            if nodes[node] == What::Guarded {
                flows.push((node, target(rng), true));
            }
        }
        Drawing { nodes, flows }
    }

    fn text(&self) -> String {
        let mut text = String::new();
        for (n, what) in self.nodes.iter().enumerate() {
            text.push_str(&match what {
                What::Start => format!("<startEvent id='n{n}'/>"),
                What::End => format!("<endEvent id='n{n}'/>"),
                What::Terminate => format!("<endEvent id='n{n}'><terminateEventDefinition/></endEvent>"),
                What::Task => format!("<task id='n{n}'/>"),
                What::Guarded => format!(
                    "<task id='n{n}'/><boundaryEvent id='b{n}' attachedToRef='n{n}'><timerEventDefinition/></boundaryEvent>"
                ),
                What::Sub(ends) => {
                    let definition = if *ends { "<terminateEventDefinition/>" } else { "" };
                    format!(
                        "<subProcess id='n{n}'><startEvent id='s{n}'/><task id='t{n}'/><endEvent id='e{n}'>{definition}\
                         </endEvent><sequenceFlow id='x{n}' sourceRef='s{n}' targetRef='t{n}'/>\
                         <sequenceFlow id='y{n}' sourceRef='t{n}' targetRef='e{n}'/></subProcess>"
                    )
                }
                What::Exclusive => format!("<exclusiveGateway id='n{n}'/>"),
                What::Parallel => format!("<parallelGateway id='n{n}'/>"),
                What::Inclusive => format!("<inclusiveGateway id='n{n}'/>"),
            });
        }
        for (f, (from, to, border)) in self.flows.iter().enumerate() {
            let source = if *border { format!("b{from}") } else { format!("n{from}") };
            text.push_str(&format!("<sequenceFlow id='f{f}' sourceRef='{source}' targetRef='n{to}'/>"));
        }
        diagram(&text)
    }

    fn leading_to(&self, node: usize) -> Vec<usize> {
        (0..self.flows.len()).filter(|&flow| self.flows[flow].1 == node).collect()
    }

    fn out_of(&self, node: usize, border: bool) -> Vec<usize> {
        (0..self.flows.len()).filter(|&flow| (self.flows[flow].0, self.flows[flow].2) == (node, border)).collect()
    }

    /// Can a token there get onto the flow without passing the gateway that the flow leads to?
    fn can_come(&self, spot: &Spot, flow: usize) -> bool {
        let gateway = self.flows[flow].1;
        let mut next = match *spot {
            Spot::On(at) if at == flow => return false,
            Spot::On(at) => vec![self.flows[at].1],
            Spot::Running(node) => vec![node],
            _ => return false,
        };
        let mut seen = BTreeSet::new();
        while let Some(node) = next.pop() {
            if node == gateway || !seen.insert(node) {
                continue;
            }
            // What an event on a border may send is not looked for.
            for out in self.out_of(node, false) {
                if out == flow {
                    return true;
                }
                next.push(self.flows[out].1);
            }
        }
        false
    }

    fn steps(&self, state: &State) -> Vec<State> {
        let has = |spot: &Spot| state.get(spot).copied().unwrap_or(0) > 0;
        let moved = |from: &[Spot], to: &[Spot]| {
            let mut next = state.clone();
            for spot in from {
                let count = next.get_mut(spot).unwrap();
                *count -= 1;
                if *count == 0 {
                    next.remove(spot);
                }
            }
            for spot in to {
                let count = next.entry(spot.clone()).or_insert(0);
                let most = if matches!(spot, Spot::Reached(_)) { 2 } else { u32::MAX };
                *count = (*count + 1).min(most);
            }
            next
        };
        let on = |flows: &[usize]| flows.iter().map(|&flow| Spot::On(flow)).collect::<Vec<_>>();
        let mut steps = Vec::new();
        for (node, &what) in self.nodes.iter().enumerate() {
            let out = self.out_of(node, false);
            let arrived: Vec<usize> = self.leading_to(node).into_iter().filter(|&flow| has(&Spot::On(flow))).collect();
            match what {
                What::Start if has(&Spot::Ready) => steps.push(moved(&[Spot::Ready], &on(&out))),
                What::Start => {}
                What::End => steps.extend(arrived.iter().map(|&at| moved(&[Spot::On(at)], &[Spot::Reached(node)]))),
                What::Terminate => {
                    for at in arrived {
                        // Nothing is left of the pool, nor of how often its other ends were reached.
                        let reached = state.get(&Spot::Reached(node)).copied().unwrap_or(0);
                        assert_eq!(reached, 0, "a pool that has been terminated goes on from {at}");
                        steps.push(State::from([(Spot::Reached(node), 1)]));
                    }
                }
                What::Task => steps.extend(arrived.iter().map(|&at| moved(&[Spot::On(at)], &on(&out)))),
                What::Guarded => {
                    steps.extend(arrived.iter().map(|&at| moved(&[Spot::On(at)], &[Spot::Running(node)])));
                    if has(&Spot::Running(node)) {
                        steps.push(moved(&[Spot::Running(node)], &on(&out)));
                        steps.push(moved(&[Spot::Running(node)], &on(&self.out_of(node, true))));
                    }
                }
                What::Sub(_) => {
                    let stages = [Spot::Inside(node, 0), Spot::Inside(node, 1)];
                    if !has(&Spot::Running(node)) {
                        let begin = [Spot::Running(node), stages[0].clone()];
                        steps.extend(arrived.iter().map(|&at| moved(&[Spot::On(at)], &begin)));
                    } else if has(&stages[0]) {
                        steps.push(moved(&stages[..1], &stages[1..]));
                    } else if has(&stages[1]) {
                        steps.push(moved(&stages[1..], &[]));
                    } else {
                        steps.push(moved(&[Spot::Running(node)], &on(&out)));
                    }
                }
                What::Exclusive => {
                    for &at in &arrived {
                        steps.extend(out.iter().map(|&out| moved(&[Spot::On(at)], &[Spot::On(out)])));
                    }
                }
                What::Parallel => {
                    let all = self.leading_to(node);
                    if !all.is_empty() && arrived.len() == all.len() {
                        steps.push(moved(&on(&all), &on(&out)));
                    }
                }
                What::Inclusive => {
                    let missing = self.leading_to(node).into_iter().filter(|flow| !arrived.contains(flow));
                    let waits =
                        missing.flat_map(|flow| state.keys().map(move |spot| (spot, flow))).any(|(spot, flow)| {
                            self.can_come(spot, flow) && !arrived.iter().any(|&known| self.can_come(spot, known))
                        });
                    if !arrived.is_empty() && !waits {
                        for set in 1..1u32 << out.len() {
                            let chosen: Vec<usize> =
                                (0..out.len()).filter(|n| set >> n & 1 == 1).map(|n| out[n]).collect();
                            steps.push(moved(&on(&arrived), &on(&chosen)));
                        }
                    }
                }
            }
        }
        steps
    }

    /// States and steps, deadlocks, final states, states from which nothing completes; none if there are very many.
    fn numbers(&self) -> Option<[usize; 5]> {
        let mut states = vec![State::from([(Spot::Ready, 1)])];
        let mut known = BTreeMap::from([(states[0].clone(), 0)]);
        let (mut edges, mut next) = (Vec::new(), 0);
        while let Some(state) = states.get(next).cloned() {
            for step in self.steps(&state) {
                let target = *known.entry(step.clone()).or_insert_with(|| {
                    states.push(step);
                    states.len() - 1
                });
                edges.push((next, target));
            }
            next += 1;
            if states.len() > 3_000 || state.values().any(|&tokens| tokens > 3) {
                return None;
            }
        }
        let still: Vec<bool> = (0..states.len()).map(|state| !edges.iter().any(|&(from, _)| from == state)).collect();
        let empty = |state: &State| state.keys().all(|spot| matches!(spot, Spot::Reached(_) | Spot::Ready));
        let mut completes: Vec<bool> = states.iter().zip(&still).map(|(state, still)| *still && empty(state)).collect();
        let completed = completes.iter().filter(|done| **done).count();
        let mut changed = true;
        while changed {
            changed = false;
            for &(from, to) in &edges {
                if completes[to] && !completes[from] {
                    completes[from] = true;
                    changed = true;
                }
            }
        }
        let deadlocks = still.iter().filter(|still| **still).count() - completed;
        let hopeless = completes.iter().filter(|completes| !**completes).count();
        Some([states.len(), edges.len(), deadlocks, completed, hopeless])
    }
}

/// A run, each of whose steps is possible.
fn replayed<'r>(process: &ReadProcess, run: &'r [usize]) -> &'r [usize] {
    let net = &process.net;
    let mut tokens = net.initial();
    for &step in run {
        assert!(net.transitions[step].is_enabled(&net.places, &tokens), "{run:?}");
        net.transitions[step].fire(&net.places, &mut tokens).unwrap();
    }
    run
}

#[test]
fn random_diagrams_do_what_is_drawn() {
    let (mut compared, mut unsound, mut joins, mut runs) = (0, 0, 0, 0);
    for seed in 0..400 {
        let drawing = Drawing::random(&mut Rng::new(seed));
        let Some(expected) = drawing.numbers() else { continue };
        let text = drawing.text();
        let process = read_bpmn_in(text.as_bytes(), "random", "random.bpmn", Environment::default()).unwrap();
        let answers = asked(&process);
        let counts = answers.counts.as_ref().unwrap_or_else(|| panic!("seed {seed}: {:?}", answers.stopped));
        let number = |count: &num_bigint::BigUint| usize::try_from(count).unwrap();
        let found = [
            number(&counts.states),
            number(counts.steps.as_ref().unwrap()),
            number(&counts.deadlocks),
            number(&counts.completed),
            number(&counts.hopeless),
        ];
        assert_eq!(found, expected, "seed {seed}: {text}");
        // Runs that sets lead to are as short as those of a breadth-first search.
        let lengths = |answers: &Answers| -> Vec<(&str, usize)> {
            answers.runs().map(|(_, name, run)| (name, replayed(&process, run).len())).collect()
        };
        let sets = by_sets(&process.net, &Budget::unlimited()).unwrap();
        assert_eq!(lengths(&sets), lengths(&answers), "seed {seed}: {text}");
        runs += lengths(&sets).len();
        compared += 1;
        unsound += usize::from(answers.sound() == Some(false));
        joins += usize::from(
            drawing
                .nodes
                .iter()
                .enumerate()
                .any(|(node, what)| *what == What::Inclusive && drawing.leading_to(node).len() > 1),
        );
    }
    assert!(compared >= 200 && unsound >= 50 && joins >= 30 && runs >= 100, "{compared} {unsound} {joins} {runs}");
}
