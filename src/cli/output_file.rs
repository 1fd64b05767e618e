//! A file that is written beside its final name and takes it when it is complete. A pipe or a device is written to
//! directly, and stays what it is.

use super::Failure;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};

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
        let partial = (!path.exists() || path.is_file()).then(|| {
            let mut partial = OsString::from(path);
            partial.push(".partial");
            PathBuf::from(partial)
        });
        let file = File::create(partial.as_deref().unwrap_or(path)).map_err(|e| failure(path, e))?;
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

fn failure(path: &Path, reason: impl std::fmt::Display) -> Failure {
    Failure::Input(format!("cannot save to {}: {reason}", path.display()))
}
