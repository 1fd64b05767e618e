//! Common parts of files of place/transition and of coloured nets: sections of tools, the sort of the dot.

use super::error::{Located, PnmlProblem, Time};
use crate::xml::XmlCursor;
use std::io::BufRead;

/// Treatment of the sections that give a net clocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Clocks {
    /// They are an error: the net would be another one without them.
    Refused,
    /// Somebody else reads them, from the same file.
    ReadElsewhere,
}

/// The tools whose sections give a net clocks; files are written with the first.
pub(in crate::kinds) const CLOCK_TOOLS: [&str; 2] = ["starset", "pnwc"];

/// Step over a tool-specific section, unless it is one of clocks and nobody else reads it.
pub(super) fn skip_section<R: BufRead>(xml: &mut XmlCursor<R>, clocks: Clocks) -> Result<(), Located> {
    let tool = if clocks == Clocks::Refused { xml.attribute("tool")? } else { None };
    if tool.is_some_and(|tool| CLOCK_TOOLS.contains(&tool.trim())) {
        return Err(Located::at(xml.location(), PnmlProblem::Time { what: "clocks", time: Time::Clocks }));
    }
    Ok(xml.skip()?)
}

/// The features of a net in TAPAAL's file.
pub(super) fn feature<R: BufRead>(xml: &mut XmlCursor<R>) -> Result<(), Located> {
    for (feature, what) in [("isGame", GAMES), ("isStochastic", "stochastic nets")] {
        if xml.attribute(feature)?.is_some_and(|value| value.trim() == "true") {
            return Err(Located::at(xml.location(), PnmlProblem::Unsupported(what)));
        }
    }
    Ok(xml.skip()?)
}

/// The name of nets in which an opponent fires some transitions.
pub(super) const GAMES: &str = "games";

/// Is this sort, by its identifier, that of tokens without colours?
pub(in crate::kinds) fn is_dot(sort: &str) -> bool {
    sort.trim().eq_ignore_ascii_case("dot")
}
