import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const docs = fileURLToPath(new URL('../docs', import.meta.url));
const text = readFileSync(path.join(docs, 'security.md'), 'utf8');
/** The rows of all tables, without their heads. */
const rows = text
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| what '))
  .map((line) => line.slice(2, -2).split(' | '));

describe('docs/security.md', () => {
  it.each([
    'Untrusted documents',
    'An untrusted checkout',
    'A malicious plugin',
    'A hostile server',
    'A web page',
    'Other users',
  ])('has rows for: %s', (title) => {
    const [, section = ''] = text.split(`## ${title}`);
    expect(section.split('\n## ', 1)[0]?.match(/^\| (?!what )/gm)?.length ?? 0).toBeGreaterThanOrEqual(3);
  });

  it('proves every row by a test that is there and has tests in it', () => {
    expect(rows.length).toBeGreaterThan(25);
    for (const [attack = '', , proof = ''] of rows) {
      const files = [...proof.matchAll(/\]\(([^)]+)\)/g)].map(([, file = '']) => path.join(docs, file));
      expect([attack, files.length > 0]).toEqual([attack, true]);
      for (const file of files) {
        expect([file, existsSync(file)]).toEqual([file, true]);
        expect([file, /(?:\bit|\bit\.each|declareSuite|Suite)\b/.test(readFileSync(file, 'utf8'))]).toEqual([
          file,
          true,
        ]);
      }
    }
  });

  it('says what is not defended', () => {
    expect(text.split('## Not defended')[1]?.match(/^- /gm)?.length).toBeGreaterThan(4);
  });
});
