//! Errors of the program that were found out while it answered.
//!
//! Two ways that contradict each other, a run that does not replay: then nothing that was answered beside it is given
//! either, so that nobody relies on it unawares.

use super::Error;
use crate::decide::{Explained, Recorded};

/// Are the records without fault? `what` names a question.
pub(super) fn faultless(recorded: &[Recorded], what: impl Fn(usize) -> String) -> Result<(), Error> {
    for (question, record) in recorded.iter().enumerate() {
        let broken = match &record.explained {
            Some(Explained::Broken(broken)) => Some(broken.to_string()),
            _ => None,
        };
        if let Some(fault) = record.faults.first().map(ToString::to_string).or(broken) {
            return Err(Error::SelfCheck(format!("{}: {fault}", what(question))));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::{Error, Model};
    use crate::decide::{Settings, Technique, Ways};

    /// A search that claims a run wherever it looks. Alone it has no verdict, and the others that are asked beside it
    /// have one.
    #[test]
    fn a_fault_is_an_error_whoever_answers() {
        let net = || Model::read("models/philo-5.pnml").unwrap();
        let formula = "AG #Fork_0 <= 1";
        assert_eq!(net().check(formula).unwrap().verdict(), Some(true));
        for ways in [Ways { bit_state: false, ..Ways::EXPLICIT }, Ways { walks: true, ..Ways::NONE }] {
            let broken = if ways.search { Technique::Explicit } else { Technique::RandomWalk };
            let faulty = net().with_settings(Settings { ways, broken: Some(broken), ..Settings::default() });
            for told in [faulty.clone(), faulty.with_watch(&crate::Watch::default())] {
                let error = told.check_all(&["#Fork_0 = 1", formula]).unwrap_err();
                assert!(matches!(error, Error::SelfCheck(_)), "{error}");
                let message = error.to_string();
                let claim = format!("`{formula}`: {} says false, but the witness does not replay: ", broken.name());
                assert!(message.starts_with(&claim), "{message}");
                assert!(message.ends_with("; this is an error of the program"), "{message}");
            }
        }
    }
}
