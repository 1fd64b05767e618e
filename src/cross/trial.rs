//! Random nets and formulas, and what is left of them when a disagreement has been made small.

use super::{Disagreement, Plan, Question, compare};
use crate::budget::Budget;
use crate::explicit::{self, Options};
use crate::formula::{FormulaId, Logic, PathSemantics, Pool};
use crate::net::PetriNet;
use crate::random::{FormulaShape, NetShape, Rng, formula, net, shrink};

/// Memory for the diagrams of a small net.
const MEMORY: u64 = 4 << 20;

/// Shapes of nets and formulas: small enough for thousands of them, large enough for all algorithms to have work.
const NETS: NetShape =
    NetShape { places: 6, transitions: 6, tokens: 3, weight: 2, inhibitors: true, reads: true, max_states: 120 };
const OPERATORS: usize = 7;

/// A net and a formula.
#[derive(Clone, Debug)]
pub struct Trial {
    /// From here all is drawn.
    pub seed: u64,
    /// The net.
    pub net: PetriNet,
    /// Holds the formula.
    pub pool: Pool,
    /// The formula: of LTL without its quantifier.
    pub formula: FormulaId,
    /// What its paths are.
    pub paths: PathSemantics,
}

/// The trial with this seed. All logics and path semantics take turns.
pub fn trial(seed: u64) -> Trial {
    let mut rng = Rng::new(seed);
    let net = net(&mut rng, &NETS);
    let mut pool = Pool::new();
    let logic = [Logic::Ltl, Logic::Ctl, Logic::Ltl, Logic::CtlStar, Logic::Reachability][rng.below(5)];
    let size = 1 + rng.below(OPERATORS);
    let formula = formula(&mut rng, &net, &FormulaShape { logic, size }, &mut pool);
    let paths = PathSemantics::ALL[rng.below(PathSemantics::ALL.len())];
    Trial { seed, net, pool, formula, paths }
}

impl Trial {
    /// Compare some ways, with what `extend` adds to them: the disagreement, and the number of opinions that were
    /// compared.
    ///
    /// A net with far more markings than are drawn is not compared: shrinking may make one that is unbounded.
    pub fn run<'a>(&mut self, extend: impl Fn(&mut Plan<'a>), budget: &Budget) -> (Option<Disagreement>, usize) {
        let Trial { seed, net, pool, formula, paths } = self;
        let mut states = 0;
        let large = explicit::find(net, &Options::default(), budget, |_| {
            states += 1;
            states > 20 * NETS.max_states
        });
        if large.map_or(true, |found| found.trace.is_some()) {
            return (None, 0);
        }
        let mut plan = Plan::sample(net, &mut Rng::new(seed.wrapping_add(1)));
        extend(&mut plan);
        let budget = budget.clone().with_memory(MEMORY);
        let opinions = compare(net, pool, &[Question::Formula(*formula, *paths)], &plan, &budget);
        let number = opinions.questions.iter().flatten().chain(&opinions.space).filter(|o| o.stopped.is_none()).count();
        (opinions.disagreement(), number)
    }
}

/// A trial on which two ways disagree, without what is not needed for a disagreement.
pub fn shrunk<'a>(trial: &Trial, extend: impl Fn(&mut Plan<'a>), budget: &Budget) -> Trial {
    let &Trial { seed, paths, .. } = trial;
    let fails = |net: &PetriNet, pool: &mut Pool, formula: FormulaId| {
        let mut smaller = Trial { seed, net: net.clone(), pool: pool.clone(), formula, paths };
        smaller.run(&extend, budget).0.is_some()
    };
    let (net, pool, formula) = shrink(&trial.net, &trial.pool, trial.formula, fails);
    Trial { seed, net, pool, formula, paths }
}
