//! Transition-based generalized Büchi automata, as plain data.
//!
//! An infinite word is accepted iff some run over it takes, for every acceptance set `0..acceptance_sets`,
//! infinitely many edges marked with that set; with no acceptance set every infinite run accepts. Edges from a
//! location are contiguous and in a fixed order.
//!
//! The automaton knows its strongly connected components, in *reverse topological order* (a component's
//! successors have lower numbers), each with the strength that decides which fixpoint a product may use for
//! it (Bloem, Ravi & Somenzi 1999; Renault, Duret-Lutz, Kordon & Poitrenaud 2013):
//!
//! | strength | meaning | fixpoint |
//! |---|---|---|
//! | transient | one location without self-loop | one pre-image |
//! | rejecting | cycles, none of them accepting | least fixpoint |
//! | weak accepting | every cycle is accepting | E G inside the component |
//! | terminal | weak accepting, and complete: whatever is read, some edge stays in it | E F |
//! | strong | accepting and rejecting cycles | Emerson–Lei over the marks |
//!
//! Construction is through [`TgbaBuilder`], which checks indices, drops unsatisfiable edges and unreachable
//! locations, and classifies. Linear in the size of the automaton, times the number of acceptance sets.

use super::guard::{Guard, Prop, covers_all};
use crate::scc::{self, UNREACHED};
use std::fmt;

/// Index of a location (a state of the automaton; "state" alone means a state of the model).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Location(pub u32);

impl Location {
    /// The index as `usize`, for indexing slices.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A set of acceptance sets: those an edge belongs to. At most [`Marks::MAX`] sets.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Marks(pub u64);

impl Marks {
    /// The largest number of acceptance sets of an automaton.
    pub const MAX: u32 = 64;
    /// No set.
    pub const NONE: Marks = Marks(0);

    /// The sets `0..count`.
    pub fn all(count: u32) -> Marks {
        Marks(if count >= 64 { u64::MAX } else { (1 << count) - 1 })
    }

    /// Whether `set` is among them.
    pub fn contains(self, set: u32) -> bool {
        set < 64 && self.0 >> set & 1 == 1
    }

    /// These and `set`.
    #[must_use]
    pub fn with(self, set: u32) -> Marks {
        Marks(self.0 | if set < 64 { 1 << set } else { 0 })
    }

    /// Whether all of `other` are among these.
    pub(crate) fn is_superset(self, other: Marks) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The sets, in increasing order.
    pub fn iter(self) -> impl Iterator<Item = u32> {
        (0..64).filter(move |&i| self.contains(i))
    }
}

impl std::ops::BitOr for Marks {
    type Output = Marks;
    fn bitor(self, other: Marks) -> Marks {
        Marks(self.0 | other.0)
    }
}

impl std::ops::BitAnd for Marks {
    type Output = Marks;
    fn bitand(self, other: Marks) -> Marks {
        Marks(self.0 & other.0)
    }
}

impl std::ops::BitOrAssign for Marks {
    fn bitor_assign(&mut self, other: Marks) {
        self.0 |= other.0;
    }
}

impl fmt::Debug for Marks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// An edge: in `source`, when `guard` holds of the current model state, move to `target`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Edge {
    /// Where it starts.
    pub source: Location,
    /// Where it leads.
    pub target: Location,
    /// The acceptance sets it belongs to.
    pub marks: Marks,
    /// When it may be taken. Satisfiable.
    pub guard: Guard,
}

/// The strength of a component, and (as the maximum) of an automaton. See the module's table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Strength {
    /// A single location without a self-loop.
    Transient,
    /// Has cycles, none of them accepting.
    Rejecting,
    /// Every cycle accepts, and whatever is read some edge stays inside: everything is accepted from here.
    Terminal,
    /// Every cycle accepts.
    WeakAccepting,
    /// Some cycles accept and some do not.
    Strong,
}

impl Strength {
    /// Whether a run can stay in such a component for ever and accept.
    pub(crate) fn is_accepting(self) -> bool {
        matches!(self, Strength::Terminal | Strength::WeakAccepting | Strength::Strong)
    }
}

/// A maximal strongly connected component.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Component {
    /// Its locations, increasing.
    pub locations: Vec<Location>,
    /// Its strength.
    pub strength: Strength,
}

/// Why an automaton could not be built.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AutomatonError {
    /// A location, proposition or acceptance set that was not declared.
    #[error("{what} {index} is out of range (there are {count})")]
    OutOfRange {
        /// The sort of index.
        what: &'static str,
        /// The index.
        index: u64,
        /// How many there are.
        count: u64,
    },
    /// More acceptance sets than [`Marks::MAX`].
    #[error("{0} acceptance sets; at most 64 are supported")]
    TooManySets(u32),
}

/// Whether words stay in a language when letters are repeated, or repetitions left out; `None` where that is not known.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Stuttering {
    /// With each word of the language, are those in it that repeat some of its letters, finitely often?
    pub longer: Option<bool>,
    /// Are those in it that leave out some of its repetitions?
    pub shorter: Option<bool>,
}

impl Stuttering {
    pub(super) const INVARIANT: Stuttering = Stuttering { longer: Some(true), shorter: Some(true) };

    /// Whether the language is closed under both.
    pub fn invariant(self) -> Option<bool> {
        match (self.longer, self.shorter) {
            (Some(true), Some(true)) => Some(true),
            (Some(false), _) | (_, Some(false)) => Some(false),
            _ => None,
        }
    }
}

/// A transition-based generalized Büchi automaton, classified. All its locations are reachable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tgba {
    propositions: Vec<String>,
    names: Vec<String>,
    title: Option<String>,
    acceptance_sets: u32,
    edges: Vec<Edge>,
    first: Vec<u32>,
    component_of: Vec<u32>,
    components: Vec<Component>,
    strength: Strength,
    stutter_invariant: Option<bool>,
    stuttering: Stuttering,
}

impl Tgba {
    /// The names of the propositions; guards refer to them by index.
    pub fn propositions(&self) -> &[String] {
        &self.propositions
    }

    /// A title, such as the formula it was made from.
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// The meaning of a location (such as a formula), where it is known: empty where it is not.
    pub fn name(&self, location: Location) -> &str {
        self.names.get(location.index()).map_or("", String::as_str)
    }

    /// The number of locations (at least 1).
    pub fn location_count(&self) -> usize {
        self.first.len() - 1
    }

    /// All locations.
    pub fn locations(&self) -> impl ExactSizeIterator<Item = Location> + use<> {
        (0..self.location_count() as u32).map(Location)
    }

    /// The initial location.
    pub fn initial(&self) -> Location {
        Location(0)
    }

    /// The number of acceptance sets.
    pub fn acceptance_sets(&self) -> u32 {
        self.acceptance_sets
    }

    /// All acceptance sets: what a run must visit infinitely often.
    pub fn all_marks(&self) -> Marks {
        Marks::all(self.acceptance_sets)
    }

    /// All edges, sorted by source.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// The propositions that some guard reads, ascending.
    pub fn read(&self) -> Vec<Prop> {
        let mut read: Vec<Prop> = self.edges.iter().flat_map(|edge| edge.guard.support()).collect();
        read.sort_unstable();
        read.dedup();
        read
    }

    /// The edges that leave a location.
    pub fn edges_from(&self, location: Location) -> &[Edge] {
        match (self.first.get(location.index()), self.first.get(location.index() + 1)) {
            (Some(&a), Some(&b)) => &self.edges[a as usize..b as usize],
            _ => &[],
        }
    }

    /// The components in reverse topological order: an edge leads to a component of the same or a lower index.
    pub fn components(&self) -> &[Component] {
        &self.components
    }

    /// The index in [`Tgba::components`] of the component of a location.
    ///
    /// # Panics
    /// When the location is not one of this automaton.
    pub(crate) fn component_of(&self, location: Location) -> usize {
        self.component_of[location.index()] as usize
    }

    /// Whether an edge stays in its component.
    pub(crate) fn is_internal(&self, edge: &Edge) -> bool {
        self.component_of(edge.source) == self.component_of(edge.target)
    }

    /// The greatest strength of a component that accepts; `Rejecting` for the empty language.
    pub fn strength(&self) -> Strength {
        self.strength
    }

    /// Whether the language is closed under repeating and removing repeated letters; `None` when unknown.
    pub fn stutter_invariant(&self) -> Option<bool> {
        self.stutter_invariant
    }

    /// The same automaton with [`Tgba::stutter_invariant`] set.
    #[must_use]
    pub fn with_stutter_invariance(mut self, known: Option<bool>) -> Tgba {
        self.stutter_invariant = known;
        self.stuttering = if known == Some(true) { Stuttering::INVARIANT } else { Stuttering::default() };
        self
    }

    /// Whether words stay in the language when they get longer or shorter by repetitions.
    pub fn stuttering(&self) -> Stuttering {
        self.stuttering
    }

    /// The same automaton with [`Tgba::stuttering`] set.
    #[must_use]
    pub(crate) fn with_stuttering(mut self, known: Stuttering) -> Tgba {
        (self.stutter_invariant, self.stuttering) = (known.invariant(), known);
        self
    }

    /// The same automaton with another title.
    #[must_use]
    pub(crate) fn with_title(mut self, title: impl Into<String>) -> Tgba {
        self.title = Some(title.into());
        self
    }

    /// The same automaton with its propositions renamed; `names` must have as many entries.
    pub fn with_propositions(mut self, names: Vec<String>) -> Result<Tgba, AutomatonError> {
        if names.len() < self.propositions.len() {
            let (index, count) = (self.propositions.len() as u64 - 1, names.len() as u64);
            return Err(AutomatonError::OutOfRange { what: "proposition", index, count });
        }
        self.propositions = names;
        Ok(self)
    }

    /// Whether no two edges of one location can be taken together.
    pub fn is_deterministic(&self) -> bool {
        self.nondeterministic_locations() == 0
    }

    /// How many locations have two edges that can be taken together.
    pub fn nondeterministic_locations(&self) -> usize {
        let overlap =
            |edges: &[Edge]| (1..edges.len()).any(|i| edges[..i].iter().any(|e| e.guard.intersects(&edges[i].guard)));
        self.locations().filter(|&l| overlap(self.edges_from(l))).count()
    }

    /// Whether every location has an edge for every valuation. Conservatively `false` where the guards are too
    /// intricate to tell.
    pub fn is_complete(&self) -> bool {
        self.locations().all(|l| complete(self.edges_from(l).iter()))
    }
}

/// How many cube visits the completeness check of one location may take.
const COMPLETENESS_FUEL: u64 = 1 << 16;

fn complete<'a>(edges: impl Iterator<Item = &'a Edge>) -> bool {
    let cubes: Vec<_> = edges.flat_map(|e| e.guard.cubes()).collect();
    covers_all(&cubes, &mut COMPLETENESS_FUEL.clone()) == Some(true)
}

/// Collects locations and edges of an automaton; [`TgbaBuilder::build`] checks and classifies.
///
/// ```
/// use starset::automaton::{Guard, Location, Marks, Prop, Strength, TgbaBuilder};
/// // G F p
/// let mut builder = TgbaBuilder::new(["p"], 1);
/// let q = builder.location("");
/// builder.edge(q, Guard::literal(Prop(0), true), Marks::all(1), q);
/// builder.edge(q, Guard::literal(Prop(0), false), Marks::NONE, q);
/// let automaton = builder.build(q).unwrap();
/// assert_eq!(automaton.strength(), Strength::Strong);
/// assert!(automaton.is_complete() && automaton.is_deterministic());
/// ```
#[derive(Clone, Debug)]
pub struct TgbaBuilder {
    propositions: Vec<String>,
    acceptance_sets: u32,
    names: Vec<String>,
    edges: Vec<Edge>,
}

impl TgbaBuilder {
    /// An automaton without locations over the given propositions.
    pub fn new<S: Into<String>>(propositions: impl IntoIterator<Item = S>, acceptance_sets: u32) -> Self {
        let propositions = propositions.into_iter().map(Into::into).collect();
        TgbaBuilder { propositions, acceptance_sets, names: Vec::new(), edges: Vec::new() }
    }

    /// A new location, with a name for printing (may be empty).
    pub fn location(&mut self, name: impl Into<String>) -> Location {
        self.names.push(name.into());
        Location(self.names.len() as u32 - 1)
    }

    /// A new edge. Parallel edges with the same marks are kept apart; an unsatisfiable one is dropped.
    pub fn edge(&mut self, source: Location, guard: Guard, marks: Marks, target: Location) {
        if !guard.is_never() {
            self.edges.push(Edge { source, target, marks, guard });
        }
    }

    /// The automaton that starts in `initial`: reachable locations only, renumbered in breadth-first order of
    /// the edges as they were added, so that the initial location is 0.
    pub fn build(self, initial: Location) -> Result<Tgba, AutomatonError> {
        let count = self.names.len();
        let range = |what, index: u64, count: u64| {
            if index < count { Ok(()) } else { Err(AutomatonError::OutOfRange { what, index, count }) }
        };
        if self.acceptance_sets > Marks::MAX {
            return Err(AutomatonError::TooManySets(self.acceptance_sets));
        }
        range("location", initial.0.into(), count as u64)?;
        for edge in &self.edges {
            range("location", edge.source.0.into(), count as u64)?;
            range("location", edge.target.0.into(), count as u64)?;
            for literal in edge.guard.cubes().iter().flat_map(|c| c.literals()) {
                range("proposition", literal.prop.0.into(), self.propositions.len() as u64)?;
            }
            if let Some(set) = edge.marks.iter().find(|&s| s >= self.acceptance_sets) {
                range("acceptance set", set.into(), self.acceptance_sets.into())?;
            }
        }
        let mut leaving: Vec<Vec<Edge>> = vec![Vec::new(); count];
        for edge in self.edges {
            leaving[edge.source.index()].push(edge);
        }
        let mut order = vec![initial];
        let mut number = vec![UNREACHED; count];
        number[initial.index()] = 0;
        let mut edges = Vec::new();
        let mut first = vec![0];
        let mut done = 0;
        while let Some(&old) = order.get(done) {
            for mut edge in std::mem::take(&mut leaving[old.index()]) {
                if number[edge.target.index()] == UNREACHED {
                    number[edge.target.index()] = order.len() as u32;
                    order.push(edge.target);
                }
                edge.source = Location(done as u32);
                edge.target = Location(number[edge.target.index()]);
                edges.push(edge);
            }
            first.push(edges.len() as u32);
            done += 1;
        }
        let mut old_names = self.names;
        let names = order.iter().map(|l| std::mem::take(&mut old_names[l.index()])).collect();
        Ok(classify(self.propositions, names, self.acceptance_sets, edges, first))
    }
}

/// Finds the components and their strengths.
fn classify(
    propositions: Vec<String>,
    names: Vec<String>,
    acceptance_sets: u32,
    edges: Vec<Edge>,
    first: Vec<u32>,
) -> Tgba {
    let count = first.len() - 1;
    let from = |v: usize| &edges[first[v] as usize..first[v + 1] as usize];
    let found = scc::components(count, 0..count, |v| from(v).iter().map(|e| e.target.index()));
    let internal = |e: &&Edge| found.of[e.source.index()] == found.of[e.target.index()];

    let mut components = vec![Component { locations: Vec::new(), strength: Strength::Transient }; found.count];
    for v in 0..count {
        components[found.of[v] as usize].locations.push(Location(v as u32));
    }
    let mut seen: Vec<Option<Marks>> = vec![None; found.count];
    for edge in edges.iter().filter(internal) {
        *seen[found.of[edge.source.index()] as usize].get_or_insert(Marks::NONE) |= edge.marks;
    }
    // A component is weak iff for no acceptance set a cycle avoids that set.
    let mut weak = vec![true; found.count];
    for set in 0..acceptance_sets {
        let avoiding = |e: &&Edge| internal(e) && !e.marks.contains(set);
        let within = scc::components(count, 0..count, |v| from(v).iter().filter(avoiding).map(|e| e.target.index()));
        for edge in edges.iter().filter(avoiding) {
            if within.of[edge.source.index()] == within.of[edge.target.index()] {
                weak[found.of[edge.source.index()] as usize] = false;
            }
        }
    }
    for (c, component) in components.iter_mut().enumerate() {
        component.strength = match seen[c] {
            None => Strength::Transient,
            Some(marks) if !marks.is_superset(Marks::all(acceptance_sets)) => Strength::Rejecting,
            Some(_) if !weak[c] => Strength::Strong,
            Some(_) => {
                let total = component.locations.iter().all(|l| complete(from(l.index()).iter().filter(internal)));
                if total { Strength::Terminal } else { Strength::WeakAccepting }
            }
        };
    }
    let strength = components.iter().map(|c| c.strength).max().unwrap_or(Strength::Rejecting).max(Strength::Rejecting);
    let component_of = found.of;
    Tgba {
        propositions,
        names,
        title: None,
        acceptance_sets,
        edges,
        first,
        component_of,
        components,
        strength,
        stutter_invariant: None,
        stuttering: Stuttering::default(),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::automaton::Prop;

    /// Edges as (source, guard, marks, target) with guard `Some(literal)` or always.
    fn automaton(sets: u32, edges: &[(u32, Option<bool>, u64, u32)]) -> Tgba {
        let mut builder = TgbaBuilder::new(["p"], sets);
        let count = edges.iter().map(|e| e.0.max(e.3)).max().unwrap() + 1;
        for _ in 0..count {
            builder.location("");
        }
        for &(s, g, m, t) in edges {
            let guard = g.map_or(Guard::always(), |positive| Guard::literal(Prop(0), positive));
            builder.edge(Location(s), guard, Marks(m), Location(t));
        }
        builder.build(Location(0)).unwrap()
    }

    #[test]
    fn strengths_of_components() {
        use Strength::*;
        let strengths = |a: &Tgba| a.components().iter().map(|c| c.strength).collect::<Vec<_>>();
        // F G p with a transient location in front.
        let a = automaton(1, &[(0, None, 0, 1), (1, None, 0, 1), (1, Some(true), 0, 2), (2, Some(true), 1, 2)]);
        assert_eq!(strengths(&a), [WeakAccepting, Rejecting, Transient]);
        assert_eq!(a.strength(), WeakAccepting);
        // F p: the last loop is taken by two complementary edges.
        let a = automaton(
            1,
            &[(0, Some(false), 0, 0), (0, Some(true), 0, 1), (1, Some(true), 1, 1), (1, Some(false), 1, 1)],
        );
        assert_eq!(strengths(&a), [Terminal, Rejecting]);
        // Two sets, each on one of two loops: strong. One edge with both, one cycle: weak.
        let a = automaton(2, &[(0, Some(true), 1, 0), (0, Some(false), 2, 0)]);
        assert_eq!(strengths(&a), [Strong]);
        let a = automaton(2, &[(0, None, 3, 1), (1, Some(true), 0, 0)]);
        assert_eq!(strengths(&a), [WeakAccepting]);
        // No acceptance set: every run accepts.
        assert_eq!(strengths(&automaton(0, &[(0, Some(true), 0, 0)])), [WeakAccepting]);
        assert_eq!(strengths(&automaton(0, &[(0, None, 0, 0)])), [Terminal]);
        // A run that stops accepts nothing.
        assert_eq!(automaton(0, &[(0, None, 0, 1)]).strength(), Rejecting);
    }

    #[test]
    fn unreachable_locations_are_dropped_and_errors_found() {
        let mut b = TgbaBuilder::new(["p"], 1);
        let dead = b.location("dead");
        let start = b.location("start");
        b.edge(dead, Guard::always(), Marks::NONE, start);
        b.edge(start, Guard::always(), Marks::NONE, start);
        b.edge(start, Guard::never(), Marks::NONE, dead);
        let a = b.clone().build(start).unwrap();
        assert_eq!((a.location_count(), a.edges().len(), a.name(Location(0))), (1, 1, "start"));
        assert!(b.clone().build(Location(2)).is_err());
        let mut bad = b.clone();
        bad.edge(start, Guard::literal(Prop(1), true), Marks::NONE, start);
        assert!(bad.build(start).is_err());
        b.edge(start, Guard::always(), Marks(2), start);
        assert!(b.build(start).is_err());
        let mut wide = TgbaBuilder::new(["p"], 65);
        let q = wide.location("");
        assert_eq!(wide.build(q), Err(AutomatonError::TooManySets(65)));
    }
}
