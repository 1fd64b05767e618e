//! Running jobs: a process each, so that no job can hurt another, several at the same time.

use super::{ContestAnswer, Job, Record, SCHEMA};
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError, mpsc};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use std::{fs, io, thread};

/// A job may end in good order for this long after its time is over; it is killed then.
const GRACE: Duration = Duration::from_secs(15);
/// Between two looks at the processes.
const LOOK: Duration = Duration::from_millis(100);
/// Longest text kept of what a job says on standard error.
const SAID: u64 = 1 << 16;

/// Limits of each job, and how many run at the same time.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Wall-clock time of each job; it is killed some time after.
    pub time: Duration,
    /// Bytes for each job; it is killed far beyond.
    pub memory: u64,
    /// Jobs at the same time.
    pub jobs: usize,
    /// Threads of each job.
    pub threads: usize,
    /// Further options of a job, as in `--engine symbolic`.
    pub options: Vec<String>,
    /// The seed that is among the options, or the default.
    pub seed: u64,
}

impl Limits {
    /// A record of a job under these limits, with nothing in it yet.
    pub fn record(&self, job: &Job) -> Record {
        Record {
            schema: SCHEMA.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            model: job.model.clone(),
            examination: job.examination.to_string(),
            answers: Vec::new(),
            seconds: 0.0,
            peak_memory_bytes: None,
            status: None,
            error: None,
            time_limit: self.time.as_secs_f64(),
            memory_limit: self.memory,
            options: self.options.clone(),
            seed: self.seed,
            threads: Some(self.threads),
            host: host(),
            begun: SystemTime::now().duration_since(UNIX_EPOCH).ok().map(|time| time.as_millis() as f64 / 1000.0),
        }
    }
}

/// The name of this machine, where the system tells.
fn host() -> Option<String> {
    let name = fs::read_to_string("/proc/sys/kernel/hostname").ok()?;
    Some(name.trim().to_owned()).filter(|name| !name.is_empty())
}

/// A process that runs.
struct Running {
    child: Child,
    started: Instant,
    peak: Option<u64>,
    /// The reason of a kill.
    killed: Option<String>,
}

/// Run the jobs, each as a process of `program` (starset itself), and hand their results to `done`, which says whether to go on. Jobs that run when `stop` is
/// set, or when `done` says no, are killed and have no result.
pub fn run<E>(
    program: &Path,
    jobs: &[Job],
    limits: &Limits,
    stop: &AtomicBool,
    mut done: impl FnMut(Record) -> Result<(), E>,
) -> Result<(), E> {
    let (next, over) = (AtomicUsize::new(0), AtomicBool::new(false));
    let slots: Vec<Mutex<Option<Running>>> = (0..limits.jobs).map(|_| Mutex::new(None)).collect();
    let stopped = || stop.load(Relaxed) || over.load(Relaxed);
    thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        for slot in &slots {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                while !stopped() {
                    let Some(job) = jobs.get(next.fetch_add(1, Relaxed)) else { break };
                    let record = run_one(program, job, limits, slot);
                    if stopped() || sender.send(record).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut result = Ok(());
        loop {
            match receiver.recv_timeout(LOOK) {
                Ok(record) if result.is_ok() => {
                    result = done(record);
                    over.fetch_or(result.is_err(), Relaxed);
                }
                Ok(_) | Err(mpsc::RecvTimeoutError::Timeout) => {}
                Err(mpsc::RecvTimeoutError::Disconnected) => return result,
            }
            slots.iter().for_each(|slot| supervise(slot, limits, stopped()));
        }
    })
}

fn lock(slot: &Mutex<Option<Running>>) -> MutexGuard<'_, Option<Running>> {
    slot.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Kill the process of a slot if it is over a limit that it should have kept itself.
fn supervise(slot: &Mutex<Option<Running>>, limits: &Limits, stopped: bool) {
    let mut slot = lock(slot);
    let Some(running) = slot.as_mut().filter(|running| running.killed.is_none()) else { return };
    let resident = resident(running.child.id());
    running.peak = running.peak.max(resident);
    let reason = if stopped {
        "interrupted"
    } else if running.started.elapsed() > limits.time + GRACE {
        "killed: it did not stop when its time was over"
    } else if resident.is_some_and(|bytes| bytes > limits.memory + limits.memory / 4) {
        "killed: it went far beyond its memory limit"
    } else {
        return;
    };
    running.killed = Some(reason.to_owned());
    // It may just have ended.
    let _ended = running.child.kill();
}

/// Resident bytes of a process, where the system tells.
fn resident(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1024)
}

fn run_one(program: &Path, job: &Job, limits: &Limits, slot: &Mutex<Option<Running>>) -> Record {
    let started = Instant::now();
    let mut record = limits.record(job);
    if let Err(error) = attend(program, job, limits, slot, started, &mut record) {
        record.error = Some(format!("cannot run the job: {error}"));
    }
    record.seconds = started.elapsed().as_secs_f64();
    record
}

fn attend(
    program: &Path,
    job: &Job,
    limits: &Limits,
    slot: &Mutex<Option<Running>>,
    started: Instant,
    record: &mut Record,
) -> io::Result<()> {
    let mut command = Command::new(program);
    command.arg("mcc").arg(&job.folder).args(["--examination", &job.examination.to_string()]);
    command.args(["--time", &limits.time.as_secs_f64().to_string(), "--memory", &limits.memory.to_string()]);
    command.args(["--threads", &limits.threads.to_string()]).args(&limits.options);
    // Its standard input is closed when this process is gone, however that came about.
    command.arg("--until-closed").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    for name in ["BK_EXAMINATION", "BK_TIME_CONFINEMENT", "BK_MEMORY_CONFINEMENT"] {
        command.env_remove(name);
    }
    let mut child = command.spawn()?;
    let (out, err) = (child.stdout.take(), child.stderr.take());
    *lock(slot) = Some(Running { child, started, peak: None, killed: None });
    let said = thread::scope(|scope| {
        let said = scope.spawn(|| {
            let mut said = Vec::new();
            if let Some(mut err) = err {
                // What cannot be read is not shown; the rest is read so that the job does not wait.
                let _unreadable = err.by_ref().take(SAID).read_to_end(&mut said);
                let _rest = io::copy(&mut err, &mut io::sink());
            }
            String::from_utf8_lossy(&said).into_owned()
        });
        for line in out.into_iter().flat_map(|out| BufReader::new(out).lines()).map_while(Result::ok) {
            record.answers.extend(ContestAnswer::parse(&line, started.elapsed().as_secs_f64()));
        }
        said.join().unwrap_or_default()
    });
    loop {
        let mut guard = lock(slot);
        let Some(running) = guard.as_mut() else { break };
        if let Some(status) = running.child.try_wait()? {
            record.status = status.code();
            record.peak_memory_bytes = running.peak;
            let last = said.lines().last().unwrap_or_default();
            record.error = match (running.killed.take(), status.code()) {
                (Some(reason), _) => Some(reason),
                (None, Some(0 | 3)) => None,
                (None, Some(code)) => Some(format!("exit status {code}: {last}")),
                (None, None) => Some(format!("killed by the system: {last}")),
            };
            *guard = None;
            break;
        }
        drop(guard);
        thread::sleep(Duration::from_millis(5));
    }
    Ok(())
}
