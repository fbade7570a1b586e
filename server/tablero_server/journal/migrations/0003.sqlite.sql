-- Which run of a server had the file last, how far it came, and whether a copy was put in its place.

ALTER TABLE meta ADD COLUMN stamp TEXT;
ALTER TABLE meta ADD COLUMN state TEXT;
ALTER TABLE meta ADD COLUMN restored INTEGER NOT NULL DEFAULT 0;
