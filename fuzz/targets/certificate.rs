//! Certificates about the models of the vectors, with the right checksum whatever they say: each is accepted or refused,
//! in bounded time, and what is accepted is not accepted with the opposite verdict.

#![no_main]

use libfuzzer_sys::fuzz_target;
use starset_checker::{Checksum, check, with_stack};

const MODELS: [&str; 6] = [
    include_str!("../../checker/vectors/version-2/buffer.pnml"),
    include_str!("../../checker/vectors/version-2/choice.pnml"),
    include_str!("../../checker/vectors/version-2/grows.pnml"),
    include_str!("../../checker/vectors/version-2/once.pnml"),
    include_str!("../../checker/vectors/version-2/signal.pnml"),
    include_str!("../../checker/vectors/version-2/two-locks.pnml"),
];

fn accepted(body: &str) -> Option<bool> {
    let mut sum = Checksum::default();
    sum.add(body.as_bytes());
    let certificate = format!("{body}check {:016x}\nend\n", sum.0);
    let verdicts = || MODELS.iter().find_map(|model| check(model, &certificate).ok()).map(|proved| proved.verdict);
    with_stack(verdicts).unwrap_or_else(|refused| panic!("{refused}"))
}

fuzz_target!(|text: &str| {
    let body = text.rfind("check ").map_or(text, |at| &text[..at]);
    if let Some(verdict) = accepted(body) {
        let opposite = body.replacen(&format!("\nverdict {verdict}\n"), &format!("\nverdict {}\n", !verdict), 1);
        assert_eq!(accepted(&opposite), None, "{body}");
    }
});
