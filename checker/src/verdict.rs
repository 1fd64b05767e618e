//! The verdict of a certificate: its claims, one after the other, and what they imply of the first states.

use crate::certificate::{Certificate, Evidence};
use crate::formula::Node;
use crate::linear::{Linear, refuted};
use crate::net::Net;
use crate::proof::{Prover, tells_apart};
use crate::{Checked, Proved, refuse, run};

/// Does the certificate prove its verdict? `certificate_true` and `certificate_false` of `proofs/Certificate.v`; of
/// nets, networks and tables with their levels `model_true` and `model_false` of `proofs/Models.v`.
pub(crate) fn verify(net: &Net, certificate: Certificate) -> Checked<Proved> {
    let Certificate { text, verdict, paths, pool, order, store, mut claims } = certificate;
    let mut prover = Prover::new(net, &pool, store, &order);
    prover.tells_apart = tells_apart(net, &order)?;
    claims.sort_by_key(|claim| claim.formula);
    for claim in &claims {
        if let Evidence::Always(rows, proof) = &claim.evidence {
            if net.is_program() {
                return refuse("a claim `always` is about nets and networks, not about programs");
            }
            if claim.formula >= pool.len() || std::mem::replace(&mut prover.always[claim.formula], true) {
                return refuse(format!("claim {} is made twice, or about nothing", claim.formula));
            }
            refuted(net, rows, &Linear::new(net, &pool, claim.formula)?.negated(), proof)?;
        }
    }
    prover.extend_always();
    for claim in claims.iter().filter(|claim| !matches!(claim.evidence, Evidence::Always(..))) {
        let id = claim.formula;
        prover.parts.clear();
        let set = match (if id < pool.len() { &pool[id] } else { &Node::True }, &claim.evidence) {
            (Node::Forall(path), Evidence::All(sets)) => prover.all(*path, sets)?,
            (Node::Exists(path), Evidence::Some(sets)) => prover.some(*path, sets)?,
            (Node::Exists(path), Evidence::Run(steps, end)) => {
                if !run::satisfies(&prover, *path, steps, *end)? {
                    return refuse(format!("claim {id}: the run does not satisfy its formula"));
                }
                prover.at_first.insert(id);
                prover.first()?
            }
            _ => return refuse(format!("claim {id}: no formula of this kind")),
        };
        if prover.proved.insert(id, set).is_some() {
            return refuse(format!("claim {id} is made twice"));
        }
    }
    // A formula is true of a program if it is true in all first states.
    let (root, initials) = (pool.len() - 1, net.initials());
    let implied = match verdict {
        true => initials.iter().try_fold(true, |all, state| Ok(all && prover.holds(root, state)?))?,
        false => initials.iter().try_fold(false, |any, state| Ok(any || prover.holds(root, state)?))?,
    };
    if !implied {
        return refuse("the claims do not imply the verdict");
    }
    Ok(Proved { formula: text, verdict, paths: paths.name() })
}
