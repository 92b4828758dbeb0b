import type { DerivationCache } from '../contracts/contribution.ts';

/** Remembers derivations for the life of the process only: what a plugin gets where no database is open. */
export class MemoryDerivationCache implements DerivationCache {
  readonly #entries = new Map<string, Uint8Array>();

  get(key: string): Uint8Array | undefined {
    return this.#entries.get(key);
  }
  set(key: string, payload: Uint8Array): void {
    this.#entries.set(key, payload);
  }
}
