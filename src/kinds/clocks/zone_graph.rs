//! The zone graph: reachability in dense time, exactly.
//!
//! A node is a marking with a zone of clock values, closed under delay inside one convex *piece* of the
//! invariant of the marking. Its successors are
//!
//! * for each transition with its tokens and each alternative of its condition: meet, reset, and then each piece
//!   of the new invariant: meet, let time pass, meet again;
//! * with several pieces, also the zones that time enters from those (`delay`).
//!
//! Extrapolation ([`super::zone::ClockBounds`]) makes the graph finite. With *ExtraM* and zones told apart by
//! equality the nodes are a unique set, and every node meets only regions that are reachable: what the
//! diagnostics need. With inclusion, a zone inside another of the same marking is dropped and the rest is
//! the antichain of the largest; with ExtraLU+ and constants per marking it is smallest, for reachability only.
//! ExtraLU+ where lower and upper constants are the same adds nothing but what time-abstract bisimulation cannot tell
//! apart: it is exact for where runs can go on to as well, and forgets clocks that a marking does not compare.
//!
//! With *unions*, zones of a marking whose convex hull has nothing else in it become one: two things that happen in
//! either order set clocks in either order, and n of them have n! zones, whose union is one zone (David, "Merging DBMs
//! efficiently", NWPT 2005).
//!
//! Invariant: a node's `parent` and `step` give a path from the start whose every step the semantics can take,
//! for some delays ([`super::run`] computes them). With unions that is so backwards alone: from what a node can do,
//! `ZoneGraph::path_into` finds a part of the union, and in the zone of its parent what can do as much. References:
//! Daws and Tripakis, "Model checking of real-time reachability properties using abstractions", TACAS 1998; Behrmann et
//! al., STTT 2006.

use super::delay::{self, Delayed, Entry};
use super::local_bounds::LocalBounds;
use super::markings::{ExploreError, Limits, MarkingId, MarkingTable};
use super::model::TransitionId;
use super::predicate::ClockId;
use super::scaled::Scaled;
use super::zone::{Bound, ClockBounds, Federation, Zone};
use crate::threads::pool;
use rayon::ThreadPool;
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use rustc_hash::{FxHashMap, FxHasher};
use smallvec::SmallVec;
use std::hash::{Hash, Hasher};
use std::ops::Range;

/// The abstraction of zones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Abstraction {
    /// ExtraM: exact for everything that regions tell apart.
    Maximal,
    /// ExtraLU+ with the constants of the whole net: exact for reachable markings and runs to them.
    LowerUpper,
    /// ExtraLU+ with constants for each marking, put together from those of its places.
    LocalLowerUpper,
    /// ExtraLU+ with the least constants of each marking; where there are too many markings, those of places.
    MarkingLowerUpper,
    /// The same with the larger one of the two constants of a clock for both: exact for all that runs can go on to.
    MarkingMaximal,
}

/// When a zone is not new.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Storage {
    /// If its marking has the same zone.
    Equality,
    /// If its marking has a zone that includes it; those that it includes are dropped.
    Inclusion,
    /// If a zone of its marking includes it; zones whose union is a zone become one.
    Union,
}

/// How to explore.
#[derive(Clone, Debug)]
pub struct ZoneOptions {
    /// The abstraction of zones.
    pub abstraction: Abstraction,
    /// When a zone is not new.
    pub storage: Storage,
    /// How far.
    pub limits: Limits,
    /// Threads that compute successors; the result does not depend on it.
    pub threads: usize,
    /// A clock whose values matter up to a constant beyond those it is compared with.
    pub watch: Option<(ClockId, i32)>,
}

impl ZoneOptions {
    /// Exact for everything that regions tell apart: ExtraM and equality.
    pub fn regions() -> Self {
        ZoneOptions {
            abstraction: Abstraction::Maximal,
            storage: Storage::Equality,
            limits: Limits::default(),
            threads: 1,
            watch: None,
        }
    }

    /// ExtraM and inclusion: as exact, with fewer zones.
    pub fn antichain() -> Self {
        ZoneOptions { storage: Storage::Inclusion, ..ZoneOptions::regions() }
    }

    /// Smallest, for reachability only.
    pub fn reachability() -> Self {
        ZoneOptions { abstraction: Abstraction::MarkingLowerUpper, ..ZoneOptions::antichain() }
    }

    /// The same with unions.
    pub fn united_reachability() -> Self {
        ZoneOptions { storage: Storage::Union, ..ZoneOptions::reachability() }
    }

    /// With unions, exact for what can be reached and from where.
    pub fn united() -> Self {
        ZoneOptions { abstraction: Abstraction::MarkingMaximal, ..ZoneOptions::united_reachability() }
    }
}

/// How a node arises from its parent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// It is initial.
    Start,
    /// A transition, by one alternative of its condition.
    Fire(TransitionId, u32),
    /// Time reaches the limit of the parent's piece of the invariant.
    Reach,
    /// Time stands where this node's piece of the invariant begins.
    Begin,
    /// Its zone is the union of those of other nodes of its marking, its parts.
    Union,
}

impl Step {
    /// Does only time pass?
    pub fn is_delay(self) -> bool {
        matches!(self, Step::Reach | Step::Begin)
    }
}

/// Number of a node.
pub type NodeId = u32;

/// A marking with a zone.
#[derive(Clone, Debug)]
pub struct Node {
    /// The marking.
    pub marking: MarkingId,
    /// The piece of the invariant of the marking in which time passes.
    pub piece: u32,
    /// The zone, until a larger one replaces it.
    pub zone: Option<Zone>,
    /// The node it arose from; itself, for an initial one.
    pub parent: NodeId,
    /// How.
    pub step: Step,
}

/// The reachable zones.
pub struct ZoneGraph<'s, 'n> {
    /// The markings; those with time are a part of them.
    pub markings: MarkingTable<'s, 'n>,
    /// The nodes, in the order in which they arose.
    pub nodes: Vec<Node>,
    /// The nodes of each marking that still have their zones.
    of_marking: Vec<Vec<NodeId>>,
    /// The transitions that fire.
    pub fired: Vec<bool>,
    /// The parts of nodes that are unions, and the zones that they had.
    parts: FxHashMap<NodeId, Vec<NodeId>>,
    replaced: FxHashMap<NodeId, Zone>,
    options: ZoneOptions,
}

impl<'s, 'n> ZoneGraph<'s, 'n> {
    /// Explores all that is reachable, breadth first.
    pub fn explore(scaled: &'s Scaled<'n>, options: ZoneOptions) -> Result<Self, ExploreError> {
        let abstraction = Abstractor::new(scaled, &options);
        let graph = ZoneGraph {
            markings: MarkingTable::new(scaled, &options.limits)?,
            nodes: Vec::new(),
            of_marking: Vec::new(),
            fired: vec![false; scaled.net.transitions.len()],
            parts: FxHashMap::default(),
            replaced: FxHashMap::default(),
            options,
        };
        let pool = pool(graph.options.threads);
        let mut search = Search { graph, abstraction, by_hash: FxHashMap::default(), zones: 0, pool };
        search.run()?;
        Ok(search.graph)
    }

    /// The net.
    pub fn scaled(&self) -> &'s Scaled<'n> {
        self.markings.scaled()
    }

    fn fired_by(&mut self, step: Step) {
        if let Step::Fire(t, _) = step {
            self.fired[t.index()] = true;
        }
    }

    /// Number of zones kept.
    pub fn zone_count(&self) -> usize {
        self.of_marking.iter().map(Vec::len).sum()
    }

    /// Is a marking reachable with time?
    pub fn is_reached(&self, m: MarkingId) -> bool {
        self.of_marking.get(m as usize).is_some_and(|nodes| !nodes.is_empty())
    }

    /// The markings that are reachable with time.
    pub fn reached(&self) -> impl Iterator<Item = MarkingId> + '_ {
        (0u32..).zip(&self.of_marking).filter(|(_, nodes)| !nodes.is_empty()).map(|(m, _)| m)
    }

    /// The nodes of a marking, with their zones.
    pub fn nodes_of(&self, m: MarkingId) -> impl Iterator<Item = (NodeId, &Zone)> + '_ {
        let ids = self.of_marking.get(m as usize).map_or(&[] as &[NodeId], Vec::as_slice);
        ids.iter().filter_map(|&n| self.nodes[n as usize].zone.as_ref().map(|z| (n, z)))
    }

    /// All values of the clocks at a marking.
    pub fn region_of(&self, m: MarkingId) -> Federation {
        let mut all = Federation::new();
        self.nodes_of(m).for_each(|(_, z)| {
            all.add(z.clone());
        });
        all
    }

    /// The options it was explored with.
    pub fn options(&self) -> &ZoneOptions {
        &self.options
    }

    /// The steps from the start to a node, with the nodes they lead to: into a region, if one is given and there are unions.
    /// The region is one that extrapolation does not tell apart. Nothing if no step leads there, as may happen for values
    /// that extrapolation has added.
    pub(super) fn path_into(&self, node: NodeId, goal: Option<&Federation>) -> Option<Vec<NodeId>> {
        let (mut path, mut at) = (Vec::new(), node);
        // What can take the steps behind; nothing where any node of the path is as good.
        let everything = || Federation::from(Zone::all(self.scaled().clocks()));
        let mut able = (self.options.storage == Storage::Union).then(|| goal.cloned().unwrap_or_else(everything));
        loop {
            let known = &self.nodes[at as usize];
            if known.step == Step::Union {
                let able = able.as_ref()?.zones();
                let meets = |zone: &Zone| able.iter().any(|able| zone.and(able).is_some());
                let parts = self.parts.get(&at)?;
                at = *parts.iter().find(|&&part| self.zone_of(part).is_some_and(meets))?;
                continue;
            }
            path.push(at);
            if known.step == Step::Start {
                break;
            }
            if let Some(behind) = &mut able {
                let mut before = Federation::new();
                behind.zones().iter().filter_map(|zone| self.before(known, zone.clone())).for_each(|zone| {
                    before.add(zone);
                });
                *behind = before;
            }
            at = known.parent;
        }
        path.reverse();
        Some(path)
    }

    /// The zone of a node, or the one that it had before it became a part of a larger one.
    fn zone_of(&self, node: NodeId) -> Option<&Zone> {
        self.nodes[node as usize].zone.as_ref().or_else(|| self.replaced.get(&node))
    }

    /// The values before the step into a node from which it, and then a delay, leads to some values.
    fn before(&self, node: &Node, mut able: Zone) -> Option<Zone> {
        let pieces = self.markings.invariant(node.marking);
        let (own, of_parent) = (pieces.get(node.piece as usize)?, self.nodes[node.parent as usize].piece);
        // Time never leaves the invariant.
        if !able.meet_box(own) {
            return None;
        }
        able.precede();
        match node.step {
            Step::Fire(t, alternative) => {
                let fired = able.and_box(own)?.before_reset(self.scaled().resets(t))?;
                fired.and_box(self.scaled().condition(t).get(alternative as usize)?)
            }
            Step::Reach => {
                let parent = pieces.get(of_parent as usize)?;
                let mut limit = able.and_box(own)?.and_box(&parent.upper_relaxed())?;
                limit.precede();
                limit.and_box(parent)
            }
            Step::Begin => able.and_box(&own.lower_relaxed())?.and_box(pieces.get(of_parent as usize)?),
            Step::Start | Step::Union => None,
        }
    }
}

/// Extrapolation with the constants of the net or of each marking.
struct Abstractor {
    maximal: Vec<i32>,
    bounds: ClockBounds,
    watch: Option<(ClockId, i32)>,
    local: Option<LocalBounds>,
    cache: Vec<Option<ClockBounds>>,
    abstraction: Abstraction,
}

impl Abstractor {
    fn new(scaled: &Scaled<'_>, options: &ZoneOptions) -> Abstractor {
        let mut bounds = scaled.bounds.clone();
        watch(&mut bounds, options.watch);
        Abstractor {
            maximal: bounds.maximal(),
            bounds,
            watch: options.watch,
            local: match options.abstraction {
                Abstraction::Maximal | Abstraction::LowerUpper => None,
                Abstraction::LocalLowerUpper => Some(LocalBounds::of_places(scaled)),
                Abstraction::MarkingLowerUpper | Abstraction::MarkingMaximal => Some(LocalBounds::of_markings(scaled)),
            },
            cache: Vec::new(),
            abstraction: options.abstraction,
        }
    }

    /// Computes what [`Abstractor::apply`] needs for a marking.
    fn prepare(&mut self, markings: &MarkingTable<'_, '_>, m: MarkingId) {
        let Some(local) = &self.local else { return };
        if self.cache.len() <= m as usize {
            self.cache.resize(m as usize + 1, None);
        }
        let watched = self.watch;
        self.cache[m as usize].get_or_insert_with(|| {
            let mut bounds = local.of_marking(markings.marked(m)).unwrap_or_else(|| self.bounds.clone());
            watch(&mut bounds, watched);
            if self.abstraction == Abstraction::MarkingMaximal {
                let most = bounds.maximal();
                (bounds.lower, bounds.upper) = (most.clone(), most);
            }
            bounds
        });
    }

    fn apply(&self, m: MarkingId, zone: &mut Zone) {
        match self.abstraction {
            Abstraction::Maximal => zone.extrapolate_maximal(&self.maximal),
            Abstraction::LowerUpper => zone.extrapolate_lower_upper(&self.bounds),
            Abstraction::LocalLowerUpper | Abstraction::MarkingLowerUpper | Abstraction::MarkingMaximal => {
                let local = self.cache.get(m as usize).and_then(Option::as_ref);
                zone.extrapolate_lower_upper(local.unwrap_or(&self.bounds));
            }
        }
    }
}

fn watch(bounds: &mut ClockBounds, watched: Option<(ClockId, i32)>) {
    if let Some((clock, constant)) = watched {
        for list in [&mut bounds.lower, &mut bounds.upper] {
            list[clock.index()] = list[clock.index()].max(constant);
        }
    }
}

/// Zones that arise by one step: where, how, and what time makes of them, extrapolated.
struct Fresh {
    marking: MarkingId,
    step: Step,
    delayed: Vec<Delayed>,
}

struct Search<'s, 'n> {
    graph: ZoneGraph<'s, 'n>,
    abstraction: Abstractor,
    by_hash: FxHashMap<u64, SmallVec<[NodeId; 1]>>,
    /// Zones that are kept.
    zones: usize,
    /// Threads that compute successors ahead.
    pool: Option<ThreadPool>,
}

/// Nodes that are looked at together: their markings are numbered first, then their successors are computed, by
/// several threads if wanted, and then inserted one node after the other.
const BATCH: usize = 256;

/// Fewer nodes are not shared by threads.
const FEW: usize = 32;

/// Nodes between two looks at the budget.
const CHECK: usize = 16;

/// Bytes of a stored zone besides its bounds: its allocation, its number, and its entry in the hash table.
const ENTRY: usize = 64;

impl Search<'_, '_> {
    fn run(&mut self) -> Result<(), ExploreError> {
        let clocks = self.graph.scaled().clocks();
        let delayed = delay::elapse(&Zone::zero(clocks), self.graph.markings.invariant(0));
        self.abstraction.prepare(&self.graph.markings, 0);
        let mut start = Fresh { marking: 0, step: Step::Start, delayed };
        start.extrapolate(&self.abstraction);
        self.insert(0, start)?;
        let mut next = 0;
        while next < self.graph.nodes.len() {
            let end = self.graph.nodes.len().min(next + BATCH);
            self.number_markings(next..end)?;
            let mut computed = self.compute(next..end).into_iter();
            for node in next..end {
                let ahead = computed.next();
                if node.is_multiple_of(CHECK) {
                    self.graph.options.limits.check(self.bytes())?;
                }
                // A node that a larger zone has replaced in the meantime is covered by it.
                if self.graph.nodes[node].zone.is_some() {
                    let list = ahead.unwrap_or_else(|| self.successors(node));
                    for fresh in list {
                        self.graph.fired_by(fresh.step);
                        self.insert(node as NodeId, fresh)?;
                    }
                }
            }
            next = end;
        }
        Ok(())
    }

    /// An estimate of the bytes in use.
    fn bytes(&self) -> usize {
        let dimension = self.graph.scaled().clocks() + 1;
        let zone = dimension * dimension * size_of::<Bound>() + ENTRY;
        self.graph.markings.bytes()
            + self.graph.nodes.len() * size_of::<Node>()
            + (self.zones + self.graph.replaced.len()) * zone
    }

    fn number_markings(&mut self, nodes: Range<usize>) -> Result<(), ExploreError> {
        for node in nodes {
            let marking = self.graph.nodes[node].marking;
            for &(_, target) in self.graph.markings.successors(marking)?.iter() {
                self.abstraction.prepare(&self.graph.markings, target);
            }
        }
        Ok(())
    }

    /// The successors of nodes, if there are threads to compute them ahead.
    fn compute(&self, nodes: Range<usize>) -> Vec<Vec<Fresh>> {
        match &self.pool {
            Some(pool) if nodes.len() >= FEW => {
                pool.install(|| nodes.into_par_iter().map(|node| self.successors(node)).collect())
            }
            _ => Vec::new(),
        }
    }

    /// The successors of a node by one transition and delay.
    fn successors(&self, node: usize) -> Vec<Fresh> {
        let graph = &self.graph;
        let Node { marking, zone: Some(zone), .. } = &graph.nodes[node] else { return Vec::new() };
        let scaled = graph.scaled();
        let mut list = Vec::new();
        for &(t, target) in graph.markings.known_successors(*marking) {
            let invariant = graph.markings.invariant(target);
            for (alternative, guard) in (0u32..).zip(scaled.condition(t)) {
                if !zone.touches_box(guard) {
                    continue;
                }
                let Some(mut fired) = zone.and_box(guard) else { continue };
                fired.reset(scaled.resets(t));
                let delayed = delay::elapse(&fired, invariant);
                if !delayed.is_empty() {
                    let mut fresh = Fresh { marking: target, step: Step::Fire(t, alternative), delayed };
                    fresh.extrapolate(&self.abstraction);
                    list.push(fresh);
                }
            }
        }
        list
    }

    /// Inserts what arises from a node by one step.
    fn insert(&mut self, from: NodeId, mut fresh: Fresh) -> Result<(), ExploreError> {
        // The nodes of the list, made when they or what comes from them is kept.
        let mut ids: SmallVec<[Option<NodeId>; 4]> = SmallVec::from_elem(None, fresh.delayed.len());
        for i in 0..fresh.delayed.len() {
            if !fresh.delayed[i].covered && self.is_new(fresh.marking, &fresh.delayed[i].zone) {
                let node = self.node_for(&fresh.delayed, i, &mut ids, fresh.marking, fresh.step, from)?;
                let zone = std::mem::replace(&mut fresh.delayed[i].zone, Zone::zero(0));
                self.keep(node, zone)?;
            }
        }
        Ok(())
    }

    /// The node of an element of a list of delays, with those it comes from.
    fn node_for(
        &mut self,
        delayed: &[Delayed],
        i: usize,
        ids: &mut [Option<NodeId>],
        marking: MarkingId,
        step: Step,
        from: NodeId,
    ) -> Result<NodeId, ExploreError> {
        if let Some(id) = ids[i] {
            return Ok(id);
        }
        let (parent, step) = match delayed[i].entry {
            Entry::Initially => (from, step),
            Entry::Reach => (self.node_for(delayed, delayed[i].parent, ids, marking, step, from)?, Step::Reach),
            Entry::Begin => (self.node_for(delayed, delayed[i].parent, ids, marking, step, from)?, Step::Begin),
        };
        let id = self.graph.nodes.len() as NodeId;
        if self.graph.nodes.len() >= self.graph.options.limits.states.min(NodeId::MAX as usize) {
            return Err(ExploreError::States(self.graph.options.limits.states));
        }
        self.graph.nodes.push(Node { marking, piece: delayed[i].piece, zone: None, parent, step });
        ids[i] = Some(id);
        Ok(id)
    }

    /// Is a zone not covered by what is stored?
    fn is_new(&mut self, marking: MarkingId, zone: &Zone) -> bool {
        let graph = &mut self.graph;
        if graph.of_marking.len() <= marking as usize {
            graph.of_marking.resize(marking as usize + 1, Vec::new());
        }
        let nodes = &graph.nodes;
        match graph.options.storage {
            Storage::Equality => {
                let same = self.by_hash.get(&hash(marking, zone)).map_or(&[] as &[NodeId], |s| s.as_slice());
                !same.iter().any(|&n| {
                    let other = &nodes[n as usize];
                    other.marking == marking && other.zone.as_ref() == Some(zone)
                })
            }
            Storage::Inclusion | Storage::Union => {
                let includes = |&n: &NodeId| nodes[n as usize].zone.as_ref().is_some_and(|z| z.includes(zone));
                !graph.of_marking[marking as usize].iter().any(includes)
            }
        }
    }

    /// Stores a new zone at its node; under inclusion, drops the zones inside it.
    fn keep(&mut self, id: NodeId, zone: Zone) -> Result<(), ExploreError> {
        let graph = &mut self.graph;
        let marking = graph.nodes[id as usize].marking;
        match graph.options.storage {
            Storage::Equality => self.by_hash.entry(hash(marking, &zone)).or_default().push(id),
            Storage::Inclusion => {
                let own = &mut graph.of_marking[marking as usize];
                let nodes = &mut graph.nodes;
                own.retain(|&n| {
                    let slot = &mut nodes[n as usize].zone;
                    let drop = slot.as_ref().is_none_or(|z| zone.includes(z));
                    if slot.is_some() && drop {
                        *slot = None;
                        self.zones -= 1;
                    }
                    !drop
                });
            }
            Storage::Union => {
                self.replace(marking, &zone);
                self.store(id, zone);
                return self.unite(id);
            }
        }
        self.store(id, zone);
        Ok(())
    }

    fn store(&mut self, id: NodeId, zone: Zone) {
        let node = &mut self.graph.nodes[id as usize];
        node.zone = Some(zone);
        self.graph.of_marking[node.marking as usize].push(id);
        self.zones += 1;
    }

    /// Takes the zones of a marking that lie inside a zone out of those that are looked at.
    fn replace(&mut self, marking: MarkingId, zone: &Zone) {
        let ZoneGraph { of_marking, nodes, replaced, .. } = &mut self.graph;
        let before = replaced.len();
        of_marking[marking as usize].retain(|&n| match nodes[n as usize].zone.take_if(|z| zone.includes(z)) {
            Some(inside) => {
                replaced.insert(n, inside);
                false
            }
            None => true,
        });
        self.zones -= replaced.len() - before;
    }

    /// Makes one of zones of a marking, as long as the convex hull of the newest and another has nothing else in it.
    fn unite(&mut self, mut newest: NodeId) -> Result<(), ExploreError> {
        let (marking, piece) = (self.graph.nodes[newest as usize].marking, self.graph.nodes[newest as usize].piece);
        // Pieces of an invariant stay apart.
        if self.graph.markings.invariant(marking).len() > 1 {
            return Ok(());
        }
        self.graph.options.limits.check(self.bytes())?;
        while let Some(hull) = self.hull(marking, newest) {
            if self.graph.nodes.len() >= self.graph.options.limits.states.min(NodeId::MAX as usize) {
                return Err(ExploreError::States(self.graph.options.limits.states));
            }
            let meets = |n: &NodeId| self.graph.zone_of(*n).is_some_and(|zone| zone.and(&hull).is_some());
            let parts = self.graph.of_marking[marking as usize].iter().copied().filter(meets).collect();
            let node = self.graph.nodes.len() as NodeId;
            self.graph.nodes.push(Node { marking, piece, zone: None, parent: node, step: Step::Union });
            self.graph.parts.insert(node, parts);
            self.replace(marking, &hull);
            self.store(node, hull);
            newest = node;
        }
        Ok(())
    }

    /// The convex hull of a zone and another of its marking, if the zones of the marking include it.
    fn hull(&self, marking: MarkingId, newest: NodeId) -> Option<Zone> {
        let zone = self.graph.zone_of(newest)?;
        let others = || self.graph.nodes_of(marking).filter(|&(n, _)| n != newest).map(|(_, other)| other);
        others().find_map(|other| {
            let hull = zone.convex_hull(other);
            let left = Federation::from(hull.clone()).without_zone(zone).without_zone(other);
            let left = others().try_fold(left, |left, other| (!left.is_empty()).then(|| left.without_zone(other)));
            left.is_none_or(|left| left.is_empty()).then_some(hull)
        })
    }
}

impl Fresh {
    fn extrapolate(&mut self, abstraction: &Abstractor) {
        for d in self.delayed.iter_mut().filter(|d| !d.covered) {
            abstraction.apply(self.marking, &mut d.zone);
        }
    }
}

fn hash(marking: MarkingId, zone: &Zone) -> u64 {
    let mut hasher = FxHasher::default();
    (marking, zone).hash(&mut hasher);
    hasher.finish()
}
