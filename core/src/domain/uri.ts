import { formatAnchor, parseAnchor } from './anchor.ts';
import { invalidInput } from '../errors/invalid-input.ts';

/** The parsed fragment of a citation URI. Lines and pages are 1-based, lines inclusive; times in milliseconds. */
export type UriFragment =
  | { readonly kind: 'line'; readonly start: number; readonly end: number }
  | { readonly kind: 'page'; readonly page: number }
  | { readonly kind: 'region'; readonly x: number; readonly y: number; readonly w: number; readonly h: number }
  | { readonly kind: 'caption' }
  | { readonly kind: 'time'; readonly startMs: number; readonly endMs: number; readonly speaker: string | null }
  | { readonly kind: 'anchor'; readonly anchor: string };

/** A parsed citation URI; without a fragment it refers to the whole document. */
export interface ParsedUri extends SourcePath {
  readonly fragment: UriFragment | null;
  /** The first digits of the hash of the cited text, after the fragment: `notes/a.md#L3~5f0c1d2e`. Absent where the URI has none. */
  readonly pin?: string | undefined;
}

/** How many digits of a hash a printed URI carries; 6 to 16 are read. */
const PIN_DIGITS = 8;
const PIN = /~([0-9a-f]{6,16})$/i;

/** A path inside a source. */
export interface SourcePath {
  /** The source that the URI names; null where it names none, as for the source `default`. */
  readonly sourceId: string | null;
  readonly path: string;
}

/** A prefix that may be the id of a source. */
const SOURCE_PREFIX = /^([A-Za-z0-9._-]{1,64}):(?=.)/s;

/**
 * Formats a citation URI: `path#fragment`, with `%` and `#` of the path encoded and nothing else. A source other than `default` is prefixed
 * by its id, `work:notes/a.md#L3`; a path of `default` that itself begins with such a prefix gets the prefix `default:`. A fragment is followed
 * by the first digits of the hash, if there is one.
 */
export function formatUri({ sourceId, path, fragment, pin }: ParsedUri): string {
  const encoded = formatSourcePath({ sourceId, path: path.replaceAll('%', '%25').replaceAll('#', '%23') });
  if (fragment === null) return encoded;
  const place = formatFragment(fragment).replace(PIN, '%7E$1'); // the end of a name that looks like a hash
  return `${encoded}#${place}${pin === undefined ? '' : `~${pin.slice(0, PIN_DIGITS)}`}`;
}

/** Formats the path of a document for display: like a URI of the whole document, without encoding. */
export function formatSourcePath({ sourceId, path }: SourcePath): string {
  const isBare = sourceId === null || sourceId === 'default';
  if (isBare && !SOURCE_PREFIX.test(path)) return path;
  return `${sourceId ?? 'default'}:${path}`;
}

/** Whether a text is the id of a source. */
type IsSource = (id: string) => boolean;

/**
 * Parses a citation URI; the inverse of {@link formatUri}. A prefix before a colon is a source if it is the id of one, else part of the
 * path. Throws `invalid_input` for `L0`, a reversed range or an unknown fragment.
 */
export function parseUri(uri: string, isSource: IsSource = isDefault): ParsedUri {
  const hash = uri.indexOf('#');
  const encoded = hash === -1 ? uri : uri.slice(0, hash);
  if (encoded === '') throw invalidUri(uri, 'it names no path');
  const { sourceId, path } = parseSourcePath(encoded, isSource);
  const decoded = path.replaceAll('%23', '#').replaceAll('%25', '%');
  if (hash === -1) return { sourceId, path: decoded, fragment: null };
  const written = uri.slice(hash + 1);
  const pin = PIN.exec(written)?.[1]?.toLowerCase();
  const fragment = parseFragment(uri, (pin === undefined ? written : written.replace(PIN, '')).replace(/%7E/gi, '~'));
  return { sourceId, path: decoded, fragment, ...(pin === undefined ? {} : { pin }) };
}

/** Parses a path with an optional source prefix; the inverse of {@link formatSourcePath}. */
export function parseSourcePath(text: string, isSource: IsSource = isDefault): SourcePath {
  const [prefix = '', id] = SOURCE_PREFIX.exec(text) ?? [];
  if (id === undefined || !isSource(id)) return { sourceId: null, path: text };
  return { sourceId: id, path: text.slice(prefix.length) };
}

function isDefault(id: string): boolean {
  return id === 'default';
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
    case 'anchor':
      return fragment.anchor;
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
  const page = /^p(?:age)?=(\d{1,9})$/.exec(text); // PDF viewers take `#page=3`, which `open` prints
  if (page !== null) {
    if (Number(page[1]) < 1) throw invalidUri(uri, 'pages are counted from 1');
    return { kind: 'page', page: Number(page[1]) };
  }
  const box = /^xywh=(\d{1,9}),(\d{1,9}),(\d{1,9}),(\d{1,9})$/.exec(text);
  if (box !== null) {
    const [x = 0, y = 0, w = 0, h = 0] = box.slice(1).map(Number);
    return { kind: 'region', x, y, w, h };
  }
  const steps = parseAnchor(text);
  return steps === null ? parseTime(uri, text) : { kind: 'anchor', anchor: formatAnchor(steps) };
}

function parseTime(uri: string, text: string): UriFragment {
  const stamp = String.raw`(\d{2,}):([0-5]\d):([0-5]\d)\.(\d{3})`;
  const time = new RegExp(`^t=${stamp},${stamp}(?:&speaker=(.*))?$`, 's').exec(text);
  if (time === null)
    throw invalidUri(uri, `"#${text}" is not a fragment kebab knows (L12-L34, p=3, xywh=…, caption, t=…, cell=12)`);
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

/**
 * Normalises a path inside a source: relative to its root, `/` between segments, NFC, no leading `./`, no empty or `.` segment. Throws
 * `invalid_input` for an absolute path, a `..` segment, or an empty path. A backslash counts as a slash.
 */
export function normalizeWorkspacePath(path: string): string {
  return workspacePathOf(path.replaceAll('\\', '/'));
}

/**
 * Does the same for a path whose segments are separated by slashes: on systems that allow backslashes in names, a backslash is an ordinary
 * character.
 */
export function workspacePathOf(path: string): string {
  const slashed = path.normalize('NFC');
  if (slashed.startsWith('/') || /^[A-Za-z]:\//.test(slashed))
    throw invalidInput(`${JSON.stringify(path)} is an absolute path; a path inside a source is relative to its root`, {
      field: 'path',
      value: path,
    });
  const segments = slashed.split('/').filter((segment) => segment !== '' && segment !== '.');
  if (segments.includes('..') || segments.length === 0)
    throw invalidInput(`${JSON.stringify(path)} does not name a file inside a source`, { field: 'path', value: path });
  return segments.join('/');
}
