import { accessSync, constants, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { checkOf, failed, fine, type Outcome } from './outcome.ts';

/** Whether the index can be written where the configuration puts it. */
export const checkDataDir = checkOf('data_dir_writable', ({ resolution }) => {
  const { dataDir } = resolution.config.storage;
  return isFolder(dataDir) ? writable(dataDir, dataDir) : creatable(dataDir);
});

function creatable(dataDir: string): Outcome {
  let folder = dirname(dataDir);
  while (!exists(folder) && folder !== dirname(folder)) folder = dirname(folder);
  if (exists(dataDir))
    return failed(`${dataDir} is not a folder`, 'name another with storage.data_dir, then `kebab init`');
  return writable(folder, `${dataDir} (not created yet)`);
}

function writable(folder: string, detail: string): Outcome {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return fine(detail);
  } catch (error) {
    const why = (error as { readonly code?: string }).code ?? String(error);
    return failed(`${folder} cannot be written (${why})`, `chmod u+wx ${folder}`);
  }
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
