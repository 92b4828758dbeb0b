import type { DocumentStore } from '../../contracts/document-store.ts';
import type { SeenPlace, SeenShare, SeenShareSize } from '../../contracts/seen-places.ts';
import type { LookTurns } from '../../documents/look-turns.ts';
import type { SourceConfig } from '../../documents/source-roots.ts';
import { statOf } from '../scan/seen-places.ts';
import { compare, foldersOf, withNeighbours, type SourceLook } from './look.ts';

/** What a look in turns came to. */
export interface LookInTurns {
  readonly looks: readonly SourceLook[];
  /** How many places this look left out, and how many there are. */
  readonly unlooked: number;
  readonly total: number;
}

/** How much one look compares, so that a search waits no longer in a large folder than in a small one. */
export interface LookSize {
  /** Of no more places, in all sources together, every look compares all. */
  readonly whole: number;
  /** Of more: so many in all, */
  readonly share: number;
  /** of each kind so many that changed last, and the others from where the look before has ended. */
  readonly newest: SeenShareSize['newest'];
  /** A look ends after this time, as on a slow disk, once it has compared `least` of either. */
  readonly maxMs: number;
  readonly least: number;
}

/** A place takes 4 µs to compare, and 1.3 to read. */
const SIZE: LookSize = {
  whole: 6000,
  share: 2000,
  newest: { rules: 100, directory: 1000, file: 200 },
  maxMs: 150,
  least: 256,
};

/**
 * Compares the folders of all sources with what was seen in them last, as far as a search has time for. Of a large folder: ignore
 * files and directories, whose times show what is new, renamed or gone, and what was saved by a program that renames; the files that
 * changed last; and a part of all others, so that looks one after the other come to every place.
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

/** Places that are compared one after the other, as far as time goes. */
interface Row {
  readonly places: readonly SeenPlace[];
  compared: number;
}

/** What comes first, and what follows: directories and ignore files go before files also where all are given. */
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

/** So few places are compared between two looks at the clock, one by one of which would cost a search as much as a third of them. */
const PART = 32;

/** Half of the time is for either row: otherwise the first would keep all others from their turn. */
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

/** Where the next look begins; empty for the beginning. */
function nextFrom({ following, isEnd }: SeenShare, { places, compared }: Row): string {
  if (compared < places.length) return places[compared - 1]?.path ?? '';
  return isEnd ? '' : (following.at(-1)?.path ?? '');
}
