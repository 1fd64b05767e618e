//! The model: components, labels, and who takes part in which label.

use super::LabelId;
use crate::net::{NetBuilder, PetriNet, PlaceId};
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

/// The internal step, as it is written.
pub(super) const INTERNAL: &str = "i";

/// One transition system, as it is given to [`Network::new`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Component {
    /// Its name.
    pub name: String,
    /// Names of its states.
    pub states: Vec<String>,
    /// Index of the state it starts in.
    pub initial: u32,
    /// Edges: source, label, target. Several edges of one state may have the same label.
    pub edges: Vec<(u32, String, u32)>,
}

/// The edges of one component that have one label.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Participant {
    /// Index of the component.
    pub component: usize,
    /// (source, target), sorted, without repetition; never empty.
    pub edges: Vec<(u32, u32)>,
}

/// The internal step of a component, as a label that no other has.
pub(super) fn internal_to(component: &str) -> String {
    format!("{component}.{INTERNAL}")
}

/// Why components make no network.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NetworkError {
    /// There is none.
    #[error("there is no component; a network has at least one transition system")]
    Empty,
    /// An edge or the start names a state that the component does not have.
    #[error("component {component} has no state number {state}")]
    NoSuchState {
        /// Name of the component.
        component: String,
        /// The index.
        state: u32,
    },
    /// Two components have the same name.
    #[error("two components are called {0}; give each a name of its own")]
    SameName(String),
    /// More than 2^32-2 labels or components.
    #[error("more than 2^32-2 labels or components")]
    TooLarge,
}

/// A network of transition systems; see the [module documentation](super).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Network {
    name: String,
    components: Vec<Component>,
    labels: IndexSet<String, FxBuildHasher>,
    participants: Vec<Vec<Participant>>,
}

impl Network {
    /// The network of these components. Labels are numbered as they occur first; an edge that is given twice
    /// counts once.
    ///
    /// ```
    /// use starset::kinds::network::{Component, Network};
    /// let component = |name: &str, edges: &[(u32, &str, u32)]| Component {
    ///     name: name.to_owned(),
    ///     states: vec!["0".to_owned(), "1".to_owned()],
    ///     initial: 0,
    ///     edges: edges.iter().map(|&(source, label, target)| (source, label.to_owned(), target)).collect(),
    /// };
    /// let sender = component("sender", &[(0, "produce", 1), (1, "send", 0)]);
    /// let receiver = component("receiver", &[(0, "send", 1), (1, "consume", 0)]);
    /// let network = Network::new("pipe", vec![sender, receiver])?;
    /// let send = network.find_label("send").unwrap();
    /// assert_eq!(network.participants(send).len(), 2);
    /// # Ok::<(), starset::kinds::network::NetworkError>(())
    /// ```
    ///
    /// # Errors
    /// [`NetworkError`] for what would be no network.
    pub fn new(name: impl Into<String>, components: Vec<Component>) -> Result<Network, NetworkError> {
        let mut network =
            Network { name: name.into(), components, labels: IndexSet::default(), participants: Vec::new() };
        if network.components.is_empty() {
            return Err(NetworkError::Empty);
        }
        if network.components.len() >= u32::MAX as usize {
            return Err(NetworkError::TooLarge);
        }
        let mut names: IndexSet<&str, FxBuildHasher> = IndexSet::default();
        for (index, component) in network.components.iter().enumerate() {
            if !names.insert(&component.name) {
                return Err(NetworkError::SameName(component.name.clone()));
            }
            let check = |state: u32| match component.states.get(state as usize) {
                Some(_) => Ok(()),
                None => Err(NetworkError::NoSuchState { component: component.name.clone(), state }),
            };
            check(component.initial)?;
            for (source, label, target) in &component.edges {
                check(*source)?;
                check(*target)?;
                let (label, new) = network.labels.insert_full(label.clone());
                if new {
                    network.participants.push(Vec::new());
                }
                let participants = &mut network.participants[label];
                match participants.last_mut().filter(|last| last.component == index) {
                    Some(last) => last.edges.push((*source, *target)),
                    None => participants.push(Participant { component: index, edges: vec![(*source, *target)] }),
                }
            }
        }
        if network.labels.len() >= u32::MAX as usize {
            return Err(NetworkError::TooLarge);
        }
        for participant in network.participants.iter_mut().flatten() {
            participant.edges.sort_unstable();
            participant.edges.dedup();
        }
        Ok(network)
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The components.
    pub fn components(&self) -> &[Component] {
        &self.components
    }

    /// Number of labels.
    pub fn label_count(&self) -> usize {
        self.labels.len()
    }

    /// All labels, in the order of their numbers.
    pub fn label_ids(&self) -> impl ExactSizeIterator<Item = LabelId> + use<> {
        (0..self.labels.len() as u32).map(LabelId)
    }

    /// The text of a label.
    pub fn label(&self, label: LabelId) -> &str {
        self.labels.get_index(label.index()).map_or("", String::as_str)
    }

    /// Is it the internal step of a component? Nobody else has it, and it is called after the component.
    pub fn is_internal(&self, label: LabelId) -> bool {
        match self.participants(label) {
            [only] => self.components.get(only.component).is_some_and(|c| self.label(label) == internal_to(&c.name)),
            _ => false,
        }
    }

    /// The label with this text.
    pub fn find_label(&self, text: &str) -> Option<LabelId> {
        self.labels.get_index_of(text).map(|index| LabelId(index as u32))
    }

    /// The components that take part in a label, with their edges.
    pub fn participants(&self, label: LabelId) -> &[Participant] {
        self.participants.get(label.index()).map_or(&[], |participants| participants)
    }

    /// Number of labels that more than one component takes part in.
    pub fn shared_label_count(&self) -> usize {
        self.participants.iter().filter(|participants| participants.len() > 1).count()
    }

    /// A net with one place per component and one transition per label, connected where the component takes
    /// part in the label: not the behaviour of the network, but who touches whom, which is what variable
    /// orders are made from. The change of every arc is 1, so that no step looks like a test.
    pub fn skeleton(&self) -> PetriNet {
        let mut builder = NetBuilder::new(self.name.clone());
        // Places and transitions share one name space; numbers keep them apart from names of components.
        for component in &self.components {
            let _fresh = builder.place(component.name.clone(), 1);
        }
        for label in self.label_ids() {
            let Some(transition) = builder.transition(format!("label {}", label.0)).ok() else { continue };
            for participant in self.participants(label) {
                let place = PlaceId(participant.component as u32);
                let _positive = builder.input(place, transition, 1);
                let _positive = builder.output(transition, place, 2);
            }
        }
        builder.build().unwrap_or_else(|_| unreachable!("weights of 1 and 2 do not overflow"))
    }
}
