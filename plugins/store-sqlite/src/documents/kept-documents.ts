import type { DocumentRow } from '@kebab/core/store';
import { LRU } from 'tiny-lru';
import { valuesOf, type Statements } from '../database/statements.ts';

/** What chunks have from their document, but for its blocks. */
export interface KeptDocument {
  readonly row: DocumentRow;
  readonly title: string;
  readonly policyHash: string;
}

/** So many are kept, one or two kilobytes each. */
const MAX_KEPT = 512;

/** Another number whenever another connection has committed, and whenever this one has changed a row. */
const OTHERS = valuesOf<number>('PRAGMA data_version');
const OWN = valuesOf<number>('SELECT total_changes()');

/** The documents that were shown lately, forgotten as soon as anything in the database has changed. */
export class KeptDocuments {
  readonly #statements: Statements;
  readonly #documents = new LRU<KeptDocument>(MAX_KEPT);
  #snapshot = '';

  constructor(statements: Statements) {
    this.#statements = statements;
  }

  /** Those of the snapshot that the transaction at hand reads. What it has written itself can be undone, and must not be put here. */
  now(): LRU<KeptDocument> {
    const snapshot = `${this.#statements.value(OTHERS)} ${this.#statements.value(OWN)}`;
    if (snapshot !== this.#snapshot) this.#documents.clear();
    this.#snapshot = snapshot;
    return this.#documents;
  }
}
