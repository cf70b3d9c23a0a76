"""A small database of a rental shop, made of arithmetic, for tests of profiles: keys of one and of several
columns, references, an enumeration, NULLs, skewed columns, and texts that nobody must find elsewhere.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

TABLES = """
CREATE TABLE country (id smallint unsigned NOT NULL AUTO_INCREMENT, name varchar(50) NOT NULL COMMENT 'secret comment',
  PRIMARY KEY (id), UNIQUE KEY name (name));
CREATE TABLE film (id int unsigned NOT NULL AUTO_INCREMENT, title varchar(80) NOT NULL, rating enum('G','PG','R') DEFAULT 'G',
  price decimal(6,2) NOT NULL, length smallint DEFAULT NULL, released date DEFAULT NULL, cover varbinary(40), notes json,
  minutes int GENERATED ALWAYS AS (length * 60) VIRTUAL, weight double NOT NULL,
  CONSTRAINT sane CHECK (price < 1000), PRIMARY KEY (id), KEY rating (rating), KEY released (released));
CREATE TABLE actor (id int unsigned NOT NULL, name varchar(40) NOT NULL, PRIMARY KEY (id));
CREATE TABLE film_actor (actor_id int unsigned NOT NULL, film_id int unsigned NOT NULL, PRIMARY KEY (actor_id, film_id),
  KEY film_id (film_id), FOREIGN KEY (actor_id) REFERENCES actor (id), FOREIGN KEY (film_id) REFERENCES film (id));
CREATE TABLE customer (id bigint NOT NULL, email varchar(60) DEFAULT NULL, country_id smallint unsigned NOT NULL,
  city varchar(40) NOT NULL, active tinyint(1) NOT NULL, referred_by bigint DEFAULT NULL, joined datetime(3) NOT NULL,
  PRIMARY KEY (id), UNIQUE KEY email (email), KEY city (city), KEY joined (joined),
  FOREIGN KEY (country_id) REFERENCES country (id), FOREIGN KEY (referred_by) REFERENCES customer (id));
CREATE TABLE rental (id int NOT NULL AUTO_INCREMENT, customer_id bigint NOT NULL, film_id int unsigned DEFAULT NULL,
  at timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP, state varchar(12) NOT NULL, PRIMARY KEY (id),
  KEY customer (customer_id, at), KEY state (state), KEY film (film_id),
  FOREIGN KEY (customer_id) REFERENCES customer (id), FOREIGN KEY (film_id) REFERENCES film (id));
CREATE TABLE payment (rental_id int NOT NULL, number tinyint unsigned NOT NULL, amount decimal(8,2) NOT NULL,
  took time NOT NULL, PRIMARY KEY (rental_id, number), FOREIGN KEY (rental_id) REFERENCES rental (id));
"""  # noqa: E501
SIZES = {
    "country": 60,
    "film": 800,
    "actor": 150,
    "film_actor": 0,
    "customer": 1500,
    "rental": 6000,
    "payment": 0,
}
QUERIES = (
    "SELECT * FROM film WHERE id = {film}",
    "SELECT COUNT(*) FROM film WHERE rating = 'R'",
    "SELECT * FROM film WHERE released > '2020-01-01' ORDER BY released LIMIT 10",
    "SELECT f.id FROM film f JOIN film_actor a ON a.film_id = f.id WHERE a.actor_id = {actor}",
    "SELECT a.name FROM film_actor x JOIN actor a ON a.id = x.actor_id WHERE x.film_id = {film}",
    "SELECT * FROM customer WHERE id = {customer}",
    "SELECT * FROM customer ORDER BY joined DESC LIMIT 20",
    "SELECT c.id, r.id FROM customer c JOIN rental r ON r.customer_id = c.id WHERE c.id = {customer}",
    "SELECT * FROM rental WHERE customer_id = {customer} ORDER BY at DESC LIMIT 5",
    "SELECT COUNT(*) FROM rental WHERE state = '{state}'",
    "SELECT r.id, p.amount FROM rental r JOIN payment p ON p.rental_id = r.id WHERE r.id = {rental}",
    "SELECT p.amount FROM rental r JOIN payment p ON p.rental_id = r.id WHERE r.customer_id = {customer}",
    "SELECT n.name, COUNT(*) FROM customer c JOIN country n ON n.id = c.country_id GROUP BY n.name",
    "SELECT f.title FROM rental r JOIN film f ON f.id = r.film_id WHERE r.customer_id = {customer}",
    "SELECT * FROM customer WHERE referred_by = {customer}",
    "SELECT MAX(at) FROM rental WHERE customer_id = {customer}",
    "SELECT number FROM payment WHERE rental_id = {rental} ORDER BY number",
    "SELECT x.film_id FROM film_actor x WHERE x.actor_id IN ({actor}, {actor} + 1)",
    "SELECT c.city FROM customer c WHERE c.email = 'nobody@nowhere'",
    "SELECT d.id FROM customer c JOIN customer d ON d.referred_by = c.id WHERE c.id = {customer}",
)
"""Questions whose plans must be the same on generated data."""
VALUES = {
    "film": "SELECT film_id FROM film_actor GROUP BY film_id ORDER BY COUNT(*) DESC LIMIT 1",
    "actor": "SELECT actor_id FROM film_actor GROUP BY actor_id ORDER BY COUNT(*) DESC LIMIT 1",
    "customer": "SELECT customer_id FROM rental GROUP BY customer_id ORDER BY COUNT(*) DESC LIMIT 1",
    "state": "SELECT state FROM rental GROUP BY state ORDER BY COUNT(*) LIMIT 1",
    "rental": "SELECT rental_id FROM payment GROUP BY rental_id ORDER BY COUNT(*) DESC LIMIT 1",
}
"""Values of the questions, which each database has of its own."""


def statements(seed: int = 1) -> Iterator[str]:
    """Yields the statements that make the tables with their rows."""
    chance = random.Random(seed)
    yield from (text.strip() for text in TABLES.split(";\n") if text.strip())
    for table, rows in _rows(chance).items():
        columns = (
            "" if table != "film" else (" (id, title, rating, price, length, released, cover, notes, weight)")
        )
        for start in range(0, len(rows), 500):
            yield f"INSERT INTO {table}{columns} VALUES {','.join(rows[start : start + 500])}"


def _word(chance: random.Random, least: int, most: int) -> str:
    return "".join(chance.choices("BCDFGHKLMNPRSTVWZ", k=chance.randint(least, most)))


def _rows(chance: random.Random) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {name: [] for name in SIZES}
    for number in range(1, SIZES["country"] + 1):
        found["country"].append(f"({number}, 'Land{_word(chance, 4, 12)}{number}')")
    for number in range(1, SIZES["film"] + 1):
        rating = chance.choices(["'G'", "'PG'", "'R'", "NULL"], [60, 25, 10, 5])[0]
        length = "NULL" if chance.random() < 0.2 else str(round(chance.gauss(110, 20)))
        day = f"'20{chance.randint(10, 24):02}-{chance.randint(1, 12):02}-{chance.randint(1, 28):02}'"
        cover = f"0x{chance.randbytes(chance.randint(5, 40)).hex()}"
        found["film"].append(
            f"({number}, 'FILM {_word(chance, 3, 9)} {_word(chance, 3, 30)}', {rating},"
            f" {chance.choice([0.99, 2.99, 4.99])}, {length}, {day}, {cover},"
            f""" '{{"tag": "{_word(chance, 4, 20)}"}}', {chance.random() * 50})"""
        )
    for number in range(1, SIZES["actor"] + 1):
        found["actor"].append(f"({number}, 'Player {_word(chance, 5, 15)}')")
        for film in chance.sample(range(1, SIZES["film"] + 1), chance.randint(5, 40)):
            found["film_actor"].append(f"({number}, {film})")
    cities = [f"Town{_word(chance, 3, 10)}" for _ in range(120)]
    for number in range(1, SIZES["customer"] + 1):
        email = "NULL" if number % 10 == 0 else f"'{_word(chance, 5, 15)}{number}@mail.example'"
        city = cities[min(119, int(chance.expovariate(1 / 15)))]
        by = "NULL" if chance.random() < 0.6 else str(chance.randint(1, max(1, number // 4)))
        minute = number * 7
        day, hour = f"2024-{1 + minute // 1440 % 12:02}-{1 + minute // 60 % 24:02}", f"{minute % 24:02}"
        joined = f"'{day} {hour}:{minute % 60:02}:00.123'"
        found["customer"].append(
            f"({number * 3}, {email}, {min(60, 1 + int(chance.expovariate(0.1)))}, '{city}',"
            f" {int(chance.random() < 0.9)}, {by if by == 'NULL' else int(by) * 3}, {joined})"
        )
    for number in range(1, SIZES["rental"] + 1):
        customer = 3 * min(SIZES["customer"], 1 + int(chance.expovariate(1 / 300)))
        film = "NULL" if chance.random() < 0.1 else str(chance.randint(1, SIZES["film"]))
        state = chance.choices(["returned", "rented", "lost-forever"], [90, 9, 1])[0]
        at = f"FROM_UNIXTIME({1_700_000_000 + number * 900 + chance.randint(0, 800)})"
        found["rental"].append(f"({number}, {customer}, {film}, {at}, '{state}')")
        for part in range(1, chance.choices([0, 1, 2, 3], [10, 70, 15, 5])[0] + 1):
            amount = round(chance.expovariate(0.2) + 1, 2)
            found["payment"].append(f"({number}, {part}, {amount}, '0{chance.randint(0, 9)}:30:00')")
    return found
