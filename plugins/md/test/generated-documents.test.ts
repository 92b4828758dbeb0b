import { extractDocument } from '@kebab/testing';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMarkdownExtractor } from '../src/md-extractor.ts';

const SYLLABLES = ['bri', 'dow', 'kel', 'mar', 'öst', 'ника', '돛', '港', 'tay', 'quu'];
const word = fc
  .tuple(fc.constantFrom(...SYLLABLES), fc.constantFrom(...SYLLABLES), fc.nat(9999))
  .map(([one, two, number]) => `${one}${two}${number}`);
const words = fc.array(word, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(' '));

/** Pieces of Markdown, each of which a reader sees as one block or as several, with blank lines between pieces. */
const piece = fc.oneof(
  fc.tuple(fc.integer({ min: 1, max: 6 }), words).map(([level, text]) => `${'#'.repeat(level)} ${text}`),
  words.map((text) => `${text}\n===`),
  fc.array(words, { minLength: 1, maxLength: 4 }).map((lines) => lines.join('\n')),
  fc.array(words, { minLength: 1, maxLength: 4 }).map((items) => items.map((item) => `- ${item}`).join('\n')),
  fc
    .array(words, { minLength: 1, maxLength: 4 })
    .map((items) => items.map((item, at) => `${at + 7}. ${item}\n\n    ${item}`).join('\n')),
  fc.array(words, { minLength: 1, maxLength: 3 }).map((lines) => lines.map((line) => `> ${line}`).join('\n')),
  fc.tuple(words, words).map(([head, cell]) => `| ${head} | b |\n|---|---|\n| ${cell} | *x* |`),
  fc
    .tuple(fc.constantFrom('```', '~~~~'), words)
    .map(([fence, code]) => `${fence}js\n# ${code}\n\n  ${code}\n${fence}`),
  words.map((code) => `    ${code}`),
  words.map((text) => `<div class="note">\n${text}\n</div>`),
  words.map((text) => `<h2>${text}</h2>`),
  words.map((text) => `---\n${text}: ${text}\n---`),
  words.map((text) => `[${text}](https://example.org "title") **bold** \`code\` ![picture](a.png)`),
  words.map((text) => `[^1]: ${text}`),
  fc.constantFrom('---', '***', '<!-- note -->'),
);
const markdown = fc
  .tuple(fc.array(piece, { minLength: 1, maxLength: 12 }), fc.constantFrom('\n\n', '\n\n\n'), fc.constantFrom('', '\n'))
  .map(([pieces, between, end]) => ['First words', ...pieces].join(between) + end); // no front matter

/** Lines of which a reader sees no word: rules, fences, delimiters of tables and the underlines of headings. */
const NO_WORDS = /^[\s\p{P}\p{S}]*(?:js)?$/u;

describe('Markdown of any structure', () => {
  it('has each word in a block, on the lines that the block names', async () => {
    await fc.assert(
      fc.asyncProperty(markdown, async (source) => {
        const { text, blocks } = await extractDocument(createMarkdownExtractor(), 'a.md', source);
        expect(text).toBe(source);
        const covered = new Set<number>();
        for (const { start, end, sourceSpan } of blocks) {
          const [first, last] = [start, Math.max(start, end - 1)].map((at) => text.slice(0, at).split('\n').length);
          expect(sourceSpan).toMatchObject({ kind: 'line', start: first, end: last });
          for (let line = first ?? 0; line <= (last ?? 0); line++) covered.add(line);
        }
        const missing = source.split('\n').filter((line, at) => !NO_WORDS.test(line) && !covered.has(at + 1));
        expect(missing).toEqual([]);
      }),
      { numRuns: Number(process.env['RUNS'] ?? 300), seed: 40 },
    );
  }, 600_000);
});
