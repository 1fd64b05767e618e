//! Transitions while they are made, and signals.
//!
//! A signal reaches whoever waits for it at that moment, in one step, and is then gone. So a transition that throws one
//! stands for as many as there are combinations of who waits: those who do go on, of the others something is missing. One
//! who goes on may end a part of the process in which the thrower, or another one, goes on: then nothing is left of that.

use super::super::diagram::{FlowId, Node, NodeId};
use super::super::process_net::{Deed, PlaceId, Transition};

/// A transition while it is made.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    pub(super) transition: Transition,
}

/// Who waits for a signal: the transition by which it goes on.
#[derive(Clone, Debug)]
pub(super) struct Catcher {
    pub(super) signal: Option<String>,
    pub(super) draft: Draft,
}

/// A transition that throws signals.
#[derive(Clone, Debug)]
pub(super) struct Thrown {
    pub(super) signals: Vec<Option<String>>,
    pub(super) draft: Draft,
}

impl Draft {
    pub(super) fn new(node: NodeId, of: &Node) -> Self {
        Draft::called(Some(node), &of.id, of.shown())
    }

    pub(super) fn called(node: Option<NodeId>, id: &str, name: &str) -> Self {
        let transition = Transition {
            id: id.to_owned(),
            name: name.to_owned(),
            node,
            deed: Deed::Pass,
            begins: Vec::new(),
            ways: Vec::new(),
            inputs: Vec::new(),
            reads: Vec::new(),
            inhibitors: Vec::new(),
            resets: Vec::new(),
            outputs: Vec::new(),
        };
        Draft { transition }
    }

    pub(super) fn taking(mut self, places: impl IntoIterator<Item = PlaceId>) -> Self {
        places.into_iter().for_each(|place| add(&mut self.transition.inputs, place, 1));
        self
    }

    pub(super) fn putting(mut self, places: impl IntoIterator<Item = PlaceId>) -> Self {
        places.into_iter().for_each(|place| add(&mut self.transition.outputs, place, 1));
        self
    }

    pub(super) fn putting_times(mut self, place: PlaceId, times: u32) -> Self {
        if times > 0 {
            add(&mut self.transition.outputs, place, times);
        }
        self
    }

    pub(super) fn reading(mut self, places: impl IntoIterator<Item = PlaceId>) -> Self {
        self.transition.reads.extend(places);
        self
    }

    pub(super) fn without(mut self, places: impl IntoIterator<Item = PlaceId>) -> Self {
        self.transition.inhibitors.extend(places);
        self
    }

    pub(super) fn emptying(mut self, places: impl IntoIterator<Item = PlaceId>) -> Self {
        self.transition.resets.extend(places);
        self
    }

    pub(super) fn beginning(mut self, activity: NodeId) -> Self {
        self.transition.begins.push(activity);
        self.transition.deed = Deed::Begin;
        self
    }

    /// A gateway goes on by these flows.
    pub(super) fn deciding(mut self, ways: impl IntoIterator<Item = FlowId>) -> Self {
        self.transition.ways.extend(ways);
        self
    }

    pub(super) fn ending(mut self, id: &str, name: &str) -> Self {
        (self.transition.id, self.transition.name) = (format!("{id}.end"), format!("{name} ends"));
        self.transition.deed = Deed::End;
        self
    }

    /// Where the other one could be done as well, which is not.
    fn able(self, other: &Draft) -> Self {
        let other = &other.transition;
        let marked = other.inputs.iter().map(|&(place, _)| place).chain(other.reads.iter().copied());
        self.reading(marked).without(other.inhibitors.iter().copied())
    }

    /// Do both take a token from one place?
    pub(super) fn takes_with(&self, other: &Draft) -> bool {
        let takes = |place: PlaceId| other.transition.inputs.iter().any(|&(taken, _)| taken == place);
        self.transition.inputs.iter().any(|&(place, _)| takes(place))
    }

    /// It does what the other does as well.
    fn with(mut self, other: &Draft) -> Self {
        let other = &other.transition;
        other.inputs.iter().for_each(|&(place, taken)| add(&mut self.transition.inputs, place, taken));
        other.outputs.iter().for_each(|&(place, put)| add(&mut self.transition.outputs, place, put));
        let mine = &mut self.transition;
        for (mine, other) in [
            (&mut mine.reads, &other.reads),
            (&mut mine.inhibitors, &other.inhibitors),
            (&mut mine.resets, &other.resets),
            (&mut mine.begins, &other.begins),
            (&mut mine.ways, &other.ways),
        ] {
            mine.extend(other.iter().copied());
        }
        self
    }
}

/// Whom a signal reaches, of the catchers that have been looked at.
#[derive(Clone, Debug)]
pub(super) struct Reached<'a> {
    /// What all of them do at once, and what has to hold.
    draft: Draft,
    /// The thrower, and those who go on.
    parts: Vec<&'a Draft>,
    /// Those who could go on, and leave the token to another one.
    yielding: Vec<&'a Draft>,
}

impl<'a> Reached<'a> {
    pub(super) fn new(thrower: &'a Draft) -> Self {
        Reached { draft: thrower.clone(), parts: vec![thrower], yielding: Vec::new() }
    }

    /// With a catcher more: it cannot go on; or it does; or it leaves its token to one that comes later. Where who goes on
    /// takes its token it does not.
    pub(super) fn ways(self, catcher: &'a Draft, has_rival: bool) -> Vec<Self> {
        if self.parts.iter().any(|part| part.takes_with(catcher)) {
            return vec![self];
        }
        let with = |draft: Draft| Reached { draft, ..self.clone() };
        let mut ways: Vec<Self> = hindered(catcher, &self.draft).into_iter().map(with).collect();
        if has_rival {
            let mut yields = with(self.draft.clone().able(catcher));
            yields.yielding.push(catcher);
            ways.push(yields);
        }
        let mut goes = with(self.draft.clone().with(catcher));
        goes.parts.push(catcher);
        ways.push(goes);
        ways
    }

    /// The transition; none where a token was left to nobody. Of the tokens that a part puts those are left that no other
    /// part empties. Two that empty where the other one goes on, as event sub-processes of one part of the process, both
    /// go on.
    pub(super) fn whole(self) -> Option<Draft> {
        let Reached { mut draft, parts, yielding } = self;
        if !yielding.iter().all(|one| parts.iter().any(|part| part.takes_with(one))) {
            return None;
        }
        let empties = |one: &Draft, place: PlaceId| one.transition.resets.contains(&place);
        let hits = |one: &Draft, other: &Draft| other.transition.outputs.iter().any(|&(place, _)| empties(one, place));
        draft.transition.outputs.clear();
        for (number, &part) in parts.iter().enumerate() {
            let others = parts.iter().enumerate().filter(|&(at, &other)| at != number && !hits(part, other));
            let enders: Vec<&Draft> = others.map(|(_, &other)| other).collect();
            let stays = |place: PlaceId| !enders.iter().any(|other| empties(other, place));
            let staying = part.transition.outputs.iter().filter(|&&(place, _)| stays(place));
            staying.for_each(|&(place, tokens)| add(&mut draft.transition.outputs, place, tokens));
        }
        Some(draft)
    }
}

fn add(list: &mut Vec<(PlaceId, u32)>, place: PlaceId, tokens: u32) {
    match list.iter_mut().find(|(known, _)| *known == place) {
        Some((_, known)) => *known += tokens,
        None => list.push((place, tokens)),
    }
}

/// The ways in which a catcher cannot go on, each without the others: the first place that is not as it needs it.
fn hindered(catcher: &Draft, thrower: &Draft) -> Vec<Draft> {
    let taken = |place: PlaceId| thrower.transition.inputs.iter().any(|&(input, _)| input == place);
    let known = |place: PlaceId| taken(place) || thrower.transition.reads.contains(&place);
    let marked = catcher.transition.inputs.iter().map(|&(place, _)| place).chain(catcher.transition.reads.clone());
    let (mut hindered, mut before) = (Vec::new(), thrower.clone());
    for place in marked.filter(|&place| !known(place)) {
        hindered.push(before.clone().without([place]));
        before = before.reading([place]);
    }
    for &place in &catcher.transition.inhibitors {
        hindered.push(before.clone().reading([place]));
        before = before.without([place]);
    }
    hindered
}
