import { mkdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Block } from '../../src/domain/block.ts';
import { blake3Short } from '../../src/domain/blake3.ts';
import { sampleWrite } from '@kebab/testing';
import { type VerifyOptions, findSimilar, nearestFirst } from '../../src/fetch/verify-citation.ts';
import { CitationCheckSchema } from '../../src/wire/citation.ts';
import type { CitationCheck } from '../../src/wire/index.ts';
import type { KnowledgeBase } from '../kb/knowledge-base.ts';
import { openForTests } from '../kb/open-for-tests.ts';
import { rowsOf } from '../kb/open-store.ts';
import { LineIndex } from '../../src/domain/span.ts';
import type { DocumentRow } from '../../src/contracts/document-store.ts';
import type { SourceRoot } from '../../src/documents/source-roots.ts';
import { designate, DocumentViews, type DocumentView } from '../../src/fetch/document-views.ts';

const verify = async (kb: KnowledgeBase, uri: string, options: VerifyOptions = {}): Promise<CitationCheck> =>
  CitationCheckSchema.parse(await kb.verify(uri, options));

const TEXT = 'alpha\nbeta\ngamma\n\ndelta\n';
const BETA_GAMMA = blake3Short('beta\ngamma');

describe('VerifyCitation', () => {
  const open = openForTests();
  const openWithNote = async (): Promise<KnowledgeBase> => {
    const kb = await open();
    await kb.add('a.md', TEXT);
    return kb;
  };

  it('finds a citation exact while its text is unchanged', async () => {
    const kb = await openWithNote();
    expect(await verify(kb, 'a.md#L2-L3', { hash: BETA_GAMMA.toUpperCase() })).toEqual({
      schema_version: 'citation_check.v1',
      uri: 'a.md#L2-L3',
      status: 'exact',
      content_hash: BETA_GAMMA,
      found_uri: null,
      freshness: 'fresh',
    });
  });

  it('normalises newlines like the index', async () => {
    const kb = await open();
    await kb.add('a.md', `\uFEFF${TEXT.replaceAll('\n', '\r\n')}`);
    expect(await verify(kb, 'a.md#L2-L3', { hash: BETA_GAMMA })).toMatchObject({ status: 'exact' });
  });

  it.each([
    ['windows-1252', 'latin1'],
    ['UTF-16 without a BOM', 'utf16le'],
  ] as const)('reads %s as the index does', async (_name, encoding) => {
    const kb = await open();
    const text = 'Grüße aus Köln\nund von der Mühle\nam großen Fluß\n';
    await kb.add('a.md', Buffer.from(text.replaceAll('\n', '\r\n'), encoding));
    const hash = blake3Short('und von der Mühle');
    expect(await verify(kb, 'a.md#L2', { hash })).toMatchObject({ status: 'exact', freshness: 'fresh' });
    kb.putFile('a.md', Buffer.from(`Vorwort für Käufer\n${text}`, encoding));
    expect(await verify(kb, 'a.md#L2', { hash })).toMatchObject({ status: 'moved', found_uri: 'a.md#L3' });
  });

  it('checks the current file, not the indexed state', async () => {
    const kb = await openWithNote();
    kb.putFile('a.md', `new line\n${TEXT}`);
    expect(await verify(kb, 'a.md#L2-L3', { hash: BETA_GAMMA })).toMatchObject({
      status: 'moved',
      found_uri: 'a.md#L3-L4',
      content_hash: blake3Short('alpha\nbeta'),
      freshness: 'changed',
    });
  });

  it('uses the new index when a document is replaced between two reads', async () => {
    const kb = await openWithNote();
    const readTexts = kb.store.readTexts.bind(kb.store);
    let reads = 0;
    kb.store.readTexts = async (slices) => {
      if (++reads === 1) await kb.add('a.md', `new line\n${TEXT}`);
      return readTexts(slices);
    };
    expect(await verify(kb, 'a.md#L3-L4')).toMatchObject({ status: 'exact', content_hash: BETA_GAMMA });
    expect(reads).toBeGreaterThan(1);
  });

  it.each([
    ['unchanged', TEXT, { cited: 'beta\ngamma', current: 'beta\ngamma' }],
    ['moved', `new line\n${TEXT}`, { cited: 'beta\ngamma', current: 'alpha\nbeta' }],
    ['altered', TEXT.replace('beta', 'BETA'), { cited: 'beta\ngamma', current: 'BETA\ngamma' }],
    ['cut off', 'alpha\n', { cited: 'beta\ngamma', current: null }],
    ['emptied', '', { cited: 'beta\ngamma', current: null }],
  ])('shows the cited text beside the current one when the text was %s', async (_case, text, texts) => {
    const kb = await openWithNote();
    kb.putFile('a.md', text);
    expect((await verify(kb, 'a.md#L2-L3', { hash: BETA_GAMMA, withTexts: true })).texts).toEqual(texts);
    expect(await verify(kb, 'a.md#L2-L3', { hash: BETA_GAMMA })).not.toHaveProperty('texts');
  });

  it('shows no cited text when the index holds another one', async () => {
    const kb = await openWithNote();
    const check = await verify(kb, 'a.md#L2-L3', { hash: blake3Short('long ago'), withTexts: true });
    expect(check).toMatchObject({ status: 'gone', texts: { cited: null, current: 'beta\ngamma' } });
  });

  it('finds the nearest of several copies', async () => {
    const kb = await openWithNote();
    kb.putFile('a.md', `beta\ngamma\n${'x\n'.repeat(8)}beta\ngamma\n${'x\n'.repeat(90)}beta\ngamma\n`);
    expect(await verify(kb, 'a.md#L14-L15', { hash: BETA_GAMMA })).toMatchObject({ found_uri: 'a.md#L11-L12' });
    expect(await verify(kb, 'a.md#L5-L6', { hash: BETA_GAMMA })).toMatchObject({ found_uri: 'a.md#L1-L2' });
    expect(await verify(kb, 'a.md#L900-L901', { hash: BETA_GAMMA })).toMatchObject({ found_uri: 'a.md#L103-L104' });
  });

  it('reports text as gone when one of its characters has changed', async () => {
    const kb = await openWithNote();
    kb.putFile('a.md', TEXT.replace('gamma', 'gamna'));
    expect(await verify(kb, 'a.md#L2-L3', { hash: BETA_GAMMA })).toMatchObject({ status: 'gone', found_uri: null });
  });

  it('finds the text of a file that was renamed and ingested', async () => {
    const kb = await openWithNote();
    mkdirSync(join(kb.root, 'old'));
    renameSync(join(kb.root, 'a.md'), join(kb.root, 'old/b.md'));
    const rows = await rowsOf(kb.store);
    const writer = await kb.store.openWriter({ waitMs: 0 });
    await writer.transaction((tx) => {
      for (const { docId } of rows) tx.deleteDocument(docId);
    });
    await writer.close();
    await kb.add('aaa.md', 'something else\n');
    await kb.add('old/b.md', TEXT);
    const check = await verify(kb, 'a.md#L2-L3', { hash: BETA_GAMMA });
    expect(check).toMatchObject({ status: 'moved', found_uri: 'old/b.md#L2-L3', content_hash: null, freshness: null });
  });

  it('finds text that was moved to another line of another document', async () => {
    const kb = await openWithNote();
    await kb.add('b.md', `one\ntwo\nthree\nbeta\ngamma\n`);
    kb.putFile('a.md', 'alpha\ndelta\n');
    expect(await verify(kb, 'a.md#L2-L3', { hash: BETA_GAMMA })).toMatchObject({
      status: 'moved',
      found_uri: 'b.md#L4-L5',
    });
  });

  it('does not name another document whose file has since lost the text', async () => {
    const kb = await openWithNote();
    await kb.add('b.md', `one\nbeta\ngamma\n`);
    kb.putFile('a.md', 'alpha\n');
    kb.putFile('b.md', 'one\n');
    expect(await verify(kb, 'a.md#L2-L3', { hash: BETA_GAMMA })).toMatchObject({ status: 'gone' });
    kb.putFile('b.md', 'beta\ngamma\n');
    expect(await verify(kb, 'a.md#L2-L3', { hash: BETA_GAMMA })).toMatchObject({ found_uri: 'b.md#L1-L2' });
  });

  it('without a hash, compares the indexed text with the current file', async () => {
    const kb = await openWithNote();
    kb.putFile('a.md', TEXT.replace('gamma', 'gamna'));
    expect(await verify(kb, 'a.md#L2-L3')).toMatchObject({
      status: 'gone',
      content_hash: blake3Short('beta\ngamna'),
      freshness: 'changed',
    });
    expect(await verify(kb, 'a.md#L1')).toMatchObject({ status: 'exact', freshness: 'changed' });
    expect(await verify(kb, 'a.md')).toMatchObject({ status: 'gone' });
    kb.putFile('a.md', `new line\n${TEXT}`);
    expect(await verify(kb, 'a.md#L2-L3')).toMatchObject({ status: 'moved', found_uri: 'a.md#L3-L4' });
    rmSync(join(kb.root, 'a.md'));
    expect(await verify(kb, 'a.md#L2-L3')).toMatchObject({ status: 'gone', freshness: 'deleted' });
  });

  it('without a hash, finds a page exact only while its file has the indexed bytes', async () => {
    const kb = await open();
    kb.putFile('a.pdf', 'one\n\none');
    const { size, mtimeNs } = statSync(join(kb.root, 'a.pdf'), { bigint: true });
    const pdf = sampleWrite('a.pdf', 'one\n\none', { file: { size: Number(size), mtimeNs } });
    const pages = [
      { page: 1, start: 0, end: 3 },
      { page: 2, start: 5, end: 8 },
    ];
    await kb.commit({ ...pdf, document: { ...pdf.document, pages } });
    expect(await verify(kb, 'a.pdf#p=2')).toMatchObject({ status: 'exact', content_hash: blake3Short('one') });
    const { atime, mtime } = statSync(join(kb.root, 'a.pdf'));
    kb.putFile('a.pdf', 'one\n\ntwo');
    utimesSync(join(kb.root, 'a.pdf'), atime, mtime);
    expect(await verify(kb, 'a.pdf#p=2')).toMatchObject({ status: 'gone', content_hash: null, found_uri: null });
    rmSync(join(kb.root, 'a.pdf'));
    expect(await verify(kb, 'a.pdf#p=2')).toMatchObject({ status: 'gone', freshness: 'deleted' });
  });

  it('without a hash, reports a place as gone when nothing is indexed there', async () => {
    const kb = await openWithNote();
    expect(await verify(kb, 'a.md#L5')).toMatchObject({ status: 'exact', content_hash: blake3Short('delta') });
    expect(await verify(kb, 'a.md#L5-L6')).toMatchObject({ status: 'gone', content_hash: null });
    expect(await verify(kb, 'a.md')).toMatchObject({ status: 'exact' });
    expect(await verify(kb, 'none.md')).toMatchObject({ status: 'gone', freshness: null });
  });

  it('detects a deleted file', async () => {
    const kb = await openWithNote();
    rmSync(join(kb.root, 'a.md'));
    expect(await verify(kb, 'a.md#L2-L3', { hash: BETA_GAMMA })).toMatchObject({
      status: 'gone',
      freshness: 'deleted',
    });
  });

  const viewsOf = (
    kb: KnowledgeBase,
    place: { readonly root: string; readonly maxFileBytes: number },
  ): DocumentViews => {
    const source: SourceRoot = { id: 'default', connector: 'fs', linksOutside: false, configured: null, ...place };
    return new DocumentViews(kb.store, new Map([['default', source]]), 'line');
  };

  it('does not report text as gone when its file cannot be checked', async () => {
    const kb = await openWithNote();
    const [document] = (await rowsOf(kb.store)) as [DocumentRow];
    const root = join(kb.root, 'x'.repeat(300)); // the name is too long, which is not the same as absent
    await expect(viewsOf(kb, { root, maxFileBytes: 99 }).current(document)).rejects.toThrow(/ENAMETOOLONG/);
  });

  it('reports text as gone when its file has grown past the size limit', async () => {
    const kb = await openWithNote();
    const [document] = (await rowsOf(kb.store)) as [DocumentRow];
    const views = viewsOf(kb, { root: kb.root, maxFileBytes: TEXT.length });
    expect(await views.current(document)).toMatchObject({ text: TEXT });
    kb.putFile('a.md', `${TEXT}more`);
    expect(await views.current(document)).toBe(null);
  });

  it('compares pages with the stored text, and finds them on other pages', async () => {
    const kb = await open();
    const write = sampleWrite('a.pdf', 'one\n\ntwo');
    const pages = [
      { page: 1, start: 0, end: 3 },
      { page: 2, start: 5, end: 8 },
    ];
    await kb.commit({ ...write, document: { ...write.document, pages } });
    expect(await verify(kb, 'a.pdf#p=2', { hash: blake3Short('two') })).toMatchObject({
      status: 'exact',
      freshness: 'fresh',
    });
    expect(await verify(kb, 'a.pdf#p=7', { hash: blake3Short('two') })).toMatchObject({ found_uri: 'a.pdf#p=2' });
    expect(await verify(kb, 'a.pdf#p=1', { hash: blake3Short('three') })).toMatchObject({ status: 'gone' });
  });

  it.each([
    ['a.md#L0', {}],
    ['a.md#L1', { hash: 'abc' }],
    ['a.md#L1', { hash: 'g'.repeat(16) }],
    ['../a.md#L1', {}],
  ])('rejects %s with %j', async (uri, options) => {
    const kb = await openWithNote();
    await expect(verify(kb, uri, options)).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('rejects an unknown source rather than report the text as gone', async () => {
    const kb = await openWithNote();
    await kb.commit(sampleWrite('a.md', 'other\n', { sourceId: 'lib' }));
    await expect(verify(kb, 'a.md#L1', { source: 'lbi' })).rejects.toMatchObject({
      code: 'invalid_input',
      details: { field: 'source', value: 'lbi', suggestion: 'lib' },
    });
    expect(await verify(kb, 'b.md#L1', { source: 'lib' })).toMatchObject({ status: 'gone' });
  });

  it('searches the source that the URI names, or that is given with it', async () => {
    const kb = await openWithNote();
    await kb.commit(sampleWrite('a.md', 'other\n', { sourceId: 'lib' }));
    await expect(verify(kb, 'a.md')).rejects.toMatchObject({ code: 'invalid_input', details: { field: 'source' } });
    const other = { content_hash: blake3Short('other') };
    expect(await verify(kb, 'a.md#L1', { source: 'lib' })).toMatchObject(other);
    expect(await verify(kb, 'lib:a.md#L1')).toMatchObject(other);
    expect(await verify(kb, 'a.md#L1', { hash: other.content_hash })).toMatchObject({ found_uri: 'lib:a.md#L1' });
  });
});

describe('designate', () => {
  const picture = { kind: 'imageref', sourceSpan: { kind: 'region', x: 0, y: 0, w: 10, h: 20 } } as unknown as Block;

  it.each([
    [{ x: 0, y: 0, w: 10, h: 20 }, ''],
    [{ x: 9, y: 19, w: 50, h: 50 }, ''],
    [{ x: 10, y: 0, w: 5, h: 5 }, null],
    [{ x: 0, y: 20, w: 5, h: 5 }, null],
    [{ x: 0, y: 0, w: 0, h: 5 }, null],
  ])('finds the region %j of a picture only where both overlap', (region, text) => {
    expect(designate({ text: '', pages: [], blocks: [picture] }, { kind: 'region', ...region })).toBe(text);
  });

  it('finds no lines in a paged document', () => {
    const paged = { text: 'one', pages: [{ page: 1, start: 0, end: 3 }], blocks: [] };
    expect(designate(paged, { kind: 'line', start: 1, end: 1 })).toBe(null);
    expect(designate({ ...paged, pages: [] }, { kind: 'line', start: 1, end: 1 })).toBe('one');
  });
});

const view = (text: string): DocumentView => ({ text, pages: [], blocks: [] });

describe('findSimilar', () => {
  it('finds exactly the windows of lines that a plain comparison finds', () => {
    const texts = fc
      .array(fc.constantFrom('a', 'é', '😀', '\n', '\n', '\uD800'), { maxLength: 24 })
      .map((parts) => parts.join(''));
    const positive = fc.integer({ min: 1, max: 12 });
    fc.assert(
      fc.property(texts, positive, positive, positive, (text, at, from, height) => {
        const { count } = new LineIndex(text);
        const lines = text.split('\n').slice(0, count);
        const wanted = lines.slice(at - 1, at - 1 + height).join('\n');
        const others = lines
          .map((_, index) => index + 1)
          .filter((start) => start !== from && start + height - 1 <= count)
          .filter((start) => blake3Short(lines.slice(start - 1, start - 1 + height).join('\n')) === blake3Short(wanted))
          .toSorted((a, b) => Math.abs(a - from) - Math.abs(b - from) || b - a);
        const found = findSimilar(
          view(text),
          { kind: 'line', start: from, end: from + height - 1 },
          blake3Short(wanted),
        );
        const start = others[0];
        expect(found).toEqual(start === undefined ? null : { kind: 'line', start, end: start + height - 1 });
      }),
      { numRuns: 500 },
    );
  });

  const rows = (names: readonly string[], equal: readonly string[]): DocumentView => {
    const lines = names.map((name) => (equal.includes(name) ? 'same' : `line ${name}`));
    const starts = lines.map((_, at) => lines.slice(0, at).join('\n').length + (at === 0 ? 0 : 1));
    const blocks = names.map((anchor, at) => {
      const start = starts[at] ?? 0;
      return { sourceSpan: { kind: 'anchor', anchor }, start, end: start + (lines[at] ?? '').length } as Block;
    });
    return { text: lines.join('\n'), pages: [], blocks };
  };
  const upTo = (last: number, sheet = 'a'): readonly string[] =>
    Array.from({ length: last }, (_, at) => `sheet=${sheet}&row=${at + 1}`);
  const without = (gone: number): readonly string[] => upTo(40).filter((name) => name !== `sheet=a&row=${gone}`);
  it.each([
    ['a later row', 'sheet=a&row=22', upTo(40), ['sheet=a&row=3', 'sheet=a&row=21'], 'sheet=a&row=21'],
    ['an earlier row', 'sheet=a&row=5', upTo(40), ['sheet=a&row=3', 'sheet=a&row=21'], 'sheet=a&row=3'],
    ['the later of two', 'sheet=a&row=5', upTo(40), ['sheet=a&row=3', 'sheet=a&row=7'], 'sheet=a&row=7'],
    [
      'at the former position of a row',
      'sheet=a&row=22',
      without(22),
      ['sheet=a&row=3', 'sheet=a&row=21'],
      'sheet=a&row=21',
    ],
    ['at the new end of the rows', 'sheet=a&row=50', upTo(40), ['sheet=a&row=3', 'sheet=a&row=21'], 'sheet=a&row=21'],
    [
      'in the sheet of a deleted row',
      'sheet=b&row=22',
      [...upTo(40), ...upTo(20, 'b')],
      ['sheet=a&row=22', 'sheet=b&row=9'],
      'sheet=b&row=9',
    ],
    ['at an unknown position', 'sheet=c&row=2', upTo(9), ['sheet=a&row=4', 'sheet=a&row=8'], 'sheet=a&row=4'],
  ])('finds the nearest of several equal rows: %s', (_, cited, names, equal, nearest) => {
    const found = findSimilar(rows(names, equal), { kind: 'anchor', anchor: cited }, blake3Short('same'));
    expect(found).toEqual({ kind: 'anchor', anchor: nearest });
  });

  it('finds no other place for regions, captions and whole documents', () => {
    const hash = blake3Short('a');
    expect(findSimilar(view('a'), null, hash)).toBeNull();
    expect(findSimilar(view('a'), { kind: 'caption' }, hash)).toBeNull();
  });
});

describe('nearestFirst', () => {
  it.each([
    [3, 5, [4, 2, 5, 1]],
    [1, 3, [2, 3]],
    [1, 1, []],
    [9, 3, [3, 2, 1]],
    [2, 0, []],
    [4, -5, []],
  ])('expands from %i up to %i', (from, last, numbers) => {
    expect([...nearestFirst(from, last)]).toEqual(numbers);
  });

  it('yields every number but the first, ordered by distance', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), fc.nat({ max: 40 }), (from, last) => {
        const numbers = [...nearestFirst(from, last)];
        const expected = Array.from({ length: last }, (_, at) => at + 1).filter((number) => number !== from);
        expect(numbers.toSorted((a, b) => a - b)).toEqual(expected);
        const distances = numbers.map((number) => Math.abs(number - from));
        expect(distances).toEqual(distances.toSorted((a, b) => a - b));
      }),
    );
  });
});

describe('a citation with the hash of its text', () => {
  const open = openForTests();
  const pinned = (uri: string, text: string): string => `${uri}~${blake3Short(text).slice(0, 8)}`;
  const statusOf = async (kb: KnowledgeBase, uri: string) => (await verify(kb, uri)).status;

  it('does not flip: changed text is gone before and after the next ingest', async () => {
    const kb = await open();
    await kb.add('a.md', TEXT);
    const uri = pinned('a.md#L2-L3', 'beta\ngamma');
    expect(await statusOf(kb, uri)).toBe('exact');
    kb.putFile('a.md', TEXT.replace('gamma', 'gamma rays'));
    expect(await statusOf(kb, uri)).toBe('gone');
    await kb.add('a.md', TEXT.replace('gamma', 'gamma rays'));
    expect(await statusOf(kb, uri)).toBe('gone');
    expect(await statusOf(kb, 'a.md#L2-L3')).toBe('exact');
  });

  it('is followed where its text moved, into another file too, and says so with its hash', async () => {
    const kb = await open();
    await kb.add('a.md', `one\ntwo\n${TEXT}`);
    expect(await verify(kb, pinned('a.md#L2-L3', 'beta\ngamma'))).toMatchObject({
      status: 'moved',
      found_uri: pinned('a.md#L4-L5', 'beta\ngamma'),
    });
    await kb.add('b.md', `other\n${TEXT}`);
    expect(await verify(kb, pinned('gone.md#L2-L3', 'beta\ngamma'))).toMatchObject({ status: 'moved' });
  });

  it('counts only the hash that is asked for, when one is', async () => {
    const kb = await open();
    await kb.add('a.md', TEXT);
    expect(await verify(kb, pinned('a.md#L1', 'other'), { hash: blake3Short('alpha') })).toMatchObject({
      status: 'exact',
    });
  });

  it('is what a fetch of the place reports', async () => {
    const kb = await open();
    await kb.add('a.md', TEXT);
    const result = await kb.fetch({ kind: 'uri', uri: pinned('a.md#L1', 'alpha') });
    expect(result).toMatchObject({
      text: 'alpha',
      citation: { uri: 'a.md#L1', permalink: pinned('a.md#L1', 'alpha') },
    });
  });
});
