//! The net that the rules work on.
//!
//! Places keep their numbers and are marked when they are removed; transitions are a list without gaps. Arcs
//! are sorted lists without zeros. What is connected to a place is collected anew for each pass of a rule
//! ([`Draft::neighbours`]): passes are few. Only rules that replace transitions at many places in one pass keep it up to
//! date ([`Replacing`]).

use crate::net::{Arc, NetBuilder, Nupn, PetriNet, PlaceId};

/// Arcs of one kind, sorted by place.
pub(super) type Arcs = Vec<(usize, u64)>;

/// The weight of the arc at `place`; 0 if there is none.
pub(super) fn weight(arcs: &Arcs, place: usize) -> u64 {
    arcs.binary_search_by_key(&place, |&(p, _)| p).map_or(0, |i| arcs[i].1)
}

/// `arcs + times·others`; `None` on overflow.
pub(super) fn add(arcs: &Arcs, others: &Arcs, times: u64) -> Option<Arcs> {
    let mut sum = arcs.clone();
    for &(place, weight) in others {
        let weight = weight.checked_mul(times)?;
        match sum.binary_search_by_key(&place, |&(p, _)| p) {
            Ok(i) => sum[i].1 = sum[i].1.checked_add(weight)?,
            Err(i) => sum.insert(i, (place, weight)),
        }
    }
    Some(sum)
}

/// The arcs without the one at `place`.
pub(super) fn without(arcs: &Arcs, place: usize) -> Arcs {
    arcs.iter().copied().filter(|&(p, _)| p != place).collect()
}

/// A transition.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Step {
    pub(super) pre: Arcs,
    pub(super) post: Arcs,
    pub(super) inhibitors: Arcs,
}

impl Step {
    /// The places it changes, with the change, sorted.
    pub(super) fn effect(&self) -> Vec<(usize, i128)> {
        let mut effect: Vec<(usize, i128)> = self.post.iter().map(|&(p, w)| (p, i128::from(w))).collect();
        for &(p, w) in &self.pre {
            match effect.binary_search_by_key(&p, |&(q, _)| q) {
                Ok(i) => effect[i].1 -= i128::from(w),
                Err(i) => effect.insert(i, (p, -i128::from(w))),
            }
        }
        effect.retain(|&(_, change)| change != 0);
        effect
    }

    /// How many arcs it has.
    pub(super) fn arcs(&self) -> usize {
        self.pre.len() + self.post.len() + self.inhibitors.len()
    }

    /// The change of one place.
    pub(super) fn change(&self, place: usize) -> i128 {
        i128::from(weight(&self.post, place)) - i128::from(weight(&self.pre, place))
    }
}

/// The transitions at a place, by number, ascending.
#[derive(Clone, Default, Debug)]
pub(super) struct Neighbours {
    /// Transitions with an arc from the place.
    pub(super) consumers: Vec<usize>,
    /// Transitions with an arc to it.
    pub(super) producers: Vec<usize>,
    /// Transitions that it inhibits.
    pub(super) inhibited: Vec<usize>,
}

/// Transitions of a draft that are replaced by others, one place after the other, with what is connected to each place.
pub(super) struct Replacing {
    pub(super) neighbours: Vec<Neighbours>,
    gone: Vec<bool>,
}

impl Replacing {
    pub(super) fn new(draft: &Draft) -> Self {
        Replacing { neighbours: draft.neighbours(), gone: vec![false; draft.steps.len()] }
    }

    /// Replace the transitions next to a place by these, and remove the place.
    pub(super) fn replace(&mut self, draft: &mut Draft, place: usize, steps: Vec<Step>) {
        let Neighbours { consumers, producers, .. } = std::mem::take(&mut self.neighbours[place]);
        self.exchange(draft, consumers.into_iter().chain(producers), steps);
        draft.removed[place] = true;
    }

    /// Replace some transitions by others.
    pub(super) fn exchange(&mut self, draft: &mut Draft, old: impl IntoIterator<Item = usize>, new: Vec<Step>) {
        for t in old {
            if std::mem::replace(&mut self.gone[t], true) {
                continue;
            }
            let step = &draft.steps[t];
            step.pre.iter().for_each(|&(p, _)| self.neighbours[p].consumers.retain(|&other| other != t));
            step.post.iter().for_each(|&(p, _)| self.neighbours[p].producers.retain(|&other| other != t));
            step.inhibitors.iter().for_each(|&(p, _)| self.neighbours[p].inhibited.retain(|&other| other != t));
        }
        for step in new {
            connect(&mut self.neighbours, draft.steps.len(), &step);
            self.gone.push(false);
            draft.steps.push(step);
        }
    }

    /// Take what was replaced out of the draft; was there anything?
    pub(super) fn finish(self, draft: &mut Draft) -> bool {
        draft.retain_steps(|t, _| !self.gone[t])
    }
}

/// Note what a transition is connected to.
fn connect(neighbours: &mut [Neighbours], t: usize, step: &Step) {
    step.pre.iter().for_each(|&(p, _)| neighbours[p].consumers.push(t));
    step.post.iter().for_each(|&(p, _)| neighbours[p].producers.push(t));
    step.inhibitors.iter().for_each(|&(p, _)| neighbours[p].inhibited.push(t));
}

/// A net under reduction.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    pub(super) initial: Vec<u64>,
    pub(super) observed: Vec<bool>,
    /// Removed places have no arcs.
    pub(super) removed: Vec<bool>,
    /// Places at which some transitions were agglomerated, and others not.
    pub(super) divided: Vec<bool>,
    /// Have the arcs been held against the state equation?
    pub(super) bounded: bool,
    pub(super) steps: Vec<Step>,
}

impl Draft {
    pub(super) fn new(net: &PetriNet, observed: &[PlaceId]) -> Self {
        let arcs = |arcs: &[Arc]| arcs.iter().map(|arc| (arc.place.index(), arc.weight)).collect();
        let step = |t: &crate::net::Transition| Step {
            pre: arcs(&t.pre),
            post: arcs(&t.post),
            inhibitors: arcs(&t.inhibitors),
        };
        let mut draft = Draft {
            initial: net.places().iter().map(|place| place.initial).collect(),
            observed: vec![false; net.place_count()],
            removed: vec![false; net.place_count()],
            divided: vec![false; net.place_count()],
            bounded: false,
            steps: net.transitions().iter().map(step).collect(),
        };
        observed.iter().for_each(|place| draft.observed[place.index()] = true);
        draft
    }

    /// The places that are left.
    pub(super) fn places(&self) -> impl Iterator<Item = usize> + use<> {
        let removed = self.removed.clone();
        (0..removed.len()).filter(move |&p| !removed[p])
    }

    /// The transitions at each place.
    pub(super) fn neighbours(&self) -> Vec<Neighbours> {
        let mut neighbours = vec![Neighbours::default(); self.initial.len()];
        self.steps.iter().enumerate().for_each(|(t, step)| connect(&mut neighbours, t, step));
        neighbours
    }

    /// Remove these places, with their arcs.
    pub(super) fn remove_places(&mut self, remove: &[bool]) {
        for step in &mut self.steps {
            for arcs in [&mut step.pre, &mut step.post, &mut step.inhibitors] {
                arcs.retain(|&(p, _)| !remove[p]);
            }
        }
        for (removed, &remove) in self.removed.iter_mut().zip(remove) {
            *removed |= remove;
        }
    }

    /// Keep the steps for which `keep` is true.
    pub(super) fn retain_steps(&mut self, keep: impl Fn(usize, &Step) -> bool) -> bool {
        let before = self.steps.len();
        let mut number = 0;
        self.steps.retain(|step| {
            number += 1;
            keep(number - 1, step)
        });
        self.steps.len() < before
    }

    /// The net, and where each place is in it.
    pub(super) fn finish(&self) -> Option<(PetriNet, Vec<Option<PlaceId>>)> {
        self.build(NetBuilder::new("reduced"), |p| format!("p{p}"), |_, _| {})
    }

    /// The net with the names and units of the net that it was made of, and where each place is in it.
    pub(super) fn finish_as(&self, net: &PetriNet) -> Option<(PetriNet, Vec<Option<PlaceId>>)> {
        let name = |p: usize| net.place(PlaceId(p as u32)).id.clone();
        self.build(NetBuilder::new(net.name()), name, |places, b| {
            let Some(nupn) = net.nupn() else { return };
            // The units still tell what belongs together, but not any more that they hold one token.
            let mut nupn = Nupn { safe: false, ..nupn.clone() };
            for unit in &mut nupn.units {
                unit.places =
                    unit.places.iter().filter_map(|place| places.get(place.index()).copied().flatten()).collect();
            }
            b.set_nupn(nupn);
        })
    }

    fn build(
        &self,
        mut b: NetBuilder,
        name: impl Fn(usize) -> String,
        finish: impl FnOnce(&[Option<PlaceId>], &mut NetBuilder),
    ) -> Option<(PetriNet, Vec<Option<PlaceId>>)> {
        let mut places = vec![None; self.initial.len()];
        for p in self.places() {
            places[p] = Some(b.place(name(p), self.initial[p]).ok()?);
        }
        for (t, step) in self.steps.iter().enumerate() {
            let t = b.transition(format!("step {t}")).ok()?;
            let arcs = |arcs: &Arcs| -> Vec<(PlaceId, u64)> {
                arcs.iter().filter_map(|&(p, weight)| Some((places[p]?, weight))).collect()
            };
            arcs(&step.pre).into_iter().try_for_each(|(p, weight)| b.input(p, t, weight)).ok()?;
            arcs(&step.post).into_iter().try_for_each(|(p, weight)| b.output(t, p, weight)).ok()?;
            arcs(&step.inhibitors).into_iter().try_for_each(|(p, weight)| b.inhibitor(p, t, weight)).ok()?;
        }
        finish(&places, &mut b);
        Some((b.build().ok()?, places))
    }
}
