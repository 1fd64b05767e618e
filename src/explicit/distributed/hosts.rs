//! The file that lists the processes: one `host:port` a line.

use super::host::Host;
use super::outcome::ClusterError;
use std::fs;
use std::path::Path;

/// Read the list. Empty lines and those that begin with `#` count for nothing.
///
/// # Errors
/// When it cannot be read, a line is something else, two are the same, or there is none.
pub fn hosts(file: &Path) -> Result<Vec<Host>, ClusterError> {
    let refused = |what: String| Err(ClusterError::Refused(format!("{}{what}", file.display())));
    let text = match fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) => return refused(format!(": {error}")),
    };
    let mut found: Vec<(usize, Host)> = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let host = match Host::of(line) {
            Ok(host) => host,
            Err(why) => return refused(format!(":{number}: `{line}`: {why}; write one host:port a line")),
        };
        if let Some((first, _)) = found.iter().find(|(_, other)| *other == host) {
            let what = "each process needs a port of its own";
            return refused(format!(":{number}: `{line}` is on line {first} already; {what}"));
        }
        found.push((number, host));
    }
    if found.is_empty() {
        return refused(": it lists no process; write one host:port a line".to_owned());
    }
    Ok(found.into_iter().map(|(_, host)| host).collect())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn read(text: &str) -> Result<Vec<String>, String> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("hosts");
        fs::write(&file, text).unwrap();
        let found = hosts(&file).map_err(|error| error.to_string().rsplit_once("hosts").unwrap().1.to_owned());
        found.map(|hosts| hosts.iter().map(Host::to_string).collect())
    }

    #[test]
    fn lists_are_read() {
        let text = "# two machines\n\nnode-1:4000\n  10.0.0.2:4000  \n[fe80::1]:4000\r\n";
        assert_eq!(read(text).unwrap(), ["node-1:4000", "10.0.0.2:4000", "[fe80::1]:4000"]);
    }

    #[test]
    fn wrong_lines_are_named() {
        let wrong = [
            ("a:1\nb\n", ":2: `b`: there is no port; write one host:port a line"),
            ("a:0", ":1: `a:0`: the port is no number"),
            ("a:70000", "the port is no number from 1 to 65535"),
            ("a:b", "the port is no number"),
            (":4000", "the host is no name and no address"),
            ("fe80::1:4000", "the host is no name and no address"),
            ("a:1\n\nb:1\na:1", ":4: `a:1` is on line 1 already"),
            ("# nobody\n", ": it lists no process"),
        ];
        for (text, why) in wrong {
            let error = read(text).unwrap_err();
            assert!(error.contains(why), "{error}");
        }
        let missing = hosts(Path::new("no/such/file")).unwrap_err().to_string();
        assert!(missing.starts_with("no/such/file: "), "{missing}");
    }
}
