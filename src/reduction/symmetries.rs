//! Swaps of places that a net does not notice.
//!
//! **Problem.** Threads, processors and clients that are alike multiply the markings by the number of ways to arrange
//! them: n! for n of them.
//!
//! **Idea.** A *swap* exchanges pairs of places, such that the net stays the same: the initial marking, and the
//! transitions as a whole. Then a marking and the one with the tokens exchanged can do the same, up to the exchange. If
//! what is asked does not notice it either (each condition on a marking holds before and after), it is enough to go on
//! from one of the two: the markings that are kept are bisimilar to those of the net, whichever are chosen, and CTL\*
//! with next keeps its verdict. A search keeps a marking that no swap makes smaller (in the order of the dictionary, with
//! one order of places for all swaps). That need not be the smallest of all that the swaps together lead to; it costs a
//! factor, not a verdict.
//!
//! **Finding swaps.** Nodes of the net are coloured by what they are, and again by the colours around them, until
//! nothing changes (colour refinement, Weisfeiler and Leman 1968). Two places of the same colour are then taken for
//! each other: in one copy of the net they have two new colours, in the other the same two exchanged. What keeps its
//! colour, or has one together with the same others in both copies, stays where it is; what has a colour alone in both
//! is exchanged, too, and the rest is told apart by what is around it. A guess that is checked: whether the transitions
//! are the same as before, in full.
//!
//! Starke, "Reachability analysis of Petri nets using symmetries", Systems Analysis Modelling Simulation 8, 1991;
//! Schmidt, "How to calculate symmetries of Petri nets", Acta Informatica 36, 2000; Emerson and Sistla, "Symmetry and
//! model checking", Formal Methods in System Design 9, 1996.

use crate::budget::Budget;
use crate::net::{Arc, Arcs, PetriNet, PlaceId, Transition};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// Pairs of places that are exchanged. Swaps that were found together have one order of places: the earlier of each pair
/// comes first, and the pairs are in the order of their first places.
pub type Swap = Vec<(PlaceId, PlaceId)>;

/// The colour of a node in colour refinement: nodes of different colours are not exchangeable.
pub type Colour = u128;

/// Guesses that may fail before no more are made.
const FAILURES: usize = 24;
/// Nodes and arcs of nets in which swaps are looked for, in all: about a second.
const SIZE: usize = 100_000;
/// Pairs of places in all swaps: more take longer than they save.
const PAIRS: usize = 1 << 16;

/// A number that depends on two.
pub(crate) fn mix(a: u128, b: u128) -> u128 {
    const ODD: [u128; 2] = [0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835, 0xC2B2_AE3D_27D4_EB4F_1656_67B1_9E37_79F9];
    let mut mixed = (a ^ ODD[1]).wrapping_mul(ODD[0]).rotate_left(61) ^ b.wrapping_add(ODD[0]).wrapping_mul(ODD[1]);
    mixed = (mixed ^ (mixed >> 67)).wrapping_mul(ODD[0]);
    mixed = (mixed ^ (mixed >> 59)).wrapping_mul(ODD[1]);
    mixed ^ (mixed >> 71)
}

/// Colours of places and of transitions: those of different colours are not exchanged.
#[derive(Clone, Debug)]
pub struct Colours {
    /// Of places.
    pub places: Vec<Colour>,
    /// Of transitions.
    pub transitions: Vec<Colour>,
}

impl Colours {
    /// Everything has the same colour.
    pub fn same(net: &PetriNet) -> Colours {
        Colours { places: vec![0; net.place_count()], transitions: vec![0; net.transition_count()] }
    }

    /// With the initial marking: of all places, then of all transitions.
    fn of_nodes(&self, net: &PetriNet) -> Vec<Colour> {
        let marked = net.places().iter().zip(&self.places).map(|(place, &colour)| mix(colour, place.initial.into()));
        marked.chain(self.transitions.iter().map(|&colour| mix(colour, 1 << 100))).collect()
    }
}

/// Those of some swaps of a net that are swaps with these colours, too, and that `keeps` says are kept.
pub fn kept(net: &PetriNet, swaps: &[Swap], colours: &Colours, keeps: impl Fn(&[PlaceId]) -> bool) -> Vec<Swap> {
    let nodes = colours.of_nodes(net);
    let is_kept = |swap: &&Swap| {
        let mut images: Vec<PlaceId> = net.place_ids().collect();
        for &(p, q) in swap.iter() {
            (images[p.index()], images[q.index()]) = (q, p);
        }
        is_symmetry(net, &nodes, &images) && keeps(&images)
    };
    swaps.iter().filter(is_kept).cloned().collect()
}

/// Swaps that neither the net notices nor those who ask: places and transitions of different colours are not exchanged,
/// and `keeps` says whether a swap, given as the place that each place becomes, changes nothing that is asked.
pub fn swaps(net: &PetriNet, colours: &Colours, keeps: impl Fn(&[PlaceId]) -> bool, budget: &Budget) -> Vec<Swap> {
    if net.place_count() + net.transition_count() + net.arc_count() > SIZE {
        return Vec::new();
    }
    let graph = Graph::new(net);
    let places = net.place_count();
    let start = colours.of_nodes(net);
    let mut stable = Colouring::new(start.clone());
    let all = (0..start.len()).collect();
    if graph.refine(&mut stable, all, budget).is_none() {
        return Vec::new();
    }
    let mut cells = cells(&stable.colours[..places]);
    cells.retain(|cell| cell.len() > 1);
    cells.sort_by_key(|cell| (cell.len(), cell[0]));
    let mut orbit: Vec<usize> = (0..places).collect();
    let (mut found, mut failures, mut pairs): (Vec<Swap>, _, _) = (Vec::new(), 0, 0);
    for cell in cells {
        for both in cell.windows(2) {
            let (p, q) = (both[0], both[1]);
            if root(&orbit, p) == root(&orbit, q) {
                continue;
            }
            if failures >= FAILURES || pairs >= PAIRS || budget.check().is_err() {
                return in_order(found, &orbit);
            }
            let swap = graph.exchange(&stable, (p, q), places, budget);
            match swap.filter(|images| is_symmetry(net, &start, images) && keeps(images)) {
                None => failures += 1,
                Some(images) => {
                    let swap: Swap = (0..places)
                        .filter(|&p| images[p].index() > p)
                        .map(|p| (PlaceId(p as u32), images[p]))
                        .collect();
                    swap.iter().for_each(|&(p, q)| join(&mut orbit, p.index(), q.index()));
                    pairs += swap.len();
                    found.push(swap);
                }
            }
        }
    }
    in_order(found, &orbit)
}

/// The pairs of swaps in an order that goes through all places of an orbit before those of the next one, the smaller
/// orbits first (what stands for two of those that are exchanged comes last), in each by the swaps that touch them.
/// Markings are sorted by swaps of neighbours: with pairs of one kind first in one swap and last in another, or turned
/// around, many arrangements cannot be made smaller by one swap, and are kept.
fn in_order(mut swaps: Vec<Swap>, orbit: &[usize]) -> Vec<Swap> {
    let touching = touching(swaps.iter());
    let mut sizes: FxHashMap<usize, usize> = FxHashMap::default();
    touching.keys().for_each(|place| *sizes.entry(root(orbit, place.index())).or_default() += 1);
    let mut places: Vec<PlaceId> = touching.keys().copied().collect();
    places.sort_by_key(|place| {
        let orbit = root(orbit, place.index());
        (sizes[&orbit], orbit, &touching[place], *place)
    });
    let rank: FxHashMap<PlaceId, usize> = places.into_iter().zip(0..).collect();
    for swap in &mut swaps {
        for pair in swap.iter_mut().filter(|(p, q)| rank[q] < rank[p]) {
            *pair = (pair.1, pair.0);
        }
        swap.sort_unstable_by_key(|(p, _)| rank[p]);
    }
    swaps
}

/// Families of blocks of places that swaps exchange as a whole: of n blocks each arrangement is one that some of the
/// swaps make of any other. No place is in two of them, so that the arrangements of different families are independent.
/// Swaps that do not fit into a family beside the others are left out, those of the larger families last.
///
/// A family are swaps of as many pairs that hang together, as edges of a tree over its blocks: every place that they
/// move is one of n that they make of each other, and each of the swaps moves one pair of these n. A place belongs to
/// the block that is touched by the same swaps.
pub fn families(swaps: &[Swap]) -> Vec<Vec<Vec<PlaceId>>> {
    let mut groups = connected(swaps);
    groups.sort_by_key(|group| std::cmp::Reverse((group.len(), group.first().map_or(0, |swap| swap.len()))));
    let mut taken: FxHashSet<PlaceId> = FxHashSet::default();
    let mut families = Vec::new();
    for group in groups {
        let moved = || group.iter().flat_map(|swap| swap.iter()).flat_map(|&(p, q)| [p, q]);
        if moved().any(|place| taken.contains(&place)) {
            continue;
        }
        if let Some(family) = family(&group) {
            taken.extend(moved());
            families.push(family);
        }
    }
    families
}

/// Swaps with as many pairs that share places, directly or by others.
fn connected(swaps: &[Swap]) -> Vec<Vec<&Swap>> {
    let mut group: Vec<usize> = (0..swaps.len()).collect();
    let mut first: FxHashMap<(usize, PlaceId), usize> = FxHashMap::default();
    for (number, swap) in swaps.iter().enumerate() {
        for place in swap.iter().flat_map(|&(p, q)| [p, q]) {
            let other = *first.entry((swap.len(), place)).or_insert(number);
            join(&mut group, number, other);
        }
    }
    let mut groups: Vec<Vec<&Swap>> = vec![Vec::new(); swaps.len()];
    swaps.iter().enumerate().for_each(|(number, swap)| groups[root(&group, number)].push(swap));
    groups.retain(|group| !group.is_empty());
    groups
}

/// The blocks that these swaps exchange, if they do.
fn family(swaps: &[&Swap]) -> Option<Vec<Vec<PlaceId>>> {
    // The swaps that touch each place, and the places that they make of each other.
    let touching = touching(swaps.iter().copied());
    let places: Vec<PlaceId> = touching.keys().copied().collect();
    let index = |place: PlaceId| places.binary_search(&place).unwrap_or_default();
    let mut orbit: Vec<usize> = (0..places.len()).collect();
    for &(p, q) in swaps.iter().flat_map(|swap| swap.iter()) {
        join(&mut orbit, index(p), index(q));
    }
    let mut roles: BTreeMap<usize, Vec<PlaceId>> = BTreeMap::new();
    for (number, &place) in places.iter().enumerate() {
        roles.entry(root(&orbit, number)).or_default().push(place);
    }
    let blocks = swaps.len() + 1;
    let mut signature: Option<Vec<&Vec<usize>>> = None;
    let mut family = vec![Vec::new(); blocks];
    for role in roles.values_mut() {
        if role.len() != blocks {
            return None;
        }
        role.sort_by_key(|place| (&touching[place], *place));
        let touched: Vec<&Vec<usize>> = role.iter().map(|place| &touching[place]).collect();
        // With one swap there are two blocks, and it does not matter which of a pair is in which.
        if blocks > 2 && touched.windows(2).any(|both| both[0] == both[1]) {
            return None;
        }
        if *signature.get_or_insert_with(|| touched.clone()) != touched {
            return None;
        }
        role.iter().zip(&mut family).for_each(|(&place, block)| block.push(place));
    }
    // Each swap moves one pair of each role.
    swaps.iter().all(|swap| swap.len() == roles.len()).then_some(family)
}

/// The swaps that touch each place, by number.
fn touching<'s>(swaps: impl Iterator<Item = &'s Swap>) -> BTreeMap<PlaceId, Vec<usize>> {
    let mut touching: BTreeMap<PlaceId, Vec<usize>> = BTreeMap::new();
    for (number, swap) in swaps.enumerate() {
        swap.iter().flat_map(|&(p, q)| [p, q]).for_each(|place| touching.entry(place).or_default().push(number));
    }
    touching
}

/// The first of those that belong together with this one.
fn root(orbit: &[usize], mut place: usize) -> usize {
    while orbit[place] != place {
        place = orbit[place];
    }
    place
}

/// From now on these two belong together.
fn join(orbit: &mut [usize], one: usize, other: usize) {
    let (one, other) = (root(orbit, one), root(orbit, other));
    orbit[one.max(other)] = one.min(other);
}

/// Nodes with the same colour, in the order of the nodes.
fn cells(colours: &[Colour]) -> Vec<Vec<usize>> {
    let mut cells: FxHashMap<Colour, Vec<usize>> = FxHashMap::default();
    for (node, &colour) in colours.iter().enumerate() {
        cells.entry(colour).or_default().push(node);
    }
    cells.into_values().collect()
}

/// Colours of the nodes of a net, and how many nodes have each.
#[derive(Clone)]
struct Colouring {
    colours: Vec<Colour>,
    sizes: FxHashMap<Colour, usize>,
}

impl Colouring {
    fn new(colours: Vec<Colour>) -> Self {
        let mut sizes: FxHashMap<Colour, usize> = FxHashMap::default();
        colours.iter().for_each(|&colour| *sizes.entry(colour).or_default() += 1);
        Colouring { colours, sizes }
    }

    /// Give a node another colour.
    fn recolour(&mut self, node: usize, colour: Colour) {
        let old = std::mem::replace(&mut self.colours[node], colour);
        if let Some(size) = self.sizes.get_mut(&old) {
            *size -= 1;
        }
        *self.sizes.entry(colour).or_default() += 1;
    }
}

/// The net as a graph: places, then transitions; each node with its neighbours and what kind of arc leads there.
struct Graph {
    edges: Vec<Vec<(u32, Colour)>>,
}

impl Graph {
    fn new(net: &PetriNet) -> Self {
        let places = net.place_count();
        let mut edges = vec![Vec::new(); places + net.transition_count()];
        for (t, transition) in net.transitions().iter().enumerate() {
            for (kind, arcs) in [&transition.pre, &transition.post, &transition.inhibitors].into_iter().enumerate() {
                for arc in arcs {
                    let kind = mix(kind as u128, arc.weight.into());
                    edges[arc.place.index()].push(((places + t) as u32, kind));
                    edges[places + t].push((arc.place.0, kind));
                }
            }
        }
        Graph { edges }
    }

    /// Refine a colouring until nodes of one colour have the same colours around them. These nodes have changed since
    /// that was so; nodes that see none of what has changed are not looked at (Paige and Tarjan, "Three partition
    /// refinement algorithms", SIAM Journal on Computing 16, 1987). Gives the nodes whose colours have changed.
    fn refine(&self, colouring: &mut Colouring, mut changed: Vec<usize>, budget: &Budget) -> Option<Vec<usize>> {
        let mut all = changed.clone();
        // What a node sees of those that have changed, and who sees any.
        let mut seen: Vec<Option<Colour>> = vec![None; self.edges.len()];
        while !changed.is_empty() {
            budget.check().ok()?;
            let mut seeing = Vec::new();
            for &node in &changed {
                let colour = colouring.colours[node];
                for &(other, kind) in &self.edges[node] {
                    let sum = &mut seen[other as usize];
                    if sum.is_none() {
                        seeing.push(other as usize);
                    }
                    *sum = Some(sum.unwrap_or(0).wrapping_add(mix(kind, colour)));
                }
            }
            // By colour, then by what is seen.
            let mut cells: FxHashMap<Colour, FxHashMap<Colour, Vec<usize>>> = FxHashMap::default();
            for node in seeing {
                let sum = seen[node].take().unwrap_or(0);
                cells.entry(colouring.colours[node]).or_default().entry(sum).or_default().push(node);
            }
            changed.clear();
            for (colour, mut parts) in cells {
                let size = parts.values().map(Vec::len).sum();
                if colouring.sizes.get(&colour) == Some(&size) {
                    // One part may keep the colour, as what is seen of it follows from the others.
                    let largest = parts.iter().map(|(&sum, part)| (part.len(), sum)).max();
                    largest.and_then(|(_, sum)| parts.remove(&sum));
                }
                for (sum, part) in parts {
                    part.iter().for_each(|&node| colouring.recolour(node, mix(colour, sum)));
                    changed.extend(part);
                }
            }
            all.extend(&changed);
        }
        all.sort_unstable();
        all.dedup();
        Some(all)
    }

    /// The image of each place under the exchange of these two, with as many fixed points as possible; a guess.
    fn exchange(
        &self,
        stable: &Colouring,
        (p, q): (usize, usize),
        places: usize,
        budget: &Budget,
    ) -> Option<Vec<PlaceId>> {
        let with = |one: usize, other: usize| {
            let mut colouring = stable.clone();
            colouring.recolour(one, mix(stable.colours[one], 1));
            colouring.recolour(other, mix(stable.colours[other], 2));
            let changed = self.refine(&mut colouring, vec![one, other], budget)?;
            Some((colouring.colours, changed))
        };
        let ((mut here, mut from), (mut there, mut to)) = (with(p, q)?, with(q, p)?);
        // What changes in neither stays where it is, each by itself.
        let mut stays = vec![true; self.edges.len()];
        from.iter().chain(&to).for_each(|&node| stays[node] = false);
        from = (0..stays.len()).filter(|&node| !stays[node]).collect();
        to.clone_from(&from);
        let mut images: Vec<usize> = (0..stays.len()).collect();
        let mut cells = 0;
        loop {
            budget.check().ok()?;
            let mut both: FxHashMap<Colour, (Vec<usize>, Vec<usize>)> = FxHashMap::default();
            from.iter().for_each(|&node| both.entry(here[node]).or_default().0.push(node));
            to.iter().for_each(|&node| both.entry(there[node]).or_default().1.push(node));
            let before = (from.len(), cells);
            cells = both.len();
            (from, to) = (Vec::new(), Vec::new());
            for (one, other) in both.into_values() {
                if let ([node], [image]) = (&one[..], &other[..]) {
                    images[*node] = *image;
                } else if one == other {
                    one.iter().for_each(|&node| stays[node] = true);
                } else if one.len() == other.len() {
                    from.extend(one);
                    to.extend(other);
                } else {
                    return None;
                }
            }
            if from.is_empty() {
                images.truncate(places);
                let is_swap = |p: usize| images[images[p]] == p;
                let is_found = (0..places).all(|p| images[p] < places && is_swap(p));
                return is_found.then(|| images.iter().map(|&image| PlaceId(image as u32)).collect());
            }
            if (from.len(), cells) == before {
                return None;
            }
            // The others may be told apart by what is around them and stays.
            let around = |colours: &[Colour], nodes: &[usize]| -> Vec<Colour> {
                let label = |node: usize| if stays[node] { mix(3, node as u128) } else { colours[node] };
                let sum = |node: &usize| {
                    let edges = self.edges[*node].iter();
                    edges.fold(0, |sum: Colour, &(other, kind)| sum.wrapping_add(mix(kind, label(other as usize))))
                };
                nodes.iter().map(|node| mix(colours[*node], sum(node))).collect()
            };
            for (colours, nodes) in [(&mut here, &from), (&mut there, &to)] {
                let next = around(colours, nodes);
                nodes.iter().zip(next).for_each(|(&node, colour)| colours[node] = colour);
            }
        }
    }
}

/// Are the initial marking, the colours and the transitions the same after the exchange?
fn is_symmetry(net: &PetriNet, colours: &[Colour], images: &[PlaceId]) -> bool {
    let moved = |place: usize| images[place].index() != place;
    if (0..images.len()).any(|place| colours[images[place].index()] != colours[place]) {
        return false;
    }
    type Signature = (Colour, Arcs);
    let signature = |(number, t): (usize, &Transition), exchanged: bool| -> Signature {
        let image = |place: PlaceId| if exchanged { images[place.index()] } else { place };
        (colours[images.len() + number], t.arcs_of_images(image))
    };
    let mut balance: FxHashMap<Signature, i64> = FxHashMap::default();
    for (number, t) in net.transitions().iter().enumerate() {
        let touches = |arcs: &[Arc]| arcs.iter().any(|arc| moved(arc.place.index()));
        if touches(&t.pre) || touches(&t.post) || touches(&t.inhibitors) {
            *balance.entry(signature((number, t), false)).or_default() += 1;
            *balance.entry(signature((number, t), true)).or_default() -= 1;
        }
    }
    balance.values().all(|&balance| balance == 0)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::net::NetBuilder;
    use crate::rng::Rng;

    fn step(b: &mut NetBuilder, id: String, pre: &[PlaceId], post: &[PlaceId]) {
        let t = b.transition(id).unwrap();
        pre.iter().for_each(|&place| b.input(place, t, 1).unwrap());
        post.iter().for_each(|&place| b.output(t, place, 1).unwrap());
    }

    /// The places of each processor (active, memory, own, queue), and those of pairs.
    type Places = (Vec<[PlaceId; 4]>, FxHashMap<(usize, usize), PlaceId>);

    /// Processors that use their own memories, and by one bus those of others. The places of the net are in a random order.
    fn shared_memory(count: usize, seed: u64) -> (PetriNet, Places) {
        let pairs = (0..count).flat_map(|i| (0..count).map(move |j| (i, j))).filter(|(i, j)| i != j);
        let pairs: Vec<(usize, usize)> = pairs.collect();
        let kinds = [("active", 1), ("memory", 1), ("own", 0), ("queue", 0)];
        let of_one = |i: usize| kinds.map(|(kind, tokens)| (format!("{kind} {i}"), tokens));
        let mut places: Vec<(String, u64)> = (0..count).flat_map(of_one).collect();
        places.extend(pairs.iter().map(|(i, j)| (format!("outer {i} {j}"), 0)));
        places.push(("bus".to_owned(), 1));
        Rng::new(seed).shuffle(&mut places);
        let mut b = NetBuilder::new("shared memory");
        let mut ids: FxHashMap<String, PlaceId> = FxHashMap::default();
        for (id, tokens) in places {
            ids.insert(id.clone(), b.place(id, tokens).unwrap());
        }
        let ones: Vec<[PlaceId; 4]> = (0..count).map(|i| of_one(i).map(|(id, _)| ids[&id])).collect();
        let outer: FxHashMap<(usize, usize), PlaceId> =
            pairs.iter().map(|&(i, j)| ((i, j), ids[&format!("outer {i} {j}")])).collect();
        for (i, &[active, memory, own, queue]) in ones.iter().enumerate() {
            step(&mut b, format!("begin own {i}"), &[active, memory], &[own]);
            step(&mut b, format!("end own {i}"), &[own], &[active, memory]);
            step(&mut b, format!("ask {i}"), &[active], &[queue]);
        }
        for &(i, j) in &pairs {
            let ([active, _, _, queue], [_, memory, ..], bus) = (ones[i], ones[j], ids["bus"]);
            step(&mut b, format!("begin outer {i} {j}"), &[queue, memory, bus], &[outer[&(i, j)]]);
            step(&mut b, format!("end outer {i} {j}"), &[outer[&(i, j)]], &[active, memory, bus]);
        }
        (b.build().unwrap(), (ones, outer))
    }

    /// An exchange of two processors exchanges the pairs that have one of them, and the pair of both with its reverse.
    #[test]
    fn swaps_of_pairs_follow_those_of_their_parts() {
        for count in [2, 3, 8, 20] {
            let (net, ..) = shared_memory(count, 0);
            let found = swaps(&net, &Colours::same(&net), |_| true, &Budget::unlimited());
            let pairs: Vec<usize> = found.iter().map(Vec::len).collect();
            assert_eq!(pairs, vec![4 + 2 * (count - 2) + 1; count - 1]);
        }
    }

    /// Markings that differ in who is who have one arrangement that no swap makes smaller.
    #[test]
    fn swaps_have_one_order_of_places() {
        for seed in 0..10 {
            let (net, (ones, outer)) = shared_memory(5, seed);
            let found = swaps(&net, &Colours::same(&net), |_| true, &Budget::unlimited());
            let graph = crate::reference::explore(&net, 100_000).unwrap();
            let (mut kept, mut kinds) = (FxHashSet::default(), FxHashSet::default());
            for marking in &graph.markings {
                let mut marking: Vec<u64> = net.place_ids().map(|place| marking.tokens(place)).collect();
                let kind = |i: usize| {
                    let of = |pairs: &mut dyn Iterator<Item = (usize, usize)>| -> u64 {
                        pairs.filter_map(|pair| outer.get(&pair)).map(|place| marking[place.index()]).sum()
                    };
                    let (out, by) = (of(&mut (0..5).map(|j| (i, j))), of(&mut (0..5).map(|j| (j, i))));
                    (ones[i].map(|place| marking[place.index()]), out, by)
                };
                let mut kinds_of: Vec<_> = (0..5).map(kind).collect();
                kinds_of.sort_unstable();
                kinds.insert(kinds_of);
                let smaller = |marking: &[u64], swap: &Swap| {
                    let both = swap.iter().map(|&(p, q)| (marking[p.index()], marking[q.index()]));
                    both.into_iter().find(|(p, q)| p != q).is_some_and(|(p, q)| q < p)
                };
                while let Some(swap) = found.iter().find(|swap| smaller(&marking, swap)) {
                    swap.iter().for_each(|&(p, q)| marking.swap(p.index(), q.index()));
                }
                kept.insert(marking);
            }
            assert!(kinds.len() * 10 < graph.states());
            assert_eq!(kept.len(), kinds.len(), "seed {seed}");
        }
    }
}
