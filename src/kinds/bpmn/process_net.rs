//! The net of a diagram: places and transitions, each with the element that it came from.
//!
//! It is a place/transition net with inhibitor arcs and three things more. A transition may *empty* places, before it
//! puts tokens anywhere (what ends or interrupts a part of a process does so). A place may hold *at most* so many
//! tokens: what comes then is lost, or cannot come.

use super::delivery::Delivery;
use super::diagram::{FlowId, NodeId, PoolId};
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashSet};

/// The number of a place in [`ProcessNet::places`].
pub type PlaceId = usize;

/// What a token in a place means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// It is on a sequence flow.
    Flow,
    /// A message is on its way.
    Message,
    /// A pool has not started.
    Start(PoolId),
    /// An activity is running.
    Busy(NodeId),
    /// A node begins with its container.
    Begun(NodeId),
    /// An end event has been reached; two tokens: more than once.
    End(NodeId),
    /// A boundary event can still come during this activation.
    Once(NodeId),
    /// An event sub-process is running.
    Running(NodeId),
    /// A pool with event sub-processes is running.
    PoolRunning(PoolId),
    /// A start event waits for its message, in a sub-process that has begun.
    Waiting(NodeId),
}

impl Meaning {
    /// Is it part of what is inside a pool?
    pub fn is_inside(self) -> bool {
        !matches!(self, Meaning::Message | Meaning::Start(_) | Meaning::End(_))
    }
}

/// What happens to tokens beyond the most that a place holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Beyond {
    /// They are lost.
    Lost,
    /// They cannot come: the transition does not fire.
    Blocked,
}

/// A place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// Its identifier, made from that of its element.
    pub id: String,
    /// What people see.
    pub name: String,
    /// What a token means.
    pub meaning: Meaning,
    /// Tokens at first.
    pub initial: u32,
    /// The most that it holds, and what happens beyond.
    pub most: Option<(u32, Beyond)>,
}

/// What the firing of a transition is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Deed {
    /// An activity begins; if it takes one step it also ends.
    Begin,
    /// An activity ends.
    End,
    /// Any other element is passed.
    Pass,
}

/// A transition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Transition {
    /// Its identifier, made from that of its element.
    pub id: String,
    /// What people see.
    pub name: String,
    /// The node that fires; of a pool without start event, none.
    pub node: Option<NodeId>,
    /// What it is.
    pub deed: Deed,
    /// The activities that begin, each at most once.
    pub begins: Vec<NodeId>,
    /// The flows by which exclusive, inclusive and event-based gateways go on.
    pub ways: Vec<FlowId>,
    /// Tokens taken, by place.
    pub inputs: Vec<(PlaceId, u32)>,
    /// Places with at least one token, which stays.
    pub reads: Vec<PlaceId>,
    /// Places without token.
    pub inhibitors: Vec<PlaceId>,
    /// Places that are emptied.
    pub resets: Vec<PlaceId>,
    /// Tokens put, by place.
    pub outputs: Vec<(PlaceId, u32)>,
}

/// An activity.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Activity {
    /// Its node.
    pub node: NodeId,
    /// Its identifier.
    pub id: String,
    /// What people see.
    pub name: String,
    /// The line of the file.
    pub line: u64,
}

/// What is asked of the end of runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Completion {
    /// From each marking a final one can be reached, and no end event is reached twice.
    #[default]
    Possible,
    /// No marking is stuck, and where no token is left no end event was reached twice.
    NotStuck,
    /// Each fair run comes to where no token is left and no end event was reached twice, and stays there.
    Fair,
}

/// The net of a diagram.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ProcessNet {
    /// The name of the diagram.
    pub name: String,
    /// Places.
    pub places: Vec<Place>,
    /// Transitions.
    pub transitions: Vec<Transition>,
    /// Activities, whether they can begin or not.
    pub activities: Vec<Activity>,
    /// Names and identifiers of elements that have several transitions: any of these.
    pub together: Vec<(String, Vec<usize>)>,
    /// What is asked of the end.
    pub completion: Completion,
    /// Messages that start another instance of a pool, and the place that is marked as long as it has none: where there
    /// is a message and no such token the net does not say what happens.
    pub restarts: Vec<(PlaceId, Option<PlaceId>)>,
    /// How messages are delivered.
    pub delivery: Delivery,
    /// Ways out of gateways, as transitions: a fair run takes each that is possible again and again.
    pub branches: Vec<Vec<usize>>,
}

impl Transition {
    /// May it fire with these tokens?
    pub fn is_enabled(&self, places: &[Place], tokens: &[u32]) -> bool {
        self.inputs.iter().all(|&(place, taken)| tokens[place] >= taken)
            && self.reads.iter().all(|&place| tokens[place] > 0)
            && self.inhibitors.iter().all(|&place| tokens[place] == 0)
            && self.outputs.iter().all(|&(place, put)| match places[place].most {
                Some((most, Beyond::Blocked)) => tokens[place] + put <= most,
                _ => true,
            })
    }

    /// The tokens after it has fired. `None` where there would be more than can be counted.
    pub fn fire(&self, places: &[Place], tokens: &mut [u32]) -> Option<()> {
        for &(place, taken) in &self.inputs {
            tokens[place] -= taken;
        }
        for &place in &self.resets {
            tokens[place] = 0;
        }
        for &(place, put) in &self.outputs {
            let sum = tokens[place].checked_add(put)?;
            tokens[place] = match places[place].most {
                Some((most, Beyond::Lost)) => sum.min(most.max(tokens[place])),
                _ => sum,
            };
        }
        Some(())
    }
}

impl ProcessNet {
    /// The tokens at first.
    pub fn initial(&self) -> Vec<u32> {
        self.places.iter().map(|place| place.initial).collect()
    }

    /// Says what kind of messages a place has: those of a name between two pools.
    pub(super) fn add_kind(&mut self, place: PlaceId, name: &str, ends: [PoolId; 2]) {
        let delivery = &mut self.delivery;
        let ends = ends.map(|pool| pool as u32);
        let known = delivery.names.iter().zip(&delivery.ends).position(|(n, e)| n == name && *e == ends);
        let kind = known.unwrap_or_else(|| {
            delivery.names.push(name.to_owned());
            delivery.ends.push(ends);
            delivery.ends.len() - 1
        });
        delivery.kinds.resize(delivery.kinds.len().max(place + 1), None);
        delivery.kinds[place] = Some(kind as u32);
    }

    /// Gives each place and each transition an identifier and a name of its own. Transitions of one element are told
    /// apart by numbers; its name stands for all of them.
    pub(super) fn name_apart(&mut self) {
        let mut ids = Apart::default();
        let mut names = Apart::default();
        for place in &mut self.places {
            place.id = ids.fresh(&place.id);
            let known = names.taken.contains(&place.name);
            let name = if known { format!("{} ({})", place.name, place.id) } else { place.name.clone() };
            place.name = names.fresh(&name);
        }
        let mut names = Apart::default();
        for of_id in [true, false] {
            let key = |transition: &Transition| if of_id { &transition.id } else { &transition.name }.clone();
            let mut groups: IndexMap<String, Vec<usize>, FxBuildHasher> = IndexMap::default();
            for (number, transition) in self.transitions.iter().enumerate() {
                groups.entry(key(transition)).or_default().push(number);
            }
            for (name, members) in groups {
                for (count, &member) in members.iter().enumerate() {
                    let own = match (members.len(), of_id) {
                        (1, _) => name.clone(),
                        (_, true) => format!("{name}.{}", count + 1),
                        (_, false) => format!("{name} ({})", count + 1),
                    };
                    let transition = &mut self.transitions[member];
                    match of_id {
                        true => transition.id = ids.fresh(&own),
                        false => transition.name = names.fresh(&own),
                    }
                }
                if members.len() > 1 {
                    self.together.push((name, members));
                }
            }
        }
    }

    /// Does a transition empty places?
    pub fn has_resets(&self) -> bool {
        self.transitions.iter().any(|transition| !transition.resets.is_empty())
    }
}

/// Words that are told apart.
#[derive(Default)]
struct Apart {
    taken: FxHashSet<String>,
}

impl Apart {
    /// The word, with marks behind it as long as it is taken.
    fn fresh(&mut self, word: &str) -> String {
        let mut word = word.to_owned();
        while !self.taken.insert(word.clone()) {
            word.push('\'');
        }
        word
    }
}
