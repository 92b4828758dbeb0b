import { linkSync, lstatSync, realpathSync, renameSync, unlinkSync, writeFileSync, mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { KebabError } from '../errors/kebab-error.ts';
import { isInside } from './read-regular-file.ts';

/** How to write a whole file. */
export interface AtomicWriteOptions {
  /** 0644 by default, minus the process umask. */
  readonly mode?: number | undefined;
  /** Whether to flush the bytes to disk before the file gets its name; true by default. */
  readonly flush?: boolean | undefined;
  /** Whether to replace an existing file; true by default. Otherwise writing fails with the system's `EEXIST`. */
  readonly replace?: boolean | undefined;
  /**
   * A folder that other programs write to as well, such as a workspace: the real path of the file must be inside it, and the file must not
   * be a link. Without it, a link is replaced by the file; the target of a link is never written to.
   */
  readonly within?: string | undefined;
}

/** The errors of file systems without hard links. */
const NO_LINKS: ReadonlySet<unknown> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/**
 * Writes a file so that a reader sees either the old or the new content, and creates its folder (0755). The temporary file has a random
 * name, and is never opened if something with that name exists. Throws `io_error` for a violation of `within`, and otherwise the system
 * error with the path of the file or its folder. The temporary file is removed in either case.
 */
export function writeAtomically(file: string, content: string | Uint8Array, options: AtomicWriteOptions = {}): void {
  const { mode = 0o644, flush = true, replace = true, within } = options;
  if (within !== undefined) refuseLinks(file, within);
  const folder = path.dirname(file);
  makeFolder(folder);
  const draft = path.join(folder, `.kebab-${randomDigits()}.tmp`);
  try {
    writeFileSync(draft, content, { mode, flush, flag: 'wx' });
    if (replace) renameSync(draft, file);
    else place(draft, file);
  } catch (error) {
    throw withoutDraft(error, draft, file);
  } finally {
    removeDraft(draft);
  }
}

/** 32 hexadecimal digits. They need not be secret, and loading `crypto` would take a search some milliseconds. */
function randomDigits(): string {
  const words = Array.from({ length: 4 }, () => Math.floor(Math.random() * 2 ** 32).toString(16));
  return words.map((word) => word.padStart(8, '0')).join('');
}

/** The error codes of a folder in which no file can be created. */
const DENIED: ReadonlySet<unknown> = new Set(['EACCES', 'EPERM', 'EROFS']);

/** Replaces the path of the temporary file, which means nothing to a user, by that of the file, or of a folder that denies new files. */
function withoutDraft(error: unknown, draft: string, file: string): unknown {
  const failure = error as NodeJS.ErrnoException;
  // Node names no path when writing fails in an open file, as on a full disk.
  const isUnnamed = failure.path === undefined && failure.syscall !== undefined;
  if (failure.path !== draft && !isUnnamed) return error;
  const { code, errno, syscall } = failure;
  const named = DENIED.has(code) ? path.dirname(file) : file;
  const message = isUnnamed ? `${failure.message} '${named}'` : failure.message.replaceAll(draft, named);
  const failed = new Error(message, { cause: error });
  return Object.assign(failed, { code, errno, syscall, path: named });
}

/** Whatever took its place may not be removable; that must not mask the original failure. */
function removeDraft(draft: string): void {
  try {
    unlinkSync(draft);
  } catch {
    // It keeps the name of a temporary file, which nothing reads.
  }
}

/** Whether a name is that of a temporary file, left behind by a killed process. */
export function isDraftName(name: string): boolean {
  return /^\.kebab-[0-9a-f]{32}\.tmp$/.test(name);
}

/**
 * Throws `io_error` when a file below `root` is a link, or when a link on the way to it leads out of `root`. A missing path is not a link.
 * It does not matter how `root` itself is reached.
 */
export function refuseLinks(file: string, root: string): void {
  const steps = path.relative(root, file).split(path.sep);
  const isBelow = steps[0] !== '..' && !path.isAbsolute(steps[0] ?? '');
  if (!isBelow) throw refusal(file, `lies outside of ${root}`, `keep it inside ${root}`);
  const realRoot = realPathOf(root);
  for (let depth = 1; depth <= steps.length; depth++) {
    const entry = path.join(root, ...steps.slice(0, depth));
    const kind = lstatSync(entry, { throwIfNoEntry: false });
    if (kind === undefined) return;
    if (!kind.isSymbolicLink()) continue;
    if (depth === steps.length)
      throw refusal(file, 'is a symbolic link', 'put a file in its place, or remove the link');
    const real = realPathOf(entry);
    if (real === null || realRoot === null || !isInside(real, realRoot))
      throw refusal(entry, `is a symbolic link that leads out of ${root}`, 'put a folder in its place, or remove it');
  }
}

/** Gives the temporary file its name; unlike a rename, a hard link does not replace a file created in between. */
function place(draft: string, file: string): void {
  try {
    linkSync(draft, file);
  } catch (error) {
    if (!NO_LINKS.has((error as NodeJS.ErrnoException).code)) throw error;
    writeFileSync(file, '', { flag: 'wx' }); // reserves the name, or fails as a hard link would
    renameSync(draft, file);
  }
}

function realPathOf(entry: string): string | null {
  try {
    return realpathSync(entry);
  } catch (error) {
    if (['ENOENT', 'ELOOP'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}

function refusal(entry: string, what: string, hint: string): KebabError<'io_error'> {
  return new KebabError('io_error', `${entry} ${what}: nothing was written`, {
    details: { kind: 'ELOOP', path: entry, cause: what },
    hint,
  });
}

/**
 * Creates a folder and its missing parents, and leaves existing ones alone. Throws the system error for the first folder that cannot be
 * created. Node's recursive mkdir reports `ENOENT` on a read-only file system, and never returns where mkdir itself fails with it
 * (`/proc`).
 */
export function makeFolder(folder: string, { mode = 0o755 }: { readonly mode?: number } = {}): void {
  const missing: string[] = [];
  for (let at = path.resolve(folder); !exists(at); at = path.dirname(at)) missing.push(at);
  for (const one of missing.toReversed()) makeOne(one, mode);
  // A file, or a link to nothing, is in the way.
  if (missing.length === 0 && !statSync(folder).isDirectory()) mkdirSync(folder);
}

function makeOne(folder: string, mode: number): void {
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    // Another process created it first.
    if ((error as NodeJS.ErrnoException).code === 'EEXIST' && exists(folder)) return;
    throw error;
  }
}

function exists(folder: string): boolean {
  return statSync(folder, { throwIfNoEntry: false }) !== undefined;
}
