//! Petri nets as files: PNML (ISO/IEC 15909-2, the 2009 grammar) in and out.
//!
//! **Problem.** Nets come from many tools, and tools take liberties: net types spelled in a dozen ways,
//! elements outside any page, inhibitor and read arcs marked in ways the standard does not have. A reader
//! that ignores what it does not know reads *another net* and then answers correctly about that one.
//!
//! **What is read.** Place/transition nets with any number of pages, nested or none; reference places and
//! reference transitions; names; weights and initial markings up to 2^64−1; inhibitor and read arcs in the
//! notations of the tools that have them (`ArcKind`); the unit structure of nested-unit nets
//! (`<toolspecific tool="nupn">`). Other tool-specific sections and graphics are skipped.
//!
//! **What is refused.** Everything else that could change how the net behaves, each with one message that
//! names file, line, column and remedy: labels of unknown meaning, capacities, priorities, time, reset and
//! transport arcs, dangling arcs, duplicate identifiers. Sections with clocks, and the ages of
//! TAPAAL, are told apart from the rest (`Time`): there is a kind of model that has them ([`crate::kinds::read()`]).
//!
//! *Coloured nets* are recognised by the type of the net and read into a [`ColouredNet`], to be unfolded
//! ([`crate::kinds::net::coloured`]), by [`read_net`] and [`read_net_path`]; [`read`] and [`read_path`] refuse them.
//! docs/coloured.md lists what is understood.
//!
//! The reader is one pass over the file ([`crate::xml`]); it holds the net and one element, never the document.

mod arc;
mod document;
mod error;
mod identifiers;
mod nupn;
mod place_transition;
mod sections;
mod snakes;
mod symmetric;
mod tokens;
mod woped;
mod write;

pub use document::Net;
pub use error::PnmlError;
pub(crate) use error::PnmlProblem;
pub(in crate::kinds) use error::Time;
pub(in crate::kinds) use sections::{CLOCK_TOOLS, is_dot};
pub use write::write;

use crate::budget::Budget;
use crate::files::{self, Watched};
use crate::kinds::net::coloured::ColouredNet;
use crate::net::PetriNet;
use crate::xml::Limits;
use sections::Clocks;
use std::io::{self, BufRead, ErrorKind};
use std::path::Path;

/// The net in the folder of an instance of the contest.
pub(in crate::kinds) const MODEL: &str = "model.pnml";
/// Bytes of a PNML file above which it is refused: 1 GiB.
pub(crate) const MAX_FILE_BYTES: u64 = 1 << 30;

/// Read a place/transition net. `source_name` (a path, or `<stdin>`) is what messages call the input.
///
/// ```
/// let text = r#"<pnml><net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="g">
///   <place id="p"><initialMarking><text>2</text></initialMarking></place>
///   <transition id="t"/> <arc id="a" source="p" target="t"/>
/// </page></net></pnml>"#;
/// let net = starset::kinds::net::pnml::read(text.as_bytes(), "example.pnml")?;
/// assert_eq!(net.place_count(), 1);
///
/// let dangling = text.replace("source=\"p\"", "source=\"q\"");
/// let error = starset::kinds::net::pnml::read(dangling.as_bytes(), "example.pnml").unwrap_err();
/// assert!(error.to_string().starts_with("example.pnml:3:24: arc `a` refers to `q`, which is neither"));
/// # Ok::<(), starset::kinds::net::pnml::PnmlError>(())
/// ```
pub fn read(reader: impl BufRead, source_name: &str) -> Result<PetriNet, PnmlError> {
    read_within(reader, source_name, Limits { total_bytes: MAX_FILE_BYTES, ..Limits::default() })
}

/// As [`read`], with limits of the caller's choice.
pub(crate) fn read_within(reader: impl BufRead, source_name: &str, limits: Limits) -> Result<PetriNet, PnmlError> {
    let net = document::read(reader, limits, Clocks::Refused).map_err(|e| e.named(source_name))?;
    net.flat(source_name)
}

/// As [`read`], for a net whose sections with clocks are read by somebody else.
pub(in crate::kinds) fn read_without_clocks(text: &str, source_name: &str) -> Result<PetriNet, PnmlError> {
    let limits = Limits { total_bytes: MAX_FILE_BYTES, ..Limits::default() };
    let net = document::read(text.as_bytes(), limits, Clocks::ReadElsewhere);
    net.map_err(|e| e.named(source_name))?.flat(source_name)
}

/// Is what begins like this a file of TAPAAL?
pub(in crate::kinds) fn is_of_tapaal(begin: &[u8]) -> bool {
    String::from_utf8_lossy(begin).contains("informatik.hu-berlin.de/top/pnml/ptNetb")
}

/// The coloured net in a file of TAPAAL.
pub(in crate::kinds) fn read_coloured_of_tapaal(text: &str, source_name: &str) -> Result<ColouredNet, PnmlError> {
    symmetric::read_tapaal(text).map_err(|error| error.named(source_name))
}

/// Read a net of either kind.
pub fn read_net(reader: impl BufRead, source_name: &str) -> Result<Net, PnmlError> {
    let limits = Limits { total_bytes: MAX_FILE_BYTES, ..Limits::default() };
    document::read(reader, limits, Clocks::Refused).map_err(|e| e.named(source_name))
}

/// Read a place/transition net from a `.pnml` file, or from a folder of the Model Checking Contest with a
/// `model.pnml` in it, or an archive of one (`.tgz`).
pub fn read_path(path: &Path) -> Result<PetriNet, PnmlError> {
    read_net_path(path)?.flat(&path.display().to_string())
}

/// As [`read_path`], for a net of either kind.
pub fn read_net_path(path: &Path) -> Result<Net, PnmlError> {
    read_net_path_within(path, &Budget::unlimited())
}

/// The same while the budget lasts: when it does not, the error is of no interest.
pub(in crate::kinds) fn read_net_path_within(path: &Path, budget: &Budget) -> Result<Net, PnmlError> {
    if files::is_archive(path) {
        let absent = |e: io::Error| PnmlError::about(path, PnmlProblem::Open(files::why(&e)));
        let name = path.join(MODEL).display().to_string();
        return read_net(Watched::new(files::open_in(path, MODEL).map_err(absent)?, budget), &name);
    }
    if !path.is_dir() {
        return read_file(path, budget);
    }
    let model = path.join(MODEL);
    if !model.is_file() {
        return Err(PnmlError::about(path, PnmlProblem::NoModel));
    }
    read_file(&model, budget)
}

fn read_file(path: &Path, budget: &Budget) -> Result<Net, PnmlError> {
    let open = |e: io::Error| {
        let mut longer = path.as_os_str().to_owned();
        longer.push(".pnml");
        let longer = Path::new(&longer);
        PnmlError::about(
            path,
            match e.kind() {
                ErrorKind::NotFound if longer.is_file() => PnmlProblem::NoExtension(longer.display().to_string()),
                _ => PnmlProblem::Open(files::why(&e)),
            },
        )
    };
    read_net(Watched::new(files::open(path).map_err(open)?, budget), &path.display().to_string())
}

#[cfg(test)]
mod tests;
