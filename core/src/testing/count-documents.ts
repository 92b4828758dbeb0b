import type { DocumentRow, StoreStats } from '../contracts/document-store.ts';

/** The counts of a set of documents that can be read off their rows. */
export function countDocuments(
  rows: readonly DocumentRow[],
): Omit<StoreStats, 'assets' | 'lastIngestAt' | 'storedBytes'> {
  return {
    documents: rows.length,
    chunks: rows.reduce((sum, { chunkCount }) => sum + chunkCount, 0),
    media: tally(rows, ({ media }) => media),
    langs: tally(rows, ({ lang }) => lang),
    codeLangs: tally(rows, ({ codeLang }) => codeLang),
    codeLangChunks: tally(
      rows,
      ({ codeLang }) => codeLang,
      ({ chunkCount }) => chunkCount,
    ),
    repos: tally(rows, ({ repo }) => repo),
    sources: tally(rows, ({ sourceId }) => sourceId),
  };
}

function tally(
  rows: readonly DocumentRow[],
  keyOf: (row: DocumentRow) => string | null,
  countOf: (row: DocumentRow) => number = () => 1,
): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const row of rows) {
    const key = keyOf(row);
    if (key !== null) counts.set(key, (counts.get(key) ?? 0) + countOf(row));
  }
  return Object.fromEntries(counts);
}
