import assert from 'node:assert/strict';
import type { ChunkDraft, ChunkPolicy } from '../domain/chunk.ts';
import type { CanonicalDocument } from '../domain/document.ts';
import { LineIndex } from '../domain/line-index.ts';
import { estimateTokens } from '../domain/text-size.ts';
import { assertBlank, assertWholeCharacters } from './check-extracted.ts';

/** How much two neighbouring chunks may share: `overlapTokens`, `windowOverlapLines`, or nothing. */
export type DeclaredOverlap = 'tokens' | 'lines' | 'none';

/**
 * Fails unless chunks keep their promises: slices of the text in order, covering every character of the body that is not
 * white space, none empty but the one of a picture or scan without text, none above `maxChunkTokens`, neighbours sharing at most the declared overlap inside one section
 * or page, and nothing in more than two chunks. The body begins where the first block does.
 */
export function assertChunks(
  document: CanonicalDocument,
  chunks: readonly ChunkDraft[],
  { policy, overlap }: { readonly policy: ChunkPolicy; readonly overlap: DeclaredOverlap },
): void {
  const { text } = document;
  const hasText = /\S/.test(text);
  const bodyStart = hasText ? (document.blocks[0]?.start ?? text.length) : 0;
  let covered = bodyStart;
  for (const [at, chunk] of chunks.entries()) {
    const name = `chunk ${at} (${chunk.start}–${chunk.end})`;
    assert.ok(Number.isInteger(chunk.start) && Number.isInteger(chunk.end), `${name} has whole offsets`);
    assert.ok(chunk.start >= bodyStart, `${name} begins in the body`);
    assert.ok(chunk.end >= chunk.start && chunk.end <= text.length, `${name} ends within the text (${text.length})`);
    const slice = text.slice(chunk.start, chunk.end);
    if (hasText) assert.match(slice, /\S/, `${name} is not empty`);
    else assertNameOnly({ slice, at, document }, name);
    assert.ok(estimateTokens(slice) <= policy.maxChunkTokens, `${name} has at most ${policy.maxChunkTokens} tokens`);
    assertWholeCharacters(text, chunk, name);
    assertBlank(text, { start: covered, end: Math.max(covered, chunk.start) }, `before ${name}`);
    covered = Math.max(covered, chunk.end);
  }
  assertBlank(text, { start: covered, end: text.length }, 'behind the last chunk');
  assertOverlap(document, chunks, { policy, overlap });
}

/** A picture or a scan without text is one empty chunk, which is found by the name of the file. */
function assertNameOnly(
  { slice, at, document }: { readonly slice: string; readonly at: number; readonly document: CanonicalDocument },
  name: string,
): void {
  assert.deepEqual([slice, at], ['', 0], `${name} is the one empty chunk of a document without text`);
  assert.ok(['image', 'pdf'].includes(document.mediaType.kind), `${name} is that of a picture or a scan`);
}

function assertOverlap(
  document: CanonicalDocument,
  chunks: readonly ChunkDraft[],
  { policy, overlap }: { readonly policy: ChunkPolicy; readonly overlap: DeclaredOverlap },
): void {
  const { text } = document;
  const lines = new LineIndex(text);
  for (const [at, chunk] of chunks.entries()) {
    const previous = chunks[at - 1];
    if (previous === undefined) continue;
    const name = `chunk ${at} (${chunk.start}–${chunk.end})`;
    assert.ok(chunk.start > previous.start && chunk.end > previous.end, `${name} lies behind the one before it`);
    assert.ok(chunk.start >= (chunks[at - 2]?.end ?? 0), `${name} shares nothing with the one before the last`);
    if (chunk.start >= previous.end) continue;
    const shared = text.slice(chunk.start, previous.end);
    assert.notEqual(overlap, 'none', `${name} shares nothing with the one before it`);
    if (overlap === 'tokens')
      assert.ok(
        estimateTokens(shared) <= policy.overlapTokens,
        `${name} shares at most ${policy.overlapTokens} tokens`,
      );
    else {
      const touched = lines.linesOf(chunk.start, previous.end);
      const count = touched.end - touched.start + 1;
      assert.ok(count <= policy.windowOverlapLines, `${name} shares at most ${policy.windowOverlapLines} lines`);
    }
    assertOneSection(document, { start: chunk.start, end: previous.end }, name);
  }
}

function assertOneSection(
  document: CanonicalDocument,
  shared: { readonly start: number; readonly end: number },
  name: string,
): void {
  const touches = ({ start, end }: { readonly start: number; readonly end: number }): boolean =>
    start < shared.end && end > shared.start;
  assert.ok(
    !document.blocks.some((block) => block.kind === 'heading' && touches(block)),
    `the overlap of ${name} crosses no heading`,
  );
  assert.ok(document.pages.filter(touches).length <= 1, `the overlap of ${name} stays on one page`);
}
