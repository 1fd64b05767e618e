//! The vectors of `checker/vectors`: what any program that checks certificates answers.

use starset_checker::{Refused, check};
use std::path::Path;

#[test]
fn all_vectors_are_answered_as_expected() {
    for version in ["version-1", "version-2"] {
        are_answered_as_expected(&Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors").join(version));
    }
}

fn are_answered_as_expected(folder: &Path) {
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).expect("a vector");
    let expected = read("expected.tsv");
    let (mut proved, mut refused) = (0, 0);
    for line in expected.lines().skip(1) {
        let &[certificate, model, answer, what] = line.split('\t').collect::<Vec<_>>().as_slice() else {
            panic!("not four columns: {line}");
        };
        let found = check(&read(model), &read(certificate)).map(|found| found.to_string());
        match found {
            Ok(found) => {
                assert_eq!((answer, what), ("proved", found.as_str()), "{certificate}");
                proved += 1;
            }
            Err(Refused(why)) => {
                assert_eq!(answer, "refused", "{certificate}: {why}");
                refused += 1;
            }
        }
    }
    assert!(proved >= 100 && refused >= 100, "{proved} proved, {refused} refused");
}
