//! The table of heuristics.

use super::{Context, Order};
use super::{
    as_given, cuthill_mckee, force, gibbs_poole_stockmeyer, king, noack, nupn, semiflow_chain, semiflow_gradient,
    sloan, tovchigrechko, traversal,
};

/// A way to order the places of a net.
#[derive(Debug, Clone, Copy)]
pub struct Heuristic {
    /// Name on the command line.
    pub name: &'static str,
    /// One line of help.
    pub description: &'static str,
    /// The order; `None` where the heuristic does not apply (no units, no semiflows, no transitions).
    pub order: fn(&Context) -> Option<Order>,
    /// Cost per unit of [`Context::size`], in units of about 50 ns.
    pub(super) cost: u64,
    /// Does it ask for semiflows?
    pub(super) semiflows: bool,
}

const fn plain(
    name: &'static str,
    cost: u64,
    order: fn(&Context) -> Option<Order>,
    description: &'static str,
) -> Heuristic {
    Heuristic { name, description, order, cost, semiflows: false }
}

const fn with_semiflows(
    name: &'static str,
    cost: u64,
    order: fn(&Context) -> Option<Order>,
    description: &'static str,
) -> Heuristic {
    Heuristic { name, description, order, cost, semiflows: true }
}

/// All heuristics, in the order in which the automatic choice tries them.
pub const HEURISTICS: &[Heuristic] = &[
    plain("given", 0, as_given::order, "the order of the file"),
    plain("nupn", 0, nupn::depth_first, "nested units, depth-first"),
    plain("cuthill-mckee", 1, cuthill_mckee::reverse_cuthill_mckee, "reverse Cuthill-McKee"),
    plain("sloan", 2, sloan::order, "Sloan's profile reduction, weights 1 and 2"),
    plain("force", 4, force::from_given, "FORCE from the order of the file"),
    plain("tovchigrechko", 4, tovchigrechko::order, "Tovchigrechko's greedy order"),
    with_semiflows("semiflow-gradient", 1, semiflow_gradient::order, "P-semiflows along a gradient of the net"),
    with_semiflows("semiflow-chain", 1, semiflow_chain::order, "overlapping P-semiflows one after the other"),
    plain("noack", 4, noack::order, "Noack's greedy order"),
    with_semiflows("force-semiflows", 4, force::with_semiflows, "FORCE over transitions and P-semiflows"),
    plain("nupn-gradient", 1, nupn::gradient, "nested units along a gradient of the net"),
    plain("gibbs-poole-stockmeyer", 2, gibbs_poole_stockmeyer::order, "level structures from both ends"),
    plain("advanced-cuthill-mckee", 1, cuthill_mckee::advanced_cuthill_mckee, "Cuthill-McKee by new neighbours"),
    plain("sloan-distant", 2, sloan::distant, "Sloan's, following the distance (weights 16 and 1)"),
    plain("sloan-local", 2, sloan::local, "Sloan's, following the wavefront (weights 1 and 16)"),
    plain("king", 1, king::order, "King's wavefront reduction"),
    plain("depth-first", 1, traversal::depth_first, "depth-first from the marked places"),
    plain("breadth-first", 1, traversal::breadth_first, "breadth-first from the marked places"),
    plain("force-random", 12, force::from_random, "the best of FORCE from several random orders"),
];

/// The heuristic with this name.
pub fn heuristic(name: &str) -> Option<&'static Heuristic> {
    HEURISTICS.iter().find(|h| h.name == name)
}
