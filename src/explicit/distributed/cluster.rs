//! What processes do together: they meet, each has its workers, and they part in order.

use super::fabric::Fabric;
use super::labels::Formulas;
use super::link::{Link, Peers};
use super::meeting::{Hello, listen, meet};
use super::outcome::{Cluster, ClusterError, Distributed, Found, Goal};
use super::search::{Known, Search, Sizes, Work};
use crate::budget::Budget;
use crate::explicit::disk::hash_of;
use crate::explicit::fair_rw_lock::FAILED;
use crate::explicit::packed_model::PackedModel;
use crate::stop_reason::StopReason;
use std::io;
use std::net::TcpListener;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use timely::communication::allocator::ProcessBuilder;
use timely::communication::allocator::zero_copy::allocator::TcpBuilder;
use timely::communication::allocator::zero_copy::initialize::initialize_networking_from_sockets;
use timely::communication::{Allocator, Hooks};

/// Visit all reachable states together with other processes, and count. `progress` is told now and then how many there
/// are so far.
pub(in crate::explicit) fn explore<S: PackedModel>(
    space: &Arc<S>,
    cluster: &Cluster,
    threads: usize,
    budget: &Budget,
    progress: &mut dyn FnMut(u64),
) -> Result<Distributed, ClusterError> {
    together((space, &[]), cluster, threads, budget, progress, &Search::explore)
}

/// Search for reachable states that satisfy these conditions, until there is one of each or all states have been seen;
/// and see all of them if there are formulas, and find their verdicts. Both have the same order in all processes.
pub(in crate::explicit) fn find<S: PackedModel>(
    space: &Arc<S>,
    (goals, formulas): (&[Goal<'_>], Formulas<'_>),
    cluster: &Cluster,
    threads: usize,
    budget: &Budget,
    progress: &mut dyn FnMut(u64),
) -> Result<(Found, Distributed<()>), ClusterError> {
    let known = Mutex::default();
    let work: Work<'_, '_, S, ()> = &|search, progress| search.find(formulas, &known, progress);
    let ended = together((space, goals), cluster, threads, budget, progress, work)?;
    Ok((known.into_inner().unwrap_or_else(PoisonError::into_inner), ended))
}

fn together<'b, S: PackedModel, T: Send>(
    about: (&Arc<S>, &'b [Goal<'b>]),
    cluster: &Cluster,
    threads: usize,
    budget: &'b Budget,
    progress: &mut dyn FnMut(u64),
    work: Work<'_, 'b, S, T>,
) -> Result<Distributed<T>, ClusterError> {
    let Some(host) = cluster.hosts.get(cluster.process) else {
        let (process, count) = (cluster.process, cluster.hosts.len());
        return Err(ClusterError::Refused(format!(
            "there is no process {process}: the list has {count}, and they count from 0"
        )));
    };
    #[cfg(test)]
    let known = super::tests::listener();
    #[cfg(not(test))]
    let known = None;
    let listener = known.map_or_else(|| listen(host), Ok)?;
    let threads = threads.max(1);
    let sizes = Sizes::within(budget.memory().unwrap_or(u64::MAX) / threads as u64);
    #[cfg(test)]
    let sizes = super::tests::sizes().unwrap_or(sizes);
    together_at(&listener, about, cluster, (threads, sizes), budget, progress, work)
}

/// The same where the others find this process.
fn together_at<'b, S: PackedModel, T: Send>(
    listener: &TcpListener,
    (space, goals): (&Arc<S>, &'b [Goal<'b>]),
    cluster: &Cluster,
    (threads, sizes): (usize, Sizes),
    budget: &'b Budget,
    progress: &mut dyn FnMut(u64),
    work: Work<'_, 'b, S, T>,
) -> Result<Distributed<T>, ClusterError> {
    let Cluster { hosts, process, fingerprint } = cluster;
    let system = space.system();
    if space.kept(&system.initial()).is_some() {
        let why = "states that stand for others cannot be explored on several machines";
        return Err(StopReason::Unsupported(why).into());
    }
    let known_by = (*fingerprint, hash_of(&(space.layout(), system.initial_states())));
    let hello = Hello::new(hosts, *process, threads, known_by);
    let sockets = meet(listener, hosts, &hello, budget)?;
    let peers = Peers::new((0..hosts.len()).map(|process| hello.name(process)).collect());
    let failed = |error: io::Error| ClusterError::Refused(format!("cannot use a connection: {error}"));
    let link = |(peer, socket): (usize, Option<_>)| {
        socket.map(|socket| Link::new(socket, peer, Arc::clone(&peers))).transpose()
    };
    let links: Vec<Option<Link>> =
        sockets.into_iter().enumerate().map(link).collect::<Result<_, _>>().map_err(failed)?;
    let hooks = Hooks::default();
    let local = ProcessBuilder::new_typed_vector(threads, hooks.refill.clone(), hooks.spill.clone());
    let (builders, guard) =
        initialize_networking_from_sockets(local, links, *process, threads, hooks).map_err(failed)?;
    let work = |builder: TcpBuilder, progress: &mut dyn FnMut(u64)| {
        let work = || {
            let fabric = Fabric::new(Allocator::Tcp(builder.build()), Arc::clone(&peers));
            let about = (Arc::clone(space), goals);
            Search::new(fabric, about, (threads, hosts.len()), sizes, budget).run(work, progress)
        };
        catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| {
            peers.failed.store(true, Ordering::Release);
            Known::default().ending(Err(FAILED), (threads, hosts.len()))
        })
    };
    let mut builders = builders.into_iter();
    let first = builders.next();
    let found = std::thread::scope(|scope| {
        for builder in builders {
            scope.spawn(|| work(builder, &mut |_| ()));
        }
        first.map(|builder| work(builder, progress))
    });
    // Others have what was sent last, or are gone.
    let patience = if found.as_ref().is_some_and(|found| found.ended.is_ok()) { 60 } else { 2 };
    peers.close(Duration::from_secs(patience));
    // Threads that send fail with the worker that they send for.
    let _failed = catch_unwind(AssertUnwindSafe(|| drop(guard)));
    found.ok_or(ClusterError::Stopped(FAILED))
}
