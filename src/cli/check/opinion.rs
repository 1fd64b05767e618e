//! What the explicit engine says about a question: instead of the diagrams, or to compare.

use super::{Answer, EXPLICIT_TECHNIQUES, Evaluation, Summary, text};
use crate::cli::engine::{self, Engine, Found, Value};
use crate::cli::formulas::{Question, Subject};
use crate::cli::witness::Explained;
use crate::cli::{Console, Failure, outcome, reproducer};
use starset::explicit::Stopped;

impl Evaluation<'_> {
    /// What the explicit engine says, after the diagrams.
    pub(super) fn second_opinion(
        &self,
        number: usize,
        question: &Question,
        report: &mut Answer<'_>,
        explained: &mut Option<Explained>,
        summary: &mut Summary,
        console: &Console,
    ) -> Result<(), Failure> {
        // A formula without a value somewhere has none, even if a search does not come there.
        if matches!(report.reason, Some("self-check" | "undefined")) {
            self.searches.settle(number);
            return Ok(());
        }
        let failed = report.reason.is_some();
        match self.searches.engine {
            Engine::Symbolic => return Ok(()),
            Engine::Auto if !failed => {
                self.searches.settle(number);
                return Ok(());
            }
            Engine::Auto | Engine::Explicit | Engine::Both => {}
        }
        let found = match self.searches.wait(number) {
            Ok(found) => found,
            Err(stopped) if self.searches.engine == Engine::Explicit => {
                report.engine = "explicit";
                report.techniques = EXPLICIT_TECHNIQUES;
                report.reason = Some(engine::reason(&stopped));
                report.message = Some(match stopped {
                    Stopped::Budget(exhausted) => outcome::stopped(&exhausted.into(), &self.args.limits),
                    other => other.to_string(),
                });
                return Ok(());
            }
            Err(stopped) => {
                if !failed && self.searches.engine == Engine::Both {
                    console.note(format_args!("{}: not compared: explicit search: {stopped}", question.id));
                }
                return Ok(());
            }
        };
        if failed {
            self.explicit(question, found, report, explained, console);
            return Ok(());
        }
        let symbolic = match (report.verdict, &report.bound) {
            (Some(verdict), _) => verdict.to_string(),
            (None, bound) => bound.clone().unwrap_or_default(),
        };
        let explicit = text(found.value);
        if symbolic == explicit {
            report.engine = "both";
            return Ok(());
        }
        let note = reproducer::write(self.reproducers, self.searches.model(), &question.id, |model| {
            let (formula, paths) = (&question.text, report.paths.as_deref().unwrap_or("maximal"));
            let command =
                format!("starset check {model} --engine both --paths {paths} -f {}", reproducer::quoted(formula));
            format!(
                "formula: {formula}\npaths: {paths}\nsymbolic: {symbolic}\nexplicit: {explicit}\ncommand: {command}\n"
            )
        })?;
        report.verdict = None;
        report.bound = None;
        report.reason = Some("self-check");
        let message = format!("symbolic says {symbolic}, explicit says {explicit}: please report {}", note.display());
        report.message = Some(message);
        summary.broken = true;
        Ok(())
    }

    /// Report what the explicit engine found.
    pub(super) fn explicit(
        &self,
        question: &Question,
        found: Found,
        report: &mut Answer<'_>,
        explained: &mut Option<Explained>,
        console: &Console,
    ) {
        match found.value {
            Value::Verdict(verdict) => report.verdict = Some(verdict),
            Value::Bound(bound) => report.bound = Some(bound.to_string()),
        }
        (report.reason, report.message) = (None, None);
        (report.engine, report.techniques) = ("explicit", EXPLICIT_TECHNIQUES);
        report.explored = Some(found.stats.into());
        (report.order, report.peak_nodes, report.reachable) = (None, None, None);
        *explained = self.witnesses.as_ref().map(|witnesses| match (&question.subject, found.value) {
            (&Subject::Formula { linear, paths, .. }, Value::Verdict(holds)) => {
                witnesses.explain_search(linear, paths, holds, found.shown)
            }
            _ => Explained::Missing("no witness: it was decided by explicit search".to_owned()),
        });
        console.detail(format_args!("{}: by explicit search, {} states", question.id, found.stats.states));
    }
}
