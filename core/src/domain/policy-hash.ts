import { blake3Short } from './blake3.ts';
import { canonicalJson } from './canonical-json.ts';
import type { ChunkPolicy } from './chunk.ts';

/**
 * The hash of the named settings of a policy, and of nothing else: blake3-16hex over their canonical JSON, keys as in the
 * configuration file. Part of the fingerprint and of the ids of chunks.
 */
export function hashPolicy(policy: ChunkPolicy, reads: readonly (keyof ChunkPolicy)[]): string {
  return blake3Short(canonicalJson(Object.fromEntries(reads.map((setting) => [snakeCase(setting), policy[setting]]))));
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
