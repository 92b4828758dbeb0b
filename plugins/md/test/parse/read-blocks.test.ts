import { describe, expect, it } from 'vitest';
import { draftsOf } from './outline.ts';

describe('readBlocks', () => {
  it('gives content the path of the headings above it, and a heading the path without itself', () => {
    const text = '# A\n\na\n\n### B\n\nb\n\n## C\n\nc\n\n# D\n\nd\n';
    expect(draftsOf(text).map(({ kind, headingPath }) => [kind, headingPath.join(' / ')])).toEqual([
      ['heading', ''],
      ['paragraph', 'A'],
      ['heading', 'A'],
      ['paragraph', 'A / B'],
      ['heading', 'A'],
      ['paragraph', 'A / C'],
      ['heading', ''],
      ['paragraph', 'D'],
    ]);
  });

  it('starts no section at headings inside quotes and lists', () => {
    const drafts = draftsOf('# A\n\n> # Q\n\n- # L\n\na\n');
    expect(drafts.map(({ kind }) => kind)).toEqual(['heading', 'quote', 'list', 'paragraph']);
    expect(drafts.at(-1)?.headingPath).toEqual(['A']);
  });

  it('removes inline marks from headings, and omits headings without words from paths', () => {
    const drafts = draftsOf('# The `code` of *things* [here](x)\n\n##\n\na\n');
    expect(drafts[0]).toMatchObject({ level: 1, text: 'The code of things here' });
    expect(drafts[1]).toMatchObject({ level: 2, text: '' });
    expect(drafts[2]?.headingPath).toEqual(['The code of things here']);
  });

  it('resolves link references in headings with the definitions of the text', () => {
    expect(draftsOf('# See [the spec]\n\n[the spec]: http://x.y\n')[0]).toMatchObject({ text: 'See the spec' });
    expect(draftsOf('# See [the spec]\n')[0]).toMatchObject({ text: 'See [the spec]' });
  });

  it('truncates a heading of more than 1000 characters', () => {
    const [heading] = draftsOf(`# ${'word '.repeat(10_000)}\n`);
    expect(heading?.kind === 'heading' && heading.text.length).toBe(1000);
  });

  it('names the language of fenced code by the first word of its info string', () => {
    const langs = draftsOf('```rust,ignore x\na\n```\n\n~~~ C\\+\\+\nb\n~~~\n\n```\nc\n```\n\n    d\n').map(
      (draft) => draft.kind === 'code' && draft.lang,
    );
    expect(langs).toEqual(['rust,ignore', 'C++', null, null]);
  });

  it('recognises ordered lists, and returns the ranges of their items', () => {
    const text = '1. one\n2. two\n   - three\n';
    const [list] = draftsOf(text);
    expect(list).toMatchObject({ kind: 'list', ordered: true });
    if (list?.kind !== 'list') throw new Error('no list');
    expect(list.items.map(({ start, end }) => text.slice(start, end))).toEqual(['1. one', '2. two\n   - three']);
  });

  it('makes a lone image an imageref, and everything else without a kind of its own a paragraph', () => {
    const text = '![a](b.png)\n\n![a](b.png) c\n\n<p>html</p>\n\n***\n\n[x]: y\n\n[^1]: note\n';
    expect(draftsOf(text).map(({ kind }) => kind)).toEqual([
      'imageref',
      ...Array.from({ length: 5 }, () => 'paragraph'),
    ]);
    expect(draftsOf(text)[0]).toMatchObject({ src: 'b.png', alt: 'a', assetId: null, ocr: null, caption: null });
  });

  it('finds the destination of an image by reference', () => {
    const drafts = draftsOf('![The Map][m]\n\n![unknown][n]\n\n[m]: map.png "title"\n');
    expect(drafts.map(({ kind }) => kind)).toEqual(['imageref', 'paragraph', 'paragraph']);
    expect(drafts[0]).toMatchObject({ src: 'map.png', alt: 'The Map' });
  });

  it('makes no blocks of white space', () => {
    expect(draftsOf('\u00A0\n\na\n\n\u3000 \n').map(({ start, end }) => [start, end])).toEqual([[3, 4]]);
  });
});
