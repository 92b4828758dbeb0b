import { analyseChunk, type DocumentId } from '@kebab/core';
import { searchExtras, type IndexText } from '@kebab/core/store';
import type { Db } from '../database/tables.ts';
import { canonicalDocument, chunksOf } from './document-queries.ts';

/** What the chunks of a document are indexed by, analysed again from what is stored; empty for an unknown document. */
export async function indexTexts(tx: Db, docId: DocumentId): Promise<readonly IndexText[]> {
  const document = await canonicalDocument(tx, docId);
  if (document === null) return [];
  const chunks = await chunksOf(tx, docId, 0, Number.MAX_SAFE_INTEGER);
  const stored = await tx
    .selectFrom('chunks as c')
    .innerJoin('documents as d', 'd.seq', 'c.doc_seq')
    .select(['c.index_symbol', 'c.index_prefix'])
    .where('d.doc_id', '=', docId)
    .orderBy('c.seq')
    .execute();
  const extras = searchExtras(document.metadata);
  return chunks.map(({ text, headingPath, ordinal }, at) => ({
    ...analyseChunk({
      text,
      title: document.title,
      headingPath,
      workspacePath: document.workspacePath,
      symbol: null,
      extra: ordinal === 0 ? extras : [],
      prefix: stored[at]?.index_prefix ?? null,
    }),
    symbol: stored[at]?.index_symbol ?? '', // stored as it was analysed
  }));
}
