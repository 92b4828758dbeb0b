import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openBenchApp } from '../bench/lib/open-bench-app.ts';
import { isKebabError, mediaTypeOf, type BlockDraft, type ExtractedDocument, type Extractor } from '@kebab/core';
import type { DocumentId } from '@kebab/core/app';
import { assetFrom, pluginContext, silentCallContext } from '@kebab/testing';
import { describe, expect, it } from 'vitest';
import { formatUri, type UriFragment } from '../core/src/domain/uri.ts';
import { chooseExtractor } from '../core/src/extraction/choose-extractor.ts';
import { createCsvExtractor } from '../plugins/csv/src/csv-extractor.ts';
import { createDocxExtractor } from '../plugins/docx/src/docx-extractor.ts';
import { createEmlExtractor } from '../plugins/eml/src/eml-extractor.ts';
import { createEpubExtractor } from '../plugins/epub/src/epub-extractor.ts';
import { createHtmlExtractor } from '../plugins/html/src/html-extractor.ts';
import { createImageExtractor } from '../plugins/image-ocr/src/extract/image-extractor.ts';
import { DEFAULT_IMAGE_CONFIG } from '../plugins/image-ocr/src/image-config.ts';
import { createIpynbExtractor } from '../plugins/ipynb/src/ipynb-extractor.ts';
import { createMarkdownExtractor } from '../plugins/md/src/md-extractor.ts';
import { createPdfExtractor } from '../plugins/pdf/src/pdf-extractor.ts';
import { createCodeTextExtractor, createTextExtractor } from '../plugins/plain-text/src/text-extractors.ts';
import { createPptxExtractor } from '../plugins/pptx/src/pptx-extractor.ts';
import { createXlsxExtractor } from '../plugins/xlsx/src/xlsx-extractor.ts';
import rust from '../plugins/code-rust/src/index.ts';
import { FORMAT_EXAMPLES, type FormatExample } from './formats-examples.ts';

const read = (file: string): string => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');
const readme = read('README.md');

/** A section of the page: what stands before its table, and the rows of that. */
const sections = read('docs/formats.md')
  .split('\n## ')
  .slice(1)
  .map((section) => {
    const lines = section.split('\n');
    const rows = lines.filter((line) => line.startsWith('| ') && !line.startsWith('| in the file '));
    return {
      title: lines[0] ?? '',
      introduction: lines
        .slice(
          1,
          lines.findIndex((line) => line.startsWith('|')),
        )
        .join(' '),
      rows: rows.map((row) =>
        row
          .slice(2, -1)
          .split(/(?<!\\)\|/)
          .map((cell) => cell.trim().replaceAll('\\|', '|')),
      ),
    };
  });

const quoted = (text: string): readonly string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, words = '']) => words);

const rustExtractor = rust.contributes.extractor?.['code-rust'];
const extractors: readonly Extractor[] = [
  createMarkdownExtractor(),
  createTextExtractor(),
  createCodeTextExtractor(),
  createHtmlExtractor(),
  createCsvExtractor(),
  createIpynbExtractor(),
  createDocxExtractor(),
  createPptxExtractor(),
  createXlsxExtractor(),
  createEpubExtractor(),
  createEmlExtractor(),
  createPdfExtractor(),
  createImageExtractor(DEFAULT_IMAGE_CONFIG),
  ...(rustExtractor === undefined
    ? []
    : [await rustExtractor(pluginContext({ parseTimeoutMs: 60_000 }, { fs: 'none', net: [], spawn: [] }))]),
];

/** What an example shows: everything that the second column may quote, its places, and its text. */
interface Shown {
  readonly all: string;
  /** The text of its blocks; what is in none is not indexed. */
  readonly text: string;
  readonly places: readonly string[];
  readonly warnings: number;
}

async function shownBy({ file, content, readings }: FormatExample): Promise<Shown> {
  const extractor = chooseExtractor(extractors, mediaTypeOf(file));
  if (extractor === undefined) throw new Error(`no extractor reads ${file}`);
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  const input = { asset: assetFrom(file, bytes), bytes, ...(readings === undefined ? {} : { readings }) };
  const extracted: ExtractedDocument | string = await extractor
    .extract(input, silentCallContext())
    .catch((error: unknown) => {
      if (isKebabError(error)) return error.message;
      throw error;
    });
  if (typeof extracted === 'string') return { all: extracted, text: '', places: [], warnings: 1 };
  const { text, title, lang, metadata = {}, blocks, warnings = [] } = extracted;
  const symbols = blocks.map(({ sourceSpan }) => (sourceSpan.kind === 'code' ? sourceSpan.symbol : null));
  const { tags = [], aliases = [], inlineTags = [] } = metadata;
  const facts = [
    text,
    title,
    lang,
    ...tags,
    ...aliases,
    ...inlineTags,
    ...symbols,
    ...warnings.map(({ kind }) => kind),
  ];
  return {
    all: [...facts, ...blocks.map(pathOf)].join('\n'),
    text: blocks.map(({ start, end }) => text.slice(start, end)).join('\n'),
    places: blocks.map(placeOf),
    warnings: warnings.length,
  };
}

function pathOf(block: BlockDraft): string {
  return [...block.headingPath, ...(block.kind === 'heading' ? [block.text] : [])].join(' > ');
}

function placeOf(block: BlockDraft): string {
  return formatUri({ sourceId: null, path: '', fragment: fragmentOf(block) });
}

function fragmentOf(block: BlockDraft): UriFragment | null {
  const span = block.sourceSpan;
  if (block.kind === 'imageref' && block.caption !== null) return { kind: 'caption' };
  if (span.kind === 'code') return { kind: 'line', start: span.line_start, end: span.line_end };
  return span.kind === 'line' || span.kind === 'page' || span.kind === 'region' || span.kind === 'anchor' ? span : null;
}

/** Settings, commands and flags, which no file shows. */
const SETTING = /^--|=\s*"|^kebab /;

describe('docs/formats.md', () => {
  it('has an example for every row, and a row for every example', () => {
    const rows = sections.flatMap(({ title, rows: all }) => all.map(([subject = '']) => `${title}: ${subject}`));
    const examples = Object.entries(FORMAT_EXAMPLES).flatMap(([title, all]) =>
      Object.keys(all).map((subject) => `${title}: ${subject}`),
    );
    expect(rows).toEqual(examples);
  });

  const all = sections.flatMap(({ title, rows }) => rows.map((row) => [title, row[0] ?? '', row] as const));
  it.each(all)('says what becomes of %s: %s', async (title, subject, [, result = '', place = '']) => {
    const example = await FORMAT_EXAMPLES[title]?.[subject];
    if (example === undefined) throw new Error('no example');
    const shown = await shownBy(example);
    for (const words of quoted(result))
      if (SETTING.test(words)) expect(readme).toContain(words);
      else expect(shown.all).toContain(words);
    for (const uri of quoted(place)) expect(shown.places).toContain(uri);
    expect(shown.warnings > 0).toBe(/\b(?:warning|error)\b/.test(result));
    if (/\bnot read\b/.test(result) && shown.text !== '') expect(example.unread).toBeDefined();
    if (example.unread !== undefined) expect(shown.text).not.toContain(example.unread);
  });

  it.each(sections.map(({ title, introduction }) => [title, introduction] as const))(
    'names extensions of %s that are read in that way',
    async (title, introduction) => {
      const named = quoted(introduction).filter((name) => /^\.\w+$/.test(name));
      const readers = new Set<string | undefined>();
      for (const example of Object.values(FORMAT_EXAMPLES[title] ?? {}))
        readers.add(chooseExtractor(extractors, mediaTypeOf((await example).file))?.id);
      for (const name of named)
        expect([name, readers.has(chooseExtractor(extractors, mediaTypeOf(`a${name}`))?.id)]).toEqual([name, true]);
    },
  );

  it.each(['docx', 'pptx', 'xlsx', 'epub', 'eml'])('says how to install the reader of %s', (part) => {
    expect(read('docs/formats.md')).toContain(`\`.${part}\``);
    expect(read('docs/formats.md')).toContain(`\`kebab plugin install ${part}\``);
    expect(read(`plugins/${part}/package.json`)).toContain(`"@kebab/plugin-${part}"`);
  });

  it('says where warnings and errors are, and how a passage of several rows is cited', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'kebab-formats-'));
    const notes = path.join(folder, 'notes');
    mkdirSync(notes);
    writeFileSync(path.join(notes, 'broken.ipynb'), '{');
    writeFileSync(path.join(notes, 'ports.csv'), 'Port,Depth\nBusan,12\n');
    writeFileSync(path.join(notes, 'stray.csv'), 'Port,Depth\n"Busan,12\nRotterdam,24\n');
    const app = await openBenchApp(notes, path.join(folder, 'data'));
    try {
      const report = await app.ingest();
      expect(report).toMatchObject({ new: 2, errors: 1 });
      const itemOf = (file: string) => report.items?.find(({ doc_path: at }) => at === file);
      expect(itemOf('broken.ipynb')?.error).toContain('not JSON');
      expect(itemOf('stray.csv')?.warnings).toMatchObject([expect.stringContaining('malformed_table')]);
      const id = await app.resolveId('document', itemOf('stray.csv')?.doc_id ?? '');
      expect(JSON.stringify(await app.inspectDoc(id as DocumentId))).toContain('malformed_table');
      const { hits } = await app.search({ text: 'Busan', mode: 'lexical', k: 5 });
      expect(hits.map(({ citation }) => citation.uri.replace(/~.*/, ''))).toContain('ports.csv#row=1-2');
      expect(read('docs/formats.md')).toContain('`ports.csv#row=1-2`');
    } finally {
      await app.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('names a document that is read in part in the report, in status, in doctor, and in the answer of a search', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'kebab-formats-'));
    const notes = path.join(folder, 'notes');
    mkdirSync(notes);
    const printed = { output_type: 'stream', name: 'stdout', text: 'tide '.repeat(5000) };
    const cell = { cell_type: 'code', metadata: {}, source: 'harbour()', outputs: [printed] };
    const notebook = { cells: [cell], metadata: {}, nbformat: 4, nbformat_minor: 5 };
    writeFileSync(path.join(notes, 'gauge readings.ipynb'), JSON.stringify(notebook));
    const gulls = Buffer.from('Möwen nisten auf der Böschung über dem Fluß.\n'.repeat(20));
    writeFileSync(path.join(notes, 'gulls.txt'), Buffer.concat([gulls, Buffer.from([0xff, 0x0a])]));
    writeFileSync(path.join(notes, 'whole.csv'), 'Port,Depth\n"Busan,12\n');
    writeFileSync(path.join(notes, 'broken.ipynb'), '{');
    const app = await openBenchApp(notes, path.join(folder, 'data'));
    try {
      const why = /^read in part: the output of cell 1 /;
      const report = await app.ingest();
      expect(report.items?.find(({ doc_path: at }) => at === 'gauge readings.ipynb')?.warnings?.[0]).toMatch(
        /^extract_failed: the output of cell 1 /,
      );
      const said = [
        expect.stringMatching(/^broken\.ipynb: .*not JSON/),
        expect.stringMatching(/^gauge readings\.ipynb is read in part: the output of cell 1 /),
        expect.stringMatching(/^gulls\.txt is read in part: some bytes are not UTF-8/),
      ];
      expect((await app.status()).notes).toEqual(said);
      const folders = (await app.doctor()).checks.find(({ name }) => name === 'source_roots');
      expect(folders?.detail).toContain('gauge readings.ipynb is read in part: the output of cell 1 ');
      const search = async (text: string) => (await app.search({ text, mode: 'lexical', k: 5 })).unread;
      const readings = expect.objectContaining({ doc_path: 'gauge readings.ipynb', why: expect.stringMatching(why) });
      expect(await search('harbour')).toEqual([readings]);
      expect(await search('gauge zyzzyva')).toContainEqual(readings);
      expect(await search('busan')).toBeUndefined();
    } finally {
      await app.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
