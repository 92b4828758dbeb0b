import { linkSync, lstatSync, realpathSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeFolder } from './make-folder.ts';
import { KebabError } from '../errors/kebab-error.ts';
import { isInside } from './read-regular-file.ts';

/** How a whole file is written. */
export interface AtomicWriteOptions {
  /** 0644 by default, less what the process masks. */
  readonly mode?: number | undefined;
  /** Whether the bytes are on the disk before the file gets its name; true by default. */
  readonly flush?: boolean | undefined;
  /** Whether a file that is there is replaced; true by default. Otherwise writing fails with the system's `EEXIST`. */
  readonly replace?: boolean | undefined;
  /**
   * A folder that others fill too, such as a workspace: the file must lie inside it by its real path, and must not be a
   * link. Without it, a link is replaced by the file; nothing is ever written to where a link leads.
   */
  readonly within?: string | undefined;
}

/** What file systems without hard links answer. */
const NO_LINKS: ReadonlySet<unknown> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/**
 * Writes a file so that a reader sees the old content or the new, never half of it, and makes its folder (0755). The draft
 * has a name that cannot be foreseen, and is never opened when something has that name. Throws `io_error` for what `within`
 * does not allow, and what the file system says otherwise; the draft is gone then.
 */
export function writeAtomically(file: string, content: string | Uint8Array, options: AtomicWriteOptions = {}): void {
  const { mode = 0o644, flush = true, replace = true, within } = options;
  if (within !== undefined) refuseLinks(file, within);
  const folder = path.dirname(file);
  makeFolder(folder);
  const draft = path.join(folder, `.kebab-${crypto.randomUUID().replaceAll('-', '')}.tmp`);
  try {
    writeFileSync(draft, content, { mode, flush, flag: 'wx' });
    if (replace) renameSync(draft, file);
    else place(draft, file);
  } finally {
    removeDraft(draft);
  }
}

/** What lies there instead may not be removable; that must not take the place of the failure which led here. */
function removeDraft(draft: string): void {
  try {
    unlinkSync(draft);
  } catch {
    // Its name is that of a draft, which is read by nothing.
  }
}

/** Whether a file has the name of a draft: one that a killed process left behind. */
export function isDraftName(name: string): boolean {
  return /^\.kebab-[0-9a-f]{32}\.tmp$/.test(name);
}

/**
 * Throws `io_error` when a file below `root` is a link, or when a link on the way to it leads out of `root`. What is missing
 * is no link. Which folder `root` itself is reached by does not matter.
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

/** Gives a draft its name; unlike a rename, a link replaces nothing that came in between. */
function place(draft: string, file: string): void {
  try {
    linkSync(draft, file);
  } catch (error) {
    if (!NO_LINKS.has((error as NodeJS.ErrnoException).code)) throw error;
    writeFileSync(file, '', { flag: 'wx' }); // takes the name, or fails as a link would
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
