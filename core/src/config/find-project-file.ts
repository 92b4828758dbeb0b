import { statSync } from 'node:fs';
import path from 'node:path';

/** The names of a project file; in one folder the first of them counts. */
export const PROJECT_FILE_NAMES = ['kebab.toml', 'kebab.json', 'kebab.yaml', 'kebab.yml'] as const;

/** A project file, and those beside it that do not count. */
export interface FoundProjectFile {
  readonly path: string;
  readonly shadowed: readonly string[];
}

/** Finds the nearest project file at or above a folder, looking at names only; undefined when there is none. */
export function findProjectFile(folder: string): FoundProjectFile | undefined {
  for (let here = path.resolve(folder); ; here = path.dirname(here)) {
    const [first, ...shadowed] = PROJECT_FILE_NAMES.map((name) => path.join(here, name)).filter(isFile);
    if (first !== undefined) return { path: first, shadowed };
    if (here === path.dirname(here)) return undefined;
  }
}

/** Whether a path leads to a regular file, as far as can be told. */
export function isFile(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    return false; // a folder that may not be entered, a loop of links
  }
}
