//! The Hanoi Omega-Automata format, version 1 (Babiak, Blahoudek, Duret-Lutz, Klein, Křetínský, Müller, Parker &
//! Strejček 2015): the exchange format of tools for ω-automata.

mod acceptance;
mod assemble;
#[cfg(test)]
mod emerson_lei_tests;
mod lexer;
mod reader;
mod writer;

pub use reader::{read, read_all};
pub use writer::write;

/// The problem of a HOA document, and its place.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}, column {column}: {message}")]
pub struct HoaError {
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1, in characters.
    pub column: usize,
    /// The problem.
    pub message: String,
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::ltl::tests_support::{formula_texts, words};
    use super::super::ltl::{Formulas, Lasso};
    use super::super::{Passes, translate};
    use super::*;
    use crate::budget::Budget;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]
        #[test]
        fn written_automata_read_back(text in formula_texts(4)) {
            let mut s = Formulas::with_propositions(["a", "b", "c"]);
            let f = s.parse(&text).unwrap();
            let automaton = translate(&mut s, f, &Passes::default(), &Budget::unlimited()).unwrap();
            let known = automaton.stutter_invariant();
            let again = read(&write(&automaton)).unwrap();
            // The format has no words for languages that are closed under one of the two.
            prop_assert_eq!(again.with_stutter_invariance(known), automaton.with_stutter_invariance(known));
        }

        #[test]
        fn implicit_labels_state_marks_and_aliases_mean_the_same(word in words(2)) {
            let explicit = read(
                "HOA: v1 States: 2 Start: 0 AP: 2 \"a\" \"b\" Acceptance: 1 Inf(0) --BODY-- \
                 State: 0 [0&1] 1 [!(0&1)] 0 State: 1 [0&1] 1 {0} [!0|!1] 0 {0} --END--").unwrap();
            let others = [
                "HOA: v1 Start: 0 AP: 2 \"a\" \"b\" acc-name: Buchi Acceptance: 1 Inf(0) properties: state-acc \
                 --BODY-- State: 0 0 0 0 1 State: 1 \"x\" {0} 0 0 0 1 --END--",
                "HOA: v1 /* a /* nested */ comment */ Start: 0 AP: 2 \"a\" \"b\" Alias: @both 0 & 1 \
                 Alias: @no !@both Acceptance: 1 (Inf(0)) --BODY-- \
                 State: 0 [@both] 1 [@no] 0 State: 1 {0} [@no] 0 [@both] 1 --END--",
                "HOA: v1 Start: 0 Start: 1 AP: 2 \"a\" \"b\" Acceptance: 2 Inf(!1) & t --BODY-- \
                 State: 0 {1 0} [0&1] 1 [!(0&1)] 0 State: 1 [0&1] 1 [!0|!1] 0 --END--",
            ];
            for text in others {
                prop_assert_eq!(read(text).unwrap().accepts(&word), explicit.accepts(&word), "{}", text);
            }
        }
    }

    #[test]
    fn errors_have_places() {
        let good =
            "HOA: v1\nStates: 2\nStart: 0\nAP: 1 \"a\"\nAcceptance: 1 Inf(0)\n--BODY--\nState: 0\n[0] 0 {0}\n--END--\n";
        assert!(read(good).is_ok());
        for (from, to, line, column) in [
            ("HOA: v1", "HOA: v2", 1, 1),
            ("Start: 0", "Start: 0&1", 3, 9),
            ("AP: 1", "AP: 2", 5, 1),
            ("Inf(0)", "Inf(0)|", 6, 1),
            ("Inf(0)", "(Fin(0)", 6, 1),
            ("Inf(0)", "Often(0)", 5, 15),
            ("Inf(0)", "Inf(1)", 5, 19),
            ("[0]", "[1]", 8, 2),
            ("[0]", "[@x]", 8, 2),
            ("[0] 0", "[0] 1", 8, 1),
            ("{0}", "{1}", 8, 8),
            ("State: 0", "State: 2", 7, 8),
            ("[0]", "", 8, 2),
            ("--END--\n", "", 8, 9),
            ("--END--", "--ABORT--", 9, 1),
            ("\"a\"", "\"a", 4, 7),
            ("States", "Weird", 2, 1),
            ("[0]", "[99999999999]", 8, 2),
        ] {
            let bad = good.replacen(from, to, 1);
            let error = read(&bad).unwrap_err();
            assert_eq!((error.line, error.column), (line, column), "{bad}: {error}");
        }
        let deep = good.replace("[0]", &format!("[{}0]", "(".repeat(100_000)));
        assert!(read(&deep).is_err());
        let wide = (0..40).map(|i| format!("({} | {})", 2 * i, 2 * i + 1)).collect::<Vec<_>>().join("&");
        let names: String = (0..80).map(|i| format!(" \"p{i}\"")).collect();
        let wide = good.replace("AP: 1 \"a\"", &format!("AP: 80{names}")).replace("[0]", &format!("[{wide}]"));
        assert_eq!(read(&wide).unwrap_err().message, "this label is too large");
        let chain = |join: &str, count: usize| {
            let next = |i: usize| format!("Alias: @a{} @a{i} {join}\n", i + 1).replace("@@", &format!("@a{i}"));
            let aliases: String = (0..count).map(next).collect();
            good.replace("--BODY--", &format!("Alias: @a0 0\n{aliases}--BODY--"))
                .replace("[0]", &format!("[@a{count}]"))
        };
        assert!(read(&chain("", 100)).is_ok());
        assert!(read(&chain("", 100_000)).is_err());
        assert_eq!(read(&chain("& @@", 100)).unwrap_err().message, "this label is too large");
        assert!(read("").is_err() && read(&good.repeat(2)).is_err());
        assert_eq!(read_all(&good.repeat(2)).unwrap().len(), 2);
    }

    #[test]
    fn false_acceptance_and_no_start_are_empty() {
        for header in ["Start: 0 Acceptance: 1 f", "Acceptance: 0 t"] {
            let text = format!("HOA: v1 AP: 0 {header} --BODY-- State: 0 [t] 0 --END--");
            assert!(read(&text).unwrap().accepted_word().is_none());
        }
        let all = read("HOA: v1 AP: 0 Start: 0 Acceptance: 0 t --BODY-- State: 0 [t] 0 --END--").unwrap();
        assert!(all.accepts(&Lasso { prefix: Vec::new(), cycle: vec![Default::default()] }));
    }
}
