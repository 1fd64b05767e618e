//! Orders from nested units (NUPN): the units of a net are its sequential components, given by the modeller.
//!
//! *Depth-first*: walk the tree of units, each unit's own places before its sub-units, as the file has them:
//! the places of a component, of which at most one is marked, stay together, and nested components stay near
//! their parents. *Gradient*: the units take the part of the semiflows in the gradient order.
//!
//! Complexity linear. Sources: Garavel 2019, "Nested-unit Petri nets"; Amparore, Beccuti and Donatelli 2017,
//! "Gradient-based variable ordering of decision diagrams for systems with structural units".

use super::semiflow_chain::append_uncovered;
use super::semiflow_gradient::along_gradient;
use super::{Context, Order};

pub(super) fn depth_first(context: &Context) -> Option<Order> {
    let nupn = context.net().nupn()?;
    let mut placed = vec![false; context.net().place_count()];
    let mut visited = vec![false; nupn.units.len()];
    let mut order = Vec::with_capacity(placed.len());
    let mut stack = vec![nupn.root];
    while let Some(u) = stack.pop() {
        let Some(unit) = nupn.units.get(u) else { continue };
        if std::mem::replace(&mut visited[u], true) {
            continue;
        }
        for p in &unit.places {
            if p.index() < placed.len() && !std::mem::replace(&mut placed[p.index()], true) {
                order.push(p.0);
            }
        }
        stack.extend(unit.subunits.iter().rev());
    }
    Some(Order::from_indices(append_uncovered(context, order, &mut placed)))
}

pub(super) fn gradient(context: &Context) -> Option<Order> {
    let nupn = context.net().nupn()?;
    let places = context.net().place_count();
    let own = |u: &crate::net::Unit| -> Vec<u32> {
        u.places.iter().map(|p| p.0).filter(|&p| (p as usize) < places).collect()
    };
    let groups: Vec<Vec<u32>> = nupn.units.iter().map(own).filter(|g| !g.is_empty()).collect();
    if groups.is_empty() { None } else { along_gradient(context, &groups) }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::budget::Budget;
    use crate::net::{NetBuilder, Nupn, PlaceId, Unit};

    fn order_with(units: Vec<Unit>, root: usize) -> [Option<Vec<u32>>; 2] {
        let mut b = NetBuilder::new("units");
        let p: Vec<_> = (0..5).map(|i| b.place(format!("p{i}"), 0).unwrap()).collect();
        let t = b.transition("t").unwrap();
        b.input(p[1], t, 1).unwrap();
        b.output(t, p[4], 1).unwrap();
        b.set_nupn(Nupn { units, root, safe: true });
        let net = b.build().unwrap();
        let budget = Budget::unlimited();
        let context = Context::new(&net, &budget, 0);
        [depth_first(&context), gradient(&context)].map(|o| o.map(|o| o.indices()))
    }

    fn unit(places: &[u32], subunits: &[usize]) -> Unit {
        Unit { id: String::new(), places: places.iter().map(|&p| PlaceId(p)).collect(), subunits: subunits.to_vec() }
    }

    #[test]
    fn units_stay_together_and_strays_follow_their_neighbours() {
        // p4 is in no unit; it shares a transition with p1.
        let [depth_first, gradient] = order_with(vec![unit(&[2], &[2, 1]), unit(&[0, 3], &[]), unit(&[1], &[])], 0);
        assert_eq!(depth_first, Some(vec![2, 1, 4, 0, 3]));
        let mut places = gradient.unwrap();
        places.sort_unstable();
        assert_eq!(places, [0, 1, 2, 3, 4]);
    }

    #[test]
    fn broken_trees_still_give_permutations() {
        // A cycle of units, a place owned twice, a sub-unit and a root that do not exist.
        for root in [0, 7] {
            let units = vec![unit(&[2, 2], &[1]), unit(&[2, 0], &[0, 9])];
            for order in order_with(units, root) {
                let mut places = order.unwrap();
                places.sort_unstable();
                assert_eq!(places, [0, 1, 2, 3, 4]);
            }
        }
    }
}
