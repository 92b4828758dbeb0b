import { describe, expect, it } from 'vitest';
import type { Captioner } from '../../src/contracts/captioner.ts';
import { captionerSuite } from '../../src/testing/ocr-engine-suite.ts';
import { FakeCaptioner } from '../../src/testing/fake-models.ts';
import { failuresOf } from './failures.ts';

const png = Uint8Array.of(0x89, 0x50, 0x4e, 0x47);

class Says extends FakeCaptioner {
  readonly #change: (text: string) => string;

  constructor(change: (text: string) => string) {
    super();
    this.#change = change;
  }

  override async caption(...[image, context]: Parameters<Captioner['caption']>): ReturnType<Captioner['caption']> {
    const caption = await super.caption(image, context);
    return { ...caption, text: this.#change(caption.text) };
  }
}

class Deaf extends FakeCaptioner {
  override async caption(...[image]: Parameters<Captioner['caption']>): ReturnType<Captioner['caption']> {
    return { text: `A picture of ${image.png.length} bytes.`, model: 'deaf', modelVersion: '1' };
  }
}

class Scribbles extends FakeCaptioner {
  override async caption(...[image, context]: Parameters<Captioner['caption']>): ReturnType<Captioner['caption']> {
    const caption = await super.caption(image, context);
    image.png.fill(0);
    return caption;
  }
}

describe('captionerSuite', () => {
  it.each<[string, Captioner, string]>([
    ['says nothing', new Says(() => ''), 'returns one short text and names the model'],
    ['writes a book', new Says((text) => text.repeat(100)), 'returns one short text and names the model'],
    ['writes several lines', new Says((text) => `${text}\nThat is all.`), 'returns one short text and names the model'],
    ['writes English only', new Says(() => 'A house.'), 'uses the requested language'],
    ['changes the picture', new Scribbles(), 'leaves the bytes of the picture unchanged'],
    ['ignores its signal', new Deaf(), 'stops when the signal has fired'],
  ])('detects one that %s', async (_, captioner, promise) => {
    const suite = captionerSuite({ open: async () => ({ captioner }), png: png.slice() });
    expect(await failuresOf(suite, promise)).toEqual([promise]);
  });
});
