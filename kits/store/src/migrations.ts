import { existsSync, readFileSync } from 'node:fs';

/** One step of the schema: one file of `migrations/`. */
export interface Migration {
  /** 1 for V001, and so on without gaps. */
  readonly version: number;
  readonly description: string;
  /** blake3 of the file. */
  readonly checksum: string;
  readonly sql: string;
}

/** The name and the checksum of a migration: reading and hashing the files would cost a run that applies none of them 7 ms. */
export type ShippedMigration = readonly [description: string, checksum: string];

/** Beside the bundled program, or at the top of the repository, for which sources and compiled files are at the same depth. */
const FOLDERS = ['./migrations/', '../../../migrations/'];

/**
 * Every migration of a list, in order from version 1; a file is read when its SQL is accessed, which throws a TypeError if the file is
 * missing. `folder` is below `migrations/`, with a slash at its end; empty for that folder itself.
 */
export function shippedMigrations(shipped: readonly ShippedMigration[], folder = ''): readonly Migration[] {
  return shipped.map(([description, checksum], index) => ({
    version: index + 1,
    description,
    checksum,
    get sql() {
      return readMigration(`${folder}${migrationName(index + 1, description)}.sql`);
    },
  }));
}

/** The name of a migration: `V001__init`. */
export function migrationName(version: number, description: string): string {
  return `V${String(version).padStart(3, '0')}__${description}`;
}

function readMigration(name: string): string {
  const folders = FOLDERS.map((path) => new URL(path, import.meta.url));
  const folder = folders.find((candidate) => existsSync(candidate));
  if (folder === undefined) throw new TypeError(`the migrations are missing: no folder ${folders.join(' and no ')}`);
  // A checkout on Windows may have different line ends; the checksum is that of the shipped file.
  return readFileSync(new URL(name, folder), 'utf8').replaceAll('\r\n', '\n');
}
