import { afterEach, describe, expect, it } from 'vitest';
import type { ExtractionJob, RenderJob } from '../../src/extraction/extraction-job.ts';
import { ProcessPool } from '../../src/extraction/process-pool.ts';
import { silentCallContext, DEFAULT_POLICY, assetFrom, FakeOcrEngine } from '@kebab/testing';
import { pictureManifest } from './picture-manifest.ts';

const pools: ProcessPool[] = [];
afterEach(async () => {
  for (const opened of pools.splice(0)) await opened.close();
});

function pool(): ProcessPool {
  const made = new ProcessPool({
    url: new URL('picture-worker.ts', import.meta.url),
    env: process.env,
    init: {
      plugins: [{ manifest: pictureManifest, moduleUrl: null, config: {}, settings: {} }],
      memoryMb: 256,
    },
    tmpDir: '/nowhere',
    timeoutMs: 60_000,
    processes: 1,
  });
  pools.push(made);
  return made;
}

const bytes = new TextEncoder().encode('words\nscan');
const asset = assetFrom('a.txt', bytes);
const never = silentCallContext().signal;
const extractor = { extractorId: 'pictures', plugin: pictureManifest, bytes };

function renderJob(picture: string): RenderJob {
  return { ...extractor, asset, request: { picture, maxPixels: 100 } };
}

const job: ExtractionJob = {
  ...extractor,
  chunkerId: 'lines-v1',
  chunkerPlugin: pictureManifest,
  policy: DEFAULT_POLICY,
  parts: {
    asset,
    parserVersion: 'pictures-v1',
    createdAt: new Date(1000),
    updatedAt: new Date(2000),
    defaults: { trustLevel: null, sourceType: null },
    git: null,
    title: null,
    fileName: 'a.txt',
    origin: null,
    docVersion: 1,
    at: new Date(3000),
  },
};

describe('a pool of extraction processes, with pictures', () => {
  it('requests pictures, renders them, and extracts the file again with their text', async () => {
    const one = pool();
    const first = await one.extract(job, never);
    expect(first.pictures).toEqual([{ id: 'page=2', page: 2, uses: ['ocr', 'caption'] }]);
    const picture = await one.render(renderJob('page=2'), never);
    expect(picture).toEqual({ png: Uint8Array.of(20), width: 20, height: 20 });
    const ocr = await new FakeOcrEngine().recognize({ ...picture, languages: [] }, silentCallContext());
    const readings = new Map([['page=2', { ocr, caption: null }]]);
    const whole = await one.extract({ ...job, readings }, never);
    expect([whole.document.text, whole.pictures]).toEqual(['words\nA picture of 20 by 20 pixels./', []]);
  });

  it('does not detach the bytes of its input when it renders', async () => {
    await pool().render(renderJob('page=2'), never);
    expect(new TextDecoder().decode(bytes)).toBe('words\nscan');
  });

  it('fails only the picture on which the extractor throws or exits, names its file, and renders the next', async () => {
    const one = pool();
    await expect(one.render(renderJob('page=77'), never)).rejects.toMatchObject({
      code: 'plugin_failed',
      message: 'pictures@2.0.0/render/a.txt failed: there is no such picture',
    });
    await expect(one.render(renderJob('page=66'), never)).rejects.toMatchObject({
      code: 'plugin_failed',
      message: expect.stringMatching(/its process ended with code 3$/) as string,
    });
    expect((await one.render(renderJob('page=1'), never)).width).toBe(10);
  });
});
