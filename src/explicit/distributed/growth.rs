//! The encoding grows: all states are encoded anew and dealt out again.

use super::search::Search;
use crate::explicit::disk::{Growth, Misfit, Worker, grown};
use crate::explicit::packed_model::PackedModel;
use crate::explicit::store::{Packing, Store};
use crate::stop_reason::StopReason;

impl<S: PackedModel> Search<'_, S> {
    /// Make room for a firing: all states are encoded anew and dealt out again, and the level begins again.
    pub(super) fn grow(&mut self, (values, rule): Misfit) -> Result<(), StopReason> {
        let mut most = vec![0; self.space.system().variables()];
        for sum in self.sum()?.into_iter().filter_map(|note| note.sum) {
            most.iter_mut().zip(sum.figures.bounds).for_each(|(one, two)| *one = two.max(*one));
        }
        let space = grown(&self.space, &Growth { values, rule, most })?;
        let layout = space.layout().with_extra(0);
        // Both stores exist for a while.
        let store = Store::new(layout.bits(), Packing::Dense, self.memory.saturating_sub(self.store.bytes()));
        self.expander = Worker::new(space.system(), layout.key_words(), self.sizes.recent);
        self.space = space;
        let old = (std::mem::replace(&mut self.store, store), std::mem::replace(&mut self.layout, layout));
        // Level by level, if each is looked at: their states stay together.
        let levels = match self.levels[..] {
            [] => vec![0..self.level.start, self.level.clone()],
            _ => std::mem::take(&mut self.levels),
        };
        self.old = Some((old.0, old.1, 0));
        self.next = 0;
        let mut now = Vec::with_capacity(levels.len());
        for level in levels {
            if let Some((.., last)) = &mut self.old {
                *last = level.end;
            }
            let first = self.store.len();
            self.phase(Self::deal_again)?;
            now.push(first..self.store.len());
        }
        self.old = None;
        self.store.set_limit(self.memory);
        self.level = now.last().cloned().unwrap_or_default();
        self.levels = if self.goals.is_empty() { Vec::new() } else { now };
        self.growths += 1;
        Ok(())
    }

    /// Deal out some states in the new encoding, and say whether there are more.
    fn deal_again(&mut self) -> Result<bool, StopReason> {
        let Some((store, layout, last)) = self.old.take() else { return Ok(false) };
        let end = last.min(self.next.saturating_add(self.sizes.group));
        let (mut words, mut values, mut key) = (vec![0; layout.words()], Vec::new(), vec![0; self.layout.words()]);
        let mut keys = Vec::new();
        for id in self.next..end {
            words.fill(0);
            store.get(id, &mut words[..layout.key_words()]);
            layout.complete(&mut words);
            layout.recode(&words, &self.layout, &mut values, &mut key);
            keys.extend_from_slice(&key[..self.layout.key_words()]);
        }
        self.next = end;
        self.old = Some((store, layout, last));
        self.deal(&keys)?;
        Ok(end < last)
    }
}
