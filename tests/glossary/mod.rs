//! The glossary has every public type of the folders that it has a section about, and no type that is gone.

use crate::arrows::files;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

const FOLDERS: [&str; 5] = ["decide", "symbolic", "explicit", "relation", "mdd"];

fn read(file: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).unwrap()
}

/// The name of a type, as opposed to that of a constant, a function or a module.
fn is_type(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_uppercase()) && name.contains(|c: char| c.is_ascii_lowercase())
}

/// The names of the types that items of this visibility define in a file.
fn defined(text: &str, visibilities: &[&str]) -> BTreeSet<String> {
    let items = text.lines().filter_map(|line| {
        let (_, item) =
            visibilities.iter().find_map(|start| line.split_once(start).filter(|(before, _)| before.is_empty()))?;
        let mut words = item.split(|c: char| !c.is_alphanumeric());
        words.next().filter(|word| ["struct", "enum", "trait", "type"].contains(word))?;
        words.next()
    });
    items.filter(|name| is_type(name)).map(str::to_owned).collect()
}

/// The types that a folder shows to others: those that its `mod.rs` re-exports or defines.
fn public(folder: &str) -> BTreeSet<String> {
    let text = read(&format!("src/{folder}/mod.rs"));
    let mut names = defined(&text, &["pub ", "pub(crate) "]);
    for start in ["\npub use ", "\npub(crate) use "] {
        for rest in text.split(start).skip(1) {
            let tree = rest.split(';').next().unwrap();
            assert!(!tree.contains('*'), "{folder}: {tree}");
            let named = tree.split(['{', '}', ',']).filter_map(|path| path.split([' ', ':']).next_back());
            names.extend(named.map(str::trim).filter(|name| is_type(name)).map(str::to_owned));
        }
    }
    names
}

/// All types that files of a folder define, whoever may see them.
fn all(folder: &Path) -> BTreeSet<String> {
    let mut paths = Vec::new();
    files(folder, &mut paths);
    let visibilities = ["pub ", "pub(crate) ", "pub(super) ", "pub(in crate::decide) "];
    paths.iter().flat_map(|path| defined(&fs::read_to_string(path).unwrap(), &visibilities)).collect()
}

/// The types in the section of a folder: names in brackets behind their terms.
fn explained(glossary: &str, folder: &str) -> BTreeSet<String> {
    let heading = format!(": `{folder}`\n");
    let section = glossary.split("\n## ").find(|section| section.contains(&heading)).unwrap();
    let quoted = section.split('`').skip(1).step_by(2);
    quoted.filter(|name| is_type(name)).map(str::to_owned).collect()
}

#[test]
fn glossary_has_every_public_type() {
    let glossary = read("docs/glossary.md");
    for folder in FOLDERS {
        let (public, explained) = (public(folder), explained(&glossary, folder));
        assert!(public.len() >= 9, "{folder}: {public:?}");
        let missing: Vec<_> = public.difference(&explained).collect();
        assert!(missing.is_empty(), "docs/glossary.md lacks types of src/{folder}: {missing:?}");
        let known = all(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(folder));
        let gone: Vec<_> = explained.difference(&known).collect();
        assert!(gone.is_empty(), "docs/glossary.md explains types that src/{folder} does not have: {gone:?}");
    }
}

#[test]
fn public_types_are_those_that_others_can_name() {
    let decide = public("decide");
    for name in ["Answer", "Listener", "Settings"] {
        assert!(decide.contains(name), "{name}");
    }
    assert!(!decide.contains("SWITCHES") && !decide.contains("Board"), "{decide:?}");
    assert!(public("explicit").contains("Encoding") && public("relation").contains("LinkId"));
}
