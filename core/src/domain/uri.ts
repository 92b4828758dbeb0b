import { invalidInput } from '../errors/invalid-input.ts';

/** What the fragment of a citation URI designates. Lines and pages are 1-based, lines inclusive; times in milliseconds. */
export type UriFragment =
  | { readonly kind: 'line'; readonly start: number; readonly end: number }
  | { readonly kind: 'page'; readonly page: number }
  | { readonly kind: 'region'; readonly x: number; readonly y: number; readonly w: number; readonly h: number }
  | { readonly kind: 'caption' }
  | { readonly kind: 'time'; readonly startMs: number; readonly endMs: number; readonly speaker: string | null };

/** A citation URI taken apart; without a fragment it designates the whole document. */
export interface ParsedUri {
  readonly path: string;
  readonly fragment: UriFragment | null;
}

/** Writes a citation URI: `path#fragment`, with `%` and `#` of the path encoded and nothing else. */
export function formatUri({ path, fragment }: ParsedUri): string {
  const encoded = path.replaceAll('%', '%25').replaceAll('#', '%23');
  return fragment === null ? encoded : `${encoded}#${formatFragment(fragment)}`;
}

/** Reads a citation URI; the inverse of {@link formatUri}. Throws `invalid_input` for `L0`, a reversed range or an unknown fragment. */
export function parseUri(uri: string): ParsedUri {
  const hash = uri.indexOf('#');
  const encoded = hash === -1 ? uri : uri.slice(0, hash);
  if (encoded === '') throw invalidUri(uri, 'it names no path');
  const path = encoded.replaceAll('%23', '#').replaceAll('%25', '%');
  return { path, fragment: hash === -1 ? null : parseFragment(uri, uri.slice(hash + 1)) };
}

function formatFragment(fragment: UriFragment): string {
  switch (fragment.kind) {
    case 'line':
      return fragment.start === fragment.end ? `L${fragment.start}` : `L${fragment.start}-L${fragment.end}`;
    case 'page':
      return `p=${fragment.page}`;
    case 'region':
      return `xywh=${fragment.x},${fragment.y},${fragment.w},${fragment.h}`;
    case 'caption':
      return 'caption';
    case 'time': {
      const speaker = fragment.speaker?.replaceAll('%', '%25').replaceAll('#', '%23').replaceAll('&', '%26');
      return `t=${clock(fragment.startMs)},${clock(fragment.endMs)}${speaker === undefined ? '' : `&speaker=${speaker}`}`;
    }
    default:
      return fragment satisfies never;
  }
}

function parseFragment(uri: string, text: string): UriFragment {
  if (text === 'caption') return { kind: 'caption' };
  const lines = /^L(\d{1,9})(?:-L(\d{1,9}))?$/.exec(text);
  if (lines !== null) {
    const start = Number(lines[1]);
    const end = Number(lines[2] ?? lines[1]);
    if (start < 1) throw invalidUri(uri, 'lines are counted from 1');
    if (end < start) throw invalidUri(uri, 'the range ends before it starts');
    return { kind: 'line', start, end };
  }
  const page = /^p=(\d{1,9})$/.exec(text);
  if (page !== null) {
    if (Number(page[1]) < 1) throw invalidUri(uri, 'pages are counted from 1');
    return { kind: 'page', page: Number(page[1]) };
  }
  const box = /^xywh=(\d{1,9}),(\d{1,9}),(\d{1,9}),(\d{1,9})$/.exec(text);
  if (box !== null) {
    const [x = 0, y = 0, w = 0, h = 0] = box.slice(1).map(Number);
    return { kind: 'region', x, y, w, h };
  }
  return parseTime(uri, text);
}

function parseTime(uri: string, text: string): UriFragment {
  const stamp = String.raw`(\d{2,}):([0-5]\d):([0-5]\d)\.(\d{3})`;
  const time = new RegExp(`^t=${stamp},${stamp}(?:&speaker=(.*))?$`, 's').exec(text);
  if (time === null)
    throw invalidUri(uri, `"#${text}" is not a fragment kebab knows (L12-L34, p=3, xywh=…, caption, t=…)`);
  const ms = (at: number): number =>
    ((Number(time[at]) * 60 + Number(time[at + 1])) * 60 + Number(time[at + 2])) * 1000 + Number(time[at + 3]);
  const speaker = time[9]?.replaceAll('%26', '&').replaceAll('%23', '#').replaceAll('%25', '%') ?? null;
  if (ms(5) < ms(1)) throw invalidUri(uri, 'the range ends before it starts');
  return { kind: 'time', startMs: ms(1), endMs: ms(5), speaker };
}

function clock(ms: number): string {
  const seconds = ms / 1000;
  return `${two(seconds / 3600)}:${two((seconds / 60) % 60)}:${two(seconds % 60)}.${String(ms % 1000).padStart(3, '0')}`;
}

function two(value: number): string {
  return String(Math.floor(value)).padStart(2, '0');
}

function invalidUri(uri: string, why: string): Error {
  return invalidInput(`${JSON.stringify(uri)} is not a citation URI: ${why}`, { field: 'uri', value: uri });
}
