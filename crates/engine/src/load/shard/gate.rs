//! Whether the load of an event loop is going on.

/// What tasks look at that wait for the start, or pause while the load goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Gate {
    /// Not all connections are ready.
    Waiting,
    Open,
    /// The window is over: whoever pauses goes home.
    Closed,
}

impl Gate {
    pub(super) fn has_opened(self) -> bool {
        self != Self::Waiting
    }

    pub(super) fn is_closed(self) -> bool {
        self == Self::Closed
    }
}
