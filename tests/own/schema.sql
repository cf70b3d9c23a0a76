CREATE TABLE `customers` (
  `id` int unsigned NOT NULL AUTO_INCREMENT,
  `mail` varchar(80) NOT NULL,
  `phone` varchar(20) DEFAULT NULL,
  `credit` decimal(10,2) NOT NULL DEFAULT '0.00',
  `state` enum('open','it''s','shut') NOT NULL,
  `token` binary(16) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `by_mail` (`mail`(40))
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;
CREATE TABLE orders (
  id bigint PRIMARY KEY AUTO_INCREMENT,
  customer_id int unsigned NOT NULL REFERENCES customers (id),
  at datetime(6) NOT NULL,
  note text,
  total decimal(10,2) AS (1.00) VIRTUAL,
  KEY by_customer (customer_id, at)
);
CREATE TABLE order_lines (
  order_id bigint NOT NULL,
  line smallint NOT NULL,
  product int NOT NULL,
  CONSTRAINT f FOREIGN KEY (order_id) REFERENCES `orders` (`id`) ON DELETE CASCADE,
  PRIMARY KEY (order_id, line)
);
