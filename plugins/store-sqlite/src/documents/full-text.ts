import { INDEX_VERSION, type IndexText } from '@kebab/core/store';
import { statement, statementsOn, type Placeholder } from '@kebab/sqlite-kit';
import { decodeHeadingPath, decodeMetadata, toIndexText } from '@kebab/store-kit';
import type { Database as Connection } from 'better-sqlite3';
import { sql } from 'kysely';
import { build, factStatements } from '../database/tables.ts';
import { readText } from './document-reader.ts';

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
  readonly #db: Connection;

  constructor(db: Connection) {
    this.#statements = statementsOn(db, statementsOf);
    this.#db = db;
  }

  add(row: FullTextRow): void {
    this.#statements.add.run(columnsIn(row));
  }

  remove(row: FullTextRow): void {
    this.#statements.remove.run(columnsIn(row));
  }

  /** The rows of a stored document, as they were written. */
  rowsOf(docSeq: number): readonly FullTextRow[] {
    const document = this.#statements.document.first({ seq: docSeq });
    if (document === undefined) return [];
    const { title, workspace_path: workspacePath, text_length: length } = document;
    const text = readText(this.#db, docSeq, 0, length);
    const metadata = decodeMetadata(document.metadata_json, document);
    const from = document.first_chunk;
    return this.#statements.chunks.all({ from, to: from + document.chunk_count }).map((chunk) => ({
      rowid: chunk.seq,
      texts: toIndexText(
        {
          text: text.slice(chunk.text_start, chunk.text_end),
          headingPath: decodeHeadingPath(chunk.heading_path_json, title),
          ordinal: chunk.ordinal,
        },
        { title, workspacePath, metadata },
        chunk,
      ),
    }));
  }

  /** Whether this version of the analysis made all rows; another version could not delete them. */
  isCurrent(): boolean {
    return this.#statements.fact.first(VERSION)?.value === INDEX_VERSION;
  }

  /** Makes all rows again with this version of the analysis. */
  rebuild(): void {
    const { fact, setFact, clear, documents } = this.#statements;
    if (fact.first(VERSION) !== undefined) {
      clear.run({});
      for (const { seq } of documents.all({})) for (const row of this.rowsOf(seq)) this.add(row);
    }
    setFact.run({ ...VERSION, value: INDEX_VERSION });
  }
}

const VERSION = { key: 'full_text_version' };

/** The columns of the full-text index, with the number of the row. */
type Columns = Pick<IndexText, 'text' | 'heading' | 'symbol' | 'cjk'> & { readonly rowid: number };

function columnsIn({ rowid, texts: { text, heading, symbol, cjk } }: FullTextRow): Columns {
  return { rowid, text, heading, symbol, cjk };
}

function statementsOf(db: Connection) {
  return {
    add: statement(
      db,
      (value: Placeholder<Columns>) =>
        sql`INSERT INTO chunks_fts (rowid, text, heading, symbol, cjk)
          VALUES (${value('rowid')}, ${value('text')}, ${value('heading')}, ${value('symbol')}, ${value('cjk')})`,
    ),
    remove: statement(
      db,
      (value: Placeholder<Columns>) =>
        sql`INSERT INTO chunks_fts (chunks_fts, rowid, text, heading, symbol, cjk)
          VALUES ('delete', ${value('rowid')}, ${value('text')}, ${value('heading')}, ${value('symbol')}, ${value('cjk')})`,
    ),
    clear: statement(db, () => sql`INSERT INTO chunks_fts (chunks_fts) VALUES ('delete-all')`),
    document: statement(db, (value: Placeholder<{ readonly seq: number }>) =>
      build.selectFrom('documents').selectAll().where('seq', '=', value('seq')),
    ),
    documents: statement(db, () => build.selectFrom('documents').select('seq').orderBy('seq')),
    chunks: statement(db, (value: Placeholder<{ readonly from: number; readonly to: number }>) =>
      build
        .selectFrom('chunks')
        .select(['seq', 'ordinal', 'text_start', 'text_end', 'heading_path_json', 'index_symbol', 'index_prefix'])
        .where('seq', '>=', value('from'))
        .where('seq', '<', value('to'))
        .orderBy('seq'),
    ),
    ...factStatements(db),
  };
}
