import type { Block, SourceSpan } from '@kebab/core';
import { BLOCK_NUMBERS, TAPE_FLAGS } from './tape-numbers.ts';
import { TapeWriter } from './tape.ts';

/** The blocks of a document as they are stored. */
export interface EncodedBlocks {
  /** What is not a number: texts, each once, and rare things whole. */
  readonly valuesJson: string;
  /** Numbers, about six bytes a block. */
  readonly tape: Uint8Array;
}

const BYTES_A_BLOCK = 12;

/**
 * Writes the blocks of a document on a tape of numbers, one after the other: kind and flags in one number, the gap to the
 * block before, the length, the heading path if it changes, the lines since the block before, the content. Texts stand in
 * a list of values beside it. Ids and ordinals are not written: `decodeBlocks` counts and mints them again.
 */
export function encodeBlocks(blocks: readonly Block[]): EncodedBlocks {
  const encoder = new BlockEncoder(blocks.length);
  for (const block of blocks) encoder.add(block);
  return encoder.encoded();
}

class BlockEncoder {
  readonly #tape: TapeWriter;
  readonly #values: unknown[] = [];
  readonly #positions = new Map<string, number>();
  #path: readonly string[] = [];
  #end = 0;
  #line = 0;

  constructor(blockCount: number) {
    this.#tape = new TapeWriter(blockCount * BYTES_A_BLOCK);
  }

  add(block: Block): void {
    const { start, end, headingPath, sourceSpan } = block;
    const kept = headingPath === this.#path ? this.#path.length : sharedLength(this.#path, headingPath);
    const isNewPath = kept !== this.#path.length || kept !== headingPath.length;
    this.#tape.put(BLOCK_NUMBERS[block.kind] + spanFlag(sourceSpan) + (isNewPath ? TAPE_FLAGS.newPath : 0));
    this.#tape.putSigned(start - this.#end);
    this.#tape.put(end - start);
    this.#end = end;
    if (isNewPath) this.#addPath(kept, headingPath);
    this.#path = headingPath;
    this.#addSpan(sourceSpan);
    this.#addContent(block);
  }

  encoded(): EncodedBlocks {
    return { valuesJson: JSON.stringify(this.#values), tape: this.#tape.bytes() };
  }

  #addPath(kept: number, path: readonly string[]): void {
    this.#tape.put(kept);
    this.#tape.put(path.length - kept);
    for (let i = kept; i < path.length; i++) this.#addText(path[i] ?? '');
  }

  /** Lines count from the last line of the block before. */
  #addSpan(span: SourceSpan): void {
    switch (span.kind) {
      case 'line':
        this.#addLines(span.start, span.end);
        return;
      case 'code':
        this.#addLines(span.line_start, span.line_end);
        this.#addText(span.symbol);
        this.#addText(span.lang);
        return;
      case 'byte':
      case 'page':
      case 'region':
      case 'time':
        this.#addValue(span);
        return;
      default:
        throw new TypeError(`unknown kind of span: ${JSON.stringify(span satisfies never)}`);
    }
  }

  #addLines(first: number, last: number): void {
    this.#tape.putSigned(first - this.#line);
    this.#tape.put(last - first);
    this.#line = last;
  }

  #addContent(block: Block): void {
    switch (block.kind) {
      case 'paragraph':
      case 'table':
      case 'quote':
        return;
      case 'heading':
        this.#tape.put(block.level);
        this.#addText(block.text);
        return;
      case 'code':
        this.#addText(block.lang);
        this.#addText(block.symbol);
        return;
      case 'list':
        this.#tape.put(block.items.length * 2 + (block.ordered ? 1 : 0));
        this.#addItems(block.start, block.items);
        return;
      case 'imageref': {
        const { assetId, src, alt, ocr, caption } = block;
        this.#addValue([assetId, src, alt, ocr, caption]);
        return;
      }
      case 'audioref':
        this.#addValue([block.assetId, block.durationMs]);
        return;
      default:
        throw new TypeError(`unknown kind of block: ${JSON.stringify(block satisfies never)}`);
    }
  }

  #addItems(from: number, items: Extract<Block, { kind: 'list' }>['items']): void {
    let before = from;
    for (const { start, end } of items) {
      this.#tape.putSigned(start - before);
      this.#tape.put(end - start);
      before = end;
    }
  }

  /** 0 is null; else one more than the place among the values. */
  #addText(text: string | null): void {
    if (text === null) return this.#tape.put(0);
    let position = this.#positions.get(text);
    if (position === undefined) {
      position = this.#values.push(text);
      this.#positions.set(text, position);
    }
    return this.#tape.put(position);
  }

  #addValue(value: unknown): void {
    this.#tape.put(this.#values.push(value));
  }
}

function spanFlag({ kind }: SourceSpan): number {
  if (kind === 'line') return 0;
  return kind === 'code' ? TAPE_FLAGS.codeSpan : TAPE_FLAGS.otherSpan;
}

function sharedLength(a: readonly string[], b: readonly string[]): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length++;
  return length;
}
