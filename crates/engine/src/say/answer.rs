//! The answer to a question: a text on standard output, or on standard error why there is none.

use std::io::{self, ErrorKind, Write};

use crate::process::failure::Fatal;

/// Gives an answer; returns the exit code. A reader that has gone away wanted no more of it.
pub(crate) fn give(answer: Result<String, Fatal>) -> i32 {
    let written = answer.map(|text| written(&mut io::stdout().lock(), &text));
    match written {
        Ok(Ok(())) => 0,
        Ok(Err(error)) => complain(&Fatal::host(format!("the answer is lost: {error}"))),
        Err(fatal) => complain(&fatal),
    }
}

/// Says what went wrong where no event can be written; returns the exit code. Nobody may be there to read it, either.
pub(crate) fn complain(fatal: &Fatal) -> i32 {
    let hint = fatal.hint.as_ref().map(|hint| format!("\nhint: {hint}")).unwrap_or_default();
    let _ = writeln!(io::stderr(), "{}{hint}", fatal.message);
    fatal.exit_code()
}

/// Writes a line to its end, or to that of the reader's patience.
fn written(to: &mut impl Write, text: &str) -> io::Result<()> {
    match writeln!(to, "{text}").and_then(|()| to.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A reader that ends with an error.
    struct Reader(ErrorKind);

    impl Write for Reader {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(self.0.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_reader_that_has_gone_away_is_no_error_and_a_full_disk_is_one() {
        assert!(written(&mut Reader(ErrorKind::BrokenPipe), "text").is_ok());
        assert!(written(&mut Reader(ErrorKind::StorageFull), "text").is_err());
        let mut kept = Vec::new();
        written(&mut kept, "text").unwrap();
        assert_eq!(kept, b"text\n");
    }
}
