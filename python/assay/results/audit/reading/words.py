"""The words at the head of tables: axes by many names, and terms of other languages in English."""

from __future__ import annotations

import re
from functools import lru_cache

AXES = ("threads", "connections", "clients", "concurrency", "users", "terminals", "iodepth", "rate", "sample")
CONCURRENCY = frozenset(AXES) - {"rate", "sample"}

_TERMS = (
    # Chinese
    ("并发连接数", "connections"),
    ("并发线程数", "threads"),
    ("并发用户数", "users"),
    ("线程数|线程|執行緒數?", "threads"),
    ("并发数|并发度|并发量|并发|並發數?|並行數?", "concurrency"),
    ("连接数|连接|連線數?", "connections"),
    ("客户端数|客户端", "clients"),
    ("用户数|用户", "users"),
    ("终端数|终端", "terminals"),
    ("队列深度", "iodepth"),
    ("每秒事务数|每秒交易数", "tps"),
    ("每秒查询数|每秒请求数", "qps"),
    ("平均", "average"),
    ("最大值|最大", "max"),
    ("最小值|最小", "min"),
    ("响应时间|回應時間", "response time"),
    ("延迟|时延|延時|延遲", "latency"),
    ("吞吐量|吞吐", "throughput"),
    ("百分位数?|分位数?|分位值", "percentile"),
    ("毫秒", "ms"),
    ("微秒", "us"),
    ("秒", "s"),
    # Japanese
    ("同時接続数|接続数", "connections"),
    ("同時実行数|並列数|多重度", "concurrency"),
    ("スレッド数|スレッド", "threads"),
    ("クライアント数|クライアント", "clients"),
    ("ユーザー数|ユーザー", "users"),
    ("レイテンシー?|遅延", "latency"),
    ("応答時間|レスポンスタイム", "response time"),
    ("スループット", "throughput"),
    # Korean
    ("스레드 ?수|쓰레드 ?수|스레드|쓰레드", "threads"),
    ("동시 ?접속자? ?수|커넥션 ?수|연결 ?수", "connections"),
    ("동시성", "concurrency"),
    ("평균", "average"),
    ("최대", "max"),
    ("최소", "min"),
    ("지연 ?시간|지연|레이턴시", "latency"),
    ("응답 ?시간", "response time"),
    # Russian
    ("количество|число", "number of"),
    ("поток(?:ов|и|а)?", "threads"),
    ("соединени[йяе]|подключени[йяе]", "connections"),
    ("клиент(?:ов|ы)?", "clients"),
    ("пользовател(?:ей|и)", "users"),
    ("среднее|средняя", "average"),
    ("задержк[аи]", "latency"),
    ("время отклика", "response time"),
    # German, French, Spanish, Portuguese
    ("anzahl(?: der)?|nombre de|número de|numero de", "number of"),
    ("verbindungen|connexions|conexiones|conexões", "connections"),
    ("hilos", "threads"),
    ("virtuelle[rn]?|virtuels?|virtuales|virtuais", "virtual"),
    ("clientes", "clients"),
    ("benutzer|utilisateurs|usuarios|usuários", "users"),
    ("latenz|latence|latencia|latência", "latency"),
    ("antwortzeit|temps de réponse|tiempo de respuesta|tempo de resposta", "response time"),
    ("mittelwert|durchschnitt|moyenne|promedio|média|media", "average"),
    ("durchsatz|débit", "throughput"),
)
_ALPHABETS = re.compile(r"[a-zа-я]")  # of languages with blanks between words
_TRANSLATIONS = tuple(
    (re.compile(rf"\b(?:{pattern})\b" if _ALPHABETS.search(pattern) else pattern), english)
    for pattern, english in _TERMS
)
_NAMES = {
    "threads": "thread threads thds thd thr thrds nthreads workers worker",
    "connections": "connection connections conns conn sessions session",
    "clients": "client clients",
    "concurrency": "concurrency parallelism dop",
    "users": "user users vuser vusers vus vu",
    "terminals": "terminal terminals",
    "iodepth": "iodepth qd qdepth",
    "rate": "rate",
    "sample": "sample",
}
_AXIS_WORDS = {word: axis for axis, words in _NAMES.items() for word in words.split()}
_FILLERS = {"number", "of", "num", "no", "nr", "n", "nb", "count", "the", "total", "concurrent", "active"}
_FILLERS |= {"virtual", "parallel", "db", "client", "target", "sysbench"}
_RUNG = re.compile(r"([a-z ]*?)\s*[=:]?\s*(\d[\d,]*)\s*([a-z -]*)")


@lru_cache(maxsize=1 << 12)
def in_english(text: str) -> str:
    """Returns a head in small letters, with the terms of other languages in English."""
    found = text.strip().lower()
    for pattern, english in _TRANSLATIONS:
        found = pattern.sub(f" {english} ", found)
    found = re.sub(r"(?<![\w.])\.(\d\d)(?!\w)", r"p\1", found)  # `.95`
    return re.sub(r"\s+", " ", re.sub(r"\btp(\d\d)", r"p\1", found)).strip()


@lru_cache(maxsize=1 << 12)
def axis_of(head: str) -> str:
    """Returns the axis that a head names, `# Threads` or `线程数`; an empty text for another column."""
    english = re.sub(r"\b(?:i/?o|queue)[ _-]?depth\b", "iodepth", in_english(head))
    words = [word for word in re.split(r"[^a-z]+", english) if word]
    named = [_AXIS_WORDS[word] for word in words if word in _AXIS_WORDS]
    if (
        re.search(r"\d", english)
        or not named
        or not all(word in _AXIS_WORDS or word in _FILLERS for word in words)
    ):
        return ""
    return named[-1]


@lru_cache(maxsize=1 << 12)
def rung_of(head: str) -> tuple[str, float] | None:
    """Returns the axis and the load point that a head names: `8`, `8 threads`, `QD32`. The axis is empty
    where the head has the number alone.
    """
    found = _RUNG.fullmatch(in_english(head))
    if found is None:
        return None
    before, number, after = found.groups()
    named = before.strip() or after.strip()
    short = {"t": "threads", "c": "concurrency", "x": "", "": ""}
    axis = short[named] if named in short else axis_of(named)
    if (before.strip() and after.strip()) or (named and named not in short and not axis):
        return None
    return axis, float(number.replace(",", ""))
