//! A smaller net from whose markings those of the net are counted.
//!
//! **Problem.** Where tokens wander between places, every division of them among these places is reachable: k places with n
//! tokens multiply the markings by a binomial coefficient, and they all have to be gone through though the number could be
//! written down. And a place whose tokens are a sum of those of others costs a level of the diagram, mostly far from what
//! it depends on, and says nothing.
//!
//! **Idea.** Two kinds of rules, each a file, are applied in turn. The reduced net and *equations* between its places and
//! those of the net stand for exactly the reachable markings of the net (a polyhedral reduction):
//!
//! * `moves`: places between which tokens move freely become one, and each of its markings stands for all divisions of the
//!   tokens among the *leaves* that have become it: C(n + k − 1, k − 1) for n tokens and k leaves;
//! * `equations`: a place whose tokens are a weighted sum of those of others, and for which no transition waits alone, is
//!   left out: its tokens are known in every marking, so that there are as many markings without it.
//!
//! Rules of the first kind may follow upon the second, and the other way round: a place is left out only as long as it is
//! one leaf, and the sum is one of leaves, so that what is merged later leaves it what it is.
//!
//! **Counting.** Each reachable marking of the reduced net stands for the product of the divisions of its places. A transition
//! of the net is enabled in as many of them as leave enough tokens on the leaves that it takes from: n − w tokens are left
//! to divide if some leaves have to hold w. (What it needs of places that are left out is implied.) The tokens of a leaf can
//! be all of its place, so the greatest weighted sum of places of the net is that of the places of the reduced net, each with
//! the greatest weight of its leaves.
//!
//! Berthomieu, Le Botlan and Dal Zilio, "Counting Petri net markings from reduction equations", STTT 22, 2020; Amat,
//! Berthomieu and Dal Zilio, "On the combination of polyhedral abstraction and SMT-based model checking for Petri nets",
//! Petri Nets 2021.
//!
//! ```
//! use starset::net::NetBuilder;
//! use starset::reduction::counting::Counting;
//! let mut b = NetBuilder::new("chain");
//! let [wait, work] = [("wait", 3), ("work", 0)].map(|(id, tokens)| b.place(id, tokens).unwrap());
//! let go = b.transition("go")?;
//! b.input(wait, go, 1)?;
//! b.output(go, work, 1)?;
//! let net = b.build()?;
//! let reduced = Counting::by_moves(&net, &starset::budget::Budget::unlimited()).ok_or("too large")?;
//! assert_eq!((reduced.net().place_count(), reduced.leaves()), (1, &[2][..]));
//! assert_eq!(reduced.needs(net.transition(go)), [(starset::net::PlaceId(0), 1)]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod equations;
mod moves;
mod parts;

pub use parts::{Part, PartSum, Parts};

use super::draft::{Draft, Step};
use super::free_cycles;
use crate::budget::Budget;
use crate::net::{PetriNet, PlaceId, Transition};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// Nets with more transitions are left as they are.
const TRANSITIONS: usize = 200_000;

/// A reduced net, and how the markings of the net are counted from its markings.
#[derive(Clone, Debug)]
pub struct Counting {
    net: PetriNet,
    /// For each place of the net, where its tokens are.
    places: Vec<Tokens>,
    /// For each place of the reduced net, how many of the net it is.
    leaves: Vec<u64>,
    /// The source of the reduced net.
    stage: Stage,
}

/// The tokens of a place of the net in the reduced net.
#[derive(Clone, Debug)]
enum Tokens {
    /// Among those of a place of the reduced net.
    In(PlaceId),
    /// They are a sum of those of leaves.
    Sum(Sum),
}

/// `(constant + Σ weight · leaf) / divisor`, over places of the net.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Sum {
    divisor: i128,
    constant: i128,
    terms: BTreeMap<usize, i128>,
}

/// The greatest value of a sum of places of the net: `(constant + Σ weight · place) / divisor`, over the places of the
/// reduced net.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Greatest {
    /// Divisor of the sum, above 0.
    pub divisor: i128,
    /// Constant added to the sum.
    pub constant: i128,
    /// The weights of the places that have one other than 0, each at least 0.
    pub weights: Vec<(PlaceId, i64)>,
}

/// A reduction under way.
#[derive(Clone, Debug)]
struct Stage {
    draft: Draft,
    /// The same places, with the transitions that add no marking: they do nothing, or just what another one does.
    idle: Draft,
    /// For each place of the net the place of the draft that it has become, unless it is left out.
    at: Vec<usize>,
    /// The places that are left out, in that order, each as a sum of places that were leaves then.
    sums: Vec<(usize, Sum)>,
}

impl Counting {
    /// The net with places merged that exchange their tokens: quickly done. `None` for the largest nets, if an arc would
    /// become too heavy, or when the budget is used up.
    pub fn by_moves(net: &PetriNet, budget: &Budget) -> Option<Counting> {
        if net.transition_count() > TRANSITIONS {
            return None;
        }
        // Which places are tested for absence is asked of the net, whatever becomes of the transitions that do.
        let tested: Vec<PlaceId> =
            net.transitions().iter().flat_map(|t| t.inhibitors.iter().map(|arc| arc.place)).collect();
        let draft = Draft::new(net, &tested);
        let idle = Draft { steps: Vec::new(), ..draft.clone() };
        let stage = Stage { draft, idle, at: (0..net.place_count()).collect(), sums: Vec::new() };
        stage.merged(budget)?.finish(net)
    }

    /// The same of this net with all rules, which takes linear programs; `None` if there is nothing to gain, as far as the
    /// budget allows.
    ///
    /// # Panics
    /// If this is not the net of [`Counting::by_moves`].
    pub fn refined(&self, net: &PetriNet, budget: &Budget) -> Option<Counting> {
        assert_eq!(net.place_count(), self.places.len(), "another net");
        let mut stage = self.stage.clone();
        let before = stage.sums.len();
        while equations::apply(&mut stage, budget) {
            stage = stage.merged(budget)?;
        }
        (stage.sums.len() > before).then(|| stage.finish(net)).flatten()
    }

    /// Is the reduced net the net itself?
    pub fn is_all(&self) -> bool {
        self.leaves.len() == self.places.len()
    }

    /// The reduced net.
    pub fn net(&self) -> &PetriNet {
        &self.net
    }

    /// How many places of the net each place of the reduced net is.
    pub fn leaves(&self) -> &[u64] {
        &self.leaves
    }

    /// How many tokens on each place of the reduced net a transition of the net needs, where they lie on the right leaves.
    /// Its conditions on other places are implied.
    ///
    /// # Panics
    /// If the transition is one of another net.
    pub fn needs(&self, transition: &Transition) -> Vec<(PlaceId, u64)> {
        let mut needs: BTreeMap<PlaceId, u64> = BTreeMap::new();
        for arc in &transition.pre {
            if let Tokens::In(place) = self.places[arc.place.index()] {
                let need = needs.entry(place).or_default();
                *need = need.saturating_add(arc.weight);
            }
        }
        needs.into_iter().collect()
    }

    /// The place of the reduced net that a place of the net has become part of; `None` if it is left out. A place that an
    /// arc tests for absence is never left out, and alone there.
    ///
    /// # Panics
    /// If there is no such place.
    pub fn place(&self, place: PlaceId) -> Option<PlaceId> {
        match self.places[place.index()] {
            Tokens::In(at) => Some(at),
            Tokens::Sum(_) => None,
        }
    }

    /// The objective whose maximum is the greatest sum of the tokens on these places of the net. `None` if numbers
    /// become too large.
    ///
    /// # Panics
    /// If there is no such place.
    pub fn greatest(&self, places: impl IntoIterator<Item = PlaceId>) -> Option<Greatest> {
        let mut sum = Sum { divisor: 1, constant: 0, terms: BTreeMap::new() };
        for place in places {
            match &self.places[place.index()] {
                Tokens::In(_) => sum.add(&Sum { divisor: 1, constant: 0, terms: [(place.index(), 1)].into() }, 1)?,
                Tokens::Sum(other) => sum.add(other, 1)?,
            }
        }
        let mut weights: BTreeMap<PlaceId, i64> = BTreeMap::new();
        for (&leaf, &weight) in &sum.terms {
            let Tokens::In(at) = self.places[leaf] else { return None };
            let greatest = weights.entry(at).or_insert(0);
            *greatest = (*greatest).max(i64::try_from(weight).ok()?);
        }
        weights.retain(|_, weight| *weight != 0);
        Some(Greatest { divisor: sum.divisor, constant: sum.constant, weights: weights.into_iter().collect() })
    }
}

impl Sum {
    /// Add `times · other`; `None` if numbers become too large.
    fn add(&mut self, other: &Sum, times: i128) -> Option<()> {
        let divisor = num_integer::lcm(self.divisor, other.divisor);
        let (own, others) = (divisor / self.divisor, (divisor / other.divisor).checked_mul(times)?);
        self.divisor = divisor;
        let scaled = |value: i128, by: i128| value.checked_mul(by).filter(|value| value.unsigned_abs() < 1 << 62);
        self.constant = scaled(self.constant, own)?.checked_add(scaled(other.constant, others)?)?;
        if own != 1 {
            for weight in self.terms.values_mut() {
                *weight = scaled(*weight, own)?;
            }
        }
        for (&leaf, &weight) in &other.terms {
            let sum = self.terms.entry(leaf).or_insert(0);
            *sum = sum.checked_add(scaled(weight, others)?)?;
        }
        Some(())
    }
}

impl Stage {
    /// Merge what can be merged; `None` if an arc becomes too heavy, or when the budget is used up.
    fn merged(mut self, budget: &Budget) -> Option<Stage> {
        self.set_aside();
        while let Some(into) = moves::merging(&self.draft) {
            budget.check().ok()?;
            free_cycles::merge(&mut self.draft, &into)?;
            free_cycles::merge(&mut self.idle, &into)?;
            self.at.iter_mut().for_each(|at| *at = into[*at]);
            self.set_aside();
        }
        Some(self)
    }

    /// Set aside the transitions that add no marking.
    fn set_aside(&mut self) {
        let mut known = FxHashSet::default();
        let is_idle = |step: &Step| step.pre == step.post || !known.insert(step.clone());
        let idle: Vec<bool> = self.draft.steps.iter().map(is_idle).collect();
        let steps = std::mem::take(&mut self.draft.steps);
        for (step, idle) in steps.into_iter().zip(idle) {
            if idle { &mut self.idle } else { &mut self.draft }.steps.push(step);
        }
    }

    /// Is a place of the net still a place of the draft?
    fn is_left(&self, place: usize) -> bool {
        !self.draft.removed[self.at[place]]
    }

    /// The places of the net that have become each place of the draft.
    fn leaves(&self) -> Vec<Vec<usize>> {
        let mut leaves = vec![Vec::new(); self.at.len()];
        (0..self.at.len()).filter(|&place| self.is_left(place)).for_each(|place| leaves[self.at[place]].push(place));
        leaves
    }

    /// The reduced net, with what it takes to count; `None` if numbers become too large.
    fn finish(self, net: &PetriNet) -> Option<Counting> {
        let (reduced, places) = self.draft.finish_as(net)?;
        let mut tokens: Vec<Option<Tokens>> = self.at.iter().map(|&at| places[at].map(Tokens::In)).collect();
        // A sum is one of places that were there when its place was left out; some of these were left out later.
        for (place, sum) in self.sums.iter().rev() {
            let mut resolved = Sum { divisor: 1, constant: 0, terms: BTreeMap::new() };
            for (&leaf, &weight) in &sum.terms {
                match tokens[leaf].as_ref()? {
                    Tokens::In(_) => {
                        resolved.add(&Sum { divisor: 1, constant: 0, terms: [(leaf, 1)].into() }, weight)?;
                    }
                    Tokens::Sum(other) => resolved.add(other, weight)?,
                }
            }
            let constant = sum.constant.checked_mul(resolved.divisor)?;
            resolved.constant = resolved.constant.checked_add(constant)?;
            resolved.divisor = resolved.divisor.checked_mul(sum.divisor)?;
            tokens[*place] = Some(Tokens::Sum(resolved));
        }
        let places: Vec<Tokens> = tokens.into_iter().collect::<Option<_>>()?;
        let mut leaves = vec![0; reduced.place_count()];
        for place in &places {
            if let Tokens::In(at) = place {
                leaves[at.index()] += 1;
            }
        }
        Some(Counting { net: reduced, places, leaves, stage: self })
    }
}
