import type { ChunkWithDocument, DocumentRow, DocumentStore } from '../contracts/document-store.ts';
import type { SearchHit } from '../wire/index.ts';
import type { ChunkRank } from './chunk-rank.ts';
import { citeChunk, type CitedStore } from '../citation/cite-chunk.ts';
import type { Snippet } from './fit-budget.ts';
import type { FreshnessState } from '../documents/freshness.ts';
import { readingAround } from './reading-around.ts';
import { toSearchHit, type HitParts } from './to-search-hit.ts';

/** A hit names where so many of its near-identical passages lie; it counts them all. */
const SHOWN_DUPLICATES = 5;

/** A page of a ranked list with its chunks; chunks that are gone are missing from `found`. */
export interface PageOfChunks {
  readonly offset: number;
  readonly entries: readonly ChunkRank[];
  readonly found: readonly ChunkWithDocument[];
}

/** What hits are written with. */
export interface HitWriter extends Pick<HitParts, 'mode' | 'indexVersion' | 'embeddingModel'> {
  readonly store: CitedStore & Pick<DocumentStore, 'getChunks'>;
  readonly stateOf: (document: DocumentRow) => Promise<FreshnessState>;
  readonly snippetOf: (found: ChunkWithDocument) => Snippet;
}

/** Writes one hit for each chunk that was found, in the order of the list, with ranks that count from its beginning. */
export async function writeHits(page: PageOfChunks, writer: HitWriter): Promise<readonly SearchHit[]> {
  const { mode, indexVersion, embeddingModel } = writer;
  const positions = new Map(page.entries.map(({ chunkId }, at) => [chunkId, at]));
  const hits: SearchHit[] = [];
  for (const found of page.found) {
    const at = positions.get(found.chunk.chunkId);
    const entry = at === undefined ? undefined : page.entries[at];
    if (at === undefined || entry === undefined) continue;
    hits.push(
      toSearchHit({
        rank: page.offset + at + 1,
        entry,
        found,
        citation: citeChunk(readingAround(writer.store, found), found.document, found.chunk),
        snippet: writer.snippetOf(found),
        state: await writer.stateOf(found.document),
        duplicatePaths: duplicatePaths(writer.store, entry),
        mode,
        indexVersion,
        embeddingModel,
      }),
    );
  }
  return hits;
}

/** Each path once, in the order of the list. */
function duplicatePaths(store: Pick<DocumentStore, 'getChunks'>, { duplicates = [] }: ChunkRank): readonly string[] {
  if (duplicates.length === 0) return [];
  const found = store.getChunks(duplicates.slice(0, SHOWN_DUPLICATES));
  return [...new Set(found.map(({ document }) => document.workspacePath))];
}
