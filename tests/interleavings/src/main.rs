//! The store of explicit search under all interleavings of a few threads, as far as weak memory allows them, by loom:
//!
//! ```console
//! $ cd tests/interleavings && RUSTFLAGS="--cfg loom" cargo run --release
//! ```
//!
//! It is the store as it is in the library, compiled with loom's atomics.

mod budget {
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub(crate) enum Exhausted {
        Memory,
    }
}

mod explicit;
#[cfg(loom)]
mod model;

fn main() {
    #[cfg(loom)]
    model::check();
    #[cfg(not(loom))]
    println!("nothing is checked without RUSTFLAGS=\"--cfg loom\"");
}
