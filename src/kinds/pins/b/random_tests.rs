//! Random machines, held against a naive evaluator.
//!
//! A machine over a number, a set, a partial function and a truth value, with operations that have an input and a
//! variable of ANY. Each formula is drawn together with its meaning on plain data: a function that shares nothing with
//! the evaluator. The naive search tries all values of all variables. Applications outside a domain are among the
//! formulas: the operation is not enabled then.
#![allow(clippy::unwrap_used)]

use std::collections::{BTreeSet, VecDeque};
use std::time::Duration;

use super::super::explore::explore;
use super::machine::{BMachine, Options};
use crate::budget::Budget;
use crate::explicit::{self, Encoding};
use crate::kinds::{Kind, pins::PinsModel};
use crate::rng::Rng;

/// Elements of the given set.
const N: usize = 3;

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Data {
    a: i64,
    s: u8,
    f: [Option<usize>; N],
    b: bool,
    /// The input, and the variable of ANY.
    x: usize,
    y: usize,
}

/// What a formula is in some data; `None` outside of a domain.
type Meaning<T> = Box<dyn Fn(&Data) -> Option<T>>;

/// A formula and its meaning.
struct Drawn<T> {
    text: String,
    value: Meaning<T>,
}

fn drawn<T>(text: impl Into<String>, value: impl Fn(&Data) -> Option<T> + 'static) -> Drawn<T> {
    Drawn { text: text.into(), value: Box::new(value) }
}

fn number(rng: &mut Rng) -> Drawn<i64> {
    match rng.below(6) {
        0 | 1 => drawn("a", |d| Some(d.a)),
        2 => drawn("card(s)", |d| Some(d.s.count_ones().into())),
        3 => drawn("card(f)", |d| Some(d.f.iter().flatten().count() as i64)),
        4 => {
            let inner = number(rng);
            drawn(format!("(3 - {})", inner.text), move |d| Some(3 - (inner.value)(d)?))
        }
        _ => {
            let n = rng.below(4) as i64;
            drawn(n.to_string(), move |_| Some(n))
        }
    }
}

fn element(rng: &mut Rng, partial: bool) -> Drawn<usize> {
    match rng.below(if partial { 6 } else { 5 }) {
        0 | 1 => drawn("x", |d| Some(d.x)),
        2 | 3 => drawn("y", |d| Some(d.y)),
        4 => {
            let n = rng.below(N);
            drawn(format!("e{n}"), move |_| Some(n))
        }
        _ => {
            let inner = element(rng, false);
            drawn(format!("f({})", inner.text), move |d| d.f[(inner.value)(d)?])
        }
    }
}

fn set(rng: &mut Rng, depth: usize) -> Drawn<u8> {
    if depth > 0 && rng.one_in(2) {
        let (left, right) = (set(rng, depth - 1), set(rng, depth - 1));
        let (sign, join): (&str, fn(u8, u8) -> u8) =
            [("\\/", (|a, b| a | b) as fn(u8, u8) -> u8), ("/\\", |a, b| a & b), ("-", |a, b| a & !b)][rng.below(3)];
        return drawn(format!("({} {sign} {})", left.text, right.text), move |d| {
            Some(join((left.value)(d)?, (right.value)(d)?))
        });
    }
    let domain = |d: &Data| (0..N).filter(|x| d.f[*x].is_some()).fold(0, |all, x| all | 1 << x);
    match rng.below(7) {
        0 | 1 => drawn("s", |d| Some(d.s)),
        2 => drawn("S", |_| Some((1 << N) - 1)),
        3 => drawn("dom(f)", move |d| Some(domain(d))),
        4 => drawn("ran(f)", |d| Some(d.f.iter().flatten().fold(0, |all, y| all | 1 << y))),
        5 => drawn("f[s]", |d| {
            Some((0..N).filter(|x| d.s >> x & 1 == 1).filter_map(|x| d.f[x]).fold(0, |all, y| all | 1 << y))
        }),
        _ => {
            let one = element(rng, false);
            drawn(format!("{{{}}}", one.text), move |d| Some(1 << (one.value)(d)?))
        }
    }
}

fn condition(rng: &mut Rng, partial: bool, depth: usize) -> Drawn<bool> {
    match rng.below(if depth > 0 { 11 } else { 7 }) {
        0 => {
            let (left, right) = (number(rng), number(rng));
            drawn(format!("{} <= {}", left.text, right.text), move |d| Some((left.value)(d)? <= (right.value)(d)?))
        }
        1 => {
            let (left, right) = (element(rng, partial), element(rng, partial));
            let same = rng.one_in(2);
            let sign = if same { "=" } else { "/=" };
            drawn(format!("{} {sign} {}", left.text, right.text), move |d| {
                Some(((left.value)(d)? == (right.value)(d)?) == same)
            })
        }
        2 | 3 => {
            let (left, right) = (element(rng, partial), set(rng, 1));
            let inside = rng.one_in(2);
            let sign = if inside { ":" } else { "/:" };
            drawn(format!("{} {sign} {}", left.text, right.text), move |d| {
                let (left, right) = ((left.value)(d)?, (right.value)(d)?);
                Some((right >> left & 1 == 1) == inside)
            })
        }
        4 => {
            let (left, right) = (set(rng, 1), set(rng, 1));
            drawn(format!("{} <: {}", left.text, right.text), move |d| Some((left.value)(d)? & !(right.value)(d)? == 0))
        }
        5 => drawn("b = TRUE", |d| Some(d.b)),
        6 => drawn("x |-> y : f", |d| Some(d.f[d.x] == Some(d.y))),
        9 | 10 => {
            // Candidates for the input, alone or with a condition each.
            let (left, right) = (element(rng, false), element(rng, false));
            let more = rng.one_in(2).then(|| (condition(rng, false, 0), condition(rng, false, 0)));
            let text = match &more {
                Some((a, b)) => format!("((x = {} & {}) or (x = {} & {}))", left.text, a.text, right.text, b.text),
                None => format!("({} = x or x = {})", left.text, right.text),
            };
            drawn(text, move |d| {
                let (same, other) = (d.x == (left.value)(d)?, d.x == (right.value)(d)?);
                let Some((a, b)) = &more else { return Some(same || other) };
                Some((same && (a.value)(d)?) || (other && (b.value)(d)?))
            })
        }
        7 => {
            let (left, right) = (condition(rng, false, 0), condition(rng, false, 0));
            drawn(format!("({} or {})", left.text, right.text), move |d| Some((left.value)(d)? || (right.value)(d)?))
        }
        _ => {
            let inner = condition(rng, false, 0);
            drawn(format!("not({})", inner.text), move |d| Some(!(inner.value)(d)?))
        }
    }
}

/// An assignment to one variable: its text, and what it writes.
type Write = (String, Box<dyn Fn(&Data, &mut Data) -> Option<()>>);

fn write(rng: &mut Rng, variable: usize) -> Write {
    match variable {
        0 => {
            let value = number(rng);
            (format!("a := {}", value.text), Box::new(move |d, next| (value.value)(d).map(|n| next.a = n)))
        }
        1 => {
            let value = set(rng, 2);
            (format!("s := {}", value.text), Box::new(move |d, next| (value.value)(d).map(|s| next.s = s)))
        }
        2 => match rng.below(3) {
            0 => {
                let (at, value) = (element(rng, false), element(rng, true));
                (
                    format!("f({}) := {}", at.text, value.text),
                    Box::new(move |d, next| {
                        next.f[(at.value)(d)?] = Some((value.value)(d)?);
                        Some(())
                    }),
                )
            }
            1 => {
                let gone = set(rng, 1);
                (
                    format!("f := {} <<| f", gone.text),
                    Box::new(move |d, next| {
                        let gone = (gone.value)(d)?;
                        (0..N).filter(|x| gone >> x & 1 == 1).for_each(|x| next.f[x] = None);
                        Some(())
                    }),
                )
            }
            _ => {
                let kept = set(rng, 1);
                (
                    format!("f := f |> {}", kept.text),
                    Box::new(move |d, next| {
                        let kept = (kept.value)(d)?;
                        next.f.iter_mut().for_each(|y| *y = y.filter(|y| kept >> y & 1 == 1));
                        Some(())
                    }),
                )
            }
        },
        _ => {
            let value = condition(rng, true, 1);
            (format!("b := bool({})", value.text), Box::new(move |d, next| (value.value)(d).map(|b| next.b = b)))
        }
    }
}

/// An operation: its text, and what it does with data in which the input and the variable have values.
struct Drawing {
    text: String,
    guards: Vec<Drawn<bool>>,
    choice: Option<Drawn<bool>>,
    /// Does either happen, where there is no condition?
    either: bool,
    writes: [Vec<Write>; 2],
}

impl Drawing {
    fn new(rng: &mut Rng, name: usize) -> Drawing {
        let mut guards: Vec<_> = (0..rng.below(4)).map(|_| condition(rng, true, 1)).collect();
        for (text, value) in [("x : S", (|_| Some(true)) as fn(&Data) -> _), ("y : S", |_| Some(true))] {
            guards.insert(rng.below(guards.len() + 1), drawn(text, value));
        }
        let parallel = |rng: &mut Rng| {
            let mut variables = [0, 1, 2, 3];
            rng.shuffle(&mut variables);
            (0..1 + rng.below(3)).map(|at| write(rng, variables[at])).collect::<Vec<_>>()
        };
        let choice = rng.one_in(2).then(|| condition(rng, false, 1));
        let either = rng.one_in(2);
        let writes = [parallel(rng), parallel(rng)];
        let [yes, no] = [0, 1].map(|at: usize| writes[at].iter().map(|w| &w.0[..]).collect::<Vec<_>>().join(" || "));
        let body = match &choice {
            Some(condition) => format!("IF {} THEN {yes} ELSE {no} END", condition.text),
            None if either => format!("CHOICE {yes} OR {no} END"),
            None => yes,
        };
        let all: Vec<_> = guards.iter().map(|guard| &guard.text[..]).collect();
        // All guards in one ANY, so that none of them is below another.
        let text = format!("op{name} = ANY x, y WHERE {} THEN {body} END", all.join(" & "));
        Drawing { text, guards, choice, either, writes }
    }

    fn after(&self, data: &Data) -> Vec<Data> {
        // A guard without a value matters only where the others hold; either way nothing happens.
        if !self.guards.iter().all(|guard| (guard.value)(data) == Some(true)) {
            return Vec::new();
        }
        let branches = match &self.choice {
            Some(condition) => (condition.value)(data).map(|holds| vec![usize::from(!holds)]).unwrap_or_default(),
            None if self.either => vec![0, 1],
            None => vec![0],
        };
        let written = |branch: usize| {
            let mut next = data.clone();
            self.writes[branch].iter().try_for_each(|(_, write)| write(data, &mut next))?;
            Some(Data { x: 0, y: 0, ..next })
        };
        branches.into_iter().filter_map(written).collect()
    }
}

/// States, transitions and deadlocks, by trying everything.
fn naive(operations: &[Drawing]) -> (usize, usize, usize) {
    let first = Data { a: 0, s: 1, f: [Some(1), None, None], b: false, x: 0, y: 0 };
    let (mut seen, mut open) = (BTreeSet::from([first.clone()]), VecDeque::from([first]));
    let (mut transitions, mut deadlocks) = (0, 0);
    while let Some(state) = open.pop_front() {
        let before = transitions;
        for operation in operations {
            let all = (0..N).flat_map(|x| (0..N).map(move |y| (x, y)));
            let targets: BTreeSet<Data> =
                all.flat_map(|(x, y)| operation.after(&Data { x, y, ..state.clone() })).collect();
            transitions += targets.len();
            for target in targets {
                if seen.insert(target.clone()) {
                    open.push_back(target);
                }
            }
        }
        deadlocks += usize::from(transitions == before);
    }
    (seen.len(), transitions, deadlocks)
}

#[test]
fn random_machines_behave_as_a_naive_evaluator_says() {
    let runs: u64 = std::env::var("STARSET_B_MACHINES").ok().and_then(|runs| runs.parse().ok()).unwrap_or(300);
    let mut large = 0;
    for seed in 0..runs {
        let mut rng = Rng::new(seed);
        let operations: Vec<Drawing> = (0..1 + rng.below(4)).map(|name| Drawing::new(&mut rng, name)).collect();
        let texts: Vec<_> = operations.iter().map(|operation| &operation.text[..]).collect();
        let text = format!(
            "MACHINE m SETS S = {{e0, e1, e2}} VARIABLES a, s, f, b
             INVARIANT a : INTEGER & s <: S & f : S +-> S & b : BOOL
             INITIALISATION a, s, f, b := 0, {{e0}}, {{e0 |-> e1}}, FALSE OPERATIONS {} END",
            texts.join(";\n")
        );
        let expected = naive(&operations);
        large += usize::from(expected.0 > 20);
        let load = || BMachine::parse("m.mch", &text, &|_: &str| None, &Options::default()).unwrap();
        assert!(load().is_compiled(), "{seed}: {text}");
        for machine in [load(), load().on_values()] {
            let found = explore(&machine, Duration::from_secs(100), false);
            let found = found.unwrap_or_else(|error| panic!("{seed}: {error}\n{text}"));
            assert_eq!((found.states, found.transitions, found.deadlocks), expected, "{seed}: {text}");
        }
        if seed % 4 == 0 {
            let model = PinsModel::new("m", load()).unwrap();
            let engine = model.compile(&Encoding::default(), &Budget::unlimited()).unwrap();
            let all = engine.explore(&explicit::Options::default(), &Budget::unlimited()).unwrap();
            let found = (all.states as usize, all.transitions as usize, all.deadlocks as usize);
            assert_eq!(found, expected, "{seed}: {text}");
        }
    }
    assert!(large as u64 > runs / 20, "{large} of {runs} machines have more than 20 states");
}
