import { statSync } from 'node:fs';
import path from 'node:path';

/** The names of a project file; in one folder the first of them counts. */
export const PROJECT_FILE_NAMES = ['kebab.toml', 'kebab.json', 'kebab.yaml', 'kebab.yml'] as const;

/** The folder that holds the knowledge base of a project, at the top of it. */
export const PROJECT_FOLDER = '.kebab';

/** What makes a folder a project: a file for settings, or a knowledge base of its own. */
export interface FoundProject {
  /** Absolute. */
  readonly folder: string;
  /** The project file, and those beside it that do not count. */
  readonly file: { readonly path: string; readonly shadowed: readonly string[] } | null;
  /** Its `.kebab/`, which may have come with a checkout. */
  readonly kebabFolder: string | null;
}

/** Finds the nearest project at or above a folder, looking at names only; undefined when there is none. */
export function findProject(folder: string): FoundProject | undefined {
  for (let here = path.resolve(folder); ; here = path.dirname(here)) {
    const [first, ...shadowed] = PROJECT_FILE_NAMES.map((name) => path.join(here, name)).filter(isFile);
    const kebabFolder = path.join(here, PROJECT_FOLDER);
    const isProject = holdsKnowledgeBase(kebabFolder);
    if (first !== undefined || isProject)
      return {
        folder: here,
        file: first === undefined ? null : { path: first, shadowed },
        kebabFolder: isProject ? kebabFolder : null,
      };
    if (here === path.dirname(here)) return undefined;
  }
}

/** The configuration of the knowledge base in a `.kebab/`. */
export function projectConfigFile(kebabFolder: string): string {
  return path.join(kebabFolder, 'config.toml');
}

/** Whether a file is named as those are that come with a folder: `kebab.toml` and its kin, or `.kebab/config.toml`. */
export function isProjectFile(file: string): boolean {
  const folder = path.dirname(file);
  if ((PROJECT_FILE_NAMES as readonly string[]).includes(path.basename(file))) return true;
  return path.basename(folder) === PROJECT_FOLDER && file === projectConfigFile(folder);
}

/** A file of this name says which knowledge base a `.kebab/` is. */
export function projectIdFile(kebabFolder: string): string {
  return path.join(kebabFolder, 'id');
}

/** Another program may have a folder of that name. */
function holdsKnowledgeBase(kebabFolder: string): boolean {
  return isFolder(kebabFolder) && (isFile(projectIdFile(kebabFolder)) || isFile(projectConfigFile(kebabFolder)));
}

function isFolder(place: string): boolean {
  try {
    return statSync(place, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return false;
  }
}

/** Whether a path leads to a regular file, as far as can be found out. */
export function isFile(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    return false; // a folder that may not be entered, a loop of links
  }
}
