//! A race between attempts at the same task, such as saturation under several variable orders.
//!
//! No metric always foretells the best variable order, and the worst of the promising ones may be a thousand
//! times slower than the best. So the attempts run one after the other, each with a share of work, and the
//! first to finish wins; when none does, the shares grow and the field narrows to the attempts that got
//! furthest. The favourite runs first and alone, so that an easy task costs nothing extra; a hard one costs
//! a small multiple of the winner's work.
//!
//! How far an attempt got is told by what it has paid for what it knows ([`Standing`]).
//!
//! An attempt that runs out of memory is out of the race, too, but for the last round, where it has all the
//! memory to itself.
//!
//! Shares are counted in work, not in time ([`Budget::with_work`]): the same input has the same winner on
//! every machine.

use crate::budget::{Budget, Exhausted};
use crate::stop_reason::StopReason;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

/// The rounds: how many attempts take part, and the work of each (2^22 calls take some seconds). The favourite begins,
/// and is done with most tasks. A look at each of the others tells much of them, so the field is soon narrow; the one
/// that a look favours and the one that was the favourite before then have the most work. After the last round the
/// leading attempt runs without a limit.
const ROUNDS: [(usize, Work); 12] = [
    (1, Work::Looks(1)),
    (1, Work::Calls(1 << 22)),
    (48, Work::Looks(1)),
    (8, Work::Looks(4)),
    (3, Work::Looks(16)),
    (2, Work::Looks(64)),
    (2, Work::Calls(1 << 24)),
    (4, Work::Calls(1 << 22)),
    (2, Work::Calls(1 << 26)),
    (4, Work::Calls(1 << 24)),
    (4, Work::Calls(1 << 26)),
    (2, Work::Calls(1 << 29)),
];

/// The rounds in which others are tried once an attempt has finished ([`others`]): the part of those looked at that
/// takes part, and the work of each.
const AGAIN: [(usize, Work); 3] = [(1, Work::Looks(1)), (8, Work::Looks(4)), (16, Work::Looks(16))];

/// A share of work.
#[derive(Clone, Copy)]
enum Work {
    /// A multiple of the work of a look.
    Looks(u64),
    Calls(u64),
}

impl Work {
    /// It in calls, where a look takes so many.
    fn calls(self, look: u64) -> u64 {
        match self {
            Work::Looks(times) => look.saturating_mul(times),
            Work::Calls(calls) => calls.max(look),
        }
    }
}

/// The rounds in which the favourite is alone, and what it has in the first where little is known of it. There is no
/// second then.
const ALONE: usize = 1;
const FEW: Work = Work::Looks(4);
/// The first round in which others take part. The favourite of which little is known has as much as they had before any of
/// them has more, unless one is as far with a look.
const OTHERS: usize = 2;
/// Ratio of work up to which attempts are compared without a new run.
const COMPARABLE: u64 = 2;

/// The progress of an attempt: the work that it has paid for its states. Less is better.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Standing(pub(crate) u32);

impl Standing {
    /// Nothing is known of it.
    pub(crate) const UNKNOWN: Standing = Standing(u32::MAX);

    /// Of a search breadth first after so many rounds: it is behind others, whose next round may cost more than all
    /// before.
    pub(crate) fn after_rounds(rounds: u32) -> Standing {
        Standing(u32::MAX - 1 - rounds.min(1 << 30))
    }
}

/// The attempts in a race.
pub(crate) struct Field<C> {
    /// How many attempts there are; asked only when the favourite does not finish soon.
    pub(crate) count: C,
    /// The work of a look at each.
    pub(crate) look: u64,
    /// Is little known of the favourite? Then others take part soon.
    pub(crate) open: bool,
}

/// An attempt in the race.
struct Runner {
    number: usize,
    /// The shares of work it had, and how far it got with each.
    standings: Vec<(u64, Standing)>,
    /// Did it run out of memory?
    crammed: bool,
}

impl Runner {
    fn new(number: usize) -> Self {
        Runner { number, standings: Vec::new(), crammed: false }
    }

    /// Its standing after this work, or little more.
    fn with(&self, work: u64) -> Option<Standing> {
        let comparable =
            self.standings.iter().filter(|&&(share, _)| (work..=work.saturating_mul(COMPARABLE)).contains(&share));
        comparable.min_by_key(|(share, _)| *share).map(|&(_, standing)| standing)
    }

    /// Run an attempt with a share of work.
    fn run<T>(
        &mut self,
        budget: &Budget,
        attempt: impl FnOnce(usize, &Budget, &mut Standing) -> Result<T, StopReason>,
    ) -> Option<(usize, Result<T, StopReason>)> {
        let mut standing = Standing::UNKNOWN;
        let result = attempt(self.number, budget, &mut standing);
        self.standings.push((budget.work().unwrap_or(u64::MAX), standing));
        self.decides(result)
    }

    /// Note how an attempt ended; `None` if it leaves the decision to others.
    fn decides<T>(&mut self, result: Result<T, StopReason>) -> Option<(usize, Result<T, StopReason>)> {
        self.crammed = result.as_ref().err() == Some(&MEMORY);
        let undecided = self.crammed || result.as_ref().err() == Some(&WORK);
        (!undecided).then_some((self.number, result))
    }
}

/// The attempt that ended a heat, with its result.
type Decision<T> = Option<(usize, Result<T, StopReason>)>;

/// Run `attempt` on the numbers below the count of the field (the favourite 0 first) until one finishes; returns its
/// number and result.
///
/// An attempt gets a budget with its share of work and a place to note how far it is.
///
/// # Errors
/// The first error that is not [`Exhausted::Work`].
pub(crate) fn race<T>(
    field: Field<impl FnOnce() -> usize>,
    budget: &Budget,
    mut attempt: impl FnMut(usize, &Budget, &mut Standing) -> Result<T, StopReason>,
) -> Result<(usize, T), StopReason> {
    rounds(field, budget, |heat, budget| heat.iter_mut().find_map(|runner| runner.run(budget, &mut attempt)))
}

/// Run `attempt` on some of the numbers below `count`, with about twice this work in all, until one finishes. That an
/// attempt failed in any way is no error here.
pub(crate) fn others<T>(
    Field { count, look, .. }: Field<usize>,
    work: u64,
    budget: &Budget,
    mut attempt: impl FnMut(usize, &Budget, &mut Standing) -> Result<T, StopReason>,
) -> Option<(usize, T)> {
    let looks = usize::try_from(work / look.max(1)).unwrap_or(usize::MAX).min(count);
    let mut field: Vec<Runner> = (0..looks).map(Runner::new).collect();
    for (part, share) in AGAIN {
        let share = share.calls(look);
        let limited = budget.clone().with_work(share);
        for runner in field.iter_mut().take(looks / part).filter(|runner| !runner.crammed) {
            budget.check().ok()?;
            if let Some((number, Ok(found))) = runner.run(&limited, &mut attempt) {
                return Some((number, found));
            }
        }
        field.sort_by_key(|runner| (runner.crammed, runner.with(share).is_none(), runner.with(share)));
    }
    None
}

/// As [`race`], with the attempts of a round on up to `threads` threads at the same time. The winner is the
/// same: an attempt wins its round when those before it have used up their shares.
///
/// # Errors
/// As [`race`].
pub(crate) fn race_on_threads<T: Send>(
    threads: usize,
    field: Field<impl FnOnce() -> usize>,
    budget: &Budget,
    attempt: impl Fn(usize, &Budget, &mut Standing) -> Result<T, StopReason> + Sync,
) -> Result<(usize, T), StopReason> {
    rounds(field, budget, |heat, budget| {
        let flags: Vec<_> = heat.iter().map(|_| Arc::new(AtomicBool::new(false))).collect();
        let lanes: Vec<_> = heat.iter_mut().map(|runner| Mutex::new((runner, None))).collect();
        // The next attempt to start, and the first that is known to end the round.
        let (next, decided) = (AtomicUsize::new(0), AtomicUsize::new(usize::MAX));
        let work = || {
            loop {
                let at = next.fetch_add(1, Relaxed);
                let Some(lane) = lanes.get(at).filter(|_| at < decided.load(Relaxed)) else { break };
                let mut lane = lane.lock().unwrap_or_else(PoisonError::into_inner);
                let (runner, result) = &mut *lane;
                let limited = budget.clone().with_flag(Arc::clone(&flags[at]));
                *result = runner.run(&limited, &attempt);
                if result.is_none() {
                    continue;
                }
                decided.fetch_min(at, Relaxed);
                flags[at + 1..].iter().for_each(|flag| flag.store(true, Relaxed));
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..threads.min(lanes.len()) {
                // With fewer threads the others do the work.
                let _fewer = std::thread::Builder::new().name("race".into()).spawn_scoped(scope, work);
            }
            work();
        });
        let decided = lanes.into_iter().nth(decided.into_inner())?;
        let (_, decision) = decided.into_inner().unwrap_or_else(PoisonError::into_inner);
        decision
    })
}

/// An attempt used up its share.
const WORK: StopReason = StopReason::Exhausted(Exhausted::Work);
/// An attempt found no room.
const MEMORY: StopReason = StopReason::Exhausted(Exhausted::Memory);

/// The rounds of a race: `heat` runs attempts with a budget until one decides the race.
fn rounds<T>(
    Field { count, look, open }: Field<impl FnOnce() -> usize>,
    budget: &Budget,
    mut heat: impl FnMut(&mut [&mut Runner], &Budget) -> Decision<T>,
) -> Result<(usize, T), StopReason> {
    let mut field = vec![Runner::new(0)];
    let mut count = Some(count);
    let rounds = ROUNDS.into_iter().enumerate().map(|(round, (size, work))| match round {
        0..=ALONE if open => (size, Some(FEW.calls(look))),
        _ => (size, Some(work.calls(look))),
    });
    for (round, (size, work)) in rounds.chain([(1, None)]).enumerate() {
        if round == OTHERS
            && let Some(count) = count.take()
        {
            field.extend((1..count()).map(Runner::new));
        }
        // Without others there is nothing to be shared.
        if field.len() == 1 && count.is_none() && work.is_some() {
            continue;
        }
        let mut runners: Vec<_> = field.iter_mut().take(size).collect();
        runners.retain(|runner| work.is_none_or(|work| runner.with(work).is_none() && !runner.crammed));
        let limited = work.map_or(budget.clone(), |work| budget.clone().with_work(work));
        if let Some((number, result)) = heat(&mut runners, &limited) {
            return result.map(|result| (number, result));
        }
        rank(&mut field, work.unwrap_or(u64::MAX));
        if round == OTHERS && open && field.iter().all(|other| other.number == 0 || leads(&field, other)) {
            let looks = Work::Looks(field.len().min(size) as u64);
            let limited = budget.clone().with_work(looks.calls(look));
            let mut favourite: Vec<_> = field.iter_mut().filter(|all| all.number == 0 && !all.crammed).collect();
            if let Some((number, result)) = heat(&mut favourite, &limited) {
                return result.map(|result| (number, result));
            }
        }
    }
    let crammed = field.iter().any(|runner| runner.crammed);
    Err(if crammed { Exhausted::Memory } else { Exhausted::Cancelled }.into())
}

/// Is the favourite further than another attempt, each with all that it has had?
fn leads(field: &[Runner], other: &Runner) -> bool {
    let standing = |runner: &Runner| runner.standings.last().map_or(Standing::UNKNOWN, |&(_, standing)| standing);
    field.iter().any(|runner| runner.number == 0 && standing(runner) < standing(other))
}

/// The attempt that got furthest with this work first, then the favourite, whatever a look says of it, and the others
/// by how far they got; those that have not had as much follow as they were, and those that found no room come last.
fn rank(field: &mut [Runner], work: u64) {
    field.sort_by_key(|runner| {
        let standing = runner.with(work);
        (runner.crammed, standing.is_none(), standing)
    });
    if let Some(favourite) = field.iter().position(|runner| runner.number == 0 && !runner.crammed) {
        field[favourite.min(1)..=favourite].rotate_right(1);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// The standing of an attempt with this much work left.
    fn lacking(work: u64) -> Standing {
        Standing((work >> 10) as u32)
    }

    fn among(count: usize) -> Field<impl FnOnce() -> usize> {
        Field { count: move || count, look: LOOK, open: false }
    }

    const LOOK: u64 = 1 << 16;

    /// Attempts that need the given work; those that fail note how much of it is left.
    fn run(needs: &[u64]) -> (usize, u64) {
        let mut total = 0;
        let result = race(among(needs.len()), &Budget::unlimited(), |number, budget, standing| {
            let share = budget.work().unwrap_or(u64::MAX);
            total += share.min(needs[number]);
            *standing = lacking(needs[number].saturating_sub(share));
            if needs[number] <= share { Ok(number) } else { Err(Exhausted::Work.into()) }
        });
        let (winner, value) = result.unwrap();
        assert_eq!(winner, value);
        (winner, total)
    }

    #[test]
    fn an_easy_task_goes_to_the_favourite_at_no_extra_cost() {
        assert_eq!(run(&[1000, 10, 10]), (0, 1000));
        assert_eq!(run(&[1 << 22, 10, 10]), (0, LOOK + (1 << 22)));
        assert_eq!(run(&[1 << 40]), (0, LOOK + (1 << 40) + (1 << 22)));
    }

    #[test]
    fn others_take_part_soon_where_little_is_known_of_the_favourite() {
        let total = std::cell::Cell::new(0);
        let attempt = |number: usize, budget: &Budget, _: &mut Standing| {
            let needed = if number == 7 { LOOK } else { 1 << 40 };
            let share = budget.work().unwrap_or(u64::MAX);
            total.set(total.get() + share.min(needed));
            if needed <= share { Ok(()) } else { Err(Exhausted::Work.into()) }
        };
        let found = race(Field { open: true, ..among(20) }, &Budget::unlimited(), attempt);
        assert_eq!(found, Ok((7, ())));
        assert!(total.get() <= 12 * LOOK, "{}", total.get());
    }

    #[test]
    fn looks_at_others_cost_the_favourite_of_which_little_is_known_no_more_than_its_own_work() {
        for (count, own) in [(20, 20), (48, 30), (48, 48), (8, 3)] {
            let mut total = 0;
            let attempt = |number: usize, budget: &Budget, standing: &mut Standing| {
                let needed = if number == 0 { own * LOOK } else { 1 << 40 };
                let share = budget.work().unwrap_or(u64::MAX);
                total += share.min(needed);
                *standing = lacking(needed.saturating_sub(share));
                if needed <= share { Ok(()) } else { Err(Exhausted::Work.into()) }
            };
            let found = race(Field { open: true, ..among(count) }, &Budget::unlimited(), attempt);
            assert_eq!(found, Ok((0, ())));
            assert!(total <= (4 + count as u64 + own) * LOOK, "{total} for {own} looks among {count}");
        }
    }

    #[test]
    fn a_much_better_attempt_wins_at_a_small_multiple_of_its_work() {
        for (position, need) in [(1, 1 << 18), (3, 1 << 21), (2, 1 << 24), (1, 1 << 27)] {
            let mut needs = vec![1 << 34; 8];
            needs[position] = need;
            let (winner, total) = run(&needs);
            assert_eq!(winner, position);
            assert!(total < 8 * need + (1 << 26), "{total} for {need}");
        }
    }

    #[test]
    fn those_that_are_furthest_lead() {
        let runner = |(number, standing)| Runner {
            number,
            // One of them had more than twice as much.
            standings: vec![(if number == 0 { 11 } else { 5 }, Standing(standing))],
            crammed: number == 4,
        };
        let mut field: Vec<Runner> = [5, 4, 1, 2, 0].into_iter().enumerate().map(runner).collect();
        rank(&mut field, 5);
        assert_eq!(field.iter().map(|runner| runner.number).collect::<Vec<_>>(), [2, 0, 3, 1, 4]);
    }

    /// The same attempt wins with any number of threads.
    #[test]
    fn threads_do_not_change_the_winner() {
        for needs in [[1000, 10, 10, 10], [1 << 34, 1 << 18, 1 << 16, 1 << 16], [1 << 34, 1 << 34, 1 << 24, 1 << 22]] {
            let expected = run(&needs).0;
            for threads in [1, 2, 3, 8] {
                let attempt = |number: usize, budget: &Budget, standing: &mut Standing| {
                    budget.check()?;
                    let share = budget.work().unwrap_or(u64::MAX);
                    *standing = lacking(needs[number].saturating_sub(share));
                    if needs[number] <= share { Ok(()) } else { Err(Exhausted::Work.into()) }
                };
                let won = race_on_threads(threads, among(needs.len()), &Budget::unlimited(), attempt);
                assert_eq!(won, Ok((expected, ())), "{needs:?} on {threads}");
            }
        }
    }

    #[test]
    fn an_attempt_without_memory_leaves_the_race_to_the_others() {
        let attempt = |number: usize, _: &Budget, _: &mut Standing| match number {
            2 => Ok(()),
            _ => Err(StopReason::from(Exhausted::Memory)),
        };
        for threads in [1, 2] {
            assert_eq!(race_on_threads(threads, among(4), &Budget::unlimited(), attempt), Ok((2, ())));
            assert_eq!(
                race_on_threads(threads, among(2), &Budget::unlimited(), attempt),
                Err(Exhausted::Memory.into())
            );
        }
        assert_eq!(race(among(2), &Budget::unlimited(), attempt), Err(Exhausted::Memory.into()));
    }

    #[test]
    fn once_one_has_finished_others_are_tried_with_twice_the_work() {
        for (count, position, need, finds) in [
            (40, 11, 4 * LOOK, true),
            (40, 3, LOOK, true),
            (40, 3, 1 << 30, false),
            (3, 1, 4 * LOOK, false),
            (1, 0, 1, true),
        ] {
            let (mut total, work) = (0, 32 * LOOK);
            let found = others(
                Field { count, look: LOOK, open: false },
                work,
                &Budget::unlimited(),
                |number, budget, standing| {
                    let needed = if number == position { need } else { 1 << 32 };
                    let share = budget.work().unwrap();
                    total += share.min(needed);
                    *standing = lacking(needed.saturating_sub(share));
                    if needed <= share { Ok(()) } else { Err(Exhausted::Work.into()) }
                },
            );
            assert_eq!(found.map(|(number, ())| number), finds.then_some(position));
            assert!(total <= 3 * work, "{total}");
        }
    }

    #[test]
    fn other_errors_end_the_race() {
        let stop = |_: usize, _: &Budget, _: &mut Standing| Err::<(), _>(Exhausted::Time.into());
        assert_eq!(race(among(3), &Budget::unlimited(), stop), Err(Exhausted::Time.into()));
    }
}
