//! The errors that the time line hears of: the first few of each code.

use std::collections::BTreeMap;

/// Errors of one code that the time line hears of, by event loop, and of all together.
const EACH: u32 = 3;

/// The number of errors of each code; under `None`, of those without a code.
#[derive(Debug, Default)]
pub(crate) struct Notices {
    seen: BTreeMap<Option<u16>, u32>,
}

impl Notices {
    /// Whether an error with this code is among the first.
    pub(crate) fn is_news(&mut self, code: Option<u16>) -> bool {
        let seen = self.seen.entry(code).or_default();
        let news = *seen < EACH;
        *seen += u32::from(news);
        news
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_three_of_each_code_are_news() {
        let mut notices = Notices::default();
        let codes = [Some(1213), Some(1213), None, Some(1213), Some(1213), Some(1205), None, None, None];
        let news: Vec<bool> = codes.into_iter().map(|code| notices.is_news(code)).collect();
        assert_eq!(news, [true, true, true, true, false, true, true, true, false]);
    }
}
