//! The computation: the set, then each figure that is asked, as far as the budget goes.

use super::super::engine::Explored;
use super::super::output_file::OutputFile;
use super::super::progress::Meter;
use super::super::{Failure, Status};
use super::StatesArgs;
use num_bigint::BigUint;
use starset::budget::{Budget, Exhausted};
use starset::examination::{Options, StateSpace, TokenMaxima, explore};
use starset::lts::Model;
use starset::memory::peak_resident_bytes;
use starset::net::{PetriNet, PlaceId};
use starset::order::Scored;
use starset::symbolic::Halt;
use std::io::Write as _;
use std::path::PathBuf;
use std::time::Instant;

/// Nodes of a diagram that can be drawn; Graphviz takes minutes for more.
const MOST_DRAWN: usize = 5000;

/// What is written beside the figures.
pub(super) struct Files {
    /// For the set.
    save: Option<OutputFile>,
    /// For the picture of its diagram.
    dot: Option<OutputFile>,
}

impl Files {
    /// Create those that are asked for, before anything is computed.
    pub(super) fn create(args: &StatesArgs) -> Result<Self, Failure> {
        let create = |path: &Option<PathBuf>| path.as_deref().map(OutputFile::create).transpose();
        Ok(Files { save: create(&args.save)?, dot: create(&args.dot)? })
    }

    /// Write them.
    pub(super) fn write<'m>(
        self,
        space: &StateSpace,
        model: impl Into<Model<'m>>,
        meter: &Meter,
        results: &mut Results,
    ) -> Result<(), Failure> {
        if let Some(save) = self.save {
            meter.phase("saving");
            save.write(|out| space.to_saved(model).save(out))?;
            results.saved = true;
        }
        results.undrawn = self.dot.is_some() && results.nodes.is_some_and(|nodes| nodes > MOST_DRAWN);
        if let Some(dot) = self.dot.filter(|_| !results.undrawn) {
            meter.phase("drawing");
            dot.write(|out| out.write_all(space.set.to_dot(space.relation.names()).as_bytes()))?;
        }
        Ok(())
    }
}

/// What there is to say of a diagram that was not drawn.
pub(super) fn undrawn(results: &Results) -> Option<String> {
    let nodes = results.nodes.filter(|_| results.undrawn)?;
    Some(format!("--dot: not written: the diagram has {nodes} nodes; at most {MOST_DRAWN} are drawn"))
}

/// A marking: its marked places with their tokens, by place index.
pub(super) type Marked = Vec<(PlaceId, u128)>;

/// What was found; `None` for what was not asked or stayed unknown.
#[derive(Default)]
pub(super) struct Results {
    pub(super) states: Option<BigUint>,
    pub(super) transitions: Option<BigUint>,
    pub(super) maxima: Option<TokenMaxima>,
    pub(super) deadlocks: Option<BigUint>,
    pub(super) deadlock: Option<Marked>,
    pub(super) members: Option<Vec<Marked>>,
    pub(super) saved: bool,
    /// The diagram is too large to be drawn.
    pub(super) undrawn: bool,
    /// Why something stayed unknown.
    pub(super) stop: Option<Halt>,
    /// In what two engines differ, for people.
    pub(super) disagreement: Option<String>,
    /// Who counted.
    pub(super) engine: &'static str,
    /// The effort of explicit search.
    pub(super) explored: Option<Explored>,
    pub(super) order: Option<Scored>,
    pub(super) orders_tried: Option<usize>,
    pub(super) nodes: Option<usize>,
    /// Nodes on each level, from the top.
    pub(super) levels: Option<Vec<usize>>,
    pub(super) peak_nodes: Option<usize>,
    pub(super) seconds: f64,
    pub(super) peak_memory: Option<u64>,
}

impl Results {
    /// How the computation ended.
    pub(super) fn status(&self) -> Status {
        match &self.stop {
            _ if self.disagreement.is_some() => Status::SelfCheck,
            Some(_) => Status::Unknown,
            None => Status::Answered,
        }
    }
}

/// Find what `args` ask.
pub(super) fn compute(
    args: &StatesArgs,
    net: &PetriNet,
    orders: Vec<Scored>,
    files: Files,
    budget: &Budget,
    meter: &Meter,
    started: Instant,
) -> Result<Results, Failure> {
    let options = Options { search: args.search.into(), orders, threads: args.limits.threads.get(), fixpoints: false };
    let mut results = Results { engine: "symbolic", ..Results::default() };
    match explore(net, &options, budget, &mut |event| meter.event(event)) {
        Ok(space) => {
            figures(args, &space, true, budget, meter, &mut results);
            files.write(&space, net, meter, &mut results)?;
        }
        Err(halt) => results.stop = Some(halt),
    }
    results.seconds = started.elapsed().as_secs_f64();
    results.peak_memory = peak_resident_bytes();
    Ok(results)
}

/// The figures of a state space, as far as the budget goes; token counts only `of_tokens`.
pub(super) fn figures(
    args: &StatesArgs,
    space: &StateSpace,
    of_tokens: bool,
    budget: &Budget,
    meter: &Meter,
    results: &mut Results,
) {
    results.order = Some(space.order.clone());
    results.orders_tried = Some(space.tried);
    meter.phase("counting");
    results.states = known(space.states(budget), &mut results.stop);
    if of_tokens {
        results.maxima = known(space.maxima(budget), &mut results.stop);
    }
    results.transitions = known(space.transitions(budget), &mut results.stop);
    if args.deadlocks {
        meter.phase("deadlocks");
        if let Some(set) = known(space.deadlocks(budget), &mut results.stop) {
            results.deadlocks = known(set.count(budget), &mut results.stop);
            let first = space.lightest(&set, budget).map(|mut markings| markings.next());
            results.deadlock = known(first, &mut results.stop).flatten();
        }
    }
    if let Some(most) = args.list {
        meter.phase("listing");
        let members = space.lightest(&space.set, budget).and_then(|markings| {
            markings.take(most).map(|marking| budget.check().map(|()| marking)).collect::<Result<Vec<_>, Exhausted>>()
        });
        results.members = known(members, &mut results.stop);
    }
    let size = space.set.size();
    (results.nodes, results.levels) = (Some(size.nodes), Some(size.nodes_per_level));
    results.peak_nodes = Some(space.set.space().peak_nodes());
}

/// The value, or the reason why there is none; of several reasons the first is kept.
fn known<T, E: Into<Halt>>(result: Result<T, E>, stop: &mut Option<Halt>) -> Option<T> {
    match result {
        Ok(value) => Some(value),
        Err(halt) => {
            stop.get_or_insert(halt.into());
            None
        }
    }
}
