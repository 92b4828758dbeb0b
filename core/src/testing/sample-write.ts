import { analyseChunk } from '../analysis/analyse-chunk.ts';
import type { DocumentWrite } from '../contracts/document-store.ts';
import type { FileStat } from '../contracts/source-connector.ts';
import type { BlockDraft } from '../domain/block.ts';
import type { ChunkDraft } from '../domain/chunk.ts';
import { decodeText } from '../domain/decode-text.ts';
import { LineIndex } from '../domain/line-index.ts';
import type { Metadata } from '../domain/metadata.ts';
import { assembleChunks } from '../extraction/document/assemble-chunks.ts';
import { assetFrom, documentFrom } from './document-from.ts';

/** What a sample document is to differ in. */
export interface SampleOptions {
  readonly sourceId?: string;
  readonly lang?: string;
  readonly metadata?: Partial<Metadata>;
  /** Size and time of its file; without it the document has no file. */
  readonly file?: FileStat;
  readonly committedAt?: Date;
  /** How the text is cut; by default every paragraph is a chunk. */
  readonly cut?: (text: string) => readonly ChunkDraft[];
}

const POLICY_HASH = '0123456789abcdef';

/**
 * A document ready to be committed, made of the bytes or text of a file: paragraphs and `#` headings as blocks, every
 * paragraph a chunk. It needs no extractor, so that stores and retrievers can be tested by themselves.
 */
export function sampleWrite(path: string, content: string | Uint8Array, options: SampleOptions = {}): DocumentWrite {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  const { text } = decodeText(bytes);
  const asset = { ...assetFrom(path, bytes), sourceId: options.sourceId ?? 'default' };
  const extracted = { text, blocks: sampleBlocks(text), metadata: options.metadata ?? {}, lang: options.lang ?? 'und' };
  const document = documentFrom(extracted, asset, 'sample-v1');
  const drafts = options.cut?.(text) ?? document.blocks.map(({ start, end }) => ({ start, end }));
  const { chunks, material } = assembleChunks(document, drafts, {
    chunkerVersion: 'sample-v1',
    policyHash: POLICY_HASH,
  });
  return {
    asset,
    document,
    chunks,
    index: material.map(analyseChunk),
    fingerprints: {
      parser: 'sample',
      chunker: 'sample',
      embedding: null,
      fallbackChunker: null,
      unread: [],
      hasSecrets: false,
    },
    chunkerVersion: 'sample-v1',
    file: options.file ?? null,
    committedAt: options.committedAt ?? new Date('2026-01-01T00:00:00Z'),
  };
}

/** Stretches of lines that are not blank; one that begins with `#` is a heading. */
function sampleBlocks(text: string): readonly BlockDraft[] {
  const lines = new LineIndex(text);
  let headingPath: readonly string[] = [];
  return [...text.matchAll(/[^\n]*\S[^\n]*(?:\n[^\n]*\S[^\n]*)*/g)].map((match): BlockDraft => {
    const range = { start: match.index, end: match.index + match[0].length };
    const place = {
      ...range,
      headingPath,
      sourceSpan: { kind: 'line', ...lines.linesOf(range.start, range.end) },
    } as const;
    const heading = /^# (\S.*)$/.exec(match[0])?.[1];
    if (heading === undefined) return { ...place, kind: 'paragraph' };
    const before = { ...place, headingPath: [] };
    headingPath = [heading];
    return { ...before, kind: 'heading', level: 1, text: heading };
  });
}
