import { analyseQuery, type MediaType } from '@kebab/core';
import { searchable, searchableWrite, type SearchableDocument } from '@kebab/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { rankingUnits } from '../../src/lexical/match-expressions.ts';
import { openLexicalDatabase, type LexicalDatabase } from './open-lexical-database.ts';

describe('function words of a query', () => {
  let database: LexicalDatabase;
  beforeEach(async () => {
    database = await openLexicalDatabase();
  });
  afterEach(() => database.close());

  const rest = Array.from({ length: 60 }, (_, i) => searchable(`rest/${i}`, `alpha${i} beta${i} gamma${i}`));

  /** Writes a template with function words, files with the words of the query, and many others, all with the same media type. */
  function commitTemplate(mediaType: MediaType): Promise<void> {
    const template = searchable('template', 'which whether when where other');
    const files = ['one', 'two', 'three'].map((path) => searchable(path, `snapshot revision ${path}`));
    return commit(mediaType, [template, ...files, ...rest]);
  }

  async function commit(mediaType: MediaType, documents: readonly SearchableDocument[]): Promise<void> {
    const writer = await database.store.openWriter({ waitMs: 0 });
    await writer.transaction((tx) => {
      for (const each of documents) {
        const write = searchableWrite(each, (material) => database.index.analyseChunk(material));
        tx.putDocument({ ...write, document: { ...write.document, mediaType } });
      }
    });
    await writer.close();
  }

  async function pathsFor(query: string): Promise<readonly string[]> {
    const hits = await database.index.search(analyseQuery(query), {}, 10);
    const passages = await database.store.getPassages(hits.map(({ chunkId }) => chunkId));
    const pathOf = new Map(passages.map(({ chunkId, workspacePath }) => [chunkId, workspacePath]));
    return hits.map(({ chunkId }) => pathOf.get(chunkId) ?? '');
  }

  it.each<MediaType>([{ kind: 'code', lang: 'typescript' }, { kind: 'markdown' }])(
    'rank a template of %j below what contains the other words',
    async (mediaType) => {
      await commitTemplate(mediaType);
      expect((await pathsFor('whether or when a snapshot')).indexOf('template')).toBe(3);
    },
  );

  it('do not outweigh the one word that a question is about, in headings of other questions', async () => {
    const questions = Array.from({ length: 25 }, (_, i) =>
      searchable(`faq/${i}`, `How do I turn delta${i}? What do I turn?`),
    );
    const long = Array.from({ length: 12 }, (_, i) => `detail${i}`).join(' ');
    await commit({ kind: 'markdown' }, [...questions, ...rest, searchable('log', `A vole in the lettuce. ${long}`)]);
    for (const query of ['how do I get a vole out', 'how do I stop the vole', 'do I keep it, the vole'])
      expect((await pathsFor(query))[0], query).toBe('log');
  });

  it('do not hide the subject of a question about prose when most documents are source code', async () => {
    await commit({ kind: 'code', lang: 'typescript' }, rest);
    const letters = Array.from({ length: 6 }, (_, i) =>
      searchable(`letter/${i}`, `who did what and how was it letter${i}`),
    );
    await commit({ kind: 'markdown' }, [...letters, searchable('boiler', 'boiler valve')]);
    expect((await pathsFor('who repaired the boiler and what did it cost'))[0]).toBe('boiler');
  });

  it('are not rare where few documents are in their language', async () => {
    const others = Array.from({ length: 300 }, (_, i) => searchable(`en/${i}`, `lorem${i} ipsum${i} dolor${i}`));
    const german = ['Wann verzollt Spedition', 'Wann meldet Werft'].map((text, i) => searchable(`de/${i}`, text));
    const bins = searchable('bins', 'Altpapier Tonne Hof Montag Biomüll Mittwoch Karton Freitag');
    await commit({ kind: 'markdown' }, [...others, ...german, bins]);
    expect((await pathsFor('wann kommt Tonne'))[0]).toBe('bins');
  });

  it('find source code if the query has no other words', async () => {
    await commitTemplate({ kind: 'code', lang: 'typescript' });
    expect(await pathsFor('which whether')).toEqual(['template']);
  });
});

describe('the units of function words', () => {
  const grammarOf = (query: string): readonly string[] =>
    rankingUnits(analyseQuery(query)).flatMap(({ expression, isGrammar }) => (isGrammar === true ? [expression] : []));

  it.each([
    ['whether the lock is held', ['"whether"', '"the"', '"is"']],
    ['wie lange ist die Schleuse zu', ['"wie"', '"lange"', '"ist"', '"die"', '"zu"']],
    ['où est la clé du phare', ['"ou"', '"est"', '"la"', '"du"']],
  ])('are marked in %j', (query, words) => {
    expect(grammarOf(query)).toEqual(words);
  });

  it('are not marked if the query has no other words', () => {
    expect(grammarOf('which is it')).toEqual([]);
  });
});
