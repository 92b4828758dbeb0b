import { describe, expect, it } from 'vitest';
import { blocksOfTape } from '../../src/database/blocks-of-tape.ts';

describe('blocksOfTape', () => {
  it('reads spans, images and audio written by versions 1 to 4', () => {
    const page = { kind: 'page', page: 3, char_start: 0, char_end: 9 };
    const values = ['Title', page, ['a1', 'x.png', 'alt', null, null], ['a2', 1200], 'rust'];
    const heading = [0, 0, 7, 2, 0, 1, 1];
    const picture = [6 + 32 + 64, 2, 5, 0, 1, 1, 2, 3];
    const sound = [7 + 16, 4, 200, 1, 10, 3, 0, 5, 4];
    expect(
      JSON.parse(blocksOfTape(JSON.stringify(values), Uint8Array.from([...heading, ...picture, ...sound]))),
    ).toEqual([
      [0, 0, 7, [1, 0], [1, 'Title']],
      [6, 1, 5, page, { assetId: 'a1', src: 'x.png', alt: 'alt', ocr: null, caption: null }],
      [7, 2, 200, [5, 3, null, 'rust'], { assetId: 'a2', durationMs: 1200 }],
    ]);
  });

  it('rejects a truncated tape', () => {
    expect(() => blocksOfTape('[]', Uint8Array.of(1, 0, 200))).toThrow(RangeError);
  });
});
