//! The process that started this one.

/// Asks for SIGKILL when the thread that started this process ends: nobody is left to read what it says, and its connections must
/// not load the server any longer. Where the parent has died already, the end of standard input ends the load.
pub(crate) fn end_with_parent() {
    // SAFETY: the call changes nothing but this process's own attribute. It fails only for a signal that does not exist.
    unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL as libc::c_ulong) };
}
