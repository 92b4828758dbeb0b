import { describe, expect, it } from 'vitest';
import { createMarkdownExtractor } from '../../src/md-extractor.ts';
import { boundInlineCost } from '../../src/parse/bound-inline-cost.ts';
import { inlineTags } from '../../src/parse/inline-tags.ts';
import { MarkdownTree } from '../../src/parse/markdown-tree.ts';

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
  ])('finds none in %s', (_, text) => expect(tagsOf(text)).toEqual([]));

  it('leaves the tags of front matter, text and blocks of a document as they are', async () => {
    const body = '# Plan\n\nbring #planning up\n';
    const extract = (text: string) =>
      createMarkdownExtractor().extract({ bytes: new TextEncoder().encode(text) } as never, {} as never);
    const tagged = await extract(`---\ntags: [work]\n---\n${body}`);
    expect(tagged.metadata).toEqual({ tags: ['work'], inlineTags: ['planning'] });
    expect((await extract('# Plan\n')).metadata).toEqual({});
    expect(tagged.text.endsWith(body)).toBe(true);
  });
});
