//! Smaller models that are asked in place of the one in question.
//!
//! | file | the smaller model | what its answers say |
//! |---|---|---|
//! | `fused` | places that nothing tells apart are one | everything, before all else |
//! | `reduced` | a net reduced as far as one formula, or a bound, allows | everything; of formulas with next perhaps one verdict only |
//! | `symmetry` | one of several markings that can be exchanged | everything |
//! | `skeleton` | tokens without their colours | what holds on all runs |
//! | `capped` | so many tokens in each place and no more | what needs none of the markings beyond |
//! | `localisation` | some components of a network | what they have a say in |

pub(super) mod capped;
pub(super) mod fused;
pub(super) mod localisation;
pub(super) mod reduced;
pub(super) mod skeleton;
pub(super) mod symmetry;
