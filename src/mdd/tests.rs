//! The diagrams against sets of tuples: every operation on small domains, exhaustively compared.
//!
//! Most tests also run under Miri, with fewer cases (each takes a minute or more):
//!
//! ```text
//! MIRIFLAGS="-Zmiri-disable-isolation -Zmiri-tree-borrows -Zmiri-ignore-leaks" \
//!     cargo +nightly miri test --lib mdd::tests::threads
//! ```
//!
//! Tree borrows and leaks are as they are because of the dependencies: OxiDD's manager finds its store by
//! pointer arithmetic, and the thread pools of rayon end after the test does.
#![allow(clippy::unwrap_used)]

use super::{Change, LoadError, MatchError, Mdd, MddManager, SavedSet, SetError, TransferError};
use crate::budget::{Budget, Exhausted};
use num_bigint::BigUint;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

type Tuples = BTreeSet<Vec<u32>>;

const CASES: u32 = if cfg!(miri) { 1 } else { 256 };

fn unlimited() -> Budget {
    Budget::unlimited()
}

/// A space that reserves little memory, for tests that make many.
fn small_space(levels: usize) -> MddManager {
    MddManager::new(levels as u32, &unlimited().with_memory(1 << 20)).unwrap()
}

fn build(space: &MddManager, tuples: &Tuples) -> Mdd {
    let budget = unlimited();
    let add = |set: Mdd, tuple: &Vec<u32>| set.union(&space.tuple(tuple, &budget).unwrap(), &budget).unwrap();
    tuples.iter().fold(space.empty(), add)
}

/// Load a set into a small space.
fn load(file: &[u8]) -> Result<SavedSet, LoadError> {
    SavedSet::load(file, &unlimited().with_memory(1 << 20))
}

fn tuples(set: &Mdd) -> Tuples {
    set.members().collect()
}

/// The set of all tuples over `values`.
fn full(space: &MddManager, values: &[u32]) -> Mdd {
    space
        .run::<Exhausted>(&unlimited(), |session| {
            let mut below = session.unit();
            for level in (0..session.levels()).rev() {
                let mut list = session.list();
                values.iter().for_each(|&value| list.push(value, below.clone()));
                below = session.node(level, list)?;
            }
            Ok(below)
        })
        .unwrap()
}

/// Values of one component, so that nodes of all layouts (binary, single, sparse) and mixtures appear.
fn value() -> impl Strategy<Value = u32> {
    prop_oneof![4 => 0..=1u32, 3 => 0..=4u32, 1 => prop::sample::select(vec![2, 7, 1 << 31, u32::MAX - 1, u32::MAX])]
}

/// Some sets of tuples of the same length, which may be 0.
fn families(count: usize, levels: std::ops::RangeInclusive<usize>) -> impl Strategy<Value = (usize, Vec<Tuples>)> {
    levels.prop_flat_map(move |levels| {
        let set = prop::collection::btree_set(prop::collection::vec(value(), levels), 0..14);
        (Just(levels), prop::collection::vec(set, count))
    })
}

/// The expected [`super::Size`]: nodes are the distinct non-empty residuals of the set.
fn expected_size(levels: usize, set: &Tuples) -> (Vec<usize>, usize) {
    let (mut nodes, mut edges) = (Vec::new(), 0);
    for level in 0..levels {
        let mut residuals: BTreeMap<&[u32], BTreeSet<&[u32]>> = BTreeMap::new();
        for tuple in set {
            residuals.entry(&tuple[..level]).or_default().insert(&tuple[level..]);
        }
        let distinct: BTreeSet<_> = residuals.into_values().collect();
        nodes.push(distinct.len());
        edges += distinct.iter().map(|r| r.iter().map(|t| t[0]).collect::<BTreeSet<_>>().len()).sum::<usize>();
    }
    (nodes, edges)
}

fn check_against(space: &MddManager, set: &Mdd, expected: &Tuples) {
    let levels = space.levels() as usize;
    assert_eq!(set.members().collect::<Vec<_>>(), expected.iter().cloned().collect::<Vec<_>>());
    assert_eq!(set.is_empty(), expected.is_empty());
    assert_eq!(set.pick().as_ref(), expected.first());
    assert_eq!(set.count(&unlimited()).unwrap(), BigUint::from(expected.len()));
    let size = set.size();
    assert_eq!((size.nodes_per_level.clone(), size.edges), expected_size(levels, expected));
    assert_eq!(size.nodes, size.nodes_per_level.iter().sum::<usize>());
    let per_level = (0..levels).map(|level| expected.iter().map(|t| t[level]).max());
    let maxima = set.maxima();
    assert_eq!(maxima.is_none(), expected.is_empty());
    if let Some(maxima) = maxima {
        assert_eq!(maxima.per_level, per_level.map(Option::unwrap).collect::<Vec<_>>());
        let sum = |t: &Vec<u32>| t.iter().map(|&v| u64::from(v)).sum::<u64>();
        assert_eq!(Some(maxima.sum), expected.iter().map(sum).max());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(CASES) })]

    #[test]
    fn set_algebra(
        (levels, sets) in families(2, 0..=4),
        strangers in prop::collection::vec(prop::collection::vec(value(), 4), 8),
        weights in prop::collection::vec(prop_oneof![-3..=3i64, Just(i64::MIN), Just(i64::MAX)], 4),
    ) {
        let (space, budget) = (small_space(levels), unlimited());
        let (x, y) = (&sets[0], &sets[1]);
        let (a, b) = (build(&space, x), build(&space, y));
        check_against(&space, &a, x);
        check_against(&space, &b, y);
        check_against(&space, &a.union(&b, &budget).unwrap(), &(x | y));
        check_against(&space, &a.intersection(&b, &budget).unwrap(), &(x & y));
        check_against(&space, &a.difference(&b, &budget).unwrap(), &(x - y));
        check_against(&space, &b.difference(&a, &budget).unwrap(), &(y - x));
        prop_assert_eq!(a.is_subset(&b, &budget).unwrap(), x.is_subset(y));
        prop_assert_eq!(b.is_subset(&a, &budget).unwrap(), y.is_subset(x));
        let both = a.intersection(&b, &budget).unwrap();
        prop_assert!(both.is_subset(&a, &budget).unwrap() && both.is_subset(&b, &budget).unwrap());
        prop_assert_eq!(a == b, x == y);
        prop_assert_eq!(a.maximum_of_sum(&weights[..levels]), x.iter().map(|t| {
            t.iter().zip(&weights).map(|(&v, &w)| i128::from(w) * i128::from(v)).sum::<i128>()
        }).max());
        for tuple in strangers.iter().map(|t| &t[..levels]).chain(x.iter().chain(y).map(|t| &t[..])) {
            prop_assert_eq!(a.contains(tuple), x.contains(tuple));
        }
        prop_assert!(!a.contains(&[0; 5]), "a tuple of another length");
        if levels > 0 {
            prop_assert!(!a.contains(&[]));
        }
    }

    /// Equal sets have equal roots, whatever they were built by.
    #[test]
    fn canonicity((levels, sets) in families(3, 1..=4), rotation in 0..14usize) {
        let (space, budget) = (small_space(levels), unlimited());
        let roots: Vec<_> = sets.iter().map(|set| build(&space, set)).collect();
        let [a, b, c] = &roots[..] else { unreachable!() };
        let union = |x: &Mdd, y: &Mdd| x.union(y, &budget).unwrap();
        let both = |x: &Mdd, y: &Mdd| x.intersection(y, &budget).unwrap();
        let minus = |x: &Mdd, y: &Mdd| x.difference(y, &budget).unwrap();
        let mut turned: Vec<_> = sets[0].iter().cloned().collect();
        turned.rotate_left(rotation % sets[0].len().max(1));
        let again = turned.iter().rev().fold(space.empty(), |set, t| union(&space.tuple(t, &budget).unwrap(), &set));
        prop_assert!(again == *a);
        prop_assert!(union(&union(a, b), c) == union(a, &union(b, c)));
        prop_assert!(both(a, &union(b, c)) == union(&both(a, b), &both(a, c)));
        prop_assert!(minus(a, &union(b, c)) == minus(&minus(a, b), c));
        prop_assert!(minus(a, &minus(a, b)) == both(a, b));
        prop_assert!(union(&minus(a, b), &both(a, b)) == *a);
        prop_assert!(minus(&union(a, b), &union(b, a)) == space.empty());
    }

    /// A long series of operations, with collections at any point, gives what the same series on sets of
    /// tuples gives; in the end nothing is left.
    #[test]
    fn series_with_collections(
        (levels, sets) in families(4, 1..=4),
        steps in prop::collection::vec((0..6u8, 0..4usize, 0..4usize, 0..4usize), 1..60),
    ) {
        let (space, budget) = (small_space(levels), unlimited());
        let mut pool: Vec<(Mdd, Tuples)> = sets.iter().map(|set| (build(&space, set), set.clone())).collect();
        for (operation, i, j, target) in steps {
            let ((a, x), (b, y)) = (&pool[i], &pool[j]);
            let result = match operation {
                0 => (a.union(b, &budget).unwrap(), x | y),
                1 => (a.intersection(b, &budget).unwrap(), x & y),
                2 => (a.difference(b, &budget).unwrap(), x - y),
                3 => {
                    prop_assert_eq!(a.is_subset(b, &budget).unwrap(), x.is_subset(y));
                    (build(&space, x), x.clone())
                }
                4 => {
                    space.collect_garbage();
                    (a.clone(), x.clone())
                }
                _ => (space.empty(), Tuples::new()),
            };
            prop_assert_eq!(&tuples(&result.0), &result.1);
            pool[target] = result;
        }
        for (set, expected) in &pool {
            check_against(&space, set, expected);
        }
        drop(pool);
        space.collect_garbage();
        prop_assert_eq!(space.node_count(), 0);
    }

    /// A copy into another space, components permuted and shifted.
    #[test]
    fn transfer((levels, sets) in families(1, 0..=4), rotation in 0..4usize, swap in any::<bool>(), shifts in prop::collection::vec(-2..=2i64, 4)) {
        let mut order: Vec<u32> = (0..levels as u32).collect();
        order.rotate_left(rotation % levels.max(1));
        if swap && levels > 1 {
            order.swap(0, 1);
        }
        let shifts = &shifts[..levels];
        let moved = |tuple: &Vec<u32>| {
            order.iter().zip(shifts).map(|(&l, s)| u32::try_from(i64::from(tuple[l as usize]) + s).ok()).collect::<Option<Vec<u32>>>()
        };
        let expected: Option<Tuples> = sets[0].iter().map(moved).collect();
        let (from, to) = (small_space(levels), small_space(levels));
        let changes: Vec<Change> = shifts.iter().map(|&shift| Change::Shift(shift)).collect();
        let copy = build(&from, &sets[0]).transfer(&to, &order, &changes, &unlimited());
        match expected {
            Some(expected) => check_against(&to, &copy.unwrap(), &expected),
            None => prop_assert!(matches!(copy, Err(TransferError::OutOfRange(_)))),
        }
        // Within one space too.
        let copy = build(&from, &sets[0]).transfer(&from, &order, &vec![Change::Shift(0); levels], &unlimited()).unwrap();
        prop_assert_eq!(copy.count(&unlimited()).unwrap(), BigUint::from(sets[0].len()));
    }

    /// A copy of some components alone: what some member has there.
    #[test]
    fn transfer_of_some((levels, sets) in families(1, 1..=4), rotation in 0..4usize, kept in 0..=4usize) {
        let mut order: Vec<u32> = (0..levels as u32).collect();
        order.rotate_left(rotation % levels);
        order.truncate(kept);
        let expected: Tuples = sets[0].iter().map(|tuple| order.iter().map(|&l| tuple[l as usize]).collect()).collect();
        let to = small_space(order.len());
        let copy = build(&small_space(levels), &sets[0]).rearranged(&to, &order, &unlimited()).unwrap();
        check_against(&to, &copy, &expected);
    }

    /// The paths of the picture are the tuples of the set.
    #[test]
    fn dot((levels, sets) in families(1, 1..=4)) {
        let names: Vec<_> = (0..levels).map(|l| format!("x{l} \"a\\b\" -> {{;}}")).collect();
        let dot = build(&small_space(levels), &sets[0]).to_dot(&names);
        let (head, tail) = (dot.starts_with("digraph mdd {\n"), dot.ends_with("}\n"));
        prop_assert!(head && tail);
        let mut edges: BTreeMap<&str, Vec<(u32, &str)>> = BTreeMap::new();
        let mut declared = BTreeSet::from(["unit"]);
        for line in dot.lines() {
            prop_assert!(quotes_are_balanced(line), "{}", line);
            if let Some(rank) = line.trim().strip_prefix("{ rank=same; ") {
                declared.extend(rank.trim_end_matches([' ', '}']).split("; ").skip(1));
            } else if line.starts_with("  n") && line.contains(" -> ") {
                let (from, rest) = line.trim().trim_end_matches("\"];").split_once(" -> ").unwrap();
                let (to, values) = rest.split_once(" [label=\"").unwrap();
                prop_assert!(declared.contains(from), "{}", line);
                for value in values.split(',') {
                    edges.entry(from).or_default().push((value.parse().unwrap(), to));
                }
            }
        }
        let mut found = Tuples::new();
        let mut open = if sets[0].is_empty() { vec![] } else { vec![(Vec::new(), "n0_0")] };
        while let Some((tuple, node)) = open.pop() {
            if node == "unit" {
                prop_assert_eq!(tuple.len(), levels);
                prop_assert!(found.insert(tuple));
                continue;
            }
            prop_assert!(declared.contains(node), "{}", node);
            for &(value, child) in &edges[node] {
                open.push((tuple.iter().copied().chain([value]).collect(), child));
            }
        }
        prop_assert_eq!(&found, &sets[0]);
    }

    #[test]
    fn save_and_load((levels, sets) in families(1, 0..=4), texts in prop::collection::vec(odd_text(), 6), offsets in any::<[u32; 4]>()) {
        let saved = saved(levels, &sets[0], &texts, &offsets);
        let mut file = Vec::new();
        saved.save(&mut file).unwrap();
        let loaded = load(&file).unwrap();
        prop_assert_eq!(&loaded.model, &saved.model);
        prop_assert_eq!(&loaded.formula, &saved.formula);
        prop_assert_eq!(&loaded.names, &saved.names);
        prop_assert_eq!(&loaded.offsets, &saved.offsets);
        check_against(&loaded.set.space(), &loaded.set, &sets[0]);
        // What is cut short is refused, wherever the cut is: in the header and at the end at each byte, between them at one in
        // eight, as each attempt makes a manager with threads of its own.
        let middle = 64..file.len().saturating_sub(64);
        for cut in (0..file.len() - 1).filter(|cut| !middle.contains(cut) || cut % 8 == offsets[0] as usize % 8) {
            prop_assert!(load(&file[..cut]).is_err(), "cut at {}", cut);
        }
    }

    /// Damaged files are refused, or read as some set that is well-formed; never a panic.
    #[test]
    fn combining_sets_of_other_orders(
        (levels, sets) in families(2, 1..=4),
        rotation in 0..4usize,
        shift in 0..3u64,
    ) {
        let budget = unlimited();
        let turned = |tuple: &Vec<u32>| -> Vec<u32> { (0..levels).map(|l| tuple[(l + rotation) % levels]).collect() };
        let names: Vec<String> = (0..levels).map(|l| format!("c{l}")).collect();
        let small: Vec<Tuples> =
            sets.iter().map(|set| set.iter().map(|t| t.iter().map(|&v| v.min(9) + 2).collect()).collect()).collect();
        let save = |names: Vec<String>, offsets: Vec<i128>, tuples: &Tuples| SavedSet {
            model: "m".into(),
            formula: String::new(),
            names,
            offsets,
            values: vec![Vec::new(); levels],
            set: build(&small_space(levels), tuples),
        };
        let first = save(names.clone(), vec![0; levels], &small[0]);
        // The second set: components rotated, and offsets that its values are reduced by.
        let reduced = small[1].iter().map(|t| turned(&t.iter().map(|&v| v - shift as u32).collect())).collect();
        let second = save((0..levels).map(|l| names[(l + rotation) % levels].clone()).collect(), vec![shift.into(); levels], &reduced);
        let copy = first.matching(&second, &budget).unwrap();
        prop_assert_eq!(tuples(&copy), small[1].clone());
        prop_assert_eq!(copy == first.set, small[0] == small[1]);
        // The other way round, the numbers of the first count from less.
        let lower = second.clone().beside(&SavedSet { offsets: vec![0; levels], ..second.clone() }, &budget).unwrap();
        let copy = lower.matching(&first, &budget).unwrap();
        prop_assert_eq!(copy == lower.set, small[0] == small[1]);
        let strange = save((0..levels).map(|l| format!("d{l}")).collect(), vec![0; levels], &small[1]);
        prop_assert!(first.matching(&strange, &budget).is_err());
    }

    #[test]
    fn damaged_files(
        (levels, sets) in families(1, 0..=3),
        texts in prop::collection::vec(odd_text(), 6),
        damages in prop::collection::vec((any::<prop::sample::Index>(), damage()), 1..4),
    ) {
        let mut file = Vec::new();
        saved(levels, &sets[0], &texts, &[0; 4]).save(&mut file).unwrap();
        for (place, damage) in damages {
            if file.is_empty() {
                break;
            }
            damage.apply(&mut file, place);
        }
        if let Ok(loaded) = load(&file) {
            let levels = loaded.set.space().levels() as usize;
            prop_assert_eq!(loaded.names.len(), levels);
            let members = tuples(&loaded.set);
            check_against(&loaded.set.space(), &loaded.set, &members);
            let mut again = Vec::new();
            loaded.save(&mut again).unwrap();
            prop_assert_eq!(tuples(&load(&again).unwrap().set), members);
        }
    }
}

fn quotes_are_balanced(line: &str) -> bool {
    let (mut inside, mut escaped) = (false, false);
    for c in line.chars() {
        match (inside, escaped, c) {
            (true, true, _) => escaped = false,
            (true, false, '\\') => escaped = true,
            (_, false, '"') => inside = !inside,
            _ => {}
        }
    }
    !inside
}

fn odd_text() -> impl Strategy<Value = String> {
    let part = prop::sample::select(vec![
        "a", " ", "\n", "\r", "\r\n", "\\", "\\n", "\"", ":", "end", "layer 3", "\u{2028}", "é", "\u{85}", "\0", "\t",
        "0:0",
    ]);
    prop::collection::vec(part, 0..5).prop_map(|parts| parts.concat())
}

fn saved(levels: usize, set: &Tuples, texts: &[String], offsets: &[u32]) -> SavedSet {
    SavedSet {
        model: texts[0].clone(),
        formula: texts[1].clone(),
        names: texts[2..2 + levels].to_vec(),
        offsets: offsets[..levels].iter().map(|&o| (i128::from(o) << 20) - 1000).collect(),
        values: vec![Vec::new(); levels],
        set: build(&small_space(levels), set),
    }
}

/// A way to damage a file.
#[derive(Clone, Debug)]
enum Damage {
    Replace(u8),
    Insert(Vec<u8>),
    Remove(usize),
    DuplicateLine,
    RemoveLine,
    SwapLines,
}

fn damage() -> impl Strategy<Value = Damage> {
    let piece = prop::sample::select(vec![
        "0",
        "9",
        " ",
        ":",
        "\n",
        "-",
        "99999999999999999999",
        "4294967296",
        "empty",
        "\u{FFFD}",
    ]);
    prop_oneof![
        any::<u8>().prop_map(Damage::Replace),
        piece.prop_map(|piece| Damage::Insert(piece.into())),
        (1..20usize).prop_map(Damage::Remove),
        Just(Damage::DuplicateLine),
        Just(Damage::RemoveLine),
        Just(Damage::SwapLines),
    ]
}

impl Damage {
    fn apply(&self, file: &mut Vec<u8>, place: prop::sample::Index) {
        let at = place.index(file.len());
        let mut lines: Vec<Vec<u8>> = file.split_inclusive(|&b| b == b'\n').map(<[u8]>::to_vec).collect();
        let line = place.index(lines.len());
        match self {
            Damage::Replace(byte) => return file[at] = *byte,
            Damage::Insert(bytes) => return drop(file.splice(at..at, bytes.iter().copied())),
            Damage::Remove(count) => return drop(file.drain(at..(at + count).min(file.len()))),
            Damage::DuplicateLine => lines.insert(line, lines[line].clone()),
            Damage::RemoveLine => drop(lines.remove(line)),
            Damage::SwapLines => {
                let other = (line * 7 + 1) % lines.len();
                lines.swap(line, other);
            }
        }
        *file = lines.concat();
    }
}

#[test]
fn refusals_name_the_line() {
    let load = |text: &str| load(text.as_bytes()).map_err(|e| e.to_string());
    let head = "starset-set 1\nmodel m\nformula f\nlevels 1\nlevel 0 p\n";
    let refused = |text: &str| load(&format!("{head}{text}")).unwrap_err();
    assert_eq!(tuples(&load(&format!("{head}layer 1\n0:0 3:0\nroot 0\nend\n")).unwrap().set).len(), 2);
    assert!(load("").unwrap_err().starts_with("line 1: "));
    assert!(load("starset-set 3\n").unwrap_err().contains("version 3"));
    assert!(load("P6\n").unwrap_err().contains("not a saved set"));
    assert!(refused("layer 1\n0:1\nroot 0\nend\n").starts_with("line 7: child 1 does not exist"));
    assert!(refused("layer 1\n3:0 0:0\nroot 0\nend\n").contains("must increase"));
    assert!(refused("layer 1\n0:0 0:0\nroot 0\nend\n").contains("must increase"));
    assert!(refused("layer 1\n\nroot 0\nend\n").contains("VALUE:CHILD"));
    assert!(refused("layer 1\n4294967296:0\nroot 0\nend\n").contains("VALUE:CHILD"));
    assert!(refused("layer 99999999999999999999\n").contains("number"));
    assert!(
        refused("layer 4294967295\n0:0\n").contains("VALUE:CHILD") || refused("layer 9\n0:0\n").contains("truncated")
    );
    assert!(
        load("starset-set 1\nmodel m\nformula f\nlevels 1\nlevel 18446744073709551615 p\n")
            .unwrap_err()
            .contains("2^64")
    );
    assert!(refused("layer 1\n0:0\nroot 1\nend\n").contains("root does not exist"));
    assert!(refused("layer 1\n0:0\nroot 0\n").contains("truncated"));
    assert!(refused("layer 1\n0:0\nroot 0\nfin\n").contains("`end`"));
}

/// Sets are matched by the names of their components, which must be unambiguous.
#[test]
fn matching_by_name() {
    let texts = |names: [&str; 2]| ["m", "f", names[0], names[1]].map(str::to_owned);
    let set = Tuples::from([vec![1, 0], vec![1, 5]]);
    let own = saved(2, &Tuples::new(), &texts(["p", "q"]), &[1, 0]);
    let copy = own.matching(&saved(2, &set, &texts(["q", "p"]), &[0, 1]), &unlimited()).unwrap();
    check_against(&own.set.space(), &copy, &Tuples::from([vec![0, 1], vec![5, 1]]));
    let refused = |first: &SavedSet, second: &SavedSet| first.matching(second, &unlimited()).unwrap_err();
    let twice = saved(2, &set, &texts(["p", "p"]), &[0, 0]);
    assert!(matches!(refused(&twice, &twice), MatchError::Repeated(name, _) if name == "p"));
    assert!(matches!(refused(&own, &twice), MatchError::Repeated(..)));
    assert!(matches!(refused(&own, &saved(2, &set, &texts(["p", "r"]), &[0, 0])), MatchError::Component(..)));
    // Offsets so far apart that the shift alone fits 64 bits barely or not.
    for offset in [1 << 62, u64::MAX - u64::from(u32::MAX)] {
        let far = SavedSet { offsets: vec![offset.into(), 0], ..saved(2, &set, &texts(["p", "q"]), &[0, 0]) };
        assert!(matches!(refused(&own, &far), MatchError::Transfer(TransferError::OutOfRange(_))));
    }
    let odd = SavedSet { names: vec!["p".into()], ..own };
    assert_eq!(odd.save(&mut Vec::new()).unwrap_err().kind(), std::io::ErrorKind::InvalidInput);
}

/// Values that have names are matched by them.
#[test]
fn matching_values_by_name() {
    let names = |names: &[&str]| -> Vec<String> { names.iter().map(|&name| name.to_owned()).collect() };
    let save = |components: [&str; 2], values: [&[&str]; 2], set: &[[u32; 2]]| SavedSet {
        values: values.map(names).into(),
        ..saved(
            2,
            &set.iter().map(|t| t.to_vec()).collect(),
            &names(&["m", "f", components[0], components[1]]),
            &[0, 0],
        )
    };
    let own = save(["p", "q"], [&["a", "b", "c"], &[]], &[]);
    let other = save(["q", "p"], [&[], &["c", "a", "b"]], &[[7, 0], [7, 1], [8, 2]]);
    for (first, second, expected) in
        [(&own, &other, [[2, 7], [0, 7], [1, 8]]), (&other, &other, [[7, 0], [7, 1], [8, 2]])]
    {
        let mut file = Vec::new();
        second.save(&mut file).unwrap();
        let read = load(&file).unwrap();
        assert_eq!(read.values, second.values);
        let copy = first.matching(&read, &unlimited()).unwrap();
        check_against(&first.set.space(), &copy, &expected.iter().map(|t| t.to_vec()).collect());
    }
    // Names of values that a member has are those of both sets; others may be missing.
    let own = save(["p", "q"], [&["a", "b", "c"], &[]], &[[2, 7]]);
    let refused = |values: [&[&str]; 2]| own.matching(&save(["p", "q"], values, &[]), &unlimited()).unwrap_err();
    for values in [&["a", "b"][..], &["a", "b", "d"], &["x"]] {
        assert!(matches!(refused([values, &[]]), MatchError::Value { value, .. } if value == "c"), "{values:?}");
        let with = |members: &[[u32; 2]]| save(["p", "q"], [values, &[]], members);
        let back = with(&[]).matching(&own, &unlimited()).unwrap_err();
        assert!(matches!(back, MatchError::Value { value, .. } if value == "c"), "{values:?}");
    }
    let more = |members: &[[u32; 2]]| save(["p", "q"], [&["x", "c", "y", "a"], &[]], members);
    for member in [[0, 7], [2, 7]] {
        let set = more(&[[3, 7], member]);
        for (first, second) in [(&own, &set), (&set, &own)] {
            let refused = first.matching(second, &unlimited()).unwrap_err();
            assert!(matches!(refused, MatchError::Value { value, .. } if ["x", "y"].contains(&&*value)));
        }
    }
    let set = more(&[[3, 7], [1, 8]]);
    check_against(
        &own.set.space(),
        &own.matching(&set, &unlimited()).unwrap(),
        &[vec![0, 7], vec![2, 8]].into_iter().collect(),
    );
    check_against(&set.set.space(), &set.matching(&own, &unlimited()).unwrap(), &[vec![1, 7]].into_iter().collect());
    assert!(matches!(refused([&[], &[]]), MatchError::Unnamed(name) if name == "p"));
    assert!(matches!(refused([&["a", "b", "c"], &["x"]]), MatchError::Unnamed(name) if name == "q"));
    assert!(matches!(refused([&["a", "b", "c", "a"], &[]]), MatchError::Repeated(..)));
    let nameless = save(["p", "q"], [&["a"], &[]], &[[1, 0]]);
    let mut file = Vec::new();
    nameless.save(&mut file).unwrap();
    assert!(load(&file).unwrap_err().to_string().contains("value 1 has no name"));
}

/// The space of no components has two sets.
#[test]
fn no_levels() {
    let (space, budget) = (small_space(0), unlimited());
    let (empty, unit) = (space.empty(), space.tuple(&[], &budget).unwrap());
    check_against(&space, &empty, &Tuples::new());
    check_against(&space, &unit, &Tuples::from([vec![]]));
    assert_eq!((empty.maximum_of_sum(&[]), unit.maximum_of_sum(&[])), (None, Some(0)));
    assert!(unit.contains(&[]) && !empty.contains(&[]));
    assert!(unit.difference(&unit, &budget).unwrap() == empty);
    assert!(unit.union(&empty, &budget).unwrap() == unit);
    assert!(empty.is_subset(&unit, &budget).unwrap() && !unit.is_subset(&empty, &budget).unwrap());
}

/// Counts around and far beyond 128 bits.
#[test]
fn large_counts() {
    for (levels, values, base) in
        [(63, &[0, 1][..], 2u32), (127, &[0, 1], 2), (128, &[0, 1], 2), (129, &[0, 5], 2), (200, &[0, 1, 9], 3)]
    {
        let space = small_space(levels);
        let set = full(&space, values);
        let expected = BigUint::from(base).pow(levels as u32);
        assert_eq!(set.count(&unlimited()).unwrap(), expected);
        assert_eq!((set.size().nodes, set.size().edges), (levels, levels * values.len()));
        // Without the smallest tuple: one less, and two nodes per level but the first.
        let first = space.tuple(&vec![values[0]; levels], &unlimited()).unwrap();
        let rest = set.difference(&first, &unlimited()).unwrap();
        assert_eq!(rest.count(&unlimited()).unwrap(), expected - 1u32);
        assert_eq!(rest.members().next().unwrap()[levels - 1], values[1]);
        assert_eq!(set.maxima().unwrap().sum, levels as u64 * u64::from(values[values.len() - 1]));
    }
}

/// A random-looking tuple, the same for the same number.
fn scrambled(number: u64, levels: usize, values: u64) -> Vec<u32> {
    let mut state = number.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x5555;
    (0..levels)
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state % values) as u32
        })
        .collect()
}

/// Sets of different spaces, tuples of another length, orders that are none: errors, and the operands stay as they
/// were.
#[test]
fn spaces_do_not_mix() {
    let (one, other, budget) = (small_space(2), small_space(2), unlimited());
    let (a, b) = (one.tuple(&[1, 2], &budget).unwrap(), other.tuple(&[1, 2], &budget).unwrap());
    assert_ne!(a, b);
    for (a, b) in [(&a, &b), (&b, &a), (&a, &other.empty()), (&one.empty(), &b)] {
        assert_eq!(a.union(b, &budget), Err(SetError::OtherSpace));
        assert_eq!(a.intersection(b, &budget), Err(SetError::OtherSpace));
        assert_eq!(a.difference(b, &budget), Err(SetError::OtherSpace));
        assert_eq!(a.is_subset(b, &budget), Err(SetError::OtherSpace));
    }
    for tuple in [&[][..], &[1], &[1, 2, 3]] {
        let components = tuple.len();
        assert_eq!(one.tuple(tuple, &budget), Err(SetError::Components { components, levels: 2 }));
        assert!(!a.contains(tuple));
    }
    let shift = || Change::Shift(0);
    for (levels, changes) in [
        (vec![0, 0], vec![shift(), shift()]),
        (vec![0, 2], vec![shift(), shift()]),
        (vec![1], vec![shift()]),
        (vec![1, 0], vec![shift()]),
    ] {
        assert_eq!(a.transfer(&other, &levels, &changes, &budget), Err(TransferError::Levels), "{levels:?}");
    }
    let same = (vec![0, 1], vec![shift(), shift()]);
    assert_eq!(a.transfer(&small_space(3), &same.0, &same.1, &budget), Err(TransferError::Levels));
    assert_eq!(a.transfer(&other, &same.0, &same.1, &budget), Ok(b));
    let texts = ["model", "formula", "p", "q"].map(str::to_owned);
    let saved = saved(2, &Tuples::from([vec![1, 2]]), &texts, &[0, 0]);
    let short = SavedSet { offsets: vec![0], ..saved.clone() };
    assert!(matches!(saved.matching(&short, &budget), Err(MatchError::Transfer(TransferError::Levels))));
    assert!(matches!(short.matching(&saved, &budget), Err(MatchError::Transfer(TransferError::Levels))));
    assert_eq!(a.count(&budget).unwrap(), 1u32.into());
}

/// When the store is full, operations end in an error, and everything else goes on.
#[test]
#[cfg_attr(miri, ignore = "thousands of operations, each of which takes Miri seconds")]
fn full_store() {
    let budget = unlimited().with_memory(1 << 20);
    let space = MddManager::new(40, &budget).unwrap();
    let sample: Tuples = (0..200).map(|i| scrambled(i, 40, 4)).collect();
    let kept = build(&space, &sample);
    for round in 0..3 {
        let mut grown = kept.clone();
        let outcome = (0..10_000).try_for_each(|i| {
            let tuple = space.tuple(&scrambled(1_000 + i, 40, 4), &unlimited())?;
            grown = grown.union(&tuple, &unlimited())?;
            Ok(())
        });
        assert_eq!(outcome, Err(SetError::Exhausted(Exhausted::Memory)), "round {round}");
        // The operands are as they were.
        assert!(kept.is_subset(&grown, &unlimited()).unwrap());
        assert_eq!(tuples(&kept), sample);
        drop(grown);
        space.collect_garbage();
        assert_eq!(space.node_count(), kept.size().nodes);
    }
    drop(kept);
    space.collect_garbage();
    assert_eq!(space.node_count(), 0);
}

/// Garbage of many small operations is collected, although none of them is long enough to notice.
#[test]
#[cfg_attr(miri, ignore = "makes millions of nodes")]
fn small_operations_collect() {
    // In a space for 256 MB a collection is due at four million nodes, and twelve million are made. The operations have
    // no limit, which would be one of the whole process: other tests run beside this one.
    let space = MddManager::new(50, &unlimited().with_memory(256 << 20)).unwrap();
    let budget = unlimited();
    for i in 0..60_000 {
        let a = space.tuple(&scrambled(2 * i, 50, 4), &budget).unwrap();
        let b = space.tuple(&scrambled(2 * i + 1, 50, 4), &budget).unwrap();
        let union = a.union(&b, &budget).unwrap();
        assert!(a.is_subset(&union, &budget).unwrap());
    }
    assert!(space.peak_nodes() < 5_000_000, "{}", space.peak_nodes());
}

/// Threads work in one space while all of them collect garbage.
#[test]
fn threads() {
    let (rounds, levels) = if cfg!(miri) { (2, 2) } else { (400, 8) };
    let space = small_space(levels);
    let common: Tuples = (0..20).map(|i| scrambled(i, levels, 3)).collect();
    let shared = build(&space, &common);
    std::thread::scope(|scope| {
        for thread in 0..4u64 {
            let (space, shared, common) = (&space, &shared, &common);
            scope.spawn(move || {
                let budget = unlimited();
                let (mut set, mut expected) = (shared.clone(), common.clone());
                for round in 0..rounds {
                    // Half of the rounds do what other threads do too, so that cached results are shared.
                    let seed = if round % 2 == 0 { round } else { round * 31 + thread };
                    let other: Tuples = (0..6).map(|i| scrambled(seed * 100 + i, levels, 3)).collect();
                    let operand = build(space, &other);
                    (set, expected) = match seed % 4 {
                        0 | 1 => (set.union(&operand, &budget).unwrap(), &expected | &other),
                        2 => (set.difference(&operand, &budget).unwrap(), &expected - &other),
                        _ => (
                            set.intersection(&operand.union(shared, &budget).unwrap(), &budget).unwrap(),
                            &expected & &(&other | common),
                        ),
                    };
                    if (round + thread) % 5 == 0 {
                        space.collect_garbage();
                    }
                    assert_eq!(tuples(&set), expected);
                }
            });
        }
    });
    assert_eq!(tuples(&shared), common);
    drop(shared);
    space.collect_garbage();
    assert_eq!(space.node_count(), 0);
}

/// A cancelled or late operation ends without a result and leaves no nodes behind.
#[test]
#[cfg_attr(miri, ignore = "needs operations that are long enough to look at the clock")]
fn interrupted() {
    let space = small_space(60);
    let all = full(&space, &[0, 1]);
    let without = |from: u64| {
        let some = build(&space, &(from..from + 300).map(|i| scrambled(i, 60, 2)).collect());
        all.difference(&some, &unlimited()).unwrap()
    };
    let (a, b) = (without(0), without(1_000));
    let late = unlimited().with_time(std::time::Duration::ZERO);
    assert_eq!(a.union(&b, &late), Err(Exhausted::Time.into()));
    let flag = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(true));
    assert_eq!(a.difference(&b, &unlimited().with_flag(flag)), Err(Exhausted::Cancelled.into()));
    let nodes = a.size().nodes + b.size().nodes + all.size().nodes;
    space.collect_garbage();
    assert!(space.node_count() <= nodes);
    drop((a, b, all));
    space.collect_garbage();
    assert_eq!(space.node_count(), 0);
}

/// The picture of a known set, letter by letter.
#[test]
fn dot_of_two_tuples() {
    let set = build(&small_space(2), &Tuples::from([vec![0, 1], vec![3, 1]]));
    let mut expected = String::from("digraph mdd {\n  node [shape=circle, label=\"\", width=0.2];\n");
    expected.push_str("  edge [arrowsize=0.5];\n");
    writeln!(expected, "  l0 [shape=plaintext, label=\"p\\\"q\"];\n  {{ rank=same; l0; n0_0 }}").unwrap();
    writeln!(expected, "  l0 -> l1 [style=invis];\n  n0_0 -> n1_0 [label=\"0,3\"];").unwrap();
    writeln!(expected, "  l1 [shape=plaintext, label=\"1\"];\n  {{ rank=same; l1; n1_0 }}").unwrap();
    expected.push_str("  n1_0 -> unit [label=\"1\"];\n  unit [shape=square];\n}\n");
    assert_eq!(set.to_dot(&["p\"q".to_owned()]), expected);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: CASES, ..ProptestConfig::default() })]

    /// Levels of bits, in any order, as levels of values, and back.
    #[test]
    fn bits_are_values(values in prop::collection::btree_set(prop::collection::vec(0u32..8, 3), 0..12), seed in 0u64..1000) {
        let values: Tuples = values.into_iter().filter(|tuple| tuple[1] < 4).collect();
        // Which levels are the bits of which value.
        let mut levels: Vec<u32> = (0..8).collect();
        let mut rng = crate::rng::Rng::new(seed);
        rng.shuffle(&mut levels);
        let groups: Vec<Vec<u32>> = [0..3, 3..5, 5..8].map(|part| levels[part].to_vec()).to_vec();
        let (apart, whole) = (small_space(8), small_space(3));
        let bits = |tuple: &Vec<u32>| {
            let mut bits = vec![0; 8];
            for (group, value) in groups.iter().zip(tuple) {
                group.iter().enumerate().for_each(|(bit, &level)| bits[level as usize] = value >> bit & 1);
            }
            bits
        };
        let set = build(&apart, &values.iter().map(bits).collect());
        let joined = set.with_values(&whole, &groups, &unlimited()).unwrap();
        prop_assert_eq!(&tuples(&joined), &values);
        prop_assert_eq!(joined.with_bits(&apart, &groups, &unlimited()).unwrap(), set);
        // What has more bits is left out.
        let wide = build(&whole, &Tuples::from([vec![1, 4, 1], vec![8, 1, 1], vec![7, 3, 7]]));
        let there = wide.with_bits(&apart, &groups, &unlimited()).unwrap();
        prop_assert_eq!(tuples(&there), Tuples::from([bits(&vec![7, 3, 7])]));
    }
}
