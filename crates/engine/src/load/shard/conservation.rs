//! How many statements an event loop has sent, to be compared with the server's own count.

/// Statements since the load began.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Conservation {
    pub(super) sent: u64,
    /// The number of sent statements that the server may not have come to, because one before them in the same packet
    /// failed, or may have.
    pub(super) unsure: u64,
}

impl Conservation {
    #[inline]
    pub(super) fn sent(self, statements: u64) -> Self {
        Self { sent: self.sent + statements, ..self }
    }

    /// Statements go out in one packet behind another.
    #[inline]
    pub(super) fn unsure(self, statements: u64) -> Self {
        Self { unsure: self.unsure + statements, ..self }
    }

    /// Statements of a packet that has succeeded: the server came to all of them.
    #[inline]
    pub(super) fn sure(self, statements: u64) -> Self {
        Self { unsure: self.unsure - statements, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_packet_is_unsure_until_it_has_succeeded() {
        let whole = Conservation::default().sent(1).sent(5).unsure(4);
        assert_eq!(whole, Conservation { sent: 6, unsure: 4 });
        assert_eq!(whole.sure(4), Conservation { sent: 6, unsure: 0 });
        // Another fails meanwhile, and stays so.
        assert_eq!(whole.sent(3).unsure(2).sure(4), Conservation { sent: 9, unsure: 2 });
    }
}
