import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Connection } from '../fakes/connection.ts';
import type { JsonObject } from '../../src/protocol/surface.ts';
import { ALL_TOOLS } from '../../src/kebab-surface.ts';
import { call, type Called } from '../fakes/call.ts';
import { expectComplete } from '../fakes/expect-complete.ts';
import { scripted } from '../fakes/scripted-plugin.ts';
import { indexedHome, type TestHome } from '../fakes/test-home.ts';

const QUESTION = 'At how many degrees is green tea steeped?';
const ANSWERS: Readonly<Record<string, string>> = {
  degrees: 'Green tea is steeped at "eighty degrees" [#1].',
  boiling: 'I am not sure. [[NO_EVIDENCE]]',
};

let home: TestHome;
let connection: Connection;
let chunkId: string;
let docId: string;
let citation: { readonly uri: string; readonly content_hash: string };

beforeAll(async () => {
  home = await indexedHome(
    scripted(({ messages }) => {
      const question = messages.at(-1)?.text.split('\n').at(-1) ?? '';
      return Object.entries(ANSWERS).find(([word]) => question.includes(word))?.[1] ?? ANSWERS['degrees'] ?? '';
    }),
  );
  connection = home.connection();
  const { structuredContent } = await call(connection, 'search', { query: 'eighty degrees', detail: 'full' });
  const [hit] = structuredContent['hits'] as readonly {
    readonly chunk_id: string;
    readonly doc_id: string;
    readonly citation: typeof citation;
  }[];
  if (hit === undefined) throw new Error('nothing found');
  ({ chunk_id: chunkId, doc_id: docId, citation } = hit);
});
afterAll(() => home.close());

/** A call, and a part of its expected result. */
interface Case {
  readonly tool: string;
  readonly what: string;
  /** A function, because ids are known only once something is indexed. */
  readonly args: () => JsonObject;
  readonly shows: JsonObject;
}

function tells(tool: string, what: string, args: JsonObject | Case['args'], shows: JsonObject): Case {
  return { tool, what, args: typeof args === 'function' ? args : () => args, shows };
}

const CASES: readonly Case[] = [
  ...['lexical', 'vector', 'hybrid'].map((mode) =>
    tells('search', `in mode ${mode}, in full`, { query: 'tea', mode, detail: 'full' }, { mode, degraded: [] }),
  ),
  ...['lexical', 'vector', 'hybrid'].map((mode) =>
    tells('search', `in mode ${mode}`, { query: 'tea', mode, k: 2 }, { mode, hits: [{}, {}] }),
  ),
  tells('search', 'with a trace', { query: 'tea', explain: true, k: 1, tag: [], media: ['md'] }, { trace: {} }),
  tells('search', 'with a place that was expected', () => ({ query: 'tea', expect: citation.uri }), {
    expect: { outcome: 'on_page' },
  }),
  tells(
    'search',
    'with a place that is unknown',
    { query: 'tea', expect: 'none.md#L1', explain: true },
    {
      expect: { outcome: 'not_indexed' },
    },
  ),
  tells('search', 'without a hit', { query: 'nothingofthekind', mode: 'lexical' }, { hits: [] }),
  tells(
    'bulk_search',
    'with failures among the answers',
    { queries: [{ query: 'tea' }, { query: '' }, { qery: 'x' }, { query: 'tea', mode: 'vector', explain: true }] },
    { summary: { total: 4, succeeded: 2, failed: 2 } },
  ),
  tells('search', 'with a trace, in full', { query: 'tea', detail: 'full', explain: true, k: 1 }, { trace: {} }),
  tells(
    'bulk_search',
    'in full, with failures among the answers',
    { queries: [{ query: 'tea' }, { query: '' }, { qery: 'x' }, 'tea'], detail: 'full' },
    { summary: { total: 4, succeeded: 2, failed: 2 } },
  ),
  tells('grep', 'with context', { pattern: 'boiling', context: 1 }, { files: [{ path: 'tea.md' }], next_cursor: null }),
  tells('grep', 'without a line', { pattern: 'nothingofthekind' }, { files: [], next_cursor: null }),
  tells(
    'ask',
    'with an answer',
    { query: QUESTION, explain: true },
    {
      grounded: true,
      refusal_reason: null,
      citations: [{ marker: '[1]', verified: true }],
      explain: {},
    },
  ),
  tells(
    'ask',
    'in a conversation',
    { query: QUESTION, session: 'tea', mode: 'lexical', k: 3 },
    {
      conversation_id: 'tea',
      turn_index: 0,
    },
  ),
  tells(
    'ask',
    'with a refusal of the model',
    { query: 'Which tea takes boiling water?' },
    {
      grounded: false,
      refusal_reason: 'llm_self_judge',
    },
  ),
  tells(
    'ask',
    'with a refusal before the model',
    { query: 'nothingofthekind', mode: 'lexical', explain: true },
    {
      grounded: false,
      refusal_reason: 'no_chunks',
    },
  ),
  tells(
    'ask',
    'with a question that cannot be taken apart',
    { query: QUESTION, multi_hop: true },
    {
      refusal_reason: 'multi_hop_decompose_failed',
    },
  ),
  tells('fetch', 'of a chunk', () => ({ kind: 'chunk', chunk_id: chunkId, context: 1 }), { kind: 'chunk' }),
  tells('fetch', 'of a document', () => ({ kind: 'doc', doc_id: docId, max_tokens: 5 }), {
    kind: 'doc',
    truncated: true,
  }),
  tells('fetch', 'of lines', () => ({ kind: 'span', doc_id: docId, line_start: 1, line_end: 3 }), { kind: 'span' }),
  tells('fetch', 'of no lines', () => ({ kind: 'span', doc_id: docId, line_start: 900, line_end: 901 }), { text: '' }),
  tells('fetch', 'of a citation', () => ({ kind: 'uri', uri: citation.uri }), { kind: 'span' }),
  tells(
    'fetch',
    'of an outline',
    { kind: 'outline', path: 'code/brew.py' },
    { files: [{ units: [{ name: 'brew' }] }] },
  ),
  tells('symbol', 'of a definition', { name: 'brew' }, { units: [{ line_start: 1, line_end: 3 }] }),
  tells('symbol', 'of references', { name: 'minutes', find: 'references', limit: 1 }, { total: 3 }),
  tells('list_docs', 'of the first page', { limit: 1 }, { folders: [{ folder: 'code/' }], total: 3 }),
  tells(
    'list_docs',
    'with the values that there are',
    { source: ['defalt'] },
    { unknown: [{ filter: 'source', value: 'defalt', nearest: 'default' }], total: 0 },
  ),
  tells('list_docs', 'in full', { limit: 1, detail: 'full' }, { docs: [{}] }),
  tells('related', 'to a document', { uri: 'tea.md' }, { uri: 'tea.md' }),
  tells('schema', 'of what there is', {}, { capabilities: { mcp_server: true } }),
  tells('doctor', 'of every check', {}, { schema_version: 'doctor.v1' }),
  tells('verify_citation', 'that holds', () => ({ uri: citation.uri, content_hash: citation.content_hash }), {
    status: 'exact',
  }),
  tells('verify_citation', 'that does not', { uri: 'no-such-file.md#L1' }, { status: 'gone' }),
  tells('ingest_file', 'with its report', { path: 'tea.md' }, { errors: 0 }),
  tells(
    'ingest_stdin',
    'with its report',
    { content: 'Coffee is roasted.', title: 'Coffee', source_uri: 'https://example.org/coffee' },
    { new: 1, errors: 0 },
  ),
];

describe('the structured content is the complete wire object, and the text says the same:', () => {
  it.each(CASES)('$tool $what', async ({ tool, args, shows }) => {
    const result: Called = await call(connection, tool, args());
    expectComplete(tool, result);
    expect(result.isError).toBeUndefined();
    expect(result.structuredContent).toMatchObject(shows);
  });

  it.each([
    ['search', { query: 'tea', k: 1, detail: 'full' }, { hits: [{ rank: 2 }] }],
    ['search', { query: 'tea', k: 1 }, { hits: [{}] }],
    ['list_docs', { limit: 1 }, { folders: [{}] }],
    ['list_docs', { limit: 1, detail: 'full' }, { docs: [{}] }],
  ])('%s on the page after the first', async (tool, args, shows) => {
    const { structuredContent } = await call(connection, tool, args);
    const next = await call(connection, tool, { ...args, cursor: structuredContent['next_cursor'] });
    expectComplete(tool, next);
    expect(next.structuredContent).toMatchObject(shows);
  });

  it('no tool is missing', () => {
    expect(new Set(CASES.map(({ tool }) => tool))).toEqual(new Set(ALL_TOOLS.map(({ name }) => name)));
  });

  it.each(ALL_TOOLS)('$name with error.v1 for a bad argument', async ({ name }) => {
    const result = await call(connection, name, { quer: 'tea' });
    expect(result.isError).toBe(true);
    expectComplete(name, result);
  });
});
