// Measures OCR: how many words are found and the cost, as a ratio to native Tesseract on the same pictures, one after the other in the same
// run; and the memory for ten photos of 12 megapixels. Needs ../shared/data/ocr (or a folder of the same form).
//   node --import ./scripts/run-ts.mjs bench/ocr.mjs [folder]
// Native Tesseract is measured if `tesseract` is installed with the languages eng and kor.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { assetFrom, silentCallContext } from '@kebab/core/testing';
import sharp from 'sharp';
import { DEFAULT_IMAGE_CONFIG } from '../plugins/image-ocr/src/image-config.ts';
import { TesseractEngine } from '../plugins/image-ocr/src/ocr/tesseract-engine.ts';
import { createImageExtractor } from '../plugins/image-ocr/src/extract/image-extractor.ts';

const LANGUAGES = ['eng', 'kor'];
const MAX_PIXELS = 2048;
const PHOTOS = 10;
const PHOTO = { width: 4000, height: 3000 };
const MIB = 2 ** 20;

const folder = process.argv[2] ?? fileURLToPath(new URL('../../shared/data/ocr', import.meta.url));
const scorer = fileURLToPath(new URL('../../shared/data/tools/score-ocr.mjs', import.meta.url));
const work = mkdtempSync(path.join(tmpdir(), 'kebab-bench-'));
try {
  if (existsSync(path.join(folder, 'expectations.json'))) await measureWords();
  else console.log(`no pictures in ${folder}: words and cost are not measured`);
  await measureMemory();
} finally {
  rmSync(work, { recursive: true, force: true });
}

async function measureWords() {
  const files = JSON.parse(readFileSync(path.join(folder, 'expectations.json'), 'utf8')).map(({ file }) => file);
  const hasNative = spawnSync('tesseract', ['--version']).status === 0;
  const engine = new TesseractEngine(DEFAULT_IMAGE_CONFIG, work);
  const [texts, cost] = [{}, { ours: 0, native: 0 }];
  await engine.recognize(await smallPicture(), silentCallContext()); // startup is not attributed to any picture
  for (const file of files) {
    const bytes = readFileSync(path.join(folder, file));
    const before = process.cpuUsage();
    texts[file] = (await readPicture(engine, file, bytes)).joined;
    const ours = secondsOf(process.cpuUsage(before));
    const native = hasNative ? nativeSeconds(path.join(folder, file)) : NaN;
    cost.ours += ours;
    cost.native += native;
    console.log(`  ${file.padEnd(28)} ${ours.toFixed(2)} CPU s${ratio(ours, native)}`);
  }
  await engine.close();
  console.log(`CPU: ${cost.ours.toFixed(1)} s for ${files.length} pictures${ratio(cost.ours, cost.native)}`);
  const outputs = path.join(work, 'outputs.json');
  writeFileSync(outputs, JSON.stringify(texts));
  if (existsSync(scorer))
    console.log(spawnSync(process.execPath, [scorer, folder, outputs], { encoding: 'utf8' }).stdout);
}

/** As in an ingest: the picture is rendered by the extractor, and read by the engine. */
async function readPicture(engine, file, bytes) {
  const extractor = createImageExtractor(DEFAULT_IMAGE_CONFIG);
  const input = { asset: assetFrom(file, bytes), bytes };
  const picture = await extractor.render(input, { picture: 'image', maxPixels: MAX_PIXELS }, silentCallContext());
  return engine.recognize({ ...picture, languages: LANGUAGES }, silentCallContext());
}

/** One thread, like ours: with several it wastes CPU time waiting. */
function nativeSeconds(file) {
  const env = { ...process.env, OMP_THREAD_LIMIT: '1' };
  const timed = spawnSync(
    'bash',
    ['-c', 'TIMEFORMAT="%U %S"; time tesseract "$0" - -l kor+eng --psm 3 >/dev/null 2>&1', file],
    {
      env,
      encoding: 'utf8',
    },
  );
  const [user = NaN, system = NaN] = timed.stderr.trim().split('\n').at(-1).split(' ').map(Number);
  return user + system;
}

async function measureMemory() {
  const engine = new TesseractEngine(DEFAULT_IMAGE_CONFIG, work);
  const photo = await photoOfNoise();
  let peak = 0;
  const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 20);
  for (let i = 0; i < PHOTOS; i++) await readPicture(engine, `photo-${i}.jpg`, photo);
  clearInterval(timer);
  await engine.close();
  console.log(`memory: ${Math.round(peak / MIB)} MiB at most over ${PHOTOS} photos of 12 megapixels`);
}

/** A photo of nothing in particular, with a sign in it. */
async function photoOfNoise() {
  const { width, height } = PHOTO;
  const noise = { type: 'gaussian', mean: 128, sigma: 40 };
  const ground = sharp({ create: { width: width / 8, height: height / 8, channels: 3, background: '#888', noise } });
  const sign = readFileSync(
    fileURLToPath(new URL('../plugins/image-ocr/test/fixtures/two-columns.png', import.meta.url)),
  );
  const large = await sharp(sign)
    .resize({ width: width / 2 })
    .png()
    .toBuffer();
  const enlarged = await ground.resize({ width, height }).blur(8).png().toBuffer();
  return sharp(enlarged)
    .composite([{ input: large }])
    .jpeg()
    .toBuffer();
}

async function smallPicture() {
  const background = { width: 100, height: 100, channels: 3, background: '#fff' };
  const png = await sharp({ create: background }).png().toBuffer();
  return { png, width: 100, height: 100, languages: LANGUAGES };
}

function secondsOf({ user, system }) {
  return (user + system) / 1e6;
}

function ratio(ours, native) {
  return Number.isNaN(native) ? '' : ` = ${(ours / native).toFixed(2)} × native Tesseract`;
}
