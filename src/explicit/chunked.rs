//! Something for each state, which threads read and change without a lock while there is more and more of it.
//!
//! Items lie in chunks that never move; chunks are found through *shelves*, each of which has places for twice as many
//! as the one before. So nothing has to be grown.

use super::store::StateId;
use crate::budget::Exhausted;
use std::sync::OnceLock;

/// log₂ of the items of a chunk.
const CHUNK_BITS: u32 = 11;
const CHUNK: u32 = 1 << CHUNK_BITS;
/// Shelves for all numbers of states.
const SHELVES: usize = (StateId::BITS - CHUNK_BITS) as usize;

type Chunk<T> = OnceLock<Box<[T]>>;

/// An item for each state that was asked for.
#[derive(Debug)]
pub(super) struct Chunked<T> {
    shelves: [OnceLock<Box<[Chunk<T>]>>; SHELVES],
}

impl<T: Default> Chunked<T> {
    pub(super) fn new() -> Self {
        Chunked { shelves: std::array::from_fn(|_| OnceLock::new()) }
    }

    /// Where the chunk of a state lies: its shelf, and its place there.
    #[inline]
    fn place(state: StateId) -> (usize, usize) {
        let chunk = (state >> CHUNK_BITS) + 1;
        let shelf = chunk.ilog2();
        (shelf as usize, (chunk - (1 << shelf)) as usize)
    }

    /// The item of a state, if there is one.
    #[inline]
    pub(super) fn get(&self, state: StateId) -> Option<&T> {
        let (shelf, place) = Self::place(state);
        Some(&self.shelves.get(shelf)?.get()?[place].get()?[(state % CHUNK) as usize])
    }

    /// Have an item for a state. What that takes is asked for beforehand.
    #[inline]
    pub(super) fn open(&self, state: StateId, take: impl Fn(u64) -> Result<(), Exhausted>) -> Result<&T, Exhausted> {
        let (shelf, place) = Self::place(state);
        let shelf = match self.shelves[shelf].get() {
            Some(chunks) => chunks,
            None => {
                // Another thread may do so, too; then it is counted twice.
                take(((1 << shelf) * size_of::<Chunk<T>>()) as u64)?;
                self.shelves[shelf].get_or_init(|| (0..1 << shelf).map(|_| OnceLock::new()).collect())
            }
        };
        let chunk = match shelf[place].get() {
            Some(chunk) => chunk,
            None => {
                take(u64::from(CHUNK) * size_of::<T>() as u64)?;
                shelf[place].get_or_init(|| (0..CHUNK).map(|_| T::default()).collect())
            }
        };
        Ok(&chunk[(state % CHUNK) as usize])
    }
}
