import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { assetFrom, documentFrom, silentCallContext, DEFAULT_POLICY } from '@kebab/testing';
import { describe, expect, it } from 'vitest';
import { createHeadingChunker } from '../src/chunk/md-heading-chunker.ts';
import { createMarkdownExtractor } from '../src/md-extractor.ts';

const folder = fileURLToPath(new URL('fixtures/', import.meta.url));

/**
 * The golden file is named after the versions, so that a change of the output requires a new version and with it a new file.
 */
describe('the output of the extractor and the chunker', () => {
  it.each(['kettle-manual', 'river-walk'])('for %s equals the golden file of these versions', async (name) => {
    const [extractor, chunker] = [createMarkdownExtractor(), createHeadingChunker()];
    const bytes = new Uint8Array(readFileSync(`${folder}${name}.md`));
    const asset = assetFrom(`${name}.md`, bytes);
    const extracted = await extractor.extract({ asset, bytes }, silentCallContext());
    const document = documentFrom(extracted, asset, extractor.parserVersion(asset.mediaType));
    const policy = { ...DEFAULT_POLICY, targetTokens: 60, overlapTokens: 20, maxChunkTokens: 120 };
    const { text, blocks, ...rest } = extracted;
    const given = {
      ...rest,
      blocks: blocks.map((block) => ({
        ...block,
        headingPath: block.headingPath.join(' / '),
        words: text.slice(block.start, block.end),
      })),
      chunks: chunker.chunk(document, policy).map(({ start, end }) => text.slice(start, end)),
    };
    const labels = `${document.parserVersion}.${chunker.id}`;
    await expect(`${JSON.stringify(given, null, 2)}\n`).toMatchFileSnapshot(`${folder}${name}.${labels}.golden`);
  });
});
