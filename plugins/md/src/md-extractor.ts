import { decodeText, firstChars, type BlockDraft, type ExtractedDocument, type Extractor } from '@kebab/core';
import { findFrontMatter, parseFrontMatter } from './front-matter/parse-front-matter.ts';
import { readMetadata, readPageProperties, type StatedMetadata } from './front-matter/read-metadata.ts';
import { boundInlineCost, nestsTooDeep } from './parse/bound-inline-cost.ts';
import { openHtmlHeadings } from './parse/html-headings.ts';
import { mayHaveHtmlHeadings, readBlocks } from './parse/read-blocks.ts';
import type { MarkdownTree } from './parse/markdown-tree.ts';

const TITLE_CHARS = 80;
const NOTHING_STATED: StatedMetadata = Object.freeze({ metadata: {}, warnings: [] });

/**
 * Makes the extractor `md`, which turns Markdown (CommonMark, GFM tables and footnotes; MDX is read as Markdown; headings may be written as
 * HTML) into blocks of whole lines, and YAML or TOML front matter, or the page properties of Logseq, into metadata.
 */
export function createMarkdownExtractor(): Extractor {
  return {
    id: 'md',
    version: '10',
    match: { media: ['markdown'] },
    isolation: 'inline',
    spans: ['line'],
    supports: (media) => media.kind === 'markdown',
    parserVersion: () => 'markdown-v1',
    chunkerId: () => 'md-heading-v1',
    extract: ({ bytes }) => extractMarkdown(bytes),
  };
}

/** The parser module, cached after the first file, because an `import()` for each file would take 20 µs. */
let parser: typeof import('./parse/markdown-tree.ts') | undefined;

async function extractMarkdown(bytes: Uint8Array): Promise<ExtractedDocument> {
  const { text, warnings } = await decodeText(bytes);
  const fenced = findFrontMatter(text);
  const parsed = fenced === undefined ? undefined : await parseFrontMatter(fenced);
  const stated = parsed === undefined ? (readPageProperties(text) ?? NOTHING_STATED) : readMetadata(parsed);
  const [bodyStart, bodyLine] =
    fenced === undefined || parsed === undefined ? [0, 1] : [fenced.bodyStart, fenced.bodyLine];
  const body = text.slice(bodyStart);
  parser ??= await import('./parse/markdown-tree.ts');
  const { MarkdownTree } = parser;
  const tree = nestsTooDeep(body) ? MarkdownTree.EMPTY : MarkdownTree.parse(boundInlineCost(body));
  const htmlHeadings = mayHaveHtmlHeadings(body) ? await openHtmlHeadings() : undefined;
  const { blocks, firstParagraph } = readBlocks({
    text,
    linesAbove: parsed?.textLines ?? [],
    bodyLine,
    tree,
    htmlHeadings,
  });
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

/** The first heading of level 1, else the first heading, else the beginning of the first paragraph that has words. */
function titleOf(blocks: readonly BlockDraft[], firstParagraph: () => string | undefined): string | undefined {
  const headings = blocks.filter((block) => block.kind === 'heading' && block.text !== '');
  const heading = headings.find((block) => block.kind === 'heading' && block.level === 1) ?? headings[0];
  if (heading?.kind === 'heading') return heading.text;
  const words = firstParagraph();
  return words === undefined ? undefined : firstChars(words, TITLE_CHARS).trimEnd();
}

/** Tags as in Obsidian: letters, digits, `_`, `-`, `/` and symbols such as emoji after a `#` that begins a word; not only digits. */
const TAG = /(?<!\S)#([\p{L}\p{N}\p{M}\p{So}\u200D_/-]+)/gu;

/**
 * The tags in the text of a document, such as `#idea` and `#work/backend`, in order and without duplicates. Tags in code, HTML and links,
 * escaped `#` signs, and numbers (`#123`) do not count.
 */
export function inlineTags(body: string, tree: MarkdownTree): readonly string[] {
  if (!mayHaveTags(body)) return [];
  const written = new Set(tagsIn(body));
  if (written.size === 0) return [];
  const found = new Set<string>();
  for (const text of tree.texts()) {
    if (!text.includes('#')) continue;
    for (const tag of tagsIn(text)) if (written.has(tag)) found.add(tag);
  }
  return [...found];
}

/** A fast check that rules out most texts without tags; the `#` signs of headings are followed by a space. */
function mayHaveTags(text: string): boolean {
  for (let at = text.indexOf('#'); at !== -1; at = text.indexOf('#', at + 1)) {
    const isFirst = at === 0 || isSpace(text, at - 1);
    if (isFirst && at + 1 < text.length && text.charCodeAt(at + 1) !== SIGN && !isSpace(text, at + 1)) return true;
  }
  return false;
}

const SIGN = 0x23;

function isSpace(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit <= 0x20 || (unit >= 0x80 && /\s/.test(text.charAt(at)));
}

function tagsIn(text: string): readonly string[] {
  return [...text.matchAll(TAG)]
    .map(([, tag = '']) => tag.normalize('NFC').replaceAll(/^\/+|\/+$/g, ''))
    .filter((tag) => /[^\d/_-]/u.test(tag));
}
