//! A program as far as questions rest on some of its variables: the conditions of its first states and steps, and their
//! conjunctions.
//!
//! They are made once for all certificates that speak of the same variables in the same order, and count in each check as
//! if it had made them. So do the next states of some sets: many certificates about one program say of the same set,
//! mostly the reachable states, that steps do not lead out of it. And so does what leads into some sets, as formulas have
//! parts in common.

use crate::Checked;
use crate::compiler::{Bits, Compiler};
use crate::effort::{self, Taken, work};
use crate::functions::{FALSE, Function, TRUE};
use crate::smv::Program;
use crate::states::Choices;
use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

/// What the conditions of a program are made for.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Scope {
    /// The variables of states, in the order of their bits.
    pub(crate) order: Vec<usize>,
    /// By variable: is something said of it, or does what is said rest on it? ([`crate::compiler::influence`])
    pub(crate) said: Vec<bool>,
}

/// The conditions of a program.
pub(crate) struct Conditions {
    scope: Scope,
    pub(crate) compiler: Compiler,
    /// The first level below the bits of variables.
    pub(crate) below: u32,
    pub(crate) first: Vec<Function>,
    pub(crate) steps: Vec<Function>,
    /// Those of `INVAR`, which all reachable states satisfy.
    pub(crate) invariants: Vec<Function>,
    /// The levels that each of them speaks of.
    levels: HashMap<Function, BTreeSet<u32>>,
    /// Where a step is possible, unless that is too much to find out of all states; and what it took.
    moving: Option<(Option<Function>, Taken)>,
    /// Has this check found out?
    moved: bool,
    /// The next states of some sets.
    images: Vec<Image>,
    /// The nodes that stay; those of the conditions alone, and what it took to make these.
    nodes: usize,
    made: usize,
    taken: Taken,
}

/// A product of a set with conditions of steps, and what it took to make.
struct Image {
    set: Function,
    steps: Vec<Function>,
    /// The levels that are not forgotten.
    kept: BTreeSet<u32>,
    next: Function,
    taken: Taken,
    /// Does it count in this check already?
    is_counted: bool,
}

/// So many of them are remembered, if there are no more nodes for each node of the conditions then, or no more at all.
const IMAGES: (usize, usize, usize) = (32, 4, 1 << 16);

/// The work for all states where a step is possible.
const ALL_MOVING: u64 = 1_000_000;

/// The conditions that the last check of a model needed.
#[derive(Default)]
pub(crate) struct Kept(Mutex<Option<Conditions>>);

impl std::fmt::Debug for Kept {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Kept")
    }
}

impl Kept {
    /// The conditions of a program for this scope: those that are kept, or new ones.
    pub(crate) fn take(&self, program: &Arc<Program>, scope: Scope) -> Checked<Conditions> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(conditions) = kept.filter(|conditions| conditions.scope == scope) {
            return effort::again(conditions.taken).map(|()| conditions);
        }
        let (made, taken) = effort::measured(|| Conditions::new(program, scope));
        made.map(|conditions| Conditions { taken, ..conditions })
    }

    /// Keep them, without what has been made since they were taken.
    pub(crate) fn keep(&self, mut conditions: Conditions) -> Checked<()> {
        conditions.restore()?;
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(conditions);
        Ok(())
    }
}

impl Conditions {
    fn new(program: &Arc<Program>, scope: Scope) -> Checked<Conditions> {
        let (mut compiler, below) = Compiler::new(program, &scope.order)?;
        // What a program may not say is refused as where states are listed.
        [false, true].into_iter().try_for_each(|steps| Choices::new(program, steps).map(drop))?;
        let said = (0..scope.said.len()).filter(|&variable| scope.said[variable]).collect();
        // What nothing here rests on is left out.
        let inside = compiler.cone(said)?;
        let (first, steps) = (compiler.demands(&inside, false)?, compiler.demands(&inside, true)?);
        let invariants = compiler.invariants()?;
        let mut levels = HashMap::new();
        for &part in first.iter().chain(&steps).chain(&invariants) {
            levels.insert(part, compiler.functions.parts(part)?.0);
        }
        let nodes = compiler.functions.count();
        compiler.functions.forget_results(nodes);
        Ok(Conditions {
            scope,
            compiler,
            below,
            first,
            steps,
            invariants,
            levels,
            moving: None,
            moved: false,
            images: Vec::new(),
            nodes,
            made: nodes,
            taken: (0, 0),
        })
    }

    /// Forget what has been made for one certificate.
    fn restore(&mut self) -> Checked<()> {
        self.compiler.functions.forget_results(self.nodes);
        self.images.iter_mut().for_each(|image| image.is_counted = false);
        let moving = self.moving.as_mut().and_then(|moving| moving.0.as_mut());
        let images = self.images.iter_mut().flat_map(|image| [&mut image.set, &mut image.next]);
        self.compiler.forget(self.nodes, &mut moving.into_iter().chain(images).collect::<Vec<_>>())?;
        (self.nodes, self.moved) = (self.compiler.functions.count(), false);
        Ok(())
    }

    /// The levels of states, current or next ones, and of ranks.
    pub(crate) fn levels(&self, next: bool, ranks: Bits) -> BTreeSet<u32> {
        let of = |&variable: &usize| {
            let Bits { first, count } = self.compiler.bits[variable];
            (0..count).map(move |bit| first + 2 * bit + u32::from(next))
        };
        self.scope.order.iter().flat_map(of).chain(ranks.first..ranks.first + ranks.count).collect()
    }

    /// The states of a set where a step is possible: `moving_right` of `proofs/Programs.v`.
    pub(crate) fn moving(&mut self, set: Function, ranks: Bits) -> Checked<Function> {
        if let Some(all) = self.all_moving()? {
            return self.compiler.functions.and(set, all);
        }
        let (steps, kept) = (self.steps.clone(), self.levels(false, ranks));
        self.product(set, &steps, &kept)
    }

    /// Where a step is possible, unless this takes long.
    fn all_moving(&mut self) -> Checked<Option<Function>> {
        let (moving, taken) = match self.moving {
            Some(known) => known,
            None => {
                let (steps, kept) = (self.steps.clone(), self.levels(false, Bits::default()));
                let mark = self.compiler.functions.count();
                let (moving, taken) = effort::measured(|| {
                    let found = effort::within(ALL_MOVING, || {
                        let found = self.product(TRUE, &steps, &kept);
                        if found.is_err() {
                            self.compiler.functions.forget(mark, &mut [])?;
                        }
                        found
                    });
                    // What stays counts.
                    effort::keep(self.compiler.functions.count() - mark).map(|()| found.ok())
                });
                self.moved = true;
                *self.moving.insert((moving?, taken))
            }
        };
        if !std::mem::replace(&mut self.moved, true) {
            effort::again(taken)?;
        }
        Ok(moving)
    }

    /// The product of a set with conditions of steps, remembered; and is it one that has not been before? Then its nodes
    /// have to stay.
    pub(crate) fn image(
        &mut self,
        set: Function,
        steps: &[Function],
        kept: &BTreeSet<u32>,
    ) -> Checked<(Function, bool)> {
        let is_known = |image: &&mut Image| image.set == set && image.steps == steps && image.kept == *kept;
        if let Some(image) = self.images.iter_mut().find(is_known) {
            if !std::mem::replace(&mut image.is_counted, true) {
                effort::again(image.taken)?;
            }
            return Ok((image.next, false));
        }
        let (next, taken) = effort::measured(|| self.product(set, steps, kept));
        let next = next?;
        let functions = &self.compiler.functions;
        let most = IMAGES.1.saturating_mul(self.made).max(IMAGES.2);
        let has_room = self.images.len() < IMAGES.0 && self.nodes <= most;
        // What is made for one check alone gets other numbers in another.
        let is_new = has_room && steps.iter().all(|&step| functions.is_older(step, self.nodes));
        if is_new {
            let (steps, kept) = (steps.to_vec(), kept.clone());
            self.images.push(Image { set, steps, kept, next, taken, is_counted: true });
        }
        Ok((next, is_new))
    }

    /// The levels that a condition speaks of.
    fn levels_of(&self, part: Function) -> Checked<BTreeSet<u32>> {
        match self.levels.get(&part) {
            Some(levels) => Ok(levels.clone()),
            None => Ok(self.compiler.functions.parts(part)?.0),
        }
    }

    /// The conjunction of some conditions, in which all levels but some are forgotten, each once nothing speaks of it:
    /// `product_right` of `proofs/Bits.v`.
    pub(crate) fn product(&mut self, seed: Function, parts: &[Function], kept: &BTreeSet<u32>) -> Checked<Function> {
        let mut open: Vec<(Function, BTreeSet<u32>)> = vec![(seed, self.levels_of(seed)?)];
        for &part in parts {
            open.push((part, self.levels_of(part)?));
        }
        let functions = &mut self.compiler.functions;
        let mut count: HashMap<u32, usize> = HashMap::new();
        open.iter().flat_map(|part| &part.1).for_each(|&level| *count.entry(level).or_default() += 1);
        // What one condition alone speaks of, until there is no more.
        for (part, levels) in &mut open {
            let alone: BTreeSet<u32> =
                levels.iter().copied().filter(|level| !kept.contains(level) && count[level] == 1).collect();
            if !alone.is_empty() {
                let bits = functions.bits(&alone)?;
                *part = functions.meet(*part, TRUE, bits)?;
                let left = functions.parts(*part)?.0;
                levels.difference(&left).for_each(|level| *count.entry(*level).or_default() -= 1);
                *levels = left;
            }
        }
        let (mut product, mut levels) = open.remove(0);
        while !open.is_empty() {
            if product == FALSE {
                return Ok(FALSE);
            }
            // The condition after which most levels are forgotten, and fewest are new.
            let rest = |level: &u32, own: &BTreeSet<u32>, all: &BTreeSet<u32>| {
                count[level] - usize::from(own.contains(level)) - usize::from(all.contains(level)) == 0
            };
            let mut best: Option<(i64, usize)> = None;
            for (at, (_, own)) in open.iter().enumerate() {
                work(own.len() + 1)?;
                let gone = own.iter().filter(|level| !kept.contains(level) && rest(level, own, &levels)).count() as i64;
                let new = own.difference(&levels).count() as i64;
                if best.is_none_or(|(score, _)| 2 * gone - new > score) {
                    best = Some((2 * gone - new, at));
                }
            }
            let (part, own) = open.swap_remove(best.map_or(0, |best| best.1));
            let gone: BTreeSet<u32> =
                own.union(&levels).copied().filter(|l| !kept.contains(l) && rest(l, &own, &levels)).collect();
            let bits = functions.bits(&gone)?;
            product = functions.meet(product, part, bits)?;
            own.iter().chain(&levels).for_each(|level| *count.entry(*level).or_default() -= 1);
            levels = functions.parts(product)?.0;
            levels.iter().for_each(|level| *count.entry(*level).or_default() += 1);
        }
        let gone: BTreeSet<u32> = levels.difference(kept).copied().collect();
        let bits = functions.bits(&gone)?;
        functions.meet(product, TRUE, bits)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::random::Random;

    /// Which way it is found does not matter.
    #[test]
    fn states_with_a_step_are_those_among_all() {
        let text = "MODULE main IVAR i : boolean; VAR n : 0..6; k : 0..3; ASSIGN next(k) := i ? k : 0;
            TRANS next(n) = n + k; TRANS i | n < 5; INVAR n != 3;";
        let program = Arc::new(crate::smv::read(text).unwrap());
        let order = vec![1, 2];
        let mut conditions = Conditions::new(&program, Scope { order, said: vec![true; 3] }).unwrap();
        let all = conditions.all_moving().unwrap().unwrap();
        assert!(all != TRUE && all != FALSE);
        for number in 0..7 {
            let of: Vec<Function> = (0..7).map(|value| if value < number { TRUE } else { FALSE }).collect();
            let set = conditions.compiler.by_value(1, false, &of).unwrap();
            let (steps, kept) = (conditions.steps.clone(), conditions.levels(false, Bits::default()));
            let among = conditions.product(set, &steps, &kept).unwrap();
            assert_eq!(among, conditions.moving(set, Bits::default()).unwrap());
            assert_eq!(among, conditions.compiler.functions.and(set, all).unwrap());
        }
    }

    /// What is remembered of other certificates is what would be made anew.
    #[test]
    fn remembered_products_are_those_made_anew() {
        let text = "MODULE main IVAR i : boolean; VAR n : 0..6; k : 0..3; m : 0..4; ASSIGN next(k) := i ? k : 0;
            next(m) := {n mod 5, k}; TRANS next(n) = n + k; TRANS i | n < 5; INVAR n != 3;";
        let program = Arc::new(crate::smv::read(text).unwrap());
        let mut random = Random(0x9e37_79b9_7f4a_7c15);
        let (kept, mut known) = (Kept::default(), 0);
        for _ in 0..60 {
            let scope = Scope { order: vec![1, 2, 3], said: vec![true; 4] };
            let mut conditions = kept.take(&program, scope).unwrap();
            let ranks = Bits { first: conditions.below, count: random.below(3) as u32 };
            for _ in 0..random.below(8) {
                let [a, b, c] = [(1, 7), (2, 4), (3, 5)].map(|(variable, values)| {
                    let bits = random.below(5);
                    let of: Vec<Function> =
                        (0..values).map(|value| if (bits * 7) >> value & 1 == 1 { TRUE } else { FALSE }).collect();
                    conditions.compiler.by_value(variable, false, &of).unwrap()
                });
                let functions = &mut conditions.compiler.functions;
                let mut set = functions.choice(a, b, c).unwrap();
                if ranks.count > 0 {
                    let bit = functions.node(ranks.first, FALSE, TRUE).unwrap();
                    set = functions.and(set, bit).unwrap();
                }
                let all = (conditions.steps.clone(), conditions.levels(false, ranks));
                let moving = conditions.moving(set, ranks).unwrap();
                assert_eq!(moving, conditions.product(set, &all.0, &all.1).unwrap());
                let levels = conditions.levels(random.below(2) == 0, ranks);
                let mut steps = conditions.steps.clone();
                if random.below(2) == 0 {
                    steps.extend(&conditions.invariants);
                }
                if random.below(4) == 0 {
                    let labelled = conditions.compiler.by_value(0, false, &[TRUE, FALSE]).unwrap();
                    steps.insert(0, labelled);
                }
                let mark = conditions.compiler.functions.count();
                let (next, is_new) = conditions.image(set, &steps, &levels).unwrap();
                assert_eq!(next, conditions.product(set, &steps, &levels).unwrap());
                let remembered = conditions.images.len();
                let (again, taken) = effort::measured(|| conditions.image(set, &steps, &levels).unwrap().0);
                assert_eq!((again, conditions.images.len()), (next, remembered));
                let is_known = conditions.images.iter().any(|image| image.next == next && image.is_counted);
                assert!(!is_new || is_known && taken == (0, 0), "what is there counts once in a check");
                if !is_new {
                    known += 1;
                    conditions.compiler.functions.forget(mark, &mut []).unwrap();
                }
            }
            kept.keep(conditions).unwrap();
        }
        assert!(known > 100, "{known}");
    }
}
