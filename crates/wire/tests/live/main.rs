//! Against a real MariaDB that the tests start themselves.

#[path = "../support/mod.rs"]
mod support;

mod auth;
mod large;
mod prepared;
mod query;
mod tls;
mod types;
