//! Scalable nets with known numbers: Fischer's protocol, CSMA/CD and trains at a gate.
//!
//! The last two are the networks of timed automata that come with TChecker (`csmacd.sh`, `train_gate.sh`), with a place
//! for each location and each value of a variable, and a transition for each synchronisation. A *committed* location,
//! in which time stands still, is a place with the invariant `u<=0` on a clock that is reset on the way there.

use super::error::ReadError;
use super::line_format;
use super::model::ClockNet;
use std::fmt::Write;

/// Fischer's mutual exclusion of `n` processes with delay `k`; `strict` waits longer than `k` and is safe, the
/// other waits at least `k` and is not. The text is the one of the nets in the shared folder.
pub fn fischer(n: u32, k: u32, strict: bool) -> Result<ClockNet, ReadError> {
    let guard = if strict { ">" } else { ">=" };
    let mut text = format!("net fischer_{n}_{k}\nclocks");
    let out = &mut text;
    // Writing to a string cannot fail.
    (1..=n).for_each(|i| _ = write!(out, " x{i}"));
    out.push_str("\nplace id0 init 1\n");
    (1..=n).for_each(|i| _ = writeln!(out, "place id{i}"));
    for i in 1..=n {
        let _ = writeln!(out, "place A{i} init 1\nplace req{i} inv x{i}<={k}\nplace wait{i}\nplace cs{i}");
    }
    for i in 1..=n {
        let _ = writeln!(out, "trans start{i} : A{i} id0 -> req{i} id0 reset x{i}");
        for j in 0..=n {
            let _ = writeln!(out, "trans set{i}_{j} : req{i} id{j} -> wait{i} id{i} when x{i}<={k} reset x{i}");
        }
        let _ = writeln!(out, "trans retry{i} : wait{i} id0 -> req{i} id0 reset x{i}");
        let _ = writeln!(out, "trans enter{i} : wait{i} id{i} -> cs{i} id{i} when x{i}{guard}{k}");
        for j in 0..=n {
            let _ = writeln!(out, "trans exit{i}_{j} : cs{i} id{j} -> A{i} id0");
        }
    }
    line_format::read(&text, "fischer")
}

/// The bus of CSMA/CD with `n` stations, transmission time 808 and propagation delay 26.
pub fn csmacd(n: u32) -> Result<ClockNet, ReadError> {
    let mut text = format!("net csmacd_{n}\nclocks y u");
    let out = &mut text;
    (1..=n).for_each(|i| _ = write!(out, " x{i}"));
    out.push_str("\nplace Idle init 1\nplace Active\nplace Collision inv y<26\n");
    (1..=n + 1).for_each(|j| _ = writeln!(out, "place Loop{j} inv u<=0"));
    for i in 1..=n {
        let _ = writeln!(out, "place Wait{i} init 1\nplace Start{i} inv x{i}<=808\nplace Retry{i} inv x{i}<52");
    }
    let _ = writeln!(out, "trans detect : Collision -> Loop1 when y<26 reset u");
    let _ = writeln!(out, "trans done : Loop{} -> Idle when y<26 reset y", n + 1);
    for i in 1..=n {
        for (from, guard) in [("Wait", String::new()), ("Retry", format!("x{i}<52"))] {
            let when = if guard.is_empty() { String::new() } else { format!("when {guard}") };
            let and = if guard.is_empty() { String::new() } else { format!("{guard} & ") };
            let _ = writeln!(out, "trans begin{i}_{from} : Idle {from}{i} -> Active Start{i} {when} reset x{i} y");
            let _ = writeln!(
                out,
                "trans collide{i}_{from} : Active {from}{i} -> Collision Start{i} when {and}y<26 reset x{i} y"
            );
            let _ =
                writeln!(out, "trans busy{i}_{from} : Active {from}{i} -> Active Retry{i} when {and}y>=26 reset x{i}");
            let _ = writeln!(out, "trans cd{i}_{from} : Loop{i} {from}{i} -> Loop{} Retry{i} {when} reset x{i}", i + 1);
        }
        let _ = writeln!(out, "trans cd{i}_idle : Loop{i} Wait{i} -> Loop{} Wait{i} reset x{i}", i + 1);
        let _ = writeln!(out, "trans cd{i}_Start : Loop{i} Start{i} -> Loop{} Retry{i} when x{i}<26 reset x{i}", i + 1);
        let _ = writeln!(out, "trans end{i} : Active Start{i} -> Idle Wait{i} when x{i}=808 reset x{i} y");
    }
    line_format::read(&text, "csmacd")
}

/// A gate with a queue for `n` trains; the queue keeps what was in it, as the arrays of the original do.
pub fn train_gate(n: u32) -> Result<ClockNet, ReadError> {
    let mut text = format!("net train_gate_{n}\nclocks u");
    let out = &mut text;
    (1..=n).for_each(|i| _ = write!(out, " x{i}"));
    out.push_str("\nplace Free init 1\nplace Occ\nplace Transient inv u<=0\nplace calm init 1\n");
    let init = |first: bool| if first { " init 1" } else { "" };
    (0..n).for_each(|h| _ = writeln!(out, "place head{h}{}", init(h == 0)));
    (0..=n).for_each(|l| _ = writeln!(out, "place length{l}{}", init(l == 0)));
    for (k, v) in (0..n).flat_map(|k| (1..=n).map(move |v| (k, v))) {
        let _ = writeln!(out, "place buffer{k}_{v}{}", init(v == 1));
    }
    for i in 1..=n {
        let _ = writeln!(out, "place Safe{i} init 1\nplace Appr{i} inv x{i}<=20\nplace Stop{i}");
        let _ = writeln!(out, "place Start{i} inv x{i}<=15\nplace Cross{i} inv x{i}<=5");
        let _ = writeln!(out, "trans enter{i} : Appr{i} calm -> Cross{i} calm when x{i}>=10 reset x{i}");
        let _ = writeln!(out, "trans start{i} : Start{i} calm -> Cross{i} calm when x{i}>=7 reset x{i}");
        for (h, l) in (0..n).flat_map(|h| (0..=n).map(move |l| (h, l))) {
            let (next, here) = ((h + 1) % n, format!("head{h} length{l} buffer{h}_{i}"));
            if l > 0 {
                let less = format!("head{next} length{} buffer{h}_{i}", l - 1);
                let last = (h + l - 1) % n;
                let same = format!("head{h} length{l} buffer{last}_{i}");
                let _ = writeln!(out, "trans go{i}_{h}_{l} : Free Stop{i} {here} -> Occ Start{i} {here} reset x{i}");
                let _ =
                    writeln!(out, "trans leave{i}_{h}_{l} : Occ Cross{i} {here} -> Free Safe{i} {less} when x{i}>=3");
                let _ = writeln!(
                    out,
                    "trans stop{i}_{h}_{l} : Transient Appr{i} {same} -> Occ calm Stop{i} {same} when x{i}<=10"
                );
            }
            for old in 1..=n {
                if l == n {
                    continue;
                }
                let at = (h + l) % n;
                let before = format!("head{h} length{l} buffer{at}_{old}");
                let after = format!("head{h} length{} buffer{at}_{i}", l + 1);
                if l == 0 {
                    let _ = writeln!(
                        out,
                        "trans first{i}_{h}_{old} : Free Safe{i} {before} -> Occ Appr{i} {after} reset x{i}"
                    );
                }
                let _ = writeln!(
                    out,
                    "trans appr{i}_{h}_{l}_{old} : Occ calm Safe{i} {before} -> Transient Appr{i} {after} reset x{i} u"
                );
            }
        }
    }
    line_format::read(&text, "train_gate")
}
