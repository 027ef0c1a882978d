-- Up Migration

-- The files of an import, which are one load: by the SHA-256 of their bytes, and how they were read (the options that
-- decide what a row means). Loads from before it have the hash of their one file in ad_loads.content alone.
CREATE TABLE ad_load_files (
  content text NOT NULL,
  load bigint NOT NULL REFERENCES ad_loads ON DELETE CASCADE,
  reading text NOT NULL,
  PRIMARY KEY (content, load)
);

-- Down Migration
DROP TABLE ad_load_files;
