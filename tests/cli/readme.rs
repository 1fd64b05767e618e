//! The commands of README.md, CHANGELOG.md and all documents of the book do what they say. Every block is run, or says that it is
//! not a command, or is listed here with the reason why it is not run.
#![cfg(unix)]

use super::{run, starset};
use assert_cmd::cargo::cargo_bin;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Output};
use std::{env, fs};
use tempfile::TempDir;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// A property for each examination that has a file of them.
const PROPERTIES: [(&str, &str); 7] = [
    ("ReachabilityCardinality", "<exists-path><finally><deadlock/></finally></exists-path>"),
    ("ReachabilityFireability", "<exists-path><finally><deadlock/></finally></exists-path>"),
    ("CTLCardinality", "<all-paths><finally><deadlock/></finally></all-paths>"),
    ("CTLFireability", "<all-paths><finally><deadlock/></finally></all-paths>"),
    ("LTLCardinality", "<all-paths><finally><deadlock/></finally></all-paths>"),
    ("LTLFireability", "<all-paths><finally><deadlock/></finally></all-paths>"),
    ("UpperBounds", "<place-bound><place>Eat_0</place></place-bound>"),
];

/// Blocks of shell commands that are not run as they stand: the document, how they begin, and why.
const NOT_RUN: [(&str, &str, &str); 11] = [
    ("docs/batch.md", "contrib/benchexec_tasks.py", "tests/cli/benchexec.rs runs it where BenchExec is there"),
    (
        "docs/clusters.md",
        "sbatch --array=1-64",
        "the test `jobs_of_clusters` does without Slurm, tests/clusters/slurm.py has one",
    ),
    ("docs/clusters.md", "kubectl ", "likewise; tests/clusters/kubernetes.py validates what it is given"),
    ("docs/clusters.md", "scontrol show hostnames", "it needs Slurm: tests/cli/hosts.rs starts processes by itself"),
    ("docs/clusters.md", "printf ", "tests/clusters/slurm.py runs it where Slurm is there"),
    (
        "docs/formats.md",
        "starset mcc Philosophers-PT-000005.tgz",
        "archives of the contest are not ours: tests/formats has others",
    ),
    ("docs/pins.md", "probcli ", "it needs ProB: tests/pins/prob.rs has a server of its own"),
    ("docs/python.md", "pip install", "it builds starset once more; .ci/run does, and tests what it gives"),
    ("docs/releasing.md", "cargo install", "it builds starset once more"),
    ("docs/robustness.md", "ASAN_OPTIONS=", "it needs another compiler, and hours"),
    ("docs/robustness.md", "RUSTFLAGS=-Zsanitizer=thread", "likewise"),
];

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

/// The other commands of README.md, also those in its sentences.
#[test]
fn readme_commands() {
    let spoken = ["source <(starset completions bash)", "starset man DIR"];
    let folder = prepared();
    let text = document("README.md", folder.path());
    for line in spoken {
        assert!(text.contains(&format!("`{line}`")), "{line}");
        let output = sh(&format!("bash -c '{line}'"), folder.path());
        assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
    }
    assert!(folder.path().join("DIR/starset-states.1").is_file());
}

#[test]
fn tutorial() {
    document("docs/tutorial.md", prepared().path());
}

/// The commands of all other documents.
#[test]
fn documents() {
    let mut documents = super::book::pages();
    documents.retain(|name| name != "docs/tutorial.md");
    assert!(documents.len() > 30, "{documents:?}");
    for name in documents.iter().map(String::as_str).chain(["models/README.md", "ARCHITECTURE.md"]) {
        let folder = prepared();
        let text = document(name, folder.path());
        // In sentences: what names a model is an example, other code is a synopsis.
        for code in text.split('`').filter(|code| code.starts_with("starset ") && code.contains(" models/")) {
            let output = sh(code, folder.path());
            assert!(output.status.success(), "{name}: {code}: {}", String::from_utf8_lossy(&output.stderr));
        }
    }
}

/// No reason is given for what is not there.
#[test]
fn blocks_that_are_not_run() {
    for (name, beginning, _) in NOT_RUN {
        let text = fs::read_to_string(Path::new(ROOT).join(name)).unwrap();
        let found = blocks(&text).into_iter().any(|(kind, body)| kind.starts_with("sh") && body.starts_with(beginning));
        assert!(found, "{name}: {beginning}");
    }
}

/// ARCHITECTURE.md has a word about each folder of the source and each dependency, and about none that are not there.
#[test]
fn architecture() {
    let text = fs::read_to_string(Path::new(ROOT).join("ARCHITECTURE.md")).unwrap();
    for entry in fs::read_dir(Path::new(ROOT).join("src")).unwrap().map(|entry| entry.unwrap()) {
        let name = entry.file_name().into_string().unwrap();
        let named = if entry.path().is_dir() { format!("`src/{name}/`") } else { format!("`src/{name}`") };
        assert!(name == "lib.rs" || text.contains(&named), "{named}");
    }
    let manifest = fs::read_to_string(Path::new(ROOT).join("Cargo.toml")).unwrap();
    let sections = manifest.split("\n[").filter(|section| section.split(']').next().unwrap().ends_with("dependencies"));
    let names: Vec<_> =
        sections.flat_map(|section| section.lines().skip(1)).filter_map(|l| l.split_once(" = ")).collect();
    assert!(names.len() > 20, "{names:?}");
    for (name, _) in names.iter().filter(|(name, _)| *name != "spot-rs") {
        assert!(text.contains(&format!("`{name}`")), "{name}");
    }
    for path in text.split('`').skip(1).step_by(2).filter(|code| code.ends_with('/') && !code.contains(' ')) {
        assert!(Path::new(ROOT).join(path).is_dir() || Path::new(ROOT).join("src").join(path).is_dir(), "{path}");
    }
}

/// What schedulers of clusters are given runs: the script for Slurm, and the arguments of the container for Kubernetes.
#[test]
fn jobs_of_clusters() {
    let contrib = Path::new(ROOT).join("contrib");
    let script = contrib.join("slurm/batch.sh");
    let slurm = format!(
        "export SLURM_ARRAY_TASK_ID=2 SLURM_ARRAY_TASK_COUNT=64\n'{}' results INSTANCES --memory 1G",
        script.display()
    );
    let manifest = fs::read_to_string(contrib.join("kubernetes/batch.yaml")).unwrap();
    let arguments = manifest.split_once(" args:\n").unwrap().1.lines().map_while(|line| line.trim().strip_prefix("- "));
    let words: Vec<_> = arguments.map(|word| word.replace("$(JOB_COMPLETION_INDEX)", "3")).collect();
    let kubernetes =
        format!("starset {}", words.join(" ")).replace("/instances", "INSTANCES").replace("/results", "results");
    let folder = prepared();
    for (line, index) in [(slurm, 2), (kubernetes, 3)] {
        // A second time nothing is left to do.
        for _ in 0..2 {
            let output = sh(&line, folder.path());
            assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
            // Numbers 2 and 4 of 64: an examination each.
            let part = folder.path().join(format!("results/part-{index}.jsonl"));
            assert_eq!(fs::read_to_string(&part).unwrap().lines().count(), 1, "{line}");
        }
    }
    let usage = sh(&format!("'{}' results", script.display()), folder.path());
    assert_eq!(usage.status.code(), Some(2));
}

/// Runs the commands of a document one after the other in a folder: they succeed, and print what is shown below them.
/// Those that build starset are left out.
#[track_caller]
fn document(name: &str, folder: &Path) -> String {
    let text = fs::read_to_string(Path::new(ROOT).join(name)).unwrap();
    let blocks = blocks(&text);
    for (kind, body) in &blocks {
        match *kind {
            "console" => assert!(body.starts_with("$ "), "{name}: which command? {body}"),
            "sh" | "sh,ignore" => {
                let reason = NOT_RUN.iter().find(|(of, beginning, _)| *of == name && body.starts_with(beginning));
                assert!(reason.is_some(), "{name}: why is this not run? {body}");
            }
            "" => panic!("{name}: say what this is: console, text, …: {body}"),
            _ => assert!(!body.lines().any(|line| line.starts_with("$ ")), "{name}: a command in ```{kind}: {body}"),
        }
    }
    let commands = blocks.iter().filter(|(kind, _)| *kind == "console").flat_map(|(_, body)| commands(body));
    for (line, expected) in commands.filter(|(line, _)| !line.starts_with("cargo ")) {
        let output = sh(&line, folder);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{name}: {line}: {said}");
        if !expected.is_empty() {
            assert_eq!(String::from_utf8_lossy(&output.stdout), expected, "{name}: {line}: {said}");
        }
    }
    text
}

/// The blocks of a document: what they say that they are, and what is in them.
fn blocks(text: &str) -> Vec<(&str, String)> {
    let (mut blocks, mut open): (Vec<(&str, String)>, bool) = (Vec::new(), false);
    for line in text.lines() {
        match (line.strip_prefix("```"), open) {
            (Some(kind), false) => blocks.push((kind, String::new())),
            (None, true) => {
                let (_, body) = blocks.last_mut().unwrap();
                *body += &format!("{line}\n");
            }
            _ => {}
        }
        open ^= line.starts_with("```");
    }
    assert!(!open, "a block without end");
    blocks
}

/// The commands of a block, each with what is shown below it.
fn commands(block: &str) -> Vec<(String, String)> {
    let mut commands: Vec<(String, String)> = Vec::new();
    for line in block.lines() {
        match (line.strip_prefix("$ "), commands.last_mut()) {
            (Some(command), _) => commands.push((command.to_owned(), String::new())),
            (None, Some((command, _))) if command.ends_with('\\') => *command += &format!("\n{line}"),
            (None, Some((_, output))) => *output += &format!("{line}\n"),
            (None, None) => panic!("what is printed by which command? {line}"),
        }
    }
    commands
}

/// Runs a command line as a user's shell does, with the program on the path.
pub(super) fn sh(line: &str, folder: &Path) -> Output {
    let binary = cargo_bin("starset");
    let path = format!("{}:{}", binary.parent().unwrap().display(), env::var("PATH").unwrap());
    let path = format!("{path}:{}", folder.join("bin").display());
    Command::new("sh").args(["-c", line]).current_dir(folder).env("PATH", path).output().unwrap()
}

/// Each example runs, in a folder of its own but for the sets that `combine` wants.
#[test]
fn changelog_commands() {
    let text = fs::read_to_string(Path::new(ROOT).join("CHANGELOG.md")).unwrap();
    let codes = text.split('`').skip(1).step_by(2).filter_map(|code| code.strip_prefix("starset "));
    // A synopsis is not a command.
    let synopsis = |word: &str| word.len() > 1 && word.chars().all(|c| c.is_ascii_uppercase());
    let example = |code: &&str| code.contains(' ') && !code.split_whitespace().any(synopsis);
    let commands: Vec<_> = codes.filter(example).collect();
    assert!(commands.len() >= 8, "{commands:?}");
    for command in commands {
        let (line, folder) = (format!("starset {command}"), prepared());
        let output = sh(&line, folder.path());
        assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

/// A folder with the shipped models and some files to work on.
pub(super) fn prepared() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let models = Path::new(ROOT).join("models");
    std::os::unix::fs::symlink(&models, at("models")).unwrap();
    for instance in ["INSTANCE", "INSTANCES/philo"] {
        fs::create_dir_all(at(instance)).unwrap();
        fs::copy(models.join("philo-5.pnml"), at(instance).join("model.pnml")).unwrap();
        for (examination, formula) in PROPERTIES {
            let property = format!("<property><id>{examination}-00</id><formula>{formula}</formula></property>");
            let file = at(instance).join(format!("{examination}.xml"));
            fs::write(file, format!("<property-set xmlns=\"http://mcc.lip6.fr/\">{property}</property-set>")).unwrap();
        }
    }
    let expected = "instance,examination,formula_id,expected\nphilo,ReachabilityDeadlock,ReachabilityDeadlock,TRUE\n";
    fs::write(at("INSTANCES/expected.csv"), expected).unwrap();
    fs::write(at("results-1.jsonl"), "").unwrap();
    fs::write(at("net.lola"), "PLACE p, q; MARKING p: 1; TRANSITION t CONSUME p: 1; PRODUCE q: 1;").unwrap();
    fs::write(at("net.task"), "EF (DEADLOCK)\n").unwrap();
    fs::write(at("formulas.txt"), "#1:\nG (send -> X consume)\n").unwrap();
    // Where there is no Graphviz, this will do.
    fs::create_dir(at("bin")).unwrap();
    fs::write(at("bin/dot"), "#!/bin/sh\nexec cat\n").unwrap();
    fs::set_permissions(at("bin/dot"), fs::Permissions::from_mode(0o755)).unwrap();
    let set = "starset satset models/philo-5.pnml";
    for set in [
        format!("{set} -f deadlock --save other.set"),
        format!("{set} -f '#Eat_0 = 1' --save a.set"),
        format!("{set} -f '#Eat_0 >= 1' --save b.set"),
    ] {
        assert!(sh(&set, folder.path()).status.success(), "{set}");
    }
    folder
}
