//! Random constants with properties, held against a search through all values.
//!
//! Two functions, a set and a number are constants; each property is drawn together with its meaning on plain data, which
//! shares nothing with the solver. What may have no value is under a condition by which it has one. In tests constraints are made for few candidates already ([`super::shapes::WORTH`]).
#![allow(clippy::unwrap_used)]

use std::time::Duration;

use super::super::explore::explore;
use super::machine::{BMachine, Options};
use crate::rng::Rng;

/// Arguments of the functions are 1..N, values below N; elements of the set are 1..M, numbers below M.
const N: usize = 3;
const M: usize = 3;

#[derive(Clone, Debug, Default)]
struct Data {
    f: [i64; N],
    g: [Option<i64>; N],
    s: u8,
    x: i64,
    /// The variables of quantifiers.
    i: i64,
    j: i64,
    /// The name of a LET.
    w: i64,
}

type Meaning<T> = Box<dyn Fn(&Data) -> T>;

/// A formula and its meaning.
struct Drawn<T> {
    text: String,
    value: Meaning<T>,
}

fn drawn<T>(text: impl Into<String>, value: impl Fn(&Data) -> T + 'static) -> Drawn<T> {
    Drawn { text: text.into(), value: Box::new(value) }
}

fn inside(s: u8, n: i64) -> bool {
    (1..=M as i64).contains(&n) && s >> n & 1 == 1
}

fn f(d: &Data, at: i64) -> i64 {
    d.f[at as usize - 1]
}

/// The same data with other values of the variables of quantifiers.
fn with(d: &Data, i: i64, j: i64) -> Data {
    Data { i, j, ..d.clone() }
}

fn arguments() -> std::ops::RangeInclusive<i64> {
    1..=N as i64
}

fn number(rng: &mut Rng, depth: usize, bound: &[&'static str]) -> Drawn<i64> {
    if depth > 0 && rng.one_in(2) {
        let (a, b) = (number(rng, depth - 1, bound), number(rng, depth - 1, bound));
        let (sign, join): (&str, fn(i64, i64) -> i64) =
            [("+", (|a, b| a + b) as fn(i64, i64) -> i64), ("-", |a, b| a - b), ("*", |a, b| a * b)][rng.below(3)];
        return drawn(format!("({} {sign} {})", a.text, b.text), move |d| join((a.value)(d), (b.value)(d)));
    }
    let k = 1 + rng.below(N) as i64;
    match rng.below(20) {
        0 => drawn(format!("f({k})"), move |d| f(d, k)),
        1 | 2 if !bound.is_empty() => {
            let name = bound[rng.below(bound.len())];
            let at = move |d: &Data| match name {
                "i" => d.i,
                "j" => d.j,
                _ => d.w,
            };
            if rng.one_in(2) { drawn(name, at) } else { drawn(format!("f({name})"), move |d| f(d, at(d))) }
        }
        3 => drawn(format!("f(f({k})+1)"), move |d| f(d, f(d, k) + 1)),
        4 => drawn("card(s)", |d| d.s.count_ones().into()),
        5 => drawn("card(g)", |d| d.g.iter().flatten().count() as i64),
        6 => {
            drawn(format!("card(f~[{{{k}, 0}}])"), move |d| d.f.iter().filter(|y| **y == k || **y == 0).count() as i64)
        }
        7 => drawn("SIGMA(z).(z:1..3 & z:s|z*f(z))", |d| {
            arguments().filter(|z| inside(d.s, *z)).map(|z| z * f(d, z)).sum()
        }),
        8 => drawn("PI(z).(z:1..3|f(z)+1)", |d| d.f.iter().map(|y| y + 1).product()),
        9 => drawn(format!("max({{f({k}), 1}})"), move |d| f(d, k).max(1)),
        10 => {
            let (a, b) = (1 + rng.below(N) as i64, rng.below(N) as i64);
            drawn(format!("(IF f({a}) < {b} THEN x ELSE f({k}) END)"), move |d| if f(d, a) < b { d.x } else { f(d, k) })
        }
        11 => drawn("x", |d| d.x),
        12 | 13 => {
            let n = rng.below(7) as i64 - 3;
            let text = format!("(IF {k}:dom(g) THEN g({k}) ELSE {n} END)");
            drawn(text, move |d| d.g[k as usize - 1].unwrap_or(n))
        }
        14 => drawn("SIGMA(z).(z:1..3 & z:dom(g)|g(z))", |d| d.g.iter().flatten().sum()),
        15 => drawn("PI(z).(z:1..3 & z:dom(g)|g(z)+1)", |d| d.g.iter().flatten().map(|y| y + 1).product()),
        16 => {
            // A known function that has no value for 1.
            let n = rng.below(7) as i64 - 3;
            let text = format!("(IF f({k}) /= 1 THEN {{0|->{n}, 2|->-5}}(f({k})) ELSE x END)");
            drawn(text, move |d| [n, d.x, -5][f(d, k) as usize])
        }
        17 => drawn("SIGMA(z).(z:1..3 & f(z):{0,2}|{0|->-2, 2|->3}(f(z)))", |d| {
            d.f.iter().map(|y| [-2, 0, 3][*y as usize]).sum()
        }),
        _ => {
            let n = rng.below(7) as i64 - 1;
            drawn(n.to_string(), move |_| n)
        }
    }
}

fn condition(rng: &mut Rng, depth: usize, bound: &[&'static str]) -> Drawn<bool> {
    if depth > 0 {
        let kind = rng.below(10);
        if kind < 4 {
            let (a, b) = (condition(rng, depth - 1, bound), condition(rng, depth - 1, bound));
            let (sign, join): (&str, fn(bool, bool) -> bool) = [
                ("&", (|a, b| a && b) as fn(bool, bool) -> bool),
                ("or", |a, b| a || b),
                ("=>", |a, b| !a || b),
                ("<=>", |a, b| a == b),
            ][kind];
            return drawn(format!("({} {sign} {})", a.text, b.text), move |d| join((a.value)(d), (b.value)(d)));
        }
        match kind {
            4 => {
                let inner = condition(rng, depth - 1, bound);
                return drawn(format!("not({})", inner.text), move |d| !(inner.value)(d));
            }
            5 if bound.is_empty() => {
                let inner = condition(rng, depth - 1, &["i"]);
                return drawn(format!("!i.(i:1..3 & i:s => {})", inner.text), move |d| {
                    arguments().all(|i| !inside(d.s, i) || (inner.value)(&with(d, i, 0)))
                });
            }
            6 if bound.is_empty() => {
                let inner = condition(rng, depth - 1, &["i", "j"]);
                return drawn(format!("!(i,j).(i:1..3 & j:1..3 & i < j => {})", inner.text), move |d| {
                    arguments().all(|i| (i + 1..=N as i64).all(|j| (inner.value)(&with(d, i, j))))
                });
            }
            8 if bound.is_empty() => {
                let (n, inner) = (number(rng, 1, &[]), condition(rng, depth - 1, &["w"]));
                return drawn(format!("(LET w BE w = {} IN w : 1..3 => {} END)", n.text, inner.text), move |d| {
                    let w = (n.value)(d);
                    !arguments().contains(&w) || (inner.value)(&Data { w, ..d.clone() })
                });
            }
            7 if bound.is_empty() => {
                let inner = condition(rng, depth - 1, &["i"]);
                return drawn(format!("#i.(i:1..3 & {})", inner.text), move |d| {
                    arguments().any(|i| (inner.value)(&with(d, i, 0)))
                });
            }
            _ => {}
        }
    }
    let (k, v) = (1 + rng.below(N) as i64, rng.below(N) as i64);
    let g = move |d: &Data| d.g[k as usize - 1];
    match rng.below(12) {
        0..=3 => {
            let (a, b) = (number(rng, 1, bound), number(rng, 1, bound));
            let (sign, compare): (&str, fn(i64, i64) -> bool) = [
                ("=", (|a, b| a == b) as fn(i64, i64) -> bool),
                ("/=", |a, b| a != b),
                ("<", |a, b| a < b),
                (">=", |a, b| a >= b),
            ][rng.below(4)];
            drawn(format!("{} {sign} {}", a.text, b.text), move |d| compare((a.value)(d), (b.value)(d)))
        }
        4 => {
            let n = number(rng, 1, bound);
            drawn(format!("{} : s", n.text), move |d| inside(d.s, (n.value)(d)))
        }
        5 => {
            let n = number(rng, 1, bound);
            drawn(format!("{} /: {{0, 2, f({k})}}", n.text), move |d| ![0, 2, f(d, k)].contains(&(n.value)(d)))
        }
        6 => drawn(format!("{k} |-> {v} : g"), move |d| g(d) == Some(v)),
        7 => drawn(format!("({k} : dom(g) => g({k}) >= {v})"), move |d| g(d).is_none_or(|y| y >= v)),
        8 => drawn("dom(g) <: s", |d| arguments().all(|z| d.g[z as usize - 1].is_none() || inside(d.s, z))),
        9 => drawn(format!("ran(f) \\/ {{{v}}} = 0..2"), move |d| (0..3).all(|y| y == v || d.f.contains(&y))),
        10 => drawn(format!("f[s] <: {{{v}, 1}}"), move |d| {
            arguments().all(|z| !inside(d.s, z) || [v, 1].contains(&f(d, z)))
        }),
        _ => drawn(format!("{{z | z:s & z > {v}}} /\\ 1..2 = s - {{1}}"), move |d| {
            (1..=M as i64).all(|z| (inside(d.s, z) && z > v && z <= 2) == (inside(d.s, z) && z != 1))
        }),
    }
}

/// A set of functions: its sign, and whether some values are such a function.
type Form = (&'static str, fn(&[Option<i64>]) -> bool);

fn injective(values: &[Option<i64>]) -> bool {
    values.iter().enumerate().all(|(at, y)| y.is_none() || !values[..at].contains(y))
}

fn surjective(values: &[Option<i64>]) -> bool {
    (0..N as i64).all(|y| values.contains(&Some(y)))
}

/// The number of values that satisfy some properties, by trying all.
fn count(properties: &[Drawn<bool>], total: Form, partial: Form) -> usize {
    let range = || (0..=N as i64).map(|y| Some(y).filter(|y| *y < N as i64));
    let mut found = 0;
    let functions: Vec<[Option<i64>; N]> =
        range().flat_map(|a| range().flat_map(move |b| range().map(move |c| [a, b, c]))).collect();
    for f in functions.iter().filter(|f| !f.contains(&None) && total.1(&f[..])) {
        for g in functions.iter().filter(|g| partial.1(&g[..])) {
            for s in (0..1u8 << M).map(|s| s << 1) {
                for x in 0..2 {
                    let d = Data { f: f.map(Option::unwrap_or_default), g: *g, s, x, i: 0, j: 0, w: 0 };
                    found += usize::from(properties.iter().all(|property| (property.value)(&d)));
                }
            }
        }
    }
    found
}

#[test]
fn random_constants_are_those_that_a_search_through_all_values_finds() {
    let runs: u64 = std::env::var("STARSET_B_CONSTANTS").ok().and_then(|runs| runs.parse().ok()).unwrap_or(40);
    let (mut some, mut few) = (0, 0);
    for seed in 0..runs {
        let mut rng = Rng::new(seed);
        let any: fn(&[Option<i64>]) -> bool = |_| true;
        let total = [("-->", any), (">->", injective as _), ("-->>", surjective as _)][rng.below(3)];
        let partial = [("+->", any), (">+>", injective as _), ("+->>", surjective as _)][rng.below(3)];
        let properties: Vec<_> = (0..3 + rng.below(4)).map(|_| condition(&mut rng, 2, &[])).collect();
        let texts: Vec<_> = properties.iter().map(|property| &property.text[..]).collect();
        let text = format!(
            "MACHINE m CONSTANTS f, g, s, x PROPERTIES f : 1..3 {} 0..2 & g : 1..3 {} 0..2 & s <: 1..3 & x : 0..1 & {} END",
            total.0,
            partial.0,
            texts.join("\n & ")
        );
        let expected = count(&properties, total, partial);
        let machine = BMachine::parse("m.mch", &text, &|_: &str| None, &Options::default());
        let machine = machine.unwrap_or_else(|error| panic!("{seed}: {error}\n{text}"));
        assert_eq!(machine.signature.initial.len(), expected, "{seed}: {text}");
        some += usize::from(expected > 0);
        few += usize::from((1..500).contains(&expected));
    }
    assert!(some as u64 > runs / 4 && few as u64 > runs / 8, "{some} and {few} of {runs} have values");
}

#[test]
fn a_function_that_is_searched_for_has_a_value_where_it_is_applied() {
    // One of the six other sets has the element that is left, or none has.
    let applied = "MACHINE m SETS ID = {aa, bb, cc} CONSTANTS f
        PROPERTIES f : POW(ID) >+> ID & !yy.(yy : ID & yy /= aa => f({yy}) = yy) END";
    let machine = BMachine::parse("m.mch", applied, &|_: &str| None, &Options::default()).unwrap();
    assert_eq!(machine.signature.initial.len(), 7);
    // Which values the inverse has is left to the solver, which refuses where it has none.
    let inverse = "MACHINE m CONSTANTS f PROPERTIES f : 1..4 >+> 1..4 & f(1) = 2 & f~(3) = 3 END";
    let refused = BMachine::parse("m.mch", inverse, &|_: &str| None, &Options::default()).err();
    assert!(refused.is_some_and(|error| error.to_string().contains("outside its domain")));
}

/// The number of set-ups of a machine with constants.
fn set_ups(constants: &str, properties: &str) -> usize {
    let text = format!("MACHINE m CONSTANTS {constants} PROPERTIES {properties} END");
    let machine = BMachine::parse("m.mch", &text, &|_: &str| None, &Options::default());
    machine.unwrap_or_else(|error| panic!("{error}\n{text}")).signature.initial.len()
}

#[test]
fn what_may_have_no_value_is_left_to_the_solver() {
    let known = "k = {1|->5, 2|->6} & f : 1..5 --> 1..5";
    for (constants, properties, expected) in [
        ("f", "f : 1..4 +-> 0..5 & (IF 1 : dom(f) THEN f(1) ELSE 0 END) = 0", 686),
        ("f", "f : 1..5 +-> 0..3 & PI(z).(z : 1..5 & z : dom(f)|f(z) + 1) = 4", 160),
        ("f", "f : 1..4 +-> 0..5 & SIGMA(z).(z : 1..4 & z : dom(f)|f(z)) = 3", 88),
        (
            "k, f",
            &format!("{known} & (IF f(1) : dom(k) THEN k(f(1)) ELSE 0 END) = 0 & f(2) = 1 & f(3) = 1 & f(4) = 1"),
            15,
        ),
    ] {
        assert_eq!(set_ups(constants, properties), expected, "{properties}");
    }
}

#[test]
fn numbers_that_may_be_large_are_left_to_the_solver() {
    for (properties, expected) in [
        ("f : 1..2 --> NATURAL & f(1) : {1099511627776, 1099511627777} & f(2) = f(1) * 4194304", 2),
        ("f : 1..2 --> INTEGER & f(1) = 1000000000 & f(2) = f(1) * f(1) * 5", 1),
        // 2^20 twice, and 1.
        ("f : 1..3 --> {1, 2, 1048576} & f(1) * f(2) * f(3) = 1099511627776", 3),
    ] {
        assert_eq!(set_ups("f", properties), expected, "{properties}");
    }
}

#[test]
fn a_guard_that_has_no_value_is_none_that_holds() {
    let text =
        "MACHINE m CONSTANTS g PROPERTIES g = {1|->2, 2|->3} VARIABLES v INVARIANT v : 0..1 INITIALISATION v := 0
        OPERATIONS op = SELECT v = 0
            & !f.(f : 1..5 --> 1..5 & g(f(1)) = 4 & f(2) = 1 & f(3) = 1 & f(4) = 1 => f(5) = 1) THEN v := 1 END END";
    let machine = BMachine::parse("m.mch", text, &|_: &str| None, &Options::default()).unwrap();
    let found = explore(&machine, Duration::from_secs(20), true).unwrap();
    assert_eq!(found.states, 1);
    assert!(machine.warnings().iter().any(|text| text.contains("outside its domain")), "{:?}", machine.warnings());
}
