//! Chains of places as one place, and how many markings stand behind each of its numbers.
//!
//! **Problem.** Where tokens only wait at one place until they move on to the next, every division of them between the two
//! is reachable: a chain of k places with n tokens multiplies the markings by a binomial coefficient, and they all have to
//! be gone through though the number could be written down.
//!
//! **Idea.** Let a transition t do nothing but move one token from p to q, let nothing else put tokens on q, and q be empty
//! at first. In the *collapsed* net p stands for both, t is gone, and who takes from q takes from p. A marking of the net is
//! reachable if and only if the one with m(p) + m(q) on p is reachable in the collapsed net:
//!
//! * a run of the net without the firings of t is one of the collapsed net, as p there has the tokens of both;
//! * a run of the collapsed net becomes one of the net in which all tokens stay on p until they are needed on q: t fires
//!   as often as the next transition takes from q, and q is empty again afterwards, since only t puts tokens there. In
//!   the end any part of the tokens on p may move on.
//!
//! So each reachable marking of the collapsed net stands for all divisions of the tokens of each place among the *leaves* that
//! have become it, C(n + k − 1, k − 1) for n tokens and k leaves; n − w of them are left to divide if some leaves have to
//! hold w tokens at least. Sums of all tokens stay, and each leaf can hold all tokens of its place. (Places that an arc
//! tests for absence stay as they are.)
//!
//! Berthomieu, Le Botlan and Dal Zilio, "Counting Petri net markings from reduction equations", STTT 22, 2020: rule
//! CONCAT; Amat, Berthomieu and Dal Zilio, "On the combination of polyhedral abstraction and SMT-based model checking for
//! Petri nets", Petri Nets 2021.
//!
//! ```
//! use starset::net::NetBuilder;
//! use starset::reduction::chains::Chains;
//! let mut b = NetBuilder::new("chain");
//! let [wait, work] = [("wait", 3), ("work", 0)].map(|(id, tokens)| b.place(id, tokens).unwrap());
//! let go = b.transition("go")?;
//! b.input(wait, go, 1)?;
//! b.output(go, work, 1)?;
//! let net = b.build()?;
//! let chains = Chains::of(&net).ok_or("no chains")?;
//! assert_eq!((chains.net().place_count(), chains.leaves(chains.place(work))), (1, 2));
//! assert_eq!(chains.needs(net.transition(go)), [(chains.place(wait), 1)]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::net::{Arc, BuildError, NetBuilder, Nupn, PetriNet, PlaceId, Transition};
use std::collections::BTreeMap;

/// A net with chains as single places.
#[derive(Clone, Debug)]
pub struct Chains {
    net: PetriNet,
    /// For each place of the original, where its tokens are.
    places: Vec<PlaceId>,
    /// For each place of the collapsed net, how many of the original it is.
    leaves: Vec<u64>,
}

impl Chains {
    /// The chains of a net; `None` if it has none.
    pub fn of(net: &PetriNet) -> Option<Chains> {
        let mut tested = vec![false; net.place_count()];
        let mut givers = vec![0u32; net.place_count()];
        for t in net.transitions() {
            t.inhibitors.iter().for_each(|arc| tested[arc.place.index()] = true);
            t.post.iter().for_each(|arc| givers[arc.place.index()] += 1);
        }
        // Where the tokens of a place are, or nothing for where they are themselves.
        let mut above: Vec<Option<usize>> = vec![None; net.place_count()];
        let mut gone = vec![false; net.transition_count()];
        for (t, transition) in net.transitions().iter().enumerate() {
            let ([from], [to], []) = (&transition.pre[..], &transition.post[..], &transition.inhibitors[..]) else {
                continue;
            };
            let (p, q) = (from.place.index(), to.place.index());
            let moves_one = from.weight == 1 && to.weight == 1;
            let is_last = givers[q] == 1 && net.place(to.place).initial == 0;
            if moves_one && is_last && !tested[p] && !tested[q] && root(&above, p) != q {
                above[q] = Some(p);
                gone[t] = true;
            }
        }
        if !gone.contains(&true) {
            return None;
        }
        collapse(net, &above, &gone).ok().flatten()
    }

    /// The collapsed net.
    pub fn net(&self) -> &PetriNet {
        &self.net
    }

    /// The place of the collapsed net that a place of the original has become part of.
    ///
    /// # Panics
    /// If there is no such place.
    pub fn place(&self, original: PlaceId) -> PlaceId {
        self.places[original.index()]
    }

    /// How many places of the original a place of the collapsed net is.
    ///
    /// # Panics
    /// If there is no such place.
    pub fn leaves(&self, place: PlaceId) -> u64 {
        self.leaves[place.index()]
    }

    /// How many tokens on each place of the collapsed net a transition of the original needs, where they lie on the right
    /// leaves.
    pub fn needs(&self, transition: &Transition) -> Vec<(PlaceId, u64)> {
        let mut needs: BTreeMap<PlaceId, u64> = BTreeMap::new();
        for arc in &transition.pre {
            let need = needs.entry(self.place(arc.place)).or_default();
            *need = need.saturating_add(arc.weight);
        }
        needs.into_iter().collect()
    }
}

/// The place where the tokens of a place are in the end.
fn root(above: &[Option<usize>], mut place: usize) -> usize {
    while let Some(next) = above[place] {
        place = next;
    }
    place
}

/// The net without these transitions, with places where their tokens are; `None` if an arc becomes too heavy.
fn collapse(net: &PetriNet, above: &[Option<usize>], gone: &[bool]) -> Result<Option<Chains>, BuildError> {
    let mut b = NetBuilder::new(net.name());
    let mut roots: Vec<Option<PlaceId>> = Vec::with_capacity(above.len());
    for (place, above) in net.places().iter().zip(above) {
        roots.push(if above.is_none() { Some(b.place(&*place.id, place.initial)?) } else { None });
    }
    let places: Vec<PlaceId> = (0..above.len()).filter_map(|place| roots[root(above, place)]).collect();
    let mut leaves = vec![0; roots.iter().flatten().count()];
    places.iter().for_each(|place| leaves[place.index()] += 1);
    let sums = |arcs: &[Arc]| -> Option<BTreeMap<PlaceId, u64>> {
        let mut sums: BTreeMap<PlaceId, u64> = BTreeMap::new();
        for arc in arcs {
            let sum = sums.entry(places[arc.place.index()]).or_default();
            *sum = sum.checked_add(arc.weight)?;
        }
        Some(sums)
    };
    for t in net.transitions().iter().zip(gone).filter(|&(_, &gone)| !gone).map(|(t, _)| t) {
        let (Some(pre), Some(post)) = (sums(&t.pre), sums(&t.post)) else { return Ok(None) };
        let id = b.transition(&*t.id)?;
        pre.into_iter().try_for_each(|(place, weight)| b.input(place, id, weight))?;
        post.into_iter().try_for_each(|(place, weight)| b.output(id, place, weight))?;
        t.inhibitors.iter().try_for_each(|arc| b.inhibitor(places[arc.place.index()], id, arc.weight))?;
    }
    if let Some(nupn) = net.nupn() {
        // The units still tell what belongs together, but not any more that they hold one token.
        let mut nupn = Nupn { safe: false, ..nupn.clone() };
        for unit in &mut nupn.units {
            unit.places = unit.places.iter().filter_map(|place| roots[place.index()]).collect();
        }
        b.set_nupn(nupn);
    }
    Ok(Some(Chains { net: b.build()?, places, leaves }))
}
