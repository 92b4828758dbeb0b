import { describe, expect, it } from 'vitest';
import { analyseQuery } from '../../src/analysis/analyse-query.ts';
import { queryShape } from '../../src/search/query-shape.ts';

const identifiersOf = (text: string): readonly string[] => queryShape(analyseQuery(text)).identifiers;

describe('queryShape', () => {
  it('takes no word for a name that is longer than names are, and is done with it at once', () => {
    expect(identifiersOf('x'.repeat(1_000_000))).toEqual([]); // its square would be minutes
  });

  it.each([
    'parseHTTPUrl',
    'SearchDocuments',
    'read_text',
    'MAX_RETRIES',
    '$refs',
    'os.path.join',
    'Engine::open',
    'close()',
    '--dry-run',
    'src/app.ts',
    './config',
    'package.json',
    'a/b/c',
    'HTTPServer',
  ])('takes %s for a name from code', (text) => {
    expect(identifiersOf(text)).toEqual([text]);
  });

  it.each(['password', 'and/or', 'e.g.', 'What?', '3.5', 'state-of-the-art', 'AI', '서울', "don't", 'U.S.'])(
    'takes %s for a word',
    (text) => {
      expect(identifiersOf(text)).toEqual([]);
    },
  );

  it('finds names among words, without the marks around them', () => {
    expect(identifiersOf('where is (rankChunks) called?')).toEqual(['(rankChunks)']);
  });

  it('leaves exclusions and quote marks out', () => {
    expect(queryShape(analyseQuery('"salt water" fish -shark'))).toEqual({
      words: ['salt', 'water', 'fish'],
      identifiers: [],
    });
  });
});
