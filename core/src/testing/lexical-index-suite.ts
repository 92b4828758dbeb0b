import assert from 'node:assert/strict';
import type { DocumentWrite } from '../contracts/document-store.ts';
import type { ChunkId } from '../domain/ids.ts';
import type { ContractCase, ContractSuite } from './contract-suite.ts';
import type { Find, LexicalCase, LexicalFixture, MakeDocuments, OpenLexicalIndex } from './lexical-case.ts';
import { lexicalFindingCases } from './lexical-finding-cases.ts';
import { lexicalRankingCases } from './lexical-ranking-cases.ts';
import { searchableWrite } from './searchable-document.ts';

/** What {@link lexicalIndexSuite} needs. */
export interface LexicalIndexSuiteOptions {
  /** Opens an index over an empty knowledge base and commits the documents to it. */
  readonly open: (makeDocuments: MakeDocuments) => Promise<OpenLexicalIndex>;
}

/** The promises of a {@link LexicalIndex}: one analysis, what is found, filters before top-k, order, and no query that throws. */
export function lexicalIndexSuite({ open }: LexicalIndexSuiteOptions): ContractSuite {
  const toCase = ({ name, documents, check }: LexicalCase): ContractCase => ({
    name,
    run: async () => {
      const written: DocumentWrite[] = [];
      const opened = await open((analyseChunk) => {
        written.push(...documents.map((document) => searchableWrite(document, analyseChunk)));
        return written;
      });
      try {
        await check(fixtureOf(opened, written));
      } finally {
        await opened.close?.();
      }
    },
  });
  return { contract: 'LexicalIndex', cases: [...lexicalFindingCases(), ...lexicalRankingCases()].map(toCase) };
}

function fixtureOf({ index, writeUncommitted }: OpenLexicalIndex, written: readonly DocumentWrite[]): LexicalFixture {
  const places = new Map<ChunkId, string>();
  const record = ({ document, chunks }: DocumentWrite): void => {
    for (const { chunkId, ordinal } of chunks)
      places.set(chunkId, `${document.sourceId} ${document.workspacePath}#${ordinal}`);
  };
  written.forEach(record);
  const placeOf = (id: ChunkId): string => places.get(id) ?? `an unknown chunk ${id}`;
  return {
    index,
    placeOf,
    find: findIn(index, placeOf),
    ...(writeUncommitted !== undefined && {
      writeUncommitted: (document, during) => {
        const write = searchableWrite(document, (material) => index.analyseChunk(material));
        record(write);
        return writeUncommitted(write, during);
      },
    }),
  };
}

function findIn(index: LexicalFixture['index'], placeOf: LexicalFixture['placeOf']): Find {
  return async (query, { filters = {}, limit = 50 } = {}) => {
    const hits = await index.search(index.analyseQuery(query), filters, limit);
    assert.ok(hits.length <= limit, `${JSON.stringify(query)} gave ${hits.length} hits for limit ${limit}`);
    for (const [i, { score }] of hits.entries()) {
      assert.ok(Number.isFinite(score) && score >= 0, `score ${score} of hit ${i}`);
      assert.ok(i === 0 || score <= (hits[i - 1]?.score ?? 0), `hit ${i} scores more than the hit before it`);
    }
    assert.equal(new Set(hits.map(({ chunkId }) => chunkId)).size, hits.length, 'a chunk appears twice');
    return hits.map(({ chunkId }) => placeOf(chunkId).replace(/^\S+ /, ''));
  };
}
