import { describe, expect, it } from 'vitest';
import type { Extractor } from '../../../src/contracts/extractor.ts';
import type { OcrEngine } from '../../../src/contracts/ocr-engine.ts';
import { KebabError } from '../../../src/errors/kebab-error.ts';
import { FakeCaptioner, FakeOcrEngine } from '@kebab/testing';
import type { IngestItem, IngestReport } from '../../../src/wire/index.ts';
import { countsOf, type IngestWorld, worldsForTests } from '../ingest-world.ts';
import type { TreeContent } from '../temporary-tree.ts';
import { pictureExtractor, type PictureExtractorOptions } from './picture-extractor.ts';

const openWorld = worldsForTests();

const NEITHER = { KEBAB_MODELS_EMBEDDING_PROVIDER: 'none' };
const OCR = { ...NEITHER, KEBAB_OCR_ENGINE: 'reader' };
const BOTH = { ...OCR, KEBAB_CAPTION_PROVIDER: 'teller' };

function plugins(
  ocr: OcrEngine | null,
  options: PictureExtractorOptions & { readonly captioner?: FakeCaptioner; readonly extractor?: Extractor } = {},
) {
  const { captioner, extractor = pictureExtractor(options) } = options;
  return {
    extractor: { pictures: extractor },
    ...(ocr === null ? {} : { ocr: { reader: ocr } }),
    ...(captioner === undefined ? {} : { captioner: { teller: captioner } }),
  };
}

/** A workspace with pictures and what reads them. */
function open(files: TreeContent, env: Readonly<Record<string, string>>, ...given: Parameters<typeof plugins>) {
  return openWorld({ files, env, contributions: plugins(...given) });
}

function itemOf(report: IngestReport, path = 'a.txt'): IngestItem | undefined {
  return report.items?.find((item) => item.doc_path === path);
}

async function textOf({ store }: IngestWorld, path = 'a.txt'): Promise<string> {
  const document = await store.findDocument('default', path);
  const [text = ''] = document === null ? [] : await store.readTexts([{ docId: document.docId }]);
  return text;
}

async function provenanceOf(
  { store }: IngestWorld,
  path = 'a.txt',
): Promise<readonly (readonly [string, string, string | null])[]> {
  const document = await store.findDocument('default', path);
  const { provenance = [] } = (document === null ? null : await store.getCanonicalDocument(document.docId)) ?? {};
  return provenance
    .filter(({ kind }) => kind !== 'discovered' && kind !== 'parsed' && kind !== 'chunked')
    .map(({ agent, kind, note }) => [agent, kind, note]);
}

function unreachable(): never {
  throw new KebabError('model_unreachable', 'no model server at http://127.0.0.1:11434', {
    details: { endpoint: 'http://127.0.0.1:11434', model: 'x', cause: 'ECONNREFUSED' },
    hint: 'start it',
  });
}

describe('an ingest of files with pictures', () => {
  it('has each picture read and captioned, and extracts the file again with the readings', async () => {
    const captioner = new FakeCaptioner();
    const ocr = new FakeOcrEngine();
    const world = await open({ 'a.txt': 'words\nscan\nscan' }, BOTH, ocr, { captioner });
    const report = await world.ingest();
    expect(await textOf(world)).toBe(
      'words\nA picture of 20 by 20 pixels./A picture of 1 bytes.\nA picture of 30 by 30 pixels./A picture of 1 bytes.',
    );
    expect(itemOf(report)).toMatchObject({ kind: 'new', ocr_pages: 2, warnings: [] });
    expect(ocr.asked).toEqual([
      { width: 20, height: 20, languages: ['eng', 'kor'] },
      { width: 30, height: 30, languages: ['eng', 'kor'] },
    ]);
    expect(await provenanceOf(world)).toEqual([
      ['fake@1.0.0', 'ocr_applied', 'pages 2–3'],
      ['fake@1.0.0', 'caption_applied', 'pages 2–3'],
    ]);
    expect(report.degraded).toEqual([]);
  });

  it('requests captions in the language of the text in the picture', async () => {
    const captioner = new FakeCaptioner();
    const lines = ['한국어로 쓰인 글이 이 그림에 있습니다'];
    const ocr = new FakeOcrEngine({ read: ({ width }) => (width === 10 ? lines : []) });
    const world = await open({ 'a.txt': 'scan\nscan' }, BOTH, ocr, { captioner });
    await world.ingest();
    expect(captioner.asked).toEqual(['ko', 'en']);
  });

  it('reads nothing when no engine is configured, and reports nothing about it', async () => {
    const ocr = new FakeOcrEngine();
    const world = await open({ 'a.txt': 'scan' }, NEITHER, ocr);
    const report = await world.ingest();
    expect(itemOf(report)).toMatchObject({ kind: 'new', ocr_pages: 0, warnings: [] });
    expect([ocr.asked, report.degraded]).toEqual([[], []]);
  });

  it('reports each picture that a model begins to read, between the start and the end of its file', async () => {
    const world = await open({ 'a.txt': 'words\nscan' }, BOTH, new FakeOcrEngine(), { captioner: new FakeCaptioner() });
    await world.ingest();
    const told = world.events.map(({ ts: _ts, schema_version: _version, ...event }) => event);
    expect(told.slice(2, -1)).toMatchObject([
      { kind: 'asset_started', idx: 1 },
      { kind: 'asset_stage', idx: 1, stage: 'ocr', model: 'reader', page: 2 },
      { kind: 'asset_stage', idx: 1, stage: 'caption', model: 'teller', page: 2 },
      { kind: 'asset_finished', idx: 1, result: 'new' },
    ]);
  });

  it('reports with each picture the configured model, not the engine that runs it', async () => {
    const env = { ...BOTH, KEBAB_OCR_MODEL: 'minicpm-v', KEBAB_CAPTION_MODEL: 'moondream' };
    const world = await open({ 'a.txt': 'scan' }, env, new FakeOcrEngine(), { captioner: new FakeCaptioner() });
    await world.ingest();
    const stages = world.events.filter(({ kind }) => kind === 'asset_stage');
    expect(stages).toMatchObject([
      { stage: 'ocr', model: 'minicpm-v' },
      { stage: 'caption', model: 'moondream' },
    ]);
  });

  it('calls no model again for a file that was moved, restored or ingested again', async () => {
    const ocr = new FakeOcrEngine();
    const captioner = new FakeCaptioner();
    const world = await open({ 'a.txt': 'scan' }, BOTH, ocr, { captioner });
    await world.ingest();
    const text = await textOf(world);
    world.put({ 'b.txt': 'scan' });
    world.drop('a.txt');
    const moved = await world.ingest({ allowMassDelete: true });
    expect([countsOf(moved), itemOf(moved, 'b.txt')?.ocr_pages]).toEqual([{ new: 1, purged: 1 }, 1]);
    expect(itemOf(await world.ingest({ forceReingest: true }), 'b.txt')).toMatchObject({
      kind: 'updated',
      ocr_pages: 1,
    });
    expect(await textOf(world, 'b.txt')).toBe(text);
    expect([ocr.asked.length, captioner.asked.length]).toEqual([1, 1]);
  });

  it('calls it again when the engine, its languages or its pixels change', async () => {
    const first = new FakeOcrEngine();
    const world = await open({ 'a.txt': 'scan' }, OCR, first);
    await world.ingest();
    const second = new FakeOcrEngine({ fingerprint: 'fake@2' });
    await (await world.changed({ env: OCR, contributions: plugins(second) })).ingest({ forceReingest: true });
    const env = { ...OCR, KEBAB_OCR_LANGUAGES: 'kor', KEBAB_OCR_MAX_PIXELS: '5' };
    await (await world.changed({ env, contributions: plugins(second) })).ingest({ forceReingest: true });
    expect(second.asked).toEqual([
      { width: 10, height: 10, languages: ['eng', 'kor'] },
      { width: 5, height: 5, languages: ['kor'] },
    ]);
  });

  it.each<[string, PictureExtractorOptions['before'], FakeOcrEngine, RegExp]>([
    [
      'the engine throws',
      undefined,
      new FakeOcrEngine({
        read: ({ width }) => {
          if (width === 20) throw new Error('out of ink');
          return ['fine'];
        },
      }),
      /^ocr_failed: page 2: fake@1\.0\.0\/ocr\/a\.txt failed: out of ink$/,
    ],
    [
      'the picture cannot be rendered',
      (picture) => {
        if (picture === 'page=2') throw new Error('its pixels are damaged');
      },
      new FakeOcrEngine({ read: () => ['fine'] }),
      /^ocr_failed: page 2: fake@1\.0\.0\/render\/a\.txt failed: its pixels are damaged$/,
    ],
  ])('keeps the document and warns about the one page when %s', async (_, before, ocr, warning) => {
    const extractor = pictureExtractor({ uses: ['ocr'], ...(before === undefined ? {} : { before }) });
    const world = await open({ 'a.txt': 'scan\nscan\nscan' }, OCR, ocr, { extractor });
    const report = await world.ingest();
    expect(await textOf(world)).toBe('fine/\n/\nfine/');
    expect(itemOf(report)).toMatchObject({ kind: 'new', ocr_pages: 2 });
    expect(itemOf(report)?.warnings).toEqual([expect.stringMatching(warning)]);
    expect((await provenanceOf(world)).map(([, kind]) => kind)).toEqual(['ocr_applied', 'warning']);
    expect([countsOf(await world.ingest()), report.degraded]).toEqual([{ unchanged: 1 }, []]);
  });

  it('rejects text whose boxes are outside the picture', async () => {
    class Outside extends FakeOcrEngine {
      override async recognize(
        ...[image, context]: Parameters<OcrEngine['recognize']>
      ): ReturnType<OcrEngine['recognize']> {
        const text = await super.recognize(image, context);
        return {
          ...text,
          regions: text.regions.map((region) => ({ ...region, bbox: [5, 5, image.width, 1] as const })),
        };
      }
    }
    const world = await open({ 'a.txt': 'scan' }, OCR, new Outside(), { uses: ['ocr'] });
    expect(itemOf(await world.ingest())?.warnings).toEqual([
      'ocr_failed: page 1: fake@1.0.0/ocr/a.txt failed: a box of 5, 5, 10, 1 does not lie in a picture of 10 × 10 pixels',
    ]);
  });

  it('abandons a page after its time limit, even when the engine does not stop', async () => {
    const ocr = new FakeOcrEngine({ read: ({ width }) => (width === 10 ? new Promise(() => {}) : ['fine']) });
    const env = { ...OCR, KEBAB_OCR_TIMEOUT_S: '1' };
    const world = await open({ 'a.txt': 'scan\nscan' }, env, ocr, { uses: ['ocr'] });
    const report = await world.ingest();
    expect(itemOf(report)?.warnings).toEqual(['ocr_failed: page 1: it did not finish within 1 s']);
    expect(await textOf(world)).toBe('/\nfine/');
  });

  it('stops between pages when it is cancelled, keeps the readings, and continues from there', async () => {
    const abort = new AbortController();
    const ocr = new FakeOcrEngine({
      read: ({ width }) => {
        if (width === 20) abort.abort();
        return ['fine'];
      },
    });
    const world = await open({ 'a.txt': 'scan\nscan\nscan' }, OCR, ocr, { uses: ['ocr'] });
    const report = await world.ingest({ signal: abort.signal });
    expect(report.aborted).toBe(true);
    expect(report).toMatchObject({ errors: 0, items: [] });
    expect(ocr.asked.length).toBe(2);
    expect(itemOf(await world.ingest())).toMatchObject({ kind: 'new', ocr_pages: 3 });
    expect(ocr.asked.map(({ width }) => width)).toEqual([10, 20, 30]);
  });

  it('finishes the pages of the document in progress when a cancelled run has a grace period', async () => {
    const abort = new AbortController();
    const ocr = new FakeOcrEngine({
      read: () => {
        abort.abort();
        return ['fine'];
      },
    });
    const world = await open({ 'a.txt': 'scan\nscan' }, OCR, ocr, { uses: ['ocr'] });
    const report = await world.ingest({ signal: abort.signal, graceMs: 60_000 });
    expect(report).toMatchObject({ aborted: true, new: 1, errors: 0 });
    expect(itemOf(report)).toMatchObject({ ocr_pages: 2 });
  });
});

describe('an ingest without a reader of pictures', () => {
  const files = { 'a.txt': 'scan\nwords\nscan', 'b.txt': 'scan' };

  it('keeps the documents, warns once per file, and reports what is missing', async () => {
    const world = await open(files, OCR, null, { uses: ['ocr'] });
    const report = await world.ingest();
    expect(await textOf(world)).toBe('/\nwords\n/');
    expect(itemOf(report)).toMatchObject({ kind: 'new', ocr_pages: 0 });
    expect(itemOf(report)?.warnings).toEqual(['ocr_failed: pages 1, 3: no fake ocr "reader"']);
    expect(report.degraded).toEqual([{ stage: 'ocr', reason: 'plugin_failed', hint: expect.any(String) as string }]);
  });

  it('counts the documents with unread pictures', async () => {
    const world = await open(files, OCR, null, { uses: ['ocr'] });
    expect(await world.ingest()).toMatchObject({ new: 2, unread: 2 });
    expect(await world.ingest()).toMatchObject({ unchanged: 2, unread: 0 });
    const whole = await world.changed({ env: OCR, contributions: plugins(new FakeOcrEngine(), { uses: ['ocr'] }) });
    expect(await whole.ingest()).toMatchObject({ updated: 2, unread: 0 });
  });

  it('changes nothing while it is still missing, and reports it again', async () => {
    const world = await open(files, OCR, null, { uses: ['ocr'] });
    await world.ingest();
    const revision = await world.store.corpusRevision();
    const again = await world.ingest();
    expect([countsOf(again), again.degraded.length]).toEqual([{ unchanged: 2 }, 1]);
    expect(await world.store.corpusRevision()).toBe(revision);
  });

  it('reads the pictures in the first run in which it is available', async () => {
    const world = await open(files, OCR, null, { uses: ['ocr'] });
    await world.ingest();
    const ocr = new FakeOcrEngine({ read: () => ['fine'] });
    const whole = await world.changed({ env: OCR, contributions: plugins(ocr, { uses: ['ocr'] }) });
    const report = await whole.ingest();
    expect([countsOf(report), report.degraded]).toEqual([{ updated: 2 }, []]);
    expect(await textOf(whole)).toBe('fine/\nwords\nfine/');
    expect(countsOf(await whole.ingest())).toEqual({ unchanged: 2 });
  });

  it('calls an unreachable model once, not for every page', async () => {
    const ocr = new FakeOcrEngine({ read: unreachable });
    const env = { ...OCR, KEBAB_INDEXING_MAX_PARALLEL_EXTRACTORS: '1' };
    const world = await open(files, env, ocr, { uses: ['ocr'] });
    const report = await world.ingest();
    expect(report.degraded).toEqual([{ stage: 'ocr', reason: 'model_unreachable', hint: 'start it' }]);
    expect(itemOf(report, 'b.txt')?.warnings).toEqual([
      'ocr_failed: page 1: no model server at http://127.0.0.1:11434',
    ]);
    expect(ocr.asked.length).toBe(1);
    expect(countsOf(await world.ingest())).toEqual({ unchanged: 2 });
    expect(ocr.asked.length).toBe(2);
  });

  it('reads what it can when only the captioner is missing', async () => {
    const ocr = new FakeOcrEngine({ read: () => ['fine'] });
    const world = await open(files, BOTH, ocr);
    const report = await world.ingest();
    expect(await textOf(world)).toBe('fine/\nwords\nfine/');
    expect(itemOf(report)?.warnings).toEqual(['caption_failed: pages 1, 3: no fake captioner "teller"']);
    expect(report.degraded.map(({ stage }) => stage)).toEqual(['caption']);
    const whole = await world.changed({ env: BOTH, contributions: plugins(ocr, { captioner: new FakeCaptioner() }) });
    expect(countsOf(await whole.ingest())).toEqual({ updated: 2 });
    expect(await textOf(whole, 'b.txt')).toBe('fine/A picture of 1 bytes.');
    expect(ocr.asked.length).toBe(3);
  });
});

describe('text that was read in pictures', () => {
  const files = { 'a.txt': 'scan\nwords\nscan' };
  const read = (ocr: OcrEngine | null, fingerprint: string) => plugins(ocr, { uses: ['ocr'], fingerprint });
  const fine = (): FakeOcrEngine => new FakeOcrEngine({ read: () => ['fine'] });

  async function readWorld(): Promise<IngestWorld> {
    const world = await open(files, OCR, fine(), { uses: ['ocr'], fingerprint: 'by fake' });
    await world.ingest();
    expect(await textOf(world)).toBe('fine/\nwords\nfine/');
    return world;
  }

  it('is kept when OCR is switched off, and read again once it is switched on', async () => {
    const world = await readWorld();
    const off = await world.changed({ env: NEITHER, contributions: read(null, 'by none') });
    expect(await off.ingest()).toMatchObject({ updated: 1, errors: 0, unread: 0 });
    expect(await textOf(off)).toBe('fine/\nwords\nfine/');
    expect(countsOf(await off.ingest())).toEqual({ unchanged: 1 });
    const better = new FakeOcrEngine({ read: () => ['better'], fingerprint: 'better@1' });
    const on = await off.changed({ env: OCR, contributions: read(better, 'by better') });
    await on.ingest();
    expect(await textOf(on)).toBe('better/\nwords\nbetter/');
  });

  it('is kept while another engine is unavailable, and replaced in the first run in which it is available', async () => {
    const world = await readWorld();
    const down = await world.changed({ env: OCR, contributions: read(null, 'by better') });
    const report = await down.ingest();
    expect(await textOf(down)).toBe('fine/\nwords\nfine/');
    expect(itemOf(report)?.warnings).toEqual(['ocr_failed: pages 1, 3: no fake ocr "reader"']);
    expect(countsOf(await down.ingest())).toEqual({ unchanged: 1 });
    const better = new FakeOcrEngine({ read: () => ['better'], fingerprint: 'better@1' });
    const up = await down.changed({ env: OCR, contributions: read(better, 'by better') });
    await up.ingest();
    expect(await textOf(up)).toBe('better/\nwords\nbetter/');
  });

  it('is kept when another engine fails on one of the pictures', async () => {
    const world = await readWorld();
    const failing = new FakeOcrEngine({
      fingerprint: 'failing@1',
      read: ({ width }) => (width === 30 ? Promise.reject(new Error('too dark')) : ['better']),
    });
    const other = await world.changed({ env: OCR, contributions: read(failing, 'by failing') });
    const report = await other.ingest();
    expect(await textOf(other)).toBe('fine/\nwords\nfine/');
    expect(itemOf(report)?.warnings).toEqual([expect.stringContaining('ocr_failed: page 3')]);
  });

  it('is kept when everything is read again on request and no reader is available', async () => {
    const world = await readWorld();
    const off = await world.changed({ env: NEITHER, contributions: read(null, 'by none') });
    await off.ingest({ forceReingest: true });
    expect(await textOf(off)).toBe('fine/\nwords\nfine/');
  });

  it('is dropped when the file has changed', async () => {
    const world = await readWorld();
    world.tree.put({ 'kb/a.txt': 'scan' });
    const off = await world.changed({ env: NEITHER, contributions: read(null, 'by none') });
    await off.ingest();
    expect(await textOf(off)).toBe('/');
  });
});

describe('the languages of OCR', () => {
  class Reader extends FakeOcrEngine {
    async languages(): Promise<readonly string[]> {
      return ['eng', 'kor', 'fra'];
    }
  }

  it('are rejected before anything changes when the engine has no data for one, with the nearest available one', async () => {
    const env = { ...OCR, KEBAB_OCR_LANGUAGES: 'eng,fre' };
    const world = await open({ 'a.txt': 'scan' }, env, new Reader(), { uses: ['ocr'] });
    await expect(world.ingest()).rejects.toMatchObject({
      code: 'config_invalid',
      details: { key: 'ocr.languages', suggestion: 'fra' },
      message: 'ocr.languages: reader has no data for the language "fre"; it has eng, kor, fra; did you mean fra?',
      hint: expect.stringContaining('`kebab config set ocr.languages eng,fra`') as unknown,
    });
    expect(await world.store.documentCount()).toBe(0);
  });

  it('are not checked when the engine reads any', async () => {
    const env = { ...OCR, KEBAB_OCR_LANGUAGES: 'tlh' };
    const world = await open({ 'a.txt': 'scan' }, env, new FakeOcrEngine());
    expect(await world.ingest()).toMatchObject({ new: 1 });
  });
});
