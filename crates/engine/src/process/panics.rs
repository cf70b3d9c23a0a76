//! A panic is a fault of the engine: it ends the job like any other error, with its place, and what was made is removed.

use std::any::Any;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::process::failure::Fatal;

#[cfg(panic = "abort")]
compile_error!("a panic must unwind: the job's error is said, and its files are removed, on the way out");

thread_local! {
    /// The place in the source where this thread panicked.
    static PLACE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Installs a hook that keeps a panic's place for [`caught`], beside what Rust prints of it.
pub(crate) fn listen() {
    let print = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        PLACE.set(panic.location().map(ToString::to_string));
        print(panic);
    }));
}

/// Does the work; a panic in it is an error of this machine, with its place and message.
///
/// # Errors
/// The work panicked.
pub(crate) fn caught<T>(work: impl FnOnce() -> T) -> Result<T, Fatal> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let place = PLACE.take().map(|place| format!(" at {place}")).unwrap_or_default();
        let thread = std::thread::current();
        let name = thread.name().unwrap_or("a thread").to_owned();
        Fatal::host(format!("the engine panicked{place} ({name}): {}", message(panic.as_ref())))
            .hint("this is a fault of the engine: please report it with the job")
    })
}

fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_error_with_its_place() {
        listen();
        let index = std::hint::black_box(3);
        let fatal = caught(|| [1, 2][index]).unwrap_err();
        assert!(fatal.message.contains("panics.rs:"), "{}", fatal.message);
        assert!(fatal.message.contains("index out of bounds"), "{}", fatal.message);
        assert_eq!(fatal.exit_code(), 6);
        assert_eq!(caught(|| 7).unwrap(), 7);
    }
}
