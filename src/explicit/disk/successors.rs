//! The successors of all states, in files: what fixpoints read again and again.
//!
//! States have numbers: those of a level follow those of the level before, in the order of its run. The successors of
//! consecutive states are gathered until a buffer is full, sorted, and looked up in the levels, each of which is passed
//! over once, that after the states first: most are there, or in the levels just before. So a file has the rows of
//! consecutive states: how many successors each has, and their numbers in increasing order, as differences.
//!
//! **Format.** In little-endian bytes of 32 bits each: the bytes of the rows, and their checksum (CRC-32); then the rows,
//! variable-length integers, compressed by LZ4. The files are no part of what a later program finds in the folder.

use super::expansion::{Firings, in_parts};
use super::folder::Folder;
use super::outcome::DiskError;
use super::run::{Reader, get, put};
use crate::budget::Budget;
use crate::explicit::layout::Layout;
use crate::explicit::packed_model::PackedModel;
use crate::stop_reason::StopReason;
use flate2::Crc;
use rayon::ThreadPool;
use rayon::slice::ParallelSliceMut;
use std::fs;
use std::ops::Range;

/// Bytes before the rows of a file.
const HEAD: usize = 8;
/// Bytes of rows after which a file ends.
const MOST_BYTES: usize = 1 << 26;

/// The successors of all states.
#[derive(Debug)]
pub(super) struct Successors<'f> {
    folder: &'f Folder,
    files: Vec<Rows>,
}

/// A file with the successors of consecutive states.
#[derive(Debug)]
struct Rows {
    states: Range<usize>,
    number: u64,
    bytes: u64,
}

/// What is done with the successors of states.
pub(super) trait Visitor {
    /// Is there anything to be done with some of these states?
    fn wants(&self, states: Range<usize>) -> bool;

    /// A state, and the numbers of its successors.
    fn visit(&mut self, state: usize, successors: &[u64]);
}

impl<'f> Successors<'f> {
    pub(super) fn new(folder: &'f Folder) -> Self {
        Successors { folder, files: Vec::new() }
    }

    /// Add the successors of the states that follow those before.
    pub(super) fn add(&mut self, rows: &mut Gathered) -> Result<(), DiskError> {
        let (mut text, mut states, mut begin) = (Vec::new(), 0, 0);
        for &end in &rows.ends {
            put_row(&mut rows.numbers[begin..end], &mut text);
            (states, begin) = (states + 1, end);
            if text.len() >= MOST_BYTES {
                self.write(&text, states)?;
                text.clear();
                states = 0;
            }
        }
        rows.clear();
        if states > 0 { self.write(&text, states) } else { Ok(()) }
    }

    /// Write the rows of so many states.
    fn write(&mut self, text: &[u8], states: usize) -> Result<(), DiskError> {
        let mut head = Vec::with_capacity(HEAD);
        head.extend_from_slice(&(text.len() as u32).to_le_bytes());
        head.extend_from_slice(&checksum(text).to_le_bytes());
        let (number, mut output) = self.folder.create()?;
        output.write(&head)?;
        output.write(&lz4_flex::block::compress(text))?;
        let bytes = output.close(false)?;
        let first = self.files.last().map_or(0, |file| file.states.end);
        self.files.push(Rows { states: first..first + states, number, bytes });
        Ok(())
    }

    /// Show all states that are wanted to a visitor, in increasing order or in decreasing order.
    pub(super) fn pass(&self, backwards: bool, visitor: &mut dyn Visitor, budget: &Budget) -> Result<(), DiskError> {
        let (mut numbers, mut ends) = (Vec::new(), Vec::new());
        let mut visit = |file: &Rows| {
            budget.check()?;
            if !visitor.wants(file.states.clone()) {
                return Ok(());
            }
            self.read(file, &mut numbers, &mut ends)?;
            let row = |at: usize| if at == 0 { 0..ends[0] } else { ends[at - 1]..ends[at] };
            let mut one = |at: usize| visitor.visit(file.states.start + at, &numbers[row(at)]);
            let states = 0..file.states.len();
            if backwards {
                states.rev().for_each(&mut one)
            } else {
                states.for_each(&mut one)
            }
            Ok::<(), DiskError>(())
        };
        if backwards {
            self.files.iter().rev().try_for_each(&mut visit)
        } else {
            self.files.iter().try_for_each(&mut visit)
        }
    }

    /// The rows of a file: the numbers of all of them, and where each ends.
    fn read(&self, file: &Rows, numbers: &mut Vec<u64>, ends: &mut Vec<usize>) -> Result<(), DiskError> {
        let path = self.folder.run(file.number);
        let bytes = fs::read(&path).map_err(|error| DiskError::of(&path, error))?;
        numbers.clear();
        ends.clear();
        let whole = unpacked(&bytes).is_some_and(|text| {
            let mut at = 0;
            for _ in file.states.clone() {
                let Some(count) = get(&text, &mut at) else { return false };
                let mut number = 0u64;
                for _ in 0..count {
                    let Some(more) = get(&text, &mut at) else { return false };
                    number = number.wrapping_add(more);
                    numbers.push(number);
                }
                ends.push(numbers.len());
            }
            at == text.len()
        });
        let damaged = DiskError::Damaged { file: path, what: "successors are not as they were written" };
        if whole { Ok(()) } else { Err(damaged) }
    }
}

impl Drop for Successors<'_> {
    fn drop(&mut self) {
        self.files.iter().for_each(|file| self.folder.remove(file.number, file.bytes));
    }
}

/// The numbers of the successors of a state: how many there are, and their differences.
fn put_row(row: &mut [u64], text: &mut Vec<u8>) {
    row.sort_unstable();
    let different = row.windows(2).filter(|pair| pair[0] != pair[1]).count();
    put(if row.is_empty() { 0 } else { different as u64 + 1 }, text);
    let mut before = None;
    for &number in &*row {
        if before != Some(number) {
            put(number - before.unwrap_or(0), text);
            before = Some(number);
        }
    }
}

/// The rows in the bytes of a file; `None` if they are damaged.
fn unpacked(bytes: &[u8]) -> Option<Vec<u8>> {
    let (head, packed) = bytes.split_at_checked(HEAD)?;
    let number = |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
    let text = lz4_flex::block::decompress(packed, number(0) as usize).ok()?;
    (text.len() == number(0) as usize && checksum(&text) == number(4)).then_some(text)
}

fn checksum(bytes: &[u8]) -> u32 {
    let mut crc = Crc::new();
    crc.update(bytes);
    crc.sum()
}

/// The successors of consecutive states: their keys, and then their numbers.
#[derive(Debug, Default)]
pub(super) struct Gathered {
    keys: Vec<u64>,
    numbers: Vec<u64>,
    /// How many successors states have up to and with each.
    ends: Vec<usize>,
}

impl Gathered {
    /// Words that they take.
    pub(super) fn words(&self) -> usize {
        self.keys.len() + 3 * self.ends.last().copied().unwrap_or(0) + self.ends.len()
    }

    fn clear(&mut self) {
        self.keys.clear();
        self.numbers.clear();
        self.ends.clear();
    }

    /// Add the successors of some states, which are found on all threads.
    pub(super) fn expand<S: PackedModel>(
        &mut self,
        pool: Option<&ThreadPool>,
        threads: usize,
        (space, layout): (&S, &Layout),
        states: &[u64],
    ) -> Result<(), StopReason> {
        let rows = |states: &[u64]| successors(space, layout, states);
        for found in in_parts(states, layout.key_words(), threads, pool, rows) {
            let (keys, ends) = found?;
            let before = self.ends.last().copied().unwrap_or(0);
            self.keys.extend_from_slice(&keys);
            self.ends.extend(ends.into_iter().map(|end| before + end));
        }
        Ok(())
    }

    /// Find their numbers: in these levels, one after the other, each with the number of its first state. False if one is
    /// in none of them.
    pub(super) fn number(
        &mut self,
        words: usize,
        pool: Option<&ThreadPool>,
        levels: &mut dyn Iterator<Item = Result<(u64, Reader), DiskError>>,
        budget: &Budget,
    ) -> Result<bool, DiskError> {
        let keys = &self.keys;
        let key = |entry: u32| &keys[entry as usize * words..(entry as usize + 1) * words];
        let count = keys.len() / words;
        let mut open: Vec<u32> = (0..count as u32).collect();
        match pool {
            Some(pool) => pool.install(|| open.par_sort_unstable_by(|&a, &b| key(a).cmp(key(b)))),
            None => open.sort_unstable_by(|&a, &b| key(a).cmp(key(b))),
        }
        self.numbers.resize(count, 0);
        let numbers = &mut self.numbers;
        for level in levels {
            if open.is_empty() {
                break;
            }
            budget.check()?;
            let (first, mut reader) = level?;
            let mut left = 0;
            for at in 0..open.len() {
                let entry = open[at];
                reader.seek(key(entry))?;
                if reader.current() == Some(key(entry)) {
                    numbers[entry as usize] = first + reader.number();
                } else {
                    open[left] = entry;
                    left += 1;
                }
            }
            open.truncate(left);
        }
        Ok(open.is_empty())
    }
}

/// The successors of some states, and how many states have up to and with each.
fn successors<S: PackedModel>(
    space: &S,
    layout: &Layout,
    states: &[u64],
) -> Result<(Vec<u64>, Vec<usize>), StopReason> {
    let key = layout.key_words();
    let (mut firings, mut fits) = (Firings::new(space, layout), true);
    let (mut keys, mut ends) = (Vec::new(), Vec::with_capacity(states.len() / key));
    for state in states.chunks_exact(key) {
        firings.of(state, |_, next| {
            next.into_iter().for_each(|next| keys.extend_from_slice(next));
            fits = next.is_some();
            fits
        })?;
        if !fits {
            return Err(StopReason::Unsupported("a firing does not fit that did before"));
        }
        ends.push(keys.len() / key);
    }
    Ok((keys, ends))
}
