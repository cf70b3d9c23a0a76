//! The options of `tpcc`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::OptionError;
use crate::option::StorageOptions;
use crate::option::{Isolation, Switch};

/// The implementation whose tables, statements and counting are used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(inline)]
pub(crate) enum Dialect {
    #[default]
    Spec,
    TpccMysql,
}

impl Dialect {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Spec => "spec",
            Self::TpccMysql => "tpcc-mysql",
        }
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub(crate) enum Style {
    #[default]
    Spec,
    Batched,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub(crate) enum HistoryKey {
    #[default]
    None,
    AutoInc,
    Invisible,
    Uuid,
}

impl HistoryKey {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::AutoInc => "auto_inc",
            Self::Invisible => "invisible",
            Self::Uuid => "uuid",
        }
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub(crate) enum MixKind {
    #[default]
    Deck,
    Weights,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub(crate) enum Pacing {
    #[default]
    None,
    Spec,
}

/// In what order the lines of a New-Order lock stock; clause 2.3.1 leaves it free.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub(crate) enum LineOrder {
    #[default]
    Sorted,
    Drawn,
}

/// The time at which the work of a Delivery is done (clause 2.7.2).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub(crate) enum DeliveryMode {
    #[default]
    Auto,
    Deferred,
    Inline,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct Options {
    /// Warehouses, about 100 MB each with their indexes; 0: as many as were loaded, and 1 in prepare.
    #[schemars(range(min = 0, max = 1_000_000))]
    pub(crate) warehouses: u32,
    /// Tables, statements and counting of the specification (5.11), or those of the tool tpcc-mysql. Results of the two
    /// cannot be compared.
    pub(crate) dialect: Dialect,
    /// Statements of New-Order: one for each row, as in the specification, or one for several rows.
    #[schemars(extend("x-shapes" = "load"))]
    pub(crate) statements: Style,
    /// Order in which the lines of a New-Order lock stock: by warehouse and item, so that orders cannot deadlock on it
    /// (sorted), or as they were drawn, so that they can.
    #[schemars(extend("x-shapes" = "load"))]
    pub(crate) line_order: LineOrder,
    /// Isolation level of every connection; server leaves it as the server is set.
    #[schemars(extend("x-shapes" = "load"))]
    pub(crate) isolation: Isolation,
    /// Key of table history, which has none in the specification; clusters and sql_require_primary_key need one.
    pub(crate) history_key: HistoryKey,
    /// Foreign keys, made after the rows.
    pub(crate) foreign_keys: Switch,
    /// The indexes on a customer's name and a customer's orders, made after the rows.
    pub(crate) create_secondary: Switch,
    /// How transactions follow each other: a shuffled deck of 23 for each terminal, or by chance with the weights below.
    #[schemars(extend("x-shapes" = "load"))]
    pub(crate) mix: MixKind,
    /// Weight of New-Order (%).
    #[schemars(range(min = 0.0, max = 100.0), extend("x-shapes" = "load"))]
    pub(crate) new_order: f64,
    /// Weight of Payment (%).
    #[schemars(range(min = 0.0, max = 100.0), extend("x-shapes" = "load"))]
    pub(crate) payment: f64,
    /// Weight of Order-Status (%).
    #[schemars(range(min = 0.0, max = 100.0), extend("x-shapes" = "load"))]
    pub(crate) order_status: f64,
    /// Weight of Delivery (%).
    #[schemars(range(min = 0.0, max = 100.0), extend("x-shapes" = "load"))]
    pub(crate) delivery: f64,
    /// Weight of Stock-Level (%).
    #[schemars(range(min = 0.0, max = 100.0), extend("x-shapes" = "load"))]
    pub(crate) stock_level: f64,
    /// Keying and think times of the specification before each transaction, or none. There are ten terminals for each
    /// warehouse then, unless the load names another number.
    #[schemars(extend("x-shapes" = "load"))]
    pub(crate) pacing: Pacing,
    /// The time at which a Delivery is carried out: later, and its terminal goes on as soon as it is queued (deferred), or at once
    /// (inline); auto is deferred with dialect = spec and inline with dialect = tpcc-mysql.
    #[schemars(extend("x-shapes" = "load"))]
    pub(crate) delivery_mode: DeliveryMode,
    #[serde(flatten)]
    pub(crate) storage: StorageOptions,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            warehouses: 0,
            dialect: Dialect::default(),
            statements: Style::default(),
            line_order: LineOrder::default(),
            isolation: Isolation::default(),
            history_key: HistoryKey::default(),
            foreign_keys: Switch(false),
            create_secondary: Switch(true),
            mix: MixKind::default(),
            new_order: 45.0,
            payment: 43.0,
            order_status: 4.0,
            delivery: 4.0,
            stock_level: 4.0,
            pacing: Pacing::default(),
            delivery_mode: DeliveryMode::default(),
            storage: StorageOptions::default(),
        }
    }
}

/// Warehouse numbers of tpcc-mysql are SMALLINT.
const LEGACY_MOST: u32 = 32_767;

impl Options {
    /// In the order of [`super::mix::NAMES`].
    pub(crate) fn weights(&self) -> [f64; 5] {
        [self.new_order, self.payment, self.order_status, self.delivery, self.stock_level]
    }

    /// Whether Deliveries are queued.
    pub(crate) fn defers(&self) -> bool {
        match self.delivery_mode {
            DeliveryMode::Auto => self.dialect == Dialect::Spec,
            mode => mode == DeliveryMode::Deferred,
        }
    }

    /// # Errors
    /// Options that exclude each other.
    pub(crate) fn validate(&self) -> Result<(), OptionError> {
        let refuse = |message: String| Err(OptionError(message));
        let sum: f64 = self.weights().iter().sum();
        if self.mix == MixKind::Weights && (sum - 100.0).abs() > 1e-6 {
            return refuse(format!("the five weights must add up to 100, not {sum}"));
        }
        let given = self
            .weights()
            .iter()
            .zip(Self::default().weights())
            .any(|(one, usual)| (one - usual).abs() > 0.0);
        if self.mix == MixKind::Deck && given {
            return refuse(
                "mix = deck cannot be combined with weights: leave the weights out, or set mix to \
                weights"
                    .into(),
            );
        }
        if self.dialect == Dialect::TpccMysql {
            if self.statements == Style::Batched {
                return refuse("statements = batched cannot be combined with dialect = tpcc-mysql".into());
            }
            if self.pacing == Pacing::Spec {
                return refuse(
                    "pacing = spec cannot be combined with dialect = tpcc-mysql: it has no keying and \
                    think times"
                        .into(),
                );
            }
            if self.defers() {
                return refuse(
                    "delivery_mode = deferred cannot be combined with dialect = tpcc-mysql, which \
                    carries deliveries out at once"
                        .into(),
                );
            }
            if self.warehouses > LEGACY_MOST {
                return refuse(format!("warehouses must be at most {LEGACY_MOST} with dialect = tpcc-mysql"));
            }
        }
        Ok(())
    }
}
