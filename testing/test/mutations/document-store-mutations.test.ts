import { describe, it } from 'vitest';
import type { DocumentStore, DocumentTransaction } from '../../../core/src/contracts/document-store.ts';
import { documentStoreSuite } from '../../src/document-store-suite.ts';
import { changed } from '../../../core/test/changed.ts';
import { expectAllCaught } from './mutants.ts';
import { openStore } from '../../../core/test/kb/open-store.ts';

type Mutate = (sound: DocumentStore) => DocumentStore;

const reading =
  (change: (sound: DocumentStore) => Partial<DocumentStore>): Mutate =>
  (sound) =>
    changed(sound, change(sound));

/** A store whose transactions receive modified arguments. */
const writing = (change: (tx: DocumentTransaction) => Partial<DocumentTransaction>): Mutate =>
  reading((sound) => ({
    openWriter: async (options) => {
      const writer = await sound.openWriter(options);
      return changed(writer, {
        transaction: (run) => writer.transaction((tx) => run(changed(tx, change(tx)))),
      });
    },
  }));

describe('documentStoreSuite', () => {
  it('detects every mutation', { timeout: 120_000 }, async () => {
    await expectAllCaught<Mutate>(
      (mutate) =>
        documentStoreSuite({
          open: async () => {
            const { store: sound } = await openStore();
            return { store: mutate?.(sound) ?? sound, close: () => sound.close() };
          },
        }),
      {
        'forgets to delete': writing(() => ({ deleteDocument: () => {} })),
        'writes nothing': writing(() => ({ putDocument: () => {} })),
        'does not update an unchanged document': writing(() => ({ touchDocument: () => {} })),
        'does not increment the revision': reading(() => ({ corpusRevision: async () => 1 })),
        'truncates the text by a character': reading((sound) => ({
          readTexts: async (slices) => (await sound.readTexts(slices)).map((text) => text.slice(0, -1)),
        })),
        'loses the blocks': reading(() => ({ getBlocks: async () => new Map() })),
        'finds no chunk': reading(() => ({ getChunks: async () => [] })),
        'loads a ranking in another order': reading((sound) => ({
          getChunks: async (ids) => (await sound.getChunks(ids)).toReversed(),
        })),
        'returns passages in another order': reading((sound) => ({
          getPassages: async (ids) => (await sound.getPassages(ids)).toReversed(),
        })),
        'omits the symbol of a passage': reading((sound) => ({
          getPassages: async (ids) => (await sound.getPassages(ids)).map((passage) => ({ ...passage, symbol: null })),
        })),
        'lists one chunk too many': reading((sound) => ({
          listChunks: (id, from, to) => sound.listChunks(id, from, to === undefined ? undefined : to + 1),
        })),
        'ignores filters': reading((sound) => ({
          listDocuments: (_filters, page) => sound.listDocuments({}, page),
        })),
        'counts the page instead of everything': reading((sound) => ({
          listDocuments: async (filters, page) => {
            const found = await sound.listDocuments(filters, page);
            return { ...found, total: found.documents.length };
          },
        })),
        'repeats the document at a place': reading((sound) => ({
          documentsAfter: async (place, limit) => {
            const at = place === null ? null : await sound.findDocument(place.sourceId, place.workspacePath);
            const behind = (await sound.documentsAfter?.(place, limit)) ?? [];
            return [...(at === null ? [] : [at]), ...behind].slice(0, limit);
          },
        })),
        'finds documents of any source': reading((sound) => ({
          findDocument: async (_source, path) => (await sound.findByPath(path))[0] ?? null,
        })),
        'allows two writers': reading(() => ({
          openWriter: async (options) => (await openStore()).store.openWriter(options),
        })),
        'counts nothing': reading(() => ({ documentCount: async () => 0 })),
        'knows nothing': reading(() => ({ knownDocuments: async () => new Map() })),
        'commits half of what fails': reading((sound) => ({
          openWriter: async (options) => {
            const writer = await sound.openWriter(options);
            return changed(writer, {
              transaction: async (run) => {
                let thrown: unknown;
                await writer.transaction((tx) => {
                  try {
                    run(tx);
                  } catch (error) {
                    thrown = error;
                  }
                });
                if (thrown !== undefined) throw thrown as Error;
              },
            });
          },
        })),
      },
      (sound) => changed(sound, {}),
    );
  });
});
