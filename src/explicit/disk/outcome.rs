//! What an exploration on disk is asked, and what comes of it.

use crate::budget::Exhausted;
use crate::explicit::Exploration;
use crate::stop_reason::StopReason;
use std::io;
use std::path::{Path, PathBuf};

/// Where an exploration keeps its states.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Disk {
    /// A folder of its own: missing, empty, or one of an exploration that goes on.
    pub folder: PathBuf,
    /// At most so many bytes in it.
    pub quota: Option<u64>,
    /// A number that the content of the model and the way in which it is read decide: an exploration goes on with the
    /// same one only.
    pub fingerprint: u64,
}

/// Why an exploration on disk has no result.
#[derive(Debug, thiserror::Error)]
pub enum DiskError {
    /// It was stopped. It can go on.
    #[error(transparent)]
    Stopped(#[from] StopReason),
    /// The folder cannot be used: it is of something else.
    #[error("{}: {why}", folder.display())]
    Refused {
        /// The folder.
        folder: PathBuf,
        /// Why, and what to do.
        why: String,
    },
    /// A file is not as it was written.
    #[error("{}: damaged: {what}; remove the folder, and begin anew", file.display())]
    Damaged {
        /// The file.
        file: PathBuf,
        /// What is wrong.
        what: &'static str,
    },
    /// The system cannot read or write a file.
    #[error("{}: {error}", file.display())]
    Io {
        /// The file.
        file: PathBuf,
        /// Why.
        error: io::Error,
    },
}

impl From<Exhausted> for DiskError {
    fn from(exhausted: Exhausted) -> Self {
        DiskError::Stopped(exhausted.into())
    }
}

impl DiskError {
    /// A fault of the system with a file: a full disk is the end of what is possible, and no fault.
    pub(super) fn of(file: &Path, error: io::Error) -> DiskError {
        use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
        match error.kind() {
            StorageFull | QuotaExceeded | FileTooLarge => DiskError::Stopped(StopReason::DiskFull { quota: None }),
            _ => DiskError::Io { file: file.to_owned(), error },
        }
    }
}

/// The end of an exploration on disk, or of a search there, with what is known however it came.
#[derive(Debug)]
pub struct OnDisk<T = Exploration> {
    /// The numbers of all states, if there was an end; the result of a search. The bytes of the effort are those on disk.
    pub ended: Result<T, DiskError>,
    /// A state that enables nothing, if one has been expanded: the first of its level.
    pub deadlock: Option<crate::model::State>,
    /// At least so many states are reachable.
    pub states: u64,
    /// Levels whose states have all been expanded: states at a distance below this number.
    pub levels: u64,
    /// How many of these an earlier exploration had left.
    pub resumed: u64,
    /// The most bytes that were in the folder.
    pub peak_bytes: u64,
}

impl<T> OnDisk<T> {
    /// The result, and all else that is known.
    pub(crate) fn apart(self) -> (Result<T, DiskError>, OnDisk<()>) {
        let OnDisk { ended, deadlock, states, levels, resumed, peak_bytes } = self;
        (ended, OnDisk { ended: Ok(()), deadlock, states, levels, resumed, peak_bytes })
    }
}
