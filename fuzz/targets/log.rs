//! Event logs, XES and tables: what is read has all its cases in variants, and what is not read is named by its line.

#![no_main]

use libfuzzer_sys::fuzz_target;
use starset::traces::{LogReading, read_log_in};

fuzz_target!(|data: &[u8]| {
    for lifecycle in [None, Some("complete".to_owned())] {
        match read_log_in(data, "fuzz", &LogReading { lifecycle, ..LogReading::default() }) {
            Ok(log) => {
                let variants = log.variants();
                assert_eq!(log.traces(), variants.iter().map(|(_, cases)| cases.names.len()).sum::<usize>());
                let known = log.activities().len();
                assert!(variants.iter().flat_map(|(trace, _)| *trace).all(|&number| (number as usize) < known));
                let events: usize = variants.iter().map(|(trace, cases)| trace.len() * cases.names.len()).sum();
                assert_eq!(log.events(), events);
            }
            Err(error) => assert!(error.line > 0 && !error.message.is_empty()),
        }
    }
});
