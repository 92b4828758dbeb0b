import { lstatSync, readdirSync, closeSync, readSync } from 'node:fs';
import path from 'node:path';
import { makeFolder, writeAtomically } from './write-atomically.ts';
import { readRegularText, openRegularFile } from './read-regular-file.ts';

/** The file that marks a folder as filled by kebab. */
export const FOLDER_MARK = '.kebab-folder';

const FIRST_LINE = 'kebab keeps files of its own in this folder.';
const CONTENT = `${FIRST_LINE}\nWith this file here, \`kebab reset\` removes them again; files of others stay.\n`;

/**
 * Creates a folder for kebab's own files and marks it, so that `reset` may delete it. A folder with existing content gets no mark, because
 * it may belong to someone else.
 */
export function makeOwnFolder(folder: string): void {
  makeFolder(folder);
  if (isOwnFolder(folder) || readdirSync(folder).length > 0) return;
  writeAtomically(path.join(folder, FOLDER_MARK), CONTENT, { flush: false });
}

/** Whether a folder has the mark of {@link makeOwnFolder}. */
export function isOwnFolder(folder: string): boolean {
  const mark = path.join(folder, FOLDER_MARK);
  const kind = lstatSync(mark, { throwIfNoEntry: false });
  return (
    kind?.isFile() === true &&
    kind.size < 1024 &&
    readRegularText(mark, { maxBytes: 1024, followLink: false }).startsWith(FIRST_LINE)
  );
}

/** The `application_id` of a SQLite file that kebab made: "kebb" as a number. */
export const DATABASE_MARK = 0x6b_65_62_62;

/** Facts from the first bytes of a database file. */
interface DatabaseHeader {
  /** Whether it is a SQLite file, damaged or not. */
  readonly isDatabase: boolean;
  /** Whether it has the mark {@link DATABASE_MARK}. */
  readonly isMarked: boolean;
}

const HEADER_BYTES = 100;
const APPLICATION_ID_AT = 68;

/** Reads the header of a regular file, which shows who created it even when the database is damaged. */
export function readDatabaseHeader(file: string): DatabaseHeader {
  const handle = openRegularFile(file);
  try {
    const header = Buffer.alloc(HEADER_BYTES);
    readSync(handle, header);
    const isDatabase = header.toString('latin1', 0, 16) === 'SQLite format 3\0';
    return { isDatabase, isMarked: isDatabase && header.readUInt32BE(APPLICATION_ID_AT) === DATABASE_MARK };
  } finally {
    closeSync(handle);
  }
}
