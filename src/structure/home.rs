//! Nets whose initial marking can be reached again from everywhere.
//!
//! **Idea.** Firings of [`returning`] transitions alone come to an end. If that is the initial marking wherever they begin, it can be reached
//! from everywhere, and so each reachable marking from each other.
//!
//! A reachable marking in which none of them is enabled has a known least and greatest number of tokens of each place.
//! A semiflow leaves to a place what the others do not take at most or at least; and where all other input places of a returning
//! transition have what it takes, the last one has not. Wherever a place may have another number of tokens than initially, it is
//! assumed that it has more, or fewer, and refuted by what follows from that, if it can be. So the cases are those of unit propagation with failed literals
//! (Freeman, "Improvements to propositional satisfiability search algorithms", 1995), over intervals.
//!
//! A few markings of random walks are led back first: most nets for which it is not so are found out by the first of them.

use super::Effort;
use super::returning::returning;
use super::semiflows::{PSemiflow, p_semiflows};
use crate::budget::Budget;
use crate::net::{PetriNet, PlaceId, TransitionId};
use crate::rng::Rng;
use std::collections::VecDeque;

/// Walks that are led back, the firings of each, and those of its way back.
const WALKS: u64 = 10;
const FIRINGS: usize = 100;
const BACK: usize = 1_000;
/// Semiflows and transitions that are looked at for one assumption.
const STEPS: usize = 1_000_000;
/// Rounds over all places.
const ROUNDS: usize = 10;

/// Is it proved that the initial marking can be reached from every reachable one? Otherwise that says nothing.
pub(crate) fn is_home(net: &PetriNet, budget: &Budget) -> bool {
    let Some(back) = returning(net) else { return false };
    if !(0..WALKS).all(|seed| budget.check().is_ok() && leads_home(net, &back, seed)) {
        return false;
    }
    let Ok(semiflows) = p_semiflows(net, Effort::default(), budget) else { return false };
    Ends::new(net, &back, &semiflows.flows).are_initial(budget)
}

/// Do these transitions lead from the end of a random walk to the initial marking, as far as is looked?
fn leads_home(net: &PetriNet, back: &[TransitionId], seed: u64) -> bool {
    let (mut rng, mut marking, count) = (Rng::new(seed), net.initial_marking(), net.transition_count());
    for _ in 0..FIRINGS {
        let first = rng.below(count);
        let mut order = (first..count).chain(0..first);
        match order.find_map(|t| marking.fire(net, TransitionId(t as u32))) {
            Some(next) => marking = next,
            None => break,
        }
    }
    for _ in 0..BACK {
        match back.iter().find_map(|&t| marking.fire(net, t)) {
            Some(next) => marking = next,
            None => return marking == net.initial_marking(),
        }
    }
    true
}

/// The least and the greatest number of tokens in a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Limits {
    least: u64,
    most: u64,
}

/// Something contradicts itself.
struct Contradiction;

/// The reachable markings in which no returning transition is enabled, as far as they are known.
struct Ends<'a> {
    net: &'a PetriNet,
    back: &'a [TransitionId],
    semiflows: &'a [PSemiflow],
    /// For each place the numbers of the semiflows, and then of the returning transitions, that it is in.
    of_place: Vec<Vec<usize>>,
    limits: Vec<Limits>,
    /// The semiflows and transitions that may say more.
    open: VecDeque<usize>,
    is_open: Vec<bool>,
    /// Limits that were other ones before, in the order of the changes.
    changed: Vec<(PlaceId, Limits)>,
}

impl<'a> Ends<'a> {
    fn new(net: &'a PetriNet, back: &'a [TransitionId], semiflows: &'a [PSemiflow]) -> Self {
        let mut of_place = vec![Vec::new(); net.place_count()];
        for (number, semiflow) in semiflows.iter().enumerate() {
            semiflow.weights.iter().for_each(|(place, _)| of_place[place.index()].push(number));
        }
        for (number, &t) in back.iter().enumerate() {
            let transition = net.transition(t);
            for arc in transition.pre.iter().chain(&transition.inhibitors) {
                of_place[arc.place.index()].push(semiflows.len() + number);
            }
        }
        let limits = vec![Limits { least: 0, most: u64::MAX }; net.place_count()];
        let all = semiflows.len() + back.len();
        let (open, is_open) = ((0..all).collect(), vec![true; all]);
        Ends { net, back, semiflows, of_place, limits, open, is_open, changed: Vec::new() }
    }

    /// Is the initial marking proved to be the only one?
    fn are_initial(mut self, budget: &Budget) -> bool {
        if self.propagate().is_err() {
            return false;
        }
        for _ in 0..ROUNDS {
            let mut open = false;
            self.changed.clear();
            for place in self.net.place_ids() {
                let initial = self.net.place(place).initial;
                for (assumed, refuted) in [
                    (Limits { least: initial.saturating_add(1), most: u64::MAX }, Limits { least: 0, most: initial }),
                    (Limits { least: 0, most: initial.wrapping_sub(1) }, Limits { least: initial, most: u64::MAX }),
                ] {
                    let Limits { least, most } = self.limits[place.index()];
                    // It is known already.
                    if least >= refuted.least && most <= refuted.most {
                        continue;
                    }
                    if budget.check().is_err() {
                        return false;
                    }
                    let known = self.changed.len();
                    let possible = self.assume(place, assumed).is_ok();
                    self.undo(known);
                    if possible {
                        open = true;
                    } else if self.assume(place, refuted).is_err() {
                        return false;
                    }
                }
            }
            if !open {
                return true;
            }
            if self.changed.is_empty() {
                return false;
            }
        }
        false
    }

    fn undo(&mut self, known: usize) {
        for (place, limits) in self.changed.drain(known..).rev() {
            self.limits[place.index()] = limits;
        }
    }

    fn assume(&mut self, place: PlaceId, limits: Limits) -> Result<(), Contradiction> {
        self.narrow(place, limits)?;
        self.propagate()
    }

    /// A place has no fewer and no more tokens; what that may say more about is open then.
    fn narrow(&mut self, place: PlaceId, limits: Limits) -> Result<(), Contradiction> {
        let old = self.limits[place.index()];
        let new = Limits { least: old.least.max(limits.least), most: old.most.min(limits.most) };
        if new.least > new.most {
            return Err(Contradiction);
        }
        if new != old {
            self.changed.push((place, old));
            self.limits[place.index()] = new;
            for &number in &self.of_place[place.index()] {
                if !std::mem::replace(&mut self.is_open[number], true) {
                    self.open.push_back(number);
                }
            }
        }
        Ok(())
    }

    /// Propagate the limits through everything that is open.
    fn propagate(&mut self) -> Result<(), Contradiction> {
        let mut followed = Ok(());
        // Large numbers may come nearer to each other one by one.
        for _ in 0..STEPS {
            let Some(number) = self.open.pop_front() else { break };
            self.is_open[number] = false;
            followed = match number.checked_sub(self.semiflows.len()) {
                None => self.by_semiflow(&self.semiflows[number]),
                Some(number) => self.by_transition(self.back[number]),
            };
            if followed.is_err() {
                break;
            }
        }
        self.open.drain(..).for_each(|number| self.is_open[number] = false);
        followed
    }

    /// Each place has what the others leave.
    fn by_semiflow(&mut self, semiflow: &'a PSemiflow) -> Result<(), Contradiction> {
        let times = |tokens: u64, weight: u64| u128::from(tokens) * u128::from(weight);
        let (mut least, mut most) = (0u128, 0u128);
        for &(place, weight) in &semiflow.weights {
            let limits = self.limits[place.index()];
            least = least.saturating_add(times(limits.least, weight));
            most = most.saturating_add(times(limits.most, weight));
        }
        if least > semiflow.tokens || most < semiflow.tokens {
            return Err(Contradiction);
        }
        for &(place, weight) in &semiflow.weights {
            let limits = self.limits[place.index()];
            let left = semiflow.tokens - (least - times(limits.least, weight));
            let needed = match most {
                u128::MAX => 0,
                most => semiflow.tokens.saturating_sub(most - times(limits.most, weight)),
            };
            let number = |tokens: u128| u64::try_from(tokens).unwrap_or(u64::MAX);
            let narrower =
                Limits { least: number(needed.div_ceil(u128::from(weight))), most: number(left / u128::from(weight)) };
            self.narrow(place, narrower)?;
        }
        Ok(())
    }

    /// Something keeps the transition from being enabled.
    fn by_transition(&mut self, t: TransitionId) -> Result<(), Contradiction> {
        let transition = self.net.transition(t);
        let input = transition.pre.iter().map(|arc| (arc.place, Limits { least: 0, most: arc.weight.wrapping_sub(1) }));
        let inhibitors =
            transition.inhibitors.iter().map(|arc| (arc.place, Limits { least: arc.weight, most: u64::MAX }));
        let mut possible = input.chain(inhibitors).filter(|(place, limits)| {
            let known = self.limits[place.index()];
            known.least <= limits.most && limits.least <= known.most
        });
        match (possible.next(), possible.next()) {
            (None, _) => Err(Contradiction),
            (Some((place, limits)), None) => self.narrow(place, limits),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::net::{NetBuilder, PlaceId};
    use crate::random::{NetShape, Rng, net};
    use crate::reference::explore;
    use crate::structure::{is_reversible, with_inverses};

    /// Processes that go round, and take and give back resources on their way: some of them wait for each other for ever, or lose one.
    fn sharing(rng: &mut Rng) -> PetriNet {
        let mut b = NetBuilder::new("sharing");
        let resources: Vec<PlaceId> =
            (0..2).map(|i| b.place(format!("r{i}"), 1 + rng.below(2) as u64).unwrap()).collect();
        for process in 0..1 + rng.below(2) {
            let stations = 2 + rng.below(3);
            let places: Vec<PlaceId> = (0..stations)
                .map(|i| b.place(format!("p{process}_{i}"), if i == 0 { 1 + rng.below(2) as u64 } else { 0 }).unwrap())
                .collect();
            let mut held: Vec<PlaceId> = Vec::new();
            for station in 0..stations {
                let t = b.transition(format!("t{process}_{station}")).unwrap();
                b.input(places[station], t, 1).unwrap();
                b.output(t, places[(station + 1) % stations], 1).unwrap();
                if station + 1 == stations && !rng.one_in(8) {
                    held.drain(..).for_each(|resource| b.output(t, resource, 1).unwrap());
                } else if rng.one_in(2) {
                    held.push(resources[rng.below(2)]);
                    b.input(held[held.len() - 1], t, 1).unwrap();
                }
            }
            // A way back on the way, now and then.
            if rng.one_in(3) {
                let (from, to) = (rng.below(stations), rng.below(stations));
                let t = b.transition(format!("u{process}")).unwrap();
                b.input(places[from], t, 1).unwrap();
                b.output(t, places[to], 1).unwrap();
            }
        }
        b.build().unwrap()
    }

    /// Wherever it is proved the initial marking is reached again from everywhere, and most often it is proved there.
    #[test]
    fn home_markings_are_reached_again() {
        let (mut proved, mut home, mut away, mut more) = (0, 0, 0, 0);
        for seed in 0..1500 {
            let mut rng = Rng::new(seed);
            let is_sharing = seed % 3 == 0;
            let net = match seed % 3 {
                0 => sharing(&mut rng),
                which => {
                    let drawn = net(&mut rng, &NetShape { max_states: 30, ..NetShape::default() });
                    if which == 1 { drawn } else { with_inverses(&mut rng, &drawn) }
                }
            };
            let Some(graph) = explore(&net, 300) else { continue };
            // Which markings lead to the initial one?
            let mut leads = vec![false; graph.markings.len()];
            leads[0] = true;
            while let Some(more) =
                (0..leads.len()).find(|&m| !leads[m] && graph.edges[m].iter().any(|&(_, to)| leads[to]))
            {
                leads[more] = true;
            }
            let is_so = leads.iter().all(|&leads| leads);
            let found = is_home(&net, &Budget::unlimited());
            assert!(is_so || !found, "seed {seed}\n{net:?}");
            if is_sharing && graph.markings.len() > 1 {
                if is_so {
                    home += 1
                } else {
                    away += 1
                }
                proved += usize::from(found);
                more += usize::from(found && !is_reversible(&net, &Budget::unlimited()));
            }
        }
        assert!(home > 100 && away > 100 && proved * 4 > home * 3 && more > 50, "{home} {away} {proved} {more}");
    }

    /// Two processes wait for a resource that each of them gives back: what the first does is not undone by itself.
    #[test]
    fn resources_that_are_given_back() {
        let mut b = NetBuilder::new("resource");
        let resource = b.place("resource", 1).unwrap();
        for process in 0..2 {
            let [idle, waits, has] = [("idle", 1), ("waits", 0), ("has", 0)]
                .map(|(name, tokens)| b.place(format!("{name}{process}"), tokens).unwrap());
            let steps: [(&str, &[PlaceId], &[PlaceId]); 3] =
                [("ask", &[idle], &[waits]), ("take", &[waits, resource], &[has]), ("give", &[has], &[idle, resource])];
            for (name, pre, post) in steps {
                let t = b.transition(format!("{name}{process}")).unwrap();
                pre.iter().for_each(|&place| b.input(place, t, 1).unwrap());
                post.iter().for_each(|&place| b.output(t, place, 1).unwrap());
            }
        }
        let net = b.build().unwrap();
        assert!(is_home(&net, &Budget::unlimited()) && !is_reversible(&net, &Budget::unlimited()));
    }
}
