import path from 'node:path';
import { LRU } from 'tiny-lru';
import type { DerivationCache } from '../contracts/contribution.ts';
import { blake3Id } from '../domain/blake3.ts';
import { readRegularFile } from '../files/read-regular-file.ts';
import { writeAtomically } from '../files/write-atomically.ts';

/** Larger than any entry that is cached here. */
const MAX_ENTRY_BYTES = 16 * 2 ** 20;
/** Bounds the entries without a file, because a service runs for days. */
const MAX_IN_MEMORY = 256;

/** Options of a {@link FileDerivationCache}. */
export interface FileDerivationCacheOptions {
  /** An absolute path; created with the first entry. */
  readonly folder: string;
  /** Caches in memory only, for the life of the process. */
  readonly readonly: boolean;
}

/**
 * Caches derivations across runs, one small file per entry, named by the hash of its key. It is best effort: an unreadable entry is a miss,
 * and the latest entries that cannot be written are kept in memory until the process ends.
 */
export class FileDerivationCache implements DerivationCache {
  readonly #options: FileDerivationCacheOptions;
  readonly #unwritten = new LRU<Uint8Array>(MAX_IN_MEMORY);

  constructor(options: FileDerivationCacheOptions) {
    this.#options = options;
  }

  get(key: string): Uint8Array | undefined {
    const unwritten = this.#unwritten.get(key);
    if (unwritten !== undefined) return unwritten;
    try {
      return readRegularFile(this.#fileOf(key), { maxBytes: MAX_ENTRY_BYTES });
    } catch {
      return undefined;
    }
  }

  set(key: string, payload: Uint8Array): void {
    if (this.#isWritten(key, payload)) this.#unwritten.delete(key);
    else this.#unwritten.set(key, payload);
  }

  #isWritten(key: string, payload: Uint8Array): boolean {
    if (this.#options.readonly) return false;
    try {
      writeAtomically(this.#fileOf(key), payload, { flush: false });
      return true;
    } catch {
      return false; // full disk or unwritable folder
    }
  }

  #fileOf(key: string): string {
    return path.join(this.#options.folder, blake3Id(key));
  }
}

/** A view of a cache in which a plugin sees only its own entries. */
export function ownEntries(cache: DerivationCache, plugin: string): DerivationCache {
  return {
    get: (key) => cache.get(`${plugin}\0${key}`),
    set: (key, payload) => cache.set(`${plugin}\0${key}`, payload),
  };
}
