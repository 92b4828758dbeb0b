import { existsSync, readFileSync } from 'node:fs';
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

  async keep(): Promise<void> {
    if (this.#file === null || this.#isKept) return;
    this.#isKept = true;
    const { writeAtomically } = await import('../files/write-atomically.ts');
    try {
      writeAtomically(this.#file, JSON.stringify(Object.fromEntries(this.#turns ?? [])), { flush: false });
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
