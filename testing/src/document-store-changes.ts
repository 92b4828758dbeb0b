import assert from 'node:assert/strict';
import type { DocumentId } from '@kebab/core';
import type {
  DocumentStore,
  DocumentTransaction,
  DocumentWrite,
  QuarantinedFile,
  SeenPlace,
  SeenScope,
} from '@kebab/core/store';
import { assertHolds, change, ingestRun, put, putTexts, withWriter, type DocumentStoreCase } from './store-with.ts';
import { sampleDocuments, sampleWrite } from './sample-documents.ts';

/** The promises about writing. */
export const changeCases: readonly DocumentStoreCase[] = [
  [
    'replaces the previous version at the same source and path',
    async ({ store }) => {
      const [old] = await putTexts(store, { 'a.md': 'one\n\ntwo\n', 'b.md': 'stays\n' });
      const next = sampleWrite('a.md', 'three\n');
      await put(store, next);
      await assertHolds(store, [next, sampleWrite('b.md', 'stays\n')]);
      assert.deepEqual(await store.getDocuments([old!.document.docId]), []);
      assert.deepEqual(await store.getChunks(old!.chunks.map(({ chunkId }) => chunkId)), []);
    },
  ],
  [
    'has its own id, and records the folder each source was indexed from',
    async ({ store }) => {
      const id = await store.knowledgeBase();
      assert.match(id, /^[0-9a-f]{32}$/);
      assert.deepEqual(await store.indexedRoots(), new Map());
      await withWriter(store, async (writer) => {
        await writer.setIndexedRoot('default', '/notes');
        await writer.setIndexedRoot('work', '/work');
        await writer.setIndexedRoot('default', '/moved');
        await writer.setIndexedRoot('work', null);
      });
      assert.deepEqual(await store.indexedRoots(), new Map([['default', '/moved']]));
      assert.equal(await store.knowledgeBase(), id);
    },
  ],
  [
    'records what a scan of a source saw, until the source is removed',
    async ({ store }) => {
      const root: SeenPlace = { path: '', kind: 'directory', size: 0, mtimeMs: 1_700_000_000_123.5 };
      const file: SeenPlace = { path: 'notes/a.md', kind: 'file', size: 12, mtimeMs: -1 };
      const rules: SeenPlace = { path: '.gitignore', kind: 'rules', size: 3, mtimeMs: 1 };
      const seen = async (): Promise<readonly SeenPlace[]> =>
        (await store.seenPlaces('default')).toSorted((a, b) => (a.path < b.path ? -1 : 1));
      assert.deepEqual(await seen(), []);
      await withWriter(store, async (writer) => {
        await writer.setSeen('default', { put: [root, file, rules], remove: [] });
        await writer.setSeen('work', { put: [root], remove: [] });
        await writer.setSeen('default', { put: [{ ...file, size: 13 }], remove: ['.gitignore', 'never there'] });
      });
      assert.deepEqual(await seen(), [root, { ...file, size: 13 }]);
      await withWriter(store, (writer) => writer.setIndexedRoot('default', null));
      assert.deepEqual([await seen(), await store.seenPlaces('work')], [[], [root]]);
    },
  ],
  [
    'returns the places seen at some paths, and those directly inside any number of directories with all directories',
    async ({ store }) => {
      const place = (path: string, kind: SeenPlace['kind'] = 'file'): SeenPlace => ({
        path,
        kind,
        size: 0,
        mtimeMs: 1,
      });
      const directories = [place('', 'directory'), place('a', 'directory'), place('a/b', 'directory')];
      const files = ['a-.md', 'a.md', 'a/b/c.md', 'a/x.md', 'a/é.md', 'a0.md'].map((path) => place(path));
      await withWriter(store, async (writer) => {
        await writer.setSeen('default', { put: [...directories, ...files], remove: [] });
        await writer.setSeen('work', { put: [place('a/other.md')], remove: [] });
      });
      const pathsOf = async (scope?: SeenScope): Promise<readonly string[]> =>
        (await store.seenPlaces('default', scope)).map(({ path }) => path);
      assert.deepEqual(await pathsOf({ paths: ['a.md', 'never there', 'a'] }), ['a', 'a.md']);
      assert.deepEqual(await pathsOf({ paths: [], inside: [] }), ['', 'a', 'a/b']);
      assert.deepEqual(await pathsOf({ paths: ['a.md'], inside: ['a'] }), ['', 'a', 'a.md', 'a/b', 'a/x.md', 'a/é.md']);
      assert.deepEqual(await pathsOf({ paths: [], inside: [''] }), ['', 'a', 'a-.md', 'a.md', 'a/b', 'a0.md']);
      assert.deepEqual(await pathsOf(), ['', 'a', 'a-.md', 'a.md', 'a/b', 'a/b/c.md', 'a/x.md', 'a/é.md', 'a0.md']);
      const inside = ['😀😀', 'sub \u001a', 'x_', ...Array.from({ length: 1000 }, (_, at) => `z${at}`)];
      const many = inside.flatMap((directory) => [place(`${directory}/a`), place(`${directory}/b/c`)]);
      await withWriter(store, (writer) => writer.setSeen('default', { put: [place('xy/a'), ...many], remove: [] }));
      const direct = inside.map((directory) => `${directory}/a`).toSorted();
      assert.deepEqual(await pathsOf({ paths: [], inside }), ['', 'a', 'a/b', ...direct]);
    },
  ],
  [
    'returns the newest places seen: directories and ignore files, unsettled files, then those that changed last',
    async ({ store }) => {
      const directory: SeenPlace = { path: '', kind: 'directory', size: 0, mtimeMs: 1 };
      const files = ['a', 'b', 'c'].map((path, at): SeenPlace => ({ path, kind: 'file', size: 1, mtimeMs: at }));
      const unsettled: SeenPlace = { path: 'd', kind: 'file', size: 1, mtimeMs: -1 };
      await withWriter(store, async (writer) => {
        await writer.setSeen('default', { put: [...files, unsettled, directory], remove: [] });
        await writer.setSeen('work', { put: [{ ...unsettled, path: 'other' }], remove: [] });
      });
      const newest = async (limit: number): Promise<readonly string[]> =>
        (await store.seenPlaces('default', { newest: limit })).map(({ path }) => path);
      assert.deepEqual(await newest(3), ['', 'd', 'c']);
      assert.deepEqual(await newest(9), ['', 'd', 'c', 'b', 'a']);
    },
  ],
  [
    'returns the known documents of a source, or those at some paths',
    async ({ store }) => {
      await put(store, sampleWrite('a.md', 'one\n'), sampleWrite('b.md', 'two\n'));
      assert.deepEqual([...(await store.knownDocuments('default')).keys()], ['a.md', 'b.md']);
      assert.deepEqual([...(await store.knownDocuments('default', ['b.md', 'c.md'])).keys()], ['b.md']);
    },
  ],
  [
    'replaces a document by itself',
    async ({ store }) => {
      const writes = Object.values(sampleDocuments());
      await put(store, ...writes);
      await put(store, ...writes);
      await assertHolds(store, writes);
    },
  ],
  [
    'accepts several versions of one document in one transaction, of which the last wins',
    async ({ store }) => {
      const versions = ['one\n', 'two\n\nthree\n', 'four\n'].map((text) => sampleWrite('a.md', text));
      await change(store, (tx) => {
        for (const version of versions) tx.putDocument(version);
        tx.putDocument(sampleWrite('b.md', 'gone\n'));
        tx.deleteDocument(sampleWrite('b.md', 'gone\n').document.docId);
      });
      await assertHolds(store, versions.slice(2));
    },
  ],
  [
    'deletes a document with everything that belongs to it',
    async ({ store }) => {
      const writes = Object.values(sampleDocuments());
      await put(store, ...writes);
      const [first, ...rest] = writes;
      await change(store, (tx) => tx.deleteDocument(first!.document.docId));
      await assertHolds(store, rest);
      assert.deepEqual(
        [await store.getBlocks([first!.document.docId]), await store.listChunks(first!.document.docId)],
        [new Map(), []],
      );
      await change(store, (tx) => {
        for (const { document } of rest) tx.deleteDocument(document.docId);
      });
      await assertHolds(store, []);
    },
  ],
  [
    'commits a transaction completely or not at all',
    async ({ store }) => {
      const writes = await putTexts(store, { 'a.md': 'one\n', 'b.md': 'two\n' });
      const before = await store.corpusRevision();
      await assert.rejects(
        change(store, (tx) => {
          changeEverything(tx, writes);
          throw new Error('half way');
        }),
        /half way/,
      );
      await assertHolds(store, writes);
      assert.equal(await store.corpusRevision(), before);
    },
  ],
  [
    'rejects a document whose parts do not belong together, and commits nothing else with it',
    async ({ store }) => {
      const good = sampleWrite('a.md', 'one\n\ntwo\n');
      const bad: DocumentWrite = { ...good, index: [] };
      assert.throws(() => store.prepare(bad), TypeError);
      const other = sampleWrite('b.md', 'other\n');
      await assert.rejects(
        change(store, (tx) => {
          tx.putDocument(other);
          tx.putDocument(bad);
        }),
        TypeError,
      );
      await assertHolds(store, []);
      await put(store, good);
      await assertHolds(store, [good]);
    },
  ],
  [
    'increments the revision only for changes that can affect a result',
    async ({ store }) => {
      const write = sampleWrite('a.md', 'one\n');
      const { docId } = write.document;
      await grows(store, true, (tx) => tx.putDocument(write));
      await grows(store, false, (tx) => tx.touchDocument(docId, new Date(5), null));
      await grows(store, false, (tx) => tx.touchDocuments([docId], new Date(6)));
      await grows(store, false, (tx) => tx.deleteDocument('0'.repeat(32) as DocumentId));
      await grows(store, false, () => {});
      await grows(store, true, (tx) => tx.deleteDocument(docId));
    },
  ],
  [
    'records when a document was found unchanged',
    async ({ store }) => {
      const file = { size: 4, mtimeNs: 5n };
      const write = sampleWrite('a.md', 'one\n', { file });
      const other = sampleWrite('b.md', 'two\n', { file });
      await put(store, write, other);
      const { docId } = write.document;
      const seen = { size: 4, mtimeNs: 1_767_225_600_123_456_789n };
      await change(store, (tx) => tx.touchDocument(docId, new Date(50), seen));
      assert.deepEqual(await timesOf(store, docId), [new Date(50), seen, write.committedAt]);
      await change(store, (tx) => tx.touchDocuments([docId, other.document.docId], new Date(60)));
      assert.deepEqual(await timesOf(store, docId), [new Date(60), seen, write.committedAt]);
      assert.deepEqual(await timesOf(store, other.document.docId), [new Date(60), file, write.committedAt]);
      await change(store, (tx) => tx.touchDocument(docId, new Date(70), null));
      assert.deepEqual(await timesOf(store, docId), [new Date(70), null, write.committedAt]);
    },
  ],
  [
    'removes assets that no document refers to, and returns the paths of their copies',
    async ({ store }) => {
      const copied = (path: string, text: string): DocumentWrite => {
        const write = sampleWrite(path, text);
        return { ...write, asset: { ...write.asset, stored: { kind: 'copied', path: `/assets/${path}` } } };
      };
      const writes = [copied('a.md', 'one\n'), copied('b.md', 'two\n'), sampleWrite('c.md', 'three\n')];
      await put(store, ...writes);
      assert.deepEqual(await withWriter(store, (writer) => writer.sweepAssets()), []);
      await change(store, (tx) => {
        for (const { document } of writes.slice(1)) tx.deleteDocument(document.docId);
      });
      assert.deepEqual(await withWriter(store, (writer) => writer.sweepAssets()), ['/assets/b.md']);
      assert.equal((await store.stats()).assets, 1);
      await assertHolds(store, writes.slice(0, 1));
    },
  ],
  [
    'records the last ingest',
    async ({ store }) => {
      assert.equal((await store.stats()).lastIngestAt, null);
      await withWriter(store, async (writer) => {
        await writer.recordRun(ingestRun('run_1', new Date(4000))); // before the clock was set back
        await writer.recordRun({ ...ingestRun('run_2', new Date(3000)), aborted: true, itemsJson: '[]' });
      });
      assert.deepEqual((await store.stats()).lastIngestAt, new Date(3000));
    },
  ],
  [
    'keeps the list of quarantined files',
    async ({ store }) => {
      const file = (workspacePath: string): QuarantinedFile => ({
        sourceId: 'default',
        workspacePath,
        reason: 'it is "poison"',
        code: 'plugin_failed',
        agent: 'md@1.0.0',
        attempts: 3,
        lastFailedAt: new Date(1234),
      });
      await withWriter(store, (writer) => writer.setQuarantine([file('a.md'), file('b.md')]));
      assert.deepEqual(await store.quarantined(), [file('a.md'), file('b.md')]);
      await withWriter(store, (writer) => writer.setQuarantine([file('b.md')]));
      assert.deepEqual(await store.quarantined(), [file('b.md')]);
      await withWriter(store, (writer) => writer.setQuarantine([]));
      assert.deepEqual(await store.quarantined(), []);
    },
  ],
  [
    'lists the documents of which something was not read, with what that is',
    async ({ store }) => {
      const warned = (path: string, ...notes: readonly string[]): DocumentWrite => {
        const write = sampleWrite(path, `${path}\n`);
        const events = notes.map((note) => ({ at: new Date(1), agent: 'a@1', kind: 'warning', note }) as const);
        return { ...write, document: { ...write.document, provenance: events } };
      };
      const sheet = warned('b.xlsx', 'extract_failed: sheet "Pay" is encrypted', 'malformed_table: row 3');
      const scan = warned('a.pdf', 'scanned_candidate: pages 2–3', 'ocr_failed: page 4: too large');
      const bytes = warned('c.txt', 'encoding_fallback: some bytes are not UTF-8');
      const whole = warned(
        'd.md',
        'encoding_fallback: not UTF-8; read as big5',
        'malformed_frontmatter: "extract_failed: no"',
      );
      await put(store, sheet, scan, bytes, whole, sampleWrite('e.md', 'extract_failed: it is only said\n'));
      const known = await store.partlyRead();
      assert.deepEqual(
        known.map(({ workspacePath, unread }) => [workspacePath, unread]),
        [
          ['a.pdf', ['no text on pages 2–3', 'OCR failed on page 4: too large']],
          ['b.xlsx', ['sheet "Pay" is encrypted']],
          ['c.txt', ['some bytes are not UTF-8']],
        ],
      );
      assert.deepEqual(await store.partlyRead([sheet.document.docId, whole.document.docId]), known.slice(1, 2));
      assert.deepEqual(await store.partlyRead([]), []);
    },
  ],
  [
    'counts documents by their properties',
    async ({ store }) => {
      const code = (path: string, text: string): DocumentWrite =>
        sampleWrite(path, text, { metadata: { codeLang: 'rust', repo: 'acme' }, sourceId: 'work' });
      await put(store, sampleWrite('a.md', 'x\n', { lang: 'ko' }), code('b.rs', 'x\n'), code('c.rs', 'y\n\nz\n'));
      const { storedBytes, lastIngestAt, ...stats } = await store.stats();
      assert.deepEqual(stats, {
        documents: 3,
        chunks: 4,
        assets: 2,
        media: {
          markdown: 1,
          code: 2,
        },
        langs: {
          ko: 1,
          und: 2,
        },
        codeLangs: { rust: 2 },
        codeLangChunks: { rust: 3 },
        repos: { acme: 2 },
        sources: {
          default: 1,
          work: 2,
        },
      });
      assert.ok(storedBytes >= 0 && lastIngestAt === null);
    },
  ],
];

function changeEverything(tx: DocumentTransaction, writes: readonly DocumentWrite[]): void {
  tx.putDocument(sampleWrite('a.md', 'changed\n'));
  tx.putDocument(sampleWrite('c.md', 'new\n'));
  tx.deleteDocument(writes[1]!.document.docId);
  tx.touchDocuments([writes[0]!.document.docId], new Date(9));
}

async function grows(
  store: DocumentStore,
  expected: boolean,
  perform: (tx: DocumentTransaction) => void,
): Promise<void> {
  const before = await store.corpusRevision();
  await change(store, perform);
  assert.equal((await store.corpusRevision()) > before, expected);
}

async function timesOf(store: DocumentStore, id: DocumentId): Promise<readonly unknown[]> {
  const [row] = await store.getDocuments([id]);
  return [row?.indexedAt, row?.file, row?.committedAt];
}
