//! `starset soundness --timers`: a process with the durations of its timers.

use super::super::output_file::OutputFile;
use super::super::processes::{Outcome, no_time, warn_in_time};
use super::super::{Console, Failure, Status};
use super::processes::Asked;
use starset::budget::Budget;
use starset::kinds::bpmn::layout::read_layout;
use starset::kinds::bpmn::read_bpmn;
use starset::processes::{NoAnswers, in_time};
use starset::report::processes::{timed_fields, timed_page, timed_text};
use std::io::Write as _;

pub(super) fn run(asked: &Asked<'_>, budget: &Budget, console: &mut Console) -> Result<Status, Failure> {
    let Asked { common, environment, fail_if_false, .. } = *asked;
    let [path] = common.model.paths() else {
        return Err(Failure::Input("give one process at a time with --timers".to_owned()));
    };
    if asked.page.is_some() && path.as_os_str() == "-" {
        return Err(Failure::Input("--report is about a process in a file".to_owned()));
    }
    let (process, file) = (read_bpmn(path, environment)?, path.display().to_string());
    let page = asked.page.map(OutputFile::create).transpose()?;
    let answers = match in_time(&process, budget) {
        Ok(answers) => answers,
        Err(NoAnswers::NoTime(error)) => return Err(no_time(&process, &error)),
        Err(NoAnswers::Broken(error)) => {
            console.error(format_args!("a run that was found does not replay: {error}"));
            return Ok(Status::SelfCheck);
        }
        Err(error @ NoAnswers::Explore(_)) => return Err(Failure::Unknown(format!("{file}: {error}"))),
        Err(error) => return Err(Failure::Input(format!("{file}: {error}"))),
    };
    warn_in_time(&process, &answers.free, false, console);
    if let Some(page) = page {
        let html = timed_page(&process, &read_layout(path)?, &answers);
        let html = html.map_err(|error| Failure::Input(error.to_string()))?;
        page.write(|out| out.write_all(html.as_bytes()))?;
    }
    let net = &process.net;
    common.tell(console, || timed_fields(&file, net, &answers), || timed_text(net, &answers))?;
    console.flush()?;
    let untold = answers.untold.as_ref().map(|_| None);
    let outcome: Outcome = [Some(answers.sound())].into_iter().chain(untold).collect();
    Ok(outcome.status(fail_if_false))
}
