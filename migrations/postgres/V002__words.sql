-- The index of words: what SQLite's full-text index is to a knowledge base in a file. A word is a term of core's `postedTerms`: a token, two
-- words side by side, or the first character of tokens without spaces; with ^ before it, a token of the names of a chunk.
CREATE TABLE words (
  word_id integer PRIMARY KEY, word text COLLATE "C" NOT NULL UNIQUE,
  chunks integer NOT NULL) WITH (fillfactor = 80);           -- how many chunks have it; room to change that in place
-- Everything that ranks a chunk by a word is in the index, so that no row is read.
CREATE TABLE postings (
  word_id integer NOT NULL, chunk_seq integer NOT NULL,
  count real NOT NULL,                                       -- how often the chunk has the word, weighted by column
  length integer NOT NULL,                                   -- of the chunk, in tokens; of its names for a word with ^
  is_code boolean NOT NULL,
  PRIMARY KEY (word_id, chunk_seq) INCLUDE (count, length, is_code));
-- The words of a chunk, by which its postings are found when it is removed.
CREATE TABLE chunk_words (chunk_seq integer PRIMARY KEY, length integer NOT NULL, word_ids integer[] NOT NULL);
ALTER TABLE chunk_words ALTER COLUMN word_ids SET STORAGE EXTERNAL;
