import path from 'node:path';
import type { DerivationCache } from '../contracts/contribution.ts';
import { blake3Id } from '../domain/blake3.ts';
import { readRegularFile } from '../files/read-regular-file.ts';
import { writeAtomically } from '../files/write-atomically.ts';

/** Larger than anything that is remembered here. */
const MAX_ENTRY_BYTES = 16 * 2 ** 20;

/** What a cache of files is made with. */
export interface FileDerivationCacheOptions {
  /** An absolute path; made with the first entry. */
  readonly folder: string;
  /** Remembers for the life of the process only. */
  readonly readonly: boolean;
}

/**
 * Remembers derivations across runs, a small file each, named by the hash of its key. It is a convenience: what cannot be
 * read counts as forgotten, and what cannot be written is remembered until the process ends.
 */
export class FileDerivationCache implements DerivationCache {
  readonly #options: FileDerivationCacheOptions;
  readonly #known = new Map<string, Uint8Array>();

  constructor(options: FileDerivationCacheOptions) {
    this.#options = options;
  }

  get(key: string): Uint8Array | undefined {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    try {
      return readRegularFile(this.#fileOf(key), { maxBytes: MAX_ENTRY_BYTES });
    } catch {
      return undefined;
    }
  }

  set(key: string, payload: Uint8Array): void {
    this.#known.set(key, payload);
    if (this.#options.readonly) return;
    try {
      writeAtomically(this.#fileOf(key), payload, { flush: false });
    } catch {
      // a full disk or a folder that cannot be written: remembered in memory
    }
  }

  #fileOf(key: string): string {
    return path.join(this.#options.folder, blake3Id(key));
  }
}

/** A cache of which one plugin sees its own entries only. */
export function ownEntries(cache: DerivationCache, plugin: string): DerivationCache {
  return {
    get: (key) => cache.get(`${plugin}\0${key}`),
    set: (key, payload) => cache.set(`${plugin}\0${key}`, payload),
  };
}
