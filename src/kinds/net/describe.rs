//! Facts about a net without exploration.

use crate::budget::Budget;
use crate::kinds::{Fact, Size};
use crate::net::{Arc, PetriNet, Transition};
use crate::structure::{Effort, PlaceBounds, p_semiflows, t_semiflows};
use serde_json::{Value, json};

/// Places, transitions, arcs.
pub(super) fn sizes(net: &PetriNet) -> Vec<Size> {
    vec![
        Size::new("places", "place", net.place_count()),
        Size::new("transitions", "transition", net.transition_count()),
        Size::new("arcs", "arc", net.arc_count()),
    ]
}

/// Tokens, arcs, units, semiflows, bounds. The effort for semiflows is limited.
pub(super) fn facts(net: &PetriNet, budget: &Budget) -> Vec<Fact> {
    let (places, p_semiflows) = match p_semiflows(net, Effort::default(), budget) {
        Ok(found) => (PlaceBounds::new(net, &found.flows), (found.flows.len(), found.complete)),
        Err(_) => (PlaceBounds::new(net, &[]), (0, false)),
    };
    let t_semiflows = match t_semiflows(net, Effort::default(), budget) {
        Ok(found) => (found.flows.len(), found.complete),
        Err(_) => (0, false),
    };
    let weights = |arcs: fn(&Transition) -> &[Arc]| net.transitions().iter().flat_map(arcs).map(|arc| arc.weight);
    let tokens: u128 = net.places().iter().map(|place| u128::from(place.initial)).sum();
    let weight = weights(|t| &t.pre).chain(weights(|t| &t.post)).max().unwrap_or(0);
    let inhibitors = weights(|t| &t.inhibitors).count();
    let units = match net.nupn() {
        Some(nupn) => {
            let (count, declared) = (nupn.units.len(), if nupn.safe { ", declared safe" } else { "" });
            let value = json!({ "count": count, "safe": nupn.safe });
            Fact::new("units", value, "units", format!("{count}{declared}"))
        }
        None => Fact { key: "units", value: Value::Null, lines: Vec::new() },
    };
    let semiflows = |key, title: &str, (count, complete): (usize, bool)| {
        let text = if complete { count.to_string() } else { format!("at least {count}") };
        Fact::new(key, json!({ "count": count, "complete": complete }), title, text)
    };
    let bounded = places.as_slice().iter().flatten().count();
    let bound = places.as_slice().iter().flatten().max().copied();
    // A net without places is bounded, too.
    let bound = places.all_bounded().then(|| bound.unwrap_or(0));
    let about = match bound {
        Some(bound) => format!("yes, by P-semiflows: at most {bound} tokens in a place"),
        None => format!("not known: P-semiflows bound {bounded} of {} places", net.place_count()),
    };
    vec![
        Fact::new("initial_tokens", tokens.to_string(), "initial tokens", tokens.to_string()),
        Fact::new("max_arc_weight", weight.to_string(), "largest arc weight", weight.to_string()),
        Fact::new("inhibitor_arcs", inhibitors, "inhibitor arcs", inhibitors.to_string()),
        units,
        semiflows("p_semiflows", "P-semiflows", p_semiflows),
        semiflows("t_semiflows", "T-semiflows", t_semiflows),
        Fact { key: "bounded_places", value: bounded.into(), lines: Vec::new() },
        Fact::new("bound", bound.map(|bound| bound.to_string()), "bounded", about),
    ]
}
