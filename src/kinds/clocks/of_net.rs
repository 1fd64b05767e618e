//! Place/transition nets as nets with clocks that have none: the structure of a PNML file with sections of clocks, and
//! the workflow nets without time that soundness is asked of.

use super::model::{Arc, ClockNet, Place, PlaceId, Transition, TransitionId};
use super::predicate::Predicate;
use crate::net::{self, NetBuilder, PetriNet};
use std::collections::BTreeSet;

/// Why a net is no net with clocks.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NoClockNet {
    /// It has inhibitor arcs.
    #[error(
        "the transition `{0}` has an inhibitor arc, which times and soundness are not decided with; model it with places"
    )]
    Inhibitor(String),
    /// Numbers beyond 32 bits.
    #[error("a weight or a number of tokens at `{0}` is beyond 4294967295; use smaller numbers")]
    Numbers(String),
}

impl ClockNet {
    /// A net as a net with clocks, of which it has none. Places and transitions keep their numbers and identifiers.
    ///
    /// # Errors
    /// [`NoClockNet`].
    pub fn of_net(net: &PetriNet) -> Result<ClockNet, NoClockNet> {
        let place = |place: &net::Place| {
            let initial = u32::try_from(place.initial).map_err(|_| NoClockNet::Numbers(place.id.clone()))?;
            Ok(Place { id: place.id.clone(), initial, invariant: Predicate::True })
        };
        let transition = |transition: &net::Transition| {
            if !transition.inhibitors.is_empty() {
                return Err(NoClockNet::Inhibitor(transition.id.clone()));
            }
            let arc = |arc: &net::Arc| {
                let weight = u32::try_from(arc.weight).map_err(|_| NoClockNet::Numbers(transition.id.clone()))?;
                Ok(Arc { place: PlaceId(arc.place.index() as u32), weight })
            };
            let arcs = |arcs: &[net::Arc]| arcs.iter().map(arc).collect::<Result<Vec<_>, _>>();
            let (inputs, outputs) = (arcs(&transition.pre)?, arcs(&transition.post)?);
            let id = transition.id.clone();
            Ok(Transition { id, inputs, outputs, condition: Predicate::True, resets: Vec::new() })
        };
        let marking = |tokens: &Vec<(net::PlaceId, u64)>| {
            let mut marking = vec![0; net.places().len()];
            for &(place, count) in tokens {
                let number: &mut u32 = &mut marking[place.index()];
                let sum = u64::from(*number).checked_add(count).and_then(|sum| u32::try_from(sum).ok());
                *number = sum.ok_or_else(|| NoClockNet::Numbers(net.place(place).id.clone()))?;
            }
            Ok(marking.into())
        };
        Ok(ClockNet {
            name: net.name().to_owned(),
            clocks: Vec::new(),
            places: net.places().iter().map(place).collect::<Result<_, _>>()?,
            transitions: net.transitions().iter().map(transition).collect::<Result<_, _>>()?,
            finals: net.annotations().finals.iter().map(marking).collect::<Result<_, _>>()?,
            silent: net.transition_ids().filter(|&t| net.is_silent(t)).map(|t| TransitionId(t.0)).collect(),
        })
    }

    /// The same, with display names in place of identifiers, if no two are called alike.
    ///
    /// # Errors
    /// [`NoClockNet`].
    pub fn of_named_net(net: &PetriNet) -> Result<ClockNet, NoClockNet> {
        let mut named = ClockNet::of_net(net)?;
        let places = net.places().iter().map(|place| place.name.as_ref().unwrap_or(&place.id));
        let transitions = net.transitions().iter().map(|t| t.name.as_ref().unwrap_or(&t.id));
        let names: Vec<&String> = places.chain(transitions).collect();
        let different: BTreeSet<&String> = names.iter().copied().collect();
        if different.len() == names.len() {
            let ids = named.places.iter_mut().map(|place| &mut place.id);
            let ids = ids.chain(named.transitions.iter_mut().map(|transition| &mut transition.id));
            ids.zip(names).for_each(|(id, name)| id.clone_from(name));
        }
        Ok(named)
    }

    /// The net without its time, for those who draw nets. `None` if its weights add up to more than a net can have.
    pub fn to_net(&self) -> Option<PetriNet> {
        let mut builder = NetBuilder::new(self.name.clone());
        let places: Option<Vec<_>> =
            self.places.iter().map(|place| builder.place(place.id.clone(), place.initial.into()).ok()).collect();
        let places = places?;
        for transition in &self.transitions {
            let t = builder.transition(transition.id.clone()).ok()?;
            for arc in &transition.inputs {
                builder.input(places[arc.place.index()], t, arc.weight.into()).ok()?;
            }
            for arc in &transition.outputs {
                builder.output(t, places[arc.place.index()], arc.weight.into()).ok()?;
            }
        }
        let tokens = |marking: &[u32]| {
            let marked = places.iter().zip(marking).filter(|(_, tokens)| **tokens > 0);
            marked.map(|(&place, &tokens)| (place, u64::from(tokens))).collect()
        };
        let finals = self.finals.iter().map(|marking| tokens(marking)).collect();
        let silent = self.silent.iter().map(|t| net::TransitionId(t.0)).collect();
        let annotations = net::Annotations { finals, silent, ..net::Annotations::default() };
        builder.build().ok().map(|net| net.with_annotations(annotations))
    }
}
