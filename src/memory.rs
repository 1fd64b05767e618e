//! The memory this process uses, and how much the machine lets it use, as the operating system counts it.

use std::fs;
use std::path::{Path, PathBuf};

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

/// The bytes this process may use, and where that number comes from; `None` where the system does not tell.
///
/// The least of: the memory that is free or can be freed (`MemAvailable`), the limit of every control
/// group that the process is in, version 1 or 2, and the limit on the address space (`ulimit -v`), less what is
/// reserved and never used. A limit of a group holds for the groups inside it, so all ancestors are looked at.
pub fn allowed() -> Option<(u64, &'static str)> {
    let available = fs::read_to_string("/proc/meminfo").ok().and_then(|text| available(&text));
    let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let limit = limit_files(&groups).iter().filter_map(|file| limit(&fs::read_to_string(file).ok()?)).min();
    let space = fs::read_to_string("/proc/self/limits").ok().and_then(|text| address_space(&text));
    let sources = [
        (available, "the memory available"),
        (limit, "the limit of the control group"),
        (space, "the limit on the address space"),
    ];
    sources.into_iter().filter_map(|(bytes, source)| Some((bytes?, source))).min()
}

/// `MemAvailable` of /proc/meminfo, in bytes.
fn available(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kib.checked_mul(1024)
}

/// Address space within the limit in /proc/self/limits, without the stacks of threads, in bytes.
fn address_space(limits: &str) -> Option<u64> {
    const STACKS: u64 = 3 << 29;
    const LEAST: u64 = 1 << 26;
    let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    let bytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(bytes.saturating_sub(STACKS).max(LEAST))
}

/// The files that hold the memory limits of the groups listed in /proc/self/cgroup, and of their ancestors.
fn limit_files(groups: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for line in groups.lines() {
        // Version 2 is `0::/path`, version 1 is `4:memory:/path` (or several controllers with commas).
        let mut fields = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(path)) = (fields.next(), fields.next()) else { continue };
        let (root, name) = match controllers {
            "" => (Path::new("/sys/fs/cgroup"), "memory.max"),
            list if list.split(',').any(|c| c == "memory") => {
                (Path::new("/sys/fs/cgroup/memory"), "memory.limit_in_bytes")
            }
            _ => continue,
        };
        // In a container the path may be that of the host; its root then still has the limit.
        let group = Path::new(path.trim_start_matches('/'));
        files.extend(group.ancestors().map(|ancestor| root.join(ancestor).join(name)));
    }
    files
}

/// A limit file: a number of bytes, or `max`. Version 1 writes a huge number where there is none, which the
/// minimum with the memory of the machine sees to.
fn limit(text: &str) -> Option<u64> {
    text.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn address_spaces() {
        let text = |limit: &str| {
            format!("Max cpu time  unlimited  unlimited  seconds\nMax address space  {limit}  unlimited  bytes\n")
        };
        assert_eq!(address_space(&text("unlimited")), None);
        assert_eq!(address_space(&text("4294967296")), Some(5 << 29));
        assert_eq!(address_space(&text("1000")), Some(1 << 26));
    }

    #[test]
    fn meminfo() {
        assert_eq!(available("MemTotal:  9 kB\nMemAvailable:   12345 kB\n"), Some(12345 * 1024));
        assert_eq!(available("MemTotal:  9 kB\n"), None);
    }

    #[test]
    fn version_2_looks_at_all_ancestors() {
        let files = limit_files("0::/user.slice/session.scope\n");
        let files: Vec<_> = files.iter().map(|f| f.to_str().unwrap()).collect();
        let expected = ["user.slice/session.scope/memory.max", "user.slice/memory.max", "memory.max"];
        assert_eq!(files, expected.map(|f| format!("/sys/fs/cgroup/{f}")));
    }

    #[test]
    fn version_1_looks_at_the_memory_controller() {
        let files = limit_files("12:cpu,cpuacct:/x\n4:memory:/docker\n");
        let files: Vec<_> = files.iter().map(|f| f.to_str().unwrap()).collect();
        let expected = ["docker/memory.limit_in_bytes", "memory.limit_in_bytes"];
        assert_eq!(files, expected.map(|f| format!("/sys/fs/cgroup/memory/{f}")));
    }

    #[test]
    fn limits() {
        assert_eq!(limit("max\n"), None);
        assert_eq!(limit("1073741824\n"), Some(1 << 30));
    }
}
