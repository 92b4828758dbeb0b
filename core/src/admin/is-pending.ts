import type { DocumentRow } from '../contracts/document-store.ts';

/** Whether a document lacks vectors of the embedder with this fingerprint; nothing is pending where nothing embeds. */
export function isPending({ fingerprints }: DocumentRow, embedding: string | null): boolean {
  return embedding !== null && fingerprints.embedding !== embedding;
}
