//! The options of `smallbank`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::option::StorageOptions;
use crate::option::{Isolation, Switch};
use crate::{OptionError, Rng};

/// How many customers are hot.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub(crate) enum Hotspot {
    None,
    #[default]
    Fixed,
    Percentage,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct Options {
    /// Customers, each with a savings and a checking account; about 300 bytes each.
    #[schemars(range(min = 2, max = 1_000_000_000))]
    pub(crate) accounts: u64,
    /// Least balance of a fresh account, in whole units of money.
    #[schemars(range(min = 0, max = 1_000_000))]
    pub(crate) min_balance: u32,
    /// Greatest balance of a fresh account.
    #[schemars(range(min = 0, max = 1_000_000))]
    pub(crate) max_balance: u32,
    /// Keep a ledger of money that came in or went out, so that check can tell whether any was lost; one statement more
    /// in the transactions that change the sum.
    pub(crate) ledger: Switch,
    /// Use SELECT … FOR UPDATE for balances that a change depends on; off: plain reads, as in the paper. A server without
    /// first-updater-wins then loses money.
    #[schemars(extend("x-shapes" = "load"))]
    pub(crate) read_locks: Switch,
    /// Isolation level of every connection; server leaves it as the server is set.
    #[schemars(extend("x-shapes" = "load"))]
    pub(crate) isolation: Isolation,
    /// Hot customers, the first ones: none, hotspot_size of them, or hotspot_percentage of all.
    #[schemars(extend("x-shapes" = "load"))]
    pub(crate) hotspot: Hotspot,
    /// Hotspot fixed: how many customers are hot.
    #[schemars(range(min = 2, max = 1_000_000_000), extend("x-shapes" = "load"))]
    pub(crate) hotspot_size: u64,
    /// Hotspot percentage: how many customers are hot (%).
    #[schemars(range(min = 0.0, max = 100.0), extend("x-shapes" = "load"))]
    pub(crate) hotspot_percentage: f64,
    /// Transactions that take their customers from the hot ones (%).
    #[schemars(range(min = 0.0, max = 100.0), extend("x-shapes" = "load"))]
    pub(crate) hotspot_probability: f64,
    /// Share of Balance (shares count in proportion to their sum; the versions with SendPayment have 15 of each and 25 of it).
    #[schemars(range(min = 0.0), extend("x-shapes" = "load"))]
    pub(crate) balance: f64,
    /// Share of DepositChecking.
    #[schemars(range(min = 0.0), extend("x-shapes" = "load"))]
    pub(crate) deposit_checking: f64,
    /// Share of TransactSavings.
    #[schemars(range(min = 0.0), extend("x-shapes" = "load"))]
    pub(crate) transact_savings: f64,
    /// Share of Amalgamate.
    #[schemars(range(min = 0.0), extend("x-shapes" = "load"))]
    pub(crate) amalgamate: f64,
    /// Share of WriteCheck.
    #[schemars(range(min = 0.0), extend("x-shapes" = "load"))]
    pub(crate) write_check: f64,
    /// Share of SendPayment, which is not in the paper.
    #[schemars(range(min = 0.0), extend("x-shapes" = "load"))]
    pub(crate) send_payment: f64,
    #[serde(flatten)]
    pub(crate) storage: StorageOptions,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            accounts: 18_000,
            min_balance: 10_000,
            max_balance: 50_000,
            ledger: Switch(false),
            read_locks: Switch(true),
            isolation: Isolation::default(),
            hotspot: Hotspot::default(),
            hotspot_size: 1_000,
            hotspot_percentage: 25.0,
            hotspot_probability: 90.0,
            balance: 20.0,
            deposit_checking: 20.0,
            transact_savings: 20.0,
            amalgamate: 20.0,
            write_check: 20.0,
            send_payment: 0.0,
            storage: StorageOptions::default(),
        }
    }
}

/// The kinds of transactions, in the order of [`Options::weights`].
pub(crate) const KINDS: [&str; 6] =
    ["balance", "deposit_checking", "transact_savings", "amalgamate", "write_check", "send_payment"];

impl Options {
    pub(crate) fn weights(&self) -> [f64; 6] {
        [
            self.balance,
            self.deposit_checking,
            self.transact_savings,
            self.amalgamate,
            self.write_check,
            self.send_payment,
        ]
    }

    /// # Errors
    /// Options that exclude each other.
    pub(crate) fn validate(&self) -> Result<(), OptionError> {
        let refuse = |message: String| Err(OptionError(message));
        if self.min_balance > self.max_balance {
            let (least, most) = (self.min_balance, self.max_balance);
            return refuse(format!("min_balance = {least} is above max_balance = {most}"));
        }
        if self.hotspot == Hotspot::Fixed && self.hotspot_size > self.accounts {
            let (size, accounts) = (self.hotspot_size, self.accounts);
            return refuse(format!("hotspot_size = {size}, but there are {accounts} accounts"));
        }
        Ok(())
    }
}

/// Draws customers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Customers {
    count: u64,
    /// At least two, so that money can move between them.
    hot: u64,
    probability: f64,
}

impl Customers {
    pub(crate) fn new(options: &Options) -> Self {
        let count = options.accounts;
        let (hot, probability) = match options.hotspot {
            Hotspot::None => (2, 0.0),
            Hotspot::Fixed => (options.hotspot_size, options.hotspot_probability),
            Hotspot::Percentage => {
                let hot = (count as f64 * options.hotspot_percentage / 100.0) as u64;
                (hot.max(2), options.hotspot_probability)
            }
        };
        Self { count, hot, probability: probability / 100.0 }
    }

    /// Two different customers of the same part, numbered from 1: the hot ones, or all the others.
    pub(crate) fn draw(self, rng: &mut Rng) -> [u64; 2] {
        let to_hot = rng.unit() < self.probability;
        let (first, last) = match (to_hot, self.probability > 0.0 && self.count > self.hot + 1) {
            (true, _) => (1, self.hot),
            (false, true) => (self.hot + 1, self.count),
            (false, false) => (1, self.count),
        };
        let one = rng.range(first, last);
        let other = rng.range(first, last - 1);
        [one, other + u64::from(other >= one)]
    }
}
