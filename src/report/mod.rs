//! Results as text.

pub mod mcc;
