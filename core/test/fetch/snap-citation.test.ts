import { hostOf } from '../extraction/host-of.ts';
import { rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { DocumentWrite } from '../../src/contracts/document-store.ts';
import { invalidInput } from '../../src/errors/invalid-input.ts';
import { snapCitation, type SnapOptions } from '../../src/fetch/snap-citation.ts';
import type { ExtractionHost, RenderJob } from '../../src/extraction/extraction-job.ts';
import type { CitedQuery } from '../../src/domain/query.ts';
import { itemAt } from '../kb/item-at.ts';
import { fingerprintOf } from '../../src/domain/policy-hash.ts';
import { ocrOptions, ReadingCache } from '../../src/extraction/reading-cache.ts';
import type { FakeContributions } from '../fake-components.ts';
import { FakeOcrEngine } from '@kebab/testing';
import { openForTests } from '../kb/open-for-tests.ts';
import { imageWrite, pagedWrite, SeeingExtractor } from './picture-kb.ts';

const PAGES = ['first page', 'second page', 'third page'];

describe('snapCitation', () => {
  const open = openForTests();

  async function openWith(
    write: DocumentWrite,
    extractor = new SeeingExtractor(),
    host: ExtractionHost | null = null,
    more: FakeContributions = {},
  ) {
    const kb = await open({ contributions: { extractor: { seeing: extractor }, ...more } });
    kb.putFile(write.document.workspacePath, write.document.text);
    await kb.commit(write);
    const snap = (query: CitedQuery | string, options?: SnapOptions) =>
      snapCitation(
        { ...kb.ports, extraction: async () => host },
        typeof query === 'string' ? { kind: 'uri', uri: query } : query,
        options,
      );
    const chunk = (at: number): CitedQuery => ({ kind: 'chunk', chunkId: itemAt(write.chunks, at).chunkId });
    return { kb, extractor, snap, chunk };
  }

  describe('of a paged document', () => {
    it('renders the page that a URI names, without a frame', async () => {
      const { kb, extractor, snap } = await openWith(pagedWrite('papers/a.pdf', PAGES));
      expect(await snap('papers/a.pdf#p=2', { maxPixels: 700 })).toMatchObject({
        docPath: 'papers/a.pdf',
        uri: 'papers/a.pdf#p=2',
        page: 2,
        outlined: false,
        freshness: 'fresh',
        file: join(kb.root, 'papers/a.pdf'),
        width: 700,
        height: 1,
      });
      expect(extractor.seen).toEqual([{ picture: 'page=2', maxPixels: 700, bytes: PAGES.join('\n\n') }]);
    });

    it('asks for the text of a page with its positions on request', async () => {
      const { extractor, snap } = await openWith(pagedWrite('a.pdf', PAGES));
      await snap('a.pdf#p=1', { withText: true });
      await snap('a.pdf#p=1');
      expect(extractor.seen.map(({ withText }) => withText)).toEqual([true, undefined]);
    });

    it('frames the characters of a chunk on its page', async () => {
      const { extractor, snap, chunk } = await openWith(pagedWrite('a.pdf', PAGES));
      expect(await snap(chunk(3))).toMatchObject({ uri: 'a.pdf#p=2', page: 2, outlined: true });
      expect(extractor.seen).toMatchObject([{ picture: 'page=2', outline: { start: 5, end: 11 }, maxPixels: 1600 }]);
    });

    it('shows the first page when none is named', async () => {
      const { extractor, snap } = await openWith(pagedWrite('a.pdf', PAGES));
      expect(await snap('a.pdf')).toMatchObject({ uri: 'a.pdf', page: 1 });
      expect(extractor.seen).toMatchObject([{ picture: 'page=1' }]);
    });

    it('marks the words of a query on the page, including other forms', async () => {
      const { extractor, snap, chunk } = await openWith(pagedWrite('a.pdf', PAGES));
      expect(await snap(chunk(3), { words: 'the seconds PAGE' })).toMatchObject({ outlined: true, marked: 2 });
      expect(await snap('a.pdf#p=1', { words: 'page' })).toMatchObject({ outlined: false, marked: 1 });
      expect(await snap('a.pdf#p=1', { words: 'absent' })).toMatchObject({ marked: 0 });
      const [second, first] = extractor.seen;
      expect(second?.marks).toEqual([
        { start: 0, end: 6 },
        { start: 7, end: 11 },
      ]);
      expect(first?.marks).toEqual([{ start: 6, end: 10 }]);
    });

    it('frames a page read by OCR by the cached positions, for the current settings', async () => {
      const engine = new FakeOcrEngine();
      const write = pagedWrite('a.pdf', PAGES, 'pages 2–3');
      const { kb, extractor, snap, chunk } = await openWith(write, undefined, null, { ocr: { fake: engine } });
      const ocr = { joined: PAGES[1] ?? '', regions: [], engine: 'fake', engineVersion: '1' };
      const key = {
        checksum: write.asset.checksum,
        picture: 'page=2',
        renderer: 'seeing@1',
        reader: fingerprintOf(engine),
        options: ocrOptions(kb.config.ocr),
      };
      const writer = await kb.store.openWriter({ waitMs: 0 });
      await new ReadingCache(writer.derivations, kb.clock).set('ocr', key, ocr);
      await writer.close();
      expect(await snap(chunk(3), { words: 'page' })).toMatchObject({ outlined: true, lacksReading: false, marked: 1 });
      expect(extractor.readings[0]?.get('page=2')).toEqual({ ocr, caption: null });
      expect(await snap(chunk(4))).toMatchObject({ outlined: false, lacksReading: true });
    });

    it('frames nothing on a page read by OCR when the positions of its lines are not cached', async () => {
      const { extractor, snap, chunk } = await openWith(pagedWrite('a.pdf', PAGES, 'pages 2–3'));
      expect([await snap(chunk(2)), await snap(chunk(0))]).toMatchObject([
        { outlined: false, lacksReading: true },
        { outlined: true, lacksReading: false },
      ]);
      expect(extractor.seen[0]).not.toHaveProperty('outline');
    });

    it('reports that the file changed, shows its current state, and frames nothing by the old offsets', async () => {
      const { kb, extractor, snap, chunk } = await openWith(pagedWrite('a.pdf', PAGES));
      kb.putFile('a.pdf', 'something else');
      expect(await snap(chunk(3))).toMatchObject({ outlined: false, freshness: 'changed' });
      expect(extractor.seen).toEqual([{ picture: 'page=2', maxPixels: 1600, bytes: 'something else' }]);
    });

    it('attributes a missing page to the change when the file has changed', async () => {
      const failure = invalidInput('there is no picture page=3: the file has 1 pages', { field: 'picture' });
      const { kb, snap } = await openWith(pagedWrite('a.pdf', PAGES), new SeeingExtractor({ failure }));
      await expect(snap('a.pdf#p=3')).rejects.toBe(failure);
      kb.putFile('a.pdf', 'something else');
      await expect(snap('a.pdf#p=3')).rejects.toMatchObject({
        code: 'invalid_input',
        message: 'a.pdf changed since it was ingested: there is no picture page=3: the file has 1 pages',
        hint: expect.stringContaining('kebab ingest'),
      });
    });

    it.each(['a.pdf#p=4', 'a.pdf#L1', 'a.pdf#xywh=0,0,9,9', 'a.pdf#caption'])('rejects %s', async (uri) => {
      const { extractor, snap } = await openWith(pagedWrite('a.pdf', PAGES));
      await expect(snap(uri)).rejects.toMatchObject({ code: 'invalid_input', details: { field: 'uri' } });
      expect(extractor.seen).toEqual([]);
    });
  });

  describe('of an image', () => {
    it.each([
      ['b.png#xywh=10,5,20,10', { picture: 'image', outline: { x: 10, y: 5, w: 20, h: 10 } }],
      ['b.png#caption', { picture: 'image' }],
      ['b.png', { picture: 'image' }],
    ])('shows %s', async (uri, wanted) => {
      const { extractor, snap } = await openWith(imageWrite('b.png', ['words']));
      expect(await snap(uri)).toMatchObject({ uri, page: null, outlined: 'outline' in wanted });
      expect(extractor.seen).toEqual([{ ...wanted, maxPixels: 1600, bytes: 'words' }]);
    });

    it('frames the region of a chunk, in the picture of the file that contains it', async () => {
      const { extractor, snap, chunk } = await openWith(imageWrite('fax.tif', ['one', 'two', 'three']));
      await snap(chunk(1));
      await snap('fax.tif#xywh=30,5,20,10');
      await snap('fax.tif#xywh=1,2,3,4');
      expect(extractor.seen).toMatchObject([
        { picture: 'page=2', outline: { x: 20 } },
        { picture: 'page=3', outline: { x: 30 } },
        { picture: 'page=1', outline: { x: 1 } },
      ]);
    });

    it.each(['b.png#xywh=100,5,20,10', 'b.png#xywh=0,0,0,10', 'b.png#p=1', 'b.png#L1'])('rejects %s', async (uri) => {
      const { snap } = await openWith(imageWrite('b.png', ['words']));
      await expect(snap(uri)).rejects.toMatchObject({ code: 'invalid_input', details: { field: 'uri' } });
    });
  });

  it('refers to fetch for a text document', async () => {
    const { kb, snap } = await openWith(pagedWrite('a.pdf', PAGES));
    const { chunks } = await kb.add('notes/a.md', 'first\n');
    await expect(snap('notes/a.md#L1')).rejects.toMatchObject({
      code: 'invalid_input',
      hint: 'read it with `kebab fetch uri "notes/a.md#L1"`',
    });
    const { chunkId } = itemAt(chunks, 0);
    await expect(snap({ kind: 'chunk', chunkId })).rejects.toMatchObject({
      code: 'invalid_input',
      hint: `read it with \`kebab fetch chunk ${chunkId}\``,
    });
  });

  it('reports which document or chunk is unknown', async () => {
    const { kb, snap } = await openWith(pagedWrite('a.pdf', PAGES));
    await expect(snap('z.pdf#p=1')).rejects.toMatchObject({ code: 'doc_not_found', details: { path: 'z.pdf' } });
    await expect(snap({ kind: 'chunk', chunkId: 'f'.repeat(32) as never })).rejects.toMatchObject({
      code: 'chunk_not_found',
    });
    rmSync(join(kb.root, 'a.pdf'));
    await expect(snap('a.pdf#p=1')).rejects.toMatchObject({
      code: 'io_error',
      details: {
        kind: 'ENOENT',
        path: join(kb.root, 'a.pdf'),
      },
      hint: expect.stringContaining('kebab fetch'),
    });
  });

  it.each([0, 10_001, 1.5])('rejects a size of %d pixels', async (maxPixels) => {
    const { snap } = await openWith(pagedWrite('a.pdf', PAGES));
    await expect(snap('a.pdf#p=1', { maxPixels })).rejects.toMatchObject({ details: { field: 'max_pixels' } });
  });

  it('reads no file larger than an ingest would', async () => {
    const { kb, snap } = await openWith(pagedWrite('a.pdf', PAGES));
    truncateSync(join(kb.root, 'a.pdf'), kb.config.indexing.maxFileMb * 1_048_576 + 1);
    await expect(snap('a.pdf#p=1')).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringMatching(/max_file_mb/),
    });
  });

  it('requires the extractor that created the document', async () => {
    const write = pagedWrite('a.pdf', PAGES);
    const foreign = write.document.provenance.map((event) => ({ ...event, agent: '@acme/pdf@2.0.0' }));
    const { snap } = await openWith({ ...write, document: { ...write.document, provenance: foreign } });
    await expect(snap('a.pdf#p=1')).rejects.toMatchObject({
      message: 'a.pdf was read by @acme/pdf@2.0.0, which is not there any more',
      hint: expect.stringContaining('kebab ingest'),
    });
  });

  it('rejects a picture that is not a PNG', async () => {
    const extractor = new SeeingExtractor({ png: new TextEncoder().encode('the bytes of the file') });
    const { snap } = await openWith(pagedWrite('a.pdf', PAGES), extractor);
    await expect(snap('a.pdf#p=1')).rejects.toMatchObject({ code: 'plugin_failed', details: { stage: 'render' } });
  });

  it('renders in a process when the extractor requires it, and reuses the process', async () => {
    const jobs: RenderJob[] = [];
    let closed = 0;
    const host = hostOf(async ({ kind, job }) => {
      if (kind === 'render') jobs.push(job);
      return { png: Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a), width: 1, height: 1 };
    });
    host.close = async () => void closed++;
    const extractor = new SeeingExtractor({ isolation: 'worker' });
    const { snap } = await openWith(pagedWrite('a.pdf', PAGES), extractor, host);
    await snap('a.pdf#p=1');
    expect([jobs.length, extractor.seen.length, closed]).toEqual([1, 0, 0]);
    expect(jobs[0]).toMatchObject({
      extractorId: 'seeing',
      asset: { workspacePath: 'a.pdf', mediaType: { kind: 'pdf' } },
    });
  });

  it('stops when it is cancelled', async () => {
    const { extractor, snap } = await openWith(pagedWrite('a.pdf', PAGES));
    await expect(snap('a.pdf#p=1', { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'cancelled',
      details: { operation: 'snap' },
    });
    expect(extractor.seen).toEqual([]);
  });
});
