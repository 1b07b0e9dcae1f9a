// The schema of the store, as the steps that lead to it. A step that was released is never changed; a change is another
// step.

/** Step n leads from version n to n + 1; the version is the file's `user_version`. */
export const MIGRATIONS: readonly string[] = [
  // A deleted document keeps its row with no value, so that its revision goes on. Rows come in order of creation.
  `CREATE TABLE documents (
     position INTEGER PRIMARY KEY,
     collection TEXT NOT NULL,
     id TEXT NOT NULL,
     revision INTEGER NOT NULL,
     value TEXT CHECK (value IS NULL OR json_valid(value)),
     UNIQUE (collection, id)
   ) STRICT;
   CREATE TABLE collections (name TEXT PRIMARY KEY, revision INTEGER NOT NULL) STRICT;
   CREATE TABLE errors (
     code TEXT NOT NULL,
     resource TEXT NOT NULL,
     detail TEXT NOT NULL,
     count INTEGER NOT NULL,
     first_at_ms INTEGER NOT NULL,
     last_at_ms INTEGER NOT NULL,
     PRIMARY KEY (code, resource)
   ) STRICT;`,
  // A deleted document leaves no row: one number of its collection says where revisions go on. Documents that do not
  // fit are kept as they were found.
  `ALTER TABLE collections ADD COLUMN base_revision INTEGER NOT NULL DEFAULT 0;
   INSERT INTO collections (name, revision, base_revision)
     SELECT collection, max(revision), max(revision) FROM documents
     WHERE value IS NULL AND typeof(revision) = 'integer' GROUP BY collection
     ON CONFLICT (name) DO UPDATE SET base_revision = excluded.base_revision;
   DELETE FROM documents WHERE value IS NULL;
   CREATE TABLE set_aside (
     position INTEGER PRIMARY KEY,
     collection ANY,
     id ANY,
     revision ANY,
     value ANY,
     reason TEXT NOT NULL,
     at_ms INTEGER NOT NULL
   ) STRICT;`,
  // Requests that may be repeated, in order of age. id, revision: of the document that was written. body: compressed.
  `CREATE TABLE requests (
     position INTEGER PRIMARY KEY,
     key TEXT NOT NULL UNIQUE,
     fingerprint TEXT NOT NULL,
     at_ms INTEGER NOT NULL,
     id TEXT,
     revision INTEGER,
     status INTEGER,
     media_type TEXT,
     etag TEXT,
     body BLOB
   ) STRICT;`,
  // What was set aside is tried again at each start, unless another document has been in its place since.
  `ALTER TABLE set_aside ADD COLUMN is_superseded INTEGER NOT NULL DEFAULT 0;`,
  // Jobs in the order in which they were accepted.
  `CREATE TABLE jobs (position INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, job TEXT NOT NULL) STRICT;`,
  // Media items in the order in which they were begun. item: the whole of it; the columns before it are what it is
  // found and put in order by, and what a start needs of it. beside: which side-cars it has.
  `CREATE TABLE media (
     position INTEGER PRIMARY KEY,
     name TEXT NOT NULL UNIQUE,
     is_leaving INTEGER NOT NULL DEFAULT 0,
     is_ready INTEGER NOT NULL,
     beside TEXT NOT NULL,
     kind TEXT NOT NULL,
     stream_id TEXT,
     size_bytes INTEGER NOT NULL,
     is_automatic INTEGER NOT NULL,
     item TEXT NOT NULL
   ) STRICT;
   CREATE INDEX media_by_size ON media (size_bytes);
   CREATE INDEX media_of_kind ON media (kind);
   CREATE INDEX media_of_kind_by_name ON media (kind, name);
   CREATE INDEX media_of_kind_by_size ON media (kind, size_bytes);
   CREATE INDEX media_of_stream ON media (stream_id);
   CREATE INDEX media_of_stream_by_name ON media (stream_id, name);
   CREATE INDEX media_of_stream_by_size ON media (stream_id, size_bytes);
   CREATE INDEX media_automatic ON media (is_automatic) WHERE is_automatic = 1;`,
  // Requests by who has sent them: a device, with whose name and a space the key begins, or '' for all others.
  `CREATE INDEX requests_of_sender ON requests (substr(key, 1, instr(key, ' ')));`,
]
