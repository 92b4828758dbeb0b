import { linkSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { invalidInput } from '@kebab/core/app';

/** How a file is written. */
export interface WriteOptions {
  /** Whether a file that is there may be replaced. */
  readonly overwrite: boolean;
  /** Absolute paths of files that are never replaced, by whatever name. */
  readonly spare: readonly string[];
}

/**
 * Writes a file so that a reader sees nothing, the old content, or all of the new. Throws `invalid_input` for a file that is
 * there and may not be replaced, and what the file system says else.
 */
export function writeNewFile(file: string, bytes: Uint8Array, { overwrite, spare }: WriteOptions): void {
  const real = realPathOf(file);
  if (real !== null && spare.some((one) => realPathOf(one) === real))
    throw taken(file, 'is the document itself', 'give another name with --output');
  if (real !== null && !overwrite) throw alreadyThere(file);
  const draft = path.join(path.dirname(file), `.${path.basename(file)}.${process.pid}.part`);
  try {
    writeFileSync(draft, bytes, { flush: true });
    if (overwrite) renameSync(draft, file);
    else place(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Gives a draft its name; unlike a rename, a link replaces nothing that came in between. */
function place(draft: string, file: string): void {
  try {
    linkSync(draft, file);
  } catch (error) {
    if (errorCode(error) === 'EEXIST') throw alreadyThere(file);
    if (!NO_LINKS.has(errorCode(error))) throw error;
    renameSync(draft, file);
  }
}

/** What file systems without hard links answer. */
const NO_LINKS: ReadonlySet<unknown> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

function realPathOf(file: string): string | null {
  try {
    return realpathSync(file);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

function errorCode(error: unknown): unknown {
  return (error as { readonly code?: unknown }).code;
}

function alreadyThere(file: string): Error {
  return taken(file, 'is there already', 'replace it with --force, or give another name with --output');
}

function taken(file: string, why: string, hint: string): Error {
  return invalidInput(`${file} ${why}`, { field: '--output', value: file, hint });
}
