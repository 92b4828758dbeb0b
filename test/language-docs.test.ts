import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { languagePage, packs } from '../scripts/language-table.ts';

describe('docs/languages.md', () => {
  it('matches the plugins (npm run docs generates it)', () => {
    expect(readFileSync(new URL('../docs/languages.md', import.meta.url), 'utf8')).toBe(languagePage());
  });

  it.each(packs.map(({ lang, documentation }) => [lang, documentation.examples] as const))(
    'lists symbols that the language pack of %s really produces',
    (lang, examples) => {
      const folder = new URL(`../plugins/code-${lang}/test/fixtures/`, import.meta.url);
      const lists = readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.units'))
        .flatMap((file) => readFileSync(new URL(file, folder), 'utf8').split('\n'));
      const made = new Set(lists.map((line) => line.slice(line.indexOf(' ') + 1)));
      expect(examples.filter((example) => !made.has(example))).toEqual([]);
    },
  );
});
