import { realpathSync } from 'node:fs';
import path from 'node:path';
import { invalidInput, writeAtomically } from '@kebab/core/app';

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
  try {
    realpathSync(path.dirname(file)); // a folder that is missing is a mistyped one
    writeAtomically(file, bytes, { replace: overwrite });
  } catch (error) {
    if (errorCode(error) === 'EEXIST') throw alreadyThere(file);
    throw Object.assign(error as Error, { path: file }); // not the name of a draft, nor the folder alone
  }
}

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
