//! The kinds of arcs, and how tools mark them.
//!
//! The standard has only one kind. Extensions in use, all of which are read (upper and lower case alike):
//!
//! * `<type value="inhibitor"/>` inside the arc (PIPE, GreatSPN, TINA), or `<type><text>…</text></type>`;
//! * `<arctype><text>inhibitor</text></arctype>` inside the arc (the special-arcs extension of PNML by van der
//!   Werf and Hillah, 2009: `normal`, `inhibitor`, `read`, `reset`);
//! * an attribute `type="inhibitor"` of the arc, or an element `<inhibitorArc>` in its place (TAPAAL).

use super::error::PnmlProblem;
use crate::xml::excerpt;

/// The sort of an arc.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum ArcKind {
    /// Moves tokens.
    Normal,
    /// Needs fewer tokens than its weight, moves none.
    Inhibitor,
    /// Needs as many tokens as its weight, moves none.
    Read,
}

impl ArcKind {
    /// The kind that tools mean by `name`.
    pub(super) fn parse(name: &str) -> Result<ArcKind, PnmlProblem> {
        match name.to_ascii_lowercase().as_str() {
            "normal" | "regular" | "default" | "timed" => Ok(ArcKind::Normal),
            "inhibitor" | "inhibit" | "tapninhibitor" => Ok(ArcKind::Inhibitor),
            "read" | "test" => Ok(ArcKind::Read),
            "reset" => Err(PnmlProblem::Unsupported("reset arcs")),
            "transport" => Err(PnmlProblem::Unsupported("transport arcs")),
            "stopwatch" | "stopwatch-inhibitor" => Err(PnmlProblem::Unsupported("stopwatch arcs")),
            _ => Err(PnmlProblem::ArcType(excerpt(name))),
        }
    }

    /// Name in messages and files.
    pub(super) fn name(self) -> &'static str {
        match self {
            ArcKind::Normal => "normal",
            ArcKind::Inhibitor => "inhibitor",
            ArcKind::Read => "read",
        }
    }
}
