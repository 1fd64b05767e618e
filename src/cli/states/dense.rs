//! `starset states --time-model dense`: the markings that are reachable in dense time, and the zones that it takes to
//! say so.

use super::super::{Console, Failure, Status};
use super::StatesArgs;
use crate::cli::options::Format;
use starset::budget::Budget;
use starset::kinds::clocks::markings::{ExploreError, Limits};
use starset::kinds::clocks::scaled::Scaled;
use starset::kinds::clocks::zone_graph::{ZoneGraph, ZoneOptions};
use starset::memory::peak_resident_bytes;
use starset::report::timing;

/// Markings and zones, or why they are not known.
type Explored = Result<(usize, usize), ExploreError>;

/// Count them.
pub(super) fn run(args: &StatesArgs, budget: &Budget, console: &mut Console) -> Result<Status, Failure> {
    if args.deadlocks || args.bounds || args.save.is_some() || args.dot.is_some() || args.report.is_asked() {
        let usage = "--deadlocks, --bounds, --save, --dot and --report are for integer time; `starset time` says where \
                     dense time stands still";
        return Err(Failure::Input(usage.to_owned()));
    }
    let net = args.model.read_clock_net(budget)?;
    let scaled = Scaled::new(&net).map_err(|e| Failure::Input(e.to_string()))?;
    let explore = |options: ZoneOptions| -> Explored {
        let options = ZoneOptions { limits: Limits::of(budget), threads: args.limits.threads(), ..options };
        let graph = ZoneGraph::explore(&scaled, options)?;
        Ok((graph.reached().count(), graph.zone_count()))
    };
    let largest = explore(ZoneOptions::antichain());
    let equal = explore(ZoneOptions::regions());
    let markings = largest.as_ref().or(equal.as_ref()).ok().map(|(markings, _)| markings.to_string());
    let zones = |found: &Explored| found.as_ref().ok().map(|(_, zones)| zones.to_string());
    let stopped = [&largest, &equal].into_iter().find_map(|found| found.as_ref().err());
    match args.format.get() {
        Format::Json => {
            let seconds = console.started().elapsed().as_secs_f64();
            let zones = serde_json::json!({ "equality": zones(&equal), "inclusion": zones(&largest) });
            let fields = timing::about("starset/states/1", &net)
                .with("time_model", "dense")
                .with("states", None::<String>)
                .with("markings", &markings)
                .with("zones", zones)
                .with("reason", stopped.map(ExploreError::reason))
                .with("message", stopped.map(ToString::to_string))
                .with("engine", "zones")
                .with("technique", "zones")
                .with("peak_memory_bytes", peak_resident_bytes())
                .with("seconds", seconds);
            console.json(&fields)?;
        }
        Format::Text | Format::Mcc => {
            let statistic = |console: &mut Console, name: &str, known: Option<String>| {
                let known = known.unwrap_or_else(|| "unknown".to_owned());
                console.judged(25, &format!("  {name:<22} {known}"))
            };
            console.line(net.header())?;
            statistic(console, "markings", markings)?;
            statistic(console, "zones, by equality", zones(&equal))?;
            statistic(console, "zones, by inclusion", zones(&largest))?;
        }
    }
    console.flush()?;
    if let Some(error) = stopped {
        console.error(format_args!("unknown: {error}"));
        return Ok(Status::Unknown);
    }
    Ok(Status::Answered)
}
