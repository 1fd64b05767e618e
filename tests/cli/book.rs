//! The book: every document is a chapter, every link leads somewhere, every command and every option has its place.

use super::{run, starset};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// The documents of the book, as paths from the folder of the project.
pub(super) fn pages() -> Vec<String> {
    let (mut folders, mut pages) = (vec!["docs".to_owned()], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(Path::new(ROOT).join(&folder)).unwrap().map(|entry| entry.unwrap()) {
            let name = format!("{folder}/{}", entry.file_name().to_str().unwrap());
            match name.ends_with(".md") {
                true => pages.push(name),
                false if entry.path().is_dir() => folders.push(name),
                false => {}
            }
        }
    }
    pages.sort();
    pages
}

/// The links of a document to files.
fn links(text: &str) -> Vec<&str> {
    let targets = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let files = targets.filter(|target| !target.contains("://") && !target.starts_with('#') && !target.contains(' '));
    files.map(|target| target.split('#').next().unwrap()).collect()
}

#[test]
fn every_document_is_a_chapter() {
    let summary = fs::read_to_string(Path::new(ROOT).join("docs/SUMMARY.md")).unwrap();
    let chapters: Vec<String> = links(&summary).into_iter().map(|link| format!("docs/{link}")).collect();
    let once: BTreeSet<&String> = chapters.iter().collect();
    assert_eq!(once.len(), chapters.len(), "a chapter comes twice");
    let pages = pages();
    assert_eq!(once, pages.iter().filter(|page| *page != "docs/SUMMARY.md").collect());
}

#[test]
fn links_lead_somewhere() {
    let book = Path::new(ROOT).join("docs").canonicalize().unwrap();
    for page in pages().into_iter().chain(["README.md".to_owned()]) {
        let path = Path::new(ROOT).join(&page);
        let text = fs::read_to_string(&path).unwrap();
        for link in links(&text) {
            assert!(path.parent().unwrap().join(link).exists(), "{page}: {link}");
            // What lies outside is not in the book.
            let target = path.parent().unwrap().join(link).canonicalize().unwrap();
            assert!(page == "README.md" || target.starts_with(&book), "{page}: {link}");
        }
    }
}

/// The page of a command names its options, but for those that the page about common ones names.
#[test]
fn every_command_has_a_page_with_its_options() {
    let page = |name: &str| {
        let path = Path::new(ROOT).join(format!("docs/commands/{name}.md"));
        fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
    };
    let common = page("common");
    let named = |text: &str, option: &str| {
        let mut rest = text.split(option).skip(1);
        rest.any(|rest| !rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '-'))
    };
    for command in super::terminal::commands() {
        let text = page(&command);
        assert!(text.starts_with(&format!("# starset {command}\n")), "{command}");
        assert!(text.contains(&format!("$ starset {command}")), "{command}");
        let (help, ..) = run(starset().args([&command, "--help"]));
        let options = help.split("\nExamples:").next().unwrap().lines().filter_map(|line| {
            let option = line.trim_start().split_once("--").filter(|(before, _)| before.len() <= 4)?.1;
            line.trim_start().starts_with('-').then(|| {
                format!("--{}", option.split(|c: char| !c.is_ascii_alphanumeric() && c != '-').next().unwrap())
            })
        });
        for option in options.filter(|option| option != "--help") {
            assert!(named(&text, &option) || named(&common, &option), "{command}: {option}");
        }
    }
}
