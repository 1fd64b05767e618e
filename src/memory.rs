//! The memory this process uses, as the operating system counts it.

/// Resident bytes of the process; `None` where the system does not tell.
pub fn resident_bytes() -> Option<u64> {
    // Linux: second field of statm, in pages. The page size is 4 KiB on all targets we build for but some
    // ARM and POWER kernels, where this underestimates.
    let statm = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = statm.split_ascii_whitespace().nth(1)?.parse().ok()?;
    Some(pages * 4096)
}

/// Highest number of resident bytes so far.
pub fn peak_resident_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib * 1024)
}
