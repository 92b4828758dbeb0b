import { constants, promises as fs } from 'node:fs';
import path from 'node:path';
import { EXTERNAL, type SourceRoot } from '../../documents/source-roots.ts';
import type { MayRead } from '../../domain/read-rule.ts';
import { parseSourcePath, workspacePathOf } from '../../domain/uri.ts';
import { isInside } from '../../files/read-regular-file.ts';

/** A file that a question refers to, or why it is unavailable. */
export type FileRefResult =
  | {
      readonly kind: 'file';
      readonly sourceId: string;
      readonly workspacePath: string;
      /** The beginning of the file, truncated to whole characters. */
      readonly body: string;
      /** The whole lines that contain the body. */
      readonly lines: string;
      readonly isCut: boolean;
      readonly totalBytes: number;
    }
  | { readonly kind: 'OutOfScope' | 'NotFound' | 'Binary' | 'Io'; readonly message: string };

/** The real folder of a source. */
interface RealRoot extends Pick<SourceRoot, 'id'> {
  readonly real: string;
}

/**
 * A view of the file system that is limited to the source folders. A path is judged by its real target, with links resolved, before
 * checking whether it exists: a path outside gives the same result whether or not it exists.
 */
export class FsView {
  readonly #roots: readonly SourceRoot[];
  readonly #cwd: string;
  readonly #mayRead: MayRead;

  constructor(sources: ReadonlyMap<string, SourceRoot>, cwd: string, mayRead: MayRead = () => true) {
    this.#mayRead = mayRead;
    // Documents that were added by hand are stored among kebab's own data.
    this.#roots = [...sources.values()].filter(({ id, connector }) => connector === 'fs' && id !== EXTERNAL);
    this.#cwd = cwd;
  }

  /**
   * Reads at most `maxBytes` bytes of a file: relative to the working folder if that is inside a source, then to each source, then to the
   * source whose id prefixes the path, as in hits.
   */
  async resolveFileRef(typed: string, maxBytes: number): Promise<FileRefResult> {
    if (typed.includes('\0')) return { kind: 'Io', message: 'the path holds a NUL' };
    const roots = await this.#realRoots();
    let isInScope = false;
    for (const candidate of await this.#candidates(typed, roots)) {
      const real = await followed(candidate);
      if (real === null) return { kind: 'Io', message: 'its links lead in a circle' };
      const root = roots.find(({ real: folder }) => isInside(real.path, folder));
      if (root === undefined) continue;
      isInScope = true;
      const isShown = real.path === root.real || this.#mayRead(root.id, placeIn(root, real.path));
      if (real.exists && isShown) return await read(real.path, root, maxBytes);
    }
    return isInScope
      ? { kind: 'NotFound', message: 'there is no such file' }
      : { kind: 'OutOfScope', message: 'it lies outside the source folders' };
  }

  async #candidates(typed: string, roots: readonly RealRoot[]): Promise<readonly string[]> {
    if (path.isAbsolute(typed)) return [path.resolve(typed)];
    const cwd = await followed(this.#cwd);
    const here = cwd !== null && roots.some(({ real }) => isInside(cwd.path, real));
    const folders = [...(here && cwd !== null ? [cwd.path] : []), ...roots.map(({ real }) => real)];
    const named = parseSourcePath(typed, (id) => roots.some((root) => root.id === id));
    const own = roots.filter(({ id }) => id === named.sourceId).map(({ real }) => path.resolve(real, named.path));
    return [...folders.map((folder) => path.resolve(folder, typed)), ...own];
  }

  async #realRoots(): Promise<readonly RealRoot[]> {
    const roots: RealRoot[] = [];
    for (const { id, root } of this.#roots) {
      const real = await followed(root);
      if (real !== null) roots.push({ id, real: real.path });
    }
    return roots;
  }
}

async function followed(absolute: string): Promise<RealPath | null> {
  return realPath(absolute).catch(() => null);
}

function placeIn(root: RealRoot, file: string): string {
  return workspacePathOf(path.relative(root.real, file).split(path.sep).join('/'));
}

async function read(file: string, root: RealRoot, maxBytes: number): Promise<FileRefResult> {
  if (file === root.real) return { kind: 'Io', message: 'it is a folder' };
  const head = await readHead(file, maxBytes);
  if (head.kind === 'binary') return { kind: 'Binary', message: head.why };
  if (head.kind === 'failed') return { kind: 'Io', message: head.why };
  const { body, lines, isCut, totalBytes } = head;
  return {
    kind: 'file',
    sourceId: root.id,
    workspacePath: placeIn(root, file),
    body,
    lines,
    isCut,
    totalBytes,
  };
}

/** How far beyond the limit to search for the end of the last line. */
const LINE_END_REACH = 1 << 20;

/** The beginning of a text file. */
type FileHead =
  | {
      readonly kind: 'text';
      /** At most the limit, ending between two characters. */
      readonly body: string;
      /** The whole lines that contain the body, without the last line feed. */
      readonly lines: string;
      readonly isCut: boolean;
      readonly totalBytes: number;
    }
  | { readonly kind: 'binary'; readonly why: string }
  | { readonly kind: 'failed'; readonly why: string };

/**
 * Reads at most `maxBytes` bytes of a text file, and little more than that from disk, however large it is. A file is binary if the part
 * read contains a NUL or invalid UTF-8; reading anything but a regular file fails without blocking.
 */
async function readHead(file: string, maxBytes: number): Promise<FileHead> {
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  let handle: fs.FileHandle;
  try {
    handle = await fs.open(file, flags);
  } catch (error) {
    return { kind: 'failed', why: reasonOf(error) };
  }
  try {
    const stat = await handle.stat();
    if (stat.isDirectory()) return { kind: 'failed', why: 'it is a folder' };
    if (!stat.isFile()) return { kind: 'failed', why: 'it is not a regular file' };
    return await readText(handle, stat.size, maxBytes);
  } catch (error) {
    return { kind: 'failed', why: reasonOf(error) };
  } finally {
    await handle.close();
  }
}

async function readText(handle: fs.FileHandle, totalBytes: number, maxBytes: number): Promise<FileHead> {
  const head = await readBytes(handle, 0, Math.min(totalBytes, maxBytes));
  if (head.includes(0)) return { kind: 'binary', why: 'it holds NUL bytes' };
  const isCut = totalBytes > head.length;
  const kept = isCut ? head.subarray(0, characterBoundary(head)) : head;
  const body = decode(kept);
  if (body === null) return { kind: 'binary', why: 'it is not UTF-8' };
  const rest = isCut && !body.endsWith('\n') ? await readLineEnd(handle, kept.length, totalBytes) : '';
  return { kind: 'text', body, lines: `${body}${rest}`.replace(/\r?\n$/, ''), isCut, totalBytes };
}

/** The rest of the line; empty when the line is absurdly long or continues with something other than text. */
async function readLineEnd(handle: fs.FileHandle, from: number, totalBytes: number): Promise<string> {
  const bytes = await readBytes(handle, from, Math.min(totalBytes - from, LINE_END_REACH));
  const end = bytes.indexOf(0x0a);
  if (end === -1 && from + bytes.length < totalBytes) return '';
  return decode(end === -1 ? bytes : bytes.subarray(0, end)) ?? '';
}

async function readBytes(handle: fs.FileHandle, position: number, length: number): Promise<Uint8Array> {
  const buffer = new Uint8Array(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(buffer, filled, length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

/** The last offset that does not split a character. */
function characterBoundary(bytes: Uint8Array): number {
  let start = bytes.length - 1;
  while (start > 0 && bytes.length - start < 4 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start--;
  const lead = bytes[start] ?? 0;
  const width = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return start + width > bytes.length ? start : bytes.length;
}

function decode(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

function reasonOf(error: unknown): string {
  const { code } = error as { readonly code?: unknown };
  return typeof code === 'string' ? code : error instanceof Error ? error.message : String(error);
}

const MAX_LINKS = 40;

/** The real target of a path, and whether it exists. */
interface RealPath {
  readonly path: string;
  readonly exists: boolean;
}

/**
 * Resolves every symbolic link of an absolute path, including dangling ones: a missing file is where it would be created. The answer to "is
 * it inside?" therefore does not depend on "does it exist?". Throws ELOOP for a link loop.
 */
async function realPath(absolute: string): Promise<RealPath> {
  const { root } = path.parse(absolute);
  let pending = absolute.slice(root.length).split(path.sep).filter(Boolean);
  let real = root;
  let links = 0;
  for (let segment = pending.shift(); segment !== undefined; segment = pending.shift()) {
    const here = path.join(real, segment);
    const entry = await lookAt(here);
    if (entry.kind === 'nothing') return { path: path.join(here, ...pending), exists: false };
    if (entry.kind === 'real') {
      real = here;
      continue;
    }
    if (++links > MAX_LINKS) throw Object.assign(new Error(`too many links at ${absolute}`), { code: 'ELOOP' });
    const target = path.resolve(real, entry.target);
    const base = path.parse(target).root;
    pending = [...target.slice(base.length).split(path.sep).filter(Boolean), ...pending];
    real = base;
  }
  return { path: real, exists: true };
}

type Entry =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'real' }
  | { readonly kind: 'link'; readonly target: string };

/** The kind of entry at a path. An inaccessible path counts as missing. */
async function lookAt(file: string): Promise<Entry> {
  try {
    if (!(await fs.lstat(file)).isSymbolicLink()) return { kind: 'real' };
    return { kind: 'link', target: await fs.readlink(file) };
  } catch {
    return { kind: 'nothing' };
  }
}
