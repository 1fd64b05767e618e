//! Results as text and as pages.

pub mod attractors;
#[doc(hidden)]
pub mod batch;
#[doc(hidden)]
pub mod fields;
#[doc(hidden)]
pub mod formulas;
mod frame;
pub mod mcc;
#[doc(hidden)]
pub mod number;
pub mod page;
pub mod processes;
pub mod soundness;
pub mod state;
pub mod timing;
pub mod traces;
pub mod witness;
