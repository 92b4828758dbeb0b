import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Connection } from '../fakes/connection.ts';
import type { JsonObject } from '../../src/protocol/surface.ts';
import { ALL_TOOLS } from '../../src/kebab-surface.ts';
import { call, request } from '../fakes/call.ts';
import { indexedHome, ingest, newHome, type TestHome } from '../fakes/test-home.ts';

let home: TestHome;
let connection: Connection;

beforeAll(async () => {
  home = await indexedHome();
  connection = home.connection();
});
afterAll(() => home.close());

interface Hit {
  readonly chunk_id: string;
  readonly doc_id: string;
  readonly citation: { readonly uri: string; readonly content_hash: string };
}

async function hitFor(query: string): Promise<Hit> {
  const { structuredContent } = await call(connection, 'search', { query, mode: 'lexical', detail: 'full' });
  const [hit] = structuredContent['hits'] as readonly Hit[];
  if (hit === undefined) throw new Error(`nothing found for ${query}`);
  return hit;
}

describe('search, fetch and verify_citation', () => {
  it('lead from a question to whole source lines with a valid citation', async () => {
    const { citation } = await hitFor('eighty degrees');
    const fetched = await call(connection, 'fetch', { kind: 'uri', uri: citation.uri });
    const {
      text,
      line_start: first,
      effective_end: last,
    } = fetched.structuredContent as {
      readonly text: string;
      readonly line_start: number;
      readonly effective_end: number;
    };
    const lines = readFileSync(`${home.workspace}/tea.md`, 'utf8')
      .split('\n')
      .slice(first - 1, last);
    expect(text).toBe(lines.join('\n'));
    expect(text).toContain('eighty degrees');
    const check = await call(connection, 'verify_citation', claimOf(citation));
    expect(check.structuredContent['status']).toBe('exact');
  });

  it.each(['brief', 'full'])(
    'continue where a budget cut, until everything has been returned once, in %s',
    async (detail) => {
      const placeOf = (hit: Hit & { readonly uri?: string }): string => hit.uri ?? hit.citation.uri;
      const seen: string[] = [];
      let cursor: string | null = null;
      do {
        const args: JsonObject = {
          query: 'tea',
          mode: 'lexical',
          max_tokens: 0,
          detail,
          ...(cursor === null ? {} : { cursor }),
        };
        const { structuredContent } = await call(connection, 'search', args);
        seen.push(...(structuredContent['hits'] as readonly Hit[]).map(placeOf));
        cursor = structuredContent['next_cursor'] as string | null;
      } while (cursor !== null);
      const { structuredContent } = await call(connection, 'search', { query: 'tea', mode: 'lexical', k: 100, detail });
      expect(seen).toEqual((structuredContent['hits'] as readonly Hit[]).map(placeOf));
    },
  );

  it('reject a cursor from before a change with stale_cursor', async () => {
    const first = await call(connection, 'search', { query: 'tea', mode: 'lexical', k: 1 });
    const cursor = first.structuredContent['next_cursor'] as string;
    await call(connection, 'ingest_stdin', { content: 'Herbal tea needs ten minutes.', title: 'Herbs' });
    const next = await call(connection, 'search', { query: 'tea', mode: 'lexical', k: 1, cursor });
    expect(next).toMatchObject({ isError: true, structuredContent: { code: 'stale_cursor' } });
  });
});

function claimOf({ uri, content_hash: hash }: Hit['citation']): JsonObject {
  return { uri, content_hash: hash };
}

describe('arguments', () => {
  it.each<[string, JsonObject, JsonObject]>([
    ['search', { query: 'a', max_token: 5 }, { field: 'max_token', suggestion: 'max_tokens' }],
    ['search', { query: 5 }, { field: 'query', value: '5' }],
    ['search', { query: 'a', mode: 'lexicl' }, { field: 'mode', suggestion: 'lexical' }],
    ['search', {}, { field: 'query' }],
    ['search', { query: '   ' }, {}],
    ['ask', { questin: 'a' }, { field: 'questin', suggestion: 'question' }],
    ['ask', {}, { field: 'question' }],
    ['ask', { question: 'a', query: 'b' }, { field: 'query' }],
    ['ask', { query: ' ' }, { field: 'query' }],
    ['ask', { question: ' ' }, { field: 'query' }],
    ['ask', { query: 'a', session: 'a b' }, { field: 'session' }],
    ['bulk_search', { queries: [] }, { field: 'queries' }],
    ['bulk_search', { queries: [1] }, { field: 'queries' }],
    [
      'bulk_search',
      { queries: Array.from({ length: 101 }, () => ({ query: 'a' })) },
      { field: 'queries', value: '101' },
    ],
    ['fetch', {}, { field: 'uri' }],
    ['fetch', { path: 'tea.md', uri: 'tea.md' }, { field: 'path' }],
    ['fetch', { kind: 'chunk' }, { field: 'chunk_id' }],
    ['fetch', { kind: 'span', doc_id: '0'.repeat(32) }, { field: 'line_start' }],
    ['fetch', { path: 'tea.md', line_start: 0 }, { field: 'line_start', value: '0' }],
    ['fetch', { path: 'tea.md', max_tokens: 0 }, { field: 'max_tokens', value: '0' }],
    ['fetch', { kind: 'chunk', path: 'tea.md' }, { field: 'kind', value: 'chunk', allowed: ['doc', 'uri'] }],
    ['fetch', { kind: 'span', path: 'tea.md' }, { field: 'line_start' }],
    ['fetch', { kind: 'doc', path: 'tea.md', line_start: 1 }, { field: 'kind', value: 'doc' }],
    ['fetch', { kind: 'uri', doc_id: '0'.repeat(32) }, { field: 'kind', value: 'uri' }],
    ['fetch', { kind: 'chunk', chunk_id: '0'.repeat(32), line_start: 1 }, { field: 'line_start' }],
    ['fetch', { path: 'tea.md', line_start: 4, line_end: 3 }, { field: 'line_end' }],
    ['fetch', { path: 'tea.md#L1', line_start: 2 }, { field: 'line_start' }],
    ['fetch', { kind: 'chunk', chunk_id: '0'.repeat(32), max_tokens: 9 }, { field: 'max_tokens' }],
    ['fetch', { kind: 'chunk', chunk_id: 'zzz' }, {}],
    ['fetch', { kind: 'page' }, { field: 'kind' }],
    ['list_docs', { limit: 1001 }, { field: 'limit' }],
    ['grep', { pattern: 'a\u0000b' }, { field: 'pattern' }],
    ['ingest_stdin', { content: 'x', title: ' ' }, { field: 'title' }],
  ])('%s rejects %j and names the error', async (name, args, details) => {
    const result = await call(connection, name, args);
    expect(result).toMatchObject({ isError: true, structuredContent: { code: 'invalid_input', details } });
  });

  it('of a fetch are a uri, a path, a chunk_id or a doc_id, which determines its kind', async () => {
    const { chunk_id: chunkId, doc_id: docId, citation } = await hitFor('eighty degrees');
    const read = async (args: JsonObject): Promise<JsonObject> =>
      (await call(connection, 'fetch', args)).structuredContent;
    const whole = readFileSync(`${home.workspace}/tea.md`, 'utf8');
    expect(await read({ uri: citation.uri })).toEqual(await read({ kind: 'uri', uri: citation.uri }));
    expect(await read({ path: 'tea.md' })).toMatchObject({ text: whole });
    expect(await read({ path: `${home.workspace}/tea.md` })).toMatchObject({ text: whole });
    expect(await read({ path: 'tea.md', line_start: 3, line_end: 4 })).toMatchObject({
      text: whole.split('\n').slice(2, 4).join('\n'),
      citation: { uri: 'tea.md#L3-L4' },
    });
    expect(await read({ path: 'tea.md', line_start: 3 })).toMatchObject({ citation: { uri: 'tea.md#L3' } });
    expect(await read({ chunk_id: chunkId.slice(0, 12), context: 1 })).toEqual(
      await read({ kind: 'chunk', chunk_id: chunkId, context: 1 }),
    );
    expect(await read({ doc_id: docId })).toEqual(await read({ kind: 'doc', doc_id: docId }));
    expect(await read({ doc_id: docId, line_start: 1, line_end: 2 })).toMatchObject({ kind: 'span' });
    expect(await read({ uri: `kebab://doc/${docId}` })).toEqual(await read({ doc_id: docId }));
    expect(await read({ uri: `kebab://chunk/${chunkId}`, context: 1 })).toEqual(
      await read({ chunk_id: chunkId, context: 1 }),
    );
  });

  it('of a fetch continue where a long document was cut', async () => {
    const whole = readFileSync(`${home.workspace}/tea.md`, 'utf8').replace(/\n$/, '').split('\n');
    const lines: string[] = [];
    for (let args: JsonObject | null = { path: 'tea.md', max_tokens: 15 }; args !== null;) {
      const { structuredContent } = await call(connection, 'fetch', args);
      const {
        text,
        truncated,
        effective_end: end,
      } = structuredContent as unknown as {
        readonly text: string;
        readonly truncated: boolean;
        readonly effective_end: number;
      };
      lines.push(
        ...text
          .replace(/\n$/, '')
          .split('\n')
          .slice(0, truncated ? -1 : undefined),
      );
      args = truncated ? { path: 'tea.md', line_start: end, line_end: 1000, max_tokens: 15 } : null;
    }
    expect(lines).toEqual(whole);
  });

  it('of a fetch mean the same with their kind as without', async () => {
    const { chunk_id: chunkId, doc_id: docId } = await hitFor('eighty degrees');
    for (const [kind, args] of [
      ['doc', { doc_id: docId.slice(0, 8) }],
      ['doc', { path: 'tea.md' }],
      ['span', { doc_id: docId.slice(0, 8), line_start: 3 }],
      ['span', { path: 'tea.md', line_start: 3 }],
      ['chunk', { chunk_id: chunkId.slice(0, 8), context: 1 }],
    ] as const) {
      const without = await call(connection, 'fetch', args);
      expect(without).not.toHaveProperty('isError');
      expect(await call(connection, 'fetch', { kind, ...args })).toEqual(without);
    }
  });

  it('of a fetch with a path in several sources are rejected, with or without lines', async () => {
    const several = newHome();
    try {
      several.write('team/tea.md', '# Tea of the team\n');
      several.write(
        'config/kebab/config.toml',
        `[[workspace.sources]]\nid = "team"\nroot = "${several.folder}/team"\n`,
      );
      await ingest(several);
      const server = several.connection();
      for (const args of [{ path: 'tea.md' }, { path: 'tea.md', line_start: 1 }])
        expect(await call(server, 'fetch', args)).toMatchObject({
          structuredContent: {
            code: 'invalid_input',
            details: { allowed: ['default:tea.md', 'team:tea.md'] },
            hint: 'write the path with its source, as one of these',
          },
        });
      expect(await call(server, 'fetch', { path: 'team:tea.md', line_start: 1 })).toMatchObject({
        structuredContent: { text: '# Tea of the team', citation: { uri: 'team:tea.md#L1' } },
      });
    } finally {
      await several.close();
    }
  });

  it('of bulk_search may be strings', async () => {
    const queries = ['eighty degrees', { query: 'roses', mode: 'lexical' }];
    const { structuredContent } = await call(connection, 'bulk_search', { queries });
    expect(structuredContent).toMatchObject({
      results: [{ query: 'eighty degrees' }, { query: 'roses' }],
      summary: { succeeded: 2 },
    });
  });

  it('of ask may be question, as in its prompt, or query', async () => {
    const asked = { mode: 'lexical' };
    for (const name of ['question', 'query'])
      expect(await call(connection, 'ask', { [name]: 'nothingofthekind', ...asked })).toMatchObject({
        structuredContent: { refusal_reason: 'no_chunks' },
      });
  });

  it('lists one document as one', async () => {
    const { content } = await call(connection, 'list_docs', { path_glob: ['tea.md'] });
    expect(content[0]?.text).toMatch(/^1 document\n/);
  });

  it.each<[string, JsonObject, RegExp]>([
    ['search', { query: 5 }, /^query: What to look for/],
    ['search', { query: 'tea', nothing: 1 }, /^search takes query, mode,/],
    ['search', { query: 'tea', k: 0 }, /^k: Hits on a page, 1 to 100/],
    ['bulk_search', { queries: [] }, /^queries: The searches/],
    ['schema', { nothing: 1 }, /^schema takes no arguments$/],
    ['ask', {}, /^question: The question/],
    ['fetch', { kind: 'chunk', chunk_id: '0'.repeat(32) }, /call search/],
    ['fetch', { path: 'no-such-file.md' }, /^call list_docs with path_glob \["\*\*\/no-such-file\.md"\], or search$/],
    ['fetch', { path: 'xyz/nowhere/' }, /^call list_docs with path_glob \["\*\*\/nowhere"\], or search$/],
    ['fetch', { path: 'notes:x/*.md' }, /^call list_docs or search for/],
    ['list_docs', { cursor: 'x' }, /list_docs takes|cursor/],
    ['list_docs', { detail: 'x' }, /^call list_docs with detail, for example brief$/],
    ['related', { uri: 'garden/tea.md' }, /^did you mean tea\.md\? call related with it$/],
  ])('%s rejects %j with a hint that names a tool or an argument, not the command line', async (name, args, hint) => {
    const { structuredContent } = await call(connection, name, args);
    expect(structuredContent['hint']).toMatch(hint);
    expect(structuredContent['hint']).not.toMatch(/kebab -|--[a-z]/);
  });

  it.each<[string, JsonObject, string]>([
    ['search', { query: 'tea', k: 'three' }, 'k must be a whole number from 1 to 100, not "three"'],
    ['bulk_search', { queries: 5 }, 'queries[0] must be a string, or an object such as {"query": "words", "k": 3}'],
    ['fetch', { path: 'tea.md', context: 1 }, 'context does not go with path: it counts the chunks around chunk_id'],
    ['fetch', { uri: 'tea.md#L3', line_start: 1 }, 'line_start does not go with uri'],
  ])('%s rejects %j with the expected and the given value', async (name, args, message) => {
    expect((await call(connection, name, args)).structuredContent).toMatchObject({ code: 'invalid_input', message });
  });

  it('may be of any size, and are shortened in the error', async () => {
    const huge = 'x'.repeat(10_000_000);
    for (const args of [
      { query: 'a', mode: huge },
      { query: 'a', [huge]: 1 },
      { query: 'a', cursor: huge },
      { query: huge },
    ]) {
      const result = await call(connection, 'search', args);
      expect(result).toMatchObject({ isError: true, structuredContent: { code: 'invalid_input' } });
      expect(result.content[0]?.text.length).toBeLessThan(3000);
    }
    for (const [tool, args, code] of [
      ['ask', { query: huge }, 'invalid_input'],
      ['bulk_search', { queries: [{ query: 'a' }, { query: huge }] }, 'invalid_input'],
      ['fetch', { kind: 'uri', uri: huge }, 'doc_not_found'],
      ['ingest_file', { path: huge }, 'io_error'],
      ['list_docs', { cursor: huge }, 'invalid_input'],
    ] as const) {
      const result = await call(connection, tool, args);
      expect([tool, result]).toMatchObject([tool, { isError: true, structuredContent: { code } }]);
      expect(result.content[0]?.text.length).toBeLessThan(3000);
    }
    const bulk = await call(connection, 'bulk_search', { queries: [{ query: 'a', [huge]: 1 }] });
    expect(bulk.structuredContent).toMatchObject({ summary: { failed: 1 } });
  });
});

describe('the hint of an error', () => {
  it('names arguments, not flags of the command line', async () => {
    const { citation } = await hitFor('eighty degrees');
    const check = await call(connection, 'verify_citation', { uri: citation.uri, content_hash: 'odd' });
    expect(check).toMatchObject({
      isError: true,
      structuredContent: {
        details: { field: 'content_hash' },
        hint: expect.stringMatching(/^content_hash: /) as string,
      },
    });
    const plain = await indexedHome({ env: { KEBAB_MODELS_EMBEDDING_PROVIDER: 'none' } });
    try {
      for (const [tool, args] of [
        ['search', { query: 'tea', mode: 'vector' }],
        ['ask', { question: 'What is tea?', mode: 'vector' }],
      ] as const)
        expect((await call(plain.connection(), tool, args)).structuredContent).toMatchObject({
          code: 'not_indexed',
          hint: expect.stringContaining('search with mode lexical') as string,
        });
    } finally {
      await plain.close();
    }
  });
});

describe('the hint for a missing model', () => {
  it('names what the user and what the agent can do', async () => {
    const env = { KEBAB_MODELS_LLM_ENDPOINT: 'http://127.0.0.1:9' };
    const without = await indexedHome({ env });
    try {
      const server = without.connection();
      const search = { query: 'tea', mode: 'vector' };
      expect((await call(server, 'search', search)).structuredContent).toMatchObject({
        code: 'model_not_pulled',
        hint: 'fetch it with `kebab models pull`, or call search with mode lexical',
      });
      expect((await call(server, 'bulk_search', { queries: [search] })).structuredContent).toMatchObject({
        results: [{ error: { hint: expect.stringMatching(/, or call search with mode lexical$/) as string } }],
      });
      expect((await call(server, 'ask', { question: 'eighty degrees?' })).structuredContent).toMatchObject({
        code: 'model_unreachable',
        hint: expect.stringMatching(/, or answer from search and fetch yourself$/) as string,
      });
    } finally {
      await without.close();
    }
  });
});

describe('the hint of a stage that did not run', () => {
  it('names arguments, but keeps commands for the user', async () => {
    const plain = await indexedHome({ env: { KEBAB_MODELS_EMBEDDING_PROVIDER: 'none' } });
    try {
      const asked = { query: 'tea', mode: 'hybrid' };
      const hint = expect.stringContaining('search with mode lexical') as string;
      const degraded = [{ stage: 'vector', hint }];
      const answers = async (tool: string, args: JsonObject): Promise<JsonObject> =>
        (await call(plain.connection(), tool, args)).structuredContent;
      expect(await answers('search', asked)).toMatchObject({ degraded });
      expect(await answers('search', { ...asked, detail: 'full' })).toMatchObject({ degraded });
      for (const detail of ['brief', 'full'])
        expect(await answers('bulk_search', { queries: [asked], detail })).toMatchObject({
          results: [{ response: { degraded } }],
        });
      expect(await answers('search', { query: 'tag:garden' })).toMatchObject({
        hits: [{ uri: expect.stringContaining('roses.md') as string }],
      });
    } finally {
      await plain.close();
    }
  });
});

describe('a search that finds nothing', () => {
  it('lists existing filter values, as far as max_tokens allows', async () => {
    const asked = { query: 'tea', mode: 'lexical', tag: ['gardn', 'unknown', 'x1', 'x2', 'x3', 'x4'] };
    const found = async (args: JsonObject): Promise<JsonObject> =>
      (await call(connection, 'search', { ...asked, ...args })).structuredContent;
    const { suggestions } = await found({});
    expect(suggestions).toMatchObject({
      filters: [{ value: 'gardn', nearest: 'garden', known: ['garden'] }, {}, {}, {}, {}, {}],
    });
    const cut = await found({ max_tokens: 120 });
    expect(cut).toMatchObject({
      truncated: true,
      suggestions: { filters: [{ nearest: 'garden', known: [] }, {}, {}, {}, {}, {}] },
    });
    expect(JSON.stringify(cut).length).toBeLessThan(JSON.stringify(await found({})).length);
  });
});

describe('an error that quotes a long argument', () => {
  it.each([
    ['search', { query: 'a', mode: '😀'.repeat(300) }],
    ['search', { query: 'a', mode: `x${'😀'.repeat(300)}` }],
    ['fetch', { uri: `${'😀'.repeat(300)}.md` }],
    ['fetch', { uri: `x${'😀'.repeat(300)}.md` }],
  ])('of %s splits no character', async (tool, args) => {
    const { isError, content } = await call(connection, tool, args);
    expect([isError, /\\ud[89ab]|\p{Cs}/u.test(content[0]?.text ?? '')]).toEqual([true, false]);
  });

  it.each(['', 'x'])('of the protocol splits no character, %s before it', async (before) => {
    const name = before + '😀'.repeat(300);
    for (const [method, params] of [
      ['tools/call', { name }],
      ['resources/read', { uri: name }],
      [name, {}],
    ] as const)
      expect((await request(connection, method, params)).error?.message).not.toMatch(/\p{Cs}/u);
  });
});

describe('read-only mode', () => {
  it('lists no tools that write, and rejects one that is called anyway', async () => {
    const readonly = home.connection({ readonly: true });
    const { result } = await request(readonly, 'tools/list');
    const names = (result?.['tools'] as readonly { readonly name: string }[] | undefined)?.map(({ name }) => name);
    expect(names).toEqual(ALL_TOOLS.filter(({ writes }) => writes !== true).map(({ name }) => name));
    const refused = await call(readonly, 'ingest_stdin', { content: 'x', title: 'y' });
    expect(refused).toMatchObject({ isError: true, structuredContent: { code: 'readonly_mode' } });
    expect((await call(readonly, 'search', { query: 'tea' })).isError).toBeUndefined();
    expect(await call(readonly, 'ask', { query: 'nothingofthekind', session: 'tea' })).toMatchObject({
      isError: true,
      structuredContent: { code: 'readonly_mode', details: { command: 'ask --session' } },
    });
    const asked = await call(readonly, 'ask', { query: 'nothingofthekind', mode: 'lexical' });
    expect(asked.structuredContent).toMatchObject({ refusal_reason: 'no_chunks', grounded: false });
  });
});

describe('before anything is indexed', () => {
  it('calls say so, and work as soon as another process has ingested', async () => {
    const empty = newHome();
    const server = empty.connection();
    expect(await call(server, 'search', { query: 'tea' })).toMatchObject({
      isError: true,
      structuredContent: { code: 'not_indexed' },
    });
    const app = await empty.openApp();
    await app.ingest();
    await app.close();
    expect((await call(server, 'search', { query: 'tea', mode: 'lexical' })).isError).toBeUndefined();
    await empty.close();
  });
});
