import { copyFileSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../src/protocol/surface.ts';
import { kebabSurface } from '../src/kebab-surface.ts';
import { Connection } from './fakes/connection.ts';
import { call, request, type Called } from './fakes/call.ts';
import { indexedHome, ingest, newHome, type TestHome } from './fakes/test-home.ts';

const homes: TestHome[] = [];
afterEach(() => Promise.all(homes.splice(0).map((each) => each.close())));

async function home(make: () => TestHome | Promise<TestHome> = indexedHome): Promise<TestHome> {
  const made = await make();
  homes.push(made);
  return made;
}

describe('a server whose database is replaced while it runs', () => {
  it('answers from the new one', async () => {
    const [ours, other] = [await home(), await home(newHome)];
    other.write('notes/tea.md', '# Tea\n\nMatcha is whisked.\n');
    await ingest(other);
    const server = ours.connection();
    const hits = async (query: string): Promise<number> => {
      const { structuredContent } = await call(server, 'search', { query, mode: 'lexical' });
      return (structuredContent['hits'] as readonly unknown[]).length;
    };
    expect([await hits('matcha'), await hits('eighty')]).toEqual([0, 1]);
    const [from, to] = [path.join(other.folder, 'data', 'kebab'), path.join(ours.folder, 'data', 'kebab')];
    for (const name of readdirSync(to).filter((each) => each.startsWith('kebab.sqlite'))) rmSync(path.join(to, name));
    for (const name of readdirSync(from).filter((each) => each.startsWith('kebab.sqlite'))) {
      copyFileSync(path.join(from, name), path.join(to, `${name}.new`));
      renameSync(path.join(to, `${name}.new`), path.join(to, name));
    }
    expect([await hits('matcha'), await hits('eighty')]).toEqual([1, 0]);
  });

  it('answers while another process resets and ingests again, and rejects ids of the old database', async () => {
    const ours = await home();
    const server = ours.connection();
    const search = (args: object): Promise<Called> =>
      call(server, 'search', { query: 'tea', mode: 'lexical', detail: 'full', ...args });
    const before = await search({ k: 1 });
    const [{ doc_id: docId = '' } = {}] = before.structuredContent['hits'] as readonly { readonly doc_id?: string }[];
    const other = await ours.openApp();
    try {
      const answered = [search({}), search({ explain: true })];
      await other.reset('data_only');
      for (const { structuredContent, isError } of await Promise.all(answered))
        expect(isError === true ? structuredContent['code'] : 'answered').toMatch(/^(answered|not_indexed)$/);
      expect(await search({})).toMatchObject({ isError: true, structuredContent: { code: 'not_indexed' } });
      rmSync(path.join(ours.workspace, 'tea.md'));
      ours.write('notes/mint.md', '# Mint tea\n\nMint tea has no tea in it.\n');
      await other.ingest();
      ours.write('notes/sage.md', '# Sage\n');
      await other.ingest();
    } finally {
      await other.close();
    }
    const { structuredContent } = await search({});
    const paths = (structuredContent['hits'] as readonly { readonly doc_path: string }[]).map((hit) => hit.doc_path);
    expect(paths).toContain('mint.md');
    expect(paths).not.toContain('tea.md');
    expect(await search({ k: 1, cursor: before.structuredContent['next_cursor'] })).toMatchObject({
      isError: true,
      structuredContent: { code: 'stale_cursor', details: { reason: 'revision' } },
    });
    expect(await call(server, 'fetch', { kind: 'doc', doc_id: docId })).toMatchObject({
      isError: true,
      structuredContent: { code: 'doc_not_found' },
    });
  });

  it('continues with the App that did the reset', async () => {
    const app = await (await home()).openApp();
    try {
      for (const scope of ['data_only', 'vector_only', 'all'] as const) {
        await app.search({ text: 'tea', mode: 'lexical' });
        await app.reset(scope);
        expect(await app.ingest()).toMatchObject({ errors: 0 });
        expect((await app.search({ text: 'eighty', mode: 'lexical' })).hits).toHaveLength(1);
        expect(await app.ingestText('Coffee.', { title: 'Coffee' })).toMatchObject({ errors: 0 });
        await app.reset('orphans_only');
      }
      await app.reset('data_only');
      await expect(app.search({ text: 'tea' })).rejects.toMatchObject({ code: 'not_indexed' });
    } finally {
      await app.close();
    }
  });

  it('reports precisely that there is no database any more', async () => {
    const ours = await home();
    const server = ours.connection();
    await call(server, 'search', { query: 'tea' });
    rmSync(path.join(ours.folder, 'data'), { recursive: true });
    expect(await call(server, 'search', { query: 'tea' })).toMatchObject({
      isError: true,
      structuredContent: { code: 'not_indexed' },
    });
  });

  it('sees what another process adds', async () => {
    const ours = await home();
    const server = ours.connection();
    await call(server, 'search', { query: 'tea' });
    ours.write('notes/coffee.md', '# Coffee\n\nEspresso is pressed.\n');
    await ingest(ours);
    const { structuredContent } = await call(server, 'search', { query: 'espresso', mode: 'lexical' });
    expect(structuredContent['hits']).toHaveLength(1);
  });
});

describe('a server with several clients', () => {
  it('answers one of them while another has asked a query of a thousand words', async () => {
    const ours = await home();
    const surface = kebabSurface(ours.live());
    const [one, other] = [new Connection(surface), new Connection(surface)];
    await call(other, 'search', { query: 'tea', mode: 'lexical' });
    const answered: string[] = [];
    const ask = async (from: Connection, query: string, name: string): Promise<void> => {
      await call(from, 'search', { query, mode: 'lexical' });
      answered.push(name);
    };
    const words = Array.from({ length: 1000 }, (_, at) => `word${at}`).join(' ');
    await Promise.all([ask(one, words, 'long'), ask(other, 'tea leaves', 'short')]);
    expect(answered).toEqual(['short', 'long']);
  });
});

describe('doctor', () => {
  it('explains an invalid configuration with which nothing else works, and everything works once it is fixed', async () => {
    const ours = await home();
    const server = ours.connection();
    ours.write('config/kebab/config.toml', '[search]\ndefault_k = "many"\n');
    expect(await call(server, 'search', { query: 'tea' })).toMatchObject({
      isError: true,
      structuredContent: { code: 'config_invalid' },
    });
    const { isError, structuredContent } = await call(server, 'doctor');
    expect([isError, structuredContent]).toMatchObject([undefined, { schema_version: 'doctor.v1', ok: false }]);
    expect(structuredContent['checks']).toContainEqual(
      expect.objectContaining({
        name: 'config_loaded',
        ok: false,
        detail: expect.stringContaining('default_k') as string,
      }),
    );
    rmSync(path.join(ours.folder, 'config'), { recursive: true });
    expect((await call(server, 'search', { query: 'eighty', mode: 'lexical' })).structuredContent['hits']).toHaveLength(
      1,
    );
  });
});

describe('a server whose configuration is changed', () => {
  it('follows an added source, and uses the current value of a setting', async () => {
    const ours = await home();
    const server = ours.connection();
    const hits = async (query: string): Promise<readonly string[]> => {
      const { structuredContent } = await call(server, 'search', { query, mode: 'lexical' });
      return (structuredContent['hits'] as readonly { readonly uri: string }[]).map(({ uri }) => uri);
    };
    expect((await hits('tea')).length).toBeGreaterThan(1);
    ours.write('team/plan.md', '# Plan\n\nKumquats come first.\n');
    const source = `[[workspace.sources]]\nid = "team"\nroot = "${ours.folder}/team"\n`;
    ours.write('config/kebab/config.toml', source);
    await ingest(ours);
    expect(await hits('kumquats')).toEqual(['team:plan.md#L1-L3']);
    ours.write('team/plan.md', '# Plan\n\nQuinces come first, kumquats come second.\n');
    expect(await call(server, 'ingest_file', { path: `${ours.folder}/team/plan.md` })).not.toHaveProperty('isError');
    expect(await hits('quinces')).toEqual(['team:plan.md#L1-L3']);
    ours.write('config/kebab/config.toml', `${source}[search]\ndefault_k = 1\n`);
    expect(await hits('tea')).toHaveLength(1);
    ours.write('config/kebab/config.toml', '[search]\ndefault_k = "many"\n');
    expect(await call(server, 'search', { query: 'tea' })).toMatchObject({
      isError: true,
      structuredContent: { code: 'config_invalid' },
    });
    ours.write('config/kebab/config.toml', source);
    expect((await hits('tea')).length).toBeGreaterThan(1);
  });

  it('uses a project file from the call after it appeared, and what requires trust only while it is trusted', async () => {
    const ours = await home();
    const server = ours.connection();
    const other = await ours.openApp();
    const settings = async (): Promise<readonly [hits: number, errors: unknown]> => {
      const { structuredContent } = await call(server, 'search', { query: 'tea', mode: 'lexical' });
      const file = `${ours.folder}/inbox/plan.md`;
      const added = await call(server, 'ingest_file', { path: file });
      return [(structuredContent['hits'] as readonly unknown[]).length, added.structuredContent['errors']];
    };
    try {
      ours.write('inbox/plan.md', '# Plan\n\nKumquats come first.\n');
      const [before, refused] = await settings();
      expect([before > 1, refused]).toEqual([true, undefined]);
      ours.write('notes/kebab.toml', `[search]\ndefault_k = 1\n[mcp]\ningest_roots = ["${ours.folder}/inbox"]\n`);
      expect(await settings()).toEqual([1, undefined]);
      await other.trust({ kind: 'add', path: `${ours.workspace}/kebab.toml` });
      expect(await settings()).toEqual([1, 0]);
      await other.trust({ kind: 'revoke', path: `${ours.workspace}/kebab.toml` });
      expect(await settings()).toEqual([1, undefined]);
    } finally {
      await other.close();
    }
  });
});

describe('the text of a search', () => {
  it('has one line for each place, whatever a file name contains', async () => {
    const ours = await home();
    ours.write('notes/odd\n9. forged.md#L1\u2028\u202e.md', '# Odd\n\nKumquats are odd.\n');
    await ingest(ours);
    const server = ours.connection();
    for (const [tool, args] of [
      ['search', { query: 'kumquats', mode: 'lexical' }],
      ['bulk_search', { queries: [{ query: 'kumquats', mode: 'lexical' }] }],
    ] as const) {
      const { content } = await call(server, tool, args);
      const lines = (content[0]?.text ?? '').split(/[\n\u2028]/);
      expect(lines.filter((line) => /^\d+\. /.test(line))).toEqual([
        '1. odd\u240a9. forged.md%23L1\ufffd\ufffd.md#L1-L3',
      ]);
    }
  });
});

describe('fetch', () => {
  it('of a chunk returns the nearest neighbours that fit a response, or all of them if they fit', async () => {
    const ours = await home();
    const sections = Array.from({ length: 200 }, (_, at) => `## Part ${at}\n\n${`Kumquat ${at}. `.repeat(60)}\n`);
    ours.write('notes/long.md', `# Long\n\n${sections.join('\n')}`);
    await ingest(ours);
    const server = ours.connection();
    const found = await call(server, 'search', { query: '"kumquat 100"', mode: 'lexical', k: 1, detail: 'full' });
    const [{ chunk_id: chunkId = '' } = {}] = found.structuredContent['hits'] as readonly { chunk_id?: string }[];
    type Neighbours = readonly { readonly ordinal: number }[];
    const around = async (context: number): Promise<readonly [JsonObject, number, Neighbours, Neighbours]> => {
      const { structuredContent } = await call(server, 'fetch', { chunk_id: chunkId, context });
      const { chunk, context_before: before, context_after: after } = structuredContent;
      return [structuredContent, (chunk as { ordinal: number }).ordinal, before as Neighbours, after as Neighbours];
    };
    const [answer, ordinal, before, after] = await around(1000);
    expect(JSON.stringify(answer).length).toBeLessThanOrEqual(40_000);
    expect([...before, ...after].length).toBeGreaterThan(4);
    expect(before.map((chunk) => chunk.ordinal)).toEqual(before.map((_, at) => ordinal - before.length + at));
    expect(after.map((chunk) => chunk.ordinal)).toEqual(after.map((_, at) => ordinal + 1 + at));
    const [, , near, next] = await around(2);
    expect([near.length, next.length]).toEqual([2, 2]);
  });
});

describe('ingest_file', () => {
  it('accepts only files in a source, however the path is written', async () => {
    const ours = await home();
    const server = ours.connection();
    ours.write('secret.md', '# Secret\n');
    symlinkSync(path.join(ours.folder, 'secret.md'), path.join(ours.workspace, 'link.md'));
    mkdirSync(path.join(ours.folder, 'notes-private'));
    ours.write('notes-private/diary.md', '# Diary\n');
    for (const typed of [
      '../secret.md',
      'garden/../../secret.md',
      path.join(ours.folder, 'secret.md'),
      'link.md',
      '../notes-private/diary.md',
      '/etc/passwd',
      '../does-not-exist.md',
      '..',
      '.',
      '',
      'tea.md\0.png',
    ]) {
      const result = await call(server, 'ingest_file', { path: typed });
      expect([typed, result]).toMatchObject([
        typed,
        { isError: true, structuredContent: { code: 'invalid_input', details: { field: 'path' } } },
      ]);
    }
    expect((await call(server, 'ingest_file', { path: '.' })).structuredContent['message']).toBe(
      '. is a folder, not a file',
    );
    expect((await call(server, 'ingest_file', { path: 'garden/../tea.md' })).structuredContent['errors']).toBe(0);
    expect(await call(server, 'ingest_file', { path: 'missing.md' })).toMatchObject({
      structuredContent: { code: 'io_error' },
    });
  });

  it('sends progress notifications while ingest_file runs', async () => {
    const server = (await home()).connection();
    const seen: unknown[] = [];
    await request(
      server,
      'tools/call',
      { name: 'ingest_file', arguments: { path: 'tea.md' }, _meta: { progressToken: 1 } },
      ({ params }) => seen.push([params['progressToken'], params['progress'], params['total']]),
    );
    expect(seen).toEqual([
      [1, 1, 2],
      [1, 2, 2],
    ]);
  });
});

describe('resources', () => {
  it('page through the documents, and return the indexed text', async () => {
    const ours = await home();
    for (let i = 0; i < 101; i++) ours.write(`notes/many/${i}.md`, `# Note ${i}\n`);
    await ingest(ours);
    const server = ours.connection();
    const first = (await request(server, 'resources/list')).result;
    const second = (await request(server, 'resources/list', { cursor: first?.['nextCursor'] })).result;
    const all = [first, second].flatMap((page) => page?.['resources'] as readonly { uri: string; name: string }[]);
    expect([all.length, second?.['nextCursor']]).toEqual([104, undefined]);
    const tea = all.find(({ name }) => name === 'tea.md');
    const read = (await request(server, 'resources/read', { uri: tea?.uri })).result;
    expect(read).toMatchObject({
      contents: [
        { uri: tea?.uri, mimeType: 'text/markdown', text: expect.stringContaining('eighty degrees') as string },
      ],
    });
    expect((await request(server, 'resources/list', { cursor: 'garbage' })).error?.code).toBe(-32602);
    expect((await request(server, 'resources/read', { uri: `kebab://doc/${'0'.repeat(32)}` })).error?.code).toBe(
      -32002,
    );
  });

  it('have the same type in the list and when read, and a size if it is that of the text', async () => {
    const ours = await home();
    ours.write('notes/alt.markdown', '# Alternatives\n');
    ours.write('notes/ports.csv', 'Port,Depth\nBusan,12\n');
    await ingest(ours);
    const server = ours.connection();
    const listed = (await request(server, 'resources/list')).result?.['resources'] as readonly JsonObject[];
    const sizes: Record<string, unknown> = {};
    for (const { uri, name, mimeType, size } of listed) {
      const read = (await request(server, 'resources/read', { uri })).result;
      expect([name, read]).toMatchObject([name, { contents: [{ mimeType }] }]);
      sizes[name as string] = [mimeType, size];
    }
    expect(sizes).toMatchObject({
      'alt.markdown': ['text/markdown', 15],
      'ports.csv': ['text/plain', undefined],
    });
  });

  it('are named with their source if tools require it', async () => {
    const server = (await home()).connection();
    await call(server, 'ingest_stdin', { title: 'Brewing', content: '# Brewing\n\nfive minutes\n' });
    const listed = (await request(server, 'resources/list')).result?.['resources'] as readonly { name: string }[];
    const brought = listed.find(({ name }) => name.startsWith('external:'))?.name ?? '';
    const fetched = await call(server, 'fetch', { kind: 'uri', uri: `${brought}#L1` });
    expect(fetched.structuredContent).toMatchObject({ source_id: 'external', citation: { uri: `${brought}#L1` } });
    const ref = { type: 'ref/prompt', name: 'explain_miss' };
    const completed = await request(server, 'completion/complete', {
      ref,
      argument: { name: 'expected', value: 'ext' },
    });
    expect(completed.result).toMatchObject({ completion: { values: [brought] } });
  });

  it('are an empty list before the first ingest, because clients list them when they connect', async () => {
    const server = (await home(newHome)).connection();
    expect((await request(server, 'resources/list')).result).toMatchObject({ resources: [] });
    const ref = { type: 'ref/resource', uri: 'kebab://doc/{id}' };
    const completed = await request(server, 'completion/complete', { ref, argument: { name: 'id', value: 'a' } });
    expect(completed.result).toMatchObject({ completion: { values: [] } });
  });

  it('are completed wherever they are in a long list', { timeout: 120_000 }, async () => {
    const ours = await home(newHome);
    for (let at = 0; at < 1010; at++) ours.write(`notes/many/${String(at).padStart(4, '0')}.md`, `# Note ${at}\n`);
    ours.write('notes/zen/Late (draft).md', '# Last of all\n');
    await ingest(ours);
    const server = ours.connection();
    const complete = async (ref: object, name: string, value: string): Promise<readonly string[]> => {
      const { result } = await request(server, 'completion/complete', { ref, argument: { name, value } });
      return (result?.['completion'] as { readonly values: readonly string[] } | undefined)?.values ?? [];
    };
    const prompt = { type: 'ref/prompt', name: 'explain_miss' };
    for (const typed of ['late', 'zen/la', 'LATE (dr'])
      expect(await complete(prompt, 'expected', typed)).toEqual(['zen/Late (draft).md']);
    const template = { type: 'ref/resource', uri: 'kebab://doc/{id}' };
    const [id = ''] = await complete(template, 'id', 'late');
    expect(id).toMatch(/^[0-9a-f]{32}$/);
    expect(await complete(template, 'id', id.slice(0, 10))).toEqual([id]);
    expect(await complete(prompt, 'expected', 'x'.repeat(5000))).toEqual([]);
  });

  it('and the arguments of prompts are completed from the documents', async () => {
    const server = (await home()).connection();
    const complete = async (ref: object, name: string, value: string): Promise<unknown> => {
      const { result } = await request(server, 'completion/complete', { ref, argument: { name, value } });
      return (result?.['completion'] as { readonly values: unknown } | undefined)?.values;
    };
    expect(await complete({ type: 'ref/prompt', name: 'explain_miss' }, 'expected', 'rose')).toEqual([
      'garden/roses.md',
    ]);
    expect(await complete({ type: 'ref/prompt', name: 'answer_with_citations' }, 'topic', 'te')).toEqual(['Tea']);
    expect(await complete({ type: 'ref/prompt', name: 'ask_kb' }, 'question', 'te')).toEqual([]);
    const [id] = (await complete(
      { type: 'ref/resource', uri: 'kebab://doc/{id}' },
      'id',
      'tea.md',
    )) as readonly string[];
    expect(await complete({ type: 'ref/resource', uri: 'kebab://doc/{id}' }, 'id', id?.slice(0, 8) ?? '')).toEqual([
      id,
    ]);
    const found = await call(server, 'search', { query: 'eighty', mode: 'lexical', detail: 'full' });
    const [{ chunk_id: chunkId = '' } = {}] = found.structuredContent['hits'] as readonly {
      readonly chunk_id?: string;
    }[];
    expect(await complete({ type: 'ref/resource', uri: 'kebab://chunk/{id}' }, 'id', chunkId.slice(0, 8))).toEqual([
      chunkId,
    ]);
  });
});
