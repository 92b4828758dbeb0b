import type { DocumentStore } from '../contracts/document-store.ts';
import { anchoredRun } from '../domain/anchor.ts';
import type { Block, TextRange } from '../domain/block.ts';
import type { DocumentId } from '../domain/ids.ts';

/** Reads slices of document texts, one per request. */
export type ReadTexts = DocumentStore['readTexts'];

/** A range of text that a citation designates. */
export interface DesignatedText {
  readonly docId: DocumentId;
  /** The length of the whole text. */
  readonly textLength: number;
  readonly range: TextRange;
  /** Whether the range stands for the lines that it touches: joined by `\n`, without a final newline. */
  readonly isWholeLines: boolean;
}

const REACH = 256;

/**
 * Reads the text that citations designate. It reads little more than the ranges: texts may be large, and every hit of a search needs this.
 * Ranges whose lines extend further are read again, all of them together.
 */
export async function readDesignated(
  read: ReadTexts,
  designated: readonly DesignatedText[],
): Promise<readonly string[]> {
  const texts: string[] = [];
  let open = designated.map((one, at) => ({ one, at }));
  for (let reach = REACH; open.length > 0; reach *= 8) {
    const windows = open.map(({ one }) => windowOf(one, reach));
    const slices = await read(windows);
    open = open.filter(({ one, at }, i) => {
      const text = cut(one, windows[i] as Window, slices[i] ?? '');
      if (text !== null) texts[at] = text;
      return text === null;
    });
  }
  return texts;
}

/** The part of a text that is read to find the designated range. */
type Window = TextRange & Pick<DesignatedText, 'docId'>;

function windowOf({ docId, range, isWholeLines, textLength }: DesignatedText, reach: number): Window {
  const { start, end } = range;
  if (!isWholeLines) return { docId, start, end };
  const last = Math.max(start, end - 1);
  return { docId, start: Math.max(0, start - reach), end: Math.min(textLength, last + 1 + reach) };
}

/** The designated text, if the window contains it; null when its lines begin before or end after the window. */
function cut({ range, isWholeLines, textLength }: DesignatedText, window: Window, text: string): string | null {
  if (!isWholeLines) return text;
  const { start: from, end: to } = window;
  const last = Math.max(range.start, range.end - 1);
  const before = range.start === from ? -1 : text.lastIndexOf('\n', range.start - from - 1);
  const after = text.indexOf('\n', last - from);
  const beginsHere = before !== -1 || from === 0;
  const endsHere = after !== -1 || to === textLength;
  return beginsHere && endsHere ? text.slice(before + 1, after === -1 ? text.length : after) : null;
}

/** The caption of an image that contains a range, with the model that wrote it. */
export function captionAt(blocks: readonly Block[], range: TextRange): (TextRange & { readonly model: string }) | null {
  for (const block of blocks) {
    if (block.kind !== 'imageref' || block.caption === null || block.ocr !== null) continue;
    if (range.start < block.end && block.start < range.end)
      return { start: block.start, end: block.end, model: block.caption.model };
  }
  return null;
}

/** The range of an image's caption; null when it has none. */
export function captionRange(blocks: readonly Block[]): TextRange | null {
  return blocks.find((block) => block.kind === 'imageref' && block.caption !== null && block.ocr === null) ?? null;
}

/** The range of the text that OCR read in an image; null when it read nothing. */
export function ocrRange(blocks: readonly Block[]): TextRange | null {
  const parts = blocks.filter((block) => block.kind === 'imageref' && block.caption === null);
  const last = parts.at(-1);
  return parts[0] === undefined || last === undefined ? null : { start: parts[0].start, end: last.end };
}

/** The range of an anchored place in the text; null when the document has no such place. */
export function anchorRange(blocks: readonly Block[], anchor: string): TextRange | null {
  const anchors = blocks.map(({ sourceSpan }) => (sourceSpan.kind === 'anchor' ? sourceSpan.anchor : null));
  const [first, last] = anchoredRun(anchors, anchor) ?? [];
  if (first === undefined || last === undefined) return null;
  return { start: blocks[first]?.start ?? 0, end: blocks[last]?.end ?? 0 };
}
