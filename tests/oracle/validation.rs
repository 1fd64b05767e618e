//! The oracle held against itself: two methods for CTL, sampled paths for CTL*, and deadlocks by hand.

use crate::oracle::path::{Path, holds};
use crate::oracle::{Setting, check, check_ctl};
use crate::reference::{Graph, explore};
use starset::formula::{Formula, FormulaId, Logic, PathSemantics, Pool, Symbols, parse};
use starset::net::{NetBuilder, PetriNet};
use starset::random::{FormulaShape, NetShape, Rng, formula, net, with_past};

fn draw(seed: u64, logic: Logic, size: usize, shape: &NetShape) -> (PetriNet, Graph, Pool, FormulaId) {
    let mut rng = Rng::new(seed);
    let net = net(&mut rng, shape);
    let graph = explore(&net, shape.max_states).unwrap();
    let mut pool = Pool::new();
    let f = formula(&mut rng, &net, &FormulaShape { logic, size }, &mut pool);
    (net, graph, pool, f)
}

#[test]
fn two_methods_agree_on_ctl() {
    for seed in 0..500 {
        let (net, graph, pool, f) = draw(seed, Logic::Ctl, 1 + seed as usize % 8, &NetShape::default());
        for paths in PathSemantics::ALL {
            let setting = Setting::new(&graph, &pool, paths);
            let text = pool.display(f, &Symbols::new(&net)).to_string();
            assert_eq!(check(setting, f), check_ctl(setting, f), "seed {seed}, {paths} paths, {text}");
        }
    }
}

/// A walk from `state` at random, closed into a loop at a state seen before, or ended in a deadlock.
fn walk(rng: &mut Rng, setting: Setting, state: usize) -> Path {
    let mut states = vec![state];
    loop {
        let last = *states.last().unwrap();
        let seen: Vec<usize> = (0..states.len()).filter(|&p| states[p] == last && p + 1 < states.len()).collect();
        if let Some(&back) = rng.pick(&seen)
            && (rng.one_in(2) || states.len() > 24)
        {
            // The last state is the one at `back` again.
            states.pop();
            return Path { states, back: Some(back) };
        }
        let successors = &setting.graph.edges[last];
        match rng.pick(successors) {
            Some(&(_, next)) => states.push(next),
            None if setting.paths == PathSemantics::Stutter => {
                let back = Some(states.len() - 1);
                return Path { states, back };
            }
            None => return Path { states, back: None },
        }
    }
}

#[test]
fn sampled_paths_agree_on_ctl_star() {
    let shape = NetShape { max_states: 8, ..NetShape::default() };
    let (mut satisfied, mut witnessed) = (0, 0);
    for seed in 0..400 {
        // Each position is looked at anew for each operator around it, and there are more with past.
        let size = 1 + seed as usize % if seed % 2 == 0 { 4 } else { 6 };
        let (net, graph, mut pool, path) = draw(seed, Logic::Ltl, size, &shape);
        let mut rng = Rng::new(seed);
        let path = if seed % 2 == 0 { with_past(&mut rng, path, &mut pool) } else { path };
        let (e, a) = (pool.add(Formula::Exists(path)), pool.add(Formula::Forall(path)));
        for paths in PathSemantics::ALL {
            let setting = Setting::new(&graph, &pool, paths);
            let mut sat = check(setting, e).unwrap();
            sat.extend(check(setting, a).unwrap());
            for state in 0..graph.states() {
                let mut found = false;
                for _ in 0..30 {
                    let sample = walk(&mut rng, setting, state);
                    if paths == PathSemantics::Infinite && sample.back.is_none() {
                        continue;
                    }
                    let sample = if seed % 2 == 0 { sample.unrolled(nested_past(&pool, path)) } else { sample };
                    let text = pool.display(path, &Symbols::new(&net)).to_string();
                    let some = holds(setting, &sat, &sample, 0, path, true, false);
                    assert!(!some || sat[&e][state], "seed {seed}, {paths}, {sample:?} satisfies {text}");
                    let all = holds(setting, &sat, &sample, 0, path, true, true);
                    assert!(all || !sat[&a][state], "seed {seed}, {paths}, {sample:?} violates {text}");
                    // The negation holds for one reading of the end exactly where the formula fails for the other.
                    assert_eq!(all, !holds(setting, &sat, &sample, 0, path, false, false));
                    found |= some;
                }
                satisfied += usize::from(sat[&e][state]);
                witnessed += usize::from(found);
            }
        }
    }
    // The comparison has force only if most of the paths that should exist were met.
    assert!(witnessed * 10 > satisfied * 9 && satisfied > 1000, "{witnessed} of {satisfied}");
}

/// How many operators of the past are nested in one another.
fn nested_past(pool: &Pool, formula: FormulaId) -> usize {
    let inside = pool[formula].children().into_iter().map(|a| nested_past(pool, a)).max().unwrap_or(0);
    inside + usize::from(pool[formula].is_past())
}

/// Markings in order: `start` goes to `end`, a deadlock, and to `loop`, which goes to itself.
fn fork() -> PetriNet {
    let mut b = NetBuilder::new("fork");
    let [start, end, ring] = [("start", 1), ("end", 0), ("loop", 0)].map(|(id, tokens)| b.place(id, tokens).unwrap());
    for (id, from, to) in [("stop", start, end), ("go", start, ring), ("again", ring, ring)] {
        let t = b.transition(id).unwrap();
        b.input(from, t, 1).unwrap();
        b.output(t, to, 1).unwrap();
    }
    b.build().unwrap()
}

/// Which of `start`, `end`, `loop` satisfy the formula, as three letters `s`, `e`, `l` or dots.
fn fork_set(text: &str, paths: PathSemantics) -> String {
    let net = fork();
    let graph = explore(&net, 10).unwrap();
    let mut pool = Pool::new();
    let f = parse(text, &Symbols::new(&net), &mut pool).unwrap();
    let sat = check(Setting::new(&graph, &pool, paths), f).unwrap();
    let letters = ["s", "e", "l"].into_iter().enumerate();
    letters
        .map(|(place, letter)| {
            let marked = |s: usize| graph.markings[s].as_slice()[place] == 1;
            let state = (0..graph.states()).find(|&s| marked(s)).unwrap();
            if sat[&f][state] { letter } else { "." }
        })
        .collect()
}

#[test]
fn deadlocks_by_hand() {
    for (text, maximal, stutter, infinite) in [
        ("EX true", "s.l", "sel", "s.l"),
        ("AX false", ".e.", "...", ".e."),
        ("EX #end = 1", "s..", "se.", "..."),
        ("AX #loop = 1", ".el", "..l", "sel"),
        ("AX #end = 1", ".e.", ".e.", ".e."),
        ("EG #end = 1", ".e.", ".e.", "..."),
        ("EG #loop = 0", "se.", "se.", "..."),
        ("AF #loop = 1", "..l", "..l", "sel"),
        ("AF #end = 1", ".e.", ".e.", ".e."),
        ("AF deadlock", ".e.", ".e.", ".e."),
        ("EF deadlock", "se.", "se.", "..."),
        ("A[#start = 1 U #loop = 1]", "..l", "..l", "sel"),
        ("A[true U (#end = 1 | #loop = 1)]", "sel", "sel", "sel"),
        ("E[#start = 1 U #end = 1]", "se.", "se.", "..."),
        ("E true", "sel", "sel", "s.l"),
        ("A false", "...", "...", ".e."),
        ("AG EX true", "..l", "sel", "sel"),
        ("E(F X #end = 1)", "s..", "se.", "..."),
        ("E(F !X true)", "...", "...", "..."),
        ("A(G X true)", "sel", "sel", "sel"),
        ("A(F X false)", ".e.", "...", ".e."),
        ("E(F(#end = 1 & Y #start = 1))", "s..", "s..", "..."),
        // The end of a path is repeated on stuttering paths only.
        ("E(F(#end = 1 & Y #end = 1))", "...", "se.", "..."),
        ("A(G(#loop = 1 -> Z #start = 1))", ".e.", ".e.", ".e."),
        ("E(F(X !Y #start = 1 & #end = 1))", "...", "se.", "..."),
        ("A(F G(Z false | Y O #start = 1))", "se.", "s..", "se."),
        ("E Y true", "...", "...", "..."),
        ("A Z false", "sel", "sel", "sel"),
        // A quantifier begins a path of its own.
        ("EX E O #start = 1", "...", "...", "..."),
        ("E X O #start = 1", "s..", "s..", "s.."),
    ] {
        let expected = [maximal, stutter, infinite];
        for (paths, expected) in PathSemantics::ALL.into_iter().zip(expected) {
            assert_eq!(fork_set(text, paths), expected, "{text}, {paths} paths");
        }
    }
}
