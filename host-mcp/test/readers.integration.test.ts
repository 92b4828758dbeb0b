import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { isKebabError, toErrorV1, type App } from '@kebab/core/app';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { DOCUMENTS, type TeamDocument, teamHome, type WrittenRule } from './team-home.ts';

/** What a rule may say about paths, with what that means. */
const PATHS: Readonly<Record<string, (path: string) => boolean>> = {
  '**': () => true,
  'hr/**': (place) => place.startsWith('hr/'),
  'hr/private': (place) => place.startsWith('hr/private/'),
  '*.md': (place) => !place.includes('/') && place.endsWith('.md'),
  '**/*.py': (place) => place.endsWith('.py'),
  'boats/*': (place) => /^boats\/[^/]+$/.test(place),
  'ko/노젓기.md': (place) => place === 'ko/노젓기.md',
};
const PRINCIPALS = ['user:ann', 'user:zoë', 'group:crew', 'group:관리자', 'token:bot'];

const RULE: fc.Arbitrary<WrittenRule> = fc.record({
  source: fc.constantFrom('', 'default', 'team'),
  path: fc.constantFrom(...Object.keys(PATHS)),
  readers: fc.uniqueArray(fc.constantFrom('everyone', ...PRINCIPALS), { maxLength: 3 }),
});
const SITUATION = fc.record({
  rules: fc.array(RULE, { minLength: 1, maxLength: 4 }),
  principals: fc.uniqueArray(fc.constantFrom(...PRINCIPALS), { minLength: 1, maxLength: 3 }),
});

function mayRead(
  { source, path: place }: TeamDocument,
  { rules, principals }: { readonly rules: readonly WrittenRule[]; readonly principals: readonly string[] },
): boolean {
  const rule = rules.find((one) => (one.source || source) === source && PATHS[one.path ?? '**']?.(place));
  return rule?.readers.some((reader) => reader === 'everyone' || principals.includes(reader)) ?? false;
}

const QUERIES = [
  'dawn',
  'coxswain zloty',
  'quokka',
  'quoka',
  'spruse',
  'oars spruce',
  '"at dawn"',
  '-dawn oars',
  'title:review',
  'path:wages dawn',
  '젓는다',
  'tar oakum',
  'tag:pay',
];
const WHERE: readonly (readonly [string, string])[] = DOCUMENTS.map(({ source, path: place }) => [source, place]);

type Call = (app: App, ids: Ids) => Promise<unknown>;
interface Ids {
  readonly docs: readonly string[];
  readonly chunks: readonly string[];
}

/** Every way of asking, by name. Scores, and so the order of hits, depend on all documents of an index: hits are compared as sets. */
function calls(): Readonly<Record<string, Call>> {
  const uris = WHERE.map(([source, place]) => (source === 'default' ? place : `${source}:${place}`));
  const all: [string, Call][] = [];
  for (const text of QUERIES) {
    // Cosines depend on no other document, so even the first hit alone is the same.
    all.push([`nearest ${text}`, async (app) => found(await app.search({ text, mode: 'vector', k: 1 }))]);
    for (const mode of ['lexical', 'vector', 'hybrid'] as const)
      all.push([
        `search ${mode} ${text}`,
        async (app) => found(await app.search({ text, mode, k: 50 }, { facets: true })),
      ]);
    all.push([
      `bulk ${text}`,
      async (app) => {
        const items: unknown[] = [];
        for await (const { response, ...item } of app.bulkSearch([{ query: text, mode: 'lexical', k: 50 }]))
          items.push({ ...item, response: found(response ?? { hits: [] }) });
        return items;
      },
    ]);
    all.push([`grep ${text}`, (app) => app.grep({ pattern: text.replaceAll('"', ''), context: 1 })]);
  }
  for (const filters of [
    { tag: ['pay'] },
    { source: ['team'] },
    { source: ['nowhere'] },
    { pathGlob: ['hr/**'] },
    { lang: ['ko'] },
    { media: ['code' as const] },
  ])
    all.push(
      [
        `search with ${JSON.stringify(filters)}`,
        async (app) => found(await app.search({ text: 'dawn', filters, mode: 'lexical' }, { facets: true })),
      ],
      [`list ${JSON.stringify(filters)}`, (app) => app.listDocs(filters)],
    );
  all.push(['list', (app) => app.listDocs()], ['list by two', (app) => app.listDocs({}, { limit: 2 })]);
  for (const uri of uris) {
    all.push(
      [`fetch ${uri}`, (app) => app.fetch({ kind: 'uri', uri })],
      [`fetch lines ${uri}`, (app) => app.fetch({ kind: 'uri', uri: `${uri}#L1-L2` })],
      [`outline ${uri}`, (app) => app.outline({ path: uri })],
      [`related ${uri}`, async (app) => unordered(await app.related({ kind: 'uri', uri }))],
      [`verify ${uri}`, (app) => app.verifyCitation(`${uri}#L1`)],
      [`verify hash ${uri}`, (app) => app.verifyCitation(`${uri}#L1`, { hash: '0'.repeat(16) })],
      [`open ${uri}`, (app) => app.locate({ kind: 'uri', uri })],
      [`inspect ${uri}`, async (app) => app.inspectDoc((await app.resolveId('document', uri)) as never)],
      [
        `expect ${uri}`,
        async (app) => {
          const explained = await app.search({ text: 'dawn', mode: 'lexical' }, { explain: true, expect: uri });
          const { expect: miss } = explained as { expect?: { outcome: string } };
          return miss?.outcome === 'not_indexed' ? miss : miss?.outcome;
        },
      ],
      [
        `ask about @${uri}`,
        async (app) => outcome(await app.ask({ question: `what does @${uri} say about dawn?`, mode: 'lexical' })),
      ],
    );
  }
  for (const form of [
    './hr/wages.md',
    'hr//wages.md',
    'hr/./wages.md',
    'HR/wages.md',
    'hr%2Fwages.md',
    'boats/../hr/wages.md',
  ])
    all.push(
      [`fetch ${form}`, (app) => app.fetch({ kind: 'uri', uri: form })],
      [`verify ${form}`, (app) => app.verifyCitation(form)],
      [`outline ${form}`, (app) => app.outline({ path: form })],
    );
  for (const folder of ['hr', 'boats', 'hr/private', 'hr/node_modules', 'team:boats', '**/*.py', 'nowhere'])
    all.push(
      [`outline ${folder}`, (app) => app.outline({ path: folder })],
      [`fetch ${folder}`, (app) => app.fetch({ kind: 'uri', uri: folder })],
      [`get ${folder}`, (app) => app.nameDocuments(folder)],
    );
  for (const name of ['caulk', 'hull'])
    for (const find of ['definition', 'references'] as const)
      all.push([`symbol ${name} ${find}`, (app) => app.findSymbol({ name, find })]);
  all.push([
    'by id',
    (app, { docs, chunks }) =>
      Promise.all(
        [
          ...docs.flatMap((id) => [
            app.fetch({ kind: 'doc', docId: id as never }),
            app.fetch({ kind: 'span', docId: id as never, lineStart: 1, lineEnd: 2 }),
            app.outline({ docId: id as never }),
            app.resolveId('document', id.slice(0, 8)),
          ]),
          ...chunks.flatMap((id) => [
            app.fetch({ kind: 'chunk', chunkId: id as never }, { context: 2 }),
            app.inspectChunk(id as never),
            app.related({ kind: 'chunk', chunkId: id as never }).then(unordered),
            app.locate({ kind: 'chunk', chunkId: id as never }),
          ]),
          ...chunks.map((id) => app.showPassages({ query: 'dawn', chunkIds: [id as never] })),
        ].map((one) => one.catch((error: unknown) => toErrorV1(error))),
      ),
  ]);
  all.push(['ask', async (app) => outcome(await app.ask({ question: 'who rows at dawn?' }))]);
  all.push([
    'skipped',
    async (app) => {
      const files: unknown[] = [];
      for await (const file of app.listSkipped()) files.push(file);
      return files;
    },
  ]);
  all.push(['sessions', (app) => app.listSessions()]);
  all.push([
    'schema',
    async (app) => {
      const { stats, models: _, ...schema } = await app.schema();
      const { index_bytes: _bytes, last_ingest_at: _last, ...counts } = stats;
      return { ...schema, counts };
    },
  ]);
  return Object.fromEntries(all);
}

/** A response without what all documents of an index influence: scores, order, and which snippet is best. */
function found(response: object): unknown {
  const {
    hits,
    query_time_ms: _,
    ...rest
  } = response as {
    hits: readonly Record<string, unknown>[];
    query_time_ms?: unknown;
  };
  const places = hits.map(({ doc_id, chunk_id, citation, also_at, snippet_full_text: __ }) => ({
    doc_id,
    chunk_id,
    citation,
    also_at,
  }));
  return unordered({ ...rest, hits: places });
}

function outcome(answer: object): unknown {
  const { refusal_reason, grounded, citations, retrieval } = answer as Record<string, unknown>;
  const cited = citations as readonly { citation: { uri: string } }[];
  void retrieval;
  return { refusal_reason, grounded, cited: cited.map(({ citation }) => citation.uri).toSorted().length };
}

/** Lists in the order of their JSON, so that only their members count. */
function unordered(value: unknown): unknown {
  if (Array.isArray(value))
    return value.map(unordered).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !/^(?:score|rank)$/.test(key))
      .map(([key, member]) => [key, unordered(member)]),
  );
}

/** What a call returned or threw, without times, folders, revisions and the ids of runs. */
async function asked(call: Call, app: App, { ids, folder }: { ids: Ids; folder: string }): Promise<unknown> {
  const result: unknown = await call(app, ids).catch((error: unknown) => toErrorV1(error));
  const text = JSON.stringify(result ?? null).replaceAll(folder, 'FOLDER');
  return JSON.parse(text, (key, value: unknown) =>
    /^(?:corpus_revision|created_at|took_ms|.*_ms|next_cursor|ts)$/.test(key) ? null : value,
  ) as unknown;
}

const closing: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closing) await close();
});

describe('what a caller gets', () => {
  it('is only their own conversations, except for administrators', async () => {
    const { app, close } = await teamHome(DOCUMENTS);
    closing.push(close);
    const of = (name: string, ...scopes: ('ask' | 'admin')[]) =>
      app.as({ id: `user:${name}`, principals: [`user:${name}`], scopes });
    const [ann, zoe, admin] = [await of('ann', 'ask'), await of('zoë/ann', 'ask'), await of('root', 'admin')];
    await ann.ask({ question: 'who rows at dawn?', session: 'boats', mode: 'lexical' });
    await zoe.ask({ question: 'what are oars made of?', session: 'boats', mode: 'lexical' });
    expect(await ann.showSession('boats')).toMatchObject({ turns: [{ question: 'who rows at dawn?' }] });
    expect(await zoe.listSessions()).toMatchObject([{ conversation_id: 'boats', turn_count: 1 }]);
    expect((await admin.listSessions()).map(({ conversation_id: name }) => name).toSorted()).toEqual([
      'user%3Aann/boats',
      'user%3Azo%C3%AB%2Fann/boats',
    ]);
    await zoe.deleteSession('boats');
    expect(await ann.listSessions()).toHaveLength(1);
    await expect(zoe.showSession('user%3Aann/boats')).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it.each([
    ['read', ['search', 'fetch', 'grep', 'schema']],
    ['ask', ['ask', 'listSessions']],
    ['ingest', ['ingestText']],
    [
      'admin',
      ['search', 'fetch', 'grep', 'schema', 'ask', 'listSessions', 'ingestText', 'ingestFile', 'doctor', 'configView'],
    ],
  ] as const)('with the scope %s needs no other for %j', async (scope, allowed) => {
    const { app, close } = await teamHome([]);
    closing.push(close);
    const caller = await app.as({ id: 'token:t', principals: ['token:t'], scopes: [scope] });
    const names = [
      'search',
      'fetch',
      'grep',
      'schema',
      'ask',
      'listSessions',
      'ingestText',
      'ingestFile',
      'doctor',
      'configView',
    ] as const;
    for (const name of names) {
      const refused = await (caller[name] as (...args: unknown[]) => Promise<unknown>)().then(
        () => false,
        (error: unknown) => isKebabError(error, 'invalid_input') && error.details.field === 'scope',
      );
      expect({ name, refused }).toEqual({ name, refused: !(allowed as readonly string[]).includes(name) });
    }
  });

  it('is recorded with who asked, and the ids of what was shown, but no text', async () => {
    const { app, folder, close } = await teamHome(
      DOCUMENTS,
      [{ path: 'boats/**', readers: ['user:zoë'] }],
      '[access]\naudit = true\n',
    );
    const zoe = await app.as({ id: 'user:zoë', principals: ['user:zoë'], scopes: ['read'] });
    const { hits } = await zoe.search({ text: 'dawn', mode: 'lexical' });
    await zoe.fetch({ kind: 'uri', uri: 'hr/wages.md' }).catch(() => null);
    await zoe.doctor().catch(() => null);
    await zoe.listFolders();
    await app.search({ text: 'dawn' });
    await close(false);
    const log = readFileSync(path.join(folder, 'data/kebab/audit/audit-2026-03-04.jsonl'), 'utf8');
    rmSync(folder, { recursive: true });
    const rows = log
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(rows).toMatchObject([
      {
        caller: 'user:zoë',
        operation: 'search',
        time: '2026-03-04T05:06:07.000Z',
        docs: hits.map(({ doc_id: id }) => id),
      },
      { caller: 'user:zoë', operation: 'fetch', error: 'doc_not_found', docs: [] },
      { caller: 'user:zoë', operation: 'doctor', error: 'invalid_input' },
      {
        caller: 'user:zoë',
        operation: 'list folders',
        uris: expect.arrayContaining(hits.map(({ citation: { uri } }) => uri.split('#', 1)[0])) as string[],
      },
    ]);
    expect(hits.length).toBeGreaterThan(0);
    expect(log).not.toContain('oakum');
  });

  it('is, of a text that they add, not whether somebody else had added the same', async () => {
    const { app, folder, close } = await teamHome(DOCUMENTS, [
      { source: 'external', readers: ['group:hr'] },
      { readers: ['everyone'] },
    ]);
    closing.push(close);
    const of = (group: string) => app.as({ id: 'user:eve', principals: [group], scopes: ['read', 'ingest'] });
    const text = '---\ntags: [pay]\n---\n\nThe wombat earns zloty.\n';
    const add = async (by: App, title: string) => {
      const events: unknown[] = [];
      const report = await by.ingestText(text, { title }, { onProgress: (event) => void events.push(event) });
      return { ...report, run_id: '', duration_ms: 0, events };
    };
    const [hr, eve] = [await of('group:hr'), await of('group:crew')];
    const first = await add(eve, 'Mine');
    expect(await add(hr, 'Theirs')).toMatchObject({
      unchanged: 1,
      items: [{ doc_path: expect.stringMatching(/^mine-/) }],
    });
    expect(await add(eve, 'Guess')).toEqual(first);
    expect(first).toMatchObject({ new: 1, unchanged: 0, items: [], events: [] });
    expect(JSON.stringify([first, await add(hr, 'Theirs')])).not.toContain(folder);
    expect(await eve.listDocs({ source: ['external'] })).toMatchObject({ docs: [], total: 0 });
  });

  it('is, of changes that are not indexed yet, that there are some but not how many', async () => {
    const { app, folder, close } = await teamHome(DOCUMENTS, [{ path: '*', readers: ['everyone'] }]);
    closing.push(close);
    const reader = await app.as({ id: 'token:t', principals: ['token:t'], scopes: ['read'] });
    for (const { source, path: place } of DOCUMENTS.slice(1)) rmSync(path.join(folder, source, place));
    expect((await app.search({ text: 'dawn', mode: 'lexical' })).index).toMatchObject({
      reason: 'mass_delete',
      changed: 9,
    });
    const { index } = await reader.search({ text: 'rows', mode: 'lexical' });
    expect(index).toMatchObject({ reason: 'mass_delete', changed: 0, refreshed: 0 });
    expect(JSON.stringify(index)).not.toMatch(/\b9\b/);
  });

  it('reaches nothing of another caller through its own App', async () => {
    const { app, close } = await teamHome([]);
    closing.push(close);
    const caller = await app.as({ id: 'token:t', principals: ['token:t'], scopes: ['read'] });
    await expect(caller.as({ id: 'user:root', principals: [], scopes: ['admin'] })).rejects.toThrow('nobody else');
    await caller.close();
    expect(await app.listDocs()).toMatchObject({ docs: [] });
  });

  it('is what a knowledge base with only the readable documents gives', async () => {
    const bases = new Map<string, Awaited<ReturnType<typeof teamHome>>>();
    const whole = await teamHome(DOCUMENTS);
    closing.push(whole.close);
    const { docs } = await whole.app.listDocs({}, { limit: 100 });
    const chunks = await Promise.all(docs.map(({ doc_id: id }) => whole.app.inspectDoc(id as never)));
    const ids = {
      docs: docs.map(({ doc_id: id }) => id),
      chunks: JSON.stringify(chunks).match(/(?<="chunk_id":")[0-9a-f]{32}/g) ?? [],
    };
    const all = calls();
    await fc.assert(
      fc.asyncProperty(SITUATION, async (situation) => {
        const readable = DOCUMENTS.filter((document) => mayRead(document, situation));
        const key = readable.map(({ source, path: place }) => `${source}:${place}`).join('\n');
        let alone = bases.get(key);
        if (alone === undefined) {
          alone = await teamHome(readable);
          closing.push(alone.close);
          bases.set(key, alone);
        }
        const shared = await teamHome(DOCUMENTS, situation.rules);
        try {
          const user = await shared.app.as({
            id: 'user:ann',
            principals: situation.principals,
            scopes: ['read', 'ask'],
          });
          const own = await alone.app.as({ id: 'user:ann', principals: [], scopes: ['read', 'ask'] });
          const got: Record<string, unknown> = {};
          const expected: Record<string, unknown> = {};
          for (const [name, call] of Object.entries(all)) {
            got[name] = await asked(call, user, { ids, folder: shared.folder });
            expected[name] = await asked(call, own, { ids, folder: alone.folder });
          }
          expect(got).toEqual(expected);
        } finally {
          await shared.close();
        }
      }),
      { numRuns: Number(process.env['RUNS'] ?? 3), seed: 7, endOnFailure: true },
    );
  }, 300_000);
});
