/** The kinds of model output that are kept. */
export type DerivationKind = 'embedding' | 'ocr' | 'caption';

/**
 * Derived bytes kept across runs. A key covers everything that the derivation depends on: the hash of the content, and the fingerprint of
 * the stage. An entry is therefore never stale, only unused.
 */
export interface DerivationRecords {
  /** The entries under these keys; keys without one are left out. */
  get(kind: DerivationKind, keys: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>;
  /** Stores entries in one transaction, replacing existing ones. */
  set(
    kind: DerivationKind,
    entries: readonly { readonly key: string; readonly payload: Uint8Array }[],
    at: Date,
  ): Promise<void>;
  /** Records that entries were used; unknown keys are ignored. */
  touch(keys: readonly string[], at: Date): Promise<void>;
  /** Removes entries that were last used before a time; returns their number. */
  sweep(before: Date): Promise<number>;
}
