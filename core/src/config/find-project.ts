import { statSync } from 'node:fs';
import path from 'node:path';

/** The names of a project file; in one folder the first one wins. */
export const PROJECT_FILE_NAMES = ['kebab.toml', 'kebab.json', 'kebab.yaml', 'kebab.yml'] as const;

/** The folder with the knowledge base of a project, in the project's top folder. */
export const PROJECT_FOLDER = '.kebab';

/** A folder that is a project because of a settings file or a knowledge base of its own. */
export interface FoundProject {
  /** Absolute. */
  readonly folder: string;
  /** The project file, and the ones in the same folder that it shadows. */
  readonly file: { readonly path: string; readonly shadowed: readonly string[] } | null;
  /** Its `.kebab/`, which may have come with a checkout. */
  readonly kebabFolder: string | null;
}

/** Finds the nearest project at or above a folder, by file names only; undefined when there is none. */
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

/** The configuration file of the knowledge base in a `.kebab/`. */
export function projectConfigFile(kebabFolder: string): string {
  return path.join(kebabFolder, 'config.toml');
}

/** Whether a file name is one of those that can come with a folder: `kebab.toml` and its variants, or `.kebab/config.toml`. */
export function isProjectFile(file: string): boolean {
  const folder = path.dirname(file);
  if ((PROJECT_FILE_NAMES as readonly string[]).includes(path.basename(file))) return true;
  return path.basename(folder) === PROJECT_FOLDER && file === projectConfigFile(folder);
}

/** The file that identifies the knowledge base in a `.kebab/`. */
export function projectIdFile(kebabFolder: string): string {
  return path.join(kebabFolder, 'id');
}

/** Another program may use a folder of the same name. */
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

/** Whether a path is known to lead to a regular file. */
export function isFile(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    return false; // e.g. an unreadable folder or a link loop
  }
}
