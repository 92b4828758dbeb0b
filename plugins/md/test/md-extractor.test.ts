import { extractFile } from '@kebab/testing';
import { describe, expect, it } from 'vitest';
import { createMarkdownExtractor, inlineTags } from '../src/md-extractor.ts';
import { boundInlineCost } from '../src/parse/bound-inline-cost.ts';
import { MarkdownTree } from '../src/parse/markdown-tree.ts';

const extract = (content: string | Uint8Array) => extractFile(createMarkdownExtractor(), 'a.md', content);

describe('the extractor md', () => {
  it.each([
    ['---\ntitle: Stated\n---\n# Heading\n', 'Stated'],
    ['## Second level\n\n# First level\n', 'First level'],
    ['### Third level\n\n## Second level\n', 'Third level'],
    ['---\ntitle:\n---\nSome *words*\nhere.\n', 'Some words here.'],
    [`***\n\n<img>\n\n${'long '.repeat(30)}\n`, 'long '.repeat(16).trim()],
    ['#\n\nWords\n', 'Words'],
    ['<div align="center">\n<img src="a.png">\n<h1>Loom press</h1>\n</div>\n\nFirst words.\n', 'Loom press'],
    ['---\ntags: [a]\n---\n<h1 align="center">\n\nLoom *press*\n\n</h1>\n', 'Loom press'],
    ['# Loom {#loom .unnumbered}\n', 'Loom'],
    ['# Loom {: .wide data-x="1" }\n', 'Loom'],
    ['# The set {x}\n', 'The set {x}'],
    ['<h3>Badges</h3>\n\n# Loom\n', 'Loom'],
  ])('finds the title of %j', async (text, title) => {
    expect((await extract(text)).title).toBe(title);
  });

  it('marks a title as derived unless front matter states it', async () => {
    expect(await extract('---\ntitle: Stated\n---\n# Heading\n')).not.toHaveProperty('titleIsDerived');
    expect(await extract('---\ntags: [a]\n---\n# Heading\n')).toMatchObject({ titleIsDerived: true });
  });

  it('returns no title if the text has no words', async () => {
    expect(await extract('***\n\n---\n')).not.toHaveProperty('title');
  });

  it('extracts thousands of footnotes on consecutive lines without losing any', async () => {
    const text = `# Above\n\n${'[ref]: /url\n[^1]: a footnote\n'.repeat(150_000)}\nneedle\n`;
    const { blocks } = await extract(text);
    expect(blocks.at(-1)).toMatchObject({ kind: 'paragraph' });
    expect(text.slice(blocks.at(-1)?.start)).toBe('needle\n');
    expect(blocks.some(({ start, end }) => text.slice(start, end).includes('a footnote'))).toBe(true);
  });

  it('returns a language only if front matter states one', async () => {
    expect((await extract('---\nlang: en-GB\n---\n')).lang).toBe('en');
    expect(await extract('# Title\n')).not.toHaveProperty('lang');
  });

  it('counts the lines of front matter, whatever the newline format', async () => {
    const { text, blocks } = await extract('---\r\na: b\r\n---\r\n\r\n# H\r\n');
    expect(blocks[0]).toMatchObject({ start: text.indexOf('# H'), sourceSpan: { kind: 'line', start: 5, end: 5 } });
  });

  it('reads a wrong line of front matter as written, with a warning', async () => {
    const { blocks, warnings, metadata } = await extract('---\na: [b\n---\nbody\n');
    expect(blocks).toHaveLength(1);
    expect(metadata).toEqual({ user: { a: '[b' } });
    expect(warnings).toMatchObject([{ kind: 'malformed_frontmatter', note: expect.stringContaining('line 2') }]);
  });

  it('keeps a line of front matter that states nothing, with its number', async () => {
    const { text, blocks, title } = await extract('---\ntitle: T\nstray words\n---\nbody\n');
    expect(title).toBe('T');
    expect(blocks.map(({ start, end, sourceSpan }) => [text.slice(start, end), sourceSpan])).toEqual([
      ['stray words', { kind: 'line', start: 3, end: 3 }],
      ['body', { kind: 'line', start: 5, end: 5 }],
    ]);
  });

  it('treats unclosed front matter as text', async () => {
    const { blocks, warnings } = await extract('---\na: b\n');
    expect(blocks.map(({ kind }) => kind)).toEqual(['paragraph', 'paragraph']);
    expect(warnings).toEqual([]);
  });

  it('warns about bytes that are not UTF-8', async () => {
    const { text, warnings } = await extract(Uint8Array.of(0x23, 0x20, 0xc3, 0x0a));
    expect(text).toBe('# Ã\n');
    expect(warnings).toMatchObject([{ kind: 'encoding_fallback' }]);
  });
});

const tagsOf = (text: string): readonly string[] => inlineTags(text, MarkdownTree.parse(boundInlineCost(text)));

describe('inlineTags', () => {
  it.each([
    ['a #todo and #work/backend.', ['todo', 'work/backend']],
    ['#first\n\n#second-one #first', ['first', 'second-one']],
    ['- [ ] #task\n- **bold** #strong', ['task', 'strong']],
    ['> #quoted\n\n| a |\n|---|\n| #cell |', ['quoted', 'cell']],
    ['## A heading #in-heading', ['in-heading']],
    ['#회의 #y2024 #2024/plan #🚀', ['회의', 'y2024', '2024/plan', '🚀']],
    ['#work/', ['work']],
  ])('finds the tags of %j', (text, tags) => expect(tagsOf(text)).toEqual(tags));

  it.each([
    ['a heading', '# Title\n## Part'],
    ['a number', 'fixes #123 and #1-2'],
    ['inline code', 'write `#tag` here'],
    ['a fenced block', '```\n#tag\n```'],
    ['an indented block', 'text\n\n    #tag'],
    ['a link', '[see #tag](a.md#tag) <https://a.example/#tag>'],
    ['HTML', '<p>\n#tag\n</p>'],
    ['the middle of a word', 'C# a#tag [[note#part]] (#anchor)'],
    ['an escaped sign', String.raw`\#tag`],
    ['a sign alone', '# # ## #'],
  ])('finds no tags in %s', (_, text) => expect(tagsOf(text)).toEqual([]));

  it('are returned separately from the tags in front matter, without changing the text', async () => {
    const body = '# Plan\n\nbring #planning up\n';
    const tagged = await extract(`---\ntags: [work]\n---\n${body}`);
    expect(tagged.metadata).toEqual({ tags: ['work'], inlineTags: ['planning'] });
    expect((await extract('# Plan\n')).metadata).toEqual({});
    expect(tagged.text.endsWith(body)).toBe(true);
  });
});
