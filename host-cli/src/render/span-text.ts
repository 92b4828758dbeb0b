import type { SourceSpan } from '@kebab/core';

/** Where in its source a piece lies, as a citation would write it: `L10-L20`, `p=3`. */
export function spanText(span: SourceSpan): string {
  switch (span.kind) {
    case 'line':
      return linesText(span.start, span.end);
    case 'code':
      return linesText(span.line_start, span.line_end);
    case 'byte':
      return `bytes ${span.start}-${span.end}`;
    case 'page':
      return `p=${span.page}`;
    case 'region':
      return `xywh=${span.x},${span.y},${span.w},${span.h}`;
    case 'time':
      return `${span.start_ms}-${span.end_ms} ms`;
    default:
      return span satisfies never;
  }
}

function linesText(start: number, end: number): string {
  return start === end ? `L${start}` : `L${start}-L${end}`;
}
