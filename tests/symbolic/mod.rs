//! Sat-sets of the symbolic engine against the brute-force checker, subformula by subformula.

mod contest;
mod paths;

use crate::oracle::{Setting, check, check_ctl};
use crate::reference::{Graph, explore};
use starset::budget::Budget;
use starset::formula::{Formula, FormulaId, Logic, PathSemantics, Pool, Symbols, parse};
use starset::kinds::Kind;
use starset::mdd::{Mdd, MddManager};
use starset::net::{NetBuilder, PetriNet, PlaceId};
use starset::random::{FormulaShape, NetShape, Rng, formula, net, with_past};
use starset::relation::Relation;
use starset::symbolic::{Checker, ProductKind, Route, Search, Verdicts, Work, reachable_set};

struct Case {
    net: PetriNet,
    graph: Graph,
    relation: Relation,
    states: Mdd,
    pool: Pool,
    formula: FormulaId,
}

impl Case {
    fn draw(seed: u64, logic: Logic, size: usize, shape: &NetShape) -> Case {
        let mut rng = Rng::new(seed);
        let net = net(&mut rng, shape);
        let graph = explore(&net, shape.max_states).unwrap();
        let mut pool = Pool::new();
        let f = formula(&mut rng, &net, &FormulaShape { logic, size }, &mut pool);
        let f = if seed % 4 == 3 { with_past(&mut rng, f, &mut pool) } else { f };
        let formula = pool.close(f);
        let mut order: Vec<PlaceId> = net.place_ids().collect();
        for i in (1..order.len()).rev() {
            order.swap(i, rng.below(i + 1));
        }
        let budget = Budget::unlimited();
        let relation = net.relation(&order).unwrap();
        let space = MddManager::new(relation.levels(), &Budget::unlimited().with_memory(1 << 22)).unwrap();
        let states = reachable_set(&relation, &space, Search::Saturation, &budget, &mut |_| ()).unwrap();
        Case { net, graph, relation, states, pool, formula }
    }

    /// Which markings of the graph are in a set of the engine?
    fn members(&self, set: &Mdd) -> Vec<bool> {
        let order = self.relation.variables_by_level();
        let tuple = |m: usize| -> Vec<u32> {
            order.iter().map(|&place| self.graph.markings[m].as_slice()[place] as u32).collect()
        };
        (0..self.graph.states()).map(|m| set.contains(&tuple(m))).collect()
    }

    fn text(&self, id: FormulaId) -> String {
        self.pool.display(id, &Symbols::new(&self.net)).to_string()
    }
}

/// Compare every state subformula, its negation, and the early decision at the initial marking.
fn compare(seed: u64, case: &mut Case, paths: PathSemantics) {
    let budget = Budget::unlimited();
    let setting = Setting::new(&case.graph, &case.pool, paths);
    let logic = case.pool.logic(case.formula);
    let expected = if logic <= Logic::Ctl { check_ctl(setting, case.formula) } else { check(setting, case.formula) };
    let expected = expected.unwrap();
    let negation = case.pool.not(case.formula);
    let mut checker = Checker::new(&case.relation, case.states.clone(), paths).unwrap();
    let verdict = checker.holds_initially(&case.pool, case.formula, &budget).unwrap();
    let text = case.text(case.formula);
    assert_eq!(verdict, expected[&case.formula][0], "seed {seed}, {paths}: verdict of {text}");
    for (&id, expected) in &expected {
        let set = checker.sat(&case.pool, id, &budget).unwrap();
        let found = case.members(&set);
        assert_eq!(&found, expected, "seed {seed}, {paths}: {} in {text}", case.text(id));
        assert_eq!(set.count(&budget).unwrap(), found.iter().filter(|&&b| b).count().into());
    }
    let set = checker.sat(&case.pool, case.formula, &budget).unwrap();
    let mut plain = Checker::new(&case.relation, case.states.clone(), paths).unwrap().with_product(ProductKind::Plain);
    assert_eq!(plain.sat(&case.pool, case.formula, &budget).unwrap(), set, "seed {seed}, {paths}: plain {text}");
    let complement = checker.sat(&case.pool, negation, &budget).unwrap();
    assert_eq!(complement, case.states.difference(&set, &budget).unwrap(), "seed {seed}, {paths}: not {text}");
}

#[test]
fn ctl_equals_brute_force() {
    for seed in 0..800 {
        let mut case = Case::draw(seed, Logic::Ctl, 1 + seed as usize % 8, &NetShape::default());
        for paths in PathSemantics::ALL {
            compare(seed, &mut case, paths);
        }
    }
}

/// What is asked of the states that come next, and of those after them, has the verdict of brute force.
#[test]
fn verdicts_after_some_steps_equal_brute_force() {
    let (mut held, mut failed) = (0, 0);
    for seed in 0..600 {
        let mut case = Case::draw(seed, Logic::Ctl, 1 + seed as usize % 4, &NetShape::default());
        let mut rng = Rng::new(seed);
        for _ in 0..1 + rng.below(4) {
            let (inner, pool) = (case.formula, &mut case.pool);
            let path = match rng.below(4) {
                0 => Formula::Finally(inner),
                1 => Formula::Globally(inner),
                _ => Formula::Next(inner),
            };
            let path = pool.add(path);
            let quantified = if rng.one_in(2) { Formula::Exists(path) } else { Formula::Forall(path) };
            case.formula = pool.add(quantified);
            if rng.one_in(4) {
                case.formula = case.pool.not(case.formula);
            }
        }
        for paths in PathSemantics::ALL {
            let setting = Setting::new(&case.graph, &case.pool, paths);
            let expected = check(setting, case.formula).unwrap()[&case.formula][0];
            let mut checker = Checker::new(&case.relation, case.states.clone(), paths).unwrap();
            let verdict = checker.holds_initially(&case.pool, case.formula, &Budget::unlimited()).unwrap();
            assert_eq!(verdict, expected, "seed {seed}, {paths}: {}", case.text(case.formula));
            if verdict {
                held += 1;
            } else {
                failed += 1;
            }
        }
    }
    assert!(held > 300 && failed > 300, "{held} {failed}");
}

/// Levels with many values, along which fixpoints grow and shrink.
#[test]
fn ctl_with_many_tokens_equals_brute_force() {
    let shape = NetShape { places: 3, transitions: 5, tokens: 25, weight: 3, max_states: 700, ..NetShape::default() };
    let mut many = 0;
    for seed in 0..150 {
        let mut case = Case::draw(seed, Logic::Ctl, 1 + seed as usize % 4, &shape);
        many += usize::from(case.graph.states() > 100);
        compare(seed, &mut case, PathSemantics::ALL[seed as usize % 3]);
    }
    assert!(many > 30, "{many}");
}

/// What stays inside a set is found in one run along the values of a level, whichever way they change: the work grows
/// with the values, not with their square.
#[test]
fn staying_takes_a_run_along_the_values() {
    let work = |tokens: u64, up: bool| {
        let mut b = NetBuilder::new("pour");
        let (full, empty) = (b.place("full", tokens).unwrap(), b.place("empty", 0).unwrap());
        let (from, to) = if up { (full, empty) } else { (empty, full) };
        let pour = b.transition("pour").unwrap();
        b.input(full, pour, 1).unwrap();
        b.output(pour, empty, 1).unwrap();
        let net = b.build().unwrap();
        let budget = Budget::unlimited();
        let relation = net.relation(&[from, to]).unwrap();
        let mut pool = Pool::new();
        let formula = parse("EG #full >= 1", &Symbols::new(&net), &mut pool).unwrap();
        let formula = pool.close(formula);
        let enough = |work: u64| {
            // Nothing is known from an attempt with less.
            let space = MddManager::new(relation.levels(), &budget).unwrap();
            let states = reachable_set(&relation, &space, Search::Saturation, &budget, &mut |_| ()).unwrap();
            let mut checker = Checker::new(&relation, states, PathSemantics::Maximal).unwrap();
            match checker.sat(&pool, formula, &Budget::unlimited().with_work(work)) {
                Ok(set) => {
                    assert!(set.is_empty());
                    true
                }
                Err(_) => false,
            }
        };
        (0..40).map(|power| 1 << power).find(|&work| enough(work)).unwrap()
    };
    for up in [true, false] {
        let (few, many) = (work(800, up), work(6400, up));
        assert!(1 < few && many <= 16 * few, "{few} {many}");
    }
}

#[test]
fn ctl_star_equals_brute_force() {
    let shape = NetShape { max_states: 40, ..NetShape::default() };
    // 2001 triples of a net, a formula of CTL* and a path semantics, and 999 with one of LTL.
    for seed in 0..1000 {
        let logic = if seed % 3 == 0 { Logic::Ltl } else { Logic::CtlStar };
        let mut case = Case::draw(seed, logic, 1 + seed as usize % 7, &shape);
        for paths in PathSemantics::ALL {
            compare(seed, &mut case, paths);
        }
    }
}

/// A CTL formula by automata throughout: the same set, and the same verdict without the set.
#[test]
fn automata_agree_with_fixpoints_on_ctl() {
    let budget = Budget::unlimited();
    for seed in 0..200 {
        let case = Case::draw(seed, Logic::Ctl, 1 + seed as usize % 6, &NetShape::default());
        for paths in PathSemantics::ALL {
            let checker = |route| Checker::new(&case.relation, case.states.clone(), paths).unwrap().with_route(route);
            let direct = checker(Route::Fixpoints).sat(&case.pool, case.formula, &budget).unwrap();
            let detour = checker(Route::Automata).sat(&case.pool, case.formula, &budget).unwrap();
            assert_eq!(direct, detour, "seed {seed}, {paths}: {}", case.text(case.formula));
            let verdict = checker(Route::Automata).holds_initially(&case.pool, case.formula, &budget).unwrap();
            assert_eq!(verdict, direct.contains(case.relation.initial()), "{}", case.text(case.formula));
        }
    }
}

/// Verdicts on several threads are those on one, in order.
#[test]
fn threads_give_the_same_verdicts() {
    let budget = Budget::unlimited();
    for seed in 0..40 {
        let mut case = Case::draw(seed, Logic::CtlStar, 5, &NetShape { max_states: 40, ..NetShape::default() });
        let mut rng = Rng::new(seed);
        let tasks: Vec<(FormulaId, PathSemantics)> = (0..12)
            .map(|number| {
                let f = formula(&mut rng, &case.net, &FormulaShape { logic: Logic::CtlStar, size: 4 }, &mut case.pool);
                (case.pool.close(f), PathSemantics::ALL[number % 3])
            })
            .collect();
        let alone: Vec<_> = tasks
            .iter()
            .map(|&(formula, paths)| {
                let mut checker = Checker::new(&case.relation, case.states.clone(), paths).unwrap();
                checker.holds_initially(&case.pool, formula, &budget)
            })
            .collect();
        let work = Work {
            relation: &case.relation,
            states: &case.states,
            pool: &case.pool,
            tasks: &tasks,
            stop: &[],
            product: ProductKind::Components,
            route: Route::Fixpoints,
            translator: &starset::automaton::Builtin,
            knowledge: true,
            fairness: true,
        };
        for threads in [1, 2, 5] {
            let together: Vec<_> = std::thread::scope(|scope| {
                let mut verdicts = Verdicts::start(scope, threads, work, &budget);
                (0..tasks.len()).map(|task| verdicts.wait(task)).collect()
            });
            assert_eq!(together, alone, "seed {seed}, {threads} threads");
        }
    }
}
