import type { Database as Connection } from 'better-sqlite3';

/** FTS5 keeps one row for each indexed row in its table of sizes. */
const CHUNKS_AND_FULL_TEXT = `
  SELECT (SELECT count(*) FROM chunks WHERE seq NOT IN (SELECT id FROM chunks_fts_docsize)) AS without_full_text,
         (SELECT count(*) FROM chunks_fts_docsize WHERE id NOT IN (SELECT seq FROM chunks)) AS without_chunk,
         (SELECT count(*) FROM chunks c LEFT JOIN documents d ON d.seq = c.doc_seq
          WHERE d.seq IS NULL OR c.seq != d.first_chunk + c.ordinal OR c.ordinal >= d.chunk_count) AS misplaced,
         (SELECT coalesce(sum(chunk_count), 0) FROM documents) - (SELECT count(*) FROM chunks) AS missing`;

const SENTENCES = {
  without_full_text: 'chunks have no full-text row',
  without_chunk: 'full-text rows have no chunk',
  misplaced: 'chunks are not where their document says',
  missing: 'chunks of documents are missing',
} as const;

/** What is wrong with a database: its pages, its references, its chunks and their full-text rows. */
export function checkIntegrity(db: Connection): readonly string[] {
  const pages = (db.pragma('integrity_check') as readonly { readonly integrity_check: string }[])
    .map((row) => row.integrity_check)
    .filter((finding) => finding !== 'ok');
  if (pages.length > 0) return pages;
  const references = db.pragma('foreign_key_check') as readonly { readonly table: string; readonly parent: string }[];
  const rows = db.prepare(CHUNKS_AND_FULL_TEXT).get() as Readonly<Record<keyof typeof SENTENCES, number>>;
  return [
    ...references.map(({ table, parent }) => `a row of ${table} refers to a missing row of ${parent}`),
    ...Object.entries(SENTENCES).flatMap(([name, sentence]) => {
      const count = rows[name as keyof typeof SENTENCES];
      return count === 0 ? [] : [`${count} ${sentence}`];
    }),
  ];
}
