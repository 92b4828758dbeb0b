import type { YAMLError } from 'yaml';
import { canonicalJson } from '../../domain/json.ts';
import { invalidInput, nearestName } from '../../errors/invalid-input.ts';
import { KebabError } from '../../errors/kebab-error.ts';
import { readRegularText } from '../../files/read-regular-file.ts';

/** The content of a suite, and its mistakes, one line each. Entries with a mistake are left out. */
interface ParsedSuite {
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

/** Parses the content of a YAML file as a golden suite. A key without a value counts as absent. */
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

/** One entry of a suite while it is parsed; its mistakes are collected in `problems`. */
class Entry {
  readonly #problems: string[] = [];
  readonly #fields: Readonly<Record<string, unknown>>;
  readonly #name: string;

  /** `place` identifies an entry without an id. */
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
    this.#problem(`${key} is not text; put it in quotes`);
    return null;
  }

  #texts(key: Key): readonly string[] {
    const value = this.#value(key);
    if (value === null) return [];
    const isList = Array.isArray(value) && value.every((item) => typeof item === 'string' && item !== '');
    if (isList) return value as readonly string[];
    this.#problem(`${key} is not a list of texts; put each in quotes`);
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

/**
 * Reads a YAML file as plain values; only data is supported. Throws `io_error` for a file that cannot be read, and `invalid_input` for
 * invalid YAML.
 */
export async function readSuite(file: string): Promise<unknown> {
  const text = readText(file).replace(/^\uFEFF/, '');
  const { parseYaml } = await import('../../config/load-config.ts');
  try {
    return await parseYaml(text);
  } catch (error) {
    const { message, linePos: [at] = [] } = error as YAMLError;
    const place = at === undefined ? '' : `:${at.line}:${at.col}`;
    const reason = message.split(' at line ', 1)[0] ?? '';
    throw invalidInput(`${file}${place} is not YAML: ${reason}`, {
      field: 'suite',
      value: file,
      hint: 'a golden suite is a YAML list of mappings, each with id and query',
    });
  }
}

/** Enough for a hundred thousand questions. */
const MAX_SUITE_BYTES = 64 * 2 ** 20;

function readText(file: string): string {
  try {
    return readRegularText(file, { maxBytes: MAX_SUITE_BYTES });
  } catch (error) {
    const kind = (error as NodeJS.ErrnoException).code ?? 'EIO';
    const why = kind === 'ENOENT' ? 'there is no such file' : `it cannot be read (${kind})`;
    throw new KebabError('io_error', `golden suite ${file}: ${why}`, {
      details: { kind, path: file, cause: why },
      cause: error,
      hint: 'name one with --suite PATH or KEBAB_EVAL_GOLDEN',
    });
  }
}

/** One line for each query whose expectations differ from those of the first query of its group. */
export function groupProblems(queries: readonly GoldenQuery[]): readonly string[] {
  const first = new Map<string, GoldenQuery>();
  return queries.flatMap((query) => {
    if (query.group === null) return [];
    const other = first.get(query.group);
    if (other === undefined) first.set(query.group, query);
    if (other === undefined || expectationsOf(other) === expectationsOf(query)) return [];
    return [`${query.id}: expects something else than ${other.id} of the same group ${JSON.stringify(query.group)}`];
  });
}

/** The expectations of a query in a canonical form, regardless of order and repetition. */
function expectationsOf(query: GoldenQuery): string {
  return canonicalJson([
    set(query.expectedDocIds),
    set(query.expectedDocPaths),
    set(query.expectedChunkIds),
    set(query.expectedUris),
    set(query.mustContain),
    set(query.forbidden),
    query.answerable,
  ]);
}

function set(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].toSorted();
}

/** One query of a golden suite with all expectations of its hits and of its answer. */
export interface GoldenQuery {
  /** Unique in its suite. */
  readonly id: string;
  readonly query: string;
  readonly lang: string | null;
  readonly expectedDocIds: readonly string[];
  /** An alternative to ids: paths inside their source. */
  readonly expectedDocPaths: readonly string[];
  readonly expectedChunkIds: readonly string[];
  /** An alternative to ids: every chunk that intersects the range of one of them is expected. */
  readonly expectedUris: readonly string[];
  /** Strings that the answer must contain verbatim. */
  readonly mustContain: readonly string[];
  /** Strings that the answer must not contain. */
  readonly forbidden: readonly string[];
  /** False: the correct answer is a refusal. */
  readonly answerable: boolean;
  readonly difficulty: string | null;
  /** Queries of one group are paraphrases, so they have the same expectations. */
  readonly group: string | null;
}
