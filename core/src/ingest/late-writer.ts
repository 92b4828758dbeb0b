import type { DerivationKind, DerivationRecords } from '../contracts/derivation-records.ts';
import type {
  DocumentStore,
  DocumentTransaction,
  DocumentWrite,
  DocumentWriter,
  PreparedDocument,
} from '../contracts/document-store.ts';
import type { VectorLedgerWriter } from '../contracts/vector-ledger.ts';

/**
 * A writer that takes the lock with its first change and keeps it until it is closed: a worker prepares a file for seconds, while others
 * write. What models read in pictures is kept in memory until then.
 */
export class LateWriter implements DocumentWriter {
  readonly derivations: LateDerivations;
  readonly vectors: VectorLedgerWriter;
  readonly #open: () => Promise<DocumentWriter>;
  #writer: Promise<DocumentWriter> | undefined;

  constructor(store: Pick<DocumentStore, 'derivation'>, open: () => Promise<DocumentWriter>) {
    this.#open = open;
    const acquired = (): Promise<DocumentWriter> => this.acquired();
    this.derivations = new LateDerivations(store, acquired);
    this.vectors = {
      begin: async (...given) => (await acquired()).vectors.begin(...given),
      commit: async (...given) => (await acquired()).vectors.commit(...given),
      doubt: async (...given) => (await acquired()).vectors.doubt(...given),
      forget: async (...given) => (await acquired()).vectors.forget(...given),
      forgetCollection: async (...given) => (await acquired()).vectors.forgetCollection(...given),
    };
  }

  /** The writer, with the lock. */
  acquired(): Promise<DocumentWriter> {
    this.#writer ??= this.#open();
    return this.#writer;
  }

  /** The document as it is: only a writer can encode it. */
  prepare(write: DocumentWrite): PreparedDocument {
    return { docId: write.document.docId, prepared: write };
  }

  async transaction(change: (tx: DocumentTransaction) => void): Promise<void> {
    const writer = await this.acquired();
    await writer.transaction((tx) =>
      change({
        putDocument: (document) =>
          tx.putDocument('prepared' in document ? (document.prepared as DocumentWrite) : document),
        deleteDocument: (id) => tx.deleteDocument(id),
        touchDocument: (...given) => tx.touchDocument(...given),
        touchDocuments: (...given) => tx.touchDocuments(...given),
      }),
    );
  }

  async sweepAssets(): ReturnType<DocumentWriter['sweepAssets']> {
    return (await this.acquired()).sweepAssets();
  }

  async setIndexedRoot(...given: Parameters<DocumentWriter['setIndexedRoot']>): Promise<void> {
    await (await this.acquired()).setIndexedRoot(...given);
  }

  async setSeen(...given: Parameters<DocumentWriter['setSeen']>): Promise<void> {
    await (await this.acquired()).setSeen(...given);
  }

  async recordRun(...given: Parameters<DocumentWriter['recordRun']>): Promise<void> {
    await (await this.acquired()).recordRun(...given);
  }

  async setQuarantine(...given: Parameters<DocumentWriter['setQuarantine']>): Promise<void> {
    await (await this.acquired()).setQuarantine(...given);
  }

  async close(): Promise<void> {
    await this.derivations.flush();
    await (await this.#writer?.catch(() => null))?.close();
  }
}

type Entry = Parameters<DerivationRecords['set']>[1][number];

/** Reads without the lock, and writes when the writer is closed. */
class LateDerivations implements DerivationRecords {
  readonly #store: Pick<DocumentStore, 'derivation'>;
  readonly #acquired: () => Promise<DocumentWriter>;
  readonly #unwritten: { readonly kind: DerivationKind; readonly entries: readonly Entry[]; readonly at: Date }[] = [];

  constructor(store: Pick<DocumentStore, 'derivation'>, acquired: () => Promise<DocumentWriter>) {
    this.#store = store;
    this.#acquired = acquired;
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

  async sweep(before: Date): Promise<number> {
    return (await this.#acquired()).derivations.sweep(before);
  }

  async flush(): Promise<void> {
    const unwritten = this.#unwritten.splice(0);
    if (unwritten.length === 0) return;
    const { derivations } = await this.#acquired();
    for (const { kind, entries, at } of unwritten) await derivations.set(kind, entries, at);
  }
}
