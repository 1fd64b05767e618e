//! Results as text.

pub mod mcc;
pub mod witness;
