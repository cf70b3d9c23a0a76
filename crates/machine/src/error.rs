//! What can go wrong, by what the person does next.

use std::io;

use thiserror::Error;

#[derive(Debug, Error)]
pub enum MachineError {
    /// The kernel has no memory of the size or kind that a load wants.
    #[error("cannot have {bytes} bytes of memory{pages} for the load: {source}", pages = pages(*huge))]
    Memory { bytes: u64, huge: bool, source: io::Error },
}

fn pages(huge: bool) -> &'static str {
    if huge { " in huge pages" } else { "" }
}

impl MachineError {
    /// The advice for the person.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Memory { huge: true, .. } => {
                "set huge pages aside (sysctl vm.nr_hugepages), or leave huge pages out"
            }
            Self::Memory { .. } => "use smaller blocks, or fewer threads with blocks of their own",
        }
    }
}
