//! The commands of README.md and CHANGELOG.md do what they say.

use super::{run, starset};
use std::fs;
use std::path::Path;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// The first command with its output, as it stands there (the summary apart, which tells the time).
#[test]
fn readme() {
    let text = fs::read_to_string(Path::new(ROOT).join("README.md")).unwrap();
    let (_, block) = text.split_once("$ cargo run --release -- ").unwrap();
    let (block, _) = block.split_once("```").unwrap();
    let (command, output) = block.split_once('\n').unwrap();
    let (expected, summary) = output.trim_end().rsplit_once('\n').unwrap();
    let (out, err, status) = run(starset().args(command.split_whitespace()).current_dir(ROOT));
    assert_eq!((out.trim_end(), status), (expected, 0));
    assert!(summary.starts_with("saturation in ") && err.starts_with("saturation in "), "{err}");
}

/// Each example runs, in a folder of its own.
#[test]
fn changelog() {
    let text = fs::read_to_string(Path::new(ROOT).join("CHANGELOG.md")).unwrap();
    let models = Path::new(ROOT).join("models");
    let mut examples = 0;
    for example in text.split('`').skip(1).step_by(2).filter_map(|code| code.strip_prefix("starset ")) {
        // A synopsis, not a command.
        if example.chars().any(|c| c.is_ascii_uppercase()) || example == "man" {
            continue;
        }
        let folder = tempfile::tempdir().unwrap();
        let arguments = example.split_whitespace().map(|word| match word.strip_prefix("models/") {
            Some(model) => models.join(model).display().to_string(),
            None => word.to_owned(),
        });
        let (out, err, status) = run(starset().args(arguments).current_dir(folder.path()));
        assert!([0, 3].contains(&status), "{example}: {out}{err}");
        examples += 1;
    }
    assert!(examples >= 6, "{examples}");
}
