import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { startFakeQdrant } from '../plugins/vectors-qdrant/test/fake-qdrant.ts';
import { UserHome } from './user-home.ts';

const MODEL = fileURLToPath(new URL('../../shared/models/potion-base-4M-int8', import.meta.url));
const TEXTS: Readonly<Record<string, string>> = {
  'account.md': '# Account\n\nIf you forgot your login, you can recover it by mail.\n',
  'soup.md': '# Soup\n\nBoil the onions until they are soft, then add the stock.\n',
  'garden.md': '# Garden\n\nWater the tomatoes in the morning.\n',
  'sub/car.md': '# Car\n\nThe vehicle needs new tyres before winter.\n',
};

const homes: UserHome[] = [];

/** The home of a user with the sample texts, and a way to open kebab in it. No hit is dropped for low relevance. */
function workspace() {
  const home = new UserHome();
  homes.push(home);
  home.put(TEXTS);
  const own = {
    KEBAB_MODELS_EMBEDDING_PROVIDER: 'transformers',
    KEBAB_MODELS_EMBEDDING_MODEL: MODEL,
    KEBAB_SEARCH_MIN_RELEVANCE: '0',
  };
  return {
    folder: home.notes,
    openKebab: (env: Readonly<Record<string, string>> = {}) => home.open({ ...own, ...env }),
    close: () => home.close(),
  };
}

const QUESTION = { text: 'reset a password' };

describe.skipIf(!existsSync(MODEL))('hybrid search with the model of ../shared/models (skipped without it)', () => {
  afterEach(async () => {
    for (const home of homes.splice(0)) await home.remove();
  });

  it('finds a paraphrase, and reports the lexical and the vector rank', async () => {
    const app = await workspace().openKebab();
    expect(await app.ingest()).toMatchObject({ new: 4, embeddings_pending: 0, degraded: [] });
    const meant = await app.search({ ...QUESTION, mode: 'vector' });
    expect(meant).toMatchObject({ mode: 'vector', degraded: [], hits: [{ doc_path: 'account.md' }, {}, {}, {}] });
    expect(meant.hits[0]).toMatchObject({ score_kind: 'cosine', embedding_model: 'potion-base-4M-int8' });
    const both = await app.search({ text: 'water the onions' });
    expect(both).toMatchObject({ mode: 'hybrid', degraded: [] });
    expect(both.hits.find(({ doc_path }) => doc_path === 'soup.md')?.retrieval).toMatchObject({
      method: 'hybrid',
      lexical_rank: expect.any(Number),
      vector_rank: expect.any(Number),
    });
  });

  it('finds a file saved since the ingest by its words at once, and says that its vectors are pending', async () => {
    const { folder, openKebab } = workspace();
    const app = await openKebab({ KEBAB_SEARCH_REFRESH_AFTER_MS: '0', KEBAB_SEARCH_REFRESH_BUDGET_MS: '60000' });
    await app.ingest();
    writeFileSync(path.join(folder, 'sail.md'), '# Sail\n\nThe mizzenmast stands behind the mainmast.\n');
    expect(await app.search({ text: 'mizzenmast' })).toMatchObject({
      mode: 'hybrid',
      hits: [{ doc_path: 'sail.md' }, {}, {}, {}, {}],
      degraded: [{ reason: 'vectors_incomplete', hint: '1 of 5 documents have no vectors yet: run `kebab ingest`' }],
    });
    expect(await app.ingest()).toMatchObject({ new: 0, embeddings_pending: 0 });
    expect(await app.search({ text: 'mizzenmast' })).toMatchObject({
      degraded: [],
      hits: [{ doc_path: 'sail.md' }, {}, {}, {}, {}],
    });
  });

  it('finds a paraphrase but nothing for gibberish, unless a search asks for everything', async () => {
    const app = await workspace().openKebab({ KEBAB_SEARCH_MIN_RELEVANCE: '0.0003' });
    await app.ingest();
    for (const mode of ['vector', 'hybrid'] as const) {
      for (const text of ['zzzz qqqq', 'asdf lkj wqeoiu', 'asdfgh qwerty', 'qwrtz plmokn ijnuhb'])
        expect((await app.search({ text, mode })).hits).toEqual([]);
      expect((await app.search({ ...QUESTION, mode })).hits[0]).toMatchObject({ doc_path: 'account.md' });
      expect((await app.search({ text: 'zzzz qqqq', mode }, { minRelevance: 0 })).hits).toHaveLength(4);
    }
  });

  it('explains the relevance of a hit on request, and also truncates lexical lists', async () => {
    const app = await workspace().openKebab();
    await app.ingest();
    const text = 'how are onions watered';
    const [first, ...others] = (await app.search({ text, mode: 'lexical' }, { explain: true })).hits;
    const { relevance = Number.NaN, evidence } = first?.retrieval ?? {};
    expect(evidence).toMatchObject({ nearness: null, words: expect.any(Number), held: expect.any(Number) });
    const cut = await app.search({ text, mode: 'lexical' }, { minRelevance: relevance });
    expect(cut.hits.map(({ chunk_id }) => chunk_id)).toEqual(
      [first, ...others].filter((hit) => (hit?.retrieval.relevance ?? 0) >= relevance).map((hit) => hit?.chunk_id),
    );
    await expect(app.search({ text }, { minRelevance: 2 })).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('falls back to words and says what is missing when there is no model', async () => {
    const app = await workspace().openKebab({ KEBAB_MODELS_EMBEDDING_MODEL: 'multilingual-e5-small' });
    const report = await app.ingest();
    expect(report).toMatchObject({ new: 4, embeddings_pending: 4 });
    expect(report.degraded).toMatchObject([{ stage: 'vector', reason: 'model_not_pulled' }]);
    const found = await app.search({ text: 'onions' });
    expect(found).toMatchObject({ mode: 'lexical', hits: [{ doc_path: 'soup.md' }] });
    expect(found.degraded).toMatchObject([
      { reason: 'model_not_pulled', hint: expect.stringContaining('models pull') },
    ]);
    await expect(app.search({ ...QUESTION, mode: 'vector' })).rejects.toMatchObject({ code: 'model_not_pulled' });
  });

  it('says that vectors are incomplete until the next ingest', async () => {
    const { folder, openKebab } = workspace();
    await (await openKebab({ KEBAB_MODELS_EMBEDDING_PROVIDER: 'none' })).ingest();
    await expect((await openKebab()).search({ ...QUESTION, mode: 'vector' })).rejects.toMatchObject({
      code: 'not_indexed',
    });
    await (await openKebab()).ingest();
    writeFileSync(path.join(folder, 'late.md'), 'The secret word for entry was changed.\n');
    await (await openKebab({ KEBAB_MODELS_EMBEDDING_PROVIDER: 'none' })).ingest();
    const app = await openKebab();
    expect((await app.search(QUESTION)).degraded).toMatchObject([{ reason: 'vectors_incomplete' }]);
    expect(await app.ingest()).toMatchObject({ updated: 1, unchanged: 4, embeddings_pending: 0 });
    expect((await app.search(QUESTION)).degraded).toEqual([]);
  });

  it('works the same with a Qdrant server, and without it while it is down', async () => {
    const server = await startFakeQdrant();
    const env = { KEBAB_STORAGE_VECTOR_STORE: 'qdrant', KEBAB_STORAGE_QDRANT_URL: server.url };
    const { folder, openKebab, close } = workspace();
    const app = await openKebab(env);
    expect(await app.ingest()).toMatchObject({ new: 4, embeddings_pending: 0, degraded: [] });
    const found = await app.search({ ...QUESTION, mode: 'vector', k: 1, filters: { media: ['markdown'] } });
    expect(found.hits).toMatchObject([{ doc_path: 'account.md' }]);
    expect([...server.aliases.keys()]).not.toEqual([]);
    await server.close();
    const without = await app.search({ text: 'onions' });
    expect(without).toMatchObject({ mode: 'lexical', hits: [{ doc_path: 'soup.md' }] });
    expect(without.degraded).toMatchObject([{ reason: 'vector_store_unreachable' }]);
    writeFileSync(path.join(folder, 'late.md'), 'The secret word for entry was changed.\n');
    const report = await app.ingest();
    expect(report).toMatchObject({ new: 1, errors: 0, embeddings_pending: 1 });
    expect(report.degraded).toMatchObject([{ reason: 'vector_store_unreachable' }]);
    const back = await startFakeQdrant({ port: server.port }); // with an empty store
    expect(await app.ingest()).toMatchObject({ embeddings_pending: 0, degraded: [] });
    const all = await app.search({ ...QUESTION, mode: 'vector', k: 10 });
    expect(all.hits).toHaveLength(5);
    await close();
    await back.close();
  });

  it('copies vectors from one store to another, so that nothing is embedded again', async () => {
    const server = await startFakeQdrant();
    const { openKebab, close } = workspace();
    const qdrant = { KEBAB_STORAGE_QDRANT_URL: server.url };
    const local = await openKebab(qdrant);
    await local.ingest();
    const copied = await local.copyVectors({ from: 'local', to: 'qdrant' });
    expect(copied.collections).toMatchObject([{ vectors: 4 }]);
    const app = await openKebab({ ...qdrant, KEBAB_STORAGE_VECTOR_STORE: 'qdrant' });
    expect((await app.search({ ...QUESTION, mode: 'vector', k: 1 })).hits).toMatchObject([{ doc_path: 'account.md' }]);
    const kinds: string[] = [];
    expect(await app.ingest({ onProgress: ({ kind }) => kinds.push(kind) })).toMatchObject({ unchanged: 4 });
    expect(kinds).not.toContain('embed_batch_started');
    await close();
    await server.close();
  });
});
