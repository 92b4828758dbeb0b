import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Database as Connection } from 'better-sqlite3';
import { openVectorFile } from '../src/database/open-vector-file.ts';
import { LocalVectorStore } from '../src/local-vector-store.ts';
import type { CollectionSize } from '../src/collection-size.ts';

/** A threshold with which every collection is large. */
export const ALWAYS: CollectionSize = { minVectors: 1, minDimensions: 0, minBytes: 0 };
/** A threshold with which no collection is large, as in a version without signs. */
export const NEVER: CollectionSize = { minVectors: Infinity, minDimensions: 0, minBytes: 0 };

/** A vector file in a temporary folder, and every store that was opened on it. */
export class VectorFile {
  readonly folder = mkdtempSync(path.join(tmpdir(), 'kebab-vectors-'));
  readonly file = path.join(this.folder, 'kebab.sqlite');
  readonly #opened: LocalVectorStore[] = [];
  readonly #large: CollectionSize | undefined;

  /** `large`: the size from which on collections have signs. */
  constructor(large?: CollectionSize) {
    this.#large = large;
  }

  /** Opens a store; `prepare` gets its connection first. */
  async open(
    readonly = false,
    prepare?: (db: Connection) => void,
    large: CollectionSize | undefined = this.#large,
  ): Promise<LocalVectorStore> {
    const config = { file: this.file, readonly };
    const db = await openVectorFile(config);
    prepare?.(db);
    const store = new LocalVectorStore(db, config, large === undefined ? {} : { large });
    this.#opened.push(store);
    return store;
  }

  closeAll(): void {
    for (const store of this.#opened.splice(0)) store.close();
  }

  remove(): void {
    this.closeAll();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
