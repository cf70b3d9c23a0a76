//! Lines of sysbench's log: errors, warnings, and what a program that expects sysbench's text alone must not find.

use std::mem::MaybeUninit;

/// Characters of one text from outside that are shown.
const MOST: usize = 4096;
/// Seconds between two lines of progress.
const PROGRESS_S: f64 = 5.0;
/// What the engine's message about a script begins with.
const OF_SCRIPT: &str = "script: ";

/// The log of one command.
#[derive(Debug, Default)]
pub(super) struct Log {
    /// Whether the program was started as `sysbench`: the log is then part of standard output, as there.
    pub own_name: bool,
    /// Whether somebody reads what sysbench does not write.
    pub asides: bool,
    last: String,
    repeated: u64,
    next_progress_s: f64,
}

impl Log {
    pub(super) fn new(own_name: bool) -> Self {
        Self { own_name, asides: !own_name || is_read(), next_progress_s: PROGRESS_S, ..Self::default() }
    }

    /// A line of the log, where the verbosity lets it through; one that is equal to the line before is only counted.
    pub(super) fn line(&mut self, text: &str, verbosity: u32, out: &mut String, err: &mut String) {
        let text = shortened_lines(text);
        let level = match text.split(':').next() {
            Some("WARNING") => 2,
            Some("ALERT") => 1,
            _ => 0,
        };
        if level > verbosity {
            return;
        }
        if text == self.last {
            self.repeated += 1;
            return;
        }
        let to = if self.own_name { out } else { err };
        let repeated = std::mem::take(&mut self.repeated);
        if repeated > 0 {
            *to += &format!("(last message repeated {repeated} times)\n");
        }
        *to += &text;
        self.last = text;
    }

    /// An error that ends the command, in sysbench's form.
    pub(super) fn fatal(&self, message: &str, hint: Option<&str>, out: &mut String, err: &mut String) {
        let told = shortened(message.strip_prefix(OF_SCRIPT).unwrap_or(message));
        if is_of_command_line(&told) {
            *err += &format!("{told}\n");
        } else {
            let to = if self.own_name { out } else { &mut *err };
            *to += &format!("FATAL: {told}\n");
            if told.starts_with("`thread_init'") {
                *to += "FATAL: Thread initialization failed!\n";
            }
        }
        if let Some(hint) = hint.filter(|_| self.asides) {
            *err += &format!("hint: {}\n", in_our_names(hint));
        }
    }

    /// A line about a long step, now and then.
    pub(super) fn progress(&mut self, text: &str, elapsed_s: f64, err: &mut String) {
        if self.asides && elapsed_s >= self.next_progress_s {
            self.next_progress_s = elapsed_s + PROGRESS_S;
            *err += &format!("{text}\n");
        }
    }
}

/// Whether the message is about the command line: sysbench does not log it.
fn is_of_command_line(told: &str) -> bool {
    told.starts_with("invalid option: ")
        || told.starts_with("Unknown command: ")
        || (told.starts_with('\'') && told.contains("' test does not implement the '"))
}

/// Advice in which options have the names that they have in a job or in `assay bench`, with those of this command.
fn in_our_names(hint: &str) -> String {
    hint.replace("--db", "--mysql-db").replace("--ps-mode disable", "--db-ps-mode=disable").replace(
        "the password comes from the environment, never the command line",
        "$MYSQL_PWD has the password",
    )
}

fn shortened_lines(text: &str) -> String {
    if text.len() <= MOST {
        return text.to_owned();
    }
    text.lines().map(|line| shortened(line) + "\n").collect()
}

/// The text, with its middle left out where it is long.
fn shortened(text: &str) -> String {
    let letters = text.chars().count();
    if letters <= MOST {
        return text.to_owned();
    }
    let half = MOST / 2;
    let start: String = text.chars().take(half).collect();
    let end: String = text.chars().skip(letters - half).collect();
    format!("{start} … ({} characters left out) … {end}", letters - 2 * half)
}

/// Whether standard error is a terminal, or leads elsewhere than standard output.
fn is_read() -> bool {
    // SAFETY: a descriptor of this process; nothing is written.
    if unsafe { libc::isatty(libc::STDERR_FILENO) } == 1 {
        return true;
    }
    match (file_of(libc::STDOUT_FILENO), file_of(libc::STDERR_FILENO)) {
        (Some(out), Some(err)) => out != err,
        _ => false,
    }
}

fn file_of(descriptor: i32) -> Option<(u64, u64)> {
    let mut status = MaybeUninit::<libc::stat>::uninit();
    // SAFETY: `status` has room for what the kernel writes, and is read only where it has written.
    unsafe {
        (libc::fstat(descriptor, status.as_mut_ptr()) == 0).then(|| {
            let status = status.assume_init();
            (status.st_dev, status.st_ino)
        })
    }
}
