//! Options against their schema: the names and ranges that the help shows are the ones enforced.

use schemars::{JsonSchema, Schema};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// An option that cannot be.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("{0}")]
pub struct OptionError(pub String);

/// The schema of `O` as it is enforced: no other names. Its own title and text are those of a Rust type, of no use
/// outside.
pub(crate) fn complete<O: JsonSchema>() -> Schema {
    let mut schema = schemars::schema_for!(O);
    schema.remove("title");
    schema.remove("description");
    schema.insert("additionalProperties".into(), Value::Bool(false));
    schema
}

/// Reads the options of `workload`. Each has a default, so each is tried alone first: the message can then name it,
/// which the reader of the whole, with its flattened groups, cannot.
pub(crate) fn read<O: DeserializeOwned + JsonSchema>(
    workload: &str,
    options: &Map<String, Value>,
) -> Result<O, OptionError> {
    let schema = complete::<O>();
    let empty = Map::new();
    let known = schema.get("properties").and_then(Value::as_object).unwrap_or(&empty);
    for (name, value) in options {
        let Some(property) = known.get(name) else {
            return Err(unknown(workload, name, known));
        };
        let alone = Map::from_iter([(name.clone(), value.clone())]);
        if let Err(error) = serde_json::from_value::<O>(Value::Object(alone)) {
            return Err(OptionError(format!("{workload}: {name}: {error}")));
        }
        if let Some(bound) = broken_bound(property, value) {
            return Err(OptionError(format!("{workload}: {name} must be {bound}, not {value}")));
        }
    }
    serde_json::from_value(Value::Object(options.clone()))
        .map_err(|error| OptionError(format!("{workload}: {error}")))
}

fn unknown(workload: &str, name: &str, known: &Map<String, Value>) -> OptionError {
    let nearest = known
        .keys()
        .map(|candidate| (strsim::jaro_winkler(name, candidate), candidate))
        .filter(|(likeness, _)| *likeness > 0.75)
        .max_by(|a, b| a.0.total_cmp(&b.0));
    OptionError(match nearest {
        Some((_, candidate)) => {
            format!("{workload} has no option {name}; did you mean {candidate}?")
        }
        None => {
            let names: Vec<&str> = known.keys().map(String::as_str).collect();
            format!("{workload} has no option {name}; it has {}", names.join(", "))
        }
    })
}

/// The bound of the schema that `value` breaks, in words.
fn broken_bound(property: &Value, value: &Value) -> Option<String> {
    let number = value.as_f64()?;
    let bound = |keyword: &str| property.get(keyword).filter(|bound| bound.is_number());
    let breaks = |keyword: &str, broken: fn(f64, f64) -> bool| {
        bound(keyword).filter(|limit| limit.as_f64().is_some_and(|limit| broken(number, limit)))
    };
    None.or_else(|| breaks("minimum", |n, limit| n < limit).map(|limit| format!("at least {limit}")))
        .or_else(|| breaks("maximum", |n, limit| n > limit).map(|limit| format!("at most {limit}")))
        .or_else(|| breaks("exclusiveMinimum", |n, limit| n <= limit).map(|limit| format!("above {limit}")))
        .or_else(|| breaks("exclusiveMaximum", |n, limit| n >= limit).map(|limit| format!("below {limit}")))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::{Value, json};

    use crate::testing::{Send, with};

    fn refused(name: &str, options: Value) -> String {
        with(name, options, Send { workers: 1, operations: &[] }).expect_err("refused").to_string()
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
