import { describe, expect, it } from 'vitest';
import type { OcrEngine } from '../../src/contracts/ocr-engine.ts';
import type { OcrText } from '../../src/domain/block.ts';
import { FakeOcrEngine } from '../../src/testing/fake-models.ts';
import { ocrEngineSuite } from '../../src/testing/ocr-engine-suite.ts';
import { failuresOf } from './failures.ts';

const png = Uint8Array.of(0x89, 0x50, 0x4e, 0x47);
const fixtures = [
  { name: 'a page', png, width: 30, height: 20, languages: ['eng'], words: ['first', 'second'] },
  { name: 'a blank', png, width: 1, height: 1, languages: ['eng'], words: [] },
];
const READS = 'reads a page: boxes inside it, words in order';

/** An engine that reads correctly, and then modifies the result. */
class Altered extends FakeOcrEngine {
  readonly #change: (text: OcrText, call: number) => OcrText;
  #calls = 0;

  constructor(change: (text: OcrText, call: number) => OcrText) {
    super({ read: ({ width }) => (width === 1 ? [] : ['first line', 'second line']) });
    this.#change = change;
  }

  override async recognize(...[image, context]: Parameters<OcrEngine['recognize']>): Promise<OcrText> {
    return this.#change(await super.recognize(image, context), this.#calls++);
  }
}

/** An engine that ignores its signal. */
class Deaf extends FakeOcrEngine {
  override async recognize(...[image]: Parameters<OcrEngine['recognize']>): Promise<OcrText> {
    return { joined: String(image.width), regions: [], engine: 'deaf', engineVersion: '1' };
  }
}

const altered = (change: (text: OcrText, call: number) => OcrText) => (): OcrEngine => new Altered(change);
const eachRegion = (change: Partial<OcrText['regions'][number]>) =>
  altered((text) => ({ ...text, regions: text.regions.map((region) => ({ ...region, ...change })) }));

describe('ocrEngineSuite', () => {
  it.each<[string, () => OcrEngine, string]>([
    ['puts boxes outside the picture', eachRegion({ bbox: [20, 0, 20, 5] }), READS],
    ['returns a confidence above 1', eachRegion({ confidence: 95 }), READS],
    ['joins the regions in another order', altered((text) => ({ ...text, joined: 'second line\nfirst line' })), READS],
    [
      'finds text where there is none',
      altered((text) => ({
        ...text,
        joined: text.joined === '' ? '~' : text.joined,
        regions: text.joined === '' ? [{ bbox: [0, 0, 1, 1], text: '~', confidence: 1 }] : text.regions,
      })),
      'reads a blank: boxes inside it, words in order',
    ],
    [
      'returns a different result each time',
      altered((text, call) => ({ ...text, engineVersion: String(call) })),
      'reads a page deterministically, and leaves its bytes unchanged',
    ],
    ['ignores its signal', () => new Deaf(), 'reads nothing when the signal has fired'],
  ])('detects one that %s', async (_, make, promise) => {
    expect(await failuresOf(ocrEngineSuite({ make, fixtures }), promise)).toEqual([promise]);
  });

  it('passes one that meets its contract', async () => {
    expect(await failuresOf(ocrEngineSuite({ make: altered((text) => text), fixtures }))).toEqual([]);
  });
});
