//! Answers as the lines of the Model Checking Contest.
//!
//! ```
//! use starset::decide::{Technique, Value};
//! use starset::examination::{Answer, Examination};
//! use starset::report::mcc;
//! let answer = Answer { id: "Liveness".into(), value: Value::Verdict(true), technique: Technique::DecisionDiagrams };
//! let line = mcc::line(Examination::Liveness, &answer);
//! assert_eq!(line, "FORMULA Liveness TRUE TECHNIQUES DECISION_DIAGRAMS SEQUENTIAL_PROCESSING TOPOLOGICAL");
//! ```

use crate::decide::{Technique, Value};
use crate::examination::{Answer, Examination};

/// Output of a tool that declines an examination.
pub const DO_NOT_COMPETE: &str = "DO_NOT_COMPETE";
pub use crate::examination::batch::CERTIFIED;
/// Output of a tool that gives up an instance.
pub const CANNOT_COMPUTE: &str = "CANNOT_COMPUTE";

/// The line of an answer, without the end of line.
///
/// The contest knows -1 for values of the state space that were not computed.
pub fn line(examination: Examination, answer: &Answer) -> String {
    let id = &answer.id;
    let value = match &answer.value {
        Value::Verdict(true) => "TRUE".to_owned(),
        Value::Verdict(false) => "FALSE".to_owned(),
        Value::Number(number) => number.to_string(),
        Value::Numbers(_) | Value::Suprema(_) => answer.value.to_string(),
        Value::Infinite => "+inf".to_owned(),
        Value::Undefined | Value::Unknown(_) => match examination {
            Examination::StateSpace if id == "STATES" => return CANNOT_COMPUTE.to_owned(),
            Examination::StateSpace => "-1".to_owned(),
            _ => return format!("FORMULA {id} {CANNOT_COMPUTE}"),
        },
    };
    let kind = if examination == Examination::StateSpace { "STATE_SPACE" } else { "FORMULA" };
    format!("{kind} {id} {value} TECHNIQUES {}", techniques(answer.technique))
}

/// The names of the contest for a technique: words with spaces between them.
pub fn techniques(technique: Technique) -> &'static str {
    match technique {
        Technique::DecisionDiagrams => "DECISION_DIAGRAMS SEQUENTIAL_PROCESSING TOPOLOGICAL",
        Technique::Explicit => "EXPLICIT SEQUENTIAL_PROCESSING STATE_COMPRESSION STUBBORN_SETS USE_NUPN",
        Technique::Sat => "SEQUENTIAL_PROCESSING SAT_SMT",
        Technique::BitState => "EXPLICIT SEQUENTIAL_PROCESSING STUBBORN_SETS USE_NUPN",
        Technique::RandomWalk => "EXPLICIT SEQUENTIAL_PROCESSING",
        Technique::Structure => "SEQUENTIAL_PROCESSING TOPOLOGICAL",
        Technique::StateEquation => "SEQUENTIAL_PROCESSING TOPOLOGICAL LP_APPROX",
        Technique::Reduction => "STRUCTURAL_REDUCTION SEQUENTIAL_PROCESSING TOPOLOGICAL",
        Technique::Parts => "DECISION_DIAGRAMS ABSTRACTIONS SEQUENTIAL_PROCESSING",
        Technique::Skeleton | Technique::TokenLimit => "SEQUENTIAL_PROCESSING ABSTRACTIONS",
        Technique::Coverability => "EXPLICIT SEQUENTIAL_PROCESSING TOPOLOGICAL",
        Technique::None => "SEQUENTIAL_PROCESSING",
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn lines() {
        let check = |examination, id: &str, value, expected: &str| {
            let answer = Answer { id: id.to_owned(), value, technique: Technique::RandomWalk };
            assert_eq!(line(examination, &answer), expected);
        };
        let how = "TECHNIQUES EXPLICIT SEQUENTIAL_PROCESSING";
        check(
            Examination::CTLCardinality,
            "net-CTLCardinality-03",
            Value::Verdict(false),
            &format!("FORMULA net-CTLCardinality-03 FALSE {how}"),
        );
        check(Examination::UpperBounds, "b", Value::Number(12u32.into()), &format!("FORMULA b 12 {how}"));
        check(Examination::UpperBounds, "b", Value::Infinite, &format!("FORMULA b +inf {how}"));
        check(Examination::StateSpace, "STATES", Value::Number(7u32.into()), &format!("STATE_SPACE STATES 7 {how}"));
        let unknown = Value::Unknown(crate::budget::Exhausted::Time.into());
        check(Examination::OneSafe, "OneSafe", unknown.clone(), "FORMULA OneSafe CANNOT_COMPUTE");
        check(Examination::StateSpace, "STATES", unknown.clone(), "CANNOT_COMPUTE");
        check(Examination::StateSpace, "TRANSITIONS", unknown, &format!("STATE_SPACE TRANSITIONS -1 {how}"));
    }
}
