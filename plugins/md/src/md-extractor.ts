import { decodeText, firstChars, type BlockDraft, type ExtractedDocument, type Extractor } from '@kebab/core';
import { findFrontMatter } from './front-matter/find-front-matter.ts';
import { readMetadata, type StatedMetadata } from './front-matter/read-metadata.ts';
import { boundInlineCost } from './parse/bound-inline-cost.ts';
import { inlineTags } from './parse/inline-tags.ts';
import { nestsTooDeep } from './parse/nests-too-deep.ts';
import { readBlocks } from './parse/read-blocks.ts';

const TITLE_CHARS = 80;
const NOTHING_STATED: StatedMetadata = Object.freeze({ metadata: {}, warnings: [] });

/**
 * Makes the extractor `md`: Markdown (CommonMark, GFM tables and footnotes; MDX is read as Markdown) as blocks of whole
 * lines, YAML or TOML front matter as metadata.
 */
export function createMarkdownExtractor(): Extractor {
  return {
    id: 'md',
    version: '2',
    match: { media: ['markdown'] },
    isolation: 'inline',
    supports: (media) => media.kind === 'markdown',
    parserVersion: () => 'markdown-v1',
    chunkerId: () => 'md-heading-v1',
    extract: ({ bytes }) => extractMarkdown(bytes),
  };
}

/** The parser, loaded with the first file: an import for each would take 20 µs. */
let parser: typeof import('./parse/markdown-tree.ts') | undefined;

async function extractMarkdown(bytes: Uint8Array): Promise<ExtractedDocument> {
  const { text, warnings } = decodeText(bytes);
  const frontMatter = findFrontMatter(text);
  const stated = frontMatter === undefined ? NOTHING_STATED : await readMetadata(frontMatter);
  const body = frontMatter === undefined ? text : text.slice(frontMatter.bodyStart);
  parser ??= await import('./parse/markdown-tree.ts');
  const { MarkdownTree } = parser;
  const tree = nestsTooDeep(body) ? MarkdownTree.EMPTY : MarkdownTree.parse(boundInlineCost(body));
  const { blocks, firstParagraph } = readBlocks({ text, bodyLine: frontMatter?.bodyLine ?? 1, tree });
  const tags = inlineTags(body, tree);
  const title = stated.title ?? titleOf(blocks, firstParagraph);
  return {
    text,
    blocks,
    metadata: tags.length === 0 ? stated.metadata : { ...stated.metadata, inlineTags: tags },
    warnings: [...warnings, ...stated.warnings],
    ...(title === undefined ? {} : { title }),
    ...(stated.title === undefined ? { titleIsDerived: true } : {}),
    ...(stated.lang === undefined ? {} : { lang: stated.lang }),
  };
}

/** The first heading of level 1, else the first heading, else the beginning of the first paragraph with words in it. */
function titleOf(blocks: readonly BlockDraft[], firstParagraph: () => string | undefined): string | undefined {
  const headings = blocks.filter((block) => block.kind === 'heading' && block.text !== '');
  const heading = headings.find((block) => block.kind === 'heading' && block.level === 1) ?? headings[0];
  if (heading?.kind === 'heading') return heading.text;
  const words = firstParagraph();
  return words === undefined ? undefined : firstChars(words, TITLE_CHARS).trimEnd();
}
