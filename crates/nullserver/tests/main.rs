//! The server and its behaviours: one program of tests.

mod live;
mod plan;
