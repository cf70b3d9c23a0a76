//! The options of `tatp`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Rng;
use crate::option::StorageOptions;
use crate::option::{Isolation, Switch};
use crate::random::nurand;

/// How subscribers are drawn.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub(crate) enum Distribution {
    #[default]
    Nurand,
    Uniform,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct Options {
    /// Subscribers, about 1 KB each with what they have in the other tables.
    #[schemars(range(min = 1, max = 1_000_000_000))]
    pub(crate) subscribers: u64,
    /// The subscribers that transactions are for: by the description's non-uniform numbers, or all alike.
    #[schemars(extend("x-shapes" = "load"))]
    pub(crate) distribution: Distribution,
    /// Isolation level of every connection; server leaves it as the server is set. The description asks for read committed
    /// at least.
    #[schemars(extend("x-shapes" = "load"))]
    pub(crate) isolation: Isolation,
    /// Foreign keys, made after the rows.
    pub(crate) foreign_keys: Switch,
    /// Share of GET_SUBSCRIBER_DATA (shares count in proportion to their sum).
    #[schemars(range(min = 0.0), extend("x-shapes" = "load"))]
    pub(crate) get_subscriber_data: f64,
    /// Share of GET_NEW_DESTINATION.
    #[schemars(range(min = 0.0), extend("x-shapes" = "load"))]
    pub(crate) get_new_destination: f64,
    /// Share of GET_ACCESS_DATA.
    #[schemars(range(min = 0.0), extend("x-shapes" = "load"))]
    pub(crate) get_access_data: f64,
    /// Share of UPDATE_SUBSCRIBER_DATA.
    #[schemars(range(min = 0.0), extend("x-shapes" = "load"))]
    pub(crate) update_subscriber_data: f64,
    /// Share of UPDATE_LOCATION.
    #[schemars(range(min = 0.0), extend("x-shapes" = "load"))]
    pub(crate) update_location: f64,
    /// Share of INSERT_CALL_FORWARDING.
    #[schemars(range(min = 0.0), extend("x-shapes" = "load"))]
    pub(crate) insert_call_forwarding: f64,
    /// Share of DELETE_CALL_FORWARDING.
    #[schemars(range(min = 0.0), extend("x-shapes" = "load"))]
    pub(crate) delete_call_forwarding: f64,
    #[serde(flatten)]
    pub(crate) storage: StorageOptions,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            subscribers: 100_000,
            distribution: Distribution::default(),
            isolation: Isolation::ReadCommitted,
            foreign_keys: Switch(true),
            get_subscriber_data: 35.0,
            get_new_destination: 10.0,
            get_access_data: 35.0,
            update_subscriber_data: 2.0,
            update_location: 14.0,
            insert_call_forwarding: 2.0,
            delete_call_forwarding: 2.0,
            storage: StorageOptions::default(),
        }
    }
}

/// The kinds of transactions, in the order of [`Options::weights`].
pub(crate) const KINDS: [&str; 7] = [
    "get_subscriber_data",
    "get_new_destination",
    "get_access_data",
    "update_subscriber_data",
    "update_location",
    "insert_call_forwarding",
    "delete_call_forwarding",
];

impl Options {
    pub(crate) fn weights(&self) -> [f64; 7] {
        [
            self.get_subscriber_data,
            self.get_new_destination,
            self.get_access_data,
            self.update_subscriber_data,
            self.update_location,
            self.insert_call_forwarding,
            self.delete_call_forwarding,
        ]
    }
}

/// Draws subscribers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Subscribers {
    count: u64,
    /// The constant A of the non-uniform numbers, by the size of the population.
    a: Option<u64>,
}

impl Subscribers {
    pub(crate) fn new(options: &Options) -> Self {
        let a = match options.subscribers {
            0..=1_000_000 => 65_535,
            1_000_001..=10_000_000 => 1_048_575,
            _ => 2_097_151,
        };
        let count = options.subscribers;
        Self { count, a: (options.distribution == Distribution::Nurand).then_some(a) }
    }

    /// An s_id, from 1.
    #[inline]
    pub(crate) fn draw(self, rng: &mut Rng) -> u64 {
        match self.a {
            Some(a) => nurand(rng, a, 0, 1, self.count),
            None => rng.range(1, self.count),
        }
    }
}
