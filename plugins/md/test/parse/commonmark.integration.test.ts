import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { DEFAULT_POLICY, assertChunks, assertExtracted, extractDocument } from '@kebab/testing';
import { describe, expect, it } from 'vitest';
import { createHeadingChunker } from '../../src/chunk/md-heading-chunker.ts';
import { createMarkdownExtractor } from '../../src/md-extractor.ts';
import { draftsOf } from './outline.ts';

interface Example {
  readonly markdown: string;
  readonly html: string;
  readonly example: number;
  readonly section: string;
}

const file = fileURLToPath(new URL('../../../../../shared/data/commonmark/spec.json', import.meta.url));
const present = existsSync(file);
const examples = present ? (JSON.parse(readFileSync(file, 'utf8')) as readonly Example[]) : [];

/** Two examples about thematic breaks begin with front matter, according to kebab. */
const FRONT_MATTER: ReadonlySet<number> = new Set([96, 98]);
const SMALL = { ...DEFAULT_POLICY, targetTokens: 16, overlapTokens: 5, maxChunkTokens: 40 };
/** With raw HTML, the tags of the expected HTML do not tell the blocks. */
const RAW = /<|&lt;/;
const TAG = /<(\/?)(h[1-6]|pre|ul|ol|blockquote|p|hr|table)\b[^>]*>/g;

describe.skipIf(!present)('the CommonMark examples (skipped without ../shared)', () => {
  it('are all 655 examples of the specification', () => {
    expect(examples).toHaveLength(655);
  });

  it('each have blocks and chunks that meet the contracts', async () => {
    const [extractor, chunker] = [createMarkdownExtractor(), createHeadingChunker()];
    for (const { markdown, example } of examples) {
      const document = await extractDocument(extractor, `${example}.md`, markdown);
      const body = document.blocks[0]?.start ?? document.text.length;
      const frontMatter = FRONT_MATTER.has(example);
      expect(() => assertExtracted(document, frontMatter ? body : 0)).not.toThrow();
      for (const policy of [DEFAULT_POLICY, SMALL]) {
        const chunks = chunker.chunk(document, policy);
        expect(() => assertChunks(document, chunks, { policy, overlap: 'tokens' })).not.toThrow();
      }
    }
  });

  it('have the top-level tags of the expected HTML', () => {
    const compared = examples.filter(({ markdown }) => !RAW.test(markdown));
    expect(compared.length).toBeGreaterThan(500);
    for (const { markdown, html, example } of compared)
      expect({ example, tags: tagsOf(markdown) }).toEqual({ example, tags: topTags(html) });
  });
});

/** The HTML tags of the blocks of a text, without paragraphs, because definitions and thematic breaks are paragraphs as well. */
function tagsOf(markdown: string): readonly string[] {
  return draftsOf(markdown).flatMap((block) => {
    switch (block.kind) {
      case 'heading':
        return [`h${block.level}`];
      case 'list':
        return [block.ordered ? 'ol' : 'ul'];
      case 'code':
        return ['pre'];
      case 'quote':
        return ['blockquote'];
      case 'table':
        return ['table'];
      default:
        return [];
    }
  });
}

function topTags(html: string): readonly string[] {
  const tags: string[] = [];
  let depth = 0;
  for (const [, closing, tag = ''] of html.matchAll(TAG)) {
    if (closing === '/') depth--;
    else {
      if (depth === 0 && tag !== 'p' && tag !== 'hr') tags.push(tag);
      if (tag !== 'hr') depth++;
    }
  }
  return tags;
}
