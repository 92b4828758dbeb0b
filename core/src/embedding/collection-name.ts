import { fingerprintOf } from '../domain/fingerprint-of.ts';
import type { Embedder } from '../contracts/embedder.ts';
import { blake3Id } from '../domain/blake3.ts';

const FINGERPRINT_DIGITS = 12;

/**
 * The collection that holds the vectors of one embedder: `chunk_embeddings_<model>_<dimensions>_<fingerprint>`. Two embedders
 * that differ in anything have two collections, so that their vectors are never searched together.
 */
export function collectionName(
  embedder: Pick<Embedder, 'id' | 'version' | 'modelId' | 'dimensions' | 'fingerprint'>,
): string {
  const model = embedder.modelId.replace(/^.*[/\\]/, '').replace(/[^A-Za-z0-9]+/g, '-');
  const fingerprint = blake3Id(fingerprintOf(embedder)).slice(0, FINGERPRINT_DIGITS);
  return `chunk_embeddings_${model}_${embedder.dimensions}_${fingerprint}`;
}
