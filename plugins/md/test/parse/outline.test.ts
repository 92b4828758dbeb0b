import { describe, expect, it } from 'vitest';
import { draftsOf, outlineOf } from './outline.ts';

describe('the blocks of Markdown', () => {
  it.each([
    ['', []],
    [' \n\t\n', []],
    ['a\nb\n\nc', ['paragraph 1-2', 'paragraph 4-4']],
    ['# a\n## b ##\n#c\n####### d', ['heading 1-1 1', 'heading 2-2 2', 'paragraph 3-4']],
    ['a\nb\n===\nc\n---', ['heading 1-3 1', 'heading 4-5 2']],
    ['- a\n- b\n\n  c\n* d\n1. e\n2. f', ['list 1-4 2u', 'list 5-5 1u', 'list 6-7 2o']],
    ['- a\nlazy\n- ```\n  # b\n  ```\nc', ['list 1-5 2u', 'paragraph 6-6']],
    ['> a\nlazy\n\n> ```\nb', ['quote 1-2', 'quote 4-4', 'paragraph 5-5']],
    ['```js\n# a\n\n- b\n```\nc', ['code 1-5', 'paragraph 6-6']],
    ['~~~\n```\nunclosed\n\n', ['code 1-3']],
    ['    a\n\n    b\nc\n    d', ['code 1-3', 'paragraph 4-5']],
    ['a | b\n--|--\n1 | 2\n\nc', ['table 1-3', 'paragraph 5-5']],
    ['x\na | b\n--|--\n1 | 2\n# h', ['paragraph 1-1', 'table 2-4', 'heading 5-5 1']],
    ['a | b\n--|--|--', ['paragraph 1-2']],
    ['***\n- - -\n_ _ _', ['paragraph 1-1', 'paragraph 2-2', 'paragraph 3-3']],
    ['<div>\n# a\n\nb\n<!-- c\n\nd -->\ne', ['paragraph 1-2', 'paragraph 4-4', 'paragraph 5-7', 'paragraph 8-8']],
    ['[a]: b\n"title"\n[c]: d\ntext', ['paragraph 1-2', 'paragraph 3-3', 'paragraph 4-4']],
    ['[a]: b\ntext\n===', ['paragraph 1-1', 'heading 2-3 1']],
    ['[^1]: a\n\n    b\nc\n\nd', ['paragraph 1-4', 'paragraph 6-6']],
    ['a\n\u00A0\nb', ['paragraph 1-3']],
    ['a\n2. b\n1. c', ['paragraph 1-2', 'list 3-3 1o']],
  ])('of %j have the expected kinds and lines', (text, expected) => {
    expect(outlineOf(text)).toEqual(expected);
  });

  it('consist of whole lines, as do the items of lists', () => {
    const text = 'x\n\n  - one\n    more\n\n  - two  \n\nend';
    const [, list] = draftsOf(text);
    if (list?.kind !== 'list') throw new Error('no list');
    expect(text.slice(list.start, list.end)).toBe('  - one\n    more\n\n  - two  ');
    expect(list.items.map(({ start, end }) => text.slice(start, end))).toEqual(['  - one\n    more', '  - two  ']);
  });

  it('include lines that belong to no node of the parser', () => {
    const text = '[a]: b\n[c]: d\n\nend [a] [c]';
    expect(
      draftsOf(text)
        .map(({ start, end }) => text.slice(start, end))
        .join('|'),
    ).toContain('[a]: b');
    expect(draftsOf(text).at(-1)).toMatchObject({ kind: 'paragraph', sourceSpan: { start: 4, end: 4 } });
  });

  it('are read from thousands of nested levels without a crash', () => {
    expect(outlineOf(`${'> '.repeat(5000)}a\n\nb`).at(-1)).toBe('paragraph 3-3');
    expect(outlineOf(`${'- '.repeat(5000)}a\n${'\n'.repeat(1000)}b`).at(-1)).toBe('paragraph 1002-1002');
  });
});
