//! The ways that are compared.

use crate::automaton::Translator;
use crate::budget::Budget;
use crate::decide::{Settings, Ways};
use crate::explicit::{Encoding, Options};
use crate::formula::{FormulaId, PathSemantics, Pool};
use crate::kinds::Kind;
use crate::order::{Context, HEURISTICS, Order};
use crate::random::Rng;
use crate::symbolic::{ProductKind, Route, Search};

/// One way to compute verdicts from a reachable set.
#[derive(Clone, Copy)]
pub struct Strategy<'a> {
    /// Its name.
    pub name: &'a str,
    /// The computation of products with automata.
    pub product: ProductKind,
    /// By fixpoints or by automata; with fixpoints, quantifiers are moved inward first.
    pub route: Route,
    /// The translator; `None` for our own.
    pub translator: Option<&'a dyn Translator>,
    /// Is what is known of propositions folded into automata?
    pub knowledge: bool,
    /// Are fairness conditions kept beside automata?
    pub fairness: bool,
}

/// Another engine, as a function of the model and a closed formula. `None` where it does not know.
pub type Other<'a> = &'a (dyn Fn(&dyn Kind, &mut Pool, FormulaId, PathSemantics) -> Option<bool> + Sync);

/// The ways that are compared.
#[derive(Clone)]
pub struct Plan<'a> {
    /// Variable orders, each with the name and the search that is to find the reachable set under it.
    pub orders: Vec<(String, Order, Search)>,
    /// How verdicts are computed under the first of the orders; under the others, the first of these.
    pub strategies: Vec<Strategy<'a>>,
    /// Settings of the explicit engine, by name.
    pub explicit: Vec<(&'a str, Encoding, Options)>,
    /// Settings in which all engines decide together, as commands do, by name.
    pub deciders: Vec<(&'a str, Settings<'static>)>,
    /// Other engines, by name.
    pub others: Vec<(&'a str, Other<'a>)>,
}

/// As a command decides unless it is told otherwise, on one thread: with all engines, and without diagrams, which are
/// often sooner than searches; and on two threads, which search in other ways.
fn deciders() -> [(&'static str, Settings<'static>); 3] {
    let searched = Ways { diagrams: false, structure: false, ..Ways::default() };
    [
        ("decider", Settings::default()),
        ("decider, no diagrams", Settings { ways: searched, ..Settings::default() }),
        ("decider, two threads", Settings { threads: 2, ways: searched, ..Settings::default() }),
    ]
}

/// The ways to compute verdicts with our own translator.
const STRATEGIES: [Strategy<'static>; 4] = [
    strategy("", ProductKind::Components, Route::Fixpoints, (true, true)),
    strategy(", automata", ProductKind::Components, Route::Automata, (true, false)),
    strategy(", plain product", ProductKind::Plain, Route::Automata, (false, true)),
    strategy(", plain product, no conditions", ProductKind::Plain, Route::Automata, (false, false)),
];

const fn strategy(name: &str, product: ProductKind, route: Route, (knowledge, fairness): (bool, bool)) -> Strategy<'_> {
    Strategy { name, product, route, translator: None, knowledge, fairness }
}

const SEARCHES: [(&str, Search); 3] =
    [("saturation", Search::Saturation), ("bfs", Search::BreadthFirst), ("chaining", Search::Chaining)];

impl<'a> Plan<'a> {
    /// Everything that suits the model: all orders, all searches, all switches, and these translators beside ours.
    pub fn everything(
        model: &dyn Kind,
        seed: u64,
        translators: &[(&'a str, &'a dyn Translator)],
        budget: &Budget,
    ) -> Self {
        let net = &*model.interactions();
        let context = Context::new(net, budget, seed);
        let mut orders: Vec<(String, Order, Search)> = Vec::new();
        for heuristic in HEURISTICS {
            let Some(order) = (heuristic.order)(&context) else { continue };
            if !orders.iter().any(|(_, known, _)| *known == order) {
                orders.push((format!("{}, saturation", heuristic.name), order, Search::Saturation));
            }
        }
        let base = orders.first().map_or_else(|| Order::as_given(net), |(_, order, _)| order.clone());
        orders.push(("given backwards, saturation".to_owned(), base.reversed(), Search::Saturation));
        for (name, search) in &SEARCHES[1..] {
            orders.push((format!("given, {name}"), base.clone(), *search));
        }
        let mut strategies = STRATEGIES.to_vec();
        strategies.extend(translators.iter().map(|&(name, translator)| Strategy {
            name,
            translator: Some(translator),
            ..STRATEGIES[1]
        }));
        let (all, packed) = (Options::default(), Encoding::default());
        let mut explicit = vec![
            ("explicit", packed.clone(), all.clone()),
            ("explicit, no DYN", packed.clone(), Options { dynamic_fireset: false, ..all.clone() }),
            ("explicit, no HBA", packed.clone(), Options { heuristic_buchi: false, ..all.clone() }),
            ("explicit, no stubborn sets", packed.clone(), Options { stubborn: false, ..all.clone() }),
            ("explicit, depth-first", packed.clone(), Options { depth_first: true, ..all.clone() }),
            ("explicit, guided", packed.clone(), Options { guided: Some(0), ..all.clone() }),
            ("explicit, guided, ties at random", packed.clone(), Options { guided: Some(1), ..all.clone() }),
            (
                "explicit, guided, no stubborn sets",
                packed.clone(),
                Options { guided: Some(2), stubborn: false, ..all.clone() },
            ),
            ("explicit, three threads", packed.clone(), Options { threads: 3, ..all.clone() }),
        ];
        if model.as_net().is_some() {
            explicit.push(("explicit, no DRW", Encoding { drw: false, ..packed.clone() }, all.clone()));
            let plain = Encoding { invariants: false, nupn: false, ..packed };
            explicit.push(("explicit, no invariants", plain, all));
        }
        Plan { orders, strategies, explicit, deciders: deciders().into(), others: Vec::new() }
    }

    /// A few ways, drawn at random: two orders with different searches, two strategies, and two settings of the
    /// explicit engine.
    pub fn sample(model: &dyn Kind, rng: &mut Rng) -> Self {
        let net = &*model.interactions();
        let budget = Budget::unlimited();
        let context = Context::new(net, &budget, rng.below(1 << 20) as u64);
        let first = rng.below(SEARCHES.len());
        let searches = [first, (first + 1 + rng.below(SEARCHES.len() - 1)) % SEARCHES.len()];
        let orders = searches.map(|search| {
            let heuristic = &HEURISTICS[rng.below(HEURISTICS.len())];
            let order = (heuristic.order)(&context).unwrap_or_else(|| Order::as_given(net));
            let (order, backwards) = if rng.one_in(4) { (order.reversed(), " backwards") } else { (order, "") };
            let (name, search) = SEARCHES[search];
            (format!("{}{backwards}, {name}", heuristic.name), order, search)
        });
        let encoding =
            Encoding { drw: rng.one_in(2), nupn: rng.one_in(2), invariants: rng.one_in(2), ..Encoding::default() };
        let mut options = Options {
            dynamic_fireset: rng.one_in(2),
            heuristic_buchi: rng.one_in(2),
            stubborn: rng.one_in(2),
            depth_first: rng.one_in(2),
            guided: rng.one_in(4).then(|| rng.bits()),
            ..Options::default()
        };
        // Depth first is one thread's.
        options.threads = if options.depth_first { 1 } else { 2 };
        Plan {
            orders: orders.into(),
            strategies: vec![STRATEGIES[0], STRATEGIES[1 + rng.below(3)]],
            explicit: vec![
                ("explicit", Encoding::default(), Options::default()),
                ("explicit, some switches", encoding, options),
            ],
            deciders: vec![deciders()[0].clone(), deciders()[1 + rng.below(2)].clone()],
            others: Vec::new(),
        }
    }
}
