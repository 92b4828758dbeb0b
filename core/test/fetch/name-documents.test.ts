import { describe, expect, it } from 'vitest';
import { nameDocuments } from '../../src/fetch/name-documents.ts';
import { openForTests } from '../kb/open-for-tests.ts';

describe('nameDocuments', () => {
  const open = openForTests();

  it.each([
    ['the old lady', ['boats/1931.md']],
    ['The Old Lady', ['boats/1931.md']],
    ['전진호', ['boats/1931.md']],
    ['old lady', []],
    ['1931', ['boats/1931.md']],
  ])('finds a document by its alias, whole and in any case: %s', async (typed, paths) => {
    const kb = await open();
    await kb.add('boats/1931.md', 'built of larch\n', { metadata: { aliases: ['the old lady', '전진호'] } });
    await kb.add('boats/other.md', 'the old lady is no alias of this\n');
    const { documents } = await nameDocuments(kb.ports, typed);
    expect(documents.map(({ uri }) => uri)).toEqual(paths);
  });

  it('prefers a file name to an alias', async () => {
    const kb = await open();
    await kb.add('a.md', 'words\n', { metadata: { aliases: ['dory'] } });
    await kb.add('dory.md', 'words\n');
    const { documents } = await nameDocuments(kb.ports, 'dory');
    expect(documents.map(({ uri }) => uri)).toEqual(['dory.md']);
  });
});
