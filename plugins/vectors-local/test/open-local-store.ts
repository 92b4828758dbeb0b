import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Database as Connection } from 'better-sqlite3';
import { openVectorFile } from '../src/database/open-vector-file.ts';
import { LocalVectorStore } from '../src/local-vector-store.ts';

/** A vector file in a temporary folder, and every store that was opened on it. */
export class VectorFile {
  readonly folder = mkdtempSync(path.join(tmpdir(), 'kebab-vectors-'));
  readonly file = path.join(this.folder, 'kebab.sqlite');
  readonly #opened: LocalVectorStore[] = [];

  /** Opens a store; `prepare` gets its connection first. */
  async open(readonly = false, prepare?: (db: Connection) => void): Promise<LocalVectorStore> {
    const config = { file: this.file, readonly };
    const db = await openVectorFile(config);
    prepare?.(db);
    const store = new LocalVectorStore(db, config);
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
