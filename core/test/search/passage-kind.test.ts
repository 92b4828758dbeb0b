import { describe, expect, it } from 'vitest';
import { passageKind, type PassageKind } from '../../src/search/passage-kind.ts';

const kindOf = (text: string, headingPath: readonly string[] = [], isCode = false): PassageKind =>
  passageKind({ text, headingPath, isCode, workspacePath: 'notes/pumps.md' });

describe('passageKind', () => {
  it.each([
    ['a list of Markdown links', '## More\n\n- [Pumps](pumps.md)\n- [Valves of brass](valves.md)'],
    ['wiki links', '- [[Pumps]]\n- [[valves|Valves of brass]]'],
    [
      'links with a line before them',
      'For the details:\n\n[Casting in sand](sand.md)\\\n[Casting in wax and clay](wax.md)',
    ],
    [
      'a table of contents in reStructuredText',
      'Contents\n========\n\n.. toctree::\n   :maxdepth: 2\n\n   pumps\n   valves',
    ],
    ['roles of reStructuredText', '* :doc:`pumps`\n* :ref:`Valves of brass <valves>`'],
    ['an include', '.. include:: ../CHANGES.rst'],
    ['an include of AsciiDoc', 'include::pumps.adoc[]'],
    ['links of HTML', '<ul><li><a href="a">Pumps of iron</a></li><li><a href="b">Valves</a></li></ul>'],
    ['links of Org', '- [[file:pumps.org][Pumps of iron]]\n- [[file:valves.org][Valves]]'],
    ['addresses', 'https://example.org/pumps\nhttps://example.org/valves'],
  ])('recognises %s', (_, text) => {
    expect(kindOf(text)).toBe('links');
  });

  it.each([
    ['See also', 'The pumps:\n\n[Pumps](pumps.md) move water through the house'],
    ['Siehe auch', '- [Pumpen](pumpen.md): bewegen Wasser'],
    ['관련 문서', '- [펌프](pump.md) 물을 옮긴다'],
  ])('recognises links with remarks below the heading "%s"', (heading, text) => {
    expect(kindOf(text, ['Water', heading])).toBe('links');
  });

  const REMARK =
    'moves the water of the well into the tank below the roof, and is primed with a cup of water before each start.';
  const listOf = (link: (name: string) => string): string =>
    ['pumps', 'valves', 'tanks'].map((name) => `- ${link(name)}: ${REMARK}`).join('\n');
  it.each([
    ['Markdown', `# Manual\n\nIn the order of the alphabet.\n\n${listOf((name) => `[The ${name}](./${name}.md)`)}`],
    ['bold links', listOf((name) => `**[The ${name}](../${name}.md)**`)],
    ['roles of reStructuredText', listOf((name) => `:doc:\`${name}\``)],
    ['several lines', listOf((name) => `[The ${name}](${name}.md)\n  in the house`)],
    ['anchors', listOf((name) => `[The ${name}](#${name})`)],
  ])('recognises an index of pages with long remarks, of %s', (_, text) => {
    expect(kindOf(text, ['Manual'])).toBe('links');
  });

  it.each([
    ['sites elsewhere', listOf((name) => `[The ${name}](https://example.org/${name})`)],
    ['notes beside wiki links', listOf((name) => `[[${name}]]`)],
    ['items that only have links in them', listOf((name) => `each of the [${name}](${name}.md)`)],
    ['tasks', listOf(() => `[ ]`)],
    ['two pages', listOf((name) => `[${name}](${name}.md)`).replace(/.*\n/, '')],
    ['a text with a list of pages', `${REMARK} ${REMARK}\n\n${listOf((name) => `[${name}](${name}.md)`)}`],
  ])('takes %s for content', (_, text) => {
    expect(kindOf(text, ['Manual'])).toBe('content');
  });

  it.each(['index.md', 'plants/Home.md', 'Plants MOC.md'])('recognises an index of wiki links in %s', (path) => {
    const text = listOf((name) => `[[${name}]]`);
    expect(passageKind({ text, headingPath: ['Manual'], isCode: false, workspacePath: path })).toBe('links');
  });

  const TITLES = '12.1. Pumps\n\n12.1.1. Pumps of iron?\n\n12.2. Valves\n\nTanks of brass.';
  it.each([
    ['below a line that announces them', `Chapter 12. Water\n\nTable of Contents\n\n${TITLES}`, ['Water']],
    ['below a heading', TITLES, ['Wasser', 'Inhaltsverzeichnis']],
    ['in an index', 'P\n\npump, Pumps of iron, The House\n\npressure, Tanks\n\npurge, Pumps', ['Index', 'P']],
  ])('recognises titles without links %s', (_, text, headings) => {
    expect(kindOf(text, headings)).toBe('links');
    expect(kindOf(text, ['Water'].concat(headings.slice(2)))).toBe(text.includes('Table of') ? 'links' : 'content');
    expect(kindOf(`${text}\n\n${REMARK}`, headings)).toBe('content');
  });

  it('does not take a text with links in it for a list of links', () => {
    const text =
      'A pump moves water. Prime it with a cup of [water](water.md) before each start in the morning, then open the [valve](valve.md) by a quarter and wait until the needle stands still.';
    expect(kindOf(text, ['Pumps'])).toBe('content');
    expect(kindOf(text, ['Pumps', 'See also'])).toBe('content');
  });

  it('recognises a passage that only repeats its headings', () => {
    expect(kindOf('# Pumps of iron', ['Pumps of iron'])).toBe('title');
    expect(kindOf('Pumps of iron\n=============\n', ['Pumps of iron'])).toBe('title');
    expect(kindOf('# Pumps\n\nThey rust.', ['Pumps'])).toBe('content');
  });

  it('recognises licence headers, but no text about a licence', () => {
    const header = '// Copyright 2020 The authors. All rights reserved.\n// SPDX-License-Identifier: BSD-3-Clause';
    expect(kindOf(header, [], true)).toBe('notice');
    expect(
      kindOf(`${'A fork may keep the name of its origin where both agree. '.repeat(20)} All rights reserved.`),
    ).toBe('content');
  });

  it('takes a picture without text for content, since its name is all it has', () => {
    expect(kindOf('')).toBe('content');
  });
});

describe('notes of a release', () => {
  const NOTE = 'The pump stops when the tank is full, and a valve of brass is opened by hand.';
  const kindIn = (workspacePath: string, ...headingPath: string[]): PassageKind =>
    passageKind({ text: NOTE, headingPath, isCode: false, workspacePath });

  it.each([
    'CHANGELOG.md',
    'docs/changes.rst',
    'Release Notes.html',
    'whats_new_3_0.rst',
    "manual/What's New in 4.adoc",
  ])('are in %s', (path) => {
    expect(kindIn(path, 'Valves')).toBe('changes');
  });

  it.each([
    'Version 1.0',
    '[2.1.3] - 2024-05-01',
    'v0.9.1 (unreleased)',
    '1.26.2',
    'Kettle 3.0.0 (2023-02-02)',
    '0.8.2 [yanked]',
  ])('are below the heading "%s"', (heading) => {
    expect(kindIn('docs/news.html', heading, 'Valves')).toBe('changes');
  });

  it.each([
    '2.1 Pumps',
    '3.4.1 The valve',
    'Python 3.11',
    'Room 2.14',
    '2024',
    'A pump of version 1.0 in the cellar',
    '10.5 litres a day',
  ])('are not below the heading "%s"', (heading) => {
    expect(kindIn('docs/exchanges.md', heading)).toBe('content');
  });
});
