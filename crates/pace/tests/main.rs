//! Load shapes as their users have them: one program of tests.

mod poisson;
mod shapes;
mod shares;
mod validation;
