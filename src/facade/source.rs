//! The file that a model came from. What is about more than the model (the elements of a diagram, a certificate) reads it
//! anew: it has to be the file that the model was read from.

use super::Error;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// A file, and how long and how old it was when the model was read.
#[derive(Clone, Debug)]
pub(super) struct Source {
    path: PathBuf,
    was: Option<(u64, SystemTime)>,
}

impl Source {
    /// The file at a path. Of folders and standard input nothing is known.
    pub(super) fn of(path: &Path) -> Source {
        Source { path: path.to_owned(), was: stamp(path).ok().flatten() }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The path, if the file has not changed.
    pub(super) fn unchanged(&self) -> Result<&Path, Error> {
        let open = |error| Error::Open { file: self.path.display().to_string(), error };
        if self.was.is_some() && stamp(&self.path).map_err(open)? != self.was {
            return Err(open(io::Error::other("it has changed since the model was read; read it again")));
        }
        Ok(&self.path)
    }
}

fn stamp(path: &Path) -> io::Result<Option<(u64, SystemTime)>> {
    let file = path.metadata()?;
    Ok(if file.is_file() { Some((file.len(), file.modified()?)) } else { None })
}
