//! How processes find each other: each connects to those before it on the list, and hears of those after it.
//!
//! The one that connects sends its [`Hello`], the other one answers with its own, which the first one confirms, and both
//! compare: an exploration begins if all have the same list, model, first encoding, options and version. Whoever sends
//! something else is no process of it and is not listened to. Processes wait for each other for [`PATIENCE`] at most, and
//! as long as the budget lasts.

use super::host::Host;
use super::outcome::ClusterError;
use crate::budget::Budget;
use crate::stop_reason::StopReason;
use serde::{Deserialize, Serialize};
use std::io::{self, ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::{Duration, Instant};

/// The form of what processes say to each other, which any change of it changes.
const FORM: &str = "starset-distributed/3";

/// How long processes wait for each other.
const PATIENCE: Duration = Duration::from_secs(300);

/// How long a process waits for what another one says at once.
const ANSWER: Duration = Duration::from_secs(5);

/// How long between two attempts.
const PAUSE: Duration = Duration::from_millis(20);

/// What follows the answer.
const THANKS: [u8; 1] = *b"!";

/// The most bytes of what is said.
const LONGEST: usize = 1 << 20;

/// What a process says of itself.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Hello {
    pub(super) form: String,
    pub(super) version: String,
    /// The list of processes, and the index of this one.
    pub(super) hosts: Vec<String>,
    pub(super) process: usize,
    pub(super) threads: usize,
    /// What model, options and encoding are known by.
    pub(super) fingerprint: u64,
    pub(super) model: u64,
}

impl Hello {
    pub(super) fn new(hosts: &[Host], process: usize, threads: usize, (fingerprint, model): (u64, u64)) -> Hello {
        Hello {
            form: FORM.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            hosts: hosts.iter().map(Host::to_string).collect(),
            process,
            threads,
            fingerprint,
            model,
        }
    }

    /// What a process is called.
    pub(super) fn name(&self, process: usize) -> String {
        format!("process {process} ({})", self.hosts[process])
    }

    /// Why another process cannot take part, if it cannot.
    fn differs(&self, other: &Hello) -> Option<String> {
        let (own, its) = (self.process, other.process);
        let what = if self.version != other.version {
            format!("starset is of version {} here, and of version {} there", self.version, other.version)
        } else if self.hosts != other.hosts {
            "they have different lists of hosts".to_owned()
        } else if self.threads != other.threads {
            format!("there are {} threads here and {} there; give both the same --threads", self.threads, other.threads)
        } else if (self.fingerprint, self.model) != (other.fingerprint, other.model) {
            "their models differ, or their options".to_owned()
        } else {
            return None;
        };
        Some(format!("processes {own} and {its} do not go together: {what}"))
    }

    fn send(&self, stream: &mut TcpStream) -> io::Result<()> {
        let text = serde_json::to_string(self)? + "\n";
        stream.write_all(text.as_bytes())
    }

    /// What another process says.
    fn receive(mut stream: &TcpStream) -> io::Result<Hello> {
        let (mut line, mut one, end) = (Vec::new(), [0], Instant::now() + ANSWER);
        // Nothing is read beyond the line: it belongs to whoever gets the socket.
        while line.len() < LONGEST && Instant::now() < end {
            stream.read_exact(&mut one)?;
            if one == *b"\n" {
                break;
            }
            line.push(one[0]);
        }
        let hello: Hello = serde_json::from_slice(&line)?;
        let is_known = hello.form == FORM && hello.process < hello.hosts.len();
        if is_known { Ok(hello) } else { Err(ErrorKind::InvalidData.into()) }
    }

    /// Say hello to each other.
    fn exchange(&self, stream: &mut TcpStream, first: bool) -> io::Result<Hello> {
        stream.set_nonblocking(false)?;
        stream.set_read_timeout(Some(ANSWER))?;
        stream.set_write_timeout(Some(ANSWER))?;
        stream.set_nodelay(true)?;
        if first {
            self.send(stream)?;
            let other = Hello::receive(stream)?;
            stream.write_all(&THANKS)?;
            Ok(other)
        } else {
            let other = Hello::receive(stream)?;
            self.send(stream)?;
            // Whoever has given up this connection before it was answered has another one.
            let mut thanks = [0];
            stream.read_exact(&mut thanks)?;
            if thanks == THANKS { Ok(other) } else { Err(ErrorKind::InvalidData.into()) }
        }
    }
}

/// Listen where a process should.
pub(super) fn listen(host: &Host) -> Result<TcpListener, ClusterError> {
    let refused = |error: io::Error| ClusterError::Refused(format!("cannot listen at {host}: {error}"));
    let addresses = host.addresses().map_err(refused)?;
    TcpListener::bind(&addresses[..]).map_err(refused)
}

/// Connect to all other processes: a socket for each of them, and none for this one.
pub(super) fn meet(
    listener: &TcpListener,
    hosts: &[Host],
    own: &Hello,
    budget: &Budget,
) -> Result<Vec<Option<TcpStream>>, ClusterError> {
    let refused = |error: io::Error| ClusterError::Refused(format!("cannot listen at {}: {error}", hosts[own.process]));
    listener.set_nonblocking(true).map_err(refused)?;
    let mut sockets: Vec<Option<TcpStream>> = hosts.iter().map(|_| None).collect();
    let mut why: Vec<Option<io::Error>> = hosts.iter().map(|_| None).collect();
    let end = Instant::now() + PATIENCE;
    let is_missing = |sockets: &[Option<TcpStream>], peer: usize| peer != own.process && sockets[peer].is_none();
    while let Some(missing) = (0..hosts.len()).find(|&peer| is_missing(&sockets, peer)) {
        let mut met = false;
        for peer in (0..own.process).filter(|&peer| is_missing(&sockets, peer)).collect::<Vec<_>>() {
            match connect(&hosts[peer], own) {
                Ok((stream, hello)) => {
                    if let Some(what) = own.differs(&hello) {
                        return Err(ClusterError::Refused(what));
                    }
                    if hello.process != peer {
                        let (there, other) = (&hosts[peer], hello.process);
                        return Err(ClusterError::Refused(format!(
                            "process {other} listens at {there}, of process {peer}"
                        )));
                    }
                    sockets[peer] = Some(stream);
                    met = true;
                }
                Err(error) => why[peer] = Some(error),
            }
        }
        while let Ok((mut stream, _)) = listener.accept() {
            // Anybody may connect to a port.
            let Ok(hello) = own.exchange(&mut stream, false) else { continue };
            if let Some(what) = own.differs(&hello) {
                return Err(ClusterError::Refused(what));
            }
            let peer = hello.process;
            if peer <= own.process || sockets[peer].is_some() {
                return Err(ClusterError::Refused(format!("there are two processes with the index {peer}")));
            }
            sockets[peer] = Some(stream);
            met = true;
        }
        if met {
            continue;
        }
        let ended = budget.check().err().map(StopReason::from);
        if ended.is_some() || Instant::now() >= end {
            let known = why[missing].as_ref().map_or_else(|| "it has not come".to_owned(), io::Error::to_string);
            return Err(match ended {
                Some(stop) if stop.reason() == "interrupted" => stop,
                _ => StopReason::Lost { what: format!("{} is missing: {known}", own.name(missing)) },
            }
            .into());
        }
        std::thread::sleep(PAUSE);
    }
    Ok(sockets)
}

/// Connect to a process, which may not be there yet.
fn connect(host: &Host, own: &Hello) -> io::Result<(TcpStream, Hello)> {
    let mut last = io::Error::from(ErrorKind::NotFound);
    for address in host.addresses()? {
        match TcpStream::connect_timeout(&address, Duration::from_secs(1)) {
            Ok(mut stream) => {
                let hello = own.exchange(&mut stream, true)?;
                return Ok((stream, hello));
            }
            Err(error) => last = error,
        }
    }
    Err(last)
}
