import { closeSync, readSync } from 'node:fs';
import { openRegularFile } from './read-regular-file.ts';

/** The `application_id` of a SQLite file that kebab made: "kebb" as a number. Older databases of kebab have none. */
export const DATABASE_MARK = 0x6b_65_62_62;

/** What the first bytes of a file say about it. */
export interface DatabaseHeader {
  /** Whether it is a SQLite file, damaged or not. */
  readonly isDatabase: boolean;
  /** Whether it carries {@link DATABASE_MARK}. */
  readonly isMarked: boolean;
}

const HEADER_BYTES = 100;
const APPLICATION_ID_AT = 68;

/** Reads the header of a regular file, which shows even in a damaged database who made it. */
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
