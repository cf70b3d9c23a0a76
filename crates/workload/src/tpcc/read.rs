//! What is read of rows.

pub(crate) use crate::fields::{found, hit, unscaled};

/// The most customers of a district with one last name that are read. Of its three thousand customers the first thousand
/// have one name each, and those of the others are drawn: about three have the same.
const NAMESAKES_MOST: usize = 128;

/// The customers that a statement found, in the order of their rows: all those of one last name, or the one with an id.
#[derive(Debug)]
pub(crate) struct Namesakes<T> {
    rows: [Option<T>; NAMESAKES_MOST],
    count: usize,
}

impl<T: Copy> Namesakes<T> {
    pub(crate) fn new() -> Self {
        Self { rows: [None; NAMESAKES_MOST], count: 0 }
    }

    /// Adds what was read of a row; `None` where it could not be.
    pub(crate) fn add(&mut self, row: Option<T>) {
        if let Some(slot) = self.rows.get_mut(self.count) {
            *slot = row;
            self.count += 1;
        }
    }

    /// The customer in the middle, rounded up (clause 2.5.2.2); none where nobody was found.
    pub(crate) fn middle(&self) -> Option<T> {
        self.rows[self.count.div_ceil(2).saturating_sub(1)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_is_rounded_up() {
        let middles = [0, 1, 2, 3, 4, 5, NAMESAKES_MOST, NAMESAKES_MOST + 9].map(|count| {
            let mut namesakes = Namesakes::new();
            (0..count).for_each(|row| namesakes.add(Some(row)));
            namesakes.middle()
        });
        assert_eq!(middles, [None, Some(0), Some(0), Some(1), Some(1), Some(2), Some(63), Some(63)]);
    }
}
