//! `starset soundness` of processes: one in lines, many in a table.

use super::super::output_file::OutputFile;
use super::super::processes::{Common, Outcome, print, warn};
use super::super::{Console, Failure, Status};
use rayon::prelude::*;
use starset::budget::Budget;
use starset::kinds::ReadError;
use starset::kinds::bpmn::layout::read_layout;
use starset::kinds::bpmn::{Environment, ReadProcess, read_bpmn};
use starset::processes::{Answers, Stopped, soundness};
use starset::report::processes::{Line, fields, heading, line, page as soundness_page, refused, text};
use starset::threads::pool;
use std::io::Write as _;
use std::path::Path;
use std::time::Instant;

/// Files for each thread at a time: as many answers wait for those before them.
const AT_A_TIME: usize = 16;

/// What is asked.
pub(super) struct Asked<'a> {
    pub(super) common: &'a Common,
    pub(super) environment: Environment,
    pub(super) fail_if_false: bool,
    /// The file of a page about one process.
    pub(super) page: Option<&'a Path>,
}

/// What is found in a file: the process and its answers, or why it is none; and how many seconds it took.
struct Found {
    read: Result<(ReadProcess, Answers), ReadError>,
    seconds: f64,
}

fn find(path: &Path, environment: Environment, budget: &Budget) -> Found {
    let begun = Instant::now();
    let read = read_bpmn(path, environment).map(|process| {
        let none = |_| Answers { stopped: Some(Stopped::Limits), ..Answers::default() };
        let answers = soundness(&process.net, budget).unwrap_or_else(none);
        (process, answers)
    });
    Found { read, seconds: begun.elapsed().as_secs_f64() }
}

pub(super) fn run(asked: &Asked<'_>, budget: &Budget, console: &mut Console) -> Result<Status, Failure> {
    let Asked { common, environment, fail_if_false, page } = *asked;
    let (paths, json) = (common.model.paths(), common.is_json());
    let many = paths.len() > 1;
    if page.is_some() && (many || paths.iter().any(|path| path.as_os_str() == "-")) {
        return Err(Failure::Input("--report is about one process, in a file".to_owned()));
    }
    let mut page = page.map(OutputFile::create).transpose()?;
    let width = paths.iter().map(|path| path.display().to_string().chars().count()).max().unwrap_or(0);
    if many && !json {
        console.line(heading(width))?;
    }
    let threads = common.limits.threads().min(paths.len());
    let pool = pool(threads);
    let (mut outcome, mut not_read, mut warned) = (Outcome::default(), false, 0);
    for paths in paths.chunks(threads.max(1) * AT_A_TIME) {
        let all = || paths.par_iter().map(|path| find(path, environment, budget)).collect::<Vec<_>>();
        let found = match &pool {
            Some(pool) => pool.install(all),
            None => paths.iter().map(|path| find(path, environment, budget)).collect(),
        };
        for (path, Found { read, seconds }) in paths.iter().zip(found) {
            let file = path.display().to_string();
            let (process, answers) = match read {
                Ok(found) => found,
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
            if let Some(page) = page.take() {
                let html = soundness_page(&process, &read_layout(path)?, &answers);
                let html = html.map_err(|error| Failure::Input(error.to_string()))?;
                page.write(|out| out.write_all(html.as_bytes()))?;
            }
            outcome.add(answers.sound());
            if json {
                let fields = fields(&file, &process.net, &process.diagram.warnings, &answers);
                console.json(&fields.with("seconds", seconds))?;
                continue;
            }
            warn(&process, many, console);
            warned += process.diagram.warnings.len();
            match many {
                true => console.line(line(width, &file, &Line::Answers(&process.net, &answers)))?,
                false => print(console, &text(&process.net, &answers))?,
            }
        }
    }
    console.flush()?;
    if many && warned > 0 && !json {
        console.note(format_args!("{warned} warnings about these files: --verbose shows them"));
    }
    if not_read {
        return Err(Failure::Input("some files are no process that is read: see above".to_owned()));
    }
    Ok(outcome.status(fail_if_false))
}
