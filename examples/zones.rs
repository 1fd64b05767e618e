//! The zones of a net of a scalable family: `zones FAMILY N [--only-write FOLDER]`, where the family is fischer, csmacd or
//! train-gate.
//!
//! Prints one line: markings, zones under ExtraLU+ with inclusion (what reachability needs), and seconds, the making of the net
//! not included. With a folder the net is written there and nothing else is done: as `.pnwc`, and as `.tck` for TChecker
//! (the timed automaton of its markings, where that has at most 20 000). `benches/clocks` uses it.

use starset::kinds::clocks::markings::Limits;
use starset::kinds::clocks::scaled::Scaled;
use starset::kinds::clocks::zone_graph::{ZoneGraph, ZoneOptions};
use starset::kinds::clocks::{families, line_format, tchecker};
use std::error::Error;
use std::fs;
use std::path::Path;
use std::time::Instant;

#[allow(clippy::print_stdout, reason = "it is a program")]
fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [family, n, rest @ ..] = &args[..] else { return Err("usage: zones FAMILY N [FOLDER]".into()) };
    let n: u32 = n.parse()?;
    let net = match family.as_str() {
        "fischer" => families::fischer(n, 2, true)?,
        "csmacd" => families::csmacd(n)?,
        "train-gate" => families::train_gate(n)?,
        other => return Err(format!("there is no family `{other}`").into()),
    };
    let scaled = Scaled::new(&net)?;
    if let [_, folder] = rest {
        let file = |end: &str| Path::new(folder).join(format!("{family}-{n}.{end}"));
        fs::write(file("pnwc"), line_format::write(&net)?)?;
        let limits = Limits { markings: 20_000, ..Limits::default() };
        if let Ok(automaton) = tchecker::export(&scaled, &limits, &|_| false) {
            fs::write(file("tck"), automaton)?;
        }
        return Ok(());
    }
    let start = Instant::now();
    let graph = ZoneGraph::explore(&scaled, ZoneOptions::reachability())?;
    let seconds = start.elapsed().as_secs_f64();
    println!("{} {} {seconds:.3}", graph.reached().count(), graph.zone_count());
    Ok(())
}
