import type { DocumentWrite } from '@kebab/core/store';
import { sampleWrite } from '@kebab/core/testing';
import { describe, expect, it } from 'vitest';
import { deserialize, serialize } from 'node:v8';
import { prepareDocument } from '../../src/documents/prepare-document.ts';
import { type PackedRows, sqliteEncoder, unpackRows } from '../../src/documents/sqlite-encoder.ts';

const documents: readonly (readonly [string, DocumentWrite])[] = [
  ['several sections', sampleWrite('a.md', '# A\n\none\n\n## B\n\ntwo\n\n## B\n\nthree camelCase')],
  ['no text', sampleWrite('empty.md', '')],
  ['words beyond Latin', sampleWrite('k.md', '# 한글\n\n배터리 용량 😀')],
  ['index texts that do not begin with their chunks', reindexed(sampleWrite('b.md', '# A\n\none'))],
];

function reindexed(write: DocumentWrite): DocumentWrite {
  return { ...write, index: write.index.map((texts) => ({ ...texts, text: 'other', cjk: 'x', symbol: 'y' })) };
}

describe('sqliteEncoder', () => {
  it.each(documents)('encodes the same rows as a writer, even after a structured clone: %s', (_name, write) => {
    const { docId, prepared } = deserialize(serialize(sqliteEncoder.prepare(write))) as {
      docId: string;
      prepared: PackedRows;
    };
    expect(docId).toBe(write.document.docId);
    expect(unpackRows(prepared)).toEqual(prepareDocument(write));
  });
});
