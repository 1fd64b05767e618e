//! Ages of tokens in coloured nets, which are refused.

use crate::kinds::net::pnml::error::Located;
use crate::xml::XmlCursor;
use std::io::BufRead;

/// The name of the refused part: time, of tokens with colours.
pub(super) const TIME: &str = "ages of tokens in coloured nets";

/// Time at a place, if an age is bounded there.
pub(super) fn time_of_place<R: BufRead>(xml: &XmlCursor<R>) -> Result<Option<&'static str>, Located> {
    let invariant = xml.attribute("invariant")?.unwrap_or_default();
    let invariant: String = invariant.chars().filter(|c| !c.is_whitespace()).collect();
    Ok((!matches!(invariant.as_str(), "" | "<inf")).then_some(TIME))
}

/// Time at an arc, if an age is bounded there.
pub(super) fn time_of_arc<R: BufRead>(xml: &XmlCursor<R>) -> Result<Option<&'static str>, Located> {
    let inscription = xml.attribute("inscription")?.unwrap_or_default();
    let interval = inscription.trim();
    Ok((interval.starts_with(['[', '(']) && interval != "[0,inf)").then_some(TIME))
}
