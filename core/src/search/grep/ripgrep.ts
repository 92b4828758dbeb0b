import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { AbortOptions } from '../../contracts/contribution.ts';
import type { DocumentStore } from '../../contracts/document-store.ts';
import { isReadableFolder } from '../../documents/locate-file.ts';
import { openStore } from '../../documents/open-store.ts';
import { EXTERNAL, sourceRoots } from '../../documents/source-roots.ts';
import { undeclaredEncoding } from '../../domain/undeclared-encoding.ts';
import { invalidInput } from '../../errors/invalid-input.ts';
import type { Ports } from '../../ports.ts';

/** A line that ripgrep prints, or what it reports at the end: a note, or that it could not read some files. */
export interface RipgrepOutput {
  readonly kind: 'line' | 'note' | 'failure';
  readonly text: string;
}

/** A run of ripgrep: its arguments, and the folder whose files it reads. */
interface RipgrepRun {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly signal: AbortOptions['signal'] | undefined;
}

const BAD_PATTERN = /regex parse error|not allowed in a regex|exceeds size limit/;

/** Runs ripgrep and yields its lines; it ends when the caller stops reading. Throws `invalid_input` for an expression that is none. */
export async function* runRipgrep({ args, cwd, signal }: RipgrepRun): AsyncGenerator<RipgrepOutput> {
  const { rgPath } = await import('@vscode/ripgrep');
  if (args.some((arg) => arg.includes('\0')))
    throw invalidInput('a pattern cannot have a NUL character', {
      field: 'pattern',
      hint: 'leave it out of the pattern; in a regular expression \\x00 stands for it',
    });
  const child = spawn(rgPath, ['--no-config', ...args], { cwd, stdio: ['ignore', 'pipe', 'pipe'], signal });
  const ended = once(child, 'close') as Promise<[number | null, ...unknown[]]>;
  ended.catch(() => {}); // awaited below, unless the caller stops before
  const reports = textOf(child.stderr);
  try {
    for await (const text of linesOf(child.stdout)) yield { kind: 'line', text };
    const [code] = await ended;
    const report = (await reports).trim();
    if (code === 2 && BAD_PATTERN.test(report))
      throw invalidInput(report.replace(/^rg: /, ''), {
        field: 'pattern',
        hint: 'take it as text: kebab grep -F, or the tool grep without regex',
      });
    if (report !== '') yield { kind: code === 2 ? 'failure' : 'note', text: report };
  } finally {
    child.kill();
  }
}

/** A search for a pattern: arguments other than the pattern, and what is searched; the folder itself by default. */
interface PatternRun extends RipgrepRun {
  readonly pattern: string;
  readonly paths?: readonly string[] | undefined;
}

/**
 * Runs ripgrep for a pattern. Where it has more than ASCII, files that are not UTF-8 are searched last, in the encoding in which an ingest
 * reads them. Throws like {@link runRipgrep}.
 */
export async function* findPattern({ pattern, paths = [], args, ...run }: PatternRun): AsyncGenerator<RipgrepOutput> {
  const encodings = /[\u0080-\uffff]/.test(pattern)
    ? await encodingsOf({ paths, args, ...run })
    : new Map<string, string[]>();
  const left = [...encodings.values()].flat().flatMap((file) => ['-g', `!${globOf(file)}`]);
  yield* runRipgrep({ args: [...args, ...left, '-e', pattern, '--', ...paths], ...run });
  for (const [encoding, files] of encodings)
    yield* runRipgrep({ args: [...args, '-E', encoding, '-e', pattern, '--', ...files], ...run });
}

/** Matches a line with a byte that no character of UTF-8 has there. */
const NOT_UTF8 = (() => {
  const next = String.raw`[\x80-\xbf]`;
  const [two, three, four] = [String.raw`[\xc2-\xdf]`, String.raw`[\xe0-\xef]`, String.raw`[\xf0-\xf4]`];
  const cut = String.raw`(?:[^\x80-\xbf]|$)`;
  const valid = String.raw`(?:[\x00-\x7f]|${two}${next}|${three}${next}{2}|${four}${next}{3})*`;
  const begun = `${two}${cut}|${three}${next}{0,1}${cut}|${four}${next}{0,2}${cut}`;
  return String.raw`(?-u)^${valid}(?:[\x80-\xc1\xf5-\xff]|${begun})`;
})();
const MAX_OTHERS = 500;

/** The files that are not UTF-8, as ripgrep prints their paths, by encoding. */
async function encodingsOf({ paths = [], args, ...run }: Omit<PatternRun, 'pattern'>): Promise<Map<string, string[]>> {
  const walking = args.filter((arg, at) => ['-g', '--hidden', '--no-ignore'].includes(arg) || args[at - 1] === '-g');
  const encodings = new Map<string, string[]>();
  let count = 0;
  for await (const { kind, text: file } of runRipgrep({
    args: ['-l', ...walking, '-e', NOT_UTF8, '--', ...paths],
    ...run,
  })) {
    if (kind !== 'line') continue;
    const bytes = await readFile(path.resolve(run.cwd, file)).catch(() => null);
    const guess = bytes === null ? null : await undeclaredEncoding(bytes, bytes.toString());
    const label = labelOf(guess?.encoding ?? '');
    if (label !== null) encodings.set(label, [...(encodings.get(label) ?? []), file]);
    if (++count === MAX_OTHERS) break;
  }
  return encodings;
}

/** Code pages that the Encoding Standard, whose labels ripgrep takes, has under other names. */
const LABELS: Readonly<Record<string, string>> = { CP949: 'euc-kr', CP932: 'shift_jis', CP874: 'windows-874' };

function labelOf(encoding: string): string | null {
  try {
    return new TextDecoder(LABELS[encoding] ?? encoding).encoding;
  } catch {
    return null; // an older one, which ripgrep cannot read
  }
}

/** A glob for one file, whose path is absolute or relative to the folder that ripgrep runs in. */
function globOf(file: string): string {
  const plain = file
    .replaceAll(path.sep, '/')
    .replace(/^\.\//, '')
    .replaceAll(/[*?[\]{}\\]/g, String.raw`\$&`);
  return path.isAbsolute(file) ? `**/${plain.replace(/^\/+/, '')}` : `/${plain}`;
}

/** Lines end with a line feed only: a file may contain any other separator within a line, and bytes of any encoding. */
async function* linesOf(stream: NodeJS.ReadableStream): AsyncGenerator<string> {
  let pieces: string[] = [];
  for await (const part of stream.setEncoding('latin1')) {
    const [first = '', ...others] = String(part).split('\n');
    pieces.push(first);
    for (const next of others) {
      yield decoded(Buffer.from(pieces.join(''), 'latin1'));
      pieces = [next];
    }
  }
  const last = pieces.join('');
  if (last !== '') yield decoded(Buffer.from(last, 'latin1'));
}

const UTF8_OR_BYTE =
  /[\u00c2-\u00df][\u0080-\u00bf]|[\u00e0-\u00ef][\u0080-\u00bf]{2}|[\u00f0-\u00f4][\u0080-\u00bf]{3}|[\u0080-\u00ff]/g;
const LATIN = new TextDecoder('windows-1252');

/** Bytes as text: UTF-8, and where they are not, Windows-1252, as which an ingest reads such a file. */
export function decoded(bytes: Buffer): string {
  const text = bytes.toString();
  if (!text.includes('\uFFFD')) return text;
  return bytes.toString('latin1').replaceAll(UTF8_OR_BYTE, (one) => {
    const buffer = Buffer.from(one, 'latin1');
    return one.length === 1 ? LATIN.decode(buffer) : buffer.toString();
  });
}

async function textOf(stream: NodeJS.ReadableStream): Promise<string> {
  let text = '';
  for await (const part of stream) text += String(part);
  return text;
}

/** A folder whose files are searched. */
export interface SearchedFolder {
  readonly id: string;
  readonly root: string;
  /** The URL that the folder is a clone of. */
  readonly git?: string | undefined;
}

/** The folders of all sources on this machine, or of the ones with the given ids. Throws `invalid_input` for another id. */
export async function searchedFolders(
  { documents, config }: Pick<Ports, 'documents' | 'config'>,
  ids: readonly string[] | undefined,
): Promise<readonly SearchedFolder[]> {
  const store: DocumentStore | null = await openStore(documents);
  const places = [...sourceRoots(config, (await store?.indexedRoots()) ?? new Map()).values()];
  const local = places.filter(({ connector, root }) => connector === 'fs' && isReadableFolder(root));
  const unknown = ids?.find((id) => !local.some((source) => source.id === id));
  if (unknown !== undefined)
    throw invalidInput(`there is no folder of a source ${JSON.stringify(unknown)}`, {
      field: 'source',
      value: unknown,
      allowed: local.map(({ id }) => id),
    });
  const folders = local.filter(({ id }) => ids?.includes(id) ?? true);
  if (!folders.some(({ id }) => id !== EXTERNAL))
    if (ids === undefined)
      throw invalidInput('there is no source to search', { hint: 'add a folder: kebab add FOLDER' });
  // A folder inside another one would be searched twice; the clones of a project are in its hidden folder.
  return folders.filter(
    ({ root, git }) => git !== undefined || !folders.some((other) => other.root !== root && isBelow(root, other.root)),
  );
}

function isBelow(folder: string, other: string): boolean {
  return folder.startsWith(other.endsWith('/') ? other : `${other}/`);
}
