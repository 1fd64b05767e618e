//! Token ring (`token-ring`): stations that share one resource by passing a token round.
//!
//! A station is idle, wants the resource, or uses it. It needs the token to begin, keeps it while it uses the
//! resource, and passes it on afterwards; a station that wants nothing passes the token on at once.
//!
//! The net has a unit structure: each station is a unit of three places, and the places of the free token are
//! one more. It is unit-safe, so one marked place per unit tells the whole marking.
//!
//! *Count.* The token is free at one of N stations while each station is idle or wants the resource:
//! N · 2^N. Or one of N stations uses it: N · 2^(N−1). Together 3N · 2^(N−1).

use super::draft::Draft;
use crate::net::{BuildError, Nupn, PetriNet, Unit};
use num_bigint::BigUint;

/// A token ring of `n` stations (at least 2).
pub(crate) fn token_ring(n: u32) -> Result<PetriNet, BuildError> {
    let mut net = Draft::new(format!("TokenRing-{n}"));
    let mut stations = Vec::new();
    for i in 0..n {
        let idle = net.place(format!("Idle_{i}"), 1)?;
        let want = net.place(format!("Want_{i}"), 0)?;
        let using = net.place(format!("Use_{i}"), 0)?;
        let token = net.place(format!("Token_{i}"), u32::from(i == 0))?;
        stations.push((idle, want, using, token));
    }
    for (i, &(idle, want, using, token)) in stations.iter().enumerate() {
        let next = stations[(i + 1) % stations.len()].3;
        net.transition(format!("Ask_{i}"), &[idle], &[want])?;
        net.transition(format!("Enter_{i}"), &[want, token], &[using])?;
        net.transition(format!("Leave_{i}"), &[using], &[idle, next])?;
        net.transition(format!("Pass_{i}"), &[idle, token], &[idle, next])?;
    }
    let mut units = vec![
        Unit { id: "ring".to_owned(), places: Vec::new(), subunits: (1..=stations.len() + 1).collect() },
        Unit { id: "token".to_owned(), places: stations.iter().map(|s| s.3).collect(), subunits: Vec::new() },
    ];
    for (i, &(idle, want, using, _)) in stations.iter().enumerate() {
        units.push(Unit { id: format!("station_{i}"), places: vec![idle, want, using], subunits: Vec::new() });
    }
    Ok(net.finish()?.with_nupn(Nupn { units, root: 0, safe: true }))
}

pub(super) fn states(n: u32) -> Option<BigUint> {
    Some((BigUint::from(3 * u64::from(n)) << n) >> 1_u32)
}
