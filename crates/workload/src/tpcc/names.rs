//! The thousand last names, made once.

use crate::tpcc::text;

#[derive(Debug)]
pub(crate) struct LastNames(Vec<Vec<u8>>);

impl LastNames {
    pub(crate) fn new() -> Self {
        let name = |number| {
            let mut name = Vec::with_capacity(text::LAST_NAME_MOST);
            text::last_name(number, &mut name);
            name
        };
        Self((0..1000).map(name).collect())
    }

    /// The name of a number from 0 to 999.
    pub(crate) fn of(&self, number: u64) -> &[u8] {
        &self.0[number as usize]
    }
}
