//! The server, as it is before and after a load: logging in, asking, what its tables hold.

pub(crate) mod ask;
pub(crate) mod cut;
pub(crate) mod extent;
pub(crate) mod login;
pub(crate) mod nearest;
pub(crate) mod notes;
pub(crate) mod preflight;
pub(crate) mod questions;
pub(crate) mod session;
