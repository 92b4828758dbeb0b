import { describe, expect, it } from 'vitest';
import type { DocumentWrite } from '../../src/contracts/document-store.ts';
import type { ChunkId, DocumentId } from '../../src/domain/ids.ts';
import type { FetchOptions, FetchQuery } from '../../src/domain/query.ts';
import { sampleWrite } from '@kebab/testing';
import { FetchResultSchema } from '../../src/wire/fetch.ts';
import type { FetchResult } from '../../src/wire/index.ts';
import type { KnowledgeBase } from '../kb/knowledge-base.ts';
import { itemAt } from '../kb/item-at.ts';
import { openForTests } from '../kb/open-for-tests.ts';

const fetch = async (kb: KnowledgeBase, query: FetchQuery, options: FetchOptions = {}): Promise<FetchResult> =>
  FetchResultSchema.parse(await kb.fetch(query, options));

const TEXT = '# One\n\nfirst\n\nsecond\nand more\n\nthird\n';

/** A document of two pages, as stored for a PDF. */
const paged = (path: string, pages: readonly string[]): DocumentWrite => {
  const text = pages.join('\n\n');
  let start = 0;
  const ranges = pages.map((page, at) => {
    const range = { page: at + 1, start, end: start + page.length };
    start = range.end + 2;
    return range;
  });
  const write = sampleWrite(path, text);
  return { ...write, document: { ...write.document, pages: ranges } };
};

describe('FetchText', () => {
  const open = openForTests();
  const openWithNote = async (): Promise<{ kb: KnowledgeBase; docId: DocumentId; chunkIds: readonly ChunkId[] }> => {
    const kb = await open();
    const { document, chunks } = await kb.add('a.md', TEXT);
    return { kb, docId: document.docId, chunkIds: chunks.map(({ chunkId }) => chunkId) };
  };

  describe('of a chunk', () => {
    it('returns the slice with its place, and no neighbours by default', async () => {
      const { kb, chunkIds } = await openWithNote();
      expect(await fetch(kb, { kind: 'chunk', chunkId: itemAt(chunkIds, 2) })).toMatchObject({
        kind: 'chunk',
        doc_path: 'a.md',
        truncated: false,
        freshness: 'fresh',
        chunk: { text: 'second\nand more', ordinal: 2, text_start: 14, text_end: 29, citation: { uri: 'a.md#L5-L6' } },
        context_before: [],
        context_after: [],
      });
    });

    it.each([
      [1, 1, ['# One'], ['second\nand more']],
      [0, 2, [], ['first', 'second\nand more']],
      [3, 99, ['# One', 'first', 'second\nand more'], []],
    ])('returns neighbours of chunk %i within %i', async (ordinal, context, before, after) => {
      const { kb, chunkIds } = await openWithNote();
      const result = await fetch(kb, { kind: 'chunk', chunkId: itemAt(chunkIds, ordinal) }, { context });
      const texts = (chunks: readonly { readonly text: string }[]): readonly string[] => chunks.map(({ text }) => text);
      if (result.kind !== 'chunk') throw new Error(`it is a ${result.kind}`);
      expect([texts(result.context_before), texts(result.context_after)]).toEqual([before, after]);
    });

    it('rejects a chunk of another knowledge base', async () => {
      const { kb } = await openWithNote();
      const chunkId = 'f'.repeat(32) as ChunkId;
      await expect(fetch(kb, { kind: 'chunk', chunkId })).rejects.toMatchObject({
        code: 'chunk_not_found',
        details: { chunk_id: chunkId },
      });
    });
  });

  describe('in pages', () => {
    /** Every page of a place, read to the end. */
    const pages = async (kb: KnowledgeBase, query: FetchQuery, maxTokens: number): Promise<readonly FetchResult[]> => {
      const read: FetchResult[] = [];
      for (let cursor: string | undefined; ;) {
        const page = await fetch(kb, query, { maxTokens, cursor });
        read.push(page);
        cursor = page.kind === 'chunk' ? undefined : page.next_cursor;
        if (cursor === undefined) return read;
        if (read.length > 1000) throw new Error('the pages have no end');
      }
    };
    const textOf = (page: FetchResult): string => (page.kind === 'chunk' ? '' : page.text);
    const LONG = `first\n${'x'.repeat(40_000)}😀 mark\nlast\n`;

    it.each<[string, (docId: DocumentId) => FetchQuery, string]>([
      ['a document', (docId) => ({ kind: 'doc', docId }), LONG],
      ['lines', (docId) => ({ kind: 'span', docId, lineStart: 1, lineEnd: 3 }), LONG.trimEnd()],
      ['one long line', () => ({ kind: 'uri', uri: 'a.md#L2' }), LONG.split('\n')[1] ?? ''],
      ['a path', () => ({ kind: 'uri', uri: 'a.md' }), LONG],
    ])('reads %s to its end, each character once', async (_what, queryOf, text) => {
      const kb = await open();
      const { document } = await kb.add('a.md', LONG);
      const read = await pages(kb, queryOf(document.docId), 1000);
      expect(read.map(textOf).join('')).toBe(text);
      expect(read.length).toBeGreaterThan(9);
      expect(read.at(-1)).toMatchObject({ truncated: false });
      expect(read.at(-1)).not.toHaveProperty('next_cursor');
    });

    it('says which lines a page includes', async () => {
      const kb = await open();
      const { document } = await kb.add('a.md', LONG);
      const [first, second] = await pages(kb, { kind: 'span', docId: document.docId, lineStart: 1, lineEnd: 3 }, 5000);
      expect(first).toMatchObject({ effective_end: 2, citation: { uri: 'a.md#L1-L2' } });
      expect(second).toMatchObject({ effective_start: 2, effective_end: 2, citation: { uri: 'a.md#L2' } });
    });

    it('reads a page of a PDF to its end', async () => {
      const kb = await open();
      await kb.commit(paged('a.pdf', ['one', 'two '.repeat(50).trim()]));
      const read = await pages(kb, { kind: 'uri', uri: 'a.pdf#p=2' }, 10);
      expect(read.map(textOf).join('')).toBe('two '.repeat(50).trim());
    });

    it.each([
      ['of an earlier version of the document', 'stale_cursor', (): string => `${'f'.repeat(32)}.3`],
      ['of another place of the document', 'invalid_input', (docId: string): string => `${docId}.999`],
      ['of a search', 'invalid_input', (): string => 'eyJ2IjoxfQ'],
    ])('rejects a cursor %s', async (_what, code, cursorOf) => {
      const { kb, docId } = await openWithNote();
      const cursor = cursorOf(docId);
      await expect(fetch(kb, { kind: 'doc', docId }, { cursor })).rejects.toMatchObject({ code });
    });
  });

  describe('of a document', () => {
    it('fetches the whole text of a document', async () => {
      const { kb, docId } = await openWithNote();
      expect(await fetch(kb, { kind: 'doc', docId })).toMatchObject({ text: TEXT, total_lines: 8, truncated: false });
    });

    it('truncates at four characters per token', async () => {
      const { kb, docId } = await openWithNote();
      const result = await fetch(kb, { kind: 'doc', docId }, { maxTokens: 2 });
      expect(result).toMatchObject({ text: '# One\n\nf', effective_end: 3, total_lines: 8, truncated: true });
    });

    it('rejects the id of a document that is not in the store', async () => {
      const { kb } = await openWithNote();
      const docId = 'f'.repeat(32) as DocumentId;
      await expect(fetch(kb, { kind: 'doc', docId })).rejects.toMatchObject({
        code: 'doc_not_found',
        details: { doc_id: docId, path: null },
      });
    });
  });

  describe('of a span', () => {
    it('returns whole lines and cites what it actually returned', async () => {
      const { kb, docId } = await openWithNote();
      expect(await fetch(kb, { kind: 'span', docId, lineStart: 5, lineEnd: 50 })).toMatchObject({
        text: 'second\nand more\n\nthird',
        line_start: 5,
        line_end: 50,
        effective_end: 8,
        total_lines: 8,
        truncated: false,
        citation: { uri: 'a.md#L5-L8', start: 5, end: 8 },
      });
    });

    it('counts a blank line at the end', async () => {
      const { kb, docId } = await openWithNote();
      const result = await fetch(kb, { kind: 'span', docId, lineStart: 5, lineEnd: 7 });
      const citation = { uri: 'a.md#L5-L7', start: 5, end: 7 };
      expect(result).toMatchObject({ text: 'second\nand more\n', effective_end: 7, citation });
    });

    it('cites nothing when the text is empty', async () => {
      const { kb, docId } = await openWithNote();
      const result = await fetch(kb, { kind: 'span', docId, lineStart: 20, lineEnd: 30 });
      expect(result).toMatchObject({ text: '', effective_end: 19, citation: null, truncated: false });
    });

    it('hashes the whole last line when a budget truncates it', async () => {
      const { kb, docId } = await openWithNote();
      const whole = await fetch(kb, { kind: 'span', docId, lineStart: 3, lineEnd: 3 });
      const cut = await fetch(kb, { kind: 'span', docId, lineStart: 3, lineEnd: 8 }, { maxTokens: 1 });
      expect(cut).toMatchObject({ text: 'firs', effective_end: 3, truncated: true, citation: { uri: 'a.md#L3' } });
      expect([cut, whole].map((result) => 'citation' in result && result.citation?.content_hash)).toEqual([
        expect.any(String),
        'citation' in cut && cut.citation?.content_hash,
      ]);
    });

    it.each([
      [0, 1, 'line_start', 'line_start must be a whole number from 1, not 0'],
      [1.5, 2, 'line_start', 'line_start must be a whole number from 1, not 1.5'],
      [3, 2, 'line_end', 'line 2 is before line 3: the last line cannot precede the first'],
    ])('rejects lines %d to %d', async (lineStart, lineEnd, field, message) => {
      const { kb, docId } = await openWithNote();
      await expect(fetch(kb, { kind: 'span', docId, lineStart, lineEnd })).rejects.toMatchObject({
        code: 'invalid_input',
        message,
        details: { field },
      });
    });

    it('does not count lines in a PDF', async () => {
      const kb = await open();
      const { document } = await kb.commit(paged('a.pdf', ['one', 'two']));
      const { docId } = document;
      await expect(fetch(kb, { kind: 'span', docId, lineStart: 1, lineEnd: 1 })).rejects.toMatchObject({
        code: 'span_not_supported',
        details: { doc_id: docId, media: 'pdf', alternatives: ['chunk', 'doc'] },
      });
    });
  });

  describe('of a URI', () => {
    it('returns a span for lines, the document for everything else', async () => {
      const { kb } = await openWithNote();
      expect(await fetch(kb, { kind: 'uri', uri: 'a.md#L3' })).toMatchObject({ kind: 'span', text: 'first' });
      expect(await fetch(kb, { kind: 'uri', uri: './a.md' })).toMatchObject({ kind: 'doc', text: TEXT });
      expect(await fetch(kb, { kind: 'uri', uri: 'a.md#caption' })).toMatchObject({ kind: 'doc' });
    });

    it('returns a page, truncated to its budget', async () => {
      const kb = await open();
      await kb.commit(paged('a.pdf', ['one', 'the second page']));
      const page = await fetch(kb, { kind: 'uri', uri: 'a.pdf#p=2' });
      expect(page).toMatchObject({ kind: 'page', text: 'the second page', page: 2, total_pages: 2, truncated: false });
      expect(page).toMatchObject({ citation: { kind: 'page', uri: 'a.pdf#p=2', section: null } });
      const cut = await fetch(kb, { kind: 'uri', uri: 'a.pdf#p=2' }, { maxTokens: 1 });
      expect(cut).toMatchObject({ text: 'the ', truncated: true });
      await expect(fetch(kb, { kind: 'uri', uri: 'a.pdf#p=3' })).rejects.toMatchObject({ code: 'invalid_input' });
    });

    it('resolves names with # and %', async () => {
      const kb = await open();
      await kb.add('50% #1.md', 'half\n');
      expect(await fetch(kb, { kind: 'uri', uri: '50%25 %231.md#L1' })).toMatchObject({
        doc_path: '50% #1.md',
        text: 'half',
      });
    });

    it('prefixes the path of a document with its source, and accepts that form', async () => {
      const kb = await open();
      for (const sourceId of ['default', 'lib']) await kb.commit(sampleWrite('a.md', `in ${sourceId}\n`, { sourceId }));
      const inLib = {
        text: 'in lib',
        doc_path: 'a.md',
        citation: { uri: 'lib:a.md#L1', path: 'a.md', source_id: 'lib' },
      };
      expect(await fetch(kb, { kind: 'uri', uri: 'a.md#L1', source: 'lib' })).toMatchObject(inLib);
      expect(await fetch(kb, { kind: 'uri', uri: 'lib:a.md#L1' })).toMatchObject(inLib);
      expect(await fetch(kb, { kind: 'uri', uri: 'lib:a.md#L1', source: 'lib' })).toMatchObject(inLib);
      const inDefault = { text: 'in default', citation: { uri: 'a.md#L1' } };
      expect(await fetch(kb, { kind: 'uri', uri: 'a.md#L1' })).toMatchObject(inDefault);
      expect(await fetch(kb, { kind: 'uri', uri: 'default:a.md#L1' })).toMatchObject(inDefault);
    });

    it('requires a source for a path in several sources', async () => {
      const kb = await open();
      for (const sourceId of ['default', 'lib']) await kb.commit(sampleWrite('a.md', 'x\n', { sourceId }));
      await expect(fetch(kb, { kind: 'uri', uri: 'a.md' })).rejects.toMatchObject({
        code: 'invalid_input',
        message: '"a.md" is in several sources: default:a.md, lib:a.md',
        details: { field: 'source', allowed: ['default:a.md', 'lib:a.md'] },
      });
    });

    it('reports how many lines there are when a URI names none of them', async () => {
      const { kb } = await openWithNote();
      await expect(fetch(kb, { kind: 'uri', uri: 'a.md#L900' })).rejects.toMatchObject({
        code: 'invalid_input',
        message: 'a.md has 8 lines, no line 900',
      });
      expect(await fetch(kb, { kind: 'uri', uri: 'a.md#L8-L900' })).toMatchObject({ effective_end: 8 });
    });

    it.each([
      ['missing.md#L1', 'doc_not_found'],
      ['a.md#L0', 'invalid_input'],
      ['a.md#L2-L1', 'invalid_input'],
      ['a.md#nonsense', 'invalid_input'],
      ['../a.md', 'invalid_input'],
      ['/etc/passwd', 'invalid_input'],
      ['', 'invalid_input'],
    ])('answers %s with %s', async (uri, code) => {
      const { kb } = await openWithNote();
      await expect(fetch(kb, { kind: 'uri', uri })).rejects.toMatchObject({ code });
    });
  });

  it.each<[FetchQuery['kind'], FetchOptions, string]>([
    ['chunk', { maxTokens: 5 }, 'max_tokens'],
    ['chunk', { context: -1 }, 'context'],
    ['doc', { context: 1 }, 'context'],
    ['span', { context: 1 }, 'context'],
    ['uri', { context: 0 }, 'context'],
    ['doc', { maxTokens: -1 }, 'max_tokens'],
    ['doc', { maxTokens: 0 }, 'max_tokens'],
    ['span', { maxTokens: 0 }, 'max_tokens'],
    ['uri', { maxTokens: 0 }, 'max_tokens'],
    ['doc', { maxTokens: 0.5 }, 'max_tokens'],
  ])('rejects for a %s the options %j', async (kind, options, field) => {
    const { kb, docId, chunkIds } = await openWithNote();
    const query = { chunkId: chunkIds[0], docId, lineStart: 1, lineEnd: 2, uri: 'a.md', kind } as FetchQuery;
    await expect(fetch(kb, query, options)).rejects.toMatchObject({ code: 'invalid_input', details: { field } });
  });
});
