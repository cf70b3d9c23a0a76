//! What the connections of an event loop share.

use crate::fault::Behaviour;
use crate::protocol::session::Service;

/// A read or reply of usual size fits; bigger ones go through the connection's own buffer.
const SCRATCH: usize = 64 * 1024;

/// The buffers that an event loop lends to the connection whose turn it is: no connection at rest holds a buffer.
#[derive(Debug)]
pub(crate) struct Desk {
    pub(crate) service: Service,
    pub(crate) behaviour: Behaviour,
    pub(crate) disturbed: bool,
    pub(crate) read: Box<[u8]>,
    pub(crate) write: Vec<u8>,
}

impl Desk {
    pub(crate) fn new(service: Service, behaviour: Behaviour) -> Self {
        Self {
            service,
            behaviour,
            disturbed: behaviour.disturbs_statements(),
            read: vec![0; SCRATCH].into(),
            write: Vec::with_capacity(SCRATCH),
        }
    }
}
