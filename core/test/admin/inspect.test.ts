import { describe, expect, it } from 'vitest';
import { blockPayload, inspectChunk, inspectDocument } from '../../src/admin/inspect.ts';
import type { Block, BlockContent } from '../../src/domain/block.ts';
import type { AssetId, BlockId, ChunkId, DocumentId } from '../../src/domain/ids.ts';
import { ChunkInspectionSchema, DocInspectionSchema } from '../../src/wire/inspect.ts';
import { itemAt } from '../kb/item-at.ts';
import { openForTests } from '../kb/open-for-tests.ts';

describe('inspecting', () => {
  const open = openForTests();

  it('shows a document with its metadata, blocks and chunks', async () => {
    const kb = await open();
    const { document, chunks } = await kb.add('a.md', '# One\n\nfirst\n', { metadata: { user: { mood: 'calm' } } });
    const shown = await inspectDocument(kb.ports, document.docId);
    expect(DocInspectionSchema.parse(shown)).toMatchObject({
      summary: { doc_path: 'a.md', chunk_count: 2 },
      metadata: { user: { mood: 'calm' }, created_at: '1970-01-01T00:00:00.000Z', git_commit: null },
      provenance: { events: [] },
      doc_version: 1,
      blocks: [
        { kind: 'heading', ordinal: 0, heading_path: [], payload: { level: 1, text: 'One' } },
        {
          kind: 'paragraph',
          ordinal: 1,
          heading_path: ['One'],
          source_span: { kind: 'line', start: 3, end: 3 },
          text_start: 7,
          text_end: 12,
          payload: { text: 'first' },
        },
      ],
      pages: [],
      chunk_ids: chunks.map(({ chunkId }) => chunkId),
    });
  });

  it('shows to which documents the text of one links', async () => {
    const kb = await open();
    await kb.add('notes/b c.md', '# B\n');
    const text = 'See [[b c#Top|it]], [it](notes/b%20c.md), [[nothing]] and [the web](https://example.org).\n';
    const { document } = await kb.add('a.md', text);
    expect((await inspectDocument(kb.ports, document.docId)).links).toEqual([
      { target: 'b c', uri: 'notes/b c.md' },
      { target: 'notes/b c.md', uri: 'notes/b c.md' },
    ]);
  });

  it('shows a chunk as a fetch does', async () => {
    const kb = await open();
    const { chunks } = await kb.add('a.md', '# One\n\nfirst\n');
    const { chunkId } = itemAt(chunks, 1);
    const shown = await inspectChunk(kb.ports, chunkId);
    expect(ChunkInspectionSchema.parse(shown)).toMatchObject({
      text: 'first',
      heading_path: ['One'],
      policy_hash: '0123456789abcdef',
      embeddings: [],
    });
    expect(await kb.fetch({ kind: 'chunk', chunkId })).toMatchObject({ chunk: shown });
  });

  it('throws for an unknown document or chunk', async () => {
    const kb = await open();
    const id = 'f'.repeat(32);
    await expect(inspectDocument(kb.ports, id as DocumentId)).rejects.toMatchObject({ code: 'doc_not_found' });
    await expect(inspectChunk(kb.ports, id as ChunkId)).rejects.toMatchObject({ code: 'chunk_not_found' });
  });
});

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
  const CODE = { kind: 'code', lang: null, symbol: null } as const;

  it.each<[BlockContent, string, unknown]>([
    [{ kind: 'heading', level: 2, text: 'Title' }, '## *Title*', { level: 2, text: 'Title' }],
    [{ kind: 'paragraph' }, 'one\ntwo', { text: 'one\ntwo' }],
    [{ kind: 'quote' }, '> one\n>two\n > > three\nlazy', { text: 'one\ntwo\n> three\nlazy' }],
    [{ kind: 'code', lang: 'js', symbol: null }, '```js\na\n  b\n```', { lang: 'js', symbol: null, code: 'a\n  b' }],
    [CODE, '~~~~\n~~~\n~~~~~', { lang: null, symbol: null, code: '~~~' }],
    [CODE, '  ```\n  a\n b\n  ```', { lang: null, symbol: null, code: 'a\nb' }],
    [CODE, '```\nnever closed', { lang: null, symbol: null, code: 'never closed' }],
    [CODE, '```\n```', { lang: null, symbol: null, code: '' }],
    [CODE, 'for a:\n    b\n\tc', { lang: null, symbol: null, code: 'for a:\n    b\n\tc' }],
    [
      { kind: 'code', lang: 'py', symbol: null },
      '.. code-block:: py\n   :linenos:\n\n   a:\n       b',
      { lang: 'py', symbol: null, code: 'a:\n    b' },
    ],
    [CODE, '\ta\n\n\t\tb', { lang: null, symbol: null, code: 'a\n\n\tb' }],
    [CODE, '    a\n\n      b', { lang: null, symbol: null, code: 'a\n\n  b' }],
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
  ])('extracts the content of %j', (content, text, expected) => {
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
