import { statSync } from 'node:fs';
import { identityOf } from '../files/read-regular-file.ts';

/** The files that an App is opened with. */
export interface OpenedFileNames {
  /** The database file, existing or not. */
  readonly database: string;
  /** The files that decide about the configuration, existing or not. */
  readonly configuration: readonly string[];
}

/** Whether an App is still what would be opened now. */
export interface OpenedState {
  readonly names: OpenedFileNames;
  /**
   * What an App has to be opened again for: its database or, if it is long-lived, its configuration was replaced, or its service has ended.
   * Null when nothing has happened; changes inside the database need no new App.
   */
  readonly outdated: 'database' | 'configuration' | 'service' | null;
}

/**
 * The database and the configuration that an App was opened with: it is valid as long as neither has been replaced. A database that did not
 * exist is the App's own once it does.
 */
export class OpenedFiles implements OpenedState {
  readonly names: OpenedFileNames;
  readonly #configuration: string;
  #database: string | null;

  constructor(names: OpenedFileNames) {
    this.names = names;
    this.#database = identityOf(names.database);
    this.#configuration = stampsOf(names.configuration);
  }

  get outdated(): 'database' | 'configuration' | null {
    const database = identityOf(this.names.database);
    this.#database ??= database;
    if (database !== this.#database) return 'database';
    return stampsOf(this.names.configuration) === this.#configuration ? null : 'configuration';
  }
}

/** Differs once one of the files is created, changed or removed. */
function stampsOf(files: readonly string[]): string {
  return files.map(stampOf).join(' ');
}

function stampOf(file: string): string {
  try {
    const { ino, mtimeNs, size } = statSync(file, { bigint: true });
    return `${ino}:${mtimeNs}:${size}`;
  } catch {
    return ''; // it does not exist, or reading it will report the error
  }
}
