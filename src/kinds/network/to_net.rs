//! The net of a network: what [`super::of_net()`] reads back.
//!
//! One place per state, one unit per component, and for each label one transition per combination of edges, each
//! with the label as its display name. Markings are the states of the network, firings its steps. The number
//! of combinations is a product, so there may be many more transitions than edges.

use super::Network;
use crate::net::{BuildError, NetBuilder, Nupn, PetriNet, PlaceId, Unit};

/// Most transitions of the net of a network.
const MOST_TRANSITIONS: usize = 1 << 22;

/// Why there is no net.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NoNet {
    /// Too many combinations of edges.
    #[error("the net has more than {MOST_TRANSITIONS} transitions: one per combination of edges with the same label")]
    TooLarge,
    /// More places than a net can have, or two with one name.
    #[error(transparent)]
    Build(#[from] BuildError),
}

/// The net of a network.
///
/// ```
/// use starset::formula::Naming;
/// use starset::kinds::network::{of_net, read_aut, to_net};
/// let network = read_aut(&[("des (0, 2, 2)\n(0, go, 1)\n(1, go, 0)\n", "toggle.aut")]).unwrap();
/// let net = to_net(&network)?;
/// assert_eq!((net.place_count(), net.transition_count()), (2, 2));
/// assert_eq!(of_net(&net, Naming::Name).unwrap().components(), network.components());
/// # Ok::<(), starset::kinds::network::NoNet>(())
/// ```
///
/// # Errors
/// [`NoNet`] if it is too large.
pub fn to_net(network: &Network) -> Result<PetriNet, NoNet> {
    net_with(network, |_, _, number| format!("p{number}"))
}

/// The same net with places that are called `component=state`, for people.
///
/// # Errors
/// As [`to_net`], and if two places would have the same name.
pub fn to_readable_net(network: &Network) -> Result<PetriNet, NoNet> {
    net_with(network, |component, state, _| format!("{component}={state}"))
}

/// The components side by side, for a picture: a place per state called `component=state`, marked if it is initial, and
/// a transition per *edge* with the label as its display name. Its markings are not the states of the network.
///
/// # Errors
/// As [`to_net`], and if two places would have the same name.
pub fn components_as_net(network: &Network) -> Result<PetriNet, NoNet> {
    let mut builder = NetBuilder::new(network.name());
    let mut count = 0;
    for component in network.components() {
        let mut places = Vec::with_capacity(component.states.len());
        for (state, name) in (0..).zip(&component.states) {
            let id = format!("{}={name}", component.name);
            places.push(builder.place(id, u64::from(state == component.initial))?);
        }
        for (source, label, target) in &component.edges {
            let transition = builder.transition(format!("{} {count} {label}", component.name))?;
            builder.name_transition(transition, label.as_str());
            builder.input(places[*source as usize], transition, 1)?;
            builder.output(transition, places[*target as usize], 1)?;
            count += 1;
        }
    }
    Ok(builder.build()?)
}

/// The net with places called by component, state, and number.
fn net_with(network: &Network, place_id: impl Fn(&str, &str, u32) -> String) -> Result<PetriNet, NoNet> {
    let mut builder = NetBuilder::new(network.name());
    let mut units = vec![Unit { id: String::new(), places: Vec::new(), subunits: Vec::new() }];
    let blank = |name: &str| name.is_empty() || name.contains(char::is_whitespace);
    let plain = network.components().iter().all(|component| !blank(&component.name));
    for (number, component) in network.components().iter().enumerate() {
        let first = units[1..].iter().map(|unit| unit.places.len() as u32).sum::<u32>();
        let mut places = Vec::with_capacity(component.states.len());
        for (state, name) in (0..).zip(&component.states) {
            let id = place_id(&component.name, name, first + state);
            let place = builder.place(id.clone(), u64::from(state == component.initial))?;
            if *name != id {
                builder.name_place(place, name.clone());
            }
            places.push(place);
        }
        let id = if plain { component.name.clone() } else { format!("component{number}") };
        units.push(Unit { id, places, subunits: Vec::new() });
    }
    let mut count = 0;
    for label in network.label_ids() {
        let participants = network.participants(label);
        let all = participants.iter().try_fold(1usize, |all, participant| all.checked_mul(participant.edges.len()));
        let Some(all) = all.filter(|all| count + all <= MOST_TRANSITIONS) else { return Err(NoNet::TooLarge) };
        let text = network.label(label);
        for combination in 0..all {
            let transition = builder.transition(format!("t_{count}_{text}"))?;
            builder.name_transition(transition, text);
            count += 1;
            let mut rest = combination;
            for participant in participants {
                let (source, target) = participant.edges[rest % participant.edges.len()];
                rest /= participant.edges.len();
                let place = |state: u32| -> PlaceId { units[participant.component + 1].places[state as usize] };
                builder.input(place(source), transition, 1)?;
                builder.output(transition, place(target), 1)?;
            }
        }
    }
    let mut root = "root".to_owned();
    while units.iter().any(|unit| unit.id == root) {
        root.push('_');
    }
    units[0].id = root;
    units[0].subunits = (1..units.len()).collect();
    builder.set_nupn(Nupn { units, root: 0, safe: true });
    Ok(builder.build()?)
}
