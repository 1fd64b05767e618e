//! Where the files of a project are: in a folder, in an archive as Rodin exports it, or all in a package of ProB.
//!
//! Of a folder or an archive the machine is taken that no other refines; if there are several, one of them has to be
//! named. Files that Rodin has made of others (`.bcm`, `.bcc`, `.bpo`, `.bpr`, `.bps`) are left aside.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use super::super::error::{Error, Pos};
use super::project::Project;
use super::{package, rodin};
use crate::files;

/// Most bytes of a file.
const MOST: u64 = 1 << 28;
/// Most files in a folder that are looked at.
const FILES: usize = 10_000;

/// The folder of a project.
enum Source {
    /// On the disk.
    Folder(PathBuf),
    /// In an archive: its name, its bytes, and the folder in it, with a stroke behind.
    Archive(String, Vec<u8>, String),
}

fn refused(text: String) -> Error {
    Error::refused(Pos::default(), text)
}

/// Is a folder, by the files in it, one of Rodin?
pub fn is_project(path: &Path) -> bool {
    path.is_dir() && !machines(path).is_empty()
}

/// The names of the files with machines in a folder.
fn machines(folder: &Path) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let names = entries.take(FILES).filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let mut names: Vec<String> = names.filter(|name| name.ends_with(".bum")).collect();
    names.sort();
    names
}

impl Source {
    /// The text of a file, and its name for messages.
    fn find(&self, name: &str) -> Option<(String, String)> {
        match self {
            Source::Folder(folder) => {
                let path = folder.join(name);
                let mut bytes = Vec::new();
                files::open(&path).and_then(|input| input.take(MOST).read_to_end(&mut bytes)).ok()?;
                Some((path.display().to_string(), String::from_utf8_lossy(&bytes).into_owned()))
            }
            Source::Archive(shown, bytes, folder) => {
                let inside = format!("{folder}{name}");
                let found = files::file_in_zip(bytes, &inside, MOST).ok()??;
                Some((format!("{shown}/{inside}"), String::from_utf8_lossy(&found).into_owned()))
            }
        }
    }

    /// The machine that no other refines, of files with machines.
    fn main(&self, shown: &str, names: &[String]) -> Result<String, Error> {
        let texts: Vec<String> = names.iter().filter_map(|name| Some(self.find(name)?.1)).collect();
        let refined: Vec<_> = texts.iter().filter_map(|text| rodin::refined(text)).collect();
        let stems = names.iter().filter_map(|name| name.strip_suffix(".bum"));
        let last: Vec<&str> = stems.filter(|stem| refined.iter().all(|other| **other != **stem)).collect();
        match last.as_slice() {
            [one] => Ok((*one).to_owned()),
            [] if names.is_empty() => Err(refused(format!("{shown}: there is no machine of Event-B (.bum)"))),
            [] => Err(refused(format!("{shown}: each machine is refined by another"))),
            [first, ..] => Err(refused(format!(
                "{shown}: several machines are refined by none: {}; give the file of one of them, as {first}.bum",
                last.join(", ")
            ))),
        }
    }
}

/// The project at a path, and the name of its machine.
///
/// # Errors
/// When a file cannot be read, or there is not one machine.
pub(super) fn open(path: &Path) -> Result<(Project, String), Error> {
    let shown = files::shown(path);
    if path.is_dir() {
        let source = Source::Folder(path.to_owned());
        let name = source.main(&shown, &machines(path))?;
        let project = rodin::read(&name, &|file| source.find(file))?;
        return Ok((project, name));
    }
    let mut bytes = Vec::new();
    files::open(path)
        .and_then(|input| input.take(MOST).read_to_end(&mut bytes))
        .map_err(|error| refused(format!("{shown} cannot be read: {error}")))?;
    if files::is_zip(&bytes) {
        return archived(shown, bytes);
    }
    let text = String::from_utf8_lossy(&bytes).into_owned();
    if !text.trim_start_matches('\u{feff}').trim_start().starts_with('<') {
        return package::read(&shown, &text);
    }
    if files::is_stdin(path) {
        return Err(refused(format!("{shown}: a machine of Rodin stands beside others: give its file")));
    }
    if ["bcm", "bcc", "bpo", "bpr", "bps"].iter().any(|extension| files::has_extension(path, extension)) {
        return Err(refused(format!("{shown}: Rodin has made this file of another: give the machine's (.bum)")));
    }
    if files::has_extension(path, "buc") || text.contains("<org.eventb.core.contextFile") {
        return Err(refused(format!("{shown}: a context has no behaviour: give a machine (.bum) that sees it")));
    }
    let plain = files::plain_name(path);
    let name = plain.rsplit_once('.').map_or(plain.as_str(), |(stem, _)| stem).to_owned();
    let folder = path.parent().map_or_else(PathBuf::new, Path::to_owned);
    let source = Source::Folder(folder);
    let main = format!("{name}.bum");
    // The machine may have another extension, or be compressed.
    let find = |file: &str| if file == main { Some((shown.clone(), text.clone())) } else { source.find(file) };
    Ok((rodin::read(&name, &find)?, name.clone()))
}

/// The project in an archive: in the folder that has a machine that none refines.
fn archived(shown: String, bytes: Vec<u8>) -> Result<(Project, String), Error> {
    let all = files::names_in_zip(&bytes).map_err(|error| refused(format!("{shown}: {error}")))?;
    let machines: Vec<&String> = all.iter().filter(|name| name.ends_with(".bum")).collect();
    let split = |name: &str| name.rfind('/').map_or(0, |at| at + 1);
    let mut folders: Vec<&str> = machines.iter().map(|name| &name[..split(name)]).collect();
    folders.sort_unstable();
    folders.dedup();
    let folder = match folders.as_slice() {
        [] => String::new(),
        [one] => (*one).to_owned(),
        several => {
            let list = several.join(", ");
            return Err(refused(format!(
                "{shown}: there are several projects ({list}): unpack it and give one of them"
            )));
        }
    };
    let mut names: Vec<String> = machines.iter().map(|name| name[folder.len()..].to_owned()).collect();
    names.sort();
    let source = Source::Archive(shown.clone(), bytes, folder);
    let name = source.main(&shown, &names)?;
    let project = rodin::read(&name, &|file| source.find(file))?;
    Ok((project, name))
}
