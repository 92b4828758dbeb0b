import type { DerivationKind, DerivationRecords } from '../contracts/derivation-records.ts';
import type { DocumentStore, DocumentWrite, DocumentWriter } from '../contracts/document-store.ts';

/**
 * A writer that takes the lock with its first change and keeps it until it is closed: a worker prepares a file for seconds, while others
 * write. What models read in pictures is kept in memory until then.
 */
export function lateWriter(
  store: Pick<DocumentStore, 'derivation'>,
  open: () => Promise<DocumentWriter>,
): DocumentWriter {
  let writer: Promise<DocumentWriter> | undefined;
  const acquired = (): Promise<DocumentWriter> => (writer ??= open());
  const derivations = new LateDerivations(store, acquired);
  return forwarding<DocumentWriter>(acquired, {
    derivations,
    vectors: forwarding(async () => (await acquired()).vectors),
    // The document as it is: only a writer can encode it.
    prepare: (write) => ({ docId: write.document.docId, prepared: write }),
    transaction: async (change) =>
      (await acquired()).transaction((tx) =>
        change({
          putDocument: (document) =>
            tx.putDocument('prepared' in document ? (document.prepared as DocumentWrite) : document),
          deleteDocument: (id) => tx.deleteDocument(id),
          touchDocument: (...given) => tx.touchDocument(...given),
          touchDocuments: (...given) => tx.touchDocuments(...given),
        }),
      ),
    close: async () => {
      await derivations.flush();
      await (await writer?.catch(() => null))?.close();
    },
  });
}

/** An object with some members of its own, whose other methods are those of one that the first call opens. */
function forwarding<T extends object>(open: () => Promise<T>, own: Partial<T> = {}): T {
  return new Proxy(own as T, {
    get: (_, name) => {
      if (name in own || name === 'then') return own[name as keyof T];
      return async (...args: readonly unknown[]) =>
        ((await open())[name as keyof T] as (...args: readonly unknown[]) => unknown)(...args);
    },
  });
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
