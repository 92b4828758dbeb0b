import { canonicalJson } from './canonical-json.ts';

/**
 * Where in its source a piece lies. This one shape, keys and all, is used on the wire, in the database and in ids, which
 * is why its members are in snake_case. Lines and pages are 1-based, ranges of lines inclusive, offsets half-open.
 */
export type SourceSpan =
  | { readonly kind: 'line'; readonly start: number; readonly end: number }
  | { readonly kind: 'byte'; readonly start: number; readonly end: number }
  | {
      readonly kind: 'page';
      readonly page: number;
      readonly char_start: number | null;
      readonly char_end: number | null;
    }
  | { readonly kind: 'region'; readonly x: number; readonly y: number; readonly w: number; readonly h: number }
  | { readonly kind: 'time'; readonly start_ms: number; readonly end_ms: number }
  /** A place that is none of these, by the names a reader of the file gives it: `cell=12`, `sheet=Q3&row=17-20`. */
  | { readonly kind: 'anchor'; readonly anchor: string }
  | {
      readonly kind: 'code';
      readonly line_start: number;
      readonly line_end: number;
      readonly symbol: string | null;
      readonly lang: string | null;
    };

/** The kinds of {@link SourceSpan}. */
export type SpanKind = SourceSpan['kind'];

/** The canonical JSON of a span. Line spans, by far the most, are written directly. */
export function spanJson(span: SourceSpan): string {
  return span.kind === 'line' ? `{"end":${span.end},"kind":"line","start":${span.start}}` : canonicalJson({ ...span });
}
