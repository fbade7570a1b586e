-- Which server has the database, which place it was in when one had it last, and whether a copy was put in its place.

ALTER TABLE meta ADD COLUMN stamp TEXT;
ALTER TABLE meta ADD COLUMN restored INTEGER NOT NULL DEFAULT 0;
ALTER TABLE meta ADD COLUMN owner TEXT;
