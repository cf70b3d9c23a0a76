//! The whole server standing still on a pattern.

/// Frozen for `length_ns` at the start of every period but the first: in `[k·every, k·every + length)`, k ≥ 1, counted
/// from the origin that is printed at the start. The first period is left alone for connecting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Freeze {
    pub length_ns: u64,
    pub every_ns: u64,
}

impl Freeze {
    /// The end of the freeze that holds `since_origin_ns`; `None` outside a freeze.
    pub fn ends_at(self, since_origin_ns: u64) -> Option<u64> {
        let start = since_origin_ns - since_origin_ns % self.every_ns;
        let end = start + self.length_ns;
        (start > 0 && since_origin_ns < end).then_some(end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fifth_of_the_time_is_frozen() {
        let freeze = Freeze { length_ns: 200, every_ns: 1_000 };
        assert_eq!(freeze.ends_at(0), None);
        assert_eq!(freeze.ends_at(150), None, "the first period is free");
        assert_eq!(freeze.ends_at(999), None);
        assert_eq!(freeze.ends_at(1_000), Some(1_200));
        assert_eq!(freeze.ends_at(1_199), Some(1_200));
        assert_eq!(freeze.ends_at(1_200), None);
        assert_eq!((1_000..11_000).filter(|&ns| freeze.ends_at(ns).is_some()).count(), 2_000);
    }
}
