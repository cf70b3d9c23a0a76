//! What is read of rows.

pub(crate) use crate::fields::{found, hit, unscaled};

/// The row in the middle of those with one last name, rounded up (clause 2.5.2.2); `count` of them, from 0.
pub(crate) fn middle(count: usize) -> usize {
    count.div_ceil(2).saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_is_rounded_up() {
        assert_eq!([1, 2, 3, 4, 5].map(middle), [0, 0, 1, 1, 2]);
    }
}
