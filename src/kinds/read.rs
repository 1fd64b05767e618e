//! The door by which models come in.
//!
//! [`FORMATS`] has a line for each form of file; the reader is in the folder of its kind. [`read`] finds the line of the
//! files that it is given, and what comes after it is the same for each kind: a [`Loaded`] model, with the names that
//! formulas may use.

use super::clocks::model::ClockNet;
use super::net::coloured::UnfoldError;
use super::net::formats::Foreign;
use super::net::pnml::{self, PnmlError, Time};
use super::network::{self, NotANetwork};
use super::pins::{self, PinsError};
use super::text::text;
use super::{Kind, ModelQuestions, TextError, clocks, counters, net};
use crate::budget::{Budget, Exhausted};
use crate::files;
use crate::formula::{Naming, Symbols};
use crate::model::Groups;
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// A form of files with models.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// What a model in it is called.
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
pub const FORMATS: [Format; 11] = [
    Format { model: "network", extensions: &["dot", "gv"], composes: false, read: network::read::dot },
    Format { model: "network", extensions: &["pml", "promela"], composes: false, read: network::read::pml },
    Format { model: "network", extensions: &["aut"], composes: true, read: network::read::aut },
    Format { model: "counter machine", extensions: &["counters"], composes: false, read: counters::read::counters },
    Format { model: "net with clocks", extensions: &["pnwc"], composes: false, read: clocks::kind::pnwc },
    Format { model: "DVE model", extensions: &["dve"], composes: false, read: pins::read::dve },
    Format { model: "ETF model", extensions: &["etf"], composes: false, read: pins::read::etf },
    Format { model: "B machine", extensions: &["mch"], composes: false, read: pins::read::machine },
    Format { model: "machine of ProB", extensions: &["probz"], composes: false, read: pins::read::served },
    Format { model: "net", extensions: &["net", "ndr", "lola", "llnet", "PNPRO", "pnpro"], composes: false, read: net::formats::net },
    Format { model: "net", extensions: &["pnml", "tapn"], composes: false, read: any_net },
];

/// What a PNML file holds.
enum Content {
    /// A net without time.
    Plain(Box<Loaded>),
    /// A net with clocks, or with tokens that have ages: the text, the file, and which of them.
    Timed(String, String, Time),
}

/// PNML, in which a net may have clocks, or tokens ages: then it is of the kind that has them, and must not be read as if
/// it had none.
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
        None => head(path),
    };
    if let Some(what) = net::formats::other_format(&head) {
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
        return Err(ReadError::NoForm { file: name });
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

/// The first bytes of a file, as far as there are any.
fn head(path: &Path) -> Vec<u8> {
    let mut head = Vec::new();
    let read = files::open(path).and_then(|file| file.take(4096).read_to_end(&mut head));
    // What cannot be read has been reported before.
    read.map_or_else(|_| Vec::new(), |_| head)
}

/// A net, or a net with clocks.
fn any_net(paths: &[PathBuf], reading: &Reading, budget: &Budget) -> Result<Loaded, ReadError> {
    match content(paths.first().ok_or(ReadError::Nothing)?, reading, budget)? {
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
        _ => Err(other(format!("a {} has no clocks; give a net", format.model))),
    }
}

/// How files are read.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Reading {
    /// The form of the files, as an extension of it, whatever they are called; by their names otherwise.
    pub from: Option<&'static str>,
    /// Take a net as the network of transition systems that its units (NUPN) are.
    pub as_network: bool,
    /// What the label of a transition is, for formulas over actions and of the network that a net is taken as.
    pub labels: Naming,
    /// Of models behind a next-state function: hold their rows against what they do while they are explored.
    pub check_rows: bool,
    /// A program that explores B machines instead of starset.
    pub prober: Option<Prober>,
    /// What is asked of nets with clocks.
    pub clocks: ClockReading,
}

/// A program that explores machines for others, as ProB does for LTSmin.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Prober {
    /// The program.
    pub program: PathBuf,
    /// Where a folder for its socket can be made.
    pub folder: PathBuf,
}

/// What is asked of nets with clocks when they are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ClockReading {
    /// Refuse conditions that do not bound each of their clocks from above, as the definition of such nets demands.
    pub strict_paper: bool,
    /// Refuse strict comparisons, of which integer time may miss something.
    pub exact: bool,
    /// Let a unit of the net pass at a time even where comparisons are strict; otherwise units are made finer there.
    pub whole_units: bool,
}

/// A model that was read, with what belongs to it.
#[derive(Debug)]
pub struct Loaded {
    /// The model.
    pub model: Box<dyn Kind>,
    /// The names that formulas may use.
    pub symbols: Symbols,
    /// Which variables and actions belong together.
    pub groups: Groups,
    /// What the model is, if there is more to say than its name: a sentence.
    pub origin: &'static str,
    /// What was done to get it, for those who want to know.
    pub notes: Vec<String>,
    /// What stands in the file and was left out, for everybody to know.
    pub remarks: Vec<String>,
    /// What the model itself asks.
    pub questions: ModelQuestions,
}

impl Loaded {
    /// A model as it is: the names are those of its variables, values and actions, each of which stands for itself.
    pub fn new(model: impl Kind + 'static) -> Self {
        let (symbols, groups) = (Symbols::of(&model), Groups::single(&model));
        let questions = ModelQuestions::default();
        Loaded {
            model: Box::new(model),
            symbols,
            groups,
            origin: "",
            notes: Vec::new(),
            remarks: Vec::new(),
            questions,
        }
    }

    /// The network that a net is, by its units.
    fn into_network(self, labels: Naming) -> Result<Loaded, NoUnits> {
        match self.model.as_net() {
            Some(net) => {
                let network = network::of_net(net, labels)?;
                let origin = "The network that the units of a net are.";
                Ok(Loaded { origin, notes: self.notes, remarks: self.remarks, ..Loaded::new(network) })
            }
            None if self.model.as_network().is_some() => Ok(self),
            None => Err(NoUnits::Kind(self.model.terms().model)),
        }
    }
}

/// Why a model is not taken as a network.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NoUnits {
    /// It is a net, but not that of a network.
    #[error(transparent)]
    Net(#[from] NotANetwork),
    /// It is of another kind.
    #[error("a {0} has no units; only a net can be taken as a network")]
    Kind(&'static str),
}

/// Why files are not read as a model.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// A file cannot be read.
    #[error("{file}: cannot be read: {error}")]
    Open {
        /// The file.
        file: String,
        /// Why not.
        error: std::io::Error,
    },
    /// Several files, but not all of the form that is composed.
    #[error("{file}: one {model} at a time: several files are composed only if all are {} files", composed())]
    Several {
        /// The first that is of another form.
        file: String,
        /// What such a file holds.
        model: &'static str,
    },
    /// No file.
    #[error("name the file of a model")]
    Nothing,
    /// The limits were not enough to read it.
    #[error("{file}: {exhausted} while it was read")]
    Exhausted {
        /// The file.
        file: String,
        /// What was not enough.
        exhausted: Exhausted,
    },
    /// No net.
    #[error(transparent)]
    Pnml(#[from] PnmlError),
    /// A coloured net that is not unfolded.
    #[error(transparent)]
    Unfold(#[from] UnfoldError),
    /// No network or machine.
    #[error(transparent)]
    Text(#[from] TextError),
    /// A file of another tool.
    #[error("{file}: this is {}, and such files are not read as models; {}", .what.what, .what.way)]
    OtherFormat {
        /// Its name.
        file: String,
        /// What it is, and what to do.
        what: Foreign,
    },
    /// A text in a file whose name says nothing.
    #[error(
        "{file}: this is no XML, and its name does not say what it is: say it with --from ({})",
        known_extensions()
    )]
    NoForm {
        /// Its name.
        file: String,
    },
    /// No net with clocks.
    #[error(transparent)]
    Clocks(#[from] clocks::error::ReadError),
    /// No model behind a next-state function.
    #[error(transparent)]
    Pins(#[from] PinsError),
    /// A model that is not the net with clocks that it should be taken as.
    #[error("{file}: {error}")]
    NoClockNet {
        /// The file.
        file: String,
        /// Why not, and what to do.
        error: String,
    },
    /// A model that is not the network that it should be taken as.
    #[error("{file}: {error}")]
    NoUnits {
        /// The file.
        file: String,
        /// Why not.
        error: NoUnits,
    },
}

impl ReadError {
    /// The place that it is about: the file, and line and column from 1, as far as they are known.
    pub fn place(&self) -> (Option<String>, Option<usize>, Option<usize>) {
        match self {
            ReadError::Open { file, .. }
            | ReadError::Several { file, .. }
            | ReadError::Exhausted { file, .. }
            | ReadError::OtherFormat { file, .. }
            | ReadError::NoForm { file }
            | ReadError::NoClockNet { file, .. }
            | ReadError::NoUnits { file, .. } => (Some(file.clone()), None, None),
            ReadError::Pnml(error) => {
                let location = error.location;
                (
                    Some(error.source_name.clone()),
                    location.map(|at| at.line as usize),
                    location.map(|at| at.column as usize),
                )
            }
            ReadError::Text(error) => (Some(error.file.clone()), Some(error.line), None),
            ReadError::Clocks(error) => {
                let (line, column) = error.location.unzip();
                (Some(error.source.clone()), line.map(|line| line as usize), column.map(|column| column as usize))
            }
            ReadError::Pins(PinsError::Source(error)) => {
                (Some(error.file.clone()), Some(error.place.line as usize), Some(error.place.column as usize))
            }
            ReadError::Nothing | ReadError::Unfold(_) | ReadError::Pins(_) => (None, None, None),
        }
    }

    /// Is nothing wrong with the files, but the limits were not enough? Then all about the model is unknown.
    pub fn is_unknown(&self) -> bool {
        match self {
            ReadError::Unfold(error) => matches!(error, UnfoldError::Exhausted(_) | UnfoldError::TooLarge { .. }),
            ReadError::Pins(error) => error.is_unknown(),
            ReadError::Exhausted { .. } => true,
            _ => false,
        }
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

/// Read the model in a file, in a folder of the Model Checking Contest or an archive of one, or on standard input (`-`); several
/// files of the form that is composed are one model. Files may be compressed by gzip.
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
        return Err(ReadError::Several { file: other.display().to_string(), model: format(other).model });
    }
    let loaded = (format(first).read)(paths, reading, budget)?;
    let file = || first.display().to_string();
    match reading.as_network {
        true => loaded.into_network(reading.labels).map_err(|error| ReadError::NoUnits { file: file(), error }),
        false => Ok(loaded),
    }
}
