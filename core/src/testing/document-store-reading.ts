import assert from 'node:assert/strict';
import type { DocumentStore, DocumentWrite } from '../contracts/document-store.ts';
import type { ChunkId, DocumentId } from '../domain/ids.ts';
import type { SearchFilters } from '../domain/query.ts';
import { isKebabError } from '../errors/kebab-error.ts';
import { matchesFilters } from './matches-filters.ts';
import { assertHolds, put, putTexts, withWriter, type DocumentStoreCase } from './open-document-store.ts';
import { passageOf } from './passage-of.ts';
import { sampleDocuments } from './sample-documents.ts';
import { sampleWrite } from './sample-write.ts';

const NO_DOCUMENT = 'f'.repeat(32) as DocumentId;
const NO_CHUNK = 'f'.repeat(32) as ChunkId;

/** What reading promises. */
export const readingCases: readonly DocumentStoreCase[] = [
  [
    'answers for what it does not have',
    ({ store }) => {
      assert.deepEqual([store.documentCount(), store.corpusRevision()], [0, 0]);
      assert.deepEqual([store.getDocument(NO_DOCUMENT), store.getCanonicalDocument(NO_DOCUMENT)], [null, null]);
      assert.deepEqual([store.findDocument('default', 'a.md'), store.getChunk(NO_CHUNK)], [null, null]);
      assert.deepEqual(
        [store.findByPath('a.md'), store.getChunks([NO_CHUNK]), store.getPassages([NO_CHUNK])],
        [[], [], []],
      );
      assert.deepEqual(store.listChunks(NO_DOCUMENT), []);
      assert.deepEqual([store.findIds('chunk', '', 5), store.knownSources(), store.quarantined()], [[], [], []]);
      assert.deepEqual(store.listDocuments({}, { offset: 0, limit: 5 }), { documents: [], total: 0 });
      assert.equal(store.knownDocuments('default').size, 0);
      assert.deepEqual(store.checkIntegrity(), []);
    },
  ],
  ...Object.entries(sampleDocuments()).map(([name, write]): DocumentStoreCase => [
    `gives back ${name} exactly as it was written`,
    async ({ store }) => {
      await put(store, write);
      assertHolds(store, [write]);
    },
  ]),
  [
    'gives back a prepared document like any other',
    async ({ store }) => {
      const writes = Object.values(sampleDocuments());
      await withWriter(store, (writer) => {
        const prepared = writes.map((write) => writer.prepare(write));
        assert.deepEqual(
          prepared.map(({ docId }) => docId),
          writes.map(({ document }) => document.docId),
        );
        writer.transaction((tx) => {
          for (const document of prepared) tx.putDocument(document);
        });
      });
      assertHolds(store, writes);
    },
  ],
  [
    'cuts any slice out of a text',
    async ({ store }) => {
      const text = 'añ𝒜한 line\n'.repeat(6000);
      const [write] = await putTexts(store, { 'a.md': text });
      const { docId } = write!.document;
      for (const [start, end] of slicesOf(text.length))
        assert.equal(store.readText(docId, start, end), text.slice(start, end), `[${start}, ${end})`);
      assert.equal(store.readText(docId, 5), text.slice(5));
    },
  ],
  [
    'lists the chunks of a document by ordinal, and a part of them by bounds',
    async ({ store }) => {
      const [write] = await putTexts(store, { 'a.md': 'one\n\ntwo\n\nthree\n\nfour\n', 'b.md': 'other\n' });
      const { document, chunks } = write!;
      assert.deepEqual(store.listChunks(document.docId, 1, 3), chunks.slice(1, 3));
      assert.deepEqual(store.listChunks(document.docId, 2), chunks.slice(2));
      assert.deepEqual(store.listChunks(document.docId, 3, 100), chunks.slice(3));
      assert.deepEqual(store.listChunks(document.docId, 4, 9), []);
    },
  ],
  [
    'hydrates a ranking in its order, without what is gone',
    async ({ store }) => {
      const writes = await putTexts(store, { 'a.md': 'one\n\ntwo\n', 'b.md': 'three\n' });
      const [one, two, three] = writes.flatMap(({ chunks }) => chunks.map(({ chunkId }) => chunkId));
      const found = store.getChunks([three!, NO_CHUNK, one!, two!]);
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
    'gives passages in the order that is asked for, as their chunks and documents tell',
    async ({ store }) => {
      const writes = Object.values(sampleDocuments());
      await put(store, ...writes);
      const chunks = writes.flatMap((write) => write.chunks.map(({ chunkId }) => chunkId)).toReversed();
      assert.deepEqual(store.getPassages([...chunks, NO_CHUNK]), store.getChunks(chunks).map(passageOf));
    },
  ],
  [
    'finds ids by their first digits',
    async ({ store }) => {
      const writes = await putTexts(store, { 'a.md': 'one\n\ntwo\n\nthree\n', 'b.md': 'four\n' });
      const ids = writes.flatMap(({ chunks }) => chunks.map(({ chunkId }) => chunkId)).toSorted();
      assert.deepEqual(store.findIds('chunk', '', 10), ids);
      assert.deepEqual(store.findIds('chunk', '', 2), ids.slice(0, 2));
      const [first] = ids;
      assert.deepEqual(store.findIds('chunk', first!.slice(0, 8), 10), [first]);
      assert.deepEqual(store.findIds('chunk', first!, 10), [first]);
      const { docId } = writes[1]!.document;
      assert.deepEqual(store.findIds('document', docId.slice(0, 7), 10), [docId]);
      assert.deepEqual(store.findIds('document', docId.slice(0, 3), 0), []);
    },
  ],
  [
    'keeps one path of two sources apart',
    async ({ store }) => {
      const writes = ['default', 'work', 'archive'].map((sourceId) => sampleWrite('a.md', 'same\n', { sourceId }));
      await put(store, ...writes);
      assertHolds(store, writes);
      const found = store.findByPath('a.md').map(({ sourceId }) => sourceId);
      assert.deepEqual(
        [found, store.knownSources().toSorted()],
        [
          ['archive', 'default', 'work'],
          ['archive', 'default', 'work'],
        ],
      );
      assert.equal(store.stats().assets, 1);
    },
  ],
  [
    'tells an ingest what it has seen of one source',
    async ({ store }) => {
      const file = { size: 4, mtimeNs: 1_767_225_600_123_456_789n };
      const write = sampleWrite('a.md', 'one\n', { file, committedAt: new Date(7) });
      await put(store, write, sampleWrite('b.md', 'two\n', { sourceId: 'work' }));
      const { docId, docVersion } = write.document;
      const { assetId, checksum } = write.asset;
      const known = store.knownDocuments('default');
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
      const page = (offset: number, limit: number): readonly string[] =>
        store.listDocuments({}, { offset, limit }).documents.map(({ workspacePath }) => workspacePath);
      const all = ['B.md', 'a.md', 'a/z.md', 'b.md', '\uFF21.md', '𝒜.md', '0.md'];
      assert.deepEqual(page(0, 100), all);
      assert.deepEqual(
        [page(0, 2), page(2, 3), page(6, 5), page(9, 5)],
        [all.slice(0, 2), all.slice(2, 5), all.slice(6), []],
      );
      assert.equal(store.listDocuments({}, { offset: 9, limit: 5 }).total, 7);
    },
  ],
  [
    'applies every filter as it is defined',
    async ({ store }) => {
      const writes = filterable();
      await put(store, ...writes);
      for (const filters of filtersToTry(writes)) assertFiltered(store, filters);
    },
  ],
  [
    'reports an unknown document when its text is asked for',
    ({ store }) => {
      assert.throws(
        () => store.readText(NO_DOCUMENT),
        (error) => isKebabError(error, 'doc_not_found') && error.details.doc_id === NO_DOCUMENT,
      );
    },
  ],
];

/** Slices at the ends of a text, around likely seams, empty, backwards, and beyond it. */
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
          tags: i % 2 === 0 ? ['red', 'blue'] : ['green', `n${i}`],
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
  ];
  return [
    { tag: ['red'] },
    { tag: ['n1', 'blue'] },
    { tag: ['none'] },
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
    { tag: ['blue'], lang: ['en'], source: ['default'], trustMin: 'generated', pathGlob: ['**'] },
  ];
}

function assertFiltered(store: DocumentStore, filters: SearchFilters): void {
  const everything = { offset: 0, limit: 100 };
  const all = store.listDocuments({}, everything).documents;
  const wanted = all.filter((document) => matchesFilters(document, filters));
  assert.deepEqual(
    store.listDocuments(filters, everything),
    { documents: wanted, total: wanted.length },
    JSON.stringify(filters),
  );
  const second = store.listDocuments(filters, { offset: 1, limit: 1 });
  assert.deepEqual(second, { documents: wanted.slice(1, 2), total: wanted.length }, JSON.stringify(filters));
}
