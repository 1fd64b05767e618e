//! The root of a PNML file, in which there is a net of either kind.

use super::error::{Located, PnmlError, PnmlProblem, Time};
use super::sections::{Clocks, feature, skip_section};
use super::{place_transition, symmetric};
use crate::kinds::net::coloured::ColouredNet;
use crate::net::PetriNet;
use crate::xml::{Limits, XmlCursor, excerpt};
use std::io::BufRead;
use std::path::Path;

/// A net of either kind.
#[derive(Clone, Debug)]
pub enum Net {
    /// A place/transition net.
    Flat(PetriNet),
    /// A coloured net.
    Coloured(ColouredNet),
}

impl Net {
    pub(super) fn flat(self, source_name: &str) -> Result<PetriNet, PnmlError> {
        match self {
            Net::Flat(net) => Ok(net),
            Net::Coloured(_) => Err(PnmlError::about(Path::new(source_name), PnmlProblem::Coloured)),
        }
    }
}

/// Read the net of a PNML file.
pub(super) fn read(input: impl BufRead, limits: Limits, clocks: Clocks) -> Result<Net, Located> {
    let mut xml = XmlCursor::with_limits(input, limits);
    let root = xml.next_child()?.unwrap_or_default().to_owned();
    match root.as_str() {
        "pnml" => {}
        "property-set" => return Err(Located::at(xml.location(), PnmlProblem::PropertyFile)),
        _ => return Err(Located::at(xml.location(), PnmlProblem::NotPnml(excerpt(&root)))),
    }
    let mut net = None;
    while let Some(child) = xml.next_child()? {
        match child {
            "net" if net.is_some() => {
                let problem = match xml.attribute("active")? {
                    Some(_) => PnmlProblem::Time { what: "components", time: Time::Ages },
                    None => PnmlProblem::SecondNet,
                };
                return Err(Located::at(xml.location(), problem));
            }
            "net" => {
                let net_type = xml.attribute("type")?;
                net = Some(match net_type {
                    Some(name) if is_coloured(&name) => Net::Coloured(symmetric::Reader::begin(&mut xml)?.net()?),
                    _ => Net::Flat(place_transition::Reader::begin(&mut xml, clocks)?.net()?),
                });
            }
            "toolspecific" => skip_section(&mut xml, clocks)?,
            "feature" => feature(&mut xml)?,
            // What TAPAAL keeps beside the net: constants, queries and editor state; and sorts, `dot` in all of its
            // nets: whether a net is coloured, its places say.
            "name" | "constant" | "queries" | "query" | "k-bound" | "declaration" => xml.skip()?,
            "shared-place" | "shared-transition" => {
                let (what, time) = ("places and transitions that components share", Time::Ages);
                return Err(Located::at(xml.location(), PnmlProblem::Time { what, time }));
            }
            child => {
                let problem = PnmlProblem::UnknownElement { child: excerpt(child), parent: root };
                return Err(Located::at(xml.location(), problem));
            }
        }
    }
    let end = xml.location();
    // Nothing may follow the root element; the cursor checks that on the way to the end of the file.
    while xml.next_child()?.is_some() {}
    net.ok_or(Located::at(end, PnmlProblem::NoNet))
}

/// Does this net type promise a coloured net?
fn is_coloured(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    ["symmetricnet", "highlevel", "hlpn", "hlcore", "coloured", "colored"].iter().any(|w| lower.contains(w))
}
