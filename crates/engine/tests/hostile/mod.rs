//! The engine against a server that means it no good: every misdeed ends in its exit code, within the job's limits, in
//! little memory.

mod cut;
mod kinds;
mod login;
mod server;
mod torrents;
