//! Files as they come: plain, compressed by gzip, or in an archive.
//!
//! The instances of the Model Checking Contest are handed out as archives of a folder (`NAME.tgz`), and people keep
//! large models compressed. Whoever reads a file opens it here, and sees neither. What a file is, its first bytes say;
//! that it is an archive, its name does. `-` is standard input, which can be read once.

mod zip;

pub(crate) use zip::{file_in as file_in_zip, is_zip, names_in as names_in_zip};

use crate::budget::Budget;
use flate2::bufread::MultiGzDecoder;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Error, ErrorKind, Read};
use std::path::Path;

const BUFFER: usize = 1 << 18;
const GZIP: [u8; 2] = [0x1F, 0x8B];
/// Most bytes of a file in an archive: 4 GiB.
const MOST: u64 = 1 << 32;
/// How names of archives end.
const ARCHIVES: [&str; 3] = [".tgz", ".tar.gz", ".tar"];

/// A file that may be compressed.
type Input = Box<dyn BufRead + Send>;

/// Why a file cannot be read, in words.
pub(crate) fn why(error: &Error) -> String {
    match error.kind() {
        ErrorKind::IsADirectory => "it is a folder".to_owned(),
        // `read_to_string` and `lines` have this message alone.
        ErrorKind::InvalidData if error.to_string().contains("valid UTF-8") => "it is no text in UTF-8".to_owned(),
        _ => error.to_string(),
    }
}

/// Does the path stand for standard input?
pub(crate) fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}

/// The name of a file in messages.
pub(crate) fn shown(path: &Path) -> String {
    if is_stdin(path) { "<stdin>".to_owned() } else { path.display().to_string() }
}

/// Open a file or standard input, which may be compressed.
///
/// # Errors
/// When it cannot be opened.
pub(crate) fn open(path: &Path) -> io::Result<Input> {
    if is_stdin(path) {
        return uncompressed(BufReader::with_capacity(BUFFER, io::stdin()));
    }
    uncompressed(BufReader::with_capacity(BUFFER, File::open(path)?))
}

/// The first 4 096 bytes of a file; none where it cannot be read, which is reported by whoever reads it. Standard input
/// keeps what is looked at, as far as it came at once.
pub(crate) fn head(path: &Path) -> Vec<u8> {
    let mut head = Vec::new();
    let begin = || io::stdin().lock().fill_buf().map(<[u8]>::to_vec);
    let input = if is_stdin(path) { begin().and_then(|begin| uncompressed(Cursor::new(begin))) } else { open(path) };
    let read = input.and_then(|input| input.take(4096).read_to_end(&mut head));
    // What is compressed ends early there.
    if read.is_err() && !is_stdin(path) { Vec::new() } else { head }
}

fn uncompressed(mut input: impl BufRead + Send + 'static) -> io::Result<Input> {
    // A folder can be opened and not be read: whoever reads it hears of that.
    if input.fill_buf().is_ok_and(|begin| begin.starts_with(&GZIP)) {
        return Ok(Box::new(BufReader::with_capacity(BUFFER, MultiGzDecoder::new(input))));
    }
    Ok(Box::new(input))
}

/// A file that ends with an error when a budget does; the budget then says why.
pub(crate) struct Watched<'b, R> {
    input: R,
    budget: &'b Budget,
}

impl<'b, R: BufRead> Watched<'b, R> {
    pub(crate) fn new(input: R, budget: &'b Budget) -> Self {
        Watched { input, budget }
    }
}

impl<R: BufRead> Read for Watched<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(buffer)?;
        self.consume(read);
        Ok(read)
    }
}

impl<R: BufRead> BufRead for Watched<'_, R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.budget.check().map_err(Error::other)?;
        self.input.fill_buf()
    }

    fn consume(&mut self, bytes: usize) {
        self.input.consume(bytes);
    }
}

/// Open a file of a folder, or of an archive of one.
///
/// # Errors
/// When there is no such file, or it cannot be opened.
pub(crate) fn open_in(folder: &Path, name: &str) -> io::Result<Input> {
    if !is_archive(folder) {
        return open(&folder.join(name));
    }
    let mut archive = tar::Archive::new(open(folder)?);
    for entry in archive.entries()? {
        let entry = entry.map_err(|error| Error::new(ErrorKind::InvalidData, format!("it is no archive: {error}")))?;
        let is_it = entry.header().entry_type().is_file() && entry.path()?.file_name() == Some(name.as_ref());
        if is_it {
            let mut bytes = Vec::new();
            entry.take(MOST).read_to_end(&mut bytes)?;
            return uncompressed(Cursor::new(bytes));
        }
    }
    Err(Error::new(ErrorKind::NotFound, format!("the archive holds no {name}")))
}

/// Is this an archive of a folder, by its name?
pub fn is_archive(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    ARCHIVES.iter().any(|end| without_end(&name, end).is_some()) && !path.is_dir()
}

/// The plain name of a file: without the end of an archive, or that of a compressed file.
pub(crate) fn plain_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let mut ends = ARCHIVES.iter().chain(&[".gz"]);
    ends.find_map(|end| without_end(&name, end)).unwrap_or(&name).to_owned()
}

/// Does the name of a file, compressed or not, end with this extension, in whatever case?
pub(crate) fn has_extension(path: &Path, extension: &str) -> bool {
    without_end(&plain_name(path), extension).is_some_and(|name| name.ends_with('.'))
}

/// A name without its end, which may be in capitals.
fn without_end<'n>(name: &'n str, end: &str) -> Option<&'n str> {
    let (begin, last) = name.split_at_checked(name.len().checked_sub(end.len())?)?;
    last.eq_ignore_ascii_case(end).then_some(begin)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use std::fs;
    use std::io::Write;

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn all(input: io::Result<Input>) -> String {
        let mut text = String::new();
        input.unwrap().read_to_string(&mut text).unwrap();
        text
    }

    #[test]
    fn what_is_compressed_reads_like_what_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let (plain, packed) = (folder.path().join("a"), folder.path().join("a.gz"));
        fs::write(&plain, "text").unwrap();
        fs::write(&packed, [gzip(b"te"), gzip(b"xt")].concat()).unwrap();
        assert_eq!((all(open(&plain)), all(open(&packed))), ("text".to_owned(), "text".to_owned()));
        fs::write(&packed, &gzip(b"text")[..12]).unwrap();
        assert!(open(&packed).unwrap().read_to_string(&mut String::new()).is_err());
        assert!(open(&folder.path().join("b")).is_err());
        assert_eq!(all(open_in(folder.path(), "a")), "text");
    }

    #[test]
    fn archives_are_folders() {
        let folder = tempfile::tempdir().unwrap();
        let mut builder = tar::Builder::new(Vec::new());
        for (path, text) in [("./N-1/other.pnml", "no"), ("./N-1/model.pnml", "net")] {
            let mut header = tar::Header::new_gnu();
            header.set_size(text.len() as u64);
            header.set_mode(0o644);
            builder.append_data(&mut header, path, text.as_bytes()).unwrap();
        }
        let bytes = builder.into_inner().unwrap();
        for (name, bytes) in [("N-1.tar", bytes.clone()), ("N-1.tgz", gzip(&bytes)), ("N-1.tar.gz", gzip(&bytes))] {
            let path = folder.path().join(name);
            fs::write(&path, bytes).unwrap();
            assert!(is_archive(&path));
            assert_eq!(plain_name(&path), "N-1");
            assert_eq!(all(open_in(&path, "model.pnml")), "net");
            let missing = open_in(&path, "LTL.xml").err().unwrap();
            assert_eq!(
                (missing.kind(), missing.to_string()),
                (ErrorKind::NotFound, "the archive holds no LTL.xml".into())
            );
        }
        fs::write(folder.path().join("bad.tgz"), "no archive").unwrap();
        assert!(open_in(&folder.path().join("bad.tgz"), "model.pnml").is_err());
    }
}
