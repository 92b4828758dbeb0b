import { closeSync, constants, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import path from 'node:path';

/** The file of a data folder whose first line says which files are being read; what follows is left of longer lines. */
export const IN_FLIGHT_FILE = 'kebab.in-flight.json';

/** How often the process may end while it reads the same bytes with the same parser; then they are read no more. */
const DEATH_LIMIT = 2;
const MAX_ENTRIES = 1000;
/** A process that exits with more than this does so because of a signal. */
const LAST_ORDINARY_EXIT = 128;

/** A file as it is read: what makes it another is another content, plugin or parser. */
export interface FileBeingRead {
  readonly sourceId: string;
  readonly workspacePath: string;
  readonly checksum: string;
  /** The plugin that reads it, with its version. */
  readonly agent: string;
  readonly parserVersion: string;
}

interface Entry extends FileBeingRead {
  /** How often the process ended while the file was being read. */
  readonly deaths: number;
  readonly isBeingRead: boolean;
}

/**
 * Remembers across the end of the process which files were being read, because native code can end it so that nothing is
 * left to catch or report. Such a file is a suspect: the next run reads it last and alone, and when the process ends
 * over it again, later runs fail it without reading it. Where nothing can be written, nothing is remembered.
 */
export class InFlight {
  readonly #file: string;
  readonly #entries = new Map<string, Entry>();
  #handle: number | null = null;
  #lineLength = 0;
  /** When a signal ends the process, what is being read is not to blame. */
  readonly #onExit = (code: number): void => {
    if (code > LAST_ORDINARY_EXIT) this.#acquit();
  };

  private constructor(file: string) {
    this.#file = file;
    for (const entry of entriesIn(file)) {
      const deaths = entry.deaths + (entry.isBeingRead ? 1 : 0);
      this.#entries.set(placeOf(entry), { ...entry, deaths, isBeingRead: false });
    }
    process.on('exit', this.#onExit);
  }

  /** Opens the record in a data folder. Only the process that holds the lock for writing may. */
  static open(dataDir: string): InFlight {
    return new InFlight(path.join(dataDir, IN_FLIGHT_FILE));
  }

  /** Whether the process ended while it read a file at this place. */
  isSuspect(file: Pick<FileBeingRead, 'sourceId' | 'workspacePath'>): boolean {
    return this.#entries.has(placeOf(file));
  }

  /** Whether the process ended so often over a file that it is not read again until something about it changes. */
  isCondemned(file: FileBeingRead): boolean {
    return this.#deathsOver(file) >= DEATH_LIMIT;
  }

  /** Reads a file, and remembers meanwhile that it does. */
  async during<T>(file: FileBeingRead, read: () => Promise<T>): Promise<T> {
    const place = placeOf(file);
    this.#entries.set(place, { ...file, deaths: this.#deathsOver(file), isBeingRead: true });
    this.#write();
    try {
      return await read();
    } finally {
      this.#entries.delete(place);
      this.#write();
    }
  }

  /** What is on record stays. */
  close(): void {
    process.off('exit', this.#onExit);
    if (this.#handle === null) return;
    const handle = this.#handle;
    this.#handle = null;
    ftruncateSync(handle, this.#lineLength);
    closeSync(handle);
  }

  #deathsOver(file: FileBeingRead): number {
    const entry = this.#entries.get(placeOf(file));
    return entry !== undefined && isSame(entry, file) ? entry.deaths : 0;
  }

  #acquit(): void {
    for (const [place, entry] of this.#entries) {
      if (!entry.isBeingRead) continue;
      if (entry.deaths === 0) this.#entries.delete(place);
      else this.#entries.set(place, { ...entry, isBeingRead: false });
    }
    this.#write();
  }

  /** In place: a new file for each file read takes half a millisecond, and all that may be lost is this precaution. */
  #write(): void {
    const line = Buffer.from(`${JSON.stringify([...this.#entries.values()].slice(-MAX_ENTRIES))}\n`);
    try {
      this.#handle ??= openSync(this.#file, O_RDWR | O_CREAT | (O_NOFOLLOW ?? 0), 0o644); // Windows has no O_NOFOLLOW
      writeSync(this.#handle, line, 0, line.length, 0);
      this.#lineLength = line.length;
    } catch {
      // a precaution must not fail what works without it
    }
  }
}

const { O_RDWR, O_CREAT, O_NOFOLLOW } = constants;

/** What is on record; what cannot be read or is no record counts as none. */
function entriesIn(file: string): readonly Entry[] {
  try {
    const entries: unknown = JSON.parse(readFileSync(file, 'utf8').split('\n', 1)[0] ?? '');
    return Array.isArray(entries) ? entries.filter(isEntry) : [];
  } catch {
    return [];
  }
}

function isEntry(value: unknown): value is Entry {
  if (typeof value !== 'object' || value === null) return false;
  const { sourceId, workspacePath, checksum, agent, parserVersion, deaths, isBeingRead } = value as Partial<Entry>;
  const texts = [sourceId, workspacePath, checksum, agent, parserVersion];
  return (
    texts.every((text) => typeof text === 'string') && Number.isInteger(deaths) && typeof isBeingRead === 'boolean'
  );
}

function placeOf({ sourceId, workspacePath }: Pick<FileBeingRead, 'sourceId' | 'workspacePath'>): string {
  return `${sourceId}\n${workspacePath}`;
}

function isSame(one: FileBeingRead, other: FileBeingRead): boolean {
  return one.checksum === other.checksum && one.agent === other.agent && one.parserVersion === other.parserVersion;
}
