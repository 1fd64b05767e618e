//! Building a net from parts in any order, with every well-formedness check in one place.

use super::{Annotations, Arc, Nupn, PetriNet, Place, PlaceId, Transition, TransitionId};
use rustc_hash::FxHashMap;

/// The reason why a net cannot be built.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// Two places or transitions have the same identifier.
    #[error("duplicate identifier `{0}`")]
    DuplicateId(String),
    /// An arc of weight zero.
    #[error("arc between place `{place}` and transition `{transition}` has weight 0; weights start at 1")]
    ZeroWeight {
        /// Identifier of the place.
        place: String,
        /// Identifier of the transition.
        transition: String,
    },
    /// Parallel arcs whose weights add up to more than `u64` can hold.
    #[error("arcs between place `{place}` and transition `{transition}` add up to more than 2^64-1 tokens")]
    WeightOverflow {
        /// Identifier of the place.
        place: String,
        /// Identifier of the transition.
        transition: String,
    },
    /// More places or transitions than fit a `u32` index.
    #[error("more than 2^32-2 places or transitions")]
    TooLarge,
}

/// The meaning of an identifier of the net.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Node {
    Place(PlaceId),
    Transition(TransitionId),
}

/// Collects places, transitions and arcs; [`NetBuilder::build`] hands out the finished net.
///
/// ```
/// use starset::net::NetBuilder;
/// let mut b = NetBuilder::new("buffer");
/// let free = b.place("free", 3)?;
/// let full = b.place("full", 0)?;
/// let put = b.transition("put")?;
/// b.input(free, put, 1)?;
/// b.output(put, full, 1)?;
/// let net = b.build()?;
/// assert_eq!(net.place_count(), 2);
/// # Ok::<(), starset::net::BuildError>(())
/// ```
#[derive(Debug)]
pub struct NetBuilder {
    net: PetriNet,
    ids: FxHashMap<String, Node>,
    /// Read arcs, folded into input and output arcs by [`NetBuilder::build`].
    reads: Vec<(PlaceId, TransitionId, u64)>,
    /// The most tokens of places that have such a number, folded into inhibitor arcs by [`NetBuilder::build`].
    capacities: Vec<(PlaceId, u64)>,
}

impl NetBuilder {
    /// An empty net with this name.
    pub fn new(name: impl Into<String>) -> Self {
        let (places, transitions, annotations) = (Vec::new(), Vec::new(), Annotations::default());
        let net = PetriNet { name: name.into(), places, transitions, nupn: None, annotations };
        NetBuilder { net, ids: FxHashMap::default(), reads: Vec::new(), capacities: Vec::new() }
    }

    /// The name of the net.
    pub(crate) fn net_name(&self) -> &str {
        &self.net.name
    }

    /// Call the net by another name.
    pub fn set_name(&mut self, name: impl Into<String>) {
        self.net.name = name.into();
    }

    /// Add a place with its initial token count.
    pub fn place(&mut self, id: impl Into<String>, initial: u64) -> Result<PlaceId, BuildError> {
        let id = id.into();
        let place = PlaceId(index(self.net.places.len())?);
        self.declare(&id, Node::Place(place))?;
        self.net.places.push(Place { id, name: None, initial });
        Ok(place)
    }

    /// Add a transition without arcs.
    pub fn transition(&mut self, id: impl Into<String>) -> Result<TransitionId, BuildError> {
        let id = id.into();
        let transition = TransitionId(index(self.net.transitions.len())?);
        self.declare(&id, Node::Transition(transition))?;
        self.net.transitions.push(Transition { id, name: None, pre: vec![], post: vec![], inhibitors: vec![] });
        Ok(transition)
    }

    /// Has a place or transition this identifier?
    pub fn has(&self, id: &str) -> bool {
        self.ids.contains_key(id)
    }

    /// The place with this identifier.
    pub fn find_place(&self, id: &str) -> Option<PlaceId> {
        match self.ids.get(id) {
            Some(Node::Place(p)) => Some(*p),
            _ => None,
        }
    }

    /// The transition with this identifier.
    pub fn find_transition(&self, id: &str) -> Option<TransitionId> {
        match self.ids.get(id) {
            Some(Node::Transition(t)) => Some(*t),
            _ => None,
        }
    }

    /// Give a place a display name.
    pub fn name_place(&mut self, place: PlaceId, name: impl Into<String>) {
        self.net.places[place.index()].name = Some(name.into());
    }

    /// Give a transition a display name.
    pub fn name_transition(&mut self, transition: TransitionId, name: impl Into<String>) {
        self.net.transitions[transition.index()].name = Some(name.into());
    }

    /// Set the initial token count of a place.
    pub fn set_initial(&mut self, place: PlaceId, initial: u64) {
        self.net.places[place.index()].initial = initial;
    }

    /// Input arc: `transition` takes `weight` tokens from `place`. Parallel arcs add up.
    pub fn input(&mut self, place: PlaceId, transition: TransitionId, weight: u64) -> Result<(), BuildError> {
        self.check_weight(place, transition, weight)?;
        self.net.transitions[transition.index()].pre.push(Arc { place, weight });
        Ok(())
    }

    /// Output arc: `transition` puts `weight` tokens into `place`. Parallel arcs add up.
    pub fn output(&mut self, transition: TransitionId, place: PlaceId, weight: u64) -> Result<(), BuildError> {
        self.check_weight(place, transition, weight)?;
        self.net.transitions[transition.index()].post.push(Arc { place, weight });
        Ok(())
    }

    /// Inhibitor arc: `transition` is disabled while `place` holds `weight` tokens or more. Of parallel
    /// inhibitor arcs the smallest weight counts.
    pub fn inhibitor(&mut self, place: PlaceId, transition: TransitionId, weight: u64) -> Result<(), BuildError> {
        self.check_weight(place, transition, weight)?;
        self.net.transitions[transition.index()].inhibitors.push(Arc { place, weight });
        Ok(())
    }

    /// Read (test) arc: `transition` needs `weight` tokens in `place` and leaves them there.
    pub fn read_arc(&mut self, place: PlaceId, transition: TransitionId, weight: u64) -> Result<(), BuildError> {
        self.check_weight(place, transition, weight)?;
        self.reads.push((place, transition, weight));
        Ok(())
    }

    /// Bound a place: nothing fires that would leave more than `most` tokens on it.
    ///
    /// ```
    /// use starset::net::NetBuilder;
    /// let mut b = NetBuilder::new("bounded");
    /// let (p, t) = (b.place("p", 0)?, b.transition("t")?);
    /// b.output(t, p, 1)?;
    /// b.capacity(p, 2);
    /// // With two tokens there is room for none.
    /// assert_eq!(b.build()?.transitions()[0].inhibitors[0].weight, 2);
    /// # Ok::<(), starset::net::BuildError>(())
    /// ```
    pub fn capacity(&mut self, place: PlaceId, most: u64) {
        self.capacities.push((place, most));
    }

    /// Attach the unit structure.
    pub fn set_nupn(&mut self, nupn: Nupn) {
        self.net.nupn = Some(nupn);
    }

    /// The finished net: parallel arcs merged, arcs sorted by place, read arcs and capacities folded in.
    pub fn build(mut self) -> Result<PetriNet, BuildError> {
        self.merge_arcs()?;
        self.fold_reads()?;
        for (place, most) in std::mem::take(&mut self.capacities) {
            self.net.transitions.iter_mut().for_each(|transition| bound(transition, place, most));
        }
        Ok(self.net)
    }

    fn merge_arcs(&mut self) -> Result<(), BuildError> {
        for t in 0..self.net.transitions.len() {
            let transition = &mut self.net.transitions[t];
            transition.inhibitors.sort_by_key(|a| (a.place, a.weight));
            transition.inhibitors.dedup_by_key(|a| a.place);
            let merged = merge(&mut transition.pre).and_then(|()| merge(&mut transition.post));
            merged.map_err(|place| self.overflow(place, TransitionId(t as u32)))?;
        }
        Ok(())
    }

    fn fold_reads(&mut self) -> Result<(), BuildError> {
        for (place, transition, tested) in std::mem::take(&mut self.reads) {
            // A transition that consumes c, produces d and tests w > c needs w tokens and changes the
            // count by d − c: let it take w and give back d + (w − c).
            let t = &mut self.net.transitions[transition.index()];
            let consumed = t.pre.iter().find(|a| a.place == place).map_or(0, |a| a.weight);
            if let Some(excess) = tested.checked_sub(consumed).filter(|&e| e > 0) {
                for arcs in [&mut t.pre, &mut t.post] {
                    arcs.push(Arc { place, weight: excess });
                    merge(arcs).map_err(|place| BuildError::WeightOverflow {
                        place: self.net.places[place.index()].id.clone(),
                        transition: t.id.clone(),
                    })?;
                }
            }
        }
        Ok(())
    }

    fn declare(&mut self, id: &str, node: Node) -> Result<(), BuildError> {
        if self.ids.contains_key(id) {
            return Err(BuildError::DuplicateId(id.to_owned()));
        }
        self.ids.insert(id.to_owned(), node);
        Ok(())
    }

    fn check_weight(&self, place: PlaceId, transition: TransitionId, weight: u64) -> Result<(), BuildError> {
        if weight > 0 {
            return Ok(());
        }
        let (place, transition) = self.names(place, transition);
        Err(BuildError::ZeroWeight { place, transition })
    }

    fn overflow(&self, place: PlaceId, transition: TransitionId) -> BuildError {
        let (place, transition) = self.names(place, transition);
        BuildError::WeightOverflow { place, transition }
    }

    fn names(&self, place: PlaceId, transition: TransitionId) -> (String, String) {
        (self.net.place(place).id.clone(), self.net.transition(transition).id.clone())
    }
}

fn index(len: usize) -> Result<u32, BuildError> {
    u32::try_from(len).ok().filter(|&i| i < u32::MAX - 1).ok_or(BuildError::TooLarge)
}

/// Let a transition fire only where that leaves no more than `most` tokens on a place.
fn bound(transition: &mut Transition, place: PlaceId, most: u64) {
    let weight = |arcs: &[Arc]| arcs.iter().find(|arc| arc.place == place).map_or(0, |arc| arc.weight);
    let more = weight(&transition.post).saturating_sub(weight(&transition.pre));
    if more == 0 {
        return;
    }
    let weight = match most.checked_sub(more).map(|room| room.checked_add(1)) {
        Some(Some(weight)) => weight,
        // Any number of tokens leaves room.
        Some(None) => return,
        // None does: it needs a token that it must not find.
        None => {
            for arcs in [&mut transition.pre, &mut transition.post] {
                let at = arcs.partition_point(|arc| arc.place < place);
                match arcs.get_mut(at).filter(|arc| arc.place == place) {
                    // What is more than there can be is no less so for one token.
                    Some(arc) => arc.weight = arc.weight.saturating_add(1),
                    None => arcs.insert(at, Arc { place, weight: 1 }),
                }
            }
            1
        }
    };
    let at = transition.inhibitors.partition_point(|arc| arc.place < place);
    match transition.inhibitors.get_mut(at).filter(|arc| arc.place == place) {
        Some(arc) => arc.weight = arc.weight.min(weight),
        None => transition.inhibitors.insert(at, Arc { place, weight }),
    }
}

/// Sort arcs by place and add up parallel ones; `Err(place)` where a sum overflows.
fn merge(arcs: &mut Vec<Arc>) -> Result<(), PlaceId> {
    arcs.sort_by_key(|a| a.place);
    let mut merged: Vec<Arc> = Vec::with_capacity(arcs.len());
    for &arc in arcs.iter() {
        match merged.last_mut().filter(|last| last.place == arc.place) {
            Some(last) => last.weight = last.weight.checked_add(arc.weight).ok_or(arc.place)?,
            None => merged.push(arc),
        }
    }
    *arcs = merged;
    Ok(())
}
