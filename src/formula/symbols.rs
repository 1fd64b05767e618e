//! The names that formulas may use, and what they stand for.
//!
//! A place or transition of a PNML file has an identifier and may have a display name. Formulas of the Model
//! Checking Contest use identifiers; people write what their editor shows them. [`Symbols`] looks up either,
//! and refuses a name that could mean two things rather than choose one. In a net that was unfolded from a
//! coloured one, a coloured place or transition is one more name, for all its unfoldings together.
//!
//! Of other kinds of models the variables stand where a net has its places, and the actions where it has transitions;
//! where values have names, these are symbols, too.
//!
//! An unknown name is answered with the nearest known one by edit distance (insertions, deletions,
//! substitutions and transpositions of neighbours: Damerau 1964, in the restricted form of "optimal string
//! alignment").

use super::instances::InstanceNames;
use super::values::{NoValue, Values};
use crate::model::{LabelId, StateSet, TransitionSystem, Unit};
use crate::net::{PetriNet, PlaceId, Transition, TransitionId};
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};
use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

/// Which names count: a file may use as display name of one place the identifier of another.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Naming {
    /// Identifiers (and names of coloured places and transitions) only.
    Id,
    /// Display names only; the identifier where there is no display name.
    Name,
    /// Both; a name that fits two different places or transitions is ambiguous.
    #[default]
    Either,
}

/// Why a name cannot be resolved.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NameError {
    /// No place or transition has this name.
    #[error("unknown {kind} `{name}`{}", suggestion(.nearest))]
    Unknown {
        /// The sort of name: a place, say, or another term of the model for its variables.
        kind: &'static str,
        /// The name as given.
        name: String,
        /// The most similar known name, if one is similar.
        nearest: Option<String>,
    },
    /// The name belongs to a node of the other kind.
    #[error("`{name}` is a {other}, not a {kind}")]
    WrongKind {
        /// The sort of name.
        kind: &'static str,
        /// Its sort.
        other: &'static str,
        /// The name as given.
        name: String,
    },
    /// More than one place or transition has this name.
    #[error("{kind} `{name}` is ambiguous: it names {}", .candidates.join(" and "))]
    Ambiguous {
        /// The sort of name.
        kind: &'static str,
        /// The name as given.
        name: String,
        /// The identifiers it could mean (the first few).
        candidates: Vec<String>,
    },
    /// A variable has no value with this name.
    #[error("{kind} `{variable}` has no value `{name}`{}{}", suggestion(.nearest), listed(.values))]
    UnknownValue {
        /// The term for a variable.
        kind: &'static str,
        /// The variable.
        variable: String,
        /// The name as given.
        name: String,
        /// The most similar name of a value, if one is similar.
        nearest: Option<String>,
        /// The first names of values.
        values: Vec<String>,
    },
    /// Two values of a variable have this name.
    #[error("two values of {kind} `{variable}` are called `{name}`")]
    AmbiguousValue {
        /// The term for a variable.
        kind: &'static str,
        /// The variable.
        variable: String,
        /// The name as given.
        name: String,
    },
}

/// Values that are listed where one is not known.
const LISTED: usize = 12;

fn listed(values: &[String]) -> String {
    let more = if values.len() > LISTED { " and others" } else { "" };
    let shown: Vec<String> = values.iter().take(LISTED).map(|value| format!("`{value}`")).collect();
    if shown.is_empty() { String::new() } else { format!("; its values are {}{more}", shown.join(", ")) }
}

fn suggestion(nearest: &Option<String>) -> String {
    nearest.as_ref().map_or(String::new(), |n| format!("; did you mean `{n}`?"))
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Origin {
    Id,
    Name,
    /// Identifier of a node without display name: counts as either.
    OnlyName,
}

/// The nodes that a name stands for: mostly one.
type Nodes<T> = SmallVec<[T; 2]>;
type Meanings<T> = SmallVec<[(Origin, Nodes<T>); 1]>;

/// The names of one kind of node.
#[derive(Clone, Debug)]
struct Table<T> {
    /// The terms for a node and for one of the other kind.
    kinds: [&'static str; 2],
    nodes: Vec<T>,
    ids: Vec<Arc<str>>,
    /// Display names, where there are any.
    names: Vec<Option<String>>,
    /// The meanings of the nodes' names: made when one is looked up. An unfolding has a million of them, of which
    /// formulas mostly use none.
    own: OnceLock<FxHashMap<Arc<str>, Meanings<T>>>,
    /// The beginnings of the nodes' names, alone or before `_`, if they are known.
    stems: Option<Vec<String>>,
    /// The meanings of other names.
    more: FxHashMap<Arc<str>, Meanings<T>>,
    /// Names that stand for no node, but could.
    absent: Vec<InstanceNames>,
}

impl<T: Copy + PartialEq> Table<T> {
    fn new<'a>(kinds: [&'static str; 2], nodes: impl Iterator<Item = (T, &'a str, Option<&'a str>)>) -> Self {
        let mut table = Table {
            kinds,
            nodes: Vec::new(),
            ids: Vec::new(),
            names: Vec::new(),
            own: OnceLock::new(),
            stems: None,
            more: FxHashMap::default(),
            absent: Vec::new(),
        };
        for (node, id, name) in nodes {
            table.nodes.push(node);
            table.ids.push(id.into());
            table.names.push(name.filter(|name| *name != id).map(str::to_owned));
        }
        table
    }

    fn add(&mut self, name: Arc<str>, origin: Origin, nodes: Nodes<T>) {
        self.more.entry(name).or_default().push((origin, nodes));
    }

    /// The meanings of the nodes' names.
    fn own(&self) -> &FxHashMap<Arc<str>, Meanings<T>> {
        self.own.get_or_init(|| {
            let mut own: FxHashMap<Arc<str>, Meanings<T>> = FxHashMap::default();
            let mut add = |name, origin, node| own.entry(name).or_default().push((origin, smallvec![node]));
            for ((id, name), &node) in self.ids.iter().zip(&self.names).zip(&self.nodes) {
                add(Arc::clone(id), if name.is_some() { Origin::Id } else { Origin::OnlyName }, node);
                if let Some(name) = name {
                    add(name.as_str().into(), Origin::Name, node);
                }
            }
            own
        })
    }

    /// The meanings of a name.
    fn meanings(&self, name: &str) -> impl Iterator<Item = &(Origin, Nodes<T>)> + Clone {
        let more = self.more.get(name);
        let may_be_own = self.stems.as_ref().is_none_or(|stems| {
            // A stem that is a name by itself means all nodes that begin with it, so that one is no other.
            let begins = |stem: &String| match name.strip_prefix(stem.as_str()) {
                Some("") => more.is_none(),
                rest => rest.is_some_and(|rest| rest.starts_with('_')),
            };
            stems.iter().any(begins)
        });
        let own = may_be_own.then(|| self.own().get(name)).flatten();
        own.into_iter().chain(more).flatten()
    }

    /// The shown name of a node: its display name if that means this node and no other, else its identifier.
    fn shown(&self, naming: Naming, node: T, index: usize) -> Option<&str> {
        let name = self.names.get(index).and_then(Option::as_deref).filter(|name| !name.trim().is_empty());
        let only = |name: &&str| matches!(self.find(Naming::Either, name)[..], [nodes] if nodes[..] == [node]);
        let shown = name.filter(|_| naming != Naming::Id).filter(only);
        shown.or_else(|| self.ids.get(index).map(|id| &**id))
    }

    fn find(&self, naming: Naming, name: &str) -> Vec<&[T]> {
        let fits = |origin: Origin| match naming {
            Naming::Either => true,
            Naming::Id => origin != Origin::Name,
            Naming::Name => origin != Origin::Id,
        };
        let mut found: Vec<&[T]> = Vec::new();
        for (_, nodes) in self.meanings(name).filter(|(origin, _)| fits(*origin)) {
            if !found.contains(&&nodes[..]) {
                found.push(&nodes[..]);
            }
        }
        found
    }

    /// All nodes with this display name (the identifier of a node that has none counts as one); if there is
    /// none, what the name means otherwise.
    fn resolve_all(
        &self,
        naming: Naming,
        name: &str,
        other: impl FnOnce() -> bool,
        index: impl Fn(T) -> usize,
    ) -> Result<Vec<T>, NameError> {
        let meanings = || self.meanings(name);
        let mut named: Vec<T> = Vec::new();
        for (_, nodes) in meanings().filter(|(origin, _)| *origin != Origin::Id) {
            named.extend(nodes);
        }
        let by_id = |named: &[T]| {
            let mut ids = meanings().filter(|(origin, _)| *origin == Origin::Id).flat_map(|(_, nodes)| nodes);
            ids.any(|node| !named.contains(node))
        };
        let unclear = naming == Naming::Either && by_id(&named);
        if naming == Naming::Id || named.is_empty() || unclear {
            return self.resolve(naming, name, other, index).map(<[T]>::to_vec);
        }
        Ok(named)
    }

    /// The one meaning of a name. `other` says whether the name belongs to a node of the other kind.
    fn resolve(
        &self,
        naming: Naming,
        name: &str,
        other: impl FnOnce() -> bool,
        index: impl Fn(T) -> usize,
    ) -> Result<&[T], NameError> {
        let found = self.find(naming, name);
        let ([kind, kind_of_other], owned) = (self.kinds, name.to_owned());
        match found[..] {
            [nodes] => Ok(nodes),
            [] if self.absent.iter().any(|names| names.fits(name)) => Ok(&[]),
            [] if other() => Err(NameError::WrongKind { kind, other: kind_of_other, name: owned }),
            [] => {
                let known = self.own().keys().chain(self.more.keys()).filter(|n| !self.find(naming, n).is_empty());
                let nearest = nearest(name, known.map(|name| &**name)).map(str::to_owned);
                Err(NameError::Unknown { kind, name: owned, nearest })
            }
            _ => {
                let nodes = found.iter().filter_map(|nodes| nodes.first());
                let id = |n: &T| self.ids.get(index(*n)).map_or("", |s| s);
                let candidates = nodes.take(3).map(|n| format!("`{}`", id(n))).collect();
                Err(NameError::Ambiguous { kind, name: owned, candidates })
            }
        }
    }
}

/// The names of the places and transitions of one net.
///
/// ```
/// use starset::formula::Symbols;
/// use starset::net::NetBuilder;
/// let mut b = NetBuilder::new("n");
/// let p = b.place("place_1", 1)?;
/// b.name_place(p, "ready");
/// let symbols = Symbols::new(&b.build()?);
/// assert_eq!(symbols.place("place_1").unwrap(), [p]);
/// assert_eq!(symbols.place("ready").unwrap(), [p]);
/// assert_eq!(symbols.place("redy").unwrap_err().to_string(), "unknown place `redy`; did you mean `ready`?");
/// # Ok::<(), starset::net::BuildError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Symbols {
    naming: Naming,
    /// How transitions are looked up as actions.
    labels: Naming,
    places: Table<PlaceId>,
    transitions: Table<TransitionId>,
    /// Names of the values of each variable; nothing where all are numbers.
    values: Vec<Values>,
    /// The least number of each variable; nothing where all are 0.
    least: Vec<i64>,
    /// The conditions on the last step that variables remember.
    remembered: FxHashMap<PlaceId, String>,
    /// Names of the state labels.
    state_labels: Vec<String>,
    /// Sets of states that formulas may name.
    sets: Vec<StateSet>,
    /// The unit of each variable that tells time; nothing where none does.
    units: Vec<Option<Unit>>,
    /// The action by which time passes, where that is no deed.
    tick: Option<TransitionId>,
}

/// The terms for places and transitions of nets.
const NET: [&str; 2] = ["place", "transition"];

impl Symbols {
    /// All names of a model of any kind: those of its variables, of their values, and of its actions.
    ///
    /// ```
    /// use starset::formula::{Pool, Symbols, parse};
    /// use starset::kinds::network::read_aut;
    /// let network = read_aut(&[("des (0, 2, 2)\n(0, go, 1)\n(1, back, 0)\n", "toggle.aut")]).unwrap();
    /// let (symbols, mut pool) = (Symbols::of(&network), Pool::new());
    /// let f = parse("AG (toggle = 1 -> EX #toggle = 0)", &symbols, &mut pool).unwrap();
    /// assert_eq!(pool.display(f, &symbols).to_string(), "A G (#toggle = 1 -> (E X (#toggle = 0)))");
    /// ```
    pub fn of(model: &dyn TransitionSystem) -> Self {
        let terms = model.terms();
        let variables = model.variable_ids().map(|variable| (variable, model.variable(variable), None));
        let actions = model.action_ids().map(|action| (action, model.action(action), None));
        Symbols {
            values: model.variable_ids().map(|variable| Values::of(model, variable)).collect(),
            least: model.variable_ids().map(|variable| model.least(variable)).collect(),
            remembered: model
                .variable_ids()
                .filter_map(|variable| Some((variable, model.remembered(variable)?.to_owned())))
                .collect(),
            state_labels: (0..model.labels() as u32).map(|label| model.label(LabelId(label)).to_owned()).collect(),
            units: model.variable_ids().map(|variable| model.unit(variable)).collect(),
            tick: model.tick(),
            ..Symbols::named(
                Table::new([terms.variable, terms.action], variables),
                Table::new([terms.action, terms.variable], actions),
            )
        }
    }

    /// Names of places and transitions, and nothing else.
    fn named(places: Table<PlaceId>, transitions: Table<TransitionId>) -> Self {
        Symbols {
            naming: Naming::default(),
            labels: Naming::default(),
            places,
            transitions,
            values: Vec::new(),
            least: Vec::new(),
            remembered: FxHashMap::default(),
            state_labels: Vec::new(),
            sets: Vec::new(),
            units: Vec::new(),
            tick: None,
        }
    }

    /// All names of a net, display names among them.
    pub fn new(net: &PetriNet) -> Self {
        let places = net.place_ids().zip(net.places()).map(|(i, p)| (i, p.id.as_str(), p.name.as_deref()));
        let transitions =
            net.transition_ids().zip(net.transitions()).map(|(i, t)| (i, t.id.as_str(), t.name.as_deref()));
        Symbols::named(Table::new(NET, places), Table::new([NET[1], NET[0]], transitions))
    }

    /// The labels of a network of transition systems, which stand where a net has its transitions. There are no
    /// places.
    ///
    /// ```
    /// use starset::formula::{Pool, Symbols, parse};
    /// let symbols = Symbols::of_labels(["send", "receive"]);
    /// let mut pool = Pool::new();
    /// let f = parse("G (action(send) -> F action(receive))", &symbols, &mut pool).unwrap();
    /// assert_eq!(pool.display(f, &symbols).to_string(), "G (action(send) -> F action(receive))");
    /// ```
    pub fn of_labels<'a>(labels: impl IntoIterator<Item = &'a str>) -> Self {
        let labels = labels.into_iter().zip(0..).map(|(label, i)| (TransitionId(i), label, None));
        Symbols::named(Table::new(NET, std::iter::empty()), Table::new(["label", NET[0]], labels))
    }

    /// The labels of a network of transition systems of which this is the net: a label stands for all transitions
    /// that have it as their display name. There are no places.
    pub fn of_steps(net: &PetriNet) -> Self {
        let label = |t: &Transition| Arc::from(&**t.name.as_ref().unwrap_or(&t.id));
        let ids: Vec<Arc<str>> = net.transitions().iter().map(label).collect();
        let mut symbols = Symbols::of_labels([]);
        let mut steps: FxHashMap<Arc<str>, Nodes<TransitionId>> = FxHashMap::default();
        for (label, step) in ids.iter().zip(net.transition_ids()) {
            steps.entry(Arc::clone(label)).or_default().push(step);
        }
        for (label, steps) in steps {
            symbols.transitions.add(label, Origin::OnlyName, steps);
        }
        symbols.transitions.ids = ids;
        symbols
    }

    /// The same names, with the label of a transition taken from its identifier, its display name, or either.
    #[must_use]
    pub fn with_labels(mut self, labels: Naming) -> Self {
        self.labels = labels;
        self
    }

    /// The transitions with this label: a name that several transitions share stands for all of them.
    pub fn labelled(&self, name: &str) -> Result<Vec<TransitionId>, NameError> {
        let other = || !self.places.find(self.labels, name).is_empty();
        self.transitions.resolve_all(self.labels, name, other, TransitionId::index)
    }

    /// The same names, looked up in another way.
    #[must_use]
    pub fn with_naming(mut self, naming: Naming) -> Self {
        self.naming = naming;
        self
    }

    /// One more name, for several places together: a place of a coloured net and its unfoldings.
    pub(crate) fn group_places(&mut self, name: &str, places: Vec<PlaceId>) {
        self.places.add(name.into(), Origin::OnlyName, places.into());
    }

    /// One more name, for several transitions together.
    pub(crate) fn group_transitions(&mut self, name: &str, transitions: Vec<TransitionId>) {
        self.transitions.add(name.into(), Origin::OnlyName, transitions.into());
    }

    /// Set the beginnings of the names of places and of transitions, alone or before `_`.
    pub(crate) fn beginning_with(&mut self, places: Vec<String>, transitions: Vec<String>) {
        (self.places.stems, self.transitions.stems) = (Some(places), Some(transitions));
    }

    /// Names that places of a coloured net could have. One that no place has stands for no place at all: its
    /// tokens are none.
    pub(crate) fn instances_of_place(&mut self, names: InstanceNames) {
        self.places.absent.push(names);
    }

    /// Names that transitions of a coloured net could have. One that no transition has is never enabled.
    pub(crate) fn instances_of_transition(&mut self, names: InstanceNames) {
        self.transitions.absent.push(names);
    }

    /// The places that a name stands for (one, unless it names a place of a coloured net).
    pub fn place(&self, name: &str) -> Result<&[PlaceId], NameError> {
        self.place_in(self.naming, name)
    }

    /// The transitions that a name stands for (one, unless it names a transition of a coloured net).
    pub fn transition(&self, name: &str) -> Result<&[TransitionId], NameError> {
        self.transition_in(self.naming, name)
    }

    /// The transitions that a name stands for where any of them will do: an activity of a process may stand in several
    /// places.
    pub fn activity(&self, name: &str) -> Result<Vec<TransitionId>, NameError> {
        let other = || !self.places.find(self.naming, name).is_empty();
        self.transitions.resolve_all(self.naming, name, other, TransitionId::index)
    }

    /// Each transition or action by itself, the instances of a coloured one and the steps with one label together. The
    /// passing of time is none.
    pub(super) fn apart(&self) -> Vec<Vec<TransitionId>> {
        let table = &self.transitions;
        let mut lists: Vec<Vec<TransitionId>> = table.more.values().flatten().map(|(_, list)| list.to_vec()).collect();
        let listed: rustc_hash::FxHashSet<TransitionId> = lists.iter().flatten().copied().collect();
        let alone = |node: &TransitionId| !listed.contains(node) && self.tick != Some(*node);
        lists.extend(table.nodes.iter().copied().filter(alone).map(|node| vec![node]));
        lists.sort();
        lists.dedup();
        lists
    }

    /// As [`Symbols::place`], under another naming.
    pub(super) fn place_in(&self, naming: Naming, name: &str) -> Result<&[PlaceId], NameError> {
        let other = || !self.transitions.find(naming, name).is_empty();
        self.places.resolve(naming, name, other, PlaceId::index)
    }

    /// As [`Symbols::transition`], under another naming.
    pub(super) fn transition_in(&self, naming: Naming, name: &str) -> Result<&[TransitionId], NameError> {
        let other = || !self.places.find(naming, name).is_empty();
        self.transitions.resolve(naming, name, other, TransitionId::index)
    }

    /// The terms for variables and actions: places and transitions, where nothing else is said.
    pub(super) fn kinds(&self) -> [&'static str; 2] {
        self.places.kinds
    }

    /// Is the model a net without time?
    pub(super) fn is_of_net(&self) -> bool {
        self.kinds() == NET && !self.ticks()
    }

    /// Has the model state labels?
    pub(super) fn has_labels(&self) -> bool {
        !self.state_labels.is_empty()
    }

    /// The state label with this name; of several, the first.
    pub(super) fn label(&self, name: &str) -> Result<LabelId, NameError> {
        let found = self.state_labels.iter().position(|label| label == name);
        found.map(|label| LabelId(label as u32)).ok_or_else(|| {
            let nearest = nearest(name, self.state_labels.iter().map(String::as_str)).map(str::to_owned);
            NameError::Unknown { kind: "state label", name: name.to_owned(), nearest }
        })
    }

    /// The name of a state label; empty for one of another model.
    pub(super) fn label_name(&self, label: LabelId) -> &str {
        self.state_labels.get(label.index()).map_or("", |s| s)
    }

    /// Let formulas call a set of states of the model by its name, as in `EF %name`.
    ///
    /// # Errors
    /// The name, if another set has it.
    pub fn name_set(&mut self, set: StateSet) -> Result<(), String> {
        if self.sets.iter().any(|known| known.name() == set.name()) {
            return Err(set.name().to_owned());
        }
        self.sets.push(set);
        Ok(())
    }

    /// Have sets of states a name?
    pub(super) fn has_sets(&self) -> bool {
        !self.sets.is_empty()
    }

    /// The set of states with this name.
    pub(super) fn set(&self, name: &str) -> Result<&StateSet, NameError> {
        self.sets.iter().find(|set| set.name() == name).ok_or_else(|| {
            let nearest = nearest(name, self.sets.iter().map(StateSet::name)).map(str::to_owned);
            NameError::Unknown { kind: "set", name: name.to_owned(), nearest }
        })
    }

    /// Do the values of a variable have names? Then they are compared by these names only.
    pub fn has_named_values(&self, variable: PlaceId) -> bool {
        self.values.get(variable.index()).is_some_and(Values::are_named)
    }

    /// The value that is called TRUE, of a variable that has this and FALSE.
    pub(crate) fn truth(&self, variable: PlaceId) -> Option<u64> {
        let values = self.values.get(variable.index())?;
        let [truth, falsity] = ["TRUE", "FALSE"].map(|name| values.find(name).ok());
        truth.zip(falsity).filter(|_| values.name(2).is_none()).map(|(truth, _)| truth)
    }

    /// The number to be added to the sum of the values of these variables to get the sum of the numbers that they stand
    /// for.
    pub(super) fn least(&self, variables: &[PlaceId]) -> i128 {
        variables.iter().filter_map(|variable| self.least.get(variable.index())).map(|&least| i128::from(least)).sum()
    }

    /// The condition that a variable remembers of the last step.
    pub(super) fn remembered(&self, variable: PlaceId) -> Option<&str> {
        self.remembered.get(&variable).map(String::as_str)
    }

    /// The unit of a variable that tells time.
    pub(crate) fn unit(&self, variable: PlaceId) -> Option<Unit> {
        self.units.get(variable.index()).copied().flatten()
    }

    /// Does time pass without being a deed? Then a deadlock is something else than the end of all paths.
    pub(super) fn ticks(&self) -> bool {
        self.tick.is_some()
    }

    /// The value of a variable that has this name.
    pub fn value(&self, variable: PlaceId, name: &str) -> Result<u64, NameError> {
        let values = self.values.get(variable.index()).unwrap_or(&Values::Numbers);
        values.find(name).map_err(|problem| {
            let (kind, variable, name) =
                (self.places.kinds[0], self.name_of_place(variable).to_owned(), name.to_owned());
            match problem {
                NoValue::Ambiguous => NameError::AmbiguousValue { kind, variable, name },
                NoValue::Unknown => {
                    let names = values.names();
                    let nearest = nearest(&name, names.iter().map(|name| &**name)).map(str::to_owned);
                    let values = names.into_iter().take(LISTED + 1).map(Cow::into_owned).collect();
                    NameError::UnknownValue { kind, variable, name, nearest, values }
                }
            }
        })
    }

    /// The name of a value, where it has one.
    pub(crate) fn value_name(&self, variable: PlaceId, value: u64) -> Option<String> {
        self.values.get(variable.index())?.name(value)
    }

    /// The shown name of a place: its display name, unless that could mean something else, or labels
    /// are identifiers ([`Symbols::with_labels`]). `None` for a place of another net.
    ///
    /// ```
    /// use starset::formula::{Naming, Symbols};
    /// use starset::net::NetBuilder;
    /// let mut b = NetBuilder::new("n");
    /// for (id, name) in [("p1", "ready"), ("p2", "idle"), ("p3", "idle")] {
    ///     let place = b.place(id, 0)?;
    ///     b.name_place(place, name);
    /// }
    /// let net = b.build()?;
    /// let symbols = Symbols::new(&net);
    /// let shown = |symbols: &Symbols| net.place_ids().map(|p| symbols.place_name(p).unwrap().to_owned()).collect::<Vec<_>>();
    /// assert_eq!(shown(&symbols), ["ready", "p2", "p3"]);
    /// assert_eq!(shown(&symbols.with_labels(Naming::Id)), ["p1", "p2", "p3"]);
    /// # Ok::<(), starset::net::BuildError>(())
    /// ```
    pub fn place_name(&self, place: PlaceId) -> Option<&str> {
        self.places.shown(self.labels, place, place.index())
    }

    /// The shown name of a transition; as [`Symbols::place_name`].
    pub fn transition_name(&self, transition: TransitionId) -> Option<&str> {
        self.transitions.shown(self.labels, transition, transition.index())
    }

    /// The name of a place, empty for a place of another net.
    pub(super) fn name_of_place(&self, place: PlaceId) -> &str {
        self.place_name(place).unwrap_or_default()
    }

    /// The name of a transition, empty for a transition of another net.
    pub(super) fn name_of_transition(&self, transition: TransitionId) -> &str {
        self.transition_name(transition).unwrap_or_default()
    }
}

/// The candidate nearest to `name`, if it is within a third of its length or one edit; of equally near ones the first
/// in alphabetical order.
pub(super) fn nearest<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let wanted: Vec<char> = name.chars().collect();
    let limit = (wanted.len() / 3).max(1);
    candidates
        .filter_map(|candidate| {
            let given: Vec<char> = candidate.chars().collect();
            let distance = if given.len().abs_diff(wanted.len()) > limit {
                return None;
            } else if candidate.eq_ignore_ascii_case(name) {
                0
            } else {
                edit_distance(&wanted, &given)
            };
            (distance <= limit && distance < wanted.len()).then_some((distance, candidate))
        })
        .min()
        .map(|(_, candidate)| candidate)
}

/// Insertions, deletions, substitutions and exchanges of neighbours that turn `a` into `b`, no part of the
/// word being edited twice.
fn edit_distance(a: &[char], b: &[char]) -> usize {
    let width = b.len() + 1;
    let mut before_last: Vec<usize> = vec![0; width];
    let mut last: Vec<usize> = (0..width).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; width];
        for j in 1..width {
            let substituted = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = substituted.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before_last[j - 2] + 1);
            }
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::net::NetBuilder;

    fn distance(a: &str, b: &str) -> usize {
        edit_distance(&a.chars().collect::<Vec<_>>(), &b.chars().collect::<Vec<_>>())
    }

    #[test]
    fn distances() {
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("ab", "ba"), 1);
        assert_eq!(distance("same", "same"), 0);
    }

    /// Place `p` shows `q`, place `q` shows nothing; transitions `t` and `u` both show `go`.
    fn symbols() -> Symbols {
        let mut b = NetBuilder::new("n");
        let p = b.place("p", 0).unwrap();
        b.place("q", 0).unwrap();
        b.name_place(p, "q");
        for id in ["t", "u"] {
            let t = b.transition(id).unwrap();
            b.name_transition(t, "go");
        }
        Symbols::new(&b.build().unwrap())
    }

    #[test]
    fn ambiguous_names_are_refused() {
        let s = symbols();
        let error = s.place("q").unwrap_err().to_string();
        assert!(error.contains("ambiguous") && error.contains("`p`") && error.contains("`q`"), "{error}");
        assert_eq!(s.place("p").unwrap(), [PlaceId(0)]);
        assert!(matches!(s.transition("go"), Err(NameError::Ambiguous { .. })));
        assert_eq!(s.activity("go").unwrap(), [TransitionId(0), TransitionId(1)]);
        assert_eq!(s.activity("t").unwrap(), [TransitionId(0)]);
        assert!(matches!(s.activity("q"), Err(NameError::WrongKind { .. })));
        let by_id = s.clone().with_naming(Naming::Id);
        assert_eq!(by_id.place("q").unwrap(), [PlaceId(1)]);
        assert!(matches!(by_id.transition("go"), Err(NameError::Unknown { .. })));
        let by_name = s.with_naming(Naming::Name);
        assert!(matches!(by_name.place("p"), Err(NameError::Unknown { .. })));
    }

    #[test]
    fn kinds_are_told_apart_and_groups_found() {
        let mut s = symbols();
        assert_eq!(s.place("t").unwrap_err().to_string(), "`t` is a transition, not a place");
        s.group_places("both", vec![PlaceId(0), PlaceId(1)]);
        assert_eq!(s.place("both").unwrap().len(), 2);
    }
}
