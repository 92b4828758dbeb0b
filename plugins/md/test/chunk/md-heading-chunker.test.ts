import { estimateTokens, type ChunkPolicy } from '@kebab/core';
import { DEFAULT_POLICY, assertChunks, chunkTexts, extractDocument } from '@kebab/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createHeadingChunker } from '../../src/chunk/md-heading-chunker.ts';
import { createMarkdownExtractor } from '../../src/md-extractor.ts';

const [extractor, chunker] = [createMarkdownExtractor(), createHeadingChunker()];
const SMALL: ChunkPolicy = { ...DEFAULT_POLICY, targetTokens: 40, overlapTokens: 0, maxChunkTokens: 200 };

async function chunks(text: string, policy: Partial<ChunkPolicy> = {}): Promise<readonly string[]> {
  return chunkTexts(chunker, await extractDocument(extractor, 'a.md', text), { ...SMALL, ...policy });
}

const sentences = (count: number): string =>
  Array.from({ length: count }, (_, at) => `Sentence number ${at} has words.`).join(' ');

describe('md-heading-v1', () => {
  it('starts a chunk at every heading, including the heading line', async () => {
    expect(await chunks('before\n\n# A\n\na\n\n## B\nb\n\nC\n---\nc\n')).toEqual([
      'before',
      '# A\n\na',
      '## B\nb',
      'C\n---\nc',
    ]);
  });

  it('joins headings without content to the following section, or to the previous one at the end of the document', async () => {
    expect(await chunks('# A\n\n## B\n\n### C\n\nc\n\n## D\n\n## E\n')).toEqual([
      '# A\n\n## B\n\n### C\n\nc\n\n## D\n\n## E',
    ]);
    expect(await chunks('# A\n\n## B\n')).toEqual(['# A\n\n## B']);
  });

  it('starts a chunk with what follows all sections', async () => {
    const document = await extractDocument(extractor, 'a.md', '# A\n\na\n\naround');
    const blocks = document.blocks.map((block, at) => (at === 2 ? { ...block, headingPath: [] } : block));
    expect(chunkTexts(chunker, { ...document, blocks }, SMALL)).toEqual(['# A\n\na', 'around']);
  });

  it('leaves front matter out of every chunk', async () => {
    expect(await chunks('---\na: b\n---\n\n# A\n')).toEqual(['# A']);
  });

  it('joins blocks as long as a chunk stays within the target', async () => {
    const texts = await chunks(Array.from({ length: 12 }, (_, at) => `Paragraph ${at} of this note.`).join('\n\n'));
    expect(texts.map((text) => text.split('\n\n').length)).toEqual([4, 4, 4]);
    for (const text of texts) expect(estimateTokens(text)).toBeLessThanOrEqual(SMALL.targetTokens);
  });

  it('keeps a fenced block whole when it exceeds the target', async () => {
    const code = `\`\`\`\n${'let x = 1;\n\n'.repeat(20)}\`\`\``;
    expect(await chunks(`# A\n\nwords\n\n${code}\n\nmore`)).toEqual([`# A\n\nwords`, code, 'more']);
  });

  it('cuts code and tables above the maximum size at line ends, and keeps the first part with the heading', async () => {
    const rows = Array.from({ length: 60 }, (_, at) => `| row ${at} | value |`);
    const texts = await chunks(`# A\n\n| a | b |\n|---|---|\n${rows.join('\n')}\n`);
    expect(texts[0]).toMatch(/^# A\n\n\| a \| b \|\n\|---\|---\|\n\| row 0 /);
    expect(texts.join('\n')).toBe(`# A\n\n| a | b |\n|---|---|\n${rows.join('\n')}`);
    for (const text of texts) expect(estimateTokens(text)).toBeLessThanOrEqual(SMALL.maxChunkTokens);
  });

  it('keeps a paragraph of up to twice the target whole', async () => {
    const paragraph = sentences(7);
    expect(await chunks(`# A\n\n${paragraph}\n\nnext`)).toEqual([`# A\n\n${paragraph}`, 'next']);
  });

  it('joins sections if respectMarkdownHeadings is false', async () => {
    const text = '# A\n\na\n\n# B\n\nb';
    expect(await chunks(text, { respectMarkdownHeadings: false })).toEqual([text]);
  });

  it('keeps indentation at the beginning of a chunk', async () => {
    expect(await chunks('# A\n\n    indented\n      more\n')).toEqual(['# A\n\n    indented\n      more']);
    expect(await chunks('   \n\n    indented\n')).toEqual(['    indented']);
  });

  it('meets the contract of chunkers for random documents and policies, without chunks of headings only or split code', async () => {
    const block = fc.oneof(
      fc.constantFrom('# A', '## B', '### C', 'D\n===', '***', '![a](b)'),
      fc.integer({ min: 1, max: 12 }).map(sentences),
      fc.integer({ min: 1, max: 9 }).map((count) => '- item 한글 of words\n'.repeat(count).trimEnd()),
      fc.integer({ min: 1, max: 20 }).map((count) => `\`\`\`\n${'code 😀\n'.repeat(count)}\`\`\``),
      fc.integer({ min: 1, max: 200 }).map((count) => '가'.repeat(count)),
    );
    const policy = fc.record({
      targetTokens: fc.integer({ min: 16, max: 120 }),
      overlapTokens: fc.integer({ min: 0, max: 15 }),
      maxChunkTokens: fc.integer({ min: 120, max: 300 }),
      respectMarkdownHeadings: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(block, { minLength: 1, maxLength: 10 }), policy, async (blocks, sizes) => {
        const document = await extractDocument(extractor, 'a.md', blocks.join('\n\n'));
        const chosen = { ...DEFAULT_POLICY, ...sizes };
        const drafts = chunker.chunk(document, chosen);
        expect(() => assertChunks(document, drafts, { policy: chosen, overlap: 'tokens' })).not.toThrow();
        const headingsAlone = drafts.filter(({ start, end }) =>
          document.blocks.every((each) => each.kind === 'heading' || each.start >= end || each.end <= start),
        );
        expect(headingsAlone).toHaveLength(document.blocks.every(({ kind }) => kind === 'heading') ? drafts.length : 0);
        const cutCode = document.blocks.filter(
          ({ kind, start, end }) =>
            kind === 'code' &&
            estimateTokens(document.text.slice(start, end)) < sizes.maxChunkTokens - 40 &&
            !drafts.some((draft) => draft.start <= start && draft.end >= end),
        );
        expect(cutCode).toEqual([]);
      }),
      { numRuns: 150, seed: 3 },
    );
  });
});
