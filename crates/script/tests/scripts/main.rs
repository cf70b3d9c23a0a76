//! Scripts on a host without a server: what they may call, and what comes of it.

mod deep;
mod files;
mod hostile;
mod interpreted;
mod life;
mod options;
mod refused;
mod sandbox;
mod support;
mod values;
mod wrong;
