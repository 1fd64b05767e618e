//! The problems of the RERS challenge: which systems there are, where their formulas are, and which of them hold.

use super::batch::BatchError;
use crate::budget::{Budget, Exhausted};
use crate::decide::{Fault, Listener, Question, Recorded, Recorder, Request, Settings, Subject, Value, decide};
use crate::formula::{Numbered, Pool, read_numbered};
use crate::kinds::Loaded;
use crate::symbolic::Route;
use std::fs;
use std::path::{Path, PathBuf};

/// The extensions of systems in a folder.
const SYSTEMS: [&str; 4] = ["dot", "gv", "pml", "promela"];
/// Suffixes of the names of property files after that of their system.
const SUFFIXES: [&str; 2] = ["-properties.txt", "-properties-with-solution.txt"];

/// A system and its formulas.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// The file of the system.
    pub system: PathBuf,
    /// The file of its formulas.
    pub properties: PathBuf,
}

impl Problem {
    /// The number in the name of the file; the whole name if there is none.
    pub fn number(&self) -> String {
        let stem = self.system.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
        let digits = stem.trim_start_matches(|c: char| !c.is_ascii_digit());
        if !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit()) { digits.to_owned() } else { stem }
    }
}

/// A formula of a problem, and what came of it.
#[derive(Clone, PartialEq, Debug)]
pub struct ProblemAnswer {
    /// Its number in the file.
    pub number: String,
    /// The answer in the file.
    pub expected: Option<bool>,
    /// The computed answer.
    pub value: Value,
    /// Errors of the program that were found out on the way to it.
    pub faults: Vec<Fault>,
}

impl ProblemAnswer {
    /// The verdict, if it is known.
    pub fn verdict(&self) -> Option<bool> {
        match self.value {
            Value::Verdict(verdict) => Some(verdict),
            _ => None,
        }
    }
}

impl Problem {
    /// Answer the formulas of the problem, whose system is this model; `listener` hears of progress.
    ///
    /// # Errors
    /// [`BatchError`] where the file of formulas cannot be read.
    pub fn answers(
        &self,
        loaded: &Loaded,
        settings: &Settings<'_>,
        budget: &Budget,
        listener: &dyn Listener,
    ) -> Result<Vec<ProblemAnswer>, BatchError> {
        let (model, name) = (&*loaded.model, self.properties.display().to_string());
        let text = fs::read_to_string(&self.properties);
        let text = text.map_err(|e| BatchError::new(format!("{name}: cannot be read: {e}")))?;
        let mut pool = Pool::new();
        let properties = read_numbered(&text, &name, &loaded.symbols, &mut pool);
        let properties = properties.map_err(|e| BatchError::new(e.to_string()))?;
        let mut asked: Vec<Request> = Vec::new();
        for property in &properties {
            let paths = model.default_paths(pool.logic(property.formula));
            asked.push(Question::formula(&mut pool, property.formula, paths, Route::Fixpoints).into());
        }
        let kept = Recorder::beside(asked.len(), listener);
        decide(Subject { model, groups: &loaded.groups, pool: &pool }, &asked, settings, budget, &kept);
        let of = |(property, heard): (Numbered, Recorded)| {
            let value = heard.answer.map_or(Value::Unknown(Exhausted::Cancelled.into()), |answer| answer.value);
            ProblemAnswer { number: property.number, expected: property.expected, value, faults: heard.faults }
        };
        Ok(properties.into_iter().zip(kept.into_recorded()).map(of).collect())
    }
}

/// The problems in files and folders, by name within a folder. `properties` is the file of the formulas, if it has
/// another name; of one system only.
///
/// # Errors
/// [`BatchError`] where there is none, or no file of formulas.
pub fn problems(paths: &[PathBuf], properties: Option<&Path>) -> Result<Vec<Problem>, BatchError> {
    let mut systems = Vec::new();
    for path in paths {
        if !path.is_dir() {
            systems.push((path.clone(), true));
            continue;
        }
        let error = |e: std::io::Error| BatchError::new(format!("cannot read {}: {e}", path.display()));
        let mut found = Vec::new();
        for entry in fs::read_dir(path).map_err(error)? {
            let file = entry.map_err(error)?.path();
            let extension = file.extension().and_then(|extension| extension.to_str());
            if extension.is_some_and(|extension| SYSTEMS.contains(&extension)) {
                found.push((file, false));
            }
        }
        // Of a system in both forms the one that comes first.
        found.sort();
        found.dedup_by_key(|(file, _)| file.with_extension(""));
        systems.extend(found);
    }
    if properties.is_some() && systems.len() != 1 {
        return Err(BatchError::new("--properties goes with one system; leave it out".to_owned()));
    }
    let mut problems = Vec::new();
    for (system, named) in systems {
        let beside = |suffix: &str| {
            let stem = system.file_stem()?.to_string_lossy().into_owned();
            Some(system.with_file_name(stem + suffix)).filter(|path| path.is_file())
        };
        match properties.map(Path::to_owned).or_else(|| SUFFIXES.into_iter().find_map(beside)) {
            Some(properties) => problems.push(Problem { system, properties }),
            None if named => {
                return Err(BatchError::new(format!(
                    "{}: there is no property file beside it; name one with --properties FILE",
                    system.display()
                )));
            }
            None => {}
        }
    }
    if problems.is_empty() {
        return Err(BatchError::new("no .dot or .pml file with a property file beside it in these folders".to_owned()));
    }
    Ok(problems)
}
