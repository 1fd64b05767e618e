//! The skeleton of a net: what belongs together is one place, whatever the colours of its tokens.
//!
//! **Problem.** A coloured net with few places and transitions may have millions of them once it is unfolded, and what is
//! asked of it may follow from how many tokens there are, never mind of which colour.
//!
//! **Idea.** The quotient of the net in which all places of a family are one, except for those that a sum which is asked for
//! counts differently. What a transition takes and puts there depends on the family only, as arcs of coloured nets move so many tokens
//! whatever the binding: so the skeleton is about as large as the coloured net.
//!
//! **What it preserves.** Let h(m) be the marking of the skeleton with the sums of the classes in m. If t leads from m to m′,
//! then the image of t leads from h(m) to h(m′): a transition that has its tokens in each place has them in each class, and what
//! tests for absence is left out. So the skeleton simulates the net, and it allows more. The sums that are
//! asked for are the same in m and h(m). A transition that can fire in m can in h(m); the converse holds if each place that it
//! takes from is alone in its class and it tests none for absence ([`Skeleton::exact`]). Nothing follows from a run of the
//! skeleton. A marking without successors may have some in the skeleton: who asks about whole runs adds a transition
//! that does nothing ([`Skeleton::idle`]), which is what a run that has ended does there.
//!
//! The skeleton of coloured nets: Findlow, "Obtaining deadlock-preserving skeletons for coloured nets", ICATPN 1992. As an
//! over-approximation that answers by itself: TAPAAL's `--cpn-overapproximation`.

use super::quotient::{Classes, Inhibitors, Quotient, seen_in};
use crate::budget::Budget;
use crate::net::{NetBuilder, PetriNet, PlaceId, TransitionId};

/// A net in which families of places are one, which can do whatever the net can.
#[derive(Clone, Debug)]
pub struct Skeleton {
    quotient: Quotient,
    /// For each place of the skeleton, of how many it is made.
    members: Vec<usize>,
    /// For each transition of the original: is it possible just where its image is?
    exact: Vec<bool>,
}

impl Skeleton {
    /// The skeleton of a net, by these families of places, in which the numbers of tokens on these lists of places are seen.
    /// `None` if no family becomes smaller, or when the budget is used up.
    ///
    /// ```
    /// use starset::budget::Budget;
    /// use starset::net::NetBuilder;
    /// use starset::reduction::skeleton::Skeleton;
    /// let mut b = NetBuilder::new("two colours");
    /// let [red, blue, done] = [("red", 1), ("blue", 2), ("done", 0)].map(|(id, tokens)| b.place(id, tokens).unwrap());
    /// for (id, from) in [("take red", red), ("take blue", blue)] {
    ///     let t = b.transition(id)?;
    ///     b.input(from, t, 1)?;
    ///     b.output(t, done, 1)?;
    /// }
    /// let net = b.build()?;
    /// let families = [vec![red, blue], vec![done]];
    /// let skeleton = Skeleton::new(&net, &families, &[&[done]], &Budget::unlimited()).ok_or("nothing to fold")?;
    /// assert_eq!((skeleton.net().place_count(), skeleton.net().transition_count()), (2, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(net: &PetriNet, families: &[Vec<PlaceId>], sums: &[&[PlaceId]], budget: &Budget) -> Option<Self> {
        // A place that is in no family is one.
        let mut family: Vec<usize> = (families.len()..).take(net.place_count()).collect();
        for (number, members) in families.iter().enumerate() {
            members.iter().for_each(|place| family[place.index()] = number);
        }
        let classes = Classes::new(family.into_iter().zip(seen_in(net, sums)));
        if classes.sizes.len() == net.place_count() {
            return None;
        }
        let labels = vec![0; net.transition_count()];
        let quotient = classes.quotient(net, &labels, Inhibitors::Dropped, budget)?;
        let alone = |place: PlaceId| classes.sizes[classes.class[place.index()] as usize] == 1;
        let transitions = net.transitions().iter();
        let exact = transitions.map(|t| t.inhibitors.is_empty() && t.pre.iter().all(|arc| alone(arc.place))).collect();
        let mut members = vec![0; quotient.net.place_count()];
        net.place_ids().for_each(|place| members[quotient.place(place).index()] += 1);
        Some(Skeleton { quotient, members, exact })
    }

    /// A net that is a skeleton already: `exact` says of each of its transitions whether the original of it can fire wherever
    /// there are enough tokens.
    pub(crate) fn of_itself(net: PetriNet, exact: Vec<bool>) -> Self {
        let members = vec![1; net.place_count()];
        Skeleton { quotient: Quotient::of_itself(net), members, exact }
    }

    /// The net.
    pub fn net(&self) -> &PetriNet {
        &self.quotient.net
    }

    /// The net with one more transition, which does nothing. `None` if it cannot be built.
    pub fn idle(&self) -> Option<PetriNet> {
        let net = self.net();
        let mut builder = NetBuilder::new(net.name());
        for place in net.places() {
            builder.place(&*place.id, place.initial).ok()?;
        }
        for transition in net.transitions() {
            let t = builder.transition(&*transition.id).ok()?;
            transition.pre.iter().try_for_each(|arc| builder.input(arc.place, t, arc.weight)).ok()?;
            transition.post.iter().try_for_each(|arc| builder.output(t, arc.place, arc.weight)).ok()?;
        }
        let mut name = "idle".to_owned();
        while builder.find_transition(&name).is_some() || builder.find_place(&name).is_some() {
            name.push('_');
        }
        builder.transition(name).ok()?;
        builder.build().ok()
    }

    /// The places whose sum is that of these places of the original: one of the lists that were asked for, or families.
    /// `None` if they are a part of what has become one place, whose tokens nobody knows.
    ///
    /// # Panics
    /// If there is no such place.
    pub fn sum(&self, places: &[PlaceId]) -> Option<Vec<PlaceId>> {
        let sum = self.quotient.sum(places);
        let members: usize = sum.iter().map(|place| self.members[place.index()]).sum();
        (members == places.len()).then_some(sum)
    }

    /// The images of these transitions: where one of the originals can fire, one of the images can.
    ///
    /// # Panics
    /// If there is no such transition.
    pub fn images(&self, transitions: &[TransitionId]) -> Vec<TransitionId> {
        self.quotient.list(transitions)
    }

    /// The images of those transitions of which more is known: where an image can fire, one of the originals can.
    ///
    /// # Panics
    /// If there is no such transition.
    pub fn exact(&self, transitions: &[TransitionId]) -> Vec<TransitionId> {
        let exact: Vec<TransitionId> = transitions.iter().copied().filter(|t| self.exact[t.index()]).collect();
        self.quotient.list(&exact)
    }
}
