//! `starset soundness --timers`: a process with the durations of its timers.

use super::super::{Console, Failure, Status};
use super::processes::Asked;
use starset::budget::Budget;
use starset::kinds::bpmn::{NoTime, read_bpmn};
use starset::processes::{NoAnswers, in_time};
use starset::report::processes::{timed_fields, timed_text};

/// Bytes before what a line says.
const TITLE: usize = 25;

pub(super) fn run(asked: &Asked<'_>, budget: &Budget, console: &mut Console) -> Result<Status, Failure> {
    let Asked { environment, json, fail_if_false, .. } = *asked;
    if asked.page.is_some() {
        return Err(Failure::Input("--report is about processes without --timers".to_owned()));
    }
    let [path] = asked.paths else {
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
    if json {
        let seconds = console.started().elapsed().as_secs_f64();
        console.json(&timed_fields(&file, &process.net, &answers).with("seconds", seconds))?;
    } else {
        timed_text(&process.net, &answers).iter().try_for_each(|line| console.judged(TITLE, line))?;
    }
    console.flush()?;
    Ok(match (fail_if_false && !answers.sound(), &answers.untold) {
        (true, _) => Status::Refuted,
        (_, Some(_)) => Status::Unknown,
        _ => Status::Answered,
    })
}
