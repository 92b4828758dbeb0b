import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = path.join(root, 'docs', 'decisions');
const records = readdirSync(folder).toSorted();

/** The headings of a record, in their order; a record may have others below them. */
const HEADINGS = ['Context', 'Decision', 'Alternatives', 'Consequences', 'What would change our mind'];

/** More records than this are not read: decide which of them belong together, or which no longer bind any code. */
const MAX_RECORDS = 40;

/** Folders without sources of this repository. */
const LEFT_OUT = new Set(['.git', 'dist', 'node_modules']);
const TEXT = /\.(?:md|[cm]?[jt]s|ya?ml|jsonc?|sql)$/;

/** The text files of the repository, relative to its root. */
function textFiles(below = ''): readonly string[] {
  return readdirSync(path.join(root, below), { withFileTypes: true }).flatMap((entry) => {
    const file = path.posix.join(below, entry.name);
    if (entry.isDirectory()) return LEFT_OUT.has(entry.name) ? [] : textFiles(file);
    return TEXT.test(entry.name) ? [file] : [];
  });
}

/** The records that a file refers to, by the name of their file or by their number. */
function recordsNamedIn(file: string): readonly string[] {
  const text = readFileSync(path.join(root, file), 'utf8');
  const within = path.posix.dirname(file) === 'docs/decisions' ? [...text.matchAll(/\]\((\d{4}-[\w-]+\.md)/g)] : [];
  const named = text.matchAll(/decisions\/(\d{4}(?:-[\w-]+\.md)?)/g);
  const counted = text.matchAll(/\bdecision (\d{1,4})\b/g);
  return [
    ...[...within, ...named].map(([, name = '']) => name),
    ...[...counted].map(([, number = '']) => number.padStart(4, '0')),
  ];
}

describe('the decision records', () => {
  it(`are at most ${MAX_RECORDS}`, () => {
    expect(records.length).toBeLessThanOrEqual(MAX_RECORDS);
  });

  it.each(records)('%s is named by its number and its title, and has the headings of a record', (file) => {
    const text = readFileSync(path.join(folder, file), 'utf8');
    const [, number = '', title = ''] = /^# (\d+)\.? (.+)\n/.exec(text) ?? [];
    const words = title.toLowerCase().match(/[a-z0-9]+/g) ?? [];
    expect(file).toBe(`${number.padStart(4, '0')}-${words.join('-')}.md`);
    const headings = [...text.matchAll(/^## (.+)$/gm)].map(([, heading = '']) => heading);
    expect(headings.filter((heading) => HEADINGS.includes(heading))).toEqual(HEADINGS);
  });

  it('exist wherever they are referred to', () => {
    const exists = (name: string): boolean =>
      name.endsWith('.md') ? records.includes(name) : records.some((record) => record.startsWith(`${name}-`));
    const missing = textFiles().flatMap((file) =>
      recordsNamedIn(file).flatMap((name) => (exists(name) ? [] : [`${file}: ${name}`])),
    );
    expect(missing).toEqual([]);
  });
});
