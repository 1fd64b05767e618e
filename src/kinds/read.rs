//! The door by which models come in.
//!
//! [`FORMATS`] has a line for each form of file; the reader is in the folder of its kind. [`read`] finds the line of
//! the files that it is given, and what comes after it is the same for each kind: a [`Loaded`] model, with the names
//! that formulas may use.

use super::beginning::{is_event_b, is_process, other_format};
use super::bpmn::Environment;
use super::clocks::model::ClockNet;
use super::net::pnml::{self, Time};
use super::pins::logical::Update;
use super::reading::text;
use super::{Loaded, ReadError, Reading, bpmn, clocks, counters, net, network, pins};
use crate::budget::Budget;
use crate::files;
use crate::model::indefinite;
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// A form of files with models.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// The term for a model in it.
    pub model: &'static str,
    /// Its files have these extensions; the last format takes all that no other does.
    pub extensions: &'static [&'static str],
    /// Do several files make one model?
    pub composes: bool,
    /// Reads files of this form: one, unless they are composed.
    read: fn(&[PathBuf], &Reading, &Budget) -> Result<Loaded, ReadError>,
}

/// The forms that are read.
#[rustfmt::skip]
pub const FORMATS: [Format; 20] = [
    Format { model: "network", extensions: &["dot", "gv"], composes: false, read: network::read::dot },
    Format { model: "network", extensions: &["pml", "promela"], composes: false, read: network::read::pml },
    Format { model: "network", extensions: &["aut"], composes: true, read: network::read::aut },
    Format { model: "counter machine", extensions: &["counters"], composes: false, read: counters::read::counters },
    Format { model: "process", extensions: &["bpmn"], composes: false, read: bpmn::bpmn },
    Format { model: "net with clocks", extensions: &["pnwc"], composes: false, read: clocks::kind::pnwc },
    Format { model: "DVE model", extensions: &["dve"], composes: false, read: pins::read::dve },
    Format { model: "ETF model", extensions: &["etf"], composes: false, read: pins::read::etf },
    Format { model: "SMV program", extensions: &["smv"], composes: false, read: pins::read::smv },
    Format { model: LOGICAL, extensions: &["bnet"], composes: false, read: pins::read::bnet },
    Format { model: LOGICAL, extensions: &["booleannet"], composes: false, read: pins::read::booleannet },
    Format { model: LOGICAL, extensions: &["aeon"], composes: false, read: pins::read::aeon },
    Format { model: LOGICAL, extensions: &["sbml"], composes: false, read: pins::read::sbml },
    Format { model: LOGICAL, extensions: &["zginml", "ginml"], composes: false, read: pins::read::ginml },
    Format { model: "circuit", extensions: &["aag", "aig"], composes: false, read: pins::read::aiger },
    Format { model: "B machine", extensions: &["mch"], composes: false, read: pins::read::machine },
    Format { model: "Event-B machine", extensions: &["bum", "eventb", "buc", "zip"], composes: false, read: pins::read::event_b },
    Format { model: "machine of ProB", extensions: &["probz"], composes: false, read: pins::read::served },
    Format { model: "net", extensions: &["net", "ndr", "lola", "llnet", "PNPRO", "pnpro"], composes: false, read: net::formats::net },
    Format { model: "net", extensions: &["pnml", "tapn"], composes: false, read: any_net },
];

/// The term for logical networks.
const LOGICAL: &str = "logical network";

/// The content of a PNML file.
enum Content {
    /// A net without time.
    Plain(Box<Loaded>),
    /// A net with clocks, or with tokens that have ages: the text, the file, and which of them.
    Timed(String, String, Time),
}

/// PNML, in which a net may have clocks, or tokens ages: then it is of the kind that has them, and must not be read as
/// if it had none.
fn content(path: &Path, reading: &Reading, budget: &Budget) -> Result<Content, ReadError> {
    // What comes through a pipe is read once: so it is kept.
    let piped = if files::is_stdin(path) { Some(net::read::piped()?) } else { None };
    let name = files::shown(path);
    let read = match &piped {
        Some(bytes) => net::read::pnml_in(bytes, &name, reading, budget),
        None => net::read::pnml(path, reading, budget),
    };
    let again = || match &piped {
        Some(bytes) => Ok((String::from_utf8_lossy(bytes).into_owned(), name.clone())),
        None => text_of_net(path),
    };
    let error = match read {
        // A file of TAPAAL may have queries, whatever its net is.
        Ok(loaded) => {
            let has_queries = piped.is_some() || files::has_extension(path, "tapn");
            let text = if has_queries { Some(again()?) } else { None };
            let loaded = match &text {
                Some((text, file)) => clocks::kind::with_queries(loaded, text, file),
                None => loaded,
            };
            return Ok(Content::Plain(Box::new(loaded)));
        }
        Err(ReadError::Pnml(error)) => error,
        Err(error) => return Err(error),
    };
    if let Some(time) = error.time() {
        let (text, file) = again()?;
        if matches!(time, Time::Ages)
            && let Some(net) = clocks::kind::untimed(&text, &file)?
        {
            let loaded = net::read::loaded(pnml::Net::Flat(net), reading, budget)?;
            return Ok(Content::Plain(Box::new(clocks::kind::with_queries(loaded, &text, &file))));
        }
        return Ok(Content::Timed(text, file, time));
    }
    let head = match &piped {
        Some(bytes) => bytes.clone(),
        None => files::head(path),
    };
    if is_process(&head) {
        let process = match &piped {
            Some(bytes) => bpmn::read_bpmn_in(&bytes[..], "stdin", &name, reading.processes)?,
            None => bpmn::read_bpmn(path, reading.processes)?,
        };
        return Ok(Content::Plain(Box::new(bpmn::loaded(process, reading)?)));
    }
    if piped.is_none() && !files::is_archive(path) && is_event_b(&head) {
        return Ok(Content::Plain(Box::new(pins::read::event_b(&[path.to_path_buf()], reading, budget)?)));
    }
    if let Some(what) = other_format(&head) {
        return Err(ReadError::OtherFormat { file: name, what });
    }
    if net::formats::is_gspn(&head) {
        let (text, file) = again()?;
        return Ok(Content::Plain(Box::new(net::formats::loaded(&text, file, reading, budget)?)));
    }
    if error.is_coloured() && pnml::is_of_tapaal(&head) {
        let (text, file) = again()?;
        let net = pnml::read_coloured_of_tapaal(&text, &file)?;
        let loaded = net::read::loaded(pnml::Net::Coloured(net), reading, budget)?;
        return Ok(Content::Plain(Box::new(clocks::kind::with_queries(loaded, &text, &file))));
    }
    let is_named = reading.from.is_some() || ["pnml", "tapn", "xml"].iter().any(|end| files::has_extension(path, end));
    let begin = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&head).trim_ascii_start();
    if !is_named && begin.first().is_some_and(|byte| byte.is_ascii_graphic() && *byte != b'<') {
        return Err(ReadError::NoForm { file: name, known: known_extensions() });
    }
    Err(error.into())
}

/// The text of a net that has been looked at before, and the name of its file: it may lie in a folder or an archive.
fn text_of_net(path: &Path) -> Result<(String, String), ReadError> {
    if path.is_dir() {
        return text(&path.join(pnml::MODEL));
    }
    if !files::is_archive(path) {
        return text(path);
    }
    let (file, mut text) = (path.join(pnml::MODEL).display().to_string(), String::new());
    match files::open_in(path, pnml::MODEL).and_then(|mut input| input.read_to_string(&mut text)) {
        Ok(_) => Ok((text, file)),
        Err(error) => Err(ReadError::Open { file, error }),
    }
}

/// A net, or a net with clocks; a project of Rodin, by its folder.
fn any_net(paths: &[PathBuf], reading: &Reading, budget: &Budget) -> Result<Loaded, ReadError> {
    let path = paths.first().ok_or(ReadError::Nothing)?;
    if pins::b::is_project(path) {
        return pins::read::event_b(paths, reading, budget);
    }
    match content(path, reading, budget)? {
        Content::Plain(loaded) => Ok(*loaded),
        Content::Timed(text, file, time) => clocks::kind::in_pnml(&text, &file, time, reading, budget),
    }
}

/// A net with clocks as it is, in dense time. A net without time is one without clocks; its places and transitions have
/// their display names, if no two are called alike.
///
/// # Errors
/// [`ReadError`].
pub fn read_clock_net(path: &Path, reading: &Reading, budget: &Budget) -> Result<ClockNet, ReadError> {
    let format = format_of(path, reading.from);
    let other = |error: String| ReadError::NoClockNet { file: path.display().to_string(), error };
    let plain = |loaded: Loaded| match loaded.model.as_net() {
        Some(net) => ClockNet::of_named_net(net).map_err(|error| other(error.to_string())),
        None => Err(other(format!("a {} has no clocks; give a net", loaded.model.terms().model))),
    };
    match format.extensions {
        ["pnwc"] => clocks::kind::net_in_lines(path, reading),
        ["net", ..] => plain((format.read)(&[path.to_path_buf()], reading, budget)?),
        ["pnml", ..] => match content(path, reading, budget)? {
            Content::Plain(loaded) => plain(*loaded),
            Content::Timed(text, file, time) => clocks::kind::net_in_pnml(&text, &file, time, reading, budget),
        },
        _ => Err(other(format!("{} has no clocks; give a net", indefinite(format.model)))),
    }
}

/// The extensions of all forms, each of one spelling.
fn known_extensions() -> String {
    let all = FORMATS.iter().flat_map(|format| format.extensions).copied();
    all.filter(|extension| extension.chars().all(char::is_lowercase)).collect::<Vec<_>>().join(", ")
}

/// The extensions of files that are composed.
fn composed() -> String {
    let formats = FORMATS.iter().filter(|format| format.composes);
    let extensions = formats.flat_map(|format| format.extensions).map(|extension| format!(".{extension}"));
    extensions.collect::<Vec<_>>().join(" or ")
}

/// The form of a file: the one that is said, or by its name.
fn format_of(path: &Path, from: Option<&str>) -> &'static Format {
    let known = |format: &&Format| match from {
        Some(from) => format.extensions.contains(&from),
        None => format.extensions.iter().any(|extension| files::has_extension(path, extension)),
    };
    FORMATS.iter().find(known).unwrap_or(&FORMATS[FORMATS.len() - 1])
}

/// What the reading says of a model, and its kind does not have.
fn foreign(first: &Path, format: &Format, reading: &Reading) -> Option<&'static str> {
    let is_logical = format.model == LOGICAL;
    let is_process = || format.model == "process" || files::is_stdin(first) || bpmn::is_bpmn(first);
    match reading {
        _ if !is_logical && !reading.fixed.is_empty() => Some("variables to be fixed; logical networks have"),
        _ if !is_logical && reading.update != Update::default() => Some("updates; logical networks have"),
        _ if reading.processes != Environment::default() && !is_process() => {
            Some("messages from outside; processes have")
        }
        _ => None,
    }
}

/// Read the model in a file, in a folder of the Model Checking Contest or an archive of one, or on standard input
/// (`-`); several files of the form that is composed are one model. Files may be compressed by gzip.
///
/// ```
/// use starset::budget::Budget;
/// use starset::kinds::{Reading, in_words, read};
/// let paths = ["models/sender.aut".into(), "models/receiver.aut".into()];
/// let loaded = read(&paths, &Reading::default(), &Budget::unlimited())?;
/// assert_eq!(in_words(&loaded.model.sizes()[..2]), "2 components, 5 local states");
/// # Ok::<(), starset::kinds::ReadError>(())
/// ```
///
/// # Errors
/// [`ReadError`].
pub fn read(paths: &[PathBuf], reading: &Reading, budget: &Budget) -> Result<Loaded, ReadError> {
    let Some(first) = paths.first() else { return Err(ReadError::Nothing) };
    let format = |path: &Path| format_of(path, reading.from);
    if let (2.., Some(other)) = (paths.len(), paths.iter().find(|path| !format(path).composes)) {
        let (file, model) = (other.display().to_string(), format(other).model);
        return Err(ReadError::Several { file, model, composed: composed() });
    }
    if let Some(what) = foreign(first, format(first), reading) {
        return Err(ReadError::Foreign { file: first.display().to_string(), model: format(first).model, what });
    }
    let loaded = (format(first).read)(paths, reading, budget)?;
    let file = || first.display().to_string();
    match reading.as_network {
        true => loaded.into_network(reading.labels).map_err(|error| ReadError::NoUnits { file: file(), error }),
        false => Ok(loaded),
    }
}
