//! The engine against a server that means it no good: every misdeed ends in its exit code, within the job's limits, in
//! little memory.

#[path = "../drive/mod.rs"]
mod drive;

#[path = "../honest/null.rs"]
#[allow(dead_code, reason = "shared with the tests of an honest server, which use other parts of it")]
mod null;

mod cut;
mod kinds;
mod login;
mod server;
mod torrents;
