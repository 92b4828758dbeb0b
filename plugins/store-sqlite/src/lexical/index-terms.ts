import { LRU } from 'tiny-lru';
import { valuesOf, type Statements } from '../database/statements.ts';

const SCHEMA = valuesOf<string>("SELECT sql FROM sqlite_schema WHERE name = 'chunks_fts'");
const TOKENIZER = /\btokenize\s*=\s*("(?:[^"]|"")*"|'(?:[^']|'')*')/;
const TERMS = valuesOf<string>('SELECT term FROM temp.query_terms');
const MAX_KEPT = 2000;

/** Which term of the index a word is: its stem, as the tokenizer of the index makes it. A table in memory is asked, which lives with the connection. */
export class IndexTerms {
  readonly #statements: Statements;
  readonly #known = new LRU<string | null>(MAX_KEPT);
  #isReady = false;

  constructor(statements: Statements) {
    this.#statements = statements;
  }

  /** The term of a word; null when the tokenizer makes several of it, or none. */
  termOf(word: string): string | null {
    let term = this.#known.get(word);
    if (term === undefined) {
      this.#prepare();
      this.#statements.run('INSERT INTO temp.query_words(word) VALUES (@word)', { word });
      const terms = this.#statements.values(TERMS);
      this.#statements.run("INSERT INTO temp.query_words(query_words) VALUES ('delete-all')");
      term = terms.length === 1 ? (terms[0] ?? null) : null;
      this.#known.set(word, term);
    }
    return term;
  }

  #prepare(): void {
    if (this.#isReady) return;
    const tokenizer = TOKENIZER.exec(this.#statements.value(SCHEMA) ?? '')?.[1];
    if (tokenizer === undefined) throw new RangeError('the full-text index names no tokenizer');
    this.#statements.run(
      `CREATE VIRTUAL TABLE IF NOT EXISTS temp.query_words USING fts5(word, content = '', tokenize = ${tokenizer})`,
    );
    this.#statements.run(
      'CREATE VIRTUAL TABLE IF NOT EXISTS temp.query_terms USING fts5vocab(temp, query_words, instance)',
    );
    this.#isReady = true;
  }
}
