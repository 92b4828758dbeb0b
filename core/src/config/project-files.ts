import { statSync } from 'node:fs';
import path from 'node:path';

/** The names of a project file; in one folder the first one wins. */
export const PROJECT_FILE_NAMES = ['kebab.toml', 'kebab.json', 'kebab.yaml', 'kebab.yml'] as const;

/** The folder with the knowledge base of a project, in the project's top folder. */
export const PROJECT_FOLDER = '.kebab';

/** The configuration file of the knowledge base in a `.kebab/`. */
export function projectConfigFile(kebabFolder: string): string {
  return path.join(kebabFolder, 'config.toml');
}

/** The file that identifies the knowledge base in a `.kebab/`. */
export function projectIdFile(kebabFolder: string): string {
  return path.join(kebabFolder, 'id');
}

/** The files of which at least one is in every `.kebab/` of kebab; another program may use a folder of the same name. */
export function knowledgeBaseFiles(kebabFolder: string): readonly string[] {
  return [projectIdFile(kebabFolder), projectConfigFile(kebabFolder)];
}

/** Whether a file name is one of those that can come with a folder: `kebab.toml` and its variants, or `.kebab/config.toml`. */
export function isProjectFile(file: string): boolean {
  const folder = path.dirname(file);
  if ((PROJECT_FILE_NAMES as readonly string[]).includes(path.basename(file))) return true;
  return path.basename(folder) === PROJECT_FOLDER && file === projectConfigFile(folder);
}

/** A folder and all folders above it. */
export function foldersFrom(folder: string): readonly string[] {
  const above = path.dirname(folder);
  return above === folder ? [folder] : [folder, ...foldersFrom(above)];
}

/** Whether a path is known to lead to a regular file. */
export function isFile(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    return false; // e.g. an unreadable folder or a link loop
  }
}
