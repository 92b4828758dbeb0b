import { binaryOf, bytesOf, headerText, quotedBytes } from './header-text.ts';

/** A part of a message, or the message itself. */
export interface MimePart {
  /** In lower case: `text/plain`. */
  readonly type: string;
  readonly charset: string;
  /** The parameters of its type, by name in lower case. */
  readonly parameters: ReadonlyMap<string, string>;
  readonly isAttachment: boolean;
  /** Empty if it has none. */
  readonly filename: string;
  /** The parts of a multipart. */
  readonly parts: readonly MimePart[];
  /** Its decoded content; that of a multipart is empty. */
  readonly content: Uint8Array;
  /** The decoded value of a header; empty if there is none. */
  header(name: string): string;
}

const MAX_DEPTH = 30;
/** More than a thousand addresses. */
const MAX_HEADER = 262_144;

/** Parses a message (RFC 5322, RFC 2045). Lines may end with LF or CRLF. */
export function parseMessage(bytes: Uint8Array): MimePart {
  const message = binaryOf(bytes)
    .replace(/^\u00EF\u00BB\u00BF/, '')
    .replace(/^\s+/, '')
    .replaceAll('\r\n', '\n');
  return parsePart(message.replace(/^>?From .*\n/, ''), 0, 'text/plain');
}

function parsePart(source: string, depth: number, usual: string): MimePart {
  const end = source.startsWith('\n') ? 0 : source.indexOf('\n\n');
  const headers = headersIn(end < 0 ? source : source.slice(0, end));
  const body = end < 0 ? '' : source.slice(end === 0 ? 1 : end + 2);
  const { value, parameters } = fieldOf(headers.get('content-type') ?? usual);
  const disposition = fieldOf(headers.get('content-disposition') ?? '');
  const type = /^[\w.+-]+\/[\w.+-]+$/.test(value) ? value : usual;
  const sources =
    type.startsWith('multipart/') && depth < MAX_DEPTH ? partsIn(body, parameters.get('boundary') ?? '') : [];
  const isWhole = type.startsWith('multipart/') && sources.length === 0;
  const charset = /^\S*/.exec(parameters.get('charset') ?? '')?.[0] ?? '';
  const inner = type === 'multipart/digest' ? 'message/rfc822' : 'text/plain';
  const parts = sources.map((part) => parsePart(part, depth + 1, inner));
  const ofHeaders = charset === '' ? (parts.find((part) => part.charset !== '')?.charset ?? '') : charset;
  return {
    type: isWhole ? 'text/plain' : type,
    charset,
    parameters,
    isAttachment: disposition.value === 'attachment',
    filename: disposition.parameters.get('filename') ?? parameters.get('name') ?? '',
    parts,
    content: parts.length > 0 ? new Uint8Array() : contentOf(body, headers.get('content-transfer-encoding') ?? ''),
    header: (name) => headerText(headers.get(name.toLowerCase()) ?? '', ofHeaders),
  };
}

/** The first header of each name, in lower case, with its lines joined. */
function headersIn(source: string): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  for (const line of source.replaceAll(/\n(?=[ \t])/g, '').split('\n')) {
    const [, name, value = ''] = /^([!-9;-~]+)[ \t]*:(.*)$/.exec(line) ?? [];
    if (name !== undefined && !headers.has(name.toLowerCase()))
      headers.set(name.toLowerCase(), value.slice(0, MAX_HEADER).trim());
  }
  return headers;
}

/** The sources of the parts between the boundaries of a multipart. */
function partsIn(body: string, boundary: string): readonly string[] {
  if (boundary === '') return [];
  const text = `\n${body}`;
  const delimiter = `\n--${boundary}`;
  const parts: string[] = [];
  let start = -1;
  for (let at = text.indexOf(delimiter); at >= 0; at = text.indexOf(delimiter, at + 1)) {
    const after = at + delimiter.length;
    const line = text.slice(after, text.indexOf('\n', after) < 0 ? text.length : text.indexOf('\n', after));
    if (!/^(?:--)?[ \t]*$/.test(line)) continue; // another boundary that begins with this one
    if (start >= 0) parts.push(text.slice(start, at));
    if (line.startsWith('--')) return parts;
    start = Math.min(text.length, after + line.length + 1);
  }
  return start < 0 ? parts : [...parts, text.slice(start)];
}

function contentOf(body: string, encoding: string): Uint8Array {
  const name = encoding.trim().toLowerCase();
  if (name === 'base64') return new Uint8Array(Buffer.from(body, 'base64'));
  return name === 'quoted-printable' ? new Uint8Array(quotedBytes(body)) : bytesOf(body);
}

const PARAMETER = /;\s*([^\s=;*]+)(?:\*(\d+))?(\*)?\s*=\s*("((?:[^"\\]|\\.)*)"|[^;]*)/g;

/** A value with parameters, in lower case: `text/plain; charset=utf-8`; long ones and those of another encoding in pieces (RFC 2231). */
function fieldOf(source: string): { readonly value: string; readonly parameters: ReadonlyMap<string, string> } {
  const value = /^[^;]*/.exec(source)?.[0].trim().toLowerCase() ?? '';
  const pieces = new Map<string, { readonly at: number; readonly text: string; readonly isEncoded: boolean }[]>();
  for (const [, name = '', index, star, raw = '', quoted] of source.matchAll(PARAMETER)) {
    const list = pieces.get(name.toLowerCase()) ?? [];
    pieces.set(name.toLowerCase(), list);
    const text = quoted === undefined ? raw.trim() : quoted.replaceAll(/\\(.)/g, '$1');
    list.push({ at: Number(index ?? 0), text, isEncoded: star !== undefined });
  }
  return { value, parameters: new Map([...pieces].map(([name, list]) => [name, joined(list)])) };
}

function joined(
  pieces: readonly { readonly at: number; readonly text: string; readonly isEncoded: boolean }[],
): string {
  const sorted = pieces.toSorted((a, b) => a.at - b.at);
  if (sorted.every(({ isEncoded }) => !isEncoded)) return headerText(sorted.map(({ text }) => text).join(''));
  const [, charset = '', rest] = /^([^']*)'[^']*'(.*)$/s.exec(sorted[0]?.text ?? '') ?? [];
  const texts = sorted.map(({ text, isEncoded }, at) => {
    const own = at === 0 ? (rest ?? text) : text;
    return isEncoded
      ? own.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
      : own;
  });
  return headerText(
    `=?${charset === '' ? 'utf-8' : charset}?b?${Buffer.from(texts.join(''), 'latin1').toString('base64')}?=`,
  );
}
