import type { DerivationKind, DerivationRecords } from '../contracts/derivation-records.ts';
import type { DocumentStore, DocumentTransaction, DocumentWriter } from '../contracts/document-store.ts';
import type { VectorLedgerWriter } from '../contracts/vector-ledger.ts';

/** The lock is kept so long for a change that follows at once, as those at the end of a run do. */
const LINGER_MS = 20;

/**
 * A writer that takes the lock for each change: a worker prepares a file for seconds, while others write. What models read in pictures is
 * kept in memory until the next change.
 */
export class LateWriter implements DocumentWriter {
  readonly derivations: LateDerivations;
  readonly vectors: VectorLedgerWriter;
  readonly #open: () => Promise<DocumentWriter>;
  #writer: DocumentWriter | undefined;
  #isHeld = false;
  #release: NodeJS.Timeout | undefined;
  /** The end of the changes so far; a change begins when the one before it has ended. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(store: Pick<DocumentStore, 'derivation'>, open: () => Promise<DocumentWriter>) {
    this.#open = open;
    this.derivations = new LateDerivations(store, (change) => this.#change(({ derivations }) => change(derivations)));
    this.vectors = {
      // The vectors are written between these two, and nobody else may take them for vectors without a record meanwhile.
      begin: (...given) => this.#change(({ vectors }) => vectors.begin(...given), { keepsLock: true }),
      commit: (...given) => this.#change(({ vectors }) => vectors.commit(...given)),
      doubt: (...given) => this.#change(({ vectors }) => vectors.doubt(...given)),
      forget: (...given) => this.#change(({ vectors }) => vectors.forget(...given)),
      forgetCollection: (...given) => this.#change(({ vectors }) => vectors.forgetCollection(...given)),
    };
  }

  /** Takes the lock, and keeps it until this is closed. */
  async hold(): Promise<void> {
    this.#isHeld = true;
    await this.#change(async () => {});
  }

  transaction(change: (tx: DocumentTransaction) => void): Promise<void> {
    return this.#change((writer) => writer.transaction(change));
  }

  readonly sweepAssets: DocumentWriter['sweepAssets'] = () => this.#change((writer) => writer.sweepAssets());
  readonly setIndexedRoot: DocumentWriter['setIndexedRoot'] = (...given) =>
    this.#change((writer) => writer.setIndexedRoot(...given));
  readonly setSeen: DocumentWriter['setSeen'] = (...given) => this.#change((writer) => writer.setSeen(...given));
  readonly recordRun: DocumentWriter['recordRun'] = (...given) => this.#change((writer) => writer.recordRun(...given));
  readonly setQuarantine: DocumentWriter['setQuarantine'] = (...given) =>
    this.#change((writer) => writer.setQuarantine(...given));

  async close(): Promise<void> {
    await this.#last;
    try {
      if (this.derivations.isWaiting) await this.#change(async () => {});
    } finally {
      clearTimeout(this.#release);
      this.#unlock();
      await this.#last;
    }
  }

  #change<T>(change: (writer: DocumentWriter) => Promise<T>, { keepsLock = false } = {}): Promise<T> {
    const changed = this.#last.then(async () => {
      clearTimeout(this.#release);
      this.#writer ??= await this.#open();
      try {
        const result = await change(this.#writer);
        await this.derivations.flush(this.#writer);
        return result;
      } finally {
        if (!keepsLock && !this.#isHeld) this.#release = setTimeout(() => this.#unlock(), LINGER_MS);
      }
    });
    this.#last = changed.catch(() => {});
    return changed;
  }

  /** No change is in progress: one that begins waits for the end of this. */
  #unlock(): void {
    const writer = this.#writer;
    this.#writer = undefined;
    if (writer !== undefined) this.#last = this.#last.then(() => writer.close()).catch(() => {});
  }
}

type ChangeOfRecords = <T>(change: (records: DerivationRecords) => Promise<T>) => Promise<T>;
type Entry = Parameters<DerivationRecords['set']>[1][number];

/** Reads without the lock, and writes with the next change. */
class LateDerivations implements DerivationRecords {
  readonly #store: Pick<DocumentStore, 'derivation'>;
  readonly #change: ChangeOfRecords;
  readonly #unwritten: { readonly kind: DerivationKind; readonly entries: readonly Entry[]; readonly at: Date }[] = [];

  constructor(store: Pick<DocumentStore, 'derivation'>, change: ChangeOfRecords) {
    this.#store = store;
    this.#change = change;
  }

  get isWaiting(): boolean {
    return this.#unwritten.length > 0;
  }

  async get(kind: DerivationKind, keys: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>> {
    const found = new Map<string, Uint8Array>();
    for (const { kind: of, entries } of this.#unwritten)
      for (const { key, payload } of entries) if (of === kind && keys.includes(key)) found.set(key, payload);
    for (const key of keys) {
      const payload = found.get(key) ?? (await this.#store.derivation?.(kind, key));
      if (payload !== undefined) found.set(key, payload);
    }
    return found;
  }

  async set(kind: DerivationKind, entries: readonly Entry[], at: Date): Promise<void> {
    this.#unwritten.push({ kind, entries, at });
  }

  /** A worker leaves this to the next ingest. */
  async touch(): Promise<void> {}

  sweep(before: Date): Promise<number> {
    return this.#change((records) => records.sweep(before));
  }

  async flush({ derivations }: Pick<DocumentWriter, 'derivations'>): Promise<void> {
    for (const { kind, entries, at } of this.#unwritten.splice(0)) await derivations.set(kind, entries, at);
  }
}
