//! The folder of an exploration: its files, the lock, and the quota.
//!
//! The folder is nobody else's: one that has other files is refused, and a lock keeps a second program out. All that is
//! written goes through [`Output`], which counts it.

use super::outcome::DiskError;
use crate::stop_reason::StopReason;
use rustc_hash::FxHashSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The manifest, its successor until it takes its place, and the lock.
const MANIFEST: &str = "manifest";
const NEXT_MANIFEST: &str = "manifest.next";
const LOCK: &str = "lock";
/// How the names of runs begin.
const RUN: &str = "run-";

/// An open folder, locked for this program.
#[derive(Debug)]
pub(super) struct Folder {
    path: PathBuf,
    quota: u64,
    used: AtomicU64,
    peak: AtomicU64,
    /// The number of the next run.
    next: AtomicU64,
    /// Does data have to be on the disk when it is said to be?
    durable: bool,
    #[cfg(test)]
    fault: super::tests::Fault,
    _lock: File,
}

impl Folder {
    /// Open a folder, and make it where there is none.
    pub(super) fn open(path: &Path, quota: Option<u64>, durable: bool) -> Result<Folder, DiskError> {
        let fault = |error| DiskError::of(path, error);
        if path.is_file() {
            let why = "it is a file; give a folder that is empty or does not exist".to_owned();
            return Err(DiskError::Refused { folder: path.to_owned(), why });
        }
        fs::create_dir_all(path).map_err(fault)?;
        let lock = path.join(LOCK);
        // The lock is the first file, and stays.
        let is_new = !lock.exists();
        for entry in fs::read_dir(path).map_err(fault)? {
            let name = entry.map_err(fault)?.file_name();
            let name = name.to_string_lossy();
            if is_new || !is_ours(&name) {
                let why = format!("there is a file `{name}` of something else; give an empty folder");
                return Err(DiskError::Refused { folder: path.to_owned(), why });
            }
        }
        let open = OpenOptions::new().create(true).truncate(false).write(true).open(&lock);
        let file = open.map_err(|error| DiskError::of(&lock, error))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(fs::TryLockError::WouldBlock) => {
                let why = "another program explores in this folder; wait for its end, or give another one".to_owned();
                return Err(DiskError::Refused { folder: path.to_owned(), why });
            }
            Err(fs::TryLockError::Error(error)) => return Err(DiskError::of(&lock, error)),
        }
        Ok(Folder {
            path: path.to_owned(),
            quota: quota.unwrap_or(u64::MAX),
            used: AtomicU64::new(0),
            peak: AtomicU64::new(0),
            next: AtomicU64::new(0),
            durable,
            #[cfg(test)]
            fault: super::tests::fault(),
            _lock: file,
        })
    }

    /// Its path.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The most bytes that were in it.
    pub(super) fn peak(&self) -> u64 {
        self.peak.load(Relaxed)
    }

    /// The number that the next run gets.
    pub(super) fn next(&self) -> u64 {
        self.next.load(Relaxed)
    }

    /// Runs get numbers from this one on.
    pub(super) fn begin_at(&self, next: u64) {
        self.next.store(next, Relaxed);
    }

    /// The path of a run.
    pub(super) fn run(&self, number: u64) -> PathBuf {
        self.path.join(format!("{RUN}{number}"))
    }

    /// Make a file for a run.
    pub(super) fn create(&self) -> Result<(u64, Output<'_>), DiskError> {
        let number = self.next.fetch_add(1, Relaxed);
        let path = self.run(number);
        let file = File::create(&path).map_err(|error| DiskError::of(&path, error))?;
        Ok((number, Output { folder: self, path, file, bytes: 0 }))
    }

    /// Remove a run of so many bytes.
    pub(super) fn remove(&self, number: u64, bytes: u64) {
        self.used.fetch_sub(bytes, Relaxed);
        if !self.is_dead() {
            // What is left is removed by the next program.
            let _left = fs::remove_file(self.run(number));
        }
    }

    /// Remove all runs but these, and count the bytes of these.
    pub(super) fn sweep(&self, kept: &[u64]) -> Result<(), DiskError> {
        if self.is_dead() {
            return Ok(());
        }
        let fault = |error| DiskError::of(&self.path, error);
        let kept: FxHashSet<u64> = kept.iter().copied().collect();
        let mut used = 0;
        for entry in fs::read_dir(&self.path).map_err(fault)? {
            let entry = entry.map_err(fault)?;
            let name = entry.file_name();
            let name = name.to_string_lossy();
            let number = name.strip_prefix(RUN).and_then(|number| number.parse::<u64>().ok());
            match number {
                Some(number) if kept.contains(&number) => used += entry.metadata().map_err(fault)?.len(),
                Some(_) => fs::remove_file(entry.path()).map_err(|error| DiskError::of(&entry.path(), error))?,
                None => {}
            }
        }
        self.used.store(used, Relaxed);
        self.peak.fetch_max(used, Relaxed);
        Ok(())
    }

    /// The manifest, if there is one.
    pub(super) fn manifest(&self) -> Result<Option<Vec<u8>>, DiskError> {
        let path = self.path.join(MANIFEST);
        match fs::read(&path) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(DiskError::of(&path, error)),
        }
    }

    /// The path of the manifest.
    pub(super) fn manifest_path(&self) -> PathBuf {
        self.path.join(MANIFEST)
    }

    /// Put a manifest in the place of the one that is there.
    pub(super) fn replace_manifest(&self, bytes: &[u8]) -> Result<(), DiskError> {
        let path = self.path.join(NEXT_MANIFEST);
        let fault = |error| DiskError::of(&path, error);
        let file = File::create(&path).map_err(fault)?;
        // It is small, and in place of another: it is not counted.
        let mut output = Output { folder: self, path: path.clone(), file, bytes: 0 };
        output.put(bytes).map_err(fault)?;
        if self.durable {
            output.file.sync_all().map_err(fault)?;
        }
        drop(output);
        fs::rename(&path, self.path.join(MANIFEST)).map_err(fault)?;
        if self.durable && cfg!(unix) {
            let folder = File::open(&self.path).and_then(|folder| folder.sync_all());
            folder.map_err(|error| DiskError::of(&self.path, error))?;
        }
        Ok(())
    }

    /// Count bytes that are about to be written.
    fn take(&self, bytes: u64) -> Result<(), DiskError> {
        let used = self.used.fetch_add(bytes, Relaxed) + bytes;
        if used > self.quota {
            return Err(DiskError::Stopped(StopReason::DiskFull { quota: Some(self.quota) }));
        }
        self.peak.fetch_max(used, Relaxed);
        Ok(())
    }

    /// Has the program been ended, as far as a test goes? Then it does nothing any more.
    fn is_dead(&self) -> bool {
        #[cfg(test)]
        if let Some((after, ErrorKind::ConnectionAborted)) = &self.fault {
            return after.load(Relaxed) == 0;
        }
        false
    }
}

/// Is a file of this name one of an exploration?
fn is_ours(name: &str) -> bool {
    let is_run = |name: &str| name.strip_prefix(RUN).is_some_and(|number| number.parse::<u64>().is_ok());
    [MANIFEST, NEXT_MANIFEST, LOCK].contains(&name) || is_run(name)
}

/// A file that is written.
#[derive(Debug)]
pub(super) struct Output<'f> {
    folder: &'f Folder,
    path: PathBuf,
    file: File,
    bytes: u64,
}

impl Output<'_> {
    /// Write some bytes.
    pub(super) fn write(&mut self, bytes: &[u8]) -> Result<(), DiskError> {
        // What a run has taken is given back with it, or by the next sweep.
        self.folder.take(bytes.len() as u64)?;
        self.bytes += bytes.len() as u64;
        self.put(bytes).map_err(|error| DiskError::of(&self.path, error))
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        #[cfg(test)]
        if let Some((after, kind)) = &self.folder.fault {
            let left = after.load(Relaxed);
            let done = left.min(bytes.len() as u64);
            after.store(left - done, Relaxed);
            self.file.write_all(&bytes[..done as usize])?;
            return if done < bytes.len() as u64 { Err((*kind).into()) } else { Ok(()) };
        }
        self.file.write_all(bytes)
    }

    /// The end of the file, of which this many bytes were written; it is on the disk if it has to stay.
    pub(super) fn close(self, stays: bool) -> Result<u64, DiskError> {
        if stays && self.folder.durable {
            self.file.sync_data().map_err(|error| DiskError::of(&self.path, error))?;
        }
        Ok(self.bytes)
    }
}
