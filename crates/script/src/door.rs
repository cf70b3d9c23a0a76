//! The way out of a script: functions that its compiled code calls by address, and that return when the host has answered.

use std::ffi::c_void;
use std::ptr::{self, NonNull};
use std::slice;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::error::SqlError;
use crate::fiber::Transport;
use crate::native::Named;
use crate::random::Native;
use crate::request::{Answer, Request};
use crate::statement::{Bound, Params};

/// What the prelude reads of an answer, in the order in which it declares it.
#[repr(C)]
#[derive(Debug, Default)]
struct Reply {
    rows: f64,
    fields: f64,
    serial: f64,
    affected: f64,
    insert_id: f64,
    /// The insert id with all its bits: a number of Lua holds 53 of them.
    whole_id: u64,
    /// The address of the text that was drawn last, which has fewer bits than a number of Lua.
    text: f64,
}

/// What a request comes to, as its function returns it: a number, a truth value, or one of these.
const DONE: i32 = 0;
const ROWS: i32 = 1;
const IGNORED: i32 = 2;
const FATAL: i32 = 3;
const REFUSED: i32 = -1;
/// Rows of which only the numbers are known, on a connection that has no error to be taken back.
pub(crate) const COUNTED: i32 = 4;
/// The answer to the request for an event from which on the script is to be compiled.
const TO_COMPILE: f64 = 2.0;
/// The event of a thread from which on its script is compiled. By estimate compiling takes as long as it saves in some 30
/// events of sysbench's read-write script, and in some 50 of its point select; of a thousand threads, each may have a dozen.
const COMPILED_FROM: u32 = 20;

/// Bytes of a stack below a request, to which the change of stacks saves registers, and above, up to compiled code.
const BELOW: usize = 256;
const ABOVE: usize = 768;

/// The way out of one Lua state.
#[derive(Debug, Default)]
pub(crate) struct Door {
    /// The fiber in which the state runs; none while it does not, or runs what can ask for nothing.
    way: Option<NonNull<Transport>>,
    reply: Reply,
    /// The last error that was answered.
    error: Option<SqlError>,
    /// How often an event was asked for.
    asked: u32,
    /// Where on its stack the state is in the request that goes on.
    depth: usize,
    /// How often the state has begun to compile, and how often it had when that was asked last.
    compiled: Option<NonNull<AtomicU32>>,
    seen: u32,
}

impl Door {
    /// Has requests leave through this fiber from now on.
    pub(crate) fn open(&mut self, way: Option<NonNull<Transport>>) {
        self.way = way;
    }

    /// Where on its stack the state is in the request that goes on, if code was compiled since this was asked.
    pub(crate) fn depth_after_compiling(&mut self) -> Option<usize> {
        // SAFETY: the state's own counter, which lasts as long.
        let compiled = unsafe { self.compiled?.as_ref() }.load(Ordering::Relaxed);
        (std::mem::replace(&mut self.seen, compiled) != compiled).then_some(self.depth)
    }

    /// The part of its stack through which the request that goes on returns; nobody may read it.
    #[inline]
    pub(crate) fn frames(&self) -> *const [u8] {
        ptr::slice_from_raw_parts(ptr::without_provenance(self.depth.saturating_sub(BELOW)), BELOW + ABOVE)
    }

    /// Counts what is compiled from now on.
    pub(crate) fn count_compiled(&mut self, counter: NonNull<AtomicU32>) {
        self.compiled = Some(counter);
    }

    /// Whether a call is going on, or was given up.
    pub(crate) fn is_open(&self) -> bool {
        self.way.is_some()
    }

    /// The error of the request that was refused last.
    pub(crate) fn error(&mut self) -> SqlError {
        self.error.take().unwrap_or_else(|| SqlError::new(2000, "HY000", "unknown error"))
    }

    /// Tells the prelude where a text is.
    pub(crate) fn tell_text(&mut self, text: *const u8) {
        self.reply.text = text.expose_provenance() as f64;
    }

    /// Where the prelude finds what was answered.
    pub(crate) fn reply(&self) -> *const c_void {
        (&raw const self.reply).cast()
    }

    fn take(&mut self, answer: Answer) -> i32 {
        match answer {
            Answer::Nothing => DONE,
            Answer::Flag(flag) => flag.into(),
            Answer::Number(number) => i32::try_from(number).unwrap_or(REFUSED),
            Answer::Done { affected, insert_id } => {
                let reply = &mut self.reply;
                (reply.affected, reply.insert_id, reply.whole_id) =
                    (affected as f64, insert_id as f64, insert_id);
                DONE
            }
            Answer::Rows { rows, fields, serial } => {
                (self.reply.rows, self.reply.fields, self.reply.serial) =
                    (rows as f64, fields as f64, serial as f64);
                ROWS
            }
            Answer::Failed { error, ignored } => {
                self.error = Some(error);
                if ignored { IGNORED } else { FATAL }
            }
            Answer::Refused(error) => {
                self.error = Some(error);
                REFUSED
            }
        }
    }
}

/// A number of a connection or a statement as Lua has it. What is none is that of no connection.
fn number_of(number: f64) -> usize {
    if number >= 0.0 { number as usize } else { usize::MAX }
}

/// Has the host carry out a request; returns when it has.
///
/// # Safety
/// `native` is the pointer that the prelude of the calling state was told; what the request refers to stays where it is
/// until this returns.
unsafe fn ask(native: *mut Native, request: Request<'static>) -> i32 {
    // SAFETY: as the caller promises.
    unsafe {
        let answer = asked(native, request);
        (*native).door.take(answer)
    }
}

/// The host's answer to a request.
///
/// # Safety
/// As of [`ask`].
unsafe fn asked(native: *mut Native, request: Request<'static>) -> Answer {
    // SAFETY: the pointer is good as long as the state, and nobody holds a reference while Lua runs: nor does this function
    // while the fiber is left. The way is that of the fiber in which this call runs.
    unsafe {
        match (*native).door.way {
            Some(way) => {
                (*native).door.depth = (&raw const request).addr();
                way.as_ref().suspend(request)
            }
            None => Answer::Refused(SqlError::new(2000, "HY000", "nothing can be asked for here")),
        }
    }
}

/// Makes functions with addresses of requests that are no more than numbers.
macro_rules! of_numbers {
    ($($name:ident($a:ident, $b:ident) => $request:expr;)+) => {
        $(extern "C" fn $name(native: *mut Native, $a: f64, $b: f64) -> f64 {
            // SAFETY: the prelude hands over the pointer that it was told, and nothing else is referred to.
            unsafe { ask(native, $request) }.into()
        })+
    };
}

of_numbers! {
    ask_connect(_none, _nor) => Request::Connect;
    ask_close(connection, statement) =>
        Request::Close { connection: number_of(connection), statement: number_of(statement) };
    ask_disconnect(connection, _none) => Request::Disconnect { connection: number_of(connection) };
    ask_reconnect(connection, _none) => Request::Reconnect { connection: number_of(connection) };
    ask_ready(_none, _nor) => Request::Ready;
    ask_over(ended, _none) => Request::Over { ended: ended != 0.0 };
    ask_restart(_none, _nor) => Request::Restart;
}

extern "C" fn ask_next(native: *mut Native, ended: f64, _none: f64) -> f64 {
    // SAFETY: as above; nobody else looks at the door once the fiber goes on.
    unsafe {
        let answer = ask(native, Request::Next { ended: ended != 0.0 });
        let door = &mut (*native).door;
        door.asked = door.asked.saturating_add(1);
        if answer != DONE && door.asked == COMPILED_FROM { TO_COMPILE } else { answer.into() }
    }
}

extern "C" fn ask_sleep(native: *mut Native, ns: f64) -> i32 {
    // SAFETY: the prelude hands over the pointer that it was told, and nothing else is referred to.
    unsafe { ask(native, Request::Sleep { ns: ns as u64 }) }
}

/// Makes functions with addresses of requests with a text.
macro_rules! of_text {
    ($($name:ident($connection:ident, $sql:ident) => $request:expr;)+) => {
        $(extern "C" fn $name(
            native: *mut Native,
            connection: f64,
            _none: f64,
            text: *const u8,
            length: usize,
        ) -> i32 {
            let $connection = number_of(connection);
            // SAFETY: the prelude hands over the pointer that it was told, and a text of this length, which it holds
            // meanwhile.
            unsafe {
                let $sql = slice::from_raw_parts(text, length);
                ask(native, $request)
            }
        })+
    };
}

of_text! {
    ask_query(connection, sql) => Request::Query { connection, sql };
    ask_prepare(connection, sql) => Request::Prepare { connection, sql };
    ask_log(_connection, line) => Request::Log { line };
}

/// What the prelude keeps of a connection or of a prepared statement, in the order in which it declares it.
#[repr(C)]
pub(crate) struct Object {
    /// The state's own half of the driver, or the connection of a statement.
    of: *mut Object,
    bound: *const Bound,
    number: f64,
    /// Rows and fields of the last result of which only these are known.
    rows: f64,
    fields: f64,
    /// The kind of the object, one of the constants below; another value: no object, or one that is closed.
    kind: i32,
    /// Whether the script sees an error of a statement before.
    has_error: i32,
}

const CONNECTION: i32 = 1;
const STATEMENT: i32 = 2;

extern "C" fn ask_execute(
    native: *mut Native,
    _none: f64,
    _nor: f64,
    statement: *const Object,
    _: usize,
) -> i32 {
    // SAFETY: the prelude hands over what it keeps of a statement, which it has looked at, and holds it meanwhile.
    unsafe { execute(native, statement) }
}

/// Has a prepared statement executed.
///
/// # Safety
/// `native` is the pointer that the prelude of the calling state was told. The prelude has made the object; all that it refers
/// to stays where it is until this returns.
pub(crate) unsafe fn execute(native: *mut Native, statement: *const Object) -> i32 {
    // SAFETY: as the caller promises; a statement is of a connection.
    unsafe {
        if (*statement).kind != STATEMENT || (*(*statement).of).kind != CONNECTION {
            return (*native).door.take(Answer::Failed { error: SqlError::no_statement(), ignored: false });
        }
        let opened = (*statement).of;
        let (connection, statement, params) =
            (number_of((*opened).number), number_of((*statement).number), Params::new((*statement).bound));
        params.meet();
        let answer = asked(native, Request::Execute { connection, statement, params });
        let Answer::Rows { rows, fields, serial: 0 } = answer else { return (*native).door.take(answer) };
        ((*opened).rows, (*opened).fields) = (rows as f64, fields as f64);
        if (*opened).has_error == 0 { COUNTED } else { (*native).door.take(answer) }
    }
}

/// The types of functions of the driver, as the prelude declares them: of two numbers, or of a text as well.
pub(crate) type OfNumbers = extern "C" fn(*mut Native, f64, f64) -> f64;
pub(crate) type OfText = extern "C" fn(*mut Native, f64, f64, *const u8, usize) -> i32;

/// The functions whose addresses the prelude may ask for.
pub(crate) const ADDRESSES: &[Named] = &[
    ("ask_connect", || ask_connect as *mut _),
    ("ask_query", || ask_query as *mut _),
    ("ask_prepare", || ask_prepare as *mut _),
    ("ask_execute", || ask_execute as *mut _),
    ("ask_close", || ask_close as *mut _),
    ("ask_disconnect", || ask_disconnect as *mut _),
    ("ask_reconnect", || ask_reconnect as *mut _),
    ("ask_ready", || ask_ready as *mut _),
    ("ask_next", || ask_next as *mut _),
    ("ask_over", || ask_over as *mut _),
    ("ask_restart", || ask_restart as *mut _),
    ("ask_sleep", || ask_sleep as *mut _),
    ("ask_log", || ask_log as *mut _),
];
