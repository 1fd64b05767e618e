//! Random models and formulas, and what is left of them when a disagreement has been made small.

use super::{Disagreement, Plan, Question, compare};
use crate::budget::Budget;
use crate::explicit::{Encoding, Options, View};
use crate::formula::{FormulaId, Logic, PathSemantics, Pool, Symbols};
use crate::kinds::Kind;
use crate::kinds::network::Network;
use crate::kinds::pins::PinsModel;
use crate::net::PetriNet;
use crate::random::{
    FormulaShape, NetShape, NetworkShape, Partitioned, PartitionedShape, Rng, assumptions, formula,
    formula_over_labels, formula_over_steps, net, network, partitioned, shrink, shrink_network, shrink_partitioned,
    with_modalities, with_past,
};

/// Memory for the diagrams of a small net.
const MEMORY: u64 = 4 << 20;

/// Shapes of nets, networks and formulas: small enough for thousands of them, large enough for all algorithms to have
/// work.
const NETS: NetShape =
    NetShape { places: 6, transitions: 6, tokens: 3, weight: 2, inhibitors: true, reads: true, max_states: 120 };
const NETWORKS: NetworkShape = NetworkShape { components: 4, states: 4, labels: 5, edges: 8, max_states: 120 };
/// One initial state, as in the files that reproduce a disagreement.
const PARTITIONED: PartitionedShape =
    PartitionedShape { variables: 5, values: 4, groups: 6, successors: 3, initial: 1, labels: 3 };
const OPERATORS: usize = 7;

/// A model of a trial.
#[derive(Clone, Debug)]
pub enum Drawn {
    /// A net.
    Net(PetriNet),
    /// A network of transition systems.
    Network(Network),
    /// A model behind a next-state function, as it was drawn and as engines see it.
    Partitioned(Box<Partitioned>, PinsModel),
}

/// A model and a formula.
#[derive(Clone, Debug)]
pub struct Trial {
    /// From here all is drawn.
    pub seed: u64,
    /// The model.
    pub model: Drawn,
    /// Holds the formula.
    pub pool: Pool,
    /// The formula: of LTL without its quantifier.
    pub formula: FormulaId,
    /// The semantics of its paths.
    pub paths: PathSemantics,
}

impl Drawn {
    /// The model.
    pub fn model(&self) -> &dyn Kind {
        match self {
            Drawn::Net(net) => net,
            Drawn::Network(network) => network,
            Drawn::Partitioned(_, model) => model,
        }
    }

    /// The names that its formulas use.
    pub fn symbols(&self) -> Symbols {
        match self {
            Drawn::Net(net) => Symbols::new(net),
            Drawn::Network(network) => Symbols::of_labels(network.label_ids().map(|label| network.label(label))),
            Drawn::Partitioned(_, model) => Symbols::of(model),
        }
    }
}

/// The trial of a net with this seed. All logics and path semantics take turns; one formula of five speaks of the past,
/// and one of single steps.
pub fn trial(seed: u64) -> Trial {
    let mut rng = Rng::new(seed);
    let net = net(&mut rng, &NETS);
    let mut pool = Pool::new();
    let logic = [Logic::Ltl, Logic::Ctl, Logic::Ltl, Logic::CtlStar, Logic::Reachability][rng.below(5)];
    let size = 1 + rng.below(OPERATORS);
    let formula = formula(&mut rng, &net, &FormulaShape { logic, size }, &mut pool);
    let paths = PathSemantics::ALL[rng.below(PathSemantics::ALL.len())];
    let formula = match rng.below(5) {
        0 => with_past(&mut rng, formula, &mut pool),
        1 => {
            let closed = pool.close(formula);
            with_modalities(&mut rng, &net, closed, &mut pool)
        }
        _ => formula,
    };
    let formula = fairly(&mut rng, (&net, false), formula, &mut pool);
    Trial { seed, model: Drawn::Net(net), pool, formula, paths }
}

/// The formula, or now and then what says the same about all paths as it does under random assumptions.
fn fairly(rng: &mut Rng, (net, only): (&PetriNet, bool), formula: FormulaId, pool: &mut Pool) -> FormulaId {
    if net.transition_count() == 0 || !rng.one_in(4) {
        return formula;
    }
    let assumptions = assumptions(rng, net, only, pool);
    pool.under(formula, &assumptions)
}

/// The trial of a network with this seed, with a formula about its steps. LTL, CTL, CTL* and path semantics take turns.
pub fn trial_of_network(seed: u64) -> Trial {
    let mut rng = Rng::new(seed);
    let network = network(&mut rng, &NETWORKS);
    let mut pool = Pool::new();
    let logic = [Logic::Ltl, Logic::Ctl, Logic::CtlStar][rng.below(3)];
    let size = 1 + rng.below(OPERATORS);
    let shape = FormulaShape { logic, size };
    let formula = formula_over_steps(&mut rng, &network.skeleton(), &shape, true, &mut pool);
    let paths = PathSemantics::ALL[rng.below(PathSemantics::ALL.len())];
    let formula = if rng.one_in(5) { with_past(&mut rng, formula, &mut pool) } else { formula };
    let formula = fairly(&mut rng, (&network.skeleton(), true), formula, &mut pool);
    Trial { seed, model: Drawn::Network(network), pool, formula, paths }
}

/// The trial of a model behind a next-state function with this seed, with a formula some of whose atoms are state labels. LTL,
/// CTL, CTL* and path semantics take turns.
pub fn trial_of_partitioned(seed: u64) -> Trial {
    let mut rng = Rng::new(seed);
    let drawn = partitioned(&mut rng, &PARTITIONED);
    let model = started(&drawn);
    let mut pool = Pool::new();
    let logic = [Logic::Ltl, Logic::Ctl, Logic::CtlStar][rng.below(3)];
    let shape = FormulaShape { logic, size: 1 + rng.below(OPERATORS) };
    let formula = formula_over_labels(&mut rng, &model.interactions(), PARTITIONED.labels, &shape, &mut pool);
    let paths = PathSemantics::ALL[rng.below(PathSemantics::ALL.len())];
    let formula = fairly(&mut rng, (&model.interactions(), false), formula, &mut pool);
    Trial { seed, model: Drawn::Partitioned(Box::new(drawn), model), pool, formula, paths }
}

/// The model as engines see it.
fn started(drawn: &Partitioned) -> PinsModel {
    drawn.clone().model().unwrap_or_else(|_| unreachable!("it has an initial state and does not fail"))
}

impl Trial {
    /// Compare some ways, with what `extend` adds to them: the disagreement, and the number of opinions that were
    /// compared.
    ///
    /// A net with far more markings than are drawn is not compared: shrinking may make one that is unbounded.
    pub fn run<'a>(&mut self, extend: impl Fn(&mut Plan<'a>), budget: &Budget) -> (Option<Disagreement>, usize) {
        let Trial { seed, model, pool, formula, paths } = self;
        let model = model.model();
        let mut states = 0;
        let mut many = |_: View<'_>| {
            states += 1;
            states > 20 * NETS.max_states
        };
        let large = model
            .compile(&Encoding::default(), budget)
            .and_then(|engine| engine.find(&Options::default(), budget, &mut many));
        if large.map_or(true, |found| found.trace.is_some()) {
            return (None, 0);
        }
        let mut plan = Plan::sample(model, &mut Rng::new(seed.wrapping_add(1)));
        extend(&mut plan);
        let budget = budget.clone().with_memory(MEMORY);
        let opinions = compare(model, pool, &[Question::Formula(*formula, *paths)], &plan, &budget);
        let number = opinions.questions.iter().flatten().chain(&opinions.space).filter(|o| o.stopped.is_none()).count();
        (opinions.disagreement(), number)
    }
}

/// A trial on which two ways disagree, without what is not needed for a disagreement.
pub fn shrunk<'a>(trial: &Trial, extend: impl Fn(&mut Plan<'a>), budget: &Budget) -> Trial {
    let &Trial { seed, paths, .. } = trial;
    let fails = |model: Drawn, pool: &Pool, formula: FormulaId| {
        let mut smaller = Trial { seed, model, pool: pool.clone(), formula, paths };
        smaller.run(&extend, budget).0.is_some()
    };
    let (model, pool, formula) = match &trial.model {
        Drawn::Net(net) => {
            let fails = |net: &PetriNet, pool: &mut Pool, f: FormulaId| fails(Drawn::Net(net.clone()), pool, f);
            let (net, pool, formula) = shrink(net, &trial.pool, trial.formula, fails);
            (Drawn::Net(net), pool, formula)
        }
        Drawn::Network(network) => {
            let fails =
                |network: &Network, pool: &mut Pool, f: FormulaId| fails(Drawn::Network(network.clone()), pool, f);
            let (network, pool, formula) = shrink_network(network, &trial.pool, trial.formula, fails);
            (Drawn::Network(network), pool, formula)
        }
        Drawn::Partitioned(drawn, _) => {
            let fails = |drawn: &Partitioned, pool: &mut Pool, f: FormulaId| {
                fails(Drawn::Partitioned(Box::new(drawn.clone()), started(drawn)), pool, f)
            };
            let (drawn, pool, formula) = shrink_partitioned(drawn, &trial.pool, trial.formula, fails);
            let model = started(&drawn);
            (Drawn::Partitioned(Box::new(drawn), model), pool, formula)
        }
    };
    Trial { seed, model, pool, formula, paths }
}
