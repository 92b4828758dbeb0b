import {
  mintBlockIds,
  type AssetId,
  type Block,
  type BlockContent,
  type BlockId,
  type DocumentId,
  type SourceSpan,
  type TextRange,
} from '@kebab/core';
import type { EncodedBlocks } from './encode-blocks.ts';
import { BLOCK_KIND_OF, TAPE_FLAGS } from './tape-numbers.ts';
import { TapeReader } from './tape.ts';

type HeadingLevel = Extract<BlockContent, { kind: 'heading' }>['level'];
type Image = Extract<BlockContent, { kind: 'imageref' }>;
type ImageValues = readonly [Image['assetId'], Image['src'], Image['alt'], Image['ocr'], Image['caption']];
type AudioValues = readonly [assetId: AssetId, durationMs: number];
type Place = Omit<Extract<Block, { kind: 'paragraph' }>, 'kind'>;

/**
 * Reads what `encodeBlocks` wrote: the blocks exactly as they were. Their ids are minted again; blocks of one section share
 * one heading path.
 */
export function decodeBlocks(docId: DocumentId, encoded: EncodedBlocks): readonly Block[] {
  const blocks = new BlockDecoder(encoded).readAll();
  const ids = mintBlockIds(docId, blocks);
  for (const [i, block] of blocks.entries()) (block as { blockId: BlockId }).blockId = ids[i] ?? block.blockId;
  return blocks;
}

class BlockDecoder {
  readonly #values: readonly unknown[];
  readonly #tape: TapeReader;
  #path: readonly string[] = [];
  #end = 0;
  #line = 0;

  constructor({ valuesJson, tape }: EncodedBlocks) {
    this.#values = JSON.parse(valuesJson) as readonly unknown[];
    this.#tape = new TapeReader(tape);
  }

  readAll(): readonly Block[] {
    const blocks: Block[] = [];
    while (!this.#tape.isAtEnd) blocks.push(this.#block(blocks.length));
    return blocks;
  }

  #block(ordinal: number): Block {
    const head = this.#tape.take();
    const start = this.#end + this.#tape.takeSigned();
    this.#end = start + this.#tape.take();
    if ((head & TAPE_FLAGS.newPath) !== 0) this.#path = this.#headingPath();
    const sourceSpan = this.#span(head);
    const place = { blockId: '' as BlockId, ordinal, start, end: this.#end, headingPath: this.#path, sourceSpan };
    return this.#content(place, BLOCK_KIND_OF[head & 15]);
  }

  #text(): string | null {
    const position = this.#tape.take();
    return position === 0 ? null : String(this.#values[position - 1]);
  }

  #value(): unknown {
    return this.#values[this.#tape.take() - 1];
  }

  #headingPath(): readonly string[] {
    const path = this.#path.slice(0, this.#tape.take());
    for (let added = this.#tape.take(); added > 0; added--) path.push(this.#text() ?? '');
    return path;
  }

  #span(head: number): SourceSpan {
    if ((head & TAPE_FLAGS.otherSpan) !== 0) return this.#value() as SourceSpan;
    const first = this.#line + this.#tape.takeSigned();
    this.#line = first + this.#tape.take();
    if ((head & TAPE_FLAGS.codeSpan) === 0) return { kind: 'line', start: first, end: this.#line };
    return { kind: 'code', line_start: first, line_end: this.#line, symbol: this.#text(), lang: this.#text() };
  }

  #content(place: Place, kind: BlockContent['kind'] | undefined): Block {
    switch (kind) {
      case 'paragraph':
      case 'table':
      case 'quote':
        return { ...place, kind };
      case 'heading':
        return { ...place, kind, level: this.#tape.take() as HeadingLevel, text: this.#text() ?? '' };
      case 'code':
        return { ...place, kind, lang: this.#text(), symbol: this.#text() };
      case 'list': {
        const head = this.#tape.take();
        return { ...place, kind, ordered: head % 2 === 1, items: this.#items(place.start, Math.floor(head / 2)) };
      }
      case 'imageref': {
        const [assetId, src, alt, ocr, caption] = this.#value() as ImageValues;
        return { ...place, kind, assetId, src, alt, ocr, caption };
      }
      case 'audioref': {
        const [assetId, durationMs] = this.#value() as AudioValues;
        return { ...place, kind, assetId, durationMs };
      }
      case undefined:
        throw new RangeError('stored blocks hold a block of an unknown kind');
      default:
        throw new RangeError(`stored blocks hold the unknown kind ${JSON.stringify(kind satisfies never)}`);
    }
  }

  #items(from: number, count: number): readonly TextRange[] {
    const items: TextRange[] = [];
    let before = from;
    while (items.length < count) {
      const start = before + this.#tape.takeSigned();
      before = start + this.#tape.take();
      items.push({ start, end: before });
    }
    return items;
  }
}
