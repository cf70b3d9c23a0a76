//! A reader of a packet's fields.

/// The unread rest of a packet. Every method reads a field from its front, and is `None` when the packet is too short.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reader<'a>(pub(crate) &'a [u8]);

impl<'a> Reader<'a> {
    #[inline]
    pub(crate) fn bytes(&mut self, count: usize) -> Option<&'a [u8]> {
        let (head, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(head)
    }

    #[inline]
    pub(crate) fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (head, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*head)
    }

    #[inline]
    pub(crate) fn u8(&mut self) -> Option<u8> {
        self.array::<1>().map(|[byte]| byte)
    }

    #[inline]
    pub(crate) fn u16(&mut self) -> Option<u16> {
        self.array().map(u16::from_le_bytes)
    }

    #[inline]
    pub(crate) fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    /// A length-encoded integer.
    #[inline]
    pub(crate) fn lenenc(&mut self) -> Option<u64> {
        match self.u8()? {
            0xFC => self.u16().map(u64::from),
            0xFD => self.array::<3>().map(|[a, b, c]| u64::from(u32::from_le_bytes([a, b, c, 0]))),
            0xFE => self.array().map(u64::from_le_bytes),
            // NULL and the ERR header: not a length.
            0xFB | 0xFF => None,
            small => Some(u64::from(small)),
        }
    }

    /// The bytes before the next zero; the zero is passed over.
    pub(crate) fn until_zero(&mut self) -> Option<&'a [u8]> {
        let end = self.0.iter().position(|byte| *byte == 0)?;
        let head = self.bytes(end)?;
        self.u8()?;
        Some(head)
    }

    /// A string with its length in front.
    #[inline]
    pub(crate) fn lenenc_bytes(&mut self) -> Option<&'a [u8]> {
        let length = self.lenenc()?;
        self.bytes(usize::try_from(length).ok()?)
    }
}
