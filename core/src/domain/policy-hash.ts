import { blake3Short } from './blake3.ts';
import type { ChunkPolicy } from './document.ts';
import { canonicalJson } from './json.ts';

/**
 * The hash of the named settings of a policy, and of nothing else: blake3-16hex over their canonical JSON, keys as in the configuration
 * file. Part of the fingerprint and of chunk ids.
 */
export function hashPolicy(policy: ChunkPolicy, reads: readonly (keyof ChunkPolicy)[]): string {
  return blake3Short(canonicalJson(Object.fromEntries(reads.map((setting) => [snakeCase(setting), policy[setting]]))));
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The inputs of a fingerprint. */
interface Named {
  readonly id: string;
  readonly version: string;
  fingerprint?(): string;
}

/**
 * The fingerprint of a contribution: its id, its version, and whatever else it declares that its output depends on. A declared fingerprint
 * that already begins with a name and this version is used as it is.
 */
export function fingerprintOf(contribution: Named): string {
  const { id, version } = contribution;
  const own = contribution.fingerprint?.() ?? '';
  if (own === '') return `${id}@${version}`;
  const at = own.indexOf('@') + 1;
  const saysVersion = at > 0 && own.startsWith(version, at) && !/^[\w.-]/.test(own.slice(at + version.length));
  return saysVersion ? own : `${id}@${version}+${own}`;
}
