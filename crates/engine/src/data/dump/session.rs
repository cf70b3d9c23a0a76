//! Settings of a session within a dump: the values that its statements find.

use std::collections::BTreeMap;

use crate::data::dump::settings::{Assignment, assignments};

/// Variables that `SET NAMES` and `SET CHARACTER SET` set.
const OF_NAMES: [&str; 3] = ["character_set_client", "character_set_results", "character_set_connection"];

/// Values of session variables as a dump's settings leave them; what it has not set is missing. Dumps set variables around
/// a definition and put them back, from copies that they have taken before.
#[derive(Debug, Default)]
pub(super) struct Session {
    values: BTreeMap<String, String>,
    /// By a user's variable, the session's variable whose value it holds, and that value.
    saved: BTreeMap<String, (String, Option<String>)>,
    /// Values that nobody can compare: each is another.
    unknown: u64,
}

impl Session {
    /// The values so far.
    pub(super) fn values(&self) -> &BTreeMap<String, String> {
        &self.values
    }

    /// The value of a variable, by its name in lower case.
    pub(super) fn value(&self, name: &str) -> &str {
        self.values.get(name).map_or("", String::as_str)
    }

    /// Follows a statement SET.
    pub(super) fn set(&mut self, sql: &[u8]) {
        for Assignment { words, .. } in assignments(sql).iter().filter(|one| one.is_of_session()) {
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            self.assign(&words);
        }
    }

    fn assign(&mut self, words: &[&str]) {
        match words {
            ["session" | "local", rest @ ..] => self.assign(rest),
            ["names" | "charset", rest @ ..] | ["character", "set", rest @ ..] => {
                let value = rest.join(" ").replace(['\'', '"'], "");
                for name in OF_NAMES {
                    self.values.insert(name.to_owned(), value.clone());
                }
                self.values.insert("collation_connection".into(), format!("names {value}"));
            }
            [target, "=", value @ ..] | [target, ":", "=", value @ ..] => {
                if target.starts_with('@') && !target.starts_with("@@") {
                    self.keep(target, value);
                    return;
                }
                let name = of_session(target);
                let kept = if let [one] = value { self.saved.get(*one) } else { None };
                match kept {
                    Some((of, Some(before))) if *of == name => drop(self.values.insert(name, before.clone())),
                    Some((of, None)) if *of == name => drop(self.values.remove(&name)),
                    _ if value.iter().any(|word| word.contains('@')) => {
                        self.unknown += 1;
                        self.values.insert(name, format!("? {}", self.unknown));
                    }
                    _ => drop(self.values.insert(name, value.join(" ").replace(['\'', '"'], ""))),
                }
            }
            [] => {}
            _ => {
                self.unknown += 1;
                self.values.insert(words.join(" "), format!("? {}", self.unknown));
            }
        }
    }

    /// Notes what a user's variable holds from now on.
    fn keep(&mut self, variable: &str, value: &[&str]) {
        match value {
            [one] if one.starts_with("@@") => {
                let name = of_session(one);
                let now = self.values.get(&name).cloned();
                self.saved.insert(variable.to_owned(), (name, now));
            }
            _ => drop(self.saved.remove(variable)),
        }
    }
}

fn of_session(word: &str) -> String {
    let name = word.trim_start_matches("@@");
    name.strip_prefix("session.").or_else(|| name.strip_prefix("local.")).unwrap_or(name).to_owned()
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("SET NAMES latin1", "SET NAMES utf8", false)]
    #[case("SET NAMES 'utf8'", "set names utf8", true)]
    #[case(
        "/*!40101 SET @saved = @@character_set_client */; SET character_set_client = utf8mb4; SET character_set_client = @saved",
        "",
        true
    )]
    #[case(
        "SET sql_mode = 'A'; SET @saved = @@sql_mode; SET sql_mode = 'B'; SET @@session.sql_mode = @saved",
        "SET SESSION sql_mode = 'a'",
        true
    )]
    #[case("SET sql_mode = ''", "", false)]
    #[case(
        "SET @saved = @@sql_mode, time_zone = '+00:00'; SET time_zone = @saved",
        "SET time_zone = '+00:00'",
        false
    )]
    #[case("SET @x = 1, GLOBAL sql_mode = 'A', SESSION time_zone = 'B'", "SET time_zone = 'B'", true)]
    #[case("SET @x = 1", "", true)]
    #[case("SET TRANSACTION READ ONLY", "", false)]
    fn values_are_those_that_statements_find(#[case] one: &str, #[case] other: &str, #[case] same: bool) {
        let values = |text: &str| {
            let mut session = Session::default();
            text.split(';').for_each(|sql| session.set(sql.as_bytes()));
            session.values().clone()
        };
        assert_eq!(values(one) == values(other), same);
    }
}
