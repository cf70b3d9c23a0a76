//! A MySQL server that answers from memory: to find a load generator's own ceiling, and to prove what it reports
//! against delays and faults that are known in advance.
//!
//! [`Server::start`] runs one in this process; the binary `assay-nullserver` wraps it. Three rooms: `protocol` turns
//! packets into replies and does no I/O, [`fault`] decides what goes wrong and is a pure function of (seed, connection,
//! statement), `sys` holds the system calls. The event loop joins them.

mod connection;
mod counters;
mod desk;
mod event_loop;
pub mod fault;
mod inbox;
mod outbox;
mod protocol;
mod server;
mod sys;

pub use crate::fault::Behaviour;
pub use crate::protocol::answers::Content;
pub use crate::server::{Options, Server};
pub use crate::sys::limit::raise_file_limit;
