import { describe, expect, it } from 'vitest';
import { nameDocuments } from '../../src/fetch/name-documents.ts';
import { openForTests } from '../kb/open-for-tests.ts';

describe('a name instead of a path', () => {
  const open = openForTests();

  it.each([
    ['cabin', ['trips/Cabin.md']],
    ['CABIN.MD', ['trips/Cabin.md']],
    ['marta', ['people/m.md']],
    ['Marta Example', ['people/m.md']],
    ['budget', ['2025-budget.csv', '2026-budget.csv']],
    ['q[1]', ['tables/Q[1].md']],
    ['straße', ['Straße.md']],
    ['c# tips', ['C# tips.md']],
    ['2026', ['2026-budget.csv']],
    ['20', []],
    ['-', []],
    ['no such thing', []],
  ])('names the documents that are called %j', async (typed, expected) => {
    const kb = await open();
    await kb.add('trips/Cabin.md', '# A house\n\nWood.\n');
    await kb.add('people/m.md', '# Marta Example\n\nCalls.\n', { title: 'Marta Example' });
    await kb.add('2025-budget.csv', 'a,b\n');
    await kb.add('2026-budget.csv', 'a,b,c\n');
    await kb.add('tables/Q[1].md', 'first quarter\n');
    await kb.add('Straße.md', 'a road\n');
    await kb.add('C# tips.md', 'readonly struct\n');
    const { documents } = await nameDocuments(kb.ports, typed);
    expect(documents.map(({ uri }) => uri.replace('%23', '#'))).toEqual(expected);
  });

  it('refuses a wrong place in a document, which is no name', async () => {
    const kb = await open();
    await expect(nameDocuments(kb.ports, 'a.md#L0')).rejects.toMatchObject({ code: 'invalid_input' });
  });
});
