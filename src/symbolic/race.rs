//! A race between attempts at the same task, such as saturation under several variable orders.
//!
//! No metric always foretells the best variable order, and the worst of the promising ones may be a thousand
//! times slower than the best. So the attempts run one after the other, each with a share of work, and the
//! first to finish wins; when none does, the shares grow and the field narrows to the attempts that got
//! furthest. The favourite runs first and alone, so that an easy task costs nothing extra; a hard one costs
//! a small multiple of the winner's work.
//!
//! Shares are counted in work, not in time ([`Budget::with_work`]): the same input has the same winner on
//! every machine.

use super::halt::Halt;
use crate::budget::{Budget, Exhausted};

/// The rounds: how many attempts take part, and the work of each. After the last one the leading attempt
/// runs without a limit.
const ROUNDS: [(usize, u64); 6] = [(1, 1 << 19), (6, 1 << 17), (5, 1 << 19), (4, 1 << 21), (3, 1 << 23), (2, 1 << 25)];

/// Run `attempt` on the numbers `0..count` (the favourite first) until one finishes; returns its number and
/// result.
///
/// An attempt gets a budget with its share of work and a place to note how far it is: smaller is further.
///
/// # Errors
/// The first error that is not [`Exhausted::Work`]; [`Exhausted::Cancelled`] if `count` is 0.
pub fn race<T>(
    count: usize,
    budget: &Budget,
    mut attempt: impl FnMut(usize, &Budget, &mut u32) -> Result<T, Halt>,
) -> Result<(usize, T), Halt> {
    let mut field: Vec<(u32, usize)> = (0..count).map(|number| (u32::MAX, number)).collect();
    let mut spent = vec![0; count];
    for (size, work) in ROUNDS {
        if count == 1 {
            break;
        }
        for (left, number) in field.iter_mut().take(size) {
            if spent[*number] >= work {
                continue;
            }
            spent[*number] = work;
            *left = u32::MAX;
            match attempt(*number, &budget.clone().with_work(work), left) {
                Err(Halt::Exhausted(Exhausted::Work)) => {}
                result => return result.map(|result| (*number, result)),
            }
        }
        // Those that got furthest lead; those that have not run yet stay behind.
        field.sort_unstable();
    }
    let Some(&(_, number)) = field.first() else { return Err(Exhausted::Cancelled.into()) };
    attempt(number, budget, &mut 0).map(|result| (number, result))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// Attempts that need the given work; those that fail note how much of it is left.
    fn run(needs: &[u64]) -> (usize, u64) {
        let mut total = 0;
        let result = race(needs.len(), &Budget::unlimited(), |number, budget, left| {
            let share = budget.work().unwrap_or(u64::MAX);
            total += share.min(needs[number]);
            *left = (needs[number].saturating_sub(share) >> 10) as u32;
            if needs[number] <= share { Ok(number) } else { Err(Exhausted::Work.into()) }
        });
        let (winner, value) = result.unwrap();
        assert_eq!(winner, value);
        (winner, total)
    }

    #[test]
    fn an_easy_task_goes_to_the_favourite_at_no_extra_cost() {
        assert_eq!(run(&[1000, 10, 10]), (0, 1000));
        assert_eq!(run(&[1 << 40]), (0, 1 << 40));
    }

    #[test]
    fn a_much_better_attempt_wins_at_a_small_multiple_of_its_work() {
        for (position, need) in [(1, 1 << 18), (3, 1 << 21), (2, 1 << 24), (4, 1 << 27)] {
            let mut needs = vec![1 << 34; 8];
            needs[position] = need;
            let (winner, total) = run(&needs);
            assert_eq!(winner, position);
            assert!(total < 8 * need + (1 << 21), "{total} for {need}");
        }
    }

    #[test]
    fn other_errors_end_the_race() {
        let stop = |_: usize, _: &Budget, _: &mut u32| Err::<(), _>(Exhausted::Time.into());
        assert_eq!(race(3, &Budget::unlimited(), stop), Err(Exhausted::Time.into()));
        assert_eq!(race(0, &Budget::unlimited(), stop), Err(Exhausted::Cancelled.into()));
    }
}
