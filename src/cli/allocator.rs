//! Return of freed memory to the system.
//!
//! Searches come one after the other, and each frees tables of many megabytes when it ends. The allocator of the GNU C
//! library learns from the first of them to keep such tables, in a heap for each thread, where the next search does not
//! find them: the process grows beyond `--memory` while all that it uses is far below. With a fixed threshold large tables
//! come from the system and go back to it. Other allocators do so anyway.

/// Tables of so many bytes go back to the system at once; so does the end of a heap.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const LARGE: libc::c_int = 128 << 10;

/// Let what is freed go back to the system, from now on.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub(crate) fn give_back() {
    // SAFETY: sets two numbers of the allocator, before there are other threads. Where it refuses, nothing changes.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE);
        libc::mallopt(libc::M_TRIM_THRESHOLD, LARGE);
    }
}

/// Nothing is kept.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(crate) fn give_back() {}
