//! Questions about the server itself: `SELECT @@…`, `SHOW STATUS`, `SHOW VARIABLES`, answered as tables of text.

use crate::protocol::table::Table;

/// The subjects that a question may be about.
#[derive(Debug)]
pub(crate) struct Facts<'a> {
    pub(crate) version: &'a str,
    pub(crate) connection: u32,
    pub(crate) user: &'a str,
    pub(crate) status: Vec<(&'static str, u64)>,
}

const VARIABLES: &[(&str, &str)] = &[
    ("autocommit", "1"),
    ("auto_increment_increment", "1"),
    ("character_set_client", "utf8mb4"),
    ("character_set_connection", "utf8mb4"),
    ("character_set_database", "utf8mb4"),
    ("character_set_results", "utf8mb4"),
    ("character_set_server", "utf8mb4"),
    ("character_set_system", "utf8mb3"),
    ("collation_connection", "utf8mb4_general_ci"),
    ("collation_database", "utf8mb4_general_ci"),
    ("collation_server", "utf8mb4_general_ci"),
    ("datadir", ""),
    ("default_storage_engine", "InnoDB"),
    ("innodb_buffer_pool_size", "134217728"),
    ("innodb_flush_log_at_trx_commit", "1"),
    ("innodb_page_size", "16384"),
    ("interactive_timeout", "28800"),
    ("license", "Apache-2.0"),
    ("local_infile", "0"),
    ("log_bin", "OFF"),
    ("lower_case_table_names", "0"),
    ("max_allowed_packet", "16777216"),
    ("max_connections", "100000"),
    ("max_prepared_stmt_count", "1048576"),
    ("net_buffer_length", "16384"),
    ("net_write_timeout", "60"),
    ("performance_schema", "OFF"),
    ("query_cache_size", "0"),
    ("query_cache_type", "OFF"),
    ("sql_mode", "STRICT_TRANS_TABLES"),
    ("system_time_zone", "UTC"),
    ("time_zone", "SYSTEM"),
    ("transaction_isolation", "REPEATABLE-READ"),
    ("tx_isolation", "REPEATABLE-READ"),
    ("version_comment", "Assay null server: answers from memory"),
    ("version_compile_machine", std::env::consts::ARCH),
    ("version_compile_os", std::env::consts::OS),
    ("wait_timeout", "28800"),
];

/// The answer; `Err` is the name of a variable that is not there.
pub(crate) fn answer(sql: &str, facts: &Facts<'_>) -> Result<Table, String> {
    let words: Vec<&str> = sql.split_ascii_whitespace().collect();
    let word = |number: usize| words.get(number).map_or(String::new(), |word| word.to_ascii_uppercase());
    if word(0) == "SELECT" {
        return select(sql, facts);
    }
    let subject = if matches!(&*word(1), "GLOBAL" | "SESSION" | "LOCAL") { word(2) } else { word(1) };
    let pairs: Vec<(&str, String)> = match (&*word(0), &*subject) {
        ("SHOW", "STATUS") => facts.status.iter().map(|&(name, value)| (name, value.to_string())).collect(),
        ("SHOW", "VARIABLES") => variables(facts).collect(),
        _ => return Ok(Table { columns: vec!["Result".into()], rows: Vec::new() }),
    };
    let patterns = quoted(sql);
    let asked = |name: &str| patterns.is_empty() || patterns.iter().any(|pattern| like(name, pattern));
    Ok(Table {
        columns: vec!["Variable_name".into(), "Value".into()],
        rows: pairs
            .into_iter()
            .filter(|(name, _)| asked(name))
            .map(|(name, value)| vec![name.into(), value])
            .collect(),
    })
}

fn variables<'a>(facts: &'a Facts<'_>) -> impl Iterator<Item = (&'static str, String)> + 'a {
    let version = std::iter::once(("version", facts.version.to_string()));
    VARIABLES.iter().map(|&(name, value)| (name, value.to_string())).chain(version)
}

/// `SELECT @@a, @@global.b AS x, VERSION()`: one row.
fn select(sql: &str, facts: &Facts<'_>) -> Result<Table, String> {
    let mut list = sql.trim_ascii().trim_end_matches(';')["SELECT".len()..].to_string();
    for end in [" LIMIT ", " FROM "] {
        if let Some(at) = list.to_ascii_uppercase().find(end) {
            list.truncate(at);
        }
    }
    let (mut columns, mut row) = (Vec::new(), Vec::new());
    for item in list.split(',').map(str::trim_ascii) {
        let (expression, alias) = match item.to_ascii_uppercase().find(" AS ") {
            Some(at) => (item[..at].trim_ascii(), item[at + 4..].trim_ascii()),
            None => (item, item),
        };
        columns.push(alias.trim_matches(['`', '\'', '"']).to_string());
        row.push(value(expression, facts)?);
    }
    Ok(Table { columns, rows: vec![row] })
}

fn value(expression: &str, facts: &Facts<'_>) -> Result<String, String> {
    let lower = expression.to_ascii_lowercase();
    if let Some(path) = lower.strip_prefix("@@") {
        let name = path.rsplit('.').next().unwrap_or(path);
        let found = variables(facts).find(|(known, _)| *known == name);
        return found.map(|(_, value)| value).ok_or_else(|| name.to_string());
    }
    Ok(match &*lower {
        "version()" => facts.version.into(),
        "connection_id()" => facts.connection.to_string(),
        "user()" | "current_user()" | "session_user()" => format!("{}@localhost", facts.user),
        _ if lower.ends_with("()") => String::new(),
        _ => expression.trim_matches(['\'', '"']).into(),
    })
}

/// The quoted strings: the patterns of LIKE, and the names of `WHERE Variable_name IN (…)`.
fn quoted(sql: &str) -> Vec<String> {
    sql.split(['\'', '"']).skip(1).step_by(2).map(str::to_ascii_lowercase).collect()
}

/// SQL's LIKE on an ASCII name; the pattern is in lower case.
fn like(name: &str, pattern: &str) -> bool {
    fn matches(name: &[u8], pattern: &[u8]) -> bool {
        match pattern {
            [] => name.is_empty(),
            [b'%', rest @ ..] => (0..=name.len()).any(|skip| matches(&name[skip..], rest)),
            [b'_', rest @ ..] => !name.is_empty() && matches(&name[1..], rest),
            [b'\\', literal, rest @ ..] | [literal, rest @ ..] => {
                name.first().is_some_and(|byte| byte.to_ascii_lowercase() == *literal)
                    && matches(&name[1..], rest)
            }
        }
    }
    matches(name.as_bytes(), pattern.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(sql: &str) -> Result<Table, String> {
        let status = vec![("Questions", 7), ("Com_select", 5), ("Com_insert", 2)];
        answer(sql, &Facts { version: "8.0.0-x", connection: 3, user: "me", status })
    }

    #[test]
    fn variables_are_selected() {
        let table =
            ask("SELECT @@max_prepared_stmt_count, @@GLOBAL.max_allowed_packet AS packet LIMIT 1").unwrap();
        assert_eq!(table.columns, ["@@max_prepared_stmt_count", "packet"]);
        assert_eq!(table.rows, [["1048576", "16777216"]]);
        assert_eq!(
            ask("select @@version, VERSION(), user()").unwrap().rows,
            [["8.0.0-x", "8.0.0-x", "me@localhost"]]
        );
        assert_eq!(ask("SELECT @@no_such_thing"), Err("no_such_thing".into()));
    }

    #[test]
    fn status_is_shown_and_filtered() {
        assert_eq!(ask("SHOW GLOBAL STATUS").unwrap().rows.len(), 3);
        assert_eq!(ask("show status like 'Com\\_%'").unwrap().rows.len(), 2);
        let named = ask("SHOW GLOBAL STATUS WHERE Variable_name IN ('Questions', 'Com_insert')").unwrap();
        assert_eq!(named.rows, [["Questions", "7"], ["Com_insert", "2"]]);
        assert!(ask("SHOW VARIABLES LIKE 'version%'").unwrap().rows.len() >= 2);
        assert!(ask("SHOW TABLES").unwrap().rows.is_empty());
    }
}
