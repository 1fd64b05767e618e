//! A file that is written beside its final name and takes it when it is complete. A pipe or a device is written to
//! directly, and stays what it is; what a symbolic link points to is written, and the link stays.

use super::Failure;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// Symbolic links that may point to each other.
const MOST_LINKS: usize = 40;
/// How long a pipe may have no reader.
const PATIENCE: Duration = Duration::from_secs(5);

/// A file of results. Created before the computation, so that a wrong path costs no time.
pub(super) struct OutputFile {
    path: PathBuf,
    /// The temporary name; none of a pipe or device.
    partial: Option<PathBuf>,
    file: File,
    complete: bool,
}

impl OutputFile {
    /// Create the file under its temporary name.
    pub(super) fn create(path: &Path) -> Result<Self, Failure> {
        if path.is_dir() {
            return Err(failure(path, "it is a folder"));
        }
        let target = target(path).map_err(|e| failure(path, e))?;
        let path = &target;
        let partial = (!path.exists() || path.is_file()).then(|| {
            let mut partial = OsString::from(path);
            partial.push(".partial");
            PathBuf::from(partial)
        });
        let file = match &partial {
            Some(partial) => File::create(partial),
            None => open(path),
        };
        let file = file.map_err(|e| failure(path, e))?;
        Ok(OutputFile { path: path.to_owned(), partial, file, complete: false })
    }

    /// Find out whether such a file can be written, where its time comes later. Nothing of it stays.
    pub(super) fn probe(path: Option<&Path>) -> Result<(), Failure> {
        path.map_or(Ok(()), |path| OutputFile::create(path).map(drop))
    }

    /// Write the content and give the file its name.
    pub(super) fn write(
        mut self,
        content: impl FnOnce(&mut BufWriter<&File>) -> io::Result<()>,
    ) -> Result<(), Failure> {
        let mut out = BufWriter::new(&self.file);
        content(&mut out).and_then(|()| out.flush()).map_err(|e| failure(&self.path, e))?;
        if let Some(partial) = &self.partial {
            fs::rename(partial, &self.path).map_err(|e| failure(&self.path, e))?;
        }
        self.complete = true;
        Ok(())
    }
}

impl Drop for OutputFile {
    fn drop(&mut self) {
        if let Some(partial) = self.partial.as_deref().filter(|_| !self.complete) {
            // It holds nothing of use, and cannot be more in the way than a message about it.
            let _left_behind = fs::remove_file(partial);
        }
    }
}

/// The target of a path, by way of symbolic links.
fn target(path: &Path) -> io::Result<PathBuf> {
    let mut target = path.to_owned();
    for _ in 0..MOST_LINKS {
        let Ok(next) = fs::read_link(&target) else { return Ok(target) };
        target = target.parent().map_or_else(|| next.clone(), |folder| folder.join(&next));
    }
    Err(io::Error::other("too many symbolic links in turn"))
}

/// Open what is no plain file. A named pipe can be opened only when somebody reads it.
fn open(path: &Path) -> io::Result<File> {
    let (sender, opened) = mpsc::channel();
    let path = path.to_owned();
    // If nobody ever reads it, the thread ends with the program.
    thread::spawn(move || sender.send(File::create(path)));
    opened.recv_timeout(PATIENCE).unwrap_or_else(|_| {
        Err(io::Error::other(format!("nobody reads this pipe; waited for {} s", PATIENCE.as_secs())))
    })
}

fn failure(path: &Path, reason: impl std::fmt::Display) -> Failure {
    Failure::Input(format!("cannot save to {}: {reason}", path.display()))
}
