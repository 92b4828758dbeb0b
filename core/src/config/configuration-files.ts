import path from 'node:path';
import { PROJECT_FILE_NAMES, PROJECT_FOLDER, projectConfigFile, projectIdFile } from './find-project.ts';
import { projectListIn } from './project-list.ts';
import type { ConfigResolution } from './resolve-config.ts';
import { trustStoreIn } from './trust-store.ts';

/**
 * The files that decide about the configuration of a process in a folder, absolute: those that it was read from or would be read from if
 * they existed, and the lists of trusted files and of projects. While none of them is created, changed or removed, a process that starts
 * in this folder has the same configuration.
 */
export function configurationFiles(
  { files, folders }: Pick<ConfigResolution, 'files' | 'folders'>,
  cwd: string,
): readonly string[] {
  const lists = [trustStoreIn(folders.state), projectListIn(folders.state)];
  return [...new Set([...files.map((file) => file.path), ...lists, ...foldersFrom(cwd).flatMap(projectFilesIn)])];
}

/** A folder and all folders above it. */
function foldersFrom(folder: string): readonly string[] {
  const above = path.dirname(folder);
  return above === folder ? [folder] : [folder, ...foldersFrom(above)];
}

function projectFilesIn(folder: string): readonly string[] {
  const kebabFolder = path.join(folder, PROJECT_FOLDER);
  const named = PROJECT_FILE_NAMES.map((name) => path.join(folder, name));
  return [...named, projectIdFile(kebabFolder), projectConfigFile(kebabFolder)];
}
