//! What a file is that is no model of ours: to say it, instead of that it is not XML.

/// How files of other tools begin: the first word or bytes that are no comment, and what such a file is.
const BEGINNINGS: [(&str, &str); 17] = [
    ("MODULE", "a NuSMV model"),
    ("proctype", "a Promela model of Spin"),
    ("active", "a Promela model of Spin"),
    ("mtype", "a Promela model of Spin"),
    ("dtmc", "a PRISM model"),
    ("ctmc", "a PRISM model"),
    ("mdp", "a PRISM model"),
    ("pta", "a PRISM model"),
    ("aag", "an AIGER circuit"),
    ("aig", "an AIGER circuit"),
    (".model", "a BLIF circuit"),
    ("HOA:", "an automaton in the Hanoi format; give it with --automaton"),
    ("<nta", "a model of UPPAAL"),
    ("<workspaceElements", "a net of CPN Tools"),
    ("<org.eventb", "an Event-B model of Rodin"),
    ("<bpmn", "a BPMN process"),
    ("<definitions", "a BPMN process"),
];

/// What a file is, by how it begins, if it is of another tool; comments before that are stepped over.
pub(in crate::kinds) fn other_format(bytes: &[u8]) -> Option<&'static str> {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(4096)]);
    let mut rest = head.trim_start_matches('\u{feff}').trim_start();
    // Comments, and what XML has before its root.
    loop {
        let end = if rest.starts_with("<?") {
            rest.find("?>").map(|at| at + 2)
        } else if rest.starts_with("<!--") {
            rest.find("-->").map(|at| at + 3)
        } else if rest.starts_with("<!DOCTYPE") {
            rest.find('>').map(|at| at + 1)
        } else if rest.starts_with("/*") {
            rest.find("*/").map(|at| at + 2)
        } else if rest.starts_with("//") || rest.starts_with("--") {
            rest.find('\n').map(|at| at + 1)
        } else {
            break;
        };
        rest = rest[end?..].trim_start();
    }
    let begins = |beginning: &str| {
        let after = rest.strip_prefix(beginning)?;
        // A word is not the begin of a longer one; a tag may have a suffix.
        let whole = !beginning.ends_with(|c: char| c.is_alphanumeric())
            || beginning.starts_with('<') && after.starts_with([':', '.', '>', ' ', '\n', '\r', '\t'])
            || after.starts_with(|c: char| c.is_whitespace());
        whole.then_some(())
    };
    BEGINNINGS.iter().find(|(beginning, _)| begins(beginning).is_some()).map(|&(_, what)| what)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_other_tools_are_named() {
        for (text, what) in [
            ("-- a comment\nMODULE main\nVAR x : boolean;", Some("a NuSMV model")),
            ("/* p */ active proctype P() { skip }", Some("a Promela model of Spin")),
            ("<?xml version='1.0'?><!DOCTYPE nta PUBLIC 'x'>\n<nta></nta>", Some("a model of UPPAAL")),
            ("<bpmn:definitions/>", Some("a BPMN process")),
            ("|0|\n|\n", None),
            ("<pnml/>", None),
            ("MODULES", None),
            ("net x\ntr t p -> q", None),
            ("", None),
            ("/* open", None),
        ] {
            assert_eq!(other_format(text.as_bytes()), what, "{text}");
        }
    }
}
