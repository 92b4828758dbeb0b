import assert from 'node:assert/strict';
import { type DocumentId, type EmbeddingId, isKebabError } from '@kebab/core';
import type { DocumentStore, DocumentWrite, StoreArchive } from '@kebab/core/store';
import { sampleDocuments, sampleWrite } from './sample-documents.ts';
import { change, type DocumentStoreCase, ingestRun, put, putTexts, vectorNotes, withWriter } from './store-with.ts';

const KNOWLEDGE_BASE = '0123456789abcdef'.repeat(2);
const AT = new Date('2026-02-03T04:05:06.789Z');

/** The promises of a store that knowledge bases can be moved to and away from. Stores without an archive fulfil them all. */
export const archiveCases: readonly DocumentStoreCase[] = [
  ...Object.entries(sampleDocuments()).map(([name, write]): DocumentStoreCase => [
    `archives ${name} so that another store can hold it unchanged`,
    ({ store }) =>
      withArchive(store, async (archive) => {
        const indexedAt = new Date('2027-01-01T00:00:00.001Z');
        await change(store, (tx) => {
          tx.putDocument(write);
          tx.touchDocument(write.document.docId, indexedAt, write.file);
        });
        const [found, ...more] = await archive.documents([write.document.docId, 'f'.repeat(32) as DocumentId]);
        assert.deepEqual(more, []);
        assert.ok(found !== undefined);
        assertArchived(found, { ...write, indexedAt });
      }),
  ]),
  [
    'archives documents in the requested order',
    ({ store }) =>
      withArchive(store, async (archive) => {
        const writes = await putTexts(store, { 'a.md': 'one\n', 'b.md': 'two\n', 'c.md': 'three\n' });
        const ids = writes.map(({ document }) => document.docId).toReversed();
        assert.deepEqual(
          (await archive.documents(ids)).map(({ document }) => document.docId),
          ids,
        );
      }),
  ],
  [
    'archives the notes of vectors, in whatever state',
    ({ store }) =>
      withArchive(store, async (archive) => {
        const [write] = await putTexts(store, { 'a.md': 'one\n\ntwo\n\nthree\n' });
        const notes = vectorNotes(write!);
        const [first] = notes;
        await withWriter(store, async ({ vectors }) => {
          await vectors.begin(notes, AT);
          await vectors.commit({ embeddingIds: [first!.embeddingId], documents: [], fingerprint: 'x', at: AT });
        });
        const ids = notes.map(({ embeddingId }) => embeddingId).toSorted();
        const found = await archive.notes([...ids, 'f'.repeat(32) as EmbeddingId]);
        assert.deepEqual(
          found,
          notes.toSorted((a, b) => (a.embeddingId < b.embeddingId ? -1 : 1)),
        );
      }),
  ],
  [
    'archives the records of ingests in order, whatever their times',
    ({ store }) =>
      withArchive(store, async (archive) => {
        const day = (date: number): Date => new Date(Date.UTC(2026, 0, date, 1, 2, 3, 456));
        const runs = [
          ingestRun('later', day(5)),
          { ...ingestRun('earlier', day(1)), aborted: true },
          { ...ingestRun('last', day(3)), itemsJson: '[]' },
        ];
        await withWriter(store, async (writer) => {
          for (const one of runs) await writer.recordRun(one);
        });
        assert.deepEqual(await archive.runs(), runs);
      }),
  ],
  [
    'archives what models read in pictures by key and page, but no embeddings',
    ({ store }) =>
      withArchive(store, async (archive) => {
        const payload = new Uint8Array([0, 255, 10]);
        await withWriter(store, async ({ derivations }) => {
          await derivations.set('ocr', [{ key: 'b', payload }], AT);
          await derivations.set('caption', [{ key: 'a', payload: new Uint8Array(0) }], AT);
          await derivations.set('embedding', [{ key: 'c', payload }], AT);
        });
        const [first] = await archive.derivations({ after: '', limit: 1 });
        assert.deepEqual(plain(first!), { kind: 'caption', key: 'a', payload: [], lastUsedAt: AT });
        const rest = await archive.derivations({ after: 'a', limit: 10 });
        assert.deepEqual(rest.map(plain), [{ kind: 'ocr', key: 'b', payload: [0, 255, 10], lastUsedAt: AT }]);
      }),
  ],
  [
    'takes the id of a knowledge base that is moved into it, and knows that the move is unfinished',
    ({ store, reader }) =>
      withArchive(store, async (archive) => {
        const before = await store.knowledgeBase();
        assert.equal(await archive.arriving(), null);
        await archive.beginMove(KNOWLEDGE_BASE);
        assert.equal(await store.knowledgeBase(), KNOWLEDGE_BASE);
        assert.notEqual(before, KNOWLEDGE_BASE);
        await put(store, sampleWrite('a.md', 'one\n'));
        await archive.beginMove(KNOWLEDGE_BASE);
        assert.equal(await archive.arriving(), KNOWLEDGE_BASE);
        await archive.endMove();
        assert.equal(await archive.arriving(), null);
        const other = await reader?.();
        assert.equal(await (other ?? store).knowledgeBase(), KNOWLEDGE_BASE);
        await other?.close();
      }),
  ],
  [
    'refuses a knowledge base where there are documents of another',
    ({ store }) =>
      withArchive(store, async (archive) => {
        await put(store, sampleWrite('a.md', 'one\n'));
        const before = await store.knowledgeBase();
        await assert.rejects(archive.beginMove(KNOWLEDGE_BASE), (error) => isKebabError(error, 'invalid_input'));
        assert.equal(await store.knowledgeBase(), before);
      }),
  ],
];

async function withArchive(store: DocumentStore, check: (archive: StoreArchive) => Promise<void>): Promise<void> {
  const archive = await store.archive?.();
  if (archive !== undefined) await check(archive);
}

/** The source of an asset is not stored, and its URI only as one text. */
function assertArchived(
  found: Awaited<ReturnType<StoreArchive['documents']>>[number],
  { asset, index, ...written }: DocumentWrite & { readonly indexedAt: Date },
): void {
  const { asset: foundAsset, index: foundIndex, ...rest } = found;
  assert.deepEqual(rest, written);
  const known = (one: DocumentWrite['asset']): unknown => {
    const { sourceId: _, sourceUri, stored, ...facts } = one;
    const uri = 'file' in sourceUri ? sourceUri.file : sourceUri.kb;
    return { ...facts, uri, stored: stored.kind === 'copied' ? stored : stored.kind };
  };
  assert.deepEqual(known(foundAsset), known(asset));
  assert.equal(foundIndex.length, index.length);
  for (const [i, texts] of index.entries()) {
    const { text, heading, symbol, cjk, prefix } = foundIndex[i]!;
    assert.deepEqual([text, heading, symbol, cjk], [texts.text, texts.heading, texts.symbol, texts.cjk]);
    assert.equal(prefix ?? '', texts.prefix ?? '');
  }
}

function plain({
  payload,
  ...entry
}: Awaited<ReturnType<StoreArchive['derivations']>>[number]): Readonly<Record<string, unknown>> {
  return { ...entry, payload: [...payload] };
}
