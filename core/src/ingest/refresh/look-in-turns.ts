import type { DocumentStore } from '../../contracts/document-store.ts';
import type { SeenPlace, SeenShare, SeenShareSize } from '../../contracts/seen-places.ts';
import type { LookTurns } from '../../documents/look-turns.ts';
import type { SourceConfig } from '../../documents/source-roots.ts';
import { statOf } from '../scan/seen-places.ts';
import { compare, foldersOf, withNeighbours, type SourceLook } from './look.ts';

/** The result of a partial check. */
export interface LookInTurns {
  readonly looks: readonly SourceLook[];
  /** How many places this check left out, and how many there are. */
  readonly unlooked: number;
  readonly total: number;
}

/** The limits of one check, so that a search in a large folder waits no longer than in a small one. */
export interface LookSize {
  /** With at most this many places, in all sources together, every check compares all of them. */
  readonly whole: number;
  /** With more, the total number of places to compare. */
  readonly share: number;
  /** For each kind, how many of the most recently changed places to compare; the others continue where the previous check ended. */
  readonly newest: SeenShareSize['newest'];
  /** A check ends after this time, for example on a slow disk, once it has compared `least` places of each row. */
  readonly maxMs: number;
  readonly least: number;
}

/** Comparing a place takes 4 µs, and reading it 1.3 µs. */
const SIZE: LookSize = {
  whole: 6000,
  share: 2000,
  newest: { rules: 100, directory: 1000, file: 200 },
  maxMs: 150,
  least: 256,
};

/**
 * Compares the folders of all sources with what was last seen in them, as far as a search has time for. For a large folder: ignore files
 * and directories, whose times reveal new, renamed and deleted files, and files saved by renaming; the most recently changed files; and a
 * part of all others, so that consecutive checks cover every place.
 */
export async function lookInTurns(
  store: Pick<DocumentStore, 'indexedRoots' | 'seenPlaces' | 'seenShare'>,
  config: SourceConfig,
  turns: LookTurns,
  size: LookSize = SIZE,
): Promise<LookInTurns> {
  const started = performance.now();
  const looks: SourceLook[] = [];
  let [looked, total] = [0, 0];
  for (const source of await foldersOf(config, store)) {
    const turn = turns.of(source.id);
    const { newest, share: most } = size;
    const whole = Math.max(0, size.whole - total);
    const share = await store.seenShare(source.id, { whole, newest, from: turn.from, share: most });
    if (share.total === 0 || statOf(source.root, '')?.isDirectory() !== true) continue;
    const { first, rest } = inOrder(share, turn.from);
    const look = await compare(source, timed(first, rest, started, size));
    const compared = first.compared + rest.compared;
    const places = share.total ?? Math.max(turn.total, compared);
    const seen = [...first.places, ...rest.places];
    if (look !== null) looks.push(compared === places ? { ...look, seen } : await withNeighbours(look, store));
    looked += compared;
    total += places;
    turns.set(source.id, compared === places ? null : { from: nextFrom(share, rest), total: places });
  }
  turns.keep();
  return { looks, unlooked: total - looked, total };
}

/** Places that are compared in order, as far as time allows. */
interface Row {
  readonly places: readonly SeenPlace[];
  compared: number;
}

/** The places to compare first, and the rest: directories and ignore files come before files even when all places are given. */
function inOrder({ newest, following }: SeenShare, from: string): { readonly first: Row; readonly rest: Row } {
  if (newest.length > 0) {
    const paths = new Set(newest.map((place) => place.path));
    return { first: rowOf(newest), rest: rowOf(following.filter((place) => !paths.has(place.path))) };
  }
  const files = following.filter(({ kind }) => kind === 'file');
  const at = Math.max(
    0,
    files.findIndex(({ path }) => path === from),
  );
  const others = following.filter(({ kind }) => kind !== 'file');
  return { first: rowOf(others), rest: rowOf([...files.slice(at), ...files.slice(0, at)]) };
}

function rowOf(places: readonly SeenPlace[]): Row {
  return { places, compared: 0 };
}

/** How many places are compared between two readings of the clock: reading it for each place would add a third to the cost. */
const PART = 32;

/** Each row gets half of the time: otherwise the first would starve the others. */
function* timed(first: Row, rest: Row, started: number, { least, maxMs }: LookSize): Generator<readonly SeenPlace[]> {
  for (const [row, untilMs] of [
    [first, started + maxMs / 2],
    [rest, started + maxMs],
  ] as const)
    while (row.compared < row.places.length && (row.compared < least || performance.now() <= untilMs)) {
      const part = row.places.slice(row.compared, row.compared + (row.compared < least ? least : PART));
      row.compared += part.length;
      yield part;
    }
}

/** Where the next check begins; empty for the beginning. */
function nextFrom({ following, isEnd }: SeenShare, { places, compared }: Row): string {
  if (compared < places.length) return places[compared - 1]?.path ?? '';
  return isEnd ? '' : (following.at(-1)?.path ?? '');
}
