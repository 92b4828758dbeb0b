import { lutimesSync, renameSync, rmSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { DocumentStore, DocumentWriter } from '../../../src/contracts/document-store.ts';
import { findChanges } from '../../../src/ingest/find-changes.ts';
import type { IngestOptions } from '../../../src/ingest/ingest-context.ts';
import { removeDocument } from '../../../src/ingest/purge.ts';
import { MemoryVectorStore } from '../../../src/testing/memory-vector-store.ts';
import type { IngestReport } from '../../../src/wire/index.ts';
import { openStore, rowsOf } from '../../kb/open-store.ts';
import { changed } from '../../testing/mutations/mutants.ts';
import { WordEmbedder } from '../embedding/word-embedder.ts';
import { IngestWorld, type WorldOptions } from '../ingest-world.ts';
import { lineChunker, plainExtractor } from '../plain-extractor.ts';

const FILES = {
  'a.md': '# A\n\none\n',
  'b.txt': 'two\n',
  'sub/c.md': '# C\n\nfall back\n',
  'sub/d.py': 'x = 1\n',
  'bytes.md': 'x\0',
  'picture.xyz': 'nothing reads it',
  'poison.md': 'poison',
  '.gitignore': 'ignored.md',
  'ignored.md': 'left out',
};
const THEN = new Date('2026-01-01T00:00:00Z');
const QUIET: IngestOptions = { summaryOnly: true };

const failing = (): void => {
  throw new Error('cannot be read');
};
const CONTRIBUTIONS = {
  extractor: { plain: plainExtractor({ before: (text) => (text === 'poison' ? failing() : undefined) }) },
};

/** A workspace ingested into two indexes: one that uses marks, and one whose store does not support them. */
class Pair {
  marked: IngestWorld;
  compared: IngestWorld;
  readonly #close: () => void;
  /** How often the last run, or the check for changes before it, read all documents of a source from the store with marks. */
  reads = 0;

  private constructor(marked: IngestWorld, compared: IngestWorld, close: () => void) {
    this.marked = marked;
    this.compared = compared;
    this.#close = close;
  }

  static async open(options: WorldOptions = {}): Promise<Pair> {
    const [one, other] = [await openStore(), await openStore()];
    const made = { files: FILES, contributions: CONTRIBUTIONS, ...options };
    const counting = changed(one.store, {
      knownDocuments: (...given) => {
        if (given[1] === undefined) pair.reads++;
        return one.store.knownDocuments(...given);
      },
    });
    const marked = await IngestWorld.open({ ...made, opened: { ...one, store: counting } });
    const compared = await marked.changed({
      ...withVectors(made),
      opened: { ...other, store: withoutMarks(other.store) },
    });
    for (const path of Object.keys(made.files)) marked.tree.age(`kb/${path}`);
    const pair = new Pair(marked, compared, () => {
      marked.close();
      other.store.close();
    });
    pairs.push(pair);
    return pair;
  }

  get root(): string {
    return this.marked.root;
  }

  /** Does the same to both indexes. */
  async both(change: (world: IngestWorld) => Promise<unknown>): Promise<void> {
    await change(this.marked);
    await change(this.compared);
  }

  /** Reopens both indexes with another configuration or other plugins. */
  async change(options: Omit<WorldOptions, 'files' | 'opened'>): Promise<void> {
    const made = { contributions: CONTRIBUTIONS, ...options };
    this.marked = await this.marked.changed(made);
    this.compared = await this.compared.changed(withVectors(made));
  }

  close(): void {
    this.#close();
  }
}

const pairs: Pair[] = [];
afterEach(() => {
  for (const pair of pairs.splice(0)) pair.close();
});

/** Gives the second index a vector store of its own. */
function withVectors<T extends Omit<WorldOptions, 'opened'>>(options: T): T {
  const { contributions } = options;
  if (contributions?.vector_store === undefined) return options;
  return { ...options, contributions: { ...contributions, vector_store: { memory: new MemoryVectorStore() } } };
}

function withoutMarks(store: DocumentStore): DocumentStore {
  const missing: Partial<DocumentStore> = Object.fromEntries([['equalMark', undefined]]);
  const missingHere: Partial<DocumentWriter> = Object.fromEntries([['setEqualMark', undefined]]);
  return changed(store, {
    ...missing,
    openWriter: async (options) => changed(await store.openWriter(options), missingHere),
  });
}

/** Ingests into both indexes, expects the same result in both, and returns the report. */
async function expectSame(pair: Pair, options: IngestOptions = QUIET): Promise<IngestReport> {
  const { marked, compared } = pair;
  marked.now = new Date(marked.now.getTime() + 60_000);
  compared.now = marked.now;
  pair.reads = 0;
  const changes = await findChanges(marked.store, marked.ports);
  expect(changes).toEqual(await findChanges(compared.store, compared.ports));
  const report = await marked.ingest(options);
  const { reads } = pair;
  expect(plain(report)).toEqual(plain(await compared.ingest(options)));
  expect(marked.events.map(({ kind }) => kind)).toEqual(compared.events.map(({ kind }) => kind));
  expect(await contentOf(marked.store)).toEqual(await contentOf(compared.store));
  pair.reads = reads;
  return report;
}

/** Ingests until a mark is used. */
async function expectMarked(pair: Pair): Promise<void> {
  await expectSame(pair);
  await expectSame(pair);
  await expectSame(pair);
  expect(pair.reads).toBe(0);
}

function plain({ run_id: _id, duration_ms: _ms, ...report }: IngestReport): unknown {
  return report;
}

/** Everything that later runs and searches depend on. */
async function contentOf(store: DocumentStore): Promise<unknown> {
  const rows = await rowsOf(store);
  return {
    documents: await Promise.all(
      rows.map(async (row) => [row, await store.getCanonicalDocument(row.docId), await store.listChunks(row.docId)]),
    ),
    known: await store.knownDocuments('default'),
    seen: await store.seenPlaces('default'),
    roots: await store.indexedRoots(),
    quarantined: await store.quarantined(),
    vectors: await store.vectors.collections(),
  };
}

async function write(world: IngestWorld, change: (writer: DocumentWriter) => unknown): Promise<void> {
  const writer = await world.store.openWriter({ waitMs: 0 });
  await change(writer);
  writer.close();
}

async function idOf(world: IngestWorld, path: string) {
  const row = await world.store.findDocument('default', path);
  if (row === null) throw new Error(`${path} is not indexed`);
  return row.docId;
}

/** Writes a file with a modification time that no earlier file has. */
function putLater(pair: Pair, path: string, content: string, at = new Date(THEN.getTime() + 5000)): void {
  pair.marked.put({ [path]: content });
  utimesSync(join(pair.root, path), at, at);
}

/** Changes that may happen between two runs. Each key completes the title "… when". */
const CHANGES: Readonly<Record<string, (pair: Pair) => unknown>> = {
  'a file was edited': (pair) => putLater(pair, 'a.md', 'another text\n'),
  'a file was edited without changing its size': (pair) => putLater(pair, 'a.md', '# A\n\ntwo\n'),
  'a file was touched': (pair) => putLater(pair, 'a.md', FILES['a.md']),
  'a file was renamed': (pair) => renameSync(join(pair.root, 'a.md'), join(pair.root, 'z.md')),
  'two files have swapped names': (pair) => {
    renameSync(join(pair.root, 'a.md'), join(pair.root, 'keep'));
    renameSync(join(pair.root, 'b.txt'), join(pair.root, 'a.md'));
    renameSync(join(pair.root, 'keep'), join(pair.root, 'b.txt'));
  },
  'a file is gone': (pair) => pair.marked.drop('b.txt'),
  'most files are gone': (pair) => ['a.md', 'b.txt', 'sub'].forEach((path) => pair.marked.drop(path)),
  'a file is new': (pair) => putLater(pair, 'new.md', 'new\n', THEN),
  'a file that nothing reads is new': (pair) => putLater(pair, 'new.xyz', 'new\n', THEN),
  'a file that failed earlier can be read': (pair) => putLater(pair, 'poison.md', 'medicine'),
  'a skipped binary file is text now': (pair) => putLater(pair, 'bytes.md', 'text'),
  'an ignore file excludes an indexed file': (pair) => putLater(pair, '.gitignore', 'a.md\nignored.md', THEN),
  'an ignore file is new': (pair) => putLater(pair, 'sub/.kebabignore', '*.py', THEN),
  'an ignore file is gone': (pair) => pair.marked.drop('.gitignore'),
  'a file was replaced by a link to one of the same size and time': (pair) => {
    pair.marked.put({ 'sub/other.md': '# A\n\nxyz\n' });
    pair.marked.tree.age('kb/sub/other.md');
    rmSync(join(pair.root, 'a.md'));
    symlinkSync('sub/other.md', join(pair.root, 'a.md'));
    lutimesSync(join(pair.root, 'a.md'), THEN, THEN);
  },
  'the target chunk size was raised': (pair) => pair.change({ env: { KEBAB_CHUNKING_TARGET_TOKENS: '600' } }),
  'the configuration excludes files': (pair) => pair.change({ env: { KEBAB_WORKSPACE_EXCLUDE: '["sub/**"]' } }),
  'redaction of secrets was turned on': (pair) => pair.change({ env: { KEBAB_INDEXING_SECRETS: 'redact' } }),
  'the extractor has a new version': (pair) =>
    pair.change({ contributions: { extractor: { plain: plainExtractor({ version: '2' }) } } }),
  'the chunker has a new version': (pair) =>
    pair.change({ contributions: { ...CONTRIBUTIONS, chunker: { 'lines-v1': lineChunker('lines-v1', '2') } } }),
  'the fallback chunker has a new version': (pair) =>
    pair.change({ contributions: { ...CONTRIBUTIONS, chunker: { 'fallback-v1': lineChunker('fallback-v1', '2') } } }),
  'an embedding model was configured': (pair) =>
    pair.change({
      env: { KEBAB_MODELS_EMBEDDING_PROVIDER: 'words', KEBAB_STORAGE_VECTOR_STORE: 'memory' },
      contributions: {
        ...CONTRIBUTIONS,
        embedder: { words: new WordEmbedder() },
        vector_store: { memory: new MemoryVectorStore() },
      },
    }),
  'the source folder was moved': async (pair) => {
    const to = pair.marked.tree.path('elsewhere');
    renameSync(pair.root, to);
    await pair.change({ env: { KEBAB_WORKSPACE_ROOT: to } });
  },
  'a document was removed from the index': (pair) =>
    pair.both(async (world) => {
      const id = await idOf(world, 'a.md');
      await write(world, (writer) => writer.transaction((tx) => tx.deleteDocument(id)));
    }),
  'a document is stored with another size and time': (pair) =>
    pair.both(async (world) => {
      const id = await idOf(world, 'a.md');
      const file = { size: 1, mtimeNs: 1n };
      await write(world, (writer) => writer.transaction((tx) => tx.touchDocument(id, THEN, file)));
    }),
  'a walk stored other sizes and times': (pair) =>
    pair.both((world) =>
      write(world, (writer) =>
        writer.setSeen('default', {
          put: [{ path: 'b.txt', kind: 'file', size: 1, mtimeMs: 1 }],
          remove: ['a.md'],
        }),
      ),
    ),
  'the source was forgotten': (pair) =>
    pair.both((world) => write(world, (writer) => writer.setIndexedRoot('default', null))),
  'a text was added by hand': (pair) => pair.both((world) => world.ingestText('by hand\n', { title: 'note' }, QUIET)),
  'a text added by hand was removed': async (pair) => {
    await pair.both((world) => world.ingestText('by hand\n', { title: 'note' }, QUIET));
    await expectSame(pair);
    await expectSame(pair);
    const [row] = (await rowsOf(pair.marked.store)).filter(({ sourceId }) => sourceId === 'external');
    const named = { documents: { write: async () => pair.marked.store }, config: pair.marked.config, cwd: pair.root };
    await removeDocument(named as unknown as Parameters<typeof removeDocument>[0], row?.docId ?? '');
    await write(pair.compared, (writer) => {
      if (row !== undefined) writer.transaction((tx) => tx.deleteDocument(row.docId));
    });
  },
  'a run was cancelled at its first file': (pair) =>
    pair.both((world) => {
      const stop = new AbortController();
      const onProgress: IngestOptions['onProgress'] = ({ kind }) => kind === 'asset_finished' && stop.abort();
      return world.ingest({ ...QUIET, signal: stop.signal, onProgress });
    }),
};

describe('an ingest of a source with an equal mark', () => {
  it('reads no stored documents if the walk finds what the last one found', async () => {
    const pair = await Pair.open();
    await expectMarked(pair);
    expect(await expectSame(pair)).toMatchObject({
      unchanged: 4,
      skipped: 4,
      errors: 1,
      new: 0,
      updated: 0,
      purged: 0,
    });
    expect(pair.reads).toBe(0);
  });

  it('reads no stored documents even in the second run, unless a file is too recent', async () => {
    const pair = await Pair.open();
    await expectSame(pair);
    await expectSame(pair);
    expect(pair.reads).toBe(0);
  });

  it('updates the time at which documents were last found equal', async () => {
    const pair = await Pair.open();
    await expectMarked(pair);
    const times = (await rowsOf(pair.marked.store)).map(({ indexedAt }) => indexedAt);
    expect(times).toEqual(times.map(() => pair.marked.now));
  });

  it('lists the files that it read, and reads no stored documents, with omitUnchanged', async () => {
    const pair = await Pair.open();
    await expectMarked(pair);
    const report = await expectSame(pair, { omitUnchanged: true });
    expect(pair.reads).toBe(0);
    expect(report).toMatchObject({ unchanged: 4, errors: 1 });
    const kinds = new Set(report.items?.map(({ kind }) => kind));
    expect([...kinds].toSorted()).toEqual(['error', 'skipped']);
  });

  it('passes hooks the complete list of files, even with omitUnchanged', async () => {
    const reported: unknown[] = [];
    const hook = {
      id: 'listener',
      version: '1',
      onIngested: (report: IngestReport) => void reported.push(report.items),
    };
    const pair = await Pair.open({ contributions: { ...CONTRIBUTIONS, hook: { listener: hook } } });
    await expectMarked(pair);
    await pair.marked.ingest({ omitUnchanged: true });
    expect(reported.at(-1)).toHaveLength(9);
  });

  it('reads stored documents if the report lists them, with verify, and with forceReingest', async () => {
    const pair = await Pair.open();
    await expectMarked(pair);
    for (const options of [{}, { ...QUIET, verify: true }, { ...QUIET, forceReingest: true }]) {
      await expectSame(pair, options);
      expect(pair.reads).toBeGreaterThan(0);
    }
  });

  it('reads stored documents while a file is so recent that it may change again within the same timestamp', async () => {
    const pair = await Pair.open();
    const now = new Date();
    utimesSync(join(pair.root, 'a.md'), now, now);
    pair.marked.now = new Date(now.getTime() - 60_000 + 1000);
    await expectSame(pair);
    putLater(pair, 'a.md', '# A\n\ntwo\n', now);
    expect(await expectSame(pair)).toMatchObject({ updated: 1 });
  });

  it('reads stored documents while a link is so recent that its target may change within the same timestamp', async () => {
    const pair = await Pair.open({ files: { ...FILES, 'l.md': { link: 'sub/c.md' } } });
    pair.marked.now = new Date(Date.now() - 60_000 + 1000);
    await expectSame(pair);
    await expectSame(pair);
    expect(pair.reads).toBeGreaterThan(0);
    await expectSame(pair);
    expect(pair.reads).toBe(0);
  });

  it.each(Object.entries(CHANGES))('has the same result as without a mark when %s', async (_what, change) => {
    const pair = await Pair.open();
    await expectMarked(pair);
    await change(pair);
    for (let run = 0; run < 3; run++) await expectSame(pair);
  });

  it('has the same result as without a mark when documents have vectors and the model changes', async () => {
    const env = { KEBAB_MODELS_EMBEDDING_PROVIDER: 'words', KEBAB_STORAGE_VECTOR_STORE: 'memory' };
    const contributions = {
      ...CONTRIBUTIONS,
      embedder: { words: new WordEmbedder() },
      vector_store: { memory: new MemoryVectorStore() },
    };
    const pair = await Pair.open({ env, contributions });
    await expectMarked(pair);
    await pair.change({ env, contributions: { ...contributions, embedder: { words: new WordEmbedder('2') } } });
    for (let run = 0; run < 3; run++) await expectSame(pair);
  });
});
