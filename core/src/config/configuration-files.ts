import path from 'node:path';
import { foldersFrom, knowledgeBaseFiles, PROJECT_FILE_NAMES, PROJECT_FOLDER } from './load-config.ts';
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

function projectFilesIn(folder: string): readonly string[] {
  const named = PROJECT_FILE_NAMES.map((name) => path.join(folder, name));
  return [...named, ...knowledgeBaseFiles(path.join(folder, PROJECT_FOLDER))];
}
