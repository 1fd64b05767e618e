//! In which order messages are received (Chevrou, Hurault, Quéinnec, "On the diversity of asynchronous communication",
//! Formal Aspects of Computing 2016).
//!
//! A marking counts messages; where their order matters, numbers behind the tokens have it: queues one after the other,
//! or clocks of the pools and of the messages. A message is for whoever its flow leads to: it stands in the place of this
//! flow. Messages of the same name between the same pools are of one kind, and the numbers tell kinds: one message may be
//! received in the turn of another of its kind.

use std::collections::BTreeMap;

/// In which order messages are received.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    /// In any.
    #[default]
    Bag,
    /// Those of a pool to another one as they were sent.
    FifoPair,
    /// Those to a pool so that none comes before one that was sent before it, as far as anybody knows.
    Causal,
    /// Those to a pool as they were sent.
    Inbox,
    /// Those of a pool as they were sent.
    Outbox,
    /// All as they were sent.
    Fifo,
    /// At most one is on its way.
    Rsc,
}

/// How messages are delivered.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Delivery {
    /// In which order.
    pub order: Order,
    /// By place, the kind of its messages.
    pub(super) kinds: Vec<Option<u32>>,
    /// By kind, the name of its messages.
    pub(super) names: Vec<String>,
    /// By kind, the pools between which they go.
    pub(super) ends: Vec<[u32; 2]>,
    /// The number of pools.
    pub(super) pools: u32,
    /// Is an empty queue that has been used not the same as one that has not, and do clocks count all messages?
    pub(super) remembers: bool,
}

impl Delivery {
    /// The numbers behind the tokens at first.
    pub fn initial(&self) -> Vec<u32> {
        match self.order {
            Order::Causal => vec![0; (self.pools * self.pools) as usize],
            _ => Vec::new(),
        }
    }

    /// The queue that a kind of messages stands in.
    fn queue(&self, kind: u32) -> u32 {
        let [from, to] = self.ends[kind as usize];
        match self.order {
            Order::FifoPair => from * self.pools + to,
            Order::Inbox => to,
            Order::Outbox => from,
            Order::Bag | Order::Causal | Order::Fifo | Order::Rsc => 0,
        }
    }

    fn kind(&self, place: usize) -> Option<u32> {
        self.kinds.get(place).copied().flatten()
    }

    /// Receives and sends the messages of a step that takes tokens from places and puts some there, of so many, and by
    /// which the first tokens became the others. `false` if it cannot receive, or send, now.
    pub fn deliver(
        &self,
        [inputs, outputs]: [&[(usize, u32)]; 2],
        places: usize,
        before: &[u32],
        after: &mut Vec<u32>,
    ) -> bool {
        let taken = |place: usize| inputs.iter().find(|&&(input, _)| input == place).map_or(0, |&(_, n)| n);
        let received = inputs.iter().filter_map(|&(place, n)| Some((self.kind(place)?, n)));
        // What a full channel loses was not sent.
        let sent = outputs
            .iter()
            .filter_map(|&(place, _)| Some((self.kind(place)?, after[place] + taken(place) - before[place])));
        let (received, sent): (Vec<_>, Vec<_>) = (received.collect(), sent.collect());
        match self.order {
            Order::Bag => true,
            Order::Rsc => {
                let on_their_way = |tokens: &[u32]| -> u32 {
                    (0..places).filter(|&place| self.kind(place).is_some()).map(|place| tokens[place]).sum()
                };
                sent.iter().all(|&(_, n)| n == 0) || on_their_way(after) <= 1
            }
            Order::Causal => self.causal(&received, &sent, places, after),
            Order::FifoPair | Order::Inbox | Order::Outbox | Order::Fifo => {
                let mut queues = self.queues(&after[places..]);
                for &(kind, n) in &received {
                    for _ in 0..n {
                        let queue = queues.entry(self.queue(kind)).or_default();
                        if queue.first() != Some(&kind) {
                            return false;
                        }
                        queue.remove(0);
                    }
                }
                for &(kind, n) in &sent {
                    queues.entry(self.queue(kind)).or_default().extend((0..n).map(|_| kind));
                }
                after.truncate(places);
                let keeps_empty = self.remembers && self.order != Order::Fifo;
                for (queue, kinds) in queues.into_iter().filter(|(_, kinds)| keeps_empty || !kinds.is_empty()) {
                    after.extend([queue, kinds.len() as u32]);
                    after.extend(kinds);
                }
                true
            }
        }
    }

    /// Queues by their numbers.
    fn queues(&self, mut numbers: &[u32]) -> BTreeMap<u32, Vec<u32>> {
        let mut queues = BTreeMap::new();
        while let [queue, length, rest @ ..] = numbers {
            let (kinds, others) = rest.split_at(*length as usize);
            queues.insert(*queue, kinds.to_vec());
            numbers = others;
        }
        queues
    }

    /// With vectors of clocks: those of the pools, and the one of its sender with each message.
    fn causal(&self, received: &[(u32, u32)], sent: &[(u32, u32)], places: usize, after: &mut Vec<u32>) -> bool {
        let pools = self.pools as usize;
        let mut clocks: Vec<Vec<u32>> =
            after[places..places + pools * pools].chunks(pools).map(<[u32]>::to_vec).collect();
        let mut messages: Vec<Vec<u32>> =
            after[places + pools * pools..].chunks(1 + pools).map(<[u32]>::to_vec).collect();
        let to = |kind: u32| self.ends[kind as usize][1];
        for &(kind, n) in received {
            for _ in 0..n {
                let comes_after = |one: &[u32], other: &[u32]| {
                    to(other[0]) == to(one[0]) && one != other && (1..=pools).all(|at| other[at] <= one[at])
                };
                let is_first = |one: &[u32]| !messages.iter().any(|other| comes_after(one, other));
                let Some(found) = messages.iter().position(|one| one[0] == kind && is_first(one)) else {
                    return false;
                };
                let message = messages.remove(found);
                let clock = &mut clocks[to(kind) as usize];
                clock.iter_mut().zip(&message[1..]).for_each(|(mine, theirs)| *mine = (*mine).max(*theirs));
            }
        }
        for &(kind, n) in sent {
            let from = self.ends[kind as usize][0] as usize;
            for _ in 0..n {
                clocks[from][from] += 1;
                messages.push(std::iter::once(kind).chain(clocks[from].iter().copied()).collect());
            }
        }
        // Of a number in a clock only that counts which of the messages on their way were sent before. Without the others,
        // a loop that sends has an end.
        for pool in (0..pools).filter(|_| !self.remembers) {
            let from_here = messages.iter().filter(|message| self.ends[message[0] as usize][0] as usize == pool);
            let mut sent: Vec<u32> = from_here.map(|message| message[1 + pool]).collect();
            sent.sort_unstable();
            let known = |number: &mut u32| *number = sent.partition_point(|one| one <= number) as u32;
            clocks.iter_mut().for_each(|clock| known(&mut clock[pool]));
            messages.iter_mut().for_each(|message| known(&mut message[1 + pool]));
        }
        messages.sort_unstable();
        after.truncate(places);
        after.extend(clocks.into_iter().flatten());
        after.extend(messages.into_iter().flatten());
        true
    }
}
