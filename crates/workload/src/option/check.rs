//! Options of a type of ours against its schema.

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::option::schema::in_range;
use crate::option::{OptionError, OptionSchema};

/// The options of `workload`. Each has a default, so each is tried alone first: the message can then name it,
/// which the reader of the whole, with its flattened groups, cannot.
///
/// # Errors
/// An unknown option, a value of the wrong type or out of range; the message names it.
pub(crate) fn read<O: DeserializeOwned + JsonSchema>(
    workload: &str,
    options: &Map<String, Value>,
) -> Result<O, OptionError> {
    let schema = OptionSchema::of::<O>();
    for (name, value) in options {
        let property = schema.property(workload, name)?;
        let alone = Map::from_iter([(name.clone(), value.clone())]);
        if let Err(error) = serde_json::from_value::<O>(Value::Object(alone)) {
            return Err(OptionError(format!("{workload}: {name}: {error}")));
        }
        in_range(workload, name, property, value)?;
    }
    serde_json::from_value(Value::Object(options.clone()))
        .map_err(|error| OptionError(format!("{workload}: {error}")))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::{Value, json};

    use crate::testing::{Send, with};

    fn refused(name: &str, options: Value) -> String {
        with(name, options, Send { terminals: 1, operations: &[] }).expect_err("refused").to_string()
    }

    #[rstest]
    #[case(json!({"table_sizes": 3}), "oltp_read_write has no option table_sizes; did you mean table_size?")]
    #[case(json!({"rand_typ": "uniform"}), "oltp_read_write has no option rand_typ; did you mean rand_type?")]
    #[case(json!({"table_size": 0}), "oltp_read_write: table_size must be at least 1, not 0")]
    #[case(json!({"tables": 0}), "oltp_read_write: tables must be at least 1, not 0")]
    #[case(json!({"range_size": 0}), "oltp_read_write: range_size must be at least 1, not 0")]
    #[case(json!({"rand_spec_res": 101}), "oltp_read_write: rand_spec_res must be at most 100, not 101")]
    #[case(json!({"rand_pareto_h": 1.0}), "oltp_read_write: rand_pareto_h must be below 1.0, not 1.0")]
    #[case(json!({"rand_pareto_h": 0}), "oltp_read_write: rand_pareto_h must be above 0.0, not 0")]
    #[case(json!({"tables": "4"}), "oltp_read_write: tables: invalid type: string \"4\", expected u32")]
    #[case(json!({"skip_trx": "yes"}),
        "oltp_read_write: skip_trx: invalid value: string \"yes\", expected true or false, on or off")]
    #[case(json!({"mysql_storage_engine": "a; b"}),
        "oltp_read_write: mysql_storage_engine must be the name of an engine, such as innodb, not \"a; b\"")]
    fn a_bad_option_is_named(#[case] options: Value, #[case] message: &str) {
        assert_eq!(refused("oltp_read_write", options), message);
    }

    #[test]
    fn an_option_without_a_neighbour_gets_the_list() {
        let message = refused("oltp_point_select", json!({"zzz": 1}));
        assert!(message.contains("has no option zzz; it has"), "{message}");
        assert!(message.contains("table_size"), "{message}");
    }

    #[test]
    fn an_unknown_workload_gets_the_list() {
        let message = refused("oltp_read_wrte", json!({}));
        assert!(message.contains("oltp_read_wrte"), "{message}");
        assert!(message.contains("oltp_read_write"), "{message}");
    }
}
