import type { FetchOptions, FetchQuery } from '../domain/query.ts';
import { invalidInput } from '../errors/invalid-input.ts';
import type { Fields } from '../schema/field.ts';
import { FILTERS } from './filters.ts';
import { checkMember } from './read-request.ts';
import { COUNTS, NEXT_PAGE, SEARCH } from './search.ts';
import { SYMBOL } from './symbol.ts';

const NAMES_OF_URI = ['url', 'citation', 'ref'] as const;
const NAMES_OF_PATH = ['file', 'file_path', 'filepath', 'filename', 'document', 'doc'] as const;

/** A fetch: one place, by `uri`, `path`, `symbol`, `chunk_id` or `doc_id`, and what goes with it. */
export const FETCH = {
  uri: {
    kind: 'text',
    synonyms: NAMES_OF_URI,
    doc: 'a citation URI, as printed with a hit: notes/a.md#L10-L12',
    description: 'uri of a hit or citation, as in notes/a.md#L10-L12, or a path.',
  },
  path: {
    kind: 'text',
    synonyms: NAMES_OF_PATH,
    doc: 'the path of a document',
    description: 'Path of a document: all of it, or line_start to line_end.',
  },
  symbol: {
    ...SYMBOL.name,
    synonyms: ['name', 'symbol_name', 'identifier', 'function', 'class'],
    required: undefined,
    description: 'Name of a unit, as for the tool symbol; path narrows it.',
  },
  chunk_id: {
    kind: 'text',
    synonyms: ['id'],
    doc: 'a chunk id',
    description: 'chunk_id of a hit (detail full); its first six digits suffice.',
  },
  doc_id: {
    kind: 'text',
    synonyms: ['id'],
    doc: 'a document id',
    description: 'doc_id of list_docs: all of it, or line_start to line_end.',
  },
  line_start: {
    kind: 'int',
    synonyms: ['start_line', 'start', 'from', 'from_line', 'first_line', 'offset', 'line', 'lines'],
    min: 1,
    doc: 'the first line, from 1',
    description: 'With path or doc_id: the first line, from 1.',
  },
  line_end: {
    kind: 'int',
    synonyms: ['end_line', 'end', 'to', 'to_line', 'last_line', 'limit', 'lines'],
    min: 1,
    doc: 'the last line',
    description: 'With path or doc_id: the last line, inclusive; default line_start.',
  },
  context: {
    kind: 'int',
    min: 0,
    placeholder: 'N',
    doc: 'also this many chunks before and after (0)',
    description: 'With chunk_id: chunks before and after; default 0.',
  },
  max_tokens: {
    ...SEARCH.max_tokens,
    synonyms: ['limit', 'tokens', 'token_budget'],
    min: 1,
    description: 'Longest text in tokens of four characters; not with chunk_id.',
  },
  cursor: {
    kind: 'text',
    notBlank: true,
    placeholder: 'CURSOR',
    doc: 'continue after a page: its next_cursor',
    description: 'next_cursor of the page before.',
  },
  kind: {
    kind: 'enum',
    values: ['chunk', 'doc', 'span', 'uri', 'outline'],
    doc: 'what is read: a chunk, a document, lines of one, what a citation designates, or an outline',
    description: 'outline: the units or headings of a file or folder (path). Others are implied.',
  },
} as const satisfies Fields;

/** A request for what is around a document. */
export const RELATED = {
  uri: {
    kind: 'text',
    synonyms: [...NAMES_OF_URI, ...NAMES_OF_PATH, 'path'],
    required: true,
    placeholder: 'URI',
    doc: 'a citation URI or a path',
    description: 'A path, or the uri of a hit.',
  },
  source: {
    kind: 'text',
    placeholder: 'ID',
    doc: 'resolve the path in this source',
    description: 'Its source_id, if it has one.',
  },
  limit: {
    kind: 'int',
    synonyms: COUNTS,
    min: 1,
    max: 100,
    placeholder: 'N',
    doc: 'how many entries a list has at most, 1 to 100 (10)',
    description: 'Most entries of a list; 10.',
  },
} as const satisfies Fields;

/** Validated options of a fetch. */
export interface CheckedFetch {
  /** The number of chunks to include before and after. */
  readonly context: number;
  /** Budget in characters; null when there is none. */
  readonly maxChars: number | null;
  /** Where to continue; null for the beginning. */
  readonly cursor: string | null;
}

/**
 * Validates the options of a fetch. Throws `invalid_input` for a budget on a chunk, a context on anything else, numbers out of range, and a
 * span that begins before line 1 or ends before it begins.
 */
export function checkFetch(query: FetchQuery, { context, maxTokens, cursor }: FetchOptions): CheckedFetch {
  if (query.kind === 'chunk' && maxTokens !== undefined)
    throw invalidInput('a chunk is fetched whole: max_tokens goes with doc, span and uri', { field: 'max_tokens' });
  if (query.kind === 'chunk' && cursor !== undefined)
    throw invalidInput('a chunk is fetched whole: a cursor goes with doc, span and uri', { field: 'cursor' });
  if (query.kind !== 'chunk' && context !== undefined)
    throw invalidInput(`context goes with a chunk, not with a ${query.kind}`, { field: 'context' });
  if (query.kind === 'span') checkLines(query.lineStart, query.lineEnd);
  if (query.kind === 'uri' && query.lines !== undefined) checkLines(query.lines.start, query.lines.end);
  return {
    context: context === undefined ? 0 : checkMember('context', FETCH.context, context),
    maxChars: maxTokens === undefined ? null : checkMember('max_tokens', FETCH.max_tokens, maxTokens) * 4,
    cursor: cursor ?? null,
  };
}

function checkLines(start: number, end: number): void {
  checkMember('line_start', FETCH.line_start, start);
  checkMember('line_end', FETCH.line_end, end);
  if (end < start)
    throw invalidInput(`line ${end} is before line ${start}: the last line cannot precede the first`, {
      field: 'line_end',
      value: String(end),
    });
}

/** A check of a citation. */
export const VERIFY_CITATION = {
  uri: {
    kind: 'text',
    synonyms: [...NAMES_OF_URI, 'path'],
    required: true,
    placeholder: 'URI',
    doc: 'a citation URI',
    description: 'The uri of the citation.',
  },
  content_hash: {
    kind: 'text',
    synonyms: ['hash'],
    flag: 'hash',
    placeholder: 'HEX16',
    doc: 'the content hash of the citation',
    description: 'Its content_hash, 16 hex digits. Without one here or in the uri: that of the index.',
  },
  source: {
    kind: 'text',
    placeholder: 'ID',
    doc: 'resolve the path in this source',
    description: 'Its source_id, if it has one.',
  },
} as const satisfies Fields;

/** A page of the list of documents. */
export const LIST_DOCS = {
  cursor: NEXT_PAGE,
  limit: {
    kind: 'int',
    synonyms: COUNTS,
    min: 1,
    max: 1000,
    placeholder: 'N',
    doc: 'documents on a page, 1 to 1000 (100)',
    description: 'Documents on a page; default 100.',
  },
  ...FILTERS,
} as const satisfies Fields;
