//! The nets of the Model Checking Contest sample, where it is at hand; and files of other tools.

mod exporters;

use crate::shared::shared;
use starset::kinds::net::pnml;

/// Every place/transition instance has the size that instances.csv gives; every coloured one is recognised.
/// Each place/transition net survives being written and read back.
#[test]
fn contest_instances() {
    let Some(folder) = shared("mcc") else { return };
    let table = std::fs::read_to_string(folder.join("instances.csv")).unwrap();
    let mut lines = table.lines();
    let header: Vec<_> = lines.next().unwrap().split(',').collect();
    let column = |name: &str| header.iter().position(|h| *h == name).unwrap();
    let columns = [
        "instance",
        "kind",
        "places",
        "transitions",
        "arcs",
        "max_arc_weight",
        "initial_tokens",
        "nupn",
        "nupn_unit_safe",
    ];
    let columns = columns.map(column);
    let mut read = 0;
    for line in lines {
        let cells: Vec<_> = line.split(',').collect();
        let [instance, kind, places, transitions, arcs, weight, tokens, nupn, safe] = columns.map(|c| cells[c]);
        let path = folder.join(instance);
        if kind == "COL" {
            assert!(pnml::read_path(&path).unwrap_err().is_coloured(), "{instance}");
            let Ok(pnml::Net::Coloured(net)) = pnml::read_net_path(&path) else { panic!("{instance}") };
            let found = [net.place_count(), net.transition_count(), net.arc_count()].map(|n| n.to_string());
            assert_eq!(found, [places, transitions, arcs], "{instance}");
            continue;
        }
        let net = pnml::read_path(&path).unwrap_or_else(|e| panic!("{e}"));
        let heaviest = net.transitions().iter().flat_map(|t| t.pre.iter().chain(&t.post)).map(|a| a.weight).max();
        let initial: u128 = net.places().iter().map(|p| u128::from(p.initial)).sum();
        let found = [net.place_count(), net.transition_count(), net.arc_count()].map(|n| n.to_string());
        assert_eq!(found, [places, transitions, arcs], "{instance}");
        assert_eq!(heaviest.unwrap().to_string(), weight, "{instance}");
        assert_eq!(initial.to_string(), tokens, "{instance}");
        assert_eq!(if net.nupn().is_some() { "yes" } else { "no" }, nupn, "{instance}");
        assert_eq!(net.nupn().map_or(String::new(), |n| n.safe.to_string()), safe, "{instance}");
        let mut bytes = Vec::new();
        pnml::write(&net, &mut bytes).unwrap();
        assert!(pnml::read(bytes.as_slice(), instance).unwrap() == net, "{instance}");
        read += 1;
    }
    assert!(read > 0);
}
