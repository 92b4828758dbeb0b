import { joinAnchors } from '../../domain/anchor.ts';
import type { Block, TextRange } from '../../domain/block.ts';
import type { ChunkDraft } from '../../domain/chunk.ts';
import type { CanonicalDocument } from '../../domain/document.ts';
import { LineIndex } from '../../domain/line-index.ts';
import type { SourceSpan } from '../../domain/span.ts';

/** Finds where the slices of one document lie in its source. */
export class SpanMaker {
  readonly #document: CanonicalDocument;
  #lines: LineIndex | undefined;

  constructor(document: CanonicalDocument) {
    this.#document = document;
  }

  /**
   * The spans of a slice that intersects `blocks`: parts of pages for a document with pages, lines for one of lines, and
   * for the rest the spans of the blocks.
   */
  spansOf(slice: ChunkDraft, blocks: readonly Block[]): readonly SourceSpan[] {
    if (this.#document.pages.length > 0) return this.#pages(slice);
    const { mediaType } = this.#document;
    if (mediaType.kind === 'code') {
      const { start, end } = this.#linesOf(slice);
      return [{ kind: 'code', line_start: start, line_end: end, symbol: slice.symbol ?? null, lang: this.#codeLang() }];
    }
    const hasLines = blocks.length === 0 || blocks.some(({ sourceSpan }) => sourceSpan.kind === 'line');
    return hasLines ? [{ kind: 'line', ...this.#linesOf(slice) }] : joined(blocks.map(({ sourceSpan }) => sourceSpan));
  }

  #linesOf({ start, end }: TextRange): { readonly start: number; readonly end: number } {
    this.#lines ??= new LineIndex(this.#document.text);
    return this.#lines.linesOf(start, end);
  }

  #pages({ start, end }: TextRange): readonly SourceSpan[] {
    return this.#document.pages
      .filter((page) =>
        start === end ? page.start <= start && start <= page.end : page.start < end && start < page.end,
      )
      .map((page) => ({
        kind: 'page',
        page: page.page,
        char_start: Math.max(start, page.start) - page.start,
        char_end: Math.min(end, page.end) - page.start,
      }));
  }

  #codeLang(): string | null {
    const { mediaType, metadata } = this.#document;
    return metadata.codeLang ?? (mediaType.kind === 'code' ? mediaType.lang : null);
  }
}

/** Spans as they are, but anchored places that follow each other as one: rows 12 to 30 instead of nineteen rows. */
function joined(spans: readonly SourceSpan[]): readonly SourceSpan[] {
  const found: SourceSpan[] = [];
  for (const span of spans) {
    const last = found.at(-1);
    const anchor = last?.kind === 'anchor' && span.kind === 'anchor' ? joinAnchors(last.anchor, span.anchor) : null;
    if (anchor === null) found.push(span);
    else found[found.length - 1] = { kind: 'anchor', anchor };
  }
  return found;
}
