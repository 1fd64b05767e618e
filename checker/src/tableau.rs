//! The automaton of a path formula, by the textbook tableau (Couvreur, FM 1999).
//!
//! A location is a set of formulas that the rest of the path has yet to satisfy. Each edge is one way to satisfy them
//! now: a *guard* (state formulas that hold now, and what is said of the next step), what is left for the next position, and *marks*: one for each `a U b`
//! that is not put off on this edge. A path is accepted if each mark is seen again and again.
//!
//! The path formula is in the form that is checked; its state formulas, as large as possible, are the letters. For `A φ` the
//! automaton of `¬φ` is made from φ itself: ∧ and ∨, U and R are exchanged, and a letter stands for its negation.
//!
//! Of edges from one location, one is left out if another asks for no more now and later and has as many marks. Locations with equal
//! edges are one. docs/certificates.md says why both change nothing, and gives the numbering, which is part of the format.

use crate::effort::{LIMIT, keep, work};
use crate::formula::{Id, Node, Pool};
use crate::{Checked, refuse};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// An edge of an automaton.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Edge {
    /// State formulas that hold (whose negations hold, in an automaton of `¬φ`) where it is taken, and formulas about the step
    /// that is taken there. Ascending.
    pub guard: Vec<Id>,
    /// The location it leads to.
    pub target: usize,
    /// Its marks, as bits.
    pub marks: u64,
}

impl Edge {
    /// The letters about states.
    pub fn letters(&self, pool: &Pool) -> Vec<Id> {
        self.guard.iter().copied().filter(|&letter| pool.is_state(letter)).collect()
    }

    /// May a step with this label, or without any the repetition of a deadlock, take it, for all that letters about steps
    /// say? Those of the automaton of a negation stand for their negations.
    pub fn takes(&self, pool: &Pool, label: Option<usize>, negated: bool) -> bool {
        self.guard.iter().all(|&letter| pool.of_step(letter, label) != Some(negated))
    }

    /// Which of so many labels the steps that may take it have; none if it says nothing of steps.
    pub fn labels(&self, pool: &Pool, labels: usize, negated: bool) -> Option<Vec<usize>> {
        if self.guard.iter().all(|&letter| pool.is_state(letter)) {
            return None;
        }
        Some((0..labels).filter(|&label| self.takes(pool, Some(label), negated)).collect())
    }
}

/// The automaton of a path formula, or of its negation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tableau {
    /// The edges of each location. The first location is number 0.
    pub edges: Vec<Vec<Edge>>,
    /// How many marks there are.
    pub marks: usize,
    /// The location from which everything is accepted, if there is one.
    pub top: Option<usize>,
}

/// More edges of one location, or locations, are refused.
const MOST: usize = 20_000;

/// A way to satisfy formulas that is being worked out.
#[derive(Clone, Default)]
struct Way {
    todo: Vec<Id>,
    seen: BTreeSet<Id>,
    guard: BTreeSet<Id>,
    next: BTreeSet<Id>,
    postponed: u64,
}

impl Way {
    fn size(&self) -> usize {
        1 + self.todo.len() + self.seen.len() + self.guard.len() + self.next.len()
    }
}

/// A way to satisfy a set of formulas: guard, what is left, marks.
type Row = (Vec<Id>, Vec<Id>, u64);

impl Tableau {
    /// The automaton of a path formula, or of its negation. `lemma_1` and `lemma_2` of `proofs/Automaton.v`.
    ///
    /// # Errors
    /// When it is too large.
    pub fn new(pool: &Pool, path: Id, negated: bool) -> Checked<Tableau> {
        Tableau::with_locations(pool, path, negated, without_asked)
    }

    /// The same, where something is left out of locations that changes none of their ways.
    fn with_locations(
        pool: &Pool,
        path: Id,
        negated: bool,
        shortened: fn(&Pool, Vec<Id>, bool) -> Checked<Vec<Id>>,
    ) -> Checked<Tableau> {
        let mut untils = Vec::new();
        collect(pool, path, negated, &mut untils, &mut BTreeSet::new());
        if untils.len() > 60 {
            return refuse(format!("a path formula has more operators U {LIMIT}"));
        }
        let mark_of: HashMap<Id, u64> = untils.iter().enumerate().map(|(at, &until)| (until, 1 << at)).collect();
        let all = (1u64 << untils.len()) - 1;
        let mut numbers: BTreeMap<Vec<Id>, usize> = BTreeMap::from([(vec![path], 0)]);
        let mut locations = vec![vec![path]];
        let mut edges: Vec<Vec<Edge>> = Vec::new();
        let mut is_smaller = false;
        while let Some(location) = locations.get(edges.len()).cloned() {
            let mut found = Vec::new();
            for (guard, next, marks) in rows(pool, &location, negated, &mark_of, all)? {
                keep(1 + guard.len() + next.len())?;
                let before = next.len();
                let next = shortened(pool, next, negated)?;
                is_smaller |= next.len() < before;
                let number = *numbers.entry(next.clone()).or_insert_with(|| {
                    locations.push(next);
                    locations.len() - 1
                });
                found.push(Edge { guard, target: number, marks });
            }
            edges.push(found);
            if locations.len() > MOST {
                return refuse(format!("the automaton of a path formula has more edges or locations {LIMIT}"));
            }
        }
        let top = numbers.get(&Vec::new()).copied();
        merge(Tableau { edges, marks: untils.len(), top }, is_smaller)
    }
}

/// A location without each `a U b` that another formula, `c R (a U b)`, asks for anyway: it has the same ways to be satisfied, and so
/// the same edges. Locations with equal edges are one in the end (`merged_locations` of `proofs/Tableau.v`); of k formulas `G F a` there
/// would be 2^k of them.
fn without_asked(pool: &Pool, mut location: Vec<Id>, negated: bool) -> Checked<Vec<Id>> {
    let (mut open, mut asked) = (location.clone(), BTreeSet::new());
    while let Some(id) = open.pop() {
        work(1)?;
        match (&pool[id], negated) {
            _ if pool.is_state(id) => {}
            (Node::Release(_, b), false) | (Node::Until(_, b), true) if asked.insert(*b) => open.push(*b),
            (Node::And(list), false) | (Node::Or(list), true) if asked.contains(&id) => {
                open.extend(list.iter().filter(|&&operand| asked.insert(operand)));
            }
            _ => {}
        }
    }
    let is_until = |id: &Id| matches!((&pool[*id], negated), (Node::Until(..), false) | (Node::Release(..), true));
    location.retain(|id| pool.is_state(*id) || !is_until(id) || !asked.contains(id));
    Ok(location)
}

/// The operators U outside of letters, operands first.
fn collect(pool: &Pool, id: Id, negated: bool, untils: &mut Vec<Id>, seen: &mut BTreeSet<Id>) {
    if pool.is_state(id) || !seen.insert(id) {
        return;
    }
    pool[id].operands().into_iter().for_each(|operand| collect(pool, operand, negated, untils, seen));
    if matches!((&pool[id], negated), (Node::Until(..), false) | (Node::Release(..), true)) {
        untils.push(id);
    }
}

/// All ways to satisfy a set of formulas, the best ones, in order: `edges` of `proofs/Automaton.v`, `without_worse` of
/// `proofs/Tableau.v`.
fn rows(pool: &Pool, location: &[Id], negated: bool, mark_of: &HashMap<Id, u64>, all: u64) -> Checked<Vec<Row>> {
    let mut rows = BTreeSet::new();
    let mut stack = vec![Way { todo: location.to_vec(), ..Way::default() }];
    while let Some(mut way) = stack.pop() {
        work(1)?;
        let Some(id) = way.todo.pop() else {
            rows.insert((way.guard.into_iter().collect(), way.next.into_iter().collect(), all & !way.postponed));
            if rows.len() > MOST {
                return refuse(format!("the automaton of a path formula has more edges or locations {LIMIT}"));
            }
            continue;
        };
        if !way.seen.insert(id) {
            stack.push(way);
            continue;
        }
        match &pool[id] {
            Node::True | Node::False if (pool[id] == Node::True) == negated => continue,
            Node::True | Node::False => {}
            _ if pool.is_state(id) || pool.of_step(id, None).is_some() => drop(way.guard.insert(id)),
            Node::Next(a) => drop(way.next.insert(*a)),
            Node::And(list) | Node::Or(list) if matches!(pool[id], Node::And(_)) != negated => way.todo.extend(list),
            Node::And(list) | Node::Or(list) => {
                for &operand in list {
                    work(way.size())?;
                    let mut way = way.clone();
                    way.todo.push(operand);
                    stack.push(way);
                }
                continue;
            }
            Node::Until(a, b) | Node::Release(a, b) => {
                let until = matches!(pool[id], Node::Until(..)) != negated;
                work(way.size())?;
                let mut now = way.clone();
                now.todo.extend(if until { vec![*b] } else { vec![*b, *a] });
                stack.push(now);
                way.todo.push(if until { *a } else { *b });
                way.next.insert(id);
                way.postponed |= if until { mark_of[&id] } else { 0 };
            }
            _ => return refuse("a path formula is not of the form that is checked"),
        }
        stack.push(way);
    }
    let better = |a: &Row, b: &Row| a != b && within(&a.0, &b.0) && within(&a.1, &b.1) && a.2 & b.2 == b.2;
    let rows: Vec<Row> = rows.into_iter().collect();
    if rows.len() > 2000 {
        return Ok(rows);
    }
    work(rows.len() * rows.len())?;
    Ok(rows.iter().filter(|row| !rows.iter().any(|other| better(other, row))).cloned().collect())
}

/// One location for all with equal edges, and of edges to one location the best: `merged_locations` and `fewer_edges` of
/// `proofs/Tableau.v`. Are some locations one already?
fn merge(mut automaton: Tableau, mut is_smaller: bool) -> Checked<Tableau> {
    loop {
        let mut kept: Vec<Vec<Edge>> = Vec::new();
        let mut numbers: HashMap<Vec<Edge>, usize> = HashMap::new();
        let mut class = Vec::new();
        for edges in &automaton.edges {
            class.push(*numbers.entry(edges.clone()).or_insert(kept.len()));
            if class.last() == Some(&kept.len()) {
                kept.push(edges.clone());
            }
        }
        let before = automaton.edges.len();
        for edges in &mut kept {
            work(edges.len() * edges.len())?;
            edges.iter_mut().for_each(|edge| edge.target = class[edge.target]);
            let all: BTreeSet<Edge> = edges.drain(..).collect();
            let better = |a: &Edge, b: &Edge| {
                a != b && a.target == b.target && a.marks & b.marks == b.marks && within(&a.guard, &b.guard)
            };
            edges.extend(all.iter().filter(|edge| !all.iter().any(|other| better(other, edge))).cloned());
        }
        automaton = Tableau { edges: kept, marks: automaton.marks, top: automaton.top.map(|top| class[top]) };
        if automaton.edges.len() == before && !std::mem::take(&mut is_smaller) {
            return Ok(automaton);
        }
    }
}

/// Is each of some numbers among others, which ascend?
fn within(a: &[Id], b: &[Id]) -> bool {
    a.iter().all(|id| b.binary_search(id).is_ok())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::random::Random;
    use crate::{Names, Net, Paths, bounded};
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    /// How often something was left out of a location.
    static SHORTER: AtomicUsize = AtomicUsize::new(0);

    fn noted(pool: &Pool, location: Vec<Id>, negated: bool) -> Checked<Vec<Id>> {
        let before = location.len();
        let left = without_asked(pool, location, negated)?;
        SHORTER.fetch_add(usize::from(left.len() < before), Relaxed);
        Ok(left)
    }

    /// A path formula with so many levels.
    fn drawn(random: &mut Random, depth: usize) -> String {
        if depth == 0 || random.below(6) == 0 {
            return format!("#{} = TRUE", ["a", "b", "c"][random.below(3)]);
        }
        let [x, y] = [0; 2].map(|_| drawn(random, depth - 1));
        match random.below(8) {
            0 => format!("(({x}) & ({y}))"),
            1 => format!("(({x}) | ({y}))"),
            2 => format!("X ({x})"),
            3 => format!("(({x}) U ({y}))"),
            4 => format!("(({x}) R ({y}))"),
            5 => format!("F ({x})"),
            6 => format!("G ({x})"),
            _ => format!("G F ({x})"),
        }
    }

    /// What is left out of locations changes no automaton.
    #[test]
    fn shorter_locations_make_the_same_automata() {
        let net = Net::read("MODULE main VAR a : boolean; b : boolean; c : boolean;").unwrap();
        let names = Names::new(&net);
        let mut random = Random(20_261_130);
        let mut compared = 0;
        for number in 0..1_500 {
            let text = format!("A ({})", drawn(&mut random, 4));
            let mut pool = Pool::default();
            let root = pool.parse(&text, &names).unwrap();
            let pool = pool.canonical(root, number % 2 == 1, Paths::Stutter);
            let (Node::Forall(path) | Node::Exists(path)) = pool[pool.len() - 1] else { continue };
            let negated = number % 2 == 0;
            let short = bounded(0, || Tableau::with_locations(&pool, path, negated, noted));
            let whole = bounded(0, || Tableau::with_locations(&pool, path, negated, |_, all, _| Ok(all)));
            if let (Ok(short), Ok(whole)) = (&short, &whole) {
                assert_eq!(short, whole, "{text}");
                compared += 1;
            }
            assert!(short.is_ok() || whole.is_err(), "{text}");
        }
        let shorter = SHORTER.load(Relaxed);
        assert!(compared > 1_000 && shorter > 1_000, "{compared} {shorter}");
        // A location for each set of what is waited for would be too many.
        let text = format!("MODULE main VAR {}", (0..11).map(|at| format!("x{at} : boolean; ")).collect::<String>());
        let net = Net::read_unlisted(&text).unwrap();
        let fair: Vec<String> = (0..11).map(|at| format!("G F #x{at} = TRUE")).collect();
        let mut pool = Pool::default();
        let root = pool.parse(&format!("E ({})", fair.join(" & ")), &Names::new(&net)).unwrap();
        let pool = pool.canonical(root, false, Paths::Stutter);
        let Node::Exists(path) = pool[pool.len() - 1] else { panic!() };
        let automaton = bounded(0, || Tableau::new(&pool, path, false)).unwrap();
        assert_eq!((automaton.edges.len(), automaton.edges[0].len(), automaton.marks), (1, 1 << 11, 11));
    }
}
