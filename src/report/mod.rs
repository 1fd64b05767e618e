//! Results as text and as pages.

pub mod mcc;
pub mod page;
pub mod witness;
