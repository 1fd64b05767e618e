//! Soundness of workflow nets as text, as JSON and as a page.

mod json;
mod page;
mod text;

pub use json::fields;
pub use page::page;
pub use text::text;

use crate::kinds::clocks::model::ClockNet;
use crate::kinds::clocks::scaled::Scaled;
use crate::kinds::clocks::soundness::{Demand, Soundness};

/// The names of the demands, in text and in JSON.
pub(crate) fn demands(s: &Soundness) -> [(&'static str, &'static str, &Demand); 4] {
    [
        ("option to complete", "option_to_complete", &s.option_to_complete),
        ("proper completion", "proper_completion", &s.proper_completion),
        ("option to mark the end", "option_to_mark", &s.option_to_mark),
        ("end marked once", "single", &s.single),
    ]
}

/// The units of regions; `None` without clocks. A net whose constants are too large has no answers.
fn scaled(net: &ClockNet) -> Option<Scaled<'_>> {
    Scaled::new(net).ok().filter(|_| !net.clocks.is_empty())
}
