//! How many markings satisfy a formula, for a page: counted after the verdict, which need not have had the set.

use super::{Answer, Evaluation, Summary};
use crate::cli::formulas::{Question, Subject};
use starset::formula::PathSemantics;
use starset::mdd::Mdd;
use starset::symbolic::{Checker, Halt};
use std::time::Duration;

/// Time for the sat-set of one formula where no limit was given: a page need not wait for ever.
const MOST_TIME: Duration = Duration::from_secs(60);

impl Evaluation<'_> {
    /// Count the markings that satisfy a formula with a verdict, if a page is asked for. The set is computed unless
    /// it is `known`, and leaves to the `others` that are still to be checked their share of the time.
    pub(super) fn size(
        &self,
        question: &Question,
        known: Option<Mdd>,
        checkers: &mut [(PathSemantics, Checker<'_>)],
        others: usize,
        report: &mut Answer<'_>,
        summary: &mut Summary,
    ) {
        let (Ok(space), Some(verdict), None, Some(_)) =
            (&self.space, report.verdict, &report.satisfying, &summary.page)
        else {
            return;
        };
        let shares = u32::try_from(others).unwrap_or(u32::MAX).saturating_add(1);
        let time = self.budget.remaining().map_or(MOST_TIME, |left| left / shares);
        let budget = self.budget.clone().with_time(time);
        let (Subject::Formula { paths, .. } | Subject::Automaton { paths, .. }) = &question.subject else { return };
        let Some((_, checker)) = checkers.iter_mut().find(|(of, _)| of == paths) else { return };
        let set = match (&question.subject, known) {
            (_, Some(set)) => Ok(set),
            (Subject::Formula { formula, .. }, None) => checker.sat(self.pool, *formula, &budget),
            (Subject::Automaton { automaton, propositions, .. }, None) => {
                checker.sat_automaton(self.pool, automaton, propositions, &budget)
            }
            (Subject::Bound(_) | Subject::Loaded, None) => return,
        };
        let counted = set.and_then(|set| {
            let counts = (set.count(&budget)?, space.states(&budget)?);
            Ok::<_, Halt>((set.contains(space.relation.initial()), counts))
        });
        match counted {
            Ok((holds, (satisfying, reachable))) if holds == verdict => {
                (report.satisfying, report.reachable) = (Some(satisfying.to_string()), Some(reachable.to_string()));
            }
            Ok((holds, _)) => {
                (report.verdict, report.reason) = (None, Some("self-check"));
                report.message = Some(format!("the verdict is {verdict}, but that of the sat-set is {holds}"));
                report.witness = None;
                summary.broken = true;
            }
            Err(halt) => report.satisfying_message = Some(format!("not counted: {halt}")),
        }
    }
}
