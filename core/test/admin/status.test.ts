import { rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { JobCounts } from '../../src/contracts/job-repo.ts';
import { describeStatus, type FolderChanges } from '../../src/admin/status.ts';
import { KebabError } from '../../src/errors/kebab-error.ts';
import { FakeComponents } from '../fake-components.ts';
import type { LanguageModel } from '../../src/contracts/language-model.ts';
import { HashEmbedder } from '@kebab/testing';
import { type Status, StatusSchema } from '../../src/wire/admin.ts';
import { componentPorts } from '../../src/ports.ts';
import type { KnowledgeBase } from '../kb/knowledge-base.ts';
import { openForTests } from '../kb/open-for-tests.ts';

const open = openForTests();
const notIndexed = new KebabError('not_indexed', 'none', { details: { expected: 'a', found: 'none' } });
const NONE: FolderChanges = { added: 0, changed: 0, gone: 0, unread: [], leftOut: [], unsupported: {} };

async function statusOf(kb: KnowledgeBase, changes = NONE) {
  return StatusSchema.parse(await describeStatus({ ...kb.ports, changes }));
}

describe('describeStatus', () => {
  it('shows sources, counts and models, and reports that all is in order', async () => {
    const kb = await open();
    await kb.add('a.md', 'salt\n');
    expect(await statusOf(kb)).toMatchObject({
      sources: [{ id: 'default', root: kb.root, configured_root: kb.root, documents: 1, readable: true }],
      documents: 1,
      chunks: 1,
      changes: { added: 0, changed: 0, gone: 0 },
      embedding: { model: 'multilingual-e5-small', state: 'missing', pending: 1 },
      answers: { state: 'missing' },
      notes: [],
      next: 'kebab search "…"',
    });
  });

  it.each<[Omit<JobCounts, 'vectors'> & Partial<JobCounts>, string]>([
    [{ waiting: 3, running: 0, failed: 0 }, 'kebab worker'],
    [{ waiting: 1, running: 2, failed: 1 }, 'kebab worker'],
    [{ waiting: 0, running: 1, failed: 0 }, 'kebab ingest'],
    [{ waiting: 0, running: 0, failed: 2 }, 'kebab ingest'],
    [{ waiting: 0, running: 0, failed: 0, vectors: 1 }, 'kebab worker'],
    [{ waiting: 0, running: 3, failed: 0, vectors: 1 }, 'kebab ingest'],
  ])('sends to a worker what waits for one: %j', async ({ vectors = 0, ...files }, next) => {
    const kb = await open();
    const store = await kb.ports.documents.read();
    const counts = async () => ({ ...files, vectors });
    Object.assign(store, { jobs: async () => ({ counts, close: async () => {} }) });
    const documents = { ...kb.ports.documents, read: async () => store };
    const status = await describeStatus({ ...kb.ports, documents, changes: { ...NONE, added: 3 } });
    expect(status).toMatchObject({ next });
    expect(status.queue).toEqual(vectors === 0 ? files : { ...files, vectors: true });
  });

  it.each([
    [{ waiting: 3, running: 0, failed: 0 }, undefined],
    [
      { waiting: 0, running: 0, failed: 0 },
      { files: 1, examples: ['big.md'] },
    ],
  ])('says which files are left out once none waits for a worker: %j', async (counts, leftOut) => {
    const kb = await open();
    const store = await kb.ports.documents.read();
    Object.assign(store, {
      jobs: async () => ({ counts: async () => ({ ...counts, vectors: 0 }), close: async () => {} }),
    });
    const documents = { ...kb.ports.documents, read: async () => store };
    const changes = { ...NONE, leftOut: ['big.md'] };
    expect((await describeStatus({ ...kb.ports, documents, changes })).left_out).toEqual(leftOut);
  });

  it('counts failed files of the configured sources only, and no folder', async () => {
    const kb = await open();
    const writer = await kb.store.openWriter({ waitMs: 0 });
    const file = {
      reason: 'it broke',
      code: 'io_error',
      lastFailedAt: new Date(0),
      agent: 'kebab',
      attempts: 1,
    } as const;
    const failed = ['default', 'external', 'gone'].map((sourceId) => ({ ...file, sourceId, workspacePath: 'a.md' }));
    await writer.setQuarantine([...failed, { ...file, sourceId: 'default', workspacePath: '.' }]);
    await writer.setIndexedRoot('gone', '/gone'); // the documents of a source stay when it is no longer configured
    await writer.close();
    expect((await statusOf(kb)).not_taken_in).toBe(2);
    const { isRootSet: _, ...workspace } = { ...kb.config.workspace, root: '/absent' };
    const config = { ...kb.config, workspace };
    const untouched = await describeStatus({ ...kb.ports, config, changes: NONE });
    expect(untouched.not_taken_in).toBe(1);
  });

  it('masks the password in a URL', async () => {
    const kb = await open();
    const llm = { ...kb.config.models.llm, endpoint: 'http://me:secret@127.0.0.1:9/v1' };
    const config = { ...kb.config, models: { ...kb.config.models, llm } };
    const { answers } = await describeStatus({ ...kb.ports, config, changes: NONE });
    expect(answers.endpoint).toBe('http://***@127.0.0.1:9/v1');
  });

  it('names the model that a plugin provides, and no server of another', async () => {
    const kb = await open({ env: { KEBAB_MODELS_LLM_PROVIDER: 'acme' } });
    const answersWith = async (chat: LanguageModel): Promise<Status['answers']> => {
      const { languageModels } = componentPorts(new FakeComponents({ llm: { acme: chat } }, 'package'));
      return (await describeStatus({ ...kb.ports, languageModels, changes: NONE })).answers;
    };
    const chat = { model: { id: 'acme-7b', provider: 'acme' } } as LanguageModel;
    const own = { provider: 'acme', model: 'acme-7b', endpoint: '' };
    expect(await answersWith(chat)).toEqual({ ...own, state: 'ready' });
    const away = { ...chat, probe: () => Promise.reject(new Error('away')) };
    expect(await answersWith(away)).toEqual({ ...own, state: 'missing' });
  });

  it.each([
    ['none', 'none', 'off', 'off'],
    ['none', 'acme', 'off', 'ready'],
    ['acme', 'none', 'ready', 'off'],
    ['acme', 'acme', 'ready', 'ready'],
  ])('shows vectors by %s and answers by %s as %s and %s', async (embedder, llm, vectors, answers) => {
    const kb = await open({
      env: { KEBAB_MODELS_EMBEDDING_PROVIDER: embedder, KEBAB_MODELS_LLM_PROVIDER: llm },
    });
    const chat = { model: { id: 'acme-7b', provider: 'acme' } } as LanguageModel;
    const { embedders, languageModels } = componentPorts(
      new FakeComponents({ embedder: { acme: new HashEmbedder() }, llm: { acme: chat } }, 'package'),
    );
    const ports = { ...kb.ports, embedders, languageModels, changes: NONE };
    expect(await describeStatus(ports)).toMatchObject({ embedding: { state: vectors }, answers: { state: answers } });
  });

  it('names the embedding model that a plugin provides, whatever model is configured', async () => {
    const kb = await open({ env: { KEBAB_MODELS_EMBEDDING_PROVIDER: 'acme' } });
    const { embedders } = componentPorts(new FakeComponents({ embedder: { acme: new HashEmbedder() } }, 'package'));
    const { embedding } = await describeStatus({ ...kb.ports, embedders, changes: NONE });
    expect(embedding).toEqual({ provider: 'acme', model: 'hash-64', state: 'ready', pending: 0 });
  });

  it.each([{ added: 1 }, { changed: 1 }, { gone: 1 }])('suggests an ingest after %j', async (changes) => {
    const kb = await open();
    await kb.add('a.md', 'salt\n');
    expect((await statusOf(kb, { ...NONE, ...changes })).next).toBe('kebab ingest');
  });

  it('reports what is unknown, which no ingest would change', async () => {
    const kb = await open();
    await kb.add('a.md', 'salt\n');
    const unread = ['source "default": cannot read sub: permission denied', 'source "default": cannot read b: x'];
    expect(await statusOf(kb, { ...NONE, unread })).toMatchObject({
      notes: [`changes are unknown in what cannot be read: ${unread[0]}, and 1 more`],
      next: 'kebab search "…"',
    });
  });

  it('suggests adding a folder when there is none, and an ingest when nothing is indexed yet', async () => {
    const kb = await open();
    const ports = { ...componentPorts(new FakeComponents({})), config: kb.config };
    const documents = { ...ports.documents, read: () => Promise.reject(notIndexed) };
    const unbuilt = () => describeStatus({ ...ports, documents, changes: null });
    expect(await unbuilt()).toMatchObject({ knowledge_base: null, changes: null, next: 'kebab ingest' });
    rmSync(kb.root, { recursive: true });
    expect(await unbuilt()).toMatchObject({ next: 'kebab add FOLDER', notes: [expect.stringContaining(kb.root)] });
  });

  it('names the command for a differing root before anything else', async () => {
    const kb = await open();
    await kb.add('a.md', 'salt\n');
    const writer = await kb.store.openWriter({ waitMs: 0 });
    await writer.setIndexedRoot('default', '/else where');
    await writer.close();
    const status = await statusOf(kb, { ...NONE, added: 3 });
    expect(status.next).toBe("kebab config set workspace.root '/else where'");
    expect(status.notes[0]).toContain(`was indexed from /else where; configured is ${kb.root}`);
  });
});
