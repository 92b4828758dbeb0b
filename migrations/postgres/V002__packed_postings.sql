-- Postings are packed, so that a search reads some hundred rows of a common word instead of a row for each chunk that has it. The next writer
-- makes the index of words again from the texts.
DROP TABLE postings, words, chunk_words;
DELETE FROM kv WHERE key = 'word_totals';

-- The index of words: what SQLite's full-text index is to a knowledge base in a file. A word is a term of core's `postedTerms`: a token; two
-- words side by side, after a space; the first character of tokens without spaces, with * behind it; or a token of the names of a chunk, after
-- an exclamation mark. A row has the chunks with one word of 1024 consecutive ones, in order, each in six bytes, as three numbers of 16 bits
-- whose first byte is the lowest: its number in the block; how often it has the word, weighted by column, times 10, times 2, and 1 more for
-- source code; its length in tokens, or that of its names.
CREATE TABLE postings (
  word text COLLATE "C" NOT NULL, block integer NOT NULL, chunks bytea NOT NULL,
  PRIMARY KEY (word, block)) WITH (fillfactor = 80);         -- room for new chunks of the last block
ALTER TABLE postings ALTER COLUMN chunks SET STORAGE EXTERNAL; -- its length is read without its value
