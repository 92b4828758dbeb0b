import assert from 'node:assert/strict';
import { type ChunkId, type DocumentId, type SearchFilters, isKebabError } from '@kebab/core';
import type { ChunkWithDocument, DocumentPlace, DocumentStore, DocumentWrite, Passage } from '@kebab/core/store';
import { matchesFilters, assertHolds, change, put, putTexts, type DocumentStoreCase } from './store-with.ts';
import { sampleDocuments, sampleWrite } from './sample-documents.ts';

const NO_DOCUMENT = 'f'.repeat(32) as DocumentId;
const NO_CHUNK = 'f'.repeat(32) as ChunkId;

/** The promises about reading. */
export const readingCases: readonly DocumentStoreCase[] = [
  [
    'returns empty results for what it does not contain',
    async ({ store }) => {
      assert.deepEqual([await store.documentCount(), await store.corpusRevision()], [0, 0]);
      assert.deepEqual(
        [await store.getDocuments([NO_DOCUMENT]), await store.getCanonicalDocument(NO_DOCUMENT)],
        [[], null],
      );
      assert.deepEqual(
        [await store.findDocument('default', 'a.md'), await store.getBlocks([NO_DOCUMENT])],
        [null, new Map()],
      );
      assert.deepEqual(
        [await store.findByPath('a.md'), await store.getChunks([NO_CHUNK]), await store.getPassages([NO_CHUNK])],
        [[], [], []],
      );
      assert.deepEqual(await store.listChunks(NO_DOCUMENT), []);
      assert.deepEqual(
        [await store.findIds('chunk', '', 5), await store.knownSources(), await store.quarantined()],
        [[], [], []],
      );
      assert.deepEqual(await store.listDocuments({}, { offset: 0, limit: 5 }), { documents: [], total: 0 });
      assert.equal((await store.knownDocuments('default')).size, 0);
      assert.deepEqual(await store.checkIntegrity(), []);
    },
  ],
  ...Object.entries(sampleDocuments()).map(([name, write]): DocumentStoreCase => [
    `returns ${name} exactly as it was written`,
    async ({ store }) => {
      await put(store, write);
      await assertHolds(store, [write]);
    },
  ]),
  [
    'returns a prepared document like any other',
    async ({ store }) => {
      const writes = Object.values(sampleDocuments());
      const prepared = writes.map((write) => store.prepare(write));
      assert.deepEqual(
        prepared.map(({ docId }) => docId),
        writes.map(({ document }) => document.docId),
      );
      await change(store, (tx) => prepared.forEach((document) => tx.putDocument(document)));
      await assertHolds(store, writes);
    },
  ],
  [
    'returns any slice of a text',
    async ({ store }) => {
      const text = 'añ𝒜한 line\n'.repeat(6000);
      const [write] = await putTexts(store, { 'a.md': text });
      const { docId } = write!.document;
      const slices = slicesOf(text.length);
      assert.deepEqual(
        await store.readTexts(slices.map(([start, end]) => ({ docId, start, end }))),
        slices.map(([start, end]) => text.slice(start, end)),
      );
      assert.deepEqual(await store.readTexts([{ docId, start: 5 }, { docId }]), [text.slice(5), text]);
    },
  ],
  [
    'lists the chunks of a document by ordinal, and a range of them by bounds',
    async ({ store }) => {
      const [write] = await putTexts(store, { 'a.md': 'one\n\ntwo\n\nthree\n\nfour\n', 'b.md': 'other\n' });
      const { document, chunks } = write!;
      assert.deepEqual(await store.listChunks(document.docId, 1, 3), chunks.slice(1, 3));
      assert.deepEqual(await store.listChunks(document.docId, 2), chunks.slice(2));
      assert.deepEqual(await store.listChunks(document.docId, 3, 100), chunks.slice(3));
      assert.deepEqual(await store.listChunks(document.docId, 4, 9), []);
    },
  ],
  [
    'loads a ranking in order, without chunks that no longer exist',
    async ({ store }) => {
      const writes = await putTexts(store, { 'a.md': 'one\n\ntwo\n', 'b.md': 'three\n' });
      const [one, two, three] = writes.flatMap(({ chunks }) => chunks.map(({ chunkId }) => chunkId));
      const found = await store.getChunks([three!, NO_CHUNK, one!, two!]);
      assert.deepEqual(
        found.map(({ chunk, document }) => [chunk.text, document.workspacePath]),
        [
          ['three', 'b.md'],
          ['one', 'a.md'],
          ['two', 'a.md'],
        ],
      );
    },
  ],
  [
    'returns passages in the requested order, consistent with their chunks and documents',
    async ({ store }) => {
      const writes = Object.values(sampleDocuments());
      await put(store, ...writes);
      const chunks = writes.flatMap((write) => write.chunks.map(({ chunkId }) => chunkId)).toReversed();
      assert.deepEqual(await store.getPassages([...chunks, NO_CHUNK]), (await store.getChunks(chunks)).map(passageOf));
    },
  ],
  [
    'finds ids by their first digits',
    async ({ store }) => {
      const writes = await putTexts(store, { 'a.md': 'one\n\ntwo\n\nthree\n', 'b.md': 'four\n' });
      const ids = writes.flatMap(({ chunks }) => chunks.map(({ chunkId }) => chunkId)).toSorted();
      assert.deepEqual(await store.findIds('chunk', '', 10), ids);
      assert.deepEqual(await store.findIds('chunk', '', 2), ids.slice(0, 2));
      const [first] = ids;
      assert.deepEqual(await store.findIds('chunk', first!.slice(0, 8), 10), [first]);
      assert.deepEqual(await store.findIds('chunk', first!, 10), [first]);
      const { docId } = writes[1]!.document;
      assert.deepEqual(await store.findIds('document', docId.slice(0, 7), 10), [docId]);
      assert.deepEqual(await store.findIds('document', docId.slice(0, 3), 0), []);
    },
  ],
  [
    'separates the same path in two sources',
    async ({ store }) => {
      const writes = ['default', 'work', 'archive'].map((sourceId) => sampleWrite('a.md', 'same\n', { sourceId }));
      await put(store, ...writes);
      await assertHolds(store, writes);
      const found = (await store.findByPath('a.md')).map(({ sourceId }) => sourceId);
      assert.deepEqual(
        [found, (await store.knownSources()).toSorted()],
        [
          ['archive', 'default', 'work'],
          ['archive', 'default', 'work'],
        ],
      );
      assert.equal((await store.stats()).assets, 1);
    },
  ],
  [
    'returns the known documents of one source for an ingest',
    async ({ store }) => {
      const file = { size: 4, mtimeNs: 1_767_225_600_123_456_789n };
      const write = sampleWrite('a.md', 'one\n', { file, committedAt: new Date(7) });
      await put(store, write, sampleWrite('b.md', 'two\n', { sourceId: 'work' }));
      const { docId, docVersion } = write.document;
      const { assetId, checksum } = write.asset;
      const known = await store.knownDocuments('default');
      assert.deepEqual([...known.keys()], ['a.md']);
      const { docId: id, indexedAt, fingerprints, ...rest } = known.get('a.md')!;
      assert.deepEqual([id, indexedAt, fingerprints], [docId, new Date(7), write.fingerprints]);
      assert.deepEqual(
        [rest.assetId, rest.checksum, rest.file, rest.docVersion],
        [assetId, checksum, file, docVersion],
      );
    },
  ],
  [
    'lists documents by source and path in code point order, page by page',
    async ({ store }) => {
      const paths = ['b.md', 'a/z.md', 'a.md', '𝒜.md', '\uFF21.md', 'B.md'];
      await put(
        store,
        sampleWrite('0.md', 'x\n', { sourceId: 'work' }),
        ...paths.map((path) => sampleWrite(path, 'x\n')),
      );
      const page = async (offset: number, limit: number): Promise<readonly string[]> =>
        (await store.listDocuments({}, { offset, limit })).documents.map(({ workspacePath }) => workspacePath);
      const all = ['B.md', 'a.md', 'a/z.md', 'b.md', '\uFF21.md', '𝒜.md', '0.md'];
      assert.deepEqual(await page(0, 100), all);
      const pages = await Promise.all([page(0, 2), page(2, 3), page(6, 5), page(9, 5)]);
      assert.deepEqual(pages, [all.slice(0, 2), all.slice(2, 5), all.slice(6), []]);
      assert.equal((await store.listDocuments({}, { offset: 9, limit: 5 })).total, 7);
    },
  ],
  [
    'lists documents after a place, if it can',
    async ({ store }) => {
      if (store.documentsAfter === undefined) return;
      const list = async (place: DocumentPlace | null, limit: number): Promise<readonly string[]> =>
        ((await store.documentsAfter?.(place, limit)) ?? []).map((row) => `${row.sourceId}/${row.workspacePath}`);
      assert.deepEqual(await list(null, 5), []);
      const paths = ['b.md', 'a/z.md', 'a.md', '𝒜.md', '\uFF21.md', 'B.md'];
      await put(
        store,
        ...['0.md', 'a.md'].map((path) => sampleWrite(path, 'x\n', { sourceId: 'work' })),
        ...paths.map((path) => sampleWrite(path, 'x\n')),
      );
      const { documents } = await store.listDocuments({}, { offset: 0, limit: 100 });
      const all = documents.map((row) => `${row.sourceId}/${row.workspacePath}`);
      assert.deepEqual(await list(null, 100), all);
      for (const [index, place] of documents.entries())
        assert.deepEqual(await list(place, 3), all.slice(index + 1, index + 4));
      const absent = await list({ sourceId: 'default', workspacePath: 'a.md.bak' }, 100);
      assert.deepEqual(absent, all.slice(all.indexOf('default/a/z.md')));
      assert.deepEqual(await store.documentsAfter(null, 1), documents.slice(0, 1));
    },
  ],
  [
    'applies every filter as defined',
    async ({ store }) => {
      const writes = filterable();
      await put(store, ...writes);
      for (const filters of filtersToTry(writes)) await assertFiltered(store, filters);
    },
  ],
  [
    'throws for the text of an unknown document',
    async ({ store }) => {
      await assert.rejects(
        store.readTexts([{ docId: NO_DOCUMENT }]),
        (error) => isKebabError(error, 'doc_not_found') && error.details.doc_id === NO_DOCUMENT,
      );
    },
  ],
];

/** Slices at the ends of a text, around segment boundaries, empty, reversed, and out of bounds. */
function slicesOf(length: number): readonly (readonly [start: number, end: number])[] {
  return [
    [0, 1],
    [length - 3, length],
    [7, 7],
    [100, 50],
    [8190, 16_400],
    [3, 60_000],
    [length, length + 5],
    [0, Infinity],
  ];
}

function filterable(): readonly DocumentWrite[] {
  const trust = ['primary', 'secondary', 'generated'] as const;
  const types = ['note', 'paper', 'code'] as const;
  return ['a.md', 'notes/b.md', 'notes/deep/er/c.txt', 'src/main.rs', '한국/노트 [1].md', '.hidden/x.md'].map(
    (path, i) =>
      sampleWrite(path, `text ${i}\n`, {
        sourceId: i % 2 === 0 ? 'default' : 'work',
        lang: i % 3 === 0 ? 'ko' : 'en',
        committedAt: new Date(i * 1000),
        metadata: {
          ...(i === 2 ? { inlineTags: ['inline/one', 'red'] } : {}),
          tags: i % 2 === 0 ? ['red', 'blue'] : ['green', `n${i}`, i === 1 ? 'nested/deep/er' : '#nested'],
          trustLevel: trust[i % 3] ?? 'primary',
          sourceType: types[i % 3] ?? 'note',
          repo: i < 3 ? `acme/${i}` : null,
          codeLang: path.endsWith('.rs') ? 'rust' : null,
        },
      }),
  );
}

function filtersToTry(writes: readonly DocumentWrite[]): readonly SearchFilters[] {
  const docId = writes.slice(1, 3).map(({ document }) => document.docId);
  const globs = [
    '*.md',
    '**/*.md',
    'notes/*',
    'notes/**',
    '**',
    '*/*',
    '?.md',
    '한국/*',
    '**/노트 ?1?.md',
    'nothing',
    '.hidden/*',
    'notes',
    'notes/',
  ];
  return [
    { tag: ['red'] },
    { tag: ['n1', 'blue'] },
    { tag: ['none'] },
    { tag: ['inline'] },
    { tag: ['nested'] },
    { tag: ['nested/deep'] },
    ...writes
      .slice(0, 3)
      .flatMap(({ document: { metadata } }) => [
        { since: metadata.updatedAt },
        { until: metadata.updatedAt },
        { since: new Date(metadata.updatedAt.getTime() + 1) },
      ]),
    ...writes.slice(0, 3).map(({ document }) => ({ title: [document.title] })),
    { title: ['no such title'] },
    { lang: ['ko', 'en'], within: { lang: ['en'], within: { tag: ['red', 'blue'] } } },
    { lang: ['ko'] },
    { media: ['markdown', 'text'] },
    { media: ['code'] },
    ...(['primary', 'secondary', 'generated'] as const).map((trustMin) => ({ trustMin })),
    ...[0, 2000, 2001, 9000].map((ms) => ({ ingestedAfter: new Date(ms) })),
    { docId },
    { docId: [NO_DOCUMENT] },
    { repo: ['acme/1', 'acme/2'] },
    { codeLang: ['rust'] },
    { source: ['work'] },
    { sourceType: ['paper', 'code'] },
    ...globs.map((glob) => ({ pathGlob: [glob] })),
    { pathGlob: ['*.md', 'src/*'] },
    { readable: [] },
    { readable: [{ isAllowed: true }] },
    { readable: [{ source: 'work', isAllowed: true }] },
    { readable: [{ path: globs[0], isAllowed: false }, { isAllowed: true }] },
    { readable: [{ path: '*.md', isAllowed: true }, { isAllowed: false }], lang: ['en'] },
    { tag: ['blue'], lang: ['en'], source: ['default'], trustMin: 'generated', pathGlob: ['**'] },
  ];
}

async function assertFiltered(store: DocumentStore, filters: SearchFilters): Promise<void> {
  const everything = { offset: 0, limit: 100 };
  const all = (await store.listDocuments({}, everything)).documents;
  const wanted = all.filter((document) => matchesFilters(document, filters));
  assert.deepEqual(
    await store.listDocuments(filters, everything),
    { documents: wanted, total: wanted.length },
    JSON.stringify(filters),
  );
  const second = await store.listDocuments(filters, { offset: 1, limit: 1 });
  assert.deepEqual(second, { documents: wanted.slice(1, 2), total: wanted.length }, JSON.stringify(filters));
}

/** The passage that a store must return for a chunk. */
export function passageOf({ chunk, document }: ChunkWithDocument): Passage {
  const { chunkId, ordinal, text, headingPath, sectionLabel } = chunk;
  const { docId, sourceId, workspacePath, media } = document;
  const [span] = chunk.sourceSpans;
  const symbol = media === 'code' && span?.kind === 'code' ? span.symbol : null;
  return { chunkId, docId, sourceId, workspacePath, media, ordinal, text, headingPath, sectionLabel, symbol };
}
