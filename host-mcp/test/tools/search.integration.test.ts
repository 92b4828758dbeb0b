import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Connection } from '../fakes/connection.ts';
import type { JsonObject } from '../../src/protocol/surface.ts';
import { call } from '../fakes/call.ts';
import { ingest, newHome, type TestHome } from '../fakes/test-home.ts';

const DATA = new URL('../../../../shared/data/', import.meta.url);
const QUESTIONS = {
  cranfield: [
    'heat conduction in composite slabs',
    'boundary layer on a flat plate',
    'supersonic flow past a cone',
    'flutter of wings at high speed',
    'transition from laminar to turbulent flow',
  ],
  'ko-autorag': ['비용 절감 방법', '전자상거래 플랫폼', '금융 시장 전망', '고객 경험', '인공지능 기술'],
} as const;

interface Brief {
  readonly hits: readonly { readonly uri: string; readonly content_hash: string; readonly snippet: string }[];
  readonly next_cursor: string | null;
  readonly truncated?: true;
}

describe.skipIf(!existsSync(new URL('cranfield/corpus.jsonl', DATA)))('a search of real documents', () => {
  let home: TestHome;
  let connection: Connection;

  beforeAll(async () => {
    home = newHome({ env: { KEBAB_MODELS_EMBEDDING_PROVIDER: 'none' } });
    for (const corpus of Object.keys(QUESTIONS))
      for (const line of readFileSync(new URL(`${corpus}/corpus.jsonl`, DATA), 'utf8')
        .split('\n')
        .slice(0, 300)) {
        const { _id: id, title, text } = JSON.parse(line) as Readonly<Record<string, string>>;
        home.write(`notes/${corpus}/${id}.md`, `# ${title}\n\n${text}\n`);
      }
    await ingest(home);
    connection = home.connection();
  }, 120_000);
  afterAll(() => home.close());

  const find = async (args: JsonObject): Promise<Brief> =>
    (await call(connection, 'search', { k: 10, ...args })).structuredContent as unknown as Brief;

  it.each(Object.entries(QUESTIONS))(
    'of %s returns a text of at most 1.3 bytes per byte of its passages, and structured content of at most 2.1',
    async (_, queries) => {
      let [shown, structured, passages] = [0, 0, 0];
      for (const query of queries) {
        const result = await call(connection, 'search', { query, k: 10 });
        const { hits } = result.structuredContent as unknown as Brief;
        expect(hits.length).toBe(10);
        shown += Buffer.byteLength(result.content[0]?.text ?? '');
        structured += Buffer.byteLength(JSON.stringify(result.structuredContent));
        passages += hits.reduce((sum, { snippet }) => sum + Buffer.byteLength(snippet), 0);
      }
      expect(passages).toBeGreaterThan(5000);
      expect(shown / passages).toBeLessThanOrEqual(1.3);
      expect(structured / passages).toBeLessThanOrEqual(2.1);
    },
  );

  it('leads from a brief hit to its lines and to a valid citation', async () => {
    const { hits } = await find({ query: QUESTIONS.cranfield[0] });
    for (const { uri, content_hash } of hits.slice(0, 3)) {
      const { structuredContent } = await call(connection, 'fetch', { uri });
      expect(structuredContent).toMatchObject({ citation: { uri, content_hash } });
      const check = await call(connection, 'verify_citation', { uri, content_hash });
      expect(check.structuredContent).toMatchObject({ status: 'exact' });
    }
  });

  it('has the same hits as search_response.v1, which detail: full returns', async () => {
    const query = QUESTIONS.cranfield[1];
    const { structuredContent } = await call(connection, 'search', { query, k: 10, detail: 'full' });
    expect(structuredContent).toMatchObject({ schema_version: 'search_response.v1' });
    const full = structuredContent['hits'] as readonly { readonly citation: { readonly uri: string } }[];
    expect((await find({ query })).hits.map(({ uri }) => uri)).toEqual(full.map(({ citation }) => citation.uri));
  });

  it('keeps to max_tokens by shortening snippets first, then dropping hits, at which the cursor continues', async () => {
    const query = QUESTIONS.cranfield[2];
    const whole = await find({ query, k: 20 });
    const shorter = await find({ query, k: 20, max_tokens: 1600 });
    expect(shorter).toMatchObject({ truncated: true });
    expect(JSON.stringify(shorter).length).toBeLessThanOrEqual(6400);
    expect(shorter.hits.map(({ uri }) => uri)).toEqual(whole.hits.map(({ uri }) => uri));
    const fewer = await find({ query, k: 20, max_tokens: 400 });
    expect(JSON.stringify(fewer).length).toBeLessThanOrEqual(1600);
    expect(fewer.hits.length).toBeGreaterThan(1);
    const next = await find({ query, k: 20, max_tokens: 400, cursor: fewer.next_cursor });
    expect([...fewer.hits, ...next.hits].map(({ uri }) => uri)).toEqual(
      whole.hits.slice(0, fewer.hits.length + next.hits.length).map(({ uri }) => uri),
    );
  });
});

describe('a numbered page with a budget', () => {
  let home: TestHome;
  let connection: Connection;
  let ranked: readonly string[];

  beforeAll(async () => {
    home = newHome({ env: { KEBAB_MODELS_EMBEDDING_PROVIDER: 'none' } });
    for (let at = 0; at < 30; at++)
      home.write(`notes/salt/${at}.md`, `# Salt ${at}\n\n${'Salt keeps what is laid in it. '.repeat(at + 1)}\n`);
    await ingest(home);
    connection = home.connection();
    const { structuredContent } = await call(connection, 'search', { query: 'salt', k: 30 });
    ranked = urisOf(structuredContent);
  });
  afterAll(() => home.close());

  const urisOf = (brief: unknown): readonly string[] => (brief as Brief).hits.map(({ uri }) => uri);

  it.each([
    [{ page: 2, k: 10, max_tokens: 300 }, 10],
    [{ page: 3, k: 10, max_tokens: 300 }, 20],
    [{ page: 2, k: 8, max_tokens: 0 }, 8],
  ])('begins where the page does, and the cursor continues after its last hit: %j', async (args, before) => {
    const { structuredContent: page } = await call(connection, 'search', { query: 'salt', ...args });
    const uris = urisOf(page);
    expect(uris.length).toBeLessThan(args.k);
    expect(uris).toEqual(ranked.slice(before, before + uris.length));
    const { structuredContent: next } = await call(connection, 'search', {
      query: 'salt',
      k: 2,
      cursor: page['next_cursor'],
    });
    expect(urisOf(next)).toEqual(ranked.slice(before + uris.length, before + uris.length + 2));
    const { structuredContent: bulk } = await call(connection, 'bulk_search', {
      queries: [{ query: 'salt', ...args }],
    });
    expect(bulk).toMatchObject({ results: [{ response: { hits: uris.map((uri) => ({ uri })) } }] });
  });
});
