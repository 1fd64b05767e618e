//! Sat-sets with Spot's automata are those with ours. Needs the cargo feature `spot`, hence libspot.

use crate::reference::random::{Size, bounded_net};
use proptest::prelude::*;
use starset::automaton::{Spot, Translator};
use starset::budget::Budget;
use starset::formula::{PathSemantics, Pool, Symbols, parse};
use starset::kinds::Kind;
use starset::mdd::MddManager;
use starset::symbolic::{Checker, Route, Search, reachable_set};

fn paths() -> impl Strategy<Value = String> {
    let atoms = ["#p0 >= 1", "#p0 >= 2", "deadlock"].map(|atom| Just(format!("({atom})")));
    let leaf = Union::new(atoms);
    leaf.prop_recursive(4, 12, 2, |inner| {
        let unary = (prop_oneof![Just("X"), Just("F"), Just("G"), Just("!")], inner.clone());
        let binary = prop_oneof![Just("U"), Just("R"), Just("W"), Just("M"), Just("&"), Just("|")];
        prop_oneof![
            unary.prop_map(|(op, f)| format!("{op} ({f})")),
            (inner.clone(), binary, inner).prop_map(|(f, op, g)| format!("(({f}) {op} ({g}))")),
        ]
    })
}

use proptest::strategy::Union;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]
    #[test]
    fn sat_sets_with_spot(
        net in bounded_net(Size { places: 3, transitions: 4, ..Size::default() }, 3),
        path in paths(),
        kind in 0usize..3,
    ) {
        let spot = Spot::new().unwrap();
        let spot: &dyn Translator = &spot;
        let budget = Budget::unlimited();
        let mut pool = Pool::new();
        let formula = parse(&format!("E ({path})"), &Symbols::new(&net), &mut pool).unwrap();
        let order: Vec<_> = net.place_ids().collect();
        let relation = net.relation(&order).unwrap();
        let space = MddManager::new(relation.levels(), &Budget::unlimited().with_memory(1 << 22)).unwrap();
        let states = reachable_set(&relation, &space, Search::Saturation, &budget, &mut |_| ()).unwrap();
        let paths = PathSemantics::ALL[kind];
        let checker = || Checker::new(&relation, states.clone(), paths).unwrap().with_route(Route::Automata);
        let ours = checker().sat(&pool, formula, &budget).unwrap();
        let theirs = checker().with_translator(spot).sat(&pool, formula, &budget).unwrap();
        prop_assert_eq!(ours, theirs);
    }
}
