//! One client's conversation: which request gets which reply. No I/O, no faults.

use std::sync::Arc;

use crate::counters::{Counter, Counters, totals};
use crate::protocol::answers::{Answers, Content};
use crate::protocol::catalogue::{Facts, answer};
use crate::protocol::handshake::{self, DEPRECATE_EOF, MULTI_STATEMENTS};
use crate::protocol::packet::{Request, Writer, renumber};
use crate::protocol::prepared::{Head, Prepared, PreparedStatements};
use crate::protocol::reply::{AUTOCOMMIT, IN_TRANSACTION, MORE_RESULTS, Reply, end_of_rows, put_error};
use crate::protocol::statement::{AnswerKind, classify, inserted_rows, parameters, split};
use crate::protocol::table::{Encoding, Table};

/// The things that all sessions of an event loop share.
#[derive(Debug)]
pub(crate) struct Service {
    pub(crate) content: Content,
    pub(crate) answers: Answers,
    pub(crate) refuse_logins: bool,
    /// The counters of this loop, and those of all loops.
    pub(crate) counters: Arc<Counters>,
    pub(crate) all_counters: Vec<Arc<Counters>>,
}

/// The ways to go on after a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effect {
    /// A reply was written. `load`: it is one that delays and faults apply to.
    Reply { load: bool },
    /// There is no reply to this request.
    Silent,
    /// Send what was written, if anything, and hang up.
    Close,
}

const ADMIN: Effect = Effect::Reply { load: false };

/// How far the login is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// The answer to the greeting is due.
    Greeted,
    /// The answer to the request for `caching_sha2_password` is.
    Switched,
    /// The password is, or a request for the key.
    Password,
    LoggedIn,
}

#[derive(Debug)]
pub(crate) struct Session {
    id: u32,
    user: String,
    stage: Stage,
    capabilities: u32,
    status: u16,
    prepared: PreparedStatements,
}

impl Session {
    /// Writes the greeting.
    pub(crate) fn new(id: u32, service: &Service, out: &mut Vec<u8>) -> Self {
        handshake::greeting(out, &service.content.version, id, AUTOCOMMIT);
        Self {
            id,
            user: String::new(),
            stage: Stage::Greeted,
            capabilities: 0,
            status: AUTOCOMMIT,
            prepared: PreparedStatements::default(),
        }
    }

    pub(crate) fn is_logged_in(&self) -> bool {
        self.stage == Stage::LoggedIn
    }

    pub(crate) fn encoding(&self, binary: bool) -> Encoding {
        Encoding { binary, deprecate_eof: self.capabilities & DEPRECATE_EOF != 0 }
    }

    /// Answers one request.
    #[inline]
    pub(crate) fn handle(&mut self, request: Request<'_>, service: &Service, out: &mut Vec<u8>) -> Effect {
        if self.stage != Stage::LoggedIn {
            return self.log_in(request, service, out);
        }
        let Some((&command, body)) = request.payload.split_first() else { return Effect::Close };
        service.counters.add(Counter::Queries, 1);
        match command {
            0x17 => self.execute(body, request.reply_sequence, service, out),
            0x03 => self.query(body, request.reply_sequence, service, out),
            0x16 => self.prepare(body, request.reply_sequence, service, out),
            0x19 => self.close_statement(body, service),
            _ => self.administer(command, request.reply_sequence, service, out),
        }
    }

    fn log_in(&mut self, request: Request<'_>, service: &Service, out: &mut Vec<u8>) -> Effect {
        let sequence = request.reply_sequence;
        match (self.stage, &service.content.public_key) {
            (Stage::Switched, _) => {
                self.stage = Stage::Password;
                handshake::full_authentication(out, sequence);
                return ADMIN;
            }
            (Stage::Password, Some(key)) if request.payload == [2] => {
                handshake::public_key(out, sequence, key);
                return ADMIN;
            }
            (Stage::Password, _) => return self.let_in(sequence, service, out),
            _ => {}
        }
        let Some(login) = handshake::login(request.payload) else {
            put_error(out, request.reply_sequence, 1043, "08S01", "Bad handshake");
            return Effect::Close;
        };
        if service.refuse_logins {
            service.counters.add(Counter::RefusedLogins, 1);
            let message = format!("Access denied for user '{}'@'localhost' (injected)", login.user);
            put_error(out, request.reply_sequence, 1045, "28000", &message);
            return Effect::Close;
        }
        self.capabilities = login.capabilities;
        self.user = login.user;
        if service.content.public_key.is_some() {
            self.stage = Stage::Switched;
            handshake::switch(out, sequence);
            return ADMIN;
        }
        self.let_in(sequence, service, out)
    }

    fn let_in(&mut self, sequence: u8, service: &Service, out: &mut Vec<u8>) -> Effect {
        self.stage = Stage::LoggedIn;
        service.answers.ok().append(out, sequence, self.status);
        ADMIN
    }

    fn query(&mut self, sql: &[u8], sequence: u8, service: &Service, out: &mut Vec<u8>) -> Effect {
        let several = self.capabilities & MULTI_STATEMENTS != 0 && memchr::memchr(b';', sql).is_some();
        let parts = if several { split(sql) } else { Vec::new() };
        if parts.len() < 2 {
            service.counters.add(Counter::Questions, 1);
            return self.text(sql, sequence, 0, service, out);
        }
        service.counters.add(Counter::ComMulti, 1);
        let (mut sequence, mut load) = (sequence, false);
        for (number, part) in parts.iter().enumerate() {
            service.counters.add(Counter::Questions, 1);
            let more = if number + 1 < parts.len() { MORE_RESULTS } else { 0 };
            let start = out.len();
            load |= self.text(part, sequence, more, service, out) == Effect::Reply { load: true };
            sequence = renumber(&mut out[start..], sequence);
        }
        Effect::Reply { load }
    }

    /// Answers a statement as text. `more`: the flag that another result follows.
    fn text(&mut self, sql: &[u8], sequence: u8, more: u16, service: &Service, out: &mut Vec<u8>) -> Effect {
        let statement = classify(sql);
        service.counters.add(statement.command, 1);
        let encoding = self.encoding(false);
        if statement.kind == AnswerKind::Ask {
            match self.ask(&String::from_utf8_lossy(sql), service) {
                Ok(table) => table.write(out, sequence, encoding, self.status | more),
                Err(name) => unknown_variable(out, sequence, &name),
            }
            return ADMIN;
        }
        self.track(statement.kind);
        let rows = if statement.kind == AnswerKind::Write && statement.command == Counter::ComInsert {
            inserted_rows(sql)
        } else {
            1
        };
        if rows > 1 {
            Reply::ok(rows).append(out, sequence, self.status | more);
        } else {
            service.answers.to(statement.kind, encoding).append(out, sequence, self.status | more);
        }
        Effect::Reply { load: statement.is_load() }
    }

    fn ask(&self, sql: &str, service: &Service) -> Result<Table, String> {
        let status = totals(&service.all_counters);
        let version = &service.content.version;
        answer(sql, &Facts { version, connection: self.id, user: &self.user, status })
    }

    fn track(&mut self, kind: AnswerKind) {
        match kind {
            AnswerKind::Begin => self.status |= IN_TRANSACTION,
            AnswerKind::End => self.status &= !IN_TRANSACTION,
            _ => {}
        }
    }

    /// An injected error took the place of the last reply; a deadlock (1213) ends the transaction as well.
    pub(crate) fn failed(&mut self, code: u16) {
        if code == 1213 {
            self.track(AnswerKind::End);
        }
    }

    fn prepare(&mut self, sql: &[u8], sequence: u8, service: &Service, out: &mut Vec<u8>) -> Effect {
        service.counters.add(Counter::ComStmtPrepare, 1);
        let statement = classify(sql);
        let text = (statement.kind == AnswerKind::Ask).then(|| String::from_utf8_lossy(sql).into_owned());
        let asked = match text.as_deref().map(|sql| self.ask(sql, service)).transpose() {
            Ok(table) => table,
            Err(name) => {
                unknown_variable(out, sequence, &name);
                return ADMIN;
            }
        };
        let id = self.prepared.add(Prepared { statement, sql: text.map(Into::into) });
        let head = Head { id, kind: statement.kind, asked: asked.as_ref(), parameters: parameters(sql) };
        head.write(out, sequence, self.encoding(true), self.status);
        ADMIN
    }

    #[inline]
    fn execute(&mut self, body: &[u8], sequence: u8, service: &Service, out: &mut Vec<u8>) -> Effect {
        service.counters.add(Counter::Questions, 1);
        service.counters.add(Counter::ComStmtExecute, 1);
        let id = statement_id(body);
        let Some(&Prepared { statement, ref sql }) = self.prepared.get(id) else {
            let message = format!("Unknown prepared statement handler ({id}) given to mysqld_stmt_execute");
            put_error(out, sequence, 1243, "HY000", &message);
            return ADMIN;
        };
        service.counters.add(statement.command, 1);
        let encoding = self.encoding(true);
        if let Some(sql) = sql {
            match self.ask(sql, service) {
                Ok(table) => table.write(out, sequence, encoding, self.status),
                Err(name) => unknown_variable(out, sequence, &name),
            }
            return ADMIN;
        }
        self.track(statement.kind);
        service.answers.to(statement.kind, encoding).append(out, sequence, self.status);
        Effect::Reply { load: statement.is_load() }
    }

    fn close_statement(&mut self, body: &[u8], service: &Service) -> Effect {
        service.counters.add(Counter::ComStmtClose, 1);
        self.prepared.remove(statement_id(body));
        Effect::Silent
    }

    /// The commands that are neither queries nor statements.
    fn administer(&mut self, command: u8, sequence: u8, service: &Service, out: &mut Vec<u8>) -> Effect {
        let counter = match command {
            0x02 => Counter::ComChangeDb,
            0x1A => Counter::ComStmtReset,
            _ => Counter::ComAdmin,
        };
        service.counters.add(counter, 1);
        match command {
            0x01 => return Effect::Close,
            // Long data of a parameter: never answered.
            0x18 => return Effect::Silent,
            // Statistics: a bare text.
            0x09 => {
                Writer::new(out, sequence).packet(|body| body.extend_from_slice(b"Uptime: 1  Threads: 1"));
            }
            // Field list, and set option: an EOF, or what stands for it.
            0x04 | 0x1B => {
                let encoding = self.encoding(false);
                end_of_rows(&mut Writer::new(out, sequence), encoding, self.status);
            }
            // Change user, reset connection: statements and transaction are gone.
            0x11 | 0x1F => {
                self.prepared = PreparedStatements::default();
                self.status = AUTOCOMMIT;
                service.answers.ok().append(out, sequence, self.status);
            }
            // Choose a database, ping, reset a statement.
            0x02 | 0x0E | 0x1A => service.answers.ok().append(out, sequence, self.status),
            _ => put_error(out, sequence, 1047, "08S01", "Unknown command"),
        }
        ADMIN
    }
}

fn statement_id(body: &[u8]) -> u32 {
    body.first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes))
}

fn unknown_variable(out: &mut Vec<u8>, sequence: u8, name: &str) {
    put_error(out, sequence, 1193, "HY000", &format!("Unknown system variable '{name}'"));
}
