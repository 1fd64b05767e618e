//! The connections between processes, as timely's threads see them.
//!
//! **Problem.** Two threads of timely serve each connection. Where it breaks, they panic and the workers wait for ever:
//! timely has no notion of a process that is lost.
//!
//! **Idea.** They get a [`Link`] in place of the socket. It knows the frames of timely's protocol (a header of six
//! numbers, the fifth of which is the length of what follows; a length of 0 is the end of the stream), hands on whole
//! frames only, and makes of whatever ends a connection before its time an orderly end of the stream, and a note that
//! the workers look at ([`Peers::lost`]). What is to be sent to a process that is lost is dropped.
//!
//! A machine that vanishes sends nothing at all: keep-alive probes, and a limit on the time in which what is sent must
//! be acknowledged, make that an error of the socket after half a minute.

use socket2::{SockRef, TcpKeepalive};
use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use timely::communication::allocator::zero_copy::stream::Stream;

/// Bytes of a header, and where in it the length is.
const HEADER: usize = 48;
const LENGTH: std::ops::Range<usize> = 32..40;

/// How long a read or a write waits before it looks whether it should go on.
const TICK: Duration = Duration::from_millis(100);

/// Bytes that are read at a time.
const CHUNK: usize = 1 << 17;

/// After so many seconds without a sign of life from a machine it counts as gone.
const SILENCE: Duration = Duration::from_secs(30);

/// What the threads of a process know of the others.
#[derive(Debug, Default)]
pub(super) struct Peers {
    /// What they are called.
    pub(super) names: Vec<String>,
    /// The first one whose connection broke.
    lost: Mutex<Option<String>>,
    is_lost: AtomicBool,
    /// When connections are given up, at the latest.
    end: Mutex<Option<Instant>>,
    sent: AtomicU64,
    /// A worker of this process has panicked.
    pub(super) failed: AtomicBool,
}

impl Peers {
    pub(super) fn new(names: Vec<String>) -> Arc<Peers> {
        Arc::new(Peers { names, ..Peers::default() })
    }

    /// The process whose connection broke, if there is one.
    pub(super) fn lost(&self) -> Option<String> {
        match self.is_lost.load(Ordering::Acquire) {
            true => self.lost.lock().unwrap_or_else(PoisonError::into_inner).clone(),
            false => None,
        }
    }

    fn lose(&self, peer: usize, why: &str) {
        let mut lost = self.lost.lock().unwrap_or_else(PoisonError::into_inner);
        lost.get_or_insert_with(|| format!("{} is gone: {why}", self.names[peer]));
        self.is_lost.store(true, Ordering::Release);
    }

    /// Nothing is waited for any more: connections that do not end by themselves are given up soon.
    pub(super) fn close(&self, soon: Duration) {
        *self.end.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now().checked_add(soon);
    }

    fn is_given_up(&self) -> bool {
        let end = *self.end.lock().unwrap_or_else(PoisonError::into_inner);
        end.is_some_and(|end| Instant::now() >= end)
    }

    /// Bytes that have been sent.
    pub(super) fn sent(&self) -> u64 {
        self.sent.load(Ordering::Relaxed)
    }
}

/// One end of a connection.
#[derive(Debug)]
pub(super) struct Link {
    socket: TcpStream,
    peer: usize,
    peers: Arc<Peers>,
    /// What has been read; up to `whole`, of whole frames, and up to `at` handed on.
    buffer: Vec<u8>,
    at: usize,
    whole: usize,
    /// The last frame has been read, or been made up.
    ended: bool,
    /// Nothing can be written any more.
    dropping: bool,
}

impl Link {
    /// Over a socket that is connected to some process.
    pub(super) fn new(socket: TcpStream, peer: usize, peers: Arc<Peers>) -> io::Result<Link> {
        socket.set_nonblocking(false)?;
        socket.set_nodelay(true)?;
        socket.set_read_timeout(Some(TICK))?;
        socket.set_write_timeout(Some(TICK))?;
        let alive = TcpKeepalive::new().with_time(SILENCE / 3).with_interval(SILENCE / 6);
        #[cfg(unix)]
        let alive = alive.with_retries(4);
        let options = SockRef::from(&socket);
        options.set_tcp_keepalive(&alive)?;
        #[cfg(target_os = "linux")]
        options.set_tcp_user_timeout(Some(SILENCE))?;
        Ok(Link { socket, peer, peers, buffer: Vec::new(), at: 0, whole: 0, ended: false, dropping: false })
    }

    /// Take note of the frames that are whole.
    fn frames(&mut self) {
        while !self.ended && self.buffer.len() - self.whole >= HEADER {
            let header = &self.buffer[self.whole..self.whole + HEADER];
            let mut length = [0; 8];
            length.copy_from_slice(&header[LENGTH]);
            let Some(end) = usize::try_from(u64::from_be_bytes(length)).ok().and_then(|n| n.checked_add(HEADER)) else {
                return self.give_up("what it sends makes no sense");
            };
            if self.buffer.len() - self.whole < end {
                return;
            }
            self.whole += end;
            if end == HEADER {
                self.ended = true;
                self.buffer.truncate(self.whole);
            }
        }
    }

    /// Make up the end of the stream.
    fn give_up(&mut self, why: &str) {
        self.peers.lose(self.peer, why);
        self.buffer.truncate(self.whole);
        self.buffer.resize(self.whole + HEADER, 0);
        self.whole += HEADER;
        self.ended = true;
    }
}

/// Is this no error, but a reason to try again?
fn is_passing(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted)
}

impl Read for Link {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        loop {
            let ready = &self.buffer[self.at..self.whole];
            if !ready.is_empty() {
                let length = ready.len().min(out.len());
                out[..length].copy_from_slice(&ready[..length]);
                self.at += length;
                return Ok(length);
            }
            if self.ended {
                return Ok(0);
            }
            self.buffer.drain(..self.whole);
            (self.at, self.whole) = (0, 0);
            let filled = self.buffer.len();
            self.buffer.resize(filled + CHUNK, 0);
            let read = self.socket.read(&mut self.buffer[filled..]);
            self.buffer.truncate(filled + read.as_ref().copied().unwrap_or(0));
            match read {
                Ok(0) => self.give_up("the connection was closed"),
                Ok(_) => self.frames(),
                Err(error) if is_passing(&error) => {
                    if self.peers.is_given_up() {
                        self.give_up("it does not end");
                    }
                }
                Err(error) => self.give_up(&error.to_string()),
            }
        }
    }
}

impl Write for Link {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        loop {
            if self.dropping {
                return Ok(bytes.len());
            }
            match self.socket.write(bytes) {
                Ok(written) if written > 0 => {
                    self.peers.sent.fetch_add(written as u64, Ordering::Relaxed);
                    return Ok(written);
                }
                Err(error) if is_passing(&error) => self.dropping = self.peers.is_given_up(),
                Ok(_) => self.dropping = true,
                Err(error) => {
                    self.peers.lose(self.peer, &error.to_string());
                    self.dropping = true;
                }
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Stream for Link {
    fn try_clone(&self) -> io::Result<Self> {
        let socket = self.socket.try_clone()?;
        let (peer, peers) = (self.peer, Arc::clone(&self.peers));
        Ok(Link { socket, peer, peers, buffer: Vec::new(), at: 0, whole: 0, ended: false, dropping: false })
    }

    fn set_nonblocking(&self, _: bool) -> io::Result<()> {
        Ok(())
    }

    fn shutdown(&self, how: Shutdown) -> io::Result<()> {
        // It may be closed already.
        let _closed = self.socket.shutdown(how);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use std::net::TcpListener;

    /// Both ends of a connection.
    fn pair() -> (TcpStream, Link, Arc<Peers>) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let one = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let peers = Peers::new(vec!["process 0".to_owned(), "process 1".to_owned()]);
        let link = Link::new(listener.accept().unwrap().0, 1, Arc::clone(&peers)).unwrap();
        (one, link, peers)
    }

    fn frame(length: u64) -> Vec<u8> {
        let numbers = [3, 1, 0, 1, length, 9].map(u64::to_be_bytes);
        [numbers.as_flattened(), &vec![5; length as usize]].concat()
    }

    fn read_all(link: &mut Link) -> Vec<u8> {
        let mut all = Vec::new();
        link.read_to_end(&mut all).unwrap();
        all
    }

    #[test]
    fn whole_frames_are_handed_on_as_they_are() {
        let (mut one, mut link, peers) = pair();
        let sent = [frame(10), frame(CHUNK as u64 * 2 + 1), frame(0)].concat();
        let expected = sent.clone();
        let thread = std::thread::spawn(move || one.write_all(&sent).unwrap());
        assert_eq!(read_all(&mut link), expected);
        thread.join().unwrap();
        assert_eq!(peers.lost(), None);
    }

    /// Wherever a connection breaks, the stream ends in order after the last frame that is whole, and the loss is
    /// known.
    #[test]
    fn a_connection_that_breaks_ends_in_order() {
        let sent = [frame(10), frame(7)].concat();
        for cut in 0..=sent.len() {
            let (mut one, mut link, peers) = pair();
            one.write_all(&sent[..cut]).unwrap();
            drop(one);
            let whole = [0, HEADER + 10, sent.len()].into_iter().rfind(|&whole| whole <= cut).unwrap();
            assert_eq!(read_all(&mut link), [&sent[..whole], &[0; HEADER]].concat(), "{cut}");
            assert_eq!(peers.lost().unwrap(), "process 1 is gone: the connection was closed");
        }
    }

    #[test]
    fn a_silent_connection_can_be_given_up() {
        let (_one, mut link, peers) = pair();
        peers.close(Duration::from_millis(1));
        assert_eq!(read_all(&mut link), [0; HEADER]);
        // What nobody reads does not hold up the end either.
        let much = vec![1; 1 << 26];
        link.write_all(&much).unwrap();
        assert!(peers.sent() < 1 << 26);
    }
}
