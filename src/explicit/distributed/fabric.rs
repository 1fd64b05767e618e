//! The dataflow: packets of words from worker to worker, in rounds.
//!
//! There is one dataflow: an input, and an operator behind an exchange that puts what comes into a queue. A *round* is
//! a time of it. A worker advances its input from a round to the next; a round is complete when timely's progress
//! tracking knows that no worker is in it any more and that all packets of it have come to where they belong. Between
//! two workers packets keep their order.

use super::link::Peers;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};
use timely::communication::Allocator;
use timely::dataflow::channels::pact::Exchange;
use timely::dataflow::operators::generic::Operator;
use timely::dataflow::operators::probe::{Handle as Probe, Probe as _};
use timely::dataflow::{InputHandleVec, operators::vec::Input as _};
use timely::worker::Worker;
use timely::{Config, container::CapacityContainerBuilder};

/// How long a worker waits for something to come before it looks at its limits.
const WAIT: Duration = Duration::from_millis(20);

/// Words for a worker, by its index.
type Packet = (u64, Vec<u64>);

/// A worker's part of the dataflow.
pub(super) struct Fabric {
    worker: Worker,
    input: InputHandleVec<u64, Packet>,
    probe: Probe<u64>,
    queue: Rc<RefCell<VecDeque<Vec<u64>>>>,
    pub(super) peers: Arc<Peers>,
}

impl Fabric {
    /// All workers make theirs.
    pub(super) fn new(allocator: Allocator, peers: Arc<Peers>) -> Fabric {
        let mut worker = Worker::new(Config::thread().worker, allocator, Some(Instant::now()));
        let queue = Rc::new(RefCell::new(VecDeque::new()));
        let inside = Rc::clone(&queue);
        let (input, probe) = worker.dataflow(move |scope| {
            let (input, stream) = scope.new_input::<Packet>();
            let exchange = Exchange::new(|packet: &Packet| packet.0);
            let queued = stream.unary::<CapacityContainerBuilder<Vec<()>>, _, _, _>(exchange, "queue", move |_, _| {
                move |input, _| {
                    input.for_each(|_, packets| inside.borrow_mut().extend(packets.drain(..).map(|packet| packet.1)));
                }
            });
            (input, queued.probe().0)
        });
        Fabric { worker, input, probe, queue, peers }
    }

    /// The index of this worker among all of them.
    pub(super) fn index(&self) -> usize {
        self.worker.index()
    }

    /// How many workers there are.
    pub(super) fn workers(&self) -> usize {
        self.worker.peers()
    }

    /// The round that this worker is in.
    pub(super) fn round(&self) -> u64 {
        *self.input.time()
    }

    /// Send words to a worker.
    pub(super) fn send(&mut self, worker: usize, words: Vec<u64>) {
        self.input.send((worker as u64, words));
        self.input.flush();
    }

    /// Enter the next round.
    pub(super) fn advance(&mut self) {
        self.input.advance_to(self.round() + 1);
    }

    /// Has each packet of this round and those before it come to its worker?
    pub(super) fn is_complete(&self, round: u64) -> bool {
        !self.probe.less_equal(&round)
    }

    /// Let packets move, and wait a moment for some if there is nothing to be moved.
    pub(super) fn step(&mut self, waits: bool) {
        self.worker.step_or_park(Some(if waits { WAIT } else { Duration::ZERO }));
    }

    /// The packet that came first.
    pub(super) fn next(&mut self) -> Option<Vec<u64>> {
        self.queue.borrow_mut().pop_front()
    }

    /// End, whether other workers have come to an end or not.
    pub(super) fn close(self) {
        let Fabric { mut worker, input, .. } = self;
        drop(input);
        worker.step();
        for dataflow in worker.installed_dataflows() {
            worker.drop_dataflow(dataflow);
        }
    }
}
