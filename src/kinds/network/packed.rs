//! The packed space of a network of transition systems: what the explicit engine sees of it.
//!
//! **Problem.** The net of a network has one transition per label and *combination* of local edges; where labels
//! synchronise many components that is the product of their numbers of edges, though in one state only few of them are
//! enabled.
//!
//! **Idea.** A packed state is the vector of local states, each in a field of just enough bits. A label is enabled if
//! every participant has an edge with it from its local state, and its steps in a state are the combinations of those
//! edges: they are found in the participants' edge lists when the label is looked at, and no combination that is not
//! enabled is ever made. A firing flips the bits in which local states differ.
//!
//! **Index.** As transitions of a net hang on one input place, a label hangs on one participant, its *home*: the one
//! that blocks it in the largest part of its local states. The candidates in a state are the labels that the local
//! states of their homes allow, in lists made beforehand. Labels are numbered in the order of their homes, so that an
//! enumeration goes through the components once and can be resumed after any rule.
//!
//! **Rules** number the labels in the order of their homes, and of each its choices ([`Network::take`]): of a
//! deterministic network, one per label.

use super::{LabelId, Network};
use crate::budget::Budget;
use crate::explicit::{Action, Builder, Fired, Layout, NoReduction, PackedModel, Rule, bits};
use crate::model::{ActionId, Step, TransitionSystem, VariableId};
use crate::stop_reason::StopReason;

/// Most rules: each has an entry in a table.
const MOST_RULES: u32 = 1 << 26;

/// Labels between two looks at the budget.
const CHECK_EVERY: usize = 1 << 12;

/// A label.
#[derive(Clone, Copy, Debug)]
struct Label {
    id: LabelId,
    /// The component on which it hangs.
    home: u32,
    /// Its first rule; the others are its other choices.
    first: Rule,
    /// Its participants, a range of `parts`.
    parts: (u32, u32),
}

/// A participant of a label.
#[derive(Clone, Copy, Debug)]
struct Part {
    word: u32,
    shift: u32,
    mask: u64,
    /// Its edges, a range of `sources` and `targets`.
    edges: (u32, u32),
}

impl Part {
    #[inline]
    fn state(&self, words: &[u64]) -> u32 {
        ((words[self.word as usize] >> self.shift) & self.mask) as u32
    }
}

/// The labels that hang on a component: where its local state is, and the lists by local state.
#[derive(Clone, Copy, Debug)]
struct Home {
    word: u32,
    shift: u32,
    mask: u64,
    /// Its first list in `lists`.
    base: u32,
}

/// The packed transition system of a network.
#[derive(Debug)]
pub(crate) struct PackedNetwork<'n> {
    network: &'n Network,
    layout: Layout,
    labels: Vec<Label>,
    parts: Vec<Part>,
    sources: Vec<u32>,
    targets: Vec<u32>,
    homes: Vec<Home>,
    /// By home and local state: a range of `candidates`.
    lists: Vec<(u32, u32)>,
    candidates: Vec<Action>,
    action_of_rule: Vec<Action>,
    action_of_label: Vec<Action>,
}

/// An enumeration of enabled rules.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cursor {
    /// Rules of the current label still to come.
    rule: Rule,
    end: Rule,
    /// Candidates still to come.
    at: u32,
    list_end: u32,
    /// The home after the current one.
    home: u32,
}

impl<'n> PackedNetwork<'n> {
    /// Compile the network.
    ///
    /// # Errors
    /// [`StopReason::Unsupported`] if the steps of the network are too many to be numbered.
    pub(crate) fn new(network: &'n Network, budget: &Budget) -> Result<PackedNetwork<'n>, StopReason> {
        const TOO_MANY: StopReason = StopReason::Unsupported(
            "the explicit engine does not explore networks whose labels combine this many edges",
        );
        let components = network.components();
        let mut builder = Builder::new(components.len());
        for (variable, component) in (0..).map(VariableId).zip(components) {
            builder.counter(variable, bits(component.states.len().saturating_sub(1) as u64));
        }
        let layout = builder.build();
        // Each label with its home, and where the home's edges start.
        let mut order = Vec::with_capacity(network.label_count());
        for label in network.label_ids() {
            let sources = network.participants(label).iter().map(|participant| {
                let mut sources: Vec<u32> = participant.edges.iter().map(|edge| edge.0).collect();
                sources.dedup();
                (participant.component, sources)
            });
            // In parts per thousand of the local states.
            let share = |(c, sources): &(usize, Vec<u32>)| (sources.len() * 1000 / components[*c].states.len(), *c);
            let Some((home, sources)) = sources.min_by_key(share) else { continue };
            order.push((home as u32, label, sources));
        }
        order.sort_unstable();
        let mut space = PackedNetwork {
            network,
            layout,
            labels: Vec::with_capacity(order.len()),
            parts: Vec::new(),
            sources: Vec::new(),
            targets: Vec::new(),
            homes: Vec::new(),
            lists: Vec::new(),
            candidates: Vec::new(),
            action_of_rule: Vec::new(),
            action_of_label: vec![Action::MAX; network.label_count()],
        };
        for (number, &(home, label, _)) in order.iter().enumerate() {
            if number.is_multiple_of(CHECK_EVERY) {
                budget.check()?;
            }
            let choices = network.choices(label).ok_or(TOO_MANY)?;
            let (action, first) = (space.labels.len() as Action, space.action_of_rule.len() as Rule);
            if first.saturating_add(choices) > MOST_RULES {
                return Err(TOO_MANY);
            }
            space.action_of_rule.resize((first + choices) as usize, action);
            space.action_of_label[label.index()] = action;
            let parts = space.parts.len() as u32;
            for participant in network.participants(label) {
                let slot = space.layout.slot(VariableId(participant.component as u32));
                let start = space.sources.len() as u32;
                space.sources.extend(participant.edges.iter().map(|edge| edge.0));
                space.targets.extend(participant.edges.iter().map(|edge| edge.1));
                let edges = (start, space.sources.len() as u32);
                space.parts.push(Part { word: slot.word, shift: slot.shift, mask: slot.mask, edges });
            }
            let parts = (parts, space.parts.len() as u32);
            space.labels.push(Label { id: label, home, first, parts });
        }
        for (component, states) in (0..).zip(components.iter().map(|component| component.states.len())) {
            let hanging = |(_, (home, ..)): &(usize, &(u32, LabelId, Vec<u32>))| *home == component;
            let mut lists: Vec<Vec<Action>> = vec![Vec::new(); states];
            for (action, (_, _, sources)) in order.iter().enumerate().filter(hanging) {
                sources.iter().for_each(|&source| lists[source as usize].push(action as Action));
            }
            let slot = space.layout.slot(VariableId(component));
            let base = space.lists.len() as u32;
            space.homes.push(Home { word: slot.word, shift: slot.shift, mask: slot.mask, base });
            for list in lists {
                let start = space.candidates.len() as u32;
                space.candidates.extend(list);
                space.lists.push((start, space.candidates.len() as u32));
            }
        }
        Ok(space)
    }

    /// The edges of a participant from its local state.
    #[inline]
    fn edges(&self, part: &Part, words: &[u64]) -> (u32, u32) {
        let state = part.state(words);
        let sources = &self.sources[part.edges.0 as usize..part.edges.1 as usize];
        let start = sources.partition_point(|&source| source < state);
        let degree = sources[start..].iter().take_while(|&&source| source == state).count();
        (part.edges.0 + start as u32, degree as u32)
    }

    fn parts(&self, label: &Label) -> &[Part] {
        &self.parts[label.parts.0 as usize..label.parts.1 as usize]
    }

    /// How many steps with this label there are in a state.
    #[inline]
    fn choices(&self, words: &[u64], action: Action) -> u32 {
        let mut choices = 1;
        for part in self.parts(&self.labels[action as usize]) {
            choices *= self.edges(part, words).1;
            if choices == 0 {
                break;
            }
        }
        choices
    }

    /// The candidates of a home.
    #[inline]
    fn list(&self, words: &[u64], home: u32) -> (u32, u32) {
        let home = &self.homes[home as usize];
        self.lists[home.base as usize + ((words[home.word as usize] >> home.shift) & home.mask) as usize]
    }
}

impl PackedModel for PackedNetwork<'_> {
    type Cursor = Cursor;
    type Scratch = ();
    type Reducer = NoReduction;

    fn system(&self) -> &dyn TransitionSystem {
        self.network
    }

    #[inline]
    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn grown(&self, (): &(), _: &[u64], _: Rule, _: &[u64]) -> Result<Self, StopReason> {
        Err(StopReason::Unsupported("a local state of the network does not exist"))
    }

    fn step(&self, rule: Rule) -> Step {
        let label = &self.labels[self.action(rule) as usize];
        Step { action: label.id, choice: rule - label.first }
    }

    #[inline]
    fn action(&self, rule: Rule) -> Action {
        self.action_of_rule[rule as usize]
    }

    fn id(&self, action: Action) -> ActionId {
        self.labels[action as usize].id
    }

    fn action_of(&self, label: ActionId) -> Option<Action> {
        self.action_of_label.get(label.index()).copied().filter(|&action| action != Action::MAX)
    }

    #[inline]
    fn cursor(&self, (): &(), words: &[u64], from: Rule) -> Cursor {
        let Some(&action) = self.action_of_rule.get(from as usize) else {
            return Cursor { rule: 0, end: 0, at: 0, list_end: 0, home: self.homes.len() as u32 };
        };
        let label = &self.labels[action as usize];
        let (start, list_end) = self.list(words, label.home);
        let candidates = &self.candidates[start as usize..list_end as usize];
        let passed = candidates.partition_point(|&candidate| candidate < action);
        let at = start + passed as u32;
        let mut cursor = Cursor { rule: 0, end: 0, at, list_end, home: label.home + 1 };
        // Some of the rules of this label may be behind.
        if from > label.first && candidates.get(passed) == Some(&action) {
            cursor.at += 1;
            (cursor.rule, cursor.end) = (from, label.first + self.choices(words, action));
        }
        cursor
    }

    #[inline]
    fn next(&self, (): &(), words: &[u64], cursor: &mut Cursor) -> Option<Rule> {
        loop {
            if cursor.rule < cursor.end {
                cursor.rule += 1;
                return Some(cursor.rule - 1);
            }
            while cursor.at < cursor.list_end {
                let action = self.candidates[cursor.at as usize];
                cursor.at += 1;
                let choices = self.choices(words, action);
                if choices > 0 {
                    let first = self.labels[action as usize].first;
                    (cursor.rule, cursor.end) = (first + 1, first + choices);
                    return Some(first);
                }
            }
            if cursor.home as usize >= self.homes.len() {
                return None;
            }
            (cursor.at, cursor.list_end) = self.list(words, cursor.home);
            cursor.home += 1;
        }
    }

    #[inline]
    fn fire(&self, (): &(), words: &[u64], rule: Rule, next: &mut Vec<u64>) -> Fired {
        next.clear();
        next.extend_from_slice(words);
        let label = &self.labels[self.action(rule) as usize];
        let mut choice = rule - label.first;
        for part in self.parts(label) {
            let (start, degree) = self.edges(part, words);
            // The rule is enabled, so the degree is not 0.
            let chosen = if degree > 1 { choice % degree } else { 0 };
            choice /= degree.max(1);
            let change = part.state(words) ^ self.targets[(start + chosen) as usize];
            next[part.word as usize] ^= u64::from(change) << part.shift;
        }
        Fired::Done
    }

    #[inline]
    fn is_enabled(&self, words: &[u64], action: Action) -> Result<bool, StopReason> {
        Ok(self.choices(words, action) > 0)
    }

    fn is_deadlock(&self, words: &[u64]) -> Result<bool, StopReason> {
        Ok(self.next(&(), words, &mut self.cursor(&(), words, 0)).is_none())
    }

    /// Participants.
    fn lacking(&self, words: &[u64], action: Action) -> u64 {
        let parts = self.parts(&self.labels[action as usize]);
        parts.iter().filter(|part| self.edges(part, words).1 == 0).count() as u64
    }

    /// The steps that are enabled.
    fn alive(&self, words: &[u64]) -> u64 {
        let mut cursor = self.cursor(&(), words, 0);
        std::iter::from_fn(|| self.next(&(), words, &mut cursor)).count() as u64
    }

    fn reducer(&self, _: &dyn Fn(Action) -> bool) -> Option<NoReduction> {
        None
    }
}
