//! The list of workloads: adding one is its file and one line here.

use schemars::Schema;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::Workload;

/// An option that cannot be.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("{0}")]
pub struct OptionError(pub String);

/// Does something with a workload whose type is known only by name.
pub trait Visitor {
    type Output;
    fn visit<W: Workload>(self, workload: W) -> Self::Output;
}

/// What people and the lab are told of a workload.
#[derive(Debug, Serialize)]
pub struct Description {
    pub name: &'static str,
    pub summary: &'static str,
    /// JSON Schema of the options, with defaults and help texts.
    pub options: Schema,
}

macro_rules! workloads {
    ($($workload:ty),* $(,)?) => {
        /// Builds the workload called `name` and hands it to `visitor`.
        ///
        /// # Errors
        /// No such workload, an unknown option, a value of the wrong type or out of range.
        pub fn with_workload<V: Visitor>(
            name: &str,
            options: &Map<String, Value>,
            seed: u64,
            visitor: V,
        ) -> Result<V::Output, OptionError> {
            $(if name == <$workload>::NAME {
                let options = serde_json::from_value(Value::Object(options.clone()))
                    .map_err(|error| OptionError(format!("{name}: {error}")))?;
                return Ok(visitor.visit(<$workload>::new(options, seed)?));
            })*
            let _ = (options, seed, visitor);
            Err(OptionError(format!("no workload is called {name:?}")))
        }

        /// Every workload, in the order people should meet them.
        pub fn catalogue() -> Vec<Description> {
            vec![$(Description {
                name: <$workload>::NAME,
                summary: <$workload>::SUMMARY,
                options: schemars::schema_for!(<$workload as Workload>::Options),
            }),*]
        }
    };
}

workloads! {}
