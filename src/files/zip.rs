//! A file in a zip archive, by its name: the central directory at the end says where each one is. Stored and deflated
//! files are read; encrypted ones and archives beyond 4 GiB are not.
//!
//! Source: PKWARE, *APPNOTE.TXT*, 6.3, sections 4.3.7, 4.3.12 and 4.3.16.

use flate2::read::DeflateDecoder;
use std::io::{Error, ErrorKind, Read};

const END: [u8; 4] = *b"PK\x05\x06";
const ENTRY: [u8; 4] = *b"PK\x01\x02";
const LOCAL: [u8; 4] = *b"PK\x03\x04";

/// Do these bytes begin like an archive?
pub(crate) fn is_zip(bytes: &[u8]) -> bool {
    bytes.starts_with(&LOCAL) || bytes.starts_with(&END)
}

fn wrong(what: &str) -> Error {
    Error::new(ErrorKind::InvalidData, what.to_owned())
}

fn number(bytes: &[u8], at: usize, length: usize) -> Option<usize> {
    let bytes = bytes.get(at..at.checked_add(length)?)?;
    bytes.iter().rev().try_fold(0usize, |number, &byte| Some(number.checked_mul(256)? + usize::from(byte)))
}

fn damaged() -> Error {
    wrong("the zip archive is damaged")
}

/// An entry of the central directory: its name, and its bytes from their beginning on.
type Entry<'a> = (&'a [u8], &'a [u8]);

/// The entries of the central directory; behind an error there are no more.
fn entries(archive: &[u8]) -> Result<impl Iterator<Item = Result<Entry<'_>, Error>>, Error> {
    let end = archive.windows(4).rposition(|window| window == END).ok_or_else(damaged)?;
    let count = number(archive, end + 10, 2).ok_or_else(damaged)?;
    let mut at = number(archive, end + 16, 4).ok_or_else(damaged)?;
    let mut next = move || {
        let entry = archive.get(at..).filter(|entry| entry.starts_with(&ENTRY))?;
        let length = number(entry, 28, 2)?;
        let name = entry.get(46..46 + length)?;
        at += 46 + length + number(entry, 30, 2)? + number(entry, 32, 2)?;
        Some((name, entry))
    };
    Ok((0..count).map(move |_| next().ok_or_else(damaged)))
}

/// The names of the files in an archive.
///
/// # Errors
/// If the archive is damaged.
pub(crate) fn names_in(archive: &[u8]) -> Result<Vec<String>, Error> {
    entries(archive)?.map(|entry| Ok(String::from_utf8_lossy(entry?.0).into_owned())).collect()
}

/// The content of the file of this name in an archive, which has at most so many bytes; `None` if there is none.
///
/// # Errors
/// If the archive is damaged, or the file is encrypted, compressed otherwise, or larger.
pub(crate) fn file_in(archive: &[u8], name: &str, most: u64) -> Result<Option<Vec<u8>>, Error> {
    for entry in entries(archive)? {
        let (found, entry) = entry?;
        if found != name.as_bytes() {
            continue;
        }
        let field = |at, length| number(entry, at, length).ok_or_else(damaged);
        let (flags, method, size) = (field(8, 2)?, field(10, 2)?, field(20, 4)?);
        if flags & 1 == 1 {
            return Err(wrong("the file in the zip archive is encrypted"));
        }
        let local = archive.get(field(42, 4)?..).filter(|local| local.starts_with(&LOCAL)).ok_or_else(damaged)?;
        let lengths = number(local, 26, 2).zip(number(local, 28, 2)).ok_or_else(damaged)?;
        let begin = 30 + lengths.0 + lengths.1;
        let bytes = local.get(begin..begin.saturating_add(size)).ok_or_else(damaged)?;
        let mut content = Vec::new();
        match method {
            0 => bytes.take(most + 1).read_to_end(&mut content)?,
            8 => DeflateDecoder::new(bytes).take(most + 1).read_to_end(&mut content)?,
            _ => return Err(wrong("the file in the zip archive is compressed in another way than by deflate")),
        };
        if content.len() as u64 > most {
            return Err(wrong("the file in the zip archive is too large"));
        }
        return Ok(Some(content));
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// `a` has "first", stored; `b/c` has "second second second", deflated.
    fn archive() -> Vec<u8> {
        let second = b"second second second".to_vec();
        let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::best());
        std::io::Write::write_all(&mut encoder, &second).unwrap();
        let files = [("a", 0u16, b"first".to_vec()), ("b/c", 8, encoder.finish().unwrap())];
        let (mut all, mut directory) = (Vec::new(), Vec::new());
        for (name, method, bytes) in files {
            let offset = all.len() as u32;
            let size = (bytes.len() as u32).to_le_bytes();
            let length = (name.len() as u16).to_le_bytes();
            all.extend(
                [&LOCAL[..], &[0; 4], &method.to_le_bytes(), &[0; 8], &size, &[0; 4], &length, &[0; 2]].concat(),
            );
            all.extend([name.as_bytes(), &bytes].concat());
            directory.extend([&ENTRY[..], &[0; 6], &method.to_le_bytes(), &[0; 8], &size, &[0; 4], &length].concat());
            directory.extend([&[0; 12][..], &offset.to_le_bytes(), name.as_bytes()].concat());
        }
        let start = (all.len() as u32).to_le_bytes();
        all.extend(&directory);
        all.extend([&END[..], &[0; 4], &[2, 0, 2, 0], &[0; 4], &start, &[0; 2]].concat());
        all
    }

    #[test]
    fn files_are_found_by_name() {
        let archive = archive();
        assert!(is_zip(&archive));
        assert_eq!(names_in(&archive).unwrap(), ["a", "b/c"]);
        assert_eq!(file_in(&archive, "a", 100).unwrap().unwrap(), b"first");
        assert_eq!(file_in(&archive, "b/c", 20).unwrap().unwrap(), b"second second second");
        assert_eq!(file_in(&archive, "b", 100).unwrap(), None);
        assert!(file_in(&archive, "b/c", 19).unwrap_err().to_string().contains("too large"));
        // Whatever is cut off or changed, nothing panics.
        for length in 0..archive.len() {
            let _cut = file_in(&archive[..length], "b/c", 100);
            let _names = names_in(&archive[..length]);
            let mut changed = archive.clone();
            changed[length] ^= 0xFF;
            let _changed = file_in(&changed, "b/c", 100);
            let _names = names_in(&changed);
        }
    }
}
