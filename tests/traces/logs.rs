//! Readers of logs.

use starset::traces::{Log, LogError, LogReading, read_log, read_log_in};
use std::io::Write as _;

fn read(text: &str, reading: &LogReading) -> Result<Log, LogError> {
    read_log_in(text.as_bytes(), "log", reading)
}

/// The traces with their cases: `a b: 1 2`.
fn shown(log: &Log) -> Vec<String> {
    let of = |(trace, cases): (&[u32], &starset::traces::Cases)| {
        let names: Vec<&str> = trace.iter().map(|&number| log.activity(number)).collect();
        format!("{}: {}", names.join(" "), cases.names.join(" "))
    };
    log.variants().into_iter().map(of).collect()
}

const XES: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<!-- a log -->
<log xes.version="1.0" xmlns="http://www.xes-standard.org/">
  <extension name="Concept" prefix="concept" uri="http://www.xes-standard.org/concept.xesext"/>
  <global scope="event"><string key="concept:name" value="UNKNOWN"/></global>
  <classifier name="Activity" keys="concept:name"/>
  <string key="concept:name" value="the log"/>
  <trace>
    <string key="concept:name" value="c1"><string key="concept:name" value="inner"/></string>
    <event>
      <string key="concept:name" value="a &amp; b"/>
      <date key="time:timestamp" value="2026-01-01T00:00:00"/>
      <string key="lifecycle:transition" value="COMPLETE"/>
      <list key="concept:names"><values><string key="concept:name" value="x"/></values></list>
    </event>
    <event><string key="lifecycle:transition" value="start"/><string key="concept:name" value="b"/></event>
    <event><string key="concept:name" value="b"/></event>
  </trace>
  <trace><event><string key="concept:name" value="b"/></event></trace>
  <trace><string key="concept:name" value="c3"/><event><string key="concept:name" value="b"/></event></trace>
  <trace><string key="concept:name" value="c4"/></trace>
  <event><string key="concept:name" value="alone"/></event>
</log>"#;

#[test]
fn xes() {
    let log = read(XES, &LogReading::default()).unwrap();
    assert_eq!(shown(&log), ["b: 2 c3", "a & b b: c1", ": c4"]);
    assert_eq!((log.traces(), log.events(), log.left_out), (4, 4, 1));
    let started = LogReading { lifecycle: Some("start".to_owned()), ..LogReading::default() };
    assert_eq!(shown(&read(XES, &started).unwrap()), ["b: 2 c3", "b b: c1", ": c4"]);
    let all = LogReading { lifecycle: None, ..LogReading::default() };
    assert_eq!(shown(&read(XES, &all).unwrap()), ["b: 2 c3", "a & b b b: c1", ": c4"]);
    // The same, compressed.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log.xes.gz");
    let mut file = flate2::write::GzEncoder::new(std::fs::File::create(&path).unwrap(), flate2::Compression::fast());
    file.write_all(XES.as_bytes()).unwrap();
    file.finish().unwrap();
    assert_eq!(shown(&read_log(&path, &LogReading::default()).unwrap()), ["b: 2 c3", "a & b b: c1", ": c4"]);
}

#[test]
fn tables() {
    let reading = LogReading::default();
    let simple = "case,activity\n1,a\n2,a\n1,b\n\n2,b\n";
    assert_eq!(shown(&read(simple, &reading).unwrap()), ["a b: 1 2"]);
    let other =
        "\u{feff}Nr;Case ID;Activity;lifecycle:transition\r\n1;x;\"a;\"\"b\"\"\r\nc\";complete\r\n2;x;d;start\r\n";
    let log = read(other, &reading).unwrap();
    assert_eq!((shown(&log), log.left_out), (vec!["a;\"b\"\r\nc: x".to_owned()], 1));
    let tabs = "case:concept:name\tconcept:name\tcase\n1\ta\t9\n";
    assert_eq!(shown(&read(tabs, &reading).unwrap()), ["a: 1"]);
    let named = LogReading { case: Some("n".into()), activity: Some("what".into()), ..LogReading::default() };
    assert_eq!(shown(&read("n,what,activity\n1,a,b\n", &named).unwrap()), ["a: 1"]);
}

#[test]
fn what_is_no_log_is_refused_with_its_line() {
    let reading = LogReading::default();
    for (text, line, what) in [
        ("<net/>", 1, "begins with `<net>`"),
        ("<log>\n<trace><event/></trace></log>", 2, "names no activity"),
        ("<log><trace>\n", 1, "the file ends"),
        ("<log/><log/>", 1, "after the end of the root"),
        ("", 1, "the file is empty"),
        ("a,b\n1,2\n", 1, "which column has the case?"),
        ("case,b\n1,2\n", 1, "which column has the activity?"),
        ("case,activity\n1,a\n2\n", 3, "no activity"),
        ("case,activity\n,a\n", 2, "no case"),
        ("case,activity\n1,\"a\n", 2, "not closed"),
    ] {
        let error = read(text, &reading).unwrap_err();
        assert!(error.to_string().contains(what), "{text}: {error}");
        assert!(error.line == line || text.starts_with("<log><trace>"), "{text}: {error}");
    }
    let named = LogReading { case: Some("n".into()), ..LogReading::default() };
    assert!(read("case,activity\n", &named).unwrap_err().message.contains("no column `n`"));
}

/// Seeds with bytes changed, pieces left out and pieces of other seeds put in: what is read is whole, and what is not has
/// a line. `STARSET_MILLISECONDS` says how long.
#[test]
fn changed_logs_are_read_or_refused() {
    let mut read_ones = [0; 2];
    crate::changed::changed("fuzz/seeds/log", |data| {
        for lifecycle in [None, Some("complete".to_owned())] {
            let found = read_log_in(data, "log", &LogReading { lifecycle, ..LogReading::default() });
            read_ones[usize::from(found.is_ok())] += 1;
            match found {
                Ok(log) => {
                    let variants = log.variants();
                    let cases = variants.iter().map(|(_, cases)| cases.names.len()).sum::<usize>();
                    let events: usize = variants.iter().map(|(trace, cases)| trace.len() * cases.names.len()).sum();
                    assert_eq!((log.traces(), log.events()), (cases, events));
                }
                Err(error) => assert!(error.line > 0 && !error.message.is_empty()),
            }
        }
    });
    eprintln!("{} refused, {} read", read_ones[0], read_ones[1]);
    assert!(read_ones.iter().all(|&count| count > 20), "{read_ones:?}");
}
