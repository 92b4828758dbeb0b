import { blake3Short } from '../domain/blake3.ts';
import { canonicalJson } from '../domain/json.ts';
import { fingerprintOf, hashPolicy } from '../domain/policy-hash.ts';
import type { ChunkPolicy } from '../domain/document.ts';
import type { SourceType, TrustLevel } from '../domain/kinds.ts';
import type { MediaType } from '../domain/media.ts';
import type { Chunker } from '../contracts/chunker.ts';
import type { Extractor } from '../contracts/extractor.ts';

/** Metadata that a source gives to documents that do not state it. */
export interface SourceDefaults {
  readonly trustLevel: TrustLevel | null;
  readonly sourceType: SourceType | null;
}

/** A fingerprint of everything but the bytes that a document's text, blocks and metadata depend on. */
export function parserFingerprint(extractor: Extractor, media: MediaType, defaults: SourceDefaults): string {
  const inputs = [extractor.id, fingerprintOf(extractor), defaults.trustLevel, defaults.sourceType];
  return `${extractor.parserVersion(media)}+${blake3Short(canonicalJson(inputs))}`;
}

/** A fingerprint of everything but the document that its chunks and their index text depend on. */
export function chunkerFingerprint(chunker: Chunker, policy: ChunkPolicy, indexVersion: string): string {
  const inputs = [hashPolicy(policy, chunker.reads), fingerprintOf(chunker), indexVersion];
  return `${chunker.id}+${blake3Short(canonicalJson(inputs))}`;
}

/** The chunker fingerprint of a document that a fallback chunker cut instead of the planned one; it changes with either. */
export function withFallback(planned: string, fallback: { readonly id: string; readonly fingerprint: string }): string {
  return [planned, fallback.id, fallback.fingerprint].join(' > ');
}
