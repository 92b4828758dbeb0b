import { existsSync } from 'node:fs';
import path from 'node:path';

/** The plugin to test, and how long a promise may take. */
export interface TestTarget {
  /** An absolute path, or the name of a package. */
  readonly specifier: string;
  /** The absolute folder that names are looked up from. */
  readonly folder: string;
  readonly limitMs: number;
}

/** A path that exists is meant as a path, also without a leading dot; anything else is the name of a package. */
export function hereOrIn(folder: string, typed: string): string {
  const file = path.resolve(folder, typed);
  return existsSync(file) || typed.startsWith('.') ? file : typed;
}
