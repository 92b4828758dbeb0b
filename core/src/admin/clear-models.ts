import { lstatSync, readFileSync, realpathSync, unlinkSync } from 'node:fs';
import path from 'node:path';
import { entriesOf, removeIfEmpty, type Cleared } from './clear-folder.ts';

/** The file that `models pull` leaves in the folder of a model, with the files it fetched. */
const PULL_RECORD = 'kebab-pull.json';
const MAX_RECORD_BYTES = 1_048_576;

/**
 * Removes the models that were fetched into a folder: the files that the record of each names, and what became empty. A model
 * without a record was put there by hand, and stays.
 */
export function clearModels(modelDir: string): Cleared {
  const removed: string[] = [];
  const left: string[] = [];
  for (const name of modelFolders(modelDir)) {
    const folder = path.join(modelDir, name);
    const fetched = fetchedFiles(folder);
    if (fetched === null) left.push(`${folder}/`);
    else removed.push(...removeModel(folder, fetched));
    if (name.includes('/')) removed.push(...removeIfEmpty(path.dirname(folder)));
  }
  return { removed, left };
}

/** Folders named `model` or `owner/model` that hold files; hidden ones are none. */
function modelFolders(modelDir: string): readonly string[] {
  const below = (prefix: string): readonly string[] =>
    entriesOf(path.join(modelDir, prefix))
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
      .map((entry) => path.posix.join(prefix, entry.name));
  const isModel = (name: string): boolean => entriesOf(path.join(modelDir, name)).some((entry) => !entry.isDirectory());
  return below('').flatMap((name) => (isModel(name) ? [name] : below(name).filter((inner) => isModel(inner))));
}

/** The files that the record names, relative to the folder; null without a record. */
function fetchedFiles(folder: string): readonly string[] | null {
  const file = path.join(folder, PULL_RECORD);
  const kind = lstatSync(file, { throwIfNoEntry: false });
  if (kind?.isFile() !== true || kind.size > MAX_RECORD_BYTES) return null;
  try {
    const { files } = JSON.parse(readFileSync(file, 'utf8')) as {
      readonly files: readonly { readonly path: string }[];
    };
    return files.map((entry) => entry.path).filter((name) => typeof name === 'string');
  } catch {
    return null; // not a record of ours
  }
}

function removeModel(folder: string, fetched: readonly string[]): readonly string[] {
  const real = realpathSync(folder);
  const files = [...fetched, PULL_RECORD].map((name) => path.join(folder, name)).filter((file) => isBelow(file, real));
  for (const file of files) unlinkSync(file);
  const inner = [...new Set(files.map((file) => path.dirname(file)))].filter((each) => each !== folder);
  return [...files, ...inner.flatMap(removeIfEmpty), ...removeIfEmpty(folder)];
}

/** Whether it is a regular file inside a folder, by its real path. */
function isBelow(file: string, realFolder: string): boolean {
  if (lstatSync(file, { throwIfNoEntry: false })?.isFile() !== true) return false;
  return realpathSync(file).startsWith(`${realFolder}${path.sep}`);
}
