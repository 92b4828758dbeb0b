import { describe, expect, it } from 'vitest';
import { blockPayload } from '../../src/admin/block-payload.ts';
import type { Block, BlockContent } from '../../src/domain/block.ts';
import type { AssetId, BlockId } from '../../src/domain/ids.ts';

const payload = (content: BlockContent, text: string): unknown => {
  const place = {
    start: 2,
    end: 2 + text.length,
    headingPath: [],
    sourceSpan: { kind: 'line', start: 1, end: 1 },
  } as const;
  const block: Block = { ...content, ...place, blockId: '' as BlockId, ordinal: 0 };
  return blockPayload(block, `##${text}##`);
};

describe('blockPayload', () => {
  it.each<[BlockContent, string, unknown]>([
    [{ kind: 'heading', level: 2, text: 'Title' }, '## *Title*', { level: 2, text: 'Title' }],
    [{ kind: 'paragraph' }, 'one\ntwo', { text: 'one\ntwo' }],
    [{ kind: 'quote' }, '> one\n>two\n > > three\nlazy', { text: 'one\ntwo\n> three\nlazy' }],
    [{ kind: 'code', lang: 'js', symbol: null }, '```js\na\n  b\n```', { lang: 'js', symbol: null, code: 'a\n  b' }],
    [{ kind: 'code', lang: null, symbol: null }, '~~~~\n~~~\n~~~~~', { lang: null, symbol: null, code: '~~~' }],
    [{ kind: 'code', lang: null, symbol: null }, '  ```\n  a\n b\n  ```', { lang: null, symbol: null, code: 'a\nb' }],
    [
      { kind: 'code', lang: null, symbol: null },
      '```\nnever closed',
      { lang: null, symbol: null, code: 'never closed' },
    ],
    [{ kind: 'code', lang: null, symbol: null }, '```\n```', { lang: null, symbol: null, code: '' }],
    [{ kind: 'code', lang: null, symbol: null }, '    a\n\n      b', { lang: null, symbol: null, code: 'a\n\n  b' }],
    [
      { kind: 'code', lang: 'rust', symbol: 'f' },
      '    fn f() {}',
      { lang: 'rust', symbol: 'f', code: '    fn f() {}' },
    ],
    [
      { kind: 'table' },
      '| a | b\\|c |\n|---|:-:|\n| 1 | 2 | 3 |\n4\n',
      {
        headers: ['a', 'b|c'],
        rows: [
          ['1', '2'],
          ['4', ''],
        ],
      },
    ],
    [
      { kind: 'imageref', assetId: null, src: 'a.png', alt: 'A', ocr: null, caption: null },
      '![A](a.png)',
      { asset_id: null, src: 'a.png', alt: 'A', ocr: null, caption: null },
    ],
    [
      {
        kind: 'imageref',
        assetId: null,
        src: 'a.png',
        alt: '',
        ocr: { joined: 'x', regions: [], engine: 'e', engineVersion: '1' },
        caption: { text: 'c', model: 'm', modelVersion: '2' },
      },
      'x',
      {
        asset_id: null,
        src: 'a.png',
        alt: '',
        ocr: { joined: 'x', regions: [], engine: 'e', engine_version: '1' },
        caption: { text: 'c', model: 'm', model_version: '2' },
      },
    ],
    [
      { kind: 'audioref', assetId: 'a' as AssetId, durationMs: 5 },
      '',
      { asset_id: 'a', duration_ms: 5, transcript: null },
    ],
  ])('shows of %j what stands in its text', (content, text, expected) => {
    expect(payload(content, text)).toEqual(expected);
  });

  it('shows the items of a list', () => {
    const items = [
      { start: 4, end: 7 },
      { start: 10, end: 13 },
    ];
    const shown = payload({ kind: 'list', ordered: true, items }, '- one\n- two');
    expect(shown).toEqual({ ordered: true, items: [{ text: 'one' }, { text: 'two' }] });
  });
});
