import { describe, expect, it } from 'vitest';
import { pathsOf, readLinks } from '../../src/documents/read-links.ts';

function linksIn(text: string, workspacePath = 'notes/a.md') {
  return readLinks(text, { workspacePath, media: 'markdown' }).map(({ target, heading }) =>
    heading === null ? target : `${target}#${heading}`,
  );
}

describe('readLinks', () => {
  it.each([
    ['a wiki link with heading and label', 'see [[Boat House#Winter store|the shed]]', ['Boat House#Winter store']],
    ['an embedded note', '![[Boat House]]', ['Boat House']],
    ['a label in a table, whose bar is escaped', String.raw`| [[Boat House\|shed]] |`, ['Boat House']],
    ['a colon in a name', '[[Meeting: spring]]', ['Meeting: spring']],
    ['a Korean name', '[[회의 기록]]', ['회의 기록']],
    ['a Markdown link with a title', '[x](../plan.md "The plan")', ['../plan.md']],
    ['an encoded path', '[x](boat%20house.md#winter-store)', ['boat house.md#winter-store']],
    ['a path in angle brackets', '[x](<boat house.md>)', ['boat house.md']],
    ['parentheses in a path', '[x](tar_(file).md)', ['tar_(file).md']],
    ['a definition of a reference', '[x][1]\n\n[1]: oars.md\n[^1]: a note\n', ['oars.md']],
    ['an HTML link', '<a href="oars.md">x</a>', ['oars.md']],
  ])('reads %s', (_, text, expected) => {
    expect(linksIn(text)).toEqual(expected);
  });

  it.each([
    [
      'other systems',
      '[x](https://example.org/a.md) <https://example.org> [m](mailto:a@example.org) [y](//example.org)',
    ],
    ['the same document', '[x](#winter) [[#winter]]'],
    ['code', '`[[Boat]]`\n\n```\n[[Boat]]\n```\n'],
    ['comments', '<!-- [[Boat]] -->'],
    ['tasks and indexes', '- [ ] row[0] (fast)'],
  ])('leaves out %s', (_, text) => {
    expect(linksIn(text)).toEqual([]);
  });

  it.each([
    ['a.rst', ':doc:`oars` :doc:`the boat <../boat>` `mast <mast.html>`_', ['oars', '../boat', 'mast.html']],
    ['a.adoc', 'xref:oars.adoc#care[Oars] link:boat.adoc[]', ['oars.adoc#care', 'boat.adoc']],
    ['a.org', '[[file:oars.org::*Care][Oars]] [[id:123][x]]', ['oars.org#Care']],
  ])('reads the links of %s', (path, text, expected) => {
    expect(linksIn(text, path)).toEqual(expected);
  });

  it('reads no links from source code', () => {
    expect(readLinks('a[[0]](b.md)', { workspacePath: 'a.ts', media: 'code' })).toEqual([]);
  });
});

describe('pathsOf', () => {
  const first = (target: string, from: string) => pathsOf({ target, heading: null, isName: false, start: 0 }, from)[0];

  it('resolves a path in the folder of its document, and one with a leading slash in the source', () => {
    expect(first('../b.md', 'x/y/a.md')).toBe('x/b.md');
    expect(first('/b.md', 'x/y/a.md')).toBe('b.md');
  });

  it('also tries the endings of texts, and the document of a folder', () => {
    const paths = pathsOf({ target: 'guide', heading: null, isName: false, start: 0 }, 'a.md');
    expect(paths).toEqual(expect.arrayContaining(['guide', 'guide.md', 'guide/index.md', 'guide/README.md']));
  });

  it('never leads out of the source', () => {
    const paths = pathsOf({ target: '../../b.md', heading: null, isName: false, start: 0 }, 'x/a.md');
    expect(paths.every((path) => !path.startsWith('..'))).toBe(true);
  });
});
