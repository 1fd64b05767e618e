//! Strong stubborn sets of invisible transitions.
//!
//! **Problem.** Independent firings in every order make most of a state space; for a property that cannot see
//! them, one order is enough.
//!
//! **Idea** (Valmari 1990). A set T of transitions is *stubborn* in a marking if
//! (D1) what happens outside of T neither disables nor is disabled by an enabled member, and
//! (D2) a disabled member stays disabled until a member fires: for one place that lacks tokens (or, of an
//! inhibitor arc, has too many), all transitions that can mend it are in T.
//! If only the enabled members of a stubborn set with an enabled member are fired, deadlocks are preserved.
//! When, besides, all of these are invisible to the property and every cycle of the reduced graph contains a
//! fully expanded state, then for every infinite run (or one that ends in a deadlock) a run that is equal up to
//! stuttering remains (Peled 1994; Valmari 1996). The caller sees to the cycles; here sets with a visible
//! enabled member are given up.
//!
//! **Closure.** From each enabled invisible seed the rules required by D1 and D2 are added until none is
//! missing. Requirements are always "all transitions that relate to this place in this way", so a list per
//! place and relation, pulled in at most once per closure, gives the closure in time linear in the arcs. The
//! smallest closure over the seeds wins. When reductions turn out rare, the attempt is made in few states
//! only: any set of states may be fully expanded.
//!
//! Two transitions that only test a common place do not conflict: D1 looks at net changes.
//!
//! **Towards a goal** (Kristensen, Schmidt, Valmari, FMSD 29, 2006; attractor sets of Schmidt 1999). When it is only
//! asked whether a marking of some kind can be reached, a stubborn set will do that contains, of each way there, some
//! transition: the first of its members on the way can be fired at once, and what remains of the way is shorter. No
//! condition on visibility or cycles is needed, and where no member is enabled there is no way.

use super::PackedNet;
use crate::explicit::{Action, Event, Reducer, Rule};

/// Rules that relate to a place in one way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Relation {
    /// Input place.
    Needs,
    /// Its count goes down.
    Decreases,
    /// Its count goes up.
    Increases,
    /// Inhibitor place.
    Inhibited,
}

const RELATIONS: usize = 4;

/// Seeds tried per marking.
const SEEDS: usize = 32;

/// A firing, with the search in the table of states, takes as long as so many members of a set.
const SAVING: u64 = 8;
/// Less than one enabled rule of so many is little to save.
const LITTLE: u64 = 4;

/// Lists of `u32` one behind the other.
#[derive(Debug, Default)]
struct Lists {
    ends: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    fn new(lists: Vec<Vec<u32>>) -> Lists {
        let mut flat = Lists { ends: vec![0], items: Vec::new() };
        for list in lists {
            flat.items.extend(list);
            flat.ends.push(flat.items.len() as u32);
        }
        flat
    }
    fn get(&self, k: usize) -> &[u32] {
        &self.items[self.ends[k] as usize..self.ends[k + 1] as usize]
    }
}

/// Computes stubborn sets in the markings of one net.
#[derive(Debug)]
pub(crate) struct Stubborn {
    /// By place and relation: the rules.
    related: Lists,
    /// By rule: the place-and-relation indices that D1 pulls in while the rule is enabled.
    conflicts: Lists,
    /// Rules the property can see.
    visible: Vec<bool>,
    /// In which closure a rule was added last, and a list pulled in last.
    added: Vec<u32>,
    pulled: Vec<u32>,
    closure: u32,
    work: Vec<Rule>,
    enabled: Vec<Rule>,
    best: Vec<Rule>,
    /// Attempts and successes of late.
    attempts: u32,
    successes: u32,
    skip: u32,
    /// Members of closures of late, enabled rules, and those of them that need not be fired.
    spent: u64,
    enabled_rules: u64,
    saved: u64,
}

fn index(place: usize, relation: Relation) -> usize {
    place * RELATIONS + relation as usize
}

impl Stubborn {
    /// Prepare for a net; `visible` says which rules the property can see.
    pub(crate) fn new(space: &PackedNet<'_>, visible: impl Fn(Rule) -> bool) -> Stubborn {
        let net = space.net;
        let rules = net.transition_count() as Rule;
        let mut related = vec![Vec::new(); net.place_count() * RELATIONS];
        let mut own: Vec<Vec<(usize, Relation)>> = Vec::new();
        for rule in 0..rules {
            let t = net.transition(space.transition(rule));
            let mut relations: Vec<(usize, Relation)> = Vec::new();
            let weight = |arcs: &[crate::net::Arc], p| arcs.iter().find(|a| a.place == p).map_or(0, |a| a.weight);
            for a in &t.pre {
                relations.push((a.place.index(), Relation::Needs));
                if weight(&t.post, a.place) < a.weight {
                    relations.push((a.place.index(), Relation::Decreases));
                }
            }
            for a in t.post.iter().filter(|a| weight(&t.pre, a.place) < a.weight) {
                relations.push((a.place.index(), Relation::Increases));
            }
            relations.extend(t.inhibitors.iter().map(|a| (a.place.index(), Relation::Inhibited)));
            for &(p, r) in &relations {
                related[index(p, r)].push(rule);
            }
            own.push(relations);
        }
        let opposite = |&(p, r): &(usize, Relation)| {
            let against = match r {
                Relation::Needs => Relation::Decreases,
                Relation::Decreases => Relation::Needs,
                Relation::Increases => Relation::Inhibited,
                Relation::Inhibited => Relation::Increases,
            };
            index(p, against) as u32
        };
        let conflicts = own.iter().map(|relations| relations.iter().map(opposite).collect()).collect();
        Stubborn {
            added: vec![0; rules as usize],
            pulled: vec![0; related.len()],
            related: Lists::new(related),
            conflicts: Lists::new(conflicts),
            visible: (0..rules).map(visible).collect(),
            closure: 0,
            work: Vec::new(),
            enabled: Vec::new(),
            best: Vec::new(),
            attempts: 0,
            successes: 0,
            skip: 0,
            spent: 0,
            enabled_rules: 0,
            saved: 0,
        }
    }

    /// Count an attempt that saved some of the enabled rules, and give it up for a while when attempts do not pay.
    fn account(&mut self, enabled: usize, saved: usize) {
        self.successes += u32::from(saved > 0);
        self.enabled_rules += enabled as u64;
        self.saved += saved as u64;
        if self.attempts >= 1024 {
            let rare = self.successes * 32 < self.attempts;
            // Where little is saved the states will not be many fewer, and members must not cost more than the firings.
            let dear = self.saved * LITTLE < self.enabled_rules && self.saved * SAVING < self.spent;
            if rare || dear {
                // Try one state in 16 for a while.
                self.skip = 1024 * 15;
            }
            (self.attempts, self.successes) = (0, 0);
            (self.enabled_rules, self.saved, self.spent) = (0, 0, 0);
        }
    }

    /// Begin a closure.
    fn begin(&mut self) {
        self.closure = self.closure.checked_add(1).unwrap_or_else(|| {
            self.added.fill(0);
            self.pulled.fill(0);
            1
        });
        self.work.clear();
    }

    /// Close a set that starts with the enabled rule `seed`: the number of its enabled members, or `None` when
    /// one of them is visible or there are `limit` of them.
    fn close(&mut self, space: &PackedNet<'_>, words: &[u64], seed: Rule, limit: usize) -> Option<usize> {
        self.begin();
        self.add(seed);
        self.complete(space, words, limit)
    }

    /// Add what D1 and D2 require: the number of enabled members, or `None` when one of them is visible or there are
    /// `limit` of them.
    fn complete(&mut self, space: &PackedNet<'_>, words: &[u64], limit: usize) -> Option<usize> {
        let mut count = 0;
        while let Some(rule) = self.work.pop() {
            self.spent += 1;
            if space.enables(words, rule) {
                count += 1;
                if self.visible[rule as usize] || count >= limit {
                    return None;
                }
                for k in 0..self.conflicts.get(rule as usize).len() {
                    self.pull(self.conflicts.get(rule as usize)[k] as usize);
                }
            } else if let Some(reason) = self.reason(space, words, rule) {
                self.pull(reason);
            }
        }
        Some(count)
    }

    /// Add all rules of a list.
    fn pull(&mut self, list: usize) {
        if std::mem::replace(&mut self.pulled[list], self.closure) == self.closure {
            return;
        }
        for &rule in self.related.get(list) {
            if std::mem::replace(&mut self.added[rule as usize], self.closure) != self.closure {
                self.work.push(rule);
            }
        }
    }

    fn add(&mut self, rule: Rule) {
        if std::mem::replace(&mut self.added[rule as usize], self.closure) != self.closure {
            self.work.push(rule);
        }
    }

    /// The cheapest list that contains everything that could enable a disabled rule.
    fn reason(&self, space: &PackedNet<'_>, words: &[u64], rule: Rule) -> Option<usize> {
        let t = space.net.transition(space.transition(rule));
        let tokens = |p| space.layout.slot(p).value(words);
        let lacking = t.pre.iter().filter(|a| tokens(a.place) < a.weight);
        let lacking = lacking.map(|a| index(a.place.index(), Relation::Increases));
        let crowded = t.inhibitors.iter().filter(|a| tokens(a.place) >= a.weight);
        let crowded = crowded.map(|a| index(a.place.index(), Relation::Decreases));
        let cost = |&list: &usize| if self.pulled[list] == self.closure { 0 } else { 1 + self.related.get(list).len() };
        lacking.chain(crowded).min_by_key(cost)
    }
}

impl<'n> Reducer<PackedNet<'n>> for Stubborn {
    /// The enabled members, in increasing order, of a stubborn set without visible enabled members; `None` if
    /// none smaller than the whole fireset was found.
    fn reduce(&mut self, space: &PackedNet<'n>, words: &[u64]) -> Option<&[Rule]> {
        if self.skip > 0 {
            self.skip -= 1;
            return None;
        }
        self.attempts += 1;
        self.reduce_again(space, words)
    }

    fn reduce_again(&mut self, space: &PackedNet<'n>, words: &[u64]) -> Option<&[Rule]> {
        let mut enabled = std::mem::take(&mut self.enabled);
        enabled.clear();
        enabled.extend(space.enabled_rules(words));
        self.best.clear();
        self.best.extend_from_slice(&enabled);
        if enabled.len() > 1 {
            let mut seeds = 0;
            for &seed in &enabled {
                if self.visible[seed as usize] {
                    continue;
                }
                seeds += 1;
                if seeds > SEEDS {
                    break;
                }
                if let Some(count) = self.close(space, words, seed, self.best.len()) {
                    let (added, closure) = (&self.added, self.closure);
                    self.best.clear();
                    self.best.extend(enabled.iter().copied().filter(|&r| added[r as usize] == closure));
                    debug_assert_eq!(self.best.len(), count);
                    if count == 1 {
                        break;
                    }
                }
            }
        }
        let saved = enabled.len() - self.best.len();
        self.account(enabled.len(), saved);
        self.enabled = enabled;
        (saved > 0).then_some(&self.best[..])
    }

    /// The enabled members, in increasing order, of a stubborn set with all rules that make one of these events
    /// happen; `None` if these are all enabled rules.
    fn towards(&mut self, space: &PackedNet<'n>, words: &[u64], events: &[Event]) -> Option<&[Rule]> {
        if self.skip > 0 {
            self.skip -= 1;
            return None;
        }
        let mut enabled = std::mem::take(&mut self.enabled);
        enabled.clear();
        enabled.extend(space.enabled_rules(words));
        self.attempts += 1;
        self.begin();
        for event in events {
            match *event {
                Event::Action(rule) => self.add(rule),
                Event::Up(place) => self.pull(index(place.index(), Relation::Increases)),
                Event::Down(place) => self.pull(index(place.index(), Relation::Decreases)),
            }
        }
        let count = self.complete(space, words, enabled.len());
        let (added, closure) = (&self.added, self.closure);
        self.best.clear();
        self.best.extend(enabled.iter().copied().filter(|&rule| added[rule as usize] == closure));
        debug_assert!(count.is_none_or(|count| count == self.best.len()));
        let saved = count.map_or(0, |count| enabled.len() - count);
        self.account(enabled.len(), saved);
        self.enabled = enabled;
        count.map(|_| &self.best[..])
    }

    fn disabling(space: &PackedNet<'n>, rule: Action, events: &mut Vec<Event>) {
        let t = space.net.transition(space.transition(rule));
        events.extend(t.pre.iter().map(|a| Event::Down(a.place)));
        events.extend(t.inhibitors.iter().map(|a| Event::Up(a.place)));
    }
}
