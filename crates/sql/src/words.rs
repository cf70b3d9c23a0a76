//! Key words that say what may stand after them.

/// Words after which a value may begin: `WHERE 1`, `THEN 'a'`. After any other word a text is an alias, and a number a
/// position or a length.
const BEFORE_VALUE: &[&str] = &[
    "ALL",
    "AND",
    "BETWEEN",
    "BINARY",
    "CALL",
    "CASE",
    "DISTINCT",
    "DIV",
    "DO",
    "ELSE",
    "HAVING",
    "IN",
    "INTERVAL",
    "LIKE",
    "LIMIT",
    "MOD",
    "NOT",
    "OFFSET",
    "ON",
    "OR",
    "REGEXP",
    "RETURN",
    "RETURNING",
    "RLIKE",
    "SELECT",
    "SET",
    "SOUNDS",
    "SQL_CALC_FOUND_ROWS",
    "SQL_NO_CACHE",
    "THEN",
    "VALUE",
    "VALUES",
    "WHEN",
    "WHERE",
    "XOR",
];

/// Other key words, whose case says nothing.
const OTHERS: &[&str] = &[
    "AGAINST",
    "AS",
    "ASC",
    "AVG",
    "BEGIN",
    "BY",
    "CAST",
    "COLLATE",
    "COMMIT",
    "CONCAT",
    "CONVERT",
    "COUNT",
    "CROSS",
    "CURRENT_TIMESTAMP",
    "DATE",
    "DEFAULT",
    "DELAYED",
    "DELETE",
    "DESC",
    "DUPLICATE",
    "END",
    "ESCAPE",
    "EXCEPT",
    "EXISTS",
    "FALSE",
    "FETCH",
    "FIRST",
    "FOR",
    "FORCE",
    "FROM",
    "GROUP",
    "IF",
    "IFNULL",
    "IGNORE",
    "INDEX",
    "INNER",
    "INSERT",
    "INTERSECT",
    "INTO",
    "IS",
    "JOIN",
    "KEY",
    "LEFT",
    "LOCK",
    "MATCH",
    "MAX",
    "MIN",
    "MODE",
    "NATURAL",
    "NOW",
    "NULL",
    "NULLS",
    "OF",
    "ORDER",
    "OUTER",
    "OVER",
    "PARTITION",
    "REPLACE",
    "RIGHT",
    "ROLLBACK",
    "ROW",
    "SEPARATOR",
    "SHARE",
    "START",
    "STRAIGHT_JOIN",
    "SUM",
    "TRANSACTION",
    "TRUE",
    "UNION",
    "UPDATE",
    "WITH",
];

/// Types with a length, and functions with a number of digits, in parentheses: a parameter cannot say either.
const WITH_LENGTH: &[&str] = &[
    "BINARY",
    "BIT",
    "CHAR",
    "CHARACTER",
    "CURRENT_TIME",
    "CURRENT_TIMESTAMP",
    "CURTIME",
    "DATETIME",
    "DEC",
    "DECIMAL",
    "DOUBLE",
    "FLOAT",
    "LOCALTIME",
    "LOCALTIMESTAMP",
    "NCHAR",
    "NOW",
    "NUMERIC",
    "SYSDATE",
    "TIME",
    "UTC_TIME",
    "UTC_TIMESTAMP",
    "VARCHAR",
];

fn is_of(list: &[&str], word: &[u8]) -> bool {
    list.iter().any(|one| word.eq_ignore_ascii_case(one.as_bytes()))
}

pub(crate) fn may_precede_value(word: &[u8]) -> bool {
    is_of(BEFORE_VALUE, word)
}

pub(crate) fn is_key_word(word: &[u8]) -> bool {
    is_of(BEFORE_VALUE, word) || is_of(OTHERS, word)
}

pub(crate) fn has_length(word: &[u8]) -> bool {
    is_of(WITH_LENGTH, word)
}

/// Words that end the list after ORDER BY or GROUP BY.
pub(crate) fn ends_order(word: &[u8]) -> bool {
    is_of(
        &[
            "HAVING",
            "LIMIT",
            "FOR",
            "LOCK",
            "UNION",
            "EXCEPT",
            "INTERSECT",
            "WINDOW",
            "WITH",
            "SELECT",
            "ROWS",
        ],
        word,
    )
}
