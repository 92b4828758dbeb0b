import { declareSuite, extractDocument, extractorSuite } from '@kebab/testing';
import { describe, expect, it } from 'vitest';
import { createTextExtractor } from '../../src/text-extractors.ts';

const LOOM = [
  '==========',
  'Loom guide',
  '==========',
  '',
  '.. contents::',
  '',
  'Warp threads run lengthwise.',
  '',
  'The ``warp`` beam',
  '-----------------',
  '',
  'Wind it tightly::',
  '',
  '    loom.wind()',
  '',
  '    Title',
  '    =====',
  '',
  '.. py:function:: wind(beam, turns=3)',
  '',
  '   Winds the threads.',
  '',
  'Knots',
  '~~~~~',
  '',
  'Tie them twice.',
  '',
  'Weft',
  '----',
  '',
  '----',
  '',
  'After a transition.',
].join('\n');

const FERRY = [
  '= Ferry handbook',
  ':toc: left',
  ':author: A crew',
  '',
  'Preamble of the book.',
  '',
  '== Before *departure*',
  '',
  '[source,bash]',
  '----',
  '== not a heading',
  '----',
  '',
  '=== Ropes ===',
  '',
  'Coil them.',
  '',
  '== Return',
  'include::return.adoc[]',
  '',
].join('\n');

const MANUAL = [
  'oar-fit(1)',
  '==========',
  '',
  'NAME',
  '----',
  'oar-fit - fits an oar',
  '',
  'OPTIONS',
  '-------',
  '--length::',
  '\tHow long it is.',
].join('\n');

const GARDEN = [
  '#+TITLE: Garden year',
  '#+FILETAGS: :garden:',
  '',
  'Some words first.',
  '',
  '* TODO [#A] Spring sowing [1/3]   :seed:work:',
  ':PROPERTIES:',
  ':ID: 7',
  ':END:',
  'Sow the peas.',
  '** Beans',
  '#+BEGIN_SRC sh',
  '* not a heading',
  '#+END_SRC',
  '* Autumn [[file:leaves.org][leaves]]',
  'Rake.',
].join('\n');

const PAPER = [
  '\\documentclass{article}',
  '\\title{On \\emph{Tides} \\& Moons\\thanks{A club.}}',
  '\\begin{document}',
  '\\section{Introduction}\\label{sec:intro}',
  'Tides rise.',
  '\\begin{verbatim}',
  '\\section{Not one}',
  '\\end{verbatim}',
  '\\subsection*{A long',
  '  title}',
  'More words.',
  '% \\section{Left out}',
  '\\section[Short]{The {\\bf Moon}}',
  'It pulls.',
].join('\n');

async function sections(path: string, content: string) {
  const { title, blocks } = await extractDocument(createTextExtractor(), path, content);
  const headings = blocks.flatMap((block) =>
    block.kind === 'heading' && block.sourceSpan.kind === 'line'
      ? [`${block.sourceSpan.start} ${'#'.repeat(block.level)} ${[...block.headingPath, block.text].join(' > ')}`]
      : [],
  );
  return { title, headings };
}

describe('the headings of other markups', () => {
  it.each([
    [
      'loom.rst',
      LOOM,
      'Loom guide',
      [
        '1 # Loom guide',
        '9 ## Loom guide > The warp beam',
        '19 ### Loom guide > The warp beam > wind(beam, turns=3)',
        '23 ### Loom guide > The warp beam > Knots',
        '28 ## Loom guide > Weft',
      ],
    ],
    [
      'ferry.adoc',
      FERRY,
      'Ferry handbook',
      [
        '1 # Ferry handbook',
        '7 ## Ferry handbook > Before departure',
        '14 ### Ferry handbook > Before departure > Ropes',
        '18 ## Ferry handbook > Return',
      ],
    ],
    ['oar-fit.txt', MANUAL, 'oar-fit(1)', ['1 # oar-fit(1)', '4 ## oar-fit(1) > NAME', '8 ## oar-fit(1) > OPTIONS']],
    ['plain.txt', MANUAL.replace('::', ':'), 'plain', []],
    [
      'garden.org',
      GARDEN,
      'Garden year',
      [
        '1 # Garden year',
        '6 ## Garden year > Spring sowing',
        '11 ### Garden year > Spring sowing > Beans',
        '15 ## Garden year > Autumn leaves',
      ],
    ],
    ['paper.tex', PAPER, 'On Tides & Moons', ['4 # Introduction', '9 ## Introduction > A long title', '13 # The Moon']],
  ])('become sections with levels in %s', async (path, content, title, headings) => {
    expect(await sections(path, content)).toEqual({ title, headings });
  });

  it.each([
    [
      'underlines of other lengths',
      'a.rst',
      '가마 온도\n==============\n\n재\n\nGlazes\n======\n\nx\n',
      ['1 # 가마 온도', '6 # Glazes'],
    ],
    [
      'overlines and underlines as styles of their own',
      'a.rst',
      '#####\nBooks\n#####\n\n****\nOne\n****\n\nA word\n#\n',
      ['1 # Books', '5 ## Books > One'],
    ],
    [
      'titles in the older form',
      'a.asciidoc',
      'Harbour\n=======\n\nQuays\n-----\n\nTwo of them.\n',
      ['1 # Harbour', '4 ## Harbour > Quays'],
    ],
    ['signs of Markdown', 'a.adoc', '# Harbour\n\n## Quays\n\nTwo.\n', ['1 # Harbour', '3 ## Harbour > Quays']],
    ['a file without a title', 'a.org', '* One\na\n*** Deep\nb\n* *Two*\n', ['1 # One', '3 ### One > Deep', '5 # Two']],
    [
      'chapters as the outermost level',
      'a.tex',
      '\\chapter{Wind}\n\\section{Sails}\nx\n',
      ['1 # Wind', '2 ## Wind > Sails'],
    ],
    [
      'slides of a talk without sections',
      'a.tex',
      '% made by a tool\n\\title{Tides}\n\\begin{frame}[fragile]{Springs}\nx\n\\end{frame}\n\\begin{frame}<1->\n\\frametitle<1>{Neaps}\ny\n\\end{frame}\n',
      ['3 # Springs', '7 # Neaps'],
    ],
    [
      'slides below sections',
      'a.tex',
      '\\section{Moon}\n\\begin{frame}{Springs}{High}\nx\n\\end{frame}\n\\subsection{Sun}\n\\begin{frame}\n\\frametitle{Neaps}\n',
      ['1 # Moon', '2 #### Moon > Springs', '5 ## Moon > Sun', '7 #### Moon > Sun > Neaps'],
    ],
    [
      'roles and links',
      'a.rst',
      'The :class:`~loom.Beam` and `Docs <https://example.org>`_\n=============================\n\nx\n',
      ['1 # The ~loom.Beam and Docs'],
    ],
    [
      'settings',
      'a.rst',
      'Settings\n========\n\n.. confval:: harbour_depth\n\n   In metres.\n\n.. envvar:: QUAY\n\n   A name.\n',
      ['1 # Settings', '4 ## Settings > harbour_depth', '8 ## Settings > QUAY'],
    ],
    [
      'labels and names above a title',
      'a.rst',
      'Signals\n=======\n\n.. versionadded:: 2\n\n.. _bell:\n\n.. event:: bell_rung\n\n``bell_rung``\n-------------\n\nx\n\n.. setting:: fog\n\nfog\n---\n',
      ['1 # Signals', '6 ## Signals > bell_rung', '15 ## Signals > fog'],
    ],
  ])('are recognised: %s', async (_name, path, content, headings) => {
    expect((await sections(path, content)).headings).toEqual(headings);
  });

  it.each([
    ['a table of reStructuredText', 'a.rst', '=====  =====\nA      B\n=====  =====\n1      2\n=====  =====\n'],
    ['a list below a line', 'a.rst', 'Things\n- one\n- two\n'],
    ['bold words at the start of a line', 'a.org', '*bold* words\n'],
    ['a listing below its title', 'a.adoc', '.Title\n----\ncode\n----\n'],
    ['a section of a text file', 'a.txt', 'Loom\n====\n\nWords.\n'],
    ['a command in a sentence', 'a.tex', 'Use \\verb|\\section{x}| here.\n'],
  ])('are not seen in %s', async (_name, path, content) => {
    expect((await sections(path, content)).headings).toEqual([]);
  });

  it('leave inclusions and tables of contents below a heading out of the content', async () => {
    const { blocks } = await extractDocument(
      createTextExtractor(),
      'changes.rst',
      'Changes\n=======\n\n.. include:: ../CHANGES.rst\n',
    );
    expect(blocks.map(({ kind }) => kind)).toEqual(['heading']);
    const toc = await extractDocument(
      createTextExtractor(),
      'i.rst',
      'Index\n=====\n\n.. toctree::\n\n   a\n   b\n\nWords.\n',
    );
    expect(toc.blocks.map(({ kind }) => kind)).toEqual(['heading', 'paragraph']);
  });

  it('keep literal blocks as code on their own lines', async () => {
    const { blocks } = await extractDocument(createTextExtractor(), 'loom.rst', LOOM);
    const code = blocks.find(({ kind }) => kind === 'code');
    expect(code?.sourceSpan).toEqual({ kind: 'line', start: 14, end: 17 });
  });
});

declareSuite(
  extractorSuite({
    make: createTextExtractor,
    fixtures: [
      { path: 'loom.rst', content: LOOM },
      { path: 'ferry.adoc', content: FERRY },
      { path: 'garden.org', content: GARDEN.replaceAll('\n', '\r\n') },
      { path: 'paper.tex', content: PAPER },
    ],
  }),
  { describe, it },
);
