import { searchable } from '@kebab/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openLexicalDatabase, type LexicalDatabase } from './open-lexical-database.ts';

const WORDS = 'the end of the winter garden report and a boiler';

/** A hundred notes with every word of the names in their text, and a few that are called so. */
const documents = [
  ...Array.from({ length: 100 }, (_, i) => searchable(`notes/${i}.md`, `${WORDS}, page ${i}, 정원 일지`)),
  searchable('winter.md', 'Nothing is sown.', { title: 'The end of the winter' }),
  searchable('plans/winter-garden.md', 'Sowing plans.', { title: 'Plans' }),
  searchable('boiler.md', 'Bleed the valves.', { title: 'Boiler' }),
  searchable('kiln.md', 'Also called the zorbo.', { title: 'Kiln' }),
  searchable('person.md', 'Also called page, and winter boiler.', {
    title: 'Robin',
    metadata: { aliases: ['page', 'winter boiler'] },
  }),
  searchable('garden.md', '물을 준다.', { title: '온실 점검' }),
  searchable('code.rs', [{ text: 'pub fn report_boiler() {}', headingPath: [], symbol: 'report_boiler' }]),
];

let database: LexicalDatabase;
beforeAll(async () => {
  database = await openLexicalDatabase();
  await database.commit(documents);
});
afterAll(() => database.close());

async function namedBy(name: string, limit = 20): Promise<readonly string[]> {
  const { index } = database;
  const chunks = await index.named(index.analyseQuery(`"${name}"`).phrases, {}, limit);
  return chunks.map(({ workspacePath }) => workspacePath);
}

describe('names in the full-text index', () => {
  it.each([
    ['a title of frequent words and function words', 'The end of the winter', 'winter.md'],
    ['the name of a file', 'winter-garden', 'plans/winter-garden.md'],
    ['a single frequent word', 'boiler', 'boiler.md'],
    ['a rare word of a text, which may be an alias', 'zorbo', 'kiln.md'],
    ['an alias that a hundred texts mention', 'page', 'person.md'],
    ['an alias of frequent words', 'winter boiler', 'person.md'],
    ['a symbol', 'report_boiler', 'code.rs'],
    ['a title without spaces between words', '온실 점검', 'garden.md'],
  ])('are looked up by %s', async (_, name, path) => {
    expect(await namedBy(name)).toContain(path);
  });

  it.each([1, 20])('are found among at most %i', async (limit) => {
    expect(await namedBy('The end of the winter', limit)).toContain('winter.md');
  });

  it.each(['bench', 'BENCH'])(
    'are found where hundreds of symbols have a form of the name of the file: %s',
    async (name) => {
      const library = await openLexicalDatabase();
      const unit = (symbol: string, text: string) => ({ text, headingPath: [], symbol });
      const others = Array.from({ length: 60 }, (_, i) => unit(`benches.bench_${i}`, `def bench_${i}(): pass`));
      await library.commit([
        searchable('benches.py', others),
        searchable('tools/bench.py', [unit('tools.bench.main_of_all_programs', 'def main_of_all_programs(): pass')]),
        searchable('tools/workbench.py', [unit('tools.workbench.run', 'def run(): pass')]),
      ]);
      const { index } = library;
      const chunks = await index.named(index.analyseQuery(`"${name}"`).phrases, {}, 20);
      expect(chunks.map(({ workspacePath }) => workspacePath)).toContain('tools/bench.py');
      library.close();
    },
  );

  it('are found where every symbol of the project has its name', async () => {
    const library = await openLexicalDatabase();
    const unit = (symbol: string, text: string) => ({ text, headingPath: [], symbol });
    const others = Array.from({ length: 60 }, (_, i) => unit(`quarry.app.run_${i}`, `def run_${i}(): pass`));
    const own = unit('quarry.app.Quarry', `class Quarry: ${'pass '.repeat(200)}`);
    await library.commit([searchable('quarry/app.py', [...others, own])]);
    const { index } = library;
    const chunks = await index.named(index.analyseQuery('"Quarry"').phrases, {}, 20);
    expect(chunks.map(({ symbol }) => symbol)).toContain('quarry.app.Quarry');
    library.close();
  });

  it('are none where a word is unknown', async () => {
    expect(await namedBy('the winter xylophone')).toEqual([]);
  });
});
