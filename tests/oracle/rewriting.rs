//! Every rewriting of `starset::formula` held against the oracle, rule by rule and on random formulas.

use crate::oracle::{Set, Setting, check};
use crate::reference::{Graph, explore};
use starset::formula::{FormulaId, Logic, PathSemantics, Pool, Symbols, parse};
use starset::net::PetriNet;
use starset::random::{FormulaShape, NetShape, Rng, formula, net, with_modalities, with_past};

const EVERY: &[PathSemantics] = &PathSemantics::ALL;
const ALWAYS_A_PATH: &[PathSemantics] = &[PathSemantics::Maximal, PathSemantics::Stutter];
const NO_END: &[PathSemantics] = &[PathSemantics::Stutter, PathSemantics::Infinite];
const MAXIMAL: &[PathSemantics] = &[PathSemantics::Maximal];

/// Equivalences, with `a`, `b` for state formulas and `f`, `g` for path formulas, and where they hold.
/// Simplification makes the two sides the same formula.
const RULES: &[(&str, &str, &[PathSemantics])] = &[
    ("{a} | ({b} | {a})", "{a} | {b}", EVERY),
    ("{a} & ({b} & {a})", "{a} & {b}", EVERY),
    ("{a} | true", "true", EVERY),
    ("{a} & true", "{a}", EVERY),
    ("{a} | ({a} & {b})", "{a}", EVERY),
    ("{a} & ({a} | {b})", "{a}", EVERY),
    ("deadlock | !deadlock", "true", EVERY),
    ("#p0 < 2 & #p0 >= 2", "false", EVERY),
    ("#p0 >= 0", "true", EVERY),
    ("0 > bounds(p0)", "false", EVERY),
    ("2 * 3 + #p0 - 5 <= #p0 + (#p0 + -2) + 7 / 2", "#p0 + 1 <= #p0 + #p0 + 1", EVERY),
    ("tokens(p0) <= #p0", "true", EVERY),
    ("tokens(p0) > #p0 + 0 * 7", "false", EVERY),
    ("enabled() | tokens() > 0", "false", EVERY),
    ("{a} -> {b}", "!{a} | {b}", EVERY),
    ("{a} <-> {b}", "({a} & {b}) | (!{a} & !{b})", EVERY),
    ("E F F {f}", "E F {f}", EVERY),
    ("A G G {f}", "A G {f}", EVERY),
    ("E F ({f} U {g})", "E F {g}", EVERY),
    ("A G ({f} R {g})", "A G {g}", EVERY),
    ("E F ({f} M {g})", "E F ({f} & {g})", EVERY),
    ("A G ({f} W {g})", "A G ({f} | {g})", EVERY),
    ("E F ({a} | F {f})", "E F ({a} | {f})", EVERY),
    ("A(F {f} | F {g})", "A F ({f} | {g})", EVERY),
    ("E(G {f} & G {g})", "E G ({f} & {g})", EVERY),
    ("E F G F {f}", "E G F {f}", EVERY),
    ("A G F G {f}", "A F G {f}", EVERY),
    ("E({f} U true)", "E true", EVERY),
    ("A({f} U false)", "A false", EVERY),
    ("E({f} R true)", "E true", EVERY),
    ("E(false U {f})", "E {f}", EVERY),
    ("E(true R {f})", "E {f}", EVERY),
    ("E(true U {f})", "E F {f}", EVERY),
    ("A(false R {f})", "A G {f}", EVERY),
    ("E({g} U F {f})", "E F {f}", EVERY),
    ("A({g} R G {f})", "A G {f}", EVERY),
    ("A({g} U ({g} U {f}))", "A({g} U {f})", EVERY),
    ("E({g} R ({g} R {f}))", "E({g} R {f})", EVERY),
    ("E({f} U {f})", "E {f}", EVERY),
    ("E({f} R {f})", "E {f}", EVERY),
    ("E({f} W true)", "E true", EVERY),
    ("E(true W {f})", "E true", EVERY),
    ("A(false W {f})", "A {f}", EVERY),
    ("A({f} W false)", "A G {f}", EVERY),
    ("A({f} W {f})", "A {f}", EVERY),
    ("E({f} M false)", "E false", EVERY),
    ("E(false M {f})", "E false", EVERY),
    ("E(true M {f})", "E {f}", EVERY),
    ("E({f} M true)", "E F {f}", EVERY),
    ("E({f} M {f})", "E {f}", EVERY),
    ("A({f} & X true)", "A {f}", NO_END),
    ("E({f} | X false)", "E {f}", NO_END),
    ("EX true", "!deadlock", MAXIMAL),
    ("AX false", "deadlock", MAXIMAL),
    ("EX false", "false", MAXIMAL),
    ("AX true", "true", MAXIMAL),
    ("E {a}", "{a}", ALWAYS_A_PATH),
    ("A {a}", "{a}", ALWAYS_A_PATH),
    ("E {a}", "{a} & E true", &[PathSemantics::Infinite]),
    ("A {a}", "{a} | A false", &[PathSemantics::Infinite]),
    ("E({f} | {g})", "E {f} | E {g}", EVERY),
    ("A({f} & {g})", "A {f} & A {g}", EVERY),
    ("E({a} & X {f})", "{a} & E X {f}", EVERY),
    ("A({a} | X {f})", "{a} | A X {f}", EVERY),
    ("EF EF {a}", "EF {a}", EVERY),
    ("AG AG {a}", "AG {a}", EVERY),
    ("EF ({b} | EF {a})", "EF ({b} | {a})", EVERY),
    ("AG ({b} & AG {a})", "AG ({b} & {a})", EVERY),
    ("EF E({f} U {g})", "E F {g}", EVERY),
    ("AG A({f} R {g})", "A G {g}", EVERY),
    ("EF E({f} M {g})", "E F ({f} & {g})", EVERY),
    ("AG A({f} W {g})", "A G ({f} | {g})", EVERY),
    ("AF AF {a}", "AF {a}", EVERY),
    ("EG EG {a}", "EG {a}", EVERY),
    ("AF ({b} | AF {a})", "AF ({b} | {a})", EVERY),
    ("EG ({b} & EG {a})", "EG ({b} & {a})", EVERY),
    ("AF A({b} U {a})", "AF {a}", EVERY),
    ("EG E({b} R {a})", "EG {a}", EVERY),
    ("AF A({b} M {a})", "AF ({a} & {b})", EVERY),
    ("EG E({b} W {a})", "EG ({a} | {b})", EVERY),
    ("AF EF {a}", "EF {a}", ALWAYS_A_PATH),
    ("EG AG {a}", "AG {a}", ALWAYS_A_PATH),
    ("E({f} U EF {a})", "EF {a}", EVERY),
    ("A({f} U AF {a})", "AF {a}", EVERY),
    ("E({f} R EG {a})", "EG {a}", EVERY),
    ("A({f} R AG {a})", "AG {a}", EVERY),
    ("EF {a} | EF {b}", "EF ({a} | {b})", EVERY),
    ("AG {a} & AG {b}", "AG ({a} & {b})", EVERY),
    ("!E {f}", "A !{f}", EVERY),
    ("E !X {f}", "E X !{f}", EVERY),
    ("A !({f} U {g})", "A(!{f} R !{g})", EVERY),
    ("E !({f} W {g})", "E(!{f} M !{g})", EVERY),
];

/// As [`RULES`], for moving quantifiers inward.
const PUSHED: &[(&str, &str, &[PathSemantics])] = &[
    ("E X {f}", "EX E {f}", EVERY),
    ("A X {f}", "AX A {f}", EVERY),
    ("E F {f}", "EF E {f}", EVERY),
    ("A G {f}", "AG A {f}", EVERY),
    ("A G F {a}", "AG AF {a}", EVERY),
    ("E({a} U {f})", "E({a} U E {f})", EVERY),
    ("A({a} R {f})", "A({a} R A {f})", EVERY),
    ("E({f} R {a})", "E(E {f} R {a})", EVERY),
    ("A({f} U {a})", "A(A {f} U {a})", EVERY),
    ("E({a} W {f})", "E({a} W E {f})", EVERY),
    ("A({a} M {f})", "A({a} M A {f})", EVERY),
    ("E({f} M {a})", "E(E {f} M {a})", EVERY),
    ("A({f} W {a})", "A(A {f} W {a})", EVERY),
];

fn draw_net(rng: &mut Rng) -> (PetriNet, Graph) {
    let shape = NetShape { max_states: 40, ..NetShape::default() };
    let net = net(rng, &shape);
    let graph = explore(&net, shape.max_states).unwrap();
    (net, graph)
}

fn sat(graph: &Graph, pool: &Pool, paths: PathSemantics, f: FormulaId) -> Set {
    check(Setting::new(graph, pool, paths), f).unwrap().remove(&f).unwrap()
}

/// The two sides of a rule with random formulas for its letters.
fn instance(rng: &mut Rng, net: &PetriNet, pool: &mut Pool, sides: [&str; 2]) -> [FormulaId; 2] {
    let symbols = Symbols::new(net);
    let mut texts = sides.map(str::to_owned);
    for (letter, logic) in [("{a}", Logic::Ctl), ("{b}", Logic::Boolean), ("{f}", Logic::Ltl), ("{g}", Logic::Ltl)] {
        let size = rng.below(3);
        let f = formula(rng, net, &FormulaShape { logic, size }, pool);
        let text = format!("({})", pool.display(f, &symbols));
        texts = texts.map(|t| t.replace(letter, &text));
    }
    texts.map(|t| parse(&t, &symbols, pool).unwrap())
}

#[test]
fn each_rule_is_an_equivalence_and_is_applied() {
    for (push, rules) in [(false, RULES), (true, PUSHED)] {
        for (number, &(left, right, semantics)) in rules.iter().enumerate() {
            let mut applied = 0;
            let rounds = 12;
            for round in 0..rounds {
                let mut rng = Rng::new(1000 * number as u64 + round);
                let (net, graph) = draw_net(&mut rng);
                let mut pool = Pool::new();
                let [l, r] = instance(&mut rng, &net, &mut pool, [left, right]);
                for &paths in semantics {
                    let shown = |pool: &Pool, f| pool.display(f, &Symbols::new(&net)).to_string();
                    let (before, after) = (sat(&graph, &pool, paths, l), sat(&graph, &pool, paths, r));
                    assert_eq!(before, after, "{left} = {right}, round {round}, {paths}: {}", shown(&pool, l));
                    let mut rewrite = |f| {
                        if push { pool.push_quantifiers(f, paths) } else { pool.simplify(f, paths) }
                    };
                    let (l, r) = (rewrite(l), rewrite(r));
                    applied += usize::from(l == r);
                }
            }
            let all = rounds as usize * semantics.len();
            assert!(applied * 4 > all * 3, "{left} = {right}: applied {applied} times of {all}");
        }
    }
}

#[test]
fn random_formulas_keep_their_sets() {
    for seed in 0..600 {
        let mut rng = Rng::new(seed);
        let (net, graph) = draw_net(&mut rng);
        let mut pool = Pool::new();
        let logic = [Logic::Ctl, Logic::CtlStar, Logic::CtlStar, Logic::Ltl][seed as usize % 4];
        let drawn = formula(&mut rng, &net, &FormulaShape { logic, size: 2 + seed as usize % 7 }, &mut pool);
        let drawn = if seed % 5 == 0 { with_past(&mut rng, drawn, &mut pool) } else { drawn };
        let closed = pool.close(drawn);
        let f = if seed % 3 == 0 { with_modalities(&mut rng, &net, closed, &mut pool) } else { closed };
        let symbols = Symbols::new(&net);
        for paths in PathSemantics::ALL {
            let expected = sat(&graph, &pool, paths, f);
            let normal = pool.nnf(f);
            let simple = pool.simplify(f, paths);
            let pushed = pool.push_quantifiers(f, paths);
            for (rewriting, g) in [("nnf", normal), ("simplify", simple), ("push_quantifiers", pushed)] {
                let text = || format!("{} to {}", pool.display(f, &symbols), pool.display(g, &symbols));
                assert_eq!(sat(&graph, &pool, paths, g), expected, "seed {seed}, {paths}, {rewriting}: {}", text());
            }
            let stutter = pool.to_stutter(f, paths);
            let found = sat(&graph, &pool, PathSemantics::Stutter, stutter);
            assert_eq!(found, expected, "seed {seed}, {paths}, to_stutter: {}", pool.display(f, &symbols));
            let negated = pool.not(f);
            let complement: Set = expected.iter().map(|&b| !b).collect();
            assert_eq!(sat(&graph, &pool, paths, negated), complement);
        }
    }
}

#[test]
fn simplification_is_stable_and_does_not_grow() {
    let mut grown = 0;
    for seed in 0..1000 {
        let mut rng = Rng::new(seed);
        let (net, _) = draw_net(&mut rng);
        let mut pool = Pool::new();
        let drawn = formula(&mut rng, &net, &FormulaShape { logic: Logic::CtlStar, size: 12 }, &mut pool);
        let f = pool.nnf(drawn);
        let once = pool.simplify(f, PathSemantics::Maximal);
        let twice = pool.simplify(once, PathSemantics::Maximal);
        let text = |f| pool.display(f, &Symbols::new(&net)).to_string();
        assert_eq!(once, twice, "seed {seed}: {} then {}", text(once), text(twice));
        grown += usize::from(pool.subformulas(&[once]).len() > pool.subformulas(&[f]).len());
    }
    assert!(grown < 100, "{grown} of 1000 formulas grew");
}
