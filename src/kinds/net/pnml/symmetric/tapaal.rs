//! Coloured nets of TAPAAL: the terms of symmetric nets, in a frame of its own.
//!
//! The type of a net says nothing (`P/T net` in all of its files), declarations stand beside the nets, before or after them, and
//! places and arcs have attributes for ages, which are refused where they bound something. So the file is read twice: for the
//! declarations, then for the net. Of several components there is no net here: they are refused, if they are active.

use super::{Located, PnmlProblem, Reader, declaration};
use crate::kinds::net::coloured::ColouredNet;
use crate::kinds::net::pnml::sections::feature;
use crate::xml::XmlCursor;

/// The coloured net in a file of TAPAAL.
pub(in crate::kinds::net::pnml) fn read(text: &str) -> Result<ColouredNet, Located> {
    let (mut declarations, mut nodes) = (Vec::new(), 0);
    let mut xml = XmlCursor::new(text.as_bytes());
    xml.next_child()?;
    while let Some(child) = xml.next_child()? {
        match child {
            "declaration" => declaration(&mut xml, &mut declarations, &mut nodes)?,
            "feature" => feature(&mut xml)?,
            _ => xml.skip()?,
        }
    }
    let mut xml = XmlCursor::new(text.as_bytes());
    xml.next_child()?;
    let mut net = None;
    while let Some(child) = xml.next_child()?.map(str::to_owned) {
        let location = xml.location();
        match child.as_str() {
            "net" if xml.attribute("active")?.is_some_and(|active| active.trim() == "false") => xml.skip()?,
            "net" => {
                let problem = PnmlProblem::Unsupported("several components of a coloured net");
                let mut reader = Reader::begin(&mut xml)?;
                reader.declarations = std::mem::take(&mut declarations);
                if net.replace(reader.net()?).is_some() {
                    return Err(Located::at(location, problem));
                }
            }
            "shared-place" | "shared-transition" => {
                let what = "places and transitions that components of a coloured net share";
                return Err(Located::at(location, PnmlProblem::Unsupported(what)));
            }
            _ => xml.skip()?,
        }
    }
    net.ok_or(Located::at(xml.location(), PnmlProblem::NoNet))
}
