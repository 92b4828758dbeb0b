import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { DEFAULT_POLICY, extractDocument } from '@kebab/testing';
import { describe, expect, it } from 'vitest';
import { createCodeTextExtractor, createTextExtractor } from '../src/text-extractors.ts';
import { createCodeWindowChunker, createTextParagraphChunker } from '../src/text-chunkers.ts';

const folder = fileURLToPath(new URL('fixtures/', import.meta.url));

/** The file is named after the versions: changing the output requires raising a version, which creates a new file. */
describe('the output of extractors and chunkers', () => {
  it.each([
    ['harbour-log.txt', createTextExtractor(), createTextParagraphChunker()] as const,
    ['tidy-up.sh', createCodeTextExtractor(), createCodeWindowChunker()] as const,
  ])('is unchanged for %s with these versions', async (name, extractor, chunker) => {
    const document = await extractDocument(extractor, name, new Uint8Array(readFileSync(folder + name)));
    const policy = { ...DEFAULT_POLICY, targetTokens: 40, overlapTokens: 15, windowLines: 4, windowOverlapLines: 1 };
    const { text, title, blocks } = document;
    const given = {
      title,
      blocks: blocks.map(({ kind, sourceSpan, start, end }) => ({ kind, sourceSpan, words: text.slice(start, end) })),
      chunks: chunker.chunk(document, policy).map(({ start, end }) => text.slice(start, end)),
    };
    const labels = `${document.parserVersion}.${chunker.id}`;
    await expect(`${JSON.stringify(given, null, 2)}\n`).toMatchFileSnapshot(`${folder}${name}.${labels}.golden`);
  });
});
