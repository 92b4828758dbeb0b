import type { ExtractedDocument } from '@kebab/core';
import { assetFrom, silentCallContext } from '@kebab/core/testing';
import { describe, expect, it } from 'vitest';
import { createMarkdownExtractor } from '../src/md-extractor.ts';

function extract(text: string): Promise<ExtractedDocument> {
  const bytes = new TextEncoder().encode(text);
  return createMarkdownExtractor().extract({ asset: assetFrom('a.md', bytes), bytes }, silentCallContext());
}

describe('the extractor md', () => {
  it.each([
    ['---\ntitle: Stated\n---\n# Heading\n', 'Stated'],
    ['## Second level\n\n# First level\n', 'First level'],
    ['### Third level\n\n## Second level\n', 'Third level'],
    ['---\ntitle:\n---\nSome *words*\nhere.\n', 'Some words here.'],
    [`***\n\n<img>\n\n${'long '.repeat(30)}\n`, 'long '.repeat(16).trim()],
    ['#\n\nWords\n', 'Words'],
  ])('finds the title of %j', async (text, title) => {
    expect((await extract(text)).title).toBe(title);
  });

  it('says whether a title is stated, or made of the text', async () => {
    expect(await extract('---\ntitle: Stated\n---\n# Heading\n')).not.toHaveProperty('titleIsDerived');
    expect(await extract('---\ntags: [a]\n---\n# Heading\n')).toMatchObject({ titleIsDerived: true });
  });

  it('leaves the title to the host when the text has no words', async () => {
    expect(await extract('***\n\n---\n')).not.toHaveProperty('title');
  });

  it('reads thousands of footnotes that stand line by line, and loses none', async () => {
    const text = `# Above\n\n${'[ref]: /url\n[^1]: a footnote\n'.repeat(150_000)}\nneedle\n`;
    const { blocks } = await extract(text);
    expect(blocks.at(-1)).toMatchObject({ kind: 'paragraph' });
    expect(text.slice(blocks.at(-1)?.start)).toBe('needle\n');
    expect(blocks.some(({ start, end }) => text.slice(start, end).includes('a footnote'))).toBe(true);
  });

  it('states a language only when front matter does', async () => {
    expect((await extract('---\nlang: en-GB\n---\n')).lang).toBe('en');
    expect(await extract('# Title\n')).not.toHaveProperty('lang');
  });

  it('counts the lines of front matter, whatever the newlines', async () => {
    const { text, blocks } = await extract('---\r\na: b\r\n---\r\n\r\n# H\r\n');
    expect(blocks[0]).toMatchObject({ start: text.indexOf('# H'), sourceSpan: { kind: 'line', start: 5, end: 5 } });
  });

  it('does not take broken front matter for body, and says what is wrong', async () => {
    const { blocks, warnings, metadata } = await extract('---\na: [b\n---\nbody\n');
    expect(blocks).toHaveLength(1);
    expect(metadata).toEqual({});
    expect(warnings).toMatchObject([{ kind: 'malformed_frontmatter' }]);
  });

  it('takes unclosed front matter for body', async () => {
    const { blocks, warnings } = await extract('---\na: b\n');
    expect(blocks.map(({ kind }) => kind)).toEqual(['paragraph', 'paragraph']);
    expect(warnings).toEqual([]);
  });

  it('warns of bytes that are not UTF-8', async () => {
    const bytes = Uint8Array.of(0x23, 0x20, 0xc7, 0xd1, 0x0a);
    const asset = assetFrom('a.md', bytes);
    const { text, warnings } = await createMarkdownExtractor().extract({ asset, bytes }, silentCallContext());
    expect(text).toBe('# \uFFFD\uFFFD\n');
    expect(warnings).toMatchObject([{ kind: 'encoding_fallback' }]);
  });
});
