/** What models derive. */
export type DerivationKind = 'embedding' | 'ocr' | 'caption';

/**
 * Derived bytes kept across runs. A key names everything that the derivation depends on: the content by hash, and the
 * fingerprint of the stage; so an entry never goes out of date, it only goes out of use.
 */
export interface DerivationRecords {
  get(kind: DerivationKind, key: string): Uint8Array | undefined;
  /** Keeps entries in one transaction; one that is there already is replaced. */
  set(kind: DerivationKind, entries: readonly { readonly key: string; readonly payload: Uint8Array }[], at: Date): void;
  /** Records that entries were used; unknown keys are no error. */
  touch(keys: readonly string[], at: Date): void;
  /** Removes entries that were last used before a time; returns how many. */
  sweep(before: Date): number;
}
