import { describe, expect, it } from 'vitest';
import { inspectChunk, inspectDocument } from '../../src/admin/inspect.ts';
import type { ChunkId, DocumentId } from '../../src/domain/ids.ts';
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

  it('knows what it does not know', async () => {
    const kb = await open();
    const id = 'f'.repeat(32);
    await expect(inspectDocument(kb.ports, id as DocumentId)).rejects.toMatchObject({ code: 'doc_not_found' });
    await expect(inspectChunk(kb.ports, id as ChunkId)).rejects.toMatchObject({ code: 'chunk_not_found' });
  });
});
