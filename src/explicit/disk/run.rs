//! A sorted run: packed states in increasing order, in a file.
//!
//! **Format.** A run is a sequence of blocks. A block is, in little-endian bytes: the number of its states, the bytes of
//! its rest before and after compression, and a checksum (CRC-32) of these numbers and all that follows, each in 32
//! bits; the words of its first state; and the rest. The rest has for each further state the difference to the one
//! before: the place of the first word that differs (if states have several words), by how much it is larger, and the
//! words behind it, the last of them without the bytes that are always 0. Places and differences are variable-length
//! integers (7 bits in a byte, the top bit set in all but the last). The rest is compressed by LZ4, unless that makes it
//! no shorter.
//!
//! States compare word by word, from the first word on. What a state is, its layout says; a run knows words.
//!
//! Where blocks begin, and with which state, is kept in memory, so that a reader can pass over blocks.

use super::folder::{Folder, Output};
use super::outcome::DiskError;
use flate2::Crc;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::PathBuf;
use std::sync::Arc;

/// Bytes of the numbers at the beginning of a block.
const HEAD: usize = 16;

/// What states look like, and how many are in a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Shape {
    /// Words of a state.
    pub(super) words: usize,
    /// Bytes of its last word that are not always 0.
    pub(super) last_bytes: usize,
    /// Words of a block, at most, unless that is less than one state.
    pub(super) block: usize,
}

/// A sorted run.
#[derive(Debug)]
pub(super) struct Run {
    pub(super) number: u64,
    pub(super) states: u64,
    pub(super) bytes: u64,
    /// The first state of each block, one after the other.
    firsts: Vec<u64>,
    /// Where each block begins.
    offsets: Vec<u64>,
    /// How many states are before each block.
    before: Vec<u64>,
}

impl Run {
    /// Bytes in memory.
    pub(super) fn memory(&self) -> u64 {
        8 * (self.firsts.len() + self.offsets.len() + self.before.len()) as u64
    }

    /// The run of an earlier program, as its manifest describes it: the beginnings of its blocks are read.
    pub(super) fn load(
        folder: &Folder,
        (number, states, bytes): (u64, u64, u64),
        shape: Shape,
    ) -> Result<Run, DiskError> {
        let path = folder.run(number);
        let damaged = |what| DiskError::Damaged { file: path.clone(), what };
        let fault = |error: std::io::Error| match error.kind() {
            std::io::ErrorKind::NotFound => damaged("it is not there"),
            _ => DiskError::of(&path, error),
        };
        let mut file = File::open(&path).map_err(fault)?;
        if file.metadata().map_err(fault)?.len() != bytes {
            return Err(damaged("its length is another one"));
        }
        let mut run = Run { number, states, bytes, firsts: Vec::new(), offsets: Vec::new(), before: Vec::new() };
        let (mut at, mut counted) = (0, 0);
        let mut head = vec![0; HEAD + 8 * shape.words];
        while at < bytes {
            file.seek(SeekFrom::Start(at)).map_err(fault)?;
            file.read_exact(&mut head).map_err(|_| damaged("a block is cut off"))?;
            let [count, _, packed, _] = numbers(&head);
            let before = run.firsts.len().checked_sub(shape.words).map(|last| run.firsts[last..].to_vec());
            run.firsts.extend(words_of(&head[HEAD..]));
            if before.is_some_and(|before| run.firsts[run.firsts.len() - shape.words..] <= before[..]) {
                return Err(damaged("its blocks are not in order"));
            }
            run.offsets.push(at);
            run.before.push(counted);
            counted += u64::from(count);
            at += head.len() as u64 + u64::from(packed);
        }
        if at != bytes || counted != states {
            return Err(damaged("its blocks are not all there"));
        }
        Ok(run)
    }

    /// The last block that may hold a state that is not less than this one, from a given block on.
    fn block_of(&self, state: &[u64], from: usize) -> usize {
        let words = state.len();
        let first = |block: usize| &self.firsts[block * words..(block + 1) * words];
        last(from, self.offsets.len(), |block| first(block) <= state)
    }
}

/// The last number below `end` of which something holds that holds of numbers up to some one, among them `low`: by ever
/// larger strides, and then by halves.
#[inline]
fn last(mut low: usize, end: usize, holds: impl Fn(usize) -> bool) -> usize {
    let mut stride = 1;
    while low + stride < end && holds(low + stride) {
        low += stride;
        stride *= 2;
    }
    let mut high = (low + stride).min(end);
    while low + 1 < high {
        let middle = low.midpoint(high);
        if holds(middle) { low = middle } else { high = middle }
    }
    low
}

/// The numbers at the beginning of a block.
fn numbers(head: &[u8]) -> [u32; 4] {
    let mut numbers = [0; 4];
    for (number, bytes) in numbers.iter_mut().zip(head.as_chunks::<4>().0) {
        *number = u32::from_le_bytes(*bytes);
    }
    numbers
}

fn words_of(bytes: &[u8]) -> impl Iterator<Item = u64> {
    bytes.as_chunks::<8>().0.iter().map(|word| u64::from_le_bytes(*word))
}

pub(super) fn put(mut number: u64, out: &mut Vec<u8>) {
    while number > 0x7F {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// A variable-length integer; `None` where there is none.
#[inline]
pub(super) fn get(bytes: &[u8], at: &mut usize) -> Option<u64> {
    let (mut number, mut shift) = (0, 0);
    loop {
        let byte = *bytes.get(*at)?;
        *at += 1;
        number |= u64::from(byte & 0x7F) << shift;
        if byte < 0x80 {
            return Some(number);
        }
        shift += 7;
        if shift > 63 {
            return None;
        }
    }
}

/// Writes a run: states are given in increasing order.
#[derive(Debug)]
pub(super) struct Writer<'f> {
    output: Output<'f>,
    shape: Shape,
    run: Run,
    /// States of the block that is not written yet.
    waiting: Vec<u64>,
    raw: Vec<u8>,
    block: Vec<u8>,
}

impl<'f> Writer<'f> {
    /// Begin a run.
    pub(super) fn new(folder: &'f Folder, shape: Shape) -> Result<Self, DiskError> {
        let (number, output) = folder.create()?;
        let run = Run { number, states: 0, bytes: 0, firsts: Vec::new(), offsets: Vec::new(), before: Vec::new() };
        Ok(Writer { output, shape, run, waiting: Vec::new(), raw: Vec::new(), block: Vec::new() })
    }

    /// Add states, each larger than the one before.
    pub(super) fn add(&mut self, states: &[u64]) -> Result<(), DiskError> {
        let words = self.shape.words;
        let full = (self.shape.block / words).max(1) * words;
        let mut rest = states;
        while !rest.is_empty() {
            let (some, others) = rest.split_at(rest.len().min(full - self.waiting.len()));
            self.waiting.extend_from_slice(some);
            rest = others;
            if self.waiting.len() == full {
                self.write_block()?;
            }
        }
        Ok(())
    }

    fn write_block(&mut self) -> Result<(), DiskError> {
        let Shape { words, last_bytes, .. } = self.shape;
        let (raw, block) = (&mut self.raw, &mut self.block);
        raw.clear();
        for (before, state) in self.waiting.chunks_exact(words).zip(self.waiting.chunks_exact(words).skip(1)) {
            debug_assert!(before < state);
            if words == 1 {
                put(state[0] - before[0], raw);
                continue;
            }
            let place = before.iter().zip(state).position(|(before, word)| before != word).unwrap_or(0);
            put(place as u64, raw);
            put(state[place].wrapping_sub(before[place]), raw);
            for (at, word) in state.iter().enumerate().skip(place + 1) {
                let bytes = if at + 1 == words { last_bytes } else { 8 };
                raw.extend_from_slice(&word.to_le_bytes()[..bytes]);
            }
        }
        let head = HEAD + 8 * words;
        block.clear();
        block.resize(head + lz4_flex::block::get_maximum_output_size(raw.len()), 0);
        let packed = match lz4_flex::block::compress_into(raw, &mut block[head..]) {
            Ok(packed) if packed < raw.len() => packed,
            _ => {
                block[head..head + raw.len()].copy_from_slice(raw);
                raw.len()
            }
        };
        block.truncate(head + packed);
        let count = (self.waiting.len() / words) as u32;
        for (at, number) in [count, raw.len() as u32, packed as u32].into_iter().enumerate() {
            block[4 * at..4 * at + 4].copy_from_slice(&number.to_le_bytes());
        }
        for (bytes, word) in block[HEAD..head].as_chunks_mut::<8>().0.iter_mut().zip(&self.waiting) {
            *bytes = word.to_le_bytes();
        }
        let sum = checksum(block);
        block[12..16].copy_from_slice(&sum.to_le_bytes());
        self.run.firsts.extend_from_slice(&self.waiting[..words]);
        self.run.offsets.push(self.run.bytes);
        self.run.before.push(self.run.states);
        self.output.write(block)?;
        self.run.states += u64::from(count);
        self.run.bytes += block.len() as u64;
        self.waiting.clear();
        Ok(())
    }

    /// The run, which stays after the program, or not.
    pub(super) fn finish(mut self, stays: bool) -> Result<Arc<Run>, DiskError> {
        if !self.waiting.is_empty() {
            self.write_block()?;
        }
        let bytes = self.output.close(stays)?;
        debug_assert_eq!(bytes, self.run.bytes);
        Ok(Arc::new(self.run))
    }
}

/// The checksum of a block.
fn checksum(block: &[u8]) -> u32 {
    let mut crc = Crc::new();
    crc.update(&block[..12]);
    crc.update(&block[HEAD..]);
    crc.sum()
}

/// Reads a run from its first state on.
#[derive(Debug)]
pub(super) struct Reader {
    run: Arc<Run>,
    shape: Shape,
    path: PathBuf,
    file: File,
    /// Where the file is.
    position: u64,
    /// The block after the one that is held.
    next: usize,
    /// The states of the block, and where the current one is.
    states: Vec<u64>,
    at: usize,
    block: Vec<u8>,
    raw: Vec<u8>,
}

impl Reader {
    /// At the first state of a run.
    pub(super) fn new(folder: &Folder, run: &Arc<Run>, shape: Shape) -> Result<Self, DiskError> {
        let path = folder.run(run.number);
        let file = File::open(&path).map_err(|error| DiskError::of(&path, error))?;
        let mut reader = Reader {
            run: Arc::clone(run),
            shape,
            path,
            file,
            position: 0,
            next: 0,
            states: Vec::new(),
            at: 0,
            block: Vec::new(),
            raw: Vec::new(),
        };
        reader.read_block()?;
        Ok(reader)
    }

    /// The current state; `None` at the end.
    #[inline]
    pub(super) fn current(&self) -> Option<&[u64]> {
        self.states.get(self.at..self.at + self.shape.words)
    }

    /// How many states are before the current one in the run.
    pub(super) fn number(&self) -> u64 {
        let block = self.next.checked_sub(1).and_then(|block| self.run.before.get(block));
        block.map_or(0, |before| before + (self.at / self.shape.words) as u64)
    }

    /// What is left of the block that is held, from the current state on; nothing at the end.
    pub(super) fn rest(&self) -> &[u64] {
        &self.states[self.at..]
    }

    /// Go on by so many words, within the block or to its end.
    #[inline]
    pub(super) fn pass(&mut self, words: usize) -> Result<(), DiskError> {
        self.at += words;
        if self.at >= self.states.len() { self.read_block() } else { Ok(()) }
    }

    /// The next states, so many words at most, in the place of those in the batch; none at the end.
    pub(super) fn take(&mut self, most: usize, batch: &mut Vec<u64>) -> Result<(), DiskError> {
        batch.clear();
        while batch.len() < most && self.current().is_some() {
            let length = self.rest().len().min(most - batch.len());
            batch.extend_from_slice(&self.rest()[..length]);
            self.pass(length)?;
        }
        Ok(())
    }

    /// Go on to the first state that is not less than this one.
    pub(super) fn seek(&mut self, state: &[u64]) -> Result<(), DiskError> {
        let words = self.shape.words;
        if self.current().is_none() {
            return Ok(());
        }
        if self.states[self.states.len() - words..] < *state {
            if self.next >= self.run.offsets.len() {
                self.at = self.states.len();
                return self.read_block();
            }
            self.next = self.run.block_of(state, self.next);
            self.read_block()?;
        }
        // It is in this block, or the first state of the next.
        let is_less = |number: usize| self.states[number * words..(number + 1) * words] < *state;
        let (low, end) = (self.at / words, self.states.len() / words);
        if low < end && !is_less(low) {
            return Ok(());
        }
        self.at = (last(low, end, is_less) + 1).min(end) * words;
        if self.at >= self.states.len() { self.read_block() } else { Ok(()) }
    }

    /// Read the next block, if there is one.
    fn read_block(&mut self) -> Result<(), DiskError> {
        self.at = 0;
        self.states.clear();
        let Some(&start) = self.run.offsets.get(self.next) else { return Ok(()) };
        let end = self.run.offsets.get(self.next + 1).copied().unwrap_or(self.run.bytes);
        let fault = |error| DiskError::of(&self.path, error);
        if self.position != start {
            self.file.seek(SeekFrom::Start(start)).map_err(fault)?;
        }
        self.block.resize((end - start) as usize, 0);
        self.position = end;
        let read = self.file.read_exact(&mut self.block);
        let whole = match read {
            Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => false,
            read => {
                read.map_err(fault)?;
                true
            }
        };
        let unpacked = if whole { self.unpack() } else { None };
        let Some(()) = unpacked else {
            return Err(DiskError::Damaged { file: self.path.clone(), what: "a block is not as it was written" });
        };
        self.next += 1;
        Ok(())
    }

    /// The states of the block; `None` if it is damaged.
    fn unpack(&mut self) -> Option<()> {
        let Shape { words, last_bytes, .. } = self.shape;
        let head = HEAD + 8 * words;
        if self.block.len() < head || checksum(&self.block) != numbers(&self.block)[3] {
            return None;
        }
        let [count, raw, packed, _] = numbers(&self.block);
        let rest = self.block.get(head..).filter(|rest| rest.len() == packed as usize)?;
        let raw = if raw == packed {
            rest
        } else {
            self.raw.resize(raw as usize, 0);
            let length = lz4_flex::block::decompress_into(rest, &mut self.raw).ok()?;
            self.raw.get(..length).filter(|_| length == raw as usize)?
        };
        let states = &mut self.states;
        states.extend(words_of(&self.block[HEAD..head]));
        let mut at = 0;
        if words == 1 {
            let mut state = *states.first()?;
            for _ in 1..count {
                state = state.wrapping_add(get(raw, &mut at)?);
                states.push(state);
            }
        } else {
            for _ in 1..count {
                let place = usize::try_from(get(raw, &mut at)?).ok().filter(|&place| place < words)?;
                let difference = get(raw, &mut at)?;
                let before = states.len() - words;
                states.extend_from_within(before..=before + place);
                *states.last_mut()? = states[before + place].wrapping_add(difference);
                for word in place + 1..words {
                    let bytes = if word + 1 == words { last_bytes } else { 8 };
                    let mut value = [0; 8];
                    value[..bytes].copy_from_slice(raw.get(at..at + bytes)?);
                    at += bytes;
                    states.push(u64::from_le_bytes(value));
                }
            }
        }
        (at == raw.len()).then_some(())
    }
}
