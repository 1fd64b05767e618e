//! The three path semantics differ exactly where there are deadlocks, operator by operator, on nets whose sets
//! are known by hand. Each set is computed by the fixpoints, by automata, and by brute force.

use crate::oracle::{Setting, check};
use crate::reference::explore;
use starset::budget::Budget;
use starset::formula::{PathSemantics, Pool, Symbols, parse};
use starset::kinds::Kind;
use starset::mdd::MddManager;
use starset::net::{NetBuilder, PetriNet};
use starset::symbolic::{Checker, Route, Search, reachable_set};

/// A net with one token that moves along the arrows, from the first place; all its markings have a name.
fn moves(places: &[&str], arrows: &[(&str, &str)]) -> PetriNet {
    let mut b = NetBuilder::new("moves");
    let ids: Vec<_> = places.iter().enumerate().map(|(i, p)| b.place(*p, u64::from(i == 0)).unwrap()).collect();
    let id = |name: &str| ids[places.iter().position(|place| *place == name).unwrap()];
    for (number, (from, to)) in arrows.iter().enumerate() {
        let t = b.transition(format!("t{number}")).unwrap();
        b.input(id(from), t, 1).unwrap();
        b.output(t, id(to), 1).unwrap();
    }
    b.build().unwrap()
}

/// `start` goes to `end`, a deadlock, or to `ring`, which goes round for ever; `last` can only go to `end`.
fn fork() -> PetriNet {
    let arrows = [("start", "end"), ("start", "ring"), ("ring", "ring"), ("start", "last"), ("last", "end")];
    moves(&["start", "end", "ring", "last"], &arrows)
}

/// The places whose markings satisfy the formula, by the engine along both routes and by brute force.
fn satisfying(net: &PetriNet, text: &str, paths: PathSemantics) -> Vec<String> {
    let budget = Budget::unlimited();
    let mut pool = Pool::new();
    let symbols = Symbols::new(net);
    let parsed = parse(text, &symbols, &mut pool).unwrap();
    let formula = pool.close(parsed);
    let order: Vec<_> = net.place_ids().collect();
    let relation = net.relation(&order).unwrap();
    let space = MddManager::new(relation.levels(), &Budget::unlimited().with_memory(1 << 22)).unwrap();
    let states = reachable_set(&relation, &space, Search::Saturation, &budget, &mut |_| ()).unwrap();
    let sets = [Route::Fixpoints, Route::Automata].map(|route| {
        let checker = Checker::new(&relation, states.clone(), paths).unwrap();
        let set = checker.with_route(route).sat(&pool, formula, &budget).unwrap();
        let marked = |place: usize| (0..order.len()).map(|p| u32::from(p == place)).collect::<Vec<u32>>();
        let places = (0..order.len()).filter(|&place| set.contains(&marked(place)));
        places.map(|place| net.place(order[place]).id.clone()).collect::<Vec<_>>()
    });
    let graph = explore(net, 100).unwrap();
    let sat = check(Setting::new(&graph, &pool, paths), formula).unwrap();
    let name = |s: usize| net.place_ids().find(|&p| graph.markings[s].tokens(p) == 1).unwrap();
    let holds = (0..graph.states()).filter(|&s| sat[&formula][s]);
    let mut expected: Vec<_> = holds.map(name).collect();
    expected.sort_unstable();
    let expected: Vec<_> = expected.into_iter().map(|p| net.place(p).id.clone()).collect();
    for set in &sets {
        assert_eq!(*set, expected, "{text}, {paths} paths");
    }
    expected
}

/// The sets under maximal, stuttering and infinite paths, as places separated by blanks.
#[track_caller]
fn sets(net: &PetriNet, text: &str, expected: [&str; 3]) {
    for (paths, expected) in PathSemantics::ALL.into_iter().zip(expected) {
        assert_eq!(satisfying(net, text, paths).join(" "), expected, "{text}, {paths} paths");
    }
}

/// In a deadlock EX is false; or it looks at the same marking again; and a successor without a path does not
/// count as one.
#[test]
fn ex_in_a_deadlock() {
    sets(&fork(), "EX true", ["start ring last", "start end ring last", "start ring"]);
    sets(&fork(), "EX #end = 1", ["start last", "start end last", ""]);
    sets(&fork(), "EX #last = 1", ["start", "start", ""]);
    sets(&fork(), "EX #ring = 1", ["start ring", "start ring", "start ring"]);
    sets(&fork(), "EX false", ["", "", ""]);
}

/// In a deadlock AX is true; or it looks at the same marking again; and what has no path satisfies it.
#[test]
fn ax_in_a_deadlock() {
    sets(&fork(), "AX false", ["end", "", "end last"]);
    sets(&fork(), "AX #end = 1", ["end last", "end last", "end last"]);
    sets(&fork(), "AX #ring = 1", ["end ring", "ring", "start end ring last"]);
    sets(&fork(), "AX true", ["start end ring last", "start end ring last", "start end ring last"]);
}

/// A path that ends, or repeats its end, stays where it stays; it is no path if only infinite ones count.
#[test]
fn eg_in_a_deadlock() {
    sets(&fork(), "EG true", ["start end ring last", "start end ring last", "start ring"]);
    sets(&fork(), "EG #ring = 0", ["start end last", "start end last", ""]);
    sets(&fork(), "EG #end = 1", ["end", "end", ""]);
    sets(&fork(), "EG #end = 0", ["start ring", "start ring", "start ring"]);
}

/// A path that ends before the event refutes AF, unless it does not count.
#[test]
fn af_in_a_deadlock() {
    sets(&fork(), "AF #ring = 1", ["ring", "ring", "start end ring last"]);
    sets(&fork(), "AF #end = 1", ["end last", "end last", "end last"]);
    sets(&fork(), "AF (#end = 1 | #ring = 1)", ["start end ring last"; 3]);
    sets(&fork(), "AF false", ["", "", "end last"]);
}

/// As AF, with a condition on the way.
#[test]
fn au_in_a_deadlock() {
    sets(&fork(), "A[#start = 1 U #ring = 1]", ["ring", "ring", "start end ring last"]);
    sets(&fork(), "A[#start = 1 U (#ring = 1 | #last = 1)]", ["ring last", "ring last", "start end ring last"]);
    sets(&fork(), "A[#last = 1 U #end = 1]", ["end last", "end last", "end last"]);
    sets(&fork(), "A[true U deadlock]", ["end last", "end last", "end last"]);
}

/// Reaching something and going on: EF and EU speak of paths too.
#[test]
fn ef_and_eu_in_a_deadlock() {
    sets(&fork(), "EF deadlock", ["start end last", "start end last", ""]);
    sets(&fork(), "E[#start = 1 U #last = 1]", ["start last", "start last", ""]);
    sets(&fork(), "E[#start = 1 U #ring = 1]", ["start ring", "start ring", "start ring"]);
    sets(&fork(), "AG EX true", ["ring", "start end ring last", "start end ring last"]);
}

/// Without deadlocks all paths are infinite, and nothing differs.
#[test]
fn without_deadlocks_there_is_no_difference() {
    let rings = moves(&["a", "b", "c"], &[("a", "b"), ("b", "a"), ("a", "c"), ("c", "c")]);
    for text in [
        "EX #a = 1",
        "AX #a = 1",
        "EG #c = 0",
        "AF #c = 1",
        "A[#a = 1 U #b = 1]",
        "E[#b = 1 U #c = 1]",
        "AG EF #a = 1",
        "E(G F #a = 1)",
        "A(F G #c = 1)",
        "E(X X #b = 1)",
    ] {
        let sets = PathSemantics::ALL.map(|paths| satisfying(&rings, text, paths));
        assert!(sets[0] == sets[1] && sets[1] == sets[2], "{text}: {sets:?}");
    }
}

/// A net without transitions: its marking is a deadlock.
#[test]
fn nothing_but_a_deadlock() {
    let still = moves(&["here"], &[]);
    for (text, expected) in [
        ("EX true", ["", "here", ""]),
        ("AX false", ["here", "", "here"]),
        ("EG #here = 1", ["here", "here", ""]),
        ("EG #here = 0", ["", "", ""]),
        ("AF #here = 0", ["", "", "here"]),
        ("AF #here = 1", ["here", "here", "here"]),
        ("A[true U #here = 0]", ["", "", "here"]),
    ] {
        sets(&still, text, expected);
    }
}
