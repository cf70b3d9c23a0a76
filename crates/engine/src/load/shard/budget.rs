//! How many transactions an event loop may still begin.

/// Transactions of the measured window that may still begin, where the job limits them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Budget {
    left: u64,
}

impl Budget {
    pub(super) fn new(limit: Option<u64>) -> Self {
        Self { left: limit.unwrap_or(u64::MAX) }
    }

    /// Whether another transaction may begin. In the warm-up (`counted` is false) it costs nothing, unless all are spent.
    #[inline]
    pub(super) fn spend(&mut self, counted: bool) -> bool {
        match self.left {
            u64::MAX => true,
            0 => false,
            _ => {
                self.left -= u64::from(counted);
                true
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_begin_as_were_asked_for_and_the_warm_up_is_free() {
        // Limit, transactions of the warm-up, how many of ten more begin.
        for (limit, warmup, begun) in
            [(None, 3, 10), (Some(4), 0, 4), (Some(4), 100, 4), (Some(0), 0, 0), (Some(10), 1, 10)]
        {
            let mut budget = Budget::new(limit);
            for _ in 0..warmup {
                assert_eq!(budget.spend(false), limit != Some(0));
            }
            assert_eq!((0..10).filter(|_| budget.spend(true)).count(), begun, "{limit:?} after {warmup}");
        }
    }
}
