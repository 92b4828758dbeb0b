import type { SourceScope } from '../../contracts/source-connector.ts';
import { rulesOf } from './ignore-file.ts';

const EVERYTHING = new Set(['**/*', '**', '*', '/**']);
const BELOW_A_FOLDER = /^\/?([^*?[\]\\!#\s]+\/)\*\*$/;

/** Answers which paths the configuration wants: `include` and `exclude`, in gitignore syntax, relative to the root. */
export class PathScope {
  readonly #include: ReturnType<typeof rulesOf> | null;
  readonly #exclude: ReturnType<typeof rulesOf> | null;
  /** Where every exclusion has the form `folder/**`: the folders. A string comparison then spares most tests. */
  readonly #excludedFolders: readonly string[] | null;

  constructor(scope: Pick<SourceScope, 'include' | 'exclude'>) {
    const include = scope.include.map((pattern) => pattern.normalize('NFC'));
    const exclude = scope.exclude.map((pattern) => pattern.normalize('NFC'));
    this.#include = include.every((pattern) => EVERYTHING.has(pattern)) ? null : rulesOf(include);
    this.#exclude = exclude.length === 0 ? null : rulesOf(exclude);
    const folders = exclude.map((pattern) => BELOW_A_FOLDER.exec(pattern)?.[1]);
    this.#excludedFolders = folders.every((folder) => folder !== undefined) ? folders : null;
  }

  /** Whether a file is wanted. */
  wantsFile(path: string): boolean {
    return !this.#excludes(path) && this.#include?.ignores(path) !== false;
  }

  /** Whether something below a directory may be wanted; its path ends with a slash. */
  wantsDirectory(path: string): boolean {
    return !this.#excludes(path);
  }

  #excludes(path: string): boolean {
    if (this.#exclude === null) return false;
    if (this.#excludedFolders?.some((folder) => path.startsWith(folder)) === false) return false;
    return this.#exclude.ignores(path);
  }
}
