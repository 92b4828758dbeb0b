import path from 'node:path';
import type { DerivationCache } from '../contracts/contribution.ts';
import { blake3Id } from '../domain/blake3.ts';
import { readRegularFile } from '../files/read-regular-file.ts';
import { writeAtomically } from '../files/write-atomically.ts';

/** Larger than any entry that is cached here. */
const MAX_ENTRY_BYTES = 16 * 2 ** 20;

/** Options of a {@link FileDerivationCache}. */
export interface FileDerivationCacheOptions {
  /** An absolute path; created with the first entry. */
  readonly folder: string;
  /** Entries are read, but none is written. */
  readonly readonly: boolean;
}

/**
 * Caches derivations across runs, one small file per entry, named by the hash of its key. It is best effort: an entry that cannot be read or
 * written is a miss.
 */
export class FileDerivationCache implements DerivationCache {
  readonly #options: FileDerivationCacheOptions;

  constructor(options: FileDerivationCacheOptions) {
    this.#options = options;
  }

  get(key: string): Uint8Array | undefined {
    try {
      return readRegularFile(this.#fileOf(key), { maxBytes: MAX_ENTRY_BYTES });
    } catch {
      return undefined;
    }
  }

  set(key: string, payload: Uint8Array): void {
    if (this.#options.readonly) return;
    try {
      writeAtomically(this.#fileOf(key), payload, { flush: false });
    } catch {
      // A full disk, or a folder that cannot be written to.
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
