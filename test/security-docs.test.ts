import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { AREAS } from './hostile/areas.ts';

const docs = fileURLToPath(new URL('../docs', import.meta.url));
const text = readFileSync(path.join(docs, 'security.md'), 'utf8');
/** The rows of all tables, without their heads. */
const rows = text
  .split('\n')
  .filter((line) => /^\| (?!attack |event )/.test(line))
  .map((line) => line.slice(2, -2).split(' | '));

/** The name of a test or of a hostile input, and its file. */
const PROOF = /\[((?:[^[\]]|\[[^\]]*\])+)\]\((\.\.\/[^)]+\.ts)\)/g;

describe('docs/security-tests.md', () => {
  const guarantees = readFileSync(path.join(docs, 'security-tests.md'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| guarantee '))
    .map((line) => line.slice(2, -2).split(' | '));

  it('names an existing test or input for every guarantee', () => {
    expect(guarantees.length).toBeGreaterThan(50);
    for (const [guarantee = '', proofs = ''] of guarantees) {
      const named = [...proofs.matchAll(PROOF)];
      expect([guarantee, named.length > 0]).toEqual([guarantee, true]);
      expect([guarantee, proofs.replaceAll(PROOF, '').replaceAll(', ', '')]).toEqual([guarantee, '']);
      for (const [, title = '', file = ''] of named) {
        const source = readFileSync(path.join(docs, file), 'utf8');
        expect([file, title, source.includes(title)]).toEqual([file, title, true]);
      }
    }
  });

  it('has a row for every kind of fault that is replayed', () => {
    const told = guarantees.flat().join('\n');
    const missing = AREAS.filter(({ name }) => name.startsWith('faults:') && !told.includes(`[${name}]`));
    expect(missing.map(({ name }) => name)).toEqual([]);
  });
});

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
    expect(section.split('\n## ', 1)[0]?.match(/^\| (?!attack )/gm)?.length ?? 0).toBeGreaterThanOrEqual(3);
  });

  it('proves every row with an existing file that contains tests', () => {
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

  it('says what is out of scope', () => {
    expect(text.split('## Not defended')[1]?.match(/^- /gm)?.length).toBeGreaterThan(4);
  });
});
