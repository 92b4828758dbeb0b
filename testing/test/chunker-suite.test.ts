import { describe, it } from 'vitest';
import { packSlices, TextSizer } from '../../core/src/chunking/cut-at-lines.ts';
import { prosePieces } from '../../core/src/chunking/prose-pieces.ts';
import type { Chunker } from '../../core/src/contracts/chunker.ts';
import type { ExtractedDocument } from '../../core/src/contracts/extractor.ts';
import type { ChunkPolicy, CanonicalDocument } from '../../core/src/domain/document.ts';
import { chunkerSuite } from '../src/chunker-suite.ts';
import { assetFrom, documentFrom } from '../src/sample-documents.ts';
import { expectAllCaught } from './mutations/mutants.ts';

const READS = ['targetTokens', 'overlapTokens', 'maxChunkTokens'] as const;
const WORDS = 'A sentence here. 한국어 문장 하나. 😀 Another one! ';

function documentOf(text: string, heading = 0): CanonicalDocument {
  const bytes = new TextEncoder().encode(text);
  const span = { kind: 'line', start: 1, end: 1 } as const;
  const rest = { kind: 'paragraph', start: heading, end: text.length, headingPath: [], sourceSpan: span } as const;
  const head = {
    kind: 'heading',
    level: 1,
    text: 'h',
    start: 0,
    end: heading,
    headingPath: [],
    sourceSpan: span,
  } as const;
  const extracted: ExtractedDocument = { text, blocks: heading === 0 ? [rest] : [head, rest] };
  return documentFrom(extracted, assetFrom('a.txt', bytes), 'toy-v1');
}

const DOCUMENTS = [documentOf(WORDS.repeat(80).trim()), documentOf(`heading\n${WORDS.repeat(30).trim()}`, 7)];

/** A chunker that meets its contract: sentences, packed, headings separate. */
const SOUND: Chunker = {
  id: 'toy',
  version: '1',
  fingerprint: () => 'toy@1',
  needs: { spans: ['line'] },
  reads: READS,
  chunk: ({ text, blocks }, policy) => {
    const sized = { text, sizer: new TextSizer(text) };
    const units = blocks.flatMap((block) =>
      prosePieces(sized, block, policy).map(({ start, end, anchor }) => ({
        start,
        end,
        anchor,
        contentStart: start,
        prose: false,
        opens: start <= block.start + 1,
      })),
    );
    return packSlices(sized, units, policy);
  },
};

type Cut = ReturnType<Chunker['chunk']>;

function broken(change: (chunks: Cut, document: CanonicalDocument, policy: ChunkPolicy) => Cut): Chunker {
  return { ...SOUND, chunk: (document, policy) => change(SOUND.chunk(document, policy), document, policy) };
}

describe('chunkerSuite', () => {
  it('detects every mutation', async () => {
    await expectAllCaught<Chunker>(
      (chunker) =>
        chunkerSuite({ make: () => chunker ?? SOUND, documents: DOCUMENTS.map((document) => ({ ...document })) }),
      {
        'omits a chunk': broken((chunks) => chunks.slice(1)),
        'omits the end': broken((chunks) => chunks.map(({ start, end }) => ({ start, end: end - 1 }))),
        'returns everything in one chunk': broken((_, { text }) => [{ start: 0, end: text.length }]),
        'returns an empty chunk': broken((chunks) => [{ start: 0, end: 0 }, ...chunks]),
        'returns chunks out of order': broken((chunks) => chunks.toReversed()),
        'overlaps too much': broken((chunks) =>
          chunks.map(({ start, end }) => ({ start: Math.max(0, start - 150), end })),
        ),
        'overlaps across a heading': broken((chunks, { blocks }) =>
          blocks.length > 1 ? chunks.map(({ start, end }) => ({ start: start === 7 ? 2 : start, end })) : chunks,
        ),
        'splits a surrogate pair': broken((chunks, { text }) => {
          const pair = text.indexOf('😀') + 1;
          return chunks.flatMap(({ start, end }) =>
            start < pair && end > pair
              ? [
                  { start, end: pair },
                  { start: pair, end },
                ]
              : [{ start, end }],
          );
        }),
        'reads a setting it does not declare': broken((chunks, _, { windowLines }) =>
          windowLines > 80 ? chunks.slice(0, 1) : chunks,
        ),
        'declares too few settings': { ...SOUND, reads: READS.filter((setting) => setting !== 'targetTokens') },
        'declares an unknown setting': { ...SOUND, reads: [...READS, 'windowline' as keyof ChunkPolicy] },
        'declares other spans': { ...SOUND, needs: { spans: ['page'] } },
        'modifies the document': broken((chunks, document) => Object.assign(document, { title: 'mine' }) && chunks),
      },
      null,
    );
  });
});
