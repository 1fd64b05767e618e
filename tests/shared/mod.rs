//! Data that are not part of the repository: the folder `shared` beside it.
//!
//! Tests that need them say "skipped" where they are absent, and pass. Where they must be there,
//! `STARSET_REQUIRE_DATA=1` makes their absence a failure: a test must not pass because nothing was tested.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// The part of `../shared` with this name, or of `../../shared` (for a checkout within a folder of checkouts).
///
/// # Panics
/// If there is none, and `STARSET_REQUIRE_DATA=1`.
pub(crate) fn shared(part: &str) -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let found = ["../shared", "../../shared"].iter().map(|folder| root.join(folder).join(part)).find(|at| at.exists());
    if found.is_none() {
        skipped(&format!("there is no ../shared/{part}"));
    }
    found
}

/// The lines of a table with a head, as maps. Some cells are in quotes.
pub(crate) fn table(path: &Path) -> Vec<BTreeMap<String, String>> {
    let text = std::fs::read_to_string(path).unwrap();
    let mut lines = text.lines().map(cells);
    let head = lines.next().unwrap();
    lines.map(|line| head.iter().cloned().zip(line).collect()).collect()
}

fn cells(line: &str) -> Vec<String> {
    let (mut cells, mut quoted) = (vec![String::new()], false);
    for character in line.chars() {
        match character {
            '"' => quoted = !quoted,
            ',' if !quoted => cells.push(String::new()),
            _ => cells.last_mut().unwrap().push(character),
        }
    }
    cells
}

/// Something that a test needs is not there.
///
/// # Panics
/// If it is required: with `STARSET_REQUIRE_DATA=1`.
pub(crate) fn skipped(reason: &str) {
    let required = std::env::var_os("STARSET_REQUIRE_DATA").is_some_and(|value| value == "1");
    assert!(!required, "STARSET_REQUIRE_DATA is set, but {reason}");
    passed_over(reason);
}

/// A test is passed over for lack of a program that few machines have. Says so, and adds a line to the file that
/// `STARSET_SKIPPED` names: what passing tests print is not shown by test runners.
pub(crate) fn passed_over(reason: &str) {
    eprintln!("skipped: {reason}");
    if let Some(path) = std::env::var_os("STARSET_SKIPPED") {
        let file = std::fs::OpenOptions::new().create(true).append(true).open(path);
        file.and_then(|mut file| file.write_all(format!("{reason}\n").as_bytes())).unwrap();
    }
}
