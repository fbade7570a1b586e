-- Which place the database was in when a server had it last, and whether a copy was put in its place.

ALTER TABLE meta ADD COLUMN stamp TEXT;
ALTER TABLE meta ADD COLUMN restored INTEGER NOT NULL DEFAULT 0;
