//! Whether the load of an event loop is going on.

/// The gate of an event loop, which tasks look at that wait for the start, or pause while the load goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Gate {
    /// The load has not begun: not all connections are ready.
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
