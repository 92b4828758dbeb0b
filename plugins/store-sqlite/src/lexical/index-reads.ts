import type { Postings } from './posting-lists.ts';
import type { RowSet } from './scoreboard.ts';

/** What is read of the index, by kind. */
interface Reads {
  /** The number of rows that match a unit of a query. */
  readonly frequency: number;
  /** The rows that match a unit, with their scores. */
  readonly postings: Postings;
  /** The rows that pass filters. */
  readonly filtered: RowSet;
}

/** In bytes: a search reads the same units and filters several times, and common words are those of most searches. */
const MAX_BYTES = 48_000_000;
/** An entry with its key. */
const ENTRY_BYTES = 100;
const POSTING_BYTES = 12;

/**
 * The cache of what was read of one state of the index, without what was not used for the longest time: to drop all at once would make
 * every long question read its lists again.
 */
export class IndexReads {
  /** Least recently used first. */
  readonly #entries = new Map<string, { readonly value: Reads[keyof Reads]; readonly bytes: number }>();
  #bytes = 0;

  has(kind: keyof Reads, key: string): boolean {
    return this.#entries.has(`${kind} ${key}`);
  }

  get<Kind extends keyof Reads>(kind: Kind, key: string): Reads[Kind] | undefined {
    const name = `${kind} ${key}`;
    const entry = this.#entries.get(name);
    if (entry === undefined) return undefined;
    this.#entries.delete(name);
    this.#entries.set(name, entry);
    return entry.value as Reads[Kind];
  }

  set<Kind extends keyof Reads>(kind: Kind, key: string, value: Reads[Kind]): void {
    const name = `${kind} ${key}`;
    this.#drop(name);
    const bytes = ENTRY_BYTES + bytesOf(value);
    this.#entries.set(name, { value, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= MAX_BYTES || oldest === name) break;
      this.#drop(oldest);
    }
  }

  clear(): void {
    this.#entries.clear();
    this.#bytes = 0;
  }

  #drop(name: string): void {
    this.#bytes -= this.#entries.get(name)?.bytes ?? 0;
    this.#entries.delete(name);
  }
}

function bytesOf(value: Reads[keyof Reads]): number {
  if (typeof value === 'number') return 0;
  return 'bits' in value ? value.bits.length : value.rows.length * POSTING_BYTES;
}
