import { analyseChunk } from '@kebab/core';
import { INDEX_VERSION, searchExtras, type IndexText } from '@kebab/core/store';
import type { Database as Connection } from 'better-sqlite3';
import { sql } from 'kysely';
import { build, prepared, preparedOnce, type Given } from '../database/built-statement.ts';
import { Statements } from '../database/statements.ts';
import { decodeHeadingPath, decodeMetadata } from './columns.ts';
import { readText } from './text-segments.ts';

/** A row of the full-text index; its number is that of its chunk. */
export interface FullTextRow {
  readonly rowid: number;
  readonly texts: IndexText;
}

/**
 * The rows of the full-text index. FTS5 keeps only their tokens, so a row is deleted by the texts it was made from: these are analysed
 * again, from what is stored of its document.
 */
export class FullText {
  readonly #statements: ReturnType<typeof statementsOf>;
  readonly #texts: Statements;

  constructor(db: Connection) {
    this.#statements = preparedOnce(db, statementsOf);
    this.#texts = new Statements(db);
  }

  add({ rowid, texts }: FullTextRow): void {
    this.#statements.add.run(texts, { rowid });
  }

  remove({ rowid, texts }: FullTextRow): void {
    this.#statements.remove.run(texts, { rowid });
  }

  /** The rows of a stored document, as they were written. */
  rowsOf(docSeq: number): readonly FullTextRow[] {
    const document = this.#statements.document.first({ seq: docSeq });
    if (document === undefined) return [];
    const { title, workspace_path: workspacePath, text_length: length } = document;
    const text = readText(this.#texts, docSeq, 0, length);
    const extras = searchExtras(decodeMetadata(document.metadata_json, document));
    const from = document.first_chunk;
    return this.#statements.chunks.all({ from, to: from + document.chunk_count }).map((chunk) => ({
      rowid: chunk.seq,
      texts: {
        ...analyseChunk({
          text: text.slice(chunk.text_start, chunk.text_end),
          title,
          headingPath: decodeHeadingPath(chunk.heading_path_json, title),
          workspacePath,
          symbol: null,
          extra: chunk.ordinal === 0 ? extras : [],
          prefix: chunk.index_prefix,
        }),
        symbol: chunk.index_symbol ?? '', // stored as it was analysed
      },
    }));
  }

  /** Whether this version of the analysis made all rows; another version could not delete them. */
  isCurrent(): boolean {
    return this.#statements.version.first({})?.value === INDEX_VERSION;
  }

  /** Makes all rows again with this version of the analysis. */
  rebuild(): void {
    const { version, setVersion, clear, documents } = this.#statements;
    if (version.first({}) !== undefined) {
      clear.run({});
      for (const { seq } of documents.all({})) for (const row of this.rowsOf(seq)) this.add(row);
    }
    setVersion.run({ value: INDEX_VERSION });
  }
}

const VERSION_KEY = 'full_text_version';

function statementsOf(db: Connection) {
  return {
    add: prepared(
      db,
      (given: Given<IndexText>, more: Given<{ readonly rowid: number }>) =>
        sql`INSERT INTO chunks_fts (rowid, text, heading, symbol, cjk)
          VALUES (${more('rowid')}, ${given('text')}, ${given('heading')}, ${given('symbol')}, ${given('cjk')})`,
    ),
    remove: prepared(
      db,
      (given: Given<IndexText>, more: Given<{ readonly rowid: number }>) =>
        sql`INSERT INTO chunks_fts (chunks_fts, rowid, text, heading, symbol, cjk)
          VALUES ('delete', ${more('rowid')}, ${given('text')}, ${given('heading')}, ${given('symbol')}, ${given('cjk')})`,
    ),
    clear: prepared(db, () => sql`INSERT INTO chunks_fts (chunks_fts) VALUES ('delete-all')`),
    document: prepared(db, (given: Given<{ readonly seq: number }>) =>
      build.selectFrom('documents').selectAll().where('seq', '=', given('seq')),
    ),
    documents: prepared(db, () => build.selectFrom('documents').select('seq').orderBy('seq')),
    chunks: prepared(db, (given: Given<{ readonly from: number; readonly to: number }>) =>
      build
        .selectFrom('chunks')
        .select(['seq', 'ordinal', 'text_start', 'text_end', 'heading_path_json', 'index_symbol', 'index_prefix'])
        .where('seq', '>=', given('from'))
        .where('seq', '<', given('to'))
        .orderBy('seq'),
    ),
    version: prepared(db, () => build.selectFrom('kv').select('value').where('key', '=', VERSION_KEY)),
    setVersion: prepared(db, (given: Given<{ readonly value: string }>) =>
      build
        .insertInto('kv')
        .values({ key: VERSION_KEY, value: given('value') })
        .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: given('value') })),
    ),
  };
}
