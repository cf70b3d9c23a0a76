//! An event loop that hangs: the result is said without it, and names it. Its thread is stopped by ptrace, as a debugger
//! would, while the others go on.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::Child;
use std::ptr;
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::null::{Null, count};
use crate::drive::{Said, start};

/// A thread of a child that is stopped until the child ends. All of it happens in the thread that stopped it.
struct Stopped(libc::pid_t);

impl Stopped {
    /// `None` where this machine forbids ptrace.
    fn thread(child: &Child, name: &str) -> Option<Self> {
        let tasks = fs::read_dir(format!("/proc/{}/task", child.id())).expect("threads").flatten();
        let found = tasks.filter(|task| {
            fs::read_to_string(task.path().join("comm")).is_ok_and(|comm| comm.trim_end() == name)
        });
        let threads: Vec<libc::pid_t> =
            found.filter_map(|task| task.file_name().to_str()?.parse().ok()).collect();
        let [thread] = threads[..] else { panic!("threads {threads:?} have the name {name}") };
        let none = ptr::null_mut::<libc::c_void>();
        let ask = |request| {
            // SAFETY: the thread is one of our child's; none of the requests takes a pointer.
            unsafe { libc::ptrace(request, thread, none, none) }
        };
        if ask(libc::PTRACE_SEIZE) != 0 {
            return None;
        }
        let stopped = Self(thread);
        // Anywhere else it may hold a lock that the others need.
        let until = Instant::now() + Duration::from_secs(20);
        loop {
            assert_eq!(ask(libc::PTRACE_INTERRUPT), 0);
            assert!(libc::WIFSTOPPED(stopped.wait()), "it stands still");
            if waits_for_events(child.id(), thread) {
                break;
            }
            assert!(Instant::now() < until, "it never waited for events");
            assert_eq!(ask(libc::PTRACE_CONT), 0);
            sleep(Duration::from_millis(1));
        }
        Some(stopped)
    }

    fn wait(&self) -> libc::c_int {
        let mut status = 0;
        // SAFETY: `status` is valid to write to.
        assert_eq!(unsafe { libc::waitpid(self.0, &raw mut status, libc::__WALL) }, self.0);
        status
    }
}

/// Whether a thread that is stopped had been waiting in the kernel for its sockets.
fn waits_for_events(process: u32, thread: libc::pid_t) -> bool {
    let call = fs::read_to_string(format!("/proc/{process}/task/{thread}/syscall")).unwrap_or_default();
    let number = call.split(' ').next().and_then(|number| number.parse().ok());
    #[cfg(target_arch = "x86_64")]
    let waits = libc::SYS_epoll_wait;
    #[cfg(not(target_arch = "x86_64"))]
    let waits = libc::SYS_epoll_pwait;
    number == Some(waits)
}

#[test]
fn an_event_loop_that_hangs_is_named_and_the_result_is_not_whole() {
    let null = Null::quiet();
    let mut child = start(&null.job(json!({
        "load": {"connections": 16},
        "engine": {"threads": 2},
        "phases": {"measure_ms": 1500, "drain_ms": 100},
    })));
    let mut events: Vec<Value> = Vec::new();
    let mut stopped = None;
    for line in BufReader::new(child.stdout.take().expect("a pipe")).lines() {
        let event: Value = serde_json::from_str(&line.expect("text")).expect("an event");
        if event["event"] == "interval" && stopped.is_none() {
            stopped = Stopped::thread(&child, "event-loop-1");
            if stopped.is_none() {
                child.kill().expect("it runs");
                child.wait().expect("it ends");
                return;
            }
        }
        events.push(event);
    }
    // The end of a traced thread is its tracer's to take; until then its process does not end.
    let ended = stopped.expect("an interval was said").wait();
    assert!(!libc::WIFSTOPPED(ended), "the whole process ends with it");
    let exit_code = child.wait().expect("the engine ends").code().expect("no signal");
    let said = Said { exit_code, events };

    assert_eq!(said.exit_code, 6, "{:#?}", said.events);
    let error = said.one("error");
    assert_eq!(error["fatal"], true);
    let message = error["message"].as_str().expect("text");
    assert!(message.starts_with("thread event-loop-1 did not end with the load"), "{message}");
    let doubts = said.all("doubt");
    let doubt = doubts.iter().find(|doubt| doubt["kind"] == "hung-workers").expect("the doubt");
    assert_eq!(doubt["value"], 1.0);
    assert!(doubt["message"].as_str().expect("text").starts_with("thread event-loop-1 hung"), "{doubt}");

    let result = said.result();
    assert_eq!(result["complete"], false);
    assert!(count(result, "abandoned") <= 8, "what it had in flight when it was last heard");
    let measured: Vec<&Value> =
        said.all("interval").into_iter().filter(|interval| interval["phase"] == "measure").collect();
    assert_eq!(measured.len(), 15, "intervals that waited for it are said without it");
    // It was stopped when the first had been said; in the second it may still have worked.
    let without_it: u64 = measured[2..].iter().map(|interval| count(interval, "transactions")).sum();
    assert!(without_it > 0, "the other event loop went on");
}
