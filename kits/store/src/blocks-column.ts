import { type Block, type BlockContent, type DocumentId, type SourceSpan, type TextRange } from '@kebab/core';
import { mintBlockIds, type BlockId } from '@kebab/core/store';
import { decoded } from './columns.ts';

type Heading = Extract<BlockContent, { kind: 'heading' }>;
type Place = Omit<Extract<Block, { kind: 'paragraph' }>, 'kind'>;

/**
 * A block in `document_blocks.blocks_json`. Offsets and lines are relative to the end of the previous block, because small numbers keep the
 * database small: 26 bytes a block, compared with 180 for an object with named members. Ids and ordinals are not stored: ids are minted
 * from the rest.
 */
type StoredBlock = readonly [
  /** Index into {@link KINDS}. */
  kind: number,
  gap: number,
  length: number,
  span: StoredSpan,
  /** The members that only this kind has; 0 for none. */
  content?: unknown,
  /** The number of headings shared with the expected path, and the remaining headings; absent if it has the expected path. */
  headings?: readonly [shared: number, ...added: readonly string[]],
];

/** First line relative to the previous block, and number of further lines; for code also symbol and language. Other spans as they are. */
type StoredSpan =
  | readonly [gap: number, more: number]
  | readonly [gap: number, more: number, symbol: string | null, lang: string | null]
  | Exclude<SourceSpan, { kind: 'line' | 'code' }>;

/** The index of a kind is its number in the database, so new kinds are appended. */
const KINDS = [
  'heading',
  'paragraph',
  'list',
  'code',
  'table',
  'quote',
  'imageref',
  'audioref',
] as const satisfies readonly BlockContent['kind'][];

/** The state after the previous block, which a block is encoded relative to. */
interface Before {
  readonly end: number;
  readonly line: number;
  /** The heading path that the next block is expected to have. */
  readonly headings: readonly string[];
}

const START: Before = { end: 0, line: 0, headings: [] };

/** Encodes the blocks of a document as JSON. */
export function encodeBlocks(blocks: readonly Block[]): string {
  let before = START;
  const stored = blocks.map((block) => {
    const values = encodeBlock(block, before);
    before = after(block, before);
    return values;
  });
  return JSON.stringify(stored);
}

/** Decodes the output of {@link encodeBlocks} to equal blocks. Blocks of one section share one heading path object. */
export function decodeBlocks(docId: DocumentId, json: string): readonly Block[] {
  return decoded('document_blocks', 'blocks_json', () => readBlocks(docId, json));
}

function readBlocks(docId: DocumentId, json: string): readonly Block[] {
  let before = START;
  const blocks = (JSON.parse(json) as readonly StoredBlock[]).map((values, ordinal) => {
    const block = decodeBlock(values, ordinal, before);
    before = after(block, before);
    return block;
  });
  const ids = mintBlockIds(docId, blocks);
  for (const [i, block] of blocks.entries()) (block as { blockId: BlockId }).blockId = ids[i] ?? block.blockId;
  return blocks;
}

function after(block: Block, before: Before): Before {
  const { end, headingPath, sourceSpan } = block;
  return {
    end,
    line: lastLine(sourceSpan) ?? before.line,
    headings: block.kind === 'heading' ? [...headingPath, block.text] : headingPath,
  };
}

function lastLine(span: SourceSpan): number | undefined {
  if (span.kind === 'line') return span.end;
  return span.kind === 'code' ? span.line_end : undefined;
}

function encodeBlock(block: Block, before: Before): StoredBlock {
  const { start, end, headingPath, sourceSpan } = block;
  const kind = KINDS.indexOf(block.kind);
  const span = encodeSpan(sourceSpan, before.line);
  const content = encodeContent(block);
  const shared = sharedLength(before.headings, headingPath);
  if (shared !== before.headings.length || shared !== headingPath.length)
    return [kind, start - before.end, end - start, span, content ?? 0, [shared, ...headingPath.slice(shared)]];
  return content === undefined
    ? [kind, start - before.end, end - start, span]
    : [kind, start - before.end, end - start, span, content];
}

function decodeBlock(values: StoredBlock, ordinal: number, before: Before): Block {
  const [number, gap, length, span, content, headings] = values;
  const start = before.end + gap;
  const place: Place = {
    blockId: '' as BlockId, // minted after all blocks are decoded
    ordinal,
    start,
    end: start + length,
    headingPath: headings === undefined ? before.headings : decodeHeadings(headings, before.headings),
    sourceSpan: decodeSpan(span, before.line),
  };
  return decodeContent(place, KINDS[number], content);
}

function decodeHeadings(
  [shared, ...added]: readonly [shared: number, ...added: readonly string[]],
  expected: readonly string[],
): readonly string[] {
  return [...expected.slice(0, shared), ...added];
}

function sharedLength(a: readonly string[], b: readonly string[]): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length++;
  return length;
}

function encodeSpan(span: SourceSpan, line: number): StoredSpan {
  switch (span.kind) {
    case 'line':
      return [span.start - line, span.end - span.start];
    case 'code':
      return [span.line_start - line, span.line_end - span.line_start, span.symbol, span.lang];
    case 'byte':
    case 'page':
    case 'region':
    case 'time':
    case 'anchor':
      return span;
    default:
      throw new TypeError(`unknown kind of span: ${JSON.stringify(span satisfies never)}`);
  }
}

function decodeSpan(stored: StoredSpan, line: number): SourceSpan {
  if ('kind' in stored) return stored;
  const [gap, more, symbol, lang] = stored;
  const first = line + gap;
  if (symbol === undefined || lang === undefined) return { kind: 'line', start: first, end: first + more };
  return { kind: 'code', line_start: first, line_end: first + more, symbol, lang };
}

function encodeContent(block: Block): unknown {
  switch (block.kind) {
    case 'paragraph':
    case 'table':
    case 'quote':
      return undefined;
    case 'heading':
      return [block.level, block.text] satisfies HeadingContent;
    case 'code':
      return [block.lang, block.symbol] satisfies CodeContent;
    case 'list':
      return [block.ordered ? 1 : 0, ...gapsAndLengths(block.items, block.start)] satisfies ListContent;
    case 'imageref': {
      const { assetId, src, alt, ocr, caption } = block;
      return { assetId, src, alt, ocr, caption } satisfies ImageContent;
    }
    case 'audioref':
      return { assetId: block.assetId, durationMs: block.durationMs } satisfies AudioContent;
    default:
      throw new TypeError(`unknown kind of block: ${JSON.stringify(block satisfies never)}`);
  }
}

type HeadingContent = readonly [level: Heading['level'], text: string];
type CodeContent = readonly [lang: string | null, symbol: string | null];
/** Whether it is ordered, then for each item its distance from the end of the previous one, and its length. */
type ListContent = readonly [ordered: 0 | 1, ...gapsAndLengths: readonly number[]];
type ImageContent = Omit<Extract<BlockContent, { kind: 'imageref' }>, 'kind'>;
type AudioContent = Omit<Extract<BlockContent, { kind: 'audioref' }>, 'kind'>;

function decodeContent(place: Place, kind: BlockContent['kind'] | undefined, content: unknown): Block {
  switch (kind) {
    case 'paragraph':
    case 'table':
    case 'quote':
      return { ...place, kind };
    case 'heading': {
      const [level, text] = content as HeadingContent;
      return { ...place, kind, level, text };
    }
    case 'code': {
      const [lang, symbol] = content as CodeContent;
      return { ...place, kind, lang, symbol };
    }
    case 'list': {
      const [ordered, ...places] = content as ListContent;
      return { ...place, kind, ordered: ordered === 1, items: itemsOf(places, place.start) };
    }
    case 'imageref':
      return { ...place, kind, ...(content as ImageContent) };
    case 'audioref':
      return { ...place, kind, ...(content as AudioContent) };
    case undefined:
      throw new RangeError('stored blocks hold a block of an unknown kind');
    default:
      throw new RangeError(`stored blocks hold the unknown kind ${JSON.stringify(kind satisfies never)}`);
  }
}

function gapsAndLengths(items: readonly TextRange[], from: number): readonly number[] {
  let before = from;
  return items.flatMap(({ start, end }) => {
    const gap = start - before;
    before = end;
    return [gap, end - start];
  });
}

function itemsOf(places: readonly number[], from: number): readonly TextRange[] {
  const items: TextRange[] = [];
  let before = from;
  for (let i = 0; i < places.length; i += 2) {
    const start = before + (places[i] ?? 0);
    before = start + (places[i + 1] ?? 0);
    items.push({ start, end: before });
  }
  return items;
}
