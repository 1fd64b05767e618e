//! The atomics of the store: those of the standard library, or of loom for a program that includes this folder with
//! `cfg(loom)`.

#[cfg(loom)]
pub(super) use loom::sync::atomic::{AtomicU32, AtomicU64};
#[cfg(not(loom))]
pub(super) use std::sync::atomic::{AtomicU32, AtomicU64};
