//! Who uses whom: the arrows between the folders of `src`, and circles of files in all crates.
//!
//! The sources are read as text: `use` lines, and paths that begin with `crate`, `super` or a module inside. A name that a module
//! re-exports counts as an arrow to the file that defines it; tests inside of files do not count. [`FOLDERS`] has what is allowed, from the ground up:
//! a folder uses none but those before it. An arrow that is not in the table fails, and so does a line of the table that nothing
//! needs any more.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// A part of the sources, and the parts that it uses.
type Table = &'static [(&'static str, &'static str)];

/// The folders and files of `src`, from the ground up.
const FOLDERS: Table = &[
    ("budget", ""),
    ("circuit", ""),
    ("memory", ""),
    ("model", ""),
    ("rng", ""),
    ("scc", ""),
    ("threads", ""),
    ("xml", ""),
    ("files", "budget"),
    ("sat", "budget circuit rng"),
    ("mdd", "budget memory rng"),
    ("net", "model"),
    ("formula", "files model net xml"),
    // Formulas of LTL have one grammar, that of `formula`.
    ("automaton", "budget formula rng scc"),
    ("structure", "budget model net rng"),
    ("order", "budget model net structure"),
    ("picture", "automaton formula model net xml"),
    ("reduction", "budget model net rng scc structure"),
    ("stop_reason", "automaton budget formula mdd"),
    ("explicit", "automaton budget formula model rng scc stop_reason threads"),
    ("relation", "budget model stop_reason"),
    (
        "kinds",
        "budget circuit explicit files formula mdd model net order picture reduction relation rng stop_reason structure threads xml",
    ),
    ("symbolic", "automaton budget formula mdd model relation rng scc stop_reason"),
    ("random", "budget formula kinds model net rng"),
    ("processes", "budget formula kinds mdd model order relation rng scc stop_reason symbolic"),
    // Runs that an automaton accepts are replayed on it.
    ("witness", "automaton budget explicit formula model stop_reason symbolic"),
    (
        "decide",
        "automaton budget circuit explicit formula kinds mdd model net order reduction relation rng sat stop_reason structure symbolic witness",
    ),
    ("certify", "budget decide files formula kinds mdd model net order rng scc stop_reason structure symbolic witness"),
    ("cross", "automaton budget decide explicit formula kinds mdd model net order random rng stop_reason symbolic"),
    ("examination", "budget decide files formula kinds model stop_reason symbolic"),
    ("traces", "automaton budget files formula kinds mdd model net processes stop_reason symbolic xml"),
    (
        "report",
        "budget decide examination explicit formula kinds mdd memory model net order picture processes stop_reason symbolic traces witness xml",
    ),
    (
        "facade",
        "automaton budget certify decide formula kinds mdd model picture processes report rng stop_reason symbolic traces witness",
    ),
];

/// The parts of `src/decide`, from the ground up.
const DECIDE: Table = &[
    ("conditions", ""),
    ("state_space", ""),
    ("answer", "state_space"),
    ("profile", "answer state_space"),
    // `answer` in tests alone: a technique that is broken on purpose.
    ("settings", "answer profile"),
    ("recorder", "answer state_space"),
    ("task", "answer settings"),
    ("finite", "task"),
    // A verdict is given once its run has been replayed, for which sums of groups are taken.
    ("board", "answer conditions task"),
    ("solver", "profile task"),
    // `answer` for tests alone, as in `settings`.
    ("context", "answer board profile settings solver task"),
    ("rewriting", "answer conditions settings solver task"),
    ("smaller", "answer conditions context rewriting settings solver task"),
    ("properties", "answer board conditions context rewriting settings smaller state_space task"),
    ("space", "answer board rewriting settings smaller state_space task"),
    (
        "schedule",
        "answer board conditions context profile properties recorder rewriting settings smaller solver space state_space task",
    ),
    ("hybrid", "properties settings space state_space task"),
];

/// The crates of the workspace that are written here, by the folders of their sources.
const CRATES: [&str; 4] = ["src", "checker/src", "smv/src", "python/src"];

/// Circles of files that there are, by the folders of [`CRATES`]: small ones, and none in `decide`, `explicit` and `kinds`. A new one
/// fails, and so does one of these that is gone.
const CIRCLES: &[(&str, &[&str])] = &[
    ("src", &["automaton/ltl/mod.rs", "automaton/ltl/simplify.rs"]),
    ("src", &["cli/completions.rs", "cli/man.rs", "cli/mod.rs"]),
    ("src", &["cli/states.rs", "cli/states/dense.rs", "cli/states/report.rs"]),
    ("src", &["formula/dialects/lola.rs", "formula/dialects/mod.rs", "formula/dialects/tapaal.rs"]),
    ("src", &["formula/parse.rs", "formula/parse/atoms.rs", "formula/parse/lexer.rs"]),
    ("src", &["reduction/counting/equations.rs", "reduction/counting/mod.rs"]),
    ("src", &["witness/mod.rs", "witness/rule.rs", "witness/table.rs"]),
    ("src", &["witness/shorten/lasso.rs", "witness/shorten/mod.rs"]),
];

/// A module: what it names, what it re-exports under which name, and what it defines.
struct Module {
    file: String,
    named: Vec<Vec<String>>,
    exported: Vec<(Vec<String>, String)>,
    defined: BTreeSet<String>,
}

type Modules = BTreeMap<Vec<String>, Module>;

/// All Rust files below a folder.
pub(crate) fn files(folder: &Path, found: &mut Vec<std::path::PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The code of a file without comments and the tests at its end.
fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
    text.lines().map(|line| line.split("//").next().unwrap()).fold(String::new(), |code, line| code + line + "\n")
}

/// The words and signs of some code.
fn tokens(code: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    let mut is_in_word = false;
    for c in code.chars() {
        let is_word = c.is_alphanumeric() || c == '_';
        match tokens.last_mut() {
            Some(last) if is_word && is_in_word => last.push(c),
            Some(last) if c == ':' && last == ":" => last.push(c),
            _ if c.is_whitespace() => {}
            _ => tokens.push(c.to_string()),
        }
        is_in_word = is_word;
    }
    tokens
}

/// The paths of a tree of uses from here on, with the names that they get; returns where the tree ends.
fn uses(tokens: &[String], mut at: usize, before: &[String], found: &mut Vec<(Vec<String>, String)>) -> usize {
    let mut path = before.to_vec();
    loop {
        match tokens[at].as_str() {
            "{" => {
                while tokens[at] != "}" {
                    at += 1;
                    if tokens[at] != "}" {
                        at = uses(tokens, at, &path, found);
                    }
                }
                return at + 1;
            }
            "::" => at += 1,
            "as" => {
                found.push((path, tokens[at + 1].clone()));
                return at + 2;
            }
            "," | ";" | "}" => {
                let name = path.last().unwrap().clone();
                found.push((path, name));
                return at;
            }
            word => {
                path.push(word.to_owned());
                at += 1;
            }
        }
    }
}

const ITEMS: [&str; 8] = ["struct", "enum", "trait", "fn", "type", "const", "static", "macro_rules"];

fn module(file: String, text: &str) -> Module {
    let tokens = tokens(&code(text));
    let mut module = Module { file, named: Vec::new(), exported: Vec::new(), defined: BTreeSet::new() };
    let (mut at, mut depth) = (0, 0_usize);
    while at < tokens.len() {
        match tokens[at].as_str() {
            "{" => depth += 1,
            "}" => depth = depth.saturating_sub(1),
            "use" => {
                let public = at > 0 && (tokens[at - 1] == "pub" || tokens[at - 1] == ")");
                let mut found = Vec::new();
                at = uses(&tokens, at + 1, &[], &mut found);
                match public {
                    true => module.exported.extend(found),
                    false => {
                        // What a module imports its children may import from it.
                        module.named.extend(found.iter().map(|(path, _)| path.clone()));
                        module.exported.extend(found);
                    }
                }
                continue;
            }
            item if ITEMS.contains(&item) && depth == 0 => {
                let next = if item == "macro_rules" { at + 2 } else { at + 1 };
                let next = if tokens.get(next).is_some_and(|word| word == "fn") { next + 1 } else { next };
                module.defined.extend(tokens.get(next).cloned());
            }
            // `pub(in crate::decide)` names nothing. What is no module inside is found to be none later on.
            word if tokens.get(at + 1).is_some_and(|next| next == "::")
                && word.starts_with(|c: char| c.is_ascii_lowercase())
                && (at == 0 || !["in", "::", "."].contains(&&*tokens[at - 1])) =>
            {
                let mut path = vec![tokens[at].clone()];
                while tokens.get(at + 1).is_some_and(|next| next == "::") {
                    let next = &tokens[at + 2];
                    if !next.chars().all(|c| c.is_alphanumeric() || c == '_') {
                        break;
                    }
                    path.push(next.clone());
                    at += 2;
                }
                module.named.push(path);
            }
            _ => {}
        }
        at += 1;
    }
    module
}

/// The modules of a crate that are no tests.
fn modules(sources: &str) -> Modules {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(sources);
    let mut found = Vec::new();
    files(&root, &mut found);
    let mut modules = Modules::new();
    for path in found {
        let file = path.strip_prefix(&root).unwrap().to_str().unwrap().replace('\\', "/");
        let mut name: Vec<String> = file.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
        let is_test = name.iter().any(|part| part == "tests" || part.ends_with("_tests"));
        if is_test || file == "main.rs" || file == "lib.rs" {
            continue;
        }
        name.pop_if(|last| last == "mod");
        modules.insert(name, module(file, &fs::read_to_string(&path).unwrap()));
    }
    modules
}

/// The file that defines what a path means in a module.
fn resolved<'m>(modules: &'m Modules, within: &[String], path: &[String], depth: usize) -> Option<&'m str> {
    let (mut at, mut rest) = (within.to_vec(), path);
    match path.first()?.as_str() {
        "crate" => (at, rest) = (Vec::new(), &path[1..]),
        "self" => rest = &path[1..],
        "super" => {
            while rest.first().is_some_and(|part| part == "super") {
                at.pop();
                rest = &rest[1..];
            }
        }
        first => {
            let child = [&at[..], &[first.to_owned()]].concat();
            modules.get(&child)?;
        }
    }
    while let Some(next) = rest.first() {
        let child = [&at[..], std::slice::from_ref(next)].concat();
        if !modules.range(child.clone()..).next().is_some_and(|(name, _)| name.starts_with(&child)) {
            break;
        }
        (at, rest) = (child, &rest[1..]);
    }
    let module = modules.get(&at)?;
    let Some(name) = rest.first().filter(|name| *name != "self" && *name != "*") else { return Some(&module.file) };
    if module.defined.contains(name) || depth == 0 {
        return Some(&module.file);
    }
    let mut exported = module.exported.iter().filter(|(_, exported)| exported == name);
    let found = exported.find_map(|(path, _)| resolved(modules, &at, path, depth - 1));
    found.or(Some(&module.file))
}

/// For each file the files that it uses.
fn arrows(modules: &Modules) -> BTreeMap<&str, BTreeSet<&str>> {
    let of = |(name, module): (&Vec<String>, &'_ Module)| -> BTreeSet<&str> {
        module.named.iter().filter_map(|path| resolved(modules, name, path, 8)).collect()
    };
    let all = modules.iter().map(|(name, module)| (&*module.file, of((name, module))));
    all.map(|(file, mut to)| {
        to.remove(file);
        (file, to)
    })
    .collect()
}

/// The part that a file belongs to: a folder, or the file itself.
fn part(file: &str) -> &str {
    file.split('/').next().unwrap().trim_end_matches(".rs")
}

/// What is wrong with a table, if anything is.
fn wrong(table: Table, arrows: &BTreeMap<&str, BTreeSet<&str>>, below: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let inside = |file: &'_ str| file.strip_prefix(below).map(str::to_owned);
    let mut seen: BTreeSet<(String, String)> = BTreeSet::new();
    for (from, to) in arrows {
        let Some(inner) = inside(from) else { continue };
        for target in to {
            let Some(other) = inside(target) else { continue };
            let arrow = (part(&inner).to_owned(), part(&other).to_owned());
            if arrow.0 == arrow.1 || arrow.0 == "mod" {
                continue;
            }
            let allowed = table.iter().any(|&(name, uses)| name == arrow.0 && uses.split(' ').any(|to| to == arrow.1));
            if !allowed && seen.insert(arrow.clone()) {
                lines.push(format!("{below}{} must not use {below}{}: {from} uses {target}", arrow.0, arrow.1));
            }
            seen.insert(arrow);
        }
    }
    let mut known: Vec<&str> = Vec::new();
    for &(name, uses) in table {
        for to in uses.split(' ').filter(|to| !to.is_empty()) {
            if !known.contains(&to) {
                lines.push(format!("{below}{name} uses {below}{to}, which does not come before it"));
            }
            if !seen.contains(&(name.to_owned(), to.to_owned())) {
                lines.push(format!("{below}{name} does not use {below}{to} any more: strike it from the table"));
            }
        }
        known.push(name);
    }
    lines
}

/// The files that can be reached from each.
fn circles<'m>(arrows: &BTreeMap<&'m str, BTreeSet<&'m str>>) -> BTreeSet<Vec<&'m str>> {
    let reach = |from: &'m str| {
        let (mut open, mut seen) = (vec![from], BTreeSet::new());
        while let Some(file) = open.pop() {
            for &next in arrows.get(file).into_iter().flatten() {
                if seen.insert(next) {
                    open.push(next);
                }
            }
        }
        seen
    };
    let all: BTreeMap<&str, BTreeSet<&str>> = arrows.keys().map(|&file| (file, reach(file))).collect();
    let circle = |file: &&'m str| -> Vec<&'m str> {
        all[file].iter().copied().filter(|other| all.get(other).is_some_and(|back| back.contains(file))).collect()
    };
    arrows.keys().map(circle).filter(|circle| !circle.is_empty()).collect()
}

#[test]
fn folders_use_what_the_table_allows() {
    let modules = modules("src");
    let arrows = arrows(&modules);
    assert!(arrows.len() > 400, "{} files", arrows.len());
    let mut lines = wrong(FOLDERS, &arrows, "");
    lines.extend(wrong(DECIDE, &arrows, "decide/"));
    assert!(lines.is_empty(), "{}", lines.join("\n"));
}

#[test]
fn files_make_no_circles() {
    for sources in CRATES {
        let modules = modules(sources);
        let arrows = arrows(&modules);
        assert!(arrows.len() > 8, "{sources}: {} files", arrows.len());
        let here = CIRCLES.iter().filter(|(of, _)| *of == sources);
        let known: BTreeSet<Vec<&str>> = here.map(|(_, circle)| circle.to_vec()).collect();
        let found = circles(&arrows);
        assert_eq!(found, known, "{sources}\nnew: {:#?}\ngone: {:#?}", &found - &known, &known - &found);
    }
    let most = |circle: &[&str]| {
        let is_inside = |folder| circle.iter().any(|file| file.starts_with(folder));
        if ["decide/", "explicit/", "kinds/"].into_iter().any(is_inside) { 0 } else { 3 }
    };
    assert!(CIRCLES.iter().all(|(_, circle)| circle.len() <= most(circle)), "a circle is too large");
}
