import type { DerivationKind, DerivationRecords } from '../contracts/derivation-records.ts';

/** Derived bytes in memory, for tests. */
export class MemoryDerivations implements DerivationRecords {
  readonly #entries = new Map<
    string,
    { readonly kind: DerivationKind; readonly payload: Uint8Array; readonly usedAt: Date }
  >();

  get(kind: DerivationKind, key: string): Uint8Array | undefined {
    const entry = this.#entries.get(key);
    return entry?.kind === kind ? entry.payload : undefined;
  }

  set(
    kind: DerivationKind,
    entries: readonly { readonly key: string; readonly payload: Uint8Array }[],
    at: Date,
  ): void {
    for (const { key, payload } of entries)
      this.#entries.set(key, { kind, payload: this.#entries.get(key)?.payload ?? payload, usedAt: at });
  }

  touch(keys: readonly string[], at: Date): void {
    for (const key of keys) {
      const entry = this.#entries.get(key);
      if (entry !== undefined) this.#entries.set(key, { ...entry, usedAt: at });
    }
  }

  sweep(before: Date): number {
    const old = [...this.#entries].filter(([, { usedAt }]) => usedAt < before);
    for (const [key] of old) this.#entries.delete(key);
    return old.length;
  }
}
