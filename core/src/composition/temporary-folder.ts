import { mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { makeFolder } from '../files/write-atomically.ts';

/** A folder of one App for exchanging files: created on first use, removed with its content at the end. */
export class TemporaryFolder {
  readonly parent: string;
  #path: string | null = null;

  constructor(parent: string) {
    this.parent = parent;
  }

  get path(): string {
    if (this.#path === null) {
      makeFolder(this.parent);
      this.#path = mkdtempSync(path.join(this.parent, 'kebab-'));
    }
    return this.#path;
  }

  /** A folder that cannot be removed is left: the system eventually clears such folders. */
  remove(): void {
    const made = this.#path;
    this.#path = null;
    if (made === null) return;
    try {
      rmSync(made, { recursive: true, force: true, maxRetries: 2 });
    } catch {
      // A file in it may be held open, by a program that a plugin started.
    }
  }
}
