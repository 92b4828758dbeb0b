import type { AnalysedQuery, ChunkId } from '@kebab/core';
import type { Database } from 'better-sqlite3';
import { rankingUnits } from '../../plugins/store-sqlite/src/lexical/match-expressions.ts';
import { PostingLists } from '../../plugins/store-sqlite/src/lexical/posting-lists.ts';
import { fts5Idf, smoothedIdf } from '../../plugins/store-sqlite/src/lexical/rank-rows.ts';

/** The best `limit` chunks by the definition of the ranking: every unit of the query and every matching row, exhaustively. */
export function unboundedRanking(db: Database, query: AnalysedQuery, limit: number): readonly ChunkId[] {
  const lists = new PostingLists(db);
  lists.refresh();
  const { rowCount } = lists;
  const found = rankingUnits(query)
    .map((unit) => ({ ...unit, frequency: lists.frequency(unit.expression) }))
    .filter(({ frequency }) => frequency > 0)
    .toSorted((a, b) => a.frequency - b.frequency);
  const isGentle = rowCount <= 2000 || found.every(({ frequency }) => frequency >= rowCount / 2);
  const scores = new Map<number, number>();
  for (const { expression, weight, frequency } of found) {
    const given = fts5Idf(frequency, rowCount);
    const factor = weight * (isGentle ? smoothedIdf(frequency, rowCount) / given : 1);
    const { rows, scores: own } = lists.postings(expression);
    for (const [i, row] of rows.entries()) scores.set(row, (scores.get(row) ?? 0) + (own[i] ?? 0) * factor);
  }
  const best = [...scores].toSorted((a, b) => b[1] - a[1]);
  const least = best[limit - 1]?.[1] ?? 0;
  const placeOf = db.prepare(
    `SELECT c.chunk_id AS id, d.workspace_path AS path, c.ordinal, d.source_id AS source
     FROM chunks c JOIN documents d ON d.seq = c.doc_seq WHERE c.seq = ?`,
  );
  return best
    .filter(([, score]) => score >= least)
    .map(([row, score]) => ({ score, ...(placeOf.get(row) as Place) }))
    .toSorted(
      (a, b) => b.score - a.score || compare(a.path, b.path) || a.ordinal - b.ordinal || compare(a.source, b.source),
    )
    .slice(0, limit)
    .map(({ id }) => id);
}

interface Place {
  readonly id: ChunkId;
  readonly path: string;
  readonly ordinal: number;
  readonly source: string;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
