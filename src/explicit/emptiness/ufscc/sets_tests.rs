//! Unions by several threads against those of one, and lists of which every state is taken.

use super::*;
use crate::rng::Rng;
use std::cell::Cell;
use std::collections::BTreeSet;

/// Give way to another thread now and then.
pub(super) fn unsettle() {
    thread_local!(static TURNS: Cell<u32> = const { Cell::new(0) });
    let turns = TURNS.get().wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
    TURNS.set(turns);
    if turns >> 28 == 0 {
        std::thread::yield_now();
    }
}

fn sets(states: u32, threads: u32, marks: u32) -> Sets {
    let sets = Sets::new(threads, marks);
    (0..=states).for_each(|state| assert_eq!(sets.open(state, |_| Ok(())), Ok(())));
    sets
}

/// The least state of each state's set.
fn united(states: u32, pairs: &[(u32, u32)]) -> Vec<u32> {
    let mut least: Vec<u32> = (0..states).collect();
    for &(a, b) in pairs {
        let (a, b) = (least[a as usize], least[b as usize]);
        least.iter_mut().filter(|least| **least == a.max(b)).for_each(|least| *least = a.min(b));
    }
    least
}

#[test]
fn threads_unite_what_one_would() {
    for seed in 0..60 {
        let mut rng = Rng::new(seed);
        let states = 2 + rng.below(400) as u32;
        let pair = |rng: &mut Rng| (rng.below(states as usize) as u32, rng.below(states as usize) as u32);
        let count = rng.below(2 * states as usize);
        let pairs: Vec<(u32, u32)> = (0..count).map(|_| pair(&mut rng)).collect();
        let threads = 2 + (seed % 3) as u32;
        let sets = sets(states, threads, 5);
        std::thread::scope(|scope| {
            for thread in 0..threads {
                let (sets, pairs) = (&sets, &pairs);
                scope.spawn(move || {
                    for &(a, b) in pairs.iter().skip(thread as usize).step_by(threads as usize) {
                        sets.claim(a, thread);
                        assert_eq!(sets.unite(a, b), Ok(()));
                        assert!(sets.same(a, b));
                        sets.mark(b, 1 << (a % 5));
                    }
                });
            }
        });
        let least = united(states, &pairs);
        for state in 0..states {
            assert_eq!(sets.find(state), least[state as usize]);
            let set = |other: &&(u32, u32)| least[other.0 as usize] == least[state as usize];
            let marks = pairs.iter().filter(set).fold(0u64, |marks, pair| marks | 1 << (pair.0 % 5));
            assert_eq!(sets.data(sets.find(state)) >> 59, marks);
            let been =
                |thread: u32| pairs.iter().skip(thread as usize).step_by(threads as usize).any(|pair| set(&pair));
            (0..threads).for_each(|thread| assert_eq!(sets.look(state, thread) == Claim::Found, been(thread)));
        }
        // Threads take the states of all sets.
        let taken: Vec<BTreeSet<u32>> = std::thread::scope(|scope| {
            let take = |thread: u32| {
                let (sets, least) = (&sets, &least);
                move || {
                    let mut taken = BTreeSet::new();
                    for state in (0..states).skip(thread as usize).chain(0..thread) {
                        while let Rest::Busy(busy) = sets.pick(state) {
                            assert_eq!(least[busy as usize], least[state as usize]);
                            if sets.change(busy, DONE) {
                                taken.insert(busy);
                            }
                        }
                    }
                    taken
                }
            };
            let takers: Vec<_> = (0..threads).map(|thread| scope.spawn(take(thread))).collect();
            takers.into_iter().map(|taker| taker.join().unwrap_or_default()).collect()
        });
        assert_eq!(taken.iter().map(BTreeSet::len).sum::<usize>(), states as usize);
        for state in 0..states {
            let accepts = sets.data(sets.find(state)) & sets.accepting == sets.accepting;
            assert_eq!(sets.is_dead(state), !accepts);
            assert!(sets.is_done(state));
        }
    }
}

#[test]
fn what_has_been_settled_stays() {
    let sets = sets(10, 2, 0);
    assert_eq!(sets.is_full(3), None);
    assert!(!sets.settle(3, false));
    assert!(!sets.settle(3, true));
    assert_eq!(sets.is_full(3), Some(false));
    assert!(sets.settle(4, true));
    assert!(sets.settle(4, false));
}

#[test]
fn a_state_alone_accepts_nothing() {
    let sets = sets(10, 2, 0);
    assert_eq!(sets.claim(1, 0), Claim::New);
    assert_eq!(sets.claim(1, 0), Claim::Found);
    assert_eq!(sets.look(1, 1), Claim::New);
    sets.finish(1);
    assert_eq!(sets.pick(1), Rest::Dead);
    assert_eq!(sets.look(1, 1), Claim::Dead);
    assert_eq!(sets.unite(1, 2), Err(Torn));
    assert!(sets.mark(2, 0), "a cycle is enough where there are no marks");
}
