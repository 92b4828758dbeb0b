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
      throw invalidInput(`the pattern cannot be used: ${report.replace(/^rg: (?:[^]*\nerror: )?/, '')}`, {
        field: 'pattern',
        hint: 'take it as text: `kebab grep -F`',
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

/** How many files are named to one run of ripgrep: a command line is limited. */
const MAX_NAMED = 200;

/**
 * Runs ripgrep for a pattern. Where it has more than ASCII, files that are not UTF-8 are searched once more, in the encoding in which an
 * ingest reads them; a line that matches both ways is printed, and counted, once. Throws like {@link runRipgrep}.
 */
export async function* findPattern({ pattern, paths = [], args, ...run }: PatternRun): AsyncGenerator<RipgrepOutput> {
  const isCount = args.includes('-c');
  const search = (files: readonly string[], own = args): AsyncGenerator<RipgrepOutput> =>
    runRipgrep({ args: [...own, '-e', pattern, '--', ...files], ...run });
  const walking = args.filter((arg, at) => ['-g', '--hidden', '--no-ignore'].includes(arg) || args[at - 1] === '-g');
  const { groups, reports }: OtherEncodings = /[\u0080-\uffff]/.test(pattern)
    ? await otherEncodings({ ...run, args: walking }, paths)
    : { groups: new Map(), reports: new Map() };
  /** The lines that were printed of the files that are searched twice. */
  const printed = new Map([...groups.values()].flat().map((file) => [file, new Set<string>()]));
  const isNew = ({ text }: RipgrepOutput): boolean => {
    if (printed.size === 0) return true;
    const { file, line } = placeOf(text);
    const isKnown = printed.get(file)?.has(line) === true;
    printed.get(file)?.add(line);
    return !isKnown;
  };
  for await (const output of search(paths)) {
    if (output.kind !== 'line') reports.delete(output.text);
    if ((isCount && printed.has(placeOf(output.text).file)) || !isNew(output)) continue;
    yield output;
  }
  yield* reports.values();
  const lines = args.filter((arg) => arg !== '-c');
  for (const [encoding, files] of groups)
    for (let from = 0; from < files.length; from += MAX_NAMED) {
      const some = files.slice(from, from + MAX_NAMED);
      if (isCount) for await (const output of search(some, lines)) isNew(output);
      for await (const output of search(some, [...lines, '-E', encoding])) if (isNew(output) && !isCount) yield output;
    }
  if (!isCount) return;
  for (const [file, { size }] of printed) if (size > 0) yield { kind: 'line', text: `${file}:${size}` };
}

/** Files that are not UTF-8, by the encoding that ripgrep is to read them in, and what is reported of those that it cannot read. */
interface OtherEncodings {
  readonly groups: ReadonlyMap<string, readonly string[]>;
  readonly reports: Map<string, RipgrepOutput>;
}

async function otherEncodings({ args, ...run }: RipgrepRun, paths: readonly string[]): Promise<OtherEncodings> {
  const groups = new Map<string, string[]>();
  const reports = new Map<string, RipgrepOutput>();
  // A dot matches no byte that is not UTF-8.
  const listing = [...args, '-l', '--invert-match', '--line-regexp', '-e', '.*', '--', ...paths];
  for await (const output of runRipgrep({ args: listing, ...run })) {
    const { kind, text: file } = output;
    if (kind !== 'line') {
      reports.set(file, output);
      continue;
    }
    const encoding = await encodingOf(path.resolve(run.cwd, file));
    if (isLabel(encoding)) groups.set(encoding, [...(groups.get(encoding) ?? []), file]);
    else {
      const why = `rg: ${file}: in its encoding, ${encoding}, only ASCII can be searched`;
      reports.set(file, { kind: 'failure', text: why });
    }
  }
  return { groups, reports };
}

const LINE_EVENT =
  /^\{"type":"(?:match|context)","data":\{"path":\{"text":("(?:\\.|[^"\\])*")\},"lines":.*,"line_number":(\d+),/;

/** The file and line of an output of ripgrep, in the form of lines, JSON, counts, or a list of files. */
function placeOf(text: string): { readonly file: string; readonly line: string } {
  const [, json, number = ''] = LINE_EVENT.exec(text) ?? [];
  if (json !== undefined) return { file: JSON.parse(json) as string, line: number };
  const [, file = text, line = ''] = /^(.*?):(\d+)(?::|$)/s.exec(text) ?? [];
  return { file, line };
}

/** Code pages that the Encoding Standard, whose labels ripgrep takes, has under other names. */
const LABELS: Readonly<Record<string, string>> = { CP949: 'euc-kr', CP932: 'shift_jis', CP874: 'windows-874' };

/** The encoding in which an ingest reads a file that is not UTF-8, by its label if it has one. */
async function encodingOf(file: string): Promise<string> {
  const bytes = await readFile(file).catch(() => Buffer.of());
  const { encoding = 'windows-1252' } = (await undeclaredEncoding(bytes, bytes.toString())) ?? {};
  return LABELS[encoding] ?? encoding;
}

function isLabel(encoding: string): boolean {
  try {
    return new TextDecoder(encoding).encoding !== '';
  } catch {
    return false; // an older one, which ripgrep cannot read
  }
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
