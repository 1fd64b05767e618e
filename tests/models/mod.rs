//! The shipped instances in `models/`: the same as the generator writes, with the numbers of the README.
//!
//! After a change to a family, `STARSET_WRITE_MODELS=1 cargo test models` writes the files anew.

use crate::reference;
use crate::shared::{shared, skipped};
use starset::kinds::net::{families, pnml};
use starset::net::PetriNet;
use std::path::PathBuf;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("models")
}

fn shipped() -> impl Iterator<Item = (String, PetriNet, Vec<u8>)> {
    families::SHIPPED.iter().map(|&(name, n)| {
        let net = families::family(name).unwrap().generate(n).unwrap();
        let mut bytes = Vec::new();
        pnml::write(&net, &mut bytes).unwrap();
        (format!("{name}-{n}.pnml"), net, bytes)
    })
}

#[test]
fn shipped_files_are_what_the_generator_writes() {
    let write = std::env::var_os("STARSET_WRITE_MODELS").is_some();
    let mut names = Vec::new();
    for (file, net, bytes) in shipped() {
        let path = folder().join(&file);
        if write {
            std::fs::write(&path, &bytes).unwrap();
        }
        assert!(std::fs::read(&path).unwrap() == bytes, "{file} is not what the generator writes");
        assert!(pnml::read_path(&path).unwrap() == net, "{file} does not read back to the net");
        names.push(file);
    }
    for entry in std::fs::read_dir(folder()).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(!name.ends_with(".pnml") || names.contains(&name), "{name} is written by no generator");
    }
    assert_eq!(families::FAMILIES.len(), families::SHIPPED.len());
}

/// The README has one row per file, with the numbers that the reference explorer finds, and one row per family.
#[test]
fn the_readme_tells_the_truth() {
    let readme = std::fs::read_to_string(folder().join("README.md")).unwrap();
    let mut missing = String::new();
    let mut expect = |row: String| {
        if !readme.contains(&row) {
            missing.push_str(&format!("{row}\n"));
        }
    };
    for (file, net, _) in shipped() {
        let sizes = format!("| `{file}` | {} | {} |", net.place_count(), net.transition_count());
        expect(match reference::explore(&net, 60_000) {
            Some(graph) => format!(
                "{sizes} {} | {} | {} | {} | {} |",
                graph.states(),
                graph.transitions(),
                graph.max_tokens_in_place(),
                graph.max_tokens_per_marking(),
                graph.deadlocks().len()
            ),
            None => format!("{sizes} infinite | infinite | infinite | infinite | 0 |"),
        });
    }
    for family in families::FAMILIES {
        expect(format!("| `{}` | {} | {} | ", family.name, family.description, family.parameter));
    }
    for (name, n) in [
        ("philo", 20),
        ("phils", 10),
        ("kanban", 10),
        ("kanban", 100),
        ("fms", 10),
        ("fms", 50),
        ("slot", 10),
        ("slot", 20),
        ("token-ring", 20),
    ] {
        expect(format!("| `{name}` {n} | {} |", families::family(name).unwrap().states(n).unwrap()));
    }
    assert!(missing.is_empty(), "models/README.md lacks the rows\n{missing}");
}

/// The families that the benchmark generator also writes are the same nets, names and all.
#[test]
fn families_agree_with_the_benchmark_generator() {
    let Some(script) = shared("bench/pngen.py") else { return };
    let out = tempfile::tempdir().unwrap();
    for name in ["philo", "phils", "kanban", "fms", "slot"] {
        let file = out.path().join(name);
        let Ok(run) = std::process::Command::new("python3").arg(&script).args([name, "4"]).arg(&file).output() else {
            return skipped("there is no python3");
        };
        assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
        let net = families::family(name).unwrap().generate(4).unwrap();
        assert!(pnml::read_path(&file).unwrap() == net, "{name}");
    }
}
