//! The schema of options as a value: the names, types and ranges that the help shows are the ones enforced.

use schemars::{JsonSchema, Schema};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::option::OptionError;

/// The JSON Schema of a workload's options: an object whose properties have a default each, and no others.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(transparent)]
pub struct OptionSchema(Schema);

impl OptionSchema {
    /// The schema of options that are a type of ours. The type's own title and text are of no use outside.
    pub(crate) fn of<O: JsonSchema>() -> Self {
        let mut schema = schemars::schema_for!(O);
        schema.remove("title");
        schema.remove("description");
        schema.insert("additionalProperties".into(), Value::Bool(false));
        Self(schema)
    }

    /// A schema that is known at run time.
    ///
    /// # Errors
    /// The value is no schema of an object, or a property of it has no default; the message names it.
    pub fn from_value(value: Value) -> Result<Self, OptionError> {
        let mut schema = Schema::try_from(value)
            .map_err(|error| OptionError(format!("the schema of the options is invalid: {error}")))?;
        let Some(properties) = schema.get("properties").and_then(Value::as_object) else {
            return Err(OptionError("the schema of the options has no properties".into()));
        };
        if let Some((name, _)) = properties.iter().find(|(_, property)| property.get("default").is_none()) {
            return Err(OptionError(format!("option {name} has no default in its schema")));
        }
        schema.insert("additionalProperties".into(), Value::Bool(false));
        Ok(Self(schema))
    }

    /// The properties: what people call options.
    pub fn properties(&self) -> impl Iterator<Item = (&str, &Value)> {
        let properties = self.0.get("properties").and_then(Value::as_object);
        properties.into_iter().flatten().map(|(name, property)| (name.as_str(), property))
    }

    /// The options of `workload` as the schema has them: those that are given, and the defaults of the others.
    ///
    /// # Errors
    /// An unknown name, a value of another type or out of range; the message names it.
    pub fn read(
        &self,
        workload: &str,
        options: &Map<String, Value>,
    ) -> Result<Map<String, Value>, OptionError> {
        for (name, value) in options {
            let property = self.property(workload, name)?;
            if let Some(kind) = other_type(property, value) {
                return Err(OptionError(format!("{workload}: {name} must be {kind}, not {value}")));
            }
            in_range(workload, name, property, value)?;
        }
        let given = |(name, property): (&str, &Value)| {
            let value = options.get(name).or_else(|| property.get("default"));
            (name.to_owned(), value.cloned().unwrap_or_default())
        };
        Ok(self.properties().map(given).collect())
    }

    /// What the schema says of an option.
    pub(crate) fn property(&self, workload: &str, name: &str) -> Result<&Value, OptionError> {
        let found = self.properties().find(|(known, _)| *known == name);
        found.map(|(_, property)| property).ok_or_else(|| self.unknown(workload, name))
    }

    fn unknown(&self, workload: &str, name: &str) -> OptionError {
        let names = || self.properties().map(|(name, _)| name);
        OptionError(match nearest(name, names()) {
            Some(candidate) => {
                format!("{workload} has no option {name}; did you mean {candidate}?")
            }
            None => {
                let names: Vec<&str> = names().collect();
                format!("{workload} has no option {name}; it has {}", names.join(", "))
            }
        })
    }
}

/// The name that somebody may have meant; `None` where none is like it.
pub fn nearest<'a>(name: &str, among: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    among
        .map(|candidate| (strsim::jaro_winkler(name, candidate), candidate))
        .filter(|(likeness, _)| *likeness > 0.75)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, candidate)| candidate)
}

/// # Errors
/// `value` breaks a bound of its property, or is none of its words; the message names the option.
pub(crate) fn in_range(
    workload: &str,
    name: &str,
    property: &Value,
    value: &Value,
) -> Result<(), OptionError> {
    match broken_bound(property, value) {
        Some(bound) => Err(OptionError(format!("{workload}: {name} must be {bound}, not {value}"))),
        None => Ok(()),
    }
}

/// The type that a property has, in words, where `value` is of another one; or the words that it takes.
fn other_type(property: &Value, value: &Value) -> Option<String> {
    if let Some(words) = property.get("enum").and_then(Value::as_array) {
        let listed = || words.iter().map(Value::to_string).collect::<Vec<_>>().join(", ");
        return (!words.contains(value)).then(|| format!("one of {}", listed()));
    }
    let (right, words) = match property.get("type").and_then(Value::as_str)? {
        "integer" => (value.is_i64() || value.is_u64(), "an integer"),
        "number" => (value.is_number(), "a number"),
        "boolean" => (value.is_boolean(), "true or false"),
        "string" => (value.is_string(), "a string"),
        "array" => (value.is_array(), "a list"),
        _ => return None,
    };
    (!right).then(|| words.to_owned())
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
    use serde_json::json;

    use super::*;

    fn schema() -> OptionSchema {
        let properties = json!({
            "items": {"type": "integer", "default": 10, "minimum": 1},
            "share": {"type": "number", "default": 0.5, "exclusiveMaximum": 1.0},
            "trace": {"type": "boolean", "default": false},
            "order": {"enum": ["up", "down"], "default": "up"},
            "table": {"type": "string", "default": "carts"},
        });
        OptionSchema::from_value(json!({"type": "object", "properties": properties})).expect("a schema")
    }

    fn read(options: Value) -> Result<Value, String> {
        let Value::Object(options) = options else { panic!("options are an object") };
        schema().read("cart", &options).map(Value::Object).map_err(|error| error.0)
    }

    #[test]
    fn options_that_are_not_given_have_their_defaults() {
        let found = read(json!({"items": 3, "order": "down"}));
        let expected = json!({"items": 3, "share": 0.5, "trace": false, "order": "down", "table": "carts"});
        assert_eq!(found, Ok(expected));
    }

    #[rstest]
    #[case(json!({"item": 3}), "cart has no option item; did you mean items?")]
    #[case(json!({"items": 0}), "cart: items must be at least 1, not 0")]
    #[case(json!({"items": 1.5}), "cart: items must be an integer, not 1.5")]
    #[case(json!({"share": 1}), "cart: share must be below 1.0, not 1")]
    #[case(json!({"trace": "on"}), "cart: trace must be true or false, not \"on\"")]
    #[case(json!({"order": "left"}), "cart: order must be one of \"up\", \"down\", not \"left\"")]
    #[case(json!({"table": 1}), "cart: table must be a string, not 1")]
    fn a_bad_option_is_named(#[case] options: Value, #[case] message: &str) {
        assert_eq!(read(options), Err(message.to_owned()));
    }

    #[rstest]
    #[case(json!(3), "is invalid")]
    #[case(json!({"type": "object"}), "has no properties")]
    #[case(json!({"properties": {"items": {"type": "integer"}}}), "option items has no default")]
    fn a_schema_that_is_none_is_refused(#[case] value: Value, #[case] words: &str) {
        let refused = OptionSchema::from_value(value).expect_err("refused").0;
        assert!(refused.contains(words), "{refused}");
    }
}
