import type { YAMLError } from 'yaml';
import * as z from 'zod';
import { canonicalJson } from '../../domain/json.ts';
import { invalidInput, nearestName } from '../../errors/invalid-input.ts';
import { KebabError } from '../../errors/kebab-error.ts';
import { readRegularText } from '../../files/read-regular-file.ts';

const NO_TEXT = 'is not text; put it in quotes';
const NO_TEXTS = 'is not a list of texts; put each in quotes';

const MISSING = 'is missing';
const requiredText = z
  .string({ error: ({ input }) => (input === undefined || input === null ? MISSING : NO_TEXT) })
  .trim()
  .min(1, MISSING);
const optionalText = z
  .string(NO_TEXT)
  .nullish()
  .transform((value) => value ?? null);
const textList = z
  .array(z.string(NO_TEXTS).min(1, NO_TEXTS), NO_TEXTS)
  .nullish()
  .transform((value): readonly string[] => value ?? []);

/** One query of a golden suite with all expectations of its hits and of its answer. A key without a value counts as absent. */
const GoldenQuerySchema = z.strictObject({
  /** Unique in its suite. */
  id: requiredText,
  query: requiredText,
  lang: optionalText,
  expected_doc_ids: textList,
  /** An alternative to ids: paths inside their source. */
  expected_doc_paths: textList,
  expected_chunk_ids: textList,
  /** An alternative to ids: every chunk that intersects the range of one of them is expected. */
  expected_uris: textList,
  /** Strings that the answer must contain verbatim. */
  must_contain: textList,
  /** Strings that the answer must not contain. */
  forbidden: textList,
  /** False: the correct answer is a refusal. */
  answerable: z
    .boolean('is neither true nor false')
    .nullish()
    .transform((value) => value ?? true),
  difficulty: optionalText,
  /** Queries of one group are paraphrases, so they have the same expectations. */
  group: optionalText,
});

/** One query of a golden suite with all expectations of its hits and of its answer. */
export type GoldenQuery = Readonly<z.infer<typeof GoldenQuerySchema>>;

/** The content of a suite, and its mistakes, one line each. Entries with a mistake are left out. */
interface ParsedSuite {
  readonly queries: readonly GoldenQuery[];
  readonly problems: readonly string[];
}

/** Parses the content of a YAML file as a golden suite. */
export function parseSuite(content: unknown): ParsedSuite {
  if (!Array.isArray(content)) return { queries: [], problems: ['a golden suite is a list of queries'] };
  if (content.length === 0) return { queries: [], problems: ['the suite holds no query'] };
  const queries: GoldenQuery[] = [];
  const problems: string[] = [];
  const ids: string[] = [];
  for (const [at, value] of content.entries()) {
    if (!isMapping(value)) {
      problems.push(`entry ${at + 1}: is not a mapping with id and query`);
      continue;
    }
    const id = typeof value['id'] === 'string' ? value['id'] : '';
    ids.push(id.trim());
    const parsed = GoldenQuerySchema.safeParse(value);
    if (parsed.success) queries.push(parsed.data);
    const name = id.trim() === '' ? `entry ${at + 1}` : id;
    const found = new Set(parsed.error?.issues.flatMap(problemsIn));
    problems.push(...[...found].map((problem) => `${name}: ${problem}`));
  }
  return { queries, problems: [...problems, ...duplicates(ids)] };
}

function problemsIn(issue: z.core.$ZodIssue): readonly string[] {
  if (issue.code !== 'unrecognized_keys') return [`${String(issue.path[0])} ${issue.message}`];
  return issue.keys.map((key) => {
    const nearest = nearestName(key, Object.keys(GoldenQuerySchema.shape));
    return `unknown key ${JSON.stringify(key)}${nearest === undefined ? '' : `; did you mean ${nearest}?`}`;
  });
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
    set(query.expected_doc_ids),
    set(query.expected_doc_paths),
    set(query.expected_chunk_ids),
    set(query.expected_uris),
    set(query.must_contain),
    set(query.forbidden),
    query.answerable,
  ]);
}

function set(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].toSorted();
}
