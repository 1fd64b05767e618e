//! The rounds of a search: states and notes, sent and received.
//!
//! **Rounds.** In a round a worker expands some of its states of the level, so many that what it sends stays within a
//! limit, and tells all others in a [`Note`] whether it has more. It enters the next round at once if it has, but stays
//! within two rounds that are not complete, so that no more than that is under way. Without more, it waits for the
//! round to be complete. If nobody has more, the level is done; all workers see the same notes and come to the same
//! conclusion. A *phase* is some rounds up to one in which nobody has more: a level, or one part of dealing out anew,
//! or the sum.
//!
//! **Packets of later rounds** may come early, of the next phase, in another encoding perhaps. They are put aside until
//! this worker enters their round.

use super::deal::owner;
use super::note::{EDGES, HEAD, MARKS, NOTE, Note, STATES, Sum};
use super::search::Search;
use crate::explicit::disk::{Names, hash_of};
use crate::explicit::fair_rw_lock::FAILED;
use crate::explicit::packed_model::PackedModel;
use crate::stop_reason::StopReason;
use std::sync::atomic::Ordering;

impl<S: PackedModel> Search<'_, S> {
    /// Go on with a job, round after round, until nobody has more to do: the notes of the last round, by worker.
    pub(super) fn phase(
        &mut self,
        job: impl Fn(&mut Self) -> Result<bool, StopReason>,
    ) -> Result<Vec<Note>, StopReason> {
        loop {
            let round = self.fabric.round();
            while round >= 2 && !self.fabric.is_complete(round - 2) {
                self.receive(true)?;
            }
            self.take_early()?;
            let mut more = true;
            self.sent_now = 0;
            while more && self.sent_now < self.sizes.round {
                more = job(self)?;
                self.receive(false)?;
            }
            for worker in 0..self.outgoing.len() {
                self.send(worker);
            }
            let note = self.note(more);
            self.tell(&note);
            // Until it enters the next one, it is in this round: packets of the next one may be of another phase.
            if more {
                self.fabric.advance();
                continue;
            }
            self.fabric.advance();
            while !self.fabric.is_complete(round) {
                self.receive_up_to(round, true)?;
            }
            self.receive_up_to(round, false)?;
            let mut notes = self.notes.remove(&round).unwrap_or_default();
            self.notes.retain(|&other, _| other > round);
            notes.sort_by_key(|note| note.worker);
            if notes.len() != self.fabric.workers() {
                return Err(StopReason::Unsupported("a message of the exploration has been lost"));
            }
            if notes.iter().all(|note| !note.more) {
                return Ok(notes);
            }
        }
    }

    fn note(&mut self, more: bool) -> Note {
        let system = self.space.system();
        self.names.iter_mut().for_each(|names| names.learn(system, None));
        let sum = self.is_summing.then(|| {
            let mut figures = self.figures.clone();
            // Where the encoding grows, these are only bounds.
            figures.bounds.iter_mut().zip(&self.expander.figures.bounds).for_each(|(one, &two)| *one = two.max(*one));
            let (bytes, filled) = (self.store.bytes(), self.store.filled());
            Sum { figures, dead_level: self.dead_level, bytes, filled }
        });
        Note {
            worker: self.fabric.index(),
            more,
            states: self.level.end.into(),
            waiting: self.waiting,
            misfit: self.misfit.clone(),
            found: self.found.clone(),
            leading: self.leading.clone(),
            undefined: (0..self.goals.len()).filter(|&goal| self.undefined[goal]).collect(),
            automaton: self.automaton,
            no_value: self.no_value.clone(),
            holds: self.holds,
            names: self.names.iter().map(Names::entry).collect(),
            layout: hash_of(&self.layout),
            sent: [self.sent, self.fabric.peers.sent()],
            sum,
            stop: None,
        }
    }

    /// Send a note to all workers.
    pub(super) fn tell(&mut self, note: &Note) {
        let Ok(text) = serde_json::to_vec(note) else { return };
        let mut words = vec![NOTE, self.fabric.round(), text.len() as u64];
        words.extend(text.chunks(8).map(|chunk| {
            let mut bytes = [0; 8];
            bytes[..chunk.len()].copy_from_slice(chunk);
            u64::from_le_bytes(bytes)
        }));
        for worker in 0..self.fabric.workers() {
            self.fabric.send(worker, words.clone());
        }
    }

    /// Send the states that wait for a worker.
    fn send(&mut self, worker: usize) {
        if self.outgoing[worker].len() <= HEAD {
            return;
        }
        let words = std::mem::take(&mut self.outgoing[worker]);
        self.sent_now += words.len();
        let is_elsewhere = worker / self.threads != self.fabric.index() / self.threads;
        if is_elsewhere && words[0] == STATES {
            self.sent += ((words.len() - HEAD) / self.layout.key_words()) as u64;
        }
        self.fabric.send(worker, words);
    }

    /// Take in what has come.
    fn receive(&mut self, waits: bool) -> Result<(), StopReason> {
        self.receive_up_to(self.fabric.round(), waits)
    }

    /// The same, but packets of rounds after this one are put aside.
    fn receive_up_to(&mut self, round: u64, waits: bool) -> Result<(), StopReason> {
        self.budget.check()?;
        if self.fabric.peers.failed.load(Ordering::Acquire) {
            return Err(FAILED);
        }
        let lost = self.fabric.peers.lost();
        // What was sent before the connection broke has come.
        self.fabric.step(waits && lost.is_none());
        while let Some(packet) = self.fabric.next() {
            match packet[..] {
                [STATES | EDGES | MARKS, of, ..] if of > round => self.early.push(packet),
                [STATES | EDGES | MARKS, ..] => self.take_in(&packet)?,
                [NOTE, of, length, ref text @ ..] => self.hear(of, length, text)?,
                _ => return Err(StopReason::Unsupported("a message of the exploration is not what was expected")),
            }
        }
        lost.map_or(Ok(()), |what| Err(StopReason::Lost { what }))
    }

    /// Hear what another worker tells.
    fn hear(&mut self, round: u64, length: u64, text: &[u64]) -> Result<(), StopReason> {
        let mut bytes: Vec<u8> = text.iter().flat_map(|word| word.to_le_bytes()).collect();
        bytes.truncate(length as usize);
        let Ok(note) = serde_json::from_slice::<Note>(&bytes) else {
            return Err(StopReason::Unsupported("a message of the exploration is not what was expected"));
        };
        if let Some(stop) = note.stop {
            let process = note.worker / self.threads;
            return Err(stop.reason(&self.fabric.peers.names[process], process == self.fabric.index() / self.threads));
        }
        self.is_given_up |= note.misfit.is_some();
        self.notes.entry(round).or_default().push(note);
        Ok(())
    }

    /// Take in what came before its time.
    fn take_early(&mut self) -> Result<(), StopReason> {
        let round = self.fabric.round();
        let (now, later) =
            std::mem::take(&mut self.early).into_iter().partition(|packet: &Vec<u64>| packet[1] <= round);
        self.early = later;
        now.into_iter().try_for_each(|packet: Vec<u64>| self.take_in(&packet))
    }

    /// Take in what another worker sends.
    fn take_in(&mut self, packet: &[u64]) -> Result<(), StopReason> {
        let words = &packet[HEAD..];
        match packet[0] {
            EDGES => self.add_edges(words),
            MARKS => self.mark_all(words),
            _ => self.insert(words),
        }
    }

    /// Insert states of this worker.
    fn insert(&mut self, keys: &[u64]) -> Result<(), StopReason> {
        let words = self.layout.key_words();
        for keys in keys.chunks(words * self.sizes.group as usize) {
            self.batch.clear(words);
            keys.chunks_exact(words).for_each(|key| self.batch.push_alone(key));
            self.store.insert_all(&mut self.batch)?;
        }
        Ok(())
    }

    /// Deal out some states: insert those of this worker, and send the others once there are enough of them.
    pub(super) fn deal(&mut self, keys: &[u64]) -> Result<(), StopReason> {
        let (words, workers, own) = (self.layout.key_words(), self.fabric.workers(), self.fabric.index());
        self.batch.clear(words);
        for key in keys.chunks_exact(words) {
            let worker = owner(key, workers);
            if worker == own {
                self.batch.push_alone(key);
                continue;
            }
            self.put(worker, STATES, key);
        }
        Ok(self.store.insert_all(&mut self.batch)?)
    }

    /// Put words in a packet of a kind for another worker, and send it once it has enough of them. In a phase all packets
    /// are of one kind.
    #[inline]
    pub(super) fn put(&mut self, worker: usize, kind: u64, words: &[u64]) {
        let packet = &mut self.outgoing[worker];
        if packet.is_empty() {
            packet.extend([kind, self.fabric.round()]);
        }
        packet.extend_from_slice(words);
        if packet.len() >= self.sizes.packet {
            self.send(worker);
        }
    }
}
