import { lstatSync, readdirSync, readFileSync, realpathSync, rmdirSync, unlinkSync } from 'node:fs';
import path from 'node:path';
import type { FolderToClear } from './plan-reset.ts';
import { FOLDER_MARK, isOwnFolder } from '../files/own-folder.ts';
import { isDraftName } from '../files/write-atomically.ts';

/** The result of clearing a folder. The path of a folder ends in `/`. */
export interface Cleared {
  readonly removed: readonly string[];
  /** Paths that were kept because nothing proves that kebab created them. */
  readonly left: readonly string[];
}

/**
 * Removes what kebab created in a folder that it filled, then the folders that became empty. Any other folder is left alone. Links are
 * never followed, and a missing folder counts as empty.
 */
export function clearFolder(folder: FolderToClear): Cleared {
  const isMarked = isOwnFolder(folder.path);
  const isLink = lstatSync(folder.path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  if (!isMarked && (!folder.known || isLink))
    return { removed: [], left: entriesOf(folder.path).length > 0 ? [`${folder.path}/`] : [] };
  const removed = clearBelow(folder, '');
  if (isMarked && entriesOf(folder.path).length === 1) removed.push(unlinked(path.join(folder.path, FOLDER_MARK)));
  return { removed: folder.own ? [...removed, ...removeIfEmpty(folder.path)] : removed, left: [] };
}

/** Removes a folder if it exists and is empty, and returns its path with a trailing `/`. */
export function removeIfEmpty(folder: string): readonly string[] {
  try {
    rmdirSync(folder);
    return [`${folder}/`];
  } catch (error) {
    if (['ENOENT', 'ENOTEMPTY', 'EEXIST', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
}

/** Removes the temporary files that killed processes left in a folder, and returns their paths. Does nothing for a symbolic link. */
export function removeDrafts(folder: string): readonly string[] {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  const drafts = entriesOf(folder).filter((entry) => entry.isFile() && isDraftName(entry.name));
  return drafts.map(({ name }) => unlinked(path.join(folder, name)));
}

/** The entries of a folder; empty for a missing one. */
function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function clearBelow(folder: FolderToClear, prefix: string): string[] {
  const removed: string[] = [];
  for (const entry of entriesOf(path.join(folder.path, prefix))) {
    const name = `${prefix}${entry.name}`;
    const full = path.join(folder.path, name);
    if (entry.isDirectory()) {
      removed.push(...clearBelow(folder, `${name}/`));
      if (folder.folders.test(name)) removed.push(...removeIfEmpty(full));
    } else if (folder.links === true && entry.isSymbolicLink()) removed.push(unlinked(full));
    else if (entry.isFile() && (folder.files.test(name) || isDraftName(entry.name))) removed.push(unlinked(full));
  }
  return removed;
}

function unlinked(file: string): string {
  unlinkSync(file);
  return file;
}

/** The names of what kebab creates in one kind of folder. Paths are relative to it, with `/`. */
export interface KebabFiles {
  readonly files: RegExp;
  /** Subfolders; removed when they are empty. */
  readonly folders: RegExp;
  /** Whether links are removed as well; what they lead to stays. */
  readonly links?: true;
}

const MODEL_FILE =
  /^(?:[\w.-]+\/){1,4}(?:(?:config|generation_config|preprocessor_config|quantize_config|tokenizer|tokenizer_config|special_tokens_map|added_tokens|vocab|modules|sentence_bert_config|kebab-model|kebab-pull)\.json|model\.safetensors|(?:vocab|merges)\.txt|[\w.-]*sentencepiece[\w.-]*\.model|[\w.-]+\.(?:onnx|onnx_data))(?:\.part)?$/;

/**
 * The names of everything kebab writes, by kind of folder: what `reset` may remove where kebab filled the folder. A file with any other
 * name is kept, and so is every folder that contains it. Models have these names while they are being downloaded.
 */
export const KEBAB_FILES = {
  assets: { files: /^[0-9a-f]{2}\/[0-9a-f]{32}$/, folders: /^[0-9a-f]{2}$/ },
  /** Documents added by hand: the words of a title, and the beginning of a hash. */
  external: { files: /^(?:[\p{L}\p{N}\p{M}-]+-)?[0-9a-f]{12}\.\w+$/u, folders: /^$/ },
  runs: { files: /^run_[\w-]+\/(?:per_query\.jsonl|report\.md)$/, folders: /^run_[\w-]+$/ },
  /** Clones of repositories: everything in them. */
  repositories: { files: /^[^/]+\/./s, folders: /^./s, links: true },
  models: { files: MODEL_FILE, folders: /^[\w.-]+(?:\/[\w.-]+){0,3}$/ },
  logs: { files: /^kebab-\d{4}-\d{2}-\d{2}\.jsonl$/, folders: /^$/ },
  cache: {
    files: /^(?:(?:code|tmp|derived)\/.+|embeddings\.sqlite(?:-wal|-shm|-journal)?)$/,
    folders: /^(?:code|tmp|derived)(?:\/.+)?$/,
  },
} as const satisfies Readonly<Record<string, KebabFiles>>;

/** The file that `models pull` writes to the folder of a model, with the list of downloaded files. */
const PULL_RECORD = 'kebab-pull.json';
const MAX_RECORD_BYTES = 1_048_576;

/**
 * Removes the models that were downloaded to a folder: the files listed in the record of each, and the folders that became empty. A model
 * without a record was added by hand, and is kept.
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

/** Folders named `model` or `owner/model` that contain files; hidden folders do not count. */
function modelFolders(modelDir: string): readonly string[] {
  const below = (prefix: string): readonly string[] =>
    entriesOf(path.join(modelDir, prefix))
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
      .map((entry) => path.posix.join(prefix, entry.name));
  const isModel = (name: string): boolean => entriesOf(path.join(modelDir, name)).some((entry) => !entry.isDirectory());
  return below('').flatMap((name) => (isModel(name) ? [name] : below(name).filter((inner) => isModel(inner))));
}

/** The files listed in the record, relative to the folder; null without a record. */
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
    return null; // not one of our records
  }
}

function removeModel(folder: string, fetched: readonly string[]): readonly string[] {
  const real = realpathSync(folder);
  const files = [...fetched, PULL_RECORD].map((name) => path.join(folder, name)).filter((file) => isBelow(file, real));
  for (const file of files) unlinkSync(file);
  const inner = [...new Set(files.map((file) => path.dirname(file)))].filter((each) => each !== folder);
  return [...files, ...inner.flatMap(removeIfEmpty), ...removeIfEmpty(folder)];
}

/** Whether a path is a regular file inside a folder, by its real path. */
function isBelow(file: string, realFolder: string): boolean {
  if (lstatSync(file, { throwIfNoEntry: false })?.isFile() !== true) return false;
  return realpathSync(file).startsWith(`${realFolder}${path.sep}`);
}
