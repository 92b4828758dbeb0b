import { parseDocumentId } from '../domain/ids.ts';
import { MEDIA, SOURCE_TYPES, TRUST_LEVELS } from '../domain/kinds.ts';
import { dayOf, readAgo, readPeriod, type Ago } from '../domain/period.ts';
import type { AskedFilters, SearchFilters } from '../domain/query.ts';
import { clipped, invalidInput } from '../errors/invalid-input.ts';
import { camelCase, type CamelCased, type FieldOf, type Fields, type RequestOf } from '../schema/field.ts';
import { checkMember, readRequest, type RequestObject } from './read-request.ts';

/** The maximum number of values of a filter without a closed set: looking up more would block other calls of a server. */
const MAX_VALUES = 1000;

/** The filters: all that are given must hold, the values of one filter are alternatives. */
export const FILTERS = {
  tag: {
    kind: 'texts',
    synonyms: ['tags'],
    max: MAX_VALUES,
    placeholder: 'TAG',
    doc: 'documents with this tag, or one below it: work finds work/backend',
    description: 'One of these tags, or one below it (work: work/backend).',
  },
  lang: {
    kind: 'texts',
    max: MAX_VALUES,
    commas: true,
    placeholder: 'LANG',
    doc: 'documents in this language',
    description: 'In one of these languages.',
  },
  path_glob: {
    kind: 'texts',
    synonyms: ['glob', 'globs', 'path', 'paths', 'include', 'file', 'files', 'folder', 'dir', 'directory', 'pattern'],
    max: MAX_VALUES,
    placeholder: 'GLOB',
    doc: 'documents by path: a name or glob without / in any folder (*.ts), one with / from the top (src/**/*.ts), or a path as kebab prints it',
    description: 'Names or globs in any folder (*.go), or from the top (src/**/*.go).',
  },
  trust_min: {
    kind: 'enum',
    values: TRUST_LEVELS,
    isFilter: true,
    placeholder: 'LEVEL',
    doc: 'documents trusted at least this much: primary, secondary or generated',
    description: 'At least this trust: primary > secondary > generated.',
  },
  media: {
    kind: 'texts',
    values: MEDIA,
    aliases: { md: 'markdown', txt: 'text' },
    commas: true,
    placeholder: 'MEDIA',
    doc: 'documents of this kind',
    description: 'Kinds of document; md is markdown, txt text.',
  },
  since: {
    kind: 'time',
    placeholder: 'DATE',
    doc: 'documents dated on or after this: 2026-01-02, 2w, 3d, 6m, 1y',
    description: 'Dated (front matter, else file time) on or after 2026-01-02, or 2w, 3d, 1y ago.',
  },
  until: {
    kind: 'time',
    placeholder: 'DATE',
    doc: 'documents dated on or before this',
    description: 'Dated on or before this.',
  },
  ingested_after: {
    kind: 'time',
    placeholder: 'DATE',
    doc: 'documents whose current version was indexed on or after this',
    description: 'Indexed on or after this, as in 2026-03-01T00:00:00Z.',
  },
  doc_id: {
    kind: 'texts',
    max: MAX_VALUES,
    placeholder: 'ID',
    doc: 'this document',
    description: 'These documents only.',
  },
  repo: {
    kind: 'texts',
    max: MAX_VALUES,
    placeholder: 'NAME',
    doc: 'code of this repository',
    description: 'Code of these repositories.',
  },
  code_lang: {
    kind: 'texts',
    max: MAX_VALUES,
    commas: true,
    placeholder: 'LANG',
    doc: 'code in this language',
    description: 'Code in these programming languages.',
  },
  source: {
    kind: 'texts',
    max: MAX_VALUES,
    commas: true,
    placeholder: 'ID',
    doc: 'documents of this source',
    description: 'Ids of sources.',
  },
  source_type: {
    kind: 'texts',
    values: SOURCE_TYPES,
    commas: true,
    placeholder: 'TYPE',
    doc: 'documents of this type',
    description: 'What the document is to its owner.',
  },
} as const satisfies Fields;

/** The filters of a request, unparsed. */
export type FilterRequest = RequestOf<typeof FILTERS>;

type FilterKey = keyof typeof FILTERS;

/** The key of every filter with its member of {@link SearchFilters}. */
export const FILTER_KEYS: readonly { readonly key: FilterKey; readonly member: keyof CamelCased<FilterRequest> }[] = (
  Object.keys(FILTERS) as FilterKey[]
).map((key) => ({ key, member: camelCase(key) as keyof CamelCased<FilterRequest> }));

/**
 * Parses the filters of a request that has no other members. An empty list filters nothing. Throws `invalid_input` for an unknown key (with
 * the nearest known one), a value of the wrong type, and a value outside a closed set.
 */
export function parseFilters(request: RequestObject): AskedFilters {
  return readFilters(readRequest(request, FILTERS));
}

/** Like {@link parseFilters}, for a request that has been checked. */
export function readFilters(request: FilterRequest): AskedFilters {
  const filters: Partial<Record<keyof AskedFilters, unknown>> = {};
  for (const { key, member } of FILTER_KEYS) {
    const value = request[key];
    const parsed = value === undefined ? undefined : parseFilter(key, value);
    if (parsed !== undefined) filters[member] = parsed;
  }
  return filters as AskedFilters;
}

/** Resolves relative times against `now`. `until` includes the whole of the day that it names. */
export function resolveFilterDates({ since, until, ingestedAfter, ...others }: AskedFilters, now: Date): SearchFilters {
  const dateOf = (time: Date | Ago, edge: 'start' | 'end'): Date =>
    time instanceof Date ? time : dayOf(time, now)[edge];
  return {
    ...others,
    ...(since === undefined ? {} : { since: dateOf(since, 'start') }),
    ...(until === undefined ? {} : { until: dateOf(until, 'end') }),
    ...(ingestedAfter === undefined ? {} : { ingestedAfter: dateOf(ingestedAfter, 'start') }),
  };
}

function parseFilter(key: FilterKey, value: string | readonly string[]): unknown {
  if (typeof value === 'string') return FILTERS[key].kind === 'time' ? parseTime(key, value) : value;
  if (key === 'path_glob') checkGlobs(value);
  return value.length === 0 ? undefined : value.map((item) => parseValue(key, item));
}

/** Matching time grows with the length of a glob, for every document. */
const MAX_GLOB_CHARACTERS = 1000;
const MAX_GLOBS_CHARACTERS = 10_000;

function checkGlobs(globs: readonly string[]): void {
  const field = 'path_glob';
  const long = globs.find((glob) => glob.length > MAX_GLOB_CHARACTERS);
  if (long !== undefined) {
    const message = `a glob has at most ${MAX_GLOB_CHARACTERS} characters; this one has ${long.length}`;
    throw invalidInput(message, { field, value: clipped(long, 100) });
  }
  const total = globs.reduce((sum, { length }) => sum + length, 0);
  if (total > MAX_GLOBS_CHARACTERS)
    throw invalidInput(`globs have at most ${MAX_GLOBS_CHARACTERS} characters together; these have ${total}`, {
      field,
    });
}

function parseValue(key: FilterKey, value: string): string {
  checkMember(key, NOT_EMPTY, value);
  if (key === 'doc_id') return parseDocumentId(value);
  if (key === 'tag') return parseTag(value);
  const field: Fields[string] = FILTERS[key];
  const aliases = field.kind === 'texts' ? (field.aliases ?? {}) : {};
  return Object.hasOwn(aliases, value) ? (aliases[value] ?? value) : value;
}

const NOT_EMPTY: FieldOf<'text'> = { kind: 'text', notBlank: true, doc: 'a value of a filter' };

/** Notes write tags with `#`, and with a trailing slash for all tags below. */
function parseTag(value: string): string {
  const tag = value.replace(/^#+/, '').replace(/\/+$/, '');
  return checkMember('tag', NOT_EMPTY, tag);
}

/** Parses a date, a time or a relative time. Throws `invalid_input` for anything else. */
function parseTime(key: FilterKey, text: string): Date | Ago {
  const period = readPeriod(text);
  if (period !== undefined) return key === 'until' ? period.end : period.start;
  const ago = readAgo(text);
  if (ago !== undefined) return ago;
  const forms =
    'a date such as 2026-01-02, a time such as 2026-01-02T10:30:00Z, or how long ago, such as 3d, 2w, 6m or 1y';
  throw invalidInput(`${key} must be ${forms}, not ${JSON.stringify(clipped(text))}`, {
    field: key,
    value: clipped(text),
  });
}
