-- The index of words: what SQLite's full-text index is to a knowledge base in a file. A word is a term of core's `postedTerms`: a token, two
-- words side by side, or the first character of tokens without spaces; with ^ before it, a token of the names of a chunk. Its number is 48
-- bits of a hash, so that writing needs no dictionary.
CREATE TABLE words (                                         -- tokens and first characters only; the others are counted when they are needed
  word_id bigint PRIMARY KEY, word text COLLATE "C" NOT NULL UNIQUE,
  chunks integer NOT NULL) WITH (fillfactor = 80);           -- how many chunks have it; room to change that in place
-- Everything that ranks a chunk by a word is in the index, so that no row is read. A list has the postings of one word in 16384 consecutive
-- chunks: `((chunk_seq >> 14) << 48) + word_id`. New documents thus change the end of the index, however large it is.
CREATE TABLE postings (
  list bigint NOT NULL, chunk_seq integer NOT NULL,
  length integer NOT NULL,                                   -- of the chunk, in tokens; of its names for a word with ^
  tenths smallint NOT NULL,                                  -- how often the chunk has the word, weighted by column, times 10
  is_code boolean NOT NULL,
  PRIMARY KEY (list, chunk_seq) INCLUDE (length, tenths, is_code));
-- The lists that a chunk is in, by which its postings are found when it is removed.
CREATE TABLE chunk_words (chunk_seq integer PRIMARY KEY, length integer NOT NULL, lists bigint[] NOT NULL);
ALTER TABLE chunk_words ALTER COLUMN lists SET STORAGE EXTERNAL;
