import { homedir } from 'node:os';
import path from 'node:path';
import { invalidInput } from '@kebab/core';

const ID = /^[A-Za-z0-9][\w.-]*(?:\/[A-Za-z0-9][\w.-]*)?$/;

/** Whether a configured model is a folder rather than a name: it starts with `./`, `../`, `~/` or is absolute. */
export function isModelPath(model: string): boolean {
  return path.isAbsolute(model) || /^(?:\.{1,2}|~)(?:[/\\]|$)/.test(model);
}

/** The absolute folder of a model: the path itself (relative ones from the working directory), or as {@link namedModelPath}. */
export function modelPath(model: string, modelDir: string): string {
  if (!isModelPath(model)) return namedModelPath(model, modelDir);
  return path.resolve(model.replace(/^~(?=[/\\]|$)/, () => homedir()));
}

/** The folder of a name in `modelDir`. Throws `invalid_input` for what is no plain `name` or `owner/name`. */
export function namedModelPath(name: string, modelDir: string): string {
  if (!ID.test(name) || name.includes('..'))
    throw invalidInput(`"${name}" is no name of a model: letters, digits, - _ . and one / between owner and name`, {
      field: 'model',
      value: name,
      hint: 'a folder is given as an absolute path, or one that starts with ./ or ~/',
    });
  return path.join(modelDir, ...name.split('/'));
}

/** The file that a finished download leaves beside the files it fetched. */
export const PULL_RECORD = 'kebab-pull.json';

/** What was fetched from where, and what the bytes were. */
export interface PullRecord {
  readonly repository: string;
  /** The commit of the repository if the hub told it, else the revision asked for. */
  readonly revision: string;
  readonly files: readonly { readonly path: string; readonly bytes: number; readonly sha256: string }[];
}

/** The record as it was written, or null for JSON that is none. */
export function parsePullRecord(json: unknown): PullRecord | null {
  const record = json as Partial<PullRecord> | null;
  const isRecord =
    typeof record === 'object' &&
    record !== null &&
    typeof record.revision === 'string' &&
    Array.isArray(record.files) &&
    record.files.every(({ path: file, bytes }) => typeof file === 'string' && typeof bytes === 'number');
  return isRecord ? (record as PullRecord) : null;
}
