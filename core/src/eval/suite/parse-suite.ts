import { nearestName } from '../../errors/nearest-name.ts';
import type { GoldenQuery } from './golden-query.ts';

/** What a suite holds, and what is wrong with it: one line for each mistake. Entries with a mistake are left out. */
export interface ParsedSuite {
  readonly queries: readonly GoldenQuery[];
  readonly problems: readonly string[];
}

const KEYS = [
  'id',
  'query',
  'lang',
  'expected_doc_ids',
  'expected_doc_paths',
  'expected_chunk_ids',
  'expected_uris',
  'must_contain',
  'forbidden',
  'answerable',
  'difficulty',
  'group',
] as const;
type Key = (typeof KEYS)[number];

/** Reads a parsed YAML file as a golden suite. A key without a value counts as absent. */
export function parseSuite(content: unknown): ParsedSuite {
  if (!Array.isArray(content)) return { queries: [], problems: ['a golden suite is a list of queries'] };
  if (content.length === 0) return { queries: [], problems: ['the suite holds no query'] };
  const problems: string[] = [];
  const entries = content.flatMap((value: unknown, at) => {
    if (isMapping(value)) return [new Entry(value, `entry ${at + 1}`)];
    problems.push(`entry ${at + 1}: is not a mapping with id and query`);
    return [];
  });
  const queries = entries.map((entry) => entry.query());
  return {
    queries: queries.filter((_, at) => entries[at]?.problems.length === 0),
    problems: [...problems, ...entries.flatMap((entry) => entry.problems), ...duplicates(queries.map(({ id }) => id))],
  };
}

/** One entry of a suite while it is read; what is wrong with it gathers in `problems`. */
class Entry {
  readonly #problems: string[] = [];
  readonly #fields: Readonly<Record<string, unknown>>;
  readonly #name: string;

  /** `place` names an entry that has no id. */
  constructor(fields: Readonly<Record<string, unknown>>, place: string) {
    this.#fields = fields;
    const { id } = fields;
    this.#name = typeof id === 'string' && id.trim() !== '' ? id : place;
    this.#checkKeys();
  }

  get problems(): readonly string[] {
    return this.#problems;
  }

  query(): GoldenQuery {
    return {
      id: this.#required('id'),
      query: this.#required('query'),
      lang: this.#text('lang'),
      expectedDocIds: this.#texts('expected_doc_ids'),
      expectedDocPaths: this.#texts('expected_doc_paths'),
      expectedChunkIds: this.#texts('expected_chunk_ids'),
      expectedUris: this.#texts('expected_uris'),
      mustContain: this.#texts('must_contain'),
      forbidden: this.#texts('forbidden'),
      answerable: this.#flag('answerable', true),
      difficulty: this.#text('difficulty'),
      group: this.#text('group'),
    };
  }

  #checkKeys(): void {
    const unknown = Object.keys(this.#fields).filter((key) => !(KEYS as readonly string[]).includes(key));
    for (const key of unknown) {
      const nearest = nearestName(key, KEYS);
      this.#problem(`unknown key ${JSON.stringify(key)}${nearest === undefined ? '' : `; did you mean ${nearest}?`}`);
    }
  }

  #required(key: Key): string {
    const value = this.#text(key)?.trim() ?? '';
    const isText = typeof (this.#value(key) ?? '') === 'string';
    if (value === '' && isText) this.#problem(`${key} is missing`);
    return value;
  }

  #text(key: Key): string | null {
    const value = this.#value(key);
    if (value === null || typeof value === 'string') return value;
    this.#problem(`${key} is no text; put it in quotes`);
    return null;
  }

  #texts(key: Key): readonly string[] {
    const value = this.#value(key);
    if (value === null) return [];
    const isList = Array.isArray(value) && value.every((item) => typeof item === 'string' && item !== '');
    if (isList) return value as readonly string[];
    this.#problem(`${key} is no list of texts; put each in quotes`);
    return [];
  }

  #flag(key: Key, whenAbsent: boolean): boolean {
    const value = this.#value(key);
    if (typeof value === 'boolean') return value;
    if (value !== null) this.#problem(`${key} is neither true nor false`);
    return whenAbsent;
  }

  #value(key: Key): unknown {
    return Object.hasOwn(this.#fields, key) ? (this.#fields[key] ?? null) : null;
  }

  #problem(text: string): void {
    this.#problems.push(`${this.#name}: ${text}`);
  }
}

function isMapping(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

function duplicates(ids: readonly string[]): readonly string[] {
  const twice = ids.filter((id, at) => id !== '' && ids.indexOf(id) < at);
  return [...new Set(twice)].map((id) => `${id}: the id occurs more than once`);
}
