import { closeSync, constants, existsSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import path from 'node:path';

/** How far looks have come in a source. */
export interface LookTurn {
  /** The path at which the next look begins. */
  readonly from: string;
  /** How many places there are, as they were counted last. */
  readonly total: number;
}

const BEGINNING: LookTurn = { from: '', total: 0 };
const FILE = 'kebab.look.json';

/** The file in which looks leave where they have ended, beside the database. */
export function turnsFile(database: string): string {
  return path.join(path.dirname(database), FILE);
}

/**
 * How far looks have come, for the looks of this process and of later ones. What cannot be read or kept is begun again: then the
 * same places are compared twice.
 */
export class LookTurns {
  readonly #file: string | null;
  #turns: Map<string, LookTurn> | null = null;
  #isKept = true;

  /** Of a database, by its location; of one in memory in this process alone. */
  constructor(database: string) {
    this.#file = database === ':memory:' ? null : turnsFile(database);
  }

  of(sourceId: string): LookTurn {
    this.#turns ??= readTurns(this.#file);
    return this.#turns.get(sourceId) ?? BEGINNING;
  }

  /** Null where everything was compared. */
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
      // A folder that cannot be written has an index that cannot either.
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
 * Half a file is no harm: looks begin again. A draft beside it, with a name that cannot be foreseen, would take a search 5 ms, nearly
 * all for loading what makes such names. A link is not followed: a folder that came from others may hold one. The file is made
 * shorter afterwards because one that is emptied first goes to the disk at once.
 */
function writeInPlace(file: string, content: string): void {
  const { O_WRONLY, O_CREAT, O_NONBLOCK, O_NOFOLLOW } = constants; // Windows has neither of the latter; a missing one counts as 0
  const fd = openSync(file, O_WRONLY | O_CREAT | O_NONBLOCK | O_NOFOLLOW, 0o644);
  try {
    ftruncateSync(fd, writeSync(fd, content));
  } finally {
    closeSync(fd);
  }
}
