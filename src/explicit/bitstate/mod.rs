//! Beyond memory: depth-first passes that forget which states they have seen but for a few bits, and can only find.
//!
//! **Problem.** A search that stores its states ends when the memory does, and then time is left that is good for
//! nothing. But what is looked for (a deadlock, a state, an accepting run) may lie in the part that did not fit.
//!
//! **Idea.** *Bit-state hashing*, or supertrace (Holzmann, "An improved protocol reachability analysis technique",
//! 1988; "An analysis of bitstate hashing", 1998): a set of visited states of a few bits each, set where hash functions
//! of the state say. A state all of whose bits are set is taken for visited, rightly or not. Some bytes of a store are
//! then room for a dozen states, and a pass sees the most of what there is even where it is far larger than memory.
//! New is that this is not all: several *passes* with other hash functions, other orders of firing and other depths
//! each see another part (Holzmann, Joshi, Groce, "Swarm verification techniques", 2011). The path of a pass holds full
//! states, with room for a part of the memory, beyond which it does not go deeper.
//!
//! **Proof** that what is found is real, whatever the field says. The path begins in an initial state, and each of its
//! states is the result of firing the rule of the one before it, as both are kept in full; the field only decides which
//! successors are left *out*. So a state on the path is reachable by the rules along it, and one that enables nothing
//! is a deadlock. A cycle is closed only on a state of the path that is the successor, word by word. By the same reason
//! **nothing is proved by finding nothing**: a pass that ends says no more than that it has ended. [`BitstateResult`]
//! has no way to say anything else.
//!
//! **Runs** (`lasso`). The product carries, beside the automaton's location, a counter: the acceptance set that is
//! waited for next. An edge advances it past all sets that it is in; where it has passed the last one the edge is
//! *accepting* and the counter begins anew. A cycle of such states with an accepting edge has been past every set: the
//! marks along it are all there are. It is looked for by nested depth-first search (Courcoubetis, Vardi, Wolper,
//! Yannakakis 1992; with the path looked at on both levels, Schwoon and Esparza 2005): an edge that closes a cycle on
//! the path which has an accepting edge is found at once; where an accepting edge s → t is left behind, an inner search
//! from t looks for a state of the path. All of these lead to s, so there is a cycle through s → t, and it is what lies
//! on the path from there on. Inner searches leave out what inner searches have seen, which loses nothing if the field
//! does not (same sources).
//!
//! **Stubborn sets** are fired where a deadlock is looked for: all deadlocks are reached by what they leave, whatever
//! the order, and no condition on cycles has to be met ([`Reducer`]). Otherwise everything is fired: the condition on
//! cycles is one on what has been visited, and that is not known here. The collapsed reading of stutter-invariant
//! automata (module `buchi`) asks for nothing of the kind, and stays.
//!
//! **Growing.** Where the encoding grows, the states of the path are encoded anew. What the field says is about the old
//! words, and the new words of a state may be the old ones of another: so there is another hash function from then on.
//! The search may see states again, and takes a little more to be visited than it would. Nothing is lost that matters.
//!
//! A pass ends: each state that it enters sets a bit that was not set.

mod field;
mod lasso;
mod path;
mod reach;
#[cfg(test)]
mod tests;

pub(super) use lasso::find_accepting_run;
pub(super) use reach::{find, find_deadlock};

use super::Stats;
use super::layout::Layout;
use super::packed_model::{Fired, PackedModel, Reducer, Rule};
use crate::budget::Budget;
use crate::model::{State, Step};
use crate::rng::Rng;
use crate::stop_reason::StopReason;
use field::{Field, Hash};
use path::{Frame, Path};
use std::sync::Arc;

/// Which of several passes: each is another part of what there is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Pass {
    /// The first takes rules as they come, the second in the reverse order, all others shuffle them in each state. Some
    /// go less deep.
    pub number: u32,
    /// Seed of all that is chosen at random.
    pub seed: u64,
    /// The most states of a path, if there is a limit beside memory: longer ones are not of use.
    pub longest: Option<usize>,
}

/// The result of a pass. If it has found nothing, there may be something all the same.
#[derive(Clone, PartialEq, Debug)]
pub struct BitstateResult<T> {
    /// The result that was looked for. It is real.
    pub found: Option<T>,
    /// Effort. The states are those that were new, as far as the pass could tell.
    pub stats: Stats,
    /// Why it ended before its end, if so.
    pub stopped: Option<StopReason>,
}

/// The memory of a pass without a limit.
const MEMORY: u64 = 1 << 29;
/// The part of the memory that is a field of bits; the path has a part of what is left, as it doubles its tables.
const FIELD: u64 = 2;
const PATH: u64 = 4;
/// How deep passes go: a goal near the beginning is seldom met by one that goes on as far as it can.
const DEPTHS: [usize; 3] = [usize::MAX, 10_000, 1_000];
/// Iterations between two looks at the budget.
const CHECK_EVERY: u32 = 64;

/// The common data of passes: the path with its current state, and the field.
struct Descent<'a, S: PackedModel> {
    space: Arc<S>,
    /// The space's, with the extra field.
    layout: Layout,
    extra: u32,
    scratch: S::Scratch,
    reducer: Option<S::Reducer>,
    /// Initial states that are left.
    initial: std::vec::IntoIter<State>,
    pass: Pass,
    rng: Rng,
    salt: u64,
    field: Field,
    path: Path,
    /// The last state of the path, and whether it is the current one.
    words: Vec<u64>,
    loaded: bool,
    /// The successor that was made last.
    next: Vec<u64>,
    rules: Vec<Rule>,
    budget: &'a Budget,
    iterations: u32,
    states: u64,
    firings: u64,
    growths: u32,
}

impl<'a, S: PackedModel> Descent<'a, S> {
    /// At the beginning. States on the path are looked up if it is `indexed`.
    fn new(space: Arc<S>, extra: u32, indexed: bool, pass: Pass, budget: &'a Budget) -> Self {
        let layout = space.layout().with_extra(extra);
        let memory = budget.memory().unwrap_or(MEMORY);
        let mut rng = Rng::new(pass.seed.wrapping_add(pass.number.into()));
        let salt = rng.bits();
        let depth = DEPTHS[pass.number as usize / 2 % DEPTHS.len()];
        let longest = pass.longest.map_or(depth, |longest| depth.min(longest));
        Descent {
            path: Path::new(layout.key_words(), indexed, memory / PATH, longest),
            field: Field::new(memory / FIELD),
            initial: space.system().initial_states().into_iter(),
            space,
            layout,
            extra,
            scratch: S::Scratch::default(),
            reducer: None,
            pass,
            rng,
            salt,
            words: Vec::new(),
            loaded: false,
            next: Vec::new(),
            rules: Vec::new(),
            budget,
            iterations: 0,
            states: 0,
            firings: 0,
            growths: 0,
        }
    }

    /// Make another initial state the next state; false if there is none.
    fn begin(&mut self) -> bool {
        let Some(state) = self.initial.next() else { return false };
        self.next.clear();
        self.next.resize(self.layout.words(), 0);
        self.layout.encode(state.as_slice(), &mut self.next)
    }

    /// Look at the budget now and then.
    #[inline]
    fn check(&mut self) -> Result<(), StopReason> {
        self.iterations = self.iterations.wrapping_add(1);
        if self.iterations.is_multiple_of(CHECK_EVERY) {
            self.budget.check()?;
        }
        Ok(())
    }

    /// Note that the next state has been visited, in one of several senses; false if it seems to have been.
    #[inline]
    fn visit(&mut self, sense: u64) -> bool {
        self.field.insert(Hash::of(&self.next[..self.layout.key_words()], self.salt ^ sense))
    }

    /// Where the next state is on the path.
    #[inline]
    fn on_path(&self) -> Option<usize> {
        self.path.find(&self.next)
    }

    /// Go on to the next state.
    fn push(&mut self, frame: Frame) -> Result<(), StopReason> {
        std::mem::swap(&mut self.words, &mut self.next);
        self.space.enter(&mut self.scratch, &self.words)?;
        self.loaded = true;
        let (space, words, rules) = (&*self.space, &self.words, &mut self.rules);
        rules.clear();
        match self.reducer.as_mut().and_then(|reducer| reducer.reduce(space, words)) {
            Some(reduced) => rules.extend(reduced),
            None => {
                let mut cursor = space.cursor(&self.scratch, words, 0);
                rules.extend(std::iter::from_fn(|| space.next(&self.scratch, words, &mut cursor)));
            }
        }
        match self.pass.number {
            // The last is the first to be taken.
            0 => rules.reverse(),
            1 => {}
            _ => self.rng.shuffle(rules),
        }
        self.path.push(&self.words, frame, &self.rules);
        Ok(())
    }

    /// Leave the last state of the path.
    #[inline]
    fn pop(&mut self) {
        self.path.pop();
        self.loaded = false;
    }

    /// Read the last state of the path.
    #[inline]
    fn load(&mut self) -> Result<(), StopReason> {
        if !self.loaded {
            let last = self.path.frames.len() - 1;
            read(&self.path, &self.layout, last, &mut self.words);
            self.space.enter(&mut self.scratch, &self.words)?;
            self.loaded = true;
        }
        Ok(())
    }

    /// Fire a rule in the last state of the path. True if the encoding has grown.
    #[inline]
    fn fire(&mut self, rule: Rule) -> Result<bool, StopReason> {
        self.load()?;
        let mut grown = false;
        while self.space.fire(&self.scratch, &self.words, rule, &mut self.next) == Fired::Misfit {
            self.grow(rule)?;
            grown = true;
        }
        self.firings += 1;
        Ok(grown)
    }

    /// Make room for the result of firing a rule in the last state of the path.
    fn grow(&mut self, rule: Rule) -> Result<(), StopReason> {
        let (mut words, mut values) = (Vec::new(), Vec::new());
        let mut most = vec![0; self.layout.slots().len()];
        for at in 0..self.path.frames.len() {
            read(&self.path, &self.layout, at, &mut words);
            self.layout.decode(&words, &mut values);
            most.iter_mut().zip(&values).for_each(|(most, &n)| *most = n.max(*most));
        }
        let space = Arc::new(self.space.grown(&self.scratch, &self.words, rule, &most)?);
        let layout = space.layout().with_extra(self.extra);
        let mut key = vec![0; layout.words()];
        let mut all = Vec::with_capacity(self.path.frames.len() * layout.key_words());
        for at in 0..self.path.frames.len() {
            read(&self.path, &self.layout, at, &mut words);
            self.layout.recode(&words, &layout, &mut values, &mut key);
            all.extend_from_slice(&key[..layout.key_words()]);
        }
        self.path.encode(layout.key_words(), all);
        (self.space, self.layout) = (space, layout);
        self.growths += 1;
        // The words of a new state may be the old ones of another.
        self.salt = self.rng.bits();
        self.loaded = false;
        self.load()
    }

    /// The steps along the path from one position up to another.
    fn steps(&self, from: usize, to: usize) -> Vec<Step> {
        self.path.fired(from, to).map(|rule| self.space.step(rule)).collect()
    }

    fn unpacked(&self, words: &[u64]) -> State {
        let mut values = Vec::new();
        self.layout.decode(words, &mut values);
        State::new(values)
    }

    fn stats(&self) -> Stats {
        Stats {
            states: self.states,
            firings: self.firings,
            bytes: self.field.bytes() + self.path.bytes(),
            filled: self.field.bytes() + self.path.bytes(),
            bits_per_state: self.layout.bits(),
            growths: self.growths,
        }
    }
}

/// Read a state of the path.
#[inline]
fn read(path: &Path, layout: &Layout, at: usize, words: &mut Vec<u64>) {
    words.clear();
    words.extend_from_slice(path.state(at));
    words.resize(layout.words(), 0);
    layout.complete(words);
}
