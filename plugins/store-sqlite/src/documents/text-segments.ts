import { safeCut } from '@kebab/core';
import { PAGE_BYTES } from '../database/page-size.ts';

/** A stretch of a text and where it begins. */
export interface TextSegment {
  readonly start: number;
  readonly text: string;
}

/** What SQLite spends on a page of rows, and at most on one row of `document_texts` beside its text. */
const BYTES_A_PAGE = 8;
const BYTES_A_ROW = 24;
/** Less than this is not worth a row of its own. */
const MIN_SEGMENT_BYTES = 256;
/** A longer row would be continued on pages of its own. */
const MAX_SEGMENT_BYTES = PAGE_BYTES - 35 - BYTES_A_ROW;

/** The longest segment in which a text is kept, in UTF-16 units. */
export const MAX_SEGMENT_LENGTH = MAX_SEGMENT_BYTES;

/**
 * Cuts texts into segments that fill the pages of the database, one text after the other. Cut anywhere else, a seventh of
 * the room would stay empty, because a row does not begin on one page and end on the next. Where a page really ends is
 * guessed: a wrong guess costs room, nothing else. No cut splits a surrogate pair.
 */
export class PageFiller {
  #freeBytes = 0;

  segmentsOf(text: string): readonly TextSegment[] {
    const segments: TextSegment[] = [];
    const bytesAUnit = Buffer.byteLength(text) / text.length;
    for (let start = 0; start < text.length;) {
      const room = Math.min(this.#freeBytes - BYTES_A_ROW, MAX_SEGMENT_BYTES);
      const restBytes = (text.length - start) * bytesAUnit;
      if (room < Math.min(restBytes, MIN_SEGMENT_BYTES)) {
        this.#freeBytes = PAGE_BYTES - BYTES_A_PAGE;
        continue;
      }
      const segment = text.slice(start, endWithin(text, { start, room, bytesAUnit }));
      segments.push({ start, text: segment });
      start += segment.length;
      this.#freeBytes -= Buffer.byteLength(segment) + BYTES_A_ROW;
    }
    return segments;
  }
}

/** Where a segment ends that begins at `start` and has room for so many bytes. */
function endWithin(
  text: string,
  { start, room, bytesAUnit }: { readonly start: number; readonly room: number; readonly bytesAUnit: number },
): number {
  let end = Math.min(text.length, start + Math.max(2, Math.floor(room / bytesAUnit)));
  if (bytesAUnit > 1)
    for (
      let bytes = byteLength(text, start, end);
      bytes > room && end > start + 2;
      bytes = byteLength(text, start, end)
    )
      end = start + Math.max(2, Math.floor(((end - start) * room) / bytes) - 1);
  return safeCut(text, end);
}

function byteLength(text: string, start: number, end: number): number {
  return Buffer.byteLength(text.slice(start, end));
}

/** Cuts `[start, end)` out of the segments that cover it, given in order. */
export function sliceOf(segments: readonly TextSegment[], start: number, end: number): string {
  const [first] = segments;
  if (first === undefined || end <= start) return '';
  const text = segments.length === 1 ? first.text : segments.map((segment) => segment.text).join('');
  return text.slice(Math.max(0, start - first.start), end - first.start);
}
