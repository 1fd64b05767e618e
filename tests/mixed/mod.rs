//! What does not go together is refused with an error, whoever is asked: formulas of another pool or about another model,
//! sets of another space.

use starset::StopReason;
use starset::budget::Budget;
use starset::decide::{
    Question, Recorder, Request, Settings, Statistic, Subject, Value, decide, decide_by_parts, explore, sat_in,
};
use starset::explicit::{Attempt, Encoding, Options, check_ltl};
use starset::formula::{Expr, Foreign, Formula, FormulaId, PathSemantics, Pool, Symbols, parse};
use starset::kinds::{Kind, net::families, network::read_aut};
use starset::mdd::{MddManager, SetError};
use starset::model::{Groups, VariableId};
use starset::net::{PetriNet, PlaceId};
use starset::symbolic::{Checker, Route, Search, count_transitions, deadlocks, fireable, reachable_set};
use starset::witness::{explain_by_sets, explain_locally, explain_search};

const PATHS: PathSemantics = PathSemantics::Maximal;

fn philosophers(n: u32) -> PetriNet {
    families::family("philo").unwrap().generate(n).unwrap()
}

/// A pool with a formula about the net, the same formula in another pool, one that contains a foreign one, and one about
/// a larger net; each with what is to be said of it.
fn formulas(net: &PetriNet) -> (Pool, Vec<(FormulaId, Option<Foreign>)>) {
    let (mut pool, mut other) = (Pool::new(), Pool::new());
    let own = parse("EF #Eat_0 = 1", &Symbols::new(net), &mut pool).unwrap();
    let foreign = parse("EF #Eat_0 = 1", &Symbols::new(net), &mut other).unwrap();
    let mixed = pool.and(vec![own, foreign]);
    let large = parse("EF #Eat_9 = 1", &Symbols::new(&philosophers(10)), &mut pool).unwrap();
    let found =
        [(own, None), (foreign, Some(Foreign::Pool)), (mixed, Some(Foreign::Pool)), (large, Some(Foreign::Model))];
    (pool, found.to_vec())
}

#[test]
fn formulas_of_another_pool_or_model() {
    let (net, budget) = (philosophers(3), Budget::unlimited());
    let (mut pool, formulas) = formulas(&net);
    let space = explore(&net, &Settings::default(), false, &budget, &|_| ()).unwrap();
    let engine = net.compile(&Encoding::default(), &budget).unwrap();
    let options = Options::default();
    for (formula, foreign) in formulas {
        let expected = foreign.map(StopReason::from);
        let mut labelling = engine.labelling(&budget).unwrap();
        let checker = || Checker::new(&space.relation, space.set.clone(), PATHS).unwrap();
        let question = Question::Formula { formula, linear: formula, paths: PATHS };
        let said = [
            checker().sat(&pool, formula, &budget).err(),
            checker().holds_initially(&pool, formula, &budget).err(),
            engine.check_ctl(&pool, formula, PATHS, Attempt(0), &options, &budget).err(),
            engine.check_ctl_in(&net.initial_marking(), &pool, formula, PATHS, &options, &budget).err(),
            labelling.satisfying(&pool, formula, PATHS, &budget).err(),
            sat_in(&space, &pool, &question, &Settings::default(), &budget).err(),
            check_ltl(&*engine, &mut pool, formula, PATHS, &options, &budget).err(),
            decided(&net, &pool, question),
        ];
        assert_eq!(said, [(); 8].map(|()| expected.clone()), "{foreign:?}");
        let simple = Question::formula(&mut pool, formula, PATHS, Route::Fixpoints);
        assert_eq!(decided(&net, &pool, simple), expected);
        let refused = foreign.is_some();
        assert_eq!(explain_by_sets(&net, &pool, &mut checker(), formula, &budget).is_err(), refused);
        assert_eq!(explain_locally(&*engine, &pool, PATHS, formula, &options, &budget).is_err(), refused);
        if foreign == Some(Foreign::Pool) {
            assert_eq!(explain_search(&net, &pool, PATHS, formula, true, None), Ok(None));
        }
    }
}

/// Why the decider does not answer.
fn decided(net: &PetriNet, pool: &Pool, question: Question) -> Option<StopReason> {
    let (groups, kept) = (Groups::single(net), Recorder::new(2));
    // A question that could be answered is refused, too: the list is one.
    let asked = [Request::from(question), Question::Statistic(Statistic::States).into()];
    decide(Subject { model: net, groups: &groups, pool }, &asked, &Settings::default(), &Budget::unlimited(), &kept);
    let answers = kept.into_recorded().into_iter().map(|recorded| recorded.answer.unwrap().value);
    let mut stops = answers.map(|value| match value {
        Value::Unknown(stop) => Some(stop),
        _ => None,
    });
    let first = stops.next().unwrap();
    assert_eq!(stops.next().unwrap(), first);
    first
}

#[test]
fn questions_about_another_model() {
    let (net, pool) = (philosophers(3), Pool::new());
    let foreign = Some(StopReason::Foreign(Foreign::Model));
    assert_eq!(decided(&net, &pool, Question::Bound(vec![VariableId(15)])), foreign);
    assert_eq!(decided(&net, &pool, Question::Bound(vec![VariableId(14)])), None);
    let (groups, kept) = (Groups::single(&philosophers(4)), Recorder::new(1));
    let subject = Subject { model: &net, groups: &groups, pool: &pool };
    decide(
        subject,
        &[Question::Statistic(Statistic::Bounds).into()],
        &Settings::default(),
        &Budget::unlimited(),
        &kept,
    );
    let answer = kept.into_recorded().pop().unwrap().answer.unwrap();
    assert_eq!(answer.value, Value::Unknown(StopReason::Foreign(Foreign::Model)));
}

/// A pool that was cloned goes on by itself: what the two add has the same numbers, and is not mistaken for each other.
#[test]
fn sat_sets_of_cloned_pools_are_told_apart() {
    let (net, budget) = (philosophers(3), Budget::unlimited());
    let space = explore(&net, &Settings::default(), false, &budget, &|_| ()).unwrap();
    let mut checker = Checker::new(&space.relation, space.set.clone(), PATHS).unwrap();
    let (mut one, symbols) = (Pool::new(), Symbols::new(&net));
    let common = parse("deadlock", &symbols, &mut one).unwrap();
    let mut other = one.clone();
    let a = parse("#Eat_0 = 1", &symbols, &mut one).unwrap();
    let b = parse("#Eat_1 = 1", &symbols, &mut other).unwrap();
    assert_eq!(a.index(), b.index());
    let (eats, dead) = (checker.sat(&one, a, &budget).unwrap(), checker.sat(&one, common, &budget).unwrap());
    assert_ne!(checker.sat(&other, b, &budget).unwrap(), eats);
    assert_eq!(checker.sat(&other, common, &budget).unwrap(), dead);
    assert_eq!(checker.sat(&other, a, &budget), Err(StopReason::Foreign(Foreign::Pool)));
}

#[test]
fn sets_of_another_space() {
    let (net, budget) = (philosophers(3), Budget::unlimited());
    let explored = |net: &PetriNet| explore(net, &Settings::default(), false, &budget, &|_| ()).unwrap();
    let (space, same, large) = (explored(&net), explored(&net), explored(&philosophers(4)));
    assert_eq!(space.set.union(&same.set, &budget), Err(SetError::OtherSpace));
    assert_eq!(space.lightest(&same.set, &budget).err(), Some(SetError::OtherSpace));
    let levels = SetError::Components { components: 15, levels: 20 };
    assert_eq!(count_transitions(&space.relation, &large.set, &budget), Err(levels.into()));
    assert_eq!(fireable(&space.relation, &large.set, 15, &budget), Err(levels.into()));
    assert_eq!(deadlocks(&space.relation, &large.set, &budget), Err(StopReason::Mixed(levels)));
    assert_eq!(Checker::new(&space.relation, large.set.clone(), PATHS).err(), Some(StopReason::Mixed(levels)));
    let wrong = MddManager::new(20, &budget).unwrap();
    let found = reachable_set(&space.relation, &wrong, Search::Saturation, &budget, &mut |_| ());
    assert_eq!(found, Err(StopReason::Mixed(levels)));
    let checker = Checker::new(&space.relation, space.set.clone(), PATHS).unwrap();
    assert_eq!(checker.bound(&[PlaceId(15)], &budget), Err(StopReason::Foreign(Foreign::Model)));
}

#[test]
fn formulas_of_another_pool_on_parts_of_a_network() {
    let text = "des (0, 2, 2)\n(0, go, 1)\n(1, back, 0)\n";
    let (network, budget) = (read_aut(&[(text, "toggle.aut")]).unwrap(), Budget::unlimited());
    let (mut pool, mut other) = (Pool::new(), Pool::new());
    let ask = |pool: &mut Pool, names: [&str; 2]| {
        let [a, b] = names;
        parse(&format!("G (action({a}) -> X action({b}))"), &Symbols::of_labels(names), pool).unwrap()
    };
    let own = ask(&mut pool, ["go", "back"]);
    assert!(decide_by_parts(&network, &mut pool, own, &budget).unwrap().violated.is_none());
    let foreign = ask(&mut other, ["go", "back"]);
    assert_eq!(decide_by_parts(&network, &mut pool, foreign, &budget), Err(StopReason::Foreign(Foreign::Pool)));
    let symbols = Symbols::of_labels(["go", "back", "away"]);
    let large = parse("G !action(away)", &symbols, &mut pool).unwrap();
    assert_eq!(decide_by_parts(&network, &mut pool, large, &budget), Err(StopReason::Foreign(Foreign::Model)));
}

/// An expression of another pool makes no formula of this one.
#[test]
fn expressions_of_another_pool() {
    let (mut one, mut other) = (Pool::new(), Pool::new());
    let (a, b) = (one.add_expr(Expr::Const(1)), other.add_expr(Expr::Const(1)));
    let mixed = one.add(Formula::Compare(a, starset::formula::Comparison::Eq, b));
    assert_eq!(one.check(mixed, 0, 0), Err(Foreign::Pool));
    assert!(one.is_empty());
}
