import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { builtins } from '@kebab/builtins';
import type { ChunkId, DocumentId } from '@kebab/core';
import type { PluginManifest } from '@kebab/core/app';
import type { App, IngestReport, BuiltinPlugin, OpenAppOptions, SearchHit } from '@kebab/core/app';
import { FakeOcrEngine } from '@kebab/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { frameInPng } from './frame-in-png.ts';
import image from '../plugins/image-ocr/package.json' with { type: 'json' };
import { UserHome } from './user-home.ts';

const data = fileURLToPath(new URL('../../shared/data', import.meta.url));
const present = existsSync(path.join(data, 'pdf')) && existsSync(path.join(data, 'ocr'));
const skipped = present ? '' : ' (skipped: ../shared/data is not there)';
/** Text on page 5. */
const COPY_PROPAGATION = 'move statements optimized away by the compiler using copy propagation';
const PASSWORD = 'openpassword';
const LINES = ['cash register of the tea house', 'two pots of green tea', 'total nine ringgit'];

/** Recognises the same lines in every picture, one below the other, each across the full width. */
const reader: BuiltinPlugin = {
  manifest: {
    name: '@test/reader',
    version: '1.0.0',
    apiVersion: 1,
    contributes: { ocr: ['fake'] },
    permissions: { fs: 'none', net: [], spawn: [] },
  },
  load: async () => ({
    default: {
      name: '@test/reader',
      version: '1.0.0',
      apiVersion: 1,
      permissions: { fs: 'none', net: [], spawn: [] },
      contributes: { ocr: { fake: () => new FakeOcrEngine({ read: () => LINES }) } },
    },
  }),
};
const images: BuiltinPlugin = {
  manifest: {
    name: image.name,
    version: image.version,
    apiVersion: image.kebab.apiVersion,
    contributes: image.kebab.contributes,
    permissions: image.kebab.permissions as PluginManifest['permissions'],
  },
  load: () => import('../plugins/image-ocr/src/index.ts'),
};

describe.skipIf(!present)(`viewing cited places in real files${skipped}`, { timeout: 600_000 }, () => {
  const home = new UserHome();
  const root = present ? home.notes : '';

  const open = (given: Pick<OpenAppOptions, 'flags' | 'extractionWorkerUrl'> = {}) =>
    home.open(
      {
        KEBAB_OCR_ENGINE: 'fake',
        KEBAB_PDF_OCR: 'auto',
        KEBAB_LOGGING_LEVEL: 'debug',
        VITEST_WORKER_ID: '1', // lets the extraction processes, which have only this environment, run TypeScript (scripts/register-ts.mjs)
      },
      { builtins: [...builtins.filter(({ manifest }) => manifest.name !== image.name), images, reader], ...given },
    );

  let app: App;
  let report: IngestReport;
  beforeAll(async () => {
    for (const file of [
      'pdf/tracemonkey.pdf',
      'pdf/linn.pdf',
      'pdf/libreoffice-writer-password.pdf',
      'ocr/sroie-000.jpg',
    ]) {
      const target = path.join(root, file.startsWith('pdf') ? 'papers' : 'photos', path.basename(file));
      mkdirSync(path.dirname(target), { recursive: true });
      copyFileSync(path.join(data, file), target);
    }
    writeFileSync(path.join(root, 'notes.md'), '# Notes\n\nnothing but words\n');
    app = await open({ extractionWorkerUrl: new URL('../host-cli/src/extraction-worker.ts', import.meta.url) });
    // The processes of this host have no image extractor, so everything is ingested on this thread.
    report = await (await open()).ingest();
  }, 600_000);
  afterAll(() => home.remove());

  async function find(text: string, from: App = app): Promise<SearchHit> {
    return only((await from.search({ text, mode: 'lexical', k: 1 })).hits);
  }

  it('are ingested, except the encrypted one', () => {
    expect(report).toMatchObject({ new: 4, errors: 1, degraded: [] });
    const errors = report.items?.filter(({ kind }) => kind === 'error');
    expect(errors?.map(({ doc_path, error }) => [doc_path, error])).toEqual([
      ['papers/libreoffice-writer-password.pdf', expect.stringContaining('does not open without a password')],
    ]);
    expect(report.items?.map(({ doc_path, ocr_pages }) => [doc_path, ocr_pages])).toContainEqual([
      'papers/linn.pdf',
      1,
    ]);
  });

  describe('a page with text', () => {
    it('is cited by its number, fetched as text, and verifies', async () => {
      const hit = await find(COPY_PROPAGATION);
      expect(hit.citation).toMatchObject({ kind: 'page', path: 'papers/tracemonkey.pdf', uri: `${hit.doc_path}#p=5` });
      const { uri, content_hash: hash } = hit.citation;
      const page = await app.fetch({ kind: 'uri', uri });
      const chunk = await app.fetch({ kind: 'chunk', chunkId: hit.chunk_id as ChunkId });
      if (page.kind !== 'page' || chunk.kind !== 'chunk') throw new Error(`${uri} is a ${page.kind}`);
      expect(page).toMatchObject({ page: 5, total_pages: 14, truncated: false, citation: { uri, content_hash: hash } });
      expect(page.text).toContain(chunk.chunk.text);
      const whole = await app.fetch({ kind: 'doc', docId: hit.doc_id as DocumentId });
      expect(whole.kind === 'doc' && whole.text.includes(page.text)).toBe(true);
      expect(await app.verifyCitation(uri, { hash })).toMatchObject({ status: 'exact', freshness: 'fresh' });
      expect(await app.verifyCitation(`${hit.doc_path}#p=9`, { hash })).toMatchObject({
        status: 'moved',
        found_uri: uri,
      });
      expect(await app.verifyCitation(uri, { hash: '0'.repeat(16) })).toMatchObject({ status: 'gone' });
    });

    it('is drawn in a process of its own, with the lines of the chunk framed', async () => {
      const hit = await find(COPY_PROPAGATION);
      const picture = await app.snap({ kind: 'chunk', chunkId: hit.chunk_id as ChunkId }, { maxPixels: 900 });
      expect(picture).toMatchObject({ page: 5, outlined: true, freshness: 'fresh', height: 900 });
      const { count, box } = frameInPng(picture.png);
      const [left, top, right, bottom] = box;
      expect(count).toBeGreaterThan(500);
      expect([left >= 0, top >= 0, right < picture.width, bottom < picture.height]).not.toContain(false);
      expect((right - left) * (bottom - top)).toBeLessThan(picture.width * picture.height);
    });
  });

  describe('a page that OCR read', () => {
    it('is found, verified and drawn, with a frame around the recognised words', async () => {
      const { hits } = await app.search({ text: 'green tea', mode: 'lexical', filters: { media: ['pdf'] } });
      const hit = only(hits);
      expect(hit.citation).toMatchObject({ kind: 'page', uri: 'papers/linn.pdf#p=1' });
      expect(await app.verifyCitation(hit.citation.uri, { hash: hit.citation.content_hash })).toMatchObject({
        status: 'exact',
      });
      const picture = await app.snap({ kind: 'chunk', chunkId: hit.chunk_id as ChunkId }, { maxPixels: 600 });
      expect(picture).toMatchObject({ page: 1, outlined: true, freshness: 'fresh' });
      expect(frameInPng(picture.png).count).toBeGreaterThan(0);
    });
  });

  describe('a region of an image', () => {
    // The processes of this host have no image extractor: the app without processes shows images.
    const here = (): Promise<App> => open();

    it('is cited by its pixels, fetched as recognised text, and verifies', async () => {
      const { hits } = await app.search({ text: 'green tea', mode: 'lexical', filters: { media: ['image'] } });
      const { citation, doc_id: id } = only(hits);
      expect(citation).toMatchObject({ kind: 'region', x: 0, y: 0, w: 463 });
      const { uri, content_hash: hash } = citation;
      expect(uri).toMatch(/^photos\/sroie-000\.jpg#xywh=0,0,463,\d+$/);
      expect(await app.fetch({ kind: 'uri', uri })).toMatchObject({
        kind: 'doc',
        text: LINES.join('\n'),
        total_lines: 3,
      });
      expect(await app.fetch({ kind: 'uri', uri: 'photos/sroie-000.jpg#caption' })).toMatchObject({ kind: 'doc' });
      const span = { kind: 'span', docId: id as DocumentId, lineStart: 2, lineEnd: 2 } as const;
      expect(await app.fetch(span)).toMatchObject({ kind: 'span', text: LINES[1], citation: { kind: 'line' } });
      expect(await app.verifyCitation(uri, { hash })).toMatchObject({ status: 'exact', freshness: 'fresh' });
      expect(await app.verifyCitation(uri, { hash: '0'.repeat(16) })).toMatchObject({ status: 'gone' });
      expect(await app.verifyCitation('photos/sroie-000.jpg#caption')).toMatchObject({ status: 'gone' });
    });

    it('is drawn in the image, with a frame and a small margin', async () => {
      const snapped = await (await here()).snap({ kind: 'uri', uri: 'photos/sroie-000.jpg#xywh=100,200,150,90' });
      expect(snapped).toMatchObject({ width: 463, page: null, outlined: true, freshness: 'fresh' });
      const { box } = frameInPng(snapped.png);
      const outward = [100, 200, 250, 290].map((edge, at) => (at < 2 ? edge - (box[at] ?? 0) : (box[at] ?? 0) - edge));
      for (const room of outward) expect(room).toSatisfy((px: number) => px >= 0 && px <= 12);
      const whole = await (await here()).snap({ kind: 'uri', uri: 'photos/sroie-000.jpg' }, { maxPixels: 200 });
      expect([whole.height, whole.outlined, frameInPng(whole.png).count]).toEqual([200, false, 0]);
    });
  });

  it('an encrypted file opens with the password of the run, which appears nowhere', async () => {
    const before = await open({ flags: { values: [passwordFlag('not-the-password')] } });
    const refused = await before.ingest();
    const error = refused.items?.find(({ kind }) => kind === 'error')?.error;
    expect(error).toContain('the password of --pdf-password or pdf.password does not open it');
    const opened = await open({ flags: { values: [passwordFlag(PASSWORD)] } });
    expect(await opened.ingest()).toMatchObject({ errors: 0, new: 1 });
    const hit = await find('Lorem ipsum consetetur', opened);
    const query = { kind: 'chunk', chunkId: hit.chunk_id as ChunkId } as const;
    expect(await opened.snap(query, { maxPixels: 500 })).toMatchObject({ page: 1, outlined: true });
    await expect(app.snap(query)).rejects.toMatchObject({ code: 'invalid_input', details: { field: 'pdf.password' } });
    const view = await opened.configView();
    expect(view.entries.find(({ key }) => key === 'pdf.password')).toMatchObject({ value: '***', origin: 'flag' });
    const shown = JSON.stringify([refused, view, await opened.inspectDoc(hit.doc_id as DocumentId)]) + logsOf(home);
    for (const secret of [PASSWORD, 'not-the-password']) expect(shown).not.toContain(secret);
  });
});

function only(hits: readonly SearchHit[]): SearchHit {
  const [hit, ...others] = hits;
  if (hit === undefined || others.length > 0) throw new Error(`there are ${hits.length} hits instead of one`);
  return hit;
}

/** Everything that was logged. */
function logsOf(home: UserHome): string {
  const day = new Date().toISOString().slice(0, 10);
  return readFileSync(home.at(`.local/state/kebab/logs/kebab-${day}.jsonl`), 'utf8');
}

function passwordFlag(value: string) {
  return { key: 'pdf.password', flag: '--pdf-password', value };
}
