import { searchableWrite } from '@kebab/testing';
import { describe, expect, it } from 'vitest';
import {
  agreementOf,
  documentsOf,
  judgedSets,
  queriesOf,
} from '../../../store-sqlite/test/lexical/judged-agreement.ts';
import { startFakeQdrant } from '../fake-qdrant.ts';
import { openWords } from './open-words.ts';

/** The double takes minutes for the larger sets. */
const isThorough = process.env['KEBAB_TEST_JUDGED_QUERIES'] !== undefined;

describe.skipIf(judgedSets.length === 0)('hits of words on Qdrant (skipped without the judged sets)', () => {
  it.each(judgedSets.filter((set) => isThorough || set === 'cranfield' || set === 'ko-autorag'))(
    'are those of the SQLite index for the queries of %s',
    async (set) => {
      const server = await startFakeQdrant();
      const words = await openWords(server.url);
      try {
        const { database, index } = words;
        await words.commit(
          documentsOf(set).map((one) => searchableWrite(one, (material) => index.analyseChunk(material))),
        );
        await words.update();
        const agreement = await agreementOf(index, database.index, queriesOf(set));
        const { first, topTen, order } = agreement;
        process.stdout.write(`${set}: first hit ${first}, top ten ${topTen}, in order ${order}
`);
        expect(agreement.first).toBeGreaterThanOrEqual(0.97);
        expect(agreement.topTen).toBeGreaterThanOrEqual(0.95);
      } finally {
        await words.close();
        await server.close();
      }
    },
    600_000,
  );
});
