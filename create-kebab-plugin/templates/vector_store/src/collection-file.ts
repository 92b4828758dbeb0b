import { readFileSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { KebabError, writeAtomically, type EmbeddingId, type VectorRecord } from '@kebab/plugin';

/** A collection in memory. */
export interface Collection {
  readonly dimensions: number;
  readonly records: ReadonlyMap<EmbeddingId, VectorRecord>;
}

/** A record in the file, with the numbers of its vector as base64. */
type Written = Omit<VectorRecord, 'vector'> & { readonly vector: string };

/** The files of a folder, one per collection, each replaced atomically. */
export class CollectionFiles {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The names of all collections, sorted. */
  names(): readonly string[] {
    try {
      const files = readdirSync(this.#folder).filter((file) => file.endsWith('.json'));
      return files.map((file) => decodeURIComponent(file.slice(0, -'.json'.length))).toSorted();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw unreachable(this.#folder, error);
    }
  }

  /** Reads a collection; null when it does not exist. Throws `vector_store_unreachable` for a damaged file. */
  read(name: string): Collection | null {
    let text: string;
    try {
      text = readFileSync(this.#file(name), 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw unreachable(this.#folder, error);
    }
    try {
      const { dimensions, records } = JSON.parse(text) as { dimensions: number; records: readonly Written[] };
      return { dimensions, records: new Map(records.map((record) => [record.embeddingId, revived(record)])) };
    } catch (error) {
      throw unreachable(this.#folder, error);
    }
  }

  /** Replaces a collection atomically: a reader sees the old one or the new one. */
  write(name: string, { dimensions, records }: Collection): void {
    const written = [...records.values()].map((record) => ({ ...record, vector: base64Of(record.vector) }));
    writeAtomically(this.#file(name), JSON.stringify({ dimensions, records: written }));
  }

  remove(name: string): void {
    rmSync(this.#file(name), { force: true });
  }

  #file(name: string): string {
    return path.join(this.#folder, `${encodeURIComponent(name)}.json`);
  }
}

/** The error for unusable vectors, with its cause. */
export function unreachable(store: string, cause: unknown): KebabError<'vector_store_unreachable'> {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new KebabError('vector_store_unreachable', `the vectors in ${store} cannot be used: ${why}`, {
    details: { store, endpoint: null, cause: why },
    hint: 'make them again: `kebab reset --vector-only`, then `kebab ingest`',
  });
}

function base64Of({ buffer, byteOffset, byteLength }: Float32Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64');
}

function revived({ vector, payload, ...ids }: Written): VectorRecord {
  const bytes = Uint8Array.from(Buffer.from(vector, 'base64'));
  const time = payload === undefined ? {} : { payload: { ...payload, committedAt: new Date(payload.committedAt) } };
  return { ...ids, vector: new Float32Array(bytes.buffer), ...time };
}
