//! The sizes of the messages, in turn.

use std::str::FromStr;

/// Bytes of one request and of its reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Exchange {
    pub(crate) request: usize,
    pub(crate) reply: usize,
}

/// A round of exchanges; every connection goes through it again and again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Sizes(Vec<Exchange>);

impl Sizes {
    pub(crate) fn turns(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn at(&self, turn: usize) -> Exchange {
        self.0[turn]
    }

    pub(crate) fn after(&self, turn: usize) -> usize {
        if turn + 1 == self.0.len() { 0 } else { turn + 1 }
    }

    pub(crate) fn longest(&self) -> usize {
        self.0.iter().map(|exchange| exchange.request.max(exchange.reply)).max().unwrap_or(1)
    }
}

impl FromStr for Sizes {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let size = |text: &str| text.trim().parse().ok().filter(|&size: &usize| size > 0);
        let exchange = |part: &str| {
            let (request, reply) = part.split_once(':')?;
            Some(Exchange { request: size(request)?, reply: size(reply)? })
        };
        text.split(',')
            .map(|part| exchange(part).ok_or_else(|| format!("`{part}` is not REQUEST:REPLY in bytes")))
            .collect::<Result<Vec<_>, _>>()
            .map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_are_gone_through_in_turn() {
        let sizes: Sizes = "23:203,28:12000".parse().unwrap();
        assert_eq!(sizes.at(1), Exchange { request: 28, reply: 12_000 });
        assert_eq!((sizes.after(0), sizes.after(1)), (1, 0));
        assert_eq!(sizes.longest(), 12_000);
    }

    #[test]
    fn a_message_has_a_size() {
        for text in ["", "23", "0:5", "23:203,", "a:b"] {
            assert!(text.parse::<Sizes>().is_err(), "{text}");
        }
    }
}
