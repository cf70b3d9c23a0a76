//! The formats of the engine: what it is told ([`job`]) and what it says ([`event`]) and what it hears meanwhile ([`input`]), as types and their JSON Schema.
//!
//! Nothing here does anything: who reads a job checks it, who says an event fills it in.

pub mod event;
pub mod input;
pub mod job;
