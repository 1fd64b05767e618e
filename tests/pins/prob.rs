//! ProB as a peer, played by a server of our own in a thread, and by a mock in Python where there is one.

use super::{by_the_rule, counts};
use crate::shared::{shared, skipped};
use starset::budget::Budget;
use starset::explicit::{Encoding, Options};
use starset::kinds::pins::PinsModel;
use starset::kinds::pins::prob::{Patience, Peer};
use starset::kinds::{Kind, Loaded};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use zeromq::{RepSocket, Socket, SocketRecv, SocketSend, ZmqMessage};

/// What a server does when it is asked.
type Serve = fn(&[String]) -> Option<Vec<String>>;

/// A server in a thread, with its socket in a folder.
fn served(folder: &Path, serve: Serve) -> PathBuf {
    let path = folder.join("m.probz");
    let address = format!("ipc://{}", path.display());
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let mut socket = RepSocket::new();
            socket.bind(&address).await.unwrap();
            while let Ok(request) = socket.recv().await {
                let frames: Vec<String> =
                    request.iter().map(|frame| String::from_utf8_lossy(frame).into_owned()).collect();
                let Some(reply) = serve(&frames) else { return };
                if reply == ["hang"] {
                    std::thread::sleep(Duration::from_secs(5));
                    return;
                }
                let mut frames = reply.into_iter();
                let mut message = ZmqMessage::from(frames.next().unwrap());
                frames.for_each(|frame| message.push_back(frame.into()));
                socket.send(message).await.unwrap();
            }
        });
    });
    let begin = Instant::now();
    while !path.exists() && begin.elapsed() < Duration::from_secs(10) {
        std::thread::sleep(Duration::from_millis(5));
    }
    path
}

fn words(text: &str) -> Option<Vec<String>> {
    Some(text.split(' ').map(str::to_owned).collect())
}

/// Two numbers: `up` counts x to 3, `copy` makes y what x is; y is at most 2 by an invariant that does not hold.
fn counters(request: &[String]) -> Option<Vec<String>> {
    let number = |frame: &String| frame.trim_start_matches('D').parse::<i32>();
    match request[0].as_str() {
        "init" => words(
            "init 0 1 3 2 D? D? 2 4 3 DA$init_state DAup DAcopy 3 3 2 DAx DAy 4 3 2 DAint DAint 77 1 what \
             5 4 1 DAinv 1 DAy 6 1 0 7 7 2 DAup 1 DAx DAcopy 1 DAy 8 7 2 DAup 1 DAx DAcopy 1 DAx 9 4 1 DAup 1 DAx",
        ),
        "get-next-state" => {
            let head = "get-next-state 0 ";
            Some(match (request[2].as_str(), number(&request[4]), number(&request[5])) {
                ("DA$init_state", ..) => words(&format!("{head}1 2 D0 D0"))?,
                ("DAup", Ok(x), _) if x < 3 => words(&format!("{head}1 2 D{} D?", x + 1))?,
                ("DAcopy", Ok(x), _) => words(&format!("{head}1 2 D? D{x}"))?,
                _ => words(&format!("{head}0"))?,
            })
        }
        "get-state-label" => {
            let holds = number(&request[5]).is_ok_and(|y| y <= 2);
            words(&format!("get-state-label 0 {}", u8::from(holds)))
        }
        "terminate" => words("terminate 0"),
        _ => None,
    }
}

fn patience() -> Patience {
    Patience { start: Duration::from_secs(2), answer: Duration::from_millis(500) }
}

#[test]
fn a_server_explores_for_us() {
    let folder = tempfile::tempdir().unwrap();
    let path = served(folder.path(), counters);
    let model = PinsModel::new("counters", Peer::connect(&path, Patience::default(), None).unwrap()).unwrap();
    let loaded = Loaded::new(model);
    // y follows x, in steps: 4 + 3 + 2 + 1 states.
    let [states, transitions, deadlocks] = by_the_rule(&loaded);
    assert_eq!((states, deadlocks), (10, 0));
    let budget = Budget::unlimited();
    let all = loaded.model.compile(&Encoding::default(), &budget).unwrap();
    let all = all.explore(&Options::default(), &budget).unwrap();
    assert_eq!((all.states, all.transitions), (u128::from(states), u128::from(transitions)));
    // Once for each value of x, for each of the two.
    assert_eq!(loaded.model.next_state_calls(), Some(8));
    for (formula, expected) in [
        ("EF (#x = 3 & #y = 0)", true),
        ("EF #y = 4", false),
        ("AG label(inv)", false),
        ("AG (label(inv) -> #y != 3)", true),
    ] {
        assert_eq!(super::holds(&loaded, formula), expected, "{formula}");
    }
}

#[test]
fn servers_that_fail_are_named() {
    let fails = |serve: Serve, expected: &str| {
        let folder = tempfile::tempdir().unwrap();
        let path = served(folder.path(), serve);
        let error = Peer::connect(&path, patience(), None).map(|_| ()).unwrap_err().to_string();
        assert!(error.starts_with(&path.display().to_string()) && error.contains(expected), "{error}");
    };
    fails(|_| None, "init: the server ended before it answered");
    fails(|_| words("hang"), "init: the server has not answered for 0.5 s");
    fails(|_| words("init 0 1 2 3"), "init: frame 4 of the reply: part 1 is longer than the reply");
    fails(|_| words("hello 0"), "init: frame 1 of the reply: an answer to `hello`");
    fails(
        |request| if request[0] == "init" { counters(request) } else { words("get-next-state 0 1 1 a") },
        "get-next-state: frame 5 of the reply: a state of 1 values, and there are 2 variables",
    );
    let missing = Path::new("nothing.probz");
    let error = Peer::connect(missing, patience(), None).map(|_| ()).unwrap_err().to_string();
    assert_eq!(error, "nothing.probz: there is no such socket; does the server run?");
}

/// A server that ends in the middle ends the search, by name, and nobody waits for it again.
#[test]
fn a_server_that_ends_ends_the_search() {
    let folder = tempfile::tempdir().unwrap();
    let path = served(folder.path(), |request| {
        let third = request.get(2).is_some_and(|group| group == "DAup") && request[4] == "D2";
        if third { None } else { counters(request) }
    });
    let model = PinsModel::new("counters", Peer::connect(&path, patience(), None).unwrap()).unwrap();
    let budget = Budget::unlimited();
    let engine = model.compile(&Encoding::default(), &budget).unwrap();
    let begin = Instant::now();
    for _ in 0..20 {
        let stop = engine.explore(&Options::default(), &budget).unwrap_err();
        assert_eq!(stop.reason(), "model");
        assert!(stop.to_string().contains("get-next-state: the server"), "{stop}");
    }
    assert!(begin.elapsed() < Duration::from_secs(3));
}

/// The mock of the shared data, while it lives.
struct Mock(Child, #[allow(dead_code)] tempfile::TempDir);

impl Drop for Mock {
    fn drop(&mut self) {
        let _ended = self.0.kill();
        let _ended = self.0.wait();
    }
}

fn mock(tools: &Path, machine: &str) -> (Mock, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mock.probz");
    let mut command = Command::new("python3");
    command.arg(tools.join("mockprob.py")).arg(&path).arg(machine).stdout(Stdio::null()).stderr(Stdio::null());
    command.env("PYTHONDONTWRITEBYTECODE", "1");
    let child = command.spawn().unwrap();
    let begin = Instant::now();
    while !path.exists() && begin.elapsed() < Duration::from_secs(30) {
        std::thread::sleep(Duration::from_millis(20));
    }
    (Mock(child, folder), path)
}

#[test]
fn the_mock_of_prob_has_its_figures() {
    let Some(tools) = shared("pins/tools") else { return };
    let python = Command::new("python3").args(["-c", "import zmq"]).stderr(Stdio::null()).status();
    if !python.is_ok_and(|status| status.success()) {
        return skipped("python3 has no module zmq");
    }
    // Calls of the papers count the groups once more: for the state before initialisation, and after it.
    for (machine, figures, most) in [("mutex:2", [9, 22, 0], 26), ("can", [132_598, 340_264, 0], 3534)] {
        let (_mock, path) = mock(&tools, machine);
        let [states, transitions, deadlocks, calls] = counts(&path);
        assert_eq!([states, transitions, deadlocks], figures, "{machine}");
        assert!(calls <= most, "{machine}: {calls}");
    }
}

/// `--prober` starts a program, which here is a script that starts the mock.
#[test]
#[cfg(unix)]
fn a_prober_is_started_and_ended() {
    use std::os::unix::fs::PermissionsExt as _;
    let Some(tools) = shared("pins/tools") else { return };
    let python = Command::new("python3").args(["-c", "import zmq"]).stderr(Stdio::null()).status();
    if !python.is_ok_and(|status| status.success()) {
        return skipped("python3 has no module zmq");
    }
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("prober");
    let line = format!("#!/bin/sh\nexec python3 '{}' \"$3\" mutex:2\n", tools.join("mockprob.py").display());
    std::fs::write(&script, line).unwrap();
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    let machine = super::written(folder.path(), "mutex.mch", "not read");
    let states = |program: &Path| {
        let mut command = crate::cli::starset();
        command.arg("states").arg(&machine).arg("--prober").arg(program).args(["--json", "--engine", "explicit"]);
        crate::cli::run(command.env("TMPDIR", folder.path()))
    };
    let (out, err, status) = states(&script);
    assert_eq!(status, 0, "{err}");
    assert!(out.contains("\"states\":\"9\"") && out.contains("\"transitions\":\"22\""), "{out}");
    // The folder of the socket is gone.
    let left = std::fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(left, 2);
    let (_, err, status) = states(Path::new("/bin/true"));
    assert!(status == 2 && err.contains("/bin/true ended (exit status: 0) before it listened"), "{err}");
    let (_, err, status) = states(Path::new("no-such-program"));
    assert!(status == 2 && err.contains("no-such-program cannot be started"), "{err}");
}
