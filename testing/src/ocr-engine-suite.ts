import type { OcrEngine, OcrImage, OcrText, Captioner } from '@kebab/core';
import assert from 'node:assert/strict';
import {
  assertIdentified,
  casesOn,
  isCancelled,
  silentCallContext,
  soon,
  type ContractCase,
  type ContractSuite,
} from './contract-suite.ts';

/** A picture for the suite, with its text. */
export interface OcrFixture extends OcrImage {
  /** A description of the picture, for titles: "a printed page". */
  readonly name: string;
  /** Words that the engine must find, in this order; empty for a picture without text. */
  readonly words: readonly string[];
}

/** Options of {@link ocrEngineSuite}. */
export interface OcrEngineSuiteOptions {
  /** Creates an engine that is ready to use; it is closed when its case ends. */
  readonly make: () => OcrEngine | Promise<OcrEngine>;
  /** At least one picture with words and one without text. */
  readonly fixtures: readonly OcrFixture[];
}

/** Long enough for an asynchronous engine to be in progress. */
const AT_WORK_MS = 50;

/** The contract suite of an {@link OcrEngine}: boxes, confidence, reading order, determinism, concurrent calls, abort. */
export function ocrEngineSuite({ make, fixtures }: OcrEngineSuiteOptions): ContractSuite {
  const promise = casesOn(make);
  const [first] = fixtures;
  return {
    contract: 'OcrEngine',
    cases: [
      promise('has an id, a version and the same fingerprint in every instance', async (engine) => {
        const other = await make();
        assertIdentified(engine, other);
        await other.close?.();
      }),
      promise('is given a picture with words and one without', async () => {
        assert.ok(fixtures.some(({ words }) => words.length > 0) && fixtures.some(({ words }) => words.length === 0));
      }),
      ...fixtures.flatMap((fixture) => [
        promise(`reads ${fixture.name}: boxes inside it, words in order`, (engine) => readsWell(engine, fixture)),
        promise(`reads ${fixture.name} deterministically, and leaves its bytes unchanged`, async (engine) => {
          const png = fixture.png.slice();
          const once = await read(engine, { ...fixture, png });
          assert.equal(Buffer.compare(png, fixture.png), 0);
          assert.deepEqual(await read(engine, fixture), once);
        }),
      ]),
      promise('reads several pictures concurrently', async (engine) => {
        const alone = await read(engine, first);
        const all = await Promise.all(fixtures.map((fixture) => read(engine, fixture)));
        assert.equal(all.length, fixtures.length);
        assert.deepEqual(all[0], alone);
      }),
      promise('reads nothing when the signal has fired', async (engine) => {
        await assert.rejects(() => read(engine, first, AbortSignal.abort()), isCancelled);
      }),
      promise('stops when the signal fires while it reads, and can read again', (engine) => stops(engine, first)),
    ],
  };
}

async function read(engine: OcrEngine, image: OcrImage | undefined, signal?: AbortSignal): Promise<OcrText> {
  assert.ok(image !== undefined, 'the suite is given pictures');
  const { png, width, height, languages } = image;
  return engine.recognize({ png, width, height, languages }, silentCallContext(signal));
}

async function readsWell(engine: OcrEngine, fixture: OcrFixture): Promise<void> {
  const text = await read(engine, fixture);
  for (const { bbox, confidence, text: line } of text.regions) {
    const [x, y, w, h] = bbox;
    const isInside = x >= 0 && y >= 0 && w > 0 && h > 0 && x + w <= fixture.width && y + h <= fixture.height;
    assert.ok(isInside, `[${bbox.join(', ')}] is inside ${fixture.width} × ${fixture.height}`);
    assert.ok(confidence >= 0 && confidence <= 1, `${confidence} is a confidence`);
    assert.match(line, /\S/, 'a region has text');
    assert.doesNotMatch(line, /\n/, 'a region is one line');
  }
  assert.equal(text.joined, text.regions.map((region) => region.text).join('\n'));
  for (const name of [text.engine, text.engineVersion]) assert.match(name, /\S/);
  if (fixture.words.length === 0) assert.equal(text.joined, '', 'nothing is read where there is no text');
  let at = 0;
  for (const word of fixture.words) {
    const found = text.joined.indexOf(word, at);
    assert.notEqual(found, -1, `"${word}" comes after ${JSON.stringify(text.joined.slice(0, at))} in ${text.joined}`);
    at = found + word.length;
  }
}

async function stops(engine: OcrEngine, image: OcrImage | undefined): Promise<void> {
  const abort = new AbortController();
  const work = read(engine, image, abort.signal).catch((error: unknown) =>
    assert.ok(isCancelled(error), `it fails as cancelled: ${String(error)}`),
  );
  await new Promise((resolve) => setTimeout(resolve, AT_WORK_MS));
  abort.abort();
  await soon(work);
  assert.ok((await read(engine, image)).engine.length > 0);
}

/** Options of {@link captionerSuite}. */
export interface CaptionerSuiteOptions {
  /** Creates a captioner that is ready to use. */
  readonly open: () => Promise<{ readonly captioner: Captioner; readonly close?: () => void | Promise<void> }>;
  /** A picture with visible content. */
  readonly png: Uint8Array;
}

const MAX_CAPTION_CHARS = 1000;

/** The contract suite of a captioner: one short text, in the requested language, that names the model; it reacts to an abort. */
export function captionerSuite({ open, png }: CaptionerSuiteOptions): ContractSuite {
  const opening = casesOn(open);
  const promise = (name: string, check: (captioner: Captioner, picture: Uint8Array) => Promise<void>): ContractCase =>
    opening(name, ({ captioner }) => check(captioner, png.slice()));
  return {
    contract: 'Captioner',
    cases: [
      promise('has an id, a version and the same fingerprint', async (captioner) => {
        assertIdentified(captioner);
      }),
      promise('returns one short text and names the model', async (captioner, picture) => {
        const caption = await captioner.caption({ png: picture, lang: 'en' }, silentCallContext());
        assert.match(caption.text, /[a-z]{2}/i, 'there are words');
        assert.equal(caption.text, caption.text.trim());
        assert.doesNotMatch(caption.text, /\n/, 'it is one line');
        assert.ok(caption.text.length <= MAX_CAPTION_CHARS, `${caption.text.length} characters are short`);
        for (const text of [caption.model, caption.modelVersion]) assert.match(text, /\S/);
      }),
      promise('uses the requested language', async (captioner, picture) => {
        const { text } = await captioner.caption({ png: picture, lang: 'ko' }, silentCallContext());
        assert.match(text, /\p{Script=Hangul}{2}/u);
      }),
      promise('leaves the bytes of the picture unchanged', async (captioner, picture) => {
        await captioner.caption({ png: picture, lang: 'en' }, silentCallContext());
        assert.equal(Buffer.compare(picture, png), 0);
      }),
      promise('stops when the signal has fired', async (captioner, picture) => {
        await assert.rejects(
          () => captioner.caption({ png: picture, lang: 'en' }, silentCallContext(AbortSignal.abort())),
          isCancelled,
        );
      }),
    ],
  };
}
