//! Random automata with random acceptance conditions on random words, against the definition.
#![allow(clippy::unwrap_used)]
use super::*;
use crate::automaton::Prop;
use crate::automaton::ltl::Lasso;
use crate::automaton::ltl::tests_support::word;
use crate::random::Rng;
use std::fmt;

/// A condition as it is written and as it is defined.
enum Condition {
    Constant(bool),
    /// `Inf` or `Fin`, of a set or of its complement.
    Often(bool, u32, bool),
    Both(Box<Condition>, Box<Condition>),
    Either(Box<Condition>, Box<Condition>),
}

impl Condition {
    fn random(rng: &mut Rng, depth: u32, sets: usize) -> Condition {
        if depth > 0 && !rng.one_in(4) {
            let (a, b) = (Condition::random(rng, depth - 1, sets), Condition::random(rng, depth - 1, sets));
            let join = if rng.one_in(2) { Condition::Both } else { Condition::Either };
            return join(Box::new(a), Box::new(b));
        }
        if rng.one_in(12) {
            return Condition::Constant(rng.one_in(2));
        }
        Condition::Often(rng.one_in(2), rng.below(sets) as u32, rng.one_in(4))
    }

    /// Of the kinds of edges, by the sets that they have, that are taken infinitely often.
    fn holds(&self, taken: &[u32]) -> bool {
        match self {
            Condition::Constant(value) => *value,
            Condition::Often(often, set, complement) => {
                taken.iter().any(|marks| (marks >> set & 1 == 1) != *complement) == *often
            }
            Condition::Both(a, b) => a.holds(taken) && b.holds(taken),
            Condition::Either(a, b) => a.holds(taken) || b.holds(taken),
        }
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Condition::Constant(value) => f.write_str(if *value { "t" } else { "f" }),
            Condition::Often(often, set, complement) => {
                write!(f, "{}({}{set})", if *often { "Inf" } else { "Fin" }, if *complement { "!" } else { "" })
            }
            Condition::Both(a, b) => write!(f, "({a}) & ({b})"),
            Condition::Either(a, b) => write!(f, "({a} | {b})"),
        }
    }
}

/// An edge: source, label, target, marks. The label is a conjunction of propositions that hold and that do not.
struct Edge {
    source: usize,
    positive: u8,
    negative: u8,
    target: usize,
    marks: u32,
}

struct Automaton {
    states: usize,
    edges: Vec<Edge>,
    sets: usize,
    acceptance: Condition,
}

impl Automaton {
    fn random(rng: &mut Rng) -> Automaton {
        let (states, sets) = (1 + rng.below(4), 1 + rng.below(3));
        let edge = |rng: &mut Rng| {
            let positive = rng.below(4) as u8 & rng.below(4) as u8;
            let negative = rng.below(4) as u8 & rng.below(4) as u8 & !positive;
            let (source, target) = (rng.below(states), rng.below(states));
            Edge {
                source,
                positive,
                negative,
                target,
                marks: rng.below(1 << sets) as u32 & rng.below(1 << sets) as u32,
            }
        };
        let edges = (0..2 + rng.below(8)).map(|_| edge(rng)).collect();
        Automaton { states, edges, sets, acceptance: Condition::random(rng, 3, sets) }
    }

    fn text(&self) -> String {
        let mut text = format!(
            "HOA: v1\nStates: {}\nStart: 0\nAP: 2 \"a\" \"b\"\nAcceptance: {} {}\n--BODY--\n",
            self.states, self.sets, self.acceptance
        );
        for state in 0..self.states {
            text += &format!("State: {state}\n");
            for edge in self.edges.iter().filter(|edge| edge.source == state) {
                let literal = |p: u8| match (edge.positive >> p & 1, edge.negative >> p & 1) {
                    (1, _) => format!("{p}"),
                    (_, 1) => format!("!{p}"),
                    _ => "t".to_owned(),
                };
                let marks: Vec<String> =
                    (0..self.sets).filter(|set| edge.marks >> set & 1 == 1).map(|set| set.to_string()).collect();
                text += &format!("[{} & {}] {} {{{}}}\n", literal(0), literal(1), edge.target, marks.join(" "));
            }
        }
        text + "--END--\n"
    }

    /// Is there a run with a strongly connected set of steps, taken for ever, whose marks satisfy the condition? All
    /// sets of kinds of edges are tried.
    fn accepts(&self, word: &Lasso) -> bool {
        let (n, states) = (word.len(), self.states);
        let fits = |edge: &Edge, at: usize| {
            (0..2u8).all(|p| {
                let holds = word.holds(at, Prop(p.into()));
                if holds { edge.negative >> p & 1 == 0 } else { edge.positive >> p & 1 == 0 }
            })
        };
        let steps: Vec<(usize, usize, u32)> = (0..n)
            .flat_map(|at| self.edges.iter().filter(move |edge| fits(edge, at)).map(move |edge| (at, edge)))
            .map(|(at, edge)| (at * states + edge.source, word.successor(at) * states + edge.target, edge.marks))
            .collect();
        // reach[i][j]: a path of at least one step.
        let closure = |steps: &[(usize, usize, u32)]| {
            let mut reach = vec![vec![false; n * states]; n * states];
            for &(a, b, _) in steps {
                reach[a][b] = true;
            }
            for k in 0..n * states {
                for i in 0..n * states {
                    for j in 0..n * states {
                        reach[i][j] |= reach[i][k] && reach[k][j];
                    }
                }
            }
            reach
        };
        let all = closure(&steps);
        (1u32..1 << (1 << self.sets)).any(|kinds| {
            let taken: Vec<u32> = (0..1 << self.sets).filter(|kind| kinds >> kind & 1 == 1).collect();
            if !self.acceptance.holds(&taken) {
                return false;
            }
            let allowed: Vec<_> = steps.iter().copied().filter(|step| taken.contains(&step.2)).collect();
            let reach = closure(&allowed);
            // One component that has a step of each kind.
            (0..n * states).any(|root| {
                let inside = |&&(a, b, _): &&(usize, usize, u32)| {
                    (a == root || reach[root][a] && reach[a][root]) && (b == root || reach[root][b]) && reach[b][root]
                };
                let seen: Vec<u32> = allowed.iter().filter(inside).map(|step| step.2).collect();
                (root == 0 || all[0][root]) && taken.iter().all(|kind| seen.contains(kind))
            })
        })
    }
}

#[test]
fn all_conditions_mean_what_they_say() {
    let (mut accepted, mut cases) = (0, 0);
    for seed in 0..1500 {
        let mut rng = Rng::new(seed);
        let automaton = Automaton::random(&mut rng);
        let text = automaton.text();
        let read = read(&text).unwrap();
        for _ in 0..4 {
            let letters = |rng: &mut Rng, least: usize| (0..least + rng.below(3)).map(|_| rng.below(4) as u8).collect();
            let (prefix, cycle): (Vec<u8>, Vec<u8>) = (letters(&mut rng, 0), letters(&mut rng, 1));
            let lasso = word(2, &prefix, &cycle);
            let expected = automaton.accepts(&lasso);
            assert_eq!(read.accepts(&lasso), expected, "seed {seed}: {text} on {prefix:?} {cycle:?}");
            accepted += usize::from(expected);
            cases += 1;
        }
        // Written as it was read, it is the same.
        assert_eq!(super::read(&write(&read)).unwrap().edges(), read.edges(), "seed {seed}");
    }
    assert!(accepted * 10 > cases && accepted * 10 < cases * 9, "{accepted} of {cases}");
}

#[test]
fn disjunctions_without_fin_cost_no_states() {
    let text = |acceptance: &str| {
        format!(
            "HOA: v1 States: 2 Start: 0 AP: 1 \"a\" Acceptance: 4 {acceptance} --BODY-- \
             State: 0 [0] 1 {{0 2}} [!0] 0 {{1}} State: 1 [t] 0 {{3}} --END--"
        )
    };
    let sizes = |acceptance: &str| {
        let read = read(&text(acceptance)).unwrap();
        (read.location_count(), read.acceptance_sets())
    };
    assert_eq!(sizes("Inf(0) | Inf(1)"), (2, 1));
    assert_eq!(sizes("(Inf(0) & Inf(1)) | (Inf(2) & Inf(3))"), (2, 4));
    assert_eq!(sizes("t"), (2, 0));
    // Rabin: a copy for each pair; Streett: for each set of pairs.
    assert_eq!(sizes("(Fin(0) & Inf(1)) | (Fin(2) & Inf(3))").1, 1);
    assert!(sizes("(Fin(0) | Inf(1)) & (Fin(2) | Inf(3))").0 <= 8);
}

#[test]
fn conditions_that_are_too_large_are_refused() {
    let streett = |pairs: u32| {
        let condition: Vec<String> =
            (0..pairs).map(|pair| format!("(Fin({}) | Inf({}))", 2 * pair, 2 * pair + 1)).collect();
        format!(
            "HOA: v1 Start: 0 AP: 0 Acceptance: {} {} --BODY-- State: 0 [t] 0 {{1}} --END--",
            2 * pairs,
            condition.join("&")
        )
    };
    assert!(read(&streett(6)).unwrap().accepted_word().is_some());
    let error = read(&streett(20)).unwrap_err().message;
    assert!(error.starts_with("this acceptance condition is too large"), "{error}");
    let deep = "HOA: v1 Start: 0 AP: 0 Acceptance: 1 ".to_owned() + &"(".repeat(100_000);
    assert_eq!(read(&deep).unwrap_err().message, "expression nested too deeply");
}
