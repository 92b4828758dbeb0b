import { declareSuite, lexicalIndexSuite, type OpenLexicalIndex } from '@kebab/testing';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { startFakeQdrant, type FakeQdrant } from '../fake-qdrant.ts';
import { openWords } from './open-words.ts';

let opened = 0;

const suiteOn = (url: () => string) =>
  lexicalIndexSuite({
    open: async (makeDocuments): Promise<OpenLexicalIndex> => {
      const words = await openWords(url(), `kebab_test_${process.pid}_${++opened}`);
      const { index } = words;
      await words.commit(makeDocuments((material) => index.analyseChunk(material)));
      await words.update();
      return {
        index,
        writeUncommitted: async (document, during) => {
          await words.commit([document], during);
          await words.update();
        },
        close: words.close,
      };
    },
  });

describe('words on the double', () => {
  let server: FakeQdrant;
  beforeAll(async () => {
    server = await startFakeQdrant();
  });
  afterAll(() => server.close());
  declareSuite(
    suiteOn(() => server.url),
    { describe, it },
  );
});

const realUrl = process.env['KEBAB_TEST_QDRANT_URL'];

describe.skipIf(realUrl === undefined)(
  'words on the server of KEBAB_TEST_QDRANT_URL (skipped when it is not set)',
  () => {
    declareSuite(
      suiteOn(() => realUrl ?? ''),
      { describe, it },
    );
  },
);
