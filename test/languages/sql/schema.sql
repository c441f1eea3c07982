-- Tables of a shop.

/* People who buy. */
CREATE TABLE IF NOT EXISTS users (
  -- Given by the database.
  id SERIAL PRIMARY KEY,
  email varchar(200) NOT NULL DEFAULT 'a;b', -- As it was given.
  key text,
  balance numeric(10, 2) CHECK (balance >= 0),
  CONSTRAINT unique_email UNIQUE (email)
);

CREATE TABLE "sales"."order" (
  "user id" int REFERENCES users(id) ON DELETE CASCADE,
  total int,
  PRIMARY KEY ("user id"),
  FOREIGN KEY (total) REFERENCES public.prices (id)
);
COMMENT ON TABLE users IS 'It''s said above';
COMMENT ON TABLE sales.order IS 'What users buy';

CREATE UNIQUE INDEX users_email ON users (email);
ALTER TABLE users ADD COLUMN name text;
DROP TABLE old_users;

CREATE OR REPLACE VIEW big_spenders (id, total) AS
SELECT u.id, sum(o.total) FROM users u JOIN sales.order o ON o."user id" = u.id GROUP BY 1;

CREATE MATERIALIZED VIEW daily AS (SELECT count(*) FROM big_spenders);

CREATE TYPE mood AS ENUM ('sad', 'happy');
CREATE TYPE place AS (street text, town text);
CREATE TYPE positive;

-- Adds to a balance.
CREATE FUNCTION add_balance(who int, amount numeric) RETURNS numeric
LANGUAGE plpgsql AS $body$
BEGIN
  -- Not FROM comments;
  UPDATE users SET balance = balance + amount WHERE id = who;
  CREATE TEMP TABLE scratch (a int);
  RETURN amount;
END;
$body$;

CREATE TRIGGER on_user AFTER INSERT ON users FOR EACH ROW EXECUTE FUNCTION add_balance();

COPY users (id, email) FROM stdin;
1	it's "odd
\.

CREATE TABLE last_one (a int[] NOT NULL, b jsonb DEFAULT '{}'::jsonb) PARTITION BY RANGE (a);
