import type { KnownDocument } from '../contracts/document-store.ts';

/** What a walk left open about the documents of one source. */
export interface VanishedDocuments {
  readonly rootMissing: boolean;
  /** How many documents of the source are indexed. */
  readonly indexed: number;
  /** Those whose file is definitely not there. */
  readonly vanished: readonly KnownDocument[];
  readonly allowMassDelete: boolean;
}

/** Which documents go, and why none do where none may. */
export interface DeletionPlan {
  readonly purge: readonly KnownDocument[];
  readonly refused: { readonly vanished: number; readonly reason: 'root_missing' | 'mass_delete' } | null;
}

/**
 * Guards against losing an index to an unmounted disk: documents go only while the root is there, and only when fewer
 * than half of the source's documents vanished at once, unless a mass deletion was asked for.
 */
export function planDeletions({ rootMissing, indexed, vanished, allowMassDelete }: VanishedDocuments): DeletionPlan {
  if (rootMissing) return { purge: [], refused: indexed === 0 ? null : { vanished: indexed, reason: 'root_missing' } };
  if (allowMassDelete || vanished.length * 2 < indexed || vanished.length === 0)
    return { purge: vanished, refused: null };
  return { purge: [], refused: { vanished: vanished.length, reason: 'mass_delete' } };
}
