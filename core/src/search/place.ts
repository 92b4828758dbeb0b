import type { DocumentStore } from '../contracts/document-store.ts';
import type { Passage } from '../contracts/passage.ts';
import type { ChunkId } from '../domain/ids.ts';
import { compareCodePoints } from '../domain/code-point-order.ts';

/** What orders chunks of equal score. */
export interface Place {
  readonly docPath: string;
  readonly ordinal: number;
  readonly sourceId: string;
}

/** Compares two places by document path, then ordinal, then source. */
export function byPlace(a: Place, b: Place): number {
  return compareCodePoints(a.docPath, b.docPath) || a.ordinal - b.ordinal || compareCodePoints(a.sourceId, b.sourceId);
}

/** Where a stored chunk lies; chunks that are gone come first, together. */
export function placeOf(store: Pick<DocumentStore, 'getPassages'>, id: ChunkId): Place {
  const [passage] = store.getPassages([id]);
  return passage === undefined ? { docPath: '', ordinal: 0, sourceId: '' } : placeOfPassage(passage);
}

/** Where a passage lies. */
export function placeOfPassage({ workspacePath: docPath, ordinal, sourceId }: Passage): Place {
  return { docPath, ordinal, sourceId };
}
