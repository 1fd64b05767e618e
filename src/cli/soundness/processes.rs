//! `starset soundness` of processes: one in lines, many in a table.

use super::super::interrupt::Reading;
use super::super::{Console, Failure, Status};
use starset::budget::Budget;
use starset::kinds::bpmn::process_net::ProcessNet;
use starset::kinds::bpmn::{Environment, read_bpmn};
use starset::processes::{Answers, soundness};
use starset::report::processes::{Line, fields, heading, line, refused, text};
use std::path::PathBuf;
use std::time::Instant;

/// Bytes before what a line says.
const TITLE: usize = 25;

/// What is asked.
pub(super) struct Asked<'a> {
    pub(super) paths: &'a [PathBuf],
    pub(super) environment: Environment,
    pub(super) json: bool,
    pub(super) fail_if_false: bool,
}

pub(super) fn run(asked: &Asked<'_>, budget: &Budget, console: &mut Console) -> Result<Status, Failure> {
    let Asked { paths, environment, json, fail_if_false } = *asked;
    let many = paths.len() > 1;
    let width = paths.iter().map(|path| path.display().to_string().chars().count()).max().unwrap_or(0);
    if many && !json {
        console.line(heading(width))?;
    }
    let (mut unknown, mut unsound, mut not_read) = (false, false, false);
    for path in paths {
        let (file, begun) = (path.display().to_string(), Instant::now());
        let reading = Reading::begin(budget);
        let read = read_bpmn(path, environment);
        drop(reading);
        let process = match read {
            Ok(process) => process,
            Err(error) if !many => return Err(error.into()),
            Err(error) => {
                not_read = true;
                let message = error.to_string();
                match json {
                    true => console.json(&refused(&file, &message))?,
                    false => console.line(line(width, &file, &Line::Refused(&message)))?,
                }
                continue;
            }
        };
        let answers = soundness(&process.net, budget).unwrap_or_default();
        let sound = answers.sound();
        unknown |= sound.is_none();
        unsound |= sound == Some(false);
        if json {
            let fields = fields(&file, &process.net, &process.diagram.warnings, &answers);
            console.json(&fields.with("seconds", begun.elapsed().as_secs_f64()))?;
            continue;
        }
        for warning in &process.diagram.warnings {
            console.detail(format_args!("{file}:{warning}"));
        }
        match many {
            true => console.line(line(width, &file, &Line::Answers(&process.net, &answers)))?,
            false => lines(&process.net, &answers, console)?,
        }
    }
    console.flush()?;
    if not_read {
        return Err(Failure::Input("some files are no process that is read: see above".to_owned()));
    }
    Ok(match (unsound && fail_if_false, unknown) {
        (true, _) => Status::Refuted,
        (_, true) => Status::Unknown,
        _ => Status::Answered,
    })
}

fn lines(net: &ProcessNet, answers: &Answers, console: &mut Console) -> Result<(), Failure> {
    text(net, answers).iter().try_for_each(|line| console.judged(TITLE, line))?;
    Ok(())
}
