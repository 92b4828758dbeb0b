import {
  FETCH,
  invalidInput,
  LIST_DOCS,
  parseFetchRequest,
  parseFilters,
  VERIFY_CITATION,
  type App,
  type FetchResult,
  type Fields,
  type RequestOf,
} from '@kebab/core/app';
import type { JsonObject } from '../protocol/surface.ts';
import type { KebabTool } from './tool.ts';

const { required: _required, ...OPTIONAL_KIND } = FETCH.kind;

/** A place is given by one of four arguments; `kind` is optional. */
const PLACE = {
  uri: { ...FETCH.uri, description: 'The uri of a hit or citation, as in notes/a.md#L10-L12; a path works too.' },
  path: {
    kind: 'text',
    doc: 'the path of a document',
    description: 'Path of a document: all of it, or line_start to line_end.',
  },
  chunk_id: {
    ...FETCH.chunk_id,
    description: 'chunk_id of a hit (search with detail full); its first six or more digits suffice.',
  },
  doc_id: { ...FETCH.doc_id, description: 'doc_id of list_docs: all of it, or line_start to line_end.' },
} as const satisfies Fields;

const FETCH_TOOL = {
  ...PLACE,
  line_start: { ...FETCH.line_start, description: 'With path or doc_id: the first line, from 1.' },
  line_end: { ...FETCH.line_end, description: 'With path or doc_id: the last line, inclusive; default line_start.' },
  context: {
    ...FETCH.context,
    description: 'With chunk_id: chunks before and after, the nearest that fit; default 0.',
  },
  max_tokens: FETCH.max_tokens,
  kind: { ...OPTIONAL_KIND, description: 'Optional: the other arguments imply it.' },
} as const satisfies Fields;

/** `fetch`: exact text. */
export const fetch: KebabTool<typeof FETCH_TOOL> = {
  name: 'fetch',
  title: 'Read exact text',
  description:
    'Reads text exactly as it was indexed. Give one of: uri (what a citation designates), path (a document or lines of it), chunk_id (a hit’s passage, with its neighbours), doc_id. Use it before quoting; snippets are shortened.',
  input: FETCH_TOOL,
  outputs: ['fetch_result'],
  writes: false,
  read: byResource,
  async run(args, { app, settings, signal }) {
    const { query, options } = await requestOf(args, app);
    const { maxTokens = settings.defaultMaxTokens } = options;
    if (query.kind !== 'chunk') return app.fetch(query, { ...options, maxTokens, signal });
    return withinBudget(await app.fetch(query, { ...options, signal }), maxTokens);
  },
};

/** Replaces the URI of a resource by the id of the document or chunk that it names. */
function byResource({ uri, ...args }: JsonObject): JsonObject {
  const [, kind, id] = /^kebab:\/\/(doc|chunk)\/([0-9a-f]{32})$/.exec(typeof uri === 'string' ? uri : '') ?? [];
  if (id === undefined) return uri === undefined ? args : { uri, ...args };
  return { ...args, [`${kind}_id`]: id };
}

/** Neither a chunk nor its neighbours are cut: the farthest neighbours are dropped until the rest fits. */
function withinBudget(found: FetchResult, maxTokens: number): FetchResult {
  if (found.kind !== 'chunk') return found;
  const { chunk, context_before: before, context_after: after } = found;
  const distance = ({ ordinal }: { readonly ordinal: number }): number => Math.abs(ordinal - chunk.ordinal);
  const nearestFirst = [...before, ...after].toSorted((a, b) => distance(a) - distance(b));
  let room = maxTokens * 4 - JSON.stringify({ ...found, context_before: [], context_after: [] }).length;
  const tooFar = nearestFirst.find((near) => (room -= JSON.stringify(near).length + 1) < 0);
  if (tooFar === undefined) return found;
  const kept = new Set(nearestFirst.slice(0, nearestFirst.indexOf(tooFar)));
  return {
    ...found,
    context_before: before.filter((near) => kept.has(near)),
    context_after: after.filter((near) => kept.has(near)),
  };
}

type FetchInput = RequestOf<typeof FETCH_TOOL>;
type FetchRequest = ReturnType<typeof parseFetchRequest>;

/** The requested fetch, with its kind and full ids. Throws `invalid_input` unless exactly one place is given and matches `kind`. */
async function requestOf({ path, kind, ...args }: FetchInput, app: App): Promise<FetchRequest> {
  const place = placeOf({ path, ...args });
  if (place === null && kind !== undefined) return parseFetchRequest({ ...args, kind }); // throws an error that names the missing argument
  if (place === null) throw misplaced('it is not clear what to read');
  const { chunk_id: chunkId, doc_id: docId, line_start: start, line_end: end, context, ...others } = args;
  const hasLines = start !== undefined || end !== undefined;
  checkKind(kind, place, hasLines);
  if (chunkId !== undefined) {
    const whole = WHOLE_ID.test(chunkId) ? chunkId : await app.resolveId('chunk', chunkId);
    return parseFetchRequest({ ...args, kind: 'chunk', chunk_id: whole });
  }
  if (docId !== undefined) {
    const whole = {
      ...others,
      ...(context === undefined ? {} : { context }),
      doc_id: await app.resolveId('document', docId),
    };
    if (!hasLines) return parseFetchRequest({ ...whole, kind: 'doc' });
    return parseFetchRequest({ ...whole, kind: 'span', line_start: start ?? 1, line_end: end ?? start });
  }
  if (path === undefined) return parseFetchRequest({ ...args, kind: 'uri' });
  if (context !== undefined)
    throw invalidInput('context does not go with path: it counts the chunks around chunk_id', { field: 'context' });
  const lines = hasLines ? { start: start ?? 1, end: end ?? start ?? 1 } : undefined;
  return { query: { kind: 'uri', uri: path, lines }, options: { maxTokens: others.max_tokens } };
}

const WHOLE_ID = /^[0-9a-f]{32}$/;

type Place = keyof typeof PLACE;

/** Which of the four arguments is given; null for none. Throws `invalid_input` for several. */
function placeOf(args: FetchInput): Place | null {
  const [place, other] = (Object.keys(PLACE) as Place[]).filter((name) => args[name] !== undefined);
  if (other !== undefined) throw misplaced(`${place} and ${other} name different places`, other);
  return place ?? null;
}

function misplaced(message: string, field: Place = 'uri'): Error {
  return invalidInput(message, {
    field,
    allowed: Object.keys(PLACE),
    hint: 'give one of uri, path, chunk_id and doc_id',
  });
}

/** The kinds that are valid for each argument, with and without lines. */
const KINDS: Readonly<Record<Place, { readonly whole: readonly string[]; readonly lines: readonly string[] }>> = {
  uri: { whole: ['uri'], lines: ['uri'] },
  path: { whole: ['doc', 'uri'], lines: ['span', 'uri'] },
  chunk_id: { whole: ['chunk'], lines: ['chunk'] },
  doc_id: { whole: ['doc'], lines: ['span'] },
};

function checkKind(kind: FetchInput['kind'], place: Place, hasLines: boolean): void {
  const { whole, lines } = KINDS[place];
  const allowed = hasLines ? lines : whole;
  if (kind === undefined || allowed.includes(kind)) return;
  if (kind === 'span' && lines.includes(kind))
    throw invalidInput('kind span needs line_start: it is missing', { field: 'line_start' });
  throw invalidInput(`kind ${kind} does not go with ${hasLines ? `lines of a ${place}` : place}`, {
    field: 'kind',
    value: kind,
    allowed,
    hint: 'leave kind out: the other arguments imply it',
  });
}

/** `list_docs`: the documents, in pages. */
export const listDocs: KebabTool<typeof LIST_DOCS> = {
  name: 'list_docs',
  title: 'List documents',
  description:
    'Lists documents by source and path, with titles, tags and dates. Use it to see what there is or find a document by name; search finds passages.',
  input: LIST_DOCS,
  outputs: ['doc_list'],
  writes: false,
  run({ cursor, limit, ...filters }, { app, settings, signal }) {
    return app.listDocs(parseFilters(filters), { cursor, limit, maxTokens: settings.defaultMaxTokens }, { signal });
  },
};

/** `verify_citation`: whether a citation is still valid. */
export const verifyCitation: KebabTool<typeof VERIFY_CITATION> = {
  name: 'verify_citation',
  title: 'Check a citation',
  description:
    'Checks that a citation still says what it said: exact, moved (found_uri says where) or gone. Give uri and content_hash of a hit or citation as they came; without content_hash the file is compared with what was indexed.',
  input: VERIFY_CITATION,
  outputs: ['citation_check'],
  writes: false,
  run({ uri, content_hash: hash, source }, { app, signal }) {
    return app.verifyCitation(uri, { hash, source, signal });
  },
};

/** `schema`: versions, capabilities and counts. */
export const schema: KebabTool = {
  name: 'schema',
  title: 'Describe the knowledge base',
  description: 'Shows versions, capabilities, and counts of documents by medium, language and source.',
  input: {},
  outputs: ['schema'],
  writes: false,
  run: (_args, { app, signal }) => app.schema({ signal }),
};

/** `doctor`: what works and what does not. */
export const doctor: KebabTool = {
  name: 'doctor',
  title: 'Check that everything works',
  description: 'Checks configuration, database, models and plugins, and names remedies.',
  input: {},
  outputs: ['doctor'],
  writes: false,
  despiteConfig: true,
  run: (_args, { app, signal }) => app.doctor({ signal }),
};
