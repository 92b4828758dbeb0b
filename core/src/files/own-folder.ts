import { lstatSync, mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { readRegularText } from './read-regular-file.ts';
import { writeAtomically } from './write-atomically.ts';

/** The file that marks a folder as filled by kebab. */
export const FOLDER_MARK = '.kebab-folder';

const FIRST_LINE = 'kebab keeps files of its own in this folder.';
const CONTENT = `${FIRST_LINE}\nWith this file here, \`kebab reset\` removes them again; files of others stay.\n`;

/**
 * Makes a folder for files of kebab's own and marks it, so that `reset` may clear it. A folder in which something lies already
 * gets no mark: who put it there is not known.
 */
export function makeOwnFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  if (isOwnFolder(folder) || readdirSync(folder).length > 0) return;
  writeAtomically(path.join(folder, FOLDER_MARK), CONTENT, { flush: false });
}

/** Whether a folder carries the mark of {@link makeOwnFolder}. */
export function isOwnFolder(folder: string): boolean {
  const mark = path.join(folder, FOLDER_MARK);
  const kind = lstatSync(mark, { throwIfNoEntry: false });
  return (
    kind?.isFile() === true &&
    kind.size < 1024 &&
    readRegularText(mark, { maxBytes: 1024, followLink: false }).startsWith(FIRST_LINE)
  );
}
