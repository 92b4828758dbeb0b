import { declareSuite, extractDocument, extractorSuite } from '@kebab/testing';
import { describe, expect, it } from 'vitest';
import { decodeText, markdownExtractor, type MarkdownExtractorOptions } from '../src/index.ts';

const journal = () =>
  markdownExtractor({
    id: 'journal',
    extensions: ['.Journal'],
    toMarkdown: async (bytes) => (await decodeText(bytes)).text.replaceAll(/^@ (.*)$/gm, '# $1'),
  });
const slides = () =>
  markdownExtractor({
    id: 'slides',
    extensions: ['slides'],
    toMarkdown: async (bytes) => ({
      title: 'Talk',
      markdown: (await decodeText(bytes)).text
        .split('\n---\n')
        .map((markdown, at) => ({ at: { slide: at + 1 }, markdown })),
    }),
  });

declareSuite(
  extractorSuite({
    make: journal,
    text: 'derived',
    fixtures: [{ path: 'a.journal', content: '@ Monday\n\nRain.\n\n@ Tuesday\n\nSun.\n' }],
  }),
  { describe, it },
);

describe('markdownExtractor', () => {
  it('cites parts by their places', async () => {
    const { title, blocks } = await extractDocument(slides(), 'a.slides', 'one\n---\ntwo');
    expect(title).toBe('Talk');
    expect(blocks.map(({ sourceSpan }) => sourceSpan)).toEqual([
      { kind: 'anchor', anchor: 'slide=1' },
      { kind: 'anchor', anchor: 'slide=2' },
    ]);
  });

  it.each<[unknown, RegExp]>([
    [undefined, /^toMarkdown must return a string, \{ markdown \}/],
    [null, /^toMarkdown must return a string/],
    [5, /^toMarkdown must return a string/],
    [{ text: 'x' }, /^toMarkdown must return a string/],
    [{ markdown: [{ at: { entry: 1 }, markdown: 'x' }, { markdown: 7 }] }, /^part 1 of what toMarkdown returned/],
  ])('names what toMarkdown should have returned instead of %j', async (made, message) => {
    const extractor = markdownExtractor({ id: 'x', extensions: ['slides'], toMarkdown: () => made as string });
    await expect(extractDocument(extractor, 'a.slides', 'x')).rejects.toThrow(message);
  });

  it.each([
    [{ extensions: 'note' }, 'extensions of a markdownExtractor must be a list of texts'],
    [{ toMarkdown: '# x' }, 'toMarkdown of a markdownExtractor must be a function'],
  ])('rejects %j when it is created, before any file is read', (wrong, message) => {
    const options = { id: 'note', extensions: ['note'], toMarkdown: () => '', ...wrong };
    expect(() => markdownExtractor(options as unknown as MarkdownExtractorOptions)).toThrow(message);
  });

  it('rejects an extension that kebab reads as something else', () => {
    expect(() => markdownExtractor({ id: 'x', extensions: ['pdf'], toMarkdown: () => '' })).toThrow(/\.pdf/);
  });
});
