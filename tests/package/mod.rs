//! What the package takes along: the library without the program needs nothing that only the program does.

use std::collections::BTreeSet;
use std::process::Command;

/// What the program has beside the library.
const OF_THE_PROGRAM: [&str; 5] = ["clap", "clap_complete", "clap_mangen", "ctrlc", "indicatif"];

/// The names of all packages that the library depends on, with these features.
fn dependencies(features: &[&str]) -> BTreeSet<String> {
    let mut command = Command::new(env!("CARGO"));
    command.args(["tree", "--package", "starset", "--edges", "normal", "--prefix", "none", "--format", "{p}"]);
    let output =
        command.args(["--offline", "--locked"]).args(features).current_dir(env!("CARGO_MANIFEST_DIR")).output();
    let output = output.unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().filter_map(|line| line.split(' ').next()).map(str::to_owned).collect()
}

#[test]
fn the_library_alone_needs_less() {
    let (alone, program) = (dependencies(&["--no-default-features"]), dependencies(&[]));
    assert!(alone.contains("starset") && alone.contains("oxidd-core"), "{alone:?}");
    assert!(alone.is_subset(&program));
    for name in OF_THE_PROGRAM {
        assert!(program.contains(name), "{name} is not needed by the program either");
        assert!(!alone.iter().any(|package| package.starts_with(name)), "{name} is needed: {alone:?}");
    }
}
