//! Seeds of the fuzz targets with changes: what a reader does with them, without a fuzzer.

use starset::rng::Rng;
use std::path::Path;
use std::time::{Duration, Instant};

/// Changes in a row before a seed is taken anew, at most.
const CHANGES: usize = 6;
/// As many inputs at least, so that the outcome does not depend on the speed of the machine.
const INPUTS: usize = 300;

/// Gives the files of a folder, changed at random, to a reader: as long as `STARSET_MILLISECONDS` says, else 200 ms.
pub(crate) fn changed(folder: &str, mut read: impl FnMut(&[u8])) {
    let number = |name: &str, usual: u64| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual);
    let (seed, time) = (number("SEED", 1), Duration::from_millis(number("STARSET_MILLISECONDS", 200)));
    let mut files: Vec<_> = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)).unwrap().collect();
    files.sort_by_key(|file| file.as_ref().unwrap().path());
    let seeds: Vec<Vec<u8>> = files.into_iter().map(|file| std::fs::read(file.unwrap().path()).unwrap()).collect();
    let (mut rng, begun) = (Rng::new(seed), Instant::now());
    let mut inputs = 0;
    while begun.elapsed() < time || inputs < INPUTS {
        let mut text = rng.pick(&seeds).unwrap().clone();
        for _ in 0..1 + rng.below(CHANGES) {
            change(&mut rng, &mut text, &seeds);
            read(&text);
            inputs += 1;
        }
    }
    eprintln!("SEED={seed}: {inputs} inputs");
}

/// One change: a byte, a piece that is left out or doubled, a piece of another seed, or two pieces that change places.
fn change(rng: &mut Rng, text: &mut Vec<u8>, seeds: &[Vec<u8>]) {
    if text.is_empty() {
        return;
    }
    let at = rng.below(text.len());
    let end = at + rng.below((text.len() - at).min(60)) + 1;
    match rng.below(6) {
        0 => text[at] = rng.bits() as u8,
        1 => text[at] = *rng.pick(b"<>/\"'=&;,\n 01aP-").unwrap(),
        2 => drop(text.drain(at..end)),
        3 => {
            let piece = text[at..end].to_vec();
            text.splice(at..at, piece);
        }
        4 => {
            let other = rng.pick(seeds).unwrap();
            let from = rng.below(other.len());
            let to = from + rng.below((other.len() - from).min(200)) + 1;
            text.splice(at..end, other[from..to].iter().copied());
        }
        _ => {
            // Words: an identifier becomes another one.
            let words: Vec<(usize, usize)> = words(text);
            if let (Some(&(from, to)), Some(&(other, end))) = (rng.pick(&words), rng.pick(&words)) {
                let word = text[other..end].to_vec();
                text.splice(from..to, word);
            }
        }
    }
}

/// The words of a text.
fn words(text: &[u8]) -> Vec<(usize, usize)> {
    let (mut found, mut begin) = (Vec::new(), None);
    for (at, byte) in text.iter().chain([&b' ']).enumerate() {
        match (byte.is_ascii_alphanumeric() || *byte == b'_', begin) {
            (true, None) => begin = Some(at),
            (false, Some(from)) => {
                found.push((from, at));
                begin = None;
            }
            _ => {}
        }
    }
    found
}
