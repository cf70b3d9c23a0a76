//! The server, as it is before and after a load: logging in, asking, what its tables hold.

pub mod ask;
pub mod extent;
pub mod login;
pub mod notes;
pub mod preflight;
pub mod questions;
