import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  moveBase,
  targetSettings,
  type MoveProgress,
  type MovePorts,
  type OtherBase,
} from '../../../src/admin/moving/move-base.ts';
import type { Contributions } from '../../../src/plugin/contributions.ts';
import type { IngestRunRow } from '../../../src/contracts/document-store.ts';
import type { VectorRecord } from '../../../src/contracts/vector-store.ts';
import type { IndexUpdate } from '../../../src/contracts/lexical-index.ts';
import { mintEmbeddingId } from '../../../src/domain/minted-ids.ts';
import { KebabError } from '../../../src/errors/kebab-error.ts';
import { componentPorts } from '../../../src/ports.ts';
import { MemoryVectorStore, sampleDocuments, sampleWrite } from '@kebab/testing';
import { MoveReportSchema } from '../../../src/wire/admin.ts';
import { FakeComponents } from '../../fake-components.ts';
import { openStore, rowsOf, type OpenStore } from '../../kb/open-store.ts';

const NAME = 'chunk_embeddings_sample_2_0123456789ab';
const MODEL = { modelId: 'sample', modelVersion: 'v1', dimensions: 2 };
const FINGERPRINT = 'sample@1';
const AT = new Date('2026-03-04T05:06:07Z');

interface TestBase extends OpenStore {
  readonly vectors: MemoryVectorStore;
  readonly ports: Omit<OtherBase, 'close'>;
}

async function emptyBase(): Promise<TestBase> {
  const opened = await openStore();
  onTestFinished(() => opened.store.close());
  const vectors = new MemoryVectorStore();
  const components = new FakeComponents({
    lexical_index: { words: {} as Contributions['lexical_index'] },
    document_store: { sqlite: opened.store },
    session_repo: { sqlite: opened.sessions },
    vector_store: { local: vectors },
  });
  const config = {
    storage: { vectorStore: 'local', documentStore: 'sqlite', sqlite: ':memory:' },
  } as MovePorts['config'];
  return { ...opened, vectors, ports: { ...componentPorts(components), config } };
}

/** A base with a document of every kind, vectors of all of them, and an entry in every record. */
async function fullBase(): Promise<TestBase> {
  const base = await emptyBase();
  const { store, sessions, vectors } = base;
  const writes = [
    ...Object.values(sampleDocuments()),
    sampleWrite('notes/한국어.md', '# 제목\n\n배포 절차를 적는다.\n', { lang: 'ko', file: { size: 40, mtimeNs: 12n } }),
    sampleWrite('notes/lone.md', 'a lone \uD800 surrogate, and a NUL \u0000 here\n'),
  ];
  const writer = await store.openWriter({ waitMs: 0 });
  await writer.transaction((tx) => {
    for (const write of writes) tx.putDocument(write);
    for (const { document, file } of writes.slice(0, 1))
      tx.touchDocument(document.docId, new Date('2027-01-01T00:00:00Z'), file);
  });
  const records = writes.flatMap((write) =>
    write.chunks.map(({ chunkId }, i): VectorRecord => {
      const vector = Float32Array.from([Math.cos(i), Math.sin(i)]);
      return { embeddingId: mintEmbeddingId({ chunkId, ...MODEL }), chunkId, docId: write.document.docId, vector };
    }),
  );
  const place = { fingerprint: FINGERPRINT, store: 'local', collection: NAME };
  const notes = records.map(({ embeddingId, chunkId }) => ({ embeddingId, chunkId, ...MODEL, ...place }));
  await writer.vectors.begin(notes, AT);
  await vectors.ensureCollection(NAME, 2);
  await vectors.upsert(NAME, records);
  await writer.vectors.commit({
    embeddingIds: notes.map(({ embeddingId }) => embeddingId),
    documents: writes.map(({ document }) => document.docId),
    fingerprint: FINGERPRINT,
    at: AT,
  });
  await writer.setIndexedRoot('default', '/home/ada/notes');
  await writer.setIndexedRoot('empty', '/home/ada/empty');
  await writer.setSeen('default', {
    put: [
      { path: '', kind: 'directory', size: 0, mtimeMs: 1.25 },
      { path: 'a.md', kind: 'file', size: 9, mtimeMs: -1 },
    ],
    remove: [],
  });
  await writer.setQuarantine([
    {
      sourceId: 'default',
      workspacePath: 'bad.pdf',
      reason: 'it is damaged',
      code: 'invalid_input',
      agent: '@kebab/plugin-pdf@1',
      attempts: 2,
      lastFailedAt: AT,
    },
  ]);
  await writer.recordRun(run('one'));
  await writer.derivations.set('ocr', [{ key: 'picture', payload: new Uint8Array([1, 2]) }], AT);
  await writer.close();
  await sessions.createSession({
    sessionId: 'bread',
    title: null,
    configSnapshotJson: '{}',
    createdAt: AT,
    updatedAt: AT,
  });
  for (const index of [0, 1]) await sessions.appendTurn('bread', turn(index), index);
  for (const id of ['ret_b', 'ret_a']) await store.answers.record(answer(id));
  await store.evals.record(
    { runId: 'run_1', suite: 's', configSnapshotJson: '{}', aggregateJson: '{}', commitHash: null, createdAt: AT },
    [{ queryId: 'q', resultJson: '{}' }],
  );
  return base;
}

function run(runId: string): IngestRunRow {
  const counts = { scanned: 1, newCount: 1, updatedCount: 0, unchangedCount: 0, skippedCount: 0, errorCount: 0 };
  const rest = { purgedCount: 0, embeddingsPending: 0, aborted: false, durationMs: 5, itemsJson: null };
  return { runId, scopeJson: '{}', ...counts, ...rest, startedAt: AT, finishedAt: AT };
}

function turn(index: number) {
  const createdAt = new Date(AT.getTime() + index * 1000);
  return { question: `q${index}`, answer: 'a', citationsJson: '[]', items: [], createdAt };
}

function answer(traceId: string): Parameters<OpenStore['store']['answers']['record']>[0] {
  return {
    traceId,
    query: 'why?',
    answer: 'because [1]',
    grounded: true,
    refusalReason: null,
    modelId: 'm',
    modelProvider: 'p',
    embeddingModelId: null,
    embeddingDimensions: null,
    promptTemplateVersion: 'v2',
    retrievalMode: 'lexical',
    retrievalK: 8,
    scoreGate: 0.3,
    topScore: 0.5,
    chunksReturned: 1,
    chunksUsed: 1,
    citationsJson: '[]',
    packedChunksJson: null,
    answerJson: '{}',
    promptTokens: 1,
    completionTokens: 1,
    latencyMs: 1,
    createdAt: AT,
  };
}

function portsOf(source: TestBase, target: TestBase): MovePorts {
  return { ...source.ports, openBase: async () => ({ ...target.ports, close: async () => {} }), cwd: '/elsewhere' };
}

const TO = { to: 'copy.sqlite' };

/** Gives each store in memory a name of its own, as files have. */
async function twoBases(): Promise<{ source: TestBase; target: TestBase; ports: MovePorts }> {
  const source = await fullBase();
  const target = await emptyBase();
  Object.defineProperty(target.store, 'location', { value: '/elsewhere/copy.sqlite' });
  return { source, target, ports: portsOf(source, target) };
}

describe('moveBase', () => {
  it('copies everything unchanged, so that both have the same hashes', async () => {
    const { source, target, ports } = await twoBases();
    const report = await moveBase(ports, TO);
    MoveReportSchema.parse({ ...report, switched: false });
    const documents = await source.store.documentCount();
    expect(report).toMatchObject({ from: ':memory:', to: '/elsewhere/copy.sqlite', dry_run: false });
    expect(Object.fromEntries(report.parts.map(({ part, count, copied }) => [part, [count, copied]]))).toMatchObject({
      sources: [2, 2],
      documents: [documents, documents],
      sessions: [1, 1],
      answers: [2, 2],
      evaluations: [1, 1],
      runs: [1, 1],
      failed_files: [1, 1],
      seen_places: [2, 2],
      readings: [1, 1],
    });
    expect(await target.store.knowledgeBase()).toBe(await source.store.knowledgeBase());
    expect(await rowsOf(target.store)).toEqual(await rowsOf(source.store));
    expect(await target.store.vectors.collections()).toEqual(await source.store.vectors.collections());
    for (const { docId } of await rowsOf(source.store)) {
      expect(await target.store.getCanonicalDocument(docId)).toEqual(await source.store.getCanonicalDocument(docId));
      expect(await target.store.listChunks(docId)).toEqual(await source.store.listChunks(docId));
    }
    expect(await target.sessions.listTurns('bread')).toEqual(await source.sessions.listTurns('bread'));
    expect(await target.store.answers.latest(9)).toEqual(await source.store.answers.latest(9));
    expect(await target.store.vectors.countDocumentsWithout(FINGERPRINT)).toBe(0);
    expect(await (await target.store.archive?.())?.arriving()).toBeNull();
  });

  it('gives a target that can search', async () => {
    const { source, target, ports } = await twoBases();
    await moveBase(ports, TO);
    const [row] = (await rowsOf(source.store)).filter(({ lang }) => lang === 'ko');
    const vector = Float32Array.of(1, 0);
    const search = { vector, limit: 50, allow: { kind: 'all' } as const };
    expect(row?.workspacePath).toBe('notes/한국어.md');
    expect(await target.vectors.search(NAME, search)).toEqual(await source.vectors.search(NAME, search));
  });

  it('copies nothing again when it is repeated, and accepts a complete copy', async () => {
    const { ports } = await twoBases();
    const first = await moveBase(ports, TO);
    const second = await moveBase(ports, TO);
    expect(second.hash).toBe(first.hash);
    expect(second.parts.map(({ copied }) => copied)).toEqual(second.parts.map(() => 0));
  });

  it('goes on where it was stopped, also when the base has changed meanwhile', async () => {
    const { source, target, ports } = await twoBases();
    const stop = new AbortController();
    const onProgress = ({ part }: MoveProgress): void => {
      if (part === 'vectors') stop.abort();
    };
    await expect(moveBase(ports, TO, { signal: stop.signal, onProgress })).rejects.toMatchObject({ code: 'cancelled' });
    expect(await (await target.store.archive?.())?.arriving()).toBe(await source.store.knowledgeBase());
    const writer = await source.store.openWriter({ waitMs: 0 });
    const gone = await source.store.findDocument('default', 'notes/lone.md');
    await writer.transaction((tx) => {
      tx.deleteDocument(gone!.docId);
      tx.putDocument(sampleWrite('notes/new.md', 'written in between\n'));
    });
    await writer.close();
    await source.sessions.deleteSession('bread');
    const report = await moveBase(ports, TO);
    expect(report.parts.find(({ part }) => part === 'documents')).toMatchObject({ copied: 1 });
    expect(await rowsOf(target.store)).toEqual(await rowsOf(source.store));
    expect(await target.sessions.listSessions()).toEqual([]);
  });

  it('leaves the vectors behind where that is requested: every document lacks them', async () => {
    const { source, target, ports } = await twoBases();
    const report = await moveBase(ports, { ...TO, withoutVectors: true });
    expect(report.parts.find(({ part }) => part === 'vectors')).toMatchObject({ count: 0, copied: 0 });
    expect(await target.store.vectors.countDocumentsWithout(null)).toBe(await source.store.documentCount());
    expect(await target.vectors.listCollections()).toEqual([]);
  });

  it('says what it would copy, and changes nothing', async () => {
    const { source, target, ports } = await twoBases();
    const report = await moveBase(ports, { ...TO, dryRun: true });
    expect(report).toMatchObject({ dry_run: true });
    expect(report.parts.find(({ part }) => part === 'documents')).toMatchObject({
      copied: await source.store.documentCount(),
    });
    expect(await target.store.documentCount()).toBe(0);
    expect(await target.store.knowledgeBase()).not.toBe(await source.store.knowledgeBase());
  });

  it('refuses a target with another knowledge base, or with another state of this one', async () => {
    const { source, target, ports } = await twoBases();
    const other = await fullBase();
    Object.defineProperty(other.store, 'location', { value: '/elsewhere/other.sqlite' });
    await expect(moveBase(portsOf(source, other), TO)).rejects.toMatchObject({
      code: 'invalid_input',
      message: '/elsewhere/other.sqlite already holds another knowledge base',
    });
    await moveBase(ports, TO);
    await target.store.answers.record(answer('ret_later'));
    await expect(moveBase(ports, TO)).rejects.toMatchObject({
      message: '/elsewhere/copy.sqlite already holds another state of this knowledge base',
    });
    expect(await target.store.answers.latest(9)).toHaveLength(3);
  });

  it('refuses to move a base to itself, and while another process writes', async () => {
    const { source, target } = await twoBases();
    await expect(moveBase(portsOf(source, source), TO)).rejects.toMatchObject({ code: 'invalid_input' });
    const writer = await source.store.openWriter({ waitMs: 0 });
    await expect(moveBase(portsOf(source, target), TO)).rejects.toMatchObject({ code: 'locked' });
    await writer.close();
  });

  it('fails when a vector of the copy differs', async () => {
    const { target, ports } = await twoBases();
    const upsert = target.vectors.upsert.bind(target.vectors);
    target.vectors.upsert = (name, records) =>
      upsert(
        name,
        records.map((record, n) => (n === 0 ? { ...record, vector: Float32Array.of(0.6, 0.8) } : record)),
      );
    await expect(moveBase(ports, TO)).rejects.toMatchObject({
      code: 'store_damaged',
      message: expect.stringContaining('the copy differs in vectors'),
    });
    expect(await (await target.store.archive?.())?.arriving()).not.toBeNull();
  });

  it('refuses to leave vectors without a place, before anything is copied', async () => {
    const { source, target } = await twoBases();
    const config = { storage: { vectorStore: 'local', documentStore: 'postgres' } } as MovePorts['config'];
    const openBase: MovePorts['openBase'] = async () => ({ ...target.ports, config, close: async () => {} });
    const ports = { ...source.ports, openBase, cwd: '/elsewhere' };
    await expect(moveBase(ports, TO)).rejects.toMatchObject({
      code: 'invalid_input',
      hint: expect.stringContaining('--qdrant URL'),
    });
    expect(await target.store.documentCount()).toBe(0);
    expect(await moveBase(ports, { ...TO, withoutVectors: true })).toMatchObject({ dry_run: false });
  });

  it.each<[string, string | undefined, Partial<KebabError>, string]>([
    [
      'postgres://ada@db/kebab',
      undefined,
      { code: 'io_error', hint: 'start it, or correct the address: `kebab config set storage.postgres.url URL`' },
      'start it, or correct the address: `kebab move --to URL`',
    ],
    [
      'postgres://ada@db/kebab',
      'http://q:1',
      { code: 'vector_store_unreachable', hint: 'start the server or correct storage.qdrant.url' },
      'start the server or correct --qdrant',
    ],
    [
      'note.md',
      undefined,
      { code: 'io_error', details: { kind: 'SQLITE_NOTADB', path: null, cause: '' }, hint: 'move note.md away' },
      'name a file that does not exist yet with --to',
    ],
  ])('gives hints about its arguments %s %s, not about the configuration', async (to, qdrant, thrown, hint) => {
    const { source, target } = await twoBases();
    const { code = 'io_error', details = {}, hint: configured } = thrown;
    const fail = () =>
      Promise.reject(new KebabError(code, 'it is not there', { details: details as never, hint: configured }));
    const openBase = async () => ({ ...target.ports, documents: { read: fail, write: fail }, close: async () => {} });
    const ports = { ...source.ports, openBase, cwd: '/elsewhere' };
    await expect(moveBase(ports, { to, qdrant })).rejects.toMatchObject({ code, message: 'it is not there', hint });
    await expect(moveBase(ports, { to, qdrant, dryRun: true })).rejects.toMatchObject({ hint });
  });

  it('has words on a server follow the copy that becomes the knowledge base, or says that they do not', async () => {
    const { source, target } = await twoBases();
    let failure: Error | null = null;
    const updated: unknown[] = [];
    const update = async ({ documents }: IndexUpdate): Promise<void> => {
      if (failure !== null) throw failure;
      updated.push(documents);
    };
    const lexicalIndex = { write: async () => ({ update }) } as unknown as OtherBase['lexicalIndex'];
    const ports = {
      ...source.ports,
      openBase: async () => ({ ...target.ports, lexicalIndex, close: async () => {} }),
      cwd: '/',
    };
    expect(await moveBase(ports, TO)).toMatchObject({ words_pending: true });
    expect(updated).toEqual([]);
    expect(await moveBase(ports, { ...TO, switchTo: true })).not.toHaveProperty('words_pending');
    expect(updated).toEqual([target.store]);
    failure = new KebabError('vector_store_unreachable', 'gone', {
      details: { store: 'words', endpoint: null, cause: '' },
    });
    expect(await moveBase(ports, { ...TO, switchTo: true })).toMatchObject({ words_pending: true });
  });

  it('leaves no lock beside its copy, and refuses the folder of the knowledge base, whose lock it would need', async () => {
    const { source, target } = await twoBases();
    const folder = mkdtempSync(path.join(tmpdir(), 'kebab-lock-'));
    const at = (name: string) =>
      ({ storage: { vectorStore: 'local', documentStore: 'sqlite', sqlite: name } }) as MovePorts['config'];
    const lock = path.join(folder, 'kebab.lock.sqlite');
    const openBase = async () => ({
      ...target.ports,
      config: at(path.join(folder, 'copy.sqlite')),
      close: async () => writeFileSync(lock, ''),
    });
    await moveBase({ ...source.ports, openBase, cwd: '/' }, TO);
    expect(existsSync(lock)).toBe(false);
    writeFileSync(lock, '');
    await moveBase({ ...source.ports, openBase, cwd: '/' }, TO);
    expect(existsSync(lock)).toBe(true);
    const beside = { ...source.ports, config: at(path.join(folder, 'kebab.sqlite')), openBase, cwd: '/' };
    await expect(moveBase(beside, TO)).rejects.toMatchObject({
      code: 'invalid_input',
      hint: expect.stringContaining('another folder'),
    });
    rmSync(folder, { recursive: true });
  });

  it('reports a password of the target nowhere', async () => {
    const { ports } = await twoBases();
    const report = await moveBase(ports, { to: 'postgres://ada:s3cret%2F@db:5432/kebab', qdrant: 'http://q:1' });
    expect(JSON.stringify(report)).not.toContain('s3cret');
    expect(report.settings).toContainEqual({ key: 'storage.postgres.url', value: 'postgres://ada:***@db:5432/kebab' });
  });
});

describe('targetSettings', () => {
  it('makes a path absolute, and keeps vectors in the file unless a server is named', () => {
    expect(targetSettings({ to: 'sub/copy.sqlite' }, '/elsewhere')).toEqual([
      { key: 'storage.sqlite', value: '/elsewhere/sub/copy.sqlite' },
      { key: 'storage.vector_store', value: 'local' },
      { key: 'storage.document_store', value: 'sqlite' },
    ]);
  });

  it.each(['mysql://db/kebab', 'http://example.org', 's3://bucket', '', ' '])('refuses %j', (to) => {
    expect(() => targetSettings({ to }, '/elsewhere')).toThrow(expect.objectContaining({ code: 'invalid_input' }));
  });

  it.each([
    'postgress://ada:s3cr3t@db/kebab',
    'postgres//ada:s3cr3t@db/kebab',
    'postgres:/ada:s3cr3t@db/kebab',
    'postgresql:ada:s3cr3t@db',
    'mysql://ada:s3c#s3cr3t@db/kebab',
  ])('refuses %j without showing its password', (to) => {
    let refusal: unknown;
    try {
      targetSettings({ to }, '/elsewhere');
    } catch (error) {
      refusal = error;
    }
    expect(refusal).toMatchObject({ code: 'invalid_input', message: expect.stringContaining(to.slice(0, 5)) });
    expect(JSON.stringify([refusal, String(refusal)])).not.toContain('s3cr3t');
  });

  it.each(['postgres/copy.sqlite', 'postgres.sqlite', './postgres:copy', 'a:b.sqlite'])('keeps %j a path', (to) => {
    expect(targetSettings({ to }, '/elsewhere')[0]).toEqual({
      key: 'storage.sqlite',
      value: path.resolve('/elsewhere', to),
    });
  });
});
