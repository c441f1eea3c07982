CREATE TABLE (a int);
CREATE TABLE half (
  a int,
  b varchar(20
CREATE TABLE whole (a int);
CREATE FUNCTION open() RETURNS int AS $$ BEGIN SELECT 1 FROM whole;
