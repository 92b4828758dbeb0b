import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Worker as Thread } from 'node:worker_threads';
import { silentCallContext } from '@kebab/testing';
import sharp from 'sharp';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { DEFAULT_IMAGE_CONFIG, type ImageConfig } from '../../src/image-config.ts';
import { TesseractEngine } from '../../src/ocr/tesseract-engine.ts';

const png = readFileSync(new URL('../fixtures/two-columns.png', import.meta.url));
const page = { png, width: 1000, height: 420, languages: ['eng'] };
const opened: TesseractEngine[] = [];
const folder = mkdtempSync(path.join(tmpdir(), 'kebab-ocr-'));
/** The engine of most tests: starting one takes longer than reading a page. */
const shared = new TesseractEngine(DEFAULT_IMAGE_CONFIG, folder);
afterEach(async () => {
  for (const engine of opened.splice(0)) await engine.close();
});
afterAll(async () => {
  await shared.close();
  rmSync(folder, { recursive: true });
});

function engineWith(config: Partial<ImageConfig> = {}): TesseractEngine {
  const engine = new TesseractEngine({ ...DEFAULT_IMAGE_CONFIG, ...config }, folder);
  opened.push(engine);
  return engine;
}

describe('Tesseract', () => {
  it('is not started for a language without data', async () => {
    const engine = engineWith({ languages: ['eng', 'xyz'] });
    await expect(engine.recognize({ ...page, languages: ['xyz'] }, silentCallContext())).rejects.toMatchObject({
      code: 'model_not_pulled',
      details: { model: 'xyz', provider: 'tesseract' },
    });
    expect(await engine.health()).toMatchObject({ problem: 'there is no Tesseract data for xyz' });
    expect(await engineWith().health()).toBeNull();
  });

  it('reports the version of the library that read a picture', async () => {
    const { version } = createRequire(import.meta.url)('tesseract.js/package.json') as { readonly version: string };
    const { engine, engineVersion } = await shared.recognize(page, silentCallContext());
    expect([engine, engineVersion]).toEqual(['tesseract', `tesseract.js ${version}`]);
    expect(shared.fingerprint()).toContain(version);
  });

  it('gives up on a picture after its timeout, and reads the next', async () => {
    const hasty = engineWith({ timeoutMs: 1 });
    await expect(hasty.recognize(page, silentCallContext())).rejects.toMatchObject({
      code: 'timeout',
      details: { operation: 'ocr', after_ms: 1 },
    });
    expect((await shared.recognize(page, silentCallContext())).joined).toMatch(/^The harbour opens at dawn\n/);
  });

  it('fails on a file that is not a picture, and reads the next', async () => {
    const broken = { ...page, png: png.subarray(0, 3000) };
    await expect(shared.recognize(broken, silentCallContext())).rejects.toThrow(/./);
    expect((await shared.recognize(page, silentCallContext())).joined).toMatch(/harbour/);
  });

  it('reads an upside-down or sideways page like an upright one, with boxes in the original position', async () => {
    const upright = await shared.recognize(page, silentCallContext());
    const topOf = { 90: [345, 51], 180: [634, 344], 270: [51, 634] } as const;
    for (const turn of [90, 180, 270] as const) {
      const { data, info } = await sharp(png).rotate(turn).png().toBuffer({ resolveWithObject: true });
      const { joined, regions } = await shared.recognize({ ...page, ...info, png: data }, silentCallContext());
      expect(joined).toBe(upright.joined);
      const [x, y] = regions[0]?.bbox ?? [NaN, NaN];
      expect(Math.hypot(x - topOf[turn][0], y - topOf[turn][1])).toBeLessThan(5);
    }
  });

  it('reads small letters as well as large ones', async () => {
    const small = await sharp(png).resize({ width: 450 }).png().toBuffer({ resolveWithObject: true });
    const { width, height } = small.info;
    const { joined } = await shared.recognize({ ...page, png: small.data, width, height }, silentCallContext());
    expect(joined).toContain('seven crowns each way');
  });

  it('terminates an abandoned thread that is still starting', async () => {
    const engine = engineWith();
    const giveUp = new AbortController();
    const started = once(process, 'worker') as Promise<[Thread]>;
    const reading = engine.recognize(page, { ...silentCallContext(), signal: giveUp.signal });
    const [thread] = await started;
    giveUp.abort();
    await expect(reading).rejects.toMatchObject({ code: 'cancelled' });
    await engine.close();
    expect(thread.threadId).toBe(-1); // the value of an ended thread
    expect((await engine.recognize(page, silentCallContext())).joined).toMatch(/harbour/);
  });

  it('leaves nothing behind when it is closed', async () => {
    await shared.close();
    expect(readdirSync(folder)).toEqual([]);
  });
});
