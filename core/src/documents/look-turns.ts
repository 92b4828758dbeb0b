import { closeSync, constants, existsSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import path from 'node:path';

/** The progress of the checks of a source. */
export interface LookTurn {
  /** The path at which the next check begins. */
  readonly from: string;
  /** The number of places at the last count. */
  readonly total: number;
}

const BEGINNING: LookTurn = { from: '', total: 0 };
const FILE = 'kebab.look.json';

/** The file next to the database that records where checks ended. */
export function turnsFile(database: string): string {
  return path.join(path.dirname(database), FILE);
}

/**
 * The progress of checks, shared with later processes. If it cannot be read or written, checks start over and the same places are compared
 * twice.
 */
export class LookTurns {
  readonly #file: string | null;
  #turns: Map<string, LookTurn> | null = null;
  #isKept = true;

  /** For a database, by its location; for one in memory, only within this process. */
  constructor(database: string) {
    this.#file = database === ':memory:' ? null : turnsFile(database);
  }

  of(sourceId: string): LookTurn {
    this.#turns ??= readTurns(this.#file);
    return this.#turns.get(sourceId) ?? BEGINNING;
  }

  /** Null when everything was compared. */
  set(sourceId: string, turn: LookTurn | null): void {
    this.#isKept &&= turn === null && this.of(sourceId) === BEGINNING;
    if (turn === null) this.#turns?.delete(sourceId);
    else this.#turns?.set(sourceId, turn);
  }

  keep(): void {
    if (this.#file === null || this.#isKept) return;
    this.#isKept = true;
    try {
      writeInPlace(this.#file, JSON.stringify(Object.fromEntries(this.#turns ?? [])));
    } catch {
      // If the folder is not writable, neither is the index.
    }
  }
}

function readTurns(file: string | null): Map<string, LookTurn> {
  if (file === null || !existsSync(file)) return new Map();
  try {
    const kept = Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, Partial<LookTurn>>);
    return new Map(
      kept.flatMap(([id, { from, total }]) =>
        typeof from === 'string' && typeof total === 'number' && total > 0 ? [[id, { from, total }]] : [],
      ),
    );
  } catch {
    return new Map();
  }
}

/**
 * A partially written file is harmless: checks start over. A temporary file with a random name would cost a search 5 ms, nearly all of it
 * for loading the random number generator. Links are not followed, because a folder from elsewhere may contain one. The file is truncated
 * after writing, because truncating it to zero first forces it to disk at once.
 */
function writeInPlace(file: string, content: string): void {
  const { O_WRONLY, O_CREAT, O_NONBLOCK, O_NOFOLLOW } = constants; // Windows has neither of the last two; a missing flag counts as 0
  const fd = openSync(file, O_WRONLY | O_CREAT | O_NONBLOCK | O_NOFOLLOW, 0o644);
  try {
    ftruncateSync(fd, writeSync(fd, content));
  } finally {
    closeSync(fd);
  }
}
