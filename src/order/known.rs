//! Orders under which the diagrams of a model were found, kept in a folder for what is asked of it later.
//!
//! There is a file of JSON for each model and use, named by a hash of places, initial marking and arcs. Nothing rests on
//! the hash: an order is taken only if it names each place of the net once. A file that cannot be read counts as none,
//! and whoever deletes files loses time alone.

use super::{LevelOrder, Metrics, Order, Scored};
use crate::net::{PetriNet, PlaceId};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::{fs, io, process};

/// The version of the files. Those of another one count as none.
const VERSION: u32 = 1;

/// A folder of known orders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownOrders {
    folder: PathBuf,
}

/// The use of an order. The one that is quickest to explore is not always the best to work with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrderUse {
    /// The reachable set.
    Exploration,
    /// The reachable set, and fixpoints in it.
    Fixpoints,
}

/// A file. Metrics that were not measured are left out, as JSON has no infinite numbers.
#[derive(Serialize, Deserialize)]
struct Entry {
    version: u32,
    name: String,
    places: Vec<String>,
    lengths: Option<Vec<u32>>,
    score: Option<f64>,
    soups: u64,
    weighted_soups: Option<f64>,
    rank: Option<u64>,
    delays: u64,
    event_span: Option<f64>,
}

impl KnownOrders {
    /// The folder, made if there is none.
    ///
    /// # Errors
    /// When it cannot be made, or no file can be written there.
    pub fn open(folder: &Path) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        let probe = folder.join(format!("{}.partial", process::id()));
        fs::write(&probe, "")?;
        fs::remove_file(&probe)?;
        Ok(KnownOrders { folder: folder.to_owned() })
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The order that was kept for this net and use.
    pub fn get(&self, net: &PetriNet, purpose: OrderUse) -> Option<LevelOrder> {
        let text = fs::read(self.file(net, purpose)).ok()?;
        let entry: Entry = serde_json::from_slice(&text).ok()?;
        (entry.version == VERSION).then_some(())?;
        let ids: FxHashMap<&str, PlaceId> = net.place_ids().map(|p| (net.place(p).id.as_str(), p)).collect();
        let places = entry.places.iter().map(|id| ids.get(id.as_str()).copied()).collect::<Option<_>>()?;
        let order = Order::new(net, places)?;
        let whole = |lengths: &Vec<u32>| {
            let sum: u64 = lengths.iter().map(|&length| u64::from(length)).sum();
            sum == net.place_count() as u64 && !lengths.contains(&0)
        };
        entry.lengths.as_ref().is_none_or(whole).then_some(())?;
        let metrics = Metrics {
            score: entry.score.unwrap_or(f64::INFINITY),
            soups: entry.soups,
            weighted_soups: entry.weighted_soups.unwrap_or(f64::INFINITY),
            rank: entry.rank,
            delays: entry.delays,
            event_span: entry.event_span.unwrap_or(f64::INFINITY),
        };
        Some(LevelOrder { scored: Scored { name: entry.name, order, metrics }, units: entry.lengths })
    }

    /// Keep an order for this net and use, in place of the one that is kept there. A file that cannot be written is
    /// left out: it costs time alone.
    pub fn keep(&self, net: &PetriNet, purpose: OrderUse, known: &LevelOrder) {
        let LevelOrder { scored: Scored { name, order, metrics }, units } = known;
        let finite = |number: f64| number.is_finite().then_some(number);
        let entry = Entry {
            version: VERSION,
            name: name.clone(),
            places: order.as_slice().iter().map(|&place| net.place(place).id.clone()).collect(),
            lengths: units.clone(),
            score: finite(metrics.score),
            soups: metrics.soups,
            weighted_soups: finite(metrics.weighted_soups),
            rank: metrics.rank,
            delays: metrics.delays,
            event_span: finite(metrics.event_span),
        };
        let file = self.file(net, purpose);
        // Several programs may share the folder: a file takes its name when it is whole.
        let partial = file.with_extension(format!("{}.partial", process::id()));
        let written = serde_json::to_vec(&entry).map_err(io::Error::from).and_then(|text| fs::write(&partial, text));
        if written.and_then(|()| fs::rename(&partial, &file)).is_err() {
            let _left_behind = fs::remove_file(&partial);
        }
    }

    fn file(&self, net: &PetriNet, purpose: OrderUse) -> PathBuf {
        let purpose = match purpose {
            OrderUse::Exploration => "states",
            OrderUse::Fixpoints => "fixpoints",
        };
        self.folder.join(format!("{:016x}-{purpose}.json", hash_of(net)))
    }
}

/// A hash of places, initial marking and arcs.
fn hash_of(net: &PetriNet) -> u64 {
    let mut hasher = DefaultHasher::new();
    for place in net.places() {
        (&place.id, place.initial).hash(&mut hasher);
    }
    for transition in net.transitions() {
        for arcs in [&transition.pre, &transition.post, &transition.inhibitors] {
            arcs.len().hash(&mut hasher);
            arcs.iter().for_each(|arc| (arc.place.0, arc.weight).hash(&mut hasher));
        }
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::budget::Budget;
    use crate::net::NetBuilder;
    use crate::order::candidates;

    fn cycle(tokens: u64) -> PetriNet {
        let mut b = NetBuilder::new("cycle");
        let places: Vec<PlaceId> =
            (0..3).map(|i| b.place(format!("p{i}"), tokens * u64::from(i == 0)).unwrap()).collect();
        for at in 0..3 {
            let t = b.transition(format!("t{at}")).unwrap();
            b.input(places[at], t, 1).unwrap();
            b.output(t, places[(at + 1) % 3], 1).unwrap();
        }
        b.build().unwrap()
    }

    fn files(folder: &Path) -> Vec<PathBuf> {
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect()
    }

    #[test]
    fn what_is_kept_comes_back() {
        let folder = tempfile::tempdir().unwrap();
        let (orders, net) = (KnownOrders::open(&folder.path().join("new")).unwrap(), cycle(1));
        for (scored, units) in candidates(&net, &Budget::unlimited(), 0).into_iter().zip([None, Some(vec![1, 2])]) {
            let known = LevelOrder { scored, units };
            assert_eq!(orders.get(&net, OrderUse::Fixpoints).is_some(), known.units.is_some());
            orders.keep(&net, OrderUse::Fixpoints, &known);
            assert_eq!(orders.get(&net, OrderUse::Fixpoints), Some(known));
        }
        assert_eq!(orders.get(&net, OrderUse::Exploration), None);
        assert_eq!(orders.get(&cycle(2), OrderUse::Fixpoints), None, "another initial marking");
        assert_eq!(files(orders.folder()).len(), 1, "nothing else stays");
    }

    /// The hash is not relied on: a file that has an order of another net, or none, is none.
    #[test]
    fn what_is_no_order_of_the_net_counts_as_none() {
        let folder = tempfile::tempdir().unwrap();
        let (orders, net) = (KnownOrders::open(folder.path()).unwrap(), cycle(1));
        let scored = candidates(&net, &Budget::unlimited(), 0).remove(0);
        orders.keep(&net, OrderUse::Exploration, &scored.into());
        let file = files(folder.path()).remove(0);
        let text = fs::read_to_string(&file).unwrap();
        let faults = [
            ("\"version\":1", "\"version\":2"),
            ("\"p1\"", "\"p2\""),
            ("\"p1\"", "\"q\""),
            ("\"p1\",", ""),
            ("\"lengths\":null", "\"lengths\":[1,1]"),
            ("\"lengths\":null", "\"lengths\":[0,3]"),
            ("{", ""),
        ];
        for (from, to) in faults {
            assert!(text.contains(from), "{from}: {text}");
            fs::write(&file, text.replacen(from, to, 1)).unwrap();
            assert_eq!(orders.get(&net, OrderUse::Exploration), None, "{from}: {to}");
        }
        fs::write(&file, &text).unwrap();
        assert!(orders.get(&net, OrderUse::Exploration).is_some());
    }

    #[test]
    fn a_folder_that_cannot_be_made_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "").unwrap();
        assert!(KnownOrders::open(&file).is_err());
        assert!(KnownOrders::open(&file.join("below")).is_err());
    }
}
