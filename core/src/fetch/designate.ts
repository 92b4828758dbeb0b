import type { Block } from '../domain/block.ts';
import type { PageRange } from '../domain/document.ts';
import { LineIndex } from '../domain/line-index.ts';
import type { UriFragment } from '../domain/uri.ts';
import { captionText, ocrText } from '../citation/designated-text.ts';

/** A document in the state in which a citation is looked up. */
export interface DocumentView {
  readonly text: string;
  readonly pages: readonly PageRange[];
  /** Asked only for images. */
  readonly blocks: () => readonly Block[];
}

/** The text that a fragment designates: the whole document without one, null when the document has no such place. */
export function designate(view: DocumentView, fragment: UriFragment | null): string | null {
  if (fragment === null) return view.text.endsWith('\n') ? view.text.slice(0, -1) : view.text;
  switch (fragment.kind) {
    case 'line': {
      const lines = new LineIndex(view.text);
      return fragment.end > lines.count ? null : linesOf(view.text, lines, fragment);
    }
    case 'page': {
      const page = view.pages.find((candidate) => candidate.page === fragment.page);
      return page === undefined ? null : view.text.slice(page.start, page.end);
    }
    case 'region': {
      const blocks = view.blocks();
      return blocks.some(({ kind }) => kind === 'imageref') ? ocrText(blocks, slicer(view)) : null;
    }
    case 'caption':
      return captionText(view.blocks(), slicer(view));
    case 'time':
      return null;
    default:
      return fragment satisfies never;
  }
}

function linesOf(
  text: string,
  lines: LineIndex,
  { start, end }: { readonly start: number; readonly end: number },
): string {
  const next = lines.startOf(end + 1);
  return text.slice(lines.startOf(start), text[next - 1] === '\n' ? next - 1 : next);
}

function slicer(view: DocumentView): (start: number, end: number) => string {
  return (start, end) => view.text.slice(start, end);
}
