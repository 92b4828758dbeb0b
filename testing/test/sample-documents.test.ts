import { describe, expect, it } from 'vitest';
import { mintDocumentId } from '../../core/src/domain/minted-ids.ts';
import { assetFrom, documentFrom } from '../src/sample-documents.ts';

const asset = assetFrom('notes/river.walk.md', new TextEncoder().encode('# A\n'));
const span = { kind: 'line', start: 1, end: 1 } as const;
const block = { kind: 'heading', level: 1, text: 'A', start: 0, end: 3, headingPath: [], sourceSpan: span } as const;

describe('documentFrom', () => {
  it('assigns ids and ordinals like the host', () => {
    const document = documentFrom({ text: '# A\n', blocks: [block] }, asset, 'markdown-v1');
    expect(document.docId).toBe(mintDocumentId({ ...asset, parserVersion: 'markdown-v1' }));
    expect(document.blocks).toMatchObject([
      { ordinal: 0, blockId: expect.stringMatching(/^[0-9a-f]{32}$/) as unknown },
    ]);
    expect(document).toMatchObject({ title: 'river.walk', lang: 'und', parserVersion: 'markdown-v1' });
  });

  it('keeps what the extractor declares', () => {
    const stated = { title: 'T', lang: 'ko', metadata: { tags: ['x'] }, parserVersion: 'other-v2' };
    const document = documentFrom({ text: '', blocks: [], ...stated }, asset, 'markdown-v1');
    expect(document).toMatchObject({
      title: 'T',
      lang: 'ko',
      parserVersion: 'other-v2',
      metadata: { tags: ['x'], aliases: [] },
    });
  });
});
