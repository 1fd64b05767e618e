//! Diagrams of BPMN: what is read is a net, and has answers that do not contradict each other.

#![no_main]

use libfuzzer_sys::fuzz_target;
use starset::budget::Budget;
use starset::kinds::bpmn::{Environment, model_of, read_bpmn_in};
use starset::processes::soundness;

fuzz_target!(|data: &[u8]| {
    match read_bpmn_in(data, "fuzz", "fuzz.bpmn", Environment::default()) {
        Ok(process) if process.net.transitions.len() <= 1_000 => {
            assert!(model_of(&process.net).is_some());
            let budget = Budget::unlimited().with_memory(1 << 28);
            if let Ok(answers) = soundness(&process.net, &budget) {
                // Whatever completes has no deadlock.
                assert!(answers.option_to_complete.verdict() != Some(true) || answers.no_deadlock.verdict() == Some(true));
                assert!(answers.relaxed.verdict() != Some(true) || answers.no_dead_activity.verdict() == Some(true));
            }
        }
        Ok(_) => {}
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});
