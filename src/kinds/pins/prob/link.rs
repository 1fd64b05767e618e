//! The connection to a server: one request at a time.
//!
//! The crate for ZeroMQ is asynchronous; what is asked here is not. So a link has a small executor of its own, on which
//! each request waits for its reply, as long as its patience lasts. After an error the two sides may disagree about whose
//! turn it is; so the error is kept, and is the answer to everything else.

use super::wire;
use crate::kinds::pins::ModelError;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::runtime::{Builder, Runtime};
use zeromq::{ReqSocket, Socket, SocketRecv, SocketSend, ZmqMessage};

/// How long to wait.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Patience {
    /// For a server that was started to listen.
    pub start: Duration,
    /// For the answer to a request.
    pub answer: Duration,
}

impl Default for Patience {
    /// A minute each.
    fn default() -> Self {
        Patience { start: Duration::from_secs(60), answer: Duration::from_secs(60) }
    }
}

/// How long to wait for a server to say good-bye.
const LAST: Duration = Duration::from_millis(500);
/// The time between two looks at whether a server listens.
const LOOK: Duration = Duration::from_millis(10);

/// A server that starset has started, and its socket in a folder of its own.
#[derive(Debug)]
pub struct Started {
    child: Child,
    folder: PathBuf,
    /// The socket.
    pub socket: PathBuf,
}

impl Started {
    /// Start a program that serves a machine, with the options of ProB's `probcli`; its socket is made below `folder`.
    ///
    /// # Errors
    /// When it cannot be started, ends, or does not listen in time.
    pub fn new(program: &Path, machine: &Path, folder: &Path, patience: Patience) -> Result<Self, ModelError> {
        let name = program.display();
        let number = std::process::id();
        let mut own = folder.join(format!("starset-{number}"));
        let mut more = 0;
        while std::fs::create_dir(&own).is_err() {
            more += 1;
            if more > 1000 {
                return Err(ModelError(format!("{}: no folder for a socket can be made there", folder.display())));
            }
            own = folder.join(format!("starset-{number}-{more}"));
        }
        let socket = own.join("machine.probz");
        let mut command = Command::new(program);
        command.arg(machine).arg("-ltsmin2").arg(&socket);
        let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        let child = child.map_err(|error| {
            let _gone = std::fs::remove_dir_all(&own);
            ModelError(format!("{name} cannot be started: {error}"))
        })?;
        let mut started = Started { child, folder: own, socket };
        let begin = Instant::now();
        while !started.socket.exists() {
            if let Ok(Some(status)) = started.child.try_wait() {
                return Err(ModelError(format!("{name} ended ({status}) before it listened for requests")));
            }
            if begin.elapsed() > patience.start {
                let seconds = patience.start.as_secs_f64();
                return Err(ModelError(format!("{name} does not listen after {seconds} s")));
            }
            std::thread::sleep(LOOK);
        }
        Ok(started)
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        // It was told to end; if it does not, it is ended.
        let begin = Instant::now();
        while begin.elapsed() < LAST && matches!(self.child.try_wait(), Ok(None)) {
            std::thread::sleep(LOOK);
        }
        let _gone = self.child.kill();
        let _gone = self.child.wait();
        let _gone = std::fs::remove_dir_all(&self.folder);
    }
}

/// An open connection.
struct Open {
    runtime: Runtime,
    socket: ReqSocket,
}

/// A connection to a server.
pub(super) struct Link {
    name: String,
    patience: Patience,
    state: Mutex<Result<Open, ModelError>>,
    /// Ended after the connection.
    _server: Option<Started>,
}

impl fmt::Debug for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Link").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Link {
    /// Connect to a socket in the file system.
    pub(super) fn new(path: &Path, patience: Patience, server: Option<Started>) -> Result<Self, ModelError> {
        let name = path.display().to_string();
        let failed = |what: String| ModelError(format!("{name}: {what}"));
        if !path.exists() {
            return Err(failed("there is no such socket; does the server run?".to_owned()));
        }
        let absolute = std::path::absolute(path).map_err(|error| failed(error.to_string()))?;
        let Some(absolute) = absolute.to_str() else {
            return Err(failed("the name of the socket is not text".to_owned()));
        };
        let runtime = Builder::new_current_thread().enable_all().build().map_err(|error| failed(error.to_string()))?;
        let address = format!("ipc://{absolute}");
        let connected = runtime.block_on(async {
            let mut socket = ReqSocket::new();
            match tokio::time::timeout(patience.answer, socket.connect(&address)).await {
                Ok(Ok(())) => Ok(socket),
                Ok(Err(error)) => Err(format!("nobody answers: {error}")),
                Err(_) => Err(format!("nobody answers after {} s", patience.answer.as_secs_f64())),
            }
        });
        let socket = connected.map_err(failed)?;
        Ok(Link { name, patience, state: Mutex::new(Ok(Open { runtime, socket })), _server: server })
    }

    /// Send a request of this type and wait for the reply; `read` makes something of it.
    pub(super) fn ask<T>(
        &self,
        kind: &str,
        more: impl IntoIterator<Item = Vec<u8>>,
        read: impl FnOnce(&[Vec<u8>]) -> Result<T, wire::Nonsense>,
    ) -> Result<T, ModelError> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let open = state.as_mut().map_err(|error| error.clone())?;
        let reply = exchange(open, wire::request(kind, more), self.patience.answer);
        let result = reply.and_then(|frames| read(&frames).map_err(|nonsense| nonsense.to_string()));
        result.map_err(|message| {
            let error = ModelError(format!("{}: {kind}: {message}", self.name));
            *state = Err(error.clone());
            error
        })
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        let state = self.state.get_mut().unwrap_or_else(PoisonError::into_inner);
        if let Ok(open) = state {
            let _last = exchange(open, wire::request("terminate", []), LAST);
        }
    }
}

/// Send a message and receive one.
fn exchange(open: &mut Open, frames: Vec<Vec<u8>>, patience: Duration) -> Result<Vec<Vec<u8>>, String> {
    let mut frames = frames.into_iter();
    let mut message = ZmqMessage::from(frames.next().unwrap_or_default());
    frames.for_each(|frame| message.push_back(frame.into()));
    let socket = &mut open.socket;
    let both = async {
        socket.send(message).await.map_err(|error| format!("the server is gone: {error}"))?;
        socket.recv().await.map_err(|error| format!("the server ended before it answered: {error}"))
    };
    let reply = open.runtime.block_on(async { tokio::time::timeout(patience, both).await });
    match reply {
        Ok(reply) => Ok(reply?.into_vec().into_iter().map(|frame| frame.to_vec()).collect()),
        Err(_) => Err(format!("the server has not answered for {} s", patience.as_secs_f64())),
    }
}
