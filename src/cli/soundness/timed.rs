//! `starset soundness --timers`: a process with the durations of its timers.

use super::super::processes::Outcome;
use super::super::{Console, Failure, Status};
use super::processes::Asked;
use starset::budget::Budget;
use starset::kinds::bpmn::{NoTime, read_bpmn};
use starset::processes::{NoAnswers, in_time};
use starset::report::processes::{timed_fields, timed_text};

pub(super) fn run(asked: &Asked<'_>, budget: &Budget, console: &mut Console) -> Result<Status, Failure> {
    let Asked { common, environment, fail_if_false, .. } = *asked;
    if asked.page.is_some() {
        return Err(Failure::Input("--report is about processes without --timers".to_owned()));
    }
    let [path] = common.model.paths() else {
        return Err(Failure::Input("give one process at a time with --timers".to_owned()));
    };
    let (process, file) = (read_bpmn(path, environment)?, path.display().to_string());
    let answers = match in_time(&process, budget) {
        Ok(answers) => answers,
        Err(NoAnswers::NoTime(NoTime::Diagram(problem))) => return Err(Failure::Input(format!("{file}:{problem}"))),
        Err(NoAnswers::Broken(error)) => {
            console.error(format_args!("a run that was found does not replay: {error}"));
            return Ok(Status::SelfCheck);
        }
        Err(error @ (NoAnswers::NoTime(_) | NoAnswers::Explore(_))) => {
            return Err(Failure::Unknown(format!("{file}: {error}")));
        }
        Err(error) => return Err(Failure::Input(format!("{file}: {error}"))),
    };
    // Those with a duration are not at any time.
    let is_told = |line: u64, message: &str| {
        let timers = process.diagram.nodes.iter().filter(|node| node.line == line && node.duration.is_some());
        let told = timers.filter(|node| message.starts_with(&format!("timer `{}` ", node.id)));
        told.count() == 0
    };
    let warnings = process.diagram.warnings.iter().filter(|warning| is_told(warning.line, &warning.message));
    warnings.for_each(|warning| console.error(format_args!("{file}:{warning}")));
    for &node in &answers.free {
        let node = &process.diagram.nodes[node];
        if node.duration.is_some() {
            console.error(format_args!("{file}:{}: timer `{}` may go off at any time", node.line, node.id));
        }
    }
    let net = &process.net;
    common.tell(console, || timed_fields(&file, net, &answers), || timed_text(net, &answers))?;
    console.flush()?;
    let untold = answers.untold.as_ref().map(|_| None);
    let outcome: Outcome = [Some(answers.sound())].into_iter().chain(untold).collect();
    Ok(outcome.status(fail_if_false))
}
