//! What a file is by how it begins, whatever its name.
//!
//! Processes are exported as `.xml`, too. Files that are no models of ours get a name: a better message than that they are
//! not XML.

/// A file of another tool, and the way in for its content.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Foreign {
    /// The sort of file.
    pub what: &'static str,
    /// The remedy.
    pub way: &'static str,
}

const SMV: Foreign = Foreign { what: "a NuSMV model", way: "name it with .smv, or say --from smv" };
const TLA: Foreign = Foreign { what: "a TLA+ module", way: "write it as a B machine (.mch)" };
const PROMELA: Foreign = Foreign {
    what: "a Promela model of Spin",
    way: "write it in DVE (.dve); of Promela only the networks of the RERS challenge are read (.pml)",
};
const PRISM: Foreign =
    Foreign { what: "a PRISM model", way: "PRISM lists its transitions (-exporttrans), which can be written as .aut" };
const JANI: Foreign = Foreign { what: "a model in JANI", way: "write its automata as .aut files, which are composed" };
const AIGER: Foreign = Foreign { what: "an AIGER circuit", way: "name it with .aag or .aig, or say --from aig" };
const BTOR2: Foreign = Foreign { what: "a BTOR2 circuit", way: "yosys makes an AIGER circuit of it (.aig)" };
const BLIF: Foreign = Foreign { what: "a BLIF circuit", way: "bliftoaig makes an AIGER circuit of it (.aig)" };
const STG: Foreign = Foreign {
    what: "a signal transition graph of Petrify or Workcraft",
    way: "write its places and transitions as PNML, or as TINA (.net) and LoLA (.lola) have them",
};
const MCRL2: Foreign = Foreign { what: "an mCRL2 specification", way: "mcrl22lps and lps2lts make an .aut file of it" };
const HOA: Foreign = Foreign { what: "an automaton in the Hanoi format", way: "give it with --automaton" };
const UPPAAL: Foreign = Foreign { what: "a model of UPPAAL", way: "write it as a net with clocks (.pnwc)" };
const CPN: Foreign = Foreign { what: "a net of CPN Tools", way: "write it as a symmetric net (PNML)" };
const RODIN: Foreign = Foreign {
    what: "an Event-B model of Rodin",
    way: "give the file of a machine (.bum) or the folder of its project",
};
const TREE: Foreign =
    Foreign { what: "a process tree", way: "pm4py makes a net of it: read_ptml, convert_to_petri_net, write_pnml" };
const LOG: Foreign = Foreign {
    what: "an event log (XES)",
    way: "starset replay compares it with a model; pm4py makes a net of it: discover_petri_net_inductive, write_pnml",
};

/// How files of other tools begin: the first word or bytes that are no comment.
const BEGINNINGS: [(&str, Foreign); 24] = [
    ("MODULE", SMV),
    ("proctype", PROMELA),
    ("active", PROMELA),
    ("mtype", PROMELA),
    ("dtmc", PRISM),
    ("ctmc", PRISM),
    ("mdp", PRISM),
    ("pta", PRISM),
    ("probabilistic", PRISM),
    ("stochastic", PRISM),
    ("nondeterministic", PRISM),
    ("aag", AIGER),
    ("aig", AIGER),
    ("HOA:", HOA),
    ("<nta", UPPAAL),
    ("<workspaceElements", CPN),
    ("<org.eventb", RODIN),
    ("<ptml", TREE),
    ("<log", LOG),
    ("sort", MCRL2),
    ("act", MCRL2),
    ("proc", MCRL2),
    ("map", MCRL2),
    ("init", MCRL2),
];

/// Lines of which one is in a file of another tool, whatever stands before it.
const LINES: [(&str, Foreign); 5] =
    [(".graph", STG), (".inputs", BLIF), (".names", BLIF), ("MODULE main", SMV), ("proctype ", PROMELA)];

/// The sort of a file of another tool, by its beginning; comments before that are skipped.
pub(in crate::kinds) fn other_format(bytes: &[u8]) -> Option<Foreign> {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(4096)]);
    // A rule of dashes with the name of a module in it; to others two of them begin a comment.
    if head.trim_start().lines().next().is_some_and(|line| line.starts_with("----") && line.contains(" MODULE ")) {
        return Some(TLA);
    }
    let rest = without_comments(&head)?;
    let begins = |beginning: &str| {
        let after = rest.strip_prefix(beginning)?;
        // A word is not the begin of a longer one; a tag may have a suffix.
        let whole = !beginning.ends_with(|c: char| c.is_alphanumeric())
            || beginning.starts_with('<') && after.starts_with([':', '.', '>', ' ', '\n', '\r', '\t'])
            || after.starts_with(|c: char| c.is_whitespace());
        whole.then_some(())
    };
    if is_jani(rest) {
        return Some(JANI);
    }
    if is_btor2(rest) {
        return Some(BTOR2);
    }
    let begun = BEGINNINGS.iter().find(|(beginning, _)| begins(beginning).is_some());
    // PNML is nothing of that, whatever its texts say.
    let inside = || LINES.iter().find(|(line, _)| !rest.starts_with('<') && head.lines().any(|l| l.starts_with(line)));
    begun.or_else(inside).map(|&(_, foreign)| foreign)
}

/// What comes after comments, and after what XML has before its root; `None` where they do not end.
fn without_comments(head: &str) -> Option<&str> {
    let mut rest = head.trim_start_matches('\u{feff}').trim_start();
    loop {
        let end = if rest.starts_with("<?") {
            rest.find("?>").map(|at| at + 2)
        } else if rest.starts_with("<!--") {
            rest.find("-->").map(|at| at + 3)
        } else if rest.starts_with("<!DOCTYPE") {
            rest.find('>').map(|at| at + 1)
        } else if rest.starts_with("/*") {
            rest.find("*/").map(|at| at + 2)
        } else if ["//", "--", "%", ";"].iter().any(|sign| rest.starts_with(sign)) {
            rest.find('\n').map(|at| at + 1)
        } else {
            return Some(rest);
        };
        rest = rest[end?..].trim_start();
    }
}

/// Is the root of a text that of a diagram of BPMN, whatever its prefix?
pub(in crate::kinds) fn is_process(bytes: &[u8]) -> bool {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(4096)]);
    let root = without_comments(&head).and_then(|rest| rest.strip_prefix('<')).unwrap_or_default();
    let name = root.split(|c: char| c.is_whitespace() || c == '>').next().unwrap_or_default();
    name.rsplit(':').next() == Some("definitions") && root.contains("http://www.omg.org/spec/BPMN/")
}

/// Is it a machine of Event-B: a file of Rodin, or a package of ProB?
pub(in crate::kinds) fn is_event_b(bytes: &[u8]) -> bool {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(4096)]);
    let rest = without_comments(&head).unwrap_or_default();
    rest.starts_with("<org.eventb.core.machineFile") || rest.contains("package(load_event_b_project(")
}

/// Is it an object of JSON with what each model in JANI has?
fn is_jani(rest: &str) -> bool {
    rest.starts_with('{') && ["\"jani-version\"", "\"automata\""].iter().any(|key| rest.contains(key))
}

/// Numbered lines, the first of which declares a sort.
fn is_btor2(rest: &str) -> bool {
    let code = rest.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with(';'));
    let mut words = code.unwrap_or_default().split_whitespace();
    let numbered = words.next().is_some_and(|word| word.bytes().all(|b| b.is_ascii_digit()));
    numbered && words.next() == Some("sort") && matches!(words.next(), Some("bitvec" | "array"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processes_are_known_by_their_root() {
        let space = "http://www.omg.org/spec/BPMN/20100524/MODEL";
        for text in [
            format!("<?xml version=\"1.0\"?>\n<!-- a -->\n<definitions xmlns=\"{space}\"/>"),
            format!("<bpmn2:definitions id=\"d\"\n  xmlns:bpmn2='{space}'>"),
        ] {
            assert!(is_process(text.as_bytes()) && other_format(text.as_bytes()).is_none(), "{text}");
        }
        let other = format!("<pnml xmlns=\"{space}\"/>");
        for text in ["<definitions xmlns=\"http://schemas.xmlsoap.org/wsdl/\"/>", &other, "definitions", "<!-- "] {
            assert!(!is_process(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn machines_of_event_b_are_known_by_their_beginning() {
        for text in [
            "<?xml version=\"1.0\"?>\n<org.eventb.core.machineFile version=\"5\">",
            "% exported\n:- dynamic a/1.\npackage(load_event_b_project([],[],[],_)).",
        ] {
            assert!(is_event_b(text.as_bytes()), "{text}");
        }
        let made = "<org.eventb.core.scMachineFile>";
        assert!(!is_event_b(made.as_bytes()) && !is_event_b(b"<pnml/>"));
        assert_eq!(other_format(made.as_bytes()).map(|foreign| foreign.what), Some("an Event-B model of Rodin"));
    }

    #[test]
    fn files_of_other_tools_are_named() {
        for (text, what) in [
            ("-- a comment\nMODULE main\nVAR x : boolean;", "a NuSMV model"),
            ("#define N 2\nMODULE main\n", "a NuSMV model"),
            ("/* p */ active proctype P() { skip }", "a Promela model of Spin"),
            ("#define N 2\nbyte x;\nproctype P() { skip }", "a Promela model of Spin"),
            ("// m\ndtmc\nmodule m", "a PRISM model"),
            ("probabilistic\nmodule m", "a PRISM model"),
            ("{\n \"jani-version\": 1, \"name\": \"m\"", "a model in JANI"),
            ("% comment\nsort D = struct a;\n", "an mCRL2 specification"),
            ("act a;\nproc P = a.P;\ninit P;", "an mCRL2 specification"),
            ("<?xml version='1.0'?><!DOCTYPE nta PUBLIC 'x'>\n<nta></nta>", "a model of UPPAAL"),
            (".model u\n.inputs a\n.graph\na+ a-\n", "a signal transition graph of Petrify or Workcraft"),
            (".model u\n.inputs a\n.outputs b\n.names a b\n", "a BLIF circuit"),
            ("---- MODULE Clock ----\nVARIABLE x", "a TLA+ module"),
            ("; c\n1 sort bitvec 8\n2 state 1", "a BTOR2 circuit"),
            ("aag 1 1 0 1 0\n", "an AIGER circuit"),
            ("<?xml version='1.0' encoding='UTF-8'?>\n<ptml>\n  <processTree/></ptml>", "a process tree"),
            ("<?xml version='1.0'?>\n<!-- a -->\n<log xes.version=\"1849-2016\"></log>", "an event log (XES)"),
        ] {
            assert_eq!(other_format(text.as_bytes()).map(|foreign| foreign.what), Some(what), "{text}");
        }
        for text in ["|0|\n|\n", "<pnml/>", "MODULES", "net x\ntr t p -> q", "", "/* open", "{\"a\": 1}", "1 sort"] {
            assert_eq!(other_format(text.as_bytes()), None, "{text}");
        }
    }
}
