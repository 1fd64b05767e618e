//! Nets and what they are reduced to, held against the equivalence that the kind of question has.
//!
//! Formulas that are drawn at random are hardly ever those that tell two nets apart. An equivalence of their
//! reachability graphs is all formulas at once: bisimilarity for CTL\*; divergence-sensitive branching bisimilarity for
//! CTL\* without next (De Nicola and Vaandrager, "Three logics for branching bisimulation", JACM 42, 1995), and the
//! same runs up to repetitions for LTL without next, or by shorter ones of the reduced net. A dead marking repeats for
//! ever, which is no different from a run that ends if there is no next.

use super::*;
use std::collections::BTreeMap;
use std::hash::Hash;

/// Two reachability graphs side by side, with what is observed in each marking, by numbers.
struct Pair {
    observations: Vec<usize>,
    successors: Vec<Vec<usize>>,
    /// The initial markings.
    initial: [usize; 2],
}

/// Equal values get equal numbers.
fn numbered<T: Eq + Hash>(values: impl Iterator<Item = T>) -> Vec<usize> {
    let mut numbers: FxHashMap<T, usize> = FxHashMap::default();
    values
        .map(|value| {
            let next = numbers.len();
            *numbers.entry(value).or_insert(next)
        })
        .collect()
}

impl Pair {
    fn new(one: (&Graph, &[PlaceId]), other: (&Graph, &[PlaceId])) -> Self {
        let seen = [one, other].into_iter().flat_map(|(graph, places)| {
            graph.markings.iter().map(move |m| places.iter().map(|&p| m.tokens(p)).collect::<Vec<_>>())
        });
        let shift = one.0.markings.len();
        let successors = [(one.0, 0), (other.0, shift)].into_iter().flat_map(|(graph, shift)| {
            graph.edges.iter().map(move |edges| edges.iter().map(|&(_, to)| to + shift).collect())
        });
        Pair { observations: numbered(seen), successors: successors.collect(), initial: [0, shift] }
    }

    /// The states that are reached from these within their classes.
    fn within(&self, classes: &[usize], from: impl IntoIterator<Item = usize>) -> BTreeSet<usize> {
        let mut found: BTreeSet<usize> = from.into_iter().collect();
        let mut open: Vec<usize> = found.iter().copied().collect();
        while let Some(state) = open.pop() {
            for &next in &self.successors[state] {
                if classes[next] == classes[state] && found.insert(next) {
                    open.push(next);
                }
            }
        }
        found
    }

    /// States from which a run can stay in their class for ever, or end there.
    fn staying(&self, classes: &[usize]) -> Vec<bool> {
        let mut staying = vec![true; classes.len()];
        loop {
            let stays = |state: usize| {
                let next = &self.successors[state];
                next.is_empty() || next.iter().any(|&to| classes[to] == classes[state] && staying[to])
            };
            let fewer: Vec<bool> = (0..classes.len()).map(|state| staying[state] && stays(state)).collect();
            if fewer == staying {
                return staying;
            }
            staying = fewer;
        }
    }

    /// Are the initial states in one class, once classes are split until all states of each have the same signature?
    fn alike<T: Eq + Hash>(&self, signatures: impl Fn(&[usize]) -> Vec<T>) -> bool {
        let mut classes = self.observations.clone();
        loop {
            let finer = numbered(classes.iter().zip(signatures(&classes)));
            if finer.iter().max() == classes.iter().max() {
                return classes[self.initial[0]] == classes[self.initial[1]];
            }
            classes = finer;
        }
    }

    fn bisimilar(&self) -> bool {
        self.alike(|classes| {
            let targets = |next: &Vec<usize>| next.iter().map(|&to| classes[to]).collect::<BTreeSet<_>>();
            self.successors.iter().map(targets).collect()
        })
    }

    fn branching_bisimilar(&self) -> bool {
        self.alike(|classes| {
            let staying = self.staying(classes);
            let signature = |state: usize| {
                let within = self.within(classes, [state]);
                let targets = within.iter().flat_map(|&s| &self.successors[s]).map(|&to| classes[to]);
                (targets.filter(|&to| to != classes[state]).collect::<BTreeSet<_>>(), staying[state])
            };
            (0..classes.len()).map(signature).collect()
        })
    }

    /// Have they the same runs? Sets of states that are reached by the same observations are followed side by side.
    fn same_runs(&self) -> bool {
        let staying = self.staying(&self.observations);
        let start = self.initial.map(|state| self.within(&self.observations, [state]));
        let mut found = BTreeSet::from([start.clone()]);
        let mut open = vec![start];
        while let Some(sets) = open.pop() {
            let stays = |set: &BTreeSet<usize>| set.iter().any(|&state| staying[state]);
            if stays(&sets[0]) != stays(&sets[1]) {
                return false;
            }
            let mut next: BTreeMap<usize, [BTreeSet<usize>; 2]> = BTreeMap::new();
            for (side, set) in sets.iter().enumerate() {
                for (state, &to) in
                    set.iter().flat_map(|&state| self.successors[state].iter().map(move |to| (state, to)))
                {
                    if self.observations[to] != self.observations[state] {
                        next.entry(self.observations[to]).or_default()[side].insert(to);
                    }
                }
            }
            for sets in next.into_values() {
                if sets.iter().any(BTreeSet::is_empty) {
                    return false;
                }
                let sets = sets.map(|set| self.within(&self.observations, set));
                if found.insert(sets.clone()) {
                    open.push(sets);
                }
            }
        }
        self.observations[self.initial[0]] == self.observations[self.initial[1]]
    }

    /// Is each run of the net of this number one of the other net, once that repeats observations more often, or less
    /// often?
    fn runs_become(&self, number: usize, longer: bool) -> bool {
        let staying = self.staying(&self.observations);
        let next = |state: usize| match &self.successors[state][..] {
            [] => vec![state],
            next => next.to_vec(),
        };
        // A state of this net, and where the other can be after the same observations.
        let start = (self.initial[number], BTreeSet::from([self.initial[1 - number]]));
        let mut found = BTreeSet::from([start.clone()]);
        let mut open = vec![start];
        while let Some((state, others)) = open.pop() {
            if staying[state] && !others.iter().any(|&other| staying[other]) {
                return false;
            }
            let from = if longer { self.within(&self.observations, others.clone()) } else { others.clone() };
            for to in next(state) {
                let alike = |other: &usize| self.observations[*other] == self.observations[to];
                let mut reached: BTreeSet<usize> = from.iter().flat_map(|&other| next(other)).filter(alike).collect();
                if !longer {
                    // A repetition more than the other has.
                    reached.extend(others.iter().copied().filter(alike));
                }
                if reached.is_empty() {
                    return false;
                }
                if found.insert((to, reached.clone())) {
                    open.push((to, reached));
                }
            }
        }
        self.observations[self.initial[0]] == self.observations[self.initial[1]]
    }

    /// Are the runs of the first net those of the second, but for repetitions, of which the second has no more?
    fn same_shorter_runs(&self) -> bool {
        self.runs_become(0, false) && self.runs_become(1, true)
    }
}

#[test]
fn reduced_nets_are_equivalent() {
    let kinds = [Preserved::StutterLtl, Preserved::ShorterLtl, Preserved::StutterCtl, Preserved::Ctl];
    let (mut used, mut longer) = (Used::new(), 0);
    for seed in 0..3000 {
        let mut rng = Rng::new(seed);
        let net = drawn(&mut rng, seed, 40);
        let graph = explore(&net, 60).unwrap();
        let places = observed(&mut rng, &net);
        for (name, rules) in choices() {
            for kind in kinds {
                let Some(reduced) = reduce_by(&rules, &net, &places, kind, &Budget::unlimited()) else { continue };
                let there: Vec<PlaceId> = places.iter().map(|&p| reduced.place(p).unwrap()).collect();
                let smaller = explore(&reduced.net, 2000).unwrap();
                let pair = Pair::new((&graph, &places), (&smaller, &there));
                let equivalent = match kind {
                    Preserved::StutterLtl => pair.same_runs(),
                    Preserved::ShorterLtl => pair.same_shorter_runs(),
                    Preserved::StutterCtl => pair.branching_bisimilar(),
                    _ => pair.bisimilar(),
                };
                assert!(equivalent, "{name} {kind:?} seed {seed} {places:?}\n{net:?}\n{reduced:?}");
                *used.entry((name, kind)).or_default() += 1;
                longer += usize::from(kind == Preserved::StutterLtl && !pair.same_shorter_runs());
            }
        }
    }
    assert_used(&used, &kinds, 50);
    // Some rules for LTL make runs longer, and that is noticed.
    assert!(longer >= 10, "{longer}");
}

/// Which of two producers of a place is fired first may decide what comes later, and nobody sees it: here *q* and *r*
/// give one token of *p* or two. Random nets are too small to show that. Another producer, which does more than that,
/// keeps the place.
#[test]
fn producers_that_compete_stay_for_ctl() {
    for (name, with_another) in [("pre-agglomeration", false), ("partial pre-agglomeration", true)] {
        let mut b = crate::net::NetBuilder::new("rivals");
        let [q, r, z, p, seen] =
            [("q", 1), ("r", 1), ("z", 1), ("p", 0), ("seen", 0)].map(|(name, tokens)| b.place(name, tokens).unwrap());
        for (name, inputs) in [("one", &[q][..]), ("both", &[q, r]), ("other", &[z, r])] {
            let t = b.transition(name).unwrap();
            inputs.iter().for_each(|&place| b.input(place, t, 1).unwrap());
            b.output(t, p, 1).unwrap();
        }
        if with_another {
            let (own, done) = (b.place("own", 1).unwrap(), b.place("done", 0).unwrap());
            let t = b.transition("another").unwrap();
            b.input(own, t, 1).unwrap();
            [p, done].into_iter().for_each(|place| b.output(t, place, 1).unwrap());
        }
        let t = b.transition("show").unwrap();
        b.input(p, t, 1).unwrap();
        b.output(t, seen, 1).unwrap();
        let net = b.build().unwrap();
        let rule: Vec<&Rule> = RULES.iter().filter(|rule| rule.name == name).collect();
        let reduced = |kind| reduce_by(&rule, &net, &[seen], kind, &Budget::unlimited());
        assert!(reduced(Preserved::StutterCtl).is_none(), "{name}");
        let (smaller, graph) = (reduced(Preserved::StutterLtl).unwrap(), explore(&net, 60).unwrap());
        let after = explore(&smaller.net, 60).unwrap();
        let pair = Pair::new((&graph, &[seen]), (&after, &[smaller.place(seen).unwrap()]));
        assert!(pair.same_runs() && !pair.branching_bisimilar(), "{name}");
    }
}
