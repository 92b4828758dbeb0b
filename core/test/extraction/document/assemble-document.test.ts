import { describe, expect, it } from 'vitest';
import type { ExtractedDocument } from '../../../src/contracts/extractor.ts';
import type { BlockDraft } from '../../../src/domain/block.ts';
import { mintBlockIds, mintDocumentId } from '../../../src/domain/minted-ids.ts';
import {
  assembleDocument,
  type DocumentParts,
  languageOf,
} from '../../../src/extraction/document/assemble-document.ts';
import { assetFrom } from '@kebab/testing';

const created = new Date('2025-01-01T00:00:00Z');
const updated = new Date('2025-02-02T00:00:00Z');
const at = new Date('2026-01-01T00:00:00Z');

function parts(path: string, extracted: ExtractedDocument, change: Partial<DocumentParts> = {}): DocumentParts {
  return {
    asset: assetFrom(path, new TextEncoder().encode(extracted.text)),
    extracted,
    parserVersion: 'markdown-v1',
    agent: 'md@1',
    createdAt: created,
    updatedAt: updated,
    defaults: { trustLevel: null, sourceType: null },
    git: null,
    title: null,
    fileName: path,
    origin: null,
    docVersion: 1,
    at,
    ...change,
  };
}

const heading = (text: string, level: 1 | 2, start: number): BlockDraft => ({
  kind: 'heading',
  level,
  text,
  start,
  end: start + text.length + level + 1,
  headingPath: [],
  sourceSpan: { kind: 'line', start: 1, end: 1 },
});
const paragraph = (start: number, end: number): BlockDraft => ({
  kind: 'paragraph',
  start,
  end,
  headingPath: [],
  sourceSpan: { kind: 'line', start: 1, end: 1 },
});

describe('the title of a document', () => {
  const text = '## Second\n\n# First\n\nSome words.\n';
  const second = heading('Second', 2, 0);
  const words = paragraph(20, 31);
  const blocks = [second, heading('First', 1, 11), words];

  it('is the given one if the extractor derived its own, but not if the text states one', () => {
    const derived = { ...parts('a.md', { text, blocks, title: 'Heading', titleIsDerived: true }), title: 'By hand' };
    const stated = { ...parts('a.md', { text, blocks, title: 'Stated' }), title: 'By hand' };
    expect([assembleDocument(derived).title, assembleDocument(stated).title]).toEqual(['By hand', 'Stated']);
  });

  it.each([
    ['its own', { text, blocks, title: 'Given' }, 'Given'],
    ['its first heading of level 1', { text, blocks }, 'First'],
    ['its first heading', { text, blocks: [second, words] }, 'Second'],
    ['the beginning of its first paragraph', { text, blocks: [words] }, 'Some words.'],
    ['the name of its file', { text: '', blocks: [] }, 'a note'],
    ['not raw HTML', { text: '<p align="center">', blocks: [paragraph(0, 18)] }, 'a note'],
  ] as const)('is %s', (_name, extracted, title) => {
    expect(assembleDocument(parts('sub/a note.md', extracted)).title).toBe(title);
  });

  it('is at most 80 characters of a paragraph, on one line', () => {
    const long = `line one\nline two ${'😀'.repeat(100)}`;
    const { title } = assembleDocument(parts('a.md', { text: long, blocks: [paragraph(0, long.length)] }));
    expect(title).toBe(`line one line two ${'😀'.repeat(62)}…`);
  });

  it.each([
    ['Harbour log\n\nTwo boats.', 'Harbour log'],
    ['=== Packing  list: ===\nTent', 'Packing list:'],
    ['회의록:\n참석자 세 명', '회의록'],
    ['A boat came in and\nleft.', 'a'],
    ['Two boats came in before noon.', 'a'],
    ['2026-03-01 10:22:01 INFO started\n', 'a'],
    ['[main] started\n', 'a'],
    ['port = 80\n', 'a'],
  ])('of the plain text %j is %j', (plain, title) => {
    const extracted = { text: plain, blocks: [paragraph(0, plain.length)] };
    expect(assembleDocument(parts('a.txt', extracted)).title).toBe(title);
  });

  it('is the file name for media that are not prose', () => {
    const extracted = { text: 'words', blocks: [paragraph(0, 5)] };
    for (const path of ['scan.pdf', 'scan.png', 'scan.rs'])
      expect(assembleDocument(parts(path, extracted)).title).toBe('scan');
  });

  it('can be given with the file, and then replaces only a derived one', () => {
    const hint = { title: 'Hint' };
    expect(assembleDocument(parts('a.md', { text, blocks }, hint)).title).toBe('Hint');
    expect(assembleDocument(parts('a.md', { text, blocks, title: 'Given' }, hint)).title).toBe('Given');
  });
});

describe('the metadata of a document', () => {
  const extracted: ExtractedDocument = { text: '', blocks: [] };

  it.each([
    ['a.md', 'markdown'],
    ['a.txt', 'note'],
    ['a.pdf', 'paper'],
    ['a.png', 'reference'],
    ['a.rs', 'code'],
  ])('of %s has by default the type %s, primary trust and the times of the file', (path, sourceType) => {
    const { metadata } = assembleDocument(parts(path, extracted));
    expect(metadata).toMatchObject({ sourceType, trustLevel: 'primary', createdAt: created, updatedAt: updated });
  });

  it('comes from the document, and otherwise from its source', () => {
    const defaults = { trustLevel: 'secondary', sourceType: 'inbox' } as const;
    expect(assembleDocument(parts('a.md', extracted, { defaults })).metadata).toMatchObject(defaults);
    const metadata = { trustLevel: 'generated', createdAt: at, tags: ['x'], user: { a: 1 } } as const;
    expect(assembleDocument(parts('a.md', { ...extracted, metadata }, { defaults })).metadata).toMatchObject({
      ...metadata,
      sourceType: 'inbox',
    });
  });

  it('contains the repository and the language of code', () => {
    const git = { repo: 'kebab', gitBranch: 'main', gitCommit: '0123456789ab' };
    expect(assembleDocument(parts('a.rs', extracted, { git })).metadata).toMatchObject({ ...git, codeLang: 'rust' });
    const metadata = { codeLang: 'cpp' };
    expect(assembleDocument(parts('a.h', { ...extracted, metadata })).metadata.codeLang).toBe('cpp');
  });
});

describe('a document', () => {
  const text = '# A\n\nDer Hund und die Katze sind nicht im Haus, aber sie werden auch nicht gesucht.\n';
  const words = paragraph(5, text.length - 1);
  const blocks = [heading('A', 1, 0), words];

  it('has ids derived from its content and its parser version', () => {
    const document = assembleDocument(parts('a.md', { text, blocks, parserVersion: 'fallback-v1' }));
    const { assetId } = assetFrom('a.md', new TextEncoder().encode(text));
    const input = { workspacePath: 'a.md', assetId, parserVersion: 'fallback-v1', sourceId: 'default' };
    expect(document.docId).toBe(mintDocumentId(input));
    expect(document.parserVersion).toBe('fallback-v1');
    expect(document.blocks.map(({ blockId, ordinal }) => ({ blockId, ordinal }))).toEqual(
      mintBlockIds(
        document.docId,
        blocks.map((block, ordinal) => ({ ...block, ordinal })),
      ).map((blockId, ordinal) => ({ blockId, ordinal })),
    );
  });

  it('has the language it states, else that of its prose, and none for code', () => {
    expect(assembleDocument(parts('a.md', { text, blocks })).lang).toBe('de');
    expect(assembleDocument(parts('a.md', { text, blocks, lang: 'nl' })).lang).toBe('nl');
    expect(assembleDocument(parts('a.rs', { text, blocks, lang: 'nl' })).lang).toBe('und');
  });

  it('ignores code blocks when its language is detected', () => {
    const code: BlockDraft = { ...words, kind: 'code', lang: null, symbol: null };
    expect(assembleDocument(parts('a.md', { text, blocks: [heading('A', 1, 0), code] })).lang).toBe('und');
  });

  it('records its origin, its extractor and its warnings as provenance', () => {
    const warnings = [{ kind: 'malformed_frontmatter', note: 'tags' }] as const;
    const { provenance } = assembleDocument(parts('a.md', { text, blocks, warnings }, { origin: '/elsewhere/a.md' }));
    expect(provenance).toEqual([
      { at: new Date(0), agent: 'ingest', kind: 'discovered', note: '/elsewhere/a.md' },
      { at, agent: 'md@1', kind: 'parsed', note: 'markdown-v1' },
      { at, agent: 'md@1', kind: 'warning', note: 'malformed_frontmatter: tags' },
    ]);
  });
});

/** The detected language of a document with these blocks, in order. */
function languageOfParts(...named: readonly (readonly [kind: 'paragraph' | 'table' | 'code', text: string])[]): string {
  let text = '';
  const blocks: BlockDraft[] = [];
  for (const [kind, part] of named) {
    const start = text.length;
    text += `${part}\n\n`;
    const span = { start, end: start + part.length, headingPath: [] };
    blocks.push(
      (kind === 'code' ? { ...span, kind, lang: null, symbol: null } : { ...span, kind }) as unknown as BlockDraft,
    );
  }
  return languageOf(text, blocks);
}

const NAMES = Array.from({ length: 60 }, (_, n) => `CreateWindowEx${n} WM_PAINT${n}`).join(' ');
const ENGLISH =
  'The value that is returned by this function depends on the flags, which are described below for each of them.';
const GERMAN =
  'Der Wert, den die Funktion zurückgibt, hängt von den Angaben ab, die unten für jede einzelne beschrieben sind.';

describe('languageOf', () => {
  it('detects the language of the running text', () => {
    expect([languageOfParts(['paragraph', ENGLISH]), languageOfParts(['paragraph', GERMAN])]).toEqual(['en', 'de']);
  });

  it('reads on if a document begins with names', () => {
    expect(languageOfParts(['paragraph', NAMES.slice(0, 400)], ['paragraph', `${ENGLISH} ${ENGLISH}`])).toBe('en');
    expect(languageOfParts(['paragraph', NAMES.slice(0, 400)], ['paragraph', `${GERMAN} ${GERMAN}`])).toBe('de');
  });

  it('uses tables if there is little other text, but never code', () => {
    expect(
      languageOfParts(['paragraph', 'WM_PAINT'], ['table', `| flag | meaning |\n|---|---|\n| A | ${ENGLISH} |`]),
    ).toBe('en');
    expect(languageOfParts(['paragraph', 'WM_PAINT'], ['code', `// ${ENGLISH}`])).toBe('und');
  });

  it('returns und for a document of names', () => {
    expect(languageOfParts(['paragraph', NAMES])).toBe('und');
  });
});
